//! Answers of a streamed run about moves and single states, from sets.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use impasse_graph::observe::{Observer, Stage};
use impasse_graph::stream::{Blame, Direction, Effects, NoMemory, Rests, Search, Set, Stream};
use impasse_model::instance::Position;
use impasse_model::placed::PlacedRule;
use impasse_model::puzzle::Move;

use super::FIXED_BYTES;
use super::distances::Distances;
use super::excerpt::{ExcerptTable, Kept};
use super::goals::Goals;
use super::play::Play;
use crate::blocking::Rest;
use crate::inquiry::{Excerpt, Inquire, Known, MoveCounts, MoveTally, Unanswered, tell};
use crate::run::{Table, Verdict};

/// Excerpts of more states are refused.
const MOST_EXCERPTED: u64 = 4_000_000;
/// Sets that a search holds, with the two of the verdicts and those of one step.
const SEARCH_SETS: u64 = 8;
/// Positions that become a set at a time.
const CHUNK: usize = 1 << 16;

/// What a streamed run keeps to answer later.
pub(crate) struct Asked {
    pub(crate) stream: Stream,
    pub(crate) goals: Goals,
    pub(crate) rules: Vec<PlacedRule>,
    pub(crate) cells: usize,
    /// States by depth.
    pub(crate) layers: Vec<u64>,
    pub(crate) standing: OnceLock<Standing>,
    pub(crate) play: Arc<dyn Play>,
    pub(crate) budget: Option<u64>,
}

/// The reached states, told apart.
pub(crate) struct Standing {
    pub(crate) live: Set,
    pub(crate) lost: Set,
}

/// A state that was met in its layer.
struct Seen {
    position: Position,
    depth: u32,
    number: Option<u64>,
}

impl Asked {
    /// Whether the budget has room for so many bytes.
    fn afford(&self, sets: u64, bytes: u64) -> Result<(), Unanswered> {
        let needed = sets * self.stream.set_bytes() + bytes + FIXED_BYTES;
        match self.budget {
            Some(budget) if needed > budget => Err(Unanswered::Memory { needed, budget }),
            _ => Ok(()),
        }
    }

    fn both(&self, a: &Set, b: &Set) -> Result<Set, NoMemory> {
        let mut both = self.stream.copy(a)?;
        self.stream.and(&mut both, b);
        Ok(both)
    }

    /// Searches from a set; `each` sees every layer until it has seen enough.
    fn search(
        &self,
        (direction, from, within): (Direction, Set, Option<&Set>),
        observer: &dyn Observer,
        mut each: impl FnMut(usize, &Set) -> Result<bool, Unanswered>,
    ) -> Result<(), Unanswered> {
        let stage = match direction {
            Direction::Forward => Stage::Search,
            Direction::Backward => Stage::Retrograde,
        };
        let mut search = Search::new(&self.stream, direction, from, within)?;
        let mut states = search.layer().len();
        let mut total = 0;
        for distance in 0.. {
            if states == 0 || !each(distance, search.layer())? {
                break;
            }
            total += states;
            tell(observer, stage, distance, states, total)?;
            states = search.step().states;
        }
        Ok(())
    }

    /// The verdicts of all reached states. Where every move can be taken back they are only found
    /// when they are asked for: the run itself needs no set of them.
    fn standing(&self, observer: &dyn Observer) -> Result<&Standing, Unanswered> {
        if let Some(known) = self.standing.get() {
            return Ok(known);
        }
        let stream = &self.stream;
        let mut lost = stream.none()?;
        let from = (Direction::Forward, stream.starts()?, None);
        self.search(from, observer, |_, layer| {
            stream.or(&mut lost, layer);
            Ok(true)
        })?;
        let goals = self.goals.within(stream, &lost)?;
        let mut live = stream.none()?;
        self.search((Direction::Backward, goals, None), observer, |_, layer| {
            stream.or(&mut live, layer);
            Ok(true)
        })?;
        stream.and(&mut live, &lost);
        stream.minus(&mut lost, &live);
        Ok(self.standing.get_or_init(|| Standing { live, lost }))
    }

    fn dead_ends(&self, lost: &Set) -> Result<Set, NoMemory> {
        let moving = self.stream.image(Direction::Backward, lost)?;
        let mut dead_ends = self.stream.copy(lost)?;
        self.stream.minus(&mut dead_ends, &moving);
        Ok(dead_ends)
    }

    /// By rule, the doomed states and the dead ends that it lost.
    fn blamed(
        &self,
        effects: &Effects,
        losing: Vec<u32>,
        observer: &dyn Observer,
    ) -> Result<BTreeMap<u32, [u64; 2]>, Unanswered> {
        self.afford(
            SEARCH_SETS + Blame::sets(losing.len()),
            self.stream.fixed_bytes() + effects.bytes(),
        )?;
        let (stream, standing) = (&self.stream, self.standing(observer)?);
        let dead_ends = self.dead_ends(&standing.lost)?;
        let (mut lost_by, mut ended_by) = (vec![0; losing.len()], vec![0; losing.len()]);
        let mut blame = Blame::new(stream, losing)?;
        let mut before = stream.none()?;
        let mut left = standing.lost.len();
        let from = (Direction::Forward, stream.starts()?, None);
        self.search(from, observer, |_, layer| {
            let lost = self.both(layer, &standing.lost)?;
            if !lost.is_empty() {
                let live = self.both(&before, &standing.live)?;
                blame.layer(stream, effects, [&before, &live], &lost)?;
                blame.count(stream, &lost, &mut lost_by);
                blame.count(stream, &dead_ends, &mut ended_by);
                left -= lost.len();
            }
            before = stream.copy(layer)?;
            Ok(left > 0)
        })?;
        let counts = lost_by.into_iter().zip(ended_by);
        let counts = counts.map(|(lost, ended)| [lost - ended, ended]);
        Ok(blame.rules().iter().copied().zip(counts).collect())
    }

    /// The states of a set by depth and board order, the first `most` of them.
    fn seen(
        &self,
        set: &Set,
        most: u64,
        numbers: bool,
        observer: &dyn Observer,
    ) -> Result<Vec<Seen>, Unanswered> {
        let stream = &self.stream;
        let wanted = set.len().min(most);
        let mut seen: Vec<Seen> = Vec::new();
        let mut above = 0;
        let from = (Direction::Forward, stream.starts()?, None);
        self.search(from, observer, |depth, layer| {
            let here = self.both(layer, set)?;
            let room = (wanted - seen.len() as u64) as usize;
            let positions = self.first_of(&here, room);
            let ranks = if numbers && !positions.is_empty() {
                stream.ranks(layer, &positions)
            } else {
                Vec::new()
            };
            let mut ranks = ranks.into_iter();
            seen.extend(positions.into_iter().map(|position| Seen {
                position,
                depth: depth as u32,
                number: ranks.next().map(|rank| above + rank),
            }));
            above += self.layers[depth];
            Ok((seen.len() as u64) < wanted)
        })?;
        Ok(seen)
    }

    /// The first positions of a set in board order.
    fn first_of(&self, set: &Set, most: usize) -> Vec<Position> {
        let mut first: Vec<Position> = Vec::new();
        if most == 0 {
            return first;
        }
        self.stream.each(set, |position| {
            first.push(position.to_vec());
            // Half of them are cut off at a time: each is moved a few times only.
            if first.len() >= 2 * most.max(CHUNK) {
                first.select_nth_unstable(most - 1);
                first.truncate(most);
            }
        });
        first.sort_unstable();
        first.truncate(most);
        first
    }

    fn verdict(&self, standing: &Standing, position: &Position) -> Verdict {
        if self.stream.has(&standing.live, position) {
            Verdict::Live
        } else if self.play.successors(position).is_empty() {
            Verdict::DeadEnd
        } else {
            Verdict::Doomed
        }
    }

    /// Room for an excerpt.
    fn fits(&self, states: u64) -> Result<(), Unanswered> {
        if states > MOST_EXCERPTED {
            return Err(Unanswered::TooMany {
                most: MOST_EXCERPTED,
            });
        }
        let bytes = states * ExcerptTable::bytes_a_state(self.cells);
        self.afford(SEARCH_SETS, self.stream.fixed_bytes() + bytes)
    }

    /// The states of a set, those in another one with their transitions.
    fn of_set(
        &self,
        set: &Set,
        inner: &Set,
        numbers: bool,
        observer: &dyn Observer,
    ) -> Result<Vec<Kept>, Unanswered> {
        self.fits(set.len())?;
        let standing = self.standing(observer)?;
        let seen = self.seen(set, u64::MAX, numbers, observer)?;
        let kept = seen.into_iter().map(|seen| Kept {
            verdict: self.verdict(standing, &seen.position),
            is_inner: self.stream.has(inner, &seen.position),
            depth: seen.depth,
            number: seen.number,
            position: seen.position,
        });
        Ok(kept.collect())
    }

    fn boundary(&self, numbers: bool, observer: &dyn Observer) -> Result<Vec<Kept>, Unanswered> {
        let (stream, Standing { live, lost }) = (&self.stream, self.standing(observer)?);
        let mut points = stream.image(Direction::Backward, lost)?;
        stream.and(&mut points, live);
        let mut all = stream.image(Direction::Forward, &points)?;
        stream.and(&mut all, lost);
        stream.or(&mut all, &points);
        self.of_set(&all, &points, numbers, observer)
    }

    fn only_moves(&self, numbers: bool, observer: &dyn Observer) -> Result<Vec<Kept>, Unanswered> {
        let (stream, Standing { live, .. }) = (&self.stream, self.standing(observer)?);
        let mut single = stream.once_into(live)?;
        stream.and(&mut single, live);
        self.goals.drop_from(stream, &mut single)?;
        let mut all = stream.image(Direction::Forward, &single)?;
        stream.or(&mut all, &single);
        self.of_set(&all, &single, numbers, observer)
    }

    /// The depth of every state.
    fn depths(
        &self,
        observer: &dyn Observer,
        mut each: impl FnMut(usize, &Set),
    ) -> Result<Distances<'_>, Unanswered> {
        let stream = &self.stream;
        let deepest = self.layers.len() - 1;
        let planes = u64::from(Distances::planes(stream, deepest));
        self.afford(SEARCH_SETS + planes, stream.fixed_bytes())?;
        let from = (Direction::Forward, stream.starts()?);
        let mut total = 0;
        Distances::new(stream, from, deepest, |depth, layer| {
            let states = self.layers[depth];
            total += states;
            each(depth, layer);
            tell(observer, Stage::Search, depth, states, total)
        })
    }

    /// The least predecessor in board order in the layer above.
    fn parent(&self, depths: &Distances<'_>, of: &Position, depth: u32) -> Option<Position> {
        let above = depth.checked_sub(1)? as usize;
        let before = self.play.predecessors(of).into_iter();
        before
            .filter(|position| self.stream.spot(position).is_some())
            .find(|position| depths.is(position, above))
    }

    fn dead_ends_with_ways(
        &self,
        most: u64,
        numbers: bool,
        observer: &dyn Observer,
    ) -> Result<Vec<Kept>, Unanswered> {
        let standing = self.standing(observer)?;
        let ends = self.dead_ends(&standing.lost)?;
        self.fits(ends.len().min(most))?;
        let seen = self.seen(&ends, most, numbers, observer)?;
        let depths = self.depths(observer, |_, _| {})?;
        let mut gathered = Gathered::new(self, standing, depths);
        for end in seen {
            gathered.add(end.position.clone(), end.depth, true);
            if let Some(state) = gathered.states.get_mut(&end.position) {
                state.number = end.number;
            }
            gathered.way(end.position, end.depth)?;
        }
        Ok(gathered.states.into_values().collect())
    }

    fn around(
        &self,
        position: &Position,
        branches: usize,
        observer: &dyn Observer,
    ) -> Result<Option<Vec<Kept>>, Unanswered> {
        let (stream, standing) = (&self.stream, self.standing(observer)?);
        let is_live = stream.has(&standing.live, position);
        if !is_live && !stream.has(&standing.lost, position) {
            return Ok(None);
        }
        let mut depth = None;
        let depths = self.depths(observer, |at, layer| {
            if stream.has(layer, position) {
                depth = Some(at as u32);
            }
        })?;
        let depth = depth.expect("a reached state lies in a layer");
        let mut gathered = Gathered::new(self, standing, depths);
        gathered.add(position.clone(), depth, true);
        gathered.expand(position, depth);
        if !is_live {
            gathered.way(position.clone(), depth)?;
            gathered.tree(position, depth, branches);
        }
        Ok(Some(gathered.states.into_values().collect()))
    }

    /// Fills in the remoteness of the live states of an excerpt.
    fn add_remoteness(
        &self,
        table: &mut ExcerptTable,
        observer: &dyn Observer,
    ) -> Result<(), Unanswered> {
        let (stream, standing) = (&self.stream, self.standing(observer)?);
        let ids: Vec<u32> = (0..table.state_count())
            .filter(|&id| table.verdict(id) == Verdict::Live)
            .collect();
        let mut asked = stream.none()?;
        for chunk in ids.chunks(CHUNK) {
            let positions = chunk.iter().map(|&id| {
                let mut position = Position::new();
                table.position(id, &mut position);
                position
            });
            stream.or(
                &mut asked,
                &stream.of_positions(&positions.collect::<Vec<_>>())?,
            );
        }
        let mut left = ids.len() as u64;
        if left == 0 {
            return Ok(());
        }
        let goals = self.goals.within(stream, &standing.live)?;
        let from = (Direction::Backward, goals, Some(&standing.live));
        self.search(from, observer, |remoteness, layer| {
            let here = self.both(layer, &asked)?;
            left -= here.len();
            stream.each(&here, |position| {
                if let Some(id) = table.find(&position.to_vec()) {
                    table.set_remoteness(id, remoteness as u32);
                }
            });
            Ok(left > 0)
        })
    }
}

/// States that are gathered one by one.
struct Gathered<'a> {
    asked: &'a Asked,
    standing: &'a Standing,
    depths: Distances<'a>,
    states: HashMap<Position, Kept>,
}

impl<'a> Gathered<'a> {
    fn new(asked: &'a Asked, standing: &'a Standing, depths: Distances<'a>) -> Self {
        Self {
            asked,
            standing,
            depths,
            states: HashMap::new(),
        }
    }

    /// Adds a state, or makes it an inner one.
    fn add(&mut self, position: Position, depth: u32, is_inner: bool) {
        let (asked, standing) = (self.asked, self.standing);
        self.states
            .entry(position)
            .and_modify(|state| state.is_inner |= is_inner)
            .or_insert_with_key(|position| Kept {
                position: position.clone(),
                depth,
                number: None,
                verdict: asked.verdict(standing, position),
                is_inner,
            });
    }

    /// Adds the successors of a state; gives them in the order of their numbers.
    fn expand(&mut self, position: &Position, depth: u32) -> Vec<(u32, Position)> {
        self.add(position.clone(), depth, true);
        let mut found = Vec::new();
        for (next, _) in self.asked.play.successors(position) {
            let beside = self.depths.beside(&next, depth as usize);
            let below = beside.expect("a successor of a reached state is reached") as u32;
            self.add(next.clone(), below, false);
            found.push((below, next));
        }
        found.sort_unstable();
        found
    }

    /// Adds the way to a state, and the successors of the state where it was lost.
    fn way(&mut self, mut position: Position, mut depth: u32) -> Result<(), Unanswered> {
        while let Some(parent) = self.asked.parent(&self.depths, &position, depth) {
            let known = self.states.get(&parent).is_some_and(|state| state.is_inner);
            depth -= 1;
            let has = |set: &Set, position: &Position| self.asked.stream.has(set, position);
            if has(&self.standing.live, &parent) && has(&self.standing.lost, &position) {
                self.expand(&parent, depth);
            }
            self.add(parent.clone(), depth, true);
            if known {
                break;
            }
            self.asked.fits(self.states.len() as u64)?;
            position = parent;
        }
        Ok(())
    }

    /// Adds what a tree of play from a lost state comes to.
    fn tree(&mut self, root: &Position, depth: u32, most: usize) {
        let mut open = self.expand(root, depth);
        open.reverse();
        let mut shown: Vec<Position> = Vec::new();
        while let Some((depth, position)) = open.pop() {
            if shown.len() == most {
                break;
            }
            let is_repeat = position == *root || shown.contains(&position);
            if !is_repeat {
                let next = self.expand(&position, depth);
                open.extend(next.into_iter().rev());
            }
            shown.push(position);
        }
    }
}

impl Inquire for Asked {
    fn by_move(&self, observer: &dyn Observer) -> Result<Vec<MoveTally>, Unanswered> {
        let stream = &self.stream;
        let standing = self.standing(observer)?;
        let effects = stream.effects(&self.rules);
        let effects = effects.expect("the stream was built of these rules");
        let counts = stream.by_rule(&effects, &standing.live, &standing.lost);
        let losing = counts.iter().filter(|(_, counts)| counts.into > 0);
        let losing: Vec<u32> = losing.map(|(&rule, _)| rule).collect();
        let blamed = match self.blamed(&effects, losing, observer) {
            Ok(blamed) => Some(blamed),
            Err(Unanswered::Memory { .. }) => None,
            Err(error) => return Err(error),
        };
        let tallies = counts.into_iter().map(|(rule, counts)| {
            let blamed = blamed.as_ref().map(|blamed| blamed.get(&rule));
            let blamed = blamed.map(|known| known.copied().unwrap_or_default());
            MoveTally {
                by: Move(rule),
                rule: self.play.rule_name(Move(rule)),
                name: self.play.move_name(Move(rule)),
                counts: MoveCounts {
                    blocking: counts.into,
                    from_live: counts.from,
                    doomed: blamed.map(|[doomed, _]| doomed),
                    dead_ends: blamed.map(|[_, dead_ends]| dead_ends),
                },
            }
        });
        Ok(tallies.collect())
    }

    fn excerpt(
        &self,
        of: &Excerpt,
        known: Known,
        observer: &dyn Observer,
    ) -> Result<Option<Box<dyn Table>>, Unanswered> {
        let states = match of {
            Excerpt::Boundary => self.boundary(known.numbers, observer)?,
            Excerpt::OnlyMoves => self.only_moves(known.numbers, observer)?,
            Excerpt::Lost => {
                let lost = &self.standing(observer)?.lost;
                self.of_set(lost, lost, known.numbers, observer)?
            }
            Excerpt::DeadEnds(most) => self.dead_ends_with_ways(*most, known.numbers, observer)?,
            Excerpt::Around { position, branches } => {
                match self.around(position, *branches, observer)? {
                    Some(states) => states,
                    None => return Ok(None),
                }
            }
        };
        let mut table = ExcerptTable::new(self.play.clone(), self.cells, states);
        if known.remoteness {
            self.add_remoteness(&mut table, observer)?;
        }
        Ok(Some(Box::new(table)))
    }

    fn rests(&self, observer: &dyn Observer) -> Result<Rests, Unanswered> {
        self.afford(SEARCH_SETS, self.stream.fixed_bytes())?;
        let lost = &self.standing(observer)?.lost;
        let mut layer = 0;
        let mut broken = Ok(());
        let rests = self.stream.rests(lost, |done| {
            broken = tell(observer, Stage::Tally, layer, done.len(), 0);
            layer += 1;
            broken.is_ok()
        })?;
        broken.map(|()| rests)
    }

    fn rest(
        &self,
        position: &Position,
        observer: &dyn Observer,
    ) -> Result<Option<Rest>, Unanswered> {
        let (stream, standing) = (&self.stream, self.standing(observer)?);
        if !stream.has(&standing.lost, position) {
            return Ok(None);
        }
        if self.play.successors(position).is_empty() {
            return Ok(Some(Rest::Moves(0)));
        }
        if stream.is_undirected() {
            return Ok(Some(Rest::Endless));
        }
        self.afford(SEARCH_SETS, stream.fixed_bytes())?;
        let mut reached = stream.none()?;
        let from = stream.of_positions(std::slice::from_ref(position))?;
        self.search((Direction::Forward, from, None), observer, |_, layer| {
            stream.or(&mut reached, layer);
            Ok(true)
        })?;
        let mut moves = 0;
        let mut rest = None;
        stream.rests(&reached, |done| {
            if stream.has(done, position) {
                rest = Some(Rest::Moves(moves));
            }
            moves += 1;
            rest.is_none()
        })?;
        Ok(Some(rest.unwrap_or(Rest::Endless)))
    }
}
