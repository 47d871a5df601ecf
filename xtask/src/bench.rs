//! `cargo xtask bench`: speed and memory of the program as a user runs it, and of a plain peer.
//!
//! No rate is printed for a run whose counts are wrong.

mod child;
mod machine;
pub(crate) mod peer;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::product;
use child::Measured;

/// Two-way frogs and toads, ten a side: 21 * binomial(20, 10).
const TWO_WAY_STATES: u64 = 3_879_876;
/// On one thread: two threads of one core disturb each other, and a CPU second is no longer one.
const TWO_WAY: &[&str] = &["frogs-and-toads-both-ways", "-p", "n=10", "--threads", "1"];

/// What the issue asks for.
const LEAST_RATE: f64 = 6e6;
const MOST_BYTES: f64 = 12.0;
const MOST_RATIO: f64 = 4.0;

/// Runs every case `runs` times and prints medians.
pub(crate) fn run(root: &Path, runs: usize) -> Result<()> {
    ensure!(runs > 0, "a case must run at least once");
    let program = product::build(root, "impasse")?;
    let tasks = product::build(root, "xtask")?;
    machine::print(root);
    let depths = depths_only(&program, runs)?;
    let full = full_analysis(&program, runs)?;
    verdict(
        "full analysis against --only depths, CPU time",
        full.cpu.as_secs_f64() / depths.cpu.as_secs_f64(),
        "times",
        |ratio| ratio <= MOST_RATIO,
        "at most 4",
    );
    one_way(&program, runs)?;
    start_up(&program, runs)?;
    against_peer(&tasks, runs, depths)
}

fn depths_only(program: &Path, runs: usize) -> Result<Measured> {
    let arguments = [&["explore"], TWO_WAY, &["--only", "depths", "--json"]].concat();
    let measured = median(program, &arguments, runs, &[("states", TWO_WAY_STATES)])?;
    report("two-way frogs n=10, --only depths", &measured);
    let states = TWO_WAY_STATES as f64;
    let rate = states / measured.cpu.as_secs_f64();
    verdict(
        "  states a CPU second",
        rate / 1e6,
        "M",
        |r| r * 1e6 >= LEAST_RATE,
        "at least 6 M",
    );
    let bytes = measured.peak_bytes as f64 / states;
    verdict(
        "  peak resident bytes a state",
        bytes,
        "",
        |b| b <= MOST_BYTES,
        "at most 12",
    );
    Ok(measured)
}

fn full_analysis(program: &Path, runs: usize) -> Result<Measured> {
    let arguments = [&["explore"], TWO_WAY, &["--json"]].concat();
    let expected = [
        ("states", TWO_WAY_STATES),
        ("shortest", 120),
        ("dead_ends", 0),
    ];
    let measured = median(program, &arguments, runs, &expected)?;
    report("two-way frogs n=10, full analysis", &measured);
    Ok(measured)
}

/// One-way frogs, n = 1..14: the closed form of the number of states must hold for the last one.
fn one_way(program: &Path, runs: usize) -> Result<()> {
    let arguments = ["explore", "frogs-and-toads", "-p", "n=1..14", "--json"];
    let expected = [
        ("states", one_way_states(14)),
        ("blocking_moves", 2 * (14 * 14 - 1)),
    ];
    let measured = median(program, &arguments, runs, &expected)?;
    report("one-way frogs n=1..14, all verdicts", &measured);
    verdict(
        "  wall time",
        measured.wall.as_secs_f64(),
        "s",
        |s| s < 1.0,
        "under 1 s",
    );
    Ok(())
}

/// 24 * 2^n - 6 fib(n + 4) - 2 n^2 - 7 n - 3.
fn one_way_states(n: u32) -> u64 {
    let n64 = u64::from(n);
    24 * (1 << n) - 6 * fibonacci(n + 4) - 2 * n64 * n64 - 7 * n64 - 3
}

fn fibonacci(k: u32) -> u64 {
    (0..k).fold((0, 1), |(a, b), _| (b, a + b)).0
}

fn start_up(program: &Path, runs: usize) -> Result<()> {
    let arguments = ["explore", "guarini", "--json"];
    // So short a run is measured more often.
    let measured = median(
        program,
        &arguments,
        runs * 7,
        &[("states", 280), ("shortest", 16)],
    )?;
    report("explore guarini", &measured);
    let wall = measured.wall.as_secs_f64() * 1e3;
    verdict("  wall time", wall, "ms", |ms| ms < 30.0, "under 30 ms");
    Ok(())
}

/// A plain hash-map search of the same space, in a process of its own.
fn against_peer(tasks: &Path, runs: usize, ours: Measured) -> Result<()> {
    let peer = median(tasks, &["peer", "10"], runs, &[("states", TWO_WAY_STATES)])?;
    report("the same space, plain HashMap<Vec<u8>, u32>", &peer);
    println!(
        "  ratio peer / ours: {:.1} in CPU time, {:.1} in memory",
        peer.cpu.as_secs_f64() / ours.cpu.as_secs_f64(),
        peer.peak_bytes as f64 / ours.peak_bytes as f64
    );
    Ok(())
}

/// Runs a case several times; each figure is the median of its own.
///
/// # Errors
/// If the program fails, or its last line of output has other figures than expected.
fn median(
    program: &Path,
    arguments: &[&str],
    runs: usize,
    expected: &[(&str, u64)],
) -> Result<Measured> {
    let mut all = Vec::with_capacity(runs);
    for _ in 0..runs {
        let (mut measured, output) = child::measure(program, arguments)?;
        let last = output
            .lines()
            .last()
            .context("the program printed nothing")?;
        let object: Value = serde_json::from_str(last).context("the last line is not JSON")?;
        for &(key, value) in expected {
            let found = &object[key];
            ensure!(
                found.as_u64() == Some(value),
                "{}: {key} is {found}, expected {value}; no rate is printed for a wrong count",
                arguments.join(" ")
            );
        }
        let own = object["peak_memory_bytes"].as_u64().unwrap_or(0);
        measured.peak_bytes = measured.peak_bytes.max(own);
        all.push(measured);
    }
    Ok(Measured {
        wall: middle(all.iter().map(|m| m.wall)),
        cpu: middle(all.iter().map(|m| m.cpu)).max(Duration::from_millis(1)),
        peak_bytes: middle(all.iter().map(|m| m.peak_bytes)),
    })
}

fn middle<T: Ord + Copy>(values: impl Iterator<Item = T>) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values[values.len() / 2]
}

fn report(case: &str, measured: &Measured) {
    println!(
        "{case}: {:.3} s wall, {:.2} s CPU, {:.1} MB peak",
        measured.wall.as_secs_f64(),
        measured.cpu.as_secs_f64(),
        measured.peak_bytes as f64 / 1e6
    );
}

fn verdict(what: &str, value: f64, unit: &str, holds: impl Fn(f64) -> bool, wanted: &str) {
    let mark = if holds(value) { "ok" } else { "MISSED" };
    let unit = if unit.is_empty() {
        String::new()
    } else {
        format!(" {unit}")
    };
    println!("{what}: {value:.2}{unit} ({wanted}: {mark})");
}

#[cfg(test)]
mod tests {
    use super::{fibonacci, middle, one_way_states};

    #[test]
    fn closed_form() {
        let states: Vec<u64> = (1..=7).map(one_way_states).collect();
        assert_eq!(states, [6, 23, 72, 195, 476, 1089, 2388]);
        assert_eq!(fibonacci(10), 55);
    }

    #[test]
    fn the_middle_of_three() {
        assert_eq!(middle([3, 1, 2].into_iter()), 2);
    }
}
