//! The moves of a position, and whether it is a goal.

use std::cell::Cell;
use std::collections::BTreeMap;

use impasse_model::board::Shape;
use impasse_model::expr::{self, Names, Value as Term};
use impasse_model::fault::Fault;
use impasse_model::instance::{
    Goal, Instance, Pattern, Position, RightItem, Rule, SymbolSet, Test, Value,
};
use impasse_model::syntax::{Comparison, Expr};
use num_bigint::BigInt;

use crate::field::{Field, Place, is_endless};
use crate::lay::{Laid, lay, passes, reach};

mod names;

pub use names::{NamedMove, named_moves};

/// Where a position leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Successors {
    /// Every different successor, with the number of the first rule that makes it.
    pub to: BTreeMap<Position, usize>,
    /// Whether the window of an endless row cut a move off.
    pub cut: bool,
}

/// All successors of a position.
///
/// # Errors
/// A condition or an amount without a value, e.g. a division by zero.
#[allow(clippy::result_large_err)]
pub fn successors(instance: &Instance, position: &Position) -> Result<Successors, Fault> {
    let mut found = Successors::default();
    let mut fault = None;
    for (number, rule) in instance.rules.iter().enumerate() {
        let field = Field::new(&instance.board, position, reach(&rule.left, &rule.steps));
        lay(&field, &rule.left, &rule.steps, &mut |laid| {
            let placement = Placement {
                instance,
                field: &field,
                rule,
                laid,
            };
            match placement.result(position) {
                Ok(Effect::To(to)) if to != *position => {
                    found.to.entry(to).or_insert(number);
                }
                Ok(Effect::CutOff) => found.cut = true,
                Ok(Effect::None | Effect::To(_)) => {}
                Err(f) => fault = Some(f),
            }
        });
    }
    fault.map_or(Ok(found), Err)
}

/// Whether a position is a goal.
///
/// # Errors
/// As [`successors`], for `stuck`.
#[allow(clippy::result_large_err)]
pub fn is_goal(instance: &Instance, position: &Position) -> Result<bool, Fault> {
    meets(instance, &instance.goal, position)
}

#[allow(clippy::result_large_err)]
pub(crate) fn meets(instance: &Instance, goal: &Goal, position: &Position) -> Result<bool, Fault> {
    Ok(match goal {
        Goal::Drawing(tests) => is_drawn(instance, tests, position),
        Goal::Contains(pattern) => can_lay(instance, pattern, position),
        Goal::Never(pattern) => !can_lay(instance, pattern, position),
        Goal::Count(set, comparison, number) => count_is(position, *set, *comparison, *number),
        // A move that the window cuts off leads nowhere, so it does not count here either.
        Goal::Stuck => successors(instance, position)?.to.is_empty(),
        Goal::Not(goal) => !meets(instance, goal, position)?,
        Goal::And(all) => {
            for goal in all {
                if !meets(instance, goal, position)? {
                    return Ok(false);
                }
            }
            true
        }
        Goal::Or(any) => {
            for goal in any {
                if meets(instance, goal, position)? {
                    return Ok(true);
                }
            }
            false
        }
    })
}

/// On an endless row the drawing is the whole position, wherever it lies.
fn is_drawn(instance: &Instance, tests: &[Test], position: &[Value]) -> bool {
    let cells = if is_endless(&instance.board) {
        occupied(position)
    } else {
        position
    };
    cells.len() == tests.len() && tests.iter().zip(cells).all(|(&t, &v)| passes(t, Some(v)))
}

/// The stretch from the first to the last cell that is not empty.
#[must_use]
pub fn occupied(position: &[Value]) -> &[Value] {
    let Some(first) = position.iter().position(|&v| v != 0) else {
        return &[];
    };
    let last = position.iter().rposition(|&v| v != 0).unwrap_or(first);
    &position[first..=last]
}

fn can_lay(instance: &Instance, pattern: &Pattern, position: &[Value]) -> bool {
    let field = Field::new(
        &instance.board,
        position,
        reach(&pattern.rows, &pattern.steps),
    );
    let mut found = false;
    lay(&field, &pattern.rows, &pattern.steps, &mut |_| found = true);
    found
}

fn count_is(position: &[Value], set: SymbolSet, comparison: Comparison, number: i64) -> bool {
    let count = position.iter().filter(|&&v| set.has(v as u8)).count() as i64;
    comparison.holds(count.cmp(&number))
}

/// What a placement does.
enum Effect {
    /// It leads to this position (perhaps the same one).
    To(Position),
    /// It would put something outside the window, or widen the position beyond its span.
    CutOff,
    /// It is none: its condition does not hold, a count would leave its bounds, or it would write
    /// where there is no cell.
    None,
}

/// What the right side puts at one place.
struct Change {
    place: Place,
    value: Value,
    by: By,
}

/// What kind of item puts it there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Symbol,
    Capture,
    /// An amount; `computed` if captures stand in it.
    Amount {
        computed: bool,
    },
}

/// One way a rule lies on a position.
struct Placement<'a> {
    instance: &'a Instance,
    field: &'a Field<'a>,
    rule: &'a Rule,
    laid: &'a Laid,
}

impl Placement<'_> {
    #[allow(clippy::result_large_err)]
    fn result(&self, position: &Position) -> Result<Effect, Fault> {
        Ok(match self.changes_if_it_may()? {
            Some(changes) => self.changed(position, &changes),
            None => Effect::None,
        })
    }

    #[allow(clippy::result_large_err)]
    fn changes_if_it_may(&self) -> Result<Option<Vec<Change>>, Fault> {
        if let Some(condition) = &self.rule.condition
            && !expr::holds(condition, &self.names())?
        {
            return Ok(None);
        }
        self.changes()
    }

    /// What the right side puts where; `None` if the placement is none.
    #[allow(clippy::result_large_err)]
    fn changes(&self) -> Result<Option<Vec<Change>>, Fault> {
        let mut changes = Vec::new();
        for (right, left) in self.rule.right.iter().zip(self.laid) {
            let mut places = left.iter().flatten().copied();
            for item in right {
                let (contents, by) = match item {
                    RightItem::Keep(number) => {
                        let kept: Vec<Place> = places.by_ref().take(left[*number].len()).collect();
                        assert_eq!(kept, left[*number], "a kept item stands where it stood");
                        continue;
                    }
                    RightItem::Write(symbol) => (vec![Some(Value::from(*symbol))], By::Symbol),
                    RightItem::Recall(capture) => (self.captured(*capture), By::Capture),
                    RightItem::Turned(capture) => {
                        let turned = self.captured(*capture).into_iter().rev();
                        (turned.collect(), By::Capture)
                    }
                    RightItem::Add(amount) => {
                        let Some(place) = places.clone().next() else {
                            return Ok(None);
                        };
                        let Some(count) = self.sum(place, amount)? else {
                            return Ok(None);
                        };
                        let computed = self.reads_captures(amount);
                        (vec![Some(count)], By::Amount { computed })
                    }
                };
                for content in contents {
                    let place = places.next().expect("both sides cover the same cells");
                    match (content, self.field.content(place)) {
                        (Some(value), Some(_)) => changes.push(Change { place, value, by }),
                        (None, None) => {}
                        // `#` cannot be written on a cell, and nothing can be written on `#`.
                        _ => return Ok(None),
                    }
                }
            }
        }
        Ok(Some(changes))
    }

    /// A count with an amount added; `None` outside 0..cap or where there is no cell.
    #[allow(clippy::result_large_err)]
    fn sum(&self, place: Place, amount: &Expr) -> Result<Option<Value>, Fault> {
        let Some(count) = self.field.content(place) else {
            return Ok(None);
        };
        let Term::Int(amount) = expr::evaluate(amount, &self.names())? else {
            return Ok(None);
        };
        let sum = Value::try_from(BigInt::from(count) + amount).ok();
        Ok(sum.filter(|&sum| self.instance.board.cap.is_none_or(|cap| sum <= cap)))
    }

    fn reads_captures(&self, amount: &Expr) -> bool {
        let mut found = false;
        expr::names_of(amount, &mut |name, _| {
            found |= self.rule.captures.iter().any(|capture| capture == name);
        });
        found
    }

    fn changed(&self, position: &Position, changes: &[Change]) -> Effect {
        if self.instance.board.shape == Shape::Span {
            return shifted(position, changes);
        }
        let mut to = position.clone();
        for &Change { place, value, .. } in changes {
            match self.field.cell(place) {
                Some(cell) => to[cell] = value,
                None if value != 0 => return Effect::CutOff,
                None => {}
            }
        }
        Effect::To(to)
    }

    /// What a capture saw, cell by cell.
    fn captured(&self, capture: usize) -> Vec<Option<Value>> {
        let rows = self.rule.left.iter().zip(self.laid);
        let mut items = rows.flat_map(|(items, places)| items.iter().zip(places));
        let (_, places) = items
            .find(|(item, _)| item.capture == Some(capture))
            .expect("a capture is bound on the left");
        places
            .iter()
            .map(|&place| self.field.content(place))
            .collect()
    }

    fn names(&self) -> PlacementNames<'_> {
        PlacementNames {
            placement: self,
            walls: Cell::new(0),
        }
    }

    /// The place of the first item other than `_`; of an empty stretch, where it would begin.
    fn at(&self) -> Option<Place> {
        let items = self.rule.left.iter().flatten();
        let places = self.laid.iter().flatten();
        let mut from_first = items.zip(places).skip_while(|(item, _)| item.is_any);
        from_first.find_map(|(_, places)| places.first().copied())
    }
}

/// Up to shift: the first piece comes to lie in cell 0 again.
fn shifted(position: &Position, changes: &[Change]) -> Effect {
    let mut row: BTreeMap<i64, Value> = (0..).zip(position.iter().copied()).collect();
    row.extend(changes.iter().map(|change| (change.place.0, change.value)));
    row.retain(|_, value| *value != 0);
    let mut to = vec![0; position.len()];
    let Some((&first, _)) = row.first_key_value() else {
        return Effect::To(to);
    };
    for (x, value) in row {
        match to.get_mut((x - first) as usize) {
            Some(cell) => *cell = value,
            None => return Effect::CutOff,
        }
    }
    Effect::To(to)
}

/// What names mean in the condition of a placement.
struct PlacementNames<'a> {
    placement: &'a Placement<'a>,
    walls: Cell<u32>,
}

impl Names for PlacementNames<'_> {
    fn value(&self, name: &str) -> Option<Term> {
        let Placement {
            instance,
            field,
            rule,
            ..
        } = self.placement;
        if let Some(capture) = rule.captures.iter().position(|c| c == name) {
            return Some(self.capture_value(capture));
        }
        if name == "at" {
            let number = self.placement.at().and_then(|place| field.number(place));
            return Some(number.map_or(Term::None, |n| Term::Int(BigInt::from(n))));
        }
        // What is neither a capture nor a parameter is the symbol of a piece or the value of a
        // choice: a word that means itself.
        Some(
            instance
                .params
                .value(name)
                .unwrap_or_else(|| Term::Word(name.to_owned())),
        )
    }
}

impl PlacementNames<'_> {
    /// A count, or the symbols seen as a word.
    fn capture_value(&self, capture: usize) -> Term {
        let contents = self.placement.captured(capture);
        if self.placement.instance.board.counted
            && let [Some(count)] = contents[..]
        {
            return Term::Int(BigInt::from(count));
        }
        let symbols = &self.placement.instance.alphabet.symbols;
        let word: Option<String> = contents
            .iter()
            .map(|c| Some(symbols[(*c)? as usize]))
            .collect();
        Term::Word(word.unwrap_or_else(|| self.wall()))
    }

    /// `#` equals nothing, not even `#`: a new word each time it is asked for.
    fn wall(&self) -> String {
        self.walls.set(self.walls.get() + 1);
        format!("#{}", self.walls.get())
    }
}
