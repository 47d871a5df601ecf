//! Patterns on real spaces: positions as contents, and the golden tables of mined patterns.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use impasse_analysis::explore::{Options, explore};
use impasse_analysis::patterns::{Cover, Found, MineOptions, Mined, Notation, mine, survey};
use impasse_analysis::run::{Run, Table, Verdict};
use impasse_graph::observe::Silent;
use impasse_model::instance::{Instance, Position};

fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../data")
        .join(path)
}

/// A shipped puzzle for some parameters, and its run.
fn run(name: &str, params: &[(&str, &str)]) -> (Instance, Box<dyn Run>) {
    let path = data(&format!("puzzles/{name}.puzzle"));
    run_text(
        name,
        &std::fs::read_to_string(path).expect("a shipped file"),
        params,
    )
}

/// The same for a rule file in hand.
fn run_text(name: &str, text: &str, params: &[(&str, &str)]) -> (Instance, Box<dyn Run>) {
    let file = impasse_model::parse::parse(name, text.as_bytes())
        .unwrap_or_else(|faults| panic!("{name}: {:?}", faults.faults))
        .file;
    let given: Vec<(String, String)> = params
        .iter()
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
        .collect();
    let params = file.parameters(&given).expect("in range");
    let (instance, _) = file
        .instance(name, params, None)
        .unwrap_or_else(|faults| panic!("{name} {given:?}: {:?}", faults.faults));
    let run = explore(&instance, &Options::default(), &Silent).expect("it can be packed");
    (instance, run)
}

#[test]
fn positions_are_found_again() {
    for name in [
        "frogs-and-toads",
        "guarini",
        "coins",
        "die-hard-jugs",
        "chips",
    ] {
        let (instance, run) = run(name, &[]);
        let table = run.table().expect("a small space");
        let mut position = Position::new();
        for id in 0..table.state_count() {
            table.position(id, &mut position);
            assert_eq!(position.len(), instance.board.cells, "{name}");
            assert_eq!(table.find(&position), Some(id), "{name}");
            let drawn = instance.board.one_line(&instance.alphabet, &position);
            assert_eq!(drawn, table.one_line(id), "{name}");
        }
    }
}

#[test]
fn three_stretch_patterns_decide_frogs() {
    for n in 2..=6 {
        let (instance, run) = run("frogs-and-toads", &[("n", &n.to_string())]);
        let table = run.table().expect("a small space");
        let notation = Notation::of(&instance);
        let patterns = ["FTT_*.", "._*FFT", "FT.F_*T"].map(|p| notation.parse(p).expect("it fits"));
        let mut position = Position::new();
        for id in 0..table.state_count() {
            table.position(id, &mut position);
            let found = patterns.iter().any(|p| p.is_in(&instance.board, &position));
            let lost = table.verdict(id) != Verdict::Live;
            assert_eq!(found, lost, "n = {n}: {}", table.one_line(id));
        }
    }
}

/// The rows of a plain table without quotes.
fn rows(table: &str) -> Vec<BTreeMap<String, String>> {
    let path = data(&format!("golden/blocking/{table}.csv"));
    let text = std::fs::read_to_string(path).expect("a table");
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells.len(), head.len(), "{table}: {line}");
            let pairs = head.iter().zip(cells);
            pairs
                .map(|(k, v)| ((*k).to_owned(), v.to_owned()))
                .collect()
        })
        .collect()
}

fn mined(instance: &Instance, run: &dyn Run, options: &MineOptions) -> Mined {
    let table = run.table().expect("a small space");
    mine(instance, table, options, &Silent).expect("memory suffices")
}

#[test]
fn frogs_minimal_patterns() {
    let mut expected: BTreeMap<(String, String, String), Vec<[String; 5]>> = BTreeMap::new();
    for row in rows("frogs-minimal-patterns") {
        let key = ["n", "m", "k"].map(|key| row[key].clone());
        let cells = ["pattern", "span", "fixed", "support", "lost"].map(|key| row[key].clone());
        expected.entry(key.into()).or_default().push(cells);
    }
    assert_eq!(expected.values().map(Vec::len).sum::<usize>(), 1653);
    for ((n, m, k), mut expected) in expected {
        let (instance, run) = run("frogs-and-toads", &[("n", &n), ("m", &m), ("k", &k)]);
        let mined = mined(&instance, run.as_ref(), &MineOptions::default());
        let cells = mined.patterns.iter().map(|found| {
            let numbers = [found.pattern.span(), found.pattern.fixed()].map(|n| n.to_string());
            let [span, fixed] = numbers;
            let (support, lost) = (found.support.to_string(), mined.lost.len().to_string());
            [found.text.clone(), span, fixed, support, lost]
        });
        let mut got: Vec<[String; 5]> = cells.collect();
        got.sort();
        expected.sort();
        assert_eq!(got, expected, "n = {n}, m = {m}, k = {k}");
    }
}

/// The states in the order in which a plain queue finds them that tries moves in rule order: the order of
/// the golden table's examples. (Ours is by depth, then by board.)
fn as_discovered(table: &dyn Table) -> Vec<u32> {
    let mut order: Vec<u32> = (0..table.start_count()).collect();
    let mut seen: BTreeSet<u32> = order.iter().copied().collect();
    let mut transitions = Vec::new();
    let mut next = 0;
    while let Some(&id) = order.get(next) {
        next += 1;
        table.transitions(id, &mut transitions);
        transitions.sort_by_key(|t| t.by);
        order.extend(
            transitions
                .iter()
                .map(|t| t.to)
                .filter(|&to| seen.insert(to)),
        );
    }
    order
}

#[test]
fn frogs_pattern_coverage() {
    for row in rows("frogs-pattern-coverage") {
        let params = ["n", "m", "k"].map(|key| (key, row[key].as_str()));
        let (instance, run) = run("frogs-and-toads", &params);
        let options = MineOptions {
            window: Some(row["width"].parse().expect("a number")),
            ..MineOptions::default()
        };
        let mined = mined(&instance, run.as_ref(), &options);
        let cover = Cover::greedy(&mined.patterns, mined.lost.len());
        let wild = mined
            .patterns
            .iter()
            .filter(|found| found.text.contains('_'));
        let table = run.table().expect("a small space");
        let left = (0..mined.lost.len()).filter(|&place| !cover.covered.has(place));
        let left: BTreeSet<u32> = left.map(|place| mined.lost[place]).collect();
        let left = as_discovered(table)
            .into_iter()
            .filter(|id| left.contains(id));
        let left = left.map(|id| table.one_line(id));
        let got = [
            ("minimal_patterns", mined.patterns.len()),
            ("with_wildcard", wild.count()),
            ("greedy_cover", cover.chosen.len()),
            ("covered", cover.covered.count() as usize),
            ("lost", mined.lost.len()),
        ];
        for (key, got) in got {
            assert_eq!(got.to_string(), row[key], "{key} of {row:?}");
        }
        let left = left.take(3).collect::<Vec<_>>().join(" ");
        assert_eq!(left, row["uncovered_examples"], "{row:?}");
    }
}

/// The golden table counts the lost boards that hold each of three stretch patterns.
#[test]
fn frogs_stretch_patterns() {
    let mut compared = 0;
    for row in rows("frogs-stretch-patterns") {
        let params = ["n", "m"].map(|key| (key, row[key].as_str()));
        let (instance, run) = run("frogs-and-toads", &params);
        let table = run.table().expect("a small space");
        let names = ["FTT_*.", "._*FFT", "FT.F_*T"];
        let notation = Notation::of(&instance);
        let patterns = names.map(|name| notation.parse(name).ok());
        let (mut lost, mut counts, mut only) = (0, [0; 3], 0);
        let mut position = Position::new();
        for id in (0..table.state_count()).filter(|&id| table.verdict(id) != Verdict::Live) {
            table.position(id, &mut position);
            let holds = patterns.each_ref().map(|pattern| {
                let pattern = pattern.as_ref();
                pattern.is_some_and(|p| p.is_in(&instance.board, &position))
            });
            lost += 1;
            for (count, holds) in counts.iter_mut().zip(holds) {
                *count += usize::from(holds);
            }
            only += usize::from(holds == [false, false, true]);
        }
        assert_eq!(lost.to_string(), row["lost"], "{row:?}");
        for (name, count) in names.iter().zip(counts) {
            assert_eq!(count.to_string(), row[*name], "{name} of {row:?}");
        }
        assert_eq!(only.to_string(), row["only_third"], "{row:?}");
        compared += 1;
    }
    assert_eq!(compared, 49);
}

#[test]
fn three_mined_stretch_patterns_cover_frogs() {
    let mut all = Vec::new();
    for n in 2..=7 {
        let (instance, run) = run("frogs-and-toads", &[("n", &n.to_string())]);
        let mined = mined(&instance, run.as_ref(), &MineOptions::default());
        let cover = Cover::edges_last(&mined.stretches, mined.lost.len());
        let chosen = cover
            .chosen
            .iter()
            .map(|&(i, _)| mined.stretches[i].text.as_str());
        let chosen: Vec<&str> = chosen.collect();
        assert_eq!(chosen, ["._*FFT", "FTT_*.", "FT_F_*T"], "n = {n}");
        assert_eq!(cover.covered.count() as usize, mined.lost.len(), "n = {n}");
        all.push(mined);
    }
    let survey = survey(&all, None).expect("memory suffices").expect("rows");
    let sound: Vec<Found> = survey
        .stretches
        .iter()
        .filter(|one| one.is_sound())
        .map(|one| one.found.clone())
        .collect();
    let cover = Cover::edges_last(&sound, survey.lost);
    let chosen: Vec<&str> = cover
        .chosen
        .iter()
        .map(|&(i, _)| sound[i].text.as_str())
        .collect();
    assert_eq!(chosen, ["._*FFT", "FTT_*.", "FT_F_*T"]);
    assert_eq!(cover.covered.count() as usize, survey.lost);
}

/// blocking.md, section 1: which patterns stay from n to 10.
#[test]
fn frogs_patterns_that_stay() {
    let all: Vec<Mined> = (2..=10)
        .map(|n: u32| {
            let (instance, run) = run("frogs-and-toads", &[("n", &n.to_string())]);
            mined(&instance, run.as_ref(), &MineOptions::default())
        })
        .collect();
    let survey = survey(&all, None).expect("memory suffices").expect("rows");
    let from = |first: usize, span: usize| {
        let stays = survey.patterns.iter().filter(move |one| {
            one.minimal_from().is_some_and(|from| from <= first) && one.found.pattern.span() <= span
        });
        stays.map(|one| one.found.text.clone()).collect::<Vec<_>>()
    };
    let always: BTreeSet<String> = from(0, 8).into_iter().collect();
    let expected = ".FFT FFTT FTT. FTTF TFFT F_T_F T_F_T FT_FT F_T.| T_F.| T_FT| |.F_T |.T_F |FT_F";
    assert_eq!(always, expected.split(' ').map(str::to_owned).collect());
    assert_eq!(from(1, 7).len(), 109);
    assert_eq!(from(1, 4).len(), 17);
    // The list for span w is the same for every n from w on, and no other pattern is minimal at 10.
    for (span, count) in [(3, 4), (4, 29), (5, 81), (6, 176), (7, 322), (8, 539)] {
        assert_eq!(from(span - 2, span).len(), count, "span {span}");
        let at_10 = all[8]
            .patterns
            .iter()
            .filter(|found| found.pattern.span() <= span);
        assert_eq!(at_10.count(), count, "span {span}");
    }
}

#[test]
fn fore_and_aft_minimal_patterns() {
    let (instance, run) = run("fore-and-aft", &[]);
    let options = MineOptions {
        cells: Some(3),
        scattered: true,
        ..MineOptions::default()
    };
    let mined = mined(&instance, run.as_ref(), &options);
    let got: BTreeSet<[String; 4]> = mined
        .patterns
        .iter()
        .map(|found| {
            let numbers = [
                found.pattern.span() as u64,
                found.support,
                mined.lost.len() as u64,
            ];
            let [size, support, lost] = numbers.map(|n| n.to_string());
            [size, found.text.clone(), support, lost]
        })
        .collect();
    let expected: BTreeSet<[String; 4]> = rows("fore-and-aft-minimal-patterns")
        .iter()
        .map(|row| ["size", "pattern", "support", "lost"].map(|key| row[key].clone()))
        .collect();
    assert_eq!(expected.len(), 8);
    assert_eq!(got, expected);
    let cover = Cover::greedy(&mined.patterns, mined.lost.len());
    assert_eq!(cover.covered.count(), 39_662);
    let options = MineOptions {
        cells: Some(5),
        ..MineOptions::default()
    };
    let mined = self::mined(&instance, run.as_ref(), &options);
    let of = |size| {
        mined
            .patterns
            .iter()
            .filter(move |found| found.pattern.fixed() == size)
            .count()
    };
    assert_eq!([1, 2, 3, 4, 5].map(of), [0, 0, 8, 0, 100]);
}

/// Compares figures of blocking.md.
fn check(
    (instance, run): &(Instance, Box<dyn Run>),
    options: MineOptions,
    lost: usize,
    covered: u64,
) {
    let mined = mined(instance, run.as_ref(), &options);
    let cover = Cover::greedy(&mined.patterns, mined.lost.len());
    let got = (mined.lost.len(), cover.covered.count());
    assert_eq!(got, (lost, covered), "{} {options:?}", instance.name);
}

fn window(window: usize) -> MineOptions {
    MineOptions {
        window: Some(window),
        ..MineOptions::default()
    }
}

fn cells(cells: usize, scattered: bool) -> MineOptions {
    MineOptions {
        cells: Some(cells),
        scattered,
        ..MineOptions::default()
    }
}

#[test]
fn two_empty_cells_and_unequal_sides() {
    for (n, lost, at_4, at_8) in [("2", 9, 9, 9), ("3", 127, 113, 127), ("4", 911, 717, 910)] {
        let frogs = run("frogs-and-toads", &[("n", n), ("k", "2")]);
        check(&frogs, window(4), lost, at_4);
        check(&frogs, window(8), lost, at_8);
    }
    for (n, m) in [("3", "5"), ("5", "3"), ("4", "6"), ("2", "6")] {
        let frogs = run("frogs-and-toads", &[("n", n), ("m", m)]);
        let lost = frogs.1.summary().lost.expect("a whole run");
        check(&frogs, window(5), lost as usize, lost);
    }
}

/// A board full of pegs but for one, which may be missing anywhere.
fn pegs(board: &str, cells: usize) -> (Instance, Box<dyn Run>) {
    let start = |hole| format!("start P^{hole} . P^{}\n", cells - 1 - hole);
    let starts: String = (0..cells).map(start).collect();
    let along = if board == "line" {
        ""
    } else {
        " along orthogonal"
    };
    let back = if board == "line" {
        "move back: . P P -> P . .\n"
    } else {
        ""
    };
    let text = format!(
        "puzzle \"Pegs\"\npiece P \"peg\"\nboard {board}\n{starts}goal count P = 1\nmove jump: P P . -> . . P{along}\n{back}"
    );
    run_text("pegs", &text, &[])
}

#[test]
fn peg_solitaire_on_a_line() {
    for (length, lost, at_5, at_8) in [
        (8, 28, 28, 28),
        (10, 83, 72, 83),
        (12, 197, 154, 197),
        (14, 404, 298, 404),
    ] {
        let pegs = pegs("line", length);
        check(&pegs, window(5), lost, at_5);
        check(&pegs, window(8), lost, at_8);
    }
}

#[test]
fn sets_of_cells_on_small_grids() {
    let pegs = pegs("grid 4 by 4", 16);
    assert_eq!(pegs.1.summary().states, Some(19_838));
    check(&pegs, cells(3, true), 15_066, 0);
    check(&pegs, cells(4, true), 15_066, 8_460);
    check(&pegs, cells(5, true), 15_066, 9_456);
    let frogs = run("frogs-square", &[]);
    check(&frogs, cells(2, true), 237, 221);
    check(&frogs, cells(3, true), 237, 237);
    check(&frogs, cells(4, false), 237, 237);
}
