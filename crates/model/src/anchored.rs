//! Rules by the cells of a rare symbol.
//!
//! Where every rule reads one symbol that few cells hold (the empty cell of a sliding puzzle, a single
//! walker), the rules are listed by the cell at which they read it. A state then costs a look at the
//! lists of those few cells, whatever the number of families.

use std::collections::BTreeMap;

use crate::board::Cell;
use crate::family::Packing;
use crate::instance::{Position, SymbolSet};
use crate::placed::{PlacedRule, Symbol};
use crate::word::Word;

/// Most cells at which a rule may read a class without changing them.
const GUARDS: usize = 2;

/// Placed rules, by the cell at which they read the anchor.
#[derive(Clone, Debug)]
pub(crate) struct Anchored<W> {
    /// The lowest bit of each field.
    ones: W,
    /// The anchor in all fields.
    anchor: W,
    /// Bits a field, and all of them in the lowest one.
    width: u32,
    field: u64,
    /// Most guards of a rule.
    guards: usize,
    /// The rules of a cell, by the lowest bit of its field.
    lists: Vec<Vec<AnchoredRule<W>>>,
}

/// One change at one place: it flips fixed bits, or carries a content from one field to an empty one.
/// What it does not do it does with zeros, so that no branch tells the two apart.
#[derive(Clone, Copy, Debug)]
struct AnchoredRule<W> {
    /// It applies where `board & care == value`, `carried` has the content at `from`, and each of
    /// `guards` has the content of its field.
    care: W,
    value: W,
    carried: SymbolSet,
    guards: [(u32, SymbolSet); GUARDS],
    flip: W,
    /// The bits of a content, if one is carried.
    content: u64,
    from: u32,
    to: u32,
}

/// A set that has every content a field can hold.
const WHATEVER: SymbolSet = SymbolSet(u64::MAX);

/// What a rule reads, without repeats: the symbols that may stand at each cell.
type Reads = BTreeMap<Cell, SymbolSet>;

/// What a change does.
#[derive(Clone)]
enum Change {
    /// Cells and what their symbols are flipped with.
    Flip(Vec<(Cell, Symbol)>),
    /// Whatever stands at the first cell goes to the second, which is empty.
    Carry(Cell, Cell),
}

impl<W: Word> Anchored<W> {
    /// The rules by the cells of the symbol that promises least work, if that is less than asking
    /// `families` families; `None` where that is not so, or the rules are not simple enough.
    pub(crate) fn worthwhile(
        rules: &[PlacedRule],
        packing: Packing,
        symbols: usize,
        starts: &[Position],
        families: usize,
    ) -> Option<Self> {
        let changes = changes(rules)?;
        let cells = starts.iter().map(Vec::len).sum::<usize>().max(1);
        let work = |anchor: Symbol| {
            let holders = starts.iter().flatten();
            let holders = holders.filter(|&&content| content == u64::from(anchor));
            // Rules asked in a start, were they spread evenly.
            changes.len() * holders.count() / cells
        };
        let candidates = (0..symbols as Symbol).filter(|&s| work(s) <= families);
        let mut candidates: Vec<Symbol> = candidates.collect();
        candidates.sort_by_key(|&anchor| work(anchor));
        candidates
            .into_iter()
            .find_map(|anchor| Self::by(anchor, &changes, packing, symbols))
    }

    /// The rules by the cells of one symbol; `None` if one does not read it, or reads too many
    /// classes.
    fn by(
        anchor: Symbol,
        changes: &[(Reads, Change)],
        packing: Packing,
        symbols: usize,
    ) -> Option<Self> {
        let everywhere = |symbol: u64| -> W {
            let cells = 0..packing.cells;
            packing.pack(cells.map(|_| symbol))
        };
        let mut anchored = Self {
            ones: everywhere(1),
            anchor: everywhere(u64::from(anchor)),
            width: packing.width,
            field: (1 << packing.width) - 1,
            guards: 0,
            lists: vec![Vec::new(); W::BITS as usize],
        };
        let anchor = SymbolSet::one(anchor);
        for (reads, change) in changes {
            let mut reads = reads.clone();
            let at = *reads.iter().find(|(_, set)| **set == anchor)?.0;
            reads.remove(&at);
            let (rule, guards) = AnchoredRule::new(&reads, change, packing, symbols)?;
            anchored.guards = anchored.guards.max(guards);
            anchored.lists[packing.at(at) as usize].push(rule);
        }
        Some(anchored)
    }

    /// Calls `visit` with every successor, one a move.
    #[inline]
    pub(crate) fn visit(&self, board: W, visit: impl FnMut(W)) {
        match self.guards {
            0 => self.visit_with::<0>(board, visit),
            1 => self.visit_with::<1>(board, visit),
            _ => self.visit_with::<GUARDS>(board, visit),
        }
    }

    /// As `visit`, where no rule has more than so many guards.
    #[inline]
    fn visit_with<const N: usize>(&self, board: W, mut visit: impl FnMut(W)) {
        let differing = board ^ self.anchor;
        let mut any = differing;
        for plane in 1..self.width {
            any = any | differing.right(plane);
        }
        let mut anchors = self.ones & !any;
        let content = |at: u32| board.right(at).low_u64() & self.field;
        while !anchors.is_zero() {
            let list = &self.lists[anchors.trailing() as usize];
            anchors = anchors.without_lowest();
            for rule in list {
                let carried = content(rule.from);
                let mut applies =
                    board & rule.care == rule.value && rule.carried.0 >> carried & 1 == 1;
                for &(at, set) in &rule.guards[..N] {
                    applies &= set.0 >> content(at) & 1 == 1;
                }
                if applies {
                    let carried = W::from_u64(carried & rule.content);
                    visit(board ^ rule.flip ^ carried.left(rule.from) ^ carried.left(rule.to));
                }
            }
        }
    }
}

impl<W: Word> AnchoredRule<W> {
    /// The rule and its number of guards; `None` if there are too many.
    fn new(
        reads: &Reads,
        change: &Change,
        packing: Packing,
        symbols: usize,
    ) -> Option<(Self, usize)> {
        let field = (1 << packing.width) - 1;
        let mut rule = Self {
            care: W::ZERO,
            value: W::ZERO,
            carried: WHATEVER,
            guards: [(0, WHATEVER); GUARDS],
            flip: W::ZERO,
            content: 0,
            from: 0,
            to: 0,
        };
        match change {
            Change::Flip(delta) => {
                for &(cell, with) in delta {
                    let with = W::from_u64(u64::from(with));
                    rule.flip = rule.flip | with.left(packing.at(cell));
                }
            }
            &Change::Carry(from, to) => {
                rule.content = field;
                rule.from = packing.at(from);
                rule.to = packing.at(to);
            }
        }
        let mut guards = 0;
        for (&cell, &set) in reads {
            let at = packing.at(cell);
            if set.0.is_power_of_two() {
                let symbol = u64::from(set.0.trailing_zeros());
                rule.care = rule.care | W::from_u64(field).left(at);
                rule.value = rule.value | W::from_u64(symbol).left(at);
            } else if matches!(*change, Change::Carry(from, _) if from == cell) {
                rule.carried = set;
            } else if set != SymbolSet::any(symbols) {
                *rule.guards.get_mut(guards)? = (at, set);
                guards += 1;
            }
        }
        Some((rule, guards))
    }
}

/// The rules as reads and changes, one change for all the symbols that one rule carries the same way
/// to an empty cell; `None` if a rule moves contents that it does not name, or forbids something.
fn changes(rules: &[PlacedRule]) -> Option<Vec<(Reads, Change)>> {
    // What carries together: the rule, the change, what it reads besides.
    let mut carried: BTreeMap<(u16, Cell, Cell, Reads), SymbolSet> = BTreeMap::new();
    let mut out = Vec::new();
    for rule in rules {
        if !rule.moved.is_empty() || !rule.forbid.is_empty() {
            return None;
        }
        let mut reads = Reads::new();
        let before = rule.delta.iter().map(|d| (d.0, SymbolSet::one(d.1)));
        for (cell, set) in rule.guard.iter().copied().chain(before) {
            let known = reads.entry(cell).or_insert(set);
            known.0 &= set.0;
        }
        if reads.values().any(|set| set.0 == 0) {
            continue;
        }
        let flip = Change::Flip(rule.delta.iter().map(|d| (d.0, d.1 ^ d.2)).collect());
        let ([(from, symbol, 0), (to, 0, same)] | [(to, 0, same), (from, symbol, 0)]) =
            rule.delta[..]
        else {
            out.push((reads, flip));
            continue;
        };
        if symbol != same {
            out.push((reads, flip));
            continue;
        }
        let mut rest = reads.clone();
        rest.remove(&from);
        let together = carried.entry((rule.rule, from, to, rest));
        let known = together.or_insert(SymbolSet(0));
        // Two moves that do the same stay two.
        if known.has(symbol) {
            out.push((reads, flip));
        } else {
            known.0 |= SymbolSet::one(symbol).0;
        }
    }
    for ((_, from, to, mut reads), set) in carried {
        reads.insert(from, set);
        out.push((reads, Change::Carry(from, to)));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Anchored, changes};
    use crate::compiled::{Compiled, packing};
    use crate::instance::Instance;
    use crate::place::place;
    use crate::placed::PlacedRule;
    use crate::puzzle::{Puzzle, Reversible};

    /// The instance of a rule file without its title, all pieces declared in its first line.
    fn instance(text: &str) -> Instance {
        let (pieces, rest) = text.split_once('\n').expect("two lines");
        let pieces = pieces.split(' ').map(|p| format!("piece {p} \"{p}\"\n"));
        let text = format!("puzzle \"Test\"\n{}{rest}", pieces.collect::<String>());
        let file = crate::parse::parse("test", text.as_bytes());
        let file = file.unwrap_or_else(|faults| panic!("{faults:?}")).file;
        let params = file.parameters(&[]).expect("defaults");
        file.instance("test", params, None).expect("an instance").0
    }

    /// Successors by every anchor there can be, against those by families; how many anchors there are.
    fn check(text: &str) -> usize {
        let instance = instance(text);
        let placed = place(&instance).expect("rules that can be placed");
        let symbols = instance.alphabet.symbols.len();
        let packing = packing(&instance, &placed);
        let rules = placed.rules.clone();
        let inverses: Vec<PlacedRule> = rules.iter().map(PlacedRule::inverse).collect();
        let puzzle: Compiled<u64> = Compiled::new(instance, placed);
        let mut seen: BTreeSet<u64> = puzzle.starts().into_iter().collect();
        let mut left: Vec<u64> = seen.iter().copied().collect();
        while let Some(state) = left.pop() {
            puzzle.moves(state, |_, next| {
                if seen.len() < 3000 && seen.insert(next) {
                    left.push(next);
                }
            });
        }
        let mut anchors = 0;
        for (rules, forward) in [(rules, true), (inverses, false)] {
            let Some(changes) = changes(&rules) else {
                continue;
            };
            for anchor in 0..symbols as u8 {
                let by = Anchored::<u64>::by(anchor, &changes, packing, symbols);
                let Some(by) = by else { continue };
                anchors += 1;
                for &state in &seen {
                    let (mut found, mut wanted) = (Vec::new(), Vec::new());
                    by.visit(state, |next| found.push(next));
                    if forward {
                        puzzle.moves(state, |_, next| wanted.push(next));
                    } else {
                        puzzle.unmoves(state, |_, next| wanted.push(next));
                    }
                    found.sort_unstable();
                    wanted.sort_unstable();
                    assert_eq!(found, wanted, "{text}\nanchor {anchor}, state {state:x}");
                }
            }
        }
        anchors
    }

    #[test]
    fn every_anchor_finds_what_families_find() {
        // Carried past a class, both ways: the empty cell forwards and backwards.
        let jumps = "F T\nclass piece = F T\nboard line\nstart F F . T T\ngoal T T . F F\n\
            move step: x:piece . -> . x along both\nmove jump: x:piece y:piece . -> . y x along both\n";
        assert_eq!(check(jumps), 2);
        // Each piece its own way: fixed changes; two empty cells.
        let each = "F T\nboard line\nstart F F . . T T\ngoal T T . . F F\n\
            move step: F . <-> . F\nmove hop: F T . -> . T F\nmove hop: . F T -> T F .\n";
        assert_eq!(check(each), 4);
        // More than two bits a cell, and a rule that two others contain.
        let slide = "A B C D E\nclass tile = A B C D E\nboard grid 2 by 3\nstart A B C / D E .\n\
            goal . A B / C D E\nmove slide: x:tile . -> . x along orthogonal\n\
            move again: A . -> . A along right\n";
        assert_eq!(check(slide), 2);
        // Pieces that vanish, turn and appear: the walker is read by all, the empty cell too.
        let walk = "W X O\nclass still = X O\nboard line\nstart W . X O . X\ngoal stuck\n\
            move walk: W . <-> . W\nmove turn: W X . -> W O .\nmove eat: W O . -> . . W\n";
        assert_eq!(check(walk), 4);
        // Two classes beside what is carried, then three: one too many.
        let two = "A B C\nclass low = A B\nclass high = B C\nboard line\n\
            start A B . C B A\ngoal A A . B B C\nmove go: x:low high low . -> . high low x along both\n";
        assert_eq!(check(two), 2);
        assert_eq!(check(&two.replace("high low", "high low low")), 0);
        // What moves unnamed, and what reads no symbol for certain.
        let unnamed = "A B\nboard line\nstart A B . B\ngoal B B . A\n\
            move swap: x:_ y:_ -> y x\n";
        assert_eq!(check(unnamed), 0);
    }

    #[test]
    fn few_holders_are_worth_it() {
        let built = |text: &str| {
            let instance = instance(text);
            let placed = place(&instance).expect("rules that can be placed");
            let packing = packing(&instance, &placed);
            let symbols = instance.alphabet.symbols.len();
            let starts = &instance.starts;
            Anchored::<u64>::worthwhile(&placed.rules, packing, symbols, starts, 2).is_some()
        };
        let text = |start: &str| {
            format!("F\nboard line\nstart {start}\ngoal stuck\nmove step: F . -> . F along both\n")
        };
        assert!(built(&text("F F F . F F F")), "one empty cell");
        assert!(built(&text(". . . F . . .")), "one piece");
        assert!(!built(&text("F . F . F . F")), "neither is rare");
    }
}
