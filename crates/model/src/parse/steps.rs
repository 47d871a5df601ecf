//! What stands after `along`.

use super::cursor::{Cursor, Shape, shorten};
use super::lexer::Kind;
use super::names::{Meaning, STEP_WORDS};
use crate::codes::{BAD_STEPS, WRONG_PLACE};
use crate::fault::Fault;
use crate::syntax::{Atom, Drawing, Span, StepWord};

impl Cursor<'_> {
    /// What stands after `along`.
    pub(super) fn steps(&mut self) -> Result<Vec<StepWord>, Fault> {
        let mut steps = Vec::new();
        while let Some(token) = self.peek() {
            let step = match token.kind {
                Kind::Word if self.is_reserved() => break,
                Kind::Word => {
                    self.next();
                    self.step_word(token.span)
                }
                Kind::Sign("(") => Some(self.vector()?),
                _ => break,
            };
            if let Some(step) = step {
                self.check_step(&step, self.since(token.span.start));
                steps.push(step);
            } else {
                // A fault is noted; this keeps `along` from looking forgotten.
                steps.push(StepWord::Edges);
            }
        }
        if steps.is_empty() {
            let fault = self.unexpected("steps");
            return Err(fault.help(format!(
                "write some of {}, or vectors `(dx,dy)`",
                STEP_WORDS.join(" ")
            )));
        }
        Ok(steps)
    }

    fn step_word(&mut self, span: Span) -> Option<StepWord> {
        let word = self.text(span);
        if let Some(step) = step_named(word) {
            return Some(step);
        }
        let fault = match self.meaning(word) {
            Some(Meaning::Unknown) => return Some(StepWord::Param(word.to_owned())),
            Some(Meaning::Choice(number)) => {
                let values = &self.ctx.names.choices[number].1;
                let Some(value) = values.iter().find(|v| step_named(v).is_none()) else {
                    return Some(StepWord::Param(word.to_owned()));
                };
                Fault::new(
                    BAD_STEPS,
                    span,
                    format!("`{word}` may be `{value}`, which is no step word"),
                )
                .help(format!("the values must be among {}", STEP_WORDS.join(" ")))
            }
            Some(_) => Fault::new(
                BAD_STEPS,
                span,
                format!("`{word}` is no choice of step words"),
            )
            .help(format!("write some of {}", STEP_WORDS.join(" "))),
            None => {
                let fault = Fault::new(BAD_STEPS, span, format!("`{}` is no step", shorten(word)));
                match super::suggest::nearest(word, STEP_WORDS) {
                    Some(near) => fault.help(format!("did you mean `{near}`?")),
                    None => fault.help(format!("write some of {}", STEP_WORDS.join(" "))),
                }
            }
        };
        self.report(word, fault);
        None
    }

    /// `(dx,dy)`.
    fn vector(&mut self) -> Result<StepWord, Fault> {
        let start = self.here().start;
        self.next();
        let dx = self.coordinate()?;
        self.expect(",")
            .map_err(|f| f.help("write a vector as `(1,-2)`"))?;
        let dy = self.coordinate()?;
        self.expect(")")?;
        if (dx, dy) == (0, 0) {
            self.note(
                Fault::new(
                    BAD_STEPS,
                    self.since(start),
                    "the vector (0,0) leads nowhere",
                )
                .help("write for example `(1,0)`"),
            );
        }
        Ok(StepWord::Vector(dx, dy))
    }

    fn coordinate(&mut self) -> Result<i32, Fault> {
        const FARTHEST: i32 = 1 << 20;
        let start = self.here().start;
        let negative = self.take("-");
        if !self.peek().is_some_and(|t| t.kind == Kind::Number) {
            return Err(self
                .unexpected("a number")
                .help("write a vector as `(1,-2)`"));
        }
        let value = self
            .text(self.here())
            .parse()
            .ok()
            .filter(|&v: &i32| v <= FARTHEST);
        self.next();
        let Some(value) = value else {
            return Err(
                Fault::new(BAD_STEPS, self.since(start), "a step longer than any board")
                    .help("boards have at most 2^20 cells"),
            );
        };
        Ok(if negative { -value } else { value })
    }

    /// Notes a step the board does not have.
    fn check_step(&mut self, step: &StepWord, span: Span) {
        let lacks = |step: &StepWord| !has_step(self.ctx.shape, step);
        let lacking = match step {
            StepWord::Param(name) => match self.meaning(name) {
                Some(Meaning::Choice(number)) => self.ctx.names.choices[number]
                    .1
                    .iter()
                    .find(|v| step_named(v).is_some_and(|s| lacks(&s)))
                    .cloned(),
                _ => None,
            },
            step => lacks(step).then(|| self.text(span).to_owned()),
        };
        let Some(word) = lacking else { return };
        let (board, steps) = match self.ctx.shape {
            Shape::Graph => ("a graph", "edges"),
            Shape::Grid => (
                "a grid",
                "right left up down both orthogonal diagonal king knight, or (dx,dy)",
            ),
            Shape::Row | Shape::Unknown => ("a row", "right left both, or (dx,0)"),
        };
        self.note(
            Fault::new(
                BAD_STEPS,
                span,
                format!("{board} does not have the step `{word}`"),
            )
            .help(format!("{board} has: {steps}")),
        );
    }

    /// Notes steps that are missing, or that a pattern of several rows cannot have.
    pub(super) fn check_along(&mut self, pattern: &Drawing, along: &[StepWord], place: Span) {
        if self.ctx.shape != Shape::Grid {
            return;
        }
        let several_cells = pattern.rows[0].len() > 1
            || pattern.rows[0].iter().any(|t| {
                t.repeat.is_some()
                    || matches!(
                        t.atom,
                        Atom::Stretch { .. }
                            | Atom::Group(_)
                            | Atom::Members { .. }
                            | Atom::Shortest
                    )
            });
        let stretches = matches!(&pattern.rows[0][0].atom, Atom::Capture(_, inner) if matches!(**inner, Atom::Stretch { .. }));
        match (pattern.rows.len(), along.is_empty()) {
            (1, true) if several_cells || stretches => {
                self.note(
                    Fault::new(
                        BAD_STEPS,
                        pattern.span,
                        "on a grid a pattern of one row must say along which steps it is laid",
                    )
                    .help("add for example `along orthogonal`"),
                );
            }
            (2.., false) => {
                let span = Span {
                    start: place.start,
                    end: self.since(place.start).end,
                };
                self.note(
                    Fault::new(
                        BAD_STEPS,
                        span,
                        "a pattern of several rows is laid as drawn",
                    )
                    .help("leave out `along`; write a move for every way it may lie"),
                );
            }
            _ => {}
        }
    }

    /// Notes stretches in a pattern of several rows.
    pub(super) fn check_rows(&mut self, pattern: &Drawing) {
        if pattern.rows.len() < 2 {
            return;
        }
        for term in pattern.rows.iter().flatten() {
            let inner = match &term.atom {
                Atom::Capture(_, inner) => inner,
                atom => atom,
            };
            if matches!(inner, Atom::Stretch { .. } | Atom::Shortest) {
                self.note(
                    Fault::new(
                        WRONG_PLACE,
                        term.span,
                        "a pattern of several rows has no stretches",
                    )
                    .help("write every cell"),
                );
            }
        }
    }
}

/// The step a word names.
fn step_named(word: &str) -> Option<StepWord> {
    Some(match word {
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
        _ => return None,
    })
}

fn has_step(shape: Shape, step: &StepWord) -> bool {
    match (shape, step) {
        (_, StepWord::Param(_))
        | (Shape::Unknown, _)
        | (Shape::Row, StepWord::Right | StepWord::Left | StepWord::Both) => true,
        (Shape::Graph, step) => *step == StepWord::Edges,
        (Shape::Grid, step) => *step != StepWord::Edges,
        (Shape::Row, StepWord::Vector(_, dy)) => *dy == 0,
        (Shape::Row, _) => false,
    }
}
