//! Integer expressions: `+ - * / ^ !`, `fib(k)`, `binomial(a,b)`, `min`, `max`.

use num_bigint::BigInt;

use super::cursor::{Cursor, shorten};
use super::lexer::{Kind, Token};
use super::names::{LONGEST_NAME, Meaning, belongs_to_strategy};
use crate::codes::{BAD_EXPRESSION, TOO_LARGE, UNDECLARED, WRONG_PLACE};
use crate::fault::Fault;
use crate::syntax::{BinaryOp, Expr, ExprKind, Function, Span};

/// An expression may have so many operators: evaluation goes as deep.
const MOST_OPERATORS: usize = 200;
/// A number may have so many digits.
const MOST_DIGITS: usize = 1000;

impl Cursor<'_> {
    /// A whole expression.
    pub(super) fn expression(&mut self) -> Result<Expr, Fault> {
        self.operators = 0;
        self.sum()
    }

    /// A whole expression over integer parameters.
    pub(super) fn integer_expression(&mut self) -> Result<Expr, Fault> {
        let expr = self.expression()?;
        self.check_integers(&expr, false);
        Ok(expr)
    }

    /// What stands after `^` in a drawing: a number, a name, a call or brackets.
    pub(super) fn repeat_expression(&mut self) -> Result<Expr, Fault> {
        self.operators = 0;
        if self.is("-") {
            return Err(self
                .unexpected("a number, a name or brackets")
                .help("a repeat is 0 or more"));
        }
        let expr = match self.word() {
            // The group of `F^n(A B)` is no list of arguments.
            Some(word) if !self.is_reserved() && !word.starts_with('_') => {
                let span = self.here();
                self.next();
                Expr {
                    kind: ExprKind::Name(word.to_owned()),
                    span,
                }
            }
            _ => self.primary()?,
        };
        self.check_integers(&expr, false);
        Ok(expr)
    }

    fn sum(&mut self) -> Result<Expr, Fault> {
        let mut left = self.product()?;
        loop {
            let op = match self.peek() {
                Some(t) if t.is("+") => BinaryOp::Add,
                Some(t) if t.is("-") => BinaryOp::Sub,
                _ => return Ok(left),
            };
            self.operator()?;
            let right = self.product()?;
            left = binary(op, left, right);
        }
    }

    fn product(&mut self) -> Result<Expr, Fault> {
        let mut left = self.signed()?;
        loop {
            let op = match self.peek() {
                Some(t) if t.is("*") => BinaryOp::Mul,
                Some(t) if t.is("/") => BinaryOp::Div,
                _ => return Ok(left),
            };
            self.operator()?;
            let right = self.signed()?;
            left = binary(op, left, right);
        }
    }

    fn signed(&mut self) -> Result<Expr, Fault> {
        let start = self.here().start;
        if !self.is("-") {
            return self.power();
        }
        self.operator()?;
        let inner = self.deeper(Self::signed)?;
        Ok(Expr {
            span: self.since(start),
            kind: ExprKind::Neg(Box::new(inner)),
        })
    }

    fn power(&mut self) -> Result<Expr, Fault> {
        let base = self.factorial()?;
        if !self.is("^") {
            return Ok(base);
        }
        self.operator()?;
        let exponent = self.deeper(Self::signed)?;
        Ok(binary(BinaryOp::Pow, base, exponent))
    }

    fn factorial(&mut self) -> Result<Expr, Fault> {
        let mut inner = self.primary()?;
        while self.is("!") {
            self.operator()?;
            let span = self.since(inner.span.start);
            inner = Expr {
                span,
                kind: ExprKind::Factorial(Box::new(inner)),
            };
        }
        if let Some(next) = self.peek()
            && next.glued
            && (next.kind == Kind::Word || next.kind == Kind::Number || next.is("("))
        {
            let fault = self.unexpected("an operator");
            return Err(fault.help("write a product with `*`: `2*n`"));
        }
        Ok(inner)
    }

    /// A number, a name, a call or brackets.
    pub(super) fn primary(&mut self) -> Result<Expr, Fault> {
        let Some(token) = self.peek() else {
            return Err(self.unexpected("a number or a name"));
        };
        match token.kind {
            Kind::Number => self.number(),
            Kind::Word => self.name_or_call(token),
            Kind::Other(c) if self.ctx.names.symbol(c).is_some() => {
                self.next();
                Ok(Expr {
                    kind: ExprKind::Name(c.to_string()),
                    span: token.span,
                })
            }
            Kind::Sign("(") => {
                self.next();
                let inner = self.deeper(Self::sum)?;
                self.expect(")")?;
                Ok(Expr {
                    span: self.since(token.span.start),
                    ..inner
                })
            }
            _ => Err(self.unexpected("a number or a name")),
        }
    }

    /// A number.
    pub(super) fn number(&mut self) -> Result<Expr, Fault> {
        let span = self.here();
        let digits = self.text(span);
        if digits.len() > MOST_DIGITS {
            let message = format!("a number of {} digits", digits.len());
            let help = format!("numbers have at most {MOST_DIGITS} digits");
            return Err(Fault::new(BAD_EXPRESSION, span, message).help(help));
        }
        self.next();
        let value = digits.parse::<BigInt>().expect("digits are a number");
        Ok(Expr {
            kind: ExprKind::Int(value),
            span,
        })
    }

    fn name_or_call(&mut self, token: Token) -> Result<Expr, Fault> {
        if let Some(expr) = self.hyphenated(token.span) {
            return Ok(expr);
        }
        let word = self.text(token.span);
        let (function, arguments) = match word {
            "fib" => (Function::Fib, 1..=1),
            "binomial" => (Function::Binomial, 2..=2),
            "min" => (Function::Min, 1..=usize::MAX),
            "max" => (Function::Max, 1..=usize::MAX),
            "at" | "none" => {
                self.next();
                return Ok(Expr {
                    kind: ExprKind::Name(word.to_owned()),
                    span: token.span,
                });
            }
            _ if self.is_reserved() || word.starts_with('_') => {
                return Err(self.unexpected("a number or a name"));
            }
            _ => {
                self.next();
                if self.is("(") && self.peek().is_some_and(|t| t.glued) {
                    return Err(self.no_function(token.span));
                }
                return Ok(Expr {
                    kind: ExprKind::Name(word.to_owned()),
                    span: token.span,
                });
            }
        };
        self.next();
        self.expect("(")?;
        self.operators += 1;
        let list = self.deeper(Self::arguments)?;
        let span = self.since(token.span.start);
        if arguments.contains(&list.len()) {
            return Ok(Expr {
                kind: ExprKind::Call(function, list),
                span,
            });
        }
        let message = format!("`{word}` has {} arguments", list.len());
        let form = if function == Function::Fib {
            "fib(k)"
        } else {
            "binomial(a,b)"
        };
        Err(Fault::new(BAD_EXPRESSION, span, message).help(format!("write `{form}`")))
    }

    fn arguments(&mut self) -> Result<Vec<Expr>, Fault> {
        let mut list = vec![self.sum()?];
        while self.take(",") {
            self.operators += 1;
            self.check_operators(self.here())?;
            list.push(self.sum()?);
        }
        self.expect(")")?;
        Ok(list)
    }

    fn no_function(&self, span: Span) -> Fault {
        let word = self.text(span);
        let fault = Fault::new(
            BAD_EXPRESSION,
            span,
            format!("`{}` is no function", shorten(word)),
        );
        if self.meaning(word).is_some() {
            return fault.help(format!("write a product with `*`: `{word}*(...)`"));
        }
        match super::suggest::nearest(word, ["fib", "binomial", "min", "max"]) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None => fault.help("the functions are fib(k), binomial(a,b), min(a,b), max(a,b)"),
        }
    }

    /// A strategy's name with `-` in it, read as a whole; the longest that fits.
    fn hyphenated(&mut self, first: Span) -> Option<Expr> {
        let is_strategy = |end: usize| {
            let name = self.text(Span { end, ..first });
            self.meaning(name) == Some(Meaning::Strategy)
        };
        let stretch = self.rest().iter().skip(1).take_while(|t| {
            t.glued && t.span.end - first.start <= LONGEST_NAME && belongs_to_strategy(t)
        });
        let ends: Vec<usize> = stretch.map(|t| t.span.end).collect();
        let end = ends.into_iter().rev().find(|&end| is_strategy(end))?;
        let span = Span { end, ..first };
        self.skip_to(end);
        Some(Expr {
            kind: ExprKind::Name(self.text(span).to_owned()),
            span,
        })
    }

    /// Steps over an operator and counts it.
    fn operator(&mut self) -> Result<(), Fault> {
        let span = self.here();
        self.next();
        self.operators += 1;
        self.check_operators(span)
    }

    fn check_operators(&self, span: Span) -> Result<(), Fault> {
        if self.operators <= MOST_OPERATORS {
            return Ok(());
        }
        let message = format!("an expression of more than {MOST_OPERATORS} operators");
        Err(Fault::new(TOO_LARGE, span, message).help("write a shorter one"))
    }

    /// Notes a fault for every name that is no integer: integer parameters are, and captures on
    /// counted boards if `captures`.
    pub(super) fn check_integers(&mut self, expr: &Expr, captures: bool) {
        match &expr.kind {
            ExprKind::Int(_) => {}
            ExprKind::Name(name) => {
                if let Some(fault) = self.no_integer(name, expr.span, captures) {
                    self.report(name, fault);
                }
            }
            ExprKind::Neg(inner) | ExprKind::Factorial(inner) => {
                self.check_integers(inner, captures);
            }
            ExprKind::Binary(_, left, right) => {
                self.check_integers(left, captures);
                self.check_integers(right, captures);
            }
            ExprKind::Call(_, list) => list.iter().for_each(|e| self.check_integers(e, captures)),
        }
    }

    fn no_integer(&self, name: &str, span: Span, captures: bool) -> Option<Fault> {
        if captures && self.capture(name).is_some() {
            return None;
        }
        let what = match self.meaning(name) {
            Some(Meaning::Number | Meaning::Unknown) => return None,
            Some(Meaning::List) => "a list of numbers",
            // That pieces stand on a board of counts is said where they are declared.
            Some(Meaning::Piece(_) | Meaning::Class(_)) if self.ctx.counted => return None,
            Some(Meaning::Choice(_)) => "a choice",
            Some(Meaning::Value) => "the value of a choice",
            Some(Meaning::Piece(_)) => "a piece",
            Some(Meaning::Class(_)) => "a class",
            Some(Meaning::Strategy) => "a strategy",
            None if self.capture(name).is_some() => "a capture",
            None if name == "at" => "known only in `where`",
            None if name == "none" => "known only in claims",
            None => return Some(self.undeclared_number(name, span, captures)),
        };
        let message = format!("`{name}` is {what}, but a number is needed here");
        Some(Fault::new(WRONG_PLACE, span, message).help("use numbers and integer parameters"))
    }

    fn undeclared_number(&self, name: &str, span: Span, captures: bool) -> Fault {
        let near = self.nearest(name, &[]);
        if captures && near.is_none() {
            return super::conditions::unbound(name, span);
        }
        let fault = Fault::new(
            UNDECLARED,
            span,
            format!("the parameter `{}` is not declared", shorten(name)),
        );
        match near {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None => fault.help(format!("declare it above: `param {} = 3`", shorten(name))),
        }
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = Span {
        start: left.span.start,
        end: right.span.end,
    };
    Expr {
        kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
        span,
    }
}
