//! The figures of a finished slow search, by the names of the summary.

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
    /// Transitions of the longest play, in a space without cycles. A play ends where no move is
    /// left.
    pub longest: Option<u64>,
    /// Number of plays, in a space without cycles.
    pub plays: Option<BigUint>,
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
        let plays = all_plays(states);
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
            longest: plays.as_ref().map(|(longest, _)| *longest),
            plays: plays.map(|(_, count)| count),
        }
    }

    /// A figure as files write it, by its key; empty where there is none.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<String> {
        let optional = |figure: Option<u64>| figure.map_or_else(String::new, |f| f.to_string());
        Some(match key {
            "states" => self.states.to_string(),
            "transitions" => self.transitions.to_string(),
            "starts" => self.starts.to_string(),
            "goals" => self.goals.to_string(),
            "live" => self.live.to_string(),
            "doomed" => self.doomed.to_string(),
            "dead_ends" => self.dead_ends.to_string(),
            "lost" => self.lost.to_string(),
            "blocking_moves" => self.blocking_moves.to_string(),
            "points_of_no_return" => self.points_of_no_return.to_string(),
            "only_moves" => self.only_moves.to_string(),
            "shortest" => optional(self.shortest),
            "shortest_solutions" => self.shortest_solutions.to_string(),
            "max_depth" => self.max_depth.to_string(),
            "max_remoteness" => optional(self.max_remoteness),
            "first_dead_end_depth" => optional(self.first_dead_end_depth),
            "window_cut_depth" => optional(self.window_cut_depth),
            "graded" => self.graded.to_string(),
            "reversible" => self.reversible.to_string(),
            "longest" => optional(self.longest),
            "plays" => self
                .plays
                .as_ref()
                .map_or_else(String::new, ToString::to_string),
            _ => return None,
        })
    }
}

/// The keys of the summary.
pub const KEYS: [&str; 21] = [
    "states",
    "transitions",
    "starts",
    "goals",
    "live",
    "doomed",
    "dead_ends",
    "lost",
    "blocking_moves",
    "points_of_no_return",
    "only_moves",
    "shortest",
    "shortest_solutions",
    "max_depth",
    "max_remoteness",
    "first_dead_end_depth",
    "window_cut_depth",
    "graded",
    "reversible",
    "longest",
    "plays",
];

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
    let leads = |from: usize, to: usize| {
        states[from]
            .successors
            .binary_search_by_key(&to, |&(successor, _)| successor)
            .is_ok()
    };
    transitions(states).all(|(from, to)| leads(to, from))
}

/// The longest play and the number of plays from the starts, unless play can go in a circle.
///
/// States are done from the ends of play backwards: one is ready when all its successors are.
fn all_plays(states: &[State]) -> Option<(u64, BigUint)> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); states.len()];
    for (from, to) in transitions(states) {
        before[to].push(from);
    }
    let mut waits_for: Vec<usize> = states.iter().map(|s| s.successors.len()).collect();
    let mut ready: Vec<usize> = (0..states.len()).filter(|&id| waits_for[id] == 0).collect();
    let mut longest = vec![0; states.len()];
    let mut plays = vec![BigUint::ZERO; states.len()];
    let mut done = 0;
    while let Some(id) = ready.pop() {
        done += 1;
        let next = || states[id].successors.iter().map(|&(to, _)| to);
        longest[id] = next().map(|to| longest[to] + 1).max().unwrap_or(0);
        plays[id] = next().map(|to| &plays[to]).sum();
        if states[id].successors.is_empty() {
            plays[id] = BigUint::from(1u8);
        }
        for &from in &before[id] {
            waits_for[from] -= 1;
            if waits_for[from] == 0 {
                ready.push(from);
            }
        }
    }
    let starts = || (0..states.len()).filter(|&id| states[id].depth == 0);
    let most = starts().map(|id| longest[id]).max().unwrap_or(0);
    (done == states.len()).then(|| (most, starts().map(|id| &plays[id]).sum()))
}
