//! Claims about blocking against all states, or all moves out of live states, of a space.

use impasse_model::blocking::{Condition, Sought, Surroundings, TooManyWays, changed_cells};
use impasse_model::instance::{Instance, Position};
use impasse_model::syntax::BlockingEffect;

use crate::run::{Table, Transition, Verdict};

/// A claim about blocking, made ready for one puzzle.
#[derive(Clone, Debug)]
pub struct BlockingTest {
    subject: Subject,
    effect: BlockingEffect,
}

#[derive(Clone, Debug)]
enum Subject {
    States(Condition),
    Moves {
        name: String,
        contexts: Vec<Surroundings>,
    },
}

/// One thing that a claim is wrong about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The state, or the one before the move.
    pub state: u32,
    /// The move.
    pub transition: Option<Transition>,
}

/// Cases of one kind: how many, and the first in order of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cases {
    /// How many.
    pub count: u64,
    /// The first; absent if there is none.
    pub first: Option<Case>,
}

impl Cases {
    fn add(&mut self, case: Case) {
        self.count += 1;
        self.first.get_or_insert(case);
    }
}

/// What a space says of a claim about blocking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Findings {
    /// What was claimed.
    pub effect: BlockingEffect,
    /// Whether it speaks of states; else of moves out of live states.
    pub of_states: bool,
    /// Those of which the claim says something: states that meet its condition, moves in a context.
    pub flagged: Cases,
    /// Those that are lost, or blocking, whatever the claim says; of moves only those of its name.
    pub actual: Cases,
    /// Flagged, and lost or blocking.
    pub hits: Cases,
    /// Flagged, but live, or leading to a live state.
    pub false_alarms: Cases,
    /// Lost or blocking, but not flagged.
    pub misses: Cases,
}

impl Findings {
    /// Whether the claim holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        match self.effect {
            BlockingEffect::Always => self.false_alarms.count == 0,
            BlockingEffect::Exactly => self.false_alarms.count == 0 && self.misses.count == 0,
            BlockingEffect::Never => self.hits.count == 0,
        }
    }

    fn enter(&mut self, case: Case, flagged: bool, loses: bool) {
        let kinds = [
            (flagged, &mut self.flagged),
            (loses, &mut self.actual),
            (flagged && loses, &mut self.hits),
            (flagged && !loses, &mut self.false_alarms),
            (!flagged && loses, &mut self.misses),
        ];
        for (is_one, cases) in kinds {
            if is_one {
                cases.add(case);
            }
        }
    }
}

impl BlockingTest {
    /// Lays the patterns of a claim on the board.
    ///
    /// # Errors
    /// [`TooManyWays`].
    pub fn new(instance: &Instance, sought: &Sought) -> Result<Self, TooManyWays> {
        let subject = match sought {
            Sought::States { states, .. } => Subject::States(Condition::new(instance, states)?),
            Sought::Moves { name, contexts, .. } => {
                let contexts = contexts.iter().map(|c| Surroundings::new(instance, c));
                Subject::Moves {
                    name: name.clone(),
                    contexts: contexts.collect::<Result<_, _>>()?,
                }
            }
        };
        Ok(Self {
            subject,
            effect: sought.effect(),
        })
    }

    /// Whether any of its patterns can be laid on the board, whatever stands there.
    #[must_use]
    pub fn fits(&self) -> bool {
        match &self.subject {
            Subject::States(condition) => condition.fits(),
            Subject::Moves { contexts, .. } => {
                contexts.is_empty() || contexts.iter().any(Surroundings::fits)
            }
        }
    }

    /// Compares the claim with all states of a table, or all its transitions out of live states. A
    /// transition bears the name of the first move in rule order that makes it.
    ///
    /// Time grows with states, or transitions, times the ways the patterns can be laid.
    #[must_use]
    pub fn compare(&self, table: &dyn Table) -> Findings {
        let mut findings = Findings {
            effect: self.effect,
            of_states: matches!(self.subject, Subject::States(_)),
            flagged: Cases::default(),
            actual: Cases::default(),
            hits: Cases::default(),
            false_alarms: Cases::default(),
            misses: Cases::default(),
        };
        match &self.subject {
            Subject::States(condition) => compare_states(condition, table, &mut findings),
            Subject::Moves { name, contexts } => {
                compare_moves(name, contexts, table, &mut findings);
            }
        }
        findings
    }
}

fn compare_states(condition: &Condition, table: &dyn Table, findings: &mut Findings) {
    let mut position = Position::new();
    for state in 0..table.state_count() {
        table.position(state, &mut position);
        let is_stuck = || {
            let mut transitions = Vec::new();
            table.transitions(state, &mut transitions);
            transitions.is_empty()
        };
        let flagged = condition.holds(&position, &is_stuck);
        let case = Case {
            state,
            transition: None,
        };
        findings.enter(case, flagged, table.verdict(state) != Verdict::Live);
    }
}

fn compare_moves(
    name: &str,
    contexts: &[Surroundings],
    table: &dyn Table,
    findings: &mut Findings,
) {
    let (mut before, mut after) = (Position::new(), Position::new());
    let mut transitions = Vec::new();
    for state in (0..table.state_count()).filter(|&id| table.verdict(id) == Verdict::Live) {
        table.transitions(state, &mut transitions);
        table.position(state, &mut before);
        for &transition in &transitions {
            if table.rule_name(transition.by) != name {
                continue;
            }
            table.position(transition.to, &mut after);
            let changed = changed_cells(&before, &after);
            let flagged =
                contexts.is_empty() || contexts.iter().any(|c| c.surround(&before, &changed));
            let case = Case {
                state,
                transition: Some(transition),
            };
            let loses = table.verdict(transition.to) != Verdict::Live;
            findings.enter(case, flagged, loses);
        }
    }
}
