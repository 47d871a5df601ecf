//! What claims come to, in every form.

use super::*;
use crate::domain::runs;
use impasse_model::parse::{parse, parse_condition, parse_expr};

const RULES: &str = "puzzle \"Walk\"\nparam n = 3 in 1..9\nparam way = forward / both\n\
                     piece W \"walker\"\nboard line\nstart W .^n\ngoal .^n W\n\
                     move go: W . -> . W\nstrategy slow-walk\n  W . -> . W\n";

/// Figures of an exact run with 7 states, one solution of 6 moves and no dead end.
fn summary() -> Summary {
    Summary {
        scope: Scope::Exact,
        states: Some(7),
        transitions: Some(6),
        starts: Some(1),
        goals: Some(1),
        live: Some(7),
        doomed: Some(0),
        dead_ends: Some(0),
        lost: Some(0),
        blocking_moves: Some(0),
        points_of_no_return: Some(0),
        only_moves: Some(6),
        shortest: Some(6),
        shortest_solutions: Some(10u32.pow(9).into()),
        max_depth: Some(6),
        max_remoteness: Some(6),
        first_dead_end_depth: None,
        window_cut_depth: None,
        graded: Some(true),
        reversible: Some(false),
        longest: None,
        plays: None,
        no_solution: false,
    }
}

fn judge(summary: &Summary, claim: &str) -> String {
    let file = parse("test", RULES.as_bytes()).expect("a rule file").file;
    let (text, domain) = claim.split_once(" for ").unwrap_or((claim, ""));
    let cond = parse_condition(text).unwrap_or_else(|f| panic!("{claim}: {}", f.message));
    let domain = (!domain.is_empty()).then(|| parse_condition(domain).expect("a domain"));
    let params = &runs(None, &file, &Vec::new()).expect("runs").values[0];
    let strategy = |name: &str| (name == "slow-walk").then_some(8);
    let evidence = Evidence {
        file: &file,
        text,
        params,
        summary,
        strategy: &strategy,
    };
    match evidence.check(&cond, domain.as_ref()) {
        Outcome::Holds => "holds".to_owned(),
        Outcome::HoldsInWindow => "holds in this window".to_owned(),
        Outcome::Refuted(why) if why.in_window => format!("{} in this window", why.message),
        Outcome::Refuted(why) => why.message,
        Outcome::Unknown(why) => why,
        Outcome::OutsideDomain => "outside".to_owned(),
        Outcome::Fault(fault) => fault.message,
    }
}

#[test]
fn what_holds_and_what_does_not() {
    let check = |claim: &str, expected: &str| assert_eq!(judge(&summary(), claim), expected);
    check("shortest = 2*n", "holds");
    check(
        "shortest = n*(n + 1)",
        "shortest = 6, but n*(n + 1) = 12 for n = 3",
    );
    check("states = 8", "states = 7, not 8 for n = 3, way = forward");
    check("8 = states", "states = 7, not 8 for n = 3, way = forward");
    check(
        "shortest < 2*n",
        "shortest = 6, which is not below 2*n = 6 for n = 3",
    );
    check(
        "live > states",
        "live = 7, which is not above states = 7 for n = 3, way = forward",
    );
    check(
        "states != n + 4",
        "states = 7, which equals n + 4 = 7 for n = 3",
    );
    check("states in 1..n", "states = 7 is outside 1..3 for n = 3");
    check(
        "states = 7 and goals = 2 and 1/0 = 1",
        "goals = 1, not 2 for n = 3, way = forward",
    );
    check("states = 7 or 1/0 = 1", "holds");
    check("states = 1/0", "a division by zero");
    check("graded = true and reversible = false", "holds");
    check(
        "reversible = true",
        "reversible = false, not true for n = 3, way = forward",
    );
    check("way = forward", "holds");
    check("way = both", "way = forward, not both for way = forward");
    check(
        "not states = 7 or goals = n",
        "`not states = 7 or goals = n` does not hold: states = 7, goals = 1, n = 3 for n = 3",
    );
    check("shortest_solutions = 10^9", "holds");
    check(
        "states = 10^100",
        "states = 7, but 10^100 = 10000000000000000000...0000000000 (101 digits) \
         for n = 3, way = forward",
    );
    check("states = 1 for n in 1..2", "outside");
    check("states = 1 for n in 1..3", "states = 7, not 1 for n = 3");
}

#[test]
fn what_is_absent_or_unknown() {
    let mut figures = summary();
    let check = |figures: &Summary, claim: &str, expected: &str| {
        assert_eq!(judge(figures, claim), expected);
    };
    check(&figures, "first_dead_end_depth = none", "holds");
    check(
        &figures,
        "plays = none and window_cut_depth = none",
        "holds",
    );
    check(
        &figures,
        "first_dead_end_depth < 3",
        "first_dead_end_depth = none has no order \
          with 3 for n = 3, way = forward",
    );
    figures.live = None;
    check(&figures, "live = 7", "`live` was not computed in this run");
    check(&figures, "live = 7 or states = 7", "holds");
    check(
        &figures,
        "live = 7 and states = 8",
        "states = 7, not 8 for n = 3, way = forward",
    );
    figures.shortest = None;
    check(
        &figures,
        "shortest = none",
        "`shortest` was not computed in this run",
    );
    figures.no_solution = true;
    check(&figures, "shortest = none", "holds");
    check(
        &figures,
        "shortest = 6",
        "shortest = none, not 6 for n = 3, way = forward",
    );
    figures = Summary {
        scope: Scope::Stopped(Limit::Depth),
        ..summary()
    };
    check(&figures, "shortest = 6", "holds");
    let why = "`states` is not known: the run was stopped at its limit of depth";
    check(&figures, "states = 7", why);
    check(&figures, "states = 8", why);
}

#[test]
fn what_holds_in_the_window_only() {
    let figures = |cut| Summary {
        scope: Scope::Window,
        window_cut_depth: Some(cut),
        ..summary()
    };
    let check = |cut, claim: &str, expected: &str| {
        assert_eq!(judge(&figures(cut), claim), expected);
    };
    check(5, "shortest = 6", "holds");
    check(4, "shortest = 6", "holds in this window");
    check(9, "shortest_solutions = 10^9", "holds in this window");
    check(9, "window_cut_depth = 9 and starts = 1", "holds");
    check(
        9,
        "states = 8",
        "states = 7, not 8 for n = 3, way = forward in this window",
    );
}

#[test]
fn strategies_and_formulas() {
    let text = format!("{RULES}claim slow-walk = shortest + 2\nclaim slow-walk = shortest\n");
    let file = parse("test", text.as_bytes()).expect("a rule file").file;
    let params = &runs(None, &file, &Vec::new()).expect("runs").values[0];
    let summary = &summary();
    let strategy = |name: &str| (name == "slow-walk").then_some(8);
    let evidence = Evidence {
        file: &file,
        text: &file.text,
        params,
        summary,
        strategy: &strategy,
    };
    let [right, wrong] = &file.claims[..] else {
        panic!("two claims")
    };
    assert_eq!(evidence.check(&right.condition, None), Outcome::Holds);
    let refuted = Refutation {
        message: "slow-walk = 8, but shortest = 6 for n = 3, way = forward".to_owned(),
        sides: Some(("8".to_owned(), "6".to_owned())),
        in_window: false,
    };
    assert_eq!(
        evidence.check(&wrong.condition, None),
        Outcome::Refuted(refuted)
    );
    assert_eq!(strategies_used(&wrong.condition, &file), ["slow-walk"]);
    let formula = parse_expr("n*(n+2)").expect("a formula");
    let claim = formula_claim("shortest", formula);
    assert_eq!(keys_used(&claim), ["shortest"]);
    assert!(only_depths_will_do(&keys_used(&claim)));
    assert!(!only_depths_will_do(&["live"]));
}
