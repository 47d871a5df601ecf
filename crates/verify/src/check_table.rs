//! A published report folder, checked from the rule text it carries.

use std::path::Path;

use impasse_model::instance::Instance;
use impasse_model::parse::parse;
use impasse_model::syntax::PuzzleFile;

use crate::error::CheckError;
use crate::figures::Figures;
use crate::published::{Published, ValueNote};
use crate::slow::{State, search};
use crate::table::check_value;
use crate::totals::{Depths, Summary};

/// What was checked, value by value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The puzzle's name.
    pub puzzle: String,
    /// The values, in the order of the folder.
    pub values: Vec<CheckedValue>,
}

/// What was checked of one parameter value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedValue {
    /// Its folder.
    pub folder: String,
    /// How far.
    pub extent: Extent,
}

/// How far a value was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Every row of every file.
    Listed {
        /// States that were checked one by one.
        states: u64,
        /// Transitions that were checked one by one.
        transitions: u64,
    },
    /// The folder does not list its states; a slow search found them again, and all totals are right.
    Searched {
        /// States that were found.
        states: u64,
    },
    /// The folder does not list its states, and they are too many, or the run was stopped: only that
    /// the totals agree with each other is known.
    Totals,
}

/// States that are not listed are searched for up to this number: half a minute and 1.5 GB.
pub const MOST_SEARCHED: u64 = 1_600_000;

/// Checks a report folder: each cell of each table.
///
/// Everything starts from the rule text in `run.json`, and the rules are placed anew by the slow
/// code of this crate. About a hundred bytes a listed state and thirty a transition are held, a kilobyte a state that is
/// searched for.
///
/// # Errors
/// The first thing found wrong, or the reason why the folder cannot be checked; see
/// [`CheckError::is_wrong`].
pub fn check_table(dir: &Path) -> Result<Checked, CheckError> {
    let published = Published::read(dir)?;
    let shown = dir.join("run.json").display().to_string();
    let file = parse(&format!("rules of {shown}"), published.rules.as_bytes())
        .map_err(|faults| unusable_rules(&shown, &faults))?
        .file;
    let mut totals = Totals {
        summary: Summary::read(dir, &published)?,
        depths: Depths::read(dir, &published)?,
    };
    let mut values = Vec::new();
    for (number, value) in published.values.iter().enumerate() {
        let instance = instance(&file, &published, value, &shown)?;
        let folder = dir.join(&value.folder);
        let is_listed = value.files.iter().any(|file| file.name == "states.csv");
        let state_count = totals.summary.figure(number, "states");
        let is_small = state_count.is_some_and(|count| count <= MOST_SEARCHED);
        let extent = if is_listed {
            let states = check_value(&instance, &folder, &value.files, state_count)?;
            let figures = totals.check(number, &published, &states)?;
            Extent::Listed {
                states: figures.states,
                transitions: figures.transitions,
            }
        } else if value.is_complete && is_small {
            let states = searched(&instance, &folder)?;
            let figures = totals.check(number, &published, &states)?;
            Extent::Searched {
                states: figures.states,
            }
        } else {
            totals.depths.check_sums(number, value, &totals.summary)?;
            Extent::Totals
        };
        value
            .files
            .iter()
            .try_for_each(|file| file.check(&folder))?;
        values.push(CheckedValue {
            folder: value.folder.clone(),
            extent,
        });
    }
    totals.depths.check_end()?;
    published
        .files
        .iter()
        .try_for_each(|file| file.check(dir))?;
    Ok(Checked {
        puzzle: published.puzzle,
        values,
    })
}

/// The files that all values share.
struct Totals {
    summary: Summary,
    depths: Depths,
}

impl Totals {
    /// Compares both with the states of the next value.
    fn check(
        &mut self,
        number: usize,
        published: &Published,
        states: &[State],
    ) -> Result<Figures, CheckError> {
        let figures = Figures::of(states);
        self.summary.check(number, published, &figures)?;
        self.depths
            .check(&published.values[number], published, states)?;
        Ok(figures)
    }
}

/// All states, by the slow search; more than expected may be found, so that a total that is too
/// small shows.
fn searched(instance: &Instance, folder: &Path) -> Result<Vec<State>, CheckError> {
    search(instance, MOST_SEARCHED as usize).map_err(|error| {
        let what = format!("its states cannot be found again: {error}");
        CheckError::wrong(folder.display().to_string(), None, what)
    })
}

fn instance(
    file: &PuzzleFile,
    published: &Published,
    value: &ValueNote,
    shown: &str,
) -> Result<Instance, CheckError> {
    let params = file.parameters(&value.params).map_err(|faults| {
        let messages: Vec<&str> = faults.iter().map(|f| f.message.as_str()).collect();
        CheckError::unusable(shown, messages.join("; "))
    })?;
    file.instance(&published.puzzle, params, published.start.as_deref())
        .map(|(instance, _)| instance)
        .map_err(|faults| unusable_rules(shown, &faults))
}

fn unusable_rules(shown: &str, faults: &impasse_model::fault::Faults) -> CheckError {
    let messages: Vec<&str> = faults.faults.iter().map(|f| f.message.as_str()).collect();
    CheckError::unusable(
        shown,
        format!("its rules have faults: {}", messages.join("; ")),
    )
}
