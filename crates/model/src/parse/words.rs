//! Words in drawings: a declared name, or one-character symbols written without spaces.

use super::cursor::{Cursor, shorten};
use super::drawings::{Role, is_item_word};
use super::foreign;
use super::lexer::{Kind, Token};
use super::names::Meaning;
use crate::codes::{SYNTAX, UNBOUND_CAPTURE, UNDECLARED, WRONG_PLACE};
use crate::fault::Fault;
use crate::syntax::{Atom, Content, Span};

impl Cursor<'_> {
    /// The items a word stands for.
    pub(super) fn word_atoms(
        &mut self,
        role: Role,
        token: Token,
    ) -> Result<Vec<(Atom, Span)>, Fault> {
        let word = self.text(token.span);
        let bracket = self.peek_second().is_some_and(|t| t.glued && t.is("["));
        let is_class = matches!(self.meaning(word), Some(Meaning::Class(_)));
        if bracket && (is_class || role != Role::Context) {
            return Ok(vec![self.members(word, token)?]);
        }
        if let Some(atom) = self.named(role, word, token)? {
            self.next();
            return Ok(vec![(atom, token.span)]);
        }
        if self.ctx.counted && !word.chars().all(|c| c == '_') {
            return Ok(vec![self.count_test(role)?]);
        }
        self.next();
        self.split(role, word, token)
    }

    /// A class, or a capture of this move.
    fn named(&mut self, role: Role, word: &str, token: Token) -> Result<Option<Atom>, Fault> {
        if role == Role::Start {
            return Ok(None);
        }
        if self.capture(word).is_some() {
            if role == Role::Right && !self.ctx.counted {
                return Ok(Some(Atom::Recall(word.to_owned())));
            }
            let (message, help) = if role == Role::Right {
                (
                    format!("the right side says what is added, not `{word}`"),
                    format!("write `+{word}` or `-{word}`"),
                )
            } else {
                (
                    format!("`{word}` is written on the left side, where it is remembered"),
                    format!(
                        "compare two cells with `where`: `x:_ y:_ ... where x = y`, and write `{word}` on the right"
                    ),
                )
            };
            return Err(Fault::new(WRONG_PLACE, token.span, message).help(help));
        }
        match self.meaning(word) {
            // That a board of counts has no classes is said where they are declared.
            Some(Meaning::Class(_)) if self.ctx.counted => Ok(Some(Atom::Any)),
            Some(Meaning::Class(number)) => Ok(Some(Atom::Class(number))),
            Some(Meaning::Unknown) => Ok(Some(Atom::Any)),
            _ => Ok(None),
        }
    }

    /// `tile[1..k]`.
    fn members(&mut self, word: &str, token: Token) -> Result<(Atom, Span), Fault> {
        let class = match self.meaning(word) {
            Some(Meaning::Class(number)) => number,
            Some(Meaning::Unknown) => 0,
            other => {
                let message = match other {
                    Some(_) => format!("`{word}` is no class"),
                    None => format!("the class `{}` is not declared", shorten(word)),
                };
                let fault = Fault::new(UNDECLARED, token.span, message);
                return Err(match self.nearest(word, &[]) {
                    Some(near) => fault.help(format!("did you mean `{near}`?")),
                    None => fault
                        .help("only a class has members: `class tile = A..O`, then `tile[1..k]`"),
                });
            }
        };
        self.next();
        self.next();
        let from = self.integer_expression()?;
        if !self.peek().is_some_and(|t| t.kind == Kind::Dots(2)) {
            let wanted = "`..`";
            return Err(self
                .unexpected(wanted)
                .help(format!("write the first and the last: `{word}[1..3]`")));
        }
        self.next();
        let to = self.integer_expression()?;
        self.expect("]")?;
        Ok((
            Atom::Members { class, from, to },
            self.since(token.span.start),
        ))
    }

    /// One-character symbols.
    fn split(&mut self, role: Role, word: &str, token: Token) -> Result<Vec<(Atom, Span)>, Fault> {
        Self::check_term_count(word.len(), token.span)?;
        let mut atoms = Vec::new();
        let mut unknown = None;
        for (at, c) in word.char_indices() {
            let start = token.span.start + at;
            let span = Span {
                start,
                end: start + c.len_utf8(),
            };
            let atom = self.character(role, c, span)?;
            unknown = unknown.or_else(|| atom.is_none().then_some((c, span)));
            atoms.push((atom.unwrap_or(Atom::Any), span));
        }
        let other_name = !matches!(
            self.meaning(word),
            None | Some(Meaning::Piece(_) | Meaning::Class(_) | Meaning::Unknown)
        );
        if unknown.is_none() && other_name && role != Role::Start {
            // A declared name is that name, also where its letters happen to be symbols.
            unknown = word.chars().next().map(|c| (c, token.span));
        }
        if let Some((c, span)) = unknown {
            self.undeclared_word(role, word, token, c, span);
        }
        Ok(atoms)
    }

    /// What one character stands for; `None` if for nothing.
    fn character(&mut self, role: Role, c: char, span: Span) -> Result<Option<Atom>, Fault> {
        if c == '_' {
            if role == Role::Start {
                return Err(Fault::new(
                    WRONG_PLACE,
                    span,
                    "`_` means any cell, but a start has one content in every cell",
                )
                .help("write `.` for an empty cell"));
            }
            return Ok(Some(Atom::Any));
        }
        let mut buffer = [0; 4];
        let name: &str = c.encode_utf8(&mut buffer);
        Ok(match self.meaning(name) {
            Some(Meaning::Piece(number)) => Some(Atom::Is(Content::Symbol(number))),
            Some(Meaning::Class(number)) if role != Role::Start => Some(Atom::Class(number)),
            Some(Meaning::Unknown) => Some(Atom::Any),
            _ if role == Role::Right && self.capture(name).is_some() => {
                Some(Atom::Recall(name.to_owned()))
            }
            _ => None,
        })
    }

    /// Notes that a character which is no letter is no symbol.
    pub(super) fn undeclared_cell(&mut self, c: char, span: Span) {
        let fault = self.undeclared_symbol(c, span);
        self.report(&c.to_string(), fault);
    }

    fn undeclared_symbol(&self, c: char, span: Span) -> Fault {
        let message = format!(
            "the symbol `{c}` is not declared; there are `{}`",
            self.ctx.names.alphabet()
        );
        let fault = Fault::new(UNDECLARED, span, message);
        let twin = foreign::latin_twin(c).filter(|&l| self.ctx.names.symbol(l).is_some());
        if let Some(latin) = twin {
            return fault.help(format!(
                "`{c}` (U+{:04X}) looks like `{latin}`: write that",
                u32::from(c)
            ));
        }
        match self.nearest(&c.to_string(), &[]) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None if super::names::is_symbol(c) => {
                fault.help(format!("declare it: `piece {c} \"name\"`"))
            }
            None => fault.help("use the declared symbols"),
        }
    }

    /// Notes what is wrong with a word that is neither a name nor made of symbols.
    fn undeclared_word(&mut self, role: Role, word: &str, token: Token, c: char, at: Span) {
        let fault = self.undeclared_fault(role, word, token, c, at);
        self.report(
            if fault.span == Some(at) {
                &word[at.start - token.span.start..at.end - token.span.start]
            } else {
                word
            },
            fault,
        );
    }

    fn undeclared_fault(&self, role: Role, word: &str, token: Token, c: char, at: Span) -> Fault {
        let span = token.span;
        let what = match self.meaning(word) {
            Some(Meaning::Class(_)) => Some("a class, but a start has one content in every cell"),
            Some(Meaning::Number | Meaning::List) => {
                Some("a parameter, and numbers stand for cells only on boards `of counts`")
            }
            Some(Meaning::Choice(_)) => Some("a choice, which stands for no cell"),
            Some(Meaning::Value) => Some("the value of a choice, which stands for no cell"),
            Some(Meaning::Strategy) => Some("a strategy, which stands for no cell"),
            _ => None,
        };
        let shown = shorten(word);
        if let Some(what) = what {
            return Fault::new(WRONG_PLACE, span, format!("`{shown}` is {what}"))
                .help("cells are drawn with the symbols of pieces, `.` and, in patterns, classes");
        }
        if token.first_on_line && is_item_word(word) {
            return Fault::new(
                SYNTAX,
                span,
                format!("`{word}` begins an indented line, which continues the item above"),
            )
            .help("begin an item in the first column");
        }
        if c.is_ascii_digit() {
            return Fault::new(
                WRONG_PLACE,
                at,
                "numbers stand for cells only on boards `of counts`",
            )
            .help("a repeat is written `W^3`");
        }
        let single = word.chars().nth(1).is_none();
        let symbols = word
            .chars()
            .filter(|&c| c == '_' || self.ctx.names.symbol(c).is_some())
            .count();
        if let Some(near) = self.nearest(word, &[]).filter(|_| !single) {
            return Fault::new(UNDECLARED, span, format!("`{shown}` is not declared"))
                .help(format!("did you mean `{near}`?"));
        }
        if role == Role::Right && (single && c.is_lowercase() || !single && symbols == 0) {
            return Fault::new(
                UNBOUND_CAPTURE,
                span,
                format!("`{shown}` is neither declared nor remembered on the left side"),
            )
            .help(format!(
                "remember a cell of the left side: `{shown}:_` or `{shown}:CLASS`"
            ));
        }
        if single || symbols > 0 {
            return self.undeclared_symbol(c, at);
        }
        Fault::new(UNDECLARED, span, format!("`{shown}` is not declared")).help(format!(
            "declare a class: `class {shown} = A B`, or use the symbols `{}`",
            self.ctx.names.alphabet()
        ))
    }
}
