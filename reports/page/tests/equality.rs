//! The numbers of this version are those of raywalk 0.1.0.
//!
//! `data/session.jsonl` is a session measured by raywalk 0.1.0: four designs, nine panels, twelve
//! rounds in three processes. It was written in schema `raywalk/1` and converted to `raywalk/2.0`
//! field by field; no number was changed. `data/numbers.csv` was extracted from the report that
//! raywalk 0.1.0 wrote for the original journal. It holds three blocks, separated by blank lines:
//! the summary of the data section, the rows of the ranked tables, and the numbers of the plots. The
//! regimes plot is left out, because it has another order of columns now.

use raywalk_judge::Judged;
use raywalk_results::journal;

/// Each text that follows `before` up to `after`.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Vec<&'a str> {
    let parts = text.split(before).skip(1);
    parts.map(|part| part.split(after).next().unwrap_or(part)).collect()
}

/// The rows of all table bodies as text, without markup.
fn rows(part: &str, with_names: bool) -> Vec<String> {
    let bodies = between(part, "<tbody>", "</tbody>");
    let rows = bodies.into_iter().flat_map(|body| between(body, "<tr", "</tr>"));
    rows.map(|row| {
        let name = between(row, "<th scope=\"row\"", "</th>")[0];
        // Behind the marker of the design.
        let name = name.rsplit('>').next().unwrap_or(name).to_owned();
        let cells =
            between(row, "<td", "</td>").into_iter().map(|cell| text(&format!("<td{cell}")));
        let name = with_names.then_some(name);
        name.into_iter().chain(cells).collect::<Vec<_>>().join(";")
    })
    .collect()
}

/// The text of an element without its tags.
fn text(markup: &str) -> String {
    markup.split('<').filter_map(|part| Some(part.split_once('>')?.1)).collect::<String>()
}

#[test]
fn the_report_of_an_old_journal_has_the_old_numbers() {
    let source: &[u8] = include_bytes!("data/session.jsonl");
    let results = journal::read(source).expect("a sound journal");
    let page = raywalk_page::page(&[Judged::of(&results)]);
    let mut blocks = include_str!("data/numbers.csv").split("\n\n");
    let mut next = || -> Vec<&str> { blocks.next().expect("a block").lines().collect() };

    let pre = between(&page, "<pre class=\"tall\" tabindex=\"0\">", "</pre>")[0];
    assert_eq!(pre.lines().collect::<Vec<_>>(), next());

    let ranked = between(&page, "<section aria-labelledby=\"ranking-tables\">", "</section>")[0];
    assert_eq!(rows(ranked, true), next());

    let figures = between(&page, "<figure aria-labelledby=\"", "</figure>");
    assert_eq!(figures.len(), 6);
    let others = figures.into_iter().filter(|figure| !figure.starts_with("regimes-head"));
    assert_eq!(others.flat_map(|figure| rows(figure, false)).collect::<Vec<_>>(), next());
}
