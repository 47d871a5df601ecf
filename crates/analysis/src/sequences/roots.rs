//! The functions that solve a recurrence, where its characteristic polynomial has simple factors.

use num_bigint::BigInt;
use num_traits::{One as _, Zero};

use super::closed_form::{Function, Growth};

/// Integer roots are looked for up to this size.
const LARGEST_ROOT: i64 = 1000;
/// `fib(s*n)` is looked for up to this stride.
const LARGEST_STRIDE: u32 = 3;

/// A basis of the solutions of a recurrence whose characteristic polynomial is a product of linear
/// factors over the integers and of those of `fib(s*n)`; `None` if another factor is left.
///
/// The polynomial is monic, its coefficients run from the highest power down. A root `a` of
/// multiplicity e gives `a^n, n*a^n, ..., n^(e-1)*a^n`.
pub(super) fn functions(characteristic: &[BigInt]) -> Option<Vec<Function>> {
    let mut rest = characteristic.to_vec();
    let mut functions = Vec::new();
    for root in (1..=LARGEST_ROOT).flat_map(|a| [a, -a]) {
        let growth = match root {
            1 => Growth::None,
            _ => Growth::Exponential(root),
        };
        for power in 0.. {
            let Some(quotient) = divided(&rest, &[BigInt::one(), BigInt::from(-root)]) else {
                break;
            };
            rest = quotient;
            functions.push(Function {
                power,
                growth: growth.clone(),
            });
        }
        if rest.len() == 1 {
            break;
        }
    }
    for stride in 1..=LARGEST_STRIDE {
        for power in 0.. {
            let Some(quotient) = divided(&rest, &fibonacci_factor(stride)) else {
                break;
            };
            rest = quotient;
            functions.extend([0, 1].map(|shift| Function {
                power,
                growth: Growth::Fibonacci { stride, shift },
            }));
        }
    }
    (rest.len() == 1).then_some(functions)
}

/// `x^2 - lucas(s)*x + (-1)^s`, which `fib(s*n)` and `fib(s*n + 1)` solve.
fn fibonacci_factor(stride: u32) -> [BigInt; 3] {
    let (mut lucas, mut next) = (2_i64, 1_i64);
    for _ in 0..stride {
        (lucas, next) = (next, lucas + next);
    }
    let sign = if stride.is_multiple_of(2) { 1 } else { -1 };
    [1.into(), (-lucas).into(), sign.into()]
}

/// The quotient by a monic divisor, if nothing is left over.
fn divided(dividend: &[BigInt], divisor: &[BigInt]) -> Option<Vec<BigInt>> {
    let steps = (dividend.len() + 1).checked_sub(divisor.len())?;
    let mut rest = dividend.to_vec();
    for i in 0..steps {
        let factor = rest[i].clone();
        for (cell, part) in rest[i + 1..].iter_mut().zip(&divisor[1..]) {
            *cell -= &factor * part;
        }
    }
    let left = rest.split_off(steps);
    (steps > 0 && left.iter().all(Zero::is_zero)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(characteristic: &[i64], expected: Option<&[(u32, Growth)]>) {
        let polynomial: Vec<BigInt> = characteristic.iter().map(|&c| c.into()).collect();
        let expected = expected.map(|all| {
            all.iter()
                .map(|(power, growth)| Function {
                    power: *power,
                    growth: growth.clone(),
                })
                .collect::<Vec<_>>()
        });
        assert_eq!(functions(&polynomial), expected, "{characteristic:?}");
    }

    #[test]
    fn polynomials_fall_into_factors() {
        let fib = |stride, shift| Growth::Fibonacci { stride, shift };
        check(&[1, -1], Some(&[(0, Growth::None)]));
        check(
            &[1, -4, 4],
            Some(&[(0, Growth::Exponential(2)), (1, Growth::Exponential(2))]),
        );
        check(&[1, -1, -1], Some(&[(0, fib(1, 0)), (0, fib(1, 1))]));
        check(&[1, -3, 1], Some(&[(0, fib(2, 0)), (0, fib(2, 1))]));
        check(&[1, -4, -1], Some(&[(0, fib(3, 0)), (0, fib(3, 1))]));
        check(&[1, -2, -1], None);
        check(&[1, 0, 1], None);
        // (1-2q)(1-q)^3(1-q-q^2), the states of one-way frogs.
        check(
            &[1, -6, 13, -11, 0, 5, -2],
            Some(&[
                (0, Growth::None),
                (1, Growth::None),
                (2, Growth::None),
                (0, Growth::Exponential(2)),
                (0, fib(1, 0)),
                (0, fib(1, 1)),
            ]),
        );
    }
}
