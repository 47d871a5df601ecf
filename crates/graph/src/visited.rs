//! Which states were seen: sorted runs, merged as they grow, so that a new layer is compared with
//! few of them.

use crate::numbers::Numbers;

/// Sorted runs of distinct states; each is at least twice as long as the next. Where depths are
/// kept, each state has its own.
#[derive(Clone, Debug)]
pub(crate) struct Runs<S> {
    runs: Vec<Run<S>>,
    with_depths: bool,
}

/// A sorted run of distinct states, and their depths (no entry where depths are not kept).
#[derive(Clone, Debug)]
pub(crate) struct Run<S> {
    pub(crate) states: Vec<S>,
    pub(crate) depths: Numbers,
}

impl<S: Copy + Ord> Runs<S> {
    pub(crate) fn new(with_depths: bool) -> Self {
        Self {
            runs: Vec::new(),
            with_depths,
        }
    }

    /// Adds sorted states of one depth, none of which is here yet.
    pub(crate) fn add(&mut self, states: Vec<S>, depth: u32) {
        if states.is_empty() {
            return;
        }
        let slots = if self.with_depths { states.len() } else { 0 };
        let depths = Numbers::repeated(depth, slots);
        self.runs.push(Run { states, depths });
        while let [.., a, b] = &self.runs[..]
            && a.states.len() < 2 * b.states.len()
        {
            self.merge_last();
        }
    }

    /// Merges the two last runs.
    fn merge_last(&mut self) {
        let b = self.runs.pop().expect("two runs");
        let a = self.runs.pop().expect("two runs");
        self.runs.push(merge(a, b));
    }

    /// All states in one sorted list, with their depths.
    pub(crate) fn into_one(mut self) -> Run<S> {
        while self.runs.len() > 1 {
            self.merge_last();
        }
        self.runs.pop().unwrap_or(Run {
            states: Vec::new(),
            depths: Numbers::none(0),
        })
    }

    pub(crate) fn slices(&self) -> impl Iterator<Item = &[S]> {
        self.runs.iter().map(|run| run.states.as_slice())
    }

    /// States kept.
    pub(crate) fn len(&self) -> usize {
        self.slices().map(<[S]>::len).sum()
    }
}

fn merge<S: Copy + Ord>(mut a: Run<S>, mut b: Run<S>) -> Run<S> {
    if a.states.len() < b.states.len() {
        std::mem::swap(&mut a, &mut b);
    }
    while std::mem::discriminant(&a.depths) != std::mem::discriminant(&b.depths) {
        if a.depths.bytes() < b.depths.bytes() {
            a.depths.widen();
        } else {
            b.depths.widen();
        }
    }
    match (&mut a.depths, &b.depths) {
        (Numbers::One(x), Numbers::One(y)) => merge_into(&mut a.states, x, (&b.states, y)),
        (Numbers::Two(x), Numbers::Two(y)) => merge_into(&mut a.states, x, (&b.states, y)),
        (Numbers::Four(x), Numbers::Four(y)) => merge_into(&mut a.states, x, (&b.states, y)),
        _ => unreachable!("of one width"),
    }
    a
}

/// Merges a sorted list into another, which grows in place, and their depths: either both have one
/// for each state, or none.
fn merge_into<S: Copy + Ord, D: Copy>(a: &mut Vec<S>, depths: &mut Vec<D>, b: (&[S], &[D])) {
    let (mut left, mut right) = (a.len(), b.0.len());
    let Some(&filler) = b.0.last() else { return };
    a.reserve_exact(right);
    a.resize(left + right, filler);
    let with_depths = b.1.len() == right;
    if let Some(&filler) = b.1.last() {
        depths.reserve_exact(right);
        depths.resize(left + right, filler);
    }
    // From the back: what is not moved yet is never overwritten. No branch depends on the order.
    while left > 0 && right > 0 {
        let (x, y) = (a[left - 1], b.0[right - 1]);
        let is_left = x > y;
        let at = left + right - 1;
        a[at] = if is_left { x } else { y };
        if with_depths {
            depths[at] = if is_left {
                depths[left - 1]
            } else {
                b.1[right - 1]
            };
        }
        left -= usize::from(is_left);
        right -= usize::from(!is_left);
    }
    a[..right].copy_from_slice(&b.0[..right]);
    if with_depths {
        depths[..right].copy_from_slice(&b.1[..right]);
    }
}

/// Removes from sorted, distinct `states` those that are in the sorted `seen`.
pub(crate) fn subtract<S: Copy + Ord>(states: &mut Vec<S>, seen: &[S]) {
    let (Some(&first), Some(&last)) = (states.first(), states.last()) else {
        return;
    };
    let from = seen.partition_point(|s| *s < first);
    let to = from + seen[from..].partition_point(|s| *s <= last);
    let mut seen = &seen[from..to];
    if seen.is_empty() {
        return;
    }
    let mut kept = 0;
    for i in 0..states.len() {
        let state = states[i];
        seen = skip_below(seen, &state);
        states[kept] = state;
        kept += usize::from(seen.first() != Some(&state));
    }
    states.truncate(kept);
}

/// What is left of a sorted list from the first element not below `state` on, found by doubling.
pub(crate) fn skip_below<'a, S: Ord>(list: &'a [S], state: &S) -> &'a [S] {
    let mut step = 1;
    let mut low = 0;
    while low + step <= list.len() && list[low + step - 1] < *state {
        low += step;
        step *= 2;
    }
    let high = (low + step).min(list.len());
    &list[low + list[low..high].partition_point(|s| s < state)..]
}

#[cfg(test)]
mod tests {
    use super::{Runs, skip_below, subtract};
    use crate::numbers::Numbers;

    #[test]
    fn merging_keeps_order_and_depths() {
        for depths in [[0, 1, 2], [3, 300, 70_000], [70_000, 300, 3]] {
            let layers = [vec![1, 4, 9], vec![2, 3, 10, 20, 30], vec![5]];
            let mut runs = Runs::new(true);
            let mut plain = Runs::new(false);
            let mut wanted = Vec::new();
            for (layer, depth) in layers.into_iter().zip(depths) {
                wanted.extend(layer.iter().map(|&state| (state, Some(depth))));
                runs.add(layer.clone(), depth);
                plain.add(layer, depth);
            }
            wanted.sort_unstable();
            let all = runs.into_one();
            let found: Vec<_> = (0..)
                .zip(&all.states)
                .map(|(slot, &state)| (state, all.depths.get(slot)))
                .collect();
            assert_eq!(found, wanted);
            let plain = plain.into_one();
            assert_eq!((plain.states, plain.depths), (all.states, Numbers::none(0)));
        }
    }

    #[test]
    fn subtracting() {
        let check = |states: &[u32], seen: &[u32], left: &[u32]| {
            let mut states = states.to_vec();
            subtract(&mut states, seen);
            assert_eq!(states, left);
        };
        check(&[], &[1, 2], &[]);
        check(&[1, 2, 3], &[], &[1, 2, 3]);
        check(&[1, 2, 3], &[2], &[1, 3]);
        check(&[5, 6], &[1, 2, 3, 4, 5, 7, 8], &[6]);
        check(&[1, 100], &(0..200).collect::<Vec<_>>(), &[]);
    }

    #[test]
    fn skipping_finds_every_place() {
        let list: Vec<u32> = (0..50).map(|x| 2 * x).collect();
        for state in 0..101 {
            assert_eq!(
                skip_below(&list, &state).first(),
                list.iter().find(|&&s| s >= state)
            );
        }
    }

    #[test]
    fn runs_stay_few() {
        let mut runs = Runs::new(false);
        for layer in 0..1000_u32 {
            runs.add(vec![layer, layer + 100_000], layer);
        }
        assert_eq!(runs.len(), 2000);
        assert!(runs.slices().count() <= 11);
        assert_eq!(runs.into_one().states.last(), Some(&100_999));
    }
}
