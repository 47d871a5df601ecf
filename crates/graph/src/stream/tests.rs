//! Images, layers and counts against rewriting cell by cell, on random rules.

use std::collections::{BTreeMap, BTreeSet};

use impasse_model::board::Cell;
use impasse_model::instance::SymbolSet;
use impasse_model::placed::PlacedRule;
use impasse_model::symmetry::Symmetry;

use super::{Cut, Direction, Form, Knobs, NotStreamed, Search, Set, Stream, Task};

/// A small generator of our own: equal numbers on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }
}

type Row = Vec<u64>;

/// A random puzzle: a multiset on a row of cells, and rules on a few scattered cells.
struct Random {
    cells: usize,
    symbols: usize,
    starts: Vec<Row>,
    rules: Vec<PlacedRule>,
}

fn guard(dice: &mut Dice, cell: usize, symbols: usize) -> (Cell, SymbolSet) {
    let set = 1 + dice.roll((1 << symbols) - 2) as u64;
    (cell as Cell, SymbolSet(set))
}

impl Random {
    fn new(dice: &mut Dice) -> Self {
        let symbols = 2 + dice.roll(3);
        let cells = 4 + dice.roll([0, 0, 9, 6, 4][symbols]);
        let start: Row = (0..cells).map(|_| dice.roll(symbols) as u64).collect();
        let mut starts = vec![start];
        if dice.roll(4) == 0 {
            // Sometimes a second multiset.
            starts.push((0..cells).map(|_| dice.roll(symbols) as u64).collect());
        }
        let mut rules = Vec::new();
        for _ in 0..=dice.roll(6) {
            let Some(rule) = Self::rule(dice, cells, symbols) else {
                continue;
            };
            // The same rule at several places, as in real puzzles, or only there.
            let places = [1, cells, cells / 2 + 1][dice.roll(3)];
            rules.extend((0..places).map(|by| Self::shifted(&rule, by, cells)));
        }
        Self {
            cells,
            symbols,
            starts,
            rules,
        }
    }

    /// A rearrangement of a few cells, with guards, forbidden lists, or contents that move.
    fn rule(dice: &mut Dice, cells: usize, symbols: usize) -> Option<PlacedRule> {
        let mut free: Vec<usize> = (0..cells).collect();
        let mut take = |dice: &mut Dice| free.swap_remove(dice.roll(free.len()));
        let mut rule = PlacedRule {
            rule: 0,
            delta: Vec::new(),
            moved: Vec::new(),
            guard: Vec::new(),
            forbid: Vec::new(),
            path: Vec::new(),
        };
        let width = 2 + dice.roll(2.min(cells - 1));
        let touched: Vec<usize> = (0..width.min(cells)).map(|_| take(dice)).collect();
        if dice.roll(5) == 0 {
            for (i, &cell) in touched.iter().enumerate() {
                let to = touched[(i + 1) % touched.len()];
                let set = SymbolSet::any(symbols);
                rule.moved.push((cell as Cell, to as Cell, set));
            }
            rule.moved.sort_unstable();
        } else {
            let before: Vec<u8> = touched.iter().map(|_| dice.roll(symbols) as u8).collect();
            let mut after = before.clone();
            let turn = 1 + dice.roll(after.len() - 1);
            after.rotate_left(turn);
            for (i, &cell) in touched.iter().enumerate() {
                if before[i] == after[i] {
                    rule.guard.push((cell as Cell, SymbolSet::one(before[i])));
                } else {
                    rule.delta.push((cell as Cell, before[i], after[i]));
                }
            }
            rule.delta.sort_unstable();
            if rule.delta.is_empty() {
                return None;
            }
        }
        if cells > width + 1 && dice.roll(2) == 0 {
            let cell = take(dice);
            rule.guard.push(guard(dice, cell, symbols));
        }
        rule.guard.sort_unstable();
        if cells > width + 3 && dice.roll(4) == 0 {
            let list = [take(dice), take(dice)];
            let mut list = list.map(|cell| guard(dice, cell, symbols)).to_vec();
            list.sort_unstable();
            rule.forbid.push(list);
        }
        Some(rule)
    }

    fn shifted(rule: &PlacedRule, by: usize, cells: usize) -> PlacedRule {
        let to = |cell: Cell| ((cell as usize + by) % cells) as Cell;
        let mut rule = rule.clone();
        rule.delta.iter_mut().for_each(|d| d.0 = to(d.0));
        for moved in &mut rule.moved {
            (moved.0, moved.1) = (to(moved.0), to(moved.1));
        }
        rule.guard.iter_mut().for_each(|g| g.0 = to(g.0));
        for list in &mut rule.forbid {
            for test in &mut *list {
                test.0 = to(test.0);
            }
            list.sort_unstable();
        }
        rule.delta.sort_unstable();
        rule.moved.sort_unstable();
        rule.guard.sort_unstable();
        rule
    }

    /// All arrangements of the multisets of the starts.
    fn arrangements(&self) -> Vec<Row> {
        let mut all = BTreeSet::new();
        let sorted = |row: &Row| {
            let mut row = row.clone();
            row.sort_unstable();
            row
        };
        let wanted: BTreeSet<Row> = self.starts.iter().map(sorted).collect();
        let mut row = vec![0; self.cells];
        loop {
            if wanted.contains(&sorted(&row)) {
                all.insert(row.clone());
            }
            let Some(at) = row.iter().rposition(|&s| s + 1 < self.symbols as u64) else {
                return all.into_iter().collect();
            };
            row[at] += 1;
            row[at + 1..].fill(0);
        }
    }

    fn fits(list: &[(Cell, SymbolSet)], row: &Row) -> bool {
        list.iter().all(|&(c, set)| set.has(row[c as usize] as u8))
    }

    fn apply(rule: &PlacedRule, row: &Row) -> Option<Row> {
        let fits = rule
            .delta
            .iter()
            .all(|&(c, before, _)| row[c as usize] == u64::from(before))
            && rule
                .moved
                .iter()
                .all(|&(c, _, set)| set.has(row[c as usize] as u8))
            && Self::fits(&rule.guard, row)
            && !rule.forbid.iter().any(|list| Self::fits(list, row));
        if !fits {
            return None;
        }
        let mut next = row.clone();
        for &(c, _, after) in &rule.delta {
            next[c as usize] = u64::from(after);
        }
        for &(from, to, _) in &rule.moved {
            next[to as usize] = row[from as usize];
        }
        (next != *row).then_some(next)
    }

    fn successors(&self, row: &Row) -> BTreeSet<Row> {
        self.rules
            .iter()
            .filter_map(|rule| Self::apply(rule, row))
            .collect()
    }

    fn undirected(&self) -> bool {
        impasse_model::compiled::is_undirected(&self.rules)
    }

    fn stream(&self, knobs: &Knobs) -> Stream {
        self.stream_up_to(&[], knobs)
    }

    fn stream_up_to(&self, symmetries: &[Symmetry], knobs: &Knobs) -> Stream {
        let task = Task {
            rules: &self.rules,
            undirected: self.undirected(),
            cells: self.cells,
            symbols: self.symbols,
            starts: &self.starts,
            row: true,
            symmetries,
        };
        Stream::new(&task, knobs).expect("it conserves")
    }
}

fn knobs(dice: &mut Dice, random: &Random) -> Knobs {
    let cells = random.cells;
    let mut occurring: Vec<u8> = (0..random.symbols as u8)
        .filter(|&s| random.starts.iter().flatten().any(|&c| c == u64::from(s)))
        .collect();
    for i in (1..occurring.len()).rev() {
        occurring.swap(i, dice.roll(i + 1));
    }
    let form = [Form::Gather, Form::Turn][dice.roll(2)];
    let shuffled = |dice: &mut Dice| {
        let mut order: Vec<Cell> = (0..cells as Cell).collect();
        for i in (1..cells).rev() {
            order.swap(i, dice.roll(i + 1));
        }
        order
    };
    Knobs {
        cut: Cut {
            leaf_bits: [1, 5, 64, 100, 192, 300][dice.roll(6)],
            block_words: 5000,
            free: Some(dice.roll(cells + 1)),
        },
        form: form.is_there().then_some(form),
        cells: (dice.roll(2) == 0).then(|| shuffled(dice)),
        symbols: (dice.roll(2) == 0).then_some(occurring),
        sparse_below: [None, Some(0.0), Some(100.0)][dice.roll(3)],
        run_words: Some(1 + dice.roll(40) as u64),
        lead: [None, Some(false), Some(true), Some(true)][dice.roll(4)],
    }
}

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

/// A rule as a symmetry maps it.
fn mapped(rule: &PlacedRule, symmetry: &Symmetry) -> PlacedRule {
    let cell = |c: Cell| symmetry.cells[c as usize];
    let symbol = |s: u8| symmetry.symbols[usize::from(s)];
    let set = |set: SymbolSet| {
        let symbols = set.symbols().map(|s| 1 << symbol(s));
        SymbolSet(symbols.fold(0, |all, s: u64| all | s))
    };
    let mut rule = rule.clone();
    for (c, u, v) in &mut rule.delta {
        (*c, *u, *v) = (cell(*c), symbol(*u), symbol(*v));
    }
    for (from, to, what) in &mut rule.moved {
        (*from, *to, *what) = (cell(*from), cell(*to), set(*what));
    }
    for (c, what) in rule
        .guard
        .iter_mut()
        .chain(rule.forbid.iter_mut().flatten())
    {
        (*c, *what) = (cell(*c), set(*what));
    }
    rule.delta.sort_unstable();
    rule.moved.sort_unstable();
    rule.guard.sort_unstable();
    rule.forbid.iter_mut().for_each(|list| list.sort_unstable());
    rule
}

/// A random puzzle with a random cyclic group of symmetries: few pieces of symbol 0, as many of 1 as
/// of 2.
fn symmetric(dice: &mut Dice) -> (Random, Vec<Symmetry>) {
    let pairs = 2 + dice.roll(2);
    let leading = 1 + dice.roll(2);
    let cells = 2 * pairs + leading;
    let mut order: Vec<usize> = (0..cells).collect();
    for i in (1..cells).rev() {
        order.swap(i, dice.roll(i + 1));
    }
    // Turns one, two or three neighbours at a time in that order.
    let length = 2 + dice.roll(2);
    let cycles = 1 + dice.roll(cells / length);
    let mut turn: Vec<Cell> = (0..cells as Cell).collect();
    for cycle in order.chunks_exact(length).take(cycles) {
        for (i, &from) in cycle.iter().enumerate() {
            turn[from] = cycle[(i + 1) % length] as Cell;
        }
    }
    let generator = Symmetry {
        cells: turn,
        symbols: if dice.roll(2) == 0 {
            vec![0, 2, 1]
        } else {
            vec![0, 1, 2]
        },
    };
    let mut group = vec![Symmetry {
        cells: (0..cells as Cell).collect(),
        symbols: vec![0, 1, 2],
    }];
    loop {
        let last = group.last().expect("the identity");
        let next = Symmetry {
            cells: last
                .cells
                .iter()
                .map(|&c| generator.cells[c as usize])
                .collect(),
            symbols: last
                .symbols
                .iter()
                .map(|&s| generator.symbols[usize::from(s)])
                .collect(),
        };
        if next.is_identity() {
            break;
        }
        group.push(next);
    }
    let mut start = [vec![0; leading], vec![1; pairs], vec![2; pairs]].concat();
    for i in (1..cells).rev() {
        start.swap(i, dice.roll(i + 1));
    }
    let starts: BTreeSet<Row> = group.iter().map(|g| g.image(&start)).collect();
    let mut rules: Vec<PlacedRule> = Vec::new();
    for _ in 0..=3 + dice.roll(5) {
        let Some(rule) = Random::rule(dice, cells, 3) else {
            continue;
        };
        let places = [1, cells][dice.roll(2)];
        let copies = (0..places).map(|by| Random::shifted(&rule, by, cells));
        for rule in copies.flat_map(|rule| [rule.inverse(), rule]) {
            let images = group.iter().map(|g| mapped(&rule, g));
            let new: Vec<PlacedRule> = images.filter(|image| !rules.contains(image)).collect();
            rules.extend(new);
        }
    }
    let random = Random {
        cells,
        symbols: 3,
        starts: starts.into_iter().collect(),
        rules,
    };
    (random, group)
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
        let size = Stream::size(&task, &knobs).expect("it conserves");
        let stream = Stream::new(&task, &knobs).expect("it conserves");
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
    let refused = Stream::size(&task, &Knobs::default()).expect_err("too many");
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
