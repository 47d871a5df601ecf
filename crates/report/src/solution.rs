//! solution
