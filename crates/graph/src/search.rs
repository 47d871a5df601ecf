//! Breadth-first search by sorted layers, in parallel.
//!
//! A layer is a sorted list. Threads expand pieces of it into sorted candidate lists; the lists are
//! joined range by range, and what was seen before is taken out by a merge. No table is probed at
//! random, and the result is a set, so it cannot depend on the number of threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::expand::{Expand, State};
use crate::observe::{Limit, Limits, Observer, Outcome, Progress, Stage};
use crate::space::{LayerCounts, Layers};
use crate::visited::{Runs, subtract};

/// States a thread expands at a time.
const PIECE: usize = 1 << 13;
/// Candidate lists with fewer entries in all are joined in one piece.
const SMALL_JOIN: usize = 1 << 15;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found<S> {
    /// How it ended.
    pub outcome: Outcome,
    /// Counts by depth.
    pub counts: Vec<LayerCounts>,
    /// The states of each layer, ascending; empty if they were not kept.
    pub layers: Vec<Vec<S>>,
}

impl<S> Layers for Found<S> {
    fn outcome(&self) -> Outcome {
        self.outcome
    }
    fn layers(&self) -> &[LayerCounts] {
        &self.counts
    }
}

/// Finds every reachable state, layer by layer, on the current rayon pool.
///
/// With `keep`, the layers are kept; without, only what is needed to tell new states from old (for
/// undirected puzzles the last two layers). Time grows with transitions times the logarithm of a
/// layer; memory is one word a kept state and one a candidate of the widest layer.
pub fn search<S: State>(
    puzzle: &dyn Expand<S>,
    keep: bool,
    limits: &Limits,
    observer: &dyn Observer,
) -> Found<S> {
    Search::new(puzzle, keep, limits, observer).run(puzzle.starts(), Stage::Search)
}

/// Finds the layers around some states of an undirected puzzle: how far every state is from them.
/// Goals, dead ends and cut-off moves are not counted.
pub(crate) fn layers_around<S: State>(
    puzzle: &dyn Expand<S>,
    states: Vec<S>,
    observer: &dyn Observer,
) -> Found<S> {
    let limits = Limits::default();
    Search::new(puzzle, true, &limits, observer).run(states, Stage::Retrograde)
}

struct Search<'a, S> {
    puzzle: &'a dyn Expand<S>,
    keep: bool,
    limits: &'a Limits,
    observer: &'a dyn Observer,
    began: Instant,
    broken: AtomicBool,
    seen: Runs<S>,
    previous: Vec<S>,
    found: Found<S>,
    cut_found: bool,
    counting: bool,
}

/// What expanding a piece of a layer gives: sorted candidates and counts.
struct Expanded<S> {
    candidates: Vec<S>,
    counts: LayerCounts,
}

impl<'a, S: State> Search<'a, S> {
    fn new(
        puzzle: &'a dyn Expand<S>,
        keep: bool,
        limits: &'a Limits,
        observer: &'a dyn Observer,
    ) -> Self {
        Self {
            puzzle,
            keep,
            limits,
            observer,
            began: Instant::now(),
            broken: AtomicBool::new(false),
            seen: Runs::new(),
            previous: Vec::new(),
            found: Found {
                outcome: Outcome::Complete,
                counts: Vec::new(),
                layers: Vec::new(),
            },
            cut_found: false,
            counting: true,
        }
    }

    fn run(mut self, starts: Vec<S>, stage: Stage) -> Found<S> {
        self.counting = stage == Stage::Search;
        let mut layer = starts;
        layer.sort_unstable();
        layer.dedup();
        let mut total = layer.len() as u64;
        for depth in 0_u32.. {
            let at_last_depth = self.limits.max_depth == Some(depth);
            let next = match self.next_layer(&layer, at_last_depth) {
                Ok(next) => next,
                Err(limit) => {
                    self.stop(layer, limit, depth);
                    break;
                }
            };
            let progress = Progress {
                stage,
                layer: depth,
                layer_states: layer.len() as u64,
                states: total,
            };
            let broken = self.observer.layer(&progress).is_break();
            total += next.len() as u64;
            self.keep_layer(layer);
            if next.is_empty() {
                break;
            }
            if let Some(limit) = self.limit_passed(broken, total, next.len()) {
                self.found.outcome = Outcome::Stopped {
                    reason: limit,
                    depth,
                };
                break;
            }
            layer = next;
        }
        self.found
    }

    /// Which limit a next layer would pass.
    fn limit_passed(&self, broken: bool, total: u64, next: usize) -> Option<Limit> {
        if broken {
            return Some(Limit::Interrupt);
        }
        if self.limits.max_states.is_some_and(|most| total > most) {
            return Some(Limit::States);
        }
        if self.out_of_time() {
            return Some(Limit::Time);
        }
        let resident = (self.kept_states() + 4 * next) * size_of::<S>();
        if self
            .limits
            .memory_bytes
            .is_some_and(|most| resident as u64 > most)
        {
            return Some(Limit::Memory);
        }
        None
    }

    fn kept_states(&self) -> usize {
        let layers: usize = self.found.layers.iter().map(Vec::len).sum();
        layers + self.seen.len() + self.previous.len()
    }

    fn out_of_time(&self) -> bool {
        self.limits
            .max_time
            .is_some_and(|most| self.began.elapsed() >= most)
    }

    /// Records a last layer whose successors are unknown.
    fn stop(&mut self, layer: Vec<S>, reason: Limit, depth: u32) {
        let goals = layer.iter().filter(|&&s| self.puzzle.is_goal(s)).count() as u64;
        let counts = LayerCounts {
            states: layer.len() as u64,
            goals,
            ..LayerCounts::default()
        };
        self.found.counts.push(counts);
        if self.keep {
            self.found.layers.push(layer);
        }
        self.found.outcome = Outcome::Stopped { reason, depth };
    }

    fn keep_layer(&mut self, layer: Vec<S>) {
        if self.keep {
            self.found.layers.push(layer.clone());
        }
        if self.puzzle.is_undirected() {
            self.previous = layer;
        } else {
            self.seen.add(layer);
        }
    }

    /// Expands a layer and records its counts. `probe`: stop with an error at the first new state.
    fn next_layer(&mut self, layer: &[S], probe: bool) -> Result<Vec<S>, Limit> {
        let look_for_cuts = !self.cut_found && self.puzzle.can_cut();
        let expand = |piece: &[S]| {
            if self.broken.load(Ordering::Relaxed) {
                return None;
            }
            if self.observer.interrupted() || self.out_of_time() {
                self.broken.store(true, Ordering::Relaxed);
                return None;
            }
            let expanded = self.expand(piece, look_for_cuts);
            if probe && expanded.candidates.iter().any(|&s| self.is_new(layer, s)) {
                self.broken.store(true, Ordering::Relaxed);
                return None;
            }
            Some(expanded)
        };
        let pieces: Option<Vec<Expanded<S>>> = if layer.len() <= PIECE {
            layer.chunks(PIECE).map(expand).collect()
        } else {
            layer
                .par_chunks(piece_size(layer.len()))
                .map(expand)
                .collect()
        };
        let Some(pieces) = pieces else {
            return Err(if self.observer.interrupted() {
                Limit::Interrupt
            } else if self.out_of_time() {
                Limit::Time
            } else {
                Limit::Depth
            });
        };
        let mut counts = LayerCounts {
            states: layer.len() as u64,
            ..LayerCounts::default()
        };
        for piece in &pieces {
            counts.goals += piece.counts.goals;
            counts.dead_ends += piece.counts.dead_ends;
            counts.transitions += piece.counts.transitions;
            counts.single += piece.counts.single;
            counts.cut |= piece.counts.cut;
        }
        self.cut_found |= counts.cut;
        self.found.counts.push(counts);
        let lists: Vec<Vec<S>> = pieces.into_iter().map(|p| p.candidates).collect();
        let mut old = self.seen.slices();
        old.push(layer);
        old.push(&self.previous);
        Ok(join(&lists, &old))
    }

    fn is_new(&self, layer: &[S], state: S) -> bool {
        layer.binary_search(&state).is_err()
            && self.previous.binary_search(&state).is_err()
            && !self.seen.has(state)
    }

    fn expand(&self, piece: &[S], look_for_cuts: bool) -> Expanded<S> {
        let mut candidates = Vec::with_capacity(4 * piece.len());
        let mut counts = LayerCounts::default();
        let injective = self.puzzle.is_injective();
        if !self.counting {
            for &state in piece {
                self.puzzle.states_into(state, &mut candidates);
            }
            sort_tail(&mut candidates, 0);
            return Expanded { candidates, counts };
        }
        for &state in piece {
            let first = candidates.len();
            self.puzzle.states_into(state, &mut candidates);
            if !injective {
                sort_tail(&mut candidates, first);
            }
            let degree = candidates.len() - first;
            let goal = self.puzzle.is_goal(state);
            counts.goals += u64::from(goal);
            counts.dead_ends += u64::from(degree == 0 && !goal);
            counts.transitions += degree as u64;
            counts.single += u64::from(degree == 1 && !goal);
            counts.cut = counts.cut || (look_for_cuts && self.puzzle.is_cut(state));
        }
        sort_tail(&mut candidates, 0);
        Expanded { candidates, counts }
    }
}

/// Sorts and deduplicates the end of a list.
pub(crate) fn sort_tail<S: Copy + Ord>(list: &mut Vec<S>, first: usize) {
    list[first..].sort_unstable();
    forget_repeats(list, first);
}

/// Drops repeats from the sorted end of a list, without a branch that cannot be foreseen.
fn forget_repeats<S: Copy + Ord>(list: &mut Vec<S>, first: usize) {
    let mut last = first;
    for i in first + 1..list.len() {
        let state = list[i];
        last += usize::from(state != list[last]);
        list[last] = state;
    }
    list.truncate((last + 1).max(first));
}

/// States a thread takes at a time from a layer.
fn piece_size(state_count: usize) -> usize {
    state_count
        .div_ceil(4 * rayon::current_num_threads())
        .clamp(PIECE / 8, PIECE)
}

/// Joins sorted lists into one without repeats and without what is in any `old` list.
fn join<S: Copy + Ord + Send + Sync>(lists: &[Vec<S>], old: &[&[S]]) -> Vec<S> {
    let total: usize = lists.iter().map(Vec::len).sum();
    if total <= SMALL_JOIN {
        return join_range(lists, old, None, None);
    }
    let parts = 4 * rayon::current_num_threads();
    let longest = lists.iter().max_by_key(|l| l.len()).expect("some list");
    let mut splits: Vec<S> = (1..parts)
        .map(|i| longest[i * longest.len() / parts])
        .collect();
    splits.dedup();
    let bounds: Vec<(Option<S>, Option<S>)> = std::iter::once(None)
        .chain(splits.iter().copied().map(Some))
        .zip(
            splits
                .iter()
                .copied()
                .map(Some)
                .chain(std::iter::once(None)),
        )
        .collect();
    let parts: Vec<Vec<S>> = bounds
        .par_iter()
        .map(|&(from, to)| join_range(lists, old, from, to))
        .collect();
    parts.concat()
}

fn join_range<S: Copy + Ord>(
    lists: &[Vec<S>],
    old: &[&[S]],
    from: Option<S>,
    to: Option<S>,
) -> Vec<S> {
    let mut all = Vec::new();
    for list in lists {
        let start = from.map_or(0, |from| list.partition_point(|s| *s < from));
        let end = to.map_or(list.len(), |to| list.partition_point(|s| *s < to));
        all.extend_from_slice(&list[start..end]);
    }
    if lists.len() > 1 {
        // The stable sort finds the sorted stretches and merges them.
        all.sort();
        forget_repeats(&mut all, 0);
    }
    for seen in old {
        subtract(&mut all, seen);
    }
    all
}
