//! Potentials: sums that every move raises by the same amount, so that all ways to a position are
//! equally long.

use std::fmt::Write as _;

use impasse_model::board::{Cell, Shape};
use impasse_model::instance::{Instance, Position};
use impasse_model::placed::{PlacedRule, PlacedRules, Symbol};
use num_bigint::BigInt;
use num_traits::{One as _, Signed as _, Zero as _};

use super::echelon::{Echelon, Form, Modulo, TooMuch, Work, rational_null_space};
use super::kept::project;
use super::reading::{Reading, Trait, Weighing, by_coordinates, joint, weights_words, words};
use super::system::{System, Unknowns, tidy};

/// A sum over the position to which every move adds the same number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Potential {
    /// Modulo what it is meant; `None`: as it is.
    pub modulus: Option<u64>,
    /// What every move adds; positive.
    pub step: BigInt,
    /// Weights by unknown.
    pub weights: Vec<BigInt>,
    /// Factors of the number of pairs of these symbols that stand in this order on the row.
    pub pairs: Vec<(BigInt, Symbol, Symbol)>,
    /// The weights as a sum of traits; empty if there are no better words than the weights.
    pub reading: Reading,
}

impl Potential {
    /// Its value at a position.
    #[must_use]
    pub fn value(&self, instance: &Instance, unknowns: &Unknowns, position: &Position) -> BigInt {
        let counts = unknowns.in_position(position, instance.board.counted);
        let sum: BigInt = counts.map(|(unknown, n)| &self.weights[unknown] * n).sum();
        let ordered = self.pairs.iter().map(|(factor, first, second)| {
            factor * pairs_in_order(position, (*first).into(), (*second).into())
        });
        let sum = sum + ordered.sum::<BigInt>();
        match self.modulus {
            Some(modulus) => Modulo(modulus).residue(&sum).into(),
            None => sum,
        }
    }

    /// In words: `the places of F - the places of T + pairs F before T`.
    #[must_use]
    pub fn words(&self, instance: &Instance, unknowns: &Unknowns) -> String {
        let mut text = if self.reading.is_empty() {
            weights_words(instance, unknowns, &self.weights)
        } else {
            words(instance, &self.reading)
        };
        for (factor, first, second) in &self.pairs {
            text += &joint(text.is_empty(), factor);
            let letter = |symbol: &Symbol| instance.alphabet.symbols[usize::from(*symbol)];
            let _ = write!(text, "pairs {} before {}", letter(first), letter(second));
        }
        text
    }
}

fn pairs_in_order(position: &Position, first: u64, second: u64) -> u64 {
    let mut before = 0;
    let mut pairs = 0;
    for &content in position {
        pairs += if content == second { before } else { 0 };
        before += u64::from(content == first);
    }
    pairs
}

/// What is known of potentials.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grading {
    /// A potential: every way to a position is equally long.
    pub potential: Option<Potential>,
    /// Whether weights of the cells alone make one.
    pub by_weights: bool,
    /// Weights of the cells modulo 2 whose sum every move changes: all ways to a position have the
    /// same parity.
    pub parity: Option<Potential>,
}

/// Looks for potentials: sums of traits, weights of cells, and on rows pairs in order.
pub(crate) fn grading(
    instance: &Instance,
    placed: &PlacedRules,
    system: &System,
    work: &mut Work,
) -> Result<Grading, TooMuch> {
    let moves = system.rows.iter();
    let moves: Vec<(Form, bool)> = moves.map(|row| (row.form.clone(), row.is_move)).collect();
    let count = system.unknowns.count();
    let mut found = Grading {
        parity: parity(&moves, count, work)?,
        ..Grading::default()
    };
    let traits = traits(instance, system);
    let forms: Vec<Form> = moves.iter().map(|(form, _)| form.clone()).collect();
    let simple = project(&forms, &traits, instance, system, work)?;
    let simple = simple.into_iter().zip(moves.iter().map(|m| m.1)).collect();
    if let Some((step, sum)) = solve(simple, traits.len(), work)? {
        found.by_weights = true;
        found.potential = Some(of_traits(instance, system, &traits, step, &sum));
        return Ok(found);
    }
    let by_cells = solve(moves, count, work)?;
    found.by_weights = by_cells.is_some();
    found.potential = match with_pairs(instance, placed, system, &traits, work)? {
        Some(potential) => Some(potential),
        None => by_cells.map(|(step, weights)| Potential {
            modulus: None,
            step,
            weights,
            pairs: Vec::new(),
            reading: Reading::new(),
        }),
    };
    Ok(found)
}

fn traits(instance: &Instance, system: &System) -> Vec<Trait> {
    let numbers = std::iter::once(Weighing::Number);
    let weighings = numbers.chain(by_coordinates(&instance.board));
    // Whole numbers of moves do not change by the colour of a cell.
    let weighings = weighings.filter(|weighing| *weighing != Weighing::Even);
    let all = weighings.flat_map(|weighing| {
        let of = move |&symbol: &Symbol| (symbol, weighing.clone());
        system.unknowns.symbols.iter().map(of).collect::<Vec<_>>()
    });
    all.map(|(symbol, weighing)| Trait { symbol, weighing })
        .collect()
}

fn of_traits(
    instance: &Instance,
    system: &System,
    traits: &[Trait],
    step: BigInt,
    sum: &[BigInt],
) -> Potential {
    let mut weights = vec![BigInt::ZERO; system.unknowns.count()];
    let mut reading = Reading::new();
    for (factor, part) in sum.iter().zip(traits).filter(|(n, _)| !n.is_zero()) {
        for (unknown, n) in part.form(&instance.board, &system.unknowns) {
            weights[unknown as usize] += factor * n;
        }
        reading.push((factor.clone(), part.clone()));
    }
    Potential {
        modulus: None,
        step,
        weights,
        pairs: Vec::new(),
        reading,
    }
}

/// Factors of the columns that take every move to the same positive number, and every difference of
/// moves to 0: that number, and the factors.
fn solve(
    rows: Vec<(Form, bool)>,
    columns: usize,
    work: &mut Work,
) -> Result<Option<(BigInt, Vec<BigInt>)>, TooMuch> {
    if !rows.iter().any(|(_, is_move)| *is_move) {
        return Ok(None);
    }
    let with_step = rows.into_iter().map(|(mut form, is_move)| {
        if is_move {
            form.push((columns as u32, -1));
        }
        form
    });
    let mut rows: Vec<Form> = with_step.collect();
    rows.sort_unstable();
    rows.dedup();
    let vectors = rational_null_space(&rows, columns + 1, work)?;
    let solution = vectors.into_iter().find(|v| !v[columns].is_zero());
    Ok(solution.map(|mut vector| {
        let step = vector.pop().expect("a step");
        if step.is_negative() {
            (-step, vector.into_iter().map(|n| -n).collect())
        } else {
            (step, vector)
        }
    }))
}

/// The same modulo 2 for weights of the cells.
fn parity(
    rows: &[(Form, bool)],
    count: usize,
    work: &mut Work,
) -> Result<Option<Potential>, TooMuch> {
    let mut echelon = Echelon::new(Modulo(2), count + 1);
    for (form, is_move) in rows {
        let mut form = form.clone();
        if *is_move {
            form.push((count as u32, 1));
        }
        echelon.insert(&form, work)?;
    }
    if !rows.iter().any(|row| row.1) || !echelon.free().contains(&count) {
        return Ok(None);
    }
    let mut vector = echelon.null_vector(count, work)?;
    vector.pop();
    Ok(Some(Potential {
        modulus: Some(2),
        step: BigInt::one(),
        weights: vector.into_iter().map(BigInt::from).collect(),
        pairs: Vec::new(),
        reading: Reading::new(),
    }))
}

/// With pairs in order as further features, where every move rearranges the contents of a stretch of
/// a row: what lies outside it sees no change.
fn with_pairs(
    instance: &Instance,
    placed: &PlacedRules,
    system: &System,
    traits: &[Trait],
    work: &mut Work,
) -> Result<Option<Potential>, TooMuch> {
    let is_row = matches!(instance.board.shape, Shape::Line | Shape::Window { .. });
    let symbols = &system.unknowns.symbols;
    if !is_row || instance.board.counted || symbols.len() < 2 {
        return Ok(None);
    }
    let ordered = symbols.iter().enumerate();
    let pairs: Vec<(Symbol, Symbol)> = ordered
        .flat_map(|(i, &a)| symbols[i + 1..].iter().map(move |&b| (a, b)))
        .collect();
    let mut rows = Vec::new();
    for rule in &placed.rules {
        let features = Features {
            instance,
            unknowns: &system.unknowns,
            traits,
            pairs: &pairs,
        };
        let ends = rule.delta.first().zip(rule.delta.last());
        let stretch = ends.map_or(0, |(first, last)| (last.0 - first.0) as usize);
        work.take(rule.delta.len() * (traits.len() + symbols.len() * stretch))?;
        match features.rows(rule) {
            Some(of_rule) => rows.extend(of_rule),
            None => return Ok(None),
        }
    }
    rows.sort_unstable();
    rows.dedup();
    let columns = traits.len() + pairs.len();
    let Some((step, sum)) = solve(rows, columns, work)? else {
        return Ok(None);
    };
    let mut potential = of_traits(instance, system, traits, step, &sum[..traits.len()]);
    let factors = sum[traits.len()..].iter().cloned().zip(&pairs);
    potential.pairs = factors
        .filter(|(factor, _)| !factor.is_zero())
        .map(|(factor, &(a, b))| (factor, a, b))
        .collect();
    Ok(Some(potential))
}

/// Traits, then pairs, as columns.
struct Features<'a> {
    instance: &'a Instance,
    unknowns: &'a Unknowns,
    traits: &'a [Trait],
    pairs: &'a [(Symbol, Symbol)],
}

impl Features<'_> {
    /// What a rule adds to each feature, with the first content of each kept cell between its changed
    /// ones, and the difference that every other content makes; `None` where that is not fixed.
    fn rows(&self, rule: &PlacedRule) -> Option<Vec<(Form, bool)>> {
        let every = self.unknowns.all();
        if rule.delta.iter().any(|d| !every.has(d.1)) {
            return Some(Vec::new());
        }
        if !rule.moved.is_empty() || !rule.conserves() {
            return None;
        }
        let mut fixed = Vec::new();
        for &(cell, before, after) in &rule.delta {
            self.add_traits(cell, after, 1, &mut fixed);
            self.add_traits(cell, before, -1, &mut fixed);
        }
        for (i, &(_, first_before, first_after)) in rule.delta.iter().enumerate() {
            for &(_, second_before, second_after) in &rule.delta[i + 1..] {
                self.add_pair(first_after, second_after, 1, &mut fixed);
                self.add_pair(first_before, second_before, -1, &mut fixed);
            }
        }
        let mut rows = Vec::new();
        let (first, last) = (rule.delta.first()?.0, rule.delta.last()?.0);
        for cell in first..=last {
            if rule.delta.iter().any(|d| d.0 == cell) {
                continue;
            }
            let guard = rule.guard.iter().find(|g| g.0 == cell);
            let set = guard.map_or(every, |g| g.1);
            let mut contents = set.symbols().filter(|&s| every.has(s));
            let Some(content) = contents.next() else {
                return Some(Vec::new());
            };
            let here = self.kept(rule, cell, content);
            for other in contents {
                let mut difference = self.kept(rule, cell, other);
                difference.extend(here.iter().map(|&(column, n)| (column, -n)));
                rows.push((tidy(difference), false));
            }
            fixed.extend(here);
        }
        rows.push((tidy(fixed), true));
        Some(rows)
    }

    fn add_traits(&self, cell: Cell, symbol: Symbol, factor: i64, out: &mut Vec<(u32, i64)>) {
        for (column, part) in (0..).zip(self.traits) {
            if part.symbol == symbol {
                out.push((
                    column,
                    factor * part.weighing.of(&self.instance.board, cell),
                ));
            }
        }
    }

    fn add_pair(&self, first: Symbol, second: Symbol, factor: i64, out: &mut Vec<(u32, i64)>) {
        if let Some(pair) = self.pairs.iter().position(|&p| p == (first, second)) {
            out.push(((self.traits.len() + pair) as u32, factor));
        }
    }

    /// The pairs that the changed cells make with a kept one.
    fn kept(&self, rule: &PlacedRule, cell: Cell, content: Symbol) -> Vec<(u32, i64)> {
        let mut out = Vec::new();
        for &(changed, before, after) in &rule.delta {
            if changed < cell {
                self.add_pair(after, content, 1, &mut out);
                self.add_pair(before, content, -1, &mut out);
            } else {
                self.add_pair(content, after, 1, &mut out);
                self.add_pair(content, before, -1, &mut out);
            }
        }
        out
    }
}
