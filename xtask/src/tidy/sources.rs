//! What no tracked file may hold, and what no library may do.

use std::path::Path;

use super::code::code_only;
use super::{Findings, TextFile};

/// Crates that never print; the command and the tasks do.
const LIBRARIES: &[&str] = &["model", "graph", "analysis", "report", "verify"];
/// Crates that know rules and boards, but no puzzle.
const NAMELESS: &[&str] = &["model", "graph"];
/// What is left behind by mistake, or prints.
const UNWANTED: &[&str] = &[
    "print!",
    "println!",
    "eprint!",
    "eprintln!",
    "dbg!",
    "todo!",
    "unimplemented!",
];
/// Words by which puzzles are known.
const PUZZLE_WORDS: &[&str] = &[
    "frog",
    "toad",
    "guarini",
    "twickenham",
    "klotski",
    "huarong",
    "hanoi",
    "sokoban",
    "tait",
    "pancake",
    "topspin",
    "zeckendorf",
    "bergman",
    "solitaire",
    "jug",
    "coin",
    "chip",
];
/// A longer file is asked whether it has a seam.
const LONG: usize = 600;

/// Faults every mention of a folder that exists on one machine only.
pub(crate) fn check_paths(root: &Path, files: &[TextFile], findings: &mut Findings) {
    let forbidden = machine_folders(root);
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            if forbidden.iter().any(|folder| names_path(line, folder)) {
                findings.fault(format!(
                    "{}:{}: a path of one machine",
                    file.path,
                    number + 1
                ));
            }
        }
    }
}

/// Home folders, the folder of this clone, and its first part if that is no standard folder.
fn machine_folders(root: &Path) -> Vec<String> {
    let mut folders: Vec<String> = ["home", "Users", "root"].map(|f| format!("/{f}/")).into();
    folders.push(format!("{}/", root.display()));
    if let Some(home) = std::env::var_os("HOME") {
        folders.push(format!("{}/", Path::new(&home).display()));
    }
    let first = root
        .components()
        .nth(1)
        .map(|c| c.as_os_str().to_string_lossy().into_owned());
    let standard = [
        "usr", "bin", "etc", "dev", "proc", "tmp", "opt", "var", "mnt", "srv", "sys",
    ];
    if let Some(first) = first.filter(|f| !standard.contains(&f.as_str())) {
        folders.push(format!("/{first}/"));
    }
    folders.retain(|f| f.len() > 2);
    folders
}

/// Whether `folder` stands in `line` as the beginning of a path, not as a part of a longer one.
fn names_path(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let goes_on =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '}' | ')');
        !line[..at].ends_with(goes_on)
    })
}

/// Faults a puzzle's name in the code of a crate that must know none.
pub(crate) fn check_names(files: &[TextFile], findings: &mut Findings) {
    for_code_lines(files, NAMELESS, |file, number, line| {
        let line = line.to_lowercase();
        if let Some(word) = PUZZLE_WORDS.iter().find(|word| holds_word(&line, word)) {
            findings.fault(format!("{}:{number}: the puzzle word `{word}`", file.path));
        }
    });
}

/// Whether `word`, or its plural, stands in `line` as a word or as a part of a name.
fn holds_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let after = &line[at + word.len()..];
        let after = after.strip_prefix('s').unwrap_or(after);
        !line[..at].ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphabetic)
    })
}

/// Faults printing, and what is left behind by mistake, in library crates.
pub(crate) fn check_prints(files: &[TextFile], findings: &mut Findings) {
    for_code_lines(files, LIBRARIES, |file, number, line| {
        if let Some(found) = UNWANTED.iter().find(|m| holds_word(line, m)) {
            findings.fault(format!(
                "{}:{number}: `{found}` in a library crate",
                file.path
            ));
        }
    });
}

/// Calls `check` with every line of code (no comments, strings or tests) of the given crates.
fn for_code_lines(
    files: &[TextFile],
    crates: &[&str],
    mut check: impl FnMut(&TextFile, usize, &str),
) {
    for file in files.iter().filter(|f| is_source_of(f, crates)) {
        for (number, line) in code_only(&file.text).lines().enumerate() {
            check(file, number + 1, line);
        }
    }
}

fn is_source_of(file: &TextFile, crates: &[&str]) -> bool {
    let is_test = file.path.ends_with("/tests.rs") || file.path.contains("/tests/");
    let inside = crates
        .iter()
        .any(|name| file.path.starts_with(&format!("crates/{name}/src/")));
    inside && !is_test && file.is_rust()
}

/// Notes sources that are longer than one likes to read.
pub(crate) fn check_lengths(files: &[TextFile], findings: &mut Findings) {
    for file in files.iter().filter(|f| f.is_rust()) {
        let lines = file.text.lines().count();
        if lines > LONG {
            findings.note(format!("{}: {lines} lines; is there a seam?", file.path));
        }
    }
}

/// Faults a file in tests/ that no `[[test]]` of the command names: it would never run.
pub(crate) fn check_test_targets(files: &[TextFile], findings: &mut Findings) {
    let Some(manifest) = files.iter().find(|f| f.path == "crates/cli/Cargo.toml") else {
        return;
    };
    for file in files {
        let Some(name) = file.path.strip_prefix("tests/") else {
            continue;
        };
        if file.is_rust() && !name.contains('/') && !manifest.text.contains(&file.path) {
            findings.fault(format!(
                "{}: no [[test]] in {} names it",
                file.path, manifest.path
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{holds_word, names_path};

    #[test]
    fn a_path_begins_where_no_other_goes_on() {
        let home = ["/", "home", "/"].concat();
        assert!(names_path(&format!("open {home}me/x"), &home));
        assert!(names_path(&format!("\"{home}me\""), &home));
        assert!(!names_path(&format!("src{home}page.html"), &home));
    }

    #[test]
    fn a_word_is_found_whole_or_in_the_plural() {
        assert!(holds_word("let frogs = 1;", "frog"));
        assert!(holds_word("two_frogs", "frog"));
        assert!(!holds_word("they coincide", "coin"));
        assert!(!holds_word("bullfrogs", "frog"));
        assert!(holds_word("x; println!()", "println!"));
        assert!(!holds_word("x; eprintln!()", "println!"));
    }
}
