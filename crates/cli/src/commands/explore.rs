//! `impasse explore`: everything that can happen, one row a parameter value.

use impasse_analysis::summary::Figure;
use impasse_model::instance::Instance;
use impasse_report::folder::FolderOptions;
use impasse_report::grid::Layout;
use impasse_report::record::folder_name;
use impasse_report::text::{TableOptions, depth_table, explore_table, scope_notes};
use impasse_report::{Record, json, rows};
use serde_json::Value;

use crate::args::{ExploreArgs, Only, TableFormat};
use crate::checkpoint::{Asked, Checkpoint};
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::refusal::refusal;
use crate::report_folder::ReportFolder;
use crate::runner::{Runner, Wanted};
use crate::session::Session;

/// Runs all values in order; after Ctrl-C the finished ones are still printed, but no folder is
/// written.
pub(crate) fn run(ui: Ui, args: &ExploreArgs) -> Result<Exit, Failure> {
    let session = Session::open(ui, &args.puzzle)?;
    let kept = match &args.kept {
        None => None,
        Some(folder) => {
            if args.output.as_ref() == Some(folder) {
                return Err(Failure::usage("`--run` and `-o` name the same folder")
                    .help("give each its own"));
            }
            let asked = Asked::here(session.stem.clone(), session.file.text.clone());
            if asked.directory.is_none() && args.output.as_ref().is_some_and(|o| o.is_relative()) {
                return Err(Failure::usage(
                    "the name of the current folder is no text: `resume` could not find `-o`",
                )
                .help("write `-o` as a whole path"));
            }
            Some(Checkpoint::begin(folder, &asked)?)
        }
    };
    go(ui, args, &session, kept.as_ref())
}

/// Does the work for a session, on from kept searches if there are any.
pub(crate) fn go(
    ui: Ui,
    args: &ExploreArgs,
    session: &Session,
    kept: Option<&Checkpoint>,
) -> Result<Exit, Failure> {
    let exit = tell(ui, args, session, kept)?;
    if let Some(kept) = kept.filter(|_| exit == Exit::Interrupted) {
        let folder = kept.folder().display();
        ui.note(format_args!("`impasse resume {folder}` goes on"));
    }
    Ok(exit)
}

fn tell(
    ui: Ui,
    args: &ExploreArgs,
    session: &Session,
    kept: Option<&Checkpoint>,
) -> Result<Exit, Failure> {
    session.look_ahead()?;
    let mut runner = Runner::new(ui, &args.run)?;
    let mut folder = match &args.output {
        Some(place) => Some(ReportFolder::begin(place, folder_options(session, args))?),
        None => None,
    };
    let wanted = match args.only {
        Some(Only::Depths) => Wanted::Depths,
        Some(Only::Verdicts) => Wanted::Verdicts,
        None => Wanted::Figures,
    };
    let format = if args.json {
        TableFormat::Json
    } else {
        args.format
    };
    let given = session.given();
    let mut records = Vec::new();
    let mut exit = Exit::Done;
    for choice in &session.choices {
        let instance: Instance = session.instance(choice)?;
        if let Some(kept) = kept {
            runner.keep(match session.choices.len() {
                1 => kept.clone(),
                _ => kept.of_value(&folder_name(&instance.params, &given)),
            });
        }
        let mut finished = runner.figures(&session.label(choice), &instance, wanted)?;
        // A run that ended before there was anything to keep can be told again too.
        if let Some(kept) = kept {
            kept.ensure()
                .map_err(|error| Failure::file("write", kept.folder(), &error))?;
        }
        if args.only == Some(Only::Verdicts) {
            finished.record = not_counted(finished.record);
        }
        exit = exit.and(finished.exit());
        if let Some(folder) = folder.as_mut().filter(|_| exit != Exit::Interrupted) {
            let left_out = folder.writer.add(&finished.record, finished.run.table())?;
            for it in left_out {
                ui.note(it);
            }
        }
        if format == TableFormat::Json {
            output::to(None, |out| {
                Ok(json::line(out, &object(args, &finished.record))?)
            })?;
        }
        let goals = finished.record.summary.goals;
        if goals == Some(0) || finished.record.summary.scope.word() == "stopped" {
            let label = session.label(choice);
            if let Some(refusal) = refusal(ui, &label, &instance) {
                ui.note(format_args!("{label}: {}", refusal.words()));
            }
        }
        records.push(finished.record);
        if exit == Exit::Interrupted {
            break;
        }
    }
    if let Some(folder) = folder {
        if exit == Exit::Interrupted {
            ui.note("interrupted: no report was written");
        } else {
            folder.put()?;
        }
    }
    let options = TableOptions {
        given: session.given(),
        all: args.all,
        layout: if format == TableFormat::Md {
            Layout::Markdown
        } else {
            Layout::Text
        },
        width: ui.width,
    };
    print(format, &records, &options)?;
    if args.only == Some(Only::Depths) {
        layers(format, session, &records, &options)?;
    }
    notes(ui, format, &records, &options)?;
    Ok(exit)
}

/// Says why the numbers that `--only verdicts` leaves out are absent.
fn not_counted(record: Record) -> Record {
    let keys = ["shortest_solutions", "longest", "plays"];
    keys.into_iter().fold(record, |record, key| {
        if record.summary.figure(key) == Some(Figure::Absent) {
            record.because(key, "not asked for: --only verdicts")
        } else {
            record
        }
    })
}

fn folder_options(session: &Session, args: &ExploreArgs) -> FolderOptions {
    FolderOptions {
        puzzle: session.stem.clone(),
        title: session.file.title.clone(),
        rules: session.file.text.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        given: session.given(),
        start: session.start.clone(),
        max_rows: args.max_rows,
        only: args.only.map(Only::word),
    }
}

fn print(format: TableFormat, records: &[Record], options: &TableOptions) -> Result<(), Failure> {
    output::to(None, |out| match format {
        TableFormat::Text | TableFormat::Md => Ok(explore_table(out, records, options)?),
        TableFormat::Csv => Ok(rows::summaries(out, records)?),
        TableFormat::Json => Ok(()),
    })
}

/// The summary; with `--only depths` the sizes of the layers too.
fn object(args: &ExploreArgs, record: &Record) -> Value {
    let mut object = json::summary_object(record);
    if let (Some(Only::Depths), Some(keys)) = (args.only, object.as_object_mut()) {
        let layers: Vec<u64> = record.depths.iter().map(|row| row.states).collect();
        keys.insert("layers".to_owned(), layers.into());
    }
    object
}

/// The sizes of the layers, where a text for people is wanted.
fn layers(
    format: TableFormat,
    session: &Session,
    records: &[Record],
    options: &TableOptions,
) -> Result<(), Failure> {
    if !matches!(format, TableFormat::Text | TableFormat::Md) {
        return Ok(());
    }
    output::to(None, |out| {
        for (record, choice) in records.iter().zip(&session.choices) {
            writeln!(out, "\n{}\n", session.label(choice))?;
            depth_table(out, record, options)?;
        }
        Ok(())
    })
}

/// What the figures are worth: part of a text for people, else a word on standard error. What is sure
/// of a stopped run is always said there.
fn notes(
    ui: Ui,
    format: TableFormat,
    records: &[Record],
    options: &TableOptions,
) -> Result<(), Failure> {
    let for_people = matches!(format, TableFormat::Text | TableFormat::Md);
    let (whole, stopped): (Vec<Record>, Vec<Record>) = records
        .iter()
        .cloned()
        .partition(|record| record.summary.scope.word() != "stopped");
    let mut text = Vec::new();
    scope_notes(&mut text, &whole, options)?;
    if for_people && !text.is_empty() {
        output::to(None, |out| {
            writeln!(out)?;
            out.write_all(&text)?;
            if whole
                .iter()
                .any(|record| record.summary.scope.word() == "window")
            {
                writeln!(out, "  (* marks such a number)")?;
            }
            Ok(())
        })?;
        text.clear();
    }
    scope_notes(&mut text, &stopped, options)?;
    ui.note_lines(&String::from_utf8_lossy(&text));
    Ok(())
}
