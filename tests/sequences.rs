//! Sequences: against b-files, over two parameters, and what cannot be asked of them.

mod support;

use std::fs;

use support::{run, run_in};
use tempfile::TempDir;

const SEQ: &str = "seq frogs-and-toads --of dead_ends -p n=1..9";

/// A folder with a b-file of the first dead ends of one-way frogs (`data/golden/frogs.csv`).
fn folder(change: impl FnOnce(&str) -> String) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let golden = "# dead ends\n1 0\n2 4\n3 13\n4 38\n5 99\n6 238\n7 541\n";
    fs::write(folder.path().join("b.txt"), change(golden)).expect("written");
    folder
}

#[test]
fn a_b_file_that_agrees() {
    let folder = folder(str::to_owned);
    run_in(folder.path(), &format!("{SEQ} --compare b.txt"))
        .code(0)
        .says("dead_ends: n = 1..7 agree with b.txt\n")
        .warns("b.txt ends at n = 7; terms after it were not compared");
    let line = "seq frogs-and-toads --of dead_ends -p n=3..9 --format bfile -o c.txt";
    run_in(folder.path(), line).code(0);
    let ran = run_in(folder.path(), &format!("{SEQ} --compare c.txt --json")).code(0);
    assert_eq!(ran.json()[0]["agrees"], true);
    assert_eq!(ran.json()[0]["from"], 3);
    let ran = ran.warns("c.txt begins at n = 3");
    assert_eq!(ran.json()[0]["first_difference"], serde_json::Value::Null);
}

#[test]
fn the_first_term_that_differs_is_named() {
    let folder = folder(|text| text.replace("4 38", "4 39").replace("6 238", "6 1"));
    let ran = run_in(folder.path(), &format!("{SEQ} --compare b.txt"))
        .code(1)
        .says("dead_ends: n = 4 gives 38, but b.txt, line 5, has 39\n");
    assert_eq!(ran.out.lines().count(), 1, "{ran}");
    let ran = run_in(folder.path(), &format!("{SEQ} --compare b.txt --json")).code(1);
    let first = &ran.json()[0]["first_difference"];
    assert_eq!(
        first.to_string(),
        r#"{"n":4,"line":5,"found":38,"expected":39}"#
    );
}

#[test]
fn another_numbering_is_noticed() {
    let folder = folder(|_| "0 0\n1 4\n2 13\n3 38\n4 99\n".to_owned());
    run_in(folder.path(), &format!("{SEQ} --compare b.txt"))
        .code(1)
        .says("n = 1 gives 0, but b.txt, line 2, has 4")
        .warns("all terms agree if the file's n is this one's -1");
}

#[test]
fn damaged_b_files() {
    let check = |change: fn(&str) -> String, message: &str| {
        let folder = folder(change);
        let ran = run_in(folder.path(), &format!("{SEQ} --compare b.txt")).calm();
        assert_eq!(ran.out, "", "{ran}");
        ran.code(4).warns(&format!("error: b.txt, {message}"));
    };
    check(
        |text| text.replace("4 38\n", ""),
        "line 5: n is 5, expected 4",
    );
    check(
        |text| text.trim_end().to_owned(),
        "line 8: it does not end with a newline",
    );
    check(
        |text| text.replace("38", "3,8"),
        "line 5: `3,8` is no integer",
    );
    check(|text| text.replace("4 38", "4"), "line 5: it has 1 words");
    check(
        |text| text.replace("38", "３８"),
        "line 5: column 3 holds the byte 0xef",
    );
    check(|_| String::new(), "line 1: the file ends without a term");
    let folder = tempfile::tempdir().expect("a folder");
    run_in(folder.path(), &format!("{SEQ} --compare b.txt"))
        .code(4)
        .warns("error: cannot read `b.txt`: no such file or directory");
    run_in(folder.path(), &format!("{SEQ} --compare .")).code(4);
}

#[test]
fn ranges_that_do_not_meet() {
    let folder = folder(str::to_owned);
    run_in(
        folder.path(),
        "seq frogs-and-toads --of dead_ends -p n=8..9 --compare b.txt",
    )
    .code(2)
    .warns("nothing to compare: the sequence has n = 8..9, `b.txt` has n = 1..7");
}

#[test]
fn tables_and_triangles_in_one_line() {
    let states = "seq frogs-and-toads --of states -p n=1..3 -p m=1..3";
    run(&format!("{states} --format bfile"))
        .code(0)
        .says("1 6\n2 11\n3 11\n4 17\n5 23\n6 17\n");
    run(&format!("{states} --format bfile --triangle"))
        .code(0)
        .says("1 6\n2 11\n3 23\n4 17\n5 40\n6 72\n");
    let ran = run(&format!("{states} --triangle --json")).code(0);
    assert_eq!(ran.json().len(), 6, "{ran}");
    assert_eq!(
        ran.json()[4].to_string(),
        r#"{"schema":"impasse.term/1","n":3,"m":2,"states":40}"#
    );
}

#[test]
fn a_term_that_is_not_known_leaves_a_hole() {
    let states = "seq frogs-and-toads --of live -p n=1..3 -p m=1..3 --max-states 60";
    run(states).code(3).says("3  14  22   -\n");
    run(&format!("{states} --triangle --format bfile"))
        .code(3)
        .says("1 6\n2 10\n3 16\n4 14\n5 22\n")
        .warns("the sequence ends before n=3,m=3");
}

#[test]
fn what_holds_only_in_a_window_is_not_published() {
    let line = "seq coins -p room=4..5 --of states";
    run(line)
        .code(0)
        .warns("states holds only within the window");
    let ran = run(&format!("{line} --format bfile")).code(0);
    assert_eq!(ran.out, "");
    ran.warns("states holds only within the window; the sequence ends before it");
}

#[test]
fn what_cannot_be_asked() {
    let check = |line: &str, message: &str| {
        run(&format!("seq frogs-and-toads --of states {line}"))
            .calm()
            .code(2)
            .warns(message);
    };
    check(
        "-p n=1..3 --triangle",
        "a triangle runs over two parameters",
    );
    check(
        "-p n=1..3 -p m=1..3 --guess",
        "--guess looks at one parameter",
    );
    check(
        "-p n=1..2 -p m=1..2 -p k=1..2",
        "one or two parameters, not 3",
    );
    check(
        "-p n=1..3 --guess --format csv",
        "has no place for a formula",
    );
    check("-p n=1..3 --guess --compare b.txt", "cannot be used with");
    check("", "a sequence needs a range of a parameter");
}

#[test]
fn the_command_that_checks_a_guess_holds() {
    let ran = run("seq frogs-and-toads --of dead_ends -p n=1..12 -p k=1 --guess").code(0);
    let check = ran
        .out
        .lines()
        .find_map(|line| line.strip_prefix("check: impasse "));
    let (line, formula) = check
        .and_then(|line| line.split_once(" --formula "))
        .expect("a command");
    assert_eq!(
        line,
        "verify frogs-and-toads -p n=2..12 -p k=1 --of dead_ends"
    );
    let formula = formula.trim_matches('\'');
    assert_eq!(formula, "6*2^n - 2*fib(n+4) - n^2");
    let line = format!("{line} --formula {}", formula.replace(' ', ""));
    run(&line).code(0);
}
