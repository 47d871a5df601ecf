//! A rule made ready for laying on positions: tests and writes, no expressions where none are needed.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::items::Items;
use super::track::{Look, Track};
use crate::codes;
use crate::expr::{self, Names};
use crate::fault::Fault;
use crate::instance::{Instance, LeftItem, RightItem, Rule, Value};
use crate::syntax::{Cond, Expr};

/// One cell that a placement changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The place on a row, else the number of the cell.
    pub place: i64,
    /// What stood there.
    pub before: Value,
    /// What stands there now; never the same.
    pub after: Value,
}

/// Room for laying lines, kept from one to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// What the placement laid last changes.
    pub(super) changes: Vec<Change>,
    lengths: Vec<usize>,
}

/// What a part of the right side does.
#[derive(Clone, Debug)]
enum Write {
    Keep(usize),
    Symbol(Value),
    Recall { item: usize, turned: bool },
    Add(i128),
    AddExpr(Expr),
}

/// A rule, or a line of a strategy, made ready.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) items: Items,
    writes: Vec<Write>,
    /// Names of the captures, and the item that binds each.
    captures: Vec<(String, usize)>,
    condition: Option<Cond>,
    cap: Value,
}

impl Line {
    pub(super) fn new(rule: &Rule, instance: &Instance) -> Result<Self, Fault> {
        let items = Items::new(&rule.left);
        let flat: Vec<&LeftItem> = rule.left.iter().flatten().collect();
        let bound = |capture: usize| {
            let item = flat.iter().position(|i| i.capture == Some(capture));
            item.and_then(|i| items.numbers[i])
                .expect("every capture is bound on the left")
        };
        let mut writes = Vec::new();
        let mut row_begin = 0;
        for (left, right) in rule.left.iter().zip(&rule.right) {
            for item in right {
                writes.push(match item {
                    RightItem::Keep(i) => match items.numbers[row_begin + i] {
                        Some(item) => Write::Keep(item),
                        None => continue,
                    },
                    RightItem::Write(symbol) => Write::Symbol(Value::from(*symbol)),
                    RightItem::Recall(c) => Write::Recall {
                        item: bound(*c),
                        turned: false,
                    },
                    RightItem::Turned(c) => Write::Recall {
                        item: bound(*c),
                        turned: true,
                    },
                    RightItem::Add(e) => amount(e, rule, instance)?,
                });
            }
            row_begin += left.len();
        }
        let captures = rule.captures.iter().enumerate();
        let captures = captures.map(|(c, name)| (name.clone(), bound(c))).collect();
        let cap = instance.board.cap.unwrap_or(Value::MAX);
        Ok(Self {
            items,
            writes,
            captures,
            condition: rule.condition.clone(),
            cap,
        })
    }

    /// Lays the line on a track until `accept` takes the changes of a placement; a placement that
    /// changes nothing, or whose condition fails, is none. `at` is the number of its place.
    pub(super) fn apply(
        &self,
        instance: &Instance,
        track: &impl Track,
        at: Option<i64>,
        scratch: &mut Scratch,
        accept: &mut impl FnMut(&[Change]) -> bool,
    ) -> Result<bool, Fault> {
        let Scratch { changes, lengths } = scratch;
        let mut fault = None;
        let taken = self.items.lay(track, lengths, &mut |lengths| {
            let placed = Placed {
                line: self,
                instance,
                track,
                lengths,
                at,
            };
            match placed.changes(changes) {
                Ok(true) => accept(changes),
                Ok(false) => false,
                Err(found) => {
                    fault = Some(found);
                    true
                }
            }
        });
        fault.map_or(Ok(taken), Err)
    }
}

/// An addition, evaluated now unless it speaks of captures.
fn amount(e: &Expr, rule: &Rule, instance: &Instance) -> Result<Write, Fault> {
    let mut has_captures = false;
    expr::names_of(e, &mut |name, _| {
        has_captures |= rule.captures.iter().any(|c| c == name);
    });
    if has_captures {
        return Ok(Write::AddExpr(e.clone()));
    }
    let value = expr::big_integer(e, &instance.params)?;
    value.to_i128().map(Write::Add).ok_or_else(|| too_large(e))
}

fn too_large(e: &Expr) -> Fault {
    Fault::new(
        codes::BAD_EXPRESSION,
        e.span,
        "the number is too large for a cell",
    )
}

/// A line laid at one place.
struct Placed<'a, T> {
    line: &'a Line,
    instance: &'a Instance,
    track: &'a T,
    lengths: &'a [usize],
    at: Option<i64>,
}

impl<T: Track> Placed<'_, T> {
    /// Collects what changes; false where this is no placement.
    fn changes(&self, changes: &mut Vec<Change>) -> Result<bool, Fault> {
        changes.clear();
        let mut k = 0;
        for write in &self.line.writes {
            let is_legal = match write {
                Write::Keep(item) => {
                    k += self.lengths[*item];
                    continue;
                }
                Write::Symbol(symbol) => self.change(k, Look::Holds(*symbol), changes),
                Write::Recall { item, turned } => {
                    let (begin, length) = (self.begin(*item), self.lengths[*item]);
                    let source = |i: usize| begin + if *turned { length - 1 - i } else { i };
                    let is_legal = (0..length)
                        .all(|i| self.change(k + i, self.track.look(source(i)), changes));
                    k += length;
                    if !is_legal {
                        return Ok(false);
                    }
                    continue;
                }
                Write::Add(n) => self.add(k, *n, changes),
                Write::AddExpr(e) => self.add(k, self.amount(e)?, changes),
            };
            if !is_legal {
                return Ok(false);
            }
            k += 1;
        }
        if changes.is_empty() {
            return Ok(false);
        }
        self.line
            .condition
            .as_ref()
            .map_or(Ok(true), |cond| expr::holds(cond, self))
    }

    /// Notes a change; false where something would be put where no cell is, or `#` on a cell.
    fn change(&self, k: usize, after: Look, changes: &mut Vec<Change>) -> bool {
        match (self.track.look(k), after) {
            (Look::Holds(before), Look::Holds(after)) => {
                if before != after {
                    changes.push(Change {
                        place: self.track.place(k),
                        before,
                        after,
                    });
                }
                true
            }
            (Look::NoCell, Look::NoCell) => true,
            _ => false,
        }
    }

    fn add(&self, k: usize, amount: i128, changes: &mut Vec<Change>) -> bool {
        let Look::Holds(before) = self.track.look(k) else {
            return amount == 0;
        };
        let sum = i128::from(before).checked_add(amount);
        match sum
            .and_then(|sum| Value::try_from(sum).ok())
            .filter(|&sum| sum <= self.line.cap)
        {
            Some(after) => self.change(k, Look::Holds(after), changes),
            None => false,
        }
    }

    fn amount(&self, e: &Expr) -> Result<i128, Fault> {
        match expr::evaluate(e, self)? {
            expr::Value::Int(v) => v.to_i128().ok_or_else(|| too_large(e)),
            _ => Err(Fault::new(
                codes::BAD_EXPRESSION,
                e.span,
                "this is not a number",
            )),
        }
    }

    fn begin(&self, item: usize) -> usize {
        self.lengths[..item].iter().sum()
    }
}

/// The names of a `where`: captures, `at`, parameters; any other word is itself (a piece, the value
/// of a choice). `#` equals nothing, not even `#`.
impl<T: Track> Names for Placed<'_, T> {
    fn value(&self, name: &str) -> Option<expr::Value> {
        if name == "at" {
            return Some(
                self.at
                    .map_or(expr::Value::None, |at| expr::Value::Int(at.into())),
            );
        }
        if let Some((_, item)) = self.line.captures.iter().find(|(n, _)| n == name) {
            return Some(match self.track.look(self.begin(*item)) {
                _ if self.lengths[*item] != 1 => return None,
                Look::Holds(count) if self.instance.board.counted => {
                    expr::Value::Int(BigInt::from(count))
                }
                Look::Holds(symbol) => {
                    let symbols = &self.instance.alphabet.symbols;
                    expr::Value::Word(symbols[symbol as usize].to_string())
                }
                Look::NoCell | Look::End => expr::Value::Word(format!("#{item}")),
            });
        }
        if self.instance.params.get(name).is_some() {
            return self.instance.params.value(name);
        }
        Some(expr::Value::Word(name.to_owned()))
    }
}
