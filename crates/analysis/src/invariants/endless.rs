//! What is kept on an endless row, whatever the window: numbers, sums of places and numbers on even
//! places of each piece, proved on the local rules for every length of every stretch.
//!
//! A local rule laid from place x with stretches of lengths l, m, ... changes such a sum by a polynomial
//! in x, l, m, ... of degree 2 at most, once it is known which of these numbers are odd. It is 0 for
//! all of them exactly if all its coefficients are. Each coefficient is one equation for the factors of
//! the sum.

mod change;
mod goals;

use std::collections::BTreeMap;

use impasse_model::board::Shape;
use impasse_model::instance::{
    Instance, LeftItem, Length, RightItem, Rule, Steps, SymbolSet, Test, Value,
};
use impasse_model::local::{Becomes, LocalRule, local_rules};
use impasse_model::placed::{Amount, Symbol};
use num_bigint::BigInt;
use num_traits::{Signed, Zero as _};

use super::amounts::amount_terms;
use super::echelon::{Form, TooMuch, Work, rational_null_space};
use super::reading::{Reading, Trait, Weighing, words};
use super::system::tidy;
use change::{Block, Change, Columns, Polynomial};
use goals::goals;

/// Rules with more stretches are not looked at.
const MOST_STRETCHES: usize = 6;

/// What is known of an endless row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endless {
    /// A basis of what is kept.
    pub invariants: Vec<RowInvariant>,
    /// Where each goal position can lie; empty where the goal is no list of positions.
    pub ends: Vec<GoalEnd>,
    /// Why no goal can be reached in any window, if none can.
    pub exclusion: Option<RowExclusion>,
}

/// A sum of numbers and places of pieces that every move keeps in every window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowInvariant {
    /// The sum: [`Weighing::Number`], [`Weighing::Place`] and [`Weighing::Even`] only.
    pub reading: Reading,
}

/// Where a goal position can lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalEnd {
    /// The contents from its first to its last occupied cell.
    pub drawing: Vec<Value>,
    /// The places its first cell can have, counted from the first occupied place of the start.
    pub ends: Ends,
}

/// Places that the first cell of a goal can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ends {
    /// It cannot be reached.
    Nowhere,
    /// Only at these, counted from where the start begins.
    At(Vec<i64>),
    /// Nothing kept says where.
    Anywhere,
}

/// Why no goal can be reached in any window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowExclusion {
    /// What is kept, and what every goal differs in wherever it lies.
    pub witnesses: Vec<RowInvariant>,
    /// In words.
    pub sentence: String,
}

impl RowInvariant {
    /// Its value where contents begin at a place.
    #[must_use]
    pub fn value(&self, first: i64, contents: &[Value], counted: bool) -> BigInt {
        let mut sum = BigInt::zero();
        for (factor, part) in &self.reading {
            for (place, &content) in (first..).zip(contents) {
                let times = if counted {
                    content
                } else {
                    u64::from(content == Value::from(part.symbol))
                };
                let weight = match part.weighing {
                    Weighing::Place => place,
                    Weighing::Even => i64::from(place % 2 == 0),
                    _ => 1,
                };
                sum += factor * weight * times;
            }
        }
        sum
    }

    /// In words.
    #[must_use]
    pub fn words(&self, instance: &Instance) -> String {
        words(instance, &self.reading)
    }
}

/// What is kept on an endless row, and what follows for its goals; `None` for other boards, and for
/// rules that are too many or not understood.
#[must_use]
pub fn endless(instance: &Instance) -> Option<Endless> {
    if !matches!(instance.board.shape, Shape::Window { .. } | Shape::Span) {
        return None;
    }
    let mut work = super::Effort::Hasty.work();
    let symbols = symbols(instance)?;
    let rows = rows(instance, &symbols, &mut work)?;
    let invariants = basis(&rows, &symbols, &mut work).ok()?;
    let (ends, exclusion) = goals(instance, &invariants);
    Some(Endless {
        invariants,
        ends,
        exclusion,
    })
}

/// The occupied stretch of a position, and the place of its first cell.
fn occupied(instance: &Instance, position: &[Value]) -> (i64, Vec<Value>) {
    let first = match instance.board.shape {
        Shape::Window { first } => first,
        _ => 0,
    };
    let skipped = position.iter().take_while(|&&v| v == 0).count();
    let end = position.iter().rposition(|&v| v != 0).map_or(0, |i| i + 1);
    let stretch = position.get(skipped..end).unwrap_or_default().to_vec();
    (first + skipped as i64, stretch)
}

/// The pieces that can occur; on counted boards 1 for the count.
fn symbols(instance: &Instance) -> Option<Vec<Symbol>> {
    if instance.board.counted {
        return Some(vec![1]);
    }
    let locals = local_rules(instance).ok()?;
    let starts = instance.starts.iter().flatten();
    let mut found = SymbolSet(starts.fold(1, |all, &content| all | 1 << content));
    loop {
        let before = found;
        for local in locals.iter().filter(|local| may_apply(local, before)) {
            for becomes in &local.right {
                if let Becomes::Symbol(symbol) = becomes {
                    found.0 |= 1 << symbol;
                }
            }
        }
        if found == before {
            return Some(found.symbols().filter(|&s| s != 0).collect());
        }
    }
}

fn may_apply(local: &LocalRule, occurring: SymbolSet) -> bool {
    let items = local.left.iter().flatten();
    items
        .filter(|item| !matches!(item.length, Length::AtLeast(0) | Length::Shortest))
        .all(|item| set_of(item.test).0 & occurring.0 != 0)
}

fn set_of(test: Test) -> SymbolSet {
    match test {
        Test::Symbols(set) => set,
        Test::NoCell | Test::Counts(..) => SymbolSet(0),
    }
}

/// All equations.
fn rows(instance: &Instance, symbols: &[Symbol], work: &mut Work) -> Option<Vec<Form>> {
    let columns = Columns(symbols);
    let mut rows = Vec::new();
    if instance.board.counted {
        for rule in &instance.rules {
            rows.extend(counted_rows(instance, rule, columns, work)?);
        }
    } else {
        let every = SymbolSet(symbols.iter().fold(1, |all, s| all | 1 << s));
        let locals = local_rules(instance).ok()?;
        for local in locals.iter().filter(|local| may_apply(local, every)) {
            rows.extend(symbol_rows(local, every, columns, work)?);
        }
    }
    rows.sort_unstable();
    rows.dedup();
    Some(rows)
}

/// The strides of a rule that is laid along a row; `None` if it leaves the row.
fn strides(steps: &Steps) -> Option<Vec<i64>> {
    match steps {
        Steps::Vectors(vectors) => vectors
            .iter()
            .map(|&(dx, dy)| (dy == 0).then_some(i64::from(dx)))
            .collect(),
        Steps::Edges | Steps::Drawn => None,
    }
}

/// The blocks of a list of items, laid one after another, and the number of stretches among them.
fn blocks(items: &[LeftItem]) -> Option<(Vec<Block>, usize)> {
    let mut offset = Polynomial::default();
    let mut stretches = 0;
    let mut blocks = Vec::new();
    for item in items {
        let is_one = item.length == Length::One;
        let length = if is_one {
            Polynomial::number(1)
        } else {
            stretches += 1;
            Polynomial::variable(stretches)
        };
        let next = offset.clone().plus(&length, 1);
        blocks.push(Block {
            offset: std::mem::replace(&mut offset, next),
            length,
            is_one,
        });
    }
    (stretches <= MOST_STRETCHES).then_some((blocks, stretches))
}

/// Every way in which the place and the lengths can be odd or even.
fn parities(stretches: usize) -> impl Iterator<Item = Vec<bool>> {
    let variables = stretches + 1;
    (0..1_u32 << variables).map(move |bits| (0..variables).map(|v| bits >> v & 1 == 1).collect())
}

fn symbol_rows(
    local: &LocalRule,
    every: SymbolSet,
    columns: Columns<'_>,
    work: &mut Work,
) -> Option<Vec<Form>> {
    let [items] = &local.left[..] else {
        return None;
    };
    let (blocks, stretches) = blocks(items)?;
    let contents = |item: usize| -> Vec<Symbol> {
        let set = SymbolSet(set_of(items[item].test).0 & every.0);
        set.symbols().collect()
    };
    let mut rows = Vec::new();
    for stride in strides(&local.steps)? {
        for odd in parities(stretches) {
            work.take(items.len() * (1 + columns.0.len())).ok()?;
            let mut change = Change::new(columns, stride, &odd);
            // Where the next item of the right side begins.
            let mut at = Polynomial::default();
            for (number, becomes) in local.right.iter().enumerate() {
                // Sides with written symbols are aligned: the left item lies at the same cells.
                let item = match *becomes {
                    Becomes::Keep(item) | Becomes::Take { item, .. } => item,
                    Becomes::Symbol(_) => number,
                };
                let (length, is_one) = match becomes {
                    Becomes::Symbol(_) => (Polynomial::number(1), true),
                    _ => (blocks[item].length.clone(), blocks[item].is_one),
                };
                let here = Block {
                    offset: at.clone(),
                    length: length.clone(),
                    is_one,
                };
                at.add(&length, 1);
                match *becomes {
                    Becomes::Keep(_) => {}
                    Becomes::Symbol(after) => {
                        let before = *contents(item).first()?;
                        change.put(before, &blocks[item], -1);
                        change.put(after, &here, 1);
                    }
                    Becomes::Take { item, .. } => {
                        let symbols = contents(item);
                        let Some(&first) = symbols.first() else {
                            continue;
                        };
                        change.put(first, &blocks[item], -1);
                        change.put(first, &here, 1);
                        for &other in &symbols[1..] {
                            let mut differs = Change::new(columns, stride, &odd);
                            // How a longer stretch is filled, or turned, does not matter where all its
                            // contents weigh alike.
                            if is_one {
                                differs.put(other, &here, 1);
                                differs.put(other, &blocks[item], -1);
                                differs.put(first, &here, -1);
                                differs.put(first, &blocks[item], 1);
                                rows.extend(differs.equations());
                            } else {
                                rows.extend(alike(columns, first, other));
                            }
                        }
                    }
                }
            }
            rows.extend(change.equations());
        }
    }
    Some(rows)
}

/// That two contents of a stretch weigh alike at every place: enough for a stretch that moves as it
/// is, whatever it holds.
fn alike(columns: Columns<'_>, first: Symbol, other: Symbol) -> Vec<Form> {
    let of_kind = |kind: usize| {
        let terms = [(first, -1), (other, 1)];
        let terms = terms.into_iter();
        tidy(
            terms
                .filter_map(|(s, n)| Some((columns.of(kind, s)?, n)))
                .collect(),
        )
    };
    let forms = [of_kind(0), of_kind(1)].into_iter();
    forms.filter(|form| !form.is_empty()).collect()
}

fn counted_rows(
    instance: &Instance,
    rule: &Rule,
    columns: Columns<'_>,
    work: &mut Work,
) -> Option<Vec<Form>> {
    let ([items], [right]) = (&rule.left[..], &rule.right[..]) else {
        return None;
    };
    let (blocks, stretches) = blocks(items)?;
    let mut rows = Vec::new();
    for stride in strides(&rule.steps)? {
        for odd in parities(stretches) {
            work.take(items.len()).ok()?;
            let mut by_term: BTreeMap<String, Change<'_>> = BTreeMap::new();
            for (block, item) in blocks.iter().zip(right) {
                let RightItem::Add(expr) = item else { continue };
                let terms = amount_terms(instance, &Amount::Computed(expr.clone()))?;
                for (term, n) in terms {
                    let change = by_term
                        .entry(term)
                        .or_insert_with(|| Change::new(columns, stride, &odd));
                    change.put(1, block, n);
                }
            }
            for (_, change) in by_term {
                rows.extend(change.equations());
            }
        }
    }
    Some(rows)
}

fn basis(rows: &[Form], symbols: &[Symbol], work: &mut Work) -> Result<Vec<RowInvariant>, TooMuch> {
    let kinds = [Weighing::Even, Weighing::Place, Weighing::Number];
    let traits: Vec<Trait> = kinds
        .into_iter()
        .flat_map(|weighing| {
            let of = move |&symbol: &Symbol| Trait {
                symbol,
                weighing: weighing.clone(),
            };
            symbols.iter().map(of).collect::<Vec<_>>()
        })
        .collect();
    let vectors = rational_null_space(rows, traits.len(), work)?.into_iter();
    let mut found: Vec<RowInvariant> = vectors
        .map(|vector| {
            let first = vector.iter().find(|n| !n.is_zero());
            let sign = if first.is_some_and(Signed::is_negative) {
                -1
            } else {
                1
            };
            let parts = vector.iter().zip(&traits).filter(|(n, _)| !n.is_zero());
            let reading = parts.map(|(n, part)| (n * sign, part.clone())).collect();
            RowInvariant { reading }
        })
        .collect();
    // Numbers of pieces first.
    found.sort_by_key(|invariant| {
        let kinds = invariant.reading.iter().map(|(_, part)| &part.weighing);
        kinds.filter(|kind| **kind != Weighing::Number).count()
    });
    Ok(found)
}
