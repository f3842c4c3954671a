//! Every number of a page can be traced by the label of its table, and every table of a page is available by name.

use raywalk_judge::Judged;
use raywalk_results::fixture::Recipe;
use raywalk_results::journal::Results;
use raywalk_results::schema::Provenance;

use super::{between, page};

/// So few designs that no table is packed.
const FEW: Recipe = Recipe { designs: 4, ..Recipe::FULL };

/// The label of each table, behind its title.
fn labels(page: &str) -> Vec<(&str, &str)> {
    assert!(!page.contains(" data-packed=\""), "a packed table has no label that this test sees");
    let captions = between(page, "<caption>", "</caption>").into_iter();
    let parts = captions.map(|caption| {
        let label =
            caption.split_once("<small>").map(|(_, rest)| rest.trim_end_matches("</small>"));
        (between(caption, "<span>", "</span>")[0], label.expect("a label"))
    });
    parts.collect()
}

/// What a label lacks, of a page of these sessions.
fn lacks(page: &str, sessions: &[Results], label: &str) -> Vec<&'static str> {
    let follows = |word: &str| label.split_once(word).map_or("", |(_, rest)| rest);
    let kinds = Provenance::ALL.iter().map(|kind| kind.name());
    // What is no property of executed code has a source.
    let mut kinds = kinds.chain(["derived", "claimed", "reported"]);
    let provenance = follows("Provenance: ").split(". ").next().unwrap_or_default();
    let is_of_none = label.contains("Regime, stage and corpus: none, ");
    let panels = between(label, "href=\"#", "\"");
    let has_panels = panels.iter().any(|id| {
        let table = page.split_once(&format!("<div id=\"{id}\">")).map(|(_, rest)| rest);
        let table = table.and_then(|rest| rest.split_once("</table>")).map(|(table, _)| table);
        table.is_some_and(|table| {
            let digests = sessions.iter().flat_map(|one| &one.session.corpora).map(|it| &it.digest);
            digests.into_iter().any(|digest| table.contains(&**digest))
        })
    });
    let has_digest = label.contains("digest ") || label.contains("without a digest");
    let parts = [
        ("provenance", kinds.any(|kind| provenance.contains(kind))),
        ("regime", is_of_none || has_panels || !follows("Regime: ").is_empty()),
        ("stage", is_of_none || has_panels || !follows("Stage: ").is_empty()),
        ("corpus digest", is_of_none || has_panels || has_digest),
        (
            "session",
            sessions.iter().any(|one| {
                let session = &one.session;
                label.contains(&format!("Session of {}, seed {}", session.started, session.seed))
            }),
        ),
    ];
    parts.into_iter().filter(|(_, has)| !has).map(|(part, _)| part).collect()
}

#[test]
fn each_sentence_of_the_first_screen_has_a_provenance_and_a_label() {
    let results = Recipe::FULL.results();
    let explained = FEW.explained(22.0);
    for sessions in [vec![explained], vec![results.clone()], vec![results.clone(), results]] {
        let page = page(&sessions);
        let header = between(&page, "<header>", "</header>")[0];
        let sentences = between(header, "<p class=\"lead", "</p>");
        let origins = between(header, "<details class=\"origins\">", "</details>")[0];
        let notes = between(origins, "<p class=\"note", "</p>");
        let labels: Vec<&str> =
            notes.iter().filter_map(|note| Some(note.split_once('>')?.1)).collect();
        assert_eq!(labels.len(), sentences.len(), "{origins}");
        assert!(!sentences.is_empty());
        for (number, (sentence, label)) in (1..).zip(sentences.iter().zip(&labels)) {
            assert!(label.starts_with(&format!("Sentence {number}. Provenance: ")), "{label}");
            assert_eq!(lacks(&page, &sessions, label), Vec::<&str>::new(), "{label}");
            let provenance = between(sentence, "<small>(", ")</small>")[0];
            // A label refers to nothing that its sentence does not name.
            let names = sentence.contains(" K = ") || sentence.contains(" order");
            assert!(names || !label.contains("that the condition names"), "{sentence}: {label}");
            assert!(label.contains(&format!("Provenance: {provenance}. ")), "{sentence}");
        }
    }
}

#[test]
fn the_label_of_every_table_has_provenance_regime_stage_corpus_and_session() {
    let small = |seed| Recipe { seed, ..Recipe::SMALL }.on_one_machine();
    let machines = vec![FEW.results(), Recipe { designs: 4, ..Recipe::PLAIN }.results()];
    for (sessions, least) in
        [(vec![FEW.explained(22.0)], 30), (machines, 10), (vec![small(1), small(3)], 6)]
    {
        let page = page(&sessions);
        let labels = labels(&page);
        assert!(labels.len() >= least, "{}", labels.len());
        for (title, label) in labels {
            let lacks = lacks(&page, &sessions, label);
            assert!(lacks.is_empty(), "{title} lacks {lacks:?}: {label}");
        }
    }
}

#[test]
fn every_figure_has_a_label_of_its_own_and_copies_keep_the_session() {
    let sessions = vec![FEW.explained(22.0), Recipe { designs: 4, ..Recipe::PLAIN }.results()];
    for (sessions, least) in [(&sessions[..1], 18), (&sessions[..], 1)] {
        let page = page(sessions);
        let figures = between(&page, "<figure", "</figure>");
        assert!(figures.len() >= least, "{}", figures.len());
        for figure in figures {
            let [label] = between(figure, "<p class=\"origin\">", "</p>")[..] else {
                panic!("{figure:.200}")
            };
            assert_eq!(lacks(&page, sessions, label), Vec::<&str>::new(), "{label}");
        }
    }
    for results in &sessions {
        let judged = Judged::of(results);
        let session = &results.session;
        let named = format!("Session of {}, seed {}", session.started, session.seed);
        for (id, file) in raywalk_page::figures(&judged) {
            let label = between(&file, "<metadata>", "</metadata>").concat();
            assert!(label.contains(&named) && label.contains("Provenance: "), "{id}: {label}");
        }
        for (name, table) in raywalk_page::tables(&judged) {
            let csv = table.csv();
            let mut lines = csv.lines();
            assert!(lines.next().is_some_and(|head| head.ends_with(",Session")), "{name}");
            assert!(csv.trim_end().ends_with(&format!(",\"{named}\"")), "{name}: {csv}");
        }
    }
}

#[test]
fn only_tables_about_no_positions_have_none() {
    let page = page(&[FEW.explained(22.0)]);
    let none = labels(&page).into_iter().filter(|(_, label)| label.contains(": none, "));
    let titles: Vec<String> = none.map(|(title, _)| title.chars().take(24).collect()).collect();
    let known = [
        "Corpora, with the digest",
        "Instruments on kernels w",
        "Name, author, year, sour",
        "What the compiler made o",
    ];
    assert!(titles.iter().all(|title| known.contains(&&**title)), "{titles:?}");
}

#[test]
fn a_label_without_a_part_is_found_out() {
    let sessions = [FEW.results()];
    let page = page(&sessions);
    let whole = "Provenance: measured. Regime: a stream. Stage: all moves. Corpus: a, digest b. \
                 Session of 2000-01-01T00:00:00Z, seed 1.";
    assert_eq!(lacks(&page, &sessions, whole), Vec::<&str>::new());
    for (part, word) in [
        ("provenance", "measured"),
        ("regime", "Regime: a stream. "),
        ("stage", "Stage: all moves. "),
        ("corpus digest", "digest"),
        ("session", "seed 1"),
    ] {
        assert_eq!(lacks(&page, &sessions, &whole.replace(word, "")), [part]);
    }
}

#[test]
fn the_tables_by_name_are_those_of_the_page() {
    let results = FEW.explained(22.0);
    let page = page(std::slice::from_ref(&results));
    let judged = Judged::of(&results);
    let tables = raywalk_page::tables(&judged);
    let names: Vec<&str> = tables.iter().map(|(name, _)| name.as_str()).collect();
    for name in ["matrix", "matrix-ns", "classes", "chains", "resolution", "panels", "corpora"] {
        assert!(names.contains(&name), "{names:?}");
    }
    for (name, table) in &tables {
        let csv = table.csv();
        let mut lines = csv.lines();
        let columns: Vec<&str> = lines.next().expect("a heading").split(',').collect();
        assert!(!columns.is_empty() && lines.next().is_some(), "{name}");
        // Names of designs stand on the page, and their ids elsewhere.
        let first = columns[0].trim_matches('"');
        assert!(page.contains(&format!("<th scope=\"col\">{first}</th>")), "{name}: {first}");
        assert!(!csv.contains("</") && !csv.contains("&amp;"), "{name}: {csv}");
    }
}
