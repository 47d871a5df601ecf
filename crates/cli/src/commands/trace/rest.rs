//! The row at rest, computed from the value a + b*phi of a row alone: to check where a play ended,
//! and instead of playing.

use std::fmt::Write as _;

use impasse_model::board::Shape;
use impasse_model::instance::{Instance, Value};
use impasse_model::phi::{Phi, is_at_rest, keeps_phi};
use impasse_model::strategy::Row;
use impasse_report::json;
use serde_json::json;

use crate::args::TraceArgs;
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};

/// Parts of a value with more digits are shortened for people.
const MOST_DIGITS: usize = 30;

/// A row further from place 0 is valued from its own first cell.
const FARTHEST: i64 = 1 << 14;

/// What the value of the start says of the end.
pub(super) struct Rest {
    /// The value, and the place of the cell that weighs 1; `None` where moves do not keep it.
    value: Option<(Phi, i64)>,
}

/// What became of the check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Moves do not keep a value.
    Open,
    /// The row is the row at rest of the value.
    AtRest,
    /// The row has the value, and is not at rest.
    Kept,
    /// It is not the row that it must be: the program is wrong.
    Wrong,
}

impl Rest {
    /// What the start says.
    pub(super) fn of(instance: &Instance, start: &Row) -> Self {
        let (first, cells) = start.occupied();
        Self {
            value: keeps_phi(instance).map(|_| valued(first, cells)),
        }
    }

    /// Compares a row that play led to.
    pub(super) fn check(&self, end: &Row) -> Verdict {
        let Some((value, first)) = &self.value else {
            return Verdict::Open;
        };
        let (begin, cells) = end.occupied();
        if !is_at_rest(cells) {
            let here = Phi::of_row(cells).times(&Phi::power(begin - first));
            return if here == *value {
                Verdict::Kept
            } else {
                Verdict::Wrong
            };
        }
        // Lines with ends show their empty cells, too.
        let skipped = cells.iter().take_while(|&&count| count == 0).count();
        let occupied: &[Value] = &cells[skipped..];
        let length = occupied
            .iter()
            .rposition(|&count| count > 0)
            .map_or(0, |last| last + 1);
        let is_expected = value.resting_row().is_some_and(|(offset, row)| {
            row == occupied[..length]
                && (row.is_empty() || first + offset == begin + skipped as i64)
        });
        if is_expected {
            Verdict::AtRest
        } else {
            Verdict::Wrong
        }
    }

    /// The value in decimal, `[a, b]`.
    pub(super) fn parts(&self) -> Option<[String; 2]> {
        self.value.as_ref().map(|(value, first)| {
            let value = from_place_0(value, *first);
            [value.a.to_string(), value.b.to_string()]
        })
    }

    /// The value for people.
    fn shown(&self) -> String {
        self.value
            .as_ref()
            .map_or_else(String::new, |(value, first)| in_words(value, *first))
    }
}

impl Verdict {
    /// The sentence that says what was checked; none where nothing could be.
    pub(super) fn words(&self, rest: &Rest) -> Option<String> {
        let value = rest.shown();
        Some(match self {
            Self::Open | Self::Wrong => return None,
            Self::AtRest => {
                format!("checked: the row at rest of value {value}, computed from the value alone")
            }
            Self::Kept => format!("checked: the value {value} is kept; this row is not at rest"),
        })
    }

    /// How the command ends for it.
    pub(super) fn exit(&self, rest: &Rest) -> Exit {
        if *self != Self::Wrong {
            return Exit::Done;
        }
        Ui::alarm(format_args!(
            "a fault of the product: value {} does not belong to the row where play ended; please report it",
            rest.shown()
        ));
        Exit::No
    }
}

/// The value of a row, and the place of the cell that weighs 1: place 0, unless that is far away.
fn valued(first: i64, cells: &[Value]) -> (Phi, i64) {
    let value = Phi::of_row(cells);
    if first.abs() <= FARTHEST {
        (value.times(&Phi::power(first)), 0)
    } else {
        (value, first)
    }
}

/// The value with the cell of place 0 weighing 1.
fn from_place_0(value: &Phi, first: i64) -> Phi {
    value.times(&Phi::power(first))
}

/// The value of the starts in words, if every move keeps it and they all have one.
pub(in crate::commands) fn kept_value(instance: &Instance) -> Option<String> {
    let place = keeps_phi(instance)?;
    let mut values = instance.starts.iter().map(|start| {
        let skipped = start.iter().take_while(|&&count| count == 0).count();
        valued(place + skipped as i64, &start[skipped..])
    });
    let (value, first) = values.next()?;
    let is_one = values.all(|other| other == (value.clone(), first));
    Some(if is_one {
        in_words(&value, first)
    } else {
        "a + b*phi".to_owned()
    })
}

/// `7 + 8*phi`; long numbers by their lengths.
fn in_words(value: &Phi, first: i64) -> String {
    let mut text = value.to_string();
    if text.len() > 2 * MOST_DIGITS {
        let digits = |n: &num_bigint::BigInt| n.magnitude().to_string().len();
        text = format!(
            "a + b*phi (a of {} digits, b of {})",
            digits(&value.a),
            digits(&value.b)
        );
    }
    if first != 0 {
        text = format!("({text})*phi^{first}");
    }
    text
}

/// `impasse trace --final`.
pub(super) fn print(args: &TraceArgs, instance: &Instance) -> Result<Exit, Failure> {
    let Some(place) = keeps_phi(instance) else {
        return Err(Failure::usage(format!(
            "{}: its moves are not known to keep a value a + b*phi, so that the end cannot be computed",
            instance.name
        ))
        .help("leave --final out: the strategy is played to its end"));
    };
    let start = &instance.starts[0];
    let skipped = start.iter().take_while(|&&count| count == 0).count();
    let (value, first) = valued(place + skipped as i64, &start[skipped..]);
    let (offset, cells) = value.resting_row().expect("counts are not negative");
    let begin = first + offset;
    let end = begin + cells.len() as i64;
    if instance.board.shape == Shape::Line && !cells.is_empty() {
        let fits = begin >= 0 && end <= instance.board.cells as i64;
        if !fits {
            return Err(Failure::usage(format!(
                "the row at rest of value {} reaches from cell {} to cell {end}, beyond the ends of the board",
                in_words(&value, first),
                begin + 1
            )));
        }
    }
    output::to(args.output.as_deref(), |out| {
        if args.json {
            let value = from_place_0(&value, first);
            let object = json!({
                "schema": "impasse.rest/1",
                "puzzle": instance.name,
                "params": json::params(&instance.params),
                "value": [value.a.to_string(), value.b.to_string()],
                "state": row_text(begin, &cells),
            });
            return Ok(json::line(out, &object)?);
        }
        writeln!(out, "value {}", in_words(&value, first))?;
        Ok(writeln!(out, "at rest {}", row_text(begin, &cells))?)
    })?;
    Ok(Exit::Done)
}

/// As an endless row of counts is drawn in one line.
fn row_text(begin: i64, cells: &[Value]) -> String {
    if cells.is_empty() {
        return ".@0".to_owned();
    }
    let mut text = String::with_capacity(2 * cells.len() + 8);
    for count in cells {
        text.push_str(if *count == 0 { ". " } else { "1 " });
    }
    text.pop();
    let _ = write!(text, "@{begin}");
    text
}

#[cfg(test)]
mod tests {
    use impasse_model::strategy::Program;

    use super::*;

    fn check(start: &str, end: &str, verdict: &Verdict) {
        let text = "puzzle \"P\"\nboard line endless of counts, spare 8\nstart 2 3 5\n\
                    goal never 2.. and never 1.. 1..\nmove split: +1 +1 -1\nmove merge: -1 -1 +1\n\
                    strategy s\n  9 -> -1\n";
        let file = impasse_model::parse::parse("test", text.as_bytes())
            .expect("a rule file")
            .file;
        let rows = [start, end].map(|start| {
            let params = file.parameters(&[]).expect("defaults");
            let (instance, _) = file
                .instance("test", params, Some(start))
                .expect("an instance");
            let program = Program::new(&instance, &instance.strategies[0]).expect("a program");
            let row = program.play(&instance.starts[0]).row().clone();
            (Rest::of(&instance, &row), row)
        });
        assert_eq!(rows[0].0.check(&rows[1].1), *verdict, "{start} to {end}");
    }

    #[test]
    fn where_play_must_end() {
        check("2 3 5", "1 . . 1 . . . . 1@-2", &Verdict::AtRest);
        check("2 3 5", "1 . . 1 . . . . 1@-1", &Verdict::Wrong);
        check("2 3 5", "1 . . 1 . . . 1@-2", &Verdict::Wrong);
        check("2 3 5", "2 2 4 1", &Verdict::Kept);
        check("2 3 5", "2 2 4 2", &Verdict::Wrong);
        check("1 1@1000000", "1@1000002", &Verdict::AtRest);
        check(".", ".", &Verdict::AtRest);
    }
}
