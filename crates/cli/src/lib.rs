//! The command line of Impasse: arguments, files, progress, exit codes.
//!
//! Reading order: `args` is what can be typed, `commands` what it does. A command opens a
//! `session` (rule file, parameter values), hands instances to a `runner`, and gives what comes
//! back to the writers of `impasse-report`. Data goes to standard output, everything else to standard
//! error; `exit` holds the exit codes.

mod args;
mod checkpoint;
mod commands;
mod examples;
mod excerpt;
mod exit;
mod faults;
mod interrupt;
mod measure;
mod output;
mod progress;
mod refusal;
mod report_folder;
mod runner;
mod session;
mod shipped;
mod size;
mod source;
mod strategies;
mod sweep;

use std::io::Write;
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, FromArgMatches};

use crate::args::Cli;
use crate::exit::Exit;
use crate::output::Ui;

/// Runs the command of this process's arguments, and says how it ended.
#[must_use]
pub fn run() -> ExitCode {
    ExitCode::from(run_arguments().code())
}

fn run_arguments() -> Exit {
    let matches = match command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return usage(&error),
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    interrupt::listen();
    let ui = Ui::new(&cli.look);
    match commands::run(ui, cli.command) {
        Ok(exit) => exit,
        Err(failure) => {
            ui.failure(&failure);
            failure.exit()
        }
    }
}

/// The command line, in the colours that `--color` and `NO_COLOR` ask for.
fn command() -> clap::Command {
    let mut arguments = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let color = match color_asked(&mut arguments).as_deref() {
        Some("never") => ColorChoice::Never,
        Some("always") => ColorChoice::Always,
        _ => ColorChoice::Auto,
    };
    Cli::command().color(color)
}

/// The value of `--color`, which help and usage errors need before anything is parsed.
fn color_asked(arguments: &mut impl Iterator<Item = String>) -> Option<String> {
    let word = arguments.find(|word| word == "--color" || word.starts_with("--color="))?;
    word.strip_prefix("--color=")
        .map(str::to_owned)
        .or_else(|| arguments.next())
}

/// Prints help where it was asked for, a complaint where it was not.
fn usage(error: &clap::Error) -> Exit {
    let printed = error.print().and_then(|()| std::io::stdout().flush());
    match (error.use_stderr(), printed) {
        (true, _) => Exit::Usage,
        (false, Err(failed)) if failed.kind() != std::io::ErrorKind::BrokenPipe => {
            Ui::alarm(format_args!("cannot write to standard output: {failed}"));
            Exit::Io
        }
        (false, _) => Exit::Done,
    }
}
