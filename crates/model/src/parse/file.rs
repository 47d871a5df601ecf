//! A whole file.

use super::board::{board, outline};
use super::cursor::{Context, Cursor, Shape};
use super::items;
use super::lexer::{Kind, MOST_TOKENS, Token, tokens};
use super::lines::{self, Item, foreign_sign};
use super::moves;
use super::names::{self, Names};
use super::param;
use super::sink::Sink;
use super::{drawings::Role, foreign};
use crate::codes::{ITEM_TWICE, MISSING_ITEM, NOT_TEXT, TOO_LARGE};
use crate::fault::{Fault, Faults, Severity, line_column};
use crate::syntax::{
    BlockingClaim, BoardItem, Claim, Class, Content, Drawing, Goal, Mirror, MoveItem, Param, Piece,
    PuzzleFile, Span, Spanned, Strategy,
};

/// A rule file that can be used.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// What it says.
    pub file: PuzzleFile,
    /// What hardly says what was meant.
    pub warnings: Vec<Fault>,
}

/// Files with more items are refused: names are compared with each other.
const MOST_ITEMS: usize = 20_000;

/// Reads a rule file; `origin` is what the text is called in faults.
///
/// # Errors
/// Every fault of the file that can be known without parameter values; of many the first twenty
/// and a line with the number of the others.
pub fn parse(origin: &str, bytes: &[u8]) -> Result<Parsed, Faults> {
    let mut sink = Sink::default();
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = decode(bytes, &mut sink);
    let Some(text) = text else {
        return Err(sink.into_faults(origin, ""));
    };
    let damaged = !sink.is_empty();
    let items = lines::items(&text, &mut sink);
    if let Some(item) = items.get(MOST_ITEMS) {
        let message = format!("more than {MOST_ITEMS} items");
        sink.push(
            Fault::new(TOO_LARGE, item.head, message)
                .help("say the same with parameters, classes and repeats"),
        );
        return Err(sink.into_faults(origin, &text));
    }
    let before = sink.len();
    let names = names::collect(&text, &items, &mut sink);
    let names_are_sound = sink.len() == before;
    let mut reader = Reader::new(&text, &items, &names, sink);
    reader.damaged = damaged;
    reader.read();
    let Reader {
        mut sink,
        tree,
        declarations_are_sound,
        ..
    } = reader;
    // Of a file that could not be read as items, it is not known what it lacks.
    if !damaged && (!items.is_empty() || sink.is_empty()) {
        check_complete(&text, &items, &mut sink);
    }
    match tree.into_file(origin, &text) {
        Some(file) if sink.is_empty() => {
            return Ok(Parsed {
                file,
                warnings: Vec::new(),
            });
        }
        Some(file) if names_are_sound && declarations_are_sound => {
            sink.extend(deeper_faults(&file));
        }
        _ => {}
    }
    Err(sink.into_faults(origin, &text))
}

/// What is wrong with the sound items of a faulty file for the default parameters, so that these
/// faults need not wait for another run.
fn deeper_faults(file: &PuzzleFile) -> Vec<Fault> {
    if file.starts.is_empty() || file.goals.is_empty() {
        return Vec::new();
    }
    let faults = match file.parameters(&[]) {
        Err(faults) => faults,
        Ok(params) => match file.instance("", params, None) {
            Err(faults) => faults.faults,
            Ok(_) => Vec::new(),
        },
    };
    let is_error = |f: &Fault| f.severity() == Severity::Error;
    faults.into_iter().filter(is_error).collect()
}

/// The text, with a fault for each line that is no UTF-8; none if it is another encoding.
fn decode(bytes: &[u8], sink: &mut Sink) -> Option<String> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        sink.push(
            Fault::placeless(NOT_TEXT, "the file is UTF-16 text, not UTF-8")
                .help("save it as UTF-8"),
        );
        return None;
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => return Some(text.to_owned()),
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    };
    let mut place = 0;
    let mut new_line = true;
    for chunk in bytes.utf8_chunks() {
        place += chunk.valid().len();
        new_line |= chunk.valid().contains('\n');
        let Some(&byte) = chunk.invalid().first() else {
            break;
        };
        let span = Span {
            start: place,
            end: place + '\u{FFFD}'.len_utf8(),
        };
        place = span.end;
        if std::mem::take(&mut new_line) {
            let message = format!("the byte 0x{byte:02X} is not UTF-8");
            sink.push(Fault::new(NOT_TEXT, span, message).help("save the file as UTF-8"));
        }
        if sink.is_full() {
            break;
        }
    }
    Some(text)
}

/// What the items gave.
#[derive(Default)]
struct Tree {
    title: Option<String>,
    params: Vec<Param>,
    pieces: Vec<Piece>,
    classes: Vec<Class>,
    board: Option<BoardItem>,
    starts: Vec<Drawing>,
    goals: Vec<Spanned<Goal>>,
    moves: Vec<MoveItem>,
    mirrors: Vec<Mirror>,
    strategies: Vec<Strategy>,
    claims: Vec<Claim>,
    blocking_claims: Vec<BlockingClaim>,
}

impl Tree {
    /// How many starts, goals, moves, mirrors and claims of both kinds there are.
    fn sizes(&self) -> [usize; 6] {
        [
            self.starts.len(),
            self.goals.len(),
            self.moves.len(),
            self.mirrors.len(),
            self.claims.len(),
            self.blocking_claims.len(),
        ]
    }

    /// Leaves out what a faulty item added since then.
    fn shrink(&mut self, [starts, goals, moves, mirrors, claims, blocking]: [usize; 6]) {
        self.starts.truncate(starts);
        self.goals.truncate(goals);
        self.moves.truncate(moves);
        self.mirrors.truncate(mirrors);
        self.claims.truncate(claims);
        self.blocking_claims.truncate(blocking);
    }

    fn into_file(self, origin: &str, text: &str) -> Option<PuzzleFile> {
        Some(PuzzleFile {
            origin: origin.to_owned(),
            text: text.to_owned(),
            title: self.title?,
            params: self.params,
            pieces: self.pieces,
            classes: self.classes,
            board: self.board?,
            starts: self.starts,
            goals: self.goals,
            moves: self.moves,
            mirrors: self.mirrors,
            strategies: self.strategies,
            claims: self.claims,
            blocking_claims: self.blocking_claims,
        })
    }
}

/// Reads the items one by one.
struct Reader<'r> {
    text: &'r str,
    items: &'r [Item],
    names: &'r Names,
    shape: Shape,
    counted: bool,
    members: Vec<Vec<Content>>,
    /// The names of the moves, the longest first.
    moves: Vec<String>,
    sink: Sink,
    tree: Tree,
    /// No parameter, piece, class or board is faulty.
    declarations_are_sound: bool,
    /// The text is no UTF-8: what stands for the lost signs has been told already.
    damaged: bool,
}

impl<'r> Reader<'r> {
    fn new(text: &'r str, items: &'r [Item], names: &'r Names, sink: Sink) -> Self {
        let (shape, counted) = match items.iter().find(|i| i.word == "board") {
            Some(item) => outline(text, &tokens(text, item.body)),
            None => (Shape::Unknown, false),
        };
        Self {
            text,
            items,
            names,
            shape,
            counted,
            members: Vec::new(),
            moves: moves::names(text, items),
            sink,
            tree: Tree::default(),
            declarations_are_sound: true,
            damaged: false,
        }
    }

    fn read(&mut self) {
        // Goals count the members of classes, wherever those are declared.
        for classes in [true, false] {
            for item in self.items {
                if (item.word == "class") == classes {
                    self.item(item);
                }
                if self.sink.is_full() {
                    return;
                }
            }
        }
    }

    fn item(&mut self, item: &Item) {
        let members = std::mem::take(&mut self.members);
        let moves = std::mem::take(&mut self.moves);
        let ctx = Context {
            text: self.text,
            names: self.names,
            shape: self.shape,
            counted: self.counted,
            members: &members,
            moves: &moves,
        };
        let mut faults = Vec::new();
        let before = self.tree.sizes();
        self.read_item(&ctx, item, &mut faults);
        if !faults.is_empty() {
            self.tree.shrink(before);
        }
        if matches!(item.word, "param" | "piece" | "class" | "board") {
            self.declarations_are_sound &= faults.is_empty();
        }
        // Of an item word that was mistyped its own fault says enough.
        if !item.guessed {
            faults.retain(|f| !(self.damaged && f.code == NOT_TEXT));
            self.sink
                .extend(faults.into_iter().map(|f| with_form(f, item.word)));
        }
        self.members = members;
        self.moves = moves;
        if item.word == "class" {
            let class = self.tree.classes.last();
            let read = class.filter(|c| {
                item.span().start <= c.name.span.start && c.name.span.end <= item.span().end
            });
            let members = read.map(|c| c.members.clone()).unwrap_or_default();
            self.members.push(members);
        }
    }

    fn read_item(&mut self, ctx: &Context<'_>, item: &Item, faults: &mut Vec<Fault>) {
        let tokens = tokens(self.text, item.body);
        let picture = if item.word == "piece" {
            items::picture_place(&tokens)
        } else {
            None
        };
        if check_signs(ctx, Self::signs_of(item, &tokens), picture, faults) {
            return;
        }
        if matches!(item.word, "piece" | "class") {
            faults.extend(items::no_pieces_on_counts(ctx, item));
        }
        if item.word == "move" {
            self.tree.moves.extend(moves::move_item(ctx, item, faults));
            return;
        }
        if item.word == "strategy" {
            self.tree
                .strategies
                .extend(moves::strategy(ctx, item, faults));
            return;
        }
        let mut cursor = Cursor::new(ctx, &tokens, item.body.end);
        let result = self.plain_item(&mut cursor, item);
        faults.append(&mut cursor.faults);
        faults.extend(result.err());
    }

    /// The tokens whose signs are checked: of a move those after its name, which may be any text.
    fn signs_of<'t>(item: &Item, tokens: &'t [Token]) -> &'t [Token] {
        let plain = |t: &Token| !matches!(t.kind, Kind::Other('\t' | '：'));
        let colon = tokens.iter().position(|t| t.is(":") || t.first_on_line);
        match colon.filter(|_| item.word == "move") {
            Some(colon) if tokens[..colon].iter().all(plain) => &tokens[colon..],
            _ => tokens,
        }
    }

    fn plain_item(&mut self, cursor: &mut Cursor<'_>, item: &Item) -> Result<(), Fault> {
        match item.word {
            "puzzle" => self.tree.title = Some(items::title(cursor)?),
            "param" => {
                let earlier: Vec<String> = self
                    .tree
                    .params
                    .iter()
                    .map(|p| p.name.value.clone())
                    .collect();
                self.tree.params.push(param::param(cursor, item, &earlier)?);
            }
            "piece" => self.tree.pieces.extend(items::pieces(cursor, item)?),
            "class" => self.tree.classes.push(items::class(cursor, item)?),
            "board" => self.tree.board = Some(board(cursor, item)?),
            "start" => {
                let drawing = cursor.drawing(Role::Start)?;
                cursor.finish("the next cell")?;
                self.tree.starts.push(drawing);
            }
            "goal" => {
                let value = cursor.goal()?;
                self.tree.goals.push(Spanned {
                    value,
                    span: item.span(),
                });
            }
            "mirror" => self.tree.mirrors.push(cursor.mirror(item.span())?),
            "claim" if cursor.is_about_blocking() => {
                let claim = cursor.blocking_claim(item)?;
                self.tree.blocking_claims.push(claim);
            }
            "claim" => self.tree.claims.push(items::claim(cursor, item)?),
            word => unreachable!("the item word `{word}` is read elsewhere"),
        }
        Ok(())
    }
}

/// Adds the form of the item to a fault that says no way out.
fn with_form(fault: Fault, word: &str) -> Fault {
    if fault.help.is_some() {
        return fault;
    }
    fault.help(match word {
        "puzzle" => "write `puzzle \"Title\"`",
        "param" => "write for example `param n = 3 in 1..20`",
        "piece" => "write for example `piece W \"white\"`",
        "class" => "write for example `class coin = A B`",
        "board" => {
            "write for example `board line`, `board grid 3 by 4` or `board line endless, spare 8`"
        }
        "start" => "write for example `start F^n . T^n`",
        "goal" => "write a drawing, `contains P`, `never P`, `count W = 1` or `stuck`",
        "move" => "write `move NAME: LEFT -> RIGHT`, then `along STEPS` and `where COND` if wanted",
        "mirror" => "write for example `mirror F <-> T`",
        "strategy" => "write each line as `LEFT -> RIGHT`, then `where COND` if wanted",
        _ => "write `claim COND` or `claim COND for COND`",
    })
}

/// Notes signs that look like others; whether the item cannot be read because of them.
pub(super) fn check_signs(
    ctx: &Context<'_>,
    tokens: &[Token],
    picture: Option<usize>,
    faults: &mut Vec<Fault>,
) -> bool {
    let mut bad = false;
    if tokens.len() > MOST_TOKENS {
        let span = tokens[0].span;
        faults.push(
            Fault::new(TOO_LARGE, span, "an item of more than 2^21 words")
                .help("a board has at most 2^20 cells"),
        );
        return true;
    }
    // Of blanks on one line the first is told.
    let mut last_blank: Option<usize> = None;
    for token in tokens {
        let Kind::Other(c) = token.kind else { continue };
        if Some(token.span.start) == picture {
            continue;
        }
        let instead = match foreign::always(c) {
            Some(text) => text,
            None if c == '\u{FFFD}' => {
                faults.push(
                    Fault::new(
                        NOT_TEXT,
                        token.span,
                        "the replacement character U+FFFD: the text was damaged",
                    )
                    .help("write the sign that stood here"),
                );
                bad = true;
                continue;
            }
            None => match foreign::unless_declared(c) {
                Some(text) if ctx.names.symbol(c).is_none() => text.to_owned(),
                _ => continue,
            },
        };
        bad = true;
        if c.is_whitespace() {
            let same_line = |last: usize| !ctx.text[last..token.span.start].contains('\n');
            if last_blank.replace(token.span.end).is_some_and(same_line) {
                continue;
            }
        }
        faults.push(foreign_sign(c, token.span, &instead));
    }
    bad
}

/// Notes items that are missing, out of order or there twice.
fn check_complete(text: &str, items: &[Item], sink: &mut Sink) {
    let all = |word: &'static str| items.iter().filter(move |i| i.word == word);
    let title = all("puzzle").next();
    let place = title.map_or(Span { start: 0, end: 0 }, Item::span);
    if let (Some(title), Some(first)) = (title, items.first())
        && first.word != "puzzle"
    {
        let line = line_column(text, title.head.start).0;
        sink.push(
            Fault::new(
                MISSING_ITEM,
                first.head,
                format!("the first item is `puzzle`, which stands on line {line}"),
            )
            .help("move it to the top"),
        );
    }
    for (word, example) in [
        ("puzzle", "puzzle \"Title\""),
        ("board", "board line"),
        ("start", "start A . B"),
        ("goal", "goal B . A"),
        ("move", "move step: A . -> . A"),
    ] {
        if all(word).next().is_none() && !sink.is_full() {
            sink.push(
                Fault::new(MISSING_ITEM, place, format!("the file has no `{word}`"))
                    .help(format!("write for example `{example}`")),
            );
        }
    }
    for word in ["puzzle", "board"] {
        let Some(first) = all(word).next() else {
            continue;
        };
        for again in all(word).skip(1) {
            if sink.is_full() {
                return;
            }
            sink.push(
                Fault::new(ITEM_TWICE, again.head, format!("a second `{word}`"))
                    .help("leave one of them out")
                    .related(first.head, "the first one"),
            );
        }
    }
}
