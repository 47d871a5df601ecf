//! `summary.csv` and `depths.csv`: every total, counted again.

use std::path::Path;

use crate::error::CheckError;
use crate::figures::{Figures, KEYS};
use crate::published::ValueNote;
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

/// A row and its number, from 1.
type Numbered = (u64, Vec<String>);

/// The rows of a file that all values share, value by value.
pub(crate) struct Totals {
    path: String,
    rows: Vec<Vec<Numbered>>,
}

impl Totals {
    /// Reads `summary.csv`: one row a value, in their order.
    pub(crate) fn summary(dir: &Path, values: &[ValueNote]) -> Result<Self, CheckError> {
        let totals = Self::read(&dir.join("summary.csv"), values, &KEYS)?;
        for (value, rows) in values.iter().zip(&totals.rows) {
            if rows.len() != 1 {
                let what = format!("has {} rows for {}, expected 1", rows.len(), value.folder);
                return Err(CheckError::wrong(&totals.path, None, what));
            }
        }
        Ok(totals)
    }

    /// Reads `depths.csv`: a row a value and depth.
    pub(crate) fn depths(dir: &Path, values: &[ValueNote]) -> Result<Self, CheckError> {
        Self::read(&dir.join("depths.csv"), values, &DEPTH_COLUMNS)
    }

    fn read(path: &Path, values: &[ValueNote], columns: &[&str]) -> Result<Self, CheckError> {
        let mut sheet = Sheet::open(path)?;
        let params = values
            .first()
            .map(|v| v.params.as_slice())
            .unwrap_or_default();
        let names = params.iter().map(|(name, _)| name.as_str());
        sheet.require(&names.chain(columns.iter().copied()).collect::<Vec<_>>())?;
        let mut rows = vec![Vec::new(); values.len()];
        let mut number = 0;
        while sheet.next()? {
            number += 1;
            let cells = sheet.cells();
            let of = |value: &ValueNote| {
                value
                    .params
                    .iter()
                    .map(|(_, v)| v)
                    .eq(&cells[..params.len()])
            };
            let Some(value) = values.iter().position(of) else {
                return Err(sheet.wrong("the parameters are not among the values of run.json"));
            };
            rows[value].push((number, cells[params.len()..].to_vec()));
        }
        Ok(Self {
            path: sheet.path,
            rows,
        })
    }

    /// The number of states that `summary.csv` gives for a value.
    pub(crate) fn state_count(&self, value: usize) -> Option<usize> {
        self.rows[value][0].1[0].parse().ok()
    }

    /// Compares every figure of a value with those counted from its states.
    pub(crate) fn check_summary(
        &self,
        number: usize,
        value: &ValueNote,
        figures: &Figures,
    ) -> Result<(), CheckError> {
        let (row, cells) = &self.rows[number][0];
        for (key, said) in KEYS.iter().zip(cells) {
            let counted = figures.text(key).expect("a key of ours");
            let is_open = said.is_empty() && value.absent.iter().any(|k| k == key);
            if *said != counted && !is_open {
                let what = format!("{key} is {}, expected {}", shown(said), shown(&counted));
                return Err(CheckError::wrong(&self.path, Some(*row), what));
            }
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
            return Err(CheckError::wrong(&self.path, Some(*row), what));
        }
        Ok(())
    }

    /// Compares the counts of every depth with those of the states.
    pub(crate) fn check_depths(&self, value: usize, states: &[State]) -> Result<(), CheckError> {
        let layers = states.last().map_or(0, |s| s.depth as usize + 1);
        let rows = &self.rows[value];
        let expected = depth_rows(states, layers);
        for ((row, cells), expected) in rows.iter().zip(&expected) {
            for ((column, said), counted) in DEPTH_COLUMNS.iter().zip(cells).zip(expected) {
                if *said != counted.to_string() {
                    let what = format!("{column} is {}, expected {counted}", shown(said));
                    return Err(CheckError::wrong(&self.path, Some(*row), what));
                }
            }
        }
        if rows.len() != layers {
            let what = format!("has {} rows for a value of {layers} depths", rows.len());
            return Err(CheckError::wrong(
                &self.path,
                rows.last().map(|r| r.0),
                what,
            ));
        }
        Ok(())
    }

    /// Without states, at least: the counts by depth add up to those of the summary.
    pub(crate) fn check_sums(&self, value: usize, summary: &Totals) -> Result<(), CheckError> {
        let (summary_row, figures) = &summary.rows[value][0];
        for (column, name) in DEPTH_COLUMNS.iter().enumerate().skip(1) {
            let key = KEYS.iter().position(|key| key == name).expect("a key too");
            let cells = self.rows[value]
                .iter()
                .map(|(_, cells)| cells[column].parse::<u64>().ok());
            let (Some(sum), Ok(total)) = (cells.sum::<Option<u64>>(), figures[key].parse::<u64>())
            else {
                continue;
            };
            if sum != total {
                let what = format!("{name} is {total}, but the depths have {sum} together");
                return Err(CheckError::wrong(&summary.path, Some(*summary_row), what));
            }
        }
        Ok(())
    }
}

fn shown(cell: &str) -> &str {
    if cell.is_empty() { "none" } else { cell }
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
