//! Every way to lay a pattern on a board.

use super::items::Items;
use super::row::Row;
use super::track::{ListTrack, RowTrack, Track};
use crate::board::{Board, Cell, Shape};
use crate::instance::{LeftItem, Position, Steps, Value};

/// A place of the surroundings of a grid: column and row. On rings and graphs the cell, and 0.
type Spot = (i64, i64);

/// Every way to lay one pattern.
#[derive(Clone, Debug)]
pub(super) enum Ways {
    /// On rows, from any place, by these strides.
    Strides(Vec<i64>),
    /// On other boards: the tracks in reading order of their places, direction by direction.
    Lists(Vec<List>),
}

/// A track on a board that is no row.
#[derive(Clone, Debug)]
pub(super) struct List {
    /// Where its place comes in reading order.
    pub(super) order: i64,
    /// The cells; `None` is `#`.
    pub(super) sites: Vec<Option<Cell>>,
}

/// What is done on each track; true ends the walk.
pub(super) trait Visit {
    /// `order` is where the place of the pattern comes in reading order, `at` its number for `where`.
    fn visit(&mut self, track: &impl Track, order: i64, at: Option<i64>) -> bool;
}

impl Ways {
    /// `reach` is the number of cells of the longest of all patterns that are compared.
    pub(super) fn new(
        board: &Board,
        rows: &[Vec<LeftItem>],
        steps: &Steps,
        items: &Items,
        reach: usize,
    ) -> Self {
        if is_row(board) {
            return Self::Strides(match steps {
                Steps::Vectors(vectors) => {
                    let along = vectors.iter().filter(|(dx, dy)| *dx != 0 && *dy == 0);
                    along.map(|&(dx, _)| i64::from(dx)).collect()
                }
                Steps::Edges | Steps::Drawn => vec![1],
            });
        }
        let layer = Layer {
            board,
            items,
            reach: reach as i64,
        };
        Self::Lists(match steps {
            Steps::Vectors(vectors) => vectors
                .iter()
                .flat_map(|&(dx, dy)| layer.along((dx.into(), dy.into())))
                .collect(),
            Steps::Edges => layer.walks(),
            Steps::Drawn => layer.drawn(rows),
        })
    }

    /// Visits every track on which the pattern may begin, until one ends the walk; whether one did.
    pub(super) fn each(&self, row: &Row, items: &Items, visit: &mut impl Visit) -> bool {
        match self {
            Self::Strides(strides) => {
                let (from, to) = places(row, items.least);
                strides.iter().any(|&stride| {
                    (from..=to).any(|place| {
                        items.may_begin_with(row.at(place))
                            && visit_row(row, items, place, stride, visit)
                    })
                })
            }
            Self::Lists(lists) => lists.iter().any(|list| visit_list(row, items, list, visit)),
        }
    }

    /// Visits only tracks that can cover a place, if that is easily said.
    pub(super) fn each_over(
        &self,
        row: &Row,
        items: &Items,
        place: i64,
        visit: &mut impl Visit,
    ) -> bool {
        match self {
            Self::Strides(strides) if items.is_fixed => strides.iter().any(|&stride| {
                (0..items.least as i64).any(|before| {
                    let anchor = place + (items.anchor as i64 - before) * stride;
                    items.may_begin_with(row.at(anchor))
                        && visit_row(row, items, anchor, stride, visit)
                })
            }),
            _ => self.each(row, items, visit),
        }
    }
}

/// Visits the track of one place of a row.
pub(super) fn visit_row(
    row: &Row,
    items: &Items,
    place: i64,
    stride: i64,
    visit: &mut impl Visit,
) -> bool {
    let begin = place - items.anchor as i64 * stride;
    let track = RowTrack {
        row,
        begin,
        stride,
        margin: items.least as i64 + 1,
    };
    visit.visit(&track, place, row.at(place).map(|_| place + 1))
}

/// Visits one track of a board that is no row.
pub(super) fn visit_list(row: &Row, items: &Items, list: &List, visit: &mut impl Visit) -> bool {
    let track = ListTrack {
        row,
        sites: &list.sites,
    };
    let cell = list.sites.get(items.anchor).copied().flatten();
    visit.visit(&track, list.order, cell.map(|cell| i64::from(cell) + 1))
}

/// The first and last place of a row where a pattern of so many cells may be laid.
pub(super) fn places(row: &Row, cells: usize) -> (i64, i64) {
    let margin = cells as i64 + 1;
    let (low, high) = row.ends();
    (low - margin, high + margin)
}

/// Whether places are whole numbers, with or without an end.
pub(super) fn is_row(board: &Board) -> bool {
    matches!(
        board.shape,
        Shape::Line | Shape::Window { .. } | Shape::Span
    )
}

/// A position ready to be played on.
pub(super) fn row_of(board: &Board, position: &Position) -> Row {
    let cells: &[Value] = position;
    match board.shape {
        Shape::Window { first } => Row::new(cells, first, true),
        Shape::Span => Row::new(cells, 0, true),
        _ => Row::new(cells, 0, false),
    }
}

/// Where a cell comes in reading order, in the numbers of [`List::order`].
pub(super) fn order_of_cell(board: &Board, reach: usize, cell: i64) -> i64 {
    match &board.shape {
        Shape::Grid { cols, at, .. } => {
            let index = at
                .iter()
                .position(|c| c.is_some_and(|c| i64::from(c) == cell));
            let index = index.expect("a change is on a cell") as i64;
            let cols = *cols as i64;
            grid_order(cols, reach as i64, (index % cols, index / cols))
        }
        _ => cell,
    }
}

fn grid_order(cols: i64, reach: i64, (x, y): Spot) -> i64 {
    (y + reach) * (cols + 2 * reach) + x + reach
}

/// Lays one pattern on a board that is no row.
struct Layer<'a> {
    board: &'a Board,
    items: &'a Items,
    reach: i64,
}

impl Layer<'_> {
    /// By one vector from every spot.
    fn along(&self, (dx, dy): Spot) -> Vec<List> {
        let mut lists = Vec::new();
        for (x, y) in self.spots() {
            let mut spots = vec![(x, y)];
            let most = if self.items.is_fixed {
                self.items.least
            } else {
                usize::MAX
            };
            while spots.len() < most {
                let k = spots.len() as i64;
                let next = self.wrapped((x + k * dx, y + k * dy));
                if next == (x, y) || !self.is_near(next) {
                    break;
                }
                spots.push(next);
            }
            self.push(&spots, &mut lists);
        }
        lists
    }

    /// As drawn, several rows.
    fn drawn(&self, rows: &[Vec<LeftItem>]) -> Vec<List> {
        let mut lists = Vec::new();
        for (x, y) in self.spots() {
            let cells = rows.iter().enumerate();
            let spots: Vec<Spot> = cells
                .flat_map(|(dy, row)| (0..row.len()).map(move |dx| (dx as i64, dy as i64)))
                .map(|(dx, dy)| self.wrapped((x + dx, y + dy)))
                .collect();
            let repeats = (1..spots.len()).any(|k| spots[..k].contains(&spots[k]));
            if !repeats {
                self.push(&spots, &mut lists);
            }
        }
        lists
    }

    /// All walks along the edges of a graph that meet no cell twice, as long as the pattern may be.
    fn walks(&self) -> Vec<List> {
        let Shape::Graph { neighbours, .. } = &self.board.shape else {
            return Vec::new();
        };
        let most = if self.items.is_fixed {
            self.items.least
        } else {
            neighbours.len()
        };
        let mut lists = Vec::new();
        for cell in 0..neighbours.len() as Cell {
            let mut walk = vec![cell];
            let mut open = vec![neighbours[cell as usize].iter()];
            self.push_walk(&walk, most, &mut lists);
            while let Some(choices) = open.last_mut() {
                let next = if walk.len() < most {
                    choices.next()
                } else {
                    None
                };
                match next {
                    Some(next) if walk.contains(next) => {}
                    Some(&next) => {
                        walk.push(next);
                        open.push(neighbours[next as usize].iter());
                        self.push_walk(&walk, most, &mut lists);
                    }
                    None => {
                        walk.pop();
                        open.pop();
                    }
                }
            }
        }
        lists
    }

    /// A pattern of fixed length takes only whole walks; others end where the walk ends.
    fn push_walk(&self, walk: &[Cell], most: usize, lists: &mut Vec<List>) {
        if walk.len() >= self.items.least && (walk.len() == most || !self.items.is_fixed) {
            let spots: Vec<Spot> = walk.iter().map(|&cell| (i64::from(cell), 0)).collect();
            self.push(&spots, lists);
        }
    }

    fn push(&self, spots: &[Spot], lists: &mut Vec<List>) {
        let Some(&anchor) = spots.get(self.items.anchor) else {
            return;
        };
        let sites: Vec<Option<Cell>> = spots.iter().map(|&spot| self.cell(spot)).collect();
        if sites.iter().any(Option::is_some) {
            lists.push(List {
                order: self.order(anchor),
                sites,
            });
        }
    }

    fn order(&self, spot: Spot) -> i64 {
        match &self.board.shape {
            Shape::Grid { cols, .. } => grid_order(*cols as i64, self.reach, spot),
            _ => spot.0,
        }
    }

    fn cell(&self, (x, y): Spot) -> Option<Cell> {
        match &self.board.shape {
            Shape::Grid { rows, cols, at, .. } => {
                let inside = (0..*cols as i64).contains(&x) && (0..*rows as i64).contains(&y);
                if inside {
                    at[y as usize * cols + x as usize]
                } else {
                    None
                }
            }
            _ => Some(x as Cell),
        }
    }

    /// Every spot a pattern may begin at, in reading order.
    fn spots(&self) -> Vec<Spot> {
        match &self.board.shape {
            Shape::Grid {
                rows, cols, wrap, ..
            } => {
                let reach = if *wrap { 0 } else { self.reach };
                let columns = move || -reach..*cols as i64 + reach;
                (-reach..*rows as i64 + reach)
                    .flat_map(|y| columns().map(move |x| (x, y)))
                    .collect()
            }
            _ => (0..self.board.cells as i64).map(|x| (x, 0)).collect(),
        }
    }

    fn wrapped(&self, (x, y): Spot) -> Spot {
        match self.board.shape {
            Shape::Ring => (x.rem_euclid(self.board.cells.max(1) as i64), y),
            Shape::Grid {
                rows,
                cols,
                wrap: true,
                ..
            } => (x.rem_euclid(cols as i64), y.rem_euclid(rows as i64)),
            _ => (x, y),
        }
    }

    fn is_near(&self, (x, y): Spot) -> bool {
        match self.board.shape {
            Shape::Grid { rows, cols, .. } => {
                let near =
                    |v: i64, size: usize| (-self.reach..size as i64 + self.reach).contains(&v);
                near(x, cols) && near(y, rows)
            }
            _ => y == 0,
        }
    }
}
