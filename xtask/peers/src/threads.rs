//! stateright: a model checker in Rust, breadth first, on all processors.

use stateright::{Checker, Model};

use crate::board::{Board, Rule};

impl Model for Board {
    type State = Vec<u8>;
    type Action = usize;

    fn init_states(&self) -> Vec<Vec<u8>> {
        vec![self.start.clone()]
    }

    fn actions(&self, state: &Vec<u8>, actions: &mut Vec<usize>) {
        let fits = |rule: &Rule| rule.iter().all(|&(c, before, _)| state[c] == before);
        let rules = self.rules.iter().enumerate();
        actions.extend(rules.filter(|(_, rule)| fits(rule)).map(|(i, _)| i));
    }

    fn next_state(&self, state: &Vec<u8>, action: usize) -> Option<Vec<u8>> {
        let mut next = state.clone();
        for &(c, _, after) in &self.rules[action] {
            next[c] = after;
        }
        Some(next)
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        // One that never fails, so that the whole space is searched.
        vec![stateright::Property::always("enumerated", |_, _| true)]
    }
}

/// Number of reachable states.
pub fn count(board: Board) -> usize {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    board
        .checker()
        .threads(threads)
        .spawn_bfs()
        .join()
        .unique_state_count()
}
