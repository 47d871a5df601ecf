//! Runs instances: threads, limits, the watcher, and what is measured.

use std::sync::Arc;
use std::time::{Duration, Instant};

use impasse_analysis::claims::only_depths_will_do;
use impasse_analysis::explore::{Engine, Options, RunError, Symmetric, explore};
use impasse_analysis::inquiry::Unanswered;
use impasse_analysis::run::Run;
use impasse_analysis::ways_out::{WaysOut, ways_out};
use impasse_graph::keep::Keeper;
use impasse_graph::observe::{Limit, Limits, Outcome};
use impasse_model::codes;
use impasse_model::fault::{Fault, Faults};
use impasse_model::instance::Instance;
use impasse_model::placed::PlaceError;
use impasse_report::{Measured, Record};
use rayon::ThreadPool;

use crate::args::{EngineName, RunArgs, SymmetryUse};
use crate::checkpoint::Checkpoint;
use crate::exit::{Exit, Failure};
use crate::measure;
use crate::output::Ui;
use crate::progress::Watch;
use crate::size;

/// The stack of a thread that works.
const STACK_BYTES: usize = 8 << 20;

/// What a command needs of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wanted {
    /// Plain enumeration.
    Depths,
    /// Verdicts and the states one by one, but no number of solutions or plays.
    Verdicts,
    /// Everything.
    Figures,
    /// Shortest solutions, and perhaps how many there are.
    Solutions {
        /// So many are shown.
        most: u64,
        /// Whether all are counted.
        counted: bool,
    },
}

impl Wanted {
    /// What a run must be asked for so that it knows these keys.
    pub(crate) fn for_keys(keys: &[&str]) -> Self {
        if only_depths_will_do(keys) {
            Self::Depths
        } else if keys
            .iter()
            .any(|key| ["shortest_solutions", "longest", "plays"].contains(key))
        {
            Self::Figures
        } else {
            Self::Verdicts
        }
    }
}

/// Threads and limits, ready to run.
pub(crate) struct Runner {
    ui: Ui,
    pool: ThreadPool,
    limits: Limits,
    memory: Option<u64>,
    engine: Engine,
    symmetry: Symmetric,
    keeper: Option<Arc<dyn Keeper>>,
}

/// A finished run and what reports say of it.
pub(crate) struct Finished {
    /// The run.
    pub(crate) run: Box<dyn Run>,
    /// Its figures, which may outlive it.
    pub(crate) record: Record,
}

impl Finished {
    /// How a command that only asks for figures ends.
    pub(crate) fn exit(&self) -> Exit {
        exit_of(self.record.outcome)
    }
}

/// The exit code of an outcome.
pub(crate) fn exit_of(outcome: Outcome) -> Exit {
    match outcome {
        Outcome::Complete => Exit::Done,
        Outcome::Stopped {
            reason: Limit::Interrupt,
            ..
        } => Exit::Interrupted,
        Outcome::Stopped { .. } => Exit::Limit,
    }
}

impl Runner {
    /// Starts the threads.
    ///
    /// # Errors
    /// Where the system refuses them.
    pub(crate) fn new(ui: Ui, args: &RunArgs) -> Result<Self, Failure> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(args.threads.map_or(0, usize::from))
            .stack_size(STACK_BYTES)
            .build()
            .map_err(|error| {
                Failure::io(format!("cannot start the threads: {error}"))
                    .help("ask for fewer with --threads")
            })?;
        let limits = Limits {
            max_states: args.max_states,
            max_depth: args.max_depth,
            max_time: args.max_seconds.map(Duration::from_secs_f64),
            memory_bytes: args.memory.or_else(measure::default_budget),
        };
        if args.symmetry == SymmetryUse::On && args.engine == EngineName::Layers {
            return Err(Failure::usage(
                "`--symmetry on` works with packed states and with sets: not with this engine",
            )
            .help("choose another `--engine`, or leave out `--symmetry`"));
        }
        let engine = match args.engine {
            EngineName::Auto => Engine::Auto,
            EngineName::Hash => Engine::Hash,
            EngineName::Stream => Engine::Stream,
            EngineName::Layers => Engine::Layers,
        };
        Ok(Self {
            ui,
            pool,
            limits,
            memory: args.memory,
            engine,
            symmetry: match args.symmetry {
                SymmetryUse::Auto => Symmetric::Auto,
                SymmetryUse::On => Symmetric::On,
                SymmetryUse::Off => Symmetric::Off,
            },
            keeper: None,
        })
    }

    /// Bytes that what follows a run may take.
    pub(crate) fn memory_bytes(&self) -> Option<u64> {
        self.memory.or_else(measure::default_budget)
    }

    /// A watcher of what follows a run.
    pub(crate) fn watch(&self, label: &str) -> Watch {
        Watch::new(self.ui, label)
    }

    /// Does what follows a run on its threads.
    pub(crate) fn within<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// Runs are kept there, and go on from there.
    pub(crate) fn keep(&mut self, checkpoint: Checkpoint) {
        self.keeper = Some(Arc::new(checkpoint));
    }

    /// Enumerates and analyses one instance.
    ///
    /// # Errors
    /// A puzzle that cannot be packed or placed. A limit is no error: the record says so.
    pub(crate) fn run(
        &self,
        label: &str,
        instance: &Instance,
        wanted: Wanted,
    ) -> Result<Finished, Failure> {
        self.explore(label, instance, wanted, false)
    }

    /// The same for a command that asks for figures alone: there may be no table of the states.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub(crate) fn figures(
        &self,
        label: &str,
        instance: &Instance,
        wanted: Wanted,
    ) -> Result<Finished, Failure> {
        self.explore(label, instance, wanted, true)
    }

    fn explore(
        &self,
        label: &str,
        instance: &Instance,
        wanted: Wanted,
        no_table: bool,
    ) -> Result<Finished, Failure> {
        if self.symmetry == Symmetric::On
            && self.engine == Engine::Stream
            && wanted != Wanted::Depths
        {
            return Err(Failure::usage(
                "`--symmetry on` works with this engine where depths are all that is asked",
            )
            .help("add `--only depths`, choose `--engine hash`, or leave out `--symmetry`"));
        }
        let options = Options {
            limits: self.limits,
            only_depths: wanted == Wanted::Depths,
            engine: self.engine,
            no_counting: !matches!(
                wanted,
                Wanted::Figures | Wanted::Solutions { counted: true, .. }
            ),
            solutions: match wanted {
                Wanted::Solutions { most, .. } => Some(most),
                _ => None,
            },
            no_table,
            symmetry: self.symmetry,
            keeper: self.keeper.clone(),
            tabled: None,
        };
        let watch = Watch::new(self.ui, label);
        measure::forget_peak();
        let started = Instant::now();
        let run = self
            .pool
            .install(|| explore(instance, &options, &watch))
            .map_err(|error| refused(label, instance, &error, wanted))?;
        let refused_bytes = watch.refused_bytes();
        let measured = Measured {
            threads: self.pool.current_num_threads(),
            peak_memory_bytes: measure::peak_memory_bytes(),
            elapsed: started.elapsed(),
        };
        drop(watch);
        let is_short = |outcome| {
            matches!(
                outcome,
                Outcome::Stopped {
                    reason: Limit::Memory,
                    ..
                }
            )
        };
        if is_short(run.outcome()) {
            let reached = run.summary().states.unwrap_or(0);
            let ways = ways_out(instance, &options, reached);
            for words in short_of_memory(run.engine(), refused_bytes, &ways, &options) {
                self.ui.note(format!("{label}: {words}"));
            }
        }
        let record = Record::new(instance, run.as_ref(), measured);
        Ok(Finished { run, record })
    }
}

/// Bounds on the memory of a whole search that are larger than what the next step needs by more than
/// this help nobody.
const FAR_TOO_MUCH: u64 = 100;

/// What a run would need that was stopped for want of memory, in words: the next step, the whole
/// search, and what needs less.
fn short_of_memory(
    engine: &str,
    refused_bytes: Option<u64>,
    ways: &WaysOut,
    options: &Options,
) -> Vec<String> {
    let mut words = Vec::new();
    // A larger budget is also used in larger pieces.
    let next = refused_bytes.map(|bytes| bytes + bytes / 16);
    if let Some(next) = next {
        let next = size::at_least(next);
        words.push(format!("the next step needs about --memory {next}"));
    }
    let bearable = |bytes: &u64| next.is_none_or(|next| *bytes / FAR_TOO_MUCH < next);
    match ways.sure.filter(|(bytes, _)| bearable(bytes)) {
        Some((bytes, by)) => words.push(format!(
            "--memory {} would do for every state there can be, with --engine {by}",
            size::at_least(bytes)
        )),
        None => words.push(
            "no near bound is known of the memory that the whole search takes; see `impasse check`"
                .to_owned(),
        ),
    }
    let mut less = Vec::new();
    if ways.layers && engine != "layers" && !options.only_depths {
        less.push("--engine layers".to_owned());
    }
    if !options.only_depths && options.solutions.is_none() {
        less.push(match ways.stream_depths {
            Some(bytes) => format!(
                "--only depths (--engine stream takes {})",
                size::words(bytes)
            ),
            None => "--only depths".to_owned(),
        });
    }
    if !less.is_empty() {
        words.push(format!("less memory is taken by {}", less.join(", or by ")));
    }
    words
}

/// Why a finished run does not answer a question.
pub(crate) fn unanswered(label: &str, error: &Unanswered) -> Failure {
    let message = error.to_string();
    let (message, way_out) = message.split_once("; ").unwrap_or((&message, ""));
    let failure = match error {
        Unanswered::Interrupted => Failure::Interrupted(format!("{label}: {message}")),
        _ => Failure::limit(format!("{label}: {message}")),
    };
    match error {
        Unanswered::Memory { .. } => failure.help(way_out),
        Unanswered::TooMany { .. } => {
            failure.help("a smaller space, or --engine hash where all states fit")
        }
        Unanswered::Interrupted => failure,
    }
}

/// A puzzle that no engine can take is a fault of the rule file or its parameters.
pub(crate) fn refused(
    label: &str,
    instance: &Instance,
    error: &RunError,
    wanted: Wanted,
) -> Failure {
    let (code, rule) = match error {
        RunError::Memory { needed, .. } => {
            let less = match wanted {
                Wanted::Depths => "",
                _ => ", or --only depths",
            };
            return Failure::limit(format!("{label}: {error}"))
                .help(format!("use --memory {needed}{less}"));
        }
        RunError::Keeping(_) => return Failure::io(format!("{label}: {error}")),
        RunError::TooMany(_) | RunError::NotStreamed(_) | RunError::NotThin { .. } => {
            return Failure::usage(format!("{label}: {error}"));
        }
        RunError::Grows { .. } => (codes::GROWS, None),
        RunError::Rules(PlaceError::TooManyFillings { name, .. }) => (codes::TOO_LARGE, Some(name)),
        RunError::Rules(PlaceError::Condition { name, .. }) => (codes::BAD_EXPRESSION, Some(name)),
        RunError::TooWide { .. } | RunError::Rules(_) => (codes::TOO_LARGE, None),
    };
    let named = rule.and_then(|name| instance.rules.iter().find(|rule| rule.name == *name));
    let span = named.map_or(instance.origin.board, |rule| rule.span);
    let message = error.to_string();
    let (message, way_out) = message.split_once("; ").unwrap_or((&message, ""));
    let mut fault = Fault::new(code, span, format!("{label}: {message}"));
    if !way_out.is_empty() {
        fault = fault.help(way_out);
    }
    Faults::new(&instance.origin.name, &instance.origin.text, vec![fault]).into()
}
