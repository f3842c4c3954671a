//! The page of a session: its sections, its labels, and missing parts.

use std::sync::LazyLock;

use raywalk_judge::Judged;
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::schema::{
    Absent, Event, Facility, Intensity, IntensityUnit, Reason, Record, RegimeKind,
};

use crate::{between, both, full, page, without_download};

#[test]
fn an_empty_or_short_session_names_what_is_missing() {
    let bare = |records: Vec<Record>| page(&[fixture::read(&fixture::text(&records))]);
    let session_only = bare(Recipe::SMALL.records().into_iter().take(1).collect());
    assert!(session_only.contains("Rounds, and with them any finding about speed"));
    let no_rounds = bare(Recipe { rounds: 0, ..Recipe::SMALL }.records());
    assert!(no_rounds.contains("no round was run"));
    let few = bare(Recipe { rounds: 3, ..Recipe::FULL }.records());
    assert!(few.contains("3 rounds are too few for an interval"));
    let one = bare(Recipe { rounds: 1, designs: 1, ..Recipe::FULL }.records());
    let none = page(&[]);
    assert!(none.contains("No journal was given"));
    for page in [session_only, no_rounds, few, one, none, full().to_owned(), page(&both())] {
        let page = without_download(&page);
        // Exact case: `NaN` and `inf` are what Rust writes.
        assert!(!page.contains("NaN") && !page.contains(">inf") && !page.contains("-inf"));
        assert!(!page.contains("points=\"\""));
    }
}

#[test]
fn a_design_without_a_rank_is_marked_and_says_why() {
    let mut results = Recipe { rounds: 24, shares: 12, ..Recipe::SMALL }.results();
    let explained = ["Designs without a rank are listed last", "follows a number without a rank"];
    let plain = page(&[results.clone()]);
    assert!(explained.iter().all(|text| !plain.contains(text)));
    for panel in &mut results.panels {
        let rounds = panel.rounds.iter_mut().filter(|round| round.process >= 2);
        let samples = rounds.flat_map(|round| &mut round.samples);
        for sample in samples.filter(|sample| sample.design == "synthetic-beta") {
            (sample.ticks, sample.blocks) = (0, Vec::new());
        }
    }
    let page = page(&[results]);
    assert!(explained.iter().all(|text| page.contains(text)));
    assert!(page.contains("none: 20 of 24 samples were left out as spoilt"));
    assert!(page.contains(" ‡</td>"));
}

#[test]
fn the_reason_for_an_absent_instrument_is_in_place_of_its_numbers() {
    let page = page(&[Recipe::PLAIN.results()]);
    let valgrind = "Not available here: valgrind. The program is not on the search path. Install \
                    the package valgrind.";
    assert!(page.contains(valgrind));
    let both = "Not available here: instructions and branch-misses. This machine has no hardware \
                counters; most virtual machines have none. Run on the physical machine";
    assert!(page.contains(both));
    assert!(page.contains("in all timed regions together: context-switches 0."));
    assert!(page.contains("nanoseconds (measured)") && !page.contains("core cycles (derived)"));
}

#[test]
fn the_first_screen_has_the_finding_its_quality_the_conditions_and_the_figure() {
    let page = full();
    let heading = between(page, "<h1>", "</h1>")[0];
    assert!(heading.contains("It depends on how many positions repeat."), "{heading}");
    let first = between(page, "<div class=\"first\">", "<nav")[0];
    assert!(first.contains("branchy designs win from K = 1"), "{first}");
    assert!(first.contains("class=\"badge") && first.contains("12 verified designs"), "{first}");
    for side in ["branchy wins", "branchless wins"] {
        assert!(first.contains(side), "{side}");
    }
    // Once for wide windows and once for narrow ones.
    assert_eq!(between(first, "<svg", "</svg>").len(), 2);
}

#[test]
fn a_page_of_twenty_six_designs_stays_below_three_megabytes() {
    let recipe = Recipe { designs: 26, rounds: 100, ..Recipe::FULL };
    assert!(page(&[recipe.results()]).len() < 3_000_000);
}

#[test]
fn figures_of_one_panel_and_tables_name_its_corpus_and_roots() {
    let page = full();
    let positions = "ab4, of whose 65,536 positions (corpus tree-ab4, digest 0000000000000000) the rounds visited";
    assert!(page.contains(&format!("Ratios are of total times over {positions}")));
    // Forest plots, size, spread and sequence.
    assert!(page.matches(&format!("Times are those of {positions}")).count() >= 4);
}

#[test]
fn the_spread_of_processes_is_shown_if_there_are_several() {
    let known = full();
    assert!(known.contains("Spread over processes: ab4") && known.contains("(8 processes)"));
    assert!(known.contains("another process") && known.contains("disturbed round"));
    assert!(known.contains("in 8 processes, 1 round disturbed as a whole"));
    assert!(known.contains("A/A control of the session: ratio"));
    let unknown = page(&[Recipe::PLAIN.results()]);
    for absent in ["Spread over processes", "another process", "round disturbed as a whole"] {
        assert!(!unknown.contains(absent), "{absent}");
    }
}

#[test]
fn perturbed_memorised_and_slider_panels_are_labelled() {
    let page = full();
    let marks = page.matches(" · memorised").count();
    // Every design in each of three panels with fewer than 300 positions: all curves of the fixture rise
    // by more than a quarter.
    assert_eq!(marks, 3 * 12);
    assert_eq!(page.matches("do not carry over to other positions").count(), 3);
    assert!(page.contains("a stream in search-tree order, perturbed by 16384 branches"));
    assert!(
        page.contains("Not in this table, because they generate the moves of all pieces at once")
    );
    let folded = between(page, "<details class=\"group\"", "</summary>");
    let of_cycle = |title: &&str| title.ends_with(">cycle-65536: all moves; captures only");
    assert!(folded.iter().any(of_cycle), "{folded:?}");
}

/// The columns of the regimes plot.
fn columns(page: &str) -> Vec<&str> {
    let figure = between(page, "<figure aria-labelledby=\"regimes-head\">", "</figure>")[0];
    between(figure, "scope=\"col\" class=\"n\">", "</th>")
}

#[test]
fn the_regimes_plot_chooses_panels_by_their_properties() {
    assert_eq!(
        columns(full()),
        ["repeat-1", "cycle-65536", "game", "ab4", "ab4 (cold, 16384 branches)"]
    );
    // Names carry no meaning.
    let mut results = Recipe::FULL.results();
    for (place, rounds) in results.panels.iter_mut().enumerate() {
        let is_headline = rounds.panel.workload == "ab4";
        rounds.panel.workload = if is_headline { "w".to_owned() } else { format!("w{place}") };
        if rounds.panel.regime.kind == RegimeKind::Cold {
            let intensity = Intensity { amount: 7, unit: IntensityUnit::Branches };
            rounds.panel.regime.intensity = Some(intensity);
            rounds.panel.regime.label = "other".to_owned();
        }
    }
    assert_eq!(columns(&page(&[results])), ["w0", "w6", "w8", "w", "w (other)"]);
}

#[test]
fn an_absent_facility_is_not_listed_under_hardware_events() {
    let mut results = Recipe::PLAIN.results();
    results.session.absent = vec![
        Absent::facility(Facility::LockedMemory, Reason::LinuxOnly),
        Absent::event(Event::Cycles, Reason::NoPmu),
    ];
    let page = page(&[results]);
    let lacking = between(&page, "<section aria-labelledby=\"lacking\">", "</section>")[0];
    assert!(lacking.contains("Hardware events") && lacking.contains("Not available here: cycles."));
    assert!(!lacking.contains("locked-memory"));
}

/// The ids of the sections, in the order of the page.
fn sections(page: &str) -> Vec<&str> {
    between(page, "<section aria-labelledby=\"", "\"")
}

#[test]
fn sections_follow_the_questions_of_a_reader_and_empty_ones_are_one_list() {
    let page = full();
    let expected = [
        "why",
        "claims",
        "matrix",
        "ranking",
        "depends",
        "inside",
        "ranking-tables",
        "trust",
        "machine",
        "designs",
        "lacking",
        "method",
        "words",
        "repeat",
    ];
    assert_eq!(sections(page), expected);
    assert!(page.find("id=\"set-baseline\"") < page.find("aria-labelledby=\"matrix\""));
    assert!(page.find("id=\"set-baseline\"") > page.find("aria-labelledby=\"why\""));
    // The recipe has one intensity and no calls.
    let lacking = between(page, "<section aria-labelledby=\"lacking\">", "</section>")[0];
    for (name, command) in [
        ("Calls other than generation", "raywalk run --plan full"),
        ("Cost by intensity of the cold regime", "raywalk run --plan full"),
    ] {
        assert!(lacking.contains(&format!("<strong>{name}</strong>: <code>{command}</code>")));
    }
    assert!(!lacking.contains("memorisation curve") && !lacking.contains("Callgrind"), "{lacking}");
    let empty = fixture::text(&Recipe { rounds: 0, ..Recipe::SMALL }.records());
    let empty = raywalk_page::page(&[Judged::of(&fixture::read(&empty))]);
    assert_eq!(
        sections(&empty).iter().filter(|id| ["why", "matrix", "ranking"].contains(id)).count(),
        0
    );
    assert!(!empty.contains("id=\"set-baseline\""), "nothing to choose");
}

#[test]
fn the_matrix_marks_the_best_of_rows_and_columns_for_each_baseline_and_metric() {
    let results = Recipe::FULL.results();
    let judged = Judged::of(&results);
    let page = raywalk_page::page(std::slice::from_ref(&judged));
    let section = between(&page, "<section aria-labelledby=\"matrix\">", "</section>")[0];
    let tables = between(section, "<table>", "</table>");
    assert_eq!(tables.len(), 4 + 3, "baselines, then nanoseconds and cycles");
    let matrix = raywalk_judge::matrix::Matrix::of(&judged);
    for table in &tables {
        assert_eq!(table.matches("★ ").count(), matrix.columns.len(), "one star in each column");
        assert_eq!(table.matches("n best").count(), matrix.designs.len(), "one in each row");
        assert_eq!(table.matches("scope=\"row\"").count(), matrix.designs.len());
    }
    for name in ["planned", "fastest", "branchy", "branchless"] {
        assert!(section.contains(&format!("<div data-baseline=\"{name}\">")));
        assert!(
            page.contains(&format!("id=\"forest-{name}\""))
                || page.contains(&format!("forest-{name}-head"))
        );
    }
    let sentences = between(section, "<li>", "</li>");
    assert_eq!(sentences.len(), matrix.columns.len());
    assert!(sentences.iter().all(|it| it.starts_with("On ")), "{sentences:?}");
}

#[test]
fn the_bar_offers_every_workload_call_family_and_design() {
    let page = full();
    let bar = between(page, "<form class=\"bar\"", "</form>")[0];
    for (name, options) in [("baseline", 4), ("metric", 4), ("workload", 1 + 9), ("call", 1 + 4)] {
        let select = between(bar, &format!("<select id=\"set-{name}\">"), "</select>")[0];
        assert_eq!(select.matches("<option").count(), options, "{select}");
    }
    assert_eq!(bar.matches("data-design").count(), 14, "two of them cannot run");
    // What needs the script is hidden without it; baseline and metric need none.
    assert_eq!(bar.matches("data-script hidden").count(), 7);
    assert!(page.contains("option[value=branchless]:checked) [data-baseline=branchless]"));
}

/// The page of two sessions with the same times.
static SAME: LazyLock<String> = LazyLock::new(|| repeated(0.8));
/// The page of two sessions that contradict each other on `synthetic-beta`.
static OTHER: LazyLock<String> = LazyLock::new(|| repeated(1.25));

/// Two sessions, of which the first takes 0.8 of the baseline's time for `synthetic-beta` and the second `stretch`.
fn repeated(stretch: f64) -> String {
    let results = |times: &[(&str, f64)]| fixture::with_times(Recipe::FULL.results(), times);
    let again = results(&[("synthetic-beta", stretch), ("synthetic-gamma", 1.0)]);
    page(&[results(&[("synthetic-beta", 0.8), ("synthetic-gamma", 1.0)]), again])
}

#[test]
fn several_sessions_show_where_their_rankings_agree_and_what_changed() {
    let (same, other) = (&*SAME, &*OTHER);
    assert!(same.contains("<p>0 changes in "), "no change");
    let heading = |page: &str| between(page, "</small> ", "</h1>")[0].to_owned();
    let depends =
        "Branchy or branchless? It depends on how many positions repeat, in each session.";
    assert_eq!(heading(same), depends);
    let leads = |page: &str| between(page, "<p class=\"lead", "</p>").join("\n");
    assert!(leads(same).contains("the sessions agree that branchy designs win from K = 1"));
    let none = "Design by design, no two sessions contradict each other among ";
    assert!(leads(same).contains(none), "{}", leads(same));
    assert!(leads(other).contains("Design by design, there are "), "{}", leads(other));
    // A row about two designs is hidden with either of them.
    let turned = between(other, "Pairs on which two sessions contradict each other", "</table>");
    let rows = turned.iter().flat_map(|table| between(table, "<tr class=\"", "\""));
    assert!(
        rows.clone().count() > 0 && rows.into_iter().all(|class| class.split(' ').count() == 2)
    );
    // One session alone resolves nothing that two of them do.
    let mut without = vec![Recipe::FULL.results(), Recipe::FULL.results()];
    for panel in &mut without[1].panels {
        panel.rounds.truncate(3);
    }
    let nothing = heading(&page(&without));
    assert_eq!(nothing, "No two sessions resolve the same pair of designs.");
    assert!(!same.contains("Pairs on which two sessions contradict each other"));
    assert!(other.contains("Pairs on which two sessions contradict each other"));
    assert!(other.contains("Changed designs: ratio in session 2 over that in session 1"));
    assert!(!full().contains("Do the sessions agree?"), "one session agrees with itself");
}

#[test]
fn a_page_of_several_sessions_compares_them_and_names_the_pages_of_each() {
    let page = page(&both());
    let expected = ["agreement", "side-by-side", "machines", "sessions", "method", "words"];
    assert_eq!(sections(&page), expected);
    let first = between(&page, "<div class=\"first\">", "<nav")[0];
    assert_eq!(between(first, "<svg", "</svg>").len(), 2, "wide and narrow");
    assert!(first.contains("number: session") && first.contains(" in session 2: "), "{first:.600}");
    assert!(first.contains("session 1: Synthetic processor 1, ") && first.contains("session 2: "));
    assert_eq!(page.matches("class=\"badge").count(), 1 + 2, "the worst, and that of each session");
    let each = between(&page, "<section aria-labelledby=\"sessions\">", "</section>")[0];
    assert!(each.contains("<code>raywalk report RESULT</code>"));
    assert_eq!(each.matches("Download the summary as CSV").count(), 2);
    // Panels that stand side by side can be chosen, but no baseline and no metric.
    let bar = between(&page, "<form class=\"bar\"", "</form>")[0];
    let selects = between(bar, "<select id=\"", "\"");
    assert_eq!(selects, ["set-workload", "set-call", "set-family"]);
}

#[test]
fn every_panel_of_several_sessions_is_side_by_side_and_follows_the_bar() {
    let sections = between(&OTHER, "<section aria-labelledby=\"side-by-side\">", "</section>");
    let section = sections[0];
    let sessions = [Recipe::FULL.results(), Recipe::FULL.results()];
    let tables = section.matches("<div data-workload=").count();
    assert_eq!(tables, sessions[0].panels.len(), "a table for each panel");
    assert!(section.contains("The sessions differ significantly for a design or more in "));
    let bar = between(&OTHER, "<form class=\"bar\"", "</form>")[0];
    let options = between(bar, "<select id=\"set-workload\">", "</select>")[0];
    for panel in &sessions[0].panels {
        let option = format!("<option value=\"{}\">", panel.panel.workload);
        assert!(options.contains(&option), "{}", panel.panel.workload);
    }
    let titles = between(section, "<details class=\"group\" data-workload=", "</summary>");
    assert!(
        titles
            .iter()
            .any(|title| title.contains(" panels, ") && title.contains(" significant differences")),
        "{titles:?}"
    );
}

#[test]
fn designs_stand_side_by_side_with_their_ratios_and_the_difference() {
    let section = |page: &str| {
        let sections = between(page, "<section aria-labelledby=\"side-by-side\">", "</section>");
        sections[0].split("All panels side by side").next().unwrap_or_default().to_owned()
    };
    let row = |section: &str, name: &str| {
        let rows = between(section, "<tr", "</tr>");
        rows.into_iter().find(|row| row.contains(name)).expect("a row").to_owned()
    };
    let (same, other) = (section(&SAME), section(&OTHER));
    assert!(
        same.contains("The sessions differ significantly for 0 of 11 designs that can be judged"),
        "{same:.600}"
    );
    assert!(other.contains("The sessions differ significantly for 1 of "), "{other:.600}");
    for name in ["Session 1", "Session 2", "Do the sessions differ?"] {
        assert_eq!(between(&other, name, "</th>").len(), 1, "{name}");
    }
    let beta = row(&other, "Synthetic beta");
    assert!(beta.contains(">0.800 <small>") && beta.contains(">1.250 <small>"), "{beta}");
    assert!(beta.contains("class=\"worse\">yes: 1.56"), "{beta}");
    assert!(beta.contains(" times slower in session 2 than in 1, significance "), "{beta}");
    assert!(row(&other, "Synthetic gamma").contains(">no: equal within "), "{other}");
    // Other positions have no ratio beside these.
    let mut changed = vec![Recipe::FULL.results(), Recipe::FULL.results()];
    changed[1].session.corpora.iter_mut().for_each(|it| it.digest = "another".to_owned());
    let apart = section(&page(&changed));
    assert!(
        apart.contains(
            "<p>The headline panels of sessions 1 and 2 differ in corpora of the panel ("
        )
    );
    assert!(!apart.contains("<table>"));
    assert!(
        apart.contains("Not side by side, because not all sessions measured them alike "),
        "{apart}"
    );
}
