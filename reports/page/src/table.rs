//! Tables of the page: a caption, headings with scopes, and cells that the script can sort.

use maud::{Markup, html};

use raywalk_judge::format::{NONE, certain, cost};
use raywalk_judge::summary::Row;
use raywalk_results::statistics::Verdict;

use crate::keys::Keys;

pub(crate) struct Table {
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

pub(crate) struct Cell {
    shown: Markup,
    order: Option<f64>,
    class: Option<&'static str>,
}

impl Cell {
    /// A number, formatted; a dash if it is absent or not finite.
    pub(crate) fn number(value: Option<f64>, format: impl FnOnce(f64) -> String) -> Cell {
        Cell::marked(value, "n", format)
    }

    /// A number with other classes than those of a plain one.
    pub(crate) fn marked(
        value: Option<f64>,
        class: &'static str,
        format: impl FnOnce(f64) -> String,
    ) -> Cell {
        let value = value.filter(|value| value.is_finite());
        let text = value.map_or_else(|| NONE.to_owned(), format);
        // The script sorts by the text where that is a number.
        let order = value.filter(|_| text.parse::<f64>().is_err());
        Cell { shown: html! { (text) }, order, class: Some(class) }
    }

    pub(crate) fn text(text: impl Into<String>) -> Cell {
        let text: String = text.into();
        Cell { shown: html! { (text) }, order: None, class: None }
    }

    pub(crate) fn markup(shown: Markup, order: Option<f64>) -> Cell {
        Cell { shown, order, class: None }
    }

    /// A text in the colour of a verdict.
    pub(crate) fn toned(text: String, tone: Option<&'static str>) -> Cell {
        Cell { class: tone, ..Cell::text(text) }
    }

    #[must_use]
    pub(crate) fn on_one_line(self) -> Cell {
        Cell { class: Some("w"), ..self }
    }
}

impl Table {
    /// An empty table. The first column holds the names of the rows.
    pub(crate) fn new<S: AsRef<str>>(caption: String, columns: &[S]) -> Table {
        let columns = columns.iter().map(|name| name.as_ref().to_owned()).collect();
        Table { caption, columns, rows: Vec::new() }
    }

    /// Adds the row of a design, with its marker.
    pub(crate) fn design(&mut self, keys: &Keys, id: &str, name: &str, cells: Vec<Cell>) {
        let key = keys.get(id);
        let head = html! { (marker(keys, id)) (name) };
        let class = key.map(|key| key.class());
        self.rows.push(Line { class, head, order: name.to_owned(), cells });
    }

    pub(crate) fn row(&mut self, name: &str, cells: Vec<Cell>) {
        let head = html! { (name) };
        self.rows.push(Line { class: None, head, order: name.to_owned(), cells });
    }

    /// The table in a frame of its own that scrolls in a narrow window.
    pub(crate) fn render(&self) -> Markup {
        html! {
            div.scroll tabindex="0" role="group" aria-label=(self.caption) {
                table {
                    caption { span { (self.caption) } }
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
            let class = row.cells.get(column.checked_sub(1)?)?.class?;
            Some(class == "n" || class.starts_with("n "))
        };
        self.rows.first().and_then(cell).unwrap_or(false)
    }
}

/// The class of a verdict, which colours its text.
pub(crate) fn tone(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Faster(_) => "better",
        Verdict::Slower(_) => "worse",
        Verdict::Equal { .. } => "even",
        Verdict::NotResolved => "open",
    }
}

/// A cost of a row and its interval, to the first uncertain digit.
pub(crate) fn with_interval(row: Option<&Row>, value: Option<f64>) -> [Cell; 2] {
    let half_width = row.and_then(|row| row.half_width);
    let ends = row.zip(value).and_then(|(row, value)| Some((value, row.ends(value)?)));
    let ends = ends.map(|(value, (low, high))| {
        let shown = |end: f64| certain(end, half_width.map(|part| part * value / end), cost);
        format!("{} to {}", shown(low), shown(high))
    });
    let value = Cell::number(value, |value| certain(value, half_width, cost));
    [value, Cell::text(ends.unwrap_or_else(|| NONE.to_owned())).on_one_line()]
}

/// The marker of a design. Hidden from screen readers, because the name is always beside it.
pub(crate) fn marker(keys: &Keys, id: &str) -> Markup {
    match keys.get(id) {
        Some(key) => html! {
            span.marker.(format!("f-{}", key.ink().variable())) aria-hidden="true" { (key.symbol()) }
        },
        None => html! {},
    }
}
