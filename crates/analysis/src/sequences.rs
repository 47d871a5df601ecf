//! Laws fitted to sequences of integers: polynomials, sums of known functions, recurrences.
//!
//! Everything is exact: integers and fractions of any size, never a floating-point number. A law is
//! accepted only if it is fixed by some of the terms and then gives at least [`LEAST_SPARE`] further
//! ones; that makes it likely, never proved.
//!
//! [`guess`](guess::guess) is the way in; the modules below it are its tools.

mod ansatz;
pub mod closed_form;
pub mod guess;
mod linear;
mod polynomial;
pub mod recurrence;
mod roots;

use num_bigint::BigInt;
use num_rational::Ratio;

pub use closed_form::ClosedForm;
pub use guess::{Guess, Law, Method, guess};
pub use recurrence::Recurrence;

/// A fraction of integers of any size.
pub type Rational = Ratio<BigInt>;

/// So many terms must be met that were not needed to fix a law.
///
/// With 0 spare terms the partition numbers are "explained" by a recurrence at 4, 5, 8, 10 ... terms,
/// with 1 at 5, 13, 17 and 39; with 4 never up to 60.
pub const LEAST_SPARE: usize = 4;

/// So many first terms may stand outside a law.
pub const MOST_DROPPED: usize = 3;
