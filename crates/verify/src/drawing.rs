//! Positions in one line of text, as in every file.

use impasse_model::board::Shape;
use impasse_model::instance::{Instance, Position, Value};

use crate::field::is_endless;
use crate::moves::occupied;

/// A position in one line.
#[must_use]
pub fn one_line(instance: &Instance, position: &Position) -> String {
    match &instance.board.shape {
        Shape::Grid { cols, at, .. } => {
            let cell_text = |cell: &Option<u32>| match cell {
                Some(cell) => content_text(instance, position[*cell as usize]),
                None => "#".to_owned(),
            };
            let rows = at.chunks(*cols).map(|row| {
                row.iter()
                    .map(cell_text)
                    .collect::<Vec<_>>()
                    .join(separator(instance))
            });
            rows.collect::<Vec<_>>().join("/")
        }
        Shape::Window { .. } if occupied(position).is_empty() => ".@0".to_owned(),
        Shape::Span if occupied(position).is_empty() => ".".to_owned(),
        Shape::Window { first } => {
            let offset = position.iter().position(|&v| v != 0).unwrap_or(0) as i64;
            format!(
                "{}@{}",
                row_text(instance, occupied(position)),
                first + offset
            )
        }
        Shape::Span => row_text(instance, occupied(position)),
        _ => row_text(instance, position),
    }
}

fn row_text(instance: &Instance, row: &[Value]) -> String {
    row.iter()
        .map(|&v| content_text(instance, v))
        .collect::<Vec<_>>()
        .join(separator(instance))
}

fn separator(instance: &Instance) -> &'static str {
    if instance.board.counted { " " } else { "" }
}

fn content_text(instance: &Instance, content: Value) -> String {
    match content {
        0 if instance.board.counted => ".".to_owned(),
        _ if instance.board.counted => content.to_string(),
        _ => instance.alphabet.symbols[content as usize].to_string(),
    }
}

/// Reads what [`one_line`] writes; `None` if the text is no position of this board.
///
/// Blanks between the cells of uncounted boards are skipped, and `.` and `0` both mean none.
#[must_use]
pub fn read(instance: &Instance, text: &str) -> Option<Position> {
    let board = &instance.board;
    if !is_endless(board) {
        let cells = contents(instance, text)?;
        return is_board_shaped(&board.shape, &cells)
            .then(|| {
                cells
                    .into_iter()
                    .filter_map(|c| match c {
                        Mark::Content(value) => Some(value),
                        Mark::Wall | Mark::Row => None,
                    })
                    .collect::<Position>()
            })
            .filter(|position| position.len() == board.cells);
    }
    let (row, place) = match board.shape {
        Shape::Window { first } => {
            let (row, place) = text.rsplit_once('@')?;
            (row, place.trim().parse::<i64>().ok()?.checked_sub(first)?)
        }
        _ => (text, 0),
    };
    let mut position = vec![0; board.cells];
    for (offset, mark) in contents(instance, row)?.into_iter().enumerate() {
        let Mark::Content(value) = mark else {
            return None;
        };
        let cell = usize::try_from(place + offset as i64).ok()?;
        *position.get_mut(cell)? = value;
    }
    Some(position)
}

/// What may be written in a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Content(Value),
    Wall,
    Row,
}

fn contents(instance: &Instance, text: &str) -> Option<Vec<Mark>> {
    if instance.board.counted {
        let spaced = text.replace('/', " / ");
        return spaced.split_whitespace().map(count_mark).collect();
    }
    let symbols = &instance.alphabet.symbols;
    let mark = |sign: char| match sign {
        '#' => Some(Mark::Wall),
        '/' => Some(Mark::Row),
        _ => symbols
            .iter()
            .position(|&s| s == sign)
            .map(|i| Mark::Content(i as Value)),
    };
    text.chars().filter(|c| *c != ' ').map(mark).collect()
}

fn count_mark(word: &str) -> Option<Mark> {
    match word {
        "." => Some(Mark::Content(0)),
        "#" => Some(Mark::Wall),
        "/" => Some(Mark::Row),
        number => number.parse().ok().map(Mark::Content),
    }
}

/// Holes and row ends must lie where the board has them.
fn is_board_shaped(shape: &Shape, marks: &[Mark]) -> bool {
    let Shape::Grid { rows, cols, at, .. } = shape else {
        return marks.iter().all(|m| matches!(m, Mark::Content(_)));
    };
    let lines: Vec<&[Mark]> = marks.split(|m| *m == Mark::Row).collect();
    let is_hole = |row: usize, col: usize| at[row * cols + col].is_none();
    lines.len() == *rows
        && lines.iter().enumerate().all(|(row, line)| {
            line.len() == *cols
                && line
                    .iter()
                    .enumerate()
                    .all(|(c, m)| (*m == Mark::Wall) == is_hole(row, c))
        })
}
