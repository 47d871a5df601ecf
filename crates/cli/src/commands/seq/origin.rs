//! Where a sequence comes from: the command, the rule file, the parameters.

use impasse_model::params::ParamValue;
use impasse_model::syntax::{ParamKind, PuzzleFile};
use impasse_report::checksum;
use impasse_report::oeis::Origin;
use impasse_report::sequence::Sequence;

use crate::args::SeqArgs;
use crate::exit::Failure;
use crate::session::Session;
use crate::sweep::Choice;

/// What an OEIS entry says of the origin of its terms.
pub(super) fn of(
    args: &SeqArgs,
    session: &Session,
    sequence: &Sequence,
) -> Result<Origin, Failure> {
    let version = env!("CARGO_PKG_VERSION");
    let file = &session.file;
    let example = session.choices.iter().take(2).next_back();
    let mut command = command("seq", args, session, None) + " --of " + &sequence.key;
    if args.triangle {
        command += " --triangle";
    }
    Ok(Origin {
        title: file.title.clone(),
        file: format!(
            "{}.puzzle (checksum {}) by Impasse {version}",
            session.stem,
            checksum::of(file.text.as_bytes())
        ),
        settings: settings(session, &sequence.names),
        command,
        program: format!("Impasse {version}"),
        example: example
            .map(|choice| start(session, sequence, choice))
            .transpose()?,
    })
}

/// `impasse COMMAND PUZZLE -p n=1..9`; `instead` replaces the value of one parameter.
pub(super) fn command(
    command: &str,
    args: &SeqArgs,
    session: &Session,
    instead: Option<(&str, &str)>,
) -> String {
    let mut words = vec![
        "impasse".to_owned(),
        command.to_owned(),
        quoted(&args.puzzle.puzzle),
    ];
    for given in &args.puzzle.values.params {
        let (name, value) = match instead {
            Some((name, value)) if given.name() == name => (name, value),
            _ => (given.name(), given.value()),
        };
        words.push("-p".to_owned());
        words.push(quoted(&format!("{name}={value}")));
    }
    if let Some(start) = &session.start {
        words.push("--start".to_owned());
        words.push(quoted(start));
    }
    words.join(" ")
}

/// A word of a command line, in quotes where a shell would take it apart.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,+:@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The parameters that the sequence does not run over: by value, or as the file has them.
fn settings(session: &Session, names: &[String]) -> Vec<String> {
    let (first, last) = (
        &session.choices[0],
        &session.choices[session.choices.len() - 1],
    );
    let others = first
        .params
        .0
        .iter()
        .filter(|(name, _)| !names.contains(name));
    others
        .map(|(name, value)| match last.params.get(name) {
            Some(end) if end != value => {
                format!("{name} = {}", declared(&session.file, name, value))
            }
            _ => format!("{name} = {value}"),
        })
        .collect()
}

/// The text by which a parameter is declared, if it depends on others.
fn declared(file: &PuzzleFile, name: &str, value: &ParamValue) -> String {
    let declared = file.params.iter().find(|param| param.name.value == name);
    match declared.map(|param| &param.kind) {
        Some(ParamKind::Integer { default, .. }) => file
            .text
            .get(default.span.start..default.span.end)
            .map_or_else(|| value.to_string(), |text| text.trim().to_owned()),
        _ => value.to_string(),
    }
}

fn start(
    session: &Session,
    sequence: &Sequence,
    choice: &Choice,
) -> Result<(Vec<i64>, String), Failure> {
    let instance = session.instance(choice)?;
    let start = instance
        .board
        .one_line(&instance.alphabet, &instance.starts[0]);
    Ok((super::place(choice, &sequence.names), start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_command_line() {
        let check = |word: &str, expected: &str| assert_eq!(quoted(word), expected);
        check("n=1..7", "n=1..7");
        check("chips=2 3", "'chips=2 3'");
        check("it's", "'it'\\''s'");
        check("", "''");
    }
}
