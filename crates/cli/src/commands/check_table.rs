//! `impasse check-table DIR`: a report folder checked again with slow and obvious code.

use impasse_report::json;
use impasse_report::numbers::counted;
use impasse_verify::CheckError;
use impasse_verify::check_table::{Checked, CheckedValue, Extent, check_table};
use serde_json::{Value, json};

use crate::args::CheckTableArgs;
use crate::exit::{Exit, Failure};
use crate::output;

/// Checks a folder; the first figure that is wrong ends it.
pub(crate) fn run(args: &CheckTableArgs) -> Result<Exit, Failure> {
    match check_table(&args.folder) {
        Ok(checked) => {
            output::to(None, |out| {
                if args.json {
                    return Ok(json::line(out, &right(args, &checked))?);
                }
                for value in &checked.values {
                    writeln!(out, "{}: {}", value.folder, words(value))?;
                }
                let values = counted(checked.values.len() as u64, "value", "values");
                Ok(writeln!(out, "{}: {values}, all right", checked.puzzle)?)
            })?;
            Ok(Exit::Done)
        }
        Err(error) if error.is_wrong() => {
            output::to(None, |out| {
                if args.json {
                    return Ok(json::line(out, &wrong(args, &error))?);
                }
                Ok(writeln!(out, "wrong: {error}")?)
            })?;
            Ok(Exit::No)
        }
        Err(error) => Err(Failure::io(error.to_string())),
    }
}

fn words(value: &CheckedValue) -> String {
    match value.extent {
        Extent::Listed {
            states,
            transitions,
        } => format!(
            "{} and {} are right",
            counted(states, "state", "states"),
            counted(transitions, "transition", "transitions")
        ),
        Extent::Searched { states } => format!(
            "totals are right; the states are not listed, so all {} were found again",
            counted(states, "state", "states")
        ),
        Extent::Totals => "totals agree with each other; the states are not listed".to_owned(),
    }
}

const SCHEMA: &str = "impasse.checked-table/1";

fn right(args: &CheckTableArgs, checked: &Checked) -> Value {
    let value = |value: &CheckedValue| {
        let (extent, states, transitions) = match value.extent {
            Extent::Listed {
                states,
                transitions,
            } => ("listed", Some(states), Some(transitions)),
            Extent::Searched { states } => ("searched", Some(states), None),
            Extent::Totals => ("totals", None, None),
        };
        json!({
            "folder": value.folder, "checked": extent, "states": states, "transitions": transitions,
        })
    };
    json!({
        "schema": SCHEMA, "folder": args.folder.display().to_string(), "right": true,
        "puzzle": checked.puzzle, "values": checked.values.iter().map(value).collect::<Vec<_>>(),
    })
}

fn wrong(args: &CheckTableArgs, error: &CheckError) -> Value {
    let CheckError::Wrong {
        path,
        row,
        cell,
        what,
    } = error
    else {
        unreachable!("only a folder that can be read is wrong")
    };
    json!({
        "schema": SCHEMA, "folder": args.folder.display().to_string(), "right": false,
        "file": path, "row": row,
        "column": cell.as_ref().map(|cell| &cell.column),
        "found": cell.as_ref().map(|cell| &cell.found),
        "expected": cell.as_ref().map(|cell| &cell.expected),
        "what": what,
    })
}
