//! Searches up to symmetry: one lead of each orbit stands for all.
//!
//! The layers of a search are closed under the symmetries that keep the starts. So it is enough to
//! keep, of the leads that symmetries take to each other, one: what the others hold is known. A
//! transition that leaves the leads that are kept comes back by a symmetry; and what enters a lead
//! that some symmetries leave alone is completed by these. Both are done state by state, with
//! tables, and concern few states: those that cross the middle.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashMap;
use impasse_model::symmetry::Symmetry;

use super::layout::Layout;
use super::lead::Leads;
use super::ranks::{Base, Packing, Ranks, Turning};
use super::rewrite::{Order, Rewrite};
use super::schedule::{Blocks, Schedule};

/// More symmetries are not used.
const MOST_ELEMENTS: usize = 64;
/// Entries of all tables of ranks.
const MOST_ENTRIES: usize = 4_000_000;

/// A symmetry, in the engine's places and symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) places: Vec<u8>,
    pub(crate) symbols: Vec<u8>,
}

impl Element {
    /// `None` if the symmetry makes a symbol that occurs one that does not.
    fn new(symmetry: &Symmetry, order: &Order) -> Option<Self> {
        let places = order.cells.iter();
        let places = places.map(|&cell| order.places[symmetry.cells[cell as usize] as usize]);
        let symbols: Vec<u8> = order
            .symbols
            .iter()
            .map(|&symbol| order.numbers[usize::from(symmetry.symbols[usize::from(symbol)])])
            .collect();
        (!symbols.contains(&u8::MAX)).then(|| Self {
            places: places.collect(),
            symbols,
        })
    }

    /// Where a lead goes.
    pub(crate) fn lead(&self, leads: &Leads, lead: u32) -> u32 {
        let places = leads.places(lead).iter();
        let mut image: Vec<u8> = places.map(|&p| self.places[usize::from(p)]).collect();
        image.sort_unstable();
        leads.number(&image).expect("as many places")
    }

    fn is_identity(&self) -> bool {
        let same = |list: &[u8]| (0..).zip(list).all(|(i, &j)| i == j);
        same(&self.places) && same(&self.symbols)
    }

    /// First `other`, then this.
    fn after(&self, other: &Self) -> Self {
        let through = |list: &[u8], by: &[u8]| list.iter().map(|&i| by[usize::from(i)]).collect();
        Self {
            places: through(&other.places, &self.places),
            symbols: through(&other.symbols, &self.symbols),
        }
    }
}

/// Which leads stand for which.
#[derive(Debug)]
pub(crate) struct Orbits {
    elements: Vec<Element>,
    /// For each lead and element, where it goes.
    images: Vec<Vec<u32>>,
    /// For each lead, the least one of its orbit, which is kept.
    least: Vec<u32>,
}

impl Orbits {
    /// The orbits of leads under the symmetries that keep the leading symbol; `None` if each is
    /// alone.
    pub(crate) fn new(symmetries: &[Symmetry], leads: &Leads, order: &Order) -> Option<Self> {
        let symbol = leads.symbol()?;
        let elements: Vec<Element> = symmetries
            .iter()
            .map(|symmetry| Element::new(symmetry, order))
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .filter(|element| element.symbols[usize::from(symbol)] == symbol)
            .collect();
        if elements.len() > MOST_ELEMENTS {
            return None;
        }
        let images: Vec<Vec<u32>> = (0..leads.count() as u32)
            .map(|lead| elements.iter().map(|e| e.lead(leads, lead)).collect())
            .collect();
        let least: Vec<u32> = images
            .iter()
            .map(|images| images.iter().copied().min())
            .collect::<Option<_>>()?;
        let folds = least.iter().zip(0..).any(|(&least, lead)| least != lead);
        folds.then_some(Self {
            elements,
            images,
            least,
        })
    }

    /// The leads that are kept, ascending.
    pub(crate) fn kept(&self) -> Vec<u32> {
        let all = 0..self.least.len() as u32;
        all.filter(|&lead| self.is_kept(lead)).collect()
    }

    fn is_kept(&self, lead: u32) -> bool {
        self.least[lead as usize] == lead
    }

    /// The elements that leave a lead alone.
    fn stabilizer(&self, lead: u32) -> impl Iterator<Item = usize> + '_ {
        let images = self.images[lead as usize].iter().enumerate();
        images.filter_map(move |(e, &image)| (image == lead).then_some(e))
    }

    /// How many leads one stands for.
    fn weight(&self, lead: u32) -> u64 {
        (self.elements.len() / self.stabilizer(lead).count()) as u64
    }

    /// How many ordered pairs of leads one stands for.
    fn pair_weight(&self, from: u32, to: u32) -> u64 {
        let both = self.stabilizer(from);
        let both = both.filter(|&e| self.images[to as usize][e] == to).count();
        (self.elements.len() / both) as u64
    }

    /// Whether what goes from a kept lead to another must be brought back: not if a symmetry that
    /// leaves the first alone takes the second to a kept one, or to one before it.
    fn crosses(&self, from: u32, to: u32) -> bool {
        self.stabilizer(from).all(|e| {
            let image = self.images[to as usize][e];
            !self.is_kept(image) && image >= to
        })
    }

    /// To how many kept leads symmetries bring something: those that some leave alone, and those
    /// where what leaves the kept leads comes back.
    pub(crate) fn receiving(&self, rewrites: &[Rewrite]) -> usize {
        let identities = self.elements.iter().filter(|e| e.is_identity()).count();
        let returning: BTreeSet<u32> = rewrites
            .iter()
            .filter(|rewrite| self.leaves(rewrite))
            .map(|rewrite| self.least[rewrite.to as usize])
            .collect();
        let receives =
            |lead: &u32| self.stabilizer(*lead).count() > identities || returning.contains(lead);
        self.kept().iter().filter(|lead| receives(lead)).count()
    }

    /// Whether a rewrite leads out of the kept leads, and its rows must come back.
    fn leaves(&self, rewrite: &Rewrite) -> bool {
        let (from, to) = (rewrite.from, rewrite.to);
        self.is_kept(from) && !self.is_kept(to) && self.crosses(from, to)
    }

    /// An element that takes a lead to the kept one of its orbit.
    fn home(&self, lead: u32) -> usize {
        let images = self.images[lead as usize].iter();
        let home = images.zip(0..).find(|&(&image, _)| self.is_kept(image));
        home.expect("each orbit keeps one").1
    }
}

/// What leaves the kept leads, and comes back by one element.
#[derive(Debug)]
pub(crate) struct Crossing {
    /// Into the blocks of the leads where it comes back, but as the rows were before that.
    pub(crate) schedule: Schedule,
    /// For each kept lead, the ways back.
    turnings: Vec<Vec<Turning>>,
    /// For each pair of kept leads, how many pairs a transition stands for.
    weights: Vec<u64>,
}

impl Crossing {
    /// The ways back into a block.
    pub(crate) fn turnings(&self, block: usize) -> &[Turning] {
        &self.turnings[block % self.turnings.len()]
    }
}

/// All that a search up to symmetry needs.
#[derive(Debug)]
pub(crate) struct Fold {
    ranks: Ranks,
    /// How many leads each kept one stands for.
    weights: Vec<u64>,
    /// For each pair of kept leads, how many pairs a transition stands for.
    pair_weights: Vec<u64>,
    /// For each kept lead, the elements but the identity that leave it alone.
    completing: Vec<Vec<Turning>>,
    pub(crate) crossings: Vec<Crossing>,
}

impl Fold {
    /// Whether rows have one multiset, fit in a word, and tables of ranks are small.
    pub(crate) fn fits(layout: &Layout) -> bool {
        let mut roots = layout.roots();
        let (Some((root, _)), None) = (roots.next(), roots.next()) else {
            return false;
        };
        Packing::new(layout, root).is_some_and(|packing| {
            let tables = packing.steps().map(|(first, places)| {
                layout.classes_of(layout.places - first) << (places * packing.width)
            });
            tables.sum::<usize>() <= MOST_ENTRIES
        })
    }

    /// For a layout of the kept leads that [`Fold::fits`].
    pub(crate) fn new(
        orbits: &Orbits,
        leads: &Leads,
        layout: &Layout,
        blocks: &Blocks,
        rewrites: &[Rewrite],
    ) -> Self {
        let (root, _) = layout.roots().next().expect("one multiset");
        let packing = Packing::new(layout, root).expect("rows fit in a word");
        let ranks = Ranks::new(layout, blocks, &packing, root);
        let kept = layout.leads();
        let base = Base {
            packing: &packing,
            leads,
            layout,
            ranks: &ranks,
        };
        let turning = |element: &Element, lead| Turning::new(&base, element, lead);
        let completing = kept.iter().map(|&lead| {
            let elements = orbits.stabilizer(lead).map(|e| &orbits.elements[e]);
            let elements = elements.filter(|e| !e.is_identity());
            elements.map(|e| turning(e, lead)).collect()
        });
        let pairs = |weight: &dyn Fn(u32, u32) -> u64| -> Vec<u64> {
            let pairs = kept.iter().flat_map(|&p| kept.iter().map(move |&q| (p, q)));
            pairs.map(|(p, q)| weight(p, q)).collect()
        };

        let mut by_home: BTreeMap<usize, Vec<Rewrite>> = BTreeMap::new();
        for rewrite in rewrites {
            if orbits.leaves(rewrite) {
                let home = by_home.entry(orbits.home(rewrite.to)).or_default();
                home.push(Rewrite {
                    to: orbits.least[rewrite.to as usize],
                    ..rewrite.clone()
                });
            }
        }
        let crossings = by_home.into_iter().map(|(home, rewrites)| {
            let home = &orbits.elements[home];
            // Where the rows of each kept lead come back from.
            let abroad: HashMap<u32, u32> = (0..leads.count() as u32)
                .map(|lead| (home.lead(leads, lead), lead))
                .collect();
            let turnings = kept.iter().map(|lead| {
                if !rewrites.iter().any(|rewrite| rewrite.to == *lead) {
                    return Vec::new();
                }
                let elements = orbits
                    .stabilizer(*lead)
                    .map(|e| orbits.elements[e].after(home));
                elements.map(|e| turning(&e, abroad[lead])).collect()
            });
            Crossing {
                schedule: Schedule::new(layout, blocks, &rewrites),
                turnings: turnings.collect(),
                weights: pairs(&|from, to| orbits.pair_weight(from, abroad[&to])),
            }
        });
        let crossings = crossings.collect();
        let completing = completing.collect();
        Self {
            crossings,
            weights: kept.iter().map(|&lead| orbits.weight(lead)).collect(),
            pair_weights: pairs(&|from, to| orbits.pair_weight(from, to)),
            completing,
            ranks,
        }
    }

    /// How many leads a block's lead stands for.
    pub(crate) fn weight(&self, block: usize) -> u64 {
        self.weights[block % self.weights.len()]
    }

    /// How many pairs of leads stand behind a way between two blocks; `crossing` if it leaves the
    /// kept leads.
    pub(crate) fn pair_weight(&self, crossing: Option<&Crossing>, from: usize, to: usize) -> u64 {
        let kept = self.weights.len();
        let weights = crossing.map_or(&self.pair_weights, |crossing| &crossing.weights);
        weights[from % kept * kept + to % kept]
    }

    /// The symmetries that complete what enters a block.
    pub(crate) fn completing(&self, block: usize) -> &[Turning] {
        &self.completing[block % self.completing.len()]
    }

    /// Calls `visit` with the block and the bit to which each turning takes each row of a block.
    pub(crate) fn turn(
        &self,
        blocks: &Blocks,
        block: usize,
        words: &[u64],
        turnings: &[Turning],
        mut visit: impl FnMut(u32, u32),
    ) {
        let kept = self.weights.len();
        let from = (block / kept, blocks.class[block]);
        for turning in turnings {
            turning.each(&self.ranks, from, words, |beginning, bit| {
                visit(beginning * kept as u32 + turning.slot(), bit);
            });
        }
    }

    /// Bytes of tables and schedules, about.
    pub(crate) fn bytes(&self) -> usize {
        let turnings = self.completing.iter().flatten();
        let turnings = turnings.chain(
            self.crossings
                .iter()
                .flat_map(|c| c.turnings.iter().flatten()),
        );
        let schedules = self.crossings.iter().map(|c| c.schedule.bytes());
        self.ranks.bytes() + turnings.map(Turning::bytes).sum::<usize>() + schedules.sum::<usize>()
    }
}
