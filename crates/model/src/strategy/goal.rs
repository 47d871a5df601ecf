//! Whether a position is a goal, asked after every step.
//!
//! A place that refuted a goal before mostly still does: it is looked at first, so that the question
//! costs little even on very long rows.

use super::ground::{Visit, Ways};
use super::items::Items;
use super::line::Scratch;
use super::moves::Moves;
use super::row::Row;
use super::track::{Look, RowTrack, Track, passes};
use crate::fault::Fault;
use crate::instance::{Goal, Instance, Pattern, SymbolSet, Test};
use crate::syntax::Comparison;

/// A goal made ready.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    goal: Node,
    witnesses: usize,
}

/// Where each pattern of the goal was found last.
pub(super) type Witnesses = Vec<Option<Witness>>;

/// A placement of a pattern on a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Witness {
    begin: i64,
    stride: i64,
}

#[derive(Clone, Debug)]
enum Node {
    Drawing(Vec<Test>),
    /// The pattern can (or cannot) be laid.
    Find {
        items: Items,
        ways: Ways,
        wanted: bool,
        slot: usize,
    },
    Count(SymbolSet, Comparison, i64),
    Stuck,
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
}

impl Watch {
    pub(super) fn new(instance: &Instance) -> Self {
        let mut witnesses = 0;
        let goal = node(&instance.goal, instance, &mut witnesses);
        Self { goal, witnesses }
    }

    pub(super) fn witnesses(&self) -> Witnesses {
        vec![None; self.witnesses]
    }

    /// Whether the position is a goal.
    pub(super) fn is_met(
        &self,
        instance: &Instance,
        moves: &Moves,
        row: &Row,
        witnesses: &mut Witnesses,
    ) -> Result<bool, Fault> {
        if let Some(known) = self.goal.quickly(row, witnesses) {
            return Ok(known);
        }
        self.goal.holds(instance, moves, row, witnesses)
    }
}

fn node(goal: &Goal, instance: &Instance, slots: &mut usize) -> Node {
    let mut all = |goals: &[Goal]| goals.iter().map(|g| node(g, instance, slots)).collect();
    match goal {
        Goal::Drawing(tests) => Node::Drawing(tests.clone()),
        Goal::Contains(pattern) => find(pattern, true, instance, slots),
        Goal::Never(pattern) => find(pattern, false, instance, slots),
        Goal::Count(set, comparison, number) => Node::Count(*set, *comparison, *number),
        Goal::Stuck => Node::Stuck,
        Goal::Not(inner) => Node::Not(Box::new(node(inner, instance, slots))),
        Goal::And(goals) => Node::And(all(goals)),
        Goal::Or(goals) => Node::Or(all(goals)),
    }
}

fn find(pattern: &Pattern, wanted: bool, instance: &Instance, slots: &mut usize) -> Node {
    let items = Items::new(&pattern.rows);
    let ways = Ways::new(
        &instance.board,
        &pattern.rows,
        &pattern.steps,
        &items,
        items.least,
    );
    *slots += 1;
    Node::Find {
        items,
        ways,
        wanted,
        slot: *slots - 1,
    }
}

impl Node {
    /// What the witnesses alone tell.
    fn quickly(&self, row: &Row, witnesses: &Witnesses) -> Option<bool> {
        let any = |nodes: &[Self], wanted: bool| {
            nodes
                .iter()
                .any(|n| n.quickly(row, witnesses) == Some(wanted))
                .then_some(wanted)
        };
        match self {
            Self::Find {
                items,
                wanted,
                slot,
                ..
            } => {
                let Witness { begin, stride } = witnesses[*slot]?;
                let track = RowTrack {
                    row,
                    begin,
                    stride,
                    margin: 0,
                };
                items.fits(&track).then_some(*wanted)
            }
            Self::Not(inner) => inner.quickly(row, witnesses).map(|known| !known),
            Self::And(nodes) => any(nodes, false),
            Self::Or(nodes) => any(nodes, true),
            Self::Drawing(_) | Self::Count(..) | Self::Stuck => None,
        }
    }

    fn holds(
        &self,
        instance: &Instance,
        moves: &Moves,
        row: &Row,
        witnesses: &mut Witnesses,
    ) -> Result<bool, Fault> {
        Ok(match self {
            Self::Drawing(tests) => is_drawn(tests, row),
            Self::Find {
                items,
                ways,
                wanted,
                slot,
            } => {
                let mut finder = Finder { items, found: None };
                let found = ways.each(row, items, &mut finder);
                let is_row = matches!(ways, Ways::Strides(_));
                witnesses[*slot] = finder.found.filter(|_| is_row);
                found == *wanted
            }
            Self::Count(set, comparison, number) => {
                let (_, cells) = row.occupied();
                let holds = |&&value: &&u64| set.0 >> value & 1 == 1;
                let count = cells.iter().filter(holds).count() as i64;
                comparison.holds(count.cmp(number))
            }
            Self::Stuck => !moves.any(instance, row, &mut Scratch::default())?,
            Self::Not(inner) => !inner.holds(instance, moves, row, witnesses)?,
            Self::And(nodes) => {
                for node in nodes {
                    if !node.holds(instance, moves, row, witnesses)? {
                        return Ok(false);
                    }
                }
                true
            }
            Self::Or(nodes) => {
                for node in nodes {
                    if node.holds(instance, moves, row, witnesses)? {
                        return Ok(true);
                    }
                }
                false
            }
        })
    }
}

/// On an endless row the drawing is the whole position, wherever it lies.
fn is_drawn(tests: &[Test], row: &Row) -> bool {
    let (_, cells) = row.occupied();
    cells.len() == tests.len()
        && cells
            .iter()
            .zip(tests)
            .all(|(&value, &test)| passes(test, Look::Holds(value)))
}

struct Finder<'a> {
    items: &'a Items,
    found: Option<Witness>,
}

impl Visit for Finder<'_> {
    fn visit(&mut self, track: &impl Track, _: i64, _: Option<i64>) -> bool {
        let fits = self.items.fits(track);
        if fits {
            let begin = track.place(0);
            self.found = Some(Witness {
                begin,
                stride: track.place(1) - begin,
            });
        }
        fits
    }
}
