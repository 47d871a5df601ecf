//! All sums that the positions of a goal can have.

use std::collections::BTreeSet;

use impasse_model::instance::{Goal, Instance, Pattern, SymbolSet, Test, Value};
use impasse_model::syntax::Comparison;
use num_bigint::BigInt;

use super::laying::ways;
use super::{Doubt, Sum, is_odd};
use crate::field::{Field, is_endless};
use crate::lay::passes;

/// More cases are not gone through.
const MOST_CASES: usize = 20_000;
/// More different sums of half a case are not held.
const MOST_SUMS: usize = 50_000;
/// Ranges of counts that are longer are not gone through.
const MOST_COUNTS: Value = 64;

/// What each cell may hold (`None`: anything), and what must hold for numbers of cells.
#[derive(Clone, Debug)]
struct Case {
    cells: Vec<Option<Vec<Value>>>,
    numbers: Vec<(SymbolSet, Comparison, i64)>,
}

/// Checks that no goal has these values of the sums.
pub(super) fn check_goal(
    instance: &Instance,
    sums: &[Sum],
    values: &[BigInt],
    symbols: &[Value],
) -> Result<(), Doubt> {
    let lister = Lister { instance, symbols };
    for case in lister.cases(&instance.goal)? {
        if lister.can_have(&case, sums, values)? {
            return Err(Doubt::GoalPossible);
        }
    }
    Ok(())
}

/// The same for the sums of an endless row, wherever the goal lies.
pub(super) fn check_row_goal(
    instance: &Instance,
    sums: &[Sum],
    values: &[BigInt],
) -> Result<(), Doubt> {
    for drawing in drawings(&instance.goal)? {
        let at = |place: i64| -> Vec<BigInt> {
            let of = |sum: &Sum| sum.value(instance, place, &drawing);
            sums.iter().map(of).collect()
        };
        // Two places further on each sum rises by the same again and again, so one that rises at all
        // has the wanted value at one place of each parity at most.
        for parity in [0, 1] {
            let (here, further) = (at(parity), at(parity + 2));
            let rises = (0..sums.len()).find(|&i| here[i] != further[i]);
            let place = match rises {
                None => parity,
                Some(i) => {
                    let (rise, missing) = (&further[i] - &here[i], &values[i] - &here[i]);
                    if &missing % &rise != BigInt::ZERO {
                        continue;
                    }
                    let steps = i64::try_from(missing / rise);
                    match steps.ok().and_then(|n| n.checked_mul(2)) {
                        Some(further) => parity + further,
                        None => return Err(Doubt::Unsure("a goal would lie too far away")),
                    }
                }
            };
            if at(place) == values {
                return Err(Doubt::GoalPossible);
            }
        }
    }
    Ok(())
}

/// The positions of a goal that is drawn on an endless row, as contents from end to end.
fn drawings(goal: &Goal) -> Result<Vec<Vec<Value>>, Doubt> {
    const UNSURE: Doubt = Doubt::Unsure("the goal is no list of positions");
    match goal {
        Goal::Or(all) => {
            let mut out = Vec::new();
            for goal in all {
                out.extend(drawings(goal)?);
            }
            Ok(out)
        }
        Goal::And(all) => all
            .iter()
            .find_map(|goal| drawings(goal).ok())
            .ok_or(UNSURE),
        Goal::Drawing(tests) => {
            let mut out: Vec<Vec<Value>> = vec![Vec::new()];
            for test in tests {
                let choices = match *test {
                    Test::Symbols(set) => set.symbols().map(Value::from).collect(),
                    Test::Counts(low, high) if high - low < MOST_COUNTS => {
                        (low..=high).collect::<Vec<_>>()
                    }
                    _ => return Err(UNSURE),
                };
                out = out
                    .iter()
                    .flat_map(|known| choices.iter().map(|&v| [known.as_slice(), &[v]].concat()))
                    .collect();
                if out.len() > MOST_CASES {
                    return Err(Doubt::Unsure("the goal has too many positions"));
                }
            }
            // An end that is empty is no end.
            out.retain(|d| d.first() != Some(&0) && d.last() != Some(&0));
            Ok(out)
        }
        _ => Err(UNSURE),
    }
}

struct Lister<'a> {
    instance: &'a Instance,
    symbols: &'a [Value],
}

impl Lister<'_> {
    /// Cases that together hold every goal position.
    fn cases(&self, goal: &Goal) -> Result<Vec<Case>, Doubt> {
        let cases = match goal {
            Goal::Drawing(tests) => self.drawing(tests),
            Goal::Contains(pattern) => self.contains(pattern)?,
            Goal::Count(set, comparison, number) => self.number(*set, *comparison, *number),
            Goal::Never(_) | Goal::Stuck => vec![self.anything()],
            Goal::Not(inner) => self.cases_outside(inner)?,
            Goal::Or(all) => {
                let mut out = Vec::new();
                for goal in all {
                    out.extend(self.cases(goal)?);
                }
                out
            }
            Goal::And(all) => self.joined(all.iter().map(|goal| self.cases(goal)))?,
        };
        few(cases)
    }

    /// Cases that together hold every position that is no goal.
    fn cases_outside(&self, goal: &Goal) -> Result<Vec<Case>, Doubt> {
        match goal {
            Goal::Never(pattern) => self.contains(pattern),
            Goal::Count(set, comparison, number) => {
                let opposite = match comparison {
                    Comparison::Eq => Comparison::Ne,
                    Comparison::Ne => Comparison::Eq,
                    Comparison::Lt => Comparison::Ge,
                    Comparison::Ge => Comparison::Lt,
                    Comparison::Le => Comparison::Gt,
                    Comparison::Gt => Comparison::Le,
                };
                Ok(self.number(*set, opposite, *number))
            }
            Goal::Not(inner) => self.cases(inner),
            Goal::Or(all) => self.joined(all.iter().map(|goal| self.cases_outside(goal))),
            Goal::And(all) => {
                let mut out = Vec::new();
                for goal in all {
                    out.extend(self.cases_outside(goal)?);
                }
                few(out)
            }
            Goal::Drawing(_) | Goal::Contains(_) | Goal::Stuck => Ok(vec![self.anything()]),
        }
    }

    fn joined(
        &self,
        all: impl Iterator<Item = Result<Vec<Case>, Doubt>>,
    ) -> Result<Vec<Case>, Doubt> {
        let mut out = vec![self.anything()];
        for cases in all {
            let cases = cases?;
            if out.len() * cases.len() > MOST_CASES {
                return Err(Doubt::Unsure("the goal has too many cases"));
            }
            out = out
                .iter()
                .flat_map(|a| cases.iter().map(move |b| both(a, b)))
                .collect();
        }
        Ok(out)
    }

    fn anything(&self) -> Case {
        Case {
            cells: vec![None; self.instance.board.cells],
            numbers: Vec::new(),
        }
    }

    /// What a test lets pass; `None` is anything.
    fn passing(&self, test: Test) -> Option<Vec<Value>> {
        match test {
            Test::Counts(low, high) if high - low < MOST_COUNTS => Some((low..=high).collect()),
            Test::Counts(..) => None,
            _ => {
                let symbols = self.symbols.iter().copied();
                Some(symbols.filter(|&v| passes(test, Some(v))).collect())
            }
        }
    }

    fn drawing(&self, tests: &[Test]) -> Vec<Case> {
        let cells = self.instance.board.cells;
        let drawn = tests.iter().map(|&test| self.passing(test));
        let drawn: Vec<Option<Vec<Value>>> = drawn.collect();
        if !is_endless(&self.instance.board) {
            return vec![Case {
                cells: drawn,
                numbers: Vec::new(),
            }];
        }
        // The occupied stretch, at every place of the window.
        let shifts = (cells + 1).saturating_sub(drawn.len());
        let at = |shift: usize| {
            let mut case = vec![Some(vec![0]); cells];
            for (cell, content) in case[shift..].iter_mut().zip(&drawn) {
                cell.clone_from(content);
            }
            Case {
                cells: case,
                numbers: Vec::new(),
            }
        };
        (0..shifts).map(at).collect()
    }

    fn contains(&self, pattern: &Pattern) -> Result<Vec<Case>, Doubt> {
        let board = &self.instance.board;
        let empty = vec![0; board.cells];
        let field = Field::new(board, &empty, 0);
        let laid = ways(board, &pattern.rows, &pattern.steps, self.symbols)?;
        let mut out = Vec::new();
        for way in laid {
            let mut case = self.anything();
            let rows = pattern.rows.iter().zip(&way);
            for (item, places) in rows.flat_map(|(items, places)| items.iter().zip(places)) {
                for &place in places {
                    if let Some(cell) = field.cell(place) {
                        case.cells[cell] = self.passing(item.test);
                    }
                }
            }
            out.push(case);
        }
        few(out)
    }

    fn number(&self, set: SymbolSet, comparison: Comparison, number: i64) -> Vec<Case> {
        let mut case = self.anything();
        case.numbers.push((set, comparison, number));
        vec![case]
    }

    /// Whether some position of a case has these values of all sums.
    fn can_have(&self, case: &Case, sums: &[Sum], values: &[BigInt]) -> Result<bool, Doubt> {
        let only = |cell: &Option<Vec<Value>>| match cell.as_deref() {
            Some([only]) => Some(*only),
            _ => None,
        };
        let fixed: Option<Vec<Value>> = case.cells.iter().map(only).collect();
        // Where something is open, nothing is known of the sign.
        let kept = sums.iter().zip(values);
        let kept: Vec<_> = kept
            .filter(|(sum, _)| !sum.sign || fixed.is_some())
            .collect();
        let start: Vec<BigInt> = kept
            .iter()
            .map(|(sum, _)| {
                let is_odd = sum.sign && fixed.as_ref().is_some_and(|f| is_odd(f));
                sum.reduced(i64::from(is_odd).into())
            })
            .collect();
        let mut reached: BTreeSet<(Vec<BigInt>, Vec<i64>)> = BTreeSet::new();
        reached.insert((start, vec![0; case.numbers.len()]));
        for (cell, contents) in case.cells.iter().enumerate() {
            let contents = match contents {
                Some(contents) => contents,
                None if self.instance.board.counted => {
                    return Err(Doubt::Unsure("the goal lets a cell hold any count"));
                }
                None => self.symbols,
            };
            let mut next = BTreeSet::new();
            for (so_far, numbers) in &reached {
                for &content in contents {
                    let sums = kept.iter().zip(so_far).map(|((sum, _), value)| {
                        let place = (0, 0);
                        let weight = sum.weight(self.instance, place, Some(cell), content);
                        sum.reduced(value + weight)
                    });
                    let numbers = case
                        .numbers
                        .iter()
                        .zip(numbers)
                        .map(|((set, ..), number)| number + i64::from(set.has(content as u8)));
                    next.insert((sums.collect(), numbers.collect()));
                }
            }
            if next.len() > MOST_SUMS {
                return Err(Doubt::Unsure("the goal can have too many sums"));
            }
            reached = next;
        }
        Ok(reached.iter().any(|(sums, numbers)| {
            let conditions = case.numbers.iter().zip(numbers);
            sums.iter()
                .zip(&kept)
                .all(|(sum, (_, value))| sum == *value)
                && conditions
                    .clone()
                    .all(|((_, comparison, wanted), number)| comparison.holds(number.cmp(wanted)))
        }))
    }
}

fn few(cases: Vec<Case>) -> Result<Vec<Case>, Doubt> {
    if cases.len() > MOST_CASES {
        return Err(Doubt::Unsure("the goal has too many cases"));
    }
    Ok(cases)
}

/// The positions that fall under both cases.
fn both(a: &Case, b: &Case) -> Case {
    let cells = a.cells.iter().zip(&b.cells).map(|pair| match pair {
        (None, other) | (other, None) => other.clone(),
        (Some(a), Some(b)) => Some(a.iter().copied().filter(|v| b.contains(v)).collect()),
    });
    Case {
        cells: cells.collect(),
        numbers: [a.numbers.as_slice(), &b.numbers].concat(),
    }
}
