//! The program against published values: `data/known`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Key, value and source, as published.
type Figure = (String, String, String);

#[test]
fn published_values() {
    let runs = published();
    assert!(runs.len() > 40, "only {} runs in data/known", runs.len());
    let mut failures = Vec::new();
    for ((puzzle, params), figures) in &runs {
        let found = explore(puzzle, params);
        for (key, value, source) in figures {
            let figure = plain(&found[key]);
            if figure != *value {
                failures.push(format!(
                    "{puzzle} {params}: {key} is {figure}, but {value} ({source})"
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The rows of the table, gathered by puzzle and parameters so that each space is searched once.
fn published() -> BTreeMap<(String, String), Vec<Figure>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/known/published.csv");
    let mut reader = csv::Reader::from_path(path).expect("data/known/published.csv");
    let mut runs: BTreeMap<_, Vec<Figure>> = BTreeMap::new();
    for row in reader.deserialize() {
        let (puzzle, params, key, value, source): (String, String, String, String, String) =
            row.expect("five columns");
        runs.entry((puzzle, params))
            .or_default()
            .push((key, value, source));
    }
    runs
}

fn explore(puzzle: &str, params: &str) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impasse"));
    command.args(["explore", puzzle, "--json", "--quiet"]);
    for value in params.split_whitespace() {
        command.args(["-p", value]);
    }
    let output = command.output().expect("the program starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{puzzle} {params}: {error}");
    serde_json::from_slice(&output.stdout).expect("one line of JSON")
}

fn plain(figure: &Value) -> String {
    figure
        .as_str()
        .map_or_else(|| figure.to_string(), str::to_owned)
}
