//! Boards up to shift: the first piece stands in the first cell of the middle third.

use crate::family::Packing;
use crate::word::Word;

/// How positions up to shift are kept.
#[derive(Clone, Debug)]
pub(crate) struct Span<W> {
    /// Most cells from the first piece to the last.
    most: u32,
    /// All fields that must be empty in a written position.
    outside: W,
}

impl<W: Word> Span<W> {
    /// For positions of at most `most` cells on a board of three times as many.
    pub(crate) fn new(most: usize, packing: Packing) -> Self {
        let most = most as u32;
        let field = |cell| {
            (0..packing.width).fold(W::ZERO, |word, bit| word | W::bit(packing.at(cell) + bit))
        };
        let outside = (0..packing.cells)
            .filter(|cell| !(most..2 * most).contains(cell))
            .fold(W::ZERO, |word, cell| word | field(cell));
        Self { most, outside }
    }

    /// The state shifted so that its first piece stands where it should; `None` if it is too wide.
    pub(crate) fn settle(&self, state: W, packing: Packing) -> Option<W> {
        if state.is_zero() {
            return Some(state);
        }
        let first = (0..packing.cells).find(|&cell| packing.content(state, cell) != 0)?;
        let last = packing.cells - 1 - state.trailing() / packing.width;
        if last - first >= self.most {
            return None;
        }
        let settled = if first < self.most {
            state.right((self.most - first) * packing.width)
        } else {
            state.left((first - self.most) * packing.width)
        };
        debug_assert!(
            (settled & self.outside).is_zero(),
            "a settled position lies in its third"
        );
        Some(settled)
    }
}
