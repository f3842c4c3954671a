//! The page in a browser: headless Chromium opens it from a file. Skipped with a message where there is none.
//!
//! No driver is needed: a test adds its own script to a copy of the page, and Chromium prints the document that
//! results. The page itself forbids other scripts, so the copy lacks that rule.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use raywalk_judge::Judged;
use raywalk_results::fixture::{self, Recipe, explained};
use raywalk_results::journal::Results;
use raywalk_results::schema::{Control, Design};
use tempfile::TempDir;

mod large;

use large::together;

const DRIVER: &str = concat!(include_str!("follow.js"), include_str!("driver.js"));

/// The browser, from the variable `RAYWALK_CHROMIUM` or the search path.
fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("RAYWALK_CHROMIUM").map(PathBuf::from);
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut known = std::env::split_paths(&path).flat_map(|folder| names.map(|it| folder.join(it)));
    let found = named.or_else(|| known.find(|file| file.is_file()));
    if found.is_none() {
        eprintln!("skipped: Chromium is not installed");
    }
    found
}

/// Runs Chromium on a file; what it printed and what it logged.
fn run(browser: &Path, folder: &TempDir, file: &Path, flags: &[&str]) -> (String, String) {
    let profile = folder.path().join("profile");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .args(["--no-first-run", "--disable-background-networking", "--disable-sync"])
        .args(["--disable-component-update", "--enable-logging=stderr", "--hide-scrollbars"])
        .args(["--virtual-time-budget=60000", "--no-pdf-header-footer"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(flags)
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("the browser starts");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let file = folder.path().join(name);
    fs::write(&file, text).expect("a file of the test");
    file
}

/// The page without its rule against other scripts, with the driver in this mode at its end.
fn driven(page: &str, mode: &str) -> String {
    let start = page.find("<meta http-equiv=\"Content-Security-Policy\"").expect("a policy");
    let end = start + page[start..].find('>').expect("its end") + 1;
    let extra = match (mode, std::env::var("RAYWALK_AXE")) {
        ("axe", Ok(file)) => fs::read_to_string(file).expect("the file of RAYWALK_AXE"),
        _ => String::new(),
    };
    let script =
        format!("<script>{extra}</script><script>const MODE = '{mode}';\n{DRIVER}</script></body>");
    format!("{}{}", &page[..start], &page[end..]).replace("</body>", &script)
}

/// Without the script of the page.
fn without_script(page: &str) -> String {
    let (before, rest) = page.split_once("<script>").expect("a script");
    let (_, after) = rest.split_once("</script>").expect("its end");
    format!("{before}{after}")
}

/// Opens a page in a frame of this width and reads the verdicts of the driver. All must be `ok`.
fn judge(page: &str, mode: &str, width: u32, flags: &[&str]) -> Option<String> {
    judge_at(page, "", mode, width, flags)
}

/// The same with a fragment of the address.
fn judge_at(page: &str, fragment: &str, mode: &str, width: u32, flags: &[&str]) -> Option<String> {
    let browser = chromium()?;
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder, "page.html", &driven(page, mode));
    let frame = format!(
        "<!DOCTYPE html><body style='margin:0'><iframe src='page.html{fragment}' width={width} height=800 \
         style='border:0'></iframe><script>onmessage = (event) => {{ const told = \
         document.createElement('pre'); told.textContent = event.data; document.body.append(told); \
         }}</script></body>"
    );
    let file = write(&folder, "frame.html", &frame);
    let size = format!("--window-size={},900", width.max(800));
    let flags: Vec<&str> = flags.iter().copied().chain(["--dump-dom", &size]).collect();
    let (document, log) = run(&browser, &folder, &file, &flags);
    let told = document.split_once("<pre>").and_then(|(_, rest)| rest.split_once("</pre>"));
    let Some((told, _)) = told else { panic!("no verdicts: {log}") };
    assert!(told.contains("ok ") && !told.contains("FAILED"), "{mode} at {width} px:\n{told}");
    println!("{mode} at {width} px:\n{told}");
    Some(told.to_owned())
}

fn page(results: &Results) -> String {
    raywalk_page::page(&[Judged::of(results)])
}

/// The page of a whole recipe, made once.
fn full() -> &'static str {
    static PAGE: LazyLock<String> = LazyLock::new(|| page(&explained(22.0)));
    &PAGE
}

/// In the dark theme, as a reader chooses it.
fn dark(page: &str) -> String {
    let dark = page.replace("id=\"theme-auto\" checked", "id=\"theme-auto\"");
    let dark = dark.replace("id=\"theme-dark\"", "id=\"theme-dark\" checked");
    assert_ne!(dark, page);
    dark
}

/// A session in which each branchless design on square boards takes `squares` times as long as each branchy one, and on
/// bitboards `bitboards` times, if it has both kinds.
fn decided(squares: f64, bitboards: Option<f64>) -> Results {
    let mut results = Recipe { designs: 26, ..Recipe::FULL }.results();
    for design in results.designs.iter_mut().skip(12).filter(|_| bitboards.is_some()) {
        design.board_cells = None;
    }
    let factor = |design: &Design| {
        let ratio = if design.board_cells.is_some() { squares } else { bitboards.unwrap_or(1.0) };
        if design.control == Control::Branchless { ratio } else { 1.0 }
    };
    let factors: BTreeMap<String, f64> =
        results.designs.iter().map(|design| (design.id.clone(), factor(design))).collect();
    for round in results.panels.iter_mut().flat_map(|panel| &mut panel.rounds) {
        let ticks = round.samples[0].ticks as f64;
        for sample in &mut round.samples {
            // The A/A control is no design.
            sample.ticks = (ticks * factors.get(&sample.design).unwrap_or(&1.0)) as u64;
            sample.blocks.clear();
        }
    }
    results
}

#[test]
#[ignore = "about 25 s; run by CI with --ignored"]
fn the_first_screen_tells_what_was_found_whatever_it_is() {
    let sessions = [
        (decided(0.8, None), "Branchless designs are faster wherever a difference is resolved."),
        (decided(1.25, None), "Branchy designs are faster wherever a difference is resolved."),
        (
            decided(1.0, None),
            "Branchy and branchless designs are equal within 1.0 % wherever a comparison is resolved.",
        ),
        (Recipe::FULL.results(), "Branchy or branchless? It depends on how many positions repeat."),
        (
            decided(0.8, Some(1.25)),
            "Branchy or branchless? On square boards branchless designs win; on bitboards branchy designs win.",
        ),
    ];
    for (results, heading) in sessions {
        let Some(told) = judge(&page(&results), "screen", 1280, &[]) else { return };
        assert!(told.contains(&format!("ok heading {heading} ")), "{heading}: {told}");
    }
}

#[test]
fn the_page_opens_from_a_file_without_a_message() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(&folder, "page.html", full());
    let (document, log) = run(&browser, &folder, &file, &["--dump-dom"]);
    assert!(document.contains("Copy as Markdown"), "the script has run: {log}");
    assert!(!log.contains("CONSOLE"), "{log}");
    // The policy would report what the page must not do.
    let broken = full().replace("</main>", "<img src=\"https://example.org/\" alt=\"\"></main>");
    let file = write(&folder, "broken.html", &broken);
    let (_, log) = run(&browser, &folder, &file, &["--dump-dom"]);
    assert!(log.contains("CONSOLE") && log.contains("Content Security Policy"), "{log}");
}

#[test]
fn every_control_works() {
    judge(full(), "controls", 1280, &[]);
}

#[test]
fn figures_follow_the_designs_that_are_shown() {
    judge(full(), "hide", 1280, &[]);
    judge(full(), "hide", 390, &[]);
}

/// A session with designs of real ids, so that claims compare them. In every other panel the second is the faster
/// one, so that no property of the panels explains the outcomes and they are listed by design.
fn with_claims() -> Results {
    let text = fixture::text(&Recipe::FULL.records());
    let text = text.replace("synthetic-beta", "ferret/end-origin");
    let results = fixture::read(&text.replace("synthetic-gamma", "butterfly/i16"));
    let mut results =
        fixture::with_times(results, &[("ferret/end-origin", 0.8), ("butterfly/i16", 1.0)]);
    for panel in results.panels.iter_mut().step_by(2) {
        for sample in panel.rounds.iter_mut().flat_map(|round| &mut round.samples) {
            let other = match &*sample.design {
                "ferret/end-origin" => "butterfly/i16",
                "butterfly/i16" => "ferret/end-origin",
                other => other,
            };
            sample.design = other.to_owned();
        }
    }
    results
}

#[test]
fn claims_follow_the_designs_that_are_shown() {
    judge(&page(&with_claims()), "claims", 1280, &[]);
}

#[test]
#[ignore = "about 17 s; run by CI with --ignored"]
fn the_first_figure_compares_the_fastest_shown_designs() {
    let mut kinds = Recipe { designs: 26, ..Recipe::FULL }.results();
    for design in kinds.designs.iter_mut().skip(12) {
        design.board_cells = None;
    }
    for page in [full(), &page(&kinds)] {
        judge(page, "first", 1280, &[]);
        judge(page, "first", 390, &[]);
    }
}

/// The rule of the page against other scripts and styles allows what is moved and chosen.
#[test]
fn hidden_designs_of_an_address_leave_no_message() {
    let Some(browser) = chromium() else { return };
    for page in [full(), &together(&[Recipe::FULL.results(), Recipe::PLAIN.results()])] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = write(&folder, "page.html", page);
        let address = PathBuf::from(format!("{}#search=zeta", file.display()));
        let (document, log) = run(&browser, &folder, &address, &["--dump-dom"]);
        let notes = document.matches(">Designs are hidden: ").count();
        assert_eq!(
            notes,
            page.matches(" data-pairs=\"").count(),
            "one for each first figure: {log}"
        );
        assert!(notes > 0 && !log.contains("CONSOLE"), "{log}");
    }
}

#[test]
fn the_order_of_a_sorted_table_survives_a_reload() {
    let Some(told) = judge(full(), "sort", 1280, &[]) else { return };
    let fragment = told.lines().find_map(|line| line.strip_prefix("ok fragment "));
    judge_at(full(), fragment.expect("a fragment").trim(), "sorted", 1280, &[]);
}

#[test]
fn positions_of_every_design_are_drawn_as_boards_when_they_are_opened() {
    judge(full(), "boards", 1280, &[]);
    judge(full(), "boards", 390, &[]);
}

#[test]
fn tables_figures_and_choices_of_the_style_sheet_need_no_script() {
    judge(&without_script(full()), "plain", 1280, &[]);
    judge(full(), "plain", 1280, &[]);
}

#[test]
fn a_telephone_scrolls_down_only() {
    judge(full(), "narrow", 390, &[]);
    judge(&without_script(full()), "narrow", 390, &[]);
}

#[test]
#[ignore = "about 20 s; run by CI with --ignored"]
fn on_paper_nothing_is_cut_and_twelve_pages_are_enough() {
    let Some(browser) = chromium() else { return };
    // A4 with margins of 10 mm is 718 px wide.
    judge(
        &full().replace("@media print{@page{size:A4 portrait;margin:10mm}", "@media all{"),
        "paper",
        718,
        &[],
    );
    for page in [full(), &without_script(full()), &large::large(&[Recipe::FULL.seed])] {
        let pages = printed(&browser, page);
        assert!((2..=12).contains(&pages), "{pages} pages");
    }
}

/// Number of sheets that a page takes.
fn printed(browser: &Path, page: &str) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(&folder, "page.html", page);
    let paper = folder.path().join("page.pdf");
    run(browser, &folder, &file, &[&format!("--print-to-pdf={}", paper.display())]);
    let pdf = fs::read(&paper).expect("a printed page");
    let pages = String::from_utf8_lossy(&pdf).matches("/Type /Page\n").count();
    println!("{pages} pages");
    pages
}

/// Accessibility rules of axe. A page takes half a minute, so each is a test, and they run beside each other.
fn judge_by_axe(page: &str, width: u32) {
    match std::env::var_os("RAYWALK_AXE") {
        Some(_) => _ = judge(page, "axe", width, &[]),
        None => eprintln!("skipped: RAYWALK_AXE does not name a copy of axe.min.js"),
    }
}

#[test]
fn axe_finds_no_violation_in_the_light_theme() {
    judge_by_axe(full(), 1280);
}

#[test]
fn axe_finds_no_violation_in_the_dark_theme() {
    judge_by_axe(&dark(full()), 1280);
}

#[test]
fn axe_finds_no_violation_on_a_telephone() {
    judge_by_axe(full(), 390);
}
