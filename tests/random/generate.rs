//! Makes random puzzles that are worth playing.
//!
//! Proptest draws plain numbers (*genes*), which shrink well; what they mean is decided here.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::random::interpret::reachable;
use crate::random::puzzle::{Board, Cond, Goal, Item, Out, Puzzle, Rule, Step, Test};

/// Spaces above this size are thrown away.
pub(crate) const MOST_STATES: usize = 3000;

#[derive(Clone, Debug)]
struct Genes {
    board: u32,
    pieces: u32,
    mix: u32,
    cells: Vec<u32>,
    edges: Vec<u32>,
    rules: Vec<RuleGenes>,
    goal: Vec<u32>,
    more: u32,
}

#[derive(Clone, Debug)]
struct RuleGenes {
    kind: u32,
    items: Vec<u32>,
    order: Vec<u32>,
    context: (u32, u32),
    along: u32,
    condition: Vec<u32>,
    more: u32,
}

/// A puzzle with at most [`MOST_STATES`] states, seldom one with very few.
pub(crate) fn puzzles() -> impl Strategy<Value = Puzzle> {
    genes().prop_filter_map("too few or too many states", |genes| {
        let mut puzzle = puzzle(&genes);
        let mut states: Vec<(u32, String)> = reachable(&puzzle, MOST_STATES)?
            .into_iter()
            .map(|(state, depth)| (depth, state))
            .collect();
        states.sort();
        let is_tiny = states.len() < 20;
        (!is_tiny || one_in(16, genes.more)).then(|| {
            puzzle.goal = goal(&genes, &puzzle, &states);
            puzzle
        })
    })
}

fn genes() -> impl Strategy<Value = Genes> {
    let numbers = |count: usize| vec(0..1000u32, count);
    let rule = (
        0..24u32,
        vec(0..1000u32, 2..=5),
        numbers(8),
        (0..1000u32, 0..1000u32),
        0..1000u32,
        numbers(6),
        0..1000u32,
    )
        .prop_map(
            |(kind, items, order, context, along, condition, more)| RuleGenes {
                kind,
                items,
                order,
                context,
                along,
                condition,
                more,
            },
        );
    (
        0..1000u32,
        0..1000u32,
        0..1000u32,
        numbers(12),
        numbers(4),
        vec(rule, 1..=4),
        numbers(16),
        0..1000u32,
    )
        .prop_map(
            |(board, pieces, mix, cells, edges, rules, goal, more)| Genes {
                board,
                pieces,
                mix,
                cells,
                edges,
                rules,
                goal,
                more,
            },
        )
}

fn one_in(many: u32, gene: u32) -> bool {
    gene.is_multiple_of(many)
}

fn pick<T: Copy>(gene: u32, from: &[T]) -> T {
    from[gene as usize % from.len()]
}

fn puzzle(genes: &Genes) -> Puzzle {
    let pieces = pick(
        genes.pieces,
        &[&['A', 'B'][..], &['A', 'B'], &['A', 'B', 'C']],
    )
    .to_vec();
    let (board, cells) = board(genes);
    let start = start(genes, &pieces, &board, cells);
    let mirror = one_in(5, genes.more) && !matches!(board, Board::Graph { .. });
    let mix = mix(genes, &pieces, mirror);
    let mut starts = vec![start.clone()];
    if one_in(7, genes.more) {
        let mut turned = start.iter().filter(|&&c| c != '#').rev();
        let put = |&c: &char| {
            if c == '#' {
                '#'
            } else {
                *turned.next().expect("as many")
            }
        };
        starts.push(start.iter().map(put).collect());
    }
    let rule = |genes| rule(genes, &pieces, &board, mirror);
    let mut rules: Vec<Rule> = genes.rules.iter().map(rule).collect();
    if mix.contains(&'#') {
        // A stretch is made of cells.
        for item in rules.iter_mut().flat_map(|rule| &mut rule.left) {
            if let Item::Stretch(test @ Test::Mix, _) = item {
                *test = Test::Man;
            }
        }
    }
    Puzzle {
        pieces,
        mix,
        board,
        starts,
        goal: Goal::Stuck,
        rules,
        mirror,
    }
}

fn board(genes: &Genes) -> (Board, usize) {
    let size = genes.board / 16;
    match genes.board % 16 {
        0..5 => (Board::Line, pick(size, &[6, 7, 8, 9])),
        5..8 => (Board::Ring, pick(size, &[5, 6, 7, 8])),
        8..11 => {
            let (rows, cols) = pick(size, &[(2, 3), (2, 4), (3, 3), (3, 3), (3, 4), (4, 2)]);
            (Board::Grid { cols }, rows * cols)
        }
        11..13 => {
            let (rows, cols) = pick(size, &[(2, 3), (3, 3), (2, 4), (1, 6), (3, 2)]);
            (Board::Torus { cols }, rows * cols)
        }
        _ => {
            let cells = pick(size, &[5, 6, 7]);
            // A path that visits every cell, and chords.
            let mut edges: Vec<(usize, usize)> = (1..cells).map(|cell| (cell - 1, cell)).collect();
            for gene in &genes.edges {
                let (a, b) = (*gene as usize % cells, *gene as usize / 30 % cells);
                if a != b && !edges.contains(&(a.min(b), a.max(b))) {
                    edges.push((a.min(b), a.max(b)));
                }
            }
            (Board::Graph { edges }, cells)
        }
    }
}

fn start(genes: &Genes, pieces: &[char], board: &Board, cells: usize) -> Vec<char> {
    let holes = match board {
        Board::Line | Board::Ring | Board::Graph { .. } => 0,
        Board::Grid { .. } | Board::Torus { .. } => genes.mix % 3,
    };
    let symbol = |gene: u32| {
        if gene % 20 < 9 {
            '.'
        } else {
            pick(gene / 20, pieces)
        }
    };
    let mut start: Vec<char> = genes.cells[..cells]
        .iter()
        .map(|&gene| symbol(gene))
        .collect();
    for hole in 0..holes {
        let place = genes.cells[hole as usize] / 20;
        start[place as usize % cells] = '#';
    }
    start
}

/// A class of anything; with a mirror it holds both or neither of the pieces exchanged.
fn mix(genes: &Genes, pieces: &[char], mirror: bool) -> Vec<char> {
    let all: Vec<char> = pieces.iter().copied().chain(['.', '#']).collect();
    let bits = genes.mix / 3 % 30 + 1;
    let mut mix: Vec<char> = (0..)
        .zip(&all)
        .filter(|&(bit, _)| bits >> bit & 1 == 1)
        .map(|(_, &c)| c)
        .collect();
    if mirror && mix.contains(&'A') != mix.contains(&'B') {
        mix.retain(|&c| c != 'A' && c != 'B');
    }
    // `#` alone would be a wall that could be written upon.
    if mix.iter().all(|&c| c == '#') {
        vec!['.', '#']
    } else {
        mix
    }
}

fn rule(genes: &RuleGenes, pieces: &[char], board: &Board, mirror: bool) -> Rule {
    let is_grid = matches!(board, Board::Grid { .. } | Board::Torus { .. });
    let man = |name| Item::Cell(Test::Man, Some(name));
    let piece = Item::Cell(Test::Is(pick(genes.items[0], pieces)), None);
    let empty = Item::Cell(Test::Is('.'), None);
    let stretch = Item::Stretch(Test::Is('.'), false);
    let dots = if matches!(board, Board::Graph { .. }) {
        stretch
    } else {
        Item::Dots
    };
    let (left, order): (Vec<Item>, Vec<usize>) = match genes.kind {
        0..3 => (vec![man('x'), empty], vec![1, 0]),
        3 | 4 => (vec![piece, empty], vec![1, 0]),
        5 | 6 => (vec![man('x'), man('y'), empty], vec![2, 1, 0]),
        7 => (vec![man('x'), man('y')], vec![1, 0]),
        8 => (vec![piece, man('y')], vec![1, 0]),
        9 | 10 => (vec![man('x'), stretch, empty], vec![1, 0]),
        11 => (vec![man('x'), dots, empty], vec![1, 0]),
        12 => (
            vec![man('x'), man('y'), dots, empty, empty],
            vec![2, 3, 0, 1],
        ),
        13 => (
            vec![man('x'), Item::Stretch(Test::Man, true), empty],
            vec![1, 0],
        ),
        14..16 if is_grid => return drawn(genes, pieces, mirror),
        _ => generic(genes, pieces, dots),
    };
    let (mut left, mut right) = permuted(left, &order);
    add_context(genes, pieces, &mut left, &mut right);
    let is_conserving = !one_in(8, genes.more);
    if !is_conserving {
        overwrite(genes, pieces, &left, &mut right);
    }
    let along = along(genes.along, board);
    let both = one_in(6, genes.more / 8) && is_conserving && !left.contains(&Item::Dots);
    let condition = condition(genes, pieces, &left);
    Rule {
        left,
        right,
        first_row: None,
        both,
        along,
        condition,
    }
}

/// The right side on which what can be moved stands in another order.
fn permuted(left: Vec<Item>, order: &[usize]) -> (Vec<Item>, Vec<Out>) {
    let movable: Vec<usize> = (0..left.len())
        .filter(|&i| content(left[i]).is_some())
        .collect();
    let mut right = vec![Out::Keep; left.len()];
    for (&place, &from) in movable.iter().zip(order) {
        right[place] = content(left[movable[from]]).expect("movable");
    }
    (left, right)
}

/// What an item of the left leaves to be written on the right.
fn content(item: Item) -> Option<Out> {
    match item {
        Item::Cell(_, Some(name)) => Some(Out::Recall(name)),
        Item::Cell(Test::Is(symbol), None) => Some(Out::Write(symbol)),
        _ => None,
    }
}

/// Any items; what can be moved stands in some other order on the right.
fn generic(genes: &RuleGenes, pieces: &[char], dots: Item) -> (Vec<Item>, Vec<usize>) {
    let mut names = "xyz".chars();
    let mut stretches = 0;
    let mut left: Vec<Item> = Vec::new();
    for &gene in &genes.items {
        let item = match (gene % 24, stretches) {
            (0..5, _) => Item::Cell(Test::Is(pick(gene / 24, pieces)), None),
            (5..11, _) => Item::Cell(Test::Is('.'), None),
            (11..15, _) => Item::Cell(Test::Man, names.next()),
            (15, _) => Item::Cell(Test::Mix, names.next()),
            (16, _) => Item::Cell(Test::Any, names.next()),
            (17, _) => Item::Cell(Test::Any, None),
            (18, _) => Item::Cell(Test::Mix, None),
            (19, _) => Item::Cell(Test::Not(pick(gene / 24, pieces)), None),
            (20, 0 | 1) => Item::Stretch(any_test(gene / 24, pieces), gene / 240 % 2 == 0),
            (21, 0) => dots,
            _ => Item::Cell(Test::Is(pick(gene / 24, &['.', 'A', 'B'])), None),
        };
        stretches += u32::from(matches!(item, Item::Stretch(..) | Item::Dots));
        left.push(item);
    }
    let count = left.iter().filter(|&&item| content(item).is_some()).count();
    let order = shuffled(count, &genes.order);
    (left, order)
}

fn shuffled(count: usize, genes: &[u32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.reverse();
    for (place, gene) in (1..count).zip(genes) {
        if gene % 3 == 0 {
            order.swap(place, *gene as usize / 3 % (place + 1));
        }
    }
    order
}

fn any_test(gene: u32, pieces: &[char]) -> Test {
    match gene % 6 {
        0 | 1 => Test::Is('.'),
        2 => Test::Man,
        3 => Test::Any,
        4 => Test::Mix,
        _ => Test::Not(pick(gene / 6, pieces)),
    }
}

/// Now and then something that is only read, before or behind.
fn add_context(genes: &RuleGenes, pieces: &[char], left: &mut Vec<Item>, right: &mut Vec<Out>) {
    let context = |gene: u32| match gene % 20 {
        0 => Some(Item::Wall),
        1 => Some(Item::Cell(Test::Any, None)),
        2 => Some(Item::Cell(Test::Mix, None)),
        3 => Some(Item::Cell(Test::Not(pick(gene / 20, pieces)), None)),
        4 => Some(Item::Stretch(any_test(gene / 20, pieces), false)),
        _ => None,
    };
    if let Some(item) = context(genes.context.0) {
        left.insert(0, item);
        right.insert(0, Out::Keep);
    }
    if let Some(item) = context(genes.context.1) {
        left.push(item);
        right.push(Out::Keep);
    }
}

/// Writes some symbol where a single cell was.
fn overwrite(genes: &RuleGenes, pieces: &[char], left: &[Item], right: &mut [Out]) {
    let place = genes.order[6] as usize % left.len();
    if matches!(left[place], Item::Cell(..)) {
        let symbols: Vec<char> = pieces.iter().copied().chain(['.']).collect();
        right[place] = Out::Write(pick(genes.order[7], &symbols));
    }
}

/// Two rows of one or two cells.
fn drawn(genes: &RuleGenes, pieces: &[char], mirror: bool) -> Rule {
    let width = 1 + genes.along as usize % 2;
    let mut names = "xyz".chars();
    let mut cell = |gene: u32| match gene % 12 {
        0..3 => Item::Cell(Test::Is(pick(gene / 12, pieces)), None),
        3..7 => Item::Cell(Test::Is('.'), None),
        7..9 => Item::Cell(Test::Man, names.next()),
        9 => Item::Cell(Test::Any, None),
        10 => Item::Wall,
        _ => Item::Cell(Test::Mix, None),
    };
    let left: Vec<Item> = genes.order[..2 * width]
        .iter()
        .map(|&gene| cell(gene))
        .collect();
    let count = left.iter().filter(|&&item| content(item).is_some()).count();
    let (left, right) = permuted(left, &shuffled(count, &genes.items));
    let condition = if mirror {
        None
    } else {
        condition(genes, pieces, &left)
    };
    let both = one_in(4, genes.more / 8);
    Rule {
        left,
        right,
        first_row: Some(width),
        both,
        along: Vec::new(),
        condition,
    }
}

fn along(gene: u32, board: &Board) -> Vec<Step> {
    let gene = gene as usize;
    let of = |choices: &[&[Step]]| choices[gene % choices.len()].to_vec();
    match board {
        Board::Line | Board::Ring => of(&[
            &[Step::Both],
            &[],
            &[Step::Both],
            &[Step::Right],
            &[Step::Left],
            &[Step::Vector(2, 0), Step::Left],
        ]),
        Board::Grid { .. } | Board::Torus { .. } => of(&[
            &[Step::Orthogonal],
            &[Step::Both, Step::Down],
            &[Step::Right, Step::Down],
            &[Step::Diagonal],
            &[Step::Knight],
            &[Step::Up, Step::Left],
            &[Step::Vector(1, 1), Step::Vector(-2, 1)],
            &[Step::Orthogonal],
        ]),
        Board::Graph { .. } => of(&[&[Step::Edges], &[]]),
    }
}

/// Now and then a condition on captures or on the place.
fn condition(genes: &RuleGenes, pieces: &[char], left: &[Item]) -> Option<Cond> {
    let captures: Vec<char> = left
        .iter()
        .filter_map(|item| {
            if let Item::Cell(_, name) = item {
                *name
            } else {
                None
            }
        })
        .collect();
    let gene = &genes.condition;
    let same = |gene: u32| {
        let mut others: Vec<char> = captures.iter().chain(pieces).copied().collect();
        others.rotate_left(1);
        Cond::Same(pick(gene, &captures), pick(gene / 4, &others))
    };
    let not = |cond| Cond::Not(Box::new(cond));
    if captures.is_empty() || !one_in(4, gene[0]) {
        let place = Cond::At(
            pick(gene[3], &["<", "<=", ">", ">=", "=", "!="]),
            gene[4] as usize % 7,
        );
        return (one_in(10, gene[1]) && may_say_at(left)).then_some(place);
    }
    Some(match gene[1] % 5 {
        0 | 1 => not(same(gene[2])),
        2 => same(gene[2]),
        3 => Cond::Or(Box::new(same(gene[2])), Box::new(not(same(gene[3])))),
        _ => not(Cond::And(Box::new(same(gene[2])), Box::new(same(gene[3])))),
    })
}

/// Where the language leaves `at` no choice: the first item other than `_` is one cell.
fn may_say_at(left: &[Item]) -> bool {
    let first = left
        .iter()
        .find(|item| !matches!(item, Item::Cell(Test::Any, _)));
    let forgotten = left
        .iter()
        .all(|item| !matches!(item, Item::Cell(Test::Any, Some(_))));
    let is_cell = matches!(first, Some(Item::Cell(test, _)) if *test != Test::Mix);
    forgotten && is_cell
}

fn goal(genes: &Genes, puzzle: &Puzzle, states: &[(u32, String)]) -> Goal {
    let gene = &genes.goal;
    let simple = |at: usize| simple_goal(&gene[at..], puzzle, states);
    match gene[0] % 12 {
        0 => Goal::And(Box::new(simple(1)), Box::new(simple(6))),
        1 => Goal::Or(Box::new(simple(1)), Box::new(simple(6))),
        2 => Goal::Not(Box::new(simple(1))),
        _ => simple(1),
    }
}

fn simple_goal(gene: &[u32], puzzle: &Puzzle, states: &[(u32, String)]) -> Goal {
    let steps = match &puzzle.board {
        Board::Line | Board::Ring => [vec![], vec![Step::Both]],
        Board::Graph { .. } => [vec![], vec![Step::Edges]],
        _ => [vec![Step::Orthogonal], vec![Step::Diagonal, Step::Right]],
    };
    let steps = steps[gene[1] as usize % 2].clone();
    let tests = || {
        let genes = &gene[2..4 + gene[1] as usize % 2];
        let test = |&gene: &u32| match gene % 7 {
            0 => Test::Any,
            1 => Test::Man,
            2 => Test::Mix,
            3 => Test::Is('.'),
            _ => Test::Is(pick(gene / 7, &puzzle.pieces)),
        };
        genes.iter().map(test).collect::<Vec<Test>>()
    };
    match gene[0] % 12 {
        0..7 => {
            let (_, state) = &states[gene[1] as usize * states.len() / 1000];
            let test = |(place, c): (usize, char)| match c {
                '#' => None,
                _ if one_in(4, gene[2]) && gene[3] as usize % 8 == place => Some(Test::Any),
                _ => Some(Test::Is(c)),
            };
            Goal::Drawing(state.chars().enumerate().map(test).collect())
        }
        7 | 8 => Goal::Contains(tests(), steps),
        9 => Goal::Never(tests(), steps),
        10 => Goal::Count(
            pick(gene[1], &puzzle.pieces),
            pick(gene[2], &["=", "<", ">=", "!="]),
            gene[3] as usize % 4,
        ),
        _ => Goal::Stuck,
    }
}
