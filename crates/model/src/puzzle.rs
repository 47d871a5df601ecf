//! Small traits, one a capability, for engines to ask of a puzzle.
//!
//! Compiled rule files implement them all; a puzzle written in Rust implements what it can.

use std::fmt::Debug;
use std::hash::Hash;

/// The identity of a move: for compiled rule files the number of the placed rule, in rule order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub u32);

/// The rules of one puzzle, as pure functions of a packed board.
///
/// The same state yields the same moves in the same order on every run and platform:
/// engines rely on that to replay a path, and reports to name a move.
pub trait Puzzle: Sync {
    /// A packed board; equal values mean equal positions, and their order is board order.
    type State: Copy + Ord + Hash + Debug + Send + Sync + 'static;

    /// Positions play may begin from; never empty; in any order, perhaps one twice.
    fn starts(&self) -> Vec<Self::State>;

    /// Calls `visit` once per move; a successor may come twice (two moves), `state` itself never.
    fn moves(&self, state: Self::State, visit: impl FnMut(Move, Self::State));

    /// Calls `visit` with the successors of [`Puzzle::moves`], one a move, in any order: for those who
    /// do not ask which move it was.
    fn successors(&self, state: Self::State, mut visit: impl FnMut(Self::State)) {
        self.moves(state, |_, next| visit(next));
    }

    /// Whether `state` counts as solved. A goal may still have successors.
    fn is_goal(&self, state: Self::State) -> bool;

    /// A bound above every [`Move`] number; engines keep that many cursors.
    fn move_bound(&self) -> u32;

    /// Whether [`Puzzle::is_cut`] can ever be true.
    fn can_cut(&self) -> bool {
        false
    }

    /// Whether a move from `state` was cut off by the window of an endless board.
    fn is_cut(&self, _state: Self::State) -> bool {
        false
    }

    /// Whether every transition is known to have its inverse, from the rules alone.
    fn is_undirected(&self) -> bool {
        false
    }

    /// Whether every transition is known to go one layer deeper, from the rules alone: then no state
    /// of a new layer was seen before.
    fn is_graded(&self) -> bool {
        false
    }

    /// Whether different moves from one state are known to give different successors.
    fn is_injective(&self) -> bool {
        false
    }

    /// The effect of a move: what it changes, whatever it reads. Two effects on one state always
    /// give two successors. `None` where effects are not known.
    fn effect(&self, _mv: Move) -> Option<u32> {
        None
    }

    /// How many effects there are; `None` where they are not known.
    fn effect_bound(&self) -> Option<u32> {
        None
    }
}

/// A puzzle whose moves can be taken back.
pub trait Reversible: Puzzle {
    /// Calls `visit` with every state that has a move to `state`, and that move; a predecessor may
    /// come twice, `state` itself never. States that cannot be reached may come too.
    fn unmoves(&self, state: Self::State, visit: impl FnMut(Move, Self::State));

    /// Calls `visit` with the states of [`Reversible::unmoves`], one a move, in any order.
    fn predecessors(&self, state: Self::State, mut visit: impl FnMut(Self::State)) {
        self.unmoves(state, |_, before| visit(before));
    }
}

/// A puzzle whose states and moves can be shown.
pub trait Draw: Puzzle {
    /// The state in one line, as in every file.
    fn one_line(&self, state: Self::State) -> String;

    /// The state as it lies, one line of text a row.
    fn picture(&self, state: Self::State, style: Style) -> Vec<String> {
        let _ = style;
        vec![self.one_line(state)]
    }

    /// The move in words, e.g. `jump 2 4`.
    fn move_name(&self, mv: Move) -> String;

    /// The move's rule alone, e.g. `jump`.
    fn rule_name(&self, mv: Move) -> String {
        self.move_name(mv)
    }
}

/// How boards are drawn for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Pictures such as `○` where the file gives them; else letters only.
    pub unicode: bool,
}
