//! Finding states in the one sorted list: by a cursor for each move, or many at once.

use impasse_model::puzzle::Move;

/// A cursor for each move.
pub(crate) struct Cursors<'s, S> {
    states: &'s [S],
    at: Vec<u32>,
}

impl<'s, S: Ord + Copy> Cursors<'s, S> {
    pub(crate) fn new(states: &'s [S], moves: u32) -> Self {
        Self {
            states,
            at: vec![u32::MAX; moves.max(1) as usize],
        }
    }

    /// The slot of a state, near where this move led last.
    #[inline]
    pub(crate) fn find(&mut self, mv: Move, state: S) -> Option<u32> {
        let count = self.at.len() as u32;
        let cursor = &mut self.at[(mv.0 % count) as usize];
        let (low, high) = if *cursor == u32::MAX {
            (0, self.states.len())
        } else {
            bracket(self.states, *cursor as usize, &state)
        };
        let at = low + self.states[low..high].partition_point(|s| *s < state);
        *cursor = at.min(self.states.len() - 1) as u32;
        (self.states.get(at) == Some(&state)).then_some(at as u32)
    }
}

/// Calls `visit` with the slot of each of the `wanted` states that is here. Both lists ascend; steps
/// begin at half the last distance, as the next one is seldom far from it.
pub(crate) fn locate<S: Ord>(states: &[S], wanted: &[S], mut visit: impl FnMut(u32)) {
    let (mut at, mut step) = (0, 1);
    for state in wanted {
        let mut low = at;
        let mut stride = step;
        while low + stride <= states.len() && states[low + stride - 1] < *state {
            low += stride;
            stride *= 2;
        }
        let high = (low + stride).min(states.len());
        let found = low + states[low..high].partition_point(|s| s < state);
        if states.get(found) == Some(state) {
            visit(found as u32);
        }
        step = ((found - at) / 2).max(1);
        at = found;
    }
}

/// A range around `from` that holds the place of `state`, found by doubling.
#[inline]
fn bracket<S: Ord>(states: &[S], from: usize, state: &S) -> (usize, usize) {
    let mut step = 1;
    if states[from] < *state {
        let mut low = from + 1;
        while low + step <= states.len() && states[low + step - 1] < *state {
            low += step;
            step *= 2;
        }
        (low, (low + step).min(states.len()))
    } else {
        let mut high = from + 1;
        while step <= high && states[high - step] >= *state {
            high -= step;
            step *= 2;
        }
        (high.saturating_sub(step), high)
    }
}

#[cfg(test)]
mod tests {
    use super::locate;

    #[test]
    fn locating_finds_what_is_there() {
        let states: Vec<u32> = (0..1000).filter(|x| x % 7 != 3).map(|x| 3 * x).collect();
        for stride in [1, 2, 3, 10, 100, 900] {
            let wanted: Vec<u32> = (0..3100).step_by(stride).collect();
            let mut found = Vec::new();
            locate(&states, &wanted, |slot| found.push(states[slot as usize]));
            let there = |x: &u32| states.binary_search(x).is_ok();
            assert_eq!(found, wanted.into_iter().filter(there).collect::<Vec<_>>());
        }
        locate(&[], &[1, 2], |_: u32| panic!("nothing is there"));
        locate(&states, &[], |_| panic!("nothing is wanted"));
    }
}
