//! CSV rows: figures and depths of records, states and transitions of tables.
//!
//! Files are streamed: memory does not grow with the number of rows.

#![expect(
    clippy::missing_errors_doc,
    reason = "every writer fails as its `out` does"
)]

use std::io::Write;

use impasse_analysis::run::{Table, Verdict};
use impasse_analysis::summary::KEYS;
use impasse_model::params::Params;

use crate::error::Error;
use crate::numbers::{count_for_files, for_files};
use crate::paths::LastBlocking;
use crate::record::Record;

/// A CSV writer with lines that end in `\n`.
fn writer(out: &mut dyn Write) -> csv::Writer<&mut dyn Write> {
    csv::Writer::from_writer(out)
}

/// Writes one row.
fn row<T: AsRef<[u8]>>(
    out: &mut dyn Write,
    cells: impl IntoIterator<Item = T>,
) -> Result<(), Error> {
    let mut out = writer(out);
    out.write_record(cells)?;
    Ok(out.flush()?)
}

/// Writes the head of `summary.csv`: all parameters, then the keys.
pub fn summary_head(out: &mut dyn Write, params: &Params) -> Result<(), Error> {
    let names = params.0.iter().map(|(name, _)| name.as_str());
    row(out, names.chain(KEYS))
}

/// Writes the row of one record in `summary.csv`.
pub fn summary_row(out: &mut dyn Write, record: &Record) -> Result<(), Error> {
    let figure = |key| {
        record
            .summary
            .figure(key)
            .map_or_else(String::new, |f| for_files(&f))
    };
    row(
        out,
        param_cells(&record.params).chain(KEYS.into_iter().map(figure)),
    )
}

/// Writes `summary.csv` as a whole: the table of `explore --format csv`.
pub fn summaries(out: &mut dyn Write, records: &[Record]) -> Result<(), Error> {
    if let Some(first) = records.first() {
        summary_head(out, &first.params)?;
    }
    records
        .iter()
        .try_for_each(|record| summary_row(out, record))
}

/// Writes the head of `depths.csv`: all parameters, then the counts of a depth.
pub fn depths_head(out: &mut dyn Write, params: &Params) -> Result<(), Error> {
    let names = params.0.iter().map(|(name, _)| name.as_str());
    let counts = [
        "depth",
        "states",
        "live",
        "doomed",
        "dead_ends",
        "goals",
        "blocking_moves",
    ];
    row(out, names.chain(counts))
}

/// Writes the rows of one record in `depths.csv`.
pub fn depths_rows(out: &mut dyn Write, record: &Record) -> Result<(), Error> {
    let mut out = writer(out);
    for (depth, row) in record.depths.iter().enumerate() {
        let counts = [
            Some(depth as u64),
            Some(row.states),
            row.live,
            row.doomed,
            row.dead_ends,
            row.goals,
            row.blocking_moves,
        ];
        out.write_record(param_cells(&record.params).chain(counts.map(count_for_files)))?;
    }
    Ok(out.flush()?)
}

fn param_cells(params: &Params) -> impl Iterator<Item = String> {
    params.0.iter().map(|(_, value)| value.to_string())
}

/// Writes `states.csv`: `id,state,depth,remoteness,verdict,out_degree,best_successor`.
///
/// Remoteness is empty where no goal can be reached, `best_successor` there and at goals.
pub fn states(out: &mut dyn Write, table: &dyn Table) -> Result<(), Error> {
    let mut out = writer(out);
    let head = [
        "id",
        "state",
        "depth",
        "remoteness",
        "verdict",
        "out_degree",
        "best_successor",
    ];
    out.write_record(head)?;
    let mut transitions = Vec::new();
    for id in 0..table.state_count() {
        table.transitions(id, &mut transitions);
        let remoteness = table.remoteness(id);
        let nearer = remoteness.and_then(|r| r.checked_sub(1));
        let is_best = |to: u32| nearer.is_some() && table.remoteness(to) == nearer;
        let best = transitions.iter().map(|t| t.to).find(|&to| is_best(to));
        out.write_record([
            id.to_string(),
            table.one_line(id),
            table.depth(id).to_string(),
            count_for_files(remoteness),
            table.verdict(id).word().to_owned(),
            transitions.len().to_string(),
            count_for_files(best),
        ])?;
    }
    Ok(out.flush()?)
}

/// Whether a transition loses: from a live state to one that is not.
pub(crate) fn is_blocking(table: &dyn Table, from: u32, to: u32) -> bool {
    table.verdict(from) == Verdict::Live && table.verdict(to) != Verdict::Live
}

/// Writes `transitions.csv`: `from,to,move,blocking`; one row a transition, with the first move
/// in rule order that makes it. `blocking` is 1 or 0.
pub fn transitions(out: &mut dyn Write, table: &dyn Table) -> Result<(), Error> {
    let mut out = writer(out);
    out.write_record(["from", "to", "move", "blocking"])?;
    let mut transitions = Vec::new();
    for from in 0..table.state_count() {
        table.transitions(from, &mut transitions);
        for step in &transitions {
            out.write_record([
                from.to_string().as_str(),
                &step.to.to_string(),
                &table.move_name(step.by),
                if is_blocking(table, from, step.to) {
                    "1"
                } else {
                    "0"
                },
            ])?;
        }
    }
    Ok(out.flush()?)
}

/// Writes `dead-ends.csv`: `id,state,depth,last_blocking_move`.
///
/// The last is the blocking move on the shortest path to the dead end that always comes from the
/// least-numbered predecessor, as `step 2 3 from F.FTT`; empty where the start was lost already.
pub fn dead_ends(out: &mut dyn Write, table: &dyn Table) -> Result<(), Error> {
    let last_blocking = LastBlocking::of(table);
    let mut out = writer(out);
    out.write_record(["id", "state", "depth", "last_blocking_move"])?;
    for id in (0..table.state_count()).filter(|&id| table.verdict(id) == Verdict::DeadEnd) {
        out.write_record([
            id.to_string(),
            table.one_line(id),
            table.depth(id).to_string(),
            last_blocking.words(table, id).unwrap_or_default(),
        ])?;
    }
    Ok(out.flush()?)
}

/// Writes `blocking-moves.csv`: `from,to,state,successor,depth,rule,move`; depth is that of
/// the state the move starts from.
pub fn blocking_moves(out: &mut dyn Write, table: &dyn Table) -> Result<(), Error> {
    let mut out = writer(out);
    out.write_record(["from", "to", "state", "successor", "depth", "rule", "move"])?;
    let mut transitions = Vec::new();
    for from in (0..table.state_count()).filter(|&id| table.verdict(id) == Verdict::Live) {
        table.transitions(from, &mut transitions);
        for step in transitions
            .iter()
            .filter(|t| is_blocking(table, from, t.to))
        {
            out.write_record([
                from.to_string(),
                step.to.to_string(),
                table.one_line(from),
                table.one_line(step.to),
                table.depth(from).to_string(),
                table.rule_name(step.by),
                table.move_name(step.by),
            ])?;
        }
    }
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, record, text_of};

    #[test]
    fn summaries_have_parameters_first() {
        let expected = "\
n,states,transitions,starts,goals,live,doomed,dead_ends,lost,blocking_moves,points_of_no_return,only_moves,shortest,shortest_solutions,max_depth,max_remoteness,first_dead_end_depth,window_cut_depth,graded,reversible,longest,plays
1,6,6,1,1,6,0,0,0,0,0,4,3,2,3,3,,,true,false,,
2,23,26,1,1,16,3,4,7,6,6,14,8,2,8,8,2,,true,false,,
";
        let records = [record(&Fake::frogs(1)), record(&Fake::frogs(2))];
        assert_eq!(text_of(|out| summaries(out, &records)), expected);
    }

    #[test]
    fn depths_agree_with_the_published_table() {
        let expected = "\
n,depth,states,live,doomed,dead_ends,goals,blocking_moves
2,0,1,1,0,0,0,0
2,1,2,2,0,0,0,2
2,2,4,2,0,2,0,2
2,3,3,2,1,0,0,0
2,4,4,2,2,0,0,2
2,5,4,2,0,2,0,0
2,6,2,2,0,0,0,0
2,7,2,2,0,0,0,0
2,8,1,1,0,0,1,0
";
        let record = record(&Fake::frogs(2));
        let text = text_of(|out| {
            depths_head(out, &record.params)?;
            depths_rows(out, &record)
        });
        assert_eq!(text, expected, "\n{text}");
    }

    fn check(write: fn(&mut dyn Write, &dyn Table) -> Result<(), Error>, expected: &str) {
        let text = text_of(|out| write(out, &Fake::frogs(1)));
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn states_are_listed_by_number() {
        check(
            states,
            "\
id,state,depth,remoteness,verdict,out_degree,best_successor
0,F.T,0,3,live,2,1
1,.FT,1,2,live,1,4
2,FT.,1,2,live,1,3
3,.TF,2,1,live,1,5
4,TF.,2,1,live,1,5
5,T.F,3,0,live,0,
",
        );
    }

    #[test]
    fn transitions_are_listed_by_number() {
        check(
            transitions,
            "\
from,to,move,blocking
0,1,step 1 2,0
0,2,step 3 2,0
1,4,jump 3 1,0
2,3,jump 1 3,0
3,5,step 2 1,0
4,5,step 2 3,0
",
        );
    }

    #[test]
    fn where_play_gets_stuck() {
        let expected = "\
id,state,depth,last_blocking_move
3,.FFTT,2,step 1 2 from F.FTT
5,FFTT.,2,step 5 4 from FFT.T
15,FTT.F,5,step 4 3 from FT.TF
16,T.FFT,5,step 3 2 from F.TFT
";
        assert_eq!(text_of(|out| dead_ends(out, &Fake::frogs(2))), expected);
        let expected = "\
from,to,state,successor,depth,rule,move
1,3,F.FTT,.FFTT,1,step,step 1 2
2,5,FFT.T,FFTT.,1,step,step 5 4
4,8,F.TFT,FT.FT,2,step,step 3 2
6,8,FTF.T,FT.FT,2,step,step 3 4
11,15,FT.TF,FTT.F,4,step,step 4 3
13,16,TF.FT,T.FFT,4,step,step 2 3
";
        assert_eq!(
            text_of(|out| blocking_moves(out, &Fake::frogs(2))),
            expected
        );
    }

    #[test]
    fn a_lost_start_has_no_blocking_move() {
        let lost = Fake::search(1, &["TF.".to_owned(), "FT.".to_owned()], "F.T");
        let expected = "id,state,depth,last_blocking_move\n3,T.F,1,\n";
        assert_eq!(text_of(|out| dead_ends(out, &lost)), expected);
    }
}
