//! `param` items.

use super::cursor::{Cursor, shorten};
use super::lexer::Kind;
use super::lines::Item;
use super::names::{Meaning, ParamForm, no_name, param_form};
use crate::codes::{BAD_EXPRESSION, UNDECLARED};
use crate::fault::Fault;
use crate::syntax::{Expr, ExprKind, Param, ParamKind, Spanned};

/// `n = 3 in 1..20`, `chips = 2 3 5`, `way = forward / both`; may use the parameters of `earlier`.
pub(super) fn param(
    cursor: &mut Cursor<'_>,
    item: &Item,
    earlier: &[String],
) -> Result<Param, Fault> {
    let example =
        "write `param n = 3 in 1..20`, `param chips = 2 3 5` or `param way = forward / both`";
    let name = match cursor.peek() {
        Some(token) if token.kind == Kind::Word && !cursor.text(token.span).starts_with('_') => {
            cursor.next();
            Spanned {
                value: cursor.text(token.span).to_owned(),
                span: token.span,
            }
        }
        Some(token) => return Err(no_name(token.span, "a parameter")),
        None => return Err(no_name(item.head, "a parameter")),
    };
    cursor.expect("=").map_err(|f| f.help(example))?;
    let kind = match param_form(cursor.ctx.text, cursor.rest(), cursor.ctx.names) {
        ParamForm::Number => number(cursor, earlier)?,
        ParamForm::List => list(cursor)?,
        ParamForm::Choice => choice(cursor)?,
    };
    Ok(Param { name, kind })
}

fn number(cursor: &mut Cursor<'_>, earlier: &[String]) -> Result<ParamKind, Fault> {
    let default = cursor.expression()?;
    let mut range = None;
    if cursor.take_word("in") {
        let from = cursor.expression()?;
        if !cursor.peek().is_some_and(|t| t.kind == Kind::Dots(2)) {
            return Err(cursor
                .unexpected("`..`")
                .help("a range is written `1..20`, both ends included"));
        }
        cursor.next();
        range = Some((from, cursor.expression()?));
    }
    if let (ExprKind::Name(value), None) = (&default.kind, cursor.meaning_of(&default.kind)) {
        let shown = shorten(value);
        let fault = Fault::new(
            UNDECLARED,
            default.span,
            format!("the parameter `{shown}` is not declared"),
        );
        return Err(match cursor.nearest(value, &[]) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None => fault.help(format!(
                "a choice has two values or more: `{shown} / other`"
            )),
        });
    }
    let ends = range.iter().flat_map(|(from, to)| [from, to]);
    for expr in std::iter::once(&default).chain(ends) {
        cursor.check_integers(expr, false);
        check_earlier(cursor, expr, earlier);
    }
    let fault = cursor.finish("`in` or the end of the item");
    fault.map_err(|f| f.help("write `param n = 3 in 1..20`; a list has integers only: `2 3 5`"))?;
    Ok(ParamKind::Integer { default, range })
}

/// Notes parameters that are declared only below.
fn check_earlier(cursor: &mut Cursor<'_>, expr: &Expr, earlier: &[String]) {
    match &expr.kind {
        ExprKind::Int(_) => {}
        ExprKind::Name(name) => {
            let declared = matches!(cursor.meaning(name), Some(Meaning::Number));
            if declared && !earlier.contains(name) {
                let message = format!("`{name}` is not declared above this line");
                let fault = Fault::new(UNDECLARED, expr.span, message).help(
                    "a default and a range may use earlier parameters only: change the order",
                );
                let fault = match cursor.ctx.names.place(name) {
                    Some(place) => fault.related(place, format!("`{name}` is declared here")),
                    None => fault,
                };
                cursor.report(name, fault);
            }
        }
        ExprKind::Neg(inner) | ExprKind::Factorial(inner) => check_earlier(cursor, inner, earlier),
        ExprKind::Binary(_, left, right) => {
            check_earlier(cursor, left, earlier);
            check_earlier(cursor, right, earlier);
        }
        ExprKind::Call(_, list) => list.iter().for_each(|e| check_earlier(cursor, e, earlier)),
    }
}

fn list(cursor: &mut Cursor<'_>) -> Result<ParamKind, Fault> {
    let mut default = Vec::new();
    while !cursor.is_at_end() {
        let start = cursor.here().start;
        let negative = cursor.take("-");
        if !cursor.peek().is_some_and(|t| t.kind == Kind::Number) {
            return Err(cursor
                .unexpected("a number")
                .help("a list is written `2 3 5`, and has no range"));
        }
        cursor.next();
        let span = cursor.since(start);
        let digits: String = cursor.text(span).split_whitespace().collect();
        let value = digits.parse().map_err(|_| {
            let message = format!("the number `{}` is too large", shorten(&digits));
            Fault::new(BAD_EXPRESSION, span, message).help("lists hold 64-bit integers")
        })?;
        debug_assert!(!negative || value <= 0);
        default.push(value);
    }
    Ok(ParamKind::List { default })
}

fn choice(cursor: &mut Cursor<'_>) -> Result<ParamKind, Fault> {
    let mut values: Vec<Spanned<String>> = Vec::new();
    loop {
        let Some(token) = cursor.peek().filter(|t| t.kind == Kind::Word) else {
            return Err(cursor
                .unexpected("the value of a choice")
                .help("a value is a name: `forward / both`"));
        };
        cursor.next();
        let value = cursor.text(token.span);
        if value.starts_with('_') {
            return Err(no_name(token.span, "the value of a choice"));
        }
        values.push(Spanned {
            value: value.to_owned(),
            span: token.span,
        });
        if !cursor.take("/") {
            break;
        }
    }
    let fault = cursor.finish("`/` or the end of the item");
    fault.map_err(|f| f.help("a choice is written `forward / both`, and has no range"))?;
    Ok(ParamKind::Choice { values })
}

impl Cursor<'_> {
    /// What a bare name means.
    fn meaning_of(&self, kind: &ExprKind) -> Option<Meaning> {
        match kind {
            ExprKind::Name(name) => self.meaning(name),
            _ => None,
        }
    }
}
