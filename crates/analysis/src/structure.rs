//! The space as a directed graph: states no solution can avoid, and strongly connected components.
//!
//! The algorithms are petgraph's, on spaces up to about 10^6 states; only those that keep their
//! stack on the heap are used, so that long paths do no harm.

use std::ops::Range;

use petgraph::Direction;
use petgraph::algo::dominators::simple_fast;
use petgraph::algo::kosaraju_scc;
use petgraph::visit::{
    GraphBase, GraphRef, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, VisitMap,
    Visitable,
};

use crate::run::{Table, Transition};

/// The transitions of a space, forward, in two flat arrays.
///
/// Four bytes a transition and eight a state.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Where the successors of each state begin in `targets`; one more entry closes the last.
    begins: Vec<usize>,
    targets: Vec<u32>,
}

impl Graph {
    /// Collects all transitions of a table.
    #[must_use]
    pub fn collect(table: &dyn Table) -> Self {
        let mut out = Vec::new();
        Self::build(table.state_count(), |id, targets| {
            table.transitions(id, &mut out);
            targets.extend(out.iter().map(|t| t.to));
        })
    }

    /// Number of states.
    #[must_use]
    pub fn state_count(&self) -> u32 {
        (self.begins.len() - 1) as u32
    }

    /// Number of transitions.
    #[must_use]
    pub fn transition_count(&self) -> usize {
        self.targets.len()
    }

    /// The successors of a state, ascending.
    #[must_use]
    pub fn successors(&self, id: u32) -> &[u32] {
        &self.targets[self.begins[id as usize]..self.begins[id as usize + 1]]
    }

    /// Every transition the other way.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let size = self.begins.len() - 1;
        let mut begins = vec![0; size + 1];
        for &to in &self.targets {
            begins[to as usize + 1] += 1;
        }
        for i in 0..size {
            begins[i + 1] += begins[i];
        }
        let mut next = begins.clone();
        let mut targets = vec![0; self.targets.len()];
        for from in 0..size as u32 {
            for &to in self.successors(from) {
                targets[next[to as usize]] = from;
                next[to as usize] += 1;
            }
        }
        Self { begins, targets }
    }

    /// Collects the successors that `fill` appends, state by state.
    pub(crate) fn build(state_count: u32, mut fill: impl FnMut(u32, &mut Vec<u32>)) -> Self {
        let mut begins = Vec::with_capacity(state_count as usize + 1);
        let mut targets = Vec::new();
        begins.push(0);
        for id in 0..state_count {
            fill(id, &mut targets);
            begins.push(targets.len());
        }
        targets.shrink_to_fit();
        Self { begins, targets }
    }
}

/// The states that every solution passes, in the order in which they are passed; `None` where no
/// goal can be reached.
///
/// A solution is any walk, not only a shortest one, from any start to the first goal it meets. These
/// states are the dominators of all goals taken together. Seconds, and some hundred bytes a state, for
/// 10^6 states.
#[must_use]
pub fn must_pass(table: &dyn Table) -> Option<Vec<u32>> {
    table.best_start()?;
    let flow = solution_flow(table);
    let (source, sink) = (table.state_count(), table.state_count() + 1);
    let backward = flow.reversed();
    let view = View {
        forward: &flow,
        backward: &backward,
    };
    let dominators = simple_fast(view, source);
    let mut passed: Vec<u32> = dominators.strict_dominators(sink)?.collect();
    let from = passed.pop();
    assert_eq!(from, Some(source), "every solution comes from the source");
    passed.reverse();
    Some(passed)
}

/// All solutions as a flow: live states, a source before the starts, a sink behind the goals, and
/// nothing leads on from a goal.
fn solution_flow(table: &dyn Table) -> Graph {
    let states = table.state_count();
    let is_live = |id: u32| table.remoteness(id).is_some();
    let mut out: Vec<Transition> = Vec::new();
    Graph::build(states + 2, |id, targets| {
        if id == states {
            targets.extend((0..table.start_count()).filter(|&start| is_live(start)));
        } else if id < states && table.is_goal(id) {
            targets.push(states + 1);
        } else if id < states && is_live(id) {
            table.transitions(id, &mut out);
            targets.extend(out.iter().map(|t| t.to).filter(|&to| is_live(to)));
        }
    })
}

/// Strongly connected components: sets of states each of which leads to every other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Components {
    /// Number of components; a state that lies on no cycle is one of its own.
    pub count: u64,
    /// States in the largest.
    pub largest: u64,
    /// Components of more than one state.
    pub nontrivial: u64,
}

/// Finds the strongly connected components of a space.
#[must_use]
pub fn components(graph: &Graph) -> Components {
    let backward = graph.reversed();
    let found = kosaraju_scc(View {
        forward: graph,
        backward: &backward,
    });
    Components {
        count: found.len() as u64,
        largest: found.iter().map(Vec::len).max().unwrap_or(0) as u64,
        nontrivial: found.iter().filter(|c| c.len() > 1).count() as u64,
    }
}

/// Whether play can come back to a state.
#[must_use]
pub fn has_cycle(graph: &Graph) -> bool {
    topological_order(graph).is_none()
}

/// The states in an order in which every transition leads onwards; `None` if there is a cycle.
#[must_use]
pub fn topological_order(graph: &Graph) -> Option<Vec<u32>> {
    let size = graph.state_count();
    let onwards = (0..size).all(|id| graph.successors(id).first().is_none_or(|&to| to > id));
    if onwards {
        return Some((0..size).collect());
    }
    let mut missing = vec![0u32; size as usize];
    for &to in &graph.targets {
        missing[to as usize] += 1;
    }
    let mut order: Vec<u32> = (0..size).filter(|&id| missing[id as usize] == 0).collect();
    let mut done = 0;
    while let Some(&id) = order.get(done) {
        done += 1;
        for &to in graph.successors(id) {
            missing[to as usize] -= 1;
            if missing[to as usize] == 0 {
                order.push(to);
            }
        }
    }
    (order.len() == size as usize).then_some(order)
}

/// A graph with its inverse, as petgraph wants to see it.
#[derive(Clone, Copy)]
struct View<'a> {
    forward: &'a Graph,
    backward: &'a Graph,
}

impl GraphBase for View<'_> {
    type NodeId = u32;
    type EdgeId = ();
}

impl GraphRef for View<'_> {}

impl<'a> IntoNeighbors for View<'a> {
    type Neighbors = std::iter::Copied<std::slice::Iter<'a, u32>>;

    fn neighbors(self, id: u32) -> Self::Neighbors {
        self.forward.successors(id).iter().copied()
    }
}

impl IntoNeighborsDirected for View<'_> {
    type NeighborsDirected = Self::Neighbors;

    fn neighbors_directed(self, id: u32, direction: Direction) -> Self::NeighborsDirected {
        let graph = match direction {
            Direction::Outgoing => self.forward,
            Direction::Incoming => self.backward,
        };
        graph.successors(id).iter().copied()
    }
}

impl IntoNodeIdentifiers for View<'_> {
    type NodeIdentifiers = Range<u32>;

    fn node_identifiers(self) -> Range<u32> {
        0..self.forward.state_count()
    }
}

/// Which states a walk has seen.
struct Seen(Vec<bool>);

impl VisitMap<u32> for Seen {
    fn visit(&mut self, id: u32) -> bool {
        !std::mem::replace(&mut self.0[id as usize], true)
    }

    fn is_visited(&self, id: &u32) -> bool {
        self.0[*id as usize]
    }

    fn unvisit(&mut self, id: u32) -> bool {
        std::mem::take(&mut self.0[id as usize])
    }
}

impl Visitable for View<'_> {
    type Map = Seen;

    fn visit_map(&self) -> Seen {
        Seen(vec![false; self.forward.state_count() as usize])
    }

    fn reset_map(&self, map: &mut Seen) {
        map.0.fill(false);
        map.0.resize(self.forward.state_count() as usize, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::FakeTable;

    /// The same states by obvious code: those without which no goal can be reached.
    fn must_pass_slowly(table: &FakeTable) -> Option<Vec<u32>> {
        let solvable = |without: Option<u32>| {
            let mut seen = vec![false; table.state_count() as usize];
            let mut stack: Vec<u32> = (0..table.start_count()).collect();
            let mut out = Vec::new();
            while let Some(id) = stack.pop() {
                if Some(id) == without || std::mem::replace(&mut seen[id as usize], true) {
                    continue;
                }
                if table.is_goal(id) {
                    return true;
                }
                table.transitions(id, &mut out);
                stack.extend(out.iter().map(|t| t.to));
            }
            false
        };
        solvable(None).then(|| {
            (0..table.state_count())
                .filter(|&id| !solvable(Some(id)))
                .collect()
        })
    }

    fn check(table: &FakeTable, expected: Option<&[u32]>) {
        let found = must_pass(table);
        assert_eq!(found.as_deref(), expected);
        let sorted = found.map(|mut states| {
            states.sort_unstable();
            states
        });
        assert_eq!(sorted, must_pass_slowly(table));
    }

    #[test]
    fn states_that_every_solution_passes() {
        let diamond = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)];
        check(&FakeTable::new(5, 1, &[4], &diamond), Some(&[0, 3, 4]));
        // A goal ends the walk: nothing behind it counts; two goals, two starts.
        check(&FakeTable::new(5, 1, &[3, 4], &diamond), Some(&[0, 3]));
        check(&FakeTable::new(5, 1, &[1, 4], &diamond), Some(&[0]));
        check(
            &FakeTable::new(4, 2, &[3], &[(0, 2), (1, 2), (2, 3)]),
            Some(&[2, 3]),
        );
        check(&FakeTable::new(2, 2, &[0], &[(1, 0)]), Some(&[0]));
        check(&FakeTable::new(3, 1, &[], &[(0, 1), (1, 2)]), None);
        // Going round in a circle, or into a dead end, avoids nothing.
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (1, 4), (3, 1)];
        check(&FakeTable::new(5, 1, &[3], &edges), Some(&[0, 1, 2, 3]));
        // The order is that of passing, not that of the numbers.
        check(
            &FakeTable::new(4, 1, &[1], &[(0, 3), (3, 2), (2, 1)]),
            Some(&[0, 3, 2, 1]),
        );
    }

    #[test]
    fn random_graphs_agree_with_obvious_code() {
        let mut seed = 12345u64;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((seed >> 33) % u64::from(below)) as u32
        };
        for _ in 0..300 {
            let states = 2 + random(9);
            let edges: Vec<(u32, u32)> = (0..2 * states)
                .map(|_| (random(states), random(states)))
                .filter(|(a, b)| a != b)
                .collect();
            let starts = 1 + random(2).min(states - 1);
            let table = FakeTable::new(states, starts, &[random(states)], &edges);
            let mut found = must_pass(&table);
            if let Some(states) = &mut found {
                states.sort_unstable();
            }
            let reachable = must_pass_slowly(&table);
            assert_eq!(found, reachable, "{table:?}");
        }
    }

    #[test]
    fn components_of_small_graphs() {
        let check = |states, edges: &[(u32, u32)], expected: (u64, u64, u64)| {
            let graph = Graph::collect(&FakeTable::new(states, 1, &[], edges));
            let found = components(&graph);
            assert_eq!((found.count, found.largest, found.nontrivial), expected);
            assert_eq!(has_cycle(&graph), expected.2 > 0);
        };
        check(1, &[], (1, 1, 0));
        check(3, &[(0, 1), (1, 2), (0, 2)], (3, 1, 0));
        check(3, &[(0, 2), (2, 1)], (3, 1, 0));
        check(3, &[(0, 1), (1, 2), (2, 0)], (1, 3, 1));
        check(
            5,
            &[(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2)],
            (2, 3, 2),
        );
    }

    /// A path of a million states, walked in a thread whose stack would overflow at once if anything
    /// were recursive.
    #[test]
    fn long_paths_need_no_stack() {
        let length = 1_000_000;
        let walk = move || {
            let path: Vec<(u32, u32)> = (1..length).map(|id| (id - 1, id)).collect();
            let table = FakeTable::new(length, 1, &[length - 1], &path);
            let graph = Graph::collect(&table);
            assert_eq!(components(&graph).count, u64::from(length));
            assert!(!has_cycle(&graph));
            assert_eq!(
                must_pass(&table).map(|states| states.len()),
                Some(length as usize)
            );
            let ring: Vec<(u32, u32)> = path.into_iter().chain([(length - 1, 0)]).collect();
            let graph = Graph::collect(&FakeTable::new(length, 1, &[length - 1], &ring));
            assert_eq!(
                components(&graph),
                Components {
                    count: 1,
                    largest: 1_000_000,
                    nontrivial: 1
                }
            );
            assert!(has_cycle(&graph));
        };
        let thread = std::thread::Builder::new()
            .stack_size(128 << 10)
            .spawn(walk);
        thread.expect("a thread").join().expect("no overflow");
    }
}
