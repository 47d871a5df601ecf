//! Captures: `x:coin` on the left side of a move, `x` and `~x` on the right.

use super::cursor::{Capture, Cursor, shorten};
use super::drawings::Role;
use super::names::name_twice;
use crate::codes::{NAME_TWICE, SYNTAX, TOO_LARGE, UNBOUND_CAPTURE, WRONG_PLACE};
use crate::fault::Fault;
use crate::syntax::{Atom, Content, Span, Term};

/// A move remembers at most so many cells and stretches.
const MOST_CAPTURES: usize = 64;

impl Cursor<'_> {
    /// `x:`, on left sides.
    pub(super) fn capture_prefix(&mut self, role: Role) -> Result<Option<(String, Span)>, Fault> {
        let Some(word) = self.word() else {
            return Ok(None);
        };
        let colon = self.peek_second().filter(|t| t.is(":"));
        let (Some(colon), span) = (colon, self.here()) else {
            return Ok(None);
        };
        self.next();
        self.next();
        let whole = Span {
            start: span.start,
            end: colon.span.end,
        };
        if role != Role::Left {
            let message = format!(
                "`{}:` remembers a cell, on the left side of a move only",
                shorten(word)
            );
            let help = match role {
                Role::Right => format!("write `{}` to place what was remembered", shorten(word)),
                _ => "leave it out".to_owned(),
            };
            return Err(Fault::new(WRONG_PLACE, whole, message).help(help));
        }
        if self.captures.len() == MOST_CAPTURES {
            let message = format!("a move with more than {MOST_CAPTURES} captures");
            return Err(Fault::new(TOO_LARGE, whole, message).help("remember fewer cells"));
        }
        if word.starts_with('_') {
            return Err(super::names::no_name(span, "a capture"));
        }
        if self.peek_second().is_some_and(|t| t.is(":")) && self.word().is_some() {
            return Err(
                Fault::new(SYNTAX, self.here(), "a cell is remembered under two names")
                    .help("one name suffices: write `x:coin`"),
            );
        }
        Ok(Some((word.to_owned(), span)))
    }

    /// Notes a capture.
    pub(super) fn bind(&mut self, name: String, span: Span, item: Atom) -> Atom {
        if super::names::RESERVED.contains(&name.as_str()) {
            let message = format!("`{name}` is a word of the language and cannot be a name");
            self.faults
                .push(Fault::new(NAME_TWICE, span, message).help("choose another name"));
        } else if let Some(first) = self.ctx.names.place(&name) {
            self.faults
                .push(name_twice(&name, span, first, self.ctx.text));
        } else if self.capture(&name).is_some() {
            let message = format!("two cells are remembered as `{name}`");
            self.note(
                Fault::new(NAME_TWICE, span, message)
                    .help("give the second one another name, and compare the two with `where`"),
            );
        }
        if matches!(
            item,
            Atom::Group(_) | Atom::Members { .. } | Atom::Is(Content::NoCell)
        ) {
            self.note(
                Fault::new(
                    WRONG_PLACE,
                    span,
                    "only one cell or a stretch of one item can be remembered",
                )
                .help("write `x:W`, `x:coin`, `x:_` or `x:coin+`"),
            );
        }
        let stretch = matches!(item, Atom::Stretch { .. } | Atom::Shortest);
        self.captures.push(Capture {
            name: name.clone(),
            stretch,
        });
        Atom::Capture(name, Box::new(item))
    }

    /// `~x`.
    pub(super) fn turned(&mut self, tilde: Span) -> Result<Term, Fault> {
        let Some(name) = self.word() else {
            return Err(self.unexpected("the name of a capture"));
        };
        let span = Span {
            start: tilde.start,
            end: self.here().end,
        };
        self.next();
        match self.capture(name) {
            Some(capture) if !capture.stretch => {
                let message = format!("`{name}` remembers one cell, which cannot be turned round");
                self.faults
                    .push(Fault::new(WRONG_PLACE, span, message).help(format!(
                        "write `{name}`, or remember a stretch: `{name}:coin+`"
                    )));
            }
            Some(_) => {}
            None => {
                let fault = Fault::new(
                    UNBOUND_CAPTURE,
                    span,
                    format!("no stretch is remembered as `{}`", shorten(name)),
                )
                .help(format!(
                    "write `{}:_+` or `{0}:CLASS+` on the left side",
                    shorten(name)
                ));
                self.report(name, fault);
            }
        }
        Ok(Term {
            atom: Atom::Turned(name.to_owned()),
            repeat: None,
            span,
        })
    }
}
