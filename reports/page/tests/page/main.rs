//! The page as a document: complete, valid, accessible and deterministic; and one module for each of its parts and for
//! the tables of the terminal. They are one program, because each program links all that the page needs.
//!
//! What `.ci/run` starts by name is a program of its own.

mod compare;
mod content;
mod cut;
mod distribution;
mod export;
mod intensities;
mod labels;
mod plots;
mod ranking;
mod readme;
mod session;
mod stored;
mod terminal;
mod trust;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use raywalk_judge::Judged;
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::journal::Results;
use raywalk_results::schema::Record;
use sha2::{Digest, Sha256};

fn page(sessions: &[Results]) -> String {
    raywalk_page::page(&sessions.iter().map(Judged::of).collect::<Vec<_>>())
}

fn full() -> &'static str {
    static PAGE: LazyLock<String> = LazyLock::new(|| page(&[Recipe::FULL.results()]));
    &PAGE
}

fn both() -> Vec<Results> {
    vec![Recipe::FULL.results(), Recipe::PLAIN.results()]
}

/// Each text that follows `before` up to `after`.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Vec<&'a str> {
    let parts = text.split(before).skip(1);
    parts.map(|part| part.split(after).next().unwrap_or(part)).collect()
}

/// The page without its script, and without its download, which is a long random-looking word.
fn without_download(page: &str) -> String {
    let mut text = page.replace(between(page, "<script>", "</script>")[0], "");
    for link in between(page, "href=\"data:text/csv;base64,", "\"") {
        text = text.replace(link, "");
    }
    text
}

#[test]
fn the_same_results_make_the_same_bytes() {
    let results = [Recipe::FULL.results(), Recipe::PLAIN.results()];
    assert_eq!(page(&results), page(&results));
}

#[test]
fn nothing_is_loaded() {
    let page = without_download(full());
    assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("url("));
    assert!(!page.contains("@import") && !page.contains(" src="));
    for target in between(&page, "href=\"", "\"") {
        assert!(target.starts_with('#') || target.starts_with("data:text/csv"), "{target}");
    }
}

#[test]
fn the_policy_allows_this_style_and_this_script_alone() {
    let page = full();
    let policy = between(page, "Content-Security-Policy\" content=\"", "\"");
    let policy = policy.first().expect("a policy").replace("&#39;", "'");
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert!(!policy.contains("unsafe"));
    for tag in ["style", "script"] {
        let bodies = between(page, &format!("<{tag}>"), &format!("</{tag}>"));
        let [body] = bodies[..] else { panic!("{} elements {tag}", bodies.len()) };
        let hash = BASE64.encode(Sha256::digest(body.as_bytes()));
        assert!(policy.contains(&format!("{tag}-src 'sha256-{hash}'")), "{tag}: {policy}");
    }
    // An inline style or handler would be blocked, so there must be none.
    assert!(!page.contains(" style=") && !page.contains(" onclick="));
}

#[test]
fn every_plot_has_a_title_a_description_and_its_numbers() {
    let page = full();
    let plots = between(page, "<svg ", "</svg>");
    let figures = between(page, "<figure", "</figure>");
    assert!(figures.len() >= 6, "{}", figures.len());
    assert!(figures.iter().all(|figure| (1..=2).contains(&figure.matches("<svg ").count())));
    for plot in plots {
        assert!(plot.contains("role=\"img\""));
        let title = between(plot, "<title id=\"", "</title>");
        let description = between(plot, "<desc id=\"", "</desc>");
        assert!(title.len() == 1 && title[0].len() > 30, "{title:?}");
        assert!(description.len() == 1 && description[0].len() > 60, "{description:?}");
    }
    assert!(figures.iter().all(|figure| figure.contains("<table>")));
}

#[test]
fn every_table_has_a_caption_and_scoped_headings() {
    let page = full();
    let tables = between(page, "<table>", "</table>");
    assert!(tables.len() > 15);
    for table in tables {
        assert!(table.starts_with("<caption>"), "{table:.80}");
        assert!(!table.contains("<th>"), "a heading without scope");
        let columns = table.matches("scope=\"col\"").count();
        for row in between(table, "<tr", "</tr>").iter().skip(1) {
            let cells = row.matches("<td").count() + row.matches("scope=\"row\"").count();
            assert_eq!(cells, columns, "{row}");
        }
    }
}

#[test]
fn ids_are_unique_and_every_reference_is_met() {
    for sessions in [vec![Recipe::FULL.results()], both()] {
        let page = page(&sessions);
        let ids = between(&page, " id=\"", "\"");
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), unique.len());
        let labels = between(&page, "aria-labelledby=\"", "\"");
        let links = between(&page, "href=\"#", "\"");
        let fors = between(&page, " for=\"", "\"");
        for name in labels.iter().flat_map(|names| names.split(' ')).chain(links).chain(fors) {
            assert!(unique.contains(name), "nothing has the id {name}");
        }
    }
}

#[test]
fn headings_go_down_one_level_at_a_time() {
    for sessions in [vec![Recipe::FULL.results()], both()] {
        let page = page(&sessions);
        let levels: Vec<u32> = page
            .match_indices("<h")
            .filter_map(|(at, _)| page[at + 2..].chars().next()?.to_digit(10))
            .collect();
        assert_eq!(levels.first(), Some(&1));
        assert_eq!(levels.iter().filter(|&&level| level == 1).count(), 1);
        assert!(levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{levels:?}");
    }
}

#[test]
fn elements_are_closed_in_the_order_they_were_opened() {
    const VOID: [&str; 12] = [
        "!DOCTYPE", "meta", "input", "br", "line", "link", "hr", "img", "area", "base", "col",
        "wbr",
    ];
    let page = page(&both());
    let script = between(&page, "<script>", "</script>")[0];
    let page = page.replace(script, "");
    let mut open: Vec<&str> = Vec::new();
    for tag in between(&page, "<", ">") {
        let name = tag.split([' ', '\n', '/']).find(|part| !part.is_empty()).unwrap_or("");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "<{tag}>");
        } else if !VOID.contains(&name) && !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert_eq!(open, [""; 0]);
}

#[test]
fn a_hostile_name_stays_a_name() {
    let hostile = "</title><script>alert(1)</script>\"'&<!--]]>";
    let mut records = Recipe::FULL.records();
    for record in &mut records {
        match record {
            Record::Design(design) => {
                design.name = format!("{} {hostile}", design.name);
                design.author = hostile.to_owned();
            }
            Record::Session(session) => {
                session.command = hostile.to_owned();
                session.machine.cpu = hostile.to_owned();
            }
            Record::Panel(panel) => panel.workload = format!("{}{hostile}", panel.workload),
            Record::Count(count) => count.tool = hostile.to_owned(),
            _ => {}
        }
    }
    let page = page(&[fixture::read(&fixture::text(&records))]);
    assert_eq!(page.matches("<script").count(), 1);
    // What follows may be cut off in a plot.
    assert_eq!(page.matches("alert(1)").count(), page.matches("&gt;alert(1)").count());
    assert!(!page.contains("<!--") && page.contains("&lt;!--"));
}

#[test]
fn terms_that_the_glossary_has_are_explained_in_its_words() {
    let glossary = include_str!("../../../../docs/glossary.md").replace('*', "");
    let rows = glossary.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let rows: BTreeMap<&str, &str> = rows.collect();
    let page = full();
    let terms = between(between(page, "<dl class=\"words\">", "</dl>")[0], "<dt>", "</dd>");
    let terms = terms.iter().filter_map(|term| term.split_once("</dt><dd>"));
    let shared: Vec<_> = terms.filter_map(|(term, text)| Some((text, *rows.get(term)?))).collect();
    assert!(shared.len() > 10, "{shared:?}");
    for (text, meaning) in shared {
        assert!(meaning.starts_with(text), "{text}\n{meaning}");
    }
}
