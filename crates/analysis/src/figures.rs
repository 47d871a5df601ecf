//! The figures that plain enumeration gives.

use impasse_graph::observe::Limit;
use impasse_graph::space::LayerCounts;

use crate::summary::{DepthRow, Scope, Summary};

/// The figures that plain enumeration gives; the flag says whether moves were cut off.
pub(crate) fn figures(layers: &[LayerCounts]) -> (Summary, bool) {
    let sum = |f: fn(&LayerCounts) -> u64| layers.iter().map(f).sum::<u64>();
    let first = |f: fn(&LayerCounts) -> bool| layers.iter().position(f).map(|d| d as u64);
    let cut = first(|l| l.cut);
    let shortest = first(|l| l.goals > 0);
    let summary = Summary {
        scope: if cut.is_some() {
            Scope::Window
        } else {
            Scope::Exact
        },
        states: Some(sum(|l| l.states)),
        transitions: Some(sum(|l| l.transitions)),
        starts: layers.first().map(|l| l.states),
        goals: Some(sum(|l| l.goals)),
        live: None,
        doomed: None,
        dead_ends: Some(sum(|l| l.dead_ends)),
        lost: None,
        blocking_moves: None,
        points_of_no_return: None,
        only_moves: None,
        shortest,
        shortest_solutions: None,
        max_depth: Some(layers.len() as u64 - 1),
        max_remoteness: None,
        first_dead_end_depth: first(|l| l.dead_ends > 0),
        window_cut_depth: cut,
        graded: None,
        reversible: None,
        longest: None,
        plays: None,
        no_solution: shortest.is_none(),
    };
    (summary, cut.is_some())
}

pub(crate) fn stopped_summary(layers: &[LayerCounts], reason: Limit) -> Summary {
    let (summary, _) = figures(layers);
    Summary {
        scope: Scope::Stopped(reason),
        transitions: None,
        goals: None,
        dead_ends: None,
        max_depth: None,
        no_solution: false,
        ..summary
    }
}

pub(crate) fn plain_rows(layers: &[LayerCounts], stopped: bool) -> Vec<DepthRow> {
    let last = layers.len() - 1;
    let rows = layers.iter().enumerate();
    rows.map(|(depth, l)| DepthRow {
        states: l.states,
        goals: Some(l.goals),
        dead_ends: (!stopped || depth < last).then_some(l.dead_ends),
        ..DepthRow::default()
    })
    .collect()
}
