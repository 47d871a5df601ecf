//! Bad input never panics, never hangs, leaves nothing half-written.

mod support;

use std::fs;

use support::{FROGS, Ran, impasse, run_in, run_on};

const COMMANDS: [&str; 5] = ["check", "show", "explore", "solve", "verify"];

/// Every command refuses the bytes in the same way.
fn check(rules: impl AsRef<[u8]>, words: &[&str]) {
    for command in COMMANDS {
        let ran = run_on(&format!("{command} -"), rules.as_ref())
            .code(2)
            .calm();
        assert_eq!(ran.out, "", "{ran}");
        for word in words {
            assert!(ran.err.contains(word), "no `{word}` in {ran}");
        }
    }
}

#[test]
fn a_file_that_is_no_rule_file() {
    check("", &["error[E16]", "standard input"]);
    check("\n\n   \n", &["error["]);
    check(b"puzzle \"\xff\xfe\"\n", &["error[E01]"]);
    check([0u8; 5000], &["error["]);
    check("<html><body>404</body></html>\n", &["error["]);
}

#[test]
fn windows_and_counts_that_cannot_be() {
    let row = |board: &str| {
        format!(
            "puzzle \"T\"\npiece A \"a\"\nboard {board}\nstart A\ngoal A A\nmove s: A . -> . A\n"
        )
    };
    check(row("line endless, spare -1"), &["error[E22]", "3:27"]);
    check(row("line endless, spare 10^12"), &["error[E14]", "3:27"]);
    check(row("line endless, span 0"), &["error["]);
    check(row("line endless, spare 10^10^10"), &["error["]);
    let counts = |board: &str, moves: &str| {
        format!("puzzle \"T\"\nboard {board}\nstart 1 0\ngoal 5 5\n{moves}")
    };
    check(
        counts("line of counts", "move s: _ -> +1\n"),
        &["error[E20]", "cap"],
    );
    check(
        counts(
            "line of counts",
            "move a: 1.. _ -> -1 +2\nmove b: _ 1.. -> +2 -1\n",
        ),
        &["error[E20]"],
    );
}

#[test]
fn a_board_too_wide_for_any_word() {
    let rules = "puzzle \"T\"\npiece A \"a\"\nboard line\nstart A .^1024\ngoal .^1024 A\nmove s: A . -> . A\n";
    run_on("explore -", rules)
        .code(2)
        .calm()
        .warns("error[E14]")
        .warns("3:1")
        .warns("1024");
}

/// Laying that would take minutes is given up within seconds.
#[test]
fn several_stretches_on_a_long_row() {
    let rules = "puzzle \"T\"\npiece A \"a\"\npiece B \"b\"\nboard line\nstart A B . A^297\ngoal stuck\nmove far: A ... B ... . ... A -> B ... A ... . ... A\n";
    let began = std::time::Instant::now();
    run_on("explore -", rules)
        .code(2)
        .calm()
        .warns("error[E14]")
        .warns("takes too long")
        .warns("placements were found");
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

#[test]
fn more_items_than_a_file_may_have() {
    let claims: Vec<String> = (0..20_001).map(|i| format!("claim n = {i}\n")).collect();
    let rules = [FROGS, &claims.concat()].concat();
    check(rules, &["error[E14]", "20000 items"]);
}

#[test]
fn ten_megabytes_of_noise() {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let noise: Vec<u8> = (0..10 << 20).map(|_| next() as u8).collect();
    let signs = b"puzle mov.-> start\nFT()^";
    let letters: Vec<u8> = noise
        .iter()
        .map(|&b| signs[b as usize % signs.len()])
        .collect();
    check_once(&noise);
    check_once(&letters);
    check_once(&vec![b'('; 10 << 20]);
    check_once(format!("{FROGS}move x: {}\n", "F ".repeat(5 << 20)).as_bytes());
}

fn check_once(rules: &[u8]) {
    let ran = run_on("check -", rules).code(2).calm();
    assert!(ran.err.len() < 200_000, "{} bytes of errors", ran.err.len());
}

#[test]
fn faults_have_file_line_column_caret_and_code() {
    let rules = FROGS.replace("start F^n . T^n", "start F^n . Q^n");
    check(&rules, &["error[E04]", "standard input:6:13", "`Q`", "^"]);
}

#[test]
fn all_faults_of_a_file_at_once() {
    let rules = FROGS
        .replace("start F^n", "start Q^n")
        .replace("move step", "mvoe step");
    let ran = run_on("check -", &rules).code(2);
    assert!(ran.err.matches("error[").count() >= 2, "{ran}");
}

#[test]
fn signs_that_look_like_others() {
    check(
        FROGS
            .replace("F .   ->", "F ．  ->")
            .replace("F . ->", "F ． ->"),
        &["error[E15]"],
    );
    check(FROGS.replace("-> . F", "-＞ . F"), &["error[E15]"]);
    check(FROGS.replace("\"Frogs\"", "“Frogs”"), &["error[E15]"]);
}

#[test]
fn sizes_beyond_all_bounds() {
    check(
        FROGS.replace("F^n . T^n", "F^1000000000 . T^n"),
        &["error["],
    );
    check(FROGS.replace("F^n . T^n", "F^(10^18) . T^n"), &["error["]);
    check(
        FROGS.replace("F^n . T^n", "(F^9999 T^9999)^9999 . T^n"),
        &["error["],
    );
    check(
        FROGS.replace("goal T^n . F^n", "goal T^n . F^(n+1)"),
        &["error[E11]"],
    );
    check(
        FROGS.replace("start F^n", "start F^(n-5)"),
        &["error[E09]", "n"],
    );
    let million = format!("start {}\n", "F".repeat(1_000_000));
    check(FROGS.replace("start F^n . T^n\n", &million), &["error"]);
}

#[test]
fn parameters_and_positions() {
    let long = "F".repeat(1_000_000);
    for arguments in [
        vec!["explore", "-", "-p", "n=10"],
        vec!["explore", "-", "-p", "n=-1"],
        vec!["explore", "-", "-p", "n=99999999999999999999"],
        vec!["explore", "-", "-p", "n="],
        vec!["explore", "-", "-p", "n=2 3"],
        vec!["explore", "-", "--start", ""],
        vec!["explore", "-", "--start", "F^9"],
        vec!["explore", "-", "--start", "QQ"],
        vec!["explore", "-", "--start", "FFFFFF．TT"],
        vec!["show", "-", "F"],
        vec!["show", "-", ""],
        vec!["why", "-", "FF.TTT"],
        vec!["solve", "-", "--from", "@@@"],
    ] {
        let line = arguments.join(" ");
        Ran::of(&line, impasse().args(&arguments).write_stdin(FROGS))
            .code(2)
            .calm();
    }
    // A word of a megabyte is more than a command line of Linux holds; a tenth is not.
    let arguments = ["show", "-", &long[..100_000]];
    Ran::of(
        "show - FFF...",
        impasse().args(arguments).write_stdin(FROGS),
    )
    .code(2)
    .calm();
}

#[test]
fn files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    fs::write(path.join("empty.puzzle"), "").expect("a file");
    fs::write(path.join("frogs.puzzle"), FROGS).expect("a file");
    run_in(path, "explore empty.puzzle -o report")
        .code(2)
        .warns("empty.puzzle")
        .calm();
    run_in(path, "explore frgs.puzzle")
        .code(2)
        .warns("did you mean `frogs.puzzle`?")
        .calm();
    run_in(path, "explore frogs.puzzle/x").code(2).calm();
    run_in(path, "explore frogs.puzzle -p n=99 -o report")
        .code(2)
        .calm();
    assert!(!path.join("report").exists());
    assert_eq!(fs::read_dir(path).expect("a folder").count(), 2);
}
