//! The folder of `explore --run`: what it takes to go on with a run that was broken off.
//!
//! `run.json` says what was asked, rule text and all; every other file is a part of the
//! search: a head that names format, run and part, the bytes, and their checksum. Files are written
//! beside their place and renamed, so that a part is there whole or not at all. Of a run over several
//! parameter values each has a folder of its own within. Nothing is written before there is something
//! to keep: a run that is refused leaves no folder behind.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crc32fast::Hasher;
use impasse_graph::keep::Keeper;
use serde_json::{Value, json};

use crate::exit::Failure;

/// What `run.json` is called by its own words.
const SCHEMA: &str = "impasse.checkpoint/1";
/// The first bytes of every part.
const MAGIC: &[u8; 16] = b"impasse-part/1\n\0";

/// How the names of files begin that are not whole yet.
const UNFINISHED: &str = ".part-";

/// A folder that keeps a run, or that of one of its parameter values.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    folder: PathBuf,
    /// The folder of the value, where there are several.
    value: Option<String>,
    /// The checksum of what was asked, and of the value: parts of another run are refused.
    run: u32,
    /// `run.json`, which is not written yet.
    unwritten: Arc<Unwritten>,
}

#[derive(Debug, Default)]
struct Unwritten {
    text: String,
    waits: AtomicBool,
}

/// What a run was asked for.
pub(crate) struct Asked {
    /// The arguments, from the command on, without `--run`.
    pub(crate) arguments: Vec<String>,
    /// The stem of the rule file.
    pub(crate) stem: String,
    /// Its text.
    pub(crate) rules: String,
    /// The folder that relative paths begin at; `None` if its name is no text.
    pub(crate) directory: Option<String>,
}

impl Asked {
    /// What this process was asked for.
    pub(crate) fn here(stem: String, rules: String) -> Self {
        let directory = std::env::current_dir().ok();
        Self {
            arguments: own_arguments(),
            stem,
            rules,
            directory: directory.and_then(|place| place.to_str().map(str::to_owned)),
        }
    }

    fn object(&self) -> Value {
        json!({
            "schema": SCHEMA,
            "version": env!("CARGO_PKG_VERSION"),
            "arguments": self.arguments,
            "directory": self.directory,
            "puzzle": self.stem,
            "rules": self.rules,
            "checksum": self.checksum(),
        })
    }

    fn checksum(&self) -> u32 {
        let all = json!([self.arguments, self.stem, self.rules, self.directory]);
        crc32fast::hash(all.to_string().as_bytes())
    }

    /// The number of the run. Limits and threads may differ: a run that a limit stopped goes on with
    /// a larger one. So may the place it is begun from.
    fn number(&self) -> u32 {
        let arguments = without(&self.arguments, &LIMITS);
        let all = json!([arguments, self.stem, self.rules]);
        crc32fast::hash(all.to_string().as_bytes())
    }
}

impl Checkpoint {
    /// Begins a folder for a run; it is made when there is something to keep. One that holds the same
    /// run already goes on; any other folder that is not empty is refused.
    ///
    /// # Errors
    /// A folder that is something else, and those of the file system.
    pub(crate) fn begin(folder: &Path, asked: &Asked) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::file("write", folder, &error);
        let this = Self {
            folder: folder.to_owned(),
            value: None,
            run: asked.number(),
            unwritten: Arc::new(Unwritten {
                text: format!("{:#}\n", asked.object()),
                waits: AtomicBool::new(true),
            }),
        };
        if folder.join("run.json").exists() {
            let (_, there) = Self::open(folder)?;
            if there.number() != asked.number() {
                return Err(
                    Failure::io(format!("`{}` keeps another run", folder.display())).help(format!(
                        "`impasse resume {}` goes on with it; choose another folder for this one",
                        folder.display()
                    )),
                );
            }
            this.sweep();
            this.ensure().map_err(failed)?;
            return Ok(this);
        }
        // What a killed process left of its first file is nothing.
        this.sweep();
        let is_free = match fs::read_dir(folder) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(failed(error)),
        };
        if !is_free {
            return Err(Failure::io(format!(
                "`{}` is not empty and keeps no run",
                folder.display()
            ))
            .help("choose a folder that is empty or does not exist"));
        }
        Ok(this)
    }

    /// The same for one of several parameter values, whose name serves as that of a folder.
    pub(crate) fn of_value(&self, name: &str) -> Self {
        let mut number = Hasher::new_with_initial(self.run);
        number.update(name.as_bytes());
        Self {
            value: Some(name.to_owned()),
            run: number.finalize(),
            ..self.clone()
        }
    }

    /// Makes the folder and writes what was asked, if that was not done.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn ensure(&self) -> io::Result<()> {
        if self.unwritten.waits.load(Ordering::Relaxed) {
            made(&self.folder)?;
            whole(&self.folder, "run.json", &mut |out| {
                out.write_all(self.unwritten.text.as_bytes())
            })?;
            self.unwritten.waits.store(false, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The folder, for messages.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Opens a folder that keeps a run.
    ///
    /// # Errors
    /// A folder that keeps none, or one of a newer format, and those of the file system.
    pub(crate) fn open(folder: &Path) -> Result<(Self, Asked), Failure> {
        let place = folder.join("run.json");
        let text = fs::read_to_string(&place).map_err(|e| Failure::file("read", &place, &e))?;
        let foreign = |why: &str| {
            Failure::io(format!("`{}` keeps no run: {why}", folder.display()))
                .help("give the folder that was given to `explore --run`")
        };
        let object: Value =
            serde_json::from_str(&text).map_err(|_| foreign("`run.json` is damaged"))?;
        match object["schema"].as_str() {
            Some(SCHEMA) => {}
            Some(other) if other.starts_with("impasse.checkpoint/") => {
                return Err(foreign(&format!(
                    "its format `{other}` is newer than this program"
                )));
            }
            _ => return Err(foreign("its `run.json` is something else")),
        }
        let version = object["version"].as_str().unwrap_or_default();
        if version != env!("CARGO_PKG_VERSION") {
            return Err(foreign(&format!(
                "it was begun by version {version} of this program"
            )));
        }
        let text = |key: &str| object[key].as_str().map(str::to_owned);
        let arguments = object["arguments"].as_array().and_then(|list| {
            let words = list.iter().map(|word| word.as_str().map(str::to_owned));
            words.collect::<Option<Vec<String>>>()
        });
        let (Some(arguments), Some(stem), Some(rules)) = (arguments, text("puzzle"), text("rules"))
        else {
            return Err(foreign("`run.json` is damaged"));
        };
        let asked = Asked {
            arguments,
            stem,
            rules,
            directory: object["directory"].as_str().map(str::to_owned),
        };
        if object["checksum"].as_u64() != Some(u64::from(asked.checksum())) {
            return Err(foreign("`run.json` is damaged: its checksum is wrong"));
        }
        let this = Self {
            folder: folder.to_owned(),
            value: None,
            run: asked.number(),
            unwritten: Arc::default(),
        };
        this.sweep();
        Ok((this, asked))
    }

    /// Removes what a killed process was writing.
    fn sweep(&self) {
        sweep(&self.folder, true);
    }

    /// Where the parts are.
    fn parts(&self) -> PathBuf {
        self.value
            .as_ref()
            .map_or_else(|| self.folder.clone(), |name| self.folder.join(name))
    }

    fn place(&self, part: &str) -> PathBuf {
        self.parts().join(format!("{part}.part"))
    }

    fn head(&self, part: &str) -> Vec<u8> {
        let mut head = MAGIC.to_vec();
        head.extend_from_slice(&self.run.to_le_bytes());
        head.extend_from_slice(&crc32fast::hash(part.as_bytes()).to_le_bytes());
        head
    }
}

/// Removes unfinished files of a folder, and of the folders within.
fn sweep(folder: &Path, within: bool) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let is_unfinished = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
        let is_folder = entry.file_type().is_ok_and(|it| it.is_dir());
        if is_folder && within {
            sweep(&entry.path(), false);
        } else if is_unfinished && !is_folder {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes a file beside its place, and renames it.
fn whole(
    folder: &Path,
    name: &str,
    fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut beside = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempfile_in(folder)?;
    let mut out = BufWriter::with_capacity(1 << 20, beside.as_file_mut());
    fill(&mut out)?;
    out.flush()?;
    drop(out);
    beside.as_file().sync_data()?;
    beside.persist(folder.join(name))?;
    Ok(())
}

/// Passes bytes on and sums them up.
struct Summing<'a> {
    out: &'a mut dyn Write,
    sum: Hasher,
    length: u64,
}

impl Write for Summing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.sum.update(&bytes[..written]);
        self.length += written as u64;
        Ok(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Length and checksum behind the bytes of a part.
const TAIL: u64 = 12;

/// Makes a folder; an error names it.
fn made(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder).map_err(|error| {
        let text = format!("{} cannot be made: {error}", folder.display());
        io::Error::new(error.kind(), text)
    })
}

impl Keeper for Checkpoint {
    fn write(
        &self,
        part: &str,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        self.ensure()?;
        let parts = self.parts();
        if self.value.is_some() {
            made(&parts)?;
        }
        whole(&parts, &format!("{part}.part"), &mut |out| {
            out.write_all(&self.head(part))?;
            let mut summing = Summing {
                out,
                sum: Hasher::new(),
                length: 0,
            };
            fill(&mut summing)?;
            let Summing { out, sum, length } = summing;
            out.write_all(&length.to_le_bytes())?;
            out.write_all(&sum.finalize().to_le_bytes())
        })
    }

    fn read(&self, part: &str) -> io::Result<Option<Box<dyn Read>>> {
        let place = self.place(part);
        let file = match File::open(&place) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let damaged = |why: &str| {
            let name = place.file_name().unwrap_or_default().to_string_lossy();
            io::Error::new(io::ErrorKind::InvalidData, format!("`{name}` {why}"))
        };
        let head = self.head(part);
        let total = file.metadata()?.len();
        let Some(length) = total.checked_sub(head.len() as u64 + TAIL) else {
            return Err(damaged("is cut short"));
        };
        // Read through once: nothing of a damaged part is used.
        let mut from = BufReader::with_capacity(1 << 20, file);
        let mut found = vec![0; head.len()];
        from.read_exact(&mut found)?;
        if found != head {
            return Err(damaged("belongs to another run, or is no part of one"));
        }
        let mut sum = Hasher::new();
        let mut left = length;
        let mut buffer = vec![0; 1 << 20];
        while left > 0 {
            let wanted = buffer.len().min(left as usize);
            from.read_exact(&mut buffer[..wanted])?;
            sum.update(&buffer[..wanted]);
            left -= wanted as u64;
        }
        let mut tail = [0; TAIL as usize];
        from.read_exact(&mut tail)?;
        let expected = [&length.to_le_bytes()[..], &sum.finalize().to_le_bytes()].concat();
        if tail[..] != expected[..] {
            return Err(damaged("is damaged: its checksum is wrong"));
        }
        let mut from = BufReader::with_capacity(1 << 20, File::open(&place)?);
        from.read_exact(&mut found)?;
        Ok(Some(Box::new(from.take(length))))
    }

    fn forget(&self, part: &str) -> io::Result<()> {
        match fs::remove_file(self.place(part)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// The arguments of this process from the command on, without `--run` and its value.
fn own_arguments() -> Vec<String> {
    let words = std::env::args_os().skip(1);
    let words: Vec<String> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    without(&words, &["--run"])
}

/// Flags whose values do not make another run of it.
const LIMITS: [&str; 5] = [
    "--max-states",
    "--max-depth",
    "--max-seconds",
    "--memory",
    "--threads",
];

/// Arguments without some flags and their values.
fn without(words: &[String], flags: &[&str]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let flag = word.split('=').next().unwrap_or_default();
        if !flags.contains(&flag) {
            kept.push(word.clone());
        } else if !word.contains('=') {
            words.next();
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(rules: &str) -> Asked {
        Asked {
            arguments: vec!["explore".to_owned(), "x".to_owned()],
            stem: "x".to_owned(),
            rules: rules.to_owned(),
            directory: Some("/somewhere".to_owned()),
        }
    }

    fn read(checkpoint: &Checkpoint, part: &str) -> io::Result<Option<Vec<u8>>> {
        let Some(mut from) = checkpoint.read(part)? else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    #[test]
    fn parts_come_back_or_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("run");
        let checkpoint = Checkpoint::begin(&place, &asked("a")).expect("a new folder");
        assert_eq!(read(&checkpoint, "layer").expect("no part"), None);
        let bytes = vec![7_u8; 3000];
        checkpoint
            .write("layer", &mut |out| out.write_all(&bytes))
            .expect("it is written");
        assert_eq!(read(&checkpoint, "layer").expect("whole"), Some(bytes));
        let file = place.join("layer.part");
        let whole = fs::read(&file).expect("the file");
        for at in [0, 17, 21, 100, whole.len() - 1, whole.len() - 9] {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&file, damaged).expect("written");
            assert!(read(&checkpoint, "layer").is_err(), "byte {at}");
        }
        for length in [0, 10, 24, 30, whole.len() - 1] {
            fs::write(&file, &whole[..length]).expect("written");
            assert!(read(&checkpoint, "layer").is_err(), "{length} bytes");
        }
        fs::write(&file, &whole).expect("written");
        fs::rename(&file, place.join("before.part")).expect("renamed");
        assert!(read(&checkpoint, "before").is_err(), "another part's bytes");
        checkpoint.forget("before").expect("gone");
        checkpoint.forget("before").expect("nothing to forget");
    }

    #[test]
    fn folders_of_other_runs_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("run");
        let new = Checkpoint::begin(&place, &asked("a")).expect("a new folder");
        assert!(!place.exists(), "there is nothing to keep yet");
        let value = new.of_value("n=3");
        assert_eq!(read(&value, "layer").expect("no part"), None);
        value
            .write("layer", &mut |out| out.write_all(b"bytes"))
            .expect("it is written");
        assert_eq!(
            read(&value, "layer").expect("whole"),
            Some(b"bytes".to_vec())
        );
        fs::rename(place.join("n=3"), place.join("n=4")).expect("renamed");
        assert!(
            read(&new.of_value("n=4"), "layer").is_err(),
            "another value's"
        );
        Checkpoint::begin(&place, &asked("a")).expect("the same run");
        assert!(Checkpoint::begin(&place, &asked("b")).is_err());
        let (_, again) = Checkpoint::open(&place).expect("it keeps a run");
        assert_eq!(again.rules, "a");
        fs::write(place.join("run.json"), "{\"schema\":\"impasse.run/1\"}").expect("written");
        assert!(Checkpoint::open(&place).is_err());
        let other = folder.path().join("other");
        fs::create_dir(&other).expect("a folder");
        fs::write(other.join("note.txt"), "mine").expect("written");
        assert!(Checkpoint::begin(&other, &asked("a")).is_err());
    }

    #[test]
    fn arguments_without_the_folder() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            without(&words("explore x --run DIR -p n=3 --run=DIR"), &["--run"]),
            words("explore x -p n=3")
        );
        assert_eq!(
            without(
                &words("explore x --max-depth 3 -p n=3 --memory=1G"),
                &LIMITS
            ),
            words("explore x -p n=3")
        );
    }
}
