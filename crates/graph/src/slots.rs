//! Sets of states by slot number: a short list or a bit vector, whichever is smaller.

/// A set of numbers below a bound.
#[derive(Clone, Debug)]
pub enum SlotSet {
    /// The numbers, ascending.
    Few(Vec<u32>),
    /// One bit a number.
    Many(Vec<u64>),
}

/// Lists longer than `bound / SPARSE` become bit vectors.
const SPARSE: usize = 32;

impl SlotSet {
    /// The empty set.
    #[must_use]
    pub fn none() -> Self {
        Self::Few(Vec::new())
    }

    /// All numbers below `bound`.
    #[must_use]
    pub fn all(bound: u32) -> Self {
        let mut bits = vec![u64::MAX; (bound as usize).div_ceil(64)];
        if !bound.is_multiple_of(64) {
            *bits.last_mut().expect("some word") = (1 << (bound % 64)) - 1;
        }
        Self::Many(bits)
    }

    /// A set from numbers in any order, perhaps repeated.
    #[must_use]
    pub fn gather(lists: Vec<Vec<u32>>, bound: u32) -> Self {
        let total: usize = lists.iter().map(Vec::len).sum();
        if total > bound as usize / SPARSE {
            let mut bits = vec![0_u64; (bound as usize).div_ceil(64)];
            for slot in lists.into_iter().flatten() {
                bits[slot as usize / 64] |= 1 << (slot % 64);
            }
            return Self::Many(bits);
        }
        let mut all = lists.concat();
        all.sort_unstable();
        all.dedup();
        Self::Few(all)
    }

    /// The set in parts of at most `size` numbers or places.
    pub(crate) fn parts(&self, size: usize) -> Box<dyn Iterator<Item = Self> + '_> {
        match self {
            Self::Few(list) => Box::new(list.chunks(size).map(|part| Self::Few(part.to_vec()))),
            Self::Many(bits) => Box::new(bits.chunks(size / 64).zip(0..).map(move |(words, i)| {
                let first = i * (size / 64) as u32 * 64;
                let mut list = Vec::new();
                each_bit(words, |slot| list.push(first + slot));
                Self::Few(list)
            })),
        }
    }

    /// Adds numbers in any order, perhaps repeated.
    pub(crate) fn or_lists(&mut self, lists: Vec<Vec<u32>>, bound: u32) {
        match self {
            Self::Many(bits) => {
                for slot in lists.into_iter().flatten() {
                    bits[slot as usize / 64] |= 1 << (slot % 64);
                }
            }
            Self::Few(few) if few.is_empty() => *self = Self::gather(lists, bound),
            Self::Few(_) => self.or(&Self::gather(lists, bound), bound),
        }
    }

    /// The bit vector.
    pub(crate) fn to_bits(&self, bound: u32) -> Vec<u64> {
        match self {
            Self::Many(bits) => bits.clone(),
            Self::Few(list) => {
                let mut bits = vec![0; (bound as usize).div_ceil(64)];
                for &slot in list {
                    bits[slot as usize / 64] |= 1 << (slot % 64);
                }
                bits
            }
        }
    }

    /// How many.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Few(list) => list.len() as u64,
            Self::Many(bits) => bits.iter().map(|b| u64::from(b.count_ones())).sum(),
        }
    }

    /// Whether a number is in it.
    #[must_use]
    pub fn has(&self, slot: u32) -> bool {
        match self {
            Self::Few(list) => list.binary_search(&slot).is_ok(),
            Self::Many(bits) => bits[slot as usize / 64] >> (slot % 64) & 1 == 1,
        }
    }

    /// Calls `visit` with each number, ascending.
    pub fn each(&self, visit: impl FnMut(u32)) {
        match self {
            Self::Few(list) => list.iter().copied().for_each(visit),
            Self::Many(bits) => each_bit(bits, visit),
        }
    }

    /// The numbers, ascending.
    #[must_use]
    pub fn list(&self) -> Vec<u32> {
        let mut out = Vec::with_capacity(self.count() as usize);
        self.each(|slot| out.push(slot));
        out
    }

    /// Union.
    pub fn or(&mut self, other: &Self, bound: u32) {
        match (&mut *self, other) {
            (Self::Many(a), Self::Many(b)) => a.iter_mut().zip(b).for_each(|(a, b)| *a |= b),
            (Self::Many(a), Self::Few(b)) => {
                for slot in b {
                    a[*slot as usize / 64] |= 1 << (slot % 64);
                }
            }
            (Self::Few(a), Self::Few(b)) => {
                let both = vec![std::mem::take(a), b.clone()];
                *self = Self::gather(both, bound);
            }
            (Self::Few(_), Self::Many(_)) => {
                let mut bits = other.clone();
                bits.or(self, bound);
                *self = bits;
            }
        }
    }

    /// Intersection.
    pub fn and(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::Many(a), Self::Many(b)) => a.iter_mut().zip(b).for_each(|(a, b)| *a &= b),
            (Self::Many(_), Self::Few(_)) => {
                let mut list = other.clone();
                list.and(self);
                *self = list;
            }
            (Self::Few(a), _) => a.retain(|&slot| other.has(slot)),
        }
    }

    /// Difference.
    pub fn minus(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::Many(a), Self::Many(b)) => a.iter_mut().zip(b).for_each(|(a, b)| *a &= !b),
            (Self::Many(a), Self::Few(b)) => {
                for slot in b {
                    a[*slot as usize / 64] &= !(1 << (slot % 64));
                }
            }
            (Self::Few(a), _) => a.retain(|&slot| !other.has(slot)),
        }
    }
}

/// Calls `visit` with the number of each bit that is set, ascending.
fn each_bit(bits: &[u64], mut visit: impl FnMut(u32)) {
    for (i, &word) in (0..).zip(bits) {
        let mut left = word;
        while left != 0 {
            visit(64 * i + left.trailing_zeros());
            left &= left - 1;
        }
    }
}

impl PartialEq for SlotSet {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Few(a), Self::Few(b)) => a == b,
            (Self::Many(a), Self::Many(b)) => a == b,
            _ => self.count() == other.count() && self.list() == other.list(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::SlotSet;

    #[test]
    fn algebra_as_on_plain_sets() {
        let bound = 2000;
        let sets: Vec<BTreeSet<u32>> = vec![
            BTreeSet::new(),
            [0, 63, 64, 1999].into(),
            (0..bound).filter(|x| x % 3 == 0).collect(),
            (0..bound).collect(),
            (500..520).collect(),
        ];
        let make =
            |set: &BTreeSet<u32>| SlotSet::gather(vec![set.iter().copied().collect()], bound);
        for a in &sets {
            for b in &sets {
                let check = |work: &dyn Fn(&mut SlotSet, &SlotSet), wanted: BTreeSet<u32>| {
                    let mut set = make(a);
                    work(&mut set, &make(b));
                    assert_eq!(set.list(), wanted.iter().copied().collect::<Vec<_>>());
                    assert_eq!(set.count(), wanted.len() as u64);
                    assert_eq!(set, make(&wanted));
                };
                check(&|x, y| x.or(y, bound), a | b);
                check(&|x, y| x.and(y), a & b);
                check(&|x, y| x.minus(y), a - b);
            }
        }
        assert_eq!(SlotSet::all(bound).count(), u64::from(bound));
    }
}
