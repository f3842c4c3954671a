//! The numbers of a page agree with one another: order, times, ratios, intervals, floor, spread and verdict.
//!
//! The pages of five synthetic sessions are read here. `RAYWALK_PAGES` names further pages, separated by
//! colons; CI reads those of the quick sessions that it measures.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use raywalk_judge::Judged;
use raywalk_results::fixture::Recipe;

/// Numbers in the summary have four digits.
const ROUNDING: f64 = 1e-3;

/// The rows of the summary in a page, by the names of their columns.
struct Summary {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Summary {
    fn of(page: &str) -> Summary {
        let (_, text) = page.split_once("href=\"data:text/csv;base64,").expect("a summary as CSV");
        let (text, _) = text.split_once('"').expect("the end of the summary");
        let text = String::from_utf8(BASE64.decode(text).expect("base64")).expect("UTF-8");
        let mut lines = text.lines().map(cells);
        let columns = lines.next().expect("a heading");
        let rows: Vec<Vec<String>> = lines.collect();
        assert!(rows.iter().all(|row| row.len() == columns.len()), "{columns:?}");
        Summary { columns, rows }
    }

    fn text<'a>(&self, row: &'a [String], column: &str) -> &'a str {
        let place = self.columns.iter().position(|name| name == column).expect(column);
        &row[place]
    }

    fn number(&self, row: &[String], column: &str) -> Option<f64> {
        self.text(row, column).parse().ok()
    }
}

/// The cells of a line of CSV. A quoted cell may contain commas, and quotes that are doubled.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            other => cells.last_mut().expect("a cell").push(other),
        }
    }
    cells
}

/// What a verdict must be, by the numbers beside it.
fn expected(low: f64, high: f64, floor: f64, spread: f64, verdict: &str) -> bool {
    let least = floor.max(spread).ln_1p();
    if let Some(within) = verdict.strip_prefix("equal within ") {
        let within = within.trim_end_matches(" %").parse::<f64>().expect("a number") / 100.0;
        // The band is shown with one decimal of a per cent.
        let band = (within + 0.0005).ln_1p();
        low.ln() >= -band && high.ln() <= band && spread.ln_1p() <= band
    } else if verdict.ends_with("times slower") {
        low.ln() > least - ROUNDING
    } else if verdict.ends_with("times faster") {
        high.ln() < -least + ROUNDING
    } else {
        verdict == "not resolved" && low.ln() <= least + ROUNDING && high.ln() >= -least - ROUNDING
    }
}

/// Checks a page and returns the number of its verdicts.
fn check(page: &str, name: &str) -> usize {
    let summary = Summary::of(page);
    let mut verdicts = 0;
    let panels: Vec<&[Vec<String>]> = summary
        .rows
        .chunk_by(|one, other| summary.text(one, "panel") == summary.text(other, "panel"))
        .collect();
    for panel in panels {
        let ratio = |row: &Vec<String>| summary.number(row, "ratio").expect("a ratio");
        let time = |row: &Vec<String>| summary.number(row, "ns_per_position").expect("a time");
        let what = || format!("{name}: {}", summary.text(&panel[0], "panel"));
        // Designs of which samples were left out have no rank and come last. Those with too few rounds have no
        // interval.
        let ranked = |row: &Vec<String>| summary.number(row, "rank").is_some();
        let (first, last) = panel.split_at(panel.partition_point(ranked));
        assert!(!last.iter().any(ranked), "{}", what());
        assert!(first.is_sorted_by_key(ratio) && first.is_sorted_by_key(time), "{}", what());
        let floor = summary.number(&panel[0], "aa_floor");
        if let Some((resolution, floor)) = summary.number(&panel[0], "resolution").zip(floor) {
            assert!(resolution >= floor - ROUNDING, "{}: {resolution} {floor}", what());
        }
        let base = panel.iter().find(|row| (ratio(row) - 1.0).abs() < ROUNDING).map(time);
        for row in panel {
            let design = format!("{} {}", what(), summary.text(row, "design"));
            if let Some(base) = base {
                // Three rounded numbers.
                assert!((time(row) / base / ratio(row) - 1.0).abs() < 2.0 * ROUNDING, "{design}");
            }
            let ends = summary.number(row, "ratio_low").zip(summary.number(row, "ratio_high"));
            let Some((low, high)) = ends else { continue };
            assert!(low <= ratio(row) + ROUNDING && ratio(row) <= high + ROUNDING, "{design}");
            let verdict = summary.text(row, "verdict");
            if let (Some(floor), false) = (floor, verdict.is_empty()) {
                let spread = summary.number(row, "spread").unwrap_or(0.0);
                assert!(
                    expected(low, high, floor, spread, verdict),
                    "{design}: {low} to {high}, floor {floor}, spread {spread}: {verdict}"
                );
                verdicts += 1;
            }
        }
    }
    verdicts
}

#[test]
fn floor_spread_and_verdict_agree_in_every_panel() {
    let mut verdicts = 0;
    for seed in 0..5 {
        let results = Recipe { seed, layouts: seed, shares: 8, ..Recipe::FULL }.results();
        verdicts += check(&raywalk_page::page(&[Judged::of(&results)]), &format!("seed {seed}"));
    }
    assert!(verdicts > 50, "{verdicts}");
    for path in std::env::var("RAYWALK_PAGES").iter().flat_map(|paths| paths.split(':')) {
        let page = std::fs::read_to_string(path).expect(path);
        let verdicts = check(&page, path);
        println!("{path}: {verdicts} verdicts agree with their numbers");
        assert!(verdicts > 0, "{path}");
    }
}

#[test]
fn a_verdict_against_its_numbers_is_found() {
    assert!(expected(1.1, 1.2, 0.02, 0.05, "1.150 times slower"));
    assert!(!expected(1.1, 1.2, 0.02, 0.15, "1.150 times slower"), "below the spread");
    assert!(!expected(1.01, 1.2, 0.02, 0.0, "1.150 times slower"), "below the floor");
    assert!(!expected(1.1, 1.2, 0.02, 0.0, "not resolved"));
    assert!(expected(0.995, 1.004, 0.002, 0.004, "equal within 1.0 %"));
    assert!(!expected(0.995, 1.004, 0.002, 0.03, "equal within 1.0 %"));
}
