//! Data on standard output, the rest on standard error; colours, closed pipes, Ctrl-C.

mod support;

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use support::{FROGS, Ran, impasse, run, run_in, run_on};

fn raw() -> Command {
    Command::new(env!("CARGO_BIN_EXE_impasse"))
}

/// Reads one line and goes away.
fn close_early(arguments: &[&str]) {
    let mut child = raw()
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    out.read_line(&mut line).expect("a line");
    drop(out);
    let mut err = String::new();
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut err)
        .expect("text");
    let status = child.wait().expect("an end");
    assert_eq!(
        (status.code(), err.as_str()),
        (Some(0), ""),
        "{arguments:?}"
    );
}

#[test]
fn a_closed_pipe_ends_quietly() {
    close_early(&["export", "frogs-and-toads", "-p", "n=6", "--format", "csv"]);
    close_early(&["explore", "frogs-and-toads", "-p", "n=1..6", "--json"]);
    close_early(&["solve", "guarini", "--all"]);
    close_early(&["list"]);
    close_early(&["completions", "bash"]);
    close_early(&["man"]);
}

#[test]
fn colours_only_where_they_are_wanted() {
    let wrong = FROGS.replace("start F^n", "start Q^n");
    let check = |arguments: &[&str], no_color: bool, coloured: bool| {
        let mut command = impasse();
        if no_color {
            command.env("NO_COLOR", "1");
        }
        let ran = Ran::of(
            &arguments.join(" "),
            command.args(arguments).write_stdin(&*wrong),
        );
        assert_eq!(ran.err.contains('\u{1b}'), coloured, "{ran}");
        assert!(!ran.out.contains('\u{1b}'), "{ran}");
    };
    check(&["check", "-"], false, false);
    check(&["check", "-"], true, false);
    check(&["check", "-", "--color", "never"], false, false);
    check(&["check", "-", "--color", "always"], false, true);
    check(&["check", "-", "--color", "always"], true, true);
}

#[test]
fn quiet_keeps_results_and_errors() {
    let ran = run("explore peg-solitaire --max-depth 3 --quiet --json").code(3);
    assert_eq!(ran.err, "");
    assert_eq!(ran.json().len(), 1);
    run("explore nothing-here --quiet").code(2).warns("error:");
}

#[test]
fn verbose_tells_the_layers() {
    run("explore guarini --verbose").code(0).warns("layer 3");
}

#[test]
fn no_progress_bar_in_a_pipe() {
    assert_eq!(run("explore frogs-and-toads -p n=8").code(0).err, "");
}

#[test]
fn ascii_draws_letters() {
    let unicode = run("solve frogs-and-toads -p n=1").code(0);
    let ascii = run("solve frogs-and-toads -p n=1 --ascii").code(0);
    assert!(
        unicode.out.contains('○') && !unicode.out.is_ascii(),
        "{unicode}"
    );
    assert!(ascii.out.is_ascii(), "{ascii}");
}

#[test]
fn json_has_one_object_a_value() {
    let rows = run("explore frogs-and-toads -p n=1..7 --json")
        .code(0)
        .json();
    let states: Vec<_> = rows
        .iter()
        .map(|row| row["states"].as_u64().expect("a number"))
        .collect();
    assert_eq!(states, [6, 23, 72, 195, 476, 1089, 2388]);
    let keys: Vec<_> = rows[2]
        .as_object()
        .expect("an object")
        .keys()
        .take(8)
        .cloned()
        .collect();
    let expected = [
        "schema",
        "puzzle",
        "params",
        "scope",
        "states",
        "transitions",
        "starts",
        "goals",
    ];
    assert_eq!(keys, expected);
    assert_eq!(rows[2]["shortest_solutions"], "2");
    assert!(rows[2]["peak_memory_bytes"].is_u64() || rows[2]["peak_memory_bytes"].is_null());
}

#[test]
fn plain_enumeration_tells_the_layers() {
    let ran = run("explore peg-solitaire --max-depth 9 --only depths --json").code(3);
    let layers = [1, 4, 12, 60, 296, 1338, 5648, 21842, 77559, 249_690];
    assert_eq!(ran.json()[0]["layers"], serde_json::json!(layers));
}

#[test]
fn tables_have_four_forms() {
    let line = "explore frogs-and-toads -p n=1..3 --format";
    run(&format!("{line} text"))
        .code(0)
        .says("states")
        .says("72");
    run(&format!("{line} md"))
        .code(0)
        .says("|  n |")
        .says("|     72 |");
    let csv = run(&format!("{line} csv")).code(0);
    let mut reader = csv::Reader::from_reader(csv.out.as_bytes());
    assert_eq!(reader.headers().expect("a head").get(0), Some("n"));
    assert_eq!(reader.records().count(), 3);
    assert_eq!(run(&format!("{line} json")).code(0).json().len(), 3);
}

#[test]
fn puzzles_come_from_files_names_and_standard_input() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("mine.puzzle"), FROGS).expect("a file");
    let file = run_in(folder.path(), "explore mine.puzzle --json")
        .code(0)
        .json();
    assert_eq!(file[0]["puzzle"], "mine");
    let input = run_on("explore - --json", FROGS).code(0).json();
    assert_eq!(input[0]["states"], file[0]["states"]);
    // A folder does not hide a shipped puzzle of the same name.
    std::fs::create_dir(folder.path().join("guarini")).expect("a folder");
    run_in(folder.path(), "explore guarini").code(0).says("280");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_a_word_of_what_is_sure() {
    let mut child = raw()
        .args([
            "explore",
            "frogs-and-toads-both-ways",
            "-p",
            "n=14",
            "--threads",
            "1",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(std::time::Duration::from_millis(700));
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill").success());
    let status = child.wait().expect("an end");
    let mut err = String::new();
    child
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut err)
        .expect("text");
    assert_eq!(status.code(), Some(130), "{err}");
    assert!(err.contains("interrupted after depth"), "{err}");
}
