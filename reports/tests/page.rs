//! The page as a document: complete, closed, spoken, and the same every time.

mod fixture;
use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use fixture::Recipe;
use raywalk_reports::journal::Results;
use raywalk_reports::page;
use raywalk_reports::schema::Record;
use sha2::{Digest, Sha256};

fn full() -> String {
    page(&[Recipe::FULL.results()])
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
fn nothing_is_loaded_from_anywhere() {
    let page = without_download(&full());
    assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("url("));
    assert!(!page.contains("@import") && !page.contains(" src="));
    for target in between(&page, "href=\"", "\"") {
        assert!(target.starts_with('#') || target.starts_with("data:text/csv"), "{target}");
    }
}

#[test]
fn the_policy_allows_this_style_and_this_script_alone() {
    let page = full();
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
    let policy = policy.first().expect("a policy").replace("&#39;", "'");
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert!(!policy.contains("unsafe"));
    for tag in ["style", "script"] {
        let bodies = between(&page, &format!("<{tag}>"), &format!("</{tag}>"));
        let [body] = bodies[..] else { panic!("{} elements {tag}", bodies.len()) };
        let hash = BASE64.encode(Sha256::digest(body.as_bytes()));
        assert!(policy.contains(&format!("{tag}-src 'sha256-{hash}'")), "{tag}: {policy}");
    }
    // An inline style or handler would be blocked, so there must be none.
    assert!(!page.contains(" style=") && !page.contains(" onclick="));
}

#[test]
fn every_plot_speaks() {
    let page = full();
    let plots = between(&page, "<svg ", "</svg>");
    assert_eq!(plots.len(), 6);
    for plot in plots {
        assert!(plot.contains("role=\"img\""));
        let title = between(plot, "<title id=\"", "</title>");
        let description = between(plot, "<desc id=\"", "</desc>");
        assert!(title.len() == 1 && title[0].len() > 30, "{title:?}");
        assert!(description.len() == 1 && description[0].len() > 60, "{description:?}");
    }
    assert_eq!(between(&page, "<figure", "</figure>").len(), 6);
    assert!(between(&page, "<figure", "</figure>").iter().all(|f| f.contains("<table>")));
}

#[test]
fn every_table_has_a_caption_and_scoped_headings() {
    let page = full();
    let tables = between(&page, "<table>", "</table>");
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
        "!DOCTYPE", "meta", "input", "br", "rect", "line", "polyline", "polygon", "circle", "link",
        "hr", "img",
    ];
    let page = page(&both());
    let script = between(&page, "<script>", "</script>")[0];
    let page = page.replace(script, "");
    let mut open: Vec<&str> = Vec::new();
    for tag in between(&page, "<", ">") {
        let name = tag.split([' ', '\n', '/']).find(|part| !part.is_empty()).unwrap_or("");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "<{tag}>");
        } else if !VOID.contains(&name) {
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
                design.control = hostile.to_owned();
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
    assert_eq!(page.matches("alert(1)").count(), page.matches("&gt;alert(1)&lt;").count());
    assert!(!page.contains("<!--") && page.contains("&lt;!--"));
}

#[test]
fn an_empty_or_poor_session_says_what_is_missing() {
    let bare = |records: Vec<Record>| page(&[fixture::read(&fixture::text(&records))]);
    let session_only = bare(Recipe::SMALL.records().into_iter().take(1).collect());
    assert!(session_only.contains("This journal holds no rounds"));
    let no_rounds = bare(Recipe { rounds: 0, ..Recipe::SMALL }.records());
    assert!(no_rounds.contains("no round was run"));
    let few = bare(Recipe { rounds: 3, ..Recipe::FULL }.records());
    assert!(few.contains("3 rounds are too few for an interval"));
    let one = bare(Recipe { rounds: 1, designs: 1, ..Recipe::FULL }.records());
    let none = page(&[]);
    assert!(none.contains("No journal was given"));
    for page in [session_only, no_rounds, few, one, none, full(), page(&both())] {
        let page = without_download(&page);
        // Exact case: `NaN` and `inf` are what Rust writes.
        assert!(!page.contains("NaN") && !page.contains(">inf") && !page.contains("-inf"));
        assert!(!page.contains("could not be drawn"));
    }
}

#[test]
fn what_the_machine_lacks_stands_where_its_numbers_would() {
    let page = page(&[Recipe::PLAIN.results()]);
    assert!(page.contains("Not available here: valgrind. It is not installed. Install valgrind."));
    let both = "Not available here: instructions and branch-misses. The hypervisor shows no \
                counters. Ask the host.";
    assert!(page.contains(both));
    assert!(page.contains("all timed regions together: context-switches 0."));
    assert!(page.contains("nanoseconds (measured)") && !page.contains("core cycles (derived)"));
}

#[test]
fn the_summary_says_who_leads_and_how_the_ranking_changes() {
    let page = full();
    let said = between(&page, "<ul class=\"said\">", "</ul>")[0];
    // From the recipe: the cost on ab4 is fixed + 0.22 surprise, on repeat-1 fixed alone, on
    // cycle-65536 fixed + surprise.
    assert!(said.contains("the fastest of 12 designs is Synthetic iota"), "{said}");
    assert!(said.contains("over and over, Synthetic zeta, lines leads"), "{said}");
    assert!(said.contains("the same 65,536 positions, over and over, Synthetic iota does"));
    assert!(said.contains("-fold for branchy designs (median of 5)"));
    assert!(said.contains("and nothing below its own spread, is called a difference here"));
}

#[test]
fn a_page_of_twenty_six_designs_stays_below_three_megabytes() {
    let recipe = Recipe { designs: 26, rounds: 100, ..Recipe::FULL };
    assert!(page(&[recipe.results()]).len() < 3_000_000);
}

#[test]
fn the_page_tells_the_spread_of_processes_where_the_journal_knows_them() {
    let known = full();
    assert!(known.contains("Spread over processes: ab4") && known.contains("8 complete processes"));
    assert!(known.contains("another process") && known.contains("disturbed round"));
    assert!(known.contains("in 8 processes, 1 round disturbed from outside"));
    assert!(known.contains("A/A of the session: all baselines against themselves"));
    let unknown = page(&[Recipe::PLAIN.results()]);
    for absent in ["Spread over processes", "another process", "disturbed round"] {
        assert!(!unknown.contains(absent), "{absent}");
    }
}

fn both() -> Vec<Results> {
    vec![Recipe::FULL.results(), Recipe::PLAIN.results()]
}

#[test]
fn the_page_says_which_numbers_are_differences_memorised_or_of_sliders_only() {
    let page = full();
    let marks = page.matches(" · memorised").count();
    // Five branchy designs in each of three panels with fewer than 300 positions.
    assert_eq!(marks, 15);
    assert_eq!(page.matches("no verdict about it on others").count(), 3);
    assert!(
        page.contains("the branch predictor overwritten by 16,384 random branches before each")
    );
    assert!(page.contains("Not in this table, because they find the moves of all pieces at once"));
    let folded = between(&page, "<details class=\"group\"><summary>", "</summary>");
    assert!(folded.contains(&"cycle-65536: all moves; captures only"), "{folded:?}");
}
