//! Runs of the engine `layers`: all figures of a space of which only a few layers are kept.

use std::cell::{Cell, RefCell};
use std::io;

use impasse_graph::count::Count;
use impasse_graph::expand::State;
use impasse_graph::kept::{Besides, Kept};
use impasse_graph::observe::{Limit, Limits, Observer, Outcome};
use impasse_graph::search::{Found, search_by_layers, search_by_layers_kept};
use impasse_graph::space::LayerCounts;
use impasse_graph::thin::{Checkpoints, Swept, count_shortest, search_around, sweep};
use impasse_model::compiled::Compiled;
use impasse_model::instance::Instance;
use impasse_model::puzzle::Puzzle;
use impasse_model::word::Word;
use num_bigint::BigUint;

use crate::explore::{Job, Options, RunError};
use crate::figures::{figures, plain_rows, stopped_summary};
use crate::packed::{coding, shape};
use crate::plain::Plain;
use crate::run::Run;
use crate::summary::{DepthRow, Summary};
use crate::walks::Big;

/// The engine's name.
pub(crate) const ENGINE: &str = "layers";
/// Bytes for checkpoints where no budget is given, or a large one.
const MOST_CHECKPOINTS: u64 = 1 << 29;

/// Enumerates and analyses a puzzle whose moves can all be taken back, or all lead one layer deeper;
/// with `anew`, what was kept of a search is overwritten.
///
/// # Errors
/// [`RunError::NotThin`] for other puzzles, and [`RunError::Keeping`].
pub(crate) fn explore_thin<W: Word>(
    puzzle: &Compiled<W>,
    job: Job<'_>,
    anew: bool,
) -> Result<Box<dyn Run>, RunError> {
    let Job {
        instance,
        options,
        observer,
    } = job;
    let graded = puzzle.is_graded();
    if let Some(why) = why_not(
        graded,
        puzzle.is_undirected(),
        instance,
        options.only_depths,
    ) {
        return Err(RunError::NotThin { why });
    }
    let run = Thin {
        puzzle,
        instance,
        options,
        limits: &options.limits,
        observer,
        anew,
    };
    let ran = if options.only_depths {
        run.search(Besides::Nothing, &mut |_, _| {})
            .map(|found| Box::new(Plain::new(&found, instance, ENGINE)) as Box<dyn Run>)
    } else if graded {
        run.graded(!options.no_counting)
    } else {
        run.undirected(!options.no_counting)
    };
    ran.map_err(|error| RunError::Keeping(error.to_string()))
}

/// Why a puzzle on a board of symbols cannot be taken; `None` if it can.
pub(crate) fn why_not(
    graded: bool,
    undirected: bool,
    instance: &Instance,
    only_depths: bool,
) -> Option<&'static str> {
    if !graded && !undirected {
        return Some(
            "some move cannot be taken back, and it is not proved that every move leads one layer deeper",
        );
    }
    let mut starts = instance.starts.iter();
    let one_start = starts.all(|start| *start == instance.starts[0]);
    (!graded && !one_start && !only_depths)
        .then_some("there are several starts, and moves can be taken back")
}

struct Thin<'a, W> {
    puzzle: &'a Compiled<W>,
    instance: &'a Instance,
    options: &'a Options,
    limits: &'a Limits,
    observer: &'a dyn Observer,
    /// Whether what was kept of a search is overwritten.
    anew: bool,
}

impl<W: Word + State> Thin<'_, W> {
    /// The search forward, on from where it was kept. `visit` is told depths and layers.
    fn search(
        &self,
        besides: Besides<'_, W>,
        visit: &mut dyn FnMut(usize, &[W]),
    ) -> io::Result<Found<W>> {
        let (puzzle, limits, observer) = (self.puzzle, self.limits, self.observer);
        let Some(keeper) = &self.options.keeper else {
            let mut depth = 0;
            let mut visit = |layer: &[W]| {
                visit(depth, layer);
                depth += 1;
            };
            return Ok(search_by_layers(puzzle, limits, observer, &mut visit));
        };
        let shape = shape(self.options, puzzle.packing().bits());
        let kept = Kept::new(&**keeper, ENGINE, coding(), shape, self.anew);
        let mut kept = kept.with(besides);
        search_by_layers_kept(puzzle, limits, observer, &mut kept, visit)
    }

    fn graded(&self, counting: bool) -> io::Result<Box<dyn Run>> {
        let allowance = self
            .limits
            .memory_bytes
            .map_or(MOST_CHECKPOINTS, |budget| MOST_CHECKPOINTS.min(budget / 4));
        let mut checkpoints = Checkpoints::new(allowance);
        let every = Cell::new(1);
        let found = self.search(Besides::Every(&every), &mut |depth, layer| {
            if checkpoints.is_empty() {
                checkpoints = Checkpoints::new(allowance).at_every(every.get());
            }
            checkpoints.offer_at(depth, layer);
            every.set(checkpoints.every());
        })?;
        if found.outcome != Outcome::Complete {
            return Ok(Box::new(Plain::new(&found, self.instance, ENGINE)));
        }
        checkpoints.end_at(found.counts.len());
        let swept = if counting {
            self.counted(&checkpoints)
        } else {
            self.swept::<()>(&checkpoints).map(|swept| {
                let swept = swept.expect("nothing is counted");
                (swept, None)
            })
        };
        Ok(match swept {
            Ok((swept, counted)) => self.whole(&found.counts, &swept, counted),
            Err(limit) => self.broken(&found.counts, limit),
        })
    }

    fn swept<N: Count>(&self, checkpoints: &Checkpoints<W>) -> Result<Option<Swept<N>>, Limit> {
        sweep(self.puzzle, checkpoints, self.limits, self.observer)
    }

    /// With the numbers of shortest solutions and of plays: in 128 bits, else in big integers.
    #[allow(clippy::type_complexity)]
    fn counted(
        &self,
        checkpoints: &Checkpoints<W>,
    ) -> Result<(Swept<()>, Option<(BigUint, BigUint)>), Limit> {
        if let Some(swept) = self.swept::<u128>(checkpoints)? {
            let numbers = (swept.shortest_solutions.into(), swept.plays.into());
            return Ok((swept.uncounted(), Some(numbers)));
        }
        let swept = self.swept::<Big>(checkpoints)?;
        let swept = swept.expect("big integers do not overflow");
        let numbers = (swept.shortest_solutions.0.clone(), swept.plays.0.clone());
        Ok((swept.uncounted(), Some(numbers)))
    }

    fn whole(
        &self,
        layers: &[LayerCounts],
        swept: &Swept<()>,
        counted: Option<(BigUint, BigUint)>,
    ) -> Box<dyn Run> {
        let (mut summary, _) = figures(layers);
        verdicts(&mut summary, swept.live.iter().sum());
        summary.blocking_moves = Some(swept.blocking.iter().sum());
        summary.points_of_no_return = Some(swept.points_of_no_return);
        summary.only_moves = Some(swept.only_moves);
        summary.max_remoteness = swept.max_remoteness.map(u64::from);
        summary.graded = Some(true);
        summary.reversible = Some(summary.transitions == Some(0));
        if let Some((solutions, plays)) = counted {
            summary.shortest_solutions = Some(solutions);
            summary.plays = Some(plays);
            summary.longest = summary.max_depth;
        }
        let rows = layers.iter().zip(&swept.live).zip(&swept.blocking);
        let rows = rows.map(|((layer, &live), &blocking)| row(layer, live, blocking));
        self.plain(summary, rows.collect(), Outcome::Complete)
    }

    fn undirected(&self, counting: bool) -> io::Result<Box<dyn Run>> {
        let goals = RefCell::new(Vec::new());
        let found = self.search(Besides::List(&goals), &mut |_, layer| {
            let here = layer.iter().filter(|&&state| self.puzzle.is_goal(state));
            goals.borrow_mut().extend(here);
        })?;
        if found.outcome != Outcome::Complete {
            return Ok(Box::new(Plain::new(&found, self.instance, ENGINE)));
        }
        let goals = goals.into_inner();
        let (mut summary, _) = figures(&found.counts);
        let all = summary.states.unwrap_or(0);
        let still = summary.transitions == Some(0);
        // From each state all others can be reached.
        let live = if goals.is_empty() { 0 } else { all };
        verdicts(&mut summary, live);
        summary.blocking_moves = Some(0);
        summary.points_of_no_return = Some(0);
        let single = found.counts.iter().map(|layer| layer.single).sum();
        summary.only_moves = Some(if live > 0 { single } else { 0 });
        summary.graded = Some(still);
        summary.reversible = Some(true);
        if live > 0 {
            let around = search_around(self.puzzle, goals, &self.after(), self.observer);
            if let Outcome::Stopped { reason, .. } = around.outcome {
                return Ok(self.broken(&found.counts, reason));
            }
            summary.max_remoteness = Some(around.counts.len() as u64 - 1);
        }
        if counting {
            match self.shortest_solutions(&found) {
                Ok(count) => summary.shortest_solutions = Some(count),
                Err(Outcome::Stopped { reason, .. }) => {
                    return Ok(self.broken(&found.counts, reason));
                }
                Err(Outcome::Complete) => unreachable!("a whole count has a number"),
            }
            if still {
                summary.longest = Some(0);
                summary.plays = Some(BigUint::from(1_u8));
            }
        }
        let live_of = |layer: &LayerCounts| if live > 0 { layer.states } else { 0 };
        let rows = found.counts.iter();
        let rows = rows.map(|layer| row(layer, live_of(layer), 0)).collect();
        Ok(self.plain(summary, rows, Outcome::Complete))
    }

    /// The limits of a search of what was searched before.
    fn after(&self) -> Limits {
        Limits {
            max_states: None,
            max_depth: None,
            ..*self.limits
        }
    }

    fn shortest_solutions(&self, found: &Found<W>) -> Result<BigUint, Outcome> {
        let Some(least) = found.counts.iter().position(|layer| layer.goals > 0) else {
            return Ok(BigUint::ZERO);
        };
        let (least, limits) = (least as u32, self.after());
        let narrow = count_shortest::<W, u128>(self.puzzle, least, &limits, self.observer)?;
        if let Some(count) = narrow {
            return Ok(count.into());
        }
        let big = count_shortest::<W, Big>(self.puzzle, least, &limits, self.observer)?;
        Ok(big.expect("big integers do not overflow").0)
    }

    /// A run whose search was whole, but not what came behind.
    fn broken(&self, layers: &[LayerCounts], reason: Limit) -> Box<dyn Run> {
        let outcome = Outcome::Stopped {
            reason,
            depth: layers.len() as u32 - 1,
        };
        let rows = plain_rows(layers, true);
        self.plain(stopped_summary(layers, reason), rows, outcome)
    }

    fn plain(&self, summary: Summary, depths: Vec<DepthRow>, outcome: Outcome) -> Box<dyn Run> {
        Box::new(Plain {
            summary,
            depths,
            outcome,
            engine: ENGINE,
            instance: self.instance.clone(),
        })
    }
}

/// Fills in what follows from the number of live states.
fn verdicts(summary: &mut Summary, live: u64) {
    let states = summary.states.unwrap_or(0);
    summary.live = Some(live);
    summary.lost = Some(states - live);
    summary.doomed = Some(states - live - summary.dead_ends.unwrap_or(0));
}

fn row(layer: &LayerCounts, live: u64, blocking: u64) -> DepthRow {
    DepthRow {
        states: layer.states,
        live: Some(live),
        doomed: Some(layer.states - live - layer.dead_ends),
        dead_ends: Some(layer.dead_ends),
        goals: Some(layer.goals),
        blocking_moves: Some(blocking),
    }
}
