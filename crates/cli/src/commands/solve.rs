//! `impasse solve`: a shortest solution drawn step by step, or all of them listed.

use std::io::Write;

use impasse_analysis::run::Table;
use impasse_graph::observe::Outcome;
use impasse_model::instance::Instance;
use impasse_report::json::{heading, line};
use impasse_report::numbers::{counted, grouped};
use impasse_report::scope::{Standing, length_without_solution, standing};
use impasse_report::solution::{self, SOLUTION_SCHEMA, Walk, shortest_solutions};
use serde_json::Value;

use crate::args::SolveArgs;
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::refusal::{Refusal, record, refusal};
use crate::runner::{Finished, Runner, Wanted};
use crate::session::Session;

/// Columns of boards drawn side by side, where there is no terminal.
const WIDTH: usize = 100;

/// Solves each parameter value in turn.
pub(crate) fn run(ui: Ui, args: &SolveArgs) -> Result<Exit, Failure> {
    let session = Session::open(ui, &args.puzzle)?;
    session.look_ahead()?;
    let runner = Runner::new(ui, &args.run)?;
    let wanted = Wanted::Solutions {
        most: if args.all { args.limit } else { 1 },
        counted: args.all,
    };
    let mut exit = Exit::Done;
    for (i, choice) in session.choices.iter().enumerate() {
        let mut instance = session.instance(choice)?;
        if let Some(from) = &args.from {
            let position = session.position(&instance, from)?;
            instance = Instance {
                starts: vec![position],
                ..instance
            };
        }
        let label = session.label(choice);
        if let Some(refusal) = refusal(ui, &label, &instance) {
            exit = exit.and(refused(&session, args, &label, &instance, &refusal)?);
            continue;
        }
        let finished = runner.run(&label, &instance, wanted)?;
        if session.choices.len() > 1 && !args.json {
            let blank = if i == 0 { "" } else { "\n" };
            output::to(None, |out| {
                Ok(writeln!(out, "{blank}{}:", session.label(choice))?)
            })?;
        }
        exit = exit.and(answer(ui, args, &finished)?);
        if exit == Exit::Interrupted {
            break;
        }
    }
    Ok(exit)
}

/// Says why there is no solution where that was known without a search.
fn refused(
    session: &Session,
    args: &SolveArgs,
    label: &str,
    instance: &Instance,
    refusal: &Refusal,
) -> Result<Exit, Failure> {
    let words = refusal.words();
    output::to(None, |out| {
        if args.json {
            let mut object = heading(SOLUTION_SCHEMA, &record(instance));
            object.insert("length".to_owned(), Value::Null);
            object.insert("steps".to_owned(), Value::Null);
            object.insert("reason".to_owned(), words.into());
            return Ok(line(out, &Value::Object(object))?);
        }
        if session.choices.len() > 1 {
            return Ok(writeln!(out, "{label}: {words}")?);
        }
        Ok(writeln!(out, "{words}")?)
    })?;
    Ok(Exit::No)
}

fn answer(ui: Ui, args: &SolveArgs, finished: &Finished) -> Result<Exit, Failure> {
    // A stopped run knows its whole layers: a solution found in them is a shortest one.
    let table = finished
        .run
        .table()
        .or_else(|| finished.run.partial_table());
    let walk = table.and_then(|table| Walk::shortest(table, None));
    let (Some(table), Some(walk)) = (table, &walk) else {
        if let Some(length) = finished.record.summary.shortest {
            let length = counted(length, "move", "moves");
            return Err(Failure::limit(format!(
                "the shortest solution has {length}, but the run kept no states to draw it from"
            ))
            .help("allow more with --memory, or choose another --engine"));
        }
        return unsolved(ui, args, finished);
    };
    output::to(None, |out| solved(out, ui, args, finished, table, walk))?;
    if finished.record.summary.scope.word() == "window" {
        ui.notes_of(&finished.record);
    }
    Ok(if finished.exit() == Exit::Interrupted {
        Exit::Interrupted
    } else {
        Exit::Done
    })
}

fn solved(
    out: &mut dyn Write,
    ui: Ui,
    args: &SolveArgs,
    finished: &Finished,
    table: &dyn Table,
    walk: &Walk,
) -> Result<(), Failure> {
    let record = &finished.record;
    if !args.all {
        return if args.json {
            Ok(solution::json_line(out, record, table, Some(walk))?)
        } else {
            solution::draw(out, table, walk, ui.style, ui.width.unwrap_or(WIDTH))?;
            let length = counted(walk.steps.len() as u64, "move", "moves");
            let worth = match standing(&record.summary, "shortest") {
                Standing::Exact if all_are_as_long(finished) => "as every solution has",
                Standing::Exact => "and none is shorter",
                Standing::Window | Standing::AtLeast => "and none is shorter within this window",
            };
            Ok(writeln!(out, "{length}, {worth}")?)
        };
    }
    let limit = usize::try_from(args.limit).unwrap_or(usize::MAX);
    let walks = shortest_solutions(table, None).take(limit);
    if args.json {
        for walk in walks {
            solution::json_line(out, record, table, Some(&walk))?;
        }
    } else {
        solution::list(out, table, walks)?;
    }
    if let Some(count) = &record.summary.shortest_solutions {
        let shown = count.min(&args.limit.into()).clone();
        let length = counted(walk.steps.len() as u64, "move", "moves");
        let (shown, count) = (grouped(&shown), grouped(count));
        ui.note(format_args!(
            "{shown} of {count} shortest solutions, of {length} each"
        ));
    }
    Ok(())
}

/// Whether every transition leads one layer deeper and all goals lie in one layer.
fn all_are_as_long(finished: &Finished) -> bool {
    let record = &finished.record;
    let layers = record.depths.iter().filter(|row| row.goals != Some(0));
    record.summary.graded == Some(true) && layers.count() == 1
}

/// Says that there is no solution, or how far that is sure.
fn unsolved(ui: Ui, args: &SolveArgs, finished: &Finished) -> Result<Exit, Failure> {
    let record = &finished.record;
    let (words, exit) = match record.outcome {
        Outcome::Complete if record.summary.scope.word() == "window" => {
            ("no solution within this window".to_owned(), Exit::No)
        }
        Outcome::Complete => ("no solution".to_owned(), Exit::No),
        Outcome::Stopped { depth, .. } => (stopped(finished, depth), finished.exit()),
    };
    output::to(None, |out| {
        if args.json {
            let mut object = heading(SOLUTION_SCHEMA, record);
            object.insert("length".to_owned(), record.summary.shortest.into());
            object.insert("steps".to_owned(), Value::Null);
            return Ok(line(out, &Value::Object(object))?);
        }
        Ok(writeln!(out, "{words}")?)
    })?;
    ui.notes_of(record);
    Ok(exit)
}

/// How far the absence of a solution is sure.
fn stopped(finished: &Finished, depth: u32) -> String {
    let sure = length_without_solution(&finished.record.summary, depth);
    format!("no solution within {}", counted(sure, "move", "moves"))
}
