//! Solutions: the printed one drawn step by step, all shortest ones listed, both as JSON.

use std::io::Write;

use impasse_analysis::run::{Table, Transition};
use impasse_model::puzzle::{Move, Style};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use crate::error::Error;
use crate::json::{self, heading};
use crate::record::Record;

/// The schema of a solution.
pub const SOLUTION_SCHEMA: &str = "impasse.solution/1";

/// A walk through states: where it begins, then each move and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The first state.
    pub from: u32,
    /// The steps.
    pub steps: Vec<Transition>,
}

impl Walk {
    /// The printed shortest solution: from `from`, or from the start of least remoteness, always
    /// to the best successor. `None` where no goal can be reached.
    #[must_use]
    pub fn shortest(table: &dyn Table, from: Option<u32>) -> Option<Self> {
        let from = from.or_else(|| table.best_start())?;
        table.remoteness(from)?;
        let next = |step: &Transition| table.best_successor(step.to);
        let steps = std::iter::successors(table.best_successor(from), next).collect();
        Some(Self { from, steps })
    }

    /// Its states, in order.
    pub fn states(&self) -> impl Iterator<Item = u32> {
        std::iter::once(self.from).chain(self.steps.iter().map(|step| step.to))
    }

    /// Its states, each with the move that led to it.
    fn arrivals(&self) -> impl Iterator<Item = (u32, Option<Move>)> {
        let later = self.steps.iter().map(|step| (step.to, Some(step.by)));
        std::iter::once((self.from, None)).chain(later)
    }
}

/// All shortest solutions, in lexicographic order of state numbers.
///
/// Without `from` they begin at every start of least remoteness. Memory grows with the length of
/// a solution, never with their number.
#[must_use]
pub fn shortest_solutions(table: &dyn Table, from: Option<u32>) -> Solutions<'_> {
    let least = from
        .or_else(|| table.best_start())
        .and_then(|id| table.remoteness(id));
    let candidates: Vec<u32> = match from {
        Some(id) => vec![id],
        None => (0..table.start_count()).collect(),
    };
    let starts = candidates
        .into_iter()
        .filter(|&id| least.is_some() && table.remoteness(id) == least);
    let mut starts: Vec<u32> = starts.collect();
    starts.reverse();
    Solutions {
        table,
        starts,
        walk: None,
        open: Vec::new(),
    }
}

/// The iterator of [`shortest_solutions`].
pub struct Solutions<'a> {
    table: &'a dyn Table,
    /// Starts still to come, the next one last.
    starts: Vec<u32>,
    /// The solution given last.
    walk: Option<Walk>,
    /// Beside each step of it the steps still to come, the next one last.
    open: Vec<Vec<Transition>>,
}

impl Iterator for Solutions<'_> {
    type Item = Walk;

    fn next(&mut self) -> Option<Walk> {
        if !self.turn() {
            self.walk = Some(Walk {
                from: self.starts.pop()?,
                steps: Vec::new(),
            });
        }
        self.descend();
        self.walk.clone()
    }
}

impl Solutions<'_> {
    /// Goes back to the last place where another step is open, and takes it.
    fn turn(&mut self) -> bool {
        let Some(walk) = &mut self.walk else {
            return false;
        };
        while let Some(others) = self.open.last_mut() {
            walk.steps.pop();
            if let Some(step) = others.pop() {
                walk.steps.push(step);
                return true;
            }
            self.open.pop();
        }
        false
    }

    /// Takes the first open step until a goal is reached.
    fn descend(&mut self) {
        let walk = self.walk.as_mut().expect("a walk was begun");
        loop {
            let here = walk.steps.last().map_or(walk.from, |step| step.to);
            let nearer = match self.table.remoteness(here) {
                None | Some(0) => return,
                Some(remoteness) => Some(remoteness - 1),
            };
            let mut steps = Vec::new();
            self.table.transitions(here, &mut steps);
            steps.retain(|step| self.table.remoteness(step.to) == nearer);
            steps.reverse();
            walk.steps
                .push(steps.pop().expect("a live state has a nearer successor"));
            self.open.push(steps);
        }
    }
}

/// Draws a walk: boards of one row one under another, with the moves beside; larger ones side by
/// side, with the moves below, in lines of at most `width`.
///
/// # Errors
/// Those of `out`.
pub fn draw(
    out: &mut dyn Write,
    table: &dyn Table,
    walk: &Walk,
    style: Style,
    width: usize,
) -> Result<(), Error> {
    let frames: Vec<(String, Vec<String>)> = walk
        .arrivals()
        .enumerate()
        .map(|(i, (id, by))| (caption(table, i, by), table.picture(id, style)))
        .collect();
    if frames.iter().all(|(_, picture)| picture.len() == 1) {
        draw_lines(out, &frames)
    } else {
        draw_frames(out, &frames, width)
    }
}

/// `3  jump 2 4`.
fn caption(table: &dyn Table, step: usize, by: Option<Move>) -> String {
    let name = by.map_or_else(|| "start".to_owned(), |by| table.move_name(by));
    format!("{step}  {name}")
}

fn draw_lines(out: &mut dyn Write, frames: &[(String, Vec<String>)]) -> Result<(), Error> {
    let number_width = (frames.len() - 1).to_string().len();
    let indent = |caption: &str| {
        let digits = caption.find(' ').unwrap_or_default();
        " ".repeat(number_width - digits) + caption
    };
    let captions: Vec<String> = frames.iter().map(|(caption, _)| indent(caption)).collect();
    let wide = captions.iter().map(|c| c.width()).max().unwrap_or_default();
    for (caption, (_, picture)) in captions.iter().zip(frames) {
        writeln!(out, "{}  {}", padded(caption, wide), picture[0])?;
    }
    Ok(())
}

fn draw_frames(
    out: &mut dyn Write,
    frames: &[(String, Vec<String>)],
    width: usize,
) -> Result<(), Error> {
    let frame_width = |(caption, picture): &(String, Vec<String>)| {
        picture
            .iter()
            .chain([caption])
            .map(|line| line.width())
            .max()
            .unwrap_or_default()
    };
    let wide = frames.iter().map(frame_width).max().unwrap_or_default();
    let height = frames
        .iter()
        .map(|(_, picture)| picture.len())
        .max()
        .unwrap_or_default();
    let across = ((width + GAP) / (wide + GAP)).max(1);
    for (i, band) in frames.chunks(across).enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        for row in 0..=height {
            let cell = |(caption, picture): &(String, Vec<String>)| {
                let line = if row == height {
                    Some(caption)
                } else {
                    picture.get(row)
                };
                padded(line.map_or("", String::as_str), wide)
            };
            let line: Vec<String> = band.iter().map(cell).collect();
            writeln!(out, "{}", line.join(&" ".repeat(GAP)).trim_end())?;
        }
    }
    Ok(())
}

/// Space between boards side by side.
const GAP: usize = 3;

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width - text.width()))
}

/// Lists walks, one a line: the states, with `->` between.
///
/// # Errors
/// Those of `out`.
pub fn list(
    out: &mut dyn Write,
    table: &dyn Table,
    walks: impl IntoIterator<Item = Walk>,
) -> Result<(), Error> {
    for walk in walks {
        let states: Vec<String> = walk.states().map(|id| table.one_line(id)).collect();
        writeln!(out, "{}", states.join(" -> "))?;
    }
    Ok(())
}

/// Writes one object in one line: heading, length, and the steps, each with its state, the move
/// that led there (null at first) and the remoteness; without a solution length and steps are
/// null.
///
/// # Errors
/// Those of `out`.
pub fn json_line(
    out: &mut dyn Write,
    record: &Record,
    table: &dyn Table,
    walk: Option<&Walk>,
) -> Result<(), Error> {
    let mut object = heading(SOLUTION_SCHEMA, record);
    let steps = walk.map(|walk| {
        let step = |(i, (id, by)): (usize, (u32, Option<Move>))| {
            json!({
                "step": i,
                "id": table.number(id),
                "state": table.one_line(id),
                "move": by.map(|by| table.move_name(by)),
                "remoteness": table.remoteness(id),
            })
        };
        walk.arrivals().enumerate().map(step).collect::<Vec<_>>()
    });
    object.insert(
        "length".to_owned(),
        json!(walk.map(|walk| walk.steps.len())),
    );
    object.insert("steps".to_owned(), json!(steps));
    json::line(out, &Value::Object(object))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, record, text_of};

    const ASCII: Style = Style { unicode: false };

    #[test]
    fn rows_are_drawn_one_under_another() {
        let expected = "\
0  start     F.T
1  step 1 2  .FT
2  jump 3 1  TF.
3  step 2 3  T.F
";
        let fake = Fake::frogs(1);
        let walk = Walk::shortest(&fake, None).expect("solvable");
        let text = text_of(|out| draw(out, &fake, &walk, ASCII, 80));
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn grids_are_drawn_side_by_side() {
        let frames: Vec<(String, Vec<String>)> = ["0  start", "1  step", "2  jump"]
            .map(|caption| (caption.to_owned(), vec!["F.".to_owned(), ".T".to_owned()]))
            .to_vec();
        let expected = "\
F.         F.
.T         .T
0  start   1  step

F.
.T
2  jump
";
        let text = text_of(|out| draw_frames(out, &frames, 20));
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn all_shortest_solutions_in_order() {
        let fake = Fake::frogs(2);
        let all: Vec<Vec<u32>> = shortest_solutions(&fake, None)
            .map(|walk| walk.states().collect())
            .collect();
        assert_eq!(all.len(), 2);
        assert!(all.is_sorted());
        assert!(all.iter().all(|states| states.len() == 9));
        let first = Walk::shortest(&fake, None).expect("solvable");
        assert_eq!(all[0], first.states().collect::<Vec<_>>());
    }

    #[test]
    fn solutions_are_counted_over_all_best_starts() {
        let check = |starts: &[&str], goal: &str, expected: &str| {
            let starts: Vec<String> = starts.iter().map(ToString::to_string).collect();
            let fake = Fake::search(1, &starts, goal);
            let text = text_of(|out| list(out, &fake, shortest_solutions(&fake, None)));
            assert_eq!(text, expected);
        };
        check(
            &["F.T"],
            "T.F",
            "F.T -> .FT -> TF. -> T.F\nF.T -> FT. -> .TF -> T.F\n",
        );
        check(
            &[".FT", "FT.", "F.T"],
            "T.F",
            ".FT -> TF. -> T.F\nFT. -> .TF -> T.F\n",
        );
        check(&["F.T"], "F.T", "F.T\n");
        check(&["T.F"], "F.T", "");
    }

    #[test]
    fn a_solution_as_json() {
        let fake = Fake::search(1, &["TF.".to_owned()], "T.F");
        let walk = Walk::shortest(&fake, None);
        let expected = concat!(
            r#"{"schema":"impasse.solution/1","puzzle":"frogs","params":{"n":1},"scope":"exact","#,
            r#""length":1,"steps":[{"step":0,"id":0,"state":"TF.","move":null,"remoteness":1},"#,
            r#"{"step":1,"id":1,"state":"T.F","move":"step 2 3","remoteness":0}]}"#,
            "\n"
        );
        assert_eq!(
            text_of(|out| json_line(out, &record(&fake), &fake, walk.as_ref())),
            expected
        );
        let lost = Fake::search(1, &["T.F".to_owned()], "F.T");
        let expected = concat!(
            r#"{"schema":"impasse.solution/1","puzzle":"frogs","params":{"n":1},"scope":"exact","#,
            r#""length":null,"steps":null}"#,
            "\n"
        );
        assert_eq!(
            text_of(|out| json_line(out, &record(&lost), &lost, None)),
            expected
        );
    }
}
