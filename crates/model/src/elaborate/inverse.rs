//! `<->`: the move from right to left, as a rule of its own.

use super::Scope;
use super::items::{is_fixed_amount, negated};
use super::sides::single;
use crate::codes;
use crate::expr;
use crate::fault::Fault;
use crate::instance::{LeftItem, Length, RightItem, Rule, SymbolSet, Test, Value};
use crate::syntax::{Comparison, Cond, CondKind, Expr, ExprKind};

impl Scope<'_> {
    /// The inverse: its left side is the right side, where each capture is bound at the first place
    /// it was written to and keeps its class; what was kept stays where it is.
    pub(super) fn inverse(&self, rule: &Rule) -> Result<Rule, Fault> {
        if self.file.board.counted {
            return self.counted_inverse(rule);
        }
        let mut inverse = Rule {
            left: Vec::new(),
            right: Vec::new(),
            ..rule.clone()
        };
        let mut bound = kept_captures(rule);
        for (r, items) in rule.right.iter().enumerate() {
            let mut row = Vec::with_capacity(items.len());
            for item in items {
                row.push(match item {
                    RightItem::Keep(i) => rule.left[r][*i],
                    RightItem::Write(s) => one(Test::Symbols(SymbolSet::one(*s)), None),
                    RightItem::Recall(c) | RightItem::Turned(c) => {
                        let source = binder(rule, *c);
                        let capture = if bound.contains(c) {
                            again(&mut inverse, *c, source)?
                        } else {
                            bound.push(*c);
                            *c
                        };
                        LeftItem {
                            capture: Some(capture),
                            ..source
                        }
                    }
                    RightItem::Add(_) => unreachable!("amounts stand on counted boards only"),
                });
            }
            inverse.left.push(row);
        }
        for (r, items) in rule.left.iter().enumerate() {
            let row = items
                .iter()
                .enumerate()
                .map(|(i, item)| restored(rule, r, i, *item, &bound));
            inverse.right.push(row.collect::<Result<_, _>>()?);
        }
        Ok(inverse)
    }

    /// On counted boards every item stays in its place: what was added is taken away.
    fn counted_inverse(&self, rule: &Rule) -> Result<Rule, Fault> {
        let mut inverse = rule.clone();
        for (r, row) in rule.right.iter().enumerate() {
            for (i, item) in row.iter().enumerate() {
                let RightItem::Add(amount) = item else {
                    continue;
                };
                let before = rule.left[r][i];
                if before
                    .capture
                    .is_some_and(|c| is_named(rule, &rule.captures[c]))
                {
                    let message = "the inverse cannot know the number that was here before";
                    return Err(Fault::new(codes::UNBOUND_CAPTURE, amount.span, message)
                        .help("write the inverse as a move of its own"));
                }
                let test = if is_fixed_amount(amount, &rule.captures) {
                    shifted(before.test, expr::integer(amount, self.params)?)
                } else if before.test == Test::Counts(0, Value::MAX) {
                    before.test
                } else {
                    let message = "the inverse of an amount that varies, where a number is tested";
                    return Err(Fault::new(codes::UNBOUND_CAPTURE, amount.span, message)
                        .help("write the inverse as a move of its own"));
                };
                inverse.left[r][i].test = test;
                inverse.right[r][i] = RightItem::Add(negated(amount));
            }
        }
        Ok(inverse)
    }
}

fn one(test: Test, capture: Option<usize>) -> LeftItem {
    LeftItem {
        test,
        length: Length::One,
        capture,
        is_any: false,
    }
}

/// The left item that binds a capture.
fn binder(rule: &Rule, capture: usize) -> LeftItem {
    let mut items = rule.left.iter().flatten();
    *items
        .find(|item| item.capture == Some(capture))
        .expect("a capture in use is bound")
}

/// Captures whose place is kept: the inverse binds them there.
fn kept_captures(rule: &Rule) -> Vec<usize> {
    let rows = rule.right.iter().zip(&rule.left);
    rows.flat_map(|(right, left)| {
        right.iter().filter_map(|item| match item {
            RightItem::Keep(i) => left[*i].capture,
            _ => None,
        })
    })
    .collect()
}

/// A capture that was written a second time: the inverse demands that both places hold the same.
fn again(inverse: &mut Rule, capture: usize, source: LeftItem) -> Result<usize, Fault> {
    let name = inverse.captures[capture].clone();
    if source.length != Length::One {
        let message = format!("the inverse would have to compare two stretches `{name}`");
        return Err(Fault::new(codes::STRETCH_DIFFERS, inverse.span, message)
            .help("write `->`, and the inverse as a move of its own"));
    }
    // No capture in a file has a name with a quote in it.
    let twin = format!("{name}'{}", inverse.captures.len());
    let span = inverse.span;
    let named = |name: &str| Expr {
        kind: ExprKind::Name(name.to_owned()),
        span,
    };
    let equal = CondKind::Compare(named(&twin), Comparison::Eq, named(&name));
    let equal = Cond { kind: equal, span };
    inverse.condition = Some(match inverse.condition.take() {
        None => equal,
        Some(rest) => Cond {
            kind: CondKind::And(vec![rest, equal]),
            span,
        },
    });
    inverse.captures.push(twin);
    Ok(inverse.captures.len() - 1)
}

/// What the inverse does at a left item of the rule.
fn restored(
    rule: &Rule,
    r: usize,
    i: usize,
    item: LeftItem,
    bound: &[usize],
) -> Result<RightItem, Fault> {
    let right = &rule.right[r];
    if let Some(j) = right
        .iter()
        .position(|x| matches!(x, RightItem::Keep(k) if *k == i))
    {
        return Ok(RightItem::Keep(j));
    }
    if let (Some(s), Length::One) = (single(item.test), item.length) {
        return Ok(RightItem::Write(s));
    }
    match item.capture {
        Some(c) if bound.contains(&c) => {
            let mut written = rule.right.iter().flatten();
            let turned = written.any(|x| matches!(x, RightItem::Turned(t) if *t == c));
            Ok(if turned {
                RightItem::Turned(c)
            } else {
                RightItem::Recall(c)
            })
        }
        _ => {
            let message = "the inverse cannot know what stood here before";
            Err(Fault::new(codes::UNBOUND_CAPTURE, rule.span, message)
                .help("remember each item that is overwritten, as in `x:coin . <-> . x`"))
        }
    }
}

/// Whether the condition or an amount speaks of a capture.
fn is_named(rule: &Rule, capture: &str) -> bool {
    let mut named = false;
    if let Some(cond) = &rule.condition {
        expr::names_of_condition(cond, &mut |name, _| named |= name == capture);
    }
    for item in rule.right.iter().flatten() {
        if let RightItem::Add(e) = item {
            expr::names_of(e, &mut |name, _| named |= name == capture);
        }
    }
    named
}

/// The test for a number after `amount` was added to one that passed `test`.
fn shifted(test: Test, amount: i64) -> Test {
    let Test::Counts(low, high) = test else {
        return test;
    };
    let shift = |v: Value| v.saturating_add_signed(amount);
    let high = if high == Value::MAX {
        high
    } else {
        shift(high)
    };
    // All of a range below zero: no number was left that could be the result.
    match i64::try_from(high) {
        Ok(_)
            if high == 0
                && amount < 0
                && !matches!(test, Test::Counts(_, h) if h >= amount.unsigned_abs()) =>
        {
            Test::Counts(1, 0)
        }
        _ => Test::Counts(shift(low), high),
    }
}
