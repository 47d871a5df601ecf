//! Sets of arrangements: one bit each, and how many in each block.

use std::ops::Range;

use rayon::prelude::*;

use super::Stream;
use super::bits::Words;

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

    /// How many arrangements are in it.
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
pub(crate) fn split_at_runs<'a, T>(
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

    /// The set of some rows (symbols by place); rows that are no arrangement are left out.
    pub(crate) fn of_rows(&self, rows: &[Vec<u8>]) -> Result<Set, NoMemory> {
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

    /// Runs work over the parts of a set in parallel.
    pub(crate) fn each_part(&self, set: &mut Set, work: impl Fn(Part<'_>) + Sync + Send) {
        let words = split_at_runs(set.words.get_mut(), &self.runs, |block| {
            self.blocks.start[block] as usize
        });
        let counts = split_at_runs(&mut set.counts, &self.runs, |block| block);
        let parts: Vec<Part<'_>> = self
            .runs
            .iter()
            .zip(words)
            .zip(counts)
            .map(|((run, words), counts)| Part {
                blocks: run.clone(),
                words,
                counts,
            })
            .collect();
        parts.into_par_iter().for_each(work);
    }

    fn combine(&self, a: &mut Set, b: &Set, with: impl Fn(&mut u64, u64) + Sync + Send) {
        self.each_part(a, |part| {
            let base = self.blocks.of(part.blocks.start).start;
            for block in part.blocks.clone() {
                let words = self.blocks.of(block);
                let target = &mut part.words[words.start - base..words.end - base];
                for (word, &other) in target.iter_mut().zip(&b.words.get()[words]) {
                    with(word, other);
                }
                part.counts[block - part.blocks.start] = self.form.count(target);
            }
        });
    }

    /// `a` becomes the union.
    pub fn or(&self, a: &mut Set, b: &Set) {
        self.combine(a, b, |word, other| *word |= other);
    }

    /// `a` becomes the intersection.
    pub fn and(&self, a: &mut Set, b: &Set) {
        self.combine(a, b, |word, other| *word &= other);
    }

    /// `a` loses the arrangements of `b`.
    pub fn minus(&self, a: &mut Set, b: &Set) {
        self.combine(a, b, |word, other| *word &= !other);
    }

    /// How many are in both.
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
                        u64::from(self.form.count_common(a, b))
                    })
                    .sum::<u64>()
            })
            .sum()
    }

    /// Whether a row (contents by cell) is in a set.
    #[must_use]
    pub fn has(&self, set: &Set, position: &[u64]) -> bool {
        self.row_of(position)
            .and_then(|row| self.layout.locate(&row))
            .is_some_and(|(block, bit)| {
                let word = self.blocks.of(block as usize).start + (bit / 64) as usize;
                set.words.get()[word] >> (bit % 64) & 1 == 1
            })
    }

    /// Calls `visit` with the contents by cell of every arrangement of a set, in the engine's
    /// order.
    pub fn each(&self, set: &Set, mut visit: impl FnMut(&[u64])) {
        let mut row = Vec::new();
        let mut position = vec![0; self.layout.places];
        let mut block = 0;
        self.layout.each_block(|class, before| {
            if set.counts[block] > 0 {
                for (at, &word) in set.words.get()[self.blocks.of(block)].iter().enumerate() {
                    let mut left = word;
                    while left != 0 {
                        let bit = 64 * at as u64 + u64::from(left.trailing_zeros());
                        left &= left - 1;
                        row.clear();
                        row.extend_from_slice(before);
                        self.layout.unrank(class, bit, &mut row);
                        for (place, &symbol) in row.iter().enumerate() {
                            let cell = self.order.cells[place] as usize;
                            position[cell] = u64::from(self.order.symbols[usize::from(symbol)]);
                        }
                        visit(&position);
                    }
                }
            }
            block += 1;
        });
    }
}
