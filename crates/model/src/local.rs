//! Local rules: rules with their captures filled, before they are placed.
//!
//! A local rule speaks of items in a row (or rows), not of cells of a board, and still has its
//! stretches: it is one rule for every length of the board. Where filling would be factorial
//! (captured stretches, many distinct pieces) contents are moved as they are instead.

use crate::expr::{Names, Value, holds};
use crate::instance::{
    Alphabet, Instance, LeftItem, Length, RightItem, Rule, Steps, SymbolSet, Test,
};
use crate::params::Params;
use crate::placed::{PlaceError, Symbol};
use crate::syntax::{Cond, CondKind, Expr, ExprKind};

/// A rule with more fillings moves contents as they are, if it can.
const MANY_FILLINGS: usize = 64;
/// A rule with more fillings that cannot is refused.
const MOST_FILLINGS: usize = 65_536;

/// A rule with its captures filled.
#[derive(Clone, Debug)]
pub struct LocalRule {
    /// Number of the rule it comes from.
    pub rule: u16,
    /// Left side, in rows, with narrowed tests.
    pub left: Vec<Vec<LeftItem>>,
    /// The tests as written: what a shortest stretch looks for.
    pub wide: Vec<Vec<Test>>,
    /// What the covered cells become, in the order of the right side, row by row.
    pub right: Vec<Becomes>,
    /// Steps.
    pub steps: Steps,
    /// What is left of `where`: it speaks of `at`, with the captures that were filled.
    pub at_condition: Option<(Cond, Filling)>,
}

/// What a part of the right side becomes. Items are numbered through all rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Becomes {
    /// The cells of this left item keep what they hold.
    Keep(usize),
    /// One cell becomes this symbol.
    Symbol(Symbol),
    /// The contents of this left item, perhaps turned round.
    Take {
        /// The left item.
        item: usize,
        /// Turned round.
        turned: bool,
    },
}

/// Names of captures and the content each was filled with; `None` is `#`.
pub type Filling = Vec<(String, Option<Symbol>)>;

/// The local rules of an instance on a symbol board, in rule order.
///
/// # Errors
/// [`PlaceError`] for too many fillings or a condition without a value.
pub fn local_rules(instance: &Instance) -> Result<Vec<LocalRule>, PlaceError> {
    let mut out = Vec::new();
    for (number, rule) in instance.rules.iter().enumerate() {
        fill(number as u16, rule, instance, &mut out)?;
    }
    Ok(out)
}

/// The items of a rule in one list, and what each changed cell needs.
struct Sides<'a> {
    rule: &'a Rule,
    left: Vec<LeftItem>,
    right: Vec<RightItem>,
    /// The left item that binds each capture.
    bound: Vec<usize>,
}

impl<'a> Sides<'a> {
    fn new(rule: &'a Rule) -> Self {
        let left: Vec<LeftItem> = rule.left.iter().flatten().copied().collect();
        let mut right = Vec::new();
        let mut row_start = 0;
        for (row, items) in rule.right.iter().enumerate() {
            right.extend(items.iter().map(|item| match item {
                RightItem::Keep(i) => RightItem::Keep(row_start + i),
                other => other.clone(),
            }));
            row_start += rule.left[row].len();
        }
        let bound = (0..rule.captures.len())
            .map(|c| {
                left.iter()
                    .position(|i| i.capture == Some(c))
                    .expect("captures are bound")
            })
            .collect();
        Self {
            rule,
            left,
            right,
            bound,
        }
    }

    /// Whether each right item covers exactly the cells of the left item of its number.
    fn is_aligned(&self) -> bool {
        self.left.len() == self.right.len()
            && self
                .left
                .iter()
                .zip(&self.right)
                .enumerate()
                .all(|(i, (left, right))| match right {
                    RightItem::Keep(k) => *k == i,
                    RightItem::Write(_) | RightItem::Add(_) => left.length == Length::One,
                    RightItem::Recall(c) | RightItem::Turned(c) => {
                        left.length == Length::One
                            && self.left[self.bound[*c]].length == Length::One
                    }
                })
    }

    /// Whether the right side leaves left item `i` as it is (aligned rules).
    fn keeps(&self, i: usize) -> bool {
        match self.right[i] {
            RightItem::Keep(_) => true,
            RightItem::Recall(c) | RightItem::Turned(c) => self.bound[c] == i,
            _ => false,
        }
    }

    /// The left items whose content must be known to write the change down, ascending.
    fn concrete(&self) -> Vec<usize> {
        let mut out: Vec<usize> = (0..self.left.len()).filter(|&i| !self.keeps(i)).collect();
        for (i, item) in self.right.iter().enumerate() {
            if let RightItem::Recall(c) | RightItem::Turned(c) = item
                && self.bound[*c] != i
            {
                out.push(self.bound[*c]);
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The left items of one cell whose captures the condition names.
    fn in_condition(&self) -> Vec<usize> {
        let Some(cond) = &self.rule.condition else {
            return Vec::new();
        };
        let mut names = Vec::new();
        names_of_cond(cond, &mut names);
        let captures = self.rule.captures.iter().enumerate();
        captures
            .filter(|(_, name)| names.contains(name))
            .map(|(c, _)| self.bound[c])
            .collect()
    }
}

/// Every name a condition mentions.
pub(crate) fn names_of_cond(cond: &Cond, out: &mut Vec<String>) {
    match &cond.kind {
        CondKind::Compare(a, _, b) => [a, b].iter().for_each(|e| names_of_expr(e, out)),
        CondKind::In(a, b, c) => [a, b, c].iter().for_each(|e| names_of_expr(e, out)),
        CondKind::And(all) | CondKind::Or(all) => all.iter().for_each(|c| names_of_cond(c, out)),
        CondKind::Not(c) => names_of_cond(c, out),
    }
}

/// Every name an expression mentions.
pub(crate) fn names_of_expr(expr: &Expr, out: &mut Vec<String>) {
    match &expr.kind {
        ExprKind::Int(_) => {}
        ExprKind::Name(name) => out.push(name.clone()),
        ExprKind::Neg(e) | ExprKind::Factorial(e) => names_of_expr(e, out),
        ExprKind::Binary(_, a, b) => [a, b].iter().for_each(|e| names_of_expr(e, out)),
        ExprKind::Call(_, args) => args.iter().for_each(|e| names_of_expr(e, out)),
    }
}

fn set_of(test: Test) -> SymbolSet {
    match test {
        Test::Symbols(set) => set,
        Test::NoCell => SymbolSet::NO_CELL,
        Test::Counts(..) => SymbolSet(0),
    }
}

/// The members of a set as contents; `None` is `#`.
fn contents(set: SymbolSet) -> Vec<Option<Symbol>> {
    let mut out: Vec<Option<Symbol>> = set.symbols().map(Some).collect();
    if set.has_no_cell() {
        out.push(None);
    }
    out
}

fn fill(
    number: u16,
    rule: &Rule,
    instance: &Instance,
    out: &mut Vec<LocalRule>,
) -> Result<(), PlaceError> {
    let sides = Sides::new(rule);
    let mut known = sides.in_condition();
    let mut moving = !sides.is_aligned();
    if !moving {
        let concrete = sides.concrete();
        let sizes = concrete
            .iter()
            .map(|&i| contents(set_of(sides.left[i].test)).len());
        let fillings = sizes.fold(1_usize, usize::saturating_mul);
        moving = fillings > MANY_FILLINGS && rearrangement(&sides).is_some();
        if !moving {
            if fillings > MOST_FILLINGS {
                return Err(PlaceError::TooManyFillings {
                    name: rule.name.clone(),
                    most: MOST_FILLINGS,
                });
            }
            known.extend(concrete);
        }
    }
    known.sort_unstable();
    known.dedup();
    known.retain(|&i| sides.left[i].length == Length::One);
    let right = if moving { rearrangement(&sides) } else { None };
    if moving && right.is_none() {
        return Err(PlaceError::TooManyFillings {
            name: rule.name.clone(),
            most: MOST_FILLINGS,
        });
    }
    let choices: Vec<Vec<Option<Symbol>>> = known
        .iter()
        .map(|&i| contents(set_of(sides.left[i].test)))
        .collect();
    let mut digits = vec![0; choices.len()];
    loop {
        if choices.iter().any(Vec::is_empty) {
            return Ok(());
        }
        let values: Vec<Option<Symbol>> = digits
            .iter()
            .zip(&choices)
            .map(|(&d, c): (&usize, _)| c[d])
            .collect();
        if let Some(local) =
            with_filling(number, &sides, &known, &values, right.as_deref(), instance)?
        {
            out.push(local);
        }
        let Some(wheel) = (0..digits.len())
            .rev()
            .find(|&i| digits[i] + 1 < choices[i].len())
        else {
            return Ok(());
        };
        digits[wheel] += 1;
        digits[wheel + 1..].fill(0);
    }
}

/// The local rule of one filling; `None` where the condition fails or a `#` would be changed.
fn with_filling(
    number: u16,
    sides: &Sides<'_>,
    filled: &[usize],
    values: &[Option<Symbol>],
    rearranged: Option<&[Becomes]>,
    instance: &Instance,
) -> Result<Option<LocalRule>, PlaceError> {
    let rule = sides.rule;
    let value_of = |item: usize| filled.iter().position(|&i| i == item).map(|k| values[k]);
    let filling: Filling = rule
        .captures
        .iter()
        .enumerate()
        .filter_map(|(c, name)| value_of(sides.bound[c]).map(|v| (name.clone(), v)))
        .collect();
    let mut at_condition = None;
    if let Some(cond) = &rule.condition {
        let mut names = Vec::new();
        names_of_cond(cond, &mut names);
        if names.iter().any(|n| n == "at") {
            at_condition = Some((cond.clone(), filling.clone()));
        } else if !condition_holds(cond, &filling, None, &instance.alphabet, &instance.params)
            .map_err(|message| PlaceError::Condition {
                name: rule.name.clone(),
                message,
            })?
        {
            return Ok(None);
        }
    }
    let narrowed = |i: usize, item: LeftItem| match value_of(i) {
        Some(Some(s)) => LeftItem {
            test: Test::Symbols(SymbolSet::one(s)),
            ..item
        },
        Some(None) => LeftItem {
            test: Test::Symbols(SymbolSet::NO_CELL),
            ..item
        },
        None => item,
    };
    let right = if let Some(right) = rearranged {
        right.to_vec()
    } else {
        let mut right = Vec::new();
        for (i, item) in sides.right.iter().enumerate() {
            right.push(match item {
                _ if sides.keeps(i) => Becomes::Keep(i),
                RightItem::Write(s) => Becomes::Symbol(*s),
                RightItem::Recall(c) | RightItem::Turned(c) => {
                    match value_of(sides.bound[*c]).expect("moved captures are filled") {
                        Some(s) => Becomes::Symbol(s),
                        None => return Ok(None),
                    }
                }
                RightItem::Keep(k) => Becomes::Keep(*k),
                RightItem::Add(_) => unreachable!("counted rules are placed as they are"),
            });
            if matches!(right[i], Becomes::Symbol(_)) && value_of(i) == Some(None) {
                return Ok(None);
            }
        }
        right
    };
    let mut i = 0;
    let left = rule
        .left
        .iter()
        .map(|row| {
            row.iter()
                .map(|&item| {
                    i += 1;
                    narrowed(i - 1, item)
                })
                .collect()
        })
        .collect();
    let wide = rule
        .left
        .iter()
        .map(|row| row.iter().map(|i| i.test).collect())
        .collect();
    Ok(Some(LocalRule {
        rule: number,
        left,
        wide,
        right,
        steps: rule.steps.clone(),
        at_condition,
    }))
}

/// The right side as a rearrangement of contents: each content that leaves arrives exactly once.
fn rearrangement(sides: &Sides<'_>) -> Option<Vec<Becomes>> {
    let mut taken = vec![false; sides.left.len()];
    let mut out = Vec::new();
    for item in &sides.right {
        out.push(match item {
            RightItem::Keep(i) => {
                taken[*i] = true;
                Becomes::Keep(*i)
            }
            RightItem::Recall(c) | RightItem::Turned(c) => {
                let item_number = sides.bound[*c];
                if std::mem::replace(&mut taken[item_number], true) {
                    return None;
                }
                Becomes::Take {
                    item: item_number,
                    turned: matches!(item, RightItem::Turned(_)),
                }
            }
            RightItem::Write(s) => Becomes::Symbol(*s),
            RightItem::Add(_) => return None,
        });
    }
    // A written symbol is the content of a changed cell that could hold nothing else.
    for become_ in &mut out {
        if let Becomes::Symbol(s) = *become_ {
            let source = (0..sides.left.len()).find(|&i| {
                !taken[i]
                    && sides.left[i].length == Length::One
                    && set_of(sides.left[i].test) == SymbolSet::one(s)
            })?;
            taken[source] = true;
            *become_ = Becomes::Take {
                item: source,
                turned: false,
            };
        }
    }
    taken.iter().all(|&t| t).then_some(out)
}

/// Whether a `where` holds for filled captures and a place.
pub(crate) fn condition_holds(
    cond: &Cond,
    filling: &Filling,
    at: Option<i64>,
    alphabet: &Alphabet,
    params: &Params,
) -> Result<bool, String> {
    holds(
        cond,
        &Where {
            filling,
            at,
            alphabet,
            params,
        },
    )
    .map_err(|fault| fault.message)
}

/// The names of a `where`: captures, `at`, parameters; any other word is itself (a piece, the value
/// of a choice). `#` equals nothing, not even `#`.
struct Where<'a> {
    filling: &'a Filling,
    at: Option<i64>,
    alphabet: &'a Alphabet,
    params: &'a Params,
}

impl Names for Where<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        if name == "at" {
            return Some(self.at.map_or(Value::None, |at| Value::Int(at.into())));
        }
        if let Some(position) = self.filling.iter().position(|(n, _)| n == name) {
            return Some(Value::Word(match self.filling[position].1 {
                Some(symbol) => self.alphabet.symbols[usize::from(symbol)].to_string(),
                None => format!("#{position}"),
            }));
        }
        if self.params.get(name).is_some() {
            return self.params.value(name);
        }
        Some(Value::Word(name.to_owned()))
    }
}
