//! Miners against slow code that follows the definitions word by word, on random sets of states.

use std::collections::BTreeMap;

use impasse_graph::observe::Silent;
use impasse_model::board::{Board, Shape};
use impasse_model::instance::{Alphabet, Goal, Instance, Origin, Position, Value};
use impasse_model::params::Params;

use super::*;
use crate::fake::FakeTable;
use crate::run::{Table, Verdict};

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((self.0 >> 33) % bound as u64) as usize
    }
}

fn instance(shape: Shape, cells: usize) -> Instance {
    Instance {
        name: "random".to_owned(),
        title: "Random".to_owned(),
        origin: Origin::default(),
        params: Params(Vec::new()),
        alphabet: Alphabet {
            symbols: vec!['.', 'A', 'B'],
            names: ["empty", "a", "b"].map(str::to_owned).to_vec(),
            pictures: vec![None; 3],
        },
        board: Board {
            shape,
            counted: false,
            cap: None,
            cells,
        },
        starts: vec![vec![0; cells]],
        goal: Goal::Stuck,
        rules: Vec::new(),
        strategies: Vec::new(),
    }
}

/// Random states, some of them live.
fn states(random: &mut Random, cells: usize) -> FakeTable {
    let count = 2 + random.below(12);
    let mut names: Vec<String> = (0..count)
        .map(|_| {
            let letter = |_| ['.', 'A', 'B'][random.below(3)];
            (0..cells).map(letter).collect()
        })
        .collect();
    names.sort();
    names.dedup();
    let goals: Vec<u32> = (0..names.len() as u32)
        .filter(|_| random.below(2) == 0)
        .collect();
    FakeTable::of_states(names, &goals)
}

/// The live and the lost positions.
fn positions(table: &FakeTable) -> (Vec<Position>, Vec<Position>) {
    let all = (0..table.state_count()).map(|id| {
        let mut position = Position::new();
        table.position(id, &mut position);
        (table.verdict(id) == Verdict::Live, position)
    });
    let (live, lost): (Vec<_>, Vec<_>) = all.partition(|(live, _)| *live);
    let bare = |list: Vec<(bool, Position)>| list.into_iter().map(|(_, p)| p).collect();
    (bare(live), bare(lost))
}

/// All words of at most `span` cells, free ones included, empty word first.
fn words(span: usize) -> Vec<Segment> {
    let mut all: Vec<Segment> = vec![Vec::new()];
    let mut longest: Vec<Segment> = vec![Vec::new()];
    for _ in 0..span {
        let longer = |word: &Segment| {
            let cells = [None, Some(0), Some(1), Some(2)];
            cells.map(|cell| word.iter().copied().chain([cell]).collect::<Segment>())
        };
        longest = longest.iter().flat_map(longer).collect();
        all.extend(longest.iter().cloned());
    }
    all
}

/// Takes free cells off the ends of segments, but for those beside an edge, and empty segments out.
fn trimmed(mut pattern: RowPattern) -> RowPattern {
    let count = pattern.segments.len();
    for (i, segment) in pattern.segments.iter_mut().enumerate() {
        if segment.iter().all(Option::is_none) {
            segment.clear();
        }
        while !(i + 1 == count && pattern.right_edge) && segment.last() == Some(&None) {
            segment.pop();
        }
        while !(i == 0 && pattern.left_edge) && segment.first() == Some(&None) {
            segment.remove(0);
        }
    }
    pattern.left_edge &= pattern.segments.first().is_some_and(|s| !s.is_empty());
    pattern.right_edge &= pattern.segments.last().is_some_and(|s| !s.is_empty());
    pattern.segments.retain(|segment| !segment.is_empty());
    pattern
}

/// Every pattern that says one thing less.
fn weaker(pattern: &RowPattern) -> Vec<RowPattern> {
    let mut weaker = Vec::new();
    for (i, segment) in pattern.segments.iter().enumerate() {
        for j in (0..segment.len()).filter(|&j| segment[j].is_some()) {
            let mut freed = pattern.clone();
            freed.segments[i][j] = None;
            weaker.push(trimmed(freed));
        }
    }
    for (left, right) in [(false, pattern.right_edge), (pattern.left_edge, false)] {
        if (left, right) != (pattern.left_edge, pattern.right_edge) {
            weaker.push(trimmed(RowPattern {
                left_edge: left,
                right_edge: right,
                ..pattern.clone()
            }));
        }
    }
    weaker
}

/// Minimal sound patterns among the given ones, with the number of lost rows that hold them.
fn slowly(
    candidates: impl Iterator<Item = RowPattern>,
    instance: &Instance,
    table: &FakeTable,
) -> BTreeMap<String, u64> {
    let ends = Ends::of(&instance.board).expect("a row");
    let (live, lost) = positions(table);
    let holds = |pattern: &RowPattern, row: &Position| {
        pattern.segments.is_empty() || pattern.is_in(ends, row)
    };
    let is_live = |pattern: &RowPattern| live.iter().any(|row| holds(pattern, row));
    let mut found = BTreeMap::new();
    for pattern in candidates {
        let is_whole = pattern.fixed() > 0 && trimmed(pattern.clone()) == pattern;
        if !is_whole || is_live(&pattern) || !weaker(&pattern).iter().all(is_live) {
            continue;
        }
        let support = lost.iter().filter(|row| holds(&pattern, row)).count() as u64;
        if support > 0 {
            let text = Notation::of(instance).compact(&Pattern::Row(pattern));
            found.insert(text, support);
        }
    }
    found
}

fn supports(found: &[Found]) -> BTreeMap<String, u64> {
    let pairs = found
        .iter()
        .map(|found| (found.text.clone(), found.support));
    let map: BTreeMap<String, u64> = pairs.collect();
    assert_eq!(map.len(), found.len(), "each pattern once");
    map
}

fn edges(both: bool) -> Vec<(bool, bool)> {
    let mut edges = vec![(false, false), (true, false), (false, true)];
    edges.extend(both.then_some((true, true)));
    edges
}

#[test]
fn windows_agree_with_the_definition() {
    let mut random = Random(7);
    let mut patterns = 0;
    for round in 0..150 {
        let cells = 2 + random.below(4);
        let shape = [Shape::Line, Shape::Ring, Shape::Window { first: 0 }][round % 3].clone();
        let has_edges = shape == Shape::Line;
        let instance = instance(shape, cells);
        let table = states(&mut random, cells);
        let window = 1 + random.below(4);
        let options = MineOptions {
            window: Some(window),
            ..MineOptions::default()
        };
        let mined = mine(&instance, &table, &options, &Silent).expect("memory suffices");
        let candidates = words(window).into_iter().flat_map(|word| {
            edges(false)
                .into_iter()
                .map(move |(left_edge, right_edge)| RowPattern {
                    segments: vec![word.clone()],
                    left_edge,
                    right_edge,
                })
        });
        let candidates = candidates.filter(|p| has_edges || !(p.left_edge || p.right_edge));
        let expected = slowly(candidates, &instance, &table);
        assert_eq!(
            supports(&mined.patterns),
            expected,
            "{instance:?} {table:?}"
        );
        patterns += expected.len();
    }
    assert!(patterns > 500, "{patterns}");
}

#[test]
fn stretch_patterns_agree_with_the_definition() {
    let mut random = Random(11);
    let mut patterns = 0;
    for round in 0..100 {
        let cells = 3 + random.below(3);
        let shape = [Shape::Line, Shape::Window { first: 0 }][round % 2].clone();
        let has_edges = shape == Shape::Line;
        let instance = instance(shape, cells);
        let table = states(&mut random, cells);
        let limits = StretchLimits {
            span: 1 + random.below(2),
            fixed: 2 + random.below(2),
        };
        let options = MineOptions {
            stretch: Some(limits),
            ..MineOptions::default()
        };
        let mined = mine(&instance, &table, &options, &Silent).expect("memory suffices");
        let words = words(limits.span);
        let mut candidates = Vec::new();
        for left in words.iter().filter(|word| !word.is_empty()) {
            for right in words.iter().filter(|word| !word.is_empty()) {
                candidates.extend(edges(has_edges).into_iter().map(|(left_edge, right_edge)| {
                    RowPattern {
                        segments: vec![left.clone(), right.clone()],
                        left_edge,
                        right_edge,
                    }
                }));
            }
        }
        let fits = |p: &RowPattern| {
            p.fixed() <= limits.fixed && (has_edges || !(p.left_edge || p.right_edge))
        };
        let candidates = candidates.into_iter().filter(fits);
        let expected = slowly(candidates, &instance, &table);
        assert_eq!(
            supports(&mined.stretches),
            expected,
            "{instance:?} {table:?}"
        );
        patterns += expected.len();
    }
    assert!(patterns > 200, "{patterns}");
}

/// A board of two rows with a hole, or a graph.
fn board(graph: bool) -> (Shape, usize, Vec<(u32, u32)>) {
    if graph {
        let neighbours = vec![vec![1], vec![0, 2], vec![1, 3], vec![2]];
        let names = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        return (
            Shape::Graph { names, neighbours },
            4,
            vec![(0, 1), (1, 2), (2, 3)],
        );
    }
    // 0 1 2
    // # # 3
    let at = vec![Some(0), Some(1), Some(2), None, None, Some(3)];
    let shape = Shape::Grid {
        rows: 2,
        cols: 3,
        at,
        wrap: false,
    };
    (shape, 4, vec![(0, 1), (1, 2), (1, 3), (2, 3)])
}

/// Whether cells hang together.
fn hangs_together(cells: &[(Cell, Value)], edges: &[(u32, u32)]) -> bool {
    let mut reached = vec![cells[0].0];
    for _ in cells {
        for &(a, b) in edges {
            for (a, b) in [(a, b), (b, a)] {
                let inside = cells.iter().any(|&(cell, _)| cell == b);
                if reached.contains(&a) && inside && !reached.contains(&b) {
                    reached.push(b);
                }
            }
        }
    }
    reached.len() == cells.len()
}

#[test]
fn sets_of_cells_agree_with_the_definition() {
    let mut random = Random(13);
    let mut patterns = 0;
    for round in 0..80 {
        let (shape, cells, edges) = board(round % 2 == 0);
        let scattered = round % 3 == 0;
        let instance = instance(shape, cells);
        let table = states(&mut random, cells);
        let most = 1 + random.below(4);
        let options = MineOptions {
            cells: Some(most),
            scattered,
            ..MineOptions::default()
        };
        let mined = mine(&instance, &table, &options, &Silent).expect("memory suffices");
        let (live, lost) = positions(&table);
        let is_live = |cells: &[(Cell, Value)]| {
            let cells = cells.to_vec();
            let pattern = CellPattern { cells };
            live.iter().any(|position| pattern.is_in(position))
        };
        let mut expected = BTreeMap::new();
        for word in words(cells).into_iter().filter(|word| word.len() == cells) {
            let fixed = word
                .iter()
                .zip(0..)
                .filter_map(|(value, cell)| value.map(|v| (cell, v)));
            let fixed: Vec<(Cell, Value)> = fixed.collect();
            let fits =
                (1..=most).contains(&fixed.len()) && (scattered || hangs_together(&fixed, &edges));
            let weaker = |i: usize| {
                let mut weaker = fixed.clone();
                weaker.remove(i);
                weaker
            };
            if !fits || is_live(&fixed) || !(0..fixed.len()).all(|i| is_live(&weaker(i))) {
                continue;
            }
            let pattern = CellPattern { cells: fixed };
            let support = lost
                .iter()
                .filter(|position| pattern.is_in(position))
                .count();
            if support > 0 {
                let text = Notation::of(&instance).compact(&Pattern::Cells(pattern));
                expected.insert(text, support as u64);
            }
        }
        assert_eq!(
            supports(&mined.patterns),
            expected,
            "{instance:?} {table:?}"
        );
        patterns += expected.len();
    }
    assert!(patterns > 200, "{patterns}");
}

#[test]
fn holders_are_the_lost_states_that_contain_the_pattern() {
    let mut random = Random(17);
    for _ in 0..20 {
        let instance = instance(Shape::Line, 5);
        let table = states(&mut random, 5);
        let mined = mine(&instance, &table, &MineOptions::default(), &Silent);
        let mined = mined.expect("memory suffices");
        let mut position = Position::new();
        for found in mined.stretches.iter().chain(&mined.patterns) {
            for (place, &id) in mined.lost.iter().enumerate() {
                table.position(id, &mut position);
                let holds = found.pattern.is_in(&instance.board, &position);
                assert_eq!(
                    found.holders.has(place),
                    holds,
                    "{} {position:?}",
                    found.text
                );
            }
        }
    }
}

#[test]
fn a_survey_looks_every_pattern_up_at_every_value() {
    let mut random = Random(19);
    for shape in [Shape::Line, Shape::Ring, Shape::Window { first: 0 }] {
        let tables: Vec<(Instance, FakeTable)> = (3..6)
            .map(|cells| (instance(shape.clone(), cells), states(&mut random, cells)))
            .collect();
        let options = MineOptions {
            window: Some(3),
            ..MineOptions::default()
        };
        let mined: Vec<Mined> = tables
            .iter()
            .map(|(instance, table)| mine(instance, table, &options, &Silent).expect("small"))
            .collect();
        let survey = survey(&mined, None).expect("small").expect("rows");
        for (list, of) in [
            (
                &survey.stretches,
                (|m| &m.stretches) as fn(&Mined) -> &Vec<Found>,
            ),
            (&survey.patterns, |m| &m.patterns),
        ] {
            for one in list {
                let pattern = &one.found.pattern;
                for (i, (instance, table)) in tables.iter().enumerate() {
                    let (live, lost) = positions(table);
                    let holds = |p: &&Position| pattern.is_in(&instance.board, p);
                    let support = lost.iter().filter(holds).count() as u64;
                    let expected = if live.iter().any(|p| holds(&p)) {
                        Standing::Unsound
                    } else if support == 0 {
                        Standing::Absent
                    } else if of(&mined[i]).iter().any(|found| found.pattern == *pattern) {
                        Standing::Minimal
                    } else {
                        Standing::Sound
                    };
                    assert_eq!(one.standings[i], (expected, support), "{}", one.found.text);
                }
                let total: u64 = one.standings.iter().map(|(_, support)| support).sum();
                assert_eq!(
                    (one.found.support, one.found.holders.count()),
                    (total, total)
                );
            }
        }
    }
}

#[test]
fn greedy_covers_take_the_most_and_then_the_first() {
    let instance = instance(Shape::Line, 4);
    let names = ["AA..", "AB..", "BA..", "BB.."].map(str::to_owned).to_vec();
    let table = FakeTable::of_states(names, &[3]);
    let mined = mine(&instance, &table, &MineOptions::default(), &Silent).expect("small");
    let texts: Vec<&str> = mined
        .patterns
        .iter()
        .map(|found| found.text.as_str())
        .collect();
    assert_eq!(texts, ["A"]);
    let cover = Cover::greedy(&mined.patterns, mined.lost.len());
    assert_eq!(cover.chosen, [(0, 3)]);
    assert_eq!(cover.covered.numbers().collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn tables_too_large_name_their_size() {
    let instance = instance(Shape::Line, 20);
    let names = vec!["A.".repeat(10), "B.".repeat(10)];
    let table = FakeTable::of_states(names, &[0]);
    let options = MineOptions {
        window: Some(13),
        memory_bytes: Some(1 << 20),
        ..MineOptions::default()
    };
    let error = mine(&instance, &table, &options, &Silent).expect_err("too wide");
    let expected = "windows of 13 cells need 67108864 bytes, but 1048576 may be used; mine narrower patterns, or give more memory";
    assert_eq!(error.to_string(), expected);
    let options = MineOptions {
        window: Some(500),
        ..options
    };
    let error = mine(&instance, &table, &options, &Silent).expect_err("too wide");
    assert!(
        error
            .to_string()
            .contains("windows of 20 cells need 1099511627776 bytes"),
        "{error}"
    );
}
