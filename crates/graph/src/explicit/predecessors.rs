//! Predecessors of a space whose moves cannot be taken back: collected from its transitions.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Explicit, TooManyStates};
use crate::expand::{Expand, State};
use crate::search::Found;
use crate::space::{Indexed, LayerCounts};

/// Slots a thread takes at a time where it lists transitions, and the bytes of such lists.
const BATCH: usize = 1 << 12;
const BATCH_BYTES: u64 = 4 << 20;

/// Predecessors by slot.
#[derive(Clone, Debug, Default)]
pub(super) struct Predecessors {
    pub(super) first: Vec<u64>,
    pub(super) from: Vec<u32>,
}

/// Why predecessors were not collected.
#[derive(Debug)]
pub enum Uncollected {
    /// There are too many states.
    TooMany(TooManyStates),
    /// The lists would take so many bytes: what the search found, without its states.
    NoRoom {
        /// Bytes of the lists.
        bytes: u64,
        /// Figures by depth.
        layers: Vec<LayerCounts>,
    },
}

impl<S: State> Explicit<S> {
    /// A space whose predecessors are collected from its transitions. `most_bytes` bounds what the
    /// lists of predecessors take, 8 bytes a state and 4 a transition, beside the states.
    ///
    /// # Errors
    /// [`Uncollected`], with what was found where the lists have no room.
    pub fn collected(
        puzzle: Arc<dyn Expand<S>>,
        found: Found<S>,
        most_bytes: Option<u64>,
    ) -> Result<Self, Uncollected> {
        let mut space = Self::build(puzzle, found, None).map_err(Uncollected::TooMany)?;
        let mut first = space.in_degrees();
        let states = first.len() as u64;
        let transitions = *first.last().expect("one more than states");
        let bytes = 8 * states + 4 * transitions + BATCH_BYTES;
        if most_bytes.is_some_and(|most| bytes > most) {
            return Err(Uncollected::NoRoom {
                bytes,
                layers: space.counts,
            });
        }
        space.predecessors.from = space.fill_predecessors(&mut first, transitions);
        space.predecessors.first = first;
        Ok(space)
    }

    /// Where the predecessors of each slot begin in a list of all, and where it ends.
    fn in_degrees(&self) -> Vec<u64> {
        let mut first = vec![0_u64; self.states.len() + 1];
        self.each_transition(|to, _| first[to as usize + 1] += 1);
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        first
    }

    /// The list of all, each slot's predecessors ascending.
    fn fill_predecessors(&self, first: &mut [u64], transitions: u64) -> Vec<u32> {
        let mut from = vec![0; transitions as usize];
        // Each beginning moves on while its list is filled, to where the next list begins.
        self.each_transition(|to, slot| {
            let next = &mut first[to as usize];
            from[*next as usize] = slot;
            *next += 1;
        });
        for i in (1..first.len()).rev() {
            first[i] = first[i - 1];
        }
        first[0] = 0;
        from
    }

    /// Calls `visit` with target and source of every transition, in the order of the sources.
    fn each_transition(&self, mut visit: impl FnMut(u32, u32)) {
        let slots = self.slot_count();
        let wave = (BATCH * rayon::current_num_threads()) as u32;
        for begin in (0..slots).step_by(wave as usize) {
            let end = slots.min(begin.saturating_add(wave));
            let pieces: Vec<u32> = (begin..end).step_by(BATCH).collect();
            let lists: Vec<Vec<(u32, u32)>> = pieces
                .into_par_iter()
                .map(|first| self.transitions_of(first..end.min(first + BATCH as u32)))
                .collect();
            for &(to, slot) in lists.iter().flatten() {
                visit(to, slot);
            }
        }
    }

    /// Target and source of the transitions of some slots, each once, by source.
    fn transitions_of(&self, slots: Range<u32>) -> Vec<(u32, u32)> {
        let mut cursors = self.cursors();
        let mut pairs = Vec::new();
        let (mut moves, mut targets) = (Vec::new(), Vec::new());
        for slot in slots {
            moves.clear();
            targets.clear();
            self.puzzle
                .moves_into(self.states[slot as usize], &mut moves);
            let next = moves.iter();
            targets.extend(next.filter_map(|&(mv, next)| self.known(cursors.find(mv, next))));
            targets.sort_unstable();
            targets.dedup();
            pairs.extend(targets.iter().map(|&to| (to, slot)));
        }
        pairs
    }
}
