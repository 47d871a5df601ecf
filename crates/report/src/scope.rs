//! Which numbers are exact, which hold only within a window, and what to try; in words.
//!
//! Let c be the depth from which on the window of an endless board cut moves off. All states of
//! depth at most c are found, distances up to c and a shortest length up to c + 1 are exact, and
//! nothing else is. A stopped run is sure of its whole layers only.

use impasse_analysis::summary::{Figure, KEYS, Scope, Summary};
use impasse_graph::observe::{Limit, Outcome};

use crate::numbers::{counted, grouped};
use crate::record::{Record, Window};

/// What a figure is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A figure of the whole puzzle.
    Exact,
    /// It holds only within the window.
    Window,
    /// The run was stopped: at least this many.
    AtLeast,
}

/// What the figure of a key is worth.
#[must_use]
pub fn standing(summary: &Summary, key: &str) -> Standing {
    match (summary.scope, key) {
        (Scope::Exact, _) | (_, "starts" | "window_cut_depth") => Standing::Exact,
        (_, "shortest") if shortest_is_exact(summary) => Standing::Exact,
        (Scope::Window, _) => Standing::Window,
        (Scope::Stopped(_), "shortest" | "shortest_solutions" | "first_dead_end_depth") => {
            if summary.window_cut_depth.is_none() {
                Standing::Exact
            } else {
                Standing::Window
            }
        }
        (Scope::Stopped(_), _) => Standing::AtLeast,
    }
}

/// Whether the shortest length is that of the whole puzzle.
fn shortest_is_exact(summary: &Summary) -> bool {
    match (summary.shortest, summary.window_cut_depth) {
        (Some(shortest), Some(cut)) => shortest <= cut + 1,
        (Some(_), None) => summary.scope != Scope::Window,
        (None, _) => false,
    }
}

/// Whether the counts of a depth are those of the whole puzzle.
#[must_use]
pub fn depth_standing(summary: &Summary, depth: u64) -> Standing {
    match (summary.scope, summary.window_cut_depth) {
        (Scope::Exact, _) | (Scope::Stopped(_), None) => Standing::Exact,
        (_, Some(cut)) if depth <= cut => Standing::Exact,
        _ => Standing::Window,
    }
}

/// The keys with a figure of a given standing.
#[must_use]
pub fn keys_of(summary: &Summary, wanted: Standing) -> Vec<&'static str> {
    let present = |key: &&str| summary.figure(key).is_some_and(|f| f != Figure::Absent);
    KEYS.into_iter()
        .filter(present)
        .filter(|key| standing(summary, key) == wanted)
        .collect()
}

/// The flag that sets a limit.
#[must_use]
pub fn flag(limit: Limit) -> &'static str {
    match limit {
        Limit::States => "--max-states",
        Limit::Depth => "--max-depth",
        Limit::Time => "--max-seconds",
        Limit::Memory => "--memory",
        Limit::Interrupt => "Ctrl-C",
    }
}

/// What is sure of a record and what to try, a sentence a line.
#[must_use]
pub fn sentences(record: &Record) -> Vec<String> {
    let mut lines = match (record.summary.scope, record.outcome) {
        (Scope::Exact, _) => {
            vec!["every number is exact: the whole state space was searched".to_owned()]
        }
        (Scope::Window, _) => in_window(record),
        (Scope::Stopped(limit), Outcome::Stopped { depth, .. }) => stopped(record, limit, depth),
        (Scope::Stopped(limit), Outcome::Complete) => {
            vec![format!(
                "the run was stopped by {}; totals are not known",
                flag(limit)
            )]
        }
    };
    if record.summary.no_solution {
        lines.push(no_solution(record.summary.scope).to_owned());
    }
    lines.extend(
        record
            .absent
            .iter()
            .map(|(key, reason)| format!("{key} is not known: {reason}")),
    );
    lines
}

fn no_solution(scope: Scope) -> &'static str {
    match scope {
        Scope::Exact => "no solution: no goal can be reached",
        Scope::Window => "no solution within this window",
        Scope::Stopped(_) => "no goal was reached so far",
    }
}

fn in_window(record: &Record) -> Vec<String> {
    let summary = &record.summary;
    let Some(cut) = summary.window_cut_depth else {
        return vec!["every number holds only within the window of the board".to_owned()];
    };
    let cut_off = format!("the window cuts moves off at depth {cut}: ");
    let exact = match summary.shortest {
        Some(shortest) if shortest <= cut + 1 => format!(
            "exact are the states and distances up to depth {cut} and the shortest length {shortest}"
        ),
        Some(shortest) => format!(
            "exact are the states and distances up to depth {cut}; the shortest length {shortest} is not (a larger window may have a shorter solution, of {} or more)",
            counted(cut + 1, "move", "moves")
        ),
        None => format!(
            "exact are the states and distances up to depth {cut}, and that no solution has {} or fewer",
            counted(cut, "move", "moves")
        ),
    };
    vec![
        cut_off + &exact,
        "everything else holds only within this window".to_owned(),
        larger_window(record.window),
    ]
}

fn larger_window(window: Option<Window>) -> String {
    match window {
        Some(Window::Spare(cells)) => {
            format!(
                "try a larger window: `spare {}` instead of {cells}",
                (2 * cells).max(1)
            )
        }
        Some(Window::Span(cells)) => {
            format!(
                "try a larger window: `span {}` instead of {cells}",
                2 * cells
            )
        }
        None => "try a larger window".to_owned(),
    }
}

fn stopped(record: &Record, limit: Limit, depth: u32) -> Vec<String> {
    let summary = &record.summary;
    let why = if limit == Limit::Interrupt {
        format!("interrupted after depth {depth}")
    } else {
        format!("stopped by {} after depth {depth}", flag(limit))
    };
    let states = summary.states.map_or_else(
        || format!("the layers up to depth {depth}"),
        |n| format!("{} of depth at most {depth}", counted(n, "state", "states")),
    );
    let verb = if summary.states == Some(1) {
        "is"
    } else {
        "are"
    };
    let mut lines = vec![format!(
        "{why}: sure {verb} {states} (`states` counts whole layers)"
    )];
    lines.push(match (summary.shortest, standing(summary, "shortest")) {
        (Some(n), Standing::Exact) => format!("the shortest length {} is exact", grouped(&n)),
        (Some(n), _) => format!("a solution of {} was found", counted(n, "move", "moves")),
        (None, _) => format!(
            "no solution has {} or fewer",
            counted(length_without_solution(summary, depth), "move", "moves")
        ),
    });
    if let Some(cut) = summary.window_cut_depth {
        lines.push(format!(
            "the window cuts moves off at depth {cut}: counts of deeper layers hold only within it"
        ));
    }
    lines.push(way_on(limit));
    lines
}

/// Up to which length it is sure that there is no solution, if a run stopped after `depth` found
/// none. A move that the window cuts off at depth c may lead to a goal, with c + 1 moves.
#[must_use]
pub fn length_without_solution(summary: &Summary, depth: u32) -> u64 {
    let depth = u64::from(depth);
    summary.window_cut_depth.map_or(depth, |cut| depth.min(cut))
}

fn way_on(limit: Limit) -> String {
    if limit == Limit::Interrupt {
        "totals are not known; let it run to its end".to_owned()
    } else {
        format!("totals are not known; raise {} to go on", flag(limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, record, stopped_record};

    fn window(shortest: Option<u64>, cut: u64) -> Record {
        let mut record = record(&Fake::frogs(2));
        record.summary.scope = Scope::Window;
        record.summary.shortest = shortest;
        record.summary.window_cut_depth = Some(cut);
        record.summary.no_solution = shortest.is_none();
        record.window = Some(Window::Spare(8));
        record
    }

    fn check(record: &Record, lines: &[&str]) {
        assert_eq!(sentences(record), lines);
    }

    #[test]
    fn exact_runs_say_so() {
        check(
            &record(&Fake::frogs(1)),
            &["every number is exact: the whole state space was searched"],
        );
    }

    #[test]
    fn windows_say_what_is_exact() {
        check(
            &window(Some(5), 4),
            &[
                "the window cuts moves off at depth 4: exact are the states and distances up to depth 4 and the shortest length 5",
                "everything else holds only within this window",
                "try a larger window: `spare 16` instead of 8",
            ],
        );
        check(
            &window(Some(6), 4),
            &[
                "the window cuts moves off at depth 4: exact are the states and distances up to depth 4; the shortest length 6 is not (a larger window may have a shorter solution, of 5 moves or more)",
                "everything else holds only within this window",
                "try a larger window: `spare 16` instead of 8",
            ],
        );
        check(
            &window(None, 2),
            &[
                "the window cuts moves off at depth 2: exact are the states and distances up to depth 2, and that no solution has 2 moves or fewer",
                "everything else holds only within this window",
                "try a larger window: `spare 16` instead of 8",
                "no solution within this window",
            ],
        );
    }

    #[test]
    fn stopped_runs_say_what_is_sure() {
        check(
            &stopped_record(),
            &[
                "stopped by --max-states after depth 3: sure are 12 states of depth at most 3 (`states` counts whole layers)",
                "no solution has 3 moves or fewer",
                "totals are not known; raise --max-states to go on",
            ],
        );
    }

    #[test]
    fn a_cut_off_move_may_lead_to_a_goal() {
        let check = |depth, cut, expected| {
            let record = window(None, cut);
            assert_eq!(length_without_solution(&record.summary, depth), expected);
        };
        check(5, 0, 0);
        check(5, 3, 3);
        check(2, 3, 2);
    }

    #[test]
    fn a_length_just_past_the_cut_is_exact() {
        let check = |shortest, cut, expected| {
            assert_eq!(
                standing(&window(Some(shortest), cut).summary, "shortest"),
                expected
            );
        };
        check(5, 4, Standing::Exact);
        check(6, 4, Standing::Window);
        assert_eq!(
            standing(&window(Some(5), 4).summary, "states"),
            Standing::Window
        );
        assert_eq!(
            standing(&stopped_record().summary, "states"),
            Standing::AtLeast
        );
    }
}
