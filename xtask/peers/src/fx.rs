//! A search as a careful programmer writes it: two bits a cell in one word, a table with a fast hash,
//! rules indexed by the cell of their rarest symbol.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use crate::board::Board;

/// A rule on a packed board: it fits where `state & mask == value`, and then flips `flip`.
#[derive(Clone, Copy)]
struct Packed {
    mask: u64,
    value: u64,
    flip: u64,
}

/// Number of reachable states.
pub fn count(board: &Board) -> usize {
    assert!(board.cells <= 32, "two bits a cell");
    let pack = |cells: &[u8]| {
        cells
            .iter()
            .enumerate()
            .fold(0_u64, |word, (c, &s)| word | u64::from(s) << (2 * c))
    };
    let mut counts = [0; 3];
    for &s in &board.start {
        counts[usize::from(s)] += 1;
    }
    let rarest = (0..3_u8)
        .min_by_key(|&s| counts[usize::from(s)])
        .expect("three symbols");
    // Rules by a cell where they ask for the rarest symbol they name.
    let mut buckets: Vec<[Vec<Packed>; 3]> = vec![Default::default(); board.cells];
    let mut used = [false; 3];
    for rule in &board.rules {
        let &(cell, symbol, _) = rule
            .iter()
            .min_by_key(|&&(_, s, _)| (s != rarest, counts[usize::from(s)]))
            .expect("a rule reads something");
        let mut packed = Packed {
            mask: 0,
            value: 0,
            flip: 0,
        };
        for &(c, before, after) in rule {
            packed.mask |= 3 << (2 * c);
            packed.value |= u64::from(before) << (2 * c);
            packed.flip |= u64::from(before ^ after) << (2 * c);
        }
        used[usize::from(symbol)] = true;
        buckets[cell][usize::from(symbol)].push(packed);
    }
    let every = (1_u64 << (2 * board.cells)) - 1;
    let low = 0x5555_5555_5555_5555 & every;
    let start = pack(&board.start);
    let mut seen: HashSet<u64, FxBuildHasher> = HashSet::with_hasher(FxBuildHasher);
    seen.insert(start);
    let mut layer = vec![start];
    let mut next = Vec::new();
    while !layer.is_empty() {
        for &state in &layer {
            for symbol in (0..3).filter(|&s| used[s]) {
                // One bit for each cell that holds the symbol.
                let different = state ^ (low * symbol as u64);
                let mut places = !(different | different >> 1) & low;
                while places != 0 {
                    let cell = places.trailing_zeros() as usize / 2;
                    places &= places - 1;
                    for rule in &buckets[cell][symbol] {
                        if state & rule.mask == rule.value {
                            let to = state ^ rule.flip;
                            if seen.insert(to) {
                                next.push(to);
                            }
                        }
                    }
                }
            }
        }
        layer.clear();
        std::mem::swap(&mut layer, &mut next);
    }
    seen.len()
}
