//! Shards: together they make what a session of the whole plan makes.

use raywalk_judge::Judged;
use raywalk_judge::summary::PanelSummary;
use raywalk_results::fixture::by_share;
use raywalk_results::journal::{self, Results};
use raywalk_results::merge::{Named, merge};
use raywalk_results::schema::Shard;

use super::*;

fn some_plan(rounds: Rounds) -> Plan {
    let streams = [stream("trees-9-5000"), cold("trees-12-9000")];
    let replays = [replay("w-16", 16), replay("w-64", 64)];
    let panels = streams.into_iter().chain(replays).collect();
    Plan { processes: 6, ..plan(panels, rounds) }
}

fn made(plan: &Plan) -> (Results, Vec<Job>) {
    let mut bench = Bench::new();
    bench.shard = plan.shard;
    bench.run(plan).expect("a session");
    bench.journal().end(String::new()).expect("written");
    let text = std::fs::read(bench.path()).expect("a file");
    (journal::read(&text[..]).expect("a journal"), bench.jobs)
}

fn shards(plan: &Plan, of: u64) -> Vec<(Results, Vec<Job>)> {
    Shard::all(of).map(|shard| made(&Plan { shard: Some(shard), ..plan.clone() })).collect()
}

fn merged(plan: &Plan, shards: &[(Results, Vec<Job>)]) -> Results {
    let named: Vec<_> =
        shards.iter().map(|(results, _)| Named { name: "a shard", results }).collect();
    let order: Vec<String> = plan.panels.iter().map(PanelPlan::id).collect();
    let records = merge(&named, &order).expect("the shards of a plan");
    journal::read(journal::text(&records).as_bytes()).expect("a journal")
}

/// Everything that is estimated, with the shares of processes in place of their numbers.
fn estimates(results: &Results) -> Vec<PanelSummary> {
    let mut panels = Judged::of(results).panels;
    for row in panels.iter_mut().flat_map(|panel| &mut panel.rows) {
        for effect in &mut row.spread.effects {
            effect.process = results.processes[effect.process as usize].share;
        }
    }
    panels
}

#[test]
fn merged_shards_have_the_rounds_and_the_estimates_of_the_whole_plan() {
    let plan = some_plan(Rounds::Fixed(24));
    let (whole, _) = made(&plan);
    let expected = estimates(&whole);
    // One, as many as divide the processes, others, and more than processes.
    for of in [1, 2, 3, 4, 5, 6, 9, 14] {
        let shards = shards(&plan, of);
        let merged = merged(&plan, &shards);
        assert_eq!(by_share(&merged), by_share(&whole), "{of} shards");
        assert!(estimates(&merged) == expected, "{of} shards");
        for (shard, _) in &shards {
            let rounds: usize = shard.panels.iter().map(|panel| panel.rounds.len()).sum();
            assert!(rounds > 0 && (of == 1 || rounds < 4 * 24), "{rounds} rounds in {of} shards");
        }
    }
}

#[test]
fn the_process_of_a_share_is_placed_alike_in_every_shard() {
    let plan = some_plan(Rounds::Fixed(24));
    let place = |job: &Job| (job.share, job.padding, job.heap_padding, job.pages);
    let whole: BTreeSet<_> = made(&plan).1.iter().map(place).collect();
    let of_shards: BTreeSet<_> =
        shards(&plan, 3).iter().flat_map(|(_, jobs)| jobs).map(place).collect();
    assert_eq!(of_shards, whole);
}

#[test]
fn a_stopped_shard_resumes_to_the_same_rounds() {
    let plan = Plan { shard: Shard::new(2, 3), ..some_plan(Rounds::Fixed(12)) };
    let mut whole = Bench::new();
    whole.shard = plan.shard;
    whole.run(&plan).expect("a session");
    let text = std::fs::read_to_string(whole.path()).expect("a journal");
    let lines: Vec<_> = text.lines().collect();
    let rounds = |bench: &Bench| -> Vec<Round> {
        bench.rounds().into_iter().map(|round| Round { process: 0, ..round }).collect()
    };
    for kept in 1..=lines.len() {
        let mut bench = Bench::new();
        bench.shard = plan.shard;
        std::fs::write(bench.path(), lines[..kept].join("\n") + "\n").expect("a file");
        let outcome = bench.run(&plan).expect("the rest of the shard");
        assert_eq!((outcome.rounds + outcome.resumed) as usize, whole.rounds().len());
        assert_eq!(rounds(&bench), rounds(&whole), "after {kept} lines");
    }
}

#[test]
fn the_shards_of_a_plan_with_a_time_come_to_the_same_rounds_on_machines_of_any_speed() {
    let time = Duration::from_secs(5);
    let plan = some_plan(Rounds::Budget { time, total: None, least: 12, most: 60 });
    let (whole, _) = made(&Plan { shard: Shard::new(1, 1), ..plan.clone() });
    let shards = shards(&plan, 3);
    for (shard, _) in &shards {
        for panel in &shard.panels {
            let of_whole = whole.panel(&panel.panel.id).expect("the panel");
            assert_eq!(panel.panel, of_whole.panel);
        }
    }
    assert_eq!(by_share(&merged(&plan, &shards)), by_share(&whole));
    // Ten times as slow, which makes an unsharded session make fewer rounds.
    let mut slower = Bench::new();
    let design = |id, cost| FakeDesign::new(id, cost, &slower.now);
    slower.designs =
        vec![design("slow", 4_000), design("fast", 300), design("legal", 1_000).legal()];
    let shard = Shard::new(2, 3);
    slower.shard = shard;
    slower.run(&Plan { shard, ..plan }).expect("a session");
    let rounds = |panels: Vec<Panel>| -> Vec<(String, u64)> {
        panels.into_iter().map(|panel| (panel.id, panel.rounds)).collect()
    };
    let others = shards[1].0.panels.iter().map(|panel| panel.panel.clone()).collect();
    assert_eq!(rounds(slower.panels()), rounds(others));
}
