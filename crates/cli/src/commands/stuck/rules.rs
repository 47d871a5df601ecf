//! `impasse stuck --rules`: whether what lies around a move decides that it loses.

use std::io::Write;

use impasse_analysis::surroundings::{Law, Surroundings};
use impasse_model::params::{ParamValue, Params};
use impasse_report::json::{self, line};
use impasse_report::law::{Origin, csv, object, text};

use crate::args::{StuckArgs, StuckFormat};
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::runner::{Runner, Wanted};
use crate::session::Session;

/// Runs every value, pools the contexts of all moves, and reports on them together.
pub(super) fn run(ui: Ui, args: &StuckArgs, format: StuckFormat) -> Result<Exit, Failure> {
    if format == StuckFormat::Dot {
        return Err(Failure::usage("contexts cannot be drawn as a graph")
            .help("take --format text, csv or json"));
    }
    let session = Session::open(ui, &args.puzzle)?;
    session.look_ahead()?;
    let runner = Runner::new(ui, &args.run)?;
    let radius = args.rules.radius.map(usize::from);
    let mut origin = Origin {
        puzzle: session.stem.clone(),
        values: Vec::new(),
        params: Vec::new(),
        domain: domain(&session),
    };
    let mut gathered: Option<Surroundings> = None;
    let mut exit = Exit::Done;
    for choice in &session.choices {
        let instance = session.instance(choice)?;
        let label = session.label(choice);
        if gathered.is_none() {
            let new = Surroundings::new(&instance, radius)
                .map_err(|error| Failure::usage(format!("{label}: {error}")))?;
            gathered = Some(new);
        }
        let finished = runner.run(&label, &instance, Wanted::Verdicts)?;
        if finished.record.summary.scope.word() != "exact" {
            ui.notes_of(&finished.record);
        }
        if finished.exit() != Exit::Done {
            // A law of the values that were finished would look like one of all.
            return Ok(finished.exit());
        }
        let table = super::all_states(&label, &finished)?;
        if let Some(surroundings) = &mut gathered {
            surroundings
                .add(&instance, table)
                .map_err(|error| Failure::usage(format!("{label}: {error}")))?;
        }
        origin.values.push(choice.label());
        origin.params.push(json::params(&choice.params));
        exit = exit.and(finished.exit());
    }
    let Some(law) = gathered.map(|surroundings| surroundings.law()) else {
        return Ok(exit);
    };
    output::to(args.output.as_deref(), |out| {
        write(out, args, format, &law, &origin)
    })?;
    Ok(exit)
}

fn write(
    out: &mut dyn Write,
    args: &StuckArgs,
    format: StuckFormat,
    law: &Law,
    origin: &Origin,
) -> Result<(), Failure> {
    match format {
        StuckFormat::Csv => Ok(csv(out, law)?),
        StuckFormat::Json => Ok(line(out, &object(law, origin))?),
        StuckFormat::Text | StuckFormat::Dot => {
            match origin.values.as_slice() {
                [first, .., last] => {
                    let count = origin.values.len();
                    let stem = &origin.puzzle;
                    writeln!(out, "{stem} from {first} to {last}, {count} values")?;
                }
                [value] if value != "default" => writeln!(out, "{} {value}", origin.puzzle)?,
                _ => writeln!(out, "{}", origin.puzzle)?,
            }
            Ok(text(out, law, origin, args.limit)?)
        }
    }
}

/// The values as the domain of a claim: `n in 2..5 and m = 3`. A parameter that is not given, but
/// equals another one at every value, is written so, as `m = n`.
fn domain(session: &Session) -> String {
    let all: Vec<&Params> = session
        .choices
        .iter()
        .map(|choice| &choice.params)
        .collect();
    let given = session.given();
    let mut terms = Vec::new();
    let value = |params: &Params, name: &str| params.get(name).map(ToString::to_string);
    for (name, first) in &all[0].0 {
        let values: Vec<String> = all.iter().filter_map(|p| value(p, name)).collect();
        let numbers: Vec<i64> = all
            .iter()
            .filter_map(|p| match p.get(name) {
                Some(ParamValue::Int(number)) => Some(*number),
                _ => None,
            })
            .collect();
        let is_given = given.contains(name);
        let like = all[0].0.iter().take_while(|(other, _)| other != name);
        let mut like = like.filter(|(other, _)| given.contains(other));
        let like = like.find(|(other, _)| all.iter().all(|p| value(p, other) == value(p, name)));
        match (first, like) {
            (ParamValue::List(_), _) => {}
            (_, Some((other, _))) if !is_given => terms.push(format!("{name} = {other}")),
            _ if values.iter().all(|v| *v == values[0]) => {
                terms.push(format!("{name} = {}", values[0]));
            }
            _ => {
                let mut numbers = numbers;
                numbers.sort_unstable();
                numbers.dedup();
                match numbers.as_slice() {
                    [least, .., most] if most - least == numbers.len() as i64 - 1 => {
                        terms.push(format!("{name} in {least}..{most}"));
                    }
                    // No domain of a claim is just these values.
                    _ => return String::new(),
                }
            }
        }
    }
    terms.join(" and ")
}
