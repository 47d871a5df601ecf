//! `impasse check`: faults, size, what is kept, what will run.

mod kept;
mod object;

use std::io::Write;

use impasse_analysis::inspect::{Inspection, inspect};
use impasse_model::board::Shape;
use impasse_model::instance::Instance;
use impasse_report::json;
use impasse_report::numbers::{counted, grouped};
use num_bigint::BigUint;

use crate::args::CheckArgs;
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::runner::{Wanted, refused};
use crate::session::Session;
use crate::{measure, size};

/// Longer numbers are given by their length.
const MOST_DIGITS: usize = 40;

/// Reads the file, fixes the parameters, places the rules, runs nothing.
pub(crate) fn run(ui: Ui, args: &CheckArgs) -> Result<Exit, Failure> {
    let session = Session::open(ui, &args.puzzle)?;
    for choice in &session.choices {
        let instance = session.instance(choice)?;
        let label = session.label(choice);
        let found = inspect(&instance)
            .map_err(|error| refused(&label, &instance, &error, Wanted::Figures))?;
        if args.json {
            let object = object::object(&instance, &found);
            output::to(None, |out| Ok(json::line(out, &object)?))?;
            continue;
        }
        let facts = facts(&instance, &found);
        let width = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        output::to(None, |out| {
            writeln!(out, "{label}: no faults")?;
            facts
                .iter()
                .try_for_each(|(name, words)| fact(out, width, name, words))
        })?;
    }
    Ok(Exit::Done)
}

fn fact(out: &mut dyn Write, width: usize, name: &str, words: &str) -> Result<(), Failure> {
    Ok(writeln!(out, "  {name:width$}  {words}")?)
}

fn facts(instance: &Instance, found: &Inspection) -> Vec<(&'static str, String)> {
    let (bits, word) = (found.state_bits, found.word_bits);
    let mut facts = vec![
        ("board", shape(instance)),
        ("contents", contents(instance)),
        ("starts", grouped(&instance.starts.len())),
        ("rules", rules(instance, found)),
        (
            "packing",
            format!(
                "{} bits a cell, {bits} a state, in a word of {word}",
                found.cell_bits
            ),
        ),
    ];
    if !instance.board.counted {
        let kept = if found.conserves {
            "kept: every move keeps the number of each symbol"
        } else {
            "not kept: some move changes the number of a symbol"
        };
        let back = if found.undirected {
            "every move can be taken back, by the rules alone"
        } else {
            "not every move can be taken back, as far as the rules show"
        };
        facts.push(("pieces", kept.to_owned()));
        facts.push(("moves back", back.to_owned()));
    }
    facts.extend(
        found
            .state_bound
            .as_ref()
            .map(|bound| ("states", states(found, bound))),
    );
    let value = super::trace::kept_value(instance);
    facts.extend(value.map(|value| ("value", format!("{value} is kept by every move"))));
    facts.extend(kept::facts(instance, found));
    if found.symmetries > 1 {
        let words = format!(
            "{}; in large spaces one packed state of each orbit stands for all",
            found.symmetries
        );
        facts.push(("symmetries", words));
    }
    facts.push(("memory", memory(found)));
    for engine in &found.engines {
        let words = match (&engine.cannot, &engine.bytes, &engine.bytes_depths) {
            (Some(why), ..) => format!("{}: cannot run: {why}", engine.name),
            (None, Some(full), Some(depths)) => format!(
                "{}: at most {}, {} with --only depths",
                engine.name,
                bytes(full),
                bytes(depths)
            ),
            _ => format!("{}: can run; no bound is known", engine.name),
        };
        facts.push(("engine", words));
    }
    facts.push(("auto", found.engine.clone()));
    facts
}

fn states(found: &Inspection, bound: &BigUint) -> String {
    let why = if found.conserves {
        "arrangements of the pieces"
    } else {
        "fillings of the board"
    };
    let digits = bound.to_string();
    let number = if digits.len() > MOST_DIGITS {
        format!("10^{}", digits.len())
    } else {
        grouped(&digits)
    };
    format!("at most {number} ({why})")
}

/// Bytes a state where states are packed, and what there is.
fn memory(found: &Inspection) -> String {
    let (full, depths) = (found.bytes_a_state, found.bytes_a_state_depths);
    let mut words = vec![format!(
        "about {full} bytes a packed state, {depths} with --only depths"
    )];
    words.extend(measure::default_budget().map(|it| format!("{} may be used", size::words(it))));
    words.join("; ")
}

/// Bytes in words, however many.
fn bytes(count: &BigUint) -> String {
    u64::try_from(count).map_or_else(|_| "more than 16 EiB".to_owned(), size::words)
}

fn shape(instance: &Instance) -> String {
    let cells = counted(instance.board.cells as u64, "cell", "cells");
    match &instance.board.shape {
        Shape::Line => format!("a line of {cells}"),
        Shape::Ring => format!("a ring of {cells}"),
        Shape::Grid {
            rows, cols, wrap, ..
        } => {
            let what = if *wrap { "torus" } else { "grid" };
            format!("a {what} of {rows} by {cols}, {cells}")
        }
        Shape::Graph { neighbours, .. } => {
            let edges = neighbours.iter().map(Vec::len).sum::<usize>() as u64 / 2;
            format!("a graph of {cells} and {}", counted(edges, "edge", "edges"))
        }
        Shape::Window { .. } => format!("an endless row, seen through a window of {cells}"),
        Shape::Span => format!("an endless row, positions up to shift of at most {cells}"),
    }
}

fn contents(instance: &Instance) -> String {
    if instance.board.counted {
        return instance
            .board
            .cap
            .map_or("counts".into(), |cap| format!("counts up to {cap}"));
    }
    let symbols: String = instance.alphabet.symbols.iter().collect();
    format!(
        "{} (`{symbols}`)",
        counted(symbols.chars().count() as u64, "symbol", "symbols")
    )
}

fn rules(instance: &Instance, found: &Inspection) -> String {
    let rules = counted(instance.rules.len() as u64, "rule", "rules");
    let placements = counted(found.placed_rules as u64, "placement", "placements");
    let families = found.families.map_or_else(String::new, |families| {
        format!(" in {}", counted(families as u64, "family", "families"))
    });
    let cut = match found.cut_rules {
        0 => String::new(),
        cut => format!(", {} cut off", grouped(&cut)),
    };
    format!("{rules}, {placements}{families}{cut}")
}
