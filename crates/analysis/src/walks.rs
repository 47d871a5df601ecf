//! Counting walks that go one layer deeper with every move: shortest solutions, and all plays of
//! graded spaces.

use std::ops::ControlFlow;

use impasse_graph::observe::Observer;
use impasse_graph::space::Indexed;
use num_bigint::BigUint;

/// A number that walks are counted in.
trait Count: Clone + From<u8> {
    /// Adds; `false` if the sum does not fit.
    fn add(&mut self, other: &Self) -> bool;
}

impl Count for u128 {
    fn add(&mut self, other: &Self) -> bool {
        let sum = self.checked_add(*other);
        *self = sum.unwrap_or(0);
        sum.is_some()
    }
}

impl Count for BigUint {
    fn add(&mut self, other: &Self) -> bool {
        *self += other;
        true
    }
}

/// Which walks are counted, by slots.
pub(crate) struct Walks<'a> {
    /// States a walk may use.
    pub passes: &'a dyn Fn(u32) -> bool,
    /// States a walk may end at; it goes on as well where it can.
    pub ends: &'a dyn Fn(u32) -> bool,
}

/// The number of walks from a start, each move one layer deeper, that end as asked. Counted in 128
/// bits, and where these do not suffice in big integers. Time grows with the transitions that are
/// used, memory with a layer.
pub(crate) fn count<S: Indexed>(
    space: &S,
    walks: &Walks<'_>,
    observer: &dyn Observer,
) -> ControlFlow<(), BigUint> {
    if let Some(count) = count_in::<S, u128>(space, walks, observer)? {
        return ControlFlow::Continue(count.into());
    }
    let count = count_in::<S, BigUint>(space, walks, observer)?;
    ControlFlow::Continue(count.expect("big integers do not overflow"))
}

fn count_in<S: Indexed, N: Count>(
    space: &S,
    walks: &Walks<'_>,
    observer: &dyn Observer,
) -> ControlFlow<(), Option<N>> {
    let mut sum = N::from(0);
    let mut layer: Vec<(u32, N)> = Vec::new();
    space.slots(&space.layer(0), &mut |slot| {
        if (walks.passes)(slot) {
            layer.push((slot, N::from(1)));
        }
    });
    let mut fits = true;
    for depth in 1..=space.layers().len() as u32 {
        for (_, count) in layer.iter().filter(|(slot, _)| (walks.ends)(*slot)) {
            fits &= sum.add(count);
        }
        if observer.interrupted() {
            return ControlFlow::Break(());
        }
        let slots: Vec<u32> = layer.iter().map(|&(slot, _)| slot).collect();
        let mut next: Vec<(u32, N)> = Vec::new();
        let mut at = 0;
        space.each_successors(&slots, &mut |_, successors| {
            for &to in successors {
                if space.depth(to) == depth && (walks.passes)(to) {
                    next.push((to, layer[at].1.clone()));
                }
            }
            at += 1;
        });
        next.sort_by_key(|&(slot, _)| slot);
        let mut merged: Vec<(u32, N)> = Vec::new();
        for (slot, count) in next {
            match merged.last_mut() {
                Some((last, total)) if *last == slot => fits &= total.add(&count),
                _ => merged.push((slot, count)),
            }
        }
        if !fits {
            return ControlFlow::Continue(None);
        }
        layer = merged;
    }
    ControlFlow::Continue(Some(sum))
}
