//! Rule files with their parameters fixed: shipped files here, small files in the modules.

mod faults;
mod positions;
mod rules;
mod shown;

use shown::{goal, instance, listed, round_trips, shipped, starts, try_instance};

/// `given => start => goal`.
fn check(stem: &str, given: &str, start: &str, expected_goal: &str) {
    let instance = instance(&shipped(stem), given);
    assert_eq!(starts(&instance), start, "start of {stem} {given}");
    assert_eq!(
        goal(&instance, &instance.goal),
        expected_goal,
        "goal of {stem} {given}"
    );
    round_trips(&instance, &shipped(stem));
}

#[test]
fn every_shipped_file_elaborates_without_warning() {
    let stems = stems();
    assert!(stems.len() >= 34, "{} files", stems.len());
    for stem in stems {
        let file = shipped(&stem);
        match try_instance(&file, "", None) {
            Ok((instance, warnings)) => {
                assert_eq!(listed(&warnings), "", "{stem}");
                assert!(!instance.rules.is_empty(), "{stem}");
                round_trips(&instance, &file);
            }
            Err(faults) => panic!("{stem}: {}", listed(&faults.faults)),
        }
    }
}

#[test]
fn starts_and_goals_of_shipped_files() {
    check("frogs-and-toads", "", "FFF.TTT", "TTT.FFF");
    check("frogs-and-toads", "n=0", ".", ".");
    check("frogs-and-toads", "n=1 m=2 k=3", "F...TT", "TT...F");
    check(
        "bishops-exchange",
        "",
        "WWWW/..../..../..../BBBB",
        "BBBB............WWWW",
    );
    check("coins", "", "ABABA@0", "AAABB or BBAAA");
    check("coins", "n=3 extra=0", "ABABAB@0", "AAABBB or BBBAAA");
    check(
        "coins-little-room",
        "west=2 east=3",
        "..ABABA...",
        "contains AAABB or contains BBAAA",
    );
    check("cycle-of-five", "", "WW.BB", "BB.WW");
    check("die-hard-jugs", "", ". .", "contains 4");
    check("guarini-graph", "", "W.W.B.B.", "B.B.W.W.");
    check("hanoi3", "n=2", "AA", "CC");
    check(
        "klotski",
        "",
        "uabu/vcdv/ulru/vssv/s..s",
        "_____________ab__cd_",
    );
    check("peg-rectangle", "rows=2 cols=3", ".PP/PPP", "count P Eq 1");
    check("pancakes", "n=3", "ABC", "ABC");
    check(
        "sokoban",
        "",
        "#######/#.....#/#.B.B.#/#..P..#/#...###/#######",
        "B____B____________",
    );
    check("tait", "n=2", "ABAB..", "contains AABB or contains BBAA");
    check("tiles", "rows=1", "AB.", "AB.");
    check("tiles", "rows=1 cols=2", "A.", "A.");
    check("fore-and-aft", "n=1", "FF#/F.T/#TT", "TTT.FFF");
    check("frogs-square", "n=1", "FFT/F.T/FTT", "TTFT.FTFF");
    check("twickenham", "", "CEHMINATWK.", "TWICKENHAM.");
    check("topspin-ring", "n=5", "ABCDE", "ABCDE");
    check("knights-exchange", "", "WWW/.../BBB", "BBB...WWW");
    check("pieces-exchange", "rows=2 cols=2", "WW/BB", "BBWW");
}

#[test]
fn counted_starts_and_goals() {
    check(
        "chips",
        "",
        "2 3 5@0",
        "never 2.. and never 1.. 1.."
            .replace("1..1..", "1.. 1..")
            .as_str(),
    );
    check(
        "chips",
        "chips=0,1,0,4",
        "1 . 4@1",
        "never 2.. and never 1.. 1..",
    );
    check("bergman", "n=7", "7@0", "never 2.. and never 1.. 1..");
    check(
        "zeckendorf",
        "",
        "8 . . . . . .",
        "never 2.. and never 1.. 1..",
    );
}

#[test]
fn shipped_files_at_the_ends_of_their_ranges() {
    use impasse_model::expr::integer;
    use impasse_model::syntax::ParamKind;
    for stem in stems() {
        let file = shipped(&stem);
        let defaults = file.parameters(&[]).expect("defaults");
        for param in &file.params {
            let name = &param.name.value;
            let values: Vec<String> = match &param.kind {
                ParamKind::Integer {
                    range: Some((low, high)),
                    ..
                } => [low, high]
                    .map(|e| integer(e, &defaults).expect("a bound").to_string())
                    .to_vec(),
                ParamKind::Choice { values } => values.iter().map(|v| v.value.clone()).collect(),
                _ => Vec::new(),
            };
            for value in values {
                let given = format!("{name}={value}");
                match try_instance(&file, &given, None) {
                    Ok((instance, _)) => round_trips(&instance, &file),
                    // Some values do not fit the defaults of the others.
                    Err(faults) => {
                        let told = listed(&faults.faults);
                        assert!(
                            told.lines().all(|l| l.starts_with("E09 ")),
                            "{stem} {given}: {told}"
                        );
                    }
                }
            }
        }
    }
}

fn stems() -> Vec<String> {
    let folder = format!("{}/../../data/puzzles", env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(folder).expect("the shipped files");
    let names = entries.map(|e| {
        e.expect("an entry")
            .file_name()
            .into_string()
            .expect("a name")
    });
    let mut stems: Vec<String> = names
        .filter_map(|n| n.strip_suffix(".puzzle").map(str::to_owned))
        .collect();
    stems.sort();
    stems
}
