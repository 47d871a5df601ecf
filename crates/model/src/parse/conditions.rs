//! Conditions: `where`, `claim`, `for`.

use super::cursor::{Cursor, shorten};
use super::lexer::{Kind, Token};
use super::names::Meaning;
use crate::codes::{BAD_CLAIM, MIXED_KINDS, SYNTAX, UNBOUND_CAPTURE, UNDECLARED, WRONG_PLACE};
use crate::fault::{Code, Fault};
use crate::syntax::{Comparison, Cond, CondKind, Expr, ExprKind, Span};

/// The keys of the summary that a claim may speak of.
pub(super) const CLAIM_KEYS: [&str; 21] = [
    "states",
    "transitions",
    "starts",
    "goals",
    "live",
    "doomed",
    "dead_ends",
    "lost",
    "blocking_moves",
    "points_of_no_return",
    "only_moves",
    "shortest",
    "shortest_solutions",
    "max_depth",
    "max_remoteness",
    "first_dead_end_depth",
    "window_cut_depth",
    "graded",
    "reversible",
    "longest",
    "plays",
];

/// What the names of a condition may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// `where`: captures, pieces, parameters, choices, `at`.
    Where,
    /// `claim`: keys of the summary, strategies, parameters, choices, `none`.
    Claim,
    /// `for`: parameters and choices.
    Domain,
}

/// What an operand of a comparison is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sort {
    Number,
    /// `graded`, `reversible`, `true`, `false`.
    Flag,
    /// `none`.
    Absent,
    /// A piece, or a capture that remembers one.
    Piece,
    /// A choice parameter, by number.
    Choice(usize),
    /// A value of a choice.
    Value(String),
    /// Not known because of another fault.
    Unknown,
}

impl Cursor<'_> {
    /// A condition whose names are checked.
    pub(super) fn condition(&mut self, scope: Scope) -> Result<Cond, Fault> {
        let cond = self.bare_condition()?;
        self.check_condition(&cond, scope);
        Ok(cond)
    }

    /// A condition with any names.
    pub(super) fn bare_condition(&mut self) -> Result<Cond, Fault> {
        let first = self.conjunction()?;
        let mut all = vec![first];
        while self.take_joint("or", "|")? {
            all.push(self.conjunction()?);
        }
        Ok(joined(all, CondKind::Or))
    }

    fn conjunction(&mut self) -> Result<Cond, Fault> {
        let mut all = vec![self.negation()?];
        while self.take_joint("and", "&")? {
            all.push(self.negation()?);
        }
        Ok(joined(all, CondKind::And))
    }

    /// Steps over `and` or `or`; their signs in other languages are faults.
    fn take_joint(&mut self, word: &str, elsewhere: &str) -> Result<bool, Fault> {
        if self.peek().is_some_and(|t| self.text(t.span) == elsewhere) {
            return Err(self
                .unexpected(&format!("`{word}`"))
                .help(format!("write `{word}`")));
        }
        Ok(self.take_word(word))
    }

    fn negation(&mut self) -> Result<Cond, Fault> {
        let start = self.here().start;
        if self.take_word("not") {
            let inner = self.deeper(Self::negation)?;
            return Ok(Cond {
                span: self.since(start),
                kind: CondKind::Not(Box::new(inner)),
            });
        }
        if self.is("!") {
            return Err(self.unexpected("a condition").help("write `not`"));
        }
        if self.is("(") && holds_condition(self.rest(), self.ctx.text) {
            self.next();
            let inner = self.deeper(Self::bare_condition)?;
            self.expect(")")?;
            return Ok(Cond {
                span: self.since(start),
                ..inner
            });
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Cond, Fault> {
        let left = self.operand()?;
        let start = left.span.start;
        if self.take_word("in") {
            let from = self.expression()?;
            if !self.peek().is_some_and(|t| t.kind == Kind::Dots(2)) {
                return Err(self
                    .unexpected("`..`")
                    .help("a range is written `1..7`, both ends included"));
            }
            self.next();
            let to = self.expression()?;
            return Ok(Cond {
                span: self.since(start),
                kind: CondKind::In(left, from, to),
            });
        }
        let comparison = self.comparison_sign()?;
        let right = self.operand()?;
        if self.peek().is_some_and(is_comparison) {
            return Err(self
                .unexpected("`and`, `or` or the end")
                .help("compare two things at a time: `1 < x and x < 3`"));
        }
        let kind = CondKind::Compare(left, comparison, right);
        Ok(Cond {
            span: self.since(start),
            kind,
        })
    }

    /// What is compared: an expression, or `.`, the content of an empty cell.
    fn operand(&mut self) -> Result<Expr, Fault> {
        let span = self.here();
        if self.peek().is_none_or(|t| t.kind != Kind::Dots(1)) {
            return self.expression();
        }
        self.next();
        let kind = ExprKind::Name(".".to_owned());
        Ok(Expr { kind, span })
    }

    /// `=`, `!=`, `<`, `<=`, `>`, `>=`.
    pub(super) fn comparison_sign(&mut self) -> Result<Comparison, Fault> {
        let sign = self
            .peek()
            .filter(|&t| is_comparison(t))
            .map(|t| self.text(t.span));
        let comparison = match sign {
            Some("=") => Comparison::Eq,
            Some("!=") => Comparison::Ne,
            Some("<") => Comparison::Lt,
            Some("<=") => Comparison::Le,
            Some(">") => Comparison::Gt,
            Some(">=") => Comparison::Ge,
            _ => {
                let fault = self.unexpected("a comparison");
                return Err(fault.help("write one of = != < <= > >="));
            }
        };
        let start = self.here().start;
        self.next();
        let (after, rest) = (self.since(start), self.peek());
        let doubled = match (comparison, rest.filter(|t| t.glued)) {
            (Comparison::Eq, Some(t)) if t.is("=") => Some("="),
            (Comparison::Eq, Some(t)) if t.is("<") => Some("<="),
            (Comparison::Eq, Some(t)) if t.is(">") => Some(">="),
            (Comparison::Lt, Some(t)) if t.is(">") => Some("!="),
            _ => None,
        };
        match doubled {
            Some(write) => {
                let span = Span {
                    start: after.start,
                    end: self.here().end,
                };
                let message = format!("`{}` is no comparison", self.text(span));
                Err(Fault::new(SYNTAX, span, message).help(format!("write `{write}`")))
            }
            None => Ok(comparison),
        }
    }

    /// Notes faults of names that mean nothing here, and of things that cannot be compared.
    fn check_condition(&mut self, cond: &Cond, scope: Scope) {
        match &cond.kind {
            CondKind::Compare(left, op, right) => {
                let sorts = (self.sort(left, scope), self.sort(right, scope));
                if let Some(fault) = self.mismatch(cond.span, &sorts.0, *op, &sorts.1) {
                    self.note(fault);
                }
            }
            CondKind::In(left, from, to) => {
                for expr in [left, from, to] {
                    self.need_number(expr, scope);
                }
            }
            CondKind::And(all) | CondKind::Or(all) => {
                for inner in all {
                    self.check_condition(inner, scope);
                }
            }
            CondKind::Not(inner) => self.check_condition(inner, scope),
        }
    }

    fn need_number(&mut self, expr: &Expr, scope: Scope) {
        let sort = self.sort(expr, scope);
        if !matches!(sort, Sort::Number | Sort::Absent | Sort::Unknown) {
            let message = format!("{} is no number", sort.describe(self));
            let help = "numbers are compared and computed with numbers only";
            self.faults
                .push(Fault::new(MIXED_KINDS, expr.span, message).help(help));
        }
    }

    /// What an operand is; its names are checked on the way.
    fn sort(&mut self, expr: &Expr, scope: Scope) -> Sort {
        match &expr.kind {
            ExprKind::Int(_) => Sort::Number,
            ExprKind::Name(name) => match self.sort_of_name(name, expr.span, scope) {
                Ok(sort) => sort,
                Err(fault) => {
                    self.report(name, fault);
                    Sort::Unknown
                }
            },
            ExprKind::Neg(inner) | ExprKind::Factorial(inner) => {
                self.need_number(inner, scope);
                Sort::Number
            }
            ExprKind::Binary(_, left, right) => {
                self.need_number(left, scope);
                self.need_number(right, scope);
                Sort::Number
            }
            ExprKind::Call(_, list) => {
                for argument in list {
                    self.need_number(argument, scope);
                }
                Sort::Number
            }
        }
    }

    fn sort_of_name(&self, name: &str, span: Span, scope: Scope) -> Result<Sort, Fault> {
        if scope == Scope::Where
            && let Some(capture) = self.capture(name)
        {
            return match (self.ctx.counted, capture.stretch) {
                (true, false) => Ok(Sort::Number),
                (false, false) => Ok(Sort::Piece),
                (_, true) => Err(wrong_place(
                    name,
                    span,
                    "a whole stretch, which cannot be compared",
                )),
            };
        }
        let wrong = |what: &str| Err(wrong_place(name, span, what));
        match self.meaning(name) {
            Some(Meaning::Unknown) => Ok(Sort::Unknown),
            Some(Meaning::Number) => Ok(Sort::Number),
            Some(Meaning::Choice(number)) => Ok(Sort::Choice(number)),
            Some(Meaning::Value) => Ok(Sort::Value(name.to_owned())),
            Some(Meaning::List) => wrong("a list of numbers, which cannot be compared"),
            Some(Meaning::Class(_)) => wrong("a class; compare with the pieces it holds"),
            None if name == "." && scope == Scope::Where && !self.ctx.counted => Ok(Sort::Piece),
            Some(Meaning::Piece(_)) if scope == Scope::Where => Ok(Sort::Piece),
            Some(Meaning::Piece(_)) => wrong("a piece, of which a claim cannot speak"),
            Some(Meaning::Strategy) if scope == Scope::Claim => Ok(Sort::Number),
            Some(Meaning::Strategy) => wrong("a strategy, known only in claims"),
            None => self.sort_of_key(name, span, scope),
        }
    }

    fn sort_of_key(&self, name: &str, span: Span, scope: Scope) -> Result<Sort, Fault> {
        match (scope, name) {
            (Scope::Where, "at") => Ok(Sort::Number),
            (Scope::Claim, "none") => Ok(Sort::Absent),
            (Scope::Claim, "graded" | "reversible" | "true" | "false") => Ok(Sort::Flag),
            (Scope::Claim, _) if CLAIM_KEYS.contains(&name) => Ok(Sort::Number),
            (_, "at") => Err(wrong_place(name, span, "known only in `where`")),
            (_, "none") => Err(wrong_place(name, span, "known only in claims")),
            (Scope::Domain, _) if CLAIM_KEYS.contains(&name) => {
                let message = format!("`{name}` is a result, but `for` speaks of parameters");
                Err(Fault::new(BAD_CLAIM, span, message).help("move it before `for`"))
            }
            (Scope::Where, _) => Err(self.unknown_in_where(name, span)),
            (Scope::Claim | Scope::Domain, _) => {
                let more: &[&'static str] = if scope == Scope::Claim {
                    &CLAIM_KEYS
                } else {
                    &[]
                };
                Err(self.unknown(BAD_CLAIM, name, span, more))
            }
        }
    }

    fn unknown_in_where(&self, name: &str, span: Span) -> Fault {
        if self.nearest(name, &[]).is_some() {
            self.unknown(UNDECLARED, name, span, &[])
        } else {
            unbound(name, span)
        }
    }

    fn unknown(&self, code: Code, name: &str, span: Span, more: &[&'static str]) -> Fault {
        let shown = shorten(name);
        let fault = Fault::new(code, span, format!("nothing is called `{shown}`"));
        match self.nearest(name, more) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None if more.is_empty() => fault.help("use the parameters of the file"),
            None => fault.help(format!(
                "use parameters, strategies of the file, or one of: {}",
                more.join(", ")
            )),
        }
    }

    /// The fault of comparing two things that can never be equal.
    fn mismatch(&self, span: Span, left: &Sort, op: Comparison, right: &Sort) -> Option<Fault> {
        use Sort::{Absent, Choice, Flag, Number, Piece, Unknown, Value};
        let fault =
            |message: String, help: &str| Some(Fault::new(MIXED_KINDS, span, message).help(help));
        let order = !matches!(op, Comparison::Eq | Comparison::Ne);
        match (left, right) {
            (Piece, Piece) if order => fault(
                "pieces have no order".to_owned(),
                "compare pieces with `=` or `!=`; write a move for every pair that is meant",
            ),
            (Piece, Piece)
            | (Unknown, _)
            | (_, Unknown)
            | (Number | Flag | Absent, Number | Absent)
            | (Number | Absent, Flag) => None,
            (Flag, Flag) | (Choice(_), Choice(_)) if !order => None,
            (Choice(_) | Value(_) | Flag, Choice(_) | Value(_) | Flag) if order => fault(
                format!("{} has no order", left.describe(self)),
                "compare choices with `=` or `!=`",
            ),
            (Choice(number), Value(value)) | (Value(value), Choice(number)) => {
                let (name, values) = &self.ctx.names.choices[*number];
                if values.contains(value) {
                    return None;
                }
                fault(
                    format!("`{name}` is never `{value}`"),
                    &format!("`{name}` is one of {}", values.join(" / ")),
                )
            }
            _ => fault(
                format!(
                    "{} is compared with {}",
                    left.describe(self),
                    right.describe(self)
                ),
                "compare numbers with numbers, pieces with pieces, a choice with its values",
            ),
        }
    }
}

impl Sort {
    fn describe(&self, cursor: &Cursor<'_>) -> String {
        match self {
            Self::Number => "a number".to_owned(),
            Self::Flag => "true or false".to_owned(),
            Self::Absent => "`none`".to_owned(),
            Self::Piece => "a piece".to_owned(),
            Self::Choice(number) => format!("the choice `{}`", cursor.ctx.names.choices[*number].0),
            Self::Value(value) => format!("the value `{value}` of a choice"),
            Self::Unknown => "something".to_owned(),
        }
    }
}

/// The fault of a name that nothing on the left side binds.
pub(super) fn unbound(name: &str, span: Span) -> Fault {
    let shown = shorten(name);
    Fault::new(
        UNBOUND_CAPTURE,
        span,
        format!("`{shown}` is remembered nowhere on the left side"),
    )
    .help(format!(
        "write `{shown}:_` or `{shown}:CLASS` at a cell of the left side"
    ))
}

fn wrong_place(name: &str, span: Span, what: &str) -> Fault {
    let message = format!("`{name}` is {what}");
    Fault::new(WRONG_PLACE, span, message).help(match what {
        _ if what.contains("class") => "write for example `x = A or x = B`",
        _ => "compare captures, pieces, numbers, parameters and choices",
    })
}

fn joined(mut all: Vec<Cond>, join: impl FnOnce(Vec<Cond>) -> CondKind) -> Cond {
    if all.len() == 1 {
        return all.pop().expect("one condition");
    }
    let span = Span {
        start: all[0].span.start,
        end: all[all.len() - 1].span.end,
    };
    Cond {
        kind: join(all),
        span,
    }
}

fn is_comparison(token: Token) -> bool {
    ["=", "!=", "<", "<=", ">", ">="]
        .iter()
        .any(|sign| token.is(sign))
}

/// Whether the bracket that opens `tokens` holds a condition, not an expression.
fn holds_condition(tokens: &[Token], text: &str) -> bool {
    let mut depth = 0;
    for token in tokens {
        match token.kind {
            Kind::Sign("(") => depth += 1,
            Kind::Sign(")") if depth == 1 => return false,
            Kind::Sign(")") => depth -= 1,
            Kind::Word
                if matches!(
                    &text[token.span.start..token.span.end],
                    "and" | "or" | "not" | "in"
                ) =>
            {
                return true;
            }
            _ if is_comparison(*token) => return true,
            _ => {}
        }
    }
    false
}
