//! Placing: from local rules to placed rules, by laying each everywhere.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::{Board, Cell, Shape};
use crate::instance::{Goal, Instance, Length, Pattern, RightItem, Rule, SymbolSet, Test};
use crate::lay::{Ground, Layout, Site, lay, lay_pattern};
use crate::local::{
    Becomes, LocalRule, condition_holds, local_rules, names_of_cond, names_of_expr,
};
use crate::placed::{Amount, CutRule, PlaceError, PlacedCount, PlacedRule, PlacedRules};

/// More placements than this are refused.
const MOST_PLACEMENTS: usize = 1 << 20;

/// Larger groups of fillings are left as they are: joining them is quadratic.
const MOST_JOINED: usize = 256;

/// The number of cells rules are placed on: those of the board, or three spans.
#[must_use]
pub fn placed_cells(board: &Board) -> usize {
    if board.shape == Shape::Span {
        3 * board.cells
    } else {
        board.cells
    }
}

/// Places all rules of an instance.
///
/// # Errors
/// [`PlaceError`] where there are too many.
pub fn place(instance: &Instance) -> Result<PlacedRules, PlaceError> {
    let cells = placed_cells(&instance.board);
    let mut out = PlacedRules {
        cells,
        ..PlacedRules::default()
    };
    let ground = Ground::bounded(&instance.board, cells);
    lay_goal(&instance.goal, &ground);
    enough(&ground, 0)?;
    if instance.board.counted {
        for (number, rule) in instance.rules.iter().enumerate() {
            place_counted(number as u16, rule, instance, &ground, &mut out)?;
        }
        return Ok(out);
    }
    for local in local_rules(instance)? {
        place_local(&local, instance, &ground, &mut out)?;
    }
    let mut cuts: BTreeSet<CutRule> = BTreeSet::new();
    cuts.extend(out.cuts.drain(..));
    out.cuts = cuts.into_iter().collect();
    out.rules = join_guards(std::mem::take(&mut out.rules));
    let every = SymbolSet::any(instance.alphabet.symbols.len());
    out.rules
        .iter_mut()
        .for_each(|rule| rule.guard.retain(|&(_, set)| set != every));
    forget_repeats(&mut out.rules);
    Ok(out)
}

/// Lays the patterns of a goal, only to see whether that takes too long.
fn lay_goal(goal: &Goal, ground: &Ground<'_>) {
    match goal {
        Goal::Not(goal) => lay_goal(goal, ground),
        Goal::And(all) | Goal::Or(all) => all.iter().for_each(|goal| lay_goal(goal, ground)),
        Goal::Contains(pattern) | Goal::Never(pattern) => lay_pattern(ground, pattern, |_| ()),
        Goal::Drawing(_) | Goal::Count(..) | Goal::Stuck => {}
    }
}

/// Every way to lay the pattern of a goal: the cells it covers, each with the test it must pass.
///
/// Of a shortest stretch every length is a way of its own: the pattern is somewhere exactly where
/// one of the ways fits.
///
/// # Errors
/// [`PlaceError::TooMany`] where there are too many.
pub fn place_pattern(
    board: &Board,
    pattern: &Pattern,
) -> Result<Vec<Vec<(Cell, Test)>>, PlaceError> {
    let ground = Ground::bounded(board, placed_cells(board));
    let tests: Vec<Test> = pattern.rows.iter().flatten().map(|i| i.test).collect();
    let mut ways: BTreeSet<Vec<(Cell, usize)>> = BTreeSet::new();
    lay_pattern(&ground, pattern, |layout| {
        let sites = layout.sites.iter().enumerate();
        let covered = sites.flat_map(|(item, sites)| {
            sites.iter().filter_map(move |site| match site {
                Site::Cell(cell) => Some((*cell, item)),
                Site::NoCell | Site::Beyond(_) => None,
            })
        });
        let mut way: Vec<(Cell, usize)> = covered.collect();
        way.sort_unstable();
        ways.insert(way);
        if ways.len() > MOST_PLACEMENTS {
            ground.spend();
        }
    });
    enough(&ground, ways.len())?;
    let with_tests =
        |way: Vec<(Cell, usize)>| way.into_iter().map(|(c, i)| (c, tests[i])).collect();
    Ok(ways.into_iter().map(with_tests).collect())
}

/// Whether all was laid in the steps there are; so many placements were found.
fn enough(ground: &Ground<'_>, placed: usize) -> Result<(), PlaceError> {
    if !ground.is_spent() {
        return Ok(());
    }
    Err(if placed > MOST_PLACEMENTS {
        PlaceError::TooMany {
            most: MOST_PLACEMENTS,
        }
    } else {
        PlaceError::TooLong { placed }
    })
}

/// Joins placements of one rule that differ in what one kept cell may hold: fillings that only the
/// condition asked for become sets again.
fn join_guards(rules: Vec<PlacedRule>) -> Vec<PlacedRule> {
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (i, rule) in rules.iter().enumerate() {
        let cells: Vec<Cell> = rule.guard.iter().map(|g| g.0).collect();
        let key = (
            rule.rule,
            rule.delta.clone(),
            rule.moved.clone(),
            rule.forbid.clone(),
            cells,
        );
        groups.entry(key).or_default().push(i);
    }
    let mut rules: Vec<Option<PlacedRule>> = rules.into_iter().map(Some).collect();
    for group in groups
        .values()
        .filter(|g| (2..=MOST_JOINED).contains(&g.len()))
    {
        let mut kept: Vec<usize> = group.clone();
        while let Some((first, second, cell)) = joinable(&rules, &kept) {
            let set = rules[second].take().expect("kept").guard[cell].1;
            kept.retain(|&i| i != second);
            let first = rules[first].as_mut().expect("kept");
            first.guard[cell].1 = SymbolSet(first.guard[cell].1.0 | set.0);
        }
    }
    rules.into_iter().flatten().collect()
}

/// Two placements of a group whose guards differ at one cell only, and which.
fn joinable(rules: &[Option<PlacedRule>], group: &[usize]) -> Option<(usize, usize, usize)> {
    for (k, &i) in group.iter().enumerate() {
        for &j in &group[k + 1..] {
            let (a, b) = (rules[i].as_ref()?, rules[j].as_ref()?);
            let mut differ = (0..a.guard.len()).filter(|&c| a.guard[c] != b.guard[c]);
            if let (Some(cell), None) = (differ.next(), differ.next()) {
                return Some((i, j, cell));
            }
        }
    }
    None
}

/// Drops placements equal to an earlier one of the same rule.
fn forget_repeats(rules: &mut Vec<PlacedRule>) {
    let mut order: Vec<usize> = (0..rules.len()).collect();
    order.sort_by(|&a, &b| {
        let (x, y) = (&rules[a], &rules[b]);
        (x.rule, x.key()).cmp(&(y.rule, y.key())).then(a.cmp(&b))
    });
    let mut repeats = vec![false; rules.len()];
    for pair in order.windows(2) {
        let (x, y) = (&rules[pair[0]], &rules[pair[1]]);
        repeats[pair[1]] = x.rule == y.rule && x.key() == y.key();
    }
    let mut index = 0;
    rules.retain(|_| {
        index += 1;
        !repeats[index - 1]
    });
}

/// The number `at` stands for: of the first item other than `_`, from 1 in reading order; on an
/// endless row the place counted from the first cell of the start.
fn number_of(instance: &Instance, rule: &Rule, layout: &Layout) -> Option<i64> {
    let items = rule.left.iter().flatten();
    let skipped = items.take_while(|i| i.is_any).count();
    // An empty stretch counts as where it would begin: where the next item lies.
    let first = layout.sites[skipped..].iter().flatten().next()?;
    let offset = match instance.board.shape {
        Shape::Window { first } => first,
        Shape::Span => -(instance.board.cells as i64),
        _ => 0,
    };
    match *first {
        Site::Cell(cell) => Some(i64::from(cell) + 1 + offset),
        Site::Beyond(x) => Some(x + 1 + offset),
        Site::NoCell => None,
    }
}

fn place_local(
    local: &LocalRule,
    instance: &Instance,
    ground: &Ground<'_>,
    out: &mut PlacedRules,
) -> Result<(), PlaceError> {
    let rule = &instance.rules[usize::from(local.rule)];
    let every = SymbolSet::any(instance.alphabet.symbols.len());
    let mut error = None;
    lay(ground, &local.left, &local.wide, &local.steps, |layout| {
        if error.is_some() {
            return;
        }
        if let Some((cond, filling)) = &local.at_condition {
            let at = number_of(instance, rule, &layout);
            match condition_holds(cond, filling, at, &instance.alphabet, &instance.params) {
                Ok(true) => {}
                Ok(false) => return,
                Err(message) => {
                    error = Some(PlaceError::Condition {
                        name: rule.name.clone(),
                        message,
                    });
                    return;
                }
            }
        }
        match assemble(local, &layout, every) {
            Some(Assembled::Rule(placed)) => out.rules.push(placed),
            Some(Assembled::Cut(cut)) => out.cuts.push(cut),
            None => {}
        }
        if out.rules.len() + out.cuts.len() > MOST_PLACEMENTS {
            error = Some(PlaceError::TooMany {
                most: MOST_PLACEMENTS,
            });
            ground.spend();
        }
    });
    let placed = out.rules.len() + out.cuts.len();
    error.map_or_else(|| enough(ground, placed), Err)
}

enum Assembled {
    Rule(PlacedRule),
    Cut(CutRule),
}

/// What happens at one cell of a layout.
#[derive(Clone, Copy)]
enum Action {
    Keep,
    Write(u8),
    /// Receives the content of another site of the list.
    Receive(usize),
}

/// Turns a layout into a placed rule, or a cut-off one; `None` where nothing changes or the
/// placement can never apply.
fn assemble(local: &LocalRule, layout: &Layout, every: SymbolSet) -> Option<Assembled> {
    let items: Vec<Test> = local.left.iter().flatten().map(|i| i.test).collect();
    let starts: Vec<usize> = layout
        .sites
        .iter()
        .scan(0, |at, sites| {
            *at += sites.len();
            Some(*at - sites.len())
        })
        .collect();
    let sites: Vec<(Site, SymbolSet)> = layout
        .sites
        .iter()
        .zip(&items)
        .flat_map(|(sites, test)| sites.iter().map(|&s| (s, symbols(*test))))
        .collect();
    let actions = actions(local, layout, &starts);
    let mut rule = PlacedRule {
        rule: local.rule,
        delta: Vec::new(),
        moved: Vec::new(),
        guard: Vec::new(),
        forbid: Vec::new(),
        path: Vec::new(),
    };
    let mut cut = false;
    for (&(site, set), action) in sites.iter().zip(&actions) {
        let before = SymbolSet(set.0 & every.0);
        match (site, action) {
            (Site::NoCell | Site::Beyond(_), Action::Keep)
            | (Site::Beyond(_), Action::Write(0)) => {}
            (Site::NoCell, _) => return None,
            (Site::Beyond(_), _) => cut = true,
            (Site::Cell(cell), Action::Keep) => rule.guard.push((cell, before)),
            (Site::Cell(cell), Action::Write(after)) => {
                let one = before.symbols().next()?;
                debug_assert_eq!(before, SymbolSet::one(one), "changed cells are filled");
                if one == *after {
                    rule.guard.push((cell, before));
                } else {
                    rule.delta.push((cell, one, *after));
                    rule.path.push(cell);
                }
            }
            (Site::Cell(cell), Action::Receive(from)) => {
                let (source, set) = sites[*from];
                let Site::Cell(source) = source else {
                    cut = true;
                    continue;
                };
                rule.moved.push((source, cell, SymbolSet(set.0 & every.0)));
                rule.path.push(cell);
            }
        }
    }
    rule.delta.sort_unstable();
    rule.moved.sort_unstable();
    if cut {
        let mut guard = rule.guard;
        guard.extend(
            rule.delta
                .iter()
                .map(|&(cell, before, _)| (cell, SymbolSet::one(before))),
        );
        guard.extend(rule.moved.iter().map(|&(from, _, set)| (from, set)));
        rule.guard = guard;
        rule.delta.clear();
        rule.moved.clear();
    } else if rule.delta.is_empty() && rule.moved.is_empty() {
        return None;
    }
    rule.guard.sort_unstable();
    for earlier in &layout.earlier {
        let tests: Vec<(Site, SymbolSet)> = earlier
            .iter()
            .map(|&(site, item)| {
                (
                    site,
                    symbols(
                        local
                            .wide
                            .iter()
                            .flatten()
                            .copied()
                            .nth(item)
                            .expect("an item"),
                    ),
                )
            })
            .collect();
        match forbidden(&rule, &tests, every) {
            Forbidden::Never => {}
            Forbidden::Always => return None,
            Forbidden::Unless(list) => rule.forbid.push(list),
        }
    }
    rule.forbid.sort_unstable();
    rule.forbid.dedup();
    rule.guard.retain(|&(_, set)| set != every);
    if cut {
        return Some(Assembled::Cut(CutRule {
            guard: rule.guard,
            forbid: rule.forbid,
        }));
    }
    Some(Assembled::Rule(rule))
}

fn symbols(test: Test) -> SymbolSet {
    match test {
        Test::Symbols(set) => set,
        Test::NoCell => SymbolSet::NO_CELL,
        Test::Counts(..) => unreachable!("symbol boards have no counts"),
    }
}

/// What each covered site becomes, in the order of the left side.
fn actions(local: &LocalRule, layout: &Layout, starts: &[usize]) -> Vec<Action> {
    let mut out = Vec::new();
    for becomes in &local.right {
        match *becomes {
            Becomes::Keep(item) => out.extend(layout.sites[item].iter().map(|_| Action::Keep)),
            Becomes::Symbol(symbol) => out.push(Action::Write(symbol)),
            Becomes::Take { item, turned } => {
                let length = layout.sites[item].len();
                for k in 0..length {
                    let from = starts[item] + if turned { length - 1 - k } else { k };
                    let at = out.len();
                    out.push(if from == at {
                        Action::Keep
                    } else {
                        Action::Receive(from)
                    });
                }
            }
        }
    }
    out
}

enum Forbidden {
    Never,
    Always,
    Unless(Vec<(Cell, SymbolSet)>),
}

/// What an earlier fit means for a placement that matches: it cannot be, always is, or depends on
/// kept cells.
fn forbidden(rule: &PlacedRule, tests: &[(Site, SymbolSet)], every: SymbolSet) -> Forbidden {
    let mut list = Vec::new();
    for &(site, set) in tests {
        let Site::Cell(cell) = site else { continue };
        let set = SymbolSet(set.0 & every.0);
        let known = rule
            .delta
            .iter()
            .find(|d| d.0 == cell)
            .map(|d| SymbolSet::one(d.1))
            .or_else(|| rule.moved.iter().find(|m| m.0 == cell).map(|m| m.2))
            .or_else(|| rule.guard.iter().find(|g| g.0 == cell).map(|g| g.1))
            .unwrap_or(every);
        if known.0 & set.0 == 0 {
            return Forbidden::Never;
        }
        if known.0 & !set.0 != 0 {
            list.push((cell, set));
        }
    }
    list.sort_unstable();
    list.dedup();
    if list.is_empty() {
        Forbidden::Always
    } else {
        Forbidden::Unless(list)
    }
}

fn place_counted(
    number: u16,
    rule: &Rule,
    instance: &Instance,
    ground: &Ground<'_>,
    out: &mut PlacedRules,
) -> Result<(), PlaceError> {
    let wide: Vec<Vec<Test>> = rule
        .left
        .iter()
        .map(|row| row.iter().map(|i| i.test).collect())
        .collect();
    let needs_captures = rule.condition.as_ref().is_some_and(|cond| {
        let mut names = Vec::new();
        names_of_cond(cond, &mut names);
        names.iter().any(|n| n == "at" || rule.captures.contains(n))
    });
    let mut error = None;
    lay(ground, &rule.left, &wide, &rule.steps, |layout| {
        if error.is_some() {
            return;
        }
        match assemble_counted(number, rule, instance, &layout) {
            Ok(Some(mut placed)) => {
                if needs_captures {
                    placed.condition.clone_from(&rule.condition);
                    placed.at = number_of(instance, rule, &layout);
                }
                out.counts.push(placed);
            }
            Ok(None) => {}
            Err(message) => {
                error = Some(PlaceError::Condition {
                    name: rule.name.clone(),
                    message,
                });
            }
        }
        if out.counts.len() > MOST_PLACEMENTS {
            error = Some(PlaceError::TooMany {
                most: MOST_PLACEMENTS,
            });
            ground.spend();
        }
    });
    let placed = out.rules.len() + out.cuts.len();
    error.map_or_else(|| enough(ground, placed), Err)
}

fn assemble_counted(
    number: u16,
    rule: &Rule,
    instance: &Instance,
    layout: &Layout,
) -> Result<Option<PlacedCount>, String> {
    let items: Vec<_> = rule.left.iter().flatten().collect();
    let mut placed = PlacedCount {
        rule: number,
        tests: Vec::new(),
        forbid: Vec::new(),
        adds: Vec::new(),
        captures: Vec::new(),
        condition: None,
        at: None,
        path: Vec::new(),
        cut: false,
    };
    for (item, sites) in items.iter().zip(&layout.sites) {
        for &site in sites {
            if let (Site::Cell(cell), Test::Counts(low, high)) = (site, item.test)
                && (low, high) != (0, u64::MAX)
            {
                placed.tests.push((cell, low, high));
            }
        }
        if let (Some(capture), Some(&Site::Cell(cell)), Length::One) =
            (item.capture, sites.first(), item.length)
        {
            placed.captures.push((rule.captures[capture].clone(), cell));
        }
    }
    let sites: Vec<Site> = layout.sites.iter().flatten().copied().collect();
    let mut at = 0;
    let mut row_start = 0;
    for (row, right) in rule.right.iter().enumerate() {
        for item in right {
            match item {
                RightItem::Keep(i) => at += layout.sites[row_start + i].len(),
                RightItem::Add(expr) => {
                    match (sites[at], amount(expr, rule, instance)?) {
                        (_, Amount::Fixed(0)) => {}
                        (Site::Cell(cell), amount) => {
                            placed.adds.push((cell, amount));
                            placed.path.push(cell);
                        }
                        (Site::Beyond(_), Amount::Fixed(n)) if n < 0 => return Ok(None),
                        (Site::Beyond(_), _) => placed.cut = true,
                        (Site::NoCell, _) => return Ok(None),
                    }
                    at += 1;
                }
                RightItem::Write(_) | RightItem::Recall(_) | RightItem::Turned(_) => {
                    unreachable!("counted boards only add")
                }
            }
        }
        row_start += rule.left[row].len();
    }
    if placed.adds.is_empty() && !placed.cut {
        return Ok(None);
    }
    for earlier in &layout.earlier {
        let tests = earlier
            .iter()
            .filter_map(|&(site, item)| match (site, items[item].test) {
                (Site::Cell(cell), Test::Counts(low, high)) if (low, high) != (0, u64::MAX) => {
                    Some((cell, low, high))
                }
                _ => None,
            });
        let list: Vec<_> = tests.collect();
        if list.is_empty() {
            return Ok(None);
        }
        placed.forbid.push(list);
    }
    placed.adds.sort_by_key(|a| a.0);
    Ok(Some(placed))
}

/// An amount: a number where no capture stands in it.
fn amount(expr: &crate::syntax::Expr, rule: &Rule, instance: &Instance) -> Result<Amount, String> {
    let mut names = Vec::new();
    names_of_expr(expr, &mut names);
    if names.iter().any(|n| rule.captures.contains(n)) {
        return Ok(Amount::Computed(expr.clone()));
    }
    crate::expr::integer(expr, &instance.params)
        .map(Amount::Fixed)
        .map_err(|f| f.message)
}
