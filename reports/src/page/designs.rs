//! The designs: what their sources claim, what the machine counted, what was found.

use maud::{Markup, html};

use crate::plot::View;
use crate::schema::{Design, Status};
use crate::wording::grouped;

use super::table::{Cell, Table};

/// One row per design, verified or not.
pub fn body(view: View<'_>) -> Markup {
    let designs = &view.results.designs;
    if designs.is_empty() {
        return html! { p { "This journal introduces no design." } };
    }
    let caption = "Name, author, year, source, control flow and published bytes are claims of the \
                   source; bytes of tables and of one board are counted by this build";
    let columns = [
        "Design",
        "Author, year",
        "Claims",
        "Table bytes",
        "Published",
        "Board bytes",
        "Verified",
        "Source, and what was completed",
    ];
    let mut table = Table::new(caption.to_owned(), &columns);
    for design in designs {
        let year = design.year.map_or("undated".to_owned(), |year| year.to_string());
        table.design(
            view.keys,
            &design.id,
            &design.name,
            vec![
                Cell::markup(html! { (design.author) ", " (year) }, design.year.map(f64::from)),
                Cell::text(format!("{}, {}", design.control, design.legality)),
                count(design.table_bytes),
                count(design.published_bytes),
                count(design.board_bytes),
                status(&design.status),
                Cell::markup(notes(design), None),
            ],
        );
    }
    table.render()
}

fn count(bytes: Option<u64>) -> Cell {
    Cell::number(bytes.map(|bytes| bytes as f64), |bytes| grouped(bytes as u64))
}

fn status(status: &Status) -> Cell {
    match status {
        Status::Verified { checks } => {
            let said = html! { (grouped(*checks)) " checks" };
            Cell::markup(said, Some(*checks as f64))
        }
        Status::Wrong { .. } => Cell::markup(html! { strong.worse { "wrong" } }, None),
        Status::Missing { .. } => Cell::markup(html! { "cannot run here" }, None),
    }
}

fn notes(design: &Design) -> Markup {
    let why = match &design.status {
        Status::Verified { .. } => None,
        Status::Wrong { why } | Status::Missing { why } => Some(why),
    };
    html! {
        p { (design.source) " (" code { (design.id) } ")" }
        @if !design.reconstructed.is_empty() { p { "Completed by us: " (design.reconstructed) } }
        @if !design.needs.is_empty() { p { "Needs: " (design.needs.join(", ")) } }
        @if let Some(why) = why { p { "Found: " (why) } }
    }
}
