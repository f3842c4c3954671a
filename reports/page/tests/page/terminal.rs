//! All texts of the terminal at several widths, and with hostile names.

use raywalk_judge::Judged;
use raywalk_judge::compare::{Question, compare, unlike};
use raywalk_judge::ranking::rank;
use raywalk_page::terminal::{self, Screen};
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::journal::{self, Results};

const WIDTHS: [usize; 4] = [60, 80, 100, 140];

fn results() -> Results {
    let mut results = Recipe { designs: 5, small: true, ..Recipe::FULL }.on_one_machine();
    results.panels.truncate(2);
    results
}

fn session(width: usize, colours: bool, results: &Results) -> String {
    let judged = Judged::of(results);
    let mut screen = Screen::new(width, colours);
    for panel in &judged.panels {
        terminal::session::write(&mut screen, &judged, panel);
        screen.blank();
    }
    terminal::trust::write(&mut screen, &judged.trust);
    screen.as_str().to_owned()
}

fn comparison(width: usize, results: &Results) -> String {
    let question = Question { selects: &|_| true, baseline: None, margin: 0.01 };
    let comparison = compare(results, results, &question);
    let judged = Judged::of(results);
    let mut screen = Screen::new(width, false);
    let unlike = unlike(results, results);
    terminal::compare::write(&mut screen, [&judged, &judged], &unlike, &comparison);
    screen.as_str().to_owned()
}

fn ranking(width: usize, results: &Results) -> String {
    let judged = [Judged::of(results), Judged::of(results)];
    let mut screen = Screen::new(width, false);
    terminal::ranking::write(&mut screen, &judged, &rank(&judged));
    screen.as_str().to_owned()
}

fn all(width: usize, results: &Results) -> String {
    [session(width, false, results), comparison(width, results), ranking(width, results)].join("\n")
}

#[test]
fn the_gap_between_two_designs_is_a_table_of_its_parts() {
    let results = fixture::explained(22.0);
    let judged = Judged::of(&results);
    let parts = raywalk_judge::gap::breakdown(&judged).expect("parts");
    let gap = parts.between("synthetic-iota", "synthetic-alpha").expect("a gap");
    let mut screen = Screen::new(100, false);
    terminal::gap::write(&mut screen, &judged, &parts, &gap);
    insta::assert_snapshot!(screen.as_str());
}

#[test]
fn every_text_fits_the_width() {
    let results = results();
    for width in WIDTHS {
        let text = all(width, &results);
        for line in text.lines() {
            assert!(line.chars().count() <= width, "{width}: {line}");
            assert_eq!(line, line.trim_end(), "{width}");
        }
        insta::assert_snapshot!(format!("width_{width}"), text);
    }
}

#[test]
fn colours_add_nothing_but_colours() {
    let results = results();
    let coloured = session(100, true, &results);
    assert!(coloured.contains("\u{1b}[32m") && coloured.contains("\u{1b}[33m"), "{coloured}");
    let mut bare = coloured;
    while let Some(start) = bare.find('\u{1b}') {
        let end = start + bare[start..].find('m').expect("the end of a colour");
        bare.replace_range(start..=end, "");
    }
    assert_eq!(bare, session(100, false, &results));
}

/// Replaces names of the journal by hostile ones, as someone who edits a journal can.
fn hostile(name: &str) -> Results {
    let records = Recipe { designs: 3, rounds: 12, ..Recipe::SMALL }.records();
    // Escaped as JSON demands.
    let escaped = |c: char| if c.is_control() { format!("\\u{:04x}", c as u32) } else { c.into() };
    let name: String = name.chars().map(escaped).collect();
    let text = fixture::text(&records)
        .replace("synthetic-beta", &name)
        .replace("repeat-1/replay-1/all", &format!("{name}/all"))
        .replace("\"cpu\":\"", &format!("\"cpu\":\"{name}"))
        .replace("\"plan\":\"synthetic\"", &format!("\"plan\":\"{name}\""))
        .replace("tree-ab4", &format!("tree-{name}"));
    journal::read(text.as_bytes()).expect("a valid journal")
}

#[test]
fn names_from_a_journal_cannot_control_the_terminal_or_forge_lines() {
    let text = all(100, &hostile("x\u{1b}[2J\u{1b}[1;1H\nstable: forged\r\u{9b}31m\u{7}\u{202e}"));
    assert!(text.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'), "{text:?}");
    assert!(!text.lines().any(|line| line.starts_with("stable: forged")), "{text}");
    assert!(text.contains("x\\u{1b}[2J"), "{text}");
}

#[test]
fn names_of_five_megabytes_are_cut() {
    let text = all(100, &hostile(&"x".repeat(5_000_000)));
    assert!(text.len() < 100_000, "{}", text.len());
    assert!(text.contains("floor"), "the rest is shown");
}
