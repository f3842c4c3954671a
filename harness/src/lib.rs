//! What measures: the library and the raywalk command.
//!
//! The only crate that knows all others. [`registry`] lists the designs, [`verify`] proves them,
//! [`measure`] times them, and each of the [`commands`] is one file.

pub mod commands;
pub mod design;
pub mod hash;
pub mod imports;
pub mod machine;
pub mod measure;
pub mod registry;
pub mod selftest;
pub mod verify;
