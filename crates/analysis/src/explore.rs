//! From an instance to a finished run: chooses the word and the engine, runs the analyses.

use impasse_graph::observe::{Limits, Observer};
use impasse_model::instance::Instance;

use crate::run::Run;

/// What a run is asked for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Limits.
    pub limits: Limits,
    /// `--only depths`: plain enumeration; the other keys are absent.
    pub only_depths: bool,
    /// Whether to count shortest solutions (part of a full run).
    pub engine: Engine,
    /// Whether the states are wanted one by one ([`Run::table`]).
    pub table: bool,
}

/// `--engine`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The product chooses.
    #[default]
    Auto,
    /// Packed states in sorted layers.
    Hash,
}

/// Why a run could not begin, or broke.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RunError {
    /// A puzzle too wide for any packing.
    #[error(
        "board of {cells} cells needs {bits} bits a state, but at most {most} can be packed; choose a smaller one, or write the puzzle in Rust"
    )]
    TooWide {
        /// Cells.
        cells: usize,
        /// Bits a state.
        bits: usize,
        /// The widest word.
        most: usize,
    },
    /// Placing the rules gave too many placed rules.
    #[error("{0}")]
    Rules(String),
}

/// Enumerates and analyses one instance on the current rayon thread pool.
///
/// # Errors
/// [`RunError`] where the puzzle cannot be packed or placed. Hitting a limit or an interrupt is no
/// error: the run says so in its outcome.
pub fn explore(
    instance: &Instance,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Box<dyn Run>, RunError> {
    let _ = (instance, options, observer);
    todo!()
}
