//! What can be wrong with a published folder.

/// Why a folder did not pass.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// It cannot be read, is cut off, comes from another program, or from a newer version.
    #[error("{path}: {reason}")]
    Unusable {
        /// The file or folder.
        path: String,
        /// What is the matter.
        reason: String,
    },
    /// It can be read, and says something that is not so.
    #[error("{path}{}: {what}", row.map_or_else(String::new, |row| format!(", row {row}")))]
    Wrong {
        /// The file.
        path: String,
        /// The row, from 1, not counting the head.
        row: Option<u64>,
        /// What it says, and what is so.
        what: String,
    },
}

impl CheckError {
    /// Whether the folder is readable and wrong (exit code 1), not unusable (exit code 4).
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        matches!(self, Self::Wrong { .. })
    }

    pub(crate) fn unusable(path: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Unusable {
            path: path.into(),
            reason: reason.into(),
        }
    }

    pub(crate) fn wrong(
        path: impl Into<String>,
        row: Option<u64>,
        what: impl Into<String>,
    ) -> Self {
        Self::Wrong {
            path: path.into(),
            row,
            what: what.into(),
        }
    }
}
