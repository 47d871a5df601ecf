//! The explicit space against itself: counts by effect, image and preimage, threads, layers kept or
//! not, inverse moves or collected predecessors.

use std::path::Path;
use std::sync::Arc;

use impasse_graph::explicit::Explicit;
use impasse_graph::observe::{Limits, Silent};
use impasse_graph::search::{Found, search};
use impasse_graph::slots::SlotSet;
use impasse_graph::space::{Indexed, Layers, Space, retrograde_by_sets, tally_by_effect};
use impasse_model::compiled::{Compiled, packing};
use impasse_model::instance::Instance;
use impasse_model::place::place;
use impasse_model::puzzle::{Puzzle, Reversible};
use impasse_model::rank::Ranking;
use impasse_model::word::Wide;

/// Small spaces of every kind: directed, undirected, with dead ends, with several goals.
const SPACES: [(&str, &str); 14] = [
    ("frogs-and-toads", "n=4"),
    ("frogs-and-toads", "n=3 k=2 over=any way=both"),
    ("frogs-and-toads", "n=3 m=1 k=2"),
    ("frogs-and-toads-both-ways", "n=4"),
    ("fore-and-aft", "n=1"),
    ("guarini", ""),
    ("guarini-graph", ""),
    ("peg-rectangle", "rows=3 cols=4"),
    ("hanoi3", "n=4"),
    ("tait", "n=3"),
    ("coins-little-room", ""),
    ("sokoban", ""),
    ("coins", "room=6"),
    ("rooks-exchange", ""),
];

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

fn compiled(name: &str, params: &str) -> Arc<Compiled<u64>> {
    let instance = instance(name, params);
    let placed = place(&instance).expect("few placements");
    Arc::new(Compiled::new(instance, placed))
}

fn found(puzzle: &Compiled<u64>, threads: usize) -> Found<u64> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("a pool");
    pool.install(|| search(puzzle, true, &Limits::default(), &Silent))
}

fn live(space: &Explicit<u64>) -> SlotSet {
    let (mut live, mut front) = (space.goals(), space.goals());
    while space.count(&front) > 0 {
        front = space.new_predecessors(&front, &live);
        space.or(&mut live, &front);
    }
    live
}

#[test]
fn the_tally_is_the_sum_over_effects() {
    for (name, params) in SPACES {
        let puzzle = compiled(name, params);
        let space = Explicit::reversible(&puzzle, found(&puzzle, 2)).expect("few states");
        let live = live(&space);
        let std::ops::ControlFlow::Continue(tally) = space.tally(&live, &Silent) else {
            panic!("nobody breaks it off")
        };
        let slow = tally_by_effect(&space, &live).expect("effects are known");
        assert_eq!(tally, slow, "{name} {params}");
        let transitions: u64 = space.layers().iter().map(|l| l.transitions).sum();
        assert_eq!(tally.transitions, transitions, "{name} {params}");
    }
}

#[test]
fn inverse_moves_and_collected_predecessors_agree() {
    for (name, params) in SPACES {
        let puzzle = compiled(name, params);
        let inverse = Explicit::reversible(&puzzle, found(&puzzle, 1)).expect("few states");
        let collected =
            Explicit::collected(puzzle.clone(), found(&puzzle, 1), None).expect("few states");
        for depth in 0..inverse.layers().len() {
            let layer = inverse.layer(depth);
            let before = inverse.preimage(None, &layer);
            assert_eq!(
                before,
                collected.preimage(None, &layer),
                "{name} {params} {depth}"
            );
            let mut reached = inverse.image(None, &before);
            space_and(&inverse, &mut reached, &layer);
            let mut wanted = layer.clone();
            if depth == 0 {
                space_and(
                    &inverse,
                    &mut wanted,
                    &inverse.image(None, &inverse.reached()),
                );
            }
            assert_eq!(reached, wanted, "{name} {params} {depth}");
        }
        assert_eq!(live(&inverse), live(&collected), "{name} {params}");
    }
}

fn space_and(space: &Explicit<u64>, a: &mut SlotSet, b: &SlotSet) {
    space.and(a, b);
}

#[test]
fn retrograde_analysis_by_sets_and_around_the_goals_agree() {
    for (name, params) in SPACES {
        let puzzle = compiled(name, params);
        let space = Explicit::reversible(&puzzle, found(&puzzle, 2)).expect("few states");
        let (mut around, mut by_sets) = (Vec::new(), Vec::new());
        let whole = space.retrograde(&Silent, &mut |r, set| around.push((r, set.clone())));
        assert!(whole.is_continue(), "nobody breaks it off");
        let whole = retrograde_by_sets(&space, &Silent, &mut |r, set| {
            by_sets.push((r, set.clone()));
        });
        assert!(whole.is_continue(), "nobody breaks it off");
        assert_eq!(around, by_sets, "{name} {params}");
    }
}

#[test]
fn threads_and_memory_change_nothing() {
    for (name, params) in SPACES {
        let puzzle = compiled(name, params);
        let one = found(&puzzle, 1);
        for threads in [2, 8] {
            let many = found(&puzzle, threads);
            assert_eq!(one.states, many.states, "{name} {params}");
            assert_eq!(one.counts, many.counts, "{name} {params}");
        }
        let forgetful = search(&*puzzle, false, &Limits::default(), &Silent);
        assert_eq!(one.counts, forgetful.counts, "{name} {params}");
        let sizes: Vec<u64> = one.by_depth().iter().map(|l| l.len() as u64).collect();
        assert_eq!(
            sizes,
            one.counts.iter().map(|c| c.states).collect::<Vec<_>>()
        );
    }
}

#[test]
fn a_state_succeeds_exactly_where_the_other_precedes() {
    for (name, params) in SPACES {
        let puzzle = compiled(name, params);
        let states: Vec<u64> = found(&puzzle, 1).states;
        for &state in &states {
            let mut after = Vec::new();
            puzzle.moves(state, |mv, next| after.push((mv, next)));
            for &(mv, next) in &after {
                assert_ne!(next, state, "{name} {params}: a move changes the state");
                let mut back = false;
                puzzle.unmoves(next, |unmove, before| {
                    back |= (unmove, before) == (mv, state);
                });
                assert!(
                    back,
                    "{name} {params}: {mv:?} of {state:b} is not taken back"
                );
            }
            puzzle.unmoves(state, |mv, before| {
                let mut there = false;
                puzzle.moves(before, |again, next| there |= (again, next) == (mv, state));
                assert!(
                    there,
                    "{name} {params}: {before:b} does not lead to {state:b}"
                );
            });
        }
    }
}

#[test]
fn numbers_follow_depth_then_board_order() {
    let puzzle = compiled("frogs-and-toads", "n=4");
    let space = Explicit::reversible(&puzzle, found(&puzzle, 2)).expect("few states");
    let mut last = None;
    for id in 0..space.slot_count() {
        let slot = space.slot(id);
        assert_eq!(space.id(slot), id);
        let here = (space.depth(slot), space.state(slot));
        assert!(last < Some(here));
        last = Some(here);
    }
}

#[test]
fn words_of_every_width_give_the_same_layers() {
    for (name, params) in SPACES {
        let instance = instance(name, params);
        let placed = place(&instance).expect("few placements");
        assert!(packing(&instance, &placed).bits() <= 64);
        let narrow = search(
            &Compiled::<u64>::new(instance.clone(), placed.clone()),
            true,
            &Limits::default(),
            &Silent,
        );
        macro_rules! check {
            ($word:ty) => {
                let puzzle = Compiled::<$word>::new(instance.clone(), placed.clone());
                let wide = search(&puzzle, true, &Limits::default(), &Silent);
                assert_eq!(narrow.counts, wide.counts, "{name} {params}");
                let positions = wide.states.into_iter().map(|s| puzzle.unpack(s));
                let small = Compiled::<u64>::new(instance.clone(), placed.clone());
                assert!(positions.eq(narrow.states.iter().map(|&s| small.unpack(s))));
            };
        }
        check!(u128);
        check!(Wide<4>);
        check!(Wide<8>);
        check!(Wide<16>);
    }
}

#[test]
fn ranks_of_reached_states_are_distinct_and_come_back() {
    let puzzle = compiled("frogs-and-toads-both-ways", "n=3");
    let states: Vec<u64> = found(&puzzle, 1).states;
    let ranking = Ranking::of(&puzzle.unpack(states[0]), 3).expect("it fits");
    let mut ranks: Vec<u128> = states
        .iter()
        .map(|&state| {
            let position = puzzle.unpack(state);
            let rank = ranking.rank(&position).expect("moves conserve");
            assert_eq!(ranking.unrank(rank).expect("below the total"), position);
            rank
        })
        .collect();
    ranks.sort_unstable();
    assert!(
        ranks.iter().copied().eq(0..ranking.total()),
        "two-way frogs reach all 140"
    );
}

#[test]
fn limits_cut_between_layers() {
    let puzzle = compiled("frogs-and-toads", "n=4");
    let whole = found(&puzzle, 1);
    for depth in 0..24 {
        let limits = Limits {
            max_depth: Some(depth),
            ..Limits::default()
        };
        let cut = search(&*puzzle, true, &limits, &Silent);
        assert_eq!(cut.by_depth(), whole.by_depth()[..=depth as usize]);
        assert_ne!(cut.outcome, whole.outcome);
    }
    for most in 1..195 {
        let limits = Limits {
            max_states: Some(most),
            ..Limits::default()
        };
        let cut = search(&*puzzle, true, &limits, &Silent);
        let states = cut.states.len();
        assert!(states as u64 <= most);
        assert!((states + whole.by_depth()[cut.counts.len()].len()) as u64 > most);
    }
    let roomy = Limits {
        max_depth: Some(24),
        max_states: Some(195),
        ..Limits::default()
    };
    assert_eq!(
        search(&*puzzle, true, &roomy, &Silent).outcome,
        whole.outcome
    );
}
