//! What is said to be kept, and goals said to be excluded, against every state that is reached.

use impasse_analysis::invariants::{
    Effort, Endless, Invariant, Invariants, Potential, Unknowns, Weighing, endless, invariants,
};
use impasse_model::board::Shape;
use impasse_model::instance::Instance;
use impasse_model::place::place;
use impasse_verify::kept::{RowWeight, Sum, Weights, confirm_excluded};
use impasse_verify::moves::is_goal;
use impasse_verify::slow::{State, search};
use num_bigint::BigInt;

use crate::random::answers::instance;
use crate::random::generate::MOST_STATES;

/// How much was met, so that a test knows whether it tested anything.
#[derive(Debug, Default)]
pub(crate) struct Met {
    /// Puzzles.
    pub(crate) puzzles: usize,
    /// Invariants, beside numbers of pieces.
    pub(crate) invariants: usize,
    /// Potentials.
    pub(crate) potentials: usize,
    /// Goals that were said to be excluded.
    pub(crate) excluded: usize,
    /// Of these, those that the slow checker confirmed.
    pub(crate) confirmed: usize,
    /// Invariants of endless rows, beside numbers of pieces.
    pub(crate) on_rows: usize,
}

/// Holds rule files that differ in their goals only against all states; a file with faults, or too
/// many states, is passed over.
pub(crate) fn check(texts: &[String], met: &mut Met) -> Result<(), String> {
    let Some(Ok(first)) = texts.first().map(|text| instance(text)) else {
        return Ok(());
    };
    let Ok(mut states) = search(&first, MOST_STATES) else {
        return Ok(());
    };
    for text in texts {
        let Ok(instance) = instance(text) else {
            continue;
        };
        for state in &mut states {
            let found = is_goal(&instance, &state.position);
            state.is_goal = found.map_err(|fault| fault.message)?;
        }
        check_goal(&instance, &states, met)?;
    }
    Ok(())
}

fn check_goal(instance: &Instance, states: &[State], met: &mut Met) -> Result<(), String> {
    let row = endless(instance);
    let placed = place(instance).map_err(|e| e.to_string())?;
    if let Some(known) = invariants(instance, &placed, row.as_ref(), Effort::Patient) {
        check_kept(instance, states, &known, met)?;
        check_excluded(instance, states, &known, met)?;
    }
    match row {
        Some(row) => check_row(instance, states, &row, met),
        None => Ok(()),
    }
}

fn check_row(
    instance: &Instance,
    states: &[State],
    row: &Endless,
    met: &mut Met,
) -> Result<(), String> {
    let first = window_begins(instance);
    for invariant in &row.invariants {
        let value = |s: &State| invariant.value(first, &s.position, false);
        constant(states, value, &invariant.words(instance))?;
        met.on_rows += usize::from(!invariant.words(instance).starts_with("the number of"));
    }
    let Some(exclusion) = &row.exclusion else {
        return Ok(());
    };
    met.excluded += 1;
    no_goal(states, &exclusion.sentence)?;
    let sums = exclusion.witnesses.iter().map(|witness| {
        let mut pieces = vec![RowWeight::default(); instance.alphabet.symbols.len()];
        for (factor, part) in &witness.reading {
            let piece = &mut pieces[usize::from(part.symbol)];
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
    });
    let sums: Vec<Sum> = sums.collect();
    match confirm_excluded(instance, &sums) {
        Ok(()) => met.confirmed += 1,
        Err(doubt) => println!("not confirmed: {doubt}: {}", exclusion.sentence),
    }
    Ok(())
}

/// The place of the first cell of a window.
fn window_begins(instance: &Instance) -> i64 {
    match instance.board.shape {
        Shape::Window { first } => first,
        _ => 0,
    }
}

/// A value must be the same before and after every transition.
fn constant(states: &[State], value: impl Fn(&State) -> BigInt, words: &str) -> Result<(), String> {
    for state in states {
        for &(to, _) in &state.successors {
            let (before, after) = (value(state), value(&states[to]));
            if before != after {
                return Err(format!(
                    "{words}: {before} at {:?}, {after} at {:?}",
                    state.position, states[to].position
                ));
            }
        }
    }
    Ok(())
}

fn check_kept(
    instance: &Instance,
    states: &[State],
    known: &Invariants,
    met: &mut Met,
) -> Result<(), String> {
    let unknowns = &known.unknowns;
    let spaces = [&known.rational, &known.modulo_2, &known.modulo_3];
    let all = spaces.iter().flat_map(|space| &space.basis);
    for invariant in all.chain(&known.sign) {
        let value = |s: &State| invariant.value(instance, unknowns, &s.position);
        constant(states, value, &invariant.words(instance, unknowns))?;
        met.invariants += usize::from(
            !invariant
                .words(instance, unknowns)
                .starts_with("the number of"),
        );
    }
    let potentials = [&known.grading.potential, &known.grading.parity];
    for potential in potentials.into_iter().flatten() {
        rises(instance, states, unknowns, potential)?;
        met.potentials += 1;
    }
    Ok(())
}

/// Every transition must add the step.
fn rises(
    instance: &Instance,
    states: &[State],
    unknowns: &Unknowns,
    potential: &Potential,
) -> Result<(), String> {
    let value = |s: &State| potential.value(instance, unknowns, &s.position);
    for state in states {
        for &(to, _) in &state.successors {
            let mut rise = value(&states[to]) - value(state) - &potential.step;
            if let Some(modulus) = potential.modulus {
                rise %= modulus;
            }
            if rise != BigInt::ZERO {
                let words = potential.words(instance, unknowns);
                return Err(format!(
                    "{words} does not rise by {} from {:?} to {:?}",
                    potential.step, state.position, states[to].position
                ));
            }
        }
    }
    Ok(())
}

fn no_goal(states: &[State], sentence: &str) -> Result<(), String> {
    match states.iter().find(|state| state.is_goal) {
        Some(goal) => Err(format!("{sentence}; but {:?} is reached", goal.position)),
        None => Ok(()),
    }
}

fn check_excluded(
    instance: &Instance,
    states: &[State],
    known: &Invariants,
    met: &mut Met,
) -> Result<(), String> {
    let Some(exclusion) = &known.exclusion else {
        return Ok(());
    };
    met.excluded += 1;
    no_goal(states, &exclusion.sentence)?;
    let witnesses = exclusion.witnesses.iter();
    let sums = witnesses.map(|witness| sum(instance, &known.unknowns, witness));
    let sums: Vec<Sum> = sums.collect();
    match confirm_excluded(instance, &sums) {
        Ok(()) => met.confirmed += 1,
        Err(doubt) => println!("not confirmed: {doubt}: {}", exclusion.sentence),
    }
    Ok(())
}

fn sum(instance: &Instance, unknowns: &Unknowns, invariant: &Invariant) -> Sum {
    let weight = |cell: u32, symbol: u8| match unknowns.at(cell, symbol) {
        Some(unknown) => invariant.weights[unknown as usize].clone(),
        None => BigInt::ZERO,
    };
    let symbols = 0..instance.alphabet.symbols.len() as u8;
    let cells = 0..instance.board.cells as u32;
    let cells = cells.map(|cell| symbols.clone().map(|symbol| weight(cell, symbol)).collect());
    Sum {
        modulus: invariant.modulus,
        sign: invariant.sign,
        weights: Weights::Cells(cells.collect()),
    }
}

/// Damaged sums must not be confirmed: each weight of each witness in turn, raised by one.
pub(crate) fn damaged_sums_are_refused(text: &str) -> Result<usize, String> {
    let instance = instance(text)?;
    let placed = place(&instance).map_err(|e| e.to_string())?;
    let known = invariants(&instance, &placed, None, Effort::Patient).ok_or("too much work")?;
    let exclusion = known.exclusion.ok_or("not excluded")?;
    let witness = sum(&instance, &known.unknowns, &exclusion.witnesses[0]);
    confirm_excluded(&instance, std::slice::from_ref(&witness)).map_err(|d| d.to_string())?;
    let Weights::Cells(cells) = &witness.weights else {
        return Err("weights of cells".to_owned());
    };
    let mut tried = 0;
    for cell in 0..cells.len() {
        for symbol in 1..cells[cell].len() {
            let mut damaged = cells.clone();
            damaged[cell][symbol] += 1;
            let damaged = Sum {
                weights: Weights::Cells(damaged),
                ..witness.clone()
            };
            if confirm_excluded(&instance, &[damaged]).is_ok() {
                return Err(format!("cell {cell}, symbol {symbol}"));
            }
            tried += 1;
        }
    }
    Ok(tried)
}
