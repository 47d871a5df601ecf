//! Families: placed rules that differ by a shift, found at all their places by one AND.
//!
//! From a packed board one word a symbol set is made ("where does it stand": one bit a field, the
//! lowest). A family reads a few of these words, shifted, and the AND has a bit for each place at
//! which the rule applies; the move itself is one XOR.

use std::collections::BTreeMap;

use crate::board::Cell;
use crate::instance::SymbolSet;
use crate::placed::{PlacedRule, Symbol};
use crate::puzzle::Move;
use crate::word::Word;

/// How cells become fields: cell 0 in the most significant field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Number of cells.
    pub cells: u32,
    /// Bits a field.
    pub width: u32,
}

impl Packing {
    /// The narrowest packing of `cells` cells with values below `values`.
    #[must_use]
    pub fn new(cells: usize, values: u64) -> Self {
        let width = (u64::BITS - values.saturating_sub(1).leading_zeros()).max(1);
        Self {
            cells: cells as u32,
            width,
        }
    }

    /// Bits a state.
    #[must_use]
    pub fn bits(self) -> usize {
        self.cells as usize * self.width as usize
    }

    /// Bits a cell.
    #[must_use]
    pub fn width(self) -> u32 {
        self.width
    }

    /// The lowest bit of a cell's field.
    #[must_use]
    pub fn at(self, cell: Cell) -> u32 {
        (self.cells - 1 - cell) * self.width
    }

    /// The word of cell contents.
    pub fn pack<W: Word>(self, contents: impl IntoIterator<Item = u64>) -> W {
        let cells = 0..self.cells;
        cells.zip(contents).fold(W::ZERO, |word, (cell, value)| {
            word | W::from_u64(value).left(self.at(cell))
        })
    }

    /// The content of one cell.
    #[must_use]
    pub fn content<W: Word>(self, word: W, cell: Cell) -> u64 {
        word.field(self.at(cell), self.width)
    }

    /// The contents of all cells.
    #[must_use]
    pub fn unpack<W: Word>(self, word: W) -> Vec<u64> {
        (0..self.cells)
            .map(|cell| self.content(word, cell))
            .collect()
    }
}

/// Makes, from a board, one word a symbol set.
#[derive(Clone, Debug)]
pub(crate) struct Masks<W> {
    packing: Packing,
    ones: W,
    symbols: usize,
    sets: Vec<SymbolSet>,
    /// How each set's word is made.
    recipes: Vec<Recipe<W>>,
}

/// How a set's word is made from the words of single symbols.
#[derive(Clone, Debug)]
struct Recipe<W> {
    /// The number of a set whose word is made before: a part of what is made here.
    part: Option<usize>,
    /// The symbols beside, each in all fields.
    symbols: Vec<W>,
    /// What turns the word round, if the symbols are those that are missing; else nothing.
    complement: W,
}

impl<W: Word> Masks<W> {
    pub(crate) fn new(packing: Packing, symbols: usize) -> Self {
        let cells = 0..packing.cells;
        let ones = cells.fold(W::ZERO, |word, cell| word | W::bit(packing.at(cell)));
        Self {
            packing,
            ones,
            symbols,
            sets: Vec::new(),
            recipes: Vec::new(),
        }
    }

    /// The number of a set, new or known.
    pub(crate) fn number(&mut self, set: SymbolSet) -> usize {
        self.sets.iter().position(|&s| s == set).unwrap_or_else(|| {
            let missing = SymbolSet(SymbolSet::any(self.symbols).0 & !set.0);
            let complement = missing.0.count_ones() < set.0.count_ones();
            let few = if complement { missing } else { set };
            let subsets = (0..self.sets.len()).filter(|&i| self.sets[i].0 & !few.0 == 0);
            let part = subsets.max_by_key(|&i| self.sets[i].0.count_ones());
            let made = part.map_or(0, |i| self.sets[i].0);
            let beside = SymbolSet(few.0 & !made).symbols();
            self.recipes.push(Recipe {
                part,
                symbols: beside.map(|s| self.everywhere(s)).collect(),
                complement: if complement { self.ones } else { W::ZERO },
            });
            self.sets.push(set);
            self.sets.len() - 1
        })
    }

    /// A board of one symbol.
    fn everywhere(&self, symbol: Symbol) -> W {
        let planes = (0..self.packing.width).filter(|plane| symbol >> plane & 1 == 1);
        planes.fold(W::ZERO, |word, plane| word | self.ones.left(plane))
    }

    /// The fields equal to a symbol that is given in all fields.
    #[inline]
    fn equal(&self, board: W, everywhere: W) -> W {
        let differing = board ^ everywhere;
        let mut any = differing;
        for plane in 1..self.packing.width {
            any = any | differing.right(plane);
        }
        self.ones & !any
    }

    /// How many sets there are.
    #[inline]
    pub(crate) fn count_sets(&self) -> usize {
        self.sets.len()
    }

    /// Fills `out` with one word a set.
    #[inline]
    pub(crate) fn make(&self, board: W, out: &mut [W]) {
        for (i, recipe) in self.recipes.iter().enumerate() {
            let mut found = recipe.part.map_or(W::ZERO, |part| out[part]);
            for &symbol in &recipe.symbols {
                found = found | self.equal(board, symbol);
            }
            out[i] = found ^ recipe.complement;
        }
    }

    /// Cells of a board that hold a symbol of a set.
    pub(crate) fn count(&self, board: W, set: SymbolSet) -> u32 {
        let symbols = set.symbols();
        symbols
            .map(|s| self.equal(board, self.everywhere(s)).ones())
            .sum()
    }
}

/// Where a family applies: to look up the move only if it is asked for.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    list: u32,
    at: u32,
}

/// Placed rules of one shape.
#[derive(Clone, Debug)]
pub(crate) struct Family<W> {
    /// Reads: how far to shift, which word.
    reads: Vec<(u32, usize)>,
    /// The places, as bits of the last cell of each.
    places: W,
    /// What changes, relative to the last cell.
    flip: W,
    /// Contents that move: relative bit positions from and to.
    moved: Vec<(u32, u32)>,
    /// One content that goes from a place to an empty one, whatever it is: relative bit positions.
    carried: Option<(u32, u32)>,
    forbid: Vec<Vec<(u32, usize)>>,
    /// The move of each place, by bit; for carried contents one list a symbol.
    moves: Vec<Vec<Move>>,
}

/// What makes placed rules one family: everything relative to the last cell they touch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    rule: u16,
    reads: Vec<(u32, SymbolSet)>,
    delta: Vec<(u32, Symbol)>,
    moved: Vec<(u32, u32)>,
    forbid: Vec<Vec<(u32, SymbolSet)>>,
}

/// The form of a placed rule and its last cell.
fn form(rule: &PlacedRule) -> (Form, Cell) {
    let cells = rule.delta.iter().map(|d| d.0);
    let cells = cells.chain(rule.guard.iter().map(|g| g.0));
    let cells = cells.chain(rule.moved.iter().map(|m| m.0));
    let cells = cells.chain(rule.forbid.iter().flatten().map(|f| f.0));
    let last = cells.max().unwrap_or(0);
    let mut reads: Vec<_> = rule.guard.iter().map(|&(c, set)| (last - c, set)).collect();
    reads.extend(rule.delta.iter().map(|d| (last - d.0, SymbolSet::one(d.1))));
    reads.extend(rule.moved.iter().map(|m| (last - m.0, m.2)));
    reads.sort_unstable_by_key(|&(cell, set)| (set.0.count_ones(), set, cell));
    let form = Form {
        rule: rule.rule,
        reads,
        delta: rule.delta.iter().map(|d| (last - d.0, d.1 ^ d.2)).collect(),
        moved: rule
            .moved
            .iter()
            .map(|m| (last - m.0, last - m.1))
            .collect(),
        forbid: rule
            .forbid
            .iter()
            .map(|list| list.iter().map(|&(c, set)| (last - c, set)).collect())
            .collect(),
    };
    (form, last)
}

/// Groups placed rules into families, in order of their first member.
pub(crate) fn families<W: Word>(
    rules: &[PlacedRule],
    packing: Packing,
    masks: &mut Masks<W>,
) -> Vec<Family<W>> {
    let mut known: BTreeMap<Form, usize> = BTreeMap::new();
    let mut shapes: Vec<Shape> = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        let (form, last) = form(rule);
        let index = *known.entry(form.clone()).or_insert_with(|| {
            shapes.push(Shape {
                form,
                members: Vec::new(),
            });
            shapes.len() - 1
        });
        shapes[index].members.push((last, Move(number as u32)));
    }
    join_carriers(shapes)
        .iter()
        .map(|shape| Family::new(shape, packing, masks))
        .collect()
}

/// A form and where it is placed: last cells and moves.
struct Shape {
    form: Form,
    members: Vec<(Cell, Move)>,
}

/// Shapes that carry different symbols the same way to an empty cell, together.
struct Carriers {
    from: u32,
    to: u32,
    by_symbol: Vec<(Symbol, Shape)>,
}

/// Joins shapes that differ only in the symbol they carry to an empty cell; others stand alone.
fn join_carriers(shapes: Vec<Shape>) -> Vec<Carriers> {
    let mut out: Vec<Carriers> = Vec::new();
    let mut known = BTreeMap::new();
    for shape in shapes {
        let Some((symbol, from, to)) = carried(&shape.form) else {
            out.push(Carriers {
                from: 0,
                to: 0,
                by_symbol: vec![(0, shape)],
            });
            continue;
        };
        let mut rest = shape.form.clone();
        rest.reads.retain(|&(cell, _)| cell != from);
        rest.delta.clear();
        let places: Vec<Cell> = shape.members.iter().map(|m| m.0).collect();
        let index = *known.entry((rest, from, to, places)).or_insert_with(|| {
            out.push(Carriers {
                from,
                to,
                by_symbol: Vec::new(),
            });
            out.len() - 1
        });
        out[index].by_symbol.push((symbol, shape));
    }
    out
}

/// The symbol a form carries to an empty cell, from where and to where, if that is all it does.
fn carried(form: &Form) -> Option<(Symbol, u32, u32)> {
    let [(a, change), (b, other)] = form.delta[..] else {
        return None;
    };
    let holds = |cell, symbol| form.reads.contains(&(cell, SymbolSet::one(symbol)));
    if change != other || !form.moved.is_empty() {
        return None;
    }
    let once = |cell| form.reads.iter().filter(|r| r.0 == cell).count() == 1;
    let from = [(a, b), (b, a)]
        .into_iter()
        .find(|&(from, to)| holds(from, change) && holds(to, 0));
    from.filter(|&(from, to)| once(from) && once(to))
        .map(|(from, to)| (change, from, to))
}

impl<W: Word> Family<W> {
    fn new(carriers: &Carriers, packing: Packing, masks: &mut Masks<W>) -> Self {
        let width = packing.width;
        let (_, shape) = &carriers.by_symbol[0];
        let form = &shape.form;
        let joined = carriers.by_symbol.len() > 1;
        let symbols = carriers.by_symbol.iter();
        let any = symbols.fold(SymbolSet(0), |set, &(symbol, _)| {
            SymbolSet(set.0 | 1 << symbol)
        });
        let mut read = |&(cell, set): &(u32, SymbolSet)| {
            let set = if joined && cell == carriers.from {
                any
            } else {
                set
            };
            (cell * width, masks.number(set))
        };
        let mut family = Self {
            reads: form.reads.iter().map(&mut read).collect(),
            places: W::ZERO,
            flip: form.delta.iter().fold(W::ZERO, |flip, &(cell, change)| {
                flip | W::from_u64(u64::from(change)).left(cell * width)
            }),
            moved: form
                .moved
                .iter()
                .map(|&(from, to)| (from * width, to * width))
                .collect(),
            carried: joined.then_some((carriers.from * width, carriers.to * width)),
            forbid: form
                .forbid
                .iter()
                .map(|list| list.iter().map(&mut read).collect())
                .collect(),
            moves: Vec::new(),
        };
        for (symbol, shape) in &carriers.by_symbol {
            let list = if joined { usize::from(*symbol) } else { 0 };
            for &(last, mv) in &shape.members {
                family.add(packing.at(last), list, mv);
            }
        }
        family
    }

    fn add(&mut self, place: u32, list: usize, mv: Move) {
        self.places = self.places | W::bit(place);
        let lists = self.moves.len().max(list + 1);
        self.moves.resize(lists, Vec::new());
        let moves = &mut self.moves[list];
        let length = moves.len().max(place as usize + 1);
        moves.resize(length, Move(u32::MAX));
        moves[place as usize] = mv;
    }

    /// The places at which the family applies.
    #[inline]
    fn matches(&self, words: &[W]) -> W {
        let mut places = self.places;
        for &(shift, set) in &self.reads {
            places = places & words[set].right(shift);
            if places.is_zero() {
                return places;
            }
        }
        for list in &self.forbid {
            let all = list
                .iter()
                .fold(places, |all, &(shift, set)| all & words[set].right(shift));
            places = places & !all;
        }
        places
    }

    /// Whether it applies anywhere.
    #[inline]
    pub(crate) fn applies(&self, words: &[W]) -> bool {
        !self.matches(words).is_zero()
    }

    /// The move at a place where the family applies.
    #[inline]
    pub(crate) fn move_at(&self, place: Place) -> Move {
        self.moves[place.list as usize][place.at as usize]
    }

    /// Calls `visit` with every successor that differs from the board, and where the move is.
    #[inline]
    pub(crate) fn visit(
        &self,
        board: W,
        words: &[W],
        packing: Packing,
        visit: &mut impl FnMut(Place, W),
    ) {
        let mut places = self.matches(words);
        if let Some((from, to)) = self.carried {
            while !places.is_zero() {
                let at = places.trailing();
                places = places.without_lowest();
                let content = board.field(at + from, packing.width);
                let word = W::from_u64(content);
                let next = board ^ word.left(at + from) ^ word.left(at + to);
                let list = content as u32;
                visit(Place { list, at }, next);
            }
            return;
        }
        while !places.is_zero() {
            let at = places.trailing();
            places = places.without_lowest();
            let mut next = board ^ self.flip.left(at);
            if !self.moved.is_empty() {
                next = self.move_contents(board, next, at, packing.width);
                if next == board {
                    continue;
                }
            }
            visit(Place { list: 0, at }, next);
        }
    }

    fn move_contents(&self, board: W, mut next: W, at: u32, width: u32) -> W {
        for &(from, to) in &self.moved {
            let content = board.field(at + from, width);
            let there = board.field(at + to, width);
            next = next ^ W::from_u64(content ^ there).left(at + to);
        }
        next
    }
}
