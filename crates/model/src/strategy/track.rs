//! Where a pattern is laid: a sequence of places, one a cell of the pattern.

use super::row::Row;
use crate::board::Cell;
use crate::instance::{Test, Value};

/// What lies at one place of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// A cell and its content.
    Holds(Value),
    /// `#`.
    NoCell,
    /// Nothing: the track is at its end.
    End,
}

/// A sequence of places on a position.
pub(super) trait Track {
    /// What lies at the `k`-th place.
    fn look(&self, k: usize) -> Look;

    /// The `k`-th place: on a row counted from the start's first cell, else the number of a cell.
    fn place(&self, k: usize) -> i64;

    /// Number of cells, from the `k`-th place on, that pass a test one after the other: the longest
    /// stretch there.
    fn run(&self, k: usize, test: Test) -> usize;
}

/// Along a row.
pub(super) struct RowTrack<'a> {
    pub(super) row: &'a Row,
    pub(super) begin: i64,
    pub(super) stride: i64,
    /// How far beyond the ends of an endless row stretches go.
    pub(super) margin: i64,
}

impl Track for RowTrack<'_> {
    #[inline]
    fn look(&self, k: usize) -> Look {
        self.row.at(self.place(k)).map_or(Look::NoCell, Look::Holds)
    }

    #[inline]
    fn place(&self, k: usize) -> i64 {
        self.begin + k as i64 * self.stride
    }

    fn run(&self, k: usize, test: Test) -> usize {
        let (low, high) = self.row.ends();
        let (low, high) = (low - self.margin, high + self.margin);
        let begin = self.place(k);
        let mut length = if self.stride == 1 {
            self.row.run(begin, high, test)
        } else {
            0
        };
        loop {
            let place = begin + length as i64 * self.stride;
            let is_cell = self
                .row
                .at(place)
                .is_some_and(|v| passes(test, Look::Holds(v)));
            if !is_cell || !(low..=high).contains(&place) {
                return length;
            }
            length += 1;
        }
    }
}

/// Along a list of cells.
pub(super) struct ListTrack<'a> {
    pub(super) row: &'a Row,
    /// `None` is `#`.
    pub(super) sites: &'a [Option<Cell>],
}

impl Track for ListTrack<'_> {
    fn look(&self, k: usize) -> Look {
        match self.sites.get(k) {
            Some(Some(cell)) => self
                .row
                .at(i64::from(*cell))
                .map_or(Look::NoCell, Look::Holds),
            Some(None) => Look::NoCell,
            None => Look::End,
        }
    }

    fn place(&self, k: usize) -> i64 {
        self.sites.get(k).copied().flatten().map_or(-1, i64::from)
    }

    fn run(&self, k: usize, test: Test) -> usize {
        let is_cell = |look| matches!(look, Look::Holds(_)) && passes(test, look);
        (k..self.sites.len())
            .take_while(|&k| is_cell(self.look(k)))
            .count()
    }
}

/// Whether what lies at a place passes a test.
#[inline]
pub(super) fn passes(test: Test, look: Look) -> bool {
    match (test, look) {
        (Test::Symbols(set), Look::Holds(symbol)) => set.0 >> symbol & 1 == 1,
        (Test::Symbols(set), Look::NoCell) => set.has_no_cell(),
        (Test::Counts(low, high), Look::Holds(count)) => (low..=high).contains(&count),
        (Test::NoCell, Look::NoCell) => true,
        _ => false,
    }
}
