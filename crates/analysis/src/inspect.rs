//! What is known of an instance before a search.

use impasse_model::compiled::{Compiled, is_undirected, packing};
use impasse_model::instance::Instance;
use impasse_model::place::place;
use impasse_model::placed::{PlacedRule, PlacedRules};
use impasse_model::symmetry::symmetries;
use num_bigint::BigUint;

use crate::engines::{EngineFact, Packed, engines};
use crate::explore::RunError;
use crate::invariants::{Effort, Endless, Invariants, endless, invariants};
use crate::width::{first_width, word_bits};

/// What is known of an instance before a search.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// Cells of the board.
    pub cells: usize,
    /// Symbols, `.` included; 0 on counted boards.
    pub symbols: usize,
    /// Bits a cell.
    pub cell_bits: u32,
    /// Bits a state.
    pub state_bits: usize,
    /// Bits of the word that holds a state.
    pub word_bits: usize,
    /// Placed rules.
    pub placed_rules: usize,
    /// Placements that a window cuts off.
    pub cut_rules: usize,
    /// Shapes of placed rules, each found at all its places at once.
    pub families: Option<usize>,
    /// Whether every move keeps the number of each piece.
    pub conserves: bool,
    /// Whether every move has its inverse, by the rules alone.
    pub undirected: bool,
    /// Ways to exchange cells and pieces that change nothing, the identity among them.
    pub symmetries: usize,
    /// No more states than this can be reached; `None` on counted boards.
    pub state_bound: Option<BigUint>,
    /// The engines, whether each can run, and what it would take.
    pub engines: Vec<EngineFact>,
    /// What `--engine auto` will do, in words.
    pub engine: String,
    /// Bytes a state while a full analysis runs, without the widest layer's candidates.
    pub bytes_a_state: usize,
    /// Bytes a state of `--only depths`, at most.
    pub bytes_a_state_depths: usize,
    /// What every move keeps; `None` where that is not looked for.
    pub invariants: Option<Invariants>,
    /// What every move keeps in every window of an endless row; `None` for boards with an end, and
    /// where that is not looked for.
    pub row: Option<Endless>,
}

/// Places the rules of an instance and tells what is known of it.
///
/// # Errors
/// [`RunError`] where it cannot be packed or placed.
pub fn inspect(instance: &Instance) -> Result<Inspection, RunError> {
    let placed = place(instance)?;
    let (cell_bits, symbols) = if instance.board.counted {
        (first_width(instance, &placed)?, 0)
    } else {
        (
            packing(instance, &placed).width,
            instance.alphabet.symbols.len(),
        )
    };
    let state_bits = placed.cells * cell_bits as usize;
    let word_bits = word_bits(instance, state_bits)?;
    let conserves = !instance.board.counted && placed.rules.iter().all(PlacedRule::conserves);
    let word_bytes = word_bits / 8;
    let row = endless(instance);
    let packed = Packed {
        full: bytes_a_state(word_bytes, false),
        depths: bytes_a_state(word_bytes, true),
    };
    let state_bound = state_bound(instance, conserves);
    let (engines, engine) = engines(instance, &placed, state_bound.as_ref(), packed);
    Ok(Inspection {
        cells: instance.board.cells,
        symbols,
        cell_bits,
        state_bits,
        word_bits,
        placed_rules: placed.rules.len() + placed.counts.len(),
        cut_rules: placed.cuts.len() + placed.counts.iter().filter(|c| c.cut).count(),
        families: (!instance.board.counted && word_bits <= 64).then(|| families(instance, &placed)),
        conserves,
        undirected: !instance.board.counted && is_undirected(&placed.rules),
        symmetries: symmetries(instance, &placed).len(),
        state_bound,
        engines,
        engine,
        bytes_a_state: packed.full,
        bytes_a_state_depths: packed.depths,
        invariants: invariants(instance, &placed, row.as_ref(), Effort::Patient),
        row,
    })
}

/// Bytes a state: the word, of which a third is there twice while lists are merged; for a full
/// analysis depth and remoteness in two bytes each, the number, and bits of sets.
pub(crate) fn bytes_a_state(word_bytes: usize, only_depths: bool) -> usize {
    if only_depths {
        word_bytes + word_bytes / 3
    } else {
        word_bytes + (word_bytes / 3).max(11)
    }
}

fn families(instance: &Instance, placed: &PlacedRules) -> usize {
    Compiled::<u64>::new(instance.clone(), placed.clone()).family_count()
}

/// All arrangements of the pieces of the starts where moves keep them, else all fillings of the
/// cells.
pub(crate) fn state_bound(instance: &Instance, conserves: bool) -> Option<BigUint> {
    if instance.board.counted {
        return None;
    }
    let symbols = instance.alphabet.symbols.len();
    let cells = instance.board.cells;
    if !conserves {
        return Some(BigUint::from(symbols).pow(cells as u32));
    }
    let mut multisets: Vec<Vec<u64>> = instance
        .starts
        .iter()
        .map(|start| {
            let mut sorted = start.clone();
            sorted.sort_unstable();
            sorted
        })
        .collect();
    multisets.sort_unstable();
    multisets.dedup();
    Some(
        multisets
            .iter()
            .map(|contents| arrangements(contents))
            .sum(),
    )
}

/// The number of arrangements of a sorted multiset.
fn arrangements(sorted: &[u64]) -> BigUint {
    let mut total = BigUint::from(1_u8);
    let mut run = 0_u64;
    for (i, content) in sorted.iter().enumerate() {
        run = if i > 0 && sorted[i - 1] == *content {
            run + 1
        } else {
            1
        };
        total = total * BigUint::from(i as u64 + 1) / BigUint::from(run);
    }
    total
}
