//! Whether the counts of a board stay bounded, proved by weights of the cells.

use num_bigint::BigInt;
use num_traits::{One as _, Signed as _, Zero as _};

use crate::board::Shape;
use crate::instance::Instance;
use crate::placed::{Amount, PlacedCount};

/// Positive weights of the cells whose weighted sum no move raises: then no count ever passes the
/// sum at the start. `None` if there are none: some mixture of moves adds without taking away.
///
/// Moves whose amounts are computed from captures are left out: their growth shows when they run.
///
/// Where positions count up to shift all cells have one weight: a shift must not raise the sum.
#[must_use]
pub fn weights(instance: &Instance, rules: &[PlacedCount]) -> Option<Vec<BigInt>> {
    let shifts = instance.board.shape == Shape::Span;
    let cells = if shifts { 1 } else { instance.board.cells };
    let mut rows: Vec<Vec<i64>> = Vec::new();
    for rule in rules.iter().filter(|r| !r.cut) {
        let mut row = vec![0; cells];
        let mut fixed = true;
        for (cell, amount) in &rule.adds {
            match amount {
                Amount::Fixed(n) => row[if shifts { 0 } else { *cell as usize }] += n,
                Amount::Computed(_) => fixed = false,
            }
        }
        if fixed && row.iter().any(|&n| n > 0) {
            rows.push(row);
        }
    }
    rows.sort_unstable();
    rows.dedup();
    positive_solution(&rows, cells)
}

/// Boards with more cells are not proved bounded: the proof takes cells times rules.
pub const MOST_PROVED: usize = 64;

/// The greatest count any cell can come to hold, proved by [`weights`]; `None` where there is no
/// proof: amounts are computed, weights do not exist, or the board is too large to look for them.
#[must_use]
pub fn greatest_count(instance: &Instance, rules: &[PlacedCount]) -> Option<u64> {
    let is_fixed = |rule: &PlacedCount| {
        let mut amounts = rule.adds.iter().map(|(_, amount)| amount);
        amounts.all(|amount| matches!(amount, Amount::Fixed(_)))
    };
    if instance.board.cells > MOST_PROVED || !rules.iter().all(is_fixed) {
        return None;
    }
    let weights = weights(instance, rules)?;
    let weight = |cell: usize| &weights[cell.min(weights.len() - 1)];
    let sum = |start: &Vec<u64>| -> BigInt {
        let terms = start.iter().enumerate();
        terms.map(|(cell, &count)| weight(cell) * count).sum()
    };
    let most = instance.starts.iter().map(sum).max()?;
    let lightest = weights.iter().min()?;
    u64::try_from(most / lightest).ok()
}

/// Some `w` with every `w[i]` positive and `row . w <= 0` for every row, in integers; `None` if
/// there is none. The first phase of the simplex method with Bland's rule, in whole numbers over
/// one denominator.
fn positive_solution(rows: &[Vec<i64>], columns: usize) -> Option<Vec<BigInt>> {
    // w = 1 + x with x >= 0, a slack and where needed an artificial variable a row.
    let mut tableau = Tableau::new(rows, columns);
    while let Some(column) = tableau.improving_column() {
        let row = tableau.leaving_row(column)?;
        tableau.pivot(row, column);
    }
    tableau.cost_is_zero().then(|| tableau.solution(columns))
}

struct Tableau {
    /// Rows of coefficients; the last entry is the right side; the last row is the cost.
    cells: Vec<Vec<BigInt>>,
    basis: Vec<usize>,
    denominator: BigInt,
    /// Columns from here on are artificial: once out, they stay out.
    artificial: usize,
}

impl Tableau {
    fn new(rows: &[Vec<i64>], columns: usize) -> Self {
        let sums: Vec<i64> = rows.iter().map(|row| row.iter().sum()).collect();
        let lacking = sums.iter().filter(|&&sum| sum > 0).count();
        let artificial = columns + rows.len();
        let width = artificial + lacking + 1;
        let mut cells = vec![vec![BigInt::zero(); width]; rows.len() + 1];
        let mut basis = Vec::new();
        let mut next = artificial;
        for (i, row) in rows.iter().enumerate() {
            let sign = if sums[i] > 0 { -1 } else { 1 };
            for (j, &n) in row.iter().enumerate() {
                cells[i][j] = BigInt::from(sign * n);
            }
            cells[i][columns + i] = BigInt::from(sign);
            cells[i][width - 1] = BigInt::from(-sign * sums[i]);
            if sums[i] > 0 {
                cells[i][next] = BigInt::one();
                basis.push(next);
                next += 1;
                for j in (0..artificial).chain([width - 1]) {
                    let lowered = &cells[rows.len()][j] - &cells[i][j];
                    cells[rows.len()][j] = lowered;
                }
            } else {
                basis.push(columns + i);
            }
        }
        Self {
            cells,
            basis,
            denominator: BigInt::one(),
            artificial,
        }
    }

    fn improving_column(&self) -> Option<usize> {
        let cost = self.cells.last().expect("the cost row");
        (0..self.artificial).find(|&j| cost[j].is_negative())
    }

    /// The row of least ratio, of least basis variable among equals.
    fn leaving_row(&self, column: usize) -> Option<usize> {
        let rows = 0..self.basis.len();
        let ratio = |i: usize| {
            (
                self.cells[i].last().expect("right side"),
                &self.cells[i][column],
            )
        };
        rows.filter(|&i| self.cells[i][column].is_positive())
            .min_by(|&a, &b| {
                let ((p, q), (r, s)) = (ratio(a), ratio(b));
                (p * s)
                    .cmp(&(r * q))
                    .then(self.basis[a].cmp(&self.basis[b]))
            })
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let pivot = self.cells[row][column].clone();
        let pivot_row = self.cells[row].clone();
        for (i, cells) in self.cells.iter_mut().enumerate() {
            if i == row {
                continue;
            }
            let factor = cells[column].clone();
            for (cell, above) in cells.iter_mut().zip(&pivot_row) {
                *cell = (&*cell * &pivot - &factor * above) / &self.denominator;
            }
        }
        self.denominator = pivot;
        self.basis[row] = column;
    }

    fn cost_is_zero(&self) -> bool {
        self.cells
            .last()
            .expect("the cost row")
            .last()
            .expect("right side")
            .is_zero()
    }

    /// `w` times the denominator.
    fn solution(&self, columns: usize) -> Vec<BigInt> {
        let mut weights = vec![self.denominator.clone(); columns];
        for (row, &variable) in self.basis.iter().enumerate() {
            if variable < columns {
                weights[variable] += self.cells[row].last().expect("right side");
            }
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_traits::Signed as _;

    use super::positive_solution;

    fn check(rows: &[&[i64]], bounded: bool) {
        let rows: Vec<Vec<i64>> = rows.iter().map(|r| r.to_vec()).collect();
        let columns = rows.first().map_or(3, Vec::len);
        let found = positive_solution(&rows, columns);
        assert_eq!(found.is_some(), bounded, "{rows:?}: {found:?}");
        if let Some(weights) = found {
            assert!(
                weights.iter().all(BigInt::is_positive),
                "{rows:?}: {weights:?}"
            );
            for row in &rows {
                let sum: BigInt = row.iter().zip(&weights).map(|(n, w)| w * n).sum();
                assert!(!sum.is_positive(), "{row:?} of {rows:?}: {weights:?}");
            }
        }
    }

    #[test]
    fn the_greatest_count_of_a_row_of_chips() {
        let check = |moves: &str, greatest: Option<u64>| {
            let text =
                format!("puzzle \"C\"\nboard line of counts\nstart 4 . .\ngoal . . 1\n{moves}");
            let file = crate::parse::parse("test", text.as_bytes())
                .expect("a file")
                .file;
            let params = file.parameters(&[]).expect("no parameters");
            let instance = file.instance("test", params, None).expect("an instance").0;
            let placed = crate::place::place(&instance).expect("few placements");
            let found = super::greatest_count(&instance, &placed.counts);
            assert!(
                found >= greatest && found.is_some() == greatest.is_some(),
                "{moves}: {found:?}"
            );
        };
        check("move a: 1.. _ -> -1 +1\n", Some(4));
        check("move a: 2.. _ -> -2 +1\n", Some(4));
        check("move a: 1.. _ -> -1 +2\n", Some(16));
        check("move a: x:_ _ -> -x +x\n", None);
    }

    #[test]
    fn bounded_and_unbounded_boards() {
        check(&[], true);
        check(&[&[1, -1]], true);
        check(&[&[1, -1], &[-1, 1]], true);
        check(&[&[1]], false);
        check(&[&[-1, 2], &[2, -1]], false);
        check(&[&[-1, 2]], true);
        check(&[&[-1, 2, 0], &[0, -1, 2]], true);
        check(&[&[-1, 2, 0], &[0, -1, 2], &[1, 0, -3]], false);
        check(&[&[-1, 2, 0], &[0, -1, 2], &[1, 0, -4]], true);
        // Fibonacci weights, both ways: sums that are kept.
        check(
            &[
                &[1, 1, -1, 0, 0],
                &[-1, -1, 1, 0, 0],
                &[0, 1, 1, -1, 0],
                &[0, -1, -1, 1, 0],
                &[0, 0, 1, 1, -1],
                &[0, 0, -1, -1, 1],
            ],
            true,
        );
        check(&[&[1, 1, -1], &[-1, 1, 1]], false);
    }
}
