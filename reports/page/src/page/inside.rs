//! Tables behind the figures of two designs, for all designs: the parts of their cycles, their branches, and their
//! code.

use maud::Markup;

use super::code;
use super::packed::{Fold, folded};
use crate::plot::{branches, gap};
use crate::view::View;

/// Folded tables; empty without parts of a gap.
pub(crate) fn body(view: View<'_>) -> Markup {
    let tables = [
        ("What the cycles of every design are made of", gap::parts(view)),
        ("Branches of every design by source line", branches::all(view)),
        ("Branches of every design by type of node", branches::by_node(view)),
        ("What the compiler made of every design", code::table(view)),
    ];
    let tables = tables.into_iter().map(|(title, table)| (title, table.map(|it| it.render())));
    let loops = ("The loop of every walk, with its source lines", code::loops(view));
    let fold = |(title, body): (&str, Option<Markup>)| {
        Some(Fold { title: title.to_owned(), workload: None, body: body? })
    };
    folded(&tables.chain([loops]).filter_map(fold).collect::<Vec<_>>())
}
