//! What every move keeps, in words.

use impasse_analysis::inspect::Inspection;
use impasse_analysis::invariants::{Endless, Ends, Invariants, Length, Potential, Space};
use impasse_model::board::Shape;
use impasse_model::instance::Instance;
use impasse_report::numbers::counted;

use crate::commands::trace::kept_value;

/// More invariants are not listed.
const MOST_LINES: usize = 12;

/// Lines on invariants, potentials, the length of solutions, where goals can lie, and goals that are
/// excluded.
pub(super) fn facts(instance: &Instance, found: &Inspection) -> Vec<(&'static str, String)> {
    let mut facts = match &found.invariants {
        Some(known) => of_cells(instance, known),
        None => on_row(instance, found.row.as_ref()),
    };
    let row = found.row.as_ref();
    facts.extend(row.into_iter().flat_map(|row| ends(instance, row)));
    let everywhere = row.and_then(|row| row.exclusion.as_ref());
    let here = found
        .invariants
        .as_ref()
        .and_then(|known| known.exclusion.as_ref());
    if let Some(exclusion) = everywhere {
        facts.push(("no solution", exclusion.sentence.clone()));
    } else if let Some(exclusion) = here {
        let here = match instance.board.shape {
            Shape::Window { .. } => ", in this window",
            _ => "",
        };
        facts.push(("no solution", format!("{}{here}", exclusion.sentence)));
    }
    facts
}

fn of_cells(instance: &Instance, known: &Invariants) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let spaces = [
        ("kept", &known.rational),
        ("kept mod 2", &known.modulo_2),
        ("kept mod 3", &known.modulo_3),
    ];
    for (name, space) in spaces {
        facts.extend(lines(instance, known, space).map(|line| (name, line)));
    }
    if let Some(sign) = &known.sign {
        let words = sign.words(instance, &known.unknowns);
        facts.push(("kept mod 2", words));
    }
    facts.extend(grading(instance, known));
    facts
}

/// What is known where cells are not weighed.
fn on_row(instance: &Instance, row: Option<&Endless>) -> Vec<(&'static str, String)> {
    if let Some(row) = row {
        let kept = row.invariants.iter();
        return kept.map(|kept| ("kept", kept.words(instance))).collect();
    }
    let why = "not looked for: too many cells and moves, or amounts that are no sums";
    vec![("kept", why.to_owned())]
}

/// Where the goals of an endless row can lie, as far as that is known.
fn ends(instance: &Instance, row: &Endless) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    for end in row.ends.iter().take(MOST_LINES) {
        let drawn = drawn(instance, &end.drawing);
        match &end.ends {
            Ends::Anywhere => {}
            Ends::Nowhere => facts.push(("end", format!("`{drawn}` cannot be reached"))),
            Ends::At(places) => {
                let places: Vec<String> = places.iter().map(|&place| side(place)).collect();
                let places = places.join(", or ");
                facts.push(("end", format!("`{drawn}` can only begin {places}")));
            }
        }
    }
    facts
}

/// `6 places to the right of where the start begins`.
fn side(place: i64) -> String {
    let places = counted(place.unsigned_abs(), "place", "places");
    match place {
        0 => "where the start begins".to_owned(),
        1.. => format!("{places} to the right of where the start begins"),
        _ => format!("{places} to the left of where the start begins"),
    }
}

/// Contents from end to end.
pub(super) fn drawn(instance: &Instance, contents: &[u64]) -> String {
    if instance.board.counted {
        let counts: Vec<String> = contents.iter().map(u64::to_string).collect();
        return counts.join(" ");
    }
    let letters = contents
        .iter()
        .map(|&v| instance.alphabet.symbols[v as usize]);
    letters.collect()
}

fn lines(instance: &Instance, known: &Invariants, space: &Space) -> impl Iterator<Item = String> {
    // A value a + b*phi has a line of its own.
    let is_said = kept_value(instance).is_some() && space.dimension <= 2;
    let mut lines = if is_said {
        Vec::new()
    } else {
        let lines = space.lines(instance, &known.unknowns).into_iter();
        lines
            .map(|(words, everywhere)| {
                let here = if everywhere { "" } else { ", in this window" };
                format!("{words}{here}")
            })
            .collect()
    };
    if lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES;
        lines.truncate(MOST_LINES);
        lines.push(format!("and {more} more, which --json lists"));
    }
    lines.into_iter()
}

fn grading(instance: &Instance, known: &Invariants) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let words = |potential: &Potential| potential.words(instance, &known.unknowns);
    if let Some(potential) = &known.grading.potential {
        let rise = format!(
            "{} rises by {} in every move",
            words(potential),
            potential.step
        );
        facts.push((
            "graded",
            format!("{rise}: all ways to a position are equally long"),
        ));
    } else if known.grading.parity.is_some() {
        let words = "all ways to a position are of even length, or all of odd length";
        facts.push(("parity", words.to_owned()));
    }
    facts.extend(known.length.map(|length| {
        let words = match length {
            Length::Moves(n) => counted(n, "move", "moves"),
            Length::Parity { is_odd: true } => "an odd number of moves".to_owned(),
            Length::Parity { is_odd: false } => "an even number of moves".to_owned(),
        };
        ("length", format!("every solution has {words}"))
    }));
    facts
}
