//! Left sides: what each item tests, how long it is, what it remembers.

use super::Scope;
use super::drawing::{Glyph, Unit};
use crate::codes;
use crate::fault::Fault;
use crate::instance::{LeftItem, Length, SymbolSet, Test, Value};
use crate::syntax::{Atom, Content, Expr, ExprKind, Mirror, Span};

/// Who takes whose place: nobody in the rules as written, the pairs of a mirror in its copies.
///
/// Pieces are exchanged wherever they are meant, also inside a class that is in no pair of its own:
/// the mirrored moves are the moves with these pieces exchanged.
#[derive(Clone, Copy)]
pub(super) struct Exchange<'a> {
    mirror: Option<&'a Mirror>,
    symbols: &'a [char],
}

impl<'a> Exchange<'a> {
    pub(super) fn nobody() -> Self {
        Self {
            mirror: None,
            symbols: &[],
        }
    }

    /// `symbols` are the symbols of the pieces by number, `.` first.
    pub(super) fn pairs_of(mirror: &'a Mirror, symbols: &'a [char]) -> Self {
        Self {
            mirror: Some(mirror),
            symbols,
        }
    }

    pub(super) fn symbol(&self, symbol: u8) -> u8 {
        other_of(self.mirror.map_or(&[], |m| &m.pieces), symbol).unwrap_or(symbol)
    }

    /// The name of a piece in a condition, exchanged; other names are as they were.
    pub(super) fn word(&self, word: &str) -> String {
        let piece = self.symbols.iter().position(|c| c.to_string() == word);
        match piece {
            Some(s) => self.symbols[usize::from(self.symbol(s as u8))].to_string(),
            None => word.to_owned(),
        }
    }

    fn class(&self, class: usize) -> Option<usize> {
        other_of(self.mirror.map_or(&[], |m| &m.classes), class)
    }
}

fn other_of<T: PartialEq + Copy>(pairs: &[(T, T)], one: T) -> Option<T> {
    pairs.iter().find_map(|&(a, b)| match one {
        _ if one == a => Some(b),
        _ if one == b => Some(a),
        _ => None,
    })
}

/// What is remembered on a left side, by number.
#[derive(Default)]
pub(super) struct Captures {
    pub(super) bound: Vec<Bound>,
}

/// One capture.
pub(super) struct Bound {
    pub(super) name: String,
    pub(super) length: Length,
    /// The row and the item that bind it.
    pub(super) at: (usize, usize),
}

impl Captures {
    pub(super) fn find(&self, name: &str) -> Option<&Bound> {
        self.bound.iter().find(|b| b.name == name)
    }

    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.bound.iter().position(|b| b.name == name)
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.bound.iter().map(|b| b.name.clone()).collect()
    }
}

/// A row of a pattern has at most so many items; longer rows than this are not searched.
const MAX_PATTERN: usize = 1 << 14;

/// More stretches than this in one row would have more placements than anyone can wait for.
const MAX_STRETCHES: usize = 16;

impl Scope<'_> {
    /// A left side, or the pattern of a goal.
    pub(super) fn left_side(
        &self,
        rows: &[Vec<Unit<'_>>],
        exchange: &Exchange<'_>,
        captures: &mut Captures,
    ) -> Result<Vec<Vec<LeftItem>>, Fault> {
        let mut items = Vec::with_capacity(rows.len());
        for (r, row) in rows.iter().enumerate() {
            if let Some(unit) = row.get(MAX_PATTERN) {
                let message = format!("a pattern of more than {MAX_PATTERN} items in one row");
                return Err(Fault::new(codes::TOO_LARGE, unit.span, message));
            }
            let mut stretches = 0;
            let mut done = Vec::with_capacity(row.len());
            for (i, unit) in row.iter().enumerate() {
                let item = self.left_item(unit, exchange, (r, i), captures)?;
                stretches += usize::from(item.length != Length::One);
                if stretches > 0 && rows.len() > 1 {
                    let message = "a stretch in a pattern of several rows";
                    return Err(Fault::new(codes::WRONG_PLACE, unit.span, message)
                        .help("a pattern with `/` is laid as drawn and has a fixed size"));
                }
                if stretches > MAX_STRETCHES {
                    let message = format!("more than {MAX_STRETCHES} stretches in one pattern");
                    return Err(Fault::new(codes::TOO_LARGE, unit.span, message));
                }
                done.push(item);
            }
            items.push(done);
        }
        Ok(items)
    }

    fn left_item(
        &self,
        unit: &Unit<'_>,
        exchange: &Exchange<'_>,
        at: (usize, usize),
        captures: &mut Captures,
    ) -> Result<LeftItem, Fault> {
        let Glyph::Atom(Atom::Capture(name, inner)) = unit.glyph else {
            return self.plain_item(unit.glyph, unit.span, exchange);
        };
        let item = self.plain_item(Glyph::Atom(inner), unit.span, exchange)?;
        if item.length == Length::Shortest {
            let message = "`...` cannot be remembered";
            return Err(Fault::new(codes::WRONG_PLACE, unit.span, message)
                .help(format!("write `{name}:_*`, which tries every length")));
        }
        if captures.find(name).is_some() {
            let message = format!("`{name}` is bound twice in one pattern");
            return Err(Fault::new(codes::NAME_TWICE, unit.span, message)
                .help("give each capture a name of its own and compare them in `where`"));
        }
        captures.bound.push(Bound {
            name: name.clone(),
            length: item.length,
            at,
        });
        // A remembered `_` is no plain `_`: `at` is the cell under it.
        Ok(LeftItem {
            capture: Some(captures.bound.len() - 1),
            is_any: false,
            ..item
        })
    }

    /// An item that remembers nothing.
    pub(super) fn plain_item(
        &self,
        glyph: Glyph<'_>,
        span: Span,
        exchange: &Exchange<'_>,
    ) -> Result<LeftItem, Fault> {
        let one = |test| LeftItem {
            test,
            length: Length::One,
            capture: None,
            is_any: false,
        };
        match glyph {
            Glyph::Atom(Atom::Shortest) => Ok(LeftItem {
                length: Length::Shortest,
                ..one(self.any_cell())
            }),
            Glyph::Atom(Atom::Stretch { item, least }) => {
                let test = self.test(Glyph::Atom(item), span, exchange)?;
                let reads_no_cell = match test {
                    Test::Symbols(set) => set.has_no_cell(),
                    Test::Counts(..) => false,
                    Test::NoCell => true,
                };
                if reads_no_cell {
                    let message = "a stretch is made of cells, and `#` is no cell";
                    return Err(Fault::new(codes::WRONG_PLACE, span, message)
                        .help("write the `#` once, beside the stretch"));
                }
                Ok(LeftItem {
                    length: Length::AtLeast(*least),
                    ..one(test)
                })
            }
            glyph => {
                let is_any = matches!(glyph, Glyph::Atom(Atom::Any));
                Ok(LeftItem {
                    is_any,
                    ..one(self.test(glyph, span, exchange)?)
                })
            }
        }
    }

    /// The test of a one-cell item.
    pub(super) fn test(
        &self,
        glyph: Glyph<'_>,
        span: Span,
        exchange: &Exchange<'_>,
    ) -> Result<Test, Fault> {
        let counted = self.file.board.counted;
        match glyph {
            Glyph::Atom(Atom::Any) => Ok(self.any_cell()),
            Glyph::Atom(Atom::Is(Content::NoCell)) if counted => Ok(Test::NoCell),
            Glyph::Atom(Atom::Is(Content::Symbol(0))) if counted => Ok(Test::Counts(0, 0)),
            Glyph::Count(v) if counted => Ok(exactly(v)),
            Glyph::Atom(Atom::Number(e)) if counted => {
                Ok(exactly(crate::expr::integer(e, self.params)?))
            }
            Glyph::Atom(Atom::Range(low, high)) if counted => self.range(low, high.as_ref()),
            _ if counted => Err(self
                .out_of_place(span, "a test of a number")
                .help("write `2`, `2..`, `0..1`, `.`, `_` or `#`")),
            Glyph::Member(content) => Ok(Test::Symbols(exchange.content(content))),
            Glyph::Atom(Atom::Is(content)) => Ok(Test::Symbols(exchange.content(*content))),
            Glyph::Atom(Atom::Class(class)) => Ok(Test::Symbols(self.class_set(*class, exchange))),
            Glyph::Atom(Atom::Not(inner)) => {
                let Test::Symbols(set) = self.test(Glyph::Atom(inner), span, exchange)? else {
                    return Err(self.out_of_place(span, "an item of one cell"));
                };
                let any = SymbolSet::any(self.file.pieces.len() + 1);
                Ok(Test::Symbols(SymbolSet(any.0 & !set.0)))
            }
            _ => Err(self.out_of_place(span, "an item that tests one cell")),
        }
    }

    fn any_cell(&self) -> Test {
        if self.file.board.counted {
            Test::Counts(0, Value::MAX)
        } else {
            Test::Symbols(SymbolSet::any(self.file.pieces.len() + 1))
        }
    }

    fn range(&self, low: &Expr, high: Option<&Expr>) -> Result<Test, Fault> {
        let low = crate::expr::integer(low, self.params)?.max(0) as Value;
        let Some(high) = high else {
            return Ok(Test::Counts(low, Value::MAX));
        };
        let high = crate::expr::integer(high, self.params)?;
        Ok(Value::try_from(high).map_or(NOTHING, |high| Test::Counts(low, high)))
    }

    fn class_set(&self, class: usize, exchange: &Exchange<'_>) -> SymbolSet {
        let (class, inside) = match exchange.class(class) {
            Some(other) => (other, Exchange::nobody()),
            None => (class, *exchange),
        };
        let members = self.file.classes[class].members.iter();
        members.fold(SymbolSet::default(), |set, &m| {
            SymbolSet(set.0 | inside.content(m).0)
        })
    }

    fn out_of_place(&self, span: Span, expected: &str) -> Fault {
        let message = format!(
            "`{}` stands where {expected} is expected",
            self.source(span)
        );
        Fault::new(codes::WRONG_PLACE, span, message)
    }
}

impl Exchange<'_> {
    /// One content as a set.
    fn content(&self, content: Content) -> SymbolSet {
        match content {
            Content::Symbol(s) => SymbolSet::one(self.symbol(s)),
            Content::NoCell => SymbolSet::NO_CELL,
        }
    }
}

/// A test that nothing passes.
const NOTHING: Test = Test::Counts(1, 0);

/// The test for one number; a negative number stands in no cell.
fn exactly(v: i64) -> Test {
    Value::try_from(v).map_or(NOTHING, |v| Test::Counts(v, v))
}

/// Whether an amount names nothing that is remembered: it is the same in every placement.
pub(super) fn is_fixed_amount(e: &Expr, captures: &[String]) -> bool {
    let mut fixed = true;
    crate::expr::names_of(e, &mut |name, _| {
        fixed = fixed && !captures.iter().any(|c| c == name);
    });
    fixed
}

/// `-e`.
pub(super) fn negated(e: &Expr) -> Expr {
    Expr {
        kind: ExprKind::Neg(Box::new(e.clone())),
        span: e.span,
    }
}
