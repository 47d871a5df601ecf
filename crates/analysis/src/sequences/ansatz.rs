//! Sums of a few functions from a fixed list: fewer terms settle them than a recurrence.

use num_bigint::BigInt;

use super::closed_form::{ClosedForm, Function, Growth, column, is_within_reach};
use super::polynomial::powers;
use super::{LEAST_SPARE, Rational};

/// The bases of exponentials that are tried.
const BASES: [i64; 4] = [2, 3, 4, -1];
/// The powers of n that are tried: 1, n, n^2, n^3.
const POWERS: u32 = 4;

/// A choice from the list, and the values of its functions.
struct Choice<'a> {
    functions: Vec<Function>,
    columns: Vec<&'a Vec<Rational>>,
}

/// The sum of the fewest functions that gives all terms with [`LEAST_SPARE`] of them to spare, and
/// the number of functions that were allowed.
///
/// The functions are `a^n` for a in 2, 3, 4, -1, the pair `fib(n)`, `fib(n+1)`, and
/// `1, n, n^2, n^3`; powers of n are taken with all lower ones.
pub(super) fn fit(first: i64, values: &[BigInt]) -> Option<(ClosedForm, usize)> {
    if !is_within_reach(first, values.len()) {
        return None;
    }
    let functions = list();
    let columns: Vec<Vec<Rational>> = functions
        .iter()
        .map(|function| column(function, first, values.len()))
        .collect();
    if values.len() >= functions.len() + LEAST_SPARE {
        // What all functions together cannot give, none of the choices can.
        let all: Vec<&Vec<Rational>> = columns.iter().collect();
        ClosedForm::fit_columns(&functions, &all, first, values)?;
    }
    let mut choices = choices(&functions, &columns);
    choices.retain(|choice| choice.functions.len() + LEAST_SPARE <= values.len());
    choices.sort_by_key(|choice| choice.functions.len());
    choices.iter().find_map(|choice| {
        let form = ClosedForm::fit_columns(&choice.functions, &choice.columns, first, values)?;
        is_whole_beyond(&form, first, values.len()).then_some((form, choice.functions.len()))
    })
}

/// Whether a form gives whole numbers where there are no terms, too: one that only happens to fit
/// has odd fractions, and does not.
fn is_whole_beyond(form: &ClosedForm, first: i64, count: usize) -> bool {
    const FURTHER: i64 = 40;
    let end = first + count as i64;
    (end..end + FURTHER).all(|n| form.value(n).is_integer())
}

fn list() -> Vec<Function> {
    let growths = BASES
        .map(Growth::Exponential)
        .into_iter()
        .chain([0, 1].map(|shift| Growth::Fibonacci { stride: 1, shift }));
    let mut functions: Vec<Function> = growths
        .map(|growth| Function { power: 0, growth })
        .collect();
    functions.extend(powers(POWERS));
    functions
}

/// Every choice that has a function which grows; a polynomial alone is found by differences.
fn choices<'a>(functions: &[Function], columns: &'a [Vec<Rational>]) -> Vec<Choice<'a>> {
    let fibonacci = BASES.len();
    let mut choices = Vec::new();
    for growing in 1_u32..1 << (fibonacci + 1) {
        for powers in 0..=POWERS as usize {
            let is_chosen = |i: usize| match i {
                i if i < fibonacci => growing >> i & 1 == 1,
                i if i < fibonacci + 2 => growing >> fibonacci & 1 == 1,
                i => i - fibonacci - 2 < powers,
            };
            let chosen: Vec<usize> = (0..functions.len()).filter(|&i| is_chosen(i)).collect();
            choices.push(Choice {
                functions: chosen.iter().map(|&i| functions[i].clone()).collect(),
                columns: chosen.iter().map(|&i| &columns[i]).collect(),
            });
        }
    }
    choices
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(first: i64, values: &[i64], expected: Option<(&str, usize)>) {
        let values: Vec<BigInt> = values.iter().map(|&v| v.into()).collect();
        let found = fit(first, &values).map(|(form, functions)| (form.text("n"), functions));
        let found = found
            .as_ref()
            .map(|(text, functions)| (text.as_str(), *functions));
        assert_eq!(found, expected, "{values:?}");
    }

    #[test]
    fn the_fewest_functions_are_taken() {
        check(1, &[2, 4, 8, 16, 32], Some(("2^n", 1)));
        check(1, &[2, 4, 8, 16], None);
        check(0, &[1, 4, 11, 26, 57, 120, 247], Some(("4*2^n - n - 3", 3)));
        check(1, &[1, 1, 2, 3, 5, 8], Some(("fib(n)", 2)));
        check(1, &[1, 7, 3, 9, 2, 8, 8], None);
    }

    #[test]
    fn one_way_frogs_from_ten_terms() {
        let states = [6, 23, 72, 195, 476, 1089, 2388, 5093, 10662, 22041];
        check(1, &states, Some(("24*2^n - 6 fib(n+4) - 2n^2 - 7n - 3", 6)));
    }
}
