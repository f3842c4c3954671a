//! Tests of panels that follow recorded searches.

use raywalk_results::schema::Search;

use super::*;

fn search(workload: &str, search: Search) -> PanelPlan {
    stream(workload).calling(search)
}

#[test]
fn a_walk_is_one_tree_after_others_and_each_design_has_its_own_steps() {
    let mut bench = Bench::new();
    // The trees have 100, 300, 500, 700 and 900 nodes.
    let panels = vec![search("trees-5-2500", Search::Tree)];
    bench.run(&plan(panels, Rounds::Fixed(5))).expect("a session");
    let panel = &bench.panels()[0];
    assert_eq!((panel.id.as_str(), panel.batch), ("trees-5-2500/stream-tree/tree", 900));
    let rounds = bench.rounds();
    let roots: BTreeSet<_> = rounds.iter().map(|round| (round.root, round.first)).collect();
    assert_eq!(roots, [(0, 0), (1, 100), (2, 400), (3, 900), (4, 1_600)].into());
    for sample in rounds.iter().flat_map(|round| &round.samples) {
        let cost = match sample.design.as_str() {
            "fast" => 30,
            "legal" => 100,
            _ => 400,
        };
        assert_eq!((sample.ticks, sample.moves), (cost * sample.positions, sample.positions));
    }
    let calls = bench.calls.lock().expect("no panic");
    let fast: Vec<_> = calls.iter().filter(|(id, _)| id == "fast").map(|(_, call)| call).collect();
    assert!(!fast.iter().any(|call| matches!(call, Recorded::Load(..) | Recorded::Nodes(..))));
    let samples = fast.split(|call| matches!(call, Recorded::Check(_)));
    let mut seen = 0;
    for sample in samples.filter(|sample| !sample.is_empty()) {
        let [Recorded::Walks(nodes), Recorded::Pass(prefix), blocks @ ..] = sample else {
            panic!("{sample:?}")
        };
        // The timed tree is the last one, and the others are its warm-up.
        let (timed, before) = nodes.split_last().expect("a walk");
        let (before, others) = (before.iter().sum::<usize>(), before);
        assert_eq!(*prefix, 0..before);
        assert!(!others.contains(timed) && others.len() == 4, "{nodes:?}");
        let mut next = before;
        for block in blocks {
            let Recorded::Pass(block) = block else { panic!("{block:?}") };
            assert_eq!(block.start, next, "blocks follow each other");
            next = block.end;
        }
        assert_eq!(next, before + timed);
        assert_eq!(blocks.len(), (timed / 256).max(1));
        seen += 1;
    }
    assert!(seen >= 5);
}

#[test]
fn each_position_has_the_stage_of_its_node() {
    let mut bench = Bench::new();
    let panels = vec![search("trees-2-1000", Search::Node)];
    bench.run(&plan(panels, Rounds::Fixed(1))).expect("a session");
    let calls = bench.calls.lock().expect("no panic");
    let fast: Vec<_> = calls.iter().filter(|(id, _)| id == "fast").map(|(_, call)| call).collect();
    let stages = fast.iter().filter_map(|call| match call {
        Recorded::Nodes(from, quiescence) => Some((*from, quiescence.clone())),
        _ => None,
    });
    // The trees have 250 and 750 nodes, and every other node of each is a quiescence node.
    let tree = |nodes: usize| (0..nodes).map(|node| node % 2 == 1).collect::<Vec<_>>();
    let all = [tree(250), tree(750)];
    let stages: Vec<_> = stages.collect();
    for (from, quiescence) in &stages {
        let is_tree = all.contains(quiescence);
        let is_prefix = *from == 0 && quiescence.len() >= 250;
        assert!(is_tree || is_prefix, "{from}");
    }
    let fresh = stages.iter().filter(|(from, _)| *from > 0);
    assert!(fresh.clone().count() > 0 && fresh.clone().all(|(_, one)| all.contains(one)));
}

#[test]
fn designs_of_both_legalities_must_make_the_same_legal_moves() {
    let mut bench = Bench::new();
    // A class of its own, whose moves nobody else could contradict.
    bench.designs[2] = bench.designs[2].clone().losing_moves();
    for call in [Search::Tree, Search::BareTree] {
        let plan = plan(vec![search("trees-2-1000", call)], Rounds::Fixed(1));
        let error = bench.run(&plan).expect_err("lost moves");
        let SessionError::Wrong(wrong) = &error else { panic!("{error}") };
        assert_eq!((wrong.design.as_str(), wrong.referee.as_str()), ("legal", "slow"));
        assert!(wrong.found.moves < wrong.expected.moves);
    }
    let plan = plan(vec![search("trees-2-1000", Search::Node)], Rounds::Fixed(1));
    bench.run(&plan).expect("nothing is walked");
}

#[test]
fn a_workload_without_a_fitting_recording_is_an_error() {
    let error = |workload: &str, call| {
        let plan = plan(vec![search(workload, call)], Rounds::Fixed(1));
        Bench::new().run(&plan).expect_err("no recording").to_string()
    };
    for call in Search::ALL {
        assert_eq!(error("w-900", call), "workload `w-900`: has no recorded search");
    }
    assert_eq!(
        error("trees-1-5000", Search::Tree),
        "workload `trees-1-5000`: has a search of 5000 nodes, more than the 4096 of a batch"
    );
}
