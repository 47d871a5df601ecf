//! The plainest search: boards as vectors in the standard map, with their depth.

use std::collections::{HashMap, VecDeque};

use crate::board::Board;

/// Number of reachable states.
pub fn count(board: &Board) -> usize {
    let mut seen: HashMap<Vec<u8>, u32> = HashMap::new();
    let mut queue = VecDeque::new();
    seen.insert(board.start.clone(), 0);
    queue.push_back(board.start.clone());
    while let Some(state) = queue.pop_front() {
        let depth = seen[&state];
        for rule in &board.rules {
            if rule.iter().all(|&(c, before, _)| state[c] == before) {
                let mut next = state.clone();
                for &(c, _, after) in rule {
                    next[c] = after;
                }
                if !seen.contains_key(&next) {
                    seen.insert(next.clone(), depth + 1);
                    queue.push_back(next);
                }
            }
        }
    }
    seen.len()
}
