//! How drawings lie on boards of known size.

use crate::board::{Board, Shape};
use crate::codes;
use crate::fault::{Code, Fault};
use crate::instance::{Position, Value};
use crate::syntax::Span;

/// A drawing of contents, by rows; `None` is a hole.
pub(super) struct Drawn {
    /// On endless rows, the place of the first cell, if the text gave one.
    pub(super) place: Option<i64>,
    pub(super) rows: Vec<Vec<Option<Value>>>,
    /// Of the whole drawing.
    pub(super) span: Span,
}

impl Drawn {
    pub(super) fn cells(&self) -> Vec<Option<Value>> {
        self.rows.concat()
    }
}

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
pub(super) fn read_rows<T: Clone>(
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

pub(super) fn place_in_window(
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

pub(super) fn place_in_span(board: &Board, drawn: &Drawn, what: &str) -> Result<Position, Fault> {
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
