//! How far states are from where a search began, as labels of single states.

use impasse_graph::stream::{Direction, NoMemory, Search, Set, Stream};

/// How far states are from some set, up to some distance, in planes of bits.
///
/// A search labels states with their distance: modulo 3 where every transition has its inverse (a
/// neighbour is at most one nearer or farther), else exactly, in as many planes as it takes:
/// there, a predecessor may lie any number of layers deeper, so labels modulo 3 would not tell it
/// from one in the layer before.
#[derive(Debug)]
pub(crate) struct Distances<'a> {
    stream: &'a Stream,
    planes: Vec<Set>,
}

impl<'a> Distances<'a> {
    /// Planes that a space needs for distances up to `most`.
    pub(crate) fn planes(stream: &Stream, most: usize) -> u32 {
        if stream.is_undirected() {
            2
        } else {
            usize::BITS - (most + 1).leading_zeros()
        }
    }

    fn label(&self, distance: usize) -> usize {
        1 + if self.stream.is_undirected() {
            distance % 3
        } else {
            distance
        }
    }

    /// Searches from a set; `each` sees every layer.
    pub(crate) fn new<E: From<NoMemory>>(
        stream: &'a Stream,
        (direction, from): (Direction, Set),
        most: usize,
        mut each: impl FnMut(usize, &Set) -> Result<(), E>,
    ) -> Result<Self, E> {
        let planes = (0..Self::planes(stream, most)).map(|_| stream.none());
        let mut this = Self {
            stream,
            planes: planes.collect::<Result<_, _>>()?,
        };
        let mut search = Search::new(stream, direction, from, None)?;
        for distance in 0..=most {
            each(distance, search.layer())?;
            let label = this.label(distance);
            for (plane, set) in this.planes.iter_mut().enumerate() {
                if label >> plane & 1 == 1 {
                    stream.or(set, search.layer());
                }
            }
            search.step();
        }
        Ok(this)
    }

    fn label_of(&self, position: &[u64]) -> usize {
        let planes = self.planes.iter().enumerate();
        planes.fold(0, |label, (plane, set)| {
            label | usize::from(self.stream.has(set, position)) << plane
        })
    }

    /// Whether a state has a distance; where every transition has its inverse, of a state that is
    /// known to be about as far.
    pub(crate) fn is(&self, position: &[u64], distance: usize) -> bool {
        self.label_of(position) == self.label(distance)
    }

    /// The distance of a state next to one of a known distance.
    pub(crate) fn beside(&self, position: &[u64], known: usize) -> Option<usize> {
        if self.stream.is_undirected() {
            let near = [known.checked_sub(1), Some(known), Some(known + 1)];
            near.into_iter()
                .flatten()
                .find(|&distance| self.is(position, distance))
        } else {
            self.label_of(position).checked_sub(1)
        }
    }
}
