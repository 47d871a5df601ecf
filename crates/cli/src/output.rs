//! Where words go: data on standard output or into a file, everything else on standard error.

use std::fmt::Display;
use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use impasse_model::fault::Fault;
use impasse_model::puzzle::Style;
use impasse_report::Record;
use impasse_report::scope::sentences;

use crate::args::{LookArgs, When};
use crate::exit::{Failure, reason};
use crate::faults::{self, Look};
use crate::interrupt;

/// How this run talks to its user.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ui {
    /// `-q`.
    pub(crate) quiet: bool,
    /// `-v`.
    pub(crate) verbose: bool,
    /// Whether standard error is a terminal, so that a progress bar makes sense.
    pub(crate) watched: bool,
    /// Columns of standard output, where it is a terminal.
    pub(crate) width: Option<usize>,
    /// How boards are drawn.
    pub(crate) style: Style,
    /// How faults are drawn.
    look: Look,
}

impl Ui {
    /// Asks the flags, the terminal and the environment.
    pub(crate) fn new(args: &LookArgs) -> Self {
        let watched = io::stderr().is_terminal();
        let color = match args.color {
            When::Always => true,
            When::Never => false,
            When::Auto => watched && !is_set("NO_COLOR") && !is_dumb(),
        };
        Self {
            quiet: args.quiet,
            verbose: args.verbose,
            watched: watched && !is_dumb(),
            width: terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0.into()),
            style: Style {
                unicode: !args.ascii,
            },
            look: Look {
                unicode: watched && !args.ascii,
                color,
            },
        }
    }

    /// A word on standard error, unless `-q`.
    pub(crate) fn note(self, text: impl Display) {
        if !self.quiet {
            say(text);
        }
    }

    /// A word on standard error that `-q` does not silence.
    pub(crate) fn alarm(text: impl Display) {
        say(format_args!("error: {text}"));
    }

    /// What is sure of a run that does not know everything, unless `-q`.
    pub(crate) fn notes_of(self, record: &Record) {
        for sentence in sentences(record) {
            self.note(sentence);
        }
    }

    /// Several lines on standard error, unless `-q`.
    pub(crate) fn note_lines(self, text: &str) {
        text.lines().for_each(|line| self.note(line));
    }

    /// A word on standard error with `-v`.
    pub(crate) fn detail(self, text: impl Display) {
        if self.verbose {
            say(text);
        }
    }

    /// Warnings of a rule file, unless `-q`.
    pub(crate) fn warnings(self, origin: &str, text: &str, warnings: &[Fault]) {
        if !self.quiet && !warnings.is_empty() {
            say(faults::draw(origin, text, warnings, self.look).trim_end());
        }
    }

    /// A failure, once, with the way out.
    pub(crate) fn failure(self, failure: &Failure) {
        let (message, help) = match failure {
            Failure::Faults(all) => {
                let drawn = faults::draw(&all.origin, &all.text, &all.faults, self.look);
                return say(drawn.trim_end());
            }
            Failure::ClosedPipe => return,
            Failure::Usage { message, help }
            | Failure::Limit { message, help }
            | Failure::Io { message, help } => (message.clone(), help.as_ref()),
            Failure::Interrupted(message) => (message.clone(), None),
            Failure::Output(error) => (
                format!("cannot write to standard output: {}", reason(error)),
                None,
            ),
        };
        let error = if self.look.color {
            "\u{1b}[1;31merror:\u{1b}[0m"
        } else {
            "error:"
        };
        say(format_args!("{error} {message}"));
        if let Some(help) = help {
            say(format_args!("  help: {help}"));
        }
    }
}

/// Writes a line to standard error; nobody is left to tell where that fails.
fn say(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Hands `write` standard output, or the file at `path`, which appears whole or not at all.
///
/// # Errors
/// Those of `write`, and of the file.
pub(crate) fn to(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match path {
        None => through(io::stdout().lock(), write).map(drop),
        Some(path) if is_device(path) => {
            let file = fs::OpenOptions::new()
                .write(true)
                .open(path)
                .map_err(|error| Failure::file("write", path, &error))?;
            through(file, write)
                .map(drop)
                .map_err(|failure| in_file(failure, path))
        }
        Some(path) => to_file(path, write),
    }
}

/// Writes a file beside its place and moves it there.
fn to_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |error: &io::Error| Failure::file("write", path, error);
    if path.is_dir() {
        return Err(failed(&io::Error::from(io::ErrorKind::IsADirectory)));
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".impasse-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder
        .tempfile_in(folder.unwrap_or(Path::new(".")))
        .map_err(|e| failed(&e))?;
    let _guard = interrupt::unfinished(file.path());
    let file = through(file, write).map_err(|failure| in_file(failure, path))?;
    file.persist(path).map_err(|error| failed(&error.error))?;
    Ok(())
}

/// Lets `write` write through a buffer into `sink`, and hands the sink back.
///
/// What went wrong at the sink is what is reported: writers on the way wrap errors of their own
/// around it, and a closed pipe must stay one.
fn through<W: Write>(
    sink: W,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<W, Failure> {
    let mut out = BufWriter::new(Sink { sink, failed: None });
    let written = write(&mut out).and_then(|()| Ok(out.flush()?));
    let (Sink { sink, failed }, _) = out.into_parts();
    match failed {
        Some(error) => Err(error.into()),
        None => written.map(|()| sink),
    }
}

/// Names the file in a failure to write it.
fn in_file(failure: Failure, path: &Path) -> Failure {
    match failure {
        Failure::Output(error) => Failure::file("write", path, &error),
        Failure::ClosedPipe => {
            Failure::file("write", path, &io::Error::from(io::ErrorKind::BrokenPipe))
        }
        other => other,
    }
}

/// Remembers the first error of what it writes into.
struct Sink<W> {
    sink: W,
    failed: Option<io::Error>,
}

impl<W> Sink<W> {
    fn remember<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                self.failed.get_or_insert(error);
            }
            io::Error::from(kind)
        })
    }
}

impl<W: Write> Write for Sink<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.sink.write(bytes);
        self.remember(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.sink.flush();
        self.remember(result)
    }
}

/// Whether something that is no ordinary file stands there, such as `/dev/null`.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir())
}

/// Whether an environment variable is set to anything.
fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
