//! Keeping the layers of a search by packed states: each layer is a part, written once.

use std::io::{self, Read};

use crate::expand::State;
use crate::keep::{Keeper, Pace, Standing, read_number, write_number};
use crate::space::LayerCounts;

/// Layers with more states in all are written at once; fewer wait until it is time.
const PENDING: usize = 1 << 18;

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

/// Where a search by packed states is kept.
#[derive(Debug)]
pub struct Kept<'a, S> {
    keeper: &'a dyn Keeper,
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
    /// The first layer that is kept.
    first: usize,
}

/// Which layers it takes to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// All.
    All,
    /// The next one and so many before it.
    Last(usize),
}

/// The engine's name in kept searches.
pub const ENGINE: &str = "hash";

/// What was kept of a search: layers from some depth on, the next one last.
pub(crate) struct Begun<S> {
    pub(crate) counts: Vec<LayerCounts>,
    /// By depth, from the first that is needed.
    pub(crate) layers: Vec<(usize, Vec<S>)>,
    pub(crate) next: Vec<S>,
}

impl<'a, S: State> Kept<'a, S> {
    /// Keeps a search there. `shape` must tell everything that gives layers their meaning; with
    /// `anew`, what was kept is overwritten.
    #[must_use]
    pub fn new(keeper: &'a dyn Keeper, coding: Coding<S>, shape: String, anew: bool) -> Self {
        Self {
            keeper,
            coding,
            shape,
            anew,
            pace: Pace::default(),
            pending: Vec::new(),
            needs: Needs::All,
            first: 0,
        }
    }

    /// What was kept, if anything was.
    pub(crate) fn begin(&mut self, needs: Needs) -> io::Result<Option<Begun<S>>> {
        self.needs = needs;
        if self.anew {
            return Ok(None);
        }
        let Some(standing) = Standing::kept(self.keeper)? else {
            return Ok(None);
        };
        let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
        if standing.engine != ENGINE || standing.shape != self.shape {
            return Err(wrong(
                "the kept search is of another engine or another space",
            ));
        }
        let depth = standing.counts.len();
        self.first = self.first_needed(depth);
        let mut layers = Vec::new();
        for earlier in self.first..depth {
            let layer = self.read(earlier)?;
            if layer.len() as u64 != standing.counts[earlier].states {
                return Err(wrong(
                    "a part of the kept search is not the one that belongs to it",
                ));
            }
            layers.push((earlier, layer));
        }
        let next = if standing.next_states == 0 {
            Vec::new()
        } else {
            self.read(depth)?
        };
        if next.len() as u64 != standing.next_states {
            return Err(wrong(
                "a part of the kept search is not the one that belongs to it",
            ));
        }
        Ok(Some(Begun {
            counts: standing.counts,
            layers,
            next,
        }))
    }

    fn first_needed(&self, depth: usize) -> usize {
        match self.needs {
            Needs::All => 0,
            Needs::Last(count) => depth.saturating_sub(count),
        }
    }

    fn read(&self, depth: usize) -> io::Result<Vec<S>> {
        let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
        let part = self.keeper.read(&format!("layer-{depth}"))?;
        let mut part = part.ok_or_else(|| wrong("a part of the kept search is missing"))?;
        let count = read_number(&mut *part)?;
        let mut bytes = vec![0; self.coding.bytes];
        let mut layer = Vec::new();
        for _ in 0..count {
            part.read_exact(&mut bytes)?;
            layer.push((self.coding.decode)(&bytes));
        }
        if !layer.is_sorted() {
            return Err(wrong("a part of the kept search is out of order"));
        }
        Ok(layer)
    }

    fn write(&self, depth: usize, layer: &[S]) -> io::Result<()> {
        self.keeper.write(&format!("layer-{depth}"), &mut |out| {
            write_number(out, layer.len() as u64)?;
            let mut bytes = Vec::with_capacity(1 << 16);
            for chunk in layer.chunks(1 << 12) {
                bytes.clear();
                for &state in chunk {
                    (self.coding.encode)(state, &mut bytes);
                }
                out.write_all(&bytes)?;
            }
            Ok(())
        })
    }

    /// A layer that has been found whole; the starts are the first.
    pub(crate) fn found(&mut self, depth: usize, layer: &[S]) {
        self.pending.push((depth, layer.to_vec()));
    }

    /// The layers below `counts.len()` are whole, and so is the next one: writes what is not written
    /// yet, if it is time or `now`.
    pub(crate) fn stands(
        &mut self,
        counts: &[LayerCounts],
        next_states: u64,
        now: bool,
    ) -> io::Result<()> {
        let first = self.first_needed(counts.len());
        self.pending.retain(|(depth, _)| *depth >= first);
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
            self.write(depth, &layer)?;
        }
        let standing = Standing {
            engine: ENGINE.to_owned(),
            shape: self.shape.clone(),
            counts: counts.to_vec(),
            next_states,
            graded: false,
        };
        standing.keep(self.keeper)?;
        let first = self.first_needed(counts.len());
        for old in self.first..first {
            self.keeper.forget(&format!("layer-{old}"))?;
        }
        self.first = self.first.max(first);
        Ok(())
    }
}
