//! Shortest solutions of a streamed space: the states that lie on them, and how many there are.
//!
//! A first pass forward labels states with their depth modulo 3, up to the depth of the first goals.
//! Then sets are walked back from those goals: a predecessor of a state of depth d that bears the
//! label of d - 1 has depth d - 1, or lies at least three layers deeper. The latter are harmless: a
//! walk of the right length from a start to a goal is a shortest solution, whatever its labels say,
//! and states that no such walk enters drop out when ways are counted forward.

use std::collections::BTreeSet;

use impasse_graph::stream::{Direction, NoMemory, Search, Set, Spot, Stream};
use impasse_model::instance::Position;
use num_bigint::BigUint;

use super::distances::Distances;
use super::goals::Goals;

/// States on shortest solutions, by depth.
#[derive(Debug)]
pub(crate) struct OnPath {
    /// Ascending in each layer, with the number of ways to get there.
    pub(crate) layers: Vec<Vec<(Spot, BigUint)>>,
}

/// More states on shortest solutions are not listed: each takes about a hundred bytes.
pub(crate) const MOST_ON_PATH: u64 = 4_000_000;

/// Finds the states on shortest solutions; `None` if there are more than can be listed.
pub(crate) fn on_path(
    stream: &Stream,
    goals: &Goals,
    shortest: usize,
) -> Result<Option<OnPath>, NoMemory> {
    let Some(candidates) = candidates(stream, goals, shortest)? else {
        return Ok(None);
    };
    // Forward: only what is entered from a start counts.
    let mut layers: Vec<Vec<(Spot, BigUint)>> = Vec::with_capacity(shortest + 1);
    let starts = stream.starts()?;
    let one = BigUint::from(1_u32);
    let mut first = Vec::new();
    stream.each_spot(&starts, |spot| {
        if candidates[0].binary_search(&spot).is_ok() {
            first.push((spot, one.clone()));
        }
    });
    layers.push(first);
    for next in &candidates[1..] {
        let mut ways: Vec<BigUint> = vec![BigUint::ZERO; next.len()];
        for (spot, count) in layers.last().expect("the layer before") {
            for to in stream.successors(&stream.position(*spot)) {
                if let Ok(at) = next.binary_search(&to) {
                    ways[at] += count;
                }
            }
        }
        let entered = next.iter().copied().zip(ways);
        layers.push(entered.filter(|(_, ways)| *ways != BigUint::ZERO).collect());
    }
    Ok(Some(OnPath { layers }))
}

impl OnPath {
    /// The states as positions, by depth.
    pub(crate) fn positions(&self, stream: &Stream) -> Vec<Vec<Position>> {
        let layers = self.layers.iter();
        layers
            .map(|layer| {
                layer
                    .iter()
                    .map(|(spot, _)| stream.position(*spot))
                    .collect()
            })
            .collect()
    }

    /// Number of shortest solutions.
    pub(crate) fn count(&self) -> BigUint {
        let last = self.layers.last().into_iter().flatten();
        last.map(|(_, ways)| ways).sum()
    }
}

/// By depth, the states from which a goal of the least depth is reached in as many moves as are
/// left, as far as labels tell.
fn candidates(
    stream: &Stream,
    goals: &Goals,
    shortest: usize,
) -> Result<Option<Vec<Vec<Spot>>>, NoMemory> {
    let (labels, last) = labels(stream, goals, shortest)?;
    let mut layers = vec![list(stream, &last)];
    let mut total = last.len();
    let mut front = last;
    for depth in (0..shortest).rev() {
        let mut before = stream.image(Direction::Backward, &front)?;
        for (plane, set) in labels.iter().enumerate() {
            if (depth % 3 + 1) >> plane & 1 == 1 {
                stream.and(&mut before, set);
            } else {
                stream.minus(&mut before, set);
            }
        }
        total += before.len();
        if total > MOST_ON_PATH {
            return Ok(None);
        }
        layers.push(list(stream, &before));
        front = before;
    }
    layers.reverse();
    Ok(Some(layers))
}

/// Two planes that hold 1 + depth modulo 3 of every state above the first goals, and those goals.
fn labels(stream: &Stream, goals: &Goals, shortest: usize) -> Result<([Set; 2], Set), NoMemory> {
    let mut labels = [stream.none()?, stream.none()?];
    let mut search = Search::new(stream, Direction::Forward, stream.starts()?, None)?;
    for depth in 0..shortest {
        for (plane, set) in labels.iter_mut().enumerate() {
            if (depth % 3 + 1) >> plane & 1 == 1 {
                stream.or(set, search.layer());
            }
        }
        search.step();
    }
    let last = goals.within(stream, search.layer())?;
    Ok((labels, last))
}

/// The first shortest solutions in the order of state numbers, as the states that lie on them by
/// depth: what a table of them needs. `most` solutions at most; empty where there is none.
///
/// A search back from the goals labels states with their remoteness.
pub(crate) fn first_solutions(
    stream: &Stream,
    goals: &Goals,
    length: usize,
    most: u64,
) -> Result<Vec<Vec<Position>>, NoMemory> {
    let from = (Direction::Backward, goals.all(stream)?);
    let remoteness = Distances::new(stream, from, length, |_, _| Ok::<_, NoMemory>(()))?;
    let mut starts = Vec::new();
    stream.each(&stream.starts()?, |start| starts.push(start.to_vec()));
    starts.retain(|start| remoteness.is(start, length));
    starts.sort_unstable();
    let mut layers: Vec<BTreeSet<Position>> = vec![BTreeSet::new(); length + 1];
    let mut path: Vec<Position> = Vec::new();
    // For each state of the path and before it, the choices that are left, last first.
    starts.reverse();
    let mut untried = vec![starts];
    let mut found = 0;
    while let Some(choices) = untried.last_mut() {
        let Some(next) = choices.pop() else {
            untried.pop();
            path.pop();
            continue;
        };
        path.push(next);
        let left = length + 1 - path.len();
        if left == 0 {
            for (layer, position) in layers.iter_mut().zip(&path) {
                layer.insert(position.clone());
            }
            found += 1;
            if found >= most {
                break;
            }
            path.pop();
            continue;
        }
        let here = path.last().expect("one was just put there");
        let nearer = stream.successors(here).into_iter();
        let nearer = nearer.map(|spot| stream.position(spot));
        let mut nearer: Vec<Position> = nearer.filter(|p| remoteness.is(p, left - 1)).collect();
        nearer.sort_unstable_by(|a, b| b.cmp(a));
        untried.push(nearer);
    }
    if found == 0 {
        return Ok(Vec::new());
    }
    let layers = layers.into_iter();
    Ok(layers.map(|layer| layer.into_iter().collect()).collect())
}

/// Sets that [`first_solutions`] holds at a time.
pub(crate) fn solution_sets(stream: &Stream, length: usize) -> u64 {
    u64::from(Distances::planes(stream, length)) + if stream.is_undirected() { 2 } else { 3 }
}

fn list(stream: &Stream, set: &Set) -> Vec<Spot> {
    let mut spots = Vec::with_capacity(set.len() as usize);
    stream.each_spot(set, |spot| spots.push(spot));
    spots
}
