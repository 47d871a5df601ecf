//! The figures of a finished slow search, by the names of the summary.

use std::collections::BTreeSet;

use num_bigint::BigUint;

use crate::slow::State;

/// The figures; the words are those of design.md section 2.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Figures {
    pub states: u64,
    pub transitions: u64,
    pub starts: u64,
    pub goals: u64,
    pub live: u64,
    pub doomed: u64,
    pub dead_ends: u64,
    pub lost: u64,
    pub blocking_moves: u64,
    pub points_of_no_return: u64,
    pub only_moves: u64,
    pub shortest: Option<u64>,
    pub shortest_solutions: BigUint,
    pub max_depth: u64,
    pub max_remoteness: Option<u64>,
    pub first_dead_end_depth: Option<u64>,
    pub window_cut_depth: Option<u64>,
    pub graded: bool,
    pub reversible: bool,
}

impl Figures {
    /// Counts them one by one.
    #[must_use]
    pub fn of(states: &[State]) -> Self {
        let count = |wanted: &dyn Fn(&State) -> bool| {
            states.iter().filter(|state| wanted(state)).count() as u64
        };
        let least = |wanted: &dyn Fn(&State) -> bool| {
            states
                .iter()
                .filter(|state| wanted(state))
                .map(|state| u64::from(state.depth))
                .min()
        };
        let live_successors = |s: &State| {
            s.successors
                .iter()
                .filter(|(to, _)| states[*to].is_live())
                .count()
        };
        let blocking_moves = |s: &State| {
            if s.is_live() {
                s.successors.len() - live_successors(s)
            } else {
                0
            }
        };
        let live = count(&State::is_live);
        let dead_ends = count(&State::is_dead_end);
        let lost = states.len() as u64 - live;
        Self {
            states: states.len() as u64,
            transitions: states.iter().map(|s| s.successors.len() as u64).sum(),
            starts: count(&|s| s.depth == 0),
            goals: count(&|s| s.is_goal),
            live,
            doomed: lost - dead_ends,
            dead_ends,
            lost,
            blocking_moves: states.iter().map(|s| blocking_moves(s) as u64).sum(),
            points_of_no_return: count(&|s| blocking_moves(s) > 0),
            only_moves: count(&|s| s.is_live() && !s.is_goal && live_successors(s) == 1),
            shortest: least(&|s| s.is_goal),
            shortest_solutions: shortest_solutions(states),
            max_depth: states.iter().map(|s| u64::from(s.depth)).max().unwrap_or(0),
            max_remoteness: states
                .iter()
                .filter_map(|s| s.remoteness)
                .max()
                .map(u64::from),
            first_dead_end_depth: least(&State::is_dead_end),
            window_cut_depth: least(&|s| s.is_cut),
            graded: is_graded(states),
            reversible: is_reversible(states),
        }
    }
}

/// The number of different shortest state sequences from a start to a goal.
fn shortest_solutions(states: &[State]) -> BigUint {
    let Some(shortest) = states.iter().filter(|s| s.is_goal).map(|s| s.depth).min() else {
        return BigUint::ZERO;
    };
    let mut ways = vec![BigUint::ZERO; states.len()];
    let mut total = BigUint::ZERO;
    for (id, state) in states.iter().enumerate() {
        if state.depth == 0 {
            ways[id] = BigUint::from(1u8);
        }
        if state.depth == shortest && state.is_goal {
            total += &ways[id];
        }
        for &(to, _) in &state.successors {
            if states[to].depth == state.depth + 1 {
                let so_far = ways[id].clone();
                ways[to] += so_far;
            }
        }
    }
    total
}

fn transitions(states: &[State]) -> impl Iterator<Item = (usize, usize)> {
    states
        .iter()
        .enumerate()
        .flat_map(|(id, s)| s.successors.iter().map(move |&(to, _)| (id, to)))
}

fn is_graded(states: &[State]) -> bool {
    transitions(states).all(|(from, to)| states[to].depth == states[from].depth + 1)
}

fn is_reversible(states: &[State]) -> bool {
    let all: BTreeSet<(usize, usize)> = transitions(states).collect();
    all.iter().all(|&(from, to)| all.contains(&(to, from)))
}
