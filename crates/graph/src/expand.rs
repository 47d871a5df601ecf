//! What an engine asks of a puzzle, one call a state: the same for every puzzle of one word, so
//! that engines are compiled once a word and not once a puzzle.

use impasse_model::puzzle::{Move, Puzzle, Reversible};

/// A puzzle as engines see it.
pub trait Expand<S>: Sync + Send {
    /// As [`Puzzle::starts`].
    fn starts(&self) -> Vec<S>;
    /// Appends the successors, one a move, in any order.
    fn states_into(&self, state: S, out: &mut Vec<S>);
    /// Appends the moves and their successors.
    fn moves_into(&self, state: S, out: &mut Vec<(Move, S)>);
    /// As [`Puzzle::is_goal`].
    fn is_goal(&self, state: S) -> bool;
    /// As [`Puzzle::is_cut`].
    fn is_cut(&self, state: S) -> bool;
    /// As [`Puzzle::can_cut`].
    fn can_cut(&self) -> bool;
    /// As [`Puzzle::move_bound`].
    fn move_bound(&self) -> u32;
    /// As [`Puzzle::is_undirected`].
    fn is_undirected(&self) -> bool;
    /// As [`Puzzle::is_graded`].
    fn is_graded(&self) -> bool;
    /// As [`Puzzle::is_injective`].
    fn is_injective(&self) -> bool;
    /// As [`Puzzle::effect`].
    fn effect(&self, mv: Move) -> Option<u32>;
    /// As [`Puzzle::effect_bound`].
    fn effect_bound(&self) -> Option<u32>;
}

impl<P: Puzzle + Send> Expand<P::State> for P {
    fn starts(&self) -> Vec<P::State> {
        Puzzle::starts(self)
    }
    fn states_into(&self, state: P::State, out: &mut Vec<P::State>) {
        self.successors(state, |next| out.push(next));
    }
    fn moves_into(&self, state: P::State, out: &mut Vec<(Move, P::State)>) {
        self.moves(state, |mv, next| out.push((mv, next)));
    }
    fn is_goal(&self, state: P::State) -> bool {
        Puzzle::is_goal(self, state)
    }
    fn is_cut(&self, state: P::State) -> bool {
        Puzzle::is_cut(self, state)
    }
    fn can_cut(&self) -> bool {
        Puzzle::can_cut(self)
    }
    fn move_bound(&self) -> u32 {
        Puzzle::move_bound(self)
    }
    fn is_undirected(&self) -> bool {
        Puzzle::is_undirected(self)
    }
    fn is_graded(&self) -> bool {
        Puzzle::is_graded(self)
    }
    fn is_injective(&self) -> bool {
        Puzzle::is_injective(self)
    }
    fn effect(&self, mv: Move) -> Option<u32> {
        Puzzle::effect(self, mv)
    }
    fn effect_bound(&self) -> Option<u32> {
        Puzzle::effect_bound(self)
    }
}

/// A puzzle whose moves can be taken back, as engines see it.
pub trait Unexpand<S>: Expand<S> {
    /// Appends the states that have a move here, one a move, in any order.
    fn unstates_into(&self, state: S, out: &mut Vec<S>);
    /// Appends the inverse moves and the states they come from.
    fn unmoves_into(&self, state: S, out: &mut Vec<(Move, S)>);
}

impl<P: Reversible + Send> Unexpand<P::State> for P {
    fn unstates_into(&self, state: P::State, out: &mut Vec<P::State>) {
        self.predecessors(state, |before| out.push(before));
    }
    fn unmoves_into(&self, state: P::State, out: &mut Vec<(Move, P::State)>) {
        self.unmoves(state, |mv, before| out.push((mv, before)));
    }
}

/// What engines need of a state.
pub trait State: Copy + Ord + Send + Sync + 'static {}

impl<S: Copy + Ord + Send + Sync + 'static> State for S {}
