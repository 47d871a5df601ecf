//! Runs of the streaming engine: all figures from sets, a table only where it is asked for.

mod goals;
mod passes;
mod shortest;

use std::sync::OnceLock;

use impasse_graph::expand::State;
use impasse_graph::observe::{Limit, Observer, Outcome};
use impasse_graph::space::LayerCounts;
use impasse_graph::stream::{Direction, Knobs, NoMemory, NotStreamed, Search, Set, Stream, Task};
use impasse_model::board::Shape;
use impasse_model::compiled::is_undirected;
use impasse_model::goal::cell_goal;
use impasse_model::instance::{Instance, Position};
use impasse_model::placed::PlacedRules;
use impasse_model::puzzle::Style;
use num_bigint::BigUint;

use crate::explore::{Options, figures, plain_rows, stopped_summary};
use crate::run::{Run, Table};
use crate::summary::{DepthRow, Summary};
use goals::Goals;
use passes::{Forward, Ground, Halt};
use shortest::OnPath;

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
}

impl Need {
    /// Bytes, without programs and the rest of the process.
    pub(crate) fn bytes(&self) -> u64 {
        self.sets * self.set_bytes
    }
}

/// Bytes of everything but sets: programs, threads, the process.
pub(crate) const FIXED_BYTES: u64 = 24 << 20;

fn task<'a>(instance: &'a Instance, placed: &'a PlacedRules) -> Task<'a> {
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
        row,
    }
}

/// What a streamed run of an instance would take; an error if there can be none.
pub(crate) fn need(
    instance: &Instance,
    placed: &PlacedRules,
    only_depths: bool,
) -> Result<Need, NotStreamed> {
    let goal = cell_goal(instance).ok_or(NotStreamed::NoRanks)?;
    let task = task(instance, placed);
    let size = Stream::size(&task, &Knobs::default())?;
    let goals = u64::from(Goals::is_set(&goal, placed.cells));
    let cuts = u64::from(!placed.cuts.is_empty());
    // The widest pass: plain or backward, and for directed spaces the second one forward.
    let sets = match (task.undirected, only_depths) {
        (true, true) => 2,
        (true, false) | (false, true) => 4,
        (false, false) => 7,
    };
    Ok(Need {
        arrangements: size.arrangements,
        set_bytes: size.set_bytes,
        sets: sets + goals + cuts,
    })
}

/// Why a streamed run failed.
#[derive(Clone, Debug)]
pub(crate) enum Failed {
    /// The space cannot be streamed.
    Not(NotStreamed),
    /// The system refuses the memory.
    Memory(NoMemory),
}

impl From<NoMemory> for Failed {
    fn from(error: NoMemory) -> Self {
        Self::Memory(error)
    }
}

/// Makes a run with a table of every state, or of the given layers alone.
pub(crate) type Tables = Box<dyn Fn(Layers) -> Option<Box<dyn Run>> + Send + Sync>;

/// Which states a table holds.
pub(crate) enum Layers {
    /// All.
    All,
    /// These positions by depth.
    These(Vec<Vec<Position>>),
}

/// A run of the streaming engine.
pub(crate) struct Streamed {
    instance: Instance,
    summary: Summary,
    depths: Vec<DepthRow>,
    outcome: Outcome,
    on_path: Option<Vec<Vec<Position>>>,
    tables: Tables,
    all: OnceLock<Option<Box<dyn Run>>>,
    partial: OnceLock<Option<Box<dyn Run>>>,
}

/// Enumerates and analyses an instance on the current rayon pool.
pub(crate) fn run(
    instance: &Instance,
    placed: &PlacedRules,
    options: &Options,
    observer: &dyn Observer,
    tables: Tables,
) -> Result<Box<dyn Run>, Failed> {
    let stream = Stream::new(&task(instance, placed), &Knobs::default()).map_err(Failed::Not)?;
    let goal = cell_goal(instance).ok_or(Failed::Not(NotStreamed::NoRanks))?;
    let mut ground = Ground {
        goals: Goals::new(&stream, &goal, placed.cells)?,
        stuck: None,
        cuts: cuts(&stream, placed)?,
        stream: &stream,
        limits: &options.limits,
        observer,
    };
    ground.find_stuck()?;
    let mut forward = ground.forward(false)?;
    let work = Work {
        ground: &ground,
        options,
    };
    let (summary, depths, on_path) = if let Outcome::Stopped { reason, .. } = forward.outcome {
        let summary = stopped_summary(&forward.layers, reason);
        let on_path = work.partial_path(&summary)?;
        (summary, plain_rows(&forward.layers, true), on_path)
    } else if options.only_depths {
        let transitions = work.transitions(&forward)?;
        let (mut summary, _) = figures(&forward.layers);
        summary.transitions = Some(transitions);
        (summary, plain_rows(&forward.layers, false), None)
    } else {
        match work.full(&mut forward) {
            Ok(done) => done,
            Err(Halt::Memory(error)) => return Err(error.into()),
            Err(Halt::Interrupted) => {
                let reason = Limit::Interrupt;
                let depth = forward.layers.len() as u32 - 1;
                forward.outcome = Outcome::Stopped { reason, depth };
                let summary = stopped_summary(&forward.layers, reason);
                (summary, plain_rows(&forward.layers, true), None)
            }
        }
    };
    let positions = |path: OnPath| -> Vec<Vec<Position>> {
        let layers = path.layers.iter();
        layers
            .map(|layer| {
                layer
                    .iter()
                    .map(|(spot, _)| stream.position(*spot))
                    .collect()
            })
            .collect()
    };
    let mut run = Streamed {
        instance: instance.clone(),
        summary,
        depths,
        outcome: forward.outcome,
        on_path: on_path.map(positions),
        tables,
        all: OnceLock::new(),
        partial: OnceLock::new(),
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

type Done = (Summary, Vec<DepthRow>, Option<OnPath>);

struct Work<'a> {
    ground: &'a Ground<'a>,
    options: &'a Options,
}

impl Work<'_> {
    fn stream(&self) -> &Stream {
        self.ground.stream
    }

    /// Transitions of a completed search.
    fn transitions(&self, forward: &Forward) -> Result<u64, NoMemory> {
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

    /// Every state of an undirected space reaches every other.
    fn undirected(&self, forward: &Forward) -> Result<Done, Halt> {
        let (mut summary, _) = figures(&forward.layers);
        let states = forward.states();
        let solvable = summary.shortest.is_some();
        let share = |count: u64| if solvable { count } else { 0 };
        summary.live = Some(share(states));
        summary.lost = Some(states - share(states));
        summary.doomed = summary.lost.zip(summary.dead_ends).map(|(lost, dead)| {
            // A start without a move is lost alone, or a goal.
            lost.saturating_sub(dead)
        });
        summary.blocking_moves = Some(0);
        summary.points_of_no_return = Some(0);
        summary.only_moves = Some(0);
        summary.reversible = Some(true);
        let mut transitions = None;
        if solvable {
            let around = self.around_goals(forward)?;
            summary.max_remoteness = Some(around.remoteness - 1);
            summary.only_moves = Some(around.only_moves);
            transitions = around.transitions;
        }
        let transitions = match transitions {
            Some(transitions) => transitions,
            None => self.transitions(forward)?,
        };
        summary.transitions = Some(transitions);
        summary.graded = Some(transitions == 0);
        let rows = forward.layers.iter().map(|layer| DepthRow {
            states: layer.states,
            live: Some(share(layer.states)),
            doomed: Some(layer.states - share(layer.states) - layer.dead_ends),
            dead_ends: Some(layer.dead_ends),
            goals: Some(layer.goals),
            blocking_moves: Some(0),
        });
        let rows = rows.collect();
        let on_path = self.count_shortest(&mut summary)?;
        Ok((summary, rows, on_path))
    }

    /// A search from the reached goals of an undirected space: it meets every reached state again.
    fn around_goals(&self, forward: &Forward) -> Result<Around, Halt> {
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
        let mut each = |layer: &Set| only_moves += stream.common(layer, &single);
        let back = self.ground.backward(goals, None, !everything, &mut each)?;
        Ok(Around {
            remoteness: back.layers.len() as u64,
            transitions: (!everything).then_some(back.transitions),
            only_moves,
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
        drop((live, lost));
        summary.blocking_moves = Some(rows.iter().filter_map(|row| row.blocking_moves).sum());
        let on_path = self.count_shortest(&mut summary)?;
        Ok((summary, rows, on_path))
    }

    /// Bytes that a walk along shortest solutions takes.
    fn path_bytes(&self) -> u64 {
        let sets = if self.stream().is_undirected() { 7 } else { 8 };
        sets * self.stream().set_bytes() + FIXED_BYTES
    }

    /// Fills in the number of shortest solutions, where the budget allows.
    fn count_shortest(&self, summary: &mut Summary) -> Result<Option<OnPath>, NoMemory> {
        let on_path = self.path_to(summary.shortest)?;
        if !self.options.no_counting {
            summary.shortest_solutions = match (&on_path, summary.shortest) {
                (Some(path), _) => Some(path.count()),
                (None, None) => Some(BigUint::ZERO),
                (None, Some(_)) => None,
            };
        }
        Ok(on_path)
    }

    /// A stopped run knows the shortest solutions within its whole layers.
    fn partial_path(&self, summary: &Summary) -> Result<Option<OnPath>, NoMemory> {
        if self.options.only_depths {
            return Ok(None);
        }
        self.path_to(summary.shortest)
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
}

impl Streamed {
    /// Figures of small spaces that need every state one by one.
    fn complete_small(&mut self, options: &Options) {
        if options.no_counting || options.only_depths {
            return;
        }
        let graded = self.summary.graded == Some(true);
        if graded {
            self.summary.longest = self.summary.max_depth;
        }
        if self.summary.reversible == Some(true) && !graded {
            return;
        }
        if self.outcome == Outcome::Complete
            && self.summary.states.unwrap_or(0) <= MOST_TABLED
            && let Some(run) = (self.tables)(Layers::All)
        {
            let other = run.summary();
            self.summary.longest = other.longest;
            self.summary.plays.clone_from(&other.plays);
            let _ = self.all.set(Some(run));
        }
    }
}

impl Run for Streamed {
    fn summary(&self) -> &Summary {
        &self.summary
    }
    fn depths(&self) -> &[DepthRow] {
        &self.depths
    }
    fn outcome(&self) -> Outcome {
        self.outcome
    }
    fn engine(&self) -> &'static str {
        "stream"
    }
    fn table(&self) -> Option<&dyn Table> {
        if self.outcome != Outcome::Complete || self.summary.states.unwrap_or(0) > MOST_TABLED {
            return None;
        }
        let all = self.all.get_or_init(|| (self.tables)(Layers::All));
        all.as_ref()?.table()
    }
    fn partial_table(&self) -> Option<&dyn Table> {
        if self.table().is_some() {
            return self.table();
        }
        let layers = self.on_path.as_ref()?;
        let partial = self
            .partial
            .get_or_init(|| (self.tables)(Layers::These(layers.clone())));
        partial.as_ref()?.partial_table()
    }
    fn draw_position(&self, position: &Position, style: Style) -> Vec<String> {
        let instance = &self.instance;
        instance.board.picture(&instance.alphabet, position, style)
    }
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
