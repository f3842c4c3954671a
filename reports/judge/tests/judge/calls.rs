//! The calls of a session side by side.

use raywalk_judge::Judged;
use raywalk_judge::calls::{CallCost, tables};
use raywalk_judge::leaves::{self, LeafTable};
use raywalk_judge::lookups::LookupTable;
use raywalk_judge::summary::Row;
use raywalk_results::fixture::Recipe;
use raywalk_results::journal::Results;
use raywalk_results::schema::{Operation, Plugin, Stage};

/// A session with further panels of `ab4` in search-tree order, one per operation. The last design does not
/// offer attack sets.
fn with(operations: &[Operation]) -> Results {
    let mut results = Recipe { designs: 4, ..Recipe::FULL }.on_one_machine();
    let all = results.panels.iter().find(|rounds| rounds.panel.id == "ab4/stream-tree/all");
    let all = all.expect("the headline").clone();
    for &operation in operations {
        let mut rounds = all.clone();
        rounds.panel.call = operation.into();
        rounds.panel.id = format!("ab4/stream-tree/{operation}");
        if operation == Operation::PieceAttacks {
            rounds.panel.designs.pop();
        }
        results.panels.push(rounds);
    }
    results
}

#[test]
fn calls_on_the_same_positions_stand_side_by_side_behind_the_stages() {
    let results = with(&[Operation::PieceAttacks, Operation::InCheck]);
    let judged = Judged::of(&results);
    let tables = tables(&results, &judged.panels);
    let [table] = &tables[..] else { panic!("{} tables instead of one", tables.len()) };
    let ids: Vec<String> = table.panels.iter().map(|panel| panel.panel.call.id()).collect();
    assert_eq!(ids, ["all", "captures", "quiets", "piece-attacks", "in-check"]);
    let [.., last] = table.designs[..] else { panic!("there are four designs") };
    assert_eq!(table.cost(table.panels[3], last), CallCost::NotOffered);
    let mut spoilt = table.panels[0].clone();
    spoilt.rows.retain(|row| row.id != last.id);
    assert_eq!(table.cost(&spoilt, last), CallCost::NoSample);
    for panel in [table.panels[0], table.panels[4]] {
        let row = panel.row(&last.id).expect("the design takes part");
        assert_eq!(
            table.cost(panel, last),
            CallCost::Nanoseconds { ns: row.ns_position, half_width: row.half_width }
        );
    }
    // Attack sets have no moves, so there is no cost per move.
    assert!(table.panels[3].rows.iter().all(|row| row.ns_move.is_none()));
    assert!(table.panels[0].rows.iter().all(|row| row.ns_move.is_some()));
    assert_eq!(table.panels[0].panel.call.stage(), Some(Stage::All));
}

#[test]
fn one_call_alone_makes_no_table() {
    for operations in [&[][..], &[Operation::InCheck]] {
        let results = with(operations);
        assert!(tables(&results, &Judged::of(&results).panels).is_empty());
    }
}

#[test]
fn look_ups_are_attack_sets_per_second_and_a_loop_over_few_positions_comes_first() {
    let mut results = with(&[Operation::QueenLookups]);
    let mut hot = results.panels.last().expect("the look-ups").clone();
    hot.panel.id = "cycle-16/replay-16/queen-lookups".to_owned();
    hot.panel.workload = "cycle-16".to_owned();
    hot.panel.regime.period = Some(16);
    hot.rounds.iter_mut().for_each(|round| round.panel.clone_from(&hot.panel.id));
    results.panels.push(hot);
    let judged = Judged::of(&results);
    let table = LookupTable::of(&judged).expect("two panels");
    let workloads: Vec<&str> =
        table.panels.iter().map(|(_, panel)| panel.panel.workload.as_str()).collect();
    assert_eq!(workloads, ["cycle-16", "ab4"]);
    let row = &table.designs()[0];
    let millions = LookupTable::millions(&table.panels[0], &row.id).expect("a rate");
    // Sixty-four sets in so many nanoseconds.
    assert!((millions * row.ns_position - 64_000.0).abs() < 1e-6, "{millions}");
    let ranks = |judged: &Judged<'_>| {
        let table = LookupTable::of(judged).expect("two panels");
        let panel = table.panels[0].1;
        let rank = |row: &Row| LookupTable::rank(judged, panel, &row.id);
        panel.rows.iter().filter_map(rank).collect::<Vec<_>>()
    };
    let found = ranks(&judged);
    assert!(found.is_sorted() && found[0] == 1, "{found:?}");
    assert_eq!(found.last(), Some(&found.len()));
    // With three rounds nothing is compared.
    let mut few = results.clone();
    few.panels.iter_mut().for_each(|panel| panel.rounds.truncate(3));
    assert!(ranks(&Judged::of(&few)).is_empty());
    let finding = table.finding(&judged).expect("a finding");
    let name = &table.designs()[0].name;
    let named = format!("the fastest is {name}; {name} finds 506 million attack sets per second.");
    assert_eq!(finding.matches(&named).count(), 2, "{finding}");
    let without = with(&[Operation::PieceAttacks]);
    assert_eq!(LookupTable::of(&Judged::of(&without)), None);
}

#[test]
fn the_order_of_look_ups_is_held_against_that_of_the_public_table() {
    let results = with(&[Operation::QueenLookups]);
    let judged = Judged::of(&results);
    let table = LookupTable::of(&judged).expect("a panel");
    let [first, .., last] = table.designs() else { panic!("two designs") };
    let finding = |names: [&str; 2]| {
        let mut named = results.clone();
        for (id, name) in [&first.id, &last.id].into_iter().zip(names) {
            rename(&mut named, id, name);
        }
        let judged = Judged::of(&named);
        LookupTable::of(&judged).expect("a panel").finding(&judged).expect("a finding")
    };
    let says =
        |same: usize| format!("Of 1 resolved pair of the public table, {same} have its order");
    assert!(finding(["bitboard/pext", "bitboard/magic"]).contains(&says(1)));
    assert!(finding(["bitboard/magic", "bitboard/pext"]).contains(&says(0)));
    assert!(!finding(["bitboard/pext", "bitboard/steps"]).contains("public table"));
}

/// Gives a design of a session another id.
fn rename(results: &mut Results, id: &str, name: &str) {
    let change = |text: &mut String| {
        if text == id {
            name.clone_into(text);
        }
    };
    results.designs.iter_mut().for_each(|design| change(&mut design.id));
    for panel in &mut results.panels {
        panel.panel.designs.iter_mut().for_each(change);
        change(&mut panel.panel.baseline);
        for round in &mut panel.rounds {
            round.samples.iter_mut().for_each(|sample| change(&mut sample.design));
        }
    }
}

/// A session with a panel of one call on each of these positions of one perft. The second design is a plug-in.
fn with_perft(operation: Operation, positions: &[&str]) -> Results {
    let mut results = with(&[operation]);
    let like = results.panels.pop().expect("a panel of the call");
    for name in positions {
        let mut rounds = like.clone();
        rounds.panel.workload = format!("perft-{name}");
        rounds.panel.id = format!("perft-{name}/replay-1/{operation}");
        rounds.panel.regime.period = Some(1);
        rounds.rounds.iter_mut().for_each(|round| round.panel.clone_from(&rounds.panel.id));
        results.panels.push(rounds);
    }
    let file = Plugin { file: "mine.so".to_owned(), digest: String::new() };
    results.designs[1].plugin = Some(file);
    results
}

#[test]
fn perft_of_single_positions_is_leaves_per_second_with_their_geometric_mean() {
    let mut results = with_perft(Operation::PerftBulk, &["start", "kiwipete"]);
    // Twice as many leaves in the same time.
    let last = results.panels.last_mut().expect("two panels");
    let samples = last.rounds.iter_mut().flat_map(|round| &mut round.samples);
    samples.for_each(|sample| sample.moves *= 2);
    let judged = Judged::of(&results);
    let tables = leaves::tables(&judged);
    let [table] = &tables[..] else { panic!("{} tables instead of one", tables.len()) };
    assert_eq!((table.operation, table.designs.len()), (Operation::PerftBulk, 4));
    let names: Vec<&str> = table.panels.iter().map(|panel| table.position(panel)).collect();
    assert_eq!(names, ["start", "kiwipete"]);
    let near = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-9;
    for row in &table.designs {
        let of = |panel| LeafTable::millions(table.panels[panel], &row.id).expect("a rate");
        assert!(near(of(1), 2.0 * of(0)), "{}", row.id);
        let mean = table.mean(&row.id).expect("a mean");
        assert!(near(mean, (of(0) * of(1)).sqrt()), "{}", row.id);
    }
    let means: Vec<_> = table.designs.iter().map(|row| table.mean(&row.id)).collect();
    assert!(means.windows(2).all(|pair| pair[0] >= pair[1]), "{means:?}");
    let [baseline, plugin] = table.references[..] else { panic!("two references") };
    assert_eq!(baseline.id, table.panels[0].panel.baseline);
    assert_eq!(plugin.id, results.designs[1].id);
    let speed = table.speed(&plugin.id, &baseline.id).expect("a speed");
    let ratio = table.panels[0].row(&plugin.id).expect("a row").ratio;
    assert!(near(speed, 1.0 / ratio), "{speed} and {ratio}");
    let finding = table.finding(&judged).expect("a finding");
    assert!(
        finding.contains("over 2 positions") && finding.contains("million leaves"),
        "{finding}"
    );
}

#[test]
fn both_ways_of_a_perft_make_no_table_of_calls() {
    let mut results = with_perft(Operation::Perft, &["start"]);
    results.panels.extend(with_perft(Operation::PerftBulk, &["start"]).panels.pop());
    let judged = Judged::of(&results);
    assert!(tables(&results, &judged.panels).is_empty());
    assert_eq!(leaves::tables(&judged).len(), 2);
}

#[test]
fn perft_of_a_stream_is_no_perft_of_a_position_and_is_not_memorised() {
    let results = with(&[Operation::Perft]);
    assert!(leaves::tables(&Judged::of(&results)).is_empty());
    let results = with_perft(Operation::Perft, &["start"]);
    let judged = Judged::of(&results);
    let panel = judged.panel("perft-start/replay-1/perft").expect("the panel");
    assert!(
        panel.rows.iter().all(|row| judged.has_memorised(&panel.panel, &row.id) == Some(false))
    );
}
