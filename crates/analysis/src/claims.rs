//! Judging claims and formulas by the figures of a run.

use std::cell::RefCell;

use impasse_graph::observe::Limit;
use impasse_model::expr::{self, Names, Value};
use impasse_model::fault::Fault;
use impasse_model::params::Params;
use impasse_model::syntax::{Comparison, Cond, CondKind, Expr, ExprKind, PuzzleFile, Span};
use num_bigint::BigInt;

use crate::domain::Words;
use crate::summary::{Figure, KEYS, Scope, Summary};

/// The keys that a run with `--only depths` knows.
pub const DEPTH_KEYS: [&str; 9] = [
    "states",
    "transitions",
    "starts",
    "goals",
    "dead_ends",
    "shortest",
    "max_depth",
    "first_dead_end_depth",
    "window_cut_depth",
];

/// The keys that are true or false.
const FLAGS: [&str; 2] = ["graded", "reversible"];

/// Longer numbers are shortened in messages.
const SHOWN_DIGITS: usize = 60;

/// How much the figure of a run means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// It is a figure of the puzzle.
    Exact,
    /// It is a figure of the window; the endless board may have another.
    InWindow,
    /// The run does not know it.
    Unknown,
}

/// How much one figure means, by the rules of endless boards and stopped runs.
///
/// With moves cut off from depth c, distances up to c and a shortest length up to c + 1 are exact, and
/// nothing else is. A stopped run knows no totals, but what lies in its whole layers is sure.
#[must_use]
pub fn certainty(summary: &Summary, key: &str) -> Certainty {
    let is_absent = matches!(summary.figure(key), None | Some(Figure::Absent));
    if is_absent && !is_surely_none(summary, key) {
        return Certainty::Unknown;
    }
    if matches!(summary.scope, Scope::Stopped(_)) && !is_known_early(key) {
        return Certainty::Unknown;
    }
    let Some(cut) = summary.window_cut_depth else {
        return Certainty::Exact;
    };
    match key {
        "starts" | "window_cut_depth" => Certainty::Exact,
        "shortest" if summary.shortest.is_some_and(|length| length <= cut + 1) => Certainty::Exact,
        _ => Certainty::InWindow,
    }
}

/// Figures of which a stopped run has the final value if it has any: they come from its whole layers.
fn is_known_early(key: &str) -> bool {
    matches!(
        key,
        "starts" | "shortest" | "first_dead_end_depth" | "window_cut_depth"
    )
}

/// Whether an absent figure means that there is none, not that the run did not look.
fn is_surely_none(summary: &Summary, key: &str) -> bool {
    if matches!(summary.scope, Scope::Stopped(_)) {
        return false;
    }
    match key {
        "shortest" => summary.no_solution,
        "first_dead_end_depth" => summary.dead_ends == Some(0),
        "window_cut_depth" => true,
        "max_remoteness" => summary.live == Some(0),
        "longest" | "plays" => summary.live.is_some(),
        _ => false,
    }
}

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

/// Whether a run with `--only depths` knows all these keys.
#[must_use]
pub fn only_depths_will_do(keys: &[&str]) -> bool {
    keys.iter().all(|key| DEPTH_KEYS.contains(key))
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
            Comparison::Eq if is_literal(b) => format!("{left}, not {right_value}"),
            Comparison::Eq if is_literal(a) => format!("{right}, not {left_value}"),
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

    fn is_word(&self, name: &str) -> bool {
        matches!(self.value(name), Some(Value::Word(word)) if word == name)
    }

    /// `n*(n + 1) = 12`, or the value alone where the side is a number.
    fn side(&self, e: &Expr) -> Result<String, Fault> {
        let value = self.shown(e)?;
        Ok(if is_literal(e) {
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
mod tests {
    use super::*;
    use crate::domain::runs;
    use impasse_model::parse::{parse, parse_condition, parse_expr};

    const RULES: &str = "puzzle \"Walk\"\nparam n = 3 in 1..9\nparam way = forward / both\n\
                         piece W \"walker\"\nboard line\nstart W .^n\ngoal .^n W\n\
                         move go: W . -> . W\nstrategy slow-walk\n  W . -> . W\n";

    /// Figures of an exact run with 7 states, one solution of 6 moves and no dead end.
    fn summary() -> Summary {
        Summary {
            scope: Scope::Exact,
            states: Some(7),
            transitions: Some(6),
            starts: Some(1),
            goals: Some(1),
            live: Some(7),
            doomed: Some(0),
            dead_ends: Some(0),
            lost: Some(0),
            blocking_moves: Some(0),
            points_of_no_return: Some(0),
            only_moves: Some(6),
            shortest: Some(6),
            shortest_solutions: Some(10u32.pow(9).into()),
            max_depth: Some(6),
            max_remoteness: Some(6),
            first_dead_end_depth: None,
            window_cut_depth: None,
            graded: Some(true),
            reversible: Some(false),
            longest: None,
            plays: None,
            no_solution: false,
        }
    }

    fn judge(summary: &Summary, claim: &str) -> String {
        let file = parse("test", RULES.as_bytes()).expect("a rule file").file;
        let (text, domain) = claim.split_once(" for ").unwrap_or((claim, ""));
        let cond = parse_condition(text).unwrap_or_else(|f| panic!("{claim}: {}", f.message));
        let domain = (!domain.is_empty()).then(|| parse_condition(domain).expect("a domain"));
        let params = &runs(None, &file, &Vec::new()).expect("runs").values[0];
        let strategy = |name: &str| (name == "slow-walk").then_some(8);
        let evidence = Evidence {
            file: &file,
            text,
            params,
            summary,
            strategy: &strategy,
        };
        match evidence.check(&cond, domain.as_ref()) {
            Outcome::Holds => "holds".to_owned(),
            Outcome::HoldsInWindow => "holds in this window".to_owned(),
            Outcome::Refuted(why) if why.in_window => format!("{} in this window", why.message),
            Outcome::Refuted(why) => why.message,
            Outcome::Unknown(why) => why,
            Outcome::OutsideDomain => "outside".to_owned(),
            Outcome::Fault(fault) => fault.message,
        }
    }

    #[test]
    fn what_holds_and_what_does_not() {
        let check = |claim: &str, expected: &str| assert_eq!(judge(&summary(), claim), expected);
        check("shortest = 2*n", "holds");
        check(
            "shortest = n*(n + 1)",
            "shortest = 6, but n*(n + 1) = 12 for n = 3",
        );
        check("states = 8", "states = 7, not 8 for n = 3, way = forward");
        check("8 = states", "states = 7, not 8 for n = 3, way = forward");
        check(
            "shortest < 2*n",
            "shortest = 6, which is not below 2*n = 6 for n = 3",
        );
        check(
            "live > states",
            "live = 7, which is not above states = 7 for n = 3, way = forward",
        );
        check(
            "states != n + 4",
            "states = 7, which equals n + 4 = 7 for n = 3",
        );
        check("states in 1..n", "states = 7 is outside 1..3 for n = 3");
        check(
            "states = 7 and goals = 2 and 1/0 = 1",
            "goals = 1, not 2 for n = 3, way = forward",
        );
        check("states = 7 or 1/0 = 1", "holds");
        check("states = 1/0", "a division by zero");
        check("graded = true and reversible = false", "holds");
        check(
            "reversible = true",
            "reversible = false, not true for n = 3, way = forward",
        );
        check("way = forward", "holds");
        check(
            "way = both",
            "way = forward, but both = both for way = forward",
        );
        check(
            "not states = 7 or goals = n",
            "`not states = 7 or goals = n` does not hold: states = 7, goals = 1, n = 3 for n = 3",
        );
        check("shortest_solutions = 10^9", "holds");
        check(
            "states = 10^100",
            "states = 7, but 10^100 = 10000000000000000000...0000000000 (101 digits) \
             for n = 3, way = forward",
        );
        check("states = 1 for n in 1..2", "outside");
        check("states = 1 for n in 1..3", "states = 7, not 1 for n = 3");
    }

    #[test]
    fn what_is_absent_or_unknown() {
        let mut figures = summary();
        let check = |figures: &Summary, claim: &str, expected: &str| {
            assert_eq!(judge(figures, claim), expected);
        };
        check(&figures, "first_dead_end_depth = none", "holds");
        check(
            &figures,
            "plays = none and window_cut_depth = none",
            "holds",
        );
        check(
            &figures,
            "first_dead_end_depth < 3",
            "first_dead_end_depth = none has no order \
              with 3 for n = 3, way = forward",
        );
        figures.live = None;
        check(&figures, "live = 7", "`live` was not computed in this run");
        check(&figures, "live = 7 or states = 7", "holds");
        check(
            &figures,
            "live = 7 and states = 8",
            "states = 7, not 8 for n = 3, way = forward",
        );
        figures.shortest = None;
        check(
            &figures,
            "shortest = none",
            "`shortest` was not computed in this run",
        );
        figures.no_solution = true;
        check(&figures, "shortest = none", "holds");
        check(
            &figures,
            "shortest = 6",
            "shortest = none, not 6 for n = 3, way = forward",
        );
        figures = Summary {
            scope: Scope::Stopped(Limit::Depth),
            ..summary()
        };
        check(&figures, "shortest = 6", "holds");
        let why = "`states` is not known: the run was stopped at its limit of depth";
        check(&figures, "states = 7", why);
        check(&figures, "states = 8", why);
    }

    #[test]
    fn what_holds_in_the_window_only() {
        let figures = |cut| Summary {
            scope: Scope::Window,
            window_cut_depth: Some(cut),
            ..summary()
        };
        let check = |cut, claim: &str, expected: &str| {
            assert_eq!(judge(&figures(cut), claim), expected);
        };
        check(5, "shortest = 6", "holds");
        check(4, "shortest = 6", "holds in this window");
        check(9, "shortest_solutions = 10^9", "holds in this window");
        check(9, "window_cut_depth = 9 and starts = 1", "holds");
        check(
            9,
            "states = 8",
            "states = 7, not 8 for n = 3, way = forward in this window",
        );
    }

    #[test]
    fn strategies_and_formulas() {
        let figures = summary();
        assert_eq!(judge(&figures, "slow-walk = shortest + 2"), "slow - walk");
        let formula = parse_expr("n*(n+2)").expect("a formula");
        let claim = formula_claim("shortest", formula);
        assert_eq!(keys_used(&claim), ["shortest"]);
        assert!(only_depths_will_do(&keys_used(&claim)));
        assert!(!only_depths_will_do(&["live"]));
    }
}
