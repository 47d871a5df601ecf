//! Claims about blocking: which states are lost, which moves lose, and in what context.

use super::conditions::Scope;
use super::cursor::{Cursor, shorten};
use super::drawings::Role;
use super::lexer::Token;
use super::lines::Item;
use super::suggest::nearest;
use crate::codes::{BAD_CLAIM, SYNTAX, WRONG_PLACE};
use crate::fault::Fault;
use crate::syntax::{
    BlockingClaim, BlockingEffect, BlockingStatement, Context, Goal, Span, Spanned,
};

/// How claims about blocking are written.
const FORMS: &str = "write `claim contains P is lost`, `claim lost iff contains P`, \
                     `claim MOVE in CONTEXT is blocking`, `claim MOVE is blocking iff in CONTEXT` \
                     or `claim no MOVE is blocking`";

impl<'c> Cursor<'c> {
    /// Whether a claim is about blocking, not about figures.
    pub(super) fn is_about_blocking(&self) -> bool {
        let word = |token: &Token| self.text(token.span);
        let starts = self.rest().first().map(word);
        matches!(starts, Some("contains" | "never" | "count"))
            || self.rest().windows(2).any(|pair| {
                matches!(
                    (word(&pair[0]), word(&pair[1])),
                    ("is", "lost" | "blocking") | ("lost", "iff")
                )
            })
    }

    /// The claim behind the item word.
    pub(super) fn blocking_claim(&mut self, item: &Item) -> Result<BlockingClaim, Fault> {
        let statement = self.blocking_statement()?;
        let domain = if self.take_word("for") {
            Some(self.condition(Scope::Domain)?)
        } else {
            None
        };
        self.finish("`for` or the end of the claim")?;
        Ok(BlockingClaim {
            statement,
            domain,
            span: item.span(),
        })
    }

    fn blocking_statement(&mut self) -> Result<BlockingStatement, Fault> {
        if self.word() == Some("lost") {
            self.next();
            if !self.take_word("iff") {
                return Err(self.unexpected("`iff`").help(FORMS));
            }
            let states = self.either()?;
            return Ok(BlockingStatement::Lost {
                states,
                exactly: true,
            });
        }
        let ends = |pair: &[Token]| {
            self.text(pair[0].span) == "is"
                && matches!(self.text(pair[1].span), "lost" | "blocking")
        };
        let Some(end) = self.rest().windows(2).position(ends) else {
            self.skip_to(usize::MAX);
            return Err(self.unexpected("`is lost` or `is blocking`").help(FORMS));
        };
        let is = self.rest()[end];
        if self.text(self.rest()[end + 1].span) == "lost" {
            let states = self.before(is, Self::states_of_claim)?;
            self.next();
            self.next();
            return Ok(BlockingStatement::Lost {
                states,
                exactly: false,
            });
        }
        let never = self.takes_no();
        let (name, mut contexts) = self.before(is, Self::move_in_context)?;
        self.next();
        self.next();
        let mut effect = if never {
            BlockingEffect::Never
        } else {
            BlockingEffect::Always
        };
        let iff = self.here();
        if self.take_word("iff") {
            if never || !contexts.is_empty() {
                let message = "`iff` says where the move is blocking, which is said already";
                return Err(Fault::new(SYNTAX, iff, message).help(FORMS));
            }
            if self.word() != Some("in") {
                return Err(self
                    .unexpected("`in` and a context")
                    .help("write for example `claim step is blocking iff in T [F .] T`"));
            }
            contexts = self.contexts()?;
            effect = BlockingEffect::Exactly;
        }
        Ok(BlockingStatement::Moves {
            name,
            contexts,
            effect,
        })
    }

    /// Reads what stands before a token, by a cursor that sees no more.
    fn before<T>(
        &mut self,
        token: Token,
        read: impl FnOnce(&mut Cursor<'c>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let place = token.span.start;
        let tokens = self.rest();
        let count = tokens.iter().take_while(|t| t.span.start < place).count();
        let mut inner = Cursor::new(self.ctx, &tokens[..count], place);
        let result = read(&mut inner);
        for fault in std::mem::take(&mut inner.faults) {
            self.note(fault);
        }
        self.skip_to(place);
        result
    }

    fn states_of_claim(&mut self) -> Result<Goal, Fault> {
        let states = self.either()?;
        self.finish("`and`, `or` or `is lost`")?;
        Ok(states)
    }

    /// Steps over `no`, unless it begins the name of a move.
    fn takes_no(&mut self) -> bool {
        self.word() == Some("no") && self.move_here().is_none() && self.take_word("no")
    }

    /// `MOVE` or `MOVE in CONTEXT or in CONTEXT`.
    fn move_in_context(&mut self) -> Result<(Spanned<String>, Vec<Context>), Fault> {
        let name = self.move_name()?;
        let contexts = if self.is_at_end() {
            Vec::new()
        } else {
            self.contexts()?
        };
        Ok((name, contexts))
    }

    /// The longest name of a move that stands here, before `in` or the end.
    fn move_here(&self) -> Option<Spanned<String>> {
        let start = self.here().start;
        let end = self.rest().last()?.span.end;
        let text = &self.ctx.text[start..end];
        let fits = |name: &&String| {
            let rest = text.strip_prefix(name.as_str())?;
            let rest = rest.trim_start_matches([' ', '\n', '\r']);
            let ends_there = rest.is_empty() || rest.starts_with("in ") || rest.starts_with("is ");
            ends_there.then_some(())
        };
        let name = self.ctx.moves.iter().find(|name| fits(name).is_some())?;
        let span = Span {
            start,
            end: start + name.len(),
        };
        Some(Spanned {
            value: name.clone(),
            span,
        })
    }

    fn move_name(&mut self) -> Result<Spanned<String>, Fault> {
        if let Some(name) = self.move_here() {
            self.skip_to(name.span.end);
            return Ok(name);
        }
        let words = self.rest();
        let count = words
            .iter()
            .take_while(|t| self.text(t.span) != "in")
            .count();
        if count == 0 {
            return Err(self.unexpected("the name of a move").help(FORMS));
        }
        let span = Span {
            start: words[0].span.start,
            end: words[count - 1].span.end,
        };
        let written = self.text(span);
        let message = format!("no move is called `{}`", shorten(written));
        let names = self.ctx.moves.iter().map(String::as_str);
        let help = if let Some(near) = nearest(written, names.clone()) {
            format!("did you mean `{near}`?")
        } else {
            let mut names: Vec<String> = names.take(10).map(|n| format!("`{n}`")).collect();
            names.sort();
            format!("the moves are {}", names.join(", "))
        };
        Err(Fault::new(BAD_CLAIM, span, message).help(help))
    }

    /// `in CONTEXT or in CONTEXT`.
    fn contexts(&mut self) -> Result<Vec<Context>, Fault> {
        let mut contexts = Vec::new();
        loop {
            if !self.take_word("in") {
                return Err(self
                    .unexpected("`in` and a context")
                    .help("each context has its own `in`: `in T [F .] T or in [F .] F T`"));
            }
            contexts.push(self.context()?);
            if !self.take_word("or") {
                return Ok(contexts);
            }
        }
    }

    fn context(&mut self) -> Result<Context, Fault> {
        self.marks.clear();
        let drawing = self.drawing(Role::Context)?;
        let marks = std::mem::take(&mut self.marks);
        if let Some(open) = marks.last().filter(|mark| mark.end == mark.start) {
            let span = Span {
                start: open.start,
                end: open.start + 1,
            };
            return Err(Fault::new(SYNTAX, span, "a bracket that is not closed")
                .help("put the cells that the move changes in brackets: `T [F .] T`"));
        }
        if marks.is_empty() {
            let message = "the context does not say which cells the move changes";
            return Err(Fault::new(WRONG_PLACE, drawing.span, message)
                .help("put them in brackets: `T [F .] T`"));
        }
        self.check_rows(&drawing);
        let place = self.here();
        let along = if self.take_word("along") {
            self.steps()?
        } else {
            Vec::new()
        };
        self.check_along(&drawing, &along, place);
        Ok(Context {
            drawing,
            marks,
            along,
        })
    }

    /// Steps over a bracket of a context; whether there was one.
    pub(super) fn mark(&mut self, token: Token) -> Result<bool, Fault> {
        let is_open = self.marks.last().is_some_and(|mark| mark.end == mark.start);
        let wrong = |message: &str| {
            Err(Fault::new(SYNTAX, token.span, message)
                .help("put the cells that the move changes in brackets: `T [F .] T`"))
        };
        if token.is("[") {
            if is_open {
                return wrong("a bracket inside a bracket");
            }
            let start = token.span.start;
            self.marks.push(Span { start, end: start });
        } else if token.is("]") {
            match self.marks.last_mut() {
                Some(mark) if is_open && mark.start + 1 < token.span.start => {
                    let inside = &self.ctx.text[mark.start + 1..token.span.start];
                    if inside.trim().is_empty() {
                        return wrong("a bracket without cells");
                    }
                    mark.end = token.span.end;
                }
                Some(_) if is_open => return wrong("a bracket without cells"),
                _ => return wrong("a bracket is closed that was not opened"),
            }
        } else {
            return Ok(false);
        }
        self.next();
        Ok(true)
    }
}
