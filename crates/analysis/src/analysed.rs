//! A finished run with its states: the face that reports and commands see.

use std::sync::Arc;

use impasse_graph::expand::State;
use impasse_graph::explicit::Explicit;
use impasse_graph::numbers::Numbers;
use impasse_graph::observe::Outcome;
use impasse_graph::slots::SlotSet;
use impasse_graph::space::{Indexed, Layers, Space};
use impasse_model::compiled::Compiled;
use impasse_model::counted::CompiledCounts;
use impasse_model::instance::{Instance, Position};
use impasse_model::puzzle::{Draw, Move, Style};
use impasse_model::word::Word;

use crate::run::{Run, Table, Transition, Verdict};
use crate::summary::{DepthRow, Summary};

/// What a table asks of a puzzle: to draw states and moves, and to pack positions.
pub(crate) trait Faces<S>: Send + Sync {
    fn one_line(&self, state: S) -> String;
    fn picture(&self, state: S, style: Style) -> Vec<String>;
    fn move_name(&self, mv: Move) -> String;
    fn rule_name(&self, mv: Move) -> String;
    /// The contents of the cells.
    fn position_of(&self, state: S) -> Position;
    /// The state of a position; `None` if it has none.
    fn state_of(&self, position: &Position) -> Option<S>;
}

macro_rules! faces {
    ($puzzle:ident) => {
        impl<W: Word> Faces<W> for $puzzle<W> {
            fn one_line(&self, state: W) -> String {
                Draw::one_line(self, state)
            }
            fn picture(&self, state: W, style: Style) -> Vec<String> {
                Draw::picture(self, state, style)
            }
            fn move_name(&self, mv: Move) -> String {
                Draw::move_name(self, mv)
            }
            fn rule_name(&self, mv: Move) -> String {
                Draw::rule_name(self, mv)
            }
            fn position_of(&self, state: W) -> Position {
                self.unpack(state)
            }
            fn state_of(&self, position: &Position) -> Option<W> {
                self.pack(position)
            }
        }
    };
}

faces!(Compiled);
faces!(CompiledCounts);

/// A space with its verdicts.
pub(crate) struct Analysed<S> {
    space: Explicit<S>,
    faces: Arc<dyn Faces<S>>,
    instance: Instance,
    pub(crate) summary: Summary,
    depths: Vec<DepthRow>,
    /// By slot; none where no goal can be reached.
    remoteness: Numbers,
    dead_ends: SlotSet,
    /// Whether it holds some states of a space only, so that their numbers are not known.
    pub(crate) excerpt: bool,
    /// Keys that are absent, and why.
    pub(crate) absent: Vec<(String, String)>,
}

impl<S: State> Analysed<S> {
    pub(crate) fn new(
        space: Explicit<S>,
        faces: Arc<dyn Faces<S>>,
        instance: Instance,
        summary: Summary,
        depths: Vec<DepthRow>,
        remoteness: Numbers,
        dead_ends: SlotSet,
    ) -> Self {
        let mut run = Self::stopped(space, faces, instance, summary, depths, remoteness);
        run.dead_ends = dead_ends;
        run
    }

    /// A stopped run: its table has the states of whole layers, and tells of solutions only.
    pub(crate) fn stopped(
        space: Explicit<S>,
        faces: Arc<dyn Faces<S>>,
        instance: Instance,
        summary: Summary,
        depths: Vec<DepthRow>,
        remoteness: Numbers,
    ) -> Self {
        let dead_ends = space.none();
        Self {
            space,
            faces,
            instance,
            summary,
            depths,
            remoteness,
            dead_ends,
            excerpt: false,
            absent: Vec::new(),
        }
    }
}

impl<S: State> Run for Analysed<S> {
    fn summary(&self) -> &Summary {
        &self.summary
    }
    fn depths(&self) -> &[DepthRow] {
        &self.depths
    }
    fn absent(&self) -> Vec<(String, String)> {
        self.absent.clone()
    }
    fn outcome(&self) -> Outcome {
        self.space.outcome()
    }
    fn engine(&self) -> &'static str {
        "hash"
    }
    fn table(&self) -> Option<&dyn Table> {
        (self.outcome() == Outcome::Complete).then_some(self)
    }
    fn partial_table(&self) -> Option<&dyn Table> {
        Some(self)
    }
    fn draw_position(&self, position: &Position, style: Style) -> Vec<String> {
        self.instance
            .board
            .picture(&self.instance.alphabet, position, style)
    }
}

impl<S: State> Table for Analysed<S> {
    fn number(&self, id: u32) -> Option<u64> {
        (!self.excerpt).then(|| id.into())
    }
    fn state_count(&self) -> u32 {
        self.space.slot_count()
    }
    fn position(&self, id: u32, out: &mut Position) {
        *out = self
            .faces
            .position_of(self.space.state(self.space.slot(id)));
    }
    fn one_line(&self, id: u32) -> String {
        self.faces.one_line(self.space.state(self.space.slot(id)))
    }
    fn picture(&self, id: u32, style: Style) -> Vec<String> {
        self.faces
            .picture(self.space.state(self.space.slot(id)), style)
    }
    fn depth(&self, id: u32) -> u32 {
        self.space.depth(self.space.slot(id))
    }
    fn remoteness(&self, id: u32) -> Option<u32> {
        self.remoteness.get(self.space.slot(id))
    }
    fn verdict(&self, id: u32) -> Verdict {
        let slot = self.space.slot(id);
        if self.remoteness.get(slot).is_some() {
            Verdict::Live
        } else if self.dead_ends.has(slot) {
            Verdict::DeadEnd
        } else {
            Verdict::Doomed
        }
    }
    fn is_goal(&self, id: u32) -> bool {
        self.space.is_goal(self.space.slot(id))
    }
    fn transitions(&self, id: u32, out: &mut Vec<Transition>) {
        let mut found = Vec::new();
        self.space.successors(self.space.slot(id), &mut found);
        out.clear();
        out.extend(found.into_iter().map(|(slot, by)| Transition {
            to: self.space.id(slot),
            by,
        }));
        out.sort_unstable_by_key(|t| t.to);
    }
    fn move_name(&self, mv: Move) -> String {
        self.faces.move_name(mv)
    }
    fn rule_name(&self, mv: Move) -> String {
        self.faces.rule_name(mv)
    }
    fn find(&self, position: &Position) -> Option<u32> {
        let state = self.faces.state_of(position)?;
        self.space.find(state).map(|slot| self.space.id(slot))
    }
    fn start_count(&self) -> u32 {
        self.space.layers().first().map_or(0, |l| l.states as u32)
    }
}
