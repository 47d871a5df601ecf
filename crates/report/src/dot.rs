//! The state graph as a picture for Graphviz: layers by depth from left to right, or from top to
//! bottom where the page is then used better. A picture larger than a page is shrunk to it.
//!
//! Colours are those of Okabe and Ito, told apart by the colour-blind too; beside each stands a
//! second mark, the shape of a state or the dash of a transition. One node a state, one edge a
//! transition, nothing else; the legend is the label of the graph.

use std::io::{self, Write};

use impasse_analysis::run::{Table, Transition, Verdict};
use impasse_model::puzzle::Style;

use crate::error::Error;
use crate::record::{Record, label};
use crate::rows::is_blocking;

/// How states of one kind look.
struct Look {
    word: &'static str,
    shape: &'static str,
    style: &'static str,
    fill: &'static str,
    mark: &'static str,
}

const GOAL: Look = Look {
    word: "goal",
    shape: "box",
    style: "filled,bold",
    fill: "#009E73",
    mark: "double frame",
};
const LIVE: Look = Look {
    word: "live",
    shape: "box",
    style: "filled,rounded",
    fill: "#56B4E9",
    mark: "round box",
};
const DOOMED: Look = Look {
    word: "doomed",
    shape: "box",
    style: "filled,dashed",
    fill: "#E69F00",
    mark: "dashed box",
};
const DEAD_END: Look = Look {
    word: "dead end",
    shape: "octagon",
    style: "filled",
    fill: "#D55E00",
    mark: "octagon",
};
const LOOKS: [Look; 4] = [LIVE, GOAL, DOOMED, DEAD_END];

/// Which way the layers follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Rightwards,
    Downwards,
}

impl Flow {
    /// Rightwards, unless that picture would have to be shrunk much, and the other one less.
    fn of(table: &dyn Table) -> Self {
        let mut lines_of_state = (1, 1);
        let mut layers: Vec<u64> = Vec::new();
        for id in 0..table.state_count() {
            if id == 0 || table.depth(id) != table.depth(id - 1) {
                layers.push(0);
            }
            if let Some(size) = layers.last_mut() {
                *size += 1;
            }
            let lines = table.picture(id, Style { unicode: false });
            let width = lines.iter().map(|line| line.len() as u64).max();
            lines_of_state = (
                lines_of_state.0.max(width.unwrap_or(0)),
                lines_of_state.1.max(lines.len() as u64),
            );
        }
        let widest = layers.iter().copied().max().unwrap_or(1);
        Self::fitting(lines_of_state, layers.len() as u64, widest)
    }

    /// The same for states of some letters and lines each, so many layers, the widest of that size.
    /// Lengths are points of a page of 11 by 8 inches, as the attributes in [`head`] make them.
    fn fitting((letters, lines): (u64, u64), layers: u64, widest: u64) -> Self {
        let (width, height) = (7 * letters + 17, 13 * lines + 8);
        let (beside, between) = (11, 22);
        // How far a picture must be shrunk, in hundredths.
        let shrunk = |width: u64, height: u64| (100 * width / 792).max(100 * height / 576);
        let rightwards = shrunk(layers * (width + between), widest * (height + beside));
        let downwards = shrunk(widest * (width + beside), layers * (height + between));
        if rightwards > 150 && downwards < rightwards {
            Self::Downwards
        } else {
            Self::Rightwards
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Rightwards => "LR",
            Self::Downwards => "TB",
        }
    }
}

/// Writes the state graph.
///
/// # Errors
/// Those of `out`.
pub fn graph(out: &mut dyn Write, record: &Record, table: &dyn Table) -> Result<(), Error> {
    head(out, record, Flow::of(table))?;
    nodes(out, table)?;
    ranks(out, table)?;
    edges(out, table)?;
    Ok(out.write_all(b"}\n")?)
}

/// Writes the boundary between live and lost states: every blocking move with the state it starts
/// from and the one it leads to, nothing else.
///
/// # Errors
/// Those of `out`.
pub fn boundary(out: &mut dyn Write, record: &Record, table: &dyn Table) -> Result<(), Error> {
    head(out, record, Flow::Rightwards)?;
    let mut shown = vec![false; table.state_count() as usize];
    let mut steps: Vec<(u32, Transition)> = Vec::new();
    let mut transitions = Vec::new();
    for from in (0..table.state_count()).filter(|&id| table.verdict(id) == Verdict::Live) {
        table.transitions(from, &mut transitions);
        for step in transitions
            .iter()
            .filter(|t| is_blocking(table, from, t.to))
        {
            shown[from as usize] = true;
            shown[step.to as usize] = true;
            steps.push((from, *step));
        }
    }
    for id in (0..table.state_count()).filter(|&id| shown[id as usize]) {
        node(out, table, id)?;
    }
    for (from, step) in steps {
        writeln!(
            out,
            "  \"{}\" -> \"{}\" [label={}, color=\"#D55E00\", style=dashed];",
            number(table, from),
            number(table, step.to),
            quoted(&table.move_name(step.by))
        )?;
    }
    Ok(out.write_all(b"}\n")?)
}

fn head(out: &mut dyn Write, record: &Record, flow: Flow) -> io::Result<()> {
    let names: Vec<String> = record
        .params
        .0
        .iter()
        .map(|(name, _)| name.clone())
        .collect();
    let title = format!("{} {}", record.puzzle, label(&record.params, &names));
    writeln!(out, "digraph {} {{", quoted(title.trim_end()))?;
    writeln!(
        out,
        "  graph [rankdir={}, size=\"11,8\", nodesep=0.15, ranksep=0.3, fontname=\"Helvetica\", fontsize=11, labelloc=b, label={}];",
        flow.word(),
        legend(title.trim_end())
    )?;
    writeln!(
        out,
        "  node [fontname=\"Courier\", fontsize=11, margin=\"0.1,0.04\", height=0.25, width=0.3];"
    )?;
    writeln!(out, "  edge [color=\"#666666\", arrowsize=0.5];")
}

/// The legend, as an HTML-like label.
fn legend(title: &str) -> String {
    let cell = |Look {
                    word, fill, mark, ..
                }: &Look| { format!("<td bgcolor=\"{fill}\">{word}: {mark}</td>") };
    let cells: Vec<String> = LOOKS.iter().map(cell).collect();
    let cells = cells.concat();
    let title = title
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    format!(
        "<<table border=\"0\" cellborder=\"0\" cellspacing=\"6\" cellpadding=\"3\"><tr><td colspan=\"6\">{title}</td></tr>\
         <tr>{cells}<td>heavy: on a shortest solution</td><td>dashed: blocking move</td></tr></table>>"
    )
}

fn look(table: &dyn Table, id: u32) -> &'static Look {
    match table.verdict(id) {
        _ if table.is_goal(id) => &GOAL,
        Verdict::Live => &LIVE,
        Verdict::Doomed => &DOOMED,
        Verdict::DeadEnd => &DEAD_END,
    }
}

/// The number of a state in the whole space, by which nodes are named.
fn number(table: &dyn Table, id: u32) -> u64 {
    table.number(id).unwrap_or_else(|| id.into())
}

fn nodes(out: &mut dyn Write, table: &dyn Table) -> io::Result<()> {
    (0..table.state_count()).try_for_each(|id| node(out, table, id))
}

fn node(out: &mut dyn Write, table: &dyn Table, id: u32) -> io::Result<()> {
    let Look {
        word,
        shape,
        style,
        fill,
        ..
    } = look(table, id);
    let is_start = id < table.start_count();
    let shown = number(table, id);
    let mut lines = table.picture(id, Style { unicode: false });
    let note = if is_start {
        Some("start")
    } else {
        table.is_goal(id).then_some("goal")
    };
    lines.extend(note.map(str::to_owned));
    let frame = if table.is_goal(id) {
        ", peripheries=2"
    } else {
        ""
    };
    let pen = if is_start { ", penwidth=3" } else { "" };
    let remoteness = table
        .remoteness(id)
        .map_or_else(String::new, |r| format!(", remoteness {r}"));
    writeln!(
        out,
        "  \"{shown}\" [label={}, shape={shape}, style=\"{style}\", fillcolor=\"{fill}\"{frame}{pen}, tooltip=\"state {shown}, depth {}{remoteness}, {word}\"];",
        quoted_lines(&lines),
        table.depth(id),
    )
}

/// The layers: states of one depth stand in one row or column.
fn ranks(out: &mut dyn Write, table: &dyn Table) -> io::Result<()> {
    let mut ids = (0..table.state_count()).peekable();
    while let Some(first) = ids.next() {
        write!(out, "  {{ rank=same; \"{first}\";")?;
        while let Some(id) = ids.next_if(|&id| table.depth(id) == table.depth(first)) {
            write!(out, " \"{id}\";")?;
        }
        writeln!(out, " }}")?;
    }
    Ok(())
}

fn edges(out: &mut dyn Write, table: &dyn Table) -> io::Result<()> {
    let shortest = table.best_start().and_then(|id| table.remoteness(id));
    let mut transitions = Vec::new();
    for from in 0..table.state_count() {
        table.transitions(from, &mut transitions);
        for step in &transitions {
            writeln!(
                out,
                "  \"{from}\" -> \"{}\" [tooltip={}{}];",
                step.to,
                quoted(&table.move_name(step.by)),
                edge_look(table, from, *step, shortest)
            )?;
        }
    }
    Ok(())
}

fn edge_look(table: &dyn Table, from: u32, step: Transition, shortest: Option<u32>) -> String {
    let mut look = String::new();
    let nearer = table.remoteness(from).and_then(|r| r.checked_sub(1));
    let is_best = nearer.is_some() && table.remoteness(step.to) == nearer;
    let length = table.remoteness(from).map(|r| r + table.depth(from));
    if is_best && length == shortest {
        look += ", color=\"#0072B2\", penwidth=2.5";
    } else if is_blocking(table, from, step.to) {
        look += ", color=\"#D55E00\", style=dashed";
    }
    if table.depth(step.to) != table.depth(from) + 1 {
        look += ", constraint=false";
    }
    look
}

/// A string in DOT, its backslashes and quotes escaped.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// Several lines in one label.
fn quoted_lines(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
    format!("\"{}\"", lines.join("\\n"))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use impasse_analysis::run::Run;

    use crate::fake::{Fake, record, text_of};

    #[test]
    fn the_picture_of_frogs() {
        let fake = Fake::frogs(2);
        let text = text_of(|out| graph(out, &record(&fake), &fake));
        assert_eq!(text, include_str!("golden/frogs-2.dot"), "\n{text}");
    }

    #[test]
    fn the_boundary_has_blocking_moves_and_their_ends_only() {
        let fake = Fake::frogs(2);
        let text = text_of(|out| boundary(out, &record(&fake), &fake));
        let count = |part: &str| text.matches(part).count();
        assert_eq!(count(" -> "), 6, "{text}");
        assert_eq!(count(" [label=\"") - count(" -> "), 11, "{text}");
        let edge = "  \"1\" -> \"3\" [label=\"step 1 2\", color=\"#D55E00\", style=dashed];\n";
        assert!(text.contains(edge), "{text}");
    }

    #[test]
    fn every_state_is_a_node_and_every_transition_an_edge() {
        let starts = ["FF.TT", "F.FTT", "TTF.F"].map(str::to_owned);
        let fake = Fake::search(2, &starts, "TT.FF");
        let text = text_of(|out| graph(out, &record(&fake), &fake));
        let count = |part: &str| text.matches(part).count() as u64;
        assert_eq!(Some(count(" [label=\"")), fake.summary().states);
        assert_eq!(Some(count(" -> ")), fake.summary().transitions);
        assert_eq!(count("\\nstart\""), 3);
        let leaps = |id| {
            let mut transitions = Vec::new();
            fake.transitions(id, &mut transitions);
            transitions
                .iter()
                .filter(|t| fake.depth(t.to) != fake.depth(id) + 1)
                .count() as u64
        };
        assert_eq!(
            count("constraint=false"),
            (0..fake.state_count()).map(leaps).sum::<u64>()
        );
    }

    #[test]
    fn the_page_is_used_well() {
        let check = |letters, lines, layers, widest, word| {
            let flow = Flow::fitting((letters, lines), layers, widest);
            assert_eq!(flow.word(), word, "{letters} {lines} {layers} {widest}");
        };
        check(9, 1, 9, 4, "LR"); // two frogs a side
        check(13, 1, 16, 8, "TB"); // three
        check(5, 3, 6, 12, "LR");
        check(5, 3, 6, 1, "LR");
        check(9, 1, 200, 1, "TB");
    }

    #[test]
    fn strings_are_escaped() {
        let check = |text: &str, expected: &str| assert_eq!(quoted(text), expected);
        check("F.T", "\"F.T\"");
        check("a\"b", "\"a\\\"b\"");
        check("\\N", "\"\\\\N\"");
    }
}
