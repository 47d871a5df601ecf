//! What a counted move adds, as sums of things that do not depend on each other.

use std::collections::BTreeMap;

use impasse_model::board::Cell;
use impasse_model::expr::integer;
use impasse_model::instance::Instance;
use impasse_model::placed::Amount;
use impasse_model::syntax::{BinaryOp, Expr, ExprKind};

use super::echelon::Form;

/// What a move adds to the weight of a position.
pub(crate) struct ChangeForms {
    /// The part that is the same whenever the move is made.
    pub(crate) fixed: Form,
    /// For every expression of captures in the amounts, the cells that it is added to: a weight that
    /// takes each of them to 0 is kept whatever the captures hold.
    pub(crate) differences: Vec<Form>,
}

/// The forms of a move's additions; `None` where an amount does not fit a number.
pub(crate) fn change_forms(instance: &Instance, adds: &[(Cell, Amount)]) -> Option<ChangeForms> {
    // By what is added: the number 1 (no words), or an expression of captures, in words.
    let mut by_term: BTreeMap<String, BTreeMap<u32, i64>> = BTreeMap::new();
    for (cell, amount) in adds {
        for (term, n) in amount_terms(instance, amount)? {
            let at = by_term.entry(term).or_default().entry(*cell).or_default();
            *at = at.checked_add(n)?;
        }
    }
    let form = |cells: BTreeMap<u32, i64>| cells.into_iter().filter(|&(_, n)| n != 0).collect();
    let fixed = by_term.remove("").map(form).unwrap_or_default();
    Some(ChangeForms {
        fixed,
        differences: by_term.into_values().map(form).collect(),
    })
}

/// An amount as a sum: by what is added (no words for the number 1), how often.
pub(crate) fn amount_terms(instance: &Instance, amount: &Amount) -> Option<BTreeMap<String, i64>> {
    let mut terms = BTreeMap::new();
    match amount {
        Amount::Fixed(n) => drop(terms.insert(String::new(), *n)),
        Amount::Computed(expr) => add_terms(instance, expr, 1, &mut terms)?,
    }
    Some(terms)
}

/// Adds `factor` times an expression, split into numbers and the smallest parts that are no sums.
fn add_terms(
    instance: &Instance,
    expr: &Expr,
    factor: i64,
    terms: &mut BTreeMap<String, i64>,
) -> Option<()> {
    let mut add = |term: String, n: i64| {
        let sum = terms.entry(term).or_default();
        *sum = sum.checked_add(n)?;
        Some(())
    };
    if let Ok(n) = integer(expr, &instance.params) {
        return add(String::new(), n.checked_mul(factor)?);
    }
    match &expr.kind {
        ExprKind::Neg(inner) => add_terms(instance, inner, factor.checked_neg()?, terms),
        ExprKind::Binary(BinaryOp::Add, a, b) => {
            add_terms(instance, a, factor, terms)?;
            add_terms(instance, b, factor, terms)
        }
        ExprKind::Binary(BinaryOp::Sub, a, b) => {
            add_terms(instance, a, factor, terms)?;
            add_terms(instance, b, factor.checked_neg()?, terms)
        }
        ExprKind::Binary(BinaryOp::Mul, a, b) => {
            let parts = [(a, b), (b, a)];
            let known = parts
                .into_iter()
                .find_map(|(number, other)| Some((integer(number, &instance.params).ok()?, other)));
            match known {
                Some((n, other)) => add_terms(instance, other, factor.checked_mul(n)?, terms),
                None => add(words(expr), factor),
            }
        }
        _ => add(words(expr), factor),
    }
}

/// An expression without the places it was read from: equal words mean equal values.
fn words(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Neg(inner) => format!("(-{})", words(inner)),
        ExprKind::Factorial(inner) => format!("({}!)", words(inner)),
        ExprKind::Binary(operator, a, b) => format!("({} {operator:?} {})", words(a), words(b)),
        ExprKind::Call(function, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(words).collect();
            format!("{function:?}({})", arguments.join(","))
        }
    }
}
