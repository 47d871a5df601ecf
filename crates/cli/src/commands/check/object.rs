//! `impasse check --json`: one object a parameter value.

use impasse_analysis::engines::EngineFact;
use impasse_analysis::inspect::Inspection;
use impasse_analysis::invariants::{
    Endless, Ends, Invariant, Invariants, Length, Potential, Space, Unknowns,
};
use impasse_model::instance::Instance;
use impasse_report::json::params;
use num_bigint::{BigInt, BigUint};
use serde_json::{Map, Value, json};

use super::kept::drawn;
use crate::commands::trace::kept_value;

/// The object; its keys stand in docs/output.md.
pub(super) fn object(instance: &Instance, found: &Inspection) -> Value {
    json!({
        "schema": "impasse.check/1",
        "puzzle": instance.name,
        "params": params(&instance.params),
        "cells": found.cells,
        "symbols": found.symbols,
        "starts": instance.starts.len(),
        "rules": instance.rules.len(),
        "placed_rules": found.placed_rules,
        "cut_rules": found.cut_rules,
        "families": found.families,
        "cell_bits": found.cell_bits,
        "state_bits": found.state_bits,
        "word_bits": found.word_bits,
        "conserves": found.conserves,
        "undirected": found.undirected,
        "symmetries": found.symmetries,
        "state_bound": found.state_bound.as_ref().map(ToString::to_string),
        "bytes_a_state": found.bytes_a_state,
        "bytes_a_state_depths": found.bytes_a_state_depths,
        "engine": found.engine,
        "engines": found.engines.iter().map(engine).collect::<Vec<_>>(),
        "value": kept_value(instance),
        "invariants": found.invariants.as_ref().map(|known| invariants(instance, known)),
        "row": found.row.as_ref().map(|known| row(instance, known)),
    })
}

/// What is known of an endless row in every window.
fn row(instance: &Instance, known: &Endless) -> Value {
    let kept = known.invariants.iter().map(|i| i.words(instance));
    let ends = known.ends.iter().map(|end| {
        let places = match &end.ends {
            Ends::Nowhere => json!([]),
            Ends::At(places) => json!(places),
            Ends::Anywhere => Value::Null,
        };
        json!({"goal": drawn(instance, &end.drawing), "places": places})
    });
    json!({
        "kept": kept.collect::<Vec<_>>(),
        "ends": ends.collect::<Vec<_>>(),
        "excluded": known.exclusion.as_ref().map(|exclusion| &exclusion.sentence),
    })
}

fn engine(fact: &EngineFact) -> Value {
    let number = |bytes: &Option<BigUint>| bytes.as_ref().map(ToString::to_string);
    json!({
        "name": fact.name,
        "cannot": fact.cannot,
        "bytes": number(&fact.bytes),
        "bytes_depths": number(&fact.bytes_depths),
    })
}

fn invariants(instance: &Instance, known: &Invariants) -> Value {
    let unknowns = &known.unknowns;
    let space = |space: &Space| {
        let basis = space.basis.iter().map(|i| invariant(instance, unknowns, i));
        json!({"dimension": space.dimension, "basis": basis.collect::<Vec<_>>()})
    };
    let potential = |potential: &Potential| {
        let letter = |symbol: u8| instance.alphabet.symbols[usize::from(symbol)];
        let pairs = potential.pairs.iter().map(|(factor, first, second)| {
            json!({"first": letter(*first), "second": letter(*second), "factor": factor.to_string()})
        });
        json!({
            "words": potential.words(instance, unknowns),
            "step": potential.step.to_string(),
            "weights": weights(instance, unknowns, &potential.weights),
            "pairs": pairs.collect::<Vec<_>>(),
        })
    };
    let (moves, parity) = match known.length {
        None => (None, None),
        Some(Length::Moves(n)) => (Some(n), Some(if n % 2 == 0 { "even" } else { "odd" })),
        Some(Length::Parity { is_odd }) => (None, Some(if is_odd { "odd" } else { "even" })),
    };
    let grading = &known.grading;
    json!({
        "rational": space(&known.rational),
        "modulo_2": space(&known.modulo_2),
        "modulo_3": space(&known.modulo_3),
        "sign": known.sign.as_ref().map(|sign| invariant(instance, unknowns, sign)),
        "potential": grading.potential.as_ref().map(potential),
        "parity": grading.parity.as_ref().map(potential),
        "solution_length": moves,
        "solution_parity": parity,
        "excluded": known.exclusion.as_ref().map(|exclusion| &exclusion.sentence),
    })
}

fn invariant(instance: &Instance, unknowns: &Unknowns, invariant: &Invariant) -> Value {
    let values = instance.starts.iter();
    let values = values.map(|start| invariant.value(instance, unknowns, start).to_string());
    json!({
        "words": invariant.words(instance, unknowns),
        "everywhere": invariant.everywhere,
        "sign": invariant.sign,
        "weights": weights(instance, unknowns, &invariant.weights),
        "at_starts": values.collect::<Vec<_>>(),
    })
}

/// By symbol the weight of every cell, in board order; strings, since weights may be long.
fn weights(instance: &Instance, unknowns: &Unknowns, weights: &[BigInt]) -> Value {
    let mut by_symbol = Map::new();
    for (symbol, of_symbol) in unknowns.symbols.iter().zip(weights.chunks(unknowns.cells)) {
        let name = if instance.board.counted {
            "count".to_owned()
        } else {
            instance.alphabet.symbols[usize::from(*symbol)].to_string()
        };
        let texts: Vec<String> = of_symbol.iter().map(BigInt::to_string).collect();
        by_symbol.insert(name, json!(texts));
    }
    Value::Object(by_symbol)
}
