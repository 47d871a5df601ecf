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
