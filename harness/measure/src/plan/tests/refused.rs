//! Plan files that are wrong, too deep or too long, and workloads in files.

use super::*;

#[test]
fn errors_of_plan_files_name_the_key_and_the_reason() {
    let panel = "[[panels]]\nworkload = \"ab4\"\n";
    let wrong = |text: &str| parse(text).expect_err("not a plan");
    let unknown_key = wrong(&format!("roundz = 5\n{panel}"));
    assert!(unknown_key.contains("mine.toml") && unknown_key.contains("roundz"), "{unknown_key}");
    let unknown_stage = wrong(&format!("{panel}stages = [\"checks\"]"));
    assert!(unknown_stage.contains("checks") && unknown_stage.contains("captures"));
    let cases = [
        (format!("rounds = 5\nseconds = 5\n{panel}"), "`seconds` conflicts with `rounds`"),
        (
            format!("rounds = 0\n{panel}"),
            "`rounds` is 0; it must be a whole number from 1 to 1000000",
        ),
        (
            format!("seconds = 0.0\n{panel}"),
            "line 1: `seconds` is 0; it must be a number from 1 to",
        ),
        (format!("seconds = nan\n{panel}"), "`seconds` is NaN; it must be"),
        (format!("batch-ms = 3.0\n{panel}"), "`batch-ms` is 3; it must be a number from 0.01 to 2"),
        ("panels = []".to_owned(), "`panels` is empty"),
        ("seed = 1".to_owned(), "`panels` is missing"),
        (format!("{panel}{panel}"), "`panels[1]` duplicates panel ab4/stream-tree/all"),
        (
            format!("{panel}regime = {{ replay = 0 }}"),
            "`panels[0].regime` `replay` needs the number",
        ),
        (format!("{panel}regime = \"replay\""), "`panels[0].regime` `replay` needs the number"),
        (format!("{panel}regime = \"warm\""), "`warm` is not one of replay, matched, stream, cold"),
        (format!("{panel}regime = 7"), "`panels[0].regime` is 7; it must be a name"),
        (format!("{panel}regime = {{ cold = 7 }}"), "`cold` needs a number of branches"),
        (format!("{panel}regime = {{ cold = [] }}"), "`cold` needs a number of branches"),
        (format!("{panel}regime = {{ cold-placebo = 7 }}"), "`cold-placebo` needs a number of"),
        (format!("{panel}regime = \"matched\""), "`matched` needs the number of positions"),
        (
            format!("{panel}regime = {{ matched = 65536 }}"),
            "`matched` needs the number of positions",
        ),
        (
            "[[panels]]\nworkload = \"cycle-16\"\nregime = { matched = 17 }".to_owned(),
            "line 3: `panels[0].regime` does not fit: `cycle-16` has 16 positions, too few",
        ),
        (format!("{panel}regime = {{ stream = 7 }}"), "`stream` takes no parameter"),
        (format!("{panel}regime = {{ pressure = \"256 kb\" }}"), "`pressure` is `256 kb`"),
        (format!("{panel}regime = {{ pressure = [\"3 GiB\"] }}"), "`pressure` is `3 GiB`"),
        (format!("{panel}regime = {{ pressure = [] }}"), "`pressure` needs a size"),
        (
            format!("{panel}regime = {{ pressure = [\"0\", \"32 B\"] }}"),
            "line 3: `panels[0].regime` `pressure` is `32 B`; it needs \"0\" or at least one cache line, \"64 B\"",
        ),
        (
            format!("{panel}order = \"tree\""),
            "line 3: `panels[0].order` is unknown; the keys are workload",
        ),
        (
            format!("{panel}scope = \"pawns\""),
            "`panels[0].scope` is `pawns`, which is not one of whole, sliders",
        ),
        (
            format!("{panel}scope = \"sliders\"\nstages = [\"captures\"]"),
            "`panels[0].scope` is `sliders`, which has",
        ),
        (format!("seed = -1\n{panel}"), "`seed` is -1; it must be a whole number from 0"),
        (format!("seed = \"x\"\n{panel}"), "`seed` is a text; it must be a whole number"),
        (format!("rounds = 1000000000000\n{panel}"), "`rounds` is 1000000000000; it must be"),
        (format!("processes = 2000\n{panel}"), "`processes` is 2000; it must be a whole number"),
        (format!("designs = [1]\n{panel}"), "`designs` is a list; it must be a list of texts"),
        (
            format!("plugins = [\"no-such.so\"]\n{panel}"),
            "line 1: `plugins` is wrong: plug-in no-such.so cannot be read",
        ),
        (format!("baseline = []\n{panel}"), "`baseline` is an empty list; it must be a text"),
        (format!("least-rounds = 9\nmost-rounds = 8\n{panel}"), "more than `most-rounds`"),
        ("panels = 1".to_owned(), "`panels` is 1; it must be a list of tables"),
        ("panels = [1]".to_owned(), "`panels` is a list; it must be a list of tables"),
        (format!("{panel}headline = 1"), "`panels[0].headline` is 1; it must be true or false"),
        (format!("{panel}stages = []"), "`panels[0].stages` is an empty list; it must be"),
        (
            "[[panels]]\nworkload = \"cycle-16\"\nregime = { replay = 17 }".to_owned(),
            "line 3: `panels[0].regime` does not fit: `cycle-16` has 16 positions, too few",
        ),
        (
            format!("{panel}calls = [\"walk\"]"),
            "`panels[0].calls` is `walk`, which is not one of node, tree, bare-tree",
        ),
        (
            "[[panels]]\nworkload = \"game\"\ncalls = [\"tree\"]".to_owned(),
            "line 3: `panels[0].calls` contains `tree`, which needs a recorded search; `game` has none, \
             but `ab4` has",
        ),
        (
            "[[panels]]\nworkload = \"qs\"\ncalls = [\"node\"]".to_owned(),
            "contains `node`, which needs a recorded search; `qs` has none",
        ),
        (
            format!("{panel}regime = \"cold\"\ncalls = [\"bare-tree\"]"),
            "contains `bare-tree`, which follows a search once; it needs the regime `stream`, not `cold`",
        ),
        (
            format!("{panel}scope = \"sliders\"\ncalls = [\"tree\"]"),
            "`panels[0].scope` is `sliders`, which has",
        ),
        (
            "[[panels]]\nworkload = \"own\"".to_owned(),
            "`panels[0].workload` is wrong: unknown workload `own`",
        ),
    ];
    for (text, sentence) in cases {
        let error = wrong(&text);
        assert!(error.contains(sentence), "{text}\n{error}");
        for word in ["struct", "enum", "u64", "f64", "sequence", "PanelFile", "expected"] {
            assert!(!error.contains(word), "{text}\n{error}");
        }
    }
}

#[test]
fn no_key_of_a_plan_can_change_the_order_in_a_label() {
    let panel = "[[panels]]\nworkload = \"cycle-256\"\n";
    for order in ["tree", "</td><script>"] {
        let text = format!("{panel}order = {order:?}\n");
        assert!(parse(&text).is_err_and(|error| error.contains("`panels[0].order` is unknown")));
        let text = format!("{panel}regime = {{ stream = {order:?} }}\n");
        assert!(parse(&text).is_err_and(|error| error.contains("takes no parameter")));
        let text = format!("{panel}regime = {{ stream = 1, order = {order:?} }}\n");
        assert!(parse(&text).is_err_and(|error| error.contains("one name with a value")));
    }
    let regimes = ["\"stream\"", "\"cold\"", "\"cold-placebo\"", "{ replay = 16 }"];
    for regime in regimes.into_iter().chain(["{ matched = 16 }", "{ pressure = \"0\" }"]) {
        let plan = parse(&format!("{panel}regime = {regime}\n")).expect("a plan");
        assert_eq!(plan.panels[0].regime.order, Order::Shuffled, "{regime}");
        assert!(!plan.panels[0].regime.description.contains("tree"), "{regime}");
    }
}

#[test]
fn a_whole_number_beyond_the_range_is_named_without_a_type() {
    let digits = [
        "9223372036854775808",
        "9_223_372_036_854_775_808",
        "18446744073709551616",
        "0x8000_0000_0000_0000",
    ];
    let values = digits.map(|digits| format!("seed = {digits}"));
    let inside = format!("x = [{{ a = {} }}]", digits[0]);
    for value in values.into_iter().chain([inside]) {
        let error = parse(&format!("\n{value}\n")).expect_err("too large");
        assert_eq!(error, "plan file mine.toml: line 2: a whole number is larger than 2^63 - 1");
    }
}

/// The TOML parser alone overflows its stack on the last two.
#[test]
fn deeply_nested_plan_files_are_refused() {
    for text in ["[", "{a=", "{a=[", "{[]a=", "{\n[[panels]]\nregime = "] {
        let error = parse(&format!("seed = 1\nx = {}", text.repeat(100_000))).expect_err(text);
        assert!(error.contains("brackets are nested deeper than 16 levels"), "{error}");
    }
    let error = parse(&format!("seed = 1\nx = {}", "[".repeat(17))).expect_err("deep");
    assert_eq!(error, "plan file mine.toml: line 2: brackets are nested deeper than 16 levels");
}

/// Comparing every panel with all others, or counting the lines before every key, takes minutes.
#[test]
fn a_plan_file_of_a_mebibyte_is_read_in_time() {
    let sizes: String = (64..90_064).map(|size| format!("\"{size}B\",")).collect();
    let panel = format!("[[panels]]\nworkload = \"ab4\"\nregime = {{ pressure = [{sizes}] }}\n");
    let plan = parse(&panel).expect("a plan");
    assert_eq!((plan.panels.len(), plan.shares()), (90_000, 12));
    let last = &plan.panels[89_999];
    assert_eq!(last.id(), "ab4/pressure-90063-tree/all");
    let duplicate = parse(&format!("{panel}{panel}")).expect_err("duplicates");
    assert!(
        duplicate.contains("line 4: `panels[1]` duplicates panel ab4/pressure-64-"),
        "{duplicate}"
    );
    let keys: String = (0..90_000).map(|key| format!("k{key:05}=1\n")).collect();
    let unknown = parse(&format!("seed = 1\n{keys}")).expect_err("unknown keys");
    assert!(unknown.contains("line 2: `k00000` is unknown"), "{unknown}");
}

#[test]
fn a_workload_of_a_plan_may_be_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, text).expect("written");
        path.to_str().expect("a path in UTF-8").to_owned()
    };
    let game = write("one game.pgn", "[Event \"?\"]\n\n1. e4 e5 2. Nf3 *\n");
    let panel = |path: &str, regime: &str| {
        format!("[[panels]]\nworkload = {}\nregime = {regime}\n", toml::Value::from(path))
    };
    let two = panel(&game, "{ replay = 4 }") + &panel(&game, "{ replay = 2 }");
    let plan = parse(&two).expect("a plan");
    assert_eq!(ids(&plan), ["one game.pgn/replay-4/all", "one game.pgn/replay-2/all"]);
    assert_eq!(plan.panels[0].regime.order, Order::Game);
    let files = plan.files();
    assert_eq!((files.len(), files[0].path.as_str(), files[0].contents.positions), (1, &*game, 4));
    // The journal holds the plan as a text.
    let again = Plan::parse(&plan.to_toml(), "mine", "journal").expect("a plan");
    assert_eq!(again.panels, plan.panels);

    let other = write("below/one game.pgn", "[Event \"?\"]\n*");
    let wrong = write("wrong.pgn", "1. e4 e4");
    let missing = folder.path().join("missing.epd").to_str().expect("a path").to_owned();
    for (text, parts) in [
        (
            panel(&game, "\"stream\""),
            &["line 3", "`panels[0].regime` does not fit: `one game.pgn` has 4"][..],
        ),
        (
            format!("[[panels]]\nworkload = {game:?}\n"),
            &["`one game.pgn` has 4 distinct positions"],
        ),
        (panel(&game, "{ replay = 5 }"), &["has 4 distinct positions, too few for a replay of 5"]),
        (
            two.clone() + &panel(&game, "{ replay = 2 }"),
            &["`panels[2]` duplicates panel one game.pgn"],
        ),
        (
            two + &panel(&other, "{ replay = 1 }"),
            &["line 8: `panels[2].workload` is wrong: two files are called `one game.pgn`"],
        ),
        (
            panel(&wrong, "\"cold\""),
            &["line 2: `panels[0].workload` is wrong: cannot read", "`e4`"],
        ),
        (
            panel(&missing, "\"cold\""),
            &["`panels[0].workload` is wrong: cannot read", "missing.epd: "],
        ),
        (panel("-", "\"cold\""), &["cannot come from standard input"]),
    ] {
        let error = parse(&text).expect_err(&text);
        assert!(parts.iter().all(|part| error.contains(part)), "{text}\n{error}");
    }
}
