//! Weights that people can read: numbers of pieces, sums of their places, classes of cells.

use std::collections::BTreeMap;

use impasse_model::board::{Board, Cell, Shape};
use impasse_model::compiled::cell_name;
use impasse_model::instance::Instance;
use impasse_model::placed::Symbol;
use num_bigint::BigInt;
use num_traits::{One as _, Signed as _, Zero as _};

use super::echelon::Form;
use super::system::Unknowns;

/// How the cells weigh, for one symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weighing {
    /// 1 each: the number of pieces.
    Number,
    /// By place on a row, as moves name it: the sum of places.
    Place,
    /// By row of a grid, from 1.
    Row,
    /// By column of a grid, from 1.
    Column,
    /// 1 on even places of a row; on a grid, where row and column sum up to an even number.
    Even,
    /// 1 on places, or on cells of a grid by row + column, that leave this remainder modulo 3.
    Rising(i64),
    /// 1 on cells of a grid whose row - column leaves this remainder modulo 3.
    Falling(i64),
    /// 1 on these cells.
    Among(Vec<Cell>),
}

/// The cells a symbol stands on, weighed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trait {
    /// The symbol; on counted boards 1, for the count.
    pub symbol: Symbol,
    /// How the cells weigh.
    pub weighing: Weighing,
}

/// A sum of traits, each with its factor; empty where only the weights themselves can be shown.
pub type Reading = Vec<(BigInt, Trait)>;

impl Weighing {
    /// The weight of a cell.
    #[must_use]
    pub fn of(&self, board: &Board, cell: Cell) -> i64 {
        let (column, row) = coordinates(board, cell);
        match self {
            Self::Number => 1,
            Self::Place | Self::Column => column,
            Self::Row => row,
            Self::Even => i64::from((column + row) % 2 == 0),
            Self::Rising(k) => i64::from((row + column).rem_euclid(3) == *k),
            Self::Falling(k) => i64::from((row - column).rem_euclid(3) == *k),
            Self::Among(cells) => i64::from(cells.contains(&cell)),
        }
    }
}

impl Trait {
    /// The trait as weights of unknowns.
    #[must_use]
    pub fn form(&self, board: &Board, unknowns: &Unknowns) -> Form {
        let cells = 0..unknowns.cells as Cell;
        let weighed = cells.filter_map(|cell| {
            let weight = self.weighing.of(board, cell);
            Some((unknowns.at(cell, self.symbol)?, weight))
        });
        weighed.filter(|&(_, n)| n != 0).collect()
    }
}

/// Column and row; a cell of a row has its place for a column, and row 0.
fn coordinates(board: &Board, cell: Cell) -> (i64, i64) {
    match &board.shape {
        Shape::Grid { cols, at, .. } => {
            let index = at.iter().position(|&c| c == Some(cell)).unwrap_or(0);
            ((index % cols) as i64 + 1, (index / cols) as i64 + 1)
        }
        Shape::Window { first } => (i64::from(cell) + first, 0),
        _ => (i64::from(cell) + 1, 0),
    }
}

/// The weighings by coordinates that a board has.
pub(crate) fn by_coordinates(board: &Board) -> Vec<Weighing> {
    match board.shape {
        Shape::Grid { .. } => vec![Weighing::Even, Weighing::Row, Weighing::Column],
        Shape::Line | Shape::Window { .. } => vec![Weighing::Even, Weighing::Place],
        Shape::Ring => vec![Weighing::Even],
        Shape::Graph { .. } | Shape::Span => Vec::new(),
    }
}

/// The classes of cells modulo 3 that a board has.
pub(crate) fn classes(board: &Board) -> Vec<Weighing> {
    let rising = (0..3).map(Weighing::Rising);
    match board.shape {
        Shape::Grid { .. } => rising.chain((0..3).map(Weighing::Falling)).collect(),
        Shape::Line | Shape::Window { .. } | Shape::Ring => rising.collect(),
        Shape::Graph { .. } | Shape::Span => Vec::new(),
    }
}

/// For each symbol the cells that it moves between, where that is not the whole board.
pub(crate) fn components(forms: &[Form], unknowns: &Unknowns) -> Vec<Trait> {
    let mut above: Vec<usize> = (0..unknowns.count()).collect();
    for form in forms {
        let mut last: BTreeMap<Symbol, usize> = BTreeMap::new();
        for &(unknown, _) in form {
            let unknown = unknown as usize;
            let symbol = unknowns.place(unknown).1;
            if let Some(other) = last.insert(symbol, unknown) {
                let (a, b) = (root(&mut above, unknown), root(&mut above, other));
                above[a.max(b)] = a.min(b);
            }
        }
    }
    let mut members: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
    for unknown in 0..above.len() {
        let (cell, _) = unknowns.place(unknown);
        members
            .entry(root(&mut above, unknown))
            .or_default()
            .push(cell);
    }
    let parts = members.into_iter().map(|(root, cells)| Trait {
        symbol: unknowns.place(root).1,
        weighing: Weighing::Among(cells),
    });
    parts.collect()
}

fn root(above: &mut [usize], mut at: usize) -> usize {
    while above[at] != at {
        above[at] = above[above[at]];
        at = above[at];
    }
    at
}

/// A reading in words: `the number of A`, `the places of A - the places of B`.
#[must_use]
pub(crate) fn words(instance: &Instance, reading: &Reading) -> String {
    let mut text = String::new();
    for (factor, parts) in groups(reading) {
        text += &joint(text.is_empty(), factor);
        text += &group_words(instance, &parts);
    }
    text
}

/// What stands before a part of a sum with this factor: ` + `, ` - 2 times `.
pub(crate) fn joint(is_first: bool, factor: &BigInt) -> String {
    let sign = match (is_first, factor.is_negative()) {
        (true, false) => "",
        (true, true) => "minus ",
        (false, false) => " + ",
        (false, true) => " - ",
    };
    let size = factor.magnitude();
    if size.is_one() {
        sign.to_owned()
    } else {
        format!("{sign}{size} times ")
    }
}

/// Parts of equal factor that one phrase says: several symbols weighed alike, or several classes of
/// one symbol.
fn groups(reading: &Reading) -> Vec<(&BigInt, Vec<&Trait>)> {
    let mut groups: Vec<(&BigInt, Vec<&Trait>)> = Vec::new();
    for (factor, part) in reading {
        let fits = |group: &&mut (&BigInt, Vec<&Trait>)| {
            let alike = |other: &&Trait| other.weighing == part.weighing;
            let of_one = |other: &&Trait| {
                other.symbol == part.symbol
                    && is_rising(&part.weighing) == is_rising(&other.weighing)
            };
            group.0 == factor
                && (group.1.iter().all(alike)
                    || is_rising(&part.weighing).is_some() && group.1.iter().all(of_one))
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.1.push(part),
            None => groups.push((factor, vec![part])),
        }
    }
    groups
}

/// Whether a weighing is by classes modulo 3, and if so by which.
fn is_rising(weighing: &Weighing) -> Option<bool> {
    match weighing {
        Weighing::Rising(_) => Some(true),
        Weighing::Falling(_) => Some(false),
        _ => None,
    }
}

fn group_words(instance: &Instance, parts: &[&Trait]) -> String {
    let board = &instance.board;
    let mut symbols: Vec<String> = Vec::new();
    for part in parts {
        let symbol = symbol_words(instance, part.symbol);
        if !symbols.contains(&symbol) {
            symbols.push(symbol);
        }
    }
    let symbols = symbols.join(" and ");
    let is_grid = matches!(board.shape, Shape::Grid { .. });
    let classes: Vec<String> = parts
        .iter()
        .filter_map(|part| match part.weighing {
            Weighing::Rising(k) | Weighing::Falling(k) => Some(k.to_string()),
            _ => None,
        })
        .collect();
    let classes = classes.join(" or ");
    let number = if board.counted {
        "the sum of the counts".to_owned()
    } else {
        format!("the number of {symbols}")
    };
    match &parts[0].weighing {
        Weighing::Number => number,
        Weighing::Place => format!("the places of {symbols}"),
        Weighing::Row => format!("the rows of {symbols}"),
        Weighing::Column => format!("the columns of {symbols}"),
        Weighing::Even if is_grid => {
            format!("{number} where row + column is even")
        }
        Weighing::Even => format!("{number} on even places"),
        Weighing::Rising(_) if is_grid => {
            format!("{number} where row + column is {classes} modulo 3")
        }
        Weighing::Rising(_) => {
            format!("{number} on places that are {classes} modulo 3")
        }
        Weighing::Falling(_) => {
            format!("{number} where row - column is {classes} modulo 3")
        }
        Weighing::Among(cells) => {
            format!("{number} on {}", cells_words(board, cells))
        }
    }
}

/// What a symbol is called: its letter, or on counted boards the counts.
#[must_use]
pub(crate) fn symbol_words(instance: &Instance, symbol: Symbol) -> String {
    if instance.board.counted {
        "the counts".to_owned()
    } else {
        instance.alphabet.symbols[usize::from(symbol)].to_string()
    }
}

/// More cells are not named one by one.
const MOST_CELLS: usize = 16;

/// `cell 5`, `cells 1 3 5 7`, as moves name them.
#[must_use]
pub(crate) fn cells_words(board: &Board, cells: &[Cell]) -> String {
    let names: Vec<String> = cells
        .iter()
        .take(MOST_CELLS)
        .map(|&cell| cell_name(board, cell))
        .collect();
    let more = if cells.len() > MOST_CELLS { " ..." } else { "" };
    let noun = if cells.len() == 1 { "cell" } else { "cells" };
    format!("{noun} {}{more}", names.join(" "))
}

/// Weights one by one, for what has no better words: `F: 1 at 1, -2 at 3; T: 1 at 2`.
#[must_use]
pub(crate) fn weights_words(
    instance: &Instance,
    unknowns: &Unknowns,
    weights: &[BigInt],
) -> String {
    let mut parts = Vec::new();
    for (index, &symbol) in unknowns.symbols.iter().enumerate() {
        let of_symbol = &weights[index * unknowns.cells..][..unknowns.cells];
        let mut by_weight: BTreeMap<&BigInt, Vec<Cell>> = BTreeMap::new();
        for (cell, weight) in (0..).zip(of_symbol).filter(|(_, w)| !w.is_zero()) {
            by_weight.entry(weight).or_default().push(cell);
        }
        let listed = by_weight
            .iter()
            .map(|(weight, cells)| format!("{weight} on {}", cells_words(&instance.board, cells)));
        let listed: Vec<String> = listed.collect();
        if !listed.is_empty() {
            let symbol = symbol_words(instance, symbol);
            let verb = if instance.board.counted {
                "weigh"
            } else {
                "weighs"
            };
            parts.push(format!("{symbol} {verb} {}", listed.join(", ")));
        }
    }
    parts.join("; ")
}
