//! The slow search against tables made by programs that share nothing with this workspace.

use std::path::Path;

use impasse_model::instance::Instance;
use impasse_model::parse::parse;
use impasse_verify::figures::Figures;
use impasse_verify::slow::search;

fn data(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../data")
        .join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A shipped puzzle with parameters such as `n=3 m=2`.
fn instance(puzzle: &str, params: &str) -> Instance {
    instance_of(puzzle, &data(&format!("puzzles/{puzzle}.puzzle")), params)
}

fn instance_of(puzzle: &str, text: &str, params: &str) -> Instance {
    let file = parse(puzzle, text.as_bytes())
        .unwrap_or_else(|faults| panic!("{faults:?}"))
        .file;
    let given: Vec<(String, String)> = params
        .split_whitespace()
        .map(|p| p.split_once('=').expect("NAME=VALUE"))
        .map(|(name, value)| (name.to_owned(), value.replace('+', " ")))
        .collect();
    let params = file
        .parameters(&given)
        .unwrap_or_else(|faults| panic!("{given:?}: {faults:?}"));
    file.instance(puzzle, params, None)
        .unwrap_or_else(|faults| panic!("{faults:?}"))
        .0
}

fn figures(instance: &Instance) -> Figures {
    Figures::of(&search(instance, 200_000).expect("few states"))
}

/// Compares figures written as `states=72 shortest=15`; `none` for a figure that does not exist.
fn check(puzzle: &str, params: &str, expected: &str) {
    check_figures(
        &figures(&instance(puzzle, params)),
        &format!("{puzzle} {params}"),
        expected,
    );
}

fn check_figures(figures: &Figures, what: &str, expected: &str) {
    for (key, value) in expected
        .split_whitespace()
        .map(|e| e.split_once('=').expect("KEY=VALUE"))
    {
        let found = figures.text(key).unwrap_or_else(|| panic!("no key {key}"));
        let found = if found.is_empty() { "none" } else { &found };
        assert_eq!(found, value, "{key} of {what}");
    }
}

/// The rows of a golden table, as pairs of column and cell.
fn rows(name: &str) -> Vec<Vec<(String, String)>> {
    let text = data(&format!("golden/{name}.csv"));
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let head: Vec<String> = lines.next().expect("a head").collect();
    lines
        .map(|cells| head.iter().cloned().zip(cells).collect())
        .collect()
}

/// Compares all columns of a row that are keys of the summary.
fn check_row(figures: &Figures, row: &[(String, String)]) {
    for (key, cell) in row {
        if let Some(found) = figures.text(key) {
            assert_eq!(found, *cell, "{key} of {row:?}");
        }
    }
}

fn cell<'a>(row: &'a [(String, String)], column: &str) -> &'a str {
    &row.iter()
        .find(|(name, _)| name == column)
        .expect("a column")
        .1
}

#[test]
fn frogs() {
    let mut checked = 0;
    for row in rows("frogs") {
        let (over, way) = match cell(&row, "variant") {
            "forward" => ("opponent", "forward"),
            "forward-any" => ("any", "forward"),
            "both" => ("opponent", "both"),
            _ => ("any", "both"),
        };
        if cell(&row, "states").parse::<u32>().expect("a number") > 3000 {
            continue;
        }
        let [n, m, k] = ["n", "m", "k"].map(|name| cell(&row, name));
        let params = format!("n={n} m={m} k={k} over={over} way={way}");
        check_row(&figures(&instance("frogs-and-toads", &params)), &row);
        checked += 1;
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn frogs_by_depth() {
    for n in 1..=4 {
        let states = search(&instance("frogs-and-toads", &format!("n={n}")), 1000).expect("few");
        for row in rows("frogs-depths")
            .iter()
            .filter(|row| cell(row, "n") == n.to_string())
        {
            let at = |s: &&impasse_verify::slow::State| s.depth.to_string() == cell(row, "depth");
            let layer = || states.iter().filter(at);
            let count = |column: &str| cell(row, column).parse::<usize>().expect("a number");
            assert_eq!(layer().count(), count("states"), "{row:?}");
            assert_eq!(
                layer().filter(|s| s.is_live()).count(),
                count("live"),
                "{row:?}"
            );
            assert_eq!(
                layer().filter(|s| s.is_dead_end()).count(),
                count("dead_ends"),
                "{row:?}"
            );
        }
    }
}

#[test]
fn knights() {
    check(
        "guarini",
        "",
        "states=280 transitions=1280 shortest=16 shortest_solutions=4726784 max_depth=16 \
         dead_ends=0 reversible=true graded=false",
    );
    check(
        "guarini-graph",
        "",
        "states=280 transitions=1280 shortest=16 shortest_solutions=4726784",
    );
    for row in rows("knights")
        .iter()
        .filter(|row| cell(row, "case") == "full_rows")
    {
        let (rows, cols) = (cell(row, "rows"), cell(row, "cols"));
        if cell(row, "states").parse::<u32>().expect("a number") < 10_000 {
            let params = format!("rows={rows} cols={cols}");
            check_row(&figures(&instance("knights-exchange", &params)), row);
        }
    }
}

#[test]
fn coins() {
    for row in rows("coins")
        .iter()
        .filter(|row| cell(row, "states").len() < 4)
    {
        let extra = cell(row, "start").len() % 2;
        let params = format!(
            "n={} extra={extra} room={}",
            cell(row, "n"),
            cell(row, "spare")
        );
        check_row(&figures(&instance("coins", &params)), row);
    }
    check(
        "coins",
        "n=2",
        "shortest=5 shortest_solutions=2 states=65 window_cut_depth=4",
    );
    check("coins-land-anywhere", "n=2", "shortest=4");
    check("coins-little-room", "n=2", "shortest=5");
}

/// The measured readings of the coins' hop: each figure hangs on one word of the rules.
#[test]
fn readings_of_the_hop() {
    let check = |from: &str, to: &str, expected: &str| {
        let text = data("puzzles/coins.puzzle");
        assert!(text.contains(from));
        let changed = text.replace(from, to);
        check_figures(&figures(&instance_of("coins", &changed, "")), to, expected);
    };
    check("coin ... . .", "coin ... . .", "states=65 shortest=5");
    check(
        "coin ... . . -> . . coin ... x y",
        "coin _* . . -> . . coin _* x y",
        "states=2041 shortest=4",
    );
    check(" along both", "", "states=18 shortest=none");
    check("spare room", "span 13", "states=81 window_cut_depth=4");
}

/// `mirror` exchanges pieces in conditions too; without that the frogs find no solution.
#[test]
fn readings_of_the_mirror() {
    let text = data("puzzles/frogs-and-toads.puzzle");
    let unchanged = text.replace("x = T or", "x = T and x != F or").replace(
        "mirror F <-> T",
        "move step: . T -> T .\nmove jump: . x:piece T -> T x . where x = T or over = any",
    );
    check("frogs-and-toads", "n=3", "states=72 shortest=15");
    check_figures(
        &figures(&instance_of("frogs", &unchanged, "n=3")),
        "frogs without exchange",
        "states=16 shortest=none",
    );
}

#[test]
fn chips() {
    for row in rows("chips")
        .iter()
        .filter(|row| cell(row, "states").len() < 4)
    {
        let chips = cell(row, "chips").replace(' ', "+");
        let count = chips.split('+').count() as i64;
        let west = -cell(row, "lo").parse::<i64>().expect("a number");
        let east = cell(row, "hi").parse::<i64>().expect("a number") - count + 1;
        let params = format!("chips={chips} west={west} east={east}");
        check_row(&figures(&instance("chips", &params)), row);
    }
}

#[test]
fn figures_of_the_puzzles() {
    check(
        "twickenham",
        "",
        "states=16060 shortest=26 shortest_solutions=1",
    );
    check("zeckendorf", "n=8", "states=14");
    check("zeckendorf", "n=16", "states=71");
    check("bergman", "n=7", "states=73 longest=22");
    check("die-hard-jugs", "", "states=16 shortest=6");
    check("peg-triangle", "", "states=3016 shortest_solutions=29760");
    check("tait", "n=5", "shortest=5 states=2772");
    check("pancakes", "n=5", "max_depth=5 states=120");
    check("topspin", "n=6", "max_depth=12 states=720");
    check("topspin-ring", "n=6", "max_depth=5 states=360");
    check("frogs-square", "n=1 over=any", "shortest=11");
    check("frogs-square", "n=1", "shortest=12");
    check("hanoi3", "n=5", "shortest=31 states=243");
    check("hanoi4", "n=4", "shortest=9 states=256");
    check("tiles", "rows=2", "states=360 max_depth=21");
    check("cycle-of-five", "", "states=20");
    check("sokoban", "", "dead_ends=0");
    check("rooks-exchange", "", "reversible=true");
}

#[test]
#[ignore = "large: ten seconds of slow code; `cargo xtask golden --large` runs it"]
fn larger_figures() {
    check("klotski", "", "states=25955 shortest=116");
    check(
        "fore-and-aft",
        "",
        "states=133864 shortest=46 shortest_solutions=9904",
    );
}
