//! `run.json`: what a report folder says of itself.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::error::CheckError;

/// The schema this version reads.
const SCHEMA: &str = "impasse.run/1";

/// What `run.json` says.
pub(crate) struct Published {
    /// The rule file's stem.
    pub(crate) puzzle: String,
    /// The text of the rule file.
    pub(crate) rules: String,
    /// The drawing given with `--start`.
    pub(crate) start: Option<String>,
    /// Whether only depths were asked for.
    pub(crate) only_depths: bool,
    /// The files at the top.
    pub(crate) files: Vec<FileNote>,
    pub(crate) values: Vec<ValueNote>,
}

/// A file, as it was when it was written.
pub(crate) struct FileNote {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) checksum: String,
}

/// One parameter value.
pub(crate) struct ValueNote {
    pub(crate) folder: String,
    /// All parameters, as CSV files and `-p` write them.
    pub(crate) params: Vec<(String, String)>,
    pub(crate) scope: String,
    /// Whether the whole space was searched.
    pub(crate) is_complete: bool,
    /// Keys that the run left open, with a reason.
    pub(crate) absent: Vec<String>,
    pub(crate) files: Vec<FileNote>,
}

impl Published {
    /// Reads the `run.json` of a folder.
    pub(crate) fn read(dir: &Path) -> Result<Self, CheckError> {
        let path = dir.join("run.json");
        let shown = path.display().to_string();
        let text = fs::read_to_string(&path)
            .map_err(|e| CheckError::unusable(&shown, format!("cannot be read: {e}")))?;
        let run: Value = serde_json::from_str(&text).map_err(|e| {
            let what = if e.is_eof() {
                "is cut off"
            } else {
                "is no JSON"
            };
            CheckError::unusable(&shown, format!("{what}: {e}"))
        })?;
        check_schema(&run, &shown)?;
        let rules = text_of(&run, "rules");
        if let (Some(rules), Some(sum)) = (&rules, text_of(&run, "rules_checksum"))
            && sum != checksum(rules.as_bytes())
        {
            let what = "the rule text is not the one that was run: its checksum differs";
            return Err(CheckError::wrong(shown, None, what));
        }
        published(&run, rules)
            .ok_or_else(|| CheckError::unusable(shown, "lacks rules, values, or their files"))
    }
}

fn check_schema(run: &Value, shown: &str) -> Result<(), CheckError> {
    let schema = text_of(run, "schema").unwrap_or_default();
    if schema == SCHEMA {
        return Ok(());
    }
    Err(CheckError::unusable(
        shown,
        if schema.starts_with("impasse.run/") {
            format!("is written as `{schema}`; this version reads `{SCHEMA}`")
        } else {
            "is not the report of an `explore -o`: it lacks our schema".to_owned()
        },
    ))
}

fn published(run: &Value, rules: Option<String>) -> Option<Published> {
    let published = Published {
        puzzle: text_of(run, "puzzle")?,
        rules: rules?,
        start: text_of(run, "start"),
        only_depths: text_of(run, "only").is_some_and(|only| only == "depths"),
        files: files(run)?,
        values: run["values"]
            .as_array()?
            .iter()
            .map(value_note)
            .collect::<Option<_>>()?,
    };
    (!published.values.is_empty()).then_some(published)
}

fn value_note(value: &Value) -> Option<ValueNote> {
    let params = value["params"].as_object()?.iter();
    let folder = text_of(value, "folder")?;
    // Never a path that leads out of the folder.
    let is_plain = !folder.is_empty() && folder != ".." && !folder.contains(['/', '\\']);
    is_plain.then_some(())?;
    Some(ValueNote {
        folder,
        params: params
            .map(|(k, v)| Some((k.clone(), param_text(v)?)))
            .collect::<Option<_>>()?,
        scope: text_of(value, "scope")?,
        is_complete: value["outcome"]["complete"].as_bool()?,
        absent: value["absent"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(k, _)| k.clone())
            .collect(),
        files: files(value)?,
    })
}

fn param_text(value: &Value) -> Option<String> {
    match value {
        Value::String(choice) => Some(choice.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(list) => {
            let numbers: Option<Vec<String>> = list
                .iter()
                .map(|v| v.as_i64().map(|n| n.to_string()))
                .collect();
            Some(numbers?.join(" "))
        }
        _ => None,
    }
}

fn files(value: &Value) -> Option<Vec<FileNote>> {
    let note = |file: &Value| {
        let (name, checksum) = (text_of(file, "name")?, text_of(file, "checksum")?);
        Some(FileNote {
            name,
            bytes: file["bytes"].as_u64()?,
            checksum,
        })
    };
    value["files"].as_array()?.iter().map(note).collect()
}

fn text_of(value: &Value, key: &str) -> Option<String> {
    value[key].as_str().map(str::to_owned)
}

/// The checksum of a file's bytes: FNV-1a, 64 bits.
///
/// Published with the format, so it is computed here a second time.
///
/// # Source
/// G. Fowler, L. C. Noll, P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash Algorithm",
/// draft-eastlake-fnv.
pub(crate) fn checksum(bytes: &[u8]) -> String {
    let mut hash: u64 = 14_695_981_039_346_656_037;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211);
    }
    format!("fnv1a64:{hash:016x}")
}

impl FileNote {
    /// Fails if the file has changed since it was written.
    ///
    /// Asked last, when nothing else was found wrong with it.
    pub(crate) fn check(&self, folder: &Path) -> Result<(), CheckError> {
        let path = folder.join(&self.name);
        let shown = path.display().to_string();
        let bytes = fs::read(&path)
            .map_err(|e| CheckError::unusable(&shown, format!("cannot be read: {e}")))?;
        if bytes.len() as u64 == self.bytes && checksum(&bytes) == self.checksum {
            return Ok(());
        }
        if (bytes.len() as u64) < self.bytes && !bytes.ends_with(b"\n") {
            let reason = format!(
                "is cut off: {} of {} bytes are left",
                bytes.len(),
                self.bytes
            );
            return Err(CheckError::unusable(shown, reason));
        }
        let what = format!(
            "its checksum is {}, but run.json says {}: it was changed after it was written",
            checksum(&bytes),
            self.checksum
        );
        Err(CheckError::wrong(shown, None, what))
    }
}
