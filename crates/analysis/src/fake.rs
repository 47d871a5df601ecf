//! Tables made by hand, for the tests of this crate.

use std::collections::{HashMap, VecDeque};

use impasse_model::instance::Position;
use impasse_model::puzzle::{Move, Style};

use crate::run::{Table, Transition, Verdict};

/// A small space given by its transitions; no puzzle behind it. States are drawn as their numbers,
/// or as the strings they were explored from.
#[derive(Clone, Debug)]
pub(crate) struct FakeTable {
    names: Vec<String>,
    start_count: u32,
    goals: Vec<bool>,
    depths: Vec<u32>,
    remoteness: Vec<Option<u32>>,
    successors: Vec<Vec<u32>>,
}

impl FakeTable {
    /// States `0..state_count`; those below `start_count` are the starts. Every state should be
    /// reachable. Numbers are taken as they are, even where they do not follow the depths.
    pub(crate) fn new(
        state_count: u32,
        start_count: u32,
        goals: &[u32],
        edges: &[(u32, u32)],
    ) -> Self {
        let size = state_count as usize;
        let mut successors = vec![Vec::new(); size];
        let mut predecessors = vec![Vec::new(); size];
        for &(from, to) in edges {
            successors[from as usize].push(to);
            predecessors[to as usize].push(from);
        }
        for list in &mut successors {
            list.sort_unstable();
            list.dedup();
        }
        let starts: Vec<u32> = (0..start_count).collect();
        let depths = distances(&starts, &successors);
        let remoteness = distances(goals, &predecessors);
        Self {
            names: (0..state_count).map(|id| id.to_string()).collect(),
            start_count,
            goals: (0..state_count).map(|id| goals.contains(&id)).collect(),
            depths: depths.into_iter().map(|d| d.unwrap_or(u32::MAX)).collect(),
            remoteness,
            successors,
        }
    }

    /// Explores strings by a function that lists successors; numbers them by depth, then in order.
    pub(crate) fn explore(
        starts: &[&str],
        successors: impl Fn(&str) -> Vec<String>,
        is_goal: impl Fn(&str) -> bool,
    ) -> Self {
        let mut layer: Vec<String> = starts.iter().map(ToString::to_string).collect();
        layer.sort();
        let start_count = layer.len() as u32;
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut names: Vec<String> = Vec::new();
        while !layer.is_empty() {
            for state in &layer {
                numbers.insert(state.clone(), names.len() as u32);
                names.push(state.clone());
            }
            let mut next: Vec<String> = layer.iter().flat_map(|s| successors(s)).collect();
            next.sort();
            next.dedup();
            next.retain(|s| !numbers.contains_key(s));
            layer = next;
        }
        let mut edges = Vec::new();
        for (id, name) in names.iter().enumerate() {
            edges.extend(successors(name).iter().map(|s| (id as u32, numbers[s])));
        }
        let goals: Vec<u32> = (0..names.len() as u32)
            .filter(|&id| is_goal(&names[id as usize]))
            .collect();
        let mut table = Self::new(names.len() as u32, start_count, &goals, &edges);
        table.names = names;
        table
    }

    /// States without transitions, all of them starts; those that are no goals are dead ends.
    pub(crate) fn of_states(names: Vec<String>, goals: &[u32]) -> Self {
        let count = names.len() as u32;
        Self {
            names,
            ..Self::new(count, count, goals, &[])
        }
    }

    /// Frogs and toads, forward only, with `n` a side.
    pub(crate) fn frogs(n: usize) -> Self {
        let start = format!("{}.{}", "F".repeat(n), "T".repeat(n));
        let goal = format!("{}.{}", "T".repeat(n), "F".repeat(n));
        Self::explore(&[&start], frog_moves, |s| s == goal)
    }
}

fn frog_moves(row: &str) -> Vec<String> {
    let rules = [("F.", ".F"), (".T", "T."), ("FT.", ".TF"), (".FT", "TF.")];
    let mut found = Vec::new();
    for (left, right) in rules {
        for at in 0..row.len() {
            if row[at..].starts_with(left) {
                found.push(format!("{}{right}{}", &row[..at], &row[at + left.len()..]));
            }
        }
    }
    found
}

fn distances(from: &[u32], links: &[Vec<u32>]) -> Vec<Option<u32>> {
    let mut found = vec![None; links.len()];
    let mut queue: VecDeque<u32> = from.iter().copied().collect();
    for &id in from {
        found[id as usize] = Some(0);
    }
    while let Some(id) = queue.pop_front() {
        let next = found[id as usize].map(|d| d + 1);
        for &to in &links[id as usize] {
            if found[to as usize].is_none() {
                found[to as usize] = next;
                queue.push_back(to);
            }
        }
    }
    found
}

impl Table for FakeTable {
    fn state_count(&self) -> u32 {
        self.successors.len() as u32
    }

    /// The letters of its name: `.` is 0, any other letter its place in the alphabet.
    fn position(&self, id: u32, out: &mut Position) {
        let content = |byte: u8| {
            if byte == b'.' {
                0
            } else {
                u64::from(byte & 31)
            }
        };
        out.clear();
        out.extend(self.names[id as usize].bytes().map(content));
    }

    fn one_line(&self, id: u32) -> String {
        self.names[id as usize].clone()
    }

    fn picture(&self, id: u32, _: Style) -> Vec<String> {
        vec![self.one_line(id)]
    }

    fn depth(&self, id: u32) -> u32 {
        self.depths[id as usize]
    }

    fn remoteness(&self, id: u32) -> Option<u32> {
        self.remoteness[id as usize]
    }

    fn verdict(&self, id: u32) -> Verdict {
        match (self.remoteness(id), self.successors[id as usize].is_empty()) {
            (Some(_), _) => Verdict::Live,
            (None, true) => Verdict::DeadEnd,
            (None, false) => Verdict::Doomed,
        }
    }

    fn is_goal(&self, id: u32) -> bool {
        self.goals[id as usize]
    }

    fn transitions(&self, id: u32, out: &mut Vec<Transition>) {
        out.clear();
        out.extend(
            self.successors[id as usize]
                .iter()
                .map(|&to| Transition { to, by: Move(to) }),
        );
    }

    fn move_name(&self, mv: Move) -> String {
        format!("go to {}", mv.0)
    }

    fn rule_name(&self, _: Move) -> String {
        "go".to_owned()
    }

    fn find(&self, _: &Position) -> Option<u32> {
        None
    }

    fn start_count(&self) -> u32 {
        self.start_count
    }
}
