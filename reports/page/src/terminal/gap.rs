//! The gap between two designs part by part.

use raywalk_judge::Judged;
use raywalk_judge::format::{NONE, cost, rate, signed};
use raywalk_judge::gap::{Breakdown, Gap};
use raywalk_results::schema::Provenance;

use super::screen::Screen;
use super::text_table::{Cell, TextTable, number, text};

/// Writes the finding and one row per part.
pub fn write(out: &mut Screen, judged: &Judged<'_>, all: &Breakdown<'_>, gap: &Gap<'_>) {
    out.line(all.finding(judged, gap));
    out.blank();
    let ids = [gap.slower, gap.faster].map(|side| side.row.id.as_str());
    let headings = [number(ids[0]), number(ids[1]), number("difference"), text("how it is found")];
    let mut table = TextTable::new([text("cycles per position")].into_iter().chain(headings));
    let of_parts = gap.slower.parts.iter().zip(&gap.faster.parts).zip(&gap.parts);
    for ((slower, faster), part) in of_parts {
        let numbers = [slower, faster, part].map(|part| Cell::from(signed(part.cycles)));
        let how = Cell::from(part.cause.explained().to_owned());
        table.row(
            [Cell::from(part.cause.name().to_owned())].into_iter().chain(numbers).chain([how]),
        );
    }
    let all_parts = [gap.slower.stream, gap.faster.stream, gap.cycles()];
    let numbers = all_parts.map(|cycles| Cell::from(signed(cycles)));
    let measured = Cell::from(format!("stream of {}, measured", all.panel.panel.workload));
    table.row([Cell::from("all".to_owned())].into_iter().chain(numbers).chain([measured]));
    for (name, of, how) in [
        (
            "instructions",
            [gap.slower, gap.faster].map(|side| cost(side.instructions)),
            Provenance::Counted.name(),
        ),
        (
            "critical path",
            [gap.slower, gap.faster].map(|side| side.critical_path.map_or(NONE.to_owned(), cost)),
            "cycles, computed with measured latencies",
        ),
        (
            "mispredictions",
            [gap.slower, gap.faster].map(|side| rate(side.misses)),
            "modelled, stream less replay",
        ),
        (
            "cache lines of a call",
            [gap.slower, gap.faster].map(|side| cost(side.lines)),
            Provenance::Counted.name(),
        ),
    ] {
        let numbers = of.map(Cell::from).into_iter().chain([Cell::from(String::new())]);
        table.row(
            [Cell::from(name.to_owned())]
                .into_iter()
                .chain(numbers)
                .chain([Cell::from(how.to_owned())]),
        );
    }
    table.write(out);
}
