//! What a rule adds to numbers and sums of places, as polynomials in where and how it is laid.

use std::collections::BTreeMap;

use impasse_model::placed::Symbol;

use crate::invariants::echelon::Form;
use crate::invariants::system::tidy;

/// A polynomial in the place a rule is laid from (variable 0) and the lengths of its stretches: by
/// variables of each term, ascending. Coefficients are doubled, so that halves are whole.
#[derive(Clone, Debug, Default)]
pub(super) struct Polynomial(BTreeMap<Vec<usize>, i64>);

impl Polynomial {
    pub(super) fn number(n: i64) -> Self {
        Self([(Vec::new(), 2 * n)].into())
    }

    pub(super) fn variable(number: usize) -> Self {
        Self([(vec![number], 2)].into())
    }

    pub(super) fn add(&mut self, other: &Self, factor: i64) {
        for (variables, n) in &other.0 {
            *self.0.entry(variables.clone()).or_default() += n * factor;
        }
    }

    pub(super) fn plus(mut self, other: &Self, factor: i64) -> Self {
        self.add(other, factor);
        self
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (a, m) in &self.0 {
            for (b, n) in &other.0 {
                let mut variables = [a.as_slice(), b].concat();
                variables.sort_unstable();
                // Twice the one times twice the other is four times the product.
                *product.0.entry(variables).or_default() += m * n / 2;
            }
        }
        product
    }

    /// A half of it; only of polynomials whose numbers are even.
    fn half(mut self) -> Self {
        self.0.values_mut().for_each(|n| *n /= 2);
        self
    }

    /// Whether its value is odd, for whole coefficients, if it is known which variables are.
    fn is_odd(&self, odd: &[bool]) -> bool {
        let is_term_odd = |(variables, n): (&Vec<usize>, &i64)| {
            (n / 2) % 2 != 0 && variables.iter().all(|&v| odd[v])
        };
        self.0.iter().filter(|&term| is_term_odd(term)).count() % 2 == 1
    }
}

/// Columns: for each symbol whether on even places, then places, then numbers.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a>(pub(super) &'a [Symbol]);

impl Columns<'_> {
    pub(super) fn of(self, kind: usize, symbol: Symbol) -> Option<u32> {
        let index = self.0.iter().position(|&s| s == symbol)?;
        Some((kind * self.0.len() + index) as u32)
    }
}

/// A block of cells with one content each: where it begins, counted from the first cell of the
/// pattern, and how long it is.
pub(super) struct Block {
    pub(super) offset: Polynomial,
    pub(super) length: Polynomial,
    pub(super) is_one: bool,
}

/// What one move adds to each column.
pub(super) struct Change<'a> {
    columns: Columns<'a>,
    stride: i64,
    odd: &'a [bool],
    sums: BTreeMap<u32, Polynomial>,
}

impl<'a> Change<'a> {
    pub(super) fn new(columns: Columns<'a>, stride: i64, odd: &'a [bool]) -> Self {
        Self {
            columns,
            stride,
            odd,
            sums: BTreeMap::new(),
        }
    }

    /// Puts a symbol on all cells of a block, `factor` times.
    pub(super) fn put(&mut self, symbol: Symbol, block: &Block, factor: i64) {
        let Some(even) = self.columns.of(0, symbol) else {
            return;
        };
        let places = self.columns.of(1, symbol).expect("a column");
        let number = self.columns.of(2, symbol).expect("a column");
        let evens = self.evens(block);
        let sum = self.places(block);
        self.sums.entry(even).or_default().add(&evens, factor);
        self.sums.entry(places).or_default().add(&sum, factor);
        self.sums
            .entry(number)
            .or_default()
            .add(&block.length, factor);
    }

    /// The sum of the places of a block.
    fn places(&self, block: &Block) -> Polynomial {
        let first = Polynomial::variable(0).plus(&block.offset, self.stride);
        let sum = block.length.times(&first);
        // 0 + 1 + ... + (length - 1), by strides.
        let pairs = block.length.times(&block.length).plus(&block.length, -1);
        if block.is_one {
            sum
        } else {
            sum.plus(&pairs.half(), self.stride)
        }
    }

    /// How many cells of a block lie on even places.
    fn evens(&self, block: &Block) -> Polynomial {
        let starts_odd = self.odd[0] ^ (self.stride % 2 != 0 && block.offset.is_odd(self.odd));
        if block.is_one {
            return Polynomial::number(i64::from(!starts_odd));
        }
        if self.stride % 2 == 0 {
            let length = Polynomial::default();
            return length.plus(&block.length, i64::from(!starts_odd));
        }
        let half = block.length.clone().half();
        if !block.length.is_odd(self.odd) {
            return half;
        }
        // One more than a half, or one less, rounded: doubled numbers take a 1 for a half.
        let half_more = Polynomial([(Vec::new(), if starts_odd { -1 } else { 1 })].into());
        half.plus(&half_more, 1)
    }

    /// One equation for each coefficient.
    pub(super) fn equations(self) -> Vec<Form> {
        let mut by_variables: BTreeMap<Vec<usize>, Vec<(u32, i64)>> = BTreeMap::new();
        for (column, polynomial) in self.sums {
            for (variables, n) in polynomial.0 {
                by_variables.entry(variables).or_default().push((column, n));
            }
        }
        let forms = by_variables.into_values().map(tidy);
        forms.filter(|form| !form.is_empty()).collect()
    }
}
