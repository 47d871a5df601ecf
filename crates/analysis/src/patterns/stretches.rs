//! All minimal sound patterns of two short segments with a stretch between.
//!
//! A row holds `A _* B` exactly if its leftmost `A` ends before its rightmost `B` begins. So for each
//! state two numbers a segment are enough, and a table of all pairs of segments tells which pairs
//! some live state holds. Segments are trimmed, so freeing the cell beside the stretch leaves it to the
//! stretch, and freeing the last cell of a segment leaves the other segment alone.

use std::collections::HashMap;

use super::bits::Bits;
use super::holders::Word;
use super::mine::MineError;
use super::sample::{Columns, Cut, Digit, Sample};

/// A segment on one side of the stretch; without digits it is no segment at all.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Half {
    digits: Vec<Digit>,
    /// It lies at the edge of its side.
    edge: bool,
}

/// How large stretch patterns may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StretchLimits {
    /// Cells a segment spans at most.
    pub span: usize,
    /// Cells fixed in both segments together at most.
    pub fixed: usize,
}

/// More segments than this make the table of pairs too large; the span is lowered then.
const MOST_WORDS: u64 = 1500;

impl StretchLimits {
    /// The same, with a span so low that a puzzle of so many contents has not too many segments.
    pub(super) fn for_contents(self, contents: usize) -> Self {
        let words = |span: usize| (contents as u64 + 1).saturating_pow(span as u32);
        let mut span = self.span;
        while span > 1 && words(span) > MOST_WORDS {
            span -= 1;
        }
        Self { span, ..self }
    }
}

/// The minimal sound patterns of two segments, each with the lost states that hold it (by place in
/// the list of lost states); in no promised order.
pub(super) fn minimal(
    sample: &Sample,
    columns: &Columns,
    cut: Cut,
    limits: StretchLimits,
    budget: Option<u64>,
) -> Result<Vec<(Word, Bits)>, MineError> {
    let halves = Halves::new(sample.contents.len(), limits, cut.has_edges());
    let pairs = (halves.all.len() as u64).pow(2);
    MineError::check(pairs, budget, || "pairs of segments".to_owned())?;
    let live = halves.live_pairs(sample, cut);
    let mut found = Vec::new();
    let mut bytes = pairs;
    for left in 1..halves.all.len() {
        let rights = halves.minimal_rights(left, limits.fixed, &live);
        if rights.is_empty() {
            continue;
        }
        let ending = halves.ending(left, columns, cut);
        for right in rights {
            let holders = halves.holders(right, &ending, columns, cut);
            if holders.is_empty() {
                continue;
            }
            bytes += Bits::bytes(columns.states());
            MineError::check(bytes, budget, || "stretch patterns".to_owned())?;
            found.push((halves.pattern(left, right), holders));
        }
    }
    Ok(found)
}

/// All segments of the left side; those of the right side are their mirror images, under the same
/// numbers.
struct Halves {
    all: Vec<Half>,
    numbers: HashMap<Half, usize>,
}

/// Before a segment could end, or behind where it could begin: it is not there.
const NOWHERE: u16 = u16::MAX;

impl Halves {
    fn new(contents: usize, limits: StretchLimits, has_edges: bool) -> Self {
        let mut all = vec![Half {
            digits: Vec::new(),
            edge: false,
        }];
        let mut words: Vec<Vec<Digit>> = vec![Vec::new()];
        for _ in 0..limits.span {
            let longer = |word: &Vec<Digit>| {
                let word = word.clone();
                (0..=contents as Digit).map(move |digit| {
                    let mut longer = word.clone();
                    longer.push(digit);
                    longer
                })
            };
            words = words.iter().flat_map(longer).collect();
            for digits in &words {
                let fixed = digits.iter().filter(|&&d| d != 0).count();
                if fixed >= limits.fixed || digits.last() == Some(&0) {
                    continue;
                }
                for edge in [false, true] {
                    let trimmed = edge || digits[0] != 0;
                    if trimmed && (!edge || has_edges) {
                        let digits = digits.clone();
                        all.push(Half { digits, edge });
                    }
                }
            }
        }
        let numbers = all.iter().cloned().zip(0..).collect();
        Self { all, numbers }
    }

    /// For each pair, left number times all plus right number, whether a live state holds it.
    fn live_pairs(&self, sample: &Sample, cut: Cut) -> Vec<u8> {
        let count = self.all.len();
        let mut live = vec![0; count * count];
        let (mut strip, mut turned) = (Vec::new(), Vec::new());
        let mut ends = vec![0; count];
        let mut rooms = vec![0; count];
        for row in sample.live() {
            cut.strip(row, &mut strip);
            turned.clear();
            turned.extend(strip.iter().rev());
            self.earliest_ends(&strip, &mut ends);
            self.earliest_ends(&turned, &mut rooms);
            // A right half ends, seen from the right, where the room left of it begins.
            let length = strip.len() as u16;
            for room in &mut rooms {
                *room = if *room == NOWHERE {
                    0
                } else {
                    length + 1 - *room
                };
            }
            for (&end, pairs) in ends.iter().zip(live.chunks_exact_mut(count)) {
                if end == NOWHERE {
                    continue;
                }
                for (&room, pair) in rooms.iter().zip(pairs) {
                    *pair |= u8::from(end < room);
                }
            }
        }
        live
    }

    /// For each left half the earliest cell at which it may end.
    fn earliest_ends(&self, strip: &[Digit], out: &mut [u16]) {
        for (half, out) in self.all.iter().zip(out) {
            let span = half.digits.len();
            let last = if half.edge { 0 } else { strip.len() };
            let fits = |begin: usize| {
                let here = strip.get(begin..begin + span);
                here.is_some_and(|here| {
                    let mut pairs = half.digits.iter().zip(here);
                    pairs.all(|(&wanted, &digit)| wanted == 0 || wanted == digit)
                })
            };
            let begin = (0..=last).find(|&begin| fits(begin));
            *out = begin.map_or(NOWHERE, |begin| (begin + span) as u16);
        }
    }

    /// The right halves with which a left half is sound and minimal, as far as live states tell.
    fn minimal_rights(&self, left: usize, most_fixed: usize, live: &[u8]) -> Vec<usize> {
        let count = self.all.len();
        let is_live = |left: usize, right: usize| live[left * count + right] != 0;
        let fixed = |half: usize| self.all[half].digits.iter().filter(|&&d| d != 0).count();
        let weaker_lefts = self.weaker(left);
        let rights = (1..count).filter(|&right| {
            !is_live(left, right)
                && fixed(left) + fixed(right) <= most_fixed
                && weaker_lefts.iter().all(|&weaker| is_live(weaker, right))
                && self
                    .weaker(right)
                    .iter()
                    .all(|&weaker| is_live(left, weaker))
        });
        rights.collect()
    }

    /// The halves that say a little less.
    fn weaker(&self, half: usize) -> Vec<usize> {
        let Half { digits, edge } = &self.all[half];
        let mut weaker: Vec<usize> = Vec::new();
        let mut add = |digits: Vec<Digit>, edge: bool| weaker.push(self.number(digits, edge));
        if *edge {
            add(digits.clone(), false);
        }
        for i in (0..digits.len()).filter(|&i| digits[i] != 0) {
            let mut freed = digits.clone();
            freed[i] = 0;
            add(freed, *edge);
        }
        weaker
    }

    /// The number of a half, trimmed.
    fn number(&self, mut digits: Vec<Digit>, edge: bool) -> usize {
        let end = digits.iter().rposition(|&d| d != 0).map_or(0, |i| i + 1);
        digits.truncate(end);
        if !edge || digits.is_empty() {
            let begin = digits.iter().position(|&d| d != 0).unwrap_or(0);
            digits.drain(..begin);
        }
        let edge = edge && !digits.is_empty();
        self.numbers[&Half { digits, edge }]
    }

    /// For each cell the lost states in which a left half ends there or before.
    fn ending(&self, left: usize, columns: &Columns, cut: Cut) -> Vec<Bits> {
        let Half { digits, edge } = &self.all[left];
        let mut here = Bits::none(columns.states());
        let mut sets = vec![Bits::none(columns.states()); cut.length() + 1];
        for end in 1..=cut.length() {
            let (before, set) = sets.split_at_mut(end);
            set[0].copy(&before[end - 1]);
            let begin = end.checked_sub(digits.len());
            if let Some(begin) = begin.filter(|&begin| !edge || begin == 0) {
                columns.showing(digits, begin, &mut here);
                set[0].or(&here);
            }
        }
        sets
    }

    /// The lost states in which a right half begins where the left one has ended.
    fn holders(&self, right: usize, ending: &[Bits], columns: &Columns, cut: Cut) -> Bits {
        let Half { digits, edge } = &self.all[right];
        let digits: Vec<Digit> = digits.iter().rev().copied().collect();
        let mut here = Bits::none(columns.states());
        let mut holders = Bits::none(columns.states());
        let Some(last) = cut.length().checked_sub(digits.len()) else {
            return holders;
        };
        let first = if *edge { last } else { 0 };
        for (begin, ended) in ending.iter().enumerate().take(last + 1).skip(first) {
            columns.showing(&digits, begin, &mut here);
            holders.or_both(&here, ended);
        }
        holders
    }

    fn pattern(&self, left: usize, right: usize) -> Word {
        let (left, right) = (&self.all[left], &self.all[right]);
        Word {
            segments: vec![
                left.digits.clone(),
                right.digits.iter().rev().copied().collect(),
            ],
            left_edge: left.edge,
            right_edge: right.edge,
        }
    }
}
