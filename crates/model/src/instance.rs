//! A rule file for one choice of parameters: the *parsed rules*.
//!
//! Repeats are written out, names are resolved, `<->` and `mirror` have become rules of their own,
//! but nothing is placed on the board yet. The compiler ([`crate::local`], [`crate::place`]) and
//! the slow checker in `crates/verify` both start here and share nothing below.

use std::sync::Arc;

use crate::board::Board;
use crate::params::Params;
use crate::syntax::{Comparison, Cond, Span};

/// Content of one cell: a symbol number, or a count on counted boards.
pub type Value = u64;
/// The contents of all cells, in board order.
pub type Position = Vec<Value>;

/// A puzzle with all parameters fixed.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The file's stem, by which programs know the puzzle.
    pub name: String,
    /// The title for people.
    pub title: String,
    /// The text it comes from, for faults that show only when the rules are placed.
    pub origin: Origin,
    /// Parameter values.
    pub params: Params,
    /// The symbols.
    pub alphabet: Alphabet,
    /// The board.
    pub board: Board,
    /// Start positions, sorted, each once; at least one.
    pub starts: Vec<Position>,
    /// The goal.
    pub goal: Goal,
    /// The moves, in order: `<->` gives a rule and then its inverse; each mirror appends copies of
    /// all rules declared by `move` items.
    pub rules: Vec<Rule>,
    /// Strategies, in order.
    pub strategies: Vec<Strategy>,
}

/// Where an instance comes from.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// What the text is called.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
    /// Its `board` item.
    pub board: Span,
}

/// The symbols of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alphabet {
    /// Symbols by number; number 0 is `.`.
    pub symbols: Vec<char>,
    /// Names by number (`empty` for 0).
    pub names: Vec<String>,
    /// Pictures by number, if given.
    pub pictures: Vec<Option<char>>,
}

/// A set of cell contents: bit `i` is symbol `i`, bit 63 is `#` (no cell).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolSet(pub u64);

impl SymbolSet {
    /// `#` alone.
    pub const NO_CELL: Self = Self(1 << 63);

    /// All symbols below `count`, without `#`.
    #[must_use]
    pub fn any(count: usize) -> Self {
        Self((1 << count) - 1)
    }

    /// One symbol.
    #[must_use]
    pub fn one(symbol: u8) -> Self {
        Self(1 << symbol)
    }

    /// Whether a symbol is in it.
    #[must_use]
    pub fn has(self, symbol: u8) -> bool {
        self.0 >> symbol & 1 == 1
    }

    /// Whether `#` is in it.
    #[must_use]
    pub fn has_no_cell(self) -> bool {
        self.0 >> 63 == 1
    }

    /// Its symbols, without `#`, ascending.
    pub fn symbols(self) -> impl Iterator<Item = u8> {
        (0..63).filter(move |&s| self.has(s))
    }
}

/// A rule: one `move` item, one direction of `<->`, or a mirrored copy.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The text before the colon.
    pub name: String,
    /// Left side, in rows (one row unless the pattern has `/`).
    pub left: Vec<Vec<LeftItem>>,
    /// Right side, in as many rows.
    pub right: Vec<Vec<RightItem>>,
    /// Names of the captures, by number.
    pub captures: Vec<String>,
    /// Along which steps it is laid.
    pub steps: Steps,
    /// `where`, with mirrored names already exchanged.
    pub condition: Option<Cond>,
    /// The item in the text.
    pub span: Span,
}

/// What a cell is tested for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Content in a set.
    Symbols(SymbolSet),
    /// On counted boards: a count in `lo..=hi` (never `#`).
    Counts(Value, Value),
    /// On counted boards: `#`.
    NoCell,
}

/// How long an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// One cell.
    One,
    /// A stretch of at least so many cells; every length is a placement of its own.
    AtLeast(usize),
    /// `...`: the shortest length at which the rest fits.
    Shortest,
}

/// An item of a left side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftItem {
    /// The test each of its cells must pass.
    pub test: Test,
    /// How many cells.
    pub length: Length,
    /// The capture it binds.
    pub capture: Option<usize>,
    /// Written `_` (for `at`).
    pub is_any: bool,
}

/// An item of a right side.
#[derive(Clone, Debug)]
pub enum RightItem {
    /// Keeps what stands there; the left item (number in its row) stands at the same cells.
    Keep(usize),
    /// Writes a symbol into one cell.
    Write(u8),
    /// Writes a capture (a stretch as long as it was).
    Recall(usize),
    /// Writes a captured stretch turned round.
    Turned(usize),
    /// On counted boards: adds to one cell.
    Add(crate::syntax::Expr),
}

/// Along which steps a pattern is laid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Steps {
    /// These vectors, in order, each once; y grows downward.
    Vectors(Vec<(i32, i32)>),
    /// To any neighbour, on graphs.
    Edges,
    /// A pattern of several rows: laid as drawn.
    Drawn,
}

/// A pattern without a right side, for goals.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Items in rows.
    pub rows: Vec<Vec<LeftItem>>,
    /// Along which steps it is laid.
    pub steps: Steps,
}

/// A goal.
#[derive(Clone, Debug)]
pub enum Goal {
    /// Every cell passes its test. On endless rows: the occupied stretch is as long as the list, and
    /// each of its cells passes, wherever it lies.
    Drawing(Vec<Test>),
    /// The pattern can be laid somewhere.
    Contains(Pattern),
    /// It can be laid nowhere.
    Never(Pattern),
    /// So many cells hold a symbol of the set.
    Count(SymbolSet, Comparison, i64),
    /// No move changes the position.
    Stuck,
    /// Not this.
    Not(Box<Goal>),
    /// All of these.
    And(Vec<Goal>),
    /// Any of these.
    Or(Vec<Goal>),
}

/// A strategy: rules tried in order.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// Its name.
    pub name: String,
    /// `sweep`: place by place, not line by line.
    pub sweep: bool,
    /// Its lines as rules, laid rightwards.
    pub lines: Vec<Rule>,
}
