//! Rules with more placements than can be laid are refused, soon.

use impasse_model::parse::parse;
use impasse_model::place::place;

/// Whether the rules of a row of 62 cells are placed.
fn check(rest: &str, placed: bool) {
    let text =
        format!("puzzle \"P\"\npiece A \"a\"\npiece B \"b\"\nboard line\nstart A .^60 B\n{rest}\n");
    let file = parse("f", text.as_bytes()).expect("no fault").file;
    let params = file.parameters(&[]).expect("no parameters");
    let (instance, _) = file.instance("p", params, None).expect("an instance");
    assert_eq!(place(&instance).is_ok(), placed, "{rest}");
}

#[test]
fn many_stretches_on_a_long_row() {
    let step = "move m: A . -> . A";
    check(&format!("goal stuck\n{step}"), true);
    check("goal stuck\nmove m: A _* . -> . _* A", true);
    check(
        "goal stuck\nmove m: A _* _* _* _* _* _* . -> . _* _* _* _* _* _* A",
        false,
    );
    check(&format!("goal contains A _* B\n{step}"), true);
    check(
        &format!("goal not (stuck or never A _* _* _* _* _* _* B)\n{step}"),
        false,
    );
}
