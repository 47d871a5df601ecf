//! `--memory` is a promise: the most that is resident in a child process stays below it.

mod support;

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Map, Value};

use support::{run, words};

/// Of the budgets, in MiB, the first must not suffice and the last must. The program reads its own
/// `VmHWM`, the most that was resident, when it has done.
///
/// A stopped run knows fewer states than there are. Only two may stop behind the search, when they
/// have found all: the engine `layers` in its second pass, whoever chose it, and `hash` where it
/// collects the predecessors of a counted board (`counted`).
fn check(arguments: &str, budgets: &[u64], states: u64) {
    check_board(false, arguments, budgets, states);
}

fn check_board(counted: bool, arguments: &str, budgets: &[u64], states: u64) {
    let mut codes = Vec::new();
    for &budget in budgets {
        let line = format!("explore {arguments} --json --memory {budget}M");
        let ran = run(&line);
        let object: Value = ran.json().remove(0);
        let Some(peak) = object["peak_memory_bytes"].as_u64() else {
            println!("this system does not tell what is resident");
            return;
        };
        assert!(
            peak <= budget << 20,
            "{line}: {} KiB were resident",
            peak >> 10
        );
        if ran.code == Some(0) {
            assert_eq!(object["states"], states, "{line}");
            assert_eq!(object["scope"], "exact", "{line}");
        } else {
            assert_eq!(ran.code, Some(3), "{line}: {}", ran.err);
            assert_eq!(object["scope"], "stopped", "{line}");
            let late = counted || object["engine"] == "layers";
            let most = states - u64::from(!late);
            assert!(
                object["states"].as_u64().is_some_and(|n| n <= most),
                "{line}: {object}"
            );
            assert!(ran.err.contains("the next step needs about"), "{}", ran.err);
            assert!(
                ran.err.contains("would do for every state") || ran.err.contains("no near bound"),
                "{}",
                ran.err
            );
        }
        codes.push(ran.code);
    }
    assert_eq!(
        (codes[0], codes[codes.len() - 1]),
        (Some(3), Some(0)),
        "{arguments}"
    );
    let falls = codes.is_sorted_by(|a, b| a >= b);
    assert!(falls, "{arguments}: more memory never does less: {codes:?}");
}

#[test]
fn full_analysis_of_an_undirected_space() {
    let puzzle = "frogs-and-toads-both-ways -p n=9 --engine hash --threads 2";
    check(puzzle, &[16, 24, 32, 48, 64, 256], 923_780);
}

#[test]
fn full_analysis_of_a_graded_space() {
    let puzzle = "frogs-and-toads -p n=15 --engine hash";
    check(puzzle, &[16, 24, 32, 48, 64, 256], 760_788);
}

#[test]
fn plain_enumeration_of_a_directed_space() {
    let puzzle = "frogs-and-toads -p n=16 -p over=any --engine hash --only depths";
    check(puzzle, &[14, 20, 32, 256], 1_531_647);
}

#[test]
fn layers_of_a_graded_space() {
    let puzzle = "frogs-and-toads -p n=16 --engine layers";
    check(puzzle, &[12, 16, 24, 32, 256], 1_531_647);
}

#[test]
fn layers_of_an_undirected_space() {
    let puzzle = "frogs-and-toads-both-ways -p n=9 --engine layers --threads 2";
    check(puzzle, &[12, 16, 24, 32, 256], 923_780);
}

/// Counted boards whose moves cannot be taken back: predecessors are collected behind the search.
#[test]
fn full_analysis_of_a_counted_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("jugs.puzzle");
    let text = "puzzle \"Three jugs\"\nparam a = 60 in 1..255\nboard line of counts, cap 255\n\
                start 0 0 0\ngoal contains 60\nmove fill: x:_ _ _ -> +(a-x) _ _\n\
                move up: x:_ _ _ -> +1 _ _ where x < a\nmove up: _ x:_ _ -> _ +1 _ where x < a\n\
                move up: _ _ x:_ -> _ _ +1 where x < a\nmove pour: x:_ y:_ _ -> -min(x,a-y) +min(x,a-y) _\n";
    std::fs::write(&file, text).expect("written");
    let puzzle = file.to_str().expect("a path in UTF-8");
    check_board(true, puzzle, &[12, 16, 24, 32, 64, 256], 61 * 61 * 61);
}

/// The summary without the measured keys, and the engine.
fn figures(line: &str) -> (Map<String, Value>, String) {
    let ran = run(line).code(0);
    let mut object = ran.json().remove(0);
    let keys = object.as_object_mut().expect("an object");
    let engine = keys["engine"].as_str().expect("a name").to_owned();
    for key in ["engine", "threads", "peak_memory_bytes", "elapsed_seconds"] {
        keys.remove(key);
    }
    (keys.clone(), engine)
}

/// Where packed states do not fit, a few layers tell the same, below the budget.
#[test]
fn auto_goes_over_to_layers() {
    let graded = "frogs-and-toads -p n=16";
    let undirected = "frogs-and-toads-both-ways -p n=9";
    for (puzzle, budget) in [(graded, "32M"), (undirected, "24M")] {
        let line = format!("explore {puzzle} --json --threads 2 --symmetry off");
        let (expected, _) = figures(&line);
        run(&format!("{line} --memory {budget} --engine hash")).code(3);
        let short = format!("{line} --memory {budget}");
        let (found, engine) = figures(&short);
        assert_eq!((found, engine.as_str()), (expected, "layers"), "{short}");
        run(&format!("{short} -v"))
            .code(0)
            .warns("engine layers, from the start");
    }
    let line = format!("explore {undirected} --symmetry off --memory");
    check(
        "frogs-and-toads -p n=15 --symmetry off",
        &[12, 22, 24, 64],
        760_788,
    );
    // A table of all states is no matter of layers.
    run(&line
        .replace("explore", "export")
        .replace(" --memory", " --memory 24M"))
    .code(3);
}

/// The size that a message names.
fn named(text: &str, before: &str) -> Option<String> {
    let line = text.lines().find(|line| line.contains(before))?;
    let rest = line.split("--memory ").nth(1)?;
    rest.split_whitespace().next().map(str::to_owned)
}

/// What a stopped run names as the need of its next step leads farther, and in the end to the end.
#[test]
fn named_needs_lead_on() {
    for (puzzle, engine) in [
        ("frogs-and-toads-both-ways -p n=9", "hash"),
        ("frogs-and-toads-both-ways -p n=9", "layers"),
        ("frogs-and-toads -p n=14", "hash"),
    ] {
        let mut budget = "14M".to_owned();
        let mut known = 0;
        let mut ended = false;
        for _ in 0..60 {
            let line = format!(
                "explore {puzzle} --engine {engine} --symmetry off --json --memory {budget}"
            );
            let ran = run(&line);
            if ran.code == Some(0) {
                ended = true;
                break;
            }
            let states = ran.json()[0]["states"].as_u64().expect("a number");
            assert!(states >= known, "{line}: {states} states, {known} before");
            known = states;
            budget = named(&ran.err, "the next step needs about").expect("a size");
            if let Some(sure) = named(&ran.err, "would do for every state") {
                let by = ran.err.split("state there can be, with ").nth(1);
                let by = by.and_then(|text| text.lines().next()).expect("an engine");
                run(&format!("explore {puzzle} {by} --json --memory {sure}")).code(0);
            }
        }
        assert!(ended, "{puzzle} {engine}: {budget} does not do");
    }
}

/// The most that was resident in a child, in bytes; `None` where the system does not tell. It is read
/// again and again until the child has ended.
fn peak(child: &mut Child) -> Option<u64> {
    let status = format!("/proc/{}/status", child.id());
    let mut most = None;
    while child.try_wait().expect("a child").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        most = kilobytes.map(|kilobytes: u64| kilobytes << 10).max(most);
        std::thread::sleep(Duration::from_millis(1));
    }
    most
}

/// Six million states of which no table is kept: from too little memory on, what is named as needed leads
/// to an answer, and never is more resident than allowed.
fn answers_from_sets_within(line: &str, answer: &str) {
    let mut budget = 12 << 20;
    for attempt in 0.. {
        let line = format!("{line} --engine stream --threads 2 --memory {budget}");
        let mut child = Command::new(env!("CARGO_BIN_EXE_impasse"));
        let child = child.args(words(&line));
        let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.expect("the program starts");
        let peak = peak(&mut child);
        let code = child.wait().expect("an end").code();
        let (mut out, mut err) = (String::new(), String::new());
        let pipes = (child.stdout.take(), child.stderr.take());
        pipes
            .0
            .expect("a pipe")
            .read_to_string(&mut out)
            .expect("text");
        pipes
            .1
            .expect("a pipe")
            .read_to_string(&mut err)
            .expect("text");
        if let Some(peak) = peak {
            assert!(peak <= budget, "{line}: {} KiB were resident", peak >> 10);
        }
        if code == Some(0) {
            assert!(attempt > 0 && out.contains(answer), "{line}: {out}");
            return;
        }
        assert_eq!(code, Some(3), "{line}: {out}{err}");
        assert_eq!(out, "", "{line}");
        let needed = err.split("--memory ").nth(1).expect("a way out");
        let digits = needed.chars().take_while(char::is_ascii_digit);
        let needed: u64 = digits.collect::<String>().parse().expect("bytes");
        assert!(needed > budget && attempt < 4, "{line}: {err}");
        budget = needed;
    }
}

#[test]
fn lists_and_explanations_from_sets() {
    let many = "frogs-and-toads -p n=9 -p m=8 -p k=3";
    answers_from_sets_within(
        &format!("why {many} FFFFFFF.T.TFFTTTTTT. --json"),
        "\"verdict\":\"doomed\"",
    );
    answers_from_sets_within(
        &format!("stuck {many} --limit 3"),
        "what is lost can be played on for",
    );
}
