//! Invariants: every row of the golden table, and that what is said to be kept is kept.

use std::path::{Path, PathBuf};

use impasse_analysis::invariants::{Effort, Ends, Invariants, Length, endless, invariants};
use impasse_model::instance::Instance;
use impasse_model::parse::parse;
use impasse_model::place::place;

fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../data")
        .join(path)
}

/// An instance of a rule text, with parameters written `n=3 m=4` and perhaps another start.
fn instance_of(text: &str, params: &str, start: Option<&str>) -> Instance {
    let file = parse("test.puzzle", text.as_bytes())
        .unwrap_or_else(|faults| panic!("{:?}", faults.faults))
        .file;
    let given: Vec<(String, String)> = params
        .split_whitespace()
        .map(|word| word.split_once('=').expect("NAME=VALUE"))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let params = file.parameters(&given).expect("in range");
    file.instance("test", params, start)
        .unwrap_or_else(|faults| panic!("{given:?}: {:?}", faults.faults))
        .0
}

fn shipped(name: &str) -> String {
    std::fs::read_to_string(data(&format!("puzzles/{name}.puzzle"))).expect("a shipped file")
}

fn found(instance: &Instance) -> (usize, Invariants) {
    let placed = place(instance).expect("few placements");
    let moves = placed.rules.len() + placed.counts.iter().filter(|c| !c.cut).count();
    let found = invariants(
        instance,
        &placed,
        endless(instance).as_ref(),
        Effort::Patient,
    )
    .expect("little work");
    (moves, found)
}

/// The golden table, by the puzzle's name.
fn golden() -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(data("golden/blocking/invariants.csv")).expect("a table");
    let rows = text.lines().skip(1);
    rows.map(|line| line.split(',').map(str::to_owned).collect())
        .collect()
}

/// What the table says of one puzzle, held against what is found: placed moves, dimensions over the
/// rationals, modulo 2 and 3, whether weights of cells grade the space, and modulo 2.
fn check_row(row: &[String], moves: &str, instance: &Instance) -> Invariants {
    let (placed, found) = found(instance);
    let yes = |holds: bool| if holds { "yes" } else { "no" }.to_owned();
    let computed = [
        placed.to_string(),
        found.rational.dimension.to_string(),
        found.modulo_2.dimension.to_string(),
        found.modulo_3.dimension.to_string(),
        yes(found.grading.by_weights),
        yes(found.grading.parity.is_some()),
    ];
    let expected = std::iter::once(moves.to_owned()).chain(row[4..9].iter().cloned());
    for (computed, expected) in computed.iter().zip(expected) {
        // An empty cell of the table says nothing.
        assert!(
            expected.is_empty() || *computed == expected,
            "{row:?}: {computed:?}"
        );
    }
    found
}

const STEPS_ONLY: &str =
    "puzzle \"S\"\nparam n = 3 in 1..9\npiece F \"f\"\npiece T \"t\"\nboard line
start F^n . T^n\ngoal T^n . F^n\nmove step: F . -> . F\nmirror F <-> T\n";

const PEGS_ON_A_LINE: &str = "puzzle \"P\"\nparam n = 8 in 3..20\npiece P \"peg\"\nboard line
start . P^(n-1)\ngoal count P = 1\nmove jump: P P . -> . . P along both\n";

#[test]
fn the_golden_table() {
    let rows = golden();
    let mut checked = 0;
    for row in &rows {
        checked += 1;
        match row[0].as_str() {
            "frogs forward" => {
                for (n, moves) in ["2", "3", "5"].iter().zip(row[3].split(';')) {
                    let instance =
                        instance_of(&shipped("frogs-and-toads"), &format!("n={n}"), None);
                    let found = check_row(row, moves, &instance);
                    let potential = found.grading.potential.as_ref().expect("graded");
                    let words = potential.words(&instance, &found.unknowns);
                    assert_eq!(
                        words,
                        "the places of F - the places of T + pairs F before T"
                    );
                    let n: u64 = n.parse().expect("a number");
                    assert_eq!(found.length, Some(Length::Moves(n * n + 2 * n)));
                }
            }
            "frogs steps only n=3" => {
                check_row(row, &row[3], &instance_of(STEPS_ONLY, "", None));
            }
            "frogs jump any" => {
                let instance = instance_of(&shipped("frogs-and-toads"), "over=any", None);
                let found = check_row(row, "", &instance);
                assert_eq!(row[9], "no");
                assert_eq!(found.grading.potential, None);
            }
            "coins C-first" => {
                let text = shipped("coins");
                let (start, room) = match row[1].as_str() {
                    "window 12" => ("ABAB", "room=4"),
                    "window 22" => ("ABAB", "room=9"),
                    other => panic!("{other}"),
                };
                check_row(row, &row[3], &instance_of(&text, room, Some(start)));
            }
            "Guarini 3x3" => {
                let found = check_row(row, &row[3], &instance_of(&shipped("guarini"), "", None));
                assert_eq!(found.length, Some(Length::Parity { is_odd: false }));
            }
            "chips base phi" => {
                let text = shipped("chips");
                let instance = instance_of(&text, "west=4 east=5", None);
                check_row(row, &row[3], &instance);
            }
            "peg English" => {
                check_row(
                    row,
                    &row[3],
                    &instance_of(&shipped("peg-solitaire"), "", None),
                );
            }
            "peg 4x4" => {
                check_row(
                    row,
                    &row[3],
                    &instance_of(&shipped("peg-rectangle"), "", None),
                );
            }
            "peg 1x8" => {
                check_row(row, &row[3], &instance_of(PEGS_ON_A_LINE, "", None));
            }
            "peg 3x5" => {
                let instance = instance_of(&shipped("peg-rectangle"), "rows=3 cols=5", None);
                check_row(row, &row[3], &instance);
            }
            "8-puzzle" => {
                // The shipped file declares pieces that no small board holds; they place moves too.
                let instance = instance_of(&shipped("tiles"), "", None);
                let found = check_row(row, "", &instance);
                assert!(found.sign.is_some());
            }
            other => panic!("a new row: {other}"),
        }
    }
    assert_eq!(checked, 12);
}

/// Whether the goal is excluded from a start.
fn is_excluded(text: &str, params: &str, start: &str) -> bool {
    let instance = instance_of(text, params, Some(start));
    found(&instance).1.exclusion.is_some()
}

#[test]
fn pegs_on_a_square() {
    // With one peg missing a single peg can be left only for some places of the gap.
    let text = shipped("peg-rectangle");
    let with_gap = |cell: usize| {
        let cells = (0..16).map(|c| if c == cell { '.' } else { 'P' });
        let cells: String = cells.collect();
        format!(
            "{}/{}/{}/{}",
            &cells[..4],
            &cells[4..8],
            &cells[8..12],
            &cells[12..]
        )
    };
    for cell in 0..16 {
        let (x, y) = (cell % 4, cell / 4);
        let impossible = x == y || x + y == 3;
        assert_eq!(
            is_excluded(&text, "", &with_gap(cell)),
            impossible,
            "{x} {y}"
        );
    }
    // The golden table: from the gap (0,1) the last peg can be at (0,2) or (3,2) only.
    // (Column 1, row 0 of the gap; the table names columns first.)
    let is_left = |last: &usize| {
        let cells: Vec<&str> = (0..16)
            .map(|c| if c == *last { "P" } else { "." })
            .collect();
        let goal = cells.join(" ");
        let text = text.replace("goal count P = 1", &format!("goal {goal}"));
        !is_excluded(&text, "", &with_gap(1))
    };
    let left: Vec<usize> = (0..16).filter(is_left).collect();
    assert_eq!(left, [2, 14]);
}

#[test]
fn the_english_board_leaves_five_cells() {
    let text = shipped("peg-solitaire");
    let row = |y: usize| if (2..5).contains(&y) { 0..7 } else { 2..5 };
    let cells: Vec<(usize, usize)> = (0..7).flat_map(|y| row(y).map(move |x| (x, y))).collect();
    let mut left = Vec::new();
    for &last in &cells {
        let drawing = |(x, y): (usize, usize)| match cells.contains(&(x, y)) {
            _ if (x, y) == last => "P",
            true => ".",
            false => "#",
        };
        let rows = (0..7).map(|y| {
            let row: Vec<&str> = (0..7).map(|x| drawing((x, y))).collect();
            format!("\n  {}", row.join(" "))
        });
        let goal: String = rows.collect();
        let text = text.replace("goal count P = 1", &format!("goal{goal}"));
        let instance = instance_of(&text, "", None);
        if found(&instance).1.exclusion.is_none() {
            left.push(last);
        }
    }
    assert_eq!(left, [(3, 0), (0, 3), (3, 3), (6, 3), (3, 6)]);
}

#[test]
fn odd_arrangements_of_tiles() {
    let text = shipped("tiles");
    let check = |params: &str, start: &str, excluded: bool| {
        assert_eq!(is_excluded(&text, params, start), excluded, "{start}");
    };
    check("rows=3 cols=3", "ABC/DEF/HG.", true);
    check("rows=3 cols=3", "ABC/DEF/.HG", true);
    check("rows=3 cols=3", "ABC/DEF/G.H", false);
    check("rows=4 cols=4", "ABCD/EFGH/IJKL/MON.", true);
    check("rows=4 cols=4", "ABCD/EFGH/IJKL/MN.O", false);
    let instance = instance_of(&text, "rows=4 cols=4", Some("ABCD/EFGH/IJKL/MON."));
    let (_, found) = found(&instance);
    let exclusion = found.exclusion.expect("excluded");
    assert!(exclusion.witnesses.iter().all(|witness| witness.sign));
    assert_eq!(
        exclusion.witnesses[0].words(&instance, &found.unknowns),
        "the sign of the arrangement (1 if odd) + the number of . where row + column is even"
    );
}

#[test]
fn readable_bases() {
    let check = |text: &str, params: &str, start: Option<&str>, expected: [&[&str]; 3]| {
        let instance = instance_of(text, params, start);
        let (_, found) = found(&instance);
        let spaces = [&found.rational, &found.modulo_2, &found.modulo_3];
        for (space, expected) in spaces.into_iter().zip(expected) {
            let lines = space.lines(&instance, &found.unknowns).into_iter();
            let in_words = lines.map(|(words, everywhere)| {
                assert!(everywhere, "{words}");
                words
            });
            assert_eq!(in_words.collect::<Vec<_>>(), expected, "{params}");
        }
    };
    check(
        &shipped("frogs-and-toads"),
        "",
        None,
        [&["the number of each piece"], &[], &[]],
    );
    check(
        &shipped("guarini"),
        "",
        None,
        [
            &["the number of each piece", "what stands on cell 5"],
            &[],
            &[],
        ],
    );
    check(
        &shipped("coins"),
        "",
        None,
        [
            &[
                "the number of each piece",
                "the number of A and B on even places",
                "the places of A - the places of B",
            ],
            &[],
            &[],
        ],
    );
    check(
        &shipped("peg-solitaire"),
        "",
        None,
        [
            &[],
            &[
                "the number of P where row + column is 0 or 1 modulo 3",
                "the number of P where row + column is 0 or 2 modulo 3",
                "the number of P where row - column is 0 or 1 modulo 3",
                "the number of P where row - column is 0 or 2 modulo 3",
            ],
            &[],
        ],
    );
}

/// The words of what is kept in every window, and where each goal can lie.
fn on_endless_row(text: &str, params: &str, start: &str) -> (Vec<String>, Vec<Ends>, bool) {
    let instance = instance_of(text, params, Some(start));
    let row = endless(&instance).expect("an endless row");
    let words = row.invariants.iter().map(|i| i.words(&instance)).collect();
    let ends = row.ends.into_iter().map(|end| end.ends).collect();
    (words, ends, row.exclusion.is_some())
}

#[test]
fn coins_in_every_window() {
    let text = shipped("coins");
    let kept = [
        "the number of A",
        "the number of B",
        "the number of A and B on even places",
        "the places of A - the places of B",
    ];
    let check = |params: &str, start: &str, expected: [Ends; 2]| {
        let (words, ends, excluded) = on_endless_row(&text, params, start);
        assert_eq!(words, kept);
        assert_eq!(ends, expected, "{start}");
        assert_eq!(excluded, ends.iter().all(|end| *end == Ends::Nowhere));
    };
    let only = |place| Ends::At(vec![place]);
    check("n=2 extra=0", "ABAB", [Ends::Nowhere, Ends::Nowhere]);
    check("n=3 extra=0", "ABABAB", [Ends::Nowhere, Ends::Nowhere]);
    check("n=1 extra=1", "ABA", [only(2), only(-2)]);
    check("n=2 extra=1", "ABABA", [only(6), only(-6)]);
    check("n=2 extra=1", "ABABA@5", [only(6), only(-6)]);
    // Placed moves of a window say the same as the proof for all.
    for room in [3, 8] {
        let params = format!("n=2 extra=0 room={room}");
        assert!(is_excluded(&text, &params, "ABAB"));
    }
    // AABB is excluded nowhere: as many of the one as of the other, so a shift changes nothing.
    check("n=2 extra=0", "AABB", [Ends::Anywhere, Ends::Nowhere]);
}

#[test]
fn chips_and_stretches_in_every_window() {
    let check = |text: &str, start: &str, expected: &[&str]| {
        assert_eq!(on_endless_row(text, "", start).0, expected, "{text}");
    };
    let counts = |moves: &str| {
        format!(
            "puzzle \"C\"\nboard line endless of counts, spare 4\nstart 3\ngoal 1 1 1\n{moves}\n"
        )
    };
    check(
        &counts("move a: -1 +2 -1"),
        "3",
        &["the sum of the counts", "the places of the counts"],
    );
    check(&counts("move a: -2 +1 +1"), "3", &["the sum of the counts"]);
    check(&counts("move a: +1 +1 -1"), "3", &[]);
    check(
        &counts("move a: x:_ _ _ -> -x +0 +x"),
        "3",
        &[
            "the sum of the counts",
            "the sum of the counts on even places",
        ],
    );
    let pieces = |moves: &str| {
        format!(
            "puzzle \"C\"\npiece A \"a\"\npiece B \"b\"\nclass any = A B\nboard line endless, spare 4\nstart A B\ngoal B A\n{moves}\n"
        )
    };
    check(
        &pieces("move a: x:any y:any -> y x"),
        "AB",
        &[
            "the number of A",
            "the number of B",
            "the number of A and B on even places",
            "the places of A and B",
        ],
    );
    // A stretch of both kinds moves by one place: places of both change alike, if at all.
    check(
        &pieces("move a: x:any+ . -> . x along both"),
        "AB",
        &["the number of A", "the number of B"],
    );
    // It is turned where it lies: the sum of all places stays, and so does how many lie on even ones.
    check(
        &pieces("move a: x:any+ -> ~x"),
        "AB",
        &[
            "the number of A",
            "the number of B",
            "the number of A and B on even places",
            "the places of A and B",
        ],
    );
}
