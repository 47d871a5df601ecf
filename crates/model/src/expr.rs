//! Exact arithmetic on expressions and conditions.
//!
//! Numbers are integers of any size up to about a million bits; what would be larger is a fault
//! before it is computed, so a formula such as `10^10^10` never hangs.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

use crate::codes;
use crate::fault::Fault;
use crate::params::{ParamValue, Params};
use crate::syntax::{BinaryOp, Comparison, Cond, CondKind, Expr, ExprKind, Function, Span};

/// No intermediate result may have more bits.
const MAX_BITS: u64 = 1 << 20;

/// What an expression may stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Int(BigInt),
    /// A word: the value of a choice, the symbol of a piece.
    Word(String),
    /// A number that does not exist (`shortest` where no goal is reached); written `none`.
    None,
}

/// What names mean in one place of a rule file.
pub trait Names {
    /// The value of a name; `None` if it has none here (then the expression is a fault).
    fn value(&self, name: &str) -> Option<Value>;
}

/// Parameters are names everywhere. A list has no single value, and words of choices are not
/// parameters: both are `None` here.
impl Names for Params {
    fn value(&self, name: &str) -> Option<Value> {
        match self.get(name)? {
            ParamValue::Int(v) => Some(Value::Int(BigInt::from(*v))),
            ParamValue::Choice(v) => Some(Value::Word(v.clone())),
            ParamValue::List(_) => None,
        }
    }
}

/// The value of an expression over parameters, as a machine integer.
///
/// # Errors
/// A name without a number, no value (a division by zero), or a value beyond 64 bits.
pub fn integer(expr: &Expr, params: &Params) -> Result<i64, Fault> {
    let value = big_integer(expr, params)?;
    value.to_i64().ok_or_else(|| too_large(expr.span))
}

/// The value of an expression over parameters, of any size.
///
/// # Errors
/// A name without a number, or no value.
pub fn big_integer(expr: &Expr, params: &Params) -> Result<BigInt, Fault> {
    match evaluate(expr, params)? {
        Value::Int(v) => Ok(v),
        Value::Word(w) => Err(no_number(&w, expr.span)),
        Value::None => Err(no_number("none", expr.span)),
    }
}

/// The value of an expression.
///
/// `none` makes every sum, product and function it stands in `none` too: what is computed from an
/// absent number is absent. `none` itself need not be among the names.
///
/// # Errors
/// A name without a value, a word in a sum, a division by zero, a negative exponent, `fib` or
/// factorial of a negative number, or a result of more than about a million bits.
pub fn evaluate(expr: &Expr, names: &dyn Names) -> Result<Value, Fault> {
    let span = expr.span;
    match &expr.kind {
        ExprKind::Int(v) => Ok(Value::Int(v.clone())),
        ExprKind::Name(name) => name_value(name, span, names),
        ExprKind::Neg(e) => numbers([&**e], names, |[v]| Ok(-v)),
        ExprKind::Factorial(e) => numbers([&**e], names, |[v]| factorial(&v, span)),
        ExprKind::Binary(op, a, b) => {
            numbers([&**a, &**b], names, |[a, b]| binary(*op, &a, &b, span))
        }
        ExprKind::Call(function, args) => call(*function, args, span, names),
    }
}

/// Whether a condition holds. `and` and `or` go from left to right and stop as soon as they know,
/// so `n > 0 and m / n = 2` is no fault for n = 0.
///
/// `=` and `!=` compare anything: `none` equals only `none`, a word only the same word, and a word
/// never equals a number. An order (`<`, `in`) with `none` on either side does not hold: nothing
/// is known of a number that does not exist. An order of words is a fault.
///
/// # Errors
/// As [`evaluate`], and an order between words.
pub fn holds(cond: &Cond, names: &dyn Names) -> Result<bool, Fault> {
    match &cond.kind {
        CondKind::Compare(a, comparison, b) => {
            let (a, b) = (evaluate(a, names)?, evaluate(b, names)?);
            compare(&a, *comparison, &b, cond.span)
        }
        CondKind::In(a, low, high) => {
            let a = evaluate(a, names)?;
            let low = evaluate(low, names)?;
            let high = evaluate(high, names)?;
            Ok(compare(&a, Comparison::Ge, &low, cond.span)?
                & compare(&a, Comparison::Le, &high, cond.span)?)
        }
        CondKind::And(all) => {
            for c in all {
                if !holds(c, names)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        CondKind::Or(any) => {
            for c in any {
                if holds(c, names)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        CondKind::Not(c) => Ok(!holds(c, names)?),
    }
}

/// All names of an expression, in order, with repetitions.
pub fn names_of<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a str, Span)) {
    match &expr.kind {
        ExprKind::Int(_) => {}
        ExprKind::Name(name) => visit(name, expr.span),
        ExprKind::Neg(e) | ExprKind::Factorial(e) => names_of(e, visit),
        ExprKind::Binary(_, a, b) => {
            names_of(a, visit);
            names_of(b, visit);
        }
        ExprKind::Call(_, args) => args.iter().for_each(|e| names_of(e, visit)),
    }
}

/// All names of a condition, in order, with repetitions.
pub fn names_of_condition<'a>(cond: &'a Cond, visit: &mut dyn FnMut(&'a str, Span)) {
    match &cond.kind {
        CondKind::Compare(a, _, b) => {
            names_of(a, visit);
            names_of(b, visit);
        }
        CondKind::In(a, b, c) => [a, b, c].into_iter().for_each(|e| names_of(e, visit)),
        CondKind::And(all) | CondKind::Or(all) => {
            for c in all {
                names_of_condition(c, visit);
            }
        }
        CondKind::Not(c) => names_of_condition(c, visit),
    }
}

fn name_value(name: &str, span: Span, names: &dyn Names) -> Result<Value, Fault> {
    if name == "none" {
        return Ok(Value::None);
    }
    names.value(name).ok_or_else(|| {
        Fault::new(
            codes::BAD_EXPRESSION,
            span,
            format!("`{name}` has no value here"),
        )
        .help("use a number or a parameter that is a number or a choice")
    })
}

/// Evaluates the operands and hands their numbers over; `none` if one of them is `none`.
fn numbers<const N: usize>(
    operands: [&Expr; N],
    names: &dyn Names,
    then: impl FnOnce([BigInt; N]) -> Result<BigInt, Fault>,
) -> Result<Value, Fault> {
    let mut values = [const { BigInt::ZERO }; N];
    let mut absent = false;
    for (value, operand) in values.iter_mut().zip(operands) {
        match evaluate(operand, names)? {
            Value::Int(v) => *value = v,
            Value::Word(w) => return Err(no_number(&w, operand.span)),
            Value::None => absent = true,
        }
    }
    if absent {
        Ok(Value::None)
    } else {
        then(values).map(Value::Int)
    }
}

fn binary(op: BinaryOp, a: &BigInt, b: &BigInt, span: Span) -> Result<BigInt, Fault> {
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul if a.bits() + b.bits() > MAX_BITS + 1 => return Err(too_large(span)),
        BinaryOp::Mul => a * b,
        BinaryOp::Div if b.is_zero() => {
            return Err(Fault::new(
                codes::BAD_EXPRESSION,
                span,
                "a division by zero",
            ));
        }
        BinaryOp::Div => a.div_floor(b),
        BinaryOp::Pow => power(a, b, span)?,
    };
    if value.bits() > MAX_BITS {
        Err(too_large(span))
    } else {
        Ok(value)
    }
}

fn power(base: &BigInt, exponent: &BigInt, span: Span) -> Result<BigInt, Fault> {
    if exponent.is_negative() {
        let message = format!("the exponent is negative ({exponent})");
        return Err(Fault::new(codes::BAD_EXPRESSION, span, message));
    }
    if base.magnitude().is_one() || base.is_zero() {
        let odd = exponent.is_odd();
        let one = if odd { base.clone() } else { BigInt::one() };
        return Ok(if base.is_zero() && !exponent.is_zero() {
            BigInt::ZERO
        } else {
            one
        });
    }
    let exponent = exponent.to_u32().ok_or_else(|| too_large(span))?;
    // |base| >= 2^(bits - 1), so the power has at least (bits - 1) * exponent bits.
    if (base.bits() - 1).saturating_mul(u64::from(exponent)) > MAX_BITS {
        return Err(too_large(span));
    }
    Ok(base.pow(exponent))
}

fn factorial(n: &BigInt, span: Span) -> Result<BigInt, Fault> {
    if n.is_negative() {
        let message = format!("the factorial of a negative number ({n})");
        return Err(Fault::new(codes::BAD_EXPRESSION, span, message));
    }
    // log2(n!) >= n * (log2 n - log2 e) passes MAX_BITS a little above this.
    match n.to_u64() {
        Some(n) if n <= 72_000 => Ok(product(1, n)),
        _ => Err(too_large(span)),
    }
}

/// `from * (from + 1) * ... * to`, by halves, so that the factors stay balanced.
fn product(from: u64, to: u64) -> BigInt {
    if from > to {
        BigInt::one()
    } else if to - from < 8 {
        (from..=to).map(BigInt::from).product()
    } else {
        let middle = from + (to - from) / 2;
        product(from, middle) * product(middle + 1, to)
    }
}

fn call(function: Function, args: &[Expr], span: Span, names: &dyn Names) -> Result<Value, Fault> {
    match (function, args) {
        (Function::Fib, [k]) => numbers([k], names, |[k]| fibonacci(&k, span)),
        (Function::Binomial, [a, b]) => numbers([a, b], names, |[a, b]| binomial(&a, &b, span)),
        (Function::Min | Function::Max, [first, rest @ ..]) => {
            let mut best = numbers([first], names, |[v]| Ok(v))?;
            for e in rest {
                best = match (best, numbers([e], names, |[v]| Ok(v))?) {
                    (Value::Int(a), Value::Int(b)) if function == Function::Min => {
                        Value::Int(a.min(b))
                    }
                    (Value::Int(a), Value::Int(b)) => Value::Int(a.max(b)),
                    _ => Value::None,
                };
            }
            Ok(best)
        }
        _ => {
            let message = "a function with the wrong number of operands";
            Err(Fault::new(codes::BAD_EXPRESSION, span, message)
                .help("write `fib(k)`, `binomial(a,b)`, `min(a,b)` or `max(a,b)`"))
        }
    }
}

/// `fib(0) = 0`, `fib(1) = 1`, by doubling.
fn fibonacci(k: &BigInt, span: Span) -> Result<BigInt, Fault> {
    if k.is_negative() {
        let message = format!("the Fibonacci number of a negative index ({k})");
        return Err(Fault::new(codes::BAD_EXPRESSION, span, message));
    }
    // fib(k) has about 0.694 k bits.
    let k = k
        .to_u64()
        .filter(|&k| k <= MAX_BITS * 3 / 2)
        .ok_or_else(|| too_large(span))?;
    let (mut a, mut b) = (BigInt::ZERO, BigInt::one()); // fib(i), fib(i + 1)
    for bit in (0..u64::BITS - k.leading_zeros()).rev() {
        let even = &a * (&b * 2 - &a);
        let odd = &a * &a + &b * &b;
        (a, b) = if k >> bit & 1 == 1 {
            let sum = &even + &odd;
            (odd, sum)
        } else {
            (even, odd)
        };
    }
    Ok(a)
}

/// The number of ways to choose `b` of `a`; 0 where there is none (`b < 0` or `b > a`).
fn binomial(a: &BigInt, b: &BigInt, span: Span) -> Result<BigInt, Fault> {
    if b.is_negative() || b > a {
        return Ok(BigInt::ZERO);
    }
    let b = b.clone().min(a - b);
    if b.is_zero() {
        return Ok(BigInt::one());
    }
    if b.is_one() {
        return Ok(a.clone());
    }
    // (a/b)^b is a lower bound, and 2^b is another, as a >= 2b.
    let least_bits = (a / &b).bits() - 1;
    let b = b.to_u64().ok_or_else(|| too_large(span))?;
    if least_bits.max(1).saturating_mul(b) > MAX_BITS {
        return Err(too_large(span));
    }
    let value = match a.to_u64() {
        Some(a) if a <= SIEVE => binomial_by_primes(a, b),
        Some(a) => product(a - b + 1, a) / product(1, b),
        None => {
            let numerator: BigInt = (0..b).map(|i| a - BigInt::from(i)).product();
            numerator / product(1, b)
        }
    };
    if value.bits() > MAX_BITS {
        Err(too_large(span))
    } else {
        Ok(value)
    }
}

/// Up to here a binomial is put together from its prime factors: dividing two numbers of tens of
/// millions of bits would take seconds.
const SIEVE: u64 = 1 << 24;

/// By Kummer: the exponent of a prime is the number of carries when `b` and `a - b` are added.
fn binomial_by_primes(a: u64, b: u64) -> BigInt {
    let mut composite = vec![false; a as usize + 1];
    let mut factors = Vec::new();
    for p in 2..=a {
        if composite[p as usize] {
            continue;
        }
        (p * p..=a)
            .step_by(p as usize)
            .for_each(|q| composite[q as usize] = true);
        let mut power = p;
        while power <= a {
            if a % power < b % power {
                factors.push(BigInt::from(p));
            }
            power *= p;
        }
    }
    multiply(&factors)
}

fn multiply(factors: &[BigInt]) -> BigInt {
    match factors.len() {
        0..=8 => factors.iter().product(),
        n => multiply(&factors[..n / 2]) * multiply(&factors[n / 2..]),
    }
}

fn compare(a: &Value, comparison: Comparison, b: &Value, span: Span) -> Result<bool, Fault> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(comparison.holds(a.cmp(b))),
        _ if matches!(comparison, Comparison::Eq | Comparison::Ne) => {
            // Any order but `Equal` says "different".
            Ok(comparison.holds(if a == b {
                Ordering::Equal
            } else {
                Ordering::Less
            }))
        }
        (Value::None, _) | (_, Value::None) => Ok(false),
        (Value::Word(w), _) | (_, Value::Word(w)) => {
            let message = format!("`{w}` is a word, and words have no order");
            Err(Fault::new(codes::BAD_EXPRESSION, span, message)
                .help("compare it with `=` or `!=`"))
        }
    }
}

fn no_number(word: &str, span: Span) -> Fault {
    Fault::new(
        codes::BAD_EXPRESSION,
        span,
        format!("`{word}` is not a number"),
    )
}

fn too_large(span: Span) -> Fault {
    Fault::new(codes::BAD_EXPRESSION, span, "the number is too large")
        .help("no number may have more than about a million bits (300,000 digits)")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `n` is 3, `way` is `forward`, nothing else has a value.
    struct Few;

    impl Names for Few {
        fn value(&self, name: &str) -> Option<Value> {
            match name {
                "n" => Some(Value::Int(BigInt::from(3))),
                "way" | "forward" => Some(Value::Word("forward".to_owned())),
                _ => None,
            }
        }
    }

    fn expr(kind: ExprKind) -> Expr {
        Expr {
            kind,
            span: Span::default(),
        }
    }

    fn int(v: i64) -> Expr {
        expr(ExprKind::Int(BigInt::from(v)))
    }

    fn name(name: &str) -> Expr {
        expr(ExprKind::Name(name.to_owned()))
    }

    fn op(a: Expr, op: BinaryOp, b: Expr) -> Expr {
        expr(ExprKind::Binary(op, Box::new(a), Box::new(b)))
    }

    fn fun(function: Function, args: &[Expr]) -> Expr {
        expr(ExprKind::Call(function, args.to_vec()))
    }

    fn fact(e: Expr) -> Expr {
        expr(ExprKind::Factorial(Box::new(e)))
    }

    fn check(e: &Expr, expected: &str) {
        let got = match evaluate(e, &Few) {
            Ok(Value::Int(v)) => v.to_string(),
            Ok(Value::Word(w)) => w,
            Ok(Value::None) => "none".to_owned(),
            Err(f) => f.message,
        };
        assert_eq!(got, expected, "{e:?}");
    }

    #[test]
    fn exact_values() {
        use BinaryOp::{Add, Div, Mul, Pow, Sub};
        check(&op(name("n"), Mul, op(name("n"), Add, int(2))), "15");
        check(&op(int(-7), Div, int(2)), "-4");
        check(&op(int(7), Div, int(-2)), "-4");
        check(
            &op(int(2), Pow, int(100)),
            "1267650600228229401496703205376",
        );
        check(&op(int(0), Pow, int(0)), "1");
        check(&op(int(-1), Pow, op(int(10), Pow, int(30))), "1");
        check(&op(int(-2), Pow, int(3)), "-8");
        check(&fact(int(20)), "2432902008176640000");
        check(&fact(int(0)), "1");
        for (k, v) in [
            (0, "0"),
            (1, "1"),
            (2, "1"),
            (10, "55"),
            (90, "2880067194370816120"),
        ] {
            check(&fun(Function::Fib, &[int(k)]), v);
        }
        for (a, b, v) in [
            (6, 3, "20"),
            (6, 0, "1"),
            (6, 7, "0"),
            (6, -1, "0"),
            (-2, 0, "0"),
        ] {
            check(&fun(Function::Binomial, &[int(a), int(b)]), v);
        }
        check(
            &fun(Function::Binomial, &[int(100_000_000), int(2)]),
            "4999999950000000",
        );
        check(
            &fun(Function::Binomial, &[op(int(10), Pow, int(20)), int(1)]),
            &format!("1{:020}", 0),
        );
        check(&fun(Function::Min, &[int(4), int(2), int(3)]), "2");
        check(&fun(Function::Max, &[int(4), int(2)]), "4");
        check(&op(name("none"), Sub, int(1)), "none");
        check(&name("way"), "forward");
    }

    #[test]
    fn both_ways_to_a_binomial_agree() {
        for a in 0..60_u64 {
            for b in 0..=a {
                let plain = product(a - b + 1, a) / product(1, b);
                assert_eq!(binomial_by_primes(a, b), plain, "binomial({a},{b})");
            }
        }
    }

    #[test]
    fn what_has_no_value() {
        use BinaryOp::{Add, Div, Mul, Pow};
        let large = "the number is too large";
        check(&op(int(1), Div, int(0)), "a division by zero");
        check(&op(int(2), Pow, int(-1)), "the exponent is negative (-1)");
        check(&op(int(10), Pow, op(int(10), Pow, int(10))), large);
        check(&fun(Function::Fib, &[op(int(10), Pow, int(9))]), large);
        check(
            &fun(Function::Fib, &[int(-1)]),
            "the Fibonacci number of a negative index (-1)",
        );
        check(&fact(op(int(10), Pow, int(9))), large);
        check(&fact(int(-1)), "the factorial of a negative number (-1)");
        check(
            &fun(
                Function::Binomial,
                &[op(int(10), Pow, int(9)), op(int(10), Pow, int(8))],
            ),
            large,
        );
        check(
            &fun(
                Function::Binomial,
                &[op(int(10), Pow, int(30)), op(int(10), Pow, int(29))],
            ),
            large,
        );
        let million_bits = op(int(2), Pow, int(1_000_000));
        check(&op(million_bits.clone(), Mul, million_bits), large);
        check(&op(name("way"), Add, int(1)), "`forward` is not a number");
        check(&name("q"), "`q` has no value here");
        check(
            &fun(Function::Fib, &[int(1), int(2)]),
            "a function with the wrong number of operands",
        );
    }

    #[test]
    fn conditions() {
        let cond = |kind| Cond {
            kind,
            span: Span::default(),
        };
        let is = |a: Expr, c, b: Expr| cond(CondKind::Compare(a, c, b));
        let absurd = || is(op(int(1), BinaryOp::Div, int(0)), Comparison::Eq, int(1));
        let check =
            |c: &Cond, expected: Option<bool>| assert_eq!(holds(c, &Few).ok(), expected, "{c:?}");
        check(&is(name("n"), Comparison::Eq, int(3)), Some(true));
        check(&is(name("none"), Comparison::Eq, name("none")), Some(true));
        check(&is(name("none"), Comparison::Ne, int(3)), Some(true));
        check(&is(name("none"), Comparison::Le, name("none")), Some(false));
        check(&is(name("none"), Comparison::Lt, int(3)), Some(false));
        check(
            &is(name("way"), Comparison::Eq, name("forward")),
            Some(true),
        );
        check(&is(name("way"), Comparison::Eq, int(3)), Some(false));
        check(&is(name("way"), Comparison::Lt, int(3)), None);
        check(&cond(CondKind::In(name("n"), int(1), int(3))), Some(true));
        check(&cond(CondKind::In(name("n"), int(4), int(5))), Some(false));
        let yes = || is(int(1), Comparison::Eq, int(1));
        let no = || is(int(1), Comparison::Eq, int(2));
        check(&cond(CondKind::And(vec![no(), absurd()])), Some(false));
        check(&cond(CondKind::Or(vec![yes(), absurd()])), Some(true));
        check(&cond(CondKind::And(vec![yes(), absurd()])), None);
        check(&cond(CondKind::Not(Box::new(no()))), Some(true));
    }
}
