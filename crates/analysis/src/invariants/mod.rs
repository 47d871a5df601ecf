//! What every move keeps, found before any search.
//!
//! Every placed rule gives one equation between the weights of cells: what it adds to the weight of
//! the position is 0. The null space of these equations, over the rationals and modulo 2 and 3, is all
//! that is linear in what the cells hold. One more unknown modulo 2, the sign of the arrangement, is
//! there where all pieces differ; asking that a move adds 1 instead of 0 gives potentials.
//!
//! # Source
//! Reiss, "Beiträge zur Theorie des Solitär-Spiels", Crelle's Journal 54, 1857 (classes of pegs);
//! Johnson and Story, "Notes on the 15 puzzle", American Journal of Mathematics 2, 1879 (the sign).

mod amounts;
mod cases;
mod echelon;
mod endless;
mod exclusion;
mod kept;
mod potential;
mod reading;
mod system;

use std::collections::BTreeSet;

use impasse_model::instance::{Instance, Position, Value};
use impasse_model::placed::PlacedRules;
use num_bigint::BigInt;

pub use endless::{Endless, Ends, GoalEnd, RowExclusion, RowInvariant, endless};
pub use exclusion::Exclusion;
pub use kept::{Invariant, Space};
pub use potential::{Grading, Potential};
pub use reading::{Reading, Trait, Weighing};
pub use system::Unknowns;

use cases::{Allowed, Case};
use echelon::{TooMuch, Work};
use exclusion::Excluder;
use system::System;

/// How much work may be spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As much as a person waits for: about a second.
    Patient,
    /// Little beside a search: some hundredths of a second.
    Hasty,
}

/// Every unknown is written down for each of a few dozen traits.
const STEPS_AN_UNKNOWN: usize = 256;

impl Effort {
    fn work(self) -> Work {
        Work::new(match self {
            Self::Patient => 200_000_000,
            Self::Hasty => 10_000_000,
        })
    }
}

/// All linear invariants of an instance, and what follows for its goal.
#[derive(Clone, Debug)]
pub struct Invariants {
    /// The unknowns that weights belong to.
    pub unknowns: Unknowns,
    /// Over the rationals.
    pub rational: Space,
    /// Modulo 2.
    pub modulo_2: Space,
    /// Modulo 3.
    pub modulo_3: Space,
    /// The sign of the arrangement with weights modulo 2.
    pub sign: Option<Invariant>,
    /// Potentials.
    pub grading: Grading,
    /// How long every solution is, if potentials say that.
    pub length: Option<Length>,
    /// Why no goal can be reached, if invariants exclude them all.
    pub exclusion: Option<Exclusion>,
}

/// What is known of the length of every solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many moves.
    Moves(u64),
    /// An odd number of moves, or an even one.
    Parity {
        /// Odd.
        is_odd: bool,
    },
}

/// Finds the invariants of placed rules; `None` where cells have no weights (an endless row up to
/// shift), amounts are no sums, or the system is too large for the effort.
///
/// `row` is what [`endless`] knows of an endless row: that comes first in the basis, and is marked as
/// kept in every window.
///
/// The time is bounded by the effort, not by the clock, so that the answer is the same everywhere.
#[must_use]
pub fn invariants(
    instance: &Instance,
    placed: &PlacedRules,
    row: Option<&Endless>,
    effort: Effort,
) -> Option<Invariants> {
    let mut work = effort.work();
    work.take(placed.rules.len() + placed.counts.len()).ok()?;
    let system = System::of(instance, placed)?;
    work.take(system.unknowns.count() * STEPS_AN_UNKNOWN).ok()?;
    let known = row.map_or_else(Vec::new, |row| {
        let readings = row.invariants.iter().map(|i| i.reading.clone());
        readings.collect()
    });
    find(instance, placed, system, &known, &mut work).ok()
}

fn find(
    instance: &Instance,
    placed: &PlacedRules,
    system: System,
    known: &[Reading],
    work: &mut Work,
) -> Result<Invariants, TooMuch> {
    let rational = kept::rational(instance, &system, known, work)?;
    let modulo_2 = kept::modular(instance, &system, 2, &rational, work)?;
    let modulo_3 = kept::modular(instance, &system, 3, &rational, work)?;
    let sign = kept::sign(instance, &system, work)?;
    let grading = potential::grading(instance, placed, &system, work)?;
    let excluder = Excluder {
        instance,
        unknowns: &system.unknowns,
        spaces: [&rational, &modulo_2, &modulo_3],
        sign: sign.as_ref(),
    };
    let exclusion = excluder.exclusion(work)?;
    let length = if exclusion.is_none() {
        length(&excluder, &grading)
    } else {
        None
    };
    Ok(Invariants {
        rational,
        modulo_2,
        modulo_3,
        sign,
        grading,
        length,
        exclusion,
        unknowns: system.unknowns,
    })
}

/// The length of all solutions, where every goal is one position and all are equally far.
fn length(excluder: &Excluder<'_>, grading: &Grading) -> Option<Length> {
    let (instance, unknowns) = (excluder.instance, excluder.unknowns);
    let mut ends: Vec<(&Position, Position)> = Vec::new();
    for start in &instance.starts {
        for case in excluder.cases(start)? {
            ends.push((start, only_position(&case)?));
        }
    }
    let rise = |potential: &Potential| -> Option<BigInt> {
        let rises = ends.iter().map(|(start, end)| {
            let value = |position| potential.value(instance, unknowns, position);
            value(end) - value(start)
        });
        let different: BTreeSet<BigInt> = rises.collect();
        let mut different = different.into_iter();
        different.next().filter(|_| different.next().is_none())
    };
    if let Some(potential) = &grading.potential
        && let Some(rise) = rise(potential)
        && let Ok(moves) = u64::try_from(&rise / &potential.step)
        && BigInt::from(moves) * &potential.step == rise
    {
        return Some(Length::Moves(moves));
    }
    let rise = rise(grading.parity.as_ref()?)?;
    let is_odd = rise.bit(0);
    Some(Length::Parity { is_odd })
}

/// The position of a case that leaves no choice.
fn only_position(case: &Case) -> Option<Position> {
    let only = |allowed: &Allowed| match *allowed {
        Allowed::Symbols(set) => {
            let mut symbols = set.symbols();
            let symbol = symbols.next()?;
            symbols.next().is_none().then_some(Value::from(symbol))
        }
        Allowed::Counts(low, high) => (low == high).then_some(low),
    };
    case.iter().map(only).collect()
}
