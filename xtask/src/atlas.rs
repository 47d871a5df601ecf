//! `cargo xtask atlas`: docs/atlas, a page a shipped puzzle, built by the program itself.
//!
//! Nothing in it depends on the day, the machine or its fonts, so `--check` can build it elsewhere
//! and compare the bytes.

mod catalogue;
mod facts;
mod page;
mod pictures;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::product;
use catalogue::Entry;

/// Where the atlas stands, seen from the top of the workspace.
const PLACE: &str = "docs/atlas";

/// All files, by their names with `/`.
type Files = BTreeMap<String, String>;

/// Builds the atlas; with `check` only compares it with the one that is there.
pub(crate) fn run(root: &Path, check: bool) -> Result<()> {
    let program = product::build(root, "impasse")?;
    let fresh = build(root, &program)?;
    let place = root.join(PLACE);
    if check {
        return compare(&fresh, &read(&place)?);
    }
    if place.exists() {
        fs::remove_dir_all(&place).with_context(|| format!("{PLACE}: cannot be removed"))?;
    }
    for (name, text) in &fresh {
        let path = place.join(name);
        let folder = path.parent().expect("a file stands in a folder");
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    let bytes: usize = fresh.values().map(String::len).sum();
    println!("{PLACE}: {} files, {} KiB", fresh.len(), bytes / 1024);
    Ok(())
}

fn build(root: &Path, program: &Path) -> Result<Files> {
    let shipped = facts::shipped(program)?;
    let mut files = Files::new();
    let mut lines = Vec::new();
    for puzzle in &shipped {
        let entry = Entry::of(&puzzle.name)
            .with_context(|| format!("`{}` is not in the catalogue of the atlas", puzzle.name))?;
        let rules = root.join(format!("data/puzzles/{}.puzzle", puzzle.name));
        let rules = fs::read_to_string(&rules).with_context(|| rules.display().to_string())?;
        let facts = facts::gather(program, puzzle, &rules, entry)
            .with_context(|| format!("the page of `{}`", puzzle.name))?;
        for (name, svg) in pictures::all(entry, &facts) {
            files.insert(name, svg);
        }
        lines.push(page::line(&facts));
        files.insert(format!("{}.md", puzzle.name), page::page(entry, &facts));
    }
    for entry in catalogue::ENTRIES {
        let is_shipped = shipped.iter().any(|puzzle| puzzle.name == entry.name);
        ensure!(
            is_shipped,
            "the catalogue of the atlas has `{}`, which is not shipped",
            entry.name
        );
    }
    files.insert("README.md".to_owned(), page::index(&lines));
    Ok(files)
}

/// All files below a folder.
fn read(place: &Path) -> Result<Files> {
    let mut files = Files::new();
    let mut open: Vec<PathBuf> = vec![place.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path
                .strip_prefix(place)?
                .to_string_lossy()
                .replace('\\', "/");
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            files.insert(name, text);
        }
    }
    Ok(files)
}

fn compare(fresh: &Files, there: &Files) -> Result<()> {
    let mut differ: Vec<&str> = Vec::new();
    for name in fresh.keys().chain(there.keys()) {
        if fresh.get(name) != there.get(name) && !differ.contains(&name.as_str()) {
            differ.push(name);
        }
    }
    if differ.is_empty() {
        println!("{PLACE}: {} files, all as they are built", fresh.len());
        return Ok(());
    }
    bail!(
        "{PLACE} is not what the program builds now: {} differ; run `cargo xtask atlas` and look at the difference",
        differ.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named() {
        let files = |all: &[(&str, &str)]| {
            all.iter()
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
                .collect::<Files>()
        };
        let one = files(&[("a.md", "1"), ("b.md", "2")]);
        assert!(compare(&one, &one).is_ok());
        let other = files(&[("a.md", "1"), ("b.md", "3"), ("c.md", "")]);
        let error = compare(&one, &other).expect_err("two differ");
        assert!(
            error.to_string().contains(": b.md, c.md differ;"),
            "{error}"
        );
    }
}
