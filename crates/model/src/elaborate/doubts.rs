//! Warnings on what a file says as a whole: moves that never apply or change nothing, goals with
//! pieces that cannot come about.

use std::collections::BTreeMap;

use crate::board::{Board, Shape};
use crate::codes;
use crate::expr;
use crate::fault::Fault;
use crate::instance::{Goal, Instance, LeftItem, Length, RightItem, Rule, Steps, SymbolSet, Test};
use crate::syntax::{PuzzleFile, Span};

use super::sides::{is_no_cell, single};

impl Instance {
    /// What is likely not meant. A move item is doubted only if all its rules (inverse and mirrored
    /// copies too) are.
    pub(super) fn doubts(&self, file: &PuzzleFile) -> Vec<Fault> {
        let producible = self.producible();
        let mut items: BTreeMap<usize, (Span, &str, bool, bool)> = BTreeMap::new();
        for rule in &self.rules {
            let never = !self.may_apply(rule, producible);
            let idle = self.changes_nothing(rule);
            let entry = items
                .entry(rule.span.start)
                .or_insert((rule.span, &rule.name, true, true));
            entry.2 &= never;
            entry.3 &= idle;
        }
        let mut faults = Vec::new();
        for (span, name, never, idle) in items.into_values() {
            if idle {
                let message = format!("move `{name}` changes nothing");
                faults.push(Fault::new(codes::CHANGES_NOTHING, span, message));
            } else if never {
                let message = format!("move `{name}` can never apply on this board");
                faults.push(Fault::new(codes::NEVER_APPLIES, span, message));
            }
        }
        if !self.board.counted {
            let conserved = self.rules.iter().all(conserves);
            // Several items are the alternatives of one goal.
            let goals = match &self.goal {
                Goal::Or(list) if file.goals.len() > 1 => &list[..],
                goal => std::slice::from_ref(goal),
            };
            for (goal, item) in goals.iter().zip(&file.goals) {
                self.doubt_goal(goal, item.span, producible, conserved, &mut faults);
            }
        }
        faults
    }

    /// The symbols that the starts have and the moves can add to them, one after the other.
    fn producible(&self) -> SymbolSet {
        let mut set = SymbolSet::default();
        if self.board.counted {
            return set;
        }
        for &v in self.starts.iter().flatten() {
            set.0 |= 1 << v;
        }
        if matches!(self.board.shape, Shape::Window { .. } | Shape::Span) {
            set.0 |= 1;
        }
        loop {
            let before = set;
            for rule in self.rules.iter().filter(|r| self.may_apply(r, before)) {
                for item in rule.right.iter().flatten() {
                    if let RightItem::Write(s) = item {
                        set.0 |= 1 << s;
                    }
                }
            }
            if set == before {
                return set;
            }
        }
    }

    /// Whether the left side fits the board and can find its symbols; `false` is sure.
    fn may_apply(&self, rule: &Rule, producible: SymbolSet) -> bool {
        let items = || rule.left.iter().flatten();
        let least = |item: &LeftItem| match item.length {
            Length::One => usize::from(!is_no_cell(item.test)),
            Length::AtLeast(least) => least,
            Length::Shortest => 0,
        };
        let finds = |item: &LeftItem| match item.test {
            _ if item.length != Length::One && least(item) == 0 => true,
            Test::Symbols(set) => {
                set.0 & producible.0 != 0 || (set.has_no_cell() && has_edge(&self.board))
            }
            Test::Counts(low, high) => low <= high && self.board.cap.is_none_or(|cap| low <= cap),
            Test::NoCell => has_edge(&self.board),
        };
        let endless = matches!(self.board.shape, Shape::Window { .. } | Shape::Span);
        let cells: usize = items().map(least).sum();
        items().all(finds) && (endless || (cells <= self.board.cells && self.reaches(rule, least)))
    }

    /// Whether the pattern is no longer than a grid is in some direction of its own.
    fn reaches(&self, rule: &Rule, least: impl Fn(&LeftItem) -> usize) -> bool {
        let Shape::Grid {
            rows,
            cols,
            wrap: false,
            ..
        } = &self.board.shape
        else {
            return true;
        };
        let length = |row: &Vec<LeftItem>| row.iter().map(&least).sum::<usize>();
        let within =
            |steps: usize, by: i32, size: usize| steps * (by.unsigned_abs() as usize) < size;
        match (&rule.steps, &rule.left[..]) {
            (Steps::Vectors(vectors), [row]) => {
                let steps = length(row).saturating_sub(1);
                vectors
                    .iter()
                    .any(|&(dx, dy)| within(steps, dx, *cols) && within(steps, dy, *rows))
            }
            (Steps::Drawn, left) => {
                left.iter().filter(|row| length(row) > 0).count() <= *rows
                    && left.iter().all(|row| length(row) <= *cols)
            }
            _ => true,
        }
    }

    /// Whether the right side leaves everything as it was.
    fn changes_nothing(&self, rule: &Rule) -> bool {
        rule.right.iter().flatten().all(|item| match item {
            RightItem::Keep(_) => true,
            RightItem::Add(e) => expr::integer(e, &self.params).is_ok_and(|v| v == 0),
            _ => false,
        })
    }

    fn doubt_goal(
        &self,
        goal: &Goal,
        span: Span,
        producible: SymbolSet,
        conserved: bool,
        faults: &mut Vec<Fault>,
    ) {
        match goal {
            Goal::And(list) | Goal::Or(list) => {
                for goal in list {
                    self.doubt_goal(goal, span, producible, conserved, faults);
                }
            }
            Goal::Drawing(tests) => {
                let fault = self.foreign(tests.iter().copied(), span, producible);
                faults.extend(fault.or_else(|| {
                    (conserved && !self.same_pieces(tests)).then(|| {
                        let message = "the goal has other pieces than the start, \
                                       and no move changes how many there are";
                        Fault::new(codes::FOREIGN_PIECES, span, message)
                    })
                }));
            }
            Goal::Contains(pattern) => {
                let items = pattern.rows.iter().flatten();
                let tests = items.filter(|i| i.length == Length::One).map(|i| i.test);
                faults.extend(self.foreign(tests, span, producible));
            }
            Goal::Never(_) | Goal::Count(..) | Goal::Stuck | Goal::Not(_) => {}
        }
    }

    /// A test that asks for pieces that never come about.
    fn foreign(
        &self,
        mut tests: impl Iterator<Item = Test>,
        span: Span,
        producible: SymbolSet,
    ) -> Option<Fault> {
        let set = tests.find_map(|test| match test {
            Test::Symbols(set) if !set.has_no_cell() && set.0 & producible.0 == 0 => Some(set),
            _ => None,
        })?;
        let symbol = set.symbols().next()?;
        let letter = self.alphabet.symbols[usize::from(symbol)];
        let message =
            format!("the goal asks for `{letter}`, but no start has it and no move makes it");
        Some(Fault::new(codes::FOREIGN_PIECES, span, message))
    }

    /// Whether some start has the pieces of a goal that names each cell; `true` if it does not.
    fn same_pieces(&self, tests: &[Test]) -> bool {
        let wanted: Option<Vec<u8>> = tests.iter().map(|&t| single(t)).collect();
        let Some(mut wanted) = wanted else {
            return true;
        };
        wanted.retain(|&s| s != 0);
        wanted.sort_unstable();
        self.starts.iter().any(|start| {
            let mut pieces: Vec<u8> = start.iter().map(|&v| v as u8).filter(|&s| s != 0).collect();
            pieces.sort_unstable();
            pieces == wanted
        })
    }
}

/// Whether something on the board or beyond it is `#`.
fn has_edge(board: &Board) -> bool {
    match &board.shape {
        Shape::Line => true,
        Shape::Grid { at, wrap, .. } => !wrap || at.contains(&None),
        Shape::Ring | Shape::Graph { .. } | Shape::Window { .. } | Shape::Span => false,
    }
}

/// Whether a rule surely leaves the number of each symbol as it was.
fn conserves(rule: &Rule) -> bool {
    /// What is taken away or put down: a symbol, or what was remembered.
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    enum Load {
        Symbol(u8),
        Capture(usize),
        Unknown,
    }
    let mut taken = Vec::new();
    let mut put = Vec::new();
    for (left, right) in rule.left.iter().zip(&rule.right) {
        for (i, item) in left.iter().enumerate() {
            if right
                .iter()
                .any(|x| matches!(x, RightItem::Keep(k) if *k == i))
            {
                continue;
            }
            taken.push(match (single(item.test), item.capture) {
                (Some(s), _) if item.length == Length::One => Load::Symbol(s),
                (_, Some(c)) => Load::Capture(c),
                _ => Load::Unknown,
            });
        }
        put.extend(right.iter().filter_map(|x| match x {
            RightItem::Keep(_) => None,
            RightItem::Write(s) => Some(Load::Symbol(*s)),
            RightItem::Recall(c) | RightItem::Turned(c) => Some(Load::Capture(*c)),
            RightItem::Add(_) => Some(Load::Unknown),
        }));
    }
    taken.sort();
    put.sort();
    !taken.contains(&Load::Unknown) && taken == put
}
