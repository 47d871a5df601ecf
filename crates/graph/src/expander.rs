//! From a layer to the next: all successors in sorted waves, without what is known.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::expand::{Expand, State};
use crate::observe::{Limit, Limits, Observer};
use crate::room::Room;
use crate::sort::{sort_distinct, sort_tail};
use crate::space::LayerCounts;
use crate::visited::{Runs, subtract};

/// Bytes of the states a thread expands at a time.
const PIECE_BYTES: usize = 1 << 16;
/// Candidate lists with fewer entries in all are joined in one piece.
const SMALL_JOIN: usize = 1 << 15;
/// Candidates that are joined at a time by one thread.
const JOINED: usize = 1 << 16;

/// Expands layers of one puzzle within limits.
pub(crate) struct Expander<'a, S> {
    puzzle: &'a dyn Expand<S>,
    observer: &'a dyn Observer,
    began: Instant,
    max_time: Option<Duration>,
    broken: AtomicBool,
    /// Candidates a state of the last wave, rounded up: what the next is reckoned with.
    degree: AtomicUsize,
    pub(crate) room: Room<'a>,
    /// Whether goals, dead ends and the like are counted.
    pub(crate) counting: bool,
}

/// What surrounds a layer.
pub(crate) struct Around<'a, S> {
    /// Sorted lists of states that are not new.
    pub(crate) old: Vec<&'a [S]>,
    /// Whether to ask each state if the window cuts a move off.
    pub(crate) look_for_cuts: bool,
    /// Whether to stop with [`Limit::Depth`] at the first new state.
    pub(crate) probe: bool,
    /// Bytes that the caller holds.
    pub(crate) held: u64,
    /// Bytes that the caller will need beyond, whatever is found.
    pub(crate) needed: u64,
    /// Bytes that it will need beyond for each new state.
    pub(crate) needed_each: u64,
}

impl<S> Around<'_, S> {
    /// Every successor is new, and nothing is held or needed beyond.
    pub(crate) fn nothing() -> Self {
        Self {
            old: Vec::new(),
            look_for_cuts: false,
            probe: false,
            held: 0,
            needed: 0,
            needed_each: 0,
        }
    }
}

/// What expanding a piece of a layer gives: sorted candidates and counts.
struct Expanded<S> {
    candidates: Vec<S>,
    counts: LayerCounts,
}

impl<'a, S: State> Expander<'a, S> {
    pub(crate) fn new(
        puzzle: &'a dyn Expand<S>,
        limits: &Limits,
        observer: &'a dyn Observer,
    ) -> Self {
        Self {
            puzzle,
            observer,
            began: Instant::now(),
            max_time: limits.max_time,
            broken: AtomicBool::new(false),
            degree: AtomicUsize::new(8),
            room: Room::new(limits.memory_bytes, observer),
            counting: true,
        }
    }

    pub(crate) fn out_of_time(&self) -> bool {
        self.max_time
            .is_some_and(|most| self.began.elapsed() >= most)
    }

    /// Expands a sorted layer: the new states, sorted, and its counts.
    ///
    /// # Errors
    /// The limit that was hit on the way.
    pub(crate) fn next(
        &self,
        layer: &[S],
        around: &Around<'_, S>,
    ) -> Result<(Vec<S>, LayerCounts), Limit> {
        let mut counts = LayerCounts {
            states: layer.len() as u64,
            ..LayerCounts::default()
        };
        let mut next = Runs::new(false);
        let mut left = layer;
        let (mut expanded, mut candidates_seen) = (0, 0);
        while !left.is_empty() {
            let held = around.held + ((layer.len() + next.len()) * size_of::<S>()) as u64;
            let wave = (self.room.wave(held) as usize / size_of::<S>()).max(1);
            let mut lists: Vec<Vec<S>> = Vec::new();
            let mut gathered = 0;
            while gathered < wave && !left.is_empty() {
                let degree = self.degree.load(Ordering::Relaxed);
                let size = ((wave - gathered) / degree)
                    .max(piece_states::<S>() * rayon::current_num_threads())
                    .min(left.len());
                let candidates = (gathered + size * degree) as u64;
                let found = next.len() as u64 + candidates;
                // Candidates, room to sort and to join them in.
                let now = 3 * candidates * size_of::<S>() as u64;
                // To merge what is new, and what the caller says.
                let later = next.len() as u64 / 2 * size_of::<S>() as u64
                    + around.needed
                    + found * around.needed_each;
                let held = held + (gathered * size_of::<S>()) as u64;
                if !self.room.fits(held, now, later) {
                    self.observer.note(&format!(
                        "memory: a part of the next layer may need {now} bytes, and {later} later"
                    ));
                    return Err(Limit::Memory);
                }
                let (now, later) = left.split_at(size);
                left = later;
                let pieces = self.pieces(now, around)?;
                for piece in pieces {
                    gathered += piece.candidates.len();
                    lists.push(piece.candidates);
                    counts.goals += piece.counts.goals;
                    counts.dead_ends += piece.counts.dead_ends;
                    counts.transitions += piece.counts.transitions;
                    counts.single += piece.counts.single;
                    counts.cut |= piece.counts.cut;
                }
                expanded += size;
                let degree = (candidates_seen + gathered) / expanded + 2;
                self.degree.store(degree, Ordering::Relaxed);
            }
            candidates_seen += gathered;
            let mut old = around.old.clone();
            old.extend(next.slices());
            let fresh = join(lists, &old);
            next.add(fresh, 0);
        }
        Ok((next.into_one().states, counts))
    }

    /// Expands a part of a layer piece by piece.
    fn pieces(&self, part: &[S], around: &Around<'_, S>) -> Result<Vec<Expanded<S>>, Limit> {
        let size = part
            .len()
            .div_ceil(4 * rayon::current_num_threads())
            .clamp(piece_states::<S>() / 8 + 1, piece_states::<S>());
        let expand = |scratch: &mut Vec<S>, piece: &[S]| {
            if self.broken.load(Ordering::Relaxed) {
                return None;
            }
            if self.observer.interrupted() || self.out_of_time() {
                self.broken.store(true, Ordering::Relaxed);
                return None;
            }
            let expanded = self.expand(piece, around.look_for_cuts, scratch);
            if around.probe && expanded.candidates.iter().any(|s| is_new(&around.old, s)) {
                self.broken.store(true, Ordering::Relaxed);
                return None;
            }
            Some(expanded)
        };
        let pieces: Option<Vec<Expanded<S>>> = if part.len() <= size {
            std::iter::once(part)
                .map(|piece| expand(&mut Vec::new(), piece))
                .collect()
        } else {
            part.par_chunks(size).map_init(Vec::new, expand).collect()
        };
        pieces.ok_or_else(|| {
            if self.observer.interrupted() {
                Limit::Interrupt
            } else if self.out_of_time() {
                Limit::Time
            } else {
                Limit::Depth
            }
        })
    }

    fn expand(&self, piece: &[S], look_for_cuts: bool, scratch: &mut Vec<S>) -> Expanded<S> {
        let mut candidates = Vec::with_capacity(4 * piece.len());
        let mut counts = LayerCounts::default();
        let injective = self.puzzle.is_injective();
        for &state in piece {
            let first = candidates.len();
            self.puzzle.states_into(state, &mut candidates);
            if !self.counting {
                continue;
            }
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
        sort_distinct(&mut candidates, scratch);
        Expanded { candidates, counts }
    }
}

fn is_new<S: Ord>(old: &[&[S]], state: &S) -> bool {
    old.iter().all(|list| list.binary_search(state).is_err())
}

/// States a thread expands at a time.
fn piece_states<S>() -> usize {
    (PIECE_BYTES / size_of::<S>()).max(64)
}

/// Joins sorted lists into one without repeats and without what is in any `old` list.
fn join<S: State>(lists: Vec<Vec<S>>, old: &[&[S]]) -> Vec<S> {
    let total: usize = lists.iter().map(Vec::len).sum();
    if total <= SMALL_JOIN {
        return join_range(&lists, old, None, None, &mut Vec::new());
    }
    let parts = (4 * rayon::current_num_threads()).max(total / JOINED);
    // Every list spreads over the whole range, more or less: a sample of all of them tells where to
    // split.
    let step = (total / (64 * parts)).max(1);
    let mut sample: Vec<S> = lists
        .iter()
        .flat_map(|l| l.iter().step_by(step))
        .copied()
        .collect();
    sample.sort_unstable();
    let mut splits: Vec<S> = (1..parts)
        .map(|i| sample[i * sample.len() / parts])
        .collect();
    splits.dedup();
    let inner = splits.iter().copied().map(Some);
    let bounds: Vec<(Option<S>, Option<S>)> = std::iter::once(None)
        .chain(inner.clone())
        .zip(inner.chain(std::iter::once(None)))
        .collect();
    let parts: Vec<Vec<S>> = bounds
        .par_iter()
        .map_init(Vec::new, |scratch, &(from, to)| {
            let mut part = join_range(&lists, old, from, to, scratch);
            part.shrink_to_fit();
            part
        })
        .collect();
    drop(lists);
    let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    for part in parts {
        all.extend_from_slice(&part);
    }
    all
}

fn join_range<S: State>(
    lists: &[Vec<S>],
    old: &[&[S]],
    from: Option<S>,
    to: Option<S>,
    scratch: &mut Vec<S>,
) -> Vec<S> {
    let mut all = Vec::new();
    let mut runs = 0;
    for list in lists {
        let start = from.map_or(0, |from| list.partition_point(|s| *s < from));
        let end = to.map_or(list.len(), |to| list.partition_point(|s| *s < to));
        all.extend_from_slice(&list[start..end]);
        runs += usize::from(start < end);
    }
    if runs > 1 {
        sort_distinct(&mut all, scratch);
    }
    for seen in old {
        subtract(&mut all, seen);
    }
    all
}
