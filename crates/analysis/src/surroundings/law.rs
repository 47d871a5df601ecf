//! From contexts to a rule: sorting them, and boiling the losing ones down.

use std::collections::BTreeMap;

use impasse_model::board::{Board, Shape};
use impasse_model::instance::{Alphabet, Value};

use super::view::{Content, Kind, Offset, View};
use super::{Example, Seen, Surroundings};

/// How the moves of a context end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// All of them lose.
    Loses,
    /// None of them does.
    Safe,
    /// Some do.
    Mixed,
}

impl Sort {
    fn of(seen: &Seen) -> Self {
        match (seen.losing.0, seen.safe.0) {
            (_, 0) => Self::Loses,
            (0, _) => Self::Safe,
            _ => Self::Mixed,
        }
    }

    /// `loses`, `safe` or `mixed`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Loses => "loses",
            Self::Safe => "safe",
            Self::Mixed => "mixed",
        }
    }
}

/// How many contexts there are at a radius.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// Cells beyond those between the first and the last that change.
    pub radius: usize,
    /// Contexts in which every move loses.
    pub losing: u64,
    /// Contexts in which none does.
    pub safe: u64,
    /// The others.
    pub mixed: u64,
}

/// One context of the last radius that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The name of the move.
    pub name: String,
    /// It, in the language of claims: `# [F .] F T`.
    pub text: String,
    /// How its moves end.
    pub sort: Sort,
    /// Number of moves that lose.
    pub losing: u64,
    /// Number of those that do not.
    pub safe: u64,
    /// The first that loses.
    pub example_losing: Option<Example>,
    /// The first that does not.
    pub example_safe: Option<Example>,
}

/// What a whole move does, wherever it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// It never loses.
    Never,
    /// It always does.
    Always,
    /// That hangs on the context.
    Depends,
}

/// What was found of the moves of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveLaw {
    /// The name.
    pub name: String,
    /// What it does in general.
    pub whole: Whole,
    /// Whether no context of it is mixed, so that the patterns tell all its blocking moves.
    pub is_complete: bool,
    /// Small contexts in which it always loses: together all the contexts that always do. From none of
    /// them a cell can be freed.
    pub patterns: Vec<String>,
}

impl MoveLaw {
    /// It as a claim of a rule file, without `claim` and `for`; none if nothing can be claimed.
    #[must_use]
    pub fn claim(&self) -> Option<String> {
        let contexts = self.patterns.iter().map(|p| format!("in {p}"));
        let contexts = contexts.collect::<Vec<_>>().join(" or ");
        let name = &self.name;
        match self.whole {
            Whole::Never => Some(format!("no {name} is blocking")),
            Whole::Always => Some(format!("{name} is blocking")),
            Whole::Depends if self.patterns.is_empty() => None,
            Whole::Depends if self.is_complete => {
                Some(format!("{name} is blocking iff {contexts}"))
            }
            Whole::Depends => Some(format!("{name} {contexts} is blocking")),
        }
    }
}

/// What was found of all moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// The radii that were looked at, from 0 on.
    pub levels: Vec<Level>,
    /// Whether no context of the last one is mixed.
    pub is_complete: bool,
    /// Its contexts: by rule, what changes, then losing, safe and mixed ones, short ones first.
    pub contexts: Vec<Context>,
    /// The moves that were made out of live states, in rule order.
    pub moves: Vec<MoveLaw>,
}

pub(super) fn find(surroundings: &Surroundings) -> Law {
    let mut levels = Vec::new();
    loop {
        let radius = levels.len();
        let views = surroundings.within(radius);
        let mut level = Level {
            radius,
            ..Level::default()
        };
        for seen in views.values().flat_map(BTreeMap::values) {
            match Sort::of(seen) {
                Sort::Loses => level.losing += 1,
                Sort::Safe => level.safe += 1,
                Sort::Mixed => level.mixed += 1,
            }
        }
        levels.push(level);
        if level.mixed == 0 || radius == surroundings.radius {
            return Law {
                levels,
                is_complete: level.mixed == 0,
                contexts: contexts(surroundings, &views),
                moves: moves(surroundings, &views),
            };
        }
    }
}

fn contexts(
    surroundings: &Surroundings,
    views: &BTreeMap<&Kind, BTreeMap<View, Seen>>,
) -> Vec<Context> {
    let writer = Writer::of(surroundings);
    let mut all = Vec::new();
    for (kind, views) in views {
        let mut rows: Vec<Context> = views
            .iter()
            .map(|(view, seen)| Context {
                name: surroundings.names[kind.rule].clone(),
                text: writer.text(kind, &view.0),
                sort: Sort::of(seen),
                losing: seen.losing.0,
                safe: seen.safe.0,
                example_losing: seen.losing.1.clone(),
                example_safe: seen.safe.1.clone(),
            })
            .collect();
        rows.sort_by_cached_key(|row| (row.sort, row.text.len(), row.text.clone()));
        all.append(&mut rows);
    }
    all
}

fn moves(
    surroundings: &Surroundings,
    views: &BTreeMap<&Kind, BTreeMap<View, Seen>>,
) -> Vec<MoveLaw> {
    let writer = Writer::of(surroundings);
    let mut laws = Vec::new();
    for (rule, name) in surroundings.names.iter().enumerate() {
        let of_rule: Vec<_> = views.iter().filter(|(kind, _)| kind.rule == rule).collect();
        if of_rule.is_empty() {
            continue;
        }
        let sorts: Vec<Sort> = of_rule
            .iter()
            .flat_map(|(_, views)| views.values().map(Sort::of))
            .collect();
        let whole = if sorts.iter().all(|&sort| sort == Sort::Safe) {
            Whole::Never
        } else if sorts.iter().all(|&sort| sort == Sort::Loses) {
            Whole::Always
        } else {
            Whole::Depends
        };
        let patterns = of_rule.iter().flat_map(|(kind, views)| {
            let patterns = patterns(kind, views, !writer.is_grid());
            let written = patterns.iter().map(|fixed| writer.text(kind, fixed));
            written.collect::<Vec<_>>()
        });
        laws.push(MoveLaw {
            name: name.clone(),
            whole,
            is_complete: !sorts.contains(&Sort::Mixed),
            patterns: patterns.collect(),
        });
    }
    laws
}

/// Places that are fixed, with their contents; by row, then column.
type Fixed = Vec<(Offset, Content)>;

/// Small patterns that together show all losing contexts of a kind, and no other context of it.
fn patterns(kind: &Kind, views: &BTreeMap<View, Seen>, is_row: bool) -> Vec<Fixed> {
    let is_losing = |(_, seen): &(&View, &Seen)| Sort::of(seen) == Sort::Loses;
    let (losing, others): (Vec<_>, Vec<_>) = views.iter().partition(is_losing);
    let others: Vec<&View> = others.into_iter().map(|(view, _)| view).collect();
    let losing: Vec<&View> = losing.into_iter().map(|(view, _)| view).collect();
    let widest = losing.iter().map(|view| view.0.len()).max().unwrap_or(0);
    let mut found: Vec<Fixed> = Vec::new();
    for view in &losing {
        if is_row && widest <= MOST_PLACES {
            found.extend(all_minimal(view, &others));
        } else if !found.iter().any(|fixed| shows(kind, fixed, view)) {
            found.push(boiled_down(kind, view, &others));
        }
    }
    let key = |fixed: &Fixed| {
        let far = fixed.iter().map(|&(offset, _)| kind.distance(offset));
        (fixed.len(), far.sum::<i64>(), fixed.clone())
    };
    found.sort_by_cached_key(key);
    found.dedup();
    cover(kind, found, &losing)
}

/// Of views of more places not all minimal patterns are looked at.
const MOST_PLACES: usize = 12;

/// All minimal patterns of a view on a row that no other context shows.
///
/// A pattern is shown by a context that agrees with the view at all its places: nothing on a row
/// lies behind an edge, so the places between are cells.
fn all_minimal(view: &View, others: &[&View]) -> Vec<Fixed> {
    let places = view.0.len();
    let agreement = |other: &&View| {
        (0..places)
            .filter(|&i| other.at(view.0[i].0) == Some(view.0[i].1))
            .fold(0u32, |set, i| set | 1 << i)
    };
    let others: Vec<u32> = others.iter().map(agreement).collect();
    let mut sets: Vec<u32> = (0..1u32 << places).collect();
    sets.sort_by_key(|set| set.count_ones());
    let mut minimal: Vec<u32> = Vec::new();
    for set in sets {
        let is_larger = minimal.iter().any(|less| less & set == *less);
        if !is_larger && others.iter().all(|other| set & other != set) {
            minimal.push(set);
        }
    }
    let fixed = |set: &u32| {
        let places = (0..places).filter(|&i| set >> i & 1 == 1);
        places.map(|i| view.0[i]).collect()
    };
    minimal.iter().map(fixed).collect()
}

/// Frees places, those far away first, as long as no other context shows what is left.
fn boiled_down(kind: &Kind, view: &View, others: &[&View]) -> Fixed {
    let mut fixed = view.0.clone();
    let mut order: Vec<Offset> = fixed.iter().map(|&(offset, _)| offset).collect();
    order.sort_by_key(|&(x, y)| (-kind.distance((x, y)), y, x));
    loop {
        let before = fixed.len();
        for &offset in &order {
            let mut less = fixed.clone();
            less.retain(|&(at, _)| at != offset);
            let fits = less.len() < fixed.len()
                && shows(kind, &less, view)
                && !others.iter().any(|other| shows(kind, &less, other));
            if fits {
                fixed = less;
            }
        }
        // On grids a place may be free only once those around it are.
        if fixed.len() == before {
            return fixed;
        }
    }
}

/// Whether a view shows a pattern, as rule files read it: in the box around the fixed places and the
/// move all others are cells.
fn shows(kind: &Kind, fixed: &Fixed, view: &View) -> bool {
    fixed
        .iter()
        .all(|&(offset, content)| view.at(offset) == Some(content))
        && frame(kind, fixed).places().all(|offset| {
            let is_known = kind.changed.iter().any(|&(at, _)| at == offset)
                || fixed.iter().any(|&(at, _)| at == offset);
            is_known || view.at(offset).flatten().is_some()
        })
}

/// Chooses, again and again, the pattern that most of the views not yet covered show; of several the
/// one with the fewest places, then the first.
fn cover(kind: &Kind, mut patterns: Vec<Fixed>, views: &[&View]) -> Vec<Fixed> {
    let mut open: Vec<&View> = views.to_vec();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let gain = |fixed: &Fixed| open.iter().filter(|v| shows(kind, fixed, v)).count();
        let best = (0..patterns.len()).max_by_key(|&i| {
            let fewest = std::cmp::Reverse(patterns[i].len());
            (gain(&patterns[i]), fewest, std::cmp::Reverse(i))
        });
        let pattern = patterns.remove(best.expect("every view shows a pattern"));
        open.retain(|view| !shows(kind, &pattern, view));
        chosen.push(pattern);
    }
    chosen
}

/// A box of places.
struct Frame {
    x: (i64, i64),
    y: (i64, i64),
}

impl Frame {
    fn places(&self) -> impl Iterator<Item = Offset> + use<> {
        let (from, to) = self.x;
        (self.y.0..=self.y.1).flat_map(move |y| (from..=to).map(move |x| (x, y)))
    }
}

/// The least box that holds the fixed places and the move.
fn frame(kind: &Kind, fixed: &Fixed) -> Frame {
    let moved = kind.changed.iter().map(|&(offset, _)| offset);
    let mut frame = Frame {
        x: (0, 0),
        y: (0, 0),
    };
    for (x, y) in moved.chain(fixed.iter().map(|&(offset, _)| offset)) {
        frame.x = (frame.x.0.min(x), frame.x.1.max(x));
        frame.y = (frame.y.0.min(y), frame.y.1.max(y));
    }
    frame
}

/// Writes contexts in the language of claims.
struct Writer<'a> {
    board: &'a Board,
    alphabet: &'a Alphabet,
}

impl<'a> Writer<'a> {
    fn of(surroundings: &'a Surroundings) -> Self {
        Self {
            board: &surroundings.board,
            alphabet: &surroundings.alphabet,
        }
    }

    fn is_grid(&self) -> bool {
        matches!(self.board.shape, Shape::Grid { .. })
    }

    fn text(&self, kind: &Kind, fixed: &Fixed) -> String {
        let frame = frame(kind, fixed);
        let rows: Vec<String> = (frame.y.0..=frame.y.1)
            .map(|y| self.row(kind, fixed, frame.x, y))
            .collect();
        let is_one_row = rows.len() == 1 && frame.x.0 < frame.x.1;
        let along = if is_one_row && self.is_grid() {
            " along right"
        } else {
            ""
        };
        rows.join(" / ") + along
    }

    /// A bracket holds one or two cells, so that each of them is its first or its last.
    fn row(&self, kind: &Kind, fixed: &Fixed, (from, to): (i64, i64), y: i64) -> String {
        let changed = |x: i64| kind.changed.iter().find(|&&(at, _)| at == (x, y));
        let mut words = Vec::new();
        let mut x = from;
        while x <= to {
            let known = fixed.iter().find(|&&(at, _)| at == (x, y));
            match (changed(x), changed(x + 1)) {
                (Some(&(_, a)), Some(&(_, b))) => {
                    words.push(format!("[{} {}]", self.letter(a), self.letter(b)));
                    x += 1;
                }
                (Some(&(_, a)), None) => words.push(format!("[{}]", self.letter(a))),
                (None, _) => words.push(match known {
                    Some((_, Some(value))) => self.letter(*value),
                    Some((_, None)) => "#".to_owned(),
                    None => "_".to_owned(),
                }),
            }
            x += 1;
        }
        words.join(" ")
    }

    fn letter(&self, value: Value) -> String {
        self.board.letter(self.alphabet, value)
    }
}
