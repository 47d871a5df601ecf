//! The passes of a streamed run: forward by depth, backward from the goals, forward again.

use std::time::Instant;

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
}

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
    fn dead_ends(&self, depth: u32, layer: &Set) -> Result<u64, NoMemory> {
        if let Some(stuck) = &self.stuck {
            return Ok(self.stream.common(layer, stuck));
        }
        if depth > 0 || !self.stream.is_undirected() {
            return Ok(0);
        }
        let mut lonely = self.stream.copy(layer)?;
        let next = self.stream.image(Direction::Forward, layer)?;
        let moving = self.stream.image(Direction::Backward, &next)?;
        self.stream.minus(&mut lonely, &moving);
        self.goals.drop_from(self.stream, &mut lonely)?;
        Ok(lonely.len())
    }

    /// Finds every reachable state, layer by layer. With `counting`, transitions are counted on
    /// the way.
    pub(crate) fn forward(&self, counting: bool) -> Result<Forward, NoMemory> {
        let began = Instant::now();
        let starts = self.stream.starts()?;
        let search = Search::new(self.stream, Direction::Forward, starts, None)?;
        let mut search = search.counting(counting);
        let mut layers: Vec<LayerCounts> = Vec::new();
        let (mut total, mut cut_found, mut graded) = (search.layer().len(), false, true);
        let mut states = total;
        for depth in 0_u32.. {
            let layer = search.layer();
            let mut counts = LayerCounts {
                states,
                goals: self.goals.count_in(self.stream, layer),
                ..LayerCounts::default()
            };
            let dead_ends = self.dead_ends(depth, layer)?;
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
            if next.states == 0 {
                break;
            }
            total += next.states;
            states = next.states;
            let late = |most| began.elapsed() >= most;
            let limit = if broken {
                Some(Limit::Interrupt)
            } else if self.limits.max_states.is_some_and(|most| total > most) {
                Some(Limit::States)
            } else if self.limits.max_time.is_some_and(late) {
                Some(Limit::Time)
            } else {
                None
            };
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
#[derive(Clone, Copy, Debug)]
pub(crate) enum Halt {
    /// The observer broke it.
    Interrupted,
    /// The system refuses the memory.
    Memory(NoMemory),
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
