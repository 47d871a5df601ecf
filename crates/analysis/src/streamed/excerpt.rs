//! A table of a few states of a space that keeps no table of all.

use std::sync::Arc;

use impasse_model::instance::Position;
use impasse_model::puzzle::{Move, Style};

use super::play::Play;
use crate::run::{Table, Transition, Verdict};

/// A state of an excerpt.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) position: Position,
    pub(crate) depth: u32,
    /// Its number in the whole space, if that was asked for.
    pub(crate) number: Option<u64>,
    pub(crate) verdict: Verdict,
    /// Its transitions to states of the excerpt are told; else none are.
    pub(crate) is_inner: bool,
}

/// States numbered among themselves by depth, then by board order.
pub(crate) struct ExcerptTable {
    play: Arc<dyn Play>,
    cells: usize,
    /// The contents of all, one after the other; symbols are less than 64.
    rows: Vec<u8>,
    depths: Vec<u32>,
    numbers: Vec<Option<u64>>,
    verdicts: Vec<Verdict>,
    inner: Vec<bool>,
    remoteness: Vec<Option<u32>>,
    /// The states by their contents.
    by_row: Vec<u32>,
    starts: u32,
}

impl ExcerptTable {
    /// Bytes a state takes, about, while an excerpt is made.
    pub(crate) fn bytes_a_state(cells: usize) -> u64 {
        // The contents as numbers and in rows, and the columns.
        9 * cells as u64 + 120
    }

    /// Sorts states; each must come once.
    pub(crate) fn new(play: Arc<dyn Play>, cells: usize, mut states: Vec<Kept>) -> Self {
        states.sort_unstable_by(|a, b| (a.depth, &a.position).cmp(&(b.depth, &b.position)));
        let mut table = Self {
            play,
            cells,
            rows: Vec::with_capacity(cells * states.len()),
            depths: Vec::new(),
            numbers: Vec::new(),
            verdicts: Vec::new(),
            inner: Vec::new(),
            remoteness: vec![None; states.len()],
            by_row: (0..states.len() as u32).collect(),
            starts: states.iter().take_while(|state| state.depth == 0).count() as u32,
        };
        for state in states {
            table
                .rows
                .extend(state.position.iter().map(|&content| content as u8));
            table.depths.push(state.depth);
            table.numbers.push(state.number);
            table.verdicts.push(state.verdict);
            table.inner.push(state.is_inner);
        }
        let mut by_row = std::mem::take(&mut table.by_row);
        by_row.sort_unstable_by(|&a, &b| table.row(a).cmp(table.row(b)));
        table.by_row = by_row;
        table
    }

    fn row(&self, id: u32) -> &[u8] {
        let first = id as usize * self.cells;
        &self.rows[first..first + self.cells]
    }

    fn contents(&self, id: u32) -> Position {
        self.row(id).iter().map(|&content| content.into()).collect()
    }

    pub(crate) fn set_remoteness(&mut self, id: u32, remoteness: u32) {
        self.remoteness[id as usize] = Some(remoteness);
    }
}

impl Table for ExcerptTable {
    fn state_count(&self) -> u32 {
        self.depths.len() as u32
    }
    fn number(&self, id: u32) -> Option<u64> {
        self.numbers[id as usize]
    }
    fn position(&self, id: u32, out: &mut Position) {
        *out = self.contents(id);
    }
    fn one_line(&self, id: u32) -> String {
        self.play.one_line(&self.contents(id))
    }
    fn picture(&self, id: u32, style: Style) -> Vec<String> {
        self.play.picture(&self.contents(id), style)
    }
    fn depth(&self, id: u32) -> u32 {
        self.depths[id as usize]
    }
    fn remoteness(&self, id: u32) -> Option<u32> {
        self.remoteness[id as usize]
    }
    fn verdict(&self, id: u32) -> Verdict {
        self.verdicts[id as usize]
    }
    fn is_goal(&self, id: u32) -> bool {
        self.play.is_goal(&self.contents(id))
    }
    fn transitions(&self, id: u32, out: &mut Vec<Transition>) {
        out.clear();
        if !self.inner[id as usize] {
            return;
        }
        let successors = self.play.successors(&self.contents(id)).into_iter();
        out.extend(
            successors
                .filter_map(|(position, by)| self.find(&position).map(|to| Transition { to, by })),
        );
        out.sort_unstable_by_key(|t| t.to);
    }
    fn move_name(&self, mv: Move) -> String {
        self.play.move_name(mv)
    }
    fn rule_name(&self, mv: Move) -> String {
        self.play.rule_name(mv)
    }
    fn find(&self, position: &Position) -> Option<u32> {
        if position.len() != self.cells {
            return None;
        }
        let row = position.iter().map(|&content| content as u8);
        let place = self
            .by_row
            .binary_search_by(|&id| self.row(id).iter().copied().cmp(row.clone()));
        place.ok().map(|place| self.by_row[place])
    }
    fn start_count(&self) -> u32 {
        self.starts
    }
}
