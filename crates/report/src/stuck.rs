//! Where play gets stuck: lost states by depth, blocking moves by rule and by move, dead ends.

use std::collections::BTreeMap;
use std::io::Write;

use impasse_analysis::inquiry::{MoveCounts, MoveTally};
use impasse_analysis::run::{Table, Verdict};
use impasse_model::puzzle::Move;
use serde_json::{Map, Value, json};

use crate::error::Error;
use crate::grid::{Grid, Layout};
use crate::json::{self, heading};
use crate::lists::place;
use crate::numbers::{count_for_people, grouped};
use crate::paths::LastBlocking;
use crate::record::Record;
use crate::rows::is_blocking;

/// The schema of [`object`].
pub const STUCK_SCHEMA: &str = "impasse.stuck/1";

/// How often a rule, or a move, was made from live states, and how often it lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The rule or the move in words.
    pub name: String,
    /// Blocking moves.
    pub blocking: u64,
    /// Transitions from live states.
    pub from_live: u64,
    /// Doomed states whose shortest way (that of [`LastBlocking`]) was lost by it; `None` where that
    /// was not found out.
    pub doomed: Option<u64>,
    /// Dead ends whose shortest way was lost by it.
    pub dead_ends: Option<u64>,
}

impl Tally {
    /// The counts, in the order of the columns [`TALLY_COLUMNS`].
    #[must_use]
    pub fn counts(&self) -> [Option<u64>; 4] {
        let (blocking, from_live) = (Some(self.blocking), Some(self.from_live));
        [blocking, from_live, self.doomed, self.dead_ends]
    }

    fn none(name: String) -> Self {
        Self {
            name,
            doomed: Some(0),
            dead_ends: Some(0),
            ..Self::default()
        }
    }

    fn add(&mut self, other: &MoveCounts) {
        let sum = |a: Option<u64>, b: Option<u64>| Some(a? + b?);
        self.blocking += other.blocking;
        self.from_live += other.from_live;
        self.doomed = sum(self.doomed, other.doomed);
        self.dead_ends = sum(self.dead_ends, other.dead_ends);
    }
}

/// The names of what a [`Tally`] counts.
pub const TALLY_COLUMNS: [&str; 4] = ["blocking_moves", "from_live", "doomed", "dead_ends"];

/// Blocking moves, counted; a transition counts for the first move in rule order that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockingMoves {
    /// By rule, in the order of the rules; only rules that were made from a live state.
    pub by_rule: Vec<Tally>,
    /// By placed move, in the same order.
    pub by_move: Vec<Tally>,
    /// The same, rule and place apart.
    pub by_place: Vec<Placed>,
}

/// The counts of one placed move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The rule.
    pub rule: String,
    /// Where: the move without its rule.
    pub place: String,
    /// The counts.
    pub tally: Tally,
}

impl BlockingMoves {
    /// Counts in one pass over all transitions; a lost state counts for the blocking move on the
    /// shortest way to it, none where the start was lost already.
    #[must_use]
    pub fn of(table: &dyn Table) -> Self {
        let none = MoveCounts {
            doomed: Some(0),
            dead_ends: Some(0),
            ..MoveCounts::default()
        };
        let mut counts: BTreeMap<Move, MoveCounts> = BTreeMap::new();
        let mut transitions = Vec::new();
        for from in (0..table.state_count()).filter(|&id| table.verdict(id) == Verdict::Live) {
            table.transitions(from, &mut transitions);
            for step in &transitions {
                let counts = counts.entry(step.by).or_insert(none);
                counts.blocking += u64::from(is_blocking(table, from, step.to));
                counts.from_live += 1;
            }
        }
        for (mv, [doomed, dead_ends]) in blame(table) {
            let counts = counts.entry(mv).or_insert(none);
            counts.doomed = Some(doomed);
            counts.dead_ends = Some(dead_ends);
        }
        let tallies = counts.into_iter().map(|(by, counts)| MoveTally {
            by,
            rule: table.rule_name(by),
            name: table.move_name(by),
            counts,
        });
        Self::of_moves(&tallies.collect::<Vec<_>>())
    }

    /// Adds up the counts of moves, which come in rule order.
    #[must_use]
    pub fn of_moves(moves: &[MoveTally]) -> Self {
        Self {
            by_rule: by_name(moves, |tally| &tally.rule),
            by_move: by_name(moves, |tally| &tally.name),
            by_place: by_place(moves),
        }
    }
}

/// Adds up the moves of one name.
fn by_place(moves: &[MoveTally]) -> Vec<Placed> {
    let mut sums: Vec<Placed> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for tally in moves {
        let next = sums.len();
        let at = *known.entry(&tally.name).or_insert(next);
        if at == next {
            sums.push(Placed {
                rule: tally.rule.clone(),
                place: place(&tally.name, &tally.rule),
                tally: Tally::none(tally.name.clone()),
            });
        }
        sums[at].tally.add(&tally.counts);
    }
    sums
}

/// By move, the doomed states and the dead ends whose shortest way it lost.
fn blame(table: &dyn Table) -> BTreeMap<Move, [u64; 2]> {
    let last_blocking = LastBlocking::of(table);
    let mut by_loss: BTreeMap<u32, [u64; 2]> = BTreeMap::new();
    for id in 0..table.state_count() {
        let Some(loss) = last_blocking.loss(id) else {
            continue;
        };
        let [doomed, dead_ends] = by_loss.entry(loss).or_default();
        match table.verdict(id) {
            Verdict::DeadEnd => *dead_ends += 1,
            Verdict::Doomed => *doomed += 1,
            Verdict::Live => {}
        }
    }
    let mut by_move: BTreeMap<Move, [u64; 2]> = BTreeMap::new();
    for (loss, counts) in by_loss {
        if let Some((_, step)) = last_blocking.before(table, loss) {
            let sums = by_move.entry(step.by).or_default();
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
        }
    }
    by_move
}

/// Adds up tallies of one name, in order of first mention.
fn by_name<'a>(moves: &'a [MoveTally], name: impl Fn(&'a MoveTally) -> &'a str) -> Vec<Tally> {
    let mut sums: Vec<Tally> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for tally in moves {
        let name = name(tally);
        let at = *places.entry(name).or_insert(sums.len());
        if at == sums.len() {
            sums.push(Tally::none(name.to_owned()));
        }
        sums[at].add(&tally.counts);
    }
    sums
}

/// Writes, for each depth with lost states or blocking moves, how many.
///
/// # Errors
/// Those of `out`.
pub fn by_depth(out: &mut dyn Write, record: &Record, layout: Layout) -> Result<(), Error> {
    let columns = ["depth", "states", "doomed", "dead_ends", "blocking_moves"];
    let mut grid = Grid::with_columns(&[], &columns);
    for (depth, row) in record.depths.iter().enumerate() {
        let counts = [row.doomed, row.dead_ends, row.blocking_moves];
        if counts.iter().any(|&count| count != Some(0)) {
            let head = [depth.to_string(), grouped(&row.states)];
            grid.row(head.into_iter().chain(counts.map(count_for_people)));
        }
    }
    Ok(grid.write(out, layout, None)?)
}

/// Writes tallies as a table whose first column is called `what` (`rule` or `move`).
///
/// # Errors
/// Those of `out`.
pub fn tallies(
    out: &mut dyn Write,
    what: &str,
    tallies: &[Tally],
    layout: Layout,
) -> Result<(), Error> {
    let mut grid = Grid::with_columns(&[what], &TALLY_COLUMNS);
    for tally in tallies {
        let counts = tally.counts().map(count_for_people);
        grid.row([tally.name.clone()].into_iter().chain(counts));
    }
    Ok(grid.write(out, layout, None)?)
}

/// Writes the dead ends, each with the last blocking move on a shortest path to it, as in
/// [`rows::dead_ends`](crate::rows::dead_ends); at most `limit` of them. Returns how many there
/// are in all.
///
/// # Errors
/// Those of `out`.
pub fn dead_ends(
    out: &mut dyn Write,
    table: &dyn Table,
    layout: Layout,
    limit: usize,
) -> Result<usize, Error> {
    let last_blocking = LastBlocking::of(table);
    let all = || (0..table.state_count()).filter(|&id| table.verdict(id) == Verdict::DeadEnd);
    let mut grid = Grid::with_columns(&["state"], &["depth"]);
    grid.words("last_blocking_move");
    for id in all().take(limit) {
        let words = last_blocking
            .words(table, id)
            .unwrap_or_else(|| "-".to_owned());
        grid.row([table.one_line(id), table.depth(id).to_string(), words]);
    }
    grid.write(out, layout, None)?;
    Ok(all().count())
}

/// An object with all of this but the list of dead ends: heading, totals, `by_depth`, and, where
/// the run kept its states, `by_rule` and `by_move`.
#[must_use]
pub fn object(record: &Record, counts: Option<&BlockingMoves>) -> Map<String, Value> {
    let mut object = heading(STUCK_SCHEMA, record);
    let figures = json::figures(record);
    for key in [
        "doomed",
        "dead_ends",
        "blocking_moves",
        "first_dead_end_depth",
    ] {
        object.insert(key.to_owned(), figures[key].clone());
    }
    let by_depth = record.depths.iter().enumerate().map(|(depth, row)| {
        json!({
            "depth": depth,
            "states": row.states,
            "doomed": row.doomed,
            "dead_ends": row.dead_ends,
            "blocking_moves": row.blocking_moves,
        })
    });
    object.insert("by_depth".to_owned(), by_depth.collect());
    let list = |what: &str, tallies: &[Tally]| {
        let item = |tally: &Tally| {
            let mut item = Map::new();
            item.insert(what.to_owned(), json!(tally.name));
            for (column, count) in TALLY_COLUMNS.iter().zip(tally.counts()) {
                item.insert((*column).to_owned(), json!(count));
            }
            Value::Object(item)
        };
        tallies.iter().map(item).collect::<Value>()
    };
    let by_rule = counts.map_or(Value::Null, |counts| list("rule", &counts.by_rule));
    let by_move = counts.map_or(Value::Null, |counts| list("move", &counts.by_move));
    object.insert("by_rule".to_owned(), by_rule);
    object.insert("by_move".to_owned(), by_move);
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, record, text_of};

    #[test]
    fn lost_states_by_depth() {
        let expected = "\
depth  states  doomed  dead_ends  blocking_moves
    1       2       0          0               2
    2       4       0          2               2
    3       3       1          0               0
    4       4       2          0               2
    5       4       0          2               0
";
        let text = text_of(|out| by_depth(out, &record(&Fake::frogs(2)), Layout::Text));
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn blocking_moves_by_rule_and_move() {
        let counts = BlockingMoves::of(&Fake::frogs(2));
        let expected = "\
rule  blocking_moves  from_live  doomed  dead_ends
jump               0          8       0          0
step               6         14       3          4
";
        let text = text_of(|out| tallies(out, "rule", &counts.by_rule, Layout::Text));
        assert_eq!(text, expected, "\n{text}");
        let names = |tally: &Tally| {
            (
                tally.name.clone(),
                tally.counts().map(Option::unwrap_or_default),
            )
        };
        let blaming: Vec<(String, [u64; 4])> = counts.by_move.iter().map(names).collect();
        let blaming = blaming.iter().filter(|(_, counts)| counts[0] > 0);
        let blaming: Vec<(&str, [u64; 4])> = blaming.map(|(n, c)| (n.as_str(), *c)).collect();
        // FT.FT is reached both ways; its shortest way comes from the lower number, F.TFT, and so do
        // those of .TFFT, FTTF. and T.FFT behind it.
        assert_eq!(
            blaming,
            [
                ("step 1 2", [1, 2, 0, 1]),
                ("step 2 3", [1, 2, 0, 0]),
                ("step 3 2", [1, 2, 3, 1]),
                ("step 3 4", [1, 2, 0, 0]),
                ("step 4 3", [1, 2, 0, 1]),
                ("step 5 4", [1, 2, 0, 1]),
            ]
        );
    }

    #[test]
    fn an_object_for_programs() {
        let fake = Fake::frogs(1);
        let object = object(&record(&fake), Some(&BlockingMoves::of(&fake)));
        let expected = concat!(
            r#"{"schema":"impasse.stuck/1","puzzle":"frogs","params":{"n":1},"scope":"exact","#,
            r#""doomed":0,"dead_ends":0,"blocking_moves":0,"first_dead_end_depth":null,"#,
            r#""by_depth":[{"depth":0,"states":1,"doomed":0,"dead_ends":0,"blocking_moves":0},"#,
            r#"{"depth":1,"states":2,"doomed":0,"dead_ends":0,"blocking_moves":0},"#,
            r#"{"depth":2,"states":2,"doomed":0,"dead_ends":0,"blocking_moves":0},"#,
            r#"{"depth":3,"states":1,"doomed":0,"dead_ends":0,"blocking_moves":0}],"#,
            r#""by_rule":[{"rule":"jump","blocking_moves":0,"from_live":2,"doomed":0,"dead_ends":0},"#,
            r#"{"rule":"step","blocking_moves":0,"from_live":4,"doomed":0,"dead_ends":0}],"by_move":["#,
        );
        let text = Value::Object(object).to_string();
        assert!(text.starts_with(expected), "{text}");
    }

    #[test]
    fn dead_ends_with_the_move_that_lost() {
        let expected = "\
state  depth  last_blocking_move
.FFTT      2  step 1 2 from F.FTT
FFTT.      2  step 5 4 from FFT.T
FTT.F      5  step 4 3 from FT.TF
";
        let text = text_of(|out| {
            let count = dead_ends(out, &Fake::frogs(2), Layout::Text, 3)?;
            assert_eq!(count, 4);
            Ok(())
        });
        assert_eq!(text, expected, "\n{text}");
    }
}
