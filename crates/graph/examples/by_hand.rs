//! Two puzzles written by hand in Rust, raced against the same rules from their rule files, on the
//! same engine and one thread: `cargo run --release -p impasse-graph --example by_hand`.
//!
//! Both searches of a pair run in turn, several times; the least CPU time of each counts. The counts
//! of all layers must be equal, else no rate is printed.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use impasse_graph::expand::Expand;
use impasse_graph::observe::{Limits, Silent};
use impasse_graph::search::search;
use impasse_graph::space::LayerCounts;
use impasse_model::compiled::Compiled;
use impasse_model::place::place;
use impasse_model::puzzle::{Move, Puzzle};

/// How often each search runs.
const ROUNDS: usize = 3;

/// Cells of two bits, the first in the highest bits that are used: 0 is empty, 1 and 2 are the two
/// kinds of pieces. A piece goes into an empty cell that is a move away, whatever stands between.
pub(crate) struct Exchange {
    cells: u32,
    start: u64,
    goal: u64,
    /// For each cell, the cells from which a piece can come.
    from: Vec<Vec<u32>>,
}

impl Exchange {
    fn new(start: &[u64], goal: &[u64], from: impl Fn(u32, u32) -> bool) -> Self {
        let pack = |cells: &[u64]| cells.iter().fold(0, |word, cell| word << 2 | cell);
        let cells = start.len() as u32;
        let sources = |to| (0..cells).filter(|&cell| from(cell, to)).collect();
        Self {
            cells,
            start: pack(start),
            goal: pack(goal),
            from: (0..cells).map(sources).collect(),
        }
    }

    /// Frogs and toads on a line, `side` of each and one empty cell between: steps and jumps both ways.
    pub(crate) fn frogs(side: usize) -> Self {
        let start = [vec![1; side], vec![0], vec![2; side]].concat();
        let goal: Vec<u64> = start.iter().rev().copied().collect();
        Self::new(&start, &goal, |a, b| (1..=2).contains(&a.abs_diff(b)))
    }

    /// Knights of two colours that fill the first and the last row of a board.
    pub(crate) fn knights(rows: u32, cols: u32) -> Self {
        let row = |piece| vec![piece; cols as usize];
        let start = [row(1), row(0).repeat(rows as usize - 2), row(2)].concat();
        let goal: Vec<u64> = start.iter().rev().copied().collect();
        Self::new(&start, &goal, |a, b| {
            let down = (a / cols).abs_diff(b / cols);
            let across = (a % cols).abs_diff(b % cols);
            down * across == 2
        })
    }

    fn shift(&self, cell: u32) -> u32 {
        2 * (self.cells - 1 - cell)
    }
}

impl Puzzle for Exchange {
    type State = u64;

    fn starts(&self) -> Vec<u64> {
        vec![self.start]
    }

    fn moves(&self, state: u64, mut visit: impl FnMut(Move, u64)) {
        let used = u64::MAX >> (64 - 2 * self.cells);
        let mut empty = !(state | state >> 1) & used & 0x5555_5555_5555_5555;
        while empty != 0 {
            let place = empty.trailing_zeros();
            empty &= empty - 1;
            let to = self.cells - 1 - place / 2;
            for &from in &self.from[to as usize] {
                let piece = state >> self.shift(from) & 3;
                if piece != 0 {
                    let next = state ^ piece << self.shift(from) ^ piece << place;
                    visit(Move(to * self.cells + from), next);
                }
            }
        }
    }

    fn is_goal(&self, state: u64) -> bool {
        state == self.goal
    }

    fn move_bound(&self) -> u32 {
        self.cells * self.cells
    }

    fn is_undirected(&self) -> bool {
        true
    }

    fn is_injective(&self) -> bool {
        true
    }
}

/// The same rules from a shipped rule file.
pub(crate) fn from_file(
    name: &str,
    values: &[(&str, String)],
) -> Result<Compiled<u64>, Box<dyn Error>> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../data/puzzles/{name}.puzzle"));
    let parsed = impasse_model::parse::parse(name, &std::fs::read(path)?);
    let file = parsed.map_err(|faults| format!("{faults:?}"))?.file;
    let given: Vec<(String, String)> = values
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    let params = file.parameters(&given).map_err(|f| format!("{f:?}"))?;
    let (instance, _) = file
        .instance(name, params, None)
        .map_err(|f| format!("{f:?}"))?;
    let placed = place(&instance)?;
    Ok(Compiled::new(instance, placed))
}

/// Plain enumeration: the counts of the layers, and how long it took.
pub(crate) fn enumerate(puzzle: &dyn Expand<u64>) -> (Vec<LayerCounts>, Duration) {
    let began = Instant::now();
    let used = thread_time();
    let found = search(puzzle, false, &Limits::default(), &Silent);
    let time = match (used, thread_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => began.elapsed(),
    };
    (found.counts, time)
}

/// CPU time of this thread; `None` where the system does not tell (the wall clock must do).
fn thread_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

#[allow(dead_code, reason = "the tests include this file as a module")]
fn race(name: &str, hand: &Exchange, file: &Compiled<u64>) -> Result<(), Box<dyn Error>> {
    let mut best = [Duration::MAX; 2];
    let mut states = 0;
    for _ in 0..ROUNDS {
        let (by_hand, first) = enumerate(hand);
        let (by_file, second) = enumerate(file);
        if by_hand != by_file {
            return Err(format!("{name}: the layers differ").into());
        }
        states = by_hand.iter().map(|layer| layer.states).sum();
        best = [best[0].min(first), best[1].min(second)];
    }
    let [hand, file] = best.map(|time| states as f64 / time.as_secs_f64() / 1e6);
    println!(
        "{name}: {states} states; by hand {hand:.2} M/s, rule file {file:.2} M/s, ratio {:.2}",
        file / hand
    );
    Ok(())
}

#[allow(dead_code, reason = "the tests include this file as a module")]
fn main() -> Result<(), Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        let frogs = from_file("frogs-and-toads-both-ways", &[("n", "10".to_owned())])
            .map_err(|error| error.to_string())?;
        race("frogs, 10 a side", &Exchange::frogs(10), &frogs)
            .map_err(|error| error.to_string())?;
        let values = [("rows", "5".to_owned()), ("cols", "4".to_owned())];
        let knights = from_file("knights-exchange", &values).map_err(|error| error.to_string())?;
        race("knights, 5 by 4", &Exchange::knights(5, 4), &knights)
            .map_err(|error| error.to_string())
    })?;
    Ok(())
}
