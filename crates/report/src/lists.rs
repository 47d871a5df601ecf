//! Lists of where play gets stuck, one row a state, a move or a count, with fixed columns.
//!
//! As CSV all parameters stand before the columns, and the rows of several values follow each other
//! under one head.

use std::io::Write;

use impasse_analysis::blocking::{LostPlay, Rest, Rests, only_move};
use impasse_analysis::run::{Table, Verdict};
use impasse_analysis::summary::Summary;
use impasse_model::params::Params;
use serde_json::{Map, Value, json};

use crate::error::Error;
use crate::grid::{Grid, Layout};
use crate::json::heading;
use crate::numbers::grouped;
use crate::paths::LastBlocking;
use crate::record::Record;
use crate::rows::is_blocking;
use crate::stuck::{BlockingMoves, TALLY_COLUMNS, Tally};

/// The schema of [`object`].
pub const LIST_SCHEMA: &str = "impasse.stuck-list/1";

/// A list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Every blocking move.
    Boundary,
    /// Every lost state, with the moves that can still be made at most.
    Lost,
    /// Every dead end, with a shortest way to it and the blocking move on it.
    DeadEnds,
    /// Every live state with one live successor.
    OnlyMoves,
    /// Counts by depth.
    ByDepth,
    /// Counts by rule.
    ByRule,
    /// Counts by placed move.
    ByPlace,
    /// Lost states by the moves that can still be made at most.
    ByMovesLeft,
}

/// A cell of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cell {
    Word(String),
    Number(u64),
    Absent,
}

type Row = Vec<Cell>;

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Word(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Word(text.to_owned())
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<Option<u64>> for Cell {
    fn from(number: Option<u64>) -> Self {
        number.map_or(Self::Absent, Self::Number)
    }
}

impl Cell {
    fn for_files(&self) -> String {
        match self {
            Self::Word(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Absent => String::new(),
        }
    }

    fn for_people(&self) -> String {
        match self {
            Self::Word(text) => text.clone(),
            Self::Number(number) => grouped(number),
            Self::Absent => "-".to_owned(),
        }
    }

    fn for_programs(&self) -> Value {
        match self {
            Self::Word(text) => json!(text),
            Self::Number(number) => json!(number),
            Self::Absent => Value::Null,
        }
    }
}

impl List {
    /// The name by which users ask for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Boundary => "boundary",
            Self::Lost => "lost",
            Self::DeadEnds => "dead-ends",
            Self::OnlyMoves => "only-moves",
            Self::ByDepth => "by-depth",
            Self::ByRule => "by-rule",
            Self::ByPlace => "by-place",
            Self::ByMovesLeft => "by-moves-left",
        }
    }

    /// The names of its columns.
    #[must_use]
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Boundary => &[
                "from",
                "to",
                "state",
                "successor",
                "depth",
                "rule",
                "place",
                "verdict",
            ],
            Self::Lost => &["id", "state", "depth", "verdict", "moves_left"],
            Self::DeadEnds => &[
                "id",
                "state",
                "depth",
                "losing_step",
                "last_blocking_move",
                "way",
            ],
            Self::OnlyMoves => &[
                "id",
                "state",
                "depth",
                "remoteness",
                "move",
                "successor",
                "losing",
            ],
            Self::ByDepth => &["depth", "states", "doomed", "dead_ends", "blocking_moves"],
            Self::ByRule => &["rule", "blocking_moves", "from_live", "doomed", "dead_ends"],
            Self::ByPlace => &[
                "rule",
                "place",
                "blocking_moves",
                "from_live",
                "doomed",
                "dead_ends",
            ],
            Self::ByMovesLeft => &["moves_left", "lost"],
        }
    }

    /// How many rows it has, as far as the figures tell; `None` for lists that are never long.
    #[must_use]
    pub fn row_count(self, summary: &Summary) -> Option<u64> {
        match self {
            Self::Boundary => summary.blocking_moves,
            Self::Lost => summary.lost,
            Self::DeadEnds => summary.dead_ends,
            Self::OnlyMoves => summary.only_moves,
            Self::ByDepth | Self::ByRule | Self::ByPlace | Self::ByMovesLeft => None,
        }
    }

    /// Whether it can be made without the states one by one.
    #[must_use]
    pub fn needs_states(self) -> bool {
        self != Self::ByDepth
    }

    /// Calls `visit` with every row.
    fn each_row(
        self,
        record: &Record,
        source: Source<'_>,
        visit: &mut dyn FnMut(Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let table = match (self, source) {
            (Self::ByDepth, _) => return by_depth(record, visit),
            (_, Source::Counts) => return Ok(()),
            (_, Source::Moves(moves)) => return self.counts(moves, visit),
            (_, Source::Rests(rests)) => return by_moves_left(rests, visit),
            (Self::ByMovesLeft, Source::Table(table)) => {
                return by_moves_left(&LostPlay::of(table).rests(), visit);
            }
            (Self::ByRule | Self::ByPlace, Source::Table(table)) => {
                return self.counts(&BlockingMoves::of(table), visit);
            }
            (_, Source::Table(table)) => table,
        };
        match self {
            Self::Boundary => boundary(table, visit),
            Self::Lost => lost(table, visit),
            Self::DeadEnds => dead_ends(table, visit),
            Self::OnlyMoves => only_moves(table, visit),
            Self::ByDepth | Self::ByRule | Self::ByPlace | Self::ByMovesLeft => Ok(()),
        }
    }

    /// The rows of a list of counts by move.
    fn counts(
        self,
        moves: &BlockingMoves,
        visit: &mut dyn FnMut(Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self == Self::ByRule {
            let tallies = moves.by_rule.iter();
            return { tallies }.try_for_each(|tally| visit(counts(&[&tally.name], tally)));
        }
        let mut placed = moves.by_place.iter();
        placed.try_for_each(|placed| visit(counts(&[&placed.rule, &placed.place], &placed.tally)))
    }
}

/// What a list is made of.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// The figures alone: counts by depth.
    Counts,
    /// Counts by move.
    Moves(&'a BlockingMoves),
    /// Lost states by how long play can go on.
    Rests(&'a Rests),
    /// The states one by one; for some lists an excerpt of those that they are about.
    Table(&'a dyn Table),
}

fn counts(names: &[&str], tally: &Tally) -> Row {
    debug_assert_eq!(TALLY_COLUMNS.len(), tally.counts().len());
    let names = names.iter().map(|&name| name.into());
    names.chain(tally.counts().map(Cell::from)).collect()
}

/// Where a move is made: its name without its rule.
pub(crate) fn place(name: &str, rule: &str) -> String {
    let place = name.strip_prefix(rule).unwrap_or(name);
    place.trim_start().to_owned()
}

fn boundary(
    table: &dyn Table,
    visit: &mut dyn FnMut(Row) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut transitions = Vec::new();
    for from in (0..table.state_count()).filter(|&id| table.verdict(id) == Verdict::Live) {
        table.transitions(from, &mut transitions);
        for step in transitions
            .iter()
            .filter(|t| is_blocking(table, from, t.to))
        {
            visit(vec![
                table.number(from).into(),
                table.number(step.to).into(),
                table.one_line(from).into(),
                table.one_line(step.to).into(),
                table.depth(from).into(),
                table.rule_name(step.by).into(),
                place(&table.move_name(step.by), &table.rule_name(step.by)).into(),
                table.verdict(step.to).word().into(),
            ])?;
        }
    }
    Ok(())
}

fn lost(table: &dyn Table, visit: &mut dyn FnMut(Row) -> Result<(), Error>) -> Result<(), Error> {
    let play = LostPlay::of(table);
    for id in 0..table.state_count() {
        let left = match play.rest(id) {
            None => continue,
            Some(Rest::Moves(moves)) => moves.into(),
            Some(Rest::Endless) => "endless".into(),
        };
        visit(vec![
            table.number(id).into(),
            table.one_line(id).into(),
            table.depth(id).into(),
            table.verdict(id).word().into(),
            left,
        ])?;
    }
    Ok(())
}

fn dead_ends(
    table: &dyn Table,
    visit: &mut dyn FnMut(Row) -> Result<(), Error>,
) -> Result<(), Error> {
    let paths = LastBlocking::of(table);
    for id in (0..table.state_count()).filter(|&id| table.verdict(id) == Verdict::DeadEnd) {
        let way = paths.way(table, id);
        let losing = way
            .iter()
            .position(|&(from, step)| is_blocking(table, from, step.to));
        let moves: Vec<String> = way
            .iter()
            .map(|(_, step)| table.move_name(step.by))
            .collect();
        visit(vec![
            table.number(id).into(),
            table.one_line(id).into(),
            table.depth(id).into(),
            losing.map(|step| step as u64 + 1).into(),
            paths.words(table, id).map_or(Cell::Absent, Cell::Word),
            moves.join("; ").into(),
        ])?;
    }
    Ok(())
}

fn only_moves(
    table: &dyn Table,
    visit: &mut dyn FnMut(Row) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut transitions = Vec::new();
    for id in 0..table.state_count() {
        let Some(only) = only_move(table, id, &mut transitions) else {
            continue;
        };
        visit(vec![
            table.number(id).into(),
            table.one_line(id).into(),
            table.depth(id).into(),
            table.remoteness(id).map(u64::from).into(),
            table.move_name(only.by).into(),
            table.one_line(only.to).into(),
            Cell::Number(transitions.len() as u64 - 1),
        ])?;
    }
    Ok(())
}

fn by_depth(record: &Record, visit: &mut dyn FnMut(Row) -> Result<(), Error>) -> Result<(), Error> {
    for (depth, row) in record.depths.iter().enumerate() {
        let counts = [row.doomed, row.dead_ends, row.blocking_moves];
        let head = [Cell::Number(depth as u64), Cell::Number(row.states)];
        visit(head.into_iter().chain(counts.map(Cell::from)).collect())?;
    }
    Ok(())
}

fn by_moves_left(
    rests: &Rests,
    visit: &mut dyn FnMut(Row) -> Result<(), Error>,
) -> Result<(), Error> {
    for (moves, &lost) in rests.moves.iter().enumerate() {
        visit(vec![Cell::Number(moves as u64), lost.into()])?;
    }
    match rests.endless {
        0 => Ok(()),
        lost => visit(vec!["endless".into(), lost.into()]),
    }
}

/// Writes the head of a list as CSV: all parameters, then the columns.
///
/// # Errors
/// Those of `out`.
pub fn csv_head(out: &mut dyn Write, list: List, params: &Params) -> Result<(), Error> {
    let mut out = csv::Writer::from_writer(out);
    let names = params.0.iter().map(|(name, _)| name.as_str());
    out.write_record(names.chain(list.columns().iter().copied()))?;
    Ok(out.flush()?)
}

/// Writes the rows of one value as CSV.
///
/// # Errors
/// Those of `out`.
pub fn csv_rows(
    out: &mut dyn Write,
    list: List,
    record: &Record,
    source: Source<'_>,
) -> Result<(), Error> {
    let mut out = csv::Writer::from_writer(out);
    let values: Vec<String> = record
        .params
        .0
        .iter()
        .map(|(_, value)| value.to_string())
        .collect();
    list.each_row(record, source, &mut |row| {
        let cells = row.iter().map(Cell::for_files);
        Ok(out.write_record(values.iter().cloned().chain(cells))?)
    })?;
    Ok(out.flush()?)
}

/// Writes a list as a table of text.
///
/// # Errors
/// Those of `out`.
pub fn text(
    out: &mut dyn Write,
    list: List,
    record: &Record,
    source: Source<'_>,
) -> Result<(), Error> {
    let mut rows = Vec::new();
    list.each_row(record, source, &mut |row| {
        rows.push(row);
        Ok(())
    })?;
    let words = |column: usize| rows.iter().any(|row| matches!(row[column], Cell::Word(_)));
    let mut grid = Grid::default();
    for (column, name) in list.columns().iter().enumerate() {
        if words(column) {
            grid.words(name);
        } else {
            grid.numbers(name);
        }
    }
    for row in &rows {
        grid.row(row.iter().map(Cell::for_people));
    }
    Ok(grid.write(out, Layout::Text, None)?)
}

/// A list as an object: heading, `list`, and `rows`, one object a row.
///
/// # Errors
/// None of its own.
pub fn object(list: List, record: &Record, source: Source<'_>) -> Result<Value, Error> {
    let mut rows = Vec::new();
    list.each_row(record, source, &mut |row| {
        let names = list.columns().iter().map(|&name| name.to_owned());
        let cells = row.iter().map(Cell::for_programs);
        rows.push(Value::Object(names.zip(cells).collect::<Map<_, _>>()));
        Ok(())
    })?;
    let mut object = heading(LIST_SCHEMA, record);
    object.insert("list".to_owned(), json!(list.name()));
    object.insert("rows".to_owned(), Value::Array(rows));
    Ok(Value::Object(object))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, record, text_of};

    fn check(list: List, expected: &str) {
        let fake = Fake::frogs(2);
        let record = record(&fake);
        let text = text_of(|out| {
            csv_head(out, list, &record.params)?;
            csv_rows(out, list, &record, Source::Table(&fake))
        });
        assert_eq!(text, expected, "\n{text}");
        if let Some(rows) = list.row_count(&record.summary) {
            assert_eq!(rows, expected.lines().count() as u64 - 1);
        }
    }

    #[test]
    fn blocking_moves_with_state_rule_and_place() {
        check(
            List::Boundary,
            "\
n,from,to,state,successor,depth,rule,place,verdict
2,1,3,F.FTT,.FFTT,1,step,1 2,dead end
2,2,5,FFT.T,FFTT.,1,step,5 4,dead end
2,4,8,F.TFT,FT.FT,2,step,3 2,doomed
2,6,8,FTF.T,FT.FT,2,step,3 4,doomed
2,11,15,FT.TF,FTT.F,4,step,4 3,dead end
2,13,16,TF.FT,T.FFT,4,step,2 3,dead end
",
        );
    }

    #[test]
    fn lost_states_with_the_moves_left() {
        check(
            List::Lost,
            "\
n,id,state,depth,verdict,moves_left
2,3,.FFTT,2,dead end,0
2,5,FFTT.,2,dead end,0
2,8,FT.FT,3,doomed,2
2,10,.TFFT,4,doomed,1
2,12,FTTF.,4,doomed,1
2,15,FTT.F,5,dead end,0
2,16,T.FFT,5,dead end,0
",
        );
    }

    #[test]
    fn dead_ends_with_a_shortest_way() {
        check(
            List::DeadEnds,
            "\
n,id,state,depth,losing_step,last_blocking_move,way
2,3,.FFTT,2,2,step 1 2 from F.FTT,step 2 3; step 1 2
2,5,FFTT.,2,2,step 5 4 from FFT.T,step 4 3; step 5 4
2,15,FTT.F,5,5,step 4 3 from FT.TF,step 2 3; jump 4 2; step 5 4; jump 3 5; step 4 3
2,16,T.FFT,5,3,step 3 2 from F.TFT,step 4 3; jump 2 4; step 3 2; jump 1 3; step 2 1
",
        );
    }

    #[test]
    fn counts_by_place() {
        check(
            List::ByRule,
            "n,rule,blocking_moves,from_live,doomed,dead_ends\n2,jump,0,8,0,0\n2,step,6,14,3,4\n",
        );
    }

    #[test]
    fn counts_by_the_moves_left() {
        check(
            List::ByMovesLeft,
            "n,moves_left,lost\n2,0,4\n2,1,2\n2,2,1\n",
        );
        let rests = Rests {
            moves: vec![5],
            endless: 7,
        };
        let record = record(&Fake::frogs(2));
        let source = Source::Rests(&rests);
        let text = text_of(|out| csv_rows(out, List::ByMovesLeft, &record, source));
        assert_eq!(text, "2,0,5\n2,endless,7\n");
        let text = text_of(|out| super::text(out, List::ByMovesLeft, &record, source));
        assert_eq!(
            text,
            "moves_left  lost\n0              5\nendless        7\n"
        );
    }

    #[test]
    fn counts_by_depth_need_no_states() {
        let record = record(&Fake::frogs(2));
        let text = text_of(|out| csv_rows(out, List::ByDepth, &record, Source::Counts));
        assert_eq!(text.lines().count(), 9);
        assert_eq!(text.lines().nth(2), Some("2,2,4,0,2,2"));
    }

    #[test]
    fn an_object_for_programs() {
        let fake = Fake::frogs(1);
        let object =
            object(List::OnlyMoves, &record(&fake), Source::Table(&fake)).expect("no output");
        let expected = concat!(
            r#"{"schema":"impasse.stuck-list/1","puzzle":"frogs","params":{"n":1},"scope":"exact","list":"only-moves","#,
            r#""rows":[{"id":1,"state":".FT","depth":1,"remoteness":2,"move":"jump 3 1","successor":"TF.","losing":0},"#,
        );
        assert!(object.to_string().starts_with(expected), "{object}");
    }
}
