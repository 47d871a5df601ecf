//! The linear system of a puzzle: one unknown a cell and symbol, one row a way of moving.

use std::collections::BTreeSet;

use impasse_model::board::Cell;
use impasse_model::instance::{Instance, Position, SymbolSet, Value};
use impasse_model::placed::{PlacedRule, PlacedRules, Symbol};

use super::amounts::change_forms;
use super::echelon::Form;

/// The unknown weights of the cells of a board.
///
/// Each cell holds one symbol, so a weight that is the same for all symbols of a cell says nothing:
/// one symbol, `.` where it occurs at all, weighs 0 everywhere. On counted boards a cell has one
/// weight, for each of its count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknowns {
    /// Cells of the board.
    pub cells: usize,
    /// The symbol that weighs 0.
    pub base: Symbol,
    /// The other symbols that can occur, ascending; on counted boards 1, which stands for the count.
    pub symbols: Vec<Symbol>,
}

impl Unknowns {
    /// The unknowns of an instance: those of the symbols that stand in a start, or that a rule
    /// writes which can ever apply.
    #[must_use]
    pub fn of(instance: &Instance, placed: &PlacedRules) -> Self {
        let cells = instance.board.cells;
        if instance.board.counted {
            return Self {
                cells,
                base: 0,
                symbols: vec![1],
            };
        }
        let occurring = occurring(instance, placed);
        let mut symbols = occurring.symbols();
        let base = symbols.next().unwrap_or(0);
        Self {
            cells,
            base,
            symbols: symbols.collect(),
        }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.cells * self.symbols.len()
    }

    /// Whether a symbol can occur.
    #[must_use]
    pub fn occurs(&self, symbol: Symbol) -> bool {
        symbol == self.base || self.symbols.contains(&symbol)
    }

    /// The symbols that can occur, as a set.
    #[must_use]
    pub fn all(&self) -> SymbolSet {
        let bits = self.symbols.iter().map(|&s| 1 << s);
        SymbolSet(bits.fold(1 << self.base, |all, bit| all | bit))
    }

    /// The unknown of a symbol at a cell; `None` where it weighs 0.
    #[must_use]
    pub fn at(&self, cell: Cell, symbol: Symbol) -> Option<u32> {
        let before = self.symbols.binary_search(&symbol).ok()?;
        Some((before * self.cells) as u32 + cell)
    }

    /// The cell and the symbol of an unknown.
    #[must_use]
    pub fn place(&self, unknown: usize) -> (Cell, Symbol) {
        let (symbol, cell) = (unknown / self.cells, unknown % self.cells);
        (cell as Cell, self.symbols[symbol])
    }

    /// The unknowns that count in a position, each with how often.
    pub fn in_position<'a>(
        &'a self,
        position: &'a Position,
        counted: bool,
    ) -> impl Iterator<Item = (usize, Value)> + 'a {
        let contents = position.iter().zip(0..);
        contents.filter_map(move |(&content, cell)| {
            if counted {
                return (content > 0).then_some((cell as usize, content));
            }
            let unknown = self.at(cell, content as Symbol)?;
            Some((unknown as usize, 1))
        })
    }
}

/// The symbols that stand in a start, or that a rule writes which can ever apply.
fn occurring(instance: &Instance, placed: &PlacedRules) -> SymbolSet {
    let starts = instance.starts.iter().flatten();
    let mut found = SymbolSet(starts.fold(0, |all, &content| all | 1 << content));
    loop {
        let before = found;
        for rule in placed.rules.iter().filter(|rule| may_apply(rule, before)) {
            for &(_, _, after) in &rule.delta {
                found.0 |= 1 << after;
            }
        }
        if found == before {
            return found;
        }
    }
}

/// Whether everything that a rule changes or reads can occur.
fn may_apply(rule: &PlacedRule, occurring: SymbolSet) -> bool {
    let reads = rule.guard.iter().map(|g| g.1);
    let mut sets = reads.chain(rule.moved.iter().map(|m| m.2));
    rule.delta.iter().all(|d| occurring.has(d.1)) && sets.all(|set| set.0 & occurring.0 != 0)
}

/// One way of moving, or the difference of two.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    /// What the move adds to the weight of the position.
    pub(crate) form: Form,
    /// Whether this is a move; else it is the difference of two moves.
    pub(crate) is_move: bool,
    /// Whether the contents that change places do so by an odd permutation; `None` where the move
    /// changes the number of a symbol, or this is no such move.
    pub(crate) is_odd: Option<bool>,
}

/// All rows, each once. A weight that takes every form to 0 is kept by every move.
pub(crate) struct System {
    pub(crate) unknowns: Unknowns,
    pub(crate) rows: Vec<Row>,
}

impl System {
    /// The rows of placed rules. `None` for boards up to shift, where cells have no weights, and for
    /// amounts that are no sums.
    pub(crate) fn of(instance: &Instance, placed: &PlacedRules) -> Option<Self> {
        if instance.board.shape == impasse_model::board::Shape::Span {
            return None;
        }
        let unknowns = Unknowns::of(instance, placed);
        let every = unknowns.all();
        let mut rows = BTreeSet::new();
        for rule in placed.rules.iter().filter(|rule| may_apply(rule, every)) {
            rows.extend(symbol_rows(&unknowns, rule));
        }
        for rule in placed.counts.iter().filter(|rule| !rule.cut) {
            let forms = change_forms(instance, &rule.adds)?;
            let rest = forms.differences.into_iter().map(|form| (form, false));
            let all = std::iter::once((forms.fixed, true)).chain(rest);
            rows.extend(all.map(|(form, is_move)| Row {
                form,
                is_move,
                is_odd: None,
            }));
        }
        let rows = rows.into_iter().collect();
        Some(Self { unknowns, rows })
    }

    /// The forms of all rows, each once.
    pub(crate) fn forms(&self) -> Vec<Form> {
        let mut forms: Vec<Form> = self.rows.iter().map(|row| row.form.clone()).collect();
        forms.sort_unstable();
        forms.dedup();
        forms.retain(|form| !form.is_empty());
        forms
    }
}

/// Sorts a form, adds up what stands twice and drops zeros.
pub(crate) fn tidy(mut terms: Vec<(u32, i64)>) -> Form {
    terms.sort_unstable();
    let mut form: Form = Vec::with_capacity(terms.len());
    for (unknown, n) in terms {
        match form.last_mut() {
            Some(last) if last.0 == unknown => last.1 += n,
            _ => form.push((unknown, n)),
        }
    }
    form.retain(|&(_, n)| n != 0);
    form
}

/// A placed rule: the move with the first content that each moved cell may have, and for each other
/// content of such a cell the difference it makes.
fn symbol_rows(unknowns: &Unknowns, rule: &PlacedRule) -> Vec<Row> {
    let mut terms = Vec::new();
    for &(cell, before, after) in &rule.delta {
        terms.extend(unknowns.at(cell, after).map(|u| (u, 1)));
        terms.extend(unknowns.at(cell, before).map(|u| (u, -1)));
    }
    let mut rows = Vec::new();
    for &(from, to, set) in &rule.moved {
        let carried = |symbol: Symbol| {
            let arrives = unknowns.at(to, symbol).map(|u| (u, 1));
            let leaves = unknowns.at(from, symbol).map(|u| (u, -1));
            arrives.into_iter().chain(leaves)
        };
        let every = unknowns.all();
        let mut symbols = set.symbols().filter(|&s| every.has(s));
        let Some(first) = symbols.next() else {
            // No content passes: the rule never applies.
            return Vec::new();
        };
        terms.extend(carried(first));
        for symbol in symbols {
            let less = carried(first).map(|(u, n)| (u, -n));
            rows.push(Row {
                form: tidy(carried(symbol).chain(less).collect()),
                is_move: false,
                is_odd: Some(false),
            });
        }
    }
    rows.push(Row {
        form: tidy(terms),
        is_move: true,
        is_odd: permutation_is_odd(rule),
    });
    rows
}

/// Whether a rule permutes contents, all different, by an odd permutation.
fn permutation_is_odd(rule: &PlacedRule) -> Option<bool> {
    let mut cells: Vec<Cell> = rule.delta.iter().map(|d| d.0).collect();
    cells.extend(rule.moved.iter().map(|m| m.0));
    let number = |cell: Cell| cells.iter().position(|&c| c == cell);
    // Where the content of each cell goes.
    let mut goes = Vec::with_capacity(cells.len());
    let mut seen = SymbolSet(0);
    for &(_, before, _) in &rule.delta {
        if seen.has(before) {
            return None;
        }
        seen.0 |= 1 << before;
        let arrives = |d: &&(Cell, Symbol, Symbol)| d.2 == before;
        goes.push(number(rule.delta.iter().find(arrives)?.0)?);
    }
    for &(_, to, _) in &rule.moved {
        goes.push(number(to)?);
    }
    parity(&goes)
}

/// Whether a permutation is odd; `None` if it is none.
pub(crate) fn parity(goes: &[usize]) -> Option<bool> {
    let mut seen = vec![false; goes.len()];
    let mut is_odd = false;
    for start in 0..goes.len() {
        let mut at = start;
        let mut length = 0_usize;
        while !std::mem::replace(seen.get_mut(at)?, true) {
            at = goes[at];
            length += 1;
        }
        if at != start {
            return None;
        }
        is_odd ^= length > 0 && length.is_multiple_of(2);
    }
    Some(is_odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations() {
        let check = |goes: &[usize], odd| assert_eq!(parity(goes), odd, "{goes:?}");
        check(&[], Some(false));
        check(&[0, 1], Some(false));
        check(&[1, 0], Some(true));
        check(&[1, 2, 0], Some(false));
        check(&[1, 0, 3, 2], Some(false));
        check(&[1, 2, 3, 0], Some(true));
        check(&[1, 1], None);
        check(&[0, 5], None);
    }

    #[test]
    fn forms_are_tidied() {
        assert_eq!(tidy(vec![(3, 1), (0, 2), (3, -1), (0, 1)]), [(0, 3)]);
    }
}
