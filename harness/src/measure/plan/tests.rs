use super::*;

fn parse(text: &str) -> Result<Plan, String> {
    Plan::parse(text, "mine", "mine.toml").map_err(|error| error.to_string())
}

fn ids(plan: &Plan) -> Vec<String> {
    plan.panels.iter().map(PanelPlan::id).collect()
}

#[test]
fn the_quick_plan_holds_the_headline_and_the_memorisation_curve() {
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
fn the_full_plan_holds_the_quick_one_and_every_stage_of_every_workload() {
    let full = ids(&Plan::full());
    assert!(ids(&Plan::quick()).iter().all(|id| full.contains(id)));
    let apart =
        |id: &&String| id.contains("/cold") || id.contains("/pressure") || id.contains("-sliders");
    assert_eq!(full.iter().filter(apart).count(), 3 + 2 * 6 + 4);
    assert_eq!(full.len(), 3 * Plan::full().workloads().len() + 3 + 2 * 6 + 4);
    assert!(!Plan::full().workloads().contains(&"tricky"), "too few positions to time");
    let mut distinct = full.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), full.len());
}

#[test]
fn a_plan_file_says_what_the_built_in_plans_say() {
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
        replay = 1024
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
fn a_plan_file_may_disturb_the_calls_and_ask_for_the_sliders_alone() {
    let plan = parse(
        r#"
        [[panels]]
        workload = "ab4"
        regime = "cold"
        stages = ["all", "captures"]
        [[panels]]
        workload = "cycle-65536"
        regime = "cold"
        branches = 65536
        [[panels]]
        workload = "cycle-65536"
        pressure = ["0", "32 KiB", "8MiB"]
        scope = "sliders"
        [[panels]]
        workload = "ab4"
        pressure = "512 B"
        order = "mine"
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
        "ab4/pressure-512-mine/all",
        "ab4/stream-tree/all-sliders",
    ];
    assert_eq!(ids(&plan), expected);
    let lines = |panel: &PanelPlan| match panel.regime {
        Regime::Pressure { lines, .. } => Some(lines),
        _ => None,
    };
    assert_eq!(lines(&plan.panels[4]), Some(64));
}

#[test]
fn a_wrong_plan_file_is_told_which_key_and_why() {
    let panel = "[[panels]]\nworkload = \"ab4\"\n";
    let wrong = |text: &str| parse(text).expect_err("not a plan");
    let unknown_key = wrong(&format!("roundz = 5\n{panel}"));
    assert!(unknown_key.contains("mine.toml") && unknown_key.contains("roundz"), "{unknown_key}");
    let unknown_stage = wrong(&format!("{panel}stages = [\"checks\"]"));
    assert!(unknown_stage.contains("checks") && unknown_stage.contains("captures"));
    let cases = [
        (format!("rounds = 5\nseconds = 5\n{panel}"), "`seconds` stands beside `rounds`"),
        (format!("rounds = 0\n{panel}"), "`rounds` is 0"),
        (format!("seconds = 0.0\n{panel}"), "`seconds` must lie between"),
        (format!("seconds = nan\n{panel}"), "`seconds` must lie between"),
        (format!("batch-ms = 3.0\n{panel}"), "`batch-ms` must lie between"),
        ("panels = []".to_owned(), "`panels` is empty"),
        ("seed = 1".to_owned(), "missing field `panels`"),
        (format!("{panel}{panel}"), "`panels[1]` names the panel ab4/stream-tree/all a second"),
        (format!("{panel}replay = 0"), "`panels[0].replay` is 0"),
        (format!("{panel}regime = \"warm\""), "unknown variant `warm`"),
        (
            format!("{panel}regime = \"cold\"\nreplay = 4"),
            "`panels[0].regime` stands beside `replay`",
        ),
        (
            format!("{panel}pressure = \"0\"\nreplay = 4"),
            "`panels[0].pressure` stands beside `replay`",
        ),
        (
            format!("{panel}pressure = \"0\"\nregime = \"cold\""),
            "`panels[0].pressure` stands beside `regime`",
        ),
        (format!("{panel}branches = 16384"), "`panels[0].branches` needs `regime"),
        (
            format!("{panel}regime = \"cold\"\nbranches = 7"),
            "`panels[0].branches` is wrong: 7 branches",
        ),
        (format!("{panel}pressure = \"256 kb\""), "`panels[0].pressure` is `256 kb`"),
        (format!("{panel}pressure = [\"3 GiB\"]"), "`panels[0].pressure` is `3 GiB`"),
        (format!("{panel}scope = \"pawns\""), "unknown variant `pawns`"),
        (
            format!("{panel}scope = \"sliders\"\nstages = [\"captures\"]"),
            "`panels[0].scope` is `sliders`, which has",
        ),
        (format!("{panel}replay = 4\norder = \"tree\""), "`panels[0].order` stands beside"),
        ("[[panels]]\nworkload = \"own\"".to_owned(), "`panels[0].workload` is `own`"),
    ];
    for (text, sentence) in cases {
        let error = wrong(&text);
        assert!(error.contains(sentence), "{text}\n{error}");
    }
}

#[test]
fn a_workload_name_tells_how_it_is_fed() {
    assert_eq!(regime_of("cycle-16"), Some(Regime::Replay { k: 16 }));
    assert_eq!(regime_of("density-32"), Some(Regime::Stream { order: "generated".to_owned() }));
    for unknown in ["", "cycle", "cycle-3", "own"] {
        assert_eq!(regime_of(unknown), None, "{unknown}");
    }
}
