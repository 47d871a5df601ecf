//! Rules of one-player puzzles: from the text of a rule file to bit operations on packed boards.

pub mod board;
pub mod codes;
pub mod draw;
mod elaborate;
pub mod expr;
pub mod fault;
pub mod instance;
pub mod params;
pub mod parse;
pub mod puzzle;
pub mod syntax;
pub mod compiled;
pub mod family;
mod lay;
pub mod local;
pub mod place;
pub mod placed;
mod shift;
pub mod counted;
pub mod phi;
pub mod rank;
pub mod strategy;
pub mod word;
