//! From an instance to a finished run: chooses the word and the engine, runs the analyses.

use std::ops::ControlFlow;
use std::sync::Arc;

use impasse_graph::expand::Expand;
use impasse_graph::expand::State;
use impasse_graph::explicit::Explicit;
use impasse_graph::keep::{Keeper, Standing};
use impasse_graph::kept::{Coding, Kept};
use impasse_graph::numbers::Numbers;
use impasse_graph::observe::{Limit, Limits, Observer, Outcome, Progress, Silent};
use impasse_graph::search::{Found, search, search_kept};
use impasse_graph::slots::SlotSet;
use impasse_graph::space::{Indexed, LayerCounts, Layers, Space};
use impasse_graph::stream::{NoMemory, NotStreamed};
use impasse_model::bounded::greatest_count;
use impasse_model::compiled::{Compiled, packing};
use impasse_model::counted::CompiledCounts;
use impasse_model::instance::Instance;
use impasse_model::place::place;
use impasse_model::placed::{PlaceError, PlacedRules};
use impasse_model::symmetry::{Symmetry, symmetries};
use impasse_model::word::{Wide, Word};
use num_bigint::BigUint;

use crate::analysed::{Analysed, Faces};
use crate::plain::Plain;
use crate::plays;
use crate::reduced::{self, Reduced};
use crate::run::{Run, Table as _};
use crate::streamed::{self, Failed, Tables};
use crate::structure::Graph;
use crate::summary::{DepthRow, Scope, Summary};
use crate::thin::explore_thin;
use crate::verdicts::{Verdicts, depth_rows, verdicts};
use crate::walks::{Walks, count};

/// What a run is asked for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Limits.
    pub limits: Limits,
    /// `--only depths`: plain enumeration; the other keys are absent.
    pub only_depths: bool,
    /// The engine.
    pub engine: Engine,
    /// Whether shortest solutions and plays need not be counted; the keys are absent then.
    pub no_counting: bool,
    /// So many shortest solutions are to be shown: a run that keeps no table of all states keeps
    /// one of these, and may leave out all figures that plain enumeration does not give.
    pub solutions: Option<u64>,
    /// Whether one state of each orbit stands for all.
    pub symmetry: Symmetric,
    /// Where the search is kept, so that another run can go on with it, and where it goes on.
    pub keeper: Option<Arc<dyn Keeper>>,
}

/// `--engine`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The product chooses.
    #[default]
    Auto,
    /// Packed states in sorted layers.
    Hash,
    /// Sets of states as bit vectors over ranks.
    Stream,
    /// Packed states, only a few layers of which are kept.
    Layers,
}

/// `--symmetry`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetric {
    /// Used where packed states are enumerated and are many.
    #[default]
    Auto,
    /// Used from the start, with packed states.
    On,
    /// Not used.
    Off,
}

/// Why a run could not begin, or broke.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RunError {
    /// A puzzle too wide for any packing.
    #[error(
        "board of {cells} cells needs {bits} bits a state, but at most {most} can be packed; choose a smaller one, or write the puzzle in Rust"
    )]
    TooWide {
        /// Cells.
        cells: usize,
        /// Bits a state.
        bits: usize,
        /// The widest word.
        most: usize,
    },
    /// A counted board whose counts do not stay small.
    #[error(
        "a count passes {most} and goes on growing; write `cap` behind `of counts`, or a smaller window"
    )]
    Grows {
        /// The most that was tried.
        most: u64,
    },
    /// The rules cannot be placed.
    #[error(transparent)]
    Rules(#[from] PlaceError),
    /// A puzzle that the engine `layers` cannot take.
    #[error("the engine `layers` cannot take this puzzle: {why}; use `--engine hash`")]
    NotThin {
        /// Why.
        why: &'static str,
    },
    /// More states than the engine can number.
    #[error("{0}; use `--only depths`, or a limit")]
    TooMany(#[from] impasse_graph::explicit::TooManyStates),
    /// `--engine stream` on a space that cannot be streamed.
    #[error("the streaming engine cannot run: {0}; use `--engine hash`")]
    NotStreamed(#[from] NotStreamed),
    /// A run would pass the memory budget before it can tell anything.
    #[error(
        "the run needs {needed} bytes of memory, but {budget} are allowed; use `--memory {needed}`, or `--only depths`"
    )]
    Memory {
        /// What it needs, at least.
        needed: u64,
        /// What is allowed, or what the system gives.
        budget: u64,
    },
    /// The search cannot be kept, or what was kept cannot be gone on with.
    #[error("the search cannot be kept or gone on with: {0}")]
    Keeping(String),
}

/// The widest word.
pub const MOST_BITS: usize = 1024;
/// Bits a counted cell begins with.
const DEFAULT_COUNT_BITS: u32 = 8;
/// Counts that need more bits grow without end, as far as a search can tell.
const MOST_COUNT_BITS: u32 = 24;
/// Up to so many states, plays of spaces that are not graded are counted by a topological order.
const MOST_ORDERED: u64 = 2_000_000;

/// Enumerates and analyses one instance on the current rayon thread pool.
///
/// # Errors
/// [`RunError`] where the puzzle cannot be packed or placed. Hitting a limit or an interrupt is no
/// error: the run says so in its outcome.
pub fn explore(
    instance: &Instance,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Box<dyn Run>, RunError> {
    let placed = place(instance)?;
    let job = Job {
        instance,
        options,
        observer,
    };
    if !instance.board.counted {
        let bits = packing(instance, &placed).bits();
        word_bits(instance, bits)?;
        return with_width(bits, Symbols { job, placed });
    }
    if options.engine == Engine::Stream {
        return Err(NotStreamed::NoRanks.into());
    }
    if options.engine == Engine::Layers {
        return Err(RunError::NotThin {
            why: "its cells hold counts",
        });
    }
    let mut width = kept_width(instance, &placed, options)?;
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
        width = wider(instance, placed.cells, width)?;
        anew = true;
    }
}

/// The width of the fields of a kept search, or the first one to try.
fn kept_width(
    instance: &Instance,
    placed: &PlacedRules,
    options: &Options,
) -> Result<u32, RunError> {
    let mut width = first_width(instance, placed)?;
    let failed = |error: std::io::Error| RunError::Keeping(error.to_string());
    let kept = match &options.keeper {
        Some(keeper) => Standing::kept(&**keeper).map_err(failed)?,
        None => None,
    };
    while let Some(kept) = &kept
        && kept.shape != shape(options, placed.cells * width as usize)
    {
        width = wider(instance, placed.cells, width).map_err(|_| {
            RunError::Keeping("the kept search is of another engine or another space".to_owned())
        })?;
    }
    Ok(width)
}

/// Bits a counted cell begins with: enough for the cap, else for the count that weights prove the
/// greatest, else 8 where there is room, and at least what the starts need.
pub(crate) fn first_width(instance: &Instance, placed: &PlacedRules) -> Result<u32, RunError> {
    let cells = placed.cells;
    let bits = |count: u64| (u64::BITS - count.leading_zeros()).max(1);
    let greatest = instance.starts.iter().flatten().copied().max().unwrap_or(0);
    let room = (MOST_BITS / cells.max(1)) as u32;
    let width = if let Some(cap) = instance.board.cap {
        bits(cap.max(greatest))
    } else {
        let proved = greatest_count(instance, &placed.counts).map_or(u32::MAX, bits);
        bits(greatest).max(DEFAULT_COUNT_BITS.min(room).min(proved))
    };
    check_width(instance, cells, width).map(|()| width)
}

/// The next width after one that did not suffice.
fn wider(instance: &Instance, cells: usize, width: u32) -> Result<u32, RunError> {
    let room = (MOST_BITS / cells.max(1)) as u32;
    let next = (2 * width).min(room.max(width + 1));
    if next > MOST_COUNT_BITS {
        return Err(RunError::Grows {
            most: (1 << width) - 1,
        });
    }
    check_width(instance, cells, next).map(|()| next)
}

fn check_width(instance: &Instance, cells: usize, width: u32) -> Result<(), RunError> {
    let bits = cells * width as usize;
    if bits > MOST_BITS {
        return Err(RunError::TooWide {
            cells: instance.board.cells,
            bits,
            most: MOST_BITS,
        });
    }
    Ok(())
}

/// Bits of the word that holds a state of so many.
pub(crate) fn word_bits(instance: &Instance, bits: usize) -> Result<usize, RunError> {
    let widths = [64, 128, 256, 512, MOST_BITS];
    let cells = instance.board.cells;
    let fits = widths.into_iter().find(|&width| bits <= width);
    fits.ok_or(RunError::TooWide {
        cells,
        bits,
        most: MOST_BITS,
    })
}

/// What a run works on.
#[derive(Clone, Copy)]
struct Job<'a> {
    instance: &'a Instance,
    options: &'a Options,
    observer: &'a dyn Observer,
}

/// Work that is generic over the word.
trait WithWord {
    type Output;
    fn run<W: Word>(self) -> Result<Self::Output, RunError>;
}

/// The one place where the width of the word is chosen.
fn with_width<J: WithWord>(bits: usize, job: J) -> Result<J::Output, RunError> {
    match bits {
        0..=64 => job.run::<u64>(),
        65..=128 => job.run::<u128>(),
        129..=256 => job.run::<Wide<4>>(),
        257..=512 => job.run::<Wide<8>>(),
        513..=MOST_BITS => job.run::<Wide<16>>(),
        bits => Err(RunError::TooWide {
            cells: bits,
            bits,
            most: MOST_BITS,
        }),
    }
}

/// A symbol board.
struct Symbols<'a> {
    job: Job<'a>,
    placed: PlacedRules,
}

impl WithWord for Symbols<'_> {
    type Output = Box<dyn Run>;

    fn run<W: Word>(self) -> Result<Box<dyn Run>, RunError> {
        let Job {
            instance,
            options,
            observer,
        } = self.job;
        let placed = self.placed;
        let puzzle = Arc::new(Compiled::<W>::new(instance.clone(), placed.clone()));
        let job = self.job;
        match options.engine {
            Engine::Hash => {}
            Engine::Layers => return explore_thin(&puzzle, instance, options, observer),
            Engine::Stream => {
                let need = streamed::need(instance, &placed, options.only_depths)?;
                let budget = options.limits.memory_bytes.unwrap_or(u64::MAX);
                let needed = need.bytes() + streamed::FIXED_BYTES;
                if needed > budget {
                    return Err(RunError::Memory { needed, budget });
                }
                return stream(&puzzle, job, &placed);
            }
            Engine::Auto => {
                // A kept search goes on with the engine that began it.
                if let Some(kept) = kept_engine(options)? {
                    if kept == "stream" {
                        return stream(&puzzle, job, &placed);
                    }
                } else if options.symmetry != Symmetric::On
                    && let Some(plan) = Plan::new(instance, &placed, options)
                {
                    if let Some(run) = probe(&puzzle, job, plan.probe)? {
                        return Ok(run);
                    }
                    observer.note(&plan.reason);
                    return stream(&puzzle, job, &placed);
                }
            }
        }
        if let Some(symmetries) = usable_symmetries(instance, &placed, options) {
            if options.symmetry == Symmetric::Auto
                && let Some(run) = probe(&puzzle, job, MANY)?
            {
                return Ok(run);
            }
            observer.note(&format!(
                "one state of each orbit under {} symmetries stands for all",
                symmetries.len()
            ));
            let tables = tables(puzzle.clone(), instance.clone(), options);
            let reduced = Reduced::new(puzzle, &symmetries);
            return Ok(reduced::run(&reduced, instance, options, observer, tables));
        }
        let found = match &options.keeper {
            None => search(&*puzzle, !options.only_depths, &options.limits, observer),
            Some(keeper) => {
                let bits = packing(instance, &placed).bits();
                let mut kept = Kept::new(&**keeper, coding(), shape(options, bits), false);
                kept_search(&*puzzle, options, observer, &mut kept)?
            }
        };
        hashed(&puzzle, found, job)
    }
}

/// What must be equal for kept layers of packed states to have the same meaning.
fn shape(options: &Options, bits: usize) -> String {
    let what = if options.only_depths { "depths" } else { "all" };
    format!("{bits} bits a state, {what}")
}

/// Words as bytes, least first.
fn coding<W: Word>() -> Coding<W> {
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

fn kept_search<W: Word>(
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

/// Spaces of more packed states are reduced by symmetry where that is possible.
const MANY: u64 = 1_000_000;

/// Enumerates packed states up to a number; `None` if there are more.
fn probe<W: Word>(
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
        ..options.limits
    };
    let found = search(&**puzzle, !options.only_depths, &limits, job.observer);
    let probed = Outcome::Stopped {
        reason: Limit::States,
        depth: found.counts.len().saturating_sub(1) as u32,
    };
    if found.outcome == probed {
        return Ok(None);
    }
    hashed(puzzle, found, job).map(Some)
}

/// The symmetries of an instance, where a run can use them.
fn usable_symmetries(
    instance: &Instance,
    placed: &PlacedRules,
    options: &Options,
) -> Option<Vec<Symmetry>> {
    // Limits count states of the whole space; single solutions and kept searches need them all.
    let usable = options.symmetry != Symmetric::Off
        && options.limits.max_states.is_none()
        && options.solutions.is_none()
        && options.keeper.is_none();
    if !usable {
        return None;
    }
    let symmetries = symmetries(instance, placed);
    (symmetries.len() > 1).then_some(symmetries)
}

/// The engine of the search that is kept, if one is.
fn kept_engine(options: &Options) -> Result<Option<String>, RunError> {
    let Some(keeper) = &options.keeper else {
        return Ok(None);
    };
    let kept = Standing::kept(&**keeper).map_err(|error| RunError::Keeping(error.to_string()))?;
    Ok(kept.map(|standing| standing.engine))
}

/// The run of a search by packed states.
fn hashed<W: Word>(
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

/// When and why `auto` goes from packed states to streaming.
pub(crate) struct Plan {
    /// States after which it decides.
    pub(crate) probe: u64,
    /// The choice in words.
    reason: String,
}

/// Fewer arrangements are enumerated before programs are built.
const FEW_ARRANGEMENTS: u64 = 1_000_000;
/// Reached sets thinner than one in so many arrangements stay with packed states.
const THINNEST: u64 = 1000;

impl Plan {
    /// `None` where the space cannot be streamed, or is too small or too wide for it to pay.
    pub(crate) fn new(
        instance: &Instance,
        placed: &PlacedRules,
        options: &Options,
    ) -> Option<Self> {
        let need = streamed::need(instance, placed, options.only_depths).ok()?;
        let budget = options.limits.memory_bytes.unwrap_or(u64::MAX);
        let probe = FEW_ARRANGEMENTS.max(need.arrangements / THINNEST);
        let needed = need.bytes() + streamed::FIXED_BYTES;
        let pays = need.arrangements > FEW_ARRANGEMENTS && needed <= budget;
        pays.then(|| Self {
            probe,
            reason: format!(
                "engine stream: moves keep the pieces, more than {probe} of {} arrangements are \
                 reached, and {} sets of {} bytes fit the memory",
                need.arrangements, need.sets, need.set_bytes
            ),
        })
    }
}

/// A run of the streaming engine.
fn stream<W: Word>(
    puzzle: &Arc<Compiled<W>>,
    job: Job<'_>,
    placed: &PlacedRules,
) -> Result<Box<dyn Run>, RunError> {
    let tables = tables(puzzle.clone(), job.instance.clone(), job.options);
    streamed::run(job.instance, placed, job.options, job.observer, tables).map_err(|failed| {
        match failed {
            Failed::Not(error) => RunError::NotStreamed(error),
            Failed::Keeping(error) => RunError::Keeping(error.to_string()),
            Failed::Budget { needed, budget } => RunError::Memory { needed, budget },
            Failed::Memory(NoMemory(needed)) => RunError::Memory {
                needed,
                budget: job.options.limits.memory_bytes.unwrap_or(needed),
            },
        }
    })
}

/// Tables of a streamed run: the states are packed, and all else is as in a run of packed states.
fn tables<W: Word>(puzzle: Arc<Compiled<W>>, instance: Instance, options: &Options) -> Tables {
    let options = Options {
        limits: Limits::default(),
        keeper: None,
        symmetry: Symmetric::Off,
        ..options.clone()
    };
    Box::new(move |layers| match layers {
        streamed::Layers::All => {
            let found = search(&*puzzle, true, &options.limits, &Silent);
            let space = Explicit::reversible(&puzzle, found).ok()?;
            Some(finish(space, puzzle.clone(), &instance, &options, &Silent))
        }
        streamed::Layers::These(positions) => {
            let packed = positions.iter().map(|layer| {
                let mut words: Vec<W> = layer.iter().filter_map(|p| puzzle.pack(p)).collect();
                words.sort_unstable();
                words
            });
            let found = streamed::found(packed.collect());
            let space = Explicit::reversible(&puzzle, found).ok()?;
            Some(stopped(space, puzzle.clone(), &instance, &Silent))
        }
    })
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
                let mut kept = Kept::new(&**keeper, coding(), shape(options, bits), self.anew);
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
            Explicit::collected(puzzle.clone(), found)?
        };
        Ok(Some(finish(space, puzzle, instance, options, observer)))
    }
}

/// Analyses an enumerated space.
fn finish<S: State>(
    space: Explicit<S>,
    faces: Arc<dyn Faces<S>>,
    instance: &Instance,
    options: &Options,
    observer: &dyn Observer,
) -> Box<dyn Run> {
    if space.outcome() != Outcome::Complete {
        return stopped(space, faces, instance, observer);
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
                let graph = Graph::collect(&run);
                if let Some(all) = plays::all_plays(&graph, run.start_count()) {
                    run.summary.longest = Some(all.longest);
                    run.summary.plays = Some(all.count);
                }
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
fn stopped<S: State>(
    space: Explicit<S>,
    faces: Arc<dyn Faces<S>>,
    instance: &Instance,
    observer: &dyn Observer,
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
    Box::new(Analysed::stopped(
        space,
        faces,
        instance.clone(),
        summary,
        depths,
        remoteness,
    ))
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

/// The figures that plain enumeration gives; the flag says whether moves were cut off.
pub(crate) fn figures(layers: &[LayerCounts]) -> (Summary, bool) {
    let sum = |f: fn(&LayerCounts) -> u64| layers.iter().map(f).sum::<u64>();
    let first = |f: fn(&LayerCounts) -> bool| layers.iter().position(f).map(|d| d as u64);
    let cut = first(|l| l.cut);
    let shortest = first(|l| l.goals > 0);
    let summary = Summary {
        scope: if cut.is_some() {
            Scope::Window
        } else {
            Scope::Exact
        },
        states: Some(sum(|l| l.states)),
        transitions: Some(sum(|l| l.transitions)),
        starts: layers.first().map(|l| l.states),
        goals: Some(sum(|l| l.goals)),
        live: None,
        doomed: None,
        dead_ends: Some(sum(|l| l.dead_ends)),
        lost: None,
        blocking_moves: None,
        points_of_no_return: None,
        only_moves: None,
        shortest,
        shortest_solutions: None,
        max_depth: Some(layers.len() as u64 - 1),
        max_remoteness: None,
        first_dead_end_depth: first(|l| l.dead_ends > 0),
        window_cut_depth: cut,
        graded: None,
        reversible: None,
        longest: None,
        plays: None,
        no_solution: shortest.is_none(),
    };
    (summary, cut.is_some())
}

pub(crate) fn stopped_summary(layers: &[LayerCounts], reason: Limit) -> Summary {
    let (summary, _) = figures(layers);
    Summary {
        scope: Scope::Stopped(reason),
        transitions: None,
        goals: None,
        dead_ends: None,
        max_depth: None,
        no_solution: false,
        ..summary
    }
}

pub(crate) fn plain_rows(layers: &[LayerCounts], stopped: bool) -> Vec<DepthRow> {
    let last = layers.len() - 1;
    let rows = layers.iter().enumerate();
    rows.map(|(depth, l)| DepthRow {
        states: l.states,
        goals: Some(l.goals),
        dead_ends: (!stopped || depth < last).then_some(l.dead_ends),
        ..DepthRow::default()
    })
    .collect()
}
