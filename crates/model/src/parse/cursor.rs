//! A place in the tokens of one item, and what is known around it.

use std::collections::HashSet;

use super::lexer::{Kind, Token};
use super::names::{Meaning, Names, RESERVED};
use super::suggest::nearest;
use crate::codes::{SYNTAX, TOO_LARGE};
use crate::fault::Fault;
use crate::syntax::{Content, Span};

/// What the items of a file are read against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context<'a> {
    /// The text.
    pub(super) text: &'a str,
    /// The declared names.
    pub(super) names: &'a Names,
    /// The shape of the board.
    pub(super) shape: Shape,
    /// `of counts`.
    pub(super) counted: bool,
    /// The members of the classes, by number.
    pub(super) members: &'a [Vec<Content>],
    /// The names of the moves, the longest first.
    pub(super) moves: &'a [String],
}

/// The shape of a board, as far as drawings and steps depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A line, a ring, an endless line.
    Row,
    /// A grid or a torus.
    Grid,
    /// A graph.
    Graph,
    /// The `board` item is missing or faulty.
    Unknown,
}

/// Of one item so many faults are noted.
const MOST_FAULTS: usize = 100;
/// So many names are compared for a suggestion.
const MOST_COMPARED: usize = 2000;
/// Brackets may be nested so deep.
const DEEPEST: usize = 64;

/// A capture bound on the left side of a move.
#[derive(Clone, Debug)]
pub(super) struct Capture {
    /// Its name.
    pub(super) name: String,
    /// It remembers a whole stretch.
    pub(super) stretch: bool,
}

/// A place in the tokens of one item.
///
/// Faults after which reading can go on are gathered in `faults`; a fault that is returned ends
/// the item.
#[derive(Debug)]
pub(super) struct Cursor<'c> {
    pub(super) ctx: &'c Context<'c>,
    tokens: &'c [Token],
    at: usize,
    /// Where the item ends.
    end: usize,
    depth: usize,
    /// Operators of the present expression.
    pub(super) operators: usize,
    /// The captures of the present move.
    pub(super) captures: Vec<Capture>,
    /// The brackets of the present context, the last one perhaps without its end.
    pub(super) marks: Vec<Span>,
    /// Faults found on the way.
    pub(super) faults: Vec<Fault>,
    reported: HashSet<String>,
}

impl<'c> Cursor<'c> {
    /// At the first of `tokens`; `end` is where the item ends.
    pub(super) fn new(ctx: &'c Context<'c>, tokens: &'c [Token], end: usize) -> Self {
        Self {
            ctx,
            tokens,
            at: 0,
            end,
            depth: 0,
            operators: 0,
            captures: Vec::new(),
            marks: Vec::new(),
            faults: Vec::new(),
            reported: HashSet::new(),
        }
    }

    /// The tokens not yet read.
    pub(super) fn rest(&self) -> &'c [Token] {
        &self.tokens[self.at..]
    }

    /// The next token.
    pub(super) fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    /// The token after the next one.
    pub(super) fn peek_second(&self) -> Option<Token> {
        self.tokens.get(self.at + 1).copied()
    }

    /// Steps over the next token.
    pub(super) fn next(&mut self) -> Option<Token> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    /// Whether all is read.
    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Steps over all tokens that begin before a place in the text.
    pub(super) fn skip_to(&mut self, place: usize) {
        while self.peek().is_some_and(|t| t.span.start < place) {
            self.at += 1;
        }
    }

    /// The text of a stretch.
    pub(super) fn text(&self, span: Span) -> &'c str {
        &self.ctx.text[span.start..span.end]
    }

    /// Where the next token stands; at the end, the end of the last one.
    pub(super) fn here(&self) -> Span {
        if let Some(token) = self.peek() {
            return token.span;
        }
        let end = self.tokens.last().map_or(self.end, |t| t.span.end);
        Span { start: end, end }
    }

    /// From a place to the end of the last token read.
    pub(super) fn since(&self, start: usize) -> Span {
        let end = match self.at {
            0 => start,
            at => self.tokens[at - 1].span.end,
        };
        Span {
            start: start.min(end),
            end,
        }
    }

    /// Whether the next token is this operator.
    pub(super) fn is(&self, sign: &str) -> bool {
        self.peek().is_some_and(|t| t.is(sign))
    }

    /// Steps over an operator, if it is next.
    pub(super) fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    /// The next token's text, if it is a word.
    pub(super) fn word(&self) -> Option<&'c str> {
        self.peek()
            .filter(|t| t.kind == Kind::Word)
            .map(|t| self.text(t.span))
    }

    /// Steps over a word, if it is next.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.word() == Some(word);
        self.at += usize::from(found);
        found
    }

    /// Steps over an operator that must be next.
    pub(super) fn expect(&mut self, sign: &str) -> Result<(), Fault> {
        if self.take(sign) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{sign}`")))
        }
    }

    /// The fault of finding something else than `wanted`.
    pub(super) fn unexpected(&self, wanted: &str) -> Fault {
        let message = match self.peek() {
            Some(token) if token.kind == Kind::Unclosed => {
                return unclosed(token.span);
            }
            Some(token) => {
                format!(
                    "expected {wanted}, found `{}`",
                    shorten(self.text(token.span))
                )
            }
            None => format!("expected {wanted}, but the item ends here"),
        };
        Fault::new(SYNTAX, self.here(), message)
    }

    /// A fault if something is left.
    pub(super) fn finish(&self, wanted: &str) -> Result<(), Fault> {
        if self.is_at_end() {
            Ok(())
        } else {
            Err(self.unexpected(wanted))
        }
    }

    /// Runs `inner` one bracket deeper.
    pub(super) fn deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if self.depth == DEEPEST {
            let message = format!("brackets are nested more than {DEEPEST} deep");
            return Err(Fault::new(TOO_LARGE, self.here(), message)
                .help("write it with fewer brackets, or spread it over several items"));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Notes a fault about a name, once for each name of the item.
    pub(super) fn report(&mut self, name: &str, fault: Fault) {
        if self.reported.len() < MOST_FAULTS && self.reported.insert(name.to_owned()) {
            self.note(fault);
        }
    }

    /// Notes a fault after which reading can go on.
    pub(super) fn note(&mut self, fault: Fault) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(fault);
        }
    }

    /// What a name means outside patterns.
    pub(super) fn meaning(&self, name: &str) -> Option<Meaning> {
        self.ctx.names.get(name)
    }

    /// The capture of this name.
    pub(super) fn capture(&self, name: &str) -> Option<&Capture> {
        self.captures.iter().find(|c| c.name == name)
    }

    /// The declared name, capture or word of `more` nearest to `name`.
    pub(super) fn nearest(&self, name: &str, more: &[&'static str]) -> Option<String> {
        let captures = self.captures.iter().map(|c| c.name.as_str());
        let names = self
            .ctx
            .names
            .all()
            .chain(captures)
            .chain(more.iter().copied());
        nearest(name, names.take(MOST_COMPARED)).map(str::to_owned)
    }

    /// Whether the next token is a word of the language (which ends a drawing).
    pub(super) fn is_reserved(&self) -> bool {
        self.word().is_some_and(|w| RESERVED.contains(&w))
    }
}

/// The fault of a quote that is not closed.
pub(super) fn unclosed(span: Span) -> Fault {
    Fault::new(SYNTAX, span, "a quote is not closed on its line").help("end the text with `\"`")
}

/// A text short enough for a message.
pub(super) fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
