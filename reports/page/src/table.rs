//! Tables of the page: a label, headings with scopes, and cells that the script can sort.

use maud::{Markup, html};

use raywalk_judge::format::{NONE, certain, cost, list, plural};
use raywalk_judge::summary::Row;
use raywalk_results::schema::Control;
use raywalk_results::statistics::Verdict;

use crate::keys::Keys;
use crate::label::Label;
use crate::plain::{PlainCell, PlainTable, text_of};

pub(crate) struct Table {
    label: Label,
    columns: Vec<String>,
    rows: Vec<Line>,
    /// Columns at the end that are not printed.
    unprinted: usize,
}

struct Line {
    /// Name of the row outside of the page: the id of a design.
    name: String,
    class: Option<String>,
    /// The classes of the designs that it is about, if they are several.
    about: Option<String>,
    /// The class of control flow of a design.
    control: Option<Control>,
    head: Markup,
    cells: Vec<Cell>,
}

/// The cells of a row, without anything around them.
fn cells_of(head: &Markup, cells: &[Cell]) -> Markup {
    html! {
        th scope="row" { (head) }
        @for cell in cells {
            td class=[cell.class] data-v=[cell.order] { (cell.marks[0]) (cell.shown) (cell.marks[1]) }
        }
    }
}

/// The cells of a row that is in no table.
pub(crate) fn cells_of_row(name: &str, cells: &[Cell]) -> String {
    cells_of(&html! { (name) }, cells).into_string()
}

/// Tables with more designs than this are shortened on paper.
const WHOLE: usize = 24;
/// Rows of each class that are printed of such a table, the first ones.
const EACH: usize = 5;

pub(crate) struct Cell {
    shown: Markup,
    /// Before it and behind it, except in CSV.
    marks: [&'static str; 2],
    order: Option<f64>,
    class: Option<&'static str>,
}

impl Cell {
    /// A number, formatted; a dash if it is absent or not finite.
    pub(crate) fn number(value: Option<f64>, format: impl FnOnce(f64) -> String) -> Cell {
        Cell::marked(value, "n", ["", ""], format)
    }

    /// A number with other classes than those of a plain one, between marks that a text on the page explains. An absent
    /// number has no marks.
    pub(crate) fn marked(
        value: Option<f64>,
        class: &'static str,
        marks: [&'static str; 2],
        format: impl FnOnce(f64) -> String,
    ) -> Cell {
        let value = value.filter(|value| value.is_finite());
        let marks = if value.is_some() { marks } else { ["", ""] };
        let text = value.map_or_else(|| NONE.to_owned(), format);
        // The script sorts by the text where that is a number.
        let is_number = text.parse::<f64>().is_ok() && marks == ["", ""];
        let order = value.filter(|_| !is_number).map(rounded);
        Cell { shown: html! { (text) }, marks, order, class: Some(class) }
    }

    pub(crate) fn text(text: impl Into<String>) -> Cell {
        let text: String = text.into();
        Cell::markup(html! { (text) }, None)
    }

    pub(crate) fn markup(shown: Markup, order: Option<f64>) -> Cell {
        Cell { shown, marks: ["", ""], order: order.map(rounded), class: None }
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

/// Six digits are enough to sort by.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

impl Table {
    /// An empty table. The first column holds the names of the rows.
    pub(crate) fn new<S: AsRef<str>>(label: Label, columns: &[S]) -> Table {
        let columns = columns.iter().map(|name| name.as_ref().to_owned()).collect();
        Table { label, columns, rows: Vec::new(), unprinted: 0 }
    }

    /// Leaves the last columns out on paper, one or two: texts that would fill pages.
    #[must_use]
    pub(crate) fn printed_without(self, columns: usize) -> Table {
        Table { unprinted: columns, ..self }
    }

    /// Adds the row of a design, with its marker.
    pub(crate) fn design(&mut self, keys: &Keys, id: &str, name: &str, cells: Vec<Cell>) {
        let key = keys.get(id);
        let head = html! { (marker(keys, id)) (name) };
        let (class, control) = (key.map(|key| key.class()), key.map(|key| key.control));
        self.rows.push(Line { name: id.to_owned(), class, about: None, control, head, cells });
    }

    pub(crate) fn row(&mut self, name: &str, cells: Vec<Cell>) {
        let head = html! { (name) };
        let (class, about, control) = (None, None, None);
        self.rows.push(Line { name: name.to_owned(), class, about, control, head, cells });
    }

    /// The last row compares these designs, so it is hidden with any of them.
    pub(crate) fn compares(&mut self, keys: &Keys, ids: &[&str]) {
        if let Some(row) = self.rows.last_mut() {
            let owners: Vec<String> = ids.iter().filter_map(|id| keys.owner(id)).collect();
            row.class = Some(owners.join(" ")).filter(|class| !class.is_empty());
        }
    }

    /// The last row is about these designs, by their classes. It is hidden if all of them are, and shows a note if
    /// some are.
    pub(crate) fn about(&mut self, classes: impl IntoIterator<Item = String>) {
        let classes: Vec<String> = classes.into_iter().collect();
        if let (Some(row), false) = (self.rows.last_mut(), classes.is_empty()) {
            row.about = Some(classes.join(" "));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows behind the first `count` as a table of their own, with the same label; `None` if there are none.
    pub(crate) fn split_off(&mut self, count: usize) -> Option<Table> {
        let rows = self.rows.split_off(count.min(self.rows.len()));
        let (label, columns) = (self.label.clone(), self.columns.clone());
        (!rows.is_empty()).then_some(Table { label, columns, rows, unprinted: self.unprinted })
    }

    /// The table in a frame of its own that scrolls in a narrow window.
    pub(crate) fn render(&self) -> Markup {
        let printed = self.printed();
        let left_out = printed.iter().filter(|is| !**is).count();
        html! {
            @let class = match self.unprinted {
                0 => "scroll".to_owned(),
                some => format!("scroll less-{some}"),
            };
            div class=(class) tabindex="0" role="group" aria-label=(self.label.title)
                data-session=(self.label.session()) {
                table {
                    caption { (self.label.render()) }
                    thead { tr {
                        @for (place, name) in self.columns.iter().enumerate() {
                            th scope="col" class=[self.is_numeric(place).then_some("n")] { (name) }
                        }
                    } }
                    tbody {
                        @for (row, is_printed) in self.rows.iter().zip(&printed) {
                            @let screen = if *is_printed { "" } else { " screen" };
                            tr class=[row.class.as_ref().map(|class| format!("{class}{screen}"))]
                                data-about=[&row.about] {
                                (cells_of(&row.head, &row.cells))
                            }
                        }
                    }
                }
                @if left_out > 0 {
                    p.paper {
                        "Printed are the first " (EACH) " rows of each class; " (plural(left_out, "further row"))
                        " can be found on the screen."
                    }
                }
                @if self.unprinted > 0 {
                    p.paper {
                        "Left out on paper, and shown on the screen: "
                        (list(&self.columns[self.columns.len().saturating_sub(self.unprinted)..])) "."
                    }
                }
            }
        }
    }

    /// Provenance, positions and sessions of its numbers: the label without the title.
    pub(crate) fn origin(&self) -> &Markup {
        self.label.origin()
    }

    /// The table outside of the page, where rows of designs have their ids.
    pub(crate) fn plain(&self) -> PlainTable {
        let row = |line: &Line| {
            let cell = |cell: &Cell| PlainCell { text: text_of(&cell.shown), marks: cell.marks };
            let name = PlainCell { text: line.name.clone(), marks: ["", ""] };
            std::iter::once(name).chain(line.cells.iter().map(cell)).collect()
        };
        let column = |(place, name): (usize, &String)| (name.clone(), self.is_numeric(place));
        PlainTable {
            title: self.label.title.clone(),
            origin: text_of(self.label.origin()),
            session: self.label.session().to_owned(),
            columns: self.columns.iter().enumerate().map(column).collect(),
            rows: self.rows.iter().map(row).collect(),
        }
    }

    /// Whether each row is printed: all of a short table, the first designs of each class of a long one.
    fn printed(&self) -> Vec<bool> {
        let of_class = |row: &Line, before: &[Line]| {
            before.iter().filter(|other| other.control == row.control).count() < EACH
        };
        let is_long = self.rows.iter().filter(|row| row.control.is_some()).count() > WHOLE;
        let rows = self.rows.iter().enumerate();
        let is_printed = |(place, row): (usize, &Line)| {
            !is_long || row.control.is_none() || of_class(row, &self.rows[..place])
        };
        rows.map(is_printed).collect()
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
