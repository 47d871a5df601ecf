//! Runs of the engine `hash`: every state packed, and what follows from all of them.

use std::ops::ControlFlow;
use std::sync::Arc;

use impasse_graph::expand::{Expand, State};
use impasse_graph::explicit::Explicit;
use impasse_graph::kept::{Coding, Kept};
use impasse_graph::numbers::Numbers;
use impasse_graph::observe::{Limit, Limits, Observer, Outcome};
use impasse_graph::search::{Found, search, search_kept};
use impasse_graph::slots::SlotSet;
use impasse_graph::space::{Indexed, Layers, Space};
use impasse_model::compiled::Compiled;
use impasse_model::instance::Instance;
use impasse_model::word::Word;
use num_bigint::BigUint;

use crate::analysed::{Analysed, Faces};
use crate::explore::{Job, Options, RunError};
use crate::figures::{figures, plain_rows, stopped_summary};
use crate::plain::Plain;
use crate::plays;
use crate::run::{Run, Table as _};
use crate::structure::Graph;
use crate::summary::Summary;
use crate::verdicts::{Verdicts, depth_rows, verdicts};
use crate::walks::{Walks, count};

/// Up to so many states, plays of spaces that are not graded are counted by a topological order.
const MOST_ORDERED: u64 = 2_000_000;

/// What must be equal for kept layers of packed states to have the same meaning.
pub(crate) fn shape(options: &Options, bits: usize) -> String {
    let what = if options.only_depths { "depths" } else { "all" };
    format!("{bits} bits a state, {what}")
}

/// Words as bytes, least first.
pub(crate) fn coding<W: Word>() -> Coding<W> {
    Coding {
        bytes: W::BITS as usize / 8,
        encode: |word, out| {
            for at in (0..W::BITS).step_by(64) {
                out.extend_from_slice(&word.right(at).low_u64().to_le_bytes());
            }
        },
        decode: |bytes| {
            let parts = (0..W::BITS).step_by(64).zip(bytes.chunks_exact(8));
            parts.fold(W::ZERO, |word, (at, eight)| {
                let part = u64::from_le_bytes(eight.try_into().expect("eight bytes"));
                word | W::from_u64(part).left(at)
            })
        },
    }
}

pub(crate) fn kept_search<W: Word>(
    puzzle: &dyn Expand<W>,
    options: &Options,
    observer: &dyn Observer,
    kept: &mut Kept<'_, W>,
) -> Result<Found<W>, RunError> {
    search_kept(
        puzzle,
        !options.only_depths,
        &options.limits,
        observer,
        kept,
    )
    .map_err(|error| RunError::Keeping(error.to_string()))
}

/// The limits of one of several searches in a process: an eighth of the memory is left to what the
/// allocator does not give back of another one.
pub(crate) fn beside_another(limits: &Limits) -> Limits {
    Limits {
        memory_bytes: limits.memory_bytes.map(|bytes| bytes - bytes / 8),
        ..*limits
    }
}

/// Enumerates packed states up to a number; `None` if there are more, or more than fit the memory.
pub(crate) fn probe<W: Word>(
    puzzle: &Arc<Compiled<W>>,
    job: Job<'_>,
    most: u64,
) -> Result<Option<Box<dyn Run>>, RunError> {
    let options = job.options;
    if options.limits.max_states.is_some_and(|own| own <= most) {
        let found = search(
            &**puzzle,
            !options.only_depths,
            &options.limits,
            job.observer,
        );
        return hashed(puzzle, found, job).map(Some);
    }
    let limits = Limits {
        max_states: Some(most),
        ..beside_another(&options.limits)
    };
    let found = search(&**puzzle, !options.only_depths, &limits, job.observer);
    match found.outcome {
        Outcome::Stopped {
            reason: Limit::States | Limit::Memory,
            ..
        } => Ok(None),
        _ => hashed(puzzle, found, job).map(Some),
    }
}

/// The run of a search by packed states.
pub(crate) fn hashed<W: Word>(
    puzzle: &Arc<Compiled<W>>,
    found: Found<W>,
    job: Job<'_>,
) -> Result<Box<dyn Run>, RunError> {
    let Job {
        instance,
        options,
        observer,
    } = job;
    if options.only_depths {
        return Ok(Box::new(Plain::new(&found, instance, "hash")));
    }
    let space = Explicit::reversible(puzzle, found)?;
    Ok(finish(space, puzzle.clone(), instance, options, observer))
}

impl<S: State> Analysed<S> {
    /// The longest play and the number of plays, of a space without circles; absent where the memory
    /// does not do.
    fn count_plays(&mut self, limits: &Limits, observer: &dyn Observer) {
        let states = u64::from(self.state_count());
        let transitions = self.summary.transitions.unwrap_or(0);
        let deepest = self.summary.max_depth.unwrap_or(0);
        let bytes = plays::most_bytes(states, transitions, deepest);
        let resident = observer.resident_bytes().unwrap_or(0);
        if limits
            .memory_bytes
            .is_some_and(|budget| resident + bytes > budget)
        {
            let reason = format!("--memory has no room for {bytes} bytes more");
            let keys = ["longest", "plays"].into_iter();
            self.absent = keys.map(|key| (key.to_owned(), reason.clone())).collect();
            return;
        }
        let graph = Graph::collect(self);
        if let Some(all) = plays::all_plays(&graph, self.start_count()) {
            self.summary.longest = Some(all.longest);
            self.summary.plays = Some(all.count);
        }
    }
}

/// Analyses an enumerated space.
pub(crate) fn finish<S: State>(
    space: Explicit<S>,
    faces: Arc<dyn Faces<S>>,
    instance: &Instance,
    options: &Options,
    observer: &dyn Observer,
) -> Box<dyn Run> {
    if space.outcome() != Outcome::Complete {
        return stopped(space, faces, instance, observer, false);
    }
    match full(&space, options, observer) {
        ControlFlow::Continue((summary, verdicts, remoteness)) => {
            let depths = depth_rows(&space, &verdicts);
            let dead_ends = verdicts.dead_ends;
            let instance = instance.clone();
            let mut run = Analysed::new(
                space, faces, instance, summary, depths, remoteness, dead_ends,
            );
            if run.summary.longest.is_none()
                && !options.no_counting
                && run.summary.reversible != Some(true)
                && run.summary.states.is_some_and(|n| n <= MOST_ORDERED)
            {
                run.count_plays(&options.limits, observer);
            }
            Box::new(run)
        }
        ControlFlow::Break(()) => {
            let depth = space.layers().len() as u32 - 1;
            let outcome = Outcome::Stopped {
                reason: Limit::Interrupt,
                depth,
            };
            let summary = stopped_summary(space.layers(), Limit::Interrupt);
            let depths = plain_rows(space.layers(), true);
            Box::new(Plain {
                summary,
                depths,
                outcome,
                engine: "hash",
                instance: instance.clone(),
            })
        }
    }
}

/// A stopped run: figures of its whole layers, and a table for solutions found so far.
pub(crate) fn stopped<S: State>(
    space: Explicit<S>,
    faces: Arc<dyn Faces<S>>,
    instance: &Instance,
    observer: &dyn Observer,
    excerpt: bool,
) -> Box<dyn Run> {
    let Outcome::Stopped { reason, .. } = space.outcome() else {
        unreachable!("stopped")
    };
    let summary = stopped_summary(space.layers(), reason);
    let depths = plain_rows(space.layers(), true);
    let mut remoteness = Numbers::none(space.slot_count());
    let whole = space.retrograde(observer, &mut |r, set| {
        space.slots(set, &mut |slot| remoteness.set(slot, r));
    });
    if whole.is_break() || summary.shortest.is_none() {
        remoteness = Numbers::none(space.slot_count());
    }
    let mut run = Analysed::stopped(space, faces, instance.clone(), summary, depths, remoteness);
    run.excerpt = excerpt;
    Box::new(run)
}

type Analysis = (Summary, Verdicts<SlotSet>, Numbers);

fn full<S: State>(
    space: &Explicit<S>,
    options: &Options,
    observer: &dyn Observer,
) -> ControlFlow<(), Analysis> {
    let mut remoteness = Numbers::none(space.slot_count());
    let verdicts = verdicts(space, observer, &mut |r, set| {
        space.slots(set, &mut |slot| remoteness.set(slot, r));
    })?;
    let (mut summary, _) = figures(space.layers());
    let states = summary.states.unwrap_or(0);
    let live = space.count(&verdicts.live);
    let dead_ends = space.count(&verdicts.dead_ends);
    summary.live = Some(live);
    summary.lost = Some(states - live);
    summary.doomed = Some(states - live - dead_ends);
    summary.blocking_moves = Some(verdicts.tally.blocking.iter().sum());
    summary.points_of_no_return = Some(space.count(&verdicts.tally.points_of_no_return));
    summary.only_moves = Some(verdicts.tally.only_moves);
    summary.max_remoteness = verdicts.max_remoteness.map(u64::from);
    debug_assert_eq!(summary.transitions, Some(verdicts.tally.transitions));
    let graded = verdicts.tally.graded;
    summary.graded = Some(graded);
    let still = verdicts.tally.transitions == 0;
    summary.reversible = Some(if graded && !still {
        false
    } else {
        space.is_reversible(observer)?
    });
    if !options.no_counting {
        summary.shortest_solutions = Some(shortest_solutions(
            space,
            &remoteness,
            summary.shortest,
            observer,
        )?);
        if graded {
            summary.longest = summary.max_depth;
            let movable = &verdicts.tally.movable;
            let walks = Walks {
                passes: &|_| true,
                ends: &|slot| !movable.has(slot),
            };
            summary.plays = Some(count(space, &walks, observer)?);
        }
    }
    ControlFlow::Continue((summary, verdicts, remoteness))
}

fn shortest_solutions<S: State>(
    space: &Explicit<S>,
    remoteness: &Numbers,
    shortest: Option<u64>,
    observer: &dyn Observer,
) -> ControlFlow<(), BigUint> {
    let Some(shortest) = shortest else {
        return ControlFlow::Continue(BigUint::ZERO);
    };
    let shortest = shortest as u32;
    let walks = Walks {
        passes: &|slot| {
            let remoteness = remoteness.get(slot);
            remoteness.is_some_and(|r| r + space.depth(slot) == shortest)
        },
        ends: &|slot| remoteness.get(slot) == Some(0),
    };
    count(space, &walks, observer)
}
