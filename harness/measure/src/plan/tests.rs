mod refused;

use raywalk_results::schema::Order;

use super::*;
use crate::regime::{matched, replay};

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
            "ab4/stream-tree/tree",
            "ab4/stream-tree/node",
            "cycle-256/matched-256/all",
            "ab4/cold-tree/node",
            "ab4/cold-placebo-tree/node",
        ]
    );
}

#[test]
fn the_full_plan_contains_the_quick_one_and_all_moves_of_every_workload() {
    let full = ids(&Plan::full(160));
    assert!(ids(&Plan::quick()).iter().all(|id| full.contains(id)));
    let count = |part: &str| full.iter().filter(|id| id.contains(part)).count();
    let regimes = ["/matched-", "/cold-placebo-", "/cold-", "/pressure-"].map(count);
    // Cold ones are three intensities and a node, each with a placebo, and two other workloads.
    assert_eq!(regimes, [1, 4, 2 * 4 + 2, 2 * 6 + 1]);
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
    assert_eq!(count("/queen-lookups"), 4);
    for hot in ["cycle-16/replay-16", "cycle-65536/replay-65536"] {
        assert_eq!(count(&format!("{hot}/queen-lookups")), 1, "{hot}");
    }
    for regime in ["cold-tree", "cold-32768-tree", "cold-65536-tree"] {
        assert_eq!(count(&format!("ab4/{regime}/all")), 1, "{regime}");
        let placebo = regime.replace("cold", "cold-placebo");
        assert_eq!(count(&format!("ab4/{placebo}/all")), 1, "{placebo}");
    }
    assert!(!Plan::full(160).workloads().contains(&"tricky"), "too few positions to time");
    let mut distinct = full.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), full.len());
}

#[test]
fn a_new_design_takes_no_rounds_from_the_others_of_the_full_plan() {
    let seconds = |designs| Plan::full(designs).rounds.time().expect("a budget");
    assert_eq!(seconds(165), 165.0 * seconds(1));
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
fn a_plan_file_may_perturb_calls_and_select_the_sliders() {
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
fn a_byte_order_mark_before_a_plan_is_skipped() {
    let text = "\u{feff}[[panels]]\nworkload = \"ab4\"\n";
    assert_eq!(ids(&parse(text).expect("a plan")), ["ab4/stream-tree/all"]);
}

#[test]
fn every_plan_survives_being_written_as_a_plan_file() {
    let mut plans = vec![Plan::quick(), Plan::full(160)];
    let more = [
        reference::EXAMPLE,
        "rounds = 7\nmargin-percent = 4.35\nbatch-ms = 0.37\n[[panels]]\nworkload = \"max-218\"\n",
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
    let full = Plan::quick().difference(&Plan::full(160)).expect("a difference");
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
        rounds: Rounds::Budget {
            time: Duration::from_secs(60),
            total: None,
            least: 12,
            most: 10_000,
        },
        panels: vec![PanelPlan::of("ab4", Stage::All).expect("a panel")],
        ..Plan::empty("mine")
    };
    assert_eq!(plan, expected);
}

#[test]
fn delays_of_all_processes_take_at_most_a_fifth_of_the_time_of_a_plan() {
    let plan = |rounds| Plan { rounds, processes: 4, ..Plan::empty("mine") };
    let fixed = plan(Rounds::Fixed(60));
    assert_eq!(fixed.batch, Duration::from_millis(1));
    assert_eq!(4 * fixed.patience(1_000), Duration::from_millis(200));
    let time = Duration::from_secs(60);
    let timed = plan(Rounds::Budget { time, total: None, least: 12, most: 400 });
    assert_eq!(4 * timed.patience(1_000), Duration::from_secs(12));
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
    let cold = ids("calls = [\"in-check\"]\nregime = \"cold\"").expect_err("perturbed");
    assert!(cold.to_string().contains("`panels[0].calls` cannot be timed in a perturbed regime"));
    // The journal holds the plan as text.
    let plan = parse("[[panels]]\nworkload = \"ab4\"\ncalls = [\"moves-to\"]\n").expect("a plan");
    assert_eq!(parse(&plan.to_toml()).expect("the same plan").panels, plan.panels);
}

#[test]
fn a_workload_has_a_regime_of_its_own() {
    let regime = |name: &str| PanelPlan::of(name, Stage::All).map(|panel| panel.regime);
    assert_eq!(regime("cycle-16"), Some(replay(16, Order::Shuffled)));
    assert_eq!(regime("density-32"), Some(Regime::stream(Order::Generated)));
    for unknown in ["", "cycle", "cycle-3", "own"] {
        assert_eq!(regime(unknown), None, "{unknown}");
    }
}

#[test]
fn the_headline_is_the_marked_panel_or_else_the_first_plain_one() {
    assert_eq!(Plan::quick().headline(), "ab4/stream-tree/tree");
    assert_eq!(Plan::full(160).headline(), "ab4/stream-tree/tree");
    let mut plan = Plan::quick();
    plan.panels.retain(|panel| !panel.headline);
    assert_eq!(plan.headline(), "repeat-1/replay-1/all");
    plan.panels.drain(..plan.panels.len() - 1);
    assert_eq!(plan.headline(), "ab4/cold-placebo-tree/node");
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
