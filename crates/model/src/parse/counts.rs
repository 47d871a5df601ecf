//! Counted boards: what the left side tests and the right side adds.

use super::cursor::Cursor;
use super::drawings::Role;
use super::lexer::Kind;
use super::names::Meaning;
use crate::codes::{SYNTAX, WRONG_PLACE};
use crate::fault::Fault;
use crate::syntax::{Atom, Expr, ExprKind, Span};

impl Cursor<'_> {
    /// On counted boards: a number or a parameter, perhaps with `..`.
    pub(super) fn count_test(&mut self, role: Role) -> Result<(Atom, Span), Fault> {
        let start = self.here().start;
        let low = self.count_bound()?;
        if role == Role::Right {
            let message = format!(
                "the right side says what is added, not `{}`",
                self.text(low.span)
            );
            return Err(Fault::new(WRONG_PLACE, low.span, message).help(format!(
                "write `+{0}` or `-{0}`, or `_` for nothing",
                self.text(low.span)
            )));
        }
        let Some(dots) = self
            .peek()
            .filter(|t| t.glued && matches!(t.kind, Kind::Dots(2..)))
        else {
            return Ok((Atom::Number(low), self.since(start)));
        };
        if dots.kind != Kind::Dots(2) {
            return Err(Fault::new(SYNTAX, dots.span, "a range has two dots")
                .help("write `2..` or `0..1`; put a space before `...`"));
        }
        if role == Role::Start {
            return Err(
                Fault::new(WRONG_PLACE, dots.span, "a range means nothing in a start")
                    .help("write one number for each cell, `. .` for two empty ones"),
            );
        }
        self.next();
        let bounded = self.peek().is_some_and(|t| {
            t.glued && matches!(t.kind, Kind::Number | Kind::Word) && self.text(t.span) != "_"
        });
        let high = if bounded {
            Some(self.count_bound()?)
        } else {
            None
        };
        Ok((Atom::Range(low, high), self.since(start)))
    }

    fn count_bound(&mut self) -> Result<Expr, Fault> {
        if self.peek().is_some_and(|t| t.kind == Kind::Number) {
            return self.number();
        }
        let span = self.here();
        let name = self.text(span).to_owned();
        let expr = Expr {
            kind: ExprKind::Name(name.clone()),
            span,
        };
        if !matches!(self.meaning(&name), Some(Meaning::List)) {
            self.check_integers(&expr, false);
        }
        self.next();
        Ok(expr)
    }

    /// On counted boards: `+1`, `-x`, `+(a-x)`.
    pub(super) fn addition(&mut self, role: Role) -> Result<(Atom, Span), Fault> {
        let sign = self.here();
        let negative = self.is("-");
        if role != Role::Right {
            let (message, help) = if role == Role::Left {
                (
                    "the left side tests counts, the right side changes them",
                    "move the sign to the right of `->`",
                )
            } else {
                (
                    "a count has no sign",
                    "write the count alone: a count is never negative",
                )
            };
            return Err(Fault::new(WRONG_PLACE, sign, message).help(help));
        }
        self.next();
        if !self.peek().is_some_and(|t| t.glued) {
            return Err(self
                .unexpected("a number right after the sign")
                .help("write `+1`, `-x` or `+(a-x)`"));
        }
        self.operators = 0;
        let expr = self.primary()?;
        self.check_integers(&expr, true);
        let span = self.since(sign.start);
        let kind = if negative {
            ExprKind::Neg(Box::new(expr))
        } else {
            expr.kind
        };
        Ok((Atom::Add(Expr { kind, span }), span))
    }
}
