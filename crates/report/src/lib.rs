//! Results in, bytes out: tables, CSV, JSON, DOT and the report folder.
//!
//! Nothing here knows threads, terminals or arguments. Writers take the finished run
//! ([`Run`](impasse_analysis::run::Run), [`Table`](impasse_analysis::run::Table)) or its
//! [`Record`], which outlives it, and an [`io::Write`](std::io::Write), written
//! in small pieces: wrap a file or a terminal in a `BufWriter`. Equal results give equal bytes.
//!
//! | wanted | module |
//! |---|---|
//! | what stays of a run when its states are gone | [`record`] |
//! | which numbers are exact, in words | [`scope`] |
//! | the table of `explore`, the table of depths | [`text`] |
//! | `--json` | [`json`] |
//! | the report folder of `explore -o DIR` | [`folder`] |
//! | a picture of the state graph | [`dot`] |
//! | the state graph in other formats | [`export`] |
//! | solutions, drawn and listed | [`solution`] |
//! | where play gets stuck | [`stuck`] |
//! | a figure over one or two parameters | [`sequence`] |
//! | files and entries of the OEIS | [`bfile`], [`oeis`] |
//! | a law that was guessed | [`guess`] |
//! | mined patterns, and how they stand over a range | [`patterns`], [`stability`] |
//! | contexts of moves, and rules that tell which of them lose | [`law`] |
//! | why a position stands as it does | [`why`] |
//! | where play gets stuck, as lists: states, blocking moves, counts | [`lists`] |

pub mod bfile;
pub mod checksum;
pub mod dot;
pub mod error;
pub mod export;
pub mod folder;
pub mod grid;
pub mod guess;
pub mod json;
pub mod law;
pub mod lists;
pub mod numbers;
pub mod oeis;
pub mod paths;
pub mod patterns;
pub mod record;
pub mod rows;
pub mod scope;
pub mod sequence;
pub mod solution;
pub mod stability;
pub mod stuck;
pub mod text;
pub mod why;

#[cfg(test)]
mod fake;

pub use error::Error;
pub use record::{Measured, Record};
