//! What every move keeps, in words.

use impasse_analysis::inspect::Inspection;
use impasse_analysis::invariants::{Invariants, Length, Potential, Space};
use impasse_model::board::Shape;
use impasse_model::instance::Instance;
use impasse_report::numbers::counted;

use crate::commands::trace::kept_value;

/// More invariants are not listed.
const MOST_LINES: usize = 12;

/// Lines on invariants, potentials, the length of solutions and goals that are excluded.
pub(super) fn facts(instance: &Instance, found: &Inspection) -> Vec<(&'static str, String)> {
    let Some(known) = &found.invariants else {
        let why = if instance.board.shape == Shape::Span {
            "positions up to shift have no cells to weigh"
        } else {
            "not looked for: too many cells and moves, or amounts that are no sums"
        };
        return vec![("kept", why.to_owned())];
    };
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
    if let Some(exclusion) = &known.exclusion {
        let here = in_window(instance);
        facts.push(("no solution", format!("{}{here}", exclusion.sentence)));
    }
    facts
}

/// Said of what is proved for the window of an endless row only.
fn in_window(instance: &Instance) -> &'static str {
    match instance.board.shape {
        Shape::Window { .. } => ", in this window",
        _ => "",
    }
}

fn lines(instance: &Instance, known: &Invariants, space: &Space) -> impl Iterator<Item = String> {
    // A value a + b*phi has a line of its own.
    let is_said = kept_value(instance).is_some() && space.dimension <= 2;
    let mut lines = if is_said {
        Vec::new()
    } else {
        space.lines(instance, &known.unknowns)
    };
    if lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES;
        lines.truncate(MOST_LINES);
        lines.push(format!("and {more} more, which --json lists"));
    }
    let here = in_window(instance);
    lines.into_iter().map(move |line| format!("{line}{here}"))
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
