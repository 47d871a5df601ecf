//! The program under test: built once, then run as a user runs it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// Builds `package` with the release profile and says where its program stands.
pub(crate) fn build(root: &Path, package: &str) -> Result<PathBuf> {
    build_target(root, package, &[], package)
}

/// The same of an example of a package.
pub(crate) fn build_example(root: &Path, package: &str, example: &str) -> Result<PathBuf> {
    build_target(root, package, &["--example", example], example)
}

fn build_target(root: &Path, package: &str, choice: &[&str], target: &str) -> Result<PathBuf> {
    let output = Command::new(env!("CARGO"))
        .current_dir(root)
        .args([
            "build",
            "--release",
            "--quiet",
            "--message-format=json",
            "--package",
            package,
        ])
        .args(choice)
        .stderr(Stdio::inherit())
        .output()
        .context("could not start cargo")?;
    ensure!(output.status.success(), "building {target} failed");
    let messages = String::from_utf8_lossy(&output.stdout);
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == target)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .with_context(|| format!("cargo names no program of {target}"))
}

/// Runs `impasse explore ... --json` and returns one object a parameter value.
///
/// `text` is given on standard input, for puzzles that are no file.
pub(crate) fn explore(
    program: &Path,
    arguments: &[String],
    text: Option<&str>,
) -> Result<Vec<Value>> {
    let mut command = Command::new(program);
    command
        .arg("explore")
        .args(arguments)
        .args(["--json", "--quiet"]);
    let output = run_with_input(&mut command, text)?;
    if !output.status.success() {
        bail!(
            "impasse explore {} ended with {}: {}",
            arguments.join(" "),
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    let lines = String::from_utf8(output.stdout).context("the output is not UTF-8")?;
    lines
        .lines()
        .map(|line| serde_json::from_str(line).context("a line is not JSON"))
        .collect()
}

fn run_with_input(command: &mut Command, text: Option<&str>) -> Result<std::process::Output> {
    use std::io::Write as _;
    let input = if text.is_some() {
        Stdio::piped()
    } else {
        Stdio::null()
    };
    let mut child = command
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("could not start the program")?;
    if let (Some(text), Some(mut pipe)) = (text, child.stdin.take()) {
        // A program that refuses its arguments closes the pipe early; its exit code tells.
        let _ = pipe.write_all(text.as_bytes());
    }
    child.wait_with_output().context("the program was lost")
}

/// A figure as the golden tables write it: plain digits, nothing for an absent one.
pub(crate) fn plain(figure: &Value) -> String {
    match figure {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Runs the tests of a package that `cargo test` leaves out as too large.
pub(crate) fn ignored_tests(root: &Path, package: &str) -> Result<()> {
    let status = Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["test", "--quiet", "--package", package, "--", "--ignored"])
        .status()
        .context("could not start cargo")?;
    ensure!(status.success(), "the large tests of {package} failed");
    Ok(())
}
