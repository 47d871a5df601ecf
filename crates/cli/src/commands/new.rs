//! `impasse new NAME`: a commented rule file to start from.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use crate::args::NewArgs;
use crate::exit::{Exit, Failure};
use crate::output::Ui;

/// A small puzzle that works, and what else could be written.
const STARTER: &str = include_str!("starter.puzzle");

/// Writes `NAME.puzzle`, unless something stands there.
pub(crate) fn run(ui: Ui, args: &NewArgs) -> Result<Exit, Failure> {
    let path = path_of(&args.name)?;
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)
        .map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => Failure::io(format!("`{}` exists already", path.display()))
                .help("choose another name; nothing was changed"),
            _ => Failure::file("write", &path, &error),
        })?;
    file.write_all(STARTER.as_bytes()).map_err(|error| {
        let _ = std::fs::remove_file(&path);
        Failure::file("write", &path, &error)
    })?;
    let shown = shell_word(&path.display().to_string());
    ui.note(format_args!(
        "wrote {shown}; try `impasse show {shown}`, then `impasse solve {shown}`"
    ));
    Ok(Exit::Done)
}

/// A file's name as it is typed: in quotes if a shell would take it apart, after `./` if it looks
/// like a flag.
fn shell_word(name: &str) -> String {
    let name = if name.starts_with('-') {
        format!("./{name}")
    } else {
        name.to_owned()
    };
    let is_plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    if name.chars().all(is_plain) {
        name
    } else {
        format!("'{}'", name.replace('\'', "'\\''"))
    }
}

fn path_of(name: &str) -> Result<PathBuf, Failure> {
    let mut path = PathBuf::from(name);
    if path.file_name().is_none() || name.ends_with('/') {
        return Err(Failure::usage(format!("`{name}` is no name for a file")));
    }
    if path
        .extension()
        .is_none_or(|extension| extension != "puzzle")
    {
        path.as_mut_os_string().push(".puzzle");
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use impasse_model::parse::parse;

    use super::*;

    #[test]
    fn the_starter_is_a_good_rule_file() {
        let parsed = parse("starter.puzzle", STARTER.as_bytes()).expect("no faults");
        assert_eq!(parsed.warnings, []);
        let params = parsed.file.parameters(&[]).expect("defaults");
        let (_, warnings) = parsed
            .file
            .instance("starter", params, None)
            .expect("no faults");
        assert_eq!(warnings, []);
    }

    #[test]
    fn names_are_shown_as_they_are_typed() {
        let check = |name: &str, word: &str| assert_eq!(shell_word(name), word);
        check("frogs.puzzle", "frogs.puzzle");
        check("x y.puzzle", "'x y.puzzle'");
        check("-x.puzzle", "./-x.puzzle");
        check("it's", "'it'\\''s'");
    }

    #[test]
    fn names_become_files() {
        let check = |name: &str, path: &str| {
            assert_eq!(path_of(name).expect(name), PathBuf::from(path));
        };
        check("frogs", "frogs.puzzle");
        check("frogs.puzzle", "frogs.puzzle");
        check("a/b.c", "a/b.c.puzzle");
        assert!(path_of("").is_err());
        assert!(path_of("a/").is_err());
    }
}
