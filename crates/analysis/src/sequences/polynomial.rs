//! Polynomials: by differences.

use num_bigint::BigInt;

use super::LEAST_SPARE;
use super::closed_form::{ClosedForm, Function, Growth};

/// The polynomial through all terms, if at least [`LEAST_SPARE`] of them are not needed to fix it.
pub(super) fn fit(first: i64, values: &[BigInt]) -> Option<ClosedForm> {
    let degree = degree(values)?;
    ClosedForm::fit(&powers(degree as u32 + 1), first, values)
}

/// `1, n, n^2, ...`, so many.
pub(super) fn powers(count: u32) -> Vec<Function> {
    let function = |power| Function {
        power,
        growth: Growth::None,
    };
    (0..count).map(function).collect()
}

/// The least degree whose differences are all equal, with enough of them.
fn degree(values: &[BigInt]) -> Option<usize> {
    let mut differences = values.to_vec();
    let mut degree = 0;
    while differences.len() > LEAST_SPARE {
        if differences.windows(2).all(|pair| pair[0] == pair[1]) {
            return Some(degree);
        }
        differences = differences
            .windows(2)
            .map(|pair| &pair[1] - &pair[0])
            .collect();
        degree += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[i64], expected: Option<&str>) {
        let values: Vec<BigInt> = values.iter().map(|&v| v.into()).collect();
        assert_eq!(
            fit(1, &values).map(|form| form.text("n")).as_deref(),
            expected,
            "{values:?}"
        );
    }

    #[test]
    fn four_spare_terms_are_needed() {
        check(&[5, 5, 5, 5], None);
        check(&[5, 5, 5, 5, 5], Some("5"));
        check(&[3, 8, 15, 24, 35, 48], None);
        check(&[3, 8, 15, 24, 35, 48, 63], Some("n^2 + 2n"));
        check(&[3, 8, 15, 24, 35, 48, 64], None);
        check(&[1, 3, 6, 10, 15, 21, 28], Some("(n^2 + n)/2"));
        check(&[0, 0, 0, 0, 0], Some("0"));
        check(&[], None);
    }
}
