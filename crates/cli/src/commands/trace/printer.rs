//! How steps are printed: whole positions, or one short line a step; as text or as JSON.

use std::io::Write;

use impasse_model::instance::{Instance, Strategy};
use impasse_model::strategy::{Change, Next, Player, Row, Step};
use impasse_model::syntax::PuzzleFile;
use impasse_report::json;
use impasse_report::numbers::{counted, grouped};
use serde_json::{Value, json};

use super::MOST_CELLS_IN_FULL;
use super::rest::{Rest, Verdict};
use crate::args::StepForm;
use crate::exit::Failure;
use crate::strategies::{Ending, is_endless, line_text, one_line, place_name};

/// Prints the steps of one strategy.
pub(super) struct Printer<'a> {
    instance: &'a Instance,
    strategy: &'a Strategy,
    pub(super) form: StepForm,
    lines: Vec<String>,
    /// The longest name of a rule, in letters.
    width: usize,
}

impl<'a> Printer<'a> {
    /// A printer for a strategy of a file.
    pub(super) fn new(
        file: &PuzzleFile,
        instance: &'a Instance,
        strategy: &'a Strategy,
        form: StepForm,
    ) -> Self {
        let lines = (0..strategy.lines.len()).map(|line| line_text(file, strategy, line));
        let widths = instance.rules.iter().map(|rule| rule.name.chars().count());
        Self {
            instance,
            strategy,
            form,
            lines: lines.collect(),
            width: widths.max().unwrap_or(0).max("rule".len()),
        }
    }

    /// Whether places are those of a row, which need no changes to be named.
    pub(super) fn is_on_row(&self) -> bool {
        use impasse_model::board::Shape;
        matches!(
            self.instance.board.shape,
            Shape::Line | Shape::Window { .. } | Shape::Span
        )
    }

    /// The lines of the strategy by number.
    pub(super) fn legend(&self) -> String {
        let sweep = if self.strategy.sweep { " sweep" } else { "" };
        let mut text = format!("strategy {}{sweep}", self.strategy.name);
        for (number, line) in (1..).zip(&self.lines) {
            text += &format!("\n  {number:>2}  {line}");
        }
        text
    }

    /// What stands above the steps.
    pub(super) fn head(&self, out: &mut dyn Write) -> Result<(), Failure> {
        if self.form == StepForm::Moves {
            return Ok(writeln!(out, "step\trule\tplace\tline")?);
        }
        let (rule, width) = ("rule", self.width);
        let first = if self.has_first() { "  first" } else { "" };
        writeln!(out, "{}\n", self.legend())?;
        Ok(writeln!(
            out,
            "  step  line  {rule:width$}  place{first}  position"
        )?)
    }

    /// The rows of an endless board begin anywhere.
    fn has_first(&self) -> bool {
        is_endless(&self.instance.board)
    }

    /// Prints one step; the first is the start, which no move leads to.
    pub(super) fn step(
        &self,
        out: &mut dyn Write,
        json: bool,
        number: u64,
        step: Option<Step>,
        changes: &[Change],
        row: &Row,
    ) -> Result<(), Failure> {
        if json {
            return self.step_object(out, number, step, changes, row);
        }
        if self.form == StepForm::Full {
            return self.full_line(out, number, step, changes, row);
        }
        let Some(step) = step else { return Ok(()) };
        let rule = &self.instance.rules[step.rule].name;
        let line = step.line + 1;
        if is_endless(&self.instance.board) {
            let place = step.place;
            return Ok(writeln!(out, "{number}\t{rule}\t{place}\t{line}")?);
        }
        let place = place_name(&self.instance.board, step.place, changes);
        Ok(writeln!(out, "{number}\t{rule}\t{place}\t{line}")?)
    }

    fn full_line(
        &self,
        out: &mut dyn Write,
        number: u64,
        step: Option<Step>,
        changes: &[Change],
        row: &Row,
    ) -> Result<(), Failure> {
        let board = &self.instance.board;
        let width = self.width;
        let (line, rule, place) = match step {
            Some(step) => (
                (step.line + 1).to_string(),
                self.instance.rules[step.rule].name.as_str(),
                place_name(board, step.place, changes),
            ),
            None => Default::default(),
        };
        write!(out, "{number:>6}  {line:>4}  {rule:width$}  {place:>5}")?;
        let mut text = one_line(board, &self.instance.alphabet, row);
        if self.has_first() {
            write!(out, "  {:>+5}", row.occupied().0)?;
            text.truncate(text.rfind('@').unwrap_or(text.len()));
        }
        Ok(writeln!(out, "  {text}")?)
    }

    fn step_object(
        &self,
        out: &mut dyn Write,
        number: u64,
        step: Option<Step>,
        changes: &[Change],
        row: &Row,
    ) -> Result<(), Failure> {
        let is_full = self.form == StepForm::Full;
        if step.is_none() && !is_full {
            return Ok(());
        }
        let board = &self.instance.board;
        let mut object = json!({
            "schema": "impasse.step/1",
            "step": number,
            "line": step.map(|step| step.line + 1),
            "rule": step.map(|step| self.instance.rules[step.rule].name.as_str()),
            "place": step.map(|step| place_name(board, step.place, changes)),
        });
        if is_full {
            object["state"] = one_line(board, &self.instance.alphabet, row).into();
        }
        Ok(json::line(out, &object)?)
    }

    /// How play ended, in one sentence.
    pub(super) fn ending(&self, ending: &Ending, player: &Player<'_>) -> String {
        let moves = counted(player.moves(), "move", "moves");
        let state = self.shown(player.row());
        match ending {
            Ending::Told(Next::Arrived) => format!("arrived after {moves} at {state}"),
            Ending::Told(Next::NoLine) => format!("no line applies after {moves}, at {state}"),
            Ending::Told(Next::Cycle) => {
                format!("goes round for ever: after {moves} at {state}, where it was before")
            }
            Ending::Told(Next::Illegal { line, place }) => {
                let place = place_name(&self.instance.board, *place, player.changes());
                format!(
                    "what line {} does at place {place} is no move of the puzzle, after {moves}, at {state}: {}",
                    line + 1,
                    self.lines[*line]
                )
            }
            Ending::Told(Next::Moved(_) | Next::Fault(_)) => String::new(),
            Ending::TooLong => format!("stopped after {moves}, at {state}"),
            Ending::Interrupted => format!("interrupted after {moves}, at {state}"),
        }
    }

    /// A position, unless it is long.
    fn shown(&self, row: &Row) -> String {
        let (first, cells) = row.occupied();
        if cells.len() <= MOST_CELLS_IN_FULL {
            return one_line(&self.instance.board, &self.instance.alphabet, row);
        }
        let occupied = cells.iter().filter(|&&content| content != 0).count();
        let last = first + cells.len() as i64 - 1;
        format!(
            "a row from place {first} to {last} with {} occupied cells",
            grouped(&occupied)
        )
    }

    /// The object behind the steps.
    pub(super) fn end_object(
        &self,
        out: &mut dyn Write,
        ending: &Ending,
        player: &Player<'_>,
        rest: &Rest,
        verdict: &Verdict,
    ) -> Result<(), Failure> {
        let (end, line) = match ending {
            Ending::Told(Next::Arrived) => ("arrived", None),
            Ending::Told(Next::NoLine) => ("no line applies", None),
            Ending::Told(Next::Illegal { line, .. }) => ("illegal", Some(line + 1)),
            Ending::Told(Next::Cycle) => ("cycle", None),
            Ending::Told(Next::Fault(_) | Next::Moved(_)) => ("fault", None),
            Ending::TooLong => ("stopped", None),
            Ending::Interrupted => ("interrupted", None),
        };
        let checked = match verdict {
            Verdict::Open => Value::Null,
            verdict => (*verdict != Verdict::Wrong).into(),
        };
        let object = json!({
            "schema": "impasse.trace/1",
            "puzzle": self.instance.name,
            "params": json::params(&self.instance.params),
            "strategy": self.strategy.name,
            "end": end,
            "moves": player.moves(),
            "line": line,
            "state": one_line(&self.instance.board, &self.instance.alphabet, player.row()),
            "value": rest.parts(),
            "checked": checked,
        });
        Ok(json::line(out, &object)?)
    }
}
