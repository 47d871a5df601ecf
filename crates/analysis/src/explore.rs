//! From an instance to a finished run: chooses the word and the engine, runs the analyses.

use std::sync::Arc;

use impasse_graph::explicit::Explicit;
use impasse_graph::keep::Keeper;
use impasse_graph::kept::{ENGINE, Kept};
use impasse_graph::observe::{Limit, Limits, Observer, Outcome, Silent};
use impasse_graph::search::search;
use impasse_graph::stream::{NoMemory, NotStreamed};
use impasse_model::compiled::{Compiled, packing};
use impasse_model::instance::Instance;
use impasse_model::place::place;
use impasse_model::placed::{PlaceError, PlacedRules};
use impasse_model::word::Word;

use crate::choice::{MANY, Plan, kept_engine, layers_will_do, usable_symmetries};
use crate::counted::explore_counted;
use crate::packed::{beside_another, coding, finish, hashed, kept_search, probe, shape, stopped};
use crate::plain::Plain;
use crate::reduced::{self, Reduced};
use crate::run::Run;
use crate::streamed::{self, Failed, Play, Tables};
use crate::thin::{self, explore_thin};
use crate::width::{WithWord, with_width, word_bits};

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
    /// Whether the states one by one are of no use: an engine that keeps no table of them will do.
    pub no_table: bool,
    /// Whether one state of each orbit stands for all.
    pub symmetry: Symmetric,
    /// Where the search is kept, so that another run can go on with it, and where it goes on.
    pub keeper: Option<Arc<dyn Keeper>>,
    /// A run that enumerates by sets or up to symmetry makes a table of so many states at most, when
    /// it is asked for one; a few million if not given.
    pub tabled: Option<u64>,
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
    #[error("the run needs {needed} bytes of memory, but {budget} are allowed")]
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
    explore_counted(job, &placed)
}

/// What a run works on.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) instance: &'a Instance,
    pub(crate) options: &'a Options,
    pub(crate) observer: &'a dyn Observer,
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
            instance, options, ..
        } = self.job;
        let placed = self.placed;
        let puzzle = Arc::new(Compiled::<W>::new(instance.clone(), placed.clone()));
        let job = self.job;
        match options.engine {
            Engine::Hash => packed(&puzzle, job, &placed),
            Engine::Layers => explore_thin(&puzzle, job, false),
            Engine::Stream => stream(&puzzle, job, &placed),
            Engine::Auto => chosen(&puzzle, job, &placed),
        }
    }
}

/// A run of the engine that suits best; where packed states do not fit the memory and a few layers
/// tell all that is asked, of those.
fn chosen<W: Word>(
    puzzle: &Arc<Compiled<W>>,
    job: Job<'_>,
    placed: &PlacedRules,
) -> Result<Box<dyn Run>, RunError> {
    let Job {
        instance,
        options,
        observer,
    } = job;
    // A kept search goes on with the engine that began it.
    let kept = kept_engine(options)?;
    match kept.as_deref() {
        Some("stream") => return stream(puzzle, job, placed),
        Some(thin::ENGINE) => return explore_thin(puzzle, job, false),
        _ => {}
    }
    if kept.is_none()
        && options.symmetry != Symmetric::On
        && let Some(plan) = Plan::new(instance, placed, options)
    {
        if let Some(run) = probe(puzzle, job, plan.probe)? {
            return Ok(run);
        }
        observer.note(&plan.reason);
        match stream(puzzle, job, placed) {
            Err(RunError::Memory { needed, .. }) => observer.note(&format!(
                "engine hash: programs and sets of stream would take {needed} bytes"
            )),
            ran => return ran,
        }
    }
    let run = packed(puzzle, job, placed)?;
    let is_short = matches!(
        run.outcome(),
        Outcome::Stopped {
            reason: Limit::Memory,
            ..
        }
    );
    if !is_short || !layers_will_do(&**puzzle, instance, options) {
        return Ok(run);
    }
    observer.note(&format!(
        "engine layers, from the start: {} packed states are all that fit the memory, and the \
         widest layers alone tell what is asked",
        run.summary().states.unwrap_or(0)
    ));
    let short = Plain::of(&*run, instance);
    drop(run);
    let options = Options {
        limits: beside_another(&options.limits),
        ..options.clone()
    };
    let options = &options;
    let run = explore_thin(puzzle, Job { options, ..job }, true)?;
    let further = run.summary().states >= short.summary().states;
    Ok(if further { run } else { Box::new(short) })
}

/// A run of the engine `hash`, up to symmetry where that is possible.
fn packed<W: Word>(
    puzzle: &Arc<Compiled<W>>,
    job: Job<'_>,
    placed: &PlacedRules,
) -> Result<Box<dyn Run>, RunError> {
    let Job {
        instance,
        options,
        observer,
    } = job;
    if let Some(symmetries) = usable_symmetries(instance, placed, options) {
        let mut options = options.clone();
        if options.symmetry == Symmetric::Auto {
            if let Some(run) = probe(puzzle, job, MANY)? {
                return Ok(run);
            }
            options.limits = beside_another(&options.limits);
        }
        let options = &options;
        observer.note(&format!(
            "one state of each orbit under {} symmetries stands for all",
            symmetries.len()
        ));
        let tables = tables(puzzle.clone(), instance.clone(), options);
        let reduced = Reduced::new(puzzle.clone(), &symmetries);
        return Ok(reduced::run(&reduced, instance, options, observer, tables));
    }
    let found = match &options.keeper {
        None => search(&**puzzle, !options.only_depths, &options.limits, observer),
        Some(keeper) => {
            let bits = packing(instance, placed).bits();
            let mut kept = Kept::new(&**keeper, ENGINE, coding(), shape(options, bits), false);
            kept_search(&**puzzle, options, observer, &mut kept)?
        }
    };
    hashed(puzzle, found, job)
}

/// A run of the streaming engine.
fn stream<W: Word>(
    puzzle: &Arc<Compiled<W>>,
    job: Job<'_>,
    placed: &PlacedRules,
) -> Result<Box<dyn Run>, RunError> {
    let tables = tables(puzzle.clone(), job.instance.clone(), job.options);
    let made = (tables, puzzle.clone() as Arc<dyn Play>);
    streamed::run(job.instance, placed, job.options, job.observer, made).map_err(|failed| {
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
            Some(stopped(space, puzzle.clone(), &instance, &Silent, true))
        }
    })
}
