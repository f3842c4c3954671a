use super::*;
use crate::fixture::{self, Recipe, by_share, shards};
use crate::schema::{Dropped, Plugin, Status};

const RECIPE: Recipe = Recipe { shares: 6, rounds: 24, designs: 3, ..Recipe::SMALL };

fn order(whole: &Results) -> Vec<String> {
    whole.panels.iter().map(|panel| panel.panel.id.clone()).collect()
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn merged(whole: &Results, shards: &[&Results]) -> Result<Results, String> {
    let named = shards.iter().zip(NAMES).map(|(results, name)| Named { name, results });
    let records = merge(&named.collect::<Vec<_>>(), &order(whole));
    records.map(|records| fixture::read(&fixture::text(&records))).map_err(|why| why.to_string())
}

#[test]
fn merged_shards_are_the_whole_session_in_whatever_order_they_come() {
    let whole = RECIPE.results();
    let parts = shards(&whole, 3);
    assert!(parts.iter().all(|part| part.panels.iter().any(|panel| panel.rounds.len() < 24)));
    let [a, b, c] = [&parts[0], &parts[1], &parts[2]];
    for order in [[a, b, c], [c, a, b]] {
        let merged = merged(&whole, &order).expect("shards of one plan");
        assert_eq!(by_share(&merged), by_share(&whole));
        assert_eq!((merged.session.shard, merged.session.merged), (None, Some(3)));
        assert_eq!((&merged.designs, &merged.end), (&whole.designs, &whole.end));
    }
    // Six shares, four of which the first shard runs only for the panel that stays whole.
    assert_eq!(merged(&whole, &[a, b, c]).expect("a journal").processes.len(), 6 + 4);
}

#[test]
fn a_shard_is_read_alone_and_a_round_beyond_the_plan_is_not() {
    let whole = RECIPE.results();
    let part = &shards(&whole, 3)[1];
    let records = |end: u64| -> Vec<Record> {
        let PanelRounds { panel, rounds } = &part.panels[0];
        let mut records = vec![Record::Session(part.session.clone())];
        records.extend(part.designs.iter().cloned().map(Record::Design));
        records.push(Record::Panel(Panel { rounds: end, ..panel.clone() }));
        records.extend(part.processes.iter().cloned().map(Record::Process));
        records.extend(rounds.iter().cloned().map(Record::Round));
        records
    };
    let read = |end| crate::journal::read(fixture::text(&records(end)).as_bytes());
    let numbers: Vec<u64> =
        read(24).expect("a shard").panels[0].rounds.iter().map(|round| round.round).collect();
    assert_eq!(numbers, [4, 5, 6, 7, 16, 17, 18, 19]);
    let error = read(19).expect_err("a plan of 19 rounds").to_string();
    assert!(error.contains("round 19 of panel") && error.contains("has 19 in all"), "{error}");
    // Without its shard the journal has lost rounds.
    let mut whole = records(24);
    if let Record::Session(session) = &mut whole[0] {
        session.shard = None;
    }
    let error = crate::journal::read(fixture::text(&whole).as_bytes()).expect_err("a gap");
    assert!(error.to_string().contains("round 4 of panel"), "{error}");
}

#[test]
fn a_missing_a_doubled_and_an_unfinished_shard_are_named() {
    let whole = RECIPE.results();
    let parts = shards(&whole, 4);
    let [a, b, c, d] = [&parts[0], &parts[1], &parts[2], &parts[3]];
    assert_eq!(merged(&whole, &[a, c, d]), Err("a shard is missing: 2/4".to_owned()));
    assert_eq!(merged(&whole, &[d]), Err("shards are missing: 1/4, 2/4, 3/4".to_owned()));
    let twice = "shard 2/4 is there twice: b and d".to_owned();
    assert_eq!(merged(&whole, &[a, b, c, b]), Err(twice));
    let stopped = Results { end: None, ..c.clone() };
    let error = merged(&whole, &[a, b, &stopped, d]).expect_err("a stopped shard");
    assert!(error.starts_with("c is not finished; continue shard 3/4 with"), "{error}");
    let error = merged(&whole, &[&whole]).expect_err("no shard");
    assert_eq!(error, "a is no shard: it was made without --shard");
    assert_eq!(merged(&whole, &[]), Err("there is no shard to merge".to_owned()));
    let mut short = d.clone();
    let lost = short.panels[0].rounds.pop().expect("a round").round;
    let id = &whole.panels[1].panel.id;
    let error = format!("round {lost} of panel `{id}` is in none of the shards");
    assert_eq!(merged(&whole, &[a, b, c, &short]), Err(error));
    let mut twice = b.clone();
    twice.panels[0].rounds.insert(0, a.panels[1].rounds[0].clone());
    let error = format!("round 0 of panel `{id}` is in two of the shards");
    assert_eq!(merged(&whole, &[a, &twice, c, d]), Err(error));
}

#[test]
fn shards_of_another_plan_build_or_machine_are_refused_with_the_difference() {
    let whole = RECIPE.results();
    let parts = shards(&whole, 2);
    let refusal = |change: fn(&mut Results)| {
        let mut other = parts[1].clone();
        change(&mut other);
        merged(&whole, &[&parts[0], &other]).expect_err("another session")
    };
    let start = "a and b are not shards of one plan, build and machine: ";
    for (error, end) in [
        (refusal(|it| it.session.seed = 2), "seed is `1` in the first and `2` in the second"),
        (
            refusal(|it| it.session.machine.cpu = "Other".to_owned()),
            "CPU is `Synthetic processor 1, family 0 model 0 stepping 0` in the first and `Other, ",
        ),
        (refusal(|it| it.session.build.sources = "1".to_owned()), "digest of the sources is ``"),
        (refusal(|it| it.session.shares = 9), "shares is `6 in layouts []`"),
        (refusal(|it| it.session.shard = Shard::new(2, 3)), "number of shards is `2`"),
        (refusal(|it| it.session.margin = 0.5), "equality margin is `0.01`"),
        (refusal(|it| it.session.clock.hertz = 2.5e9), "rate of the clock is `2.600 GHz`"),
        (
            refusal(|it| it.session.plan_file = "rounds = 3\n".to_owned()),
            "line 1 of the plan file is `no line` in the first and `rounds = 3` in the second",
        ),
    ] {
        assert!(error.starts_with(&format!("{start}{end}")), "{error}");
    }
    let error = refusal(|it| it.panels[0].panel.batch = 7);
    assert!(error.ends_with("has rounds in a and in b, which describe it differently"), "{error}");
    let error = refusal(|it| it.designs[0].year = Some(1));
    assert!(error.starts_with("design `synthetic-alpha` is not the same in a and in b"), "{error}");
}

#[test]
fn a_plugin_that_one_shard_dropped_has_no_time_in_any() {
    let mut whole = RECIPE.results();
    whole.designs[2].plugin = Some(Plugin { file: "x.so".to_owned(), digest: String::new() });
    let id = whole.designs[2].id.clone();
    let mut parts = shards(&whole, 2);
    let why = "crashed".to_owned();
    let part = &mut parts[1];
    part.dropped.push(Dropped { design: id.clone(), why: why.clone() });
    part.designs[2].status = Status::Wrong { why };
    for panel in &mut part.panels {
        panel.panel.designs.retain(|one| *one != id);
        panel.rounds.iter_mut().for_each(|round| round.samples.retain(|one| one.design != id));
    }
    let merged = merged(&whole, &[&parts[0], &parts[1]]).expect("shards of one plan");
    assert!(merged.panels.iter().all(|panel| panel.samples(&id).count() == 0));
    assert_eq!(merged.dropped.len(), 1);
    assert!(matches!(&merged.designs[2].status, Status::Wrong { why } if why == "crashed"));
}
