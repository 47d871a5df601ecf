//! Tables owned by threads give the layers of the engine, whatever their number.

#[path = "../examples/open_table.rs"]
mod open_table;

use impasse_graph::expand::Expand;
use impasse_graph::observe::{Limits, Silent};
use impasse_graph::search::search;
use open_table::{by_hand::from_file, by_tables};

#[test]
fn owned_tables_give_the_layers_of_the_engine() {
    let cases = [
        ("frogs-and-toads-both-ways", vec![("n", "5".to_owned())]),
        ("frogs-and-toads", vec![("n", "9".to_owned())]),
        ("peg-triangle", Vec::new()),
        ("tait", Vec::new()),
    ];
    for (name, values) in cases {
        let puzzle = from_file(name, &values).expect("a shipped file");
        let wanted = search(&puzzle, false, &Limits::default(), &Silent).counts;
        for threads in 1..=3 {
            assert_eq!(
                by_tables(&puzzle, threads, false, u64::MAX),
                wanted,
                "{name}"
            );
            if Expand::is_undirected(&puzzle) {
                assert_eq!(
                    by_tables(&puzzle, threads, true, u64::MAX),
                    wanted,
                    "{name}"
                );
            }
        }
    }
}
