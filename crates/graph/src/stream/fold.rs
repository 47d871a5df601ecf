//! Searches up to symmetry: one lead of each orbit stands for all.
//!
//! The layers of a search are closed under the symmetries that keep the starts. So it is enough to
//! keep, of the leads that symmetries take to each other, one: what the others hold is known. A
//! transition that leaves the leads that are kept comes back by a symmetry; and what enters a lead
//! that some symmetries leave alone is completed by these. Both are done state by state, with
//! tables, and concern few states: those that cross the middle.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use hashbrown::HashMap;
use impasse_model::symmetry::Symmetry;

use super::layout::{Class, Layout};
use super::lead::Leads;
use super::rewrite::{Order, Rewrite};
use super::schedule::{Blocks, Schedule};

/// More symmetries are not used.
const MOST_ELEMENTS: usize = 64;
/// Bits of a row that one look-up takes, if a single place has no more.
const LOOK_UP_BITS: usize = 8;
/// Entries of all tables of ranks.
const MOST_ENTRIES: usize = 4_000_000;

/// A symmetry, in the engine's places and symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Element {
    places: Vec<u8>,
    symbols: Vec<u8>,
}

impl Element {
    /// `None` if the symmetry makes a symbol that occurs one that does not.
    fn new(symmetry: &Symmetry, order: &Order) -> Option<Self> {
        let places = order.cells.iter();
        let places = places.map(|&cell| order.places[symmetry.cells[cell as usize] as usize]);
        let symbols: Vec<u8> = order
            .symbols
            .iter()
            .map(|&symbol| order.numbers[usize::from(symmetry.symbols[usize::from(symbol)])])
            .collect();
        (!symbols.contains(&u8::MAX)).then(|| Self {
            places: places.collect(),
            symbols,
        })
    }

    fn lead(&self, leads: &Leads, lead: u32) -> u32 {
        let places = leads.places(lead).iter();
        let mut image: Vec<u8> = places.map(|&p| self.places[usize::from(p)]).collect();
        image.sort_unstable();
        leads.number(&image).expect("as many places")
    }

    fn is_identity(&self) -> bool {
        let same = |list: &[u8]| (0..).zip(list).all(|(i, &j)| i == j);
        same(&self.places) && same(&self.symbols)
    }

    /// First `other`, then this.
    fn after(&self, other: &Self) -> Self {
        let through = |list: &[u8], by: &[u8]| list.iter().map(|&i| by[usize::from(i)]).collect();
        Self {
            places: through(&other.places, &self.places),
            symbols: through(&other.symbols, &self.symbols),
        }
    }
}

/// Which leads stand for which.
#[derive(Debug)]
pub(crate) struct Orbits {
    elements: Vec<Element>,
    /// For each lead and element, where it goes.
    images: Vec<Vec<u32>>,
    /// For each lead, the least one of its orbit, which is kept.
    least: Vec<u32>,
}

impl Orbits {
    /// The orbits of leads under the symmetries that keep the leading symbol; `None` if each is
    /// alone.
    pub(crate) fn new(symmetries: &[Symmetry], leads: &Leads, order: &Order) -> Option<Self> {
        let symbol = leads.symbol()?;
        let elements: Vec<Element> = symmetries
            .iter()
            .map(|symmetry| Element::new(symmetry, order))
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .filter(|element| element.symbols[usize::from(symbol)] == symbol)
            .collect();
        if elements.len() > MOST_ELEMENTS {
            return None;
        }
        let images: Vec<Vec<u32>> = (0..leads.count() as u32)
            .map(|lead| elements.iter().map(|e| e.lead(leads, lead)).collect())
            .collect();
        let least: Vec<u32> = images
            .iter()
            .map(|images| images.iter().copied().min())
            .collect::<Option<_>>()?;
        let folds = least.iter().zip(0..).any(|(&least, lead)| least != lead);
        folds.then_some(Self {
            elements,
            images,
            least,
        })
    }

    /// The leads that are kept, ascending.
    pub(crate) fn kept(&self) -> Vec<u32> {
        let all = 0..self.least.len() as u32;
        all.filter(|&lead| self.is_kept(lead)).collect()
    }

    fn is_kept(&self, lead: u32) -> bool {
        self.least[lead as usize] == lead
    }

    /// The elements that leave a lead alone.
    fn stabilizer(&self, lead: u32) -> impl Iterator<Item = usize> + '_ {
        let images = self.images[lead as usize].iter().enumerate();
        images.filter_map(move |(e, &image)| (image == lead).then_some(e))
    }

    /// How many leads one stands for.
    fn weight(&self, lead: u32) -> u64 {
        (self.elements.len() / self.stabilizer(lead).count()) as u64
    }

    /// How many ordered pairs of leads one stands for.
    fn pair_weight(&self, from: u32, to: u32) -> u64 {
        let both = self.stabilizer(from);
        let both = both.filter(|&e| self.images[to as usize][e] == to).count();
        (self.elements.len() / both) as u64
    }

    /// Whether what goes from a kept lead to another must be brought back: not if a symmetry that
    /// leaves the first alone takes the second to a kept one, or to one before it.
    fn crosses(&self, from: u32, to: u32) -> bool {
        self.stabilizer(from).all(|e| {
            let image = self.images[to as usize][e];
            !self.is_kept(image) && image >= to
        })
    }

    /// To how many kept leads symmetries bring something: those that some leave alone, and those
    /// where what leaves the kept leads comes back.
    pub(crate) fn receiving(&self, rewrites: &[Rewrite]) -> usize {
        let identities = self.elements.iter().filter(|e| e.is_identity()).count();
        let returning: BTreeSet<u32> = rewrites
            .iter()
            .filter(|rewrite| self.leaves(rewrite))
            .map(|rewrite| self.least[rewrite.to as usize])
            .collect();
        let receives =
            |lead: &u32| self.stabilizer(*lead).count() > identities || returning.contains(lead);
        self.kept().iter().filter(|lead| receives(lead)).count()
    }

    /// Whether a rewrite leads out of the kept leads, and its rows must come back.
    fn leaves(&self, rewrite: &Rewrite) -> bool {
        let (from, to) = (rewrite.from, rewrite.to);
        self.is_kept(from) && !self.is_kept(to) && self.crosses(from, to)
    }

    /// An element that takes a lead to the kept one of its orbit.
    fn home(&self, lead: u32) -> usize {
        let images = self.images[lead as usize].iter();
        let home = images.zip(0..).find(|&(&image, _)| self.is_kept(image));
        home.expect("each orbit keeps one").1
    }
}

/// Rows as bits, a few for each place, the first place lowest.
#[derive(Debug)]
struct Packing {
    /// Bits of a place.
    width: usize,
    /// The code of each symbol, and the symbol of each code.
    codes: Vec<u64>,
    symbols: Vec<u8>,
    /// Places that one look-up takes.
    step: usize,
    /// Places of a row.
    places: usize,
}

impl Packing {
    fn new(layout: &Layout, root: Class) -> Option<Self> {
        let symbols: Vec<u8> = (0..layout.symbols as u8)
            .filter(|&s| layout.left(root, usize::from(s)) > 0)
            .collect();
        let mut codes = vec![0; layout.symbols];
        for (code, &symbol) in (0..).zip(&symbols) {
            codes[usize::from(symbol)] = code;
        }
        let width = (symbols.len().max(2) - 1).ilog2() as usize + 1;
        (width * layout.places <= 64).then_some(Self {
            width,
            codes,
            symbols,
            step: (LOOK_UP_BITS / width).max(1),
            places: layout.places,
        })
    }

    /// The first place of each look-up, and its number of places.
    fn steps(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (step, places) = (self.step, self.places);
        let firsts = (0..places).step_by(step);
        firsts.map(move |first| (first, step.min(places - first)))
    }

    /// The symbols of some places, if the bits are codes.
    fn symbols(&self, bits: usize, places: usize) -> Option<Vec<u8>> {
        let codes = (0..places).map(|i| bits >> (i * self.width) & ((1 << self.width) - 1));
        codes.map(|code| self.symbols.get(code).copied()).collect()
    }

    /// The symbol of a place.
    fn symbol(&self, row: u64, place: usize) -> u8 {
        let code = row >> (place * self.width) & ((1 << self.width) - 1);
        self.symbols[code as usize]
    }

    /// The bits of some symbols from a place on.
    fn pack(&self, symbols: &[u8], first: usize) -> u64 {
        let symbols = (first..).zip(symbols);
        symbols.fold(0, |all, (place, &symbol)| {
            all | self.codes[usize::from(symbol)] << (place * self.width)
        })
    }
}

/// Takes packed rows of one lead to packed rows of another: what becomes of each part of a row, in
/// the order of [`Ranks`].
#[derive(Debug)]
pub(crate) struct Turning {
    beginnings: Vec<u64>,
    prefixes: HashMap<Class, Vec<u64>>,
    ends: Vec<Vec<u64>>,
    /// The place among the kept leads of where it leads.
    slot: u32,
}

impl Turning {
    fn new(base: &Base<'_>, element: &Element, lead: u32) -> Self {
        let Base {
            packing,
            leads,
            layout,
            ranks,
        } = base;
        let image = element.lead(leads, lead);
        let mut to = vec![0; packing.places];
        for (place, &moved) in (0_u8..).zip(&element.places) {
            if let (Some(from), Some(at)) = (
                leads.rest_place(lead, place),
                leads.rest_place(image, moved),
            ) {
                to[usize::from(from)] = usize::from(at);
            }
        }
        let turned = |row: u64, places: Range<usize>| {
            places.fold(0, |all, from| {
                let symbol = element.symbols[usize::from(packing.symbol(row, from))];
                all | packing.pack(&[symbol], to[from])
            })
        };
        let edge = layout.places - layout.free;
        let beginnings = ranks.beginnings.iter();
        let prefixes = ranks.leaves.iter().map(|(&class, leaves)| {
            let prefixes = leaves.iter().map(|&(_, prefix, leaf)| {
                let first = ranks.ends[leaf as usize].0;
                turned(prefix, edge..first)
            });
            (class, prefixes.collect())
        });
        let ends = ranks.ends.iter().map(|(first, rows)| {
            let rows = rows.iter().map(|&row| turned(row, *first..layout.places));
            rows.collect()
        });
        let kept = layout.leads().binary_search(&image);
        Self {
            beginnings: beginnings.map(|&row| turned(row, 0..edge)).collect(),
            prefixes: prefixes.collect(),
            ends: ends.collect(),
            slot: kept.expect("a kept lead") as u32,
        }
    }
}

/// What turnings are made from.
struct Base<'a> {
    packing: &'a Packing,
    leads: &'a Leads,
    layout: &'a Layout,
    ranks: &'a Ranks,
}

/// What some places of a row add to its rank.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    beginnings: u32,
    bits: u32,
    /// The number of the table for the places that follow.
    next: u32,
}

/// Ranks of packed rows, and packed rows of bits.
#[derive(Debug)]
struct Ranks {
    /// For each look-up and class before it, the share of each row of its places.
    shares: Vec<Vec<Vec<Share>>>,
    look_up: u32,
    /// The packed beginning of each row, by beginning.
    beginnings: Vec<u64>,
    /// For each class of blocks: where its leaves begin, what lies before them, and which they are.
    leaves: HashMap<Class, Vec<(u32, u64, u32)>>,
    /// The first place of each leaf, and the packed ends of its rows.
    ends: Vec<(usize, Vec<u64>)>,
}

impl Ranks {
    fn new(layout: &Layout, blocks: &Blocks, packing: &Packing, root: Class) -> Self {
        let mut ranks = Self {
            shares: Vec::new(),
            look_up: (packing.step * packing.width) as u32,
            beginnings: Vec::new(),
            leaves: HashMap::new(),
            ends: Vec::new(),
        };
        let mut classes = vec![root];
        for (_, places) in packing.steps() {
            let mut next: Vec<Class> = Vec::new();
            let mut numbers: HashMap<Class, u32> = HashMap::new();
            let mut tables = Vec::new();
            for &class in &classes {
                let size = 1_usize << (places * packing.width);
                let mut table = vec![Share::default(); size];
                for (bits, share) in table.iter_mut().enumerate() {
                    let symbols = packing.symbols(bits, places);
                    let Some((end, found)) = symbols.and_then(|row| share_of(layout, class, &row))
                    else {
                        continue;
                    };
                    *share = found;
                    share.next = *numbers.entry(end).or_insert_with(|| {
                        next.push(end);
                        next.len() as u32 - 1
                    });
                }
                tables.push(table);
            }
            ranks.shares.push(tables);
            classes = next;
        }
        layout.each_beginning(|_, before| ranks.beginnings.push(packing.pack(before, 0)));
        let mut numbers = HashMap::new();
        for &class in &blocks.class {
            if !ranks.leaves.contains_key(&class) {
                let mut leaves = Vec::new();
                let mut below = Below {
                    layout,
                    packing,
                    numbers: &mut numbers,
                    ends: &mut ranks.ends,
                };
                below.leaves(class, 0, 0, &mut leaves);
                ranks.leaves.insert(class, leaves);
            }
        }
        ranks
    }

    /// The beginning of a packed row, and its bit in the block.
    #[inline]
    fn of(&self, row: u64) -> (u32, u32) {
        let (mut beginning, mut bit, mut table) = (0, 0, 0);
        let mut left = row;
        for tables in &self.shares {
            let shares = &tables[table as usize];
            let share = shares[left as usize & (shares.len() - 1)];
            beginning += share.beginnings;
            bit += share.bits;
            table = share.next;
            left = left.checked_shr(self.look_up).unwrap_or(0);
        }
        (beginning, bit)
    }
}

/// What the next places of a row add to its rank, and the class after them; `None` if no such row
/// is left.
fn share_of(layout: &Layout, from: Class, row: &[u8]) -> Option<(Class, Share)> {
    let mut share = Share::default();
    let mut class = from;
    for &symbol in row {
        let symbol = usize::from(symbol);
        let next = layout.child(class, symbol)?;
        let before = layout.before(class, symbol);
        if layout.level(class) > layout.free {
            share.beginnings += before as u32;
        } else if layout.is_leaf(class) {
            share.bits += before as u32;
        } else {
            share.bits += 64 * before as u32;
        }
        class = next;
    }
    Some((class, share))
}

/// Walks down to the leaves of a block.
struct Below<'a> {
    layout: &'a Layout,
    packing: &'a Packing,
    numbers: &'a mut HashMap<Class, u32>,
    ends: &'a mut Vec<(usize, Vec<u64>)>,
}

impl Below<'_> {
    fn leaves(&mut self, class: Class, at: u64, before: u64, out: &mut Vec<(u32, u64, u32)>) {
        let first = self.layout.places - self.layout.level(class);
        if self.layout.is_leaf(class) || self.layout.level(class) == 0 {
            let number = self.numbers.get(&class).copied().unwrap_or_else(|| {
                let number = self.ends.len() as u32;
                let mut rows = Vec::new();
                self.ends(class, first, 0, &mut rows);
                self.ends.push((first, rows));
                self.numbers.insert(class, number);
                number
            });
            out.push((at as u32, before, number));
            return;
        }
        for symbol in 0..self.layout.symbols {
            if let Some(child) = self.layout.child(class, symbol) {
                let at = at + self.layout.before(class, symbol);
                let before = before | self.packing.pack(&[symbol as u8], first);
                self.leaves(child, at, before, out);
            }
        }
    }

    fn ends(&self, class: Class, place: usize, before: u64, rows: &mut Vec<u64>) {
        if self.layout.level(class) == 0 {
            rows.push(before);
            return;
        }
        for symbol in 0..self.layout.symbols {
            if let Some(child) = self.layout.child(class, symbol) {
                let before = before | self.packing.pack(&[symbol as u8], place);
                self.ends(child, place + 1, before, rows);
            }
        }
    }
}

/// What leaves the kept leads, and comes back by one element.
#[derive(Debug)]
pub(crate) struct Crossing {
    /// Into the blocks of the leads where it comes back, but as the rows were before that.
    pub(crate) schedule: Schedule,
    /// For each kept lead, the ways back.
    turnings: Vec<Vec<Turning>>,
    /// For each pair of kept leads, how many pairs a transition stands for.
    weights: Vec<u64>,
}

impl Crossing {
    /// The ways back into a block.
    pub(crate) fn turnings(&self, block: usize) -> &[Turning] {
        &self.turnings[block % self.turnings.len()]
    }
}

/// All that a search up to symmetry needs.
#[derive(Debug)]
pub(crate) struct Fold {
    ranks: Ranks,
    /// How many leads each kept one stands for.
    weights: Vec<u64>,
    /// For each pair of kept leads, how many pairs a transition stands for.
    pair_weights: Vec<u64>,
    /// For each kept lead, the elements but the identity that leave it alone.
    completing: Vec<Vec<Turning>>,
    pub(crate) crossings: Vec<Crossing>,
}

impl Fold {
    /// Whether rows have one multiset, fit in a word, and tables of ranks are small.
    pub(crate) fn fits(layout: &Layout) -> bool {
        let mut roots = layout.roots();
        let (Some((root, _)), None) = (roots.next(), roots.next()) else {
            return false;
        };
        Packing::new(layout, root).is_some_and(|packing| {
            let tables = packing.steps().map(|(first, places)| {
                layout.classes_of(layout.places - first) << (places * packing.width)
            });
            tables.sum::<usize>() <= MOST_ENTRIES
        })
    }

    /// For a layout of the kept leads that [`Fold::fits`].
    pub(crate) fn new(
        orbits: &Orbits,
        leads: &Leads,
        layout: &Layout,
        blocks: &Blocks,
        rewrites: &[Rewrite],
    ) -> Self {
        let (root, _) = layout.roots().next().expect("one multiset");
        let packing = Packing::new(layout, root).expect("rows fit in a word");
        let ranks = Ranks::new(layout, blocks, &packing, root);
        let kept = layout.leads();
        let base = Base {
            packing: &packing,
            leads,
            layout,
            ranks: &ranks,
        };
        let turning = |element: &Element, lead| Turning::new(&base, element, lead);
        let completing = kept.iter().map(|&lead| {
            let elements = orbits.stabilizer(lead).map(|e| &orbits.elements[e]);
            let elements = elements.filter(|e| !e.is_identity());
            elements.map(|e| turning(e, lead)).collect()
        });
        let pairs = |weight: &dyn Fn(u32, u32) -> u64| -> Vec<u64> {
            let pairs = kept.iter().flat_map(|&p| kept.iter().map(move |&q| (p, q)));
            pairs.map(|(p, q)| weight(p, q)).collect()
        };

        let mut by_home: BTreeMap<usize, Vec<Rewrite>> = BTreeMap::new();
        for rewrite in rewrites {
            if orbits.leaves(rewrite) {
                let home = by_home.entry(orbits.home(rewrite.to)).or_default();
                home.push(Rewrite {
                    to: orbits.least[rewrite.to as usize],
                    ..rewrite.clone()
                });
            }
        }
        let crossings = by_home.into_iter().map(|(home, rewrites)| {
            let home = &orbits.elements[home];
            // Where the rows of each kept lead come back from.
            let abroad: HashMap<u32, u32> = (0..leads.count() as u32)
                .map(|lead| (home.lead(leads, lead), lead))
                .collect();
            let turnings = kept.iter().map(|lead| {
                if !rewrites.iter().any(|rewrite| rewrite.to == *lead) {
                    return Vec::new();
                }
                let elements = orbits
                    .stabilizer(*lead)
                    .map(|e| orbits.elements[e].after(home));
                elements.map(|e| turning(&e, abroad[lead])).collect()
            });
            Crossing {
                schedule: Schedule::new(layout, blocks, &rewrites),
                turnings: turnings.collect(),
                weights: pairs(&|from, to| orbits.pair_weight(from, abroad[&to])),
            }
        });
        let crossings = crossings.collect();
        let completing = completing.collect();
        Self {
            crossings,
            weights: kept.iter().map(|&lead| orbits.weight(lead)).collect(),
            pair_weights: pairs(&|from, to| orbits.pair_weight(from, to)),
            completing,
            ranks,
        }
    }

    /// How many leads a block's lead stands for.
    pub(crate) fn weight(&self, block: usize) -> u64 {
        self.weights[block % self.weights.len()]
    }

    /// How many pairs of leads stand behind a way between two blocks; `crossing` if it leaves the
    /// kept leads.
    pub(crate) fn pair_weight(&self, crossing: Option<&Crossing>, from: usize, to: usize) -> u64 {
        let kept = self.weights.len();
        let weights = crossing.map_or(&self.pair_weights, |crossing| &crossing.weights);
        weights[from % kept * kept + to % kept]
    }

    /// The symmetries that complete what enters a block.
    pub(crate) fn completing(&self, block: usize) -> &[Turning] {
        &self.completing[block % self.completing.len()]
    }

    /// Calls `visit` with the block and the bit to which each turning takes each row of a block.
    pub(crate) fn turn(
        &self,
        blocks: &Blocks,
        block: usize,
        words: &[u64],
        turnings: &[Turning],
        mut visit: impl FnMut(u32, u32),
    ) {
        let kept = self.weights.len();
        let (beginning, class) = (block / kept, blocks.class[block]);
        for turning in turnings {
            let before = turning.beginnings[beginning];
            let leaves = self.ranks.leaves[&class].iter();
            for (&(at, _, leaf), &prefix) in leaves.zip(&turning.prefixes[&class]) {
                let ends = &turning.ends[leaf as usize];
                for (&word, ends) in words[at as usize..].iter().zip(ends.chunks(64)) {
                    let mut left = word;
                    while left != 0 {
                        let row = before | prefix | ends[left.trailing_zeros() as usize];
                        let (beginning, bit) = self.ranks.of(row);
                        visit(beginning * kept as u32 + turning.slot, bit);
                        left &= left - 1;
                    }
                }
            }
        }
    }

    /// Bytes of tables and schedules, about.
    pub(crate) fn bytes(&self) -> usize {
        let entries: usize = self.ranks.shares.iter().flatten().map(Vec::len).sum();
        let leaves: usize = self.ranks.leaves.values().map(Vec::len).sum();
        let rows: usize = self.ranks.ends.iter().map(|(_, rows)| rows.len()).sum();
        let turnings = self.completing.iter().flatten();
        let turnings = turnings
            .chain(
                self.crossings
                    .iter()
                    .flat_map(|c| c.turnings.iter().flatten()),
            )
            .count();
        let schedules = self.crossings.iter().map(|c| c.schedule.bytes());
        12 * entries
            + (16 + 8 * turnings) * leaves
            + 8 * (1 + turnings) * (rows + self.ranks.beginnings.len())
            + schedules.sum::<usize>()
    }
}
