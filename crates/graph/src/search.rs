//! Breadth-first search by sorted layers, in parallel.
//!
//! A layer is a sorted list. Threads expand pieces of it into sorted candidate lists; the lists are
//! joined range by range, and what was seen before is taken out by a merge. No table is probed at
//! random, and the result is a set, so it cannot depend on the number of threads.

use std::io;

use crate::expand::{Expand, State};
use crate::expander::{Around, Expander};
use crate::kept::{Kept, Needs};
use crate::numbers::Numbers;
use crate::observe::{Limit, Limits, Observer, Outcome, Progress, Stage};
use crate::space::{LayerCounts, Layers};
use crate::visited::Runs;

/// Bytes that a full analysis needs for each state beyond its word, its depth and its remoteness: the
/// state's place in its layer, bits of sets, predecessors that are being gathered.
const ANALYSIS_BYTES: u64 = 7;
/// Bytes that it needs for each state of the widest layer: walks are counted in two layers at a time.
pub const WIDEST_BYTES: u64 = 40;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found<S> {
    /// How it ended.
    pub outcome: Outcome,
    /// Counts by depth.
    pub counts: Vec<LayerCounts>,
    /// All states, ascending; empty if they were not kept.
    pub states: Vec<S>,
    /// The depth of each of them.
    pub depths: Numbers,
}

impl<S: Copy + Ord> Found<S> {
    /// What a search would have found whose layers are these; in any order within.
    #[must_use]
    pub fn of_layers(outcome: Outcome, counts: Vec<LayerCounts>, layers: Vec<Vec<S>>) -> Self {
        let mut all = Runs::new(true);
        for (depth, mut layer) in (0..).zip(layers) {
            layer.sort_unstable();
            all.add(layer, depth);
        }
        let all = all.into_one();
        Self {
            outcome,
            counts,
            states: all.states,
            depths: all.depths,
        }
    }

    /// The states of each layer, ascending.
    ///
    /// # Panics
    /// If the states were not kept.
    #[must_use]
    pub fn by_depth(&self) -> Vec<Vec<S>> {
        let mut layers = vec![Vec::new(); self.counts.len()];
        for (slot, &state) in (0..).zip(&self.states) {
            let depth = self.depths.get(slot).expect("every state has a depth");
            layers[depth as usize].push(state);
        }
        layers
    }
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
/// With `keep`, states and depths are kept; without, only what is needed to tell new states from
/// old: the last two layers of undirected puzzles, nothing of graded ones, else all states. Time
/// grows with the transitions; memory is a word for each state that is kept and a bounded number of
/// candidates.
pub fn search<S: State>(
    puzzle: &dyn Expand<S>,
    keep: bool,
    limits: &Limits,
    observer: &dyn Observer,
) -> Found<S> {
    Search::new(puzzle, keep, limits, observer).run(puzzle.starts(), Stage::Search, &mut |_| {})
}

/// As [`search`], going on with what was kept, and keeping what it takes to go on.
///
/// # Errors
/// Those of the keeper, and kept parts that are not those of such a search.
pub fn search_kept<S: State>(
    puzzle: &dyn Expand<S>,
    keep: bool,
    limits: &Limits,
    observer: &dyn Observer,
    kept: &mut Kept<'_, S>,
) -> io::Result<Found<S>> {
    go_on(puzzle, keep, limits, observer, kept, &mut |_, _| {})
}

/// As [`search_by_layers`], going on with what was kept, and keeping what it takes to go on. `visit`
/// is told the depth; it is handed the layers that were kept besides before those found now.
///
/// # Errors
/// As [`search_kept`].
pub fn search_by_layers_kept<S: State>(
    puzzle: &dyn Expand<S>,
    limits: &Limits,
    observer: &dyn Observer,
    kept: &mut Kept<'_, S>,
    visit: &mut dyn FnMut(usize, &[S]),
) -> io::Result<Found<S>> {
    go_on(puzzle, false, limits, observer, kept, visit)
}

fn go_on<S: State>(
    puzzle: &dyn Expand<S>,
    keep: bool,
    limits: &Limits,
    observer: &dyn Observer,
    kept: &mut Kept<'_, S>,
    visit: &mut dyn FnMut(usize, &[S]),
) -> io::Result<Found<S>> {
    let mut search = Search::new(puzzle, keep, limits, observer);
    let needs = match (keep || search.needs_all_layers(), search.needs_two_layers()) {
        (true, _) => Needs::All,
        (false, true) => Needs::Last(1),
        (false, false) => Needs::Last(0),
    };
    let mut starts = puzzle.starts();
    if let Some(begun) = kept.begin(needs)? {
        for depth in kept.kept_besides(&begun.counts) {
            visit(depth, &kept.read_layer(depth, begun.counts[depth].states)?);
        }
        search.cut_found = begun.counts.iter().any(|layer| layer.cut);
        search.before = begun.counts.iter().map(|layer| layer.states).sum();
        search.counts = begun.counts;
        for (depth, layer) in begun.layers {
            search.keep_layer(layer, depth as u32);
        }
        starts = begun.next;
    }
    search.kept = Some(kept);
    let mut failure = None;
    let mut depth = search.counts.len();
    let mut visit_next = |layer: &[S]| {
        visit(depth, layer);
        depth += 1;
    };
    let found = search.run_kept(starts, Stage::Search, &mut visit_next, &mut failure);
    match failure {
        Some(error) => Err(error),
        None => Ok(found),
    }
}

/// As [`search`] without `keep`, handing each layer to `visit`, sorted, before it is expanded.
pub fn search_by_layers<S: State>(
    puzzle: &dyn Expand<S>,
    limits: &Limits,
    observer: &dyn Observer,
    visit: &mut dyn FnMut(&[S]),
) -> Found<S> {
    search_from(
        puzzle,
        puzzle.starts(),
        Stage::Search,
        limits,
        observer,
        visit,
    )
}

/// As [`search_by_layers`], from any states. Goals and dead ends are counted only in the stage of the
/// search.
pub(crate) fn search_from<S: State>(
    puzzle: &dyn Expand<S>,
    states: Vec<S>,
    stage: Stage,
    limits: &Limits,
    observer: &dyn Observer,
    visit: &mut dyn FnMut(&[S]),
) -> Found<S> {
    Search::new(puzzle, false, limits, observer).run(states, stage, visit)
}

struct Search<'a, 'k, S> {
    /// Where it is kept, if it is.
    kept: Option<&'a mut Kept<'k, S>>,
    /// States of the layers that were found by an earlier process.
    before: u64,
    puzzle: &'a dyn Expand<S>,
    keep: bool,
    limits: &'a Limits,
    observer: &'a dyn Observer,
    expander: Expander<'a, S>,
    /// All states of the layers before the one at work, where they are kept or needed.
    seen: Runs<S>,
    /// The layer before the one at work, where it tells all old states with it.
    previous: Vec<S>,
    counts: Vec<LayerCounts>,
    cut_found: bool,
}

impl<'a, S: State> Search<'a, '_, S> {
    fn new(
        puzzle: &'a dyn Expand<S>,
        keep: bool,
        limits: &'a Limits,
        observer: &'a dyn Observer,
    ) -> Self {
        Self {
            kept: None,
            before: 0,
            puzzle,
            keep,
            limits,
            observer,
            expander: Expander::new(puzzle, limits, observer),
            seen: Runs::new(keep),
            previous: Vec::new(),
            counts: Vec::new(),
            cut_found: false,
        }
    }

    fn run(self, starts: Vec<S>, stage: Stage, visit: &mut dyn FnMut(&[S])) -> Found<S> {
        self.run_kept(starts, stage, visit, &mut None)
    }

    /// As `run`; a failure of the keeper breaks it off.
    fn run_kept(
        mut self,
        starts: Vec<S>,
        stage: Stage,
        visit: &mut dyn FnMut(&[S]),
        failure: &mut Option<io::Error>,
    ) -> Found<S> {
        self.expander.counting = stage == Stage::Search;
        let mut layer = starts;
        layer.sort_unstable();
        layer.dedup();
        let mut total = self.before + layer.len() as u64;
        let mut outcome = Outcome::Complete;
        if let Some(kept) = self.kept.as_mut().filter(|_| self.counts.is_empty()) {
            kept.found(0, &layer);
        }
        for depth in self.counts.len() as u32.. {
            // A kept search may have ended.
            if layer.is_empty() && depth > 0 {
                break;
            }
            visit(&layer);
            let at_last_depth = self.limits.max_depth == Some(depth);
            let (next, counts) = match self.next_layer(&layer, at_last_depth) {
                Ok(next) => next,
                Err(reason) => {
                    if let Some(kept) = &mut self.kept
                        && let Err(error) = kept.stands(&self.counts, layer.len() as u64, true)
                    {
                        *failure = Some(error);
                    }
                    self.stop(layer, depth);
                    outcome = Outcome::Stopped { reason, depth };
                    break;
                }
            };
            self.cut_found |= counts.cut;
            self.counts.push(counts);
            let progress = Progress {
                stage,
                layer: depth,
                layer_states: layer.len() as u64,
                states: total,
            };
            let broken = self.observer.layer(&progress).is_break();
            total += next.len() as u64;
            self.keep_layer(layer, depth);
            let stops = next.is_empty() || self.limit_passed(broken, total).is_some();
            if let Some(kept) = &mut self.kept {
                kept.found(depth as usize + 1, &next);
                if let Err(error) = kept.stands(&self.counts, next.len() as u64, stops) {
                    *failure = Some(error);
                    outcome = Outcome::Stopped {
                        reason: Limit::Interrupt,
                        depth,
                    };
                    break;
                }
            }
            if next.is_empty() {
                break;
            }
            if let Some(reason) = self.limit_passed(broken, total) {
                outcome = Outcome::Stopped { reason, depth };
                break;
            }
            layer = next;
        }
        let mut kept = self.seen;
        if !self.keep {
            kept = Runs::new(false);
        }
        let all = kept.into_one();
        Found {
            outcome,
            counts: self.counts,
            states: all.states,
            depths: all.depths,
        }
    }

    /// Which limit a next layer would pass.
    fn limit_passed(&self, broken: bool, total: u64) -> Option<Limit> {
        if broken {
            return Some(Limit::Interrupt);
        }
        if self.limits.max_states.is_some_and(|most| total > most) {
            return Some(Limit::States);
        }
        self.expander.out_of_time().then_some(Limit::Time)
    }

    /// Records a last layer whose successors are unknown.
    fn stop(&mut self, layer: Vec<S>, depth: u32) {
        let goals = layer.iter().filter(|&&s| self.puzzle.is_goal(s)).count() as u64;
        let counts = LayerCounts {
            states: layer.len() as u64,
            goals,
            ..LayerCounts::default()
        };
        self.counts.push(counts);
        if self.keep {
            self.seen.add(layer, depth);
        }
    }

    /// Whether new states are told from old by the last two layers.
    fn needs_two_layers(&self) -> bool {
        self.puzzle.is_undirected() && !self.puzzle.is_graded()
    }

    fn needs_all_layers(&self) -> bool {
        !self.puzzle.is_undirected() && !self.puzzle.is_graded()
    }

    fn keep_layer(&mut self, layer: Vec<S>, depth: u32) {
        match (
            self.keep || self.needs_all_layers(),
            self.needs_two_layers(),
        ) {
            (true, true) => {
                self.previous.clone_from(&layer);
                self.seen.add(layer, depth);
            }
            (true, false) => self.seen.add(layer, depth),
            (false, true) => self.previous = layer,
            (false, false) => {}
        }
    }

    fn next_layer(&mut self, layer: &[S], probe: bool) -> Result<(Vec<S>, LayerCounts), Limit> {
        let mut old = Vec::new();
        if self.needs_all_layers() {
            old.extend(self.seen.slices());
        }
        if !self.puzzle.is_graded() {
            old.extend([layer, &self.previous]);
        }
        let word = size_of::<S>() as u64;
        let (kept, here) = (self.seen.len() as u64, layer.len() as u64);
        let widest = self.counts.iter().map(|counts| counts.states).max();
        let widest = widest.unwrap_or(0).max(here);
        // Two runs are merged while the smaller one, a third of all at most, is still there.
        let merging = (kept + here) / 3 * word;
        let (depth_bytes, needed, needed_each) = if self.keep {
            let depth_bytes = Numbers::bytes_for(self.counts.len() as u32);
            let each = depth_bytes + ANALYSIS_BYTES;
            let analysis = (kept + here) * each + widest * WIDEST_BYTES;
            (
                depth_bytes,
                merging.max(analysis),
                word / 3 + depth_bytes + each,
            )
        } else if self.needs_all_layers() {
            (0, merging, word / 3)
        } else {
            (0, 0, 0)
        };
        let around = Around {
            old,
            look_for_cuts: !self.cut_found && self.puzzle.can_cut(),
            probe,
            held: kept * (word + depth_bytes) + self.previous.len() as u64 * word,
            needed,
            needed_each,
        };
        self.expander.next(layer, &around)
    }
}
