//! What a search keeps so that another process can go on where it was broken off.
//!
//! Engines write named parts into a [`Keeper`] and know no files. A part replaces the one of the same
//! name whole, or not at all; the part `search` is written last, and only it counts: it names the
//! layer, and with that the parts that belong to it.

use std::fmt::Debug;
use std::io::{self, Read, Write};

use crate::space::LayerCounts;

/// Keeps parts of a search.
pub trait Keeper: Debug + Send + Sync {
    /// Keeps what `fill` writes under a name.
    ///
    /// # Errors
    /// Those of the medium, and of `fill`.
    fn write(
        &self,
        part: &str,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()>;

    /// What was kept under a name, if anything was.
    ///
    /// # Errors
    /// Those of the medium; kept bytes that are not as they were written.
    fn read(&self, part: &str) -> io::Result<Option<Box<dyn Read>>>;

    /// Forgets a part; one that is not there is no error.
    ///
    /// # Errors
    /// Those of the medium.
    fn forget(&self, part: &str) -> io::Result<()>;
}

/// The name of the part that counts.
pub const SEARCH: &str = "search";

/// A forward search as it stood between two layers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The engine.
    pub engine: String,
    /// What must be equal for the kept sets to have the same meaning: the engine's own words.
    pub shape: String,
    /// Counts of the whole layers.
    pub counts: Vec<LayerCounts>,
    /// States of the next layer, which is kept but not counted yet; 0 if the search had ended.
    pub next_states: u64,
    /// Whether every transition so far went one layer deeper, as far as the engine knows.
    pub graded: bool,
    /// A number of the engine's own.
    pub own: u64,
}

impl Standing {
    /// Writes it.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write_text(out, &self.engine)?;
        write_text(out, &self.shape)?;
        write_number(out, self.counts.len() as u64)?;
        for layer in &self.counts {
            for number in [
                layer.states,
                layer.goals,
                layer.dead_ends,
                layer.transitions,
                layer.single,
                u64::from(layer.cut),
            ] {
                write_number(out, number)?;
            }
        }
        write_number(out, self.next_states)?;
        write_number(out, u64::from(self.graded))?;
        write_number(out, self.own)
    }

    /// Reads what [`Standing::write`] wrote.
    ///
    /// # Errors
    /// Those of the reader, and bytes that are no standing.
    pub fn read(from: &mut dyn Read) -> io::Result<Self> {
        let engine = read_text(from)?;
        let shape = read_text(from)?;
        let count = read_number(from)?;
        let mut counts = Vec::new();
        for _ in 0..count {
            counts.push(LayerCounts {
                states: read_number(from)?,
                goals: read_number(from)?,
                dead_ends: read_number(from)?,
                transitions: read_number(from)?,
                single: read_number(from)?,
                cut: read_number(from)? != 0,
            });
        }
        Ok(Self {
            engine,
            shape,
            counts,
            next_states: read_number(from)?,
            graded: read_number(from)? != 0,
            own: read_number(from)?,
        })
    }

    /// Keeps it as the part that counts.
    ///
    /// # Errors
    /// Those of the keeper.
    pub fn keep(&self, keeper: &dyn Keeper) -> io::Result<()> {
        keeper.write(SEARCH, &mut |out| self.write(out))
    }

    /// What was kept last, if anything was.
    ///
    /// # Errors
    /// Those of the keeper.
    pub fn kept(keeper: &dyn Keeper) -> io::Result<Option<Self>> {
        let part = keeper.read(SEARCH)?;
        part.map(|mut part| Self::read(&mut *part)).transpose()
    }
}

/// Writes a number as eight bytes, least first.
///
/// # Errors
/// Those of the writer.
pub fn write_number(out: &mut dyn Write, number: u64) -> io::Result<()> {
    out.write_all(&number.to_le_bytes())
}

/// Reads a number that [`write_number`] wrote.
///
/// # Errors
/// Those of the reader.
pub fn read_number(from: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn write_text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    write_number(out, text.len() as u64)?;
    out.write_all(text.as_bytes())
}

/// Longer texts are no part of a standing.
const LONGEST_TEXT: u64 = 1 << 16;

fn read_text(from: &mut dyn Read) -> io::Result<String> {
    let length = read_number(from)?;
    if length > LONGEST_TEXT {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "a text is too long",
        ));
    }
    let mut bytes = vec![0; length as usize];
    from.read_exact(&mut bytes)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// When to keep: often, but for a tenth of the time at most.
#[derive(Debug)]
pub struct Pace {
    rested: std::time::Instant,
    cost: std::time::Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            rested: std::time::Instant::now(),
            cost: std::time::Duration::ZERO,
        }
    }
}

impl Pace {
    /// Whether enough time has passed since the last time, whose cost was measured.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.rested.elapsed() >= 9 * self.cost
    }

    /// Measures one act of keeping.
    pub fn measure<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let began = std::time::Instant::now();
        let result = work();
        self.cost = began.elapsed();
        self.rested = std::time::Instant::now();
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standing_and_back() {
        let standing = Standing {
            engine: "stream".to_owned(),
            shape: "a shape".to_owned(),
            counts: vec![
                LayerCounts {
                    states: 1,
                    goals: 2,
                    dead_ends: 3,
                    transitions: 4,
                    single: 5,
                    cut: true,
                },
                LayerCounts::default(),
            ],
            next_states: 77,
            graded: true,
            own: 9,
        };
        let mut bytes = Vec::new();
        standing.write(&mut bytes).expect("memory");
        assert_eq!(Standing::read(&mut &bytes[..]).expect("whole"), standing);
        for end in 0..bytes.len() {
            assert!(Standing::read(&mut &bytes[..end]).is_err(), "cut at {end}");
        }
    }
}
