//! `cargo xtask tidy`: what the papers say against what the files hold.

mod code;
mod imports;
mod sources;

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

/// What the checks found: faults fail the task, notes do not.
#[derive(Default)]
pub(crate) struct Findings {
    faults: Vec<String>,
    notes: Vec<String>,
}

impl Findings {
    fn fault(&mut self, text: impl Into<String>) {
        self.faults.push(text.into());
    }

    fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }
}

/// A tracked text file, by its path from the top of the workspace.
pub(crate) struct TextFile {
    path: String,
    text: String,
}

impl TextFile {
    fn is_rust(&self) -> bool {
        Path::new(&self.path)
            .extension()
            .is_some_and(|extension| extension == "rs")
    }
}

/// Runs every check over the tracked files of the workspace at `root`.
pub(crate) fn run(root: &Path) -> Result<()> {
    let files = tracked(root)?;
    let mut findings = Findings::default();
    imports::check(root, &files, &mut findings)?;
    sources::check_paths(root, &files, &mut findings);
    sources::check_names(&files, &mut findings);
    sources::check_prints(&files, &mut findings);
    sources::check_lengths(&files, &mut findings);
    sources::check_test_targets(&files, &mut findings);
    for note in &findings.notes {
        println!("note: {note}");
    }
    for fault in &findings.faults {
        println!("fault: {fault}");
    }
    let (faults, notes) = (findings.faults.len(), findings.notes.len());
    println!(
        "tidy: {} files, {faults} faults, {notes} notes",
        files.len()
    );
    ensure!(faults == 0, "the workspace is not tidy");
    Ok(())
}

/// Every tracked file that is text and still there, sorted by path.
fn tracked(root: &Path) -> Result<Vec<TextFile>> {
    let output = Command::new("git")
        .current_dir(root)
        .args(["ls-files", "-z"])
        .output()
        .context("could not start git, which knows the tracked files")?;
    if !output.status.success() {
        bail!(
            "git ls-files: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    let names = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    let mut files: Vec<TextFile> = names
        .split('\0')
        .filter(|name| !name.is_empty())
        .filter_map(|name| {
            let text = fs::read_to_string(root.join(name)).ok()?;
            Some(TextFile {
                path: name.to_owned(),
                text,
            })
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}
