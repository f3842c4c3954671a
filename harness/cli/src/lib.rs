//! The `raywalk` command: registry of designs, verification, self-test, sessions, and one file per
//! command.
//!
//! It is the only crate that depends on all others. `docs/layers.toml` lists the layers of its modules.

pub mod commands;
pub mod console;
mod corpora;
mod diagnosis;
mod external;
mod host;
pub mod imports;
mod interrupt;
pub mod known;
mod layouts;
mod manifest;
mod processes;
pub mod registry;
mod selftest;
mod session;
#[cfg(test)]
mod sources;
mod verify;
mod workspace;

pub use external::UNITS;
