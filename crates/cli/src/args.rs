//! The command line: commands, flags, and what the help says of them.

mod stuck;

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

use crate::examples;
use crate::size;
use crate::sweep::Given;

pub(crate) use stuck::{StuckArgs, StuckFormat, StuckList};

/// Exhaustive analysis of one-player puzzles.
///
/// A puzzle is a rule file; Impasse finds every position that can be reached, the fewest moves,
/// where play gets stuck, and which move loses.
#[derive(Debug, Parser)]
#[command(name = "impasse", version, after_help = examples::IMPASSE)]
#[command(arg_required_else_help = true, max_term_width = 100)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Flags of every command.
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

/// Flags of every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct LookArgs {
    /// Say nothing but results and errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Say more: each layer as it is finished
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Colours; `auto` asks the terminal and `NO_COLOR`
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: When,
    /// Draw with letters and other signs of ASCII only
    #[arg(long, global = true)]
    pub(crate) ascii: bool,
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the puzzles that come with the program
    #[command(after_help = examples::LIST)]
    List(ListArgs),
    /// Draw the board and its moves, and list the parameters
    #[command(after_help = examples::SHOW)]
    Show(ShowArgs),
    /// Find faults; say how large the puzzle is, what it keeps, and what will run
    #[command(after_help = examples::CHECK)]
    Check(CheckArgs),
    /// Enumerate everything: a table with one row a parameter value
    #[command(after_help = examples::EXPLORE)]
    Explore(ExploreArgs),
    /// Draw a shortest solution step by step
    #[command(after_help = examples::SOLVE)]
    Solve(SolveArgs),
    /// Show dead ends, doomed states and the moves that lose
    #[command(after_help = examples::STUCK)]
    Stuck(StuckArgs),
    /// Say how a position stands, and why
    #[command(after_help = examples::WHY)]
    Why(WhyArgs),
    /// Check the claims of a file, a formula, or a strategy
    #[command(after_help = examples::VERIFY)]
    Verify(VerifyArgs),
    /// Print a sequence over a parameter, find its law, compare it with a b-file
    #[command(after_help = examples::SEQ)]
    Seq(SeqArgs),
    /// Print every step that a strategy takes
    ///
    /// A sweeping or a plain strategy is played from the start (`--start -` reads it from standard
    /// input) to its end: a goal (exit code 0), or no line applies, a line does what is no move, or
    /// play goes round for ever (1). Endless rows grow where they must. On rows of counts whose value
    /// a + b*phi every move keeps, the end is checked against the row at rest, computed from the value.
    #[command(after_help = examples::TRACE)]
    Trace(TraceArgs),
    /// Write the state graph
    #[command(after_help = examples::EXPORT)]
    Export(ExportArgs),
    /// Go on with a run that was broken off
    ///
    /// `explore --run DIR` keeps the search in a folder, after every layer or as often as it costs a tenth
    /// of the time. `resume` does what that command was asked for, from where its search stood, with the
    /// rule file as it was, and prints and writes the same.
    #[command(after_help = examples::RESUME)]
    Resume(ResumeArgs),
    /// Check a report folder again, with slow and obvious code
    #[command(after_help = examples::CHECK_TABLE)]
    CheckTable(CheckTableArgs),
    /// Write a commented rule file to start from
    #[command(after_help = examples::NEW)]
    New(NewArgs),
    /// Explain the code of a fault
    #[command(after_help = examples::EXPLAIN)]
    Explain(ExplainArgs),
    /// Print the completions of a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print the manual page
    #[command(after_help = examples::MAN)]
    Man(ManArgs),
}

/// Which puzzle, for which parameters.
#[derive(Clone, Debug, Args)]
pub(crate) struct PuzzleArgs {
    /// A rule file, `-` for standard input, or the name of a shipped puzzle
    #[arg(value_name = "PUZZLE")]
    pub(crate) puzzle: String,
    /// What to fix in it.
    #[command(flatten)]
    pub(crate) values: ValueArgs,
}

/// Parameter values and starts.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ValueArgs {
    /// A parameter: `n=3`, a range `n=1..7`, a list `chips="2 3 5"`, a choice `way=both`
    #[arg(short, long = "param", value_name = "NAME=VALUE", value_parser = Given::parse)]
    pub(crate) params: Vec<Given>,
    /// Start from this drawing instead of the file's
    #[arg(long, value_name = "DRAWING", allow_hyphen_values = true)]
    pub(crate) start: Option<String>,
}

/// How to run.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct RunArgs {
    /// Threads that work [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Memory that may be used, for example 512M or 6GiB [default: nine tenths of what is free]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub(crate) memory: Option<u64>,
    /// What enumerates
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    pub(crate) engine: EngineName,
    /// Whether states that differ by a symmetry are visited once; figures are of the whole space
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) symmetry: SymmetryUse,
    /// Stop before the layer that would pass so many states
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,
    /// Stop after the layer of this depth
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<u32>,
    /// Stop after so many seconds
    #[arg(long, value_name = "N", value_parser = seconds)]
    pub(crate) max_seconds: Option<f64>,
}

/// The engines by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineName {
    /// The program chooses
    #[default]
    Auto,
    /// Packed states in sorted layers: for every puzzle
    Hash,
    /// Sets of states as bits: where moves keep the pieces, many times faster and smaller
    Stream,
    /// Only the widest layers in memory, figures alone: moves must be reversible or lead one layer deeper
    Layers,
}

/// When symmetries are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SymmetryUse {
    /// Where packed states are enumerated and are many
    #[default]
    Auto,
    /// From the start, with packed states
    On,
    /// Never
    Off,
}

/// What of a run is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Only {
    /// Plain enumeration: sizes of the layers, goals and dead ends
    Depths,
    /// All but the numbers of shortest solutions and of plays, which can take longest
    Verdicts,
}

impl Only {
    /// As it is typed.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Depths => "depths",
            Self::Verdicts => "verdicts",
        }
    }
}

/// Forms of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// Aligned columns
    #[default]
    Text,
    /// A Markdown table
    Md,
    /// Comma-separated values
    Csv,
    /// One object a line
    Json,
}

/// `impasse list`.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// One object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// `impasse show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) puzzle: PuzzleArgs,
    /// The position whose moves are drawn [default: the start]
    #[arg(value_name = "POSITION")]
    pub(crate) position: Option<String>,
}

/// `impasse check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) puzzle: PuzzleArgs,
    /// One object a parameter value, one a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// `impasse explore`.
#[derive(Debug, Args)]
pub(crate) struct ExploreArgs {
    #[command(flatten)]
    pub(crate) puzzle: PuzzleArgs,
    /// Form of the table
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: TableFormat,
    /// One object a line: short for `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Show every key, not only the usual ones (text and Markdown)
    #[arg(long)]
    pub(crate) all: bool,
    /// Find only this
    #[arg(long, value_name = "WHAT")]
    pub(crate) only: Option<Only>,
    /// Write the report folder there
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// States a value above which its files of single states are left out
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) max_rows: u64,
    /// Keep the search there, so that `impasse resume DIR` can go on with it
    #[arg(long = "run", value_name = "DIR")]
    pub(crate) kept: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// `impasse resume`.
#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The folder that was given to `explore --run`
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

/// `impasse solve`.
#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) puzzle: PuzzleArgs,
    /// List all shortest solutions, one a line
    #[arg(long)]
    pub(crate) all: bool,
    /// How many of them at most
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) limit: u64,
    /// Solve from this position
    #[arg(
        long,
        value_name = "POSITION",
        conflicts_with = "start",
        allow_hyphen_values = true
    )]
    pub(crate) from: Option<String>,
    /// One object a parameter value, one a line
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// `impasse why`.
#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    #[command(flatten)]
    pub(crate) puzzle: PuzzleArgs,
    /// The position
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    /// One object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// `impasse verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Rule files, `-` for standard input, or names of shipped puzzles [default: all shipped ones]
    #[arg(value_name = "PUZZLE")]
    pub(crate) puzzles: Vec<String>,
    #[command(flatten)]
    pub(crate) values: ValueArgs,
    /// Compare a key with this formula, for example `n*(n+2)`
    #[arg(
        long,
        value_name = "FORMULA",
        requires = "of",
        allow_hyphen_values = true
    )]
    pub(crate) formula: Option<String>,
    /// The key of the summary that the formula is about
    #[arg(long, value_name = "KEY", requires = "formula")]
    pub(crate) of: Option<String>,
    /// Play this strategy instead: does it arrive, in the fewest moves, and from every live state?
    ///
    /// For each parameter value: whether the strategy arrives, in how many moves, and whether there
    /// is a shorter way, by enumeration up to --max-states (200,000 unless given), else by a claim
    /// `shortest = ...` of the file; the table says which. Then the lines that never fire, and, for
    /// every value that was enumerated, from how many live states the strategy keeps the position
    /// live and reaches a goal. The exit code is 1 if it does not arrive for some value; a strategy
    /// that arrives, but takes more moves than needed, ends with 0, and the table says so.
    #[arg(long, value_name = "NAME", conflicts_with = "formula")]
    pub(crate) strategy: Option<String>,
    /// One object a claim and value, one a line
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// `impasse seq`.
#[derive(Debug, Args)]
pub(crate) struct SeqArgs {
    #[command(flatten)]
    pub(crate) puzzle: PuzzleArgs,
    /// The key of the summary
    #[arg(long, value_name = "KEY")]
    pub(crate) of: String,
    /// Form of the output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: SeqFormat,
    /// One object a line: short for `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Look for a formula or a recurrence
    ///
    /// Polynomials, sums of 2^n, 3^n, 4^n, (-1)^n, Fibonacci numbers and powers of n, and linear
    /// recurrences are fitted exactly. A law is printed only if it gives at least 4 terms more than
    /// it takes to fix it, and 1 more for each of up to 3 first terms that it leaves out. It is
    /// fitted, not proved.
    #[arg(long)]
    pub(crate) guess: bool,
    /// Compare the terms with those of a b-file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "guess"])]
    pub(crate) compare: Option<PathBuf>,
    /// With two ranges: only where the second parameter is at most as large as the first
    #[arg(long)]
    pub(crate) triangle: bool,
    /// Write to this file
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Forms of a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeqFormat {
    /// The terms in one line; a table with two ranges
    #[default]
    Text,
    /// `n a(n)`, one a line, as the OEIS has it
    #[value(alias = "b-file")]
    Bfile,
    /// Comma-separated values
    Csv,
    /// One object a line
    Json,
    /// The fields of an entry of the OEIS
    Oeis,
}

/// `impasse trace`.
#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    #[command(flatten)]
    pub(crate) puzzle: PuzzleArgs,
    /// The strategy [default: the only one of the file]
    #[arg(long, value_name = "NAME")]
    pub(crate) strategy: Option<String>,
    /// What is printed of a step [default: full up to 1,000 cells, else moves]
    #[arg(long, value_name = "HOW")]
    pub(crate) steps: Option<StepForm>,
    /// From the last state to the first
    #[arg(long)]
    pub(crate) reverse: bool,
    /// Only the row at rest, computed from its value a + b*phi without playing
    #[arg(long = "final", conflicts_with_all = ["strategy", "steps", "reverse", "limit"])]
    pub(crate) is_final: bool,
    /// Stop after so many moves
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    /// One object a step, one a line
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the steps to this file
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
}

/// What is printed of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StepForm {
    /// The line of the strategy, the rule, the first cell changed, and the whole position
    Full,
    /// The number of the step, the rule, the first cell changed and the line, between tabs
    Moves,
}

/// `impasse export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) puzzle: PuzzleArgs,
    /// Form of the graph
    #[arg(long, value_name = "FORMAT", default_value = "dot")]
    pub(crate) format: GraphFormat,
    /// Write to this file
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Forms of a state graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// A picture for Graphviz
    #[default]
    Dot,
    /// The states, one a row
    Csv,
    /// The transitions, one a row
    TransitionsCsv,
    /// One object with states and transitions
    Json,
    /// Aldebaran: a labelled transition system for model checkers
    Aut,
}

/// `impasse check-table`.
#[derive(Debug, Args)]
pub(crate) struct CheckTableArgs {
    /// A report folder, written by `impasse explore -o`
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// One object: what is right, or the file, row and column that are not
    #[arg(long)]
    pub(crate) json: bool,
}

/// `impasse new`.
#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// The puzzle's name; the file is NAME.puzzle
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
}

/// `impasse explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// A code such as E04 [default: a list of all]
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}

/// `impasse completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

/// `impasse man`.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The page of this command [default: of the whole program]
    #[arg(value_name = "COMMAND", action = ArgAction::Set)]
    pub(crate) command: Option<String>,
}

/// Reads a positive number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e9 => Ok(seconds),
        _ => Err("write a number of seconds above 0".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_two_examples() {
        for command in Cli::command().get_subcommands() {
            let help = command
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            let examples = help
                .lines()
                .filter(|line| line.contains("impasse "))
                .count();
            assert!(examples >= 2, "{}: {help}", command.get_name());
        }
    }

    #[test]
    fn seconds_are_positive() {
        assert_eq!(seconds("1.5"), Ok(1.5));
        assert!(seconds("0").is_err());
        assert!(seconds("inf").is_err());
        assert!(seconds("soon").is_err());
    }
}
