//! Dependency chains of the walks beside their measured time.

use maud::{Markup, html};
use raywalk_judge::chains::{Limit, steps};
use raywalk_judge::format::{NONE, plural};
use raywalk_results::schema::Scope;

use super::packed::folded_alone;
use crate::table::{Cell, Table};
use crate::view::View;

/// A sentence, and one row for each walk; empty without chains.
pub(crate) fn body(view: View<'_>) -> Markup {
    let chains = &view.judged.results.chains;
    if chains.is_empty() {
        return html! {};
    }
    let those = |limit: Limit| {
        chains.iter().filter(|it| Limit::of(it.predicted, it.measured) == limit).count()
    };
    html! {
        p {
            "The dependency chain of a walk is what a visited square waits for. It explains "
            (those(Limit::Chain)) " of " (plural(chains.len(), "walk")) " within a tenth or a quarter of a cycle; "
            (those(Limit::Other)) " take longer, because of throughput or of values that pass through memory; "
            (those(Limit::Overlap)) " take less, because the walks of several lists overlap."
        }
        (folded_alone("The chain of every walk", table(view).render(), false))
    }
}

fn table(view: View<'_>) -> Table {
    let results = view.judged.results;
    let caption = "Core cycles per visited square of a lone slider, learnt, with fences between calls: the chain, \
                   modelled from the compiled code and the latencies of this machine; llvm-mca, simulated; and the \
                   measured slope. Instructions are counted";
    let columns = [
        "Design",
        "Chain",
        "llvm-mca",
        "Measured",
        "Cycles per ray",
        "± per call",
        "Instructions",
        "Limit",
        "Steps",
        "Pieces",
    ];
    let mut table = Table::new(caption.to_owned(), &columns);
    for chain in &results.chains {
        let cycles = |value: Option<f64>| Cell::number(value, |cycles| format!("{cycles:.2}"));
        let tenths = |value: f64| Cell::number(Some(value), |cycles| format!("{cycles:.1}"));
        let steps = steps(&chain.steps, chain.turns).unwrap_or_else(|| NONE.to_owned());
        let pieces = match chain.scope {
            Scope::Sliders => "sliders",
            Scope::Whole => "all, with the king",
        };
        let cells = vec![
            cycles(Some(chain.predicted)),
            cycles(chain.simulated),
            cycles(Some(chain.measured)),
            tenths(chain.per_ray),
            tenths(chain.residual),
            tenths(chain.instructions),
            Cell::text(Limit::of(chain.predicted, chain.measured).name()),
            Cell::text(steps).on_one_line(),
            Cell::text(pieces),
        ];
        table.design(view.keys, &chain.design, results.name(&chain.design), cells);
    }
    table
}
