//! Perft of single positions side by side, in leaves per second.

use raywalk_judge::Judged;
use raywalk_judge::format::{NONE, certain, cost};
use raywalk_judge::leaves::LeafTable;

use super::screen::Screen;
use super::text_table::{Cell, TextTable, number, text};

/// Writes the tables; nothing if there is none.
pub fn write(out: &mut Screen, judged: &Judged<'_>, tables: &[LeafTable<'_>]) {
    for table in tables {
        one(out, judged, table);
    }
}

fn one(out: &mut Screen, judged: &Judged<'_>, leaves: &LeafTable<'_>) {
    out.line(format!(
        "{}: million leaves per second, derived from measured times, and their geometric mean",
        leaves.operation.label()
    ));
    out.blank();
    let positions = leaves.panels.iter().map(|panel| number(leaves.position(panel)));
    let speeds = leaves.references.iter().map(|row| number(format!("x {}", row.id)));
    let columns = [number(""), text("design")].into_iter().chain(positions);
    let mut table = TextTable::new(columns.chain([number("mean").section()]).chain(speeds));
    for (place, design) in leaves.designs.iter().enumerate() {
        let rates = leaves.panels.iter().map(|panel| {
            let half_width = panel.row(&design.id).and_then(|row| row.half_width);
            rate(LeafTable::millions(panel, &design.id), half_width)
        });
        let half_width = leaves.half_width(&design.id);
        let mean = rate(leaves.mean(&design.id), half_width);
        let speeds = leaves
            .references
            .iter()
            .map(|reference| rate(leaves.speed(&design.id, &reference.id), half_width));
        let first = [(place + 1).to_string(), design.id.clone()].map(Cell::from);
        table.row(first.into_iter().chain(rates).chain([mean]).chain(speeds));
    }
    table.write(out);
    out.blank();
    if let Some(finding) = leaves.finding(judged) {
        out.line(finding);
        out.blank();
    }
}

fn rate(value: Option<f64>, half_width: Option<f64>) -> Cell {
    value.map_or_else(|| NONE.to_owned(), |value| certain(value, half_width, cost)).into()
}
