//! Plays a random puzzle by rewriting strings; shares no line with the product.
//!
//! A position is its drawing, holes included. A *track* is what one reads walking over the board
//! in one direction, `#` for all that is no cell; a rule rewrites the beginning of a track.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::random::puzzle::{Board, Cond, Goal, Item, Out, Puzzle, Rule, Step, Test};

/// How a state stands, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) depth: u32,
    pub(crate) remoteness: Option<u32>,
    pub(crate) is_goal: bool,
    pub(crate) verdict: &'static str,
    pub(crate) successors: BTreeSet<String>,
}

/// Every state by its text, or none if there are more than `limit`.
pub(crate) fn answers(puzzle: &Puzzle, limit: usize) -> Option<BTreeMap<String, Answer>> {
    let player = Player::new(puzzle);
    let found = player.search(limit)?;
    let goals: HashMap<&String, bool> = found
        .iter()
        .map(|(s, (_, next))| (s, player.is_goal(&puzzle.goal, s, next)))
        .collect();
    let remoteness = remoteness(&found, &goals);
    let answer = |(state, (depth, successors)): (&String, &(u32, BTreeSet<String>))| {
        let remoteness = remoteness.get(state).copied();
        let verdict = match (remoteness, successors.is_empty()) {
            (Some(_), _) => "live",
            (None, true) => "dead end",
            (None, false) => "doomed",
        };
        let (is_goal, successors) = (goals[state], successors.clone());
        (
            state.clone(),
            Answer {
                depth: *depth,
                remoteness,
                is_goal,
                verdict,
                successors,
            },
        )
    };
    Some(found.iter().map(answer).collect())
}

/// Every state that can be reached, with depth and successors; goals play no part.
pub(crate) fn reachable(puzzle: &Puzzle, limit: usize) -> Option<HashMap<String, u32>> {
    let found = Player::new(puzzle).search(limit)?;
    Some(
        found
            .into_iter()
            .map(|(state, (depth, _))| (state, depth))
            .collect(),
    )
}

type Found = HashMap<String, (u32, BTreeSet<String>)>;

/// Backwards from the goals, layer by layer.
fn remoteness(found: &Found, goals: &HashMap<&String, bool>) -> HashMap<String, u32> {
    let mut before: HashMap<&String, Vec<&String>> = HashMap::new();
    for (state, (_, successors)) in found {
        for next in successors {
            before.entry(next).or_default().push(state);
        }
    }
    let mut far = HashMap::new();
    let mut layer: Vec<&String> = found.keys().filter(|s| goals[*s]).collect();
    let mut distance = 0;
    while !layer.is_empty() {
        layer.retain(|state| far.insert((*state).clone(), distance).is_none());
        distance += 1;
        layer = layer
            .iter()
            .filter_map(|s| before.get(s))
            .flatten()
            .copied()
            .collect();
        layer.retain(|state| !far.contains_key(*state));
        layer.sort();
        layer.dedup();
    }
    far
}

/// A walk over the board: cells, or `None` for `#`.
type Track = Vec<Option<usize>>;

struct Player<'a> {
    puzzle: &'a Puzzle,
    cols: usize,
    rules: Vec<(Rule, Vec<Track>)>,
}

impl<'a> Player<'a> {
    fn new(puzzle: &'a Puzzle) -> Self {
        let cols = match puzzle.board {
            Board::Grid { cols } | Board::Torus { cols } => cols,
            _ => puzzle.starts[0].len(),
        };
        let mut player = Player {
            puzzle,
            cols,
            rules: Vec::new(),
        };
        let mut rules = puzzle.rules.clone();
        let inverses = puzzle.rules.iter().filter(|rule| rule.both).map(inverse);
        rules.extend(inverses);
        if puzzle.mirror {
            let mirrored: Vec<Rule> = rules.iter().map(mirrored).collect();
            rules.extend(mirrored);
        }
        player.rules = rules
            .into_iter()
            .map(|rule| {
                (
                    player.tracks(&rule.along, rule.first_row, rule.left.len()),
                    rule,
                )
            })
            .map(|(tracks, rule)| (rule, tracks))
            .collect();
        player
    }

    fn search(&self, limit: usize) -> Option<Found> {
        let mut found = Found::new();
        let mut layer: BTreeSet<String> = self
            .puzzle
            .starts
            .iter()
            .map(|start| start.iter().collect())
            .collect();
        let mut depth = 0;
        while !layer.is_empty() {
            let mut next = BTreeSet::new();
            for state in layer {
                let successors = self.successors(&state);
                next.extend(successors.iter().cloned());
                found.insert(state, (depth, successors));
                if found.len() > limit {
                    return None;
                }
            }
            layer = next
                .into_iter()
                .filter(|state| !found.contains_key(state))
                .collect();
            depth += 1;
        }
        Some(found)
    }

    fn successors(&self, state: &str) -> BTreeSet<String> {
        let cells: Vec<char> = state.chars().collect();
        let mut all = BTreeSet::new();
        for (rule, tracks) in &self.rules {
            for track in tracks {
                let seen: Vec<char> = track
                    .iter()
                    .map(|cell| cell.map_or('#', |c| cells[c]))
                    .collect();
                for lengths in self.fits(&rule.left, &seen, rule.first_row.is_some()) {
                    if let Some(written) = self.rewritten(rule, track, &seen, &lengths) {
                        let mut to = cells.clone();
                        for (cell, symbol) in track.iter().zip(written.chars()) {
                            if let Some(cell) = cell {
                                to[*cell] = symbol;
                            }
                        }
                        all.insert(to.into_iter().collect());
                    }
                }
            }
        }
        all.remove(state);
        all
    }

    /// All ways to lay the items on the beginning of what was seen: the length of each.
    fn fits(&self, items: &[Item], seen: &[char], exactly: bool) -> Vec<Vec<usize>> {
        let Some(item) = items.first() else {
            return if exactly && !seen.is_empty() {
                Vec::new()
            } else {
                vec![Vec::new()]
            };
        };
        let after = |length: usize| {
            let rest = self.fits(&items[1..], &seen[length..], exactly);
            rest.into_iter()
                .map(move |r| [vec![length], r].concat())
                .collect::<Vec<_>>()
        };
        let run = |test| {
            seen.iter()
                .take_while(|&&c| c != '#' && self.test(test, c))
                .count()
        };
        match *item {
            Item::Cell(test, _) if seen.first().is_some_and(|&c| self.test(test, c)) => after(1),
            Item::Wall if seen.first() == Some(&'#') => after(1),
            Item::Cell(..) | Item::Wall => Vec::new(),
            Item::Stretch(test, some) => (usize::from(some)..=run(test)).flat_map(after).collect(),
            Item::Dots => (0..=run(Test::Any))
                .map(after)
                .find(|ways| !ways.is_empty())
                .unwrap_or_default(),
        }
    }

    fn test(&self, test: Test, seen: char) -> bool {
        match test {
            Test::Is(symbol) => seen == symbol,
            Test::Man => self.puzzle.pieces.contains(&seen),
            Test::Mix => self.puzzle.mix.contains(&seen),
            Test::Any => seen != '#',
            Test::Not(symbol) => seen != '#' && seen != symbol,
        }
    }

    /// The beginning of the track after the move, unless it is none.
    fn rewritten(
        &self,
        rule: &Rule,
        track: &Track,
        seen: &[char],
        lengths: &[usize],
    ) -> Option<String> {
        let mut captures: HashMap<char, char> = HashMap::new();
        let mut first = None;
        let mut place = 0;
        for (item, &length) in rule.left.iter().zip(lengths) {
            if let Item::Cell(_, Some(name)) = item {
                captures.insert(*name, seen[place]);
            }
            if !matches!(item, Item::Cell(Test::Any, _)) {
                first = first.or(Some(place));
            }
            place += length;
        }
        let number = first
            .and_then(|place| *track.get(place)?)
            .map(|cell| self.number(cell));
        if rule
            .condition
            .as_ref()
            .is_some_and(|c| !holds(c, &captures, number))
        {
            return None;
        }
        let mut written = String::new();
        for (out, &length) in rule.right.iter().zip(lengths) {
            let place = written.chars().count();
            match out {
                Out::Keep => written.extend(&seen[place..place + length]),
                Out::Write(symbol) => written.push(*symbol),
                Out::Recall(name) => written.push(captures[name]),
            }
        }
        // `#` can neither be moved nor written upon.
        let walls_stay = written
            .chars()
            .zip(seen)
            .all(|(new, &old)| (new == '#') == (old == '#'));
        walls_stay.then_some(written)
    }

    /// The number of a cell, from 1 in reading order; holes are no cells.
    fn number(&self, cell: usize) -> usize {
        self.puzzle.starts[0][..=cell]
            .iter()
            .filter(|&&c| c != '#')
            .count()
    }

    fn is_goal(&self, goal: &Goal, state: &str, successors: &BTreeSet<String>) -> bool {
        let cells: Vec<char> = state.chars().collect();
        let laid = |tests: &[Test], steps: &[Step]| {
            let items: Vec<Item> = tests.iter().map(|&test| Item::Cell(test, None)).collect();
            self.tracks(steps, None, items.len()).iter().any(|track| {
                let seen: Vec<char> = track
                    .iter()
                    .map(|cell| cell.map_or('#', |c| cells[c]))
                    .collect();
                !self.fits(&items, &seen, false).is_empty()
            })
        };
        match goal {
            Goal::Drawing(tests) => tests
                .iter()
                .zip(&cells)
                .all(|(test, &cell)| test.map_or(cell == '#', |t| self.test(t, cell))),
            Goal::Contains(tests, steps) => laid(tests, steps),
            Goal::Never(tests, steps) => !laid(tests, steps),
            Goal::Count(piece, comparison, number) => compare(
                cells.iter().filter(|&c| c == piece).count(),
                comparison,
                *number,
            ),
            Goal::Stuck => successors.is_empty(),
            Goal::Not(goal) => !self.is_goal(goal, state, successors),
            Goal::And(a, b) => {
                self.is_goal(a, state, successors) && self.is_goal(b, state, successors)
            }
            Goal::Or(a, b) => {
                self.is_goal(a, state, successors) || self.is_goal(b, state, successors)
            }
        }
    }

    /// Every walk a pattern of `length` items may be laid along.
    fn tracks(&self, along: &[Step], first_row: Option<usize>, length: usize) -> Vec<Track> {
        if let Board::Graph { edges } = &self.puzzle.board {
            let paths = (0..self.cols).flat_map(|cell| paths(edges, vec![cell]));
            return paths
                .map(|path| path.into_iter().map(Some).collect())
                .collect();
        }
        let rows = self.puzzle.starts[0].len() / self.cols;
        let wraps = matches!(self.puzzle.board, Board::Ring | Board::Torus { .. });
        let edge = if wraps { 0 } else { 9 };
        let begin_rows = -edge..rows as i64 + edge;
        let begins: Vec<(i64, i64)> = begin_rows
            .flat_map(|y| (-edge..self.cols as i64 + edge).map(move |x| (x, y)))
            .filter(|&(_, y)| self.is_grid() || y == 0)
            .collect();
        if let Some(width) = first_row {
            let block = |i: usize| {
                if i < width {
                    (i, 0_i64)
                } else {
                    (i - width, 1)
                }
            };
            let laid = |(x, y): (i64, i64)| -> Track {
                (0..length)
                    .map(block)
                    .map(|(i, j)| self.cell(x + i as i64, y + j))
                    .collect()
            };
            return begins.into_iter().map(laid).filter(all_differ).collect();
        }
        let steps = all_vectors(along);
        begins
            .iter()
            .flat_map(|&begin| steps.iter().map(move |&step| (begin, step)))
            .map(|(begin, step)| self.walk(begin, step))
            .filter(|track| track.iter().take(length + 1).any(Option::is_some))
            .collect()
    }

    /// As far as no cell comes twice (`#` may).
    fn walk(&self, (mut x, mut y): (i64, i64), (dx, dy): (i64, i64)) -> Track {
        let mut track = Track::new();
        while track.len() < 25 {
            let cell = self.cell(x, y);
            if cell.is_some() && track.contains(&cell) {
                break;
            }
            track.push(cell);
            (x, y) = (x + dx, y + dy);
        }
        track
    }

    fn is_grid(&self) -> bool {
        matches!(self.puzzle.board, Board::Grid { .. } | Board::Torus { .. })
    }

    fn cell(&self, x: i64, y: i64) -> Option<usize> {
        let (cols, cells) = (self.cols as i64, self.puzzle.starts[0].len() as i64);
        let (x, y) = match self.puzzle.board {
            Board::Ring | Board::Torus { .. } => (x.rem_euclid(cols), y.rem_euclid(cells / cols)),
            _ => (x, y),
        };
        let inside = (0..cols).contains(&x) && (0..cells / cols).contains(&y);
        let cell = (y * cols + x) as usize;
        (inside && self.puzzle.starts[0][cell] != '#').then_some(cell)
    }
}

/// `right` unless something else is said.
fn all_vectors(along: &[Step]) -> Vec<(i64, i64)> {
    if along.is_empty() {
        return vec![(1, 0)];
    }
    along.iter().flat_map(|&step| vectors(step)).collect()
}

fn vectors(step: Step) -> Vec<(i64, i64)> {
    match step {
        Step::Right => vec![(1, 0)],
        Step::Left => vec![(-1, 0)],
        Step::Up => vec![(0, -1)],
        Step::Down => vec![(0, 1)],
        Step::Both => vec![(1, 0), (-1, 0)],
        Step::Orthogonal => vec![(1, 0), (-1, 0), (0, 1), (0, -1)],
        Step::Diagonal => vec![(1, 1), (1, -1), (-1, 1), (-1, -1)],
        Step::Knight => vec![
            (1, 2),
            (2, 1),
            (-1, 2),
            (-2, 1),
            (1, -2),
            (2, -1),
            (-1, -2),
            (-2, -1),
        ],
        Step::Edges => Vec::new(),
        Step::Vector(x, y) => vec![(x.into(), y.into())],
    }
}

/// All paths that begin so and visit no cell twice, and cannot be made longer.
fn paths(edges: &[(usize, usize)], path: Vec<usize>) -> Vec<Vec<usize>> {
    let end = path[path.len() - 1];
    let joined = edges.iter().filter_map(|&(a, b)| match end {
        _ if end == a => Some(b),
        _ if end == b => Some(a),
        _ => None,
    });
    let next: Vec<usize> = joined.filter(|cell| !path.contains(cell)).collect();
    if next.is_empty() {
        return vec![path];
    }
    next.into_iter()
        .flat_map(|cell| paths(edges, [path.clone(), vec![cell]].concat()))
        .collect()
}

fn all_differ(track: &Track) -> bool {
    let cells: Vec<usize> = track.iter().flatten().copied().collect();
    cells.iter().collect::<BTreeSet<_>>().len() == cells.len()
}

/// `#` equals nothing, not even `#`.
fn holds(condition: &Cond, captures: &HashMap<char, char>, at: Option<usize>) -> bool {
    let value = |name: &char| *captures.get(name).unwrap_or(name);
    match condition {
        Cond::Same(a, b) => value(a) == value(b) && value(a) != '#',
        Cond::At(comparison, number) => at.is_some_and(|at| compare(at, comparison, *number)),
        Cond::Not(inner) => !holds(inner, captures, at),
        Cond::And(a, b) => holds(a, captures, at) && holds(b, captures, at),
        Cond::Or(a, b) => holds(a, captures, at) || holds(b, captures, at),
    }
}

fn compare(a: usize, comparison: &str, b: usize) -> bool {
    match comparison {
        "=" => a == b,
        "!=" => a != b,
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        ">=" => a >= b,
        _ => unreachable!("the generator writes no other comparison"),
    }
}

/// Right and left exchanged; what both sides remember keeps its class.
fn inverse(rule: &Rule) -> Rule {
    let class_of = |name: char| {
        rule.left
            .iter()
            .copied()
            .find(|item| matches!(item, Item::Cell(_, Some(n)) if *n == name))
    };
    let left = rule
        .left
        .iter()
        .zip(&rule.right)
        .map(|(item, out)| match out {
            Out::Keep => *item,
            Out::Write(symbol) => Item::Cell(Test::Is(*symbol), None),
            Out::Recall(name) => class_of(*name).expect("bound on the left"),
        });
    let right = rule
        .left
        .iter()
        .zip(&rule.right)
        .map(|(item, out)| match (item, out) {
            (_, Out::Keep) => Out::Keep,
            (Item::Cell(_, Some(name)), _) => Out::Recall(*name),
            (Item::Cell(Test::Is(symbol), None), _) => Out::Write(*symbol),
            _ => unreachable!("the generator turns round only rules that can be"),
        });
    Rule {
        left: left.collect(),
        right: right.collect(),
        ..rule.clone()
    }
}

/// The other way, with `A` and `B` exchanged. (`man` and `mix` hold both or neither.)
fn mirrored(rule: &Rule) -> Rule {
    let test = |test: Test| match test {
        Test::Is(symbol) => Test::Is(other(symbol)),
        Test::Not(symbol) => Test::Not(other(symbol)),
        _ => test,
    };
    let item = |item: &Item| match *item {
        Item::Cell(t, capture) => Item::Cell(test(t), capture),
        Item::Stretch(t, some) => Item::Stretch(test(t), some),
        Item::Wall | Item::Dots => *item,
    };
    let out = |out: &Out| match *out {
        Out::Write(symbol) => Out::Write(other(symbol)),
        _ => *out,
    };
    let step = |step: &Step| match *step {
        Step::Right => Step::Left,
        Step::Left => Step::Right,
        Step::Up => Step::Down,
        Step::Down => Step::Up,
        Step::Vector(x, y) => Step::Vector(-x, -y),
        _ => *step,
    };
    let mut left: Vec<Item> = rule.left.iter().map(item).collect();
    let mut right: Vec<Out> = rule.right.iter().map(out).collect();
    if rule.first_row.is_some() {
        left.reverse();
        right.reverse();
    }
    let along = match &rule.along[..] {
        [] => vec![Step::Left],
        steps => steps.iter().map(step).collect(),
    };
    let condition = rule.condition.as_ref().map(mirrored_condition);
    Rule {
        left,
        right,
        along,
        condition,
        ..rule.clone()
    }
}

fn mirrored_condition(condition: &Cond) -> Cond {
    let turn = |c: &Cond| Box::new(mirrored_condition(c));
    match condition {
        Cond::Same(a, b) => Cond::Same(other(*a), other(*b)),
        Cond::At(..) => condition.clone(),
        Cond::Not(c) => Cond::Not(turn(c)),
        Cond::And(a, b) => Cond::And(turn(a), turn(b)),
        Cond::Or(a, b) => Cond::Or(turn(a), turn(b)),
    }
}

fn other(symbol: char) -> char {
    match symbol {
        'A' => 'B',
        'B' => 'A',
        _ => symbol,
    }
}
