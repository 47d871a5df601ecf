//! Undirected spaces by their last two layers: around the goals, and counting shortest ways.

use rayon::prelude::*;

use crate::count::Count;
use crate::expand::{Expand, State};
use crate::lookup::Cursors;
use crate::observe::{Limits, Observer, Outcome, Stage};
use crate::search::{Found, search_from};

/// States a thread takes at a time.
const PIECE: usize = 1 << 13;

/// Finds the layers around some states of an undirected puzzle and keeps their sizes alone: how many
/// states are how far from them. Goals, dead ends and cut-off moves are not counted.
pub fn search_around<S: State>(
    puzzle: &dyn Expand<S>,
    states: Vec<S>,
    limits: &Limits,
    observer: &dyn Observer,
) -> Found<S> {
    search_from(
        puzzle,
        states,
        Stage::Retrograde,
        limits,
        observer,
        &mut |_| {},
    )
}

/// The number of shortest ways from the starts of an undirected puzzle to the goals at the least
/// depth that has some; `None` within if the number does not fit.
///
/// # Errors
/// How the search was stopped.
pub fn count_shortest<S: State, N: Count>(
    puzzle: &dyn Expand<S>,
    least_depth: u32,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Option<N>, Outcome> {
    let limits = Limits {
        max_depth: Some(least_depth),
        ..*limits
    };
    let (mut states, mut ways): (Vec<S>, Vec<N>) = (Vec::new(), Vec::new());
    let mut fits = true;
    let mut depth = 0_u32;
    let found = search_from(
        puzzle,
        puzzle.starts(),
        Stage::Retrograde,
        &limits,
        observer,
        &mut |layer| {
            let (next, all_fit) = ways_of(puzzle, layer, &states, &ways, depth == 0);
            fits &= all_fit;
            states = layer.to_vec();
            ways = next;
            depth += 1;
        },
    );
    if depth <= least_depth {
        return Err(found.outcome);
    }
    let mut sum = N::zero();
    for (&state, ways) in states.iter().zip(&ways) {
        if puzzle.is_goal(state) {
            fits &= sum.add(ways);
        }
    }
    Ok(fits.then_some(sum))
}

/// The ways to each state of a layer: those to its neighbours in the layer before.
fn ways_of<S: State, N: Count>(
    puzzle: &dyn Expand<S>,
    layer: &[S],
    before: &[S],
    ways: &[N],
    is_first: bool,
) -> (Vec<N>, bool) {
    if is_first {
        return (vec![N::one(); layer.len()], true);
    }
    let mut sums = vec![N::zero(); layer.len()];
    let fits = layer
        .par_chunks(PIECE)
        .zip(sums.par_chunks_mut(PIECE))
        .map(|(states, sums)| {
            let mut cursors = Cursors::new(before, puzzle.move_bound());
            let (mut moves, mut near) = (Vec::new(), Vec::new());
            let mut fits = true;
            for (&state, sum) in states.iter().zip(sums) {
                moves.clear();
                puzzle.moves_into(state, &mut moves);
                near.clear();
                near.extend(moves.iter().filter_map(|&(mv, to)| cursors.find(mv, to)));
                if !puzzle.is_injective() {
                    near.sort_unstable();
                    near.dedup();
                }
                for &place in &near {
                    fits &= sum.add(&ways[place as usize]);
                }
            }
            fits
        })
        .reduce(|| true, |a, b| a && b);
    (sums, fits)
}
