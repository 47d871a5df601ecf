//! Why a position is lost: patterns that it shows, and where the game was lost on the way.

use crate::patterns::{Found, Mined};
use crate::run::{Table, Transition, Verdict};

/// The smallest of the mined patterns that a lost state shows: stretch patterns first, those without
/// an edge first, then by span, fixed cells, greatest support, and text.
///
/// `None` where it shows none, or is live.
#[must_use]
pub fn smallest_pattern(mined: &Mined, id: u32) -> Option<&Found> {
    let place = mined.lost.binary_search(&id).ok()?;
    let shown = |list: &'_ [Found]| -> Option<usize> {
        (0..list.len())
            .filter(|&i| list[i].holders.has(place))
            .min_by_key(|&i| {
                let pattern = &list[i].pattern;
                let support = std::cmp::Reverse(list[i].support);
                let has_edge = pattern.has_edge();
                (has_edge, pattern.span(), pattern.fixed(), support, i)
            })
    };
    shown(&mined.stretches)
        .map(|i| &mined.stretches[i])
        .or_else(|| shown(&mined.patterns).map(|i| &mined.patterns[i]))
}

/// The last point of no return on a shortest way to a lost state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The live state.
    pub state: u32,
    /// The blocking move that was made there.
    pub by: Transition,
    /// The moves that would have kept it live.
    pub right: Vec<Transition>,
}

impl Loss {
    /// What else could have been played where a blocking move was made.
    #[must_use]
    pub fn at(table: &dyn Table, state: u32, by: Transition) -> Self {
        let mut right = Vec::new();
        table.transitions(state, &mut right);
        right.retain(|t| table.verdict(t.to) == Verdict::Live);
        Self { state, by, right }
    }
}

/// Branches of a tree of play that are shown.
pub const MOST_BRANCHES: usize = 24;

/// A state of a tree of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Moves from the root, at least 1.
    pub depth: u32,
    /// The move and the state it leads to.
    pub by: Transition,
    /// It stands in the tree already, further up, with all that follows.
    pub is_repeat: bool,
}

/// All that can be played from a state, as a tree in order of transitions, cut after `most` branches
/// (the flag says whether it was cut).
#[must_use]
pub fn tree(table: &dyn Table, root: u32, most: usize) -> (Vec<Branch>, bool) {
    let transitions = |id: u32, depth: u32| {
        let mut out = Vec::new();
        table.transitions(id, &mut out);
        out.reverse();
        out.into_iter()
            .map(move |by| (depth, by))
            .collect::<Vec<_>>()
    };
    let mut open = transitions(root, 1);
    let mut tree: Vec<Branch> = Vec::new();
    while let Some((depth, by)) = open.pop() {
        if tree.len() == most {
            return (tree, true);
        }
        let is_repeat = by.to == root || tree.iter().any(|branch| branch.by.to == by.to);
        tree.push(Branch {
            depth,
            by,
            is_repeat,
        });
        if !is_repeat {
            open.extend(transitions(by.to, depth + 1));
        }
    }
    (tree, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::FakeTable;

    #[test]
    fn trees_end_and_name_what_was_seen() {
        // 0 -> 1, 2; 1 -> 2; 2 -> 3; 3 -> 1.
        let table = FakeTable::new(4, 1, &[], &[(0, 1), (0, 2), (1, 2), (2, 3), (3, 1)]);
        let (branches, cut) = tree(&table, 0, 100);
        let seen: Vec<(u32, u32, bool)> = branches
            .iter()
            .map(|b| (b.depth, b.by.to, b.is_repeat))
            .collect();
        let expected = [
            (1, 1, false),
            (2, 2, false),
            (3, 3, false),
            (4, 1, true),
            (1, 2, true),
        ];
        assert_eq!(seen, expected);
        assert!(!cut);
        let (branches, cut) = tree(&table, 0, 2);
        assert_eq!((branches.len(), cut), (2, true));
    }

    #[test]
    fn what_would_have_been_right() {
        let table = FakeTable::new(5, 1, &[4], &[(0, 1), (0, 2), (0, 3), (2, 4), (3, 4)]);
        let mut out = Vec::new();
        table.transitions(0, &mut out);
        let loss = Loss::at(&table, 0, out[0]);
        assert_eq!(loss.right.iter().map(|t| t.to).collect::<Vec<_>>(), [2, 3]);
    }
}
