//! A slow, obvious run on strings, for tests.

use std::collections::BTreeMap;
use std::time::Duration;

use impasse_analysis::run::{Run, Table, Transition, Verdict};
use impasse_analysis::summary::{DepthRow, Scope, Summary};
use impasse_graph::observe::{Limit, Outcome};
use impasse_model::board::{Board, Shape};
use impasse_model::instance::{Alphabet, Goal, Instance, Origin, Position};
use impasse_model::params::{ParamValue, Params};
use impasse_model::puzzle::{Move, Style};
use num_bigint::BigUint;

use crate::error::Error;
use crate::record::{Measured, Record};

/// A puzzle on strings, wholly searched.
#[derive(Debug)]
pub(crate) struct Fake {
    n: i64,
    starts: u32,
    states: Vec<String>,
    depth: Vec<u32>,
    remoteness: Vec<Option<u32>>,
    transitions: Vec<Vec<Transition>>,
    goal: String,
    moves: Vec<String>,
    summary: Summary,
    depths: Vec<DepthRow>,
}

/// Moves of frogs and toads: `step FROM TO`, `jump FROM TO`, cells from 1.
fn frog_moves(state: &str) -> Vec<(String, String)> {
    let cells: Vec<char> = state.chars().collect();
    let mut moves = Vec::new();
    for (name, width) in [("step", 1), ("jump", 2)] {
        for (piece, other, ahead) in [('F', 'T', 1), ('T', 'F', -1)] {
            for from in 0..cells.len() as i64 {
                let to = from + ahead * width;
                let at = |i: i64| usize::try_from(i).ok().and_then(|i| cells.get(i)).copied();
                let over = width == 1 || at(from + ahead) == Some(other);
                if at(from) == Some(piece) && at(to) == Some('.') && over {
                    let mut next = cells.clone();
                    next.swap(from as usize, to as usize);
                    moves.push((
                        format!("{name} {} {}", from + 1, to + 1),
                        next.iter().collect(),
                    ));
                }
            }
        }
    }
    moves
}

impl Fake {
    /// Frogs and toads, n a side.
    pub(crate) fn frogs(n: usize) -> Self {
        let (f, t) = ("F".repeat(n), "T".repeat(n));
        Self::search(n, &[format!("{f}.{t}")], &format!("{t}.{f}"))
    }

    /// Frogs and toads from any starts.
    pub(crate) fn search(n: usize, starts: &[String], goal: &str) -> Self {
        let mut layer: Vec<String> = starts.to_vec();
        let mut ids: BTreeMap<String, u32> = BTreeMap::new();
        let (mut states, mut depth) = (Vec::new(), Vec::new());
        for d in 0.. {
            layer.sort();
            layer.dedup();
            layer.retain(|state| !ids.contains_key(state));
            if layer.is_empty() {
                break;
            }
            for state in &layer {
                ids.insert(state.clone(), states.len() as u32);
                states.push(state.clone());
                depth.push(d);
            }
            layer = layer
                .iter()
                .flat_map(|s| frog_moves(s))
                .map(|(_, next)| next)
                .collect();
        }
        let mut moves: Vec<String> = states
            .iter()
            .flat_map(|s| frog_moves(s))
            .map(|(name, _)| name)
            .collect();
        moves.sort();
        moves.dedup();
        let transitions = states.iter().map(|state| {
            let mut list: Vec<Transition> = frog_moves(state)
                .into_iter()
                .map(|(name, next)| Transition {
                    to: ids[&next],
                    by: Move(moves.binary_search(&name).expect("known") as u32),
                })
                .collect();
            list.sort_by_key(|t| t.to);
            list
        });
        let mut fake = Self {
            n: n as i64,
            starts: starts.len() as u32,
            transitions: transitions.collect(),
            remoteness: vec![None; states.len()],
            states,
            depth,
            goal: goal.to_owned(),
            moves,
            summary: absent(),
            depths: Vec::new(),
        };
        fake.find_remoteness();
        fake.count();
        fake
    }

    fn find_remoteness(&mut self) {
        for _ in 0..=self.states.len() {
            for id in 0..self.states.len() {
                let least = self.transitions[id]
                    .iter()
                    .filter_map(|t| self.remoteness[t.to as usize]);
                let goal = self.states[id] == self.goal;
                self.remoteness[id] = if goal {
                    Some(0)
                } else {
                    least.min().map(|r| r + 1)
                };
            }
        }
    }

    fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        0..self.states.len() as u32
    }

    fn blocking(&self, id: u32) -> u64 {
        let lost = |t: &&Transition| self.remoteness[t.to as usize].is_none();
        let live = self.remoteness[id as usize].is_some();
        if live {
            self.transitions[id as usize].iter().filter(lost).count() as u64
        } else {
            0
        }
    }

    fn count(&mut self) {
        let with =
            |wanted| Some(self.ids().filter(|&id| self.verdict(id) == wanted).count() as u64);
        let least = self.ids().filter(|&id| id < self.starts);
        let shortest = least.filter_map(|id| self.remoteness[id as usize]).min();
        let live_successors = |id: u32| {
            let all = self.transitions[id as usize].iter();
            all.filter(|t| self.remoteness[t.to as usize].is_some())
                .count()
        };
        let dead = self
            .ids()
            .filter(|&id| self.verdict(id) == Verdict::DeadEnd);
        let summary = Summary {
            states: Some(self.states.len() as u64),
            transitions: Some(self.transitions.iter().map(|t| t.len() as u64).sum()),
            starts: Some(u64::from(self.starts)),
            goals: Some(self.states.iter().filter(|s| **s == self.goal).count() as u64),
            live: with(Verdict::Live),
            doomed: with(Verdict::Doomed),
            dead_ends: with(Verdict::DeadEnd),
            lost: Some(self.remoteness.iter().filter(|r| r.is_none()).count() as u64),
            blocking_moves: Some(self.ids().map(|id| self.blocking(id)).sum()),
            points_of_no_return: Some(self.ids().filter(|&id| self.blocking(id) > 0).count() as u64),
            only_moves: Some(
                self.ids()
                    .filter(|&id| !self.is_goal(id) && live_successors(id) == 1)
                    .count() as u64,
            ),
            shortest: shortest.map(u64::from),
            shortest_solutions: Some(BigUint::from(self.solutions(shortest))),
            max_depth: self.depth.iter().max().map(|&d| u64::from(d)),
            max_remoteness: self
                .remoteness
                .iter()
                .flatten()
                .max()
                .map(|&r| u64::from(r)),
            first_dead_end_depth: dead.map(|id| u64::from(self.depth(id))).min(),
            graded: Some(true),
            reversible: Some(false),
            no_solution: shortest.is_none(),
            ..absent()
        };
        let layers = self.depth.last().map_or(0, |d| d + 1);
        let row = |d: u32| {
            let here: Vec<u32> = self.ids().filter(|&id| self.depth(id) == d).collect();
            let count = |wanted| {
                Some(
                    here.iter()
                        .filter(|&&id| self.verdict(id) == wanted)
                        .count() as u64,
                )
            };
            DepthRow {
                states: here.len() as u64,
                live: count(Verdict::Live),
                doomed: count(Verdict::Doomed),
                dead_ends: count(Verdict::DeadEnd),
                goals: Some(here.iter().filter(|&&id| self.is_goal(id)).count() as u64),
                blocking_moves: Some(here.iter().map(|&id| self.blocking(id)).sum()),
            }
        };
        let depths = (0..layers).map(row).collect();
        self.summary = summary;
        self.depths = depths;
    }

    fn solutions(&self, shortest: Option<u32>) -> u64 {
        fn below(fake: &Fake, id: u32) -> u64 {
            match fake.remoteness(id) {
                Some(0) => 1,
                Some(r) => fake.transitions[id as usize]
                    .iter()
                    .filter(|t| fake.remoteness(t.to) == Some(r - 1))
                    .map(|t| below(fake, t.to))
                    .sum(),
                None => 0,
            }
        }
        let best = |&id: &u32| shortest.is_some() && self.remoteness(id) == shortest;
        (0..self.starts)
            .filter(best)
            .map(|id| below(self, id))
            .sum()
    }

    /// The instance that goes with it.
    pub(crate) fn instance(&self) -> Instance {
        let cells = self.states[0].len();
        Instance {
            name: "frogs".to_owned(),
            title: "Frogs".to_owned(),
            origin: Origin::default(),
            params: Params(vec![("n".to_owned(), ParamValue::Int(self.n))]),
            alphabet: Alphabet {
                symbols: vec!['.', 'F', 'T'],
                names: ["empty", "frog", "toad"].map(str::to_owned).to_vec(),
                pictures: vec![None; 3],
            },
            board: Board {
                shape: Shape::Line,
                counted: false,
                cap: None,
                cells,
            },
            starts: vec![vec![0; cells]],
            goal: Goal::Stuck,
            rules: Vec::new(),
            strategies: Vec::new(),
        }
    }
}

impl Run for Fake {
    fn summary(&self) -> &Summary {
        &self.summary
    }
    fn depths(&self) -> &[DepthRow] {
        &self.depths
    }
    fn outcome(&self) -> Outcome {
        Outcome::Complete
    }
    fn engine(&self) -> &'static str {
        "fake"
    }
    fn table(&self) -> Option<&dyn Table> {
        Some(self)
    }
    fn draw_position(&self, position: &Position, _: Style) -> Vec<String> {
        vec![
            position
                .iter()
                .map(|&v| ['.', 'F', 'T'][v as usize])
                .collect(),
        ]
    }
}

impl Table for Fake {
    fn state_count(&self) -> u32 {
        self.states.len() as u32
    }
    fn position(&self, id: u32, out: &mut Position) {
        let content = |letter| ".FT".find(letter).expect("a symbol") as u64;
        out.clear();
        out.extend(self.states[id as usize].chars().map(content));
    }
    fn one_line(&self, id: u32) -> String {
        self.states[id as usize].clone()
    }
    fn picture(&self, id: u32, _: Style) -> Vec<String> {
        self.states[id as usize]
            .split('/')
            .map(str::to_owned)
            .collect()
    }
    fn depth(&self, id: u32) -> u32 {
        self.depth[id as usize]
    }
    fn remoteness(&self, id: u32) -> Option<u32> {
        self.remoteness[id as usize]
    }
    fn verdict(&self, id: u32) -> Verdict {
        if self.remoteness(id).is_some() {
            Verdict::Live
        } else if self.transitions[id as usize].is_empty() {
            Verdict::DeadEnd
        } else {
            Verdict::Doomed
        }
    }
    fn is_goal(&self, id: u32) -> bool {
        self.states[id as usize] == self.goal
    }
    fn transitions(&self, id: u32, out: &mut Vec<Transition>) {
        out.clone_from(&self.transitions[id as usize]);
    }
    fn move_name(&self, mv: Move) -> String {
        self.moves[mv.0 as usize].clone()
    }
    fn rule_name(&self, mv: Move) -> String {
        self.moves[mv.0 as usize]
            .split(' ')
            .next()
            .unwrap_or_default()
            .to_owned()
    }
    fn find(&self, _: &Position) -> Option<u32> {
        None
    }
    fn start_count(&self) -> u32 {
        self.starts
    }
}

/// A summary that knows nothing.
fn absent() -> Summary {
    Summary {
        scope: Scope::Exact,
        states: None,
        transitions: None,
        starts: None,
        goals: None,
        live: None,
        doomed: None,
        dead_ends: None,
        lost: None,
        blocking_moves: None,
        points_of_no_return: None,
        only_moves: None,
        shortest: None,
        shortest_solutions: None,
        max_depth: None,
        max_remoteness: None,
        first_dead_end_depth: None,
        window_cut_depth: None,
        graded: None,
        reversible: None,
        longest: None,
        plays: None,
        no_solution: false,
    }
}

/// Two threads, four MiB, a millisecond.
pub(crate) const MEASURED: Measured = Measured {
    threads: 2,
    peak_memory_bytes: Some(4 << 20),
    elapsed: Duration::from_millis(1),
};

/// The record of a fake.
pub(crate) fn record(fake: &Fake) -> Record {
    Record::new(&fake.instance(), fake, MEASURED)
}

/// A run of frogs n = 2 that was stopped after depth 3.
pub(crate) fn stopped_record() -> Record {
    let mut record = record(&Fake::frogs(2));
    record.outcome = Outcome::Stopped {
        reason: Limit::States,
        depth: 3,
    };
    record.summary = Summary {
        scope: Scope::Stopped(Limit::States),
        states: Some(12),
        starts: Some(1),
        ..absent()
    };
    record.depths = [1, 2, 4, 5]
        .map(|states| DepthRow {
            states,
            ..DepthRow::default()
        })
        .to_vec();
    record
}

/// What a writer wrote.
pub(crate) fn text_of(write: impl FnOnce(&mut dyn std::io::Write) -> Result<(), Error>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("memory takes every byte");
    String::from_utf8(out).expect("text")
}
