//! Mined patterns: what lost states show and no live one, and few that cover many.

use std::io::Write;

use impasse_analysis::patterns::{Cover, Ends, Found, Mined, Notation, Pattern};
use impasse_analysis::run::Table;
use impasse_model::instance::Instance;
use impasse_model::params::Params;
use impasse_model::puzzle::Style;
use serde_json::{Value, json};

use crate::error::Error;
use crate::grid::{Grid, Layout};
use crate::json::heading;
use crate::numbers::{counted, grouped};
use crate::record::Record;

/// The schema of [`object`].
pub const PATTERNS_SCHEMA: &str = "impasse.patterns/1";

/// So many lost states that nothing covers are shown as examples.
const EXAMPLES: usize = 3;

/// What was mined at one value, with covers.
#[derive(Clone, Copy, Debug)]
pub struct Harvest<'a> {
    /// The figures.
    pub record: &'a Record,
    /// The puzzle.
    pub instance: &'a Instance,
    /// The patterns.
    pub mined: &'a Mined,
}

/// A list of patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternList {
    /// Every minimal pattern.
    Patterns,
    /// What patterns of each width cover.
    Coverage,
    /// Lost states that no pattern covers.
    Uncovered,
}

/// Patterns of one kind with their cover.
struct Section<'a> {
    /// `stretch`, `window` or `cells`.
    kind: &'static str,
    found: &'a [Found],
    cover: Cover,
}

impl<'a> Harvest<'a> {
    fn sections(&self) -> Vec<Section<'a>> {
        let lost = self.mined.lost.len();
        let is_row = self.is_row();
        let mut sections = Vec::new();
        if is_row {
            sections.push(Section {
                kind: "stretch",
                found: &self.mined.stretches,
                cover: Cover::edges_last(&self.mined.stretches, lost),
            });
        }
        sections.push(Section {
            kind: if is_row { "window" } else { "cells" },
            found: &self.mined.patterns,
            cover: Cover::greedy(&self.mined.patterns, lost),
        });
        sections
    }

    fn is_row(&self) -> bool {
        Ends::of(&self.instance.board).is_some()
    }

    /// Patterns with a stretch are mined on rows with two ends, not on rings.
    fn has_stretches(&self) -> bool {
        !matches!(Ends::of(&self.instance.board), None | Some(Ends::Joined))
    }

    /// The lost states, by number, that no pattern of any kind covers.
    fn uncovered(&self, sections: &[Section<'_>]) -> Vec<u32> {
        let is_covered = |place| {
            sections
                .iter()
                .any(|section| section.cover.covered.has(place))
        };
        let lost = self.mined.lost.iter().enumerate();
        let left = lost.filter(|&(place, _)| !is_covered(place));
        left.map(|(_, &id)| id).collect()
    }

    /// How many patterns there are in all.
    #[must_use]
    pub fn pattern_count(&self) -> u64 {
        (self.mined.stretches.len() + self.mined.patterns.len()) as u64
    }
}

/// One line of the coverage by width.
struct Width {
    span: usize,
    minimal: usize,
    wild: usize,
    cover: usize,
    covered: u64,
    /// Numbers of the first lost states that are not covered.
    examples: Vec<u32>,
}

/// What patterns of span up to each width cover.
fn widths(mined: &Mined) -> Vec<Width> {
    let of = |width: usize| {
        let end = mined
            .patterns
            .partition_point(|found| found.pattern.span() <= width);
        let found = &mined.patterns[..end];
        let cover = Cover::greedy(found, mined.lost.len());
        let lost = mined.lost.iter().enumerate();
        let left = lost.filter(|&(place, _)| !cover.covered.has(place));
        let wild = |found: &&Found| {
            let Pattern::Row(row) = &found.pattern else {
                return false;
            };
            row.segments.iter().flatten().any(Option::is_none)
        };
        Width {
            span: width,
            minimal: found.len(),
            wild: found.iter().filter(wild).count(),
            cover: cover.chosen.len(),
            covered: cover.covered.count(),
            examples: left.take(EXAMPLES).map(|(_, &id)| id).collect(),
        }
    };
    (1..=mined.width).map(of).collect()
}

fn joined_states(table: &dyn Table, ids: &[u32]) -> String {
    let states: Vec<String> = ids.iter().map(|&id| table.one_line(id)).collect();
    let between = if states.iter().any(|state| state.contains(' ')) {
        "; "
    } else {
        " "
    };
    states.join(between)
}

/// Writes a report for people: a cover of each kind of patterns, what each width covers, and what is
/// left over. At most `limit` patterns of a cover, and lost states, are shown.
///
/// # Errors
/// Those of `out`.
pub fn text(
    out: &mut dyn Write,
    harvest: &Harvest<'_>,
    table: &dyn Table,
    style: Style,
    limit: usize,
) -> Result<(), Error> {
    let mined = harvest.mined;
    let lost = mined.lost.len();
    let states = mined.live + lost as u64;
    writeln!(
        out,
        "{}, {} of them lost",
        counted(states, "state", "states"),
        grouped(&lost)
    )?;
    if lost == 0 {
        writeln!(out, "play cannot get stuck")?;
        return Ok(());
    }
    if mined.live == 0 {
        writeln!(out, "no state is live, so no pattern tells lost ones apart")?;
        return Ok(());
    }
    let sections = harvest.sections();
    for section in &sections {
        writeln!(out)?;
        if section.kind == "stretch" && !harvest.has_stretches() {
            writeln!(out, "patterns with a stretch are not mined on a ring")?;
            continue;
        }
        write!(out, "{}: ", title(section.kind, mined))?;
        cover(out, harvest, section, table, style, limit)?;
    }
    writeln!(
        out,
        "\nwhat {} of each width cover:",
        plural(sections.last().map_or("", |s| s.kind))
    )?;
    width_table(out, mined, table)?;
    let left = harvest.uncovered(&sections);
    left_over(out, &left, table, limit)?;
    let only =
        "no live state that was reached shows one of them; for other values this proves nothing";
    Ok(writeln!(out, "{only}")?)
}

/// The lost states that show no pattern.
fn left_over(
    out: &mut dyn Write,
    left: &[u32],
    table: &dyn Table,
    limit: usize,
) -> Result<(), Error> {
    if left.is_empty() {
        return Ok(writeln!(
            out,
            "\nevery lost state shows one of these patterns"
        )?);
    }
    let states = counted(left.len() as u64, "lost state shows", "lost states show");
    writeln!(out, "\n{states} none of these patterns:")?;
    for &id in left.iter().take(limit) {
        writeln!(out, "  {}", table.one_line(id))?;
    }
    if left.len() > limit {
        let (shown, all) = (grouped(&limit), grouped(&left.len()));
        writeln!(
            out,
            "the first {shown} of {all}; --list uncovered has them all"
        )?;
    }
    Ok(())
}

pub(crate) fn plural(kind: &str) -> &'static str {
    match kind {
        "stretch" => "patterns with a stretch",
        "window" => "windows",
        _ => "sets of cells",
    }
}

fn title(kind: &str, mined: &Mined) -> String {
    let cells = counted(mined.width as u64, "cell", "cells");
    match kind {
        "stretch" => "patterns with a stretch `_*`, which may be empty".to_owned(),
        "window" => format!("windows of up to {cells}"),
        _ => format!("sets of up to {cells}"),
    }
}

fn cover(
    out: &mut dyn Write,
    harvest: &Harvest<'_>,
    section: &Section<'_>,
    table: &dyn Table,
    style: Style,
    limit: usize,
) -> Result<(), Error> {
    let mined = harvest.mined;
    let (lost, chosen) = (mined.lost.len(), &section.cover.chosen);
    let covered = section.cover.covered.count();
    if section.found.is_empty() {
        writeln!(out, "none is sound")?;
        return Ok(());
    }
    let minimal = counted(section.found.len() as u64, "is minimal", "are minimal");
    let (covered, all) = (grouped(&covered), grouped(&lost));
    let cover = counted(chosen.len() as u64, "of them covers", "of them cover");
    writeln!(out, "{minimal}; {cover} {covered} of {all} lost states")?;
    let notation = Notation::of(harvest.instance);
    let shown = || chosen.iter().take(limit);
    let example = |found: &Found| {
        let first = found.holders.numbers().next();
        first.map_or_else(String::new, |place| table.one_line(mined.lost[place]))
    };
    if harvest.is_row() {
        let mut grid = Grid::with_columns(&["pattern"], &["lost_states", "new"]);
        grid.words("for_example");
        for &(i, adds) in shown() {
            let found = &section.found[i];
            let counts = [grouped(&found.support), grouped(&adds)];
            let [support, adds] = counts;
            grid.row([
                notation.spaced(&found.pattern),
                support,
                adds,
                example(found),
            ]);
        }
        grid.write(out, Layout::Text, None)?;
    } else {
        for &(i, adds) in shown() {
            let found = &section.found[i];
            writeln!(out)?;
            for line in notation.picture(&found.pattern, style) {
                writeln!(out, "    {line}")?;
            }
            let support = counted(found.support, "lost state", "lost states");
            writeln!(out, "  {support}, {} new", grouped(&adds))?;
        }
    }
    if chosen.len() > limit {
        let (shown, all) = (grouped(&limit), grouped(&chosen.len()));
        writeln!(
            out,
            "the first {shown} of {all}; --limit shows more, and --list patterns has every minimal one"
        )?;
    }
    Ok(())
}

fn width_table(out: &mut dyn Write, mined: &Mined, table: &dyn Table) -> Result<(), Error> {
    let numbers = [
        "width",
        "minimal_patterns",
        "greedy_cover",
        "covered",
        "lost",
    ];
    let mut grid = Grid::with_columns(&[], &numbers);
    grid.words("uncovered_example");
    for line in widths(mined) {
        let counts = [
            line.span as u64,
            line.minimal as u64,
            line.cover as u64,
            line.covered,
        ];
        let counts = counts
            .iter()
            .map(grouped)
            .chain([grouped(&mined.lost.len())]);
        let example = joined_states(table, &line.examples[..line.examples.len().min(1)]);
        grid.row(counts.chain([example]));
    }
    Ok(grid.write(out, Layout::Text, None)?)
}

impl PatternList {
    /// The columns of the list.
    #[must_use]
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Patterns => &[
                "kind", "pattern", "span", "fixed", "support", "lost", "cover",
            ],
            Self::Coverage => &[
                "width",
                "minimal_patterns",
                "with_wildcard",
                "greedy_cover",
                "covered",
                "lost",
                "uncovered_examples",
            ],
            Self::Uncovered => &["id", "state", "depth", "verdict"],
        }
    }

    /// Its rows at one value.
    fn rows(self, harvest: &Harvest<'_>, table: &dyn Table) -> Vec<Vec<String>> {
        let mined = harvest.mined;
        let lost = mined.lost.len().to_string();
        match self {
            Self::Patterns => {
                let mut rows = Vec::new();
                for section in harvest.sections() {
                    for (i, found) in section.found.iter().enumerate() {
                        let place = section
                            .cover
                            .chosen
                            .iter()
                            .position(|&(chosen, _)| chosen == i);
                        rows.push(vec![
                            section.kind.to_owned(),
                            found.text.clone(),
                            found.pattern.span().to_string(),
                            found.pattern.fixed().to_string(),
                            found.support.to_string(),
                            lost.clone(),
                            place.map_or_else(String::new, |place| (place + 1).to_string()),
                        ]);
                    }
                }
                rows
            }
            Self::Coverage => {
                let row = |line: Width| {
                    vec![
                        line.span.to_string(),
                        line.minimal.to_string(),
                        line.wild.to_string(),
                        line.cover.to_string(),
                        line.covered.to_string(),
                        lost.clone(),
                        joined_states(table, &line.examples),
                    ]
                };
                widths(mined).into_iter().map(row).collect()
            }
            Self::Uncovered => {
                let left = harvest.uncovered(&harvest.sections());
                let row = |id: u32| {
                    vec![
                        id.to_string(),
                        table.one_line(id),
                        table.depth(id).to_string(),
                        table.verdict(id).word().to_owned(),
                    ]
                };
                left.into_iter().map(row).collect()
            }
        }
    }
}

/// Writes the head of a list as CSV: all parameters, then the columns.
///
/// # Errors
/// Those of `out`.
pub fn csv_head(out: &mut dyn Write, list: PatternList, params: &Params) -> Result<(), Error> {
    let mut out = csv::Writer::from_writer(out);
    let names = params.0.iter().map(|(name, _)| name.as_str());
    out.write_record(names.chain(list.columns().iter().copied()))?;
    Ok(out.flush()?)
}

/// Writes the rows of a list at one value as CSV.
///
/// # Errors
/// Those of `out`.
pub fn csv_rows(
    out: &mut dyn Write,
    list: PatternList,
    harvest: &Harvest<'_>,
    table: &dyn Table,
) -> Result<(), Error> {
    let mut out = csv::Writer::from_writer(out);
    let params = &harvest.record.params.0;
    let values: Vec<String> = params.iter().map(|(_, value)| value.to_string()).collect();
    for row in list.rows(harvest, table) {
        out.write_record(values.iter().chain(&row))?;
    }
    Ok(out.flush()?)
}

/// Writes a list at one value as a table of text.
///
/// # Errors
/// Those of `out`.
pub fn list_text(
    out: &mut dyn Write,
    list: PatternList,
    harvest: &Harvest<'_>,
    table: &dyn Table,
) -> Result<(), Error> {
    let mut grid = Grid::default();
    for &column in list.columns() {
        match column {
            "kind" | "pattern" | "state" | "verdict" | "uncovered_examples" => grid.words(column),
            _ => grid.numbers(column),
        }
    }
    for row in list.rows(harvest, table) {
        grid.row(row);
    }
    Ok(grid.write(out, Layout::Text, None)?)
}

/// All of this as an object: heading, `live`, `lost`, one entry a kind of patterns under `kinds`
/// (every minimal pattern, and the cover), `coverage` by width, and `uncovered`: how many lost states
/// are left over, and the first of them, at most `limit`.
#[must_use]
pub fn object(harvest: &Harvest<'_>, table: &dyn Table, limit: usize) -> Value {
    let mined = harvest.mined;
    let sections = harvest.sections();
    let mut object = heading(PATTERNS_SCHEMA, harvest.record);
    object.insert("live".to_owned(), json!(mined.live));
    object.insert("lost".to_owned(), json!(mined.lost.len()));
    object.insert("width".to_owned(), json!(mined.width));
    let kinds: Value = sections.iter().map(section_object).collect();
    object.insert("kinds".to_owned(), kinds);
    let coverage = widths(mined).into_iter().map(|line| {
        let examples = line.examples.iter().map(|&id| table.one_line(id));
        json!({
            "width": line.span,
            "minimal_patterns": line.minimal,
            "with_wildcard": line.wild,
            "greedy_cover": line.cover,
            "covered": line.covered,
            "uncovered_examples": examples.collect::<Vec<_>>(),
        })
    });
    object.insert("coverage".to_owned(), coverage.collect());
    let left = harvest.uncovered(&sections);
    let states: Vec<String> = left
        .iter()
        .take(limit)
        .map(|&id| table.one_line(id))
        .collect();
    let uncovered = json!({ "count": left.len(), "states": states });
    object.insert("uncovered".to_owned(), uncovered);
    Value::Object(object)
}

fn section_object(section: &Section<'_>) -> Value {
    let pattern = |found: &Found| {
        json!({
            "pattern": found.text,
            "span": found.pattern.span(),
            "fixed": found.pattern.fixed(),
            "support": found.support,
        })
    };
    let chosen = section.cover.chosen.iter().map(|&(i, adds)| {
        json!({ "pattern": section.found[i].text, "support": section.found[i].support, "new": adds })
    });
    json!({
        "kind": section.kind,
        "covered": section.cover.covered.count(),
        "cover": chosen.collect::<Vec<_>>(),
        "patterns": section.found.iter().map(pattern).collect::<Vec<_>>(),
    })
}
