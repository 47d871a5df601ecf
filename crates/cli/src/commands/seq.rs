//! `impasse seq`: one figure as a sequence over a parameter.

use std::io::Write;

use impasse_analysis::claims::{Certainty, certainty};
use impasse_analysis::summary::KEYS;
use impasse_model::params::ParamValue;
use impasse_report::{Record, json};
use num_bigint::BigInt;
use serde_json::{Value, json};

use crate::args::{SeqArgs, SeqFormat};
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::runner::{Runner, Wanted};
use crate::session::Session;
use crate::source::distance;

/// One term.
struct Term {
    /// The parameter's value.
    n: i64,
    /// The figure, as an integer.
    value: BigInt,
}

/// Runs all values and prints the terms; the first unknown one ends the sequence.
pub(crate) fn run(ui: Ui, args: &SeqArgs) -> Result<Exit, Failure> {
    let key = key(&args.of)?;
    let session = Session::open(ui, &args.puzzle)?;
    let name = index_name(&session)?;
    session.look_ahead()?;
    let runner = Runner::new(ui, &args.run)?;
    let wanted = Wanted::for_keys(&[key]);
    let mut terms = Vec::new();
    let mut exit = Exit::Done;
    for choice in &session.choices {
        let instance = session.instance(choice)?;
        let label = session.label(choice);
        let finished = runner.run(&label, &instance, wanted)?;
        exit = exit.and(finished.exit());
        let Some(term) = term(ui, &label, &finished.record, &name, key) else {
            break;
        };
        terms.push(term);
        if exit == Exit::Interrupted {
            break;
        }
    }
    let format = if args.json {
        SeqFormat::Json
    } else {
        args.format
    };
    output::to(args.output.as_deref(), |out| {
        write(out, format, &name, key, &terms)
    })?;
    Ok(exit)
}

/// The key of that name.
///
/// # Errors
/// Suggests the nearest one.
pub(crate) fn key(name: &str) -> Result<&'static str, Failure> {
    KEYS.into_iter().find(|key| *key == name).ok_or_else(|| {
        let near = KEYS
            .into_iter()
            .min_by_key(|key| distance(name, key))
            .unwrap_or("states");
        Failure::usage(format!("there is no key `{name}`")).help(format!(
            "did you mean `{near}`? The keys are {}",
            KEYS.join(", ")
        ))
    })
}

/// The parameter that the sequence runs over: the one that varies, or the first integer one given.
fn index_name(session: &Session) -> Result<String, Failure> {
    let (first, last) = (
        &session.choices[0],
        &session.choices[session.choices.len() - 1],
    );
    let varies = |name: &String| first.params.get(name) != last.params.get(name);
    let given = session.given();
    let varying: Vec<&String> = given.iter().filter(|name| varies(name)).collect();
    let is_integer = |name: &&String| matches!(first.params.get(name), Some(ParamValue::Int(_)));
    match varying.as_slice() {
        [name] => Ok((*name).clone()),
        [] => given.iter().find(is_integer).cloned().ok_or_else(|| {
            Failure::usage("a sequence needs a range of a parameter")
                .help("write for example -p n=1..10")
        }),
        _ => Err(Failure::usage("a sequence runs over one parameter")
            .help("give a range to one parameter only")),
    }
}

fn term(ui: Ui, label: &str, record: &Record, name: &str, key: &str) -> Option<Term> {
    let Some(ParamValue::Int(n)) = record.params.get(name) else {
        return None;
    };
    let value = record
        .summary
        .figure(key)
        .and_then(|figure| figure.integer());
    match certainty(&record.summary, key) {
        Certainty::Exact => {}
        Certainty::InWindow => ui.note(format_args!("{label}: {key} holds only within the window")),
        Certainty::Unknown => {
            ui.note(format_args!(
                "{label}: {key} is not known; the sequence ends before it"
            ));
            return None;
        }
    }
    if value.is_none() {
        ui.note(format_args!(
            "{label}: there is no {key}; the sequence ends before it"
        ));
    }
    Some(Term {
        n: *n,
        value: value?,
    })
}

fn write(
    out: &mut dyn Write,
    format: SeqFormat,
    name: &str,
    key: &str,
    terms: &[Term],
) -> Result<(), Failure> {
    match format {
        SeqFormat::Text => {
            let words: Vec<String> = terms.iter().map(|term| term.value.to_string()).collect();
            writeln!(out, "{}", words.join(", "))?;
        }
        SeqFormat::Bfile => {
            for term in terms {
                writeln!(out, "{} {}", term.n, term.value)?;
            }
        }
        SeqFormat::Csv => {
            writeln!(out, "{name},{key}")?;
            for term in terms {
                writeln!(out, "{},{}", term.n, term.value)?;
            }
        }
        SeqFormat::Json => {
            for term in terms {
                json::line(out, &object(name, key, term))?;
            }
        }
    }
    Ok(())
}

/// Values beyond what every reader of JSON keeps exactly are strings.
fn object(name: &str, key: &str, term: &Term) -> Value {
    let value = i64::try_from(&term.value)
        .ok()
        .filter(|value| value.unsigned_abs() < 1 << 53)
        .map_or_else(|| json!(term.value.to_string()), |value| json!(value));
    let mut object = serde_json::Map::new();
    object.insert("schema".to_owned(), json!("impasse.term/1"));
    object.insert(name.to_owned(), json!(term.n));
    object.insert(key.to_owned(), value);
    Value::Object(object)
}
