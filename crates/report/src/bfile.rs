//! b-files of the OEIS: `n a(n)`, one a line, n without a gap, ASCII, a newline at the end.
//!
//! # Source
//! N. J. A. Sloane, "The format for b-files", <https://oeis.org/SubmitB.html>.

use std::io::Write;

use num_bigint::BigInt;

use crate::error::Error;

/// A longer number is no term: the OEIS asks for at most 1,000 digits.
const MOST_DIGITS: usize = 10_000;

/// Writes terms that stand at `first`, `first + 1`, ...
///
/// # Errors
/// Those of `out`.
pub fn write(out: &mut dyn Write, first: i64, values: &[BigInt]) -> Result<(), Error> {
    for (n, value) in (first..).zip(values) {
        writeln!(out, "{n} {value}")?;
    }
    Ok(())
}

/// The terms of a b-file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BFile {
    /// The n of its first term.
    pub first: i64,
    /// The terms, each with its line, from 1.
    pub terms: Vec<(BigInt, usize)>,
}

impl BFile {
    /// The n of its last term.
    #[must_use]
    pub fn last(&self) -> i64 {
        self.first + (self.terms.len() as i64 - 1)
    }

    /// The term at `n` and its line.
    #[must_use]
    pub fn term(&self, n: i64) -> Option<&(BigInt, usize)> {
        let place = n.checked_sub(self.first)?;
        self.terms.get(usize::try_from(place).ok()?)
    }

    /// Reads a b-file. Lines that begin with `#` and empty lines say nothing.
    ///
    /// # Errors
    /// The first line that is damaged, and how.
    pub fn read(bytes: &[u8]) -> Result<Self, Damage> {
        let mut file: Option<Self> = None;
        let mut lines = 0;
        for (line, text) in (1..).zip(bytes.split_inclusive(|&b| b == b'\n')) {
            lines = line;
            let damaged = |what: String| Damage { line, what };
            let text = ascii(text).map_err(damaged)?;
            let term = term(text).map_err(damaged)?;
            if !text.ends_with('\n') {
                let what = "it does not end with a newline, so the file may be cut off";
                return Err(damaged(what.to_owned()));
            }
            let Some((n, value)) = term else {
                continue;
            };
            let file = file.get_or_insert_with(|| Self {
                first: n,
                terms: Vec::new(),
            });
            let expected = file.first.checked_add(file.terms.len() as i64);
            if Some(n) != expected {
                let expected = expected.map_or("no more".to_owned(), |n| n.to_string());
                return Err(damaged(format!("n is {n}, expected {expected}")));
            }
            file.terms.push((value, line));
        }
        file.ok_or(Damage {
            line: lines.max(1),
            what: "the file ends without a term `n a(n)`".to_owned(),
        })
    }
}

/// Why a file is no b-file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct Damage {
    /// The line, from 1.
    pub line: usize,
    /// What is the matter.
    pub what: String,
}

fn ascii(line: &[u8]) -> Result<&str, String> {
    let is_plain = |b: u8| matches!(b, b'\n' | b'\r' | b'\t' | b' '..=b'~');
    match line.iter().position(|&b| !is_plain(b)) {
        Some(column) => Err(format!(
            "column {} holds the byte {:#04x}, which is no printable ASCII",
            column + 1,
            line[column]
        )),
        None => Ok(std::str::from_utf8(line).expect("ASCII is UTF-8")),
    }
}

/// The term of a line; none if it is empty or a comment.
fn term(line: &str) -> Result<Option<(i64, BigInt)>, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.is_empty() || words[0].starts_with('#') {
        return Ok(None);
    }
    let [n, value] = words[..] else {
        return Err(format!("it has {} words, expected `n a(n)`", words.len()));
    };
    if value.len() > MOST_DIGITS {
        return Err(format!("a term of {} digits", value.len()));
    }
    let number = |word: &str| {
        format!(
            "`{}` is no integer",
            word.chars().take(40).collect::<String>()
        )
    };
    Ok(Some((
        n.parse().map_err(|_| number(n))?,
        value.parse().map_err(|_| number(value))?,
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::text_of;

    fn check(text: &str, expected: Result<(i64, &[i64]), &str>) {
        let found = BFile::read(text.as_bytes()).map(|file| {
            let values = file
                .terms
                .iter()
                .map(|(v, _)| i64::try_from(v).expect("small"));
            (file.first, values.collect::<Vec<_>>())
        });
        let found = found.map_err(|damage| damage.to_string());
        let expected = expected
            .map(|(first, values)| (first, values.to_vec()))
            .map_err(str::to_owned);
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn good_files() {
        check("1 6\n2 23\n", Ok((1, &[6, 23])));
        check("# A000045\n\n0 0\n1 1\r\n\n2 1\n", Ok((0, &[0, 1, 1])));
        check("-2 5\n-1 -7\n0 +3\n", Ok((-2, &[5, -7, 3])));
    }

    #[test]
    fn damaged_files() {
        check("", Err("line 1: the file ends without a term `n a(n)`"));
        check(
            "# nothing\n",
            Err("line 1: the file ends without a term `n a(n)`"),
        );
        check("1 6\n3 72\n", Err("line 2: n is 3, expected 2"));
        check("1 6\n1 6\n", Err("line 2: n is 1, expected 2"));
        check("1 6\n2 x\n", Err("line 2: `x` is no integer"));
        check("1 6\n2 2.5\n", Err("line 2: `2.5` is no integer"));
        check("1 6\n2\n", Err("line 2: it has 1 words, expected `n a(n)`"));
        check(
            "1 6\n2 23 72\n",
            Err("line 2: it has 3 words, expected `n a(n)`"),
        );
        check(
            "1 6\n2 23",
            Err("line 2: it does not end with a newline, so the file may be cut off"),
        );
        check(
            "1 6\n2 \u{00b2}3\n",
            Err("line 2: column 3 holds the byte 0xc2, which is no printable ASCII"),
        );
        check(
            &format!("1 {}\n", "9".repeat(10_001)),
            Err("line 1: a term of 10001 digits"),
        );
        check(
            &format!("{} 1\n{} 2\n", i64::MAX, i64::MIN),
            Err(&format!("line 2: n is {}, expected no more", i64::MIN)),
        );
    }

    #[test]
    fn what_is_written_is_read_back() {
        let values: Vec<BigInt> = [6, 23, -72].map(BigInt::from).to_vec();
        let text = text_of(|out| write(out, -1, &values));
        assert_eq!(text, "-1 6\n0 23\n1 -72\n");
        let file = BFile::read(text.as_bytes()).expect("a b-file");
        assert_eq!((file.first, file.last()), (-1, 1));
        assert_eq!(file.term(0), Some(&(BigInt::from(23), 2)));
        assert_eq!((file.term(2), file.term(-2)), (None, None));
    }
}
