//! Strategies: fixed advice which move to make, played step by step.
//!
//! A plain strategy makes the move of the first line that applies, at its leftmost place. A sweeping
//! one tries place by place from left to right, at each place the lines in order; after a move it
//! goes on just right of the last changed cell, and from the right end back at the left end. The
//! *place* of a placement is the cell under the first item other than `_`, the one that `at` means.
//! Of several placements of one line at one place the one with the shorter stretch comes first.
//!
//! Rows grow where needed, so nothing ever runs over the end of an endless one.

mod advice;
mod goal;
mod ground;
mod items;
mod line;
mod moves;
mod row;
mod track;

use crate::fault::Fault;
use crate::instance::{Instance, Position, Strategy};
pub use advice::{Advice, Ending, follow};
use goal::{Watch, Witnesses};
use ground::{Visit, Ways, is_row, order_of_cell, places, row_of, visit_list, visit_row};
use items::Class;
pub use line::Change;
use line::Scratch;
use moves::{Laid, Moves};
pub use row::Row;
use track::Track;

/// A strategy of a rule file, made ready to be played.
#[derive(Clone, Debug)]
pub struct Program<'a> {
    instance: &'a Instance,
    strategy: &'a Strategy,
    lines: Vec<Laid>,
    moves: Moves,
    goal: Watch,
    /// Cells of the longest line.
    reach: usize,
    /// For each pair of classes of contents, the lines that may apply at a place that holds the first
    /// beside one that holds the second.
    candidates: Vec<Vec<usize>>,
    /// On boards that are no rows, for sweeps: all tracks as (order, line, number in the line).
    tracks: Vec<(i64, usize, usize)>,
}

/// One step of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Number of the line that fired.
    pub line: usize,
    /// Number of the rule of the puzzle that makes the same move.
    pub rule: usize,
    /// On a row the place, counted from the start's first cell; else where it comes in reading order.
    pub place: i64,
}

/// What comes next when a strategy is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// A move was made.
    Moved(Step),
    /// The position is a goal; play has ended.
    Arrived,
    /// It is no goal, and no line applies.
    NoLine,
    /// A line applies, but what it does is no move of the puzzle; it was not done.
    Illegal {
        /// Number of the line.
        line: usize,
        /// Its place, as in [`Step`].
        place: i64,
    },
    /// The last move led back to an earlier position: play goes round for ever.
    Cycle,
    /// A condition or a number of the strategy, or of a rule, has no value.
    Fault(Box<Fault>),
}

impl<'a> Program<'a> {
    /// Makes a strategy ready.
    ///
    /// # Errors
    /// A number in a line or a rule that has no value.
    pub fn new(instance: &'a Instance, strategy: &'a Strategy) -> Result<Self, Fault> {
        let cells = |rows: &[Vec<_>]| rows.iter().map(Vec::len).sum::<usize>();
        let reach = strategy
            .lines
            .iter()
            .map(|line| cells(&line.left))
            .max()
            .unwrap_or(0);
        let laid = strategy
            .lines
            .iter()
            .map(|line| Laid::new(line, instance, reach));
        let lines = laid.collect::<Result<Vec<_>, _>>()?;
        let candidates = candidates(&lines);
        let tracks = if strategy.sweep {
            tracks(&lines)
        } else {
            Vec::new()
        };
        let (moves, goal) = (Moves::new(instance)?, Watch::new(instance));
        Ok(Self {
            instance,
            strategy,
            lines,
            moves,
            goal,
            reach,
            candidates,
            tracks,
        })
    }

    /// Whether a move hangs on more than the position: a sweep goes on from where it was.
    #[must_use]
    pub fn remembers(&self) -> bool {
        self.strategy.sweep
    }

    /// Plays from a position.
    #[must_use]
    pub fn play(&self, from: &Position) -> Player<'_> {
        let row = row_of(&self.instance.board, from);
        Player {
            program: self,
            witnesses: self.goal.witnesses(),
            cursor: None,
            found: Scratch::default(),
            other: Scratch::default(),
            moves: 0,
            is_cycle: false,
            saved: (row.clone(), None),
            saved_until: 1,
            row,
        }
    }

    /// Number of moves from a position to a goal; `None` where the strategy does not arrive.
    #[must_use]
    pub fn moves_to_goal(&self, from: &Position) -> Option<u64> {
        let mut player = self.play(from);
        loop {
            match player.advance() {
                Next::Moved(_) => {}
                Next::Arrived => return Some(player.moves),
                _ => return None,
            }
        }
    }
}

fn candidates(lines: &[Laid]) -> Vec<Vec<usize>> {
    let classes = || (0..Class::COUNT).map(Class);
    let pairs = classes().flat_map(|a| classes().map(move |b| [a, b]));
    let may = |pair| {
        let numbers = 0..lines.len();
        numbers
            .filter(|&number| lines[number].line.items.may_begin_with_pair(pair))
            .collect()
    };
    pairs.map(may).collect()
}

fn tracks(lines: &[Laid]) -> Vec<(i64, usize, usize)> {
    let mut found = Vec::new();
    for (number, laid) in lines.iter().enumerate() {
        if let Ways::Lists(lists) = &laid.ways {
            found.extend(
                lists
                    .iter()
                    .enumerate()
                    .map(|(i, list)| (list.order, number, i)),
            );
        }
    }
    found.sort_unstable();
    found
}

/// A strategy being played on one position.
#[derive(Clone, Debug)]
pub struct Player<'p> {
    program: &'p Program<'p>,
    row: Row,
    witnesses: Witnesses,
    /// Where a sweep goes on; `None`: at the left end.
    cursor: Option<i64>,
    /// The move that was made last.
    found: Scratch,
    other: Scratch,
    moves: u64,
    is_cycle: bool,
    /// An earlier state, exchanged for the present one after 1, 2, 4, ... moves (R. P. Brent, "An
    /// improved Monte Carlo factorization algorithm", BIT 20, 1980): a cycle is seen at last.
    saved: (Row, Option<i64>),
    saved_until: u64,
}

/// A placement found.
#[derive(Clone, Copy)]
struct Found {
    line: usize,
    order: i64,
}

impl Player<'_> {
    /// The position.
    #[must_use]
    pub fn row(&self) -> &Row {
        &self.row
    }

    /// What the last move changed, by place; after [`Next::Illegal`], what it would have changed.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.found.changes
    }

    /// Moves made so far.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Makes the next move, or says why there is none.
    pub fn advance(&mut self) -> Next {
        self.try_advance()
            .unwrap_or_else(|fault| Next::Fault(Box::new(fault)))
    }

    fn try_advance(&mut self) -> Result<Next, Fault> {
        let Program {
            instance,
            moves,
            goal,
            ..
        } = self.program;
        if goal.is_met(instance, moves, &self.row, &mut self.witnesses)? {
            return Ok(Next::Arrived);
        }
        if self.is_cycle {
            return Ok(Next::Cycle);
        }
        let Some(Found { line, order: place }) = self.search()? else {
            return Ok(Next::NoLine);
        };
        self.found.changes.sort_unstable();
        let changes = &self.found.changes;
        let Some(rule) = moves.rule_of(instance, &self.row, changes, &mut self.other)? else {
            return Ok(Next::Illegal { line, place });
        };
        self.make_move();
        Ok(Next::Moved(Step { line, rule, place }))
    }

    fn make_move(&mut self) {
        for change in &self.found.changes {
            self.row.set(change.place, change.after);
        }
        self.moves += 1;
        if self.program.strategy.sweep {
            let board = &self.program.instance.board;
            let order = |change: &Change| {
                if is_row(board) {
                    change.place
                } else {
                    order_of_cell(board, self.program.reach, change.place)
                }
            };
            self.cursor = self
                .found
                .changes
                .iter()
                .map(order)
                .max()
                .map(|last| last + 1);
        }
        self.is_cycle = self.cursor == self.saved.1 && self.row.is_same(&self.saved.0);
        if self.moves == self.saved_until {
            self.saved = (self.row.clone(), self.cursor);
            self.saved_until *= 2;
        }
    }

    /// The placement that the strategy chooses; its changes are left in `self.found`.
    fn search(&mut self) -> Result<Option<Found>, Fault> {
        let program = self.program;
        let mut chooser = Chooser {
            program,
            line: 0,
            scratch: &mut self.found,
            found: None,
            fault: None,
        };
        if !program.strategy.sweep {
            chooser.first_line(&self.row);
        } else if is_row(&program.instance.board) {
            chooser.sweep_row(&self.row, self.cursor);
        } else {
            chooser.sweep_lists(&self.row, self.cursor);
        }
        chooser.fault.map_or(Ok(chooser.found), Err)
    }
}

/// Looks for the placement that comes first.
struct Chooser<'p> {
    program: &'p Program<'p>,
    line: usize,
    scratch: &'p mut Scratch,
    found: Option<Found>,
    fault: Option<Fault>,
}

impl Chooser<'_> {
    fn first_line(&mut self, row: &Row) -> bool {
        let program = self.program;
        (0..program.lines.len()).any(|number| {
            self.line = number;
            let laid = &program.lines[number];
            laid.ways.each(row, &laid.line.items, self)
        })
    }

    /// From the cursor to the right end, then from the left end to the cursor.
    fn sweep_row(&mut self, row: &Row, cursor: Option<i64>) -> bool {
        let (low, high) = places(row, self.program.reach);
        let cursor = cursor.map_or(low, |cursor| cursor.clamp(low, high + 1));
        self.sweep_between(row, cursor, high) || self.sweep_between(row, low, cursor - 1)
    }

    fn sweep_between(&mut self, row: &Row, from: i64, to: i64) -> bool {
        let program = self.program;
        let (first, cells) = row.held();
        let class = |place: i64| {
            let held = cells.get(place.wrapping_sub(first) as usize).copied();
            Class::of(if held.is_none() { row.at(place) } else { held })
        };
        let mut here = class(from);
        for place in from..=to {
            let next = class(place + 1);
            for &number in &program.candidates[here.0 * Class::COUNT + next.0] {
                self.line = number;
                if visit_row(row, &program.lines[number].line.items, place, 1, self) {
                    return true;
                }
            }
            here = next;
        }
        false
    }

    fn sweep_lists(&mut self, row: &Row, cursor: Option<i64>) -> bool {
        let program = self.program;
        let begin = cursor.map_or(0, |c| program.tracks.partition_point(|track| track.0 < c));
        let (before, behind) = program.tracks.split_at(begin);
        behind.iter().chain(before).any(|&(_, number, i)| {
            self.line = number;
            let laid = &program.lines[number];
            match &laid.ways {
                Ways::Lists(lists) => visit_list(row, &laid.line.items, &lists[i], self),
                Ways::Strides(_) => false,
            }
        })
    }
}

impl Visit for Chooser<'_> {
    fn visit(&mut self, track: &impl Track, order: i64, at: Option<i64>) -> bool {
        let Self {
            program,
            line,
            scratch,
            ..
        } = self;
        let laid = &program.lines[*line];
        match laid
            .line
            .apply(program.instance, track, at, scratch, &mut |_| true)
        {
            Ok(true) => self.found = Some(Found { line: *line, order }),
            Ok(false) => return false,
            Err(fault) => self.fault = Some(fault),
        }
        true
    }
}

#[cfg(test)]
mod tests;
