//! A board as columns and rows.

use std::cmp::Ordering;

use impasse_model::board::{Board, Cell, Shape};

/// Rows and grids, with or without ends.
#[derive(Clone, Debug)]
pub(super) struct Plane<'a> {
    pub(super) cols: i64,
    pub(super) rows: i64,
    /// The left and right, the upper and lower ends meet.
    pub(super) wraps: (bool, bool),
    /// Beyond the ends all is empty.
    endless: bool,
    /// Cells of a grid, row by row.
    at: Option<&'a [Option<Cell>]>,
    /// Column and row of each cell of a grid.
    places: Vec<(i64, i64)>,
}

/// What lies at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    Cell(Cell),
    /// A hole, or beyond an edge.
    NoCell,
    /// Beyond the window of an endless row.
    Empty,
}

impl<'a> Plane<'a> {
    /// Of a board that is no graph.
    pub(super) fn of(board: &'a Board) -> Self {
        let row = |wraps: bool, endless: bool| Self {
            cols: board.cells as i64,
            rows: 1,
            wraps: (wraps, false),
            endless,
            at: None,
            places: Vec::new(),
        };
        match &board.shape {
            Shape::Grid {
                rows,
                cols,
                at,
                wrap,
            } => {
                let mut places = vec![(0, 0); board.cells];
                for (i, cell) in at.iter().enumerate() {
                    if let Some(cell) = cell {
                        places[*cell as usize] = ((i % cols) as i64, (i / cols) as i64);
                    }
                }
                Self {
                    cols: *cols as i64,
                    rows: *rows as i64,
                    wraps: (*wrap, *wrap),
                    endless: false,
                    at: Some(at),
                    places,
                }
            }
            Shape::Ring => row(true, false),
            Shape::Window { .. } | Shape::Span => row(false, true),
            Shape::Line | Shape::Graph { .. } => row(false, false),
        }
    }

    pub(super) fn is_row(&self) -> bool {
        self.at.is_none()
    }

    /// Column and row of a cell.
    pub(super) fn place(&self, cell: Cell) -> (i64, i64) {
        match self.at {
            Some(_) => self.places[cell as usize],
            None => (i64::from(cell), 0),
        }
    }

    pub(super) fn ground(&self, (x, y): (i64, i64)) -> Ground {
        let x = if self.wraps.0 {
            x.rem_euclid(self.cols)
        } else {
            x
        };
        let y = if self.wraps.1 {
            y.rem_euclid(self.rows)
        } else {
            y
        };
        let inside = (0..self.cols).contains(&x) && (0..self.rows).contains(&y);
        match self.at {
            None if inside => Ground::Cell(x as Cell),
            Some(at) if inside => {
                let cell = at[(y * self.cols + x) as usize];
                cell.map_or(Ground::NoCell, Ground::Cell)
            }
            _ if self.endless && y == 0 => Ground::Empty,
            _ => Ground::NoCell,
        }
    }
}

/// The least stretches that hold all of some numbers below `length`: where they begin, and how long
/// they are. On a circle they may run over the end, and there may be several.
pub(super) fn stretches(numbers: &[i64], length: i64, is_circle: bool) -> (Vec<i64>, i64) {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let (first, last) = (sorted[0], sorted[sorted.len() - 1]);
    let mut least = (vec![first], last - first + 1);
    if is_circle {
        for pair in sorted.windows(2) {
            let around = length - (pair[1] - pair[0]) + 1;
            match around.cmp(&least.1) {
                Ordering::Less => least = (vec![pair[1]], around),
                Ordering::Equal => least.0.push(pair[1]),
                Ordering::Greater => {}
            }
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::stretches;

    #[test]
    fn least_stretches() {
        assert_eq!(stretches(&[3, 1], 8, false), (vec![1], 3));
        assert_eq!(stretches(&[7, 0, 1], 8, true), (vec![7], 3));
        assert_eq!(stretches(&[0, 4], 8, true), (vec![0, 4], 5));
        assert_eq!(stretches(&[0, 2, 4], 6, true), (vec![0, 2, 4], 5));
        assert_eq!(stretches(&[5], 8, true), (vec![5], 1));
        assert_eq!(stretches(&[2, 2, 3], 8, false), (vec![2], 2));
    }
}
