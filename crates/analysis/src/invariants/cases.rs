//! A goal as a list of cases: what each cell may hold. Every goal position falls under a case; not
//! every position of a case needs to be a goal.

use impasse_model::board::Shape;
use impasse_model::instance::{Goal, Instance, Pattern, SymbolSet, Test, Value};
use impasse_model::place::place_pattern;
use impasse_model::syntax::Comparison;

/// What a cell may hold in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Allowed {
    /// One of these symbols.
    Symbols(SymbolSet),
    /// A count in this range.
    Counts(Value, Value),
}

/// What each cell may hold, in board order.
pub(crate) type Case = Vec<Allowed>;

/// More cells in all cases together are not looked at.
const MOST_CELLS: usize = 1 << 21;

/// Lists cases.
pub(crate) struct Lister<'a> {
    pub(crate) instance: &'a Instance,
    /// The symbols that can occur.
    pub(crate) every: SymbolSet,
    /// How many cells hold a symbol of a set, where every move keeps that.
    pub(crate) kept_count: &'a dyn Fn(SymbolSet) -> Option<i64>,
}

impl Lister<'_> {
    /// The cases of a goal; `None` where there are too many. No case at all: nothing is a goal.
    pub(crate) fn cases(&self, goal: &Goal) -> Option<Vec<Case>> {
        match goal {
            Goal::Drawing(tests) => self.drawing(tests),
            Goal::Contains(pattern) => self.contains(pattern),
            Goal::Count(set, comparison, number) => Some(self.count(*set, *comparison, *number)),
            Goal::Never(_) | Goal::Stuck => Some(vec![self.anything()]),
            Goal::Not(goal) => self.cases_without(goal),
            Goal::Or(all) => {
                let mut cases = Vec::new();
                for goal in all {
                    cases.extend(self.cases(goal)?);
                    self.few(&cases)?;
                }
                Some(cases)
            }
            Goal::And(all) => {
                let mut cases = vec![self.anything()];
                for goal in all {
                    let with = self.cases(goal)?;
                    self.fits(cases.len().checked_mul(with.len())?)?;
                    cases = cases
                        .iter()
                        .flat_map(|a| with.iter().filter_map(|b| both(a, b)))
                        .collect();
                }
                Some(cases)
            }
        }
    }

    /// The cases of what a goal excludes.
    fn cases_without(&self, goal: &Goal) -> Option<Vec<Case>> {
        match goal {
            Goal::Never(pattern) => self.contains(pattern),
            Goal::Count(set, comparison, number) => {
                Some(self.count(*set, opposite(*comparison), *number))
            }
            Goal::Not(goal) => self.cases(goal),
            Goal::Or(all) => self.cases(&Goal::And(all.iter().cloned().map(not).collect())),
            Goal::And(all) => self.cases(&Goal::Or(all.iter().cloned().map(not).collect())),
            Goal::Drawing(_) | Goal::Contains(_) | Goal::Stuck => Some(vec![self.anything()]),
        }
    }

    fn anything(&self) -> Case {
        let one = if self.instance.board.counted {
            Allowed::Counts(0, Value::MAX)
        } else {
            Allowed::Symbols(self.every)
        };
        vec![one; self.instance.board.cells]
    }

    fn few(&self, cases: &[Case]) -> Option<()> {
        self.fits(cases.len())
    }

    fn fits(&self, cases: usize) -> Option<()> {
        let cells = cases.checked_mul(self.instance.board.cells)?;
        (cells <= MOST_CELLS).then_some(())
    }

    /// What a test lets pass of what can occur; `None` where that is nothing.
    fn allowed(&self, test: Test) -> Option<Allowed> {
        match test {
            Test::Symbols(set) => {
                let set = SymbolSet(set.0 & self.every.0);
                (set != SymbolSet(0)).then_some(Allowed::Symbols(set))
            }
            Test::Counts(low, high) => Some(Allowed::Counts(low, high)),
            Test::NoCell => None,
        }
    }

    fn drawing(&self, tests: &[Test]) -> Option<Vec<Case>> {
        let board = &self.instance.board;
        let allowed: Option<Case> = tests.iter().map(|&test| self.allowed(test)).collect();
        let Some(drawn) = allowed else {
            // It asks for what never occurs; other words than weights say so.
            return Some(vec![self.anything()]);
        };
        match board.shape {
            Shape::Span => Some(vec![self.anything()]),
            Shape::Window { .. } => {
                let empty = if board.counted {
                    Allowed::Counts(0, 0)
                } else {
                    Allowed::Symbols(SymbolSet::one(0))
                };
                let occupied = |allowed: Allowed| match allowed {
                    Allowed::Symbols(set) => Allowed::Symbols(SymbolSet(set.0 & !1)),
                    Allowed::Counts(low, high) => Allowed::Counts(low.max(1), high),
                };
                let places = (board.cells + 1).saturating_sub(drawn.len());
                self.fits(places)?;
                let at = |place: usize| {
                    let mut case = vec![empty; board.cells];
                    case[place..place + drawn.len()].copy_from_slice(&drawn);
                    // The drawing is the whole occupied stretch, so its ends are occupied.
                    for end in [place, (place + drawn.len()).wrapping_sub(1)] {
                        if !drawn.is_empty() {
                            case[end] = occupied(case[end]);
                        }
                    }
                    case
                };
                Some(
                    (0..places)
                        .map(at)
                        .filter(|case| is_possible(case))
                        .collect(),
                )
            }
            _ => Some(vec![drawn]),
        }
    }

    fn contains(&self, pattern: &Pattern) -> Option<Vec<Case>> {
        if self.instance.board.shape == Shape::Span {
            return Some(vec![self.anything()]);
        }
        let ways = place_pattern(&self.instance.board, pattern).ok()?;
        self.fits(ways.len())?;
        let mut cases = Vec::new();
        for way in ways {
            let mut case = self.anything();
            for (cell, test) in way {
                // What never occurs is left to other words than weights.
                let Some(allowed) = self.allowed(test) else {
                    return Some(vec![self.anything()]);
                };
                let cell = &mut case[cell as usize];
                *cell = meet(*cell, allowed).unwrap_or(allowed);
            }
            cases.push(case);
        }
        Some(cases)
    }

    /// Where the count is kept it decides; else the cells that hold the symbols are chosen in every
    /// way, if there are few.
    fn count(&self, set: SymbolSet, comparison: Comparison, number: i64) -> Vec<Case> {
        if let Some(kept) = (self.kept_count)(set) {
            let holds = comparison.holds(kept.cmp(&number));
            return if holds {
                vec![self.anything()]
            } else {
                Vec::new()
            };
        }
        let cells = self.instance.board.cells;
        let inside = SymbolSet(set.0 & self.every.0);
        let outside = SymbolSet(self.every.0 & !set.0);
        let numbers = (0..=cells).filter(|&n| comparison.holds((n as i64).cmp(&number)));
        let mut cases: Vec<Case> = Vec::new();
        for chosen in numbers {
            if self
                .fits(cases.len() + ways_to_choose(cells, chosen))
                .is_none()
            {
                return vec![self.anything()];
            }
            choose(cells, chosen, &mut |members| {
                let allowed = |cell| {
                    if members.contains(&cell) {
                        inside
                    } else {
                        outside
                    }
                };
                cases.push(
                    (0..cells)
                        .map(|cell| Allowed::Symbols(allowed(cell)))
                        .collect(),
                );
            });
        }
        cases.retain(|case| is_possible(case));
        cases
    }
}

fn not(goal: Goal) -> Goal {
    Goal::Not(Box::new(goal))
}

fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Eq => Comparison::Ne,
        Comparison::Ne => Comparison::Eq,
        Comparison::Lt => Comparison::Ge,
        Comparison::Ge => Comparison::Lt,
        Comparison::Le => Comparison::Gt,
        Comparison::Gt => Comparison::Le,
    }
}

/// What two tests of one cell let pass together; `None` where that is nothing.
fn meet(a: Allowed, b: Allowed) -> Option<Allowed> {
    let met = match (a, b) {
        (Allowed::Symbols(a), Allowed::Symbols(b)) => Allowed::Symbols(SymbolSet(a.0 & b.0)),
        (Allowed::Counts(a, b), Allowed::Counts(c, d)) => Allowed::Counts(a.max(c), b.min(d)),
        _ => return None,
    };
    is_possible(&[met]).then_some(met)
}

fn both(a: &Case, b: &Case) -> Option<Case> {
    a.iter().zip(b).map(|(&a, &b)| meet(a, b)).collect()
}

fn is_possible(case: &[Allowed]) -> bool {
    case.iter().all(|allowed| match *allowed {
        Allowed::Symbols(set) => set.0 != 0,
        Allowed::Counts(low, high) => low <= high,
    })
}

/// The number of ways to choose `chosen` of `cells`, at most `usize::MAX`.
fn ways_to_choose(cells: usize, chosen: usize) -> usize {
    let chosen = chosen.min(cells - chosen);
    (0..chosen).fold(1_usize, |ways, i| {
        ways.checked_mul(cells - i)
            .map_or(usize::MAX, |more| more / (i + 1))
    })
}

/// Calls `visit` with every choice of `chosen` numbers below `cells`, ascending.
fn choose(cells: usize, chosen: usize, visit: &mut dyn FnMut(&[usize])) {
    let mut members: Vec<usize> = (0..chosen).collect();
    loop {
        visit(&members);
        let movable = (0..chosen).rev().find(|&i| members[i] < cells - chosen + i);
        let Some(i) = movable else { return };
        members[i] += 1;
        for j in i + 1..chosen {
            members[j] = members[j - 1] + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices() {
        let check = |cells, chosen, expected: &[&[usize]]| {
            let mut found: Vec<Vec<usize>> = Vec::new();
            choose(cells, chosen, &mut |members| found.push(members.to_vec()));
            assert_eq!(found, expected, "{chosen} of {cells}");
            assert_eq!(ways_to_choose(cells, chosen), expected.len());
        };
        check(3, 0, &[&[]]);
        check(3, 1, &[&[0], &[1], &[2]]);
        check(3, 2, &[&[0, 1], &[0, 2], &[1, 2]]);
        check(2, 2, &[&[0, 1]]);
        assert_eq!(ways_to_choose(400, 200), usize::MAX);
    }
}
