//! Which engine runs, where that is left to us, and whether symmetries are used.

use impasse_graph::keep::Standing;
use impasse_model::compiled::{Compiled, is_undirected};
use impasse_model::goal::cell_goal;
use impasse_model::instance::Instance;
use impasse_model::placed::PlacedRules;
use impasse_model::puzzle::Puzzle as _;
use impasse_model::symmetry::{Symmetry, symmetries};
use impasse_model::word::Word;

use crate::explore::{Options, RunError, Symmetric};
use crate::streamed;
use crate::thin::why_not;

/// Spaces of more packed states are reduced by symmetry where that is possible.
pub(crate) const MANY: u64 = 1_000_000;
/// Fewer arrangements are enumerated before programs are built.
const FEW_ARRANGEMENTS: u64 = 1_000_000;
/// Reached sets thinner than one in so many arrangements stay with packed states.
const THINNEST: u64 = 1000;

/// When and why `auto` goes from packed states to streaming.
pub(crate) struct Plan {
    /// States after which it decides.
    pub(crate) probe: u64,
    /// The choice in words.
    pub(crate) reason: String,
}

impl Plan {
    /// `None` where the space cannot be streamed, or is too small or too wide for it to pay.
    pub(crate) fn new(
        instance: &Instance,
        placed: &PlacedRules,
        options: &Options,
    ) -> Option<Self> {
        let need = streamed::need(instance, placed, options).ok()?;
        let budget = options.limits.memory_bytes.unwrap_or(u64::MAX);
        let probe = FEW_ARRANGEMENTS.max(need.arrangements / THINNEST);
        let needed = need.bytes() + streamed::FIXED_BYTES;
        let pays = need.arrangements > FEW_ARRANGEMENTS && needed <= budget;
        pays.then(|| Self {
            probe,
            reason: format!(
                "engine stream: moves keep the pieces, more than {probe} of {} arrangements are \
                 reached, and {} sets of {} bytes fit the memory",
                need.arrangements, need.sets, need.set_bytes
            ),
        })
    }
}

/// The symmetries of an instance, where a run can use them.
pub(crate) fn usable_symmetries(
    instance: &Instance,
    placed: &PlacedRules,
    options: &Options,
) -> Option<Vec<Symmetry>> {
    // Limits count states of the whole space; single solutions and kept searches need them all.
    let usable = options.symmetry != Symmetric::Off
        && options.limits.max_states.is_none()
        && options.solutions.is_none()
        && options.keeper.is_none();
    if !usable {
        return None;
    }
    let symmetries = symmetries(instance, placed);
    (symmetries.len() > 1).then_some(symmetries)
}

/// The symmetries a streamed run can use: in undirected spaces, where depths are all that is asked.
/// None where it cannot.
pub(crate) fn streamed_symmetries(
    instance: &Instance,
    placed: &PlacedRules,
    options: &Options,
) -> Vec<Symmetry> {
    let usable = options.symmetry != Symmetric::Off
        && options.only_depths
        && options.solutions.is_none()
        && is_undirected(&placed.rules)
        // States without a move are told by images, which are of whole sets.
        && cell_goal(instance).is_some_and(|goal| !goal.asks_for_moves());
    if usable {
        symmetries(instance, placed)
    } else {
        Vec::new()
    }
}

/// The engine of the search that is kept, if one is.
pub(crate) fn kept_engine(options: &Options) -> Result<Option<String>, RunError> {
    let Some(keeper) = &options.keeper else {
        return Ok(None);
    };
    let kept = Standing::kept(&**keeper).map_err(|error| RunError::Keeping(error.to_string()))?;
    Ok(kept.map(|standing| standing.engine))
}

/// Whether a run that keeps a few layers alone tells what is asked, in less memory. Plain enumeration
/// keeps no more as it is.
pub(crate) fn layers_will_do<W: Word>(
    puzzle: &Compiled<W>,
    instance: &Instance,
    options: &Options,
) -> bool {
    let (graded, undirected) = (puzzle.is_graded(), puzzle.is_undirected());
    options.no_table
        && options.solutions.is_none()
        && !options.only_depths
        && options.symmetry != Symmetric::On
        && why_not(graded, undirected, instance, false).is_none()
}
