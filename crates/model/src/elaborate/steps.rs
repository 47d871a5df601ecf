//! Along which steps a pattern is laid.

use super::Scope;
use crate::codes;
use crate::fault::Fault;
use crate::instance::Steps;
use crate::params::ParamValue;
use crate::syntax::{BoardKind, Span, StepWord};

/// The shape of a pattern, as far as steps depend on it.
#[derive(Clone, Copy)]
pub(super) enum PatternShape {
    /// One cell, or none.
    Cell,
    /// One row that may cover several cells.
    Row,
    /// Several rows.
    Rows,
}

const ORTHOGONAL: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (-1, -1), (1, -1), (-1, 1)];
const KNIGHT: [(i32, i32); 8] = [
    (2, 1),
    (-2, -1),
    (2, -1),
    (-2, 1),
    (1, 2),
    (-1, -2),
    (1, -2),
    (-1, 2),
];

impl Scope<'_> {
    /// What the words after `along` mean on this board; each vector once, in this order: `both` is
    /// right, left; `orthogonal` right, left, down, up; `diagonal` the four diagonals, `king`
    /// those eight, `knight` the eight leaps, opposite ones next to each other.
    pub(super) fn steps(
        &self,
        words: &[StepWord],
        shape: PatternShape,
        span: Span,
    ) -> Result<Steps, Fault> {
        let steps = self.spoken(words, span)?;
        let board = &self.file.board.kind;
        let default = match (board, shape) {
            (
                BoardKind::Graph(_) | BoardKind::Line | BoardKind::Ring | BoardKind::Endless(_),
                PatternShape::Rows,
            ) => {
                return Err(
                    bad_steps(span, "a pattern of several rows, but the board is no grid")
                        .help("`/` starts a new row; leave it out, or use `board grid`"),
                );
            }
            (BoardKind::Graph(_), _) => Steps::Edges,
            (_, PatternShape::Rows) => Steps::Drawn,
            (BoardKind::Grid(_) | BoardKind::Torus(_), PatternShape::Row) if steps.is_none() => {
                return Err(
                    bad_steps(span, "a row of cells on a grid must say along which steps")
                        .help("add `along right`, `along orthogonal`, `along knight`, ..."),
                );
            }
            _ => Steps::Vectors(vec![(1, 0)]),
        };
        let Some(steps) = steps else {
            return Ok(default);
        };
        match (board, steps) {
            (BoardKind::Graph(_), Steps::Edges) => Ok(Steps::Edges),
            (BoardKind::Graph(_), _) => Err(bad_steps(span, "a graph has no steps but `edges`")),
            (_, Steps::Vectors(vectors)) => {
                let row = !matches!(board, BoardKind::Grid(_) | BoardKind::Torus(_));
                if row && vectors.iter().any(|&(_, dy)| dy != 0) {
                    let message = "the board is one row: it has no steps up, down or aslant";
                    return Err(bad_steps(span, message)
                        .help("use `right`, `left` or `both`, or `board grid`"));
                }
                // As drawn, that is what `along right` says too.
                if matches!(shape, PatternShape::Rows) && vectors != [(1, 0)] {
                    let message =
                        "a pattern of several rows is laid as drawn, along no other steps";
                    return Err(bad_steps(span, message).help("leave out `along`"));
                }
                Ok(if matches!(shape, PatternShape::Rows) {
                    Steps::Drawn
                } else {
                    Steps::Vectors(vectors)
                })
            }
            _ => Err(bad_steps(span, "only a graph has `edges`")
                .help("use `right`, `both`, `orthogonal`, ...")),
        }
    }

    /// The words put together; `None` if there are none.
    fn spoken(&self, words: &[StepWord], span: Span) -> Result<Option<Steps>, Fault> {
        let mut vectors = Vec::new();
        let mut edges = false;
        for word in words {
            let meant = match word {
                StepWord::Param(name) => self.chosen(name, span)?,
                word => word.clone(),
            };
            match meant {
                StepWord::Edges => edges = true,
                word => add(&mut vectors, &word),
            }
        }
        match (edges, vectors.is_empty()) {
            (true, true) => Ok(Some(Steps::Edges)),
            (true, false) => Err(bad_steps(span, "`edges` and other steps on one board")),
            (false, true) => Ok(None),
            (false, false) if vectors.contains(&(0, 0)) => {
                Err(bad_steps(span, "the step (0,0) leads nowhere"))
            }
            (false, false) => Ok(Some(Steps::Vectors(vectors))),
        }
    }

    fn chosen(&self, name: &str, span: Span) -> Result<StepWord, Fault> {
        let value = match self.params.get(name) {
            Some(ParamValue::Choice(value)) => value.as_str(),
            _ => "",
        };
        Ok(match value {
            "right" => StepWord::Right,
            "left" => StepWord::Left,
            "up" => StepWord::Up,
            "down" => StepWord::Down,
            "both" => StepWord::Both,
            "orthogonal" => StepWord::Orthogonal,
            "diagonal" => StepWord::Diagonal,
            "king" => StepWord::King,
            "knight" => StepWord::Knight,
            "edges" => StepWord::Edges,
            _ => {
                let message = format!("`{name}` is `{value}`, and that is no step");
                return Err(bad_steps(span, &message).help(
                    "a parameter after `along` is a choice of words such as `right / both`",
                ));
            }
        })
    }
}

/// The opposite steps.
pub(super) fn opposite(steps: &Steps) -> Steps {
    match steps {
        Steps::Vectors(vectors) => {
            Steps::Vectors(vectors.iter().map(|&(dx, dy)| (-dx, -dy)).collect())
        }
        other => other.clone(),
    }
}

fn add(vectors: &mut Vec<(i32, i32)>, word: &StepWord) {
    let more: &[(i32, i32)] = match word {
        StepWord::Right => &[(1, 0)],
        StepWord::Left => &[(-1, 0)],
        StepWord::Up => &[(0, -1)],
        StepWord::Down => &[(0, 1)],
        StepWord::Both => &ORTHOGONAL[..2],
        StepWord::Orthogonal => &ORTHOGONAL,
        StepWord::Diagonal => &DIAGONAL,
        StepWord::King => {
            add(vectors, &StepWord::Orthogonal);
            &DIAGONAL
        }
        StepWord::Knight => &KNIGHT,
        StepWord::Vector(dx, dy) => &[(*dx, *dy)],
        StepWord::Edges | StepWord::Param(_) => &[],
    };
    for &vector in more {
        if !vectors.contains(&vector) {
            vectors.push(vector);
        }
    }
}

fn bad_steps(span: Span, message: &str) -> Fault {
    Fault::new(codes::BAD_STEPS, span, message)
}
