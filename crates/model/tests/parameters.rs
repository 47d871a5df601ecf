//! Values of parameters: given, by default, and faulty.

use impasse_model::fault::line_column;
use impasse_model::parse::parse;
use impasse_model::syntax::PuzzleFile;

fn file() -> PuzzleFile {
    let text = "puzzle \"T\"\nparam n = 3 in 0..20\nparam m = n in 0..n+1\nparam free = 7\n\
                param chips = 2 3 5\nparam way = forward / both\npiece F \"f\"\nboard line\n\
                start F .\ngoal . F\nmove a: F . -> . F\n";
    parse("test", text.as_bytes()).expect("a good file").file
}

/// The values after giving `n=4 way=both` and so on, or the faults.
fn choose(file: &PuzzleFile, given: &str) -> String {
    let given: Vec<(String, String)> = given
        .split_terminator(';')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    match file.parameters(&given) {
        Ok(params) => params
            .0
            .iter()
            .map(|(n, v)| format!("{n}={v}"))
            .collect::<Vec<_>>()
            .join(" "),
        Err(faults) => {
            let shown: Vec<String> = faults
                .iter()
                .map(|f| {
                    let place = f.span.or(f.related.as_ref().map(|r| r.0));
                    let line = place.map_or(0, |s| line_column(&file.text, s.start).0);
                    assert_eq!(f.code.as_str(), "E13", "{}", f.message);
                    format!(
                        "{line}: {} ({})",
                        f.message,
                        f.help.as_deref().unwrap_or_default()
                    )
                })
                .collect();
            shown.join("\n")
        }
    }
}

#[test]
fn values() {
    let check =
        |given: &str, expected: &str| assert_eq!(choose(&file(), given), expected, "{given}");
    check("", "n=3 m=3 free=7 chips=2 3 5 way=forward");
    check("n=4", "n=4 m=4 free=7 chips=2 3 5 way=forward");
    check("n=4;m=0", "n=4 m=0 free=7 chips=2 3 5 way=forward");
    check("m=4;n=3", "n=3 m=4 free=7 chips=2 3 5 way=forward");
    check(
        "chips=1,2, 3;way=both",
        "n=3 m=3 free=7 chips=1 2 3 way=both",
    );
    check("chips=4", "n=3 m=3 free=7 chips=4 way=forward");
    check("free=-5", "n=3 m=3 free=-5 chips=2 3 5 way=forward");
}

#[test]
fn faults() {
    let check =
        |given: &str, expected: &str| assert_eq!(choose(&file(), given), expected, "{given}");
    check(
        "n=21",
        "2: the parameter `n` = 21 is out of its range 0..20 (`n` may be 0 to 20)",
    );
    check(
        "m=5",
        "3: the parameter `m` = 5 is out of its range 0..4 (`m` may be 0 to 4)",
    );
    check(
        "n=x",
        "2: the parameter `n` is an integer, but `x` is none (`n` may be 0 to 20)",
    );
    check(
        "n=",
        "2: the parameter `n` is an integer, but `` is none (`n` may be 0 to 20)",
    );
    check(
        "free=1e3",
        "4: the parameter `free` is an integer, but `1e3` is none (write for example `free=3`)",
    );
    check(
        "free=99999999999999999999",
        "4: the value of the parameter `free` has 20 digits (write for example `free=3`)",
    );
    check(
        "chips=1 b",
        "5: the parameter `chips` is a list of integers, but `1 b` is none (write for example `chips=2,3,5`)",
    );
    check(
        "way=boht",
        "6: the parameter `way` is one of forward / both, not `boht` (did you mean `both`?)",
    );
    check(
        "wya=both",
        "0: the puzzle has no parameter `wya` (did you mean `way`?)",
    );
    check(
        "zebra=1;n=50",
        "0: the puzzle has no parameter `zebra` (its parameters are n, m, free, chips, way)\n\
         2: the parameter `n` = 50 is out of its range 0..20 (`n` may be 0 to 20)",
    );
    check(
        "n=1;n=2",
        "0: the parameter `n` is given twice (give one value for each parameter)",
    );
}

#[test]
fn defaults_out_of_range() {
    let text = file()
        .text
        .replace("param m = n in 0..n+1", "param m = n in 1..3");
    let file = parse("test", text.as_bytes()).expect("a good file").file;
    assert_eq!(
        choose(&file, "n=3"),
        "n=3 m=3 free=7 chips=2 3 5 way=forward"
    );
    assert_eq!(
        choose(&file, "n=4"),
        "3: the default 4 of the parameter `m` is out of its range 1..3 (`m` may be 1 to 3: give it with `-p m=VALUE`)"
    );
    let text = text.replace("in 1..3", "in 3..1");
    let file = parse("test", text.as_bytes()).expect("a good file").file;
    assert_eq!(
        choose(&file, ""),
        "3: the range 3..1 of the parameter `m` is empty (the range is written from the least to the greatest value)"
    );
}
