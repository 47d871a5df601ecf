//! Runs the program as a user runs it.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]

use std::path::Path;
use std::process::Output;
use std::time::Duration;

use assert_cmd::Command;

/// The program, in an empty environment of its own and with a limit of time: nothing may hang.
pub fn impasse() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impasse"));
    command
        .env_remove("NO_COLOR")
        .env_remove("COLUMNS")
        .env("TERM", "xterm");
    command.timeout(Duration::from_secs(60));
    command
}

/// Splits a command line at blanks; quotes are not known.
pub fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Runs a command line.
pub fn run(line: &str) -> Ran {
    Ran::of(line, impasse().args(words(line)))
}

/// Runs a command line with a rule file on standard input.
pub fn run_on(line: &str, rules: impl AsRef<[u8]>) -> Ran {
    Ran::of(
        line,
        impasse().args(words(line)).write_stdin(rules.as_ref()),
    )
}

/// Runs a command line in a folder.
pub fn run_in(folder: &Path, line: &str) -> Ran {
    Ran::of(line, impasse().current_dir(folder).args(words(line)))
}

/// What a command did.
#[derive(Debug)]
pub struct Ran {
    /// The command line, for messages.
    pub line: String,
    /// Exit code.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Ran {
    /// Runs a command to its end.
    pub fn of(line: &str, command: &mut Command) -> Self {
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().expect("the program runs");
        Self {
            line: line.to_owned(),
            code: status.code(),
            out: String::from_utf8(stdout).expect("standard output is UTF-8"),
            err: String::from_utf8(stderr).expect("standard error is UTF-8"),
        }
    }

    /// Asserts the exit code.
    #[track_caller]
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self}");
        self
    }

    /// Asserts that standard output contains something.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(
            self.out.contains(text),
            "no `{text}` in the output of {self}"
        );
        self
    }

    /// Asserts that standard error contains something.
    #[track_caller]
    pub fn warns(self, text: &str) -> Self {
        assert!(
            self.err.contains(text),
            "no `{text}` in the errors of {self}"
        );
        self
    }

    /// Asserts that nothing went wrong inside: no panic, at most one `error:` line.
    #[track_caller]
    pub fn calm(self) -> Self {
        let all = format!("{}{}", self.out, self.err);
        assert!(
            !all.contains("panicked") && !all.contains("RUST_BACKTRACE"),
            "{self}"
        );
        assert!(self.err.matches("error:").count() <= 1, "{self}");
        self
    }

    /// The lines of standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Vec<serde_json::Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {self}"));
        self.out.lines().map(parse).collect()
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            line,
            code,
            out,
            err,
        } = self;
        write!(
            f,
            "`impasse {line}` ({code:?})\n--- output\n{out}--- errors\n{err}"
        )
    }
}

/// A small puzzle with a parameter, a choice and a claim.
pub const FROGS: &str = "puzzle \"Frogs\"
param n = 2 in 0..9
piece F \"frog\" ○
piece T \"toad\" ●
board line
start F^n . T^n
goal T^n . F^n
move step: F . -> . F
move jump: F T . -> . T F
mirror F <-> T
claim shortest = n*(n+2)
";

/// Compares a text with a snapshot; `SNAPSHOTS=overwrite` writes it instead.
#[track_caller]
pub fn snapshot(name: &str, text: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/snapshots");
    snapbox::assert_data_eq!(text, snapbox::Data::read_from(&root.join(name), None).raw());
}
