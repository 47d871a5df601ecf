//! How each golden table is read: its rows as runs of the program.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::{Check, Tally};

type Row = BTreeMap<String, String>;

/// The tables whose rows are one run each.
pub(crate) fn all(folder: &Path) -> Result<Vec<(&'static str, Vec<Check>)>> {
    let read = |name: &'static str, check: fn(&Row) -> Check| -> Result<_> {
        Ok((name, rows(&folder.join(name))?.iter().map(check).collect()))
    };
    Ok(vec![
        read("frogs.csv", frogs)?,
        read("knights.csv", knights)?,
        read("coins.csv", coins)?,
        read("chips.csv", chips)?,
    ])
}

/// A row of `frogs.csv`: the variant says which choices of the shipped file it means.
fn frogs(row: &Row) -> Check {
    let (way, over) = match row["variant"].as_str() {
        "forward" => ("forward", "opponent"),
        "forward-any" => ("forward", "any"),
        "both" => ("both", "opponent"),
        "both-any" => ("both", "any"),
        other => panic!("frogs.csv has a variant `{other}` of which the task knows nothing"),
    };
    let (n, m, k) = (&row["n"], &row["m"], &row["k"]);
    let values = [
        ("n", n.as_str()),
        ("m", m),
        ("k", k),
        ("over", over),
        ("way", way),
    ];
    Check {
        label: format!("{} n={n} m={m} k={k}", row["variant"]),
        arguments: arguments("frogs-and-toads", &values),
        text: None,
        expected: figures(row, &["variant", "n", "m", "k"]),
    }
}

/// A row of `knights.csv`, as a rule file of its own with the start and goal of the row.
fn knights(row: &Row) -> Check {
    let label = format!("{} {}x{}", row["case"], row["rows"], row["cols"]);
    let text = format!(
        "puzzle \"{label}\"\npiece W \"white\"\npiece B \"black\"\nclass knight = W B\n\
         board grid {} by {}\nstart {}\ngoal {}\nmove leap: k:knight . -> . k along knight\n",
        row["rows"], row["cols"], row["start"], row["goal"]
    );
    Check {
        label,
        arguments: vec!["-".to_owned()],
        text: Some(text),
        expected: figures(row, &["case", "rows", "cols", "start", "goal"]),
    }
}

/// A row of `coins.csv`: the window has `spare` cells a side.
fn coins(row: &Row) -> Check {
    let (n, spare) = (&row["n"], &row["spare"]);
    let extra = if row["start"].len() % 2 == 1 {
        "1"
    } else {
        "0"
    };
    Check {
        label: format!("coins {} spare {spare}", row["start"]),
        arguments: arguments("coins", &[("n", n), ("extra", extra), ("room", spare)]),
        text: None,
        expected: figures(row, &["n", "start", "spare"]),
    }
}

/// A row of `chips.csv`: the window is `lo..hi`, and the first chip count is at cell 0.
fn chips(row: &Row) -> Check {
    let chips = &row["chips"];
    let cells = chips.split_whitespace().count() as i64;
    let edge = |column: &str| {
        row[column]
            .parse::<i64>()
            .expect("an edge of the window is a number")
    };
    let (west, east) = (-edge("lo"), edge("hi") + 1 - cells);
    Check {
        label: format!("chips {chips} in {}..{}", row["lo"], row["hi"]),
        arguments: arguments(
            "chips",
            &[
                ("chips", chips),
                ("west", &west.to_string()),
                ("east", &east.to_string()),
            ],
        ),
        text: None,
        expected: figures(row, &["chips", "lo", "hi", "rests_at"]),
    }
}

fn arguments(puzzle: &str, values: &[(&str, &str)]) -> Vec<String> {
    let values = values
        .iter()
        .flat_map(|(name, value)| ["-p".to_owned(), format!("{name}={value}")]);
    std::iter::once(puzzle.to_owned()).chain(values).collect()
}

/// The columns that are keys of the summary, with their figures.
fn figures(row: &Row, described: &[&str]) -> Vec<(String, String)> {
    row.iter()
        .filter(|(key, _)| !described.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Compares `frogs-depths.csv` with the `depths.csv` of a report folder.
pub(crate) fn compare_depths(program: &Path, folder: &Path) -> Result<Tally> {
    let expected = rows(&folder.join("frogs-depths.csv"))?;
    let place = tempfile::tempdir().context("no folder for a report")?;
    let report = place.path().join("report");
    let arguments = [
        "explore",
        "frogs-and-toads",
        "-p",
        "n=1..4",
        "--quiet",
        "-o",
    ];
    let output = std::process::Command::new(program)
        .args(arguments)
        .arg(&report)
        .output()
        .context("could not start the program")?;
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let found = rows(&report.join("depths.csv"))?;
    let mut tally = Tally::default();
    tally.compare(
        "frogs-depths.csv",
        "rows",
        &expected.len().to_string(),
        &found.len().to_string(),
    );
    for (row, other) in expected.iter().zip(&found) {
        tally.rows += 1;
        for (key, value) in row {
            let label = format!("n={} depth={}", row["n"], row["depth"]);
            let figure = other.get(key).map_or("(no such column)", String::as_str);
            tally.compare(&label, key, value, figure);
        }
    }
    Ok(tally)
}

fn rows(path: &Path) -> Result<Vec<Row>> {
    let mut reader = csv::Reader::from_path(path).with_context(|| path.display().to_string())?;
    reader
        .deserialize()
        .map(|row| row.with_context(|| path.display().to_string()))
        .collect()
}
