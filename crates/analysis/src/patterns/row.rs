//! Patterns on rows: contents side by side, free cells, edges, stretches.

use std::ops::{ControlFlow, RangeInclusive};

use impasse_model::board::{Board, Shape};
use impasse_model::instance::Value;

/// What lies beyond the two ends of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Nothing: the row has edges.
    Edges,
    /// The other end: the row is a ring.
    Joined,
    /// Empty cells without end.
    Empty,
}

impl Ends {
    /// Of a board; `None` if it is no row.
    #[must_use]
    pub fn of(board: &Board) -> Option<Self> {
        match board.shape {
            Shape::Line => Some(Self::Edges),
            Shape::Ring => Some(Self::Joined),
            Shape::Window { .. } | Shape::Span => Some(Self::Empty),
            Shape::Grid { .. } | Shape::Graph { .. } => None,
        }
    }
}

/// Cells side by side; `None` is a cell of any content.
pub type Segment = Vec<Option<Value>>;

/// A pattern on a row: segments from left to right, any number of cells between them, perhaps none.
///
/// Mined patterns are *trimmed*: no segment begins or ends with a free cell, but for free cells
/// between an edge and a fixed cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowPattern {
    /// The segments; at least one, none empty.
    pub segments: Vec<Segment>,
    /// The first segment begins at the left edge.
    pub left_edge: bool,
    /// The last segment ends at the right edge.
    pub right_edge: bool,
}

impl RowPattern {
    /// A pattern of one segment without edges.
    #[must_use]
    pub fn of(segment: Segment) -> Self {
        Self {
            segments: vec![segment],
            left_edge: false,
            right_edge: false,
        }
    }

    /// Cells of the segments, free ones included; edges and stretches do not count.
    #[must_use]
    pub fn span(&self) -> usize {
        self.segments.iter().map(Vec::len).sum()
    }

    /// Cells whose content is fixed.
    #[must_use]
    pub fn fixed(&self) -> usize {
        self.segments.iter().flatten().flatten().count()
    }

    /// The pattern seen in a mirror.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let turned = |segment: &Segment| segment.iter().rev().copied().collect();
        Self {
            segments: self.segments.iter().rev().map(turned).collect(),
            left_edge: self.right_edge,
            right_edge: self.left_edge,
        }
    }

    /// Whether a row contains it.
    ///
    /// Each segment is laid as far left as it goes, so time grows with the square of the length.
    #[must_use]
    pub fn is_in(&self, ends: Ends, row: &[Value]) -> bool {
        let seen = Seen { row, ends };
        self.frame(ends, row.len()).is_some_and(|frame| {
            (frame.first..=frame.last).any(|begin| {
                let end = frame.end(begin);
                seen.fits(&self.segments[0], begin) && self.rest_fits(&seen, begin, end)
            })
        })
    }

    /// Whether all segments behind the first, which begins at `begin`, fit before `end`.
    fn rest_fits(&self, seen: &Seen<'_>, begin: i64, end: i64) -> bool {
        let mut at = begin;
        let mut next = begin + self.segments[0].len() as i64;
        for (i, segment) in self.segments.iter().enumerate().skip(1) {
            let latest = end - self.length_from(i);
            let earliest = if self.right_edge && i + 1 == self.segments.len() {
                latest.max(next)
            } else {
                next
            };
            let Some(found) = (earliest..=latest).find(|&begin| seen.fits(segment, begin)) else {
                return false;
            };
            (at, next) = (found, found + segment.len() as i64);
        }
        let last = self.segments.last().map_or(0, Vec::len) as i64;
        !self.right_edge || at + last == end
    }

    /// Calls `visit` for every place of it in a row, from left to right, with the cells at which
    /// the segments begin; beyond an endless row these may lie outside.
    ///
    /// Time grows with the length of the row to the power of the number of segments.
    pub fn each_place(
        &self,
        ends: Ends,
        row: &[Value],
        visit: &mut dyn FnMut(&[i64]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(frame) = self.frame(ends, row.len()) else {
            return ControlFlow::Continue(());
        };
        let seen = Seen { row, ends };
        let mut begins = Vec::with_capacity(self.segments.len());
        for first in frame.first..=frame.last {
            self.lay(&seen, first..=first, frame.end(first), &mut begins, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Lays the segments that are not laid yet; the next one begins in `range`, the last one ends
    /// at `end` or before.
    fn lay(
        &self,
        seen: &Seen<'_>,
        range: RangeInclusive<i64>,
        end: i64,
        begins: &mut Vec<i64>,
        visit: &mut dyn FnMut(&[i64]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(segment) = self.segments.get(begins.len()) else {
            return visit(begins);
        };
        let is_last = begins.len() + 1 == self.segments.len();
        let latest = end - self.length_from(begins.len() + 1);
        for begin in range {
            let next = begin + segment.len() as i64;
            if self.right_edge && is_last && next != end || !seen.fits(segment, begin) {
                continue;
            }
            begins.push(begin);
            let step = self.lay(seen, next..=latest, end, begins, visit);
            begins.pop();
            step?;
        }
        ControlFlow::Continue(())
    }

    /// Cells of the segments from this one on.
    fn length_from(&self, segment: usize) -> i64 {
        self.segments[segment..].iter().map(Vec::len).sum::<usize>() as i64
    }

    /// Where it may lie on a row of so many cells; `None` if nowhere.
    fn frame(&self, ends: Ends, length: usize) -> Option<Frame> {
        let (length, span) = (length as i64, self.span() as i64);
        let marked = self.left_edge || self.right_edge;
        let (first, last, end) = match ends {
            Ends::Edges if span > length => return None,
            Ends::Edges if self.left_edge => (0, 0, End::At(length)),
            Ends::Edges => (0, length - span, End::At(length)),
            _ if marked || length == 0 => return None,
            Ends::Joined if span > length => return None,
            Ends::Joined => (0, length - 1, End::Behind(length)),
            Ends::Empty => (-span, length, End::At(length + span)),
        };
        Some(Frame { first, last, end })
    }
}

/// Where a pattern may lie.
struct Frame {
    /// The least beginning.
    first: i64,
    /// The greatest beginning.
    last: i64,
    end: End,
}

/// Where a pattern ends at the latest.
enum End {
    /// Before this cell.
    At(i64),
    /// So many cells behind its beginning.
    Behind(i64),
}

impl Frame {
    /// Where a pattern that begins at `begin` ends at the latest.
    fn end(&self, begin: i64) -> i64 {
        match self.end {
            End::At(end) => end,
            End::Behind(length) => begin + length,
        }
    }
}

/// A row as patterns see it.
struct Seen<'a> {
    row: &'a [Value],
    ends: Ends,
}

impl Seen<'_> {
    fn at(&self, cell: i64) -> Option<Value> {
        let length = self.row.len() as i64;
        match self.ends {
            Ends::Joined => Some(self.row[cell.rem_euclid(length) as usize]),
            _ if (0..length).contains(&cell) => Some(self.row[cell as usize]),
            Ends::Edges => None,
            Ends::Empty => Some(0),
        }
    }

    fn fits(&self, segment: &Segment, begin: i64) -> bool {
        segment.iter().zip(begin..).all(|(wanted, cell)| {
            self.at(cell)
                .is_some_and(|value| wanted.is_none_or(|wanted| wanted == value))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Vec<Value> {
        let value = |c| ".FT".find(c).expect("a symbol") as Value;
        text.chars().map(value).collect()
    }

    fn pattern(text: &str) -> RowPattern {
        let inner = text.trim_matches('|');
        let segment = |text: &str| {
            let cell = |c| (c != '_').then(|| ".FT".find(c).expect("a symbol") as Value);
            text.chars().map(cell).collect()
        };
        RowPattern {
            segments: inner.split("_*").map(segment).collect(),
            left_edge: text.starts_with('|'),
            right_edge: text.ends_with('|'),
        }
    }

    fn check(text: &str, ends: Ends, on: &str, places: &[&[i64]]) {
        let (pattern, on) = (pattern(text), row(on));
        let mut found: Vec<Vec<i64>> = Vec::new();
        let _ = pattern.each_place(ends, &on, &mut |begins| {
            found.push(begins.to_vec());
            ControlFlow::Continue(())
        });
        assert_eq!(found, places, "{text}");
        assert_eq!(pattern.is_in(ends, &on), !found.is_empty(), "{text}");
    }

    #[test]
    fn places_on_a_row_with_edges() {
        check("FT", Ends::Edges, "FTFT.", &[&[0], &[2]]);
        check("F_F", Ends::Edges, "FTFT.", &[&[0]]);
        check("|FT", Ends::Edges, "FTFT.", &[&[0]]);
        check("|TF", Ends::Edges, "FTFT.", &[]);
        check("T_|", Ends::Edges, "FTFT.", &[&[3]]);
        check("|FTFT.|", Ends::Edges, "FTFT.", &[&[0]]);
        check("|FT.|", Ends::Edges, "FTFT.", &[]);
        check("FTFT._", Ends::Edges, "FTFT.", &[]);
        check("_F", Ends::Edges, "FTFT.", &[&[1]]);
    }

    #[test]
    fn stretches_may_be_empty() {
        check("FT_*.", Ends::Edges, "FTFT.", &[&[0, 4], &[2, 4]]);
        check("F_*T", Ends::Edges, "FTFT.", &[&[0, 1], &[0, 3], &[2, 3]]);
        check("._*F", Ends::Edges, "FTFT.", &[]);
        check("|F_*T_|", Ends::Edges, "FTFT.", &[&[0, 3]]);
        check(
            "F_*T_*T",
            Ends::Edges,
            "FTFTT",
            &[&[0, 1, 3], &[0, 1, 4], &[0, 3, 4], &[2, 3, 4]],
        );
    }

    #[test]
    fn rings_go_round_once_and_have_no_edge() {
        check(".F", Ends::Joined, "FT.", &[&[2]]);
        check("T_F", Ends::Joined, "FT.", &[&[1]]);
        check("|FT", Ends::Joined, "FT.", &[]);
        check(".FT.", Ends::Joined, "FT.", &[]);
        check("T_*F", Ends::Joined, "FT.", &[&[1, 3]]);
        check("FT_*F", Ends::Joined, "FT.", &[]);
    }

    #[test]
    fn beyond_an_endless_row_all_is_empty() {
        check("F.", Ends::Empty, "TF", &[&[1]]);
        check("..T", Ends::Empty, "TF", &[&[-2]]);
        check("F.._*.", Ends::Empty, "TF", &[&[1, 4], &[1, 5]]);
        check("|T", Ends::Empty, "TF", &[]);
    }

    #[test]
    fn mirrors() {
        assert_eq!(pattern("|.F_*T_F").mirrored(), pattern("F_T_*F.|"));
    }
}
