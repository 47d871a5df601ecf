//! A second look at what is said to be kept, and at goals that it is said to exclude.
//!
//! Every rule is laid at every place by plain code, whatever the cells hold; what it adds to a sum of
//! weights is worked out cell by cell. A goal is gone through case by case, adding up all sums that its
//! positions can have. Where that takes too long, or anything is not understood, nothing is confirmed.

mod cases;
mod changes;
mod laying;

use std::collections::BTreeSet;

use impasse_model::board::Shape;
use impasse_model::instance::{Instance, Position, Value};
use num_bigint::BigInt;

use crate::field::Place;
use crate::moves::occupied;

/// A sum of weights over a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    /// Modulo what it is meant; `None`: as it is.
    pub modulus: Option<u64>,
    /// Whether 1 is added for an odd arrangement of contents that all differ.
    pub sign: bool,
    /// The weights.
    pub weights: Weights,
}

/// What the cells weigh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weights {
    /// By cell, in board order, and there by symbol, `.` included; on counted boards one number a
    /// cell, for each of its count.
    Cells(Vec<Vec<BigInt>>),
    /// On an endless row: by symbol, `.` included; on counted boards one entry, for each of a count.
    Row(Vec<RowWeight>),
}

/// What a piece weighs on an endless row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowWeight {
    /// Anywhere.
    pub number: BigInt,
    /// For each place that it lies further right; at place 0 nothing.
    pub place: BigInt,
    /// On even places.
    pub even: BigInt,
}

/// Why an exclusion is not confirmed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// A move changes a sum.
    #[error("`{rule}` does not keep sum {sum}")]
    NotKept {
        /// The rule's name.
        rule: String,
        /// Which sum, from 1.
        sum: usize,
    },
    /// Some goal has the sums of a start.
    #[error("a goal can have the sums of a start")]
    GoalPossible,
    /// It takes too long, or is not understood.
    #[error("{0}")]
    Unsure(&'static str),
}

impl Sum {
    /// What a content adds at a place; the place counts as the board does.
    fn weight(
        &self,
        instance: &Instance,
        place: Place,
        cell: Option<usize>,
        content: Value,
    ) -> BigInt {
        let counted = instance.board.counted;
        match &self.weights {
            Weights::Cells(cells) => match cell {
                Some(cell) if counted => &cells[cell][0] * content,
                Some(cell) => cells[cell][content as usize].clone(),
                None => BigInt::ZERO,
            },
            Weights::Row(pieces) => {
                let (piece, times) = if counted {
                    (&pieces[0], content)
                } else {
                    (&pieces[content as usize], 1)
                };
                let mut weight = &piece.number + &piece.place * place.0;
                if place.0 % 2 == 0 {
                    weight += &piece.even;
                }
                weight * times
            }
        }
    }

    /// A value in the range of the modulus.
    fn reduced(&self, value: BigInt) -> BigInt {
        match self.modulus {
            Some(modulus) => ((value % modulus) + modulus) % modulus,
            None => value,
        }
    }

    /// The sum over contents that begin at a place (of a row), or fill the board.
    fn value(&self, instance: &Instance, first: i64, contents: &[Value]) -> BigInt {
        let cells = contents.iter().enumerate();
        let mut value: BigInt = cells
            .map(|(cell, &v)| self.weight(instance, (first + cell as i64, 0), Some(cell), v))
            .sum();
        if self.sign && is_odd(contents) {
            value += 1;
        }
        self.reduced(value)
    }
}

/// Whether contents that all differ lie in an odd arrangement.
fn is_odd(contents: &[Value]) -> bool {
    let pairs = (0..contents.len()).flat_map(|i| (i + 1..contents.len()).map(move |j| (i, j)));
    pairs.filter(|&(i, j)| contents[i] > contents[j]).count() % 2 == 1
}

/// Confirms that every move keeps these sums, and that no goal has the sums of a start.
///
/// All sums are of one kind: of cells, or of an endless row. For a row the stretches are laid in
/// enough lengths at enough places: what a move adds is a polynomial of degree 2 at most in them, for
/// each way they are odd or even, and one that vanishes at three values of each is 0.
///
/// # Errors
/// The first [`Doubt`].
pub fn confirm_excluded(instance: &Instance, sums: &[Sum]) -> Result<(), Doubt> {
    if sums.is_empty() {
        return Err(Doubt::Unsure("there is nothing to confirm"));
    }
    let is_row = |sum: &Sum| matches!(sum.weights, Weights::Row(_));
    let rows = sums.iter().filter(|sum| is_row(sum)).count();
    if rows != 0 && rows != sums.len() {
        return Err(Doubt::Unsure("sums of cells and of a row are mixed"));
    }
    if sums.iter().any(|sum| sum.sign) {
        check_all_differ(instance)?;
    }
    let symbols = occurring(instance);
    changes::check_kept(instance, sums, &symbols)?;
    for start in &instance.starts {
        if rows > 0 {
            let first = match instance.board.shape {
                Shape::Window { first } => first,
                _ => 0,
            };
            let skipped = start.iter().take_while(|&&v| v == 0).count() as i64;
            let values = sums.iter();
            let values = values.map(|s| s.value(instance, first + skipped, occupied(start)));
            cases::check_row_goal(instance, sums, &values.collect::<Vec<_>>())?;
        } else {
            let values = sums.iter().map(|sum| sum.value(instance, 0, start));
            cases::check_goal(instance, sums, &values.collect::<Vec<_>>(), &symbols)?;
        }
    }
    Ok(())
}

/// The sign of an arrangement means something only where all contents differ.
fn check_all_differ(instance: &Instance) -> Result<(), Doubt> {
    let differ = |start: &Position| start.iter().collect::<BTreeSet<_>>().len() == start.len();
    if !instance.board.counted && instance.starts.iter().all(differ) {
        Ok(())
    } else {
        Err(Doubt::Unsure("the sign needs contents that all differ"))
    }
}

/// The symbols that can ever stand on the board: those of the starts, and those that a rule writes
/// whose single cells can all be matched.
fn occurring(instance: &Instance) -> Vec<Value> {
    use impasse_model::instance::{Length, RightItem, Test};
    let mut found: BTreeSet<Value> = instance.starts.iter().flatten().copied().collect();
    if crate::field::is_endless(&instance.board) {
        found.insert(0);
    }
    if instance.board.counted {
        return found.into_iter().collect();
    }
    loop {
        let before = found.clone();
        for rule in &instance.rules {
            let can_match = rule.left.iter().flatten().all(|item| match item.test {
                Test::Symbols(set) if item.length == Length::One => {
                    set.has_no_cell() || before.iter().any(|&s| set.has(s as u8))
                }
                _ => true,
            });
            for item in rule.right.iter().flatten().filter(|_| can_match) {
                if let RightItem::Write(symbol) = item {
                    found.insert(Value::from(*symbol));
                }
            }
        }
        if found == before {
            return found.into_iter().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(text: &str) -> Instance {
        let file = impasse_model::parse::parse("test", text.as_bytes())
            .expect("a file")
            .file;
        let params = file.parameters(&[]).expect("no parameters");
        file.instance("test", params, None).expect("an instance").0
    }

    fn coins(start: &str) -> Instance {
        instance(&format!(
            "puzzle \"C\"\npiece A \"a\"\npiece B \"b\"\nclass coin = A B\n\
             board line endless, spare 3\nstart {start}\ngoal A A B B or B B A A\n\
             move hop: x:coin y:coin coin ... . . -> . . coin ... x y where x != y along both\n"
        ))
    }

    /// By symbol (`.`, A, B): number, place, even.
    fn row(pieces: [[i64; 3]; 3]) -> Sum {
        let weight = |[number, place, even]: [i64; 3]| RowWeight {
            number: number.into(),
            place: place.into(),
            even: even.into(),
        };
        Sum {
            modulus: None,
            sign: false,
            weights: Weights::Row(pieces.map(weight).to_vec()),
        }
    }

    fn cells(modulus: u64, weights: &[&[i64]]) -> Sum {
        let of_cell = |symbols: &&[i64]| symbols.iter().map(|&n| n.into()).collect();
        Sum {
            modulus: Some(modulus),
            sign: false,
            weights: Weights::Cells(weights.iter().map(of_cell).collect()),
        }
    }

    #[test]
    fn sums_of_an_endless_row() {
        let places = row([[0, 0, 0], [0, 1, 0], [0, -1, 0]]);
        let check = |start: &str, sums: &[Sum], expected: Result<(), Doubt>| {
            assert_eq!(confirm_excluded(&coins(start), sums), expected, "{start}");
        };
        check("A B A B", std::slice::from_ref(&places), Ok(()));
        check(
            "A A B B",
            std::slice::from_ref(&places),
            Err(Doubt::GoalPossible),
        );
        let hop = |sum| {
            Err(Doubt::NotKept {
                rule: "hop".to_owned(),
                sum,
            })
        };
        // Places of one kind alone, of both together, and numbers on even places of one kind.
        check("A B A B", &[row([[0; 3], [0, 1, 0], [0; 3]])], hop(1));
        check("A B A B", &[row([[0; 3], [0, 1, 0], [0, 1, 0]])], hop(1));
        check(
            "A B A B",
            &[places, row([[0; 3], [0, 0, 1], [0; 3]])],
            hop(2),
        );
        // Numbers are kept, and exclude nothing.
        check(
            "A B A B",
            &[row([[0; 3], [1, 0, 0], [0; 3]])],
            Err(Doubt::GoalPossible),
        );
        check(
            "A B A B",
            &[],
            Err(Doubt::Unsure("there is nothing to confirm")),
        );
    }

    #[test]
    fn sums_of_cells() {
        let pegs = |goal: &str| {
            instance(&format!(
                "puzzle \"P\"\npiece P \"p\"\nboard line\nstart P P . .\ngoal {goal}\n\
                 move jump: P P . -> . . P along both\n"
            ))
        };
        // Of three neighbouring cells two weigh 1, modulo 2: a jump over any of them changes nothing.
        let classes = cells(2, &[&[0, 1], &[0, 1], &[0, 0], &[0, 1]]);
        let check = |goal: &str, sum: &Sum, expected: Result<(), Doubt>| {
            let sums = std::slice::from_ref(sum);
            assert_eq!(confirm_excluded(&pegs(goal), sums), expected, "{goal}");
        };
        check(". . P .", &classes, Err(Doubt::GoalPossible));
        check(". P . .", &classes, Ok(()));
        check("contains P . .", &classes, Err(Doubt::GoalPossible));
        check("count P = 1", &classes, Err(Doubt::GoalPossible));
        check(
            "not count P != 1 and (. P . . or P . . .)",
            &classes,
            Ok(()),
        );
        check("never P", &classes, Err(Doubt::GoalPossible));
        check("stuck", &classes, Err(Doubt::GoalPossible));
        let wrong = cells(2, &[&[0, 1], &[0, 1], &[0, 1], &[0, 1]]);
        let not_kept = Doubt::NotKept {
            rule: "jump".to_owned(),
            sum: 1,
        };
        check(". P . .", &wrong, Err(not_kept));
    }

    #[test]
    fn signs_need_contents_that_all_differ() {
        let swap = |start: &str| {
            instance(&format!(
                "puzzle \"S\"\npiece A \"a\"\npiece B \"b\"\npiece C \"c\"\nclass any = A B C\n\
                 board line\nstart {start}\ngoal B A C\n\
                 move turn: x:any y:any z:any -> y z x\n"
            ))
        };
        let sign = Sum {
            modulus: Some(2),
            sign: true,
            weights: Weights::Cells(vec![vec![BigInt::ZERO; 4]; 3]),
        };
        let check = |start: &str| confirm_excluded(&swap(start), std::slice::from_ref(&sign));
        assert_eq!(check("A B C"), Ok(()));
        assert_eq!(check("B A C"), Err(Doubt::GoalPossible));
        assert!(matches!(check("A A C"), Err(Doubt::Unsure(_))));
    }
}
