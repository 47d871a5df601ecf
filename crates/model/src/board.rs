//! Boards: which cells there are, how they lie, and how positions are drawn.

use crate::instance::Value;

/// A cell, numbered in board order (the order of the drawing; holes are no cells).
pub type Cell = u32;

/// A board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Its shape.
    pub shape: Shape,
    /// `of counts`: each cell holds a number.
    pub counted: bool,
    /// `cap`.
    pub cap: Option<Value>,
    /// Number of cells.
    pub cells: usize,
}

/// The shape of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A row.
    Line,
    /// A row whose ends meet.
    Ring,
    /// A grid with holes, perhaps wrapped round.
    Grid {
        /// Rows.
        rows: usize,
        /// Columns.
        cols: usize,
        /// Cell at `row * cols + col`; `None` is a hole.
        at: Vec<Option<Cell>>,
        /// A torus.
        wrap: bool,
    },
    /// A graph.
    Graph {
        /// Names of the cells.
        names: Vec<String>,
        /// Neighbours of each cell, ascending.
        neighbours: Vec<Vec<Cell>>,
    },
    /// An endless row seen through a window; cell 0 of the window is place `first` of the row.
    Window {
        /// Place of cell 0. Places count from the first cell that a `start` item draws, so this is
        /// 0 or less; only `--start DRAWING@PLACE` may move the window elsewhere.
        first: i64,
    },
    /// An endless row with positions up to shift, at most `cells` from the first piece to the last.
    /// A position is written with its first piece in cell 0.
    Span,
}
