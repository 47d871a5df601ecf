//! Patterns on any board: contents of chosen cells.

use impasse_model::board::Cell;
use impasse_model::instance::Value;

/// Cells of a board with the contents they should have.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellPattern {
    /// Ascending by cell, each cell once; not empty.
    pub cells: Vec<(Cell, Value)>,
}

impl CellPattern {
    /// Whether a position has these contents.
    #[must_use]
    pub fn is_in(&self, position: &[Value]) -> bool {
        let has = |&(cell, value): &(Cell, Value)| position.get(cell as usize) == Some(&value);
        self.cells.iter().all(has)
    }
}
