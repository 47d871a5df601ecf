//! Claims about blocking: the classic text's, the repaired one, and claims that cannot be judged.

mod support;

use serde_json::Value;
use support::{run, run_on};

const FROGS: &str = "puzzle \"Frogs\"\nparam n = 3 in 0..9\nparam m = n in 0..9\n\
    piece F \"frog\"\npiece T \"toad\"\nboard line\nstart F^n . T^m\ngoal T^m . F^n\n\
    move step: F . -> . F\nmove jump: F T . -> . T F\nmirror F <-> T\n";

/// What `verify --json` says of one claim, value by value.
fn judged(claim: &str, code: i32) -> Vec<Value> {
    let ran = run_on("verify - --json", format!("{FROGS}claim {claim}\n")).code(code);
    let lines = ran.out.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn count(judged: &Value, key: &str) -> i64 {
    judged["blocking"][key].as_i64().expect("a count")
}

#[test]
fn the_classic_warning_is_never_in_vain_but_seldom() {
    let classic = "step is blocking iff in T [F .] T or in F [. T] F";
    for value in judged(&format!("{classic} for n in 2..8 and m = n"), 1) {
        let n = value["params"]["n"].as_i64().expect("n");
        assert_eq!(value["verdict"], "refuted");
        assert_eq!(count(&value, "lost"), 2 * (n * n - 1), "n = {n}");
        assert_eq!(count(&value, "found"), 2 * (n - 1), "n = {n}");
        assert_eq!(count(&value, "false_alarms"), 0, "n = {n}");
        assert_eq!(count(&value, "misses"), 2 * n * (n - 1), "n = {n}");
        if n == 2 {
            assert_eq!(value["blocking"]["first_miss"]["state"], "F.FTT");
            assert_eq!(value["blocking"]["first_miss"]["to"], ".FFTT");
        }
    }
    let alone = judged("step in T [F .] T is blocking for n = 1 and m in 2..6", 1);
    let states: Vec<&Value> = alone
        .iter()
        .map(|value| &value["blocking"]["first_false_alarm"]["state"])
        .collect();
    assert_eq!(states[0], "TF.T");
    assert_eq!(states.len(), 5);
    assert!(states.iter().all(|state| state.is_string()));
    let alone = judged("step in F [. T] F is blocking for m = 1 and n in 2..6", 1);
    assert_eq!(alone[0]["blocking"]["first_false_alarm"]["state"], "F.TF");
    assert!(alone.iter().all(|value| value["verdict"] == "refuted"));
}

#[test]
fn one_more_place_a_side_makes_it_exact() {
    let exact = "step is blocking iff in T [F .] T or in [F .] F T or in F [. T] F or in F T [. T]";
    let values = judged(&format!("{exact} for n in 2..6 and m in 2..6"), 0);
    assert_eq!(values.len(), 25);
    assert!(values.iter().all(|value| value["verdict"] == "holds"));
    assert_eq!(count(&values[0], "found"), 6);
    let values = judged("no jump is blocking for n in 0..6 and m in 0..6", 0);
    assert_eq!(values.len(), 49);
}

#[test]
fn false_alarms_and_misses_are_drawn() {
    let claims = [
        "claim step is blocking iff in F [F .]",
        "claim lost iff contains F T T _* .",
        "claim contains T T is lost",
        "claim no step is blocking",
        "claim jump in [F T .] is blocking",
    ];
    let ran = run_on(
        "verify - --ascii",
        format!("{FROGS}{}\n", claims.join("\n")),
    )
    .code(1);
    for words in [
        "first false alarm: step 3 4\n      F F F . T T T\n      F F . F T T T\n",
        "first miss: doomed\n",
        "first blocking move: step 2 3\n",
        "no false alarm",
        "such moves",
    ] {
        let out = ran
            .out
            .replace("standard input", "frogs")
            .replace("-:", "frogs:");
        assert!(out.contains(words), "no `{words}` in {out}");
    }
    run("verify frogs-and-toads -p n=2..3 -p m=2")
        .code(0)
        .calm();
}

/// Refused with exit code 2, with these words on standard error.
fn refused(claim: &str, words: &[&str]) {
    let ran = run_on("verify -", format!("{FROGS}claim {claim}\n"))
        .code(2)
        .calm();
    for word in words {
        assert!(ran.err.contains(word), "no `{word}` in {ran}");
    }
}

#[test]
fn claims_that_cannot_be_judged() {
    let near = [
        "error[E21]",
        "12:7",
        "no move is called `stepp`",
        "did you mean `step`?",
    ];
    refused("stepp in T [F .] T is blocking", &near);
    refused(
        "no dance is blocking",
        &["error[E21]", "12:10", "the moves are `jump`, `step`"],
    );
    refused(
        "step in T F . T is blocking",
        &["error[E19]", "12:15", "in brackets"],
    );
    refused(
        "step in T [F Q] T is blocking",
        &["error[E04]", "12:20", "`Q`"],
    );
    refused("contains F Q is lost", &["error[E04]", "12:18", "`Q`"]);
    refused(
        "step in T [F . T is blocking",
        &["error[E03]", "12:17", "not closed"],
    );
    refused("step in T F] . is blocking", &["error[E03]", "not opened"]);
    refused(
        "step in T [] F . is blocking",
        &["error[E03]", "without cells"],
    );
    refused(
        "step in [T [F .]] is blocking",
        &["error[E03]", "inside a bracket"],
    );
    refused("lost iff", &["error[E03]"]);
    refused("contains F T", &["error[E03]", "`is lost`"]);
    refused(
        "step in [F .] is blocking iff in [F .] T",
        &["error[E03]", "`iff`"],
    );
    refused("contains F T along up is lost", &["error[E12]"]);
    refused(
        "contains F T is lost for shortest = 3",
        &["error[E21]", "`for` speaks of parameters"],
    );
    let long = [
        "error[E21]",
        "12:16",
        "longer than the board",
        "larger boards",
    ];
    refused("contains F^9 T is lost", &long);
    refused(
        "step in F^9 [F .] is blocking",
        &["error[E21]", "12:15", "longer than the board"],
    );
}

#[test]
fn a_pattern_may_be_too_long_for_some_boards() {
    let values = judged("contains F F F T T is lost for n in 1..4", 0);
    assert_eq!(count(&values[0], "flagged"), 0);
    assert!(count(&values[3], "flagged") > 0);
}

#[test]
fn a_claim_that_speaks_of_nothing_says_so() {
    let rules = format!("{FROGS}claim jump in T T T T T [F T .] is blocking for n = 4\n");
    let ran = run_on("verify -", rules).code(0);
    assert!(ran.out.contains("nothing it speaks of was met"), "{ran}");
}

#[test]
fn other_boards() {
    let check = |rules: &str, code: i32| run_on("verify -", rules).code(code).calm();
    let pegs = "puzzle \"P\"\npiece P \"peg\"\nboard grid\nstart\n  P P P\n  P P .\n  P P P\n\
        goal count P = 7\nmove jump: P P . -> . . P along orthogonal\n";
    check(
        &format!("{pegs}claim lost iff contains P . P along orthogonal or count P = 2\n"),
        1,
    );
    check(
        &format!("{pegs}claim jump in # [P P .] # along orthogonal is blocking\n"),
        1,
    );
    let row = "puzzle \"R\"\npiece A \"a\"\npiece B \"b\"\nboard line endless, spare 2\n\
        start A B\ngoal B A\nmove hop: A B . -> . B A\n";
    let ran = check(&format!("{row}claim no hop in [A B .] is blocking\n"), 0);
    assert!(ran.out.contains("hold"), "{ran}");
    let span = row.replace("spare 2", "span 4");
    let ran = check(&format!("{span}claim hop in [A B .] is blocking\n"), 2);
    assert!(ran.err.contains("up to shift"), "{ran}");
    let ring = "puzzle \"G\"\npiece A \"a\"\nboard graph\n  x y z w\nstart A . . .\ngoal . . . A\n\
        move step on: A . -> . A\n";
    check(
        &format!("{ring}claim no step on in _ [A .] is blocking\n"),
        0,
    );
}
