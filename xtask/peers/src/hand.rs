//! Two-way frogs written for themselves: the blank's place and the kinds in one word, shifts instead
//! of rules.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

/// Number of reachable states, n a side.
pub fn count(n: usize) -> usize {
    let cells = 2 * n + 1;
    // Bit c: a toad stands at cell c. The blank's place is in the top bits, its bit is 0.
    let toads = ((1_u64 << n) - 1) << (n + 1);
    let start = (n as u64) << 56 | toads;
    let mut seen: HashSet<u64, FxBuildHasher> = HashSet::with_hasher(FxBuildHasher);
    seen.insert(start);
    let mut layer = vec![start];
    let mut next = Vec::new();
    while !layer.is_empty() {
        for &state in &layer {
            let blank = (state >> 56) as usize;
            let kinds = state & ((1 << 56) - 1);
            let mut go = |from: usize| {
                let kind = kinds >> from & 1;
                let to = (from as u64) << 56 | (kinds & !(1 << from)) | kind << blank;
                if seen.insert(to) {
                    next.push(to);
                }
            };
            for (near, far) in [(blank.wrapping_sub(1), blank.wrapping_sub(2)), (blank + 1, blank + 2)] {
                if near < cells {
                    go(near);
                }
                if far < cells && (kinds >> near ^ kinds >> far) & 1 == 1 {
                    go(far);
                }
            }
        }
        layer.clear();
        std::mem::swap(&mut layer, &mut next);
    }
    seen.len()
}
