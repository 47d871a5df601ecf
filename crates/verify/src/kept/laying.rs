//! Laying a left side at every place, whatever the cells hold.

use impasse_model::instance::{LeftItem, Length, Steps, Test, Value};

use super::Doubt;
use crate::field::{Field, Place, Step};
use crate::lay::{Laid, passes, reach};

/// More ways of laying one rule are not gone through.
const MOST_WAYS: usize = 200_000;

/// Every way to lay rows of items on a board: on cells that could pass their tests with some of these
/// contents, and on no cell where a test lets that pass. Shortest stretches are laid in every length.
pub(super) fn ways(
    board: &impasse_model::board::Board,
    rows: &[Vec<LeftItem>],
    steps: &Steps,
    contents: &[Value],
) -> Result<Vec<Laid>, Doubt> {
    let empty = vec![0; board.cells];
    let field = Field::new(board, &empty, reach(rows, steps));
    let layer = Layer {
        field: &field,
        contents,
    };
    let mut found = Vec::new();
    match steps {
        Steps::Vectors(vectors) => {
            for &(dx, dy) in vectors {
                for place in field.places() {
                    let step = Step::Vector(dx, dy);
                    layer.rest(&rows[0], step, &[place], &mut Vec::new(), &mut found)?;
                }
            }
        }
        Steps::Edges => {
            for place in field.places() {
                layer.rest(&rows[0], Step::Edge, &[place], &mut Vec::new(), &mut found)?;
            }
        }
        Steps::Drawn => {
            for origin in field.places() {
                found.extend(layer.drawn(rows, origin));
            }
        }
    }
    Ok(found)
}

/// Every way to lay one row of items on an endless row, from enough places and in enough lengths to
/// tell what holds for all.
pub(super) fn ways_on_endless_row(
    rows: &[Vec<LeftItem>],
    steps: &Steps,
) -> Result<Vec<Laid>, Doubt> {
    /// Three values odd and three even decide a polynomial of degree 2.
    const ENOUGH: usize = 6;
    let (Steps::Vectors(vectors), [items]) = (steps, rows) else {
        return Err(Doubt::Unsure("a rule is not laid along a row"));
    };
    let mut lengths: Vec<Vec<usize>> = vec![Vec::new()];
    for item in items {
        let choices = match item.length {
            Length::One => vec![1],
            Length::AtLeast(least) => (least..least + ENOUGH).collect(),
            Length::Shortest => (0..ENOUGH).collect(),
        };
        lengths = lengths
            .iter()
            .flat_map(|known| choices.iter().map(|&n| [known.as_slice(), &[n]].concat()))
            .collect();
        if lengths.len() * vectors.len() * ENOUGH > MOST_WAYS {
            return Err(Doubt::Unsure("a rule can be laid in too many ways"));
        }
    }
    let mut found = Vec::new();
    for &(dx, dy) in vectors {
        if dy != 0 {
            return Err(Doubt::Unsure("a rule is not laid along a row"));
        }
        for first in 0..ENOUGH as i64 {
            for lengths in &lengths {
                let mut at = first;
                let places = lengths.iter().map(|&length| {
                    let item = (0..length as i64).map(|k| (at + k * i64::from(dx), 0));
                    let item: Vec<Place> = item.collect();
                    at += length as i64 * i64::from(dx);
                    item
                });
                found.push(vec![places.collect()]);
            }
        }
    }
    Ok(found)
}

struct Layer<'a> {
    field: &'a Field<'a>,
    contents: &'a [Value],
}

impl Layer<'_> {
    /// Whether something could pass a test at a place.
    fn may_pass(&self, test: Test, place: Place) -> bool {
        if self.field.cell(place).is_some() {
            return match test {
                Test::Counts(..) => true,
                _ => self.contents.iter().any(|&v| passes(test, Some(v))),
            };
        }
        // Beyond a window all is empty; beyond an edge there is no cell.
        passes(test, self.field.content(place))
    }

    fn is_taken(&self, place: Place, laid: &[Vec<Place>]) -> bool {
        self.field.content(place).is_some() && laid.iter().flatten().any(|&p| p == place)
    }

    fn rest(
        &self,
        items: &[LeftItem],
        step: Step,
        next: &[Place],
        laid: &mut Vec<Vec<Place>>,
        found: &mut Vec<Laid>,
    ) -> Result<(), Doubt> {
        let Some(item) = items.get(laid.len()).copied() else {
            found.push(vec![laid.clone()]);
            return if found.len() > MOST_WAYS {
                Err(Doubt::Unsure("a rule can be laid in too many ways"))
            } else {
                Ok(())
            };
        };
        let least = match item.length {
            Length::One => {
                for &place in next {
                    if self.may_pass(item.test, place) && !self.is_taken(place, laid) {
                        laid.push(vec![place]);
                        self.rest(items, step, &self.field.next(place, step), laid, found)?;
                        laid.pop();
                    }
                }
                return Ok(());
            }
            Length::AtLeast(least) => least,
            Length::Shortest => 0,
        };
        laid.push(Vec::new());
        self.stretch(items, item, least, step, next, laid, found)?;
        laid.pop();
        Ok(())
    }

    /// Every length of the stretch that stands last in `laid`.
    #[allow(clippy::too_many_arguments)]
    fn stretch(
        &self,
        items: &[LeftItem],
        item: LeftItem,
        least: usize,
        step: Step,
        next: &[Place],
        laid: &mut Vec<Vec<Place>>,
        found: &mut Vec<Laid>,
    ) -> Result<(), Doubt> {
        if laid.last().is_some_and(|stretch| stretch.len() >= least) {
            self.rest(items, step, next, laid, found)?;
        }
        for &place in next {
            let is_cell = self.field.content(place).is_some();
            if is_cell && self.may_pass(item.test, place) && !self.is_taken(place, laid) {
                laid.last_mut().expect("a stretch").push(place);
                let next = self.field.next(place, step);
                self.stretch(items, item, least, step, &next, laid, found)?;
                laid.last_mut().expect("a stretch").pop();
            }
        }
        Ok(())
    }

    fn drawn(&self, rows: &[Vec<LeftItem>], (x, y): Place) -> Option<Laid> {
        let mut laid: Laid = Vec::new();
        for (items, row) in rows.iter().zip(0..) {
            let mut places = Vec::new();
            for (item, col) in items.iter().zip(0..) {
                let place = self.field.wrapped((x + col, y + row));
                let taken = laid.iter().any(|row| self.is_taken(place, row));
                if !self.may_pass(item.test, place) || taken || self.is_taken(place, &places) {
                    return None;
                }
                places.push(vec![place]);
            }
            laid.push(places);
        }
        Some(laid)
    }
}
