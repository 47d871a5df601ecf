//! Moves, their inverses and mirrored copies; the lines of strategies.

use super::Scope;
use super::conditions::Known;
use super::drawing::Unwritable;
use super::items::{Captures, Exchange};
use super::steps::{PatternShape, opposite};
use crate::codes;
use crate::fault::{Fault, Severity};
use crate::instance::{LeftItem, Length, RightItem, Rule, Steps, Strategy};
use crate::syntax::{BoardKind, Cond, Drawing, Mirror, MoveItem, Span, StepWord, StrategyLine};

/// Two sides and a condition, from a move or from a line of a strategy.
struct Source<'a> {
    name: &'a str,
    left: &'a Drawing,
    right: &'a Drawing,
    condition: Option<&'a Cond>,
    span: Span,
    laid: Laid<'a>,
}

/// How the pattern is laid.
enum Laid<'a> {
    /// As a move says.
    Along(&'a [StepWord]),
    /// Rightwards, as strategies are.
    Rightwards,
}

impl Scope<'_> {
    /// All rules: those of the move items in order, then for each mirror copies of all of them.
    pub(super) fn rules(&self, faults: &mut Vec<Fault>) -> Vec<Rule> {
        let symbols = self.file.alphabet().symbols;
        let mut rules = Vec::new();
        for item in &self.file.moves {
            rules.extend(self.move_rules(item, &Exchange::nobody(), faults));
        }
        for mirror in &self.file.mirrors {
            if let Err(fault) = self.check_mirror(mirror) {
                faults.push(fault);
                continue;
            }
            let exchange = Exchange::pairs_of(mirror, &symbols);
            for item in &self.file.moves {
                let mut again = Vec::new();
                rules.extend(
                    self.move_rules(item, &exchange, &mut again)
                        .into_iter()
                        .map(mirrored),
                );
                again.retain(|f| f.severity() == Severity::Error && !faults.contains(f));
                faults.append(&mut again);
            }
        }
        rules
    }

    /// The strategies.
    pub(super) fn strategies(&self, faults: &mut Vec<Fault>) -> Vec<Strategy> {
        let lines = |name: &str, lines: &[StrategyLine], faults: &mut Vec<Fault>| {
            lines
                .iter()
                .filter_map(|line| {
                    let source = Source {
                        name,
                        left: &line.left,
                        right: &line.right,
                        condition: line.condition.as_ref(),
                        span: line.span,
                        laid: Laid::Rightwards,
                    };
                    self.rule(&source, &Exchange::nobody(), faults)
                })
                .collect()
        };
        self.file
            .strategies
            .iter()
            .map(|s| Strategy {
                name: s.name.value.clone(),
                sweep: s.sweep,
                lines: lines(&s.name.value, &s.lines, faults),
            })
            .collect()
    }

    fn check_mirror(&self, mirror: &Mirror) -> Result<(), Fault> {
        if matches!(self.file.board.kind, BoardKind::Graph(_)) {
            let message = "a graph has no opposite steps, so nothing can be mirrored on it";
            return Err(Fault::new(codes::BAD_STEPS, mirror.span, message)
                .help("write the mirrored moves out"));
        }
        Ok(())
    }

    /// The rules of one move item: one, or with `<->` its inverse too, or none.
    fn move_rules(
        &self,
        item: &MoveItem,
        exchange: &Exchange<'_>,
        faults: &mut Vec<Fault>,
    ) -> Vec<Rule> {
        let source = Source {
            name: &item.name,
            left: &item.left,
            right: &item.right,
            condition: item.condition.as_ref(),
            span: item.span,
            laid: Laid::Along(&item.along),
        };
        let Some(rule) = self.rule(&source, exchange, faults) else {
            return Vec::new();
        };
        if !item.both {
            return vec![rule];
        }
        match self.inverse(&rule) {
            Ok(inverse) => vec![rule, inverse],
            Err(fault) => {
                faults.push(fault);
                vec![rule]
            }
        }
    }

    /// One rule; none if something is wrong, if its condition can never hold, or if it does not
    /// exist for these parameters.
    fn rule(
        &self,
        source: &Source<'_>,
        exchange: &Exchange<'_>,
        faults: &mut Vec<Fault>,
    ) -> Option<Rule> {
        match self.try_rule(source, exchange) {
            Ok(rule) => rule,
            Err(Unwritable::Wrong(fault)) => {
                faults.push(fault);
                None
            }
            Err(Unwritable::Negative { fault, why }) => {
                // A condition such as `where n > 1` may have said so already.
                let excluded = source
                    .condition
                    .is_some_and(|cond| self.can_never_hold(cond, exchange));
                if !excluded {
                    faults.push(missing(source, fault, &why));
                }
                None
            }
        }
    }

    fn try_rule(
        &self,
        source: &Source<'_>,
        exchange: &Exchange<'_>,
    ) -> Result<Option<Rule>, Unwritable> {
        let right = self.write_out(&source.right.rows)?;
        let units = self.write_out(&source.left.rows)?;
        let mut captures = Captures::default();
        let mut left = self.left_side(&units, exchange, &mut captures)?;
        let right = self.right_side(&right, &mut left, &captures, exchange, source.span)?;
        let steps = self.laid(&source.laid, &left, source.span)?;
        if left.iter().all(Vec::is_empty) {
            let fault = Fault::new(
                codes::DOES_NOT_EXIST,
                source.span,
                "a pattern without cells",
            );
            let why = "these parameters: its pattern has no cells".to_owned();
            return Err(Unwritable::Negative { fault, why });
        }
        let condition = match source.condition {
            None => Known::Always,
            Some(cond) => self.condition(cond, &captures, exchange)?,
        };
        let condition = match condition {
            Known::Never => return Ok(None),
            Known::Always => None,
            Known::Depends(cond) => Some(cond),
        };
        let name = source.name.to_owned();
        let captures = captures.names();
        Ok(Some(Rule {
            name,
            left,
            right,
            captures,
            steps,
            condition,
            span: source.span,
        }))
    }

    fn laid(&self, laid: &Laid<'_>, left: &[Vec<LeftItem>], span: Span) -> Result<Steps, Fault> {
        let shape = pattern_shape(left);
        match laid {
            Laid::Along(words) => self.steps(words, shape, span),
            Laid::Rightwards => match (&self.file.board.kind, shape) {
                (BoardKind::Grid(_) | BoardKind::Torus(_), PatternShape::Row) => {
                    self.steps(&[StepWord::Right], shape, span)
                }
                _ => self.steps(&[], shape, span),
            },
        }
    }
}

/// The warning that a rule does not exist for these parameters.
fn missing(source: &Source<'_>, fault: Fault, why: &str) -> Fault {
    let what = match source.laid {
        Laid::Along(_) => format!("move `{}`", source.name),
        Laid::Rightwards => format!("this line of strategy `{}`", source.name),
    };
    Fault {
        code: codes::DOES_NOT_EXIST,
        message: format!("{what} does not exist for {why}"),
        ..fault
    }
}

/// The shape of a pattern.
pub(super) fn pattern_shape(left: &[Vec<LeftItem>]) -> PatternShape {
    match left {
        [] => PatternShape::Cell,
        [row] if row.len() <= 1 && row.iter().all(|item| item.length == Length::One) => {
            PatternShape::Cell
        }
        [_] => PatternShape::Row,
        _ => PatternShape::Rows,
    }
}

/// A copy along the opposite steps (the pieces are exchanged already). A row keeps its order, as it
/// is laid the other way; a pattern of several rows is turned by half a turn.
fn mirrored(mut rule: Rule) -> Rule {
    rule.steps = opposite(&rule.steps);
    if rule.steps == Steps::Drawn {
        let widths: Vec<usize> = rule.left.iter().map(Vec::len).collect();
        for (row, width) in rule.right.iter_mut().zip(widths) {
            row.reverse();
            for item in row {
                if let RightItem::Keep(i) = item {
                    *i = width - 1 - *i;
                }
            }
        }
        rule.left.iter_mut().for_each(|row| row.reverse());
        rule.left.reverse();
        rule.right.reverse();
    }
    rule
}
