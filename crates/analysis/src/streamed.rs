//! Runs of the streaming engine: all figures from sets, a table only where it is asked for.

mod asked;
mod distances;
mod excerpt;
mod finished;
mod goals;
mod passes;
mod play;
mod shortest;

use std::sync::{Arc, OnceLock};

use impasse_graph::expand::State;
use impasse_graph::observe::{Limit, Observer, Outcome};
use impasse_graph::space::LayerCounts;
use impasse_graph::stream::{
    Direction, Knobs, NoMemory, NotStreamed, Prepared, Search, Set, Size, Stream, Task,
};
use impasse_model::board::Shape;
use impasse_model::compiled::is_undirected;
use impasse_model::goal::{CellGoal, cell_goal};
use impasse_model::instance::{Instance, Position};
use impasse_model::placed::PlacedRules;
use impasse_model::symmetry::Symmetry;
use num_bigint::BigUint;

use crate::choice::streamed_symmetries;
use crate::explore::Options;
use crate::figures::{figures, plain_rows, stopped_summary};
use crate::run::Run;
use crate::summary::{DepthRow, Summary};
use asked::{Asked, Standing};
use finished::Streamed;
pub(crate) use finished::{Layers, OnDemand, Tables};
use goals::Goals;
use passes::{Forward, Ground, Halt};
pub(crate) use play::Play;
use shortest::{MOST_ON_PATH, OnPath};

/// Up to so many states, a table of a streamed run is made by enumerating once more.
pub(crate) const MOST_TABLED: u64 = 5_000_000;

/// What a streamed run would take.
#[derive(Clone, Debug)]
pub(crate) struct Need {
    /// Arrangements of the pieces.
    pub(crate) arrangements: u64,
    /// Bytes of one set.
    pub(crate) set_bytes: u64,
    /// Sets that are held at a time for what was asked.
    pub(crate) sets: u64,
    /// Bytes that a step takes beside them.
    pub(crate) step_bytes: u64,
}

impl Need {
    /// Bytes, without programs and the rest of the process.
    pub(crate) fn bytes(&self) -> u64 {
        self.sets * self.set_bytes + self.step_bytes
    }
}

/// Bytes of everything but sets, before programs are built: programs of usual size, threads, the
/// process.
pub(crate) const FIXED_BYTES: u64 = 24 << 20;
/// Bytes of the process and its threads.
const PROCESS_BYTES: u64 = 16 << 20;

fn task<'a>(
    instance: &'a Instance,
    placed: &'a PlacedRules,
    symmetries: &'a [Symmetry],
) -> Task<'a> {
    let row = !matches!(
        instance.board.shape,
        Shape::Grid { .. } | Shape::Graph { .. }
    );
    Task {
        rules: &placed.rules,
        undirected: is_undirected(&placed.rules),
        cells: placed.cells,
        symbols: instance.alphabet.symbols.len(),
        starts: &instance.starts,
        symmetries,
        row,
    }
}

/// What a streamed run of an instance would take; an error if there can be none.
pub(crate) fn need(
    instance: &Instance,
    placed: &PlacedRules,
    options: &Options,
) -> Result<Need, NotStreamed> {
    let symmetries = streamed_symmetries(instance, placed, options);
    let goal = cell_goal(instance).ok_or(NotStreamed::NoRanks)?;
    let task = task(instance, placed, &symmetries);
    let size = Prepared::new(&task, &Knobs::default())?.size();
    Ok(need_of(size, &task, placed, &goal, options.only_depths))
}

fn need_of(
    size: Size,
    task: &Task<'_>,
    placed: &PlacedRules,
    goal: &CellGoal,
    only_depths: bool,
) -> Need {
    let goals = u64::from(Goals::is_set(goal, placed.cells));
    let cuts = u64::from(!placed.cuts.is_empty());
    // The widest pass: plain or backward, and for directed spaces the second one forward.
    let sets = match (task.undirected, only_depths) {
        (true, true) => 2,
        (true, false) => 4 + u64::from(task.starts.len() > 1),
        (false, true) => 4,
        (false, false) => 7,
    };
    Need {
        arrangements: size.arrangements,
        set_bytes: size.set_bytes,
        step_bytes: size.step_bytes,
        sets: sets + goals + cuts,
    }
}

/// Why a streamed run failed.
#[derive(Debug)]
pub(crate) enum Failed {
    /// The space cannot be streamed.
    Not(NotStreamed),
    /// The system refuses the memory.
    Memory(NoMemory),
    /// The budget has no room for what was asked.
    Budget {
        /// Bytes it takes.
        needed: u64,
        /// Bytes that are allowed.
        budget: u64,
    },
    /// A search cannot be kept, or what was kept cannot be gone on with.
    Keeping(std::io::Error),
}

impl From<Halt> for Failed {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Memory(error) => Self::Memory(error),
            Halt::Keeping(error) => Self::Keeping(error),
            Halt::Interrupted => unreachable!("a forward pass that is interrupted stops"),
        }
    }
}

impl From<NoMemory> for Failed {
    fn from(error: NoMemory) -> Self {
        Self::Memory(error)
    }
}

/// Enumerates and analyses an instance on the current rayon pool.
pub(crate) fn run(
    instance: &Instance,
    placed: &PlacedRules,
    options: &Options,
    observer: &dyn Observer,
    (tables, play): (Tables, Arc<dyn Play>),
) -> Result<Box<dyn Run>, Failed> {
    let symmetries = streamed_symmetries(instance, placed, options);
    let task = task(instance, placed, &symmetries);
    let prepared = Prepared::new(&task, &Knobs::default()).map_err(Failed::Not)?;
    let goal = cell_goal(instance).ok_or(Failed::Not(NotStreamed::NoRanks))?;
    let need = need_of(prepared.size(), &task, placed, &goal, options.only_depths);
    let fits = |fixed: u64| {
        let needed = need.bytes() + fixed;
        match options.limits.memory_bytes {
            Some(budget) if needed > budget => Err(Failed::Budget { needed, budget }),
            _ => Ok(()),
        }
    };
    fits(FIXED_BYTES)?;
    let stream = prepared.build();
    observer.note(&format!("{} programs built", stream.program_count()));
    if stream.is_folded() {
        observer.note(&format!(
            "sets are kept up to {} symmetries; figures are of the whole space",
            symmetries.len()
        ));
    }
    fits(FIXED_BYTES.max(PROCESS_BYTES + stream.fixed_bytes()))?;
    let mut ground = Ground {
        goals: Goals::new(&stream, &goal, placed.cells)?,
        stuck: None,
        cuts: cuts(&stream, placed)?,
        stream: &stream,
        limits: &options.limits,
        observer,
        keeper: options.keeper.as_deref(),
    };
    ground.find_stuck()?;
    let mut forward = ground.forward(false)?;
    let work = Work {
        ground: &ground,
        options,
    };
    let (mut summary, depths, on_path, standing) =
        if let Outcome::Stopped { reason, .. } = forward.outcome {
            let summary = stopped_summary(&forward.layers, reason);
            (summary, plain_rows(&forward.layers, true), None, None)
        } else if options.only_depths {
            let transitions = work.transitions(&forward)?;
            let (mut summary, _) = figures(&forward.layers);
            summary.transitions = Some(transitions);
            (summary, plain_rows(&forward.layers, false), None, None)
        } else if options.solutions.is_some() {
            drop(forward.reached.take());
            let (mut summary, _) = figures(&forward.layers);
            summary.transitions = None;
            // A transition that can be taken back goes up as well as down.
            summary.graded = Some(if stream.is_undirected() {
                forward.layers.len() == 1
            } else {
                forward.graded
            });
            (summary, plain_rows(&forward.layers, false), None, None)
        } else {
            match work.full(&mut forward) {
                Ok(done) => done,
                Err(Halt::Memory(error)) => return Err(error.into()),
                Err(Halt::Keeping(error)) => return Err(Failed::Keeping(error)),
                Err(Halt::Interrupted) => {
                    let reason = Limit::Interrupt;
                    let depth = forward.layers.len() as u32 - 1;
                    forward.outcome = Outcome::Stopped { reason, depth };
                    let summary = stopped_summary(&forward.layers, reason);
                    (summary, plain_rows(&forward.layers, true), None, None)
                }
            }
        };
    let on_path = if let Some(path) = on_path {
        Some(path.positions(&stream))
    } else {
        work.solutions(&mut summary)?
    };
    let absent = work.absent(&summary, forward.outcome);
    let goals = ground.goals;
    // Only those that ask for verdicts alone ask on: others need the memory.
    let answers = forward.outcome == Outcome::Complete
        && options.no_counting
        && !options.only_depths
        && !options.no_table
        && options.solutions.is_none();
    let asked = answers.then(|| Asked {
        goals,
        rules: placed.rules.clone(),
        cells: placed.cells,
        layers: forward.layers.iter().map(|layer| layer.states).collect(),
        standing: standing.map_or_else(OnceLock::new, OnceLock::from),
        play,
        budget: options.limits.memory_bytes,
        stream,
    });
    let mut run = Streamed {
        instance: instance.clone(),
        depths,
        absent,
        summary,
        outcome: forward.outcome,
        on_path,
        all: OnDemand::new(tables, options.tabled),
        partial: OnceLock::new(),
        asked,
    };
    run.complete_small(options);
    Ok(Box::new(run))
}

fn cuts(stream: &Stream, placed: &PlacedRules) -> Result<Option<Set>, NoMemory> {
    if placed.cuts.is_empty() {
        return Ok(None);
    }
    stream.cut_off(&placed.cuts).map(Some)
}

type Done = (Summary, Vec<DepthRow>, Option<OnPath>, Option<Standing>);

struct Work<'a> {
    ground: &'a Ground<'a>,
    options: &'a Options,
}

impl Work<'_> {
    fn stream(&self) -> &Stream {
        self.ground.stream
    }

    /// Transitions of a completed search.
    fn transitions(&self, forward: &Forward) -> Result<u64, Halt> {
        let stream = self.stream();
        if let Some(reached) = &forward.reached {
            return Ok(stream.transitions(reached, None));
        }
        if forward.states() == stream.arrangements() {
            return Ok(stream.transitions(&stream.all()?, None));
        }
        // Part of an undirected space: no set of all reached states was kept. Counting on the way
        // would have cost a quarter more in every space for the sake of this one.
        let again = self.ground.forward(true)?;
        Ok(again.layers.iter().map(|l| l.transitions).sum())
    }

    fn full(&self, forward: &mut Forward) -> Result<Done, Halt> {
        if self.stream().is_undirected() {
            self.undirected(forward)
        } else {
            self.directed(forward)
        }
    }

    /// In an undirected space every state reaches all of its component: from one start on, all are
    /// live or all are lost; from several starts, each for itself.
    fn undirected(&self, forward: &Forward) -> Result<Done, Halt> {
        let (mut summary, _) = figures(&forward.layers);
        let states = forward.states();
        let one_start = forward.layers[0].states == 1;
        let mut live_by_depth = vec![0; forward.layers.len()];
        summary.blocking_moves = Some(0);
        summary.points_of_no_return = Some(0);
        summary.only_moves = Some(0);
        summary.reversible = Some(true);
        let mut transitions = None;
        if summary.shortest.is_some() {
            let around = self.around_goals(forward, !one_start)?;
            summary.max_remoteness = Some(around.remoteness - 1);
            summary.only_moves = Some(around.only_moves);
            transitions = around.transitions;
            live_by_depth = match &around.live {
                Some(live) => self.ground.histogram(&forward.layers, live)?,
                None => forward.layers.iter().map(|layer| layer.states).collect(),
            };
        }
        let transitions = match transitions {
            Some(transitions) => transitions,
            None => self.transitions(forward)?,
        };
        summary.transitions = Some(transitions);
        summary.graded = Some(transitions == 0);
        let live: u64 = live_by_depth.iter().sum();
        summary.live = Some(live);
        summary.lost = Some(states - live);
        summary.doomed = summary.dead_ends.map(|dead_ends| states - live - dead_ends);
        let rows = forward.layers.iter().zip(live_by_depth);
        let rows = rows.map(|(layer, live)| DepthRow {
            states: layer.states,
            live: Some(live),
            doomed: Some(layer.states - live - layer.dead_ends),
            dead_ends: Some(layer.dead_ends),
            goals: Some(layer.goals),
            blocking_moves: Some(0),
        });
        let rows = rows.collect();
        let on_path = self.count_shortest(&mut summary)?;
        Ok((summary, rows, on_path, None))
    }

    /// A search from the reached goals of an undirected space: it meets every live state again.
    fn around_goals(&self, forward: &Forward, keep: bool) -> Result<Around, Halt> {
        let stream = self.stream();
        let everything = forward.states() == stream.arrangements();
        let mut single = stream.once_into(&stream.all()?)?;
        self.ground.goals.drop_from(stream, &mut single)?;
        let goals = if everything {
            self.ground.goals.all(stream)?
        } else {
            self.reached_goals()?
        };
        let mut only_moves = 0;
        let mut live = if keep { Some(stream.none()?) } else { None };
        let mut each = |layer: &Set| {
            only_moves += stream.common(layer, &single);
            if let Some(live) = &mut live {
                stream.or(live, layer);
            }
        };
        // The search meets everything that was reached, unless other starts lie elsewhere.
        let counting = !everything && !keep;
        let back = self.ground.backward(goals, None, counting, &mut each)?;
        Ok(Around {
            remoteness: back.layers.len() as u64,
            transitions: counting.then_some(back.transitions),
            only_moves,
            live,
        })
    }

    /// The goals in the component of the starts of an undirected space.
    fn reached_goals(&self) -> Result<Set, NoMemory> {
        let stream = self.stream();
        let mut found = stream.none()?;
        let mut search = Search::new(stream, Direction::Forward, stream.starts()?, None)?;
        loop {
            let here = self.ground.goals.within(stream, search.layer())?;
            stream.or(&mut found, &here);
            if search.step().states == 0 {
                return Ok(found);
            }
        }
    }

    fn directed(&self, forward: &mut Forward) -> Result<Done, Halt> {
        let stream = self.stream();
        let (mut summary, _) = figures(&forward.layers);
        let reached = forward.reached.take().expect("a directed space");
        let transitions = stream.transitions(&reached, None);
        summary.transitions = Some(transitions);
        summary.graded = Some(forward.graded);
        let goals = self.ground.goals.within(stream, &reached)?;
        let back = self
            .ground
            .backward(goals, Some(&reached), false, &mut |_| {})?;
        let live = back.live.expect("a directed space");
        summary.max_remoteness = (back.layers.len() as u64).checked_sub(1);
        let states = forward.states();
        let (live_count, dead_ends) = (live.len(), summary.dead_ends.unwrap_or(0));
        summary.live = Some(live_count);
        summary.lost = Some(states - live_count);
        summary.doomed = Some(states - live_count - dead_ends);
        summary.reversible = Some(if forward.graded && transitions > 0 {
            false
        } else {
            stream.is_reversible(&reached)?
        });
        let mut lost = reached;
        stream.minus(&mut lost, &live);
        let mut single = stream.once_into(&live)?;
        stream.and(&mut single, &live);
        self.ground.goals.drop_from(stream, &mut single)?;
        summary.only_moves = Some(single.len());
        drop(single);
        let losing = stream.image(Direction::Backward, &lost)?;
        summary.points_of_no_return = Some(stream.common(&losing, &live));
        drop(losing);
        let rows = self.ground.by_depth(&forward.layers, &live, &lost)?;
        let standing = self.options.no_counting.then_some(Standing { live, lost });
        summary.blocking_moves = Some(rows.iter().filter_map(|row| row.blocking_moves).sum());
        let on_path = self.count_shortest(&mut summary)?;
        Ok((summary, rows, on_path, standing))
    }

    /// Bytes that a walk along shortest solutions takes.
    fn path_bytes(&self) -> u64 {
        let sets = if self.stream().is_undirected() { 7 } else { 8 };
        sets * self.stream().set_bytes() + FIXED_BYTES
    }

    /// Fills in the number of shortest solutions, where the budget allows.
    fn count_shortest(&self, summary: &mut Summary) -> Result<Option<OnPath>, NoMemory> {
        if self.options.no_counting {
            return Ok(None);
        }
        let on_path = self.path_to(summary.shortest)?;
        summary.shortest_solutions = match (&on_path, summary.shortest) {
            (Some(path), _) => Some(path.count()),
            (None, None) => Some(BigUint::ZERO),
            (None, Some(_)) => None,
        };
        Ok(on_path)
    }

    /// The first shortest solutions that were asked for, by depth; a stopped run knows those within
    /// its whole layers.
    fn solutions(&self, summary: &mut Summary) -> Result<Option<Vec<Vec<Position>>>, Failed> {
        let (Some(most), Some(shortest)) = (self.options.solutions, summary.shortest) else {
            if self.options.solutions.is_some() && !self.options.no_counting && summary.no_solution
            {
                summary.shortest_solutions = Some(BigUint::ZERO);
            }
            return Ok(None);
        };
        if !self.options.no_counting {
            self.count_shortest(summary)?;
        }
        let sets = shortest::solution_sets(self.stream(), shortest as usize);
        self.afford(sets)?;
        let goals = &self.ground.goals;
        let layers = shortest::first_solutions(self.stream(), goals, shortest as usize, most)?;
        Ok((!layers.is_empty()).then_some(layers))
    }

    /// Whether the budget has room for so many sets.
    fn afford(&self, sets: u64) -> Result<(), Failed> {
        let needed = sets * self.stream().set_bytes() + FIXED_BYTES;
        match self.options.limits.memory_bytes {
            Some(budget) if needed > budget => Err(Failed::Budget { needed, budget }),
            _ => Ok(()),
        }
    }

    /// Why figures are absent that another run would give.
    fn absent(&self, summary: &Summary, outcome: Outcome) -> Vec<(String, String)> {
        let asked = !self.options.only_depths && !self.options.no_counting;
        let mut absent = Vec::new();
        if !asked || outcome != Outcome::Complete {
            return absent;
        }
        if summary.shortest_solutions.is_none() {
            let budget = self.options.limits.memory_bytes.unwrap_or(u64::MAX);
            let needed = self.path_bytes();
            let reason = if needed > budget {
                format!("counting takes {needed} bytes of memory, and {budget} were allowed")
            } else {
                format!("more than {MOST_ON_PATH} states lie on shortest solutions")
            };
            absent.push(("shortest_solutions".to_owned(), reason));
        }
        let directed = summary.reversible != Some(true) || summary.graded == Some(true);
        if directed && summary.states.unwrap_or(0) > MOST_TABLED {
            let reason = format!("counted up to {MOST_TABLED} states only");
            let keys: &[&str] = if summary.graded == Some(true) {
                &["plays"]
            } else {
                &["longest", "plays"]
            };
            absent.extend(keys.iter().map(|key| ((*key).to_owned(), reason.clone())));
        }
        absent
    }

    fn path_to(&self, shortest: Option<u64>) -> Result<Option<OnPath>, NoMemory> {
        let budget = self.options.limits.memory_bytes.unwrap_or(u64::MAX);
        match shortest {
            Some(length) if self.path_bytes() <= budget => {
                shortest::on_path(self.stream(), &self.ground.goals, length as usize)
            }
            _ => Ok(None),
        }
    }
}

/// What a search around the goals of an undirected space tells.
struct Around {
    /// Number of remotenesses.
    remoteness: u64,
    transitions: Option<u64>,
    only_moves: u64,
    /// The live states, if they were kept.
    live: Option<Set>,
}

/// A stopped search that holds the states on shortest solutions by depth, goals last.
pub(crate) fn found<S: State>(layers: Vec<Vec<S>>) -> impasse_graph::search::Found<S> {
    let last = layers.len() - 1;
    let counts = layers.iter().enumerate().map(|(depth, layer)| LayerCounts {
        states: layer.len() as u64,
        goals: if depth == last { layer.len() as u64 } else { 0 },
        ..LayerCounts::default()
    });
    let outcome = Outcome::Stopped {
        reason: Limit::States,
        depth: last as u32,
    };
    impasse_graph::search::Found::of_layers(outcome, counts.collect(), layers)
}
