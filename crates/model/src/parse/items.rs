//! `puzzle`, `param`, `piece`, `class` and `claim`.

use super::conditions::Scope;
use super::cursor::{Context, Cursor, shorten, unclosed};
use super::lexer::{Kind, Token};
use super::lines::Item;
use super::names::{Meaning, is_symbol, no_name, piece_symbols};
use crate::codes::{NAME_TWICE, SYNTAX, UNDECLARED, WRONG_PLACE};
use crate::fault::Fault;
use crate::syntax::{Claim, Class, Content, Piece, Span, Spanned};

/// `"Title"`.
pub(super) fn title(cursor: &mut Cursor<'_>) -> Result<String, Fault> {
    let title =
        quoted(cursor, "the title in quotes").map_err(|f| f.help("write `puzzle \"Title\"`"))?;
    cursor.finish("the end of the item")?;
    Ok(title)
}

/// A quoted text, without its quotes.
fn quoted(cursor: &mut Cursor<'_>, wanted: &str) -> Result<String, Fault> {
    match cursor.peek() {
        Some(Token {
            kind: Kind::Quoted,
            span,
            ..
        }) => {
            cursor.next();
            let text = cursor.text(Span {
                start: span.start + 1,
                end: span.end - 1,
            });
            if let Some((at, c)) = text.char_indices().find(|(_, c)| c.is_control()) {
                let start = span.start + 1 + at;
                let span = Span {
                    start,
                    end: start + c.len_utf8(),
                };
                let sign = super::foreign::name(c);
                return Err(Fault::new(
                    crate::codes::FOREIGN_SIGN,
                    span,
                    format!("{sign} in a quoted text"),
                )
                .help("write spaces and visible signs"));
            }
            Ok(text.to_owned())
        }
        Some(Token {
            kind: Kind::Unclosed,
            span,
            ..
        }) => Err(unclosed(span)),
        _ => Err(cursor.unexpected(wanted)),
    }
}

/// `W "white" ○` or `A..O "tile"`.
pub(super) fn pieces(cursor: &mut Cursor<'_>, item: &Item) -> Result<Vec<Piece>, Fault> {
    let range = cursor
        .peek_second()
        .is_some_and(|t| matches!(t.kind, Kind::Dots(_)));
    if range {
        check_range(cursor)?;
    }
    let symbols = piece_symbols(cursor.ctx.text, cursor.rest());
    if symbols.is_empty() {
        return Err(bad_symbol(cursor, item));
    }
    for _ in 0..if range { 3 } else { 1 } {
        cursor.next();
    }
    let name =
        quoted(cursor, "the name in quotes").map_err(|f| f.help("write `piece W \"white\"`"))?;
    let picture = picture(cursor, item)?;
    Ok(symbols
        .into_iter()
        .map(|(symbol, _)| Piece {
            symbol,
            name: name.clone(),
            picture,
            span: item.span(),
        })
        .collect())
}

fn bad_symbol(cursor: &Cursor<'_>, item: &Item) -> Fault {
    let taken = ". # _ ! ^ ( ) [ ] + - * / : ~ = < > \" { } @ , |";
    let help = format!("a symbol is one letter or sign: no digit, and none of {taken}");
    let Some(first) = cursor.peek() else {
        return Fault::new(SYNTAX, item.span(), "a piece needs a symbol and a name")
            .help("write `piece W \"white\"`");
    };
    let text = cursor.text(first.span);
    let message = match first.kind {
        Kind::Quoted => "a piece needs a symbol before its name".to_owned(),
        _ => format!("`{}` cannot be the symbol of a piece", shorten(text)),
    };
    Fault::new(SYNTAX, first.span, message).help(help)
}

/// `A..O` must rise and hold nothing but symbols.
fn check_range(cursor: &Cursor<'_>) -> Result<(), Fault> {
    let [from, dots, to, ..] = cursor.rest() else {
        return Err(cursor.unexpected("`A..O`"));
    };
    let span = Span {
        start: from.span.start,
        end: to.span.end,
    };
    let fault = |message: String| {
        Err(Fault::new(SYNTAX, span, message).help("write for example `piece A..O \"tile\"`"))
    };
    if dots.kind != Kind::Dots(2) {
        return fault("a range has two dots".to_owned());
    }
    let one = |t: &Token| {
        let mut chars = cursor.text(t.span).chars();
        chars.next().filter(|_| chars.next().is_none())
    };
    let (Some(a), Some(b)) = (one(from), one(to)) else {
        return fault("a range runs from one symbol to another".to_owned());
    };
    if a > b {
        return fault(format!("the range `{a}..{b}` runs backwards"));
    }
    match (a..=b).find(|&c| !is_symbol(c)) {
        Some(c) => fault(format!(
            "between `{a}` and `{b}` stands `{c}`, which can be no symbol"
        )),
        None => Ok(()),
    }
}

/// What stands after the name: nothing, or one character.
fn picture(cursor: &mut Cursor<'_>, item: &Item) -> Result<Option<char>, Fault> {
    let Some(first) = cursor.peek() else {
        return Ok(None);
    };
    let last = cursor
        .rest()
        .last()
        .map_or(first.span.end, |t| t.span.end)
        .min(item.body.end);
    let span = Span {
        start: first.span.start,
        end: last,
    };
    let text: Vec<char> = cursor
        .text(span)
        .chars()
        .filter(|c| !matches!(c, '\u{FE0E}' | '\u{FE0F}'))
        .take(2)
        .collect();
    match text[..] {
        [picture] if !picture.is_control() => Ok(Some(picture)),
        _ => Err(Fault::new(
            SYNTAX,
            span,
            format!("`{}` is no picture", shorten(cursor.text(span))),
        )
        .help("a picture is one character after the quoted name")),
    }
}

/// Where the picture of a `piece` item stands, in which any sign may be used.
pub(super) fn picture_place(tokens: &[Token]) -> Option<usize> {
    let quoted = tokens.iter().position(|t| t.kind == Kind::Quoted)?;
    tokens.get(quoted + 1).map(|t| t.span.start)
}

/// `coin = A B`.
pub(super) fn class(cursor: &mut Cursor<'_>, item: &Item) -> Result<Class, Fault> {
    let name = match cursor.peek() {
        Some(token) if token.kind == Kind::Word && !cursor.text(token.span).starts_with('_') => {
            cursor.next();
            Spanned {
                value: cursor.text(token.span).to_owned(),
                span: token.span,
            }
        }
        Some(token) => return Err(no_name(token.span, "a class")),
        None => return Err(no_name(item.head, "a class")),
    };
    cursor
        .expect("=")
        .map_err(|f| f.help("write `class coin = A B`"))?;
    let mut members = Vec::new();
    while !cursor.is_at_end() {
        class_members(cursor, &mut members)?;
    }
    if members.is_empty() {
        return Err(cursor
            .unexpected("the members of the class")
            .help("write `class coin = A B`"));
    }
    Ok(Class { name, members })
}

fn class_members(cursor: &mut Cursor<'_>, members: &mut Vec<Content>) -> Result<(), Fault> {
    let Some(token) = cursor.next() else {
        return Ok(());
    };
    if cursor
        .peek()
        .is_some_and(|t| matches!(t.kind, Kind::Dots(2..)) && t.glued)
    {
        return member_range(cursor, token, members);
    }
    match token.kind {
        Kind::Dots(1) => add_member(cursor, Content::Symbol(0), token.span, members),
        Kind::Sign("#") => add_member(cursor, Content::NoCell, token.span, members),
        Kind::Sign(",") => {
            return Err(
                Fault::new(SYNTAX, token.span, "members stand without commas")
                    .help("write `class coin = A B`"),
            );
        }
        Kind::Word
            if matches!(
                cursor.meaning(cursor.text(token.span)),
                Some(Meaning::Class(_))
            ) =>
        {
            let word = cursor.text(token.span);
            return Err(Fault::new(
                WRONG_PLACE,
                token.span,
                format!("`{word}` is a class itself"),
            )
            .help("list its members: a class holds symbols, `.` and `#`"));
        }
        Kind::Word | Kind::Other(_) => {
            for (at, c) in cursor.text(token.span).char_indices() {
                let start = token.span.start + at;
                let span = Span {
                    start,
                    end: start + c.len_utf8(),
                };
                let mut buffer = [0; 4];
                match cursor.meaning(c.encode_utf8(&mut buffer)) {
                    Some(Meaning::Piece(number)) => {
                        add_member(cursor, Content::Symbol(number), span, members);
                    }
                    Some(Meaning::Unknown) => add_unknown(members),
                    _ => {
                        cursor.undeclared_cell(c, span);
                        add_unknown(members);
                    }
                }
            }
        }
        _ => {
            let text = shorten(cursor.text(token.span));
            return Err(Fault::new(
                SYNTAX,
                token.span,
                format!("`{text}` cannot be a member of a class"),
            )
            .help("a class holds symbols, `.` and `#`"));
        }
    }
    Ok(())
}

/// A member that another fault speaks of.
fn add_unknown(members: &mut Vec<Content>) {
    if members.is_empty() {
        members.push(Content::Symbol(0));
    }
}

fn add_member(cursor: &mut Cursor<'_>, member: Content, span: Span, members: &mut Vec<Content>) {
    if members.contains(&member) {
        let text = cursor.text(span);
        let fault = Fault::new(NAME_TWICE, span, format!("`{text}` is a member already"));
        cursor.note(fault.help("name every member once"));
    } else {
        members.push(member);
    }
}

/// `A..O`; the first token is read.
fn member_range(
    cursor: &mut Cursor<'_>,
    from: Token,
    members: &mut Vec<Content>,
) -> Result<(), Fault> {
    cursor.next();
    let to = cursor.next();
    let span = cursor.since(from.span.start);
    let one = |t: Token| {
        let mut chars = cursor.text(t.span).chars();
        chars
            .next()
            .filter(|&c| chars.next().is_none() && is_symbol(c))
    };
    let ends = (one(from), to.and_then(one));
    let (Some(a), Some(b)) = ends else {
        return Err(
            Fault::new(SYNTAX, span, "a range runs from one symbol to another")
                .help("write `class tile = A..O`"),
        );
    };
    if a > b {
        return Err(
            Fault::new(SYNTAX, span, format!("the range `{a}..{b}` runs backwards"))
                .help(format!("write `{b}..{a}`")),
        );
    }
    let declared = |c: char| cursor.ctx.names.get(c.encode_utf8(&mut [0; 4])).is_some();
    if let Some(c) = (a..=b).find(|&c| !declared(c)) {
        let message = format!("the symbol `{c}` of the range `{a}..{b}` is not declared");
        return Err(Fault::new(UNDECLARED, span, message)
            .help(format!("declare it: `piece {a}..{b} \"name\"`")));
    }
    for c in a..=b {
        if let Some(number) = cursor.ctx.names.symbol(c) {
            add_member(cursor, Content::Symbol(number), span, members);
        }
    }
    Ok(())
}

/// `COND` or `COND for COND`.
pub(super) fn claim(cursor: &mut Cursor<'_>, item: &Item) -> Result<Claim, Fault> {
    let condition = cursor.condition(Scope::Claim)?;
    let domain = if cursor.take_word("for") {
        Some(cursor.condition(Scope::Domain)?)
    } else {
        None
    };
    cursor.finish("`for`, `and`, `or` or the end of the claim")?;
    Ok(Claim {
        condition,
        domain,
        span: item.span(),
    })
}

/// Notes pieces and classes on a board of counts.
pub(super) fn no_pieces_on_counts(ctx: &Context<'_>, item: &Item) -> Option<Fault> {
    ctx.counted.then(|| {
        let message = format!(
            "a board of counts has no {}",
            if item.word == "piece" {
                "pieces"
            } else {
                "classes"
            }
        );
        Fault::new(WRONG_PLACE, item.head, message)
            .help("leave it out, or leave `of counts` out of the `board` item")
    })
}
