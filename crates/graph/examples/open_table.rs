//! The other design for the general engine, measured beside sorted layers: open addressing on packed
//! states, in shards that one thread owns each, probed in batches with prefetch.
//!
//! `cargo run --release -p impasse-graph --example open_table -- DESIGN THREADS PUZZLE [NAME=VALUE ...]`
//! enumerates a shipped puzzle once and prints the rate and the peak memory of the process. DESIGN is
//! `sorted` (the engine), `all` (one table of all states) or `last` (a table for each of the last
//! layers; for puzzles whose moves can all be taken back). `most=N` stops before the layer with
//! which there would be more than N states.

use std::error::Error;
use std::time::{Duration, Instant};

use impasse_graph::expand::Expand;
use impasse_graph::observe::{Limits, Silent};
use impasse_graph::search::search;
use impasse_graph::space::LayerCounts;

#[path = "by_hand.rs"]
#[allow(dead_code, reason = "another example, for its reading of rule files")]
pub(crate) mod by_hand;

/// What an empty slot holds: no packed state has all bits.
const EMPTY: u64 = u64::MAX;
/// How many probes ahead a slot is asked for.
const AHEAD: usize = 16;
/// A table grows when more than so many sixteenths are used.
const FULL: usize = 12;
/// Successors that are gathered before they are put into the tables, by all threads.
const BATCH: usize = 1 << 18;

/// A set of states: open addressing, linear probing, at a place that grows with the hash, so that
/// growing goes through memory in order.
struct Table {
    slots: Vec<u64>,
    used: usize,
}

fn hash(state: u64) -> u64 {
    let mixed = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl Table {
    fn new() -> Self {
        Self {
            slots: vec![EMPTY; 64],
            used: 0,
        }
    }

    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    /// The slot of a state, or the empty one where it would be.
    fn slot(&self, state: u64) -> usize {
        let mut slot = self.home(hash(state));
        while self.slots[slot] != state && self.slots[slot] != EMPTY {
            slot += 1;
            if slot == self.slots.len() {
                slot = 0;
            }
        }
        slot
    }

    fn has(&self, state: u64) -> bool {
        self.slots[self.slot(state)] == state
    }

    /// Whether the state was not there.
    fn insert(&mut self, state: u64) -> bool {
        let slot = self.slot(state);
        if self.slots[slot] == state {
            return false;
        }
        self.slots[slot] = state;
        self.used += 1;
        if self.used * 16 > self.slots.len() * FULL {
            let larger = vec![EMPTY; self.slots.len() * 3 / 2];
            let old = std::mem::replace(&mut self.slots, larger);
            for state in old.into_iter().filter(|&s| s != EMPTY) {
                let slot = self.slot(state);
                self.slots[slot] = state;
            }
        }
        true
    }

    fn states(&self) -> impl Iterator<Item = u64> {
        self.slots.iter().copied().filter(|&s| s != EMPTY)
    }

    /// Asks for the cache line where a state would be.
    fn ask_for(&self, state: u64) {
        let slot = self.home(hash(state));
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code, reason = "a prefetch reads nothing that the program sees")]
        // SAFETY: the pointer is that of an element; a prefetch has no effect but on the cache.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(&self.slots[slot]).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = slot;
    }
}

/// The states that one thread owns.
struct Shard {
    /// Tables that tell old states: all states, or those of the last layers, the latest first.
    old: Vec<Table>,
    /// The layer at work; empty where `old` has it in a table of its own.
    layer: Vec<u64>,
    next: Vec<u64>,
    next_table: Table,
    counts: LayerCounts,
    /// Successors by owner.
    out: Vec<Vec<u64>>,
}

/// Breadth-first search by owned tables. With `last`, only the last two layers and the next are kept:
/// every move must have its inverse.
pub(crate) fn by_tables(
    puzzle: &dyn Expand<u64>,
    threads: usize,
    last: bool,
    most: u64,
) -> Vec<LayerCounts> {
    let owner = |state: u64| (hash(state) as u32 as usize) % threads;
    let mut shards: Vec<Shard> = (0..threads)
        .map(|_| Shard {
            old: vec![Table::new()],
            layer: Vec::new(),
            next: Vec::new(),
            next_table: Table::new(),
            counts: LayerCounts::default(),
            out: vec![Vec::new(); threads],
        })
        .collect();
    for start in puzzle.starts() {
        let shard = &mut shards[owner(start)];
        if shard.old[0].insert(start) {
            shard.layer.push(start);
        }
    }
    let mut counts: Vec<LayerCounts> = Vec::new();
    let mut total = 0;
    loop {
        let mut layer = LayerCounts::default();
        let mut at = 0;
        let longest = shards.iter().map(|shard| shard.layer.len()).max();
        let longest = longest.unwrap_or(0);
        layer.states = shards.iter().map(|shard| shard.layer.len() as u64).sum();
        total += layer.states;
        while at < longest {
            let piece = BATCH / 8 / threads;
            each(&mut shards, |_, shard| {
                let end = (at + piece).min(shard.layer.len());
                let states = shard.layer.get(at..end).unwrap_or(&[]);
                expand(puzzle, states, &mut shard.counts, &mut shard.out, &owner);
            });
            at += piece;
            let mut sent: Vec<Vec<Vec<u64>>> = shards
                .iter_mut()
                .map(|shard| shard.out.iter_mut().map(std::mem::take).collect())
                .collect();
            each(&mut shards, |number, shard| {
                for lists in &sent {
                    take(shard, &lists[number], last);
                }
            });
            for (shard, mut lists) in shards.iter_mut().zip(sent.drain(..)) {
                for (out, list) in shard.out.iter_mut().zip(&mut lists) {
                    list.clear();
                    *out = std::mem::take(list);
                }
            }
        }
        for shard in &mut shards {
            let found = std::mem::take(&mut shard.counts);
            layer.goals += found.goals;
            layer.dead_ends += found.dead_ends;
            layer.transitions += found.transitions;
            layer.single += found.single;
            shard.layer = std::mem::take(&mut shard.next);
            if last {
                let new = std::mem::replace(&mut shard.next_table, Table::new());
                shard.layer = new.states().collect();
                shard.old.insert(0, new);
                shard.old.truncate(2);
            }
        }
        counts.push(layer);
        let found: u64 = shards.iter().map(|shard| shard.layer.len() as u64).sum();
        if found == 0 || total + found > most {
            return counts;
        }
    }
}

/// Expands states, and counts as the engine does.
fn expand(
    puzzle: &dyn Expand<u64>,
    states: &[u64],
    counts: &mut LayerCounts,
    out: &mut [Vec<u64>],
    owner: &impl Fn(u64) -> usize,
) {
    let injective = puzzle.is_injective();
    let mut found = Vec::new();
    for &state in states {
        found.clear();
        puzzle.states_into(state, &mut found);
        if !injective {
            found.sort_unstable();
            found.dedup();
        }
        let goal = puzzle.is_goal(state);
        counts.goals += u64::from(goal);
        counts.dead_ends += u64::from(found.is_empty() && !goal);
        counts.transitions += found.len() as u64;
        counts.single += u64::from(found.len() == 1 && !goal);
        if let [out] = out {
            out.extend_from_slice(&found);
        } else {
            for &next in &found {
                out[owner(next)].push(next);
            }
        }
    }
}

/// Puts a batch into the tables of its owner.
fn take(shard: &mut Shard, batch: &[u64], last: bool) {
    for (i, &state) in batch.iter().enumerate() {
        if let Some(&later) = batch.get(i + AHEAD) {
            shard.old.iter().for_each(|table| table.ask_for(later));
            if last {
                shard.next_table.ask_for(later);
            }
        }
        if last {
            if !shard.old.iter().any(|table| table.has(state)) {
                shard.next_table.insert(state);
            }
        } else if shard.old[0].insert(state) {
            shard.next.push(state);
        }
    }
}

/// Does the same for each shard, each on a thread of its own where there are several.
fn each(shards: &mut [Shard], work: impl Fn(usize, &mut Shard) + Sync) {
    if let [shard] = shards {
        work(0, shard);
        return;
    }
    std::thread::scope(|scope| {
        for (number, shard) in shards.iter_mut().enumerate() {
            let work = &work;
            scope.spawn(move || work(number, shard));
        }
    });
}

/// User and system time of this process; the wall clock where the system does not tell.
fn cpu_time(began: Instant) -> Duration {
    let ticks = || -> Option<u64> {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        let behind = stat.rsplit_once(')')?.1;
        let fields = behind.split_whitespace().skip(11).take(2);
        fields.map(|field| field.parse::<u64>().ok()).sum()
    };
    ticks().map_or_else(
        || began.elapsed(),
        |ticks| Duration::from_millis(10 * ticks),
    )
}

/// The most bytes that were resident; 0 where the system does not tell.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    1024 * number.unwrap_or(0)
}

#[allow(dead_code, reason = "the tests include this file as a module")]
fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [design, threads, name, values @ ..] = &words[..] else {
        return Err("expected DESIGN THREADS PUZZLE [NAME=VALUE ...]".into());
    };
    let threads: usize = threads.parse()?;
    let mut most = u64::MAX;
    let mut given = Vec::new();
    for value in values {
        let (name, value) = value.split_once('=').ok_or("expected NAME=VALUE")?;
        if name == "most" {
            most = value.parse()?;
        } else {
            given.push((name, value.to_owned()));
        }
    }
    let puzzle = by_hand::from_file(name, &given)?;
    let began = Instant::now();
    let counts = match design.as_str() {
        "sorted" => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let limits = Limits {
                max_states: (most < u64::MAX).then_some(most),
                ..Limits::default()
            };
            pool.build()?
                .install(|| search(&puzzle, false, &limits, &Silent).counts)
        }
        "all" => by_tables(&puzzle, threads.max(1), false, most),
        "last" if Expand::is_undirected(&puzzle) => by_tables(&puzzle, threads.max(1), true, most),
        "last" => return Err("not all moves can be taken back: `all` is for those".into()),
        _ => return Err("the design is `sorted`, `all` or `last`".into()),
    };
    let (cpu, bytes) = (cpu_time(began), peak_bytes());
    let states: u64 = counts.iter().map(|layer| layer.states).sum();
    let transitions: u64 = counts.iter().map(|layer| layer.transitions).sum();
    println!(
        "{design:6} {threads} {name} {}: {states} states, {transitions} transitions, {} layers, {:.2} s CPU, {:.2} M/s, {:.1} MB, {:.2} bytes a state",
        values.join(" "),
        counts.len(),
        cpu.as_secs_f64(),
        states as f64 / cpu.as_secs_f64().max(0.01) / 1e6,
        bytes as f64 / 1e6,
        bytes as f64 / states as f64
    );
    Ok(())
}
