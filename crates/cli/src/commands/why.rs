//! `impasse why`: how a position stands, and what each of its moves makes of it.

use std::io::Write;

use impasse_analysis::run::{Table, Transition, Verdict};
use impasse_model::instance::Instance;
use impasse_report::numbers::counted;

use crate::args::WhyArgs;
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::runner::{Runner, Wanted};
use crate::session::Session;

/// Explores the puzzle and looks the position up; if play does not come there, it is explored from
/// the position itself.
pub(crate) fn run(ui: Ui, args: &WhyArgs) -> Result<Exit, Failure> {
    let session = Session::open(ui, &args.puzzle)?;
    let choice = session.single("why")?;
    let instance = session.instance(choice)?;
    let position = session.position(&instance, &args.position)?;
    let runner = Runner::new(ui, &args.run)?;
    let label = session.label(choice);
    let mut finished = runner.run(&label, &instance, Wanted::Verdicts)?;
    let mut id = finished.run.table().and_then(|table| table.find(&position));
    if id.is_none() && finished.exit() == Exit::Done {
        ui.note("play from the start does not come to this position; looking on from it");
        let instance = Instance {
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
    output::to(None, |out| {
        for line in table.picture(id, ui.style) {
            writeln!(out, "    {line}")?;
        }
        writeln!(out, "{}", verdict(table, id))?;
        moves(out, table, id)
    })?;
    if finished.record.summary.scope.word() != "exact" {
        ui.notes_of(&finished.record);
    }
    Ok(finished.exit())
}

/// The verdict and its reason in a sentence.
fn verdict(table: &dyn Table, id: u32) -> String {
    match (table.verdict(id), table.remoteness(id)) {
        (Verdict::Live, Some(0)) => "live: it is a goal".to_owned(),
        (Verdict::Live, remoteness) => {
            let moves = counted(remoteness.unwrap_or(0).into(), "move", "moves");
            format!("live: a goal is {moves} away")
        }
        (Verdict::Doomed, _) => {
            "doomed: moves remain, but however they are played, they never reach a goal".to_owned()
        }
        (Verdict::DeadEnd, _) => "dead end: no move applies, and it is no goal".to_owned(),
    }
}

fn moves(out: &mut dyn Write, table: &dyn Table, id: u32) -> Result<(), Failure> {
    let mut transitions = Vec::new();
    table.transitions(id, &mut transitions);
    for Transition { to, by } in transitions {
        let verdict = table.verdict(to).word();
        let away = table
            .remoteness(to)
            .map_or_else(String::new, |n| format!(", {n} away"));
        let blocking = table.verdict(id) == Verdict::Live && table.verdict(to) != Verdict::Live;
        let mark = if blocking { " (a blocking move)" } else { "" };
        let (name, line) = (table.move_name(by), table.one_line(to));
        writeln!(out, "  {name}: {line}  {verdict}{away}{mark}")?;
    }
    Ok(())
}
