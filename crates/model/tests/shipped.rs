//! The shipped rule files can be read.

use std::path::Path;

use impasse_model::fault::line_column;
use impasse_model::parse::parse;

/// All shipped rule files: name and bytes.
fn shipped() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/puzzles");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of puzzles")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "puzzle"))
        .map(|path| {
            let name = path
                .file_stem()
                .expect("a stem")
                .to_string_lossy()
                .into_owned();
            (name, std::fs::read(&path).expect("a readable file"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn every_shipped_file_is_read() {
    let files = shipped();
    assert!(files.len() >= 34, "{} files", files.len());
    for (name, bytes) in files {
        if let Err(faults) = parse(&name, &bytes) {
            for fault in &faults.faults {
                let place = fault.span.map(|s| line_column(&faults.text, s.start));
                eprintln!(
                    "{name}:{place:?} {} {} ({:?})",
                    fault.code.as_str(),
                    fault.message,
                    fault.help
                );
            }
            panic!("{name} has faults");
        }
    }
}
