//! What every move adds to a sum.

use std::collections::BTreeMap;

use impasse_model::board::Shape;
use impasse_model::expr::{self, Names, Value as Term};
use impasse_model::instance::{Instance, LeftItem, RightItem, Rule, Value};
use num_bigint::BigInt;

use super::laying::{ways, ways_on_endless_row};
use super::{Doubt, Sum, Weights};
use crate::field::{Field, Place, is_endless};
use crate::lay::{Laid, passes};

/// More contents of captures under a condition are not gone through, a placement.
const MOST_FILLINGS: usize = 4096;

/// Checks that no move changes any of the sums.
pub(super) fn check_kept(
    instance: &Instance,
    sums: &[Sum],
    symbols: &[Value],
) -> Result<(), Doubt> {
    let on_row = matches!(sums[0].weights, Weights::Row(_));
    if !on_row && instance.board.shape == Shape::Span {
        return Err(Doubt::Unsure(
            "positions up to shift have no cells to weigh",
        ));
    }
    for rule in &instance.rules {
        let ways = if on_row {
            ways_on_endless_row(&rule.left, &rule.steps)?
        } else {
            ways(&instance.board, &rule.left, &rule.steps, symbols)?
        };
        for laid in ways {
            let placement = Placement {
                instance,
                rule,
                laid: &laid,
                symbols,
                on_row,
            };
            placement.check(sums)?;
        }
    }
    Ok(())
}

/// Where the new content of a cell comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// It is written.
    Symbol(Value),
    /// It is what this cell of the left side held.
    Cell(usize),
}

/// A rule laid somewhere, whatever the cells hold.
struct Placement<'a> {
    instance: &'a Instance,
    rule: &'a Rule,
    laid: &'a Laid,
    symbols: &'a [Value],
    on_row: bool,
}

/// The cells of a left side in order: place, the item, what may stand there; `None` is no cell.
struct Covered {
    place: Place,
    item: LeftItem,
    contents: Option<Vec<Value>>,
}

impl Placement<'_> {
    fn check(&self, sums: &[Sum]) -> Result<(), Doubt> {
        if self.instance.board.counted {
            return self.check_counted(sums);
        }
        let mut covered = self.covered();
        let Some(targets) = self.targets(&covered) else {
            return Ok(());
        };
        // Beyond a window nothing may be put.
        for &(target, source) in &targets {
            if self.is_beyond(covered[target].place) {
                match source {
                    Source::Symbol(0) => {}
                    Source::Symbol(_) => return Ok(()),
                    Source::Cell(cell) => {
                        if let Some(contents) = &mut covered[cell].contents {
                            contents.retain(|&v| v == 0);
                        }
                    }
                }
            }
        }
        if covered
            .iter()
            .any(|c| c.contents.as_ref().is_some_and(Vec::is_empty))
        {
            return Ok(());
        }
        let named = self.named_in_condition(&covered);
        let mut fillings: Vec<BTreeMap<usize, Value>> = vec![BTreeMap::new()];
        for cell in named {
            let Some(contents) = &covered[cell].contents else {
                continue;
            };
            let longer = |known: &BTreeMap<usize, Value>| {
                let with = |&v: &Value| {
                    let mut filling = known.clone();
                    filling.insert(cell, v);
                    filling
                };
                contents.iter().map(with).collect::<Vec<_>>()
            };
            fillings = fillings.iter().flat_map(longer).collect();
            if fillings.len() > MOST_FILLINGS {
                return Err(Doubt::Unsure("a condition speaks of too many contents"));
            }
        }
        for filling in fillings {
            if self.holds(&covered, &filling)? {
                self.check_filling(sums, &covered, &targets, &filling)?;
            }
        }
        Ok(())
    }

    fn covered(&self) -> Vec<Covered> {
        let empty = vec![0; self.instance.board.cells];
        let field = Field::new(&self.instance.board, &empty, i64::from(u16::MAX));
        let rows = self.rule.left.iter().zip(self.laid);
        let items = rows.flat_map(|(items, places)| items.iter().zip(places));
        let cells = items.flat_map(|(&item, places)| places.iter().map(move |&p| (item, p)));
        let covered = cells.map(|(item, place)| {
            let passing = self.symbols.iter().copied();
            let passing = passing.filter(|&v| passes(item.test, Some(v)));
            let contents = if self.on_row || field.cell(place).is_some() {
                Some(passing.collect())
            } else if is_endless(&self.instance.board) {
                Some(passing.filter(|&v| v == 0).collect())
            } else {
                None
            };
            Covered {
                place,
                item,
                contents,
            }
        });
        covered.collect()
    }

    fn is_beyond(&self, place: Place) -> bool {
        let empty = vec![0; self.instance.board.cells];
        let field = Field::new(&self.instance.board, &empty, 0);
        !self.on_row && is_endless(&self.instance.board) && field.cell(place).is_none()
    }

    /// The cells that are written, by number in the left side; `None` where the placement is no move.
    fn targets(&self, covered: &[Covered]) -> Option<Vec<(usize, Source)>> {
        let mut targets = Vec::new();
        let mut at = 0;
        for (row, items) in self.rule.right.iter().enumerate() {
            for item in items {
                let sources: Vec<Source> = match item {
                    RightItem::Keep(number) => {
                        at += self.laid[row][*number].len();
                        continue;
                    }
                    RightItem::Write(symbol) => vec![Source::Symbol(Value::from(*symbol))],
                    RightItem::Recall(capture) => captured(covered, *capture),
                    RightItem::Turned(capture) => {
                        captured(covered, *capture).into_iter().rev().collect()
                    }
                    RightItem::Add(_) => return None,
                };
                for source in sources {
                    let source_is_cell = match source {
                        Source::Symbol(_) => true,
                        Source::Cell(cell) => covered[cell].contents.is_some(),
                    };
                    match (source_is_cell, covered[at].contents.is_some()) {
                        (true, true) => targets.push((at, source)),
                        (false, false) => {}
                        _ => return None,
                    }
                    at += 1;
                }
            }
        }
        Some(targets)
    }

    fn named_in_condition(&self, covered: &[Covered]) -> Vec<usize> {
        let Some(condition) = &self.rule.condition else {
            return Vec::new();
        };
        let mut names = Vec::new();
        expr::names_of_condition(condition, &mut |name, _| names.push(name.to_owned()));
        let is_named = |c: &Covered| {
            let capture = c.item.capture;
            capture.is_some_and(|capture| names.contains(&self.rule.captures[capture]))
        };
        (0..covered.len())
            .filter(|&cell| is_named(&covered[cell]))
            .collect()
    }

    /// Whether the condition may hold. On an endless row nothing is known of `at`: a condition that
    /// speaks of it may.
    fn holds(&self, covered: &[Covered], filling: &BTreeMap<usize, Value>) -> Result<bool, Doubt> {
        let Some(condition) = &self.rule.condition else {
            return Ok(true);
        };
        let mut speaks_of_place = false;
        expr::names_of_condition(condition, &mut |name, _| speaks_of_place |= name == "at");
        if speaks_of_place && self.on_row {
            return Ok(true);
        }
        let names = Contents {
            placement: self,
            covered,
            filling,
            walls: std::cell::Cell::new(0),
        };
        expr::holds(condition, &names).map_err(|_| Doubt::Unsure("a condition has no value"))
    }

    /// The number of the cell under the first item other than `_`.
    fn at(&self) -> Option<i64> {
        let items = self.rule.left.iter().flatten();
        let places = self.laid.iter().flatten();
        let mut from_first = items.zip(places).skip_while(|(item, _)| item.is_any);
        let first = from_first.find_map(|(_, places)| places.first().copied())?;
        let empty = vec![0; self.instance.board.cells];
        Field::new(&self.instance.board, &empty, 0).number(first)
    }

    fn check_filling(
        &self,
        sums: &[Sum],
        covered: &[Covered],
        targets: &[(usize, Source)],
        filling: &BTreeMap<usize, Value>,
    ) -> Result<(), Doubt> {
        for (number, sum) in sums.iter().enumerate() {
            let not_kept = || Doubt::NotKept {
                rule: self.rule.name.clone(),
                sum: number + 1,
            };
            let weight = |cell: usize, content: Value| {
                let place = covered[cell].place;
                sum.weight(self.instance, place, self.cell(place), content)
            };
            let mut total = BigInt::ZERO;
            for &(target, source) in targets {
                if let Source::Symbol(symbol) = source {
                    total += weight(target, symbol);
                }
            }
            // What each content adds where it arrives, less what it takes away where it leaves.
            for (cell, here) in covered.iter().enumerate() {
                let adds = |content: Value| {
                    let mut change = BigInt::ZERO;
                    for &(target, source) in targets {
                        if matches!(source, Source::Cell(from) if from == cell) {
                            change += weight(target, content);
                        }
                        if target == cell {
                            change -= weight(cell, content);
                        }
                    }
                    sum.reduced(change)
                };
                let Some(contents) = &here.contents else {
                    continue;
                };
                let contents = match filling.get(&cell) {
                    Some(content) => std::slice::from_ref(content),
                    None => contents,
                };
                let change = adds(contents[0]);
                if contents.iter().any(|&content| adds(content) != change) {
                    return Err(not_kept());
                }
                total += change;
            }
            if sum.sign {
                total += i64::from(permutation_is_odd(covered, targets, filling)?);
            }
            if sum.reduced(total) != BigInt::ZERO {
                return Err(not_kept());
            }
        }
        Ok(())
    }

    fn cell(&self, place: Place) -> Option<usize> {
        if self.on_row {
            return None;
        }
        let empty = vec![0; self.instance.board.cells];
        Field::new(&self.instance.board, &empty, 0).cell(place)
    }

    /// Counts: what is added must be numbers.
    fn check_counted(&self, sums: &[Sum]) -> Result<(), Doubt> {
        let mut changes: Vec<(Place, BigInt)> = Vec::new();
        for (row, right) in self.rule.right.iter().enumerate() {
            let mut places = self.laid[row].iter().flatten().copied();
            for item in right {
                match item {
                    RightItem::Keep(number) => {
                        let length = self.laid[row][*number].len();
                        places.by_ref().take(length).for_each(drop);
                    }
                    RightItem::Add(amount) => {
                        let amount = expr::big_integer(amount, &self.instance.params)
                            .map_err(|_| Doubt::Unsure("an amount is computed"))?;
                        let place = places.next().ok_or(Doubt::Unsure("a side is too short"))?;
                        changes.push((place, amount));
                    }
                    _ => return Err(Doubt::Unsure("a counted cell is written")),
                }
            }
        }
        for (place, amount) in &changes {
            if *amount != BigInt::ZERO && !self.on_row && self.cell(*place).is_none() {
                // Beyond the window, or no cell: no move.
                return Ok(());
            }
        }
        for (number, sum) in sums.iter().enumerate() {
            let terms = changes.iter().map(|(place, amount)| {
                sum.weight(self.instance, *place, self.cell(*place), 1) * amount
            });
            if sum.reduced(terms.sum()) != BigInt::ZERO {
                return Err(Doubt::NotKept {
                    rule: self.rule.name.clone(),
                    sum: number + 1,
                });
            }
        }
        Ok(())
    }
}

/// The cells that a capture saw, in order.
fn captured(covered: &[Covered], capture: usize) -> Vec<Source> {
    let of_capture = |(_, c): &(usize, &Covered)| c.item.capture == Some(capture);
    let cells = covered.iter().enumerate().filter(of_capture);
    cells.map(|(cell, _)| Source::Cell(cell)).collect()
}

/// Whether contents, all different, change places by an odd permutation.
fn permutation_is_odd(
    covered: &[Covered],
    targets: &[(usize, Source)],
    filling: &BTreeMap<usize, Value>,
) -> Result<bool, Doubt> {
    let unsure = Doubt::Unsure("a rule is no rearrangement of its cells");
    let holds_only = |cell: usize, symbol: Value| match filling.get(&cell) {
        Some(&content) => content == symbol,
        None => covered[cell].contents.as_deref() == Some(&[symbol]),
    };
    let mut from = Vec::new();
    for &(_, source) in targets {
        let cell = match source {
            Source::Cell(cell) => cell,
            Source::Symbol(symbol) => {
                let mut sources = targets.iter().filter(|t| holds_only(t.0, symbol));
                match (sources.next(), sources.next()) {
                    (Some(only), None) => only.0,
                    _ => return Err(unsure),
                }
            }
        };
        let index = targets.iter().position(|t| t.0 == cell);
        from.push(index.ok_or_else(|| unsure.clone())?);
    }
    let mut seen = from.clone();
    seen.sort_unstable();
    if seen != (0..from.len()).collect::<Vec<_>>() {
        return Err(unsure);
    }
    let numbers: Vec<Value> = from.iter().map(|&i| i as Value).collect();
    Ok(super::is_odd(&numbers))
}

/// The names of a condition, where the cells they speak of are filled.
struct Contents<'a> {
    placement: &'a Placement<'a>,
    covered: &'a [Covered],
    filling: &'a BTreeMap<usize, Value>,
    walls: std::cell::Cell<u32>,
}

impl Names for Contents<'_> {
    fn value(&self, name: &str) -> Option<Term> {
        let Placement { instance, rule, .. } = self.placement;
        if name == "at" {
            let number = self.placement.at();
            return Some(number.map_or(Term::None, |n| Term::Int(n.into())));
        }
        let Some(capture) = rule.captures.iter().position(|c| c == name) else {
            let known = instance.params.value(name);
            return Some(known.unwrap_or_else(|| Term::Word(name.to_owned())));
        };
        let cells = self.covered.iter().enumerate();
        let seen = cells.filter(|(_, c)| c.item.capture == Some(capture));
        let word: Option<String> = seen
            .map(|(cell, _)| {
                let content = self.filling.get(&cell)?;
                Some(instance.alphabet.symbols[*content as usize])
            })
            .collect();
        // `#` equals nothing, not even `#`.
        Some(Term::Word(word.unwrap_or_else(|| {
            self.walls.set(self.walls.get() + 1);
            format!("#{}", self.walls.get())
        })))
    }
}
