//! Linear equations over the rationals.

use num_traits::{One as _, Zero as _};

use super::Rational;

/// The solution of a square system, by elimination; `None` where there is not exactly one.
///
/// Each row holds the coefficients of its equation and, last, the right side. Time grows with the
/// cube of the number of unknowns, times the cost of a fraction.
pub(super) fn solve(mut rows: Vec<Vec<Rational>>) -> Option<Vec<Rational>> {
    let count = rows.len();
    for column in 0..count {
        let pivot = (column..count).find(|&row| !rows[row][column].is_zero())?;
        rows.swap(column, pivot);
        let inverse = Rational::one() / &rows[column][column];
        for cell in &mut rows[column][column..] {
            *cell *= &inverse;
        }
        let pivot_row = rows[column].clone();
        for (row, cells) in rows.iter_mut().enumerate() {
            if row == column || cells[column].is_zero() {
                continue;
            }
            let factor = cells[column].clone();
            for (cell, pivot) in cells[column..].iter_mut().zip(&pivot_row[column..]) {
                *cell -= pivot * &factor;
            }
        }
    }
    rows.into_iter().map(|mut row| row.pop()).collect()
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;

    fn check(rows: &[&[i64]], expected: Option<&[(i64, i64)]>) {
        let rational = |n: i64| Rational::from_integer(BigInt::from(n));
        let rows = rows
            .iter()
            .map(|row| row.iter().map(|&n| rational(n)).collect())
            .collect();
        let expected = expected.map(|all| {
            all.iter()
                .map(|&(p, q)| Rational::new(p.into(), q.into()))
                .collect::<Vec<_>>()
        });
        assert_eq!(solve(rows), expected);
    }

    #[test]
    fn systems_with_one_solution_and_without() {
        check(&[&[2, 3]], Some(&[(3, 2)]));
        check(&[&[0, 2, 4], &[3, 0, 1]], Some(&[(1, 3), (2, 1)]));
        check(&[&[1, 1, 2], &[2, 2, 4]], None);
        check(&[&[1, 1, 2], &[2, 2, 5]], None);
        check(&[], Some(&[]));
    }
}
