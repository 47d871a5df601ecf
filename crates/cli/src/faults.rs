//! Faults of rule files as a user sees them: `error[E04]: file:line:column: ...`, the line of the
//! file with a caret, and what to write instead. Drawn by miette.

use std::fmt::Write as _;

use impasse_model::fault::{Fault, Severity, line_column};
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode,
};

use crate::excerpt::excerpt;

/// How faults are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// Lines and carets in Unicode.
    pub(crate) unicode: bool,
    /// Colours.
    pub(crate) color: bool,
}

/// More faults than this are counted, not drawn.
const MOST_DRAWN: usize = 40;

/// Draws faults one after another.
pub(crate) fn draw(origin: &str, text: &str, faults: &[Fault], look: Look) -> String {
    let mut out = String::new();
    for fault in faults.iter().take(MOST_DRAWN) {
        draw_one(&mut out, origin, text, fault, look);
    }
    if faults.len() > MOST_DRAWN {
        let _ = writeln!(out, "... and {} more", faults.len() - MOST_DRAWN);
    }
    out
}

fn draw_one(out: &mut String, origin: &str, text: &str, fault: &Fault, look: Look) {
    let mut theme = match (look.unicode, look.color) {
        (true, true) => GraphicalTheme::unicode(),
        (true, false) => GraphicalTheme::unicode_nocolor(),
        (false, true) => GraphicalTheme {
            styles: miette::ThemeStyles::ansi(),
            ..ascii()
        },
        (false, false) => ascii(),
    };
    theme.characters.error = format!("error[{}]:", fault.code.as_str());
    theme.characters.warning = format!("warning[{}]:", fault.code.as_str());
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_wrap_lines(false)
        .with_width(usize::MAX)
        .with_cause_chain()
        .with_links(false)
        .without_primary_span_start();
    let mut drawn = String::new();
    let shown = Shown::new(origin, text, fault);
    if handler.render_report(&mut drawn, &shown).is_err() {
        let _ = write!(drawn, "error[{}]: {}", fault.code.as_str(), shown.message);
    }
    for line in drawn.trim().lines() {
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

fn ascii() -> GraphicalTheme {
    let mut theme = GraphicalTheme::none();
    theme.characters = miette::ThemeCharacters::ascii();
    theme
}

/// A fault with the stretch of the text that is worth showing.
#[derive(Debug)]
struct Shown {
    message: String,
    help: Option<String>,
    severity: miette::Severity,
    source: Option<NamedSource<String>>,
    labels: Vec<LabeledSpan>,
}

impl Shown {
    fn new(origin: &str, text: &str, fault: &Fault) -> Self {
        let severity = match fault.severity() {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        };
        let place = place(origin, text, fault);
        let mut shown = Self {
            message: format!("{place}: {}", fault.message),
            help: fault.help.clone(),
            severity,
            source: None,
            labels: Vec::new(),
        };
        if let Some(span) = fault.span {
            let mut spans = vec![span];
            spans.extend(fault.related.iter().map(|(span, _)| *span));
            let (excerpt, marks) = excerpt(text, &spans);
            shown.source = Some(NamedSource::new(place, excerpt));
            let label = fault.related.iter().map(|(_, label)| Some(label.clone()));
            shown.labels = std::iter::once(None)
                .chain(label)
                .zip(marks)
                .map(|(label, mark)| LabeledSpan::new_with_span(label, (mark.start, mark.len())))
                .collect();
        }
        shown
    }
}

/// `origin:line:column`, or the origin alone for a fault of the command line.
fn place(origin: &str, text: &str, fault: &Fault) -> String {
    fault.span.map_or_else(
        || origin.to_owned(),
        |span| {
            let (line, column) = line_column(text, span.start);
            format!("{origin}:{line}:{column}")
        },
    )
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown {}

impl Diagnostic for Shown {
    fn severity(&self) -> Option<miette::Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.help
            .as_ref()
            .map(|help| Box::new(help) as Box<dyn std::fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

#[cfg(test)]
mod tests {
    use impasse_model::codes;
    use impasse_model::syntax::Span;

    use super::*;

    fn check(text: &str, fault: Fault, drawn: &str) {
        let look = Look {
            unicode: false,
            color: false,
        };
        assert_eq!(draw("x.puzzle", text, &[fault], look), drawn);
    }

    #[test]
    fn a_fault_has_its_place_line_and_way_out() {
        let span = Span { start: 17, end: 18 };
        let fault = Fault::new(codes::UNDECLARED, span, "`Q` is not declared")
            .help("declare it with `piece Q`");
        check(
            "puzzle \"P\"\nstart Q.\ngoal .Q\n",
            fault,
            "error[E04]: x.puzzle:2:7: `Q` is not declared\n   \
             ,-[x.puzzle:2:7]\n 1 | puzzle \"P\"\n 2 | start Q.\n   :       ^\n 3 | goal .Q\n   \
             `----\n  help: declare it with `piece Q`\n",
        );
    }

    #[test]
    fn a_fault_of_the_command_line_has_no_place() {
        let fault = Fault::placeless(codes::BAD_PARAMETER, "n = 99 is out of range");
        check(
            "puzzle \"P\"\n",
            fault,
            "error[E13]: x.puzzle: n = 99 is out of range\n",
        );
    }
}
