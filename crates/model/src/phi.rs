//! Numbers a + b*phi, phi = (1 + sqrt 5)/2, in big integers; rows of counts as such numbers.
//!
//! Cell i of a row weighs phi^i. Since phi^2 = phi + 1, `+1 +1 -1` and its like keep the value of a
//! row. At rest (counts of 0 and 1, no two neighbours occupied) the value alone says where the chips
//! lie: every a + b*phi > 0 is in one way a finite sum of powers of phi no two of which are
//! neighbours (G. Bergman, "A number system with an irrational base", Mathematics Magazine 31,
//! 1957). Nothing here plays a move.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use num_bigint::{BigInt, Sign};
use num_traits::{Signed as _, Zero as _};

use crate::board::Shape;
use crate::expr;
use crate::instance::{Instance, Length, RightItem, Rule, Steps, Value};

/// The number a + b*phi. Equal numbers have equal parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Phi {
    /// The part without phi.
    pub a: BigInt,
    /// The factor of phi.
    pub b: BigInt,
}

impl Phi {
    /// 0.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            a: BigInt::ZERO,
            b: BigInt::ZERO,
        }
    }

    /// 1.
    #[must_use]
    pub fn one() -> Self {
        Self {
            a: BigInt::from(1),
            b: BigInt::ZERO,
        }
    }

    /// phi^k, by doubling.
    #[must_use]
    pub fn power(k: i64) -> Self {
        let base = if k < 0 {
            Self::one().over_phi()
        } else {
            Self::one().times_phi()
        };
        let mut power = Self::one();
        for bit in (0..64 - k.unsigned_abs().leading_zeros()).rev() {
            power = power.times(&power);
            if k.unsigned_abs() >> bit & 1 == 1 {
                power = power.times(&base);
            }
        }
        power
    }

    /// The value of a row whose first cell weighs 1. Every cell costs one addition.
    ///
    /// ```
    /// use impasse_model::phi::Phi;
    /// assert_eq!(Phi::of_row(&[2, 3, 5]).to_string(), "7 + 8*phi");
    /// ```
    #[must_use]
    pub fn of_row(cells: &[Value]) -> Self {
        let mut sum = Self::zero();
        for &count in cells.iter().rev() {
            sum.multiply_by_phi();
            sum.a += count;
        }
        sum
    }

    /// The product with phi.
    #[must_use]
    pub fn times_phi(&self) -> Self {
        Self {
            a: self.b.clone(),
            b: &self.a + &self.b,
        }
    }

    /// The quotient by phi.
    #[must_use]
    pub fn over_phi(&self) -> Self {
        Self {
            a: &self.b - &self.a,
            b: self.a.clone(),
        }
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let high = &self.b * &other.b;
        Self {
            a: &self.a * &other.a + &high,
            b: &self.a * &other.b + &self.b * &other.a + high,
        }
    }

    /// The number as a real one against 0, exactly.
    #[must_use]
    pub fn sign(&self) -> Ordering {
        // 2(a + b*phi) = p + b*sqrt 5.
        let p: BigInt = &self.a * 2 + &self.b;
        let squares = || -> [BigInt; 2] { [&p * &p, &self.b * &self.b * 5] };
        match (p.sign(), self.b.sign()) {
            (Sign::NoSign, Sign::NoSign) => Ordering::Equal,
            (Sign::Plus | Sign::NoSign, Sign::Plus | Sign::NoSign) => Ordering::Greater,
            (Sign::Minus | Sign::NoSign, Sign::Minus | Sign::NoSign) => Ordering::Less,
            (Sign::Plus, Sign::Minus) => {
                let [p, b] = squares();
                p.cmp(&b)
            }
            (Sign::Minus, Sign::Plus) => {
                let [p, b] = squares();
                b.cmp(&p)
            }
        }
    }

    /// The row at rest of this value: the place of its first cell, and its cells. `None` for a
    /// negative number; for 0 the empty row.
    ///
    /// From the greatest power that fits downwards: a sum of powers no two of which are neighbours
    /// is less than the power above its greatest. Parts are added and subtracted once a power.
    #[must_use]
    pub fn resting_row(&self) -> Option<(i64, Vec<Value>)> {
        match self.sign() {
            Ordering::Less => return None,
            Ordering::Equal => return Some((0, Vec::new())),
            Ordering::Greater => {}
        }
        let (mut rest, mut power, mut k) = (self.clone(), Self::one(), 0_i64);
        while power <= rest {
            power.multiply_by_phi();
            k += 1;
        }
        let mut places = Vec::new();
        while !rest.is_zero() {
            power.divide_by_phi();
            k -= 1;
            if power <= rest {
                rest.a -= &power.a;
                rest.b -= &power.b;
                places.push(k);
            }
        }
        let (first, last) = (*places.last()?, places[0]);
        let mut cells = vec![0; (last - first) as usize + 1];
        for place in places {
            cells[(place - first) as usize] = 1;
        }
        Some((first, cells))
    }

    fn is_zero(&self) -> bool {
        self.a.is_zero() && self.b.is_zero()
    }

    fn multiply_by_phi(&mut self) {
        self.a += &self.b;
        std::mem::swap(&mut self.a, &mut self.b);
    }

    fn divide_by_phi(&mut self) {
        std::mem::swap(&mut self.a, &mut self.b);
        self.a -= &self.b;
    }
}

/// By size as real numbers.
impl Ord for Phi {
    fn cmp(&self, other: &Self) -> Ordering {
        Self {
            a: &self.a - &other.a,
            b: &self.b - &other.b,
        }
        .sign()
    }
}

impl PartialOrd for Phi {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `7 + 8*phi`, `-3 - phi`, `50`.
impl fmt::Display for Phi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.b.abs();
        let phi = if size == BigInt::from(1) {
            "phi".to_owned()
        } else {
            format!("{size}*phi")
        };
        match (self.a.is_zero(), self.b.sign()) {
            (_, Sign::NoSign) => write!(f, "{}", self.a),
            (true, Sign::Plus) => write!(f, "{phi}"),
            (true, Sign::Minus) => write!(f, "-{phi}"),
            (false, Sign::Plus) => write!(f, "{} + {phi}", self.a),
            (false, Sign::Minus) => write!(f, "{} - {phi}", self.a),
        }
    }
}

/// Whether a row is at rest: counts of 0 and 1, no two neighbours occupied.
#[must_use]
pub fn is_at_rest(cells: &[Value]) -> bool {
    cells.iter().all(|&count| count < 2) && cells.windows(2).all(|pair| pair[0] + pair[1] < 2)
}

/// The place of the first cell of a position, if the puzzle is a row of counts on which every move
/// keeps the value; `None` if some move does not, or does not show it.
///
/// Rules that add numbers given by captures, or over stretches, do not show it.
#[must_use]
pub fn keeps_phi(instance: &Instance) -> Option<i64> {
    let first = match instance.board.shape {
        Shape::Line => 0,
        Shape::Window { first } => first,
        _ => return None,
    };
    let all_keep = || {
        instance
            .rules
            .iter()
            .all(|rule| rule_keeps_phi(rule, instance))
    };
    (instance.board.counted && all_keep()).then_some(first)
}

fn rule_keeps_phi(rule: &Rule, instance: &Instance) -> bool {
    let ([left], [right], Steps::Vectors(vectors)) =
        (rule.left.as_slice(), rule.right.as_slice(), &rule.steps)
    else {
        return false;
    };
    let mut adds: BTreeMap<i64, BigInt> = BTreeMap::new();
    let (mut place, mut has_moved) = (0_i64, false);
    for item in right {
        match item {
            // Beyond a stretch, the distance to the cells before it is not known.
            RightItem::Keep(i) if left[*i].length != Length::One => has_moved = true,
            RightItem::Keep(_) => {}
            RightItem::Add(amount) => {
                let Ok(amount) = expr::big_integer(amount, &instance.params) else {
                    return false;
                };
                if std::mem::take(&mut has_moved) && !adds.is_empty() {
                    return false;
                }
                adds.insert(place, amount);
            }
            RightItem::Write(_) | RightItem::Recall(_) | RightItem::Turned(_) => return false,
        }
        place += 1;
    }
    vectors.iter().all(|&(stride, _)| {
        let mut sum = Phi::zero();
        for (place, amount) in &adds {
            let weight = Phi::power(place * i64::from(stride));
            sum.a += &weight.a * amount;
            sum.b += weight.b * amount;
        }
        sum.is_zero()
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::strategy::{Next, Program};

    fn data(path: &str) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        std::fs::read_to_string(root.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
    }

    fn instance(text: &str, start: Option<&str>) -> Instance {
        let file = crate::parse::parse("test", text.as_bytes())
            .expect("a rule file")
            .file;
        let params = file.parameters(&[]).expect("defaults");
        file.instance("test", params, start).expect("an instance").0
    }

    fn number(a: i64, b: i64) -> Phi {
        Phi {
            a: a.into(),
            b: b.into(),
        }
    }

    #[test]
    fn golden_rows_at_rest() {
        let table = data("golden/chips-normal-forms.csv");
        assert!(table.lines().count() > 4);
        for line in table.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let row: Vec<Value> = fields[0]
                .split(' ')
                .map(|count| count.parse().expect("a count"))
                .collect();
            let value = Phi::of_row(&row);
            let parts = [value.a.to_string(), value.b.to_string()];
            assert_eq!(parts, fields[1..3], "{line}");
            let (first, cells) = value.resting_row().expect("no negative value");
            assert!(is_at_rest(&cells), "{line}");
            let occupied = (first..).zip(cells).filter(|(_, count)| *count > 0);
            let occupied: Vec<String> = occupied.map(|(place, _)| place.to_string()).collect();
            assert_eq!(occupied.join(" "), fields[3], "{line}");
        }
    }

    #[test]
    fn numbers_in_order() {
        let check = |a, b, sign| assert_eq!(number(a, b).sign(), sign, "{a} + {b} phi");
        check(0, 0, Ordering::Equal);
        check(2, -1, Ordering::Greater);
        check(-2, 1, Ordering::Less);
        // Neighbouring Fibonacci numbers: phi^-5 is 5 phi - 8 (the sign alternates).
        check(-8, 5, Ordering::Greater);
        check(13, -8, Ordering::Greater);
        check(8, -5, Ordering::Less);
        check(-1, 0, Ordering::Less);
        for k in -80..80_i64 {
            assert!(Phi::power(k) < Phi::power(k + 1), "{k}");
            assert_eq!(Phi::power(k).times_phi(), Phi::power(k + 1), "{k}");
            assert_eq!(Phi::power(k).over_phi(), Phi::power(k - 1), "{k}");
            assert_eq!(Phi::power(k).resting_row(), Some((k, vec![1])));
        }
        assert_eq!(number(-1, 0).resting_row(), None);
        assert_eq!(Phi::zero().resting_row(), Some((0, Vec::new())));
    }

    #[test]
    fn numbers_in_words() {
        let check = |a, b, words| assert_eq!(number(a, b).to_string(), words);
        check(7, 8, "7 + 8*phi");
        check(50, 0, "50");
        check(0, 1, "phi");
        check(0, -1, "-phi");
        check(-3, -2, "-3 - 2*phi");
        check(0, 0, "0");
    }

    #[test]
    fn long_rows_within_seconds() {
        let begun = std::time::Instant::now();
        let row = vec![1_000_000; 10_000];
        let value = Phi::of_row(&row);
        let (first, cells) = value.resting_row().expect("no negative value");
        assert!(is_at_rest(&cells));
        let shift = Phi::power(first);
        assert_eq!(Phi::of_row(&cells).times(&shift), value);
        assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    }

    #[test]
    fn played_rows_come_to_rest_there() {
        let rules = data("puzzles/chips-classic.puzzle");
        let mut seed = 1_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for _ in 0..60 {
            let length = 1 + random(12);
            let most = 1 + random(40);
            let mut row: Vec<Value> = (0..length).map(|_| random(most + 1)).collect();
            row.push(1);
            let text: Vec<String> = row.iter().map(ToString::to_string).collect();
            let instance = instance(&rules, Some(&text.join(" ")));
            assert!(keeps_phi(&instance).is_some());
            let program = Program::new(&instance, &instance.strategies[0]).expect("a program");
            let mut player = program.play(&instance.starts[0]);
            while matches!(player.advance(), Next::Moved(_)) {}
            let (first, cells) = player.row().occupied();
            let expected = Phi::of_row(&row).resting_row();
            assert_eq!(Some((first, cells.to_vec())), expected, "{text:?}");
        }
    }

    #[test]
    fn which_rules_keep_the_value() {
        let check = |board: &str, moves: &str, kept: bool| {
            let text =
                format!("puzzle \"P\"\nboard {board}\nstart 2 3 5 0\ngoal never 2..\n{moves}\n");
            assert_eq!(
                keeps_phi(&instance(&text, None)).is_some(),
                kept,
                "{board}: {moves}"
            );
        };
        let row = "line endless of counts, spare 2";
        check(row, "move merge: -1 -1 +1", true);
        check("line of counts", "move merge: -1 -1 +1", true);
        check(row, "move split: +1 _ -2 +1", true);
        check(row, "move double: +2 +2 -2", true);
        check(row, "move step: -1 +1", false);
        check(row, "move merge: -1 -1 +1\nmove step: -1 +1", false);
        check(row, "move both ways: -1 -1 +1 along both", false);
        check(row, "move guarded: 2.. _ _ _ -> _ -1 -1 +1", true);
        check(row, "move far: 2.. 1* 1.. 1.. _ -> _ _* -1 -1 +1", true);
        check(row, "move split apart: 1.. 1.. 1* _ -> -1 -1 _* +1", false);
        check(row, "move pile: x:1.. _ -> -x +x", false);
        check("ring of counts", "move merge: -1 -1 +1", false);
    }
}
