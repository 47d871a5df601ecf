//! Compiled puzzles on counted boards: tests of fields and sums.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::board::{Cell, Shape};
use crate::compiled::move_name;
use crate::expr::{Names, Value as Term, evaluate, holds};
use crate::family::Packing;
use crate::instance::{Goal, Instance, Pattern, Position, Test};
use crate::lay::{Ground, Site, lay_pattern};
use crate::params::Params;
use crate::placed::{Amount, PlacedCount, PlacedRules};
use crate::puzzle::{Draw, Move, Puzzle, Reversible, Style};
use crate::shift::Span;
use crate::word::Word;

/// A puzzle on a counted board, packed into words of one width.
#[derive(Debug)]
pub struct CompiledCounts<W> {
    instance: Instance,
    rules: Vec<PlacedCount>,
    packing: Packing,
    /// The greatest count a cell may hold: the cap, or the most that fits.
    most: u64,
    goal: PackedGoal,
    starts: Vec<W>,
    span: Option<Span<W>>,
    overflow: AtomicBool,
    effects: Option<(Vec<u32>, u32)>,
}

/// Tests of cells that must all hold.
type Tests = Vec<(Cell, u64, u64)>;

#[derive(Clone, Debug)]
enum PackedGoal {
    Somewhere(Vec<Tests>),
    /// The occupied stretch of an endless row.
    Drawing(Vec<(u64, u64)>),
    Stuck,
    Not(Box<PackedGoal>),
    And(Vec<PackedGoal>),
    Or(Vec<PackedGoal>),
}

impl<W: Word> CompiledCounts<W> {
    /// Packs an instance with its placed rules, `width` bits a cell.
    ///
    /// # Panics
    /// If the packing is wider than the word: the caller chooses the word.
    #[must_use]
    pub fn new(instance: Instance, placed: PlacedRules, width: u32) -> Self {
        let packing = Packing {
            cells: placed.cells as u32,
            width,
        };
        assert!(
            packing.bits() <= W::BITS as usize,
            "{} bits in {}",
            packing.bits(),
            W::BITS
        );
        let room = if width >= 64 {
            u64::MAX
        } else {
            (1 << width) - 1
        };
        let most = instance.board.cap.map_or(room, |cap| cap.min(room));
        let ground = Ground::new(&instance.board, placed.cells);
        let goal = pack_goal(&instance.goal, &instance, &ground);
        let cells = instance.board.cells;
        let span = (instance.board.shape == Shape::Span).then(|| Span::new(cells, packing));
        let offset = if span.is_some() { cells } else { 0 };
        let starts = instance
            .starts
            .iter()
            .map(|start| packing.pack(std::iter::repeat_n(0, offset).chain(start.iter().copied())))
            .collect();
        let effects = if span.is_none() {
            effects(&placed.counts)
        } else {
            None
        };
        Self {
            instance,
            rules: placed.counts,
            packing,
            most,
            goal,
            starts,
            span,
            overflow: AtomicBool::new(false),
            effects,
        }
    }

    /// Whether a count did not fit its field: then nothing that was found is complete, and wider
    /// fields are needed.
    pub fn overflowed(&self) -> bool {
        self.overflow.load(Ordering::Relaxed)
    }

    /// Whether all moves can be taken back by their form alone.
    #[must_use]
    pub fn has_inverse(&self) -> bool {
        let fixed = |a: &(Cell, Amount)| matches!(a.1, Amount::Fixed(_));
        self.rules
            .iter()
            .all(|r| r.condition.is_none() && r.adds.iter().all(fixed))
    }

    /// The state of a position; `None` if its size is wrong or a count does not fit.
    #[must_use]
    pub fn pack(&self, position: &Position) -> Option<W> {
        let fits = |&count: &u64| count <= self.most;
        if position.len() != self.instance.board.cells || !position.iter().all(fits) {
            return None;
        }
        let offset = std::iter::repeat_n(0, self.offset());
        Some(self.packing.pack(offset.chain(position.iter().copied())))
    }

    /// The position of a state.
    #[must_use]
    pub fn unpack(&self, state: W) -> Position {
        let all = self.packing.unpack(state);
        all[self.offset()..self.offset() + self.instance.board.cells].to_vec()
    }

    fn offset(&self) -> usize {
        if self.span.is_some() {
            self.instance.board.cells
        } else {
            0
        }
    }

    fn passes(&self, state: W, tests: &[(Cell, u64, u64)]) -> bool {
        tests
            .iter()
            .all(|&(cell, low, high)| (low..=high).contains(&self.packing.content(state, cell)))
    }

    /// Whether a rule's tests and condition hold.
    fn applies(&self, rule: &PlacedCount, state: W) -> bool {
        self.passes(state, &rule.tests)
            && !rule.forbid.iter().any(|tests| self.passes(state, tests))
            && rule
                .condition
                .as_ref()
                .is_none_or(|cond| holds(cond, &self.names(rule, state)).unwrap_or(false))
    }

    fn names<'a>(&'a self, rule: &'a PlacedCount, state: W) -> CountNames<'a> {
        let captured = rule.captures.iter();
        CountNames {
            captures: captured
                .map(|(name, cell)| (name.as_str(), self.packing.content(state, *cell)))
                .collect(),
            at: rule.at,
            params: &self.instance.params,
        }
    }

    /// The state after the additions, times `sign`; `None` if a count leaves its range.
    fn add(&self, rule: &PlacedCount, state: W, sign: i128) -> Option<W> {
        let mut next = state;
        for (cell, amount) in &rule.adds {
            let amount = match amount {
                Amount::Fixed(n) => i128::from(*n),
                Amount::Computed(expr) => {
                    let Ok(Term::Int(n)) = evaluate(expr, &self.names(rule, state)) else {
                        return None;
                    };
                    i128::try_from(n).ok()?
                }
            };
            let before = self.packing.content(next, *cell);
            let after = u64::try_from(i128::from(before) + sign * amount).ok()?;
            if after > self.most {
                if self.instance.board.cap.is_none_or(|cap| cap > self.most) {
                    self.overflow.store(true, Ordering::Relaxed);
                }
                return None;
            }
            next = next ^ W::from_u64(before ^ after).left(self.packing.at(*cell));
        }
        Some(next)
    }

    fn goal_holds(&self, goal: &PackedGoal, state: W) -> bool {
        match goal {
            PackedGoal::Somewhere(all) => all.iter().any(|tests| self.passes(state, tests)),
            PackedGoal::Drawing(tests) => {
                let contents = self.packing.unpack(state);
                let Some(first) = contents.iter().position(|&c| c != 0) else {
                    return tests.is_empty();
                };
                let last = contents
                    .iter()
                    .rposition(|&c| c != 0)
                    .expect("one is occupied");
                let stretch = &contents[first..=last];
                stretch.len() == tests.len()
                    && stretch
                        .iter()
                        .zip(tests)
                        .all(|(c, (low, high))| (low..=high).contains(&c))
            }
            PackedGoal::Stuck => {
                let mut moves = false;
                self.moves(state, |_, _| moves = true);
                !moves
            }
            PackedGoal::Not(goal) => !self.goal_holds(goal, state),
            PackedGoal::And(all) => all.iter().all(|g| self.goal_holds(g, state)),
            PackedGoal::Or(all) => all.iter().any(|g| self.goal_holds(g, state)),
        }
    }
}

/// Numbers the effects (equal additions are one); `None` where additions are computed.
fn effects(rules: &[PlacedCount]) -> Option<(Vec<u32>, u32)> {
    let mut known = std::collections::BTreeMap::new();
    let mut numbers = Vec::new();
    for rule in rules {
        let mut key = Vec::new();
        for (cell, amount) in &rule.adds {
            let Amount::Fixed(n) = amount else {
                return None;
            };
            key.push((*cell, *n));
        }
        let next = known.len() as u32;
        numbers.push(*known.entry(key).or_insert(next));
    }
    Some((numbers, known.len() as u32))
}

/// The names of a counted rule: captures, `at`, parameters; other words are themselves.
struct CountNames<'a> {
    captures: Vec<(&'a str, u64)>,
    at: Option<i64>,
    params: &'a Params,
}

impl Names for CountNames<'_> {
    fn value(&self, name: &str) -> Option<Term> {
        if name == "at" {
            return Some(self.at.map_or(Term::None, |at| Term::Int(at.into())));
        }
        if let Some((_, count)) = self.captures.iter().find(|(n, _)| *n == name) {
            return Some(Term::Int((*count).into()));
        }
        if self.params.get(name).is_some() {
            return self.params.value(name);
        }
        Some(Term::Word(name.to_owned()))
    }
}

fn range(test: Test) -> (u64, u64) {
    match test {
        Test::Counts(low, high) => (low, high),
        // No cell passes: on a counted board the other tests are met beyond the edge alone.
        Test::Symbols(_) | Test::NoCell => (1, 0),
    }
}

fn pack_goal(goal: &Goal, instance: &Instance, ground: &Ground<'_>) -> PackedGoal {
    let pack = |goal: &Goal| pack_goal(goal, instance, ground);
    match goal {
        Goal::Not(goal) => PackedGoal::Not(Box::new(pack(goal))),
        Goal::And(all) => PackedGoal::And(all.iter().map(pack).collect()),
        Goal::Or(all) => PackedGoal::Or(all.iter().map(pack).collect()),
        Goal::Stuck => PackedGoal::Stuck,
        Goal::Count(..) => PackedGoal::Or(Vec::new()),
        Goal::Contains(pattern) => PackedGoal::Somewhere(laid(pattern, ground)),
        Goal::Never(pattern) => {
            PackedGoal::Not(Box::new(PackedGoal::Somewhere(laid(pattern, ground))))
        }
        Goal::Drawing(tests) => {
            if matches!(instance.board.shape, Shape::Window { .. } | Shape::Span) {
                return PackedGoal::Drawing(tests.iter().map(|&t| range(t)).collect());
            }
            let cells = (0..).zip(tests).map(|(cell, &test)| {
                let (low, high) = range(test);
                (cell, low, high)
            });
            PackedGoal::Somewhere(vec![cells.collect()])
        }
    }
}

fn laid(pattern: &Pattern, ground: &Ground<'_>) -> Vec<Tests> {
    let items: Vec<(u64, u64)> = pattern
        .rows
        .iter()
        .flatten()
        .map(|i| range(i.test))
        .collect();
    let mut all = BTreeSet::new();
    lay_pattern(ground, pattern, |layout| {
        let mut tests = Vec::new();
        for (sites, &(low, high)) in layout.sites.iter().zip(&items) {
            for site in sites {
                if let Site::Cell(cell) = site {
                    tests.push((*cell, low, high));
                }
            }
        }
        tests.sort_unstable();
        all.insert(tests);
    });
    all.into_iter().collect()
}

impl<W: Word> Puzzle for CompiledCounts<W> {
    type State = W;

    fn starts(&self) -> Vec<W> {
        self.starts.clone()
    }

    fn moves(&self, state: W, mut visit: impl FnMut(Move, W)) {
        for (number, rule) in self.rules.iter().enumerate() {
            if rule.cut || !self.applies(rule, state) {
                continue;
            }
            let Some(next) = self.add(rule, state, 1) else {
                continue;
            };
            let next = match &self.span {
                Some(span) => span.settle(next, self.packing),
                None => Some(next),
            };
            if let Some(next) = next
                && next != state
            {
                visit(Move(number as u32), next);
            }
        }
    }

    fn is_goal(&self, state: W) -> bool {
        self.goal_holds(&self.goal, state)
    }

    fn move_bound(&self) -> u32 {
        self.rules.len() as u32
    }

    fn can_cut(&self) -> bool {
        self.span.is_some() || self.rules.iter().any(|rule| rule.cut)
    }

    fn is_cut(&self, state: W) -> bool {
        self.rules.iter().any(|rule| {
            (rule.cut || self.span.is_some())
                && self.applies(rule, state)
                && self.add(rule, state, 1).is_some_and(|next| {
                    rule.cut
                        || self
                            .span
                            .as_ref()
                            .is_some_and(|s| s.settle(next, self.packing).is_none())
                })
        })
    }

    fn is_injective(&self) -> bool {
        self.effects
            .as_ref()
            .is_some_and(|e| e.1 as usize == self.rules.len())
    }

    fn effect(&self, mv: Move) -> Option<u32> {
        Some(self.effects.as_ref()?.0[mv.0 as usize])
    }

    fn effect_bound(&self) -> Option<u32> {
        Some(self.effects.as_ref()?.1)
    }
}

/// Only where [`CompiledCounts::has_inverse`] says so.
impl<W: Word> Reversible for CompiledCounts<W> {
    fn unmoves(&self, state: W, mut visit: impl FnMut(Move, W)) {
        for (number, rule) in self.rules.iter().enumerate() {
            if rule.cut {
                continue;
            }
            let Some(before) = self.add(rule, state, -1) else {
                continue;
            };
            let before = match &self.span {
                Some(span) => span.settle(before, self.packing),
                None => Some(before),
            };
            let Some(before) = before else { continue };
            // Up to shift the rule's place is another one for the settled board; there the
            // predecessor is found again by looking for a way here.
            let leads_here = if self.span.is_some() {
                let mut leads = false;
                self.moves(before, |_, next| leads |= next == state);
                leads
            } else {
                self.applies(rule, before)
            };
            if leads_here && before != state {
                visit(Move(number as u32), before);
            }
        }
    }
}

impl<W: Word> Draw for CompiledCounts<W> {
    fn one_line(&self, state: W) -> String {
        self.instance
            .board
            .one_line(&self.instance.alphabet, &self.unpack(state))
    }

    fn picture(&self, state: W, style: Style) -> Vec<String> {
        self.instance
            .board
            .picture(&self.instance.alphabet, &self.unpack(state), style)
    }

    fn move_name(&self, mv: Move) -> String {
        let rule = &self.rules[mv.0 as usize];
        move_name(&self.instance, rule.rule, &rule.path)
    }

    fn rule_name(&self, mv: Move) -> String {
        let rule = &self.rules[mv.0 as usize];
        self.instance.rules[usize::from(rule.rule)].name.clone()
    }
}
