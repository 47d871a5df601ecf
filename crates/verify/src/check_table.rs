//! A published report folder, checked from the rule text it carries.

use std::path::Path;

use impasse_model::instance::Instance;
use impasse_model::parse::parse;
use impasse_model::syntax::PuzzleFile;

use crate::error::CheckError;
use crate::figures::Figures;
use crate::published::{Published, ValueNote};
use crate::table::check_value;
use crate::totals::Totals;

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
    /// States and transitions that were checked one by one; `None` if the folder does not list
    /// them, and only the totals could be compared with each other.
    pub listed: Option<(u64, u64)>,
}

/// Checks a report folder: each state, each transition, each figure.
///
/// Everything starts from the rule text in `run.json`, and the rules are placed anew by the slow
/// code of this crate. About a hundred bytes a state and sixteen a transition are held.
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
    let summary = Totals::summary(dir, &published.values)?;
    let depths = Totals::depths(dir, &published.values)?;
    let mut values = Vec::new();
    for (number, value) in published.values.iter().enumerate() {
        let instance = instance(&file, &published, value, &shown)?;
        let folder = dir.join(&value.folder);
        let is_listed = value.files.iter().any(|file| file.name == "states.csv");
        let listed = if is_listed {
            let states = check_value(
                &instance,
                &folder,
                &value.files,
                summary.state_count(number),
            )?;
            let figures = Figures::of(&states);
            summary.check_summary(number, value, &figures)?;
            depths.check_depths(number, &states)?;
            Some((figures.states, figures.transitions))
        } else {
            depths.check_sums(number, &summary)?;
            None
        };
        value
            .files
            .iter()
            .try_for_each(|file| file.check(&folder))?;
        values.push(CheckedValue {
            folder: value.folder.clone(),
            listed,
        });
    }
    published
        .files
        .iter()
        .try_for_each(|file| file.check(dir))?;
    Ok(Checked {
        puzzle: published.puzzle,
        values,
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
