//! `impasse why`: how a position stands, and why.

use impasse_analysis::patterns::{MineOptions, Mined, mine};
use impasse_analysis::run::{Table, Verdict};
use impasse_graph::observe::Silent;
use impasse_model::instance::Instance;
use impasse_report::json::line;
use impasse_report::numbers::grouped;
use impasse_report::why::Why;
use serde_json::Value;

use crate::args::WhyArgs;
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::runner::{Runner, Wanted};
use crate::session::Session;

/// Larger spaces are not mined: it would take longer than anyone waits for one position.
const MOST_MINED: u32 = 2_000_000;
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
    let mut id = finished.run.table().and_then(|table| table.find(&position));
    let mut is_reached = true;
    if id.is_none() && finished.exit() == Exit::Done {
        if finished.run.table().is_none() {
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
        id = finished.run.table().and_then(|table| table.find(&position));
    }
    let (Some(table), Some(id)) = (finished.run.table(), id) else {
        ui.notes_of(&finished.record);
        return Ok(finished.exit().max(Exit::Limit));
    };
    let mined = mined(&instance, table, id);
    let why = Why {
        record: &finished.record,
        instance: &instance,
        table,
        id,
        is_reached,
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

/// The patterns of lost states, if the position is one or one move leads to one.
fn mined(instance: &Instance, table: &dyn Table, id: u32) -> Result<Mined, String> {
    let mut transitions = Vec::new();
    table.transitions(id, &mut transitions);
    let states = transitions.iter().map(|t| t.to).chain([id]);
    if !states
        .into_iter()
        .any(|id| table.verdict(id) != Verdict::Live)
    {
        return Err("neither the position nor one that a move leads to is lost".to_owned());
    }
    if table.state_count() > MOST_MINED {
        let (states, most) = (grouped(&table.state_count()), grouped(&MOST_MINED));
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
