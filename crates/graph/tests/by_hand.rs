//! Puzzles written by hand in Rust give the layers of their rule files.

#[path = "../examples/by_hand.rs"]
mod by_hand;

use by_hand::{Exchange, enumerate, from_file};

#[test]
fn rule_files_give_the_same_layers() {
    for side in 1..=5 {
        let file = from_file("frogs-and-toads-both-ways", &[("n", side.to_string())]);
        let file = file.expect("a shipped file");
        assert_eq!(enumerate(&Exchange::frogs(side)).0, enumerate(&file).0);
    }
    for (rows, cols) in [(3, 3), (3, 4), (4, 3)] {
        let values = [("rows", rows.to_string()), ("cols", cols.to_string())];
        let file = from_file("knights-exchange", &values).expect("a shipped file");
        assert_eq!(
            enumerate(&Exchange::knights(rows, cols)).0,
            enumerate(&file).0
        );
    }
}
