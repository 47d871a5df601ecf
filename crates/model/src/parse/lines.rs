//! From the whole text to its items: an item word at the first column, and the indented lines below.

use super::foreign;
use super::sink::Sink;
use super::suggest::nearest;
use crate::codes::{FOREIGN_SIGN, SYNTAX, UNKNOWN_ITEM};
use crate::fault::Fault;
use crate::syntax::Span;

/// The words items begin with.
pub(super) const ITEM_WORDS: [&str; 11] = [
    "puzzle", "param", "piece", "class", "board", "start", "goal", "move", "mirror", "strategy",
    "claim",
];

/// An item: its word, and the text after it up to the end of its last continuation line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// The item word, or the one that was probably meant.
    pub(super) word: &'static str,
    /// The word was mistyped; a fault says so.
    pub(super) guessed: bool,
    /// Where the word stands.
    pub(super) head: Span,
    /// The rest.
    pub(super) body: Span,
}

impl Item {
    /// The whole item.
    pub(super) fn span(&self) -> Span {
        Span {
            start: self.head.start,
            end: self.body.end,
        }
    }
}

/// Splits the text into items; lines that begin with no item word are faults.
pub(super) fn items(text: &str, sink: &mut Sink) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut above = Above::Nothing;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.trim_end().len();
        let content = line.trim_start();
        if end > start && !content.starts_with("//") {
            if line.starts_with(char::is_whitespace) {
                match above {
                    Above::Item => items.last_mut().expect("an item stands above").body.end = end,
                    Above::Nothing => sink.push(stray_continuation(start, end)),
                    Above::Unknown => {}
                }
            } else {
                above = match item(text, start, end, sink) {
                    Some(item) => {
                        items.push(item);
                        Above::Item
                    }
                    None => Above::Unknown,
                };
            }
        }
        start += line.len();
        if sink.is_full() {
            break;
        }
    }
    items
}

/// What a continuation line would continue.
enum Above {
    /// Nothing yet.
    Nothing,
    /// The last item.
    Item,
    /// A line that is no item.
    Unknown,
}

fn stray_continuation(start: usize, end: usize) -> Fault {
    Fault::new(
        SYNTAX,
        Span { start, end },
        "a line that begins with a space continues the item above, but there is none",
    )
    .help("begin the line with an item word in the first column")
}

/// The item that begins on the line `start..end`.
fn item(text: &str, start: usize, end: usize, sink: &mut Sink) -> Option<Item> {
    let line = &text[start..end];
    let length = line
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(line.len())
        .max(line.chars().next().map_or(0, char::len_utf8));
    let head = Span {
        start,
        end: start + length,
    };
    let written = &line[..length];
    let made = |word, guessed| Item {
        word,
        guessed,
        head,
        body: Span {
            start: head.end,
            end,
        },
    };
    if let Some(word) = ITEM_WORDS.into_iter().find(|&w| w == written) {
        return Some(made(word, false));
    }
    if let Some((at, c)) = written
        .char_indices()
        .find(|&(_, c)| foreign::always(c).is_some())
    {
        let instead = foreign::always(c).unwrap_or_default();
        let span = Span {
            start: start + at,
            end: start + at + c.len_utf8(),
        };
        sink.push(foreign_sign(c, span, &instead));
        return None;
    }
    let meant = nearest(written, ITEM_WORDS).or_else(|| other_language(written));
    let shown: String = written.chars().take(40).collect();
    let help = match meant {
        Some(word) => format!("did you mean `{word}`?"),
        None => format!(
            "a line begins with one of {}, or with a space",
            ITEM_WORDS.join(" ")
        ),
    };
    let message = format!("`{shown}` is no item of the rule language");
    sink.push(Fault::new(UNKNOWN_ITEM, head, message).help(help));
    let meant = meant?;
    ITEM_WORDS
        .into_iter()
        .find(|&w| w == meant)
        .map(|word| made(word, true))
}

/// The item word for one that is used elsewhere.
fn other_language(word: &str) -> Option<&'static str> {
    Some(match word.to_lowercase().as_str() {
        "title" | "name" => "puzzle",
        "parameter" | "parameters" | "params" | "const" | "let" => "param",
        "rule" | "rules" | "moves" | "rewrite" => "move",
        "symbol" | "pieces" => "piece",
        "end" | "goals" | "target" => "goal",
        "init" | "initial" | "starts" => "start",
        "assert" => "claim",
        "classes" | "set" => "class",
        _ => return None,
    })
}

/// The fault of a character that looks like another one.
pub(super) fn foreign_sign(c: char, span: Span, instead: &str) -> Fault {
    Fault::new(
        FOREIGN_SIGN,
        span,
        format!("{} means nothing here", foreign::name(c)),
    )
    .help(format!("write {instead}"))
}
