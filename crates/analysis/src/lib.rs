//! Questions asked of a state space.

pub mod claims;
pub mod domain;
pub mod explore;
pub mod plays;
pub mod run;
pub mod solutions;
pub mod structure;
pub mod summary;

#[cfg(test)]
mod fake;
