//! `impasse verify PUZZLE --strategy NAME`: does it arrive, in the fewest moves, from everywhere?

use std::collections::BTreeSet;

use impasse_analysis::claimed::claimed;
use impasse_analysis::claims::{Certainty, certainty};
use impasse_model::instance::{Instance, Strategy};
use impasse_model::params::Params;
use impasse_model::strategy::{Next, Program};
use impasse_report::grid::{Align, Grid, Layout};
use impasse_report::json;
use impasse_report::numbers::grouped;
use num_bigint::BigInt;
use serde_json::json;

use super::everywhere::{Everywhere, everywhere};
use crate::args::{RunArgs, VerifyArgs};
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::runner::{Finished, Runner, Wanted};
use crate::session::Session;
use crate::strategies::{
    self, Ending, MOST_MOVES, end_word, ending_words, in_file, line_texts, one_line,
};
use crate::sweep::Choice;

/// Spaces of more states are not enumerated, unless `--max-states` is given.
const MOST_STATES: u64 = 200_000;

/// Verifies one strategy of one puzzle after another.
pub(super) fn run(
    ui: Ui,
    args: &VerifyArgs,
    names: &[String],
    strategy: &str,
) -> Result<Exit, Failure> {
    if args.puzzles.is_empty() {
        return Err(Failure::usage("--strategy belongs to a puzzle; which one?")
            .help("write for example impasse verify frogs-and-toads --strategy textbook"));
    }
    let limits = RunArgs {
        max_states: args.run.max_states.or(Some(MOST_STATES)),
        ..args.run.clone()
    };
    let runner = Runner::new(ui, &limits)?;
    let mut exit = Exit::Done;
    for name in names {
        let session = Session::open_named(ui, name, &args.values)?;
        session.look_ahead()?;
        exit = exit.and(verify(args, &session, &runner, strategy)?);
    }
    Ok(exit)
}

fn verify(
    args: &VerifyArgs,
    session: &Session,
    runner: &Runner,
    name: &str,
) -> Result<Exit, Failure> {
    let mut rows = Vec::new();
    let (mut fired, mut lines, mut exit) = (BTreeSet::new(), Vec::new(), Exit::Done);
    for choice in &session.choices {
        let instance = session.instance(choice)?;
        let strategy = strategies::find(&instance, Some(name))?;
        lines = line_texts(&session.file, strategy);
        let row = judge(session, runner, choice, &instance, strategy, &mut fired)?;
        exit = exit.and(row.exit());
        if args.json {
            output::to(None, |out| Ok(json::line(out, &row.object(session, name))?))?;
        }
        rows.push(row);
        if exit == Exit::Interrupted {
            break;
        }
    }
    let idle: Vec<usize> = (0..lines.len())
        .filter(|line| !fired.contains(line))
        .collect();
    if args.json {
        let numbers: Vec<usize> = idle.iter().map(|line| line + 1).collect();
        let object = json!({
            "schema": "impasse.strategy-lines/1",
            "puzzle": session.stem,
            "strategy": name,
            "lines": lines,
            "never_fired": numbers,
        });
        output::to(None, |out| Ok(json::line(out, &object)?))?;
    } else {
        print(session, name, &rows)?;
        idle_lines(&lines, &idle)?;
        print_everywhere(session, &rows)?;
    }
    Ok(exit)
}

/// What became of a strategy for one choice of parameters.
struct Row {
    params: Params,
    ending: Ending,
    moves: u64,
    /// How it ended, for people.
    words: String,
    /// Where it ended.
    state: String,
    optimum: Optimum,
    everywhere: Option<Everywhere>,
}

/// The fewest moves, and how that is known.
enum Optimum {
    Enumerated(u64),
    /// Enumerated in a window that cut moves off.
    InWindow(u64),
    /// The closed form of a claim of the file.
    Claimed(BigInt),
    /// There is no solution, by enumeration.
    NoSolution,
    Unknown,
}

impl Optimum {
    fn value(&self) -> Option<BigInt> {
        match self {
            Self::Enumerated(n) | Self::InWindow(n) => Some((*n).into()),
            Self::Claimed(n) => Some(n.clone()),
            Self::NoSolution | Self::Unknown => None,
        }
    }

    fn by(&self) -> Option<&'static str> {
        Some(match self {
            Self::Enumerated(_) | Self::NoSolution => "enumeration",
            Self::InWindow(_) => "enumeration in this window",
            Self::Claimed(_) => "claim",
            Self::Unknown => return None,
        })
    }
}

impl Row {
    fn arrives(&self) -> bool {
        matches!(self.ending, Ending::Told(Next::Arrived))
    }

    /// Moves beyond the optimum.
    fn excess(&self) -> Option<BigInt> {
        let optimum = self.optimum.value().filter(|_| self.arrives())?;
        Some(BigInt::from(self.moves) - optimum)
    }

    fn exit(&self) -> Exit {
        match self.ending {
            Ending::Told(Next::Arrived) => Exit::Done,
            Ending::Told(_) => Exit::No,
            Ending::TooLong => Exit::Limit,
            Ending::Interrupted => Exit::Interrupted,
        }
    }

    fn verdict(&self) -> String {
        if !self.arrives() {
            return format!("does not arrive: {}", self.words);
        }
        match self.excess() {
            None => "arrives".to_owned(),
            Some(excess) if excess == BigInt::ZERO => "optimal".to_owned(),
            Some(excess) if excess < BigInt::ZERO => "shorter than the optimum".to_owned(),
            Some(excess) => format!("{} more than needed", grouped(&excess)),
        }
    }

    fn object(&self, session: &Session, strategy: &str) -> serde_json::Value {
        let everywhere = self.everywhere.as_ref();
        json!({
            "schema": "impasse.strategy/1",
            "puzzle": session.stem,
            "params": json::params(&self.params),
            "strategy": strategy,
            "arrives": self.arrives(),
            "end": end_word(&self.ending),
            "moves": self.moves,
            "state": self.state,
            "line": match self.ending {
                Ending::Told(Next::Illegal { line, .. }) => Some(line + 1),
                _ => None,
            },
            "optimum": self.optimum.value().map(|n| n.to_string()),
            "optimum_by": self.optimum.by(),
            "optimal": self.excess().map(|excess| excess == BigInt::ZERO),
            "live": everywhere.map(|all| all.live),
            "keeps_live": everywhere.map(|all| all.kept),
            "reaches_goal": everywhere.map(|all| all.reached),
            "first_failure": everywhere.and_then(|all| all.first.as_ref()).map(|first| &first.0),
            "first_failure_why": everywhere.and_then(|all| all.first.as_ref()).map(|first| &first.1),
        })
    }
}

/// Plays from the first start, enumerates as far as that is allowed, and compares.
fn judge(
    session: &Session,
    runner: &Runner,
    choice: &Choice,
    instance: &Instance,
    strategy: &Strategy,
    fired: &mut BTreeSet<usize>,
) -> Result<Row, Failure> {
    let program = strategies::program(&session.file, instance, strategy)?;
    let mut player = program.play(&instance.starts[0]);
    let ending = strategies::play(&mut player, MOST_MOVES, |_, step| {
        fired.insert(step.line);
        Ok::<(), Failure>(())
    })?;
    if let Ending::Told(Next::Fault(fault)) = ending {
        return Err(in_file(&session.file, *fault));
    }
    let lines = line_texts(&session.file, strategy);
    let words = ending_words(instance, &lines, &ending, &player);
    let state = one_line(&instance.board, &instance.alphabet, player.row());
    let (optimum, everywhere) = optimum(session, runner, choice, instance, &program, &lines)?;
    let moves = player.moves();
    Ok(Row {
        params: choice.params.clone(),
        ending,
        moves,
        words,
        state,
        optimum,
        everywhere,
    })
}

fn optimum(
    session: &Session,
    runner: &Runner,
    choice: &Choice,
    instance: &Instance,
    program: &Program<'_>,
    lines: &[String],
) -> Result<(Optimum, Option<Everywhere>), Failure> {
    let alone = Instance {
        starts: vec![instance.starts[0].clone()],
        ..instance.clone()
    };
    // What cannot be packed cannot be enumerated either.
    let finished = match runner.run(&session.label(choice), &alone, Wanted::Verdicts) {
        Ok(finished) => Some(finished),
        Err(Failure::Usage { .. }) => None,
        Err(other) => return Err(other),
    };
    let mut optimum = finished.as_ref().map_or(Optimum::Unknown, enumerated);
    if matches!(optimum, Optimum::Unknown) {
        let claim = claimed(&session.file, &choice.params, "shortest");
        // A claim speaks of the start of the file.
        let claim = claim.map_err(|fault| in_file(&session.file, fault))?;
        if let (Some((value, _)), None) = (claim, &session.start) {
            optimum = Optimum::Claimed(value);
        }
    }
    let everywhere = match finished.as_ref().and_then(|finished| finished.run.table()) {
        Some(table) => Some(everywhere(session, instance, program, lines, table)?),
        None => None,
    };
    Ok((optimum, everywhere))
}

fn enumerated(finished: &Finished) -> Optimum {
    let summary = &finished.record.summary;
    match (certainty(summary, "shortest"), summary.shortest) {
        (Certainty::Exact, Some(shortest)) => Optimum::Enumerated(shortest),
        (Certainty::InWindow, Some(shortest)) => Optimum::InWindow(shortest),
        (Certainty::Exact, None) => Optimum::NoSolution,
        _ => Optimum::Unknown,
    }
}

/// One row a value.
fn print(session: &Session, name: &str, rows: &[Row]) -> Result<(), Failure> {
    let mut grid = Grid::new(heads(
        session,
        &[
            ("moves", Align::Right),
            ("optimum", Align::Right),
            ("by", Align::Left),
            ("verdict", Align::Left),
        ],
    ));
    for row in rows {
        let optimum = match &row.optimum {
            Optimum::NoSolution => "none".to_owned(),
            other => other.value().map_or("unknown".to_owned(), |n| grouped(&n)),
        };
        let by = row.optimum.by().unwrap_or("-").to_owned();
        let cells = [grouped(&row.moves), optimum, by, row.verdict()];
        grid.row(values(session, row).into_iter().chain(cells));
    }
    output::to(None, |out| {
        writeln!(out, "{}, strategy {name}", session.stem)?;
        grid.write(out, Layout::Text, None)?;
        if rows
            .iter()
            .any(|row| matches!(row.optimum, Optimum::Claimed(_)))
        {
            writeln!(
                out,
                "by claim: `shortest = ...` in the file, where there are too many states to enumerate"
            )?;
        }
        Ok(())
    })
}

fn idle_lines(lines: &[String], idle: &[usize]) -> Result<(), Failure> {
    output::to(None, |out| {
        if idle.is_empty() {
            return Ok(writeln!(out, "every line fires from one of these starts")?);
        }
        let verb = if idle.len() == 1 {
            "line never fires"
        } else {
            "lines never fire"
        };
        writeln!(out, "{} {verb} from these starts:", idle.len())?;
        for &line in idle {
            writeln!(out, "  {:>2}  {}", line + 1, lines[line])?;
        }
        Ok(())
    })
}

/// One row a value that was enumerated.
fn print_everywhere(session: &Session, rows: &[Row]) -> Result<(), Failure> {
    let mut grid = Grid::new(heads(
        session,
        &[
            ("live", Align::Right),
            ("kept live", Align::Right),
            ("reach a goal", Align::Right),
            ("first state where not", Align::Left),
        ],
    ));
    let mut is_empty = true;
    for row in rows {
        let Some(all) = &row.everywhere else { continue };
        is_empty = false;
        let first = all.first.as_ref();
        let first = first.map_or("-".to_owned(), |(state, why)| format!("{state}: {why}"));
        let cells = [
            grouped(&all.live),
            grouped(&all.kept),
            grouped(&all.reached),
            first,
        ];
        grid.row(values(session, row).into_iter().chain(cells));
    }
    if is_empty {
        return Ok(());
    }
    output::to(None, |out| {
        writeln!(out, "from every live state:")?;
        Ok(grid.write(out, Layout::Text, None)?)
    })
}

fn heads(session: &Session, columns: &[(&str, Align)]) -> Vec<(String, Align)> {
    let given = session.given().into_iter().map(|name| (name, Align::Right));
    let columns = columns
        .iter()
        .map(|&(name, align)| (name.to_owned(), align));
    given.chain(columns).collect()
}

fn values(session: &Session, row: &Row) -> Vec<String> {
    let value = |name: &String| {
        row.params
            .get(name)
            .map_or_else(String::new, ToString::to_string)
    };
    session.given().iter().map(value).collect()
}
