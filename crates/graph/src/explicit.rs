//! The explicit space: every reached state in one sorted list, sets as slot numbers in it.
//!
//! A pass over many states in order asks for successors in nearly ascending order, move by move
//! (a placed rule keeps the order of words). So each move has a cursor into the list, and finding
//! a successor is a short walk from where the last one was, not a search.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use impasse_model::puzzle::Move;
use rayon::prelude::*;

use crate::expand::{Expand, State, Unexpand};
use crate::lookup::{Cursors, locate, numbered};
use crate::observe::{Observer, Outcome, Progress, Stage};
use crate::search::{Found, layers_around, sort_tail};
use crate::slots::SlotSet;
use crate::space::{Indexed, LayerCounts, Layers, Space, Tally, retrograde_by_sets};

/// Slots a thread takes at a time.
const PIECE: usize = 1 << 14;

/// Predecessors by slot.
#[derive(Clone, Debug, Default)]
pub struct Predecessors {
    first: Vec<u64>,
    from: Vec<u32>,
}

/// A completely enumerated space.
pub struct Explicit<S> {
    puzzle: Arc<dyn Expand<S>>,
    inverse: Option<Arc<dyn Unexpand<S>>>,
    predecessors: Predecessors,
    states: Vec<S>,
    depth: Vec<u32>,
    /// Slots by number (by depth, then by board order).
    order: Vec<u32>,
    /// Where each layer begins in `order`.
    first: Vec<u32>,
    goals: SlotSet,
    counts: Vec<LayerCounts>,
    outcome: Outcome,
}

/// A space has more states than slots can number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} states are more than can be numbered (4294967294)")]
pub struct TooManyStates(pub u64);

impl<S: State> Explicit<S> {
    /// A space whose predecessors are collected from its transitions.
    ///
    /// # Errors
    /// [`TooManyStates`].
    pub fn collected(puzzle: Arc<dyn Expand<S>>, found: Found<S>) -> Result<Self, TooManyStates> {
        let mut space = Self::build(puzzle, found, None)?;
        space.predecessors = space.collect_predecessors();
        Ok(space)
    }

    /// A space whose predecessors come from the puzzle's inverse moves.
    ///
    /// # Errors
    /// [`TooManyStates`].
    pub fn reversible<P>(puzzle: &Arc<P>, found: Found<S>) -> Result<Self, TooManyStates>
    where
        P: Unexpand<S> + 'static,
    {
        Self::build(puzzle.clone(), found, Some(puzzle.clone()))
    }

    fn build(
        puzzle: Arc<dyn Expand<S>>,
        mut found: Found<S>,
        inverse: Option<Arc<dyn Unexpand<S>>>,
    ) -> Result<Self, TooManyStates> {
        let total: usize = found.layers.iter().map(Vec::len).sum();
        if total >= u32::MAX as usize {
            return Err(TooManyStates(total as u64));
        }
        let mut first = vec![0];
        let (states, depth) = numbered(&mut found.layers);
        for layer in &found.counts[..found.layers.len()] {
            first.push(first.last().expect("one entry") + layer.states as u32);
        }
        let mut next = first.clone();
        let mut order = vec![0; total];
        for (slot, &depth) in (0..).zip(&depth) {
            order[next[depth as usize] as usize] = slot;
            next[depth as usize] += 1;
        }
        let goals = (0..total as u32)
            .into_par_iter()
            .with_min_len(PIECE)
            .filter(|&slot| puzzle.is_goal(states[slot as usize]))
            .collect();
        let goals = SlotSet::gather(vec![goals], total as u32);
        Ok(Self {
            puzzle,
            inverse,
            predecessors: Predecessors::default(),
            states,
            depth,
            order,
            first,
            goals,
            counts: found.counts,
            outcome: found.outcome,
        })
    }

    /// Whether the state in a slot is a goal.
    #[must_use]
    pub fn is_goal(&self, slot: u32) -> bool {
        self.goals.has(slot)
    }

    fn cursors(&self) -> Cursors<'_, S> {
        Cursors::new(&self.states, self.puzzle.move_bound())
    }

    fn collect_predecessors(&self) -> Predecessors {
        let pairs: Vec<Vec<(u32, u32)>> = Self::pieces(&SlotSet::all(self.slot_count()), |slots| {
            let mut cursors = self.cursors();
            let mut pairs = Vec::new();
            let mut moves = Vec::new();
            for &slot in slots {
                moves.clear();
                self.puzzle
                    .moves_into(self.states[slot as usize], &mut moves);
                for &(mv, next) in &moves {
                    let to = self.known(cursors.find(mv, next));
                    pairs.extend(to.map(|to| (to, slot)));
                }
            }
            pairs.sort_unstable();
            pairs.dedup();
            pairs
        });
        let mut first = vec![0_u64; self.states.len() + 1];
        for &(to, _) in pairs.iter().flatten() {
            first[to as usize + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        let mut next = first.clone();
        let mut from = vec![0; *first.last().expect("one more than states") as usize];
        for &(to, slot) in pairs.iter().flatten() {
            from[next[to as usize] as usize] = slot;
            next[to as usize] += 1;
        }
        Predecessors { first, from }
    }

    /// Works on the slots of a set piece by piece, in parallel; results in order.
    fn pieces<R: Send>(of: &SlotSet, work: impl Fn(&[u32]) -> R + Sync + Send) -> Vec<R> {
        match of {
            SlotSet::Few(list) if list.len() <= PIECE / 4 => vec![work(list)],
            SlotSet::Few(list) => {
                let size = list
                    .len()
                    .div_ceil(4 * rayon::current_num_threads())
                    .clamp(256, PIECE);
                list.par_chunks(size).map(work).collect()
            }
            SlotSet::Many(bits) => bits
                .par_chunks(PIECE / 64)
                .enumerate()
                .map(|(i, words)| {
                    let mut list = Vec::with_capacity(PIECE);
                    for (j, &word) in words.iter().enumerate() {
                        let mut left = word;
                        while left != 0 {
                            let at = i * PIECE + 64 * j + left.trailing_zeros() as usize;
                            list.push(at as u32);
                            left &= left - 1;
                        }
                    }
                    work(&list)
                })
                .collect(),
        }
    }

    /// The reached predecessors of the slots, by all moves or those of one effect; one may come
    /// twice. They are sorted before they are looked up: then one cursor serves for all.
    fn predecessors(&self, slots: &[u32], effect: Option<u32>) -> Vec<u32> {
        let Some(inverse) = &self.inverse else {
            let from = &self.predecessors;
            let ranges = slots
                .iter()
                .map(|&slot| slot as usize)
                .map(|slot| &from.from[from.first[slot] as usize..from.first[slot + 1] as usize]);
            return ranges.flatten().copied().collect();
        };
        let mut states = Vec::new();
        let mut moves = Vec::new();
        for &slot in slots {
            let state = self.states[slot as usize];
            if effect.is_none() {
                inverse.unstates_into(state, &mut states);
            } else {
                moves.clear();
                inverse.unmoves_into(state, &mut moves);
                let wanted = moves.iter().filter(|m| self.puzzle.effect(m.0) == effect);
                states.extend(wanted.map(|m| m.1));
            }
        }
        sort_tail(&mut states, 0);
        let mut found = Vec::with_capacity(states.len());
        locate(&self.states, &states, |slot| found.push(slot));
        found
    }

    /// A looked-up successor. In a completed space every successor is reached; at the rim of a
    /// stopped one it may not be.
    #[inline]
    fn known(&self, slot: Option<u32>) -> Option<u32> {
        assert!(
            slot.is_some() || self.outcome != Outcome::Complete,
            "a successor of a completed space was not reached"
        );
        slot
    }

    /// The distinct successors of one state, ascending by slot, each with its first move.
    pub fn successors(&self, slot: u32, out: &mut Vec<(u32, Move)>) {
        out.clear();
        let mut moves = Vec::new();
        self.puzzle
            .moves_into(self.states[slot as usize], &mut moves);
        for (mv, next) in moves {
            let to = self.known(self.find(next));
            out.extend(to.map(|to| (to, mv)));
        }
        out.sort_unstable();
        out.dedup_by_key(|t| t.0);
    }
}

impl<S: State> Layers for Explicit<S> {
    fn outcome(&self) -> Outcome {
        self.outcome
    }
    fn layers(&self) -> &[LayerCounts] {
        &self.counts
    }
}

impl<S: State> Indexed for Explicit<S> {
    type State = S;

    fn slot_count(&self) -> u32 {
        self.states.len() as u32
    }
    fn slots(&self, set: &SlotSet, visit: &mut dyn FnMut(u32)) {
        set.each(visit);
    }
    fn state(&self, slot: u32) -> S {
        self.states[slot as usize]
    }
    fn find(&self, state: S) -> Option<u32> {
        self.states
            .binary_search(&state)
            .ok()
            .map(|slot| slot as u32)
    }
    fn depth(&self, slot: u32) -> u32 {
        self.depth[slot as usize]
    }
    fn id(&self, slot: u32) -> u32 {
        let depth = self.depth[slot as usize] as usize;
        let layer = &self.order[self.first[depth] as usize..self.first[depth + 1] as usize];
        self.first[depth] + layer.binary_search(&slot).expect("in its layer") as u32
    }
    fn slot(&self, id: u32) -> u32 {
        self.order[id as usize]
    }

    fn each_successors(&self, slots: &[u32], visit: &mut dyn FnMut(u32, &[u32])) {
        let mut cursors = self.cursors();
        let (mut moves, mut next) = (Vec::new(), Vec::new());
        for &slot in slots {
            moves.clear();
            self.puzzle
                .moves_into(self.states[slot as usize], &mut moves);
            next.clear();
            next.extend(
                moves
                    .iter()
                    .filter_map(|&(mv, to)| self.known(cursors.find(mv, to))),
            );
            next.sort_unstable();
            next.dedup();
            visit(slot, &next);
        }
    }

    fn is_reversible(&self, observer: &dyn Observer) -> ControlFlow<(), bool> {
        if self.puzzle.is_undirected() {
            return ControlFlow::Continue(true);
        }
        let refuted = AtomicBool::new(false);
        let pieces = Self::pieces(&self.reached(), |slots| {
            for &slot in slots {
                if refuted.load(Ordering::Relaxed) {
                    return true;
                }
                if observer.interrupted() {
                    return false;
                }
                let state = self.states[slot as usize];
                let (mut there, mut back) = (Vec::new(), Vec::new());
                self.puzzle.states_into(state, &mut there);
                let returns = there.iter().all(|&next| {
                    back.clear();
                    self.puzzle.states_into(next, &mut back);
                    back.contains(&state)
                });
                if !returns {
                    refuted.store(true, Ordering::Relaxed);
                }
            }
            true
        });
        if pieces.contains(&false) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(!refuted.into_inner())
    }
}

/// What one piece of a tally gives.
#[derive(Default)]
struct PieceTally {
    transitions: u64,
    blocking: Vec<(u32, u64)>,
    points: Vec<u32>,
    only: u64,
    movable: Vec<u32>,
    graded: bool,
}

impl<S: State> Explicit<S> {
    /// The tally where nothing is lost and every move can be taken back, in a space of one start and
    /// more states: all of it was counted by the search.
    fn tally_of_undirected(&self) -> Tally<SlotSet> {
        Tally {
            transitions: self.counts.iter().map(|l| l.transitions).sum(),
            blocking: vec![0; self.counts.len()],
            points_of_no_return: SlotSet::none(),
            only_moves: self.counts.iter().map(|l| l.single).sum(),
            movable: self.reached(),
            graded: false,
        }
    }

    fn tally_piece(&self, slots: &[u32], live: &SlotSet, all_live: bool) -> PieceTally {
        let mut cursors = self.cursors();
        let mut out = PieceTally {
            graded: true,
            ..PieceTally::default()
        };
        let mut next: Vec<u32> = Vec::new();
        let mut moves: Vec<(Move, S)> = Vec::new();
        for &slot in slots {
            let state = self.states[slot as usize];
            moves.clear();
            self.puzzle.moves_into(state, &mut moves);
            next.clear();
            next.extend(
                moves
                    .iter()
                    .filter_map(|&(mv, to)| self.known(cursors.find(mv, to))),
            );
            if !self.puzzle.is_injective() {
                next.sort_unstable();
                next.dedup();
            }
            let degree = next.len();
            out.transitions += degree as u64;
            if degree > 0 {
                out.movable.push(slot);
            }
            let depth = self.depth[slot as usize];
            out.graded &= next.iter().all(|&to| self.depth[to as usize] == depth + 1);
            if !all_live && !live.has(slot) {
                continue;
            }
            let keeping = if all_live {
                degree
            } else {
                next.iter().filter(|&&to| live.has(to)).count()
            };
            if keeping < degree {
                out.points.push(slot);
                out.blocking.push((depth, (degree - keeping) as u64));
            }
            if keeping == 1 && !self.goals.has(slot) {
                out.only += 1;
            }
        }
        out
    }
}

impl<S: State> Space for Explicit<S> {
    type Set = SlotSet;

    fn none(&self) -> SlotSet {
        SlotSet::none()
    }
    fn reached(&self) -> SlotSet {
        SlotSet::all(self.slot_count())
    }
    fn layer(&self, depth: usize) -> SlotSet {
        let layer = &self.order[self.first[depth] as usize..self.first[depth + 1] as usize];
        SlotSet::gather(vec![layer.to_vec()], self.slot_count())
    }
    fn goals(&self) -> SlotSet {
        self.goals.clone()
    }
    fn count(&self, set: &SlotSet) -> u64 {
        set.count()
    }
    fn histogram(&self, set: &SlotSet) -> Vec<u64> {
        let mut counts = vec![0; self.counts.len()];
        set.each(|slot| counts[self.depth[slot as usize] as usize] += 1);
        counts
    }
    fn or(&self, a: &mut SlotSet, b: &SlotSet) {
        a.or(b, self.slot_count());
    }
    fn and(&self, a: &mut SlotSet, b: &SlotSet) {
        a.and(b);
    }
    fn minus(&self, a: &mut SlotSet, b: &SlotSet) {
        a.minus(b);
    }
    fn effects(&self) -> Option<u32> {
        self.puzzle
            .effect_bound()
            .filter(|_| self.inverse.is_some())
    }

    fn image(&self, effect: Option<u32>, of: &SlotSet) -> SlotSet {
        let lists = Self::pieces(of, |slots| {
            let mut cursors = self.cursors();
            let (mut moves, mut list) = (Vec::new(), Vec::new());
            for &slot in slots {
                moves.clear();
                self.puzzle
                    .moves_into(self.states[slot as usize], &mut moves);
                for &(mv, next) in &moves {
                    if effect.is_none() || self.puzzle.effect(mv) == effect {
                        list.extend(self.known(cursors.find(mv, next)));
                    }
                }
            }
            list
        });
        SlotSet::gather(lists, self.slot_count())
    }

    fn preimage(&self, effect: Option<u32>, of: &SlotSet) -> SlotSet {
        let lists = Self::pieces(of, |slots| self.predecessors(slots, effect));
        SlotSet::gather(lists, self.slot_count())
    }

    fn new_predecessors(&self, of: &SlotSet, known: &SlotSet) -> SlotSet {
        let lists = Self::pieces(of, |slots| {
            let mut list = self.predecessors(slots, None);
            list.retain(|&slot| !known.has(slot));
            list
        });
        SlotSet::gather(lists, self.slot_count())
    }

    fn retrograde(
        &self,
        observer: &dyn Observer,
        visit: &mut dyn FnMut(u32, &SlotSet),
    ) -> ControlFlow<()> {
        if !self.puzzle.is_undirected() || self.outcome != Outcome::Complete {
            return retrograde_by_sets(self, observer, visit);
        }
        // Predecessors are successors and all of them are reached, so the goals are as good a place
        // to begin as the starts.
        let goals = self
            .goals
            .list()
            .iter()
            .map(|&slot| self.states[slot as usize])
            .collect();
        let found = layers_around(&*self.puzzle, goals, observer);
        if found.outcome != Outcome::Complete {
            return ControlFlow::Break(());
        }
        for (remoteness, layer) in (0..).zip(found.layers) {
            if layer.is_empty() {
                break;
            }
            let mut slots = Vec::with_capacity(layer.len());
            locate(&self.states, &layer, |slot| slots.push(slot));
            visit(remoteness, &SlotSet::gather(vec![slots], self.slot_count()));
        }
        ControlFlow::Continue(())
    }

    fn tally(&self, live: &SlotSet, observer: &dyn Observer) -> ControlFlow<(), Tally<SlotSet>> {
        let bound = self.slot_count();
        let live = &SlotSet::Many(live.to_bits(bound));
        let all_live = live.count() == u64::from(bound);
        if all_live && self.puzzle.is_undirected() && self.counts[0].states == 1 && bound > 1 {
            return ControlFlow::Continue(self.tally_of_undirected());
        }
        let pieces = Self::pieces(&self.reached(), |slots| {
            (!observer.interrupted()).then(|| self.tally_piece(slots, live, all_live))
        });
        let mut tally = Tally {
            transitions: 0,
            blocking: vec![0; self.counts.len()],
            points_of_no_return: SlotSet::none(),
            only_moves: 0,
            movable: SlotSet::none(),
            graded: true,
        };
        let (mut points, mut movable) = (Vec::new(), Vec::new());
        for piece in pieces {
            let Some(piece) = piece else {
                return ControlFlow::Break(());
            };
            tally.transitions += piece.transitions;
            tally.graded &= piece.graded;
            for (depth, count) in piece.blocking {
                tally.blocking[depth as usize] += count;
            }
            points.push(piece.points);
            tally.only_moves += piece.only;
            movable.push(piece.movable);
        }
        tally.points_of_no_return = SlotSet::gather(points, bound);
        tally.movable = SlotSet::gather(movable, bound);
        observer.layer(&Progress {
            stage: Stage::Tally,
            layer: 0,
            layer_states: u64::from(bound),
            states: u64::from(bound),
        })?;
        ControlFlow::Continue(tally)
    }
}
