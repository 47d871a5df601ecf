//! How much memory a run may still take.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::observe::Observer;

/// Most bytes of a wave of candidates where memory is plentiful.
const MOST_WAVE: u64 = 128 << 20;
/// Least bytes of a wave: below, threads would wait for each other.
const LEAST_WAVE: u64 = 1 << 18;

/// Bytes that a process comes to use besides: code that was not run yet, stacks, what the allocator
/// keeps for itself.
const SLACK: u64 = 3 << 20;

/// A budget of resident memory. What is resident is asked of the observer; one that cannot tell
/// leaves the engine to count what it holds.
pub(crate) struct Room<'a> {
    budget: Option<u64>,
    observer: &'a dyn Observer,
    /// Bytes taken since the observer was asked.
    taken: AtomicU64,
}

impl<'a> Room<'a> {
    pub(crate) fn new(budget: Option<u64>, observer: &'a dyn Observer) -> Self {
        Self {
            budget,
            observer,
            taken: AtomicU64::new(LEAST_WAVE),
        }
    }

    /// Whether `now` bytes, and later `more`, fit beside those `held`. A few bytes are not worth a
    /// question: thin layers come by the thousands.
    pub(crate) fn fits(&self, held: u64, now: u64, more: u64) -> bool {
        let Some(budget) = self.budget else {
            return true;
        };
        let taken = self.taken.load(Ordering::Relaxed) + now;
        if taken < LEAST_WAVE {
            self.taken.store(taken, Ordering::Relaxed);
            return true;
        }
        self.taken.store(0, Ordering::Relaxed);
        let more = now.saturating_add(more);
        let used = self
            .observer
            .resident_bytes()
            .map_or(held, |bytes| bytes.max(held) + SLACK);
        let with = used.saturating_add(more);
        if with > budget {
            self.observer.refused(with);
        }
        with <= budget
    }

    /// How many bytes of candidates are worth gathering at a time, beside so many bytes held: few
    /// against what is held, and against the budget.
    pub(crate) fn wave(&self, held: u64) -> u64 {
        let most = self.budget.map_or(MOST_WAVE, |b| (b / 32).min(MOST_WAVE));
        (held / 4).max(1 << 23).min(most.max(LEAST_WAVE))
    }
}
