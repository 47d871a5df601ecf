//! Spaces above two million states: too big for the tests, with what is known of them.

use super::Check;

/// A space, and what is expected of it.
struct Case {
    puzzle: &'static str,
    /// The rule file, where the puzzle is `-`.
    text: Option<&'static str>,
    /// Values for `-p`.
    values: &'static [&'static str],
    /// Further arguments.
    options: &'static [&'static str],
    /// Keys of the summary and their figures.
    expected: &'static [(&'static str, &'static str)],
}

/// Five knights a side in the first and the last five cells, a row and a quarter.
const FIVE_KNIGHTS: &str = "puzzle \"Five knights a side\"
piece W \"white\"
piece B \"black\"
class knight = W B
board grid 5 by 4
start W^5 .^10 B^5
goal  B^5 .^10 W^5
move leap: k:knight . -> . k along knight
";

/// Where every arrangement is reached, `states` is a multinomial coefficient; `max_depth` counts
/// the layers that an independent prototype found, less one.
const CASES: &[Case] = &[
    // 21 * binomial(20, 10); n (n + 2).
    Case {
        puzzle: "frogs-and-toads-both-ways",
        text: None,
        values: &["n=10"],
        options: &[],
        expected: &[
            ("states", "3879876"),
            ("shortest", "120"),
            ("dead_ends", "0"),
            ("lost", "0"),
        ],
    },
    // 23 * binomial(22, 11).
    Case {
        puzzle: "frogs-and-toads-both-ways",
        text: None,
        values: &["n=11"],
        options: &["--only", "depths"],
        expected: &[("states", "16224936"), ("shortest", "143")],
    },
    // 17! / (7! 7! 3!) in 78 layers.
    Case {
        puzzle: "frogs-and-toads-both-ways",
        text: None,
        values: &["n=7", "k=3"],
        options: &["--only", "depths"],
        expected: &[("states", "2333760"), ("max_depth", "77")],
    },
    // The full square of 5 by 5, as a slow interpreter counted it.
    Case {
        puzzle: "frogs-square",
        text: None,
        values: &["n=2", "over=opponent"],
        options: &["--only", "depths"],
        expected: &[("states", "17443218"), ("shortest", "47")],
    },
    Case {
        puzzle: "frogs-square",
        text: None,
        values: &["n=2", "over=any"],
        options: &["--only", "depths"],
        expected: &[("shortest", "45")],
    },
    // The English board. W. Butler counted 577,116,156,815,309,849,672 plays, and
    // 40,861,647,040,079,968 that end in the centre: one of them in two ends elsewhere, as the last
    // jump may go either of two ways.
    Case {
        puzzle: "peg-solitaire",
        text: None,
        values: &[],
        options: &["--memory", "6G", "--symmetry", "off"],
        expected: &[
            ("states", "187636299"),
            ("transitions", "1487175000"),
            ("dead_ends", "162347"),
            ("goals", "5"),
            ("live", "13428126"),
            ("shortest", "31"),
            ("max_depth", "31"),
            ("max_remoteness", "31"),
            ("shortest_solutions", "81723294080159936"),
            ("plays", "577116156815309849672"),
            ("longest", "31"),
            ("graded", "true"),
            ("reversible", "false"),
        ],
    },
    // The same, one position of eight.
    Case {
        puzzle: "peg-solitaire",
        text: None,
        values: &[],
        options: &["--memory", "2G"],
        expected: &[
            ("states", "187636299"),
            ("transitions", "1487175000"),
            ("dead_ends", "162347"),
            ("goals", "5"),
            ("live", "13428126"),
            ("shortest_solutions", "81723294080159936"),
            ("plays", "577116156815309849672"),
        ],
    },
    // 12! / 2 positions; 53 moves at most.
    Case {
        puzzle: "tiles",
        text: None,
        values: &["rows=3", "cols=4"],
        options: &["--engine", "stream", "--only", "depths"],
        expected: &[("states", "239500800"), ("max_depth", "53")],
    },
    // 25 * binomial(24, 12), in 174 layers.
    Case {
        puzzle: "frogs-and-toads-both-ways",
        text: None,
        values: &["n=12"],
        options: &["--only", "verdicts"],
        expected: &[
            ("states", "67603900"),
            ("shortest", "168"),
            ("max_depth", "173"),
            ("lost", "0"),
        ],
    },
    // 25! / (5! 5! 15!), in 27 layers.
    Case {
        puzzle: "knights-exchange",
        text: None,
        values: &["rows=5", "cols=5"],
        options: &["--only", "depths"],
        expected: &[("states", "823727520")],
    },
    // 20! / (4! 4! 12!).
    Case {
        puzzle: "knights-exchange",
        text: None,
        values: &["rows=5", "cols=4"],
        options: &["--only", "depths"],
        expected: &[("states", "8817900")],
    },
    // 20! / (5! 5! 10!) in 23 layers.
    Case {
        puzzle: "-",
        text: Some(FIVE_KNIGHTS),
        values: &[],
        options: &["--only", "depths"],
        expected: &[("states", "46558512"), ("max_depth", "22")],
    },
];

/// Frogs that never turn back, a side, by the engine that keeps only a few layers.
const FORWARD_FROGS: std::ops::RangeInclusive<u64> = 17..=24;

/// The cases as runs of the program.
pub(crate) fn checks() -> Vec<Check> {
    let frogs = FORWARD_FROGS.map(forward_frogs);
    CASES.iter().map(Case::check).chain(frogs).collect()
}

/// The closed forms for frogs that never turn back, proved for every n from 2 on.
fn forward_frogs(n: u64) -> Check {
    let (mut fib, mut next) = (0_u64, 1);
    for _ in 0..n + 4 {
        (fib, next) = (next, fib + next);
    }
    let states = (24 << n) - 6 * fib - 2 * n * n - 7 * n - 3;
    let dead_ends = (6 << n) - 2 * fib - n * n;
    let live = 2 * n * (n + 2);
    let expected = [
        ("states", states),
        ("live", live),
        ("doomed", states - live - dead_ends),
        ("dead_ends", dead_ends),
        ("blocking_moves", 2 * (n * n - 1)),
        ("shortest", n * (n + 2)),
        ("shortest_solutions", 2),
    ];
    let arguments = [
        "frogs-and-toads",
        "-p",
        &format!("n={n}"),
        "--engine",
        "layers",
    ];
    Check {
        label: format!("frogs-and-toads n={n} by layers"),
        arguments: arguments.map(str::to_owned).to_vec(),
        text: None,
        expected: expected
            .map(|(key, value)| (key.to_owned(), value.to_string()))
            .to_vec(),
    }
}

impl Case {
    fn check(&self) -> Check {
        let mut arguments = vec![self.puzzle.to_owned()];
        for value in self.values {
            arguments.extend(["-p".to_owned(), (*value).to_owned()]);
        }
        arguments.extend(self.options.iter().map(|&o| o.to_owned()));
        Check {
            label: format!("{} {}", self.puzzle, self.values.join(" ")),
            arguments,
            text: self.text.map(str::to_owned),
            expected: self
                .expected
                .iter()
                .map(|&(k, v)| (k.to_owned(), v.to_owned()))
                .collect(),
        }
    }
}
