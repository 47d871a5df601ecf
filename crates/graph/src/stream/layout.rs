//! Where the bit of a state lies: ranks of arrangements, padded so that subtrees begin on words.
//!
//! The arrangements of a multiset form a tree: one place of the row a level, one child a symbol. A
//! *class* is the multiset that is left for the places below a node; everything about a subtree
//! depends on its class alone. A *leaf* is a subtree of few arrangements, whose bits lie in plain
//! lexicographic order in whole words. A *block* is a subtree of a fixed number of free places: the
//! unit of scheduling and of emptiness.

use std::ops::Range;

use super::lead::Row;
use super::rewrite::NotStreamed;

/// Tables over classes have at most so many entries.
const MOST_CLASSES: u64 = 12_000_000;

/// Schedules of more blocks take more memory than the machines there are.
const MOST_BLOCKS: u64 = 1 << 26;
/// More arrangements are not addressed: 32 terabytes a set.
const MOST_STATES: u64 = 1 << 48;

/// Blocks have at least so many words on average, if that does not make the largest one...
const FEWEST_WORDS: u64 = 200;
/// ... so many times larger than was asked for.
const WIDER: u64 = 4;

/// How a layout is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Most arrangements of a leaf.
    pub leaf_bits: u32,
    /// Most words of a block; `free` overrides it.
    pub block_words: u64,
    /// Free places of a block.
    pub free: Option<usize>,
}

impl Default for Cut {
    fn default() -> Self {
        Self {
            leaf_bits: 192,
            block_words: 5000,
            free: None,
        }
    }
}

impl Cut {
    /// The same for rows without a leading symbol: with fewer symbols, longer leaves fill their words
    /// better; and the blocks of all leads of one beginning are worked on together, and should fit
    /// in a cache together.
    pub(crate) fn led(self) -> Self {
        Self {
            leaf_bits: self.leaf_bits.saturating_mul(4) / 3,
            block_words: self.block_words / 10,
            ..self
        }
    }
}

/// A class: counts of what is left, as one mixed-radix number.
pub(crate) type Class = u32;

#[derive(Debug)]
pub(crate) struct Layout {
    /// Places of a row.
    pub(crate) places: usize,
    /// Symbols.
    pub(crate) symbols: usize,
    /// Free places of a block.
    pub(crate) free: usize,
    leaf_bits: u64,
    stride: Vec<u32>,
    radix: Vec<u32>,
    /// Arrangements of each class.
    arrangements: Vec<u64>,
    /// Places of each class.
    level: Vec<u8>,
    /// Words of each class at or below the blocks; above, blocks.
    size: Vec<u64>,
    /// For each class and symbol, what the children before that symbol take: bits in a leaf, words
    /// above one, blocks above the blocks.
    before: Vec<u64>,
    /// The classes of whole rows, ascending, each once.
    roots: Vec<Class>,
    /// The leads that are laid out, ascending.
    leads: Vec<u32>,
    /// Beginnings of rows before those of each root, and in all. A block has a beginning and a lead;
    /// those of one beginning lie side by side, because moves change the lead by little.
    beginnings: Vec<u64>,
}

impl Layout {
    /// For rows that hold any of some multisets, each given as counts by symbol, once for each lead.
    pub(crate) fn new(
        multisets: &[Vec<u32>],
        leads: Vec<u32>,
        cut: &Cut,
    ) -> Result<Self, NotStreamed> {
        let symbols = multisets[0].len();
        let places = multisets[0].iter().sum::<u32>() as usize;
        let most = |s: usize| multisets.iter().map(|m| m[s]).max().unwrap_or(0);
        let radix: Vec<u32> = (0..symbols).map(|s| most(s) + 1).collect();
        let mut stride = Vec::new();
        let mut classes = 1_u64;
        for &r in &radix {
            stride.push(classes as u32);
            classes *= u64::from(r);
            if classes * symbols as u64 > MOST_CLASSES {
                return Err(NotStreamed::TooManyClasses);
            }
        }
        if places > 250 {
            return Err(NotStreamed::TooManyStates);
        }
        let classes = classes as usize;
        let mut layout = Self {
            places,
            symbols,
            free: 0,
            leaf_bits: u64::from(cut.leaf_bits.max(1)),
            stride,
            radix,
            arrangements: vec![1; classes],
            level: vec![0; classes],
            size: vec![0; classes],
            before: vec![0; classes * symbols],
            roots: Vec::new(),
            leads,
            beginnings: Vec::new(),
        };
        layout.count();
        layout.roots = multisets.iter().map(|m| layout.class(m)).collect();
        layout.roots.sort_unstable();
        layout.roots.dedup();
        layout.free = cut.free.unwrap_or(0).min(places);
        if cut.free.is_none() {
            while layout.free < places && layout.widest(layout.free + 1) <= cut.block_words {
                layout.free += 1;
            }
        }
        layout.lay()?;
        // Many tiny blocks would take more memory for schedules than for sets.
        while cut.free.is_none()
            && layout.free < places
            && layout.total_words() < FEWEST_WORDS * layout.blocks() as u64
            && layout.widest(layout.free + 1) <= WIDER * cut.block_words
        {
            layout.free += 1;
            layout.lay()?;
        }
        Ok(layout)
    }

    fn count(&mut self) {
        for class in 1..self.arrangements.len() {
            let mut sum = 0_u64;
            for s in 0..self.symbols {
                if let Some(child) = self.child(class as Class, s) {
                    sum = sum.saturating_add(self.arrangements[child as usize]);
                    self.level[class] = self.level[child as usize] + 1;
                }
            }
            self.arrangements[class] = sum;
        }
    }

    /// Words of the largest class of so many places, if leaves may lie anywhere below.
    fn widest(&self, level: usize) -> u64 {
        let mut words = vec![0_u64; self.level.len()];
        let mut widest = 0;
        for class in 0..words.len() {
            if usize::from(self.level[class]) > level {
                continue;
            }
            words[class] = if self.arrangements[class] <= self.leaf_bits {
                self.arrangements[class].div_ceil(64)
            } else {
                (0..self.symbols)
                    .filter_map(|s| self.child(class as Class, s))
                    .map(|child| words[child as usize])
                    .fold(0, u64::saturating_add)
            };
            if usize::from(self.level[class]) == level && self.is_possible(class as Class) {
                widest = widest.max(words[class]);
            }
        }
        widest
    }

    /// Whether what is left can be filled up to some root.
    fn is_possible(&self, class: Class) -> bool {
        self.roots.is_empty()
            || self
                .roots
                .iter()
                .any(|&root| (0..self.symbols).all(|s| self.left(class, s) <= self.left(root, s)))
    }

    fn lay(&mut self) -> Result<(), NotStreamed> {
        self.beginnings.clear();
        for class in 0..self.level.len() {
            let level = usize::from(self.level[class]);
            let leaf = self.is_leaf(class as Class);
            let mut sum = 0_u64;
            for s in 0..self.symbols {
                self.before[class * self.symbols + s] = sum;
                let Some(child) = self.child(class as Class, s) else {
                    continue;
                };
                let child = child as usize;
                sum = sum.saturating_add(if leaf {
                    self.arrangements[child]
                } else if level == self.free + 1 {
                    1
                } else {
                    self.size[child]
                });
            }
            self.size[class] = if leaf {
                self.arrangements[class].div_ceil(64)
            } else if level == 0 {
                1
            } else {
                sum
            };
        }
        let mut beginnings = 0_u64;
        for &root in &self.roots {
            self.beginnings.push(beginnings);
            beginnings = beginnings.saturating_add(if self.places == self.free {
                1
            } else {
                self.size[root as usize]
            });
        }
        self.beginnings.push(beginnings);
        let blocks = beginnings.saturating_mul(self.leads.len() as u64);
        let states = self.by_root(&self.arrangements);
        if blocks > MOST_BLOCKS || states > MOST_STATES {
            return Err(NotStreamed::TooManyStates);
        }
        Ok(())
    }

    /// Words of all blocks, without going through them.
    pub(crate) fn total_words(&self) -> u64 {
        let mut words = vec![0_u64; self.level.len()];
        for class in 0..words.len() {
            words[class] = if usize::from(self.level[class]) <= self.free {
                self.size[class]
            } else {
                (0..self.symbols)
                    .filter_map(|s| self.child(class as Class, s))
                    .map(|child| words[child as usize])
                    .fold(0, u64::saturating_add)
            };
        }
        self.by_root(&words)
    }

    /// The sum of figures of the roots, over all sections.
    fn by_root(&self, figures: &[u64]) -> u64 {
        let roots = self.roots.iter().map(|&root| figures[root as usize]);
        let sum = roots.fold(0, u64::saturating_add);
        sum.saturating_mul(self.leads.len() as u64)
    }

    /// The class of counts by symbol.
    pub(crate) fn class(&self, counts: &[u32]) -> Class {
        counts.iter().zip(&self.stride).map(|(&c, &s)| c * s).sum()
    }

    /// How many of a symbol are left.
    pub(crate) fn left(&self, class: Class, symbol: usize) -> u32 {
        class / self.stride[symbol] % self.radix[symbol]
    }

    /// The class after a symbol was placed, if one is left.
    pub(crate) fn child(&self, class: Class, symbol: usize) -> Option<Class> {
        (self.left(class, symbol) > 0).then(|| class - self.stride[symbol])
    }

    /// Places of a class.
    pub(crate) fn level(&self, class: Class) -> usize {
        usize::from(self.level[class as usize])
    }

    /// Arrangements of a class; `u64::MAX` if there are more.
    pub(crate) fn arrangements(&self, class: Class) -> u64 {
        self.arrangements[class as usize]
    }

    /// All arrangements.
    pub(crate) fn states(&self) -> u64 {
        self.by_root(&self.arrangements)
    }

    /// Whether the bits of a class lie in plain order, without padding inside.
    pub(crate) fn is_leaf(&self, class: Class) -> bool {
        self.level(class) <= self.free && self.arrangements(class) <= self.leaf_bits
    }

    /// Words of a class at or below the blocks.
    pub(crate) fn words(&self, class: Class) -> u64 {
        debug_assert!(self.level(class) <= self.free);
        self.size[class as usize]
    }

    /// What the children before a symbol take: bits in a leaf, words above one, blocks above the
    /// blocks.
    pub(crate) fn before(&self, class: Class, symbol: usize) -> u64 {
        self.before[class as usize * self.symbols + symbol]
    }

    /// Number of blocks.
    pub(crate) fn blocks(&self) -> usize {
        *self.beginnings.last().expect("the end") as usize * self.leads.len()
    }

    /// The classes of whole rows, and the blocks of each.
    pub(crate) fn roots(&self) -> impl Iterator<Item = (Class, Range<u64>)> + '_ {
        let leads = self.leads.len() as u64;
        let ends = self.beginnings.windows(2);
        let blocks = ends.map(move |ends| ends[0] * leads..ends[1] * leads);
        self.roots.iter().copied().zip(blocks)
    }

    /// How many classes have so many places.
    pub(crate) fn classes_of(&self, places: usize) -> usize {
        let levels = self.level.iter();
        levels
            .filter(|&&level| usize::from(level) == places)
            .count()
    }

    /// The leads that are laid out, ascending.
    pub(crate) fn leads(&self) -> &[u32] {
        &self.leads
    }

    /// The first block of a lead and a root; `None` if it is not laid out.
    pub(crate) fn first_block(&self, lead: u32, class: Class) -> Option<u64> {
        let lead = self.leads.binary_search(&lead).ok()? as u64;
        let root = self.roots.binary_search(&class).ok()?;
        Some(self.beginnings[root] * self.leads.len() as u64 + lead)
    }

    /// The lead of a block.
    pub(crate) fn lead_of(&self, block: usize) -> u32 {
        self.leads[block % self.leads.len()]
    }

    /// Calls `visit` with the class and the symbols before each beginning, in order.
    pub(crate) fn each_beginning(&self, mut visit: impl FnMut(Class, &[u8])) {
        for &root in &self.roots {
            let mut before = Vec::with_capacity(self.places);
            self.descend(root, &mut before, &mut visit);
        }
    }

    fn descend(&self, class: Class, before: &mut Vec<u8>, visit: &mut impl FnMut(Class, &[u8])) {
        if self.level(class) == self.free {
            visit(class, before);
            return;
        }
        for s in 0..self.symbols {
            if let Some(child) = self.child(class, s) {
                before.push(s as u8);
                self.descend(child, before, visit);
                before.pop();
            }
        }
    }

    /// The block of a row, and the bit of the row in it; `None` if the row is in no section.
    pub(crate) fn locate(&self, row: &Row) -> Option<(u32, u64)> {
        let Row { lead, rest: row } = row;
        let mut counts = vec![0; self.symbols];
        for &s in row {
            *counts.get_mut(usize::from(s))? += 1;
        }
        if row.len() != self.places || (0..self.symbols).any(|s| counts[s] >= self.radix[s]) {
            return None;
        }
        let mut class = self.class(&counts);
        let mut block = self.first_block(*lead, class)?;
        let mut bit = 0;
        let mut inside = false;
        for &s in row {
            let s = usize::from(s);
            if self.level(class) > self.free {
                block += self.before(class, s) * self.leads.len() as u64;
            } else {
                inside |= self.is_leaf(class);
                bit += self.before(class, s) * if inside { 1 } else { 64 };
            }
            class = self.child(class, s)?;
        }
        Some((block as u32, bit))
    }

    /// The row whose bit lies there in a block.
    pub(crate) fn row_at(&self, block: u64, bit: u64) -> Row {
        let leads = self.leads.len() as u64;
        let (beginning, lead) = (block / leads, self.lead_of(block as usize));
        let root = self.beginnings.partition_point(|&first| first <= beginning) - 1;
        let mut class = self.roots[root];
        let mut left = beginning - self.beginnings[root];
        let mut row = Vec::with_capacity(self.places);
        let (mut inside, mut at_block) = (false, true);
        while self.level(class) > 0 {
            if at_block && self.level(class) == self.free {
                at_block = false;
                left = bit;
            }
            inside |= self.is_leaf(class);
            let scale = if at_block || inside { 1 } else { 64 };
            let s = (0..self.symbols)
                .rev()
                .find(|&s| self.left(class, s) > 0 && self.before(class, s) * scale <= left)
                .expect("a bit of the block");
            left -= self.before(class, s) * scale;
            row.push(s as u8);
            class = self.child(class, s).expect("one is left");
        }
        debug_assert_eq!(left, 0, "a bit of padding");
        Row { lead, rest: row }
    }
}
