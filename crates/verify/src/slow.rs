//! A breadth-first search with nothing clever in it.

use std::collections::BTreeMap;

use impasse_model::fault::Fault;
use impasse_model::instance::{Instance, Position};

use crate::moves::{is_goal, successors};

/// Why the slow search gave up.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SlowError {
    /// Too many states for slow code.
    #[error("more than {limit} states, which is too many for the slow search")]
    TooManyStates {
        /// The most it would take.
        limit: usize,
    },
    /// A condition or an amount has no value.
    #[error("{0}")]
    NoValue(String),
}

impl From<Fault> for SlowError {
    fn from(fault: Fault) -> Self {
        Self::NoValue(fault.message)
    }
}

/// One state and all that is asked of it alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The contents of its cells.
    pub position: Position,
    /// Fewest transitions from a start.
    pub depth: u32,
    /// Numbers of its successors, ascending, each once, with the first rule that leads there.
    pub successors: Vec<(usize, usize)>,
    /// Whether it is a goal.
    pub is_goal: bool,
    /// Whether the window cut one of its moves off.
    pub is_cut: bool,
    /// Fewest transitions to a goal.
    pub remoteness: Option<u32>,
}

impl State {
    /// No successor, and not a goal.
    #[must_use]
    pub fn is_dead_end(&self) -> bool {
        self.successors.is_empty() && !self.is_goal
    }

    /// A goal can be reached.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.remoteness.is_some()
    }
}

/// Every reachable state, numbered by depth, then by board order.
///
/// # Errors
/// [`SlowError::TooManyStates`] above `limit` states, [`SlowError::NoValue`] where a condition has
/// no value.
pub fn search(instance: &Instance, limit: usize) -> Result<Vec<State>, SlowError> {
    let mut states = reach(instance, limit)?;
    add_remoteness(&mut states);
    Ok(states)
}

/// Layer after layer; a layer is sorted by board order before it is numbered.
fn reach(instance: &Instance, limit: usize) -> Result<Vec<State>, SlowError> {
    let mut depths: BTreeMap<Position, u32> = BTreeMap::new();
    let mut layers: Vec<Vec<Position>> = Vec::new();
    let mut layer = instance.starts.clone();
    while !layer.is_empty() {
        layer.sort();
        layer.dedup();
        layer.retain(|position| !depths.contains_key(position));
        for position in &layer {
            depths.insert(position.clone(), layers.len() as u32);
        }
        if depths.len() > limit {
            return Err(SlowError::TooManyStates { limit });
        }
        let mut next = Vec::new();
        for position in &layer {
            next.extend(successors(instance, position)?.to.into_keys());
        }
        layers.push(layer);
        layer = next;
    }
    let order: Vec<Position> = layers.into_iter().flatten().collect();
    let numbers: BTreeMap<&Position, usize> = order.iter().zip(0..).collect();
    order
        .iter()
        .map(|position| state(instance, position, depths[position], &numbers))
        .collect()
}

fn state(
    instance: &Instance,
    position: &Position,
    depth: u32,
    numbers: &BTreeMap<&Position, usize>,
) -> Result<State, SlowError> {
    let found = successors(instance, position)?;
    let mut successors: Vec<_> = found
        .to
        .iter()
        .map(|(to, &rule)| (numbers[to], rule))
        .collect();
    successors.sort_unstable();
    Ok(State {
        position: position.clone(),
        depth,
        successors,
        is_goal: is_goal(instance, position)?,
        is_cut: found.cut,
        remoteness: None,
    })
}

/// Goals have remoteness 0; every other state one more than its best successor. Repeated over all
/// states until nothing changes.
fn add_remoteness(states: &mut [State]) {
    for state in states.iter_mut().filter(|s| s.is_goal) {
        state.remoteness = Some(0);
    }
    loop {
        let mut changed = false;
        for id in (0..states.len()).rev() {
            let best = states[id]
                .successors
                .iter()
                .filter_map(|&(to, _)| states[to].remoteness);
            let Some(through) = best.min().map(|r| r + 1) else {
                continue;
            };
            if states[id].remoteness.is_none_or(|r| r > through) {
                states[id].remoteness = Some(through);
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}
