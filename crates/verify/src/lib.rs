//! Slow, obvious code that finds every answer a second time.
//!
//! Everything here starts from the parsed rules ([`impasse_model::instance::Instance`]) and places
//! them itself: a board is a vector of values, a set of positions is a `BTreeMap`, there is no
//! packing, no placed rule, no inverse. Nothing below the parsed rules is shared with the product,
//! so a fault of the compiler or of an engine shows as a difference.

pub mod blocking;
pub mod check_table;
pub mod drawing;
pub mod error;
pub mod field;
pub mod figures;
pub mod kept;
pub mod lay;
pub mod moves;
mod published;
mod sheet;
pub mod slow;
mod states;
mod table;
mod totals;
mod walks;

pub use check_table::{Checked, CheckedValue, Extent, check_table};
pub use error::{CheckError, WrongCell};
