//! Questions asked of a state space.

pub mod explore;
pub mod run;
pub mod summary;
