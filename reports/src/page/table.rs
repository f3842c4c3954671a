//! Tables of the page: a caption, scoped headings, and cells that a script can sort.

use maud::{Markup, html};

use crate::plot::key::Keys;
use crate::wording::NONE;

/// A table being filled.
pub struct Table {
    caption: String,
    columns: Vec<String>,
    rows: Vec<Line>,
}

struct Line {
    class: Option<String>,
    head: Markup,
    order: String,
    cells: Vec<Cell>,
}

/// One cell.
pub struct Cell {
    shown: Markup,
    /// What it is sorted by.
    order: Option<f64>,
    class: Option<&'static str>,
}

impl Cell {
    /// A number as `say` writes it, or a dash.
    pub fn number(value: Option<f64>, say: impl Fn(f64) -> String) -> Cell {
        let value = value.filter(|value| value.is_finite());
        let text = value.map_or_else(|| NONE.to_owned(), say);
        Cell { shown: html! { (text) }, order: value, class: Some("n") }
    }

    /// Words.
    pub fn text(text: impl Into<String>) -> Cell {
        let text: String = text.into();
        Cell { shown: html! { (text) }, order: None, class: None }
    }

    /// Anything, with what it is sorted by.
    pub fn markup(shown: Markup, order: Option<f64>) -> Cell {
        Cell { shown, order, class: None }
    }

    /// Never broken into two lines.
    #[must_use]
    pub fn on_one_line(self) -> Cell {
        Cell { class: Some("w"), ..self }
    }
}

impl Table {
    /// An empty table. The first column is the one that names the rows.
    pub fn new<S: AsRef<str>>(caption: String, columns: &[S]) -> Table {
        let columns = columns.iter().map(|name| name.as_ref().to_owned()).collect();
        Table { caption, columns, rows: Vec::new() }
    }

    /// A row of a design, with its marker.
    pub fn design(&mut self, keys: &Keys, id: &str, name: &str, cells: Vec<Cell>) {
        let key = keys.get(id);
        let head = html! { (marker(keys, id)) (name) };
        let class = key.map(|key| key.class());
        self.rows.push(Line { class, head, order: name.to_owned(), cells });
    }

    /// A row of anything else.
    pub fn row(&mut self, name: &str, cells: Vec<Cell>) {
        let head = html! { (name) };
        self.rows.push(Line { class: None, head, order: name.to_owned(), cells });
    }

    /// Whether there is a row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table in a frame that scrolls by itself where the window is narrow.
    pub fn render(&self) -> Markup {
        html! {
            div.scroll tabindex="0" role="group" aria-label=(self.caption) {
                table {
                    caption { (self.caption) }
                    thead { tr {
                        @for (place, name) in self.columns.iter().enumerate() {
                            th scope="col" class=[self.is_numeric(place).then_some("n")] { (name) }
                        }
                    } }
                    tbody {
                        @for row in &self.rows {
                            tr class=[row.class.as_deref()] {
                                th scope="row" data-v=(row.order) { (row.head) }
                                @for cell in &row.cells {
                                    td class=[cell.class] data-v=[cell.order] {
                                        (cell.shown)
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    fn is_numeric(&self, column: usize) -> bool {
        let cell = |row: &Line| {
            column.checked_sub(1).and_then(|i| Some(row.cells.get(i)?.class == Some("n")))
        };
        self.rows.first().and_then(cell).unwrap_or(false)
    }
}

/// The marker of a design, for the eye alone: its name always stands beside it.
pub fn marker(keys: &Keys, id: &str) -> Markup {
    match keys.get(id) {
        Some(key) => html! {
            span.marker.(format!("f-{}", key.ink().variable())) aria-hidden="true" { (key.symbol()) }
        },
        None => html! {},
    }
}
