//! Faults of rule files and of what is asked of them: where, what, why, and the way out.

use crate::syntax::Span;

/// How grave a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but hardly says what was meant.
    Warning,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The stable code, e.g. `E04` or `W02`; [`explain`](crate::codes::explain) knows each.
    pub code: Code,
    /// Where in the text; `None` for faults of the command line (a parameter out of range).
    pub span: Option<Span>,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// A second place that matters (the first declaration, the parameter's line) and its label.
    pub related: Option<(Span, String)>,
}

impl Fault {
    /// A fault at a place.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            span: Some(span),
            message: message.into(),
            help: None,
            related: None,
        }
    }

    /// A fault that has no place in the text.
    pub fn placeless(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            span: None,
            message: message.into(),
            help: None,
            related: None,
        }
    }

    /// Adds the way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related = Some((span, label.into()));
        self
    }

    /// Error or warning, by the code.
    #[must_use]
    pub fn severity(&self) -> Severity {
        if self.code.as_str().starts_with('W') {
            Severity::Warning
        } else {
            Severity::Error
        }
    }
}

/// All faults found in one run over one text, in the order of their places.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{origin}: {} faults", faults.len())]
pub struct Faults {
    /// What the text is called.
    pub origin: String,
    /// The text.
    pub text: String,
    /// The faults; at least one is an error.
    pub faults: Vec<Fault>,
}

impl Faults {
    /// Sorts by place and gathers.
    #[must_use]
    pub fn new(origin: &str, text: &str, mut faults: Vec<Fault>) -> Self {
        faults.sort_by_key(|f| f.span.map_or(0, |s| s.start));
        faults.dedup();
        Self {
            origin: origin.to_owned(),
            text: text.to_owned(),
            faults,
        }
    }
}

/// The line and column (both from 1, columns in characters) of a byte offset.
#[must_use]
pub fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (line, before[start..].chars().count() + 1)
}

pub use crate::codes::Code;
