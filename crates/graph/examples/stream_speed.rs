//! Enumerates one puzzle with the streaming engine and prints times: for tuning.
//!
//! `cargo run --release --example stream_speed -- FILE "n=12" [leaf_bits block_words threads form
//! counting sparse_below lead|plain symmetry]`

use std::time::Instant;

use impasse_graph::stream::{Cut, Direction, Form, Knobs, Search, Stream, Task};
use impasse_model::board::Shape;
use impasse_model::compiled::is_undirected;
use impasse_model::place::place;

/// What all threads have run so far, where the system tells.
fn cpu_seconds() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    let nanoseconds = tasks.flatten().filter_map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    });
    nanoseconds.sum::<f64>() / 1e9
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read(&arguments[0]).expect("a rule file");
    let file = impasse_model::parse::parse("puzzle", &text)
        .expect("it parses")
        .file;
    let given: Vec<(String, String)> = arguments[1]
        .split_whitespace()
        .filter_map(|p| p.split_once('='))
        .map(|(n, v)| (n.to_owned(), v.to_owned()))
        .collect();
    let number = |at: usize, default: usize| {
        arguments
            .get(at)
            .map_or(default, |a| a.parse().expect("a number"))
    };
    let params = file.parameters(&given).expect("in range");
    let (instance, _) = file
        .instance("puzzle", params, None)
        .expect("it elaborates");
    let placed = place(&instance).expect("few placements");
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(number(4, 1))
        .build()
        .expect("threads");
    let began = Instant::now();
    let symmetries = match arguments.get(9) {
        Some(_) => impasse_model::symmetry::symmetries(&instance, &placed),
        None => Vec::new(),
    };
    let task = Task {
        rules: &placed.rules,
        undirected: is_undirected(&placed.rules),
        cells: placed.cells,
        symbols: instance.alphabet.symbols.len(),
        starts: &instance.starts,
        symmetries: &symmetries,
        row: !matches!(
            instance.board.shape,
            Shape::Grid { .. } | Shape::Graph { .. }
        ),
    };
    let knobs = Knobs {
        cut: Cut {
            leaf_bits: number(2, 192) as u32,
            block_words: number(3, 5000) as u64,
            free: None,
        },
        form: match number(5, 0) {
            0 => None,
            1 => Some(Form::Gather),
            _ => Some(Form::Turn),
        },
        sparse_below: arguments.get(7).map(|a| a.parse().expect("a number")),
        lead: arguments.get(8).map(|a| a == "lead"),
        ..Knobs::default()
    };
    let stream = Stream::new(&task, &knobs).expect("it streams");
    println!("{}", stream.describe());
    let built = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let used = cpu_seconds();
    let (states, layers) = pool.install(|| {
        let starts = stream.starts().expect("memory");
        let mut search = Search::new(&stream, Direction::Forward, starts, None)
            .expect("memory")
            .counting(number(6, 0) == 1);
        let (mut states, mut layers) = (stream.states_in(search.layer()), 1);
        loop {
            let found = search.step();
            if found.states == 0 {
                return (states, layers);
            }
            states += found.states;
            layers += 1;
        }
    });
    let seconds = began.elapsed().as_secs_f64();
    let used = cpu_seconds() - used;
    println!(
        "{states} states, {layers} layers, build {built:.3} s, search {seconds:.3} s, CPU {used:.3} s, {:.1} M states a CPU second",
        states as f64 / used / 1e6
    );
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status
        .lines()
        .find_map(|l| l.strip_prefix("VmHWM:"))
        .and_then(|l| l.trim().trim_end_matches(" kB").trim().parse::<f64>().ok())
        .unwrap_or(0.0);
    println!(
        "peak {:.1} MB, {:.2} bits a state",
        peak / 1024.0,
        peak * 8192.0 / states as f64
    );
}
