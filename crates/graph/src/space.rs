//! What every engine hands over: layers, sets of states, image and preimage. Analyses see no more.

use std::ops::ControlFlow;

use crate::observe::{Observer, Outcome, Progress, Stage};

/// Counts that every engine has, also one that keeps no states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerCounts {
    /// States of the layer.
    pub states: u64,
    /// Goals among them.
    pub goals: u64,
    /// States without successor that are no goals.
    pub dead_ends: u64,
    /// Transitions that start in the layer.
    pub transitions: u64,
    /// States with exactly one successor that are no goals.
    pub single: u64,
    /// Whether a move from one of them was cut off by the window.
    pub cut: bool,
}

/// The layers of a search, as counts.
pub trait Layers {
    /// How the search ended. The counts of the last layer of a stopped search (other than its
    /// states and goals) are unknown and 0.
    fn outcome(&self) -> Outcome;
    /// The counts of each layer, by depth.
    fn layers(&self) -> &[LayerCounts];
}

/// One pass over all transitions, given which states are live.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally<Set> {
    /// Transitions.
    pub transitions: u64,
    /// Transitions from a live state to a lost one, by the depth they start at.
    pub blocking: Vec<u64>,
    /// Live states with such a transition.
    pub points_of_no_return: Set,
    /// How many live states, no goals, have exactly one live successor.
    pub only_moves: u64,
    /// States with a successor.
    pub movable: Set,
    /// Whether every transition goes one layer deeper.
    pub graded: bool,
}

/// A completely enumerated space, seen as sets.
pub trait Space: Layers + Sync {
    /// A set of reached states.
    type Set: Clone + PartialEq + std::fmt::Debug + Send + Sync;

    /// The empty set.
    fn none(&self) -> Self::Set;
    /// All reached states.
    fn reached(&self) -> Self::Set;
    /// The states of one depth.
    fn layer(&self, depth: usize) -> Self::Set;
    /// The reached goals.
    fn goals(&self) -> Self::Set;
    /// How many states.
    fn count(&self, set: &Self::Set) -> u64;
    /// How many states of each depth.
    fn histogram(&self, set: &Self::Set) -> Vec<u64>;
    /// `a` becomes the union.
    fn or(&self, a: &mut Self::Set, b: &Self::Set);
    /// `a` becomes the intersection.
    fn and(&self, a: &mut Self::Set, b: &Self::Set);
    /// `a` loses the states of `b`.
    fn minus(&self, a: &mut Self::Set, b: &Self::Set);
    /// Whether a state is in both.
    fn meets(&self, a: &Self::Set, b: &Self::Set) -> bool {
        let mut both = a.clone();
        self.and(&mut both, b);
        self.count(&both) > 0
    }
    /// How many effects: placed rules with equal change are one. Distinct effects on one state
    /// give distinct successors, so sums over effects count transitions, never moves. `None` for
    /// puzzles whose effects are not known.
    fn effects(&self) -> Option<u32>;
    /// All successors of a set, by all rules or by one effect.
    fn image(&self, effect: Option<u32>, of: &Self::Set) -> Self::Set;
    /// All reached predecessors of a set, by all rules or by one effect.
    fn preimage(&self, effect: Option<u32>, of: &Self::Set) -> Self::Set;
    /// All reached predecessors of a set that are not in `known`.
    fn new_predecessors(&self, of: &Self::Set, known: &Self::Set) -> Self::Set {
        let mut found = self.preimage(None, of);
        self.minus(&mut found, known);
        found
    }
    /// Hands the states of each remoteness (fewest transitions to a goal) to `visit`, from the goals
    /// (0) on; no set is kept. [`retrograde_by_sets`] is the same; engines may know a shorter way.
    fn retrograde(
        &self,
        observer: &dyn Observer,
        visit: &mut dyn FnMut(u32, &Self::Set),
    ) -> ControlFlow<()>
    where
        Self: Sized,
    {
        retrograde_by_sets(self, observer, visit)
    }
    /// One pass over all transitions. [`tally_by_effect`] is the same, slowly.
    fn tally(&self, live: &Self::Set, observer: &dyn Observer)
    -> ControlFlow<(), Tally<Self::Set>>;
}

/// Finds how far states are from a goal, by retrograde analysis.
///
/// Calls `visit` with each `r` from 0 on and the states whose nearest goal is `r` transitions away.
/// Time grows with the number of transitions into live states; memory is that of three sets.
///
/// # Source
/// K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986.
pub fn retrograde_by_sets<S: Space>(
    space: &S,
    observer: &dyn Observer,
    visit: &mut dyn FnMut(u32, &S::Set),
) -> ControlFlow<()> {
    let mut live = space.none();
    let mut front = space.goals();
    let mut states = 0;
    for layer in 0.. {
        let count = space.count(&front);
        if count == 0 {
            break;
        }
        states += count;
        observer.layer(&Progress {
            stage: Stage::Retrograde,
            layer,
            layer_states: count,
            states,
        })?;
        visit(layer, &front);
        space.or(&mut live, &front);
        front = space.new_predecessors(&front, &live);
    }
    ControlFlow::Continue(())
}

/// [`Space::tally`] from images and preimages alone; `None` where effects are not known.
pub fn tally_by_effect<S: Space>(space: &S, live: &S::Set) -> Option<Tally<S::Set>> {
    let effects = space.effects()?;
    let reached = space.reached();
    let mut lost = reached.clone();
    space.minus(&mut lost, live);
    let mut transitions = 0;
    let mut blocking = vec![0; space.layers().len()];
    let (mut once, mut twice) = (space.none(), space.none());
    for effect in 0..effects {
        transitions += space.count(&space.preimage(Some(effect), &reached));
        let mut losing = space.preimage(Some(effect), &lost);
        space.and(&mut losing, live);
        for (sum, count) in blocking.iter_mut().zip(space.histogram(&losing)) {
            *sum += count;
        }
        let keeping = space.preimage(Some(effect), live);
        let mut again = once.clone();
        space.and(&mut again, &keeping);
        space.or(&mut twice, &again);
        space.or(&mut once, &keeping);
    }
    space.minus(&mut once, &twice);
    space.and(&mut once, live);
    space.minus(&mut once, &space.goals());
    let mut points_of_no_return = space.preimage(None, &lost);
    space.and(&mut points_of_no_return, live);
    let graded = (0..space.layers().len()).all(|depth| {
        let mut beyond = space.image(None, &space.layer(depth));
        if depth + 1 < space.layers().len() {
            space.minus(&mut beyond, &space.layer(depth + 1));
        }
        space.count(&beyond) == 0
    });
    Some(Tally {
        transitions,
        blocking,
        points_of_no_return,
        only_moves: space.count(&once),
        movable: space.preimage(None, &reached),
        graded,
    })
}

/// A space whose states can be named one by one, by numbers of the engine's own.
pub trait Indexed: Space {
    /// A packed state.
    type State: Copy;
    /// Number of states; slots are below.
    fn slot_count(&self) -> u32;
    /// Calls `visit` for each slot of a set, ascending.
    fn slots(&self, set: &Self::Set, visit: &mut dyn FnMut(u32));
    /// The state in a slot.
    fn state(&self, slot: u32) -> Self::State;
    /// The slot of a state, if it was reached.
    fn find(&self, state: Self::State) -> Option<u32>;
    /// Its depth.
    fn depth(&self, slot: u32) -> u32;
    /// Its number: by depth, then by board order.
    fn id(&self, slot: u32) -> u32;
    /// The slot of a number.
    fn slot(&self, id: u32) -> u32;
    /// The slots of one depth, ascending.
    fn layer_list(&self, depth: usize) -> &[u32];
    /// Calls `visit` for each of the slots, which ascend, with its distinct successors and with the
    /// entry of `out` that stands at its place; from several threads, each with its own part.
    fn with_successors<N: Send>(
        &self,
        slots: &[u32],
        out: &mut [N],
        visit: &(dyn Fn(u32, &[u32], &mut N) + Sync),
    );
    /// Whether every transition has its inverse; breaks off when the observer says so.
    fn is_reversible(&self, observer: &dyn Observer) -> ControlFlow<(), bool>;
}
