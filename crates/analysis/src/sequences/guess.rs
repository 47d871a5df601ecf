//! The law of a sequence, from its terms.

use impasse_model::expr::{Names, Value, evaluate};
use impasse_model::parse::parse_expr;
use num_bigint::BigInt;

use super::closed_form::is_within_reach;
use super::{ClosedForm, LEAST_SPARE, MOST_DROPPED, Recurrence, ansatz, polynomial, roots};

/// A law that all given terms obey, but for some first ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The law.
    pub law: Law,
    /// How it was found.
    pub method: Method,
    /// The first n from which on it holds.
    pub from: i64,
    /// The last n that was given.
    pub to: i64,
    /// Terms that it meets, though they were not needed to fix it.
    pub spare: usize,
    /// First terms that it does not give, each with its n.
    pub exceptions: Vec<(i64, BigInt)>,
}

/// A law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Law {
    /// A formula for each n.
    Closed(ClosedForm),
    /// Each term from those before it.
    Recurrence(Recurrence),
}

/// How a law was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Differences that become equal.
    Polynomial,
    /// Functions from a fixed list.
    Ansatz,
    /// A linear recurrence of this order.
    Recurrence(usize),
}

/// Looks for a law of `values`, which stand at `n = first, first + 1, ...`; `name` is what n is
/// called.
///
/// As few first terms as possible are left out, at most [`MOST_DROPPED`]; where to begin is fitted,
/// too, so each term left out costs a further spare one. A closed form is accepted only after it has
/// been written down, read back, and computed for every term by the arithmetic of claims.
///
/// Takes some hundredths of a second for 60 terms.
#[must_use]
pub fn guess(name: &str, first: i64, values: &[BigInt]) -> Option<Guess> {
    (0..=MOST_DROPPED.min(values.len())).find_map(|dropped| {
        let (outside, inside) = values.split_at(dropped);
        let from = first + dropped as i64;
        let (law, method, spare) = law(name, from, inside)?;
        if spare < LEAST_SPARE + dropped {
            return None;
        }
        let is_exception = |&(n, ref value): &(i64, BigInt)| match &law {
            Law::Closed(form) => !is_met(form, name, n, std::slice::from_ref(value)),
            Law::Recurrence(_) => true,
        };
        let outside = (first..).zip(outside.iter().cloned());
        Some(Guess {
            exceptions: outside.filter(is_exception).collect(),
            law,
            method,
            from,
            to: first + values.len() as i64 - 1,
            spare,
        })
    })
}

/// A law of all these terms, and how many it has to spare.
fn law(name: &str, first: i64, values: &[BigInt]) -> Option<(Law, Method, usize)> {
    let written = |form: &ClosedForm| is_met(form, name, first, values);
    if let Some(form) = polynomial::fit(first, values).filter(written) {
        let spare = values.len() - 1 - form.degree().unwrap_or(0) as usize;
        return Some((Law::Closed(form), Method::Polynomial, spare));
    }
    if let Some((form, functions)) = ansatz::fit(first, values).filter(|(form, _)| written(form)) {
        return Some((Law::Closed(form), Method::Ansatz, values.len() - functions));
    }
    let recurrence = Recurrence::fit(values)?;
    let order = recurrence.coefficients.len();
    let closed = roots::functions(&recurrence.characteristic())
        .filter(|_| is_within_reach(first, values.len()))
        .and_then(|functions| ClosedForm::fit(&functions, first, values))
        .filter(written);
    let law = closed.map_or(Law::Recurrence(recurrence), Law::Closed);
    Some((law, Method::Recurrence(order), values.len() - 2 * order))
}

/// Whether a closed form, as it is written, gives these terms by the arithmetic of claims.
fn is_met(form: &ClosedForm, name: &str, first: i64, values: &[BigInt]) -> bool {
    let Ok(formula) = parse_expr(&form.formula(name)) else {
        return false;
    };
    (first..).zip(values).all(|(n, value)| {
        let index = Index { name, n };
        evaluate(&formula, &index).is_ok_and(|found| found == Value::Int(value.clone()))
    })
}

/// The one name that a formula knows.
struct Index<'a> {
    name: &'a str,
    n: i64,
}

impl Names for Index<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        (name == self.name).then(|| Value::Int(self.n.into()))
    }
}

#[cfg(test)]
mod tests;
