//! Patterns over a range: which stay sound and minimal from one parameter value to the next.

use std::collections::HashSet;

use super::bits::Bits;
use super::holders::Word;
use super::mine::{Found, MineError, Mined, sort};
use super::sample::{Columns, Cut, Digit};
use super::{CellPattern, Ends, Pattern, RowPattern};

/// How a pattern stands at one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Sound and minimal.
    Minimal,
    /// Sound, but a weaker pattern is sound too.
    Sound,
    /// A live state holds it.
    Unsound,
    /// No state holds it.
    Absent,
}

impl Standing {
    /// `minimal`, `sound`, `unsound` or `absent`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Sound => "sound",
            Self::Unsound => "unsound",
            Self::Absent => "absent",
        }
    }
}

/// A pattern that was mined at some value, looked up at all of them.
#[derive(Clone, Debug)]
pub struct Surveyed {
    /// The pattern; its holders are places in the lists of lost states of all values, one list behind
    /// the other.
    pub found: Found,
    /// How it stands, and how many lost states hold it, at each value.
    pub standings: Vec<(Standing, u64)>,
}

impl Surveyed {
    /// Whether no live state of any value holds it.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let mut standings = self.standings.iter();
        standings.all(|(standing, _)| *standing != Standing::Unsound)
    }

    /// The first value, by place, from which on it is sound and minimal at all values.
    #[must_use]
    pub fn minimal_from(&self) -> Option<usize> {
        self.from(|standing| standing == Standing::Minimal)
    }

    /// The first value, by place, from which on it is sound at all values.
    #[must_use]
    pub fn sound_from(&self) -> Option<usize> {
        self.from(|standing| matches!(standing, Standing::Minimal | Standing::Sound))
    }

    fn from(&self, good: impl Fn(Standing) -> bool) -> Option<usize> {
        let bad = self
            .standings
            .iter()
            .rposition(|&(standing, _)| !good(standing));
        let from = bad.map_or(0, |bad| bad + 1);
        (from < self.standings.len()).then_some(from)
    }
}

/// All patterns mined at the values of a range; sorted as mined patterns are.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Patterns with a stretch.
    pub stretches: Vec<Surveyed>,
    /// Windows, or sets of cells.
    pub patterns: Vec<Surveyed>,
    /// Lost states of all values together.
    pub lost: usize,
}

/// Looks every pattern of a range up at every value. Row patterns are compared over rows of any
/// length; sets of cells only where all boards are equal (`None` elsewhere).
///
/// # Errors
/// [`MineError::TooLarge`].
pub fn survey(mined: &[Mined], budget: Option<u64>) -> Result<Option<Survey>, MineError> {
    let Some(first) = mined.first() else {
        return Ok(None);
    };
    let ends = Ends::of(&first.board);
    let comparable = mined.iter().all(|at| match ends {
        Some(_) => Ends::of(&at.board) == ends,
        None => at.board == first.board,
    });
    if !comparable {
        return Ok(None);
    }
    let lost: usize = mined.iter().map(|at| at.lost.len()).sum();
    let stretches = Surveyor::new(mined, lost, |at| &at.stretches);
    let patterns = Surveyor::new(mined, lost, |at| &at.patterns);
    Ok(Some(Survey {
        stretches: stretches.surveyed(budget)?,
        patterns: patterns.surveyed(budget)?,
        lost,
    }))
}

struct Surveyor<'a> {
    mined: &'a [Mined],
    /// All patterns, each once.
    all: Vec<&'a Found>,
    /// For each value the patterns that are minimal there.
    minimal: Vec<HashSet<&'a Pattern>>,
    lost: usize,
}

impl<'a> Surveyor<'a> {
    fn new(mined: &'a [Mined], lost: usize, list: impl Fn(&'a Mined) -> &'a Vec<Found>) -> Self {
        let mut known: HashSet<&Pattern> = HashSet::new();
        let every = mined.iter().flat_map(&list);
        let all = every.filter(|found| known.insert(&found.pattern));
        let of = |at| list(at).iter().map(|found| &found.pattern).collect();
        Self {
            mined,
            all: all.collect(),
            minimal: mined.iter().map(of).collect(),
            lost,
        }
    }

    fn surveyed(&self, budget: Option<u64>) -> Result<Vec<Surveyed>, MineError> {
        let bytes = self.all.len() as u64 * Bits::bytes(self.lost);
        MineError::check(bytes, budget, || format!("{} patterns", self.all.len()))?;
        let mut surveyed: Vec<Surveyed> = self.all.iter().map(|found| self.fresh(found)).collect();
        let mut offset = 0;
        for (at, minimal) in self.mined.iter().zip(&self.minimal) {
            let judge = Judge::new(at, self.reach(), budget)?;
            for one in &mut surveyed {
                let holders = judge.holders(&one.found.pattern, &judge.lost);
                let is_live = !judge.holders(&one.found.pattern, &judge.live).is_empty();
                let support = holders.count();
                let standing = match (is_live, support) {
                    (true, _) => Standing::Unsound,
                    (false, 0) => Standing::Absent,
                    _ if minimal.contains(&one.found.pattern) => Standing::Minimal,
                    _ => Standing::Sound,
                };
                one.standings.push((standing, support));
                one.found.support += support;
                for place in holders.numbers() {
                    one.found.holders.insert(offset + place);
                }
            }
            offset += at.lost.len();
        }
        sort(&mut surveyed, |one| &one.found);
        Ok(surveyed)
    }

    fn fresh(&self, found: &Found) -> Surveyed {
        Surveyed {
            found: Found {
                support: 0,
                holders: Bits::none(self.lost),
                ..found.clone()
            },
            standings: Vec::new(),
        }
    }

    /// The longest segment.
    fn reach(&self) -> usize {
        let spans = self.all.iter().map(|found| found.pattern.span());
        spans.max().unwrap_or(1)
    }
}

/// The states of one value, ready to be asked for any pattern.
struct Judge<'a> {
    mined: &'a Mined,
    cut: Option<Cut>,
    live: Columns,
    lost: Columns,
}

impl<'a> Judge<'a> {
    fn new(mined: &'a Mined, reach: usize, budget: Option<u64>) -> Result<Self, MineError> {
        let sample = &mined.sample;
        let ends = Ends::of(&mined.board);
        let cut = ends.map(|ends| Cut::new(ends, sample.cells, reach));
        // Without a row, a strip is the board as it is.
        let strip = cut.unwrap_or_else(|| Cut::new(Ends::Edges, sample.cells, 0));
        Ok(Self {
            mined,
            cut,
            live: sample.live_columns(strip, budget)?,
            lost: sample.lost_columns(strip, budget)?,
        })
    }

    fn holders(&self, pattern: &Pattern, columns: &Columns) -> Bits {
        let holders = match (pattern, self.cut) {
            (Pattern::Row(pattern), Some(cut)) => {
                let word = self.word(pattern);
                word.map(|word| word.holders(columns, cut))
            }
            (Pattern::Cells(pattern), _) => self.with_cells(pattern, columns),
            (Pattern::Row(_), None) => None,
        };
        holders.unwrap_or_else(|| Bits::none(columns.states()))
    }

    /// A row pattern in digits; `None` if it has a content that no state has.
    fn word(&self, pattern: &RowPattern) -> Option<Word> {
        let segment = |cells: &Vec<Option<u64>>| {
            let digits = cells.iter().map(|cell| match cell {
                Some(value) => self.digit(*value),
                None => Some(0),
            });
            digits.collect::<Option<Vec<Digit>>>()
        };
        let segments: Option<Vec<Vec<Digit>>> = pattern.segments.iter().map(segment).collect();
        Some(Word {
            segments: segments?,
            left_edge: pattern.left_edge,
            right_edge: pattern.right_edge,
        })
    }

    fn with_cells(&self, pattern: &CellPattern, columns: &Columns) -> Option<Bits> {
        let mut sets = pattern.cells.iter().map(|&(cell, value)| {
            let digit = self.digit(value)?;
            Some(columns.with(cell as usize, digit))
        });
        let mut holders = sets.next()??.clone();
        for set in sets {
            holders.and(set?);
        }
        Some(holders)
    }

    fn digit(&self, value: u64) -> Option<Digit> {
        let place = self.mined.sample.contents.binary_search(&value).ok()?;
        Some(place as Digit + 1)
    }
}
