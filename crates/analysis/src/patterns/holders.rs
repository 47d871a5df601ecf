//! Which states hold a row pattern, all states at once.

use super::bits::Bits;
use super::sample::{Columns, Cut, Digit};

/// A row pattern in digits; 0 is any content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) segments: Vec<Vec<Digit>>,
    pub(super) left_edge: bool,
    pub(super) right_edge: bool,
}

impl Word {
    /// The states that hold it somewhere; on rings words have one segment.
    ///
    /// Segment by segment, for each cell the states in which all up to this one end there or before.
    pub(super) fn holders(&self, columns: &Columns, cut: Cut) -> Bits {
        let length = cut.length();
        let none = || Bits::none(columns.states());
        let [first, rest @ ..] = self.segments.as_slice() else {
            return none();
        };
        let last = |segment: &Vec<Digit>, i: usize| {
            let is_last = i + 1 == self.segments.len();
            (is_last && self.right_edge).then_some(length.saturating_sub(segment.len()))
        };
        let span = self.segments.iter().map(Vec::len).sum();
        if !cut.holds(span) {
            return none();
        }
        let mut here = none();
        let begins = if self.left_edge { 1 } else { cut.begins() };
        let mut ending = vec![none(); length + 1];
        for begin in 0..begins.min((length + 1).saturating_sub(first.len())) {
            if last(first, 0).is_none_or(|only| begin == only) {
                columns.showing(first, begin, &mut here);
                ending[begin + first.len()].or(&here);
            }
        }
        for (segment, i) in rest.iter().zip(1..) {
            gather(&mut ending);
            let mut next = vec![none(); length + 1];
            for begin in 0..(length + 1).saturating_sub(segment.len()) {
                if last(segment, i).is_none_or(|only| begin == only) {
                    columns.showing(segment, begin, &mut here);
                    here.and(&ending[begin]);
                    next[begin + segment.len()].or(&here);
                }
            }
            ending = next;
        }
        gather(&mut ending);
        ending.pop().unwrap_or_else(none)
    }
}

/// Adds to each set all before it.
fn gather(sets: &mut [Bits]) {
    for i in 1..sets.len() {
        let (before, here) = sets.split_at_mut(i);
        here[0].or(&before[i - 1]);
    }
}
