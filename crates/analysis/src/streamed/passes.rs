//! The passes of a streamed run: forward by depth, backward from the goals, forward again.

use std::io;
use std::time::Instant;

use impasse_graph::keep::{Keeper, Pace, Standing};
use impasse_graph::observe::{Limit, Limits, Observer, Outcome, Progress, Stage};
use impasse_graph::space::LayerCounts;
use impasse_graph::stream::{Direction, NoMemory, Search, Set, Stream};

use super::goals::{Goals, stuck};
use crate::summary::DepthRow;

/// What all passes read.
pub(crate) struct Ground<'a> {
    pub(crate) stream: &'a Stream,
    pub(crate) goals: Goals,
    /// States without successor that are no goals; `None` where there are none but perhaps among
    /// the starts (undirected spaces).
    pub(crate) stuck: Option<Set>,
    /// States from which a move is cut off by the window.
    pub(crate) cuts: Option<Set>,
    pub(crate) limits: &'a Limits,
    pub(crate) observer: &'a dyn Observer,
    pub(crate) keeper: Option<&'a dyn Keeper>,
}

/// The engine's name in kept searches.
const ENGINE: &str = "stream";

/// What the forward pass found.
pub(crate) struct Forward {
    pub(crate) outcome: Outcome,
    pub(crate) layers: Vec<LayerCounts>,
    /// The reached states of a completed run of a directed space.
    pub(crate) reached: Option<Set>,
    /// Whether no transition leads to a state of the same or a lesser depth; known for directed
    /// spaces.
    pub(crate) graded: bool,
}

impl Forward {
    pub(crate) fn states(&self) -> u64 {
        self.layers.iter().map(|l| l.states).sum()
    }
}

impl Ground<'_> {
    /// States without successor that are no goals, where they can lie beyond the starts.
    pub(crate) fn find_stuck(&mut self) -> Result<(), NoMemory> {
        if self.stream.is_undirected() {
            return Ok(());
        }
        let mut set = stuck(self.stream)?;
        self.goals.drop_from(self.stream, &mut set)?;
        self.stuck = (!set.is_empty()).then_some(set);
        Ok(())
    }

    /// Dead ends of a layer.
    fn dead_ends(&self, depth: u32, layer: &Set) -> u64 {
        if let Some(stuck) = &self.stuck {
            return self.stream.common(layer, stuck);
        }
        if depth > 0 || !self.stream.is_undirected() {
            return 0;
        }
        let mut lonely = 0;
        self.stream.each(layer, |position| {
            if !self.stream.can_move(position) && !self.goals.has(self.stream, position) {
                lonely += self.stream.stands_for(position);
            }
        });
        lonely
    }

    /// Finds every reachable state, layer by layer. With `counting`, transitions are counted on
    /// the way. Goes on with what a keeper kept, and keeps what it takes to go on.
    pub(crate) fn forward(&self, counting: bool) -> Result<Forward, Halt> {
        let began = Instant::now();
        let keeper = self.keeper.filter(|_| !counting);
        let (search, kept) = match keeper {
            Some(keeper) => self.begin(keeper)?,
            None => (self.fresh()?, Standing::default()),
        };
        let mut search = search.counting(counting);
        let mut layers = kept.counts;
        let mut graded = layers.is_empty() || kept.graded;
        let mut cut_found = layers.iter().any(|layer| layer.cut);
        let mut states = self.stream.states_in(search.layer());
        let mut total = states + layers.iter().map(|layer| layer.states).sum::<u64>();
        let mut pace = Pace::default();
        while states > 0 {
            let depth = layers.len() as u32;
            let layer = search.layer();
            let mut counts = LayerCounts {
                states,
                goals: self.goals.count_in(self.stream, layer),
                ..LayerCounts::default()
            };
            let dead_ends = self.dead_ends(depth, layer);
            let cut = !cut_found
                && self
                    .cuts
                    .as_ref()
                    .is_some_and(|cuts| self.stream.common(layer, cuts) > 0);
            let next = search.step();
            if self.limits.max_depth == Some(depth) && next.states > 0 {
                layers.push(counts);
                return Ok(stopped(layers, Limit::Depth, depth));
            }
            counts.dead_ends = dead_ends;
            counts.transitions = next.transitions;
            counts.cut = cut;
            cut_found |= cut;
            graded &= !next.again;
            layers.push(counts);
            let broken = self
                .report(Stage::Search, depth as usize, states, total)
                .is_err();
            states = next.states;
            total += states;
            let late = |most| began.elapsed() >= most;
            let limit = if states == 0 {
                None
            } else if broken {
                Some(Limit::Interrupt)
            } else if self.limits.max_states.is_some_and(|most| total > most) {
                Some(Limit::States)
            } else if self.limits.max_time.is_some_and(late) {
                Some(Limit::Time)
            } else {
                None
            };
            if let Some(keeper) = keeper
                && (pace.is_due() || limit.is_some() || states == 0)
            {
                pace.measure(|| self.keep(keeper, &search, &layers, graded))?;
            }
            if let Some(limit) = limit {
                return Ok(stopped(layers, limit, depth));
            }
        }
        Ok(Forward {
            outcome: Outcome::Complete,
            layers,
            reached: search.into_visited(),
            graded,
        })
    }

    fn fresh(&self) -> Result<Search<'_>, NoMemory> {
        let starts = self.stream.starts()?;
        Search::new(self.stream, Direction::Forward, starts, None)
    }

    /// Begins where a keeper says, or at the starts.
    fn begin(&self, keeper: &dyn Keeper) -> Result<(Search<'_>, Standing), Halt> {
        let Some(standing) = Standing::kept(keeper)? else {
            return Ok((self.fresh()?, Standing::default()));
        };
        let wrong = |what: &str| Halt::Keeping(io::Error::new(io::ErrorKind::InvalidData, what));
        if standing.engine != ENGINE || standing.shape != self.stream.shape() {
            return Err(wrong(
                "the kept search is of another engine or another space",
            ));
        }
        let depth = standing.counts.len();
        let read = |name: &str| -> Result<Set, Halt> {
            let part = keeper.read(&format!("{name}-{depth}"))?;
            let mut part = part.ok_or_else(|| wrong("a part of the kept search is missing"))?;
            Ok(self.stream.read_set(&mut *part)?)
        };
        let layer = read("layer")?;
        if layer.len() != standing.next_states {
            return Err(wrong(
                "a part of the kept search is not the one that belongs to it",
            ));
        }
        let search = if self.stream.is_undirected() {
            Search::resume(self.stream, layer, Some(read("before")?), None)?
        } else {
            Search::resume(self.stream, layer, None, Some(read("visited")?))?
        };
        Ok((search, standing))
    }

    fn keep(
        &self,
        keeper: &dyn Keeper,
        search: &Search<'_>,
        layers: &[LayerCounts],
        graded: bool,
    ) -> Result<(), Halt> {
        let depth = layers.len();
        let older = Standing::kept(keeper)?.map(|standing| standing.counts.len());
        let write = |name: &str, set: Option<&Set>| match set {
            Some(set) => keeper.write(&format!("{name}-{depth}"), &mut |out| {
                self.stream.write_set(set, out)
            }),
            None => Ok(()),
        };
        write("layer", Some(search.layer()))?;
        write("before", search.before())?;
        write("visited", search.visited())?;
        let standing = Standing {
            engine: ENGINE.to_owned(),
            shape: self.stream.shape(),
            counts: layers.to_vec(),
            next_states: search.layer().len(),
            graded,
            own: 0,
        };
        standing.keep(keeper)?;
        if let Some(older) = older.filter(|&older| older != depth) {
            for name in ["layer", "before", "visited"] {
                keeper.forget(&format!("{name}-{older}"))?;
            }
        }
        Ok(())
    }

    /// Goes back from some goals, through states of a set only; `each` sees every layer. Gives the
    /// number of states of each remoteness, the live states (of directed spaces), and the transitions
    /// between them if they were counted.
    pub(crate) fn backward(
        &self,
        goals: Set,
        within: Option<&Set>,
        counting: bool,
        each: &mut dyn FnMut(&Set),
    ) -> Result<Backward, Halt> {
        let search = Search::new(self.stream, Direction::Backward, goals, within)?;
        let mut search = search.counting(counting);
        let mut layers = Vec::new();
        let (mut states, mut transitions, mut total) = (search.layer().len(), 0, 0);
        while states > 0 {
            each(search.layer());
            total += states;
            self.report(Stage::Retrograde, layers.len(), states, total)?;
            layers.push(states);
            let found = search.step();
            states = found.states;
            transitions += found.transitions;
        }
        Ok(Backward {
            layers,
            transitions,
            live: search.into_visited(),
        })
    }

    /// Goes forward once more, now that the verdicts are known: counts by depth.
    pub(crate) fn by_depth(
        &self,
        layers: &[LayerCounts],
        live: &Set,
        lost: &Set,
    ) -> Result<Vec<DepthRow>, Halt> {
        let starts = self.stream.starts()?;
        let mut search = Search::new(self.stream, Direction::Forward, starts, None)?;
        let mut rows = Vec::with_capacity(layers.len());
        let mut total = 0;
        for (depth, layer) in layers.iter().enumerate() {
            let here = self.stream.common(search.layer(), live);
            let blocking = if here == 0 || lost.is_empty() {
                0
            } else if here == layer.states {
                self.stream.transitions(search.layer(), Some(lost))
            } else {
                let mut living = self.stream.copy(search.layer())?;
                self.stream.and(&mut living, live);
                self.stream.transitions(&living, Some(lost))
            };
            rows.push(DepthRow {
                states: layer.states,
                live: Some(here),
                doomed: Some(layer.states - here - layer.dead_ends),
                dead_ends: Some(layer.dead_ends),
                goals: Some(layer.goals),
                blocking_moves: Some(blocking),
            });
            total += layer.states;
            self.report(Stage::Tally, depth, layer.states, total)?;
            search.step();
        }
        Ok(rows)
    }

    /// How many states of each depth are in a set.
    pub(crate) fn histogram(&self, layers: &[LayerCounts], set: &Set) -> Result<Vec<u64>, Halt> {
        let starts = self.stream.starts()?;
        let mut search = Search::new(self.stream, Direction::Forward, starts, None)?;
        let mut counts = Vec::with_capacity(layers.len());
        let mut total = 0;
        for (depth, layer) in layers.iter().enumerate() {
            counts.push(self.stream.common(search.layer(), set));
            total += layer.states;
            self.report(Stage::Tally, depth, layer.states, total)?;
            search.step();
        }
        Ok(counts)
    }

    /// Tells the observer of a layer; it may break the run.
    fn report(&self, stage: Stage, layer: usize, here: u64, states: u64) -> Result<(), Halt> {
        let progress = Progress {
            stage,
            layer: layer as u32,
            layer_states: here,
            states,
        };
        if self.observer.layer(&progress).is_break() || self.observer.interrupted() {
            return Err(Halt::Interrupted);
        }
        Ok(())
    }
}

/// Why a pass did not come to its end.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The observer broke it.
    Interrupted,
    /// The system refuses the memory.
    Memory(NoMemory),
    /// A search cannot be kept, or what was kept cannot be gone on with.
    Keeping(io::Error),
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Self {
        Self::Keeping(error)
    }
}

impl From<NoMemory> for Halt {
    fn from(error: NoMemory) -> Self {
        Self::Memory(error)
    }
}

/// What the backward pass found.
pub(crate) struct Backward {
    /// States of each remoteness.
    pub(crate) layers: Vec<u64>,
    pub(crate) transitions: u64,
    /// The live states of a directed space.
    pub(crate) live: Option<Set>,
}

fn stopped(layers: Vec<LayerCounts>, reason: Limit, depth: u32) -> Forward {
    Forward {
        outcome: Outcome::Stopped { reason, depth },
        layers,
        reached: None,
        graded: false,
    }
}
