//! Engines: from a puzzle to every reachable state, in parallel.

pub mod observe;
