//! Schedules: which blocks each block takes bits from, and by which programs.

use hashbrown::HashMap;

use super::layout::{Class, Layout};
use super::leaf::Leaf;
use super::program::{Builder, Program, TailSet, tail};
use super::rewrite::Rewrite;

/// The blocks of a layout.
#[derive(Debug)]
pub(crate) struct Blocks {
    /// Where each begins, and where the last ends, in words.
    pub(crate) start: Vec<u64>,
    pub(crate) class: Vec<Class>,
    /// Words of the largest.
    pub(crate) widest: usize,
}

impl Blocks {
    pub(crate) fn new(layout: &Layout) -> Self {
        let count = layout.blocks();
        let mut blocks = Self {
            start: Vec::with_capacity(count + 1),
            class: Vec::with_capacity(count),
            widest: 0,
        };
        let mut start = 0;
        layout.each_beginning(|class, _| {
            let words = layout.words(class);
            blocks.widest = blocks.widest.max(words as usize);
            for _ in layout.leads() {
                blocks.start.push(start);
                blocks.class.push(class);
                start += words;
            }
        });
        blocks.start.push(start);
        blocks
    }

    pub(crate) fn count(&self) -> usize {
        self.class.len()
    }

    pub(crate) fn words(&self) -> usize {
        *self.start.last().expect("the end") as usize
    }

    /// The words of a block.
    pub(crate) fn of(&self, block: usize) -> std::ops::Range<usize> {
        self.start[block] as usize..self.start[block + 1] as usize
    }
}

/// One way into a block: from where, and by which program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub(crate) source: u32,
    pub(crate) program: u32,
}

/// Everything that makes the image of a set.
#[derive(Debug)]
pub(crate) struct Schedule {
    first: Vec<u32>,
    ops: Vec<Op>,
    pub(crate) programs: Vec<Program>,
    pub(crate) leaves: Vec<Leaf>,
}

impl Schedule {
    pub(crate) fn new(layout: &Layout, blocks: &Blocks, rewrites: &[Rewrite]) -> Self {
        let edge = layout.places - layout.free;
        let mut maker = Maker {
            layout,
            rewrites,
            builder: Builder::new(layout),
            tails: Vec::new(),
            sets: HashMap::new(),
            first: Vec::with_capacity(blocks.count() + 1),
            ops: Vec::new(),
            block: 0,
        };
        let mut numbers = HashMap::new();
        for rewrite in rewrites {
            let next = numbers.len() as u32;
            let number = *numbers.entry(tail(rewrite, edge)).or_insert(next);
            maker.tails.push(number);
        }
        let mut tails = vec![Vec::new(); numbers.len()];
        for (tail, number) in numbers {
            tails[number as usize] = tail;
        }
        let mut by_target: HashMap<u32, Vec<u32>> = HashMap::new();
        for (number, rewrite) in (0..).zip(rewrites) {
            by_target.entry(rewrite.to).or_default().push(number);
        }
        for (class, _) in layout.roots() {
            let active: Vec<Vec<Active>> = layout
                .leads()
                .iter()
                .map(|lead| {
                    let into = by_target.get(lead).map_or(&[][..], Vec::as_slice);
                    into.iter()
                        .filter_map(|&rewrite| {
                            Some(Active {
                                rewrite,
                                next: 0,
                                from: class,
                                source: layout
                                    .first_block(rewrites[rewrite as usize].from, class)?,
                            })
                        })
                        .collect()
                })
                .collect();
            maker.descend(class, 0, &active, &tails);
        }
        maker.first.push(maker.ops.len() as u32);
        maker.ops.shrink_to_fit();
        Self {
            first: maker.first,
            ops: maker.ops,
            programs: maker.builder.programs,
            leaves: maker.builder.leaves,
        }
    }

    /// The ways into a block.
    pub(crate) fn ways(&self, block: usize) -> &[Op] {
        &self.ops[self.first[block] as usize..self.first[block + 1] as usize]
    }

    /// Ways between blocks in all.
    pub(crate) fn way_count(&self) -> usize {
        self.ops.len()
    }

    /// Bytes it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        let pairs = |list: &Vec<(u32, Vec<(u32, u32)>)>| {
            list.iter()
                .map(|(_, p)| p.capacity() * 8 + 32)
                .sum::<usize>()
        };
        let programs: usize = self
            .programs
            .iter()
            .map(|p| pairs(&p.copies) + pairs(&p.leaves) + 48)
            .sum();
        let leaves: usize = self
            .leaves
            .iter()
            .map(|l| l.steps.capacity() * 24 + l.turns.capacity() * 16 + 56)
            .sum();
        self.first.capacity() * 4 + self.ops.capacity() * 8 + programs + leaves
    }
}

/// A rewrite that fits what was read of a block's row so far.
#[derive(Clone, Copy)]
struct Active {
    rewrite: u32,
    next: u8,
    /// The class and the first block of where it comes from.
    from: Class,
    source: u64,
}

struct Maker<'a> {
    layout: &'a Layout,
    rewrites: &'a [Rewrite],
    builder: Builder<'a>,
    /// The tail of each rewrite.
    tails: Vec<u32>,
    sets: HashMap<Vec<u32>, TailSet>,
    first: Vec<u32>,
    ops: Vec<Op>,
    block: u32,
}

impl Maker<'_> {
    /// Goes down to all beginnings of rows, with the rewrites that fit so far into each lead.
    fn descend(
        &mut self,
        to: Class,
        place: u8,
        active: &[Vec<Active>],
        tails: &[super::program::Tail],
    ) {
        if self.layout.level(to) == self.layout.free {
            for active in active {
                self.finish(to, active, tails);
            }
            return;
        }
        for symbol in 0..self.layout.symbols {
            let Some(child) = self.layout.child(to, symbol) else {
                continue;
            };
            let narrowed: Vec<Vec<Active>> = active
                .iter()
                .map(|active| {
                    let fitting = active.iter();
                    fitting
                        .filter_map(|a| self.after(*a, place, symbol as u8))
                        .collect()
                })
                .collect();
            self.descend(child, place + 1, &narrowed, tails);
        }
    }

    /// A rewrite after one more symbol of the target row; `None` if it does not fit.
    fn after(&self, mut active: Active, place: u8, symbol: u8) -> Option<Active> {
        use super::rewrite::Ask;
        let ask = self.rewrites[active.rewrite as usize]
            .asks
            .get(usize::from(active.next));
        let mut before = symbol;
        if let Some(&(at, ask)) = ask
            && at == place
        {
            active.next += 1;
            match ask {
                Ask::Keep(set) if set >> symbol & 1 == 1 => {}
                Ask::Change(was, becomes) if becomes == symbol => {
                    before = was;
                }
                _ => return None,
            }
        }
        let before = usize::from(before);
        let leads = self.layout.leads().len() as u64;
        active.source += self.layout.before(active.from, before) * leads;
        active.from = self.layout.child(active.from, before)?;
        Some(active)
    }

    fn finish(&mut self, to: Class, active: &[Active], tails: &[super::program::Tail]) {
        self.first.push(self.ops.len() as u32);
        let mut ways: Vec<(u64, Class, u32)> = active
            .iter()
            .map(|a| (a.source, a.from, self.tails[a.rewrite as usize]))
            .collect();
        ways.sort_unstable();
        ways.dedup();
        for group in ways.chunk_by(|a, b| a.0 == b.0) {
            let (source, from, _) = group[0];
            let numbers: Vec<u32> = group.iter().map(|way| way.2).collect();
            let set = if let Some(&set) = self.sets.get(&numbers) {
                set
            } else {
                let set = numbers.iter().map(|&n| tails[n as usize].clone()).collect();
                let set = self.builder.set(set);
                self.sets.insert(numbers, set);
                set
            };
            let program = self.builder.program(from, to, set);
            let made = &self.builder.programs[program as usize];
            if !made.copies.is_empty() || !made.leaves.is_empty() {
                self.ops.push(Op {
                    source: source as u32,
                    program,
                });
            }
        }
        self.block += 1;
    }
}
