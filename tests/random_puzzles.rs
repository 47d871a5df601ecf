//! Random puzzles, answered three times: by the product, by the slow checker, and by an interpreter
//! of strings that shares nothing with either.
//!
//! `IMPASSE_RANDOM_CASES` sets how many puzzles are tried, `IMPASSE_RANDOM_SEED` which ones.

mod random {
    pub(crate) mod answers;
    pub(crate) mod asked;
    pub(crate) mod generate;
    pub(crate) mod interpret;
    pub(crate) mod kept;
    pub(crate) mod puzzle;
}

use std::cell::{Cell, RefCell};

use impasse_model::instance::Instance;
use impasse_model::parse::parse;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

use random::answers::{Product, Slow, instance};
use random::asked::{Asked, agrees};
use random::generate::{MOST_STATES, puzzles};
use random::interpret::answers;
use random::kept::{Met, check, damaged_sums_are_refused};
use random::puzzle::{Board, Goal, Puzzle, Test};

/// Enough to meet every kind of rule on every board.
const CASES: u32 = 600;

#[test]
fn three_answers_agree() {
    let state_counts = RefCell::new(Vec::new());
    let (streamed, reduced) = (Cell::new(0), Cell::new(0));
    let thin = Cell::new(0);
    run(CASES, |puzzle| {
        let met = compare(puzzle)?;
        state_counts.borrow_mut().push(met.states);
        streamed.set(streamed.get() + usize::from(met.streamed));
        reduced.set(reduced.get() + usize::from(met.symmetric));
        thin.set(thin.get() + usize::from(met.thin));
        Ok(())
    });
    let (streamed, reduced) = (streamed.get(), reduced.get());
    println!("{streamed} of them were streamed too, {reduced} have symmetries");
    assert!(streamed >= 100, "many puzzles keep their pieces");
    assert!(reduced >= 20, "some puzzles have symmetries");
    report(state_counts.into_inner(), thin.get());
}

/// What `stuck` and `why` print is the same from sets alone.
#[test]
fn sets_tell_what_tables_tell() {
    let met = RefCell::new(Asked::default());
    run(CASES, |puzzle| {
        agrees(&instance(&puzzle.text())?, &mut met.borrow_mut())
    });
    let met = met.into_inner();
    println!("{met:?}");
    assert!(met.streamed >= 100, "{met:?}");
    assert!(met.blocking >= 1000, "{met:?}");
    assert!(met.several_rules >= 10, "{met:?}");
    assert!(met.directed_with_circles >= 20, "{met:?}");
    assert!(met.lost_explained >= 1000, "{met:?}");
    assert!(met.endless >= 5, "{met:?}");
}

/// Shipped puzzles that keep the number of each piece, at values with a few thousand states at most.
const SHIPPED: [(&str, &[(&str, &str)]); 27] = [
    ("bishops-exchange", &[("rows", "4"), ("cols", "3")]),
    ("coins", &[]),
    ("coins-any-pair", &[("n", "1"), ("room", "4")]),
    ("coins-land-anywhere", &[]),
    ("coins-land-touching", &[]),
    ("coins-little-room", &[]),
    ("cycle-of-five", &[]),
    ("fore-and-aft", &[("n", "1")]),
    ("fore-and-aft", &[("n", "1"), ("over", "any")]),
    ("frogs-and-toads", &[("n", "4"), ("m", "3")]),
    ("frogs-and-toads", &[("k", "3")]),
    ("frogs-and-toads", &[("n", "4"), ("over", "any")]),
    ("frogs-and-toads", &[("way", "both")]),
    ("frogs-and-toads-both-ways", &[]),
    ("frogs-square", &[]),
    ("frogs-square", &[("over", "any")]),
    ("guarini", &[]),
    ("guarini-graph", &[]),
    ("knights-exchange", &[]),
    ("pancakes", &[]),
    ("pieces-exchange", &[("step", "king")]),
    ("rooks-exchange", &[]),
    ("sokoban", &[]),
    ("tait", &[]),
    ("tiles", &[("rows", "2"), ("cols", "3")]),
    ("topspin", &[("n", "5")]),
    ("topspin-ring", &[]),
];

#[test]
fn sets_tell_of_shipped_puzzles_what_tables_tell() {
    let mut met = Asked::default();
    for (name, values) in SHIPPED {
        let instance = shipped(name, values);
        let before = met.streamed;
        let agreed = agrees(&instance, &mut met);
        assert_eq!(agreed, Ok(()), "{name} {values:?}");
        assert_eq!(
            met.streamed,
            before + 1,
            "{name} {values:?} is not streamed"
        );
    }
    println!("{met:?}");
    assert!(met.blocking >= 400 && met.lost_explained >= 300, "{met:?}");
}

fn shipped(name: &str, values: &[(&str, &str)]) -> Instance {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/puzzles/");
    let text = std::fs::read([folder, name, ".puzzle"].concat()).expect("a shipped puzzle");
    let file = parse(name, &text).expect("a rule file").file;
    let values = values.iter().map(|&(n, v)| (n.to_owned(), v.to_owned()));
    let params = file.parameters(&values.collect::<Vec<_>>());
    let made = file.instance(name, params.expect("in range"), None);
    made.expect("an instance").0
}

/// Every printed invariant is constant, every potential rises by its step, and goals that are said to
/// be excluded are not reached: for the goals of the generator, and for rearrangements of the start.
#[test]
fn what_is_kept_is_kept() {
    let met = RefCell::new(Met::default());
    run(CASES / 2, |puzzle| {
        let met = &mut met.borrow_mut();
        met.puzzles += 1;
        let texts = with_other_goals(puzzle);
        check(&texts, met)?;
        if matches!(puzzle.board, Board::Line) {
            let endless = |text: &String| text.replace("board line", "board line endless, spare 2");
            check(&texts.iter().map(endless).collect::<Vec<_>>(), met)?;
        }
        Ok(())
    });
    let met = met.into_inner();
    println!("{met:?}");
    assert!(met.invariants * 4 >= met.puzzles, "{met:?}");
    assert!(met.potentials * 4 >= met.puzzles, "{met:?}");
    assert!(met.excluded * 4 >= met.puzzles, "{met:?}");
    assert!(met.on_rows * 40 >= met.puzzles, "{met:?}");
    // What the slow checker does not confirm is searched: that must stay rare.
    assert!(met.confirmed * 10 >= met.excluded * 9, "{met:?}");
}

#[test]
fn damaged_witnesses_are_not_believed() {
    let tiles = "puzzle \"T\"\npiece A..E \"t\"\nclass tile = A..E\nboard grid\nstart\n  A B C\n  E D .\ngoal\n  A B C\n  D E .\nmove s: t:tile . -> . t along orthogonal\n";
    assert_eq!(damaged_sums_are_refused(tiles), Ok(30));
    let pegs = "puzzle \"P\"\npiece P \"peg\"\nboard grid\nstart\n  . P P P\n  P P P P\n  P P P P\n  P P P P\ngoal\n  . . . .\n  . . . .\n  . P . .\n  . . . .\nmove j: P P . -> . . P along orthogonal\n";
    assert_eq!(damaged_sums_are_refused(pegs), Ok(16));
}

/// The puzzle, and the same with rearrangements of its start for goals.
fn with_other_goals(puzzle: &Puzzle) -> Vec<String> {
    let mut texts = vec![puzzle.text()];
    let start = &puzzle.starts[0];
    let cells: Vec<usize> = (0..start.len()).filter(|&c| start[c] != '#').collect();
    for turn in 1..4.min(cells.len()) {
        let mut goal = start.clone();
        goal.swap(cells[0], cells[turn]);
        goal.swap(cells[turn - 1], cells[cells.len() - 1]);
        let test = |&c: &char| (c != '#').then_some(Test::Is(c));
        let mut other = puzzle.clone();
        other.goal = Goal::Drawing(goal.iter().map(test).collect());
        texts.push(other.text());
    }
    texts
}

/// Runs a test on so many random puzzles, or as many as were asked for.
fn run(cases: u32, test: impl Fn(&Puzzle) -> Result<(), String>) {
    let config = Config {
        cases: number("IMPASSE_RANDOM_CASES").unwrap_or(u64::from(cases)) as u32,
        max_local_rejects: u32::MAX,
        max_shrink_iters: 3000,
        failure_persistence: None,
        ..Config::default()
    };
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number("IMPASSE_RANDOM_SEED").unwrap_or(1).to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let result = TestRunner::new_with_rng(config, rng).run(&puzzles(), |puzzle| {
        test(&puzzle).map_err(TestCaseError::fail)
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable)
        .ok()
        .map(|text| text.parse().expect("a number"))
}

/// What a puzzle was, if all answers agree.
struct Compared {
    states: usize,
    /// Whether the engine `layers` took it too.
    thin: bool,
    /// Whether the engine `stream` took it too.
    streamed: bool,
    symmetric: bool,
}

fn compare(puzzle: &Puzzle) -> Result<Compared, String> {
    let played = answers(puzzle, MOST_STATES).ok_or("too many states")?;
    let slow = Slow::of(&puzzle.text())?;
    slow.agrees_with(&played)
        .map_err(|what| format!("slow checker: {what}"))?;
    let product = Product::of(&puzzle.text())?;
    product
        .agrees_with(&played)
        .map_err(|what| format!("product: {what}"))?;
    product
        .agrees_with_slow(&slow)
        .map_err(|what| format!("product: {what}"))?;
    let text = puzzle.text() + &puzzle.claims();
    product.claims_agree(&slow, &text)?;
    product.laws_hold(&slow, &puzzle.text())?;
    let layers = Product::of_layers(&puzzle.text())?;
    if let Some(layers) = &layers {
        layers
            .has_figures_of(&product)
            .map_err(|what| format!("engine layers: {what}"))?;
    }
    let streamed = product
        .agrees_with_stream(&puzzle.text())
        .map_err(|what| format!("streamed: {what}"))?;
    let symmetries = product
        .agrees_with_reduced(&puzzle.text())
        .map_err(|what| format!("up to symmetry: {what}"))?;
    Ok(Compared {
        states: played.len(),
        thin: layers.is_some(),
        streamed,
        symmetric: symmetries > 1,
    })
}

/// Says what kind of spaces were met; small ones would prove little.
fn report(mut state_counts: Vec<usize>, thin: usize) {
    state_counts.sort_unstable();
    let at = |percent: usize| state_counts[(state_counts.len() - 1) * percent / 100];
    println!(
        "{} puzzles, {thin} of them by layers too; states: least {}, quarter {}, median {}, three quarters {}, most {}",
        state_counts.len(),
        at(0),
        at(25),
        at(50),
        at(75),
        at(100)
    );
    assert!(
        10 * thin >= state_counts.len(),
        "the generator makes too few puzzles for the engine layers: {thin}"
    );
    assert!(
        at(50) >= 50,
        "the generator makes too small puzzles: median {} states",
        at(50)
    );
}
