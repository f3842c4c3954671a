//! Texts for the terminal and for logs, one module per text.
//!
//! Layers, bottom to top: text_table and heading; one module per text.

pub mod compare;
pub mod grade;
mod heading;
pub mod ranking;
pub mod selftest;
pub mod session;
mod text_table;
