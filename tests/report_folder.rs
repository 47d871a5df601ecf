//! The report folder: what is in it, that it appears whole or not at all, that bytes are equal.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use support::{Ran, impasse, run_in};

/// All files below a folder, with their text; the measured keys of `run.json` are taken out.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path
                .strip_prefix(folder)
                .expect("inside")
                .to_string_lossy()
                .into_owned();
            let mut text = fs::read_to_string(&path).expect("text");
            if name == "run.json" {
                let mut run: serde_json::Value = serde_json::from_str(&text).expect("JSON");
                assert!(
                    run.as_object_mut()
                        .expect("an object")
                        .remove("measured")
                        .is_some()
                );
                text = run.to_string();
            }
            all.insert(name, text);
        }
    }
    all
}

fn row(text: &str, number: usize) -> &str {
    text.lines().nth(number).expect("a row")
}

#[test]
fn files_of_the_main_job() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    run_in(path, "explore frogs-and-toads -p n=1..7 -o target/report").code(0);
    let files = files(&path.join("target/report"));
    for n in 1..=7 {
        for name in ["states", "transitions", "dead-ends", "blocking-moves"] {
            assert!(
                files.contains_key(&format!("n={n}/{name}.csv")),
                "n={n}/{name}.csv"
            );
        }
    }
    assert!(files.contains_key("n=3/graph.dot"));
    assert!(
        !files.contains_key("n=7/graph.dot"),
        "2388 states are no picture"
    );
    assert_eq!(row(&files["summary.csv"], 3).split(',').nth(5), Some("72"));
    assert!(row(&files["depths.csv"], 0).contains("depth,states,live,doomed,dead_ends,goals"));
    let states = &files["n=3/states.csv"];
    assert_eq!(
        row(states, 0),
        "id,state,depth,remoteness,verdict,out_degree,best_successor"
    );
    assert_eq!(row(states, 1), "0,FFF.TTT,0,15,live,2,1");
    assert_eq!(states.lines().count(), 73);
    assert_eq!(
        row(&files["n=3/transitions.csv"], 0),
        "from,to,move,blocking"
    );
    assert_eq!(files["n=3/transitions.csv"].lines().count(), 83);
}

#[test]
fn folders_are_named_by_what_was_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    run_in(path, "explore frogs-and-toads -p m=1..2 -p n=1 -o a").code(0);
    assert!(path.join("a/n=1,m=1").is_dir() && path.join("a/n=1,m=2").is_dir());
    run_in(path, "explore frogs-and-toads -o b").code(0);
    assert!(path.join("b/default").is_dir());
}

#[test]
fn a_report_is_replaced_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    run_in(path, "explore frogs-and-toads -p n=1..3 -o r").code(0);
    run_in(path, "explore frogs-and-toads -p n=1 -o r").code(0);
    assert!(path.join("r/n=1").is_dir() && !path.join("r/n=2").exists());
    fs::remove_file(path.join("r/run.json")).expect("a file");
    run_in(path, "explore frogs-and-toads -p n=2 -o r")
        .code(4)
        .calm();
    assert!(path.join("r/n=1").is_dir() && !path.join("r/n=2").exists());
    fs::write(path.join("r/run.json"), "{\"name\": \"mine\"}").expect("a file");
    run_in(path, "explore frogs-and-toads -p n=2 -o r")
        .code(4)
        .calm();
    fs::write(path.join("file"), "mine").expect("a file");
    run_in(path, "explore frogs-and-toads -p n=2 -o file")
        .code(4)
        .calm();
    assert_eq!(fs::read_to_string(path.join("file")).expect("kept"), "mine");
    assert_eq!(
        fs::read_dir(path).expect("a folder").count(),
        2,
        "nothing half-written"
    );
}

#[test]
fn threads_change_no_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let line = "explore fore-and-aft -p n=2 --threads";
    let all: Vec<_> = [1, 2, 8]
        .iter()
        .map(|threads| {
            run_in(path, &format!("{line} {threads} -o t{threads}")).code(0);
            files(&path.join(format!("t{threads}")))
        })
        .collect();
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0], all[2]);
}

#[test]
fn what_is_left_out_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    run_in(path, "explore frogs-and-toads -p n=3 --max-rows 71 -o a")
        .code(0)
        .warns("--max-rows 72");
    assert!(!path.join("a/n=3/states.csv").exists());
    run_in(path, "explore frogs-and-toads -p n=3 --max-rows 72 -o a").code(0);
    assert!(path.join("a/n=3/states.csv").exists());
    run_in(path, "explore frogs-and-toads -p n=3 --only depths -o b")
        .code(0)
        .warns("--only depths");
    run_in(path, "explore frogs-and-toads -p n=3 --max-depth 4 -o c")
        .code(3)
        .warns("--max-depth");
    assert!(path.join("c/summary.csv").exists());
}

#[test]
fn a_report_is_checked_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    run_in(path, "explore frogs-and-toads -p n=1..3 -o r").code(0);
    run_in(path, "check-table r").code(0).says("all right");
    let states = path.join("r/n=3/states.csv");
    let text = fs::read_to_string(&states).expect("text");
    fs::write(&states, text.replacen(",15,live", ",14,live", 1)).expect("a file");
    let ran = run_in(path, "check-table r").calm();
    assert!(matches!(ran.code, Some(1 | 4)), "{ran}");
    fs::write(&states, &text[..text.len() / 2]).expect("a file");
    run_in(path, "check-table r").code(4).calm();
}

#[test]
fn drawings_of_starts_and_positions() {
    let start = |start: &str| {
        let arguments = [
            "explore",
            "frogs-and-toads",
            "-p",
            "n=2",
            "--start",
            start,
            "--json",
        ];
        Ran::of(&arguments.join(" "), impasse().args(arguments))
            .code(0)
            .json()[0]
            .clone()
    };
    assert_eq!(start("FF.TT")["states"], 23);
    assert_eq!(start("TT.FF")["shortest"], 0);
    let ran = run_in(
        Path::new("."),
        "solve frogs-and-toads -p n=2 --from FTFT. --json",
    )
    .code(0);
    assert_eq!(ran.json()[0]["length"], 5);
    let ran = run_in(Path::new("."), "solve coins --ascii").code(0);
    assert_eq!(
        ran.out
            .lines()
            .filter(|line| line.contains("A B A B A"))
            .count(),
        1,
        "{ran}"
    );
    let coins = run_in(Path::new("."), "solve coins --json").code(0);
    assert_eq!(coins.json()[0]["length"], 5);
}

/// Small cases of the shipped puzzles: every kind of board, step, stretch and count.
#[test]
fn reports_of_every_kind_of_board_are_checked_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let check = |line: &str| {
        run_in(path, &format!("explore {line} -o r -q")).code(0);
        let ran = run_in(path, "check-table r").code(0).calm();
        assert!(ran.out.ends_with("all right\n"), "{line}: {ran}");
        assert!(ran.out.contains(" transition"), "{line}: {ran}");
    };
    check("bergman");
    check("coins");
    check("coins-little-room");
    check("coins-any-pair -p n=2");
    check("cycle-of-five");
    check("die-hard-jugs");
    check("frogs-and-toads-both-ways -p n=1..3");
    check("frogs-square");
    check("guarini");
    check("guarini-graph");
    check("hanoi3 -p n=1..4");
    check("pancakes -p n=4");
    check("peg-rectangle -p rows=3 -p cols=4");
    check("peg-triangle");
    check("sokoban");
    check("tait -p n=3");
    check("tiles -p rows=2 -p cols=2..3");
    check("topspin -p n=6");
    check("topspin-ring -p n=6");
    check("zeckendorf");
}

#[test]
fn states_that_are_not_listed_are_found_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    run_in(path, "explore frogs-and-toads -p n=1..4 --max-rows 30 -o r").code(0);
    run_in(path, "check-table r")
        .code(0)
        .says("n=2: 23 states and 26 transitions are right\n")
        .says("n=4: totals are right; the states are not listed, so all 195 states were found again\n");
    let summary = path.join("r/summary.csv");
    let text = fs::read_to_string(&summary).expect("text");
    fs::write(&summary, text.replacen(",109,", ",110,", 1)).expect("a file");
    let ran = run_in(path, "check-table r --json").code(1);
    let object = &ran.json()[0];
    let cell = ["row", "column", "found", "expected"].map(|key| object[key].to_string());
    assert_eq!(cell, ["4", "\"doomed\"", "\"110\"", "\"109\""], "{ran}");

    run_in(path, "explore frogs-and-toads -p n=3..4 --only depths -o d").code(0);
    let ran = run_in(path, "check-table d --json").code(0);
    assert_eq!(ran.json()[0]["values"][1]["states"], 195, "{ran}");
    let depths = path.join("d/depths.csv");
    let text = fs::read_to_string(&depths).expect("text");
    fs::write(&depths, text.replacen(",forward,0,1,", ",forward,0,2,", 1)).expect("a file");
    run_in(path, "check-table d")
        .code(1)
        .says("states is 2, expected 1");

    run_in(path, "explore frogs-and-toads -p n=4 --max-depth 5 -o s").code(3);
    run_in(path, "check-table s")
        .code(0)
        .says("totals agree with each other");
}
