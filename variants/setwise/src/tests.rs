use raywalk_core::set_wise::{GetterStates, MoveGetter};
use raywalk_core::{Board, Captures, Entries, Move, Position, Quiets, Square};

use super::*;

const POSITIONS: [&str; 6] = [
    Position::START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
];

fn board(fen: &str) -> Bitboards {
    Bitboards::new(&fen.parse().expect("a possible position"))
}

fn moves<G: Entries<Board = Bitboards>>(board: &Bitboards) -> Vec<Move> {
    let mut list = MoveList::new();
    G::build().expect("no feature needed").all(board, &mut list);
    list.moves().collect()
}

impl<D: Directions, W: Serialiser, P: Pawns> SetWise<D, W, P> {
    fn targets<S: Stage>(board: &Bitboards) -> (View, TargetSets) {
        let mut sets = TargetSets::default();
        let view = Self::find::<S>(board, &mut sets);
        (view, sets)
    }
}

#[test]
fn the_table_of_rays_or_of_sources_is_the_only_table() {
    assert_eq!(size_of::<KoggeStoneGetter>(), 4_096);
    assert_eq!(size_of::<Dumb7RayRun>(), 4_096);
    assert_eq!(size_of::<KoggeStoneIncremental>(), 8_192);
    assert_eq!(size_of::<KoggeStoneDelayed>(), 8_192);
    assert_eq!(Dumb7RayRun::build().expect("no feature needed").table_bytes(), 4_096);
}

#[test]
fn tables_of_directions_and_of_pawns_count() {
    let rolled = KoggeStoneRolled::build().expect("no feature needed");
    assert_eq!(rolled.table_bytes(), 4_096 + 16 * 16);
    let pawns = KoggeStonePawnsOneByOne::build().expect("no feature needed");
    assert_eq!(pawns.table_bytes(), 4_096 + 64 * 8);
}

#[test]
fn rolled_fills_find_the_sets_of_unrolled_fills() {
    for fen in POSITIONS {
        let board = board(fen);
        let rolled = KoggeStoneRolled::targets::<All>(&board);
        assert_eq!(rolled, KoggeStoneGetter::targets::<All>(&board), "{fen}");
    }
}

/// The sixteen sets are complete, and a target and its direction identify one move. The sets hold
/// as many bits as there are moves if the four promotions of a pawn count once.
#[test]
fn the_sets_hold_one_target_per_move() {
    for fen in POSITIONS {
        let board = board(fen);
        let (_, sets) = KoggeStoneGetter::targets::<All>(&board);
        let targets: u32 = (0..16).map(|n| sets.of(n).count_ones()).sum();
        let mut squares: Vec<(Square, Square)> =
            moves::<KoggeStoneGetter>(&board).iter().map(|mv| (mv.from(), mv.to())).collect();
        squares.sort_unstable();
        squares.dedup();
        assert_eq!(targets as usize, squares.len(), "{fen}");
    }
}

#[test]
fn captures_and_quiets_split_each_set_without_overlap() {
    for fen in POSITIONS {
        let board = board(fen);
        let (_, all) = KoggeStoneGetter::targets::<All>(&board);
        let (_, captures) = KoggeStoneGetter::targets::<Captures>(&board);
        let (_, quiets) = KoggeStoneGetter::targets::<Quiets>(&board);
        for n in 0..16 {
            assert_eq!(captures.of(n) & quiets.of(n), 0, "{fen}");
            assert_eq!(captures.of(n) | quiets.of(n), all.of(n), "{fen}");
        }
    }
}

/// A search tries a few moves, such as the hash move, before it generates any. Whichever move was
/// removed from the getter, it yields all others, each once.
#[test]
fn a_removed_move_is_not_generated_again() {
    for fen in POSITIONS {
        let board = board(fen);
        let (view, sets) = KoggeStoneIncremental::targets::<All>(&board);
        let design = KoggeStoneIncremental::build().expect("no feature needed");
        let everything = moves::<KoggeStoneGetter>(&board);
        for &tried in &everything {
            // The four promotions of a pawn share a target, so they are removed together.
            let together = |mv: &Move| (mv.from(), mv.to()) == (tried.from(), tried.to());
            let mut expected: Vec<Move> =
                everything.iter().copied().filter(|mv| !together(mv)).collect();
            expected.sort_unstable();
            let mut all = sets;
            let mut states = GetterStates::by_direction(&view, &mut all);
            let rest = without(tried, MoveGetter::new(&design.rays, &view, &mut states));
            assert_eq!(rest, expected, "{tried} on {fen}");
            let mut stages = [0; 32];
            let mut states = GetterStates::captures_first(&view, sets, &mut stages);
            let rest = without(tried, MoveGetter::new(&design.rays, &view, &mut states));
            assert_eq!(rest, expected, "{tried} on {fen}, captures first");
        }
    }
}

/// The moves of a getter after one was removed, sorted.
fn without<const STAGES: usize>(tried: Move, mut getter: MoveGetter<'_, STAGES>) -> Vec<Move> {
    assert!(getter.remove(tried), "{tried}");
    assert!(!getter.remove(tried), "{tried} again");
    let mut rest: Vec<Move> = getter.collect();
    rest.sort_unstable();
    rest
}
