//! Positions in text and as pictures, other starts, goals on endless rows.

use crate::shown::{counted, file_of, goal, instance, listed, read, shipped, starts, try_instance};
use impasse_model::instance::Instance;

#[test]
fn goals_on_endless_rows() {
    let check = |goal_text: &str, expected: &str| {
        let rest = format!("goal {goal_text}\nmove m: A . -> . A");
        let instance = instance(&read(&file_of("line endless, spare 3", "A B", &rest)), "");
        assert_eq!(goal(&instance, &instance.goal), expected, "{goal_text}");
    };
    check(". A B .", "AB");
    check("A . B", "A.B");
    check(". .", "");
    check("_ A", "[ABCD]A or A");
    check("A !A", "A or A[BCD]");
    check("_", " or [ABCD]");
    check("_ _", " or [ABCD] or [ABCD][ABCD]");
}

#[test]
fn positions_in_text() {
    let window = file_of(
        "line endless, spare 3",
        "A B",
        "goal stuck\nmove m: A . -> . A",
    );
    let span = file_of(
        "line endless, span 4",
        "A B",
        "goal stuck\nmove m: A . -> . A",
    );
    let grid = file_of("grid", "A . / # B", "goal stuck\nmove m: A -> .");
    let graph = file_of("graph\n  b a c", "A . B", "goal stuck\nmove m: A . -> . A");
    let counts = counted(
        "line endless of counts, spare 2",
        "chips",
        "goal stuck\nmove m: +1 -1",
    );
    let check = |text: &str, position: &str, expected: &str| {
        let file = read(text);
        let instance = instance(&file, "");
        let got = match instance.position(position, &file) {
            Ok(p) => {
                let line = instance.board.one_line(&instance.alphabet, &p);
                assert_eq!(instance.position(&line, &file), Ok(p), "{line}");
                line
            }
            Err(faults) => listed(&faults),
        };
        assert!(
            got.starts_with(expected),
            "{position}\n  got      {got}\n  expected {expected}"
        );
    };
    check(&window, "AB", "AB@0");
    check(&window, "A..B@-2", "A..B@-2");
    check(&window, ".A..B.@-3", "A..B@-2");
    check(&window, "..........AB@-11", "AB@-1");
    check(&window, ".", ".@0");
    check(&window, ".@0", ".@0");
    check(
        &window,
        "AB@-4",
        "E17 the position reaches from place -4 to -3, but the window from -3 to 4",
    );
    check(&window, "AB@4", "E17 ");
    check(&window, "AB@x", "E17 `@` is followed by the number");
    check(&window, "AB@99999999999999999999", "E17 ");
    check(&window, "AQ", "E04");
    check(&span, ".A.B.", "A.B");
    check(&span, "A...B", "E22 ");
    check(
        &span,
        "AB@1",
        "E17 only positions on an endless row with `spare` cells have a place",
    );
    check(&grid, "AB/#A", "AB/#A");
    check(&grid, "AB / # .", "AB/#.");
    check(&grid, "AB#.", "AB/#.");
    check(
        &grid,
        "AB/A#",
        "E17 the position has a cell at row 2, column 1",
    );
    check(&grid, "AB/#", "E10 ");
    check(&graph, "B.A", "B.A");
    check(
        &graph,
        "B.",
        "E17 the position has 2 cells, but the board has 3",
    );
    check(&counts, "1 . 12@-1", "1 . 12@-1");
    check(&counts, "0 0 3", "3@2");
}

#[test]
fn another_start() {
    let file = shipped("coins");
    let given = |start: &str| match try_instance(&file, "room=2", Some(start)) {
        Ok((instance, _)) => {
            let first = instance.board.shape.clone();
            format!("{} {} {first:?}", starts(&instance), instance.board.cells)
        }
        Err(faults) => format!("{}: {}", faults.origin, listed(&faults.faults)),
    };
    assert_eq!(given("AB.A"), "AB.A@0 8 Window { first: -2 }");
    assert_eq!(given("AB.A@-5"), "AB.A@-5 8 Window { first: -7 }");
    assert!(given("AXB").starts_with("--start: E"), "{}", given("AXB"));
    let file = shipped("guarini");
    let faults = try_instance(&file, "", Some("W./.B/..")).expect_err("the goal is 3 by 3");
    assert!(listed(&faults.faults).starts_with("E11 the goal has 3 rows of 3"));
}

#[test]
fn pictures() {
    use impasse_model::puzzle::Style;
    let draw = |instance: &Instance, unicode| {
        instance
            .board
            .picture(&instance.alphabet, &instance.starts[0], Style { unicode })
            .join("|")
    };
    let frogs = instance(&shipped("frogs-and-toads"), "n=2");
    assert_eq!(draw(&frogs, true), "○ ○ · ● ●");
    assert_eq!(draw(&frogs, false), "F F . T T");
    let pegs = instance(&shipped("peg-triangle"), "");
    assert_eq!(draw(&pegs, true), "·|● ●|● ● ●|● ● ● ●|● ● ● ● ●");
    assert_eq!(
        draw(&pegs, false),
        ". # # # #|P P # # #|P P P # #|P P P P #|P P P P P"
    );
    let graph = instance(&shipped("guarini-graph"), "");
    assert_eq!(
        draw(&graph, false),
        "a1:W b3:. c1:W a2:. c3:B b1:. a3:B c2:."
    );
    let coins = instance(&shipped("coins"), "room=2");
    assert_eq!(draw(&coins, false), ". . A B A B A . .");
    let chips = instance(&shipped("chips"), "chips=2,13 west=1 east=1");
    assert_eq!(draw(&chips, false), " .  2 13  .");
}
