//! Runs up to symmetry: one state of each orbit is visited, and every figure is that of the whole space.
//!
//! Symmetries keep depths, verdicts and remoteness, so each is computed for the least state of an
//! orbit and counts as often as the orbit has states. Transitions are counted from that state to all
//! its different successors, not to their orbits: every state of an orbit has as many of each kind.

use std::ops::ControlFlow;
use std::sync::Arc;

use impasse_graph::count::Count;
use impasse_graph::expand::Expand;
use impasse_graph::numbers::Numbers;
use impasse_graph::observe::{Limit, Observer, Outcome, Progress, Stage};
use impasse_graph::search::{Found, search, search_by_layers};
use impasse_graph::space::LayerCounts;
use impasse_model::compiled::Compiled;
use impasse_model::instance::{Instance, Position};
use impasse_model::puzzle::{Move, Puzzle, Reversible, Style};
use impasse_model::symmetry::{PackedGroup, Symmetry};
use impasse_model::word::Word;
use num_bigint::BigUint;
use rayon::prelude::*;

use crate::explore::Options;
use crate::figures::{figures, plain_rows, stopped_summary};
use crate::run::{Run, Table};
use crate::streamed::{OnDemand, Tables};
use crate::summary::{DepthRow, Summary};
use crate::walks::Big;

/// A puzzle whose states are the least of their orbits.
pub(crate) struct Reduced<W> {
    puzzle: Arc<Compiled<W>>,
    group: PackedGroup<W>,
}

impl<W: Word> Reduced<W> {
    pub(crate) fn new(puzzle: Arc<Compiled<W>>, symmetries: &[Symmetry]) -> Self {
        let group = PackedGroup::new(symmetries, puzzle.packing());
        Self { puzzle, group }
    }

    /// The different successors of a state, ascending.
    fn distinct_successors(&self, state: W, out: &mut Vec<W>) {
        out.clear();
        self.puzzle.successors(state, |next| out.push(next));
        out.sort_unstable();
        out.dedup();
    }

    /// Counts a visited state and all others of its orbit; only states and goals if it is
    /// `unexpanded`. `successors` is room to work in.
    fn count(&self, counts: &mut LayerCounts, state: W, unexpanded: bool, successors: &mut Vec<W>) {
        let orbit = self.group.orbit(state);
        let goal = Puzzle::is_goal(self, state);
        counts.states += orbit;
        counts.goals += if goal { orbit } else { 0 };
        if unexpanded {
            return;
        }
        self.distinct_successors(state, successors);
        let degree = successors.len() as u64;
        counts.transitions += orbit * degree;
        counts.dead_ends += if degree == 0 && !goal { orbit } else { 0 };
        counts.single += if degree == 1 && !goal { orbit } else { 0 };
        counts.cut |= Puzzle::can_cut(self) && Puzzle::is_cut(self, state);
    }

    /// Counts of the whole space by depth, where the search can forget all but the last layers.
    fn layers_alone(
        &self,
        options: &Options,
        observer: &dyn Observer,
    ) -> (Outcome, Vec<LayerCounts>) {
        let mut layers = Vec::new();
        let mut visit = |layer: &[W]| {
            let pieces = layer
                .par_chunks(PIECE)
                .map_init(Vec::new, |successors, piece| {
                    let mut counts = LayerCounts::default();
                    for &state in piece {
                        self.count(&mut counts, state, false, successors);
                    }
                    counts
                });
            layers.push(pieces.reduce(LayerCounts::default, |mut sum, part| {
                add(&mut sum, part);
                sum
            }));
        };
        let expand: &dyn Expand<W> = self;
        let found = search_by_layers(expand, &options.limits, observer, &mut visit);
        if let Outcome::Stopped { depth, .. } = found.outcome
            && depth as usize + 1 == layers.len()
            && is_unexpanded(found.outcome)
        {
            let last = layers.last_mut().expect("there is a layer");
            *last = LayerCounts {
                states: last.states,
                goals: last.goals,
                ..LayerCounts::default()
            };
        }
        (found.outcome, layers)
    }
}

impl<W: Word> Puzzle for Reduced<W> {
    type State = W;

    fn starts(&self) -> Vec<W> {
        let starts = Puzzle::starts(&*self.puzzle).into_iter();
        starts.map(|start| self.group.least(start)).collect()
    }
    fn moves(&self, state: W, mut visit: impl FnMut(Move, W)) {
        self.puzzle.moves(state, |mv, next| {
            let next = self.group.least(next);
            // A move within the orbit leads nowhere new.
            if next != state {
                visit(mv, next);
            }
        });
    }
    fn successors(&self, state: W, mut visit: impl FnMut(W)) {
        self.puzzle.successors(state, |next| {
            let next = self.group.least(next);
            if next != state {
                visit(next);
            }
        });
    }
    fn is_goal(&self, state: W) -> bool {
        Puzzle::is_goal(&*self.puzzle, state)
    }
    fn move_bound(&self) -> u32 {
        Puzzle::move_bound(&*self.puzzle)
    }
    fn can_cut(&self) -> bool {
        Puzzle::can_cut(&*self.puzzle)
    }
    fn is_cut(&self, state: W) -> bool {
        Puzzle::is_cut(&*self.puzzle, state)
    }
    fn is_undirected(&self) -> bool {
        Puzzle::is_undirected(&*self.puzzle)
    }
    /// States of an orbit have one depth, so a move leads as much deeper as in the whole space.
    fn is_graded(&self) -> bool {
        Puzzle::is_graded(&*self.puzzle)
    }
}

/// A run up to symmetry.
pub(crate) struct Orbital {
    instance: Instance,
    summary: Summary,
    depths: Vec<DepthRow>,
    outcome: Outcome,
    absent: Vec<(String, String)>,
    all: OnDemand,
}

/// Enumerates and analyses one state of each orbit.
pub(crate) fn run<W: Word>(
    reduced: &Reduced<W>,
    instance: &Instance,
    options: &Options,
    observer: &dyn Observer,
    tables: Tables,
) -> Box<dyn Run> {
    let expand: &dyn Expand<W> = reduced;
    let mut outcome;
    let forgets = Puzzle::is_undirected(reduced) || Puzzle::is_graded(reduced);
    let (summary, depths, absent) = if options.only_depths && forgets {
        let layers;
        (outcome, layers) = reduced.layers_alone(options, observer);
        match outcome {
            Outcome::Stopped { reason, .. } => stopped(&layers, reason),
            Outcome::Complete => (figures(&layers).0, plain_rows(&layers, false), Vec::new()),
        }
    } else {
        let found = search(expand, true, &options.limits, observer);
        let orbits = Orbits::new(reduced, found);
        outcome = orbits.outcome;
        let layers = orbits.layers();
        match outcome {
            Outcome::Stopped { reason, .. } => stopped(&layers, reason),
            Outcome::Complete if options.only_depths => {
                (figures(&layers).0, plain_rows(&layers, false), Vec::new())
            }
            Outcome::Complete => match orbits.full(&layers, options, observer) {
                ControlFlow::Continue(done) => done,
                ControlFlow::Break(()) => {
                    let reason = Limit::Interrupt;
                    let depth = layers.len() as u32 - 1;
                    outcome = Outcome::Stopped { reason, depth };
                    stopped(&layers, reason)
                }
            },
        }
    };
    Box::new(Orbital {
        instance: instance.clone(),
        summary,
        depths,
        outcome,
        absent,
        all: OnDemand::new(tables, options.tabled),
    })
}

/// What is told of a run that was stopped.
fn stopped(layers: &[LayerCounts], reason: Limit) -> Done {
    (
        stopped_summary(layers, reason),
        plain_rows(layers, true),
        Vec::new(),
    )
}

/// Adds the counts of a part of a layer.
fn add(sum: &mut LayerCounts, part: LayerCounts) {
    sum.states += part.states;
    sum.goals += part.goals;
    sum.transitions += part.transitions;
    sum.dead_ends += part.dead_ends;
    sum.single += part.single;
    sum.cut |= part.cut;
}

/// Whether a search may have left its last layer before the successors were known: at a limit of
/// depth, of time, or Ctrl-C inside it. Its other counts are then not told.
fn is_unexpanded(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Stopped {
            reason: Limit::Depth | Limit::Time | Limit::Interrupt,
            ..
        }
    )
}

/// The visited states, sorted, with their depths.
struct Orbits<'a, W> {
    reduced: &'a Reduced<W>,
    outcome: Outcome,
    states: Vec<W>,
    /// The depth of each.
    depth: Numbers,
    depths: usize,
}

/// States a thread takes at a time.
const PIECE: usize = 1 << 12;

impl<'a, W: Word> Orbits<'a, W> {
    fn new(reduced: &'a Reduced<W>, found: Found<W>) -> Self {
        Self {
            reduced,
            outcome: found.outcome,
            depths: found.counts.len(),
            states: found.states,
            depth: found.depths,
        }
    }

    fn find(&self, state: W) -> Option<u32> {
        self.states
            .binary_search(&state)
            .ok()
            .map(|slot| slot as u32)
    }

    fn depth_of(&self, slot: usize) -> u32 {
        self.depth
            .get(slot as u32)
            .expect("every state has a depth")
    }

    /// Sums up something of every visited state by depth, in parallel.
    fn by_depth<T: Default + Clone + Send>(
        &self,
        add: impl Fn(&mut T, usize, &mut Vec<W>) + Sync,
        join: impl Fn(&mut T, T) + Sync,
    ) -> Vec<T> {
        let none = || vec![T::default(); self.depths];
        let pieces = self.states.len().div_ceil(PIECE);
        let piece = |mut sums: Vec<T>, number: usize| {
            let mut scratch = Vec::new();
            let first = number * PIECE;
            for slot in first..(first + PIECE).min(self.states.len()) {
                add(&mut sums[self.depth_of(slot) as usize], slot, &mut scratch);
            }
            sums
        };
        // Sums of a few pieces at a time, not of all.
        let sums = (0..pieces).into_par_iter().fold(none, piece);
        sums.reduce(none, |mut total, piece| {
            for (sum, part) in total.iter_mut().zip(piece) {
                join(sum, part);
            }
            total
        })
    }

    /// Counts of the whole space by depth.
    fn layers(&self) -> Vec<LayerCounts> {
        let last = match self.outcome {
            Outcome::Stopped { depth, .. } if depth as usize + 1 == self.depths => Some(depth),
            _ => None,
        };
        let unknown =
            |slot: usize| Some(self.depth_of(slot)) == last && is_unexpanded(self.outcome);
        self.by_depth(
            |counts: &mut LayerCounts, slot, successors| {
                let state = self.states[slot];
                self.reduced.count(counts, state, unknown(slot), successors);
            },
            add,
        )
    }

    /// All figures of a completed space.
    fn full(
        &self,
        layers: &[LayerCounts],
        options: &Options,
        observer: &dyn Observer,
    ) -> ControlFlow<(), Done> {
        let (mut summary, _) = figures(layers);
        let (remoteness, most) = self.remoteness(observer)?;
        summary.max_remoteness = most;
        let rows = self.by_depth(
            |row: &mut Verdicts, slot, successors| {
                let state = self.states[slot];
                let orbit = self.reduced.group.orbit(state);
                self.reduced.distinct_successors(state, successors);
                let live = remoteness.get(slot as u32).is_some();
                let (mut keeping, mut losing) = (0_u64, 0_u64);
                for &next in successors.iter() {
                    let to = self.find(self.reduced.group.least(next));
                    let to = to.expect("all successors were reached");
                    if remoteness.get(to).is_none() {
                        losing += 1;
                    } else {
                        keeping += 1;
                    }
                    row.deeper &= self.depth_of(to as usize) == self.depth_of(slot) + 1;
                }
                let goal = Puzzle::is_goal(self.reduced, state);
                row.live += if live { orbit } else { 0 };
                row.blocking += if live { orbit * losing } else { 0 };
                row.points += if live && losing > 0 { orbit } else { 0 };
                row.only += if live && !goal && keeping == 1 {
                    orbit
                } else {
                    0
                };
            },
            |sum, part| {
                sum.live += part.live;
                sum.blocking += part.blocking;
                sum.points += part.points;
                sum.only += part.only;
                sum.deeper &= part.deeper;
            },
        );
        let states: u64 = layers.iter().map(|layer| layer.states).sum();
        let live: u64 = rows.iter().map(|row| row.live).sum();
        let dead_ends = summary.dead_ends.unwrap_or(0);
        summary.live = Some(live);
        summary.lost = Some(states - live);
        summary.doomed = Some(states - live - dead_ends);
        summary.blocking_moves = Some(rows.iter().map(|row| row.blocking).sum());
        summary.points_of_no_return = Some(rows.iter().map(|row| row.points).sum());
        summary.only_moves = Some(rows.iter().map(|row| row.only).sum());
        let graded = rows.iter().all(|row| row.deeper);
        summary.graded = Some(graded);
        let still = summary.transitions == Some(0);
        summary.reversible = Some(if graded && !still {
            false
        } else {
            self.is_reversible()
        });
        let mut absent = Vec::new();
        if !options.no_counting {
            let ends = |slot: u32| remoteness.get(slot) == Some(0);
            summary.shortest_solutions = Some(match summary.shortest {
                None => BigUint::ZERO,
                Some(shortest) => self.count(&ends, &|slot| {
                    let left = remoteness.get(slot).map(u64::from);
                    left.is_some_and(|r| r + u64::from(self.depth_of(slot as usize)) == shortest)
                }),
            });
            if graded {
                summary.longest = summary.max_depth;
                let ends = |slot: u32| {
                    let mut next = Vec::new();
                    self.reduced
                        .distinct_successors(self.states[slot as usize], &mut next);
                    next.is_empty()
                };
                summary.plays = Some(self.count(&ends, &|_| true));
            } else if summary.reversible != Some(true) {
                let reason = "not counted up to symmetry: --symmetry off".to_owned();
                absent.push(("longest".to_owned(), reason.clone()));
                absent.push(("plays".to_owned(), reason));
            }
        }
        let depths = layers.iter().zip(&rows).map(|(layer, row)| DepthRow {
            states: layer.states,
            live: Some(row.live),
            doomed: Some(layer.states - row.live - layer.dead_ends),
            dead_ends: Some(layer.dead_ends),
            goals: Some(layer.goals),
            blocking_moves: Some(row.blocking),
        });
        ControlFlow::Continue((summary, depths.collect(), absent))
    }

    /// Fewest transitions to a goal by slot, and the most there are.
    fn remoteness(&self, observer: &dyn Observer) -> ControlFlow<(), (Numbers, Option<u64>)> {
        let mut remoteness = Numbers::none(self.states.len() as u32);
        let mut front: Vec<u32> = (0..self.states.len() as u32)
            .into_par_iter()
            .filter(|&slot| Puzzle::is_goal(self.reduced, self.states[slot as usize]))
            .collect();
        let (mut distance, mut total) = (0_u32, 0);
        while !front.is_empty() {
            for &slot in &front {
                remoteness.set(slot, distance);
            }
            total += front.len() as u64;
            observer.layer(&Progress {
                stage: Stage::Retrograde,
                layer: distance,
                layer_states: front.len() as u64,
                states: total,
            })?;
            if observer.interrupted() {
                return ControlFlow::Break(());
            }
            let pieces: Vec<Vec<u32>> = front
                .par_chunks(PIECE)
                .map(|piece| {
                    let mut before = Vec::new();
                    for &slot in piece {
                        self.reduced
                            .puzzle
                            .unmoves(self.states[slot as usize], |_, state| {
                                let slot = self.find(self.reduced.group.least(state));
                                before.extend(slot.filter(|&slot| remoteness.get(slot).is_none()));
                            });
                    }
                    before.sort_unstable();
                    before.dedup();
                    before
                })
                .collect();
            front = pieces.concat();
            front.par_sort_unstable();
            front.dedup();
            distance += 1;
        }
        let most = u64::from(distance).checked_sub(1);
        ControlFlow::Continue((remoteness, most))
    }

    fn is_reversible(&self) -> bool {
        if Puzzle::is_undirected(&*self.reduced.puzzle) {
            return true;
        }
        self.states.par_chunks(PIECE).all(|piece| {
            let (mut there, mut back) = (Vec::new(), Vec::new());
            piece.iter().all(|&state| {
                self.reduced.distinct_successors(state, &mut there);
                there.iter().all(|&next| {
                    self.reduced.distinct_successors(next, &mut back);
                    back.binary_search(&state).is_ok()
                })
            })
        })
    }

    /// Walks of the whole space from a start, each move one layer deeper, through states that pass, to
    /// states that end them.
    fn count(&self, ends: &dyn Fn(u32) -> bool, passes: &dyn Fn(u32) -> bool) -> BigUint {
        let mut by_depth: Vec<Vec<u32>> = vec![Vec::new(); self.depths];
        for slot in (0..self.states.len() as u32).filter(|&slot| passes(slot)) {
            by_depth[self.depth_of(slot as usize) as usize].push(slot);
        }
        if let Some(narrow) = self.walks::<u128>(ends, &by_depth) {
            return narrow.into();
        }
        let big = self.walks::<Big>(ends, &by_depth);
        big.expect("big integers do not overflow").0
    }

    /// The same, of the slots that pass by depth; `None` if a number does not fit.
    fn walks<N: Count>(&self, ends: &dyn Fn(u32) -> bool, by_depth: &[Vec<u32>]) -> Option<N> {
        let mut total = N::zero();
        // For each orbit the walks that come to any of its states.
        let mut ways: Vec<N> = Vec::new();
        for &slot in &by_depth[0] {
            let mut starts = N::zero();
            let orbit = self.reduced.group.orbit(self.states[slot as usize]);
            let fits = (0..orbit).all(|_| starts.add(&N::one()));
            fits.then(|| ways.push(starts))?;
        }
        let mut successors = Vec::new();
        let none: &[u32] = &[];
        for (depth, slots) in by_depth.iter().enumerate() {
            let next_slots = by_depth.get(depth + 1).map_or(none, Vec::as_slice);
            let mut next = vec![N::zero(); next_slots.len()];
            for (&slot, count) in slots.iter().zip(&ways) {
                if ends(slot) {
                    total.add(count).then_some(())?;
                }
                self.reduced
                    .distinct_successors(self.states[slot as usize], &mut successors);
                for &state in &successors {
                    let to = self.find(self.reduced.group.least(state));
                    let at = to.and_then(|to| next_slots.binary_search(&to).ok());
                    if let Some(at) = at {
                        next[at].add(count).then_some(())?;
                    }
                }
            }
            ways = next;
        }
        Some(total)
    }
}

type Done = (Summary, Vec<DepthRow>, Vec<(String, String)>);

/// Counts of one depth.
#[derive(Clone, Debug)]
struct Verdicts {
    live: u64,
    blocking: u64,
    points: u64,
    only: u64,
    /// Whether every transition goes one layer deeper.
    deeper: bool,
}

impl Default for Verdicts {
    fn default() -> Self {
        Self {
            live: 0,
            blocking: 0,
            points: 0,
            only: 0,
            deeper: true,
        }
    }
}

impl Run for Orbital {
    fn summary(&self) -> &Summary {
        &self.summary
    }
    fn depths(&self) -> &[DepthRow] {
        &self.depths
    }
    fn outcome(&self) -> Outcome {
        self.outcome
    }
    fn engine(&self) -> &'static str {
        "hash"
    }
    fn absent(&self) -> Vec<(String, String)> {
        self.absent.clone()
    }
    fn table(&self) -> Option<&dyn Table> {
        self.all.table(self.outcome, &self.summary)
    }
    fn draw_position(&self, position: &Position, style: Style) -> Vec<String> {
        let instance = &self.instance;
        instance.board.picture(&instance.alphabet, position, style)
    }
}
