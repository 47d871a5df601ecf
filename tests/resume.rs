//! Runs that are broken off at random moments and gone on with: the same bytes in the end.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use support::{run, run_in};

/// Some hundred milliseconds of search.
const STREAMED: &str =
    "explore frogs-and-toads-both-ways -p n=11 --only depths --engine stream --format csv";
/// Packed states of a directed space, every layer kept.
const PACKED: &str = "explore frogs-and-toads -p n=5 -p k=3 --engine hash --format csv --all";
/// The last two layers of an undirected one.
const TWO_LAYERS: &str =
    "explore frogs-and-toads-both-ways -p n=9 --only depths --engine hash --format csv";
/// Counted cells.
const COUNTED: &str = "explore bergman -p n=12 --format csv --all";
/// A directed space with all verdicts.
const VERDICTS: &str = "explore frogs-and-toads -p n=6 -p k=3 --engine stream --format csv";

/// A few layers of a graded space, and those it takes to sweep back.
const GRADED: &str = "explore frogs-and-toads -p n=15 --engine layers --format csv --all";
/// The last two layers of an undirected space, and its goals.
const UNDIRECTED: &str =
    "explore frogs-and-toads-both-ways -p n=8 --engine layers --format csv --all";
/// No more than the last layers either.
const LAYERS_ALONE: &str =
    "explore frogs-and-toads-both-ways -p n=9 --only depths --engine layers --format csv";
/// Packed states that do not fit, and then layers.
const GONE_OVER: &str = "explore frogs-and-toads -p n=16 --memory 44M --symmetry off --format csv";
/// Several values, one after the other.
const VALUES: &str = "explore frogs-and-toads-both-ways -p n=5..8 -p k=1..2 --format csv --all";

/// Begins a command and ends it after a while: by `kill -9`, or by Ctrl-C where that is said.
fn broken_off(folder: &Path, line: &str, after: Duration, softly: bool) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_impasse"))
        .current_dir(folder)
        .args(line.split_whitespace())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(after);
    if softly {
        let id = child.id().to_string();
        let _ = Command::new("kill").args(["-INT", &id]).status();
    } else {
        let _ = child.kill();
    }
    child.wait().expect("it ends");
}

/// Breaks a command off time and again, then lets it end, and compares.
fn check(line: &str) {
    let whole = run(line).code(0).out;
    let folder = tempfile::tempdir().expect("a folder");
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    for round in 0..4 {
        let kept = format!("kept-{round}");
        let begin = format!("{line} --run {kept}");
        let mut command = begin.clone();
        for attempt in 0..3 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let after = Duration::from_millis(seed % 250);
            broken_off(folder.path(), &command, after, attempt == 1);
            if folder.path().join(&kept).join("run.json").exists() {
                command = format!("resume {kept}");
            }
        }
        let resumed = run_in(folder.path(), &command).code(0);
        assert_eq!(resumed.out, whole, "round {round}");
        // A run that has ended is told again.
        let again = run_in(folder.path(), &format!("resume {kept}")).code(0);
        assert_eq!(again.out, whole);
        let left = fs::read_dir(folder.path().join(&kept)).expect("the folder");
        for entry in left {
            let name = entry.expect("an entry").file_name();
            let name = name.to_string_lossy().into_owned();
            assert!(!name.starts_with('.'), "{name} was left behind");
        }
    }
}

#[test]
fn streamed_runs_go_on() {
    check(STREAMED);
}

#[test]
fn streamed_verdicts_go_on() {
    check(VERDICTS);
}

#[test]
fn packed_runs_go_on() {
    check(PACKED);
    check(TWO_LAYERS);
    check(COUNTED);
}

#[test]
fn thin_runs_go_on() {
    check(GRADED);
    check(UNDIRECTED);
    check(LAYERS_ALONE);
    check(GONE_OVER);
}

#[test]
fn several_values_go_on() {
    check(VALUES);
}

/// Broken off after each layer, the same in the end: at every depth the kept layers suffice.
#[test]
fn thin_runs_go_on_from_any_layer() {
    let folder = tempfile::tempdir().expect("a folder");
    for (i, puzzle) in ["frogs-and-toads", "frogs-and-toads-both-ways"]
        .iter()
        .enumerate()
    {
        for only in ["", " --only verdicts", " --only depths"] {
            let line = format!("explore {puzzle} -p n=3 --engine layers --format csv --all{only}");
            let whole = run(&line).code(0).out;
            let kept = format!("kept-{i}-{}", only.len());
            for depth in 0..15 {
                let part = format!("{line} --max-depth {depth} --run {kept}");
                run_in(folder.path(), &part).code(3);
                run_in(folder.path(), &format!("resume {kept}")).code(3);
            }
            let ran = run_in(folder.path(), &format!("{line} --run {kept}")).code(0);
            assert_eq!(ran.out, whole, "{line}");
        }
    }
}

/// A relative `-o` begins where the command was given.
#[test]
fn reports_are_put_where_the_command_was_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    fs::create_dir(&first).expect("a folder");
    fs::create_dir(&second).expect("a folder");
    let begin = "explore frogs-and-toads -p n=2..3 --run kept -o report";
    run_in(&first, begin).code(0);
    let read = |name: &str| fs::read(first.join("report").join(name)).expect("a file");
    let summary = read("summary.csv");
    fs::remove_dir_all(first.join("report")).expect("removed");
    run_in(&second, "resume ../first/kept").code(0);
    assert_eq!(read("summary.csv"), summary);
    assert!(!second.join("report").exists());
    assert!(first.join("kept/n=2/search.part").exists());
    // Parts of one value are not those of another.
    let part = first.join("kept/n=2/search.part");
    fs::copy(&part, first.join("kept/n=3/search.part")).expect("copied");
    run_in(&second, "resume ../first/kept")
        .code(4)
        .warns("belongs to another run");
}

/// A run that is refused leaves no folder behind.
#[test]
fn refused_runs_leave_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    for (arguments, code) in [
        ("frogs-and-toads -p over=any --engine layers", 2),
        ("english-peg-solitaire --engine stream", 2),
        (
            "frogs-and-toads-both-ways -p n=12 --engine stream --memory 16M",
            3,
        ),
        ("bergman --engine layers", 2),
    ] {
        run_in(here, &format!("explore {arguments} --run kept")).code(code);
        assert!(!here.join("kept").exists(), "{arguments}");
    }
    // A folder that cannot be made is named.
    std::fs::write(here.join("file"), "").expect("written");
    run_in(here, "explore guarini --run file/kept")
        .code(4)
        .warns("file/kept");
}

/// A run that ended is told again without its layers being searched.
#[test]
fn kept_layers_are_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let lines = [
        STREAMED,
        PACKED,
        TWO_LAYERS,
        GRADED,
        UNDIRECTED,
        LAYERS_ALONE,
    ];
    for (i, line) in lines.iter().enumerate() {
        run_in(here, &format!("{line} -v --run kept-{i}")).code(0);
        let again = run_in(here, &format!("resume kept-{i}")).code(0);
        let searched = again.err.lines().filter(|line| line.contains(": layer "));
        assert_eq!(searched.count(), 0, "{}", again.err);
    }
}

/// A run that a limit stopped goes on with a larger one, by the same command.
#[test]
fn larger_limits_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    for (engine, only) in [("hash", ""), ("stream", ""), ("hash", " --only depths")] {
        let line = format!("explore frogs-and-toads -p n=5 --engine {engine}{only} --format csv");
        let whole = run(&line).code(0).out;
        let kept = format!("kept-{engine}{}", only.len());
        for limit in [" --max-states 40", " --max-states 200"] {
            run_in(here, &format!("{line}{limit} --run {kept}")).code(3);
            run_in(here, &format!("resume {kept}")).code(3);
        }
        let ran = run_in(here, &format!("{line} --run {kept}")).code(0);
        assert_eq!(ran.out, whole, "{line}");
    }
    run_in(here, "explore guarini --run both -o both")
        .code(2)
        .warns("same folder");
    // What a killed process left of its first file is nothing.
    let torn = here.join("torn");
    fs::create_dir(&torn).expect("a folder");
    fs::write(torn.join(".part-abc"), "{").expect("written");
    run_in(here, "explore guarini --run torn").code(0);
    let place = torn.join("run.json");
    let text = fs::read_to_string(&place).expect("text");
    fs::write(&place, text.replace("Guarini", "Guarino")).expect("written");
    run_in(here, "resume torn").code(4).warns("checksum");
}

#[test]
fn damaged_and_foreign_folders_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let line = "explore frogs-and-toads -p n=5 --engine stream --run kept";
    run_in(here, line).code(0);
    run_in(here, line).code(0);
    let kept = here.join("kept");
    run_in(
        here,
        "explore frogs-and-toads -p n=6 --engine stream --run kept",
    )
    .code(4)
    .warns("keeps another run");
    run_in(here, "resume nowhere").code(4).warns("cannot read");
    let search = kept.join("search.part");
    let whole = fs::read(&search).expect("the part");
    for at in [3, whole.len() / 2, whole.len() - 1] {
        let mut damaged = whole.clone();
        damaged[at] ^= 4;
        fs::write(&search, damaged).expect("written");
        run_in(here, "resume kept").code(4).warns("search.part");
    }
    fs::write(&search, &whole[..whole.len() - 5]).expect("written");
    run_in(here, "resume kept").code(4).warns("search.part");
    fs::write(&search, &whole).expect("written");
    run_in(here, "resume kept").code(0);
    fs::write(kept.join("run.json"), "{\"schema\": \"impasse.run/1\"}").expect("written");
    run_in(here, "resume kept").code(4).warns("something else");
    fs::write(
        kept.join("run.json"),
        "{\"schema\": \"impasse.checkpoint/9\"}",
    )
    .expect("written");
    run_in(here, "resume kept").code(4).warns("newer");
    fs::write(kept.join("run.json"), "{").expect("written");
    run_in(here, "resume kept").code(4).warns("damaged");
    let full = here.join("full");
    fs::create_dir(&full).expect("a folder");
    fs::write(full.join("mine.txt"), "x").expect("written");
    run_in(here, "explore frogs-and-toads -p n=5 --run full")
        .code(4)
        .warns("not empty");
}
