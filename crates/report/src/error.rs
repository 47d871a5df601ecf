//! What can go wrong when bytes are written.

use std::io;
use std::path::{Path, PathBuf};

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The output refused bytes.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// A file of the report folder could not be written.
    #[error("{}: cannot be written: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A format that cannot hold this state graph.
    #[error("format `{format}` cannot hold this state graph: {reason}; take `{instead}`")]
    Format {
        /// The format.
        format: &'static str,
        /// What does not fit.
        reason: &'static str,
        /// A format that can.
        instead: &'static str,
    },
}

impl Error {
    /// Whether the reader of a pipe went away, which ends a command quietly.
    #[must_use]
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Puts the file's name to a failed write.
    pub(crate) fn at(self, path: &Path) -> Self {
        match self {
            Self::Output(source) => Self::File {
                path: path.to_owned(),
                source,
            },
            other => other,
        }
    }
}

impl From<csv::Error> for Error {
    fn from(error: csv::Error) -> Self {
        Self::Output(error.into())
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}
