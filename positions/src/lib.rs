//! What is fed in: facts, corpora made from seeds, workloads by name.
//!
//! Nothing is downloaded and next to nothing is shipped. Two small files of facts are bundled
//! ([`facts`]); every other position follows from a few lines of integer code: games that a small
//! engine plays against itself ([`selfplay`]), pieces placed at random ([`placement`]), and the orders
//! in which a search meets positions ([`tree`]). A [`workload`] gives such a set a name, an order
//! and a count. What has been made is kept in a cache folder ([`Store`]).
//!
//! # Why the designs under test take no part in this
//! Every corpus is made with an independent move generator ([`oracle`]), never with one of our own.
//! A wrong design can therefore never bend the corpus it is measured on: it meets positions that
//! were fixed without it, and the digests of those positions, known beforehand, are compared each
//! time a corpus is made. For the same reason no recipe depends on the order in which a generator
//! lists its moves; any correct one would make the same corpora.
//!
//! # Example
//! ```
//! let store = raywalk_positions::Store::in_memory();
//! let widest = store.workload("max-218")?;
//! assert_eq!(widest.positions.len(), 2);
//! assert_eq!(widest.totals.legal, 2 * 218);
//! # Ok::<(), raywalk_positions::workload::WorkloadError>(())
//! ```

pub mod cache;
pub mod corpus;
pub mod digest;
pub mod epd;
pub mod evaluation;
pub mod facts;
mod golden;
pub mod oracle;
mod packed;
mod parallel;
pub mod pgn;
pub mod placement;
pub mod quiescence;
pub mod random;
mod san;
pub mod selfplay;
pub mod slices;
pub mod tree;
pub mod workload;

pub use cache::Store;
pub use corpus::{Corpus, CorpusId, Sample};
pub use digest::{Source, Totals};
pub use workload::{Order, Workload};
