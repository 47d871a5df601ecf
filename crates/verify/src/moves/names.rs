//! What a move is called: its rule and the cells that change, in the order of the pattern.

use impasse_model::board::Shape;
use impasse_model::fault::Fault;
use impasse_model::instance::{Instance, Position};

use super::{By, Change, Effect, Placement};
use crate::field::{Field, Place};
use crate::lay::{lay, reach};

/// A placement of a rule that changes a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMove {
    /// Where it leads.
    pub to: Position,
    /// What it may be called. There are two names where a captured content is put where the same
    /// content stood: a product that moves contents as they are counts such a cell as changed.
    pub names: [String; 2],
}

/// Every placement of one rule that changes a position, with its names.
///
/// # Errors
/// A condition or an amount without a value.
#[allow(clippy::result_large_err)]
pub fn named_moves(
    instance: &Instance,
    position: &Position,
    rule: usize,
) -> Result<Vec<NamedMove>, Fault> {
    let rule = &instance.rules[rule];
    let field = Field::new(&instance.board, position, reach(&rule.left, &rule.steps));
    let mut moves = Vec::new();
    let mut fault = None;
    lay(&field, &rule.left, &rule.steps, &mut |laid| {
        let placement = Placement {
            instance,
            field: &field,
            rule,
            laid,
        };
        match placement.changes_if_it_may() {
            Ok(Some(changes)) => {
                if let Effect::To(to) = placement.changed(position, &changes)
                    && to != *position
                {
                    let names = [false, true].map(|captured| placement.name(&changes, captured));
                    moves.push(NamedMove { to, names });
                }
            }
            Ok(None) => {}
            Err(f) => fault = Some(f),
        }
    });
    fault.map_or(Ok(moves), Err)
}

impl Placement<'_> {
    /// `captured`: whether cells that receive what they held count as changed.
    fn name(&self, changes: &[Change], captured: bool) -> String {
        let is_named = |change: &&Change| {
            let differs = self.field.content(change.place) != Some(change.value);
            match change.by {
                By::Symbol => differs,
                By::Capture => differs || captured,
                By::Amount { computed } => differs || computed,
            }
        };
        let places = changes.iter().filter(is_named);
        let words = places.filter_map(|change| self.place_name(change.place));
        std::iter::once(self.rule.name.clone())
            .chain(words)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// A cell's number from 1 in reading order, its name on a graph, its place on an endless row;
    /// none beyond the window.
    fn place_name(&self, place: Place) -> Option<String> {
        match &self.instance.board.shape {
            Shape::Span => Some(place.0.to_string()),
            Shape::Window { first } => {
                self.field.cell(place)?;
                Some((place.0 + first).to_string())
            }
            Shape::Graph { names, .. } => Some(names[self.field.cell(place)?].clone()),
            _ => Some((self.field.cell(place)? + 1).to_string()),
        }
    }
}
