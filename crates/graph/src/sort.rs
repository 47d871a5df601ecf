//! Sorting packed states: words of 64 and 128 bits digit by digit, others by comparison.

use std::any::Any;

use crate::expand::State;

/// Shorter lists are sorted by comparison.
const FEW: usize = 256;
/// Bits of a digit: a table of its counts stays in the nearest cache.
const DIGIT: u32 = 11;
const DIGITS: usize = 1 << DIGIT;

/// Sorts and drops repeats; `scratch` is room that is kept from call to call.
///
/// Time grows with the length times the number of digits in which the states differ.
pub(crate) fn sort_distinct<S: State>(list: &mut Vec<S>, scratch: &mut Vec<S>) {
    if list.len() < FEW || !sorted_by_digits(list, scratch) {
        list.sort_unstable();
    }
    forget_repeats(list, 0);
}

/// Sorts lists of the types that have digits; `false` for others.
#[allow(clippy::ptr_arg)] // Vectors can be told by their type, slices cannot.
fn sorted_by_digits<S: State>(list: &mut Vec<S>, scratch: &mut Vec<S>) -> bool {
    let (list, scratch): (&mut dyn Any, &mut dyn Any) = (list, scratch);
    if let (Some(list), Some(scratch)) = (list.downcast_mut::<Vec<u64>>(), scratch.downcast_mut()) {
        by_digits_64(list, scratch);
        return true;
    }
    if let (Some(list), Some(scratch)) = (list.downcast_mut::<Vec<u128>>(), scratch.downcast_mut())
    {
        by_digits_128(list, scratch);
        return true;
    }
    false
}

macro_rules! by_digits {
    ($name:ident, $word:ty) => {
        fn $name(list: &mut Vec<$word>, scratch: &mut Vec<$word>) {
            let first = list[0];
            let differing = list.iter().fold(0, |bits, &word| bits | (word ^ first));
            scratch.clear();
            scratch.resize(list.len(), 0);
            let mut from = 0;
            while from < <$word>::BITS && differing >> from != 0 {
                // Digits begin at a bit that differs.
                from += (differing >> from).trailing_zeros();
                let digit = |word: $word| (word >> from) as usize & (DIGITS - 1);
                let mut places = [0_u32; DIGITS];
                for &word in list.iter() {
                    places[digit(word)] += 1;
                }
                let mut sum = 0;
                for place in &mut places {
                    let count = *place;
                    *place = sum;
                    sum += count;
                }
                for &word in list.iter() {
                    let place = &mut places[digit(word)];
                    scratch[*place as usize] = word;
                    *place += 1;
                }
                std::mem::swap(list, scratch);
                from += DIGIT;
            }
        }
    };
}

by_digits!(by_digits_64, u64);
by_digits!(by_digits_128, u128);

/// Sorts and deduplicates the end of a list.
pub(crate) fn sort_tail<S: Copy + Ord>(list: &mut Vec<S>, first: usize) {
    list[first..].sort_unstable();
    forget_repeats(list, first);
}

/// Drops repeats from the sorted end of a list, without a branch that cannot be foreseen.
pub(crate) fn forget_repeats<S: Copy + Ord>(list: &mut Vec<S>, first: usize) {
    let mut last = first;
    for i in first + 1..list.len() {
        let state = list[i];
        last += usize::from(state != list[last]);
        list[last] = state;
    }
    list.truncate((last + 1).max(first));
}

#[cfg(test)]
mod tests {
    use impasse_model::word::Wide;

    use super::sort_distinct;
    use crate::expand::State;

    /// Numbers that look random: a linear congruential generator.
    fn numbers(count: usize) -> impl Iterator<Item = u64> {
        let mut state = 1_u64;
        std::iter::repeat_with(move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            state ^ state >> 29
        })
        .take(count)
    }

    fn check<S: State + std::fmt::Debug>(list: Vec<S>) {
        let mut wanted = list.clone();
        wanted.sort();
        wanted.dedup();
        let mut sorted = list;
        sort_distinct(&mut sorted, &mut Vec::new());
        assert!(sorted == wanted);
    }

    #[test]
    fn digits_sort_as_comparison_does() {
        for count in [0, 1, 2, 255, 256, 5000, 40_000] {
            for (shift, bits) in [(0, u64::MAX), (0, 0xffff), (40, 0xf), (20, 0x7_0007_0007)] {
                let list: Vec<u64> = numbers(count).map(|n| (n & bits) << shift).collect();
                check(list.iter().map(|&n| u128::from(n) << 37).collect());
                check(list.iter().map(|&n| u128::from(n) << 64 | 1).collect());
                check(list.iter().map(|&n| n as u32).collect::<Vec<u32>>());
                check(list);
            }
        }
        check(vec![7_u64; 1000]);
        check(vec![Wide::<4>::default(); 1000]);
    }
}
