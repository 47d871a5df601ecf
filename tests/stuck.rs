//! `impasse stuck`: lists and patterns, what is refused, and with which word about the way out.

mod support;

use support::{FROGS, Ran, run, run_in, run_on};

/// A command line that is refused.
fn refused(line: &str, code: i32, words: &[&str]) {
    let ran = run(line).code(code).calm();
    for word in words {
        assert!(ran.err.contains(word), "no `{word}` in {ran}");
    }
}

#[test]
fn flags_that_do_not_fit() {
    refused(
        "stuck frogs-and-toads --format csv",
        2,
        &["one list at a time", "--list boundary"],
    );
    refused(
        "stuck frogs-and-toads --patterns --list lost",
        2,
        &["`lost` has no patterns", "--list patterns"],
    );
    refused(
        "stuck frogs-and-toads --list coverage",
        2,
        &["`coverage` is one of patterns", "add --patterns"],
    );
    refused(
        "stuck frogs-and-toads --list lost --format dot",
        2,
        &["only the boundary can be drawn"],
    );
    refused(
        "stuck frogs-and-toads --patterns --format dot",
        2,
        &["only the boundary can be drawn"],
    );
    refused(
        "stuck frogs-and-toads -p n=1..2 --format dot",
        2,
        &["one parameter value at a time"],
    );
    refused(
        "stuck frogs-and-toads --list rows",
        2,
        &["boundary", "only-moves"],
    );
    refused("stuck frogs-and-toads --window 5", 2, &["--patterns"]);
    refused(
        "stuck frogs-and-toads --patterns --window 0",
        2,
        &["--window"],
    );
    refused(
        "stuck frogs-and-toads --patterns --cells 3",
        2,
        &["this board is a row", "--window"],
    );
    refused(
        "stuck frogs-square --patterns --window 3",
        2,
        &["this board is none", "--cells"],
    );
    refused(
        "stuck frogs-and-toads --patterns --list stability",
        2,
        &["several values", "-p n=2..7"],
    );
    refused(
        "stuck peg-rectangle -p rows=3..4 -p cols=3 --patterns --cells 2 --list stability",
        2,
        &["different boards"],
    );
}

#[test]
fn long_lists_are_refused_with_the_flag_that_brings_them() {
    let line = "stuck frogs-and-toads -p n=3 --list lost --format csv";
    refused(
        &format!("{line} --max-rows 41"),
        3,
        &["42 rows, but at most 41", "--max-rows 42"],
    );
    let whole = run(&format!("{line} --max-rows 42")).code(0).calm();
    assert_eq!(whole.out.lines().count(), 43, "{whole}");
    refused(
        "stuck frogs-and-toads -p n=3 --format dot --max-rows 15",
        3,
        &["16 rows", "--max-rows 16"],
    );
    refused(
        "stuck frogs-and-toads -p n=3 --patterns --list patterns --max-rows 10",
        3,
        &["rows, but at most 10", "--max-rows"],
    );
}

#[test]
fn windows_too_wide_are_refused_with_the_bytes_they_need() {
    refused(
        "stuck frogs-and-toads -p n=8 --patterns --window 13 --memory 32M",
        3,
        &[
            "windows of 13 cells would need 67,108,864 bytes (64.0 MiB)",
            "32.0 MiB may be used",
            "--memory",
        ],
    );
    let whole = run("stuck frogs-and-toads -p n=3 --patterns --window 60000")
        .code(0)
        .calm();
    assert!(whole.out.contains("windows of up to 7 cells"), "{whole}");
}

#[test]
fn every_minimal_pattern_is_listed() {
    let ran = run("stuck frogs-and-toads -p n=3..4 --patterns --window 5 --format csv")
        .code(0)
        .calm();
    assert_eq!(ran.out.lines().count(), 1 + 420 + 75 + 630 + 67, "{ran}");
    let ran = ran.says("\n3,3,1,opponent,forward,stretch,._*FFT,4,4,20,42,1\n");
    ran.says("\n4,4,1,opponent,forward,window,FFTT,4,4,65,147,1\n");
    let ran =
        run("stuck frogs-and-toads -p n=2..4 --patterns --window 4 --list stability --format csv");
    let ran = ran
        .code(0)
        .calm()
        .says("kind,pattern,span,fixed,sound_from,minimal_from,value,standing,support\n");
    let ran =
        ran.says("\nwindow,FFT|,3,3,n=2,n=3,n=2,sound,2\nwindow,FFT|,3,3,n=2,n=3,n=3,minimal,8\n");
    ran.says("\nstretch,._*FFT,4,4,n=2,n=2,n=4,minimal,78\n");
}

#[test]
fn a_stopped_run_has_no_list() {
    let ran = run("stuck frogs-and-toads -p n=4 --list lost --format csv --max-states 20")
        .code(3)
        .calm();
    assert_eq!(ran.out, "");
    run("stuck frogs-and-toads -p n=4 --patterns --max-states 20")
        .code(3)
        .calm();
}

#[test]
fn lists_go_into_files_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let line = "stuck frogs-and-toads -p n=2..4 --list boundary --format csv -o boundary.csv";
    let ran = run_in(folder.path(), line).code(0).calm();
    assert_eq!(ran.out, "");
    let text = std::fs::read_to_string(folder.path().join("boundary.csv")).expect("a file");
    // 2(n^2 - 1) blocking moves, and the head.
    assert_eq!(text.lines().count(), 6 + 16 + 30 + 1);
    let line = "stuck frogs-and-toads -p n=2..3 --list lost --format csv --max-rows 7 -o lost.csv";
    run_in(folder.path(), line).code(3).calm();
    assert!(!folder.path().join("lost.csv").exists());
}

/// Every state of these is lost: a goal that cannot be.
#[test]
fn where_all_is_lost() {
    let hopeless = FROGS.replace("goal T^n . F^n", "goal T^n F^n .");
    let ran: Ran = run_on("stuck - -p n=2 --patterns", &hopeless)
        .code(0)
        .calm();
    assert!(
        ran.out
            .contains("no state is live, so no pattern tells lost ones apart"),
        "{ran}"
    );
    let ran = run_on("stuck - -p n=2 --list dead-ends --format csv", &hopeless)
        .code(0)
        .calm();
    assert!(
        ran.out.contains("2,3,.FFTT,2,,,step 2 3; step 1 2\n"),
        "{ran}"
    );
}

#[test]
fn peg_solitaire_and_endless_rows() {
    let pegs = "puzzle \"Pegs\"\npiece P \"peg\"\nboard line\nstart P P P . P P P P\ngoal count P = 1\n\
                move right: P P . -> . . P\nmove left: . P P -> P . .\n";
    run_on("stuck - --patterns", pegs)
        .code(0)
        .says("windows of up to 8 cells")
        .calm();
    run("stuck peg-rectangle -p rows=3 -p cols=4 --patterns")
        .code(0)
        .says("sets of up to 4 cells")
        .calm();
    run("stuck peg-triangle --patterns --cells 3")
        .code(0)
        .calm();
    let row = "puzzle \"Pegs\"\npiece P \"peg\"\nboard line endless, span 9\nstart P P . P P P\ngoal P\n\
               move right: P P . -> . . P\nmove left: . P P -> P . .\n";
    run_on("stuck - --patterns --window 4", row).code(0).calm();
    let counts = "puzzle \"Piles\"\nboard line of counts, cap 3\nstart 2 1 2\ngoal 0 3 2\nmove pour: 1.. 1.. -> -1 +1\n";
    run_on("stuck - --patterns --window 2", counts)
        .code(0)
        .calm();
}

/// Ten million states, told from sets alone.
const MANY: &str = "frogs-and-toads -p n=9 -p k=3 --engine stream";

#[test]
fn single_positions_of_spaces_without_a_table() {
    let lost = run(&format!("why {MANY} FFFFFFF.T.TFFTTTTTTT. --json")).code(0);
    for part in [
        "\"verdict\":\"doomed\",\"depth\":18,\"remoteness\":null,\"moves_left\":31",
        "the space has 10,451,976 states, and at most 2,000,000 are mined",
        "\"lost_by\":{\"state\":\"FFFFFFF.T.TFFT.TTTTTT\",\"move\":\"step 16 15\"",
        "\"right\":[{\"move\":\"step 7 8\",\"to\":\"FFFFFF.FT.TFFT.TTTTTT\"}",
    ] {
        assert!(lost.out.contains(part), "no `{part}` in {lost}");
    }
    let live = run(&format!("why {MANY} FFFFFFF.TFT.FTTTTTTT.")).code(0);
    for line in [
        "live: a goal is 118 moves away",
        "  step 7 8: FFFFFF.FTFT.FTTTTTTT.  live, 117 away",
        "  jump 10 12: FFFFFFF.T.TFFTTTTTTT.  doomed (a blocking move)",
    ] {
        assert!(live.out.lines().any(|l| l == line), "no `{line}` in {live}");
    }
}

#[test]
fn lists_of_too_many_single_states_are_refused() {
    refused(
        &format!("stuck {MANY} --list lost --format csv"),
        3,
        &["9,176,756 rows", "--max-rows 9176756"],
    );
    refused(
        &format!("stuck {MANY} --list lost --format csv --max-rows 9176756"),
        3,
        &["more than 4000000 single states", "--engine hash"],
    );
}

/// Beyond a million states the report leaves out what takes the space apart, whatever the engine.
#[test]
fn the_report_hangs_on_no_engine() {
    let line = "stuck frogs-and-toads -p n=10 -p k=2 --limit 2 --by-move --engine";
    let hashed = run(&format!("{line} hash")).code(0).calm();
    assert!(hashed.out.contains("1,893,053 states"), "{hashed}");
    let most = "what is lost can be played on for";
    assert!(
        hashed.out.lines().last().is_some_and(|l| l.contains(most)),
        "{hashed}"
    );
    assert_eq!(run(&format!("{line} stream")).code(0).out, hashed.out);
}

#[test]
fn lost_states_by_the_moves_left() {
    let line = "stuck frogs-and-toads -p n=2..3 --list by-moves-left";
    let text = run(line).code(0).calm();
    assert!(
        text.out.contains("moves_left  lost\n         0     4\n"),
        "{text}"
    );
    let csv = run(&format!("{line} --format csv")).code(0).calm();
    let rows = "n,m,k,over,way,moves_left,lost\n2,2,1,opponent,forward,0,4\n2,2,1,opponent,forward,1,2\n\
        2,2,1,opponent,forward,2,1\n3,3,1,opponent,forward,0,13\n";
    assert!(csv.out.starts_with(rows), "{csv}");
    let json = run(&format!("{line} --json")).code(0).json();
    assert_eq!(json[0]["rows"][2]["moves_left"], 2);
}
