//! Counting walks that go one layer deeper with every move: shortest solutions, and all plays of
//! graded spaces.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use impasse_graph::count::Count;
use impasse_graph::observe::Observer;
use impasse_graph::space::Indexed;
use num_bigint::BigUint;

/// A number without limit.
#[derive(Clone)]
pub(crate) struct Big(pub BigUint);

impl Count for Big {
    fn zero() -> Self {
        Self(BigUint::ZERO)
    }
    fn one() -> Self {
        Self(BigUint::from(1_u8))
    }
    fn add(&mut self, other: &Self) -> bool {
        self.0 += &other.0;
        true
    }
}

/// Which walks are counted, by slots.
pub(crate) struct Walks<'a> {
    /// States a walk may use.
    pub passes: &'a (dyn Fn(u32) -> bool + Sync),
    /// States a walk may end at; it goes on as well where it can.
    pub ends: &'a (dyn Fn(u32) -> bool + Sync),
}

/// The number of walks from a start, each move one layer deeper, that end as asked. Counted in 128
/// bits, and where these do not suffice in big integers. Time grows with the transitions
/// that are used, memory with two layers.
pub(crate) fn count<S: Indexed>(
    space: &S,
    walks: &Walks<'_>,
    observer: &dyn Observer,
) -> ControlFlow<(), BigUint> {
    if let Some(count) = count_in::<S, u128>(space, walks, observer)? {
        return ControlFlow::Continue(count.into());
    }
    let count = count_in::<S, Big>(space, walks, observer)?;
    ControlFlow::Continue(count.expect("big integers do not overflow").0)
}

/// From the deepest layer up: the walks from a state are those from its successors. No number on
/// the way is greater than the whole, as every state that is used is reached.
fn count_in<S: Indexed, N: Count>(
    space: &S,
    walks: &Walks<'_>,
    observer: &dyn Observer,
) -> ControlFlow<(), Option<N>> {
    let mut places = Places::new(space.slot_count());
    let mut deeper: (Vec<u32>, Vec<N>) = (Vec::new(), Vec::new());
    for depth in (0..space.layers().len()).rev() {
        if observer.interrupted() {
            return ControlFlow::Break(());
        }
        let mut slots = space.layer_list(depth).to_vec();
        slots.retain(|&slot| (walks.passes)(slot));
        let mut ways = vec![N::zero(); slots.len()];
        let too_many = AtomicBool::new(false);
        space.with_successors(&slots, &mut ways, &|slot, successors, sum| {
            let mut fits = true;
            if (walks.ends)(slot) {
                fits &= sum.add(&N::one());
            }
            for place in successors.iter().filter_map(|&to| places.of(to)) {
                fits &= sum.add(&deeper.1[place]);
            }
            if !fits {
                too_many.store(true, Ordering::Relaxed);
            }
        });
        if too_many.into_inner() {
            return ControlFlow::Continue(None);
        }
        places.forget(&deeper.0);
        places.learn(&slots);
        deeper = (slots, ways);
    }
    let mut sum = N::zero();
    let fits = deeper.1.iter().all(|ways| sum.add(ways));
    ControlFlow::Continue(fits.then_some(sum))
}

/// Where slots stand in an ascending list of some of them.
struct Places {
    /// For each 64 slots, which of them are in the list, and how many of the list are before.
    blocks: Vec<(u64, u32)>,
}

impl Places {
    fn new(slots: u32) -> Self {
        Self {
            blocks: vec![(0, 0); (slots as usize).div_ceil(64)],
        }
    }

    /// Takes up a list; the one before must have been forgotten.
    fn learn(&mut self, list: &[u32]) {
        for (place, &slot) in (0..).zip(list) {
            let block = &mut self.blocks[slot as usize / 64];
            if block.0 == 0 {
                block.1 = place;
            }
            block.0 |= 1 << (slot % 64);
        }
    }

    fn forget(&mut self, list: &[u32]) {
        for &slot in list {
            self.blocks[slot as usize / 64].0 = 0;
        }
    }

    /// The place of a slot in the list, if it is there.
    fn of(&self, slot: u32) -> Option<usize> {
        let (bits, before) = self.blocks[slot as usize / 64];
        let bit = 1_u64 << (slot % 64);
        (bits & bit != 0).then(|| before as usize + (bits & (bit - 1)).count_ones() as usize)
    }
}
