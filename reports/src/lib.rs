//! What is shown: the result schema, the statistics, and the page made from them.
//!
//! One way through: [`journal::read`] checks a file once, [`summary::summarise`] judges its
//! panels, [`table::write`] prints one in a terminal, [`page()`] draws everything into one HTML
//! file. Nothing here knows a generator, so a page can be made from a file made elsewhere.

pub mod compare;
pub mod export;
pub mod grade;
pub mod journal;
pub mod json_schema;
pub mod page;
pub mod plot;
pub mod ranking;
pub mod schema;
pub mod selftest;
pub mod shift;
pub mod spread;
pub mod statistics;
pub mod summary;
pub mod table;
pub mod wording;

pub use page::page;
