//! How many bits a state takes, and the word that holds it.

use impasse_graph::keep::Standing;
use impasse_model::bounded::greatest_count;
use impasse_model::instance::Instance;
use impasse_model::placed::PlacedRules;
use impasse_model::word::{Wide, Word};

use crate::explore::{Options, RunError};
use crate::packed::shape;

/// The widest word.
const MOST_BITS: usize = 1024;
/// Bits a counted cell begins with.
const DEFAULT_COUNT_BITS: u32 = 8;
/// Counts that need more bits grow without end, as far as a search can tell.
const MOST_COUNT_BITS: u32 = 24;

/// Work that is generic over the word.
pub(crate) trait WithWord {
    type Output;
    fn run<W: Word>(self) -> Result<Self::Output, RunError>;
}

/// The one place where the width of the word is chosen.
pub(crate) fn with_width<J: WithWord>(bits: usize, job: J) -> Result<J::Output, RunError> {
    match bits {
        0..=64 => job.run::<u64>(),
        65..=128 => job.run::<u128>(),
        129..=256 => job.run::<Wide<4>>(),
        257..=512 => job.run::<Wide<8>>(),
        513..=MOST_BITS => job.run::<Wide<16>>(),
        bits => Err(RunError::TooWide {
            cells: bits,
            bits,
            most: MOST_BITS,
        }),
    }
}

/// Bits of the word that holds a state of so many.
pub(crate) fn word_bits(instance: &Instance, bits: usize) -> Result<usize, RunError> {
    let widths = [64, 128, 256, 512, MOST_BITS];
    let cells = instance.board.cells;
    let fits = widths.into_iter().find(|&width| bits <= width);
    fits.ok_or(RunError::TooWide {
        cells,
        bits,
        most: MOST_BITS,
    })
}

/// The width of the fields of a kept search, or the first one to try.
pub(crate) fn kept_width(
    instance: &Instance,
    placed: &PlacedRules,
    options: &Options,
) -> Result<u32, RunError> {
    let mut width = first_width(instance, placed)?;
    let failed = |error: std::io::Error| RunError::Keeping(error.to_string());
    let kept = match &options.keeper {
        Some(keeper) => Standing::kept(&**keeper).map_err(failed)?,
        None => None,
    };
    while let Some(kept) = &kept
        && kept.shape != shape(options, placed.cells * width as usize)
    {
        width = wider(instance, placed.cells, width).map_err(|_| {
            RunError::Keeping("the kept search is of another engine or another space".to_owned())
        })?;
    }
    Ok(width)
}

/// Bits a counted cell begins with: enough for the cap, else for the count that weights prove the
/// greatest, else 8 where there is room, and at least what the starts need.
pub(crate) fn first_width(instance: &Instance, placed: &PlacedRules) -> Result<u32, RunError> {
    let cells = placed.cells;
    let bits = |count: u64| (u64::BITS - count.leading_zeros()).max(1);
    let greatest = instance.starts.iter().flatten().copied().max().unwrap_or(0);
    let room = (MOST_BITS / cells.max(1)) as u32;
    let width = if let Some(cap) = instance.board.cap {
        bits(cap.max(greatest))
    } else {
        let proved = greatest_count(instance, &placed.counts).map_or(u32::MAX, bits);
        bits(greatest).max(DEFAULT_COUNT_BITS.min(room).min(proved))
    };
    check_width(instance, cells, width).map(|()| width)
}

/// The next width after one that did not suffice.
pub(crate) fn wider(instance: &Instance, cells: usize, width: u32) -> Result<u32, RunError> {
    let room = (MOST_BITS / cells.max(1)) as u32;
    let next = (2 * width).min(room.max(width + 1));
    if next > MOST_COUNT_BITS {
        return Err(RunError::Grows {
            most: (1 << width) - 1,
        });
    }
    check_width(instance, cells, next).map(|()| next)
}

fn check_width(instance: &Instance, cells: usize, width: u32) -> Result<(), RunError> {
    let bits = cells * width as usize;
    if bits > MOST_BITS {
        return Err(RunError::TooWide {
            cells: instance.board.cells,
            bits,
            most: MOST_BITS,
        });
    }
    Ok(())
}
