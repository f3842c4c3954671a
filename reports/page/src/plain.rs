//! Tables of the page outside of the page: for the terminal, as Markdown and as CSV.

use maud::Markup;
use raywalk_results::statistics::Verdict;

use crate::export::field;
use crate::terminal::text_table::{TextTable, number, text};
use crate::terminal::{Screen, Tone};

/// A table of the page as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainTable {
    pub(crate) title: String,
    /// Provenance, regime, stage, corpus and session.
    pub(crate) origin: String,
    pub(crate) session: String,
    /// Each heading, and whether numbers stand below it.
    pub(crate) columns: Vec<(String, bool)>,
    pub(crate) rows: Vec<Vec<PlainCell>>,
}

/// Marks of a cell, and what they mean.
pub(crate) const FASTEST: &str = "★ ";
const EQUAL: &str = " =";
const OPEN: &str = " ?";
pub(crate) const UNRANKED: &str = " ‡";
const MEANINGS: [(&str, &str); 4] = [
    (FASTEST, "the fastest design of a column"),
    (EQUAL, "equal within the margin"),
    (OPEN, "not resolved"),
    (UNRANKED, "without a rank, because most samples were left out as spoilt"),
];

/// The mark behind a ratio with this verdict.
pub(crate) fn mark(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Equal { .. } => EQUAL,
        Verdict::NotResolved => OPEN,
        Verdict::Faster(_) | Verdict::Slower(_) => "",
    }
}

/// A cell of such a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlainCell {
    pub(crate) text: String,
    /// Before the text and behind it, for readers.
    pub(crate) marks: [&'static str; 2],
}

impl PlainCell {
    fn marked(&self) -> String {
        let [before, after] = self.marks.map(|mark| mark.replace(' ', "\u{a0}"));
        format!("{before}{}{after}", self.text)
    }
}

impl PlainTable {
    /// Writes title, rows and label.
    pub fn write(&self, out: &mut Screen) {
        out.toned(&self.title, Tone::Heading);
        let column = |(name, is_number): &(String, bool)| match is_number {
            true => number(name),
            false => text(name),
        };
        let mut table = TextTable::new(self.columns.iter().map(column));
        self.rows.iter().for_each(|row| table.row(row.iter().map(PlainCell::marked)));
        table.write(out);
        let is_used =
            |mark: &str| self.rows.iter().flatten().any(|cell| cell.marks.contains(&mark));
        let used = MEANINGS.iter().filter(|(mark, _)| is_used(mark));
        let legend: Vec<String> =
            used.map(|(mark, meaning)| format!("{} {meaning}", mark.trim())).collect();
        if !legend.is_empty() {
            out.line(legend.join("; "));
        }
        out.line(&self.origin);
    }

    /// A heading line and one line per row, with the digits of the page and without its marks. The last column is the
    /// session, so that rows of several sessions can be told apart in one file.
    pub fn csv(&self) -> String {
        let line =
            |cells: Vec<&str>| cells.into_iter().map(field).collect::<Vec<_>>().join(",") + "\n";
        let names = self.columns.iter().map(|(name, _)| name.as_str());
        let head = line(names.chain(["Session"]).collect());
        let texts = |row: &Vec<PlainCell>| {
            let cells = row.iter().map(|cell| cell.text.as_str());
            line(cells.chain([self.session.as_str()]).collect())
        };
        let rows = self.rows.iter().map(texts);
        std::iter::once(head).chain(rows).collect()
    }
}

/// The text of an element, without its tags.
pub(crate) fn text_of(markup: &Markup) -> String {
    let mut text = String::new();
    for part in markup.0.split('<') {
        let shown = match text.is_empty() && !markup.0.starts_with('<') {
            true => part,
            false => part.split_once('>').map_or("", |(_, shown)| shown),
        };
        text.push_str(shown);
    }
    let characters = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    characters.into_iter().fold(text, |text, (escape, one)| text.replace(escape, one))
}

#[cfg(test)]
mod tests {
    use maud::html;

    use super::*;

    #[test]
    fn marks_are_explained_below_the_table_and_stay_beside_their_number() {
        let cell = |marks| PlainCell { text: "0.91".to_owned(), marks };
        let table = PlainTable {
            title: "Ratios".to_owned(),
            origin: "measured".to_owned(),
            session: "now".to_owned(),
            columns: vec![("ab4".to_owned(), true)],
            rows: vec![vec![cell([FASTEST, OPEN])], vec![cell(["", ""])]],
        };
        let mut screen = Screen::new(80, false);
        table.write(&mut screen);
        let expected = "Ratios\n     ab4\n★\u{a0}0.91\u{a0}?\n    0.91\n\
                        ★ the fastest design of a column; ? not resolved\nmeasured\n";
        assert_eq!(screen.as_str(), expected);
    }

    #[test]
    fn the_text_of_an_element_has_neither_tags_nor_escapes() {
        assert_eq!(text_of(&html! { "2 < 3 & \"x\" > y" }), "2 < 3 & \"x\" > y");
        assert_eq!(text_of(&html! { p { "a" } span.note title="x" { "&lt;" } "c" }), "a&lt;c");
        assert_eq!(text_of(&html! {}), "");
    }
}
