//! Searches over sets: the next layer is the image of this one without what was seen.

use std::collections::BTreeMap;

use std::ops::Range;
use std::sync::Mutex;

use rayon::prelude::*;

use super::Stream;
use super::fold::{Crossing, Fold};
use super::kernel::{Count, CountInto, CountedUnion, Sink, Twice, Union};
use super::rewrite::{Change, Rewrite};
use super::schedule::{Op, Schedule};
use super::sets::{NoMemory, Part, Set};

/// What holds for all methods but few.
const WHOLE: &str = "up to symmetry, sets are searched and counted only";

/// Which way a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Along the moves.
    Forward,
    /// Against them.
    Backward,
}

impl Stream {
    fn schedule(&self, direction: Direction) -> &Schedule {
        match (direction, &self.backward) {
            (Direction::Backward, Some(backward)) => backward,
            _ => &self.forward,
        }
    }

    /// Runs everything that goes into a block; `false` if there is nothing.
    pub(crate) fn gather_into<S: Sink>(
        &self,
        schedule: &Schedule,
        block: usize,
        source: &Set,
        sink: &mut S,
    ) -> bool {
        let mut any = false;
        for &op in schedule.ways(block) {
            any |= self.run(schedule, op, source, sink);
        }
        any
    }

    /// Runs one way into a block; `false` if nothing comes by it.
    fn run<S: Sink>(&self, schedule: &Schedule, op: Op, source: &Set, sink: &mut S) -> bool {
        let count = source.counts[op.source as usize];
        if count > 0 {
            let words = &source.words.get()[self.blocks.of(op.source as usize)];
            let sparse = f64::from(count) < self.sparse_below * words.len() as f64;
            let program = &schedule.programs[op.program as usize];
            self.form
                .run(program, &schedule.leaves, words, sparse, sink);
        }
        count > 0
    }

    /// How many ways one stands for.
    fn pair_weight(&self, ways: Ways<'_>, op: Op, block: usize) -> u64 {
        let crossing = match ways {
            Ways::Kept(_) => None,
            Ways::Crossing(crossing) => Some(crossing),
        };
        let source = op.source as usize;
        let fold = self.fold.as_ref();
        fold.map_or(1, |fold| fold.pair_weight(crossing, source, block))
    }

    /// Whether anything goes into a block.
    fn is_reached(schedule: &Schedule, block: usize, source: &Set) -> bool {
        let mut ops = schedule.ways(block).iter();
        ops.any(|op| source.counts[op.source as usize] > 0)
    }

    /// All successors (or predecessors) of a set.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn image(&self, direction: Direction, of: &Set) -> Result<Set, NoMemory> {
        assert!(self.fold.is_none(), "{WHOLE}");
        self.image_by(self.schedule(direction), of)
    }

    pub(crate) fn image_by(&self, schedule: &Schedule, of: &Set) -> Result<Set, NoMemory> {
        let mut image = self.none()?;
        self.each_part(&mut image, |part| {
            let base = self.blocks.of(part.blocks.start).start;
            for block in part.blocks.clone() {
                let words = self.blocks.of(block);
                let target = &mut part.words[words.start - base..words.end - base];
                if self.gather_into(schedule, block, of, &mut Union(target)) {
                    part.counts[block - part.blocks.start] = self.form.count(target);
                }
            }
        });
        Ok(image)
    }

    /// How many transitions begin in a set; with `into`, how many of them end there.
    #[must_use]
    pub fn transitions(&self, from: &Set, into: Option<&Set>) -> u64 {
        let out = |ways: Ways<'_>, block: usize| {
            let schedule = ways.schedule();
            let counts = schedule.ways(block).iter().map(|&op| {
                let mut sink = Count(0);
                self.run(schedule, op, from, &mut sink);
                self.pair_weight(ways, op, block) * sink.0
            });
            counts.sum::<u64>()
        };
        let crossings = self.fold.iter().flat_map(|fold| &fold.crossings);
        assert!(self.fold.is_none() || into.is_none(), "{WHOLE}");
        let count = |block: usize| match into {
            None => {
                let crossings = crossings.clone().map(Ways::Crossing);
                let ways = crossings.chain([Ways::Kept(&self.forward)]);
                ways.map(|ways| out(ways, block)).sum()
            }
            Some(into) if into.counts[block] > 0 => {
                let mut sink = CountInto(&into.words.get()[self.blocks.of(block)], 0);
                self.gather_into(&self.forward, block, from, &mut sink);
                sink.1
            }
            Some(_) => 0,
        };
        let runs = self.runs.par_iter();
        runs.map(|run| run.clone().map(count).sum::<u64>()).sum()
    }

    /// The states with exactly one successor in a set. They may be any arrangements, not only
    /// reached ones.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn once_into(&self, set: &Set) -> Result<Set, NoMemory> {
        assert!(self.fold.is_none(), "{WHOLE}");
        let schedule = self.schedule(Direction::Backward);
        let mut once = self.none()?;
        self.each_part(&mut once, |part| {
            let base = self.blocks.of(part.blocks.start).start;
            let mut twice = vec![0; self.blocks.widest];
            for block in part.blocks.clone() {
                let words = self.blocks.of(block);
                let target = &mut part.words[words.start - base..words.end - base];
                let twice = &mut twice[..target.len()];
                twice.fill(0);
                if self.gather_into(schedule, block, set, &mut Twice(target, twice)) {
                    for (word, &twice) in target.iter_mut().zip(&*twice) {
                        *word &= !twice;
                    }
                    part.counts[block - part.blocks.start] = self.form.count(target);
                }
            }
        });
        Ok(once)
    }
}

impl Stream {
    /// Whether every transition from a set that is closed under moves has its inverse, change by
    /// change.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn is_reversible(&self, reached: &Set) -> Result<bool, NoMemory> {
        if self.is_undirected() {
            return Ok(true);
        }
        let mut groups: BTreeMap<Change, Vec<Rewrite>> = BTreeMap::new();
        for rewrite in &self.rewrites {
            groups
                .entry(rewrite.change())
                .or_default()
                .push(rewrite.clone());
        }
        let schedule = |group: &[Rewrite]| Schedule::new(&self.layout, &self.blocks, group);
        for (change, group) in &groups {
            let after = self.image_by(&schedule(group), reached)?;
            if after.is_empty() {
                continue;
            }
            let Some(inverse) = groups.get(&change.inverse()) else {
                return Ok(false);
            };
            // One change takes different states to different ones.
            if self.image_by(&schedule(inverse), &after)?.len() != after.len() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What one step of a search found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// States of the new layer.
    pub states: u64,
    /// Transitions out of the layer before, if they were counted.
    pub transitions: u64,
    /// Whether a successor was seen before (known only where a visited set is kept).
    pub again: bool,
}

impl std::ops::AddAssign for Counted {
    fn add_assign(&mut self, other: Self) {
        self.states += other.states;
        self.transitions += other.transitions;
        self.again |= other.again;
    }
}

/// A breadth-first search: the layer it stands at, and what it needs to tell new states from old.
#[derive(Debug)]
pub struct Search<'a> {
    stream: &'a Stream,
    direction: Direction,
    /// Only states of this set are entered.
    within: Option<&'a Set>,
    counting: bool,
    frontier: Set,
    /// The layer before (undirected), or room for the next one.
    other: Set,
    /// `None` in undirected spaces: the last two layers tell all.
    visited: Option<Set>,
    /// What symmetries bring to each run, in a step.
    returned: Vec<Mutex<Extra>>,
}

impl<'a> Search<'a> {
    /// Begins at a set.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn new(
        stream: &'a Stream,
        direction: Direction,
        from: Set,
        within: Option<&'a Set>,
    ) -> Result<Self, NoMemory> {
        let visited = if stream.is_undirected() {
            None
        } else {
            Some(stream.copy(&from)?)
        };
        Ok(Self {
            stream,
            direction,
            within,
            counting: false,
            other: stream.none()?,
            frontier: from,
            visited,
            returned: stream.runs.iter().map(|_| Mutex::default()).collect(),
        })
    }

    /// Goes on with a search that stood at a layer: `other` is the layer before it (undirected) or
    /// anything, `visited` all that was visited (directed).
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn resume(
        stream: &'a Stream,
        layer: Set,
        before: Option<Set>,
        visited: Option<Set>,
    ) -> Result<Self, NoMemory> {
        Ok(Self {
            stream,
            direction: Direction::Forward,
            within: None,
            counting: false,
            frontier: layer,
            other: match before {
                Some(before) => before,
                None => stream.none()?,
            },
            visited,
            returned: stream.runs.iter().map(|_| Mutex::default()).collect(),
        })
    }

    /// The layer before, in undirected spaces: what it takes to go on.
    #[must_use]
    pub fn before(&self) -> Option<&Set> {
        self.visited.is_none().then_some(&self.other)
    }

    /// Counts transitions too.
    #[must_use]
    pub fn counting(mut self, counting: bool) -> Self {
        self.counting = counting;
        self
    }

    /// The layer it stands at.
    #[must_use]
    pub fn layer(&self) -> &Set {
        &self.frontier
    }

    /// What was visited; `None` in undirected spaces.
    #[must_use]
    pub fn visited(&self) -> Option<&Set> {
        self.visited.as_ref()
    }

    /// What was visited, without the rest; `None` in undirected spaces.
    #[must_use]
    pub fn into_visited(self) -> Option<Set> {
        self.visited
    }

    /// Goes to the next layer, which may be empty.
    pub fn step(&mut self) -> Counted {
        let stream = self.stream;
        let aim = Aim {
            ways: Ways::Kept(stream.schedule(self.direction)),
            frontier: &self.frontier,
            counting: self.counting,
        };
        let seen = match &self.visited {
            Some(visited) => vec![visited],
            None => vec![&self.frontier, &self.other],
        };
        let left = stream.fold.as_ref().map_or(0, |fold| {
            stream.bring_back(fold, &aim, &seen, &self.returned)
        });
        let parts = stream.parts(&mut self.other);
        let visited: Vec<Option<Part<'_>>> = match &mut self.visited {
            Some(visited) => stream.parts(visited).into_iter().map(Some).collect(),
            None => stream.runs.iter().map(|_| None).collect(),
        };
        let parts: Vec<_> = parts.into_iter().zip(visited).enumerate().collect();
        let mut total = parts
            .into_par_iter()
            .map(|(run, (part, visited))| {
                let mut extra = self.returned[run].lock().expect("no thread has panicked");
                let found = stream.advance(&aim, self.within, part, visited, &extra);
                extra.clear();
                found
            })
            .reduce(Counted::default, sum);
        total.transitions += left;
        std::mem::swap(&mut self.frontier, &mut self.other);
        total
    }
}

fn sum(mut a: Counted, b: Counted) -> Counted {
    a += b;
    a
}

/// Ways into blocks.
#[derive(Clone, Copy)]
enum Ways<'a> {
    /// Between leads that are kept.
    Kept(&'a Schedule),
    /// Out of them.
    Crossing(&'a Crossing),
}

impl<'a> Ways<'a> {
    fn schedule(self) -> &'a Schedule {
        match self {
            Self::Kept(schedule) => schedule,
            Self::Crossing(crossing) => &crossing.schedule,
        }
    }
}

/// What a step makes images of.
struct Aim<'a> {
    ways: Ways<'a>,
    frontier: &'a Set,
    counting: bool,
}

/// A bit that a symmetry brings: the block and the bit in it.
type Brought = (u32, u32);

/// What symmetries bring to the blocks of one run.
#[derive(Debug, Default)]
struct Extra {
    /// For each block, where its words begin, if anything is brought there; none at first.
    places: Vec<Option<usize>>,
    words: Vec<u64>,
}

impl Extra {
    fn put(&mut self, stream: &Stream, run: &Range<usize>, bits: &[Brought]) {
        self.places.resize(run.len(), None);
        for &(block, bit) in bits {
            let words = &mut self.words;
            let first = *self.places[block as usize - run.start].get_or_insert_with(|| {
                let first = words.len();
                words.resize(first + stream.blocks.of(block as usize).len(), 0);
                first
            });
            words[first + bit as usize / 64] |= 1 << (bit % 64);
        }
    }

    /// Empties it, but keeps the memory for the next layer.
    fn clear(&mut self) {
        self.places.clear();
        self.words.clear();
    }

    /// The words for a block of the run, which has so many.
    fn of(&self, number: usize, words: usize) -> Option<&[u64]> {
        let first = (*self.places.get(number)?)?;
        Some(&self.words[first..first + words])
    }
}

impl Stream {
    /// Makes the image in a buffer, beside what was brought there; `None` if there is neither.
    fn gather(
        &self,
        aim: &Aim<'_>,
        block: usize,
        brought: Option<&[u64]>,
        buffer: &mut [u64],
    ) -> Option<u64> {
        let schedule = aim.ways.schedule();
        let reached = Self::is_reached(schedule, block, aim.frontier);
        match brought {
            Some(brought) => buffer.copy_from_slice(brought),
            None if reached => buffer.fill(0),
            None => return None,
        }
        if !aim.counting {
            self.gather_into(schedule, block, aim.frontier, &mut Union(buffer));
            return Some(0);
        }
        let mut transitions = 0;
        for &op in schedule.ways(block) {
            let mut sink = CountedUnion(buffer, 0);
            self.run(schedule, op, aim.frontier, &mut sink);
            let weight = self.pair_weight(aim.ways, op, block);
            transitions += weight * sink.1;
        }
        Some(transitions)
    }

    /// Gathers what symmetries bring to each run: images of what leaves the kept leads, and of what
    /// is new in leads that they leave alone. Gives the transitions that left the kept leads.
    fn bring_back(
        &self,
        fold: &Fold,
        aim: &Aim<'_>,
        seen: &[&Set],
        returned: &[Mutex<Extra>],
    ) -> u64 {
        let no_lists = || vec![Vec::<Brought>::new(); self.runs.len()];
        let transitions = self.runs.par_iter().map_init(no_lists, |found, run| {
            let mut transitions = 0;
            let mut buffer = vec![0; self.blocks.widest];
            let mut put = |block: u32, bit: u32| {
                found[self.run_of[block as usize] as usize].push((block, bit));
            };
            for block in run.clone() {
                let words = self.blocks.of(block);
                let buffer = &mut buffer[..words.len()];
                for crossing in &fold.crossings {
                    let turnings = crossing.turnings(block);
                    let aim = Aim {
                        ways: Ways::Crossing(crossing),
                        ..*aim
                    };
                    if !turnings.is_empty()
                        && let Some(found) = self.gather(&aim, block, None, buffer)
                    {
                        transitions += found;
                        fold.turn(&self.blocks, block, buffer, turnings, &mut put);
                    }
                }
                let completing = fold.completing(block);
                if completing.is_empty() {
                    continue;
                }
                let aim = Aim {
                    counting: false,
                    ..*aim
                };
                if self.gather(&aim, block, None, buffer).is_some() {
                    for set in seen {
                        let seen = &set.words.get()[words.clone()];
                        for (word, seen) in buffer.iter_mut().zip(seen) {
                            *word &= !seen;
                        }
                    }
                    fold.turn(&self.blocks, block, buffer, completing, &mut put);
                }
            }
            for ((run, found), returned) in self.runs.iter().zip(found).zip(returned) {
                if !found.is_empty() {
                    let mut extra = returned.lock().expect("no thread has panicked");
                    extra.put(self, run, found);
                    found.clear();
                }
            }
            transitions
        });
        transitions.sum()
    }

    /// Makes the next layer of a run, where the layer before this one was (undirected), or where
    /// there is room (directed: what was visited is given).
    fn advance(
        &self,
        aim: &Aim<'_>,
        within: Option<&Set>,
        part: Part<'_>,
        mut visited: Option<Part<'_>>,
        extra: &Extra,
    ) -> Counted {
        let mut total = Counted::default();
        let mut buffer = vec![0; self.blocks.widest];
        let base = self.blocks.of(part.blocks.start).start;
        let Part {
            blocks,
            words: all,
            counts,
        } = part;
        for block in blocks.clone() {
            let words = self.blocks.of(block);
            let buffer = &mut buffer[..words.len()];
            let number = block - blocks.start;
            let here = words.start - base..words.end - base;
            let next = &mut all[here.clone()];
            let count = &mut counts[number];
            let brought = extra.of(number, words.len());
            let Some(transitions) = self.gather(aim, block, brought, buffer) else {
                if *count > 0 {
                    next.fill(0);
                    *count = 0;
                }
                continue;
            };
            if let Some(visited) = &mut visited {
                let seen = &mut visited.words[here];
                if let Some(within) = within {
                    let within = &within.words.get()[words];
                    *count = self.form.visit_new_within(buffer, within, seen, next);
                } else {
                    let (new, again) = self.form.visit_new(buffer, seen, next);
                    *count = new;
                    total.again |= again;
                }
                visited.counts[number] += *count;
            } else {
                let now = &aim.frontier.words.get()[words];
                *count = self.form.keep_new(buffer, now, next);
            }
            total.states += self.weight(block) * u64::from(*count);
            total.transitions += transitions;
        }
        total
    }

    /// How many states are in a set; up to symmetry, how many it stands for.
    #[must_use]
    pub fn states_in(&self, set: &Set) -> u64 {
        let counts = set.counts.iter().enumerate();
        counts
            .map(|(block, &count)| self.weight(block) * u64::from(count))
            .sum()
    }

    /// How many states each of a block stands for.
    pub(crate) fn weight(&self, block: usize) -> u64 {
        self.fold.as_ref().map_or(1, |fold| fold.weight(block))
    }

    /// How many states a position stands for: 1, but up to symmetry; 0 if another stands for it.
    #[must_use]
    pub fn stands_for(&self, position: &[u64]) -> u64 {
        let row = self.row_of(position);
        let spot = row.and_then(|row| self.layout.locate(&row));
        spot.map_or(0, |(block, _)| self.weight(block as usize))
    }
}
