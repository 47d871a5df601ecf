//! Shortest paths from the starts, and where on them the game was lost.

use impasse_analysis::run::{Table, Transition, Verdict};

/// For each state the last blocking move on one shortest path from a start.
///
/// The path comes to each state from its least-numbered predecessor one layer above, so it is the
/// same on every run. Memory is eight bytes a state.
#[derive(Clone, Debug)]
pub struct LastBlocking {
    /// The predecessor on the path; [`NONE`] for starts.
    parents: Vec<u32>,
    /// The state where the path first was lost; [`NONE`] where it is live to the end or lost from
    /// the start.
    losses: Vec<u32>,
}

/// No state.
const NONE: u32 = u32::MAX;

impl LastBlocking {
    /// Follows all paths in one pass over the transitions.
    #[must_use]
    pub fn of(table: &dyn Table) -> Self {
        let parents = parents(table);
        let mut losses = vec![NONE; parents.len()];
        for id in 0..table.state_count() {
            let parent = parents[id as usize];
            if parent == NONE || table.verdict(id) == Verdict::Live {
                continue;
            }
            let was_live = table.verdict(parent) == Verdict::Live;
            losses[id as usize] = if was_live {
                id
            } else {
                losses[parent as usize]
            };
        }
        Self { parents, losses }
    }

    /// The last blocking move on the path to `id`: the state it starts from, and the transition.
    #[must_use]
    pub fn before(&self, table: &dyn Table, id: u32) -> Option<(u32, Transition)> {
        let loss = self.losses[id as usize];
        let from = *self.parents.get(loss as usize)?;
        let mut transitions = Vec::new();
        table.transitions(from, &mut transitions);
        let step = transitions.into_iter().find(|t| t.to == loss);
        Some((from, step.expect("a parent has a transition to its child")))
    }

    /// The state where the path to `id` first was lost; `None` where the last state is live, or the
    /// first one lost.
    #[must_use]
    pub fn loss(&self, id: u32) -> Option<u32> {
        Some(self.losses[id as usize]).filter(|&loss| loss != NONE)
    }

    /// The path to `id`, as its transitions from a start on, each with the state it starts from.
    #[must_use]
    pub fn way(&self, table: &dyn Table, id: u32) -> Vec<(u32, Transition)> {
        let mut way = Vec::new();
        let mut transitions = Vec::new();
        let mut to = id;
        while self.parents[to as usize] != NONE {
            let from = self.parents[to as usize];
            table.transitions(from, &mut transitions);
            let step = transitions.iter().find(|t| t.to == to);
            way.push((from, *step.expect("a parent has a transition to its child")));
            to = from;
        }
        way.reverse();
        way
    }

    /// The same in words: `step 2 3 from F.FTT`.
    #[must_use]
    pub fn words(&self, table: &dyn Table, id: u32) -> Option<String> {
        let (from, step) = self.before(table, id)?;
        Some(format!(
            "{} from {}",
            table.move_name(step.by),
            table.one_line(from)
        ))
    }
}

/// The least-numbered predecessor of each state one layer above; [`NONE`] for starts.
fn parents(table: &dyn Table) -> Vec<u32> {
    let mut parents = vec![NONE; table.state_count() as usize];
    let mut transitions = Vec::new();
    for from in 0..table.state_count() {
        table.transitions(from, &mut transitions);
        for step in &transitions {
            let parent = &mut parents[step.to as usize];
            if *parent == NONE && table.depth(step.to) == table.depth(from) + 1 {
                *parent = from;
            }
        }
    }
    parents
}
