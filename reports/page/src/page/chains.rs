//! Dependency chains of the walks beside their measured time.

use maud::{Markup, html};
use raywalk_judge::chains::{Limit, steps};
use raywalk_judge::format::{NONE, list, plural};
use raywalk_results::schema::{Chain, Scope};

use super::packed::folded_alone;
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

/// How many walks agree with their chain, and what the chain leaves out.
fn finding(chains: &[Chain]) -> String {
    let (with, without): (Vec<&Chain>, Vec<&Chain>) =
        chains.iter().partition(|chain| !chain.steps.is_empty());
    let count = |count: usize, [one, many]: [&str; 2]| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {many}")),
    };
    let those = |limit: Limit, words: [&str; 2]| {
        let is = |chain: &&&Chain| Limit::of(chain.predicted, chain.measured) == limit;
        count(with.iter().filter(is).count(), words)
    };
    let groups = [
        those(Limit::Chain, ["agrees with it", "agree with it"]),
        those(Limit::Other, ["takes longer", "take longer"]),
        those(Limit::Overlap, ["takes less", "take less"]),
        count(without.len(), ["has none", "have none"]),
    ];
    let groups: Vec<String> = groups.into_iter().flatten().collect();
    format!(
        "The dependency chain of a walk is the longest sequence of instructions that links a visited square to the next \
         one. Of {}, {}. Agreement is a difference of at most a tenth, or of a quarter of a cycle where that is more. A chain \
         knows no limit of throughput and no value that passes through memory, and several lists of one piece, or a loop \
         for each ray, can overlap.",
        plural(chains.len(), "walk"),
        list(&groups)
    )
}

fn table(view: View<'_>) -> Table {
    let results = view.judged.results;
    let caption = "Core cycles per visited square of a lone slider, learnt, with fences between calls: the chain, \
                   modelled from the compiled code and the latencies of this machine; llvm-mca, simulated; and the \
                   measured slope, with cycles per ray and the root mean square of what both leave unexplained of a call. \
                   Instructions are counted. Steps: the latencies of the chain in whole cycles, and over how many turns; \
                   an instruction whose latency is not measured counts one, and `raywalk chains` names it. Measured \
                   apart from the rounds of the session";
    let columns = [
        "Design",
        "Chain",
        "llvm-mca",
        "Measured",
        "Cycles per ray",
        "RMS of the fit per call",
        "Instructions",
        "Limit",
        "Steps",
        "Pieces that move",
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
            Cell::text(match chain.steps.is_empty() {
                true => "no chain",
                false => Limit::of(chain.predicted, chain.measured).name(),
            }),
            Cell::text(steps).on_one_line(),
            Cell::text(pieces),
        ];
        table.design(view.keys, &chain.design, results.name(&chain.design), cells);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_are_counted_by_outcome_and_absent_outcomes_are_not_named() {
        let chain = |steps: &[f64], measured: f64| Chain {
            design: "a".to_owned(),
            scope: Scope::Sliders,
            steps: steps.to_vec(),
            turns: 1,
            predicted: steps.iter().sum(),
            simulated: None,
            measured,
            per_ray: 0.0,
            residual: 0.0,
            instructions: 5.0,
        };
        let two = [chain(&[5.0, 4.0], 9.2), chain(&[5.0, 4.0], 12.0)];
        let text = finding(&two);
        assert!(text.contains("Of 2 walks, 1 agrees with it and 1 takes longer."), "{text}");
        let others = [chain(&[5.0, 4.0], 5.0), chain(&[], 0.2)];
        let text = finding(&others);
        assert!(text.contains("1 takes less and 1 has none"), "{text}");
    }
}
