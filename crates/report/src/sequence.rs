//! A figure as a sequence over one parameter, or as a table over two.

use std::collections::BTreeMap;
use std::io::Write;

use num_bigint::BigInt;
use serde_json::{Map, Value, json};

use crate::error::Error;
use crate::grid::{Align, Grid, Layout};
use crate::json;
use crate::numbers::grouped;

/// How a sequence is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Over one parameter.
    Line,
    /// Over two; in one line it is read by descending antidiagonals: A(1,1), A(1,2), A(2,1), ...
    Table,
    /// Over two, the second at most as large as the first; in one line it is read by rows.
    Triangle,
}

/// The terms that are known.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The key of the summary.
    pub key: String,
    /// The parameters it runs over: one, or two.
    pub names: Vec<String>,
    /// The layout.
    pub form: Form,
    /// Parameter values, as many as there are names, and the figure there, in the order of the runs.
    pub terms: Vec<(Vec<i64>, BigInt)>,
}

/// Terms one after the other, without a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The index of the first one.
    pub first: i64,
    /// The terms.
    pub values: Vec<BigInt>,
    /// Where it ends before the terms do: the parameter values of the first one that is missing.
    pub gap: Option<Vec<i64>>,
}

impl Sequence {
    /// The terms one after the other, up to the first that is missing.
    ///
    /// A line is numbered by its parameter, a table or triangle from its first row on.
    #[must_use]
    pub fn listing(&self) -> Listing {
        let known: BTreeMap<&[i64], &BigInt> = self
            .terms
            .iter()
            .map(|(at, value)| (at.as_slice(), value))
            .collect();
        let mut listing = Listing {
            first: self.terms.iter().map(|(at, _)| at[0]).min().unwrap_or(0),
            values: Vec::new(),
            gap: None,
        };
        for at in self.reading_order() {
            let Some(value) = known.get(at.as_slice()) else {
                listing.gap = Some(at);
                break;
            };
            listing.values.push((*value).clone());
        }
        listing
    }

    /// The places from the first to the last term, in the order in which they are read.
    fn reading_order(&self) -> Vec<Vec<i64>> {
        let (rows, columns) = (self.values_of(0), self.values_of(1));
        let (Some(&first), Some(&last)) = (rows.first(), rows.last()) else {
            return Vec::new();
        };
        match self.form {
            Form::Line => (first..=last).map(|n| vec![n]).collect(),
            Form::Triangle => {
                let row = |n: i64| (columns[0]..=n).map(move |m| vec![n, m]);
                (first..=last).flat_map(row).collect()
            }
            Form::Table => {
                let least = columns[0];
                let side = (last - first).min(columns[columns.len() - 1] - least);
                let diagonal = |d: i64| (0..=d).map(move |i| vec![first + i, least + d - i]);
                (0..=side).flat_map(diagonal).collect()
            }
        }
    }

    /// The different values of a parameter, in order.
    fn values_of(&self, parameter: usize) -> Vec<i64> {
        let mut values: Vec<i64> = self
            .terms
            .iter()
            .filter_map(|(at, _)| at.get(parameter).copied())
            .collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// Writes a line of terms, or a table with a row a value of the first parameter.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn text(&self, out: &mut dyn Write) -> Result<(), Error> {
        if self.form == Form::Line {
            let words: Vec<String> = self.terms.iter().map(|(_, v)| v.to_string()).collect();
            return Ok(writeln!(out, "{}", words.join(", "))?);
        }
        let columns = self.values_of(1);
        let corner = self.names.join("\\");
        let names = columns.iter().map(ToString::to_string);
        let mut grid = Grid::new(
            std::iter::once(corner)
                .chain(names)
                .map(|name| (name, Align::Right)),
        );
        for n in self.values_of(0) {
            let cell = |m: &i64| {
                let known = self.terms.iter().find(|(at, _)| *at == [n, *m]);
                match known {
                    Some((_, value)) => grouped(value),
                    None if self.form == Form::Triangle && *m > n => String::new(),
                    None => "-".to_owned(),
                }
            };
            grid.row(std::iter::once(n.to_string()).chain(columns.iter().map(cell)));
        }
        Ok(grid.write(out, Layout::Text, None)?)
    }

    /// Writes a row a term: the parameters, then the figure.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn csv(&self, out: &mut dyn Write) -> Result<(), Error> {
        writeln!(out, "{},{}", self.names.join(","), self.key)?;
        for (at, value) in &self.terms {
            let at: Vec<String> = at.iter().map(ToString::to_string).collect();
            writeln!(out, "{},{value}", at.join(","))?;
        }
        Ok(())
    }

    /// Writes an object a term, one a line.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn json(&self, out: &mut dyn Write) -> Result<(), Error> {
        for (at, value) in &self.terms {
            let mut object = Map::new();
            object.insert("schema".to_owned(), json!("impasse.term/1"));
            for (name, n) in self.names.iter().zip(at) {
                object.insert(name.clone(), json!(n));
            }
            object.insert(self.key.clone(), number(value));
            json::line(out, &Value::Object(object))?;
        }
        Ok(())
    }
}

/// A number; a string where not every reader of JSON keeps it exactly.
#[must_use]
pub fn number(value: &BigInt) -> Value {
    i64::try_from(value)
        .ok()
        .filter(|value| value.unsigned_abs() < 1 << 53)
        .map_or_else(|| json!(value.to_string()), |value| json!(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::text_of;

    fn sequence(form: Form, terms: &[(&[i64], i64)]) -> Sequence {
        let names = ["n", "m"];
        Sequence {
            key: "states".to_owned(),
            names: names[..terms[0].0.len()]
                .iter()
                .map(|n| (*n).to_owned())
                .collect(),
            form,
            terms: terms
                .iter()
                .map(|(at, v)| (at.to_vec(), (*v).into()))
                .collect(),
        }
    }

    fn listed(form: Form, terms: &[(&[i64], i64)]) -> (i64, Vec<i64>, Option<Vec<i64>>) {
        let listing = sequence(form, terms).listing();
        let values = listing
            .values
            .iter()
            .map(|v| i64::try_from(v).expect("small"));
        (listing.first, values.collect(), listing.gap)
    }

    #[test]
    fn a_line_ends_at_its_gap() {
        let terms: [(&[i64], i64); 3] = [(&[2], 5), (&[3], 7), (&[5], 11)];
        assert_eq!(listed(Form::Line, &terms), (2, vec![5, 7], Some(vec![4])));
        assert_eq!(listed(Form::Line, &terms[..2]), (2, vec![5, 7], None));
    }

    #[test]
    fn tables_are_read_by_antidiagonals_and_triangles_by_rows() {
        let all: Vec<(Vec<i64>, i64)> = (1..=2)
            .flat_map(|n| (1..=3).map(move |m| (vec![n, m], 10 * n + m)))
            .collect();
        let terms: Vec<(&[i64], i64)> = all.iter().map(|(at, v)| (at.as_slice(), *v)).collect();
        assert_eq!(listed(Form::Table, &terms), (1, vec![11, 12, 21], None));
        let lower: Vec<(&[i64], i64)> = terms
            .iter()
            .copied()
            .filter(|(at, _)| at[1] <= at[0])
            .collect();
        assert_eq!(listed(Form::Triangle, &lower), (1, vec![11, 21, 22], None));
        let holed: Vec<(&[i64], i64)> = lower.iter().copied().filter(|(_, v)| *v != 21).collect();
        assert_eq!(
            listed(Form::Triangle, &holed),
            (1, vec![11], Some(vec![2, 1]))
        );
        assert_eq!(
            text_of(|out| sequence(Form::Triangle, &holed).text(out)),
            "n\\m   1   2\n  1  11\n  2   -  22\n"
        );
        assert_eq!(
            text_of(|out| sequence(Form::Triangle, &lower).csv(out)),
            "n,m,states\n1,1,11\n2,1,21\n2,2,22\n"
        );
    }

    #[test]
    fn large_numbers_are_strings_in_json() {
        let mut sequence = sequence(Form::Line, &[(&[1], 1 << 52), (&[2], 1 << 53)]);
        sequence.names = vec!["n".to_owned()];
        assert_eq!(
            text_of(|out| sequence.json(out)),
            "{\"schema\":\"impasse.term/1\",\"n\":1,\"states\":4503599627370496}\n\
             {\"schema\":\"impasse.term/1\",\"n\":2,\"states\":\"9007199254740992\"}\n"
        );
    }
}
