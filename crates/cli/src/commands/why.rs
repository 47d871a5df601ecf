//! `impasse why`: how a position stands, and why.

use impasse_analysis::blocking::{LostPlay, Rest};
use impasse_analysis::inquiry::{Excerpt, Known};
use impasse_analysis::patterns::{MineOptions, Mined, mine};
use impasse_analysis::reasons::MOST_BRANCHES;
use impasse_analysis::run::{Table, Verdict};
use impasse_graph::observe::Silent;
use impasse_model::instance::{Instance, Position};
use impasse_report::json::line;
use impasse_report::numbers::grouped;
use impasse_report::why::Why;
use serde_json::Value;

use crate::args::WhyArgs;
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::runner::{Finished, Runner, Wanted, unanswered};
use crate::session::Session;

/// Larger spaces are not mined: it would take longer than anyone waits for one position.
const MOST_MINED: u64 = 2_000_000;
/// Patterns on grids and graphs have so many cells at most.
const MOST_CELLS: usize = 3;

/// Explores the puzzle and looks the position up; if play does not come there, it is explored from
/// the position itself.
pub(crate) fn run(ui: Ui, args: &WhyArgs) -> Result<Exit, Failure> {
    let session = Session::open(ui, &args.puzzle)?;
    let choice = session.single("why")?;
    let mut instance = session.instance(choice)?;
    let position = session.position(&instance, &args.position)?;
    let runner = Runner::new(ui, &args.run)?;
    let label = session.label(choice);
    let mut finished = runner.run(&label, &instance, Wanted::Verdicts)?;
    let mut excerpt = around(&runner, &label, &finished, &position)?;
    let find = |finished: &Finished, excerpt: Option<&dyn Table>| {
        table(finished, excerpt).and_then(|table| table.find(&position))
    };
    let mut id = find(&finished, excerpt.as_deref());
    let mut is_reached = true;
    if id.is_none() && finished.exit() == Exit::Done {
        if finished.run.table().is_none() && finished.run.inquire().is_none() {
            return Err(Failure::limit(format!(
                "{label}: the states were not kept one by one, so the position cannot be looked up"
            ))
            .help("--engine hash --symmetry off keeps them"));
        }
        is_reached = false;
        ui.note("play from the start does not come to this position; looking on from it");
        instance = Instance {
            starts: vec![position.clone()],
            ..instance
        };
        finished = runner.run(&label, &instance, Wanted::Verdicts)?;
        excerpt = around(&runner, &label, &finished, &position)?;
        id = find(&finished, excerpt.as_deref());
    }
    let (Some(table), Some(id)) = (table(&finished, excerpt.as_deref()), id) else {
        ui.notes_of(&finished.record);
        return Ok(finished.exit().max(Exit::Limit));
    };
    let rest = rest(&runner, &label, &finished, &position)?;
    let states = finished.record.summary.states.unwrap_or(u64::MAX);
    let mined = mined(&instance, table, id, states);
    let why = Why {
        record: &finished.record,
        instance: &instance,
        table,
        id,
        is_reached,
        rest,
        mined: mined.as_ref().map_err(Clone::clone),
    };
    output::to(None, |out| {
        if args.json {
            return Ok(line(out, &Value::Object(why.object()))?);
        }
        Ok(why.text(out, ui.style)?)
    })?;
    if finished.record.summary.scope.word() != "exact" {
        ui.notes_of(&finished.record);
    }
    Ok(finished.exit())
}

/// The table of all states, or else an excerpt.
fn table<'a>(finished: &'a Finished, excerpt: Option<&'a dyn Table>) -> Option<&'a dyn Table> {
    finished.run.table().or(excerpt)
}

/// What is to be told of a position of a space without a table; `None` where there is one, or the
/// position was not reached.
fn around(
    runner: &Runner,
    label: &str,
    finished: &Finished,
    position: &Position,
) -> Result<Option<Box<dyn Table>>, Failure> {
    let (None, Some(inquiry)) = (finished.run.table(), finished.run.inquire()) else {
        return Ok(None);
    };
    let around = Excerpt::Around {
        position: position.clone(),
        branches: MOST_BRANCHES,
    };
    let known = Known {
        numbers: false,
        remoteness: true,
    };
    let watch = runner.watch(label);
    let excerpt = runner.within(|| inquiry.excerpt(&around, known, &watch));
    excerpt.map_err(|error| unanswered(label, &error))
}

/// How long play can go on from a lost position.
fn rest(
    runner: &Runner,
    label: &str,
    finished: &Finished,
    position: &Position,
) -> Result<Option<Rest>, Failure> {
    if let Some(table) = finished.run.table() {
        let id = table.find(position);
        let lost = id.filter(|&id| table.verdict(id) != Verdict::Live);
        return Ok(lost.and_then(|id| LostPlay::of(table).rest(id)));
    }
    let Some(inquiry) = finished.run.inquire() else {
        return Ok(None);
    };
    let watch = runner.watch(label);
    let rest = runner.within(|| inquiry.rest(position, &watch));
    rest.map_err(|error| unanswered(label, &error))
}

/// The patterns of lost states, if the position is one or one move leads to one.
fn mined(instance: &Instance, table: &dyn Table, id: u32, states: u64) -> Result<Mined, String> {
    let mut transitions = Vec::new();
    table.transitions(id, &mut transitions);
    let near = transitions.iter().map(|t| t.to).chain([id]);
    if !near
        .into_iter()
        .any(|id| table.verdict(id) != Verdict::Live)
    {
        return Err("neither the position nor one that a move leads to is lost".to_owned());
    }
    if states > MOST_MINED {
        let (states, most) = (grouped(&states), grouped(&MOST_MINED));
        return Err(format!(
            "the space has {states} states, and at most {most} are mined"
        ));
    }
    let options = MineOptions {
        cells: Some(MOST_CELLS),
        ..MineOptions::default()
    };
    mine(instance, table, &options, &Silent).map_err(|error| error.to_string())
}
