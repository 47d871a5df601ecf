//! The figures of one run, by the names that reports, claims and `--of` use.

use impasse_graph::observe::Limit;
use num_bigint::{BigInt, BigUint};

/// What the figures mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The whole puzzle.
    Exact,
    /// An endless board was searched in a window that cut moves off.
    Window,
    /// A limit was hit.
    Stopped(Limit),
}

impl Scope {
    /// `exact`, `window` or `stopped`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Window => "window",
            Self::Stopped(_) => "stopped",
        }
    }
}

/// The figures of one run; `None` where the run does not know, or where there is none
/// (`shortest` without a reached goal). The words are those of design.md section 2.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Summary {
    pub scope: Scope,
    /// On a stopped run: states of the whole layers that were found.
    pub states: Option<u64>,
    pub transitions: Option<u64>,
    pub starts: Option<u64>,
    pub goals: Option<u64>,
    pub live: Option<u64>,
    pub doomed: Option<u64>,
    pub dead_ends: Option<u64>,
    pub lost: Option<u64>,
    pub blocking_moves: Option<u64>,
    pub points_of_no_return: Option<u64>,
    pub only_moves: Option<u64>,
    pub shortest: Option<u64>,
    pub shortest_solutions: Option<BigUint>,
    pub max_depth: Option<u64>,
    pub max_remoteness: Option<u64>,
    pub first_dead_end_depth: Option<u64>,
    pub window_cut_depth: Option<u64>,
    pub graded: Option<bool>,
    pub reversible: Option<bool>,
    /// Length of the longest play; only where the space has no cycle.
    pub longest: Option<u64>,
    /// Number of complete plays; only where the space has no cycle.
    pub plays: Option<BigUint>,
    /// Whether the absence of `shortest` is sure (the whole space was searched and no goal found),
    /// not just unknown.
    pub no_solution: bool,
}

/// The value of one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Figure {
    /// A number; in JSON a number.
    Number(u64),
    /// A big number; in JSON a decimal string.
    Big(BigUint),
    /// Yes or no.
    Flag(bool),
    /// Unknown, or none.
    Absent,
}

impl Figure {
    /// As an integer (`true` is 1), if present.
    #[must_use]
    pub fn integer(&self) -> Option<BigInt> {
        match self {
            Self::Number(n) => Some(BigInt::from(*n)),
            Self::Big(n) => Some(BigInt::from(n.clone())),
            Self::Flag(b) => Some(BigInt::from(u8::from(*b))),
            Self::Absent => None,
        }
    }
}

/// The keys in the order of files and tables.
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

impl Summary {
    /// The figure of a key of [`KEYS`].
    #[must_use]
    pub fn figure(&self, key: &str) -> Option<Figure> {
        let number = |n: Option<u64>| n.map_or(Figure::Absent, Figure::Number);
        let big = |n: &Option<BigUint>| n.clone().map_or(Figure::Absent, Figure::Big);
        let flag = |b: Option<bool>| b.map_or(Figure::Absent, Figure::Flag);
        Some(match key {
            "states" => number(self.states),
            "transitions" => number(self.transitions),
            "starts" => number(self.starts),
            "goals" => number(self.goals),
            "live" => number(self.live),
            "doomed" => number(self.doomed),
            "dead_ends" => number(self.dead_ends),
            "lost" => number(self.lost),
            "blocking_moves" => number(self.blocking_moves),
            "points_of_no_return" => number(self.points_of_no_return),
            "only_moves" => number(self.only_moves),
            "shortest" => number(self.shortest),
            "shortest_solutions" => big(&self.shortest_solutions),
            "max_depth" => number(self.max_depth),
            "max_remoteness" => number(self.max_remoteness),
            "first_dead_end_depth" => number(self.first_dead_end_depth),
            "window_cut_depth" => number(self.window_cut_depth),
            "graded" => flag(self.graded),
            "reversible" => flag(self.reversible),
            "longest" => number(self.longest),
            "plays" => big(&self.plays),
            _ => return None,
        })
    }
}

/// The counts of one depth; `None` where the run does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct DepthRow {
    pub states: u64,
    pub live: Option<u64>,
    pub doomed: Option<u64>,
    pub dead_ends: Option<u64>,
    pub goals: Option<u64>,
    /// Blocking moves that start at this depth.
    pub blocking_moves: Option<u64>,
}
