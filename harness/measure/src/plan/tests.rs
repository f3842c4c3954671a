use super::*;

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
            "ab4/cold-tree/all",
            "repeat-1/replay-1/all",
            "cycle-16/replay-16/all",
            "cycle-256/replay-256/all",
            "cycle-1024/replay-1024/all",
            "cycle-4096/replay-4096/all",
            "cycle-65536/replay-65536/all",
            "game/stream-game/all",
            "qs/stream-tree/captures",
            "ab4/stream-tree/captures",
            "ab4/stream-tree/quiets",
            "ab4/stream-tree/all",
        ]
    );
}

#[test]
fn the_full_plan_contains_the_quick_one_and_every_stage_of_every_workload() {
    let full = ids(&Plan::full());
    assert!(ids(&Plan::quick()).iter().all(|id| full.contains(id)));
    let variant =
        |id: &&String| id.contains("/cold") || id.contains("/pressure") || id.contains("-sliders");
    assert_eq!(full.iter().filter(variant).count(), 3 + 2 * 6 + 4);
    assert_eq!(full.len(), 3 * Plan::full().workloads().len() + 3 + 2 * 6 + 4);
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
    assert_eq!((plan.name.as_str(), plan.seed), ("mine", 9));
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
        regime = { cold = 65536 }
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
        "cycle-65536/pressure-0-shuffled/all-sliders",
        "cycle-65536/pressure-32768-shuffled/all-sliders",
        "cycle-65536/pressure-8388608-shuffled/all-sliders",
        "ab4/pressure-512-tree/all",
        "ab4/stream-tree/all-sliders",
    ];
    assert_eq!(ids(&plan), expected);
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
        (format!("rounds = 0\n{panel}"), "`rounds` is 0"),
        (format!("seconds = 0.0\n{panel}"), "`seconds` must lie between"),
        (format!("seconds = nan\n{panel}"), "`seconds` must lie between"),
        (format!("batch-ms = 3.0\n{panel}"), "`batch-ms` must lie between"),
        ("panels = []".to_owned(), "`panels` is empty"),
        ("seed = 1".to_owned(), "missing field `panels`"),
        (format!("{panel}{panel}"), "`panels[1]` duplicates panel ab4/stream-tree/all"),
        (
            format!("{panel}regime = {{ replay = 0 }}"),
            "`panels[0].regime` `replay` needs the number",
        ),
        (format!("{panel}regime = \"replay\""), "`panels[0].regime` `replay` needs the number"),
        (format!("{panel}regime = \"warm\""), "`warm` is not one of replay, stream, cold"),
        (format!("{panel}regime = 7"), "`panels[0].regime` must be a name"),
        (format!("{panel}regime = {{ cold = 7 }}"), "`cold` needs a number of branches"),
        (format!("{panel}regime = {{ stream = 7 }}"), "`stream` takes no parameter"),
        (format!("{panel}regime = {{ pressure = \"256 kb\" }}"), "`pressure` is `256 kb`"),
        (format!("{panel}regime = {{ pressure = [\"3 GiB\"] }}"), "`pressure` is `3 GiB`"),
        (format!("{panel}regime = {{ pressure = [] }}"), "`pressure` needs a size"),
        (format!("{panel}order = \"tree\""), "unknown field `order`"),
        (format!("{panel}scope = \"pawns\""), "unknown variant `pawns`"),
        (
            format!("{panel}scope = \"sliders\"\nstages = [\"captures\"]"),
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
    }
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
    assert_eq!(Plan::quick().headline(), "ab4/stream-tree/all");
    assert_eq!(Plan::full().headline(), "ab4/stream-tree/all");
    let mut plan = Plan::quick();
    plan.panels.retain(|panel| !panel.headline);
    assert_eq!(plan.headline(), "repeat-1/replay-1/all");
    plan.panels.truncate(1);
    assert_eq!(plan.headline(), "ab4/cold-tree/all");
    let marked = "[[panels]]\nworkload = \"game\"\n[[panels]]\nworkload = \"ab4\"\nheadline = true";
    assert_eq!(parse(marked).expect("a plan").headline(), "ab4/stream-tree/all");
}

#[test]
fn the_points_of_the_memorisation_curve_are_whole_replays_of_their_own_length() {
    let on_curve = |panel: &PanelPlan| panel.is_on_memorisation_curve();
    let quick = Plan::quick();
    let points = quick.panels.iter().filter(|panel| on_curve(panel)).map(PanelPlan::id);
    assert_eq!(points.count(), 6);
    let other = PanelPlan::of("cycle-4096", Stage::All).expect("a panel");
    assert!(on_curve(&other));
    assert!(!on_curve(&other.clone().sliders()));
    assert!(!on_curve(&other.in_regime(replay(1024, Order::Shuffled))));
}
