//! Tables of aligned columns that fit the terminal. Every table of every command is written here.
//!
//! Cells and headings that are too wide wrap at words. A table that is still too wide is written in
//! several parts.

use std::collections::HashSet;

use super::markdown;
use super::screen::{Screen, Tone, clean, columns, wrap};
use super::widths::{GAP, Measure, Part, parts};

/// The longest text of a cell, in characters.
const LONGEST_CELL: usize = 400;

/// The heading and alignment of a column.
#[derive(Clone, Debug)]
pub struct Column {
    heading: String,
    is_number: bool,
    /// Whether a table that is too wide is split before this column.
    begins_section: bool,
}

/// A column of texts, aligned left.
pub fn text(heading: impl Into<String>) -> Column {
    let heading = clean(&heading.into(), LONGEST_CELL);
    Column { heading, is_number: false, begins_section: false }
}

/// A column of numbers, aligned right.
pub fn number(heading: impl Into<String>) -> Column {
    Column { is_number: true, ..text(heading) }
}

impl Column {
    /// The column, as the first of a section.
    #[must_use]
    pub fn section(self) -> Column {
        Column { begins_section: true, ..self }
    }
}

/// A text with its tone.
#[derive(Clone, Debug)]
pub struct Cell {
    text: String,
    tone: Tone,
}

impl Cell {
    /// A text in a tone.
    pub fn toned(text: impl AsRef<str>, tone: Tone) -> Cell {
        Cell { text: clean(text.as_ref(), LONGEST_CELL), tone }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::toned(text, Tone::Plain)
    }
}

/// A line of the table.
#[derive(Clone, Debug)]
enum Line {
    /// One cell per column.
    Row(Vec<Cell>),
    /// A text that begins at the second column and does not widen any.
    Note(String),
}

/// Rows under columns that are as wide as their widest cell.
#[derive(Clone, Debug)]
pub struct TextTable {
    columns: Vec<Column>,
    lines: Vec<Line>,
    indent: usize,
}

impl TextTable {
    /// A table with these columns, without rows and without an indent.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> TextTable {
        TextTable { columns: columns.into_iter().collect(), lines: Vec::new(), indent: 0 }
    }

    /// The table moved to the right by one gap.
    #[must_use]
    pub fn indented(self) -> TextTable {
        TextTable { indent: GAP, ..self }
    }

    /// Adds a row with one cell per column.
    pub fn row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let cells: Vec<Cell> = cells.into_iter().map(Into::into).collect();
        debug_assert_eq!(cells.len(), self.columns.len());
        self.lines.push(Line::Row(cells));
    }

    /// Adds a line that belongs to the row above it.
    pub fn note(&mut self, text: impl Into<String>) {
        self.lines.push(Line::Note(text.into()));
    }

    /// Writes the headings and all lines, in as many parts as the width demands.
    pub fn write(&self, out: &mut Screen) {
        if out.is_markdown() {
            return self.write_markdown(out);
        }
        let parts = parts(&self.measures(), self.keys(), out.room() - self.indent);
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                out.blank();
            }
            self.write_part(out, part, number == 0);
        }
    }

    /// Writes all rows as one table, and the notes below it.
    fn write_markdown(&self, out: &mut Screen) {
        let columns: Vec<_> =
            self.columns.iter().map(|column| (&*column.heading, column.is_number)).collect();
        let rows = self.lines.iter().filter_map(|line| match line {
            Line::Row(cells) => Some(cells.iter().enumerate().map(|(column, cell)| match column {
                0 => out.marked(&cell.text),
                _ => markdown::escaped(&cell.text),
            })),
            Line::Note(_) => None,
        });
        let table = markdown::table(&columns, rows);
        out.block(&table);
        for line in &self.lines {
            if let Line::Note(text) = line {
                out.line(text);
            }
        }
    }

    fn write_part(&self, out: &mut Screen, part: &Part, with_notes: bool) {
        let headings: Vec<Vec<String>> = part
            .iter()
            .map(|&(column, width)| heading_lines(&self.columns[column].heading, width))
            .collect();
        let height = headings.iter().map(Vec::len).max().unwrap_or(0);
        for number in 0..height {
            // Headings stand directly above their columns.
            let cells = headings.iter().map(|lines| {
                let above = height - lines.len();
                let text = number.checked_sub(above).map_or("", |number| &*lines[number]);
                (text, Tone::Heading)
            });
            self.write_line(out, part, cells);
        }
        for line in &self.lines {
            match line {
                Line::Row(cells) => self.write_row(out, part, cells),
                Line::Note(text) if with_notes => {
                    let start = self.indent + part.first().map_or(0, |&(_, width)| width + GAP);
                    out.hanging_line(format!("{:start$}{text}", ""), start);
                }
                Line::Note(_) => {}
            }
        }
    }

    fn write_row(&self, out: &mut Screen, part: &Part, cells: &[Cell]) {
        let wrapped: Vec<(Vec<String>, Tone)> = part
            .iter()
            .map(|&(column, width)| (wrap(&cells[column].text, width), cells[column].tone))
            .collect();
        let height = wrapped.iter().map(|(lines, _)| lines.len()).max().unwrap_or(0);
        for number in 0..height {
            let cells = wrapped
                .iter()
                .map(|(lines, tone)| (lines.get(number).map_or("", String::as_str), *tone));
            self.write_line(out, part, cells);
        }
    }

    fn write_line<'a>(
        &self,
        out: &mut Screen,
        part: &Part,
        cells: impl Iterator<Item = (&'a str, Tone)>,
    ) {
        let mut spans = vec![(self.indent, "", Tone::Plain)];
        for (&(column, width), (text, tone)) in part.iter().zip(cells) {
            let blanks = width.saturating_sub(columns(text));
            let [before, after] =
                if self.columns[column].is_number { [blanks, 0] } else { [0, blanks] };
            spans.push((before, text, tone));
            spans.push((after + GAP, "", Tone::Plain));
        }
        out.spans(&spans);
    }

    /// Number of columns that name a row: up to the first text, and as many of the texts behind it as it takes to tell
    /// all rows apart.
    fn keys(&self) -> usize {
        let is_text = |column: &Column| !column.is_number;
        let first = self.columns.iter().position(is_text).unwrap_or(0) + 1;
        let texts = self.columns.iter().skip(first).take_while(|column| is_text(column)).count();
        let tells_apart = |keys: &usize| {
            let mut known = HashSet::new();
            let names = |line: &Line| match line {
                Line::Row(cells) => {
                    Some(cells[..*keys].iter().map(|cell| cell.text.clone()).collect::<Vec<_>>())
                }
                Line::Note(_) => None,
            };
            self.lines.iter().filter_map(names).all(|names| known.insert(names))
        };
        (first..=first + texts).find(tells_apart).unwrap_or(first)
    }

    /// The widths of every column.
    fn measures(&self) -> Vec<Measure> {
        let column = |(place, column): (usize, &Column)| {
            let cells = self.lines.iter().filter_map(|line| match line {
                Line::Row(cells) => Some(&*cells[place].text),
                Line::Note(_) => None,
            });
            let Column { heading, is_number, begins_section } = column;
            Measure::of(&breakable(heading), cells, *is_number, *begins_section)
        };
        self.columns.iter().enumerate().map(column).collect()
    }
}

/// A heading with blanks where it may be broken: after words and after the slash of a unit.
fn breakable(heading: &str) -> String {
    heading.replace('/', "/ ")
}

fn heading_lines(heading: &str, width: usize) -> Vec<String> {
    if columns(heading) <= width {
        return vec![heading.to_owned()];
    }
    wrap(&breakable(heading), width).iter().map(|line| line.replace("/ ", "/")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(table: &TextTable, width: usize) -> String {
        let mut screen = Screen::new(width, false);
        table.write(&mut screen);
        screen.as_str().to_owned()
    }

    fn table() -> TextTable {
        let mut table = TextTable::new([
            number(""),
            text("design"),
            number("cycles/pos"),
            number("ratio").section(),
            number("interval"),
            text("verdict"),
        ]);
        let row = ["1", "one/name", "12.5", "0.812", "0.810 to 0.814", "1.230 times faster"];
        table.row(row.map(str::to_owned));
        let row = ["10", "two", "125", "1.000", "–", "baseline"];
        table.row(row.map(str::to_owned));
        table
    }

    #[test]
    fn texts_are_aligned_left_and_numbers_right_and_no_line_ends_in_blanks() {
        let mut table = TextTable::new([text("design"), number("ns"), text("note")]).indented();
        table.row(["a", "1.00", "–"].map(str::to_owned));
        table.note("below the second column, and wider than it");
        table.row(["longer name", "10.0", ""].map(str::to_owned));
        let expected = [
            "  design         ns  note",
            "  a            1.00  –",
            "               below the second column, and wider than it",
            "  longer name  10.0",
            "",
        ];
        assert_eq!(written(&table, 80), expected.join("\n"));
    }

    #[test]
    fn a_table_that_is_too_wide_wraps_headings_then_texts_and_is_then_split() {
        let texts = [70, 60, 50, 30].map(|width| written(&table(), width));
        insta::assert_snapshot!(texts.join(
            "
"
        ));
    }

    #[test]
    fn each_part_repeats_as_many_texts_as_tell_the_rows_apart() {
        let mut table = TextTable::new([
            text("design"),
            text("stage"),
            text("source"),
            number("instructions"),
            number("bytes").section(),
        ]);
        for stage in ["all", "captures"] {
            table.row(["one/name", stage, "a line of a file", "413", "1639"].map(str::to_owned));
        }
        let expected = [
            "design    stage     source      instructions",
            "one/name  all       a line of            413",
            "                    a file",
            "one/name  captures  a line of            413",
            "                    a file",
            "",
            "design    stage     bytes",
            "one/name  all        1639",
            "one/name  captures   1639",
            "",
        ];
        assert_eq!(written(&table, 44), expected.join("\n"));
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let mut table = table();
        let foreign = ["2", &"x".repeat(300), "\u{1b}[31m", &"1".repeat(90), "a b", "漢字漢字漢字"];
        table.row(foreign.map(str::to_owned));
        table.note("a note that is longer than the narrowest of these terminals");
        for width in 20..160 {
            let text = written(&table, width);
            assert!(text.lines().all(|line| columns(line) <= width), "{width}:\n{text}");
        }
    }

    #[test]
    fn foreign_cells_cannot_control_the_terminal_or_fill_it() {
        let mut table = TextTable::new([text("design\u{1b}[0m"), number("ns")]);
        table.row(["\u{1b}[2Jname\nforged  verified".to_owned(), "x".repeat(5_000_000)]);
        let text = written(&table, 80);
        assert!(!text.contains('\u{1b}') && text.len() < 5_000, "{text}");
        assert!(text.contains("\\u{1b}[2Jname\\nforged"), "{text}");
    }

    #[test]
    fn colours_do_not_change_the_alignment() {
        let mut table = TextTable::new([text("verdict"), number("n")]);
        table.row([Cell::toned("slower", Tone::Bad), "1".to_owned().into()]);
        let mut screen = Screen::new(80, true);
        table.write(&mut screen);
        let bare = screen.as_str().replace("\u{1b}[0m", "").replace("\u{1b}[1m", "");
        assert_eq!(bare.replace("\u{1b}[31m", ""), "verdict  n\nslower   1\n");
        assert!(screen.as_str().contains("\u{1b}[31mslower\u{1b}[0m"));
    }
}
