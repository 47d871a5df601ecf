//! A puzzle as a small data structure, and how it is written as a rule file.

use std::fmt::Write as _;

/// A puzzle. Pieces are `A`, `B`, perhaps `C`; `man` is any piece, `mix` a class of its own.
#[derive(Clone)]
pub(crate) struct Puzzle {
    pub(crate) pieces: Vec<char>,
    pub(crate) mix: Vec<char>,
    pub(crate) board: Board,
    /// Start positions, cell by cell; holes are written `#`.
    pub(crate) starts: Vec<Vec<char>>,
    pub(crate) goal: Goal,
    pub(crate) rules: Vec<Rule>,
    /// Every move again, the other way, with `A` and `B` exchanged.
    pub(crate) mirror: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Board {
    Line,
    Ring,
    Grid { cols: usize },
    Torus { cols: usize },
    Graph { edges: Vec<(usize, usize)> },
}

/// A move; the right side has one entry for each item of the left.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) left: Vec<Item>,
    pub(crate) right: Vec<Out>,
    /// `Some(width)`: drawn in two rows, the first of this width.
    pub(crate) first_row: Option<usize>,
    /// `<->`
    pub(crate) both: bool,
    pub(crate) along: Vec<Step>,
    pub(crate) condition: Option<Cond>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// One cell, perhaps remembered.
    Cell(Test, Option<char>),
    /// `#`
    Wall,
    /// A stretch, `*` or `+`.
    Stretch(Test, bool),
    /// `...`
    Dots,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    Is(char),
    Man,
    Mix,
    Any,
    Not(char),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Out {
    Keep,
    Write(char),
    Recall(char),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Right,
    Left,
    Up,
    Down,
    Both,
    Orthogonal,
    Diagonal,
    Knight,
    Edges,
    Vector(i32, i32),
}

#[derive(Clone, Debug)]
pub(crate) enum Cond {
    /// `x = y` or `x = A`
    Same(char, char),
    At(&'static str, usize),
    Not(Box<Cond>),
    And(Box<Cond>, Box<Cond>),
    Or(Box<Cond>, Box<Cond>),
}

#[derive(Clone, Debug)]
pub(crate) enum Goal {
    /// One test a cell (`#` at holes).
    Drawing(Vec<Option<Test>>),
    Contains(Vec<Test>, Vec<Step>),
    Never(Vec<Test>, Vec<Step>),
    Count(char, &'static str, usize),
    Stuck,
    Not(Box<Goal>),
    And(Box<Goal>, Box<Goal>),
    Or(Box<Goal>, Box<Goal>),
}

/// A failure shows the rule file.
impl std::fmt::Debug for Puzzle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\n{}", self.text())
    }
}

impl Puzzle {
    /// The rule file.
    pub(crate) fn text(&self) -> String {
        let mut text = "puzzle \"Random\"\n".to_owned();
        for piece in &self.pieces {
            writeln!(text, "piece {piece} \"{piece}\"").unwrap();
        }
        writeln!(text, "class man = {}", spaced(&self.pieces)).unwrap();
        writeln!(text, "class mix = {}", spaced(&self.mix)).unwrap();
        writeln!(text, "board {}", self.board_text()).unwrap();
        for start in &self.starts {
            writeln!(
                text,
                "start {}",
                self.drawing_text(start, ToString::to_string)
            )
            .unwrap();
        }
        writeln!(text, "goal {}", self.goal_text(&self.goal)).unwrap();
        for (number, rule) in self.rules.iter().enumerate() {
            writeln!(text, "move r{number}: {}", rule.text()).unwrap();
        }
        if self.mirror {
            writeln!(text, "mirror A <-> B").unwrap();
        }
        text
    }

    /// Claims about blocking that go with any puzzle: patterns and contexts of every form that its
    /// board allows, about each of its moves.
    pub(crate) fn claims(&self) -> String {
        let along = match self.board {
            Board::Grid { .. } | Board::Torus { .. } => " along orthogonal",
            Board::Line | Board::Ring | Board::Graph { .. } => "",
        };
        let mut claims = String::new();
        let mut claim = |text: String| writeln!(claims, "claim {text}").unwrap();
        claim(format!(
            "lost iff contains A B{along} or contains B _ .{along}"
        ));
        claim(format!(
            "contains !A man* mix{along} and count . >= 1 is lost"
        ));
        claim(format!("never A .{along} or stuck is lost"));
        claim(format!("lost iff not contains # A{along}"));
        for number in 0..self.rules.len() {
            let contexts = [
                format!("[A _]{along}"),
                format!("_ [_ man]{along}"),
                format!("A [_ _* _] mix{along}"),
                format!("[_] _ [_]{along}"),
                format!("# [man ... .]{along}"),
            ];
            for context in &contexts {
                claim(format!("r{number} in {context} is blocking"));
            }
            claim(format!(
                "r{number} is blocking iff in {} or in {}",
                contexts[0], contexts[1]
            ));
            claim(format!("no r{number} is blocking"));
            if !along.is_empty() {
                claim(format!("no r{number} in [_] _ / _ [.] is blocking"));
                claim(format!("r{number} in [A / _] is blocking"));
            }
        }
        claims
    }

    fn board_text(&self) -> String {
        match &self.board {
            Board::Line => "line".to_owned(),
            Board::Ring => "ring".to_owned(),
            Board::Grid { .. } => "grid".to_owned(),
            Board::Torus { .. } => "torus".to_owned(),
            Board::Graph { edges } => {
                // The first walks name every cell, so that cells keep their order.
                let names = (0..self.starts[0].len()).map(|cell| format!("\n  {}", name(cell)));
                let walks = edges
                    .iter()
                    .map(|&(a, b)| format!("\n  {} {}", name(a), name(b)));
                format!("graph{}", names.chain(walks).collect::<String>())
            }
        }
    }

    /// A whole position, rows joined by `/` on grids.
    pub(crate) fn drawing_text<T>(&self, cells: &[T], show: impl Fn(&T) -> String) -> String {
        let shown: Vec<String> = cells.iter().map(show).collect();
        match self.board {
            Board::Grid { cols } | Board::Torus { cols } => shown
                .chunks(cols)
                .map(|row| row.join(" "))
                .collect::<Vec<_>>()
                .join(" / "),
            _ => shown.join(" "),
        }
    }

    fn goal_text(&self, goal: &Goal) -> String {
        match goal {
            Goal::Drawing(tests) => self.drawing_text(tests, |test| {
                test.map_or_else(|| "#".to_owned(), Test::text)
            }),
            Goal::Contains(tests, steps) => format!("contains {}", pattern_text(tests, steps)),
            Goal::Never(tests, steps) => format!("never {}", pattern_text(tests, steps)),
            Goal::Count(piece, comparison, number) => {
                format!("count {piece} {comparison} {number}")
            }
            Goal::Stuck => "stuck".to_owned(),
            Goal::Not(goal) => format!("not {}", self.part_text(goal)),
            Goal::And(a, b) => format!("{} and {}", self.part_text(a), self.part_text(b)),
            Goal::Or(a, b) => format!("{} or {}", self.part_text(a), self.part_text(b)),
        }
    }

    /// A part of a goal, in brackets unless it is a drawing (whose brackets would be groups).
    fn part_text(&self, goal: &Goal) -> String {
        match goal {
            Goal::Drawing(_) => self.goal_text(goal),
            _ => format!("({})", self.goal_text(goal)),
        }
    }
}

impl Rule {
    fn text(&self) -> String {
        let left = self
            .left
            .iter()
            .map(|item| item.text(true))
            .collect::<Vec<_>>();
        let right = self
            .left
            .iter()
            .zip(&self.right)
            .map(|(item, out)| match out {
                Out::Keep => item.text(false),
                Out::Write(symbol) | Out::Recall(symbol) => symbol.to_string(),
            });
        let arrow = if self.both { "<->" } else { "->" };
        let (left, right) = (
            self.side_text(&left),
            self.side_text(&right.collect::<Vec<_>>()),
        );
        let mut text = format!("{left} {arrow} {right}");
        if !self.along.is_empty() {
            write!(text, " along {}", steps_text(&self.along)).unwrap();
        }
        if let Some(condition) = &self.condition {
            write!(text, " where {}", condition.text()).unwrap();
        }
        text
    }

    fn side_text(&self, items: &[String]) -> String {
        match self.first_row {
            Some(width) => format!(
                "{} / {}",
                items[..width].join(" "),
                items[width..].join(" ")
            ),
            None => items.join(" "),
        }
    }
}

impl Item {
    fn text(&self, is_left: bool) -> String {
        match self {
            Item::Cell(test, Some(capture)) if is_left => format!("{capture}:{}", test.text()),
            Item::Cell(test, _) => test.text(),
            Item::Wall => "#".to_owned(),
            Item::Stretch(test, true) => format!("{}+", test.text()),
            Item::Stretch(test, false) => format!("{}*", test.text()),
            Item::Dots => "...".to_owned(),
        }
    }
}

impl Test {
    fn text(self) -> String {
        match self {
            Test::Is(symbol) => symbol.to_string(),
            Test::Man => "man".to_owned(),
            Test::Mix => "mix".to_owned(),
            Test::Any => "_".to_owned(),
            Test::Not(symbol) => format!("!{symbol}"),
        }
    }
}

impl Cond {
    fn text(&self) -> String {
        match self {
            Cond::Same(a, b) => format!("{a} = {b}"),
            Cond::At(comparison, number) => format!("at {comparison} {number}"),
            Cond::Not(inner) => match **inner {
                Cond::Same(a, b) => format!("{a} != {b}"),
                _ => format!("not ({})", inner.text()),
            },
            Cond::And(a, b) => format!("({}) and ({})", a.text(), b.text()),
            Cond::Or(a, b) => format!("({}) or ({})", a.text(), b.text()),
        }
    }
}

fn pattern_text(tests: &[Test], steps: &[Step]) -> String {
    let items = tests
        .iter()
        .map(|test| test.text())
        .collect::<Vec<_>>()
        .join(" ");
    if steps.is_empty() {
        items
    } else {
        format!("{items} along {}", steps_text(steps))
    }
}

fn steps_text(steps: &[Step]) -> String {
    let word = |step: &Step| match step {
        Step::Right => "right".to_owned(),
        Step::Left => "left".to_owned(),
        Step::Up => "up".to_owned(),
        Step::Down => "down".to_owned(),
        Step::Both => "both".to_owned(),
        Step::Orthogonal => "orthogonal".to_owned(),
        Step::Diagonal => "diagonal".to_owned(),
        Step::Knight => "knight".to_owned(),
        Step::Edges => "edges".to_owned(),
        Step::Vector(x, y) => format!("({x},{y})"),
    };
    steps.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn spaced(symbols: &[char]) -> String {
    symbols
        .iter()
        .map(char::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}

fn name(cell: usize) -> String {
    format!("c{}", cell + 1)
}
