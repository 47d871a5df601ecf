//! The pieces of one symbol, taken out of the row and put before it.
//!
//! Where few pieces of a symbol (the one empty cell of many puzzles) take part in every move, the
//! row without them hardly changes: a piece that slides into the empty cell leaves the others in
//! their order. So the places of these pieces come first, as one number, and then the row of all
//! others; most moves become copies of whole blocks.

use std::collections::BTreeSet;

use hashbrown::HashMap;

use super::rewrite::{Ask, Rewrite};

/// More sets of places are not told apart.
const MOST_LEADS: u64 = 2000;
/// A move whose other pieces shift is written out for so many contents of theirs.
const MOST_FILLINGS: usize = 4;

/// Where the leading pieces may stand.
#[derive(Debug)]
pub(crate) struct Leads {
    /// The engine's number of their symbol; `None`: nothing leads, and there is one empty set.
    symbol: Option<u8>,
    /// Sets of places of the whole row, each ascending, in lexicographic order.
    sets: Vec<Vec<u8>>,
    /// Places of the whole row.
    row: usize,
    numbers: HashMap<Vec<u8>, u32>,
}

/// A row: the number of the places of the leading pieces, and the other symbols by place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) lead: u32,
    pub(crate) rest: Vec<u8>,
}

impl Leads {
    /// Nothing leads.
    pub(crate) fn none() -> Self {
        Self {
            symbol: None,
            row: 0,
            sets: vec![Vec::new()],
            numbers: std::iter::once((Vec::new(), 0)).collect(),
        }
    }

    /// For some pieces of a symbol on a row; `None` if they can stand in too many ways.
    pub(crate) fn new(symbol: u8, pieces: usize, places: usize) -> Option<Self> {
        let ways = (0..pieces as u64).try_fold(1_u64, |ways, i| {
            let ways = ways * (places as u64 - i) / (i + 1);
            (ways <= MOST_LEADS).then_some(ways)
        });
        ways?;
        let mut sets = vec![Vec::new()];
        for _ in 0..pieces {
            sets = sets
                .into_iter()
                .flat_map(|set: Vec<u8>| {
                    let next = set.last().map_or(0, |&last| last + 1);
                    (next..places as u8).map(move |place| {
                        let mut longer = set.clone();
                        longer.push(place);
                        longer
                    })
                })
                .collect();
        }
        let numbers = sets.iter().cloned().zip(0..).collect();
        Some(Self {
            symbol: Some(symbol),
            row: places,
            sets,
            numbers,
        })
    }

    /// The engine's number of the leading symbol.
    pub(crate) fn symbol(&self) -> Option<u8> {
        self.symbol
    }

    /// In how many ways they can stand.
    pub(crate) fn count(&self) -> usize {
        self.sets.len()
    }

    /// The places of a number.
    pub(crate) fn places(&self, lead: u32) -> &[u8] {
        &self.sets[lead as usize]
    }

    /// The number of some places, ascending.
    pub(crate) fn number(&self, places: &[u8]) -> Option<u32> {
        self.numbers.get(places).copied()
    }

    /// A whole row, parted; `None` if the leading pieces are more or fewer.
    pub(crate) fn part(&self, row: &[u8]) -> Option<Row> {
        let leading = |symbol: u8| Some(symbol) == self.symbol;
        let places: Vec<u8> = (0..)
            .zip(row)
            .filter_map(|(place, &symbol)| leading(symbol).then_some(place))
            .collect();
        let lead = self.number(&places)?;
        let rest = row.iter().copied().filter(|&s| !leading(s)).collect();
        Some(Row { lead, rest })
    }

    /// The whole row.
    pub(crate) fn join(&self, row: &Row) -> Vec<u8> {
        let Some(symbol) = self.symbol else {
            return row.rest.clone();
        };
        let mut whole = row.rest.clone();
        for &place in self.places(row.lead) {
            whole.insert(usize::from(place), symbol);
        }
        whole
    }

    /// The place in the row of the others of a place in the whole row; `None` for a place of the
    /// leading pieces.
    pub(crate) fn rest_place(&self, lead: u32, place: u8) -> Option<u8> {
        let set = self.places(lead);
        let before = set.partition_point(|&p| p < place);
        (set.get(before) != Some(&place)).then(|| place - before as u8)
    }

    /// Rewrites of whole rows, as rewrites of parted rows; `None` if too many would come of them.
    pub(crate) fn parted(
        &self,
        rewrites: &[Rewrite],
        all: u64,
        most: usize,
    ) -> Option<Vec<Rewrite>> {
        let Some(symbol) = self.symbol else {
            return Some(rewrites.to_vec());
        };
        let mut parted = BTreeSet::new();
        for rewrite in rewrites {
            for lead in 0..self.count() as u32 {
                let parting = Parting {
                    leads: self,
                    symbol,
                    lead,
                    others: all & !(1 << symbol),
                };
                if !parting.part(rewrite, &mut parted) || parted.len() > most {
                    return None;
                }
            }
        }
        Some(parted.into_iter().collect())
    }
}

/// One way for the leading pieces to stand.
struct Parting<'a> {
    leads: &'a Leads,
    symbol: u8,
    lead: u32,
    /// All other symbols.
    others: u64,
}

impl Parting<'_> {
    /// Adds what a rewrite does where the leading pieces stand so; `false` if too many contents
    /// would have to be told apart.
    fn part(&self, rewrite: &Rewrite, out: &mut BTreeSet<Rewrite>) -> bool {
        let places = self.leads.row;
        let before = self.leads.places(self.lead);
        let mut after = before.to_vec();
        let mut whole: Vec<Option<Ask>> = vec![None; places];
        for &(place, ask) in &rewrite.asks {
            let leads = before.binary_search(&place).is_ok();
            let fits = match ask {
                Ask::Keep(set) if leads => set >> self.symbol & 1 == 1,
                Ask::Keep(set) => set & self.others != 0,
                Ask::Change(from, _) => leads == (from == self.symbol),
            };
            if !fits {
                return true;
            }
            if let Ask::Change(from, to) = ask {
                if from == self.symbol {
                    after.retain(|&p| p != place);
                } else if to == self.symbol {
                    after.push(place);
                }
            }
            whole[usize::from(place)] = Some(ask);
        }
        after.sort_unstable();
        let to = self.leads.number(&after).expect("moves keep the pieces");

        // What each place of the others holds before and after, where that is known.
        let count = places - before.len();
        let mut known: Vec<[Content; 2]> = vec![[Content::Place(0); 2]; count];
        let mut fillings: Vec<(u8, u64)> = Vec::new();
        for place in 0..places as u8 {
            let here = [self.lead, to].map(|lead| self.leads.rest_place(lead, place));
            let contents = match whole[usize::from(place)] {
                Some(Ask::Change(from, to)) => [Content::Symbol(from), Content::Symbol(to)],
                other => {
                    if here[0] != here[1] {
                        let set = match other {
                            Some(Ask::Keep(set)) => set & self.others,
                            _ => self.others,
                        };
                        fillings.push((place, set));
                    }
                    [Content::Place(place); 2]
                }
            };
            for (side, content) in contents.into_iter().enumerate() {
                if let Some(at) = here[side] {
                    known[usize::from(at)][side] = content;
                }
            }
        }
        let ways = fillings.iter().try_fold(1_usize, |ways, &(_, set)| {
            let ways = ways * set.count_ones() as usize;
            (ways <= MOST_FILLINGS).then_some(ways)
        });
        let Some(ways) = ways else {
            return false;
        };
        for way in 0..ways {
            let mut left = way;
            let mut filled = vec![None; places];
            for &(place, set) in &fillings {
                let size = set.count_ones() as usize;
                filled[usize::from(place)] = nth(set, left % size);
                left /= size;
            }
            let symbol = |content: Content| match content {
                Content::Symbol(symbol) => Some(symbol),
                Content::Place(place) => filled[usize::from(place)],
            };
            let mut asks = Vec::new();
            for (at, &[before, after]) in (0_u8..).zip(&known) {
                let ask = match (symbol(before), symbol(after), before) {
                    (Some(before), Some(after), _) if before != after => Ask::Change(before, after),
                    (Some(both), Some(_), _) => Ask::Keep(1 << both),
                    (None, None, Content::Place(place)) => match whole[usize::from(place)] {
                        Some(Ask::Keep(set)) => Ask::Keep(set & self.others),
                        _ => continue,
                    },
                    _ => unreachable!("a place that is not known holds the same before and after"),
                };
                if ask != Ask::Keep(self.others) {
                    asks.push((at, ask));
                }
            }
            out.insert(Rewrite {
                from: self.lead,
                to,
                asks,
            });
        }
        true
    }
}

/// What a place of the others holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Symbol(u8),
    /// What stands at this place of the whole row.
    Place(u8),
}

/// The symbol of a set with so many before it.
fn nth(set: u64, index: usize) -> Option<u8> {
    (0..64).filter(|s| set >> s & 1 == 1).nth(index)
}
