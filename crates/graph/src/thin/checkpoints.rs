//! Some layers of a search, from which the others can be made again.

use impasse_model::word::Word;

use super::packed::Packed;

/// Layers at depths that are multiples of a power of two: the densest that an allowance of bytes
/// bears.
#[derive(Clone, Debug)]
pub struct Checkpoints<W> {
    kept: Vec<Packed<W>>,
    every: usize,
    /// Layers offered so far.
    depths: usize,
    bytes: usize,
    /// The most bytes of one layer.
    widest: usize,
    allowance: usize,
}

impl<W: Word> Checkpoints<W> {
    /// No layer yet, and about how many bytes they may take together.
    #[must_use]
    pub fn new(allowance: u64) -> Self {
        Self {
            kept: Vec::new(),
            every: 1,
            depths: 0,
            bytes: 0,
            widest: 0,
            allowance: usize::try_from(allowance).unwrap_or(usize::MAX),
        }
    }

    /// Goes on with layers at multiples of a number: later ones are multiples of it too.
    ///
    /// # Panics
    /// If a layer was taken before.
    #[must_use]
    pub fn at_every(self, every: usize) -> Self {
        assert!(self.kept.is_empty(), "no layer was taken yet");
        Self { every, ..self }
    }

    /// Takes the sorted layer of the next depth up, or passes it over.
    pub fn offer(&mut self, layer: &[W]) {
        self.offer_at(self.depths, layer);
    }

    /// Takes the sorted layer of a depth, or passes it over. Depths rise; those between two that are
    /// offered are passed over, and must be no multiples of [`Checkpoints::every`].
    pub fn offer_at(&mut self, depth: usize, layer: &[W]) {
        self.depths = depth + 1;
        if !depth.is_multiple_of(self.every) {
            return;
        }
        let packed = Packed::new(layer);
        self.bytes += packed.size();
        self.widest = self.widest.max(packed.size());
        self.kept.push(packed);
        // Fewer checkpoints mean more layers between two of them, which are made again together.
        while self.bytes > self.allowance && 4 * self.every * self.widest <= self.bytes {
            let mut place = 0;
            self.kept.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.every *= 2;
            self.bytes = self.kept.iter().map(Packed::size).sum();
        }
    }

    /// Bytes taken, and the most that the layers between two of them will take with them.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.bytes + (self.every - 1) * self.widest) as u64
    }

    /// Kept are the depths that are multiples of this.
    #[must_use]
    pub fn every(&self) -> usize {
        self.every
    }

    /// Whether no layer was offered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.depths == 0
    }

    /// All depths are below this one; the last ones may not have been offered.
    pub fn end_at(&mut self, depths: usize) {
        self.depths = depths;
    }

    /// Layers offered.
    pub(super) fn depths(&self) -> usize {
        self.depths
    }

    /// The checkpoints from the deepest on: the depths from each to the next, and its states.
    pub(super) fn backwards(&self) -> impl Iterator<Item = (std::ops::Range<usize>, Vec<W>)> {
        self.kept.iter().enumerate().rev().map(|(i, packed)| {
            let first = i * self.every;
            let end = (first + self.every).min(self.depths);
            (first..end, packed.unpack())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Checkpoints;

    #[test]
    fn going_on_with_some_layers() {
        let layer = |depth: usize| [depth as u64 + 1, depth as u64 + 1000];
        for (allowance, every) in [(1000, 4), (30, 8), (1, 8)] {
            let mut whole = Checkpoints::<u64>::new(allowance);
            let mut later = Checkpoints::<u64>::new(allowance).at_every(4);
            for depth in 0..100 {
                whole.offer(&layer(depth));
                if depth % 4 == 0 || depth > 70 {
                    later.offer_at(depth, &layer(depth));
                }
            }
            later.end_at(100);
            assert_eq!(later.every(), every, "{allowance}");
            let firsts: Vec<_> = later.backwards().collect();
            for (range, states) in &firsts {
                assert_eq!(states[..], layer(range.start));
            }
            let depths: usize = firsts.iter().map(|(range, _)| range.len()).sum();
            assert_eq!(depths, 100);
            assert!(whole.every() <= later.every());
        }
    }

    #[test]
    fn a_small_allowance_keeps_few_layers() {
        let check = |allowance, depths: usize, every: usize| {
            let mut checkpoints = Checkpoints::<u64>::new(allowance);
            for depth in 0..depths as u64 {
                checkpoints.offer(&[depth + 1, depth + 1000]);
            }
            let found: Vec<(std::ops::Range<usize>, Vec<u64>)> = checkpoints.backwards().collect();
            let firsts: Vec<usize> = found.iter().map(|(range, _)| range.start).collect();
            let multiples = (0..depths).step_by(every).rev();
            assert_eq!(firsts, multiples.collect::<Vec<_>>());
            let mut end = depths;
            for (range, layer) in found {
                assert_eq!(range.end, end);
                end = range.start;
                assert_eq!(layer, [range.start as u64 + 1, range.start as u64 + 1000]);
            }
        };
        // A layer takes five bytes.
        check(1000, 10, 1);
        check(30, 10, 2);
        check(30, 100, 8);
        check(1, 100, 8);
    }
}
