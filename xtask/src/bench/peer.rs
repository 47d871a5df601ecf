//! A plain search as one writes it first: boards as vectors of bytes in a hash map with depths.

use std::collections::HashMap;

use anyhow::{Result, ensure};

/// Searches frogs and toads, both ways, `n` a side, and prints one line of JSON.
pub(crate) fn run(n: usize) -> Result<()> {
    ensure!((1..=12).contains(&n), "n is {n}, but the peer takes 1..12");
    let depths = search(start(n));
    let deepest = depths.values().max().copied().unwrap_or(0);
    println!("{{\"states\":{},\"max_depth\":{deepest}}}", depths.len());
    Ok(())
}

fn start(n: usize) -> Vec<u8> {
    [vec![b'F'; n], vec![b'.'], vec![b'T'; n]].concat()
}

/// Every board that can be reached, with its depth.
fn search(start: Vec<u8>) -> HashMap<Vec<u8>, u32> {
    let mut depths = HashMap::from([(start.clone(), 0)]);
    let mut frontier = vec![start];
    for depth in 1.. {
        let mut next = Vec::new();
        for board in &frontier {
            for successor in successors(board) {
                if !depths.contains_key(&successor) {
                    depths.insert(successor.clone(), depth);
                    next.push(successor);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        frontier = next;
    }
    depths
}

/// A piece steps into the empty cell beside it, or jumps over one piece into it.
fn successors(board: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::with_capacity(4);
    for from in (0..board.len()).filter(|&cell| board[cell] != b'.') {
        for to in [
            from.wrapping_sub(2),
            from.wrapping_sub(1),
            from + 1,
            from + 2,
        ] {
            if board.get(to) == Some(&b'.') {
                let mut successor = board.to_vec();
                successor.swap(from, to);
                found.push(successor);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{search, start};

    #[test]
    fn counts_every_arrangement() {
        // (2n + 1) * binomial(2n, n), with one empty cell.
        for (n, states) in [(1, 6), (2, 30), (3, 140), (4, 630)] {
            assert_eq!(search(start(n)).len(), states, "n = {n}");
        }
    }
}
