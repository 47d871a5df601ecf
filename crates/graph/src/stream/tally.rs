//! Transitions told apart by what they change and by the rule that makes them: counts of each rule,
//! which move lost each lost state, and numbers of states in board order.

use std::collections::BTreeMap;

use impasse_model::placed::PlacedRule;
use rayon::prelude::*;

use super::kernel::Union;
use super::rewrite::{NotStreamed, Rewrite, rewrites};
use super::schedule::Schedule;
use super::search::Direction;
use super::sets::{NoMemory, Part, Set};
use super::{Blocks, Stream};

/// The placed rules, gathered by what they change.
///
/// They are ordered as the predecessors of any one state are in board order: a predecessor is the
/// state plus what its effect adds to each cell when it is taken back, so the lists of these sums
/// compare as the predecessors do, whatever the state.
#[derive(Debug)]
pub struct Effects {
    effects: Vec<Effect>,
}

impl Effects {
    /// Bytes of their schedules.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let own = |effect: &Effect| -> usize {
            let rules = effect.rules.iter().filter_map(|(_, own)| own.as_ref());
            effect.whole.bytes() + rules.map(Schedule::bytes).sum::<usize>()
        };
        self.effects.iter().map(|effect| own(effect) as u64).sum()
    }
}

#[derive(Debug)]
struct Effect {
    whole: Schedule,
    /// The rules that have it, ascending; no schedule of its own for the only one.
    rules: Vec<(u32, Option<Schedule>)>,
}

impl Effect {
    /// The schedule of one of its rules.
    fn of<'a>(&'a self, own: Option<&'a Schedule>) -> &'a Schedule {
        own.unwrap_or(&self.whole)
    }
}

/// How often the transitions of one rule begin in one set, and how many of them end in another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleCounts {
    /// Transitions.
    pub from: u64,
    /// Those that end in the other set.
    pub into: u64,
}

impl Stream {
    /// Gathers placed rules, those the stream was built of, by what they change.
    ///
    /// # Errors
    /// As [`Stream::new`].
    pub fn effects(&self, rules: &[PlacedRule]) -> Result<Effects, NotStreamed> {
        type Rules = BTreeMap<u32, Vec<Rewrite>>;
        let mut effects: BTreeMap<Vec<i16>, Rules> = BTreeMap::new();
        for (number, rule) in (0..).zip(rules) {
            for rewrite in rewrites(std::slice::from_ref(rule), &self.order)? {
                let rules = effects.entry(self.taken_back(&rewrite)).or_default();
                let parted = self.leads.parted(&[rewrite], self.order.all(), usize::MAX);
                let parted = parted.expect("the stream was built of them");
                rules.entry(number).or_default().extend(parted);
            }
        }
        let schedule = |list: &[Rewrite]| Schedule::new(&self.layout, &self.blocks, list);
        let effects = effects.into_values().map(|rules| {
            let all: Vec<Rewrite> = rules.values().flatten().cloned().collect();
            let alone = rules.len() == 1;
            Effect {
                whole: schedule(&all),
                rules: rules
                    .into_iter()
                    .map(|(number, own)| (number, (!alone).then(|| schedule(&own))))
                    .collect(),
            }
        });
        Ok(Effects {
            effects: effects.collect(),
        })
    }

    /// What a rewrite of whole rows adds to each cell, in board order, when it is taken back.
    fn taken_back(&self, rewrite: &Rewrite) -> Vec<i16> {
        let mut added = vec![0; self.order.cells.len()];
        let symbol = |number: u8| i16::from(self.order.symbols[usize::from(number)]);
        for (place, before, after) in rewrite.change().places() {
            let cell = self.order.cells[usize::from(place)] as usize;
            added[cell] = symbol(before) - symbol(after);
        }
        added
    }

    /// By rule, the transitions that begin in a set, and how many of them end in another; a
    /// transition counts for the first rule that makes it. Rules without any are left out.
    #[must_use]
    pub fn by_rule(&self, effects: &Effects, from: &Set, into: &Set) -> BTreeMap<u32, RuleCounts> {
        let mut totals: BTreeMap<u32, RuleCounts> = BTreeMap::new();
        for effect in &effects.effects {
            let count = effect.rules.len();
            let counts = self
                .runs
                .par_iter()
                .map(|run| {
                    let mut counts = vec![RuleCounts::default(); count];
                    let mut buffers = Buffers::new(&self.blocks);
                    for block in run.clone() {
                        self.count_block(effect, block, [from, into], &mut buffers, &mut counts);
                    }
                    counts
                })
                .reduce(
                    || vec![RuleCounts::default(); count],
                    |mut a, b| {
                        for (a, b) in a.iter_mut().zip(b) {
                            a.from += b.from;
                            a.into += b.into;
                        }
                        a
                    },
                );
            for ((number, _), counts) in effect.rules.iter().zip(counts) {
                if counts.from > 0 {
                    let total = totals.entry(*number).or_default();
                    total.from += counts.from;
                    total.into += counts.into;
                }
            }
        }
        totals
    }

    fn count_block(
        &self,
        effect: &Effect,
        block: usize,
        [from, into]: [&Set; 2],
        buffers: &mut Buffers,
        counts: &mut [RuleCounts],
    ) {
        let words = self.blocks.of(block);
        let size = words.len();
        let [earlier, own, _] = buffers.of(size);
        earlier.fill(0);
        for ((_, schedule), counts) in effect.rules.iter().zip(counts) {
            own.fill(0);
            if !self.gather_into(effect.of(schedule.as_ref()), block, from, &mut Union(own)) {
                continue;
            }
            minus(own, earlier);
            or(earlier, own);
            counts.from += u64::from(self.form.count(own));
            if into.counts[block] > 0 {
                let into = &into.words.get()[words.clone()];
                counts.into += u64::from(self.form.count_common(own, into));
            }
        }
    }
}

/// Room for the words of a block, thrice.
struct Buffers([Vec<u64>; 3]);

impl Buffers {
    fn new(blocks: &Blocks) -> Self {
        Self(std::array::from_fn(|_| vec![0; blocks.widest]))
    }

    fn of(&mut self, words: usize) -> [&mut [u64]; 3] {
        self.0.each_mut().map(|buffer| &mut buffer[..words])
    }
}

fn and(a: &mut [u64], b: &[u64]) {
    a.iter_mut().zip(b).for_each(|(a, &b)| *a &= b);
}

fn or(a: &mut [u64], b: &[u64]) {
    a.iter_mut().zip(b).for_each(|(a, &b)| *a |= b);
}

fn minus(a: &mut [u64], b: &[u64]) {
    a.iter_mut().zip(b).for_each(|(a, &b)| *a &= !b);
}

fn any(words: &[u64]) -> bool {
    words.iter().any(|&word| word != 0)
}

/// Which rule lost each lost state: on the shortest way to it that comes to each state from its
/// least predecessor in board order, the one that first led from a live state to a lost one.
///
/// Rules are labels, kept as planes of bits, of the last layer alone: as many sets as the number of
/// rules has digits.
#[derive(Debug)]
pub struct Blame {
    rules: Vec<u32>,
    planes: Vec<Set>,
}

impl Blame {
    /// Sets that it holds at a time for so many rules, those for the next layer among them.
    #[must_use]
    pub fn sets(rules: usize) -> u64 {
        2 * u64::from(digits(rules))
    }

    /// Before any layer; `rules` are those that can lose.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn new(stream: &Stream, rules: Vec<u32>) -> Result<Self, NoMemory> {
        let planes = (0..digits(rules.len())).map(|_| stream.none());
        Ok(Self {
            planes: planes.collect::<Result<_, _>>()?,
            rules,
        })
    }

    /// Labels the lost states of a layer, the one that follows those that were labelled. `before` is
    /// the layer before it, `live` what is live of that one.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn layer(
        &mut self,
        stream: &Stream,
        effects: &Effects,
        [before, live]: [&Set; 2],
        lost: &Set,
    ) -> Result<(), NoMemory> {
        let mut next = Vec::new();
        for _ in &self.planes {
            next.push(stream.none()?);
        }
        let mut parts: Vec<Vec<Part<'_>>> = stream.runs.iter().map(|_| Vec::new()).collect();
        for plane in &mut next {
            for (parts, part) in parts.iter_mut().zip(stream.parts(plane)) {
                parts.push(part);
            }
        }
        let this = &*self;
        let runs = stream.runs.par_iter().zip(parts);
        runs.for_each(|(run, mut planes)| {
            let mut work = Work {
                stream,
                effects,
                before,
                live,
                remaining: vec![0; stream.blocks.widest],
                buffers: Buffers::new(&stream.blocks),
            };
            for block in run.clone() {
                if lost.counts[block] > 0 {
                    this.block(&mut work, block, lost, &mut planes);
                }
            }
        });
        self.planes = next;
        Ok(())
    }

    fn block(&self, work: &mut Work<'_>, block: usize, lost: &Set, planes: &mut [Part<'_>]) {
        let stream = work.stream;
        let words = stream.blocks.of(block);
        let size = words.len();
        let remaining = &mut work.remaining[..size];
        remaining.copy_from_slice(&lost.words.get()[words.clone()]);
        for effect in &work.effects.effects {
            let [here, alive, own] = work.buffers.of(size);
            here.fill(0);
            if !stream.gather_into(&effect.whole, block, work.before, &mut Union(here)) {
                continue;
            }
            and(here, remaining);
            if !any(here) {
                continue;
            }
            minus(remaining, here);
            alive.fill(0);
            stream.gather_into(&effect.whole, block, work.live, &mut Union(alive));
            and(alive, here);
            minus(here, alive);
            for (number, schedule) in &effect.rules {
                if !any(alive) {
                    break;
                }
                own.fill(0);
                let schedule = effect.of(schedule.as_ref());
                stream.gather_into(schedule, block, work.live, &mut Union(own));
                and(own, alive);
                minus(alive, own);
                if let Ok(label) = self.rules.binary_search(number) {
                    for (digit, plane) in planes.iter_mut().enumerate() {
                        if (label + 1) >> digit & 1 == 1 {
                            or(part_words(stream, plane, block), own);
                        }
                    }
                }
            }
            if any(here) {
                for (known, plane) in self.planes.iter().zip(planes.iter_mut()) {
                    own.fill(0);
                    if stream.gather_into(&effect.whole, block, known, &mut Union(own)) {
                        and(own, here);
                        or(part_words(stream, plane, block), own);
                    }
                }
            }
            if !any(remaining) {
                break;
            }
        }
        for plane in planes {
            let count = stream.form.count(part_words(stream, plane, block));
            plane.counts[block - plane.blocks.start] = count;
        }
    }

    /// For each rule, how many of the states of the last layer that it lost are in a set. Adds to
    /// `counts`, which are by rule as [`Blame::new`] was told.
    pub fn count(&self, stream: &Stream, within: &Set, counts: &mut [u64]) {
        let count_word = |at: usize, counts: &mut [u64]| {
            let planes = self.planes.iter().map(|plane| plane.words.get()[at]);
            let mut labelled = within.words.get()[at] & planes.fold(0, |all, plane| all | plane);
            while labelled != 0 {
                let bit = labelled.trailing_zeros();
                labelled &= labelled - 1;
                let digits = self.planes.iter().enumerate();
                let label = digits.fold(0, |label, (digit, plane)| {
                    label | (plane.words.get()[at] >> bit & 1) << digit
                });
                counts[label as usize - 1] += 1;
            }
        };
        let sums = stream
            .runs
            .par_iter()
            .map(|run| {
                let mut counts = vec![0_u64; self.rules.len()];
                for block in run.clone().filter(|&block| within.counts[block] > 0) {
                    let words = stream.blocks.of(block);
                    words.for_each(|at| count_word(at, &mut counts));
                }
                counts
            })
            .reduce(
                || vec![0; self.rules.len()],
                |a, b| a.iter().zip(b).map(|(a, b)| a + b).collect(),
            );
        for (count, sum) in counts.iter_mut().zip(sums) {
            *count += sum;
        }
    }

    /// The rules that can lose.
    #[must_use]
    pub fn rules(&self) -> &[u32] {
        &self.rules
    }
}

/// What the labelling of a block reads, and room for it.
struct Work<'a> {
    stream: &'a Stream,
    effects: &'a Effects,
    before: &'a Set,
    live: &'a Set,
    remaining: Vec<u64>,
    buffers: Buffers,
}

/// The words of a block in a part of a set.
fn part_words<'a>(stream: &Stream, part: &'a mut Part<'_>, block: usize) -> &'a mut [u64] {
    let base = stream.blocks.of(part.blocks.start).start;
    let words = stream.blocks.of(block);
    &mut part.words[words.start - base..words.end - base]
}

/// Binary digits of labels from 1 to `rules`.
fn digits(rules: usize) -> u32 {
    usize::BITS - rules.leading_zeros()
}

/// How long play can go on in a set that no move leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rests {
    /// States by the number of moves that can be made at most.
    pub moves: Vec<u64>,
    /// States from which play can come to a circle.
    pub endless: u64,
}

impl Stream {
    /// Peels a set that no move leaves from its ends: states without a move first, then those whose
    /// moves all lead to peeled ones. `each` sees every layer; `false` stops.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn rests(&self, of: &Set, mut each: impl FnMut(&Set) -> bool) -> Result<Rests, NoMemory> {
        let mut rests = Rests::default();
        let mut left = self.copy(of)?;
        let mut asked = self.copy(of)?;
        while !left.is_empty() {
            // Of those asked, some still have a move to what is left.
            let mut targets = self.image(Direction::Forward, &asked)?;
            self.and(&mut targets, &left);
            let moving = self.image(Direction::Backward, &targets)?;
            drop(targets);
            self.minus(&mut asked, &moving);
            drop(moving);
            if asked.is_empty() || !each(&asked) {
                break;
            }
            rests.moves.push(asked.len());
            self.minus(&mut left, &asked);
            asked = self.image(Direction::Backward, &asked)?;
            self.and(&mut asked, &left);
        }
        rests.endless = left.len();
        Ok(rests)
    }

    /// For positions (contents by cell, ascending), how many of a set come before each in board
    /// order. Goes through the whole set.
    #[must_use]
    pub fn ranks(&self, set: &Set, positions: &[Vec<u64>]) -> Vec<u64> {
        let count = positions.len();
        let visit = |mut counts: Vec<u64>, block: usize| {
            if set.counts[block] == 0 {
                return counts;
            }
            let mut position = vec![0; self.order.cells.len()];
            self.each_in_block(set, block, |spot| {
                self.position_into(spot, &mut position);
                let after = positions.partition_point(|known| *known <= position);
                counts[after] += 1;
            });
            counts
        };
        let blocks = 0..self.blocks.count();
        let counts = blocks
            .into_par_iter()
            .with_min_len(16)
            .fold(|| vec![0_u64; count + 1], visit)
            .reduce(
                || vec![0; count + 1],
                |a, b| a.iter().zip(b).map(|(a, b)| a + b).collect(),
            );
        let mut before = 0;
        let mut ranks = Vec::with_capacity(count);
        for counted in counts.into_iter().take(count) {
            before += counted;
            ranks.push(before);
        }
        ranks
    }
}
