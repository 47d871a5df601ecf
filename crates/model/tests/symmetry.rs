//! Symmetries of shipped puzzles, and what packing makes of them.

use std::path::Path;

use impasse_model::compiled::{Compiled, packing};
use impasse_model::instance::Instance;
use impasse_model::place::place;
use impasse_model::symmetry::{PackedGroup, Symmetry, symmetries};

fn instance(name: &str, params: &str) -> Instance {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../data/puzzles/{name}.puzzle"));
    let text = std::fs::read(path).expect("a shipped file");
    let file = impasse_model::parse::parse(name, &text)
        .expect("it parses")
        .file;
    let given: Vec<(String, String)> = params
        .split_whitespace()
        .filter_map(|p| p.split_once('='))
        .map(|(n, v)| (n.to_owned(), v.to_owned()))
        .collect();
    let params = file.parameters(&given).expect("in range");
    file.instance(name, params, None).expect("it elaborates").0
}

fn of(name: &str, params: &str) -> (Instance, Vec<Symmetry>) {
    let instance = instance(name, params);
    let placed = place(&instance).expect("few placements");
    let found = symmetries(&instance, &placed);
    (instance, found)
}

#[test]
fn what_may_be_exchanged() {
    for (name, params, count) in [
        // The mirror image with the kinds exchanged.
        ("frogs-and-toads", "n=3", 2),
        ("frogs-and-toads-both-ways", "n=4", 2),
        // More of one kind than of the other.
        ("frogs-and-toads", "n=3 m=2", 1),
        // Turns and mirrors of the cross.
        ("peg-solitaire", "", 8),
        // Rows and columns mirrored; the kinds change places with the rows.
        ("knights-exchange", "rows=4 cols=3", 4),
    ] {
        let (_, found) = of(name, params);
        assert_eq!(found.len(), count, "{name} {params}: {found:?}");
        assert!(found[0].is_identity());
        assert!(found[1..].iter().all(|symmetry| !symmetry.is_identity()));
    }
}

#[test]
fn they_are_a_group_and_keep_starts() {
    for (name, params) in [
        ("frogs-and-toads", "n=4"),
        ("peg-solitaire", ""),
        ("guarini", ""),
        ("knights-exchange", "rows=4 cols=4"),
        ("fore-and-aft", "n=2"),
    ] {
        let (instance, found) = of(name, params);
        for a in &found {
            for start in &instance.starts {
                assert!(instance.starts.contains(&a.image(start)), "{name}");
            }
            for b in &found {
                let both = Symmetry {
                    cells: a.cells.iter().map(|&c| b.cells[c as usize]).collect(),
                    symbols: a
                        .symbols
                        .iter()
                        .map(|&s| b.symbols[usize::from(s)])
                        .collect(),
                };
                assert!(found.contains(&both), "{name}: the product is one of them");
            }
        }
    }
}

#[test]
fn packed_images_are_images() {
    for (name, params) in [
        ("frogs-and-toads", "n=5"),
        ("peg-solitaire", ""),
        ("knights-exchange", "rows=4 cols=4"),
    ] {
        let (instance, found) = of(name, params);
        let placed = place(&instance).expect("few placements");
        let puzzle = Compiled::<u128>::new(instance.clone(), placed.clone());
        let group = PackedGroup::<u128>::new(&found, packing(&instance, &placed));
        assert_eq!(group.order(), found.len());
        let mut position = instance.starts[0].clone();
        for turn in 0..position.len() {
            position.rotate_left(1);
            let cells = position.len();
            position.swap(turn % cells, (3 * turn + 1) % cells);
            let state = puzzle.pack(&position).expect("it fits");
            let mut images: Vec<u128> = found
                .iter()
                .map(|s| puzzle.pack(&s.image(&position)).expect("it fits"))
                .collect();
            images.sort_unstable();
            assert_eq!(group.least(state), images[0], "{name}");
            images.dedup();
            assert_eq!(group.orbit(state), images.len() as u64, "{name}");
        }
    }
}
