//! What the parser makes of well-written text.

use impasse_model::parse::{parse, parse_condition, parse_drawing, parse_expr};
use impasse_model::syntax::{
    Atom, BinaryOp, BoardKind, Cond, CondKind, Content, Drawing, Expr, ExprKind, Goal, ParamKind,
    PuzzleFile, Term, Window,
};

/// Reads a file that must be good.
fn good(text: &str) -> PuzzleFile {
    match parse("test", text.as_bytes()) {
        Ok(parsed) => parsed.file,
        Err(faults) => {
            let found: Vec<String> = faults
                .faults
                .iter()
                .map(|f| format!("{} {} at {:?}", f.code.as_str(), f.message, f.span))
                .collect();
            panic!("{text}\n{}", found.join("\n"));
        }
    }
}

/// A file on a line with these lines added.
fn on_line(more: &str) -> PuzzleFile {
    good(&format!(
        "puzzle \"T\"\nparam n = 3\nparam over = opponent / any\npiece F \"f\"\npiece T \"t\"\n\
         class piece = F T\nclass FT = F T .\nboard line\nstart F^n . T^n\ngoal T^n . F^n\n\
         move first: F . -> . F\n{more}\n"
    ))
}

/// A file on a row of counts with these lines added.
fn on_counts(more: &str) -> PuzzleFile {
    good(&format!(
        "puzzle \"T\"\nparam n = 3\nparam l = 1 2 3\nboard line of counts, cap 9\nstart n\n\
         goal 1\nmove first: +1\n{more}\n"
    ))
}

/// A file on a grid with these lines added.
fn on_grid(more: &str) -> PuzzleFile {
    good(&format!(
        "puzzle \"T\"\npiece F \"f\"\npiece T \"t\"\nclass piece = F T\nboard grid\n\
         start\n  F .\n  . #\ngoal stuck\nmove first: F . -> . F along king\n{more}\n"
    ))
}

fn drawing(d: &Drawing) -> String {
    let rows: Vec<String> = d.rows.iter().map(|row| terms(row)).collect();
    rows.join(" / ")
}

fn terms(all: &[Term]) -> String {
    let words: Vec<String> = all.iter().map(term).collect();
    words.join(" ")
}

fn term(t: &Term) -> String {
    match &t.repeat {
        Some(e) => format!("{}^{}", atom(&t.atom), expr(e)),
        None => atom(&t.atom),
    }
}

fn atom(a: &Atom) -> String {
    match a {
        Atom::Is(Content::Symbol(s)) => s.to_string(),
        Atom::Is(Content::NoCell) => "#".to_owned(),
        Atom::Any => "_".to_owned(),
        Atom::Class(c) => format!("c{c}"),
        Atom::Not(inner) => format!("!{}", atom(inner)),
        Atom::Capture(name, inner) => format!("{name}:{}", atom(inner)),
        Atom::Recall(name) => format!("recall({name})"),
        Atom::Turned(name) => format!("turned({name})"),
        Atom::Stretch { item, least } => format!("{}{{{least}..}}", atom(item)),
        Atom::Shortest => "shortest".to_owned(),
        Atom::Group(inner) => format!("({})", terms(inner)),
        Atom::Members { class, from, to } => format!("c{class}[{}..{}]", expr(from), expr(to)),
        Atom::Number(e) => format!("={}", expr(e)),
        Atom::Range(from, to) => {
            format!(
                "{}..{}",
                expr(from),
                to.as_ref().map(expr).unwrap_or_default()
            )
        }
        Atom::Add(e) => format!("add {}", expr(e)),
    }
}

fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Int(v) => v.to_string(),
        ExprKind::Name(n) => n.clone(),
        ExprKind::Neg(inner) => format!("-{}", expr(inner)),
        ExprKind::Factorial(inner) => format!("{}!", expr(inner)),
        ExprKind::Binary(op, a, b) => {
            let sign = match op {
                BinaryOp::Add => '+',
                BinaryOp::Sub => '-',
                BinaryOp::Mul => '*',
                BinaryOp::Div => '/',
                BinaryOp::Pow => '^',
            };
            format!("({}{sign}{})", expr(a), expr(b))
        }
        ExprKind::Call(f, list) => {
            let list: Vec<String> = list.iter().map(expr).collect();
            format!("{f:?}({})", list.join(","))
        }
    }
}

fn cond(c: &Cond) -> String {
    let all = |list: &[Cond]| list.iter().map(cond).collect::<Vec<_>>().join(" ");
    match &c.kind {
        CondKind::Compare(a, op, b) => format!("{op:?}({},{})", expr(a), expr(b)),
        CondKind::In(a, from, to) => format!("In({},{},{})", expr(a), expr(from), expr(to)),
        CondKind::And(list) => format!("and({})", all(list)),
        CondKind::Or(list) => format!("or({})", all(list)),
        CondKind::Not(inner) => format!("not({})", cond(inner)),
    }
}

fn goal(g: &Goal) -> String {
    let all = |list: &[Goal]| list.iter().map(goal).collect::<Vec<_>>().join(", ");
    match g {
        Goal::Drawing(d) => drawing(d),
        Goal::Contains(d, steps) => format!("contains[{}]{steps:?}", drawing(d)),
        Goal::Never(d, steps) => format!("never[{}]{steps:?}", drawing(d)),
        Goal::Count(list, op, e) => format!("count{}{op:?}{}", list.len(), expr(e)),
        Goal::Stuck => "stuck".to_owned(),
        Goal::Not(inner) => format!("not({})", goal(inner)),
        Goal::And(list) => format!("and({})", all(list)),
        Goal::Or(list) => format!("or({})", all(list)),
    }
}

/// The last move of a file, as `LEFT -> RIGHT`.
fn last_move(file: &PuzzleFile) -> String {
    let last = file.moves.last().expect("a move");
    let arrow = if last.both { "<->" } else { "->" };
    format!("{} {arrow} {}", drawing(&last.left), drawing(&last.right))
}

#[test]
fn words_in_patterns() {
    let check = |sides: &str, expected: &str| {
        assert_eq!(
            last_move(&on_line(&format!("move m: {sides}"))),
            expected,
            "{sides}"
        );
    };
    check("FF.TT -> TT.FF", "1 1 0 2 2 -> 2 2 0 1 1");
    check("F_T -> T_F", "1 _ 2 -> 2 _ 1");
    check("T.F -> F.T", "2 0 1 -> 1 0 2");
    check("FT -> FT", "c1 -> c1"); // the class, not two pieces
    check("FTF -> TFF", "1 2 1 -> 2 1 1");
    check("F T -> T F", "1 2 -> 2 1");
    check("FF* . -> FF* .", "1 1{0..} 0 -> 1 1{0..} 0");
    check("F^2T -> TF^2", "1^2 2 -> 2 1^2");
    check("F^n(F T)^n -> F^n(F T)^n", "1^n (1 2)^n -> 1^n (1 2)^n");
    check(".^(n-1) F -> F .^(n-1)", "0^(n-1) 1 -> 1 0^(n-1)");
    check("!F !piece -> !F !piece", "!1 !c0 -> !1 !c0");
    check("# x:piece+ -> # ~x", "# x:c0{1..} -> # turned(x)");
    check("x:_ y:!F -> y x", "x:_ y:!1 -> recall(y) recall(x)");
    check("x:F y:T -> yx", "x:1 y:2 -> recall(y) recall(x)");
    check("F ... . -> . ... F", "1 shortest 0 -> 0 shortest 1");
    check("F .. -> .. F", "1 0 0 -> 0 0 1");
    check("piece[1..n] -> piece[n..1]", "c0[1..n] -> c0[n..1]");
    check("F . <-> . F", "1 0 <-> 0 1");
}

#[test]
fn words_in_counted_patterns() {
    let check = |sides: &str, expected: &str| {
        assert_eq!(
            last_move(&on_counts(&format!("move m: {sides}"))),
            expected,
            "{sides}"
        );
    };
    check("+1 +1 -1", "_ _ _ -> add 1 add 1 add -1");
    check("# -2 +1", "# _ _ -> # add -2 add 1");
    check("+1 _* -1", "_ _{0..} _ -> add 1 _{0..} add -1");
    check("2.. . -> -1 +1", "2.. =0 -> add -1 add 1");
    check("0..1 n..5 1..n -> _ _ +n", "0..1 n..5 1..n -> _ _ add n");
    check(
        "1* 1 2.. . -> _* _ -1 +1",
        "=1{0..} =1 2.. =0 -> _{0..} _ add -1 add 1",
    );
    check(
        "x:_ y:_ -> -min(x,n-y) +(x-1)",
        "x:_ y:_ -> add -Min(x,(n-y)) add (x-1)",
    );
    check("x:2.. _ -> -x +x", "x:2.. _ -> add -x add x");
    check("n l 7 -> _ _ +1", "=n =l =7 -> _ _ add 1");
    check("__ -> +1 -1", "_ _ -> add 1 add -1");
}

#[test]
fn starts_and_positions() {
    let check = |file: &PuzzleFile, text: &str, expected: &str| {
        let read = parse_drawing(file, text).map(|d| drawing(&d));
        assert_eq!(read.as_deref(), Ok(expected), "{text}");
    };
    let line = on_line("");
    check(&line, "FF.TT", "1 1 0 2 2");
    check(&line, "F..T", "1 0 0 2");
    check(&line, "F...T", "1 0 0 0 2");
    check(&line, "F....T", "1 0 0 0 0 2");
    check(&line, "F^2 (F T)^2", "1^2 (1 2)^2");
    check(&line, "FT", "1 2"); // only symbols count
    check(&line, "piece[1..2]", "c0[1..2]");
    let grid = on_grid("");
    check(&grid, "F./.#", "1 0 / 0 #");
    check(&grid, "F . / . #/", "1 0 / 0 #");
    let counts = on_counts("");
    check(&counts, "1 . . 1", "=1 =0 =0 =1");
    check(&counts, "12 0 n l", "=12 =0 =n =l");
    check(&counts, "1 ... 1", "=1 =0 =0 =0 =1");
    let bad = |file: &PuzzleFile, text: &str, code: &str| {
        let faults = parse_drawing(file, text)
            .map(|d| drawing(&d))
            .expect_err(text);
        assert_eq!(
            faults[0].code.as_str(),
            code,
            "{text}: {}",
            faults[0].message
        );
        assert!(
            faults
                .iter()
                .all(|f| f.span.is_some_and(|s| s.end <= text.len())),
            "{text}"
        );
    };
    bad(&line, "FxT", "E04");
    bad(&line, "F/T", "E19");
    bad(&line, "F_T", "E19");
    bad(&line, "F -> T", "E03");
    bad(&line, "", "E17");
    bad(&line, "F．T", "E15");
    bad(&line, "F 1", "E19");
    bad(&line, "(F", "E03");
    bad(&counts, "1 -1", "E19");
    bad(&counts, "1..2", "E19");
}

#[test]
fn continuation_lines_and_comments() {
    let file = on_line(
        "move hop: // a comment\n  F x:piece\n  // another\n\n  . -> . x F // and // more\n  where x = T\nstart\n  F F F\n  . T T T",
    );
    assert_eq!(last_move(&file), "1 x:c0 0 -> 0 recall(x) 1");
    assert_eq!(file.moves[1].name, "hop");
    assert_eq!(
        drawing(&file.starts[1]),
        "1 1 1 0 2 2 2",
        "lines of a row are joined"
    );
    let file = on_grid("goal\n  F _\n  _ #\n  or\n  T T / T #");
    assert_eq!(goal(&file.goals[1].value), "or(1 _ / _ #, 2 2 / 2 #)");
    let quoted = good(
        "puzzle \"a // b\"\npiece F \"f // g\" ○ // h\nboard line\nstart F .\ngoal . F\n\
         move c: F . -> . F\n",
    );
    assert_eq!(quoted.title, "a // b");
    assert_eq!(
        (quoted.pieces[0].name.as_str(), quoted.pieces[0].picture),
        ("f // g", Some('○'))
    );
}

#[test]
fn line_ends_and_marks() {
    let text =
        "puzzle \"T\"\npiece F \"f\"\nboard line\nstart F .\ngoal . F\nmove a: F .\n  -> . F\n";
    let crlf = text.replace('\n', "\r\n");
    assert_eq!(last_move(&good(&crlf)), "1 0 -> 0 1");
    assert_eq!(last_move(&good(&format!("\u{FEFF}{text}"))), "1 0 -> 0 1");
    assert_eq!(last_move(&good(text.trim_end())), "1 0 -> 0 1");
}

#[test]
fn goals() {
    let check = |text: &str, expected: &str| {
        let file = on_line(&format!("goal {text}"));
        assert_eq!(goal(&file.goals[1].value), expected, "{text}");
    };
    check("F^n . T^n or T^n . F^n", "or(1^n 0 2^n, 2^n 0 1^n)");
    check("(F T)^n .", "(1 2)^n 0");
    check("(F T)^n . or stuck", "or((1 2)^n 0, stuck)");
    check(
        "(stuck or F T) and not contains F F",
        "and(or(stuck, 1 2), not(contains[1 1][]))",
    );
    check("((F T)^n or not (stuck))", "or((1 2)^n, not(stuck))");
    check(
        "contains F ... T along both",
        "contains[1 shortest 2][Both]",
    );
    check("contains FT piece+", "contains[c1 c0{1..}][]");
    check(
        "never F T along left and stuck",
        "and(never[1 2][Left], stuck)",
    );
    check("count F = 1", "count1Eq1");
    check(
        "count piece >= 2*n and count . < 3",
        "and(count2Ge(2*n), count1Lt3)",
    );
    check("count FT != 0", "count3Ne0");
    check("piece !F _ . F T F", "c0 !1 _ 0 1 2 1");
}

#[test]
fn claims_and_strategies_with_hyphens() {
    let strategies = "strategy a-b\n  F . -> . F\nstrategy a-b-c sweep\n  F . -> . F\n  . T -> T .\n\
                      \u{20} x:piece . -> . x\n  where at < n\n";
    let file = on_line(&format!(
        "{strategies}claim a-b = shortest for n in 1..7 and over = any\nclaim a-b-c - 1 = states-n\n\
         claim graded = true and reversible = 0 or shortest != none"
    ));
    assert_eq!(file.strategies[1].name.value, "a-b-c");
    assert!(file.strategies[1].sweep && !file.strategies[0].sweep);
    assert_eq!(file.strategies[1].lines.len(), 3);
    assert!(file.strategies[1].lines[2].condition.is_some());
    let claims: Vec<String> = file.claims.iter().map(|c| cond(&c.condition)).collect();
    assert_eq!(claims[0], "Eq(a-b,shortest)");
    assert_eq!(claims[1], "Eq((a-b-c-1),(states-n))");
    assert_eq!(
        claims[2],
        "or(and(Eq(graded,true) Eq(reversible,0)) Ne(shortest,none))"
    );
    let domain = file.claims[0].domain.as_ref().map(cond);
    assert_eq!(domain.as_deref(), Some("and(In(n,1,7) Eq(over,any))"));
}

#[test]
fn boards() {
    let shape = |board: &str| {
        let text = format!(
            "puzzle \"T\"\nparam n = 3\nparam west = 2\nboard {board}\nstart 1\ngoal 2\nmove a: +1\n"
        );
        let text = if board.contains("counts") {
            text
        } else {
            text.replace("board", "piece F \"f\"\nboard")
                .replace("start 1", "start F")
                .replace("goal 2", "goal .")
                .replace("a: +1", "a: F -> .")
        };
        good(&text).board
    };
    let window = |board: &str| match shape(board).kind {
        BoardKind::Endless(Window::Spare(a, b)) => format!("{} {}", expr(&a), expr(&b)),
        BoardKind::Endless(Window::Span(e)) => format!("span {}", expr(&e)),
        other => panic!("{other:?}"),
    };
    assert_eq!(window("line endless, spare 8"), "8 8");
    assert_eq!(
        window("line endless of counts, spare 2 left, n+1 right"),
        "2 (n+1)"
    );
    assert_eq!(window("line endless, spare west right, 0 left"), "0 west");
    assert_eq!(window("line endless, spare 3 left"), "3 0");
    assert_eq!(
        window("line endless, spare 3 left, of counts, cap 4"),
        "3 0"
    );
    assert_eq!(window("line endless, span 2*n+1"), "span ((2*n)+1)");
    assert!(shape("ring of counts, cap n").cap.is_some());
    let size = |board: &str| match shape(board).kind {
        BoardKind::Grid(Some((r, c))) | BoardKind::Torus(Some((r, c))) => {
            format!("{} {}", expr(&r), expr(&c))
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(size("grid 2*n+1 by n"), "((2*n)+1) n");
    assert_eq!(size("torus n by 4 of counts"), "n 4");
    assert!(matches!(
        shape("grid of counts").kind,
        BoardKind::Grid(None)
    ));
    let graph = |board: &str| match shape(board).kind {
        BoardKind::Graph(g) => (g.names.join(" "), g.edges),
        other => panic!("{other:?}"),
    };
    let cycle = vec![(0, 1), (0, 4), (1, 2), (2, 3), (3, 4)];
    assert_eq!(
        graph("graph\n  a b c d e a"),
        ("a b c d e".to_owned(), cycle.clone())
    );
    assert_eq!(
        graph("graph of counts, cap 3\n  1 2 b3\n  b3 1\n  z").0,
        "1 2 b3 z"
    );
    assert_eq!(graph("graph of counts\n  of cap spare").0, "of cap spare");
    // Dhc is the cycle 0 1 3 4 2 of nauty's numbering or another of five cells.
    let (names, edges) = graph("graph \"Dhc\"");
    assert_eq!((names.as_str(), edges.len()), ("1 2 3 4 5", 5));
    assert!((0..5).all(|c| edges.iter().filter(|(a, b)| *a == c || *b == c).count() == 2));
    assert_eq!(graph("graph \"A_\"").1, [(0, 1)]);
    assert_eq!(graph("graph \">>graph6<<Bw\"").1, [(0, 1), (0, 2), (1, 2)]);
}

#[test]
fn parameters() {
    let file = on_line(
        "param l = 2 -3 5\nparam d = 3 - 1\nparam e = 3-1 in -2..2^n\nparam w = any / forward / knight\nparam q = n / 2\nparam m = n in 0..20",
    );
    let kind = |name: &str| {
        let param = file
            .params
            .iter()
            .find(|p| p.name.value == name)
            .expect("a parameter");
        match &param.kind {
            ParamKind::Integer { default, range } => {
                let range = range
                    .as_ref()
                    .map(|(a, b)| format!(" in {}..{}", expr(a), expr(b)));
                format!("{}{}", expr(default), range.unwrap_or_default())
            }
            ParamKind::List { default } => format!("{default:?}"),
            ParamKind::Choice { values } => values
                .iter()
                .map(|v| v.value.as_str())
                .collect::<Vec<_>>()
                .join("/"),
        }
    };
    assert_eq!(kind("l"), "[2, -3, 5]");
    assert_eq!(kind("d"), "(3-1)");
    assert_eq!(kind("e"), "(3-1) in -2..(2^n)");
    assert_eq!(kind("w"), "any/forward/knight");
    assert_eq!(kind("q"), "(n/2)");
    assert_eq!(kind("m"), "n in 0..20");
}

#[test]
fn expressions() {
    let check = |text: &str, expected: &str| {
        let read = parse_expr(text).map(|e| expr(&e));
        assert_eq!(read.as_deref(), Ok(expected), "{text}");
    };
    check("n*(n+2)", "(n*(n+2))");
    check("1 - 2 - 3", "((1-2)-3)");
    check("2^3^2", "(2^(3^2))");
    check("-2^2", "-(2^2)");
    check("2^-1", "(2^-1)");
    check("2^n!", "(2^n!)");
    check("a/b*c", "((a/b)*c)");
    check(
        "fib(n+1) + binomial(2*n, n)",
        "(Fib((n+1))+Binomial((2*n),n))",
    );
    check("max(1,2,3)", "Max(1,2,3)");
    check("((((n))))", "n");
    check("none", "none");
    for bad in [
        "", "n +", "2n", "n)", "(n", "n n", "fob(3)", "1..2", "n = 1", "_", "and", "\"n\"", "min()",
    ] {
        let fault = parse_expr(bad).map(|e| expr(&e)).expect_err(bad);
        assert!(fault.span.is_some_and(|s| s.end <= bad.len()), "{bad}");
    }
}

#[test]
fn conditions() {
    let check = |text: &str, expected: &str| {
        let read = parse_condition(text).map(|c| cond(&c));
        assert_eq!(read.as_deref(), Ok(expected), "{text}");
    };
    check(
        "a = 1 or b = 2 and not c = 3",
        "or(Eq(a,1) and(Eq(b,2) not(Eq(c,3))))",
    );
    check(
        "(a = 1 or b = 2) and c != 3",
        "and(or(Eq(a,1) Eq(b,2)) Ne(c,3))",
    );
    check("(n+1)*2 <= m", "Le(((n+1)*2),m)");
    check("((n) + 1) > (m)", "Gt((n+1),m)");
    check("not not n in 1..2*m", "not(not(In(n,1,(2*m))))");
    check("not (n = 1)", "not(Eq(n,1))");
    check("shortest=n*(n+2)", "Eq(shortest,(n*(n+2)))");
    for bad in [
        "",
        "n",
        "n = ",
        "n = 1 and",
        "n == 1",
        "n = 1 = 2",
        "n in 1",
        "(n = 1",
        "n <> 1",
        "n => 1",
        "!n = 1",
    ] {
        assert!(parse_condition(bad).is_err(), "{bad}");
    }
}

#[test]
fn names_that_look_taken_are_not() {
    // Item words and step words may be names; one word may be the value of two choices.
    let file = good(
        "puzzle \"T\"\nparam move = 3\nparam a = left / both\nparam b = both / left\n\
         piece s \"s\"\nclass start = s .\nclass right = s\nboard line\nstart s .\n\
         goal contains start right\nmove claim: x:start . -> . x along a where b = both\n\
         strategy goal\n  s . -> . s\nclaim goal = 1 for move = 3\n",
    );
    assert_eq!(goal(&file.goals[0].value), "contains[c0 c1][]");
}

#[test]
fn patterns_of_several_rows() {
    let file = on_grid("move m: F . / T . -> . F / . T\nmove n: x:F / T -> T / x\nmove o: T -> .");
    assert_eq!(drawing(&file.moves[1].left), "1 0 / 2 0");
    assert_eq!(drawing(&file.moves[2].right), "2 / recall(x)");
}

#[test]
fn pieces_in_unusual_signs() {
    let file = good(
        "puzzle \"T\"\npiece → \"arrow\" ⇒\npiece $ \"coin\"\npiece é \"e\" ◐\nboard line\n\
         start →$é.\ngoal . é $ →\nmove a: x:_ y:_ -> y x where x = $ or y != →\n",
    );
    assert_eq!(drawing(&file.starts[0]), "1 2 3 0");
    assert_eq!(file.pieces[0].picture, Some('⇒'));
}
