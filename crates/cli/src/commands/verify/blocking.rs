//! Claims about blocking: what a run says of them, in words and numbers.

use impasse_analysis::blocking_claims::{BlockingTest, Case, Cases, Findings};
use impasse_analysis::run::Table;
use impasse_model::codes;
use impasse_model::fault::{Fault, Faults};
use impasse_model::instance::Instance;
use impasse_model::syntax::{
    BlockingClaim, BlockingEffect, BlockingStatement, Goal, PuzzleFile, Span,
};
use impasse_report::numbers::counted;
use serde_json::{Value, json};

use super::verdicts::{Judged, Verdict};
use crate::exit::Failure;
use crate::output::Ui;
use crate::runner::Finished;

/// What became of a claim about blocking for one choice of parameters.
pub(super) struct Judgement {
    pub(super) judged: Judged,
    /// Some pattern of the claim can be laid on this board.
    pub(super) fits: bool,
}

impl Judgement {
    /// A claim that could not be decided.
    pub(super) fn open(why: String) -> Self {
        Self {
            judged: Judged::unknown(why),
            fits: true,
        }
    }
}

/// Compares a claim with a finished run.
///
/// # Errors
/// A fault of the claim for these parameters.
pub(super) fn judge(
    ui: Ui,
    file: &PuzzleFile,
    claim: &BlockingClaim,
    instance: &Instance,
    finished: &Finished,
) -> Result<Judgement, Failure> {
    let faults = |fault| Faults::new(&file.origin, &file.text, vec![fault]);
    let sought = file.sought(claim, instance).map_err(faults)?;
    let test = BlockingTest::new(instance, &sought)
        .map_err(|error| faults(Fault::new(codes::TOO_LARGE, claim.span, error.to_string())))?;
    let Some(table) = finished.run.table() else {
        return Ok(Judgement::open(
            "the states were not kept one by one; --engine hash --symmetry off keeps them"
                .to_owned(),
        ));
    };
    let findings = test.compare(table);
    let verdict = match (findings.holds(), finished.record.summary.scope.word()) {
        (false, _) => Verdict::Refuted,
        (true, "exact") => Verdict::Holds,
        (true, _) => Verdict::HoldsInWindow,
    };
    let judged = Judged::blocking(
        verdict,
        in_words(claim, &findings),
        in_numbers(&findings, table),
        drawn(ui, &findings, table),
    );
    Ok(Judgement {
        judged,
        fits: test.fits(),
    })
}

/// The fault of a claim none of whose patterns fits any of the boards it was tested on.
pub(super) fn fits_nowhere(session: &crate::session::Session, claim: &BlockingClaim) -> Faults {
    let span = first_pattern(claim).unwrap_or(claim.span);
    let message = "the pattern is longer than the board, so it fits nowhere";
    let fault = Fault::new(codes::BAD_CLAIM, span, message)
        .help("write a shorter pattern, or name larger boards with `for`, as in `for n in 2..6`");
    Faults::new(&session.file.origin, &session.file.text, vec![fault])
}

fn first_pattern(claim: &BlockingClaim) -> Option<Span> {
    fn within(goal: &Goal) -> Option<Span> {
        match goal {
            Goal::Contains(drawing, _) | Goal::Never(drawing, _) => Some(drawing.span),
            Goal::Not(inner) => within(inner),
            Goal::And(parts) | Goal::Or(parts) => parts.iter().find_map(within),
            Goal::Drawing(_) | Goal::Count(..) | Goal::Stuck => None,
        }
    }
    match &claim.statement {
        BlockingStatement::Lost { states, .. } => within(states),
        BlockingStatement::Moves { contexts, .. } => contexts.first().map(|c| c.drawing.span),
    }
}

/// `finds 2 of 6 blocking moves, no false alarm, 4 misses`.
fn in_words(claim: &BlockingClaim, findings: &Findings) -> String {
    let (one, many) = match &claim.statement {
        BlockingStatement::Lost { .. } => ("lost state", "lost states"),
        BlockingStatement::Moves { .. } => ("blocking move", "blocking moves"),
    };
    let some = |cases: Cases, one: &str, many: &str| match cases.count {
        0 => format!("no {one}"),
        count => counted(count, one, many),
    };
    let actual = counted(findings.actual.count, one, many);
    if findings.effect == BlockingEffect::Never {
        let moves = some(findings.flagged, "such move", "such moves");
        return format!("{moves}, {} of them blocking", findings.hits.count);
    }
    let alarms = some(findings.false_alarms, "false alarm", "false alarms");
    let misses = some(findings.misses, "miss", "misses");
    let all = match &claim.statement {
        BlockingStatement::Moves { name, .. } => format!("{actual} of `{}`", name.value),
        BlockingStatement::Lost { .. } => actual,
    };
    let found = format!("finds {} of {all}, {alarms}", findings.hits.count);
    match findings.effect {
        BlockingEffect::Exactly => format!("{found}, {misses}"),
        BlockingEffect::Always | BlockingEffect::Never => found,
    }
}

/// Which cases refute a claim, and what they are called.
fn errors(findings: &Findings) -> Vec<(&'static str, Cases)> {
    match findings.effect {
        BlockingEffect::Always => vec![("false alarm", findings.false_alarms)],
        BlockingEffect::Exactly => vec![
            ("false alarm", findings.false_alarms),
            ("miss", findings.misses),
        ],
        BlockingEffect::Never => vec![("blocking move", findings.hits)],
    }
}

fn in_numbers(findings: &Findings, table: &dyn Table) -> Value {
    let case = |cases: Cases| {
        cases.first.map(|case| {
            json!({
                "state": table.one_line(case.state),
                "move": case.transition.map(|t| table.move_name(t.by)),
                "to": case.transition.map(|t| table.one_line(t.to)),
            })
        })
    };
    json!({
        "of": if findings.of_states { "states" } else { "moves" },
        "flagged": findings.flagged.count,
        "lost": findings.actual.count,
        "found": findings.hits.count,
        "false_alarms": findings.false_alarms.count,
        "misses": findings.misses.count,
        "first_found": case(findings.hits),
        "first_false_alarm": case(findings.false_alarms),
        "first_miss": case(findings.misses),
    })
}

/// The first error of each kind: the state, and of moves the one they lead to.
fn drawn(ui: Ui, findings: &Findings, table: &dyn Table) -> Vec<String> {
    let picture = |state| {
        table
            .picture(state, ui.style)
            .into_iter()
            .map(|line| format!("  {line}"))
    };
    let mut lines = Vec::new();
    for (kind, cases) in errors(findings) {
        let Some(Case { state, transition }) = cases.first else {
            continue;
        };
        let what = match transition {
            Some(transition) => table.move_name(transition.by),
            None => table.verdict(state).word().to_owned(),
        };
        lines.push(format!("first {kind}: {what}"));
        lines.extend(picture(state));
        lines.extend(transition.into_iter().flat_map(|t| picture(t.to)));
    }
    lines
}
