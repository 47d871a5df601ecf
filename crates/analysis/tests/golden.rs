//! The golden tables, row by row: every row of data/golden is run and compared with all figures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use impasse_analysis::explore::{Engine, Options, RunError, explore};
use impasse_analysis::run::Run;
use impasse_analysis::summary::Figure;
use impasse_graph::observe::{Limits, Silent};
use impasse_model::instance::Instance;

type Row = BTreeMap<String, String>;

fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../data")
        .join(path)
}

/// The rows of a plain table without quotes.
fn rows(table: &str) -> Vec<Row> {
    let text = std::fs::read_to_string(data(&format!("golden/{table}.csv"))).expect("a table");
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            assert_eq!(cells.len(), head.len(), "{table}: {line}");
            head.iter()
                .zip(cells)
                .map(|(k, v)| ((*k).to_owned(), v.to_owned()))
                .collect()
        })
        .collect()
}

fn run(text: &str, name: &str, params: &[(&str, &str)]) -> Box<dyn Run> {
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
    streamed_too(&instance, &*run);
    run
}

/// The same run by the streaming engine, where it can run, has the same figures and depths.
fn streamed_too(instance: &Instance, run: &dyn Run) {
    let options = |only_depths| Options {
        engine: Engine::Stream,
        only_depths,
        limits: Limits {
            // Up to some millions of arrangements.
            memory_bytes: Some(30 << 20),
            ..Limits::default()
        },
        ..Options::default()
    };
    let what = format!("{} {:?}", instance.name, instance.params);
    match explore(instance, &options(false), &Silent) {
        Ok(streamed) => {
            assert_eq!(streamed.engine(), "stream");
            assert_eq!(streamed.summary(), run.summary(), "{what}");
            assert_eq!(streamed.depths(), run.depths(), "{what}");
            let plain = explore(instance, &options(true), &Silent).expect("it streams");
            let packed = Options {
                engine: Engine::Hash,
                ..options(true)
            };
            let packed = explore(instance, &packed, &Silent).expect("it can be packed");
            assert_eq!(plain.summary(), packed.summary(), "{what}");
            assert_eq!(plain.depths(), packed.depths(), "{what}");
        }
        Err(RunError::NotStreamed(_) | RunError::Memory { .. }) => {}
        Err(error) => panic!("{what}: {error}"),
    }
}

fn shipped(name: &str) -> String {
    std::fs::read_to_string(data(&format!("puzzles/{name}.puzzle"))).expect("a shipped file")
}

/// Compares the columns that are summary keys, but for those left out.
fn compare(row: &Row, run: &dyn Run, left_out: &[&str]) {
    let mut compared = 0;
    for (key, wanted) in row {
        let Some(figure) = run.summary().figure(key) else {
            continue;
        };
        if left_out.contains(&key.as_str()) {
            continue;
        }
        let got = match figure {
            Figure::Absent => String::new(),
            other => other.integer().expect("a number").to_string(),
        };
        assert_eq!(&got, wanted, "{key} of {row:?}");
        compared += 1;
    }
    assert!(compared >= 4, "{row:?}");
}

#[test]
fn frogs() {
    let text = shipped("frogs-and-toads");
    let table = rows("frogs");
    assert_eq!(table.len(), 260);
    for row in &table {
        let (way, over) = match row["variant"].as_str() {
            "forward" => ("forward", "opponent"),
            "forward-any" => ("forward", "any"),
            "both" => ("both", "opponent"),
            "both-any" => ("both", "any"),
            other => panic!("variant {other}"),
        };
        let params = [
            ("n", row["n"].as_str()),
            ("m", &row["m"]),
            ("k", &row["k"]),
            ("way", way),
            ("over", over),
        ];
        compare(row, &*run(&text, "frogs-and-toads", &params), &[]);
    }
}

#[test]
fn frogs_by_depth() {
    let text = shipped("frogs-and-toads");
    for row in rows("frogs-depths") {
        let run = run(&text, "frogs-and-toads", &[("n", &row["n"])]);
        let depth: usize = row["depth"].parse().expect("a number");
        let got = run.depths()[depth];
        let number = |key: &str| Some(row[key].parse::<u64>().expect("a number"));
        assert_eq!(Some(got.states), number("states"), "{row:?}");
        assert_eq!(got.live, number("live"), "{row:?}");
        assert_eq!(got.doomed, number("doomed"), "{row:?}");
        assert_eq!(got.dead_ends, number("dead_ends"), "{row:?}");
        assert_eq!(got.blocking_moves, number("blocking_moves"), "{row:?}");
    }
}

#[test]
fn frogs_closed_forms() {
    let text = shipped("frogs-and-toads");
    let fib = |k: u32| (0..k).fold((0_u64, 1_u64), |(a, b), _| (b, a + b)).0;
    for n in 1..=12_u64 {
        let run = run(&text, "frogs-and-toads", &[("n", &n.to_string())]);
        let s = run.summary();
        let power = 1_u64 << n;
        let states = 24 * power - 6 * fib(n as u32 + 4) - 2 * n * n - 7 * n - 3;
        assert_eq!(s.states, Some(states));
        assert_eq!(s.live, Some(2 * n * (n + 2)));
        let dead_ends = if n == 1 {
            0
        } else {
            6 * power - 2 * fib(n as u32 + 4) - n * n
        };
        assert_eq!(s.dead_ends, Some(dead_ends));
        assert_eq!(s.doomed, Some(states - 2 * n * (n + 2) - dead_ends));
        assert_eq!(s.blocking_moves, Some(2 * (n * n - 1)));
        assert_eq!(s.points_of_no_return, Some(2 * (n * n - 1)));
        assert_eq!(s.shortest, Some(n * (n + 2)));
        assert_eq!(s.shortest_solutions, Some(2_u8.into()));
        assert_eq!(s.graded, Some(true));
    }
}

#[test]
fn frogs_plays() {
    let text = shipped("frogs-and-toads");
    let plays = [2_u32, 10, 28, 72, 168, 372, 794, 1654, 3388, 6860];
    for (n, plays) in (1..).zip(plays) {
        let run = run(&text, "frogs-and-toads", &[("n", &n.to_string())]);
        assert_eq!(run.summary().plays, Some(plays.into()), "n = {n}");
    }
}

/// A grid file with the start and goal of a row of the table.
fn knights_file(row: &Row) -> String {
    let cols: usize = row["cols"].parse().expect("a number");
    let drawing = |key: &str| {
        let cells: Vec<char> = row[key].chars().collect();
        let lines = cells
            .chunks(cols)
            .map(|line| line.iter().collect::<String>());
        lines.collect::<Vec<_>>().join("\n  ")
    };
    format!(
        "puzzle \"Knights\"\npiece W \"white\"\npiece B \"black\"\nclass knight = W B\nboard grid\nstart\n  {}\ngoal\n  {}\nmove leap: k:knight . -> . k along knight\n",
        drawing("start"),
        drawing("goal"),
    )
}

#[test]
fn knights() {
    for row in rows("knights") {
        compare(&row, &*run(&knights_file(&row), &row["case"], &[]), &[]);
    }
}

#[test]
fn coins() {
    let text = shipped("coins");
    for row in rows("coins") {
        let params = [("n", row["n"].as_str()), ("room", &row["spare"])];
        compare(&row, &*run(&text, "coins", &params), &[]);
    }
}

#[test]
fn coins_up_to_shift() {
    let text = shipped("coins").replace("endless, spare room", "endless, span room");
    let rows = [
        (9, 51, 100, 2),
        (11, 67, 132, 3),
        (13, 81, 160, 4),
        (15, 95, 188, 5),
    ];
    for (span, states, transitions, cut) in rows {
        let run = run(&text, "coins", &[("room", &i32::to_string(&span))]);
        let s = run.summary();
        assert_eq!(s.states, Some(states), "span {span}");
        assert_eq!(s.transitions, Some(transitions), "span {span}");
        assert_eq!(s.shortest, Some(5), "span {span}");
        assert_eq!(s.shortest_solutions, Some(2_u8.into()), "span {span}");
        assert_eq!(s.window_cut_depth, Some(cut), "span {span}");
    }
}

#[test]
fn coins_otherwise() {
    let check = |text: &str, params: &[(&str, &str)], shortest: Option<u64>| {
        let run = run(text, "coins", params);
        assert_eq!(run.summary().shortest, shortest, "{text}");
        run
    };
    let anywhere = check(&shipped("coins-land-anywhere"), &[], Some(4));
    assert_eq!(anywhere.summary().window_cut_depth, Some(0));
    let any_pair = check(&shipped("coins-any-pair"), &[], Some(3));
    assert_eq!(any_pair.summary().window_cut_depth, Some(0));
    let touching = shipped("coins-land-touching");
    check(&touching, &[], Some(5));
    let back = touching
        .replace("start (A B)^n A^extra", "start A A A B B")
        .replace("goal A^(n+extra) B^n or B^n A^(n+extra)", "goal A B A B A");
    assert_ne!(back, touching);
    check(&back, &[], Some(4));
    let little = shipped("coins-little-room");
    for west in 0..=5 {
        let west = west.to_string();
        check(&little, &[("west", &west), ("east", "5")], None);
    }
    assert!(
        check(&little, &[("west", "0"), ("east", "6")], Some(5))
            .summary()
            .shortest
            .is_some()
    );
}

#[test]
fn chips() {
    let text = shipped("chips");
    for row in rows("chips") {
        let (low, high): (i64, i64) = (
            row["lo"].parse().expect("a number"),
            row["hi"].parse().expect("a number"),
        );
        let chips = row["chips"].clone();
        let west = (-low).to_string();
        let east = (high + 1 - chips.split(' ').count() as i64).to_string();
        let params = [("chips", chips.as_str()), ("west", &west), ("east", &east)];
        let run = run(&text, "chips", &params);
        compare(&row, &*run, &[]);
        let table = run.table().expect("a whole run");
        let goal = (0..table.state_count())
            .find(|&id| table.is_goal(id))
            .expect("one rests");
        assert_eq!(resting(&table.one_line(goal)), row["rests_at"], "{row:?}");
    }
}

/// The occupied places of a counted row `1 . . 1@-2`.
fn resting(line: &str) -> String {
    let (cells, first) = line.split_once('@').expect("a place");
    let first: i64 = first.parse().expect("a number");
    let occupied = (first..)
        .zip(cells.split(' '))
        .filter(|(_, count)| *count != ".");
    occupied
        .map(|(place, _)| place.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn published_games() {
    let zeckendorf = shipped("zeckendorf");
    let states = [1_u64, 2, 3, 4, 6, 8, 10, 14, 17, 22, 27, 33, 41, 49, 59, 71];
    for (n, states) in (1..).zip(states) {
        let run = run(&zeckendorf, "zeckendorf", &[("n", &n.to_string())]);
        assert_eq!(run.summary().states, Some(states), "zeckendorf {n}");
    }
    let bergman = shipped("bergman");
    let figures = [
        (1, 0),
        (2, 1),
        (3, 2),
        (8, 6),
        (15, 9),
        (26, 12),
        (73, 22),
        (152, 24),
    ];
    for (n, (states, longest)) in (1..).zip(figures) {
        let run = run(&bergman, "bergman", &[("n", &n.to_string())]);
        assert_eq!(run.summary().states, Some(states), "bergman {n}");
        assert_eq!(run.summary().longest, Some(longest), "bergman {n}");
    }
    let jugs = run(&shipped("die-hard-jugs"), "die-hard-jugs", &[]);
    assert_eq!(
        (jugs.summary().states, jugs.summary().shortest),
        (Some(16), Some(6))
    );
    let pancakes = shipped("pancakes");
    for (n, depth) in (2..).zip([1, 3, 4, 5, 7, 8, 9]) {
        let run = run(&pancakes, "pancakes", &[("n", &n.to_string())]);
        assert_eq!(run.summary().max_depth, Some(depth), "pancakes {n}");
    }
    for (name, depths, states) in [
        ("topspin", [12, 17, 22], [720, 2520, 40320]),
        ("topspin-ring", [5, 6, 9], [360, 2520, 20160]),
    ] {
        for (n, (depth, count)) in (6..).zip(depths.into_iter().zip(states)) {
            let run = run(&shipped(name), name, &[("n", &n.to_string())]);
            assert_eq!(run.summary().max_depth, Some(depth), "{name} {n}");
            assert_eq!(run.summary().states, Some(count), "{name} {n}");
        }
    }
}

#[test]
fn tiles_by_depth() {
    let run = run(&shipped("tiles"), "tiles", &[]);
    let sizes: Vec<u64> = run.depths().iter().map(|d| d.states).collect();
    assert_eq!(
        sizes[..13],
        [1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748]
    );
    assert_eq!(sizes[30..], [221, 2]);
    assert_eq!(sizes.iter().sum::<u64>(), 181_440);
}

#[test]
fn knights_four_by_four() {
    let file = knights_file(&Row::from([
        ("cols".to_owned(), "4".to_owned()),
        ("start".to_owned(), "WWWW........BBBB".to_owned()),
        ("goal".to_owned(), "BBBB........WWWW".to_owned()),
    ]));
    let run = run(&file, "knights", &[]);
    let s = run.summary();
    assert_eq!((s.states, s.shortest), (Some(900_900), Some(16)));
    assert_eq!(s.shortest_solutions, Some(354_459_156_480_u64.into()));
}
