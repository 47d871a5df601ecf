//! The table of imports in ARCHITECTURE.md against the manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::{Findings, TextFile};

const PAPER: &str = "ARCHITECTURE.md";
/// Prefix of the packages of this workspace.
const OURS: &str = "impasse-";

/// Which of our crates each may depend on, whatever the table says.
const DIRECTION: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("graph", &["model"]),
    ("analysis", &["model", "graph"]),
    ("report", &["model", "graph", "analysis"]),
    ("verify", &["model"]),
    ("cli", &["model", "graph", "analysis", "report", "verify"]),
];

/// Compares the table, the headings, the manifests and the uses in the sources.
pub(crate) fn check(root: &Path, files: &[TextFile], findings: &mut Findings) -> Result<()> {
    let paper = std::fs::read_to_string(root.join(PAPER)).context(PAPER)?;
    let table = import_table(&paper);
    ensure!(
        !table.is_empty(),
        "{PAPER} has no table that begins with `| crate | imports |`"
    );
    for &(name, may) in DIRECTION {
        let manifest = find(files, &format!("crates/{name}/Cargo.toml"))?;
        let wanted = dependencies(&manifest.text);
        check_direction(name, may, &wanted, findings);
        match table.get(name) {
            Some(allowed) => check_table(name, allowed, &wanted, findings),
            None => findings.fault(format!("{PAPER}: the table has no row for `{name}`")),
        }
        check_uses(name, &wanted, files, findings);
        if !has_heading(&paper, name) {
            findings.fault(format!("{PAPER}: no heading for `crates/{name}`"));
        }
    }
    Ok(())
}

fn check_direction(name: &str, may: &[&str], wanted: &BTreeSet<String>, findings: &mut Findings) {
    for dependency in wanted.iter().filter_map(|d| d.strip_prefix(OURS)) {
        if !may.contains(&dependency) {
            findings.fault(format!(
                "crates/{name} must not depend on crates/{dependency}"
            ));
        }
    }
}

fn check_table(
    name: &str,
    allowed: &BTreeSet<String>,
    wanted: &BTreeSet<String>,
    findings: &mut Findings,
) {
    let wanted: BTreeSet<String> = wanted
        .iter()
        .map(|d| d.strip_prefix(OURS).unwrap_or(d).to_owned())
        .collect();
    for extra in wanted.difference(allowed) {
        findings.fault(format!(
            "crates/{name} imports `{extra}`, which {PAPER} does not allow"
        ));
    }
    for missing in allowed.difference(&wanted) {
        findings.note(format!(
            "{PAPER} allows `{missing}` in crates/{name}, which has no use for it"
        ));
    }
}

/// A dependency that no source names is for show.
fn check_uses(name: &str, wanted: &BTreeSet<String>, files: &[TextFile], findings: &mut Findings) {
    let folder = format!("crates/{name}/");
    for dependency in wanted {
        let word = dependency.replace('-', "_");
        let used = files
            .iter()
            .filter(|f| f.path.starts_with(&folder) && f.is_rust())
            .any(|f| {
                f.text.contains(&format!("{word}::")) || f.text.contains(&format!("use {word}"))
            });
        if !used {
            findings.fault(format!(
                "crates/{name} depends on `{dependency}` but never names it"
            ));
        }
    }
}

fn has_heading(paper: &str, name: &str) -> bool {
    paper
        .lines()
        .any(|line| line.starts_with('#') && line.contains(&format!("crates/{name}")))
}

/// The rows of the table: crate, and the names it may import (without remarks in brackets).
fn import_table(paper: &str) -> BTreeMap<String, BTreeSet<String>> {
    paper
        .lines()
        .skip_while(|line| !line.starts_with("| crate | imports"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .filter_map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            let (name, imports) = (cells.next()?, cells.next()?);
            Some((name.to_owned(), names(&without_brackets(imports))))
        })
        .collect()
}

fn names(list: &str) -> BTreeSet<String> {
    list.split(',')
        .map(|n| n.trim().to_owned())
        .filter(|n| !n.is_empty())
        .collect()
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0_usize;
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// The names under `[dependencies]` of a manifest.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    manifest
        .lines()
        .map(str::trim)
        .skip_while(|line| *line != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| line.split(['.', '=', ' ']).next())
        .map(str::to_owned)
        .collect()
}

fn find<'a>(files: &'a [TextFile], path: &str) -> Result<&'a TextFile> {
    files
        .iter()
        .find(|f| f.path == path)
        .with_context(|| format!("{path} is not tracked"))
}

#[cfg(test)]
mod tests {
    use super::{dependencies, import_table};

    #[test]
    fn reads_the_table_and_a_manifest() {
        let table = import_table(
            "text\n| crate | imports | never sees |\n|---|---|---|\n| model | a (b, c), d | e |\n\n| x | y |",
        );
        assert_eq!(format!("{table:?}"), r#"{"model": {"a", "d"}}"#);
        let names = dependencies(
            "[package]\nname = \"x\"\n[dependencies]\na.workspace = true\n# no\nb = \"1\"\n[lints]\nc = 1\n",
        );
        assert_eq!(format!("{names:?}"), r#"{"a", "b"}"#);
    }
}
