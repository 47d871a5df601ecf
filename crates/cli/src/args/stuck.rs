//! The flags of `impasse stuck`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{PuzzleArgs, RunArgs};

/// `impasse stuck`.
#[derive(Debug, Args)]
pub(crate) struct StuckArgs {
    #[command(flatten)]
    pub(crate) puzzle: PuzzleArgs,
    /// How many dead ends are listed
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Count blocking moves by place too, not only by rule
    #[arg(long)]
    pub(crate) by_move: bool,
    /// Write this list instead of the report
    #[arg(long, value_name = "LIST")]
    pub(crate) list: Option<StuckList>,
    /// Form of the output; `dot` draws the blocking moves
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: StuckFormat,
    /// One object a parameter value, one a line: short for `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Refuse lists of more rows [default: 1000000; for a drawing 2000]
    #[arg(long, value_name = "N")]
    pub(crate) max_rows: Option<u64>,
    /// Write to this file
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) mining: MiningArgs,
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// What is mined.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Patterns")]
pub(crate) struct MiningArgs {
    /// Mine blocking patterns: what lost positions show, and no live one
    ///
    /// All minimal patterns are found: contents of neighbouring cells that some lost position shows
    /// and no live one, so that this becomes false whatever cell is freed. Then few of them are chosen
    /// that cover as many lost positions as possible. With a range of a parameter, also which
    /// patterns stay. All is said of the positions that were reached, and proves nothing for other values.
    #[arg(long)]
    pub(crate) patterns: bool,
    /// Patterns on rows span so many cells at most [default: 8, less with many kinds of pieces]
    #[arg(
        long,
        value_name = "W",
        requires = "patterns",
        conflicts_with = "cells"
    )]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) window: Option<u16>,
    /// Patterns on grids and graphs have so many cells at most [default: 4]
    #[arg(long, value_name = "K", requires = "patterns")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) cells: Option<u16>,
    /// Cells of a pattern on a grid or graph need not touch each other
    #[arg(long, requires = "patterns", conflicts_with = "window")]
    pub(crate) scattered: bool,
}

/// Whether local rules are looked for, and how far around a move.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Local rules")]
pub(crate) struct RulesArgs {
    /// Ask whether the cells around a move decide that it loses
    ///
    /// The cells around every move out of a live position, 0, 1, 2 ... to each side, are sorted into
    /// contexts in which it always loses, never, or sometimes. Where none is mixed the losing ones are
    /// boiled down to few small patterns, and printed as claims for a rule file. The values of a
    /// range are taken together. CSV has one row a context.
    #[arg(long, conflicts_with_all = ["patterns", "list"])]
    pub(crate) rules: bool,
    /// Cells to each side at most [default: 4 on rows, 2 on grids]
    #[arg(long, value_name = "R", requires = "rules")]
    pub(crate) radius: Option<u16>,
}

/// Forms of what `impasse stuck` writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum StuckFormat {
    /// For people
    #[default]
    Text,
    /// Comma-separated values of a list; with --patterns alone, of all patterns
    Csv,
    /// One object a line
    Json,
    /// The boundary for Graphviz
    Dot,
}

/// Lists of `impasse stuck`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StuckList {
    /// Every blocking move, with its rule and place
    Boundary,
    /// Every lost state, with the moves that can still be made at most
    Lost,
    /// Every dead end, with a shortest way to it and the last blocking move on it
    DeadEnds,
    /// Every live state with exactly one live successor
    OnlyMoves,
    /// Lost states and blocking moves by depth
    ByDepth,
    /// The same by rule of the losing move
    ByRule,
    /// The same by rule and place
    ByPlace,
    /// Lost states by the moves that can still be made at most
    ByMovesLeft,
    /// With --patterns: every minimal pattern
    Patterns,
    /// With --patterns: what patterns of each width cover
    Coverage,
    /// With --patterns: lost states that no pattern covers
    Uncovered,
    /// With --patterns and a range: how each pattern stands at each value
    Stability,
}
