//! Symmetries of a puzzle: ways to exchange cells and pieces that change nothing.
//!
//! A symmetry maps every placed rule to a placed rule, every start to a start, the goal to itself,
//! and what a window cuts off to what it cuts off. That is checked for each one, on the placed rules;
//! so states that a symmetry takes to each other have the same depth, verdict and remoteness.

use std::collections::{BTreeSet, HashMap};

use crate::board::{Cell, Shape};
use crate::family::Packing;
use crate::goal::{CellGoal, CellTests, cell_goal};
use crate::instance::{Instance, Position, SymbolSet, Value};
use crate::placed::{CutRule, PlacedRule, PlacedRules, Symbol};
use crate::word::Word;

/// More symmetries are not looked for: none is used then.
const MOST: usize = 512;
/// More attempts to place a cell are not made: none is used then.
const MOST_STEPS: usize = 200_000;

/// An exchange of cells and symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Where each cell goes.
    pub cells: Vec<Cell>,
    /// What each symbol becomes.
    pub symbols: Vec<Symbol>,
}

impl Symmetry {
    /// Where a position goes.
    #[must_use]
    pub fn image(&self, position: &[Value]) -> Position {
        let mut image = vec![0; position.len()];
        for (&to, &content) in self.cells.iter().zip(position) {
            image[to as usize] = Value::from(self.symbols[content as usize]);
        }
        image
    }

    /// Whether it leaves everything where and as it is.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.cells.iter().enumerate().all(|(i, &c)| i == c as usize)
            && self
                .symbols
                .iter()
                .enumerate()
                .all(|(i, &s)| i == usize::from(s))
    }

    fn set(&self, set: SymbolSet) -> SymbolSet {
        let kept = set.0 & SymbolSet::NO_CELL.0;
        let symbols = set
            .symbols()
            .filter(|&s| usize::from(s) < self.symbols.len());
        SymbolSet(symbols.fold(kept, |all, s| all | 1 << self.symbols[usize::from(s)]))
    }

    fn tests(&self, tests: &[(Cell, SymbolSet)]) -> CellTests {
        let images = tests
            .iter()
            .map(|&(cell, set)| (self.cells[cell as usize], self.set(set)));
        sorted(images.collect())
    }

    fn rule(&self, rule: &PlacedRule) -> Key {
        let cell = |cell: Cell| self.cells[cell as usize];
        let symbol = |symbol: Symbol| self.symbols[usize::from(symbol)];
        let delta = rule.delta.iter();
        let moved = rule.moved.iter();
        Key {
            delta: sorted(
                delta
                    .map(|&(c, u, v)| (cell(c), symbol(u), symbol(v)))
                    .collect(),
            ),
            moved: sorted(
                moved
                    .map(|&(from, to, set)| (cell(from), cell(to), self.set(set)))
                    .collect(),
            ),
            guard: self.tests(&rule.guard),
            forbid: sorted(rule.forbid.iter().map(|list| self.tests(list)).collect()),
        }
    }

    fn cut(&self, cut: &CutRule) -> CutRule {
        CutRule {
            guard: self.tests(&cut.guard),
            forbid: sorted(cut.forbid.iter().map(|list| self.tests(list)).collect()),
        }
    }

    fn goal(&self, goal: &CellGoal) -> CellGoal {
        let all = |goals: &[CellGoal]| sorted(goals.iter().map(|g| self.goal(g)).collect());
        match goal {
            CellGoal::Fits(lists) => {
                CellGoal::Fits(sorted(lists.iter().map(|list| self.tests(list)).collect()))
            }
            CellGoal::Count(set, comparison, number) => {
                CellGoal::Count(self.set(*set), *comparison, *number)
            }
            CellGoal::Stuck => CellGoal::Stuck,
            CellGoal::Not(goal) => CellGoal::Not(Box::new(self.goal(goal))),
            CellGoal::And(goals) => CellGoal::And(all(goals)),
            CellGoal::Or(goals) => CellGoal::Or(all(goals)),
        }
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list
}

/// A placed rule without its name, in normal order.
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Key {
    delta: Vec<(Cell, Symbol, Symbol)>,
    moved: Vec<(Cell, Cell, SymbolSet)>,
    guard: CellTests,
    forbid: Vec<CellTests>,
}

/// All symmetries of an instance, the identity first; only the identity where there are none, or
/// more than can be used.
///
/// Time grows with the placed rules times the symmetries.
#[must_use]
pub fn symmetries(instance: &Instance, placed: &PlacedRules) -> Vec<Symmetry> {
    let identity = Symmetry {
        cells: (0..placed.cells as Cell).collect(),
        symbols: (0..instance.alphabet.symbols.len() as Symbol).collect(),
    };
    let alone = vec![identity.clone()];
    if instance.board.counted || instance.board.shape == Shape::Span {
        return alone;
    }
    let Some(goal) = cell_goal(instance) else {
        return alone;
    };
    let rules: BTreeSet<Key> = placed
        .rules
        .iter()
        .map(|rule| identity.rule(rule))
        .collect();
    let cuts: BTreeSet<CutRule> = placed.cuts.iter().map(|cut| identity.cut(cut)).collect();
    let goal_key = identity.goal(&goal);
    let starts: BTreeSet<&Position> = instance.starts.iter().collect();
    let proved = |symmetry: &Symmetry| {
        placed
            .rules
            .iter()
            .all(|rule| rules.contains(&symmetry.rule(rule)))
            && placed
                .cuts
                .iter()
                .all(|cut| cuts.contains(&symmetry.cut(cut)))
            && instance
                .starts
                .iter()
                .all(|start| starts.contains(&symmetry.image(start)))
            && symmetry.goal(&goal) == goal_key
    };
    let mut found = Vec::new();
    let mut steps = 0;
    for target in &instance.starts {
        let mut search = Search {
            near: Near::new(placed),
            from: &instance.starts[0],
            to: target,
            order: Vec::new(),
            cells: vec![None; placed.cells],
            used: vec![false; placed.cells],
            symbols: vec![None; identity.symbols.len()],
            steps: &mut steps,
        };
        search.order = search.near.order();
        let complete = search.walk(0, &mut |symmetry| {
            if proved(&symmetry) {
                found.push(symmetry);
            }
            found.len() <= MOST
        });
        if !complete {
            return alone;
        }
    }
    found.retain(|symmetry| !symmetry.is_identity());
    found.sort_unstable_by(|a, b| (&a.cells, &a.symbols).cmp(&(&b.cells, &b.symbols)));
    found.dedup();
    let mut all = alone;
    all.extend(found);
    all
}

/// Bits of a word that are looked up at a time.
const CHUNK_BITS: u32 = 11;

/// A group of symmetries on packed boards.
#[derive(Clone, Debug)]
pub struct PackedGroup<W> {
    /// Each symmetry as tables: what the fields of each chunk of the word become.
    tables: Vec<Vec<Vec<W>>>,
    chunk: u32,
}

impl<W: Word> PackedGroup<W> {
    /// Packs symmetries of boards that are packed so.
    #[must_use]
    pub fn new(symmetries: &[Symmetry], packing: Packing) -> Self {
        let fields = (CHUNK_BITS / packing.width()).max(1);
        let chunk = fields * packing.width();
        let cells = packing.bits() as u32 / packing.width();
        let table = |symmetry: &Symmetry, first: u32| -> Vec<W> {
            // The fields of a chunk, from the least significant one on.
            let here = (first..(first + fields).min(cells)).map(|field| cells - 1 - field);
            let here: Vec<Cell> = here.collect();
            (0..1_u64 << (here.len() as u32 * packing.width()))
                .map(|value| {
                    here.iter().enumerate().fold(W::ZERO, |word, (i, &cell)| {
                        let content = value.field(i as u32 * packing.width(), packing.width());
                        let symbol = symmetry.symbols.get(content as usize);
                        let to = symmetry.cells[cell as usize];
                        let image = W::from_u64(u64::from(symbol.copied().unwrap_or(0)));
                        word | image.left(packing.at(to))
                    })
                })
                .collect()
        };
        let tables = symmetries.iter().map(|symmetry| {
            let firsts = (0..cells).step_by(fields as usize);
            firsts.map(|first| table(symmetry, first)).collect()
        });
        Self {
            tables: tables.collect(),
            chunk,
        }
    }

    /// How many symmetries.
    #[must_use]
    pub fn order(&self) -> usize {
        self.tables.len()
    }

    fn image(&self, tables: &[Vec<W>], state: W) -> W {
        let mut at = 0;
        let mut image = W::ZERO;
        for table in tables {
            let value = state.field(at, self.chunk.min(W::BITS - at)) as usize;
            image = image | table[value & (table.len() - 1)];
            at += self.chunk;
        }
        image
    }

    /// The least state that symmetries take this one to.
    #[must_use]
    pub fn least(&self, state: W) -> W {
        let images = self.tables.iter().map(|tables| self.image(tables, state));
        images.fold(state, W::min)
    }

    /// How many states symmetries take this one to.
    #[must_use]
    pub fn orbit(&self, state: W) -> u64 {
        let fixing = self
            .tables
            .iter()
            .filter(|tables| self.image(tables, state) == state)
            .count();
        (self.order() / fixing.max(1)) as u64
    }
}

/// How cells hang together: in how many rules two of them are read or changed, by kind.
struct Near {
    /// By pair of cells; the diagonal is about one cell alone.
    bonds: Vec<Vec<u64>>,
}

impl Near {
    fn new(placed: &PlacedRules) -> Self {
        let mut bonds = vec![vec![0_u64; placed.cells]; placed.cells];
        for rule in &placed.rules {
            // Changed cells and kept ones are of different kinds.
            let changed = rule.delta.iter().map(|d| (d.0, 1_u64));
            let moved = rule.moved.iter().map(|m| (m.0, 1 << 12));
            let kept = rule.guard.iter().map(|g| (g.0, 1 << 24));
            let touched: Vec<(Cell, u64)> = changed.chain(moved).chain(kept).collect();
            for &(a, kind) in &touched {
                for &(b, other) in &touched {
                    let bond = &mut bonds[a as usize][b as usize];
                    *bond = bond.wrapping_add(kind.wrapping_mul(3).wrapping_add(other));
                }
            }
        }
        Self { bonds }
    }

    /// An order in which each cell, where possible, is bound to one before it.
    fn order(&self) -> Vec<usize> {
        let mut by_kind: HashMap<u64, usize> = HashMap::new();
        for (cell, row) in self.bonds.iter().enumerate() {
            *by_kind.entry(row[cell]).or_default() += 1;
        }
        let rarity = |cell: usize| by_kind[&self.bonds[cell][cell]];
        let cells = self.bonds.len();
        let mut order: Vec<usize> = Vec::with_capacity(cells);
        while order.len() < cells {
            let next = (0..cells)
                .filter(|cell| !order.contains(cell))
                .min_by_key(|&cell| {
                    let bound = order.iter().filter(|&&o| self.bonds[cell][o] > 0).count();
                    (std::cmp::Reverse(bound), rarity(cell), cell)
                });
            order.push(next.expect("a cell is left"));
        }
        order
    }
}

/// Places cell after cell, as long as bonds and contents allow.
struct Search<'a> {
    near: Near,
    from: &'a Position,
    to: &'a Position,
    order: Vec<usize>,
    cells: Vec<Option<usize>>,
    used: Vec<bool>,
    symbols: Vec<Option<u64>>,
    steps: &'a mut usize,
}

impl Search<'_> {
    /// `false` if it was broken off.
    fn walk(&mut self, depth: usize, visit: &mut impl FnMut(Symmetry) -> bool) -> bool {
        if depth == self.order.len() {
            return visit(self.symmetry());
        }
        let cell = self.order[depth];
        for image in 0..self.used.len() {
            if self.used[image] || !self.fits(depth, cell, image) {
                continue;
            }
            *self.steps += 1;
            if *self.steps > MOST_STEPS {
                return false;
            }
            let content = self.from[cell] as usize;
            let known = self.symbols[content];
            if known.is_none() && self.symbols.contains(&Some(self.to[image])) {
                continue;
            }
            if known.is_some_and(|known| known != self.to[image]) {
                continue;
            }
            self.symbols[content] = Some(self.to[image]);
            self.cells[cell] = Some(image);
            self.used[image] = true;
            if !self.walk(depth + 1, visit) {
                return false;
            }
            self.used[image] = false;
            self.cells[cell] = None;
            self.symbols[content] = known;
        }
        true
    }

    fn fits(&self, depth: usize, cell: usize, image: usize) -> bool {
        let bonds = &self.near.bonds;
        bonds[cell][cell] == bonds[image][image]
            && self.order[..depth].iter().all(|&other| {
                let there = self.cells[other].expect("placed before");
                bonds[cell][other] == bonds[image][there]
                    && bonds[other][cell] == bonds[there][image]
            })
    }

    /// Symbols that no start holds stay what they are where that is possible.
    fn symmetry(&self) -> Symmetry {
        let mut symbols = self.symbols.clone();
        for symbol in 0..symbols.len() {
            if symbols[symbol].is_none() {
                let taken = |s: u64| symbols.contains(&Some(s));
                let itself = symbol as u64;
                let free = (0..symbols.len() as u64).find(|&s| !taken(s));
                symbols[symbol] = if taken(itself) { free } else { Some(itself) };
            }
        }
        Symmetry {
            cells: self
                .cells
                .iter()
                .map(|image| image.expect("all are placed") as Cell)
                .collect(),
            symbols: symbols
                .into_iter()
                .map(|s| s.expect("as many as there are") as Symbol)
                .collect(),
        }
    }
}
