//! The left side of a pattern: what is tested, and how long its stretches are.

use super::track::{Look, Track, passes};
use crate::instance::{LeftItem, Length, SymbolSet, Test, Value};

/// Items of a left side, in one list.
#[derive(Clone, Debug)]
pub(super) struct Items {
    list: Vec<Item>,
    /// For each item of the rule, its number in `list`, if it is there.
    pub(super) numbers: Vec<Option<usize>>,
    /// Cells before the first item other than `_`: the place of a placement is the cell behind them.
    pub(super) anchor: usize,
    /// Cells of the shortest placement.
    pub(super) least: usize,
    /// Whether every placement has just as many.
    pub(super) is_fixed: bool,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    test: Test,
    length: Length,
    /// For a stretch: how far behind it stands the first cell that no cell of the stretch could be.
    barrier: Option<usize>,
    /// For a stretch: so many cells behind it are such as could belong to it; 0 if it may be empty
    /// cells, which on an endless row never end.
    alike: usize,
}

/// Contents that are told apart before a line is laid: `0..LARGE` themselves, then larger counts,
/// then `#`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class(pub(super) usize);

impl Class {
    /// From here on contents are one class.
    const LARGE: usize = 15;
    /// Number of classes.
    pub(super) const COUNT: usize = Self::LARGE + 2;

    #[inline]
    pub(super) fn of(content: Option<Value>) -> Self {
        Self(content.map_or(Self::LARGE + 1, |value| {
            value.min(Self::LARGE as Value) as usize
        }))
    }

    /// Whether a content of the class may pass a test.
    fn passes(self, test: Test) -> bool {
        match (self.0, test) {
            (Self::LARGE, Test::Counts(_, high)) => high >= Self::LARGE as Value,
            (Self::LARGE, Test::Symbols(set)) => {
                set.0 & !SymbolSet::NO_CELL.0 & !SymbolSet::any(Self::LARGE).0 != 0
            }
            (class, test) if class < Self::LARGE => passes(test, Look::Holds(class as Value)),
            (_, test) => passes(test, Look::NoCell),
        }
    }
}

/// How a search for a fit ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// The items fit nowhere.
    None,
    /// They fit, but no fit was taken.
    Refused,
    /// One was taken.
    Taken,
}

impl Items {
    pub(super) fn new(rows: &[Vec<LeftItem>]) -> Self {
        let flat: Vec<LeftItem> = rows.iter().flatten().copied().collect();
        let in_front = flat
            .iter()
            .take_while(|i| i.is_any && i.capture.is_none())
            .count();
        let in_front = if in_front == flat.len() { 0 } else { in_front };
        let mut list = Vec::new();
        let mut numbers = Vec::new();
        for (at, item) in flat.iter().enumerate() {
            // `_*` and `_+` in front say nothing more than their shortest length.
            let length = match item.length {
                Length::AtLeast(0) if at < in_front => {
                    numbers.push(None);
                    continue;
                }
                Length::AtLeast(1) if at < in_front => Length::One,
                length => length,
            };
            numbers.push(Some(list.len()));
            list.push(Item {
                test: item.test,
                length,
                barrier: None,
                alike: 0,
            });
        }
        for at in 0..list.len() {
            let behind = &list[at + 1..];
            let single = behind.iter().take_while(|item| item.length == Length::One);
            let tests: Vec<Test> = single.map(|item| item.test).collect();
            let stretch = list[at].test;
            list[at].barrier = tests.iter().position(|&test| is_disjoint(stretch, test));
            if !passes(stretch, Look::Holds(0)) {
                let alike = tests.iter().take_while(|&&test| is_within(test, stretch));
                list[at].alike = alike.count();
            }
        }
        let anchor = numbers[..in_front].iter().flatten().count();
        let least = list.iter().map(|i| least(i.length)).sum();
        let is_fixed = list.iter().all(|i| i.length == Length::One);
        Self {
            list,
            numbers,
            anchor,
            least,
            is_fixed,
        }
    }

    /// Whether a placement may have this content at its place; `None` is `#`.
    pub(super) fn may_begin_with(&self, content: Option<Value>) -> bool {
        let look = content.map_or(Look::NoCell, Look::Holds);
        self.may_begin(|test| passes(test, look))
    }

    /// Whether a placement may have contents of these classes at its place and just behind it.
    pub(super) fn may_begin_with_pair(&self, pair: [Class; 2]) -> bool {
        self.admits(self.anchor, &pair)
    }

    fn admits(&self, item: usize, classes: &[Class]) -> bool {
        let (Some(&Item { test, length, .. }), Some((&class, behind))) =
            (self.list.get(item), classes.split_first())
        else {
            return true;
        };
        let is_skipped = least(length) == 0 && self.admits(item + 1, classes);
        is_skipped
            || (class.passes(test)
                && (self.admits(item + 1, behind)
                    || (length != Length::One && self.admits(item, behind))))
    }

    fn may_begin(&self, admits: impl Fn(Test) -> bool) -> bool {
        for item in &self.list[self.anchor..] {
            if admits(item.test) {
                return true;
            }
            if least(item.length) > 0 {
                return false;
            }
        }
        true
    }

    /// Lays the items on a track, shorter stretches first, until `take` takes a fit; it is given
    /// the length of each item. Whether one was taken.
    pub(super) fn lay(
        &self,
        track: &impl Track,
        lengths: &mut Vec<usize>,
        take: &mut impl FnMut(&[usize]) -> bool,
    ) -> bool {
        if self.is_fixed {
            if !self.fits_fixed(track) {
                return false;
            }
            lengths.clear();
            lengths.resize(self.list.len(), 1);
            return take(lengths);
        }
        lengths.clear();
        self.lay_from(0, track, lengths, take) == Fit::Taken
    }

    /// Whether the items fit on a track.
    pub(super) fn fits(&self, track: &impl Track) -> bool {
        if self.is_fixed {
            self.fits_fixed(track)
        } else {
            self.lay(track, &mut Vec::new(), &mut |_| true)
        }
    }

    #[inline]
    fn fits_fixed(&self, track: &impl Track) -> bool {
        self.list
            .iter()
            .enumerate()
            .all(|(at, item)| passes(item.test, track.look(at)))
    }

    fn lay_from(
        &self,
        at: usize,
        track: &impl Track,
        lengths: &mut Vec<usize>,
        take: &mut impl FnMut(&[usize]) -> bool,
    ) -> Fit {
        let number = lengths.len();
        let Some(item) = self.list.get(number) else {
            return if take(lengths) {
                Fit::Taken
            } else {
                Fit::Refused
            };
        };
        if item.length == Length::One {
            if !passes(item.test, track.look(at)) {
                return Fit::None;
            }
            lengths.push(1);
            let found = self.lay_from(at + 1, track, lengths, take);
            lengths.truncate(number);
            return found;
        }
        let most = track.run(at, item.test);
        // A shorter stretch would have the barrier inside, a longer one the cell that ended it
        // among those alike; neither fits.
        let from = item.barrier.map_or(0, |behind| most.saturating_sub(behind));
        let Some(to) = most.checked_sub(item.alike) else {
            return Fit::None;
        };
        let mut whole = Fit::None;
        for length in from.max(least(item.length))..=to {
            lengths.push(length);
            let found = self.lay_from(at + length, track, lengths, take);
            lengths.truncate(number);
            if found == Fit::Taken || (found == Fit::Refused && item.length == Length::Shortest) {
                return found;
            }
            whole = if found == Fit::Refused { found } else { whole };
        }
        whole
    }
}

/// Whether no cell passes both tests.
fn is_disjoint(a: Test, b: Test) -> bool {
    match (a, b) {
        (Test::Symbols(a), Test::Symbols(b)) => a.0 & b.0 & !SymbolSet::NO_CELL.0 == 0,
        (Test::Counts(a, b), Test::Counts(c, d)) => b < c || d < a,
        _ => true,
    }
}

/// Whether every cell that passes one test passes another.
fn is_within(inner: Test, outer: Test) -> bool {
    match (inner, outer) {
        (Test::Symbols(a), Test::Symbols(b)) => a.0 & !b.0 == 0,
        (Test::Counts(a, b), Test::Counts(c, d)) => c <= a && b <= d,
        _ => false,
    }
}

fn least(length: Length) -> usize {
    match length {
        Length::One => 1,
        Length::AtLeast(least) => least,
        Length::Shortest => 0,
    }
}
