//! Patterns on real spaces: positions as contents, and the golden tables of mined patterns.

use std::path::{Path, PathBuf};

use impasse_analysis::explore::{Options, explore};
use impasse_analysis::patterns::Notation;
use impasse_analysis::run::{Run, Verdict};
use impasse_graph::observe::Silent;
use impasse_model::instance::{Instance, Position};

fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../data")
        .join(path)
}

/// A shipped puzzle for some parameters, and its run.
fn run(name: &str, params: &[(&str, &str)]) -> (Instance, Box<dyn Run>) {
    let path = data(&format!("puzzles/{name}.puzzle"));
    let text = std::fs::read_to_string(path).expect("a shipped file");
    let file = impasse_model::parse::parse(name, text.as_bytes())
        .unwrap_or_else(|faults| panic!("{name}: {:?}", faults.faults))
        .file;
    let given: Vec<(String, String)> = params
        .iter()
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
        .collect();
    let params = file.parameters(&given).expect("in range");
    let (instance, _) = file
        .instance(name, params, None)
        .unwrap_or_else(|faults| panic!("{name} {given:?}: {:?}", faults.faults));
    let run = explore(&instance, &Options::default(), &Silent).expect("it can be packed");
    (instance, run)
}

#[test]
fn positions_are_found_again() {
    for name in [
        "frogs-and-toads",
        "guarini",
        "coins",
        "die-hard-jugs",
        "chips",
    ] {
        let (instance, run) = run(name, &[]);
        let table = run.table().expect("a small space");
        let mut position = Position::new();
        for id in 0..table.state_count() {
            table.position(id, &mut position);
            assert_eq!(position.len(), instance.board.cells, "{name}");
            assert_eq!(table.find(&position), Some(id), "{name}");
            let drawn = instance.board.one_line(&instance.alphabet, &position);
            assert_eq!(drawn, table.one_line(id), "{name}");
        }
    }
}

#[test]
fn three_stretch_patterns_decide_frogs() {
    for n in 2..=6 {
        let (instance, run) = run("frogs-and-toads", &[("n", &n.to_string())]);
        let table = run.table().expect("a small space");
        let notation = Notation::of(&instance);
        let patterns = ["FTT_*.", "._*FFT", "FT.F_*T"].map(|p| notation.parse(p).expect("it fits"));
        let mut position = Position::new();
        for id in 0..table.state_count() {
            table.position(id, &mut position);
            let found = patterns.iter().any(|p| p.is_in(&instance.board, &position));
            let lost = table.verdict(id) != Verdict::Live;
            assert_eq!(found, lost, "n = {n}: {}", table.one_line(id));
        }
    }
}
