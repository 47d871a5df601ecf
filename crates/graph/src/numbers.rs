//! A small number or none for each slot, in as few bytes as the greatest needs.

/// Numbers by slot. One, two or four bytes each: all of them widen when a number does not fit, and
/// the greatest value of a width stands for none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Numbers below 255.
    One(Vec<u8>),
    /// Numbers below 65,535.
    Two(Vec<u16>),
    /// Numbers below 4,294,967,295.
    Four(Vec<u32>),
}

impl Numbers {
    /// No number for any of so many slots.
    #[must_use]
    pub fn none(slots: u32) -> Self {
        Self::One(vec![u8::MAX; slots as usize])
    }

    /// One number for all of so many slots.
    pub(crate) fn repeated(number: u32, slots: usize) -> Self {
        if number < u32::from(u8::MAX) || slots == 0 {
            Self::One(vec![number as u8; slots])
        } else if number < u32::from(u16::MAX) {
            Self::Two(vec![number as u16; slots])
        } else {
            Self::Four(vec![number; slots])
        }
    }

    /// Bytes a slot of numbers up to this one.
    pub(crate) fn bytes_for(number: u32) -> u64 {
        Self::repeated(number, 1).bytes() as u64
    }

    /// Bytes a slot.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Two(_) => 2,
            Self::Four(_) => 4,
        }
    }

    /// The number of a slot.
    #[must_use]
    #[inline]
    pub fn get(&self, slot: u32) -> Option<u32> {
        let at = slot as usize;
        match self {
            Self::One(list) => Some(list[at]).filter(|&n| n != u8::MAX).map(u32::from),
            Self::Two(list) => Some(list[at]).filter(|&n| n != u16::MAX).map(u32::from),
            Self::Four(list) => Some(list[at]).filter(|&n| n != u32::MAX),
        }
    }

    /// Gives a slot a number below `u32::MAX`.
    pub fn set(&mut self, slot: u32, number: u32) {
        let at = slot as usize;
        loop {
            match self {
                Self::One(list) if number < u32::from(u8::MAX) => {
                    list[at] = number as u8;
                    return;
                }
                Self::Two(list) if number < u32::from(u16::MAX) => {
                    list[at] = number as u16;
                    return;
                }
                Self::Four(list) => {
                    list[at] = number;
                    return;
                }
                _ => self.widen(),
            }
        }
    }

    /// Twice as many bytes a slot.
    pub(crate) fn widen(&mut self) {
        *self = match std::mem::replace(self, Self::One(Vec::new())) {
            Self::One(list) => Self::Two(list.into_iter().map(widened).collect()),
            Self::Two(list) => {
                let four = list.into_iter().map(|n| match n {
                    u16::MAX => u32::MAX,
                    n => u32::from(n),
                });
                Self::Four(four.collect())
            }
            four @ Self::Four(_) => four,
        };
    }
}

fn widened(number: u8) -> u16 {
    match number {
        u8::MAX => u16::MAX,
        n => u16::from(n),
    }
}

#[cfg(test)]
mod tests {
    use super::Numbers;

    #[test]
    fn every_width_keeps_what_was_set() {
        let values = [0, 254, 255, 256, 65_534, 65_535, 65_536, u32::MAX - 1];
        let mut numbers = Numbers::none(2 * values.len() as u32);
        for (i, &value) in (0..).zip(&values) {
            numbers.set(2 * i, value);
            for (j, &other) in (0..).zip(&values) {
                let wanted = (j <= i).then_some(other);
                assert_eq!(numbers.get(2 * j), wanted, "{other} after {value}");
                assert_eq!(numbers.get(2 * j + 1), None);
            }
        }
    }
}
