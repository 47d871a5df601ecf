//! All minimal sound patterns of one segment on a row, by tables of partial windows.
//!
//! A window of W cells is coded in base p + 1, where p is the number of contents and digit 0 says
//! "any". One table entry a code tells whether a live, or a lost, state shows it: first whole windows
//! are entered, then for each place the entries with "any" there gather those with a content there.
//! So nothing is guessed and nothing is missed. Memory is (p + 1)^W bytes, time W times that.

use super::holders::Word;
use super::mine::MineError;
use super::sample::{Cut, Digit, Sample};

/// Where a window may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    /// Anywhere.
    Free,
    /// At the left edge.
    Left,
    /// At the right edge.
    Right,
}

const ANCHORS: [Anchor; 3] = [Anchor::Free, Anchor::Left, Anchor::Right];

/// Bytes of the table for windows of so many cells.
pub(super) fn table_bytes(contents: usize, window: usize) -> u64 {
    let base = contents as u64 + 1;
    u32::try_from(window).map_or(u64::MAX, |window| base.saturating_pow(window))
}

/// The minimal sound patterns that span at most `window` cells, in no promised order.
pub(super) fn minimal(
    sample: &Sample,
    cut: Cut,
    window: usize,
    budget: Option<u64>,
) -> Result<Vec<Word>, MineError> {
    let bytes = table_bytes(sample.contents.len(), window);
    MineError::check(bytes, budget, || format!("windows of {window} cells"))?;
    let mut table = Windows::new(sample.contents.len() + 1, window);
    let mut strip = Vec::new();
    for (states, shift) in [(Side::Live, LIVE), (Side::Lost, LOST)] {
        let mut enter = |row: &[Digit]| {
            cut.strip(row, &mut strip);
            table.enter(&strip, cut, shift);
        };
        match states {
            Side::Live => sample.live().for_each(&mut enter),
            Side::Lost => sample.lost().for_each(&mut enter),
        }
    }
    table.gather();
    Ok(table.minimal())
}

#[derive(Clone, Copy)]
enum Side {
    Live,
    Lost,
}

/// Bit of "a live state shows it" for the first anchor.
const LIVE: u32 = 0;
/// Bit of "a lost state shows it" for the first anchor.
const LOST: u32 = 3;

/// The table.
struct Windows {
    /// A byte a code: for each anchor a bit for live and one for lost states.
    entries: Vec<u8>,
    /// What a digit counts, by place.
    weights: Vec<usize>,
    base: usize,
    window: usize,
}

impl Windows {
    fn new(base: usize, window: usize) -> Self {
        let weights = (0..window).rev().map(|i| base.pow(i as u32)).collect();
        Self {
            entries: vec![0; base.pow(window as u32)],
            weights,
            base,
            window,
        }
    }

    /// Enters all windows of a state; cells beyond the strip count as "any", so that short patterns
    /// near its end are not missed.
    fn enter(&mut self, strip: &[Digit], cut: Cut, shift: u32) {
        let mut set = |begin: i64, anchor: u32| {
            let digits = (begin..).take(self.window).map(|i| {
                let digit = usize::try_from(i).ok().and_then(|i| strip.get(i));
                digit.map_or(0, |&digit| usize::from(digit))
            });
            let code = digits.fold(0, |code, digit| code * self.base + digit);
            self.entries[code] |= 1 << (shift + anchor);
        };
        for begin in 0..cut.begins() {
            set(begin as i64, 0);
        }
        if cut.has_edges() {
            set(0, 1);
            set(strip.len() as i64 - self.window as i64, 2);
        }
    }

    /// Gathers at each code with "any" what its completions have.
    fn gather(&mut self) {
        for &weight in &self.weights {
            for block in self.entries.chunks_exact_mut(weight * self.base) {
                let (any, fixed) = block.split_at_mut(weight);
                for entries in fixed.chunks_exact(weight) {
                    for (entry, more) in any.iter_mut().zip(entries) {
                        *entry |= more;
                    }
                }
            }
        }
    }

    fn minimal(&self) -> Vec<Word> {
        let mut found = Vec::new();
        for (code, &entry) in self.entries.iter().enumerate() {
            let sound = entry >> LOST & !(entry >> LIVE) & 7;
            if sound == 0 {
                continue;
            }
            for (i, anchor) in ANCHORS.into_iter().enumerate() {
                if sound >> i & 1 == 1 && self.is_minimal(code, anchor) {
                    found.push(self.window_of(code, anchor));
                }
            }
        }
        found
    }

    /// Whether a sound pattern is trimmed, and becomes unsound whatever is freed.
    fn is_minimal(&self, code: usize, anchor: Anchor) -> bool {
        let is_free = anchor == Anchor::Free;
        if is_free && code < self.weights[0] {
            return false;
        }
        if !is_free && !self.is_live(self.pushed_left(code), Anchor::Free) {
            return false;
        }
        self.weights.iter().all(|&weight| {
            let digit = code / weight % self.base;
            let freed = code - digit * weight;
            let freed = if is_free {
                self.pushed_left(freed)
            } else {
                freed
            };
            digit == 0 || self.is_live(freed, anchor)
        })
    }

    fn is_live(&self, code: usize, anchor: Anchor) -> bool {
        self.entries[code] >> (LIVE + anchor as u32) & 1 == 1
    }

    /// The same cells, moved so far left that the first one is fixed.
    fn pushed_left(&self, mut code: usize) -> usize {
        while code != 0 && code < self.weights[0] {
            code *= self.base;
        }
        code
    }

    fn window_of(&self, code: usize, anchor: Anchor) -> Word {
        let digit = |weight: &usize| (code / weight % self.base) as Digit;
        let mut digits: Vec<Digit> = self.weights.iter().map(digit).collect();
        if anchor == Anchor::Right {
            let first = digits.iter().position(|&d| d != 0).unwrap_or(0);
            digits.drain(..first);
        } else {
            let last = digits.iter().rposition(|&d| d != 0).unwrap_or(0);
            digits.truncate(last + 1);
        }
        Word {
            segments: vec![digits],
            left_edge: anchor == Anchor::Left,
            right_edge: anchor == Anchor::Right,
        }
    }
}
