//! Rules: captures, inverses, mirrors, steps, conditions.

use impasse_model::syntax::PuzzleFile;

use crate::shown::{check_rules, file_of, instance, read, rule, shipped};

#[test]
fn rules_of_frogs_and_toads() {
    let file = shipped("frogs-and-toads");
    check_rules(
        &file,
        "",
        &[
            "step: F . -> . F (1,0)",
            "jump: F x:[FT] . -> . =1 F (1,0) ?",
            "step: T . -> . T (-1,0)",
            "jump: T x:[FT] . -> . =1 T (-1,0) ?",
        ],
    );
    check_rules(
        &file,
        "over=any way=both",
        &[
            "step: F . -> . F (1,0)",
            "jump: F x:[FT] . -> . =1 F (1,0)",
            "step back: . F -> F . (1,0)",
            "jump back: . x:[FT] F -> F =1 . (1,0)",
            "step: T . -> . T (-1,0)",
            "jump: T x:[FT] . -> . =1 T (-1,0)",
            "step back: . T -> T . (-1,0)",
            "jump back: . x:[FT] T -> T =1 . (-1,0)",
        ],
    );
}

#[test]
fn inverses_and_stretches() {
    check_rules(
        &shipped("topspin"),
        "",
        &[
            "spin: # a:[ABCDEFGHI] b:[ABCDEFGHI] c:[ABCDEFGHI] d:[ABCDEFGHI] -> =0 d c b a (1,0)",
            "turn: # a:[ABCDEFGHI] s:[ABCDEFGHI]+ # -> =0 s a =3 (1,0)",
            "turn: # s:[ABCDEFGHI]+ a:[ABCDEFGHI] # -> =0 a s =3 (1,0)",
        ],
    );
    check_rules(
        &shipped("hanoi3"),
        "",
        &[
            "AB: # C* A -> =0 =1 B (1,0)",
            "AB: # C* B -> =0 =1 A (1,0)",
            "AC: # B* A -> =0 =1 C (1,0)",
            "AC: # B* C -> =0 =1 A (1,0)",
            "BC: # A* B -> =0 =1 C (1,0)",
            "BC: # A* C -> =0 =1 B (1,0)",
        ],
    );
    check_rules(
        &shipped("pancakes"),
        "",
        &["flip: # x:[ABCDEFGH]+ -> =0 ~x (1,0)"],
    );
    check_rules(
        &shipped("coins"),
        "",
        &["hop: x:[AB] y:[AB] [AB] _... . . -> . . =2 =3 x y (1,0)(-1,0) ?"],
    );
    check_rules(
        &shipped("zeckendorf"),
        "",
        &[
            "two ones: # _ _ -> =0 + + (1,0)",
            "two twos: # _ _ _ -> =0 + + + (1,0)",
            "split: _ _ _ _ -> + =1 + + (1,0)",
            "add: _ _ _ -> + + + (1,0)",
        ],
    );
}

/// A line with pieces A, B, C and classes.
fn small(moves: &str) -> PuzzleFile {
    read(&format!(
        "puzzle \"t\"\nparam n = 2 in 0..9\nparam way = on / off\npiece A \"a\"\npiece B \"b\"\n\
         piece C \"c\"\nclass ab = A B\nclass wall = A #\nboard line\nstart A^3 B^3 C .^3\n\
         goal stuck\n{moves}\n"
    ))
}

#[test]
fn small_rules() {
    let rules = |moves: &str, expected: &[&str]| check_rules(&small(moves), "", expected);
    rules(
        "move m: x:ab . <-> . x",
        &["m: x:[AB] . -> . x (1,0)", "m: . x:[AB] -> x . (1,0)"],
    );
    // A capture written where it stood, and a symbol written over itself, are kept.
    rules("move m: x:A B . -> x . x", &["m: x:A B . -> =0 . x (1,0)"]);
    rules("move m: A B . -> A . B", &["m: A B . -> =0 . B (1,0)"]);
    // `#` cannot be written, nor carried away.
    rules("move m: x:wall . -> . x", &["m: x:A . -> . x (1,0)"]);
    rules(
        "move m: x:wall B . -> x . B",
        &["m: x:[A#] B . -> =0 . B (1,0)"],
    );
    rules(
        "move m: x:wall B . -> x x B",
        &["m: x:A B . -> =0 x B (1,0)"],
    );
    // A capture written twice: the inverse compares.
    rules(
        "move m: x:ab . <-> x x",
        &[
            "m: x:[AB] . -> =0 x (1,0)",
            "m: x:[AB] x'1:[AB] -> =0 . (1,0) ?",
        ],
    );
    // Inverses of what is kept, and of a stretch turned round.
    rules(
        "move m: A ab* x:ab . <-> . ab* A x",
        &[
            "m: A [AB]* x:[AB] . -> . =1 A x (1,0)",
            "m: . [AB]* A x:[AB] -> A =1 x . (1,0)",
        ],
    );
}

#[test]
fn conditions_are_decided_where_parameters_suffice() {
    let rules = |cond: &str, expected: &[&str]| {
        check_rules(
            &small(&format!("move m: x:ab . -> . x where {cond}")),
            "",
            expected,
        );
    };
    let always = ["m: x:[AB] . -> . x (1,0)"];
    let depends = ["m: x:[AB] . -> . x (1,0) ?"];
    rules("n = 2", &always);
    rules("n = 3", &[]);
    rules("way = on", &always);
    rules("way != on", &[]);
    rules("x = A", &depends);
    rules("x = A or n = 2", &always);
    rules("x = A or n = 3", &depends);
    rules("x = A and n = 3", &[]);
    rules("not (x = A and n = 2)", &depends);
    rules("at < n", &depends);
    rules("n in 1..2 and 2*n = 4", &always);
}

#[test]
fn steps_on_grids() {
    let along = |words: &str, expected: &str| {
        let rest = format!("goal stuck\nmove m: A . -> . A along {words}");
        let file = read(&file_of("grid", "A . / . .", &rest));
        check_rules(&file, "", &[&format!("m: A . -> . A {expected}")]);
    };
    along("both", "(1,0)(-1,0)");
    along("orthogonal", "(1,0)(-1,0)(0,1)(0,-1)");
    along("right down right", "(1,0)(0,1)");
    along("diagonal", "(1,1)(-1,-1)(1,-1)(-1,1)");
    along("king", "(1,0)(-1,0)(0,1)(0,-1)(1,1)(-1,-1)(1,-1)(-1,1)");
    along("knight", "(2,1)(-2,-1)(2,-1)(-2,1)(1,2)(-1,-2)(1,-2)(-1,2)");
    along("(2,-1) up", "(2,-1)(0,-1)");
    let chosen = shipped("pieces-exchange");
    check_rules(
        &chosen,
        "step=diagonal",
        &["step: m:[WB] . -> . m (1,1)(-1,-1)(1,-1)(-1,1)"],
    );
    check_rules(
        &shipped("cycle-of-five"),
        "",
        &["step: m:[WB] . -> . m edges"],
    );
}

#[test]
fn mirrors() {
    let rest = "goal stuck\nmove m: A . / ab _ -> . A / ab _\nmove s: ab . -> A C along down\n\
                move c: x:ab . -> . x along (2,1) where x = A or x = D\nmirror A <-> C";
    let file = read(&file_of("grid", "A B / . C", rest));
    check_rules(
        &file,
        "",
        &[
            "m: A . / [AB] _ -> . A / =0 =1 drawn",
            "s: [AB] . -> A C (0,1)",
            "c: x:[AB] . -> . x (2,1) ?",
            "m: _ [BC] / . C -> =0 =1 / C . drawn",
            "s: [BC] . -> C A (0,-1)",
            "c: x:[BC] . -> . x (-2,-1) ?",
        ],
    );
    let rest = "class cd = C D\ngoal stuck\nmove m: x:ab . -> . x\nmirror ab <-> cd";
    let file = read(&file_of("line", "A B . C", rest));
    check_rules(
        &file,
        "",
        &["m: x:[AB] . -> . x (1,0)", "m: x:[CD] . -> . x (-1,0)"],
    );
}

#[test]
fn strategies_become_rules() {
    let instance = instance(&shipped("frogs-and-toads"), "");
    let lines: Vec<String> = instance.strategies[0]
        .lines
        .iter()
        .map(|r| rule(&instance, r))
        .collect();
    assert_eq!(
        lines,
        [
            "textbook: F T . -> . =1 F (1,0)",
            "textbook: . F T -> T =1 . (1,0)",
            "textbook: x:[.FT#] F . y:[.FT#] -> =0 . F =3 (1,0) ?",
            "textbook: x:[.FT#] . T y:[.FT#] -> =0 T . =3 (1,0) ?",
        ]
    );
    assert_eq!(instance.strategies[1].lines.len(), 13);
}
