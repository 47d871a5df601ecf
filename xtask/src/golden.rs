//! `cargo xtask golden`: the program against the tables in data/golden, row by row.

mod large;
mod steps;
mod tables;

use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::Value;

use crate::product;

/// One run of the program, and what it must say.
pub(crate) struct Check {
    /// The table and its row, for people.
    label: String,
    /// Arguments of `impasse explore`.
    arguments: Vec<String>,
    /// A rule file of its own, given on standard input.
    text: Option<String>,
    /// Keys of the summary with the figures expected, in plain digits; empty for an absent one.
    expected: Vec<(String, String)>,
}

/// What has been compared so far.
#[derive(Default)]
pub(crate) struct Tally {
    rows: usize,
    figures: usize,
    mismatches: Vec<String>,
}

impl Tally {
    fn compare(&mut self, label: &str, key: &str, expected: &str, found: &str) {
        self.figures += 1;
        if expected != found {
            self.mismatches.push(format!(
                "{label}: {key} is `{found}`, expected `{expected}`"
            ));
        }
    }
}

/// Compares every table; with `large` also the spaces that are too big for the tests.
pub(crate) fn run(root: &Path, large: bool) -> Result<()> {
    let program = product::build(root, "impasse")?;
    let folder = root.join("data/golden");
    let mut failed = 0;
    for (name, checks) in tables::all(&folder)? {
        failed += compare(&program, name, &checks);
    }
    failed += close(
        "frogs-depths.csv",
        &tables::compare_depths(&program, &folder)?,
    );
    failed += close("steps on long rows", &steps::compare(&program, large)?);
    if large {
        failed += compare(&program, "large spaces", &large::checks());
        product::ignored_tests(root, "impasse-verify")?;
    }
    ensure!(failed == 0, "{failed} figures differ");
    Ok(())
}

fn compare(program: &Path, name: &str, checks: &[Check]) -> usize {
    let mut tally = Tally::default();
    for check in checks {
        tally.rows += 1;
        match product::explore(program, &check.arguments, check.text.as_deref()) {
            Ok(objects) if objects.len() == 1 => check.compare(&objects[0], &mut tally),
            Ok(objects) => {
                let text = format!("{}: {} objects, expected 1", check.label, objects.len());
                tally.mismatches.push(text);
            }
            Err(error) => tally.mismatches.push(format!("{}: {error:#}", check.label)),
        }
    }
    close(name, &tally)
}

/// Prints how a table did and returns the number of mismatches.
fn close(name: &str, tally: &Tally) -> usize {
    for mismatch in &tally.mismatches {
        println!("  {mismatch}");
    }
    let count = tally.mismatches.len();
    println!(
        "{name}: {} rows, {} figures, {count} mismatches",
        tally.rows, tally.figures
    );
    count
}

impl Check {
    fn compare(&self, object: &Value, tally: &mut Tally) {
        for (key, expected) in &self.expected {
            match object.get(key) {
                Some(figure) => {
                    tally.compare(&self.label, key, expected, &product::plain(figure));
                }
                None => tally.compare(&self.label, key, expected, "(no such key)"),
            }
        }
    }
}
