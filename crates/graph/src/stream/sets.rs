//! Sets of arrangements: one bit each, and how many in each block.

use std::io::{self, Read, Write};
use std::ops::Range;

use rayon::prelude::*;

use super::Stream;
use super::bits::Words;
use super::lead::Row;
use crate::keep::{read_number, write_number};

/// A set of arrangements of a [`Stream`].
#[derive(Debug)]
pub struct Set {
    pub(crate) words: Words,
    pub(crate) counts: Vec<u32>,
}

/// The memory for a set was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system refuses {0} bytes")]
pub struct NoMemory(pub u64);

impl Set {
    pub(crate) fn new(words: usize, blocks: usize) -> Result<Self, NoMemory> {
        let refused = |_| NoMemory(8 * words as u64);
        Ok(Self {
            words: Words::new(words).map_err(refused)?,
            counts: vec![0; blocks],
        })
    }

    /// How many arrangements are in it ([`Stream::states_in`] tells how many they stand for).
    #[must_use]
    pub fn len(&self) -> u64 {
        self.counts.iter().map(|&n| u64::from(n)).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.iter().all(|&n| n == 0)
    }
}

/// Cuts a list at the ends of runs, so that each thread may write to its own.
fn split_at_runs<'a, T>(
    mut list: &'a mut [T],
    runs: &[Range<usize>],
    place: impl Fn(usize) -> usize,
) -> Vec<&'a mut [T]> {
    let mut parts = Vec::with_capacity(runs.len());
    for run in runs {
        let (part, rest) = list.split_at_mut(place(run.end) - place(run.start));
        parts.push(part);
        list = rest;
    }
    parts
}

/// A run of blocks with its part of a set that is written to.
pub(crate) struct Part<'a> {
    pub(crate) blocks: Range<usize>,
    pub(crate) words: &'a mut [u64],
    pub(crate) counts: &'a mut [u32],
}

impl Stream {
    /// The empty set.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn none(&self) -> Result<Set, NoMemory> {
        Set::new(self.blocks.words(), self.blocks.count())
    }

    /// A copy.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn copy(&self, set: &Set) -> Result<Set, NoMemory> {
        let mut copy = self.none()?;
        copy.counts.copy_from_slice(&set.counts);
        let (from, to) = (set.words.get(), copy.words.get_mut());
        for (block, &count) in set.counts.iter().enumerate() {
            if count > 0 {
                let words = self.blocks.of(block);
                to[words.clone()].copy_from_slice(&from[words]);
            }
        }
        Ok(copy)
    }

    /// All arrangements.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn all(&self) -> Result<Set, NoMemory> {
        let mut all = self.none()?;
        self.each_part(&mut all, |part| {
            let mut templates = hashbrown::HashMap::new();
            let base = self.blocks.of(part.blocks.start).start;
            for block in part.blocks.clone() {
                let class = self.blocks.class[block];
                let template = templates
                    .entry(class)
                    .or_insert_with(|| self.full_block(class));
                let words = self.blocks.of(block);
                part.words[words.start - base..words.end - base].copy_from_slice(template);
                part.counts[block - part.blocks.start] = self.form.count(template);
            }
        });
        Ok(all)
    }

    fn full_block(&self, class: u32) -> Vec<u64> {
        let mut words = vec![0; self.layout.words(class) as usize];
        self.fill(class, 0, &mut words);
        words
    }

    fn fill(&self, class: u32, at: usize, words: &mut [u64]) {
        if self.layout.is_leaf(class) {
            for bit in 0..self.layout.arrangements(class) as usize {
                words[at + bit / 64] |= 1 << (bit % 64);
            }
            return;
        }
        if self.layout.level(class) == 0 {
            words[at] |= 1;
            return;
        }
        for s in 0..self.layout.symbols {
            if let Some(child) = self.layout.child(class, s) {
                self.fill(child, at + self.layout.before(class, s) as usize, words);
            }
        }
    }

    /// The set of some rows; rows that are no arrangement are left out.
    pub(crate) fn of_rows(&self, rows: &[Row]) -> Result<Set, NoMemory> {
        let mut set = self.none()?;
        for row in rows {
            if let Some((block, bit)) = self.layout.locate(row) {
                let word = self.blocks.of(block as usize).start + (bit / 64) as usize;
                let mask = 1 << (bit % 64);
                let words = set.words.get_mut();
                set.counts[block as usize] += u32::from(words[word] & mask == 0);
                words[word] |= mask;
            }
        }
        Ok(set)
    }

    /// The runs with their parts of a set.
    pub(crate) fn parts<'a>(&self, set: &'a mut Set) -> Vec<Part<'a>> {
        let words = split_at_runs(set.words.get_mut(), &self.runs, |block| {
            self.blocks.start[block] as usize
        });
        let counts = split_at_runs(&mut set.counts, &self.runs, |block| block);
        self.runs
            .iter()
            .zip(words)
            .zip(counts)
            .map(|((run, words), counts)| Part {
                blocks: run.clone(),
                words,
                counts,
            })
            .collect()
    }

    /// Runs work over the parts of a set in parallel.
    pub(crate) fn each_part(&self, set: &mut Set, work: impl Fn(Part<'_>) + Sync + Send) {
        self.parts(set).into_par_iter().for_each(work);
    }

    /// Combines two sets block by block; `touched` says which blocks can change.
    fn combine(
        &self,
        a: &mut Set,
        b: &Set,
        touched: impl Fn(u32, u32) -> bool + Sync + Send,
        with: impl Fn(&mut u64, u64) + Sync + Send,
    ) {
        self.each_part(a, |part| {
            let base = self.blocks.of(part.blocks.start).start;
            for block in part.blocks.clone() {
                let count = &mut part.counts[block - part.blocks.start];
                if !touched(*count, b.counts[block]) {
                    continue;
                }
                let words = self.blocks.of(block);
                let target = &mut part.words[words.start - base..words.end - base];
                for (word, &other) in target.iter_mut().zip(&b.words.get()[words]) {
                    with(word, other);
                }
                *count = self.form.count(target);
            }
        });
    }

    /// `a` becomes the union.
    pub fn or(&self, a: &mut Set, b: &Set) {
        self.combine(a, b, |_, b| b > 0, |word, other| *word |= other);
    }

    /// `a` becomes the intersection.
    pub fn and(&self, a: &mut Set, b: &Set) {
        self.combine(a, b, |a, _| a > 0, |word, other| *word &= other);
    }

    /// `a` loses the arrangements of `b`.
    pub fn minus(&self, a: &mut Set, b: &Set) {
        self.combine(a, b, |a, b| a > 0 && b > 0, |word, other| *word &= !other);
    }

    /// How many are in both; up to symmetry, how many these stand for.
    #[must_use]
    pub fn common(&self, a: &Set, b: &Set) -> u64 {
        self.runs
            .par_iter()
            .map(|run| {
                run.clone()
                    .filter(|&block| a.counts[block] > 0 && b.counts[block] > 0)
                    .map(|block| {
                        let words = self.blocks.of(block);
                        let (a, b) = (&a.words.get()[words.clone()], &b.words.get()[words]);
                        self.weight(block) * u64::from(self.form.count_common(a, b))
                    })
                    .sum::<u64>()
            })
            .sum()
    }

    /// Whether a position (contents by cell) is in a set.
    #[must_use]
    pub fn has(&self, set: &Set, position: &[u64]) -> bool {
        self.spot(position)
            .is_some_and(|Spot(bit)| set.words.get()[(bit / 64) as usize] >> (bit % 64) & 1 == 1)
    }

    /// Calls `visit` with the place of every arrangement of a set, ascending.
    pub fn each_spot(&self, set: &Set, mut visit: impl FnMut(Spot)) {
        for (block, &count) in set.counts.iter().enumerate() {
            if count > 0 {
                self.each_in_block(set, block, &mut visit);
            }
        }
    }

    /// The same for one block.
    pub(crate) fn each_in_block(&self, set: &Set, block: usize, mut visit: impl FnMut(Spot)) {
        let words = self.blocks.of(block);
        for (at, &word) in (words.start as u64..).zip(&set.words.get()[words]) {
            let mut left = word;
            while left != 0 {
                visit(Spot(64 * at + u64::from(left.trailing_zeros())));
                left &= left - 1;
            }
        }
    }

    /// Calls `visit` with the contents by cell of every arrangement of a set, in the engine's
    /// order.
    pub fn each(&self, set: &Set, mut visit: impl FnMut(&[u64])) {
        let mut position = vec![0; self.order.cells.len()];
        self.each_spot(set, |spot| {
            self.position_into(spot, &mut position);
            visit(&position);
        });
    }

    /// The place of a position (contents by cell); `None` if it holds other pieces.
    #[must_use]
    pub fn spot(&self, position: &[u64]) -> Option<Spot> {
        let (block, bit) = self.layout.locate(&self.row_of(position)?)?;
        Some(Spot::of(self.blocks.start[block as usize], bit))
    }

    /// The position (contents by cell) of a place.
    #[must_use]
    pub fn position(&self, spot: Spot) -> Vec<u64> {
        let mut position = vec![0; self.order.cells.len()];
        self.position_into(spot, &mut position);
        position
    }

    pub(crate) fn position_into(&self, spot: Spot, position: &mut [u64]) {
        let word = spot.0 / 64;
        let block = self.blocks.start.partition_point(|&start| start <= word) - 1;
        let bit = spot.0 - 64 * self.blocks.start[block];
        let row = self.layout.row_at(block as u64, bit);
        for (place, symbol) in self.leads.join(&row).into_iter().enumerate() {
            let cell = self.order.cells[place] as usize;
            position[cell] = u64::from(self.order.symbols[usize::from(symbol)]);
        }
    }

    /// All arrangements whose pieces are so: `keep` is asked once a multiset, with the number of
    /// each symbol.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn all_of(&self, keep: impl Fn(&[u64]) -> bool) -> Result<Set, NoMemory> {
        let mut all = self.all()?;
        for (class, blocks) in self.layout.roots() {
            let mut counts = vec![0; self.order.numbers.len()];
            for (s, &symbol) in self.order.symbols.iter().enumerate() {
                counts[usize::from(symbol)] = u64::from(self.layout.left(class, s));
                if self.leads.symbol() == Some(s as u8) {
                    counts[usize::from(symbol)] = self.leads.places(0).len() as u64;
                }
            }
            if keep(&counts) {
                continue;
            }
            for block in blocks.start as usize..blocks.end as usize {
                all.words.get_mut()[self.blocks.of(block)].fill(0);
                all.counts[block] = 0;
            }
        }
        Ok(all)
    }
}

impl Stream {
    /// What must be equal for written sets to have the same meaning.
    #[must_use]
    pub fn shape(&self) -> String {
        format!(
            "{} arrangements, cells {:?}, symbols {:?}, {} ways to lead by {:?}, {} blocks of {} words, leaves of {} words in all",
            self.layout.states(),
            self.order.cells,
            self.order.symbols,
            self.layout.leads().len(),
            self.leads.symbol(),
            self.blocks.count(),
            self.blocks.words(),
            self.blocks.start.iter().fold(0_u64, |sum, &start| sum
                .wrapping_mul(31)
                .wrapping_add(start)),
        )
    }

    /// Writes the blocks of a set that are not empty.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_set(&self, set: &Set, out: &mut dyn Write) -> io::Result<()> {
        let filled = set.counts.iter().filter(|&&count| count > 0).count();
        write_number(out, filled as u64)?;
        let mut bytes = Vec::new();
        for (block, &count) in set.counts.iter().enumerate() {
            if count == 0 {
                continue;
            }
            write_number(out, block as u64)?;
            bytes.clear();
            for word in &set.words.get()[self.blocks.of(block)] {
                bytes.extend_from_slice(&word.to_le_bytes());
            }
            out.write_all(&bytes)?;
        }
        Ok(())
    }

    /// Reads a set that [`Stream::write_set`] wrote for a stream of the same shape.
    ///
    /// # Errors
    /// Those of the reader, refused memory, and bytes that are no such set.
    pub fn read_set(&self, from: &mut dyn Read) -> io::Result<Set> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "this is no set of such a space");
        let mut set = self.none().map_err(io::Error::other)?;
        let filled = read_number(from)?;
        let mut bytes = Vec::new();
        for _ in 0..filled {
            let block = usize::try_from(read_number(from)?).map_err(|_| wrong())?;
            if block >= self.blocks.count() {
                return Err(wrong());
            }
            let words = self.blocks.of(block);
            bytes.resize(8 * words.len(), 0);
            from.read_exact(&mut bytes)?;
            let target = &mut set.words.get_mut()[words];
            for (word, eight) in target.iter_mut().zip(bytes.chunks_exact(8)) {
                *word = u64::from_le_bytes(eight.try_into().expect("eight bytes"));
            }
            set.counts[block] = self.form.count(target);
        }
        Ok(set)
    }
}

/// Where the bit of an arrangement lies: a number of the engine's own, which never leaves a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot(u64);

impl Spot {
    /// A bit of a block that begins at a word.
    pub(crate) fn of(start: u64, bit: u64) -> Self {
        Self(64 * start + bit)
    }
}
