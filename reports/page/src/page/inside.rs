//! Tables behind the figures of two designs, for all designs: what their cycles are made of, and their branches.

use maud::Markup;

use super::packed::{Fold, folded};
use crate::plot::{branches, gap};
use crate::view::View;

/// Folded tables; empty without parts of a gap.
pub(crate) fn body(view: View<'_>) -> Markup {
    let tables = [
        ("What the cycles of every design are made of", gap::parts(view)),
        ("Branches of every design by source line", branches::all(view)),
    ];
    let fold = |(title, table): (&str, Option<crate::table::Table>)| {
        Some(Fold { title: title.to_owned(), workload: None, body: table?.render() })
    };
    folded(&tables.into_iter().filter_map(fold).collect::<Vec<_>>())
}
