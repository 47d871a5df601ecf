//! The table of exit codes, and what is said with each.

mod support;

use support::{FROGS, run, run_in, run_on};

#[test]
fn done() {
    run("list").code(0).says("frogs-and-toads").says("guarini");
    run("explore guarini").code(0).says("280");
    run_on("explore - -p n=3", FROGS).code(0).says("72");
    run_on("solve -", FROGS).code(0);
    run_on("verify -", FROGS)
        .code(0)
        .says("holds: shortest = n*(n+2)");
    run("explain E04").code(0).says("E04");
    run("explain w01").code(0).says("W01");
}

#[test]
fn the_answer_is_no() {
    let wrong = FROGS.replace("n*(n+2)", "n*(n+1) for n in 1..4");
    run_on("verify -", &wrong)
        .code(1)
        .says("refuted")
        .says("n = 1")
        .calm();
    let stuck = FROGS.replace("move jump: F T . -> . T F\n", "");
    run_on("solve -", &stuck).code(1).says("no solution").calm();
    run_on("verify - -p n=1..5 --of states --formula n*n", FROGS)
        .code(1)
        .says("refuted")
        .calm();
}

#[test]
fn goals_that_are_excluded_are_refused_without_a_search() {
    // Sixteen cells of tiles would take 10^13 states.
    let odd = "--start ABCD/EFGH/IJKL/MON. -p rows=4 -p cols=4";
    run(&format!("solve tiles {odd}"))
        .code(1)
        .says("no solution: every move keeps the sign of the arrangement")
        .calm();
    run(&format!("verify tiles {odd} --of shortest --formula 80"))
        .code(1)
        .says("no solution: every move keeps the sign of the arrangement")
        .calm();
    let ran = run(&format!("solve tiles {odd} --json")).code(1);
    let object = &ran.json()[0];
    assert_eq!(object["length"], serde_json::Value::Null);
    assert!(
        object["reason"]
            .as_str()
            .is_some_and(|r| r.contains("sign"))
    );
    run("solve peg-rectangle")
        .code(1)
        .says("no solution: every move keeps")
        .says("modulo 2");
    run("solve peg-rectangle -p rows=3 -p cols=4").code(0);
    run("explore peg-rectangle")
        .code(0)
        .warns("no solution: every move keeps");
    for coins in ["ABAB", "ABABAB"] {
        run(&format!(
            "solve coins -p extra=0 -p room=40 --start {coins}"
        ))
        .code(1)
        .says("in every window, and no goal has that anywhere");
    }
    run("check coins")
        .says("`AAABB` can only begin 6 places to the right of where the start begins")
        .says("`BBAAA` can only begin 6 places to the left of where the start begins");
    let no_claim = FROGS.replace("claim shortest = n*(n+2)\n", "");
    run_on("verify -", &no_claim).code(0);
    let no_goal = no_claim.replace("goal T^n . F^n", "goal T^n . F^(n-1) .");
    run_on("verify -", &no_goal)
        .code(1)
        .says("the number of F (2 at the start, 1 in a goal)");
    // What depends on states is searched all the same.
    run("verify peg-rectangle")
        .code(0)
        .says("holds: states = 1687 and goals = 0");
}

#[test]
fn bad_command_lines() {
    for line in [
        "explode guarini",
        "explore",
        "explore guarini --frobnicate",
        "explore guarini --threads 0",
        "explore guarini --memory lots",
        "explore guarini --engine steam",
        "explore guarini --format xml",
        "explore guarini --max-seconds -1",
        "explore frogs-and-toads -p",
        "explore frogs-and-toads -p n",
        "explore frogs-and-toads -p q=1",
        "explore frogs-and-toads -p n=99",
        "explore frogs-and-toads -p n=x",
        "explore frogs-and-toads -p n=1 -p n=2",
        "explore frogs-and-toads -p n=7..1",
        "explore frogs-and-toads -p n=35..45",
        "explore frogs-and-toads -p way=sideways",
        "explore frogs-and-toads -p n=0..99999999999",
        "show frogs-and-toads -p n=1..3",
        "show frogs-and-toads FF",
        "show frogs-and-toads QQQ.QQQ",
        "solve frogs-and-toads --from FF",
        "seq frogs-and-toads --of stats -p n=1..3",
        "seq frogs-and-toads --of states",
        "verify frogs-and-toads --formula n",
        "verify frogs-and-toads --of shortest --formula n*(",
        "explain E99",
    ] {
        let ran = run(line).code(2).calm();
        assert!(ran.err.contains("error"), "{ran}");
        assert_eq!(ran.out, "", "{ran}");
    }
}

#[test]
fn the_way_out_is_named() {
    run("explore frogs-and-toad")
        .code(2)
        .warns("did you mean `frogs-and-toads`?");
    run("explore frogs-and-toads -p m=3 -p nn=2")
        .code(2)
        .warns("n");
    run("seq frogs-and-toads --of statse -p n=1..3")
        .code(2)
        .warns("did you mean `states`?");
    run("explore frogs-and-toads -p n=7..1")
        .code(2)
        .warns("n=1..7");
}

/// A larger window must never find what a smaller one called impossible.
#[test]
fn a_window_claims_no_more_than_it_saw() {
    let rules = "puzzle \"Cut\"\nparam room = 1 in 1..3\npiece A \"a\"\npiece B \"b\"\n\
                 board line endless spare room\nstart A B\ngoal contains A . . B\n\
                 move hop: B . . -> . . B\n";
    run_on("solve - -p room=1", rules)
        .code(1)
        .says("no solution within this window")
        .warns("no solution has 0 moves or fewer");
    run_on("solve - -p room=2", rules).code(0).says("1 move,");
    run_on("why - AB -p room=1", rules)
        .code(0)
        .warns("holds only within this window");
}

#[test]
fn limits() {
    let ran = run("explore peg-solitaire --max-depth 5").code(3).calm();
    assert!(
        ran.err.contains("--max-depth") && ran.err.contains('5'),
        "{ran}"
    );
    run("explore frogs-and-toads -p n=5 --max-states 100 --json")
        .code(3)
        .says("\"stopped\"");
    run("solve frogs-and-toads --max-depth 3")
        .code(3)
        .says("no solution within 3 moves");
    let mixed = run("explore frogs-and-toads -p n=1..5 --max-states 100 --json").code(3);
    let scopes: Vec<_> = mixed
        .json()
        .iter()
        .map(|row| row["scope"].clone())
        .collect();
    assert_eq!(
        scopes,
        ["exact", "exact", "exact", "stopped", "stopped"],
        "{mixed}"
    );
    run("seq frogs-and-toads --of states -p n=1..")
        .code(2)
        .warns("is no range");
    run("explore guarini --max-states 280").code(0);
    run("explore guarini --max-states 279").code(3);
}

#[test]
fn input_and_output_failures() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    std::fs::create_dir(path.join("things")).expect("a folder");
    std::fs::write(path.join("things/keep"), "mine").expect("a file");
    run_in(path, "explore things")
        .code(4)
        .warns("directory")
        .calm();
    run_in(path, "explore guarini -o things").code(4).calm();
    assert_eq!(
        std::fs::read_to_string(path.join("things/keep")).expect("kept"),
        "mine"
    );
    run_in(path, "explore guarini -o things/keep/report")
        .code(4)
        .calm();
    run_in(path, "export guarini -o no/such/place.dot")
        .code(4)
        .calm();
    run_in(path, "export guarini -o things").code(4).calm();
    run_in(path, "check-table things").code(4).calm();
    run_in(path, "check-table nothing").code(4).calm();
    run_in(path, "new frogs").code(0);
    run_in(path, "new frogs").code(4).warns("exists").calm();
    run_in(path, "new no/such/frogs").code(4).calm();
    run_in(path, "verify frogs.puzzle").code(0);
    run_in(path, "explore frogs.puzzle -p n=1..3")
        .code(0)
        .says("72");
    let left: Vec<_> = std::fs::read_dir(path).expect("a folder").collect();
    assert_eq!(left.len(), 2, "nothing half-written: {left:?}");
}
