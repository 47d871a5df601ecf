//! `impasse completions` and `impasse man`: the program about itself.

use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::exit::{Exit, Failure};
use crate::output;

/// Prints the completions of a shell.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "impasse", &mut script);
    output::to(None, |out| Ok(out.write_all(&script)?))?;
    Ok(Exit::Done)
}

/// Prints the manual page of the program or of one command.
pub(crate) fn man(args: &ManArgs) -> Result<Exit, Failure> {
    let mut command = Cli::command();
    command.build();
    let page = match &args.command {
        None => command,
        Some(name) => page_of(&command, name)?,
    };
    output::to(None, |out| Ok(Man::new(page).render(out)?))?;
    Ok(Exit::Done)
}

fn page_of(command: &clap::Command, name: &str) -> Result<clap::Command, Failure> {
    let found = command.find_subcommand(name).ok_or_else(|| {
        Failure::usage(format!("there is no command `{name}`"))
            .help("`impasse help` lists the commands")
    })?;
    Ok(found.clone().name(format!("impasse-{name}")))
}
