//! The same texts as Markdown, for pull requests and documentation.

/// Foreign text as Markdown shows it unchanged.
pub(crate) fn escaped(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        if matches!(c, '\\' | '|' | '*' | '_' | '`' | '<' | '[') {
            shown.push('\\');
        }
        shown.push(c);
    }
    shown
}

/// A table: headings, of which some stand over numbers, and rows with one cell of Markdown per heading.
pub(crate) fn table<R>(columns: &[(&str, bool)], rows: impl IntoIterator<Item = R>) -> String
where
    R: Iterator<Item = String>,
{
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let headings = columns.iter().map(|(heading, _)| escaped(heading)).collect();
    let rule = |is_number| if is_number { "--:" } else { "---" }.to_owned();
    let rules = columns.iter().map(|&(_, is_number)| rule(is_number)).collect();
    let mut text = line(headings) + &line(rules);
    for row in rows {
        text.push_str(&line(row.collect()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_aligned_columns_and_no_markup_from_names() {
        let rows = [["butterfly/i16", "1.5 to 2"], ["a|b_*", "<b>"]];
        let text = table(
            &[("design", false), ("ratio", true)],
            rows.iter().map(|row| row.iter().map(|cell| escaped(cell))),
        );
        assert_eq!(
            text,
            "| design | ratio |\n| --- | --: |\n| butterfly/i16 | 1.5 to 2 |\n| a\\|b\\_\\* | \\<b> |\n"
        );
    }
}
