//! Laying a left side on a position: from every place, along every step, cell after cell.

use impasse_model::instance::{LeftItem, Length, Steps, Test, Value};

use crate::field::{Field, Place, Step};

/// Where the items of a pattern lie: for each row, for each item, its places.
pub type Laid = Vec<Vec<Vec<Place>>>;

/// Whether a content (`None` is `#`) passes a test.
#[must_use]
pub fn passes(test: Test, content: Option<Value>) -> bool {
    match (test, content) {
        (Test::Symbols(set), Some(symbol)) => set.has(symbol as u8),
        (Test::Symbols(set), None) => set.has_no_cell(),
        (Test::Counts(low, high), Some(count)) => (low..=high).contains(&count),
        (Test::NoCell, content) => content.is_none(),
        (Test::Counts(..), None) => false,
    }
}

/// How far beyond the edge a pattern may have to begin or end: one place an item, and those that
/// its stretches need at least, by its longest step.
#[must_use]
pub fn reach(rows: &[Vec<LeftItem>], steps: &Steps) -> i64 {
    let longest = match steps {
        Steps::Vectors(vectors) => vectors
            .iter()
            .map(|&(dx, dy)| i64::from(dx.abs().max(dy.abs())))
            .max()
            .unwrap_or(1),
        Steps::Edges | Steps::Drawn => 1,
    };
    let places = |item: &LeftItem| match item.length {
        Length::AtLeast(least) => 1 + least as i64,
        Length::One | Length::Shortest => 1,
    };
    let row_length = |row: &Vec<LeftItem>| row.iter().map(places).sum::<i64>();
    let longest_row = rows.iter().map(row_length).max().unwrap_or(0);
    (longest_row.max(rows.len() as i64) + 1) * longest
}

/// Calls `visit` with every way a pattern can be laid.
pub fn lay(field: &Field, rows: &[Vec<LeftItem>], steps: &Steps, visit: &mut dyn FnMut(&Laid)) {
    match steps {
        Steps::Vectors(vectors) => {
            for &(dx, dy) in vectors {
                lay_row(field, &rows[0], Step::Vector(dx, dy), visit);
            }
        }
        Steps::Edges => lay_row(field, &rows[0], Step::Edge, visit),
        Steps::Drawn => lay_drawn(field, rows, visit),
    }
}

fn lay_row(field: &Field, items: &[LeftItem], step: Step, visit: &mut dyn FnMut(&Laid)) {
    let mut row = Row {
        field,
        items,
        step,
        laid: Vec::new(),
        visit,
    };
    for place in field.places() {
        row.rest(&[place]);
    }
}

/// A pattern of several rows is laid as drawn; its items are single cells.
fn lay_drawn(field: &Field, rows: &[Vec<LeftItem>], visit: &mut dyn FnMut(&Laid)) {
    for origin in field.places() {
        if let Some(laid) = laid_at(field, rows, origin) {
            visit(&laid);
        }
    }
}

/// The places of a drawn pattern whose first item lies at `origin`, if it fits there.
fn laid_at(field: &Field, rows: &[Vec<LeftItem>], (x, y): Place) -> Option<Laid> {
    let mut cells = Vec::new();
    let mut laid = Vec::with_capacity(rows.len());
    for (items, row) in rows.iter().zip(0..) {
        let mut places = Vec::with_capacity(items.len());
        for (item, col) in items.iter().zip(0..) {
            let place = field.wrapped((x + col, y + row));
            let content = field.content(place);
            if !passes(item.test, content) || cells.contains(&place) {
                return None;
            }
            if content.is_some() {
                cells.push(place);
            }
            places.push(vec![place]);
        }
        laid.push(places);
    }
    Some(laid)
}

/// A pattern of one row that is being laid: the first `laid.len()` items have their places.
struct Row<'a> {
    field: &'a Field<'a>,
    items: &'a [LeftItem],
    step: Step,
    laid: Vec<Vec<Place>>,
    visit: &'a mut dyn FnMut(&Laid),
}

impl Row<'_> {
    /// Lays the rest, beginning at any of `next`; tells whether it fits at all.
    fn rest(&mut self, next: &[Place]) -> bool {
        let Some(item) = self.items.get(self.laid.len()).copied() else {
            (self.visit)(&vec![self.laid.clone()]);
            return true;
        };
        match item.length {
            Length::One => self.one(item, next),
            Length::AtLeast(least) => self.stretch(item, least, &mut Vec::new(), next),
            Length::Shortest => self.shortest(item, next),
        }
    }

    fn one(&mut self, item: LeftItem, next: &[Place]) -> bool {
        let mut fits = false;
        for &place in next {
            if self.may_take(item, place, &[]) {
                fits |= self.rest_after(vec![place], &self.field.next(place, self.step));
            }
        }
        fits
    }

    /// Every length of at least `least`, of which `stretch` is laid already.
    fn stretch(
        &mut self,
        item: LeftItem,
        least: usize,
        stretch: &mut Vec<Place>,
        next: &[Place],
    ) -> bool {
        let mut fits = stretch.len() >= least && self.rest_after(stretch.clone(), next);
        for &place in next {
            if self.may_extend(item, place, stretch) {
                stretch.push(place);
                fits |= self.stretch(item, least, stretch, &self.field.next(place, self.step));
                stretch.pop();
            }
        }
        fits
    }

    /// The shortest length at which the rest fits, and no other.
    fn shortest(&mut self, item: LeftItem, next: &[Place]) -> bool {
        let mut stretches = vec![(Vec::new(), next.to_vec())];
        while !stretches.is_empty() {
            let mut fits = false;
            for (stretch, next) in &stretches {
                fits |= self.rest_after(stretch.clone(), next);
            }
            if fits {
                return true;
            }
            stretches = stretches
                .iter()
                .flat_map(|(stretch, next)| next.iter().map(move |&place| (stretch, place)))
                .filter(|(stretch, place)| self.may_extend(item, *place, stretch))
                .map(|(stretch, place)| {
                    let longer: Vec<Place> = stretch.iter().copied().chain([place]).collect();
                    (longer, self.field.next(place, self.step))
                })
                .collect();
        }
        false
    }

    fn rest_after(&mut self, places: Vec<Place>, next: &[Place]) -> bool {
        self.laid.push(places);
        let fits = self.rest(next);
        self.laid.pop();
        fits
    }

    /// A stretch extends over cells only, never over `#`.
    fn may_extend(&self, item: LeftItem, place: Place, stretch: &[Place]) -> bool {
        self.field.content(place).is_some() && self.may_take(item, place, stretch)
    }

    /// Whether an item may lie at a place: its test passes, and the cell is not taken yet. (`#` is
    /// no cell: on a torus a hole may be read twice.)
    fn may_take(&self, item: LeftItem, place: Place, stretch: &[Place]) -> bool {
        let content = self.field.content(place);
        let is_taken = || {
            self.laid
                .iter()
                .flatten()
                .chain(stretch)
                .any(|&p| p == place)
        };
        passes(item.test, content) && (content.is_none() || !is_taken())
    }
}
