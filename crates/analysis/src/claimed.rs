//! Closed forms that a rule file claims, for values of parameters that no run reaches.

use impasse_model::expr::{self, Value};
use impasse_model::fault::Fault;
use impasse_model::params::Params;
use impasse_model::syntax::{Claim, Comparison, Cond, CondKind, Expr, ExprKind, PuzzleFile};
use num_bigint::BigInt;

use crate::claims::is_measured_by_a_run;
use crate::domain::{Words, passes, terms_of};

/// The value that the file claims for a key of the summary, and the claim: the first of the form
/// `KEY = EXPR` (perhaps with `and`) whose domain includes these parameters, where neither speaks of
/// other figures.
///
/// # Errors
/// A claim, or its domain, that has no value.
pub fn claimed<'f>(
    file: &'f PuzzleFile,
    params: &Params,
    key: &str,
) -> Result<Option<(BigInt, &'f Claim)>, Fault> {
    for claim in &file.claims {
        let domain = claim.domain.as_ref().map(terms_of).unwrap_or_default();
        let is_closed = domain.iter().all(|term| !speaks_of_runs(term, file));
        if !is_closed || !passes(&domain, file, params)? {
            continue;
        }
        for form in terms_of(&claim.condition)
            .into_iter()
            .filter_map(|term| form(term, key))
        {
            let mut is_closed = true;
            expr::names_of(form, &mut |name, _| {
                is_closed &= !is_measured_by_a_run(file, name);
            });
            if is_closed && let Value::Int(value) = expr::evaluate(form, &Words { file, params })? {
                return Ok(Some((value, claim)));
            }
        }
    }
    Ok(None)
}

fn speaks_of_runs(term: &Cond, file: &PuzzleFile) -> bool {
    let mut found = false;
    expr::names_of_condition(term, &mut |name, _| {
        found |= is_measured_by_a_run(file, name);
    });
    found
}

/// The other side of `KEY = EXPR`.
fn form<'c>(term: &'c Cond, key: &str) -> Option<&'c Expr> {
    let CondKind::Compare(a, Comparison::Eq, b) = &term.kind else {
        return None;
    };
    let is_key = |e: &Expr| matches!(&e.kind, ExprKind::Name(name) if name == key);
    if is_key(a) {
        Some(b)
    } else {
        is_key(b).then_some(a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "puzzle \"P\"\nparam n = 3 in 0..40\nparam m = n in 0..40\n\
        param way = forward / both\npiece F \"frog\"\nboard line\nstart F^n .\ngoal . F^n\n\
        move step: F . -> . F\nstrategy s\n  F . -> . F\n";

    fn check(claims: &str, n: &str, expected: Option<i64>) {
        let text = format!("{RULES}{claims}\n");
        let file = impasse_model::parse::parse("test", text.as_bytes())
            .expect("a rule file")
            .file;
        let params = file
            .parameters(&[("n".into(), n.into())])
            .expect("parameters");
        let found = claimed(&file, &params, "shortest").expect("values");
        assert_eq!(
            found.map(|(value, _)| value),
            expected.map(BigInt::from),
            "{claims}, n = {n}"
        );
    }

    #[test]
    fn the_first_closed_claim_whose_domain_fits() {
        check("claim shortest = n*(n + 2)", "30", Some(960));
        check("claim n + 1 = shortest", "30", Some(31));
        check("claim states = 1 and shortest = m", "9", Some(9));
        check("claim shortest = n for n in 1..8", "9", None);
        check(
            "claim shortest = 1 for way = both\nclaim shortest = 2 for way = forward",
            "9",
            Some(2),
        );
        check("claim shortest = s", "9", None);
        check(
            "claim shortest = states - 1\nclaim shortest = n",
            "9",
            Some(9),
        );
        check("claim shortest > n or shortest = n", "9", None);
        check("claim shortest = none", "9", None);
    }
}
