//! A published folder, as it is and with one thing changed.
//!
//! `published/` is what `explore -o` wrote for frogs and toads, n = 1 and 2.

use std::fs;
use std::path::{Path, PathBuf};

use impasse_verify::{CheckError, Checked, Extent, check_table};

/// `run.json`, then the tables.
const FILES: [&str; 11] = [
    "run.json",
    "summary.csv",
    "depths.csv",
    "n=1/states.csv",
    "n=1/transitions.csv",
    "n=1/dead-ends.csv",
    "n=1/blocking-moves.csv",
    "n=2/states.csv",
    "n=2/transitions.csv",
    "n=2/dead-ends.csv",
    "n=2/blocking-moves.csv",
];

/// A copy of the folder that is gone when the test ends.
struct Copy(PathBuf);

impl Copy {
    fn new(name: &str) -> Self {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&dir);
        for value in ["n=1", "n=2"] {
            fs::create_dir_all(dir.join(value)).expect("a folder");
        }
        let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/published");
        for file in FILES {
            fs::copy(published.join(file), dir.join(file)).expect(file);
        }
        Self(dir)
    }

    fn change(&self, file: &str, change: impl FnOnce(String) -> String) {
        let path = self.0.join(file);
        let text = fs::read_to_string(&path).expect(file);
        let changed = change(text.clone());
        assert_ne!(text, changed, "{file} has not changed");
        fs::write(path, changed).expect(file);
    }

    /// The result, with paths as seen from the folder.
    fn check(&self) -> Result<Checked, (bool, String)> {
        check_table(&self.0).map_err(|error| {
            let prefix = format!("{}/", self.0.display());
            (error.is_wrong(), error.to_string().replace(&prefix, ""))
        })
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Changes one text of a file; the folder must be readable and wrong, for this reason.
fn wrong(file: &str, from: &str, to: &str, reason: &str) {
    let copy = Copy::new(&format!(
        "wrong-{}-{}",
        file.replace('/', "-"),
        reason.len()
    ));
    copy.change(file, |text| text.replacen(from, to, 1));
    assert_eq!(
        copy.check(),
        Err((true, reason.to_owned())),
        "{file}: {from} -> {to}"
    );
}

/// Changes a file as a whole; the folder must be unusable, for a reason that begins so.
fn unusable(file: &str, change: impl FnOnce(String) -> String, reason: &str) {
    let copy = Copy::new(&format!(
        "unusable-{}-{}",
        file.replace('/', "-"),
        reason.len()
    ));
    copy.change(file, change);
    let (is_wrong, found) = copy.check().expect_err("something was changed");
    assert!(
        !is_wrong && found.starts_with(reason),
        "{found}\nexpected {reason}"
    );
}

#[test]
fn what_was_published_is_right() {
    let checked = Copy::new("right").check().expect("nothing is wrong");
    let listed: Vec<_> = checked
        .values
        .iter()
        .map(|v| (v.folder.as_str(), v.extent))
        .collect();
    let extent = |states, transitions| Extent::Listed {
        states,
        transitions,
    };
    assert_eq!(checked.puzzle, "frogs");
    assert_eq!(listed, [("n=1", extent(6, 6)), ("n=2", extent(23, 26))]);
}

#[test]
fn wrong_states_are_found() {
    let check = |from, to, reason| wrong("n=2/states.csv", from, to, reason);
    check(
        "0,FF.TT,0,8",
        "0,FF.TT,0,10",
        "n=2/states.csv, row 1: remoteness is 10, expected 8",
    );
    check(
        "22,TT.FF,8,0",
        "22,TT.FF,8,1",
        "n=2/states.csv, row 23: remoteness is 1, expected 0",
    );
    check(
        "3,.FFTT,2,,dead end",
        "3,.FFTT,2,9,dead end",
        "n=2/states.csv, row 4: remoteness is 9, expected none",
    );
    check(
        ",doomed,2,",
        ",dead end,2,",
        "n=2/states.csv, row 9: verdict is `dead end`, expected doomed",
    );
    check(
        "1,F.FTT,1",
        "1,F.FTT,0",
        "n=2/states.csv, row 2: depth is 0, expected 1",
    );
    check(
        "5,FFTT.",
        "5,FF TT.",
        "n=2/states.csv, row 6: state is `FF TT.`, expected FFTT.",
    );
    check(
        "5,FFTT.",
        "5,FFTTT",
        "n=2/states.csv, row 6: state is FFTTT, expected FFTT.",
    );
    check(
        "0,FF.TT",
        "0,FFF.T",
        "n=2/states.csv, row 1: state is FFF.T, expected FF.TT",
    );
    check(
        "5,FFTT.",
        "5,FFXT.",
        "n=2/states.csv, row 6: state `FFXT.` is no position of this board",
    );
    check(
        "5,FFTT.",
        "5,.FFTT",
        "n=2/states.csv, row 6: state `.FFTT` comes twice, in row 4 too",
    );
    check(
        "1,F.FTT,1,7,live,2,6\n2,FFT.T,1,7,live,2,4\n",
        "1,FFT.T,1,7,live,2,4\n2,F.FTT,1,7,live,2,6\n",
        "n=2/states.csv, row 3: rows are not in the order of depth, then of the board",
    );
    check(
        "6,FTF.T,2,6,live,2,9\n",
        "",
        "n=2/states.csv, row 7: id is 7, expected 6",
    );
    check(
        "22,TT.FF,8,0,live,0,\n",
        "22,TT.FF,8,0,live,0,\n23,FFFFF,9,,dead end,0,\n",
        "n=2/states.csv, row 24: state `FFFFF` cannot be reached from a start",
    );
}

#[test]
fn wrong_moves_are_found() {
    let check = |from, to, reason| wrong("n=2/transitions.csv", from, to, reason);
    check(
        "2,5,step",
        "2,6,step",
        "n=2/transitions.csv, row 6: to is 6, expected 5",
    );
    check(
        "2,5,step 5 4",
        "2,5,step 5 3",
        "n=2/transitions.csv, row 6: move is `step 5 3`, expected `step 5 4`",
    );
    check(
        "2,5,step 5 4",
        "2,5,step 4 5",
        "n=2/transitions.csv, row 6: move is `step 4 5`, expected `step 5 4`",
    );
    check(
        "0,1,step",
        "0,0,step 1 2,0\n0,1,step",
        "n=2/transitions.csv, row 1: to is 0, expected 1",
    );
}

#[test]
fn a_wrong_rule_text_is_found() {
    wrong(
        "run.json",
        "move jump: F T .",
        "move jump: F F .",
        "run.json: the rule text is not the one that was run: its checksum differs",
    );
}

/// Every cell of every file in turn gets something that is not so; the file, the row, the column,
/// and what was expected are named.
#[test]
fn each_column_corrupted_in_turn() {
    let copy = Copy::new("each-column");
    let mut tried = 0;
    for file in FILES.into_iter().skip(1) {
        let text = fs::read_to_string(copy.0.join(file)).expect(file);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        for (row, cells) in lines.iter().enumerate().skip(1) {
            for (column, cell) in cells.iter().enumerate() {
                for corrupted in corruptions(cell) {
                    let mut changed = lines.clone();
                    changed[row][column] = &corrupted;
                    let rows: Vec<String> = changed.iter().map(|cells| cells.join(",")).collect();
                    fs::write(copy.0.join(file), rows.join("\n") + "\n").expect(file);
                    let found = check_table(&copy.0);
                    let at = format!("{file}, row {row}, {}: {corrupted}", lines[0][column]);
                    let Err(CheckError::Wrong {
                        path,
                        row: found_row,
                        cell: found,
                        what,
                    }) = found
                    else {
                        panic!("{at}: {found:?}")
                    };
                    assert!(path.ends_with(file), "{at}: {path}: {what}");
                    assert_eq!(found_row, Some(row as u64), "{at}: {what}");
                    // A state that is none, or stands elsewhere too, is no wrong cell beside a right one.
                    if let Some(found) = found {
                        assert_eq!(found.column, lines[0][column], "{at}: {what}");
                        assert_eq!(
                            (found.found, found.expected.as_str()),
                            (corrupted, *cell),
                            "{at}"
                        );
                    } else {
                        assert!(lines[0][column] == "state", "{at}: {what}");
                    }
                    tried += 1;
                }
            }
        }
        fs::write(copy.0.join(file), text).expect(file);
    }
    assert!(tried > 1500, "{tried} corruptions");
    copy.check().expect("all is as it was");
}

/// A number that is one more, nothing, a word, and a word with a letter exchanged.
fn corruptions(cell: &str) -> Vec<String> {
    let number = cell.parse::<u64>().map(|number| (number + 1).to_string());
    let all = [
        number.unwrap_or_else(|_| format!("{cell}1")),
        String::new(),
        "x".to_owned(),
        cell.replacen('F', "T", 1),
        cell.replacen("step", "jump", 1),
        cell.replacen("true", "false", 1),
    ];
    all.into_iter()
        .filter(|corrupted| corrupted != cell)
        .collect()
}

#[test]
fn every_file_cut_off_anywhere_is_unusable() {
    let copy = Copy::new("cut-off");
    for file in FILES {
        let text = fs::read_to_string(copy.0.join(file)).expect(file);
        let bytes = text.as_bytes();
        for end in (0..bytes.len()).filter(|&end| end % 37 == 0 || bytes[..end].ends_with(b"\n")) {
            fs::write(copy.0.join(file), &bytes[..end]).expect(file);
            let found = check_table(&copy.0);
            let is_unusable = matches!(&found, Err(error) if !error.is_wrong());
            assert!(is_unusable, "{file} up to {end}: {found:?}");
        }
        fs::write(copy.0.join(file), text).expect(file);
    }
}

#[test]
fn foreign_and_newer_files_are_unusable() {
    for file in FILES.into_iter().skip(1) {
        unusable(
            file,
            |_| "a,b\n1,2\n".to_owned(),
            &format!("{file}: its columns are a,b"),
        );
        let newer = |text: String| text.replace('\n', ",0\n").replacen(",0\n", ",new\n", 1);
        unusable(file, newer, &format!("{file}: its columns are "));
        let copy = Copy::new(&format!("bytes-{}", file.replace('/', "-")));
        fs::write(copy.0.join(file), [0x89, b'P', b'N', b'G', 0xff, b'\n']).expect(file);
        let (is_wrong, reason) = copy.check().expect_err("no table");
        assert!(!is_wrong && reason.starts_with(file), "{reason}");
    }
}

#[test]
fn damaged_folders_are_unusable() {
    let half = |text: String| text[..text.len() / 2].to_owned();
    unusable("run.json", half, "run.json: is cut off");
    unusable(
        "run.json",
        |_| "[1]\n".to_owned(),
        "run.json: is not the report of an `explore -o`",
    );
    unusable(
        "run.json",
        |t| t.replace("impasse.run/1", "impasse.run/9"),
        "run.json: is written as `impasse.run/9`",
    );
    unusable(
        "run.json",
        |t| t.replace("\"n=2\"", "\"../n=2\""),
        "run.json: lacks rules, values",
    );
    unusable("n=2/states.csv", half, "n=2/states.csv: is cut off");
    unusable(
        "n=2/states.csv",
        |_| String::new(),
        "n=2/states.csv: is cut off",
    );
    unusable(
        "n=2/states.csv",
        |t| t.replace("id,", "no,"),
        "n=2/states.csv: its columns are no,state",
    );
    unusable(
        "n=2/states.csv",
        |t| t.replace("live,2,6", "live,2"),
        "n=2/states.csv: row 2 is damaged",
    );
    unusable(
        "run.json",
        |t| t.replace("\"complete\": true", "\"complete\": 1"),
        "run.json: lacks rules, values",
    );
    let last_row_gone = |t: String| t[..=t.trim_end().rfind('\n').expect("rows")].to_owned();
    unusable(
        "n=2/states.csv",
        last_row_gone,
        "n=2/states.csv: is cut off",
    );
    unusable(
        "n=2/transitions.csv",
        last_row_gone,
        "n=2/transitions.csv: is cut off",
    );
}

#[test]
fn what_is_missing_is_named() {
    let copy = Copy::new("missing");
    fs::remove_file(copy.0.join("n=2/dead-ends.csv")).expect("there");
    let (is_wrong, reason) = copy.check().expect_err("a file is missing");
    assert!(
        !is_wrong && reason.starts_with("n=2/dead-ends.csv: cannot be read"),
        "{reason}"
    );
    let error = check_table(Path::new("nowhere")).expect_err("no folder");
    assert!(matches!(error, CheckError::Unusable { .. }));
}
