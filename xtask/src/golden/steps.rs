//! Steps of the shipped procedure on long rows, by `impasse trace` with one line a step.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::Tally;

/// The start, the number of steps, and whether the steps are too many for a quick run.
const ROWS: [(&str, u64, bool); 4] = [
    ("1^10000", 5_000, false),
    ("5^10000", 55_018, false),
    ("1000000", 1_894_416, true),
    ("1000^10000", 10_718_620, true),
];

/// Plays the rows and compares the number of lines printed and where play ends.
pub(crate) fn compare(program: &Path, large: bool) -> Result<Tally> {
    let mut tally = Tally::default();
    for (start, steps, is_large) in ROWS {
        if is_large && !large {
            continue;
        }
        tally.rows += 1;
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("steps.txt");
        let output = Command::new(program)
            .args([
                "trace",
                "chips-classic",
                "--quiet",
                "--steps",
                "moves",
                "--start",
                start,
                "-o",
            ])
            .arg(&path)
            .stderr(Stdio::inherit())
            .output()
            .context("could not start the program")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let lines = std::fs::read_to_string(&path)?.lines().count();
        // The head of the columns is no step.
        let found = lines.saturating_sub(1).to_string();
        tally.compare(start, "steps", &steps.to_string(), &found);
        let end = text
            .lines()
            .any(|line| line.starts_with("checked: the row at rest"));
        tally.compare(start, "at rest", "true", &end.to_string());
    }
    Ok(tally)
}
