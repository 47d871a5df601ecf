//! Questions asked of a state space.

pub mod explore;
pub mod run;
pub mod summary;
pub mod plays;
pub mod solutions;
pub mod structure;

#[cfg(test)]
mod fake;
