//! Words: the bits of a packed board. Word order is board order.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A fixed number of bits with the operations packed boards need.
pub trait Word:
    Copy
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// How many bits.
    const BITS: u32;
    /// No bit.
    const ZERO: Self;

    /// The low 64 bits from a number.
    fn from_u64(value: u64) -> Self;
    /// The low 64 bits.
    fn low_u64(self) -> u64;
    /// Towards the most significant bit; `by < BITS`.
    #[must_use]
    fn left(self, by: u32) -> Self;
    /// Towards the least significant bit; `by < BITS`.
    #[must_use]
    fn right(self, by: u32) -> Self;
    /// Zero bits below the lowest one; `BITS` if none.
    fn trailing(self) -> u32;
    /// One bits.
    fn ones(self) -> u32;

    /// Whether no bit is set.
    fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// One bit.
    #[must_use]
    fn bit(at: u32) -> Self {
        Self::from_u64(1).left(at)
    }

    /// Without its lowest one bit.
    #[must_use]
    fn without_lowest(self) -> Self {
        self ^ Self::bit(self.trailing())
    }

    /// `width` bits (at most 64) from bit `at` on.
    fn field(self, at: u32, width: u32) -> u64 {
        let low = self.right(at).low_u64();
        if width >= 64 {
            low
        } else {
            low & ((1 << width) - 1)
        }
    }
}

macro_rules! native {
    ($type:ty) => {
        impl Word for $type {
            const BITS: u32 = <$type>::BITS;
            const ZERO: Self = 0;

            #[inline]
            fn from_u64(value: u64) -> Self {
                Self::from(value)
            }
            #[inline]
            fn low_u64(self) -> u64 {
                self as u64
            }
            #[inline]
            fn left(self, by: u32) -> Self {
                self << by
            }
            #[inline]
            fn right(self, by: u32) -> Self {
                self >> by
            }
            #[inline]
            fn trailing(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn ones(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    };
}

native!(u64);
native!(u128);

/// A word of `64 * N` bits; the first limb is the most significant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wide<const N: usize>([u64; N]);

impl<const N: usize> Default for Wide<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

macro_rules! limbwise {
    ($trait:ident, $method:ident, $op:tt) => {
        impl<const N: usize> $trait for Wide<N> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i] $op other.0[i]))
            }
        }
    };
}

limbwise!(BitAnd, bitand, &);
limbwise!(BitOr, bitor, |);
limbwise!(BitXor, bitxor, ^);

impl<const N: usize> Not for Wide<N> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|limb| !limb))
    }
}

impl<const N: usize> Word for Wide<N> {
    const BITS: u32 = 64 * N as u32;
    const ZERO: Self = Self([0; N]);

    fn from_u64(value: u64) -> Self {
        let mut limbs = [0; N];
        limbs[N - 1] = value;
        Self(limbs)
    }

    fn low_u64(self) -> u64 {
        self.0[N - 1]
    }

    #[inline]
    fn left(self, by: u32) -> Self {
        let (limbs, bits) = ((by / 64) as usize, by % 64);
        let at = |i: usize| self.0.get(i).copied().unwrap_or(0);
        Self(std::array::from_fn(|i| {
            let high = at(i + limbs) << bits;
            if bits == 0 {
                high
            } else {
                high | at(i + limbs + 1) >> (64 - bits)
            }
        }))
    }

    #[inline]
    fn right(self, by: u32) -> Self {
        let (limbs, bits) = ((by / 64) as usize, by % 64);
        let at = |i: usize| if i < N { self.0[i] } else { 0 };
        Self(std::array::from_fn(|i| {
            let low = at(i.wrapping_sub(limbs)) >> bits;
            if bits == 0 {
                low
            } else {
                low | at(i.wrapping_sub(limbs + 1)) << (64 - bits)
            }
        }))
    }

    fn trailing(self) -> u32 {
        for (i, limb) in self.0.iter().rev().enumerate() {
            if *limb != 0 {
                return 64 * i as u32 + limb.trailing_zeros();
            }
        }
        Self::BITS
    }

    fn ones(self) -> u32 {
        self.0.iter().map(|limb| limb.count_ones()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{Wide, Word};

    fn check<W: Word>() {
        for at in 0..W::BITS {
            let bit = W::bit(at);
            assert_eq!(bit.trailing(), at);
            assert_eq!(bit.ones(), 1);
            assert!(bit.without_lowest().is_zero());
            assert_eq!(bit.right(at), W::from_u64(1));
            if at > 0 {
                assert!(bit > W::bit(at - 1));
                assert_eq!((bit | W::bit(at - 1)).without_lowest(), bit);
            }
            for by in [0, 1, 63, 64, 65, 127, 128] {
                if at + by < W::BITS {
                    assert_eq!(bit.left(by), W::bit(at + by), "{at} left {by}");
                    assert_eq!(W::bit(at + by).right(by), bit, "{at} right {by}");
                }
            }
        }
        assert_eq!(W::ZERO.trailing(), W::BITS);
        assert_eq!((!W::ZERO).ones(), W::BITS);
        let mixed = W::from_u64(0xdead_beef_0123_4567).left(W::BITS - 64);
        assert_eq!(mixed.field(W::BITS - 64, 64), 0xdead_beef_0123_4567);
        assert_eq!(mixed.field(W::BITS - 60, 8), 0x56);
    }

    #[test]
    fn every_width() {
        check::<u64>();
        check::<u128>();
        check::<Wide<4>>();
        check::<Wide<8>>();
        check::<Wide<16>>();
    }
}
