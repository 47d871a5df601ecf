//! Strategies of the shipped files against the golden tables, and small ones for every form.

use std::collections::BTreeMap;
use std::path::Path;

use super::*;
use crate::instance::Value;
use crate::params::Params;
use crate::syntax::PuzzleFile;

fn data(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn file(text: &str) -> PuzzleFile {
    match crate::parse::parse("test", text.as_bytes()) {
        Ok(parsed) => parsed.file,
        Err(faults) => panic!("{:#?}", faults.faults),
    }
}

fn instance(file: &PuzzleFile, given: &[(&str, &str)], start: Option<&str>) -> Instance {
    let given: Vec<_> = given
        .iter()
        .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
        .collect();
    let params: Params = file.parameters(&given).expect("parameters");
    match file.instance("test", params, start) {
        Ok((instance, _)) => instance,
        Err(faults) => panic!("{:#?}", faults.faults),
    }
}

fn strategy<'i>(instance: &'i Instance, name: &str) -> &'i Strategy {
    instance
        .strategies
        .iter()
        .find(|s| s.name == name)
        .expect("a strategy")
}

fn program<'i>(instance: &'i Instance, name: &str) -> Program<'i> {
    Program::new(instance, strategy(instance, name)).expect("a program")
}

/// The position as the golden tables write it.
fn text(instance: &Instance, row: &Row) -> String {
    let (_, cells) = row.occupied();
    if instance.board.counted {
        let words = cells.iter().map(|v| {
            if *v == 0 {
                ".".to_owned()
            } else {
                v.to_string()
            }
        });
        return words.collect::<Vec<_>>().join(" ");
    }
    cells
        .iter()
        .map(|&v| instance.alphabet.symbols[v as usize])
        .collect()
}

#[test]
fn frogs_step_by_step() {
    let golden = data("golden/frogs-strategy-steps.csv");
    let mut runs: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for line in golden.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let states = runs.entry((fields[0], fields[1])).or_default();
        assert_eq!(fields[2], states.len().to_string());
        states.push(fields[3]);
    }
    assert!(runs.len() >= 2);
    let frogs = file(&data("puzzles/frogs-and-toads.puzzle"));
    for ((name, n), states) in runs {
        let instance = instance(&frogs, &[("n", n)], None);
        let program = program(&instance, name);
        let mut player = program.play(&instance.starts[0]);
        for (step, state) in states.iter().enumerate() {
            assert_eq!(
                text(&instance, player.row()),
                *state,
                "{name}, n = {n}, step {step}"
            );
            let next = player.advance();
            let is_last = step + 1 == states.len();
            assert_eq!(
                next == Next::Arrived,
                is_last,
                "{name}, n = {n}, step {step}: {next:?}"
            );
        }
    }
}

#[test]
fn frogs_arrive_in_the_fewest_moves() {
    let frogs = file(&data("puzzles/frogs-and-toads.puzzle"));
    for n in 1..=20_u64 {
        let instance = instance(
            &frogs,
            &[("n", &n.to_string()), ("m", &n.to_string())],
            None,
        );
        for name in ["textbook", "blank-neighbours"] {
            let moves = program(&instance, name).moves_to_goal(&instance.starts[0]);
            assert_eq!(moves, Some(n * (n + 2)), "{name}, n = {n}");
        }
    }
}

#[test]
fn chips_step_by_step() {
    let chips = file(&data("puzzles/chips-classic.puzzle"));
    let golden = data("golden/chips-steps.csv");
    let lines: Vec<Vec<&str>> = golden
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect())
        .collect();
    for steps in lines.chunk_by(|a, b| a[0] == b[0]) {
        let instance = instance(&chips, &[("chips", steps[0][0])], None);
        let program = program(&instance, "classic");
        let mut player = program.play(&instance.starts[0]);
        for (step, fields) in steps.iter().enumerate() {
            assert_eq!(fields[1], step.to_string());
            let (first, _) = player.row().occupied();
            let found = (format!("{first:+}"), text(&instance, player.row()));
            assert_eq!(
                found,
                (fields[2].to_owned(), fields[3].to_owned()),
                "{fields:?}"
            );
            let next = player.advance();
            assert_eq!(
                next == Next::Arrived,
                step + 1 == steps.len(),
                "{fields:?}: {next:?}"
            );
        }
    }
}

#[test]
fn chips_come_to_rest_in_normal_form() {
    let chips = file(&data("puzzles/chips-classic.puzzle"));
    for line in data("golden/chips-normal-forms.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let instance = instance(&chips, &[("chips", fields[0])], None);
        let program = program(&instance, "classic");
        let mut player = program.play(&instance.starts[0]);
        let end = loop {
            match player.advance() {
                Next::Moved(_) => {}
                end => break end,
            }
        };
        assert_eq!(end, Next::Arrived, "{line}");
        let (first, cells) = player.row().occupied();
        let rests = (first..)
            .zip(cells)
            .filter(|(_, v)| **v != 0)
            .map(|(p, _)| p.to_string());
        assert_eq!(rests.collect::<Vec<_>>().join(" "), fields[3], "{line}");
    }
}

#[test]
fn long_rows_take_the_known_number_of_steps() {
    let chips = file(&data("puzzles/chips-classic.puzzle"));
    let check = |row: Vec<Value>, expected: u64| {
        let mut instance = instance(&chips, &[("chips", "1")], None);
        let position: Position = row;
        instance.board.cells = position.len();
        instance.board.shape = crate::board::Shape::Window { first: 0 };
        instance.starts = vec![position];
        let moves = program(&instance, "classic").moves_to_goal(&instance.starts[0]);
        assert_eq!(moves, Some(expected));
    };
    check(vec![1; 10_000], 5_000);
    check(vec![5; 10_000], 55_018);
    check(vec![1_000_000], 1_894_416);
    check(vec![1000; 10_000], 10_718_620);
}

/// Plays the only strategy of a rule file: the states, and how it ends.
fn check(rules: &str, expected: &str) {
    let file = file(&format!("puzzle \"Small\"\n{rules}"));
    let instance = instance(&file, &[], None);
    let program = Program::new(&instance, &instance.strategies[0]).expect("a program");
    let mut player = program.play(&instance.starts[0]);
    let mut told = vec![text(&instance, player.row())];
    let end = loop {
        match player.advance() {
            Next::Moved(_) if told.len() < 40 => told.push(text(&instance, player.row())),
            Next::Moved(_) => break "too long".to_owned(),
            Next::Arrived => break "arrived".to_owned(),
            Next::NoLine => break "no line".to_owned(),
            Next::Cycle => break "cycle".to_owned(),
            Next::Illegal { line, place } => break format!("illegal: line {line} at {place}"),
            Next::Fault(fault) => break fault.message,
        }
    };
    assert_eq!(format!("{}: {end}", told.join(" > ")), expected, "{rules}");
}

const WALK: &str = "piece W \"walker\"\nmove go: W . -> . W\nmove back: . W -> W .\n";

#[test]
fn how_a_strategy_ends() {
    let walk = |board: &str, lines: &str| format!("{WALK}{board}\nstrategy s\n{lines}");
    let row = "board line\nstart W . .\ngoal . . W";
    check(&walk(row, "  W . -> . W\n"), "W.. > .W. > ..W: arrived");
    check(&walk(row, "  W . . -> . W .\n"), "W.. > .W.: no line");
    check(
        &walk(row, "  W . . -> . . W\n"),
        "W..: illegal: line 0 at 0",
    );
    check(
        &walk(row, "  # W . -> # . W\n  . W -> W .\n"),
        "W.. > .W. > W.. > .W. > W..: cycle",
    );
    check(
        &walk(row, "  W . -> . W where at < 1/0\n"),
        "W..: a division by zero",
    );
    // At the goal play ends, even where a line applies.
    let early = "board line\nstart W . .\ngoal . W .";
    check(&walk(early, "  W . -> . W\n"), "W.. > .W.: arrived");
    check(
        &walk("board line\nstart W . .\ngoal W . .", "  W . -> . W\n"),
        "W..: arrived",
    );
}

#[test]
fn the_first_line_at_its_leftmost_place_or_place_by_place() {
    let two = "piece A \"a\"\npiece B \"b\"\nboard line\nstart B A B A\ngoal never A and never B\n\
               move a: A -> .\nmove b: B -> .\n";
    let lines = "  A -> .\n  B -> .\n";
    check(
        &format!("{two}strategy s\n{lines}"),
        "BABA > B.BA > B.B. > ..B. > ....: arrived",
    );
    check(
        &format!("{two}strategy s sweep\n{lines}"),
        "BABA > .ABA > ..BA > ...A > ....: arrived",
    );
    // The place is the cell under the first item other than `_`; the search goes on behind the
    // last changed cell, and from the left again.
    check(
        &format!("{two}strategy s sweep\n  _ A -> _ .\n  B _ _ -> . _ _\n"),
        "BABA > .ABA > ..BA > ..B.: no line",
    );
}

#[test]
fn every_board_and_item() {
    // A ring: over the seam.
    let ring = "board ring\nstart . . W\ngoal . W .\nstrategy s\n  W . -> . W\n";
    check(&format!("{WALK}{ring}"), "..W > W.. > .W.: arrived");
    // A grid, a pattern of two rows, and `#`.
    let grid = "piece W \"w\"\nboard grid\nstart\n  W .\n  . .\ngoal\n  . .\n  W .\n\
                move down: W / . -> . / W\nstrategy s\n  # W / # . -> # . / # W\n";
    check(grid, "W... > ..W.: arrived");
    // A graph: along edges, the walk that comes first.
    let graph = "piece W \"w\"\nboard graph\n  a b c\nstart W . .\ngoal . . W\n\
                 move go: W . -> . W\nstrategy s\n  W . -> . W where at != 2\n  . W . -> . . W\n";
    check(graph, "W.. > .W. > ..W: arrived");
    // Stretches written back turned round.
    let turn = "piece A..C \"cake\"\nclass cake = A..C\nboard line\nstart C B A\ngoal A B C\n\
                move flip: # x:cake+ -> # ~x\nstrategy s\n  # x:cake* A -> # A ~x\n";
    check(turn, "CBA > ABC: arrived");
    // The shortest fit, on a row that has no end.
    let far = "piece W \"w\"\nboard line endless, spare 1\nstart W W\ngoal W . . W\n\
               move far: W ... . -> . ... W\nstrategy s\n  W . . -> . . W\n  W ... . -> . ... W\n";
    check(far, "WW: illegal: line 0 at 1");
    // Counts that move whole piles.
    let piles = "board line of counts\nstart 3 2 0\ngoal 0 0 5\n\
                 move pour: x:1.. _ -> -x +x\nstrategy s\n  x:1.. _ -> -x +x\n";
    check(piles, "3 2 . > . 5 . > . . 5: arrived");
}
