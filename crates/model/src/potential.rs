//! Whether every move raises one function of the state by one: then all ways to a state are equally
//! long.
//!
//! The functions tried are sums of a weight for what stands in each cell, and of a weight for each
//! pair of cells by what stands in the first and in the second. Slides of frogs that never turn back
//! are told by the cells alone; a jump goes two cells far, but also takes two pieces past each other,
//! which the pairs tell.
//!
//! That a rule raises such a function by one, whatever stands in the cells it leaves open, is a
//! system of linear equations in the weights. It is solved modulo a prime: where a function of
//! residues rises by one with every move, a state that is reached by `k` and by `l` moves has `k`
//! and `l` equal modulo the prime, and no way is nearly as long as that.

use std::collections::BTreeSet;

use crate::placed::{PlacedRule, Symbol};

/// The prime: 2^31 - 1.
const PRIME: u64 = (1 << 31) - 1;
/// Systems that would take longer are not tried: rows times the square of columns.
const MOST_WORK: usize = 20_000_000;

/// Whether the rules are proved to raise one function of the state by one, and all starts to have it
/// equal. `false` proves nothing.
///
/// # Example
/// Taking one peg away with every move is such a rule; a move that can be taken back is not.
#[must_use]
pub fn is_graded(rules: &[PlacedRule], cells: usize, symbols: usize, starts: &[Vec<u64>]) -> bool {
    let columns = cells * symbols + symbols * symbols;
    if rules.is_empty()
        || rules.iter().any(|rule| !rule.moved.is_empty())
        || columns.saturating_mul(columns) > MOST_WORK / rules.len()
    {
        return false;
    }
    let weights = Weights { cells, symbols };
    let mut system = System::new(columns);
    let mut known = BTreeSet::new();
    for rule in rules {
        for row in weights.rows(rule) {
            if known.insert(row.clone()) && !system.add(&row) {
                return false;
            }
        }
    }
    let first = weights.of(&starts[0]);
    starts[1..].iter().all(|start| {
        let mut row = weights.of(start);
        row.iter_mut().zip(&first).for_each(|(a, b)| *a -= b);
        row.push(0);
        system.add(&row)
    })
}

/// Numbers the weights: of a symbol in a cell, then of a pair of symbols.
struct Weights {
    cells: usize,
    symbols: usize,
}

impl Weights {
    fn columns(&self) -> usize {
        self.cells * self.symbols + self.symbols * self.symbols
    }

    fn cell(&self, cell: usize, symbol: Symbol) -> usize {
        cell * self.symbols + usize::from(symbol)
    }

    fn pair(&self, first: Symbol, second: Symbol) -> usize {
        self.cells * self.symbols + usize::from(first) * self.symbols + usize::from(second)
    }

    /// How often each weight is in the function's value for a board.
    fn of(&self, board: &[u64]) -> Vec<i64> {
        let mut row = vec![0; self.columns()];
        for (i, &symbol) in board.iter().enumerate() {
            row[self.cell(i, symbol as Symbol)] += 1;
            for &later in &board[i + 1..] {
                row[self.pair(symbol as Symbol, later as Symbol)] += 1;
            }
        }
        row
    }

    /// The equations of one rule; the last entry is the right side. The first says that it raises
    /// the function by one where every cell that it leaves open holds the least symbol it may; the
    /// others, that another symbol there makes no difference.
    fn rows(&self, rule: &PlacedRule) -> Vec<Vec<i64>> {
        let mut base = vec![0; self.columns() + 1];
        base[self.columns()] = 1;
        for (i, &(cell, before, after)) in rule.delta.iter().enumerate() {
            base[self.cell(cell as usize, after)] += 1;
            base[self.cell(cell as usize, before)] -= 1;
            for &(_, later_before, later_after) in &rule.delta[i + 1..] {
                base[self.pair(after, later_after)] += 1;
                base[self.pair(before, later_before)] -= 1;
            }
        }
        let mut rows = Vec::new();
        for cell in 0..self.cells {
            if rule.delta.iter().any(|d| d.0 as usize == cell) {
                continue;
            }
            let guard = rule.guard.iter().find(|g| g.0 as usize == cell);
            let mut allowed = (0..self.symbols as Symbol)
                .filter(|&symbol| guard.is_none_or(|(_, set)| set.has(symbol)));
            let Some(least) = allowed.next() else {
                return Vec::new();
            };
            let there = self.beside(rule, cell, least);
            for symbol in allowed {
                let mut other = self.beside(rule, cell, symbol);
                other.iter_mut().zip(&there).for_each(|(a, b)| *a -= b);
                if other.iter().any(|&n| n != 0) {
                    rows.push(other);
                }
            }
            base.iter_mut().zip(&there).for_each(|(a, b)| *a += b);
        }
        rows.push(base);
        rows
    }

    /// By how much a move raises the pairs with one other cell, holding `symbol`.
    fn beside(&self, rule: &PlacedRule, cell: usize, symbol: Symbol) -> Vec<i64> {
        let mut row = vec![0; self.columns() + 1];
        for &(changed, before, after) in &rule.delta {
            let pair = |content| {
                if (changed as usize) < cell {
                    self.pair(content, symbol)
                } else {
                    self.pair(symbol, content)
                }
            };
            row[pair(after)] += 1;
            row[pair(before)] -= 1;
        }
        row
    }
}

/// Linear equations modulo the prime, in echelon form.
struct System {
    /// By the column of the first entry, which is 1.
    rows: Vec<Option<Vec<u64>>>,
}

impl System {
    fn new(columns: usize) -> Self {
        Self {
            rows: vec![None; columns],
        }
    }

    /// Adds an equation, the last entry of which is the right side; `false` if it contradicts.
    fn add(&mut self, row: &[i64]) -> bool {
        let mut row: Vec<u64> = row
            .iter()
            .map(|&n| n.rem_euclid(PRIME as i64) as u64)
            .collect();
        for column in 0..self.rows.len() {
            let factor = row[column];
            if factor == 0 {
                continue;
            }
            if let Some(pivot) = &self.rows[column] {
                for (a, b) in row[column..].iter_mut().zip(&pivot[column..]) {
                    *a = (*a + (PRIME - factor) * b) % PRIME;
                }
            } else {
                let inverse = power(factor, PRIME - 2);
                for a in &mut row {
                    *a = *a * inverse % PRIME;
                }
                self.rows[column] = Some(row);
                return true;
            }
        }
        row[self.rows.len()] == 0
    }
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut product = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            product = product * base % PRIME;
        }
        base = base * base % PRIME;
        exponent >>= 1;
    }
    product
}

#[cfg(test)]
mod tests {
    use super::is_graded;
    use crate::place::place;

    fn check(text: &str, graded: bool) {
        let text = format!("puzzle \"P\"\n{text}");
        let file = crate::parse::parse("test", text.as_bytes())
            .expect("a file")
            .file;
        let params = file.parameters(&[]).expect("no parameters");
        let instance = file.instance("test", params, None).expect("an instance").0;
        let placed = place(&instance).expect("few placements");
        let symbols = instance.alphabet.symbols.len();
        let found = is_graded(&placed.rules, placed.cells, symbols, &instance.starts);
        assert_eq!(found, graded, "{text}");
    }

    #[test]
    fn which_rules_are_graded() {
        let frogs = "piece F \"frog\"\npiece T \"toad\"\nboard line\nstart F F F . T T T\ngoal T T T . F F F\n";
        let slide = "move right: F . -> . F\nmove left: . T -> T .\n";
        check(&format!("{frogs}{slide}"), true);
        let jump = "move hop: F T . -> . T F\nmove back: . F T -> T F .\n";
        check(&format!("{frogs}{slide}{jump}"), true);
        // Over any piece the lengths of ways differ.
        let over = "move hop: F x:_ . -> . x F where x != .\n";
        check(&format!("{frogs}{slide}{jump}{over}"), false);
        // A jump over nothing is two slides.
        check(&format!("{frogs}{slide}move far: F . . -> . . F\n"), false);
        check(&format!("{frogs}{slide}move back: . F -> F .\n"), false);
        let pegs =
            "piece P \"peg\"\nboard grid 3 by 3\nstart . P P / P P P / P P P\ngoal count P = 1\n";
        check(
            &format!("{pegs}move jump: P P . -> . . P along orthogonal\n"),
            true,
        );
        let free =
            "piece A \"a\"\nboard line\nstart . . . .\ngoal contains A A A A\nmove put: . -> A\n";
        check(free, true);
    }

    #[test]
    fn starts_must_stand_equally_far() {
        let line = "piece A \"a\"\nboard line\ngoal contains A A A A\nmove put: . -> A\n";
        check(&format!("{line}start A . . .\nstart . . A .\n"), true);
        check(&format!("{line}start A . . .\nstart . . A A\n"), false);
    }
}
