//! What several commands ask of strategies: by name, in words, on positions.

use std::convert::Infallible;

use impasse_model::board::{Board, Shape};
use impasse_model::instance::{Alphabet, Instance, Position, Rule, Strategy};
use impasse_model::strategy::{Change, Next, Player, Program, Row};
use impasse_model::syntax::PuzzleFile;
use impasse_report::numbers::{counted, grouped};

use crate::exit::Failure;
use crate::interrupt;
use crate::source::distance;

/// Nobody waits for the end of a longer play; an endless row may hold a strategy that never ends.
pub(crate) const MOST_MOVES: u64 = 1_000_000_000;

/// Rows of more cells are not drawn unless that is asked for.
pub(crate) const MOST_CELLS_IN_FULL: usize = 1000;

/// So many moves are made between two looks at Ctrl-C.
const MOVES_A_LOOK: u64 = 1 << 12;

/// The strategy of that name; without a name the only one.
///
/// # Errors
/// Names the strategies that there are, and the nearest.
pub(crate) fn find<'i>(
    instance: &'i Instance,
    name: Option<&str>,
) -> Result<&'i Strategy, Failure> {
    let all = &instance.strategies;
    let names: Vec<&str> = all.iter().map(|s| s.name.as_str()).collect();
    let Some(name) = name else {
        return match all.as_slice() {
            [only] => Ok(only),
            [] => Err(none(instance)),
            _ => Err(Failure::usage("which strategy?")
                .help(format!("--strategy takes one of: {}", names.join(", ")))),
        };
    };
    all.iter().find(|s| s.name == name).ok_or_else(|| {
        if all.is_empty() {
            return none(instance);
        }
        let near = names.iter().map(|n| (distance(name, n), *n)).min();
        let near = near.filter(|(distance, _)| *distance <= 2 + name.chars().count() / 3);
        let help = match near {
            Some((_, near)) => format!("did you mean `{near}`?"),
            None => format!("its strategies are: {}", names.join(", ")),
        };
        Failure::usage(format!("{} has no strategy `{name}`", instance.name)).help(help)
    })
}

fn none(instance: &Instance) -> Failure {
    Failure::usage(format!("{} has no strategy", instance.name))
        .help("a rule file holds strategies: `strategy NAME`, then lines as in moves")
}

/// A strategy made ready.
///
/// # Errors
/// A number in it that has no value, placed in the file.
pub(crate) fn program<'i>(
    file: &PuzzleFile,
    instance: &'i Instance,
    strategy: &'i Strategy,
) -> Result<Program<'i>, Failure> {
    Program::new(instance, strategy).map_err(|fault| in_file(file, fault))
}

/// A fault in the text of the file.
pub(crate) fn in_file(file: &PuzzleFile, fault: impasse_model::fault::Fault) -> Failure {
    impasse_model::fault::Faults::new(&file.origin, &file.text, vec![fault]).into()
}

/// The lines as they are written, with single blanks.
pub(crate) fn line_texts(file: &PuzzleFile, strategy: &Strategy) -> Vec<String> {
    let text = |line: &Rule| {
        let text = file
            .text
            .get(line.span.start..line.span.end)
            .unwrap_or_default();
        let text = text.split("//").next().unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    strategy.lines.iter().map(text).collect()
}

/// The most moves that a strategy takes from a start; `None` where it does not arrive from some.
///
/// # Errors
/// Says why that cannot be known.
pub(crate) fn moves_of(
    file: &PuzzleFile,
    instance: &Instance,
    name: &str,
) -> Result<Result<Option<u64>, String>, Failure> {
    let strategy = find(instance, Some(name))?;
    let program = program(file, instance, strategy)?;
    let mut most = 0;
    for start in &instance.starts {
        let mut player = program.play(start);
        let Ok(ending) = play(&mut player, MOST_MOVES, |_, _| Ok::<(), Infallible>(()));
        match ending {
            Ending::Told(Next::Arrived) => most = most.max(player.moves()),
            Ending::Told(Next::Fault(fault)) => return Err(in_file(file, *fault)),
            Ending::Told(_) => return Ok(Ok(None)),
            Ending::TooLong => {
                return Ok(Err(format!(
                    "strategy `{name}` takes more than {MOST_MOVES} moves"
                )));
            }
            Ending::Interrupted => return Ok(Err("the run was interrupted".to_owned())),
        }
    }
    Ok(Ok(Some(most)))
}

/// How play ended, in one sentence; `lines` are the lines of the strategy.
pub(crate) fn ending_words(
    instance: &Instance,
    lines: &[String],
    ending: &Ending,
    player: &Player<'_>,
) -> String {
    let moves = counted(player.moves(), "move", "moves");
    let state = shown(instance, player.row());
    match ending {
        Ending::Told(Next::Arrived) => format!("arrived after {moves} at {state}"),
        Ending::Told(Next::NoLine) => format!("no line applies after {moves}, at {state}"),
        Ending::Told(Next::Cycle) => {
            format!("goes round for ever: after {moves} at {state}, where it was before")
        }
        Ending::Told(Next::Illegal { line, .. }) => {
            let place = place_name(&instance.board, player.changes());
            let (number, line) = (line + 1, &lines[*line]);
            format!(
                "what line {number} does at place {place} is no move of the puzzle, after {moves}, at {state}: {line}"
            )
        }
        Ending::Told(Next::Fault(fault)) => {
            format!("{}, after {moves}, at {state}", fault.message)
        }
        Ending::Told(Next::Moved(_)) => String::new(),
        Ending::TooLong => format!("stopped after {moves}, at {state}"),
        Ending::Interrupted => format!("interrupted after {moves}, at {state}"),
    }
}

/// How play ended, in a word or two for programs.
pub(crate) fn end_word(ending: &Ending) -> &'static str {
    match ending {
        Ending::Told(Next::Arrived) => "arrived",
        Ending::Told(Next::NoLine) => "no line applies",
        Ending::Told(Next::Illegal { .. }) => "illegal",
        Ending::Told(Next::Cycle) => "cycle",
        Ending::Told(Next::Fault(_) | Next::Moved(_)) => "fault",
        Ending::TooLong => "stopped",
        Ending::Interrupted => "interrupted",
    }
}

/// A position, unless it is long.
fn shown(instance: &Instance, row: &Row) -> String {
    let (first, cells) = row.occupied();
    if cells.len() <= MOST_CELLS_IN_FULL {
        return one_line(&instance.board, &instance.alphabet, row);
    }
    let occupied = cells.iter().filter(|&&content| content != 0).count();
    let last = first + cells.len() as i64 - 1;
    format!(
        "a row from place {first} to {last} with {} occupied cells",
        grouped(&occupied)
    )
}

/// How a play ended.
#[derive(Clone, Debug)]
pub(crate) enum Ending {
    /// As the player says; never [`Next::Moved`].
    Told(Next),
    /// After so many moves as were allowed.
    TooLong,
    /// Ctrl-C.
    Interrupted,
}

/// Plays to the end; `visit` sees the player after every move, with the line that fired.
///
/// # Errors
/// Those of `visit`.
pub(crate) fn play<E>(
    player: &mut Player<'_>,
    most: u64,
    mut visit: impl FnMut(&Player<'_>, impasse_model::strategy::Step) -> Result<(), E>,
) -> Result<Ending, E> {
    loop {
        if player.moves() >= most {
            // The end may have come with the last move that is allowed.
            return Ok(match player.clone().advance() {
                Next::Moved(_) => Ending::TooLong,
                end => Ending::Told(end),
            });
        }
        match player.advance() {
            Next::Moved(step) => visit(player, step)?,
            end => return Ok(Ending::Told(end)),
        }
        if player.moves().is_multiple_of(MOVES_A_LOOK) && interrupt::asked() {
            return Ok(Ending::Interrupted);
        }
    }
}

/// The position in one line, as [`Board::one_line`] draws it; an endless row with the place of its
/// first cell, though it lie beyond the window.
pub(crate) fn one_line(board: &Board, alphabet: &Alphabet, row: &Row) -> String {
    let (first, cells) = row.occupied();
    let shape = match board.shape {
        Shape::Window { .. } => Shape::Window { first },
        _ => return board.one_line(alphabet, cells),
    };
    let board = Board {
        shape,
        counted: board.counted,
        cap: board.cap,
        cells: cells.len(),
    };
    board.one_line(alphabet, cells)
}

/// Whether the board is a row without ends.
pub(crate) fn is_endless(board: &Board) -> bool {
    matches!(board.shape, Shape::Window { .. } | Shape::Span)
}

/// The first cell that a move changes, as other reports call it: on an endless row its place, on a
/// graph its name, else its number from 1.
pub(crate) fn place_name(board: &Board, changes: &[Change]) -> String {
    let place = changes.first().map_or(0, |change| change.place);
    match &board.shape {
        Shape::Window { .. } | Shape::Span => place.to_string(),
        Shape::Graph { names, .. } => names[place as usize].clone(),
        Shape::Line | Shape::Ring | Shape::Grid { .. } => (place + 1).to_string(),
    }
}

/// The row as a position of the board; `None` where it lies beyond the window.
pub(crate) fn position_of(board: &Board, row: &Row) -> Option<Position> {
    let (first, cells) = row.occupied();
    let begin = match board.shape {
        Shape::Window { first: window } => usize::try_from(first - window).ok(),
        Shape::Span => Some(0),
        _ => return Some(cells.to_vec()),
    };
    if cells.is_empty() {
        return Some(vec![0; board.cells]);
    }
    let begin = begin.filter(|begin| begin + cells.len() <= board.cells)?;
    let mut position = vec![0; board.cells];
    position[begin..begin + cells.len()].copy_from_slice(cells);
    Some(position)
}
