//! Limits of a run, how it ended, and who watches it. Engines never print.

use std::ops::ControlFlow;
use std::time::Duration;

/// Where a run must stop. Limits cut between layers: the layer that would pass one is not begun.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Most states.
    pub max_states: Option<u64>,
    /// Deepest layer.
    pub max_depth: Option<u32>,
    /// Longest time.
    pub max_time: Option<Duration>,
    /// Most memory of the process that may be resident, in bytes.
    pub memory_bytes: Option<u64>,
}

/// Which limit ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// `--max-states`.
    States,
    /// `--max-depth`.
    Depth,
    /// `--max-seconds`.
    Time,
    /// `--memory`.
    Memory,
    /// The observer broke off.
    Interrupt,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every reachable state was found.
    Complete,
    /// Layers up to `depth` are whole, more exist.
    Stopped {
        /// Why.
        reason: Limit,
        /// The last whole layer.
        depth: u32,
    },
}

/// What stage a run is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Forward search by depth.
    Search,
    /// Backward search from the goals.
    Retrograde,
    /// Passes over all transitions.
    Tally,
}

/// A report after each layer.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// Number of the layer just finished.
    pub layer: u32,
    /// States in it.
    pub layer_states: u64,
    /// States found so far in this stage.
    pub states: u64,
}

/// Watches a run; may break it.
pub trait Observer: Sync {
    /// Called between layers, from one thread.
    fn layer(&self, progress: &Progress) -> ControlFlow<()>;

    /// Called when a run has made a choice that people may want to know of.
    fn note(&self, _text: &str) {}

    /// Called when a step is refused for want of memory: with it, so many bytes would have been
    /// resident.
    fn refused(&self, _bytes: u64) {}

    /// Asked often, from any thread, inside long layers: should the run break off?
    fn interrupted(&self) -> bool {
        false
    }

    /// The memory of the process that is resident now, in bytes; `None` where nobody can tell. Engines
    /// with a budget ask before they take more.
    fn resident_bytes(&self) -> Option<u64> {
        None
    }
}

/// Watches nothing.
pub struct Silent;

impl Observer for Silent {
    fn layer(&self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
