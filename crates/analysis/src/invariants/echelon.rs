//! Elimination over a field, row by row, with sparse rows and a limit of work.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One as _, Zero as _};

/// A linear form: unknowns with their coefficients; by unknown, none zero.
pub(crate) type Form = Vec<(u32, i64)>;

/// A field to eliminate over.
pub(crate) trait Field {
    /// Its elements.
    type Element: Clone;
    /// 0.
    fn zero(&self) -> Self::Element;
    /// 1.
    fn one(&self) -> Self::Element;
    /// An integer as an element.
    fn of(&self, n: i64) -> Self::Element;
    /// Whether it is 0.
    fn is_zero(&self, a: &Self::Element) -> bool;
    /// `a - b * c`.
    fn minus(&self, a: &Self::Element, b: &Self::Element, c: &Self::Element) -> Self::Element;
    /// `a / b`; `b` is not 0.
    fn over(&self, a: &Self::Element, b: &Self::Element) -> Self::Element;
}

/// A prime above all coefficients that come up, for rational questions: 2^61 - 1.
pub(crate) const LARGE_PRIME: u64 = (1 << 61) - 1;

/// The integers modulo a prime below 2^62.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Modulo(pub u64);

impl Modulo {
    /// `a * b`.
    pub(crate) fn times(self, a: u64, b: u64) -> u64 {
        (u128::from(a) * u128::from(b) % u128::from(self.0)) as u64
    }

    /// `a + b`.
    pub(crate) fn plus(self, a: u64, b: u64) -> u64 {
        (a + b) % self.0
    }

    /// A big integer as a residue.
    pub(crate) fn residue(self, n: &BigInt) -> u64 {
        let prime = BigInt::from(self.0);
        u64::try_from(((n % &prime) + &prime) % &prime).expect("a residue")
    }

    fn inverse(self, a: u64) -> u64 {
        let (mut power, mut base, mut exponent) = (1, a, self.0 - 2);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = self.times(power, base);
            }
            base = self.times(base, base);
            exponent >>= 1;
        }
        power
    }
}

impl Field for Modulo {
    type Element = u64;
    fn zero(&self) -> u64 {
        0
    }
    fn one(&self) -> u64 {
        1
    }
    fn of(&self, n: i64) -> u64 {
        i128::from(n).rem_euclid(i128::from(self.0)) as u64
    }
    fn is_zero(&self, a: &u64) -> bool {
        *a == 0
    }
    fn minus(&self, a: &u64, b: &u64, c: &u64) -> u64 {
        self.plus(*a, self.0 - self.times(*b, *c))
    }
    fn over(&self, a: &u64, b: &u64) -> u64 {
        if *b == 1 {
            *a
        } else {
            self.times(*a, self.inverse(*b))
        }
    }
}

/// The rational numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rationals;

impl Field for Rationals {
    type Element = Ratio<BigInt>;
    fn zero(&self) -> Ratio<BigInt> {
        Ratio::zero()
    }
    fn one(&self) -> Ratio<BigInt> {
        Ratio::one()
    }
    fn of(&self, n: i64) -> Ratio<BigInt> {
        Ratio::from_integer(n.into())
    }
    fn is_zero(&self, a: &Ratio<BigInt>) -> bool {
        a.is_zero()
    }
    fn minus(&self, a: &Ratio<BigInt>, b: &Ratio<BigInt>, c: &Ratio<BigInt>) -> Ratio<BigInt> {
        a - b * c
    }
    fn over(&self, a: &Ratio<BigInt>, b: &Ratio<BigInt>) -> Ratio<BigInt> {
        a / b
    }
}

/// Elimination took more steps than it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMuch;

/// Steps of elimination that may still be made; counted, not timed, so that every machine stops at
/// the same place.
#[derive(Clone, Debug)]
pub(crate) struct Work(u64);

impl Work {
    /// So many steps.
    pub(crate) fn new(steps: u64) -> Self {
        Self(steps)
    }

    /// Takes some.
    pub(crate) fn take(&mut self, steps: usize) -> Result<(), TooMuch> {
        self.0 = self.0.checked_sub(steps as u64).ok_or(TooMuch)?;
        Ok(())
    }
}

/// Columns with their elements; by column, none zero.
type Entries<F> = Vec<(u32, <F as Field>::Element)>;

/// Rows in echelon form: each begins with a 1, in a column of its own.
pub(crate) struct Echelon<F: Field> {
    field: F,
    /// By pivot column.
    rows: Vec<Option<Entries<F>>>,
    rank: usize,
}

impl<F: Field> Echelon<F> {
    /// No rows, of so many columns.
    pub(crate) fn new(field: F, columns: usize) -> Self {
        Self {
            field,
            rows: std::iter::repeat_with(|| None).take(columns).collect(),
            rank: 0,
        }
    }

    /// Number of independent rows.
    pub(crate) fn rank(&self) -> usize {
        self.rank
    }

    /// Adds a row; tells whether it was independent of those before.
    pub(crate) fn insert(&mut self, form: &Form, work: &mut Work) -> Result<bool, TooMuch> {
        let entries = form.iter().map(|&(column, n)| (column, self.field.of(n)));
        let entries: Vec<_> = entries.collect();
        self.insert_elements(&entries, work)
    }

    /// The same for a row of elements.
    pub(crate) fn insert_elements(
        &mut self,
        entries: &[(u32, F::Element)],
        work: &mut Work,
    ) -> Result<bool, TooMuch> {
        let columns = self.rows.len();
        let Some(&(first, _)) = entries.first() else {
            return Ok(false);
        };
        let mut row = vec![self.field.zero(); columns];
        for (column, element) in entries {
            row[*column as usize] = element.clone();
        }
        work.take(columns - first as usize)?;
        for column in first as usize..columns {
            if self.field.is_zero(&row[column]) {
                continue;
            }
            let Some(pivot) = &self.rows[column] else {
                let lead = row[column].clone();
                let rest = row[column..].iter().zip(column as u32..);
                let entries = rest
                    .filter(|(element, _)| !self.field.is_zero(element))
                    .map(|(element, at)| (at, self.field.over(element, &lead)));
                self.rows[column] = Some(entries.collect());
                self.rank += 1;
                return Ok(true);
            };
            work.take(pivot.len())?;
            let factor = row[column].clone();
            for (at, element) in pivot {
                let at = *at as usize;
                row[at] = self.field.minus(&row[at], &factor, element);
            }
        }
        Ok(false)
    }

    /// The columns in which no row begins: each gives one null vector.
    pub(crate) fn free(&self) -> Vec<usize> {
        (0..self.rows.len())
            .filter(|&c| self.rows[c].is_none())
            .collect()
    }

    /// The vector that every row takes to 0, with 1 in this free column and 0 in the others.
    pub(crate) fn null_vector(
        &self,
        free: usize,
        work: &mut Work,
    ) -> Result<Vec<F::Element>, TooMuch> {
        let mut vector = vec![self.field.zero(); self.rows.len()];
        vector[free] = self.field.one();
        for column in (0..free).rev() {
            let Some(row) = &self.rows[column] else {
                continue;
            };
            work.take(row.len())?;
            let mut sum = self.field.zero();
            for (at, element) in &row[1..] {
                if !self.field.is_zero(&vector[*at as usize]) {
                    sum = self.field.minus(&sum, element, &vector[*at as usize]);
                }
            }
            vector[column] = sum;
        }
        Ok(vector)
    }

    /// All null vectors, by free column.
    pub(crate) fn null_vectors(&self, work: &mut Work) -> Result<Vec<Vec<F::Element>>, TooMuch> {
        let free = self.free();
        // They are held as a whole: few, or short.
        work.take(free.len() * self.rows.len() * STEPS_A_NUMBER)?;
        free.into_iter()
            .map(|free| self.null_vector(free, work))
            .collect()
    }
}

/// A rational null space with primitive integer vectors, one for each column in which no row begins.
///
/// Independent rows are chosen modulo a large prime. Where the vectors modulo that prime are small
/// fractions, these are tried on every row; only where that fails the chosen rows are eliminated
/// again over the rationals. Either way every vector is checked on every row.
pub(crate) fn rational_null_space(
    rows: &[Form],
    columns: usize,
    work: &mut Work,
) -> Result<Vec<Vec<BigInt>>, TooMuch> {
    let mut modular = Echelon::new(Modulo(LARGE_PRIME), columns);
    let mut chosen = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        if modular.insert(row, work)? {
            chosen.push(i);
        }
    }
    let is_null = |vector: &Vec<BigInt>| rows.iter().all(|row| dot(row, vector).is_zero());
    let guessed: Option<Vec<Vec<BigInt>>> = modular
        .null_vectors(work)?
        .iter()
        .map(|vector| small_integers(vector).filter(is_null))
        .collect();
    if let Some(vectors) = guessed {
        return Ok(vectors);
    }
    let mut exact = Echelon::new(Rationals, columns);
    for i in chosen {
        // A step with fractions counts as many with residues.
        let mut steps = Work::new(work.0 / STEPS_A_FRACTION);
        exact.insert(&rows[i], &mut steps)?;
        work.0 = steps.0 * STEPS_A_FRACTION;
    }
    let vectors: Vec<Vec<BigInt>> = exact
        .null_vectors(work)?
        .iter()
        .map(|vector| integers(vector))
        .collect();
    // A row that depends on the others modulo the prime only is not expected; then nothing is said.
    if vectors.iter().all(is_null) {
        Ok(vectors)
    } else {
        Err(TooMuch)
    }
}

/// What a number of a null vector costs, in steps with residues.
const STEPS_A_NUMBER: usize = 8;
/// What a step with fractions costs, in steps with residues.
const STEPS_A_FRACTION: u64 = 64;

/// The value of a form.
pub(crate) fn dot(form: &Form, vector: &[BigInt]) -> BigInt {
    form.iter()
        .filter(|&&(column, _)| !vector[column as usize].is_zero())
        .map(|&(column, n)| &vector[column as usize] * n)
        .sum()
}

/// Fractions times their common denominator, without common divisor.
fn integers(vector: &[Ratio<BigInt>]) -> Vec<BigInt> {
    let mut denominator = BigInt::one();
    for element in vector {
        let common = gcd(denominator.clone(), element.denom().clone());
        denominator = denominator * element.denom() / common;
    }
    let scaled = vector
        .iter()
        .map(|element| element.numer() * &denominator / element.denom());
    primitive(scaled.collect())
}

/// Divides by the greatest common divisor.
pub(crate) fn primitive(vector: Vec<BigInt>) -> Vec<BigInt> {
    let common = vector
        .iter()
        .fold(BigInt::ZERO, |all, n| gcd(all, n.clone()));
    if common.is_zero() || common.is_one() {
        return vector;
    }
    vector.into_iter().map(|n| n / &common).collect()
}

fn gcd(mut a: BigInt, mut b: BigInt) -> BigInt {
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    BigInt::from(a.magnitude().clone())
}

/// Residues modulo the large prime as fractions with small parts, times their common denominator.
fn small_integers(vector: &[u64]) -> Option<Vec<BigInt>> {
    let fractions: Option<Vec<(i64, i64)>> = vector.iter().map(|&a| small_fraction(a)).collect();
    let fractions: Vec<Ratio<BigInt>> = fractions?
        .into_iter()
        .map(|(n, d)| Ratio::new(n.into(), d.into()))
        .collect();
    Some(integers(&fractions))
}

/// The fraction with parts below 2^30 that a residue modulo the large prime stands for, if any: by
/// Euclid's algorithm, stopped half way.
fn small_fraction(a: u64) -> Option<(i64, i64)> {
    const MOST: i64 = 1 << 30;
    let (mut before, mut rest) = (LARGE_PRIME as i64, a as i64);
    let (mut over_before, mut over) = (0_i64, 1_i64);
    while rest >= MOST {
        let quotient = before / rest;
        (before, rest) = (rest, before % rest);
        (over_before, over) = (over, over_before - quotient * over);
    }
    let is_small = over != 0 && over.abs() < MOST;
    is_small.then(|| {
        if over < 0 {
            (-rest, -over)
        } else {
            (rest, over)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(row: &[i64]) -> Form {
        let entries = (0..).zip(row.iter().copied());
        entries.filter(|&(_, n)| n != 0).collect()
    }

    fn check(rows: &[&[i64]], columns: usize, null_space: &[&[i64]]) {
        let forms: Vec<Form> = rows.iter().map(|row| form(row)).collect();
        let found = rational_null_space(&forms, columns, &mut Work::new(1 << 40));
        let expected: Vec<Vec<BigInt>> = null_space
            .iter()
            .map(|vector| vector.iter().map(|&n| n.into()).collect())
            .collect();
        assert_eq!(found, Ok(expected), "{rows:?}");
    }

    #[test]
    fn null_spaces() {
        check(&[], 2, &[&[1, 0], &[0, 1]]);
        check(&[&[1, 0], &[0, 1]], 2, &[]);
        check(&[&[1, -1, 0], &[0, 1, -1], &[1, 0, -1]], 3, &[&[1, 1, 1]]);
        check(&[&[2, -3]], 2, &[&[3, 2]]);
        check(&[&[1, 0, 0]], 3, &[&[0, 1, 0], &[0, 0, 1]]);
    }

    #[test]
    fn large_numbers_are_eliminated_as_fractions() {
        // Each unknown is seven times the one before: 7^24 is no small fraction of any residue.
        let rows: Vec<Vec<i64>> = (0..24)
            .map(|i| {
                let mut row = vec![0; 25];
                (row[i], row[i + 1]) = (7, -1);
                row
            })
            .collect();
        let forms: Vec<Form> = rows.iter().map(|row| form(row)).collect();
        let found = rational_null_space(&forms, 25, &mut Work::new(1 << 40)).expect("little work");
        let mut wanted = BigInt::one();
        for found in &found[0] {
            assert_eq!(*found, wanted);
            wanted *= 7;
        }
    }

    #[test]
    fn work_is_limited() {
        let rows = vec![form(&[1, -1, 0]), form(&[0, 1, -1])];
        assert_eq!(
            rational_null_space(&rows, 3, &mut Work::new(3)),
            Err(TooMuch)
        );
    }

    #[test]
    fn the_same_over_a_small_field() {
        let mut echelon = Echelon::new(Modulo(2), 3);
        let mut work = Work::new(1000);
        assert_eq!(echelon.insert(&form(&[1, 1, 0]), &mut work), Ok(true));
        assert_eq!(echelon.insert(&form(&[0, 1, -1]), &mut work), Ok(true));
        assert_eq!(echelon.insert(&form(&[1, 0, 3]), &mut work), Ok(false));
        assert_eq!(echelon.null_vectors(&mut work), Ok(vec![vec![1, 1, 1]]));
        assert_eq!(echelon.rank(), 2);
    }
}
