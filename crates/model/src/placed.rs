//! The placed rule: the core of the program, free of any word.
//!
//! Captures, classes on changed cells, `where`, stretches, mirrors and steps are all gone; engines,
//! inverses, invariants, conservation and the packed families are derived from this form alone.

use crate::board::Cell;
use crate::instance::SymbolSet;

/// A symbol number: 0 is `.`, then pieces as declared.
pub type Symbol = u8;

/// A rule at one place, in one direction, with one filling.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlacedRule {
    /// Number of the rule in [`Instance::rules`](crate::instance::Instance::rules).
    pub rule: u16,
    /// Cells that change: cell, symbol before, symbol after (always different); by cell.
    pub delta: Vec<(Cell, Symbol, Symbol)>,
    /// Contents that change places as they are: from, to, and what may stand at `from`. The cells
    /// `from` are the cells `to` in another order; by `from`. Empty for most rules.
    pub moved: Vec<(Cell, Cell, SymbolSet)>,
    /// Cells that are read and kept; by cell; never all symbols.
    pub guard: Vec<(Cell, SymbolSet)>,
    /// Lists of kept cells of which not all may match (a shortest stretch is "no earlier fit").
    pub forbid: Vec<Vec<(Cell, SymbolSet)>>,
    /// The cells that change, in the order of the pattern: the name of the move for people.
    pub path: Vec<Cell>,
}

impl PlacedRule {
    /// The rule that takes the move back: before and after exchanged.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut moved: Vec<_> = self
            .moved
            .iter()
            .map(|&(from, to, set)| (to, from, set))
            .collect();
        moved.sort_unstable();
        Self {
            delta: self
                .delta
                .iter()
                .map(|&(cell, u, v)| (cell, v, u))
                .collect(),
            moved,
            ..self.clone()
        }
    }

    /// Whether the move keeps the number of each symbol.
    #[must_use]
    pub fn conserves(&self) -> bool {
        let mut balance = [0_i32; 64];
        for &(_, before, after) in &self.delta {
            balance[usize::from(before)] -= 1;
            balance[usize::from(after)] += 1;
        }
        balance.iter().all(|&b| b == 0)
    }

    /// Everything but the rule's number and its path: equal keys mean equal moves.
    pub(crate) fn key(&self) -> impl Ord + '_ {
        (&self.delta, &self.moved, &self.guard, &self.forbid)
    }
}

/// A placement that would put something beyond the window of an endless row: what it reads inside.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CutRule {
    /// Cells that are read; by cell.
    pub guard: Vec<(Cell, SymbolSet)>,
    /// Lists of cells of which not all may match.
    pub forbid: Vec<Vec<(Cell, SymbolSet)>>,
}

/// A counted rule at one place: tests and additions.
#[derive(Clone, Debug)]
pub struct PlacedCount {
    /// Number of the rule.
    pub rule: u16,
    /// Cells tested, with the least and the greatest count.
    pub tests: Vec<(Cell, u64, u64)>,
    /// Lists of tests of which not all may hold (a shortest stretch).
    pub forbid: Vec<Vec<(Cell, u64, u64)>>,
    /// What is added where; by cell.
    pub adds: Vec<(Cell, Amount)>,
    /// The captures' names and cells.
    pub captures: Vec<(String, Cell)>,
    /// `where`, if it speaks of captures.
    pub condition: Option<crate::syntax::Cond>,
    /// The number `at` stands for.
    pub at: Option<i64>,
    /// The cells that change, in the order of the pattern.
    pub path: Vec<Cell>,
    /// Whether something would be added beyond the window: then the move is cut off.
    pub cut: bool,
}

/// What is added to a counted cell.
#[derive(Clone, Debug)]
pub enum Amount {
    /// A number.
    Fixed(i64),
    /// An expression in captures and parameters.
    Computed(crate::syntax::Expr),
}

/// All placed rules of an instance.
#[derive(Clone, Debug, Default)]
pub struct PlacedRules {
    /// Number of cells of the board they are placed on (for `span`, three spans).
    pub cells: usize,
    /// Rules on symbol boards, in rule order.
    pub rules: Vec<PlacedRule>,
    /// What is cut off on symbol boards.
    pub cuts: Vec<CutRule>,
    /// Rules on counted boards, in rule order.
    pub counts: Vec<PlacedCount>,
}

/// Why the rules cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// Too many placements.
    #[error(
        "the rules have more than {most} placements on this board; choose smaller parameters or shorter stretches"
    )]
    TooMany {
        /// The limit.
        most: usize,
    },
    /// Laying came to its limit.
    #[error(
        "laying the rules takes too long on this board: {placed} placements were found until then; choose smaller parameters, or fewer or shorter stretches"
    )]
    TooLong {
        /// Placements found.
        placed: usize,
    },
    /// A rule has too many fillings and is no rearrangement.
    #[error(
        "move `{name}` has more than {most} fillings of its captures and does not merely rearrange them; name fewer pieces, or split it"
    )]
    TooManyFillings {
        /// The rule's name.
        name: String,
        /// The limit.
        most: usize,
    },
    /// A condition has no value.
    #[error("move `{name}`: {message}")]
    Condition {
        /// The rule's name.
        name: String,
        /// What is wrong.
        message: String,
    },
}
