//! `summary.csv` and `depths.csv`: every total, counted again.

use std::path::Path;

use crate::error::CheckError;
use crate::figures::{Figures, KEYS};
use crate::published::{Published, ValueNote};
use crate::sheet::Sheet;
use crate::slow::State;

/// What follows the parameters in `depths.csv`.
const DEPTH_COLUMNS: [&str; 7] = [
    "depth",
    "states",
    "live",
    "doomed",
    "dead_ends",
    "goals",
    "blocking_moves",
];

/// The columns that `--only depths` leaves empty.
const VERDICT_KEYS: [&str; 12] = [
    "live",
    "doomed",
    "lost",
    "blocking_moves",
    "points_of_no_return",
    "only_moves",
    "shortest_solutions",
    "max_remoteness",
    "graded",
    "reversible",
    "longest",
    "plays",
];

/// The rows of `summary.csv`: one a value, in their order.
pub(crate) struct Summary {
    sheet: Rows,
}

/// The rows of `depths.csv`: one a value and depth, read from the top.
pub(crate) struct Depths {
    sheet: Rows,
    next: usize,
}

/// All rows of a file.
struct Rows {
    path: String,
    /// How many parameters come first.
    params: usize,
    columns: Vec<String>,
    cells: Vec<Vec<String>>,
    /// What to say where rows are missing and the file is shorter than it was.
    shortfall: Option<CheckError>,
}

impl Summary {
    /// Reads `summary.csv`.
    pub(crate) fn read(dir: &Path, published: &Published) -> Result<Self, CheckError> {
        let sheet = Rows::read(dir, "summary.csv", published, &KEYS)?;
        let (found, expected) = (sheet.cells.len(), published.values.len());
        if found < expected {
            return Err(sheet.missing(&published.values[found]));
        }
        for (row, value) in published.values.iter().enumerate() {
            sheet.expect_params(row, value)?;
        }
        if found > expected {
            return Err(sheet.wrong(expected, "there is no such value in run.json"));
        }
        Ok(Self { sheet })
    }

    /// The figure of a value, if it is a number.
    pub(crate) fn figure(&self, value: usize, key: &str) -> Option<u64> {
        let column = KEYS.iter().position(|other| *other == key)?;
        self.sheet.cells[value][self.sheet.params + column]
            .parse()
            .ok()
    }

    /// Compares every figure of a value with those counted from its states.
    pub(crate) fn check(
        &self,
        number: usize,
        published: &Published,
        figures: &Figures,
    ) -> Result<(), CheckError> {
        let value = &published.values[number];
        for (column, key) in KEYS.iter().enumerate() {
            let is_open = published.may_lack(key) || value.absent.iter().any(|k| k == key);
            let counted = figures.text(key).expect("a key of ours");
            self.sheet
                .expect(number, self.sheet.params + column, &counted, is_open)?;
        }
        let scope = if figures.window_cut_depth.is_some() {
            "window"
        } else {
            "exact"
        };
        if value.scope != scope {
            let what = format!(
                "scope of {} is {} in run.json, expected {scope}",
                value.folder, value.scope
            );
            return Err(self.sheet.wrong(number, &what));
        }
        Ok(())
    }
}

impl Depths {
    /// Reads `depths.csv`.
    pub(crate) fn read(dir: &Path, published: &Published) -> Result<Self, CheckError> {
        let sheet = Rows::read(dir, "depths.csv", published, &DEPTH_COLUMNS)?;
        Ok(Self { sheet, next: 0 })
    }

    /// Compares the counts of every depth of the next value with those of its states.
    pub(crate) fn check(
        &mut self,
        value: &ValueNote,
        published: &Published,
        states: &[State],
    ) -> Result<(), CheckError> {
        let layers = states.last().map_or(0, |s| s.depth as usize + 1);
        for expected in depth_rows(states, layers) {
            let row = self.next;
            if row == self.sheet.cells.len() {
                return Err(self.sheet.missing(value));
            }
            self.sheet.expect_params(row, value)?;
            for (column, counted) in expected.iter().enumerate() {
                let is_open = published.may_lack(DEPTH_COLUMNS[column]);
                let column = self.sheet.params + column;
                self.sheet
                    .expect(row, column, &counted.to_string(), is_open)?;
            }
            self.next += 1;
        }
        Ok(())
    }

    /// Without states, at least: the counts of the next value add up to those of its summary.
    pub(crate) fn check_sums(
        &mut self,
        number: usize,
        value: &ValueNote,
        summary: &Summary,
    ) -> Result<(), CheckError> {
        let first = self.next;
        let is_next = |row: &&Vec<String>| {
            value
                .params
                .iter()
                .map(|(_, v)| v)
                .eq(&row[..self.sheet.params])
        };
        self.next += self.sheet.cells[first..].iter().take_while(is_next).count();
        let rows = &self.sheet.cells[first..self.next];
        for (column, key) in DEPTH_COLUMNS.iter().enumerate().skip(1) {
            let counts = rows
                .iter()
                .map(|row| row[self.sheet.params + column].parse::<u64>().ok());
            let (Some(sum), Some(total)) =
                (counts.sum::<Option<u64>>(), summary.figure(number, key))
            else {
                continue;
            };
            if sum != total {
                if let Some(shortfall) = &self.sheet.shortfall {
                    return Err(shortfall.clone());
                }
                let what = format!("{key} is {total}, but the depths have {sum} together");
                return Err(summary.sheet.wrong(number, &what));
            }
        }
        Ok(())
    }

    /// Fails unless all rows belonged to a value.
    pub(crate) fn check_end(&self) -> Result<(), CheckError> {
        if self.next < self.sheet.cells.len() {
            return Err(self.sheet.wrong(self.next, "there is no such depth"));
        }
        Ok(())
    }
}

impl Rows {
    fn read(
        dir: &Path,
        name: &str,
        published: &Published,
        columns: &[&str],
    ) -> Result<Self, CheckError> {
        let params = published
            .values
            .first()
            .map_or(&[][..], |value| &value.params);
        let names = params.iter().map(|(name, _)| name.as_str());
        let columns: Vec<&str> = names.chain(columns.iter().copied()).collect();
        let mut sheet = Sheet::noted(dir, &published.files, name, &columns)?;
        let mut cells = Vec::new();
        while sheet.next()? {
            cells.push(sheet.cells());
        }
        Ok(Self {
            params: params.len(),
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            shortfall: sheet.shortfall(),
            path: sheet.path,
            cells,
        })
    }

    fn wrong(&self, row: usize, what: &str) -> CheckError {
        CheckError::wrong(&self.path, Some(row as u64 + 1), what)
    }

    /// A row of this value is not there.
    fn missing(&self, value: &ValueNote) -> CheckError {
        let what = format!("a row of {} is missing at the end", value.folder);
        self.shortfall
            .clone()
            .unwrap_or_else(|| CheckError::wrong(&self.path, None, what))
    }

    /// Fails unless a row begins with the parameters of a value.
    fn expect_params(&self, row: usize, value: &ValueNote) -> Result<(), CheckError> {
        let mut params = value.params.iter().enumerate();
        params.try_for_each(|(column, (_, expected))| self.expect(row, column, expected, false))
    }

    /// Fails unless a cell says this, or nothing where it may.
    fn expect(
        &self,
        row: usize,
        column: usize,
        expected: &str,
        is_open: bool,
    ) -> Result<(), CheckError> {
        let found = &self.cells[row][column];
        if found == expected || (is_open && found.is_empty()) {
            return Ok(());
        }
        let (name, row) = (&self.columns[column], row as u64 + 1);
        Err(CheckError::wrong_cell(
            &self.path, row, name, found, expected,
        ))
    }
}

impl Published {
    /// Whether a cell of this column may be empty: plain enumeration knows no verdicts.
    fn may_lack(&self, column: &str) -> bool {
        self.only_depths && VERDICT_KEYS.contains(&column)
    }
}

/// Depth, states, live, doomed, dead ends, goals and blocking moves of each depth.
fn depth_rows(states: &[State], layers: usize) -> Vec<[u64; 7]> {
    let mut rows: Vec<[u64; 7]> = (0..layers as u64)
        .map(|depth| [depth, 0, 0, 0, 0, 0, 0])
        .collect();
    for state in states {
        let row = &mut rows[state.depth as usize];
        row[1] += 1;
        row[2] += u64::from(state.is_live());
        row[3] += u64::from(!state.is_live() && !state.is_dead_end());
        row[4] += u64::from(state.is_dead_end());
        row[5] += u64::from(state.is_goal);
        if state.is_live() {
            let lost = |to: usize| !states[to].is_live();
            row[6] += state.successors.iter().filter(|&&(to, _)| lost(to)).count() as u64;
        }
    }
    rows
}
