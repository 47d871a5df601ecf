//! Instances as text, for tests to compare.

use impasse_model::fault::{Fault, Faults};
use impasse_model::instance::{
    Goal, Instance, LeftItem, Length, RightItem, Rule, Steps, SymbolSet, Test,
};
use impasse_model::parse::parse;
use impasse_model::syntax::PuzzleFile;

pub(crate) fn read(text: &str) -> PuzzleFile {
    match parse("test.puzzle", text.as_bytes()) {
        Ok(parsed) => parsed.file,
        Err(faults) => panic!("{}\n{text}", listed(&faults.faults)),
    }
}

pub(crate) fn shipped(stem: &str) -> PuzzleFile {
    let path = format!(
        "{}/../../data/puzzles/{stem}.puzzle",
        env!("CARGO_MANIFEST_DIR")
    );
    read(&std::fs::read_to_string(path).expect("a shipped file"))
}

/// `n=3 m=2`, a list as `chips=2,3,5`.
pub(crate) fn pairs(given: &str) -> Vec<(String, String)> {
    let pairs = given
        .split_whitespace()
        .filter_map(|word| word.split_once('='));
    pairs.map(|(n, v)| (n.to_owned(), v.to_owned())).collect()
}

pub(crate) fn try_instance(
    file: &PuzzleFile,
    given: &str,
    start: Option<&str>,
) -> Result<(Instance, Vec<Fault>), Faults> {
    let params = file.parameters(&pairs(given)).expect("parameters in range");
    file.instance("test", params, start)
}

pub(crate) fn instance(file: &PuzzleFile, given: &str) -> Instance {
    match try_instance(file, given, None) {
        Ok((instance, _)) => instance,
        Err(faults) => panic!("{given}: {}", listed(&faults.faults)),
    }
}

pub(crate) fn listed(faults: &[Fault]) -> String {
    faults.iter().map(told).collect::<Vec<_>>().join("\n")
}

pub(crate) fn told(fault: &Fault) -> String {
    format!("{} {}", fault.code.as_str(), fault.message)
}

pub(crate) fn starts(instance: &Instance) -> String {
    let lines = instance
        .starts
        .iter()
        .map(|s| instance.board.one_line(&instance.alphabet, s));
    lines.collect::<Vec<_>>().join(" ")
}

pub(crate) fn set(instance: &Instance, set: SymbolSet) -> String {
    if set == SymbolSet::any(instance.alphabet.symbols.len()) {
        return "_".to_owned();
    }
    let symbols = set
        .symbols()
        .map(|s| instance.alphabet.symbols[usize::from(s)]);
    let text: String = symbols.chain(set.has_no_cell().then_some('#')).collect();
    if text.chars().count() == 1 {
        text
    } else {
        format!("[{text}]")
    }
}

pub(crate) fn test(instance: &Instance, test: Test) -> String {
    match test {
        Test::Symbols(symbols) => set(instance, symbols),
        Test::Counts(0, u64::MAX) => "_".to_owned(),
        Test::Counts(low, u64::MAX) => format!("{low}.."),
        Test::Counts(low, high) if low == high => low.to_string(),
        Test::Counts(low, high) => format!("{low}..{high}"),
        Test::NoCell => "#".to_owned(),
    }
}

pub(crate) fn left(instance: &Instance, rule: &Rule, item: &LeftItem) -> String {
    let capture = item
        .capture
        .map_or(String::new(), |c| format!("{}:", rule.captures[c]));
    let length = match item.length {
        Length::One => String::new(),
        Length::AtLeast(0) => "*".to_owned(),
        Length::AtLeast(1) => "+".to_owned(),
        Length::AtLeast(n) => format!("{{{n}}}"),
        Length::Shortest => "...".to_owned(),
    };
    format!("{capture}{}{length}", test(instance, item.test))
}

pub(crate) fn right(instance: &Instance, rule: &Rule, item: &RightItem) -> String {
    match item {
        RightItem::Keep(i) => format!("={i}"),
        RightItem::Write(s) => instance.alphabet.symbols[usize::from(*s)].to_string(),
        RightItem::Recall(c) => rule.captures[*c].clone(),
        RightItem::Turned(c) => format!("~{}", rule.captures[*c]),
        RightItem::Add(_) => "+".to_owned(),
    }
}

pub(crate) fn steps(steps: &Steps) -> String {
    match steps {
        Steps::Vectors(vectors) => {
            let words = vectors.iter().map(|(dx, dy)| format!("({dx},{dy})"));
            words.collect::<String>()
        }
        Steps::Edges => "edges".to_owned(),
        Steps::Drawn => "drawn".to_owned(),
    }
}

/// A rule in one line: `F . -> . F (1,0)`, with `?` if a condition is left.
pub(crate) fn rule(instance: &Instance, rule: &Rule) -> String {
    let left = rule.left.iter().map(|row| {
        row.iter()
            .map(|item| left(instance, rule, item))
            .collect::<Vec<_>>()
            .join(" ")
    });
    let right = rule.right.iter().map(|row| {
        row.iter()
            .map(|item| right(instance, rule, item))
            .collect::<Vec<_>>()
            .join(" ")
    });
    let (left, right) = (
        left.collect::<Vec<_>>().join(" / "),
        right.collect::<Vec<_>>().join(" / "),
    );
    let condition = if rule.condition.is_some() { " ?" } else { "" };
    format!(
        "{}: {left} -> {right} {}{condition}",
        rule.name,
        steps(&rule.steps)
    )
}

pub(crate) fn goal(instance: &Instance, it: &Goal) -> String {
    let list = |list: &[Goal], word: &str| {
        list.iter()
            .map(|g| goal(instance, g))
            .collect::<Vec<_>>()
            .join(word)
    };
    let tests = |tests: &[Test]| {
        let separator = if instance.board.counted { " " } else { "" };
        tests
            .iter()
            .map(|&t| test(instance, t))
            .collect::<Vec<_>>()
            .join(separator)
    };
    match it {
        Goal::Drawing(list) => tests(list),
        Goal::Contains(p) => format!("contains {}", tests(&row_tests(&p.rows))),
        Goal::Never(p) => format!("never {}", tests(&row_tests(&p.rows))),
        Goal::Count(symbols, comparison, n) => {
            format!("count {} {comparison:?} {n}", set(instance, *symbols))
        }
        Goal::Stuck => "stuck".to_owned(),
        Goal::Not(g) => format!("not {}", goal(instance, g)),
        Goal::And(all) => list(all, " and "),
        Goal::Or(any) => list(any, " or "),
    }
}

pub(crate) fn row_tests(rows: &[Vec<LeftItem>]) -> Vec<Test> {
    rows.iter().flatten().map(|item| item.test).collect()
}

pub(crate) fn round_trips(instance: &Instance, file: &PuzzleFile) {
    for start in &instance.starts {
        let line = instance.board.one_line(&instance.alphabet, start);
        assert_eq!(instance.position(&line, file).as_ref(), Ok(start), "{line}");
    }
}

pub(crate) fn check_rules(file: &PuzzleFile, given: &str, expected: &[&str]) {
    let instance = instance(file, given);
    let rules: Vec<String> = instance.rules.iter().map(|r| rule(&instance, r)).collect();
    assert_eq!(rules, expected, "{given}");
}

/// Every fault and warning of a file, one a line.
pub(crate) fn faults_of(text: &str, given: &str, start: Option<&str>) -> String {
    match try_instance(&read(text), given, start) {
        Ok((_, warnings)) => listed(&warnings),
        Err(faults) => listed(&faults.faults),
    }
}

/// A file with a board, a start and other items; n is 2.
pub(crate) fn file_of(board: &str, start: &str, rest: &str) -> String {
    format!(
        "puzzle \"t\"\nparam n = 2\npiece A..D \"a\"\nclass ab = A B\nclass wall = A #\n\
         board {board}\nstart {start}\n{rest}\n"
    )
}

/// A counted file; n is 2, chips are 1 2 3.
pub(crate) fn counted(board: &str, start: &str, rest: &str) -> String {
    format!(
        "puzzle \"t\"\nparam n = 2\nparam chips = 1 2 3\nboard {board}\nstart {start}\n{rest}\n"
    )
}
