//! Keeping the layers of a search by packed states: each layer is a part, written once.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::io::{self, Read};

use crate::expand::State;
use crate::keep::{Keeper, Pace, Standing, read_number, write_number};
use crate::space::LayerCounts;

/// Layers with more states in all are written at once; fewer wait until it is time.
const PENDING: usize = 1 << 18;

/// The part that holds [`Besides::List`].
const LIST: &str = "list";

/// How states become bytes and back.
#[derive(Clone, Copy, Debug)]
pub struct Coding<S> {
    /// Bytes of each state.
    pub bytes: usize,
    /// Appends them.
    pub encode: fn(S, &mut Vec<u8>),
    /// Reads them.
    pub decode: fn(&[u8]) -> S,
}

/// What is kept of a search beside the layers that it takes to go on.
#[derive(Debug)]
pub enum Besides<'a, S> {
    /// Nothing.
    Nothing,
    /// The layers at depths that are multiples of a number, which may be doubled on the way.
    Every(&'a Cell<usize>),
    /// A list of states that grows at its end.
    List(&'a RefCell<Vec<S>>),
}

/// Where a search by packed states is kept.
#[derive(Debug)]
pub struct Kept<'a, S> {
    keeper: &'a dyn Keeper,
    engine: &'static str,
    coding: Coding<S>,
    /// What must be equal for kept layers to have the same meaning.
    shape: String,
    /// Begins anew, whatever was kept.
    anew: bool,
    pace: Pace,
    /// Layers that are not written yet.
    pending: Vec<(usize, Vec<S>)>,
    /// Which layers it takes to go on.
    needs: Needs,
    besides: Besides<'a, S>,
    /// The layers that may be there.
    written: BTreeSet<usize>,
    /// Why a layer could not be written at once.
    failure: Option<io::Error>,
}

/// Which layers it takes to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// All.
    All,
    /// The next one and so many before it.
    Last(usize),
}

/// The name, in kept searches, of the engine that keeps all states.
pub const ENGINE: &str = "hash";

/// What was kept of a search: layers from some depth on, the next one last.
pub(crate) struct Begun<S> {
    pub(crate) counts: Vec<LayerCounts>,
    /// By depth, from the first that is needed.
    pub(crate) layers: Vec<(usize, Vec<S>)>,
    pub(crate) next: Vec<S>,
}

impl<'a, S: State> Kept<'a, S> {
    /// Keeps a search of an engine there. `shape` must tell everything that gives layers their
    /// meaning; with `anew`, what was kept is overwritten.
    #[must_use]
    pub fn new(
        keeper: &'a dyn Keeper,
        engine: &'static str,
        coding: Coding<S>,
        shape: String,
        anew: bool,
    ) -> Self {
        Self {
            keeper,
            engine,
            coding,
            shape,
            anew,
            pace: Pace::default(),
            pending: Vec::new(),
            needs: Needs::All,
            besides: Besides::Nothing,
            written: BTreeSet::new(),
            failure: None,
        }
    }

    /// Keeps more than it takes to go on. What was kept is put there when the search begins.
    #[must_use]
    pub fn with(self, besides: Besides<'a, S>) -> Self {
        Self { besides, ..self }
    }

    /// What was kept, if anything was.
    pub(crate) fn begin(&mut self, needs: Needs) -> io::Result<Option<Begun<S>>> {
        self.needs = needs;
        let standing = Standing::kept(self.keeper);
        if self.anew {
            // Layers of the search that is overwritten go when this one first stands.
            if let Ok(Some(other)) = standing {
                self.written = (0..=other.counts.len()).collect();
            }
            return Ok(None);
        }
        let Some(standing) = standing? else {
            return Ok(None);
        };
        if standing.engine != self.engine || standing.shape != self.shape {
            return Err(wrong(
                "the kept search is of another engine or another space",
            ));
        }
        match self.besides {
            Besides::Nothing => {}
            Besides::Every(every) => every.set((standing.own as usize).max(1)),
            Besides::List(list) => *list.borrow_mut() = self.read_list(standing.own)?,
        }
        let depth = standing.counts.len();
        let mut layers = Vec::new();
        for earlier in (0..depth).filter(|&layer| self.leads_on(layer, depth)) {
            layers.push((
                earlier,
                self.read_layer(earlier, standing.counts[earlier].states)?,
            ));
        }
        let next = if standing.next_states == 0 {
            Vec::new()
        } else {
            self.read_layer(depth, standing.next_states)?
        };
        self.written = (0..=depth).collect();
        self.forget_others(depth)?;
        Ok(Some(Begun {
            counts: standing.counts,
            layers,
            next,
        }))
    }

    /// The layers that were kept besides, by depth, below that of a search that goes on.
    pub(crate) fn kept_besides(&self, counts: &[LayerCounts]) -> Vec<usize> {
        let depths = 0..counts.len();
        depths.filter(|&layer| self.is_besides(layer)).collect()
    }

    fn is_besides(&self, layer: usize) -> bool {
        matches!(self.besides, Besides::Every(every) if layer.is_multiple_of(every.get()))
    }

    /// Whether a search that stands at a depth needs a layer to go on.
    fn leads_on(&self, layer: usize, depth: usize) -> bool {
        match self.needs {
            Needs::All => true,
            Needs::Last(count) => layer + count >= depth,
        }
    }

    fn is_needed(&self, layer: usize, depth: usize) -> bool {
        self.leads_on(layer, depth) || self.is_besides(layer)
    }

    /// Reads a layer that has so many states.
    pub(crate) fn read_layer(&self, depth: usize, states: u64) -> io::Result<Vec<S>> {
        let layer = self.read(&format!("layer-{depth}"), states)?;
        if layer.len() as u64 != states {
            return Err(wrong(
                "a part of the kept search is not the one that belongs to it",
            ));
        }
        if !layer.is_sorted() {
            return Err(wrong("a part of the kept search is out of order"));
        }
        Ok(layer)
    }

    /// The list as it was when it had so many states: it may have grown before the search stood.
    fn read_list(&self, states: u64) -> io::Result<Vec<S>> {
        if states == 0 {
            return Ok(Vec::new());
        }
        let mut list = self.read(LIST, states)?;
        if (list.len() as u64) < states {
            return Err(wrong("a part of the kept search is too short"));
        }
        list.truncate(states as usize);
        Ok(list)
    }

    fn read(&self, part: &str, states: u64) -> io::Result<Vec<S>> {
        let part = self.keeper.read(part)?;
        let mut part = part.ok_or_else(|| wrong("a part of the kept search is missing"))?;
        let count = read_number(&mut *part)?;
        let mut bytes = vec![0; self.coding.bytes];
        let mut list = Vec::with_capacity(states.min(count) as usize);
        for _ in 0..count {
            part.read_exact(&mut bytes)?;
            list.push((self.coding.decode)(&bytes));
        }
        Ok(list)
    }

    fn write(&self, part: &str, states: &[S]) -> io::Result<()> {
        self.keeper.write(part, &mut |out| {
            write_number(out, states.len() as u64)?;
            let mut bytes = Vec::with_capacity(1 << 16);
            for chunk in states.chunks(1 << 12) {
                bytes.clear();
                for &state in chunk {
                    (self.coding.encode)(state, &mut bytes);
                }
                out.write_all(&bytes)?;
            }
            Ok(())
        })
    }

    fn write_layer(&mut self, depth: usize, layer: &[S]) -> io::Result<()> {
        self.written.insert(depth);
        self.write(&format!("layer-{depth}"), layer)
    }

    /// A layer that has been found whole; the starts are the first. Large ones are not copied to
    /// wait, but written.
    pub(crate) fn found(&mut self, depth: usize, layer: &[S]) {
        if layer.len() < PENDING {
            self.pending.push((depth, layer.to_vec()));
            return;
        }
        let written = self.write_layer(depth, layer);
        self.failure = self.failure.take().or(written.err());
        // What waits belongs to it.
        self.pace = Pace::default();
    }

    /// The layers below `counts.len()` are whole, and so is the next one: writes what is not written
    /// yet, if it is time or `now`.
    pub(crate) fn stands(
        &mut self,
        counts: &[LayerCounts],
        next_states: u64,
        now: bool,
    ) -> io::Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let mut pending = std::mem::take(&mut self.pending);
        pending.retain(|(depth, _)| self.is_needed(*depth, counts.len()));
        self.pending = pending;
        let waiting: usize = self.pending.iter().map(|(_, layer)| layer.len()).sum();
        if !now && waiting < PENDING && !self.pace.is_due() {
            return Ok(());
        }
        let mut pace = std::mem::take(&mut self.pace);
        let written = pace.measure(|| self.write_all(counts, next_states));
        self.pace = pace;
        written
    }

    fn write_all(&mut self, counts: &[LayerCounts], next_states: u64) -> io::Result<()> {
        for (depth, layer) in std::mem::take(&mut self.pending) {
            self.write_layer(depth, &layer)?;
        }
        let own = match self.besides {
            Besides::Nothing => 0,
            Besides::Every(every) => every.get() as u64,
            Besides::List(list) => {
                let list = list.borrow();
                self.write(LIST, &list)?;
                list.len() as u64
            }
        };
        let standing = Standing {
            engine: self.engine.to_owned(),
            shape: self.shape.clone(),
            counts: counts.to_vec(),
            next_states,
            graded: false,
            own,
        };
        standing.keep(self.keeper)?;
        self.forget_others(counts.len())
    }

    /// Forgets layers that a search that stands at a depth does not need.
    fn forget_others(&mut self, depth: usize) -> io::Result<()> {
        let layers = self.written.iter().copied();
        let others: Vec<usize> = layers
            .filter(|&layer| !self.is_needed(layer, depth))
            .collect();
        for layer in others {
            self.keeper.forget(&format!("layer-{layer}"))?;
            self.written.remove(&layer);
        }
        Ok(())
    }
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
