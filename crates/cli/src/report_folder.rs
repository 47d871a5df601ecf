//! The report folder: written beside its place, then renamed whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use impasse_report::folder::{FolderOptions, FolderWriter};
use tempfile::TempDir;

use crate::exit::Failure;
use crate::interrupt::{self, Unfinished};

/// A report folder in the making. Dropped before [`ReportFolder::put`], it leaves nothing behind.
pub(crate) struct ReportFolder {
    /// What fills it.
    pub(crate) writer: FolderWriter,
    place: PathBuf,
    beside: TempDir,
    _guard: Unfinished,
}

impl ReportFolder {
    /// Begins a folder that will stand at `place`.
    ///
    /// # Errors
    /// Where something stands there that is no report of ours, or nothing can be written.
    pub(crate) fn begin(place: &Path, options: FolderOptions) -> Result<Self, Failure> {
        let place = check_place(place)?;
        let parent = place
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new(".")).to_owned();
        fs::create_dir_all(&parent).map_err(|error| Failure::file("write", &place, &error))?;
        let beside = temporary(&parent).map_err(|error| Failure::file("write", &place, &error))?;
        let guard = interrupt::unfinished(beside.path());
        let writer = FolderWriter::new(beside.path(), options);
        Ok(Self {
            writer,
            place,
            beside,
            _guard: guard,
        })
    }

    /// Ends the folder and puts it in its place, instead of an older report.
    ///
    /// # Errors
    /// Where that cannot be done; an older report then stands as it was.
    pub(crate) fn put(self) -> Result<(), Failure> {
        self.writer.finish()?;
        let place = &self.place;
        let failed = |error: io::Error| Failure::file("write", place, &error);
        let check_again = check_place(place)?;
        if check_again.exists() {
            let parent = self.beside.path().parent().unwrap_or(Path::new("."));
            let old = temporary(parent).map_err(failed)?;
            let moved = old.path().join("old");
            fs::rename(place, &moved).map_err(failed)?;
            if let Err(error) = fs::rename(self.beside.path(), place) {
                let _ = fs::rename(&moved, place);
                return Err(failed(error));
            }
        } else {
            fs::rename(self.beside.path(), place).map_err(failed)?;
        }
        // The folder has left its temporary name; there is nothing to remove.
        let _ = self.beside.keep();
        Ok(())
    }
}

/// The true place, if it is free or holds a report of ours.
fn check_place(place: &Path) -> Result<PathBuf, Failure> {
    if fs::symlink_metadata(place).is_err() {
        return Ok(place.to_owned());
    }
    let place = fs::canonicalize(place).map_err(|error| Failure::file("write", place, &error))?;
    if is_report(&place) {
        return Ok(place);
    }
    Err(Failure::io(format!(
        "`{}` exists and is no report of impasse",
        place.display()
    ))
    .help("choose another place with -o, or remove it; nothing was changed"))
}

/// Whether a folder has a `run.json` of ours.
fn is_report(folder: &Path) -> bool {
    fs::read(folder.join("run.json"))
        .ok()
        .and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok())
        .and_then(|run| Some(run.get("schema")?.as_str()?.starts_with("impasse.run/")))
        .unwrap_or(false)
}

fn temporary(parent: &Path) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".impasse-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    builder.tempdir_in(parent)
}
