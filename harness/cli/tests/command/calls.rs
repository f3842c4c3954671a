//! The calls besides generation: timed passes agree with checks, and designs with one another.

use raywalk::registry;
use raywalk_core::Position;
use raywalk_measure::design::Design;
use raywalk_positions::facts;
use raywalk_results::schema::{Call, Operation};

/// One design per way of answering: two that offer everything but a perft in bulk, one of each family with attack
/// sets, and those by direction whose first moves are moves of a state machine, codes, or legal.
const DESIGNS: [&str; 15] = [
    "bitboard/hyperbola",
    "bitboard/kindergarten",
    "bell/steps",
    "butterfly/half-board-branch-free",
    "ferret/index16",
    "diep/mixed",
    "legal/hyperbola",
    "setwise/dumb7-getter",
    "setwise/kogge-stone-staged",
    "setwise/kogge-stone-delayed",
    "setwise/kogge-stone-codes",
    "dirgolem/kogge-stone",
    "reul/blocker-loop",
    "reul/vector-attacks",
    "dense-index/u32",
];

fn built(id: &str) -> Box<dyn Design> {
    registry::named(id).expect("a design").build().expect("it needs no CPU feature")
}

/// Positions of normal play; facts hold some that no workload has.
fn positions() -> Vec<Position> {
    facts::perft().iter().map(|fact| fact.position).take(60).collect()
}

#[test]
fn timed_passes_agree_with_checks_and_designs_with_one_another() {
    let positions = positions();
    for operation in Operation::ALL {
        let call = Call::from(operation);
        let mut answers = Vec::new();
        for id in DESIGNS {
            let mut design = built(id);
            if !design.offers(call) {
                assert!(!call.is_offered_by_all(), "{operation} {id}");
                continue;
            }
            design.prepare_for(call);
            design.load(&positions[..20]);
            design.load_after(10, &positions[10..]);
            let timed = design.pass(call.into(), 5..positions.len());
            let checked = design.check(call, 5..positions.len());
            assert_eq!(timed, checked.moves, "{operation} {id}");
            assert_eq!(design.check(call, 5..positions.len()), checked, "{operation} {id}");
            assert!(operation == Operation::InCheck || timed >= 10, "{operation} finds {timed}");
            answers.push((id, design.legality(), checked));
        }
        assert!(answers.len() > 1, "{operation} is offered by {} designs", answers.len());
        for (id, legality, answer) in &answers {
            let peers = answers.iter().filter(|peer| peer.1 == *legality);
            peers.for_each(|peer| assert_eq!(peer.2, *answer, "{operation}: {} and {id}", peer.0));
        }
    }
}

#[test]
fn calls_that_change_the_board_leave_it_as_it_was() {
    let positions = positions();
    let all = 0..positions.len();
    for (operation, id) in [
        (Operation::MakeUnmake, "bell/steps"),
        (Operation::Perft, "bell/steps"),
        (Operation::PerftBulk, "legal/hyperbola"),
    ] {
        let mut design = built(id);
        let call = Call::from(operation);
        design.prepare_for(call);
        design.load(&positions);
        let first = design.check(call, all.clone());
        design.pass(call.into(), all.clone());
        assert_eq!(design.check(call, all.clone()), first, "{operation}");
    }
}
