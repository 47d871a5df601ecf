//! The explicit space: every reached state in one sorted list, sets as slot numbers in it.
//!
//! A pass over many states in order asks for successors in nearly ascending order, move by move
//! (a placed rule keeps the order of words). So each move has a cursor into the list, and finding
//! a successor is a short walk from where the last one was, not a search.

mod predecessors;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use impasse_model::puzzle::Move;
use rayon::prelude::*;

use crate::expand::{Expand, State, Unexpand};
use crate::lookup::{Cursors, locate};
use crate::numbers::Numbers;
use crate::observe::{Limits, Observer, Outcome, Progress, Stage};
use crate::search::{Found, search_from};
use crate::slots::SlotSet;
use crate::sort::sort_distinct;
use crate::space::{Indexed, LayerCounts, Layers, Space, Tally, retrograde_by_sets};
use predecessors::Predecessors;
pub use predecessors::Uncollected;

/// Slots a thread takes at a time.
const PIECE: usize = 1 << 14;
/// Most slots whose predecessors are gathered before they are put into a set.
const GROUP: usize = 1 << 20;

/// A completely enumerated space.
pub struct Explicit<S> {
    puzzle: Arc<dyn Expand<S>>,
    inverse: Option<Arc<dyn Unexpand<S>>>,
    predecessors: Predecessors,
    states: Vec<S>,
    depths: Numbers,
    /// Slots by number (by depth, then by board order), from the first time that they are asked for.
    order: OnceLock<Vec<u32>>,
    /// The number that each layer begins with.
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
        found: Found<S>,
        inverse: Option<Arc<dyn Unexpand<S>>>,
    ) -> Result<Self, TooManyStates> {
        let total = found.states.len();
        if total >= u32::MAX as usize {
            return Err(TooManyStates(total as u64));
        }
        let mut first = vec![0];
        for layer in &found.counts {
            first.push(first.last().expect("one entry") + layer.states as u32);
        }
        let mut space = Self {
            puzzle,
            inverse,
            predecessors: Predecessors::default(),
            states: found.states,
            depths: found.depths,
            order: OnceLock::new(),
            first,
            goals: SlotSet::none(),
            counts: found.counts,
            outcome: found.outcome,
        };
        let lists = Self::pieces(&space.reached(), |slots| {
            let mut goals = Vec::new();
            goals.extend(
                slots
                    .iter()
                    .filter(|&&slot| space.puzzle.is_goal(space.states[slot as usize])),
            );
            goals
        });
        space.goals = SlotSet::gather(lists, total as u32);
        Ok(space)
    }

    /// Slots by number.
    fn order(&self) -> &[u32] {
        self.order.get_or_init(|| {
            let mut next = self.first.clone();
            let mut order = vec![0; self.states.len()];
            for slot in 0..self.slot_count() {
                let place = &mut next[self.depth(slot) as usize];
                order[*place as usize] = slot;
                *place += 1;
            }
            order
        })
    }

    /// The slots of one depth, ascending.
    fn layer_slots(&self, depth: usize) -> &[u32] {
        &self.order()[self.first[depth] as usize..self.first[depth + 1] as usize]
    }

    /// Whether the state in a slot is a goal.
    #[must_use]
    pub fn is_goal(&self, slot: u32) -> bool {
        self.goals.has(slot)
    }

    fn cursors(&self) -> Cursors<'_, S> {
        Cursors::new(&self.states, self.puzzle.move_bound())
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
        sort_distinct(&mut states, &mut Vec::new());
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
        self.depths.get(slot).expect("every state has a depth")
    }
    fn id(&self, slot: u32) -> u32 {
        let depth = self.depth(slot) as usize;
        let at = self.layer_slots(depth).binary_search(&slot);
        self.first[depth] + at.expect("in its layer") as u32
    }
    fn slot(&self, id: u32) -> u32 {
        self.order()[id as usize]
    }
    fn layer_list(&self, depth: usize) -> &[u32] {
        self.layer_slots(depth)
    }

    fn with_successors<N: Send>(
        &self,
        slots: &[u32],
        out: &mut [N],
        visit: &(dyn Fn(u32, &[u32], &mut N) + Sync),
    ) {
        let work = |(slots, out): (&[u32], &mut [N])| {
            let mut cursors = self.cursors();
            let (mut moves, mut next) = (Vec::new(), Vec::new());
            for (&slot, out) in slots.iter().zip(out) {
                moves.clear();
                self.puzzle
                    .moves_into(self.states[slot as usize], &mut moves);
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
                visit(slot, &next, out);
            }
        };
        if slots.len() <= PIECE / 4 {
            work((slots, out));
        } else {
            let size = slots
                .len()
                .div_ceil(4 * rayon::current_num_threads())
                .min(PIECE);
            slots
                .par_chunks(size)
                .zip(out.par_chunks_mut(size))
                .for_each(work);
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
struct PieceTally {
    transitions: u64,
    /// Blocking moves by depth; by depth.
    blocking: Vec<(u32, u64)>,
    only: u64,
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

    /// The tally of the slots from `first` on, one for each bit of the two parts of sets that are
    /// filled in.
    fn tally_piece(
        &self,
        first: u32,
        sets: (&mut [u64], &mut [u64]),
        live: Option<&[u64]>,
    ) -> PieceTally {
        let (points, movable) = sets;
        let mut cursors = self.cursors();
        let mut out = PieceTally {
            transitions: 0,
            blocking: Vec::new(),
            only: 0,
            graded: true,
        };
        let is_live =
            |slot: u32| live.is_none_or(|bits| bits[slot as usize / 64] >> (slot % 64) & 1 == 1);
        let mut next: Vec<u32> = Vec::new();
        let mut moves: Vec<(Move, S)> = Vec::new();
        let last = self.slot_count().min(first + 64 * points.len() as u32);
        for slot in first..last {
            let (word, bit) = ((slot - first) as usize / 64, 1 << (slot % 64));
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
                movable[word] |= bit;
            }
            let depth = self.depth(slot);
            out.graded = out.graded && next.iter().all(|&to| self.depth(to) == depth + 1);
            if !is_live(slot) {
                continue;
            }
            let keeping = next.iter().filter(|&&to| is_live(to)).count();
            if keeping < degree {
                points[word] |= bit;
                out.blocking.push((depth, (degree - keeping) as u64));
            }
            if keeping == 1 && !self.goals.has(slot) {
                out.only += 1;
            }
        }
        out.blocking.sort_unstable();
        out.blocking.dedup_by(|later, first| {
            let same = later.0 == first.0;
            first.1 += u64::from(same) * later.1;
            same
        });
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
        SlotSet::gather(vec![self.layer_slots(depth).to_vec()], self.slot_count())
    }
    fn goals(&self) -> SlotSet {
        self.goals.clone()
    }
    fn count(&self, set: &SlotSet) -> u64 {
        set.count()
    }
    fn histogram(&self, set: &SlotSet) -> Vec<u64> {
        let mut counts = vec![0; self.counts.len()];
        set.each(|slot| counts[self.depth(slot) as usize] += 1);
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
        let mut found = SlotSet::none();
        let group = (self.states.len() / 16).clamp(4 * PIECE, GROUP);
        for part in of.parts(group) {
            let lists = Self::pieces(&part, |slots| {
                let mut list = self.predecessors(slots, None);
                list.retain(|&slot| !known.has(slot));
                list
            });
            found.or_lists(lists, self.slot_count());
        }
        found
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
        let mut goals = Vec::new();
        self.goals
            .each(|slot| goals.push(self.states[slot as usize]));
        if goals.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut remoteness = 0;
        let mut hand_over = |layer: &[S]| {
            let mut slots = Vec::with_capacity(layer.len());
            locate(&self.states, layer, |slot| slots.push(slot));
            let set = SlotSet::gather(vec![slots], self.slot_count());
            visit(remoteness, &set);
            remoteness += 1;
        };
        let limits = Limits::default();
        let puzzle = &*self.puzzle;
        let stage = Stage::Retrograde;
        match search_from(puzzle, goals, stage, &limits, observer, &mut hand_over).outcome {
            Outcome::Complete => ControlFlow::Continue(()),
            Outcome::Stopped { .. } => ControlFlow::Break(()),
        }
    }

    fn tally(&self, live: &SlotSet, observer: &dyn Observer) -> ControlFlow<(), Tally<SlotSet>> {
        let bound = self.slot_count();
        let all_live = live.count() == u64::from(bound);
        if all_live && self.puzzle.is_undirected() && self.counts[0].states == 1 && bound > 1 {
            return ControlFlow::Continue(self.tally_of_undirected());
        }
        let live = (!all_live).then(|| live.to_bits(bound));
        let words = (bound as usize).div_ceil(64);
        let (mut points, mut movable) = (vec![0; words], vec![0; words]);
        let pieces: Option<Vec<PieceTally>> = points
            .par_chunks_mut(PIECE / 64)
            .zip(movable.par_chunks_mut(PIECE / 64))
            .enumerate()
            .map(|(i, sets)| {
                let first = (i * PIECE) as u32;
                (!observer.interrupted()).then(|| self.tally_piece(first, sets, live.as_deref()))
            })
            .collect();
        let Some(pieces) = pieces else {
            return ControlFlow::Break(());
        };
        let mut tally = Tally {
            transitions: 0,
            blocking: vec![0; self.counts.len()],
            points_of_no_return: SlotSet::Many(points),
            only_moves: 0,
            movable: SlotSet::Many(movable),
            graded: true,
        };
        for piece in pieces {
            tally.transitions += piece.transitions;
            tally.graded &= piece.graded;
            for (depth, count) in piece.blocking {
                tally.blocking[depth as usize] += count;
            }
            tally.only_moves += piece.only;
        }
        observer.layer(&Progress {
            stage: Stage::Tally,
            layer: 0,
            layer_states: u64::from(bound),
            states: u64::from(bound),
        })?;
        ControlFlow::Continue(tally)
    }
}
