//! How mined patterns stand over a range of a parameter.

use std::io::Write;

use impasse_analysis::patterns::{Cover, Ends, Found, Notation, Standing, Survey, Surveyed};
use impasse_model::instance::Instance;
use serde_json::{Map, Value, json};

use crate::error::Error;
use crate::grid::{Grid, Layout};
use crate::numbers::{counted, grouped};
use crate::patterns::plural;

/// The schema of [`survey_object`].
pub const STABILITY_SCHEMA: &str = "impasse.pattern-stability/1";

/// The columns of the list of stability.
pub const STABILITY_COLUMNS: [&str; 9] = [
    "kind",
    "pattern",
    "span",
    "fixed",
    "sound_from",
    "minimal_from",
    "value",
    "standing",
    "support",
];

/// A range with its patterns.
#[derive(Clone, Copy, Debug)]
pub struct Range<'a> {
    /// The puzzle at the last value.
    pub instance: &'a Instance,
    /// The values by name, as in `n=3`.
    pub values: &'a [String],
    /// The patterns.
    pub survey: &'a Survey,
}

impl<'a> Range<'a> {
    fn kinds(&self) -> [(&'static str, &'a [Surveyed]); 2] {
        let is_row = Ends::of(&self.instance.board).is_some();
        let kind = if is_row { "window" } else { "cells" };
        [
            ("stretch", &self.survey.stretches),
            (kind, &self.survey.patterns),
        ]
    }

    fn value(&self, place: Option<usize>) -> String {
        place.map_or_else(String::new, |place| self.values[place].clone())
    }
}

/// Writes, as CSV, how every pattern stands at every value.
///
/// # Errors
/// Those of `out`.
pub fn stability_csv(out: &mut dyn Write, range: &Range<'_>) -> Result<(), Error> {
    let mut out = csv::Writer::from_writer(out);
    out.write_record(STABILITY_COLUMNS)?;
    for (kind, all) in range.kinds() {
        for one in all {
            for (value, (standing, support)) in range.values.iter().zip(&one.standings) {
                out.write_record([
                    kind,
                    &one.found.text,
                    &one.found.pattern.span().to_string(),
                    &one.found.pattern.fixed().to_string(),
                    &range.value(one.sound_from()),
                    &range.value(one.minimal_from()),
                    value,
                    standing.word(),
                    &support.to_string(),
                ])?;
            }
        }
    }
    Ok(out.flush()?)
}

/// The same as an object.
#[must_use]
pub fn survey_object(puzzle: &str, range: &Range<'_>) -> Value {
    let mut object = Map::new();
    object.insert("schema".to_owned(), json!(STABILITY_SCHEMA));
    object.insert("puzzle".to_owned(), json!(puzzle));
    object.insert("values".to_owned(), json!(range.values));
    let mut patterns = Vec::new();
    for (kind, all) in range.kinds() {
        patterns.extend(all.iter().map(|one| {
            let standing = one.standings.iter().map(|(standing, _)| standing.word());
            let support = one.standings.iter().map(|(_, support)| *support);
            let from = |place: Option<usize>| place.map(|place| range.values[place].clone());
            json!({
                "kind": kind,
                "pattern": one.found.text,
                "sound_from": from(one.sound_from()),
                "minimal_from": from(one.minimal_from()),
                "standing": standing.collect::<Vec<_>>(),
                "support": support.collect::<Vec<_>>(),
            })
        }));
    }
    object.insert("patterns".to_owned(), Value::Array(patterns));
    Value::Object(object)
}

/// Writes for people what holds over the range: a cover by patterns that are sound at every value,
/// and how many patterns are minimal from which value on.
///
/// # Errors
/// Those of `out`.
pub fn survey_text(out: &mut dyn Write, range: &Range<'_>, limit: usize) -> Result<(), Error> {
    for (kind, all) in range.kinds() {
        if all.is_empty() {
            continue;
        }
        writeln!(out)?;
        steady_cover(out, range, kind, all, limit)?;
        writeln!(
            out,
            "\n{} by the value from which on they are minimal:",
            plural(kind)
        )?;
        let mut grid = Grid::with_columns(&["from"], &["patterns"]);
        for (place, value) in range.values.iter().enumerate() {
            let count = all
                .iter()
                .filter(|one| one.minimal_from() == Some(place))
                .count();
            grid.row([value.clone(), grouped(&count)]);
        }
        let passing = all.iter().filter(|one| one.minimal_from().is_none());
        grid.row(["not at the last".to_owned(), grouped(&passing.count())]);
        grid.write(out, Layout::Text, None)?;
    }
    Ok(())
}

fn steady_cover(
    out: &mut dyn Write,
    range: &Range<'_>,
    kind: &str,
    all: &[Surveyed],
    limit: usize,
) -> Result<(), Error> {
    let sound: Vec<&Surveyed> = all.iter().filter(|one| one.is_sound()).collect();
    let found: Vec<Found> = sound.iter().map(|one| one.found.clone()).collect();
    let cover = Cover::edges_last(&found, range.survey.lost);
    let (covered, lost) = (grouped(&cover.covered.count()), grouped(&range.survey.lost));
    let count = counted(cover.chosen.len() as u64, "of them covers", "of them cover");
    let sound_count = grouped(&sound.len());
    writeln!(
        out,
        "{sound_count} {} are sound at every value; {count} {covered} of {lost} lost states",
        plural(kind)
    )?;
    let notation = Notation::of(range.instance);
    let mut grid = Grid::with_columns(&["pattern"], &["lost_states", "new"]);
    for value in range.values {
        grid.words(value);
    }
    for &(i, adds) in cover.chosen.iter().take(limit) {
        let one = sound[i];
        let counts = [grouped(&one.found.support), grouped(&adds)];
        let standings = one
            .standings
            .iter()
            .map(|(standing, _)| standing_mark(*standing).to_owned());
        let head = [notation.spaced(&one.found.pattern)]
            .into_iter()
            .chain(counts);
        grid.row(head.chain(standings));
    }
    grid.write(out, Layout::Text, None)?;
    if cover.chosen.len() > limit {
        let (shown, all) = (grouped(&limit), grouped(&cover.chosen.len()));
        writeln!(out, "the first {shown} of {all}; --limit shows more")?;
    }
    Ok(())
}

fn standing_mark(standing: Standing) -> &'static str {
    match standing {
        Standing::Minimal => "minimal",
        Standing::Sound => "sound",
        Standing::Unsound => "unsound",
        Standing::Absent => "-",
    }
}
