//! The declared names of a file: one name, one meaning.

use std::collections::HashMap;

use super::lexer::{Kind, Token, tokens};
use super::lines::Item;
use super::sink::Sink;
use crate::codes::{NAME_TWICE, SYNTAX, TOO_LARGE};
use crate::fault::{Fault, line_column};
use crate::syntax::{ParamKind, PuzzleFile, Span};

/// Words of conditions and expressions, which can be no names.
pub(super) const RESERVED: [&str; 17] = [
    "and", "or", "not", "in", "for", "at", "none", "where", "along", "contains", "never", "count",
    "stuck", "fib", "binomial", "min", "max",
];

/// Words after `along`, which can be no parameters.
pub(super) const STEP_WORDS: [&str; 10] = [
    "right",
    "left",
    "up",
    "down",
    "both",
    "orthogonal",
    "diagonal",
    "king",
    "knight",
    "edges",
];

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// An integer parameter.
    Number,
    /// A list parameter.
    List,
    /// A choice parameter (its number in [`Names::choices`]).
    Choice(usize),
    /// A value of one or more choices.
    Value,
    /// The symbol of a piece.
    Piece(u8),
    /// A class, by number.
    Class(usize),
    /// A strategy.
    Strategy,
    /// Something whose declaration is faulty; what is said about it is not checked.
    Unknown,
}

/// All declared names.
#[derive(Debug, Default)]
pub(super) struct Names {
    meanings: HashMap<String, (Meaning, Span)>,
    /// Names in order of declaration, for suggestions.
    order: Vec<String>,
    /// The choice parameters and their values.
    pub(super) choices: Vec<(String, Vec<String>)>,
    /// The symbols of the pieces, in order.
    pub(super) pieces: Vec<char>,
    classes: usize,
}

/// A choice has at most so many values.
const MOST_VALUES: usize = 100;
/// A set of symbols can hold so many pieces.
pub(super) const MOST_PIECES: usize = 62;

impl Names {
    /// What a name means.
    pub(super) fn get(&self, name: &str) -> Option<Meaning> {
        self.meanings.get(name).map(|&(meaning, _)| meaning)
    }

    /// Where a name is declared.
    pub(super) fn place(&self, name: &str) -> Option<Span> {
        self.meanings.get(name).map(|&(_, span)| span)
    }

    /// All names in order of declaration.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }

    /// The number of a symbol; 0 is `.`.
    pub(super) fn symbol(&self, c: char) -> Option<u8> {
        let mut text = [0; 4];
        match self.get(c.encode_utf8(&mut text)) {
            Some(Meaning::Piece(number)) => Some(number),
            _ => None,
        }
    }

    /// The symbols as one text, for messages.
    pub(super) fn alphabet(&self) -> String {
        std::iter::once('.')
            .chain(self.pieces.iter().copied())
            .collect()
    }

    fn declare(&mut self, name: &str, meaning: Meaning, span: Span, text: &str, sink: &mut Sink) {
        if RESERVED.contains(&name) {
            let message = format!("`{name}` is a word of the language and cannot be a name");
            sink.push(Fault::new(NAME_TWICE, span, message).help("choose another name"));
            return;
        }
        match self.meanings.get(name) {
            Some(&(Meaning::Value, _)) if meaning == Meaning::Value => {}
            Some(&(_, first)) => sink.push(name_twice(name, span, first, text)),
            None => {
                self.meanings.insert(name.to_owned(), (meaning, span));
                self.order.push(name.to_owned());
            }
        }
    }
}

/// The fault of a name that has a meaning already.
pub(super) fn name_twice(name: &str, span: Span, first: Span, text: &str) -> Fault {
    let line = line_column(text, first.start).0;
    Fault::new(
        NAME_TWICE,
        span,
        format!("`{name}` has a meaning already, from line {line}"),
    )
    .help("one name has one meaning: choose another")
    .related(first, format!("`{name}` is declared here"))
}

/// Gathers the names that the items declare, also from items that are faulty in other ways.
pub(super) fn collect(text: &str, items: &[Item], sink: &mut Sink) -> Names {
    let mut names = Names::default();
    for item in items {
        if !matches!(item.word, "param" | "piece" | "class" | "strategy") {
            continue;
        }
        let tokens = tokens(text, item.body);
        let mut collector = Collector {
            names: &mut names,
            text,
            tokens: &tokens,
            sink,
            item,
        };
        match item.word {
            "param" => collector.param(),
            "piece" => collector.piece(),
            "class" => collector.class(),
            _ => collector.strategy(),
        }
        if sink.is_full() {
            break;
        }
    }
    names
}

/// Which form a parameter has; told by the tokens after `=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParamForm {
    /// An expression.
    Number,
    /// Two integers or more.
    List,
    /// Two words or more, with `/` between.
    Choice,
}

/// Tells the form of a parameter: `tokens` stand after `=`.
pub(super) fn param_form(text: &str, tokens: &[Token], names: &Names) -> ParamForm {
    let word = |t: &Token| t.kind == Kind::Word;
    if let [first, slash, rest @ ..] = tokens
        && word(first)
        && slash.is("/")
        && !matches!(
            names.get(&text[first.span.start..first.span.end]),
            Some(Meaning::Number | Meaning::List)
        )
        && rest.first().is_some_and(word)
    {
        return ParamForm::Choice;
    }
    let mut before: Option<&Token> = None;
    for (index, token) in tokens.iter().enumerate() {
        let minus = token.is("-");
        if token.kind != Kind::Number && !minus {
            break;
        }
        if before.is_some_and(|b| b.kind == Kind::Number && !token.glued) {
            let next_glued = tokens.get(index + 1).is_some_and(|next| next.glued);
            if !minus || next_glued {
                return ParamForm::List;
            }
        }
        before = Some(token);
    }
    ParamForm::Number
}

struct Collector<'c> {
    names: &'c mut Names,
    text: &'c str,
    tokens: &'c [Token],
    sink: &'c mut Sink,
    item: &'c Item,
}

impl Collector<'_> {
    fn declare(&mut self, name: &str, meaning: Meaning, span: Span) {
        self.names
            .declare(name, meaning, span, self.text, self.sink);
    }

    fn text(&self, span: Span) -> String {
        self.text[span.start..span.end].to_owned()
    }

    /// The first word of the item.
    fn first_word(&self) -> Option<Span> {
        self.tokens
            .first()
            .filter(|t| t.kind == Kind::Word)
            .map(|t| t.span)
    }

    fn param(&mut self) {
        let Some(span) = self.first_word() else {
            return;
        };
        let name = self.text(span);
        if STEP_WORDS.contains(&name.as_str()) {
            let message = format!("`{name}` is a step word and cannot be a parameter");
            self.sink
                .push(Fault::new(NAME_TWICE, span, message).help("choose another name"));
            return self.declare(&name, Meaning::Unknown, span);
        }
        let after = match self.tokens {
            [_, equals, after @ ..] if equals.is("=") => after,
            _ => return self.declare(&name, Meaning::Unknown, span),
        };
        match param_form(self.text, after, self.names) {
            ParamForm::Number => self.declare(&name, Meaning::Number, span),
            ParamForm::List => self.declare(&name, Meaning::List, span),
            ParamForm::Choice => {
                self.declare(&name, Meaning::Choice(self.names.choices.len()), span);
                let values: Vec<Span> = after
                    .iter()
                    .filter(|t| t.kind == Kind::Word)
                    .map(|t| t.span)
                    .collect();
                self.choice(name, &values);
            }
        }
    }

    fn choice(&mut self, name: String, spans: &[Span]) {
        if let Some(&span) = spans.get(MOST_VALUES) {
            let message = format!("a choice of more than {MOST_VALUES} values");
            self.sink
                .push(Fault::new(TOO_LARGE, span, message).help("leave some out"));
        }
        let mut values: Vec<String> = Vec::new();
        for &span in spans.iter().take(MOST_VALUES) {
            let value = self.text(span);
            if values.contains(&value) {
                let message = format!("the value `{value}` is given twice");
                self.sink
                    .push(Fault::new(NAME_TWICE, span, message).help("leave one of them out"));
            } else {
                self.declare(&value, Meaning::Value, span);
                values.push(value);
            }
        }
        self.names.choices.push((name, values));
    }

    fn piece(&mut self) {
        for (symbol, span) in piece_symbols(self.text, self.tokens) {
            let number = self.names.pieces.len() + 1;
            if number > MOST_PIECES {
                let message = format!("more than {MOST_PIECES} pieces");
                let help = "use fewer kinds of pieces, or write the puzzle in Rust";
                self.sink
                    .push(Fault::new(TOO_LARGE, self.item.span(), message).help(help));
                return;
            }
            let mut buffer = [0; 4];
            self.declare(
                symbol.encode_utf8(&mut buffer),
                Meaning::Piece(number as u8),
                span,
            );
            self.names.pieces.push(symbol);
        }
    }

    fn class(&mut self) {
        let number = self.names.classes;
        self.names.classes += 1;
        if let Some(span) = self.first_word() {
            self.declare(&self.text(span), Meaning::Class(number), span);
        }
    }

    fn strategy(&mut self) {
        let Some(span) = strategy_name(self.tokens) else {
            return;
        };
        let name = self.text(span);
        self.declare(&name, Meaning::Strategy, span);
    }
}

/// The stretch of glued words and hyphens that names a strategy.
pub(super) fn strategy_name(tokens: &[Token]) -> Option<Span> {
    let first = tokens.first().filter(|t| t.kind == Kind::Word)?;
    let mut span = first.span;
    for token in &tokens[1..] {
        if !(token.glued && belongs_to_strategy(token)) {
            break;
        }
        span.end = token.span.end;
    }
    Some(span)
}

/// Whether a token may stand inside the name of a strategy.
pub(super) fn belongs_to_strategy(token: &Token) -> bool {
    matches!(token.kind, Kind::Word | Kind::Number) || token.is("-")
}

/// The name of a strategy has at most so many bytes.
pub(super) const LONGEST_NAME: usize = 100;

/// The symbols that a `piece` item declares; empty if it does not begin as one should.
pub(super) fn piece_symbols(text: &str, tokens: &[Token]) -> Vec<(char, Span)> {
    let symbol = |token: &Token| {
        let mut chars = text[token.span.start..token.span.end].chars();
        let c = chars.next()?;
        (chars.next().is_none() && is_symbol(c)).then_some(c)
    };
    match tokens {
        [from, dots, to, ..] if matches!(dots.kind, Kind::Dots(_)) => {
            let (Some(a), Some(b)) = (symbol(from), symbol(to)) else {
                return Vec::new();
            };
            let span = Span {
                start: from.span.start,
                end: to.span.end,
            };
            (a..=b)
                .filter(|&c| is_symbol(c))
                .take(MOST_PIECES + 1)
                .map(|c| (c, span))
                .collect()
        }
        [one, ..] => symbol(one).map(|c| (c, one.span)).into_iter().collect(),
        [] => Vec::new(),
    }
}

/// Whether a character may be the symbol of a piece.
pub(super) fn is_symbol(c: char) -> bool {
    !(c.is_ascii_digit()
        || c.is_whitespace()
        || ".#_!^()[]+-*/:~=<>\"{}@,|".contains(c)
        || super::foreign::always(c).is_some())
}

/// The fault of text that is no name.
pub(super) fn no_name(span: Span, what: &str) -> Fault {
    Fault::new(SYNTAX, span, format!("{what} needs a name"))
        .help("a name is a letter, then letters, digits and `_`")
}

impl Names {
    /// The pieces, parameters and classes of a file that was read before.
    pub(super) fn of_file(file: &PuzzleFile) -> Self {
        let mut names = Self::default();
        let mut add = |name: String, meaning, span| {
            names.order.push(name.clone());
            names.meanings.insert(name, (meaning, span));
        };
        for param in &file.params {
            let meaning = match param.kind {
                ParamKind::Integer { .. } => Meaning::Number,
                ParamKind::List { .. } => Meaning::List,
                ParamKind::Choice { .. } => Meaning::Unknown,
            };
            if meaning != Meaning::Unknown {
                add(param.name.value.clone(), meaning, param.name.span);
            }
        }
        for (number, class) in file.classes.iter().enumerate() {
            add(
                class.name.value.clone(),
                Meaning::Class(number),
                class.name.span,
            );
        }
        for (number, piece) in file.pieces.iter().enumerate() {
            add(
                piece.symbol.to_string(),
                Meaning::Piece(number as u8 + 1),
                piece.span,
            );
        }
        names.pieces = file.pieces.iter().map(|p| p.symbol).collect();
        names
    }
}
