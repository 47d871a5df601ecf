//! `cargo xtask bench`: speed and memory of the program as a user runs it, beside the limits of the
//! machine and other programs measured in the same run.
//!
//! Rates are states a CPU second, of whole processes; where programs are built first, the time of
//! that is told apart. No rate is printed for a run whose count is wrong.

mod child;
mod goal;
mod machine;
mod peers;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::product;
use child::Measured;
use goal::{Want, told};
use peers::Search;

/// Runs every case of the product `runs` times and prints medians; `full` adds the largest spaces.
pub(crate) fn run(root: &Path, runs: usize, full: bool) -> Result<()> {
    ensure!(runs > 0, "a case must run at least once");
    let bench = Bench {
        program: product::build(root, "impasse")?,
        peers: peers::build(root)?,
        by_hand: product::build_example(root, "impasse-graph", "by_hand")?,
        root: root.to_owned(),
        runs,
    };
    machine::print(root);
    let (order, random) = peers::probe(&bench.peers)?;
    println!(
        "limits, one thread: {:.1} GB/s in order, {:.1} M random bits tested and set a second",
        order / 1e9,
        random / 1e6
    );
    bench.streaming(random)?;
    bench.knights()?;
    bench.packed()?;
    bench.by_hand()?;
    bench.analysis()?;
    bench.small()?;
    if full {
        bench.large()?;
    } else {
        println!("left out: n = 15 and 16, knights 5x5, the slower peers; --full measures them");
    }
    Ok(())
}

struct Bench {
    program: PathBuf,
    peers: PathBuf,
    by_hand: PathBuf,
    root: PathBuf,
    runs: usize,
}

/// A measured run of the product.
#[derive(Clone, Copy)]
struct Ours {
    states: u64,
    layers: u64,
    wall: f64,
    /// CPU seconds without the building of programs.
    cpu: f64,
    build: f64,
    bytes: u64,
}

impl Ours {
    fn rate(&self) -> f64 {
        self.states as f64 / self.cpu.max(1e-3)
    }

    fn bits(&self) -> f64 {
        8.0 * self.bytes as f64 / self.states as f64
    }
}

/// (2n + 1) * binomial(2n, n): two-way frogs reach every arrangement.
fn two_way(n: u64) -> u64 {
    (1..=n).fold(2 * n + 1, |product, k| product * (n + k) / k)
}

impl Bench {
    /// Runs `impasse explore` with these arguments some times; medians. `key=count` fixes figures.
    fn explore(&self, arguments: &str, runs: usize, expected: &[(&str, u64)]) -> Result<Ours> {
        let mut words: Vec<&str> = vec!["explore"];
        words.extend(arguments.split(' '));
        words.extend(["--json", "-v"]);
        let mut all: Vec<(Measured, f64, Value)> = Vec::new();
        for _ in 0..runs {
            let (mut measured, printed) = child::measure(&self.program, &words)?;
            let last = printed.output.lines().last();
            let last = last.context("the program printed nothing")?;
            let object: Value = serde_json::from_str(last).context("the last line is not JSON")?;
            for &(key, value) in expected {
                let found = &object[key];
                ensure!(
                    found.as_u64() == Some(value),
                    "{arguments}: {key} is {found}, expected {value}; no rate is printed for a wrong count"
                );
            }
            let own = object["peak_memory_bytes"].as_u64().unwrap_or(0);
            measured.peak_bytes = measured.peak_bytes.max(own);
            all.push((measured, build_seconds(&printed.errors), object));
        }
        let build = middle(
            all.iter()
                .map(|(_, build, _)| Duration::from_secs_f64(*build)),
        );
        let cpu = middle(all.iter().map(|(m, ..)| m.cpu)).saturating_sub(build);
        let last = &all[all.len() - 1].2;
        let ours = Ours {
            states: last["states"].as_u64().context("no count")?,
            layers: last["max_depth"].as_u64().map_or(0, |depth| depth + 1),
            wall: middle(all.iter().map(|(m, ..)| m.wall)).as_secs_f64(),
            cpu: cpu.as_secs_f64(),
            build: build.as_secs_f64(),
            bytes: middle(all.iter().map(|(m, ..)| m.peak_bytes)),
        };
        println!(
            "\n{arguments}\n  {} states in {} layers, {:.3} s wall, {:.2} s CPU, {:.3} s building, {:.1} MB peak\n  {:.2} M states a CPU second, {:.2} bytes ({:.2} bits) a state",
            ours.states,
            ours.layers,
            ours.wall,
            ours.cpu,
            ours.build,
            ours.bytes as f64 / 1e6,
            ours.rate() / 1e6,
            ours.bits() / 8.0,
            ours.bits(),
        );
        Ok(ours)
    }

    /// Runs a peer and checks its count.
    fn peer(&self, arguments: &str, states: u64) -> Result<Search> {
        let words: Vec<&str> = arguments.split(' ').collect();
        let search = peers::run(&self.peers, &words)?;
        ensure!(
            search.states == states,
            "peer {arguments}: {} states, expected {states}",
            search.states
        );
        tell_peer(arguments, &search);
        Ok(search)
    }

    /// Two-way frogs by sets of ranks, against everything.
    fn streaming(&self, random_bits: f64) -> Result<()> {
        let frogs = |n: u64, threads: usize| {
            format!(
                "frogs-and-toads-both-ways -p n={n} --engine stream --only depths --threads {threads}"
            )
        };
        let n12 = self.explore(&frogs(12, 1), self.runs, &[("states", two_way(12))])?;
        let fx = self.peer("fx frogs 12", two_way(12))?;
        told(
            "against the packed FxHash search, n = 12",
            n12.rate() / fx.rate(),
            Want::least(60.0, 150.0),
        );
        told(
            "its memory",
            fx.bytes as f64 / n12.bytes as f64,
            Want::none(),
        );
        // The peers know nothing of symmetries: what is left without them is told too.
        let plain = format!("{} --symmetry off", frogs(12, 1));
        let plain = self.explore(&plain, self.runs, &[("states", two_way(12))])?;
        told(
            "against the packed FxHash search, n = 12, without symmetry",
            plain.rate() / fx.rate(),
            Want::least(60.0, 150.0),
        );
        let stateright = self.peer("stateright frogs 10", two_way(10))?;
        told(
            "against stateright, n = 10",
            n12.rate() / stateright.rate(),
            Want::least(250.0, 500.0),
        );
        for (name, found) in [
            ("rumur", peers::rumur(&self.root, 9)?),
            ("spin", peers::spin(&self.root, 9)?),
        ] {
            let Some(found) = found else {
                println!("  {name} or a C compiler is not installed: left out");
                continue;
            };
            ensure!(
                found.states.abs_diff(two_way(9)) < 100,
                "{name}: {} states, expected {}",
                found.states,
                two_way(9)
            );
            tell_peer(&format!("{name} frogs 9"), &found);
            let want = if name == "rumur" {
                Want::least(200.0, 500.0)
            } else {
                Want::none()
            };
            told(
                &format!("against {name}, n = 9"),
                n12.rate() / found.rate(),
                want,
            );
        }
        let n14 = self.explore(&frogs(14, 1), 1, &[("states", two_way(14))])?;
        told("bits a state, n = 14", n14.bits(), Want::most(2.6, 1.3));
        let plain = format!("{} --symmetry off", frogs(14, 1));
        let plain = self.explore(&plain, 1, &[("states", two_way(14))])?;
        told(
            "bits a state, n = 14, without symmetry",
            plain.bits(),
            Want::most(2.6, 1.3),
        );
        // Each state has 3.7 successors, and each would be one random access.
        let limit = random_bits / 3.76;
        told(
            "against the random-access limit",
            n14.rate() / limit,
            Want::least(5.0, 10.0),
        );
        told(
            "against the random-access limit, without symmetry",
            plain.rate() / limit,
            Want::least(5.0, 10.0),
        );
        let two = self.explore(&frogs(14, 2), 1, &[("states", two_way(14))])?;
        told(
            "two threads against one, wall",
            n14.wall / two.wall,
            Want::least(1.7, 1.9),
        );
        let tiles = "tiles -p rows=3 -p cols=4 --engine stream --only depths --threads 1";
        let tiles = self.explore(tiles, 1, &[("states", 239_500_800), ("max_depth", 53)])?;
        told(
            "build time of tiles 4x3, seconds",
            tiles.build,
            Want::most(5.0, 2.0),
        );
        Ok(())
    }

    fn knights(&self) -> Result<()> {
        let states = 46_558_512;
        let knights =
            "knights-exchange -p rows=4 -p cols=5 --engine stream --only depths --threads 1";
        let ours = self.explore(knights, self.runs, &[("states", states)])?;
        let fx = self.peer("fx knights 4 5 5", states)?;
        told(
            "against the packed FxHash search",
            ours.rate() / fx.rate(),
            Want::least(100.0, 250.0),
        );
        Ok(())
    }

    /// The engine for every puzzle, `hash`.
    fn packed(&self) -> Result<()> {
        let n10 = "frogs-and-toads-both-ways -p n=10 --engine hash --only depths --threads 1";
        let ours = self.explore(n10, self.runs, &[("states", two_way(10))])?;
        let stateright = self.peer("stateright frogs 10", two_way(10))?;
        told(
            "against stateright, n = 10",
            ours.rate() / stateright.rate(),
            Want::least(12.0, 30.0),
        );
        told("bytes a state", ours.bits() / 8.0, Want::most(10.0, 8.0));
        let map = self.peer("map frogs 10", two_way(10))?;
        told(
            "against HashMap<Vec<u8>, u32>",
            ours.rate() / map.rate(),
            Want::none(),
        );
        Ok(())
    }

    /// Rule files against the same rules written by hand in Rust, in one process.
    fn by_hand(&self) -> Result<()> {
        let (_, printed) = child::measure(&self.by_hand, &[])?;
        println!();
        for line in printed.output.lines() {
            let (name, ratio) = by_hand_ratio(line).with_context(|| format!("`{line}`"))?;
            println!("{line}");
            told(
                &format!("a rule file against rules by hand, {name}"),
                ratio,
                Want::least(0.9, 1.0),
            );
        }
        Ok(())
    }

    /// Full analysis, without the number of shortest solutions, against plain enumeration.
    fn analysis(&self) -> Result<()> {
        for (engine, puzzle, states) in [
            ("hash", "frogs-and-toads-both-ways -p n=10", two_way(10)),
            ("stream", "frogs-and-toads -p n=8 -p k=3", 2_868_011),
            ("stream", "frogs-and-toads-both-ways -p n=12", two_way(12)),
        ] {
            // Verdicts are of the whole space, so what they are compared with is too.
            let puzzle = format!("{puzzle} --symmetry off");
            let plain = format!("{puzzle} --engine {engine} --threads 1 --only depths");
            let plain = self.explore(&plain, self.runs, &[("states", states)])?;
            let all = format!("{puzzle} --engine {engine} --threads 1 --only verdicts");
            let all = self.explore(&all, self.runs, &[("states", states)])?;
            let ratio = all.cpu / plain.cpu.max(1e-3);
            told(
                &format!("full analysis against plain, {engine}"),
                ratio,
                Want::most(4.0, 2.0),
            );
        }
        Ok(())
    }

    fn small(&self) -> Result<()> {
        let expected = [
            ("states", one_way_states(14)),
            ("blocking_moves", 2 * (14 * 14 - 1)),
        ];
        let ours = self.explore("frogs-and-toads -p n=1..14", self.runs, &expected)?;
        told(
            "one-way frogs n = 1..14, seconds",
            ours.wall,
            Want::most(1.0, 0.3),
        );
        let expected = [("states", 280), ("shortest", 16)];
        let ours = self.explore("guarini", 7 * self.runs, &expected)?;
        told(
            "guarini, milliseconds",
            1e3 * ours.wall,
            Want::most(30.0, 10.0),
        );
        Ok(())
    }

    /// The largest spaces and the slowest peers.
    fn large(&self) -> Result<()> {
        let knights = "knights-exchange -p rows=5 -p cols=5 --engine stream --only depths";
        let ours = self.explore(knights, 1, &[("states", 823_727_520)])?;
        told(
            "bits a state, knights 5x5",
            ours.bits(),
            Want::most(3.2, 2.5),
        );
        let frogs = |n| format!("frogs-and-toads-both-ways -p n={n} --engine stream --only depths");
        let n15 = self.explore(&frogs(15), 1, &[("states", two_way(15))])?;
        told("bits a state, n = 15", n15.bits(), Want::most(2.6, 1.3));
        let n16 = self.explore(&frogs(16), 1, &[("states", two_way(16))])?;
        told(
            "gigabytes, n = 16",
            n16.bytes as f64 / 1e9,
            Want::most(6.5, 3.3),
        );
        told(
            "minutes, n = 16",
            n16.wall / 60.0,
            Want::most(f64::INFINITY, 10.0),
        );
        let stateright = self.peer("stateright frogs 11", two_way(11))?;
        told(
            "against stateright, n = 11",
            n15.rate() / stateright.rate(),
            Want::least(250.0, 500.0),
        );
        if let Some(rumur) = peers::rumur(&self.root, 11)? {
            tell_peer("rumur frogs 11", &rumur);
            told(
                "against rumur, n = 11",
                n15.rate() / rumur.rate(),
                Want::least(200.0, 500.0),
            );
        }
        Ok(())
    }
}

fn tell_peer(name: &str, search: &Search) {
    println!(
        "  peer {name}: {} states, {:.2} s wall, {:.2} s CPU, {:.3} M states a CPU second, {:.1} bytes a state",
        search.states,
        search.wall,
        search.cpu,
        search.rate() / 1e6,
        search.bytes as f64 / search.states as f64,
    );
}

/// The seconds in a line `... programs built (0.031 s)`.
fn build_seconds(errors: &str) -> f64 {
    let line = errors.lines().find(|line| line.contains("programs built"));
    line.and_then(|line| line.rsplit_once('('))
        .and_then(|(_, behind)| behind.split(' ').next())
        .and_then(|word| word.parse().ok())
        .unwrap_or(0.0)
}

/// The puzzle and the ratio of a line `frogs, 10 a side: 42 states; ..., ratio 0.95`.
fn by_hand_ratio(line: &str) -> Option<(&str, f64)> {
    let (name, behind) = line.split_once(": ")?;
    let ratio = behind.rsplit_once("ratio ")?.1.parse().ok()?;
    Some((name, ratio))
}

/// 24 * 2^n - 6 fib(n + 4) - 2 n^2 - 7 n - 3.
fn one_way_states(n: u32) -> u64 {
    let n64 = u64::from(n);
    24 * (1 << n) - 6 * fibonacci(n + 4) - 2 * n64 * n64 - 7 * n64 - 3
}

fn fibonacci(k: u32) -> u64 {
    (0..k).fold((0, 1), |(a, b), _| (b, a + b)).0
}

fn middle<T: Ord + Copy>(values: impl Iterator<Item = T>) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values[values.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::{build_seconds, by_hand_ratio, fibonacci, middle, one_way_states, two_way};

    #[test]
    fn closed_forms() {
        let states: Vec<u64> = (1..=7).map(one_way_states).collect();
        assert_eq!(states, [6, 23, 72, 195, 476, 1089, 2388]);
        assert_eq!(fibonacci(10), 55);
        assert_eq!(two_way(3), 140);
        assert_eq!(two_way(12), 67_603_900);
        assert_eq!(two_way(16), 19_835_652_870);
    }

    #[test]
    fn the_ratio_of_a_race() {
        let line = "frogs, 10 a side: 42 states; by hand 9.77 M/s, rule file 9.30 M/s, ratio 0.95";
        assert_eq!(by_hand_ratio(line), Some(("frogs, 10 a side", 0.95)));
        assert_eq!(by_hand_ratio("frogs: the layers differ"), None);
    }

    #[test]
    fn the_middle_of_three() {
        assert_eq!(middle([3, 1, 2].into_iter()), 2);
    }

    #[test]
    fn the_time_of_building() {
        let errors = "frogs n=3: layer 0: 1 states\nfrogs n=3: 12 programs built (0.031 s)\n";
        assert!((build_seconds(errors) - 0.031).abs() < 1e-9);
        assert!(build_seconds("nothing").abs() < 1e-9);
    }
}
