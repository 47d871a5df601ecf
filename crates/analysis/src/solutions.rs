//! Shortest solutions: one, all of them in order, and how many there are.

use std::collections::BTreeMap;

use impasse_model::puzzle::Move;
use num_bigint::BigUint;

use crate::run::{Table, Transition};

/// A walk through the space: each state with the move that led to it (none for the first).
pub type Path = Vec<(u32, Option<Move>)>;

/// The shortest solution that is printed: always to the successor of least number whose remoteness
/// is one less. `None` where no goal can be reached from `from`.
#[must_use]
pub fn shortest_path(table: &dyn Table, from: u32) -> Option<Path> {
    let length = table.remoteness(from)?;
    let mut path = Vec::with_capacity(length as usize + 1);
    path.push((from, None));
    let mut at = from;
    for _ in 0..length {
        let next = table
            .best_successor(at)
            .expect("a state that is not at a goal gets nearer");
        path.push((next.to, Some(next.by)));
        at = next.to;
    }
    Some(path)
}

/// All starts of least remoteness, ascending; empty where no goal can be reached.
#[must_use]
pub fn nearest_starts(table: &dyn Table) -> Vec<u32> {
    let nearest = table.best_start().and_then(|id| table.remoteness(id));
    (0..table.start_count())
        .filter(|&id| nearest.is_some() && table.remoteness(id) == nearest)
        .collect()
}

/// Number of different shortest state sequences from one state to a goal; 0 where there is none.
///
/// Time grows with the transitions of the states on them; memory is one big integer for each state of
/// two neighbouring layers.
#[must_use]
pub fn count_from(table: &dyn Table, id: u32) -> BigUint {
    count(table, &[id])
}

/// Number of shortest solutions from all starts of least remoteness.
#[must_use]
pub fn count_all(table: &dyn Table) -> BigUint {
    count(table, &nearest_starts(table))
}

/// Counts from states of equal remoteness, layer by layer down to the goals.
fn count(table: &dyn Table, from: &[u32]) -> BigUint {
    let Some(length) = from.first().and_then(|&id| table.remoteness(id)) else {
        return BigUint::ZERO;
    };
    let mut layer: BTreeMap<u32, BigUint> =
        from.iter().map(|&id| (id, BigUint::from(1u32))).collect();
    let mut out = Vec::new();
    for remoteness in (0..length).rev() {
        let mut next: BTreeMap<u32, BigUint> = BTreeMap::new();
        for (id, ways) in &layer {
            table.transitions(*id, &mut out);
            for t in out
                .iter()
                .filter(|t| table.remoteness(t.to) == Some(remoteness))
            {
                *next.entry(t.to).or_default() += ways;
            }
        }
        layer = next;
    }
    layer.into_values().sum()
}

/// All shortest solutions from some states, in lexicographic order of state numbers.
///
/// Each step costs at most the transitions along one solution; nothing is recursive, and memory is
/// that of one solution. There can be astronomically many: take as many as you want.
pub struct ShortestSolutions<'a> {
    table: &'a dyn Table,
    starts: std::vec::IntoIter<u32>,
    path: Path,
    /// For each state of `path`, its untried transitions towards a goal.
    untried: Vec<std::vec::IntoIter<Transition>>,
}

impl<'a> ShortestSolutions<'a> {
    /// From all starts of least remoteness.
    #[must_use]
    pub fn new(table: &'a dyn Table) -> Self {
        Self::over(table, nearest_starts(table))
    }

    /// From one state, which need not be a start.
    #[must_use]
    pub fn from_state(table: &'a dyn Table, id: u32) -> Self {
        let live = table.remoteness(id).is_some();
        Self::over(table, if live { vec![id] } else { Vec::new() })
    }

    fn over(table: &'a dyn Table, starts: Vec<u32>) -> Self {
        Self {
            table,
            starts: starts.into_iter(),
            path: Vec::new(),
            untried: Vec::new(),
        }
    }

    fn enter(&mut self, id: u32, by: Option<Move>) {
        let mut nearer = Vec::new();
        if let Some(wanted) = self.table.remoteness(id).and_then(|r| r.checked_sub(1)) {
            self.table.transitions(id, &mut nearer);
            nearer.retain(|t| self.table.remoteness(t.to) == Some(wanted));
        }
        self.path.push((id, by));
        self.untried.push(nearer.into_iter());
    }

    /// Goes to the next state in order: deeper if possible, else back to the last choice left.
    fn advance(&mut self) -> Option<()> {
        while let Some(choices) = self.untried.last_mut() {
            if let Some(t) = choices.next() {
                self.enter(t.to, Some(t.by));
                return Some(());
            }
            self.untried.pop();
            self.path.pop();
        }
        let start = self.starts.next()?;
        self.enter(start, None);
        Some(())
    }
}

impl Iterator for ShortestSolutions<'_> {
    type Item = Path;

    fn next(&mut self) -> Option<Path> {
        loop {
            self.advance()?;
            let &(last, _) = self
                .path
                .last()
                .expect("advance leaves a state on the path");
            if self.table.remoteness(last) == Some(0) {
                return Some(self.path.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::FakeTable;

    fn words(path: &Path) -> String {
        path.iter()
            .map(|(id, _)| id.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn check(table: &FakeTable, expected: &[&str]) {
        let all: Vec<String> = ShortestSolutions::new(table).map(|p| words(&p)).collect();
        assert_eq!(all, expected);
        assert_eq!(count_all(table), BigUint::from(expected.len()));
        let printed = table.best_start().and_then(|id| shortest_path(table, id));
        assert_eq!(
            printed.map(|p| words(&p)).as_deref(),
            expected.first().copied()
        );
    }

    #[test]
    fn all_in_order() {
        // Two diamonds in a row, and a detour that is longer.
        let edges = [
            (0, 1),
            (0, 2),
            (1, 3),
            (2, 3),
            (3, 4),
            (3, 5),
            (4, 6),
            (5, 6),
            (2, 7),
            (7, 6),
        ];
        let table = FakeTable::new(8, 1, &[6], &edges);
        check(&table, &["0 2 7 6"]);
        let table = FakeTable::new(8, 1, &[6], &edges[..8]);
        check(
            &table,
            &["0 1 3 4 6", "0 1 3 5 6", "0 2 3 4 6", "0 2 3 5 6"],
        );
        assert_eq!(
            words(&ShortestSolutions::from_state(&table, 3).nth(1).unwrap()),
            "3 5 6"
        );
        assert_eq!(count_from(&table, 3), BigUint::from(2u32));
        // A dead end, a start that is a goal, two starts of equal and one of greater remoteness.
        check(&FakeTable::new(2, 1, &[], &[(0, 1)]), &[]);
        check(&FakeTable::new(2, 1, &[0], &[(0, 1), (1, 0)]), &["0"]);
        check(
            &FakeTable::new(5, 3, &[4], &[(0, 3), (1, 4), (2, 4), (3, 4)]),
            &["1 4", "2 4"],
        );
    }

    #[test]
    fn a_move_stands_beside_each_state_but_the_first() {
        let table = FakeTable::new(3, 1, &[2], &[(0, 1), (1, 2)]);
        let path = shortest_path(&table, 0).unwrap();
        assert_eq!(path, [(0, None), (1, Some(Move(1))), (2, Some(Move(2)))]);
        assert_eq!(ShortestSolutions::new(&table).next(), Some(path));
    }

    #[test]
    fn two_for_frogs() {
        for n in 1..6 {
            let table = FakeTable::frogs(n);
            assert_eq!(count_all(&table), BigUint::from(2u32), "n = {n}");
            assert_eq!(ShortestSolutions::new(&table).count(), 2, "n = {n}");
        }
    }

    #[test]
    fn more_than_can_be_listed() {
        // 200 diamonds in a row.
        let mut edges = Vec::new();
        for i in 0..200 {
            let at = 3 * i;
            edges.extend([
                (at, at + 1),
                (at, at + 2),
                (at + 1, at + 3),
                (at + 2, at + 3),
            ]);
        }
        let table = FakeTable::new(601, 1, &[600], &edges);
        assert_eq!(count_all(&table), BigUint::from(2u32).pow(200));
        assert_eq!(ShortestSolutions::new(&table).take(1000).count(), 1000);
    }
}
