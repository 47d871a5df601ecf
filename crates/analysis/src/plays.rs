//! Whole plays, in spaces without cycles: the longest, and how many there are.
//!
//! A play goes from a start until no move is left; a goal that has successors does not end it.

use num_bigint::BigUint;
use num_traits::{CheckedAdd, One, Zero};

use crate::run::Table;
use crate::structure::{Graph, topological_order};

/// Bytes that both figures may take with the transitions gathered, if numbers of plays take half a byte for
/// each step to the deepest state.
pub(crate) fn most_bytes(states: u64, transitions: u64, deepest: u64) -> u64 {
    (80 + deepest / 2) * states + 8 * transitions
}

/// What can be said of all plays of a space without cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plays {
    /// Transitions of the longest play.
    pub longest: u64,
    /// Number of plays, as sequences of states, from all starts together.
    pub count: BigUint,
}

/// Length of the longest play; `None` if play can go round in a circle.
#[must_use]
pub fn longest(table: &dyn Table) -> Option<u64> {
    let graph = Graph::collect(table);
    let order = topological_order(&graph)?;
    Some(longest_from(&graph, &order, table.start_count()))
}

/// Number of plays; `None` if play can go round in a circle.
#[must_use]
pub fn plays(table: &dyn Table) -> Option<BigUint> {
    all_plays(&Graph::collect(table), table.start_count()).map(|plays| plays.count)
}

/// Both figures of a graph whose first `start_count` states are the starts; `None` if it has a cycle.
///
/// Twenty bytes a state while numbers stay below 2^128, then as much as the big integers need.
#[must_use]
pub fn all_plays(graph: &Graph, start_count: u32) -> Option<Plays> {
    let order = topological_order(graph)?;
    let longest = longest_from(graph, &order, start_count);
    let count = count_from::<u128>(graph, &order, start_count)
        .map(BigUint::from)
        .or_else(|| count_from::<BigUint>(graph, &order, start_count));
    Some(Plays {
        longest,
        count: count.expect("big integers do not overflow"),
    })
}

fn longest_from(graph: &Graph, order: &[u32], start_count: u32) -> u64 {
    let mut length = vec![0u32; order.len()];
    for &id in order.iter().rev() {
        let onwards = graph
            .successors(id)
            .iter()
            .map(|&to| length[to as usize] + 1);
        length[id as usize] = onwards.max().unwrap_or(0);
    }
    length[..start_count as usize]
        .iter()
        .copied()
        .max()
        .unwrap_or(0)
        .into()
}

/// Sums from the last states backwards; `None` if a number does not fit.
fn count_from<N: Zero + One + CheckedAdd + Clone>(
    graph: &Graph,
    order: &[u32],
    start_count: u32,
) -> Option<N> {
    let mut ways = vec![N::zero(); order.len()];
    for &id in order.iter().rev() {
        let successors = graph.successors(id);
        ways[id as usize] = if successors.is_empty() {
            N::one()
        } else {
            checked_sum(successors.iter().map(|&to| &ways[to as usize]))?
        };
    }
    checked_sum(ways[..start_count as usize].iter())
}

fn checked_sum<'a, N: Zero + CheckedAdd + 'a>(terms: impl Iterator<Item = &'a N>) -> Option<N> {
    let mut terms = terms;
    terms.try_fold(N::zero(), |sum, term| sum.checked_add(term))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::FakeTable;

    fn check(table: &FakeTable, expected: Option<(u64, u64)>) {
        assert_eq!(longest(table), expected.map(|(longest, _)| longest));
        assert_eq!(
            plays(table),
            expected.map(|(_, count)| BigUint::from(count))
        );
    }

    #[test]
    fn small_spaces() {
        check(&FakeTable::new(1, 1, &[], &[]), Some((0, 1)));
        check(
            &FakeTable::new(4, 1, &[3], &[(0, 1), (0, 2), (1, 3), (2, 3), (0, 3)]),
            Some((2, 3)),
        );
        // A goal in the middle does not end a play; two starts; numbers against the direction.
        check(&FakeTable::new(3, 1, &[1], &[(0, 1), (1, 2)]), Some((2, 1)));
        check(
            &FakeTable::new(3, 2, &[], &[(0, 2), (1, 0), (1, 2)]),
            Some((2, 3)),
        );
        check(&FakeTable::new(3, 1, &[2], &[(0, 1), (1, 0), (1, 2)]), None);
    }

    #[test]
    fn more_plays_than_fit_a_word() {
        let mut edges = Vec::new();
        for i in 0..150 {
            let at = 3 * i;
            edges.extend([
                (at, at + 1),
                (at, at + 2),
                (at + 1, at + 3),
                (at + 2, at + 3),
            ]);
        }
        let table = FakeTable::new(451, 1, &[450], &edges);
        assert_eq!(plays(&table), Some(BigUint::from(2u32).pow(150)));
        assert_eq!(longest(&table), Some(300));
    }

    /// Published figures; see the puzzle notes.
    #[test]
    fn plays_of_frogs() {
        let expected = [2, 10, 28, 72, 168, 372, 794, 1654, 3388, 6860];
        for (n, plays_expected) in (1..).zip(expected) {
            assert_eq!(
                plays(&FakeTable::frogs(n)),
                Some(BigUint::from(plays_expected as u32))
            );
        }
    }

    /// Counts as letters: `a` is 0. `+1 _ -2 +1` and `-1 -1 +1` on a row wide enough.
    fn bergman_moves(row: &str) -> Vec<String> {
        let cells = row.as_bytes();
        let shift = |changes: &[(usize, i8)]| {
            let mut next = cells.to_vec();
            for &(at, by) in changes {
                next[at] = next[at].wrapping_add_signed(by);
            }
            String::from_utf8(next).expect("letters")
        };
        let mut found = Vec::new();
        for i in 0..cells.len() {
            if cells[i] >= b'c' {
                found.push(shift(&[(i - 2, 1), (i, -2), (i + 1, 1)]));
            }
            if i + 1 < cells.len() && cells[i] > b'a' && cells[i + 1] > b'a' {
                found.push(shift(&[(i, -1), (i + 1, -1), (i + 2, 1)]));
            }
        }
        found
    }

    #[test]
    fn longest_bergman_games() {
        for (n, expected) in (1..).zip([0, 1, 2, 6, 9, 12, 22, 24]) {
            let mut row = vec![b'a'; 25];
            row[12] = b'a' + n;
            let start = String::from_utf8(row).expect("letters");
            let table = FakeTable::explore(&[&start], bergman_moves, |_| false);
            assert_eq!(longest(&table), Some(expected), "n = {n}");
        }
    }
}
