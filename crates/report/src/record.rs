//! What stays of a run when its states are gone: parameters, figures, depths.

use std::time::Duration;

use impasse_analysis::run::Run;
use impasse_analysis::summary::{DepthRow, Summary};
use impasse_graph::observe::Outcome;
use impasse_model::board::Shape;
use impasse_model::instance::Instance;
use impasse_model::params::{ParamValue, Params};

/// What was measured about a run: the only figures that may differ from one run to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Threads that worked.
    pub threads: usize,
    /// The most memory that was resident, if the system says.
    pub peak_memory_bytes: Option<u64>,
    /// Time from the start of the search to the end of the analyses.
    pub elapsed: Duration,
}

/// One parameter value and its figures; small, and free of the run.
#[derive(Clone, Debug)]
pub struct Record {
    /// The rule file's stem.
    pub puzzle: String,
    /// All parameters.
    pub params: Params,
    /// The figures.
    pub summary: Summary,
    /// Counts by depth.
    pub depths: Vec<DepthRow>,
    /// How the search ended.
    pub outcome: Outcome,
    /// The engine that ran.
    pub engine: &'static str,
    /// What was measured.
    pub measured: Measured,
    /// How an endless board was bounded; `None` for boards with an end.
    pub window: Option<Window>,
    /// Keys that are absent for a reason of their own (too little memory, say), with the reason.
    pub absent: Vec<(String, String)>,
}

/// How an endless board was bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// So many spare cells on the wider side of the start.
    Spare(u64),
    /// So many cells from the first piece to the last.
    Span(u64),
}

impl Record {
    /// Keeps what reports say about a finished run.
    #[must_use]
    pub fn new(instance: &Instance, run: &dyn Run, measured: Measured) -> Self {
        Self {
            puzzle: instance.name.clone(),
            params: instance.params.clone(),
            summary: run.summary().clone(),
            depths: run.depths().to_vec(),
            outcome: run.outcome(),
            engine: run.engine(),
            measured,
            window: window_of(instance),
            absent: run.absent(),
        }
    }

    /// Adds why a key is absent.
    #[must_use]
    pub fn because(mut self, key: impl Into<String>, reason: impl Into<String>) -> Self {
        self.absent.push((key.into(), reason.into()));
        self
    }
}

/// How the board of an instance is bounded, if it is endless.
fn window_of(instance: &Instance) -> Option<Window> {
    let cells = instance.board.cells as u64;
    match instance.board.shape {
        Shape::Window { first } => {
            let last = instance
                .starts
                .iter()
                .filter_map(|start| start.iter().rposition(|&v| v != 0));
            let right = last.max().map_or(0, |last| cells - 1 - last as u64);
            Some(Window::Spare(right.max(first.unsigned_abs())))
        }
        Shape::Span => Some(Window::Span(cells)),
        _ => None,
    }
}

/// Parameters that a table shows: those `given`, and those that differ between the records; in
/// order of declaration.
#[must_use]
pub fn shown_params(records: &[Record], given: &[String]) -> Vec<String> {
    let Some(first) = records.first() else {
        return Vec::new();
    };
    let differs = |name: &str| {
        records
            .iter()
            .any(|r| r.params.get(name) != first.params.get(name))
    };
    let names = first.params.0.iter().map(|(name, _)| name);
    names
        .filter(|name| given.contains(name) || differs(name))
        .cloned()
        .collect()
}

/// Some parameters in words, `n=3, m=2`; empty if none is shown.
#[must_use]
pub fn label(params: &Params, shown: &[String]) -> String {
    let kept = params.0.iter().filter(|(name, _)| shown.contains(name));
    kept.map(|(name, value)| format!("{name}={value}"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The folder of one value: the parameters given, `n=3,m=2`, or `default` if none was.
///
/// The numbers of a list are joined by `+` (`chips=2+3+5`), so that a comma always separates
/// parameters; no name holds a separator of paths.
#[must_use]
pub fn folder_name(params: &Params, given: &[String]) -> String {
    let kept = params.0.iter().filter(|(name, _)| given.contains(name));
    let parts: Vec<String> = kept
        .map(|(name, value)| format!("{name}={}", plain_value(value)))
        .collect();
    if parts.is_empty() {
        "default".to_owned()
    } else {
        parts.join(",")
    }
}

/// A value without spaces.
fn plain_value(value: &ParamValue) -> String {
    value.to_string().replace(' ', "+")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params() -> Params {
        Params(vec![
            ("n".to_owned(), ParamValue::Int(3)),
            ("chips".to_owned(), ParamValue::List(vec![2, 3, 5])),
            ("way".to_owned(), ParamValue::Choice("forward".to_owned())),
        ])
    }

    #[test]
    fn folders_are_named_by_what_was_given() {
        let check = |given: &[&str], name: &str| {
            let given: Vec<String> = given.iter().map(ToString::to_string).collect();
            assert_eq!(folder_name(&params(), &given), name);
        };
        check(&[], "default");
        check(&["n"], "n=3");
        check(&["way", "n"], "n=3,way=forward");
        check(&["chips"], "chips=2+3+5");
    }
}
