//! Huge, thin spaces: of all layers only a few are in memory at a time.
//!
//! Undirected puzzles tell new states from old by the last two layers, graded ones need no old layer
//! at all. What must be known from behind (which states are live) is found in graded spaces by a
//! sweep from the deepest layer up. The sweep makes the layers again from some that were kept,
//! delta-coded: twice the work, a small part of the memory.

mod checkpoints;
mod packed;
mod sweep;
mod undirected;

pub use checkpoints::Checkpoints;
pub use sweep::{Swept, sweep};
pub use undirected::{count_shortest, search_around};
