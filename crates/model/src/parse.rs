//! From the text of a rule file to its tree.
//!
//! The text is split into items, the names they declare are gathered, and then every item is read
//! with all names known. An item with a fault is left out and the others are still read, so that
//! one run tells every fault of the file.

mod blocking;
mod board;
mod captures;
mod conditions;
mod counts;
mod cursor;
mod drawings;
mod expressions;
mod file;
mod foreign;
mod goals;
mod items;
mod lexer;
mod lines;
mod mirror;
mod moves;
mod names;
mod param;
mod sink;
mod steps;
mod suggest;
mod text;
mod words;

pub use file::{Parsed, parse};
pub(crate) use suggest::nearest;
pub use text::{parse_condition, parse_drawing, parse_expr};
