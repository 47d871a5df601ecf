//! Closed forms in writing: as people write them, and in the language of claims.

use num_bigint::BigInt;
use num_traits::{One as _, Signed as _};

use super::{ClosedForm, Function, Growth, Rational, common_denominator};

/// In which way a formula is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hand {
    /// `2n^2 + 3 fib(n+1)`.
    People,
    /// `2*n^2 + 3*fib(n+1)`.
    Claims,
}

impl ClosedForm {
    /// As people write it: `24*2^n - 6 fib(n+4) - 2n^2 - 7n - 3`.
    #[must_use]
    pub fn text(&self, name: &str) -> String {
        self.written(name, Hand::People)
    }

    /// In the language of claims: `24*2^n - 6*fib(n+4) - 2*n^2 - 7*n - 3`.
    ///
    /// Fractions are brought to one denominator, so that the one division is without a remainder.
    #[must_use]
    pub fn formula(&self, name: &str) -> String {
        self.written(name, Hand::Claims)
    }

    fn written(&self, name: &str, hand: Hand) -> String {
        let denominator = common_denominator(self.summands.iter().map(|(c, _)| c));
        let mut text = String::new();
        for (coefficient, function) in &self.summands {
            let whole = (coefficient * Rational::from_integer(denominator.clone())).to_integer();
            text += match (text.is_empty(), whole.is_negative()) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text += &product(&whole.abs(), function, name, hand);
        }
        if text.is_empty() {
            return "0".to_owned();
        }
        match (denominator.is_one(), self.summands.len()) {
            (true, _) => text,
            (false, 1) => format!("{text}/{denominator}"),
            (false, _) => format!("({text})/{denominator}"),
        }
    }
}

/// A positive number times a function.
fn product(number: &BigInt, function: &Function, name: &str, hand: Hand) -> String {
    let power = match function.power {
        0 => None,
        1 => Some(name.to_owned()),
        power => Some(format!("{name}^{power}")),
    };
    let growth = match function.growth {
        Growth::None => None,
        Growth::Exponential(base) if base < 0 => Some(format!("({base})^{name}")),
        Growth::Exponential(base) => Some(format!("{base}^{name}")),
        Growth::Fibonacci { stride, shift } => {
            Some(format!("fib({})", index(stride, shift, name, hand)))
        }
    };
    let factors: Vec<String> = [power, growth].into_iter().flatten().collect();
    let Some(first) = factors.first() else {
        return number.to_string();
    };
    let between = match hand {
        Hand::People if first.starts_with("fib") => " ",
        Hand::People if first.starts_with(name) && name.len() == 1 => "",
        _ => "*",
    };
    let rest = factors.join(
        if hand == Hand::People && factors[factors.len() - 1].starts_with("fib") {
            " "
        } else {
            "*"
        },
    );
    if number.is_one() {
        rest
    } else {
        format!("{number}{between}{rest}")
    }
}

/// `n+4`, `2*n-1`.
fn index(stride: u32, shift: i64, name: &str, hand: Hand) -> String {
    let multiple = match (stride, hand) {
        (1, _) => name.to_owned(),
        (_, Hand::People) if name.len() == 1 => format!("{stride}{name}"),
        _ => format!("{stride}*{name}"),
    };
    match shift {
        0 => multiple,
        shift => format!("{multiple}{shift:+}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(power: u32, growth: Growth) -> Function {
        Function { power, growth }
    }

    fn check(summands: &[(i64, i64, Function)], text: &str, formula: &str) {
        let rational =
            |&(p, q, ref f): &(i64, i64, Function)| (Rational::new(p.into(), q.into()), f.clone());
        let form = ClosedForm::from_summands(summands.iter().map(rational).collect(), 1);
        assert_eq!(
            (form.text("n"), form.formula("n")),
            (text.to_owned(), formula.to_owned())
        );
    }

    #[test]
    fn both_hands() {
        let fib = |stride, shift| Growth::Fibonacci { stride, shift };
        check(&[], "0", "0");
        check(&[(7, 1, function(0, Growth::None))], "7", "7");
        check(&[(-1, 1, function(1, Growth::None))], "-n", "-n");
        check(
            &[
                (-3, 1, function(0, Growth::None)),
                (-7, 1, function(1, Growth::None)),
                (-2, 1, function(2, Growth::None)),
                (24, 1, function(0, Growth::Exponential(2))),
                (-12, 1, function(0, fib(1, 0))),
                (-18, 1, function(0, fib(1, 1))),
            ],
            "24*2^n - 6 fib(n+4) - 2n^2 - 7n - 3",
            "24*2^n - 6*fib(n+4) - 2*n^2 - 7*n - 3",
        );
        check(
            &[
                (1, 2, function(2, Growth::None)),
                (1, 3, function(1, Growth::None)),
            ],
            "(3n^2 + 2n)/6",
            "(3*n^2 + 2*n)/6",
        );
        check(
            &[(3, 2, function(1, Growth::Exponential(4)))],
            "3n*4^n/2",
            "3*n*4^n/2",
        );
        check(
            &[(1, 1, function(0, Growth::Exponential(-1)))],
            "(-1)^n",
            "(-1)^n",
        );
        check(
            &[(2, 1, function(1, fib(2, -1)))],
            "2n fib(2n-1)",
            "2*n*fib(2*n-1)",
        );
        check(
            &[
                (2, 1, function(0, fib(1, 0))),
                (5, 1, function(0, fib(1, 1))),
            ],
            "5 fib(n+1) + 2 fib(n)",
            "5*fib(n+1) + 2*fib(n)",
        );
    }

    #[test]
    fn long_names_are_kept_apart_by_signs() {
        let form = ClosedForm::from_summands(
            vec![(Rational::from_integer(2.into()), function(2, Growth::None))],
            1,
        );
        assert_eq!(form.text("rows"), "2*rows^2");
    }
}
