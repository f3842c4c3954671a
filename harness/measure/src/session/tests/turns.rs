//! Tests of turns of several rounds: groups of events and orders of the designs change from turn to turn.

use raywalk_results::schema::Shard;

use super::*;

const EVENTS: [Event; 3] = [Event::Cycles, Event::BranchMisses, Event::L2Misses];

/// A stream that is long enough for turns of four rounds, in so many shares of so many rounds.
fn long(shares: u64, rounds: u64) -> Plan {
    let rounds = Rounds::Fixed(shares * rounds);
    Plan { processes: shares, ..plan(vec![stream("w-65000")], rounds) }
}

/// A bench whose counters have so many groups of one event each.
fn grouped(groups: usize) -> Bench {
    let counters = FakeCounters { groups: EVENTS[..groups].to_vec(), ..FakeCounters::default() };
    Bench { counters, ..Bench::new() }
}

/// The places of the hardware events that the samples of a round counted, each once.
fn counted(round: &Round) -> BTreeSet<usize> {
    let events = round.samples.iter().flat_map(|sample| sample.events.keys());
    events.filter_map(|event| EVENTS.iter().position(|one| one == event)).collect()
}

#[test]
fn each_group_of_events_is_counted_in_its_turn_whatever_the_length_of_turns() {
    for (groups, length) in [(2, 2), (2, 4), (3, 3)] {
        let mut bench = grouped(groups);
        bench.run(&long(6, length)).expect("a session");
        let rounds = bench.rounds();
        assert_eq!(rounds.len() as u64, 6 * length);
        for round in &rounds {
            let turn = (round.round / length) as usize;
            assert_eq!(counted(round), [turn % groups].into(), "{groups} groups, {round:?}");
        }
    }
}

#[test]
fn turns_are_numbered_without_a_gap_over_shares_of_several_turns() {
    let mut bench = grouped(3);
    bench.run(&long(3, 5)).expect("a session");
    let groups: Vec<_> = bench.rounds().iter().flat_map(counted).collect();
    // Each share has a turn of three rounds and one of two.
    assert_eq!(groups, [0, 0, 0, 1, 1, 2, 2, 2, 0, 0, 1, 1, 1, 2, 2]);
}

#[test]
fn over_a_square_of_turns_every_design_has_every_place() {
    let mut bench = Bench::new();
    bench.run(&long(8, 4)).expect("a session");
    // Four samples in a round, so four turns are a square.
    for square in bench.rounds().chunks(16) {
        for place in 0..4 {
            let designs = square.iter().map(|round| round.samples[place].design.as_str());
            assert_eq!(designs.collect::<BTreeSet<_>>().len(), 4, "place {place}");
        }
    }
}

#[test]
fn a_resumed_session_and_shards_number_the_turns_as_a_whole_session_does() {
    let plan = long(3, 5);
    let rounds = |bench: &Bench| -> Vec<Round> {
        bench.rounds().into_iter().map(|round| Round { process: 0, ..round }).collect()
    };
    let mut whole = grouped(2);
    whole.run(&plan).expect("a session");
    let expected = rounds(&whole);
    let text = std::fs::read_to_string(whole.path()).expect("a journal");
    // The last turns have three rounds and two, so both journals end within a turn.
    for missing in [1, 4] {
        let mut bench = grouped(2);
        let kept = text.lines().count() - missing;
        let lines: Vec<_> = text.lines().take(kept).collect();
        std::fs::write(bench.path(), lines.join("\n") + "\n").expect("a file");
        bench.run(&plan).expect("the rest of the session");
        assert_eq!(rounds(&bench), expected, "without {missing} lines");
    }
    let mut found = Vec::new();
    for shard in Shard::all(3) {
        let mut bench = Bench { shard: Some(shard), ..grouped(2) };
        bench.run(&Plan { shard: Some(shard), ..plan.clone() }).expect("a shard");
        found.extend(rounds(&bench));
    }
    found.sort_by_key(|round| round.round);
    assert_eq!(found, expected);
}
