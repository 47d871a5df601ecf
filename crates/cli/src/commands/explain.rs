//! `impasse explain CODE`: what a fault means and how to mend it.

use impasse_model::codes;

use crate::args::ExplainArgs;
use crate::exit::{Exit, Failure};
use crate::output;

/// Explains one code, or lists all.
pub(crate) fn run(args: &ExplainArgs) -> Result<Exit, Failure> {
    let Some(code) = &args.code else {
        output::to(None, |out| {
            for (code, title, _) in codes::ALL {
                writeln!(out, "{}  {title}", code.as_str())?;
            }
            Ok(())
        })?;
        return Ok(Exit::Done);
    };
    let (code, title, text) = codes::explain(code).ok_or_else(|| {
        Failure::usage(format!("there is no code `{code}`"))
            .help("`impasse explain` lists all codes")
    })?;
    output::to(None, |out| {
        writeln!(out, "{}: {title}", code.as_str())?;
        if !text.is_empty() {
            writeln!(out, "\n{}", text.trim_end())?;
        }
        Ok(())
    })?;
    Ok(Exit::Done)
}
