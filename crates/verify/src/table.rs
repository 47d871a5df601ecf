//! The files of one parameter value, checked against the rules, state by state.

use std::path::Path;

use impasse_model::instance::Instance;

use crate::drawing::read;
use crate::error::CheckError;
use crate::published::FileNote;
use crate::sheet::Sheet;
use crate::slow::State;
use crate::states::{Row, Table};

/// Checks the four files of a folder and returns its states as the rules have them.
///
/// Depths, remoteness and verdicts are checked locally, which is enough: a start has depth 0, every
/// other state a predecessor of one less and none of still less; a goal has remoteness 0, every
/// other state one more than its best successor, or none.
///
/// `state_count` is what the summary says; a file that ends early and is shorter than noted is cut
/// off, not wrong.
pub(crate) fn check_value(
    instance: &Instance,
    folder: &Path,
    files: &[FileNote],
    state_count: Option<usize>,
) -> Result<Vec<State>, CheckError> {
    let open = |name: &str, columns: &[&str]| Sheet::noted(folder, files, name, columns);
    let table = Table::read(instance, open, state_count)?;
    let parents = parents(&table)?;
    for id in 0..table.rows.len() {
        check_state(&table, id).map_err(|what| wrong(&table, id, what))?;
    }
    let columns = ["from", "to", "move", "blocking"];
    check_transitions(instance, &table, open("transitions.csv", &columns)?)?;
    let columns = ["id", "state", "depth", "last_blocking_move"];
    check_dead_ends(instance, &table, &parents, open("dead-ends.csv", &columns)?)?;
    let columns = ["from", "to", "state", "successor", "depth", "rule", "move"];
    check_blocking_moves(instance, &table, open("blocking-moves.csv", &columns)?)?;
    Ok(table.rows.into_iter().map(|row| row.state).collect())
}

fn wrong(table: &Table, id: usize, what: String) -> CheckError {
    CheckError::wrong(&table.path, Some(id as u64 + 1), what)
}

/// For each state its least-numbered predecessor one layer above; checks depths on the way.
fn parents(table: &Table) -> Result<Vec<Option<usize>>, CheckError> {
    let mut parents = vec![None; table.rows.len()];
    for (from, row) in table.rows.iter().enumerate() {
        let next = row.state.depth + 1;
        for &(to, _) in &row.state.successors {
            let depth = table.rows[to].state.depth;
            if depth > next {
                let what = format!(
                    "depth is {depth}, but state {from} of depth {} leads to it",
                    next - 1
                );
                return Err(wrong(table, to, what));
            }
            if depth == next {
                parents[to] = parents[to].or(Some(from));
            }
        }
    }
    for (id, row) in table.rows.iter().enumerate() {
        let depth = row.state.depth;
        if depth > 0 && parents[id].is_none() {
            let what = format!(
                "depth is {depth}, but no state of depth {} leads to it",
                depth - 1
            );
            return Err(wrong(table, id, what));
        }
    }
    Ok(parents)
}

fn check_state(table: &Table, id: usize) -> Result<(), String> {
    let row = &table.rows[id];
    check_remoteness(table, row)?;
    if row.verdict != verdict(&row.state) {
        return Err(format!(
            "verdict is {}, but the state is {}",
            row.verdict,
            verdict(&row.state)
        ));
    }
    let successor_count = row.state.successors.len();
    if row.out_degree as usize != successor_count {
        return Err(format!(
            "out_degree is {}, but the state has {successor_count} successors",
            row.out_degree
        ));
    }
    let best = best_successor(table, &row.state);
    if row.best_successor != best {
        let (said, found) = (or_none(row.best_successor), or_none(best));
        return Err(format!("best_successor is {said}, expected {found}"));
    }
    Ok(())
}

fn check_remoteness(table: &Table, row: &Row) -> Result<(), String> {
    let lowest = row
        .state
        .successors
        .iter()
        .filter_map(|&(to, _)| table.rows[to].state.remoteness)
        .min();
    let said = row.state.remoteness;
    let expected = if row.state.is_goal {
        Some(0)
    } else {
        lowest.map(|lowest| lowest + 1)
    };
    if said == expected {
        return Ok(());
    }
    let said = or_none(said);
    Err(match lowest {
        _ if row.state.is_goal => format!("remoteness is {said}, but the state is a goal"),
        Some(lowest) => format!(
            "remoteness is {said}, but the lowest remoteness among its successors is {lowest}"
        ),
        None => format!(
            "remoteness is {said}, but the state is no goal and no successor has a remoteness"
        ),
    })
}

fn or_none(number: Option<u32>) -> String {
    number.map_or_else(|| "none".to_owned(), |n| n.to_string())
}

/// The verdict that belongs to a remoteness.
pub(crate) fn verdict(state: &State) -> &'static str {
    match state.is_live() {
        true => "live",
        false if state.successors.is_empty() => "dead end",
        false => "doomed",
    }
}

/// The successor of least number whose remoteness is one less.
fn best_successor(table: &Table, state: &State) -> Option<u32> {
    let wanted = state.remoteness?.checked_sub(1)?;
    let next = state.successors.iter().map(|&(to, _)| to);
    next.filter(|&to| table.rows[to].state.remoteness == Some(wanted))
        .min()
        .map(|to| to as u32)
}

fn is_blocking(table: &Table, from: usize, to: usize) -> bool {
    table.rows[from].state.is_live() && !table.rows[to].state.is_live()
}

/// Every transition of the rules, in order, with the rule that makes it.
fn transitions(table: &Table) -> impl Iterator<Item = (usize, usize, usize)> {
    table.rows.iter().enumerate().flat_map(|(from, row)| {
        row.state
            .successors
            .iter()
            .map(move |&(to, rule)| (from, to, rule))
    })
}

fn check_transitions(
    instance: &Instance,
    table: &Table,
    mut sheet: Sheet,
) -> Result<(), CheckError> {
    for (from, to, rule) in transitions(table) {
        expect_row(&mut sheet, &format!("the transition from {from} to {to}"))?;
        expect_pair(&sheet, from, to)?;
        check_move(instance, &sheet, 2, rule)?;
        let blocking = if is_blocking(table, from, to) {
            "1"
        } else {
            "0"
        };
        if sheet.text(3) != blocking {
            return Err(sheet.wrong(format!(
                "blocking is {}, expected {blocking}",
                sheet.text(3)
            )));
        }
    }
    expect_end(&mut sheet, "transition")
}

fn expect_row(sheet: &mut Sheet, what: &str) -> Result<(), CheckError> {
    if sheet.next()? {
        return Ok(());
    }
    Err(sheet.ends_early(&format!("{what} is missing at the end")))
}

fn expect_end(sheet: &mut Sheet, what: &str) -> Result<(), CheckError> {
    if sheet.next()? {
        Err(sheet.wrong(format!("there is no such {what}")))
    } else {
        Ok(())
    }
}

/// Fails unless the row begins with these two numbers.
fn expect_pair(sheet: &Sheet, from: usize, to: usize) -> Result<(), CheckError> {
    let found = (sheet.number(0)? as usize, sheet.number(1)? as usize);
    if found == (from, to) {
        return Ok(());
    }
    Err(sheet.wrong(format!(
        "goes from {} to {}, but the next transition by the rules goes from {from} to {to}",
        found.0, found.1
    )))
}

/// The move is named after the first rule that makes it; what follows the name is its place.
fn check_move(
    instance: &Instance,
    sheet: &Sheet,
    column: usize,
    rule: usize,
) -> Result<(), CheckError> {
    let name = &instance.rules[rule].name;
    let place = sheet.text(column).strip_prefix(name.as_str());
    if place.is_some_and(|place| place.is_empty() || place.starts_with(' ')) {
        return Ok(());
    }
    let said = sheet.text(column);
    Err(sheet.wrong(format!(
        "the move is `{said}`, but the first rule that makes it is `{name}`"
    )))
}

/// Fails unless a cell draws the state of this number.
fn expect_state(
    instance: &Instance,
    table: &Table,
    sheet: &Sheet,
    column: usize,
    id: usize,
) -> Result<(), CheckError> {
    let text = sheet.text(column);
    let found = read(instance, text).and_then(|position| table.id(&position));
    if found == Some(id as u32) {
        return Ok(());
    }
    Err(sheet.wrong(format!("`{text}` is not state {id}")))
}

fn expect_number(sheet: &Sheet, column: usize, name: &str, number: u32) -> Result<(), CheckError> {
    let said = sheet.number(column)?;
    if said == number {
        return Ok(());
    }
    Err(sheet.wrong(format!("{name} is {said}, expected {number}")))
}

fn check_dead_ends(
    instance: &Instance,
    table: &Table,
    parents: &[Option<usize>],
    mut sheet: Sheet,
) -> Result<(), CheckError> {
    for (id, row) in table
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.state.is_dead_end())
    {
        expect_row(&mut sheet, &format!("the dead end {id}"))?;
        expect_number(&sheet, 0, "id", id as u32)?;
        expect_state(instance, table, &sheet, 1, id)?;
        expect_number(&sheet, 2, "depth", row.state.depth)?;
        check_last_blocking(instance, table, &sheet, last_blocking(table, parents, id))?;
    }
    expect_end(&mut sheet, "dead end")
}

/// The last blocking move on the shortest path that comes from the least-numbered predecessors.
fn last_blocking(table: &Table, parents: &[Option<usize>], id: usize) -> Option<(usize, usize)> {
    let mut to = id;
    loop {
        let from = parents[to]?;
        if is_blocking(table, from, to) {
            return Some((from, to));
        }
        to = from;
    }
}

/// The cell says `MOVE from STATE`, or nothing.
fn check_last_blocking(
    instance: &Instance,
    table: &Table,
    sheet: &Sheet,
    last: Option<(usize, usize)>,
) -> Result<(), CheckError> {
    let said = sheet.text(3);
    let Some((from, to)) = last else {
        if said.is_empty() {
            return Ok(());
        }
        return Err(sheet.wrong("has a last blocking move, but the start was lost already"));
    };
    let state = said
        .rsplit_once(" from ")
        .and_then(|(_, state)| read(instance, state));
    if state.and_then(|position| table.id(&position)) != Some(from as u32) {
        return Err(sheet.wrong(format!(
            "last_blocking_move is `{said}`, but the last one on a shortest path goes from state {from} to {to}"
        )));
    }
    let successors = &table.rows[from].state.successors;
    let rule = successors
        .iter()
        .find(|(successor, _)| *successor == to)
        .map(|&(_, rule)| rule);
    check_move(
        instance,
        sheet,
        3,
        rule.expect("a parent leads to its child"),
    )
}

fn check_blocking_moves(
    instance: &Instance,
    table: &Table,
    mut sheet: Sheet,
) -> Result<(), CheckError> {
    for (from, to, rule) in transitions(table).filter(|&(from, to, _)| is_blocking(table, from, to))
    {
        expect_row(
            &mut sheet,
            &format!("the blocking move from {from} to {to}"),
        )?;
        expect_pair(&sheet, from, to)?;
        expect_state(instance, table, &sheet, 2, from)?;
        expect_state(instance, table, &sheet, 3, to)?;
        expect_number(&sheet, 4, "depth", table.rows[from].state.depth)?;
        if sheet.text(5) != instance.rules[rule].name {
            let (said, name) = (sheet.text(5), &instance.rules[rule].name);
            return Err(sheet.wrong(format!("the rule is `{said}`, expected `{name}`")));
        }
        check_move(instance, &sheet, 6, rule)?;
    }
    expect_end(&mut sheet, "blocking move")
}
