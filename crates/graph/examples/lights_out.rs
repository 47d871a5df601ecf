//! Lights Out, a puzzle written in Rust: pressing a lamp switches it and its neighbours, cut off at
//! the edge, whatever stands there; no rewriting rule says that. From all lamps off, how many
//! boards can be reached, and how many presses does the hardest take?
//!
//! Prints `1: 2 states, 1 press`, `2: 16 states, 4 presses`, `3: 512 states, 9 presses`, `4: 4096
//! states, 7 presses`.

use std::error::Error;
use std::sync::Arc;

use impasse_graph::explicit::Explicit;
use impasse_graph::observe::{Limits, Silent};
use impasse_graph::search::search;
use impasse_graph::space::Layers;
use impasse_model::puzzle::{Draw, Move, Puzzle, Reversible};

/// A square of lamps; a state has a bit a lamp, the first lamp in the highest bit.
pub(crate) struct LightsOut {
    size: u32,
    presses: Vec<u64>,
}

impl LightsOut {
    /// A square of `size` by `size` lamps.
    pub(crate) fn new(size: u32) -> Self {
        let lamps = size * size;
        let bit = |x: u32, y: u32| 1_u64 << (lamps - 1 - (y * size + x));
        let press = |lamp: u32| {
            let (x, y) = (lamp % size, lamp / size);
            let near = [(-1, 0), (1, 0), (0, -1), (0, 1)];
            near.iter()
                .filter_map(|(dx, dy)| {
                    Some((x.checked_add_signed(*dx)?, y.checked_add_signed(*dy)?))
                })
                .filter(|&(x, y)| x < size && y < size)
                .fold(bit(x, y), |lamps, (x, y)| lamps | bit(x, y))
        };
        Self {
            size,
            presses: (0..lamps).map(press).collect(),
        }
    }
}

impl Puzzle for LightsOut {
    type State = u64;

    fn starts(&self) -> Vec<u64> {
        vec![0]
    }

    fn moves(&self, state: u64, mut visit: impl FnMut(Move, u64)) {
        for (lamp, press) in (0..).zip(&self.presses) {
            visit(Move(lamp), state ^ press);
        }
    }

    fn is_goal(&self, state: u64) -> bool {
        state == 0
    }

    fn move_bound(&self) -> u32 {
        self.size * self.size
    }
}

impl Reversible for LightsOut {
    fn unmoves(&self, state: u64, visit: impl FnMut(Move, u64)) {
        self.moves(state, visit);
    }
}

impl Draw for LightsOut {
    fn one_line(&self, state: u64) -> String {
        let lamps = self.size * self.size;
        let lamp = |i: u32| {
            if state >> (lamps - 1 - i) & 1 == 1 {
                'O'
            } else {
                '.'
            }
        };
        let row = |y: u32| {
            (0..self.size)
                .map(|x| lamp(y * self.size + x))
                .collect::<String>()
        };
        (0..self.size).map(row).collect::<Vec<_>>().join("/")
    }

    fn move_name(&self, mv: Move) -> String {
        format!("press {}", mv.0 + 1)
    }
}

/// The number of states, and the depth of the deepest.
///
/// # Errors
/// If there are more states than can be numbered.
pub(crate) fn figures(size: u32) -> Result<(u64, u64), Box<dyn Error>> {
    let puzzle = Arc::new(LightsOut::new(size));
    let found = search(&*puzzle, true, &Limits::default(), &Silent);
    let space = Explicit::reversible(&puzzle, found)?;
    let states = space.layers().iter().map(|layer| layer.states).sum();
    Ok((states, space.layers().len() as u64 - 1))
}

#[allow(dead_code, reason = "the tests include this file as a module")]
fn main() -> Result<(), Box<dyn Error>> {
    for size in 1..=4 {
        let (states, depth) = figures(size)?;
        println!(
            "{size}: {states} states, {depth} {}",
            if depth == 1 { "press" } else { "presses" }
        );
    }
    Ok(())
}
