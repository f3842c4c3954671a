//! Folded parts of a large page: compressed text, which the script draws when a reader opens it.
//!
//! A full session of eighty designs has ten thousand rows of ranked tables. As elements of the document they would take
//! thirteen megabytes and many seconds. Their numbers are also in the summary for download, which needs no script.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::{Compression, GzBuilder};
use maud::{Markup, html};

/// Folded parts with more elements than this in all are compressed.
const MOST: usize = 5_000;

/// A part that a reader opens.
pub(crate) struct Fold {
    pub(crate) title: String,
    /// The workload that it is about, if it is about one.
    pub(crate) workload: Option<String>,
    pub(crate) body: Markup,
}

/// All of them compressed, or none.
pub(crate) fn folded(folds: &[Fold]) -> Markup {
    let is_large = folds.iter().map(|fold| elements(&fold.body)).sum::<usize>() > MOST;
    html! {
        @if is_large {
            p.note {
                "The following tables are drawn from compressed data when they are opened, which needs scripts. Their \
                 numbers are also in the summary for download."
            }
        }
        @for Fold { title, workload, body } in folds {
            @if is_large {
                details.group data-workload=[workload] data-packed=(BASE64.encode(gzip(&body.0))) {
                    summary { (title) }
                }
            } @else {
                details.group data-workload=[workload] { summary { (title) } (body) }
            }
        }
    }
}

fn elements(markup: &Markup) -> usize {
    markup.0.matches('<').count() - markup.0.matches("</").count()
}

/// The same bytes for the same text: no time and no system in the header.
pub(crate) fn gzip(text: &str) -> Vec<u8> {
    let mut packed = GzBuilder::new().operating_system(255).write(Vec::new(), Compression::best());
    // Writing into memory cannot fail.
    packed.write_all(text.as_bytes()).and_then(|()| packed.finish()).unwrap_or_default()
}
