//! Draws judged sessions: the HTML page, the terminal texts and the exports. Nothing is computed
//! here that [`raywalk_judge`] does not provide.
//!
//! Layers, bottom to top; a module uses only the layers below it:
//!
//! 1. [`export`]: samples as a flat table, CSV and Parquet; the summary as CSV.
//! 2. `palette`: colours and their roles.
//! 3. `keys`: colour and marker of each design.
//! 4. `table`: tables of the page.
//! 5. `view`: a session as plots and sections receive it.
//! 6. `plot`: the plots.
//! 7. `page`: the page.
//!
//! [`terminal`] stands beside them and uses none of them.

pub mod export;
mod keys;
mod page;
mod palette;
mod plot;
mod table;
pub mod terminal;
mod view;

pub use page::{compared, figures, page};
