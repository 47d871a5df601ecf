//! The state graph and the table of states in several formats.

use std::io::{self, Write};

use impasse_analysis::run::Table;
use serde_json::{Map, Value, json};

use crate::dot;
use crate::error::Error;
use crate::json::heading;
use crate::record::Record;
use crate::rows::{self, is_blocking};

/// The schema of a state graph in JSON.
pub const GRAPH_SCHEMA: &str = "impasse.graph/1";

/// A format of `export`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A picture for Graphviz.
    Dot,
    /// The states, as `states.csv`.
    Csv,
    /// The transitions, as `transitions.csv`.
    TransitionsCsv,
    /// One object with states and transitions.
    Json,
    /// Aldebaran, for model checkers (CADP, mCRL2, LTSmin): the moves are the labels.
    Aut,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 5] = [
        Self::Dot,
        Self::Csv,
        Self::TransitionsCsv,
        Self::Json,
        Self::Aut,
    ];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Dot => "dot",
            Self::Csv => "csv",
            Self::TransitionsCsv => "transitions-csv",
            Self::Json => "json",
            Self::Aut => "aut",
        }
    }

    /// What it is, for help.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Dot => "a picture of the state graph, for Graphviz",
            Self::Csv => "the states, one a row",
            Self::TransitionsCsv => "the transitions, one a row",
            Self::Json => "one object with states and transitions",
            Self::Aut => "a labelled transition system in Aldebaran form, for model checkers",
        }
    }

    /// The format of a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// Writes a state graph; streamed, so memory does not grow with its size.
///
/// # Errors
/// Those of `out`; [`Error::Format`] where the format cannot hold the graph.
pub fn export(
    out: &mut dyn Write,
    format: Format,
    record: &Record,
    table: &dyn Table,
) -> Result<(), Error> {
    match format {
        Format::Dot => dot::graph(out, record, table),
        Format::Csv => rows::states(out, table),
        Format::TransitionsCsv => rows::transitions(out, table),
        Format::Json => json(out, record, table),
        Format::Aut => aut(out, table),
    }
}

/// One object, a state or a transition a line.
fn json(out: &mut dyn Write, record: &Record, table: &dyn Table) -> Result<(), Error> {
    let head = Value::Object(heading(GRAPH_SCHEMA, record)).to_string();
    let open = head.strip_suffix('}').expect("an object ends in a brace");
    write!(out, "{open},\n\"states\":[")?;
    for id in 0..table.state_count() {
        let mut state = Map::new();
        state.insert("id".to_owned(), json!(id));
        state.insert("state".to_owned(), json!(table.one_line(id)));
        state.insert("depth".to_owned(), json!(table.depth(id)));
        state.insert("remoteness".to_owned(), json!(table.remoteness(id)));
        state.insert("verdict".to_owned(), json!(table.verdict(id).word()));
        state.insert("start".to_owned(), json!(id < table.start_count()));
        state.insert("goal".to_owned(), json!(table.is_goal(id)));
        item(out, id == 0, &Value::Object(state))?;
    }
    write!(out, "\n],\n\"transitions\":[")?;
    let mut is_first = true;
    let mut transitions = Vec::new();
    for from in 0..table.state_count() {
        table.transitions(from, &mut transitions);
        for step in &transitions {
            let transition = json!({
                "from": from,
                "to": step.to,
                "move": table.move_name(step.by),
                "blocking": is_blocking(table, from, step.to),
            });
            item(out, is_first, &transition)?;
            is_first = false;
        }
    }
    Ok(out.write_all(b"\n]}\n")?)
}

/// An item of a list, on a line of its own.
fn item(out: &mut dyn Write, is_first: bool, value: &Value) -> io::Result<()> {
    write!(out, "{}\n{value}", if is_first { "" } else { "," })
}

/// `des (first state, transitions, states)`, then `(from, "label", to)` a line.
fn aut(out: &mut dyn Write, table: &dyn Table) -> Result<(), Error> {
    if table.start_count() != 1 {
        return Err(Error::Format {
            format: Format::Aut.name(),
            reason: "it has room for one start only",
            instead: Format::Json.name(),
        });
    }
    let mut transitions = Vec::new();
    let mut count: u64 = 0;
    for from in 0..table.state_count() {
        table.transitions(from, &mut transitions);
        count += transitions.len() as u64;
    }
    writeln!(out, "des (0, {count}, {})", table.state_count())?;
    for from in 0..table.state_count() {
        table.transitions(from, &mut transitions);
        for step in &transitions {
            let name = table.move_name(step.by).replace('"', "'");
            writeln!(out, "({from}, \"{name}\", {})", step.to)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, record, text_of};

    fn check(format: Format, expected: &str) {
        let fake = Fake::frogs(1);
        let text = text_of(|out| export(out, format, &record(&fake), &fake));
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn json_is_one_object() {
        let fake = Fake::frogs(3);
        let text = text_of(|out| export(out, Format::Json, &record(&fake), &fake));
        let graph: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(graph["states"].as_array().map(Vec::len), Some(72));
        assert_eq!(graph["transitions"].as_array().map(Vec::len), Some(82));
        let expected = concat!(
            r#"{"schema":"impasse.graph/1","puzzle":"frogs","params":{"n":1},"scope":"exact","#,
            r#"
"states":[
{"id":0,"state":"F.T","depth":0,"remoteness":3,"verdict":"live","start":true,"goal":false},
{"id":1,"state":".FT","depth":1,"remoteness":2,"verdict":"live","start":false,"goal":false},
{"id":2,"state":"FT.","depth":1,"remoteness":2,"verdict":"live","start":false,"goal":false},
{"id":3,"state":".TF","depth":2,"remoteness":1,"verdict":"live","start":false,"goal":false},
{"id":4,"state":"TF.","depth":2,"remoteness":1,"verdict":"live","start":false,"goal":false},
{"id":5,"state":"T.F","depth":3,"remoteness":0,"verdict":"live","start":false,"goal":true}
],
"transitions":[
{"from":0,"to":1,"move":"step 1 2","blocking":false},
{"from":0,"to":2,"move":"step 3 2","blocking":false},
{"from":1,"to":4,"move":"jump 3 1","blocking":false},
{"from":2,"to":3,"move":"jump 1 3","blocking":false},
{"from":3,"to":5,"move":"step 2 1","blocking":false},
{"from":4,"to":5,"move":"step 2 3","blocking":false}
]}
"#
        );
        check(Format::Json, expected);
    }

    #[test]
    fn aut_is_a_transition_system() {
        check(
            Format::Aut,
            "\
des (0, 6, 6)
(0, \"step 1 2\", 1)
(0, \"step 3 2\", 2)
(1, \"jump 3 1\", 4)
(2, \"jump 1 3\", 3)
(3, \"step 2 1\", 5)
(4, \"step 2 3\", 5)
",
        );
    }

    #[test]
    fn aut_has_one_start() {
        let fake = Fake::search(1, &["F.T".to_owned(), "TF.".to_owned()], "T.F");
        let error = export(&mut Vec::new(), Format::Aut, &record(&fake), &fake);
        assert_eq!(
            error.expect_err("two starts").to_string(),
            "format `aut` cannot hold this state graph: it has room for one start only; take `json`"
        );
    }

    #[test]
    fn names_and_formats_agree() {
        for format in Format::ALL {
            assert_eq!(Format::of_name(format.name()), Some(format));
        }
        assert_eq!(Format::of_name("png"), None);
    }
}
