//! A finished run with its states: the face that reports and commands see.

use impasse_graph::explicit::Explicit;
use impasse_graph::observe::Outcome;
use impasse_graph::slots::SlotSet;
use impasse_graph::space::{Indexed, Layers, Space};
use impasse_model::instance::{Instance, Position};
use impasse_model::puzzle::{Draw, Move, Puzzle, Style};

use crate::explore::Pack;
use crate::run::{Run, Table, Transition, Verdict};
use crate::summary::{DepthRow, Summary};
use crate::verdicts::Verdicts;

/// No goal can be reached.
const NONE: u32 = u32::MAX;

/// A space with its verdicts.
pub(crate) struct Analysed<P: Puzzle> {
    space: Explicit<P>,
    instance: Instance,
    pub(crate) summary: Summary,
    depths: Vec<DepthRow>,
    remoteness: Vec<u32>,
    dead_ends: SlotSet,
}

impl<P: Draw + Pack> Analysed<P> {
    pub(crate) fn new(
        space: Explicit<P>,
        instance: Instance,
        summary: Summary,
        depths: Vec<DepthRow>,
        verdicts: &Verdicts<SlotSet>,
    ) -> Self {
        let mut run = Self::stopped(space, instance, summary, depths, &verdicts.by_remoteness);
        run.dead_ends = verdicts.dead_ends.clone();
        run
    }

    /// A stopped run: its table has the states of whole layers, and tells of solutions only.
    pub(crate) fn stopped(
        space: Explicit<P>,
        instance: Instance,
        summary: Summary,
        depths: Vec<DepthRow>,
        by_remoteness: &[SlotSet],
    ) -> Self {
        let mut remoteness = vec![NONE; space.slot_count() as usize];
        for (r, set) in by_remoteness.iter().enumerate() {
            space.slots(set, &mut |slot| remoteness[slot as usize] = r as u32);
        }
        let dead_ends = space.none();
        Self { space, instance, summary, depths, remoteness, dead_ends }
    }
}

impl<P: Draw + Pack + Send> Run for Analysed<P> {
    fn summary(&self) -> &Summary {
        &self.summary
    }
    fn depths(&self) -> &[DepthRow] {
        &self.depths
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
        self.instance.board.picture(&self.instance.alphabet, position, style)
    }
}

impl<P: Draw + Pack + Send> Table for Analysed<P> {
    fn state_count(&self) -> u32 {
        self.space.slot_count()
    }
    fn one_line(&self, id: u32) -> String {
        self.space.puzzle().one_line(self.space.state(self.space.slot(id)))
    }
    fn picture(&self, id: u32, style: Style) -> Vec<String> {
        self.space.puzzle().picture(self.space.state(self.space.slot(id)), style)
    }
    fn depth(&self, id: u32) -> u32 {
        self.space.depth(self.space.slot(id))
    }
    fn remoteness(&self, id: u32) -> Option<u32> {
        Some(self.remoteness[self.space.slot(id) as usize]).filter(|&r| r != NONE)
    }
    fn verdict(&self, id: u32) -> Verdict {
        let slot = self.space.slot(id);
        if self.remoteness[slot as usize] != NONE {
            Verdict::Live
        } else if self.dead_ends.has(slot) {
            Verdict::DeadEnd
        } else {
            Verdict::Doomed
        }
    }
    fn is_goal(&self, id: u32) -> bool {
        self.space.puzzle().is_goal(self.space.state(self.space.slot(id)))
    }
    fn transitions(&self, id: u32, out: &mut Vec<Transition>) {
        let mut found = Vec::new();
        self.space.successors(self.space.slot(id), &mut found);
        out.clear();
        out.extend(found.into_iter().map(|(slot, by)| Transition { to: self.space.id(slot), by }));
        out.sort_unstable_by_key(|t| t.to);
    }
    fn move_name(&self, mv: Move) -> String {
        self.space.puzzle().move_name(mv)
    }
    fn rule_name(&self, mv: Move) -> String {
        self.space.puzzle().rule_name(mv)
    }
    fn find(&self, position: &Position) -> Option<u32> {
        let state = self.space.puzzle().state_of(position)?;
        self.space.find(state).map(|slot| self.space.id(slot))
    }
    fn start_count(&self) -> u32 {
        self.space.layers().first().map_or(0, |l| l.states as u32)
    }
}
