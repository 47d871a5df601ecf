//! From arguments to instances: reads the rule file, fixes the parameters, shows what is wrong.

use std::cell::RefCell;
use std::collections::HashSet;

use impasse_model::fault::{Fault, Faults};
use impasse_model::instance::{Instance, Position};
use impasse_model::parse::parse;
use impasse_model::syntax::PuzzleFile;

use crate::args::{PuzzleArgs, ValueArgs};
use crate::exit::Failure;
use crate::output::Ui;
use crate::source::{self, Source};
use crate::sweep::{self, Choice};

/// A rule file and the parameter values that a command goes through.
pub(crate) struct Session {
    /// How to talk to the user.
    pub(crate) ui: Ui,
    /// The rule file.
    pub(crate) file: PuzzleFile,
    /// The stem, by which programs know the puzzle.
    pub(crate) stem: String,
    /// The values in order; at least one.
    pub(crate) choices: Vec<Choice>,
    /// `--start`.
    pub(crate) start: Option<String>,
    /// Warnings that were shown: each is shown once, not once a value.
    shown: RefCell<HashSet<(usize, String)>>,
}

impl Session {
    /// Opens the puzzle of a command and fixes its parameters.
    ///
    /// # Errors
    /// A file that cannot be read, or has faults; parameters it does not allow.
    pub(crate) fn open(ui: Ui, args: &PuzzleArgs) -> Result<Self, Failure> {
        Self::open_named(ui, &args.puzzle, &args.values)
    }

    /// The same for a puzzle by name.
    ///
    /// # Errors
    /// As [`Session::open`].
    pub(crate) fn open_named(ui: Ui, name: &str, values: &ValueArgs) -> Result<Self, Failure> {
        Self::of(ui, source::load(name)?, values)
    }

    /// The same for a text that was read.
    ///
    /// # Errors
    /// As [`Session::open`].
    pub(crate) fn of(ui: Ui, source: Source, values: &ValueArgs) -> Result<Self, Failure> {
        let parsed = parse(&source.origin, &source.bytes)?;
        let choices = sweep::choices(&parsed.file, &values.params)?;
        let session = Self {
            ui,
            file: parsed.file,
            stem: source.stem,
            choices,
            start: values.start.clone(),
            shown: RefCell::default(),
        };
        session.warn(&parsed.warnings);
        Ok(session)
    }

    /// The names of the parameters given with `-p`, in order of declaration.
    pub(crate) fn given(&self) -> Vec<String> {
        self.choices[0]
            .given
            .iter()
            .map(|(name, _)| name.clone())
            .collect()
    }

    /// What messages call a run: `frogs-and-toads n=3`.
    pub(crate) fn label(&self, choice: &Choice) -> String {
        if choice.given.is_empty() {
            self.stem.clone()
        } else {
            format!("{} {}", self.stem, choice.label())
        }
    }

    /// The puzzle for one choice of parameters; shows new warnings.
    ///
    /// # Errors
    /// Faults that depend on parameters or on `--start`.
    pub(crate) fn instance(&self, choice: &Choice) -> Result<Instance, Failure> {
        let start = self.start.as_deref();
        let (instance, warnings) = self
            .file
            .instance(&self.stem, choice.params.clone(), start)?;
        self.warn(&warnings);
        Ok(instance)
    }

    /// Looks at every value before anything runs, so that a fault at the last one costs no time.
    ///
    /// # Errors
    /// As [`Session::instance`], for the first value that has faults.
    pub(crate) fn look_ahead(&self) -> Result<(), Failure> {
        if self.choices.len() > 1 {
            for choice in &self.choices {
                self.instance(choice)?;
            }
        }
        Ok(())
    }

    /// The only choice, for commands that draw one position.
    ///
    /// # Errors
    /// Says that the command takes one value at a time.
    pub(crate) fn single(&self, command: &str) -> Result<&Choice, Failure> {
        match self.choices.as_slice() {
            [choice] => Ok(choice),
            _ => Err(
                Failure::usage(format!("`{command}` takes one parameter value at a time"))
                    .help(format!("write for example -p {}", self.choices[0].label())),
            ),
        }
    }

    /// Reads a position drawn by the user.
    ///
    /// # Errors
    /// Faults of the drawing, placed in its own text.
    pub(crate) fn position(&self, instance: &Instance, text: &str) -> Result<Position, Failure> {
        instance
            .position(text, &self.file)
            .map_err(|faults| Faults::new("position", text, faults).into())
    }

    fn warn(&self, warnings: &[Fault]) {
        let mut shown = self.shown.borrow_mut();
        let place = |fault: &Fault| fault.span.map_or(0, |span| span.start);
        let new: Vec<Fault> = warnings
            .iter()
            .filter(|w| shown.insert((place(w), w.code.as_str().to_owned())))
            .cloned()
            .collect();
        self.ui.warnings(&self.file.origin, &self.file.text, &new);
    }
}
