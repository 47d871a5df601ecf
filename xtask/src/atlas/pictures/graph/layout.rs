//! Where the states of a layered graph stand: few crossings, short lines, no overlap.
//!
//! # Source
//! K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical system
//! structures", IEEE Trans. Systems, Man, and Cybernetics 11 (1981): order by barycentres. Heights:
//! the nearest heights to the barycentres that keep the distance, by pooling adjacent violators.

/// So often the order is improved; the best one found is kept.
const SWEEPS: usize = 24;
/// So often the heights are drawn towards their neighbours.
const PULLS: usize = 40;

/// Where a state stands.
pub(super) struct Spot {
    /// Its depth.
    pub(super) column: usize,
    /// Its upper edge; the least of all is 0.
    pub(super) y: f64,
}

/// A graph in layers.
pub(super) struct Layers {
    /// The states of each layer, from top to bottom.
    orders: Vec<Vec<usize>>,
    /// For each state the neighbours one layer before and one behind.
    beside: [Vec<Vec<usize>>; 2],
    depths: Vec<usize>,
}

impl Layers {
    /// Orders each layer so that few lines cross.
    pub(super) fn of(depths: &[usize], links: &[(usize, usize)]) -> Self {
        let count = depths.iter().max().map_or(0, |deepest| deepest + 1);
        let mut layers = vec![Vec::new(); count];
        for (state, &depth) in depths.iter().enumerate() {
            layers[depth].push(state);
        }
        let mut beside = [
            vec![Vec::new(); depths.len()],
            vec![Vec::new(); depths.len()],
        ];
        for &(from, to) in links {
            let (from, to) = if depths[from] <= depths[to] {
                (from, to)
            } else {
                (to, from)
            };
            if depths[to] == depths[from] + 1 {
                beside[0][to].push(from);
                beside[1][from].push(to);
            }
        }
        let mut graph = Self {
            orders: layers,
            beside,
            depths: depths.to_vec(),
        };
        graph.order();
        graph
    }

    /// The number of layers.
    pub(super) fn count(&self) -> usize {
        self.orders.len()
    }

    fn order(&mut self) {
        let mut best = (self.crossings(), self.orders.clone());
        for sweep in 0..SWEEPS {
            let side = sweep % 2;
            let count = self.orders.len();
            let order: Vec<usize> = if side == 0 {
                (0..count).collect()
            } else {
                (0..count).rev().collect()
            };
            for layer in order {
                self.order_layer(layer, side);
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.orders.clone());
            }
        }
        self.orders = best.1;
    }

    /// Sorts a layer by the mean place of the neighbours on one side; who has none stays.
    fn order_layer(&mut self, layer: usize, side: usize) {
        let places = self.places();
        let key = |(place, state): (usize, &usize)| {
            let next = &self.beside[side][*state];
            if next.is_empty() {
                place as f64
            } else {
                next.iter().map(|&other| places[other] as f64).sum::<f64>() / next.len() as f64
            }
        };
        let mut keyed: Vec<(f64, usize)> = self.orders[layer]
            .iter()
            .enumerate()
            .map(|it| (key(it), *it.1))
            .collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.orders[layer] = keyed.into_iter().map(|(_, state)| state).collect();
    }

    /// The place of each state in its layer.
    fn places(&self) -> Vec<usize> {
        let mut places = vec![0; self.depths.len()];
        for layer in &self.orders {
            for (place, &state) in layer.iter().enumerate() {
                places[state] = place;
            }
        }
        places
    }

    fn crossings(&self) -> usize {
        let places = self.places();
        let mut crossings = 0;
        for layer in &self.orders {
            let lines: Vec<(usize, usize)> = layer
                .iter()
                .flat_map(|&from| self.beside[1][from].iter().map(move |&to| (from, to)))
                .map(|(from, to)| (places[from], places[to]))
                .collect();
            for (i, a) in lines.iter().enumerate() {
                let crosses =
                    |b: &&(usize, usize)| (a.0 < b.0 && a.1 > b.1) || (a.0 > b.0 && a.1 < b.1);
                crossings += lines[i + 1..].iter().filter(crosses).count();
            }
        }
        crossings
    }

    /// Where each state stands; two of one layer are at least `distance` apart.
    pub(super) fn spots(&self, distance: f64) -> Vec<Spot> {
        let mut heights = vec![0.0; self.depths.len()];
        for layer in &self.orders {
            for (place, &state) in layer.iter().enumerate() {
                heights[state] = (place as f64 - (layer.len() as f64 - 1.0) / 2.0) * distance;
            }
        }
        for pull in 0..PULLS {
            let side = pull % 2;
            let count = self.orders.len();
            for i in 0..count {
                let layer = if side == 0 { i } else { count - 1 - i };
                self.pull(layer, distance, &mut heights);
            }
        }
        let top = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let spot = |(&column, y): (&usize, f64)| Spot { column, y: y - top };
        self.depths.iter().zip(heights).map(spot).collect()
    }

    /// Moves a layer as near as may be to the mean height of its neighbours on both sides.
    fn pull(&self, layer: usize, distance: f64, heights: &mut [f64]) {
        let layer = &self.orders[layer];
        let wanted: Vec<f64> = layer
            .iter()
            .map(|&state| {
                let next = self.beside.iter().flat_map(|side| &side[state]);
                let (sum, count) = next.fold((0.0, 0.0), |(sum, count), &other| {
                    (sum + heights[other], count + 1.0)
                });
                if count > 0.0 {
                    sum / count
                } else {
                    heights[state]
                }
            })
            .collect();
        for (&state, height) in layer.iter().zip(apart(&wanted, distance)) {
            heights[state] = height;
        }
    }
}

/// The heights nearest to those wanted, in the sense of least squares, with each at least
/// `distance` below the one before it.
fn apart(wanted: &[f64], distance: f64) -> Vec<f64> {
    // Blocks of heights that touch: the sum of what they want for their first, and their number.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (i, height) in wanted.iter().enumerate() {
        blocks.push((height - i as f64 * distance, 1));
        while let [.., (above, n), (below, m)] = blocks[..] {
            if above / n as f64 <= below / m as f64 {
                break;
            }
            blocks.pop();
            let last = blocks.len() - 1;
            blocks[last] = (above + below, n + m);
        }
    }
    let firsts = blocks
        .iter()
        .flat_map(|&(sum, count)| std::iter::repeat_n(sum / count as f64, count));
    firsts
        .enumerate()
        .map(|(i, first)| first + i as f64 * distance)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_keep_their_distance() {
        let check = |wanted: &[f64], expected: &[f64]| assert_eq!(apart(wanted, 10.0), expected);
        check(&[0.0, 30.0], &[0.0, 30.0]);
        check(&[5.0, 5.0], &[0.0, 10.0]);
        check(&[20.0, 0.0, 40.0], &[5.0, 15.0, 40.0]);
        check(&[0.0, 0.0, 0.0], &[-10.0, 0.0, 10.0]);
        check(&[], &[]);
    }

    #[test]
    fn lines_do_not_cross_if_they_need_not() {
        // Two ways from 0 to 5 whose middles stand the wrong way round.
        let depths = [0, 1, 1, 2, 2, 3];
        let links = [(0, 1), (0, 2), (1, 4), (2, 3), (3, 5), (4, 5)];
        let layers = Layers::of(&depths, &links);
        assert_eq!(layers.crossings(), 0);
        let spots = layers.spots(10.0);
        assert!((spots[0].y - 5.0).abs() < 1e-6 && (spots[5].y - 5.0).abs() < 1e-6);
    }
}
