//! From the text of one item to its tokens.

use winnow::combinator::{alt, dispatch, empty, fail, peek, repeat};
use winnow::error::EmptyError;
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Location};
use winnow::token::{any, literal, take_till, take_while};

use super::foreign;
use crate::syntax::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A letter or `_`, then letters, digits, `_`.
    Word,
    /// Digits.
    Number,
    /// `"..."`, quotes included.
    Quoted,
    /// A quote that is not closed on its line.
    Unclosed,
    /// So many dots in a row.
    Dots(usize),
    /// An operator or a bracket.
    Sign(&'static str),
    /// Any other character.
    Other(char),
}

/// A token and how it stands to its neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// What it is.
    pub(super) kind: Kind,
    /// Where it stands.
    pub(super) span: Span,
    /// It begins a continuation line.
    pub(super) first_on_line: bool,
    /// Nothing stands between it and the token before.
    pub(super) glued: bool,
}

impl Token {
    /// Whether it is this operator.
    pub(super) fn is(self, sign: &str) -> bool {
        matches!(self.kind, Kind::Sign(s) if s == sign)
    }
}

type Input<'a> = LocatingSlice<&'a str>;

/// More tokens than any board that can be packed needs.
pub(super) const MOST_TOKENS: usize = 1 << 21;

/// The tokens of `text[within]`, without comments; at most [`MOST_TOKENS`] and one more.
pub(super) fn tokens(text: &str, within: Span) -> Vec<Token> {
    let mut input = LocatingSlice::new(&text[within.start..within.end]);
    let mut tokens = Vec::new();
    let mut end_of_last = None;
    loop {
        let new_line = trivia(&mut input);
        let start = input.current_token_start();
        let Ok(kind) = token(&mut input) else { break };
        let end = input.current_token_start();
        tokens.push(Token {
            kind,
            span: Span {
                start: within.start + start,
                end: within.start + end,
            },
            first_on_line: new_line,
            glued: end_of_last == Some(start),
        });
        end_of_last = Some(end);
        if tokens.len() > MOST_TOKENS {
            break;
        }
    }
    tokens
}

/// Skips spaces, line ends and comments; whether a line ended.
fn trivia(input: &mut Input<'_>) -> bool {
    let mut new_line = false;
    loop {
        let blank: Result<&str, EmptyError> =
            repeat::<_, _, (), _, _>(0.., alt((take_while(1.., (' ', '\n')), literal("\r\n"))))
                .take()
                .parse_next(input);
        new_line |= blank.is_ok_and(|b| b.contains('\n'));
        let comment: Result<&str, EmptyError> =
            ("//", take_till(0.., '\n')).take().parse_next(input);
        if comment.is_err() {
            return new_line;
        }
    }
}

/// One token; fails only at the end.
fn token(input: &mut Input<'_>) -> Result<Kind, EmptyError> {
    alt((
        dispatch! { peek(any);
            '"' => quoted,
            '.' => take_while(1.., '.').map(|dots: &str| Kind::Dots(dots.len())),
            '0'..='9' => take_while(1.., '0'..='9').value(Kind::Number),
            c if begins_word(c) => take_while(1.., in_word).value(Kind::Word),
            _ => fail,
        },
        sign,
        any.map(Kind::Other),
    ))
    .parse_next(input)
}

fn quoted(input: &mut Input<'_>) -> Result<Kind, EmptyError> {
    (
        '"',
        take_till(0.., ('"', '\n', '\r')),
        alt(('"'.value(Kind::Quoted), empty.value(Kind::Unclosed))),
    )
        .map(|(_, _, kind)| kind)
        .parse_next(input)
}

/// Operators; the longer ones first.
fn sign(input: &mut Input<'_>) -> Result<Kind, EmptyError> {
    const SIGNS: [&str; 25] = [
        "<->", "->", "<=", ">=", "!=", "=", "<", ">", "+", "-", "*", "/", "^", "!", "(", ")", "[",
        "]", ",", ":", "~", "#", "|", "@", "{",
    ];
    for sign in SIGNS {
        let found: Result<&str, EmptyError> = literal(sign).parse_next(input);
        if found.is_ok() {
            return Ok(Kind::Sign(sign));
        }
    }
    fail.parse_next(input)
}

fn begins_word(c: char) -> bool {
    c == '_' || (c.is_alphabetic() && foreign::always(c).is_none())
}

/// Whether a character may stand inside a word.
pub(super) fn in_word(c: char) -> bool {
    begins_word(c) || c.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let all = Span {
            start: 0,
            end: text.len(),
        };
        let shown: Vec<String> = tokens(text, all)
            .iter()
            .map(|t| {
                let mark = if t.first_on_line { "|" } else { "" };
                let glue = if t.glued { "~" } else { "" };
                format!("{mark}{glue}{}", &text[t.span.start..t.span.end])
            })
            .collect();
        assert_eq!(shown.join(" "), expected, "{text}");
    }

    #[test]
    fn tokens_and_their_neighbours() {
        check("F x:piece . -> . x F", "F x ~: ~piece . -> . x F");
        check("a<->b", "a ~<-> ~b");
        check("F_T.G...2", "F_T ~. ~G ~... ~2");
        check("0..20 // rest", "0 ~.. ~20");
        check("\"a // b\" c", "\"a // b\" c");
        check("a\n  b // c\n  // d\n  e", "a |b |e");
        check("x!=y!", "x ~!= ~y ~!");
        check("\"open", "\"open");
        check("○ é→", "○ é ~→");
        check("", "");
    }
}
