//! Random puzzles, answered three times: by the product, by the slow checker, and by an interpreter
//! of strings that shares nothing with either.
//!
//! `IMPASSE_RANDOM_CASES` sets how many puzzles are tried, `IMPASSE_RANDOM_SEED` which ones.

mod random {
    pub(crate) mod answers;
    pub(crate) mod generate;
    pub(crate) mod interpret;
    pub(crate) mod puzzle;
}

use std::cell::RefCell;

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

use random::answers::{Product, Slow};
use random::generate::{MOST_STATES, puzzles};
use random::interpret::answers;
use random::puzzle::Puzzle;

/// Enough to meet every kind of rule on every board.
const CASES: u32 = 600;

#[test]
fn three_answers_agree() {
    let config = Config {
        cases: number("IMPASSE_RANDOM_CASES").unwrap_or(u64::from(CASES)) as u32,
        max_local_rejects: u32::MAX,
        max_shrink_iters: 3000,
        failure_persistence: None,
        ..Config::default()
    };
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number("IMPASSE_RANDOM_SEED").unwrap_or(1).to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let state_counts = RefCell::new(Vec::new());
    let result = TestRunner::new_with_rng(config, rng).run(&puzzles(), |puzzle| {
        let count = compare(&puzzle).map_err(TestCaseError::fail)?;
        state_counts.borrow_mut().push(count);
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
    report(state_counts.into_inner());
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable)
        .ok()
        .map(|text| text.parse().expect("a number"))
}

/// The number of states, if all three agree.
fn compare(puzzle: &Puzzle) -> Result<usize, String> {
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
    Ok(played.len())
}

/// Says what kind of spaces were met; small ones would prove little.
fn report(mut state_counts: Vec<usize>) {
    state_counts.sort_unstable();
    let at = |percent: usize| state_counts[(state_counts.len() - 1) * percent / 100];
    println!(
        "{} puzzles; states: least {}, quarter {}, median {}, three quarters {}, most {}",
        state_counts.len(),
        at(0),
        at(25),
        at(50),
        at(75),
        at(100)
    );
    assert!(
        at(50) >= 50,
        "the generator makes too small puzzles: median {} states",
        at(50)
    );
}
