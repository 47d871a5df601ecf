//! For which parameter values a claim is to be tested.

use impasse_model::codes;
use impasse_model::expr::{self, Names, Value};
use impasse_model::fault::Fault;
use impasse_model::params::Params;
use impasse_model::syntax::{
    Comparison, Cond, CondKind, Expr, ExprKind, Param, ParamKind, PuzzleFile,
};
use num_traits::ToPrimitive;

use crate::claims::is_measured_by_a_run;

/// No claim may ask for more runs than this.
const MOST_RUNS: usize = 100_000;

/// So many skipped values are named one by one.
const NAMED_SKIPS: usize = 3;

/// Parameters as they stand in `-p`: names and text.
pub type Given = Vec<(String, String)>;

/// The runs that a claim, or a formula, asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    /// Parameter values, in order of the domain. None: the claim does not speak of the values given
    /// on the command line, and is not tested here.
    pub values: Vec<Params>,
    /// Which values of the domain were skipped, and why.
    pub notes: Vec<String>,
}

/// The parameter values for which a claim is to be tested.
///
/// In `for n in 1..7 and m = n and over = opponent and n != 4`, terms of the form `PARAM in A..B` and
/// `PARAM = E` give values to parameters that the command line leaves open; every other term, and
/// every term on a parameter that is given, filters. Parameters that neither names have their
/// defaults. Values outside the declared range of a parameter are skipped, with a note. Terms on
/// figures of the run (`shortest != none`) are left for [`Evidence::check`].
///
/// [`Evidence::check`]: crate::claims::Evidence::check
///
/// # Errors
/// A term without a value, or a domain of more than 100,000 runs.
pub fn runs(domain: Option<&Cond>, file: &PuzzleFile, given: &Given) -> Result<Runs, Fault> {
    let terms = domain.map(terms_of).unwrap_or_default();
    let mut found = Finder {
        file,
        given,
        skipped: Vec::new(),
    };
    let assignments = found.assign(drivers(&terms, file, given))?;
    let mut values = Vec::new();
    for assignment in assignments {
        if let Some(params) = found.complete(&assignment)
            && passes(&terms, file, &params)?
        {
            values.push(params);
        }
    }
    Ok(Runs {
        values,
        notes: found.notes(),
    })
}

/// Parameters and the words of choices, as conditions name them.
pub(crate) struct Words<'a> {
    pub(crate) file: &'a PuzzleFile,
    pub(crate) params: &'a Params,
}

impl Names for Words<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        self.params
            .value(name)
            .or_else(|| is_choice_word(self.file, name).then(|| Value::Word(name.to_owned())))
    }
}

fn is_choice_word(file: &PuzzleFile, name: &str) -> bool {
    file.params.iter().any(|param| match &param.kind {
        ParamKind::Choice { values } => values.iter().any(|v| v.value == name),
        _ => false,
    })
}

/// The parts of a condition that must all hold.
pub(crate) fn terms_of(cond: &Cond) -> Vec<&Cond> {
    match &cond.kind {
        CondKind::And(all) => all.iter().flat_map(terms_of).collect(),
        _ => vec![cond],
    }
}

/// A term that gives values to a parameter.
struct Driver<'a> {
    param: &'a str,
    /// One value, or the inclusive ends of a range.
    ends: (&'a Expr, Option<&'a Expr>),
}

impl Driver<'_> {
    fn mentions(&self, name: &str) -> bool {
        let mut found = false;
        let mut visit = |n: &str, _| found |= n == name;
        expr::names_of(self.ends.0, &mut visit);
        if let Some(end) = self.ends.1 {
            expr::names_of(end, &mut visit);
        }
        found
    }
}

/// The first driving term of each parameter that is not given.
fn drivers<'a>(terms: &[&'a Cond], file: &'a PuzzleFile, given: &Given) -> Vec<Driver<'a>> {
    let mut found: Vec<Driver<'a>> = Vec::new();
    for term in terms {
        let Some(driver) = driver(term, file) else {
            continue;
        };
        let is_taken = given.iter().any(|(name, _)| name == driver.param)
            || found.iter().any(|other| other.param == driver.param);
        if !is_taken && !driver.mentions(driver.param) && !measured(term, file) {
            found.push(driver);
        }
    }
    found
}

fn driver<'a>(term: &'a Cond, file: &PuzzleFile) -> Option<Driver<'a>> {
    let integer = |p: &Param| matches!(p.kind, ParamKind::Integer { .. });
    let single = |p: &Param| !matches!(p.kind, ParamKind::List { .. });
    match &term.kind {
        CondKind::In(e, low, high) => param_of(e, file, integer).map(|param| Driver {
            param,
            ends: (low, Some(high)),
        }),
        CondKind::Compare(a, Comparison::Eq, b) => param_of(a, file, single)
            .map(|param| Driver {
                param,
                ends: (b, None),
            })
            .or_else(|| {
                param_of(b, file, single).map(|param| Driver {
                    param,
                    ends: (a, None),
                })
            }),
        _ => None,
    }
}

fn param_of<'a>(
    e: &'a Expr,
    file: &PuzzleFile,
    is_fit: impl Fn(&Param) -> bool,
) -> Option<&'a str> {
    let ExprKind::Name(name) = &e.kind else {
        return None;
    };
    file.params
        .iter()
        .any(|p| p.name.value == *name && is_fit(p))
        .then_some(name.as_str())
}

/// Whether a term can only be judged after the run.
fn measured(term: &Cond, file: &PuzzleFile) -> bool {
    let mut found = false;
    expr::names_of_condition(term, &mut |name, _| {
        found |= is_measured_by_a_run(file, name);
    });
    found
}

pub(crate) fn passes(terms: &[&Cond], file: &PuzzleFile, params: &Params) -> Result<bool, Fault> {
    for term in terms.iter().filter(|term| !measured(term, file)) {
        if !expr::holds(term, &Words { file, params })? {
            return Ok(false);
        }
    }
    Ok(true)
}

struct Finder<'a> {
    file: &'a PuzzleFile,
    given: &'a Given,
    /// Assignments that have no run, with the reason.
    skipped: Vec<String>,
}

impl Finder<'_> {
    /// Runs through all drivers, those first whose ends do not hang on other drivers.
    fn assign(&mut self, mut open: Vec<Driver>) -> Result<Vec<Given>, Fault> {
        let mut assignments = vec![self.given.clone()];
        let is_free = |at: usize, open: &[Driver]| {
            let others = open.iter().enumerate().filter(|&(i, _)| i != at);
            others
                .into_iter()
                .all(|(_, other)| !open[at].mentions(other.param))
        };
        while let Some(at) = (0..open.len()).find(|&at| is_free(at, &open)) {
            let driver = open.remove(at);
            let mut next = Vec::new();
            for assignment in assignments {
                self.drive(&driver, &assignment, &mut next)?;
            }
            assignments = next;
        }
        Ok(assignments)
    }

    fn drive(
        &mut self,
        driver: &Driver,
        assignment: &Given,
        next: &mut Vec<Given>,
    ) -> Result<(), Fault> {
        let mentions_params = self
            .file
            .params
            .iter()
            .any(|p| driver.mentions(&p.name.value));
        let params = if mentions_params {
            let Some(params) = self.complete(assignment) else {
                return Ok(());
            };
            params
        } else {
            Params::default()
        };
        let words = Words {
            file: self.file,
            params: &params,
        };
        let mut push = |text: String| {
            let mut longer = assignment.clone();
            longer.push((driver.param.to_owned(), text));
            next.push(longer);
        };
        match driver.ends {
            (e, None) => match expr::evaluate(e, &words)? {
                Value::Int(v) => push(v.to_string()),
                Value::Word(w) => push(w),
                Value::None => return Err(no_number(e)),
            },
            (low, Some(high)) => {
                let (from, to) = (integer(low, &words)?, integer(high, &words)?);
                if to.saturating_sub(from) >= MOST_RUNS as i64 {
                    return Err(too_many(high));
                }
                (from..=to).for_each(|v| push(v.to_string()));
            }
        }
        if next.len() > MOST_RUNS {
            Err(too_many(driver.ends.0))
        } else {
            Ok(())
        }
    }

    /// All parameters of an assignment; `None`, and a note, where a value is out of range.
    fn complete(&mut self, assignment: &Given) -> Option<Params> {
        match self.file.parameters(assignment) {
            Ok(params) => Some(params),
            Err(faults) => {
                let driven = &assignment[self.given.len().min(assignment.len())..];
                let values: Vec<String> = driven
                    .iter()
                    .map(|(name, value)| format!("{name} = {value}"))
                    .collect();
                let why = faults
                    .first()
                    .map_or("out of range", |f| f.message.as_str());
                self.skipped
                    .push(format!("{} is skipped: {why}", values.join(", ")));
                None
            }
        }
    }

    fn notes(mut self) -> Vec<String> {
        self.skipped.dedup();
        if self.skipped.len() > NAMED_SKIPS + 1 {
            let more = self.skipped.split_off(NAMED_SKIPS).len();
            self.skipped.push(format!("{more} more values are skipped"));
        }
        self.skipped
    }
}

fn integer(e: &Expr, words: &Words) -> Result<i64, Fault> {
    match expr::evaluate(e, words)? {
        Value::Int(v) => v.to_i64().ok_or_else(|| too_many(e)),
        _ => Err(no_number(e)),
    }
}

fn no_number(e: &Expr) -> Fault {
    Fault::new(codes::BAD_CLAIM, e.span, "this is not a number")
        .help("give the range of a parameter in numbers, as in `for n in 1..7`")
}

fn too_many(e: &Expr) -> Fault {
    Fault::new(
        codes::BAD_CLAIM,
        e.span,
        format!("the claim asks for more than {MOST_RUNS} runs"),
    )
    .help("name fewer values after `for`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use impasse_model::parse::parse;

    const RULES: &str = "puzzle \"Walk\"\nparam n = 3 in 1..9\nparam m = n in 1..9\n\
                         param way = forward / both\nparam list = 1 2\n\
                         piece W \"walker\"\nboard line\nstart W .^n\ngoal .^n W\n\
                         move go: W . -> . W\n";

    /// The runs as `n m way`, and the notes.
    fn check(domain: &str, given: &[(&str, &str)], expected: &[&str], notes: &[&str]) {
        let claim = if domain.is_empty() {
            String::new()
        } else {
            format!(" for {domain}")
        };
        let text = format!("{RULES}claim states = 1{claim}\n");
        let file = parse("test", text.as_bytes())
            .unwrap_or_else(|f| panic!("{f:?}"))
            .file;
        let given: Given = given
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect();
        let found = runs(file.claims[0].domain.as_ref(), &file, &given).expect("runs");
        let shown = |params: &Params| {
            let values = params.0[..3].iter().map(|(_, v)| v.to_string());
            values.collect::<Vec<_>>().join(" ")
        };
        let values: Vec<String> = found.values.iter().map(shown).collect();
        assert_eq!(values, expected, "{domain}");
        assert_eq!(found.notes, notes, "{domain}");
    }

    #[test]
    fn which_values_are_run() {
        check("", &[], &["3 3 forward"], &[]);
        check("", &[("n", "5")], &["5 5 forward"], &[]);
        check(
            "n in 1..3",
            &[],
            &["1 1 forward", "2 2 forward", "3 3 forward"],
            &[],
        );
        check(
            "n in 1..2 and m = n + 1",
            &[],
            &["1 2 forward", "2 3 forward"],
            &[],
        );
        check(
            "m = n + 1 and n in 1..2",
            &[],
            &["1 2 forward", "2 3 forward"],
            &[],
        );
        check(
            "n in 1..4 and n != 3 and m in 1..n and m*m = n",
            &[],
            &["1 1 forward", "4 2 forward"],
            &[],
        );
        check("way = both", &[], &["3 3 both"], &[]);
        check("both = way and 2 = n", &[], &["2 2 both"], &[]);
        check("n = 1 or n = 3", &[], &["3 3 forward"], &[]);
        check("n = n", &[], &["3 3 forward"], &[]);
        check("n in 5..4", &[], &[], &[]);
    }

    #[test]
    fn what_is_given_filters() {
        check("n in 1..3", &[("n", "2")], &["2 2 forward"], &[]);
        check("n in 1..3", &[("n", "4")], &[], &[]);
        check("way = both", &[("way", "forward")], &[], &[]);
        check("n in 1..3 and m = n", &[("m", "2")], &["2 2 forward"], &[]);
    }

    #[test]
    fn what_is_out_of_range_is_skipped() {
        let note = |n: i64| {
            format!("n = {n} is skipped: the parameter `n` = {n} is out of its range 1..9")
        };
        check(
            "n in 8..10",
            &[],
            &["8 8 forward", "9 9 forward"],
            &[&note(10)],
        );
        let notes = [
            note(10),
            note(11),
            note(12),
            "11 more values are skipped".to_owned(),
        ];
        let notes: Vec<&str> = notes.iter().map(String::as_str).collect();
        check("n in 9..23", &[], &["9 9 forward"], &notes);
    }

    #[test]
    fn no_end_of_runs() {
        let text = format!("{RULES}claim states = 1 for n in 1..10^9\n");
        let file = parse("test", text.as_bytes()).expect("a rule file").file;
        let fault = runs(file.claims[0].domain.as_ref(), &file, &Vec::new()).unwrap_err();
        assert_eq!(fault.message, "the claim asks for more than 100000 runs");
    }
}
