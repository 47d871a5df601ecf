//! Placed rules as the streaming engine reads them: what is asked of each place of a row.

use std::collections::BTreeSet;

use impasse_model::board::Cell;
use impasse_model::instance::SymbolSet;
use impasse_model::placed::PlacedRule;

use super::lead::Row;

/// Rules are written out to at most so many rewrites.
pub(crate) const MOST_REWRITES: usize = 200_000;

/// What a rewrite asks of one place. Symbols are numbered as the engine sorts them, without those
/// that never occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Ask {
    /// One of these symbols stands there and stays.
    Keep(u64),
    /// The first symbol stands there and becomes the second.
    Change(u8, u8),
}

impl Ask {
    fn inverse(self) -> Self {
        match self {
            Self::Change(before, after) => Self::Change(after, before),
            keep @ Self::Keep(_) => keep,
        }
    }
}

/// A rule at one place, as asks of places, ascending by place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Rewrite {
    /// Where the leading pieces stand before.
    pub(crate) from: u32,
    /// Where they stand after.
    pub(crate) to: u32,
    /// What is asked of the row of the other pieces.
    pub(crate) asks: Vec<(u8, Ask)>,
}

/// What a rewrite changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Change {
    from: u32,
    to: u32,
    /// Place, symbol before, symbol after.
    places: Vec<(u8, u8, u8)>,
}

impl Change {
    pub(crate) fn inverse(&self) -> Self {
        let places = self.places.iter();
        Self {
            from: self.to,
            to: self.from,
            places: places.map(|&(at, u, v)| (at, v, u)).collect(),
        }
    }

    /// Place, symbol before, symbol after.
    pub(crate) fn places(&self) -> impl Iterator<Item = (u8, u8, u8)> + '_ {
        self.places.iter().copied()
    }

    /// The first place that changes, and what it holds before.
    pub(crate) fn first(&self) -> Option<(u8, u8)> {
        self.places.first().map(|&(at, before, _)| (at, before))
    }
}

impl Rewrite {
    /// What becomes of a row; `None` if it does not fit.
    pub(crate) fn applied(&self, row: &Row) -> Option<Row> {
        let fits = self.asks.iter().all(|&(at, ask)| {
            let symbol = row.rest[usize::from(at)];
            match ask {
                Ask::Keep(set) => set >> symbol & 1 == 1,
                Ask::Change(before, _) => before == symbol,
            }
        });
        (row.lead == self.from && fits).then(|| {
            let mut rest = row.rest.clone();
            for &(at, ask) in &self.asks {
                if let Ask::Change(_, after) = ask {
                    rest[usize::from(at)] = after;
                }
            }
            Row {
                lead: self.to,
                rest,
            }
        })
    }

    /// What it changes.
    pub(crate) fn change(&self) -> Change {
        let asks = self.asks.iter();
        let places = asks.filter_map(|&(at, ask)| match ask {
            Ask::Change(before, after) => Some((at, before, after)),
            Ask::Keep(_) => None,
        });
        Change {
            from: self.from,
            to: self.to,
            places: places.collect(),
        }
    }

    pub(crate) fn inverse(&self) -> Self {
        let asks = self.asks.iter().map(|&(at, ask)| (at, ask.inverse()));
        Self {
            from: self.to,
            to: self.from,
            asks: asks.collect(),
        }
    }
}

/// Why a puzzle's space cannot be streamed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotStreamed {
    /// Some move does not keep the pieces.
    #[error("a move does not keep the number of each piece")]
    NotConserving,
    /// Counted cells, or a row whose positions are taken up to shift.
    #[error("states of such a board have no ranks")]
    NoRanks,
    /// Too many rewrites.
    #[error("the rules write out to more than {MOST_REWRITES} rewrites")]
    TooManyRewrites,
    /// Tables over the multisets of what is left would be too large.
    #[error("there are too many multisets of pieces")]
    TooManyClasses,
    /// More arrangements than can be addressed.
    #[error("there are too many arrangements")]
    TooManyStates,
}

/// The order in which an engine sees cells and symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// The cell at each place.
    pub(crate) cells: Vec<Cell>,
    /// The place of each cell.
    pub(crate) places: Vec<u8>,
    /// The model's symbol of each symbol here.
    pub(crate) symbols: Vec<u8>,
    /// The symbol here of each of the model's; 255 if it never occurs.
    pub(crate) numbers: Vec<u8>,
}

impl Order {
    pub(crate) fn new(cells: Vec<Cell>, symbols: Vec<u8>, alphabet: usize) -> Self {
        let mut places = vec![0; cells.len()];
        for (place, &cell) in cells.iter().enumerate() {
            places[cell as usize] = place as u8;
        }
        let mut numbers = vec![u8::MAX; alphabet];
        for (number, &symbol) in symbols.iter().enumerate() {
            numbers[usize::from(symbol)] = number as u8;
        }
        Self {
            cells,
            places,
            symbols,
            numbers,
        }
    }

    /// A set of the model's symbols as a set of symbols here.
    fn set(&self, set: SymbolSet) -> u64 {
        let here = self.symbols.iter().enumerate();
        here.filter(|&(_, &symbol)| set.has(symbol))
            .fold(0, |all, (number, _)| all | 1 << number)
    }

    pub(crate) fn all(&self) -> u64 {
        (1 << self.symbols.len()) - 1
    }
}

/// A way to read the cells: from one of fewest neighbours on, always to a cell with the most
/// neighbours among those already taken, so that the cells of a move lie close together. Cells are
/// neighbours as often as a rule reads or changes both.
pub(crate) fn near_order(cells: usize, rules: &[PlacedRule]) -> Vec<Cell> {
    let mut near = vec![vec![0_u32; cells]; cells];
    for rule in rules {
        let touched = touched(rule);
        for (i, &a) in touched.iter().enumerate() {
            for &b in &touched[i + 1..] {
                if a != b {
                    near[a as usize][b as usize] = 1;
                    near[b as usize][a as usize] = 1;
                }
            }
        }
    }
    let degree: Vec<u32> = near.iter().map(|row| row.iter().sum()).collect();
    let mut taken = vec![false; cells];
    let mut order: Vec<Cell> = Vec::with_capacity(cells);
    for _ in 0..cells {
        let bonds = |cell: usize| order.iter().map(|&o| near[cell][o as usize]).sum::<u32>();
        let next = (0..cells)
            .filter(|&cell| !taken[cell])
            .min_by_key(|&cell| (std::cmp::Reverse(bonds(cell)), degree[cell], cell))
            .expect("a cell is left");
        taken[next] = true;
        order.push(next as Cell);
    }
    order
}

fn touched(rule: &PlacedRule) -> Vec<Cell> {
    let delta = rule.delta.iter().map(|d| d.0);
    let moved = rule.moved.iter().map(|m| m.0);
    let guard = rule.guard.iter().map(|g| g.0);
    delta.chain(moved).chain(guard).collect()
}

/// Writes placed rules out: contents that move are named, "not all of these" becomes cases that
/// exclude each other.
pub(crate) fn rewrites(rules: &[PlacedRule], order: &Order) -> Result<Vec<Rewrite>, NotStreamed> {
    let mut all = BTreeSet::new();
    for rule in rules {
        if !rule.conserves() {
            return Err(NotStreamed::NotConserving);
        }
        for partial in with_contents(rule, order)? {
            split_forbidden(rule, order, partial, &mut all)?;
        }
    }
    Ok(all.into_iter().collect())
}

/// Asks by place, while they are gathered.
type Asks = Vec<Option<Ask>>;

/// The changes and guards of a rule, once for each way to name the contents that move.
fn with_contents(rule: &PlacedRule, order: &Order) -> Result<Vec<Asks>, NotStreamed> {
    let mut base: Asks = vec![None; order.cells.len()];
    for &(cell, before, after) in &rule.delta {
        let (before, after) = (
            order.numbers[usize::from(before)],
            order.numbers[usize::from(after)],
        );
        if before == u8::MAX || after == u8::MAX {
            return Ok(Vec::new());
        }
        base[usize::from(order.places[cell as usize])] = Some(Ask::Change(before, after));
    }
    for &(cell, set) in &rule.guard {
        let set = order.set(set);
        if set == 0 {
            return Ok(Vec::new());
        }
        if set != order.all() {
            base[usize::from(order.places[cell as usize])] = Some(Ask::Keep(set));
        }
    }
    if rule.moved.is_empty() {
        return Ok(vec![base]);
    }
    let mut fillings: Vec<Vec<u8>> = vec![Vec::new()];
    for &(_, _, set) in &rule.moved {
        let set = order.set(set);
        let mut longer = Vec::new();
        for filling in &fillings {
            for symbol in (0..order.symbols.len() as u8).filter(|&s| set >> s & 1 == 1) {
                let mut filling = filling.clone();
                filling.push(symbol);
                longer.push(filling);
            }
        }
        if longer.len() > MOST_REWRITES {
            return Err(NotStreamed::TooManyRewrites);
        }
        fillings = longer;
    }
    let mut out = Vec::new();
    for filling in fillings {
        let mut asks = base.clone();
        let mut still = rule.delta.is_empty();
        for (i, &(from, _, _)) in rule.moved.iter().enumerate() {
            // What comes to `from` stands at the cell whose contents move there.
            let source = rule.moved.iter().position(|&(_, to, _)| to == from);
            let source = source.expect("contents change places among the same cells");
            let (before, after) = (filling[i], filling[source]);
            still &= before == after;
            let place = usize::from(order.places[from as usize]);
            asks[place] = Some(if before == after {
                Ask::Keep(1 << before)
            } else {
                Ask::Change(before, after)
            });
        }
        if !still {
            out.push(asks);
        }
    }
    Ok(out)
}

fn split_forbidden(
    rule: &PlacedRule,
    order: &Order,
    asks: Asks,
    out: &mut BTreeSet<Rewrite>,
) -> Result<(), NotStreamed> {
    let mut cases = vec![asks];
    for list in &rule.forbid {
        let mut split = Vec::new();
        for case in cases {
            let mut matching = case;
            for &(cell, set) in list {
                let place = usize::from(order.places[cell as usize]);
                let set = order.set(set);
                let others = order.all() & !set;
                if let Some(failing) = narrowed(&matching, place, others, order) {
                    split.push(failing);
                }
                let Some(next) = narrowed(&matching, place, set, order) else {
                    matching = Vec::new();
                    break;
                };
                matching = next;
            }
            // What matches the whole list is forbidden.
            drop(matching);
            if split.len() + out.len() > MOST_REWRITES {
                return Err(NotStreamed::TooManyRewrites);
            }
        }
        cases = split;
    }
    for case in cases {
        let asks = (0_u8..)
            .zip(case)
            .filter_map(|(at, ask)| ask.map(|ask| (at, ask)));
        out.insert(Rewrite {
            from: 0,
            to: 0,
            asks: asks.collect(),
        });
    }
    if out.len() > MOST_REWRITES {
        return Err(NotStreamed::TooManyRewrites);
    }
    Ok(())
}

/// The asks where a place must hold one of a set too; `None` if that cannot be.
fn narrowed(asks: &Asks, place: usize, set: u64, order: &Order) -> Option<Asks> {
    let ask = match asks[place] {
        None if set == order.all() => None,
        None => Some(Ask::Keep(set)),
        Some(Ask::Keep(kept)) => Some(Ask::Keep(kept & set)),
        Some(change @ Ask::Change(before, _)) if set >> before & 1 == 1 => Some(change),
        Some(Ask::Change(..)) => return None,
    };
    if ask == Some(Ask::Keep(0)) {
        return None;
    }
    let mut asks = asks.clone();
    asks[place] = ask;
    Some(asks)
}
