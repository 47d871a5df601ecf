//! What a rule file says, item by item: the tree the parser hands over.
//!
//! Names are resolved (a term is a symbol, a class or a capture, never a bare word), but nothing
//! depends on parameter values yet: repeats and sizes are still expressions.

use num_bigint::BigInt;

/// A stretch of the source text, in bytes; `start..end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A value and where it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

/// A whole rule file.
#[derive(Clone, Debug)]
pub struct PuzzleFile {
    /// What the text is called in faults (a path, a shipped name, `standard input`).
    pub origin: String,
    /// The text itself.
    pub text: String,
    /// The quoted title.
    pub title: String,
    /// Parameters in order of declaration.
    pub params: Vec<Param>,
    /// Pieces in order of declaration; piece `i` has symbol number `i + 1`, and 0 is `.`.
    pub pieces: Vec<Piece>,
    /// Classes in order of declaration.
    pub classes: Vec<Class>,
    /// The board.
    pub board: BoardItem,
    /// Start drawings; at least one.
    pub starts: Vec<Drawing>,
    /// Goals; at least one; a position that meets any of them is a goal.
    pub goals: Vec<Spanned<Goal>>,
    /// Moves in order.
    pub moves: Vec<MoveItem>,
    /// Mirrors in order.
    pub mirrors: Vec<Mirror>,
    /// Strategies in order.
    pub strategies: Vec<Strategy>,
    /// Claims about figures, in order.
    pub claims: Vec<Claim>,
    /// Claims about blocking, in order.
    pub blocking_claims: Vec<BlockingClaim>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Spanned<String>,
    /// What values it may take.
    pub kind: ParamKind,
}

/// What values a parameter may take.
#[derive(Clone, Debug)]
pub enum ParamKind {
    /// `param n = 3 in 1..20`; without `in`, any integer.
    Integer {
        /// The default; may use earlier parameters.
        default: Expr,
        /// The inclusive range.
        range: Option<(Expr, Expr)>,
    },
    /// `param chips = 2 3 5`.
    List {
        /// The default.
        default: Vec<i64>,
    },
    /// `param way = forward / both`; the first is the default.
    Choice {
        /// The values in order.
        values: Vec<Spanned<String>>,
    },
}

/// A piece.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The one-character symbol.
    pub symbol: char,
    /// The quoted name, for display only.
    pub name: String,
    /// The picture for Unicode boards, if given.
    pub picture: Option<char>,
    /// Where it is declared.
    pub span: Span,
}

/// A class of cell contents.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name.
    pub name: Spanned<String>,
    /// Members in order (the order of `tile[1..k]`).
    pub members: Vec<Content>,
}

/// What may stand in one cell, or beyond the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Content {
    /// A symbol: 0 is `.`, then pieces as declared.
    Symbol(u8),
    /// `#`: no cell.
    NoCell,
}

/// The `board` item.
#[derive(Clone, Debug)]
pub struct BoardItem {
    /// Its shape.
    pub kind: BoardKind,
    /// `of counts`.
    pub counted: bool,
    /// `cap E`.
    pub cap: Option<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// The shape of a board.
#[derive(Clone, Debug)]
pub enum BoardKind {
    /// A row; its length comes from the start.
    Line,
    /// A row whose ends meet.
    Ring,
    /// A grid; `None`: size from the start drawing.
    Grid(Option<(Expr, Expr)>),
    /// A grid whose opposite edges meet.
    Torus(Option<(Expr, Expr)>),
    /// A graph.
    Graph(Graph),
    /// A row without end, searched in a window.
    Endless(Window),
}

/// The window of an endless row.
#[derive(Clone, Debug)]
pub enum Window {
    /// Spare cells left and right of the start.
    Spare(Expr, Expr),
    /// Positions up to shift, at most so many cells from the first piece to the last.
    Span(Expr),
}

/// A graph board: cells in order of first mention.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Names of the cells; for graph6 boards `1`, `2`, ...
    pub names: Vec<String>,
    /// Joined cells, each pair once, smaller first, sorted.
    pub edges: Vec<(u32, u32)>,
}

/// A drawing: a start, a goal drawing, or one side of a move. Rows as drawn.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// Rows (lines, or parts between `/`); boards that are not grids have one.
    pub rows: Vec<Vec<Term>>,
    /// Where it stands.
    pub span: Span,
}

/// One term of a drawing: an atom, perhaps repeated.
#[derive(Clone, Debug)]
pub struct Term {
    /// What is drawn.
    pub atom: Atom,
    /// `^EXPR`.
    pub repeat: Option<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// What one term draws.
#[derive(Clone, Debug)]
pub enum Atom {
    /// Exactly this content: a symbol, `.` or `#`.
    Is(Content),
    /// Any cell `_`, in patterns.
    Any,
    /// Any member of a class (a number in [`PuzzleFile::classes`]), in patterns.
    Class(usize),
    /// `!W`, `!coin`: any cell but these (never `#`), in patterns.
    Not(Box<Atom>),
    /// `x:item` where item is a one-cell item or a stretch; in left sides.
    Capture(String, Box<Atom>),
    /// A capture written (right sides).
    Recall(String),
    /// `~x`: a captured stretch turned round (right sides).
    Turned(String),
    /// `item*` (least 0) or `item+` (least 1), in patterns.
    Stretch {
        /// The one-cell item.
        item: Box<Atom>,
        /// 0 or 1.
        least: usize,
    },
    /// `...` in a pattern: `_*` of the shortest length that fits. (In a start or goal drawing the
    /// parser has already made it three empty cells.)
    Shortest,
    /// `(A B)`.
    Group(Vec<Term>),
    /// `tile[a..b]`: members of a class, 1-based, in order; backwards if a > b, but
    /// `tile[1..0]` means none.
    Members {
        /// Number of the class in [`PuzzleFile::classes`].
        class: usize,
        /// First.
        from: Expr,
        /// Last.
        to: Expr,
    },
    /// Counted boards, start and tests: a number, or a parameter (a list gives many cells). `.` is
    /// `Number(0)`.
    Number(Expr),
    /// Counted boards, tests: `2..`, `0..1`.
    Range(Expr, Option<Expr>),
    /// Counted boards, right sides: what is added (`+1`, `-x`, `+(a-x)`).
    Add(Expr),
}

/// An integer expression; also the operand of a comparison, where names may be pieces, captures,
/// choices, keys of the summary or strategies.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of an expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal.
    Int(BigInt),
    /// A name, meaning by context.
    Name(String),
    /// `-e`.
    Neg(Box<Expr>),
    /// `a + b` and so on.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `e!`.
    Factorial(Box<Expr>),
    /// `fib(k)` and so on.
    Call(Function, Vec<Expr>),
}

/// Arithmetic operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// Rounds down.
    Div,
    Pow,
}

/// Functions of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Function {
    Fib,
    Binomial,
    Min,
    Max,
}

/// A condition: `where`, `claim`, `for`.
#[derive(Clone, Debug)]
pub struct Cond {
    /// What it is.
    pub kind: CondKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms of a condition.
#[derive(Clone, Debug)]
pub enum CondKind {
    /// `a = b` and so on.
    Compare(Expr, Comparison, Expr),
    /// `n in 1..7`, inclusive.
    In(Expr, Expr, Expr),
    /// All of these.
    And(Vec<Cond>),
    /// Any of these.
    Or(Vec<Cond>),
    /// Not this.
    Not(Box<Cond>),
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Comparison {
    /// Whether the comparison holds for operands that compare as `order`.
    #[must_use]
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        match self {
            Self::Eq => order == Equal,
            Self::Ne => order != Equal,
            Self::Lt => order == Less,
            Self::Le => order != Greater,
            Self::Gt => order == Greater,
            Self::Ge => order != Less,
        }
    }
}

/// A goal.
#[derive(Clone, Debug)]
pub enum Goal {
    /// The whole position matches the drawing of one-cell pattern items.
    Drawing(Drawing),
    /// `contains P [along STEPS]`.
    Contains(Drawing, Vec<StepWord>),
    /// `never P [along STEPS]`.
    Never(Drawing, Vec<StepWord>),
    /// `count W = 1`; on counted boards never used.
    Count(Vec<Content>, Comparison, Expr),
    /// No move applies.
    Stuck,
    /// Not this.
    Not(Box<Goal>),
    /// All of these.
    And(Vec<Goal>),
    /// Any of these.
    Or(Vec<Goal>),
}

/// One word after `along`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum StepWord {
    Right,
    Left,
    Up,
    Down,
    Both,
    Orthogonal,
    Diagonal,
    King,
    Knight,
    Edges,
    /// `(dx,dy)`, y grows downward.
    Vector(i32, i32),
    /// A choice parameter of such words.
    Param(String),
}

/// A `move` item.
#[derive(Clone, Debug)]
pub struct MoveItem {
    /// The text before the colon.
    pub name: String,
    /// Left side.
    pub left: Drawing,
    /// Right side.
    pub right: Drawing,
    /// `<->`: the inverse too.
    pub both: bool,
    /// `along`; empty: the board's default.
    pub along: Vec<StepWord>,
    /// `where`.
    pub condition: Option<Cond>,
    /// The whole item.
    pub span: Span,
}

/// A `mirror` item.
#[derive(Clone, Debug)]
pub struct Mirror {
    /// Pairs of symbols to exchange (pieces).
    pub pieces: Vec<(u8, u8)>,
    /// Pairs of classes to exchange (numbers in [`PuzzleFile::classes`]).
    pub classes: Vec<(usize, usize)>,
    /// Where it stands.
    pub span: Span,
}

/// A strategy.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// Its name.
    pub name: Spanned<String>,
    /// `sweep`.
    pub sweep: bool,
    /// Lines in order.
    pub lines: Vec<StrategyLine>,
}

/// A line of a strategy.
#[derive(Clone, Debug)]
pub struct StrategyLine {
    /// Left side.
    pub left: Drawing,
    /// Right side.
    pub right: Drawing,
    /// `where`.
    pub condition: Option<Cond>,
    /// Where it stands.
    pub span: Span,
}

/// A claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What is claimed.
    pub condition: Cond,
    /// `for ...`: which parameter values it speaks of.
    pub domain: Option<Cond>,
    /// The whole item.
    pub span: Span,
}

/// A claim about blocking: which states are lost, or which moves lose.
#[derive(Clone, Debug)]
pub struct BlockingClaim {
    /// What is claimed.
    pub statement: BlockingStatement,
    /// `for ...`: which parameter values it speaks of.
    pub domain: Option<Cond>,
    /// The whole item.
    pub span: Span,
}

/// What a claim about blocking says.
#[derive(Clone, Debug)]
pub enum BlockingStatement {
    /// `contains P is lost`, or with `exactly` `lost iff contains P`.
    Lost {
        /// The states it speaks of.
        states: Goal,
        /// All lost states are among them.
        exactly: bool,
    },
    /// `MOVE in CONTEXT is blocking` and its kin.
    Moves {
        /// The name of the move.
        name: Spanned<String>,
        /// Where it is made: in any of these, or anywhere if there is none.
        contexts: Vec<Context>,
        /// What is said of it there.
        effect: BlockingEffect,
    },
}

/// What a claim says of the moves it speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockingEffect {
    /// They are blocking moves.
    Always,
    /// They are, and no other move of that name is.
    Exactly,
    /// None of them is.
    Never,
}

/// The context of a move: a pattern with the cells that change in brackets, `T [F .] T`.
#[derive(Clone, Debug)]
pub struct Context {
    /// The pattern, without the brackets.
    pub drawing: Drawing,
    /// The brackets; at least one.
    pub marks: Vec<Span>,
    /// `along`; empty: the board's default.
    pub along: Vec<StepWord>,
}
