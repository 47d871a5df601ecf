//! Goals: drawings and conditions, joined by `not`, `and`, `or`.

use super::cursor::{Cursor, shorten};
use super::drawings::Role;
use super::lexer::{Kind, Token};
use super::names::Meaning;
use crate::codes::{UNDECLARED, WRONG_PLACE};
use crate::fault::Fault;
use crate::syntax::{Content, Drawing, Goal, StepWord};

impl Cursor<'_> {
    /// A whole goal.
    pub(super) fn goal(&mut self) -> Result<Goal, Fault> {
        let goal = self.either()?;
        self.finish("`and`, `or` or the end of the goal")?;
        Ok(goal)
    }

    pub(super) fn either(&mut self) -> Result<Goal, Fault> {
        let mut all = vec![self.each()?];
        while self.take_word("or") {
            all.push(self.each()?);
        }
        Ok(if all.len() == 1 {
            all.remove(0)
        } else {
            Goal::Or(all)
        })
    }

    fn each(&mut self) -> Result<Goal, Fault> {
        let mut all = vec![self.one_goal()?];
        while self.take_word("and") {
            all.push(self.one_goal()?);
        }
        Ok(if all.len() == 1 {
            all.remove(0)
        } else {
            Goal::And(all)
        })
    }

    fn one_goal(&mut self) -> Result<Goal, Fault> {
        if self.is("(") && holds_goal(self.rest(), self.ctx.text) {
            self.next();
            let inner = self.deeper(Self::either)?;
            self.expect(")")?;
            return Ok(inner);
        }
        match self.word() {
            Some("not") => {
                self.next();
                Ok(Goal::Not(Box::new(self.deeper(Self::one_goal)?)))
            }
            Some("stuck") => {
                self.next();
                Ok(Goal::Stuck)
            }
            Some("contains") => {
                self.next();
                let (pattern, steps) = self.goal_pattern()?;
                Ok(Goal::Contains(pattern, steps))
            }
            Some("never") => {
                self.next();
                let (pattern, steps) = self.goal_pattern()?;
                Ok(Goal::Never(pattern, steps))
            }
            Some("count") => {
                self.next();
                self.count()
            }
            Some("where" | "along") => Err(self
                .unexpected("a goal")
                .help("a goal is a drawing, `contains P`, `never P`, `count W = 1` or `stuck`")),
            _ => Ok(Goal::Drawing(self.drawing(Role::Goal)?)),
        }
    }

    /// A pattern, perhaps with `along`.
    fn goal_pattern(&mut self) -> Result<(Drawing, Vec<StepWord>), Fault> {
        let pattern = self.drawing(Role::Pattern)?;
        self.check_rows(&pattern);
        let place = self.here();
        let steps = if self.take_word("along") {
            self.steps()?
        } else {
            Vec::new()
        };
        self.check_along(&pattern, &steps, place);
        Ok((pattern, steps))
    }

    /// `W = 1` after `count`.
    fn count(&mut self) -> Result<Goal, Fault> {
        let start = self.here();
        if self.ctx.counted {
            return Err(Fault::new(
                WRONG_PLACE,
                start,
                "`count` means nothing on a board of counts",
            )
            .help("write `contains`, `never` or a drawing"));
        }
        let mut contents = Vec::new();
        while let Some(token) = self.peek() {
            match token.kind {
                Kind::Word if !self.is_reserved() => self.counted_word(token, &mut contents),
                Kind::Dots(1) => contents.push(Content::Symbol(0)),
                Kind::Other(c) => match self.ctx.names.symbol(c) {
                    Some(number) => contents.push(Content::Symbol(number)),
                    None => self.undeclared_cell(c, token.span),
                },
                _ => break,
            }
            self.next();
        }
        if self.here() == start {
            return Err(self
                .unexpected("a piece or a class")
                .help("write for example `count W = 1`"));
        }
        let comparison = self.comparison_sign()?;
        let expr = self.integer_expression()?;
        Ok(Goal::Count(contents, comparison, expr))
    }

    fn counted_word(&mut self, token: Token, contents: &mut Vec<Content>) {
        let word = self.text(token.span);
        match self.meaning(word) {
            Some(Meaning::Class(number)) => {
                let members = self.ctx.members.get(number).into_iter().flatten();
                contents.extend(members.filter(|&&m| m != Content::NoCell));
            }
            Some(Meaning::Piece(number)) => contents.push(Content::Symbol(number)),
            Some(Meaning::Unknown) => {}
            Some(_) => {
                let message = format!("`{}` is no piece and no class", shorten(word));
                self.report(
                    word,
                    Fault::new(WRONG_PLACE, token.span, message)
                        .help("write for example `count W = 1`"),
                );
            }
            None => {
                let symbols: Option<Vec<u8>> =
                    word.chars().map(|c| self.ctx.names.symbol(c)).collect();
                if let Some(symbols) = symbols {
                    contents.extend(symbols.into_iter().map(Content::Symbol));
                    return;
                }
                let fault = Fault::new(
                    UNDECLARED,
                    token.span,
                    format!("`{}` is not declared", shorten(word)),
                );
                let fault = match self.nearest(word, &[]) {
                    Some(near) => fault.help(format!("did you mean `{near}`?")),
                    None => fault.help("count a declared piece or class: `count W = 1`"),
                };
                self.report(word, fault);
            }
        }
    }
}

/// Whether the bracket that opens `tokens` holds goals, not the cells of a drawing.
fn holds_goal(tokens: &[Token], text: &str) -> bool {
    let mut depth = 0;
    for token in tokens {
        match token.kind {
            Kind::Sign("(") => depth += 1,
            Kind::Sign(")") if depth == 1 => return false,
            Kind::Sign("/") => return true,
            Kind::Sign(")") => depth -= 1,
            Kind::Word => {
                let word = &text[token.span.start..token.span.end];
                if matches!(
                    word,
                    "and" | "or" | "not" | "contains" | "never" | "count" | "stuck"
                ) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}
