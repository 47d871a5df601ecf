//! From a rule file and parameter values to an [`Instance`]: everything that depends on parameters.
//!
//! * [`drawing`]: repeats, groups and `tile[a..b]` are written out.
//! * [`area`], [`layout`]: the board and the starts; positions given as text.
//! * [`items`], [`sides`]: the two sides of a rule, item by item, and what stays where.
//! * [`steps`], [`conditions`], [`inverse`], [`moves`]: the rest of a rule, its inverse and mirrors.
//! * [`goals`]: what counts as solved. [`blocking`]: claims about blocking. [`doubts`]: warnings on whole files.

mod area;
mod blocking;
mod conditions;
mod doubts;
mod drawing;
mod goals;
mod inverse;
mod items;
mod layout;
mod moves;
mod sides;
mod steps;

use crate::codes;
use crate::fault::{Fault, Faults, Severity};
use crate::instance::{Alphabet, Instance, Origin, Position};
use crate::params::Params;
use crate::syntax::PuzzleFile;

/// What all parts of the elaboration read.
#[derive(Clone, Copy)]
struct Scope<'a> {
    file: &'a PuzzleFile,
    params: &'a Params,
    /// The text that spans speak of: the file's, or that of `--start`.
    text: &'a str,
    /// Whether `text` is the file's.
    in_file: bool,
}

/// The fault of a counted board whose counts can grow without end.
fn growth(instance: &Instance, file: &PuzzleFile) -> Option<Fault> {
    let board = &instance.board;
    if !board.counted || board.cap.is_some() || board.cells > crate::bounded::MOST_PROVED {
        return None;
    }
    let placed = crate::place::place(instance).ok()?;
    if crate::bounded::weights(instance, &placed.counts).is_some() {
        return None;
    }
    let message = "the counts can grow without end: no weights of the cells bound what moves add";
    Some(
        Fault::new(crate::codes::GROWS, file.board.span, message)
            .help("bound every cell, as in `of counts, cap 20`"),
    )
}

impl PuzzleFile {
    /// What the file means for one choice of parameters, and the warnings.
    ///
    /// `stem` is the name by which programs know the puzzle; `start` is a drawing that takes the
    /// place of all `start` items (on endless rows perhaps with `@` and the number of its first
    /// cell; the spare cells then lie around it).
    ///
    /// # Errors
    /// All faults that depend on parameters, in one run; those of `start` speak of its text.
    pub fn instance(
        &self,
        stem: &str,
        params: Params,
        start: Option<&str>,
    ) -> Result<(Instance, Vec<Fault>), Faults> {
        let scope = Scope {
            file: self,
            params: &params,
            text: &self.text,
            in_file: true,
        };
        let given = match start {
            None => None,
            Some(text) => Some(
                scope
                    .drawn(text)
                    .map_err(|faults| Faults::new("--start", text, faults))?,
            ),
        };
        let (parts, faults) = scope.elaborate(given);
        let (errors, warnings): (Vec<_>, Vec<_>) = faults
            .into_iter()
            .partition(|f| f.severity() == Severity::Error);
        match parts {
            Some((board, starts, goal, rules, strategies)) if errors.is_empty() => {
                let instance = Instance {
                    name: stem.to_owned(),
                    title: self.title.clone(),
                    origin: Origin {
                        name: self.origin.clone(),
                        text: self.text.as_str().into(),
                        board: self.board.span,
                    },
                    alphabet: self.alphabet(),
                    params,
                    board,
                    starts,
                    goal,
                    rules,
                    strategies,
                };
                if let Some(fault) = growth(&instance, self) {
                    return Err(Faults::new(&self.origin, &self.text, vec![fault]));
                }
                let mut warnings = Faults::new(&self.origin, &self.text, warnings).faults;
                warnings.extend(instance.doubts(self));
                Ok((
                    instance,
                    Faults::new(&self.origin, &self.text, warnings).faults,
                ))
            }
            _ => {
                let all = errors.into_iter().chain(warnings).collect();
                Err(Faults::new(&self.origin, &self.text, all))
            }
        }
    }

    /// The symbols of the file: `.`, then the pieces as declared.
    #[must_use]
    pub fn alphabet(&self) -> Alphabet {
        let pieces = &self.pieces;
        Alphabet {
            symbols: std::iter::once('.')
                .chain(pieces.iter().map(|p| p.symbol))
                .collect(),
            names: std::iter::once("empty".to_owned())
                .chain(pieces.iter().map(|p| p.name.clone()))
                .collect(),
            pictures: std::iter::once(None)
                .chain(pieces.iter().map(|p| p.picture))
                .collect(),
        }
    }
}

impl Instance {
    /// The position that a text draws, in the form that [`Board::one_line`] prints: for POSITION,
    /// `--from` and the `state` columns. `file` is the file this instance was made from.
    ///
    /// On an endless row `@` gives the place of the first cell drawn; without it that is place 0,
    /// as in `start` items.
    ///
    /// [`Board::one_line`]: crate::board::Board::one_line
    ///
    /// # Errors
    /// A text that is no drawing of this puzzle, has another size than the board, or leaves the
    /// window; places are those of `text`.
    pub fn position(&self, text: &str, file: &PuzzleFile) -> Result<Position, Vec<Fault>> {
        let scope = Scope {
            file,
            params: &self.params,
            text,
            in_file: false,
        };
        scope.position(&self.board, text)
    }
}

type Parts = (
    crate::board::Board,
    Vec<Position>,
    crate::instance::Goal,
    Vec<crate::instance::Rule>,
    Vec<crate::instance::Strategy>,
);

impl Scope<'_> {
    /// All parts of an instance, if nothing was wrong, and all faults and warnings.
    fn elaborate(&self, given: Option<layout::Drawn>) -> (Option<Parts>, Vec<Fault>) {
        let mut faults = Vec::new();
        if self.file.pieces.len() > MAX_PIECES {
            let span = self.file.pieces[MAX_PIECES].span;
            let message = format!("more than {MAX_PIECES} pieces");
            return (None, vec![Fault::new(codes::TOO_LARGE, span, message)]);
        }
        let area = match given {
            Some(start) => self.board(&[start]).map_err(|mut faults| {
                // These places are in the text of `--start`, not in the file.
                for f in &mut faults {
                    f.span = None;
                    f.message = format!("--start: {}", f.message);
                }
                faults
            }),
            None => self.starts().and_then(|starts| self.board(&starts)),
        };
        let area = area.map_err(|f| faults.extend(f)).ok();
        let goal = self.goals(area.as_ref().map(|(board, _)| board), &mut faults);
        let rules = self.rules(&mut faults);
        let strategies = self.strategies(&mut faults);
        let parts = match (area, goal) {
            (Some((board, starts)), Some(goal)) => Some((board, starts, goal, rules, strategies)),
            _ => None,
        };
        (parts, faults)
    }
}

/// So many symbols fit beside `#` and `.` in a [`SymbolSet`](crate::instance::SymbolSet).
const MAX_PIECES: usize = 62;
