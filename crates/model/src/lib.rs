//! Rules of one-player puzzles: from the text of a rule file to bit operations on packed boards.
//!
//! In the order of the way of the data:
//!
//! - a text becomes a tree: [`parse`], [`syntax`], with faults ([`fault`], [`codes`]);
//! - a tree and parameters ([`params`], [`expr`]) become an [`instance`] on a [`board`], which
//!   [`draw`]s positions; its goal becomes tests of cells ([`goal`]);
//! - its rules become local rules ([`local`]), then placed rules ([`place`], [`placed`]), the normal
//!   form everything else reads ([`bounded`], [`potential`], [`strategy`], [`blocking`] stand beside it);
//! - placed rules become families on packed [`word`]s ([`family`], [`compiled`], [`counted`]), which
//!   engines see through the traits of [`puzzle`]; [`rank`] numbers arrangements, [`symmetry`] finds
//!   what may be exchanged.

mod anchored;
pub mod blocking;
pub mod board;
pub mod bounded;
pub mod codes;
pub mod compiled;
pub mod counted;
pub mod draw;
mod elaborate;
pub mod expr;
pub mod family;
pub mod fault;
pub mod goal;
pub mod instance;
mod lay;
pub mod local;
pub mod params;
pub mod parse;
pub mod phi;
pub mod place;
pub mod placed;
pub mod potential;
pub mod puzzle;
pub mod rank;
mod shift;
pub mod strategy;
pub mod symmetry;
pub mod syntax;
pub mod word;
