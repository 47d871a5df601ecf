//! A position as a field of places: the cells, and all that lies beyond them.

use impasse_model::board::{Board, Shape};
use impasse_model::instance::Value;

/// A place: column and row (y grows downward); on graphs the number of a cell, and 0.
///
/// Not every place is a cell: beyond the edge and in a hole there is `#`.
pub type Place = (i64, i64);

/// From one place to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// By this vector.
    Vector(i32, i32),
    /// To any neighbour, on graphs.
    Edge,
}

/// A position, seen as what stands at each place.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    board: &'a Board,
    position: &'a [Value],
    reach: i64,
}

impl<'a> Field<'a> {
    /// The field of a position, with places up to `reach` beyond the edge.
    ///
    /// A pattern that touches the board (or, on an endless row, the window) nowhere changes nothing
    /// that could be seen, so `reach` need not be larger than the pattern. Positions up to shift
    /// are seen with their whole span on either side.
    #[must_use]
    pub fn new(board: &'a Board, position: &'a [Value], reach: i64) -> Self {
        let span = if board.shape == Shape::Span {
            board.cells as i64
        } else {
            0
        };
        Self {
            board,
            position,
            reach: reach + span,
        }
    }

    /// What stands at a place: `None` is `#`. Outside the window of an endless row all is empty.
    #[must_use]
    pub fn content(&self, place: Place) -> Option<Value> {
        match self.cell(place) {
            Some(cell) => Some(self.position[cell]),
            None => is_endless(self.board).then_some(0),
        }
    }

    /// The cell at a place, in board order.
    #[must_use]
    pub fn cell(&self, (x, y): Place) -> Option<usize> {
        let inside = |v: i64, bound: usize| usize::try_from(v).ok().filter(|&v| v < bound);
        match &self.board.shape {
            Shape::Grid { rows, cols, at, .. } => {
                at[inside(y, *rows)? * cols + inside(x, *cols)?].map(|cell| cell as usize)
            }
            _ if y == 0 => inside(x, self.board.cells),
            _ => None,
        }
    }

    /// The number of a place, from 1 in reading order, for `at`; none where there is no cell.
    ///
    /// On an endless row the start's first cell is number 1, whatever the window.
    #[must_use]
    pub fn number(&self, place: Place) -> Option<i64> {
        match self.board.shape {
            Shape::Window { first } => Some(first + place.0 + 1),
            Shape::Span => Some(place.0 + 1),
            _ => self.cell(place).map(|cell| cell as i64 + 1),
        }
    }

    /// Every place a pattern may begin at.
    #[must_use]
    pub fn places(&self) -> Vec<Place> {
        let (cells, reach) = (self.board.cells as i64, self.reach);
        match &self.board.shape {
            Shape::Ring | Shape::Graph { .. } => (0..cells).map(|x| (x, 0)).collect(),
            Shape::Grid {
                rows, cols, wrap, ..
            } => {
                let reach = if *wrap { 0 } else { reach };
                (-reach..*rows as i64 + reach)
                    .flat_map(|y| (-reach..*cols as i64 + reach).map(move |x| (x, y)))
                    .collect()
            }
            Shape::Line | Shape::Window { .. } | Shape::Span => {
                (-reach..cells + reach).map(|x| (x, 0)).collect()
            }
        }
    }

    /// The places one step on: one by a vector, any number on a graph, none beyond the reach.
    #[must_use]
    pub fn next(&self, (x, y): Place, step: Step) -> Vec<Place> {
        match (step, &self.board.shape) {
            (Step::Vector(dx, dy), _) => {
                let place = self.wrapped((x + i64::from(dx), y + i64::from(dy)));
                if self.is_in_reach(place) {
                    vec![place]
                } else {
                    Vec::new()
                }
            }
            (Step::Edge, Shape::Graph { neighbours, .. }) => neighbours[x as usize]
                .iter()
                .map(|&cell| (i64::from(cell), 0))
                .collect(),
            (Step::Edge, _) => Vec::new(),
        }
    }

    /// The same place, named once: on rings and tori the ends meet.
    #[must_use]
    pub fn wrapped(&self, (x, y): Place) -> Place {
        match self.board.shape {
            Shape::Ring => (x.rem_euclid(self.board.cells as i64), y),
            Shape::Grid {
                rows,
                cols,
                wrap: true,
                ..
            } => (x.rem_euclid(cols as i64), y.rem_euclid(rows as i64)),
            _ => (x, y),
        }
    }

    fn is_in_reach(&self, (x, y): Place) -> bool {
        let (cols, rows) = match self.board.shape {
            Shape::Grid { rows, cols, .. } => (cols, rows),
            _ => (self.board.cells, 1),
        };
        let within = |v: i64, bound: usize| (-self.reach..bound as i64 + self.reach).contains(&v);
        within(x, cols) && within(y, rows)
    }
}

/// Whether a board is an endless row.
#[must_use]
pub fn is_endless(board: &Board) -> bool {
    matches!(board.shape, Shape::Window { .. } | Shape::Span)
}
