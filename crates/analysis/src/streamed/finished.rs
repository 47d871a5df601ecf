//! A finished run of the streaming engine: its figures, and tables where they are asked for.

use std::sync::OnceLock;

use impasse_graph::observe::Outcome;
use impasse_model::instance::{Instance, Position};
use impasse_model::puzzle::Style;

use super::MOST_TABLED;
use super::asked::Asked;
use crate::explore::Options;
use crate::inquiry::Inquire;
use crate::run::{Run, Table};
use crate::summary::{DepthRow, Summary};

/// Makes a run with a table of every state, or of the given layers alone.
pub(crate) type Tables = Box<dyn Fn(Layers) -> Option<Box<dyn Run>> + Send + Sync>;

/// Which states a table holds.
pub(crate) enum Layers {
    /// All.
    All,
    /// These positions by depth.
    These(Vec<Vec<Position>>),
}

/// A run of the streaming engine.
pub(crate) struct Streamed {
    pub(super) instance: Instance,
    pub(super) summary: Summary,
    pub(super) depths: Vec<DepthRow>,
    pub(super) outcome: Outcome,
    pub(super) absent: Vec<(String, String)>,
    /// The states on shortest solutions by depth.
    pub(super) on_path: Option<Vec<Vec<Position>>>,
    pub(super) all: OnDemand,
    pub(super) partial: OnceLock<Option<Box<dyn Run>>>,
    /// What answers later, for runs that were asked for verdicts and nothing more.
    pub(super) asked: Option<Asked>,
}

/// A table of all states, made when it is first asked for.
pub(crate) struct OnDemand {
    tables: Tables,
    most: u64,
    all: OnceLock<Option<Box<dyn Run>>>,
}

impl OnDemand {
    /// Of at most so many states, if that is not left to the product.
    pub(crate) fn new(tables: Tables, most: Option<u64>) -> Self {
        Self {
            tables,
            most: most.unwrap_or(MOST_TABLED),
            all: OnceLock::new(),
        }
    }

    /// The run that has it; `None` for stopped runs and for more states than are enumerated twice.
    fn run(&self, outcome: Outcome, summary: &Summary) -> Option<&dyn Run> {
        if outcome != Outcome::Complete || summary.states.unwrap_or(0) > self.most {
            return None;
        }
        let all = self.all.get_or_init(|| (self.tables)(Layers::All));
        all.as_deref()
    }

    /// The table.
    pub(crate) fn table(&self, outcome: Outcome, summary: &Summary) -> Option<&dyn Table> {
        self.run(outcome, summary)?.table()
    }
}

impl Streamed {
    /// Figures of small spaces that need every state one by one.
    pub(super) fn complete_small(&mut self, options: &Options) {
        if options.no_counting || options.only_depths {
            return;
        }
        let graded = self.summary.graded == Some(true);
        if graded {
            self.summary.longest = self.summary.max_depth;
        }
        if self.summary.reversible == Some(true) && !graded {
            return;
        }
        if let Some(run) = self.all.run(self.outcome, &self.summary) {
            let other = run.summary();
            self.summary.longest = other.longest;
            self.summary.plays.clone_from(&other.plays);
        }
    }
}

impl Run for Streamed {
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
        "stream"
    }
    fn absent(&self) -> Vec<(String, String)> {
        self.absent.clone()
    }
    fn table(&self) -> Option<&dyn Table> {
        self.all.table(self.outcome, &self.summary)
    }
    fn inquire(&self) -> Option<&dyn Inquire> {
        self.asked.as_ref().map(|asked| asked as &dyn Inquire)
    }
    fn partial_table(&self) -> Option<&dyn Table> {
        let Some(layers) = &self.on_path else {
            return self.table();
        };
        let partial = self
            .partial
            .get_or_init(|| (self.all.tables)(Layers::These(layers.clone())));
        partial.as_ref()?.partial_table()
    }
    fn draw_position(&self, position: &Position, style: Style) -> Vec<String> {
        let instance = &self.instance;
        instance.board.picture(&instance.alphabet, position, style)
    }
}
