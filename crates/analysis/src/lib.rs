//! Questions asked of a state space.

mod analysed;
pub mod blocking;
pub mod blocking_claims;
mod choice;
pub mod claimed;
pub mod claims;
mod counted;
pub mod domain;
pub mod engines;
pub mod explore;
mod figures;
pub mod inquiry;
pub mod inspect;
pub mod invariants;
mod packed;
pub mod patterns;
mod plain;
pub mod plays;
pub mod reasons;
mod reduced;
pub mod run;
pub mod sequences;
pub mod solutions;
mod streamed;
pub mod structure;
pub mod summary;
pub mod surroundings;
mod thin;
pub mod verdicts;
mod walks;
pub mod ways_out;
mod width;

#[cfg(test)]
mod fake;
