//! Whether what a strategy does is a move of the puzzle.

use super::ground::{Visit, Ways};
use super::line::{Change, Line, Scratch};
use super::row::Row;
use super::track::Track;
use crate::fault::Fault;
use crate::instance::{Instance, Rule};

/// A rule and every way to lay it.
#[derive(Clone, Debug)]
pub(super) struct Laid {
    pub(super) line: Line,
    pub(super) ways: Ways,
}

impl Laid {
    /// `reach` as for [`Ways::new`].
    pub(super) fn new(rule: &Rule, instance: &Instance, reach: usize) -> Result<Self, Fault> {
        let line = Line::new(rule, instance)?;
        let ways = Ways::new(&instance.board, &rule.left, &rule.steps, &line.items, reach);
        Ok(Self { line, ways })
    }
}

/// The rules of the puzzle, made ready.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    rules: Vec<Laid>,
}

impl Moves {
    pub(super) fn new(instance: &Instance) -> Result<Self, Fault> {
        let laid = |rule: &Rule| {
            let cells = rule.left.iter().map(Vec::len).sum();
            Laid::new(rule, instance, cells)
        };
        Ok(Self {
            rules: instance.rules.iter().map(laid).collect::<Result<_, _>>()?,
        })
    }

    /// The first rule that makes just these changes, which are sorted by place.
    pub(super) fn rule_of(
        &self,
        instance: &Instance,
        row: &Row,
        wanted: &[Change],
        scratch: &mut Scratch,
    ) -> Result<Option<usize>, Fault> {
        let Some(place) = wanted.first().map(|change| change.place) else {
            return Ok(None);
        };
        for (number, rule) in self.rules.iter().enumerate() {
            let mut search = Search {
                instance,
                line: &rule.line,
                wanted: Some(wanted),
                scratch,
                fault: None,
            };
            let found = rule
                .ways
                .each_over(row, &rule.line.items, place, &mut search);
            search.finish()?;
            if found {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Whether any move applies.
    pub(super) fn any(
        &self,
        instance: &Instance,
        row: &Row,
        scratch: &mut Scratch,
    ) -> Result<bool, Fault> {
        for rule in &self.rules {
            let mut search = Search {
                instance,
                line: &rule.line,
                wanted: None,
                scratch,
                fault: None,
            };
            let found = rule.ways.each(row, &rule.line.items, &mut search);
            search.finish()?;
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Looks for a placement that makes certain changes, or any.
struct Search<'a> {
    instance: &'a Instance,
    line: &'a Line,
    wanted: Option<&'a [Change]>,
    scratch: &'a mut Scratch,
    fault: Option<Fault>,
}

impl Search<'_> {
    fn finish(self) -> Result<(), Fault> {
        self.fault.map_or(Ok(()), Err)
    }
}

impl Visit for Search<'_> {
    fn visit(&mut self, track: &impl Track, _: i64, at: Option<i64>) -> bool {
        let wanted = self.wanted;
        let mut accept = |found: &[Change]| wanted.is_none_or(|wanted| is_same(found, wanted));
        match self
            .line
            .apply(self.instance, track, at, self.scratch, &mut accept)
        {
            Ok(taken) => taken,
            Err(fault) => {
                self.fault = Some(fault);
                true
            }
        }
    }
}

/// Whether two lists hold the same changes; the second is sorted.
fn is_same(found: &[Change], sorted: &[Change]) -> bool {
    found.len() == sorted.len()
        && found
            .iter()
            .all(|change| sorted.binary_search(change).is_ok())
}
