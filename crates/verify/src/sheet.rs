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
        match self.noted_bytes {
            Some(noted) if self.bytes < noted => self.unusable(format!(
                "is cut off: {} of {noted} bytes are left",
                self.bytes
            )),
            _ => CheckError::wrong(&self.path, None, what),
        }
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

    /// A number, or none if the cell is empty.
    pub(crate) fn optional(&self, column: usize) -> Result<Option<u32>, CheckError> {
        if self.text(column).is_empty() {
            Ok(None)
        } else {
            self.number(column).map(Some)
        }
    }

    /// A number.
    pub(crate) fn number(&self, column: usize) -> Result<u32, CheckError> {
        self.text(column).parse().map_err(|_| {
            let (name, text) = (&self.columns[column], self.text(column));
            self.unusable(format!(
                "row {}: {name} is `{text}`, which is no number",
                self.row
            ))
        })
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
