//! A run that kept no states.

use impasse_graph::observe::{Limit, Outcome};
use impasse_graph::search::Found;
use impasse_graph::space::LayerCounts;
use impasse_model::instance::{Instance, Position};
use impasse_model::puzzle::Style;

use crate::figures::{figures, plain_rows, stopped_summary};
use crate::run::{Run, Table};
use crate::summary::{DepthRow, Summary};

fn plain<S>(found: &Found<S>) -> (Summary, Vec<DepthRow>) {
    match found.outcome {
        Outcome::Complete => (figures(&found.counts).0, plain_rows(&found.counts, false)),
        Outcome::Stopped { reason, .. } => (
            stopped_summary(&found.counts, reason),
            plain_rows(&found.counts, true),
        ),
    }
}

/// A run that kept no states.
pub(crate) struct Plain {
    pub(crate) summary: Summary,
    pub(crate) depths: Vec<DepthRow>,
    pub(crate) outcome: Outcome,
    pub(crate) engine: &'static str,
    pub(crate) instance: Instance,
}

impl Plain {
    /// Plain enumeration by an engine.
    pub(crate) fn new<S>(found: &Found<S>, instance: &Instance, engine: &'static str) -> Self {
        let (summary, depths) = plain(found);
        Self {
            summary,
            depths,
            outcome: found.outcome,
            engine,
            instance: instance.clone(),
        }
    }

    /// A search that ended, behind which memory was short.
    pub(crate) fn short(layers: &[LayerCounts], instance: &Instance) -> Self {
        let depth = layers.len() as u32 - 1;
        let reason = Limit::Memory;
        Self {
            summary: stopped_summary(layers, reason),
            depths: plain_rows(layers, true),
            outcome: Outcome::Stopped { reason, depth },
            engine: "hash",
            instance: instance.clone(),
        }
    }

    /// The figures of another run, without its states.
    pub(crate) fn of(run: &dyn Run, instance: &Instance) -> Self {
        Self {
            summary: run.summary().clone(),
            depths: run.depths().to_vec(),
            outcome: run.outcome(),
            engine: run.engine(),
            instance: instance.clone(),
        }
    }
}

impl Run for Plain {
    fn summary(&self) -> &Summary {
        &self.summary
    }
    fn depths(&self) -> &[DepthRow] {
        &self.depths
    }
    fn outcome(&self) -> Outcome {
        self.outcome
    }
    fn engine(&self) -> &'static str {
        self.engine
    }
    fn table(&self) -> Option<&dyn Table> {
        None
    }
    fn draw_position(&self, position: &Position, style: Style) -> Vec<String> {
        self.instance
            .board
            .picture(&self.instance.alphabet, position, style)
    }
}
