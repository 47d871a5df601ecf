//! The peers: searches in the workspace `xtask/peers`, and model checkers where they are installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::child::{self, Measured};

/// A peer's search of one space.
pub(crate) struct Search {
    pub(crate) states: u64,
    /// Seconds of CPU time.
    pub(crate) cpu: f64,
    pub(crate) wall: f64,
    pub(crate) bytes: u64,
}

impl Search {
    /// States a CPU second.
    pub(crate) fn rate(&self) -> f64 {
        self.states as f64 / self.cpu.max(1e-3)
    }
}

/// Builds the peers and says where their program stands.
pub(crate) fn build(root: &Path) -> Result<PathBuf> {
    let folder = root.join("xtask/peers");
    let target = root.join("target/peers");
    let status = Command::new(env!("CARGO"))
        .current_dir(&folder)
        .args(["build", "--release", "--quiet"])
        .env("CARGO_TARGET_DIR", &target)
        .stdin(Stdio::null())
        .status()
        .context("could not start cargo")?;
    ensure!(status.success(), "building the peers failed");
    Ok(target.join("release/impasse-peers"))
}

/// The limits of the machine on one thread: bytes a second in order, random bits a second.
pub(crate) fn probe(peers: &Path) -> Result<(f64, f64)> {
    let (_, printed) = child::measure(peers, &["probe"])?;
    let object: Value = serde_json::from_str(printed.output.trim()).context("no JSON")?;
    let number = |key: &str| object[key].as_f64().context("a figure is missing");
    Ok((number("bytes_in_order")?, number("random_bits")?))
}

/// Runs one peer, for example `["fx", "frogs", "12"]`.
pub(crate) fn run(peers: &Path, arguments: &[&str]) -> Result<Search> {
    let (measured, printed) = child::measure(peers, arguments)?;
    let object: Value = serde_json::from_str(printed.output.trim()).context("no JSON")?;
    let states = object["states"].as_u64().context("no count")?;
    Ok(search(states, measured))
}

fn search(states: u64, measured: Measured) -> Search {
    Search {
        states,
        cpu: measured.cpu.as_secs_f64(),
        wall: measured.wall.as_secs_f64(),
        bytes: measured.peak_bytes,
    }
}

/// rumur on two-way frogs: model, C program, search; `None` where rumur or a compiler is missing.
pub(crate) fn rumur(root: &Path, n: usize) -> Result<Option<Search>> {
    if !is_there("rumur", "--version") || !is_there("cc", "--version") {
        return Ok(None);
    }
    let folder = root.join("target/peers/rumur");
    fs::create_dir_all(&folder).context("no place for the model")?;
    let model = fs::read_to_string(root.join("xtask/peers/models/frogs.m"))?;
    let model = model.replace("N: 5;", &format!("N: {n};"));
    fs::write(folder.join("frogs.m"), model)?;
    let made = Command::new("rumur")
        .current_dir(&folder)
        .args(["--output", "frogs.c", "--output-format", "machine-readable"])
        .args(["--deadlock-detection", "off", "frogs.m"])
        .stdout(Stdio::null())
        .status()?;
    ensure!(made.success(), "rumur refused its model");
    compile(
        &folder,
        &[
            "-O3",
            "-march=native",
            "-mcx16",
            "frogs.c",
            "-o",
            "frogs",
            "-lpthread",
        ],
    )?;
    let (measured, printed) = child::measure(&folder.join("frogs"), &[])?;
    let states = attribute(&printed.output, "states=\"").context("rumur prints no count")?;
    Ok(Some(search(states, measured)))
}

/// spin on two-way frogs, breadth first; `None` where spin or a compiler is missing.
pub(crate) fn spin(root: &Path, n: usize) -> Result<Option<Search>> {
    if !is_there("spin", "-V") || !is_there("cc", "--version") {
        return Ok(None);
    }
    let folder = root.join("target/peers/spin");
    fs::create_dir_all(&folder).context("no place for the model")?;
    fs::copy(
        root.join("xtask/peers/models/frogs.pml"),
        folder.join("frogs.pml"),
    )?;
    let made = Command::new("spin")
        .current_dir(&folder)
        .args(["-a", &format!("-DN={n}"), "frogs.pml"])
        .stdout(Stdio::null())
        .status()?;
    ensure!(made.success(), "spin refused its model");
    compile(
        &folder,
        &[
            "-O3",
            "-DSAFETY",
            "-DNOREDUCE",
            "-DMEMLIM=12000",
            "pan.c",
            "-o",
            "pan",
        ],
    )?;
    let (measured, printed) = child::measure(&folder.join("pan"), &["-m1000000", "-w27"])?;
    let line = printed
        .output
        .lines()
        .find(|line| line.contains("states, stored"));
    let states = line
        .and_then(|line| line.split_whitespace().next())
        .and_then(|word| word.parse::<f64>().ok())
        .context("spin prints no count")?;
    Ok(Some(search(states as u64, measured)))
}

fn compile(folder: &Path, arguments: &[&str]) -> Result<()> {
    let status = Command::new("cc")
        .current_dir(folder)
        .args(arguments)
        .stderr(Stdio::null())
        .status()
        .context("no C compiler")?;
    ensure!(status.success(), "the C compiler refused {arguments:?}");
    Ok(())
}

fn is_there(program: &str, flag: &str) -> bool {
    let mut command = Command::new(program);
    command
        .arg(flag)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok()
}

/// The number behind the last `key` of a text.
fn attribute(text: &str, key: &str) -> Option<u64> {
    let (_, behind) = text.rsplit_once(key)?;
    let digits: String = behind.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
