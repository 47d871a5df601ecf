//! Positions in text: one line for files and arguments, pictures for people.

use crate::board::{Board, Shape};
use crate::instance::{Alphabet, Value};
use crate::puzzle::Style;

impl Board {
    /// The position in one line, which [`Instance::position`](crate::instance::Instance::position)
    /// reads back.
    ///
    /// Rows of a grid are joined by `/`, holes are `#`, counts are separated by spaces and 0 is `.`.
    /// On an endless row the occupied stretch is drawn, with `@` and the place of its first cell if
    /// the row is seen through a window; an empty row is `.@0`.
    #[must_use]
    pub fn one_line(&self, alphabet: &Alphabet, position: &[Value]) -> String {
        let cell = |v: &Value| self.letter(alphabet, *v);
        match &self.shape {
            Shape::Grid { cols, at, .. } => {
                let rows = at.chunks((*cols).max(1)).map(|row| {
                    let row = row.iter().map(|c| match c {
                        Some(c) => cell(&position[*c as usize]),
                        None => "#".to_owned(),
                    });
                    self.joined(row)
                });
                rows.collect::<Vec<_>>().join("/")
            }
            Shape::Window { first } => {
                let (skip, stretch) = occupied(position);
                if stretch.is_empty() {
                    return ".@0".to_owned();
                }
                format!(
                    "{}@{}",
                    self.joined(stretch.iter().map(cell)),
                    first + skip as i64
                )
            }
            Shape::Span => match occupied(position).1 {
                [] => ".".to_owned(),
                stretch => self.joined(stretch.iter().map(cell)),
            },
            Shape::Line | Shape::Ring | Shape::Graph { .. } => {
                self.joined(position.iter().map(cell))
            }
        }
    }

    /// The position as people look at it: one text line a row, a blank between cells.
    ///
    /// Endless rows show the whole window, so that positions stand under each other; with `span`
    /// the occupied stretch. A graph is one line of cell names with their contents.
    #[must_use]
    pub fn picture(&self, alphabet: &Alphabet, position: &[Value], style: Style) -> Vec<String> {
        let cell = |v: Value| self.picture_of(alphabet, v, style);
        let width = position
            .iter()
            .map(|&v| cell(v).chars().count())
            .max()
            .unwrap_or(1);
        let padded = |text: String| format!("{text:>width$}");
        let line = |cells: &[Value]| {
            cells
                .iter()
                .map(|&v| padded(cell(v)))
                .collect::<Vec<_>>()
                .join(" ")
        };
        match &self.shape {
            Shape::Grid { cols, at, .. } => {
                let hole = if style.unicode { " " } else { "#" };
                let rows = at.chunks((*cols).max(1)).map(|row| {
                    let row = row.iter().map(|c| match c {
                        Some(c) => padded(cell(position[*c as usize])),
                        None => padded(hole.to_owned()),
                    });
                    row.collect::<Vec<_>>().join(" ").trim_end().to_owned()
                });
                rows.collect()
            }
            Shape::Graph { names, .. } => {
                let cells = names
                    .iter()
                    .zip(position)
                    .map(|(n, &v)| format!("{n}:{}", cell(v)));
                vec![cells.collect::<Vec<_>>().join(" ")]
            }
            Shape::Span => match occupied(position).1 {
                [] => vec![cell(0)],
                stretch => vec![line(stretch)],
            },
            Shape::Line | Shape::Ring | Shape::Window { .. } => vec![line(position)],
        }
    }

    /// One cell in plain text: its letter, or on boards of counts its number; `.` is empty.
    #[must_use]
    pub fn letter(&self, alphabet: &Alphabet, v: Value) -> String {
        match v {
            0 => ".".to_owned(),
            v if self.counted => v.to_string(),
            v => alphabet.symbols[v as usize].to_string(),
        }
    }

    /// One cell as people look at it.
    #[must_use]
    pub fn picture_of(&self, alphabet: &Alphabet, v: Value, style: Style) -> String {
        match v {
            _ if !style.unicode => self.letter(alphabet, v),
            0 => "·".to_owned(),
            v if self.counted => v.to_string(),
            v => match alphabet.pictures[v as usize] {
                Some(picture) => picture.to_string(),
                None => self.letter(alphabet, v),
            },
        }
    }

    fn joined(&self, cells: impl Iterator<Item = String>) -> String {
        let separator = if self.counted { " " } else { "" };
        cells.collect::<Vec<_>>().join(separator)
    }
}

/// How many empty cells stand first, and the stretch from the first to the last occupied cell.
fn occupied(position: &[Value]) -> (usize, &[Value]) {
    let Some(first) = position.iter().position(|&v| v != 0) else {
        return (0, &[]);
    };
    let last = position.iter().rposition(|&v| v != 0).unwrap_or(first);
    (first, &position[first..=last])
}
