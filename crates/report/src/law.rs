//! Local rules: contexts of moves, and what decides whether they lose.

use std::io::Write;

use impasse_analysis::surroundings::{Context, Example, Law, MoveLaw, Whole};
use serde_json::{Value, json};

use crate::error::Error;
use crate::grid::{Align, Grid, Layout};
use crate::numbers::grouped;

/// The schema of [`object`].
pub const LAW_SCHEMA: &str = "impasse.local-rules/1";

/// The columns of the CSV form.
pub const COLUMNS: [&str; 7] = [
    "move",
    "context",
    "verdict",
    "losing",
    "safe",
    "example_losing",
    "example_safe",
];

/// Where a law was found.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The puzzle's stem.
    pub puzzle: String,
    /// The values, as people write them: `n=2..5`; in order of the runs.
    pub values: Vec<String>,
    /// The parameters of each value.
    pub params: Vec<Value>,
    /// What stands behind `for` in a claim about these values; empty if nothing need be said.
    pub domain: String,
}

/// Writes a law for people; of the contexts at most `limit`.
///
/// # Errors
/// Those of `out`.
pub fn text(out: &mut dyn Write, law: &Law, origin: &Origin, limit: usize) -> Result<(), Error> {
    let mut grid = Grid::with_columns(&[], &["radius", "contexts", "losing", "safe", "mixed"]);
    for level in &law.levels {
        let all = level.losing + level.safe + level.mixed;
        let counts = [all, level.losing, level.safe, level.mixed];
        let radius = level.radius.to_string();
        grid.row(std::iter::once(radius).chain(counts.map(|count| grouped(&count))));
    }
    grid.write(out, Layout::Text, None)?;
    let radius = law.levels.len() - 1;
    if law.is_complete {
        writeln!(out, "\nradius {radius} decides whether a move loses:")?;
    } else {
        writeln!(
            out,
            "\nradius {radius} does not decide whether a move loses; --radius {} looks further:",
            radius + 1
        )?;
    }
    for law in &law.moves {
        of_move(out, law)?;
    }
    let mut claims = law.moves.iter().filter_map(MoveLaw::claim).peekable();
    if claims.peek().is_some() {
        writeln!(out, "\nas claims of a rule file:")?;
    }
    for claim in claims {
        let claim = with_domain(&claim, origin);
        writeln!(out, "claim {claim}")?;
    }
    contexts(out, law, origin, limit)
}

fn of_move(out: &mut dyn Write, law: &MoveLaw) -> Result<(), Error> {
    let name = &law.name;
    match law.whole {
        Whole::Never => writeln!(out, "{name}: never loses")?,
        Whole::Always => writeln!(out, "{name}: always loses")?,
        Whole::Depends if law.patterns.is_empty() => {
            writeln!(out, "{name}: no context in which it always loses")?;
        }
        Whole::Depends => {
            let how = if law.is_complete {
                "loses exactly in"
            } else {
                "always loses in"
            };
            writeln!(out, "{name}: {how}")?;
            for pattern in &law.patterns {
                writeln!(out, "  {pattern}")?;
            }
            if !law.is_complete {
                writeln!(out, "  and sometimes elsewhere")?;
            }
        }
    }
    Ok(())
}

fn contexts(out: &mut dyn Write, law: &Law, origin: &Origin, limit: usize) -> Result<(), Error> {
    writeln!(out, "\ncontexts of radius {}:", law.levels.len() - 1)?;
    let names = ["move", "context", "verdict"].map(|name| (name.to_owned(), Align::Left));
    let numbers = ["losing", "safe"].map(|name| (name.to_owned(), Align::Right));
    let mut grid = Grid::new(names.into_iter().chain(numbers));
    grid.words("example");
    for context in law.contexts.iter().take(limit) {
        let example = context
            .example_losing
            .as_ref()
            .or(context.example_safe.as_ref());
        grid.row([
            context.name.clone(),
            context.text.clone(),
            context.sort.word().to_owned(),
            grouped(&context.losing),
            grouped(&context.safe),
            example.map_or_else(String::new, |example| at(example, origin)),
        ]);
    }
    grid.write(out, Layout::Text, None)?;
    if law.contexts.len() > limit {
        let (shown, all) = (grouped(&limit), grouped(&law.contexts.len()));
        writeln!(out, "the first {shown} of {all}; --limit shows more")?;
    }
    Ok(())
}

/// A state, and where more than one value was run the value.
fn at(example: &Example, origin: &Origin) -> String {
    match origin.values.get(example.run) {
        Some(value) if origin.values.len() > 1 => format!("{} ({value})", example.state),
        _ => example.state.clone(),
    }
}

fn with_domain(claim: &str, origin: &Origin) -> String {
    if origin.domain.is_empty() {
        claim.to_owned()
    } else {
        format!("{claim} for {}", origin.domain)
    }
}

/// Writes the contexts as CSV, one a row: [`COLUMNS`].
///
/// # Errors
/// Those of `out`.
pub fn csv(out: &mut dyn Write, law: &Law) -> Result<(), Error> {
    let mut out = csv::Writer::from_writer(out);
    out.write_record(COLUMNS)?;
    for context in &law.contexts {
        let state = |example: &Option<Example>| {
            example
                .as_ref()
                .map_or_else(String::new, |e| e.state.clone())
        };
        out.write_record([
            context.name.clone(),
            context.text.clone(),
            context.sort.word().to_owned(),
            context.losing.to_string(),
            context.safe.to_string(),
            state(&context.example_losing),
            state(&context.example_safe),
        ])?;
    }
    Ok(out.flush()?)
}

/// All of this as one object: `schema`, `puzzle`, `params` (one a value), `complete`, `radius`,
/// `levels`, `moves`, `contexts`.
#[must_use]
pub fn object(law: &Law, origin: &Origin) -> Value {
    let levels = law.levels.iter().map(|level| {
        json!({
            "radius": level.radius,
            "losing": level.losing,
            "safe": level.safe,
            "mixed": level.mixed,
        })
    });
    let moves = law.moves.iter().map(|law| {
        json!({
            "move": law.name,
            "loses": match law.whole {
                Whole::Never => "never",
                Whole::Always => "always",
                Whole::Depends => "depends",
            },
            "complete": law.is_complete,
            "patterns": law.patterns,
            "claim": law.claim().map(|claim| with_domain(&claim, origin)),
        })
    });
    let example = |example: &Option<Example>| {
        example.as_ref().map(|example| {
            json!({
                "params": origin.params.get(example.run),
                "state": example.state,
                "move": example.by,
            })
        })
    };
    let contexts = law.contexts.iter().map(|context: &Context| {
        json!({
            "move": context.name,
            "context": context.text,
            "verdict": context.sort.word(),
            "losing": context.losing,
            "safe": context.safe,
            "example_losing": example(&context.example_losing),
            "example_safe": example(&context.example_safe),
        })
    });
    json!({
        "schema": LAW_SCHEMA,
        "puzzle": origin.puzzle,
        "params": origin.params,
        "complete": law.is_complete,
        "radius": law.levels.len() - 1,
        "levels": levels.collect::<Vec<_>>(),
        "moves": moves.collect::<Vec<_>>(),
        "contexts": contexts.collect::<Vec<_>>(),
    })
}
