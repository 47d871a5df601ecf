//! Drawings: starts, goals and the sides of moves, term by term.

use super::cursor::{Cursor, Shape, shorten};
use super::lexer::{Kind, Token};
use super::names::{Meaning, STEP_WORDS};
use crate::codes::{SYNTAX, TOO_LARGE, WRONG_PLACE};
use crate::fault::Fault;
use crate::syntax::{Atom, Content, Drawing, Expr, ExprKind, Span, Term};

/// What a drawing is for: that decides which items may stand in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A position.
    Start,
    /// A goal: one-cell items.
    Goal,
    /// After `contains` and `never`.
    Pattern,
    /// The left side of a move.
    Left,
    /// The right side of a move.
    Right,
    /// The context of a move: a pattern with brackets.
    Context,
}

impl Role {
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Start => "a start",
            Self::Goal => "a goal drawing",
            Self::Pattern => "a pattern of a goal",
            Self::Left => "the left side of a move",
            Self::Right => "the right side of a move",
            Self::Context => "the context of a move",
        }
    }

    /// A drawing of a whole position.
    fn is_position(self) -> bool {
        matches!(self, Self::Start | Self::Goal)
    }
}

/// A drawing has at most so many terms: a board has at most so many cells.
const MOST_TERMS: usize = 1 << 20;

impl Cursor<'_> {
    /// A drawing, up to an arrow, a closing bracket, a word of the language or the end.
    pub(super) fn drawing(&mut self, role: Role) -> Result<Drawing, Fault> {
        let start = self.here().start;
        let mut rows = vec![Vec::new()];
        let lines_are_rows = self.ctx.shape == Shape::Grid
            && matches!(
                role,
                Role::Start | Role::Goal | Role::Pattern | Role::Context
            );
        let mut term_count = 0;
        let mut slash: Option<Span> = None;
        while let Some(token) = self.peek() {
            if ends_drawing(token) || self.is_reserved() {
                break;
            }
            if role == Role::Context && self.mark(token)? {
                continue;
            }
            let row_is_empty = rows.last().is_some_and(Vec::is_empty);
            if token.is("/") {
                self.row_end(token, row_is_empty)?;
                slash = Some(token.span);
                rows.push(Vec::new());
                continue;
            }
            if lines_are_rows && token.first_on_line && !row_is_empty {
                rows.push(Vec::new());
            }
            let row = rows.last_mut().expect("there is a row");
            let before = row.len();
            self.term(role, row)?;
            term_count += row.len() - before;
            Self::check_term_count(term_count, token.span)?;
        }
        if rows.last().is_some_and(Vec::is_empty) {
            rows.pop();
            if let Some(span) = slash.filter(|_| !role.is_position()) {
                return Err(Fault::new(SYNTAX, span, "no row follows this `/`")
                    .help("`/` stands between rows: leave out the last one"));
            }
        }
        if rows.is_empty() {
            return Err(self.unexpected(role.describe()));
        }
        Ok(Drawing {
            rows,
            span: self.since(start),
        })
    }

    /// Steps over `/`.
    fn row_end(&mut self, token: Token, row_is_empty: bool) -> Result<(), Fault> {
        if !matches!(self.ctx.shape, Shape::Grid | Shape::Unknown) {
            return Err(Fault::new(
                WRONG_PLACE,
                token.span,
                "`/` starts a new row, but this board has one row only",
            )
            .help("write the cells one after the other, or use `board grid`"));
        }
        if row_is_empty {
            return Err(Fault::new(SYNTAX, token.span, "a row without cells")
                .help("`/` stands between two rows"));
        }
        self.next();
        Ok(())
    }

    pub(super) fn check_term_count(count: usize, span: Span) -> Result<(), Fault> {
        if count <= MOST_TERMS {
            return Ok(());
        }
        Err(Fault::new(
            TOO_LARGE,
            span,
            format!("a drawing of more than {MOST_TERMS} terms"),
        )
        .help("a board has at most 2^20 cells"))
    }

    /// One term as written, which may be several: a word of one-character symbols is split.
    fn term(&mut self, role: Role, out: &mut Vec<Term>) -> Result<(), Fault> {
        let start = self.here().start;
        let capture = self.capture_prefix(role)?;
        let negation = self.prefix("!");
        let turned = self.prefix("~");
        if let Some(span) = turned.filter(|_| role == Role::Right) {
            out.push(self.turned(span)?);
            return Ok(());
        }
        if let Some(span) = turned {
            return Err(Fault::new(
                WRONG_PLACE,
                span,
                "`~` turns a remembered stretch round, on the right side of a move only",
            )
            .help("write `x:coin+` on the left and `~x` on the right"));
        }
        let mut atoms = self.atoms(role)?;
        let first = &mut atoms[0];
        if let Some(span) = negation {
            self.negate(role, &mut first.0, span);
        }
        let last = atoms.len() - 1;
        let repeat = self.suffixes(role, &mut atoms[last].0)?;
        if let Some((name, span)) = capture {
            let bound = std::mem::replace(&mut atoms[0].0, Atom::Any);
            atoms[0].0 = self.bind(name, span, bound);
        }
        let repeat_span = self.since(start);
        for (index, (atom, span)) in atoms.into_iter().enumerate() {
            let begin = if index == 0 { start } else { span.start };
            let (repeat, end) = if index == last {
                (repeat.clone(), repeat_span.end)
            } else {
                (None, span.end)
            };
            if let (Some(_), Atom::Stretch { .. } | Atom::Shortest | Atom::Capture(..)) =
                (&repeat, &atom)
            {
                let span = Span { start: begin, end };
                self.note(
                    Fault::new(
                        WRONG_PLACE,
                        span,
                        "a stretch or a capture cannot be repeated",
                    )
                    .help("write it once, or write each cell"),
                );
            }
            out.push(Term {
                atom,
                repeat,
                span: Span { start: begin, end },
            });
        }
        Ok(())
    }

    fn prefix(&mut self, sign: &str) -> Option<Span> {
        let span = self.here();
        self.take(sign).then_some(span)
    }

    fn negate(&mut self, role: Role, atom: &mut Atom, span: Span) {
        let fault = if role == Role::Start {
            Some("a start has one content in every cell")
        } else {
            match atom {
                Atom::Is(Content::Symbol(_)) | Atom::Class(_) => None,
                Atom::Any => Some("no cell is other than any cell"),
                Atom::Is(Content::NoCell) => Some("`_` is all that `#` is not"),
                Atom::Number(_) | Atom::Range(..) => {
                    Some("counts are tested with ranges: `0..1`, `2..`")
                }
                Atom::Recall(_) => Some("what is not remembered cannot be written"),
                _ => Some("`!` stands before one symbol or class"),
            }
        };
        if let Some(why) = fault {
            let message = format!("`!` means nothing here: {why}");
            let help = "write `!W` or `!coin`, for any cell but these";
            self.faults
                .push(Fault::new(WRONG_PLACE, span, message).help(help));
        } else {
            let inner = std::mem::replace(atom, Atom::Any);
            *atom = Atom::Not(Box::new(inner));
        }
    }

    /// `*`, `+` and `^EXPR` after an item.
    fn suffixes(&mut self, role: Role, atom: &mut Atom) -> Result<Option<Expr>, Fault> {
        if let Some(token) = self.peek()
            && (token.is("*") || token.is("+"))
            && (token.glued || !self.ctx.counted)
        {
            self.stretch(role, atom, token)?;
        }
        if !self.is("^") {
            return Ok(None);
        }
        let caret = self.here();
        self.next();
        if matches!(atom, Atom::Shortest) {
            return Err(Fault::new(WRONG_PLACE, caret, "`...` cannot be repeated")
                .help("write `.^3` for three empty cells"));
        }
        let expr = self.repeat_expression()?;
        let next = self.peek().filter(|t| t.glued);
        let goes_on = next.is_some_and(|t| {
            ["*", "+", "-", "^"].iter().any(|sign| t.is(sign))
                || t.is("!") && !self.peek_second().is_some_and(|after| after.glued)
                || matches!(self.meaning(self.text(t.span)), Some(Meaning::Number))
        });
        if goes_on {
            let name = shorten(self.text(expr.span));
            let sign = self.text(self.here());
            let sign = if next.is_some_and(|t| t.kind == Kind::Word) {
                "*"
            } else {
                sign
            };
            return Err(self.unexpected("the next cell").help(format!(
                "put the whole number of repeats in brackets: `^({name}{sign}...)`"
            )));
        }
        Ok(Some(expr))
    }

    fn stretch(&mut self, role: Role, atom: &mut Atom, token: Token) -> Result<(), Fault> {
        if !token.glued {
            return Err(self.unexpected("the next cell").help(format!(
                "a stretch is written without a space: `coin{}`",
                self.text(token.span)
            )));
        }
        self.next();
        let sign = self.text(token.span);
        let wrong =
            |message: String, help: &str| Fault::new(WRONG_PLACE, token.span, message).help(help);
        if role.is_position() {
            return Err(wrong(
                format!("a stretch means nothing in {}", role.describe()),
                "write how many cells there are: `.^3`",
            ));
        }
        match atom {
            Atom::Is(Content::Symbol(_))
            | Atom::Any
            | Atom::Class(_)
            | Atom::Not(_)
            | Atom::Number(_)
            | Atom::Range(..) => {}
            Atom::Recall(name) => {
                let message = format!("`{name}` is written as long as it was remembered");
                return Err(wrong(message, "leave out the sign after it"));
            }
            _ => {
                return Err(wrong(
                    format!("`{sign}` makes a stretch of one symbol, class or `_` only"),
                    "declare a class for the cells of the stretch: `coin*`",
                ));
            }
        }
        let item = Box::new(std::mem::replace(atom, Atom::Any));
        *atom = Atom::Stretch {
            item,
            least: usize::from(sign == "+"),
        };
        Ok(())
    }

    /// The items that one token, or a bracket, stands for; at least one.
    fn atoms(&mut self, role: Role) -> Result<Vec<(Atom, Span)>, Fault> {
        let Some(token) = self.peek() else {
            return Err(self.unexpected("a cell"));
        };
        let one = |atom| Ok(vec![(atom, token.span)]);
        match token.kind {
            Kind::Word => self.word_atoms(role, token),
            Kind::Dots(count) => {
                self.next();
                self.dots(role, token.span, count)
            }
            Kind::Sign("#") => {
                self.next();
                self.check_no_cell(role, token.span);
                one(Atom::Is(Content::NoCell))
            }
            Kind::Sign("(") => {
                self.next();
                let terms = self.deeper(|c| c.group(role))?;
                Ok(vec![(Atom::Group(terms), self.since(token.span.start))])
            }
            Kind::Other(c) => {
                self.next();
                if let Some(number) = self.ctx.names.symbol(c) {
                    return one(Atom::Is(Content::Symbol(number)));
                }
                self.undeclared_cell(c, token.span);
                one(Atom::Any)
            }
            Kind::Number if self.ctx.counted => Ok(vec![self.count_test(role)?]),
            Kind::Number => Err(Fault::new(
                WRONG_PLACE,
                token.span,
                "numbers stand for cells only on boards `of counts`",
            )
            .help("write a symbol; a repeat is written `W^3`")),
            Kind::Sign("+" | "-") if self.ctx.counted => Ok(vec![self.addition(role)?]),
            _ => Err(self.unexpected("a cell")),
        }
    }

    /// The terms of a bracket, which is open.
    fn group(&mut self, role: Role) -> Result<Vec<Term>, Fault> {
        let mut terms = Vec::new();
        let bound = self.captures.len();
        let start = self.here();
        while !self.is(")") {
            let Some(token) = self.peek() else {
                return Err(self.unexpected("`)`"));
            };
            if token.is("/") {
                return Err(
                    Fault::new(WRONG_PLACE, token.span, "a bracket cannot hold a row end")
                        .help("close the bracket before `/`"),
                );
            }
            if ends_drawing(token) || self.is_reserved() {
                return Err(self.unexpected("`)`"));
            }
            self.term(role, &mut terms)?;
            Self::check_term_count(terms.len(), token.span)?;
        }
        self.next();
        if self.captures.len() > bound {
            self.note(
                Fault::new(
                    WRONG_PLACE,
                    start,
                    "a bracket that may be repeated cannot remember a cell",
                )
                .help("write the cells without the bracket"),
            );
        }
        Ok(terms)
    }

    fn check_no_cell(&mut self, role: Role, span: Span) {
        if role.is_position() && !matches!(self.ctx.shape, Shape::Grid | Shape::Unknown) {
            self.note(
                Fault::new(WRONG_PLACE, span, "only grids have holes")
                    .help("leave out `#`; what lies beyond the ends is `#` by itself"),
            );
        }
    }

    fn dots(&mut self, role: Role, span: Span, count: usize) -> Result<Vec<(Atom, Span)>, Fault> {
        if role == Role::Right && self.ctx.counted && count != 3 {
            return Err(
                Fault::new(WRONG_PLACE, span, "the right side says what is added")
                    .help("write `_` for a cell to which nothing is added"),
            );
        }
        if !role.is_position() && count == 3 {
            return Ok(vec![(Atom::Shortest, span)]);
        }
        if !role.is_position() && (count > 3 || self.ctx.counted && count > 1) {
            let message = format!("{count} dots in a row");
            let help = "write `. .` or `.^2` for empty cells, `...` for the shortest stretch, `2..` for at least two";
            return Err(Fault::new(SYNTAX, span, message).help(help));
        }
        if count == 3 && self.is("^") {
            return Err(Fault::new(WRONG_PLACE, span, "`...` cannot be repeated")
                .help("write `.^EXPR` for so many empty cells"));
        }
        Self::check_term_count(count, span)?;
        let atom = if self.ctx.counted {
            Atom::Number(Expr {
                kind: ExprKind::Int(0.into()),
                span,
            })
        } else {
            Atom::Is(Content::Symbol(0))
        };
        let cell = |i| Span {
            start: span.start + i,
            end: span.start + i + 1,
        };
        Ok((0..count).map(|i| (atom.clone(), cell(i))).collect())
    }
}

/// Whether a token can only stand behind a drawing.
fn ends_drawing(token: Token) -> bool {
    ["->", "<->", ")", "=", "<", ">", ","]
        .iter()
        .any(|sign| token.is(sign))
}

/// Whether a word is an item word or a step word, which hints at a forgotten line end.
pub(super) fn is_item_word(word: &str) -> bool {
    super::lines::ITEM_WORDS.contains(&word) || STEP_WORDS.contains(&word)
}
