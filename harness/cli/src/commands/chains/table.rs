//! Chains as tables.

use raywalk_judge::chains::{self, Limit};
use raywalk_judge::format::NONE;
use raywalk_page::terminal::text_table::{TextTable, number, text};
use raywalk_page::terminal::{Screen, Tone};
use raywalk_results::schema::Chain;

use super::Outcome;
use crate::chains::Walk;

pub(super) fn write(outcome: &Outcome, out: &mut Screen) {
    instruments(outcome, out);
    out.blank();
    match &outcome.unavailable {
        Some(reason) => out.line(format!("Chains are not available here: {}.", bare(reason))),
        None => {
            chains(outcome, out);
            if let [(_, Ok(walk))] = &outcome.rows[..] {
                out.blank();
                iteration(walk, out);
            }
        }
    }
    out.blank();
    match &outcome.mca {
        Ok(mca) => out.line(format!("llvm-mca: {}, simulating {}.", mca.version, mca.cpu)),
        Err(reason) => out.line(format!("llvm-mca is not available here: {}.", bare(reason))),
    }
}

/// A sentence without its full stop.
fn bare(sentence: &str) -> &str {
    sentence.trim_end_matches('.')
}

fn instruments(outcome: &Outcome, out: &mut Screen) {
    let (latencies, hammocks) = match &outcome.instruments {
        Ok(found) => found,
        Err(reason) => {
            out.line(format!("Latencies are not available here: {}.", bare(reason)));
            return;
        }
    };
    out.toned("Latencies in core cycles, measured", Tone::Heading);
    let mut table = TextTable::new([text("instruction"), number("cycles")]);
    for (link, cycles) in latencies.iter() {
        table.row([link.name().to_owned(), format!("{cycles:.2}")]);
    }
    table.write(out);
    out.blank();
    out.toned("Mispredictions in core cycles, measured", Tone::Heading);
    let mut table = TextTable::new([
        text("the branch waits for"),
        number("predicted iteration"),
        number("misprediction adds"),
        number("chain to the branch"),
        number("refill"),
    ]);
    for one in hammocks {
        let numbers = [one.predicted, one.cost, one.chain, one.refill()];
        let numbers = numbers.into_iter().map(|number| format!("{number:.1}"));
        table.row(std::iter::once(one.feed.name().to_owned()).chain(numbers));
    }
    table.write(out);
}

/// Cells of a row behind the design.
const CELLS: usize = 9;

fn chains(outcome: &Outcome, out: &mut Screen) {
    out.toned("Lone sliders, core cycles per visited square", Tone::Heading);
    let mut table = TextTable::new([
        text("design"),
        number("instr./square"),
        number("chain"),
        number("llvm-mca"),
        number("measured"),
        number("interval"),
        number("± per call"),
        number("per ray"),
        text("limit"),
        text("steps of the chain"),
    ]);
    for (entry, walk) in &outcome.rows {
        let id = entry.card.id.to_owned();
        match walk {
            Ok(walk) => table.row(std::iter::once(id).chain(row(&walk.record(entry)))),
            Err(reason) => {
                table.row(std::iter::once(id).chain(std::iter::repeat_n(NONE.to_owned(), CELLS)));
                table.note(reason.to_string());
            }
        }
    }
    table.write(out);
    out.blank();
    out.line(
        "chain: predicted, the latencies of the steps in which a square waits for the one before. measured: slope \
         over lone sliders that visit 7 to 27 empty squares, learnt, with fences between calls, and its \
         interval of 95 % over the positions; ±: root mean square of what the slopes leave unexplained of a call.",
    );
    let walks =
        || outcome.rows.iter().filter_map(|(entry, walk)| Some((entry, walk.as_ref().ok()?)));
    let those = |limit: Limit| walks().filter(|(_, walk)| walk.limit() == limit).count();
    out.line(format!(
        "limit: {} chain (both agree within a tenth or a quarter of a cycle), {} other (the walk takes longer: \
         throughput, or values that pass through memory), {} overlap (the walk takes less: a piece has several \
         lists, or a loop for each ray, and these do not wait for each other; the chain is a bound only within \
         one list).",
        those(Limit::Chain),
        those(Limit::Other),
        those(Limit::Overlap)
    ));
    for (entry, walk) in walks() {
        if walk.entries > 1 {
            out.line(format!(
                "{}: its loop has {} entries, so it may have more iterations than are counted, and a longer chain.",
                entry.card.id, walk.entries
            ));
        }
        if !walk.assumed.is_empty() {
            let list = walk.assumed.join("; ");
            out.line(format!("{}: one cycle is assumed for {list}.", entry.card.id));
        }
        if let Some(Err(error)) = &walk.mca {
            out.line(format!("{}: llvm-mca: {}.", entry.card.id, bare(error)));
        }
    }
}

fn row(chain: &Chain) -> [String; CELLS] {
    let cycles = |cycles: f64| format!("{cycles:.2}");
    [
        format!("{:.1}", chain.instructions),
        cycles(chain.predicted),
        chain.simulated.map_or(NONE.to_owned(), cycles),
        cycles(chain.measured),
        chains::interval(chain),
        format!("{:.1}", chain.residual),
        format!("{:.1}", chain.per_ray),
        chains::limit(chain).to_owned(),
        chains::steps(&chain.steps, chain.turns).unwrap_or_else(|| NONE.to_owned()),
    ]
}

/// The iteration with the steps of its chain.
fn iteration(walk: &Walk, out: &mut Screen) {
    let scope = walk.scope.label();
    out.toned(
        format!(
            "The iteration that was executed most ({scope}; {:.2} iterations per visited square)",
            walk.iterations.per_square
        ),
        Tone::Heading,
    );
    let steps = walk.chain.as_ref().map_or(&[][..], |chain| &chain.steps);
    for (place, instruction) in walk.iteration.texts().into_iter().enumerate() {
        let cycles: Vec<String> = steps
            .iter()
            .filter(|step| step.instruction == place)
            .map(|step| format!("{:.2}", step.cycles))
            .collect();
        out.line(format!("  {instruction:44}  {}", cycles.join(" + ")));
    }
    if let Some(Ok(mca)) = &walk.mca {
        out.line(format!(
            "llvm-mca: {:.2} cycles per iteration, of which the resources of the core need {:.2}.",
            mca.cycles, mca.throughput
        ));
    }
}
