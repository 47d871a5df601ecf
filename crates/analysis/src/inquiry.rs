//! What a run without a table of all states can still tell: counts by move, and excerpts of its
//! space that are tables of a few states.

use std::ops::ControlFlow;

use impasse_graph::observe::{Observer, Progress, Stage};
use impasse_graph::stream::{NoMemory, Rests};
use impasse_model::instance::Position;
use impasse_model::puzzle::Move;

use crate::blocking::Rest;
use crate::run::Table;

/// How often a move was made from live states, and how often it lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveCounts {
    /// Blocking moves.
    pub blocking: u64,
    /// Transitions from live states.
    pub from_live: u64,
    /// Doomed states whose shortest way (from the least-numbered predecessor each) it lost; `None`
    /// where the memory does not allow to tell.
    pub doomed: Option<u64>,
    /// The same of dead ends.
    pub dead_ends: Option<u64>,
}

/// The counts of one placed rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveTally {
    /// The move.
    pub by: Move,
    /// Its rule in words.
    pub rule: String,
    /// Rule and place in words.
    pub name: String,
    /// The counts; a transition counts for the first move in rule order that makes it.
    pub counts: MoveCounts,
}

/// The states an excerpt is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Excerpt {
    /// Points of no return, and the lost states their moves lead to.
    Boundary,
    /// All lost states.
    Lost,
    /// The first dead ends, so many at most, each with the shortest way that comes to each state from
    /// its least-numbered predecessor.
    DeadEnds(u64),
    /// Live states with one move that stays live, and all their successors.
    OnlyMoves,
    /// A position and its successors; if it is lost also a shortest way to it (as above), the
    /// successors of the state where the way was lost, and what a tree of play shows.
    Around {
        /// The position.
        position: Position,
        /// Branches of the tree (see [`tree`](crate::reasons::tree)).
        branches: usize,
    },
}

/// What an excerpt must know of its states beside depth, verdict and transitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Their numbers in the whole space: a pass over all states above the deepest one.
    pub numbers: bool,
    /// Their remoteness: a search from the goals.
    pub remoteness: bool,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// The observer broke off.
    #[error("interrupted")]
    Interrupted,
    /// The budget or the system has no room.
    #[error(
        "the answer needs {needed} bytes of memory, but {budget} are allowed; use `--memory {needed}`"
    )]
    Memory {
        /// Bytes it takes.
        needed: u64,
        /// Bytes that are allowed.
        budget: u64,
    },
    /// The excerpt would have too many states.
    #[error("the answer is about more than {most} single states")]
    TooMany {
        /// The most there can be.
        most: u64,
    },
}

impl From<NoMemory> for Unanswered {
    fn from(NoMemory(needed): NoMemory) -> Self {
        Self::Memory {
            needed,
            budget: needed,
        }
    }
}

/// A run that answers from sets of states.
pub trait Inquire: Send + Sync {
    /// Counts by move, in rule order; only moves that were made from a live state.
    ///
    /// # Errors
    /// [`Unanswered`]; where the memory does for some counts only, the others are absent.
    fn by_move(&self, observer: &dyn Observer) -> Result<Vec<MoveTally>, Unanswered>;

    /// A table of some states alone, numbered among themselves by depth and board order. Successors
    /// that it does not hold are left out, and states at its rim have none; `None` if it is about a
    /// position that was not reached.
    ///
    /// # Errors
    /// [`Unanswered`].
    fn excerpt(
        &self,
        of: &Excerpt,
        known: Known,
        observer: &dyn Observer,
    ) -> Result<Option<Box<dyn Table>>, Unanswered>;

    /// How many lost states can be played on for how many moves at most.
    ///
    /// # Errors
    /// [`Unanswered`].
    fn rests(&self, observer: &dyn Observer) -> Result<Rests, Unanswered>;

    /// How long play can go on from a position; `None` if it is live or was not reached.
    ///
    /// # Errors
    /// [`Unanswered`].
    fn rest(
        &self,
        position: &Position,
        observer: &dyn Observer,
    ) -> Result<Option<Rest>, Unanswered>;
}

/// Tells an observer of a layer; an error if it breaks off.
pub(crate) fn tell(
    observer: &dyn Observer,
    stage: Stage,
    layer: usize,
    here: u64,
    states: u64,
) -> Result<(), Unanswered> {
    let progress = Progress {
        stage,
        layer: layer as u32,
        layer_states: here,
        states,
    };
    match observer.layer(&progress) {
        ControlFlow::Continue(()) if !observer.interrupted() => Ok(()),
        _ => Err(Unanswered::Interrupted),
    }
}
