//! The examples of `docs/rules.md`: each is a whole rule file, with the figures it must give.
//!
//! Behind a block marked `puzzle` stand lines such as `<!-- expect -p n=7: states=2388 shortest=63 -->`;
//! `none` is an absent figure, and `fault=E04` means that the file is refused with that code. After
//! `<!-- verify: 1 words -->` the claims are checked: the exit code, and words that must be said.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// One expectation: which block (by its first line), the options, and what must come of it.
struct Case {
    text: String,
    options: Vec<String>,
    figures: Vec<(String, String)>,
}

#[test]
fn the_examples_of_the_rule_language() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    let page = std::fs::read_to_string(path).expect("docs/rules.md");
    let cases = cases(&page);
    assert!(
        cases.len() > 20,
        "only {} expectations in docs/rules.md",
        cases.len()
    );
    let mut failures: Vec<String> = cases.iter().flat_map(failures).collect();
    failures.extend(verified(&page));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The blocks whose claims do not come out as the page says.
fn verified(page: &str) -> Vec<String> {
    let mut failures = Vec::new();
    let mut count = 0;
    for part in page.split("```puzzle\n").skip(1) {
        let (text, rest) = part.split_once("```").expect("a block that ends");
        let mark = rest
            .lines()
            .find_map(|line| line.strip_prefix("<!-- verify: "));
        let Some(mark) = mark.map(|mark| mark.trim_end_matches("-->").trim()) else {
            continue;
        };
        let (code, words) = mark.split_once(' ').unwrap_or((mark, ""));
        let output = impasse(&["verify", "-"], text);
        let said = String::from_utf8_lossy(&output.stdout);
        if output.status.code().map(|code| code.to_string()).as_deref() != Some(code)
            || !said.contains(words)
        {
            failures.push(format!("verify: not `{mark}`, but {output:?}"));
        }
        count += 1;
    }
    assert!(
        count > 1,
        "only {count} blocks of docs/rules.md are verified"
    );
    failures
}

/// The expectations of the page, each with the block it stands behind.
fn cases(page: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut text = String::new();
    let mut inside = false;
    for line in page.lines() {
        if line == "```puzzle" {
            (inside, text) = (true, String::new());
        } else if inside && line == "```" {
            inside = false;
        } else if inside {
            text.push_str(line);
            text.push('\n');
        } else if let Some(expectation) = line.strip_prefix("<!-- expect") {
            cases.push(case(&text, expectation.trim_end_matches("-->")));
        }
    }
    cases
}

fn case(text: &str, expectation: &str) -> Case {
    let (options, figures) = expectation
        .split_once(": ")
        .expect("a colon behind `expect`");
    let words = |list: &str| {
        list.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let figures = words(figures)
        .iter()
        .map(|figure| figure.split_once('=').expect("key=value"))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    Case {
        text: text.to_owned(),
        options: words(options),
        figures,
    }
}

fn failures(case: &Case) -> Vec<String> {
    let title = format!(
        "{} {}",
        case.text.lines().next().unwrap_or(""),
        case.options.join(" ")
    );
    let output = explore(case);
    let error = String::from_utf8_lossy(&output.stderr);
    if let [(key, code)] = case.figures.as_slice()
        && key == "fault"
    {
        let refused = output.status.code() == Some(2) && error.contains(code);
        return if refused {
            vec![]
        } else {
            vec![format!("{title}: no fault {code}: {error}")]
        };
    }
    let Ok(found) = serde_json::from_slice::<Value>(&output.stdout) else {
        return vec![format!("{title}: {error}")];
    };
    case.figures
        .iter()
        .filter(|(key, value)| plain(&found[key]) != *value)
        .map(|(key, value)| format!("{title}: {key} is {}, the page says {value}", found[key]))
        .collect()
}

fn plain(figure: &Value) -> String {
    match figure {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn explore(case: &Case) -> Output {
    let options = case.options.iter().map(String::as_str);
    let line: Vec<&str> = ["explore", "-", "--json", "--quiet"]
        .into_iter()
        .chain(options)
        .collect();
    impasse(&line, &case.text)
}

/// Runs the program with a rule file on standard input.
fn impasse(line: &[&str], text: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_impasse"))
        .args(line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    // A program that ends without reading closes the pipe; what it said is judged below.
    let _ = pipe.write_all(text.as_bytes());
    drop(pipe);
    child.wait_with_output().expect("the program ends")
}
