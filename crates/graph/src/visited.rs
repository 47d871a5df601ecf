//! Which states were seen: sorted runs, merged as they grow, so that a new layer is compared with
//! few of them.

/// Sorted runs of distinct states; each is at least twice as long as the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runs<S>(Vec<Vec<S>>);

impl<S: Copy + Ord> Runs<S> {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds sorted states, none of which is here yet.
    pub(crate) fn add(&mut self, states: Vec<S>) {
        self.0.push(states);
        while let [.., a, b] = &self.0[..]
            && a.len() < 2 * b.len()
        {
            let b = self.0.pop().expect("two runs");
            let a = self.0.pop().expect("two runs");
            self.0.push(merge(a, b));
        }
    }

    pub(crate) fn slices(&self) -> Vec<&[S]> {
        self.0.iter().map(Vec::as_slice).collect()
    }

    /// Whether a state is here.
    pub(crate) fn has(&self, state: S) -> bool {
        self.0.iter().any(|run| run.binary_search(&state).is_ok())
    }

    /// States kept.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }
}

/// Merges two sorted lists; the longer one grows in place.
fn merge<S: Copy + Ord>(mut a: Vec<S>, mut b: Vec<S>) -> Vec<S> {
    if a.len() < b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    let (mut left, mut right) = (a.len(), b.len());
    let Some(&filler) = b.last() else { return a };
    a.reserve_exact(right);
    a.resize(left + right, filler);
    // From the back: what is not moved yet is never overwritten.
    while right > 0 {
        if left > 0 && a[left - 1] > b[right - 1] {
            left -= 1;
            a[left + right] = a[left];
        } else {
            right -= 1;
            a[left + right] = b[right];
        }
    }
    a
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
    use super::{Runs, merge, skip_below, subtract};

    #[test]
    fn merging_keeps_order() {
        for (a, b) in [
            (vec![], vec![]),
            (vec![1], vec![]),
            (vec![], vec![1]),
            (vec![1, 4, 9], vec![2, 3, 10]),
        ] {
            let mut all = [a.clone(), b.clone()].concat();
            all.sort_unstable();
            assert_eq!(merge(a, b), all);
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
        let mut runs = Runs::new();
        for layer in 0..1000_u32 {
            runs.add(vec![layer, layer + 100_000]);
        }
        assert_eq!(runs.len(), 2000);
        assert!(runs.slices().len() <= 11);
        assert!(runs.has(100_999) && !runs.has(1000));
    }
}
