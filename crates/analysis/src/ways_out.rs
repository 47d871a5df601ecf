//! What would do where a run stopped for want of memory.

use impasse_graph::search::WIDEST_BYTES;
use impasse_model::board::Shape;
use impasse_model::compiled::{is_undirected, packing};
use impasse_model::instance::Instance;
use impasse_model::place::place;
use impasse_model::placed::{PlacedRule, PlacedRules};
use impasse_model::potential::is_graded;
use num_bigint::BigUint;

use crate::explore::Options;
use crate::inspect::{bytes_a_state, state_bound};
use crate::streamed::{FIXED_BYTES, need};
use crate::thin::why_not;
use crate::width::word_bits;

/// What is sure to do, and what needs less.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaysOut {
    /// Bytes in which what was asked is sure to be answered whatever is reached, and the engine that
    /// does it; `None` where no bound is known, or none that a machine could have.
    pub sure: Option<(u64, &'static str)>,
    /// Whether the engine `layers` could answer, in less memory than packed states take.
    pub layers: bool,
    /// Bytes in which the engine `stream` does plain enumeration; `None` if it cannot, or if no more
    /// was asked.
    pub stream_depths: Option<u64>,
}

/// Bytes of the process, its threads and the least candidates.
const PROCESS_BYTES: u64 = 48 << 20;

/// What would do for an instance whose run reached so many states before memory ran short.
#[must_use]
pub fn ways_out(instance: &Instance, options: &Options, reached: u64) -> WaysOut {
    let Ok(placed) = place(instance) else {
        return WaysOut::default();
    };
    if instance.board.counted {
        return WaysOut::default();
    }
    let only_depths = options.only_depths;
    let streamed = |only_depths| {
        let options = Options {
            only_depths,
            ..options.clone()
        };
        let need = need(instance, &placed, &options).ok()?;
        Some(need.bytes() + FIXED_BYTES)
    };
    let stream = streamed(only_depths).map(|bytes| (bytes, "stream"));
    let hash = packed_bytes(instance, &placed, only_depths, reached).map(|bytes| (bytes, "hash"));
    WaysOut {
        sure: stream.into_iter().chain(hash).min(),
        layers: options.no_table
            && options.solutions.is_none()
            && instance.board.shape != Shape::Span
            && is_thin(instance, &placed, only_depths),
        stream_depths: if only_depths { None } else { streamed(true) },
    }
}

fn is_thin(instance: &Instance, placed: &PlacedRules, only_depths: bool) -> bool {
    let symbols = instance.alphabet.symbols.len();
    let graded = is_graded(&placed.rules, placed.cells, symbols, &instance.starts);
    why_not(graded, is_undirected(&placed.rules), instance, only_depths).is_none()
}

/// Bytes that packed states take if all there can be are reached, those not reached yet perhaps in
/// one layer; a tenth more, for waves of candidates grow with the budget.
fn packed_bytes(
    instance: &Instance,
    placed: &PlacedRules,
    only_depths: bool,
    reached: u64,
) -> Option<u64> {
    let state_bits = placed.cells * packing(instance, placed).width as usize;
    let word_bytes = word_bits(instance, state_bits).ok()? / 8;
    let conserves = placed.rules.iter().all(PlacedRule::conserves);
    let states = state_bound(instance, conserves)?;
    let left = u64::try_from(&states).ok()?.saturating_sub(reached);
    let widest = if only_depths { 0 } else { WIDEST_BYTES };
    let bytes = states * bytes_a_state(word_bytes, only_depths)
        + BigUint::from(left.max(reached)) * widest
        + PROCESS_BYTES;
    u64::try_from(bytes * 10_u8 / 9_u8).ok()
}
