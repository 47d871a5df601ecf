//! The streaming engine: sets of states as bit vectors over ranks, images by block copies.
//!
//! Where moves keep the pieces, a state is an arrangement of a multiset, and its rank a number. A
//! placed rule maps the states it fits to the states it makes, and *keeps their order*: two states
//! that fit agree where the rule reads and changes, so the first place at which they differ decides
//! their order before and after alike. So the image of a set is made by copying bits in order, in
//! long blocks where the rule ends early in the row, by masks inside words where it does not; no
//! state is unpacked, hashed or looked up.
//!
//! In reading order: `rewrite` (placed rules as asks of places), `lead` (few pieces of a kind, taken
//! out of the row and put first), `layout` (where the bit of a state lies), `program` and `leaf` (how bits go from block to block), `schedule` (which blocks go into
//! which), `fold` and `ranks` (one lead of each orbit under symmetry), `kernel` (the inner loops), `sets`,
//! `search`.

mod bits;
mod fold;
mod kernel;
mod layout;
mod lead;
mod leaf;
mod program;
mod ranks;
mod rewrite;
mod schedule;
mod search;
mod sets;
mod tally;
#[cfg(test)]
mod tests;

use std::ops::Range;

use impasse_model::board::Cell;
use impasse_model::goal::CellTests;
use impasse_model::placed::{CutRule, PlacedRule};
use impasse_model::symmetry::Symmetry;

pub use kernel::Form;
pub use layout::Cut;
pub use rewrite::NotStreamed;
pub use search::{Counted, Direction, Search};
pub use sets::{NoMemory, Set, Spot};
pub use tally::{Blame, Effects, Rests, RuleCounts};

use fold::{Fold, Orbits};
use hashbrown::HashMap;
use layout::Layout;
use lead::{Leads, Row};
use rewrite::{Ask, MOST_REWRITES, Order, Rewrite, near_order, rewrites};
use schedule::{Blocks, Schedule};

/// Words a thread takes at a time.
const RUN_WORDS: u64 = 1 << 15;
/// Rewrites are tried with so many leads in all.
const MOST_PARTED: usize = 5_000_000;
/// Below so many states a word, empty leaves are skipped.
const SPARSE: f64 = 2.0;
/// The same where a symbol leads.
const LED_SPARSE: f64 = 0.5;

/// What a stream is made of.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The placed rules.
    pub rules: &'a [PlacedRule],
    /// Whether the rules are closed under taking back.
    pub undirected: bool,
    /// Cells of the board.
    pub cells: usize,
    /// Symbols of the alphabet.
    pub symbols: usize,
    /// Positions to begin from; they fix the pieces.
    pub starts: &'a [Vec<u64>],
    /// Whether the cells lie in a row, and are best read as they lie.
    pub row: bool,
    /// Symmetries of the rules that take starts to starts: all of a group, or none. Where a symbol
    /// leads, one lead of each orbit is kept; then the stream can search, and nothing else.
    pub symmetries: &'a [Symmetry],
}

/// Settings that change speed and memory, never results.
#[derive(Clone, Debug, Default)]
pub struct Knobs {
    /// How the ranks are cut.
    pub cut: Cut,
    /// The form of the inner loops; the faster one if not given.
    pub form: Option<Form>,
    /// The order of the cells.
    pub cells: Option<Vec<Cell>>,
    /// The order of the symbols that occur.
    pub symbols: Option<Vec<u8>>,
    /// States a word below which empty leaves are skipped.
    pub sparse_below: Option<f64>,
    /// Words a thread takes at a time.
    pub run_words: Option<u64>,
    /// Whether the places of the pieces of one symbol lead the ranks, where they can; where that
    /// pays if not given.
    pub lead: Option<bool>,
}

/// A lead, and the first place a rewrite changes and what it held.
type FirstChange = (u32, Option<(u8, u8)>);

/// A space of arrangements, and how moves act on sets of them.
#[derive(Debug)]
pub struct Stream {
    layout: Layout,
    arrangements: u64,
    order: Order,
    leads: Leads,
    blocks: Blocks,
    forward: Schedule,
    /// `None`: as forward.
    backward: Option<Schedule>,
    rewrites: Vec<Rewrite>,
    /// The rewrites from each lead, by the first place they change and what it held.
    by_change: HashMap<FirstChange, Vec<u32>>,
    form: Form,
    sparse_below: f64,
    /// `Some`: up to symmetry.
    fold: Option<Fold>,
    /// Runs of blocks, one a piece of work.
    runs: Vec<Range<usize>>,
    /// The run of each block, up to symmetry.
    run_of: Vec<u32>,
    starts: Vec<Row>,
}

/// What is known of a stream before its programs are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Arrangements.
    pub arrangements: u64,
    /// Bytes of one set.
    pub set_bytes: u64,
    /// Bytes that a step of a search up to symmetry takes beside sets.
    pub step_bytes: u64,
}

/// What ranks and rewrites are in.
#[derive(Debug)]
struct Ground {
    order: Order,
    leads: Leads,
    orbits: Option<Orbits>,
    layout: Layout,
    rewrites: Vec<Rewrite>,
}

impl Ground {
    /// All arrangements, those too that others stand for.
    fn arrangements(&self) -> u64 {
        self.layout.states() / self.layout.leads().len() as u64 * self.leads.count() as u64
    }

    /// Bytes of what symmetries bring in a step.
    fn step_bytes(&self) -> u64 {
        self.orbits.as_ref().map_or(0, |orbits| {
            let receiving = orbits.receiving(&self.rewrites) as u64;
            let (words, blocks) = (self.layout.total_words(), self.layout.blocks() as u64);
            8 * words * receiving / self.layout.leads().len() as u64 + 16 * blocks
        })
    }
}

/// Orders cells and symbols, writes the rules out, and lays out the arrangements of the multisets
/// of the starts.
fn prepare(task: &Task<'_>, knobs: &Knobs) -> Result<Ground, NotStreamed> {
    if task.cells == 0 || task.cells > 250 || task.starts.is_empty() {
        return Err(NotStreamed::NoRanks);
    }
    if !task.rules.iter().all(PlacedRule::conserves) {
        return Err(NotStreamed::NotConserving);
    }
    let mut multisets: Vec<Vec<u32>> = Vec::new();
    for start in task.starts {
        let mut counts = vec![0_u32; task.symbols];
        for &content in start {
            *counts
                .get_mut(content as usize)
                .ok_or(NotStreamed::NoRanks)? += 1;
        }
        if start.len() != task.cells {
            return Err(NotStreamed::NoRanks);
        }
        multisets.push(counts);
    }
    multisets.sort_unstable();
    multisets.dedup();
    let occurring = (0..task.symbols as u8)
        .filter(|&s| multisets.iter().any(|counts| counts[usize::from(s)] > 0))
        .collect();
    let symbols = knobs.symbols.clone().unwrap_or(occurring);
    let cells = knobs.cells.clone().unwrap_or_else(|| {
        if task.row {
            (0..task.cells as Cell).collect()
        } else {
            near_order(task.cells, task.rules)
        }
    });
    let multisets: Vec<Vec<u32>> = multisets
        .iter()
        .map(|counts| symbols.iter().map(|&s| counts[usize::from(s)]).collect())
        .collect();
    // Refuses what is too large before anything is written out.
    let layout = Layout::new(&multisets, vec![0], &knobs.cut)?;
    let order = Order::new(cells, symbols, task.symbols);
    let rewrites = rewrites(task.rules, &order)?;
    let plain = Ground {
        order,
        leads: Leads::none(),
        orbits: None,
        layout,
        rewrites,
    };
    Ok(lead(task, &plain, &multisets, knobs).unwrap_or(plain))
}

/// Lets the symbol lead whose pieces can stand in the fewest ways, if that can be done and pays.
fn lead(task: &Task<'_>, plain: &Ground, multisets: &[Vec<u32>], knobs: &Knobs) -> Option<Ground> {
    if knobs.lead == Some(false) {
        return None;
    }
    let places = plain.order.cells.len();
    let pieces = |s: usize| {
        let count = multisets[0][s];
        let equal = multisets.iter().all(|counts| counts[s] == count);
        (equal && count > 0 && (count as usize) < places).then_some(count as usize)
    };
    let leads = (0..plain.order.symbols.len())
        .filter_map(|s| Leads::new(s as u8, pieces(s)?, places))
        .min_by_key(Leads::count)?;
    let symbol = leads.symbol()?;
    let moves_it = |rewrite: &&Rewrite| {
        let mut asks = rewrite.asks.iter();
        asks.any(|&(_, ask)| matches!(ask, Ask::Change(before, _) if before == symbol))
    };
    let moving = plain.rewrites.iter().filter(moves_it).count();
    // With several pieces the blocks that moves take bits from lie far apart, and nothing is won.
    let pays = leads.count() <= places && 2 * moving >= plain.rewrites.len();
    if !(pays || knobs.lead == Some(true)) || plain.rewrites.len() * leads.count() > MOST_PARTED {
        return None;
    }
    let rest: Vec<Vec<u32>> = multisets
        .iter()
        .map(|counts| {
            let mut rest = counts.clone();
            rest[usize::from(symbol)] = 0;
            rest
        })
        .collect();
    let cut = knobs.cut.led();
    let all: Vec<u32> = (0..leads.count() as u32).collect();
    let layout = Layout::new(&rest, all, &cut).ok()?;
    let orbits = Orbits::new(task.symmetries, &leads, &plain.order);
    let orbits = orbits.filter(|_| Fold::fits(&layout));
    let layout = match &orbits {
        Some(orbits) => Layout::new(&rest, orbits.kept(), &cut).ok()?,
        None => layout,
    };
    let rewrites = leads.parted(&plain.rewrites, plain.order.all(), MOST_REWRITES)?;
    Some(Ground {
        order: plain.order.clone(),
        leads,
        orbits,
        layout,
        rewrites,
    })
}

/// A stream whose programs are not built yet: its ranks are laid out and its rules written out.
#[derive(Debug)]
pub struct Prepared<'a> {
    ground: Ground,
    task: Task<'a>,
    knobs: Knobs,
}

impl<'a> Prepared<'a> {
    /// Lays out ranks and writes rules out.
    ///
    /// # Errors
    /// [`NotStreamed`] where a move does not keep the pieces, or tables would be too large.
    pub fn new(task: &Task<'a>, knobs: &Knobs) -> Result<Self, NotStreamed> {
        Ok(Self {
            ground: prepare(task, knobs)?,
            task: *task,
            knobs: knobs.clone(),
        })
    }

    /// What the stream will take.
    #[must_use]
    pub fn size(&self) -> Size {
        let layout = &self.ground.layout;
        Size {
            arrangements: self.ground.arrangements(),
            set_bytes: 8 * layout.total_words() + 4 * layout.blocks() as u64,
            step_bytes: self.ground.step_bytes(),
        }
    }

    /// Builds the programs of all rules.
    #[must_use]
    pub fn build(self) -> Stream {
        let Self {
            ground,
            task,
            knobs,
        } = self;
        let arrangements = ground.arrangements();
        let Ground {
            order,
            leads,
            orbits,
            layout,
            rewrites,
        } = ground;
        let blocks = Blocks::new(&layout);
        let forward = Schedule::new(&layout, &blocks, &rewrites);
        let backward = (!task.undirected).then(|| {
            let inverses: Vec<Rewrite> = rewrites.iter().map(Rewrite::inverse).collect();
            Schedule::new(&layout, &blocks, &inverses)
        });
        let mut by_change: HashMap<_, Vec<u32>> = HashMap::new();
        for (number, rewrite) in (0..).zip(&rewrites) {
            let first = rewrite.change().first();
            by_change
                .entry((rewrite.from, first))
                .or_default()
                .push(number);
        }
        let sparse = leads.symbol().map_or(SPARSE, |_| LED_SPARSE);
        let runs = runs(&blocks, knobs.run_words.unwrap_or(RUN_WORDS));
        let fold = orbits.map(|orbits| Fold::new(&orbits, &leads, &layout, &blocks, &rewrites));
        let mut run_of = Vec::new();
        if fold.is_some() {
            for (number, run) in (0..).zip(&runs) {
                run_of.resize(run.end, number);
            }
        }
        let mut stream = Stream {
            fold,
            runs,
            run_of,
            arrangements,
            sparse_below: knobs.sparse_below.unwrap_or(sparse),
            layout,
            order,
            leads,
            blocks,
            forward,
            backward,
            rewrites,
            by_change,
            form: knobs.form.unwrap_or_else(Form::best),
            starts: Vec::new(),
        };
        stream.starts = task
            .starts
            .iter()
            .map(|start| stream.row_of(start).expect("the starts fix the pieces"))
            .collect();
        stream
    }
}

impl Stream {
    /// Prepares a stream and builds its programs.
    ///
    /// # Errors
    /// As [`Prepared::new`].
    pub fn new(task: &Task<'_>, knobs: &Knobs) -> Result<Self, NotStreamed> {
        Prepared::new(task, knobs).map(Prepared::build)
    }

    /// Whether every transition has its inverse.
    #[must_use]
    pub fn is_undirected(&self) -> bool {
        self.backward.is_none()
    }

    /// Number of arrangements.
    #[must_use]
    pub fn arrangements(&self) -> u64 {
        self.arrangements
    }

    /// Bytes of one set.
    #[must_use]
    pub fn set_bytes(&self) -> u64 {
        8 * self.blocks.words() as u64 + 4 * self.blocks.count() as u64
    }

    /// Bytes of schedules and programs.
    #[must_use]
    pub fn fixed_bytes(&self) -> u64 {
        let backward = self.backward.as_ref().map_or(0, Schedule::bytes);
        let fold = self.fold.as_ref().map_or(0, Fold::bytes);
        (self.forward.bytes() + backward + fold) as u64 + 12 * self.blocks.count() as u64
    }

    /// Whether it is up to symmetry: it can be searched then, and nothing else.
    #[must_use]
    pub fn is_folded(&self) -> bool {
        self.fold.is_some()
    }

    /// The form of the inner loops.
    #[must_use]
    pub fn form(&self) -> Form {
        self.form
    }

    /// The symbols by place of a position (contents by cell); `None` if it holds other symbols.
    fn row_of(&self, position: &[u64]) -> Option<Row> {
        if position.len() != self.order.cells.len() {
            return None;
        }
        let cells = self.order.cells.iter();
        let whole: Option<Vec<u8>> = cells
            .map(|&cell| {
                let symbol = usize::try_from(position[cell as usize]).ok()?;
                let number = *self.order.numbers.get(symbol)?;
                (number != u8::MAX).then_some(number)
            })
            .collect();
        self.leads.part(&whole?)
    }

    /// The set of some positions (contents by cell); those that hold other pieces are left out.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn of_positions(&self, positions: &[Vec<u64>]) -> Result<Set, NoMemory> {
        let rows: Vec<Row> = positions.iter().filter_map(|p| self.row_of(p)).collect();
        self.of_rows(&rows)
    }

    /// The starts.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn starts(&self) -> Result<Set, NoMemory> {
        self.of_rows(&self.starts)
    }

    /// Whether a position (contents by cell) has a successor.
    #[must_use]
    pub fn can_move(&self, position: &[u64]) -> bool {
        self.row_of(position)
            .is_some_and(|row| self.rows_after(&row).next().is_some())
    }

    /// The successors of a position (contents by cell), each once, ascending by spot. For single
    /// positions: sets are what this engine is fast at.
    #[must_use]
    pub fn successors(&self, position: &[u64]) -> Vec<Spot> {
        let Some(row) = self.row_of(position) else {
            return Vec::new();
        };
        let rows = self.rows_after(&row);
        let mut spots: Vec<Spot> = rows
            .filter_map(|next| self.layout.locate(&next))
            .map(|(block, bit)| sets::Spot::of(self.blocks.start[block as usize], bit))
            .collect();
        spots.sort_unstable();
        spots.dedup();
        spots
    }

    /// What the rewrites make of a row.
    fn rows_after<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = Row> + 'a {
        let held = (0_u8..).zip(row.rest.iter().copied());
        held.map(Some)
            .chain([None])
            .filter_map(|first| self.by_change.get(&(row.lead, first)))
            .flatten()
            .filter_map(|&rewrite| self.rewrites[rewrite as usize].applied(row))
    }

    /// All arrangements that fit one of some lists of tests (cell, what may stand there).
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn fitting(&self, lists: &[CellTests]) -> Result<Set, NoMemory> {
        self.fitting_tests(lists.iter().map(|guard| (guard.clone(), Vec::new())))
    }

    /// All arrangements from which one of some moves is cut off.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn cut_off(&self, cuts: &[CutRule]) -> Result<Set, NoMemory> {
        self.fitting_tests(cuts.iter().map(|c| (c.guard.clone(), c.forbid.clone())))
    }

    fn fitting_tests(
        &self,
        tests: impl Iterator<Item = (CellTests, Vec<CellTests>)>,
    ) -> Result<Set, NoMemory> {
        let rules: Vec<PlacedRule> = tests
            .map(|(guard, forbid)| PlacedRule {
                rule: 0,
                delta: Vec::new(),
                moved: Vec::new(),
                guard,
                forbid,
                path: Vec::new(),
            })
            .collect();
        let tests = rewrites(&rules, &self.order).expect("tests change nothing");
        let tests = self.leads.parted(&tests, self.order.all(), usize::MAX);
        let tests = tests.expect("tests shift nothing");
        let schedule = Schedule::new(&self.layout, &self.blocks, &tests);
        let all = self.all()?;
        self.image_by(&schedule, &all)
    }
}

/// Cuts the blocks into runs of about equal size.
fn runs(blocks: &Blocks, words: u64) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut first = 0;
    for block in 0..blocks.count() {
        if blocks.start[block + 1] - blocks.start[first] >= words {
            runs.push(first..block + 1);
            first = block + 1;
        }
    }
    if first < blocks.count() {
        runs.push(first..blocks.count());
    }
    runs
}

impl Stream {
    /// Number of programs and leaf programs, both ways.
    #[must_use]
    pub fn program_count(&self) -> usize {
        let count = |schedule: &Schedule| schedule.programs.len() + schedule.leaves.len();
        count(&self.forward) + self.backward.as_ref().map_or(0, count)
    }

    /// Sizes of everything, in words for people.
    #[must_use]
    pub fn describe(&self) -> String {
        let padding = 64.0 * self.blocks.words() as f64 / self.layout.states().max(1) as f64;
        let steps: usize = self.forward.leaves.iter().map(|l| l.steps.len()).sum();
        format!(
            "{} arrangements, {} leads, {} blocks of {} free places, padding {padding:.2}; {} rewrites, {} ways between blocks, {} programs, {} leaf programs with {steps} steps, {} bytes",
            self.layout.states(),
            self.layout.leads().len(),
            self.blocks.count(),
            self.layout.free,
            self.rewrites.len(),
            self.forward.way_count(),
            self.forward.programs.len(),
            self.forward.leaves.len(),
            self.fixed_bytes(),
        )
    }
}
