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

    /// Takes the sorted layer of the next depth up, or passes it over.
    pub fn offer(&mut self, layer: &[W]) {
        let depth = self.depths;
        self.depths += 1;
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
