//! Pages of several sessions, and of sessions as large as those of a full plan.

use std::fs;
use std::process::Command;
use std::sync::LazyLock;

use raywalk_judge::Judged;
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::journal::Results;
use raywalk_results::schema::Record;
use tempfile::TempDir;

use crate::{chromium, dark, decided, judge, judge_by_axe, page, printed, without_script, write};

/// A session as large as that of a full plan: 145 designs in 127 panels.
fn in_127_panels(seed: u64) -> Vec<Record> {
    let recipe = Recipe {
        designs: 145,
        panels: 127,
        rounds: 12,
        shares: 6,
        layouts: 0,
        seed,
        ..Recipe::FULL
    };
    let mut records = recipe.records();
    for record in &mut records {
        match record {
            // One machine, whatever the seed is.
            Record::Session(session) => "Synthetic processor".clone_into(&mut session.machine.cpu),
            // `raywalk fit` has 13 designs, however many a session has.
            Record::Fit(fit) => fit.designs.truncate(13),
            _ => {}
        }
    }
    records
}

/// The page of large sessions, by the build that the variable `RAYWALK_PROGRAM` names. Without optimisation, as in this
/// process, the page of two sessions takes minutes.
pub(crate) fn large(seeds: &[u64]) -> String {
    let journals: Vec<String> =
        seeds.iter().map(|&seed| fixture::text(&in_127_panels(seed))).collect();
    let Some(program) = std::env::var_os("RAYWALK_PROGRAM") else {
        return together(&journals.iter().map(|text| fixture::read(text)).collect::<Vec<_>>());
    };
    let folder = TempDir::new().expect("a folder");
    let written = (0..)
        .zip(&journals)
        .map(|(number, text)| write(&folder, &format!("journal-{number}.jsonl"), text));
    let page = folder.path().join("page.html");
    let report = Command::new(program)
        .arg("report")
        .args(written)
        .arg("--output")
        .arg(&page)
        .output()
        .expect("the program starts");
    assert!(report.status.success(), "{}", String::from_utf8_lossy(&report.stderr));
    fs::read_to_string(&page).expect("a page")
}

/// The size that a page has at most, however much its sessions measured.
fn assert_small(page: &str) {
    let elements = page.matches('<').count() - page.matches("</").count();
    println!("{} bytes, {elements} elements", page.len());
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    assert!(elements < 40_000, "{elements} elements");
}

/// The page of these sessions together.
pub(crate) fn together(sessions: &[Results]) -> String {
    raywalk_page::page(&sessions.iter().map(Judged::of).collect::<Vec<_>>())
}

/// Two sessions of one machine.
fn alike() -> Vec<Results> {
    [Recipe::FULL, Recipe { seed: 7, ..Recipe::FULL }].map(|it| it.on_one_machine()).into()
}

#[test]
fn several_sessions_are_compared_on_the_first_screen_and_follow_the_bar() {
    let machines = [Recipe::FULL.results(), Recipe::PLAIN.results()];
    for (sessions, heading) in [
        (
            alike(),
            "Branchy or branchless? It depends on how many positions repeat, in each session.",
        ),
        (
            machines.into(),
            "Branchy or branchless? It depends on how many positions repeat, in each session.",
        ),
        (
            vec![decided(0.8, None), decided(1.25, None)],
            "Branchy or branchless? The sessions contradict each other under 9 of 9 conditions that two of them resolve.",
        ),
        (
            vec![decided(0.8, Some(1.25)), decided(0.8, Some(0.8))],
            "Branchy or branchless? The sessions contradict each other under 9 of 18 conditions that two of them resolve.",
        ),
    ] {
        let page = together(&sessions);
        let Some(told) = judge(&page, "screen", 1280, &[]) else { return };
        assert!(told.contains(&format!("ok heading {heading} ")), "{heading}: {told}");
        for width in [1280, 390] {
            judge(&page, "several", width, &[]);
        }
    }
}

#[test]
fn eight_sessions_are_legible_on_the_first_screen() {
    let session = |seed| Recipe { seed, ..Recipe::FULL }.on_one_machine();
    let sessions: Vec<Results> = (1..=8).map(session).collect();
    judge(&together(&sessions), "screen", 1280, &[]);
}

#[test]
#[ignore = "takes minutes: RAYWALK_PROGRAM=$PWD/target/release/raywalk cargo test --test browser -- --ignored"]
fn a_page_of_two_large_sessions_stays_small_and_prints_on_twelve_pages() {
    let page = &large(&[Recipe::FULL.seed, 7]);
    assert_small(page);
    judge(page, "screen", 1280, &[]);
    let Some(browser) = chromium() else { return };
    for page in [page, &together(&alike())] {
        let pages = printed(&browser, page);
        assert!((2..=12).contains(&pages), "{pages} pages");
    }
}

#[test]
fn axe_finds_no_violation_on_a_page_of_several_sessions() {
    judge_by_axe(&together(&alike()), 1280);
    judge_by_axe(&dark(&together(&alike())), 390);
}

/// Eighty designs in the panels of the recipe.
fn eighty() -> &'static str {
    static PAGE: LazyLock<String> = LazyLock::new(|| {
        page(
            &Recipe { designs: 80, rounds: 12, shares: 6, layouts: 0, ..Recipe::FULL }
                .explained(22.0),
        )
    });
    &PAGE
}

#[test]
#[ignore = "about 17 s; run by CI with --ignored"]
fn eighty_designs_are_legible_in_the_dark_on_a_telephone_and_without_scripts() {
    let page = eighty();
    judge(&dark(page), "shown", 1280, &[]);
    judge(&without_script(page), "shown", 1280, &[]);
    judge(page, "narrow", 390, &[]);
    judge(&without_script(&dark(page)), "narrow", 390, &[]);
}

#[test]
#[ignore = "about 20 s; run by CI with --ignored"]
fn a_page_of_145_designs_in_127_panels_stays_small_and_legible() {
    let page = &large(&[Recipe::FULL.seed]);
    assert_small(page);
    judge(page, "scale", 1280, &[]);
}

#[test]
#[ignore = "about 30 s; run by CI with --ignored"]
fn axe_finds_no_violation_among_eighty_designs_in_the_light_theme() {
    judge_by_axe(eighty(), 1280);
}

#[test]
#[ignore = "about 30 s; run by CI with --ignored"]
fn axe_finds_no_violation_among_eighty_designs_in_the_dark_theme() {
    judge_by_axe(&dark(eighty()), 1280);
}

#[test]
#[ignore = "about 30 s; run by CI with --ignored"]
fn axe_finds_no_violation_among_eighty_designs_on_a_telephone() {
    judge_by_axe(eighty(), 390);
}
