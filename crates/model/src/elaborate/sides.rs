//! Right sides: which cells each item covers, what is kept where it stood, what is written.

use std::collections::HashMap;

use super::Scope;
use super::drawing::{Glyph, Unit};
use super::items::{Captures, Exchange};
use crate::codes;
use crate::fault::Fault;
use crate::instance::{LeftItem, Length, RightItem, SymbolSet, Test};
use crate::syntax::{Atom, Content, Span};

/// Where an item begins: so many single cells, and these stretches (by their left items, sorted),
/// lie before it in its row. Two places are the same for all lengths only if both parts agree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Offset {
    cells: usize,
    stretches: Vec<usize>,
}

impl Offset {
    /// Moves past a left item.
    fn pass(&mut self, number: usize, length: Length) {
        if length == Length::One {
            self.cells += 1;
        } else {
            let at = self.stretches.partition_point(|&s| s < number);
            self.stretches.insert(at, number);
        }
    }
}

/// One row of a rule being read.
struct Row<'a> {
    number: usize,
    left: &'a [LeftItem],
    /// The left item that begins at each place.
    at: HashMap<Offset, usize>,
    end: Offset,
}

impl<'a> Row<'a> {
    fn new(number: usize, left: &'a [LeftItem]) -> Self {
        let mut at = HashMap::new();
        let mut end = Offset::default();
        for (i, item) in left.iter().enumerate() {
            at.insert(end.clone(), i);
            end.pass(i, item.length);
        }
        Self {
            number,
            left,
            at,
            end,
        }
    }

    /// The left item whose length a right item has, and that length.
    fn source(&self, item: &RightItem, captures: &Captures) -> (usize, Length) {
        match item {
            RightItem::Keep(i) => (*i, self.left[*i].length),
            RightItem::Recall(c) | RightItem::Turned(c) => {
                (captures.bound[*c].at.1, captures.bound[*c].length)
            }
            RightItem::Write(_) | RightItem::Add(_) => (0, Length::One),
        }
    }
}

impl Scope<'_> {
    /// The right side of a rule. `left` loses `#` from the tests of cells that are written, and of
    /// cells whose content is written elsewhere: where they are no cells there is no placement.
    pub(super) fn right_side(
        &self,
        rows: &[Vec<Unit<'_>>],
        left: &mut [Vec<LeftItem>],
        captures: &Captures,
        exchange: &Exchange<'_>,
        span: Span,
    ) -> Result<Vec<Vec<RightItem>>, Fault> {
        if rows.len() != left.len() {
            let message = format!(
                "the left side has {}, the right side {}",
                plural(left.len(), "row"),
                rows.len()
            );
            return Err(Fault::new(codes::SIDES_DIFFER, span, message));
        }
        let mut right = Vec::with_capacity(rows.len());
        for (number, units) in rows.iter().enumerate() {
            let row = Row::new(number, &left[number]);
            check_lengths(units, &row, captures, span)?;
            right.push(self.right_row(units, &row, captures, exchange, span)?);
        }
        drop_no_cells(left, &right, captures);
        simplify(left, &mut right, captures);
        Ok(right)
    }

    fn right_row(
        &self,
        units: &[Unit<'_>],
        row: &Row<'_>,
        captures: &Captures,
        exchange: &Exchange<'_>,
        span: Span,
    ) -> Result<Vec<RightItem>, Fault> {
        let mut here = Offset::default();
        let mut items = Vec::with_capacity(units.len());
        for unit in units {
            let stands = row.at.get(&here).copied();
            let item = self.right_item(unit, stands, row, captures, exchange)?;
            let passed = row.source(&item, captures);
            let writes = !matches!(item, RightItem::Keep(_)) && passed.1 == Length::One;
            if writes && stands.is_some_and(|i| is_no_cell(row.left[i].test)) {
                let message = format!("`{}` is written over `#`", self.source(unit.span));
                return Err(Fault::new(codes::WRONG_PLACE, unit.span, message)
                    .help("nothing can stand where there is no cell; keep the `#`"));
            }
            here.pass(passed.0, passed.1);
            items.push(item);
        }
        if here != row.end {
            let message = "the right side does not cover the stretches of the left side once each";
            return Err(Fault::new(codes::STRETCH_DIFFERS, span, message));
        }
        Ok(items)
    }

    fn right_item(
        &self,
        unit: &Unit<'_>,
        stands: Option<usize>,
        row: &Row<'_>,
        captures: &Captures,
        exchange: &Exchange<'_>,
    ) -> Result<RightItem, Fault> {
        let counted = self.file.board.counted;
        match unit.glyph {
            Glyph::Atom(Atom::Add(e)) if counted => {
                self.check_amount(e, captures)?;
                Ok(RightItem::Add(e.clone()))
            }
            Glyph::Atom(Atom::Any) if counted => match stands {
                Some(i) if row.left[i].length == Length::One => Ok(RightItem::Keep(i)),
                _ => Err(self.moved(unit, Length::One)),
            },
            Glyph::Atom(Atom::Stretch { item, .. }) if counted && matches!(**item, Atom::Any) => {
                match stands {
                    Some(i) if row.left[i].length != Length::One => Ok(RightItem::Keep(i)),
                    _ => Err(self.moved(unit, Length::AtLeast(0))),
                }
            }
            Glyph::Atom(Atom::Recall(name) | Atom::Turned(name)) if !counted => {
                let number = captures
                    .number(name)
                    .ok_or_else(|| unbound(name, unit.span))?;
                let turned = matches!(unit.glyph, Glyph::Atom(Atom::Turned(_)))
                    && captures.bound[number].length != Length::One;
                Ok(match stands {
                    _ if turned => RightItem::Turned(number),
                    Some(i) if captures.bound[number].at == (row.number, i) => RightItem::Keep(i),
                    _ => RightItem::Recall(number),
                })
            }
            Glyph::Atom(Atom::Is(Content::Symbol(s))) if !counted => {
                Ok(RightItem::Write(exchange.symbol(*s)))
            }
            Glyph::Member(Content::Symbol(s)) if !counted => {
                Ok(RightItem::Write(exchange.symbol(s)))
            }
            Glyph::Atom(Atom::Capture(name, _)) => {
                let message = format!("`{name}` is bound on the right side");
                Err(Fault::new(codes::WRONG_PLACE, unit.span, message)
                    .help(format!("bind it on the left side, and write `{name}` here")))
            }
            Glyph::Atom(Atom::Is(Content::NoCell)) | Glyph::Member(Content::NoCell) => {
                self.kept(unit, stands, row, exchange)
            }
            _ if counted => {
                let message = format!(
                    "`{}` adds nothing that can be counted",
                    self.source(unit.span)
                );
                Err(Fault::new(codes::WRONG_PLACE, unit.span, message).help(
                    "the right side says what is added: `+1`, `-x`, `+(a-x)`, `_` for nothing",
                ))
            }
            _ => self.kept(unit, stands, row, exchange),
        }
    }

    /// An item that is not written must stand where the same item stood on the left.
    fn kept(
        &self,
        unit: &Unit<'_>,
        stands: Option<usize>,
        row: &Row<'_>,
        exchange: &Exchange<'_>,
    ) -> Result<RightItem, Fault> {
        let item = self.plain_item(unit.glyph, unit.span, exchange)?;
        match stands {
            Some(i) if row.left[i].test == item.test && row.left[i].length == item.length => {
                Ok(RightItem::Keep(i))
            }
            _ => Err(self.moved(unit, item.length)),
        }
    }

    fn moved(&self, unit: &Unit<'_>, length: Length) -> Fault {
        let source = self.source(unit.span);
        let message = format!("`{source}` does not stand where it stood on the left side");
        if length == Length::One {
            Fault::new(codes::SIDES_DIFFER, unit.span, message).help(format!(
                "what moves is remembered: `x:{source}` on the left, `x` on the right"
            ))
        } else {
            Fault::new(codes::STRETCH_DIFFERS, unit.span, message)
                .help("a stretch keeps its place, unless it is remembered: `x:coin+`, then `x`")
        }
    }
}

/// Whether the right side has as many cells and stretches as the left side.
fn check_lengths(
    units: &[Unit<'_>],
    row: &Row<'_>,
    captures: &Captures,
    span: Span,
) -> Result<(), Fault> {
    let mut stretches = 0;
    for unit in units {
        stretches += usize::from(match unit.glyph {
            Glyph::Atom(Atom::Stretch { .. } | Atom::Shortest) => true,
            Glyph::Atom(Atom::Recall(name) | Atom::Turned(name)) => match captures.find(name) {
                None => return Err(unbound(name, unit.span)),
                Some(bound) => bound.length != Length::One,
            },
            _ => false,
        });
    }
    let (cells, wanted) = (units.len() - stretches, row.end.cells);
    if cells != wanted {
        let message = format!(
            "the left side covers {}, the right side {cells}",
            plural(wanted, "single cell")
        );
        return Err(Fault::new(codes::SIDES_DIFFER, span, message)
            .help("both sides cover the same cells; an emptied cell is written `.`"));
    }
    if stretches != row.end.stretches.len() {
        let message = format!(
            "the left side has {}, the right side {stretches}",
            plural(row.end.stretches.len(), "stretch")
        );
        return Err(Fault::new(codes::STRETCH_DIFFERS, span, message)
            .help("repeat each stretch on the right side"));
    }
    Ok(())
}

/// Takes `#` out of tests of cells that must be cells for the rule to do anything.
fn drop_no_cells(left: &mut [Vec<LeftItem>], right: &[Vec<RightItem>], captures: &Captures) {
    for (r, row) in left.iter_mut().enumerate() {
        for (i, item) in row.iter_mut().enumerate() {
            let kept = right[r]
                .iter()
                .any(|x| matches!(x, RightItem::Keep(k) if *k == i));
            let recalled = right
                .iter()
                .flatten()
                .any(|x| matches!(x, RightItem::Recall(c) if captures.bound[*c].at == (r, i)));
            if let (Test::Symbols(set), true) = (&mut item.test, !kept || recalled) {
                set.0 &= !SymbolSet::NO_CELL.0;
            }
        }
    }
}

/// A symbol written over itself is kept.
fn simplify(left: &[Vec<LeftItem>], right: &mut [Vec<RightItem>], captures: &Captures) {
    for (r, items) in right.iter_mut().enumerate() {
        let row = Row::new(r, &left[r]);
        let mut here = Offset::default();
        for item in items {
            let stands = row.at.get(&here).copied();
            let passed = row.source(item, captures);
            here.pass(passed.0, passed.1);
            let here = stands.filter(|&i| row.left[i].length == Length::One);
            if let (RightItem::Write(s), Some(i)) = (&item, here)
                && single(row.left[i].test) == Some(*s)
            {
                *item = RightItem::Keep(i);
            }
        }
    }
}

/// The only symbol that passes a test.
pub(super) fn single(test: Test) -> Option<u8> {
    match test {
        Test::Symbols(set) if set.0.is_power_of_two() && !set.has_no_cell() => {
            Some(set.0.trailing_zeros() as u8)
        }
        _ => None,
    }
}

/// Whether a test is passed by `#` alone.
pub(super) fn is_no_cell(test: Test) -> bool {
    matches!(test, Test::NoCell | Test::Symbols(SymbolSet::NO_CELL))
}

fn unbound(name: &str, span: Span) -> Fault {
    Fault::new(
        codes::UNBOUND_CAPTURE,
        span,
        format!("`{name}` is not bound on the left side"),
    )
    .help(format!(
        "write `{name}:_` on the left side to remember what stands there"
    ))
}

fn plural(count: usize, what: &str) -> String {
    match (count, what) {
        (1, _) => format!("1 {what}"),
        (_, "stretch") => format!("{count} stretches"),
        _ => format!("{count} {what}s"),
    }
}
