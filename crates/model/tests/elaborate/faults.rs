//! What is wrong or doubtful once the parameters are known.

use crate::shown::{check_rules, counted, faults_of, file_of, read};

/// The file has exactly the one fault or warning that begins like this (or none: `""`).
fn faulty(board: &str, start: &str, rest: &str, given: &str, expected: &str) {
    let got = faults_of(&file_of(board, start, rest), given, None);
    assert!(
        got.starts_with(expected) && got.is_empty() == expected.is_empty() && !got.contains('\n'),
        "board {board}, start {start}, {rest}, {given}\n  got      {got}\n  expected {expected}"
    );
}

#[test]
fn repeats_out_of_range() {
    let step = "goal stuck\nmove m: A . -> . A";
    let line = |start, given, expected| faulty("line", start, step, given, expected);
    line(
        "A^(n-3) .",
        "",
        "E09 the repeat is negative: `(n-3)` is -1, with parameter `n` = 2 (line 2)",
    );
    line(
        "A^n .",
        "n=1000000000",
        "E14 more than 1048576 cells (2^20), with parameter `n` = 1000000000",
    );
    line("(A^n .)^n", "n=100000", "E14 ");
    line("((B^n A .)^n)^n", "n=1000", "E14 ");
    line("((A^0)^n A .)^3", "n=100000000", "");
    line("A^(10^30) .", "", "E14 ");
    line("A^(10^10^10) .", "", "E18 the number is too large");
    line("A^0", "", "E11 the board has no cells");
    line(
        "ab[1..n] .",
        "n=3",
        "E09 `ab` has 2 members, so there is no `ab[3]`",
    );
    line("A ab[1..0] .", "", "");
    let goal = |goal, expected| {
        faulty(
            "line",
            "A^n .",
            &format!("goal {goal}\nmove m: A . -> . A"),
            "",
            expected,
        );
    };
    goal("A^(n-3)", "E09 ");
    goal("contains A^(n-3)", "E09 ");
    goal("_^n", "E11 the goal has 2 cells, but the board has 3");
    let moves = |moves: &str, given, expected| {
        faulty(
            "line",
            "A .",
            &format!("goal stuck\nmove s: A . -> . A\n{moves}"),
            given,
            expected,
        );
    };
    moves(
        "move m: A^(n-3) . -> . A^(n-3)",
        "",
        "W03 move `m` does not exist for n = 2: its repeat",
    );
    moves("move m: A^(n-3) . -> . A^(n-3)", "n=4", "");
    moves("move m: A^(n-3) . -> . A^(n-3) where n > 2", "", "");
    moves("move m: A^n . -> . A^n", "n=1000000000", "E14 ");
    moves(
        "strategy s\n  A^(n-3) . -> . A^(n-3)",
        "",
        "W03 this line of strategy `s` does not exist",
    );
    moves(
        "move m: A^n . -> . A^n",
        "n=1000000",
        "E14 a pattern of more than 16384 items",
    );
}

#[test]
fn boards_and_sizes() {
    let grid = |board, start, goal, given, expected| {
        faulty(
            board,
            start,
            &format!("goal {goal}\nmove m: A -> ."),
            given,
            expected,
        );
    };
    grid("grid", "A . / . .", "stuck", "", "");
    grid("grid", "A B . / . .", "stuck", "", "E10 ");
    grid("grid n by 3", "A B . . . .", "AB. / ...", "", "");
    grid("grid n by 3", "A B . . . .", "AB....", "", "");
    grid(
        "grid n by 3",
        "A B . / . .",
        "stuck",
        "",
        "E10 the rows of the start",
    );
    grid(
        "grid n by 3",
        "A B . . .",
        "stuck",
        "",
        "E11 the start has 5 cells, but the board has 2",
    );
    grid(
        "grid n by 3",
        "AB / AB / ..",
        "stuck",
        "",
        "E11 the start has 3 rows of 2",
    );
    grid(
        "grid n by 3",
        "A B . . . .",
        "AB. / ..#",
        "",
        "E11 the goal has a `#` at row 2, column 3",
    );
    grid(
        "grid n by 3",
        "A B . . . #",
        "AB. / ..A",
        "",
        "E11 the goal has a cell at row 2, column 3",
    );
    grid("grid n by 3", "A B . . . #", "AB. / .. wall", "", "");
    grid(
        "grid n-5 by 3",
        "A B .",
        "stuck",
        "",
        "E09 the number of rows is negative: `n-5` is -3",
    );
    grid("grid n by 3", "A B .", "stuck", "n=1000000000", "E14 ");
    grid(
        "grid n by n",
        "A",
        "stuck",
        "n=10000",
        "E14 10000 rows of 10000",
    );
    grid(
        "graph\n  a b c a",
        "A B",
        "stuck",
        "",
        "E11 the start has 2 cells, but the board has 3",
    );
    grid(
        "line",
        "A . .\nstart A .",
        "stuck",
        "",
        "E11 the start has 2 cells, but the board has 3",
    );
    let endless = |board, given, expected| {
        faulty(
            board,
            "A B C",
            "goal stuck\nmove m: A . -> . A",
            given,
            expected,
        );
    };
    endless(
        "line endless, spare n",
        "n=-1",
        "E22 the number of spare cells is negative: `n` is -1",
    );
    endless("line endless, spare n", "n=1000000000000", "E14 ");
    endless(
        "line endless, span n",
        "",
        "E22 the start spans 3 cells, more than the span of 2",
    );
    endless(
        "line endless, span n",
        "n=0",
        "E22 the span must be at least 1, not 0",
    );
    endless("line endless, span n", "n=-4", "E22 the span is negative");
    endless("line endless, span n", "n=3", "");
    let loose = "goal _^1000 A _^1000\nmove m: A . -> . A";
    faulty(
        "line endless, spare 2",
        "A",
        loose,
        "",
        "E14 too many cells at the ends",
    );
    let empty = "goal .^1000 A .^1000\nmove m: A . -> . A";
    faulty("line endless, spare 2", "A", empty, "", "");
}

#[test]
fn sides_of_moves() {
    let moves = |moves: &str, expected| {
        faulty(
            "line",
            "A B C .",
            &format!("goal stuck\nmove m: {moves}"),
            "",
            expected,
        );
    };
    moves(
        "A . -> . A A",
        "E06 the left side covers 2 single cells, the right side 3",
    );
    moves("A . . -> . A", "E06 ");
    moves("A^n . -> . A^(n+1)", "E06 ");
    moves("A . -> . ab", "E06 `ab` does not stand where it stood");
    moves("ab . -> . A", "");
    moves(
        "A ab* . -> . A ab*",
        "E08 `ab*` does not stand where it stood",
    );
    moves(
        "A ab* . -> . A",
        "E08 the left side has 1 stretch, the right side 0",
    );
    moves("A ab* . -> . .* A", "E08 ");
    moves(
        "A s:ab* t:.* . -> . s s A",
        "E08 the right side does not cover the stretches",
    );
    moves("A s:ab* t:.* . -> . t s A", "");
    moves("A # -> . .", "E19 `.` is written over `#`");
    moves("A wall* . -> . wall* A", "E19 a stretch is made of cells");
    moves(
        "ab . <-> . .",
        "E07 the inverse cannot know what stood here before",
    );
    moves("A -> A", "W02 move `m` changes nothing");
    moves("x:ab . -> x .", "W02 ");
    moves("x:_ y:_ -> y x where y = . and not x = .", "");
    moves("D . -> . D", "W01 move `m` can never apply on this board");
    moves("A . . . . -> . . . . A", "W01 ");
    moves("A . -> . A where 1/(n-2) = 1", "E18 a division by zero");
    faulty(
        "ring",
        "A .",
        "goal stuck\nmove m: # A . -> # . A",
        "",
        "W01 ",
    );
    faulty(
        "line",
        "A .",
        "goal A B\nmove m: A . -> . A",
        "",
        "W04 the goal asks for `B`",
    );
    faulty(
        "line",
        "A A .",
        "goal . . A\nmove m: A . -> . A",
        "",
        "W04 the goal has other pieces",
    );
    faulty("line", "A A .", "goal _ _ A\nmove m: A . -> . A", "", "");
}

#[test]
fn counted_files() {
    let check = |board: &str, start: &str, rest: &str, given: &str, expected: &str| {
        let got = faults_of(&counted(board, start, rest), given, None);
        assert!(
            got.starts_with(expected) && got.is_empty() == expected.is_empty(),
            "board {board}, start {start}, {rest}, {given}\n  got      {got}\n  expected {expected}"
        );
    };
    let step = "goal stuck\nmove m: +1 -1";
    check("line of counts", "chips", step, "", "");
    check(
        "line of counts",
        "n 1",
        step,
        "n=-1",
        "E09 a cell cannot hold -1",
    );
    check("line of counts", ".^n", step, "n=1000000000", "E14 ");
    check(
        "line of counts, cap 2",
        "chips",
        step,
        "",
        "E17 the start has a cell that holds 3",
    );
    check(
        "line of counts, cap n",
        "1 1",
        step,
        "n=0",
        "E09 the cap must be at least 1",
    );
    check(
        "line of counts",
        "chips",
        "goal 1 2\nmove m: +1 -1",
        "",
        "E11 ",
    );
    check(
        "line of counts",
        "1 1",
        "goal stuck\nmove m: x:_ _ <-> -x +x",
        "",
        "E07 ",
    );
    check(
        "line of counts",
        "1 1",
        "goal stuck\nmove m: 2 _ <-> -1 +1",
        "",
        "",
    );
    check(
        "line of counts",
        "1 1",
        "goal stuck\nmove m: +0 +0",
        "",
        "W02 ",
    );
    check(
        "line of counts, cap 3",
        "1 1",
        "goal stuck\nmove m: 5 _ -> -1 +1",
        "",
        "W01 ",
    );
    check("line endless of counts, span 3", "2", step, "", "");
    check(
        "line endless of counts, span 3",
        "1",
        "goal stuck\nmove m: -1 +2",
        "",
        "E20 ",
    );
    check(
        "line endless of counts, span 3, cap 4",
        "1",
        "goal stuck\nmove m: -1 +2",
        "",
        "",
    );
    check("line of counts, cap 2^40", "chips", step, "", "");
    check(
        "line of counts, cap 2^40 + 1",
        "chips",
        step,
        "",
        "E14 the cap is more than",
    );
    let inverse = "goal stuck\nmove m: 2.. _ 0..1 <-> -1 _ +1";
    check_rules(
        &read(&counted("line of counts", "1 1 1", inverse)),
        "",
        &[
            "m: 2.. _ 0..1 -> + =1 + (1,0)",
            "m: 1.. _ 1..2 -> + =1 + (1,0)",
        ],
    );
}
