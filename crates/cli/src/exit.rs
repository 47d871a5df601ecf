//! How a command ends: exit codes, and failures with what to print of them.

use std::io;
use std::path::Path;

use impasse_model::fault::Faults;

/// The exit codes of design.md section 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Done; every claim held; a solution exists.
    Done,
    /// Done, and the answer is no.
    No,
    /// A limit was hit; the output says what is sure.
    Limit,
    /// Bad command line or bad rule file.
    Usage,
    /// Input or output failed.
    Io,
    /// Ctrl-C.
    Interrupted,
}

impl Exit {
    /// The number handed to the shell.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::No => 1,
            Self::Usage => 2,
            Self::Limit => 3,
            Self::Io => 4,
            Self::Interrupted => 130,
        }
    }

    /// The graver of two ends, for commands that go through several parameter values.
    ///
    /// A refuted claim stays a refutation though another value hit a limit.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, Self::Limit) | (Self::Limit, Self::No) => Self::No,
            _ => self.max(other),
        }
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Faults of a rule file, or of what was asked of it.
    Faults(Box<Faults>),
    /// A bad command line.
    Usage {
        /// What is wrong.
        message: String,
        /// The way out.
        help: Option<String>,
    },
    /// Reading or writing failed.
    Io {
        /// What failed.
        message: String,
        /// The way out.
        help: Option<String>,
    },
    /// A limit leaves no room to begin.
    Limit {
        /// What is wrong.
        message: String,
        /// The way out.
        help: Option<String>,
    },
    /// Ctrl-C, where nothing whole can be told.
    Interrupted(String),
    /// Standard output refused bytes.
    Output(io::Error),
    /// Standard output was closed by its reader: an end, not an error.
    ClosedPipe,
}

impl Failure {
    /// A bad command line.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage {
            message: message.into(),
            help: None,
        }
    }

    /// A limit that leaves no room to begin.
    pub(crate) fn limit(message: impl Into<String>) -> Self {
        Self::Limit {
            message: message.into(),
            help: None,
        }
    }

    /// Failed input or output.
    pub(crate) fn io(message: impl Into<String>) -> Self {
        Self::Io {
            message: message.into(),
            help: None,
        }
    }

    /// A failed operation on a file, `verb` being `read`, `write`, ...
    pub(crate) fn file(verb: &str, path: &Path, error: &io::Error) -> Self {
        Self::io(format!(
            "cannot {verb} `{}`: {}",
            path.display(),
            reason(error)
        ))
    }

    /// Adds the way out.
    pub(crate) fn help(mut self, text: impl Into<String>) -> Self {
        if let Self::Usage { help, .. } | Self::Limit { help, .. } | Self::Io { help, .. } =
            &mut self
        {
            *help = Some(text.into());
        }
        self
    }

    /// The exit code it leads to.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Faults(_) | Self::Usage { .. } => Exit::Usage,
            Self::Limit { .. } => Exit::Limit,
            Self::Interrupted(_) => Exit::Interrupted,
            Self::Io { .. } | Self::Output(_) => Exit::Io,
            Self::ClosedPipe => Exit::Done,
        }
    }
}

impl From<Faults> for Failure {
    fn from(faults: Faults) -> Self {
        Self::Faults(Box::new(faults))
    }
}

/// Errors of standard output; those of files are made with [`Failure::file`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Output(error),
        }
    }
}

impl From<impasse_report::Error> for Failure {
    fn from(error: impasse_report::Error) -> Self {
        match error {
            impasse_report::Error::Output(error) => error.into(),
            error @ impasse_report::Error::File { .. } => Self::io(error.to_string()),
            error @ impasse_report::Error::Format { .. } => Self::usage(error.to_string()),
        }
    }
}

/// The system's words without its number, in lower case: `no such file or directory`.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |c| c.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graver_end_wins_but_a_limit_hides_no_refutation() {
        assert_eq!(Exit::Done.and(Exit::Limit), Exit::Limit);
        assert_eq!(Exit::No.and(Exit::Limit), Exit::No);
        assert_eq!(Exit::Limit.and(Exit::No), Exit::No);
        assert_eq!(Exit::Limit.and(Exit::Interrupted), Exit::Interrupted);
    }

    #[test]
    fn reasons_read_as_part_of_a_sentence() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(reason(&error), "no such file or directory");
    }
}
