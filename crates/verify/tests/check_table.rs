//! A published folder, as it is and with one thing changed.
//!
//! `published/` is what `explore -o` wrote for frogs and toads, n = 1 and 2.

use std::fs;
use std::path::{Path, PathBuf};

use impasse_verify::{CheckError, Checked, check_table};

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
        .map(|v| (v.folder.as_str(), v.listed))
        .collect();
    assert_eq!(checked.puzzle, "frogs");
    assert_eq!(listed, [("n=1", Some((6, 6))), ("n=2", Some((23, 26)))]);
}

#[test]
fn wrong_states_are_found() {
    let check = |from, to, reason| wrong("n=2/states.csv", from, to, reason);
    check(
        "0,FF.TT,0,8",
        "0,FF.TT,0,10",
        "n=2/states.csv, row 1: remoteness is 10, but the lowest remoteness among its successors is 7",
    );
    check(
        "22,TT.FF,8,0",
        "22,TT.FF,8,1",
        "n=2/states.csv, row 21: remoteness is 1, but the lowest remoteness among its successors is 1",
    );
    check(
        "3,.FFTT,2,,dead end",
        "3,.FFTT,2,9,dead end",
        "n=2/states.csv, row 4: remoteness is 9, but the state is no goal and no successor has a remoteness",
    );
    check(
        ",doomed,2,",
        ",dead end,2,",
        "n=2/states.csv, row 9: verdict is dead end, but the state is doomed",
    );
    check(
        "live,2,6",
        "live,3,6",
        "n=2/states.csv, row 2: out_degree is 3, but the state has 2 successors",
    );
    check(
        "live,2,6",
        "live,2,3",
        "n=2/states.csv, row 2: best_successor is 3, expected 6",
    );
    check(
        "22,TT.FF,8",
        "22,TT.FF,9",
        "n=2/states.csv, row 23: depth is 9, but state 20 of depth 7 leads to it",
    );
    check(
        "1,F.FTT,1",
        "1,F.FTT,0",
        "n=2/states.csv, row 2: depth is 0, but the state is no start",
    );
    check(
        "0,FF.TT,0",
        "0,FF.TT,1",
        "n=2/states.csv, row 1: depth is 1, but the state is a start",
    );
    check(
        "5,FFTT.",
        "5,FFTTT",
        "n=2/states.csv, row 3: `step` leads from `FFT.T` to `FFTT.`, which is missing",
    );
    check(
        "5,FFTT.",
        "5,FFXT.",
        "n=2/states.csv, row 6: state `FFXT.` is no position of this board",
    );
    check(
        "5,FFTT.",
        "5,.FFTT",
        "n=2/states.csv, row 6: state `.FFTT` comes twice",
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
}

#[test]
fn wrong_moves_are_found() {
    let check = |from, to, reason| wrong("n=2/transitions.csv", from, to, reason);
    check(
        "2,5,step",
        "2,6,step",
        "n=2/transitions.csv, row 6: goes from 2 to 6, but the next transition by the rules goes from 2 to 5",
    );
    check(
        "2,5,step 5 4,1",
        "2,5,step 5 4,0",
        "n=2/transitions.csv, row 6: blocking is 0, expected 1",
    );
    check(
        "2,5,step",
        "2,5,jump",
        "n=2/transitions.csv, row 6: the move is `jump 5 4`, but the first rule that makes it is `step`",
    );
    let copy = Copy::new("place-of-a-move");
    copy.change("n=2/transitions.csv", |text| {
        text.replace("step 5 4", "step 5 3")
    });
    let (is_wrong, reason) = copy.check().expect_err("changed");
    assert!(
        is_wrong && reason.contains("changed after it was written"),
        "{reason}"
    );
}

#[test]
fn wrong_lists_are_found() {
    wrong(
        "n=2/dead-ends.csv",
        "15,FTT.F,5,step 4 3 from FT.TF",
        "15,FTT.F,5,step 1 2 from F.FTT",
        "n=2/dead-ends.csv, row 3: last_blocking_move is `step 1 2 from F.FTT`, \
         but the last one on a shortest path goes from state 11 to 15",
    );
    wrong(
        "n=2/dead-ends.csv",
        "3,.FFTT,2",
        "3,.FFTT,3",
        "n=2/dead-ends.csv, row 1: depth is 3, expected 2",
    );
    wrong(
        "n=2/dead-ends.csv",
        "3,.FFTT",
        "3,.FFTX",
        "n=2/dead-ends.csv, row 1: `.FFTX` is not state 3",
    );
    wrong(
        "n=2/blocking-moves.csv",
        "F.TFT,FT.FT",
        "F.TFT,FTTF.",
        "n=2/blocking-moves.csv, row 3: `FTTF.` is not state 8",
    );
    wrong(
        "n=2/blocking-moves.csv",
        "1,step,step 1",
        "1,jump,step 1",
        "n=2/blocking-moves.csv, row 1: the rule is `jump`, expected `step`",
    );
}

#[test]
fn wrong_totals_are_found() {
    wrong(
        "summary.csv",
        "2,23,26",
        "2,23,27",
        "summary.csv, row 2: transitions is 27, expected 26",
    );
    wrong(
        "summary.csv",
        "true,false,8,10",
        "true,true,8,10",
        "summary.csv, row 2: reversible is true, expected false",
    );
    wrong(
        "summary.csv",
        "8,2,,true",
        "8,,,true",
        "summary.csv, row 2: first_dead_end_depth is none, expected 2",
    );
    wrong(
        "depths.csv",
        "2,5,4,2,0,2",
        "2,5,4,2,1,1",
        "depths.csv, row 10: doomed is 1, expected 0",
    );
    wrong(
        "run.json",
        "move jump: F T .",
        "move jump: F F .",
        "run.json: the rule text is not the one that was run: its checksum differs",
    );
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
        "n=2/states.csv",
        |t| t.replace("1,F.FTT,1", "1,F.FTT,x"),
        "n=2/states.csv: row 2: depth is `x`",
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
