//! What is shown: the result schema and the page made from it.

pub mod schema;
