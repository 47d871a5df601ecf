//! What an entry of the OEIS asks for, field by field.
//!
//! # Source
//! "OEIS contribution form", <https://oeis.org/wiki/Style_Sheet>: DATA of about 260 characters, OFFSET
//! with the place of the first term above 1, ASCII.

use std::io::Write;

use impasse_analysis::sequences::Guess;
use num_bigint::{BigInt, Sign};

use crate::error::Error;
use crate::guess;
use crate::sequence::{Form, Listing, Sequence};

/// DATA has about so many characters.
const DATA_WIDTH: usize = 260;

/// What a sequence does not know of itself.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The puzzle's title.
    pub title: String,
    /// The file's name, its checksum, and the version of the program.
    pub file: String,
    /// Parameters that the sequence does not run over, as `m = n`.
    pub settings: Vec<String>,
    /// The command that prints the terms.
    pub command: String,
    /// The program and its version: `Impasse 0.1.0`.
    pub program: String,
    /// Parameter values of a small case, and its start in one line.
    pub example: Option<(Vec<i64>, String)>,
}

/// Writes NAME, DATA, OFFSET, COMMENTS, EXAMPLE, PROG and KEYWORD, and FORMULA with a guess.
///
/// Only the terms before the first gap count. What is not ASCII is written as `?`.
///
/// # Errors
/// Those of `out`.
pub fn block(
    out: &mut dyn Write,
    sequence: &Sequence,
    origin: &Origin,
    guessed: Option<&Guess>,
) -> Result<(), Error> {
    let listing = sequence.listing();
    let mut fields = vec![
        ("NAME", vec![name(sequence, origin)]),
        ("DATA", vec![data(&listing.values)]),
        ("OFFSET", vec![offset(&listing)]),
        ("COMMENTS", comments(origin)),
        ("EXAMPLE", example(sequence, origin)?),
    ];
    if let Some(guessed) = guessed {
        let index = &sequence.names[0];
        let law = match guess::formula(index, guessed) {
            Some(formula) => format!("a({index}) = {formula}{}", guess::domain(index, guessed)),
            None => guess::law("", index, guessed).replacen(": ", "", 1),
        };
        let evidence = guess::evidence(index, guessed);
        fields.push(("FORMULA", vec![format!("Conjecture: {law} ({evidence}).")]));
    }
    fields.push((
        "PROG",
        vec![format!("({}) {}", origin.program, origin.command)],
    ));
    fields.push(("KEYWORD", vec![keywords(sequence, &listing.values)]));
    for (field, lines) in fields {
        writeln!(out, "{field}")?;
        for line in lines {
            writeln!(out, "    {}", ascii(&line))?;
        }
    }
    Ok(())
}

fn ascii(text: &str) -> String {
    let plain = |c: char| if c.is_ascii() { c } else { '?' };
    text.chars().map(plain).collect()
}

fn name(sequence: &Sequence, origin: &Origin) -> String {
    let what = phrase(&sequence.key);
    let title = &origin.title;
    let names = sequence.names.join(", ");
    match sequence.form {
        Form::Line => format!("{what}, in the puzzle \"{title}\" with parameter {names}."),
        Form::Table => format!(
            "Square array read by descending antidiagonals: {what}, in the puzzle \"{title}\" with parameters {names}."
        ),
        Form::Triangle => format!(
            "Triangle read by rows: {what}, in the puzzle \"{title}\" with parameters {names}."
        ),
    }
}

/// What a key counts, in words of its own.
fn phrase(key: &str) -> &str {
    match key {
        "states" => "Number of positions that can be reached from the start",
        "transitions" => "Number of pairs of a position and a different position one move later",
        "starts" => "Number of positions play may begin from",
        "goals" => "Number of goal positions that can be reached from the start",
        "live" => "Number of reachable positions from which a goal can be reached",
        "doomed" => "Number of reachable positions with a move left, but no way to a goal",
        "dead_ends" => "Number of reachable positions that are no goal and have no move",
        "lost" => "Number of reachable positions from which no goal can be reached",
        "blocking_moves" => {
            "Number of moves that lead from a position that can be won to one that cannot"
        }
        "points_of_no_return" => {
            "Number of reachable positions that can be won and have a move that loses"
        }
        "only_moves" => "Number of reachable positions in which exactly one move keeps the win",
        "shortest" => "Fewest moves from the start to a goal",
        "shortest_solutions" => "Number of shortest solutions",
        "max_depth" => "Greatest number of moves that a reachable position may need",
        "max_remoteness" => {
            "Greatest number of moves to the nearest goal from a position that can be won"
        }
        "first_dead_end_depth" => {
            "Fewest moves from the start to a position without a move that is no goal"
        }
        "longest" => "Greatest number of moves of a play",
        "plays" => "Number of plays to the end",
        other => other,
    }
}

/// As many terms as fit; at least one.
fn data(values: &[BigInt]) -> String {
    let mut text = String::new();
    for value in values {
        let word = value.to_string();
        if !text.is_empty() && text.len() + 2 + word.len() > DATA_WIDTH {
            break;
        }
        if !text.is_empty() {
            text += ", ";
        }
        text += &word;
    }
    text
}

/// The first index, and the place, from 1, of the first term above 1 in size.
fn offset(listing: &Listing) -> String {
    let is_large = |value: &BigInt| *value.magnitude() > 1_u8.into();
    let place = listing
        .values
        .iter()
        .position(is_large)
        .map_or(1, |i| i + 1);
    format!("{},{place}", listing.first)
}

fn comments(origin: &Origin) -> Vec<String> {
    let mut lines = vec![format!(
        "Computed by exhaustive search from {}.",
        origin.file
    )];
    if !origin.settings.is_empty() {
        lines.push(format!("Here {}.", origin.settings.join(", ")));
    }
    lines
}

fn example(sequence: &Sequence, origin: &Origin) -> Result<Vec<String>, Error> {
    let mut lines = Vec::new();
    if let Some((at, start)) = &origin.example
        && let Some((_, value)) = sequence.terms.iter().find(|(other, _)| other == at)
    {
        let words: Vec<String> = sequence
            .names
            .iter()
            .zip(at)
            .map(|(name, n)| format!("{name} = {n}"))
            .collect();
        let letter = match sequence.form {
            Form::Line => "a",
            Form::Table => "A",
            Form::Triangle => "T",
        };
        let index: Vec<String> = at.iter().map(ToString::to_string).collect();
        lines.push(format!(
            "For {} play begins at {start}, and {letter}({}) = {value}.",
            words.join(", "),
            index.join(",")
        ));
    }
    if sequence.form != Form::Line {
        let mut table = Vec::new();
        sequence.text(&mut table)?;
        lines.push(match sequence.form {
            Form::Triangle => "Triangle begins:".to_owned(),
            _ => "Array begins:".to_owned(),
        });
        lines.extend(String::from_utf8_lossy(&table).lines().map(str::to_owned));
    }
    Ok(lines)
}

fn keywords(sequence: &Sequence, values: &[BigInt]) -> String {
    let has_negative = values.iter().any(|value| value.sign() == Sign::Minus);
    let sign = if has_negative { "sign" } else { "nonn" };
    match sequence.form {
        Form::Line => sign.to_owned(),
        Form::Table | Form::Triangle => format!("{sign},tabl"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::text_of;

    #[test]
    fn a_block_is_ascii_and_short() {
        let sequence = Sequence {
            key: "states".to_owned(),
            names: vec!["n".to_owned()],
            form: Form::Line,
            terms: (0..60).map(|n| (vec![n], BigInt::from(1) << n)).collect(),
        };
        let origin = Origin {
            title: "Türme".to_owned(),
            file: "towers.puzzle".to_owned(),
            settings: vec!["m = n".to_owned()],
            command: "impasse seq towers --of states -p n=0..59".to_owned(),
            program: "Impasse 0.1.0".to_owned(),
            example: Some((vec![2], "A.B".to_owned())),
        };
        let text = text_of(|out| block(out, &sequence, &origin, None));
        let longest = text.lines().map(str::len).max().expect("lines");
        assert!(text.is_ascii() && longest <= DATA_WIDTH + 4, "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[1].ends_with(", in the puzzle \"T?rme\" with parameter n."),
            "{text}"
        );
        assert_eq!(lines[4..6], ["OFFSET", "    0,2"]);
        assert!(
            text.contains("    For n = 2 play begins at A.B, and a(2) = 4.\n"),
            "{text}"
        );
        assert!(text.ends_with("KEYWORD\n    nonn\n"), "{text}");
    }
}
