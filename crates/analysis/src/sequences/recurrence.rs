//! Linear recurrences with constant coefficients.

use num_bigint::BigInt;
use num_traits::{One as _, Signed as _, Zero as _};

use super::{LEAST_SPARE, Rational};

/// `a(n) = c1*a(n-1) + ... + cr*a(n-r)`, with its first r terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrence {
    /// `c1, ..., cr`; the last one is not 0.
    pub coefficients: Vec<BigInt>,
    /// The first r terms.
    pub initial: Vec<BigInt>,
}

impl Recurrence {
    /// The shortest recurrence of all these terms, if its coefficients are integers and at least
    /// [`LEAST_SPARE`] terms are not needed to fix it.
    ///
    /// A sequence of integers that obeys a recurrence for ever has a shortest one with integer
    /// coefficients, so fractions mean that the terms only happen to fit.
    ///
    /// # Source
    /// J. L. Massey, "Shift-register synthesis and BCH decoding", IEEE Trans. Inform. Theory 15
    /// (1969); on the integers P. Fatou, "Séries trigonométriques et séries de Taylor", Acta Math.
    /// 30 (1906).
    #[must_use]
    pub fn fit(values: &[BigInt]) -> Option<Self> {
        let (connection, order) = shortest_connection(values)?;
        let is_fixed = order > 0 && 2 * order + LEAST_SPARE <= values.len();
        let reaches_back = connection.get(order).is_some_and(|last| !last.is_zero());
        let is_whole = connection.iter().all(Rational::is_integer);
        if !(is_fixed && reaches_back && is_whole) {
            return None;
        }
        let coefficients = connection[1..=order].iter().map(|c| -c.to_integer());
        let recurrence = Self {
            coefficients: coefficients.collect(),
            initial: values[..order].to_vec(),
        };
        (recurrence.terms(values.len()) == values).then_some(recurrence)
    }

    /// Its first terms, so many.
    #[must_use]
    pub fn terms(&self, count: usize) -> Vec<BigInt> {
        let mut terms = self.initial.clone();
        while terms.len() < count {
            let products = self
                .coefficients
                .iter()
                .zip(terms.iter().rev())
                .map(|(c, a)| c * a);
            let next: BigInt = products.sum();
            terms.push(next);
        }
        terms.truncate(count);
        terms
    }

    /// The characteristic polynomial, from the highest power down: `1, -c1, ..., -cr`.
    #[must_use]
    pub fn characteristic(&self) -> Vec<BigInt> {
        let rest = self.coefficients.iter().map(|c| -c);
        std::iter::once(BigInt::one()).chain(rest).collect()
    }

    /// The right side: `3*a(n-1) - 2*a(n-2)`.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        let mut text = String::new();
        for (back, coefficient) in (1..).zip(&self.coefficients) {
            if coefficient.is_zero() {
                continue;
            }
            text += match (text.is_empty(), coefficient.is_negative()) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let number = match coefficient.abs() {
                one if one.is_one() => String::new(),
                number => format!("{number}*"),
            };
            text.extend([number, format!("a({name}-{back})")]);
        }
        text
    }
}

/// The connection polynomial `1 + c1*x + ...` of least length and that length, by Berlekamp and
/// Massey; `None` as soon as the length leaves too few terms to spare.
fn shortest_connection(values: &[BigInt]) -> Option<(Vec<Rational>, usize)> {
    let (mut connection, mut before) = (vec![Rational::one()], vec![Rational::one()]);
    let (mut length, mut since) = (0, 1);
    let mut discrepancy_before = Rational::one();
    for n in 0..values.len() {
        let products = connection
            .iter()
            .take(length + 1)
            .enumerate()
            .map(|(i, c)| c * &values[n - i]);
        let discrepancy = products.fold(Rational::zero(), |sum, product| sum + product);
        if discrepancy.is_zero() {
            since += 1;
            continue;
        }
        let factor = &discrepancy / &discrepancy_before;
        let mut next = connection.clone();
        next.resize(next.len().max(before.len() + since), Rational::zero());
        for (cell, part) in next[since..].iter_mut().zip(&before) {
            *cell -= &factor * part;
        }
        if 2 * length <= n {
            length = n + 1 - length;
            before = std::mem::replace(&mut connection, next);
            discrepancy_before = discrepancy;
            since = 1;
        } else {
            connection = next;
            since += 1;
        }
        if 2 * length + LEAST_SPARE > values.len() {
            return None;
        }
    }
    Some((connection, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[i64], expected: Option<&str>) {
        let values: Vec<BigInt> = values.iter().map(|&v| v.into()).collect();
        let found = Recurrence::fit(&values);
        if let Some(found) = &found {
            assert_eq!(found.terms(values.len()), values);
        }
        assert_eq!(
            found.map(|r| r.text("n")).as_deref(),
            expected,
            "{values:?}"
        );
    }

    #[test]
    fn short_ones_with_four_spare_terms() {
        check(&[1, 2, 4, 8, 16, 32], Some("2*a(n-1)"));
        check(&[1, 2, 4, 8, 16], None);
        check(&[1, 1, 2, 3, 5, 8, 13, 21], Some("a(n-1) + a(n-2)"));
        check(&[1, 1, 2, 3, 5, 8, 13], None);
        check(&[1, 0, -1, 0, 1, 0, -1, 0], Some("-a(n-2)"));
        check(&[0, 0, 0, 0, 0, 0, 0], None);
        check(&[2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37], None);
    }

    #[test]
    fn terms_outside_are_not_hidden_in_the_order() {
        // 7 stands before powers of two: order 2 with a last coefficient of 0.
        check(&[7, 1, 2, 4, 8, 16, 32, 64, 128], None);
    }

    #[test]
    fn fractions_are_refused() {
        // a(n) = 3/2 a(n-1) fits as long as the terms are whole.
        check(&[64, 96, 144, 216, 324, 486, 729], None);
    }
}
