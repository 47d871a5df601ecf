//! Drawings written out: repeats, groups and `tile[a..b]` become one unit a term.

use num_bigint::BigInt;
use num_traits::{Signed as _, ToPrimitive as _};

use super::Scope;
use crate::codes;
use crate::expr;
use crate::fault::{Fault, line_column};
use crate::params::ParamValue;
use crate::syntax::{Atom, Content, Expr, ExprKind, Param, Span, Term};

/// No drawing may have more terms, and no board more cells.
pub(super) const MAX_CELLS: usize = 1 << 20;

/// One term of a drawing after all repeats are written out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit<'a> {
    pub(super) glyph: Glyph<'a>,
    pub(super) span: Span,
}

/// What one unit draws.
#[derive(Clone, Copy, Debug)]
pub(super) enum Glyph<'a> {
    /// An item as the parser has it; no group, no members, no number.
    Atom(&'a Atom),
    /// One member of a class, from `tile[a..b]`.
    Member(Content),
    /// A number on a counted board.
    Count(i64),
}

/// Why a drawing cannot be written out.
#[derive(Debug)]
pub(super) enum Unwritable {
    /// The drawing does not exist for these parameters: a repeat is negative.
    Negative {
        /// As a fault.
        fault: Fault,
        /// For which value and why: `n = 0: its repeat n-1 is -1`.
        why: String,
    },
    /// Anything else.
    Wrong(Fault),
}

impl Unwritable {
    /// The fault, where a negative repeat is one.
    pub(super) fn fault(self) -> Fault {
        match self {
            Self::Negative { fault, .. } | Self::Wrong(fault) => fault,
        }
    }
}

impl From<Fault> for Unwritable {
    fn from(fault: Fault) -> Self {
        Self::Wrong(fault)
    }
}

impl<'a> Scope<'a> {
    /// Writes out all rows of a drawing.
    pub(super) fn write_out(
        &self,
        rows: &'a [Vec<Term>],
    ) -> Result<Vec<Vec<Unit<'a>>>, Unwritable> {
        let mut room = MAX_CELLS;
        rows.iter()
            .map(|row| {
                let units = self.write_out_row(row, room)?;
                room -= units.len();
                Ok(units)
            })
            .collect()
    }

    fn write_out_row(&self, row: &'a [Term], room: usize) -> Result<Vec<Unit<'a>>, Unwritable> {
        let mut units = Vec::new();
        for term in row {
            let once = self.write_out_once(term, room - units.len())?;
            let times = match &term.repeat {
                None => 1,
                Some(repeat) => self.repeat(repeat, once.len(), room - units.len())?,
            };
            if times * once.len() > room - units.len() {
                return Err(self.too_large(term.span, term.repeat.as_ref()).into());
            }
            for _ in 0..times {
                units.extend_from_slice(&once);
            }
        }
        Ok(units)
    }

    fn write_out_once(&self, term: &'a Term, room: usize) -> Result<Vec<Unit<'a>>, Unwritable> {
        let unit = |glyph| Unit {
            glyph,
            span: term.span,
        };
        Ok(match &term.atom {
            Atom::Group(terms) => self.write_out_row(terms, room)?,
            Atom::Members { class, from, to } => self
                .members(*class, from, to, term.span)?
                .into_iter()
                .map(|c| unit(Glyph::Member(c)))
                .collect(),
            Atom::Number(e) => self
                .numbers(e)?
                .into_iter()
                .map(|v| unit(Glyph::Count(v)))
                .collect(),
            atom => vec![unit(Glyph::Atom(atom))],
        })
    }

    /// How often a term of `length` units is repeated; 0 for a term of none, however often.
    fn repeat(&self, repeat: &Expr, length: usize, room: usize) -> Result<usize, Unwritable> {
        let times = expr::big_integer(repeat, self.params)?;
        if times.is_negative() {
            let given = self
                .culprit(repeat)
                .map_or("these parameters".to_owned(), |param| {
                    format!("{} = {}", param.name.value, self.shown(param))
                });
            let why = format!(
                "{given}: its repeat `{}` is {times}",
                self.source(repeat.span)
            );
            let fault = self.negative(repeat, &times, "the repeat");
            return Err(Unwritable::Negative { fault, why });
        }
        if length == 0 {
            return Ok(0);
        }
        match times.to_usize() {
            Some(times) if times <= room / length => Ok(times),
            _ => Err(self.too_large(repeat.span, Some(repeat)).into()),
        }
    }

    /// `tile[from..to]`: 1-based, backwards if `from > to`, but `tile[1..0]` means none, so that
    /// `tile[1..k]` is the first k members for every k.
    fn members(
        &self,
        class: usize,
        from: &Expr,
        to: &Expr,
        span: Span,
    ) -> Result<Vec<Content>, Fault> {
        let (first, last) = (
            expr::big_integer(from, self.params)?,
            expr::big_integer(to, self.params)?,
        );
        if first == BigInt::from(1) && last == BigInt::ZERO {
            return Ok(Vec::new());
        }
        let class = &self.file.classes[class];
        let place = |v: &BigInt, e: &Expr| {
            v.to_usize()
                .filter(|v| (1..=class.members.len()).contains(v))
                .ok_or_else(|| {
                    let (name, count) = (&class.name.value, class.members.len());
                    let message =
                        format!("`{name}` has {count} members, so there is no `{name}[{v}]`");
                    self.blame(Fault::new(codes::NEGATIVE_REPEAT, span, message), e)
                        .related(class.name.span, format!("`{name}` is declared here"))
                })
        };
        let (first, last) = (place(&first, from)?, place(&last, to)?);
        Ok(if first <= last {
            class.members[first - 1..last].to_vec()
        } else {
            class.members[last - 1..first]
                .iter()
                .rev()
                .copied()
                .collect()
        })
    }

    /// The number or numbers (of a list parameter) that one word of a counted drawing stands for.
    fn numbers(&self, e: &Expr) -> Result<Vec<i64>, Fault> {
        let list = match &e.kind {
            ExprKind::Name(name) => self.params.get(name),
            _ => None,
        };
        match list {
            Some(ParamValue::List(values)) => Ok(values.clone()),
            _ => Ok(vec![expr::integer(e, self.params)?]),
        }
    }

    /// A size (of a grid, a window, a cap): an integer from `least` up to [`MAX_CELLS`].
    pub(super) fn size(&self, e: &Expr, what: &str, least: i64) -> Result<usize, Fault> {
        let value = expr::big_integer(e, self.params)?;
        if value < BigInt::from(least) {
            let fault = self.negative(e, &value, what);
            return Err(if least > 0 && !value.is_negative() {
                let message = format!("{what} must be at least {least}, not {value}");
                self.blame(Fault::new(codes::NEGATIVE_REPEAT, e.span, message), e)
            } else {
                fault
            });
        }
        value
            .to_usize()
            .filter(|&v| v <= MAX_CELLS)
            .ok_or_else(|| self.too_large(e.span, Some(e)))
    }

    fn negative(&self, e: &Expr, value: &BigInt, what: &str) -> Fault {
        let message = format!("{what} is negative: `{}` is {value}", self.source(e.span));
        self.blame(Fault::new(codes::NEGATIVE_REPEAT, e.span, message), e)
    }

    fn too_large(&self, span: Span, size: Option<&Expr>) -> Fault {
        let message = format!("more than {MAX_CELLS} cells (2^20)");
        let fault = Fault::new(codes::TOO_LARGE, span, message);
        match size {
            Some(e) => self.blame(fault, e),
            None => fault,
        }
    }

    /// Names the first parameter of `e`, its value and its line: most likely it is to blame.
    pub(super) fn blame(&self, mut fault: Fault, e: &Expr) -> Fault {
        let Some(param) = self.culprit(e) else {
            return fault;
        };
        let (name, span, value) = (&param.name.value, param.name.span, self.shown(param));
        let line = line_column(&self.file.text, span.start).0;
        let because = format!(", with parameter `{name}` = {value} (line {line})");
        fault.message.push_str(&because);
        // In the text of `--start` the second place would be shown in the wrong text.
        if self.in_file {
            fault = fault.related(span, format!("`{name}` is declared here"));
        }
        fault
    }

    /// The first parameter that an expression names.
    fn culprit(&self, e: &Expr) -> Option<&'a Param> {
        let mut param = None;
        expr::names_of(e, &mut |name, _| {
            param = param.or_else(|| self.file.params.iter().find(|p| p.name.value == name));
        });
        param
    }

    /// The value of a parameter, for messages.
    fn shown(&self, param: &Param) -> String {
        self.params
            .get(&param.name.value)
            .map(ToString::to_string)
            .unwrap_or_default()
    }

    /// The text of a place, for messages.
    pub(super) fn source(&self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or("")
    }
}
