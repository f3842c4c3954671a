//! Folded parts of a large page: compressed text, which the script draws when a reader opens it.
//!
//! A full session of eighty designs has ten thousand rows of ranked tables. As elements of the document they would take
//! thirteen megabytes and many seconds. The rows of panels are also in the summary for download, which needs no script.

use std::io::Write;

use flate2::{Compression, GzBuilder};
use maud::{Markup, html};
use raywalk_judge::format::plural;

use crate::table::Table;

/// Folded parts with more elements than this in all are compressed.
const MOST: usize = 5_000;

/// A single folded part with more elements than this is compressed: the numbers of some hundred designs.
const MOST_ALONE: usize = 1_000;

/// A part that a reader opens.
pub(crate) struct Fold {
    pub(crate) title: String,
    /// The workload that it is about, if it is about one.
    pub(crate) workload: Option<String>,
    pub(crate) body: Markup,
}

/// All of them compressed as one text, or none.
pub(crate) fn folded(folds: &[Fold]) -> Markup {
    let is_large = folds.iter().map(|fold| elements(&fold.body)).sum::<usize>() > MOST;
    if !is_large {
        return html! {
            @for Fold { title, workload, body } in folds {
                details.group data-workload=[workload] { summary { (title) } (body) }
            }
        };
    }
    let bodies: Vec<&str> = folds.iter().map(|fold| &*fold.body.0).collect();
    html! {
        p.note {
            "The following tables are drawn from compressed data when they are opened, which needs scripts. \
             The rows of panels are also in the summary for download."
        }
        div data-packed=(in_ascii(&gzip(&by_columns(&bodies)))) {
            @for Fold { title, workload, .. } in folds {
                details.group data-workload=[workload] { summary { (title) } }
            }
        }
    }
}

/// Text as an attribute that the script unpacks. It has no columns, and parts as the script splits them.
pub(crate) fn packed(text: &str) -> String {
    in_ascii(&gzip(text))
}

/// Where the rows of panels are without a script.
const SUMMARY: &str = "The summary for download has the rows of panels.";

/// The first rows of a table, and the others folded, compressed if they are large. `elsewhere` names what has them
/// without a script.
pub(crate) fn first_rows(mut table: Table, noun: &str, elsewhere: &str) -> Markup {
    let rest = table.split_off(SHOWN);
    html! {
        (table.render())
        @if let Some(rest) = rest {
            (fold(&plural(rest.len(), noun), rest.render(), false, elsewhere))
        }
    }
}

/// Rows of a table that may be long.
const SHOWN: usize = 24;

/// A folded part, compressed if it is large. `is_wanted` parts open by themselves when a choice of the bar shows them.
pub(crate) fn folded_alone(title: &str, body: Markup, is_wanted: bool) -> Markup {
    fold(title, body, is_wanted, SUMMARY)
}

/// The same with another place that has the rows.
pub(crate) fn fold(title: &str, body: Markup, is_wanted: bool, elsewhere: &str) -> Markup {
    let wanted = is_wanted.then_some("");
    if elements(&body) <= MOST_ALONE {
        return html! { details data-wanted=[wanted] { summary { (title) } (body) } };
    }
    html! {
        noscript { p.note { (title) ": drawn by a script from compressed data. " (elsewhere) } }
        div data-packed=(in_ascii(&gzip(&by_columns(&[&body.0])))) {
            details data-wanted=[wanted] { summary { (title) } }
        }
    }
}

/// The body itself, or folded and compressed if it is large.
pub(crate) fn folded_if_large(title: &str, body: Markup, is_wanted: bool) -> Markup {
    if elements(&body) <= MOST_ALONE { body } else { folded_alone(title, body, is_wanted) }
}

/// Stands before each column.
const COLUMN: char = '\u{1d}';
/// Between two parts of a column, and of the text without cells.
const PART: char = '\u{1c}';
/// Behind each cell of a column.
const END: char = '\u{1e}';
/// In the text: a cell is here. In a column: the cell has other attributes than the one before.
const CELL: char = '\u{1f}';

/// The parts without the cells of their tables, then the cells column by column.
///
/// Neighbours in a column are more alike than neighbours in a row, so this halves what compression leaves.
fn by_columns(parts: &[&str]) -> String {
    let mut text = String::new();
    let mut columns: Vec<Vec<String>> = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let clean = part.replace([COLUMN, PART, END, CELL], "");
        let mut heads: Vec<&str> = Vec::new();
        let (mut column, mut rest) = (0, &*clean);
        while let Some((before, after)) = rest.split_once("<td") {
            let (cell, after) = after.split_once("</td>").unwrap_or((after, ""));
            let (head, shown) = cell.split_once('>').unwrap_or(("", cell));
            if before.contains("<tr") {
                column = 0;
            }
            if columns.len() == column {
                columns.push(vec![String::new(); parts.len()]);
            }
            if heads.len() == column {
                heads.push("");
            }
            let cells = &mut columns[column][place];
            if heads[column] != head {
                cells.push(CELL);
                cells.push_str(head);
                cells.push('>');
                heads[column] = head;
            }
            cells.push_str(shown);
            cells.push(END);
            text.push_str(before);
            text.push(CELL);
            column += 1;
            rest = after;
        }
        text.push_str(rest);
        text.push(PART);
    }
    for column in columns {
        text.push(COLUMN);
        text.push_str(&column.join(&PART.to_string()));
    }
    text
}

/// Bytes as printable ASCII that an attribute holds without an escape: of 95 characters 91 remain. Two of them hold 13
/// bits, because 91² is more than 2¹³, so that a text is a thirteenth shorter than in Base64. The last bits are one
/// character if they are at most six.
fn in_ascii(bytes: &[u8]) -> String {
    let digits: Vec<char> = (' '..='~').filter(|it| !['"', '&', '<', '>'].contains(it)).collect();
    let mut text = String::with_capacity(bytes.len() * 5 / 4);
    let (mut held, mut bits) = (0u32, 0);
    let pair = |text: &mut String, held: u32| {
        let value = held as usize & 0x1fff;
        text.extend([digits[value / digits.len()], digits[value % digits.len()]]);
    };
    for &byte in bytes {
        held |= u32::from(byte) << bits;
        bits += 8;
        if bits >= 13 {
            pair(&mut text, held);
            held >>= 13;
            bits -= 13;
        }
    }
    match bits {
        0 => {}
        1..=6 => text.push(digits[held as usize & 0x3f]),
        _ => pair(&mut text, held),
    }
    text
}

fn elements(markup: &Markup) -> usize {
    markup.0.matches('<').count() - markup.0.matches("</").count()
}

/// The same bytes for the same text: no time and no system in the header.
pub(crate) fn gzip(text: &str) -> Vec<u8> {
    let mut packed = GzBuilder::new().operating_system(255).write(Vec::new(), Compression::best());
    // Writing into memory cannot fail.
    packed.write_all(text.as_bytes()).and_then(|()| packed.finish()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Unpacks as the script of the page does.
    fn bytes(text: &str) -> Vec<u8> {
        let digits: Vec<char> = (' '..='~').filter(|it| !"\"&<>".contains(*it)).collect();
        let value =
            |it: char| digits.iter().position(|&digit| digit == it).expect("a digit") as u32;
        let (mut held, mut bits, mut found) = (0u32, 0, Vec::new());
        let characters: Vec<char> = text.chars().collect();
        for group in characters.chunks(2) {
            let (number, length) = match *group {
                [one, other] => (value(one) * 91 + value(other), 13),
                _ => (value(group[0]), 6),
            };
            held |= number << bits;
            bits += length;
            while bits >= 8 {
                found.push(held as u8);
                held >>= 8;
                bits -= 8;
            }
        }
        found
    }

    proptest! {
        #[test]
        fn bytes_survive_and_need_no_escape(data in prop::collection::vec(any::<u8>(), 0..200)) {
            let text = in_ascii(&data);
            prop_assert_eq!(bytes(&text), data.clone());
            prop_assert!(!text.contains(['"', '&', '<', '>']) && text.is_ascii());
            prop_assert!(text.len() * 13 <= data.len() * 16 + 26);
        }
    }

    #[test]
    fn cells_of_a_column_are_together_and_tell_a_change_of_attributes() {
        let row = |n: &str| format!("<tr><th>a</th><td class=\"n\">{n}</td><td>b</td></tr>");
        let one = row("1") + &row("2");
        let text = by_columns(&[&one, "no table"]);
        let [frame, first, second] = text.split(COLUMN).collect::<Vec<_>>()[..] else { panic!() };
        let frame_row = format!("<tr><th>a</th>{CELL}{CELL}</tr>");
        assert_eq!(frame, format!("{frame_row}{frame_row}{PART}no table{PART}"));
        assert_eq!(first, format!("{CELL} class=\"n\">1{END}2{END}{PART}"));
        // A cell without attributes is like the one before the first.
        assert_eq!(second, format!("b{END}b{END}{PART}"));
    }
}
