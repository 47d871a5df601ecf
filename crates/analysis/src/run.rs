//! What a finished run offers to reports and commands: no word, no engine in sight.

use impasse_graph::observe::Outcome;
use impasse_model::instance::Position;
use impasse_model::puzzle::{Move, Style};

use crate::inquiry::Inquire;
use crate::summary::{DepthRow, Summary};

/// How a state stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// A goal can be reached (goals are live).
    Live,
    /// It has successors, but no goal can be reached.
    Doomed,
    /// It has no successor and is no goal.
    DeadEnd,
}

impl Verdict {
    /// `live`, `doomed` or `dead end`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Doomed => "doomed",
            Self::DeadEnd => "dead end",
        }
    }
}

/// A transition from a known state: where it leads, and the first move in rule order that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Number of the successor.
    pub to: u32,
    /// The move.
    pub by: Move,
}

/// A finished run of one puzzle for one choice of parameters.
pub trait Run: Send + Sync {
    /// The figures.
    fn summary(&self) -> &Summary;

    /// Counts by depth.
    fn depths(&self) -> &[DepthRow];

    /// How the search ended.
    fn outcome(&self) -> Outcome;

    /// The engine that ran (`hash`, ...).
    fn engine(&self) -> &'static str;

    /// The states one by one, unless the run kept none (`--only depths`, a stopped run).
    fn table(&self) -> Option<&dyn Table>;

    /// What answers questions about moves and single states where there is no table.
    fn inquire(&self) -> Option<&dyn Inquire> {
        None
    }

    /// As [`Run::table`], but of a stopped run too: the states of whole layers, whose remoteness is
    /// exact only along shortest solutions from a start.
    fn partial_table(&self) -> Option<&dyn Table> {
        self.table()
    }

    /// Keys that are absent for a reason of the run's own (too little memory, say), with the reason.
    fn absent(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Draws positions and names moves, also of states that were not reached.
    fn draw_position(&self, position: &Position, style: Style) -> Vec<String>;
}

/// The states of a completed run, numbered by depth, then by board order.
pub trait Table: Send + Sync {
    /// Number of states; ids are below.
    fn state_count(&self) -> u32;
    /// The number of a state in the whole space: in excerpts of a space it is another one than its id
    /// among the few, and `None` where it was not found out.
    fn number(&self, id: u32) -> Option<u64> {
        Some(id.into())
    }
    /// The contents of its cells, in board order; `out` is cleared first.
    fn position(&self, id: u32, out: &mut Position);
    /// The state in one line.
    fn one_line(&self, id: u32) -> String;
    /// The state as it lies.
    fn picture(&self, id: u32, style: Style) -> Vec<String>;
    /// Fewest transitions from a start.
    fn depth(&self, id: u32) -> u32;
    /// Fewest transitions to a goal.
    fn remoteness(&self, id: u32) -> Option<u32>;
    /// How it stands.
    fn verdict(&self, id: u32) -> Verdict;
    /// Whether it is a goal.
    fn is_goal(&self, id: u32) -> bool;
    /// Its transitions, ascending by successor, each successor once; `out` is cleared first.
    fn transitions(&self, id: u32, out: &mut Vec<Transition>);
    /// The move in words, e.g. `jump 2 4`.
    fn move_name(&self, mv: Move) -> String;
    /// The move's rule alone.
    fn rule_name(&self, mv: Move) -> String;
    /// The number of a position, if it was reached.
    fn find(&self, position: &Position) -> Option<u32>;
    /// Number of starts; they are the ids below it (all of depth 0).
    fn start_count(&self) -> u32;
    /// The start of a printed solution: of least remoteness, then of least number.
    fn best_start(&self) -> Option<u32> {
        (0..self.start_count())
            .filter(|&id| self.remoteness(id).is_some())
            .min_by_key(|&id| (self.remoteness(id), id))
    }
    /// The successor of least number whose remoteness is one less.
    fn best_successor(&self, id: u32) -> Option<Transition> {
        let wanted = self.remoteness(id)?.checked_sub(1)?;
        let mut out = Vec::new();
        self.transitions(id, &mut out);
        out.into_iter()
            .find(|t| self.remoteness(t.to) == Some(wanted))
    }
}
