//! Tests on code that is assembled here, so that its shape is known.

mod chain;
mod critical;
mod fake;
mod flow;
mod planted;
mod provenance;
mod shape;
