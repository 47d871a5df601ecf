//! Goals as tests of cells, free of any word.

use std::collections::BTreeSet;

use crate::board::{Cell, Shape};
use crate::instance::{Goal, Instance, Pattern, SymbolSet, Test};
use crate::lay::{Ground, Site, lay_pattern};
use crate::syntax::Comparison;

/// Cells and what may stand there; all must hold. Cells that may hold anything are left out.
pub type CellTests = Vec<(Cell, SymbolSet)>;

/// A goal of a symbol board on cells of fixed places.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CellGoal {
    /// One of these lists holds.
    Fits(Vec<CellTests>),
    /// So many cells hold a symbol of the set.
    Count(SymbolSet, Comparison, i64),
    /// No move changes the position.
    Stuck,
    /// Not this.
    Not(Box<CellGoal>),
    /// All of these.
    And(Vec<CellGoal>),
    /// Any of these.
    Or(Vec<CellGoal>),
}

impl CellGoal {
    /// Whether it asks for the moves of a position.
    #[must_use]
    pub fn asks_for_moves(&self) -> bool {
        match self {
            Self::Fits(_) | Self::Count(..) => false,
            Self::Stuck => true,
            Self::Not(goal) => goal.asks_for_moves(),
            Self::And(goals) | Self::Or(goals) => goals.iter().any(Self::asks_for_moves),
        }
    }
}

/// The goal of an instance as tests of cells; `None` for positions that are taken up to shift and
/// for counted boards, whose goals are no tests of cells.
#[must_use]
pub fn cell_goal(instance: &Instance) -> Option<CellGoal> {
    if instance.board.counted || instance.board.shape == Shape::Span {
        return None;
    }
    let ground = Ground::new(&instance.board, instance.board.cells);
    Some(convert(&instance.goal, instance, &ground))
}

fn convert(goal: &Goal, instance: &Instance, ground: &Ground<'_>) -> CellGoal {
    let every = SymbolSet::any(instance.alphabet.symbols.len());
    let all = |goals: &[Goal]| goals.iter().map(|g| convert(g, instance, ground)).collect();
    match goal {
        Goal::Not(goal) => CellGoal::Not(Box::new(convert(goal, instance, ground))),
        Goal::And(goals) => CellGoal::And(all(goals)),
        Goal::Or(goals) => CellGoal::Or(all(goals)),
        Goal::Stuck => CellGoal::Stuck,
        Goal::Count(set, comparison, number) => CellGoal::Count(*set, *comparison, *number),
        Goal::Contains(pattern) => CellGoal::Fits(pattern_tests(pattern, every, ground)),
        Goal::Never(pattern) => CellGoal::Not(Box::new(CellGoal::Fits(pattern_tests(
            pattern, every, ground,
        )))),
        Goal::Drawing(tests) => {
            let sets = drawn_sets(tests, every);
            let cells = instance.board.cells;
            if matches!(instance.board.shape, Shape::Window { .. }) {
                return CellGoal::Fits(drawn_anywhere(&sets, cells, every));
            }
            CellGoal::Fits(vec![tests_of(&sets, 0, every)])
        }
    }
}

/// What may stand at each cell of a drawing.
pub(crate) fn drawn_sets(tests: &[Test], every: SymbolSet) -> Vec<SymbolSet> {
    tests
        .iter()
        .map(|test| match test {
            Test::Symbols(set) => SymbolSet(set.0 & every.0),
            _ => SymbolSet(0),
        })
        .collect()
}

fn tests_of(sets: &[SymbolSet], first: usize, every: SymbolSet) -> CellTests {
    let cells = first as Cell..;
    cells
        .zip(sets.iter().copied())
        .filter(|&(_, set)| set != every)
        .collect()
}

/// A drawing of the occupied stretch of a window, wherever it lies.
fn drawn_anywhere(sets: &[SymbolSet], cells: usize, every: SymbolSet) -> Vec<CellTests> {
    let empty = SymbolSet::one(0);
    let mut sets = sets.to_vec();
    if sets.is_empty() {
        return vec![(0..cells as Cell).map(|cell| (cell, empty)).collect()];
    }
    // The stretch begins and ends with something.
    let last = sets.len() - 1;
    for end in [0, last] {
        sets[end] = SymbolSet(sets[end].0 & !empty.0);
    }
    (0..(cells + 1).saturating_sub(sets.len()))
        .map(|first| {
            let mut row = vec![empty; cells];
            row[first..first + sets.len()].copy_from_slice(&sets);
            tests_of(&row, 0, every)
        })
        .collect()
}

/// The ways a pattern can be laid, each as tests of cells.
pub(crate) fn pattern_tests(
    pattern: &Pattern,
    every: SymbolSet,
    ground: &Ground<'_>,
) -> Vec<CellTests> {
    let items = pattern.rows.iter().flatten();
    let tests: Vec<Test> = items.map(|item| item.test).collect();
    let sets = drawn_sets(&tests, every);
    let mut laid: BTreeSet<CellTests> = BTreeSet::new();
    lay_pattern(ground, pattern, |layout| {
        let mut tests = Vec::new();
        for (sites, &set) in layout.sites.iter().zip(&sets) {
            for site in sites {
                if let Site::Cell(cell) = site
                    && set != every
                {
                    tests.push((*cell, set));
                }
            }
        }
        tests.sort_unstable();
        laid.insert(tests);
    });
    laid.into_iter().collect()
}
