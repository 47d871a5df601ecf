//! The contents of a board while a strategy runs: on endless rows as long as they must be.

use crate::instance::{Test, Value};

/// So many empty cells are added at least when a row grows.
const LEAST_GROWTH: usize = 64;

/// The cells of a board. An endless row grows where it must; all beyond its cells is empty.
#[derive(Clone, Debug)]
pub struct Row {
    cells: Vec<Value>,
    /// Place of the first cell held.
    first: i64,
    endless: bool,
    /// First and last place that is not empty; kept on endless rows only. Empty: `low > high`.
    low: i64,
    high: i64,
    /// A sum over all cells that are not empty, for recognising a state again.
    fingerprint: u64,
}

impl Row {
    /// A row with these contents; `first` is the place of its first cell.
    pub(super) fn new(cells: &[Value], first: i64, endless: bool) -> Self {
        let mut row = Self {
            cells: cells.to_vec(),
            first,
            endless,
            low: 0,
            high: -1,
            fingerprint: 0,
        };
        for (place, &value) in (first..).zip(cells) {
            if value != 0 {
                row.fingerprint = row.fingerprint.wrapping_add(mark(place, value));
                row.low = if row.low > row.high { place } else { row.low };
                row.high = place;
            }
        }
        row
    }

    /// What stands at a place; `None` is `#`.
    #[inline]
    #[must_use]
    pub fn at(&self, place: i64) -> Option<Value> {
        match self.cells.get(place.wrapping_sub(self.first) as usize) {
            Some(&value) => Some(value),
            None if self.endless => Some(0),
            None => None,
        }
    }

    /// First and last place that may hold anything: on an endless row the first and last that do
    /// (the second is less if all is empty), else the ends of the board.
    #[must_use]
    pub fn ends(&self) -> (i64, i64) {
        if self.endless {
            (self.low, self.high)
        } else {
            (self.first, self.first + self.cells.len() as i64 - 1)
        }
    }

    /// The stretch from the first to the last place of [`ends`](Self::ends), and where it begins.
    #[must_use]
    pub fn occupied(&self) -> (i64, &[Value]) {
        let (low, high) = self.ends();
        if low > high {
            return (0, &[]);
        }
        let begin = (low - self.first) as usize;
        (low, &self.cells[begin..=(high - self.first) as usize])
    }

    /// Number of cells held, from a place to at most another, that pass a test one after the other.
    pub(super) fn run(&self, from: i64, to: i64, test: Test) -> usize {
        let begin = from.wrapping_sub(self.first) as usize;
        let end = ((to + 1 - self.first).max(0) as usize).min(self.cells.len());
        let Some(cells) = self.cells.get(begin..end) else {
            return 0;
        };
        let end = match test {
            Test::Counts(low, high) if low == high => cells.iter().position(|&v| v != low),
            Test::Counts(low, high) => cells.iter().position(|v| !(low..=high).contains(v)),
            Test::Symbols(set) => cells.iter().position(|v| set.0 >> v & 1 == 0),
            Test::NoCell => return 0,
        };
        end.unwrap_or(cells.len())
    }

    /// All cells held, and the place of the first.
    #[inline]
    pub(super) fn held(&self) -> (i64, &[Value]) {
        (self.first, &self.cells)
    }

    /// Whether the row has no ends.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.endless
    }

    /// Whether two rows hold the same.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint && self.occupied() == other.occupied()
    }

    /// Writes into a cell; an endless row grows where it must.
    ///
    /// # Panics
    /// Where the place is no cell.
    pub fn set(&mut self, place: i64, value: Value) {
        self.reach(place);
        let cell = &mut self.cells[(place - self.first) as usize];
        let before = std::mem::replace(cell, value);
        let sum = self.fingerprint.wrapping_sub(mark(place, before));
        self.fingerprint = sum.wrapping_add(mark(place, value));
        if self.endless {
            self.adjust_ends(place, value);
        }
    }

    fn adjust_ends(&mut self, place: i64, value: Value) {
        if value != 0 {
            let was_empty = self.low > self.high;
            self.low = if was_empty {
                place
            } else {
                self.low.min(place)
            };
            self.high = if was_empty {
                place
            } else {
                self.high.max(place)
            };
            return;
        }
        while self.low <= self.high && self.at(self.low) == Some(0) {
            self.low += 1;
        }
        while self.high >= self.low && self.at(self.high) == Some(0) {
            self.high -= 1;
        }
    }

    /// Grows so that a place has a cell; by half, so that growing costs little on the whole.
    fn reach(&mut self, place: i64) {
        let growth = LEAST_GROWTH.max(self.cells.len() / 2);
        if place < self.first {
            assert!(self.endless, "only endless rows grow");
            let more = growth.max((self.first - place) as usize);
            self.cells.splice(0..0, std::iter::repeat_n(0, more));
            self.first -= more as i64;
        }
        let index = (place - self.first) as usize;
        if index >= self.cells.len() {
            assert!(self.endless, "only endless rows grow");
            self.cells
                .resize((index + 1).max(self.cells.len() + growth), 0);
        }
    }
}

/// A well mixed number of a cell and its content; 0 for an empty one.
fn mark(place: i64, value: Value) -> u64 {
    if value == 0 {
        return 0;
    }
    let mut z = (place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ value.rotate_left(32);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_on_both_sides() {
        let mut row = Row::new(&[0, 2, 3], -1, true);
        assert_eq!(row.occupied(), (0, &[2, 3][..]));
        row.set(-500, 7);
        row.set(900, 1);
        assert_eq!(row.ends(), (-500, 900));
        assert_eq!(
            (row.at(0), row.at(1), row.at(-10_000)),
            (Some(2), Some(3), Some(0))
        );
        row.set(-500, 0);
        row.set(900, 0);
        assert_eq!(row.occupied(), (0, &[2, 3][..]));
        assert!(row.is_same(&Row::new(&[2, 3, 0, 0], 0, true)));
        assert!(!row.is_same(&Row::new(&[2, 3], 1, true)));
        row.set(0, 0);
        row.set(1, 0);
        assert_eq!(row.occupied(), (0, &[][..]));
        row.set(5, 1);
        assert_eq!(row.ends(), (5, 5));
    }

    #[test]
    fn has_ends_unless_endless() {
        let row = Row::new(&[0, 1, 0], 0, false);
        assert_eq!(row.occupied(), (0, &[0, 1, 0][..]));
        assert_eq!((row.at(-1), row.at(0), row.at(3)), (None, Some(0), None));
    }
}
