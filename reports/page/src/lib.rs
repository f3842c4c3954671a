//! Draws judged sessions: the HTML page, the terminal texts and the exports. Nothing is computed
//! here that [`raywalk_judge`] does not provide.
//!
//! Layers, bottom to top; a module uses only the layers below it:
//!
//! 1. [`export`]: samples as a flat table, CSV and Parquet; the summary as CSV.
//! 2. `palette`: colours and their roles.
//! 3. `keys`: colour and marker of each design; `label`: the origin of the numbers of a table;
//!    `plain`: tables outside of the page.
//! 4. `table`: tables of the page; `view`: a session as plots and sections receive it.
//! 5. `plot`: the plots.
//! 6. `page`: the page.
//!
//! [`terminal`] stands beside them and uses none of them; `plain` writes tables of the page with it.

pub mod export;
mod keys;
mod label;
mod page;
mod palette;
mod plain;
mod plot;
mod table;
pub mod terminal;
mod view;

pub use page::{calls, compared, figures, page, tables};
pub use plain::PlainTable;
