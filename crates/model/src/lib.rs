//! Rules of one-player puzzles: from the text of a rule file to bit operations on packed boards.

pub mod board;
pub mod codes;
pub mod expr;
pub mod fault;
pub mod instance;
pub mod params;
pub mod puzzle;
pub mod syntax;
