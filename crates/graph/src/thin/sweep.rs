//! The sweep through a graded space from the deepest layer up.

use std::sync::atomic::{AtomicBool, Ordering};

use impasse_model::word::Word;
use rayon::prelude::*;

use super::checkpoints::Checkpoints;
use super::packed::Packed;
use crate::count::Count;
use crate::expand::{Expand, State};
use crate::expander::{Around, Expander};
use crate::lookup::Cursors;
use crate::observe::{Limit, Limits, Observer, Progress, Stage};

/// No goal can be reached.
const NONE: u32 = u32::MAX;
/// States a thread takes at a time.
const PIECE: usize = 1 << 13;

/// What a sweep tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swept<N> {
    /// Live states by depth.
    pub live: Vec<u64>,
    /// Transitions from a live state to a lost one, by the depth they start at.
    pub blocking: Vec<u64>,
    /// Live states with such a transition.
    pub points_of_no_return: u64,
    /// Live states, no goals, with exactly one live successor.
    pub only_moves: u64,
    /// The greatest remoteness; `None` without a goal.
    pub max_remoteness: Option<u32>,
    /// Shortest ways from the starts nearest to a goal.
    pub shortest_solutions: N,
    /// Ways from a start to a state without successor.
    pub plays: N,
}

/// What is known of one state.
#[derive(Clone)]
struct Value<N> {
    remoteness: u32,
    /// Shortest ways to a goal.
    solutions: N,
    /// Ways to a state without successor.
    plays: N,
}

/// A layer with what is known of its states.
struct Layer<S, N> {
    states: Vec<S>,
    values: Vec<Value<N>>,
}

#[derive(Clone, Copy, Default)]
struct PieceTally {
    live: u64,
    blocking: u64,
    points: u64,
    only: u64,
    farthest: Option<u32>,
}

impl PieceTally {
    fn with(self, other: Self) -> Self {
        Self {
            live: self.live + other.live,
            blocking: self.blocking + other.blocking,
            points: self.points + other.points,
            only: self.only + other.only,
            farthest: self.farthest.max(other.farthest),
        }
    }
}

/// Sweeps through a graded space whose search was whole; `None` if a number of ways does not fit.
///
/// Time is that of the search for what must be made again, and a look-up for each transition; memory
/// is that of the checkpoints, of the layers between two of them, and of two layers with their
/// values.
///
/// # Errors
/// The limit that was hit.
pub fn sweep<S: State + Word, N: Count>(
    puzzle: &dyn Expand<S>,
    checkpoints: &Checkpoints<S>,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Option<Swept<N>>, Limit> {
    let depths = checkpoints.depths();
    let mut expander = Expander::new(puzzle, limits, observer);
    expander.counting = false;
    let mut out = Swept {
        live: vec![0; depths],
        blocking: vec![0; depths],
        points_of_no_return: 0,
        only_moves: 0,
        max_remoteness: None,
        shortest_solutions: N::zero(),
        plays: N::zero(),
    };
    let mut deeper = Layer {
        states: Vec::new(),
        values: Vec::new(),
    };
    let too_many = AtomicBool::new(false);
    let mut states = 0;
    for (range, first) in checkpoints.backwards() {
        let between = made_again(&expander, checkpoints, first, range.len(), deeper.bytes())?;
        for (depth, packed) in range.zip(between).rev() {
            let here = packed.unpack();
            drop(packed);
            let values = here.len() as u64 * size_of::<Value<N>>() as u64;
            let held = checkpoints.bytes() + deeper.bytes() + size_of_val(&here[..]) as u64;
            if !expander.room.fits(held, values, 0) {
                return Err(Limit::Memory);
            }
            if expander.out_of_time() {
                return Err(Limit::Time);
            }
            let Some((layer, tally)) = step(puzzle, here, &deeper, observer, &too_many) else {
                return Err(Limit::Interrupt);
            };
            if too_many.load(Ordering::Relaxed) {
                return Ok(None);
            }
            out.live[depth] = tally.live;
            out.blocking[depth] = tally.blocking;
            out.points_of_no_return += tally.points;
            out.only_moves += tally.only;
            out.max_remoteness = out.max_remoteness.max(tally.farthest);
            states += layer.states.len() as u64;
            let progress = Progress {
                stage: Stage::Retrograde,
                layer: depth as u32,
                layer_states: layer.states.len() as u64,
                states,
            };
            if observer.layer(&progress).is_break() {
                return Err(Limit::Interrupt);
            }
            deeper = layer;
        }
    }
    Ok(out.with_starts(&deeper.values).then_some(out))
}

impl<N: Count> Swept<N> {
    /// Without the numbers of ways.
    #[must_use]
    pub fn uncounted(self) -> Swept<()> {
        Swept {
            live: self.live,
            blocking: self.blocking,
            points_of_no_return: self.points_of_no_return,
            only_moves: self.only_moves,
            max_remoteness: self.max_remoteness,
            shortest_solutions: (),
            plays: (),
        }
    }

    /// Sums up over the starts; `false` if a sum does not fit.
    fn with_starts(&mut self, starts: &[Value<N>]) -> bool {
        let nearest = starts.iter().map(|value| value.remoteness).min();
        let mut fits = true;
        for value in starts {
            fits &= self.plays.add(&value.plays);
            if value.remoteness != NONE && Some(value.remoteness) == nearest {
                fits &= self.shortest_solutions.add(&value.solutions);
            }
        }
        fits
    }
}

impl<S, N> Layer<S, N> {
    fn bytes(&self) -> u64 {
        (self.states.len() * (size_of::<S>() + size_of::<Value<N>>())) as u64
    }
}

/// A layer and those behind it, so many in all.
fn made_again<S: State + Word>(
    expander: &Expander<'_, S>,
    checkpoints: &Checkpoints<S>,
    first: Vec<S>,
    count: usize,
    held: u64,
) -> Result<Vec<Packed<S>>, Limit> {
    let mut made = Vec::with_capacity(count);
    let mut layer = first;
    while made.len() + 1 < count {
        let around = Around {
            held: checkpoints.bytes() + held,
            ..Around::nothing()
        };
        let (next, _) = expander.next(&layer, &around)?;
        made.push(Packed::new(&layer));
        layer = next;
    }
    made.push(Packed::new(&layer));
    Ok(made)
}

/// What is known of the states of a layer, given the next; `None` where the observer breaks off.
fn step<S: State, N: Count>(
    puzzle: &dyn Expand<S>,
    states: Vec<S>,
    deeper: &Layer<S, N>,
    observer: &dyn Observer,
    too_many: &AtomicBool,
) -> Option<(Layer<S, N>, PieceTally)> {
    let unknown = Value {
        remoteness: NONE,
        solutions: N::zero(),
        plays: N::zero(),
    };
    let mut values = vec![unknown; states.len()];
    let size = states
        .len()
        .div_ceil(4 * rayon::current_num_threads())
        .clamp(PIECE / 8, PIECE);
    let work = |(states, values): (&[S], &mut [Value<N>])| {
        (!observer.interrupted()).then(|| piece(puzzle, states, values, deeper, too_many))
    };
    let tally = if states.len() <= PIECE {
        work((&states, &mut values))?
    } else {
        states
            .par_chunks(size)
            .zip(values.par_chunks_mut(size))
            .map(work)
            .try_reduce(PieceTally::default, |a, b| Some(a.with(b)))?
    };
    Some((Layer { states, values }, tally))
}

fn piece<S: State, N: Count>(
    puzzle: &dyn Expand<S>,
    states: &[S],
    values: &mut [Value<N>],
    deeper: &Layer<S, N>,
    too_many: &AtomicBool,
) -> PieceTally {
    let mut tally = PieceTally::default();
    let mut cursors = Cursors::new(&deeper.states, puzzle.move_bound());
    let (mut moves, mut next) = (Vec::new(), Vec::new());
    let mut fits = true;
    for (&state, value) in states.iter().zip(values) {
        moves.clear();
        puzzle.moves_into(state, &mut moves);
        next.clear();
        next.extend(moves.iter().map(|&(mv, to)| {
            let place = cursors.find(mv, to);
            place.expect("a successor is in the next layer")
        }));
        if !puzzle.is_injective() {
            next.sort_unstable();
            next.dedup();
        }
        let after = || next.iter().map(|&place| &deeper.values[place as usize]);
        let goal = puzzle.is_goal(state);
        let nearest = after().map(|v| v.remoteness).min().unwrap_or(NONE);
        if next.is_empty() {
            value.plays = N::one();
        }
        for v in after() {
            fits &= value.plays.add(&v.plays);
            if !goal && v.remoteness == nearest && nearest != NONE {
                fits &= value.solutions.add(&v.solutions);
            }
        }
        if goal {
            value.remoteness = 0;
            value.solutions = N::one();
        } else if nearest != NONE {
            value.remoteness = nearest + 1;
        } else {
            continue;
        }
        let keeping = after().filter(|v| v.remoteness != NONE).count();
        tally.live += 1;
        tally.farthest = tally.farthest.max(Some(value.remoteness));
        tally.blocking += (next.len() - keeping) as u64;
        tally.points += u64::from(keeping < next.len());
        tally.only += u64::from(keeping == 1 && !goal);
    }
    if !fits {
        too_many.store(true, Ordering::Relaxed);
    }
    tally
}
