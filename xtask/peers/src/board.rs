//! The two puzzles as boards of symbols and rules on a few cells.

/// A rewriting of some cells: cell, symbol before, symbol after.
pub type Rule = Vec<(usize, u8, u8)>;

/// A board, its start and its rules. Symbol 0 is an empty cell.
#[derive(Clone, Debug)]
pub struct Board {
    /// Cells.
    pub cells: usize,
    /// What stands where at the start.
    pub start: Vec<u8>,
    /// The rules, each at one place.
    pub rules: Vec<Rule>,
}

impl Board {
    /// Two-way frogs and toads, n a side: a step, or a jump over one of the other kind.
    pub fn frogs(n: usize) -> Self {
        let cells = 2 * n + 1;
        let mut rules = Vec::new();
        for a in 0..cells {
            for s in [1, 2] {
                if a + 1 < cells {
                    rules.push(vec![(a, s, 0), (a + 1, 0, s)]);
                    rules.push(vec![(a, 0, s), (a + 1, s, 0)]);
                }
                if a + 2 < cells {
                    let over = 3 - s;
                    rules.push(vec![(a, s, 0), (a + 1, over, over), (a + 2, 0, s)]);
                    rules.push(vec![(a, 0, s), (a + 1, over, over), (a + 2, s, 0)]);
                }
            }
        }
        let start = (0..cells)
            .map(|c| match c.cmp(&n) {
                std::cmp::Ordering::Less => 1,
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => 2,
            })
            .collect();
        Self {
            cells,
            start,
            rules,
        }
    }

    /// White knights in the first cells, as many black ones in the last.
    pub fn knights(rows: usize, cols: usize, men: usize) -> Self {
        let cells = rows * cols;
        let mut rules = Vec::new();
        for a in 0..cells {
            for (dr, dc) in [
                (1, 2),
                (2, 1),
                (-1, 2),
                (-2, 1),
                (1, -2),
                (2, -1),
                (-1, -2),
                (-2, -1),
            ] {
                let (r, c) = ((a / cols) as i32 + dr, (a % cols) as i32 + dc);
                if r < 0 || c < 0 || r >= rows as i32 || c >= cols as i32 {
                    continue;
                }
                let b = r as usize * cols + c as usize;
                for s in [1, 2] {
                    rules.push(vec![(a, s, 0), (b, 0, s)]);
                }
            }
        }
        let start = (0..cells)
            .map(|c| {
                if c < men {
                    1
                } else if c >= cells - men {
                    2
                } else {
                    0
                }
            })
            .collect();
        Self {
            cells,
            start,
            rules,
        }
    }
}
