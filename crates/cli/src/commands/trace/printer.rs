//! How steps are printed: whole positions, or one short line a step; as text or as JSON.

use std::io::Write;

use impasse_model::board::Shape;
use impasse_model::instance::{Instance, Strategy};
use impasse_model::strategy::{Change, Next, Player, Row, Step};
use impasse_model::syntax::PuzzleFile;
use impasse_report::json;
use serde_json::{Value, json};

use super::rest::{Rest, Verdict};
use crate::args::StepForm;
use crate::exit::Failure;
use crate::strategies::{
    Ending, end_word, ending_words, is_endless, line_texts, one_line, place_name,
};

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
        let widths = instance.rules.iter().map(|rule| rule.name.chars().count());
        Self {
            instance,
            strategy,
            form,
            lines: line_texts(file, strategy),
            width: widths.max().unwrap_or(0).max("rule".len()),
        }
    }

    /// The lines of the strategy by number.
    pub(super) fn legend(&self) -> String {
        let sweep = if self.strategy.sweep { " sweep" } else { "" };
        let head = format!("strategy {}{sweep}", self.strategy.name);
        let lines = (1..).zip(&self.lines);
        let lines = lines.map(|(number, line)| format!("  {number:>2}  {line}"));
        std::iter::once(head)
            .chain(lines)
            .collect::<Vec<_>>()
            .join("\n")
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
            let place = changes.first().map_or(0, |change| change.place);
            return Ok(writeln!(out, "{number}\t{rule}\t{place}\t{line}")?);
        }
        let place = place_name(&self.instance.board, changes);
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
                place_name(board, changes),
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
            "place": step.map(|_| match place_name(board, changes) {
                name if matches!(board.shape, Shape::Graph { .. }) => Value::from(name),
                number => number.parse::<i64>().map_or(Value::Null, Value::from),
            }),
        });
        if is_full {
            object["state"] = one_line(board, &self.instance.alphabet, row).into();
        }
        Ok(json::line(out, &object)?)
    }

    /// How play ended, in one sentence.
    pub(super) fn ending(&self, ending: &Ending, player: &Player<'_>) -> String {
        ending_words(self.instance, &self.lines, ending, player)
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
        let line = match ending {
            Ending::Told(Next::Illegal { line, .. }) => Some(line + 1),
            _ => None,
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
            "end": end_word(ending),
            "moves": player.moves(),
            "line": line,
            "state": one_line(&self.instance.board, &self.instance.alphabet, player.row()),
            "value": rest.parts(),
            "checked": checked,
        });
        Ok(json::line(out, &object)?)
    }
}
