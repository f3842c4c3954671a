//! Dependency chains of the walks beside their measured time.

use maud::{Markup, html};
use raywalk_judge::chains::{assumed, finding, interval, limit, steps};
use raywalk_judge::format::NONE;

use super::packed::folded_alone;
use crate::label::About;
use crate::table::{Cell, Table};
use crate::view::View;

/// A sentence, and one row for each walk; empty without chains.
pub(crate) fn body(view: View<'_>) -> Markup {
    let chains = &view.judged.results.chains;
    if chains.is_empty() {
        return html! {};
    }
    html! {
        p { (finding(chains)) }
        (folded_alone("Every walk with a chain", table(view).render(), false))
    }
}

/// The table; `None` without chains.
pub(crate) fn all(view: View<'_>) -> Option<Table> {
    (!view.judged.results.chains.is_empty()).then(|| table(view))
}

fn table(view: View<'_>) -> Table {
    let results = view.judged.results;
    let caption = "Core cycles per visited square of a lone slider: the chain, from the compiled code and the latencies of \
                   this machine; llvm-mca; and the measured slope with its interval of 95 % over the positions, with \
                   cycles per ray and the root mean square of what both leave unexplained of a call. Steps: the latencies \
                   of the chain in whole cycles, and over how many iterations; an instruction whose latency is not measured \
                   counts one cycle and is named";
    let columns = [
        "Design",
        "Chain",
        "llvm-mca",
        "Measured",
        "Interval",
        "Cycles per ray",
        "RMS of the fit per call",
        "Instructions",
        "Limit",
        "Steps",
        "Pieces that move",
        "Latency assumed",
    ];
    let about = About::Own(
        "learnt replays of single positions, with fences between calls",
        "the pieces that move",
        "generated positions with one slider, without a digest",
    );
    let provenance = "chains modelled, llvm-mca simulated, slopes measured, instructions counted; afterwards, by the \
                      same build";
    let mut table = Table::new(view.label(caption, provenance, about), &columns);
    for chain in &results.chains {
        let cycles = |value: Option<f64>| Cell::number(value, |cycles| format!("{cycles:.2}"));
        let tenths = |value: f64| Cell::number(Some(value), |cycles| format!("{cycles:.1}"));
        let steps = steps(&chain.steps, chain.turns).unwrap_or_else(|| NONE.to_owned());
        let pieces = chain.scope.label();
        let cells = vec![
            cycles(Some(chain.predicted)),
            cycles(chain.simulated),
            cycles(Some(chain.measured)),
            Cell::text(interval(chain)).on_one_line(),
            tenths(chain.per_ray),
            tenths(chain.residual),
            tenths(chain.instructions),
            Cell::text(limit(chain)),
            Cell::text(steps).on_one_line(),
            Cell::text(pieces),
            Cell::text(assumed(chain)),
        ];
        table.design(view.keys, &chain.design, results.name(&chain.design), cells);
    }
    table
}
