//! One run of a program in a process of its own: wall time, CPU time, peak memory (Linux).

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// What one run cost.
#[derive(Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) wall: Duration,
    /// User and system time of all threads.
    pub(crate) cpu: Duration,
    /// The most that was resident.
    pub(crate) peak_bytes: u64,
}

/// `/proc` counts time in ticks of this length on every Linux.
const TICK: Duration = Duration::from_millis(10);
/// How often the peak is looked up; it only grows, so little is missed at the end.
const LOOK: Duration = Duration::from_millis(2);

/// What a program printed.
pub(crate) struct Printed {
    /// On standard output.
    pub(crate) output: String,
    /// On standard error.
    pub(crate) errors: String,
}

/// Runs the program and returns its cost and what it printed.
///
/// # Errors
/// If it cannot be started, fails, or this system has no `/proc`.
pub(crate) fn measure(program: &Path, arguments: &[&str]) -> Result<(Measured, Printed)> {
    let cpu_before = children_cpu()?;
    let begun = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("could not start {}", program.display()))?;
    let mut pipe = child.stdout.take().context("the pipe is missing")?;
    let id = child.id();
    let watcher = thread::spawn(move || watch_peak(id));
    let mut error_pipe = child.stderr.take().context("the pipe is missing")?;
    let listener = thread::spawn(move || {
        let mut errors = String::new();
        error_pipe.read_to_string(&mut errors).map(|_| errors)
    });
    let mut output = String::new();
    pipe.read_to_string(&mut output)
        .context("the output is not UTF-8")?;
    let errors = listener.join().expect("the listener does not panic");
    let errors = errors.context("the messages are not UTF-8")?;
    let status = child.wait().context("the program was lost")?;
    let wall = begun.elapsed();
    let peak_bytes = watcher.join().expect("the watcher does not panic");
    ensure!(
        status.success(),
        "{} {} ended with {status}: {}",
        program.display(),
        arguments.join(" "),
        errors.trim()
    );
    Ok((
        Measured {
            wall,
            cpu: children_cpu()?.saturating_sub(cpu_before),
            peak_bytes,
        },
        Printed { output, errors },
    ))
}

/// The high-water mark of a process, followed until the process has ended.
fn watch_peak(id: u32) -> u64 {
    let mut peak = 0;
    while let Some(now) = high_water(id) {
        peak = peak.max(now);
        thread::sleep(LOOK);
    }
    peak
}

fn high_water(id: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// User and system time of all children that have ended and were waited for.
fn children_cpu() -> Result<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").context("this system has no /proc")?;
    // The second field is the program's name in brackets and may hold blanks; `cutime` and
    // `cstime` are the 14th and 15th of the fields behind it.
    let behind = stat
        .rsplit_once(')')
        .context("/proc/self/stat is not as expected")?
        .1;
    let ticks = behind
        .split_whitespace()
        .skip(13)
        .take(2)
        .map(str::parse::<u32>);
    let ticks: u32 = ticks
        .sum::<Result<u32, _>>()
        .context("/proc/self/stat is not as expected")?;
    Ok(TICK * ticks)
}
