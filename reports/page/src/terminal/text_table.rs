//! Tables of aligned columns, the one writer for all texts of the terminal.

use std::fmt::{self, Write};

const GAP: usize = 2;

#[derive(Clone, Debug)]
pub(crate) struct Column {
    heading: String,
    is_number: bool,
}

pub(crate) fn text(heading: impl Into<String>) -> Column {
    Column { heading: heading.into(), is_number: false }
}

pub(crate) fn number(heading: impl Into<String>) -> Column {
    Column { heading: heading.into(), is_number: true }
}

#[derive(Clone, Debug)]
enum Line {
    /// One cell per column.
    Row(Vec<String>),
    /// A text that begins at the second column and does not widen any.
    Note(String),
}

/// A table. Every column is as wide as its widest cell.
#[derive(Clone, Debug)]
pub(crate) struct TextTable {
    columns: Vec<Column>,
    lines: Vec<Line>,
    indent: usize,
}

impl TextTable {
    pub(crate) fn new(columns: impl IntoIterator<Item = Column>) -> TextTable {
        TextTable { columns: columns.into_iter().collect(), lines: Vec::new(), indent: 0 }
    }

    /// The table moved to the right by one gap.
    #[must_use]
    pub(crate) fn indented(self) -> TextTable {
        TextTable { indent: GAP, ..self }
    }

    /// Adds a row with one cell per column.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        debug_assert_eq!(cells.len(), self.columns.len());
        self.lines.push(Line::Row(cells));
    }

    /// Adds a line that belongs to the row above it.
    pub(crate) fn note(&mut self, text: impl Into<String>) {
        self.lines.push(Line::Note(text.into()));
    }

    /// Writes the headings and all lines, without blanks at their ends.
    pub(crate) fn write(&self, out: &mut dyn Write) -> fmt::Result {
        let widths = self.widths();
        let headings: Vec<&str> = self.columns.iter().map(|column| &*column.heading).collect();
        self.write_row(out, &headings, &widths)?;
        for line in &self.lines {
            match line {
                Line::Row(cells) => {
                    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
                    self.write_row(out, &cells, &widths)?;
                }
                Line::Note(text) => {
                    let start = self.indent + widths.first().map_or(0, |width| width + GAP);
                    writeln!(out, "{:start$}{text}", "")?;
                }
            }
        }
        Ok(())
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.columns.iter().map(|one| length(&one.heading)).collect();
        for line in &self.lines {
            let Line::Row(cells) = line else { continue };
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = (*width).max(length(cell));
            }
        }
        widths
    }

    fn write_row(&self, out: &mut dyn Write, cells: &[&str], widths: &[usize]) -> fmt::Result {
        let mut text = " ".repeat(self.indent);
        for ((cell, column), &width) in cells.iter().zip(&self.columns).zip(widths) {
            // Texts are aligned left, numbers right.
            match column.is_number {
                false => write!(text, "{cell:<width$}")?,
                true => write!(text, "{cell:>width$}")?,
            }
            text.push_str(&" ".repeat(GAP));
        }
        writeln!(out, "{}", text.trim_end())
    }
}

fn length(cell: &str) -> usize {
    cell.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_aligned_left_and_numbers_right_and_no_line_ends_in_blanks() {
        let mut table = TextTable::new([text("design"), number("ns"), text("note")]).indented();
        table.row(["a", "1.00", "–"].map(str::to_owned));
        table.note("below the second column, and wider than it");
        table.row(["longer name", "10.0", ""].map(str::to_owned));
        let mut written = String::new();
        table.write(&mut written).expect("a string accepts everything");
        let expected = [
            "  design         ns  note",
            "  a            1.00  –",
            "               below the second column, and wider than it",
            "  longer name  10.0",
            "",
        ];
        assert_eq!(written, expected.join("\n"));
    }
}
