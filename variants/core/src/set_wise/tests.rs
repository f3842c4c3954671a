use proptest::prelude::*;

use super::rays::FindSource;
use super::*;
use crate::bitboards::attacks;
use crate::{All, Bitboards, Board, Kind, Move, Position, Square, squares_of};

/// Sets of an eighth, a half or three quarters of the squares.
fn set() -> impl Strategy<Value = u64> {
    (any::<[u64; 3]>(), 0..3).prop_map(|([a, b, c], density)| match density {
        0 => a & b & c,
        1 => a,
        _ => a | b,
    })
}

/// The attacks of each slider, one by one, square by square.
fn walked(sliders: u64, occupied: u64, direction: usize) -> u64 {
    let attacks_from = |from| attacks::ray(from, DIRECTIONS[direction], occupied);
    squares_of(sliders).fold(0, |seen, from| seen | attacks_from(from))
}

/// The square with this number.
fn square_of(number: u32) -> Square {
    u8::try_from(number).ok().and_then(Square::try_new).expect("a number below 64")
}

/// The source of a target in direction north or south.
fn source<const RANKS: i8>(rays: &Rays, to: Square, pieces: u64) -> Square {
    square_of(rays::nearest::<0, RANKS>(rays.behind::<0, RANKS>(to, pieces)))
}

/// Removes a target from the set of its direction, as a search does that has tried its move.
fn try_first(sets: &mut TargetSets, direction: usize, target: Square) {
    assert_ne!(sets.0[direction] & target.bit(), 0, "{target}");
    sets.0[direction] &= !target.bit();
}

fn filled<F: Fill>(sliders: u64, occupied: u64) -> [u64; 8] {
    [
        F::attacks::<0, 1>(sliders, occupied),
        F::attacks::<1, 0>(sliders, occupied),
        F::attacks::<1, 1>(sliders, occupied),
        F::attacks::<-1, 1>(sliders, occupied),
        F::attacks::<0, -1>(sliders, occupied),
        F::attacks::<-1, 0>(sliders, occupied),
        F::attacks::<-1, -1>(sliders, occupied),
        F::attacks::<1, -1>(sliders, occupied),
    ]
}

proptest! {
    #[test]
    fn every_fill_equals_a_walk_of_each_slider(sliders in set(), others in set()) {
        for occupied in [sliders | others, others & !sliders] {
            let walks: [u64; 8] = std::array::from_fn(|n| walked(sliders, occupied, n));
            prop_assert_eq!(filled::<Dumb7Fill>(sliders, occupied), walks);
            prop_assert_eq!(filled::<KoggeStone>(sliders, occupied), walks);
            prop_assert_eq!(filled::<Subtraction>(sliders, occupied), walks);
        }
    }

    #[test]
    fn a_step_moves_every_piece_by_its_offset(pieces in set()) {
        let moved = [
            step::<0, 1>(pieces), step::<1, 0>(pieces), step::<1, 1>(pieces), step::<-1, 1>(pieces),
            step::<0, -1>(pieces), step::<-1, 0>(pieces), step::<-1, -1>(pieces), step::<1, -1>(pieces),
        ];
        let leaps = TargetSets::leaps(pieces, !0);
        for (direction, set) in moved.into_iter().chain(leaps).enumerate() {
            let (files, ranks) = DIRECTIONS[direction];
            let targets = squares_of(pieces).filter_map(|from| from.offset(files, ranks));
            prop_assert_eq!(set, targets.fold(0, |set, to| set | to.bit()), "{}", direction);
        }
    }

    #[test]
    fn the_source_of_a_target_is_the_piece_that_attacks_it(pieces in set()) {
        let (rays, sources) = (Rays::build(), Sources::<false>::build());
        let reversed = Sources::<true>::build();
        for (direction, &step) in DIRECTIONS.iter().enumerate() {
            for from in squares_of(pieces) {
                let targets = match direction {
                    0..8 => attacks::ray(from, step, pieces),
                    _ => from.offset(step.0, step.1).map_or(0, Square::bit),
                };
                for to in squares_of(targets) {
                    let code = MoveCode::new(to, direction);
                    prop_assert_eq!(square_of(rays.source(code, pieces)), from);
                    prop_assert_eq!(square_of(sources.source(code, pieces)), from);
                    prop_assert_eq!(square_of(reversed.source(code, pieces)), from);
                }
            }
        }
    }
}

#[test]
fn sixteen_sets_take_128_bytes_the_rays_4096_and_the_sources_8192() {
    assert_eq!(size_of::<TargetSets>(), 128);
    assert_eq!(size_of::<Rays>(), 4_096);
    assert_eq!(size_of::<Sources<true>>(), 8_192);
}

#[test]
fn one_bit_of_an_index_marks_leaps_and_one_marks_lower_squares() {
    for (n, &(files, ranks)) in DIRECTIONS.iter().enumerate() {
        assert_eq!(index(files, ranks), n);
        assert_eq!(DIRECTIONS[n ^ 4], (-files, -ranks));
        assert_eq!(n & 4 != 0, distance(files, ranks) < 0);
        assert_eq!(n & 8 != 0, files.abs() + ranks.abs() == 3);
    }
}

#[test]
fn in_the_view_of_black_black_pawns_move_north() {
    let position: Position =
        "4k3/1p6/8/8/Pp6/8/8/4K2R b K a3 0 1".parse().expect("a possible position");
    let view = View::new(&Bitboards::new(&position));
    let mirrored = View::new(&Bitboards::new(&position.mirrored()));
    let sets = |view: &View| (view.own, view.enemy, view.pawns, view.straight, view.en_passant);
    assert_eq!(sets(&view), sets(&mirrored));
    let square = |name: &str| name.parse::<Square>().expect("a square");
    assert_eq!(view.own & view.pawns, square("b2").bit() | square("b5").bit());
    assert_eq!(view.mv(square("b2").number().into(), square("b4"), 0).to_string(), "b7b5");
    assert_eq!(mirrored.mv(square("b2").number().into(), square("b4"), 0).to_string(), "b2b4");
}

/// The northern and southern targets of rooks on a1 and a5, with an enemy pawn on a7.
fn two_rooks() -> (View, TargetSets) {
    let position: Position = "4k3/p7/8/R7/8/8/8/R3K3 w - - 0 1".parse().expect("a position");
    let view = View::new(&Bitboards::new(&position));
    let rooks = view.own & view.straight;
    let mut sets = TargetSets::default();
    sets.0[index(0, 1)] = KoggeStone::attacks::<0, 1>(rooks, view.occupied()) & !view.own;
    sets.0[index(0, -1)] = KoggeStone::attacks::<0, -1>(rooks, view.occupied()) & !view.own;
    (view, sets)
}

fn written<W: Serialiser>(view: &View, sets: &TargetSets) -> Vec<String> {
    let mut list = crate::MoveList::new();
    W::write::<All>(&W::Rays::build(), view, sets, &mut list);
    list.as_slice().iter().map(Move::to_string).collect()
}

#[test]
fn a_ray_run_starts_at_the_far_end_northwards_and_southwards() {
    let (view, sets) = two_rooks();
    let north = ["a5a7", "a5a6", "a1a4", "a1a3", "a1a2"];
    let south = ["a5a2", "a5a3", "a5a4"];
    assert_eq!(written::<RayRun>(&view, &sets), [&north[..], &south].concat());
}

/// Erratum: the published loop scans for the highest bit twice and subtracts, which is right for
/// north. Used unchanged for south, it starts at the near end, takes the farthest piece behind the
/// target as the source, and never enters its inner loop.
#[test]
fn the_published_ray_run_used_southwards_finds_the_wrong_source() {
    let (view, sets) = two_rooks();
    let square = |name: &str| name.parse::<Square>().expect("a square");
    let published = |set: u64, behind: (i8, i8)| {
        let to = Square::from_low_bits(63 - set.leading_zeros());
        let pieces = attacks::ray(to, behind, 0) & view.occupied();
        (to, Square::from_low_bits(63 - pieces.leading_zeros()))
    };
    let rays = Rays::build();
    let north = published(sets.ray::<0, 1>(), (0, -1));
    assert_eq!(north, (square("a7"), source::<1>(&rays, square("a7"), view.occupied())));
    let (to, from) = published(sets.ray::<0, -1>(), (0, 1));
    assert_eq!((to, from), (square("a4"), square("a7")), "an enemy pawn");
    assert_eq!(source::<-1>(&rays, to, view.occupied()), square("a5"));
    assert!(to < from, "the inner loop runs downwards while the square is above the source");
}

#[test]
fn a_ray_run_skips_targets_that_were_removed_before() {
    let (view, mut sets) = two_rooks();
    let square = |name: &str| name.parse::<Square>().expect("a square");
    for tried in ["a7", "a3"] {
        try_first(&mut sets, index(0, 1), square(tried));
    }
    sets.0[index(0, -1)] = 0;
    assert_eq!(written::<RayRun>(&view, &sets), ["a5a6", "a1a4", "a1a2"]);
    assert_eq!(written::<Getter>(&view, &sets), ["a1a2", "a1a4", "a5a6"]);
}

/// Shows why the run tests each square: without the test it writes moves that were removed.
#[test]
fn a_ray_run_without_the_test_repeats_removed_moves() {
    let (view, mut sets) = two_rooks();
    let square = |name: &str| name.parse::<Square>().expect("a square");
    try_first(&mut sets, index(0, 1), square("a3"));
    let found = written::<UntestedRayRun>(&view, &sets);
    assert!(found.contains(&"a1a3".to_owned()), "{found:?}");
    assert!(!written::<RayRun>(&view, &sets).contains(&"a1a3".to_owned()));
}

#[test]
fn a_getter_returns_each_move_once_and_no_removed_move() {
    let (view, mut sets) = two_rooks();
    let rays = Sources::build();
    let mv = |text: &str| {
        let square = |part: &str| part.parse::<Square>().expect("a square");
        Move::new(square(&text[..2]), square(&text[2..]))
    };
    let mut states = GetterStates::by_direction(&view, &mut sets);
    let mut getter = MoveGetter::new(&rays, &view, &mut states);
    assert!(getter.remove(mv("a1a3")));
    assert!(!getter.remove(mv("a1a3")), "already removed");
    assert!(!getter.remove(mv("a1a6")), "a6 is the other rook's target");
    assert!(!getter.remove(mv("a1b4")), "no direction leads there");
    assert!(!getter.remove(mv("e1e2")), "not in the sets");
    assert_eq!(getter.next(), Some(mv("a1a2")));
    assert!(getter.remove(mv("a5a3")), "in a set of a later direction");
    let rest: Vec<_> = getter.map(|mv| mv.to_string()).collect();
    assert_eq!(rest, ["a1a4", "a5a6", "a5a7", "a5a2", "a5a4"]);
}

/// How many moves a getter returns before the first quiet one, all of them captures.
fn drained<const STAGES: usize>(getter: MoveGetter<'_, STAGES>, board: &Bitboards) -> usize {
    let captures: Vec<bool> = getter
        .map(|mv| board.piece_at(mv.to()).is_some() || mv.kind() == crate::MoveKind::EnPassant)
        .collect();
    let first_quiet = captures.iter().position(|takes| !takes).unwrap_or(captures.len());
    assert!(captures[first_quiet..].iter().all(|takes| !takes), "a capture behind a quiet move");
    first_quiet
}

#[test]
fn a_staged_getter_returns_all_captures_before_the_first_quiet_move() {
    // A pawn captures en passant on f6; the bishop on h4 moves there and captures nothing.
    let fen = "4k3/8/8/r2pPp2/2B4B/5Q2/8/R3K2R w KQ f6 0 1";
    let board = Bitboards::new(&fen.parse().expect("a possible position"));
    let view = View::new(&board);
    let occupied = view.occupied();
    let mut sets = TargetSets::default();
    let diagonal = view.own & view.diagonal;
    let pawns = view.own & view.pawns;
    sets.0[index(1, 1)] = KoggeStone::attacks::<1, 1>(diagonal, occupied) & !view.own
        | step::<1, 1>(pawns) & (view.enemy | view.en_passant);
    sets.0[index(-1, 1)] = KoggeStone::attacks::<-1, 1>(diagonal, occupied) & !view.own
        | step::<-1, 1>(pawns) & (view.enemy | view.en_passant);
    sets.0[index(0, 1)] =
        KoggeStone::attacks::<0, 1>(view.own & view.straight, occupied) & !view.own;
    let rays = Sources::build();
    let mut stages = [0; 32];
    let mut states = GetterStates::captures_first(&view, sets, &mut stages);
    let mut staged: Vec<Move> = MoveGetter::new(&rays, &view, &mut states).collect();
    let mut states = GetterStates::captures_first(&view, sets, &mut stages);
    let captures = drained(MoveGetter::new(&rays, &view, &mut states), &board);
    assert_eq!(captures, 5, "e5f6, c4d5, f3d5, f3f5 and a1a5");
    let mut states = GetterStates::by_direction(&view, &mut sets);
    let mut mixed: Vec<Move> = MoveGetter::new(&rays, &view, &mut states).collect();
    assert_ne!(mixed, staged, "direction by direction, captures and quiet moves are mixed");
    mixed.sort_unstable();
    staged.sort_unstable();
    assert_eq!(mixed, staged);
}

#[test]
fn a_promotion_can_be_removed_between_its_four_moves() {
    let position: Position =
        "1n2k3/P1P5/8/8/8/8/8/4K3 w - - 0 1".parse().expect("a possible position");
    let view = View::new(&Bitboards::new(&position));
    let mut sets = TargetSets::default();
    let pawns = view.own & view.pawns;
    sets.0[index(0, 1)] = step::<0, 1>(pawns);
    sets.0[index(1, 1)] = step::<1, 1>(pawns) & view.enemy;
    let rays = Sources::build();
    let mut all = sets;
    let mut states = GetterStates::by_direction(&view, &mut all);
    let everything: Vec<Move> = MoveGetter::new(&rays, &view, &mut states).collect();
    assert_eq!(everything.len(), 12);
    for returned in 0..12 {
        for removed in 0..12 {
            let mut rest = sets;
            let mut states = GetterStates::by_direction(&view, &mut rest);
            let mut getter = MoveGetter::new(&rays, &view, &mut states);
            let before: Vec<Move> = getter.by_ref().take(returned).collect();
            assert_eq!(before, everything[..returned]);
            let last = everything[removed / 4 * 4 + 3];
            assert_eq!(
                getter.remove(everything[removed]),
                !before.contains(&last),
                "{} after {returned} moves",
                everything[removed]
            );
            let rest: Vec<Move> = getter.collect();
            let pair = |mv: Move| (mv.from(), mv.to());
            let expected: Vec<Move> = everything[returned..]
                .iter()
                .copied()
                .filter(|&mv| pair(mv) != pair(everything[removed]))
                .collect();
            assert_eq!(rest, expected, "{} after {returned} moves", everything[removed]);
        }
    }
}

#[test]
fn a_code_holds_target_and_direction_in_ten_bits() {
    let (view, _) = two_rooks();
    for (direction, (files, ranks)) in DIRECTIONS.into_iter().enumerate() {
        for to in Square::all() {
            let code = MoveCode::new(to, direction);
            assert_eq!((code.target(), code.direction()), (to, direction));
            if let Some(from) = to.offset(-files, -ranks) {
                assert_eq!(MoveCode::of(Move::new(from, to), &view), Some(code));
            }
        }
    }
    assert_eq!(size_of::<MoveCode>(), 2);
}

#[test]
fn a_view_has_one_set_per_kind_of_movement() {
    let board = Bitboards::new(&Position::default());
    let view = View::new(&board);
    let count = |set: u64| set.count_ones();
    assert_eq!(count(view.pawns), 16);
    assert_eq!(count(view.knights), 4);
    assert_eq!(count(view.diagonal), 6);
    assert_eq!(count(view.straight), 6);
    assert_eq!(view.kings & view.own, board.of(board.state().side, Kind::King));
}
