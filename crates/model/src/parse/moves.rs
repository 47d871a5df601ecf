//! Moves, the lines of strategies, and mirrors.

use super::conditions::Scope;
use super::cursor::{Context, Cursor, Shape, shorten};
use super::drawings::Role;
use super::lexer::{Kind, Token, tokens};
use super::lines::Item;
use super::names::{Meaning, STEP_WORDS, strategy_name};
use crate::codes::{BAD_STEPS, NAME_TWICE, SYNTAX, UNDECLARED, WRONG_PLACE};
use crate::fault::Fault;
use crate::syntax::{
    Atom, Cond, Drawing, Mirror, MoveItem, Span, Spanned, StepWord, Strategy, StrategyLine, Term,
};

/// The two sides of a move and what follows.
struct Sides {
    left: Drawing,
    right: Drawing,
    both: bool,
    along: Vec<StepWord>,
    condition: Option<Cond>,
}

/// `move NAME: LEFT -> RIGHT [along STEPS] [where COND]`.
pub(super) fn move_item(
    ctx: &Context<'_>,
    item: &Item,
    faults: &mut Vec<Fault>,
) -> Option<MoveItem> {
    let body = &ctx.text[item.body.start..item.body.end];
    let first_line = body.lines().next().unwrap_or("");
    let first_line = first_line.split("//").next().unwrap_or("");
    let Some(colon) = first_line.find(':') else {
        faults.push(no_colon(item));
        return None;
    };
    let name = first_line[..colon].trim();
    if name.is_empty() {
        let span = Span {
            start: item.head.start,
            end: item.body.start + colon + 1,
        };
        faults
            .push(Fault::new(SYNTAX, span, "a move without a name").help("write `move step: ...`"));
    } else if name.contains("->") {
        faults.push(no_colon(item));
        return None;
    }
    let tokens = tokens(
        ctx.text,
        Span {
            start: item.body.start + colon + 1,
            end: item.body.end,
        },
    );
    let mut cursor = Cursor::new(ctx, &tokens, item.body.end);
    let sides = cursor.sides(true);
    faults.append(&mut cursor.faults);
    match sides {
        Ok(Sides {
            left,
            right,
            both,
            along,
            condition,
        }) => Some(MoveItem {
            name: name.to_owned(),
            left,
            right,
            both,
            along,
            condition,
            span: item.span(),
        }),
        Err(fault) => {
            faults.push(fault);
            None
        }
    }
}

fn no_colon(item: &Item) -> Fault {
    Fault::new(
        SYNTAX,
        item.head,
        "the name of a move ends with a colon, and there is none on this line",
    )
    .help("write `move step: F . -> . F`")
}

/// `strategy NAME [sweep]` and its lines.
pub(super) fn strategy(
    ctx: &Context<'_>,
    item: &Item,
    faults: &mut Vec<Fault>,
) -> Option<Strategy> {
    let all = tokens(ctx.text, item.body);
    let header_end = all
        .iter()
        .position(|t| t.first_on_line)
        .unwrap_or(all.len());
    let (header, rest) = all.split_at(header_end);
    let Some(name) = strategy_name(header) else {
        faults.push(super::names::no_name(item.head, "a strategy"));
        return None;
    };
    let mut cursor = Cursor::new(ctx, header, name.end);
    cursor.skip_to(name.end);
    let sweep = cursor.take_word("sweep");
    if let Err(fault) = cursor.finish("`sweep` or the end of the line") {
        faults.push(
            fault.help("write the lines of a strategy below it, each indented: `  F . -> . F`"),
        );
    }
    let lines = lines(ctx.text, rest);
    if lines.is_empty() {
        faults.push(
            Fault::new(SYNTAX, item.span(), "a strategy without lines")
                .help("write its lines below it, each indented: `  F . -> . F`"),
        );
    }
    let lines = lines
        .into_iter()
        .filter_map(|line| strategy_line(ctx, line, faults))
        .collect();
    let text = &ctx.text[name.start..name.end];
    if text.starts_with('_') || text.ends_with('-') || text.contains("--") {
        faults.push(
            Fault::new(
                SYNTAX,
                name,
                format!("`{}` is no name of a strategy", shorten(text)),
            )
            .help("a name is a letter, then letters, digits, `_`, and single `-` inside"),
        );
    }
    Some(Strategy {
        name: Spanned {
            value: text.to_owned(),
            span: name,
        },
        sweep,
        lines,
    })
}

/// Splits tokens at line ends; a line that begins with `where` continues the one above.
fn lines<'t>(text: &str, tokens: &'t [Token]) -> Vec<&'t [Token]> {
    let begins = |t: &Token| t.first_on_line && &text[t.span.start..t.span.end] != "where";
    let mut starts: Vec<usize> = (0..tokens.len())
        .filter(|&i| i == 0 || begins(&tokens[i]))
        .collect();
    starts.push(tokens.len());
    starts
        .windows(2)
        .map(|pair| &tokens[pair[0]..pair[1]])
        .collect()
}

fn strategy_line(
    ctx: &Context<'_>,
    line: &[Token],
    faults: &mut Vec<Fault>,
) -> Option<StrategyLine> {
    let span = Span {
        start: line.first()?.span.start,
        end: line.last()?.span.end,
    };
    let mut cursor = Cursor::new(ctx, line, span.end);
    let sides = cursor.sides(false);
    faults.append(&mut cursor.faults);
    match sides {
        Ok(Sides {
            left,
            right,
            both,
            condition,
            ..
        }) => {
            if both {
                faults.push(
                    Fault::new(WRONG_PLACE, span, "a line of a strategy goes one way")
                        .help("write `->`"),
                );
            }
            Some(StrategyLine {
                left,
                right,
                condition,
                span,
            })
        }
        Err(fault) => {
            faults.push(fault);
            None
        }
    }
}

impl Cursor<'_> {
    /// `LEFT -> RIGHT`, or on counted boards what is added alone; then `along` and `where`.
    fn sides(&mut self, steps: bool) -> Result<Sides, Fault> {
        let arrow = self.rest().iter().any(|t| t.is("->") || t.is("<->"));
        if !arrow && !self.ctx.counted {
            return Err(Fault::new(
                SYNTAX,
                self.whole(),
                "a move has two sides, with `->` between them",
            )
            .help("write `LEFT -> RIGHT`, for example `F . -> . F`"));
        }
        let (left, right, both) = if arrow {
            self.two_sides()?
        } else {
            self.additions()?
        };
        if left.rows.len() != right.rows.len() {
            self.faults.push(rows_differ(&left, &right));
        }
        self.check_rows(&left);
        let start = self.here();
        let (along, condition) = self.after_sides(steps)?;
        if steps {
            self.check_along(&left, &along, start);
        }
        Ok(Sides {
            left,
            right,
            both,
            along,
            condition,
        })
    }

    /// All tokens that are left.
    fn whole(&self) -> Span {
        let end = self.rest().last().map_or(self.here().end, |t| t.span.end);
        Span {
            start: self.here().start,
            end,
        }
    }

    fn two_sides(&mut self) -> Result<(Drawing, Drawing, bool), Fault> {
        let left = self.drawing(Role::Left)?;
        let both = self.is("<->");
        if !(self.take("->") || self.take("<->")) {
            return Err(self.unexpected("`->`"));
        }
        let right = self.drawing(Role::Right)?;
        if self.is("->") || self.is("<->") {
            return Err(self
                .unexpected("the end of the move")
                .help("a move has one arrow"));
        }
        Ok((left, right, both))
    }

    /// `+1 +1 -1` alone means `_ _ _ -> +1 +1 -1`.
    fn additions(&mut self) -> Result<(Drawing, Drawing, bool), Fault> {
        let right = self.drawing(Role::Right)?;
        let rows = right
            .rows
            .iter()
            .map(|row| row.iter().map(tested).collect())
            .collect();
        Ok((
            Drawing {
                rows,
                span: right.span,
            },
            right,
            false,
        ))
    }

    /// `along STEPS` and `where COND`, in either order.
    fn after_sides(&mut self, steps: bool) -> Result<(Vec<StepWord>, Option<Cond>), Fault> {
        let (mut along, mut condition) = (Vec::new(), None);
        loop {
            let here = self.here();
            if self.take_word("along") {
                if !steps {
                    return Err(Fault::new(
                        WRONG_PLACE,
                        here,
                        "a line of a strategy is laid rightwards only",
                    )
                    .help("leave out `along`, and write the line the other way round"));
                }
                if !along.is_empty() {
                    return Err(twice(here, "along"));
                }
                along = self.steps()?;
            } else if self.take_word("where") {
                if condition.is_some() {
                    return Err(twice(here, "where").help("join the conditions with `and`"));
                }
                condition = Some(self.condition(Scope::Where)?);
            } else {
                self.finish("`along`, `where` or the end of the item")?;
                return Ok((along, condition));
            }
        }
    }

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
                self.check_step(&step, token.span);
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
            self.faults.push(
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
        let word = if word == "(" {
            "this step".to_owned()
        } else {
            format!("the step `{word}`")
        };
        self.faults.push(
            Fault::new(BAD_STEPS, span, format!("{board} does not have {word}"))
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
                self.faults.push(
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
                self.faults.push(
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
                self.faults.push(
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

    /// `F <-> T`, several pairs if wanted.
    pub(super) fn mirror(&mut self, span: Span) -> Result<Mirror, Fault> {
        let mut mirror = Mirror {
            pieces: Vec::new(),
            classes: Vec::new(),
            span,
        };
        if self.ctx.shape == Shape::Graph {
            return Err(Fault::new(BAD_STEPS, span, "a graph has no opposite steps")
                .help("write the mirrored moves as moves of their own"));
        }
        let mut used = Vec::new();
        while !self.is_at_end() {
            let start = self.here().start;
            let first = self.exchanged(&mut used)?;
            self.expect("<->")
                .map_err(|f| f.help("write pairs: `mirror F <-> T`"))?;
            let second = self.exchanged(&mut used)?;
            match (first, second) {
                (Some(Meaning::Piece(a)), Some(Meaning::Piece(b))) => mirror.pieces.push((a, b)),
                (Some(Meaning::Class(a)), Some(Meaning::Class(b))) => mirror.classes.push((a, b)),
                (Some(Meaning::Piece(_)), Some(Meaning::Class(_)))
                | (Some(Meaning::Class(_)), Some(Meaning::Piece(_))) => {
                    self.faults.push(
                        Fault::new(
                            WRONG_PLACE,
                            self.since(start),
                            "a piece is exchanged with a class",
                        )
                        .help("exchange pieces with pieces, classes with classes"),
                    );
                }
                _ => {}
            }
            self.take(",");
        }
        Ok(mirror)
    }

    fn exchanged(&mut self, used: &mut Vec<Meaning>) -> Result<Option<Meaning>, Fault> {
        let Some(token) = self
            .peek()
            .filter(|t| matches!(t.kind, Kind::Word | Kind::Other(_)))
        else {
            return Err(self.unexpected("a piece or a class"));
        };
        self.next();
        let word = self.text(token.span).to_owned();
        match self.meaning(&word) {
            Some(found @ (Meaning::Piece(_) | Meaning::Class(_))) => {
                if used.contains(&found) {
                    let message = format!("`{word}` is exchanged twice");
                    self.faults.push(
                        Fault::new(NAME_TWICE, token.span, message)
                            .help("name every piece and class once"),
                    );
                }
                used.push(found);
                Ok(Some(found))
            }
            Some(Meaning::Unknown) => Ok(None),
            Some(_) => {
                self.report(
                    &word,
                    Fault::new(
                        WRONG_PLACE,
                        token.span,
                        format!("`{word}` is no piece and no class"),
                    )
                    .help("exchange pieces with pieces, classes with classes"),
                );
                Ok(None)
            }
            None => {
                let fault = Fault::new(
                    UNDECLARED,
                    token.span,
                    format!("`{}` is not declared", shorten(&word)),
                );
                let fault = match self.nearest(&word, &[]) {
                    Some(near) => fault.help(format!("did you mean `{near}`?")),
                    None => fault.help("write pairs of declared pieces: `mirror F <-> T`"),
                };
                self.report(&word, fault);
                Ok(None)
            }
        }
    }
}

/// What the left side of a one-sided move tests.
fn tested(term: &Term) -> Term {
    let atom = match &term.atom {
        Atom::Add(_) => Atom::Any,
        Atom::Group(terms) => Atom::Group(terms.iter().map(tested).collect()),
        other => other.clone(),
    };
    Term {
        atom,
        ..term.clone()
    }
}

fn rows_differ(left: &Drawing, right: &Drawing) -> Fault {
    let message = format!(
        "the left side has {} rows, the right side {}",
        left.rows.len(),
        right.rows.len()
    );
    Fault::new(crate::codes::SIDES_DIFFER, right.span, message)
        .help("the right side covers the same cells: write as many rows")
        .related(left.span, "the left side")
}

fn twice(span: Span, word: &str) -> Fault {
    Fault::new(SYNTAX, span, format!("a second `{word}`")).help(format!("write `{word}` once"))
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
        (Shape::Unknown, _) | (_, StepWord::Param(_)) => true,
        (Shape::Graph, step) => *step == StepWord::Edges,
        (_, StepWord::Edges) => false,
        (Shape::Grid, _) => true,
        (Shape::Row, StepWord::Right | StepWord::Left | StepWord::Both) => true,
        (Shape::Row, StepWord::Vector(_, dy)) => *dy == 0,
        (Shape::Row, _) => false,
    }
}
