//! `states.csv`: its positions, and all that the rules say of them.

use std::collections::HashMap;

use impasse_model::fault::Fault;
use impasse_model::instance::{Instance, Position, Value};

use crate::drawing::{one_line, read};
use crate::error::CheckError;
use crate::moves::{is_goal, successors};
use crate::sheet::Sheet;
use crate::slow::State;
use crate::walks;

/// The columns of `states.csv`.
pub(crate) const COLUMNS: [&str; 7] = [
    "id",
    "state",
    "depth",
    "remoteness",
    "verdict",
    "out_degree",
    "best_successor",
];

/// Opens `states.csv` from its top.
pub(crate) type Open<'a> = &'a dyn Fn() -> Result<Sheet, CheckError>;

/// A position as a key: a byte a cell, nine for large counts.
type Key = Box<[u8]>;

/// The states of a published table, as the rules have them.
pub(crate) struct Table {
    /// All but their positions, which stay empty: a million of them would fill the memory.
    pub(crate) states: Vec<State>,
    ids: HashMap<Key, u32>,
    path: String,
    /// Whether a position comes behind the one before it in the order of boards.
    in_order: Vec<bool>,
}

impl Table {
    /// Reads the positions, then asks the rules for everything else.
    ///
    /// `state_count` is what the summary says; a file that ends early and is shorter than noted is
    /// cut off, not wrong.
    pub(crate) fn read(
        instance: &Instance,
        open: Open,
        state_count: Option<u64>,
    ) -> Result<Self, CheckError> {
        let mut sheet = open()?;
        let mut table = Self::read_positions(instance, &mut sheet)?;
        let found = table.states.len();
        if state_count.is_some_and(|expected| expected > found as u64)
            && let Some(shortfall) = sheet.shortfall()
        {
            return Err(shortfall);
        }
        let (starts, missing_start) = table.starts(instance);
        let missing = table.add_successors(instance, open()?)?;
        let missing = missing_start.or(missing);
        let depths = walks::depths(&table.states, &starts);
        let is_lone = |id: &usize| depths[*id].is_none();
        let lone: Vec<usize> = (0..found).filter(is_lone).collect();
        if missing.is_some() || !lone.is_empty() {
            return Err(table.stranger(instance, open, &lone, missing)?);
        }
        let remotenesses = walks::remotenesses(&table.states);
        for (state, (depth, remoteness)) in
            table.states.iter_mut().zip(depths.iter().zip(remotenesses))
        {
            (state.depth, state.remoteness) = (depth.expect("none is lone"), remoteness);
        }
        Ok(table)
    }

    /// The number of a position.
    pub(crate) fn id(&self, position: &[Value]) -> Option<u32> {
        self.ids.get(&key(position)).copied()
    }

    /// The first row whose cells, or whose place, are wrong.
    pub(crate) fn check(&self, instance: &Instance, mut sheet: Sheet) -> Result<(), CheckError> {
        for (id, state) in self.states.iter().enumerate() {
            sheet.expect_row("a state")?;
            let position = position(instance, &sheet)?;
            sheet.expect(1, &one_line(instance, &position))?;
            sheet.expect(2, &state.depth.to_string())?;
            let before = id.checked_sub(1).map(|before| self.states[before].depth);
            if before.is_some_and(|depth| {
                depth > state.depth || depth == state.depth && !self.in_order[id]
            }) {
                return Err(sheet.wrong("rows are not in the order of depth, then of the board"));
            }
            sheet.expect(3, &or_empty(state.remoteness))?;
            sheet.expect(4, verdict(state))?;
            sheet.expect(5, &state.successors.len().to_string())?;
            sheet.expect(6, &or_empty(self.best_successor(state)))?;
        }
        Ok(())
    }

    /// The successor of least number whose remoteness is one less.
    fn best_successor(&self, state: &State) -> Option<usize> {
        let wanted = state.remoteness?.checked_sub(1)?;
        let next = state.successors.iter().map(|&(to, _)| to);
        next.filter(|&to| self.states[to].remoteness == Some(wanted))
            .min()
    }

    /// First pass: what stands where.
    fn read_positions(instance: &Instance, sheet: &mut Sheet) -> Result<Self, CheckError> {
        let mut table = Self {
            states: Vec::new(),
            ids: HashMap::new(),
            path: sheet.path.clone(),
            in_order: Vec::new(),
        };
        let mut last: Option<Position> = None;
        while sheet.next()? {
            let id = table.states.len() as u32;
            sheet.expect(0, &id.to_string())?;
            let position = position(instance, sheet)?;
            if let Some(before) = table.ids.insert(key(&position), id) {
                let (text, row) = (sheet.text(1), before + 1);
                return Err(sheet.wrong(format!("state `{text}` comes twice, in row {row} too")));
            }
            table.in_order.push(last.is_none_or(|last| last < position));
            table.states.push(State {
                position: Position::new(),
                depth: 0,
                successors: Vec::new(),
                is_goal: false,
                is_cut: false,
                remoteness: None,
            });
            last = Some(position);
        }
        Ok(table)
    }

    /// Second pass: the successors of each state. Hands over the first that is not in the table.
    fn add_successors(
        &mut self,
        instance: &Instance,
        mut sheet: Sheet,
    ) -> Result<Option<Missing>, CheckError> {
        let mut missing = None;
        for id in 0..self.states.len() {
            sheet.expect_row("a state")?;
            let position = position(instance, &sheet)?;
            let no_value = |fault: Fault| sheet.wrong(fault.message);
            let found = successors(instance, &position).map_err(no_value)?;
            let is_goal = is_goal(instance, &position).map_err(no_value)?;
            let mut next = Vec::with_capacity(found.to.len());
            for (to, rule) in found.to {
                match self.id(&to) {
                    Some(to) => next.push((to as usize, rule)),
                    None => {
                        missing.get_or_insert_with(|| Missing::new(instance, &sheet, rule, to));
                    }
                }
            }
            next.sort_unstable();
            let state = &mut self.states[id];
            (state.successors, state.is_goal, state.is_cut) = (next, is_goal, found.cut);
        }
        Ok(missing)
    }

    /// The numbers of the starts, and the first that is not in the table.
    fn starts(&self, instance: &Instance) -> (Vec<usize>, Option<Missing>) {
        let (mut starts, mut missing) = (Vec::new(), None);
        for start in &instance.starts {
            match self.id(start) {
                Some(id) => starts.push(id as usize),
                None => {
                    missing.get_or_insert_with(|| {
                        let what = format!("the start `{}` is missing", one_line(instance, start));
                        Missing {
                            to: start.clone(),
                            error: CheckError::wrong(&self.path, None, what),
                        }
                    });
                }
            }
        }
        (starts, missing)
    }

    /// What is wrong where states are missing, or cannot be reached from a start.
    ///
    /// A state that no other leads to stands in the place of the missing one; those that others lead
    /// to may only be cut off from the starts by the gap.
    fn stranger(
        &self,
        instance: &Instance,
        open: Open,
        lone: &[usize],
        missing: Option<Missing>,
    ) -> Result<CheckError, CheckError> {
        let mut is_led_to = vec![false; self.states.len()];
        for &(to, _) in self.states.iter().flat_map(|state| &state.successors) {
            is_led_to[to] = true;
        }
        let stranger = lone.iter().copied().find(|&id| !is_led_to[id]);
        match (missing, stranger.or(lone.first().copied())) {
            (Some(missing), Some(id)) if stranger.is_some() => {
                let text = state_text(open, id)?;
                let expected = one_line(instance, &missing.to);
                let row = id as u64 + 1;
                Ok(CheckError::wrong_cell(
                    &self.path, row, "state", &text, &expected,
                ))
            }
            (Some(missing), _) => Ok(missing.error),
            (None, id) => {
                let id = id.expect("a state is missing, or one is lone");
                let what = format!(
                    "state `{}` cannot be reached from a start",
                    state_text(open, id)?
                );
                Ok(CheckError::wrong(&self.path, Some(id as u64 + 1), what))
            }
        }
    }
}

/// The text of the state in a row.
pub(crate) fn state_text(open: Open, id: usize) -> Result<String, CheckError> {
    let mut sheet = open()?;
    for _ in 0..=id {
        sheet.expect_row("a state")?;
    }
    Ok(sheet.text(1).to_owned())
}

/// The position drawn in a row.
pub(crate) fn position(instance: &Instance, sheet: &Sheet) -> Result<Position, CheckError> {
    let text = sheet.text(1);
    read(instance, text)
        .ok_or_else(|| sheet.wrong(format!("state `{text}` is no position of this board")))
}

/// The verdict that belongs to a remoteness.
pub(crate) fn verdict(state: &State) -> &'static str {
    match state.is_live() {
        true => "live",
        false if state.successors.is_empty() => "dead end",
        false => "doomed",
    }
}

fn or_empty(number: Option<impl ToString>) -> String {
    number.map_or_else(String::new, |n| n.to_string())
}

/// A successor that is not in the table.
struct Missing {
    to: Position,
    error: CheckError,
}

impl Missing {
    fn new(instance: &Instance, sheet: &Sheet, rule: usize, to: Position) -> Self {
        let (rule, text) = (&instance.rules[rule].name, one_line(instance, &to));
        let from = sheet.text(1);
        let what = format!("`{rule}` leads from `{from}` to `{text}`, which is missing");
        let error = sheet.wrong(what);
        Self { to, error }
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
