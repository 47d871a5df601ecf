//! One space, several engines, the same bytes; and each keeps within its memory.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use support::{run, run_in};

/// The files of a report folder, without the measured keys.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(here) = folders.pop() {
        for entry in fs::read_dir(here).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).expect("text");
            let name = path.strip_prefix(folder).expect("inside");
            // Behind the measured keys nothing of `run.json` may differ.
            let text = if name.ends_with("run.json") {
                without_measured(&text)
            } else {
                text
            };
            found.push((name.display().to_string(), text));
        }
    }
    found.sort_unstable();
    found
}

fn without_measured(text: &str) -> String {
    let mut object: serde_json::Value = serde_json::from_str(text).expect("JSON");
    strip(&mut object);
    object.to_string()
}

fn strip(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(keys) => {
            keys.remove("measured");
            keys.values_mut().for_each(strip);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

#[test]
fn reports_are_equal_to_the_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    for (i, puzzle) in [
        "frogs-and-toads -p n=1..5",
        "frogs-and-toads -p n=3 -p k=2 -p way=both",
        "frogs-and-toads-both-ways -p n=4",
        "guarini",
        "knights-exchange -p rows=4 -p cols=3",
        "coins -p room=6",
        "fore-and-aft -p n=1",
        "hanoi3 -p n=3",
    ]
    .iter()
    .enumerate()
    {
        let mut reports = Vec::new();
        for (engine, threads) in [("auto", 2), ("hash", 1), ("stream", 1), ("stream", 2)] {
            let place = format!("{i}-{engine}-{threads}");
            let line = format!("explore {puzzle} --engine {engine} --threads {threads} -o {place}");
            let ran = run_in(folder.path(), &line);
            if engine == "stream" && ran.code == Some(2) {
                assert!(ran.err.contains("cannot run"), "{ran:?}");
                continue;
            }
            let ran = ran.code(0);
            let table: Vec<&str> = ran.out.lines().collect();
            reports.push((line, table.join("\n"), files(&folder.path().join(&place))));
        }
        assert!(reports.len() >= 2, "{puzzle}");
        for (line, table, files) in &reports[1..] {
            assert_eq!(table, &reports[0].1, "{line}");
            assert_eq!(files, &reports[0].2, "{line}");
        }
    }
}

#[test]
fn solutions_are_equal() {
    for puzzle in [
        "frogs-and-toads -p n=4",
        "frogs-and-toads-both-ways -p n=3",
        "guarini",
        "coins",
        "knights-exchange -p rows=4 -p cols=3",
    ] {
        for all in ["", " --all --limit 7"] {
            let packed = run(&format!("solve {puzzle}{all} --engine hash")).code(0);
            let streamed = run(&format!("solve {puzzle}{all} --engine stream")).code(0);
            assert_eq!(packed.out, streamed.out, "{puzzle}{all}");
        }
    }
    for line in [
        "solve frogs-and-toads -p n=4 --max-depth 10",
        "solve coins -p room=2",
    ] {
        let packed = run(&format!("{line} --engine hash"));
        let streamed = run(&format!("{line} --engine stream"));
        assert_eq!(
            (packed.code, packed.out),
            (streamed.code, streamed.out),
            "{line}"
        );
    }
}

/// Streams use symmetries where depths alone are asked: of odd and even rows, rows whose ends differ
/// (no symmetry), boards without a lone piece.
#[test]
fn depths_up_to_symmetry_are_those_of_the_whole_space() {
    let folder = tempfile::tempdir().expect("a folder");
    for (i, (puzzle, folds)) in [
        ("frogs-and-toads-both-ways -p n=1..5", true),
        ("frogs-and-toads-both-ways -p n=3 -p m=4", false),
        ("frogs-and-toads-both-ways -p n=3 -p k=2", false),
        ("frogs-and-toads-both-ways -p n=4 --max-depth 7", true),
        ("knights-exchange -p rows=4 -p cols=3", false),
    ]
    .iter()
    .enumerate()
    {
        let mut reports = Vec::new();
        for (engine, symmetry, threads) in [
            ("hash", "off", 2),
            ("stream", "off", 2),
            ("stream", "auto", 1),
            ("stream", "on", 2),
        ] {
            let place = format!("{i}-{engine}-{symmetry}");
            let line = format!(
                "explore {puzzle} --only depths --engine {engine} --symmetry {symmetry} \
                 --threads {threads} -v -o {place}"
            );
            let ran = run_in(folder.path(), &line);
            let expected = if line.contains("--max-depth") { 3 } else { 0 };
            assert_eq!(ran.code, Some(expected), "{ran:?}");
            let folded = ran.err.contains("sets are kept up to");
            assert_eq!(
                folded,
                *folds && symmetry != "off" && engine == "stream",
                "{line}"
            );
            reports.push(files(&folder.path().join(place)));
        }
        assert!(
            reports.iter().all(|report| *report == reports[0]),
            "{puzzle}"
        );
    }
    // States without a move are not told up to symmetry: such goals are of the whole space.
    let stuck = "puzzle \"Ring\"\npiece A \"a\"\nboard ring\nstart A . A\ngoal stuck\n\
                 move m: . A -> A . along both\n";
    for engine in ["hash", "stream"] {
        let line = format!("explore - --only depths --json --engine {engine}");
        let ran = support::run_on(&line, stuck).code(0);
        assert_eq!(ran.json()[0]["goals"], 0, "{ran:?}");
    }
    let all = "explore guarini --engine stream --symmetry on";
    let refused = run_in(folder.path(), all).code(2);
    assert!(refused.err.contains("--only depths"), "{refused:?}");
}

/// Where there is no table of all states, the number of a state on a solution is not known: none is
/// told, not another one.
#[test]
fn numbers_that_are_not_known_are_not_told() {
    let last_id = |engine: &str, n: u32| {
        let line = format!("solve frogs-and-toads-both-ways --json --engine {engine} -p n={n}");
        let solution = run(&line).code(0).json().remove(0);
        let steps = solution["steps"].as_array().expect("steps");
        steps[steps.len() - 1]["id"].as_u64()
    };
    assert!(last_id("hash", 3).is_some());
    assert_eq!(last_id("stream", 3), last_id("hash", 3));
    assert_eq!(last_id("stream", 11), None);
}

#[test]
fn engines_that_cannot_run_say_why() {
    run("explore chips --engine stream")
        .code(2)
        .warns("no ranks")
        .warns("--engine hash");
    run("explore peg-rectangle -p rows=3 -p cols=4 --engine stream")
        .code(2)
        .warns("does not keep");
}

#[test]
fn engines_without_states_do_not_deny_solutions() {
    for line in [
        "solve frogs-and-toads --engine layers",
        "why frogs-and-toads FF.FTTT --engine layers",
    ] {
        run(line).code(2).warns("keeps none");
    }
    run("explore guarini --engine layers --symmetry on")
        .code(2)
        .warns("packed states");
    let unsolvable = "puzzle \"X\"\npiece A \"a\"\npiece B \"b\"\nboard line\nstart A B .\ngoal B A .\nmove m: A . -> . A along both\nmove n: B . -> . B along both\n";
    for engine in ["hash", "stream"] {
        let ran = support::run_on(&format!("solve - --all --engine {engine}"), unsolvable);
        let ran = ran.code(1);
        assert!(!ran.err.contains("not known"), "{ran}");
    }
}

/// The most memory that was resident in a child, as it says itself.
fn peak(line: &str) -> (i32, u64, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_impasse"))
        .args(line.split_whitespace())
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    let out = String::from_utf8(output.stdout).expect("text");
    let err = String::from_utf8(output.stderr).expect("text");
    let peak = out.lines().last().map_or(0, |line| {
        let object: serde_json::Value = serde_json::from_str(line).expect("JSON");
        object["peak_memory_bytes"].as_u64().unwrap_or(0)
    });
    (output.status.code().expect("no signal"), peak, err)
}

#[test]
fn streams_keep_within_their_memory() {
    for (puzzle, all) in [
        ("frogs-and-toads-both-ways -p n=11 --only depths", 40 << 20),
        ("frogs-and-toads -p n=7 -p k=3 --only verdicts", 40 << 20),
        ("knights-exchange -p rows=4 -p cols=4", 60 << 20),
    ] {
        let line = |memory: u64| {
            format!("explore {puzzle} --engine stream --json --threads 2 --memory {memory}")
        };
        let (code, peak_bytes, _) = peak(&line(all));
        assert_eq!(code, 0, "{puzzle}");
        assert!(peak_bytes <= all, "{puzzle}: {peak_bytes} of {all}");
        // Too little: said before anything is begun, with the least that works.
        let (code, _, err) = peak(&line(4 << 20));
        assert_eq!(code, 3, "{puzzle}: {err}");
        let named = err.split("--memory ").nth(1).expect("the least is named");
        let least: String = named.chars().take_while(char::is_ascii_digit).collect();
        let least: u64 = least.parse().expect("a number");
        let (code, peak_bytes, err) = peak(&line(least));
        assert_eq!(code, 0, "{puzzle} with {least}: {err}");
        assert!(peak_bytes <= least, "{puzzle}: {peak_bytes} of {least}");
    }
}
