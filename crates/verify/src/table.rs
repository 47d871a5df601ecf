//! The files of one parameter value, checked against the rules, row by row.

use std::collections::HashMap;
use std::path::Path;

use impasse_model::fault::Fault;
use impasse_model::instance::{Instance, Position};

use crate::drawing::{one_line, read};
use crate::error::CheckError;
use crate::moves::{NamedMove, named_moves};
use crate::published::FileNote;
use crate::sheet::Sheet;
use crate::slow::State;
use crate::states::{self, Open, Table, position, state_text};

/// Checks the four files of a folder and returns its states as the rules have them.
///
/// The table lends its positions and their numbers; their successors, depths, remotenesses and
/// verdicts are found anew, and then every cell of every file is compared with them.
pub(crate) fn check_value(
    instance: &Instance,
    folder: &Path,
    files: &[FileNote],
    state_count: Option<u64>,
) -> Result<Vec<State>, CheckError> {
    let open = |name: &str, columns: &[&str]| Sheet::noted(folder, files, name, columns);
    let open_states = || open("states.csv", &states::COLUMNS);
    let table = Table::read(instance, &open_states, state_count)?;
    table.check(instance, open_states()?)?;
    let columns = ["from", "to", "move", "blocking"];
    let blocking = check_transitions(
        instance,
        &table,
        open_states()?,
        open("transitions.csv", &columns)?,
    )?;
    let check = Lists {
        instance,
        table: &table,
        blocking: &blocking,
        open_states: &open_states,
    };
    let columns = ["id", "state", "depth", "last_blocking_move"];
    check.dead_ends(open("dead-ends.csv", &columns)?)?;
    let columns = ["from", "to", "state", "successor", "depth", "rule", "move"];
    check.blocking_moves(open("blocking-moves.csv", &columns)?)?;
    Ok(table.states)
}

/// A blocking move, as `transitions.csv` calls it.
struct Blocking {
    /// The state it starts from, in one line.
    from: String,
    rule: usize,
    name: String,
}

/// The blocking moves, by the numbers of their states.
type BlockingMoves = HashMap<(usize, usize), Blocking>;

fn is_blocking(states: &[State], from: usize, to: usize) -> bool {
    states[from].is_live() && !states[to].is_live()
}

/// Every transition of the rules, in order, with the first rule that makes it.
fn transitions(states: &[State]) -> impl Iterator<Item = (usize, usize, usize)> {
    states.iter().enumerate().flat_map(|(from, state)| {
        state
            .successors
            .iter()
            .map(move |&(to, rule)| (from, to, rule))
    })
}

/// Checks `transitions.csv` and keeps the blocking moves.
fn check_transitions(
    instance: &Instance,
    table: &Table,
    mut states: Sheet,
    mut sheet: Sheet,
) -> Result<BlockingMoves, CheckError> {
    let mut kept = BlockingMoves::new();
    for from in 0..table.states.len() {
        states.expect_row("a state")?;
        let position = position(instance, &states)?;
        let mut moves = Moves {
            instance,
            position: &position,
            by_rule: HashMap::new(),
        };
        for &(to, rule) in &table.states[from].successors {
            sheet.expect_row(&format!("the transition from {from} to {to}"))?;
            sheet.expect(0, &from.to_string())?;
            sheet.expect(1, &to.to_string())?;
            let names = moves
                .names(table, to, rule)
                .map_err(|f| sheet.wrong(f.message))?;
            let said = sheet.text(2);
            if !names.iter().any(|name| name == said) {
                return Err(sheet.wrong_cell(2, names.first().map_or("", String::as_str)));
            }
            let blocking = is_blocking(&table.states, from, to);
            sheet.expect(3, if blocking { "1" } else { "0" })?;
            if blocking {
                let (name, from_text) = (sheet.text(2).to_owned(), states.text(1).to_owned());
                let from_text = Blocking {
                    from: from_text,
                    rule,
                    name,
                };
                kept.insert((from, to), from_text);
            }
        }
    }
    sheet.expect_end("transition")?;
    Ok(kept)
}

/// The moves of one position, a rule at a time.
struct Moves<'a> {
    instance: &'a Instance,
    position: &'a Position,
    by_rule: HashMap<usize, Vec<NamedMove>>,
}

impl Moves<'_> {
    /// All names of the placements of a rule that lead to a state.
    #[allow(clippy::result_large_err)]
    fn names(&mut self, table: &Table, to: usize, rule: usize) -> Result<Vec<String>, Fault> {
        if !self.by_rule.contains_key(&rule) {
            let moves = named_moves(self.instance, self.position, rule)?;
            self.by_rule.insert(rule, moves);
        }
        let moves = self.by_rule[&rule].iter();
        let leading = moves.filter(|mv| table.id(&mv.to) == Some(to as u32));
        Ok(leading.flat_map(|mv| mv.names.iter().cloned()).collect())
    }
}

/// The lists that follow from the transitions.
struct Lists<'a> {
    instance: &'a Instance,
    table: &'a Table,
    blocking: &'a BlockingMoves,
    open_states: Open<'a>,
}

impl Lists<'_> {
    fn dead_ends(&self, mut sheet: Sheet) -> Result<(), CheckError> {
        let parents = parents(&self.table.states);
        let states = self.table.states.iter().enumerate();
        for (id, state) in states.filter(|(_, state)| state.is_dead_end()) {
            sheet.expect_row(&format!("the dead end {id}"))?;
            sheet.expect(0, &id.to_string())?;
            self.expect_state(&sheet, 1, id)?;
            sheet.expect(2, &state.depth.to_string())?;
            let last = self.last_blocking(&parents, id);
            let last = last.map_or_else(String::new, |it| format!("{} from {}", it.name, it.from));
            sheet.expect(3, &last)?;
        }
        sheet.expect_end("dead end")
    }

    fn blocking_moves(&self, mut sheet: Sheet) -> Result<(), CheckError> {
        for (from, to, _) in transitions(&self.table.states) {
            let Some(blocking) = self.blocking.get(&(from, to)) else {
                continue;
            };
            sheet.expect_row(&format!("the blocking move from {from} to {to}"))?;
            sheet.expect(0, &from.to_string())?;
            sheet.expect(1, &to.to_string())?;
            sheet.expect(2, &blocking.from)?;
            self.expect_state(&sheet, 3, to)?;
            sheet.expect(4, &self.table.states[from].depth.to_string())?;
            sheet.expect(5, &self.instance.rules[blocking.rule].name)?;
            sheet.expect(6, &blocking.name)?;
        }
        sheet.expect_end("blocking move")
    }

    /// The last blocking move on the shortest path that comes from the least-numbered predecessors.
    fn last_blocking(&self, parents: &[Option<usize>], id: usize) -> Option<&Blocking> {
        let mut to = id;
        loop {
            let from = parents[to]?;
            if let Some(blocking) = self.blocking.get(&(from, to)) {
                return Some(blocking);
            }
            to = from;
        }
    }

    /// Fails unless a cell draws the state of this number.
    fn expect_state(&self, sheet: &Sheet, column: usize, id: usize) -> Result<(), CheckError> {
        let text = sheet.text(column);
        let position = read(self.instance, text);
        let is_right = position.is_some_and(|position| {
            self.table.id(&position) == Some(id as u32)
                && one_line(self.instance, &position) == text
        });
        if is_right {
            return Ok(());
        }
        Err(sheet.wrong_cell(column, &state_text(self.open_states, id)?))
    }
}

/// For each state its least-numbered predecessor one layer above.
fn parents(states: &[State]) -> Vec<Option<usize>> {
    let mut parents = vec![None; states.len()];
    for (from, to, _) in transitions(states) {
        if states[to].depth == states[from].depth + 1 {
            parents[to] = parents[to].or(Some(from));
        }
    }
    parents
}
