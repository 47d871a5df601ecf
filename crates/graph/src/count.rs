//! Numbers that walks are counted in.

/// A number that only grows; it may have a limit.
pub trait Count: Clone + Send + Sync {
    /// 0.
    fn zero() -> Self;
    /// 1.
    fn one() -> Self;
    /// Adds; `false` if the sum does not fit.
    fn add(&mut self, other: &Self) -> bool;
}

macro_rules! count_in {
    ($number:ty) => {
        impl Count for $number {
            fn zero() -> Self {
                0
            }
            fn one() -> Self {
                1
            }
            fn add(&mut self, other: &Self) -> bool {
                let sum = self.checked_add(*other);
                *self = sum.unwrap_or(0);
                sum.is_some()
            }
        }
    };
}

count_in!(u64);
count_in!(u128);

/// Nothing is counted.
impl Count for () {
    fn zero() -> Self {}
    fn one() -> Self {}
    fn add(&mut self, (): &Self) -> bool {
        true
    }
}
