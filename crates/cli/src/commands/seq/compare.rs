//! `seq --compare FILE`: the terms against those of a b-file.

use std::fs;
use std::path::{Path, PathBuf};

use impasse_report::bfile::BFile;
use impasse_report::json;
use impasse_report::sequence::{Listing, Sequence, number};
use num_bigint::BigInt;
use serde_json::json;

use crate::args::SeqArgs;
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::session::Session;

/// Larger files are refused.
const MOST_BYTES: u64 = 256 << 20;

/// So many terms must agree before another numbering is worth a word.
const TELLING: usize = 4;

/// A b-file and its place.
pub(super) struct Published {
    path: PathBuf,
    terms: BFile,
}

/// Reads a b-file.
///
/// # Errors
/// A file that cannot be read, or is damaged, with the line.
pub(super) fn read(path: &Path) -> Result<Published, Failure> {
    let failed = |error: &std::io::Error| Failure::file("read", path, error);
    let bytes = fs::metadata(path).map_err(|e| failed(&e))?.len();
    if bytes > MOST_BYTES {
        return Err(Failure::io(format!(
            "`{}` is too large for a b-file: {bytes} bytes",
            path.display()
        )));
    }
    let bytes = fs::read(path).map_err(|e| failed(&e))?;
    let terms = BFile::read(&bytes).map_err(|damage| {
        Failure::io(format!("{}, {damage}", path.display()))
            .help("a b-file has one term a line, `n a(n)`, with n growing by 1")
    })?;
    Ok(Published {
        path: path.to_owned(),
        terms,
    })
}

/// A term that differs.
struct Difference {
    n: i64,
    found: BigInt,
    expected: BigInt,
    line: usize,
}

/// Says whether all terms that both have agree.
pub(super) fn run(
    ui: Ui,
    args: &SeqArgs,
    session: &Session,
    sequence: &Sequence,
    published: &Published,
) -> Result<Exit, Failure> {
    let listing = sequence.listing();
    let file = &published.terms;
    let shown = published.path.display().to_string();
    let last = listing.first + listing.values.len() as i64 - 1;
    let (from, to) = (listing.first.max(file.first), last.min(file.last()));
    let name = index(sequence);
    if from > to {
        let found = match listing.values.len() {
            0 => "no term was found".to_owned(),
            _ => format!("the sequence has {name} = {}..{last}", listing.first),
        };
        return Err(Failure::usage(format!(
            "nothing to compare: {found}, `{shown}` has {name} = {}..{}",
            file.first,
            file.last()
        ))
        .help("give the range of the file with -p"));
    }
    let difference = difference(&listing, file, from, to);
    output::to(args.output.as_deref(), |out| {
        if args.json {
            let first = difference.as_ref().map(|it| {
                json!({"n": it.n, "line": it.line, "found": number(&it.found), "expected": number(&it.expected)})
            });
            let object = json!({
                "schema": "impasse.comparison/1", "puzzle": session.stem, "key": sequence.key,
                "file": shown, "from": from, "to": to, "agrees": difference.is_none(),
                "first_difference": first,
            });
            return Ok(json::line(out, &object)?);
        }
        let key = &sequence.key;
        match &difference {
            None => writeln!(out, "{key}: {name} = {from}..{to} agree with {shown}")?,
            Some(it) => writeln!(
                out,
                "{key}: {name} = {} gives {}, but {shown}, line {}, has {}",
                it.n, it.found, it.line, it.expected
            )?,
        }
        Ok(())
    })?;
    notes(ui, &listing, published, last, name);
    if difference.is_none() {
        return Ok(Exit::Done);
    }
    if let Some(shift) = shift(&listing, file) {
        ui.note(format_args!(
            "all terms agree if the file's {name} is this one's {shift:+}"
        ));
    }
    Ok(Exit::No)
}

/// What the place of a term in the file is called.
fn index(sequence: &Sequence) -> &str {
    match &sequence.names[..] {
        [name] => name,
        _ => "place",
    }
}

fn difference(listing: &Listing, file: &BFile, from: i64, to: i64) -> Option<Difference> {
    (from..=to).find_map(|n| {
        let found = &listing.values[(n - listing.first) as usize];
        let (expected, line) = file.term(n)?;
        (found != expected).then(|| Difference {
            n,
            found: found.clone(),
            expected: expected.clone(),
            line: *line,
        })
    })
}

/// Says which terms have no partner.
fn notes(ui: Ui, listing: &Listing, published: &Published, last: i64, name: &str) {
    let file = &published.terms;
    let shown = published.path.display();
    if listing.first < file.first {
        let first = file.first;
        ui.note(format_args!(
            "{shown} begins at {name} = {first}; terms before it were not compared"
        ));
    }
    if last > file.last() {
        let end = file.last();
        ui.note(format_args!(
            "{shown} ends at {name} = {end}; terms after it were not compared"
        ));
    }
}

/// By how much the file's numbering differs, if all terms agree then.
fn shift(listing: &Listing, file: &BFile) -> Option<i64> {
    let agrees = |shift: i64| {
        let pairs = (listing.first..)
            .zip(&listing.values)
            .filter_map(|(n, value)| Some((value, &file.term(n.checked_add(shift)?)?.0)));
        let pairs: Vec<_> = pairs.collect();
        pairs.len() >= TELLING && pairs.iter().all(|(found, expected)| found == expected)
    };
    [1, -1, 2, -2, 3, -3].into_iter().find(|&s| agrees(s))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_numbering_is_noticed() {
        let listing = |first, values: &[i64]| Listing {
            first,
            values: values.iter().map(|&v| v.into()).collect(),
            gap: None,
        };
        let file = BFile::read(b"0 1\n1 1\n2 2\n3 3\n4 5\n").expect("a b-file");
        assert_eq!(shift(&listing(1, &[1, 1, 2, 3]), &file), Some(-1));
        assert_eq!(shift(&listing(1, &[1, 1, 2, 4]), &file), None);
        assert_eq!(shift(&listing(4, &[1, 1, 2]), &file), None);
    }
}
