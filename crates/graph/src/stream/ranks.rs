//! Ranks of single rows, by look-ups of several places at a time, and what symmetries make of them.

use std::ops::Range;

use hashbrown::HashMap;

use super::fold::Element;
use super::layout::{Class, Layout};
use super::lead::Leads;
use super::schedule::Blocks;

/// Bits of a row that one look-up takes, if a single place has no more.
const LOOK_UP_BITS: usize = 8;

/// Rows as bits, a few for each place, the first place lowest.
#[derive(Debug)]
pub(crate) struct Packing {
    /// Bits of a place.
    pub(crate) width: usize,
    /// The code of each symbol, and the symbol of each code.
    codes: Vec<u64>,
    symbols: Vec<u8>,
    /// Places that one look-up takes.
    step: usize,
    /// Places of a row.
    places: usize,
}

impl Packing {
    /// `None` where rows do not fit in a word.
    pub(crate) fn new(layout: &Layout, root: Class) -> Option<Self> {
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
    pub(crate) fn steps(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
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
    /// What an element of the symmetries does to the rows of a lead that it takes to a kept one.
    pub(crate) fn new(base: &Base<'_>, element: &Element, lead: u32) -> Self {
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

impl Turning {
    /// Calls `visit` with the beginning and the bit to which each row of a block goes.
    #[inline]
    pub(crate) fn each(
        &self,
        ranks: &Ranks,
        (beginning, class): (usize, Class),
        words: &[u64],
        mut visit: impl FnMut(u32, u32),
    ) {
        let before = self.beginnings[beginning];
        let leaves = ranks.leaves[&class].iter();
        for (&(at, _, leaf), &prefix) in leaves.zip(&self.prefixes[&class]) {
            let ends = &self.ends[leaf as usize];
            for (&word, ends) in words[at as usize..].iter().zip(ends.chunks(64)) {
                let mut left = word;
                while left != 0 {
                    let row = before | prefix | ends[left.trailing_zeros() as usize];
                    let (beginning, bit) = ranks.of(row);
                    visit(beginning, bit);
                    left &= left - 1;
                }
            }
        }
    }

    /// The place among the kept leads of where it leads.
    pub(crate) fn slot(&self) -> u32 {
        self.slot
    }

    /// Bytes it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        let prefixes = self.prefixes.values().map(Vec::len);
        let ends = self.ends.iter().map(Vec::len);
        8 * (self.beginnings.len() + prefixes.chain(ends).sum::<usize>())
    }
}

/// What turnings are made from.
pub(crate) struct Base<'a> {
    pub(crate) packing: &'a Packing,
    pub(crate) leads: &'a Leads,
    pub(crate) layout: &'a Layout,
    pub(crate) ranks: &'a Ranks,
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
pub(crate) struct Ranks {
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
    pub(crate) fn new(layout: &Layout, blocks: &Blocks, packing: &Packing, root: Class) -> Self {
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

    /// Bytes of the tables, about.
    pub(crate) fn bytes(&self) -> usize {
        let shares: usize = self.shares.iter().flatten().map(Vec::len).sum();
        let leaves: usize = self.leaves.values().map(Vec::len).sum();
        let rows: usize = self.ends.iter().map(|(_, rows)| rows.len()).sum();
        12 * shares + 16 * leaves + 8 * (rows + self.beginnings.len())
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
