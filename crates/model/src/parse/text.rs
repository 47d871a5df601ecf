//! Drawings, expressions and conditions that stand outside a file: on the command line.

use super::cursor::{Context, Cursor, Shape};
use super::drawings::Role;
use super::file::check_signs;
use super::lexer::{MOST_TOKENS, Token, tokens};
use super::names::Names;
use crate::codes::{BAD_POSITION, TOO_LARGE};
use crate::fault::Fault;
use crate::syntax::{BoardKind, Cond, Content, Drawing, Expr, PuzzleFile, Span};

/// Reads a position as `--start` and POSITION give it: rows joined by `/`, on counted boards
/// numbers with spaces between. Spans are places in `text`.
///
/// # Errors
/// A fault for every symbol that is not declared, and for what cannot stand in a position.
pub fn parse_drawing(file: &PuzzleFile, text: &str) -> Result<Drawing, Vec<Fault>> {
    let names = Names::of_file(file);
    let members: Vec<Vec<Content>> = Vec::new();
    let shape = match file.board.kind {
        BoardKind::Grid(_) | BoardKind::Torus(_) => Shape::Grid,
        BoardKind::Graph(_) => Shape::Graph,
        BoardKind::Line | BoardKind::Ring | BoardKind::Endless(_) => Shape::Row,
    };
    let ctx = Context {
        text,
        names: &names,
        shape,
        counted: file.board.counted,
        members: &members,
        moves: &[],
    };
    let tokens = whole(text);
    let mut faults = Vec::new();
    if check_signs(&ctx, &tokens, None, &mut faults) {
        return Err(faults);
    }
    if text.trim().is_empty() {
        let fault = Fault::new(
            BAD_POSITION,
            Span {
                start: 0,
                end: text.len(),
            },
            "an empty position",
        );
        return Err(vec![
            fault.help("write the cells one after the other, `.` for an empty one"),
        ]);
    }
    let mut cursor = Cursor::new(&ctx, &tokens, text.len());
    let result = cursor.drawing(Role::Start).and_then(|drawing| {
        cursor.finish("the next cell")?;
        Ok(drawing)
    });
    faults.append(&mut cursor.faults);
    match result {
        Ok(drawing) if faults.is_empty() => Ok(drawing),
        Ok(_) => Err(faults),
        Err(fault) => {
            faults.push(fault);
            Err(faults)
        }
    }
}

/// Reads an expression over any names.
///
/// # Errors
/// A fault where the text is no expression.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method is not general enough"
)]
pub fn parse_expr(text: &str) -> Result<Expr, Fault> {
    alone(text, "an operator or the end", |cursor| cursor.expression())
}

/// Reads a condition over any names.
///
/// # Errors
/// A fault where the text is no condition.
pub fn parse_condition(text: &str) -> Result<Cond, Fault> {
    alone(text, "`and`, `or` or the end", |cursor| {
        cursor.bare_condition()
    })
}

fn alone<T>(
    text: &str,
    wanted: &str,
    read: impl FnOnce(&mut Cursor<'_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let names = Names::default();
    let ctx = Context {
        text,
        names: &names,
        shape: Shape::Unknown,
        counted: false,
        members: &[],
        moves: &[],
    };
    let tokens = whole(text);
    if tokens.len() > MOST_TOKENS {
        return Err(Fault::new(
            TOO_LARGE,
            Span {
                start: 0,
                end: text.len(),
            },
            "a text of more than 2^21 words",
        ));
    }
    let mut faults = Vec::new();
    if check_signs(&ctx, &tokens, None, &mut faults) {
        return Err(faults.swap_remove(0));
    }
    let mut cursor = Cursor::new(&ctx, &tokens, text.len());
    let value = read(&mut cursor)?;
    cursor.finish(wanted)?;
    Ok(value)
}

fn whole(text: &str) -> Vec<Token> {
    tokens(
        text,
        Span {
            start: 0,
            end: text.len(),
        },
    )
}
