//! Generators with known differences, to test whole sessions.
//!
//! They are a crate of their own, as every design is: the timed loop must not see the code that it calls,
//! and a copy of a design must not be merged with the design.
//!
//! | type | against | known difference |
//! |---|---|---|
//! | [`Copy`](struct@Copy) | Ferret, linked by addresses | none: the same code at another address |
//! | [`Repeating`] | itself with another period | every 200th call is made twice |

mod copy;
mod repeating;

pub use copy::Copy;
pub use repeating::Repeating;
