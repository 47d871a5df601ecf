//! Ctrl-C: the first asks the run to end at once and say what is sure, the second ends the program.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::Exit;

static ASKED: AtomicBool = AtomicBool::new(false);
/// Unfinished files and folders, removed if the program is ended from here.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Listens for Ctrl-C (and the polite signals to end).
pub(crate) fn listen() {
    // Without a listener Ctrl-C ends the program by itself, which is good enough.
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::SeqCst) {
            remove_unfinished();
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
    });
}

/// Whether the user asked to end.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Remembers that `path` is unfinished until the guard is dropped.
pub(crate) fn unfinished(path: &Path) -> Unfinished {
    if let Ok(mut paths) = UNFINISHED.lock() {
        paths.push(path.to_owned());
    }
    Unfinished(path.to_owned())
}

/// See [`unfinished`].
pub(crate) struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Ok(mut paths) = UNFINISHED.lock() {
            paths.retain(|path| *path != self.0);
        }
    }
}

fn remove_unfinished() {
    let Ok(paths) = UNFINISHED.try_lock() else {
        return;
    };
    for path in paths.iter() {
        let _ = if path.is_dir() {
            std::fs::remove_dir_all(path)
        } else {
            std::fs::remove_file(path)
        };
    }
}
