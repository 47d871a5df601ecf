//! `--json`: one object a parameter value, one a line.

use std::io::Write;

use impasse_analysis::summary::{Figure, KEYS};
use impasse_model::params::{ParamValue, Params};
use serde_json::{Map, Value, json};

use crate::error::Error;
use crate::record::{Measured, Record};

/// The schema of a summary.
pub const SUMMARY_SCHEMA: &str = "impasse.summary/1";

/// Writes one summary, in one line.
///
/// # Errors
/// Those of `out`.
pub fn summary_line(out: &mut dyn Write, record: &Record) -> Result<(), Error> {
    line(out, &summary_object(record))
}

/// A summary as an object: schema, puzzle, params, scope, the keys in their order, the measured
/// keys.
#[must_use]
pub fn summary_object(record: &Record) -> Value {
    let mut object = heading(SUMMARY_SCHEMA, record);
    object.extend(figures(record));
    object.extend(measured(record.engine, &record.measured));
    Value::Object(object)
}

/// Writes a value in one line.
///
/// # Errors
/// Those of `out`.
pub fn line(out: &mut dyn Write, value: &Value) -> Result<(), Error> {
    serde_json::to_writer(&mut *out, value)?;
    Ok(out.write_all(b"\n")?)
}

/// What every object of a parameter value begins with.
#[must_use]
pub fn heading(schema: &str, record: &Record) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("schema".to_owned(), json!(schema));
    object.insert("puzzle".to_owned(), json!(record.puzzle));
    object.insert("params".to_owned(), params(&record.params));
    object.insert("scope".to_owned(), json!(record.summary.scope.word()));
    object
}

/// Parameters: integers, arrays of integers, choices as strings.
#[must_use]
pub fn params(params: &Params) -> Value {
    let value = |value: &ParamValue| match value {
        ParamValue::Int(v) => json!(v),
        ParamValue::List(v) => json!(v),
        ParamValue::Choice(v) => json!(v),
    };
    Value::Object(
        params
            .0
            .iter()
            .map(|(name, v)| (name.clone(), value(v)))
            .collect(),
    )
}

/// A figure: a number, a decimal string if it may be big, a boolean, or null.
#[must_use]
pub fn figure(figure: &Figure) -> Value {
    match figure {
        Figure::Number(n) => json!(n),
        Figure::Big(n) => json!(n.to_string()),
        Figure::Flag(b) => json!(b),
        Figure::Absent => Value::Null,
    }
}

/// The figures of a record, by key.
#[must_use]
pub fn figures(record: &Record) -> Map<String, Value> {
    let value = |key: &str| {
        record
            .summary
            .figure(key)
            .map_or(Value::Null, |f| figure(&f))
    };
    KEYS.into_iter()
        .map(|key| (key.to_owned(), value(key)))
        .collect()
}

/// The measured keys.
#[must_use]
pub fn measured(engine: &str, measured: &Measured) -> Map<String, Value> {
    let entries = [
        ("engine", json!(engine)),
        ("threads", json!(measured.threads)),
        ("peak_memory_bytes", json!(measured.peak_memory_bytes)),
        ("elapsed_seconds", json!(measured.elapsed.as_secs_f64())),
    ];
    entries
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{Fake, record, stopped_record, text_of};

    fn check(record: &Record, expected: &str) {
        assert_eq!(text_of(|out| summary_line(out, record)), expected);
    }

    #[test]
    fn a_summary_is_one_line() {
        check(
            &record(&Fake::frogs(3)),
            concat!(
                r#"{"schema":"impasse.summary/1","puzzle":"frogs","params":{"n":3},"scope":"exact","#,
                r#""states":72,"transitions":82,"starts":1,"goals":1,"live":30,"doomed":29,"#,
                r#""dead_ends":13,"lost":42,"blocking_moves":16,"points_of_no_return":16,"#,
                r#""only_moves":28,"shortest":15,"shortest_solutions":"2","max_depth":15,"#,
                r#""max_remoteness":15,"first_dead_end_depth":3,"window_cut_depth":null,"#,
                r#""graded":true,"reversible":false,"longest":null,"plays":null,"engine":"fake","#,
                r#""threads":2,"peak_memory_bytes":4194304,"elapsed_seconds":0.001}"#,
                "\n"
            ),
        );
    }

    #[test]
    fn a_stopped_run_knows_no_totals() {
        let mut record = stopped_record();
        record.measured.peak_memory_bytes = None;
        check(
            &record,
            concat!(
                r#"{"schema":"impasse.summary/1","puzzle":"frogs","params":{"n":2},"#,
                r#""scope":"stopped","states":12,"transitions":null,"starts":1,"goals":null,"#,
                r#""live":null,"doomed":null,"dead_ends":null,"lost":null,"blocking_moves":null,"#,
                r#""points_of_no_return":null,"only_moves":null,"shortest":null,"#,
                r#""shortest_solutions":null,"max_depth":null,"max_remoteness":null,"#,
                r#""first_dead_end_depth":null,"window_cut_depth":null,"graded":null,"#,
                r#""reversible":null,"longest":null,"plays":null,"engine":"fake","threads":2,"#,
                r#""peak_memory_bytes":null,"elapsed_seconds":0.001}"#,
                "\n"
            ),
        );
    }
}
