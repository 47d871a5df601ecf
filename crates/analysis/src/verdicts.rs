//! Which states are live, how far they are from a goal, and what loses: written once, on sets.

use std::ops::ControlFlow;

use impasse_graph::observe::{Observer, Progress, Stage};
use impasse_graph::space::{Space, Tally};

use crate::summary::DepthRow;

/// What retrograde analysis and one pass over the transitions tell.
#[derive(Clone, Debug)]
pub struct Verdicts<Set> {
    /// The states of each remoteness, from the goals (0) on; together the live states.
    pub by_remoteness: Vec<Set>,
    /// States from which a goal can be reached.
    pub live: Set,
    /// States without successor that are no goals.
    pub dead_ends: Set,
    /// Counts over all transitions.
    pub tally: Tally<Set>,
}

/// Finds how far states are from a goal, by retrograde analysis.
///
/// Entry `r` holds the states whose nearest goal is `r` transitions away. Time grows with the
/// number of transitions into live states.
///
/// # Source
/// K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986.
pub fn retrograde<S: Space>(space: &S, observer: &dyn Observer) -> ControlFlow<(), Vec<S::Set>> {
    let mut layers = Vec::new();
    let mut live = space.none();
    let mut front = space.goals();
    let mut states = 0;
    loop {
        let count = space.count(&front);
        if count == 0 {
            return ControlFlow::Continue(layers);
        }
        states += count;
        let layer = layers.len() as u32;
        observer.layer(&Progress {
            stage: Stage::Retrograde,
            layer,
            layer_states: count,
            states,
        })?;
        space.or(&mut live, &front);
        let next = space.new_predecessors(&front, &live);
        layers.push(std::mem::replace(&mut front, next));
    }
}

/// Verdicts on every state of a completed space.
pub fn verdicts<S: Space>(
    space: &S,
    observer: &dyn Observer,
) -> ControlFlow<(), Verdicts<S::Set>> {
    let by_remoteness = retrograde(space, observer)?;
    let mut live = space.none();
    for set in &by_remoteness {
        space.or(&mut live, set);
    }
    let tally = space.tally(&live, observer)?;
    let mut dead_ends = space.reached();
    space.minus(&mut dead_ends, &tally.movable);
    space.minus(&mut dead_ends, &space.goals());
    ControlFlow::Continue(Verdicts { by_remoteness, live, dead_ends, tally })
}

/// Counts by depth.
pub fn depth_rows<S: Space>(space: &S, verdicts: &Verdicts<S::Set>) -> Vec<DepthRow> {
    let live = space.histogram(&verdicts.live);
    let dead_ends = space.histogram(&verdicts.dead_ends);
    let rows = space.layers().iter().enumerate();
    rows.map(|(depth, layer)| DepthRow {
        states: layer.states,
        live: Some(live[depth]),
        doomed: Some(layer.states - live[depth] - dead_ends[depth]),
        dead_ends: Some(dead_ends[depth]),
        goals: Some(layer.goals),
        blocking_moves: Some(verdicts.tally.blocking[depth]),
    })
    .collect()
}
