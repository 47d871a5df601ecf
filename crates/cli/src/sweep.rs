//! `-p`: which parameter values a command goes through.

use std::ops::RangeInclusive;

use impasse_model::fault::Faults;
use impasse_model::params::Params;
use impasse_model::syntax::{ParamKind, PuzzleFile};

use crate::exit::Failure;

/// More values than this are refused before anything runs.
const MOST_VALUES: u64 = 100_000;

/// One choice of parameters: what the user gave of it, and all of it.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The parameters given with `-p`, in order of declaration, one value each.
    pub(crate) given: Vec<(String, String)>,
    /// The values of all parameters.
    pub(crate) params: Params,
}

impl Choice {
    /// The name of its folder and of its line in messages: `n=3,way=both`, or `default`.
    pub(crate) fn label(&self) -> String {
        if self.given.is_empty() {
            return "default".to_owned();
        }
        let words: Vec<String> = self.given.iter().map(|(n, v)| format!("{n}={v}")).collect();
        words.join(",")
    }
}

/// What follows `-p`: a name and one or several values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    name: String,
    value: String,
}

impl Given {
    /// Reads `name=value`.
    ///
    /// # Errors
    /// Says what the flag looks like.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => Ok(Self {
                name: name.trim().to_owned(),
                value: value.trim().to_owned(),
            }),
            _ => Err(
                "write a parameter as NAME=VALUE or NAME=FIRST..LAST, for example n=1..7"
                    .to_owned(),
            ),
        }
    }

    /// The parameter.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What stands behind the `=`.
    pub(crate) fn value(&self) -> &str {
        &self.value
    }
}

/// All choices in order: the last declared parameter varies fastest.
///
/// # Errors
/// Faults of a name or value that the file does not allow, all found before anything runs.
pub(crate) fn choices(file: &PuzzleFile, given: &[Given]) -> Result<Vec<Choice>, Failure> {
    let axes = axes(file, given)?;
    let count = axes
        .iter()
        .try_fold(1u64, |count, axis| count.checked_mul(axis.values.len()));
    let count = count.filter(|&count| count <= MOST_VALUES).ok_or_else(|| {
        Failure::usage(format!(
            "-p asks for more than {MOST_VALUES} parameter values"
        ))
        .help("give shorter ranges")
    })?;
    (0..count)
        .map(|number| choice(file, &axes, number))
        .collect()
}

/// The values of one parameter given with `-p`.
struct Axis {
    name: String,
    values: Values,
}

enum Values {
    One(String),
    Range(RangeInclusive<i64>),
}

impl Values {
    fn len(&self) -> u64 {
        match self {
            Self::One(_) => 1,
            Self::Range(range) => (i128::from(*range.end()) - i128::from(*range.start()) + 1)
                .try_into()
                .unwrap_or(u64::MAX),
        }
    }

    fn nth(&self, number: u64) -> String {
        match self {
            Self::One(value) => value.clone(),
            Self::Range(range) => (range.start() + number as i64).to_string(),
        }
    }
}

/// The given parameters in order of declaration; unknown names stay at the end, for the model to
/// complain of.
fn axes(file: &PuzzleFile, given: &[Given]) -> Result<Vec<Axis>, Failure> {
    let mut axes = Vec::new();
    for Given { name, value } in given {
        if axes.iter().any(|axis: &Axis| axis.name == *name) {
            return Err(Failure::usage(format!("-p gives `{name}` twice"))
                .help("several values are written as a range, for example n=1..7"));
        }
        let place = file
            .params
            .iter()
            .position(|param| param.name.value == *name);
        let is_integer =
            place.is_some_and(|i| matches!(file.params[i].kind, ParamKind::Integer { .. }));
        let values = match range(value).filter(|_| is_integer) {
            Some(range) if range.is_empty() => {
                return Err(Failure::usage(format!("the range {name}={value} is empty"))
                    .help(format!("write {name}={}..{}", range.end(), range.start())));
            }
            Some(range) => Values::Range(range),
            None if is_integer && value.contains("..") => {
                return Err(Failure::usage(format!("{name}={value} is no range"))
                    .help(format!("write two integers, for example {name}=1..7")));
            }
            None => Values::One(value.clone()),
        };
        axes.push(Axis {
            name: name.clone(),
            values,
        });
    }
    let place = |axis: &Axis| file.params.iter().position(|p| p.name.value == axis.name);
    axes.sort_by_key(|axis| place(axis).unwrap_or(usize::MAX));
    Ok(axes)
}

/// Reads `1..7`.
fn range(text: &str) -> Option<RangeInclusive<i64>> {
    let (first, last) = text.split_once("..")?;
    Some(first.trim().parse().ok()?..=last.trim().parse().ok()?)
}

fn choice(file: &PuzzleFile, axes: &[Axis], number: u64) -> Result<Choice, Failure> {
    let mut rest = number;
    let mut given = Vec::new();
    for axis in axes.iter().rev() {
        let len = axis.values.len();
        given.push((axis.name.clone(), axis.values.nth(rest % len)));
        rest /= len;
    }
    given.reverse();
    let params = file
        .parameters(&given)
        .map_err(|faults| Faults::new(&file.origin, &file.text, faults))?;
    Ok(Choice { given, params })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &[&str], labels: &[&str]) {
        let text = "puzzle \"P\"\nparam n = 3 in 0..20\nparam m = n in 0..20\n\
                    param way = forward / both\nparam chips = 2 3 5\npiece F \"frog\"\n\
                    board line\nstart F^n .\ngoal . F^m\nmove step: F . -> . F\n";
        let file = impasse_model::parse::parse("test", text.as_bytes())
            .expect("a good file")
            .file;
        let given: Vec<Given> = given.iter().map(|g| Given::parse(g).expect(g)).collect();
        let choices = choices(&file, &given).expect("good values");
        assert_eq!(
            choices.iter().map(Choice::label).collect::<Vec<_>>(),
            labels
        );
    }

    #[test]
    fn the_last_declared_parameter_varies_fastest() {
        check(&[], &["default"]);
        check(&["n=2"], &["n=2"]);
        check(&["n=1..3"], &["n=1", "n=2", "n=3"]);
        check(
            &["m=0..1", "n=1..2"],
            &["n=1,m=0", "n=1,m=1", "n=2,m=0", "n=2,m=1"],
        );
        check(&["way=both", "n=1..2"], &["n=1,way=both", "n=2,way=both"]);
        check(&["chips=2 3"], &["chips=2 3"]);
    }

    #[test]
    fn ranges_that_are_none() {
        let file = impasse_model::parse::parse(
            "test",
            b"puzzle \"P\"\nparam n = 3 in 0..20\n\
            piece F \"frog\"\nboard line\nstart F^n .\ngoal . F^n\nmove step: F . -> . F\n",
        )
        .expect("a good file")
        .file;
        for value in [
            "1..",
            "..3",
            "1..10^9",
            "1..2..3",
            "..",
            "7..1",
            "0..99999999",
        ] {
            let given = Given::parse(&format!("n={value}")).expect(value);
            let failure = choices(&file, &[given]).expect_err(value);
            assert_eq!(failure.exit().code(), 2, "{value}");
        }
    }

    #[test]
    fn given_values() {
        assert!(Given::parse("n=3").is_ok());
        assert!(Given::parse("n").is_err());
        assert!(Given::parse("=3").is_err());
        assert_eq!(range("1..7"), Some(1..=7));
        assert_eq!(range("-2..2"), Some(-2..=2));
        assert_eq!(range("1..=7"), None);
    }
}
