//! Which states are live, how far they are from a goal, and what loses: written once, on sets.

use std::ops::ControlFlow;

use impasse_graph::observe::Observer;
use impasse_graph::space::{Space, Tally};

use crate::summary::DepthRow;

/// What retrograde analysis and one pass over the transitions tell.
#[derive(Clone, Debug)]
pub struct Verdicts<Set> {
    /// The greatest remoteness; `None` without a goal.
    pub max_remoteness: Option<u32>,
    /// States from which a goal can be reached.
    pub live: Set,
    /// States without successor that are no goals.
    pub dead_ends: Set,
    /// Counts over all transitions.
    pub tally: Tally<Set>,
}

/// Verdicts on every state of a completed space; `visit` is called with each remoteness from 0 on and
/// the states that have it.
pub fn verdicts<S: Space>(
    space: &S,
    observer: &dyn Observer,
    visit: &mut dyn FnMut(u32, &S::Set),
) -> ControlFlow<(), Verdicts<S::Set>> {
    let mut live = space.none();
    let mut max_remoteness = None;
    space.retrograde(observer, &mut |remoteness, set| {
        space.or(&mut live, set);
        max_remoteness = Some(remoteness);
        visit(remoteness, set);
    })?;
    let tally = space.tally(&live, observer)?;
    let mut dead_ends = space.reached();
    space.minus(&mut dead_ends, &tally.movable);
    space.minus(&mut dead_ends, &space.goals());
    ControlFlow::Continue(Verdicts {
        max_remoteness,
        live,
        dead_ends,
        tally,
    })
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
