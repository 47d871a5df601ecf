//! The widths at which the packed word changes, through the command line, against closed forms.

mod support;

use support::{run_in, run_on};

/// The figures of a puzzle.
#[track_caller]
fn check(rules: &str, value: &str, figures: &[(&str, u64)]) {
    let ran = run_on(&format!("explore - --json -q {value}"), rules)
        .code(0)
        .calm();
    let rows = ran.json();
    for &(key, figure) in figures {
        assert_eq!(rows[0][key].as_u64(), Some(figure), "{key} of {value}");
    }
}

/// Two pieces of one kind: one bit a cell.
const WALKERS: &str = "puzzle \"Walkers\"
param n = 4 in 3..2000
piece A \"walker\"
board line
start A^2 .^(n-2)
goal  .^(n-2) A^2
move step: A . -> . A
";

/// Two kinds of pieces that walk towards each other: two bits a cell.
const MEETING: &str = "puzzle \"Meeting\"
param n = 4 in 3..2000
piece A \"one\"
piece B \"other\"
board line
start A .^(n-2) B
goal  A B .^(n-2)
move step: A . -> . A
mirror A <-> B
";

/// Two chips that go right: eight bits a cell.
const CHIPS: &str = "puzzle \"Chips\"
param n = 4 in 2..2000
board line of counts, cap 255
start 2 .^(n-1)
goal  .^(n-1) 2
move step: -1 +1
";

#[test]
fn one_bit_a_cell() {
    for n in [63, 64, 65, 127, 128, 129, 256, 257] {
        let figures = [
            ("states", n * (n - 1) / 2),
            ("transitions", (n - 1) * (n - 2)),
            ("live", n * (n - 1) / 2),
            ("shortest", 2 * (n - 2)),
            ("max_depth", 2 * (n - 2)),
        ];
        check(WALKERS, &format!("-p n={n}"), &figures);
    }
}

#[test]
fn two_bits_a_cell() {
    for n in [31, 32, 33, 64, 65, 128, 129] {
        let figures = [
            ("states", n * (n - 1) / 2),
            ("transitions", (n - 1) * (n - 2)),
            ("live", n - 1),
            ("dead_ends", n - 2),
            ("goals", 1),
            ("shortest", n - 2),
        ];
        check(MEETING, &format!("-p n={n}"), &figures);
    }
}

#[test]
fn eight_bits_a_cell() {
    for n in [8, 9, 16, 17, 32, 33, 64, 65, 128] {
        let figures = [
            ("states", n * (n + 1) / 2),
            ("transitions", n * (n - 1)),
            ("shortest", 2 * (n - 1)),
        ];
        check(CHIPS, &format!("-p n={n}"), &figures);
    }
}

#[test]
fn the_widest_word_and_one_bit_more() {
    let one = WALKERS
        .replace("A^2 .^(n-2)", "A .^(n-1)")
        .replace(".^(n-2) A^2", ".^(n-1) A");
    for n in [512, 513, 1024] {
        let figures = [("states", n), ("transitions", n - 1), ("shortest", n - 1)];
        check(&one, &format!("-p n={n}"), &figures);
    }
    let refused = |rules: &str, n: usize, words: [&str; 2]| {
        let ran = run_on(&format!("explore - -p n={n}"), rules).code(2).calm();
        for word in words {
            assert!(ran.err.contains(word), "no `{word}` in {ran}");
        }
    };
    refused(&one, 1025, ["1025 cells", "1025 bits"]);
    refused(MEETING, 513, ["513 cells", "1026 bits"]);
    refused(CHIPS, 129, ["129 cells", "1032 bits"]);
}

#[test]
fn as_many_pieces_as_there_may_be_and_one_more() {
    let rules = |pieces: usize| {
        let symbols: Vec<char> = ('A'..='Z')
            .chain('a'..='z')
            .chain('α'..='ω')
            .take(pieces)
            .collect();
        let items: Vec<String> = symbols
            .iter()
            .map(|s| format!("piece {s} \"piece\"\n"))
            .collect();
        let items = items.concat();
        let (first, last) = (symbols[0], symbols[pieces - 1]);
        format!(
            "puzzle \"Many\"\n{items}board line\nstart {first} . {last}\n\
             goal . {first} {last}\nmove step: {first} . -> . {first}\n"
        )
    };
    check(&rules(62), "", &[("states", 2), ("shortest", 1)]);
    run_on("explore -", rules(63))
        .code(2)
        .calm()
        .warns("error[E14]")
        .warns("more than 62 pieces");
}

#[test]
fn published_tables_of_wide_boards_are_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, rules, cells) in [
        ("walkers", WALKERS, 65),
        ("meeting", MEETING, 33),
        ("chips", CHIPS, 17),
    ] {
        std::fs::write(folder.path().join(format!("{name}.puzzle")), rules).expect("a file");
        let line = format!("explore {name}.puzzle -p n={cells} -q -o {name}-report");
        run_in(folder.path(), &line).code(0).calm();
        run_in(folder.path(), &format!("check-table {name}-report"))
            .code(0)
            .calm();
    }
}
