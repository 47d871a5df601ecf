//! `--memory` is a promise: the most that is resident in a child process stays below it.

mod support;

use serde_json::Value;

use support::run;

/// Of the budgets, in MiB, the first must not suffice and the last must. The program reads its own
/// `VmHWM`, the most that was resident, when it has done.
///
/// A stopped run knows fewer states than there are; only the engine `layers` may stop in its second
/// pass, when it has found them all.
fn check(arguments: &str, budgets: &[u64], states: u64) {
    let most_stopped = states - u64::from(!arguments.contains("--engine layers"));
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
            assert!(
                object["states"].as_u64().is_some_and(|n| n <= most_stopped),
                "{line}"
            );
            assert!(ran.err.contains("would do for every state"), "{}", ran.err);
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
