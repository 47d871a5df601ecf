//! All minimal sound patterns of chosen cells, set of cells by set of cells.
//!
//! For each set of cells two bits a content tell whether a live, or a lost, state has it there. What
//! a smaller set has in live states shows in the same bits, so every set is judged by itself. Time
//! grows with the number of sets times the number of states.

use impasse_graph::observe::Observer;
use impasse_model::board::{Board, Shape};

use super::mine::MineError;
use super::sample::{Digit, Sample};

/// Cells with their contents, ascending by cell.
pub(super) type Contents = Vec<(usize, Digit)>;

/// Which cells are neighbours: on grids those that touch, also at a corner; on graphs those with an
/// edge.
pub(super) fn neighbours(board: &Board) -> Vec<Vec<usize>> {
    match &board.shape {
        Shape::Graph { neighbours, .. } => {
            let list = |cells: &Vec<u32>| cells.iter().map(|&cell| cell as usize).collect();
            neighbours.iter().map(list).collect()
        }
        Shape::Grid {
            rows,
            cols,
            at,
            wrap,
        } => {
            let (rows, cols) = (*rows as i64, *cols as i64);
            let cell_at = |row: i64, col: i64| {
                let (row, col) = if *wrap {
                    (row.rem_euclid(rows), col.rem_euclid(cols))
                } else {
                    (row, col)
                };
                let inside = (0..rows).contains(&row) && (0..cols).contains(&col);
                inside.then(|| at[(row * cols + col) as usize]).flatten()
            };
            let mut lists = vec![Vec::new(); board.cells];
            for row in 0..rows {
                for col in 0..cols {
                    let Some(cell) = cell_at(row, col) else {
                        continue;
                    };
                    let around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| (row + y, col + x)));
                    let near = around.filter_map(|(row, col)| cell_at(row, col));
                    let mut near: Vec<usize> = near
                        .filter(|&other| other != cell)
                        .map(|other| other as usize)
                        .collect();
                    near.sort_unstable();
                    near.dedup();
                    lists[cell as usize] = near;
                }
            }
            lists
        }
        Shape::Line | Shape::Ring | Shape::Window { .. } | Shape::Span => {
            let beside = |cell: usize| {
                let left = cell.checked_sub(1);
                let right = Some(cell + 1).filter(|&right| right < board.cells);
                left.into_iter().chain(right).collect()
            };
            (0..board.cells).map(beside).collect()
        }
    }
}

/// The minimal sound patterns of at most `most` cells that hang together by `neighbours`, or of any
/// cells where there are none; in no promised order.
pub(super) fn minimal(
    sample: &Sample,
    neighbours: Option<&[Vec<usize>]>,
    most: usize,
    budget: Option<u64>,
    observer: &dyn Observer,
) -> Result<Vec<Contents>, MineError> {
    let most = most.min(sample.cells);
    let bytes = (sample.contents.len() as u64).saturating_pow(most as u32);
    // Contents of a set are numbered in 32 bits.
    let numbered = budget.unwrap_or(u64::MAX).min(u32::MAX.into());
    MineError::check(bytes, Some(numbered), || {
        format!("contents of {most} cells")
    })?;
    let states = (sample.live().count() + sample.lost_ids.len()) as u64;
    let columns = states * (sample.cells + 4 * (most + 1)) as u64;
    MineError::check(columns, budget, || "the states, cell by cell".to_owned())?;
    let mut judge = Judge::new(sample, most);
    let mut chosen = Vec::new();
    let walk = Walk {
        neighbours,
        cells: sample.cells,
        most,
        observer,
    };
    for first in 0..sample.cells {
        let later: Vec<usize> = match neighbours {
            Some(lists) => lists[first]
                .iter()
                .copied()
                .filter(|&c| c > first)
                .collect(),
            None => (first + 1..sample.cells).collect(),
        };
        chosen.push(first);
        walk.visit(&mut chosen, later, &mut judge)?;
        chosen.pop();
    }
    Ok(judge.found)
}

/// A walk through sets of cells that visits each once.
struct Walk<'a> {
    neighbours: Option<&'a [Vec<usize>]>,
    cells: usize,
    most: usize,
    observer: &'a dyn Observer,
}

impl Walk<'_> {
    /// Judges a set and all that grow from it by cells of `later` and, where sets hang together, by
    /// cells that only become neighbours then.
    ///
    /// # Source
    /// S. Wernicke, "Efficient detection of network motifs", IEEE/ACM Transactions on Computational
    /// Biology and Bioinformatics 3(4), 2006 (algorithm ESU).
    fn visit(
        &self,
        chosen: &mut Vec<usize>,
        mut later: Vec<usize>,
        judge: &mut Judge<'_>,
    ) -> Result<(), MineError> {
        if self.observer.interrupted() {
            return Err(MineError::Interrupted);
        }
        judge.judge(chosen);
        if chosen.len() == self.most {
            return Ok(());
        }
        while let Some(next) = later.pop() {
            let onwards = match self.neighbours {
                Some(lists) => {
                    let known = |cell: usize| {
                        chosen.contains(&cell) || chosen.iter().any(|&c| lists[c].contains(&cell))
                    };
                    let new = lists[next].iter().copied();
                    let new = new.filter(|&cell| cell > chosen[0] && !known(cell));
                    later.iter().copied().chain(new).collect()
                }
                None => (next + 1..self.cells).collect(),
            };
            chosen.push(next);
            self.visit(chosen, onwards, judge)?;
            chosen.pop();
        }
        Ok(())
    }
}

/// A content that a live state has.
const LIVE: u8 = 1;
/// A content that a lost state has.
const LOST: u8 = 2;

/// Judges sets of cells.
struct Judge<'a> {
    sample: &'a Sample,
    /// Contents less one, cell by cell: live states, then lost ones.
    columns: Vec<Vec<Digit>>,
    live: usize,
    /// For each number of cells the states' contents of the last set of that size, as numbers.
    codes: Vec<Vec<u32>>,
    /// By such a number, who has it.
    seen: Vec<u8>,
    found: Vec<Contents>,
}

impl<'a> Judge<'a> {
    fn new(sample: &'a Sample, most: usize) -> Self {
        let states = || sample.live().chain(sample.lost());
        let column = |cell: usize| states().map(|state| state[cell] - 1).collect();
        let count = states().count();
        Self {
            sample,
            columns: (0..sample.cells).map(column).collect(),
            live: sample.live().count(),
            codes: vec![vec![0; count]; most + 1],
            seen: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Judges the contents of a set whose cells but the last were judged just before.
    fn judge(&mut self, cells: &[usize]) {
        let base = self.sample.contents.len();
        let (before, here) = self.codes.split_at_mut(cells.len());
        let last = &self.columns[cells[cells.len() - 1]];
        let pairs = before[cells.len() - 1].iter().zip(last);
        for (code, (&shorter, &digit)) in here[0].iter_mut().zip(pairs) {
            *code = shorter * base as u32 + u32::from(digit);
        }
        self.seen.clear();
        self.seen.resize(base.pow(cells.len() as u32), 0);
        let (live, lost) = here[0].split_at(self.live);
        for (states, bit) in [(live, LIVE), (lost, LOST)] {
            for &code in states {
                self.seen[code as usize] |= bit;
            }
        }
        for code in 0..self.seen.len() {
            if self.seen[code] == LOST && self.is_minimal(code, cells.len()) {
                let digits = (0..cells.len() as u32).rev();
                let digits = digits.map(|i| (code / base.pow(i) % base) as Digit + 1);
                let mut contents: Contents = cells.iter().copied().zip(digits).collect();
                contents.sort_unstable();
                self.found.push(contents);
            }
        }
    }

    /// Whether a live state has these contents but for one cell, whichever that is.
    fn is_minimal(&self, code: usize, cells: usize) -> bool {
        let base = self.sample.contents.len();
        (0..cells as u32).all(|place| {
            let weight = base.pow(place);
            let rest = code - code / weight % base * weight;
            (0..base).any(|digit| self.seen[rest + digit * weight] & LIVE != 0)
        })
    }
}
