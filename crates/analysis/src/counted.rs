//! Boards whose cells hold counts: fields grow until every count fits.

use std::ops::ControlFlow;
use std::sync::Arc;

use impasse_graph::explicit::{Explicit, Uncollected};
use impasse_graph::kept::{ENGINE, Kept};
use impasse_graph::observe::{Observer, Progress};
use impasse_graph::search::search;
use impasse_model::counted::CompiledCounts;
use impasse_model::placed::PlacedRules;
use impasse_model::word::Word;

use crate::explore::{Job, RunError};
use crate::packed::{coding, finish, kept_search, shape};
use crate::plain::Plain;
use crate::run::Run;
use crate::width::{WithWord, kept_width, wider, with_width};

/// Bytes a state that verdicts and remoteness take behind the search.
const VERDICT_BYTES: u64 = 16;

/// Enumerates and analyses a counted board, with wider fields until every count fits.
pub(crate) fn explore_counted(
    job: Job<'_>,
    placed: &PlacedRules,
) -> Result<Box<dyn Run>, RunError> {
    let mut width = kept_width(job.instance, placed, job.options)?;
    let mut anew = false;
    loop {
        let counts = Counts {
            job,
            placed: placed.clone(),
            width,
            anew,
        };
        if let Some(run) = with_width(placed.cells * width as usize, counts)? {
            return Ok(run);
        }
        width = wider(job.instance, placed.cells, width)?;
        anew = true;
    }
}

/// A counted board with fields of one width; no run where a count did not fit.
struct Counts<'a> {
    job: Job<'a>,
    placed: PlacedRules,
    width: u32,
    /// Whether what was kept is overwritten: it has fields of another width.
    anew: bool,
}

/// Breaks a search off as soon as a count does not fit its field.
struct UntilOverflow<'a, W> {
    puzzle: &'a CompiledCounts<W>,
    observer: &'a dyn Observer,
}

impl<W: Word> Observer for UntilOverflow<'_, W> {
    fn layer(&self, progress: &Progress) -> ControlFlow<()> {
        self.observer.layer(progress)
    }
    fn interrupted(&self) -> bool {
        self.puzzle.overflowed() || self.observer.interrupted()
    }
    fn resident_bytes(&self) -> Option<u64> {
        self.observer.resident_bytes()
    }
    fn refused(&self, bytes: u64) {
        self.observer.refused(bytes);
    }
    fn note(&self, text: &str) {
        self.observer.note(text);
    }
}

impl WithWord for Counts<'_> {
    type Output = Option<Box<dyn Run>>;

    fn run<W: Word>(self) -> Result<Option<Box<dyn Run>>, RunError> {
        let Job {
            instance,
            options,
            observer,
        } = self.job;
        let bits = self.placed.cells * self.width as usize;
        let puzzle = CompiledCounts::<W>::new(instance.clone(), self.placed, self.width);
        let puzzle = Arc::new(puzzle);
        let watch = UntilOverflow {
            puzzle: &puzzle,
            observer,
        };
        let found = match &options.keeper {
            None => search(&*puzzle, !options.only_depths, &options.limits, &watch),
            Some(keeper) => {
                let mut kept =
                    Kept::new(&**keeper, ENGINE, coding(), shape(options, bits), self.anew);
                kept_search(&*puzzle, options, &watch, &mut kept)?
            }
        };
        if puzzle.overflowed() {
            return Ok(None);
        }
        if options.only_depths {
            return Ok(Some(Box::new(Plain::new(&found, instance, "hash"))));
        }
        let space = if puzzle.has_inverse() {
            Explicit::reversible(&puzzle, found)?
        } else {
            let states = found.states.len() as u64;
            let free = options.limits.memory_bytes.map(|budget| {
                let resident = observer.resident_bytes().unwrap_or(0);
                budget.saturating_sub(resident + VERDICT_BYTES * states)
            });
            match Explicit::collected(puzzle.clone(), found, free) {
                Ok(space) => space,
                Err(Uncollected::TooMany(error)) => return Err(error.into()),
                Err(Uncollected::NoRoom { bytes, layers }) => {
                    let more = bytes.saturating_sub(free.unwrap_or(0));
                    observer.refused(options.limits.memory_bytes.unwrap_or(0) + more);
                    return Ok(Some(Box::new(Plain::short(&layers, instance))));
                }
            }
        };
        Ok(Some(finish(space, puzzle, instance, options, observer)))
    }
}
