//! Engines: from a puzzle to every reachable state, in parallel.
//!
//! In reading order: [`expand`] (what engines ask of a puzzle), [`observe`] (limits, outcome, observer), [`keep`] (what a broken run leaves for its successor), [`search`] (breadth-first search by
//! sorted layers), [`space`] (what every engine hands over), [`explicit`] (the states in one
//! sorted list, sets as slots; a small number for each slot is one of its [`numbers`]), [`thin`] (spaces of
//! which only a few layers are kept; ways are counted in a [`count`]).

pub mod count;
pub mod expand;
mod expander;
pub mod explicit;
pub mod keep;
pub mod kept;
mod lookup;
pub mod numbers;
pub mod observe;
mod room;
pub mod search;
pub mod slots;
mod sort;
pub mod space;
pub mod stream;
pub mod thin;
mod visited;
