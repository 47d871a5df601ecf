//! `impasse stuck`: where play gets stuck, the moves that lose, and patterns that block.

mod patterns;
mod rules;

use std::io::Write;

use impasse_analysis::blocking::{LostPlay, Rests};
use impasse_analysis::inquiry::{Excerpt, Known};
use impasse_analysis::run::Table;
use impasse_analysis::structure::{Graph, components, must_pass};
use impasse_graph::observe::Outcome;
use impasse_report::dot;
use impasse_report::grid::Layout;
use impasse_report::json::line;
use impasse_report::lists::{self, List, Source};
use impasse_report::numbers::{counted, grouped};
use impasse_report::patterns::PatternList;
use impasse_report::stuck::{BlockingMoves, by_depth, dead_ends, object, tallies};
use serde_json::Value;

use crate::args::{StuckArgs, StuckFormat, StuckList};
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::runner::{Finished, Runner, Wanted, unanswered};
use crate::session::Session;

/// What is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// The report, as text or as an object.
    Report,
    /// A list.
    List(List),
    /// A drawing of the boundary.
    Drawing,
    /// Patterns: the report, or a list of them.
    Patterns(Option<PatternList>),
    /// How patterns stand over a range.
    Stability,
}

impl Work {
    /// What the flags ask for.
    ///
    /// # Errors
    /// Flags that do not fit each other.
    fn of(args: &StuckArgs, format: StuckFormat) -> Result<Self, Failure> {
        use StuckList as L;
        let list = |list| {
            if args.mining.patterns {
                Err(no_patterns(args))
            } else {
                Ok(Self::List(list))
            }
        };
        let mined = |work| {
            if args.mining.patterns {
                Ok(work)
            } else {
                Err(needs_patterns(args))
            }
        };
        let work = match args.list {
            Some(L::Boundary) if format == StuckFormat::Dot && !args.mining.patterns => {
                Self::Drawing
            }
            Some(L::Boundary) => list(List::Boundary)?,
            Some(L::Lost) => list(List::Lost)?,
            Some(L::DeadEnds) => list(List::DeadEnds)?,
            Some(L::OnlyMoves) => list(List::OnlyMoves)?,
            Some(L::ByDepth) => list(List::ByDepth)?,
            Some(L::ByRule) => list(List::ByRule)?,
            Some(L::ByPlace) => list(List::ByPlace)?,
            Some(L::ByMovesLeft) => list(List::ByMovesLeft)?,
            Some(L::Patterns) => mined(Self::Patterns(Some(PatternList::Patterns)))?,
            Some(L::Coverage) => mined(Self::Patterns(Some(PatternList::Coverage)))?,
            Some(L::Uncovered) => mined(Self::Patterns(Some(PatternList::Uncovered)))?,
            Some(L::Stability) => mined(Self::Stability)?,
            None if args.mining.patterns && format == StuckFormat::Csv => {
                Self::Patterns(Some(PatternList::Patterns))
            }
            None if args.mining.patterns => Self::Patterns(None),
            None if format == StuckFormat::Dot => Self::Drawing,
            None => Self::Report,
        };
        match (work, format) {
            (Self::Report, StuckFormat::Csv) => Err(Failure::usage("CSV holds one list at a time")
                .help("say which, for example --list boundary or --list by-depth")),
            (Self::Drawing, StuckFormat::Dot) => Ok(work),
            (_, StuckFormat::Dot) => Err(Failure::usage("only the boundary can be drawn")
                .help("leave --list and --patterns out, or take another --format")),
            _ => Ok(work),
        }
    }
}

fn list_name(args: &StuckArgs) -> String {
    use clap::ValueEnum;
    let value = args.list.and_then(|list| list.to_possible_value());
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

fn no_patterns(args: &StuckArgs) -> Failure {
    Failure::usage(format!("the list `{}` has no patterns", list_name(args)))
        .help("leave --patterns out, or ask for --list patterns, coverage, uncovered or stability")
}

fn needs_patterns(args: &StuckArgs) -> Failure {
    Failure::usage(format!("the list `{}` is one of patterns", list_name(args)))
        .help("add --patterns")
}

/// Reports on each parameter value in turn.
pub(crate) fn run(ui: Ui, args: &StuckArgs) -> Result<Exit, Failure> {
    let format = if args.json {
        StuckFormat::Json
    } else {
        args.format
    };
    if args.rules.rules {
        return rules::run(ui, args, format);
    }
    let work = Work::of(args, format)?;
    let session = Session::open(ui, &args.puzzle)?;
    if work == Work::Drawing {
        session.single("stuck --format dot")?;
    }
    if work == Work::Stability && session.choices.len() < 2 {
        return Err(
            Failure::usage("stability needs several values of a parameter")
                .help("write for example -p n=2..7"),
        );
    }
    session.look_ahead()?;
    let runner = Runner::new(ui, &args.run)?;
    let command = Command {
        ui,
        args,
        format,
        session: &session,
        runner: &runner,
    };
    let mut exit = Exit::Done;
    output::to(args.output.as_deref(), |out| {
        exit = match work {
            Work::Patterns(list) => patterns::run(&command, out, list)?,
            Work::Stability => patterns::stability(&command, out)?,
            _ => command.each_value(out, work)?,
        };
        Ok(())
    })?;
    Ok(exit)
}

/// A command at work.
#[derive(Clone, Copy)]
struct Command<'a> {
    ui: Ui,
    args: &'a StuckArgs,
    format: StuckFormat,
    session: &'a Session,
    runner: &'a Runner,
}

impl Command<'_> {
    fn each_value(&self, out: &mut dyn Write, work: Work) -> Result<Exit, Failure> {
        let mut exit = Exit::Done;
        for (i, choice) in self.session.choices.iter().enumerate() {
            let instance = self.session.instance(choice)?;
            let label = self.session.label(choice);
            let finished = self.runner.run(&label, &instance, Wanted::Verdicts)?;
            exit = exit.and(finished.exit());
            if finished.record.outcome == Outcome::Complete {
                self.value(out, work, &label, &finished, i == 0)?;
                out.flush()?;
            }
            if finished.record.summary.scope.word() != "exact" {
                self.ui.notes_of(&finished.record);
            }
            if exit == Exit::Interrupted {
                break;
            }
        }
        Ok(exit)
    }

    /// Writes what was asked for of one value.
    fn value(
        &self,
        out: &mut dyn Write,
        work: Work,
        label: &str,
        finished: &Finished,
        is_first: bool,
    ) -> Result<(), Failure> {
        let record = &finished.record;
        match work {
            Work::List(list) => self.list(out, list, label, finished, is_first),
            Work::Drawing => {
                self.refuse_long(label, record.summary.blocking_moves, MOST_DRAWN)?;
                let known = Known {
                    numbers: true,
                    remoteness: true,
                };
                let states = self.states(label, finished, &Excerpt::Boundary, known)?;
                Ok(dot::boundary(out, record, states.table())?)
            }
            _ if self.format == StuckFormat::Json => {
                let counts = self.moves(label, finished)?;
                Ok(line(out, &Value::Object(object(record, counts.as_ref())))?)
            }
            _ => {
                heading(out, label, is_first)?;
                let report = Report {
                    command: self,
                    label,
                    finished,
                };
                report.write(out)
            }
        }
    }

    /// The counts by move, from a table or from sets; `None` where the run kept neither.
    fn moves(&self, label: &str, finished: &Finished) -> Result<Option<BlockingMoves>, Failure> {
        let run = &finished.run;
        if let Some(table) = run.table() {
            return Ok(Some(BlockingMoves::of(table)));
        }
        let Some(inquiry) = run.inquire() else {
            return Ok(None);
        };
        let watch = self.runner.watch(label);
        let moves = self.runner.within(|| inquiry.by_move(&watch));
        let moves = moves.map_err(|error| unanswered(label, &error))?;
        Ok(Some(BlockingMoves::of_moves(&moves)))
    }

    /// How long lost play can go on, from a table or from sets; `None` where the run kept neither.
    fn rests(&self, label: &str, finished: &Finished) -> Result<Option<Rests>, Failure> {
        let run = &finished.run;
        if let Some(table) = run.table() {
            return Ok(Some(LostPlay::of(table).rests()));
        }
        let Some(inquiry) = run.inquire() else {
            return Ok(None);
        };
        let watch = self.runner.watch(label);
        let rests = self.runner.within(|| inquiry.rests(&watch));
        rests.map(Some).map_err(|error| unanswered(label, &error))
    }

    /// The states one by one, or those of an excerpt.
    ///
    /// # Errors
    /// Where the run kept neither states nor sets, or there are too many for an excerpt.
    fn states<'a>(
        &self,
        label: &str,
        finished: &'a Finished,
        of: &Excerpt,
        known: Known,
    ) -> Result<States<'a>, Failure> {
        let run = &finished.run;
        if let Some(table) = run.table() {
            return Ok(States::All(table));
        }
        let Some(inquiry) = run.inquire() else {
            return Err(not_kept(label));
        };
        let watch = self.runner.watch(label);
        let excerpt = self.runner.within(|| inquiry.excerpt(of, known, &watch));
        match excerpt {
            Ok(Some(table)) => Ok(States::Some(table)),
            Ok(None) => Err(not_kept(label)),
            Err(error) => Err(unanswered(label, &error)),
        }
    }

    fn list(
        &self,
        out: &mut dyn Write,
        list: List,
        label: &str,
        finished: &Finished,
        is_first: bool,
    ) -> Result<(), Failure> {
        let record = &finished.record;
        self.refuse_long(label, list.row_count(&record.summary), MOST_ROWS)?;
        let (states, moves, rests);
        let known = Known {
            numbers: true,
            remoteness: list == List::OnlyMoves,
        };
        let all = record.summary.dead_ends.unwrap_or(u64::MAX);
        let about = match list {
            List::Boundary => Some(Excerpt::Boundary),
            List::Lost => Some(Excerpt::Lost),
            List::DeadEnds => Some(Excerpt::DeadEnds(all)),
            List::OnlyMoves => Some(Excerpt::OnlyMoves),
            List::ByDepth | List::ByRule | List::ByPlace | List::ByMovesLeft => None,
        };
        let source = if let Some(about) = about {
            states = self.states(label, finished, &about, known)?;
            Source::Table(states.table())
        } else if list == List::ByDepth {
            Source::Counts
        } else if list == List::ByMovesLeft {
            rests = self.rests(label, finished)?;
            Source::Rests(rests.as_ref().ok_or_else(|| not_kept(label))?)
        } else {
            moves = self.moves(label, finished)?;
            Source::Moves(moves.as_ref().ok_or_else(|| not_kept(label))?)
        };
        match self.format {
            StuckFormat::Csv => {
                if is_first {
                    lists::csv_head(out, list, &record.params)?;
                }
                lists::csv_rows(out, list, record, source)?;
            }
            StuckFormat::Json => line(out, &lists::object(list, record, source)?)?,
            StuckFormat::Text | StuckFormat::Dot => {
                heading(out, label, is_first)?;
                lists::text(out, list, record, source)?;
            }
        }
        Ok(())
    }

    /// Refuses to write more rows than are allowed.
    fn refuse_long(&self, label: &str, rows: Option<u64>, default: u64) -> Result<(), Failure> {
        let most = self.args.max_rows.unwrap_or(default);
        match rows {
            Some(rows) if rows > most => {
                let (many, most) = (grouped(&rows), grouped(&most));
                Err(Failure::limit(format!(
                    "{label}: {many} rows, but at most {most} are written"
                ))
                .help(format!("--max-rows {rows} writes them all")))
            }
            _ => Ok(()),
        }
    }
}

/// Writes the name of a value above what is said of it.
fn heading(out: &mut dyn Write, label: &str, is_first: bool) -> Result<(), Failure> {
    if !is_first {
        writeln!(out)?;
    }
    Ok(writeln!(out, "{label}")?)
}

/// States one by one: all of a space, or an excerpt.
enum States<'a> {
    All(&'a dyn Table),
    Some(Box<dyn Table>),
}

impl States<'_> {
    fn table(&self) -> &dyn Table {
        match self {
            Self::All(table) => *table,
            Self::Some(table) => &**table,
        }
    }
}

/// All states one by one.
///
/// # Errors
/// Where the run kept none.
fn all_states<'a>(label: &str, finished: &'a Finished) -> Result<&'a dyn Table, Failure> {
    finished.run.table().ok_or_else(|| not_kept(label))
}

fn not_kept(label: &str) -> Failure {
    Failure::limit(format!("{label}: the states were not kept one by one"))
        .help("--engine hash keeps them; --list by-depth needs only counts")
}

/// Rows of a list, unless --max-rows says otherwise.
const MOST_ROWS: u64 = 1_000_000;
/// Blocking moves of a drawing, unless --max-rows says otherwise.
const MOST_DRAWN: u64 = 2_000;

/// The report on one value, for people.
struct Report<'a> {
    command: &'a Command<'a>,
    label: &'a str,
    finished: &'a Finished,
}

impl Report<'_> {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let args = self.command.args;
        let table = self.finished.run.table();
        let summary = &self.finished.record.summary;
        let many = |count: Option<u64>| count.unwrap_or(0);
        let states = counted(many(summary.states), "state", "states");
        let lost = grouped(&many(summary.lost));
        let dead = counted(many(summary.dead_ends), "dead end", "dead ends");
        let doomed = grouped(&many(summary.doomed));
        writeln!(
            out,
            "{states}, {lost} of them lost: {dead} and {doomed} doomed"
        )?;
        if many(summary.lost) == 0 {
            writeln!(out, "play cannot get stuck")?;
            return table.map_or(Ok(()), |table| structure(out, args, table));
        }
        let blocking = counted(
            many(summary.blocking_moves),
            "blocking move",
            "blocking moves",
        );
        let points = counted(many(summary.points_of_no_return), "point", "points");
        writeln!(out, "{blocking}, at {points} of no return")?;
        if let Some(only) = summary.only_moves {
            let states = counted(only, "live state has", "live states have");
            writeln!(out, "{states} only one move that stays live")?;
        }
        writeln!(out, "\nlost states and blocking moves by depth:")?;
        by_depth(out, &self.finished.record, Layout::Text)?;
        let Some(moves) = self.command.moves(self.label, self.finished)? else {
            writeln!(
                out,
                "\nthe states were not kept one by one; --engine hash keeps them, and tells more"
            )?;
            return Ok(());
        };
        if many(summary.blocking_moves) > 0 {
            writeln!(
                out,
                "\nblocking moves by rule, and the lost states behind them:"
            )?;
            tallies(out, "rule", &moves.by_rule, Layout::Text)?;
            if args.by_move {
                writeln!(out, "\nblocking moves by place:")?;
                tallies(out, "move", &moves.by_move, Layout::Text)?;
            }
        }
        if many(summary.dead_ends) > 0 {
            self.dead_ends(out)?;
        }
        self.rest(out)?;
        table.map_or(Ok(()), |table| structure(out, args, table))
    }

    fn dead_ends(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let limit = self.command.args.limit;
        let first = Excerpt::DeadEnds(limit as u64);
        let known = Known::default();
        let states = self
            .command
            .states(self.label, self.finished, &first, known)?;
        writeln!(out, "\ndead ends:")?;
        dead_ends(out, states.table(), Layout::Text, limit)?;
        let all = self.finished.record.summary.dead_ends.unwrap_or(0);
        if all > limit as u64 {
            let (shown, all) = (grouped(&limit), grouped(&all));
            writeln!(out, "the first {shown} of {all}; --limit shows more")?;
        }
        Ok(())
    }

    /// How long lost play can go on.
    fn rest(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Some(rests) = self.command.rests(self.label, self.finished)? else {
            return Ok(());
        };
        if rests.endless > 0 {
            writeln!(
                out,
                "\nwhat is lost can be played on for ever: lost states form a circle"
            )?;
        } else if let Some(most) = rests.moves.len().checked_sub(1) {
            let moves = counted(most as u64, "more move", "more moves");
            writeln!(out, "\nwhat is lost can be played on for {moves} at most")?;
        }
        Ok(())
    }
}

/// Spaces with more states are not taken apart: it costs seconds and some hundred bytes a state.
const MOST_TAKEN_APART: u32 = 1_000_000;

/// The space as a graph: whether positions can come back, and which ones every solution passes.
fn structure(out: &mut dyn Write, args: &StuckArgs, table: &dyn Table) -> Result<(), Failure> {
    if table.state_count() > MOST_TAKEN_APART {
        return Ok(());
    }
    let parts = components(&Graph::collect(table));
    let count = counted(
        parts.count,
        "strongly connected component",
        "strongly connected components",
    );
    match parts.nontrivial {
        0 => writeln!(out, "\nno position can come back")?,
        _ => writeln!(
            out,
            "\n{count}; the largest has {}",
            counted(parts.largest, "state", "states")
        )?,
    }
    let Some(passed) = must_pass(table) else {
        return Ok(());
    };
    let positions = counted(passed.len() as u64, "position", "positions");
    writeln!(out, "every solution passes {positions}:")?;
    for &id in passed.iter().take(args.limit) {
        writeln!(out, "  {}", table.one_line(id))?;
    }
    if passed.len() > args.limit {
        let (shown, all) = (grouped(&args.limit), grouped(&passed.len()));
        writeln!(out, "the first {shown} of {all}; --limit shows more")?;
    }
    Ok(())
}
