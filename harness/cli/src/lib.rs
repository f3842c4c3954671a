//! The `raywalk` command: verification, self-test, sessions, and one file per command.
//!
//! It combines the other crates. `docs/layers.toml` lists the layers of its modules.

mod arguments;
mod audit;
mod chains;
pub mod commands;
pub mod console;
mod corpora;
mod diagnosis;
mod divide;
mod duration;
mod exit;
mod explain;
mod external;
mod fit;
mod folders;
mod host;
pub mod imports;
mod interrupt;
pub mod known;
mod latencies;
mod layouts;
mod manifest;
mod output;
mod pages;
mod peers;
mod perft_jobs;
mod plugin;
mod processes;
pub mod processor;
pub mod registry;
mod selftest;
mod session;
mod shapes;
mod sources;
mod trace;
mod verify;
mod workspace;

pub use external::UNITS;
