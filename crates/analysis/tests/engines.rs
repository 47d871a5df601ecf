//! The engine that keeps only a few layers against the one that keeps all states.

use std::path::Path;

use impasse_analysis::explore::{Engine, Options, RunError, explore};
use impasse_analysis::run::Run;
use impasse_graph::observe::{Limit, Limits, Outcome, Silent};
use impasse_model::instance::Instance;

fn instance(name: &str, params: &str) -> Instance {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../data/puzzles/{name}.puzzle"));
    let text = std::fs::read(path).expect("a shipped file");
    let file = impasse_model::parse::parse(name, &text)
        .expect("it parses")
        .file;
    let given: Vec<(String, String)> = params
        .split_whitespace()
        .filter_map(|p| p.split_once('='))
        .map(|(n, v)| (n.to_owned(), v.to_owned()))
        .collect();
    let params = file.parameters(&given).expect("in range");
    file.instance(name, params, None).expect("it elaborates").0
}

fn run(instance: &Instance, threads: usize, options: &Options) -> Result<Box<dyn Run>, RunError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("a pool");
    pool.install(|| explore(instance, options, &Silent))
}

fn by(engine: Engine) -> Options {
    Options {
        engine,
        ..Options::default()
    }
}

/// Graded and undirected spaces, with and without goals, in words of several widths.
const THIN: [(&str, &str); 12] = [
    ("frogs-and-toads", "n=1"),
    ("frogs-and-toads", "n=6"),
    ("frogs-and-toads", "n=17 m=1"),
    ("frogs-and-toads", "n=4 m=3 k=2"),
    ("frogs-and-toads-both-ways", "n=5"),
    ("frogs-and-toads-both-ways", "n=2 k=3"),
    ("peg-rectangle", "rows=3 cols=4"),
    ("peg-rectangle", "rows=4 cols=4"),
    ("peg-triangle", ""),
    ("guarini", ""),
    ("hanoi3", "n=5"),
    ("knights-exchange", "rows=4 cols=3"),
];

#[test]
fn layers_give_the_figures_of_hash() {
    for (name, params) in THIN {
        let instance = instance(name, params);
        for no_counting in [false, true] {
            let options = |engine| Options {
                no_counting,
                ..by(engine)
            };
            let hash = run(&instance, 2, &options(Engine::Hash)).expect("it can be packed");
            for threads in [1, 8] {
                let layers = run(&instance, threads, &options(Engine::Layers));
                let layers = layers.unwrap_or_else(|e| panic!("{name} {params}: {e}"));
                assert_eq!(layers.engine(), "layers");
                assert_eq!(layers.summary(), hash.summary(), "{name} {params}");
                assert_eq!(layers.depths(), hash.depths(), "{name} {params}");
                assert!(layers.table().is_none());
            }
        }
        let options = |engine| Options {
            only_depths: true,
            ..by(engine)
        };
        let hash = run(&instance, 2, &options(Engine::Hash)).expect("it can be packed");
        let layers = run(&instance, 2, &options(Engine::Layers)).expect("as before");
        assert_eq!(layers.summary(), hash.summary(), "{name} {params}");
        assert_eq!(layers.depths(), hash.depths(), "{name} {params}");
    }
}

/// A budget so small that most layers of the sweep are made again.
#[test]
fn few_checkpoints_change_nothing() {
    let instance = instance("frogs-and-toads", "n=13");
    let whole = run(&instance, 2, &by(Engine::Layers)).expect("it is graded");
    let tight = Options {
        limits: Limits {
            memory_bytes: Some(1 << 20),
            ..Limits::default()
        },
        ..by(Engine::Layers)
    };
    let tight = run(&instance, 2, &tight).expect("it is graded");
    assert_eq!(tight.outcome(), Outcome::Complete);
    assert_eq!(tight.summary(), whole.summary());
    assert_eq!(tight.depths(), whole.depths());
}

#[test]
fn other_puzzles_are_refused() {
    for (name, params, words) in [
        ("frogs-and-toads", "n=3 over=any", "one layer deeper"),
        ("sokoban", "", "one layer deeper"),
        ("chips", "", "counts"),
    ] {
        let refused = run(&instance(name, params), 1, &by(Engine::Layers));
        let error = refused
            .err()
            .unwrap_or_else(|| panic!("{name} runs"))
            .to_string();
        assert!(
            error.contains(words) && error.contains("--engine hash"),
            "{name}: {error}"
        );
    }
}

#[test]
fn limits_stop_layers_where_they_stop_hash() {
    let instance = instance("frogs-and-toads", "n=5");
    for (max_states, max_depth, reason) in [
        (Some(100), None, Limit::States),
        (None, Some(7), Limit::Depth),
    ] {
        let options = |engine| Options {
            limits: Limits {
                max_states,
                max_depth,
                ..Limits::default()
            },
            ..by(engine)
        };
        let hash = run(&instance, 2, &options(Engine::Hash)).expect("it can be packed");
        let layers = run(&instance, 2, &options(Engine::Layers)).expect("it is graded");
        assert_eq!(layers.summary(), hash.summary());
        assert_eq!(layers.depths(), hash.depths());
        assert_eq!(layers.outcome(), hash.outcome());
        assert!(matches!(layers.outcome(), Outcome::Stopped { reason: r, .. } if r == reason));
    }
}

/// The closed forms for frogs that never turn back.
#[test]
fn forward_frogs_by_layers() {
    let mut fib = vec![0_u64, 1];
    for n in 1..=15_u64 {
        let instance = instance("frogs-and-toads", &format!("n={n}"));
        let run = run(&instance, 2, &by(Engine::Layers)).expect("it is graded");
        while fib.len() < n as usize + 5 {
            fib.push(fib[fib.len() - 1] + fib[fib.len() - 2]);
        }
        let fib = fib[n as usize + 4];
        let states = (24 << n) - 6 * fib - 2 * n * n - 7 * n - 3;
        let summary = run.summary();
        assert_eq!(summary.states, Some(states), "n = {n}");
        let live = 2 * n * (n + 2);
        assert_eq!(summary.live, Some(live), "n = {n}");
        if n > 1 {
            let dead_ends = (6 << n) - 2 * fib - n * n;
            assert_eq!(summary.dead_ends, Some(dead_ends), "n = {n}");
            assert_eq!(summary.doomed, Some(states - live - dead_ends), "n = {n}");
            assert_eq!(summary.blocking_moves, Some(2 * (n * n - 1)), "n = {n}");
        }
    }
}
