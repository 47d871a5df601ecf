//! `impasse show`: the board, its moves, the parameters.

use std::io::Write;

use impasse_model::instance::{Instance, Position};
use impasse_model::params::Params;
use impasse_model::syntax::{ParamKind, PuzzleFile, Span};
use impasse_report::grid::{Align, Grid, Layout};
use impasse_verify::moves::{Successors, is_goal, successors};

use crate::args::ShowArgs;
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::session::Session;

/// Draws the start, or a position, and what a move makes of it.
pub(crate) fn run(ui: Ui, args: &ShowArgs) -> Result<Exit, Failure> {
    let session = Session::open(ui, &args.puzzle)?;
    let choice = session.single("show")?;
    let instance = session.instance(choice)?;
    let positions = match &args.position {
        Some(text) => vec![session.position(&instance, text)?],
        None => instance.starts.clone(),
    };
    output::to(None, |out| {
        writeln!(out, "{} ({})", instance.title, session.stem)?;
        parameters(out, &session.file, &choice.params)?;
        for position in positions {
            writeln!(out)?;
            board(out, ui, &instance, &position, args.position.is_some())?;
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}

fn parameters(out: &mut dyn Write, file: &PuzzleFile, params: &Params) -> Result<(), Failure> {
    if file.params.is_empty() {
        return Ok(());
    }
    let head = ["parameter", "value", "default", "values"];
    let mut grid = Grid::new(head.map(|name| (name.to_owned(), Align::Left)));
    for param in &file.params {
        let name = &param.name.value;
        let text = |span: Span| file.text[span.start..span.end].trim().to_owned();
        let (default, values) = match &param.kind {
            ParamKind::Integer { default, range } => (
                text(default.span),
                range.as_ref().map_or_else(
                    || "any integer".to_owned(),
                    |(low, high)| format!("{}..{}", text(low.span), text(high.span)),
                ),
            ),
            ParamKind::List { default } => {
                let words: Vec<String> = default.iter().map(ToString::to_string).collect();
                (words.join(" "), "a list of integers".to_owned())
            }
            ParamKind::Choice { values } => {
                let words: Vec<&str> = values.iter().map(|v| v.value.as_str()).collect();
                (words[0].to_owned(), words.join(" / "))
            }
        };
        let value = params
            .get(name)
            .map_or_else(String::new, ToString::to_string);
        grid.row([name.clone(), value, default, values]);
    }
    writeln!(out)?;
    Ok(grid.write(out, Layout::Text, None)?)
}

fn board(
    out: &mut dyn Write,
    ui: Ui,
    instance: &Instance,
    position: &Position,
    is_given: bool,
) -> Result<(), Failure> {
    let failed = |fault: impasse_model::fault::Fault| Failure::usage(fault.message);
    let word = if is_given { "position" } else { "start" };
    let goal = if is_goal(instance, position).map_err(failed)? {
        ", a goal"
    } else {
        ""
    };
    writeln!(out, "{word}{goal}:")?;
    draw(out, ui, instance, position)?;
    let Successors { to, cut } = successors(instance, position).map_err(failed)?;
    writeln!(out)?;
    match to.len() {
        0 => writeln!(out, "no move")?,
        1 => writeln!(out, "1 move:")?,
        n => writeln!(out, "{n} moves:")?,
    }
    for (next, rule) in &to {
        let name = instance
            .rules
            .get(*rule)
            .map_or("move", |rule| rule.name.as_str());
        writeln!(out, "  {name}")?;
        draw(out, ui, instance, next)?;
    }
    if cut {
        writeln!(out, "the window of the board cuts moves off here")?;
    }
    Ok(())
}

fn draw(
    out: &mut dyn Write,
    ui: Ui,
    instance: &Instance,
    position: &Position,
) -> Result<(), Failure> {
    for line in instance
        .board
        .picture(&instance.alphabet, position, ui.style)
    {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}
