//! Goals that something kept by every move excludes: known before any search, and believed only when
//! the slow checker, which reads the parsed rules, agrees.

use impasse_analysis::invariants::{
    Effort, Invariant, RowInvariant, Unknowns, Weighing, endless, invariants,
};
use impasse_analysis::summary::{Scope, Summary};
use impasse_graph::observe::Outcome;
use impasse_model::board::Shape;
use impasse_model::instance::Instance;
use impasse_model::place::place;
use impasse_report::{Measured, Record};
use impasse_verify::kept::{RowWeight, Sum, Weights, confirm_excluded};
use num_bigint::BigInt;

use crate::output::Ui;

/// Why no goal can be reached.
pub(crate) struct Refusal {
    /// In words.
    sentence: String,
}

/// The keys that are known where no goal can be reached.
pub(crate) const KNOWN_KEYS: [&str; 8] = [
    "goals",
    "live",
    "blocking_moves",
    "points_of_no_return",
    "only_moves",
    "shortest",
    "shortest_solutions",
    "max_remoteness",
];

/// Looks for invariants that exclude every goal; `None` where there are none, or where they are not
/// confirmed. On an endless row only what is kept in every window counts: within one window a search
/// tells more, namely how far it is sure.
pub(crate) fn refusal(ui: Ui, label: &str, instance: &Instance) -> Option<Refusal> {
    let row = endless(instance);
    if let Some(exclusion) = row.as_ref().and_then(|row| row.exclusion.as_ref()) {
        let sums = exclusion.witnesses.iter();
        let sums: Vec<Sum> = sums.map(|witness| row_sum(instance, witness)).collect();
        let refusal = Refusal {
            sentence: exclusion.sentence.clone(),
        };
        return confirmed(ui, label, instance, &sums, refusal);
    }
    if matches!(instance.board.shape, Shape::Window { .. } | Shape::Span) {
        return None;
    }
    let placed = place(instance).ok()?;
    let known = invariants(instance, &placed, None, Effort::Hasty)?;
    let exclusion = known.exclusion?;
    let sums = exclusion.witnesses.iter();
    let sums: Vec<Sum> = sums
        .map(|witness| cell_sum(instance, &known.unknowns, witness))
        .collect();
    let refusal = Refusal {
        sentence: exclusion.sentence,
    };
    confirmed(ui, label, instance, &sums, refusal)
}

fn confirmed(
    ui: Ui,
    label: &str,
    instance: &Instance,
    sums: &[Sum],
    refusal: Refusal,
) -> Option<Refusal> {
    match confirm_excluded(instance, sums) {
        Ok(()) => Some(refusal),
        Err(doubt) => {
            let sentence = &refusal.sentence;
            ui.detail(format_args!(
                "{label}: not confirmed by the slow checker, so searched: {sentence} ({doubt})"
            ));
            None
        }
    }
}

/// Weights of cells as the slow checker reads them.
fn cell_sum(instance: &Instance, unknowns: &Unknowns, invariant: &Invariant) -> Sum {
    let symbols = if instance.board.counted {
        1..2
    } else {
        0..instance.alphabet.symbols.len() as u8
    };
    let weight = |cell: u32, symbol: u8| match unknowns.at(cell, symbol) {
        Some(unknown) => invariant.weights[unknown as usize].clone(),
        None => BigInt::ZERO,
    };
    let cells = 0..instance.board.cells as u32;
    let cells = cells.map(|cell| symbols.clone().map(|symbol| weight(cell, symbol)).collect());
    Sum {
        modulus: invariant.modulus,
        sign: invariant.sign,
        weights: Weights::Cells(cells.collect()),
    }
}

/// Weights on an endless row as the slow checker reads them.
fn row_sum(instance: &Instance, invariant: &RowInvariant) -> Sum {
    let symbols = if instance.board.counted {
        1
    } else {
        instance.alphabet.symbols.len()
    };
    let mut pieces = vec![RowWeight::default(); symbols];
    for (factor, part) in &invariant.reading {
        let piece = if instance.board.counted {
            0
        } else {
            part.symbol
        };
        let piece = &mut pieces[usize::from(piece)];
        match part.weighing {
            Weighing::Place => piece.place += factor,
            Weighing::Even => piece.even += factor,
            _ => piece.number += factor,
        }
    }
    Sum {
        modulus: None,
        sign: false,
        weights: Weights::Row(pieces),
    }
}

impl Refusal {
    /// `no solution: every move keeps ...`.
    pub(crate) fn words(&self) -> String {
        format!("no solution: {}", self.sentence)
    }
}

/// What is known where no goal can be reached, as the record of a run that was none.
pub(crate) fn record(instance: &Instance) -> Record {
    let summary = Summary {
        scope: Scope::Exact,
        states: None,
        transitions: None,
        starts: Some(instance.starts.len() as u64),
        goals: Some(0),
        live: Some(0),
        doomed: None,
        dead_ends: None,
        lost: None,
        blocking_moves: Some(0),
        points_of_no_return: Some(0),
        only_moves: Some(0),
        shortest: None,
        shortest_solutions: Some(0_u8.into()),
        max_depth: None,
        max_remoteness: None,
        first_dead_end_depth: None,
        window_cut_depth: None,
        graded: None,
        reversible: None,
        longest: None,
        plays: None,
        no_solution: true,
    };
    Record {
        puzzle: instance.name.clone(),
        params: instance.params.clone(),
        summary,
        depths: Vec::new(),
        outcome: Outcome::Complete,
        engine: "none",
        measured: Measured {
            threads: 0,
            peak_memory_bytes: None,
            elapsed: std::time::Duration::ZERO,
        },
        window: None,
        absent: Vec::new(),
    }
}
