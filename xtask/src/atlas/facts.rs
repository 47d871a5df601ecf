//! What the program says of a puzzle.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::catalogue::Entry;
use super::pictures::graph::StateGraph;

/// The keys of the table, and those that laws are fitted to.
pub(crate) const KEYS: [&str; 9] = [
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

/// Claims are checked for spaces up to this number of states; larger ones belong to `impasse verify`.
const CLAIM_STATES: &str = "200000";

/// A shipped puzzle.
pub(crate) struct Puzzle {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) parameters: Vec<String>,
}

/// All that a page says.
pub(crate) struct Facts {
    pub(crate) name: String,
    pub(crate) title: String,
    /// The comment at the top of the rule file.
    pub(crate) about: String,
    /// Parameters that vary in the table.
    pub(crate) varying: Vec<String>,
    /// A summary a row of the table.
    pub(crate) rows: Vec<Value>,
    /// A guess a key for which a law was found.
    pub(crate) laws: Vec<Value>,
    pub(crate) claims: Vec<ClaimFacts>,
    /// What `stuck --patterns` mined.
    pub(crate) patterns: Option<Value>,
    pub(crate) graph: Option<StateGraph>,
    /// Rows of `depths.csv` for the bars.
    pub(crate) layers: Option<Vec<Layer>>,
}

/// A claim of the rule file and what became of it.
pub(crate) struct ClaimFacts {
    pub(crate) claim: String,
    /// Values for which it was checked and held.
    pub(crate) held: usize,
    /// Of these, in a window.
    pub(crate) in_window: usize,
    /// Values that are too large for the atlas.
    pub(crate) unknown: usize,
    /// Values for which it does not hold.
    pub(crate) refuted: usize,
}

/// The counts of one depth.
pub(crate) struct Layer {
    pub(crate) depth: u64,
    pub(crate) live: u64,
    pub(crate) doomed: u64,
    pub(crate) dead_ends: u64,
}

/// All shipped puzzles, by name.
pub(crate) fn shipped(program: &Path) -> Result<Vec<Puzzle>> {
    let list = objects(program, &["list", "--json"])?;
    list.iter()
        .map(|object| {
            let text = |key: &str| object[key].as_str().map(str::to_owned).context("a text");
            let parameters = object["parameters"].as_array().context("a list")?;
            Ok(Puzzle {
                name: text("puzzle")?,
                title: text("title")?,
                parameters: parameters
                    .iter()
                    .filter_map(|p| p.as_str().map(str::to_owned))
                    .collect(),
            })
        })
        .collect()
}

/// Asks the program for everything a page says.
pub(crate) fn gather(program: &Path, puzzle: &Puzzle, rules: &str, entry: &Entry) -> Result<Facts> {
    let mut rows = Vec::new();
    for table in entry.tables {
        rows.extend(objects(
            program,
            &line("explore", entry, table, &["--json"]),
        )?);
    }
    // Parameters that merely follow another one need no column.
    let varying = |name: &&String| {
        let is_given = entry
            .tables
            .iter()
            .any(|table| table.contains(&format!("-p {name}=")));
        let first = &rows[0]["params"][name.as_str()];
        is_given
            && rows
                .iter()
                .any(|row| row["params"][name.as_str()] != *first)
    };
    let varying = puzzle.parameters.iter().filter(varying).cloned().collect();
    Ok(Facts {
        name: puzzle.name.clone(),
        title: puzzle.title.clone(),
        about: about(rules),
        varying,
        laws: laws(program, entry)?,
        claims: claims(program, entry)?,
        patterns: entry
            .patterns
            .map(|values| patterns(program, entry, values))
            .transpose()?,
        graph: entry
            .graph
            .map(|values| graph(program, entry, values))
            .transpose()?,
        layers: entry
            .bars
            .map(|values| layers(program, entry, values))
            .transpose()?,
        rows,
    })
}

/// The comment that a rule file begins with, as one paragraph.
fn about(rules: &str) -> String {
    let comment = rules.lines().map_while(|line| line.strip_prefix("//"));
    comment.map(str::trim).collect::<Vec<_>>().join(" ")
}

fn laws(program: &Path, entry: &Entry) -> Result<Vec<Value>> {
    let mut laws = Vec::new();
    let Some(_) = entry.index else {
        return Ok(laws);
    };
    for key in KEYS {
        let flags = ["--of", key, "--guess", "--json"];
        let found = objects(program, &line("seq", entry, entry.tables[0], &flags))?;
        let guess = found.into_iter().last().context("a guess")?;
        if !guess["method"].is_null() {
            laws.push(guess);
        }
    }
    Ok(laws)
}

fn claims(program: &Path, entry: &Entry) -> Result<Vec<ClaimFacts>> {
    let mut claims: Vec<ClaimFacts> = Vec::new();
    let flags = ["--json", "--max-states", CLAIM_STATES];
    for object in objects(program, &line("verify", entry, "", &flags))? {
        let text = object["claim"].as_str().context("a claim")?;
        if claims.last().is_none_or(|last| last.claim != text) {
            claims.push(ClaimFacts {
                claim: text.to_owned(),
                held: 0,
                in_window: 0,
                unknown: 0,
                refuted: 0,
            });
        }
        let claim = claims.last_mut().expect("pushed above");
        match object["verdict"].as_str() {
            Some("holds") => claim.held += 1,
            Some("holds in this window") => {
                claim.held += 1;
                claim.in_window += 1;
            }
            Some("refuted") => claim.refuted += 1,
            Some("unknown") => claim.unknown += 1,
            other => bail!("`{text}` has the verdict {other:?}"),
        }
    }
    Ok(claims)
}

fn patterns(program: &Path, entry: &Entry, values: &str) -> Result<Value> {
    let flags = ["--patterns", "--json"];
    let found = objects(program, &line("stuck", entry, values, &flags))?;
    found.into_iter().next().context("what was mined")
}

fn graph(program: &Path, entry: &Entry, values: &str) -> Result<StateGraph> {
    let states = said(
        program,
        &line("export", entry, values, &["--format", "csv"]),
    )?;
    let flags = ["--format", "transitions-csv"];
    let transitions = said(program, &line("export", entry, values, &flags))?;
    StateGraph::read(&states, &transitions)
}

fn layers(program: &Path, entry: &Entry, values: &str) -> Result<Vec<Layer>> {
    let folder = tempfile::tempdir()?;
    let report = folder.path().join("report");
    let shown = report.to_string_lossy();
    let flags = ["--max-rows", "0", "--output", &shown];
    said(program, &line("explore", entry, values, &flags))?;
    let mut depths = csv::Reader::from_path(report.join("depths.csv"))?;
    let columns = depths.headers()?.clone();
    let place = |name: &str| columns.iter().position(|c| c == name).context("a column");
    let places = [
        place("depth")?,
        place("live")?,
        place("doomed")?,
        place("dead_ends")?,
    ];
    let row = |record: csv::Result<csv::StringRecord>| {
        let record = record?;
        let [depth, live, doomed, dead_ends] = places.map(|place| record[place].parse::<u64>());
        Ok(Layer {
            depth: depth?,
            live: live?,
            doomed: doomed?,
            dead_ends: dead_ends?,
        })
    };
    depths.records().map(row).collect()
}

/// The arguments of a command for the puzzle of an entry.
fn line<'a>(command: &'a str, entry: &Entry, values: &'a str, flags: &[&'a str]) -> Vec<&'a str> {
    [command, entry.name]
        .into_iter()
        .chain(values.split_whitespace())
        .chain(flags.iter().copied())
        .collect()
}

/// Runs the program and reads a JSON object a line.
fn objects(program: &Path, arguments: &[&str]) -> Result<Vec<Value>> {
    let parse = |line| serde_json::from_str(line).context("a line is not JSON");
    said(program, arguments)?.lines().map(parse).collect()
}

/// What the program prints. That a claim is refuted (1) or a limit is hit (3) is an answer.
fn said(program: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new(program)
        .args(arguments)
        .arg("--quiet")
        .stdin(Stdio::null())
        .output()
        .context("could not start the program")?;
    if !matches!(output.status.code(), Some(0 | 1 | 3)) {
        bail!(
            "impasse {} ended with {}: {}",
            arguments.join(" "),
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    String::from_utf8(output.stdout).context("the output is not UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_comment_is_what_a_puzzle_is_about() {
        let check = |rules: &str, expected: &str| assert_eq!(about(rules), expected);
        check(
            "// One line,\n// and two.\npuzzle \"P\"\n// not this\n",
            "One line, and two.",
        );
        check("puzzle \"P\"\n", "");
    }
}
