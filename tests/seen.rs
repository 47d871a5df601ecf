//! What a user sees, command by command. `SNAPSHOTS=overwrite cargo test` renews the snapshots.

mod support;

use support::{Ran, run, run_on, snapshot};

/// One snapshot a command: the command line, its output, what it says beside, its exit code.
fn check(name: &str, line: &str) {
    shows(name, line, run(line));
}

/// The same for a rule file on standard input.
fn check_on(name: &str, line: &str, rules: &str) {
    shows(name, line, run_on(line, rules));
}

/// The same without the line that tells how much memory this machine has.
fn check_anywhere(name: &str, line: &str) {
    let mut ran = run(line);
    let lines = ran.out.split_inclusive('\n');
    ran.out = lines.filter(|line| !line.contains("  memory ")).collect();
    shows(name, line, ran);
}

fn shows(name: &str, line: &str, ran: Ran) {
    let ran = ran.calm();
    let code = ran.code.expect("an exit code");
    let mut text = format!("$ impasse {line}\n{}", ran.out);
    if !ran.err.is_empty() {
        text += "--- on standard error\n";
        text += &ran.err;
    }
    snapshot(
        &format!("seen/{name}.txt"),
        &format!("{text}--- exit code {code}\n"),
    );
}

#[test]
fn tables() {
    check("list", "list");
    check("explore", "explore frogs-and-toads -p n=1..7");
    check(
        "explore-all-keys",
        "explore frogs-and-toads -p n=2 --all --format md",
    );
    check(
        "explore-csv",
        "explore frogs-and-toads -p n=1..2 --format csv",
    );
    check("explore-window", "explore coins");
    check("explore-stopped", "explore peg-solitaire --max-depth 9");
    check(
        "explore-depths",
        "explore peg-solitaire --max-depth 9 --only depths",
    );
    check(
        "explore-mixed",
        "explore frogs-and-toads -p n=2..4 --max-states 100",
    );
}

#[test]
fn boards() {
    check("show", "show frogs-and-toads");
    check("show-position", "show frogs-and-toads -p n=2 FTFT.");
    check("show-grid", "show sokoban");
    check("solve", "solve coins");
    check("solve-ascii", "solve coins --ascii");
    check("solve-grid", "solve guarini");
    check("solve-all", "solve frogs-and-toads -p n=2 --all");
    check("solve-depth", "solve frogs-and-toads --max-depth 14");
    check(
        "solve-just-deep-enough",
        "solve frogs-and-toads-both-ways -p n=2 --max-depth 8",
    );
    check("solve-no", "solve coins-little-room -p west=0 -p east=5");
    check("why", "why frogs-and-toads -p n=2 F.FTT");
    check("why-lost", "why frogs-and-toads -p n=2 .FFTT");
    check("why-doomed", "why frogs-and-toads FFT.FTT");
    check("why-doomed-json", "why frogs-and-toads FFT.FTT --json");
    check("why-live-json", "why frogs-and-toads -p n=2 F.FTT --json");
    check("why-goal", "why frogs-and-toads -p n=2 TT.FF");
    check("why-unreachable", "why frogs-and-toads -p n=2 TF.FT");
    check("why-grid", "why frogs-square FFTF.TFTT");
    check("why-window", "why coins --max-depth 2 ABABA");
    check("stuck", "stuck frogs-and-toads -p n=2");
    check("stuck-never", "stuck guarini");
}

#[test]
fn what_moves_keep() {
    check_anywhere("check", "check guarini");
    check_anywhere("check-frogs", "check frogs-and-toads -p n=2");
    check_anywhere("check-pegs", "check peg-rectangle");
    check_anywhere("check-tiles", "check tiles --start ABC/DEF/HG.");
    check_anywhere("check-coins", "check coins");
    check_anywhere("check-chips", "check chips");
    check("solve-excluded", "solve coins -p extra=0");
    check("solve-excluded-json", "solve peg-rectangle --json");
    check(
        "verify-excluded",
        "verify coins -p extra=0 --of shortest --formula 5",
    );
    check("check-json-row", "check coins -p n=1 -p room=1 --json");
    check("check-json", "check frogs-and-toads -p n=1 --json");
}

#[test]
fn where_play_gets_stuck() {
    check(
        "stuck-by-move",
        "stuck frogs-and-toads -p n=3 --by-move --limit 3",
    );
    check("stuck-for-ever", "stuck sokoban --limit 3");
    check("stuck-json", "stuck frogs-and-toads -p n=1..2 --json");
    for name in [
        "boundary",
        "lost",
        "dead-ends",
        "only-moves",
        "by-depth",
        "by-rule",
        "by-place",
    ] {
        let line = format!("stuck frogs-and-toads -p n=2..3 --list {name} --format csv");
        check(&format!("stuck-list-{name}"), &line);
    }
    check(
        "stuck-list-text",
        "stuck frogs-and-toads -p n=2..3 --list dead-ends",
    );
    check(
        "stuck-list-json",
        "stuck frogs-and-toads -p n=2 --list only-moves --json",
    );
    check("stuck-dot", "stuck frogs-and-toads -p n=2 --format dot");
}

#[test]
fn patterns_that_block() {
    check(
        "patterns",
        "stuck frogs-and-toads -p n=4 --patterns --window 5",
    );
    check(
        "patterns-range",
        "stuck frogs-and-toads -p n=2..5 --patterns --window 4",
    );
    check(
        "patterns-grid",
        "stuck frogs-square --patterns --cells 2 --scattered",
    );
    check(
        "patterns-left-over",
        "stuck frogs-and-toads -p n=3 -p k=2 --patterns --window 4 --limit 4",
    );
    check_on("patterns-ring", "stuck - --patterns", RING);
    check("patterns-never", "stuck guarini --patterns");
    check_on(
        "patterns-csv",
        "stuck - --patterns --window 6 --format csv",
        RING,
    );
    check_on(
        "patterns-json",
        "stuck - --patterns --window 5 --json",
        RING,
    );
    check(
        "patterns-coverage",
        "stuck frogs-and-toads -p n=4..5 --patterns --list coverage --format csv",
    );
    check(
        "patterns-uncovered",
        "stuck frogs-and-toads -p n=3 -p k=2 --patterns --window 4 --list uncovered",
    );
    check(
        "patterns-stability",
        "stuck frogs-and-toads -p n=2..4 --patterns --window 3 --list stability",
    );
}

/// Frogs go round one way, toads the other.
const RING: &str = "puzzle \"Frogs on a ring\"
piece F \"frog\"
piece T \"toad\"
board ring
start F F . . T T .
goal T T . . F F .
move step: F . -> . F
move back: . T -> T .
move jump: F T . -> . T F
";

#[test]
fn rules_that_tell_losing_moves() {
    let frogs = "stuck frogs-and-toads --rules -p n=2..5 -p m=2..5";
    check("rules", frogs);
    check("rules-csv", &format!("{frogs} --format csv"));
    check("rules-json", "stuck frogs-and-toads --rules -p n=2 --json");
    check("rules-mixed", &format!("{frogs} --radius 1"));
    check(
        "rules-grid",
        "stuck frogs-square --rules --radius 1 --limit 6",
    );
    check("rules-graph", "stuck guarini-graph --rules");
    check("rules-dot", "stuck frogs-and-toads --rules --format dot");
    check("rules-never", "stuck topspin --rules --limit 3 --radius 0");
}

#[test]
fn claims_and_sequences() {
    check("verify", "verify guarini");
    check(
        "verify-formula",
        "verify frogs-and-toads --of shortest --formula n*(n+2) -p n=1..5",
    );
    check(
        "verify-refuted",
        "verify frogs-and-toads --of states --formula n*n -p n=1..5",
    );
    check("verify-window", "verify coins --of shortest --formula 5");
    check("seq", "seq frogs-and-toads --of states -p n=1..10");
    check(
        "seq-bfile",
        "seq frogs-and-toads --of shortest -p n=1..4 --format bfile",
    );
    check(
        "seq-guess",
        "seq frogs-and-toads --of states -p n=1..16 --guess",
    );
    check(
        "seq-guess-later",
        "seq frogs-and-toads --of dead_ends -p n=1..16 --guess",
    );
    check(
        "seq-guess-none",
        "seq frogs-and-toads --of plays -p n=1..9 --guess",
    );
    check(
        "seq-guess-json",
        "seq hanoi3 --of shortest -p n=1..6 --guess --json",
    );
    check(
        "seq-oeis",
        "seq frogs-and-toads --of live -p n=1..9 --format oeis --guess",
    );
    check(
        "seq-table",
        "seq frogs-and-toads --of states -p n=1..4 -p m=1..5",
    );
    check(
        "seq-triangle-oeis",
        "seq frogs-and-toads --of states -p n=1..4 -p m=1..4 --triangle --format oeis",
    );
    check(
        "seq-gap",
        "seq coins -p room=4..9 --of shortest --format bfile",
    );
}

#[test]
fn every_way_a_claim_can_be_wrong() {
    let rules = include_str!("snapshots/wrong-claims.puzzle");
    check_on("verify-wrong-claims", "verify -", rules);
    let sound: Vec<&str> = rules
        .lines()
        .filter(|line| !line.contains("10^") && !line.contains("1/"))
        .collect();
    let sound = format!("{}\n", sound.join("\n"));
    check_on("verify-refuted-claims", "verify -", &sound);
}

#[test]
fn complaints() {
    check("no-such-puzzle", "explore frogs-and-toad");
    check("no-such-parameter", "explore frogs-and-toads -p size=3");
    check("out-of-range", "explore frogs-and-toads -p n=41");
    check("bad-position", "show frogs-and-toads -p n=2 FF.TQ");
    check(
        "bad-formula",
        "verify frogs-and-toads --of states --formula n*(n+ -p n=1..3",
    );
    check("no-such-key", "seq frogs-and-toads --of statse -p n=1..3");
    check("no-such-code", "explain E99");
}
