//! `mirror` items.

use super::cursor::{Cursor, Shape, shorten};
use super::lexer::Kind;
use super::names::Meaning;
use crate::codes::{BAD_STEPS, NAME_TWICE, UNDECLARED, WRONG_PLACE};
use crate::fault::Fault;
use crate::syntax::{Mirror, Span};

impl Cursor<'_> {
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
                    self.note(
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
                    self.note(
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
