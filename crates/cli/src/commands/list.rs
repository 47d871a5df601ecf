//! `impasse list`: the puzzles that come with the program.

use impasse_model::parse::parse;
use impasse_model::syntax::PuzzleFile;
use impasse_report::grid::{Align, Grid, Layout};
use impasse_report::json;

use crate::args::ListArgs;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::shipped::{self, Shipped};

/// Lists them by name, each with its title and parameters.
pub(crate) fn run(args: &ListArgs) -> Result<Exit, Failure> {
    let files = shipped::ALL
        .iter()
        .map(|puzzle| Ok((*puzzle, open(*puzzle)?)));
    let files: Vec<(Shipped, PuzzleFile)> = files.collect::<Result<_, Failure>>()?;
    output::to(None, |out| {
        if args.json {
            for (puzzle, file) in &files {
                let object = serde_json::json!({
                    "schema": "impasse.puzzle/1",
                    "puzzle": puzzle.name,
                    "title": file.title,
                    "parameters": parameters(file),
                });
                json::line(out, &object)?;
            }
            return Ok(());
        }
        let head = ["name", "title", "parameters"];
        let mut grid = Grid::new(head.map(|name| (name.to_owned(), Align::Left)));
        for (puzzle, file) in &files {
            grid.row([
                puzzle.name.to_owned(),
                file.title.clone(),
                parameters(file).join(" "),
            ]);
        }
        Ok(grid.write(out, Layout::Text, None)?)
    })?;
    Ok(Exit::Done)
}

fn open(puzzle: Shipped) -> Result<PuzzleFile, Failure> {
    let origin = format!("{}.puzzle", puzzle.name);
    Ok(parse(&origin, puzzle.text.as_bytes())?.file)
}

fn parameters(file: &PuzzleFile) -> Vec<String> {
    file.params
        .iter()
        .map(|param| param.name.value.clone())
        .collect()
}
