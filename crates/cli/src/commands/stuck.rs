//! `impasse stuck`: where play gets stuck, and the moves that lose.

use std::io::Write;

use impasse_analysis::run::Table;
use impasse_analysis::structure::{Graph, components, must_pass};
use impasse_report::Record;
use impasse_report::grid::Layout;
use impasse_report::json::line;
use impasse_report::numbers::{counted, grouped};
use impasse_report::stuck::{BlockingMoves, by_depth, dead_ends, object, tallies};
use serde_json::Value;

use crate::args::StuckArgs;
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::runner::{Runner, Wanted};
use crate::session::Session;

/// Reports on each parameter value in turn.
pub(crate) fn run(ui: Ui, args: &StuckArgs) -> Result<Exit, Failure> {
    let session = Session::open(ui, &args.puzzle)?;
    session.look_ahead()?;
    let runner = Runner::new(ui, &args.run)?;
    let mut exit = Exit::Done;
    for (i, choice) in session.choices.iter().enumerate() {
        let instance = session.instance(choice)?;
        let label = session.label(choice);
        let finished = runner.run(&label, &instance, Wanted::Verdicts)?;
        exit = exit.and(finished.exit());
        let Some(table) = finished.run.table() else {
            ui.notes_of(&finished.record);
            if exit == Exit::Interrupted {
                break;
            }
            continue;
        };
        if args.json {
            let object = object(&finished.record, Some(&BlockingMoves::of(table)));
            output::to(None, |out| Ok(line(out, &Value::Object(object))?))?;
            continue;
        }
        output::to(None, |out| {
            if i > 0 {
                writeln!(out)?;
            }
            writeln!(out, "{label}")?;
            report(out, args, &finished.record, table)
        })?;
        if finished.record.summary.scope.word() != "exact" {
            ui.notes_of(&finished.record);
        }
    }
    Ok(exit)
}

fn report(
    out: &mut dyn Write,
    args: &StuckArgs,
    record: &Record,
    table: &dyn Table,
) -> Result<(), Failure> {
    let summary = &record.summary;
    let many = |count: Option<u64>| count.unwrap_or(0);
    let states = counted(many(summary.states), "state", "states");
    let lost = grouped(&many(summary.lost));
    let dead = counted(many(summary.dead_ends), "dead end", "dead ends");
    let doomed = grouped(&many(summary.doomed));
    writeln!(
        out,
        "{states}, {lost} of them lost: {dead} and {doomed} doomed"
    )?;
    if many(summary.lost) == 0 {
        writeln!(out, "play cannot get stuck")?;
        return structure(out, args, table);
    }
    let blocking = counted(
        many(summary.blocking_moves),
        "blocking move",
        "blocking moves",
    );
    let points = counted(many(summary.points_of_no_return), "point", "points");
    writeln!(out, "{blocking}, at {points} of no return")?;
    writeln!(out, "\nlost states and blocking moves by depth:")?;
    by_depth(out, record, Layout::Text)?;
    let moves = BlockingMoves::of(table);
    if many(summary.blocking_moves) > 0 {
        writeln!(out, "\nblocking moves by rule:")?;
        tallies(out, "rule", &moves.by_rule, Layout::Text)?;
        if args.by_move {
            writeln!(out, "\nblocking moves by place:")?;
            tallies(out, "move", &moves.by_move, Layout::Text)?;
        }
    }
    if many(summary.dead_ends) > 0 {
        writeln!(out, "\ndead ends:")?;
        let all = dead_ends(out, table, Layout::Text, args.limit)?;
        if all > args.limit {
            let (shown, all) = (grouped(&args.limit), grouped(&all));
            writeln!(out, "the first {shown} of {all}; --limit shows more")?;
        }
    }
    structure(out, args, table)
}

/// Spaces with more states are not taken apart: it costs seconds and some hundred bytes a state.
const MOST_TAKEN_APART: u32 = 1_000_000;

/// The space as a graph: whether positions can come back, and which ones every solution passes.
fn structure(out: &mut dyn Write, args: &StuckArgs, table: &dyn Table) -> Result<(), Failure> {
    if table.state_count() > MOST_TAKEN_APART {
        return Ok(());
    }
    let parts = components(&Graph::collect(table));
    let count = counted(
        parts.count,
        "strongly connected component",
        "strongly connected components",
    );
    match parts.nontrivial {
        0 => writeln!(out, "\nno position can come back")?,
        _ => writeln!(
            out,
            "\n{count}; the largest has {}",
            counted(parts.largest, "state", "states")
        )?,
    }
    let Some(passed) = must_pass(table) else {
        return Ok(());
    };
    let positions = counted(passed.len() as u64, "position", "positions");
    writeln!(out, "every solution passes {positions}:")?;
    for &id in passed.iter().take(args.limit) {
        writeln!(out, "  {}", table.one_line(id))?;
    }
    if passed.len() > args.limit {
        let (shown, all) = (grouped(&args.limit), grouped(&passed.len()));
        writeln!(out, "the first {shown} of {all}; --limit shows more")?;
    }
    Ok(())
}
