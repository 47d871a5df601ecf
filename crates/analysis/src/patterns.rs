//! Patterns of board contents, and the *blocking patterns* of a space: those that no live state has.
//!
//! On rows a pattern is a word of contents, free cells and edges that may lie anywhere, perhaps in
//! several segments with a stretch between ([`RowPattern`]); on other boards it is the contents of
//! chosen cells ([`CellPattern`]).

mod bits;
mod cells;
mod cellsets;
mod cover;
mod holders;
mod mine;
mod notation;
mod row;
mod sample;
mod stretches;
mod survey;
#[cfg(test)]
mod tests;
mod windows;

use std::ops::ControlFlow;

use impasse_model::board::{Board, Cell};
use impasse_model::instance::Value;

pub use bits::Bits;
pub use cells::CellPattern;
pub use cover::Cover;
pub use mine::{
    DEFAULT_CELLS, DEFAULT_WINDOW, Found, MineError, MineOptions, Mined, STRETCH, mine,
};
pub use notation::{Notation, PatternError};
pub use row::{Ends, RowPattern, Segment};
pub use stretches::StretchLimits;
pub use survey::{Standing, Survey, Surveyed, survey};

/// A pattern of board contents.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pattern {
    /// On a row, at any place.
    Row(RowPattern),
    /// At chosen cells.
    Cells(CellPattern),
}

impl Pattern {
    /// Whether a position contains it; a row pattern lies on no other board.
    #[must_use]
    pub fn is_in(&self, board: &Board, position: &[Value]) -> bool {
        match self {
            Self::Row(pattern) => Ends::of(board).is_some_and(|ends| pattern.is_in(ends, position)),
            Self::Cells(pattern) => pattern.is_in(position),
        }
    }

    /// Every place of it in a position: the cells whose contents it fixes. Cells beyond the window
    /// of an endless row are left out.
    #[must_use]
    pub fn places(&self, board: &Board, position: &[Value]) -> Vec<Vec<Cell>> {
        let mut places = Vec::new();
        let _ = self.each_place(board, position, &mut |cells| {
            places.push(cells);
            ControlFlow::Continue(())
        });
        places
    }

    /// The first of [`Pattern::places`].
    #[must_use]
    pub fn first_place(&self, board: &Board, position: &[Value]) -> Option<Vec<Cell>> {
        let mut first = None;
        let _ = self.each_place(board, position, &mut |cells| {
            first = Some(cells);
            ControlFlow::Break(())
        });
        first
    }

    fn each_place(
        &self,
        board: &Board,
        position: &[Value],
        visit: &mut dyn FnMut(Vec<Cell>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self {
            Self::Cells(pattern) if pattern.is_in(position) => {
                visit(pattern.cells.iter().map(|&(cell, _)| cell).collect())
            }
            Self::Cells(_) => ControlFlow::Continue(()),
            Self::Row(pattern) => {
                let Some(ends) = Ends::of(board) else {
                    return ControlFlow::Continue(());
                };
                pattern.each_place(ends, position, &mut |begins| {
                    visit(fixed_cells(pattern, begins, ends, position.len()))
                })
            }
        }
    }

    /// Cells it spans: on a row the free ones between fixed ones count, elsewhere only fixed ones.
    #[must_use]
    pub fn span(&self) -> usize {
        match self {
            Self::Row(pattern) => pattern.span(),
            Self::Cells(pattern) => pattern.cells.len(),
        }
    }

    /// Whether it names an edge.
    #[must_use]
    pub fn has_edge(&self) -> bool {
        match self {
            Self::Row(pattern) => pattern.left_edge || pattern.right_edge,
            Self::Cells(_) => false,
        }
    }

    /// Cells whose content it fixes.
    #[must_use]
    pub fn fixed(&self) -> usize {
        match self {
            Self::Row(pattern) => pattern.fixed(),
            Self::Cells(pattern) => pattern.cells.len(),
        }
    }
}

/// The cells that a laid row pattern fixes.
fn fixed_cells(pattern: &RowPattern, begins: &[i64], ends: Ends, length: usize) -> Vec<Cell> {
    let length = length as i64;
    let laid = pattern
        .segments
        .iter()
        .zip(begins)
        .flat_map(|(segment, &begin)| {
            let fixed = segment
                .iter()
                .zip(begin..)
                .filter(|(wanted, _)| wanted.is_some());
            fixed.map(|(_, cell)| cell)
        });
    let on_board = laid.filter_map(|cell| match ends {
        Ends::Joined => Some(cell.rem_euclid(length)),
        Ends::Edges | Ends::Empty => (0..length).contains(&cell).then_some(cell),
    });
    on_board.map(|cell| cell as Cell).collect()
}
