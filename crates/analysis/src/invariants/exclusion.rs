//! Goals that invariants exclude.

use std::collections::BTreeSet;

use impasse_model::instance::{Instance, Position, SymbolSet};
use num_bigint::BigInt;
use num_traits::Zero as _;

use super::cases::{Allowed, Case, Lister};
use super::echelon::{Echelon, LARGE_PRIME, Modulo, TooMuch, Work, primitive};
use super::kept::{Invariant, Space, arrangement_is_odd};
use super::reading::Reading;
use super::system::Unknowns;

/// More values are not listed.
const MOST_VALUES: usize = 3;

/// Why no goal can be reached: each goal differs from each start in one of these invariants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exclusion {
    /// The invariants.
    pub witnesses: Vec<Invariant>,
    /// Whether no position at all is a goal that has the kept numbers of pieces.
    pub no_goal: bool,
    /// In words: what is kept, and that goals differ in it.
    pub sentence: String,
}

/// All that is kept, and the starts and the goal it is held against.
pub(crate) struct Excluder<'a> {
    pub(crate) instance: &'a Instance,
    pub(crate) unknowns: &'a Unknowns,
    /// Over the rationals, then modulo primes.
    pub(crate) spaces: [&'a Space; 3],
    pub(crate) sign: Option<&'a Invariant>,
}

impl Excluder<'_> {
    /// Witnesses that exclude every goal from every start; `None` where they do not, or it is not
    /// decided.
    pub(crate) fn exclusion(&self, work: &mut Work) -> Result<Option<Exclusion>, TooMuch> {
        let mut fields = self.fields();
        let mut found = Exclusion {
            witnesses: Vec::new(),
            no_goal: false,
            sentence: String::new(),
        };
        for start in &self.instance.starts {
            let Some(cases) = self.cases(start) else {
                return Ok(None);
            };
            if cases.is_empty() {
                found.no_goal = true;
                found.witnesses.extend(self.numbers());
            }
            for case in &cases {
                let mut excluded = false;
                for field in &mut fields {
                    work.take(field.columns.len() * case.len())?;
                    if field.excludes(self, start, case, work)? {
                        excluded = true;
                        break;
                    }
                }
                if !excluded {
                    return Ok(None);
                }
            }
        }
        for field in fields {
            found
                .witnesses
                .extend(field.used.into_iter().map(|u| u.invariant));
        }
        let mut seen = BTreeSet::new();
        found
            .witnesses
            .retain(|w| seen.insert((w.modulus, w.sign, w.weights.clone())));
        found.sentence = self.sentence(&found.witnesses);
        Ok((!found.witnesses.is_empty()).then_some(found))
    }

    /// `every move keeps the number of A (2 at the start, 1 in a goal)`.
    fn sentence(&self, witnesses: &[Invariant]) -> String {
        let one = |witness: &Invariant| {
            let modulo = witness
                .modulus
                .map_or_else(String::new, |modulus| format!(", modulo {modulus}"));
            let words = witness.words(self.instance, self.unknowns);
            match (&self.instance.starts[..], witness.sign) {
                ([start], false) => format!("{words}{modulo} ({})", self.values(witness, start)),
                _ => format!("{words}{modulo}"),
            }
        };
        let all: Vec<String> = witnesses.iter().map(one).collect();
        let which = if all.len() == 1 { "it" } else { "one of them" };
        format!(
            "every move keeps {}, and every goal differs from the start in {which}",
            all.join("; and ")
        )
    }

    fn values(&self, witness: &Invariant, start: &Position) -> String {
        let value = |position: &Position| witness.value(self.instance, self.unknowns, position);
        let positions: Option<Vec<Position>> = self
            .cases(start)
            .and_then(|cases| cases.iter().map(super::only_position).collect());
        let at_start = value(start);
        let in_goals: BTreeSet<BigInt> = positions.iter().flatten().map(value).collect();
        if in_goals.is_empty() || in_goals.len() > MOST_VALUES || in_goals.contains(&at_start) {
            return format!("{at_start} at the start");
        }
        let values: Vec<String> = in_goals.iter().map(BigInt::to_string).collect();
        format!("{at_start} at the start, {} in a goal", values.join(" or "))
    }

    /// The cases of the goal for positions that can be reached from a start.
    pub(crate) fn cases(&self, start: &Position) -> Option<Vec<Case>> {
        let kept_count = |set: SymbolSet| self.kept_count(start, set);
        let lister = Lister {
            instance: self.instance,
            every: self.unknowns.all(),
            kept_count: &kept_count,
        };
        lister.cases(&self.instance.goal)
    }

    /// How many cells hold a symbol of a set, where every move keeps that.
    fn kept_count(&self, start: &Position, set: SymbolSet) -> Option<i64> {
        if self.instance.board.counted {
            return None;
        }
        // The number of the base is kept where that of every other symbol is.
        let is_all = self.unknowns.symbols.iter().all(|&s| self.keeps_number(s));
        let in_set = |s: &u8| set.has(*s);
        let each = self.unknowns.symbols.iter().filter(|s| in_set(s));
        let kept =
            is_all || !in_set(&self.unknowns.base) && each.clone().all(|&s| self.keeps_number(s));
        let count = start.iter().filter(|&&c| set.has(c as u8)).count();
        kept.then_some(count as i64)
    }

    fn keeps_number(&self, symbol: u8) -> bool {
        self.numbers().any(|i| i.reading[0].1.symbol == symbol)
    }

    /// The invariants that are numbers of pieces.
    fn numbers(&self) -> impl Iterator<Item = Invariant> + '_ {
        let basis = self.spaces[0].basis.iter();
        basis.filter(|i| i.is_number()).cloned()
    }

    fn fields(&self) -> Vec<FieldView> {
        let [rational, modulo_2, modulo_3] = self.spaces;
        let with = |space: &Space, prime: u64| {
            let known = rational.basis.iter().chain(&space.basis).cloned();
            FieldView::new(Some(prime), known.collect(), self.unknowns.count())
        };
        let mut fields = vec![FieldView::new(
            None,
            rational.basis.clone(),
            self.unknowns.count(),
        )];
        let mut second = with(modulo_2, 2);
        if let Some(sign) = self.sign {
            second.add(sign.clone(), self.unknowns.count());
        }
        fields.push(second);
        fields.push(with(modulo_3, 3));
        fields
    }
}

/// Invariants over one field, as a vector for each unknown.
struct FieldView {
    modulus: Option<u64>,
    field: Modulo,
    known: Vec<Invariant>,
    /// For each invariant its weights as residues.
    columns: Vec<Vec<u64>>,
    /// Combinations that have excluded a case.
    used: Vec<Used>,
}

/// A combination of invariants that excluded a case.
struct Used {
    factors: Vec<u64>,
    invariant: Invariant,
}

impl FieldView {
    fn new(modulus: Option<u64>, known: Vec<Invariant>, count: usize) -> Self {
        let mut view = Self {
            modulus,
            field: Modulo(modulus.unwrap_or(LARGE_PRIME)),
            known: Vec::new(),
            columns: Vec::new(),
            used: Vec::new(),
        };
        for invariant in known {
            view.add(invariant, count);
        }
        view
    }

    fn add(&mut self, invariant: Invariant, count: usize) {
        let weights = &invariant.weights[..count];
        let column = weights.iter().map(|n| self.field.residue(n));
        self.columns.push(column.collect());
        self.known.push(Invariant {
            modulus: self.modulus,
            ..invariant
        });
    }

    /// Whether some combination takes every position of the case to another value than the start.
    fn excludes(
        &mut self,
        all: &Excluder<'_>,
        start: &Position,
        case: &Case,
        work: &mut Work,
    ) -> Result<bool, TooMuch> {
        let (difference, free) = self.difference(all, start, case);
        if difference.iter().all(|&n| n == 0) {
            return Ok(false);
        }
        let product = |factors: &[u64], vector: &[u64]| {
            let terms = factors.iter().zip(vector);
            terms.fold(0, |sum, (&a, &b)| {
                self.field.plus(sum, self.field.times(a, b))
            })
        };
        let decides = |factors: &[u64]| {
            product(factors, &difference) != 0 && free.iter().all(|v| product(factors, v) == 0)
        };
        if self.used.iter().any(|used| decides(&used.factors)) {
            return Ok(true);
        }
        for i in 0..self.known.len() {
            let mut factors = vec![0; self.known.len()];
            factors[i] = 1;
            if decides(&factors) {
                let invariant = self.known[i].clone();
                self.used.push(Used { factors, invariant });
                return Ok(true);
            }
        }
        let mut echelon = Echelon::new(self.field, self.known.len());
        for vector in &free {
            let entries = (0..).zip(vector.iter().copied()).filter(|&(_, n)| n != 0);
            echelon.insert_elements(&entries.collect::<Vec<_>>(), work)?;
        }
        for factors in echelon.null_vectors(work)? {
            if decides(&factors)
                && let Some(invariant) = self.combination(&factors)
            {
                self.used.push(Used { factors, invariant });
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// How a case differs from the start in each invariant, and how it may vary.
    fn difference(
        &self,
        all: &Excluder<'_>,
        start: &Position,
        case: &Case,
    ) -> (Vec<u64>, BTreeSet<Vec<u64>>) {
        let (unknowns, counted) = (all.unknowns, all.instance.board.counted);
        let mut difference = vec![0; self.known.len()];
        let mut add = |unknown: usize, times: u64, negative: bool| {
            for (sum, column) in difference.iter_mut().zip(&self.columns) {
                let n = self.field.times(column[unknown], times % self.field.0);
                *sum = if negative {
                    self.field.plus(*sum, self.field.0 - n)
                } else {
                    self.field.plus(*sum, n)
                };
            }
        };
        for (unknown, n) in unknowns.in_position(start, counted) {
            add(unknown, n, true);
        }
        let mut free: BTreeSet<Vec<u64>> = BTreeSet::new();
        let vector = |unknown: Option<u32>| -> Vec<u64> {
            self.columns
                .iter()
                .map(|column| unknown.map_or(0, |u| column[u as usize]))
                .collect()
        };
        let mut drawn = Vec::with_capacity(case.len());
        for (cell, allowed) in (0..).zip(case) {
            match *allowed {
                Allowed::Counts(low, high) => {
                    add(cell as usize, low, false);
                    if low < high {
                        free.insert(vector(Some(cell)));
                    }
                }
                Allowed::Symbols(set) => {
                    let mut symbols = set.symbols();
                    let Some(first) = symbols.next() else {
                        continue;
                    };
                    drawn.push(u64::from(first));
                    if let Some(unknown) = unknowns.at(cell, first) {
                        add(unknown as usize, 1, false);
                    }
                    let first = vector(unknowns.at(cell, first));
                    for symbol in symbols {
                        let other = vector(unknowns.at(cell, symbol));
                        let pairs = other.iter().zip(&first);
                        let varies = pairs
                            .map(|(a, b)| self.field.plus(*a, self.field.0 - b) % self.field.0);
                        free.insert(varies.collect());
                    }
                }
            }
        }
        let is_fixed = case.iter().all(|allowed| match allowed {
            Allowed::Symbols(set) => set.0.is_power_of_two(),
            Allowed::Counts(low, high) => low == high,
        });
        for (i, invariant) in self.known.iter().enumerate().filter(|(_, k)| k.sign) {
            if is_fixed {
                let changes = arrangement_is_odd(start) != arrangement_is_odd(&drawn);
                difference[i] = (difference[i] + u64::from(changes)) % 2;
            } else {
                let mut unit = vec![0; self.known.len()];
                unit[i] = 1;
                free.insert(unit);
            }
            debug_assert_eq!(invariant.modulus, Some(2));
        }
        free.retain(|vector| vector.iter().any(|&n| n != 0));
        (difference, free)
    }

    /// A combination as an invariant of its own; over the rationals only with small factors.
    fn combination(&self, factors: &[u64]) -> Option<Invariant> {
        let small = |factor: u64| -> Option<BigInt> {
            let negative = self.field.0 - factor;
            match self.modulus {
                Some(_) => Some(factor.into()),
                None if factor < 1 << 20 => Some(factor.into()),
                None if negative < 1 << 20 => Some(-BigInt::from(negative)),
                None => None,
            }
        };
        let factors: Vec<BigInt> = factors.iter().map(|&f| small(f)).collect::<Option<_>>()?;
        let mut weights = vec![BigInt::ZERO; self.columns.first()?.len()];
        let mut reading = Some(Reading::new());
        let mut sign = false;
        for (factor, invariant) in factors.iter().zip(&self.known) {
            if factor.is_zero() {
                continue;
            }
            sign |= invariant.sign;
            for (sum, weight) in weights.iter_mut().zip(&invariant.weights) {
                *sum += factor * weight;
            }
            if invariant.reading.is_empty() {
                reading = None;
            }
            if let Some(reading) = &mut reading {
                let parts = invariant.reading.iter();
                reading.extend(parts.map(|(n, part)| (n * factor, part.clone())));
            }
        }
        if let Some(prime) = self.modulus {
            for weight in &mut weights {
                *weight = Modulo(prime).residue(weight).into();
            }
        } else {
            let reduced = primitive(weights.clone());
            if reduced != weights {
                reading = None;
                weights = reduced;
            }
        }
        Some(Invariant {
            modulus: self.modulus,
            weights,
            sign,
            reading: reading.unwrap_or_default(),
            everywhere: self.known.iter().all(|known| known.everywhere),
        })
    }
}
