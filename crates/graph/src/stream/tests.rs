//! Images, layers and counts against rewriting cell by cell, on random rules.

use std::collections::{BTreeMap, BTreeSet};

use impasse_model::board::Cell;
use impasse_model::instance::SymbolSet;
use impasse_model::placed::PlacedRule;

mod random;

use random::{Dice, Random, Row, knobs, mapped, symmetric};

use super::{Cut, Direction, Knobs, NotStreamed, Prepared, Search, Set, Stream, Task};

fn rows(stream: &Stream, set: &Set) -> BTreeSet<Row> {
    let mut rows = BTreeSet::new();
    stream.each(set, |row| {
        assert!(rows.insert(row.to_vec()), "no row comes twice");
    });
    assert_eq!(rows.len() as u64, set.len(), "counts of blocks are right");
    rows
}

#[test]
fn images_are_what_rewriting_gives() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut bits, mut cases, mut transitions) = (0, 0, 0);
    while cases < 3000 {
        let random = Random::new(&mut dice);
        if random.rules.is_empty() {
            continue;
        }
        let all = random.arrangements();
        let stream = random.stream(&knobs(&mut dice, &random));
        let share = [2, 10, 1][dice.roll(3)];
        let chosen: BTreeSet<Row> = all
            .iter()
            .filter(|_| dice.roll(share) == 0)
            .cloned()
            .collect();
        let list: Vec<Row> = chosen.iter().cloned().collect();
        let set = stream.of_positions(&list).expect("memory");
        assert_eq!(rows(&stream, &set), chosen);
        assert_eq!(stream.all().expect("memory").len(), all.len() as u64);

        let after: BTreeSet<Row> = list.iter().flat_map(|r| random.successors(r)).collect();
        let image = stream.image(Direction::Forward, &set).expect("memory");
        assert_eq!(rows(&stream, &image), after, "image of {list:?}");

        let before: BTreeSet<Row> = all
            .iter()
            .filter(|row| random.successors(row).iter().any(|n| chosen.contains(n)))
            .cloned()
            .collect();
        let preimage = stream.image(Direction::Backward, &set).expect("memory");
        assert_eq!(rows(&stream, &preimage), before, "preimage of {list:?}");

        let into = |row: &Row| {
            let next = random.successors(row);
            next.into_iter().filter(|n| chosen.contains(n)).count() as u64
        };
        let count: u64 = list.iter().map(|r| random.successors(r).len() as u64).sum();
        assert_eq!(stream.transitions(&set, None), count);
        let inner: u64 = list.iter().map(into).sum();
        assert_eq!(stream.transitions(&set, Some(&set)), inner);
        let once = stream.once_into(&set).expect("memory");
        let expected: BTreeSet<Row> = all.iter().filter(|r| into(r) == 1).cloned().collect();
        assert_eq!(rows(&stream, &once), expected);
        for row in &list {
            let spots = stream.successors(row);
            let next: BTreeSet<Row> = spots.iter().map(|&s| stream.position(s)).collect();
            assert_eq!(next, random.successors(row));
            assert!(stream.has(&set, row));
        }
        cases += 1;
        bits += all.len();
        transitions += count;
    }
    println!("{cases} images of sets among {bits} arrangements, {transitions} transitions");
    assert!(
        bits > 500_000 && transitions > 500_000,
        "the cases are no trifles"
    );
}

/// Layers by plain search.
fn layers(random: &Random) -> Vec<BTreeSet<Row>> {
    let mut seen: BTreeMap<Row, usize> = BTreeMap::new();
    let mut layer: BTreeSet<Row> = random.starts.iter().cloned().collect();
    let mut all = Vec::new();
    while !layer.is_empty() {
        seen.extend(layer.iter().map(|row| (row.clone(), all.len())));
        let next = layer
            .iter()
            .flat_map(|row| random.successors(row))
            .filter(|row| !seen.contains_key(row))
            .collect();
        all.push(std::mem::replace(&mut layer, next));
    }
    all
}

#[test]
fn searches_find_the_same_layers() {
    let mut dice = Dice(0x1234_5678_9abc_def1);
    let (mut states, mut cases, mut undirected) = (0, 0, 0);
    while cases < 600 {
        let mut random = Random::new(&mut dice);
        if random.rules.is_empty() {
            continue;
        }
        if dice.roll(2) == 0 {
            let inverses: Vec<PlacedRule> = random.rules.iter().map(PlacedRule::inverse).collect();
            random.rules.extend(inverses);
        }
        let expected = layers(&random);
        let stream = random.stream(&knobs(&mut dice, &random));
        let starts = stream.starts().expect("memory");
        let mut search = Search::new(&stream, Direction::Forward, starts, None)
            .expect("memory")
            .counting(true);
        for layer in &expected {
            assert_eq!(rows(&stream, search.layer()), *layer);
            let out: usize = layer.iter().map(|r| random.successors(r).len()).sum();
            assert_eq!(search.step().transitions, out as u64);
        }
        assert!(search.layer().is_empty());
        cases += 1;
        undirected += usize::from(stream.is_undirected());
        states += expected.iter().map(BTreeSet::len).sum::<usize>();
    }
    println!("{cases} searches ({undirected} undirected) reach {states} states");
    assert!(
        states > 20_000 && undirected > 150,
        "the searches go somewhere"
    );
}

#[test]
fn searches_up_to_symmetry_stand_for_the_same_layers() {
    let mut dice = Dice(0x0dd_ba11_5eed);
    let (mut states, mut cases, mut kept, mut undirected) = (0, 0, 0, 0);
    while cases < 120 {
        let (mut random, group) = symmetric(&mut dice);
        if dice.roll(2) == 0 {
            // Without the inverses of some rules, and of their images.
            let gone = random.rules[dice.roll(random.rules.len())].clone();
            let gone: Vec<PlacedRule> = group.iter().map(|g| mapped(&gone, g)).collect();
            random.rules.retain(|rule| !gone.contains(rule));
        }
        let knobs = Knobs {
            lead: Some(true),
            ..knobs(&mut dice, &random)
        };
        let stream = random.stream_up_to(&group, &knobs);
        if !stream.is_folded() {
            continue;
        }
        let starts = stream.starts().expect("memory");
        let mut search = Search::new(&stream, Direction::Forward, starts, None)
            .expect("memory")
            .counting(true);
        let mut standing = stream.states_in(search.layer());
        let mut reached = BTreeSet::new();
        let layers = layers(&random);
        if layers.iter().map(BTreeSet::len).sum::<usize>() < 50 {
            continue;
        }
        for layer in layers {
            assert_eq!(standing, layer.len() as u64);
            let rows = rows(&stream, search.layer());
            assert!(rows.is_subset(&layer));
            let all: BTreeSet<Row> = rows
                .iter()
                .flat_map(|row| group.iter().map(|g| g.image(row)))
                .collect();
            assert_eq!(all, layer, "what is kept stands for all");
            let out: usize = layer.iter().map(|r| random.successors(r).len()).sum();
            let found = search.step();
            assert_eq!(found.transitions, out as u64);
            standing = found.states;
            states += layer.len();
            reached.extend(layer);
            kept += rows.len();
        }
        assert_eq!(standing, 0);
        let list: Vec<Row> = reached.into_iter().collect();
        let set = stream.of_positions(&list).expect("memory");
        assert_eq!(stream.states_in(&set), list.len() as u64);
        let out: usize = list.iter().map(|r| random.successors(r).len()).sum();
        assert_eq!(stream.transitions(&set, None), out as u64);
        let standing_for = list.iter().map(|row| stream.stands_for(row));
        assert_eq!(standing_for.sum::<u64>(), list.len() as u64);
        for row in &list {
            assert_eq!(stream.can_move(row), !random.successors(row).is_empty());
        }
        cases += 1;
        undirected += usize::from(stream.is_undirected());
    }
    println!("{cases} searches ({undirected} undirected), {kept} states stand for {states}");
    assert!(states > 8_000 && undirected > 40 && 4 * kept < 3 * states);
}

#[test]
fn sizes_are_known_before_anything_is_built() {
    let mut dice = Dice(0x5851_f42d_4c95_7f2d);
    for _ in 0..200 {
        let random = Random::new(&mut dice);
        let knobs = knobs(&mut dice, &random);
        let task = Task {
            rules: &random.rules,
            undirected: random.undirected(),
            cells: random.cells,
            symbols: random.symbols,
            starts: &random.starts,
            row: true,
            symmetries: &[],
        };
        let prepared = Prepared::new(&task, &knobs).expect("it conserves");
        let size = prepared.size();
        let stream = prepared.build();
        assert_eq!(size.set_bytes, stream.set_bytes());
        assert_eq!(size.arrangements, random.arrangements().len() as u64);
    }
    // Sixteen different tiles: refused at once, not after an hour.
    let start: Row = (0..16).collect();
    let task = Task {
        rules: &[],
        undirected: true,
        cells: 16,
        symbols: 16,
        starts: &[start],
        row: true,
        symmetries: &[],
    };
    let refused = Prepared::new(&task, &Knobs::default()).expect_err("too many");
    assert_eq!(refused, NotStreamed::TooManyStates);
}

/// Two-way frogs, n a side: an undirected space in which every arrangement is reached.
fn frogs(n: usize) -> Random {
    let cells = 2 * n + 1;
    let rule = |delta: &[(usize, u8, u8)], guard: Option<(usize, u8)>| {
        let delta = delta.iter().map(|&(c, u, v)| (c as Cell, u, v)).collect();
        let guard = guard.map(|(c, s)| (c as Cell, SymbolSet::one(s)));
        PlacedRule {
            rule: 0,
            delta,
            moved: Vec::new(),
            guard: guard.into_iter().collect(),
            forbid: Vec::new(),
            path: Vec::new(),
        }
    };
    let mut rules = Vec::new();
    for a in 0..cells {
        for s in [1_u8, 2] {
            if a + 1 < cells {
                rules.push(rule(&[(a, s, 0), (a + 1, 0, s)], None));
            }
            if a + 2 < cells {
                rules.push(rule(&[(a, s, 0), (a + 2, 0, s)], Some((a + 1, 3 - s))));
            }
        }
    }
    let inverses: Vec<PlacedRule> = rules.iter().map(PlacedRule::inverse).collect();
    rules.extend(inverses);
    let start = (0..cells).map(|c| match c.cmp(&n) {
        std::cmp::Ordering::Less => 1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => 2,
    });
    Random {
        cells,
        symbols: 3,
        starts: vec![start.collect()],
        rules,
    }
}

/// Settings, threads and orders change speed and memory, never a layer.
#[test]
fn layers_do_not_depend_on_settings() {
    let random = frogs(6);
    let sizes = |knobs: &Knobs, threads: usize| -> Vec<u64> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool");
        pool.install(|| {
            let stream = random.stream(knobs);
            let starts = stream.starts().expect("memory");
            let mut search =
                Search::new(&stream, Direction::Forward, starts, None).expect("memory");
            let mut sizes = vec![search.layer().len()];
            loop {
                match search.step().states {
                    0 => return sizes,
                    found => sizes.push(found),
                }
            }
        })
    };
    let expected = sizes(&Knobs::default(), 1);
    assert_eq!(expected.iter().sum::<u64>(), 13 * 924, "all arrangements");
    let plain: Vec<u64> = layers(&random).iter().map(|l| l.len() as u64).collect();
    assert_eq!(expected, plain);
    let mut dice = Dice(99);
    for round in 0..40 {
        let knobs = Knobs {
            cut: Cut {
                leaf_bits: [1, 64, 128, 192, 256, 1000][round % 6],
                block_words: [1, 10, 100, 5000][round % 4],
                free: None,
            },
            ..knobs(&mut dice, &random)
        };
        assert_eq!(sizes(&knobs, 1 + round % 3), expected, "{knobs:?}");
    }
}

#[test]
fn what_cannot_be_streamed() {
    let mut dice = Dice(7);
    let mut random = Random::new(&mut dice);
    random.rules = vec![PlacedRule {
        rule: 0,
        delta: vec![(0, 0, 1)],
        moved: Vec::new(),
        guard: Vec::new(),
        forbid: Vec::new(),
        path: Vec::new(),
    }];
    let task = Task {
        rules: &random.rules,
        undirected: false,
        cells: random.cells,
        symbols: random.symbols,
        starts: &random.starts,
        row: true,
        symmetries: &[],
    };
    let refused = Stream::new(&task, &Knobs::default()).expect_err("a piece appears");
    assert_eq!(refused, NotStreamed::NotConserving);
}
