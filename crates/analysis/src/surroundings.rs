//! Local rules: whether what lies around a move decides that it loses.
//!
//! Of every move out of a live state the cells around are recorded, up to a radius. A *context* is one
//! such view: it always loses, never, or sometimes. Where no context is mixed, the losing ones are a
//! rule that needs no search, and they are boiled down to few small patterns.
//!
//! Contexts of several runs (a range of parameters) are pooled. All is said of the states that were
//! reached, and proves nothing of other values.

mod law;
mod plane;
mod view;

use std::collections::BTreeMap;

use impasse_model::blocking::changed_cells;
use impasse_model::board::{Board, Shape};
use impasse_model::instance::{Alphabet, Instance, Position};

use crate::run::{Table, Verdict};
pub use law::{Context, Law, Level, MoveLaw, Sort, Whole};
use plane::Plane;
use view::{Kind, View};

/// A radius that is looked at on rows if nothing is said.
pub const ROW_RADIUS: usize = 4;
/// The same on grids.
pub const GRID_RADIUS: usize = 2;

/// A board on which contexts mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoContexts {
    /// A graph has no directions.
    #[error("contexts are cells around a move, on a row or a grid; this board is a graph")]
    Graph,
    /// Positions up to shift.
    #[error(
        "positions up to shift do not tell which cells a move changes; search the endless row in a window (`spare`)"
    )]
    Span,
    /// A small ring shows less around a move than a large one, and patterns go round it.
    #[error("contexts of rings or tori of different sizes do not fit together; take one at a time")]
    Lengths,
}

/// Whether ends meet.
fn is_closed(board: &Board) -> bool {
    matches!(board.shape, Shape::Ring | Shape::Grid { wrap: true, .. })
}

/// A move that was seen in a context.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Example {
    /// Number of the run, in the order they were added.
    pub run: usize,
    /// Number of the state before the move.
    pub id: u32,
    /// That state in one line.
    pub state: String,
    /// The move.
    pub by: String,
}

/// How often a move was made in a context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    losing: (u64, Option<Example>),
    safe: (u64, Option<Example>),
}

impl Seen {
    /// Adds what was seen elsewhere; the earlier examples stay.
    fn add(&mut self, other: &Self) {
        for (mine, theirs) in [
            (&mut self.losing, &other.losing),
            (&mut self.safe, &other.safe),
        ] {
            mine.0 += theirs.0;
            let both = [mine.1.take(), theirs.1.clone()];
            mine.1 = both.into_iter().flatten().min();
        }
    }
}

/// Moves in their widest contexts, gathered from one run after another.
#[derive(Clone, Debug)]
pub struct Surroundings {
    radius: usize,
    board: Board,
    alphabet: Alphabet,
    /// Names of the moves, in rule order.
    names: Vec<String>,
    runs: usize,
    seen: BTreeMap<Kind, BTreeMap<View, Seen>>,
}

impl Surroundings {
    /// Nothing seen yet; contexts reach `radius` cells beyond what a move changes, or as far as is usual
    /// on such a board.
    ///
    /// # Errors
    /// [`NoContexts`].
    pub fn new(instance: &Instance, radius: Option<usize>) -> Result<Self, NoContexts> {
        let usual = match instance.board.shape {
            Shape::Graph { .. } => return Err(NoContexts::Graph),
            Shape::Span => return Err(NoContexts::Span),
            Shape::Grid { .. } => GRID_RADIUS,
            Shape::Line | Shape::Ring | Shape::Window { .. } => ROW_RADIUS,
        };
        Ok(Self {
            radius: radius.unwrap_or(usual),
            board: instance.board.clone(),
            alphabet: instance.alphabet.clone(),
            names: Vec::new(),
            runs: 0,
            seen: BTreeMap::new(),
        })
    }

    /// Adds all moves out of live states of a run. Time grows with the transitions and the cells of a
    /// context, memory with the different contexts.
    ///
    /// # Errors
    /// [`NoContexts::Lengths`].
    pub fn add(&mut self, instance: &Instance, table: &dyn Table) -> Result<(), NoContexts> {
        let same =
            |board: &Board| board.shape == self.board.shape && board.cells == self.board.cells;
        if is_closed(&self.board) && !same(&instance.board) {
            return Err(NoContexts::Lengths);
        }
        let plane = Plane::of(&instance.board);
        for rule in &instance.rules {
            if !self.names.contains(&rule.name) {
                self.names.push(rule.name.clone());
            }
        }
        let run = self.runs;
        self.runs += 1;
        let (mut before, mut after) = (Position::new(), Position::new());
        let mut transitions = Vec::new();
        for id in (0..table.state_count()).filter(|&id| table.verdict(id) == Verdict::Live) {
            table.transitions(id, &mut transitions);
            table.position(id, &mut before);
            for transition in &transitions {
                table.position(transition.to, &mut after);
                let changed = changed_cells(&before, &after);
                let name = table.rule_name(transition.by);
                let number = self.names.iter().position(|n| *n == name);
                let rule = number.expect("a rule of the puzzle made it");
                let loses = table.verdict(transition.to) != Verdict::Live;
                for (kind, view) in view::seen(&plane, rule, &before, &changed, self.radius) {
                    let seen = self.seen.entry(kind).or_default().entry(view).or_default();
                    let (count, example) = if loses {
                        &mut seen.losing
                    } else {
                        &mut seen.safe
                    };
                    *count += 1;
                    example.get_or_insert_with(|| Example {
                        run,
                        id,
                        state: table.one_line(id),
                        by: table.move_name(transition.by),
                    });
                }
            }
        }
        Ok(())
    }

    /// Looks for the least radius at which no context is mixed, and boils its losing contexts down.
    #[must_use]
    pub fn law(&self) -> Law {
        law::find(self)
    }

    /// The contexts of a lower radius.
    fn within(&self, radius: usize) -> BTreeMap<&Kind, BTreeMap<View, Seen>> {
        let mut narrowed = BTreeMap::new();
        for (kind, views) in &self.seen {
            let mut found: BTreeMap<View, Seen> = BTreeMap::new();
            for (view, seen) in views {
                found
                    .entry(view.within(kind, radius))
                    .or_default()
                    .add(seen);
            }
            narrowed.insert(kind, found);
        }
        narrowed
    }
}
