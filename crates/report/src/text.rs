//! The table of `explore`, the table of depths, and the notes below them.

use std::io::Write;

use impasse_analysis::summary::KEYS;
use impasse_graph::observe::Outcome;

use crate::error::Error;
use crate::grid::{Align, Grid, Layout};
use crate::numbers::{count_for_people, for_people, grouped};
use crate::record::{Record, label, shown_params};
use crate::scope::{Standing, depth_standing, sentences, standing};

/// Keys shown unless all are asked for.
pub const USUAL_KEYS: [&str; 9] = [
    "states",
    "transitions",
    "live",
    "doomed",
    "dead_ends",
    "blocking_moves",
    "shortest",
    "shortest_solutions",
    "max_depth",
];

/// Keys shown of plain enumerations (`--only depths`).
pub const PLAIN_KEYS: [&str; 8] = [
    "states",
    "transitions",
    "starts",
    "goals",
    "dead_ends",
    "shortest",
    "max_depth",
    "first_dead_end_depth",
];

/// How tables are written.
#[derive(Clone, Debug, Default)]
pub struct TableOptions {
    /// Names of the parameters given on the command line; shown even if they do not vary.
    pub given: Vec<String>,
    /// All keys, not only the usual ones.
    pub all: bool,
    /// Text or Markdown.
    pub layout: Layout,
    /// Width of the screen: where a text would be wider, column names are broken.
    pub width: Option<usize>,
}

/// Writes the table of `explore`: one row a record.
///
/// A figure that holds only within a window ends in `*`; the count of a stopped run begins with
/// `>=`; a figure that is unknown, or absent, is `-`.
///
/// # Errors
/// Those of `out`.
pub fn explore_table(
    out: &mut dyn Write,
    records: &[Record],
    options: &TableOptions,
) -> Result<(), Error> {
    let params = shown_params(records, &options.given);
    let keys = if options.all {
        KEYS.to_vec()
    } else {
        usual_keys(records)
    };
    let names = params
        .iter()
        .map(String::as_str)
        .chain(keys.iter().copied());
    let mut grid = Grid::new(names.map(|name| (name.to_owned(), Align::Right)));
    for record in records {
        let values = params.iter().map(|name| param_cell(record, name));
        grid.row(values.chain(keys.iter().map(|key| figure_cell(record, key))));
    }
    Ok(grid.write(out, options.layout, options.width)?)
}

/// Writes the counts by depth of one record.
///
/// # Errors
/// Those of `out`.
pub fn depth_table(
    out: &mut dyn Write,
    record: &Record,
    options: &TableOptions,
) -> Result<(), Error> {
    let columns = [
        "depth",
        "states",
        "live",
        "doomed",
        "dead_ends",
        "goals",
        "blocking_moves",
    ];
    let mut grid = Grid::with_columns(&[], &columns);
    for (depth, row) in record.depths.iter().enumerate() {
        let standing = depth_standing(&record.summary, depth as u64);
        let mark = if standing == Standing::Exact { "" } else { "*" };
        let counts = [
            Some(row.states),
            row.live,
            row.doomed,
            row.dead_ends,
            row.goals,
            row.blocking_moves,
        ];
        let cell = |count: Option<u64>| match count {
            Some(n) => grouped(&n) + mark,
            None => count_for_people(None),
        };
        grid.row(std::iter::once(depth.to_string()).chain(counts.map(cell)));
    }
    Ok(grid.write(out, options.layout, options.width)?)
}

/// Writes what the figures are worth, for every record that is not exact, has no solution or
/// lacks a figure for a reason of its own; where all are exact, nothing.
///
/// # Errors
/// Those of `out`.
pub fn scope_notes(
    out: &mut dyn Write,
    records: &[Record],
    options: &TableOptions,
) -> Result<(), Error> {
    let shown = shown_params(records, &options.given);
    for record in records.iter().filter(|record| is_noteworthy(record)) {
        let label = label(&record.params, &shown);
        let head = if label.is_empty() {
            record.puzzle.clone()
        } else {
            label
        };
        for (i, sentence) in sentences(record).iter().enumerate() {
            let margin = if i == 0 {
                format!("{head}: ")
            } else {
                "  ".to_owned()
            };
            writeln!(out, "{margin}{sentence}")?;
        }
    }
    Ok(())
}

fn is_noteworthy(record: &Record) -> bool {
    record.summary.scope.word() != "exact"
        || record.summary.no_solution
        || !record.absent.is_empty()
}

/// The keys of a table that need not show all: where a window cut moves off, its depth too.
fn usual_keys(records: &[Record]) -> Vec<&'static str> {
    let is_plain =
        |record: &Record| record.outcome == Outcome::Complete && record.summary.live.is_none();
    let all_plain = !records.is_empty() && records.iter().all(is_plain);
    let mut keys = if all_plain {
        PLAIN_KEYS.to_vec()
    } else {
        USUAL_KEYS.to_vec()
    };
    if records
        .iter()
        .any(|record| record.summary.window_cut_depth.is_some())
    {
        keys.push("window_cut_depth");
    }
    keys
}

fn param_cell(record: &Record, name: &str) -> String {
    record
        .params
        .get(name)
        .map_or_else(|| "-".to_owned(), ToString::to_string)
}

fn figure_cell(record: &Record, key: &str) -> String {
    let figure = record
        .summary
        .figure(key)
        .expect("KEYS are the keys of the summary");
    let text = for_people(&figure);
    if text == "-" {
        return text;
    }
    match standing(&record.summary, key) {
        Standing::Exact => text,
        Standing::Window => text + "*",
        Standing::AtLeast => format!(">={text}"),
    }
}

#[cfg(test)]
mod tests {
    use impasse_analysis::summary::Scope;

    use super::*;
    use crate::fake::{Fake, record, stopped_record, text_of};

    fn frogs(sizes: &[usize]) -> Vec<Record> {
        sizes.iter().map(|&n| record(&Fake::frogs(n))).collect()
    }

    #[test]
    fn one_row_a_value() {
        let expected = "\
n  states  transitions  live  doomed  dead_ends  blocking_moves  shortest  shortest_solutions  max_depth
1       6            6     6       0          0               0         3                   2          3
2      23           26    16       3          4               6         8                   2          8
";
        let options = TableOptions::default();
        assert_eq!(
            text_of(|out| explore_table(out, &frogs(&[1, 2]), &options)),
            expected
        );
    }

    #[test]
    fn names_break_on_narrow_screens() {
        let expected =
            "                                   dead  blocking             shortest    max
states  transitions  live  doomed  ends     moves  shortest  solutions  depth
    23           26    16       3     4         6         8          2      8
";
        let options = TableOptions {
            width: Some(80),
            ..TableOptions::default()
        };
        let text = text_of(|out| explore_table(out, &frogs(&[2]), &options));
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn markdown_has_the_same_cells() {
        let expected = "\
|  n | states | transitions | live | doomed | dead_ends | blocking_moves | shortest | shortest_solutions | max_depth |
| -: | -----: | ----------: | ---: | -----: | --------: | -------------: | -------: | -----------------: | --------: |
|  2 |     23 |          26 |   16 |      3 |         4 |              6 |        8 |                  2 |         8 |
";
        let options = TableOptions {
            given: vec!["n".to_owned()],
            layout: Layout::Markdown,
            ..TableOptions::default()
        };
        assert_eq!(
            text_of(|out| explore_table(out, &frogs(&[2]), &options)),
            expected
        );
    }

    #[test]
    fn a_stopped_run_gives_bounds_and_no_totals() {
        let expected = "\
states  transitions  live  doomed  dead_ends  blocking_moves  shortest  shortest_solutions  max_depth
  >=12            -     -       -          -               -         -                   -          -
";
        let options = TableOptions::default();
        assert_eq!(
            text_of(|out| explore_table(out, &[stopped_record()], &options)),
            expected
        );
        let notes = text_of(|out| scope_notes(out, &[stopped_record()], &options));
        assert!(
            notes.starts_with("frogs: stopped by --max-states after depth 3: sure"),
            "{notes}"
        );
    }

    #[test]
    fn a_window_marks_what_holds_only_there() {
        let mut record = record(&Fake::frogs(1));
        record.summary.scope = Scope::Window;
        record.summary.window_cut_depth = Some(2);
        let expected = "\
states  transitions  live  doomed  dead_ends  blocking_moves  shortest  shortest_solutions  max_depth  window_cut_depth
    6*           6*    6*      0*         0*              0*         3                  2*         3*                 2
";
        let options = TableOptions::default();
        let records = [record];
        assert_eq!(
            text_of(|out| explore_table(out, &records, &options)),
            expected
        );
        let depths = text_of(|out| depth_table(out, &records[0], &options));
        assert!(
            depths.ends_with("    3      1*    1*      0*         0*     1*              0*\n"),
            "{depths}"
        );
    }

    #[test]
    fn plain_enumerations_show_what_they_know() {
        let mut record = record(&Fake::frogs(1));
        record.summary.live = None;
        let expected = "\
states  transitions  starts  goals  dead_ends  shortest  max_depth  first_dead_end_depth
     6            6       1      1          0         3          3                     -
";
        let options = TableOptions::default();
        assert_eq!(
            text_of(|out| explore_table(out, &[record], &options)),
            expected
        );
    }

    #[test]
    fn depths_are_counted() {
        let expected = "\
depth  states  live  doomed  dead_ends  goals  blocking_moves
    0       1     1       0          0      0               0
    1       2     2       0          0      0               0
    2       2     2       0          0      0               0
    3       1     1       0          0      1               0
";
        let records = frogs(&[1]);
        let options = TableOptions::default();
        assert_eq!(
            text_of(|out| depth_table(out, &records[0], &options)),
            expected
        );
    }
}
