//! Why a position stands as it does, in words and as an object.

use std::io::Write;

use impasse_analysis::blocking::Rest;
use impasse_analysis::patterns::{CellPattern, Found, Mined, Notation, Pattern};
use impasse_analysis::reasons::{Loss, MOST_BRANCHES, smallest_pattern, tree};
use impasse_analysis::run::{Table, Transition, Verdict};
use impasse_model::instance::{Instance, Position};
use impasse_model::puzzle::Style;
use serde_json::{Map, Value, json};

use crate::error::Error;
use crate::json::heading;
use crate::numbers::{counted, grouped};
use crate::paths::LastBlocking;
use crate::record::Record;

/// The schema of an answer.
pub const WHY_SCHEMA: &str = "impasse.why/1";

/// A position and all that is known of its space.
pub struct Why<'a> {
    /// The figures.
    pub record: &'a Record,
    /// The puzzle.
    pub instance: &'a Instance,
    /// Its states.
    pub table: &'a dyn Table,
    /// The position.
    pub id: u32,
    /// Play from the starts comes to it; else the space is the one of play from this position.
    pub is_reached: bool,
    /// How long play can go on from it, if it is lost.
    pub rest: Option<Rest>,
    /// The patterns of lost states, or why there are none.
    pub mined: Result<&'a Mined, String>,
}

impl Why<'_> {
    /// Writes it for people.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn text(&self, out: &mut dyn Write, style: Style) -> Result<(), Error> {
        for line in self.table.picture(self.id, style) {
            writeln!(out, "    {line}")?;
        }
        writeln!(out, "{}", self.verdict())?;
        if self.table.verdict(self.id) == Verdict::Live {
            return self.moves(out);
        }
        if let Some(rest) = self.rest {
            writeln!(out, "{}", rest_in_words(rest))?;
        }
        self.reason(out)?;
        self.loss(out, style)?;
        if self.table.verdict(self.id) == Verdict::Doomed {
            writeln!(out, "\nwhat can still be played:")?;
            match self.pattern(self.id) {
                Some(_) => self.moves(out)?,
                None => self.play(out)?,
            }
        }
        Ok(())
    }

    /// The verdict and its reason in a sentence.
    fn verdict(&self) -> String {
        match (self.table.verdict(self.id), self.table.remoteness(self.id)) {
            (Verdict::Live, Some(0)) => "live: it is a goal".to_owned(),
            (Verdict::Live, remoteness) => {
                let moves = counted(remoteness.unwrap_or(0).into(), "move", "moves");
                format!("live: a goal is {moves} away")
            }
            (Verdict::Doomed, _) => {
                "doomed: moves remain, but however they are played, they never reach a goal"
                    .to_owned()
            }
            (Verdict::DeadEnd, _) => "dead end: no move applies, and it is no goal".to_owned(),
        }
    }

    /// The pattern that a lost state shows.
    fn pattern(&self, id: u32) -> Option<&Found> {
        let mined = self.mined.as_ref().ok()?;
        smallest_pattern(mined, id)
    }

    fn spaced(&self, found: &Found) -> String {
        Notation::of(self.instance).spaced(&found.pattern)
    }

    /// The pattern, drawn where it lies, and what speaks for it.
    fn reason(&self, out: &mut dyn Write) -> Result<(), Error> {
        let mined = match &self.mined {
            Ok(mined) => mined,
            Err(why) => return Ok(writeln!(out, "\nno pattern was looked for: {why}")?),
        };
        let Some(found) = self.pattern(self.id) else {
            let width = counted(mined.width as u64, "cell", "cells");
            return Ok(writeln!(
                out,
                "\nno pattern of at most {width} that only lost positions show explains it"
            )?);
        };
        writeln!(out, "\nwhy: it shows {}", self.spaced(found))?;
        for line in self.marked(found) {
            writeln!(out, "    {line}")?;
        }
        Ok(writeln!(out, "{}", self.evidence(found, mined))?)
    }

    /// How sure it is that the pattern loses.
    fn evidence(&self, found: &Found, mined: &Mined) -> String {
        let lost = counted(mined.lost.len() as u64, "lost state", "lost states");
        let (support, live) = (grouped(&found.support), grouped(&mined.live));
        let shows = if found.support == 1 { "shows" } else { "show" };
        format!(
            "sound {}: {lost}, {support} {shows} it, and none of the {live} live ones does",
            self.place()
        )
    }

    /// Of which space a pattern is sound.
    fn place(&self) -> String {
        let params = &self.record.params.0;
        let words: Vec<String> = params.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        let mut place = if words.is_empty() {
            "on this board".to_owned()
        } else {
            format!("at {}", words.join(", "))
        };
        if !self.is_reached {
            place = format!("{place}, from this position");
        }
        if self.record.summary.scope.word() == "window" {
            place = format!("in this window, {place}");
        }
        place
    }

    /// The board with the cells of the pattern alone.
    fn marked(&self, found: &Found) -> Vec<String> {
        let mut position = Position::new();
        self.table.position(self.id, &mut position);
        let cells = found.pattern.first_place(&self.instance.board, &position);
        let mut cells: Vec<_> = cells
            .unwrap_or_default()
            .into_iter()
            .map(|cell| (cell, position[cell as usize]))
            .collect();
        cells.sort_unstable();
        cells.dedup();
        let text = Notation::of(self.instance).compact(&Pattern::Cells(CellPattern { cells }));
        let spaced = |row: &str| {
            if self.instance.board.counted {
                return row.to_owned();
            }
            let cells: Vec<String> = row.chars().map(String::from).collect();
            cells.join(" ")
        };
        text.split('/').map(spaced).collect()
    }

    /// The last point of no return.
    fn last_loss(&self) -> Option<Loss> {
        let (state, by) = LastBlocking::of(self.table).before(self.table, self.id)?;
        Some(Loss::at(self.table, state, by))
    }

    fn loss(&self, out: &mut dyn Write, style: Style) -> Result<(), Error> {
        let table = self.table;
        let Some(loss) = self.last_loss() else {
            let whole = if self.is_reached {
                "\nit was lost from the start"
            } else {
                ""
            };
            return Ok(write!(
                out,
                "{whole}{}",
                if whole.is_empty() { "" } else { "\n" }
            )?);
        };
        let moves = counted(table.depth(self.id).into(), "move", "moves");
        let at = table.depth(loss.state) + 1;
        writeln!(
            out,
            "\non a shortest way here, of {moves}, move {at} lost the game: {}",
            table.move_name(loss.by.by)
        )?;
        for line in table.picture(loss.state, style) {
            writeln!(out, "    {line}")?;
        }
        let right = loss.right.iter().map(|&t| self.step(t));
        let right = right.collect::<Vec<_>>().join(", or ");
        Ok(writeln!(out, "right would have been {right}")?)
    }

    /// `step 2 3 (F.FTFTT)`.
    fn step(&self, transition: Transition) -> String {
        let (name, line) = (
            self.table.move_name(transition.by),
            self.table.one_line(transition.to),
        );
        format!("{name} ({line})")
    }

    /// The moves, how each of them ends, and why.
    fn moves(&self, out: &mut dyn Write) -> Result<(), Error> {
        let mut transitions = Vec::new();
        self.table.transitions(self.id, &mut transitions);
        for Transition { to, by } in transitions {
            let (name, line) = (self.table.move_name(by), self.table.one_line(to));
            writeln!(out, "  {name}: {line}  {}", self.standing(to))?;
        }
        Ok(())
    }

    /// How a successor stands: `live, 6 away`, `doomed (a blocking move): shows F F T T`.
    fn standing(&self, to: u32) -> String {
        let table = self.table;
        let verdict = table.verdict(to).word();
        if let Some(remoteness) = table.remoteness(to) {
            return format!("{verdict}, {remoteness} away");
        }
        let blocking = if table.verdict(self.id) == Verdict::Live {
            " (a blocking move)"
        } else {
            ""
        };
        let shows = self.pattern(to).map_or_else(String::new, |found| {
            format!(": shows {}", self.spaced(found))
        });
        format!("{verdict}{blocking}{shows}")
    }

    /// The tree of all that can still be played.
    fn play(&self, out: &mut dyn Write) -> Result<(), Error> {
        let (branches, is_cut) = tree(self.table, self.id, MOST_BRANCHES);
        for branch in &branches {
            let indent = "  ".repeat(branch.depth as usize);
            let (name, line) = (
                self.table.move_name(branch.by.by),
                self.table.one_line(branch.by.to),
            );
            let more = if branch.is_repeat {
                "  (see above)"
            } else if self.table.verdict(branch.by.to) == Verdict::DeadEnd {
                "  dead end"
            } else {
                ""
            };
            writeln!(out, "{indent}{name}: {line}{more}")?;
        }
        if is_cut {
            writeln!(out, "  and so on: more than {MOST_BRANCHES} moves")?;
        }
        Ok(())
    }

    /// All of this as an object: heading, `position`, `reached`, `verdict`, `depth`, `remoteness`,
    /// `moves_left`, `pattern`, `no_pattern`, `lost_by`, `moves`.
    #[must_use]
    pub fn object(&self) -> Map<String, Value> {
        let table = self.table;
        let is_lost = table.verdict(self.id) != Verdict::Live;
        let mut object = heading(WHY_SCHEMA, self.record);
        let mut put = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
        put("position", json!(table.one_line(self.id)));
        put("reached", json!(self.is_reached));
        put("verdict", json!(table.verdict(self.id).word()));
        let depth = self.is_reached.then(|| table.depth(self.id));
        put("depth", json!(depth));
        put("remoteness", json!(table.remoteness(self.id)));
        put(
            "moves_left",
            match self.rest {
                None => Value::Null,
                Some(Rest::Moves(moves)) => json!(moves),
                Some(Rest::Endless) => json!("endless"),
            },
        );
        put("pattern", self.pattern_object(self.id));
        put("no_pattern", json!(self.mined.as_ref().err()));
        let loss = if is_lost { self.last_loss() } else { None };
        let step =
            |t: &Transition| json!({"move": table.move_name(t.by), "to": table.one_line(t.to)});
        put(
            "lost_by",
            json!(loss.map(|loss| json!({
                "state": table.one_line(loss.state),
                "move": table.move_name(loss.by.by),
                "to": table.one_line(loss.by.to),
                "right": loss.right.iter().map(step).collect::<Vec<_>>(),
            }))),
        );
        let mut transitions = Vec::new();
        table.transitions(self.id, &mut transitions);
        let moves = transitions.iter().map(|t| {
            json!({
                "move": table.move_name(t.by),
                "to": table.one_line(t.to),
                "verdict": table.verdict(t.to).word(),
                "remoteness": table.remoteness(t.to),
                "blocking": !is_lost && table.verdict(t.to) != Verdict::Live,
                "pattern": self.pattern(t.to).map(|found| &found.text),
            })
        });
        put("moves", moves.collect());
        object
    }

    fn pattern_object(&self, id: u32) -> Value {
        let (Some(found), Ok(mined)) = (self.pattern(id), &self.mined) else {
            return Value::Null;
        };
        let mut position = Position::new();
        self.table.position(id, &mut position);
        json!({
            "pattern": found.text,
            "cells": found.pattern.first_place(&self.instance.board, &position),
            "support": found.support,
            "lost": mined.lost.len(),
            "live": mined.live,
            "evidence": self.evidence(found, mined),
        })
    }
}

fn rest_in_words(rest: Rest) -> String {
    match rest {
        Rest::Moves(0) => "no more move can be made".to_owned(),
        Rest::Moves(moves) => {
            format!(
                "at most {} can be made",
                counted(moves.into(), "more move", "more moves")
            )
        }
        Rest::Endless => "play can go round in a circle for ever".to_owned(),
    }
}
