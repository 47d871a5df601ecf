//! Sorted lists of words, delta-coded.

use std::marker::PhantomData;

use impasse_model::word::Word;

/// A sorted list of distinct words: of each, the bytes from the first on that differs from the word
/// before, lowest first, behind their number.
#[derive(Clone, Debug)]
pub(crate) struct Packed<W> {
    bytes: Vec<u8>,
    count: usize,
    word: PhantomData<W>,
}

impl<W: Word> Packed<W> {
    pub(crate) fn new(list: &[W]) -> Self {
        let mut bytes = Vec::with_capacity(list.len() * 4);
        let mut last = W::ZERO;
        for &word in list {
            let differing = word ^ last;
            let limbs = W::BITS / 64;
            let limb = |i: u32| differing.right(64 * i).low_u64();
            let high = (0..limbs).rev().find(|&i| limb(i) != 0);
            let length = high.map_or(0, |i| 8 * i + 8 - limb(i).leading_zeros() / 8);
            bytes.push(length as u8);
            for i in 0..length.div_ceil(8) {
                let here = (length - 8 * i).min(8) as usize;
                bytes.extend_from_slice(&limb(i).to_le_bytes()[..here]);
            }
            last = word;
        }
        bytes.shrink_to_fit();
        Self {
            bytes,
            count: list.len(),
            word: PhantomData,
        }
    }

    pub(crate) fn unpack(&self) -> Vec<W> {
        let mut list = Vec::with_capacity(self.count);
        let mut last = W::ZERO;
        let mut left = self.bytes.as_slice();
        while let Some((&length, rest)) = left.split_first() {
            let (bytes, rest) = rest.split_at(usize::from(length));
            left = rest;
            for (i, chunk) in (0..).zip(bytes.chunks(8)) {
                let mut limb = [0; 8];
                limb[..chunk.len()].copy_from_slice(chunk);
                last = last ^ W::from_u64(u64::from_le_bytes(limb)).left(64 * i);
            }
            list.push(last);
        }
        list
    }

    /// Bytes taken.
    pub(crate) fn size(&self) -> usize {
        self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use impasse_model::word::{Wide, Word};

    use super::Packed;

    fn check<W: Word>() {
        let mut list = vec![
            W::ZERO,
            W::from_u64(1),
            W::from_u64(256),
            W::from_u64(u64::MAX),
        ];
        for at in 0..W::BITS {
            list.push(W::bit(at));
            list.push(W::bit(at) | W::from_u64(0x0102_0304));
        }
        list.sort_unstable();
        list.dedup();
        for first in [0, 1, 7] {
            let list = &list[first..];
            let packed = Packed::new(list);
            assert_eq!(packed.unpack(), list);
        }
        assert_eq!(Packed::<W>::new(&[]).unpack(), []);
    }

    #[test]
    fn every_width_comes_back() {
        check::<u64>();
        check::<u128>();
        check::<Wide<4>>();
        check::<Wide<8>>();
        check::<Wide<16>>();
    }

    #[test]
    fn neighbours_take_few_bytes() {
        let list: Vec<u128> = (0..1000).map(|n| (1 << 100) + n).collect();
        assert!(Packed::new(&list).size() < 3000);
    }
}
