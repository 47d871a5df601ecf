//! The live and the lost states of a table as bytes: what miners read.

use impasse_model::instance::{Position, Value};

use super::Ends;
use super::bits::Bits;
use super::mine::MineError;
use crate::run::{Table, Verdict};

/// A content in few bits: 0 is "any", the others are numbers of contents from 1 on.
pub(super) type Digit = u8;

/// The states of a table, live and lost ones apart, a byte a cell.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// The content of each digit, from digit 1 on; ascending.
    pub(super) contents: Vec<Value>,
    /// Cells of a state.
    pub(super) cells: usize,
    /// Digits of the live states, one behind the other.
    live: Vec<Digit>,
    /// The same of the lost states.
    lost: Vec<Digit>,
    /// Numbers of the lost states, ascending.
    pub(super) lost_ids: Vec<u32>,
}

impl Sample {
    /// Reads all states.
    pub(super) fn of(
        table: &dyn Table,
        cells: usize,
        budget: Option<u64>,
    ) -> Result<Self, MineError> {
        let bytes = 2 * u64::from(table.state_count()) * cells as u64;
        MineError::check(bytes, budget, || "the states, a byte a cell".to_owned())?;
        let mut contents: Vec<Value> = vec![0];
        let mut position = Position::new();
        for id in 0..table.state_count() {
            table.position(id, &mut position);
            for value in &position {
                if let Err(place) = contents.binary_search(value) {
                    contents.insert(place, *value);
                }
            }
            if contents.len() >= usize::from(Digit::MAX) {
                return Err(MineError::TooManyContents);
            }
        }
        let mut sample = Self {
            contents,
            cells,
            live: Vec::new(),
            lost: Vec::new(),
            lost_ids: Vec::new(),
        };
        for id in 0..table.state_count() {
            table.position(id, &mut position);
            let digits = position.iter().map(|value| {
                let place = sample.contents.binary_search(value);
                place.expect("it was seen before") as Digit + 1
            });
            if table.verdict(id) == Verdict::Live {
                sample.live.extend(digits);
            } else {
                sample.lost.extend(digits);
                sample.lost_ids.push(id);
            }
        }
        Ok(sample)
    }

    pub(super) fn live(&self) -> impl Iterator<Item = &[Digit]> + Clone {
        self.live.chunks_exact(self.cells.max(1))
    }

    /// The lost states by content and cell of their strips.
    pub(super) fn lost_columns(&self, cut: Cut, budget: Option<u64>) -> Result<Columns, MineError> {
        let lost = self.lost_ids.len();
        let mut columns = Columns::new(cut.length(), self.contents.len(), lost, budget)?;
        columns.enter_strips(self.lost(), cut);
        Ok(columns)
    }

    /// The same of the live states.
    pub(super) fn live_columns(&self, cut: Cut, budget: Option<u64>) -> Result<Columns, MineError> {
        let live = self.live().count();
        let mut columns = Columns::new(cut.length(), self.contents.len(), live, budget)?;
        columns.enter_strips(self.live(), cut);
        Ok(columns)
    }

    pub(super) fn lost(&self) -> impl Iterator<Item = &[Digit]> + Clone {
        self.lost.chunks_exact(self.cells.max(1))
    }
}

/// Rows cut open, so that every pattern that lies in a row lies in the strip from left to right.
///
/// A ring is written a little more than once round; on an endless row some empty cells are added.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    ends: Ends,
    /// Cells of a row.
    cells: usize,
    /// Patterns of one segment span at most so many cells.
    reach: usize,
}

impl Cut {
    pub(super) fn new(ends: Ends, cells: usize, reach: usize) -> Self {
        let reach = match ends {
            Ends::Edges | Ends::Joined => reach.min(cells),
            Ends::Empty => reach,
        };
        Self { ends, cells, reach }
    }

    /// Cells of a strip.
    pub(super) fn length(self) -> usize {
        self.cells + self.before() + self.after()
    }

    /// Patterns begin at cells of the strip below this.
    pub(super) fn begins(self) -> usize {
        match self.ends {
            Ends::Joined => self.cells,
            Ends::Edges | Ends::Empty => self.length(),
        }
    }

    /// Whether patterns of so many cells can lie on the row at all.
    pub(super) fn holds(self, span: usize) -> bool {
        self.ends == Ends::Empty || span <= self.cells
    }

    /// Whether the ends of the strip are edges that patterns may name.
    pub(super) fn has_edges(self) -> bool {
        self.ends == Ends::Edges
    }

    fn before(self) -> usize {
        match self.ends {
            Ends::Empty => self.reach,
            Ends::Edges | Ends::Joined => 0,
        }
    }

    fn after(self) -> usize {
        match self.ends {
            Ends::Edges => 0,
            Ends::Joined => self.reach.saturating_sub(1),
            Ends::Empty => self.reach,
        }
    }

    /// Writes the strip of a row; digit 1 is the empty cell.
    pub(super) fn strip(self, row: &[Digit], out: &mut Vec<Digit>) {
        out.clear();
        out.extend(std::iter::repeat_n(1, self.before()));
        out.extend(row);
        match self.ends {
            Ends::Joined => out.extend_from_within(..self.after()),
            Ends::Edges | Ends::Empty => out.extend(std::iter::repeat_n(1, self.after())),
        }
    }
}

/// For each cell and content the states that have it there, by place in the list of states.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    /// By cell, then digit from 1 on.
    sets: Vec<Bits>,
    digits: usize,
    states: usize,
}

impl Columns {
    /// Of so many states of `cells` digits each, every digit at most `digits`; no state is entered yet.
    pub(super) fn new(
        cells: usize,
        digits: usize,
        states: usize,
        budget: Option<u64>,
    ) -> Result<Self, MineError> {
        let bytes = (cells * digits) as u64 * Bits::bytes(states);
        MineError::check(bytes, budget, || "states by cell and content".to_owned())?;
        Ok(Self {
            sets: vec![Bits::none(states); cells * digits],
            digits,
            states,
        })
    }

    /// Enters the strips of rows.
    fn enter_strips<'a>(&mut self, rows: impl Iterator<Item = &'a [Digit]>, cut: Cut) {
        let mut strip = Vec::new();
        for (i, row) in rows.enumerate() {
            cut.strip(row, &mut strip);
            self.enter(i, &strip);
        }
    }

    /// Enters the state of place `i`.
    pub(super) fn enter(&mut self, i: usize, state: &[Digit]) {
        for (cell, &digit) in state.iter().enumerate() {
            self.sets[cell * self.digits + usize::from(digit) - 1].insert(i);
        }
    }

    /// How many states there are.
    pub(super) fn states(&self) -> usize {
        self.states
    }

    /// The states with this content in this cell.
    pub(super) fn with(&self, cell: usize, digit: Digit) -> &Bits {
        &self.sets[cell * self.digits + usize::from(digit) - 1]
    }

    /// Writes into `out` the states that show `digits` from cell `begin` on; 0 is any content, but at
    /// least one digit is not.
    pub(super) fn showing(&self, digits: &[Digit], begin: usize, out: &mut Bits) {
        let mut fixed = digits.iter().enumerate().filter(|(_, digit)| **digit != 0);
        let (first, &digit) = fixed.next().expect("a pattern fixes a cell");
        out.copy(self.with(begin + first, digit));
        for (i, &digit) in fixed {
            out.and(self.with(begin + i, digit));
        }
    }
}
