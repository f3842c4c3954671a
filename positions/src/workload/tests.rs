use super::*;
use crate::corpus::GOLDEN;

#[test]
fn names_are_unique_and_each_finds_its_row() {
    let names: HashSet<_> = ALL.iter().map(|description| description.name).collect();
    assert_eq!(names.len(), ALL.len());
    for description in ALL {
        let found = Workload::describe(description.name).expect("a listed name");
        assert_eq!(found.about, description.about);
    }
}

#[test]
fn an_unknown_name_is_an_error_with_close_names() {
    let error = Workload::describe("densty-8").expect_err("no such workload");
    assert_eq!(
        error.to_string(),
        "unknown workload `densty-8`; a file of positions is named by its path, such as \
         `./densty-8`; did you mean density-8 or density-3 or density-4 or density-6?"
    );
    let error = Workload::describe("nothing-like-it").expect_err("no such workload");
    assert!(error.to_string().ends_with("such as `./nothing-like-it`"), "{error}");
}

#[test]
fn a_word_names_a_row_or_a_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = folder.path().join("plain");
    std::fs::write(&plain, "startpos\n").expect("written");
    let find = |word: &str| match Named::find(word) {
        Ok(Named::Row(row)) => format!("row {}", row.name),
        Ok(Named::File(path)) => format!("file {}", path.display()),
        Err(error) => error.to_string(),
    };
    assert_eq!(find("ab4"), "row ab4");
    for path in ["./ab4", "mine.epd", "below/mine", "-", "/", "."] {
        assert_eq!(find(path), format!("file {path}"));
    }
    let plain = plain.to_str().expect("a path in UTF-8");
    assert_eq!(find(plain), format!("file {plain}"));
    assert!(find("mine").starts_with("unknown workload `mine`; "));
    assert!(find("a\u{1b}b").starts_with("unknown workload `a\\u{1b}b`; "));
}

#[test]
fn a_file_is_a_workload_with_the_name_of_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    let lines = write("two lines.epd", "startpos\nstartpos bm e4;\n");
    let lines = Store::in_memory().named(&Named::File(lines)).expect("two positions");
    assert_eq!((lines.name.as_str(), lines.order), ("two lines.epd", Order::Listed));
    assert_eq!((lines.positions.len(), lines.distinct), (2, 1));
    let source =
        Source { name: "two lines.epd".to_owned(), positions: 2, digest: lines.totals.digest };
    assert_eq!(lines.sources, [source]);
    let games = Workload::of_file(&write("games.txt", "[Event \"?\"]\ne4 e5 *")).expect("a game");
    assert_eq!((games.order, games.positions.len(), games.totals.legal), (Order::Game, 3, 69));

    let taken = Workload::of_file(&write("ab4", "startpos")).expect_err("a name of the table");
    assert!(taken.to_string().ends_with("is called like the workload `ab4`; rename it"), "{taken}");
    let wrong = Workload::of_file(&write("x.pgn", "e4 e4")).expect_err("an illegal move");
    let text = wrong.to_string();
    assert!(
        text.starts_with("cannot read ") && text.contains("x.pgn: line 1, game 1: `e4`"),
        "{text}"
    );
}

#[test]
fn the_memorisation_series_has_its_cycles_in_ascending_order() {
    let points = ALL.iter().filter_map(|row| match row.series? {
        Series::Memorisation { k } => Some((k, row.order)),
    });
    let points: Vec<_> = points.collect();
    assert!(points.is_sorted_by(|a, b| a.0 < b.0), "{points:?}");
    assert!(points.iter().all(|&(k, order)| order == Order::Cyclic(k)), "{points:?}");
    assert_eq!((points.first(), points.len()), (Some(&(1, Order::Cyclic(1))), 8));
}

#[test]
fn a_workload_without_a_recorded_search_says_so() {
    let recorded = ALL.iter().filter(|row| row.is_recorded()).map(|row| row.name);
    assert_eq!(recorded.collect::<Vec<_>>(), ["ab4"]);
    assert_eq!(Store::in_memory().recording("famous"), Ok(None));
    assert!(Store::in_memory().recording("fame").is_err());
}

#[test]
fn the_recipe_of_a_workload_changes_with_its_corpora_and_its_content() {
    let rows: Vec<_> = GOLDEN.iter().map(|(id, row)| (*id, format!("{row:?}"))).collect();
    for description in ALL {
        let recipe = description.content.fingerprint();
        let corpora: Vec<CorpusId> = match description.content {
            Content::Shuffled(id, _)
            | Content::Whole(id)
            | Content::Part(id, _)
            | Content::Slice(_, id) => vec![id],
            Content::Rare(_, ids) => ids.to_vec(),
            Content::Famous | Content::Facts(_) | Content::Fact(_) => Vec::new(),
        };
        let known = rows.iter().filter(|(id, _)| corpora.contains(id));
        for (id, row) in known {
            assert!(recipe.contains(row.as_str()), "{}: {id:?} {row}", description.name);
        }
        assert!(!recipe.is_empty(), "{}", description.name);
    }
    let of = |name| Workload::describe(name).expect("a listed name").content.fingerprint();
    assert_ne!(of("cycle-256"), of("cycle-65536"), "one corpus, other positions");
    assert_ne!(of("ab4"), of("qs"), "one corpus, another part");
}

#[test]
fn the_first_positions_of_an_earlier_recipe_are_not_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::at(folder.path());
    let made = store.first("tricky", 40).expect("the facts");
    let files = || std::fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!((made.len(), files()), (40, 1));
    // A file of the title that knows no recipe, with other positions.
    let title = "tricky first 40";
    let file = cache_file::file_name("tricky-first-40", title);
    let sample = Sample::of(&oracle::Board::default(), 0);
    let other = Corpus::new(title.to_owned(), vec![sample]);
    cache_file::write(&folder.path().join(file), &other).expect("written");
    assert_eq!(Store::at(folder.path()).first("tricky", 40).expect("kept"), made);
}

#[test]
fn the_bundled_workloads_have_known_totals() {
    let store = Store::in_memory();
    let load = |name| store.workload(name).expect("a bundled workload");
    let totals = |name| load(name).totals.to_string();
    assert_eq!(
        totals("famous"),
        "6204 positions, 179060 legal moves, 10826 captures, 551 in check, \
         digest 425bf9fba5ef3731"
    );
    assert_eq!(
        totals("tricky"),
        "220 positions, 3396 legal moves, 258 captures, 18 in check, digest 0f9b705b8a7b5497"
    );
    let tricky = load("tricky");
    let leaves = facts::perft().iter().filter_map(|fact| fact.count(1));
    assert_eq!(tricky.totals.legal, leaves.sum::<u64>());
    let widest = load("max-218");
    assert_eq!((widest.positions.len(), widest.totals.legal), (2, 2 * 218));
    assert_eq!((widest.order, widest.sources[0].name.as_str()), (Order::Cyclic(1), "perft/record"));
}

#[test]
fn the_workloads_of_perft_are_the_six_positions_with_the_depths_that_their_rows_tell() {
    let rows = ALL.iter().filter(|row| row.leaves().is_some());
    let store = Store::in_memory();
    let names = rows.map(|row| {
        let workload = store.workload(row.name).expect("a bundled workload");
        let (depth, leaves) = facts::timed_perft(&workload.positions[0]).expect("one of six");
        assert_eq!((workload.positions.len(), row.leaves()), (1, Some(leaves)), "{}", row.name);
        let told = format!("perft to depth {depth}, {},{:03} leaves", leaves / 1000, leaves % 1000);
        assert!(row.about.ends_with(&told), "{}: {}", row.name, row.about);
        row.name.strip_prefix("perft-").expect("the name of the fact behind the word")
    });
    assert_eq!(names.collect::<Vec<_>>(), facts::SIX);
}

#[test]
fn the_number_of_positions_is_known_before_they_are_made() {
    let store = Store::in_memory();
    for name in ["famous", "tricky", "max-218", "density-3"] {
        let known = Workload::describe(name).expect("a name").positions();
        assert_eq!(known, Some(store.workload(name).expect("loaded").positions.len()), "{name}");
    }
    let known = |name| Workload::describe(name).expect("a name").positions();
    assert_eq!((known("cycle-256"), known("ab4")), (Some(256), Some(228_200)));
    assert_eq!((known("qs"), known("opening")), (Some(180_696), None));
}

#[test]
fn the_first_positions_are_the_same_when_read_from_their_own_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::at(folder.path());
    let made = store.first("tricky", 40).expect("the facts");
    assert_eq!(made[..], store.workload("tricky").expect("the facts").positions[..40]);
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 1);
    assert_eq!(Store::at(folder.path()).first("tricky", 40).expect("kept"), made);
}
