//! Sets of states as bits.

/// A set of numbers below a bound that all sets of one computation share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// The empty set of numbers below `bound`.
    #[must_use]
    pub fn none(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(64)])
    }

    /// Memory of a set, in bytes.
    pub(super) fn bytes(bound: usize) -> u64 {
        8 * bound.div_ceil(64) as u64
    }

    /// Adds a number.
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Whether it has a number.
    #[must_use]
    pub fn has(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// How many numbers it has.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().map(|w| u64::from(w.count_ones())).sum()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    /// How many of its numbers another set has not.
    #[must_use]
    pub fn count_without(&self, other: &Self) -> u64 {
        let pairs = self.0.iter().zip(&other.0);
        pairs.map(|(a, b)| u64::from((a & !b).count_ones())).sum()
    }

    /// Its numbers, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        let numbers = |(i, &word): (usize, &u64)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| 64 * i + bit)
        };
        self.0.iter().enumerate().flat_map(numbers)
    }

    /// Adds all numbers of another set.
    pub fn or(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }

    /// Keeps what another set has too.
    pub(super) fn and(&mut self, other: &Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= b;
        }
    }

    /// Adds the numbers that both of two sets have.
    pub(super) fn or_both(&mut self, one: &Self, other: &Self) {
        for ((a, b), c) in self.0.iter_mut().zip(&one.0).zip(&other.0) {
            *a |= b & c;
        }
    }

    /// Makes it a copy of another set.
    pub(super) fn copy(&mut self, other: &Self) {
        self.0.copy_from_slice(&other.0);
    }
}
