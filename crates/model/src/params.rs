//! Parameters and their values.

use crate::codes::BAD_PARAMETER;
use crate::expr::{integer, names_of};
use crate::fault::Fault;
use crate::syntax::{Expr, Param, ParamKind, PuzzleFile, Spanned};

/// The value of one parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ParamValue {
    /// An integer.
    Int(i64),
    /// A list of integers.
    List(Vec<i64>),
    /// A choice.
    Choice(String),
}

impl std::fmt::Display for ParamValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(v) => write!(f, "{v}"),
            Self::List(v) => {
                let words: Vec<String> = v.iter().map(ToString::to_string).collect();
                write!(f, "{}", words.join(" "))
            }
            Self::Choice(v) => write!(f, "{v}"),
        }
    }
}

/// The values of all parameters, in order of declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Params(pub Vec<(String, ParamValue)>);

impl Params {
    /// The value of a parameter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ParamValue> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }
}

impl PuzzleFile {
    /// Fixes all parameters: those given as text (`("n", "3")`; a list as `2 3 5` or `2,3,5`), the
    /// others by their defaults, which may use earlier ones.
    ///
    /// # Errors
    /// A fault each for an unknown name (with the nearest), text that is no value, a value out of
    /// range.
    pub fn parameters(&self, given: &[(String, String)]) -> Result<Params, Vec<Fault>> {
        let mut choosing = Choosing {
            file: self,
            given,
            params: Params::default(),
            faults: Vec::new(),
        };
        choosing.check_names();
        let mut bad: Vec<&str> = Vec::new();
        for param in &self.params {
            // What hangs on a faulty parameter is not looked at: one fault says enough.
            let hangs = uses_any(&param.kind, &bad);
            match if hangs { None } else { choosing.value(param) } {
                Some(value) => choosing.params.0.push((param.name.value.clone(), value)),
                None => bad.push(&param.name.value),
            }
        }
        if choosing.faults.is_empty() {
            Ok(choosing.params)
        } else {
            Err(choosing.faults)
        }
    }
}

/// The choosing of values, parameter by parameter.
struct Choosing<'a> {
    file: &'a PuzzleFile,
    given: &'a [(String, String)],
    params: Params,
    faults: Vec<Fault>,
}

impl Choosing<'_> {
    /// Notes names that are no parameters, or given twice.
    fn check_names(&mut self) {
        let names: Vec<&str> = self
            .file
            .params
            .iter()
            .map(|p| p.name.value.as_str())
            .collect();
        for (index, (name, _)) in self.given.iter().enumerate() {
            if self.given[..index]
                .iter()
                .any(|(earlier, _)| earlier == name)
            {
                let fault = Fault::placeless(
                    BAD_PARAMETER,
                    format!("the parameter `{name}` is given twice"),
                );
                self.faults
                    .push(fault.help("give one value for each parameter"));
            } else if !names.contains(&name.as_str()) {
                self.faults.push(unknown(name, &names));
            }
        }
    }

    fn value(&mut self, param: &Param) -> Option<ParamValue> {
        let name = &param.name.value;
        let given = self
            .given
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, text)| text.trim());
        let value = match &param.kind {
            ParamKind::Integer { default, range } => self
                .integer(param, given, default, range.as_ref())
                .map(ParamValue::Int),
            ParamKind::List { default } => match given {
                Some(text) => list(param, text).map(ParamValue::List),
                None => Ok(ParamValue::List(default.clone())),
            },
            ParamKind::Choice { values } => choice(param, given, values).map(ParamValue::Choice),
        };
        value.map_err(|fault| self.faults.push(fault)).ok()
    }

    fn integer(
        &self,
        param: &Param,
        given: Option<&str>,
        default: &Expr,
        range: Option<&(Expr, Expr)>,
    ) -> Result<i64, Fault> {
        let range = match range {
            Some((from, to)) => Some((integer(from, &self.params)?, integer(to, &self.params)?)),
            None => None,
        };
        let value = match given {
            Some(text) => number(text).ok_or_else(|| no_integer(param, text, range))?,
            None => integer(default, &self.params)?,
        };
        match range {
            Some((from, to)) if from > to => Err(self
                .file_fault(
                    param,
                    format!(
                        "the range {from}..{to} of the parameter `{}` is empty",
                        param.name.value
                    ),
                )
                .help("the range is written from the least to the greatest value")),
            Some((from, to)) if !(from..=to).contains(&value) => {
                Err(self.out_of_range(param, given.is_some(), value, (from, to)))
            }
            _ => Ok(value),
        }
    }

    fn out_of_range(
        &self,
        param: &Param,
        given: bool,
        value: i64,
        (from, to): (i64, i64),
    ) -> Fault {
        let name = &param.name.value;
        let help = format!("`{name}` may be {from} to {to}");
        if given {
            let message =
                format!("the parameter `{name}` = {value} is out of its range {from}..{to}");
            return declared(Fault::placeless(BAD_PARAMETER, message), param).help(help);
        }
        let message = format!(
            "the default {value} of the parameter `{name}` is out of its range {from}..{to}"
        );
        self.file_fault(param, message)
            .help(format!("{help}: give it with `-p {name}=VALUE`"))
    }

    /// A fault of the file if no parameter is given, else of the command line.
    fn file_fault(&self, param: &Param, message: String) -> Fault {
        if self.given.is_empty() {
            Fault::new(BAD_PARAMETER, param.name.span, message)
        } else {
            declared(Fault::placeless(BAD_PARAMETER, message), param)
        }
    }
}

/// Whether a default or a range uses one of these parameters.
fn uses_any(kind: &ParamKind, names: &[&str]) -> bool {
    let ParamKind::Integer { default, range } = kind else {
        return false;
    };
    let ends = range.iter().flat_map(|(from, to)| [from, to]);
    let mut found = false;
    for expr in std::iter::once(default).chain(ends) {
        names_of(expr, &mut |name, _| found |= names.contains(&name));
    }
    found
}

fn unknown(name: &str, names: &[&str]) -> Fault {
    let fault = Fault::placeless(
        BAD_PARAMETER,
        format!("the puzzle has no parameter `{name}`"),
    );
    match crate::parse::nearest(name, names.iter().copied()) {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None if names.is_empty() => fault.help("it has no parameters at all"),
        None => fault.help(format!("its parameters are {}", names.join(", "))),
    }
}

fn declared(fault: Fault, param: &Param) -> Fault {
    fault.related(
        param.name.span,
        format!("`{}` is declared here", param.name.value),
    )
}

/// An integer in decimal digits.
fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

fn no_integer(param: &Param, text: &str, range: Option<(i64, i64)>) -> Fault {
    let name = &param.name.value;
    let digits = text.strip_prefix('-').unwrap_or(text);
    let message = if digits.len() > 18 && digits.bytes().all(|b| b.is_ascii_digit()) {
        format!(
            "the value of the parameter `{name}` has {} digits",
            digits.len()
        )
    } else {
        format!("the parameter `{name}` is an integer, but `{text}` is none")
    };
    let fault = declared(Fault::placeless(BAD_PARAMETER, message), param);
    match range {
        Some((from, to)) => fault.help(format!("`{name}` may be {from} to {to}")),
        None => fault.help(format!("write for example `{name}=3`")),
    }
}

fn list(param: &Param, text: &str) -> Result<Vec<i64>, Fault> {
    let name = &param.name.value;
    let words = text
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|w| !w.is_empty());
    let values: Option<Vec<i64>> = words.map(number).collect();
    values.filter(|v| !v.is_empty()).ok_or_else(|| {
        let message = format!("the parameter `{name}` is a list of integers, but `{text}` is none");
        declared(Fault::placeless(BAD_PARAMETER, message), param)
            .help(format!("write for example `{name}=2,3,5`"))
    })
}

fn choice(param: &Param, given: Option<&str>, values: &[Spanned<String>]) -> Result<String, Fault> {
    let words: Vec<&str> = values.iter().map(|v| v.value.as_str()).collect();
    let Some(text) = given else {
        return Ok(words[0].to_owned());
    };
    if words.contains(&text) {
        return Ok(text.to_owned());
    }
    let name = &param.name.value;
    let message = format!(
        "the parameter `{name}` is one of {}, not `{text}`",
        words.join(" / ")
    );
    let fault = declared(Fault::placeless(BAD_PARAMETER, message), param);
    Err(match crate::parse::nearest(text, words.iter().copied()) {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None => fault.help(format!("write for example `{name}={}`", words[0])),
    })
}
