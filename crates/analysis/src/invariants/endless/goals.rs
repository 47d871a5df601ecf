//! Where the goals of an endless row can lie.

use impasse_model::instance::{Goal, Instance, Test, Value};
use num_bigint::BigInt;
use num_traits::Zero as _;

use super::{Ends, GoalEnd, RowExclusion, RowInvariant, occupied};

/// More goals are not looked at one by one.
const MOST_DRAWINGS: usize = 256;

/// Where each goal position can lie, and why none can, if none can.
pub(super) fn goals(
    instance: &Instance,
    invariants: &[RowInvariant],
) -> (Vec<GoalEnd>, Option<RowExclusion>) {
    let Some(drawings) = drawings(instance, &instance.goal) else {
        return (Vec::new(), None);
    };
    let starts = instance.starts.iter();
    let starts: Vec<(i64, Vec<Value>)> = starts.map(|s| occupied(instance, s)).collect();
    let counted = instance.board.counted;
    let ends_of = |known: &[RowInvariant], drawing: &[Value]| {
        let each = starts
            .iter()
            .map(|(first, contents)| places(known, (*first, contents), drawing, counted));
        joined(each)
    };
    let ends: Vec<GoalEnd> = drawings
        .into_iter()
        .map(|drawing| GoalEnd {
            ends: ends_of(invariants, &drawing),
            drawing,
        })
        .collect();
    if ends.is_empty() || ends.iter().any(|end| end.ends != Ends::Nowhere) {
        return (ends, None);
    }
    let excludes = |known: &[RowInvariant]| {
        let mut goals = ends.iter();
        goals.all(|end| ends_of(known, &end.drawing) == Ends::Nowhere)
    };
    // As few witnesses as will do.
    let mut witnesses = invariants.to_vec();
    for i in (0..witnesses.len()).rev() {
        let mut fewer = witnesses.clone();
        fewer.remove(i);
        if excludes(&fewer) {
            witnesses = fewer;
        }
    }
    let said: Vec<String> = witnesses
        .iter()
        .map(|witness| match &starts[..] {
            [(first, contents)] => {
                let value = witness.value(*first, contents, counted);
                format!("{} ({value} at the start)", witness.words(instance))
            }
            _ => witness.words(instance),
        })
        .collect();
    let sentence = format!(
        "every move keeps {} in every window, and no goal has that anywhere",
        said.join(" and ")
    );
    let exclusion = RowExclusion {
        witnesses,
        sentence,
    };
    (ends, Some(exclusion))
}

/// The positions of a goal that is a list of them, ends occupied; `None` for others.
fn drawings(instance: &Instance, goal: &Goal) -> Option<Vec<Vec<Value>>> {
    match goal {
        Goal::Or(all) => {
            let mut out = Vec::new();
            for goal in all {
                out.extend(drawings(instance, goal)?);
            }
            (out.len() <= MOST_DRAWINGS).then_some(out)
        }
        Goal::And(all) => all.iter().find_map(|goal| drawings(instance, goal)),
        Goal::Drawing(tests) => {
            let mut out: Vec<Vec<Value>> = vec![Vec::new()];
            for (i, test) in tests.iter().enumerate() {
                let is_end = i == 0 || i + 1 == tests.len();
                let contents: Vec<Value> = match *test {
                    Test::Symbols(set) => {
                        let symbols = set.symbols().map(Value::from);
                        let known = instance.alphabet.symbols.len() as Value;
                        symbols.filter(|&s| s < known).collect()
                    }
                    Test::Counts(low, high) if high - low < MOST_DRAWINGS as Value => {
                        (low..=high).collect()
                    }
                    _ => return None,
                };
                let fits = contents.iter().filter(|&&v| !(is_end && v == 0));
                let fits: Vec<Value> = fits.copied().collect();
                if out.len() * fits.len() > MOST_DRAWINGS {
                    return None;
                }
                out = out
                    .iter()
                    .flat_map(|drawn| {
                        let longer = |&v: &Value| [drawn.as_slice(), &[v]].concat();
                        fits.iter().map(longer).collect::<Vec<_>>()
                    })
                    .collect();
            }
            Some(out)
        }
        _ => None,
    }
}

fn joined(all: impl Iterator<Item = Ends>) -> Ends {
    let mut places = Vec::new();
    for ends in all {
        match ends {
            Ends::Nowhere => {}
            Ends::At(more) => places.extend(more),
            Ends::Anywhere => return Ends::Anywhere,
        }
    }
    places.sort_unstable();
    places.dedup();
    if places.is_empty() {
        Ends::Nowhere
    } else {
        Ends::At(places)
    }
}

/// Where a drawing can lie so that it has the values of a start: the first cell at place d gives an
/// equation linear in d for each invariant, once it is known whether d is odd.
fn places(
    known: &[RowInvariant],
    (first, start): (i64, &[Value]),
    drawing: &[Value],
    counted: bool,
) -> Ends {
    let of_parity = |parity: i64| {
        let mut only: Option<BigInt> = None;
        for invariant in known {
            let wanted = invariant.value(first, start, counted);
            let at_parity = invariant.value(parity, drawing, counted);
            let two_on = invariant.value(parity + 2, drawing, counted);
            let slope = two_on - &at_parity;
            let rise = wanted - at_parity;
            if slope.is_zero() {
                if !rise.is_zero() {
                    return Ends::Nowhere;
                }
                continue;
            }
            // Steps of two places from `parity`.
            if !(&rise % &slope).is_zero() {
                return Ends::Nowhere;
            }
            let steps = rise / slope;
            if only.as_ref().is_some_and(|other| *other != steps) {
                return Ends::Nowhere;
            }
            only = Some(steps);
        }
        match only {
            None => Ends::Anywhere,
            Some(steps) => match i64::try_from(steps * 2_i64 + parity - first) {
                Ok(place) => Ends::At(vec![place]),
                Err(_) => Ends::Anywhere,
            },
        }
    };
    joined([0, 1].into_iter().map(of_parity))
}
