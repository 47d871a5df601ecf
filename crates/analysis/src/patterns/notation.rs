//! Patterns in text: the letters of positions, `_` for a free cell, `_*` for a stretch, `|` for an
//! edge.

use impasse_model::board::{Board, Cell, Shape};
use impasse_model::instance::{Alphabet, Instance, Value};
use impasse_model::puzzle::Style;

use super::{CellPattern, Ends, Pattern, RowPattern, Segment};

/// How the patterns of one board are written and read.
///
/// A row pattern is `FTT_*.` or, for people, `F T T _* .`; `|` at either end is an edge. On grids a
/// pattern is the board in one line with `_` for free cells, `__#/_F#`; on graphs it is a letter a
/// cell. Counts are numbers with blanks between.
#[derive(Clone, Copy, Debug)]
pub struct Notation<'a> {
    board: &'a Board,
    alphabet: &'a Alphabet,
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// A sign that means nothing here.
    #[error("column {column}: `{found}` means nothing in a pattern; expected {expected}")]
    Unknown {
        /// Where, from 1.
        column: usize,
        /// The sign.
        found: String,
        /// What may stand there.
        expected: String,
    },
    /// A stretch at the beginning, at the end, or behind another.
    #[error("column {column}: a stretch `_*` stands between two groups of cells")]
    Stretch {
        /// Where, from 1.
        column: usize,
    },
    /// A stretch on a board that is no row.
    #[error("column {column}: a stretch `_*` needs a row; this board is none")]
    StretchOffRow {
        /// Where, from 1.
        column: usize,
    },
    /// An edge in the middle.
    #[error("column {column}: the edge `|` stands first or last")]
    EdgeInside {
        /// Where, from 1.
        column: usize,
    },
    /// An edge on a board without.
    #[error("column {column}: this board has no edge, so leave `|` out")]
    NoEdge {
        /// Where, from 1.
        column: usize,
    },
    /// No content at all.
    #[error("the pattern fixes no cell; write at least one of {expected}")]
    Empty {
        /// What may be written.
        expected: String,
    },
    /// More cells than the board has.
    #[error(
        "the pattern spans {span} cells, but the board has {cells}; shorten it, or take a larger board"
    )]
    TooLong {
        /// Cells of the pattern.
        span: usize,
        /// Cells of the board.
        cells: usize,
    },
    /// A drawing of another board.
    #[error(
        "the pattern is not drawn like the board; expected `_` for each free cell, as in `{expected}`"
    )]
    Shape {
        /// The board with all cells free.
        expected: String,
    },
}

/// A part of a pattern's text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sign {
    Content(Value),
    Free,
    Stretch,
    Edge,
    Row,
    Hole,
}

impl<'a> Notation<'a> {
    /// That of a board and its alphabet.
    #[must_use]
    pub fn new(board: &'a Board, alphabet: &'a Alphabet) -> Self {
        Self { board, alphabet }
    }

    /// That of a puzzle.
    #[must_use]
    pub fn of(instance: &'a Instance) -> Self {
        Self::new(&instance.board, &instance.alphabet)
    }

    /// As in files: without blanks, but for boards of counts.
    #[must_use]
    pub fn compact(&self, pattern: &Pattern) -> String {
        self.written(pattern, self.gap())
    }

    /// For people: a blank between cells of a row; other boards as in files.
    #[must_use]
    pub fn spaced(&self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Row(_) => self.written(pattern, " "),
            Pattern::Cells(_) => self.compact(pattern),
        }
    }

    /// A pattern of cells as the board lies, free cells as `_`; on graphs only the fixed cells, by
    /// name. A row pattern is one line, as in [`Notation::spaced`].
    #[must_use]
    pub fn picture(&self, pattern: &Pattern, style: Style) -> Vec<String> {
        let Pattern::Cells(cells) = pattern else {
            return vec![self.spaced(pattern)];
        };
        let cell = |wanted: Cell| {
            let found = cells.cells.iter().find(|(cell, _)| *cell == wanted);
            found.map(|&(_, value)| self.board.picture_of(self.alphabet, value, style))
        };
        match &self.board.shape {
            Shape::Graph { names, .. } => {
                let fixed = names.iter().zip(0..).filter_map(|(name, number)| {
                    cell(number).map(|content| format!("{name}:{content}"))
                });
                vec![fixed.collect::<Vec<_>>().join(" ")]
            }
            Shape::Grid { cols, at, .. } => {
                let hole = if style.unicode { " " } else { "#" };
                let content = |place: &Option<Cell>| match place {
                    Some(number) => cell(*number).unwrap_or_else(|| "_".to_owned()),
                    None => hole.to_owned(),
                };
                let contents: Vec<String> = at.iter().map(content).collect();
                let width = contents
                    .iter()
                    .map(|c| c.chars().count())
                    .max()
                    .unwrap_or(1);
                let rows = contents.chunks((*cols).max(1)).map(|row| {
                    let row = row.iter().map(|content| format!("{content:>width$}"));
                    row.collect::<Vec<_>>().join(" ").trim_end().to_owned()
                });
                rows.collect()
            }
            _ => vec![self.compact(pattern)],
        }
    }

    fn written(&self, pattern: &Pattern, between: &str) -> String {
        match pattern {
            Pattern::Row(pattern) => self.row(pattern, between),
            Pattern::Cells(pattern) => self.drawing(pattern, between),
        }
    }

    fn row(&self, pattern: &RowPattern, between: &str) -> String {
        let cell = |cell: &Option<Value>| self.cell(*cell);
        let mut parts: Vec<String> = Vec::new();
        parts.extend(pattern.left_edge.then(|| "|".to_owned()));
        for (i, segment) in pattern.segments.iter().enumerate() {
            parts.extend((i > 0).then(|| "_*".to_owned()));
            parts.extend(segment.iter().map(cell));
        }
        parts.extend(pattern.right_edge.then(|| "|".to_owned()));
        parts.join(between)
    }

    fn drawing(&self, pattern: &CellPattern, between: &str) -> String {
        let content = |wanted: Cell| {
            let found = pattern
                .cells
                .binary_search_by_key(&wanted, |&(cell, _)| cell);
            self.cell(found.ok().map(|i| pattern.cells[i].1))
        };
        let Shape::Grid { cols, at, .. } = &self.board.shape else {
            let cells = (0..self.board.cells as Cell).map(content);
            return cells.collect::<Vec<_>>().join(between);
        };
        let rows = at.chunks((*cols).max(1)).map(|row| {
            let cells = row
                .iter()
                .map(|cell| cell.map_or_else(|| "#".to_owned(), content));
            cells.collect::<Vec<_>>().join(between)
        });
        rows.collect::<Vec<_>>().join("/")
    }

    fn cell(&self, content: Option<Value>) -> String {
        content.map_or_else(
            || "_".to_owned(),
            |value| self.board.letter(self.alphabet, value),
        )
    }

    /// Reads a pattern; blanks may stand anywhere.
    ///
    /// # Errors
    /// [`PatternError`] says where, what was expected, and the way out.
    pub fn parse(&self, text: &str) -> Result<Pattern, PatternError> {
        let signs = self.signs(text)?;
        let pattern = if Ends::of(self.board).is_some() {
            Pattern::Row(self.parse_row(&signs)?)
        } else {
            Pattern::Cells(self.parse_drawing(&signs)?)
        };
        if pattern.fixed() == 0 {
            let expected = self.contents();
            return Err(PatternError::Empty { expected });
        }
        Ok(pattern)
    }

    fn parse_row(&self, signs: &[(usize, Sign)]) -> Result<RowPattern, PatternError> {
        let mut pattern = RowPattern::of(Segment::new());
        let has_edge = Ends::of(self.board) == Some(Ends::Edges);
        for (i, (column, sign)) in signs.iter().enumerate() {
            let column = *column;
            let is_last = i + 1 == signs.len();
            let segment = pattern.segments.last_mut().expect("one to begin with");
            match sign {
                Sign::Content(value) => segment.push(Some(*value)),
                Sign::Free => segment.push(None),
                Sign::Stretch if segment.is_empty() || is_last => {
                    return Err(PatternError::Stretch { column });
                }
                Sign::Stretch => pattern.segments.push(Segment::new()),
                Sign::Edge if !has_edge => return Err(PatternError::NoEdge { column }),
                Sign::Edge if i == 0 => pattern.left_edge = true,
                Sign::Edge if !is_last => return Err(PatternError::EdgeInside { column }),
                Sign::Edge if segment.is_empty() => return Err(PatternError::Stretch { column }),
                Sign::Edge => pattern.right_edge = true,
                Sign::Row => return Err(self.unknown(column, "/")),
                Sign::Hole => return Err(self.unknown(column, "#")),
            }
        }
        let (span, cells) = (pattern.span(), self.board.cells);
        if Ends::of(self.board) != Some(Ends::Empty) && span > cells {
            return Err(PatternError::TooLong { span, cells });
        }
        Ok(pattern)
    }

    /// Reads a drawing of the whole board.
    fn parse_drawing(&self, signs: &[(usize, Sign)]) -> Result<CellPattern, PatternError> {
        let blank = self.drawing(&CellPattern { cells: Vec::new() }, self.gap());
        let wrong = || PatternError::Shape {
            expected: blank.clone(),
        };
        let mut cells = Vec::new();
        let mut next: Cell = 0;
        let mut places = self.places().into_iter();
        for (column, sign) in signs {
            match sign {
                Sign::Stretch => return Err(PatternError::StretchOffRow { column: *column }),
                Sign::Edge => return Err(PatternError::NoEdge { column: *column }),
                Sign::Content(value) => cells.push((next, *value)),
                Sign::Free | Sign::Row | Sign::Hole => {}
            }
            let kind = match sign {
                Sign::Row => Sign::Row,
                Sign::Hole => Sign::Hole,
                _ => Sign::Free,
            };
            if places.next() != Some(kind.clone()) {
                return Err(wrong());
            }
            next += Cell::from(kind == Sign::Free);
        }
        match places.next() {
            Some(_) => Err(wrong()),
            None => Ok(CellPattern { cells }),
        }
    }

    /// What a drawing of the board consists of.
    fn places(&self) -> Vec<Sign> {
        let Shape::Grid { cols, at, .. } = &self.board.shape else {
            return vec![Sign::Free; self.board.cells];
        };
        let mut places = Vec::new();
        for (i, row) in at.chunks((*cols).max(1)).enumerate() {
            places.extend((i > 0).then_some(Sign::Row));
            let sign = |cell: &Option<Cell>| cell.map_or(Sign::Hole, |_| Sign::Free);
            places.extend(row.iter().map(sign));
        }
        places
    }

    /// Splits a text into signs, each with its column.
    fn signs(&self, text: &str) -> Result<Vec<(usize, Sign)>, PatternError> {
        let mut letters = text.chars().zip(1..).peekable();
        let mut signs = Vec::new();
        while let Some((letter, column)) = letters.next() {
            let sign = match letter {
                ' ' | '\t' => continue,
                '_' if letters.next_if(|&(next, _)| next == '*').is_some() => Sign::Stretch,
                '_' => Sign::Free,
                '|' => Sign::Edge,
                '/' => Sign::Row,
                '#' => Sign::Hole,
                '.' => Sign::Content(0),
                digit if self.board.counted && digit.is_ascii_digit() => {
                    let mut number = digit.to_string();
                    while let Some((digit, _)) = letters.next_if(|(c, _)| c.is_ascii_digit()) {
                        number.push(digit);
                    }
                    let count = number.parse().map_err(|_| self.unknown(column, &number))?;
                    Sign::Content(count)
                }
                letter => {
                    let symbols = &self.alphabet.symbols;
                    let found = symbols.iter().position(|&s| s == letter);
                    let found = found.filter(|_| !self.board.counted);
                    let symbol = found.ok_or_else(|| self.unknown(column, &letter.to_string()))?;
                    Sign::Content(symbol as Value)
                }
            };
            signs.push((column, sign));
        }
        Ok(signs)
    }

    fn unknown(&self, column: usize, found: &str) -> PatternError {
        let others = match Ends::of(self.board) {
            Some(Ends::Edges) => ", `_`, `_*`, or `|` at an end",
            Some(_) => ", `_` or `_*`",
            None => " or `_`",
        };
        PatternError::Unknown {
            column,
            found: found.to_owned(),
            expected: format!("{}{others}", self.contents()),
        }
    }

    /// What a cell may hold, in words.
    fn contents(&self) -> String {
        if self.board.counted {
            return "`.` and numbers".to_owned();
        }
        let symbols = self.alphabet.symbols.iter();
        symbols
            .map(|s| format!("`{s}`"))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn gap(&self) -> &'static str {
        if self.board.counted { " " } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alphabet() -> Alphabet {
        Alphabet {
            symbols: vec!['.', 'F', 'T'],
            names: ["empty", "frog", "toad"].map(str::to_owned).to_vec(),
            pictures: vec![None; 3],
        }
    }

    fn board(shape: Shape, cells: usize, counted: bool) -> Board {
        Board {
            shape,
            counted,
            cap: None,
            cells,
        }
    }

    fn grid() -> Board {
        let at = vec![Some(0), Some(1), None, Some(2)];
        let shape = Shape::Grid {
            rows: 2,
            cols: 2,
            at,
            wrap: false,
        };
        board(shape, 3, false)
    }

    /// Reads and writes a pattern.
    fn check(board: &Board, text: &str, compact: &str, spaced: &str) {
        let alphabet = alphabet();
        let notation = Notation::new(board, &alphabet);
        let pattern = notation.parse(text).expect("a pattern");
        assert_eq!(notation.compact(&pattern), compact);
        assert_eq!(notation.spaced(&pattern), spaced);
        assert_eq!(notation.parse(spaced), Ok(pattern));
    }

    fn wrong(board: &Board, text: &str, message: &str) {
        let alphabet = alphabet();
        let error = Notation::new(board, &alphabet).parse(text);
        assert_eq!(error.expect_err("no pattern").to_string(), message);
    }

    #[test]
    fn patterns_are_written_as_they_are_read() {
        let line = board(Shape::Line, 7, false);
        check(&line, "F T T _* .", "FTT_*.", "F T T _* .");
        check(&line, "|_FF", "|_FF", "| _ F F");
        check(&line, "T__*F|", "T__*F|", "T _ _* F |");
        check(&grid(), "_F / #_", "_F/#_", "_F/#_");
        let counts = board(Shape::Window { first: 0 }, 5, true);
        check(&counts, "2 . 13_", "2 . 13 _", "2 . 13 _");
        let graph = Shape::Graph {
            names: vec!["a".to_owned(), "b".to_owned()],
            neighbours: vec![vec![1], vec![0]],
        };
        check(&board(graph, 2, false), "_T", "_T", "_T");
    }

    #[test]
    fn pictures_are_drawn_like_the_board() {
        let alphabet = alphabet();
        let grid = grid();
        let notation = Notation::new(&grid, &alphabet);
        let pattern = notation.parse("_F/#T").expect("a pattern");
        let style = |unicode| Style { unicode };
        assert_eq!(notation.picture(&pattern, style(false)), ["_ F", "# T"]);
        assert_eq!(notation.picture(&pattern, style(true)), ["_ F", "  T"]);
    }

    #[test]
    fn what_is_no_pattern_is_named_with_its_place() {
        let line = board(Shape::Line, 7, false);
        wrong(
            &line,
            "FQ",
            "column 2: `Q` means nothing in a pattern; expected `.`, `F`, `T`, `_`, `_*`, or `|` at an end",
        );
        wrong(
            &line,
            "F/T",
            "column 2: `/` means nothing in a pattern; expected `.`, `F`, `T`, `_`, `_*`, or `|` at an end",
        );
        wrong(&line, "F|T", "column 2: the edge `|` stands first or last");
        for (text, column) in [
            ("_*F", 1),
            ("F_*", 2),
            ("F_*_*T", 4),
            ("|_*F", 2),
            ("F_*|", 4),
        ] {
            wrong(
                &line,
                text,
                &format!("column {column}: a stretch `_*` stands between two groups of cells"),
            );
        }
        wrong(
            &line,
            "",
            "the pattern fixes no cell; write at least one of `.`, `F`, `T`",
        );
        wrong(
            &line,
            "|__|",
            "the pattern fixes no cell; write at least one of `.`, `F`, `T`",
        );
        wrong(
            &line,
            "FFFF_*TTTT",
            "the pattern spans 8 cells, but the board has 7; shorten it, or take a larger board",
        );
        let ring = board(Shape::Ring, 7, false);
        wrong(
            &ring,
            "FT|",
            "column 3: this board has no edge, so leave `|` out",
        );
        let shape = "the pattern is not drawn like the board; expected `_` for each free cell, as in `__/#_`";
        for text in ["F", "_F_/#_", "_F/__", "_F/#_/", "_F#_"] {
            wrong(&grid(), text, shape);
        }
        wrong(
            &grid(),
            "F_*T",
            "column 2: a stretch `_*` needs a row; this board is none",
        );
        wrong(
            &board(Shape::Line, 7, true),
            "2 F",
            "column 3: `F` means nothing in a pattern; expected `.` and numbers, `_`, `_*`, or `|` at an end",
        );
    }
}
