//! The designs: claims of their sources, counts of this build, and the outcome of verification.

use maud::{Markup, html};
use raywalk_judge::format::{cost, grouped};
use raywalk_results::schema::{Design, Plugin, Status, Trace};

use crate::label::About;
use crate::table::{Cell, Table};
use crate::view::View;

/// One row per design, verified or not.
pub(crate) fn body(view: View<'_>) -> Markup {
    match table(view) {
        Some(table) => table.render(),
        None => html! { p { "This journal lists no designs." } },
    }
}

/// The table; `None` without designs.
pub(crate) fn table(view: View<'_>) -> Option<Table> {
    let results = view.judged.results;
    let designs = &results.designs;
    let code_of = |id: &str| Some(results.codes.iter().find(|code| code.design == id)?.bytes);
    let traced = results.traces.first().map(|trace| &trace.workload);
    let lines_of = |id: &str| {
        let is_of = |trace: &&Trace| trace.design == id && Some(&trace.workload) == traced;
        results.traces.iter().find(is_of).map(|trace| trace.caches.lines_per_position)
    };
    let mut caption = "Name, author, year, source, control flow and published bytes are claims of the source. Bytes \
                       of tables, of one board and of a move in the list are counted by this build"
        .to_owned();
    let (has_code, has_lines) = (!results.codes.is_empty(), traced.is_some());
    if has_code {
        caption.push_str(", and so are the bytes of reachable code of the entry for all moves");
    }
    if let Some(workload) = traced {
        caption
            .push_str(". Lines are cache lines of data that a call touches on average, traced on ");
        caption.push_str(workload);
    }
    let mut columns = vec!["Design", "Author, year", "Claims", "Table bytes", "Published"];
    columns.extend(has_code.then_some("Code bytes"));
    columns.extend(["Board bytes", "Cells", "Move bytes"]);
    columns.extend(has_lines.then_some("Lines per call"));
    columns.extend(["Verification", "Source, and what was completed"]);
    let mut table = Table::new(
        view.label(
            caption,
            "claimed by the source, and counted by this build",
            About::Nothing("nothing is timed"),
        ),
        &columns,
    );
    for design in designs {
        let year = design.year.map_or("undated".to_owned(), |year| year.to_string());
        let mut cells = vec![
            Cell::markup(html! { (design.author) ", " (year) }, design.year.map(f64::from)),
            Cell::text(format!("{}, {}", design.control, design.legality)),
            count(design.table_bytes),
            count(design.published_bytes),
        ];
        cells.extend(has_code.then(|| count(code_of(&design.id))));
        cells.extend([design.board_bytes, design.board_cells, design.move_bytes].map(count));
        cells.extend(has_lines.then(|| Cell::number(lines_of(&design.id), cost)));
        cells.extend([status(&design.status), Cell::markup(notes(design), None)]);
        table.design(view.keys, &design.id, &design.name, cells);
    }
    (!designs.is_empty()).then(|| table.printed_without(1))
}

fn count(bytes: Option<u64>) -> Cell {
    Cell::number(bytes.map(|bytes| bytes as f64), |bytes| grouped(bytes as u64))
}

fn status(status: &Status) -> Cell {
    match status {
        Status::Verified { checks } => {
            let text = html! { (grouped(*checks)) " checks passed" };
            Cell::markup(text, Some(*checks as f64))
        }
        Status::Wrong { .. } => Cell::markup(html! { strong.worse { "failed" } }, None),
        Status::Missing { .. } => Cell::markup(html! { "cannot run here" }, None),
    }
}

fn notes(design: &Design) -> Markup {
    html! {
        p { (design.source) " (" code { (design.id) } ")" }
        @if !design.reconstructed.is_empty() { p { "Completed here: " (design.reconstructed) } }
        @if let Some(Plugin { file, digest }) = &design.plugin {
            p { "Plug-in " code { (file) } ", FNV-1a " code { (digest) } }
        }
        @if !design.needs.is_empty() { p { "Needs: " (design.needs.iter().map(|feature| feature.name()).collect::<Vec<_>>().join(", ")) } }
        @match &design.status {
            Status::Verified { .. } => {}
            Status::Wrong { why } => p { "Failed check: " (why) }
            Status::Missing { why } => p { "Missing: " (why) }
        }
    }
}
