//! Moves, the lines of strategies, and mirrors.

use super::conditions::Scope;
use super::cursor::{Context, Cursor, shorten};
use super::drawings::Role;
use super::lexer::{Token, tokens};
use super::lines::Item;
use super::names::{LONGEST_NAME, strategy_name};
use crate::codes::{SYNTAX, WRONG_PLACE};
use crate::fault::Fault;
use crate::syntax::{
    Atom, Cond, Drawing, MoveItem, Span, Spanned, StepWord, Strategy, StrategyLine, Term,
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
    let Some((name, colon)) = name_of(ctx.text, item) else {
        faults.push(no_colon(item));
        return None;
    };
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

/// The name of a move, and where its colon stands in the body of the item.
fn name_of<'t>(text: &'t str, item: &Item) -> Option<(&'t str, usize)> {
    let body = &text[item.body.start..item.body.end];
    let first_line = body.lines().next().unwrap_or("");
    let first_line = first_line.split("//").next().unwrap_or("");
    let colon = first_line.find(':')?;
    Some((first_line[..colon].trim(), colon))
}

/// The names of all moves, each once, the longest first.
pub(super) fn names(text: &str, items: &[Item]) -> Vec<String> {
    let moves = items.iter().filter(|item| item.word == "move");
    let named = moves.filter_map(|item| name_of(text, item));
    let mut names: Vec<String> = named.map(|(name, _)| name.to_owned()).collect();
    names.retain(|name| !name.is_empty());
    names.sort_by(|a, b| (b.len(), a).cmp(&(a.len(), b)));
    names.dedup();
    names
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
    if text.starts_with('_')
        || text.ends_with('-')
        || text.contains("--")
        || text.len() > LONGEST_NAME
    {
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
    let found = faults.len();
    faults.append(&mut cursor.faults);
    let sides = sides.map_err(|fault| faults.push(fault)).ok()?;
    if sides.both {
        let fault = Fault::new(WRONG_PLACE, span, "a line of a strategy goes one way");
        faults.push(fault.help("write `->`"));
    }
    let Sides {
        left,
        right,
        condition,
        ..
    } = sides;
    (faults.len() == found).then_some(StrategyLine {
        left,
        right,
        condition,
        span,
    })
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
            self.note(rows_differ(&left, &right));
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
