//! What became of claims, in words, tables and JSON.

use impasse_analysis::claims::Outcome;
use impasse_analysis::summary::Summary;
use impasse_model::params::Params;
use impasse_report::grid::{Align, Grid, Layout};
use impasse_report::numbers::grouped;
use impasse_report::{Record, json};
use serde_json::json;

use super::Claim;
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::runner::exit_of;
use crate::session::Session;

/// What became of a claim for one choice of parameters.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    verdict: Verdict,
    /// Why, where it does not simply hold.
    message: Option<String>,
    /// The two sides of a formula.
    sides: Option<(String, String)>,
    /// Of claims about blocking: the numbers behind the verdict, for JSON.
    counts: Option<serde_json::Value>,
    /// Of claims about blocking: the first of each kind of error, drawn.
    drawn: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    OutsideDomain,
    Holds,
    HoldsInWindow,
    Unknown,
    Refuted,
}

impl Verdict {
    fn words(self) -> &'static str {
        match self {
            Self::OutsideDomain => "not meant",
            Self::Holds => "holds",
            Self::HoldsInWindow => "holds in this window",
            Self::Unknown => "unknown",
            Self::Refuted => "refuted",
        }
    }
}

impl Judged {
    /// Takes over an outcome that is no fault; for formulas also the two sides.
    pub(super) fn new(outcome: Outcome, of: Option<&str>, summary: &Summary) -> Self {
        let value = of
            .and_then(|key| summary.figure(key)?.integer())
            .map(|v| v.to_string());
        let equal = value.clone().map(|value| (value.clone(), value));
        match outcome {
            Outcome::Holds => Self::of(Verdict::Holds, None, equal),
            Outcome::HoldsInWindow => Self::of(Verdict::HoldsInWindow, None, equal),
            Outcome::OutsideDomain => Self::of(Verdict::OutsideDomain, None, None),
            Outcome::Refuted(refutation) => {
                Self::of(Verdict::Refuted, Some(refutation.message), refutation.sides)
            }
            Outcome::Unknown(why) => Self::unknown(why),
            Outcome::Fault(fault) => Self::unknown(fault.message),
        }
    }

    /// Adds to a refutation why no goal can be reached, where that decided without a search.
    pub(super) fn because(mut self, reason: Option<&String>) -> Self {
        if let (Verdict::Refuted, Some(reason), Some(message)) =
            (self.verdict, reason, &mut self.message)
        {
            *message += "; ";
            *message += reason;
        }
        self
    }

    /// A claim that could not be decided.
    pub(super) fn unknown(why: String) -> Self {
        Self::of(Verdict::Unknown, Some(why), None)
    }

    fn of(verdict: Verdict, message: Option<String>, sides: Option<(String, String)>) -> Self {
        Self {
            verdict,
            message,
            sides,
            counts: None,
            drawn: Vec::new(),
        }
    }

    /// A claim about blocking that was compared with all states.
    pub(super) fn blocking(
        verdict: Verdict,
        message: String,
        counts: serde_json::Value,
        drawn: Vec<String>,
    ) -> Self {
        Self {
            counts: Some(counts),
            drawn,
            ..Self::of(verdict, Some(message), None)
        }
    }

    /// Of claims about blocking: no state or move was met of which it says something.
    fn speaks_of_nothing(&self) -> bool {
        let counts = self.counts.as_ref();
        counts.is_some_and(|counts| counts["flagged"] == 0 && counts["misses"] == 0)
    }

    /// The exit code it leads to: a limit matters only where it kept the claim open.
    pub(super) fn exit(&self, record: &Record) -> Exit {
        match (self.verdict, exit_of(record.outcome)) {
            (_, Exit::Interrupted) => Exit::Interrupted,
            (Verdict::Refuted, _) => Exit::No,
            (Verdict::Unknown, exit) => exit,
            _ => Exit::Done,
        }
    }
}

/// Prints claims one after another as they are decided.
pub(super) struct Printer<'a> {
    session: &'a Session,
    json: bool,
    is_formula: bool,
    values: Vec<(Params, Judged)>,
}

impl<'a> Printer<'a> {
    /// A printer for the claims, or the formula, of one puzzle.
    pub(super) fn new(session: &'a Session, json: bool, is_formula: bool) -> Self {
        Self {
            session,
            json,
            is_formula,
            values: Vec::new(),
        }
    }

    /// Takes one value; as JSON it is printed at once.
    pub(super) fn add(
        &mut self,
        claim: &Claim,
        params: &Params,
        judged: Judged,
    ) -> Result<(), Failure> {
        if self.json {
            let mut object = json!({
                "schema": "impasse.claim/1",
                "puzzle": self.session.stem,
                "params": json::params(params),
                "claim": claim.shown,
                "verdict": judged.verdict.words(),
                "value": judged.sides.as_ref().map(|sides| &sides.0),
                "expected": judged.sides.as_ref().map(|sides| &sides.1),
                "message": judged.message,
            });
            if let Some(counts) = &judged.counts {
                object["blocking"] = counts.clone();
            }
            output::to(None, |out| Ok(json::line(out, &object)?))?;
        }
        self.values.push((params.clone(), judged));
        Ok(())
    }

    /// Ends a claim: prints what became of it.
    pub(super) fn end(&mut self, ui: Ui, claim: &Claim) -> Result<(), Failure> {
        let values = std::mem::take(&mut self.values);
        if self.json {
            return Ok(());
        }
        if self.is_formula {
            self.table(claim, &values)?;
        }
        let line = self.line(claim, &values);
        output::to(None, |out| Ok(writeln!(out, "{line}")?))?;
        for (params, judged) in &values {
            let label = words(params);
            let message = judged.message.as_deref().unwrap_or("");
            ui.detail(format_args!(
                "  {label}: {} {message}",
                judged.verdict.words()
            ));
        }
        Ok(())
    }

    /// `frogs-and-toads: holds: shortest = n*(n + 2) (7 values)`.
    fn line(&self, claim: &Claim, values: &[(Params, Judged)]) -> String {
        let head = |words: &str| format!("{}: {words}: {}", self.session.stem, claim.shown);
        let meant = || {
            values
                .iter()
                .filter(|(_, j)| j.verdict != Verdict::OutsideDomain)
        };
        let Some((_, worst)) = meant().max_by_key(|(_, judged)| judged.verdict) else {
            return head("not tested (it does not speak of these parameters)");
        };
        let count = meant().count();
        let many = if count == 1 {
            "1 value".to_owned()
        } else {
            format!("{count} values")
        };
        let first = meant().find(|(_, judged)| judged.verdict == worst.verdict);
        // Why a claim holds is told with --verbose only.
        let why = first
            .filter(|(_, judged)| judged.verdict > Verdict::HoldsInWindow)
            .and_then(|(_, judged)| judged.message.as_deref());
        match why {
            None if meant().all(|(_, judged)| judged.speaks_of_nothing()) => {
                let words = head(worst.verdict.words());
                format!("{words} ({many}; nothing it speaks of was met)")
            }
            None => format!("{} ({many})", head(worst.verdict.words())),
            Some(why) => {
                let alike = meant().filter(|(_, j)| j.verdict == worst.verdict).count();
                let which = if count == 1 { "" } else { "first: " };
                let share = if count == 1 {
                    String::new()
                } else {
                    format!(" ({alike} of {many})")
                };
                let drawn = match (worst.verdict, first) {
                    (Verdict::Refuted, Some((_, judged))) if judged.counts.is_some() => {
                        lines(&judged.drawn)
                    }
                    (Verdict::Refuted, Some((params, _))) => self.start_of(params),
                    _ => String::new(),
                };
                let words = head(worst.verdict.words());
                format!("{words}{share}\n  {which}{why}{drawn}")
            }
        }
    }

    /// The start of the puzzle for these parameters, drawn; each line after a line end.
    fn start_of(&self, params: &Params) -> String {
        let Ok(instance) = self.session.instance(&super::choice_of(params)) else {
            return String::new();
        };
        let style = self.session.ui.style;
        let start = instance.starts.first();
        let picture = start.map(|s| instance.board.picture(&instance.alphabet, s, style));
        lines(&picture.unwrap_or_default())
    }

    /// One row a value: parameters, the figure, the formula, what became of it.
    fn table(&self, claim: &Claim, values: &[(Params, Judged)]) -> Result<(), Failure> {
        let given = self.session.given();
        let (key, formula) = claim
            .shown
            .split_once(" = ")
            .unwrap_or((&claim.shown, "formula"));
        let right = given.iter().map(String::as_str).chain([key, formula]);
        let head = right.map(|name| (name.to_owned(), Align::Right));
        let mut grid = Grid::new(head.chain([("verdict".to_owned(), Align::Left)]));
        for (params, judged) in values {
            let (left, right) = judged
                .sides
                .clone()
                .unwrap_or_else(|| ("-".into(), "-".into()));
            let cells = given.iter().map(|name| {
                params
                    .get(name)
                    .map_or_else(String::new, ToString::to_string)
            });
            let last = [
                figure(&left),
                figure(&right),
                judged.verdict.words().to_owned(),
            ];
            grid.row(cells.chain(last));
        }
        output::to(None, |out| Ok(grid.write(out, Layout::Text, None)?))
    }
}

/// Each line after a line end, indented.
fn lines(lines: &[String]) -> String {
    lines
        .iter()
        .fold(String::new(), |text, line| text + "\n    " + line)
}

/// Groups the digits of a number; leaves words alone.
fn figure(text: &str) -> String {
    let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if is_number {
        grouped(&text)
    } else {
        text.to_owned()
    }
}

fn words(params: &Params) -> String {
    let words: Vec<String> = params.0.iter().map(|(n, v)| format!("{n}={v}")).collect();
    if words.is_empty() {
        "default".to_owned()
    } else {
        words.join(", ")
    }
}
