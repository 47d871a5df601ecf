//! `impasse trace`: every step that a strategy takes.

mod printer;
mod rest;

use std::io::{Read as _, Write};
use std::path::Path;

use impasse_model::strategy::{Change, Next, Player, Step};
use impasse_report::numbers::counted;

use crate::args::{PuzzleArgs, StepForm, TraceArgs};
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::session::Session;
use crate::strategies::{self, Ending, MOST_CELLS_IN_FULL, in_file};

use printer::Printer;
pub(super) use rest::kept_value;
use rest::{Rest, Verdict};

/// No start is longer.
const MOST_BYTES: u64 = 64 << 20;

/// Plays the strategy from the start, or tells the row at rest.
pub(crate) fn run(ui: Ui, args: &TraceArgs) -> Result<Exit, Failure> {
    let session = Session::open(ui, &with_start(&args.puzzle)?)?;
    let instance = session.instance(session.single("trace")?)?;
    if instance.starts.len() > 1 {
        let starts = counted(instance.starts.len() as u64, "start", "starts");
        ui.note(format_args!(
            "of {starts} the first is played; --start chooses another"
        ));
    }
    if args.is_final {
        return rest::print(args, &instance);
    }
    let strategy = strategies::find(&instance, args.strategy.as_deref())?;
    let program = strategies::program(&session.file, &instance, strategy)?;
    let mut player = program.play(&instance.starts[0]);
    let rest = Rest::of(&instance, player.row());
    let is_long = player.row().occupied().1.len() > MOST_CELLS_IN_FULL;
    let by_length = if is_long {
        StepForm::Moves
    } else {
        StepForm::Full
    };
    let printer = Printer::new(
        &session.file,
        &instance,
        strategy,
        args.steps.unwrap_or(by_length),
    );
    if !args.json && printer.form == StepForm::Moves {
        ui.note(printer.legend());
    }
    let (mut ending, mut verdict) = (Ending::Interrupted, Verdict::Open);
    output::to(args.output.as_deref(), |out| {
        if !args.json {
            printer.head(out)?;
        }
        ending = if args.reverse {
            reversed(out, args, &printer, &mut player)?
        } else {
            printer.step(out, args.json, 0, None, &[], player.row())?;
            let most = args.limit.unwrap_or(u64::MAX);
            strategies::play(&mut player, most, |player, step| {
                let changes = player.changes();
                printer.step(
                    out,
                    args.json,
                    player.moves(),
                    Some(step),
                    changes,
                    player.row(),
                )
            })?
        };
        verdict = rest.check(player.row());
        if args.json {
            printer.end_object(out, &ending, &player, &rest, &verdict)?;
        }
        Ok(())
    })?;
    if let Ending::Told(Next::Fault(fault)) = ending {
        return Err(in_file(&session.file, *fault));
    }
    if !args.json {
        output::to(None, |out| {
            writeln!(out, "{}", printer.ending(&ending, &player))?;
            match verdict.words(&rest) {
                Some(words) => Ok(writeln!(out, "{words}")?),
                None => Ok(()),
            }
        })?;
    }
    Ok(exit_of(&ending).and(verdict.exit(&rest)))
}

fn exit_of(ending: &Ending) -> Exit {
    match ending {
        Ending::Told(Next::Arrived) => Exit::Done,
        Ending::Told(_) => Exit::No,
        Ending::TooLong => Exit::Limit,
        Ending::Interrupted => Exit::Interrupted,
    }
}

/// `--start -` is what standard input says.
fn with_start(args: &PuzzleArgs) -> Result<PuzzleArgs, Failure> {
    let mut args = args.clone();
    if args.values.start.as_deref() != Some("-") {
        return Ok(args);
    }
    if args.puzzle == "-" {
        return Err(Failure::usage(
            "standard input cannot be both the rule file and the start",
        ));
    }
    let failed = |error| Failure::file("read", Path::new("standard input"), &error);
    let mut text = String::new();
    std::io::stdin()
        .lock()
        .take(MOST_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(failed)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(Failure::usage(
            "the start on standard input has more than 64 MiB",
        ));
    }
    args.values.start = Some(text.split_whitespace().collect::<Vec<_>>().join(" "));
    Ok(args)
}

/// Plays to the end, then prints from there to the start.
fn reversed(
    out: &mut dyn Write,
    args: &TraceArgs,
    printer: &Printer<'_>,
    player: &mut Player<'_>,
) -> Result<Ending, Failure> {
    let (start, mut made) = (player.row().clone(), Vec::<(Step, usize)>::new());
    let mut changes: Vec<Change> = Vec::new();
    let is_full = printer.form == StepForm::Full;
    let most = args.limit.unwrap_or(u64::MAX);
    let ending = strategies::play(player, most, |player, step| {
        // To name the place the first is enough.
        let kept = if is_full { player.changes().len() } else { 1 };
        changes.extend(&player.changes()[..kept]);
        made.push((step, changes.len()));
        Ok::<(), Failure>(())
    })?;
    let mut row = player.row().clone();
    while let Some((step, end)) = made.pop() {
        let begin = made.last().map_or(0, |&(_, end)| end);
        let number = made.len() as u64 + 1;
        printer.step(
            out,
            args.json,
            number,
            Some(step),
            &changes[begin..end],
            &row,
        )?;
        for change in changes[begin..end].iter().filter(|_| is_full) {
            row.set(change.place, change.before);
        }
    }
    printer.step(out, args.json, 0, None, &[], &start)?;
    Ok(ending)
}
