//! Where faults are gathered, so that all faults of a file come in one run.

use crate::codes::SYNTAX;
use crate::fault::{Fault, Faults};

/// The faults found so far.
#[derive(Debug, Default)]
pub(super) struct Sink {
    faults: Vec<Fault>,
}

/// So many faults are shown.
const SHOWN: usize = 20;
/// So many are gathered before the rest of the text is left unread.
const GATHERED: usize = 1000;

/// A message has at most so many characters.
const LONGEST: usize = 400;

/// Cuts texts that quote a long stretch of the file.
fn brief(mut fault: Fault) -> Fault {
    for text in std::iter::once(&mut fault.message).chain(&mut fault.help) {
        if let Some((at, _)) = text.char_indices().nth(LONGEST) {
            text.truncate(at);
            text.push('…');
        }
    }
    fault
}

impl Sink {
    /// Adds a fault.
    pub(super) fn push(&mut self, fault: Fault) {
        if !self.is_full() {
            self.faults.push(brief(fault));
        }
    }

    /// Adds several.
    pub(super) fn extend(&mut self, faults: impl IntoIterator<Item = Fault>) {
        for fault in faults {
            self.push(fault);
        }
    }

    /// Whether so many were found that it is no use to go on.
    pub(super) fn is_full(&self) -> bool {
        self.faults.len() >= GATHERED
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.faults.len()
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// The faults in the order of their places, the first twenty of them and a line for the rest.
    pub(super) fn into_faults(self, origin: &str, text: &str) -> Faults {
        let full = self.is_full();
        let mut faults = Faults::new(origin, text, self.faults);
        if faults.faults.len() > SHOWN {
            let more = faults.faults.len() - SHOWN;
            let at_least = if full { "at least " } else { "" };
            faults.faults.truncate(SHOWN);
            faults.faults.push(Fault::placeless(
                SYNTAX,
                format!("and {at_least}{more} more"),
            ));
        }
        faults
    }
}
