//! What a streamed run tells from sets alone, against the same asked of a table of all states, to
//! the byte.

use std::time::Duration;

use impasse_analysis::blocking::{LostPlay, Rest};
use impasse_analysis::explore::{Engine, Options, RunError, explore};
use impasse_analysis::inquiry::{Excerpt, Inquire, Known, Unanswered};
use impasse_analysis::reasons::MOST_BRANCHES;
use impasse_analysis::run::{Run, Table, Verdict};
use impasse_graph::observe::Silent;
use impasse_model::instance::{Instance, Position};
use impasse_model::puzzle::Style;
use impasse_report::grid::Layout;
use impasse_report::lists::{List, Source, csv_rows};
use impasse_report::stuck::{BlockingMoves, dead_ends, object};
use impasse_report::why::Why;
use impasse_report::{Measured, Record, dot};
use serde_json::Value;

/// So many positions are explained.
const EXPLAINED: u32 = 40;
/// So many dead ends are listed in the report for people.
const LISTED: usize = 3;

/// What was met, so that a test can say that it met enough.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked {
    pub(crate) streamed: usize,
    pub(crate) blocking: u64,
    pub(crate) directed_with_circles: usize,
    pub(crate) several_rules: usize,
    pub(crate) lost_explained: usize,
    pub(crate) endless: usize,
}

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes);
    String::from_utf8(bytes).expect("text")
}

fn same(what: &str, found: &str, expected: &str) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    let lines = found.lines().zip(expected.lines());
    let first = lines.into_iter().find(|(a, b)| a != b);
    Err(format!("{what}: {first:?} of\n{found}\nnot\n{expected}"))
}

fn answered<T>(answer: Result<T, Unanswered>) -> Result<T, String> {
    answer.map_err(|error| error.to_string())
}

/// Compares all that `stuck` and `why` print.
pub(crate) fn agrees(instance: &Instance, met: &mut Asked) -> Result<(), String> {
    let options = |engine, tabled| Options {
        engine,
        tabled,
        no_counting: true,
        ..Options::default()
    };
    let streamed = match explore(instance, &options(Engine::Stream, Some(0)), &Silent) {
        Ok(run) => run,
        Err(RunError::NotStreamed(_)) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let hashed = explore(instance, &options(Engine::Hash, None), &Silent);
    let hashed = hashed.map_err(|error| error.to_string())?;
    if streamed.table().is_some() {
        return Err("a table of no state at most".to_owned());
    }
    met.streamed += 1;
    let measured = Measured {
        threads: 1,
        peak_memory_bytes: None,
        elapsed: Duration::ZERO,
    };
    let both = Both {
        instance,
        record: Record::new(instance, &*hashed, measured),
        table: hashed.table().ok_or("no table")?,
        inquiry: streamed.inquire().ok_or("nothing to ask")?,
    };
    both.figures(&*streamed)?;
    both.counts(met)?;
    both.lists()?;
    both.rests(met)?;
    both.whys(met)
}

struct Both<'a> {
    instance: &'a Instance,
    record: Record,
    table: &'a dyn Table,
    inquiry: &'a dyn Inquire,
}

impl Both<'_> {
    fn excerpt(&self, of: &Excerpt, known: Known) -> Result<Option<Box<dyn Table>>, String> {
        answered(self.inquiry.excerpt(of, known, &Silent))
    }

    /// The report without counts by move, and what it counts by depth.
    fn figures(&self, streamed: &dyn Run) -> Result<(), String> {
        let measured = self.record.measured;
        let record = Record::new(self.instance, streamed, measured);
        let object = |record| Value::Object(object(record, None)).to_string();
        same("figures", &object(&record), &object(&self.record))?;
        let rows = |record| {
            written(|out| csv_rows(out, List::ByDepth, record, Source::Counts).expect("memory"))
        };
        same("by depth", &rows(&record), &rows(&self.record))
    }

    fn counts(&self, met: &mut Asked) -> Result<(), String> {
        let moves = answered(self.inquiry.by_move(&Silent))?;
        let found = BlockingMoves::of_moves(&moves);
        let expected = BlockingMoves::of(self.table);
        if found != expected {
            return Err(format!("by move {found:#?}, expected {expected:#?}"));
        }
        met.blocking += self.record.summary.blocking_moves.unwrap_or(0);
        let losing = moves.iter().filter(|tally| tally.counts.blocking > 0);
        met.several_rules += usize::from(losing.count() > 1);
        let graded = self.record.summary.graded == Some(true);
        met.directed_with_circles +=
            usize::from(!graded && self.record.summary.reversible == Some(false));
        Ok(())
    }

    fn lists(&self) -> Result<(), String> {
        let dead_ends_in_all = self.record.summary.dead_ends.unwrap_or(0);
        let lists = [
            (List::Boundary, Excerpt::Boundary),
            (List::Lost, Excerpt::Lost),
            (List::DeadEnds, Excerpt::DeadEnds(dead_ends_in_all)),
            (List::OnlyMoves, Excerpt::OnlyMoves),
        ];
        let known = Known {
            numbers: true,
            remoteness: true,
        };
        for (list, about) in lists {
            let excerpt = self.excerpt(&about, known)?.ok_or("no excerpt")?;
            let rows = |table| {
                written(|out| {
                    csv_rows(out, list, &self.record, Source::Table(table)).expect("memory");
                })
            };
            same(list.name(), &rows(&*excerpt), &rows(self.table))?;
            if list == List::Boundary {
                let drawn =
                    |table| written(|out| dot::boundary(out, &self.record, table).expect("memory"));
                same("drawing", &drawn(&*excerpt), &drawn(self.table))?;
            }
        }
        let first = self.excerpt(&Excerpt::DeadEnds(LISTED as u64), Known::default())?;
        let first = first.ok_or("no excerpt")?;
        let shown = |table| {
            written(|out| {
                dead_ends(out, table, Layout::Text, LISTED).expect("memory");
            })
        };
        same("first dead ends", &shown(&*first), &shown(self.table))
    }

    fn rests(&self, met: &mut Asked) -> Result<(), String> {
        let rests = answered(self.inquiry.rests(&Silent))?;
        met.endless += usize::from(rests.endless > 0);
        let list = List::ByMovesLeft;
        let rows =
            |source| written(|out| csv_rows(out, list, &self.record, source).expect("memory"));
        let (found, expected) = (Source::Rests(&rests), Source::Table(self.table));
        same(list.name(), &rows(found), &rows(expected))
    }

    fn whys(&self, met: &mut Asked) -> Result<(), String> {
        let step = (self.table.state_count() / EXPLAINED).max(1);
        for id in (0..self.table.state_count()).step_by(step as usize) {
            let mut position = Position::new();
            self.table.position(id, &mut position);
            let excerpt = self.around(&position)?.ok_or("it was reached")?;
            let rest = answered(self.inquiry.rest(&position, &Silent))?;
            let play = LostPlay::of(self.table).rest(id);
            if rest != play {
                return Err(format!("{position:?} {rest:?}, expected {play:?}"));
            }
            let at = excerpt.find(&position).ok_or("it is in its own excerpt")?;
            let line = self.table.one_line(id);
            let found = self.why(&*excerpt, at, rest);
            same(&line, &found, &self.why(self.table, id, play))?;
            met.lost_explained += usize::from(self.table.verdict(id) != Verdict::Live);
        }
        // Contents in another order are often not reached.
        let mut other = self.instance.starts[0].clone();
        other.reverse();
        let is_reached = self.table.find(&other).is_some();
        if self.around(&other)?.is_some() != is_reached {
            return Err(format!("{other:?} is reached: {is_reached}"));
        }
        Ok(())
    }

    fn around(&self, position: &Position) -> Result<Option<Box<dyn Table>>, String> {
        let around = Excerpt::Around {
            position: position.clone(),
            branches: MOST_BRANCHES,
        };
        let known = Known {
            numbers: false,
            remoteness: true,
        };
        self.excerpt(&around, known)
    }

    fn why(&self, table: &dyn Table, id: u32, rest: Option<Rest>) -> String {
        let why = Why {
            record: &self.record,
            instance: self.instance,
            table,
            id,
            is_reached: true,
            rest,
            mined: Err("it is not asked".to_owned()),
        };
        let mut text = written(|out| {
            why.text(out, Style { unicode: false }).expect("memory");
        });
        text.push_str(&Value::Object(why.object()).to_string());
        text
    }
}
