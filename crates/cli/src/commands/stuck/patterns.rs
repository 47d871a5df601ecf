//! `impasse stuck --patterns`: mined patterns of each value, and which stay over a range.

use std::io::Write;

use impasse_analysis::patterns::{Ends, MineError, MineOptions, Mined, mine, survey};
use impasse_graph::observe::Outcome;
use impasse_model::instance::Instance;
use impasse_report::json::line;
use impasse_report::numbers::grouped;
use impasse_report::patterns::{Harvest, PatternList, csv_head, csv_rows, list_text, object, text};
use impasse_report::stability::{Range, stability_csv, survey_object, survey_text};

use super::{Command, MOST_ROWS, all_states, heading};
use crate::args::StuckFormat;
use crate::exit::{Exit, Failure};
use crate::runner::{Finished, Wanted};
use crate::size;

/// Mines each value, and writes the report, or one list.
pub(super) fn run(
    command: &Command<'_>,
    out: &mut dyn Write,
    list: Option<PatternList>,
) -> Result<Exit, Failure> {
    let mut kept = Kept::default();
    let is_report = list.is_none() && command.format == StuckFormat::Text;
    let exit = each_value(command, &mut |label, instance, finished, mined| {
        let table = all_states(label, finished)?;
        let harvest = Harvest {
            record: &finished.record,
            instance,
            mined: &mined,
        };
        let rows = match list {
            None if is_report => None,
            None | Some(PatternList::Patterns) => Some(harvest.pattern_count()),
            Some(PatternList::Uncovered) => Some(mined.lost.len() as u64),
            Some(PatternList::Coverage) => None,
        };
        command.refuse_long(label, rows, MOST_ROWS)?;
        let is_first = kept.labels.is_empty();
        match (list, command.format) {
            (Some(list), StuckFormat::Csv) => {
                if is_first {
                    csv_head(out, list, &finished.record.params)?;
                }
                csv_rows(out, list, &harvest, table)?;
            }
            (_, StuckFormat::Json) => line(out, &object(&harvest, table, command.args.limit))?,
            (Some(list), _) => {
                heading(out, label, is_first)?;
                list_text(out, list, &harvest, table)?;
            }
            (None, _) => {
                heading(out, label, is_first)?;
                text(out, &harvest, table, command.ui.style, command.args.limit)?;
            }
        }
        out.flush()?;
        kept.labels.push(label.to_owned());
        if is_report && command.session.choices.len() > 1 {
            kept.add(command, instance, mined);
        }
        Ok(())
    })?;
    if is_report && kept.mined.len() > 1 {
        writeln!(out)?;
        kept.survey(command, |range| write_range(command, out, range))?;
    }
    Ok(exit)
}

/// For people: from which value to which, and what holds there.
fn write_range(
    command: &Command<'_>,
    out: &mut dyn Write,
    range: &Range<'_>,
) -> Result<(), Failure> {
    let (first, last) = (&range.values[0], &range.values[range.values.len() - 1]);
    let (stem, count) = (&command.session.stem, grouped(&range.values.len()));
    writeln!(out, "{stem} from {first} to {last}, {count} values")?;
    Ok(survey_text(out, range, command.args.limit)?)
}

/// Mines each value, and writes how every pattern stands at every value.
pub(super) fn stability(command: &Command<'_>, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut kept = Kept::default();
    let exit = each_value(command, &mut |_, instance, _, mined| {
        kept.add(command, instance, mined);
        Ok(())
    })?;
    let comparable = kept.survey(command, |range| {
        let patterns = range.survey.stretches.len() + range.survey.patterns.len();
        let rows = (patterns * range.values.len()) as u64;
        command.refuse_long(&command.session.stem, Some(rows), MOST_ROWS)?;
        match command.format {
            StuckFormat::Csv => Ok(stability_csv(out, range)?),
            StuckFormat::Json => Ok(line(out, &survey_object(&command.session.stem, range))?),
            _ => write_range(command, out, range),
        }
    })?;
    if !comparable && exit == Exit::Done {
        return Err(
            Failure::usage("patterns of different boards cannot be compared")
                .help("stability is for rows, or for one board"),
        );
    }
    Ok(exit)
}

/// What is kept of the values of a range.
#[derive(Default)]
struct Kept {
    labels: Vec<String>,
    values: Vec<String>,
    mined: Vec<Mined>,
    instance: Option<Instance>,
}

impl Kept {
    fn add(&mut self, command: &Command<'_>, instance: &Instance, mined: Mined) {
        self.values
            .push(command.session.choices[self.mined.len()].label());
        self.mined.push(mined);
        self.instance = Some(instance.clone());
    }

    /// Hands the survey on; `false` if the boards cannot be compared.
    fn survey(
        &self,
        command: &Command<'_>,
        write: impl FnOnce(&Range<'_>) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        let survey = survey(&self.mined, command.runner.memory_bytes()).map_err(too_large)?;
        let (Some(survey), Some(instance)) = (survey, &self.instance) else {
            return Ok(false);
        };
        write(&Range {
            instance,
            values: &self.values,
            survey: &survey,
        })?;
        Ok(true)
    }
}

/// What is done with one value: its name, puzzle, run and patterns.
type Visit<'a> = dyn FnMut(&str, &Instance, &Finished, Mined) -> Result<(), Failure> + 'a;

/// Enumerates and mines each value.
fn each_value(command: &Command<'_>, visit: &mut Visit<'_>) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    for choice in &command.session.choices {
        let instance = command.session.instance(choice)?;
        check_flags(command, &instance)?;
        let label = command.session.label(choice);
        let finished = command.runner.run(&label, &instance, Wanted::Verdicts)?;
        exit = exit.and(finished.exit());
        if finished.record.outcome != Outcome::Complete {
            command.ui.notes_of(&finished.record);
            break;
        }
        let options = MineOptions {
            window: command.args.mining.window.map(usize::from),
            cells: command.args.mining.cells.map(usize::from),
            scattered: command.args.mining.scattered,
            stretch: None,
            memory_bytes: command.runner.memory_bytes(),
        };
        let table = all_states(&label, &finished)?;
        let watch = command.runner.watch(&label);
        let mined = mine(&instance, table, &options, &watch);
        drop(watch);
        match mined {
            Ok(mined) => visit(&label, &instance, &finished, mined)?,
            Err(MineError::Interrupted) => return Ok(Exit::Interrupted),
            Err(error) => return Err(too_large(error)),
        }
        if finished.record.summary.scope.word() != "exact" {
            command.ui.notes_of(&finished.record);
        }
    }
    Ok(exit)
}

/// Flags that are for other boards.
fn check_flags(command: &Command<'_>, instance: &Instance) -> Result<(), Failure> {
    let is_row = Ends::of(&instance.board).is_some();
    let args = command.args.mining;
    if !is_row && args.window.is_some() {
        return Err(
            Failure::usage("--window is for rows, and this board is none")
                .help("--cells says how many cells a pattern may have"),
        );
    }
    if is_row && (args.cells.is_some() || args.scattered) {
        return Err(Failure::usage(
            "--cells and --scattered are for grids and graphs, and this board is a row",
        )
        .help("--window says how many cells a pattern may span"));
    }
    Ok(())
}

fn too_large(error: MineError) -> Failure {
    match error {
        MineError::TooLarge {
            what,
            bytes,
            budget,
        } => {
            let (words, most) = (size::words(bytes), size::words(budget));
            Failure::limit(format!(
                "{what} would need {} bytes ({words}), but {most} may be used",
                grouped(&bytes)
            ))
            .help("ask for a smaller --window or --cells, or allow more with --memory")
        }
        error => Failure::limit(error.to_string()),
    }
}
