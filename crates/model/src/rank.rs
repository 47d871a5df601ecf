//! Ranks of arrangements: where moves conserve pieces, a state is a number.

/// All arrangements of a multiset of symbols on a row of cells, in lexicographic order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    counts: Vec<u32>,
    total: u128,
}

impl Ranking {
    /// Arrangements of so many of each symbol; `None` if there are more than fit 128 bits.
    #[must_use]
    pub fn new(counts: &[u32]) -> Option<Self> {
        Some(Self {
            counts: counts.to_vec(),
            total: multinomial(counts)?,
        })
    }

    /// Of the symbols of one arrangement; symbols are below `symbols`.
    #[must_use]
    pub fn of(arrangement: &[u64], symbols: usize) -> Option<Self> {
        let mut counts = vec![0; symbols];
        for &symbol in arrangement {
            *counts.get_mut(usize::try_from(symbol).ok()?)? += 1;
        }
        Self::new(&counts)
    }

    /// How many arrangements there are; ranks are below.
    #[must_use]
    pub fn total(&self) -> u128 {
        self.total
    }

    /// The rank of an arrangement; `None` if it is none of these.
    #[must_use]
    pub fn rank(&self, arrangement: &[u64]) -> Option<u128> {
        let mut left = self.counts.clone();
        let mut cells = left.iter().map(|&c| u128::from(c)).sum::<u128>();
        if arrangement.len() as u128 != cells {
            return None;
        }
        // `here` is the number of arrangements of what is left; those that begin with a symbol are
        // the share of that symbol.
        let mut here = self.total;
        let mut rank = 0;
        for &symbol in arrangement {
            let symbol = usize::try_from(symbol).ok().filter(|&s| s < left.len())?;
            for &count in &left[..symbol] {
                rank += share(here, count, cells);
            }
            if left[symbol] == 0 {
                return None;
            }
            here = share(here, left[symbol], cells);
            left[symbol] -= 1;
            cells -= 1;
        }
        Some(rank)
    }

    /// The arrangement of a rank; `None` if the rank is too large.
    #[must_use]
    pub fn unrank(&self, mut rank: u128) -> Option<Vec<u64>> {
        if rank >= self.total {
            return None;
        }
        let mut left = self.counts.clone();
        let mut cells = left.iter().map(|&c| u128::from(c)).sum::<u128>();
        let mut here = self.total;
        let mut out = Vec::new();
        while cells > 0 {
            for (symbol, count) in (0..).zip(&mut left) {
                let begin = share(here, *count, cells);
                if rank < begin {
                    out.push(symbol);
                    here = begin;
                    *count -= 1;
                    break;
                }
                rank -= begin;
            }
            cells -= 1;
        }
        Some(out)
    }
}

/// `here * count / cells`, which is whole, without overflow where the result fits.
fn share(here: u128, count: u32, cells: u128) -> u128 {
    let common = num_integer::gcd(here, cells);
    here / common * u128::from(count) / (cells / common)
}

/// The number of arrangements; `None` beyond 128 bits.
fn multinomial(counts: &[u32]) -> Option<u128> {
    let mut total = 1_u128;
    let mut cells = 0_u128;
    for &count in counts {
        for k in 1..=u128::from(count) {
            cells += 1;
            let common = num_integer::gcd(total, k);
            let (total_part, k_part) = (total / common, k / common);
            total = total_part.checked_mul(cells / num_integer::gcd(cells, k_part))?
                / (k_part / num_integer::gcd(cells, k_part));
        }
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::Ranking;

    fn check(counts: &[u32], total: u128) {
        let ranking = Ranking::new(counts).expect("it fits");
        assert_eq!(ranking.total(), total);
        let mut last: Option<Vec<u64>> = None;
        for rank in 0..total.min(5000) {
            let arrangement = ranking.unrank(rank).expect("below the total");
            assert_eq!(ranking.rank(&arrangement), Some(rank));
            assert!(
                last.is_none_or(|l| l < arrangement),
                "the order is lexicographic"
            );
            last = Some(arrangement);
        }
        assert_eq!(ranking.unrank(total), None);
    }

    #[test]
    fn every_rank_and_back() {
        check(&[], 1);
        check(&[3], 1);
        check(&[1, 3, 3], 140);
        check(&[0, 2, 0, 2], 6);
        check(&[1, 1, 1, 1, 1, 1], 720);
        check(&[1, 12, 12], 67_603_900);
        check(&[15, 5, 5], 823_727_520);
    }

    #[test]
    fn what_is_no_arrangement() {
        let ranking = Ranking::new(&[1, 2]).expect("it fits");
        for wrong in [
            &[0, 1][..],
            &[0, 0, 1],
            &[0, 1, 2],
            &[1, 1, 1],
            &[0, 1, 1, 1],
        ] {
            assert_eq!(ranking.rank(wrong), None, "{wrong:?}");
        }
        assert_eq!(ranking.rank(&[1, 0, 1]), Some(1));
        assert!(Ranking::new(&[1000, 1000]).is_none());
    }
}
