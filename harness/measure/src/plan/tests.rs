use raywalk_results::schema::Order;

use super::*;
use crate::regime::{matched, replay, stream};

fn parse(text: &str) -> Result<Plan, String> {
    Plan::parse(text, "mine", "mine.toml").map_err(|error| error.to_string())
}

fn ids(plan: &Plan) -> Vec<String> {
    plan.panels.iter().map(PanelPlan::id).collect()
}

#[test]
fn the_quick_plan_has_the_headline_and_the_memorisation_curve() {
    assert_eq!(
        ids(&Plan::quick()),
        [
            "repeat-1/replay-1/all",
            "cycle-16/replay-16/all",
            "cycle-256/replay-256/all",
            "cycle-512/replay-512/all",
            "cycle-1024/replay-1024/all",
            "cycle-2048/replay-2048/all",
            "cycle-4096/replay-4096/all",
            "cycle-65536/replay-65536/all",
            "game/stream-game/all",
            "ab4/stream-tree/captures",
            "ab4/stream-tree/quiets",
            "ab4/stream-tree/tree",
            "ab4/stream-tree/node",
            "cycle-256/matched-256/all",
            "ab4/cold-tree/node",
        ]
    );
}

#[test]
fn the_full_plan_contains_the_quick_one_and_all_moves_of_every_workload() {
    let full = ids(&Plan::full());
    assert!(ids(&Plan::quick()).iter().all(|id| full.contains(id)));
    let count = |part: &str| full.iter().filter(|id| id.contains(part)).count();
    let regimes = ["/matched-", "/cold-placebo-", "/cold-", "/pressure-"].map(count);
    assert_eq!(regimes, [1, 3, 3 + 3 + 2 + 1, 2 * 6 + 1]);
    assert_eq!(count("-sliders"), 4);
    for operation in Operation::ALL {
        let id = format!("ab4/stream-tree/{operation}");
        assert_eq!(full.iter().filter(|known| **known == id).count(), 1, "{operation}");
    }
    assert_eq!([count("/replay-1/perft-bulk"), count("/replay-1/perft")], [6, 2 * 6]);
    for row in workload::ALL.iter().filter(|row| row.leaves().is_none()) {
        let whole = PanelPlan::of(row.name, Stage::All).expect("a workload").id();
        assert_eq!(full.contains(&whole), row.timed, "{whole}");
    }
    assert_eq!([count("/captures"), count("/quiets")], [6, 4]);
    for dose in ["cold-tree", "cold-32768-tree", "cold-65536-tree"] {
        assert_eq!(count(&format!("ab4/{dose}/all")), 1, "{dose}");
        let placebo = dose.replace("cold", "cold-placebo");
        assert_eq!(count(&format!("ab4/{placebo}/all")), 1, "{placebo}");
    }
    assert!(!Plan::full().workloads().contains(&"tricky"), "too few positions to time");
    let mut distinct = full.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), full.len());
}

#[test]
fn a_plan_file_sets_all_properties_of_a_plan() {
    let plan = parse(
        r#"
        seed = 9
        seconds = 20
        batch-ms = 0.5
        designs = ["bell", "bitboard"]
        baseline = "bell"
        [[panels]]
        workload = "ab4"
        stages = ["all", "captures"]
        [[panels]]
        workload = "cycle-4096"
        regime = { replay = 1024 }
        "#,
    )
    .expect("a plan");
    assert_eq!((plan.name.as_str(), plan.seed), ("mine", Some(9)));
    assert_eq!(plan.batch, Duration::from_micros(500));
    assert_eq!(plan.rounds.time(), Some(20.0));
    assert_eq!(
        ids(&plan),
        ["ab4/stream-tree/all", "ab4/stream-tree/captures", "cycle-4096/replay-1024/all"]
    );
}

#[test]
fn a_plan_file_may_disturb_calls_and_select_the_sliders() {
    let plan = parse(
        r#"
        [[panels]]
        workload = "ab4"
        regime = "cold"
        stages = ["all", "captures"]
        [[panels]]
        workload = "cycle-65536"
        regime = { cold = [65536, 131072] }
        [[panels]]
        workload = "ab4"
        regime = "cold-placebo"
        [[panels]]
        workload = "cycle-1024"
        regime = { matched = 512 }
        [[panels]]
        workload = "cycle-65536"
        regime = { pressure = ["0", "32 KiB", "8MiB"] }
        scope = "sliders"
        [[panels]]
        workload = "ab4"
        regime = { pressure = "512 B" }
        [[panels]]
        workload = "ab4"
        scope = "sliders"
        "#,
    )
    .expect("a plan");
    let expected = [
        "ab4/cold-tree/all",
        "ab4/cold-tree/captures",
        "cycle-65536/cold-65536-shuffled/all",
        "cycle-65536/cold-131072-shuffled/all",
        "ab4/cold-placebo-tree/all",
        "cycle-1024/matched-512/all",
        "cycle-65536/pressure-0-shuffled/all-sliders",
        "cycle-65536/pressure-32768-shuffled/all-sliders",
        "cycle-65536/pressure-8388608-shuffled/all-sliders",
        "ab4/pressure-512-tree/all",
        "ab4/stream-tree/all-sliders",
    ];
    assert_eq!(ids(&plan), expected);
}

#[test]
fn a_plan_file_may_follow_a_recorded_search() {
    let plan = parse(
        r#"
        [[panels]]
        workload = "ab4"
        calls = ["tree", "node"]
        headline = true
        [[panels]]
        workload = "ab4"
        stages = ["quiets"]
        calls = ["bare-tree"]
        "#,
    );
    let plan = plan.expect("a plan");
    let [tree, node, quiets, bare] =
        ["tree", "node", "quiets", "bare-tree"].map(|call| format!("ab4/stream-tree/{call}"));
    assert_eq!(ids(&plan), [tree.as_str(), &node, &quiets, &bare]);
    assert_eq!(plan.headline(), tree);
    assert!(plan.panels.iter().skip(1).all(|panel| !panel.headline));
}

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
fn a_byte_order_mark_before_a_plan_is_skipped() {
    let text = "\u{feff}[[panels]]\nworkload = \"ab4\"\n";
    assert_eq!(ids(&parse(text).expect("a plan")), ["ab4/stream-tree/all"]);
}

#[test]
fn every_plan_survives_being_written_as_a_plan_file() {
    let mut plans = vec![Plan::quick(), Plan::full()];
    let more = [
        reference::EXAMPLE,
        "rounds = 7\nequal-percent = 4.35\nbatch-ms = 0.37\n[[panels]]\nworkload = \"max-218\"\n",
        "seconds = 12.5\n[[panels]]\nworkload = \"ab4\"\nregime = { cold = 65536 }\n",
        "[[panels]]\nworkload = \"ab4\"\nregime = { cold-placebo = [16384, 65536] }\n",
        "[[panels]]\nworkload = \"cycle-256\"\nregime = { matched = 16 }\n",
    ];
    plans.extend(more.map(|text| parse(text).expect("a plan")));
    for plan in plans {
        let text = plan.to_toml();
        let again = Plan::parse(&text, &plan.name, "journal").expect(&text);
        assert_eq!(plan.difference(&again), None, "{text}");
        assert_eq!(again.panels, plan.panels);
        assert_eq!(again.to_toml(), text, "written again");
    }
}

#[test]
fn two_plans_differ_in_a_named_property() {
    let other = Plan { seed: Some(2), ..Plan::quick() };
    let difference = Plan::quick().difference(&other).expect("a difference");
    assert_eq!((difference.what.as_str(), difference.other.as_str()), ("seed", "2"));
    let full = Plan::quick().difference(&Plan::full()).expect("a difference");
    assert_eq!((full.what.as_str(), full.one.as_str()), ("plan", "quick"));
}

#[test]
fn the_example_of_the_reference_has_every_key_and_every_regime() {
    let plan = parse(reference::EXAMPLE).expect("a plan");
    assert_eq!(plan.panels.len(), 18);
    for key in keys::TOP.iter().chain(keys::PANEL) {
        assert!(reference::EXAMPLE.contains(key.name), "{}", key.name);
    }
    for kind in RegimeKind::ALL {
        assert!(reference::EXAMPLE.contains(kind.name()), "{kind}");
    }
}

#[test]
fn the_documented_defaults_are_those_of_a_plan_without_keys() {
    let plan = parse("[[panels]]\nworkload = \"ab4\"\n").expect("a plan");
    let expected = Plan {
        rounds: Rounds::Budget { time: Duration::from_secs(60), least: 12, most: 10_000 },
        panels: vec![PanelPlan::of("ab4", Stage::All).expect("a panel")],
        ..Plan::empty("mine")
    };
    assert_eq!(plan, expected);
}

#[test]
fn calls_are_panels_beside_the_stages_or_in_place_of_them() {
    let ids = |keys: &str| {
        let text = format!("[[panels]]\nworkload = \"ab4\"\n{keys}");
        parse(&text).map(|plan| plan.panels.iter().map(PanelPlan::id).collect::<Vec<_>>())
    };
    let stream = |call: &str| format!("ab4/stream-tree/{call}");
    let alone = ids("calls = [\"in-check\", \"make-unmake\"]").expect("a plan");
    assert_eq!(alone, [stream("in-check"), stream("make-unmake")]);
    let both = ids("stages = [\"quiets\"]\ncalls = [\"perft\"]").expect("a plan");
    assert_eq!(both, [stream("quiets"), stream("perft")]);
    let unknown = ids("calls = [\"check\"]").expect_err("no such call").to_string();
    assert!(
        unknown.contains("`check`, which is not one of node, tree, bare-tree, piece-attacks, "),
        "{unknown}"
    );
    let pressed = ids("calls = [\"queen-lookups\"]\nregime = { pressure = \"8 MiB\" }")
        .expect("look-ups are long");
    assert!(pressed[0].ends_with("/queen-lookups"), "{pressed:?}");
    let cold = ids("calls = [\"in-check\"]\nregime = \"cold\"").expect_err("disturbed");
    assert!(cold.to_string().contains("`panels[0].calls` cannot be timed in a disturbed regime"));
    // The journal holds the plan as text.
    let plan = parse("[[panels]]\nworkload = \"ab4\"\ncalls = [\"moves-to\"]\n").expect("a plan");
    assert_eq!(parse(&plan.to_toml()).expect("the same plan").panels, plan.panels);
}

#[test]
fn the_reference_of_the_plan_file_is_current() {
    let page = include_str!("../../../../docs/plan-file.md");
    assert!(
        page == Plan::reference(),
        "docs/plan-file.md is outdated: replace it by the output of `raywalk plan-reference`"
    );
}

#[test]
fn a_workload_has_a_regime_of_its_own() {
    let regime = |name: &str| PanelPlan::of(name, Stage::All).map(|panel| panel.regime);
    assert_eq!(regime("cycle-16"), Some(replay(16, Order::Shuffled)));
    assert_eq!(regime("density-32"), Some(stream(Order::Generated)));
    for unknown in ["", "cycle", "cycle-3", "own"] {
        assert_eq!(regime(unknown), None, "{unknown}");
    }
}

#[test]
fn the_headline_is_the_marked_panel_or_else_the_first_plain_one() {
    assert_eq!(Plan::quick().headline(), "ab4/stream-tree/tree");
    assert_eq!(Plan::full().headline(), "ab4/stream-tree/tree");
    let mut plan = Plan::quick();
    plan.panels.retain(|panel| !panel.headline);
    assert_eq!(plan.headline(), "repeat-1/replay-1/all");
    plan.panels.drain(..plan.panels.len() - 1);
    assert_eq!(plan.headline(), "ab4/cold-tree/node");
    let marked = "[[panels]]\nworkload = \"game\"\n[[panels]]\nworkload = \"ab4\"\nheadline = true";
    assert_eq!(parse(marked).expect("a plan").headline(), "ab4/stream-tree/all");
}

#[test]
fn the_points_of_the_memorisation_curve_are_whole_replays_of_their_own_length() {
    let on_curve = |panel: &PanelPlan| panel.is_on_memorisation_curve();
    let quick = Plan::quick();
    let points = quick.panels.iter().filter(|panel| on_curve(panel)).map(PanelPlan::id);
    assert_eq!(points.count(), 8);
    let other = PanelPlan::of("cycle-4096", Stage::All).expect("a panel");
    assert!(on_curve(&other));
    assert!(!on_curve(&other.clone().sliders()));
    assert!(!on_curve(&other.clone().in_regime(replay(1024, Order::Shuffled))));
    assert!(!on_curve(&other.in_regime(matched(4096, Order::Shuffled))));
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
    let sizes: String = (0..90_000).map(|size| format!("\"{size}B\",")).collect();
    let panel = format!("[[panels]]\nworkload = \"ab4\"\nregime = {{ pressure = [{sizes}] }}\n");
    let plan = parse(&panel).expect("a plan");
    assert_eq!((plan.panels.len(), plan.shares()), (90_000, 12));
    let last = &plan.panels[89_999];
    assert_eq!(last.id(), "ab4/pressure-89999-tree/all");
    let duplicate = parse(&format!("{panel}{panel}")).expect_err("duplicates");
    assert!(
        duplicate.contains("line 4: `panels[1]` duplicates panel ab4/pressure-0"),
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
