//! Strategies written in Rust, for any puzzle.

use crate::puzzle::Puzzle;

/// Advice which move to make.
///
/// A closure from a state to the next one is advice, too.
pub trait Advice<P: Puzzle> {
    /// The state to go to; `None` where the strategy knows no move.
    fn choose(&mut self, state: P::State) -> Option<P::State>;
}

impl<P: Puzzle, F: FnMut(P::State) -> Option<P::State>> Advice<P> for F {
    fn choose(&mut self, state: P::State) -> Option<P::State> {
        self(state)
    }
}

/// How following advice ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending<S> {
    /// At a goal.
    Arrived(S),
    /// At a state for which there is no advice.
    NoAdvice(S),
    /// The advice was no move of the puzzle.
    Illegal {
        /// Where it was given.
        from: S,
        /// Where it would have led.
        to: S,
    },
    /// At a state met before.
    Cycle(S),
}

/// Follows advice from a state until it ends; `visit` sees every state, the first one too.
///
/// The advice must not remember anything but what the state shows: else a state that returns is no
/// cycle.
///
/// ```
/// use impasse_model::puzzle::{Move, Puzzle};
/// use impasse_model::strategy::{Ending, follow};
///
/// /// Add 1 or 3, and land on 7.
/// struct Count;
/// impl Puzzle for Count {
///     type State = u32;
///     fn starts(&self) -> Vec<u32> {
///         vec![0]
///     }
///     fn moves(&self, state: u32, mut visit: impl FnMut(Move, u32)) {
///         visit(Move(0), state + 1);
///         visit(Move(1), state + 3);
///     }
///     fn is_goal(&self, state: u32) -> bool {
///         state == 7
///     }
///     fn move_bound(&self) -> u32 {
///         2
///     }
/// }
///
/// let mut met = Vec::new();
/// let greedy = |state| Some(if state + 3 <= 7 { state + 3 } else { state + 1 });
/// let ending = follow(&Count, greedy, 0, |state| met.push(state));
/// assert_eq!(ending, Ending::Arrived(7));
/// assert_eq!(met, [0, 3, 6, 7]);
/// ```
pub fn follow<P: Puzzle>(
    puzzle: &P,
    mut advice: impl Advice<P>,
    from: P::State,
    mut visit: impl FnMut(P::State),
) -> Ending<P::State> {
    let mut state = from;
    // An earlier state, exchanged after 1, 2, 4, ... moves: see `Player`.
    let (mut saved, mut moves, mut saved_until) = (from, 0_u64, 1);
    loop {
        visit(state);
        if puzzle.is_goal(state) {
            return Ending::Arrived(state);
        }
        if moves > 0 && state == saved {
            return Ending::Cycle(state);
        }
        if moves == saved_until {
            (saved, saved_until) = (state, 2 * saved_until);
        }
        let Some(to) = advice.choose(state) else {
            return Ending::NoAdvice(state);
        };
        let mut is_move = false;
        puzzle.moves(state, |_, successor| is_move |= successor == to);
        if !is_move {
            return Ending::Illegal { from: state, to };
        }
        state = to;
        moves += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Move;

    /// Round a ring of ten, one step either way; the goal is 5.
    struct Ring;

    impl Puzzle for Ring {
        type State = u32;

        fn starts(&self) -> Vec<u32> {
            vec![0]
        }

        fn moves(&self, state: u32, mut visit: impl FnMut(Move, u32)) {
            visit(Move(0), (state + 1) % 10);
            visit(Move(1), (state + 9) % 10);
        }

        fn is_goal(&self, state: u32) -> bool {
            state == 5
        }

        fn move_bound(&self) -> u32 {
            2
        }
    }

    #[test]
    fn how_following_ends() {
        let check = |advice: fn(u32) -> Option<u32>, expected| {
            assert_eq!(follow(&Ring, advice, 0, |_| ()), expected);
        };
        check(|s| Some(s + 1), Ending::Arrived(5));
        check(|s| (s < 3).then_some(s + 1), Ending::NoAdvice(3));
        check(|s| Some(s + 2), Ending::Illegal { from: 0, to: 2 });
        check(|s| Some(if s == 4 { 3 } else { s + 1 }), Ending::Cycle(4));
    }
}
