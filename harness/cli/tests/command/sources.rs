//! Checks `docs/sources.md` against the cards, against the names in the four founding texts, and against
//! the files that it mentions.

use std::collections::BTreeSet;
use std::path::Path;

use raywalk::registry;

const PAGE: &str = include_str!("../../../../docs/sources.md");

/// Everyone whom the four texts name as the author of a design, a program, a post or a table.
const NAMED: [&str; 23] = [
    "Alex Bell",
    "Hans Eric Sandström",
    "Bruce Moreland",
    "Vincent Diepeveen",
    "Mridul Muralidharan",
    "Matthew R. Brades",
    "Michael Sherwin",
    "Fritz Reul",
    "Jean Goulet",
    "François Dominic Laramée",
    "Sebastian Lague",
    "Mediocre Chess",
    "Gambiet",
    "DirGolem",
    "CPW-Engine",
    "Jan Willem de Kort",
    "Ujecrh",
    "Sune Fischer",
    "Karlo Bala Jr.",
    "Marcel Fournier",
    "Martin Sedlak",
    "Hrvoje Horvatic",
    "Syed Fahad",
];

/// The cells of the rows of the table below a heading, without the head of the table.
fn table(heading: &str) -> Vec<Vec<&'static str>> {
    let section = PAGE.split("\n## ").find(|section| section.starts_with(heading));
    let rows = section.expect("a section with this heading").lines();
    rows.filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .map(|row| row.split(" | ").collect())
        .skip(2)
        .collect()
}

#[test]
fn every_author_on_a_card_has_a_row_with_the_families_and_no_row_is_left_over() {
    let rows = table("Authors on the cards");
    let listed: BTreeSet<(&str, String)> = rows
        .iter()
        .flat_map(|row| row[1].split(", ").map(|family| (row[0], family.to_owned())))
        .collect();
    let on_cards: BTreeSet<(&str, String)> = registry::DESIGNS
        .iter()
        .map(|entry| (entry.card.author, format!("`{}`", entry.card.family())))
        .collect();
    let missing: Vec<_> = on_cards.difference(&listed).collect();
    assert!(missing.is_empty(), "docs/sources.md lacks these authors or families: {missing:?}");
    let left_over: Vec<_> = listed.difference(&on_cards).collect();
    assert!(left_over.is_empty(), "no card has these authors or families: {left_over:?}");
    assert_eq!(rows.len(), rows.iter().map(|row| row[0]).collect::<BTreeSet<_>>().len());
}

#[test]
fn everyone_whom_the_founding_texts_name_is_named() {
    // Not in the list of authors, which is made from the cards.
    let (page, _) = PAGE.split_once("\n## Authors on the cards").expect("a section");
    for name in NAMED {
        assert!(page.contains(name), "docs/sources.md does not name {name}");
    }
}

#[test]
fn every_thread_that_was_not_found_has_author_title_and_date() {
    let threads = table("What we could not find");
    assert_eq!(threads.len(), 8);
    for row in threads {
        let [author, title, place] = row[..] else { panic!("three cells: {row:?}") };
        assert!(!author.is_empty() && title.starts_with('*'), "{row:?}");
        assert!(place.contains("19") || place.contains("20"), "{row:?}");
    }
}

#[test]
fn every_file_and_folder_that_the_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let quoted = PAGE.split('`').skip(1).step_by(2);
    // The ids of designs contain a slash too: `mailbox/0x88`.
    let is_path = |text: &&str| {
        ["variants/", "harness/", "reports/"].iter().any(|folder| text.starts_with(folder))
    };
    let paths: BTreeSet<&str> = quoted.filter(is_path).collect();
    assert!(paths.len() > 20, "{paths:?}");
    for path in paths {
        assert!(root.join(path).exists(), "docs/sources.md names {path}, which does not exist");
    }
}
