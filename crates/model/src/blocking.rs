//! What claims about blocking look for in positions and moves.
//!
//! Patterns are laid on the board once and then compared with many positions.

use crate::board::{Board, Cell, Shape};
use crate::instance::{Goal, Instance, Pattern, Position, SymbolSet, Test, Value};
use crate::lay::{Ground, Layout, Site, lay_pattern};
use crate::syntax::{BlockingEffect, Comparison, Span};

/// What a claim about blocking looks for in one puzzle.
#[derive(Clone, Debug)]
pub enum Sought {
    /// States that are said to be lost.
    States {
        /// Which; a `stuck` in it asks for states without moves.
        states: Goal,
        /// All lost states are said to be among them.
        exactly: bool,
    },
    /// Moves that are said to be blocking, or never to be.
    Moves {
        /// The name of the move.
        name: String,
        /// Where it is made: in any of these, or anywhere if there is none.
        contexts: Vec<Bracketed>,
        /// What is said of it there.
        effect: BlockingEffect,
    },
}

impl Sought {
    /// What is said of the states or moves.
    #[must_use]
    pub fn effect(&self) -> BlockingEffect {
        match self {
            Self::States { exactly: true, .. } => BlockingEffect::Exactly,
            Self::States { .. } => BlockingEffect::Always,
            Self::Moves { effect, .. } => *effect,
        }
    }
}

/// The context of a move: a pattern, and brackets round the cells that the move changes.
#[derive(Clone, Debug)]
pub struct Bracketed {
    /// The pattern.
    pub pattern: Pattern,
    /// The items in each bracket, numbered through all rows; none is empty.
    pub marks: Vec<Vec<usize>>,
    /// Where it stands in the text.
    pub span: Span,
}

/// A pattern that can be laid in too many ways on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a pattern can be laid in too many ways; use fewer stretches, or a smaller board")]
pub struct TooManyWays;

/// A way a pattern lies on a board.
#[derive(Clone, Debug)]
struct Way {
    /// What must stand where; cells of any content are left out.
    tests: Vec<(Cell, Test)>,
    /// Lists of tests of which not all may hold: earlier fits of shortest stretches.
    earlier: Vec<Vec<(Cell, Test)>>,
    /// First and last cell of each bracket.
    ends: Vec<(Cell, Cell)>,
    /// All cells in brackets, ascending.
    inside: Vec<Cell>,
}

impl Way {
    fn fits(&self, position: &[Value]) -> bool {
        let holds = |tests: &[(Cell, Test)]| {
            tests
                .iter()
                .all(|&(cell, test)| passes(test, position[cell as usize]))
        };
        holds(&self.tests) && !self.earlier.iter().any(|tests| holds(tests))
    }
}

fn passes(test: Test, content: Value) -> bool {
    match test {
        Test::Symbols(set) => content < 63 && set.has(content as u8),
        Test::Counts(low, high) => (low..=high).contains(&content),
        Test::NoCell => false,
    }
}

/// Every way a pattern lies on a board.
#[derive(Clone, Debug)]
struct Laid {
    ways: Vec<Way>,
}

impl Laid {
    fn new(
        instance: &Instance,
        pattern: &Pattern,
        marks: &[Vec<usize>],
    ) -> Result<Self, TooManyWays> {
        let every = SymbolSet::any(instance.alphabet.symbols.len());
        let ground = Ground::bounded(&instance.board, instance.board.cells);
        let tests: Vec<Test> = pattern.rows.iter().flatten().map(|i| i.test).collect();
        let mut ways = Vec::new();
        lay_pattern(&ground, pattern, |layout| {
            ways.extend(way(&layout, &tests, every, marks));
        });
        if ground.is_spent() {
            return Err(TooManyWays);
        }
        Ok(Self { ways })
    }

    fn is_in(&self, position: &[Value]) -> bool {
        self.ways.iter().any(|way| way.fits(position))
    }
}

/// A layout as tests; none if a bracket begins or ends on no cell.
fn way(layout: &Layout, tests: &[Test], every: SymbolSet, marks: &[Vec<usize>]) -> Option<Way> {
    let says_something = |test: Test| match test {
        Test::Symbols(set) => set.0 & every.0 != every.0,
        Test::Counts(..) | Test::NoCell => test != Test::Counts(0, Value::MAX),
    };
    let on_cells = |sites: &mut dyn Iterator<Item = (Site, usize)>| {
        let mut found = Vec::new();
        for (site, item) in sites {
            if let Site::Cell(cell) = site
                && says_something(tests[item])
            {
                found.push((cell, tests[item]));
            }
        }
        found
    };
    let sites = layout.sites.iter().enumerate();
    let mut all = sites.flat_map(|(item, sites)| sites.iter().map(move |&site| (site, item)));
    let mut ends = Vec::new();
    let mut inside = Vec::new();
    for mark in marks {
        let laid: Vec<Site> = mark
            .iter()
            .flat_map(|&item| layout.sites[item].iter().copied())
            .collect();
        let (Some(&Site::Cell(first)), Some(&Site::Cell(last))) = (laid.first(), laid.last())
        else {
            return None;
        };
        ends.push((first, last));
        inside.extend(laid.iter().filter_map(|site| match site {
            Site::Cell(cell) => Some(*cell),
            Site::NoCell | Site::Beyond(_) => None,
        }));
    }
    inside.sort_unstable();
    Some(Way {
        tests: on_cells(&mut all),
        earlier: layout
            .earlier
            .iter()
            .map(|fit| on_cells(&mut fit.iter().copied()))
            .collect(),
        ends,
        inside,
    })
}

/// The contexts of a move, made ready for one board.
#[derive(Clone, Debug)]
pub struct Surroundings {
    laid: Laid,
}

impl Surroundings {
    /// Lays a context on the board.
    ///
    /// # Errors
    /// [`TooManyWays`].
    pub fn new(instance: &Instance, context: &Bracketed) -> Result<Self, TooManyWays> {
        let laid = Laid::new(instance, &context.pattern, &context.marks)?;
        Ok(Self { laid })
    }

    /// Whether it can be laid anywhere, whatever stands on the board.
    #[must_use]
    pub fn fits(&self) -> bool {
        !self.laid.ways.is_empty()
    }

    /// Whether a move out of a position that changes these cells (ascending) is made in this context:
    /// the position shows the pattern, all changed cells lie in brackets, and the first and the last
    /// cell of each bracket are changed.
    #[must_use]
    pub fn surround(&self, position: &[Value], changed: &[Cell]) -> bool {
        let is_changed = |cell: Cell| changed.binary_search(&cell).is_ok();
        self.laid.ways.iter().any(|way| {
            way.ends
                .iter()
                .all(|&(first, last)| is_changed(first) && is_changed(last))
                && changed
                    .iter()
                    .all(|cell| way.inside.binary_search(cell).is_ok())
                && way.fits(position)
        })
    }
}

/// The cells in which two positions of one board differ, ascending.
#[must_use]
pub fn changed_cells(before: &Position, after: &Position) -> Vec<Cell> {
    let pairs = before.iter().zip(after).zip(0..);
    pairs
        .filter(|((a, b), _)| a != b)
        .map(|(_, cell)| cell)
        .collect()
}

/// A condition on states, made ready for one board.
#[derive(Clone, Debug)]
pub struct Condition {
    node: Node,
    endless: bool,
}

#[derive(Clone, Debug)]
enum Node {
    Drawing(Vec<Test>),
    Lies(Laid, bool),
    Count(SymbolSet, Comparison, i64),
    Stuck,
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
}

impl Condition {
    /// Lays all patterns of a condition on the board.
    ///
    /// # Errors
    /// [`TooManyWays`].
    pub fn new(instance: &Instance, condition: &Goal) -> Result<Self, TooManyWays> {
        Ok(Self {
            node: node(instance, condition)?,
            endless: is_endless(&instance.board),
        })
    }

    /// Whether a position meets it; `is_stuck` tells whether it has no moves.
    #[must_use]
    pub fn holds(&self, position: &[Value], is_stuck: &dyn Fn() -> bool) -> bool {
        self.node.holds(self.endless, position, is_stuck)
    }

    /// Whether one of its patterns can be laid somewhere, whatever stands on the board; true without
    /// patterns.
    #[must_use]
    pub fn fits(&self) -> bool {
        let mut patterns = Vec::new();
        self.node.patterns(&mut patterns);
        patterns.is_empty() || patterns.iter().any(|laid| !laid.ways.is_empty())
    }
}

fn node(instance: &Instance, condition: &Goal) -> Result<Node, TooManyWays> {
    let each = |list: &[Goal]| {
        let parts = list.iter().map(|part| node(instance, part));
        parts.collect::<Result<Vec<_>, _>>()
    };
    let lies = |pattern, wanted| Ok(Node::Lies(Laid::new(instance, pattern, &[])?, wanted));
    Ok(match condition {
        Goal::Drawing(tests) => Node::Drawing(tests.clone()),
        Goal::Contains(pattern) => lies(pattern, true)?,
        Goal::Never(pattern) => lies(pattern, false)?,
        Goal::Count(set, comparison, number) => Node::Count(*set, *comparison, *number),
        Goal::Stuck => Node::Stuck,
        Goal::Not(inner) => Node::Not(Box::new(node(instance, inner)?)),
        Goal::And(all) => Node::And(each(all)?),
        Goal::Or(any) => Node::Or(each(any)?),
    })
}

impl Node {
    fn patterns<'n>(&'n self, found: &mut Vec<&'n Laid>) {
        match self {
            Self::Lies(laid, _) => found.push(laid),
            Self::Not(inner) => inner.patterns(found),
            Self::And(parts) | Self::Or(parts) => {
                for part in parts {
                    part.patterns(found);
                }
            }
            Self::Drawing(_) | Self::Count(..) | Self::Stuck => {}
        }
    }

    fn holds(&self, endless: bool, position: &[Value], is_stuck: &dyn Fn() -> bool) -> bool {
        match self {
            Self::Drawing(tests) => {
                let cells = if endless {
                    occupied(position)
                } else {
                    position
                };
                cells.len() == tests.len()
                    && cells.iter().zip(tests).all(|(&v, &test)| passes(test, v))
            }
            Self::Lies(laid, wanted) => laid.is_in(position) == *wanted,
            Self::Count(set, comparison, number) => {
                let held = |&&value: &&Value| passes(Test::Symbols(*set), value);
                let count = position.iter().filter(held).count() as i64;
                comparison.holds(count.cmp(number))
            }
            Self::Stuck => is_stuck(),
            Self::Not(inner) => !inner.holds(endless, position, is_stuck),
            Self::And(all) => all.iter().all(|n| n.holds(endless, position, is_stuck)),
            Self::Or(any) => any.iter().any(|n| n.holds(endless, position, is_stuck)),
        }
    }
}

fn is_endless(board: &Board) -> bool {
    matches!(board.shape, Shape::Window { .. } | Shape::Span)
}

/// The stretch from the first to the last cell that is not empty.
fn occupied(position: &[Value]) -> &[Value] {
    let first = position.iter().position(|&value| value != 0);
    let last = position.iter().rposition(|&value| value != 0);
    match (first, last) {
        (Some(first), Some(last)) => &position[first..=last],
        _ => &[],
    }
}
