//! A readable basis of all weights that every move keeps.

use impasse_model::board::{Cell, Shape};
use impasse_model::instance::{Instance, Position};
use num_bigint::BigInt;
use num_traits::{One as _, Signed, Zero as _};

use super::echelon::{Echelon, Form, LARGE_PRIME, Modulo, TooMuch, Work, dot, rational_null_space};
use super::reading::{
    Reading, Trait, Weighing, by_coordinates, cells_words, classes, components, weights_words,
    words,
};
use super::system::{System, Unknowns};

/// Weights of the cells whose sum over a position every move keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// Modulo what the sum is kept; `None`: as it is.
    pub modulus: Option<u64>,
    /// Weights by unknown, without common divisor; residues if there is a modulus.
    pub weights: Vec<BigInt>,
    /// Whether the sign of the arrangement (1 if odd) counts too; then the modulus is 2.
    pub sign: bool,
    /// The weights as a sum of traits; empty if there are no better words than the weights.
    pub reading: Reading,
    /// Whether it is kept in every window of an endless row, not only in this one; true for boards
    /// with an end.
    pub everywhere: bool,
}

impl Invariant {
    /// Its value at a position.
    #[must_use]
    pub fn value(&self, instance: &Instance, unknowns: &Unknowns, position: &Position) -> BigInt {
        let counts = unknowns.in_position(position, instance.board.counted);
        let mut sum: BigInt = counts.map(|(unknown, n)| &self.weights[unknown] * n).sum();
        if self.sign && arrangement_is_odd(position) {
            sum += 1;
        }
        match self.modulus {
            Some(modulus) => Modulo(modulus).residue(&sum).into(),
            None => sum,
        }
    }

    /// In words, without saying what is done with it.
    #[must_use]
    pub fn words(&self, instance: &Instance, unknowns: &Unknowns) -> String {
        let mut text = if self.reading.is_empty() {
            weights_words(instance, unknowns, &self.weights)
        } else {
            words(instance, &self.reading)
        };
        if self.sign {
            let join = if text.is_empty() { "" } else { " + " };
            text = format!("the sign of the arrangement (1 if odd){join}{text}");
        }
        text
    }

    /// The only cell that it looks at.
    fn cell(&self) -> Option<Cell> {
        match &self.reading[..] {
            [
                (
                    _,
                    Trait {
                        weighing: Weighing::Among(cells),
                        ..
                    },
                ),
            ] if cells.len() == 1 => Some(cells[0]),
            _ => None,
        }
    }

    /// Whether it is the number of a piece.
    pub(crate) fn is_number(&self) -> bool {
        matches!(
            &self.reading[..],
            [(
                _,
                Trait {
                    weighing: Weighing::Number,
                    ..
                }
            )]
        )
    }
}

/// Whether the contents, read in board order, are an odd arrangement of themselves in order.
pub(crate) fn arrangement_is_odd(position: &Position) -> bool {
    let later = |(i, a): (usize, &u64)| position[i + 1..].iter().filter(|b| *b < a).count();
    position.iter().enumerate().map(later).sum::<usize>() % 2 == 1
}

/// A basis of the weights that every move keeps, over one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    /// Number of independent invariants that say something.
    pub dimension: usize,
    /// A basis; modulo a prime only what the rational ones do not say already.
    pub basis: Vec<Invariant>,
}

impl Space {
    /// The basis in words, a line each, and whether that is kept in every window: numbers of all
    /// pieces, and cells that never change, are one line.
    #[must_use]
    pub fn lines(&self, instance: &Instance, unknowns: &Unknowns) -> Vec<(String, bool)> {
        let mut lines = Vec::new();
        let numbers: Vec<&Invariant> = self.basis.iter().filter(|i| i.is_number()).collect();
        let all_numbers = numbers.len() > 1 && numbers.len() == unknowns.symbols.len();
        if all_numbers {
            let everywhere = numbers.iter().all(|number| number.everywhere);
            lines.push(("the number of each piece".to_owned(), everywhere));
        }
        let mut frozen: Vec<Cell> = Vec::new();
        for invariant in &self.basis {
            match invariant.cell() {
                _ if all_numbers && invariant.is_number() => {}
                Some(cell) if frozen.last() == Some(&cell) => {}
                Some(cell) => frozen.push(cell),
                None => lines.push((invariant.words(instance, unknowns), invariant.everywhere)),
            }
        }
        if !frozen.is_empty() {
            let cells = cells_words(&instance.board, &frozen);
            let is_window = matches!(instance.board.shape, Shape::Window { .. });
            lines.push((format!("what stands on {cells}"), !is_window));
        }
        lines
    }
}

/// All rational invariants, beginning with those that are known to be kept in every window.
pub(crate) fn rational(
    instance: &Instance,
    system: &System,
    known: &[Reading],
    work: &mut Work,
) -> Result<Space, TooMuch> {
    let forms = system.forms();
    let raw = rational_null_space(&forms, system.unknowns.count(), work)?;
    let mut basis = Basis::new(instance, system, forms, None);
    basis.wanted = raw.len();
    basis.everywhere = true;
    for reading in known {
        let weights = sum_of(instance, system, reading);
        basis.offer(weights, reading.clone(), work)?;
    }
    basis.everywhere = !matches!(instance.board.shape, Shape::Window { .. });
    basis.fill(raw, work)?;
    Ok(Space {
        dimension: basis.wanted,
        basis: basis.found,
    })
}

/// All invariants modulo a prime, printed as far as the rational ones do not say it already.
pub(crate) fn modular(
    instance: &Instance,
    system: &System,
    prime: u64,
    rational: &Space,
    work: &mut Work,
) -> Result<Space, TooMuch> {
    let forms = system.forms();
    let mut echelon = Echelon::new(Modulo(prime), system.unknowns.count());
    for form in &forms {
        echelon.insert(form, work)?;
    }
    let dimension = system.unknowns.count() - echelon.rank();
    let mut basis = Basis::new(instance, system, forms, Some(prime));
    let known = rational.basis.iter().map(|known| known.weights.clone());
    for weights in saturated(known.collect(), prime, work)? {
        basis.is_new(&weights, work)?;
    }
    basis.wanted = dimension - basis.echelon.rank();
    if basis.wanted > 0 {
        let raw = echelon.null_vectors(work)?.into_iter();
        let raw = raw.map(|vector| vector.into_iter().map(BigInt::from).collect());
        basis.fill(raw.collect(), work)?;
    }
    Ok(Space {
        dimension,
        basis: basis.found,
    })
}

/// Integer vectors of the same rational span that stay independent modulo a prime: where a sum of some
/// of them is divisible by it, the quotient takes the place of one.
fn saturated(
    mut vectors: Vec<Vec<BigInt>>,
    prime: u64,
    work: &mut Work,
) -> Result<Vec<Vec<BigInt>>, TooMuch> {
    let field = Modulo(prime);
    loop {
        let mut echelon = Echelon::new(field, vectors.len());
        for unknown in 0..vectors.first().map_or(0, Vec::len) {
            let column = (0..)
                .zip(&vectors)
                .map(|(i, v)| (i, field.residue(&v[unknown])));
            let entries: Vec<_> = column.filter(|&(_, n)| n != 0).collect();
            echelon.insert_elements(&entries, work)?;
        }
        let Some(&free) = echelon.free().first() else {
            return Ok(vectors);
        };
        let factors = echelon.null_vector(free, work)?;
        work.take(vectors.len() * vectors[free].len())?;
        let mut sum = vec![BigInt::ZERO; vectors[free].len()];
        for (factor, vector) in factors.iter().zip(&vectors) {
            for (sum, n) in sum.iter_mut().zip(vector) {
                *sum += n * *factor;
            }
        }
        vectors[free] = sum.into_iter().map(|n| n / prime).collect();
    }
}

/// The weights modulo 2 that change exactly when the sign of the arrangement does: an invariant if
/// all contents differ and every move rearranges them.
pub(crate) fn sign(
    instance: &Instance,
    system: &System,
    work: &mut Work,
) -> Result<Option<Invariant>, TooMuch> {
    let all_differ = |start: &Position| {
        let mut sorted = start.clone();
        sorted.sort_unstable();
        sorted.windows(2).all(|pair| pair[0] != pair[1])
    };
    if instance.board.counted || !instance.starts.iter().all(all_differ) {
        return Ok(None);
    }
    let count = system.unknowns.count();
    let mut echelon = Echelon::new(Modulo(2), count + 1);
    for row in &system.rows {
        let Some(is_odd) = row.is_odd else {
            return Ok(None);
        };
        let mut form = row.form.clone();
        if is_odd {
            form.push((count as u32, 1));
        }
        echelon.insert(&form, work)?;
    }
    if !echelon.free().contains(&count) {
        return Ok(None);
    }
    let vector = echelon.null_vector(count, work)?;
    let weights: Vec<BigInt> = vector[..count].iter().map(|&n| n.into()).collect();
    let reading = colour_of_base(instance, system, &weights);
    Ok(Some(Invariant {
        modulus: Some(2),
        weights,
        sign: true,
        reading,
        everywhere: !matches!(instance.board.shape, Shape::Window { .. }),
    }))
}

/// Weights that all symbols but the base have alike, on even cells only or on odd ones only: they
/// say, up to what is fixed, where the base stands.
fn colour_of_base(instance: &Instance, system: &System, weights: &[BigInt]) -> Reading {
    let unknowns = &system.unknowns;
    let is_colour = |colour: i64| {
        weights.iter().enumerate().all(|(unknown, weight)| {
            let cell = unknowns.place(unknown).0;
            weight.is_one() == (Weighing::Even.of(&instance.board, cell) == colour)
        })
    };
    if unknowns.symbols.is_empty() || !(is_colour(0) || is_colour(1)) {
        return Reading::new();
    }
    let symbol = unknowns.base;
    let weighing = Weighing::Even;
    vec![(BigInt::one(), Trait { symbol, weighing })]
}

/// The weights that a reading means.
fn sum_of(instance: &Instance, system: &System, reading: &Reading) -> Vec<BigInt> {
    let mut weights = vec![BigInt::ZERO; system.unknowns.count()];
    for (factor, part) in reading {
        for (unknown, n) in part.form(&instance.board, &system.unknowns) {
            weights[unknown as usize] += factor * n;
        }
    }
    weights
}

/// A basis in the making: readable invariants first.
struct Basis<'a> {
    instance: &'a Instance,
    system: &'a System,
    forms: Vec<Form>,
    modulus: Option<u64>,
    echelon: Echelon<Modulo>,
    found: Vec<Invariant>,
    wanted: usize,
    everywhere: bool,
}

impl<'a> Basis<'a> {
    fn new(
        instance: &'a Instance,
        system: &'a System,
        forms: Vec<Form>,
        modulus: Option<u64>,
    ) -> Self {
        let field = Modulo(modulus.unwrap_or(LARGE_PRIME));
        Self {
            instance,
            system,
            forms,
            modulus,
            echelon: Echelon::new(field, system.unknowns.count()),
            found: Vec::new(),
            wanted: 0,
            everywhere: !matches!(instance.board.shape, Shape::Window { .. }),
        }
    }

    /// Numbers of pieces, cells that never change, sums of places, cells that a piece cannot leave,
    /// classes modulo 3; the rest as it comes.
    fn fill(&mut self, raw: Vec<Vec<BigInt>>, work: &mut Work) -> Result<(), TooMuch> {
        let board = &self.instance.board;
        let symbols = self.system.unknowns.symbols.clone();
        let each = |weighings: Vec<Weighing>| -> Vec<Trait> {
            let pairs = weighings.into_iter().flat_map(|weighing| {
                let of = move |&symbol: &u8| (symbol, weighing.clone());
                symbols.iter().map(of).collect::<Vec<_>>()
            });
            let traits = pairs.map(|(symbol, weighing)| Trait { symbol, weighing });
            traits.collect()
        };
        self.offer_sums(&each(vec![Weighing::Number]), work)?;
        self.offer_frozen_cells(work)?;
        let numbers = std::iter::once(Weighing::Number);
        let by_coordinates = by_coordinates(board).into_iter().chain(numbers);
        self.offer_sums(&each(by_coordinates.collect()), work)?;
        if self.found.len() < self.wanted {
            let parts = components(&self.forms, &self.system.unknowns);
            self.offer_sums(&parts, work)?;
        }
        let (rising, falling): (Vec<Weighing>, Vec<Weighing>) = classes(board)
            .into_iter()
            .partition(|weighing| matches!(weighing, Weighing::Rising(_)));
        self.offer_sums(&each(rising), work)?;
        self.offer_sums(&each(falling), work)?;
        self.offer_sums(&each(classes(board)), work)?;
        for weights in raw {
            self.offer(weights, Reading::new(), work)?;
        }
        Ok(())
    }

    /// Whether weights are independent of those before, which they join.
    fn is_new(&mut self, weights: &[BigInt], work: &mut Work) -> Result<bool, TooMuch> {
        let field = Modulo(self.modulus.unwrap_or(LARGE_PRIME));
        let entries = (0..).zip(weights).map(|(i, n)| (i, field.residue(n)));
        let entries: Vec<_> = entries.filter(|&(_, n)| n != 0).collect();
        self.echelon.insert_elements(&entries, work)
    }

    /// Takes weights that every move keeps, unless they say nothing new.
    fn offer(
        &mut self,
        weights: Vec<BigInt>,
        reading: Reading,
        work: &mut Work,
    ) -> Result<(), TooMuch> {
        if self.found.len() < self.wanted && self.is_new(&weights, work)? {
            self.found.push(Invariant {
                modulus: self.modulus,
                weights,
                sign: false,
                reading,
                everywhere: self.everywhere,
            });
        }
        Ok(())
    }

    /// Every cell that no move changes, with each symbol it may hold.
    fn offer_frozen_cells(&mut self, work: &mut Work) -> Result<(), TooMuch> {
        let unknowns = &self.system.unknowns;
        let mut changes = vec![false; unknowns.cells];
        for &(unknown, _) in self.forms.iter().flatten() {
            changes[unknowns.place(unknown as usize).0 as usize] = true;
        }
        if self.instance.board.counted {
            return Ok(());
        }
        for cell in (0..unknowns.cells).filter(|&cell| !changes[cell]) {
            for &symbol in &self.system.unknowns.symbols {
                let weighing = Weighing::Among(vec![cell as Cell]);
                let reading = vec![(BigInt::one(), Trait { symbol, weighing })];
                let weights = sum_of(self.instance, self.system, &reading);
                self.offer(weights, reading, work)?;
            }
        }
        Ok(())
    }

    /// Every sum of these traits that moves keep.
    fn offer_sums(&mut self, traits: &[Trait], work: &mut Work) -> Result<(), TooMuch> {
        if self.found.len() == self.wanted || traits.is_empty() {
            return Ok(());
        }
        let mut rows = project(&self.forms, traits, self.instance, self.system, work)?;
        rows.sort_unstable();
        rows.dedup();
        let sums = match self.modulus {
            None => rational_null_space(&rows, traits.len(), work)?,
            Some(prime) => {
                let mut echelon = Echelon::new(Modulo(prime), traits.len());
                for row in &rows {
                    echelon.insert(row, work)?;
                }
                let vectors = echelon.null_vectors(work)?.into_iter();
                vectors
                    .map(|vector| vector.into_iter().map(BigInt::from).collect())
                    .collect()
            }
        };
        for mut sum in sums {
            let first = sum.iter().find(|factor| !factor.is_zero());
            if self.modulus.is_none() && first.is_some_and(Signed::is_negative) {
                sum = sum.into_iter().map(|factor| -factor).collect();
            }
            let reading: Reading = sum
                .into_iter()
                .zip(traits.iter().cloned())
                .filter(|(factor, _)| !factor.is_zero())
                .collect();
            let mut weights = sum_of(self.instance, self.system, &reading);
            if let Some(prime) = self.modulus {
                for weight in &mut weights {
                    *weight = Modulo(prime).residue(weight).into();
                }
            }
            self.offer(weights, reading, work)?;
        }
        Ok(())
    }
}

/// What each row adds to each trait, row by row.
pub(crate) fn project(
    forms: &[Form],
    traits: &[Trait],
    instance: &Instance,
    system: &System,
    work: &mut Work,
) -> Result<Vec<Form>, TooMuch> {
    let columns: Vec<Vec<BigInt>> = traits
        .iter()
        .map(|part| {
            let mut column = vec![BigInt::ZERO; system.unknowns.count()];
            for (unknown, n) in part.form(&instance.board, &system.unknowns) {
                column[unknown as usize] = n.into();
            }
            column
        })
        .collect();
    let mut rows = Vec::new();
    for form in forms {
        work.take(form.len() * columns.len())?;
        let added = (0..)
            .zip(&columns)
            .map(|(i, column)| (i, dot(form, column)));
        let row = added
            .filter(|(_, n)| !n.is_zero())
            .map(|(i, n)| Some((i, i64::try_from(n).ok()?)));
        rows.push(row.collect::<Option<Form>>().ok_or(TooMuch)?);
    }
    Ok(rows)
}
