//! Few patterns that cover many lost states.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::bits::Bits;
use super::mine::Found;

/// A cover: patterns chosen one after the other, each the one that adds most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// The patterns, by place in their list, in order of choice, with the number of lost states that
    /// none before them covers.
    pub chosen: Vec<(usize, u64)>,
    /// The lost states covered, by place in the list of lost states.
    pub covered: Bits,
}

impl Cover {
    /// Chooses, as long as something is added, the pattern that adds most; among equals the first.
    ///
    /// Found patterns are sorted by span, then fixed cells, then text, so equals are decided in that
    /// order. `states` is the number of lost states.
    #[must_use]
    pub fn greedy(found: &[Found], states: usize) -> Self {
        let mut cover = Self::none(states);
        cover.extend(found, |_| true);
        cover
    }

    /// The same, but patterns that name an edge only fill what the others leave: what needs no edge
    /// can be seen anywhere, and more often holds for larger boards too.
    #[must_use]
    pub fn edges_last(found: &[Found], states: usize) -> Self {
        let mut cover = Self::none(states);
        cover.extend(found, |found| !found.pattern.has_edge());
        cover.extend(found, |found| found.pattern.has_edge());
        cover
    }

    fn none(states: usize) -> Self {
        Self {
            chosen: Vec::new(),
            covered: Bits::none(states),
        }
    }

    /// Goes on choosing among some of the patterns.
    fn extend(&mut self, found: &[Found], among: impl Fn(&Found) -> bool) {
        let bounds = found.iter().enumerate().filter(|(_, found)| among(found));
        let mut heap: BinaryHeap<(u64, Reverse<usize>)> = bounds
            .map(|(i, found)| (found.support, Reverse(i)))
            .collect();
        // What a pattern adds only falls, so an old number is a bound; the heap's order is that of ties.
        while let Some((bound, Reverse(i))) = heap.pop() {
            let adds = found[i].holders.count_without(&self.covered);
            if adds == 0 {
                continue;
            }
            if adds < bound {
                heap.push((adds, Reverse(i)));
                continue;
            }
            self.covered.or(&found[i].holders);
            self.chosen.push((i, adds));
        }
    }
}
