//! Slow, obvious code that finds every answer a second time.
//!
//! Everything here starts from the parsed rules ([`impasse_model::instance::Instance`]) and places
//! them itself: a board is a vector of values, a set of positions is a `BTreeMap`, there is no
//! packing, no placed rule, no inverse. Nothing below the parsed rules is shared with the product,
//! so a fault of the compiler or of an engine shows as a difference.

pub mod drawing;
pub mod field;
pub mod figures;
pub mod lay;
pub mod moves;
pub mod slow;
