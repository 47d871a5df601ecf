//! Sums of powers of n, exponentials and Fibonacci numbers.

mod written;

use num_bigint::BigInt;
use num_traits::{One as _, Pow as _, Zero as _};

use super::{Rational, linear};

/// How a function grows beyond a power of n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Growth {
    /// Not at all.
    None,
    /// `base^n`; the base is neither 0 nor 1.
    Exponential(i64),
    /// `fib(stride*n + shift)`, with `fib(0) = 0` and `fib(1) = 1`.
    Fibonacci {
        /// At least 1.
        stride: u32,
        /// Any integer: `fib(-k) = (-1)^(k+1) fib(k)`.
        shift: i64,
    },
}

/// `n^power` times what grows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Of n.
    pub power: u32,
    /// What it is multiplied by.
    pub growth: Growth,
}

impl Function {
    /// The value at `n`; 0^0 is 1.
    #[must_use]
    pub fn value(&self, n: i64) -> Rational {
        let whole = |value: BigInt| Rational::from_integer(value);
        let growth = match self.growth {
            Growth::None => Rational::one(),
            Growth::Exponential(base) => Rational::from_integer(base.into()).pow(n as i32),
            Growth::Fibonacci { stride, shift } => whole(fibonacci(i64::from(stride) * n + shift)),
        };
        growth * whole(BigInt::from(n).pow(self.power))
    }
}

/// A sum of functions, each with its coefficient.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClosedForm {
    /// The summands as they are written: what grows fastest first, no coefficient 0.
    summands: Vec<(Rational, Function)>,
}

impl ClosedForm {
    /// The sum of these functions that gives all these values from `n = first` on; `None` if there is
    /// none, or more than one.
    ///
    /// The functions `fib(s*n)` and `fib(s*n + 1)` stand together and are folded into one
    /// `fib(s*n + j)` where that is possible.
    #[must_use]
    pub fn fit(functions: &[Function], first: i64, values: &[BigInt]) -> Option<Self> {
        let columns: Vec<Vec<Rational>> = functions
            .iter()
            .map(|function| column(function, first, values.len()))
            .collect();
        Self::fit_columns(
            functions,
            &columns.iter().collect::<Vec<_>>(),
            first,
            values,
        )
    }

    /// The same for functions whose values are there already.
    pub(super) fn fit_columns(
        functions: &[Function],
        columns: &[&Vec<Rational>],
        first: i64,
        values: &[BigInt],
    ) -> Option<Self> {
        if values.len() < functions.len() {
            return None;
        }
        let row = |i: usize| -> Vec<Rational> {
            let right = Rational::from_integer(values[i].clone());
            columns
                .iter()
                .map(|column| column[i].clone())
                .chain([right])
                .collect()
        };
        let coefficients = linear::solve((0..functions.len()).map(row).collect())?;
        let sum = |i: usize| -> Rational {
            let products = coefficients.iter().zip(columns).map(|(c, f)| c * &f[i]);
            products.fold(Rational::zero(), |sum, product| sum + product)
        };
        let is_met = |i: usize| sum(i) == Rational::from_integer(values[i].clone());
        if !(functions.len()..values.len()).all(is_met) {
            return None;
        }
        let summands = coefficients.into_iter().zip(functions.iter().cloned());
        Some(Self::from_summands(summands.collect(), first))
    }

    /// Folds, drops what is 0, and puts the summands in order.
    fn from_summands(summands: Vec<(Rational, Function)>, first: i64) -> Self {
        let mut summands = folded(summands, first);
        summands.retain(|(coefficient, _)| !coefficient.is_zero());
        summands.sort_by_key(|(_, function)| {
            let speed = match function.growth {
                Growth::Exponential(base) => (2, base.abs(), base),
                Growth::Fibonacci { stride, shift } => (1, i64::from(stride), shift),
                Growth::None => (0, 0, 0),
            };
            std::cmp::Reverse((speed, function.power))
        });
        Self { summands }
    }

    /// The value at `n`.
    #[must_use]
    pub fn value(&self, n: i64) -> Rational {
        let values = self.summands.iter().map(|(c, f)| c * f.value(n));
        values.fold(Rational::zero(), |sum, value| sum + value)
    }

    /// The largest power of n of a polynomial; `None` for what is none.
    #[must_use]
    pub fn degree(&self) -> Option<u32> {
        let plain = self.summands.iter().all(|(_, f)| f.growth == Growth::None);
        plain.then(|| self.summands.first().map_or(0, |(_, f)| f.power))
    }
}

/// The values of a function at `count` places from `first` on.
pub(super) fn column(function: &Function, first: i64, count: usize) -> Vec<Rational> {
    (0..count as i64)
        .map(|i| function.value(first + i))
        .collect()
}

/// Puts `x*fib(s*n) + y*fib(s*n + 1)` as one multiple of `fib(s*n + j)` where there is one that can
/// be written from `first` on, because `fib(m + j) = fib(j-1) fib(m) + fib(j) fib(m+1)`.
fn folded(summands: Vec<(Rational, Function)>, first: i64) -> Vec<(Rational, Function)> {
    let mut result: Vec<(Rational, Function)> = Vec::new();
    for (coefficient, function) in summands {
        let Growth::Fibonacci { stride, shift: 1 } = function.growth else {
            result.push((coefficient, function));
            continue;
        };
        let partner = Function {
            growth: Growth::Fibonacci { stride, shift: 0 },
            ..function
        };
        let place = result.iter().position(|(_, other)| *other == partner);
        let lowest = -i64::from(stride) * first;
        let fold = place.and_then(|place| shift_of(&result[place].0, &coefficient, lowest));
        match (place, fold) {
            (Some(place), Some((multiple, shift))) => {
                let growth = Growth::Fibonacci { stride, shift };
                result[place] = (multiple, Function { growth, ..function });
            }
            _ => result.push((coefficient, function)),
        }
    }
    result
}

/// The multiple and the shift j for which `x = multiple*fib(j-1)` and `y = multiple*fib(j)`.
fn shift_of(x: &Rational, y: &Rational, lowest: i64) -> Option<(Rational, i64)> {
    const LARGEST: i64 = 20;
    if x.is_zero() && y.is_zero() {
        return None;
    }
    let fib = |k: i64| Rational::from_integer(fibonacci(k));
    let nearest_first = (0..=LARGEST).chain((lowest.max(-LARGEST)..0).rev());
    nearest_first
        .filter(|&j| j >= lowest)
        .find(|&j| x * fib(j) == y * fib(j - 1))
        .map(|j| {
            let multiple = if j == 0 { x.clone() } else { y / fib(j) };
            (multiple, j)
        })
}

/// The Fibonacci number of any index: `fib(-k) = (-1)^(k+1) fib(k)`.
fn fibonacci(index: i64) -> BigInt {
    let (mut a, mut b) = (BigInt::ZERO, BigInt::one());
    for _ in 0..index.unsigned_abs() {
        let next = &a + &b;
        a = std::mem::replace(&mut b, next);
    }
    if index < 0 && index % 2 == 0 { -a } else { a }
}

/// The smallest number that makes all these fractions whole.
fn common_denominator<'a>(fractions: impl Iterator<Item = &'a Rational>) -> BigInt {
    fractions.fold(BigInt::one(), |common, fraction| {
        // The numerator of the reduced quotient is `common / gcd`.
        Rational::new(common, fraction.denom().clone()).numer() * fraction.denom()
    })
}

/// Whether a base and an index stay small enough to be worth a look.
pub(super) fn is_within_reach(first: i64, count: usize) -> bool {
    first.unsigned_abs() <= 10_000 && count <= 10_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fibonacci_numbers_of_any_index() {
        let check = |index: i64, value: i64| assert_eq!(fibonacci(index), value.into(), "{index}");
        check(0, 0);
        check(1, 1);
        check(10, 55);
        check(-1, 1);
        check(-2, -1);
        check(-7, 13);
        check(-8, -21);
    }

    #[test]
    fn a_pair_of_fibonacci_numbers_is_folded() {
        let rational = |n: i64| Rational::from_integer(n.into());
        let check = |x: i64, y: i64, lowest: i64, expected: Option<(i64, i64)>| {
            let found = shift_of(&rational(x), &rational(y), lowest);
            assert_eq!(found, expected.map(|(c, j)| (rational(c), j)), "{x} {y}");
        };
        check(-12, -18, 0, Some((-6, 4)));
        check(1, 0, 0, Some((1, 0)));
        check(0, 5, 0, Some((5, 1)));
        check(1, 1, 0, Some((1, 2)));
        check(-1, 1, -1, Some((1, -1)));
        check(-1, 1, 0, None);
        check(2, 5, 0, None);
    }

    #[test]
    fn fractions_are_brought_to_one_denominator() {
        let fractions = [(1, 4), (5, 6), (3, 1)].map(|(p, q)| Rational::new(p.into(), q.into()));
        assert_eq!(common_denominator(fractions.iter()), 12.into());
    }
}
