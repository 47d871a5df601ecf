//! `states.csv`: read, and given the successors that the rules say.

use std::collections::HashMap;

use impasse_model::instance::{Instance, Position, Value};

use crate::drawing::{one_line, read};
use crate::error::CheckError;
use crate::moves::{is_goal, successors};
use crate::sheet::Sheet;
use crate::slow::State;

/// The columns of `states.csv`.
const COLUMNS: [&str; 7] = [
    "id",
    "state",
    "depth",
    "remoteness",
    "verdict",
    "out_degree",
    "best_successor",
];

/// A position as a key: a byte a cell, nine for large counts.
type Key = Box<[u8]>;

/// A state as the table has it, and as the rules have it.
pub(crate) struct Row {
    /// Depth and remoteness from the table; successors and goal from the rules. The position is
    /// left empty: a million of them would fill the memory.
    pub(crate) state: State,
    pub(crate) verdict: String,
    pub(crate) out_degree: u32,
    pub(crate) best_successor: Option<u32>,
}

/// The states of a published table.
pub(crate) struct Table {
    pub(crate) path: String,
    pub(crate) rows: Vec<Row>,
    ids: HashMap<Key, u32>,
}

impl Table {
    /// Reads all states, then asks the rules for the successors of each.
    pub(crate) fn read(
        instance: &Instance,
        open: impl Fn(&str, &[&str]) -> Result<Sheet, CheckError>,
        state_count: Option<usize>,
    ) -> Result<Self, CheckError> {
        let mut sheet = open("states.csv", &COLUMNS)?;
        let mut table = Self::read_rows(instance, &mut sheet)?;
        let found = table.rows.len();
        if let Some(expected) = state_count.filter(|&expected| expected > found) {
            return Err(sheet.ends_early(&format!("has {found} states, the summary {expected}")));
        }
        table.add_successors(instance, open("states.csv", &COLUMNS)?)?;
        Ok(table)
    }

    /// The number of a position.
    pub(crate) fn id(&self, position: &[Value]) -> Option<u32> {
        self.ids.get(&key(position)).copied()
    }

    /// First pass: what the columns say, in the order of depth and board.
    fn read_rows(instance: &Instance, sheet: &mut Sheet) -> Result<Self, CheckError> {
        let mut table = Self {
            path: sheet.path.clone(),
            rows: Vec::new(),
            ids: HashMap::new(),
        };
        let mut last: Option<(u32, Position)> = None;
        while sheet.next()? {
            let id = table.rows.len() as u32;
            if sheet.number(0)? != id {
                return Err(sheet.wrong(format!("id is {}, expected {id}", sheet.text(0))));
            }
            let position = position(instance, sheet)?;
            let depth = sheet.number(2)?;
            check_start(instance, sheet, &position, depth)?;
            if table.ids.insert(key(&position), id).is_some() {
                return Err(sheet.wrong(format!("state `{}` comes twice", sheet.text(1))));
            }
            if last
                .as_ref()
                .is_some_and(|last| (last.0, &last.1) >= (depth, &position))
            {
                return Err(sheet.wrong("rows are not in the order of depth, then of the board"));
            }
            table.rows.push(row(sheet, depth)?);
            last = Some((depth, position));
        }
        for start in &instance.starts {
            if table.id(start).is_none() {
                let text = one_line(instance, start);
                let what = format!("the start `{text}` is missing");
                return Err(CheckError::wrong(&table.path, None, what));
            }
        }
        Ok(table)
    }

    /// Second pass: the successors of each state must be in the table too.
    fn add_successors(&mut self, instance: &Instance, mut sheet: Sheet) -> Result<(), CheckError> {
        for id in 0..self.rows.len() {
            if !sheet.next()? {
                return Err(CheckError::unusable(
                    &self.path,
                    "changed while it was read",
                ));
            }
            let position = position(instance, &sheet)?;
            let no_value = |fault: impasse_model::fault::Fault| sheet.wrong(fault.message);
            let found = successors(instance, &position).map_err(no_value)?;
            let is_goal = is_goal(instance, &position).map_err(no_value)?;
            let mut next = Vec::with_capacity(found.to.len());
            for (to, rule) in found.to {
                let Some(to_id) = self.id(&to) else {
                    let (rule, to) = (&instance.rules[rule].name, one_line(instance, &to));
                    let from = sheet.text(1);
                    let what = format!("`{rule}` leads from `{from}` to `{to}`, which is missing");
                    return Err(sheet.wrong(what));
                };
                next.push((to_id as usize, rule));
            }
            next.sort_unstable();
            let state = &mut self.rows[id].state;
            (state.successors, state.is_goal, state.is_cut) = (next, is_goal, found.cut);
        }
        Ok(())
    }
}

fn row(sheet: &Sheet, depth: u32) -> Result<Row, CheckError> {
    Ok(Row {
        state: State {
            position: Position::new(),
            depth,
            successors: Vec::new(),
            is_goal: false,
            is_cut: false,
            remoteness: sheet.optional(3)?,
        },
        verdict: sheet.text(4).to_owned(),
        out_degree: sheet.number(5)?,
        best_successor: sheet.optional(6)?,
    })
}

fn position(instance: &Instance, sheet: &Sheet) -> Result<Position, CheckError> {
    read(instance, sheet.text(1)).ok_or_else(|| {
        sheet.wrong(format!(
            "state `{}` is no position of this board",
            sheet.text(1)
        ))
    })
}

fn check_start(
    instance: &Instance,
    sheet: &Sheet,
    position: &Position,
    depth: u32,
) -> Result<(), CheckError> {
    match (depth, instance.starts.contains(position)) {
        (0, false) => Err(sheet.wrong("depth is 0, but the state is no start")),
        (1.., true) => Err(sheet.wrong(format!("depth is {depth}, but the state is a start"))),
        _ => Ok(()),
    }
}

fn key(position: &[Value]) -> Key {
    let mut key = Vec::with_capacity(position.len());
    for &value in position {
        match u8::try_from(value) {
            Ok(byte) if byte < u8::MAX => key.push(byte),
            _ => {
                key.push(u8::MAX);
                key.extend(value.to_le_bytes());
            }
        }
    }
    key.into_boxed_slice()
}
