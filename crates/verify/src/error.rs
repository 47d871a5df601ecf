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
        /// The cell of the row, where one cell is wrong.
        cell: Option<WrongCell>,
        /// What it says, and what is so.
        what: String,
    },
}

/// A cell that says something that is not so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongCell {
    /// The name of its column.
    pub column: String,
    /// What it says; empty for nothing.
    pub found: String,
    /// What is so; empty for nothing.
    pub expected: String,
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
            cell: None,
            what: what.into(),
        }
    }

    /// One cell is wrong: `remoteness is 10, expected 8`.
    pub(crate) fn wrong_cell(
        path: impl Into<String>,
        row: u64,
        column: &str,
        found: &str,
        expected: &str,
    ) -> Self {
        let or_none = |text: &str| match text {
            "" => "none".to_owned(),
            text if text.contains(' ') => format!("`{text}`"),
            text => text.to_owned(),
        };
        Self::Wrong {
            path: path.into(),
            row: Some(row),
            what: format!(
                "{column} is {}, expected {}",
                or_none(found),
                or_none(expected)
            ),
            cell: Some(WrongCell {
                column: column.to_owned(),
                found: found.to_owned(),
                expected: expected.to_owned(),
            }),
        }
    }
}
