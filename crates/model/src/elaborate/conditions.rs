//! `where`: what parameters alone decide is decided here, the rest is left for each placement.

use super::Scope;
use super::items::{Captures, Exchange};
use crate::codes;
use crate::expr::{self, Names, Value};
use crate::fault::Fault;
use crate::instance::Length;
use crate::params::ParamValue;
use crate::syntax::{Cond, CondKind, Expr, ExprKind, ParamKind, Span};

/// A condition after the parameters are known.
pub(super) enum Known {
    Always,
    Never,
    /// It hangs on what is captured, or on `at`.
    Depends(Cond),
}

/// Parameters and the words of choices.
struct Fixed<'a>(Scope<'a>);

impl Names for Fixed<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        self.0
            .params
            .value(name)
            .or_else(|| self.0.is_choice(name).then(|| Value::Word(name.to_owned())))
    }
}

impl Scope<'_> {
    /// Decides what can be decided, and exchanges mirrored names in what remains.
    pub(super) fn condition(
        &self,
        cond: &Cond,
        captures: &Captures,
        exchange: &Exchange<'_>,
    ) -> Result<Known, Fault> {
        self.check_names(cond, captures)?;
        self.decide(cond, exchange)
    }

    /// Whether parameters alone make a condition false, whatever is captured.
    pub(super) fn can_never_hold(&self, cond: &Cond, exchange: &Exchange<'_>) -> bool {
        matches!(self.decide(cond, exchange), Ok(Known::Never))
    }

    fn decide(&self, cond: &Cond, exchange: &Exchange<'_>) -> Result<Known, Fault> {
        let depends = |kind| {
            Known::Depends(Cond {
                kind,
                span: cond.span,
            })
        };
        match &cond.kind {
            CondKind::And(all) => self.decide_list(all, false, cond.span, exchange),
            CondKind::Or(any) => self.decide_list(any, true, cond.span, exchange),
            CondKind::Not(inner) => Ok(match self.decide(inner, exchange)? {
                Known::Always => Known::Never,
                Known::Never => Known::Always,
                Known::Depends(rest) => depends(CondKind::Not(Box::new(rest))),
            }),
            CondKind::Compare(..) | CondKind::In(..) if self.is_fixed(cond) => {
                let holds = expr::holds(cond, &Fixed(*self))?;
                Ok(if holds { Known::Always } else { Known::Never })
            }
            CondKind::Compare(a, comparison, b) => {
                let (a, b) = (exchanged(a, exchange), exchanged(b, exchange));
                Ok(depends(CondKind::Compare(a, *comparison, b)))
            }
            CondKind::In(a, low, high) => {
                let [a, low, high] = [a, low, high].map(|e| exchanged(e, exchange));
                Ok(depends(CondKind::In(a, low, high)))
            }
        }
    }

    /// `and` (`decisive` is false) and `or` (`decisive` is true).
    fn decide_list(
        &self,
        list: &[Cond],
        decisive: bool,
        span: Span,
        exchange: &Exchange<'_>,
    ) -> Result<Known, Fault> {
        let mut rest = Vec::new();
        for cond in list {
            match (self.decide(cond, exchange)?, decisive) {
                (Known::Always, true) => return Ok(Known::Always),
                (Known::Never, false) => return Ok(Known::Never),
                (Known::Depends(cond), _) => rest.push(cond),
                _ => {}
            }
        }
        Ok(match rest.len() {
            0 if decisive => Known::Never,
            0 => Known::Always,
            1 => Known::Depends(rest.swap_remove(0)),
            _ if decisive => Known::Depends(Cond {
                kind: CondKind::Or(rest),
                span,
            }),
            _ => Known::Depends(Cond {
                kind: CondKind::And(rest),
                span,
            }),
        })
    }

    /// Whether all its names are parameters and words of choices.
    fn is_fixed(&self, cond: &Cond) -> bool {
        let mut fixed = true;
        expr::names_of_condition(cond, &mut |name, _| {
            fixed &= self.params.get(name).is_some() || self.is_choice(name);
        });
        fixed
    }

    /// Whether a name is a value of some choice.
    fn is_choice(&self, name: &str) -> bool {
        self.file.params.iter().any(|p| match &p.kind {
            ParamKind::Choice { values } => values.iter().any(|v| v.value == name),
            _ => false,
        })
    }

    fn is_piece(&self, name: &str) -> bool {
        let mut letters = name.chars();
        match (letters.next(), letters.next()) {
            (Some(c), None) => self.file.pieces.iter().any(|p| p.symbol == c),
            _ => false,
        }
    }

    fn check_names(&self, cond: &Cond, captures: &Captures) -> Result<(), Fault> {
        let mut fault = None;
        expr::names_of_condition(cond, &mut |name, span| {
            fault = fault.take().or_else(|| self.bad_name(name, span, captures));
        });
        fault.map_or(Ok(()), Err)
    }

    /// What is wrong with a name in a condition.
    fn bad_name(&self, name: &str, span: Span, captures: &Captures) -> Option<Fault> {
        if let Some(bound) = captures.find(name) {
            let message = format!("`{name}` is a stretch, and a stretch has no single value");
            return (bound.length != Length::One).then(|| {
                Fault::new(codes::WRONG_PLACE, span, message).help("compare captures of one cell")
            });
        }
        match self.params.get(name) {
            Some(ParamValue::List(_)) => {
                let message = format!("`{name}` is a list, and a list has no single value");
                return Some(Fault::new(codes::BAD_EXPRESSION, span, message));
            }
            Some(_) => return None,
            None => {}
        }
        let known = matches!(name, "at" | ".") || self.is_choice(name) || self.is_piece(name);
        (!known).then(|| {
            Fault::new(
                codes::UNDECLARED,
                span,
                format!("`{name}` means nothing in this condition"),
            )
            .help("a condition speaks of captures, pieces, parameters, choices and `at`")
        })
    }

    /// The faults of an amount on a counted board: its names are captures and numbers.
    pub(super) fn check_amount(&self, e: &Expr, captures: &Captures) -> Result<(), Fault> {
        let mut fault = None;
        expr::names_of(e, &mut |name, span| {
            fault = fault
                .take()
                .or_else(|| match (captures.find(name), self.params.get(name)) {
                    (Some(_), _) => self.bad_name(name, span, captures),
                    (None, Some(ParamValue::Int(_))) => None,
                    (None, Some(_)) => {
                        let message = format!("`{name}` is not a number");
                        Some(Fault::new(codes::BAD_EXPRESSION, span, message))
                    }
                    (None, None) => Some(
                        Fault::new(
                            codes::UNBOUND_CAPTURE,
                            span,
                            format!("`{name}` is neither a parameter nor bound on the left"),
                        )
                        .help(format!(
                            "write `{name}:_` on the left side to remember a number"
                        )),
                    ),
                });
        });
        fault.map_or(Ok(()), Err)
    }
}

/// An expression with the pieces of each pair of a mirror exchanged.
fn exchanged(e: &Expr, exchange: &Exchange<'_>) -> Expr {
    let boxed = |e: &Expr| Box::new(exchanged(e, exchange));
    let kind = match &e.kind {
        ExprKind::Name(name) => ExprKind::Name(exchange.word(name)),
        ExprKind::Int(_) => e.kind.clone(),
        ExprKind::Neg(a) => ExprKind::Neg(boxed(a)),
        ExprKind::Factorial(a) => ExprKind::Factorial(boxed(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, boxed(a), boxed(b)),
        ExprKind::Call(f, args) => {
            ExprKind::Call(*f, args.iter().map(|a| exchanged(a, exchange)).collect())
        }
    };
    Expr { kind, span: e.span }
}
