//! Random puzzles of a few cells, with and without symmetries, and random settings for them.

use std::collections::BTreeSet;

use impasse_model::board::Cell;
use impasse_model::instance::SymbolSet;
use impasse_model::placed::PlacedRule;
use impasse_model::symmetry::Symmetry;

use crate::stream::{Cut, Form, Knobs, Stream, Task};

/// A small generator of our own: equal numbers on every machine.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }
}

pub(super) type Row = Vec<u64>;

/// A random puzzle: a multiset on a row of cells, and rules on a few scattered cells.
pub(super) struct Random {
    pub(super) cells: usize,
    pub(super) symbols: usize,
    pub(super) starts: Vec<Row>,
    pub(super) rules: Vec<PlacedRule>,
}

fn guard(dice: &mut Dice, cell: usize, symbols: usize) -> (Cell, SymbolSet) {
    let set = 1 + dice.roll((1 << symbols) - 2) as u64;
    (cell as Cell, SymbolSet(set))
}

impl Random {
    pub(super) fn new(dice: &mut Dice) -> Self {
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
    pub(super) fn rule(dice: &mut Dice, cells: usize, symbols: usize) -> Option<PlacedRule> {
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

    pub(super) fn shifted(rule: &PlacedRule, by: usize, cells: usize) -> PlacedRule {
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
    pub(super) fn arrangements(&self) -> Vec<Row> {
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

    pub(super) fn successors(&self, row: &Row) -> BTreeSet<Row> {
        self.rules
            .iter()
            .filter_map(|rule| Self::apply(rule, row))
            .collect()
    }

    pub(super) fn undirected(&self) -> bool {
        impasse_model::compiled::is_undirected(&self.rules)
    }

    pub(super) fn stream(&self, knobs: &Knobs) -> Stream {
        self.stream_up_to(&[], knobs)
    }

    pub(super) fn stream_up_to(&self, symmetries: &[Symmetry], knobs: &Knobs) -> Stream {
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

pub(super) fn knobs(dice: &mut Dice, random: &Random) -> Knobs {
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

/// A rule as a symmetry maps it.
pub(super) fn mapped(rule: &PlacedRule, symmetry: &Symmetry) -> PlacedRule {
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
pub(super) fn symmetric(dice: &mut Dice) -> (Random, Vec<Symmetry>) {
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
