//! Where and when a measurement was made.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Prints the processor, memory, load, compiler, commit and date.
pub(crate) fn print(root: &Path) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = line_value("/proc/meminfo", "MemTotal");
    println!(
        "machine: {}, {cores} threads, memory {memory}",
        line_value("/proc/cpuinfo", "model name")
    );
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "load before: {}",
        load.split_whitespace()
            .take(3)
            .collect::<Vec<_>>()
            .join(" ")
    );
    println!("compiler: {}", said(root, "rustc", &["--version"]));
    println!(
        "commit: {}",
        said(root, "git", &["describe", "--always", "--dirty"])
    );
    println!(
        "date: {}",
        said(root, "date", &["-u", "+%Y-%m-%d %H:%M UTC"])
    );
}

/// What stands behind the colon of the first line that begins with `key`.
fn line_value(file: &str, key: &str) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(key));
    let value = line
        .and_then(|line| line.split_once(':'))
        .map(|(_, value)| value.trim());
    value.unwrap_or("unknown").to_owned()
}

fn said(root: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .current_dir(root)
        .args(arguments)
        .output();
    match output {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        _ => "unknown".to_owned(),
    }
}
