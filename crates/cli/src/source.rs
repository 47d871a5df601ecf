//! Where rule files come from: a path, standard input, or the shipped ones.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::exit::Failure;
use crate::shipped;

/// Larger rule files are refused; the largest shipped one has 2 KiB.
const MOST_BYTES: u64 = 64 << 20;

/// The bytes of a rule file and what it is called.
#[derive(Debug)]
pub(crate) struct Source {
    /// What faults call it.
    pub(crate) origin: String,
    /// The stem, by which programs know the puzzle.
    pub(crate) stem: String,
    /// The bytes, perhaps not text.
    pub(crate) bytes: Vec<u8>,
}

/// Finds and reads what a user names.
///
/// # Errors
/// A name that is neither a file nor a shipped puzzle (with the nearest one), and files that cannot
/// be read.
pub(crate) fn load(name: &str) -> Result<Source, Failure> {
    if name == "-" {
        let bytes = read(io::stdin().lock())
            .map_err(|error| Failure::file("read", Path::new("standard input"), &error))?;
        let origin = "standard input".to_owned();
        return limited(Source {
            origin,
            stem: "stdin".to_owned(),
            bytes,
        });
    }
    if let Some(puzzle) = shipped::find(name) {
        return Ok(Source {
            origin: format!("{name}.puzzle"),
            stem: name.to_owned(),
            bytes: puzzle.text.as_bytes().to_vec(),
        });
    }
    let path = Path::new(name);
    if path.is_dir() {
        return Err(
            Failure::io(format!("cannot read `{name}`: it is a directory"))
                .help("name the rule file inside it"),
        );
    }
    match File::open(path).and_then(read) {
        Ok(bytes) => {
            let stem = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            limited(Source {
                origin: name.to_owned(),
                stem,
                bytes,
            })
        }
        Err(error) if is_missing(&error) => Err(missing(name)),
        Err(error) => Err(Failure::file("read", path, &error)),
    }
}

fn read(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn limited(source: Source) -> Result<Source, Failure> {
    if source.bytes.len() as u64 > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        return Err(Failure::usage(format!(
            "{}: a rule file has at most {most} MiB; this is something else",
            source.origin
        )));
    }
    Ok(source)
}

fn is_missing(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    matches!(
        error.kind(),
        NotFound | NotADirectory | InvalidFilename | InvalidInput
    )
}

fn missing(name: &str) -> Failure {
    let path = Path::new(name);
    let looks_like_path = path.components().count() > 1 || path.extension().is_some();
    let what = if looks_like_path {
        "file"
    } else {
        "file or shipped puzzle"
    };
    let failure = Failure::usage(format!("there is no {what} `{name}`"));
    match nearest(path) {
        Some(near) => failure.help(format!("did you mean `{near}`?")),
        None => failure.help("`impasse list` shows the puzzles that come with the program"),
    }
}

/// The first shipped name that begins so, or the most similar one or file of the same folder.
fn nearest(path: &Path) -> Option<String> {
    let wanted = path.to_string_lossy();
    let stem = path.file_stem()?.to_string_lossy();
    if wanted.len() > 200 {
        return None;
    }
    let begins = |name: &&str| stem.len() >= 3 && name.starts_with(&*stem);
    if let Some(name) = shipped::ALL.iter().map(|p| p.name).find(begins) {
        return Some(name.to_owned());
    }
    let files = rule_files(path.parent()?)
        .into_iter()
        .map(|name| (distance(&wanted, &name), name));
    let shipped = shipped::ALL
        .iter()
        .map(|p| (distance(&stem, p.name), p.name.to_owned()));
    let (distance, name) = files.chain(shipped).min()?;
    (distance <= 2 + stem.chars().count() / 3).then_some(name)
}

/// The rule files of a folder (the current one if empty), as a user would name them.
fn rule_files(folder: &Path) -> Vec<String> {
    let listed = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    fs::read_dir(listed)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(folder.join(entry.ok()?.file_name())))
        .filter(|path| path.extension().is_some_and(|e| e == "puzzle"))
        .map(|path| path.to_string_lossy().into_owned())
        .collect()
}

/// How many letters must be added, taken out, changed or exchanged with a neighbour.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = usize::from(a[i - 1] != b[j - 1]);
                let exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let best = (rows[i - 1][j] + 1)
                    .min(rows[i][j - 1] + 1)
                    .min(rows[i - 1][j - 1] + change);
                if exchanged {
                    best.min(rows[i - 2][j - 2] + 1)
                } else {
                    best
                }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, near: Option<&str>) {
        assert_eq!(nearest(Path::new(name)).as_deref(), near, "{name}");
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        check("frogs-and-toad", Some("frogs-and-toads"));
        check("gaurini", Some("guarini"));
        check("hanoi3.puzle", Some("hanoi3"));
        check("something-else-altogether", None);
        check("frogs", Some("frogs-and-toads"));
        check("frogs-and", Some("frogs-and-toads"));
        check("fr", None);
    }

    #[test]
    fn distances() {
        assert_eq!(distance("coins", "coins"), 0);
        assert_eq!(distance("cions", "coins"), 1);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn shipped_names_and_missing_files() {
        assert_eq!(load("tait").expect("shipped").stem, "tait");
        assert_eq!(
            load("no/such.puzzle").expect_err("missing").exit().code(),
            2
        );
        assert_eq!(load(".").expect_err("a directory").exit().code(), 4);
    }
}
