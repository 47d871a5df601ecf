//! What is left to play: for lost states the longest rest of a play, for live ones the only move.

use crate::run::{Table, Transition, Verdict};
use crate::structure::Graph;

pub use impasse_graph::stream::Rests;

/// How many moves can still be made at most from each lost state.
///
/// Four bytes a state. Where a move leads from a lost state to one of a lower number, some more while it
/// is computed, and eight bytes a transition between lost states.
#[derive(Clone, Debug)]
pub struct LostPlay {
    most: Vec<u32>,
}

/// The state is live.
const LIVE: u32 = u32::MAX;
/// From the state play can go round in a circle.
const ENDLESS: u32 = u32::MAX - 1;

/// How long play can go on from a lost state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rest {
    /// At most so many moves.
    Moves(u32),
    /// For ever: it can come to a circle of lost states.
    Endless,
}

impl LostPlay {
    /// Works backwards from the dead ends; lost states that are never done can come to a circle.
    #[must_use]
    pub fn of(table: &dyn Table) -> Self {
        Self::in_one_pass(table).unwrap_or_else(|| Self::from_the_ends(table))
    }

    /// From the last state to the first; `None` where a move leads to a state of a lower number.
    fn in_one_pass(table: &dyn Table) -> Option<Self> {
        let states = table.state_count();
        let mut most = vec![LIVE; states as usize];
        let mut out = Vec::new();
        for id in (0..states).rev() {
            if table.verdict(id) == Verdict::Live {
                continue;
            }
            table.transitions(id, &mut out);
            if out.iter().any(|transition| transition.to <= id) {
                return None;
            }
            let rests = out.iter().map(|transition| most[transition.to as usize]);
            most[id as usize] = rests.max().map_or(0, |longest| longest + 1);
        }
        Some(Self { most })
    }

    fn from_the_ends(table: &dyn Table) -> Self {
        let states = table.state_count();
        let is_lost = |id: u32| table.verdict(id) != Verdict::Live;
        let mut out = Vec::new();
        let onwards = Graph::build(states, |id, targets| {
            if is_lost(id) {
                table.transitions(id, &mut out);
                targets.extend(out.iter().map(|t| t.to));
            }
        });
        let backwards = onwards.reversed();
        let mut most: Vec<u32> = (0..states)
            .map(|id| if is_lost(id) { ENDLESS } else { LIVE })
            .collect();
        let mut left: Vec<u32> = (0..states)
            .map(|id| onwards.successors(id).len() as u32)
            .collect();
        let mut done: Vec<u32> = (0..states)
            .filter(|&id| is_lost(id) && left[id as usize] == 0)
            .collect();
        for &id in &done {
            most[id as usize] = 0;
        }
        while let Some(id) = done.pop() {
            for &before in backwards.successors(id) {
                left[before as usize] -= 1;
                if left[before as usize] == 0 {
                    let rests = onwards.successors(before).iter();
                    let longest = rests.map(|&to| most[to as usize]).max();
                    most[before as usize] = longest.map_or(0, |longest| longest + 1);
                    done.push(before);
                }
            }
        }
        Self { most }
    }

    /// How long play can go on; `None` for live states.
    #[must_use]
    pub fn rest(&self, id: u32) -> Option<Rest> {
        match self.most[id as usize] {
            LIVE => None,
            ENDLESS => Some(Rest::Endless),
            moves => Some(Rest::Moves(moves)),
        }
    }

    /// How many lost states can be played on for how long.
    #[must_use]
    pub fn rests(&self) -> Rests {
        let mut rests = Rests::default();
        for id in 0..self.most.len() as u32 {
            match self.rest(id) {
                None => {}
                Some(Rest::Endless) => rests.endless += 1,
                Some(Rest::Moves(moves)) => {
                    let moves = moves as usize;
                    rests.moves.resize(rests.moves.len().max(moves + 1), 0);
                    rests.moves[moves] += 1;
                }
            }
        }
        rests
    }

    /// The longest rest of all lost states; `None` where no state is lost.
    #[must_use]
    pub fn longest(&self) -> Option<Rest> {
        (0..self.most.len() as u32)
            .filter_map(|id| self.rest(id))
            .max()
    }
}

/// The only move of a live state that is no goal: the one transition that stays live. `out` is
/// overwritten with all transitions.
#[must_use]
pub fn only_move(table: &dyn Table, id: u32, out: &mut Vec<Transition>) -> Option<Transition> {
    if table.verdict(id) != Verdict::Live || table.is_goal(id) {
        return None;
    }
    table.transitions(id, out);
    let mut live = out.iter().filter(|t| table.verdict(t.to) == Verdict::Live);
    let only = live.next().copied();
    only.filter(|_| live.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::FakeTable;

    fn rests(table: &FakeTable) -> Vec<Option<Rest>> {
        let play = LostPlay::of(table);
        (0..table.state_count()).map(|id| play.rest(id)).collect()
    }

    #[test]
    fn lost_states_by_hand() {
        let moves = |n| Some(Rest::Moves(n));
        // 0 is live by its goal 1; 2 -> 3 -> 4 and 2 -> 4.
        let table = FakeTable::new(5, 1, &[1], &[(0, 1), (0, 2), (2, 3), (3, 4), (2, 4)]);
        assert_eq!(rests(&table), [None, None, moves(2), moves(1), moves(0)]);
        assert_eq!(LostPlay::of(&table).longest(), moves(2));
        // A circle of 2 and 3, from which 4 can be reached; 5 comes to the circle.
        let edges = [(0, 1), (0, 5), (5, 2), (2, 3), (3, 2), (3, 4)];
        let table = FakeTable::new(6, 1, &[1], &edges);
        let endless = Some(Rest::Endless);
        assert_eq!(
            rests(&table),
            [None, None, endless, endless, moves(0), endless]
        );
        assert_eq!(LostPlay::of(&table).longest(), endless);
        let solved = FakeTable::new(1, 1, &[0], &[]);
        assert_eq!(LostPlay::of(&solved).longest(), None);
    }

    /// The longest walk of at most as many moves as there are states, by trying all.
    fn slowly(table: &FakeTable, id: u32, allowed: u32) -> Rest {
        let mut out = Vec::new();
        table.transitions(id, &mut out);
        if allowed == 0 {
            return Rest::Endless;
        }
        let rests = out.iter().map(|t| match slowly(table, t.to, allowed - 1) {
            Rest::Moves(moves) => Rest::Moves(moves + 1),
            Rest::Endless => Rest::Endless,
        });
        rests.max().unwrap_or(Rest::Moves(0))
    }

    #[test]
    fn random_spaces_agree_with_obvious_code() {
        let mut seed = 99u64;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((seed >> 33) % u64::from(below)) as u32
        };
        let (mut endless, mut ended, mut in_one_pass) = (0, 0, 0);
        for _ in 0..200 {
            let states = 2 + random(7);
            let edges: Vec<(u32, u32)> = (0..states + random(4))
                .map(|_| (random(states), random(states)))
                .filter(|(a, b)| a != b)
                .collect();
            let table = FakeTable::new(states, states, &[random(states)], &edges);
            for (id, rest) in (0..).zip(rests(&table)) {
                let is_lost = table.verdict(id) != Verdict::Live;
                let expected = is_lost.then(|| slowly(&table, id, states + 1));
                assert_eq!(rest, expected, "state {id} of {table:?}");
                in_one_pass += u32::from(is_lost && LostPlay::in_one_pass(&table).is_some());
                endless += u32::from(rest == Some(Rest::Endless));
                ended += u32::from(rest > Some(Rest::Moves(0)) && rest < Some(Rest::Endless));
            }
        }
        assert!(endless > 50 && ended > 50, "{endless} {ended}");
        assert!(in_one_pass > 50, "{in_one_pass}");
    }

    #[test]
    fn lost_states_are_counted_by_their_rest() {
        let rests = LostPlay::of(&FakeTable::frogs(2)).rests();
        assert_eq!((rests.moves, rests.endless), (vec![4, 2, 1], 0));
        let edges = [(0, 1), (0, 5), (5, 2), (2, 3), (3, 2), (3, 4)];
        let rests = LostPlay::of(&FakeTable::new(6, 1, &[1], &edges)).rests();
        assert_eq!((rests.moves, rests.endless), (vec![1], 3));
    }

    #[test]
    fn only_moves_are_counted_as_the_summary_does() {
        let table = FakeTable::frogs(3);
        let mut out = Vec::new();
        let only = (0..table.state_count()).filter(|&id| only_move(&table, id, &mut out).is_some());
        assert_eq!(only.count(), 28);
    }
}
