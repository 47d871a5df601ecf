//! The board and the positions on it: starts, and positions given as text.

use super::Scope;
use super::drawing::{Glyph, MAX_CELLS, Unit};
use crate::board::{Board, Cell, Shape};
use crate::codes;
use crate::fault::{Code, Fault};
use crate::instance::{Position, Value};
use crate::syntax::{Atom, BoardKind, Content, Drawing, Graph, Span, Window};

/// A drawing of contents, by rows; `None` is a hole.
pub(super) struct Drawn {
    /// On endless rows, the place of the first cell, if the text gave one.
    place: Option<i64>,
    rows: Vec<Vec<Option<Value>>>,
    /// Of the whole drawing.
    span: Span,
}

impl Drawn {
    fn cells(&self) -> Vec<Option<Value>> {
        self.rows.concat()
    }
}

impl Scope<'_> {
    /// The `start` items, drawn.
    pub(super) fn starts(&self) -> Result<Vec<Drawn>, Vec<Fault>> {
        let mut faults = Vec::new();
        let drawn = self
            .file
            .starts
            .iter()
            .filter_map(|drawing| self.draw(drawing).map_err(|fault| faults.push(fault)).ok());
        let drawn: Vec<Drawn> = drawn.collect();
        if faults.is_empty() {
            Ok(drawn)
        } else {
            Err(faults)
        }
    }

    /// A position given as text, with `@` and a place if it has one.
    pub(super) fn drawn(&self, text: &str) -> Result<Drawn, Vec<Fault>> {
        // No symbol may be `@`, so the last one begins the place.
        let (cells, place) = match text.rsplit_once('@') {
            None => (text, None),
            Some((cells, place)) => {
                let span = Span {
                    start: cells.len(),
                    end: text.len(),
                };
                if !matches!(self.file.board.kind, BoardKind::Endless(Window::Spare(..))) {
                    let message =
                        "only positions on an endless row with `spare` cells have a place";
                    let fault = Fault::new(codes::BAD_POSITION, span, message);
                    return Err(vec![fault.help(format!("write `{}`", cells.trim()))]);
                }
                let place = place.trim().parse::<i64>().ok().filter(|p| p.abs() < FAR);
                let place = place.ok_or_else(|| {
                    let message = "`@` is followed by the number of the first cell drawn";
                    let fault = Fault::new(codes::BAD_POSITION, span, message);
                    vec![fault.help("such as `AB.AB@-2`")]
                })?;
                (cells, Some(place))
            }
        };
        let drawing = parse_drawing(self.file, cells)?;
        let scope = Scope {
            text: cells,
            in_file: false,
            ..*self
        };
        let drawn = scope.draw(&drawing).map_err(|fault| vec![fault])?;
        Ok(Drawn { place, ..drawn })
    }

    /// The board that the starts call for, and the starts on it, sorted, each once.
    pub(super) fn board(&self, starts: &[Drawn]) -> Result<(Board, Vec<Position>), Vec<Fault>> {
        let item = &self.file.board;
        let cap = match &item.cap {
            None => None,
            Some(e) => Some(self.size(e, "the cap", 1).map_err(|f| vec![f])? as Value),
        };
        let (shape, cells) = self.shape(starts).map_err(|f| vec![f])?;
        let board = Board {
            shape,
            counted: item.counted,
            cap,
            cells,
        };
        let mut faults = Vec::new();
        let mut positions = Vec::new();
        for drawn in starts {
            match self.place(&board, drawn, codes::GOAL_SIZE, "the start") {
                Ok(position) => positions.push(position),
                Err(fault) => faults.push(fault),
            }
        }
        positions.sort();
        positions.dedup();
        if faults.is_empty() {
            Ok((board, positions))
        } else {
            Err(faults)
        }
    }

    /// The position that a text draws on a board.
    pub(super) fn position(&self, board: &Board, text: &str) -> Result<Position, Vec<Fault>> {
        let drawn = self.drawn(text)?;
        self.place(board, &drawn, codes::BAD_POSITION, "the position")
            .map_err(|f| vec![f])
    }

    /// The contents that a drawing of a start or a position names; only cell contents and holes.
    fn draw(&self, drawing: &Drawing) -> Result<Drawn, Fault> {
        let rows = self
            .write_out(&drawing.rows)
            .map_err(super::drawing::Unwritable::fault)?;
        let rows = rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|unit| self.mark(unit))
                    .collect::<Result<Vec<_>, _>>()
            })
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Drawn {
            place: None,
            rows,
            span: drawing.span,
        })
    }

    fn mark(&self, unit: &Unit<'_>) -> Result<Option<Value>, Fault> {
        let counted = self.file.board.counted;
        match unit.glyph {
            Glyph::Atom(Atom::Is(Content::NoCell)) | Glyph::Member(Content::NoCell) => Ok(None),
            Glyph::Atom(&Atom::Is(Content::Symbol(s))) | Glyph::Member(Content::Symbol(s))
                if !counted || s == 0 =>
            {
                Ok(Some(Value::from(s)))
            }
            Glyph::Count(v) if counted => match Value::try_from(v) {
                Ok(v) => Ok(Some(v)),
                Err(_) => {
                    let message = format!("a cell cannot hold {v}");
                    Err(Fault::new(codes::NEGATIVE_REPEAT, unit.span, message))
                }
            },
            _ => {
                let what = if counted {
                    "numbers, `.` and `#`"
                } else {
                    "symbols, `.` and `#`"
                };
                let message = format!("`{}` stands for no single position", self.source(unit.span));
                Err(Fault::new(codes::WRONG_PLACE, unit.span, message)
                    .help(format!("a start or a position is drawn with {what} only")))
            }
        }
    }

    /// The shape of the board and its number of cells.
    fn shape(&self, starts: &[Drawn]) -> Result<(Shape, usize), Fault> {
        let first = &starts[0];
        match &self.file.board.kind {
            BoardKind::Line => self.row(first, Shape::Line, false),
            BoardKind::Ring => self.row(first, Shape::Ring, true),
            BoardKind::Grid(size) => self.grid(first, size.as_ref(), false),
            BoardKind::Torus(size) => self.grid(first, size.as_ref(), true),
            BoardKind::Graph(graph) => Ok((graph_shape(graph), graph.names.len())),
            BoardKind::Endless(Window::Spare(left, right)) => self.window(starts, left, right),
            BoardKind::Endless(Window::Span(span)) => {
                let cells = self.window_size(span, "the span", 1)?;
                Ok((Shape::Span, cells))
            }
        }
    }

    /// A line or a ring; with holes it is a grid of one row, which lies the same way.
    fn row(&self, first: &Drawn, shape: Shape, wrap: bool) -> Result<(Shape, usize), Fault> {
        let cells = first.cells();
        if cells.contains(&None) {
            return self.holed(&cells, 1, cells.len(), wrap, first.span);
        }
        if cells.is_empty() {
            Err(no_cells(first.span))
        } else {
            Ok((shape, cells.len()))
        }
    }

    fn grid(
        &self,
        first: &Drawn,
        size: Option<&(crate::syntax::Expr, crate::syntax::Expr)>,
        wrap: bool,
    ) -> Result<(Shape, usize), Fault> {
        let (rows, cols) = match size {
            Some((rows, cols)) => {
                let rows = self.size(rows, "the number of rows", 1)?;
                let cols = self.size(cols, "the number of columns", 1)?;
                (rows, cols)
            }
            None => (first.rows.len(), first.rows.first().map_or(0, Vec::len)),
        };
        if rows * cols > MAX_CELLS {
            let message = format!("{rows} rows of {cols} are more than {MAX_CELLS} cells (2^20)");
            let fault = Fault::new(codes::TOO_LARGE, self.file.board.span, message);
            return Err(match size {
                Some((rows, _)) => self.blame(fault, rows),
                None => fault,
            });
        }
        let cells = read_rows(
            &first.rows,
            rows,
            cols,
            first.span,
            codes::GOAL_SIZE,
            "the start",
        )?;
        self.holed(&cells, rows, cols, wrap, first.span)
    }

    #[allow(clippy::unused_self)]
    fn holed(
        &self,
        cells: &[Option<Value>],
        rows: usize,
        cols: usize,
        wrap: bool,
        span: Span,
    ) -> Result<(Shape, usize), Fault> {
        let mut count = 0;
        let at = cells
            .iter()
            .map(|cell| {
                cell.map(|_| {
                    count += 1;
                    count as Cell - 1
                })
            })
            .collect();
        if count == 0 {
            return Err(no_cells(span));
        }
        Ok((
            Shape::Grid {
                rows,
                cols,
                at,
                wrap,
            },
            count,
        ))
    }

    /// A window: all places from the first cell drawn in any start, less the spare cells on the
    /// left, to the last one and the spare cells on the right.
    fn window(
        &self,
        starts: &[Drawn],
        left: &crate::syntax::Expr,
        right: &crate::syntax::Expr,
    ) -> Result<(Shape, usize), Fault> {
        let spare_left = self.window_size(left, "the spare room", 0)? as i64;
        let spare_right = self.window_size(right, "the spare room", 0)? as i64;
        let place = |d: &Drawn| d.place.unwrap_or(0);
        let end = |d: &Drawn| place(d) + d.cells().len() as i64;
        let first = starts.iter().map(place).min().unwrap_or(0) - spare_left;
        let last = starts.iter().map(end).max().unwrap_or(0) + spare_right;
        let cells = (last - first) as usize;
        if cells > MAX_CELLS {
            let message = format!("a window of {cells} cells, more than {MAX_CELLS} (2^20)");
            let fault = Fault::new(codes::TOO_LARGE, self.file.board.span, message);
            return Err(self.blame(fault, left));
        }
        if cells == 0 {
            Err(no_cells(starts[0].span))
        } else {
            Ok((Shape::Window { first }, cells))
        }
    }

    fn window_size(&self, e: &crate::syntax::Expr, what: &str, least: i64) -> Result<usize, Fault> {
        self.size(e, what, least).map_err(|mut fault| {
            if fault.code == codes::NEGATIVE_REPEAT {
                fault.code = codes::BAD_WINDOW;
            }
            fault
        })
    }

    /// A drawing as a position on a board.
    fn place(
        &self,
        board: &Board,
        drawn: &Drawn,
        code: Code,
        what: &str,
    ) -> Result<Position, Fault> {
        let position = match board.shape {
            Shape::Window { first } => place_in_window(board, first, drawn, what)?,
            Shape::Span => place_in_span(board, drawn, what)?,
            _ => {
                let fits = |cell: &Option<Value>, is_cell: bool| cell.is_some() == is_cell;
                let cells = lay_out(board, &drawn.rows, drawn.span, code, what, fits)?;
                cells.into_iter().flatten().collect()
            }
        };
        match (board.cap, position.iter().max()) {
            (Some(cap), Some(&most)) if most > cap => {
                let message = format!("{what} has a cell that holds {most}, above the cap {cap}");
                Err(Fault::new(codes::BAD_POSITION, drawn.span, message))
            }
            _ => Ok(position),
        }
    }
}

/// No place of an endless row is further from 0 than this; windows reach less far.
const FAR: i64 = 1 << 40;

/// The items of a drawing that cover the cells of a bounded board, in board order.
///
/// `fits` says whether an item may lie on a cell (`true`) or on a hole (`false`).
pub(super) fn lay_out<T: Clone>(
    board: &Board,
    rows: &[Vec<T>],
    span: Span,
    code: Code,
    what: &str,
    fits: impl Fn(&T, bool) -> bool,
) -> Result<Vec<T>, Fault> {
    let Shape::Grid {
        rows: height,
        cols,
        at,
        ..
    } = &board.shape
    else {
        let items = rows.concat();
        if items.len() != board.cells {
            let (drawn, cells) = (items.len(), board.cells);
            let message = format!("{what} has {} but the board has {cells}", cells_word(drawn));
            return Err(Fault::new(code, span, message));
        }
        return match items.iter().position(|item| !fits(item, true)) {
            None => Ok(items),
            Some(i) => Err(Fault::new(code, span, misfit(what, true, 0, i, 1))),
        };
    };
    let items = read_rows(rows, *height, *cols, span, code, what)?;
    for (i, (item, cell)) in items.iter().zip(at).enumerate() {
        if !fits(item, cell.is_some()) {
            let message = misfit(what, cell.is_some(), i / cols, i % cols, *height);
            return Err(Fault::new(code, span, message));
        }
    }
    let on_cells = items.into_iter().zip(at).filter(|(_, cell)| cell.is_some());
    Ok(on_cells.map(|(item, _)| item).collect())
}

fn misfit(what: &str, is_cell: bool, row: usize, column: usize, rows: usize) -> String {
    let place = if rows == 1 {
        format!("place {}", column + 1)
    } else {
        format!("row {}, column {}", row + 1, column + 1)
    };
    if is_cell {
        format!("{what} has a `#` at {place}, where the board has a cell")
    } else {
        format!("{what} has a cell at {place}, where the board has a hole `#`")
    }
}

/// Reads the rows of a grid of known size: row for row, or everything row by row.
///
/// Several rows of one length but another shape are a mistake even if the cells come out right: a
/// grid drawn on its side. Rows of several lengths are taken as one text, broken anywhere.
fn read_rows<T: Clone>(
    rows: &[Vec<T>],
    height: usize,
    cols: usize,
    span: Span,
    code: Code,
    what: &str,
) -> Result<Vec<T>, Fault> {
    let items = rows.concat();
    let lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
    let ragged = lengths.iter().any(|&l| l != lengths[0]);
    let as_drawn = rows.len() == height && lengths.iter().all(|&l| l == cols);
    if as_drawn || (items.len() == height * cols && (rows.len() == 1 || ragged)) {
        return Ok(items);
    }
    if rows.len() == 1 {
        let message = format!(
            "{what} has {} but the board has {height} rows of {cols}",
            cells_word(items.len())
        );
        return Err(Fault::new(code, span, message));
    }
    if ragged {
        let odd = lengths.iter().position(|&l| l != cols).unwrap_or(0);
        let message = format!(
            "the rows of {what} have different lengths: row {} has {} but the board has {cols} a row",
            odd + 1,
            cells_word(lengths[odd])
        );
        return Err(Fault::new(codes::RAGGED_GRID, span, message)
            .help("draw a hole as `#` and an empty cell as `.`"));
    }
    let message = format!(
        "{what} has {} rows of {} but the board has {height} rows of {cols}",
        rows.len(),
        lengths[0]
    );
    Err(Fault::new(code, span, message))
}

fn cells_word(count: usize) -> String {
    if count == 1 {
        "1 cell,".to_owned()
    } else {
        format!("{count} cells,")
    }
}

fn no_cells(span: Span) -> Fault {
    Fault::new(codes::GOAL_SIZE, span, "the board has no cells")
        .help("a start draws at least one cell; an empty one is `.`")
}

fn graph_shape(graph: &Graph) -> Shape {
    let mut neighbours = vec![Vec::new(); graph.names.len()];
    for &(a, b) in &graph.edges {
        neighbours[a as usize].push(b);
        neighbours[b as usize].push(a);
    }
    for list in &mut neighbours {
        list.sort_unstable();
    }
    Shape::Graph {
        names: graph.names.clone(),
        neighbours,
    }
}

/// The cells of an endless row; there is no `#` on it.
fn endless(drawn: &Drawn, what: &str) -> Result<Vec<Value>, Fault> {
    let cells: Option<Vec<Value>> = drawn.cells().into_iter().collect();
    cells.ok_or_else(|| {
        let message = format!("{what} has a `#`, but an endless row has no holes and no edge");
        Fault::new(codes::WRONG_PLACE, drawn.span, message)
    })
}

/// The place of the first occupied cell in a list, and the occupied stretch.
fn occupied(cells: &[Value]) -> (usize, &[Value]) {
    match cells.iter().position(|&v| v != 0) {
        None => (0, &[]),
        Some(first) => {
            let last = cells.iter().rposition(|&v| v != 0).unwrap_or(first);
            (first, &cells[first..=last])
        }
    }
}

fn place_in_window(
    board: &Board,
    first: i64,
    drawn: &Drawn,
    what: &str,
) -> Result<Position, Fault> {
    let cells = endless(drawn, what)?;
    let (skip, stretch) = occupied(&cells);
    let mut position = vec![0; board.cells];
    if stretch.is_empty() {
        return Ok(position);
    }
    let offset = drawn.place.unwrap_or(0) + skip as i64 - first;
    let room = usize::try_from(offset)
        .ok()
        .filter(|at| at + stretch.len() <= board.cells);
    let Some(at) = room else {
        let (last, end) = (
            first + board.cells as i64 - 1,
            offset + first + stretch.len() as i64 - 1,
        );
        let message = format!(
            "{what} reaches from place {} to {end}, but the window from {first} to {last}",
            offset + first
        );
        return Err(Fault::new(codes::BAD_POSITION, drawn.span, message)
            .help("give the board more `spare` cells"));
    };
    position[at..at + stretch.len()].copy_from_slice(stretch);
    Ok(position)
}

fn place_in_span(board: &Board, drawn: &Drawn, what: &str) -> Result<Position, Fault> {
    let cells = endless(drawn, what)?;
    let (_, stretch) = occupied(&cells);
    if stretch.len() > board.cells {
        let message = format!(
            "{what} spans {} cells, more than the span of {}",
            stretch.len(),
            board.cells
        );
        return Err(Fault::new(codes::BAD_WINDOW, drawn.span, message)
            .help(format!("write `span {}` or more", stretch.len())));
    }
    let mut position = stretch.to_vec();
    position.resize(board.cells, 0);
    Ok(position)
}

// Until the parser stands: symbols only.
fn parse_drawing(file: &crate::syntax::PuzzleFile, text: &str) -> Result<Drawing, Vec<Fault>> {
    let mut rows = vec![Vec::new()];
    for (i, c) in text.char_indices() {
        let span = Span {
            start: i,
            end: i + c.len_utf8(),
        };
        let atom = match c {
            ' ' => continue,
            '/' => {
                rows.push(Vec::new());
                continue;
            }
            '.' => Atom::Is(Content::Symbol(0)),
            '#' => Atom::Is(Content::NoCell),
            c => match file.pieces.iter().position(|p| p.symbol == c) {
                Some(s) => Atom::Is(Content::Symbol(s as u8 + 1)),
                None => {
                    return Err(vec![Fault::new(
                        codes::UNDECLARED,
                        span,
                        "an unknown symbol",
                    )]);
                }
            },
        };
        let row = rows.last_mut().expect("there is a row");
        row.push(crate::syntax::Term {
            atom,
            repeat: None,
            span,
        });
    }
    Ok(Drawing {
        rows,
        span: Span {
            start: 0,
            end: text.len(),
        },
    })
}
