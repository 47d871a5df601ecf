//! Judging claims and formulas by the figures of a run.

mod certainty;

use std::cell::RefCell;

use impasse_graph::observe::Limit;
use impasse_model::expr::{self, Names, Value};
use impasse_model::fault::Fault;
use impasse_model::params::Params;
use impasse_model::syntax::{Comparison, Cond, CondKind, Expr, ExprKind, PuzzleFile, Span};
use num_bigint::BigInt;

use crate::domain::Words;
use crate::summary::{KEYS, Scope, Summary};
pub use certainty::{Certainty, DEPTH_KEYS, certainty, only_depths_will_do};

/// The keys that are true or false.
const FLAGS: [&str; 2] = ["graded", "reversible"];

/// Longer numbers are shortened in messages.
const SHOWN_DIGITS: usize = 60;

/// The keys of the summary that a condition reads, each once, in order of [`KEYS`].
#[must_use]
pub fn keys_used(cond: &Cond) -> Vec<&'static str> {
    let names = names_in(cond);
    KEYS.into_iter().filter(|key| names.contains(key)).collect()
}

/// The strategies of the file that a condition reads, each once, in order of declaration.
#[must_use]
pub fn strategies_used<'f>(cond: &Cond, file: &'f PuzzleFile) -> Vec<&'f str> {
    let names = names_in(cond);
    let declared = file.strategies.iter().map(|s| s.name.value.as_str());
    declared.filter(|name| names.contains(name)).collect()
}

/// The claim that a formula (`--formula`) gives a figure (`--of`).
#[must_use]
pub fn formula_claim(of: &str, formula: Expr) -> Cond {
    let span = formula.span;
    let figure = Expr {
        kind: ExprKind::Name(of.to_owned()),
        span,
    };
    Cond {
        kind: CondKind::Compare(figure, Comparison::Eq, formula),
        span,
    }
}

/// Whether a name stands for something that only a run can tell.
pub(crate) fn is_measured_by_a_run(file: &PuzzleFile, name: &str) -> bool {
    KEYS.contains(&name) || file.strategies.iter().any(|s| s.name.value == name)
}

fn names_in(cond: &Cond) -> Vec<&str> {
    let mut names = Vec::new();
    expr::names_of_condition(cond, &mut |name, _| names.push(name));
    names
}

/// What became of a claim for one choice of parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Holds,
    /// It holds for the figures of this window; it counts as held.
    HoldsInWindow,
    /// It does not.
    Refuted(Refutation),
    /// The run does not know a figure that decides it; says which and why.
    Unknown(String),
    /// Its domain excludes this run.
    OutsideDomain,
    /// It has no value (a division by zero, an unknown name).
    Fault(Box<Fault>),
}

/// Why a claim does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// For people: `shortest = 15, but n*(n + 1) = 12 for n = 3`.
    pub message: String,
    /// The values of the two sides, if a comparison decided.
    pub sides: Option<(String, String)>,
    /// Whether a figure of the window decided.
    pub in_window: bool,
}

/// All that a claim may speak of, for one choice of parameters.
pub struct Evidence<'a> {
    /// The rule file: its parameters, choices and strategies.
    pub file: &'a PuzzleFile,
    /// The text in which the claim stands: the file's, or the one of `--formula`.
    pub text: &'a str,
    /// The parameter values.
    pub params: &'a Params,
    /// The figures.
    pub summary: &'a Summary,
    /// Number of moves that a strategy takes from the start; `None` where it does not arrive.
    pub strategy: &'a dyn Fn(&str) -> Option<u64>,
}

impl Evidence<'_> {
    /// Judges a claim, and its domain as far as it speaks of figures.
    #[must_use]
    pub fn check(&self, claim: &Cond, domain: Option<&Cond>) -> Outcome {
        let judge = Judge {
            evidence: self,
            unknown: RefCell::default(),
            windowed: RefCell::default(),
        };
        match judge.outcome(claim, domain) {
            Ok(outcome) => outcome,
            Err(fault) => Outcome::Fault(Box::new(fault)),
        }
    }
}

/// What is known of a condition.
#[derive(Clone, Copy)]
struct Judgement {
    /// `None`: nothing.
    truth: Option<bool>,
    in_window: bool,
}

struct Judge<'a> {
    evidence: &'a Evidence<'a>,
    /// The figures read so far that the run does not know.
    unknown: RefCell<Vec<String>>,
    /// Those read that are figures of the window.
    windowed: RefCell<Vec<String>>,
}

impl Names for Judge<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        let Evidence {
            file,
            params,
            summary,
            strategy,
            ..
        } = *self.evidence;
        if let Some(value) = (Words { file, params }).value(name) {
            return Some(value);
        }
        if file.strategies.iter().any(|s| s.name.value == name) {
            return Some(strategy(name).map_or(Value::None, |n| Value::Int(BigInt::from(n))));
        }
        if let Some(truth) = truth_of(name) {
            return Some(Value::Int(BigInt::from(u8::from(truth))));
        }
        let figure = summary.figure(name)?;
        match certainty(summary, name) {
            Certainty::Exact => {}
            Certainty::InWindow => self.windowed.borrow_mut().push(name.to_owned()),
            Certainty::Unknown => {
                self.unknown.borrow_mut().push(name.to_owned());
                return Some(Value::None);
            }
        }
        Some(figure.integer().map_or(Value::None, Value::Int))
    }
}

impl Judge<'_> {
    fn outcome(&self, claim: &Cond, domain: Option<&Cond>) -> Result<Outcome, Fault> {
        if let Some(domain) = domain {
            match self.judge(domain)?.truth {
                Some(true) => {}
                Some(false) => return Ok(Outcome::OutsideDomain),
                None => return Ok(Outcome::Unknown(self.why_unknown())),
            }
        }
        let judgement = self.judge(claim)?;
        Ok(match judgement.truth {
            None => Outcome::Unknown(self.why_unknown()),
            Some(true) if judgement.in_window => Outcome::HoldsInWindow,
            Some(true) => Outcome::Holds,
            Some(false) => Outcome::Refuted(self.refutation(claim, domain, judgement.in_window)?),
        })
    }

    /// `and` and `or` go from left to right and stop as soon as they know.
    fn judge(&self, cond: &Cond) -> Result<Judgement, Fault> {
        match &cond.kind {
            CondKind::And(all) => self.judge_all(all, false),
            CondKind::Or(any) => self.judge_all(any, true),
            CondKind::Not(c) => {
                let inner = self.judge(c)?;
                Ok(Judgement {
                    truth: inner.truth.map(|t| !t),
                    ..inner
                })
            }
            CondKind::Compare(..) | CondKind::In(..) => {
                let unknown = self.unknown.borrow().len();
                let windowed = self.windowed.borrow().len();
                let truth = expr::holds(cond, self)?;
                Ok(Judgement {
                    truth: (self.unknown.borrow().len() == unknown).then_some(truth),
                    in_window: self.windowed.borrow().len() > windowed,
                })
            }
        }
    }

    /// `decisive` is the truth of one part that settles the whole.
    fn judge_all(&self, parts: &[Cond], decisive: bool) -> Result<Judgement, Fault> {
        let mut whole = Judgement {
            truth: Some(!decisive),
            in_window: false,
        };
        for part in parts {
            let judged = self.judge(part)?;
            match judged.truth {
                Some(truth) if truth == decisive => return Ok(judged),
                Some(_) => {}
                None => whole.truth = None,
            }
            whole.in_window |= judged.in_window;
        }
        Ok(whole)
    }

    fn why_unknown(&self) -> String {
        let unknown = self.unknown.borrow();
        let key = unknown.first().map_or("", String::as_str);
        match self.evidence.summary.scope {
            Scope::Stopped(limit) => {
                format!("`{key}` is not known: {}", why_stopped(limit))
            }
            _ => format!("`{key}` was not computed in this run"),
        }
    }

    fn refutation(
        &self,
        claim: &Cond,
        domain: Option<&Cond>,
        in_window: bool,
    ) -> Result<Refutation, Fault> {
        let failing = self.failing(claim)?;
        let (what, sides) = match &failing.kind {
            CondKind::Compare(a, comparison, b) => self.failed_comparison(a, *comparison, b)?,
            CondKind::In(a, low, high) => {
                let (low, high) = (self.shown(low)?, self.shown(high)?);
                let range = format!("{low}..{high}");
                (
                    format!("{} is outside {range}", self.side(a)?),
                    Some((self.shown(a)?, range)),
                )
            }
            _ => (self.failed_whole(failing)?, None),
        };
        let message = format!("{what}{}", self.for_params(claim, domain));
        Ok(Refutation {
            message,
            sides,
            in_window,
        })
    }

    /// The smallest part that alone refutes the condition.
    fn failing<'c>(&self, cond: &'c Cond) -> Result<&'c Cond, Fault> {
        if let CondKind::And(all) = &cond.kind {
            for part in all {
                if self.judge(part)?.truth == Some(false) {
                    return self.failing(part);
                }
            }
        }
        Ok(cond)
    }

    fn failed_comparison(
        &self,
        a: &Expr,
        comparison: Comparison,
        b: &Expr,
    ) -> Result<(String, Option<(String, String)>), Fault> {
        let (left, right) = (self.side(a)?, self.side(b)?);
        let (left_value, right_value) = (self.shown(a)?, self.shown(b)?);
        let has_none = left_value == "none" || right_value == "none";
        let what = match comparison {
            Comparison::Eq if self.is_plain(b) => format!("{left}, not {right_value}"),
            Comparison::Eq if self.is_plain(a) => format!("{right}, not {left_value}"),
            Comparison::Eq => format!("{left}, but {right}"),
            Comparison::Ne => format!("{left}, which equals {right}"),
            _ if has_none => format!("{left} has no order with {right}"),
            Comparison::Lt => format!("{left}, which is not below {right}"),
            Comparison::Le => format!("{left}, which is above {right}"),
            Comparison::Gt => format!("{left}, which is not above {right}"),
            Comparison::Ge => format!("{left}, which is below {right}"),
        };
        Ok((what, Some((left_value, right_value))))
    }

    /// A condition with `or` or `not`, and the value of every name in it.
    fn failed_whole(&self, cond: &Cond) -> Result<String, Fault> {
        let mut names = names_in(cond);
        let mut seen = Vec::new();
        names.retain(|name| {
            let is_new = *name != "none" && !seen.contains(name);
            seen.push(name);
            is_new
        });
        let mut values = Vec::new();
        for name in names.into_iter().filter(|name| !self.is_word(name)) {
            let e = Expr {
                kind: ExprKind::Name(name.to_owned()),
                span: cond.span,
            };
            values.push(self.side(&e)?);
        }
        Ok(format!(
            "`{}` does not hold: {}",
            self.text(cond.span),
            values.join(", ")
        ))
    }

    /// Whether a side says its value as it is written: a number, `none`, the value of a choice.
    fn is_plain(&self, e: &Expr) -> bool {
        is_literal(e) || matches!(&e.kind, ExprKind::Name(name) if self.is_word(name))
    }

    fn is_word(&self, name: &str) -> bool {
        matches!(self.value(name), Some(Value::Word(word)) if word == name)
    }

    /// `n*(n + 1) = 12`, or the value alone where the side is a number.
    fn side(&self, e: &Expr) -> Result<String, Fault> {
        let value = self.shown(e)?;
        Ok(if self.is_plain(e) {
            value
        } else {
            format!("{} = {value}", self.written(e))
        })
    }

    fn written<'t>(&'t self, e: &'t Expr) -> &'t str {
        match &e.kind {
            ExprKind::Name(name) => name,
            _ => self.text(e.span),
        }
    }

    fn text(&self, span: Span) -> &str {
        self.evidence
            .text
            .get(span.start..span.end)
            .unwrap_or("the claim")
    }

    fn shown(&self, e: &Expr) -> Result<String, Fault> {
        let value = expr::evaluate(e, self)?;
        if let (Value::Int(v), ExprKind::Name(name)) = (&value, &e.kind)
            && (truth_of(name).is_some() || FLAGS.contains(&name.as_str()))
        {
            return Ok((*v != BigInt::ZERO).to_string());
        }
        Ok(match value {
            Value::Int(v) => shorten(v.to_string()),
            Value::Word(w) => w,
            Value::None => "none".to_owned(),
        })
    }

    /// The parameters that the claim names; all of them if it names none.
    fn for_params(&self, claim: &Cond, domain: Option<&Cond>) -> String {
        let mut mentioned = names_in(claim);
        mentioned.extend(domain.map(names_in).unwrap_or_default());
        let all = &self.evidence.params.0;
        let named: Vec<_> = all
            .iter()
            .filter(|(n, _)| mentioned.contains(&n.as_str()))
            .collect();
        let told = if named.is_empty() {
            all.iter().collect()
        } else {
            named
        };
        let values: Vec<String> = told.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        if values.is_empty() {
            String::new()
        } else {
            format!(" for {}", values.join(", "))
        }
    }
}

fn truth_of(name: &str) -> Option<bool> {
    match name {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

fn is_literal(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_) => true,
        ExprKind::Name(name) => name == "none" || truth_of(name).is_some(),
        ExprKind::Neg(inner) => is_literal(inner),
        _ => false,
    }
}

fn shorten(digits: String) -> String {
    if digits.len() <= SHOWN_DIGITS {
        return digits;
    }
    let (head, tail) = (&digits[..20], &digits[digits.len() - 10..]);
    format!(
        "{head}...{tail} ({} digits)",
        digits.trim_start_matches('-').len()
    )
}

fn why_stopped(limit: Limit) -> &'static str {
    match limit {
        Limit::States => "the run was stopped at its limit of states",
        Limit::Depth => "the run was stopped at its limit of depth",
        Limit::Time => "the run was stopped at its limit of time",
        Limit::Memory => "the run was stopped at its limit of memory",
        Limit::Interrupt => "the run was interrupted",
    }
}

#[cfg(test)]
mod tests;
