//! Depth and remoteness in a graph that is there already: from the starts forwards, from the goals
//! backwards, layer by layer.

use crate::slow::State;

/// The fewest transitions from the states `starts` to each state; `None` where no way leads.
pub(crate) fn depths(states: &[State], starts: &[usize]) -> Vec<Option<u32>> {
    let next: Vec<Vec<usize>> = states
        .iter()
        .map(|state| state.successors.iter().map(|&(to, _)| to).collect())
        .collect();
    distances(&next, starts)
}

/// The fewest transitions from each state to a goal; `None` where no goal can be reached.
pub(crate) fn remotenesses(states: &[State]) -> Vec<Option<u32>> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); states.len()];
    for (from, state) in states.iter().enumerate() {
        for &(to, _) in &state.successors {
            before[to].push(from);
        }
    }
    let goals: Vec<usize> = (0..states.len()).filter(|&id| states[id].is_goal).collect();
    distances(&before, &goals)
}

fn distances(next: &[Vec<usize>], from: &[usize]) -> Vec<Option<u32>> {
    let mut distances = vec![None; next.len()];
    let mut layer = from.to_vec();
    for distance in 0.. {
        let mut new = Vec::new();
        for id in layer {
            if distances[id].is_none() {
                distances[id] = Some(distance);
                new.push(id);
            }
        }
        if new.is_empty() {
            break;
        }
        layer = new
            .iter()
            .flat_map(|&id| next[id].iter().copied())
            .collect();
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_found_in_many_ways_counts_once() {
        // Each of 40 layers of two states leads to both of the next: 2^40 ways.
        let next: Vec<Vec<usize>> = (0..80)
            .map(|id| (0..80).filter(|to| to / 2 == id / 2 + 1).collect())
            .collect();
        let distances = distances(&next, &[0, 1]);
        assert_eq!(distances[79], Some(39));
    }

    #[test]
    fn both_ways() {
        // 0 -> 1 -> 2, 0 -> 2, 2 -> 3 and back, 4 -> 3, goal 2.
        let successors: [&[usize]; 5] = [&[1, 2], &[2], &[3], &[2], &[3]];
        let states: Vec<State> = (0..)
            .zip(successors)
            .map(|(id, next)| State {
                position: Vec::new(),
                depth: 0,
                successors: next.iter().map(|&to| (to, 0)).collect(),
                is_goal: id == 2,
                is_cut: false,
                remoteness: None,
            })
            .collect();
        assert_eq!(
            depths(&states, &[0]),
            [Some(0), Some(1), Some(1), Some(2), None]
        );
        assert_eq!(
            remotenesses(&states),
            [Some(1), Some(1), Some(0), Some(1), Some(2)]
        );
    }
}
