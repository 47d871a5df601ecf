//! Contexts of moves: the frogs against their golden table, grids, and boards that are refused.

use std::collections::BTreeMap;
use std::path::Path;

use impasse_analysis::explore::{Options, explore};
use impasse_analysis::surroundings::{Law, MoveLaw, NoContexts, Surroundings, Whole};
use impasse_graph::observe::Silent;
use impasse_model::instance::Instance;
use impasse_model::parse::parse;

fn instance(text: &str, params: &[(&str, i64)]) -> Instance {
    let file = parse("test", text.as_bytes()).expect("a rule file").file;
    let given = params.iter().map(|&(n, v)| (n.to_owned(), v.to_string()));
    let given: Vec<_> = given.collect();
    let params = file.parameters(&given).expect("parameters");
    file.instance("test", params, None).expect("an instance").0
}

/// The law of several values together.
fn law(text: &str, radius: Option<usize>, values: &[&[(&str, i64)]]) -> Law {
    let mut gathered: Option<Surroundings> = None;
    for params in values {
        let instance = instance(text, params);
        let run = explore(&instance, &Options::default(), &Silent).expect("a run");
        let surroundings = gathered
            .get_or_insert_with(|| Surroundings::new(&instance, radius).expect("a row or a grid"));
        let added = surroundings.add(&instance, run.table().expect("states"));
        added.expect("boards that go together");
    }
    gathered.expect("a value").law()
}

const FROGS: &str = "puzzle \"Frogs\"\nparam n = 3 in 0..9\nparam m = n in 0..9\n\
    piece F \"frog\"\npiece T \"toad\"\nboard line\nstart F^n . T^m\ngoal T^m . F^n\n\
    move step: F . -> . F\nmove jump: F T . -> . T F\nmirror F <-> T\n";

fn frogs(radius: Option<usize>) -> Law {
    let values: Vec<[(&str, i64); 2]> = (2..=6)
        .flat_map(|n| (2..=6).map(move |m| [("n", n), ("m", m)]))
        .collect();
    let values: Vec<&[(&str, i64)]> = values.iter().map(|value| &value[..]).collect();
    law(FROGS, radius, &values)
}

/// `# [F .] F T` as the golden table has it: `F step` in `|F.FT`.
fn golden_words(text: &str) -> (String, String) {
    let moved = if text.contains("[F") { "F" } else { "T" };
    let letters = text.chars().filter(|c| !" []".contains(*c));
    let plain: String = letters.map(|c| if c == '#' { '|' } else { c }).collect();
    (format!("{moved} step"), plain)
}

#[test]
fn two_cells_around_decide_the_steps_of_frogs() {
    let law = frogs(None);
    assert!(law.is_complete);
    assert_eq!(law.levels.len(), 3);
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../data/golden/blocking/frogs-step-contexts.csv");
    let table = std::fs::read_to_string(path).expect("the golden table");
    let golden: BTreeMap<(String, String), Vec<String>> = table
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<String> = line.split(',').map(str::to_owned).collect();
            ((cells[0].clone(), cells[1].clone()), cells[2..].to_vec())
        })
        .collect();
    let steps = law.contexts.iter().filter(|context| context.name == "step");
    let found: BTreeMap<(String, String), Vec<String>> = steps
        .map(|context| {
            let state = |example: &Option<impasse_analysis::surroundings::Example>| {
                example
                    .as_ref()
                    .map_or_else(String::new, |e| e.state.clone())
            };
            let cells = vec![
                context.sort.word().to_owned(),
                state(&context.example_losing),
                state(&context.example_safe),
            ];
            (golden_words(&context.text), cells)
        })
        .collect();
    assert_eq!(golden.len(), 36);
    assert_eq!(
        found.keys().collect::<Vec<_>>(),
        golden.keys().collect::<Vec<_>>()
    );
    for (context, cells) in &golden {
        assert_eq!(found[context][0], cells[0], "{context:?}");
        // The golden examples come from the smallest board; ours from the first value that has one.
        assert_eq!(
            found[context][1].is_empty(),
            cells[1].is_empty(),
            "{context:?}"
        );
        assert_eq!(
            found[context][2].is_empty(),
            cells[2].is_empty(),
            "{context:?}"
        );
    }
}

#[test]
fn the_rule_for_frogs_is_boiled_down() {
    let law = frogs(None);
    let claims: Vec<_> = law.moves.iter().filter_map(MoveLaw::claim).collect();
    assert_eq!(
        claims,
        [
            "step is blocking iff in F T [. T] or in F [. T] F or in [F .] F T or in T [F .] T",
            "no jump is blocking"
        ]
    );
    assert_eq!(law.moves[1].whole, Whole::Never);
}

#[test]
fn one_cell_around_is_not_enough() {
    let law = frogs(Some(1));
    assert!(!law.is_complete);
    let mixed: Vec<u64> = law.levels.iter().map(|level| level.mixed).collect();
    assert_eq!(mixed, [2, 2]);
    let step = &law.moves[0];
    assert!(!step.is_complete);
    let claim = step.claim().expect("some contexts always lose");
    assert!(
        claim.ends_with(" is blocking") && claim.starts_with("step in "),
        "{claim}"
    );
}

#[test]
fn grids_show_rows_and_edges() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/puzzles/frogs-square.puzzle");
    let frogs = std::fs::read_to_string(path).expect("a shipped file");
    let law = law(&frogs, Some(1), &[&[]]);
    assert_eq!(law.levels.len(), 2);
    let texts = || law.contexts.iter().map(|context| &context.text);
    assert!(texts().all(|text| text.contains(" / ")));
    assert!(texts().any(|text| text.contains('#')));
    let patterns = law.moves.iter().flat_map(|law| &law.patterns);
    let in_a_row = patterns.filter(|pattern| !pattern.contains('/'));
    let in_a_row: Vec<&String> = in_a_row.collect();
    assert!(!in_a_row.is_empty());
    assert!(
        in_a_row
            .iter()
            .all(|pattern| pattern.ends_with(" along right"))
    );
}

#[test]
fn boards_without_directions_are_refused() {
    let graph = "puzzle \"G\"\npiece A \"a\"\nboard graph\n  x y\nstart A .\ngoal . A\n\
        move step: A . -> . A\n";
    let refused = |text: &str| Surroundings::new(&instance(text, &[]), None).err();
    assert_eq!(refused(graph), Some(NoContexts::Graph));
    let span = "puzzle \"S\"\npiece A \"a\"\npiece B \"b\"\nboard line endless, span 4\nstart A B\n\
        goal B A\nmove hop: A B . -> . B A\n";
    assert_eq!(refused(span), Some(NoContexts::Span));
}

/// Frogs on a ring: `n` cells between the groups on one side, none on the other.
const RING: &str = "puzzle \"Ring\"\nparam n = 2 in 1..4\npiece F \"frog\"\npiece T \"toad\"\nboard ring\n\
    start F^2 . T^2 .^n\ngoal T^2 . F^2 .^n\nmove step: F . -> . F\nmove jump: F T . -> . T F\nmirror F <-> T\n";

#[test]
fn rings_of_different_lengths_are_refused() {
    let (short, long) = (instance(RING, &[("n", 1)]), instance(RING, &[("n", 2)]));
    let run = |instance: &Instance| explore(instance, &Options::default(), &Silent).expect("a run");
    let (first, second) = (run(&short), run(&long));
    let mut surroundings = Surroundings::new(&short, None).expect("a ring");
    let mut add = |instance, table: Option<_>| surroundings.add(instance, table.expect("states"));
    assert_eq!(add(&short, first.table()), Ok(()));
    assert_eq!(add(&long, second.table()), Err(NoContexts::Lengths));
}

/// On a ring of four the two As lie opposite each other, and both ways around are least boxes.
#[test]
fn moves_between_opposite_cells_are_seen_from_both_sides() {
    let opposite = "puzzle \"O\"\npiece A \"a\"\npiece B \"b\"\nboard ring\nstart A B A .\ngoal . B . A\n\
        move off: A _ A -> . _ .\nmove put: . B . . -> . B . A\n";
    let law = law(opposite, Some(0), &[&[]]);
    let texts: Vec<&str> = law.contexts.iter().map(|context| &*context.text).collect();
    assert_eq!(texts, ["[A] . [A]", "[A] B [A]", "[.]"]);
}
