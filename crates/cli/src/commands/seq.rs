//! `impasse seq`: one figure as a sequence over a parameter, or a table over two.

mod compare;
mod origin;

use std::io::Write;

use impasse_analysis::claims::{Certainty, certainty};
use impasse_analysis::sequences::{Guess, LEAST_SPARE, guess};
use impasse_analysis::summary::KEYS;
use impasse_model::params::ParamValue;
use impasse_report::sequence::{Form, Sequence};
use impasse_report::{Record, bfile, guess as words, json, oeis};
use num_bigint::BigInt;

use crate::args::{SeqArgs, SeqFormat};
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::runner::{Runner, Wanted};
use crate::session::Session;
use crate::source::distance;
use crate::sweep::Choice;

/// Runs all values and prints the terms, or compares them with a b-file.
pub(crate) fn run(ui: Ui, args: &SeqArgs) -> Result<Exit, Failure> {
    let key = key(&args.of)?;
    let session = Session::open(ui, &args.puzzle)?;
    let format = if args.json {
        SeqFormat::Json
    } else {
        args.format
    };
    let mut sequence = Sequence {
        key: key.to_owned(),
        names: index_names(&session)?,
        form: Form::Line,
        terms: Vec::new(),
    };
    sequence.form = form(&sequence.names, args)?;
    if args.guess && matches!(format, SeqFormat::Bfile | SeqFormat::Csv) {
        return Err(
            Failure::usage("a b-file or a CSV file has no place for a formula")
                .help("take --format text, json or oeis with --guess"),
        );
    }
    let published = args.compare.as_deref().map(compare::read).transpose()?;
    session.look_ahead()?;
    let exit = collect(ui, args, &session, &mut sequence, format)?;
    if let Some(file) = published {
        return Ok(exit.and(compare::run(ui, args, &session, &sequence, &file)?));
    }
    let guessed = guessed(args, &sequence);
    output::to(args.output.as_deref(), |out| match format {
        SeqFormat::Text => {
            sequence.text(out)?;
            if args.guess {
                law(out, args, &session, &sequence, guessed.as_ref())?;
            }
            Ok(())
        }
        SeqFormat::Bfile => {
            let listing = sequence.listing();
            Ok(bfile::write(out, listing.first, &listing.values)?)
        }
        SeqFormat::Csv => Ok(sequence.csv(out)?),
        SeqFormat::Json => {
            sequence.json(out)?;
            if args.guess {
                let name = &sequence.names[0];
                let object = words::object(&session.stem, key, name, guessed.as_ref());
                json::line(out, &object)?;
            }
            Ok(())
        }
        SeqFormat::Oeis => {
            let origin = origin::of(args, &session, &sequence)?;
            Ok(oeis::block(out, &sequence, &origin, guessed.as_ref())?)
        }
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

/// The parameters that the sequence runs over: those that vary, or the first integer one given.
fn index_names(session: &Session) -> Result<Vec<String>, Failure> {
    let (first, last) = (
        &session.choices[0],
        &session.choices[session.choices.len() - 1],
    );
    let varies = |name: &&String| first.params.get(name) != last.params.get(name);
    let is_integer = |name: &&String| matches!(first.params.get(name), Some(ParamValue::Int(_)));
    let given = session.given();
    let varying: Vec<String> = given.iter().filter(varies).cloned().collect();
    match varying.len() {
        0 => match given.iter().find(is_integer) {
            Some(name) => Ok(vec![name.clone()]),
            None => Err(Failure::usage("a sequence needs a range of a parameter")
                .help("write for example -p n=1..10")),
        },
        1 | 2 => Ok(varying),
        count => Err(Failure::usage(format!(
            "a sequence runs over one or two parameters, not {count}"
        ))
        .help("give one value to the others, for example -p k=1")),
    }
}

fn form(names: &[String], args: &SeqArgs) -> Result<Form, Failure> {
    match (names, args.triangle) {
        ([name], true) => Err(Failure::usage("a triangle runs over two parameters")
            .help(format!("give a second range beside -p {name}=..."))),
        ([_, _], _) if args.guess => Err(Failure::usage("--guess looks at one parameter").help(
            format!(
                "give one value to {}, for example -p {}=1",
                names[1], names[1]
            ),
        )),
        ([_], false) => Ok(Form::Line),
        (_, true) => Ok(Form::Triangle),
        (_, false) => Ok(Form::Table),
    }
}

/// Runs every value; a sequence over one parameter ends before the first term that is missing.
fn collect(
    ui: Ui,
    args: &SeqArgs,
    session: &Session,
    sequence: &mut Sequence,
    format: SeqFormat,
) -> Result<Exit, Failure> {
    let runner = Runner::new(ui, &args.run)?;
    let wanted = Wanted::for_keys(&[&sequence.key]);
    // What is published must be a number of the puzzle, not of a window.
    let is_published = matches!(format, SeqFormat::Bfile | SeqFormat::Oeis);
    let mut exit = Exit::Done;
    for choice in &session.choices {
        let at = place(choice, &sequence.names);
        if sequence.form == Form::Triangle && at[1] > at[0] {
            continue;
        }
        let label = session.label(choice);
        let finished = runner.figures(&label, &session.instance(choice)?, wanted)?;
        exit = exit.and(finished.exit());
        match term(&finished.record, &sequence.key, is_published) {
            Ok((value, is_windowed)) => {
                if is_windowed {
                    let key = &sequence.key;
                    ui.note(format_args!("{label}: {key} holds only within the window"));
                }
                sequence.terms.push((at, value));
            }
            Err(why) if sequence.form == Form::Line => {
                ui.note(format_args!("{label}: {why}; the sequence ends before it"));
                break;
            }
            Err(why) => ui.note(format_args!("{label}: {why}")),
        }
        if exit == Exit::Interrupted {
            break;
        }
    }
    if let Some(at) = sequence
        .listing()
        .gap
        .filter(|_| is_published && sequence.form != Form::Line)
    {
        let words: Vec<String> = sequence
            .names
            .iter()
            .zip(at)
            .map(|(n, v)| format!("{n}={v}"))
            .collect();
        ui.note(format_args!("the sequence ends before {}", words.join(",")));
    }
    Ok(exit)
}

/// The values of the parameters that the sequence runs over.
fn place(choice: &Choice, names: &[String]) -> Vec<i64> {
    let value = |name: &String| match choice.params.get(name) {
        Some(ParamValue::Int(n)) => *n,
        _ => unreachable!("only integers are given as ranges"),
    };
    names.iter().map(value).collect()
}

/// The figure and whether it holds only within the window, or why there is none.
fn term(record: &Record, key: &str, is_published: bool) -> Result<(BigInt, bool), String> {
    let figure = record.summary.figure(key);
    let is_windowed = match certainty(&record.summary, key) {
        Certainty::Exact => false,
        Certainty::InWindow if is_published => {
            return Err(format!("{key} holds only within the window"));
        }
        Certainty::InWindow => true,
        Certainty::Unknown => return Err(format!("{key} is not known")),
    };
    match figure.and_then(|figure| figure.integer()) {
        Some(value) => Ok((value, is_windowed)),
        None => Err(format!("there is no {key}")),
    }
}

fn guessed(args: &SeqArgs, sequence: &Sequence) -> Option<Guess> {
    let listing = sequence.listing();
    args.guess
        .then(|| guess(&sequence.names[0], listing.first, &listing.values))?
}

/// The law, what it rests on, and the command that checks it.
fn law(
    out: &mut dyn Write,
    args: &SeqArgs,
    session: &Session,
    sequence: &Sequence,
    guessed: Option<&Guess>,
) -> Result<(), Failure> {
    let (key, name) = (&sequence.key, &sequence.names[0]);
    let Some(guessed) = guessed else {
        let count = sequence.terms.len();
        writeln!(
            out,
            "no law found: no polynomial, no sum of 2^n, 3^n, 4^n, (-1)^n, fib(n) and powers of n, no\n\
             linear recurrence gives these {count} terms with at least {LEAST_SPARE} to spare; more terms may show one"
        )?;
        return Ok(());
    };
    writeln!(out, "{}", words::law(key, name, guessed))?;
    writeln!(out, "{}", words::evidence(name, guessed))?;
    if let Some(formula) = words::formula(name, guessed) {
        let values = format!("{}..{}", guessed.from, guessed.to);
        let command = origin::command("verify", args, session, Some((name, &values)));
        writeln!(out, "check: {command} --of {key} --formula '{formula}'")?;
    }
    Ok(())
}
