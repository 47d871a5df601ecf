//! Claims about blocking, compared with every state and every move one by one.

use impasse_model::blocking::{Bracketed, Sought};
use impasse_model::fault::Fault;
use impasse_model::instance::{Instance, Position};

use crate::field::Field;
use crate::lay::{Laid, lay, reach};
use crate::moves::meets;
use crate::slow::State;

/// Something that a claim is wrong about: a state, or a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Number of the state, or of the one before the move.
    pub state: usize,
    /// Number of the one behind the move.
    pub to: Option<usize>,
}

/// What a claim gets right and wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// States, or moves out of live states, of which the claim says something.
    pub flagged: u64,
    /// Those that are lost, or blocking, whatever the claim says.
    pub actual: u64,
    /// Flagged, and lost or blocking.
    pub hits: u64,
    /// Flagged, but not lost or blocking; in order.
    pub false_alarms: Vec<Wrong>,
    /// Lost or blocking, but not flagged; in order.
    pub misses: Vec<Wrong>,
}

impl Tally {
    fn enter(&mut self, what: Wrong, flagged: bool, loses: bool) {
        self.flagged += u64::from(flagged);
        self.actual += u64::from(loses);
        self.hits += u64::from(flagged && loses);
        if flagged && !loses {
            self.false_alarms.push(what);
        }
        if !flagged && loses {
            self.misses.push(what);
        }
    }
}

/// Compares a claim with all states that the slow search found.
///
/// # Errors
/// A condition without a value, for `stuck`.
#[allow(clippy::result_large_err)]
pub fn tally(instance: &Instance, sought: &Sought, states: &[State]) -> Result<Tally, Fault> {
    let mut tally = Tally::default();
    for (number, state) in states.iter().enumerate() {
        match sought {
            Sought::States {
                states: condition, ..
            } => {
                let what = Wrong {
                    state: number,
                    to: None,
                };
                let flagged = meets(instance, condition, &state.position)?;
                tally.enter(what, flagged, !state.is_live());
            }
            Sought::Moves { name, contexts, .. } => {
                for &(to, rule) in &state.successors {
                    if !state.is_live() || instance.rules[rule].name != *name {
                        continue;
                    }
                    let what = Wrong {
                        state: number,
                        to: Some(to),
                    };
                    let is_made_in = |context| {
                        is_made_in(instance, context, &state.position, &states[to].position)
                    };
                    let flagged = contexts.is_empty() || contexts.iter().any(is_made_in);
                    tally.enter(what, flagged, !states[to].is_live());
                }
            }
        }
    }
    Ok(tally)
}

/// Whether a move between two positions is made in a context.
fn is_made_in(
    instance: &Instance,
    context: &Bracketed,
    before: &Position,
    after: &Position,
) -> bool {
    let pattern = &context.pattern;
    let field = Field::new(
        &instance.board,
        before,
        reach(&pattern.rows, &pattern.steps),
    );
    let changed: Vec<usize> = (0..before.len())
        .filter(|&cell| before[cell] != after[cell])
        .collect();
    let mut found = false;
    lay(&field, &pattern.rows, &pattern.steps, &mut |laid| {
        found |= shows(&field, laid, &context.marks, &changed);
    });
    found
}

/// Whether all changed cells lie in brackets, and each bracket begins and ends with one.
fn shows(field: &Field, laid: &Laid, marks: &[Vec<usize>], changed: &[usize]) -> bool {
    let items: Vec<_> = laid.iter().flatten().collect();
    let mut inside = Vec::new();
    for mark in marks {
        let cells: Vec<Option<usize>> = mark
            .iter()
            .flat_map(|&item| items[item])
            .map(|&place| field.cell(place))
            .collect();
        let is_changed = |cell: Option<&Option<usize>>| {
            cell.is_some_and(|cell| cell.is_some_and(|cell| changed.contains(&cell)))
        };
        if !is_changed(cells.first()) || !is_changed(cells.last()) {
            return false;
        }
        inside.extend(cells.into_iter().flatten());
    }
    changed.iter().all(|cell| inside.contains(cell))
}
