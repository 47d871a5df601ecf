//! What lies around one move.

use impasse_model::board::Cell;
use impasse_model::instance::{Position, Value};

use super::plane::{Ground, Plane, stretches};

/// Columns to the right and rows down, from the upper left corner of the box around the cells that
/// change.
pub(super) type Offset = (i64, i64);

/// A move without its surroundings: its name, and what the cells that it changes held.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Kind {
    /// Number of the name.
    pub(super) rule: usize,
    /// By row, then column.
    pub(super) changed: Vec<(Offset, Value)>,
}

impl Kind {
    /// Columns and rows of the box around the cells that change.
    fn size(&self) -> (i64, i64) {
        let cols = self.changed.iter().map(|&((x, _), _)| x + 1).max();
        let rows = self.changed.iter().map(|&((_, y), _)| y + 1).max();
        (cols.unwrap_or(1), rows.unwrap_or(1))
    }

    /// How far a place is from the box; 0 inside.
    pub(super) fn distance(&self, (x, y): Offset) -> i64 {
        let (cols, rows) = self.size();
        let beyond = |at: i64, size: i64| (-at).max(at - size + 1).max(0);
        beyond(x, cols).max(beyond(y, rows))
    }
}

/// What stands at a place: a content, or no cell.
pub(super) type Content = Option<Value>;

/// The surroundings of a move: places with their contents, by row, then column; those that change are
/// left out. On a row with edges of the places beyond only the one next to the edge is there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct View(pub(super) Vec<(Offset, Content)>);

impl View {
    pub(super) fn at(&self, offset: Offset) -> Option<Content> {
        let key = |&((x, y), _): &(Offset, Content)| (y, x);
        let found = self.0.binary_search_by_key(&(offset.1, offset.0), key);
        found.ok().map(|i| self.0[i].1)
    }

    /// The places up to a distance.
    pub(super) fn within(&self, kind: &Kind, radius: usize) -> Self {
        let near = |&&(offset, _): &&(Offset, Content)| kind.distance(offset) <= radius as i64;
        Self(self.0.iter().filter(near).copied().collect())
    }
}

/// What is seen around a move out of a position that changes some cells, at least one. Where ends meet
/// there may be several least boxes around them: a pattern may lie on any, so all are views, each once.
pub(super) fn seen(
    plane: &Plane<'_>,
    rule: usize,
    before: &Position,
    changed: &[Cell],
    radius: usize,
) -> Vec<(Kind, View)> {
    let places: Vec<(i64, i64)> = changed.iter().map(|&cell| plane.place(cell)).collect();
    let columns: Vec<i64> = places.iter().map(|p| p.0).collect();
    let rows: Vec<i64> = places.iter().map(|p| p.1).collect();
    let (lefts, cols) = stretches(&columns, plane.cols, plane.wraps.0);
    let (tops, height) = stretches(&rows, plane.rows, plane.wraps.1);
    let corners = tops
        .iter()
        .flat_map(|&y| lefts.iter().map(move |&x| (x, y)));
    let mut views: Vec<_> = corners
        .map(|corner| {
            let moved = Around {
                corner,
                size: (cols, height),
            };
            seen_from(plane, rule, before, (changed, &places), radius, &moved)
        })
        .collect();
    views.sort_unstable();
    views.dedup();
    views
}

/// A box around the cells that change.
struct Around {
    /// Its upper left corner.
    corner: (i64, i64),
    /// Columns and rows.
    size: (i64, i64),
}

fn seen_from(
    plane: &Plane<'_>,
    rule: usize,
    before: &Position,
    (changed, places): (&[Cell], &[(i64, i64)]),
    radius: usize,
    moved: &Around,
) -> (Kind, View) {
    let ((x0, y0), (cols, height)) = (moved.corner, moved.size);
    let offset = |&(x, y): &(i64, i64)| {
        let x = if plane.wraps.0 {
            (x - x0).rem_euclid(plane.cols)
        } else {
            x - x0
        };
        let y = if plane.wraps.1 {
            (y - y0).rem_euclid(plane.rows)
        } else {
            y - y0
        };
        (x, y)
    };
    let contents = changed.iter().map(|&cell| before[cell as usize]);
    let mut kept: Vec<(Offset, Value)> = places.iter().map(offset).zip(contents).collect();
    kept.sort_unstable_by_key(|&((x, y), _)| (y, x));
    // Where the ends meet, no cell is seen twice.
    let reach = |length: i64, size: i64, wraps: bool| {
        let radius = radius as i64;
        if wraps {
            radius.min((length - size) / 2)
        } else {
            radius
        }
    };
    let across = reach(plane.cols, cols, plane.wraps.0);
    let down = if plane.is_row() {
        0
    } else {
        reach(plane.rows, height, plane.wraps.1)
    };
    let mut around = Vec::new();
    for y in -down..height + down {
        for x in -across..cols + across {
            if kept.iter().any(|&(at, _)| at == (x, y)) {
                continue;
            }
            let content = match plane.ground((x0 + x, y0 + y)) {
                Ground::Cell(cell) => Some(before[cell as usize]),
                Ground::Empty => Some(0),
                Ground::NoCell => None,
            };
            let is_far = plane.is_row() && !(-1..=plane.cols).contains(&(x0 + x));
            if content.is_some() || !is_far {
                around.push(((x, y), content));
            }
        }
    }
    let kind = Kind {
        rule,
        changed: kept,
    };
    (kind, View(around))
}
