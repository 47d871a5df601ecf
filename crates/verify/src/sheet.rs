//! CSV files, read row by row.

use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use csv::StringRecord;

use crate::error::CheckError;
use crate::published::FileNote;

/// A CSV file that is being read.
pub(crate) struct Sheet {
    pub(crate) path: String,
    columns: Vec<String>,
    reader: csv::Reader<BufReader<File>>,
    record: StringRecord,
    row: u64,
    bytes: u64,
    noted_bytes: Option<u64>,
}

impl Sheet {
    /// Opens a file and reads its head.
    pub(crate) fn open(path: &Path) -> Result<Self, CheckError> {
        let shown = path.display().to_string();
        let unreadable = |reason: String| CheckError::unusable(&shown, reason);
        let mut file = File::open(path).map_err(|e| unreadable(format!("cannot be read: {e}")))?;
        let bytes = file
            .metadata()
            .map_err(|e| unreadable(e.to_string()))?
            .len();
        if !ends_with_newline(&mut file).map_err(|e| unreadable(e.to_string()))? {
            return Err(unreadable(
                "is cut off: it does not end with a newline".to_owned(),
            ));
        }
        let mut reader = csv::Reader::from_reader(BufReader::new(file));
        let head = reader.headers().map_err(|e| unreadable(e.to_string()))?;
        let columns = head.iter().map(str::to_owned).collect();
        let (record, noted_bytes) = (StringRecord::new(), None);
        Ok(Self {
            path: shown,
            columns,
            reader,
            record,
            row: 0,
            bytes,
            noted_bytes,
        })
    }

    /// Opens a file that `run.json` notes and that must have these columns.
    pub(crate) fn noted(
        folder: &Path,
        files: &[FileNote],
        name: &str,
        columns: &[&str],
    ) -> Result<Self, CheckError> {
        let sheet = Self::open(&folder.join(name))?;
        sheet.require(columns)?;
        let noted_bytes = files
            .iter()
            .find(|file| file.name == name)
            .map(|file| file.bytes);
        Ok(Self {
            noted_bytes,
            ..sheet
        })
    }

    /// The file ends where more was expected: it is cut off, unless it is as long as ever.
    pub(crate) fn ends_early(&self, what: &str) -> CheckError {
        self.shortfall()
            .unwrap_or_else(|| CheckError::wrong(&self.path, None, what))
    }

    /// What to say of a file that lacks rows and is shorter than noted.
    pub(crate) fn shortfall(&self) -> Option<CheckError> {
        let noted = self.noted_bytes.filter(|&noted| self.bytes < noted)?;
        let bytes = self.bytes;
        Some(self.unusable(format!("is cut off: {bytes} of {noted} bytes are left")))
    }

    /// Fails unless the columns are these.
    pub(crate) fn require(&self, columns: &[&str]) -> Result<(), CheckError> {
        if self.columns == columns {
            return Ok(());
        }
        let (found, expected) = (self.columns.join(","), columns.join(","));
        Err(self.unusable(format!(
            "its columns are {found}, but this version writes {expected}"
        )))
    }

    /// Goes to the next row; false at the end.
    pub(crate) fn next(&mut self) -> Result<bool, CheckError> {
        self.row += 1;
        self.reader.read_record(&mut self.record).map_err(|error| {
            let reason = format!("row {} is damaged: {error}", self.row);
            CheckError::unusable(&self.path, reason)
        })
    }

    /// A cell of the row, by the number of its column.
    pub(crate) fn text(&self, column: usize) -> &str {
        &self.record[column]
    }

    /// All cells of the row.
    pub(crate) fn cells(&self) -> Vec<String> {
        self.record.iter().map(str::to_owned).collect()
    }

    /// Goes to the next row, which must be there; `what` it holds.
    pub(crate) fn expect_row(&mut self, what: &str) -> Result<(), CheckError> {
        if self.next()? {
            return Ok(());
        }
        Err(self.ends_early(&format!("{what} is missing at the end")))
    }

    /// Fails unless this was the last row; `what` a row holds.
    pub(crate) fn expect_end(&mut self, what: &str) -> Result<(), CheckError> {
        if self.next()? {
            Err(self.wrong(format!("there is no such {what}")))
        } else {
            Ok(())
        }
    }

    /// Fails unless a cell says this.
    pub(crate) fn expect(&self, column: usize, expected: &str) -> Result<(), CheckError> {
        if self.text(column) == expected {
            Ok(())
        } else {
            Err(self.wrong_cell(column, expected))
        }
    }

    /// A cell says something that is not so.
    pub(crate) fn wrong_cell(&self, column: usize, expected: &str) -> CheckError {
        let (name, found) = (&self.columns[column], self.text(column));
        CheckError::wrong_cell(&self.path, self.row, name, found, expected)
    }

    /// The row says something that is not so.
    pub(crate) fn wrong(&self, what: impl Into<String>) -> CheckError {
        CheckError::wrong(&self.path, Some(self.row), what)
    }

    fn unusable(&self, reason: impl Into<String>) -> CheckError {
        CheckError::unusable(&self.path, reason)
    }
}

fn ends_with_newline(file: &mut File) -> std::io::Result<bool> {
    let length = file.metadata()?.len();
    if length == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(length - 1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    file.rewind()?;
    Ok(last == *b"\n")
}
