//! The report folder of `explore -o DIR`.
//!
//! Values are added one by one as their runs finish, so no two runs need be in memory together;
//! files are streamed. The folder is given fresh and empty: putting it in its place is the
//! caller's work. All bytes but those under `"measured"` in `run.json` depend on the puzzle, the
//! parameters and the limits alone.

use std::fmt;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use impasse_analysis::run::Table;
use impasse_graph::observe::{Limit, Outcome};
use serde_json::{Map, Value, json};

use crate::checksum::Checked;
use crate::dot;
use crate::error::Error;
use crate::json;
use crate::numbers::{counted, grouped};
use crate::record::{Record, folder_name};
use crate::rows;
use crate::scope::{Standing, flag, keys_of, sentences};

/// The schema of `run.json`.
pub const RUN_SCHEMA: &str = "impasse.run/1";
/// The most states of a `graph.dot` in a report folder; larger pictures help nobody.
pub const GRAPH_STATES: u64 = 2_000;
/// `--max-rows` unless it is given.
pub const MAX_ROWS: u64 = 1_000_000;

/// What all values of a folder have in common.
#[derive(Clone, Debug)]
pub struct FolderOptions {
    /// The rule file's stem.
    pub puzzle: String,
    /// The title for people.
    pub title: String,
    /// The text of the rule file.
    pub rules: String,
    /// Version of the product.
    pub version: String,
    /// Names of the parameters given with `-p`.
    pub given: Vec<String>,
    /// The drawing given with `--start`.
    pub start: Option<String>,
    /// The most states of a value whose states are listed.
    pub max_rows: u64,
    /// What follows `--only`: `depths` or `verdicts`.
    pub only: Option<&'static str>,
}

/// Files that were not written for a value, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The folder of the value.
    pub folder: String,
    /// Names of the files.
    pub files: Vec<&'static str>,
    /// Why.
    pub reason: String,
    /// The flag, or the command, that brings them.
    pub flag: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            folder,
            files,
            reason,
            flag,
        } = self;
        write!(
            f,
            "{folder}: left out {}: {reason}; try {flag}",
            files.join(", ")
        )
    }
}

/// Writes one of the files of a value.
type Writer = fn(&mut dyn Write, &Record, &dyn Table) -> Result<(), Error>;

/// The files of a value, in order.
const FILES: [(&str, Writer); 5] = [
    ("states.csv", |out, _, table| rows::states(out, table)),
    ("transitions.csv", |out, _, table| {
        rows::transitions(out, table)
    }),
    ("dead-ends.csv", |out, _, table| rows::dead_ends(out, table)),
    ("blocking-moves.csv", |out, _, table| {
        rows::blocking_moves(out, table)
    }),
    (GRAPH, |out, record, table| dot::graph(out, record, table)),
];
const GRAPH: &str = "graph.dot";

/// A file that grows with the values.
struct Sheet {
    path: PathBuf,
    out: Checked<BufWriter<File>>,
}

/// A report folder in the making.
pub struct FolderWriter {
    dir: PathBuf,
    options: FolderOptions,
    /// `summary.csv` and `depths.csv`, from the first value on.
    sheets: Option<[Sheet; 2]>,
    values: Vec<Value>,
    measured: Vec<Value>,
}

impl FolderWriter {
    /// Begins a report in a fresh, empty folder.
    #[must_use]
    pub fn new(dir: &Path, options: FolderOptions) -> Self {
        let dir = dir.to_owned();
        Self {
            dir,
            options,
            sheets: None,
            values: Vec::new(),
            measured: Vec::new(),
        }
    }

    /// Writes all files of one value, and says which were left out.
    ///
    /// # Errors
    /// [`Error::File`] names the file that could not be written.
    pub fn add(
        &mut self,
        record: &Record,
        table: Option<&dyn Table>,
    ) -> Result<Vec<LeftOut>, Error> {
        self.add_rows(record)?;
        let folder = folder_name(&record.params, &self.options.given);
        let left_out = self.left_out(&folder, record, table.is_some());
        let is_wanted = |name: &str| !left_out.iter().any(|l| l.files.contains(&name));
        let dir = self.dir.join(&folder);
        fs::create_dir(&dir).map_err(|source| Error::File {
            path: dir.clone(),
            source,
        })?;
        let mut files = Vec::new();
        if let Some(table) = table {
            for (name, write) in FILES.into_iter().filter(|(name, _)| is_wanted(name)) {
                let mut sheet = Sheet::create(dir.join(name))?;
                sheet.fill(|out| write(out, record, table))?;
                files.push(sheet.finish(name)?);
            }
        }
        let mut measured = Map::new();
        measured.insert("folder".to_owned(), json!(folder));
        measured.extend(json::measured(record.engine, &record.measured));
        self.measured.push(Value::Object(measured));
        self.values
            .push(value_object(&folder, record, &files, &left_out));
        Ok(left_out)
    }

    /// Writes `run.json`, last of all: a folder without it is unfinished.
    ///
    /// # Errors
    /// [`Error::File`] names the file that could not be written.
    pub fn finish(self) -> Result<(), Error> {
        let mut files = Vec::new();
        for (sheet, name) in self.sheets.into_iter().flatten().zip(SHEETS) {
            files.push(sheet.finish(name)?);
        }
        let options = &self.options;
        let run = json!({
            "schema": RUN_SCHEMA,
            "version": options.version,
            "puzzle": options.puzzle,
            "title": options.title,
            "given": options.given,
            "start": options.start,
            "max_rows": options.max_rows,
            "only": options.only,
            "rules_checksum": crate::checksum::of(options.rules.as_bytes()),
            "rules": options.rules,
            "files": files,
            "values": self.values,
            "measured": self.measured,
        });
        let mut sheet = Sheet::create(self.dir.join("run.json"))?;
        sheet.fill(|out| {
            serde_json::to_writer_pretty(&mut *out, &run)?;
            Ok(out.write_all(b"\n")?)
        })?;
        sheet.finish("run.json").map(|_| ())
    }

    /// Adds the rows of a value to the files of all values.
    fn add_rows(&mut self, record: &Record) -> Result<(), Error> {
        if self.sheets.is_none() {
            let [summary, depths] = SHEETS.map(|name| Sheet::create(self.dir.join(name)));
            let (mut summary, mut depths) = (summary?, depths?);
            summary.fill(|out| rows::summary_head(out, &record.params))?;
            depths.fill(|out| rows::depths_head(out, &record.params))?;
            self.sheets = Some([summary, depths]);
        }
        let [summary, depths] = self.sheets.as_mut().expect("made above");
        summary.fill(|out| rows::summary_row(out, record))?;
        depths.fill(|out| rows::depths_rows(out, record))
    }

    fn left_out(&self, folder: &str, record: &Record, has_table: bool) -> Vec<LeftOut> {
        let all = || FILES.iter().map(|(name, _)| *name).collect();
        let states = record.summary.states.unwrap_or_default();
        let (files, reason, flag) = if self.options.only == Some("depths") {
            let reason = "plain enumeration keeps no states".to_owned();
            (all(), reason, "running without --only depths".to_owned())
        } else if let Outcome::Stopped {
            reason: limit,
            depth,
        } = record.outcome
        {
            let reason = format!("the run was stopped after depth {depth}");
            (all(), reason, way_on(limit))
        } else if states > self.options.max_rows {
            let states_words = counted(states, "state is", "states are");
            let most = grouped(&self.options.max_rows);
            let reason = format!("{states_words} more than --max-rows {most}");
            (all(), reason, format!("--max-rows {states}"))
        } else if !has_table {
            let reason = "the run kept no list of states".to_owned();
            (all(), reason, "a larger --memory".to_owned())
        } else if states > GRAPH_STATES {
            let most = grouped(&GRAPH_STATES);
            let reason = format!(
                "{} states are too many for a picture (at most {most})",
                grouped(&states)
            );
            (
                vec![GRAPH],
                reason,
                "impasse export --format dot".to_owned(),
            )
        } else {
            return Vec::new();
        };
        vec![LeftOut {
            folder: folder.to_owned(),
            files,
            reason,
            flag,
        }]
    }
}

/// What goes past a limit.
fn way_on(limit: Limit) -> String {
    match limit {
        Limit::Interrupt => "letting the run go to its end".to_owned(),
        limit => format!("a larger {}", flag(limit)),
    }
}

/// The files of all values.
const SHEETS: [&str; 2] = ["summary.csv", "depths.csv"];

impl Sheet {
    fn create(path: PathBuf) -> Result<Self, Error> {
        match File::create_new(&path) {
            Ok(file) => Ok(Self {
                path,
                out: Checked::new(BufWriter::new(file)),
            }),
            Err(source) => Err(Error::File { path, source }),
        }
    }

    fn fill(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
    ) -> Result<(), Error> {
        write(&mut self.out).map_err(|error| error.at(&self.path))
    }

    /// Ends the file; what `run.json` says of it.
    fn finish(mut self, name: &str) -> Result<Value, Error> {
        self.out
            .flush()
            .map_err(|error| Error::from(error).at(&self.path))?;
        Ok(json!({ "name": name, "bytes": self.out.bytes(), "checksum": self.out.checksum() }))
    }
}

/// A value in `run.json`.
fn value_object(folder: &str, record: &Record, files: &[Value], left_out: &[LeftOut]) -> Value {
    let left_out = left_out
        .iter()
        .map(|l| json!({ "files": l.files, "reason": l.reason, "flag": l.flag }));
    let absent: Map<String, Value> = record
        .absent
        .iter()
        .map(|(key, reason)| (key.clone(), json!(reason)))
        .collect();
    json!({
        "folder": folder,
        "params": json::params(&record.params),
        "scope": record.summary.scope.word(),
        "outcome": outcome_object(record.outcome),
        "exact": keys_of(&record.summary, Standing::Exact),
        "within_window": keys_of(&record.summary, Standing::Window),
        "at_least": keys_of(&record.summary, Standing::AtLeast),
        "in_words": sentences(record),
        "absent": absent,
        "files": files,
        "left_out": left_out.collect::<Vec<_>>(),
    })
}

fn outcome_object(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Complete => json!({ "complete": true }),
        Outcome::Stopped { reason, depth } => {
            json!({ "complete": false, "stopped_by": flag(reason), "last_whole_layer": depth })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, record, stopped_record};

    fn options(max_rows: u64) -> FolderOptions {
        FolderOptions {
            puzzle: "frogs".to_owned(),
            title: "Frogs".to_owned(),
            rules: "puzzle \"Frogs\"\n".to_owned(),
            version: "0.1.0".to_owned(),
            given: vec!["n".to_owned()],
            start: None,
            max_rows,
            only: None,
        }
    }

    /// Names of all files, sorted, with `/`.
    fn names(dir: &Path) -> Vec<String> {
        let mut names = Vec::new();
        let mut open = vec![dir.to_owned()];
        while let Some(next) = open.pop() {
            for entry in fs::read_dir(next).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let name = path.strip_prefix(dir).expect("below").to_string_lossy();
                    names.push(name.replace('\\', "/"));
                }
            }
        }
        names.sort();
        names
    }

    fn read(dir: &Path, name: &str) -> String {
        fs::read_to_string(dir.join(name)).expect(name)
    }

    #[test]
    fn a_folder_holds_every_file() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut writer = FolderWriter::new(dir.path(), options(10));
        let (one, two) = (Fake::frogs(1), Fake::frogs(2));
        assert_eq!(writer.add(&record(&one), Some(&one)).expect("written"), []);
        let left_out = writer.add(&record(&two), Some(&two)).expect("written");
        assert_eq!(
            left_out[0].to_string(),
            "n=2: left out states.csv, transitions.csv, dead-ends.csv, blocking-moves.csv, \
             graph.dot: 23 states are more than --max-rows 10; try --max-rows 23"
        );
        writer.finish().expect("written");
        assert_eq!(
            names(dir.path()),
            [
                "depths.csv",
                "n=1/blocking-moves.csv",
                "n=1/dead-ends.csv",
                "n=1/graph.dot",
                "n=1/states.csv",
                "n=1/transitions.csv",
                "run.json",
                "summary.csv"
            ]
        );
        assert_eq!(read(dir.path(), "summary.csv").lines().count(), 3);
        assert_eq!(read(dir.path(), "depths.csv").lines().count(), 1 + 4 + 9);
        let run: Value = serde_json::from_str(&read(dir.path(), "run.json")).expect("JSON");
        assert_eq!(run["schema"], RUN_SCHEMA);
        assert_eq!(run["values"][1]["left_out"][0]["flag"], "--max-rows 23");
        assert_eq!(run["measured"][0]["engine"], "fake");
    }

    #[test]
    fn a_stopped_run_lists_no_states() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut writer = FolderWriter::new(dir.path(), options(10));
        writer.add(&stopped_record(), None).expect("written");
        writer.finish().expect("written");
        assert_eq!(names(dir.path()), ["depths.csv", "run.json", "summary.csv"]);
        let run = read(dir.path(), "run.json");
        assert_eq!(run, include_str!("golden/stopped-run.json"));
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut writer = FolderWriter::new(&dir.path().join("none"), options(10));
        let one = Fake::frogs(1);
        let error = writer
            .add(&record(&one), Some(&one))
            .expect_err("no such folder");
        assert!(
            error.to_string().contains("summary.csv: cannot be written"),
            "{error}"
        );
    }
}
