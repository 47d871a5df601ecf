//! `impasse resume`: goes on with a run that `explore --run` kept.

use std::path::Path;

use clap::Parser;

use crate::args::{Cli, Command, ResumeArgs};
use crate::checkpoint::Checkpoint;
use crate::commands::explore;
use crate::exit::{Exit, Failure};
use crate::output::Ui;
use crate::session::Session;
use crate::source::Source;

/// Does what the kept command was asked for, from where its search stood.
pub(crate) fn run(args: &ResumeArgs) -> Result<Exit, Failure> {
    let (checkpoint, asked) = Checkpoint::open(&args.folder)?;
    let words = std::iter::once("impasse").chain(asked.arguments.iter().map(String::as_str));
    let kept = Cli::try_parse_from(words).ok();
    let Some((look, Command::Explore(mut explore_args))) = kept.map(|cli| (cli.look, cli.command))
    else {
        return Err(Failure::io(format!(
            "`{}` keeps no run of `explore`",
            args.folder.display()
        )));
    };
    // Relative paths begin where the command was given first.
    if let (Some(output), Some(directory)) = (&mut explore_args.output, &asked.directory) {
        *output = Path::new(directory).join(&*output);
    }
    let ui = Ui::new(&look);
    let source = Source {
        origin: format!("{}.puzzle", asked.stem),
        stem: asked.stem,
        bytes: asked.rules.into_bytes(),
    };
    let session = Session::of(ui, source, &explore_args.puzzle.values)?;
    explore::go(ui, &explore_args, &session, Some(&checkpoint))
}
