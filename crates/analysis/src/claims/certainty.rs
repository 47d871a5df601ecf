//! How much a figure of a run means.

use crate::summary::{Figure, Scope, Summary};

/// The keys that a run with `--only depths` knows.
pub const DEPTH_KEYS: [&str; 9] = [
    "states",
    "transitions",
    "starts",
    "goals",
    "dead_ends",
    "shortest",
    "max_depth",
    "first_dead_end_depth",
    "window_cut_depth",
];

/// Whether a run with `--only depths` knows all these keys.
#[must_use]
pub fn only_depths_will_do(keys: &[&str]) -> bool {
    keys.iter().all(|key| DEPTH_KEYS.contains(key))
}

/// How much the figure of a run means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// It is a figure of the puzzle.
    Exact,
    /// It is a figure of the window; the endless board may have another.
    InWindow,
    /// The run does not know it.
    Unknown,
}

/// How much one figure means, by the rules of endless boards and stopped runs.
///
/// With moves cut off from depth c, distances up to c and a shortest length up to c + 1 are exact, and
/// nothing else is. A stopped run knows no totals, but what lies in its whole layers is sure.
#[must_use]
pub fn certainty(summary: &Summary, key: &str) -> Certainty {
    let is_absent = matches!(summary.figure(key), None | Some(Figure::Absent));
    if is_absent && !is_surely_none(summary, key) {
        return Certainty::Unknown;
    }
    if matches!(summary.scope, Scope::Stopped(_)) && !is_known_early(key) {
        return Certainty::Unknown;
    }
    let Some(cut) = summary.window_cut_depth else {
        return Certainty::Exact;
    };
    match key {
        "starts" | "window_cut_depth" => Certainty::Exact,
        "shortest" if summary.shortest.is_some_and(|length| length <= cut + 1) => Certainty::Exact,
        _ => Certainty::InWindow,
    }
}

/// Figures of which a stopped run has the final value if it has any: they come from its whole layers.
fn is_known_early(key: &str) -> bool {
    matches!(
        key,
        "starts" | "shortest" | "first_dead_end_depth" | "window_cut_depth"
    )
}

/// Whether an absent figure means that there is none, not that the run did not look.
fn is_surely_none(summary: &Summary, key: &str) -> bool {
    if matches!(summary.scope, Scope::Stopped(_)) {
        return false;
    }
    match key {
        "shortest" => summary.no_solution,
        "first_dead_end_depth" => summary.dead_ends == Some(0),
        "window_cut_depth" => true,
        "max_remoteness" => summary.live == Some(0),
        "longest" | "plays" => summary.live.is_some(),
        _ => false,
    }
}
