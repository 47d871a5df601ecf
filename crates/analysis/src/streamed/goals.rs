//! Goals and cut-off moves as sets of arrangements.

use impasse_graph::stream::{Direction, NoMemory, Set, Stream};
use impasse_model::goal::{CellGoal, CellTests};
use impasse_model::instance::{Position, SymbolSet};

/// The goals of a stream.
#[derive(Debug)]
pub(crate) enum Goals {
    /// A few positions.
    Few(Vec<Position>),
    /// A set.
    Many(Set),
}

/// So many positions are looked up one by one in each layer; more are a set.
const FEW: usize = 64;

impl Goals {
    /// The goals among all arrangements.
    pub(crate) fn new(stream: &Stream, goal: &CellGoal, cells: usize) -> Result<Self, NoMemory> {
        if let Some(few) = few(goal, cells) {
            let known = few
                .into_iter()
                .filter(|position| stream.spot(position).is_some());
            return Ok(Self::Few(known.collect()));
        }
        Ok(Self::Many(set_of(stream, goal)?))
    }

    /// Whether the goals take a set of their own.
    pub(crate) fn is_set(goal: &CellGoal, cells: usize) -> bool {
        few(goal, cells).is_none()
    }

    /// How many are in a set; up to symmetry, how many these stand for.
    pub(crate) fn count_in(&self, stream: &Stream, set: &Set) -> u64 {
        match self {
            Self::Few(list) => {
                let here = list.iter().filter(|p| stream.has(set, p));
                here.map(|p| stream.stands_for(p)).sum()
            }
            Self::Many(goals) => stream.common(set, goals),
        }
    }

    /// Whether a position is one.
    pub(crate) fn has(&self, stream: &Stream, position: &[u64]) -> bool {
        match self {
            Self::Few(list) => list.iter().any(|goal| goal == position),
            Self::Many(goals) => stream.has(goals, position),
        }
    }

    /// Those in a set.
    pub(crate) fn within(&self, stream: &Stream, set: &Set) -> Result<Set, NoMemory> {
        match self {
            Self::Few(list) => {
                let list: Vec<Position> = list
                    .iter()
                    .filter(|p| stream.has(set, p))
                    .cloned()
                    .collect();
                stream.of_positions(&list)
            }
            Self::Many(goals) => {
                let mut both = stream.copy(set)?;
                stream.and(&mut both, goals);
                Ok(both)
            }
        }
    }

    /// All of them, reached or not.
    pub(crate) fn all(&self, stream: &Stream) -> Result<Set, NoMemory> {
        match self {
            Self::Few(list) => stream.of_positions(list),
            Self::Many(goals) => stream.copy(goals),
        }
    }

    /// A set loses them.
    pub(crate) fn drop_from(&self, stream: &Stream, set: &mut Set) -> Result<(), NoMemory> {
        let goals = self.all(stream)?;
        stream.minus(set, &goals);
        Ok(())
    }
}

/// The goals as single positions, if they are few and tests pin every cell.
fn few(goal: &CellGoal, cells: usize) -> Option<Vec<Position>> {
    let CellGoal::Fits(lists) = goal else {
        return None;
    };
    let pinned = |tests: &CellTests| -> Option<Position> {
        let mut position = vec![None; cells];
        for &(cell, SymbolSet(set)) in tests {
            if !set.is_power_of_two() {
                return None;
            }
            position[cell as usize] = Some(u64::from(set.trailing_zeros()));
        }
        position.into_iter().collect()
    };
    if lists.len() > FEW {
        return None;
    }
    lists.iter().map(pinned).collect()
}

fn set_of(stream: &Stream, goal: &CellGoal) -> Result<Set, NoMemory> {
    Ok(match goal {
        CellGoal::Fits(lists) => stream.fitting(lists)?,
        CellGoal::Count(set, comparison, number) => stream.all_of(|counts| {
            let count: u64 = set.symbols().map(|s| at(counts, s)).sum();
            comparison.holds((count as i64).cmp(number))
        })?,
        CellGoal::Stuck => stuck(stream)?,
        CellGoal::Not(goal) => {
            let mut all = stream.all()?;
            stream.minus(&mut all, &set_of(stream, goal)?);
            all
        }
        CellGoal::And(goals) => {
            let mut all = stream.all()?;
            for goal in goals {
                stream.and(&mut all, &set_of(stream, goal)?);
            }
            all
        }
        CellGoal::Or(goals) => {
            let mut any = stream.none()?;
            for goal in goals {
                stream.or(&mut any, &set_of(stream, goal)?);
            }
            any
        }
    })
}

fn at(counts: &[u64], symbol: u8) -> u64 {
    counts.get(usize::from(symbol)).copied().unwrap_or(0)
}

/// All arrangements without a successor.
pub(crate) fn stuck(stream: &Stream) -> Result<Set, NoMemory> {
    let mut stuck = stream.all()?;
    let movable = stream.image(Direction::Backward, &stuck)?;
    stream.minus(&mut stuck, &movable);
    Ok(stuck)
}
