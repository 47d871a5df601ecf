//! `impasse check-table DIR`: a report folder checked again with slow and obvious code.

use impasse_report::numbers::counted;
use impasse_verify::check_table::{CheckedValue, check_table};

use crate::args::CheckTableArgs;
use crate::exit::{Exit, Failure};
use crate::output;

/// Checks a folder; the first figure that is wrong ends it.
pub(crate) fn run(args: &CheckTableArgs) -> Result<Exit, Failure> {
    match check_table(&args.folder) {
        Ok(checked) => {
            output::to(None, |out| {
                for value in &checked.values {
                    writeln!(out, "{}: {}", value.folder, words(value))?;
                }
                let values = counted(checked.values.len() as u64, "value", "values");
                Ok(writeln!(out, "{}: {values}, all right", checked.puzzle)?)
            })?;
            Ok(Exit::Done)
        }
        Err(error) if error.is_wrong() => {
            output::to(None, |out| Ok(writeln!(out, "wrong: {error}")?))?;
            Ok(Exit::No)
        }
        Err(error) => Err(Failure::io(error.to_string())),
    }
}

fn words(value: &CheckedValue) -> String {
    match value.listed {
        None => "totals agree with each other; the states are not listed".to_owned(),
        Some((states, transitions)) => format!(
            "{} and {} are right",
            counted(states, "state", "states"),
            counted(transitions, "transition", "transitions")
        ),
    }
}
