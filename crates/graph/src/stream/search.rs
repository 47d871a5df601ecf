//! Searches over sets: the next layer is the image of this one without what was seen.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::Stream;
use super::kernel::{Count, CountInto, CountedUnion, Sink, Twice, Union};
use super::rewrite::{Change, Rewrite};
use super::schedule::Schedule;
use super::sets::{NoMemory, Part, Set, split_at_runs};

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
        for op in schedule.ways(block) {
            let count = source.counts[op.source as usize];
            if count == 0 {
                continue;
            }
            any = true;
            let words = &source.words.get()[self.blocks.of(op.source as usize)];
            let sparse = f64::from(count) < self.sparse_below * words.len() as f64;
            let program = &schedule.programs[op.program as usize];
            self.form
                .run(program, &schedule.leaves, words, sparse, sink);
        }
        any
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
        let count = |block: usize| match into {
            None => {
                let mut sink = Count(0);
                self.gather_into(&self.forward, block, from, &mut sink);
                sink.0
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
        let schedule = stream.schedule(self.direction);
        let frontier = &self.frontier;
        let (within, counting) = (self.within, self.counting);
        let place = |block: usize| stream.blocks.start[block] as usize;
        let words = split_at_runs(self.other.words.get_mut(), &stream.runs, place);
        let counts = split_at_runs(&mut self.other.counts, &stream.runs, |block| block);
        let parts = stream.runs.iter().zip(words).zip(counts);
        let parts = parts.map(|((run, words), counts)| Part {
            blocks: run.clone(),
            words,
            counts,
        });
        let total = if let Some(visited) = &mut self.visited {
            let words = split_at_runs(visited.words.get_mut(), &stream.runs, place);
            let counts = split_at_runs(&mut visited.counts, &stream.runs, |block| block);
            let parts: Vec<_> = parts.zip(words.into_iter().zip(counts)).collect();
            parts
                .into_par_iter()
                .map(|(part, (words, counts))| {
                    let seen = Part {
                        blocks: part.blocks.clone(),
                        words,
                        counts,
                    };
                    stream.visit_part(schedule, frontier, within, counting, [part, seen])
                })
                .reduce(Counted::default, sum)
        } else {
            let parts: Vec<_> = parts.collect();
            parts
                .into_par_iter()
                .map(|part| stream.turn_part(schedule, frontier, counting, part))
                .reduce(Counted::default, sum)
        };
        std::mem::swap(&mut self.frontier, &mut self.other);
        total
    }
}

fn sum(mut a: Counted, b: Counted) -> Counted {
    a += b;
    a
}

impl Stream {
    /// Makes the image in a buffer; `None` if there is none.
    fn gather(
        &self,
        schedule: &Schedule,
        block: usize,
        frontier: &Set,
        counting: bool,
        buffer: &mut [u64],
    ) -> Option<u64> {
        if !Self::is_reached(schedule, block, frontier) {
            return None;
        }
        buffer.fill(0);
        if counting {
            let mut sink = CountedUnion(buffer, 0);
            self.gather_into(schedule, block, frontier, &mut sink);
            return Some(sink.1);
        }
        self.gather_into(schedule, block, frontier, &mut Union(buffer));
        Some(0)
    }

    /// Undirected: the next layer goes where the layer before this one was.
    fn turn_part(
        &self,
        schedule: &Schedule,
        frontier: &Set,
        counting: bool,
        part: Part<'_>,
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
            let previous = &mut all[words.start - base..words.end - base];
            let count = &mut counts[block - blocks.start];
            if let Some(transitions) = self.gather(schedule, block, frontier, counting, buffer) {
                let now = &frontier.words.get()[words];
                *count = self.form.keep_new(buffer, now, previous);
                total.states += u64::from(*count);
                total.transitions += transitions;
            } else if *count > 0 {
                previous.fill(0);
                *count = 0;
            }
        }
        total
    }

    /// Directed: the next layer is what was not visited.
    fn visit_part(
        &self,
        schedule: &Schedule,
        frontier: &Set,
        within: Option<&Set>,
        counting: bool,
        [part, visited]: [Part<'_>; 2],
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
            let here = words.start - base..words.end - base;
            let next = &mut all[here.clone()];
            let count = &mut counts[block - blocks.start];
            let gathered = self.gather(schedule, block, frontier, counting, buffer);
            let Some(transitions) = gathered else {
                if *count > 0 {
                    next.fill(0);
                    *count = 0;
                }
                continue;
            };
            let seen = &mut visited.words[here];
            if let Some(within) = within {
                let within = &within.words.get()[words];
                *count = self.form.visit_new_within(buffer, within, seen, next);
            } else {
                let (new, again) = self.form.visit_new(buffer, seen, next);
                *count = new;
                total.again |= again;
            }
            visited.counts[block - blocks.start] += *count;
            total.states += u64::from(*count);
            total.transitions += transitions;
        }
        total
    }
}
