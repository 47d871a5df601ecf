//! Goals: drawings of whole positions, patterns, counts.

use super::Scope;
use super::drawing::Unwritable;
use super::items::{Captures, Exchange};
use super::layout::lay_out;
use super::moves::pattern_shape;
use crate::board::{Board, Shape};
use crate::codes;
use crate::expr;
use crate::fault::Fault;
use crate::instance::{Goal, Pattern, SymbolSet, Test};
use crate::syntax::{self, Content, Drawing, Span, StepWord};

/// A drawing on an endless row may stand for at most so many
/// stretches.
const MAX_ALTERNATIVES: usize = 256;

impl Scope<'_> {
    /// The goal: any of the `goal` items. Without a board (its own faults are told elsewhere) the
    /// sizes of drawings are not looked at.
    pub(super) fn goals(&self, board: Option<&Board>, faults: &mut Vec<Fault>) -> Option<Goal> {
        let mut goals = Vec::new();
        for item in &self.file.goals {
            match self.goal(&item.value, board) {
                Ok(goal) => goals.push(goal),
                Err(fault) => faults.push(fault),
            }
        }
        if goals.len() < self.file.goals.len() {
            return None;
        }
        if goals.len() == 1 {
            goals.pop()
        } else {
            Some(Goal::Or(goals))
        }
    }

    pub(super) fn goal(&self, goal: &syntax::Goal, board: Option<&Board>) -> Result<Goal, Fault> {
        let list = |list: &[syntax::Goal]| {
            list.iter()
                .map(|g| self.goal(g, board))
                .collect::<Result<Vec<_>, _>>()
        };
        Ok(match goal {
            syntax::Goal::Drawing(drawing) => self.goal_drawing(drawing, board)?,
            syntax::Goal::Contains(drawing, words) => Goal::Contains(self.pattern(drawing, words)?),
            syntax::Goal::Never(drawing, words) => Goal::Never(self.pattern(drawing, words)?),
            syntax::Goal::Count(contents, comparison, e) => {
                let count = expr::integer(e, self.params)?;
                Goal::Count(symbols(contents), *comparison, count)
            }
            syntax::Goal::Stuck => Goal::Stuck,
            syntax::Goal::Not(inner) => Goal::Not(Box::new(self.goal(inner, board)?)),
            syntax::Goal::And(all) => Goal::And(list(all)?),
            syntax::Goal::Or(any) => Goal::Or(list(any)?),
        })
    }

    fn pattern(&self, drawing: &Drawing, words: &[StepWord]) -> Result<Pattern, Fault> {
        let units = self.write_out(&drawing.rows).map_err(Unwritable::fault)?;
        let mut rows = self.left_side(&units, &Exchange::nobody(), &mut Captures::default())?;
        // Nothing is written, so nothing need be remembered.
        rows.iter_mut()
            .flatten()
            .for_each(|item| item.capture = None);
        let steps = self.steps(words, pattern_shape(&rows), drawing.span)?;
        Ok(Pattern { rows, steps })
    }

    fn goal_drawing(&self, drawing: &Drawing, board: Option<&Board>) -> Result<Goal, Fault> {
        let units = self.write_out(&drawing.rows).map_err(Unwritable::fault)?;
        let nobody = Exchange::nobody();
        let tests = units
            .iter()
            .map(|row| {
                row.iter()
                    .map(|u| self.test(u.glyph, u.span, &nobody))
                    .collect()
            })
            .collect::<Result<Vec<Vec<Test>>, Fault>>()?;
        let Some(board) = board else {
            return Ok(Goal::Drawing(tests.concat()));
        };
        if matches!(board.shape, Shape::Window { .. } | Shape::Span) {
            return stretch_goal(&tests.concat(), drawing.span);
        }
        let fits = |test: &Test, is_cell| {
            if is_cell {
                has_cell(*test)
            } else {
                has_no_cell(*test)
            }
        };
        let mut tests = lay_out(
            board,
            &tests,
            drawing.span,
            codes::GOAL_SIZE,
            "the goal",
            fits,
        )?;
        for test in &mut tests {
            if let Test::Symbols(set) = test {
                set.0 &= !SymbolSet::NO_CELL.0;
            }
        }
        Ok(Goal::Drawing(tests))
    }
}

/// A goal drawn on an endless row is the whole position: all beyond the drawing is empty. The
/// occupied stretch is what is left when empty cells at the ends are taken off; if a cell there
/// may be empty or not (`_`), each length is an alternative.
fn stretch_goal(tests: &[Test], span: Span) -> Result<Goal, Fault> {
    if tests.iter().any(|t| !has_cell(*t)) {
        let message = "the goal has a `#`, but an endless row has no holes and no edge";
        return Err(Fault::new(codes::WRONG_PLACE, span, message));
    }
    let loose = |test: &&Test| allows_empty(**test);
    let head = tests.iter().take_while(loose).count();
    let tail = tests.iter().rev().take_while(loose).count();
    let may_end = |i: usize| occupied(tests[i]).is_some();
    let begins: Vec<usize> = (0..tests.len().min(head + 1))
        .filter(|&i| may_end(i))
        .collect();
    let ends: Vec<usize> = (tests.len().saturating_sub(tail + 1)..tests.len())
        .filter(|&i| may_end(i))
        .collect();
    if begins.len() * ends.len() > MAX_ALTERNATIVES {
        let message = "too many cells at the ends of the goal may be empty or not";
        return Err(Fault::new(codes::TOO_LARGE, span, message));
    }
    let mut drawings = Vec::new();
    if head == tests.len() {
        drawings.push(Vec::new());
    }
    for &begin in &begins {
        for &end in ends.iter().filter(|&&end| end >= begin) {
            let mut stretch = tests[begin..=end].to_vec();
            for i in [0, end - begin] {
                stretch[i] = occupied(stretch[i]).expect("ends were chosen so");
            }
            if !drawings.contains(&stretch) {
                drawings.push(stretch);
            }
        }
    }
    let mut goals: Vec<Goal> = drawings.into_iter().map(Goal::Drawing).collect();
    Ok(if goals.len() == 1 {
        goals.swap_remove(0)
    } else {
        Goal::Or(goals)
    })
}

/// The symbols among some contents; `#` is in no cell and counts nowhere.
fn symbols(contents: &[Content]) -> SymbolSet {
    contents
        .iter()
        .fold(SymbolSet::default(), |set, content| match content {
            Content::Symbol(s) => SymbolSet(set.0 | SymbolSet::one(*s).0),
            Content::NoCell => set,
        })
}

fn has_cell(test: Test) -> bool {
    match test {
        Test::Symbols(set) => set != SymbolSet::NO_CELL,
        Test::Counts(..) => true,
        Test::NoCell => false,
    }
}

fn has_no_cell(test: Test) -> bool {
    match test {
        Test::Symbols(set) => set.has_no_cell(),
        Test::Counts(..) => false,
        Test::NoCell => true,
    }
}

fn allows_empty(test: Test) -> bool {
    match test {
        Test::Symbols(set) => set.has(0),
        Test::Counts(low, _) => low == 0,
        Test::NoCell => false,
    }
}

/// The test for the contents that pass and are not empty, if there are any.
fn occupied(test: Test) -> Option<Test> {
    match test {
        Test::Symbols(set) => {
            let set = SymbolSet(set.0 & !SymbolSet::NO_CELL.0 & !1);
            (set.0 != 0).then_some(Test::Symbols(set))
        }
        Test::Counts(low, high) => (high > 0).then_some(Test::Counts(low.max(1), high)),
        Test::NoCell => None,
    }
}
