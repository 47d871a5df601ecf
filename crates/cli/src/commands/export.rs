//! `impasse export`: the state graph in a form that other programs read.

use impasse_report::export::{Format, export};

use crate::args::{ExportArgs, GraphFormat};
use crate::exit::{Exit, Failure};
use crate::output::{self, Ui};
use crate::runner::{Runner, Wanted};
use crate::session::Session;

/// Writes one graph; an incomplete one is not written.
pub(crate) fn run(ui: Ui, args: &ExportArgs) -> Result<Exit, Failure> {
    let session = Session::open(ui, &args.puzzle)?;
    let choice = session.single("export")?;
    let instance = session.instance(choice)?;
    let runner = Runner::new(ui, &args.run)?;
    let finished = runner.run(&session.label(choice), &instance, Wanted::Verdicts)?;
    let Some(table) = finished.run.table() else {
        ui.notes_of(&finished.record);
        ui.note("nothing was written: the graph is not complete");
        return Ok(finished.exit().max(Exit::Limit));
    };
    let format = format(args.format);
    output::to(args.output.as_deref(), |out| {
        Ok(export(out, format, &finished.record, table)?)
    })?;
    Ok(finished.exit())
}

fn format(format: GraphFormat) -> Format {
    match format {
        GraphFormat::Dot => Format::Dot,
        GraphFormat::Csv => Format::Csv,
        GraphFormat::TransitionsCsv => Format::TransitionsCsv,
        GraphFormat::Json => Format::Json,
        GraphFormat::Aut => Format::Aut,
    }
}
