//! Compiled puzzles: packed boards and families of rules, for one width of word.

use std::collections::{BTreeMap, BTreeSet};

use crate::anchored::Anchored;
use crate::board::{Board, Cell, Shape};
use crate::family::{Family, Masks, Packing, Place, families};
use crate::goal::{drawn_sets, pattern_tests};
use crate::instance::{Goal, Instance, Pattern, Position, SymbolSet};
use crate::lay::Ground;
use crate::placed::{PlacedRule, PlacedRules};
use crate::potential::is_graded;
use crate::puzzle::{Draw, Move, Puzzle, Reversible, Style};
use crate::shift::Span;
use crate::syntax::Comparison;
use crate::word::Word;

/// A puzzle on a symbol board, packed into words of one width.
#[derive(Clone, Debug)]
pub struct Compiled<W> {
    instance: Instance,
    rules: Vec<PlacedRule>,
    /// The effect of each move and their number; `None` where contents move or boards shift.
    effects: Option<(Vec<u32>, u32)>,
    packing: Packing,
    masks: Masks<W>,
    forward: Vec<Family<W>>,
    backward: Vec<Family<W>>,
    /// What finds successors where it is quicker than `forward`, and predecessors.
    forward_anchored: Option<Anchored<W>>,
    backward_anchored: Option<Anchored<W>>,
    cuts: Vec<Family<W>>,
    goal: PackedGoal<W>,
    starts: Vec<W>,
    undirected: bool,
    graded: bool,
    span: Option<Span<W>>,
}

/// So many symbol sets fit a cache line or two of the narrowest word.
const FEW_SETS: usize = 8;
/// Up to so many symbol sets need no allocation a state.
const SOME_SETS: usize = 32;

/// A goal as tests of a packed board.
#[derive(Clone, Debug)]
enum PackedGoal<W> {
    Exactly(W),
    Somewhere(Vec<Family<W>>),
    Count(SymbolSet, Comparison, i64),
    Stuck,
    Drawing(Vec<SymbolSet>),
    Not(Box<PackedGoal<W>>),
    And(Vec<PackedGoal<W>>),
    Or(Vec<PackedGoal<W>>),
}

/// The packing an instance needs.
#[must_use]
pub fn packing(instance: &Instance, placed: &PlacedRules) -> Packing {
    Packing::new(placed.cells, instance.alphabet.symbols.len() as u64)
}

/// Whether the set of placed rules is closed under taking back: then every transition has its
/// inverse.
#[must_use]
pub fn is_undirected(rules: &[PlacedRule]) -> bool {
    let key = |r: &PlacedRule| {
        (
            r.delta.clone(),
            r.moved.clone(),
            r.guard.clone(),
            r.forbid.clone(),
        )
    };
    let all: BTreeSet<_> = rules.iter().map(key).collect();
    rules.iter().all(|rule| all.contains(&key(&rule.inverse())))
}

/// Numbers the effects of placed rules (equal changes are one effect); `None` where contents move.
fn effects(rules: &[PlacedRule]) -> Option<(Vec<u32>, u32)> {
    let mut known = BTreeMap::new();
    let mut numbers = Vec::new();
    for rule in rules {
        if !rule.moved.is_empty() {
            return None;
        }
        let next = known.len() as u32;
        numbers.push(*known.entry(&rule.delta).or_insert(next));
    }
    Some((numbers, known.len() as u32))
}

impl<W: Word> Compiled<W> {
    /// Packs an instance with its placed rules.
    ///
    /// # Panics
    /// If the packing is wider than the word: the caller chooses the word.
    #[must_use]
    pub fn new(instance: Instance, placed: PlacedRules) -> Self {
        let packing = packing(&instance, &placed);
        assert!(
            packing.bits() <= W::BITS as usize,
            "{} bits in {}",
            packing.bits(),
            W::BITS
        );
        let mut masks = Masks::new(packing, instance.alphabet.symbols.len());
        let inverses: Vec<PlacedRule> = placed.rules.iter().map(PlacedRule::inverse).collect();
        let forward = families(&placed.rules, packing, &mut masks);
        let backward = families(&inverses, packing, &mut masks);
        let cuts: Vec<PlacedRule> = placed
            .cuts
            .iter()
            .map(|c| test(&c.guard, &c.forbid))
            .collect();
        let cuts = families(&cuts, packing, &mut masks);
        let ground = Ground::new(&instance.board, placed.cells);
        let goal = pack_goal(&instance.goal, &instance, &ground, packing, &mut masks);
        let span =
            (instance.board.shape == Shape::Span).then(|| Span::new(instance.board.cells, packing));
        let offset = if span.is_some() {
            instance.board.cells
        } else {
            0
        };
        let starts = instance
            .starts
            .iter()
            .map(|start| packing.pack(std::iter::repeat_n(0, offset).chain(start.iter().copied())))
            .collect();
        let undirected = span.is_none() && is_undirected(&placed.rules);
        let graded = span.is_none()
            && !undirected
            && is_graded(
                &placed.rules,
                placed.cells,
                instance.alphabet.symbols.len(),
                &instance.starts,
            );
        let anchored = |rules: &[PlacedRule], families: &[Family<W>]| {
            let symbols = instance.alphabet.symbols.len();
            Anchored::worthwhile(rules, packing, symbols, &instance.starts, families.len())
                .filter(|_| span.is_none())
        };
        let forward_anchored = anchored(&placed.rules, &forward);
        let backward_anchored = anchored(&inverses, &backward);
        let effects = if span.is_none() {
            effects(&placed.rules)
        } else {
            None
        };
        Self {
            instance,
            rules: placed.rules,
            effects,
            packing,
            masks,
            forward,
            backward,
            forward_anchored,
            backward_anchored,
            cuts,
            goal,
            starts,
            undirected,
            graded,
            span,
        }
    }

    /// The state of a position; `None` if its size is wrong.
    #[must_use]
    pub fn pack(&self, position: &Position) -> Option<W> {
        if position.len() != self.instance.board.cells {
            return None;
        }
        let offset = self.offset();
        Some(
            self.packing
                .pack(std::iter::repeat_n(0, offset).chain(position.iter().copied())),
        )
    }

    /// The position of a state.
    #[must_use]
    pub fn unpack(&self, state: W) -> Position {
        let all = self.packing.unpack(state);
        all[self.offset()..self.offset() + self.instance.board.cells].to_vec()
    }

    /// How many shapes of placed rules there are: each is found at all its places at once.
    #[must_use]
    pub fn family_count(&self) -> usize {
        self.forward.len()
    }

    /// Where each cell lies in the word.
    #[must_use]
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// The placed rules, by move number.
    #[must_use]
    pub fn rules(&self) -> &[PlacedRule] {
        &self.rules
    }

    fn offset(&self) -> usize {
        if self.span.is_some() {
            self.instance.board.cells
        } else {
            0
        }
    }

    /// Whether a goal that is no single position holds: apart, so that one that is needs no room on
    /// the stack.
    #[inline(never)]
    fn is_described(&self, state: W) -> bool {
        self.with_words(state, |words| self.goal_holds(&self.goal, state, words))
    }

    fn goal_holds(&self, goal: &PackedGoal<W>, state: W, words: &[W]) -> bool {
        match goal {
            PackedGoal::Exactly(word) => state == *word,
            PackedGoal::Somewhere(families) => families.iter().any(|f| f.applies(words)),
            PackedGoal::Count(set, comparison, number) => {
                comparison.holds(i64::from(self.masks.count(state, *set)).cmp(number))
            }
            PackedGoal::Stuck => {
                let mut moves = false;
                self.successors(state, |_| moves = true);
                !moves
            }
            PackedGoal::Drawing(sets) => self.is_drawn(state, sets),
            PackedGoal::Not(goal) => !self.goal_holds(goal, state, words),
            PackedGoal::And(all) => all.iter().all(|g| self.goal_holds(g, state, words)),
            PackedGoal::Or(all) => all.iter().any(|g| self.goal_holds(g, state, words)),
        }
    }

    /// Whether the occupied stretch of an endless row is as drawn.
    fn is_drawn(&self, state: W, sets: &[SymbolSet]) -> bool {
        let contents = self.packing.unpack(state);
        let Some(first) = contents.iter().position(|&c| c != 0) else {
            return sets.is_empty();
        };
        let last = contents
            .iter()
            .rposition(|&c| c != 0)
            .expect("one is occupied");
        last + 1 - first == sets.len()
            && contents[first..=last]
                .iter()
                .zip(sets)
                .all(|(&c, set)| set.has(c as u8))
    }
}

fn test(guard: &[(Cell, SymbolSet)], forbid: &[Vec<(Cell, SymbolSet)>]) -> PlacedRule {
    PlacedRule {
        rule: 0,
        delta: Vec::new(),
        moved: Vec::new(),
        guard: guard.to_vec(),
        forbid: forbid.to_vec(),
        path: Vec::new(),
    }
}

fn pack_goal<W: Word>(
    goal: &Goal,
    instance: &Instance,
    ground: &Ground<'_>,
    packing: Packing,
    masks: &mut Masks<W>,
) -> PackedGoal<W> {
    let every = SymbolSet::any(instance.alphabet.symbols.len());
    let mut pack = |goal: &Goal| pack_goal(goal, instance, ground, packing, masks);
    match goal {
        Goal::Not(goal) => PackedGoal::Not(Box::new(pack(goal))),
        Goal::And(all) => PackedGoal::And(all.iter().map(pack).collect()),
        Goal::Or(all) => PackedGoal::Or(all.iter().map(pack).collect()),
        Goal::Stuck => PackedGoal::Stuck,
        Goal::Count(set, comparison, number) => PackedGoal::Count(*set, *comparison, *number),
        Goal::Contains(pattern) => {
            PackedGoal::Somewhere(pattern_families(pattern, every, ground, packing, masks))
        }
        Goal::Never(pattern) => PackedGoal::Not(Box::new(PackedGoal::Somewhere(pattern_families(
            pattern, every, ground, packing, masks,
        )))),
        Goal::Drawing(tests) => {
            let sets = drawn_sets(tests, every);
            if matches!(instance.board.shape, Shape::Window { .. } | Shape::Span) {
                return PackedGoal::Drawing(sets);
            }
            if sets.iter().all(|s| s.0.is_power_of_two()) {
                let contents = sets.iter().map(|s| u64::from(s.0.trailing_zeros()));
                return PackedGoal::Exactly(packing.pack(contents));
            }
            let cells = 0..sets.len() as Cell;
            let guard: Vec<_> = cells.zip(sets).filter(|(_, set)| *set != every).collect();
            PackedGoal::Somewhere(families(&[test(&guard, &[])], packing, masks))
        }
    }
}

/// The ways a goal pattern can be laid, as families that change nothing.
fn pattern_families<W: Word>(
    pattern: &Pattern,
    every: SymbolSet,
    ground: &Ground<'_>,
    packing: Packing,
    masks: &mut Masks<W>,
) -> Vec<Family<W>> {
    let laid = pattern_tests(pattern, every, ground);
    let rules: Vec<PlacedRule> = laid.iter().map(|guard| test(guard, &[])).collect();
    families(&rules, packing, masks)
}

impl<W: Word> Compiled<W> {
    #[inline]
    fn with_words<R>(&self, state: W, work: impl FnOnce(&[W]) -> R) -> R {
        let (mut few, mut some);
        let mut many: Vec<W>;
        let count = self.masks.count_sets();
        let words = if count <= FEW_SETS {
            few = [W::ZERO; FEW_SETS];
            &mut few[..count]
        } else if count <= SOME_SETS {
            some = [W::ZERO; SOME_SETS];
            &mut some[..count]
        } else {
            many = vec![W::ZERO; count];
            &mut many[..]
        };
        self.masks.make(state, words);
        work(words)
    }

    /// Calls `visit` for each move: its family, where it is, the successor.
    #[inline]
    fn visit_families<'a>(
        &'a self,
        families: &'a [Family<W>],
        state: W,
        mut visit: impl FnMut(&'a Family<W>, Place, W),
    ) {
        self.with_words(state, |words| match &self.span {
            None => {
                for family in families {
                    family.visit(state, words, self.packing, &mut |place, next| {
                        visit(family, place, next);
                    });
                }
            }
            Some(span) => {
                for family in families {
                    family.visit(state, words, self.packing, &mut |place, next| {
                        if let Some(next) = span.settle(next, self.packing)
                            && next != state
                        {
                            visit(family, place, next);
                        }
                    });
                }
            }
        });
    }
}

impl<W: Word> Compiled<W> {
    /// Calls `visit` for each move of all families: apart, as it takes much room on the stack.
    #[inline(never)]
    fn visit_changes(&self, families: &[Family<W>], state: W, mut visit: impl FnMut(W)) {
        self.visit_families(families, state, |_, _, next| visit(next));
    }
}

impl<W: Word> Puzzle for Compiled<W> {
    type State = W;

    fn starts(&self) -> Vec<W> {
        self.starts.clone()
    }

    #[inline]
    fn moves(&self, state: W, mut visit: impl FnMut(Move, W)) {
        self.visit_families(&self.forward, state, |family, place, next| {
            visit(family.move_at(place), next);
        });
    }

    #[inline]
    fn successors(&self, state: W, visit: impl FnMut(W)) {
        match &self.forward_anchored {
            Some(anchored) => anchored.visit(state, visit),
            None => self.visit_changes(&self.forward, state, visit),
        }
    }

    fn is_goal(&self, state: W) -> bool {
        if let PackedGoal::Exactly(word) = &self.goal {
            return state == *word;
        }
        self.is_described(state)
    }

    fn move_bound(&self) -> u32 {
        self.rules.len() as u32
    }

    fn can_cut(&self) -> bool {
        !self.cuts.is_empty() || self.span.is_some()
    }

    fn is_cut(&self, state: W) -> bool {
        self.with_words(state, |words| {
            if self.cuts.iter().any(|cut| cut.applies(words)) {
                return true;
            }
            let Some(span) = &self.span else { return false };
            let mut cut = false;
            for family in &self.forward {
                family.visit(state, words, self.packing, &mut |_, next| {
                    cut |= span.settle(next, self.packing).is_none();
                });
            }
            cut
        })
    }

    fn is_graded(&self) -> bool {
        self.graded
    }

    fn is_undirected(&self) -> bool {
        self.undirected
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

impl<W: Word> Reversible for Compiled<W> {
    #[inline]
    fn unmoves(&self, state: W, mut visit: impl FnMut(Move, W)) {
        self.visit_families(&self.backward, state, |family, place, before| {
            visit(family.move_at(place), before);
        });
    }

    #[inline]
    fn predecessors(&self, state: W, visit: impl FnMut(W)) {
        match &self.backward_anchored {
            Some(anchored) => anchored.visit(state, visit),
            None => self.visit_changes(&self.backward, state, visit),
        }
    }
}

impl<W: Word> Draw for Compiled<W> {
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

/// A move in words: the rule and the cells that change, in the order of the pattern.
pub(crate) fn move_name(instance: &Instance, rule: u16, path: &[Cell]) -> String {
    let mut name = instance.rules[usize::from(rule)].name.clone();
    for &cell in path {
        name.push(' ');
        name.push_str(&cell_name(&instance.board, cell));
    }
    name
}

/// What a cell is called in the name of a move: its number from 1 in reading order, its name on a
/// graph, its place on an endless row (0 is the first cell of the start, or of the position).
#[must_use]
pub fn cell_name(board: &Board, cell: Cell) -> String {
    match &board.shape {
        Shape::Graph { names, .. } => names[cell as usize].clone(),
        Shape::Window { first } => (i64::from(cell) + first).to_string(),
        Shape::Span => (i64::from(cell) - board.cells as i64).to_string(),
        _ => (cell + 1).to_string(),
    }
}
