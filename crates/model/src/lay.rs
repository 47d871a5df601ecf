//! How patterns are laid on a board: from every place, in every direction, cell after cell.

use std::cell::Cell as Counter;

use crate::board::{Board, Cell, Shape};
use crate::instance::{LeftItem, Length, Pattern, Steps, Test};

/// Where one item of a laid pattern came to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    /// On a cell.
    Cell(Cell),
    /// On no cell: a hole, or beyond the edge.
    NoCell,
    /// Beyond the window of an endless row, where all is empty; the place counts from cell 0.
    Beyond(i64),
}

/// A pattern laid: the sites of each item, in the order of the pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Sites by item; a stretch may have none.
    pub sites: Vec<Vec<Site>>,
    /// For each shortest stretch, every earlier fit: the items that lie at each site then.
    pub earlier: Vec<Vec<(Site, usize)>>,
}

/// A place of the board's surroundings: a column and a row, or a cell of a graph.
type Spot = (i64, i64);

/// A board as patterns see it.
pub(crate) struct Ground<'a> {
    board: &'a Board,
    cells: i64,
    /// Steps of laying that may still be made.
    steps: Counter<u64>,
}

/// So many steps lay all rules of a puzzle; several stretches on a long row need many more.
const MOST_STEPS: u64 = 1 << 27;
/// Looking at so many cells costs a step.
const LOOKED_AT: usize = 16;
/// Keeping one cell of an earlier fit costs so many steps: they fill the memory sooner than time.
const KEPT: usize = 2;

impl<'a> Ground<'a> {
    /// `cells` is the number of cells rules are placed on; for `span` boards it is wider than a
    /// written position.
    pub(crate) fn new(board: &'a Board, cells: usize) -> Self {
        Self {
            board,
            cells: cells as i64,
            steps: Counter::new(u64::MAX),
        }
    }

    /// The same, but laying ends early when it would take too long: see [`Ground::is_spent`].
    pub(crate) fn bounded(board: &'a Board, cells: usize) -> Self {
        let ground = Self::new(board, cells);
        ground.steps.set(MOST_STEPS);
        ground
    }

    /// Whether laying took too long, so that layouts are missing.
    pub(crate) fn is_spent(&self) -> bool {
        self.steps.get() == 0
    }

    /// Lays nothing more.
    pub(crate) fn spend(&self) {
        self.steps.set(0);
    }

    /// Takes steps of laying, if there is one left.
    fn take_steps(&self, count: usize) -> bool {
        let left = self.steps.get();
        self.steps.set(left.saturating_sub(count as u64));
        left > 0
    }

    fn endless(&self) -> bool {
        matches!(self.board.shape, Shape::Window { .. } | Shape::Span)
    }

    /// What lies at a spot.
    fn site(&self, (x, y): Spot) -> Site {
        match &self.board.shape {
            Shape::Line if y == 0 && (0..self.cells).contains(&x) => Site::Cell(x as Cell),
            Shape::Line => Site::NoCell,
            Shape::Ring => Site::Cell(x.rem_euclid(self.cells) as Cell),
            Shape::Window { .. } | Shape::Span if (0..self.cells).contains(&x) => {
                Site::Cell(x as Cell)
            }
            Shape::Window { .. } | Shape::Span => Site::Beyond(x),
            Shape::Graph { .. } => Site::Cell(x as Cell),
            Shape::Grid {
                rows,
                cols,
                at,
                wrap,
            } => {
                let (rows, cols) = (*rows as i64, *cols as i64);
                let (x, y) = if *wrap {
                    (x.rem_euclid(cols), y.rem_euclid(rows))
                } else {
                    (x, y)
                };
                if (0..cols).contains(&x) && (0..rows).contains(&y) {
                    at[(y * cols + x) as usize].map_or(Site::NoCell, Site::Cell)
                } else {
                    Site::NoCell
                }
            }
        }
    }

    /// Every spot a pattern may begin at, in reading order; `reach` is how far outside the board.
    fn beginnings(&self, reach: i64) -> Vec<Spot> {
        match &self.board.shape {
            Shape::Line | Shape::Window { .. } | Shape::Span => {
                (-reach..self.cells + reach).map(|x| (x, 0)).collect()
            }
            Shape::Ring | Shape::Graph { .. } => (0..self.cells).map(|x| (x, 0)).collect(),
            Shape::Grid {
                rows, cols, wrap, ..
            } => {
                let reach = if *wrap { 0 } else { reach };
                (-reach..*rows as i64 + reach)
                    .flat_map(|y| (-reach..*cols as i64 + reach).map(move |x| (x, y)))
                    .collect()
            }
        }
    }
}

/// One direction a pattern is laid in.
#[derive(Clone, Copy)]
enum Direction {
    Vector(i64, i64),
    Edges,
}

/// Lays one row of items.
struct Layer<'a> {
    ground: &'a Ground<'a>,
    items: &'a [LeftItem],
    wide: &'a [Test],
    direction: Direction,
    margin: i64,
}

/// Calls `visit` for every way to lay `items` along `steps`, in order of direction and beginning.
///
/// `wide` are the tests as the rule was written, before captures were filled: what a shortest
/// stretch looks for.
pub(crate) fn lay(
    ground: &Ground<'_>,
    rows: &[Vec<LeftItem>],
    wide: &[Vec<Test>],
    steps: &Steps,
    mut visit: impl FnMut(Layout),
) {
    let first_may_be_outside = rows.iter().any(|row| may_begin_outside(row));
    let fixed = rows
        .iter()
        .flatten()
        .filter(|i| i.length == Length::One)
        .count() as i64;
    let margin = fixed + 1;
    if *steps == Steps::Drawn || rows.len() > 1 {
        let reach = if first_may_be_outside {
            longest(rows)
        } else {
            0
        };
        for spot in ground.beginnings(reach) {
            if let Some(layout) = lay_drawn(ground, rows, spot) {
                visit(layout);
            }
        }
        return;
    }
    let Some(items) = rows.first() else { return };
    let (directions, stride) = match steps {
        Steps::Vectors(vectors) => (
            vectors
                .iter()
                .map(|&(x, y)| Direction::Vector(x.into(), y.into()))
                .collect(),
            vectors
                .iter()
                .map(|&(x, y)| x.abs().max(y.abs()))
                .max()
                .unwrap_or(1),
        ),
        _ => (vec![Direction::Edges], 1),
    };
    let reach = if ground.endless() {
        margin
    } else if first_may_be_outside {
        margin * i64::from(stride)
    } else {
        0
    };
    for direction in directions {
        let layer = Layer {
            ground,
            items,
            wide: &wide[0],
            direction,
            margin,
        };
        for spot in ground.beginnings(reach) {
            layer.lay(
                0,
                0,
                Some(spot),
                &mut vec![Vec::new()],
                &mut |sites, spots| {
                    let earlier = layer.earlier(sites, spots, spot);
                    visit(Layout {
                        sites: sites.to_vec(),
                        earlier,
                    });
                },
            );
        }
    }
}

/// Whether a goal pattern can be laid: the layouts with the tests still to make.
pub(crate) fn lay_pattern(ground: &Ground<'_>, pattern: &Pattern, visit: impl FnMut(Layout)) {
    let wide: Vec<Vec<Test>> = pattern
        .rows
        .iter()
        .map(|row| row.iter().map(|i| i.test).collect())
        .collect();
    lay(ground, &pattern.rows, &wide, &pattern.steps, visit);
}

/// Whether a row of items can begin on no cell: its first item, or one behind stretches that may be
/// empty, can.
fn may_begin_outside(row: &[LeftItem]) -> bool {
    let may_be_empty = |i: &LeftItem| matches!(i.length, Length::AtLeast(0) | Length::Shortest);
    let certain = row
        .iter()
        .position(|i| !may_be_empty(i))
        .unwrap_or(row.len());
    row.iter()
        .take(certain + 1)
        .any(|i| admits(i.test, Site::NoCell))
}

fn longest(rows: &[Vec<LeftItem>]) -> i64 {
    rows.iter().map(Vec::len).max().unwrap_or(0).max(rows.len()) as i64
}

/// Whether a test can be met at a site, as far as the board alone tells.
pub(crate) fn admits(test: Test, site: Site) -> bool {
    match (test, site) {
        (Test::Symbols(set), Site::Cell(_)) => set.0 & !(1 << 63) != 0,
        (Test::Symbols(set), Site::NoCell) => set.has_no_cell(),
        (Test::Symbols(set), Site::Beyond(_)) => set.has(0),
        (Test::Counts(..), Site::Cell(_)) | (Test::NoCell, Site::NoCell) => true,
        (Test::Counts(low, _), Site::Beyond(_)) => low == 0,
        (Test::Counts(..), Site::NoCell) | (Test::NoCell, _) => false,
    }
}

fn lay_drawn(ground: &Ground<'_>, rows: &[Vec<LeftItem>], (x, y): Spot) -> Option<Layout> {
    let mut sites: Vec<Vec<Site>> = Vec::new();
    for (dy, row) in rows.iter().enumerate() {
        for (dx, item) in row.iter().enumerate() {
            let site = ground.site((x + dx as i64, y + dy as i64));
            let again = matches!(site, Site::Cell(_)) && sites.iter().any(|s| s[0] == site);
            if again || !admits(item.test, site) {
                return None;
            }
            sites.push(vec![site]);
        }
    }
    Some(Layout {
        sites,
        earlier: Vec::new(),
    })
}

type Visit<'v> = dyn FnMut(&[Vec<Site>], &[Spot]) + 'v;

impl Layer<'_> {
    /// The spots that may follow one.
    fn next(&self, (x, y): Spot) -> Vec<Spot> {
        match self.direction {
            Direction::Vector(dx, dy) => vec![(x + dx, y + dy)],
            Direction::Edges => match &self.ground.board.shape {
                Shape::Graph { neighbours, .. } => neighbours[x as usize]
                    .iter()
                    .map(|&c| (i64::from(c), 0))
                    .collect(),
                _ => Vec::new(),
            },
        }
    }

    /// Lays items from `item` on, of which `taken` cells already lie; `spot` is the next one.
    /// `sites` ends with the sites of the item in hand.
    fn lay(
        &self,
        item: usize,
        taken: usize,
        spot: Option<Spot>,
        sites: &mut Vec<Vec<Site>>,
        visit: &mut Visit<'_>,
    ) {
        self.lay_from(item, taken, spot, sites, &mut Vec::new(), visit);
    }

    fn lay_from(
        &self,
        item: usize,
        taken: usize,
        spot: Option<Spot>,
        sites: &mut Vec<Vec<Site>>,
        spots: &mut Vec<Spot>,
        visit: &mut Visit<'_>,
    ) {
        // Each cell that lies already is looked at.
        if !self.ground.take_steps(1 + spots.len() / LOOKED_AT) {
            return;
        }
        let Some(&here) = self.items.get(item) else {
            visit(&sites[..self.items.len()], spots);
            return;
        };
        let (least, most) = match here.length {
            Length::One => (1, 1),
            Length::AtLeast(least) => (least, usize::MAX),
            Length::Shortest => (0, usize::MAX),
        };
        if taken >= least {
            sites.push(Vec::new());
            self.lay_from(item + 1, 0, spot, sites, spots, visit);
            sites.pop();
        }
        if taken == most {
            return;
        }
        let Some(spot) = spot else { return };
        let site = self.ground.site(spot);
        let stretch = here.length != Length::One;
        if !admits(here.test, site) || (stretch && site == Site::NoCell) || self.is_far(spot) {
            return;
        }
        if matches!(site, Site::Cell(_)) && sites.iter().flatten().any(|&s| s == site) {
            return;
        }
        sites.last_mut().expect("the item in hand").push(site);
        spots.push(spot);
        let next = if self.is_last(item, taken + 1) {
            vec![]
        } else {
            self.next(spot)
        };
        if next.is_empty() {
            self.lay_from(item, taken + 1, None, sites, spots, visit);
        }
        for spot in next {
            self.lay_from(item, taken + 1, Some(spot), sites, spots, visit);
        }
        spots.pop();
        sites.last_mut().expect("the item in hand").pop();
    }

    /// Whether nothing can follow, so that the next spot does not matter.
    fn is_last(&self, item: usize, taken: usize) -> bool {
        item + 1 == self.items.len() && taken == 1 && self.items[item].length == Length::One
    }

    /// Whether a spot lies so far beyond a window that what is laid there says nothing new.
    fn is_far(&self, (x, _): Spot) -> bool {
        self.ground.endless() && (x < -self.margin || x >= self.ground.cells + self.margin)
    }

    /// Every earlier fit of each shortest stretch: which item would lie at which site.
    fn earlier(&self, sites: &[Vec<Site>], spots: &[Spot], begin: Spot) -> Vec<Vec<(Site, usize)>> {
        let mut found = Vec::new();
        let mut before = 0;
        for (item, here) in self.items.iter().enumerate() {
            if here.length == Length::Shortest {
                for length in 0..sites[item].len() {
                    let at = before + length;
                    let spot = spots.get(at).copied().unwrap_or(begin);
                    self.fits(item + 1, &spots[..at], spot, &mut found);
                }
            }
            before += sites[item].len();
        }
        found
    }

    /// Every way the items from `item` on fit at `spot`, clear of the cells already `used`.
    fn fits(&self, item: usize, used: &[Spot], spot: Spot, found: &mut Vec<Vec<(Site, usize)>>) {
        let items: Vec<LeftItem> = self.items[item..]
            .iter()
            .zip(&self.wide[item..])
            .map(|(i, &test)| LeftItem { test, ..*i })
            .collect();
        let wide = &self.wide[item..];
        let rest = Layer {
            items: &items,
            wide,
            ..*self
        };
        let taken: Vec<Site> = used.iter().map(|&s| self.ground.site(s)).collect();
        let clear = |sites: &[Vec<Site>]| {
            sites
                .iter()
                .flatten()
                .all(|s| !matches!(s, Site::Cell(_)) || !taken.contains(s))
        };
        rest.lay(0, 0, Some(spot), &mut vec![Vec::new()], &mut |sites, _| {
            if clear(sites) {
                let items = sites.iter().enumerate();
                let lie = items.flat_map(|(i, s)| s.iter().map(move |&site| (site, item + i)));
                let lie: Vec<(Site, usize)> = lie.collect();
                if self.ground.take_steps(KEPT * lie.len()) {
                    found.push(lie);
                }
            }
        });
    }
}
