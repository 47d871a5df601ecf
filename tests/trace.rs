//! `impasse trace` and `impasse verify --strategy`, as a user types them.

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use support::{Ran, impasse, run, run_on, words};

/// Runs `impasse trace` with arguments that may hold blanks.
fn trace(arguments: &[&str]) -> Ran {
    Ran::of(&arguments.join(" "), impasse().arg("trace").args(arguments))
}

fn golden(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/golden");
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The rows of a table without its head, by the text before the first number in `key` columns.
fn runs(name: &str, key: usize) -> BTreeMap<String, Vec<Vec<String>>> {
    let mut runs: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for line in golden(name).lines().skip(1) {
        let fields: Vec<String> = line.split(',').map(str::to_owned).collect();
        runs.entry(fields[..key].join(","))
            .or_default()
            .push(fields);
    }
    assert!(runs.len() >= 2, "{name}");
    runs
}

/// The states of the step objects.
fn states(ran: &Ran) -> Vec<String> {
    let steps = ran.json();
    let steps = steps
        .iter()
        .filter(|object| object["schema"] == "impasse.step/1");
    steps
        .map(|object| object["state"].as_str().expect("a state").to_owned())
        .collect()
}

fn last(ran: &Ran) -> serde_json::Value {
    ran.json().pop().expect("an end")
}

#[test]
fn golden_steps_of_frogs() {
    for (key, rows) in runs("frogs-strategy-steps.csv", 2) {
        let (strategy, n) = key.split_once(',').expect("two columns");
        let n = format!("n={n}");
        let ran = trace(&[
            "frogs-and-toads",
            "--strategy",
            strategy,
            "-p",
            &n,
            "--json",
        ])
        .code(0);
        let expected: Vec<&str> = rows.iter().map(|row| row[3].as_str()).collect();
        assert_eq!(states(&ran), expected, "{key}");
        assert_eq!(last(&ran)["end"], "arrived", "{key}");
        let ran = trace(&[
            "frogs-and-toads",
            "--strategy",
            strategy,
            "-p",
            &n,
            "--json",
            "--reverse",
        ]);
        let mut found = states(&ran.code(0));
        found.reverse();
        assert_eq!(found, expected, "{key} reversed");
    }
}

#[test]
fn golden_steps_of_chips() {
    for (chips, rows) in runs("chips-steps.csv", 1) {
        let ran = trace(&["chips-classic", "--strategy", "classic", "--start", &chips]).code(0);
        // Each row as it is printed: the first place with its sign, two blanks, the row.
        let expected: Vec<String> = rows
            .iter()
            .map(|row| format!("{:>5}  {}", row[2], row[3]))
            .collect();
        let printed: Vec<&str> = ran
            .out
            .lines()
            .skip_while(|line| !line.starts_with("  step"))
            .skip(1)
            .take(expected.len())
            .collect();
        for (line, expected) in printed.iter().zip(&expected) {
            assert!(line.ends_with(expected.as_str()), "`{expected}` in {ran}");
        }
        let moves = rows.len() - 1;
        let ran = ran
            .says(&format!("arrived after {moves} move"))
            .says("checked: the row at rest");
        let json = trace(&["chips-classic", "--start", &chips, "--json"]).code(0);
        let expected: Vec<String> = rows
            .iter()
            .map(|row| format!("{}@{}", row[3], row[2].trim_start_matches('+')))
            .collect();
        assert_eq!(states(&json), expected, "{ran}");
        assert_eq!(last(&json)["checked"], true, "{json}");
    }
}

#[test]
fn the_example_of_the_classic_game() {
    trace(&["chips-classic", "--strategy", "classic", "--start", "2 3 5"])
        .code(0)
        .says("     9     4  merge      4     -2  1 . . 1 . . . . 1\n")
        .says("arrived after 9 moves at 1 . . 1 . . . . 1@-2\n")
        .says("checked: the row at rest of value 7 + 8*phi");
    run("check chips")
        .code(0)
        .says("7 + 8*phi is kept by every move");
    let ran = run("check chips-classic").code(0);
    assert!(ran.says("7 + 8*phi is kept").out.contains("value"));
    assert!(
        !run("check zeckendorf")
            .code(0)
            .out
            .contains("is kept by every move")
    );
}

#[test]
fn long_rows_take_the_known_number_of_steps() {
    let check = |start: &str, steps: usize, form: &[&str]| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("steps.txt");
        let path = path.to_str().expect("a path");
        let arguments = ["chips-classic", "--start", start, "-q", "-o", path];
        let ran = trace(&[&arguments, form].concat()).code(0);
        assert!(ran.says("checked: the row at rest").err.is_empty());
        let text = std::fs::read_to_string(path).expect("the steps");
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("step\trule\tplace\tline"));
        assert_eq!(lines.clone().count(), steps, "{start}");
        assert!(
            lines
                .last()
                .is_some_and(|line| line.starts_with(&format!("{steps}\t")))
        );
    };
    check("1^10000", 5_000, &[]);
    check("5^10000", 55_018, &[]);
    check("1000000", 1_894_416, &["--steps", "moves"]);
}

#[test]
fn long_rows_in_full_and_from_standard_input() {
    let row = "1 ".repeat(1_200);
    let ran = run_on("trace chips-classic --start - --steps full", &row).code(0);
    assert_eq!(
        ran.out.lines().filter(|line| line.len() > 1_500).count(),
        601
    );
    let ran = run_on("trace chips-classic --start - -q", &row).code(0);
    assert!(
        ran.says("1\tmerge\t")
            .says("arrived after 600 moves at a row from place")
            .err
            .is_empty()
    );
    run_on("trace - --start -", "puzzle \"P\"")
        .code(2)
        .warns("cannot be both");
}

#[test]
fn the_row_at_rest_without_playing() {
    trace(&["chips-classic", "--final"])
        .code(0)
        .says("value 7 + 8*phi\nat rest 1 . . 1 . . . . 1@-2\n");
    for line in golden("chips-normal-forms.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let ran = trace(&["chips", "--start", fields[0], "--final", "--json"]).code(0);
        let object = last(&ran);
        assert_eq!(object["value"][0], fields[1], "{line}");
        assert_eq!(object["value"][1], fields[2], "{line}");
        let (row, first) = object["state"]
            .as_str()
            .and_then(|s| s.split_once('@'))
            .expect("@");
        let first: i64 = first.parse().expect("a place");
        let occupied = (first..)
            .zip(row.split(' '))
            .filter(|(_, cell)| *cell == "1");
        let places: Vec<String> = occupied.map(|(place, _)| place.to_string()).collect();
        assert_eq!(places.join(" "), fields[3], "{line}");
    }
    let begun = std::time::Instant::now();
    let ran = trace(&["chips-classic", "--start", "1000000^10000", "--final"]).code(0);
    assert!(ran.out.len() > 20_000, "{ran}");
    assert!(begun.elapsed().as_secs() < 30);
    run("trace frogs-and-toads --final")
        .code(2)
        .warns("not known to keep a value");
}

#[test]
fn from_the_last_state_to_the_first() {
    let ran = run("trace frogs-and-toads --strategy textbook -p n=1 --reverse").code(0);
    let steps: Vec<Vec<&str>> = ran
        .out
        .lines()
        .skip_while(|line| !line.starts_with("  step"))
        .skip(1)
        .take(4)
        .map(words)
        .collect();
    assert_eq!(steps[0][0], "3");
    let positions: Vec<&str> = steps
        .iter()
        .filter_map(|step| step.last().copied())
        .collect();
    assert_eq!(positions, ["T.F", "TF.", ".FT", "F.T"]);
    let ran = run("trace frogs-and-toads --strategy textbook -p n=2 --reverse --steps moves -q");
    let numbers: Vec<&str> = ran
        .out
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once('\t'))
        .map(|l| l.0)
        .collect();
    assert_eq!(numbers, ["8", "7", "6", "5", "4", "3", "2", "1"]);
}

const WALK: &str = "puzzle \"Walk\"\npiece W \"walker\"\nboard line\nstart W . . .\ngoal . . . W\n\
                    move go: W . -> . W\nmove back: . W -> W .\n";

#[test]
fn how_a_strategy_fails() {
    let check = |lines: &str, code: i32, told: &str| {
        let rules = format!("{WALK}strategy s\n{lines}\n");
        let ran = run_on("trace -", &rules).code(code).says(told).calm();
        if code == 1 {
            run_on("verify - --strategy s", &rules)
                .code(1)
                .says(told)
                .says("does not arrive");
        }
        ran
    };
    check("  W . -> . W", 0, "arrived after 3 moves at ...W");
    check(
        "  W . . -> . W .",
        1,
        "no line applies after 2 moves, at ..W.",
    );
    check(
        "  W . . . -> . W . .\n  W . . -> . . W",
        1,
        "what line 2 does at place 2 is no move of the puzzle, after 1 move, at .W..: W . . -> . . W",
    );
    check(
        "  # W . -> # . W\n  . W -> W .",
        1,
        "goes round for ever: after 4 moves at W...",
    );
    let rules = format!("{WALK}strategy s\n  W . -> . W where at < 1/0\n");
    run_on("trace -", &rules)
        .code(2)
        .warns("division by zero")
        .calm();
}

#[test]
fn limits_and_names() {
    let ran = run("trace frogs-and-toads --strategy textbook --limit 5").code(3);
    ran.says("stopped after 5 moves");
    run("trace frogs-and-toads --strategy textbook -p n=1 --limit 3").code(0);
    run("trace frogs-and-toads --strategy textbok")
        .code(2)
        .warns("did you mean `textbook`?");
    run("trace frogs-and-toads")
        .code(2)
        .warns("textbook, blank-neighbours");
    run("trace guarini").code(2).warns("has no strategy");
    run("trace frogs-and-toads --strategy textbook -p n=1..3")
        .code(2)
        .warns("one parameter value");
    run("verify --strategy textbook")
        .code(2)
        .warns("which one?");
    run("verify guarini --strategy textbook")
        .code(2)
        .warns("has no strategy");
}

#[test]
fn verified_by_enumeration_then_by_the_claim() {
    let ran = run("verify frogs-and-toads --strategy textbook -p n=1..30 --json -q").code(0);
    let objects = ran.json();
    let (lines, values) = objects.split_last().expect("objects");
    assert_eq!(values.len(), 30);
    for (n, value) in (1_u64..).zip(values) {
        assert_eq!(value["arrives"], true, "{value}");
        assert_eq!(value["moves"], n * (n + 2), "{value}");
        assert_eq!(value["optimum"], (n * (n + 2)).to_string(), "{value}");
        assert_eq!(value["optimal"], true, "{value}");
        let by = if n <= 13 { "enumeration" } else { "claim" };
        assert_eq!(value["optimum_by"], by, "{value}");
        if n <= 13 {
            assert_eq!(value["live"], 2 * n * (n + 2), "{value}");
        }
    }
    assert_eq!(lines["never_fired"], serde_json::json!([]));
    run("verify frogs-and-toads --strategy blank-neighbours -p n=1..8")
        .code(0)
        .says("every line fires")
        .says("from every live state:");
    run("verify frogs-and-toads --strategy textbook -p n=3 --max-states 10")
        .code(0)
        .says("claim")
        .says("optimal");
}

#[test]
fn lines_that_never_fire_and_moves_too_many() {
    let rules = format!(
        "{WALK}strategy s\n  # W . . -> # . W .\n  . W -> W . where at = 9\n  W . -> . W\n"
    );
    run_on("verify - --strategy s", &rules)
        .code(0)
        .says("1 line never fires from these starts:\n   2  . W -> W . where at = 9")
        .says("optimal");
    let slow = "puzzle \"Slow\"\npiece W \"walker\"\nboard line\nstart W . .\ngoal . . W\n\
                move go: W . -> . W\nmove leap: W . . -> . . W\nstrategy s\n  W . -> . W\n";
    run_on("verify - --strategy s", slow)
        .code(0)
        .says("1 more than needed");
}

#[test]
fn from_every_live_state() {
    // From `. W . .` the advice goes back, and from there round for ever.
    let rules = format!("{WALK}strategy s\n  # . W -> # W .\n  W . -> . W\n");
    let ran = run_on("verify - --strategy s --json", &rules).code(1);
    let value = &ran.json()[0];
    assert_eq!(value["end"], "cycle", "{ran}");
    assert_eq!(
        [&value["live"], &value["keeps_live"], &value["reaches_goal"]],
        [4, 4, 2],
        "{ran}"
    );
    assert_eq!(value["first_failure"], "W...", "{ran}");
    // A move that loses.
    let trap = "puzzle \"Trap\"\npiece W \"walker\"\npiece X \"trapped\"\nboard line\nstart W . .\n\
                goal . . W\nmove go: W . -> . W\nmove fall: W -> X\nstrategy s\n  . W . -> . X .\n  W . -> . W\n";
    run_on("verify - --strategy s", trap)
        .code(1)
        .says("line 1 (fall) leads to .X., which is lost");
}

#[test]
fn claims_on_strategies() {
    let rules = format!("{WALK}strategy s\n  W . -> . W\nstrategy t\n  W . . -> . W .\n");
    let check = |claim: &str, code: i32, told: &str| {
        run_on("verify -", format!("{rules}claim {claim}\n"))
            .code(code)
            .says(told);
    };
    check("s = 3", 0, "holds");
    check("s = shortest", 0, "holds");
    check("t = none", 0, "holds");
    check("s = 4", 1, "s = 3, not 4");
    check("t = 3", 1, "t = none");
}

#[test]
fn no_solution_within_a_depth() {
    run("solve frogs-and-toads --max-depth 5")
        .code(3)
        .says("no solution within 5 moves");
    run("solve frogs-and-toads --max-depth 15")
        .code(0)
        .says("15 moves");
    run("solve coins --max-depth 5").code(0).says("5 moves");
    run("solve coins --max-depth 4")
        .code(3)
        .says("no solution within");
}
