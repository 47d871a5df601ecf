//! The `board` item.

use super::cursor::{Cursor, Shape, shorten, unclosed};
use super::lexer::{Kind, Token};
use super::lines::Item;
use crate::codes::{BAD_WINDOW, ITEM_TWICE, SYNTAX, TOO_LARGE, UNKNOWN_ITEM};
use crate::fault::Fault;
use crate::syntax::{BoardItem, BoardKind, Expr, ExprKind, Graph, Span, Window};

const WORDS: [&str; 5] = ["line", "ring", "grid", "torus", "graph"];
const OPTIONS: [&str; 4] = ["of", "cap", "spare", "span"];
const MOST_CELLS: usize = 1 << 20;

/// What the other items need to know of the board, also if its item is faulty.
pub(super) fn outline(text: &str, tokens: &[Token]) -> (Shape, bool) {
    let word = |t: &Token| &text[t.span.start..t.span.end];
    let shape = match tokens.first().map(word) {
        Some("line" | "ring") => Shape::Row,
        Some("grid" | "torus") => Shape::Grid,
        Some("graph") => Shape::Graph,
        _ => Shape::Unknown,
    };
    let counted = tokens
        .windows(2)
        .any(|pair| word(&pair[0]) == "of" && word(&pair[1]) == "counts");
    (shape, counted)
}

/// The options of a board.
#[derive(Default)]
struct Options {
    counted: bool,
    cap: Option<Expr>,
    window: Option<(Window, Span)>,
}

/// A whole `board` item.
pub(super) fn board(cursor: &mut Cursor<'_>, item: &Item) -> Result<BoardItem, Fault> {
    let Some(word) = cursor.word() else {
        return Err(cursor
            .unexpected("the shape of the board")
            .help(format!("write one of {}", WORDS.join(" "))));
    };
    let head = cursor.here();
    cursor.next();
    let mut endless = None;
    let mut kind = match word {
        "line" => {
            let here = cursor.here();
            endless = cursor.take_word("endless").then_some(here);
            BoardKind::Line
        }
        "ring" => BoardKind::Ring,
        "grid" => BoardKind::Grid(size(cursor)?),
        "torus" => BoardKind::Torus(size(cursor)?),
        "graph" => BoardKind::Graph(Graph {
            names: Vec::new(),
            edges: Vec::new(),
        }),
        _ => {
            let message = format!("`{}` is no shape of a board", shorten(word));
            let fault = Fault::new(UNKNOWN_ITEM, head, message);
            return Err(match super::suggest::nearest(word, WORDS) {
                Some(near) => fault.help(format!("did you mean `{near}`?")),
                None => fault.help(format!("write one of {}", WORDS.join(" "))),
            });
        }
    };
    let quoted = cursor
        .peek()
        .filter(|t| matches!(t.kind, Kind::Quoted | Kind::Unclosed));
    if let (BoardKind::Graph(_), Some(token)) = (&kind, quoted) {
        cursor.next();
        kind = BoardKind::Graph(graph6(cursor, token)?);
    }
    if endless.is_none() && cursor.word() == Some("endless") {
        let message = "only a line can be endless";
        return Err(Fault::new(BAD_WINDOW, cursor.here(), message)
            .help("write `board line endless, spare 8`"));
    }
    let options = options(cursor)?;
    if let BoardKind::Graph(graph) = &mut kind
        && quoted.is_none()
    {
        *graph = walks(cursor)?;
    }
    cursor.finish("`of counts`, `cap`, `spare`, `span` or the end of the item")?;
    let kind = window(kind, endless, &options, cursor)?;
    if let (Some(cap), false) = (&options.cap, options.counted) {
        return Err(Fault::new(
            SYNTAX,
            cap.span,
            "`cap` bounds counts, but this board holds pieces",
        )
        .help("leave it out, or write `of counts, cap 7`"));
    }
    Ok(BoardItem {
        kind,
        counted: options.counted,
        cap: options.cap,
        span: item.span(),
    })
}

/// `R by C`, if it stands there.
fn size(cursor: &mut Cursor<'_>) -> Result<Option<(Expr, Expr)>, Fault> {
    match cursor.peek() {
        None => return Ok(None),
        Some(t) if t.is(",") => return Ok(None),
        _ if cursor.word() == Some("of") => return Ok(None),
        _ => {}
    }
    let rows = cursor.integer_expression()?;
    if !cursor.take_word("by") {
        return Err(cursor
            .unexpected("`by`")
            .help("write the size as `grid ROWS by COLUMNS`"));
    }
    Ok(Some((rows, cursor.integer_expression()?)))
}

/// `of counts`, `cap E`, `spare ...`, `span E`, with commas between.
fn options(cursor: &mut Cursor<'_>) -> Result<Options, Fault> {
    let mut options = Options::default();
    loop {
        let comma = cursor.take(",");
        let here = cursor.here();
        // On a graph the walks begin on lines of their own.
        let word = cursor
            .peek()
            .filter(|t| !t.first_on_line || comma)
            .and(cursor.word());
        let again = |found: bool| {
            if found {
                Err(Fault::new(ITEM_TWICE, here, "a second one of the kind").help("write it once"))
            } else {
                Ok(())
            }
        };
        match word {
            Some("of") => {
                cursor.next();
                again(options.counted)?;
                if !cursor.take_word("counts") {
                    return Err(cursor.unexpected("`counts`").help("write `of counts`"));
                }
                options.counted = true;
            }
            Some("cap") => {
                cursor.next();
                again(options.cap.is_some())?;
                options.cap = Some(cursor.integer_expression()?);
            }
            Some("spare") => {
                cursor.next();
                again(options.window.is_some())?;
                let window = spare(cursor)?;
                options.window = Some((window, cursor.since(here.start)));
            }
            Some("span") => {
                cursor.next();
                again(options.window.is_some())?;
                let window = Window::Span(cursor.integer_expression()?);
                options.window = Some((window, cursor.since(here.start)));
            }
            _ if comma => {
                let fault = cursor.unexpected("`of counts`, `cap`, `spare` or `span`");
                let near = super::suggest::nearest(word.unwrap_or(""), OPTIONS);
                return Err(match near {
                    Some(near) => fault.help(format!("did you mean `{near}`?")),
                    None => fault,
                });
            }
            _ => return Ok(options),
        }
    }
}

/// `8`, or `2 left, 4 right`.
fn spare(cursor: &mut Cursor<'_>) -> Result<Window, Fault> {
    let first = cursor.integer_expression()?;
    let none = |at: Span| Expr {
        kind: ExprKind::Int(0.into()),
        span: at,
    };
    let Some(first_side) = side(cursor) else {
        return Ok(Window::Spare(first.clone(), first));
    };
    let mut second = none(first.span);
    if cursor.is(",")
        && cursor
            .peek_second()
            .is_some_and(|t| !is_option(cursor.text(t.span)))
    {
        cursor.next();
        second = cursor.integer_expression()?;
        let here = cursor.here();
        let second_side = side(cursor);
        if second_side.is_none() || second_side == Some(first_side) {
            return Err(Fault::new(
                BAD_WINDOW,
                here,
                "the spare cells of one side are given twice, or of none",
            )
            .help("write `spare 2 left, 4 right`"));
        }
    }
    Ok(if first_side == "left" {
        Window::Spare(first, second)
    } else {
        Window::Spare(second, first)
    })
}

/// `left` or `right`, if it stands there.
fn side<'c>(cursor: &mut Cursor<'c>) -> Option<&'c str> {
    let side = cursor.word().filter(|w| matches!(*w, "left" | "right"));
    if side.is_some() {
        cursor.next();
    }
    side
}

fn is_option(word: &str) -> bool {
    OPTIONS.contains(&word)
}

/// Fits `endless` and the window together.
fn window(
    kind: BoardKind,
    endless: Option<Span>,
    options: &Options,
    cursor: &Cursor<'_>,
) -> Result<BoardKind, Fault> {
    match (endless, &options.window) {
        (None, None) => Ok(kind),
        (Some(_), Some((window, _))) => Ok(BoardKind::Endless(window.clone())),
        (Some(span), None) => Err(Fault::new(
            BAD_WINDOW,
            span,
            "an endless row needs a window to be searched in",
        )
        .help("write `spare 8` for so many cells on each side, or `span 13`")),
        (None, Some((_, span))) => {
            let word = cursor
                .text(*span)
                .split_whitespace()
                .next()
                .unwrap_or("spare");
            Err(Fault::new(
                BAD_WINDOW,
                *span,
                format!("`{word}` is for endless rows only"),
            )
            .help("write `board line endless, spare 8`, or leave it out"))
        }
    }
}

/// Walks of cell names, one a line: neighbours in a walk are joined.
fn walks(cursor: &mut Cursor<'_>) -> Result<Graph, Fault> {
    let mut builder = Builder::default();
    let mut last: Option<u32> = None;
    if cursor.is_at_end() {
        return Err(cursor
            .unexpected("walks of cell names")
            .help("write them below, indented: `  a b c a`"));
    }
    while let Some(first) = cursor.next() {
        let mut span = first.span;
        let name_part = |t: &Token| matches!(t.kind, Kind::Word | Kind::Number);
        if !name_part(&first) {
            let text = shorten(cursor.text(span));
            return Err(
                Fault::new(SYNTAX, span, format!("`{text}` is no name of a cell")).help(
                    "a walk is written with spaces: `a b c a`; a name has letters and digits",
                ),
            );
        }
        while let Some(next) = cursor.peek().filter(|t| t.glued && name_part(t)) {
            span.end = next.span.end;
            cursor.next();
        }
        let cell = builder.cell(cursor.text(span));
        if let Some(before) = last.filter(|_| !first.first_on_line) {
            if before == cell {
                return Err(Fault::new(
                    SYNTAX,
                    span,
                    format!("the cell `{}` is joined to itself", cursor.text(span)),
                )
                .help("write every step of a walk to another cell"));
            }
            builder.edges.push((before.min(cell), before.max(cell)));
        }
        last = Some(cell);
    }
    Ok(builder.graph())
}

#[derive(Default)]
struct Builder {
    names: Vec<String>,
    numbers: std::collections::HashMap<String, u32>,
    edges: Vec<(u32, u32)>,
}

impl Builder {
    fn cell(&mut self, name: &str) -> u32 {
        let next = self.names.len() as u32;
        let number = *self.numbers.entry(name.to_owned()).or_insert(next);
        if number == next {
            self.names.push(name.to_owned());
        }
        number
    }

    fn graph(mut self) -> Graph {
        self.edges.sort_unstable();
        self.edges.dedup();
        Graph {
            names: self.names,
            edges: self.edges,
        }
    }
}

/// Reads a quoted graph6 text.
///
/// # Source
/// Brendan `McKay`, "Description of graph6, sparse6 and digraph6 encodings".
fn graph6(cursor: &Cursor<'_>, token: Token) -> Result<Graph, Fault> {
    if token.kind == Kind::Unclosed {
        return Err(unclosed(token.span));
    }
    let text = cursor.text(Span {
        start: token.span.start + 1,
        end: token.span.end - 1,
    });
    let text = text.strip_prefix(">>graph6<<").unwrap_or(text);
    let fault = |message: String| {
        Err(Fault::new(SYNTAX, token.span, message).help(
            "write a graph in graph6 form, as nauty prints it, for example `board graph \"Dhc\"`",
        ))
    };
    if let Some(c) = text.chars().find(|c| !('?'..='~').contains(c)) {
        return fault(format!("`{c}` is no sign of a graph6 text"));
    }
    let bytes: Vec<usize> = text.bytes().map(|b| usize::from(b) - 63).collect();
    let number = |digits: &[usize]| digits.iter().fold(0, |n, d| n << 6 | d);
    let (count, bits) = match bytes[..] {
        [63, 63, ..] if bytes.len() >= 8 => (number(&bytes[2..8]), &bytes[8..]),
        [63, a, ..] if a != 63 && bytes.len() >= 4 => (number(&bytes[1..4]), &bytes[4..]),
        [n, ..] if n != 63 => (n, &bytes[1..]),
        _ => return fault("the graph6 text ends too early".to_owned()),
    };
    if count > MOST_CELLS {
        return Err(
            Fault::new(TOO_LARGE, token.span, format!("a graph of {count} cells"))
                .help("a board has at most 2^20 cells"),
        );
    }
    let pairs = count * count.saturating_sub(1) / 2;
    if bits.len() != pairs.div_ceil(6) {
        let message = format!(
            "a graph6 text of {count} cells has {} signs for its edges, this one has {}",
            pairs.div_ceil(6),
            bits.len()
        );
        return fault(message);
    }
    let bit = |i: usize| bits[i / 6] >> (5 - i % 6) & 1 == 1;
    let mut edges = Vec::new();
    let mut index = 0;
    for high in 0..count {
        for low in 0..high {
            if bit(index) {
                edges.push((low as u32, high as u32));
            }
            index += 1;
        }
    }
    edges.sort_unstable();
    Ok(Graph {
        names: (1..=count).map(|i| i.to_string()).collect(),
        edges,
    })
}
