//! Mining: all minimal sound patterns of a space, with the lost states that hold them.
//!
//! A pattern is *sound* if no live state holds it and some lost one does; it is *minimal* if freeing
//! any fixed cell, or dropping an edge, makes it unsound. All this is said of the reachable states of
//! one puzzle for one choice of parameters, and proves nothing of another.

use impasse_graph::observe::Observer;
use impasse_model::board::{Board, Cell};
use impasse_model::instance::{Instance, Value};

use super::bits::Bits;
use super::holders::Word;
use super::sample::{Columns, Cut, Digit, Sample};
use super::stretches::{self, StretchLimits};
use super::windows;
use super::{CellPattern, Ends, Notation, Pattern, RowPattern, Segment, cellsets};
use crate::run::Table;

/// What is mined.
#[derive(Clone, Copy, Debug, Default)]
pub struct MineOptions {
    /// Cells a window on a row spans at most; as wide as is cheap, up to [`DEFAULT_WINDOW`], if not
    /// given.
    pub window: Option<usize>,
    /// Cells in a set on other boards at most; [`DEFAULT_CELLS`] if not given.
    pub cells: Option<usize>,
    /// Sets of cells need not hang together.
    pub scattered: bool,
    /// How large stretch patterns may be; [`STRETCH`] if not given.
    pub stretch: Option<StretchLimits>,
    /// Bytes that tables may take.
    pub memory_bytes: Option<u64>,
}

/// Cells of a window if nothing is said.
pub const DEFAULT_WINDOW: usize = 8;
/// Cells of a set if nothing is said.
pub const DEFAULT_CELLS: usize = 4;
/// Bytes of a table of windows that nobody asked for.
const CHEAP_TABLE_BYTES: u64 = 1 << 24;
/// Segments of stretch patterns span so many cells at most, and both fix so many together.
pub const STRETCH: StretchLimits = StretchLimits { span: 4, fixed: 5 };

/// Why nothing was mined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MineError {
    /// Too little memory.
    #[error(
        "{what} need {bytes} bytes, but {budget} may be used; mine narrower patterns, or give more memory"
    )]
    TooLarge {
        /// What would be held.
        what: String,
        /// Its size.
        bytes: u64,
        /// What is allowed.
        budget: u64,
    },
    /// Cells with hundreds of contents.
    #[error("cells have more than 253 different contents; patterns are mined for fewer")]
    TooManyContents,
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl MineError {
    pub(super) fn check(
        bytes: u64,
        budget: Option<u64>,
        what: impl FnOnce() -> String,
    ) -> Result<(), Self> {
        // No machine has 2^62 bytes, whatever its owner says.
        let budget = budget.unwrap_or(u64::MAX).min(1 << 62);
        if bytes > budget {
            let what = what();
            return Err(Self::TooLarge {
                what,
                bytes,
                budget,
            });
        }
        Ok(())
    }
}

/// A minimal sound pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The pattern.
    pub pattern: Pattern,
    /// It in text, as in files.
    pub text: String,
    /// How many lost states hold it.
    pub support: u64,
    /// Which, by place in the list of lost states.
    pub holders: Bits,
}

/// All minimal sound patterns of a space.
#[derive(Clone, Debug)]
pub struct Mined {
    /// Number of live states.
    pub live: u64,
    /// Numbers of the lost states, ascending.
    pub lost: Vec<u32>,
    /// Patterns of two segments with a stretch between; on rows with two ends only.
    pub stretches: Vec<Found>,
    /// Patterns of one segment on rows, of sets of cells on other boards.
    pub patterns: Vec<Found>,
    /// Cells they span, or consist of, at most: what was asked for, cut to the size of the board.
    pub width: usize,
    /// The board.
    pub(super) board: Board,
    /// The states.
    pub(super) sample: Sample,
}

/// Mines a space; both lists come sorted by span, then fixed cells, then text.
///
/// Rows: windows in time W(p+1)^W for spans up to W and p contents, and pairs of short segments. Other
/// boards: sets of cells, each looked up in all states. Each pattern keeps a bit a lost state.
///
/// # Errors
/// [`MineError`]; a table too large names the bytes it would need.
pub fn mine(
    instance: &Instance,
    table: &dyn Table,
    options: &MineOptions,
    observer: &dyn Observer,
) -> Result<Mined, MineError> {
    let sample = Sample::of(table, instance.board.cells, options.memory_bytes)?;
    let miner = Miner {
        instance,
        sample,
        options,
        observer,
    };
    match Ends::of(&instance.board) {
        Some(ends) => miner.row(ends),
        None => miner.cells(),
    }
}

struct Miner<'a> {
    instance: &'a Instance,
    sample: Sample,
    options: &'a MineOptions,
    observer: &'a dyn Observer,
}

impl Miner<'_> {
    fn row(self, ends: Ends) -> Result<Mined, MineError> {
        let budget = self.options.memory_bytes;
        let contents = self.sample.contents.len();
        let limits = self
            .options
            .stretch
            .unwrap_or(STRETCH)
            .for_contents(contents);
        let window = self.window(ends);
        let cut = Cut::new(ends, self.sample.cells, window.max(limits.span));
        let windows = windows::minimal(&self.sample, cut, window, budget)?;
        self.watch()?;
        let columns = self.sample.lost_columns(cut, budget)?;
        let mut stretches = Vec::new();
        if ends != Ends::Joined {
            let found = stretches::minimal(&self.sample, &columns, cut, limits, budget)?;
            let found = found.into_iter();
            stretches = found
                .map(|(word, holders)| self.found(self.row_pattern(&word), holders))
                .collect();
        }
        self.watch()?;
        let bytes = windows.len() as u64 * Bits::bytes(columns.states());
        MineError::check(bytes, budget, || format!("{} patterns", windows.len()))?;
        let windows = windows.iter();
        let patterns =
            windows.map(|word| self.found(self.row_pattern(word), word.holders(&columns, cut)));
        let patterns = patterns.collect();
        Ok(self.mined(stretches, patterns, window))
    }

    fn row_pattern(&self, word: &Word) -> Pattern {
        Pattern::Row(RowPattern {
            segments: word
                .segments
                .iter()
                .map(|digits| self.segment(digits))
                .collect(),
            left_edge: word.left_edge,
            right_edge: word.right_edge,
        })
    }

    /// The window that was asked for, or a cheap one, no wider than a board with ends.
    fn window(&self, ends: Ends) -> usize {
        let contents = self.sample.contents.len();
        let cheap = |&window: &usize| windows::table_bytes(contents, window) <= CHEAP_TABLE_BYTES;
        let default = || (1..=DEFAULT_WINDOW).rev().find(cheap).unwrap_or(1);
        let window = self.options.window.unwrap_or_else(default).max(1);
        match ends {
            Ends::Edges | Ends::Joined => window.min(self.sample.cells),
            Ends::Empty => window,
        }
    }

    fn cells(self) -> Result<Mined, MineError> {
        let budget = self.options.memory_bytes;
        let most = self.options.cells.unwrap_or(DEFAULT_CELLS).max(1);
        let near = cellsets::neighbours(&self.instance.board);
        let near = (!self.options.scattered).then_some(near.as_slice());
        let sets = cellsets::minimal(&self.sample, near, most, budget, self.observer)?;
        let contents = self.sample.contents.len();
        let lost = self.sample.lost_ids.len();
        let mut columns = Columns::new(self.sample.cells, contents, lost, budget)?;
        for (i, state) in self.sample.lost().enumerate() {
            columns.enter(i, state);
        }
        let bytes = sets.len() as u64 * Bits::bytes(columns.states());
        MineError::check(bytes, budget, || format!("{} patterns", sets.len()))?;
        let mut patterns = Vec::with_capacity(sets.len());
        for set in sets {
            let mut holders = columns.with(set[0].0, set[0].1).clone();
            for &(cell, digit) in &set[1..] {
                holders.and(columns.with(cell, digit));
            }
            let cells = set.iter();
            let cells = cells.map(|&(cell, digit)| (cell as Cell, self.content(digit)));
            let pattern = CellPattern {
                cells: cells.collect(),
            };
            patterns.push(self.found(Pattern::Cells(pattern), holders));
        }
        let width = most.min(self.sample.cells);
        Ok(self.mined(Vec::new(), patterns, width))
    }

    fn watch(&self) -> Result<(), MineError> {
        if self.observer.interrupted() {
            return Err(MineError::Interrupted);
        }
        Ok(())
    }

    fn content(&self, digit: Digit) -> Value {
        self.sample.contents[usize::from(digit) - 1]
    }

    fn segment(&self, digits: &[Digit]) -> Segment {
        let cell = |&digit: &Digit| (digit != 0).then(|| self.content(digit));
        digits.iter().map(cell).collect()
    }

    fn found(&self, pattern: Pattern, holders: Bits) -> Found {
        Found {
            text: Notation::of(self.instance).compact(&pattern),
            support: holders.count(),
            pattern,
            holders,
        }
    }

    fn mined(self, mut stretches: Vec<Found>, mut patterns: Vec<Found>, width: usize) -> Mined {
        sort(&mut stretches, |found| found);
        sort(&mut patterns, |found| found);
        Mined {
            live: self.sample.live().count() as u64,
            lost: self.sample.lost_ids.clone(),
            stretches,
            patterns,
            width,
            board: self.instance.board.clone(),
            sample: self.sample,
        }
    }
}

/// Sorts by span, then fixed cells, then text, where a stretch comes behind every letter.
pub(super) fn sort<T>(list: &mut [T], found: impl Fn(&T) -> &Found) {
    list.sort_by_cached_key(|item| {
        let Found { pattern, text, .. } = found(item);
        (pattern.span(), pattern.fixed(), text.replace("_*", "~"))
    });
}
