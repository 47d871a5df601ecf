//! Bad rule files: every fault with its place, its reason and the way out.
//!
//! Each `tests/faults/NAME.puzzle` is a bad file and `NAME.txt` what is said of it. Run with
//! `IMPASSE_RENEW=1` to write the texts anew, and read the difference.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use impasse_model::codes::ALL;
use impasse_model::fault::{Fault, Faults, line_column};
use impasse_model::parse::parse;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults")
}

/// `origin:line:column: CODE message`, the marked text, the help, the second place.
fn render(faults: &Faults) -> String {
    let mut out = String::new();
    for fault in &faults.faults {
        line(&mut out, faults, fault);
    }
    out
}

fn line(out: &mut String, faults: &Faults, fault: &Fault) {
    let (code, message) = (fault.code.as_str(), &fault.message);
    match fault.span {
        Some(span) => {
            let (line, column) = line_column(&faults.text, span.start);
            writeln!(out, "{}:{line}:{column}: {code} {message}", faults.origin)
        }
        None => writeln!(out, "{}: {code} {message}", faults.origin),
    }
    .expect("a string");
    if let Some(span) = fault.span {
        let marked: String = faults.text[span.start..span.end].chars().take(50).collect();
        writeln!(out, "  at   {marked:?}").expect("a string");
    }
    if let Some(help) = &fault.help {
        writeln!(out, "  help {help}").expect("a string");
    }
    if let Some((span, label)) = &fault.related {
        let (line, column) = line_column(&faults.text, span.start);
        writeln!(out, "  see  {line}:{column}: {label}").expect("a string");
    }
}

#[test]
fn bad_files() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the folder of bad files")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "puzzle"))
        .collect();
    files.sort();
    assert!(files.len() > 20, "{} bad files", files.len());
    let renew = std::env::var_os("IMPASSE_RENEW").is_some();
    for path in files {
        let name = path
            .file_stem()
            .expect("a stem")
            .to_string_lossy()
            .into_owned();
        let bytes = std::fs::read(&path).expect("a readable file");
        let found = match parse(&name, &bytes) {
            Ok(_) => panic!("{name} has no fault"),
            Err(faults) => render(&faults),
        };
        let expected = path.with_extension("txt");
        if renew {
            std::fs::write(&expected, &found).expect("a writable file");
        }
        let expected = std::fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn every_fault_says_the_way_out() {
    for entry in std::fs::read_dir(folder()).expect("the folder of bad files") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|e| e != "puzzle") {
            continue;
        }
        let faults =
            parse("f", &std::fs::read(&path).expect("a readable file")).expect_err("a fault");
        for fault in faults.faults.into_iter().filter(|f| f.span.is_some()) {
            assert!(
                fault.help.is_some(),
                "{}: {}",
                path.display(),
                fault.message
            );
            assert!(!fault.message.ends_with('.'), "{}", fault.message);
            assert!(
                !fault.message.starts_with(char::is_uppercase),
                "{}",
                fault.message
            );
            assert!(ALL.iter().any(|(code, ..)| *code == fault.code));
        }
    }
}

#[test]
fn faults_that_hang_on_parameters_come_in_the_same_run() {
    let text = include_bytes!("faults/all-in-one-run.rules");
    let faults = parse("f", text).expect_err("faults");
    let found: Vec<String> = faults
        .faults
        .iter()
        .map(|f| {
            let place = f.span.expect("a place").start;
            format!("{} {}", line_column(&faults.text, place).0, f.code.as_str())
        })
        .collect();
    let expected = [
        "7 E09", "9 E04", "11 E06", "12 E06", "13 E08", "14 E04", "16 E06",
    ];
    assert_eq!(found, expected);
}

/// What is said of bytes that are no plain text: `line:column CODE message`, joined by `; `.
fn said(bytes: &[u8]) -> String {
    let Err(faults) = parse("f", bytes) else {
        return "good".to_owned();
    };
    let shown: Vec<String> = faults
        .faults
        .iter()
        .map(|f| {
            let (code, message) = (f.code.as_str(), &f.message);
            match f.span {
                Some(span) => {
                    let (line, column) = line_column(&faults.text, span.start);
                    format!("{line}:{column} {code} {message}")
                }
                None => format!("{code} {message}"),
            }
        })
        .collect();
    shown.join("; ")
}

#[test]
fn bytes() {
    let good =
        "puzzle \"T\"\npiece F \"f\"\nboard line\nstart F .\ngoal . F\nmove a: F .\n  -> . F\n";
    let with = |from: &str, to: &[u8]| {
        let at = good.find(from).expect("a place");
        [
            &good.as_bytes()[..at],
            to,
            &good.as_bytes()[at + from.len()..],
        ]
        .concat()
    };
    let check = |bytes: &[u8], expected: &str| assert_eq!(said(bytes), expected);
    check(good.as_bytes(), "good");
    check(
        &with("\"f\"", b"\"wei\xDF\""),
        "2:13 E01 the byte 0xDF is not UTF-8",
    );
    check(
        &with("F .\n  ", b"F\xFF . \xFE\n  "),
        "6:10 E01 the byte 0xFF is not UTF-8",
    );
    check(
        &with("F .\n  ", "F \u{FFFD} .\n  ".as_bytes()),
        "6:11 E01 the replacement character U+FFFD: the text was damaged",
    );
    check(&with("  ->", b"\t->"), "7:1 E15 a tab means nothing here");
    check(
        &with("start F .", b"start\tF\t."),
        "4:6 E15 a tab means nothing here",
    );
    check(
        &with("move a:", b"move\ta:"),
        "6:5 E15 a tab means nothing here",
    );
    check(&with("F .\n  ", b"F . // \t fine \xE2\x80\x9C\n  "), "good");
    check(
        &with("\"T\"", b"\"T\tU\""),
        "1:10 E15 a tab in a quoted text",
    );
    check(
        &with("start F", b"start F\0"),
        "4:8 E15 the character U+0000 means nothing here",
    );
    check(
        &with("start F .\n", b"start F .\r"),
        "1:1 E16 the file has no `goal`; 4:10 E15 a carriage return without a line feed means nothing here",
    );
    check(
        &with("start F", "start\u{3000}F".as_bytes()),
        "4:6 E15 a full-width space (U+3000) means nothing here",
    );
    check(b"\xFF\xFEp\0u\0", "E01 the file is UTF-16 text, not UTF-8");
    check(&[b"\xEF\xBB\xBF", good.as_bytes()].concat(), "good");
    check(good.replace('\n', "\r\n").as_bytes(), "good");
}
