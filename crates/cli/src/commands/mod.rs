//! What each command does.

mod about;
mod check;
mod check_table;
mod explain;
mod explore;
mod export;
mod list;
mod new;
mod resume;
mod seq;
mod show;
mod solve;
mod stuck;
mod trace;
mod verify;
mod why;

use crate::args::{Command, EngineName, RunArgs};
use crate::exit::{Exit, Failure};
use crate::output::Ui;

/// Runs a command.
///
/// # Errors
/// What kept it from its work; a negative answer or a limit is an [`Exit`].
pub(crate) fn run(ui: Ui, command: Command) -> Result<Exit, Failure> {
    match command {
        Command::List(args) => list::run(&args),
        Command::Show(args) => show::run(ui, &args),
        Command::Check(args) => check::run(ui, &args),
        Command::Explore(args) => explore::run(ui, &args),
        Command::Solve(args) => {
            needs_states("solve", &args.run)?;
            solve::run(ui, &args)
        }
        Command::Stuck(args) => stuck::run(ui, &args),
        Command::Why(args) => {
            needs_states("why", &args.run)?;
            why::run(ui, &args)
        }
        Command::Verify(args) => verify::run(ui, &args),
        Command::Seq(args) => seq::run(ui, &args),
        Command::Trace(args) => trace::run(ui, &args),
        Command::Export(args) => export::run(ui, &args),
        Command::Resume(args) => resume::run(&args),
        Command::CheckTable(args) => check_table::run(&args),
        Command::New(args) => new::run(ui, &args),
        Command::Explain(args) => explain::run(&args),
        Command::Completions(args) => about::completions(&args),
        Command::Man(args) => about::man(&args),
    }
}

/// Refuses an engine that keeps no states to a command that shows single ones.
fn needs_states(command: &str, args: &RunArgs) -> Result<(), Failure> {
    if args.engine != EngineName::Layers {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "`{command}` shows single states, and `--engine layers` keeps none"
    ))
    .help("choose `--engine hash` or `stream`"))
}
