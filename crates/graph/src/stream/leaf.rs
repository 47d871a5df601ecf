//! Leaf programs: which bit of a few words goes to which, as steps inside single words.

use super::layout::{Class, Layout};
use super::program::Tail;
use super::rewrite::Ask;

/// The bits under `take` of the source word go, in order, to the bits under `put` of the target
/// word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) take: u64,
    pub(crate) put: u64,
    pub(crate) source: u16,
    pub(crate) target: u16,
}

/// The bits under `take` of the source word go to the target word, turned left `by` so many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) take: u64,
    pub(crate) source: u16,
    pub(crate) target: u16,
    pub(crate) by: u8,
}

/// The bits that go from one leaf to another, twice: for machines that gather and scatter bits fast,
/// and for all others.
#[derive(Debug)]
pub(crate) struct Leaf {
    pub(crate) steps: Vec<Step>,
    pub(crate) turns: Vec<Turn>,
    /// Where the steps of each target word end, and the same of turns.
    pub(crate) step_ends: Vec<u32>,
    pub(crate) turn_ends: Vec<u32>,
    /// Words of the source that are read.
    pub(crate) source_words: u16,
}

impl Leaf {
    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

/// Lists which source bit goes to which target bit.
pub(crate) struct Pairs<'a> {
    layout: &'a Layout,
    pairs: Vec<(u32, u32)>,
}

/// A node of one side, while its arrangements are walked.
#[derive(Clone, Copy)]
struct Node {
    class: Class,
    bit: u32,
    inside: bool,
}

impl Node {
    fn child(self, layout: &Layout, symbol: usize) -> Option<Self> {
        let inside = self.inside || layout.is_leaf(self.class);
        let class = layout.child(self.class, symbol)?;
        let scale = if inside { 1 } else { 64 };
        let bit = self.bit + layout.before(self.class, symbol) as u32 * scale;
        Some(Self { class, bit, inside })
    }
}

impl<'a> Pairs<'a> {
    pub(crate) fn new(layout: &'a Layout) -> Self {
        Self {
            layout,
            pairs: Vec::new(),
        }
    }

    /// Adds the pairs of one rewrite's tail between two nodes.
    pub(crate) fn add(&mut self, from: Class, to: Class, place: u8, tail: &Tail) {
        let root = |class| Node {
            class,
            bit: 0,
            inside: false,
        };
        self.walk(root(from), root(to), place, tail);
    }

    fn walk(&mut self, from: Node, to: Node, place: u8, tail: &[(u8, Ask)]) {
        if self.layout.level(to.class) == 0 {
            self.pairs.push((from.bit, to.bit));
            return;
        }
        let (ask, rest) = match tail.first() {
            Some(&(at, ask)) if at == place => (ask, &tail[1..]),
            _ => (Ask::Keep(u64::MAX), tail),
        };
        let layout = self.layout;
        let mut go = |before: usize, after: usize| {
            if let (Some(from), Some(to)) = (from.child(layout, before), to.child(layout, after)) {
                self.walk(from, to, place + 1, rest);
            }
        };
        match ask {
            Ask::Change(before, after) => go(usize::from(before), usize::from(after)),
            Ask::Keep(kept) => {
                for s in (0..layout.symbols).filter(|s| kept >> s & 1 == 1) {
                    go(s, s);
                }
            }
        }
    }

    /// The program of all pairs.
    pub(crate) fn leaf(mut self) -> Leaf {
        self.pairs.sort_unstable();
        self.pairs.dedup();
        let source_words = self.pairs.last().map_or(0, |p| p.0 / 64 + 1) as u16;
        // By target word, then by source word, then in order.
        self.pairs
            .sort_unstable_by_key(|&(a, b)| (b / 64, a / 64, a, b));
        let mut leaf = Leaf {
            steps: Vec::new(),
            turns: Vec::new(),
            step_ends: Vec::new(),
            turn_ends: Vec::new(),
            source_words,
        };
        for target in self.pairs.chunk_by(|p, q| p.1 / 64 == q.1 / 64) {
            for group in target.chunk_by(|p, q| p.0 / 64 == q.0 / 64) {
                leaf.add_group(group);
            }
            leaf.step_ends.push(leaf.steps.len() as u32);
            leaf.turn_ends.push(leaf.turns.len() as u32);
        }
        leaf
    }
}

impl Leaf {
    /// Cuts the pairs between two words into steps along which both bits rise, and into turns.
    fn add_group(&mut self, group: &[(u32, u32)]) {
        let (source, target) = ((group[0].0 / 64) as u16, (group[0].1 / 64) as u16);
        // Chains by their last pair.
        let mut chains: Vec<((u32, u32), Step)> = Vec::new();
        let mut turns: Vec<Turn> = Vec::new();
        for &(a, b) in group {
            let (take, put) = (1_u64 << (a % 64), 1_u64 << (b % 64));
            let chain = chains
                .iter_mut()
                .filter(|(last, _)| last.0 < a && last.1 < b)
                .max_by_key(|(last, _)| last.1);
            if let Some((last, step)) = chain {
                *last = (a, b);
                step.take |= take;
                step.put |= put;
            } else {
                let step = Step {
                    take,
                    put,
                    source,
                    target,
                };
                chains.push(((a, b), step));
            }
            let by = ((b % 64 + 64 - a % 64) % 64) as u8;
            if let Some(known) = turns.iter_mut().find(|t| t.by == by) {
                known.take |= take;
            } else {
                turns.push(Turn {
                    take,
                    source,
                    target,
                    by,
                });
            }
        }
        self.steps.extend(chains.into_iter().map(|(_, step)| step));
        self.turns.extend(turns);
    }
}
