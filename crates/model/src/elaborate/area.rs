//! The board and the positions on it: starts, and positions given as text.

use super::Scope;
use super::drawing::{Glyph, MAX_CELLS, Unit};
use super::layout::{Drawn, lay_out, place_in_span, place_in_window, read_rows};
use crate::board::{Board, Cell, Shape};
use crate::codes;
use crate::expr;
use crate::fault::{Code, Fault};
use crate::instance::{Position, Value};
use crate::syntax::{Atom, BoardKind, Content, Drawing, Expr, Graph, Span, Window};

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
        let drawing = crate::parse::parse_drawing(self.file, cells)?;
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
            Some(e) => Some(self.cap(e).map_err(|f| vec![f])?),
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
            match place(&board, drawn, codes::GOAL_SIZE, "the start") {
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

    /// The most that a counted cell may hold.
    fn cap(&self, e: &Expr) -> Result<Value, Fault> {
        let value = expr::big_integer(e, self.params)?;
        if value < 1.into() {
            return self.size(e, "the cap", 1).map(|cap| cap as Value);
        }
        let cap = Value::try_from(value).ok().filter(|&cap| cap <= MOST_CAP);
        cap.ok_or_else(|| {
            let message = format!("the cap is more than {MOST_CAP} (2^40)");
            self.blame(Fault::new(codes::TOO_LARGE, e.span, message), e)
                .help("write a smaller `cap`")
        })
    }

    /// The position that a text draws on a board.
    pub(super) fn position(&self, board: &Board, text: &str) -> Result<Position, Vec<Fault>> {
        let drawn = self.drawn(text)?;
        place(board, &drawn, codes::BAD_POSITION, "the position").map_err(|f| vec![f])
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
            Glyph::Count(v) if counted => Value::try_from(v).map(Some).map_err(|_| {
                let message = format!("a cell cannot hold {v}");
                Fault::new(codes::NEGATIVE_REPEAT, unit.span, message)
            }),
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
            BoardKind::Line => row(first, Shape::Line),
            BoardKind::Ring => row(first, Shape::Ring),
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

    fn grid(
        &self,
        first: &Drawn,
        size: Option<&(Expr, Expr)>,
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
        holed(&cells, rows, cols, wrap, first.span)
    }

    /// A window: all places from the first cell drawn in any start, less the spare cells on the
    /// left, to the last one and the spare cells on the right.
    fn window(&self, starts: &[Drawn], left: &Expr, right: &Expr) -> Result<(Shape, usize), Fault> {
        let spare_left = self.window_size(left, "the number of spare cells", 0)? as i64;
        let spare_right = self.window_size(right, "the number of spare cells", 0)? as i64;
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

    fn window_size(&self, e: &Expr, what: &str, least: i64) -> Result<usize, Fault> {
        self.size(e, what, least).map_err(|mut fault| {
            if fault.code == codes::NEGATIVE_REPEAT {
                fault.code = codes::BAD_WINDOW;
            }
            fault
        })
    }
}

/// No cell may hold more.
const MOST_CAP: Value = 1 << 40;

/// A drawing as a position on a board.
fn place(board: &Board, drawn: &Drawn, code: Code, what: &str) -> Result<Position, Fault> {
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

/// No place of an endless row is further from 0 than this; windows reach less far.
const FAR: i64 = 1 << 40;

/// A line or a ring, as long as the first start.
fn row(first: &Drawn, shape: Shape) -> Result<(Shape, usize), Fault> {
    match first.cells().len() {
        0 => Err(no_cells(first.span)),
        cells => Ok((shape, cells)),
    }
}

/// A grid with holes, perhaps wrapped round.
fn holed(
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
