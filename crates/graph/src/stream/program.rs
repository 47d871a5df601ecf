//! Programs: how the bits of one block go to another under a set of rewrites.
//!
//! A rewrite whose changed places all lie before a subtree copies the subtree as it is. Where it
//! reaches into a leaf, the matching states of both sides are listed in order (the order is the
//! same on both), and the list is cut into steps inside single words.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::layout::{Class, Layout};
use super::leaf::{Leaf, Pairs};
use super::rewrite::{Ask, Rewrite};

/// The asks of a rewrite from some place on.
pub(crate) type Tail = Vec<(u8, Ask)>;
/// The number of a sorted set of tails.
pub(crate) type TailSet = u32;

/// How a block's bits go to another. Offsets are words from the beginnings of the blocks.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// Runs of words that are copied: length, source and destination of each.
    pub(crate) copies: Vec<(u32, Vec<(u32, u32)>)>,
    /// Leaf programs and where each is run: source and destination.
    pub(crate) leaves: Vec<(u32, Vec<(u32, u32)>)>,
}

/// What is left of a pair of nodes, as far as programs depend on it: counts of the symbols that
/// occur on either side, and the asks in terms of these.
#[derive(PartialEq, Eq, Hash)]
struct Shape {
    counts: Vec<(u8, u8)>,
    tails: Vec<Tail>,
}

/// Where the children of a set of tails lead: symbol before, symbol after, tails.
type Branches = Vec<(u8, u8, TailSet)>;

/// Makes programs and shares equal ones.
pub(crate) struct Builder<'a> {
    layout: &'a Layout,
    sets: Vec<Vec<Tail>>,
    numbers: HashMap<Vec<Tail>, TailSet>,
    branches: HashMap<(TailSet, u8), Branches>,
    exact: HashMap<(Class, Class, TailSet), u32>,
    shaped: HashMap<Shape, u32>,
    exact_leaves: HashMap<(Class, Class, TailSet), u32>,
    shaped_leaves: HashMap<Shape, u32>,
    pub(crate) programs: Vec<Program>,
    pub(crate) leaves: Vec<Leaf>,
}

/// A program while it is gathered.
#[derive(Default)]
struct Draft {
    copies: Vec<(u32, u32, u32)>,
    leaves: Vec<(u32, u32, u32)>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(layout: &'a Layout) -> Self {
        Self {
            layout,
            sets: Vec::new(),
            numbers: HashMap::new(),
            branches: HashMap::new(),
            exact: HashMap::new(),
            shaped: HashMap::new(),
            exact_leaves: HashMap::new(),
            shaped_leaves: HashMap::new(),
            programs: Vec::new(),
            leaves: Vec::new(),
        }
    }

    /// The number of a set of tails.
    pub(crate) fn set(&mut self, mut tails: Vec<Tail>) -> TailSet {
        tails.sort_unstable();
        tails.dedup();
        if let Some(&number) = self.numbers.get(&tails) {
            return number;
        }
        let number = self.sets.len() as TailSet;
        self.numbers.insert(tails.clone(), number);
        self.sets.push(tails);
        number
    }

    /// The program from a block of one class to a block of another.
    pub(crate) fn program(&mut self, from: Class, to: Class, set: TailSet) -> u32 {
        if let Some(&program) = self.exact.get(&(from, to, set)) {
            return program;
        }
        let shape = self.shape(from, to, set);
        let program = if let Some(&program) = self.shaped.get(&shape) {
            program
        } else {
            let mut draft = Draft::default();
            self.build(from, to, set, (0, 0), &mut draft);
            let program = self.programs.len() as u32;
            self.programs.push(finish(draft));
            self.shaped.insert(shape, program);
            program
        };
        self.exact.insert((from, to, set), program);
        program
    }

    fn shape(&self, from: Class, to: Class, set: TailSet) -> Shape {
        let layout = self.layout;
        let mut counts = Vec::new();
        let mut numbers = vec![u8::MAX; layout.symbols];
        for (s, number) in numbers.iter_mut().enumerate() {
            let pair = (layout.left(from, s) as u8, layout.left(to, s) as u8);
            if pair != (0, 0) {
                *number = counts.len() as u8;
                counts.push(pair);
            }
        }
        let all = (1_u64 << counts.len()) - 1;
        let base = (layout.places - layout.level(to)) as u8;
        let renumber = |ask: Ask| match ask {
            Ask::Change(before, after) => {
                let (before, after) = (numbers[usize::from(before)], numbers[usize::from(after)]);
                (before != u8::MAX && after != u8::MAX).then_some(Ask::Change(before, after))
            }
            Ask::Keep(set) => {
                let here = numbers
                    .iter()
                    .enumerate()
                    .filter(|&(s, &n)| n != u8::MAX && set >> s & 1 == 1);
                let here = here.fold(0, |all, (_, &n)| all | 1 << n);
                (here != 0).then_some(Ask::Keep(here))
            }
        };
        let mut tails: Vec<Tail> = Vec::new();
        'tails: for tail in &self.sets[set as usize] {
            let mut asks = Tail::new();
            for &(at, ask) in tail {
                match renumber(ask) {
                    None => continue 'tails,
                    Some(Ask::Keep(kept)) if kept == all => {}
                    Some(ask) => asks.push((at - base, ask)),
                }
            }
            tails.push(asks);
        }
        tails.sort_unstable();
        tails.dedup();
        Shape { counts, tails }
    }

    /// Gathers what goes from a node to another, whose first words are given.
    fn build(&mut self, from: Class, to: Class, set: TailSet, at: (u32, u32), draft: &mut Draft) {
        let mut set = set;
        if self.sets[set as usize].iter().any(Vec::is_empty) {
            debug_assert_eq!(from, to, "equal places hold equal pieces");
            draft.copy(at, self.layout.words(to) as u32);
            // Tails that change nothing more are contained in that copy.
            let left: Vec<Tail> = self.sets[set as usize]
                .iter()
                .filter(|tail| tail.iter().any(|&(_, ask)| matches!(ask, Ask::Change(..))))
                .cloned()
                .collect();
            if left.is_empty() {
                return;
            }
            set = self.set(left);
        }
        if self.layout.is_leaf(from) || self.layout.is_leaf(to) {
            let leaf = self.leaf(from, to, set);
            if !self.leaves[leaf as usize].is_empty() {
                draft.leaves.push((leaf, at.0, at.1));
            }
            return;
        }
        let place = (self.layout.places - self.layout.level(to)) as u8;
        for (before, after, rest) in self.branches(set, place) {
            let (before, after) = (usize::from(before), usize::from(after));
            let (Some(source), Some(target)) = (
                self.layout.child(from, before),
                self.layout.child(to, after),
            ) else {
                continue;
            };
            let at = (
                at.0 + self.layout.before(from, before) as u32,
                at.1 + self.layout.before(to, after) as u32,
            );
            self.build(source, target, rest, at, draft);
        }
    }

    /// Where a set of tails leads at a place, by the symbols before and after.
    fn branches(&mut self, set: TailSet, place: u8) -> Branches {
        if let Some(branches) = self.branches.get(&(set, place)) {
            return branches.clone();
        }
        let symbols = self.layout.symbols as u8;
        let mut by_pair: BTreeMap<(u8, u8), Vec<Tail>> = BTreeMap::new();
        for tail in self.sets[set as usize].clone() {
            let (ask, rest) = match tail.first() {
                Some(&(at, ask)) if at == place => (ask, tail[1..].to_vec()),
                _ => (Ask::Keep(u64::MAX), tail),
            };
            match ask {
                Ask::Change(before, after) => {
                    by_pair.entry((before, after)).or_default().push(rest);
                }
                Ask::Keep(kept) => {
                    for s in (0..symbols).filter(|s| kept >> s & 1 == 1) {
                        by_pair.entry((s, s)).or_default().push(rest.clone());
                    }
                }
            }
        }
        let branches: Branches = by_pair
            .into_iter()
            .map(|((before, after), tails)| (before, after, self.set(tails)))
            .collect();
        self.branches.insert((set, place), branches.clone());
        branches
    }

    fn leaf(&mut self, from: Class, to: Class, set: TailSet) -> u32 {
        if let Some(&leaf) = self.exact_leaves.get(&(from, to, set)) {
            return leaf;
        }
        let shape = self.shape(from, to, set);
        let leaf = if let Some(&leaf) = self.shaped_leaves.get(&shape) {
            leaf
        } else {
            let place = (self.layout.places - self.layout.level(to)) as u8;
            let mut pairs = Pairs::new(self.layout);
            for tail in &self.sets[set as usize] {
                pairs.add(from, to, place, tail);
            }
            let leaf = self.leaves.len() as u32;
            self.leaves.push(pairs.leaf());
            self.shaped_leaves.insert(shape, leaf);
            leaf
        };
        self.exact_leaves.insert((from, to, set), leaf);
        leaf
    }
}

impl Draft {
    /// A copy of some words; it lengthens the last one if it goes on where that ended, on both
    /// sides.
    fn copy(&mut self, at: (u32, u32), words: u32) {
        if let Some((length, source, target)) = self.copies.last_mut()
            && (*source + *length, *target + *length) == at
        {
            *length += words;
            return;
        }
        self.copies.push((words, at.0, at.1));
    }
}

/// Groups copies by length and leaf pairs by leaf.
fn finish(draft: Draft) -> Program {
    fn grouped(mut list: Vec<(u32, u32, u32)>) -> Vec<(u32, Vec<(u32, u32)>)> {
        list.sort_unstable();
        let mut groups: Vec<(u32, Vec<(u32, u32)>)> = Vec::new();
        for (key, source, target) in list {
            match groups.last_mut() {
                Some((last, pairs)) if *last == key => pairs.push((source, target)),
                _ => groups.push((key, vec![(source, target)])),
            }
        }
        for (_, pairs) in &mut groups {
            pairs.shrink_to_fit();
        }
        groups
    }
    Program {
        copies: grouped(draft.copies),
        leaves: grouped(draft.leaves),
    }
}

/// The asks of a rewrite from a place on.
pub(crate) fn tail(rewrite: &Rewrite, place: usize) -> Tail {
    let asks = rewrite.asks.iter().copied();
    asks.filter(|&(at, _)| usize::from(at) >= place).collect()
}
