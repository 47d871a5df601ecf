//! `impasse check`: faults, size, what is kept, what will run.

use std::collections::BTreeSet;
use std::io::Write;

use impasse_model::board::Shape;
use impasse_model::compiled::is_undirected;
use impasse_model::instance::{Instance, Position};
use impasse_model::place::place;
use impasse_model::placed::{PlacedRule, PlacedRules};
use impasse_report::numbers::{counted, grouped};
use num_bigint::BigUint;

use crate::args::CheckArgs;
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::session::Session;
use crate::{measure, size};

/// Widths of a packed state, in bits.
const WIDTHS: [usize; 5] = [64, 128, 256, 512, 1024];
/// Memory of a full run beside the packed state: depth, remoteness, verdict, and room to sort.
const BESIDE_BYTES: u64 = 12;

/// Reads the file, fixes the parameters, places the rules, runs nothing.
pub(crate) fn run(ui: Ui, args: &CheckArgs) -> Result<Exit, Failure> {
    let session = Session::open(ui, &args.puzzle)?;
    for choice in &session.choices {
        let instance = session.instance(choice)?;
        let label = session.label(choice);
        let placed = place(&instance).map_err(|e| Failure::usage(format!("{label}: {e}")))?;
        let facts = facts(&instance, &placed);
        let width = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        output::to(None, |out| {
            writeln!(out, "{label}: no faults")?;
            facts
                .iter()
                .try_for_each(|(name, words)| fact(out, width, name, words))
        })?;
        if bits(&instance, &placed) > WIDTHS[WIDTHS.len() - 1] {
            return Err(Failure::usage(format!(
                "board of {} cells needs {} bits a state, but at most 1024 can be packed",
                placed.cells,
                bits(&instance, &placed)
            ))
            .help("choose a smaller one, or write the puzzle in Rust"));
        }
    }
    Ok(Exit::Done)
}

fn fact(out: &mut dyn Write, width: usize, name: &str, words: &str) -> Result<(), Failure> {
    Ok(writeln!(out, "  {name:width$}  {words}")?)
}

fn facts(instance: &Instance, placed: &PlacedRules) -> Vec<(&'static str, String)> {
    let bits = bits(instance, placed);
    let mut facts = vec![
        ("board", shape(instance)),
        ("contents", contents(instance)),
        ("starts", grouped(&instance.starts.len())),
        ("rules", rules(instance, placed)),
    ];
    if instance.board.counted {
        facts.push(("engine", "hash".to_owned()));
        return facts;
    }
    let width = WIDTHS.into_iter().find(|&width| bits <= width);
    facts.push((
        "bits a state",
        match width {
            Some(width) => format!("{bits}, packed into {width}"),
            None => format!("{bits}, more than can be packed"),
        },
    ));
    let conserved = placed.rules.iter().all(PlacedRule::conserves);
    facts.push((
        "pieces",
        yes(
            conserved,
            "kept: every move keeps the number of each symbol",
            "not kept: some move changes the number of a symbol",
        ),
    ));
    let undirected = is_undirected(&placed.rules) && !matches!(instance.board.shape, Shape::Span);
    facts.push((
        "moves back",
        yes(
            undirected,
            "every move can be taken back",
            "not every move can be taken back, as far as the rules show",
        ),
    ));
    facts.extend(bound(instance, placed, conserved, width));
    facts.push(("engine", "hash (packed states in sorted layers)".to_owned()));
    facts
}

fn yes(is_so: bool, so: &str, not_so: &str) -> String {
    if is_so { so } else { not_so }.to_owned()
}

/// The bound on states, and the memory it would need.
fn bound(
    instance: &Instance,
    placed: &PlacedRules,
    conserved: bool,
    width: Option<usize>,
) -> Vec<(&'static str, String)> {
    let symbols = instance.alphabet.symbols.len();
    let bound = match (conserved, &instance.board.shape) {
        (true, Shape::Span) => return Vec::new(),
        (true, _) => arrangements(&instance.starts, symbols),
        (false, _) => BigUint::from(symbols).pow(placed.cells as u32),
    };
    let why = if conserved {
        "arrangements of the pieces"
    } else {
        "fillings of the board"
    };
    let mut facts = vec![(
        "states",
        format!("at most {} ({why})", grouped(&short(&bound))),
    )];
    let bytes = width.map(|width| BigUint::from(width as u64 / 8 + BESIDE_BYTES) * &bound);
    if let Some(bytes) = bytes.and_then(|bytes| u64::try_from(bytes).ok()) {
        let free = measure::default_budget().map_or_else(String::new, |free| {
            format!(" of {} that may be used", size::words(free))
        });
        facts.push((
            "memory",
            format!("at most about {}{free}", size::words(bytes)),
        ));
    }
    facts
}

/// Numbers beyond a line are given by their length.
fn short(number: &BigUint) -> String {
    let digits = number.to_string();
    if digits.len() > 40 {
        format!("10^{}", digits.len())
    } else {
        digits
    }
}

/// How many positions have the pieces of one of the starts: a sum of multinomials.
fn arrangements(starts: &[Position], symbols: usize) -> BigUint {
    let counts: BTreeSet<Vec<u64>> = starts
        .iter()
        .map(|start| {
            let mut counts = vec![0; symbols];
            for &symbol in start {
                counts[symbol as usize] += 1;
            }
            counts
        })
        .collect();
    counts.into_iter().map(|counts| multinomial(&counts)).sum()
}

fn multinomial(counts: &[u64]) -> BigUint {
    let mut product = BigUint::from(1u32);
    let mut total = 0u64;
    for &count in counts {
        for i in 1..=count {
            total += 1;
            product = product * total / i;
        }
    }
    product
}

fn bits(instance: &Instance, placed: &PlacedRules) -> usize {
    if instance.board.counted {
        return 0;
    }
    impasse_model::compiled::packing(instance, placed).bits()
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

fn rules(instance: &Instance, placed: &PlacedRules) -> String {
    let laid = (placed.rules.len() + placed.counts.len()) as u64;
    let cuts = placed.cuts.len() + placed.counts.iter().filter(|rule| rule.cut).count();
    let cut = if cuts == 0 {
        String::new()
    } else {
        format!(", {} cut off", grouped(&cuts))
    };
    let placements = counted(laid, "placement", "placements");
    format!(
        "{}, {placements}{cut}",
        counted(instance.rules.len() as u64, "rule", "rules")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrangements_are_multinomials() {
        assert_eq!(multinomial(&[1, 3, 3]), BigUint::from(140u32));
        assert_eq!(multinomial(&[9]), BigUint::from(1u32));
        let starts = vec![vec![0, 1], vec![1, 0], vec![1, 1]];
        assert_eq!(arrangements(&starts, 2), BigUint::from(3u32));
    }
}
