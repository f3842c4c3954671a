//! The legal moves after several moves of one position, counted side by side: one board in each lane.
//!
//! **Source.** Ours. The fills are Steffan Westcott's.
//!
//! **Method.** The boards after the moves of a position are siblings. The side to move has the same king on all of
//! them, and the same pieces but for one that was captured, so its rays and the squares from which it is checked are
//! constants, and a set of a sibling is one or two operations on the set of the parent and the squares of the move. No
//! board is written.
//!
//! Everything that depends on the position is a set in lanes: attacked squares, checks, pins and castling take no
//! branch and no table. Slides go direction by direction, as in `leaf.rs`, but here a direction is an operation with a
//! constant shift for all boards. The squares of a run without pieces serve the sliders of both sides.
//!
//! **King.** A king does not shield the square behind it from a slider. The fill stops at the king, so the square
//! behind it is added where the king is attacked.
//!
//! **Cost.** With AVX-512, 8 boards take about 450 instructions; a count of one board, direction by direction, takes
//! 190. The last lanes of a position with few moves are computed for nothing.
//!
//! As the walk, it is a macro with an instance for each kind of vectors; `operations` are in scope where it is used.

use crate::fill;

/// The steps of the directions, in the order of [`fill`](crate::fill).
pub(super) const STEPS: [i32; 8] = {
    let mut steps = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        steps[direction] = fill::step(fill::STEPS[direction]) as i32;
        direction += 1;
    }
    steps
};

/// Defines the operations on sets in lanes for these features.
macro_rules! operations {
    ($features:literal; $($(#[$doc:meta])* fn $name:ident$(<const $flag:ident: bool>)?($($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => {
        $(
            $(#[$doc])*
            #[inline]
            #[target_feature(enable = $features)]
            pub(super) fn $name$(<const $flag: bool>)?($($argument: $type),*) -> $result $body
        )*
    };
}
pub(super) use operations;

/// Defines `count_siblings` for functions with these features.
macro_rules! siblings {
    ($tables:ty, $features:literal) => {
        use raywalk_core::Move;
        use raywalk_core::bitboards::attacks;

        use $crate::castling::{BETWEEN, WAY};
        use $crate::copy_make::register::{ROOKS, Register, side};
        use $crate::copy_make::siblings::STEPS;
        use $crate::fill::ENTERED;
        use $crate::pawns::{seventh_rank, third_rank};
        use $crate::sets::{FILE_A, FILE_H, LAST_RANKS, squares};

        /// Adds the legal moves after each of `moves`, apart from en passant, to `counted`. The moves move one piece
        /// and may capture another; `WHITE` is to move after them, and may have castled on these
        /// [`WINGS`](Register::wings) before.
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) fn count_siblings<const WHITE: bool, const WINGS: u8>(
            tables: &$tables,
            parent: &Register,
            moves: &[Move],
            counted: &mut Lanes,
        ) {
            let mut sum = *counted;
            for group in moves.chunks(WIDTH) {
                let (squares, valid) = squares_of(group);
                let boards = Boards::behind::<WHITE>(parent, squares);
                let limits = Limits::find::<WHITE, WINGS>(tables, parent, squares, &boards);
                sum = accumulate(sum, valid, boards.count::<WHITE, WINGS>(parent, &limits));
            }
            *counted = sum;
        }

        /// The origin and the target of the move of each lane.
        type Squares = (Lanes, Lanes);

        /// Boards as the side to move sees them.
        struct Boards {
            /// Where the last move ended.
            entered: Lanes,
            empty: Lanes,
            own: Lanes,
            enemy: Lanes,
        }

        /// What restricts the moves on the boards.
        struct Limits {
            /// The squares that the enemy attacks if the own king is not on the board.
            attacked: Lanes,
            /// The squares that resolve every check: all squares without a check, none if only the king can.
            evasion: Lanes,
            /// The pinned pieces of each line: file, rank, diagonal and antidiagonal.
            lines: [Lanes; 4],
            /// For each direction, the empty squares from which one, two and four steps back lead over empty squares
            /// only.
            runs: [[Lanes; 3]; 8],
        }

        impl Boards {
            #[inline]
            #[target_feature(enable = $features)]
            fn behind<const WHITE: bool>(parent: &Register, (from, to): Squares) -> Boards {
                let (own, enemy) = parent.sides::<WHITE>();
                Boards {
                    entered: to,
                    empty: and_not(or(splat(!(own | enemy)), from), to),
                    own: and_not(splat(own), to),
                    enemy: or(and_not(splat(enemy), from), to),
                }
            }

            /// The number of legal moves on each board, apart from en passant.
            #[inline]
            #[target_feature(enable = $features)]
            fn count<const WHITE: bool, const WINGS: u8>(
                &self,
                parent: &Register,
                limits: &Limits,
            ) -> Lanes {
                let Boards { empty, own, enemy, .. } = *self;
                let Limits { attacked, evasion, lines, ref runs } = *limits;
                let [file, rank, diagonal, antidiagonal] = lines;
                let pinned = or(or(file, rank), or(diagonal, antidiagonal));
                // The pieces of a set that may move along a line.
                let along = |set: u64, line| and(and(splat(set), own), not_but(pinned, line));
                let wanted = and_not(evasion, own);

                let pawns = parent.pawns;
                let (pushing, ahead) = (along(pawns, file), if WHITE { 8 } else { -8 });
                let once = and(step(pushing, ahead), empty);
                let again = and(once, splat(third_rank(side::<WHITE>())));
                let pushes = or_and(once, step(again, ahead), empty);
                let (west, east) = if WHITE {
                    (taken::<6>(along(pawns, antidiagonal)), taken::<4>(along(pawns, diagonal)))
                } else {
                    (taken::<5>(along(pawns, diagonal)), taken::<7>(along(pawns, antidiagonal)))
                };
                let (west, east) = (and(west, enemy), and(east, enemy));

                let king = parent.view::<WHITE>().king();
                let mut sum = bits(and_not(and_not(splat(attacks::king(king)), own), attacked));
                // No slider reaches a square in the direction of a pawn that does: the pawn is in its way.
                macro_rules! add_slides {
                    ($direction:literal, $kind:ident, $line:expr, $white:expr, $black:expr) => {
                        let slid =
                            slide::<$direction>(along(parent.$kind, $line), &runs[$direction]);
                        let targets = or(slid, if WHITE { $white } else { $black });
                        sum = add(sum, bits(and(targets, wanted)));
                    };
                }
                let none = splat(0);
                add_slides!(0, straight, file, pushes, none);
                add_slides!(1, straight, file, none, pushes);
                add_slides!(2, straight, rank, none, none);
                add_slides!(3, straight, rank, none, none);
                add_slides!(4, diagonal, diagonal, east, none);
                add_slides!(5, diagonal, diagonal, none, west);
                add_slides!(6, diagonal, antidiagonal, west, none);
                add_slides!(7, diagonal, antidiagonal, none, east);
                let (own_set, _) = parent.sides::<WHITE>();
                let free = and_not(own, pinned);
                for knight in squares(parent.knights & own_set) {
                    let targets = and(splat(attacks::knight(knight)), wanted);
                    sum = add_if(sum, meets(free, splat(knight.bit())), bits(targets));
                }
                if pawns & own_set & seventh_rank(side::<WHITE>()) != 0 {
                    for targets in [once, west, east] {
                        // A promotion is four moves, of which one is counted.
                        let more = bits(and(and(targets, wanted), splat(LAST_RANKS)));
                        sum = add(sum, add(more, add(more, more)));
                    }
                }
                self.add_castling::<WHITE, WINGS>(attacked, sum)
            }

            /// Adds the castling moves of each board.
            #[inline]
            #[target_feature(enable = $features)]
            fn add_castling<const WHITE: bool, const WINGS: u8>(
                &self,
                attacked: Lanes,
                mut sum: Lanes,
            ) -> Lanes {
                let rank = if WHITE { 0 } else { 56 };
                for wing in 0..2 {
                    if WINGS >> wing & 1 != 0 {
                        let (rook, between, way) = (ROOKS[wing], BETWEEN[wing], WAY[wing]);
                        // The move may have captured the rook.
                        let captured = and(self.entered, splat(rook << rank));
                        let obstructed = or(captured, and_not(splat(between << rank), self.empty));
                        let hindered = or_and(obstructed, attacked, splat(way << rank));
                        sum = add_if(sum, is_empty(hindered), splat(1));
                    }
                }
                sum
            }
        }

        impl Limits {
            /// `WINGS` is the caller's: the compiler inlines a function that has one caller.
            #[inline]
            #[target_feature(enable = $features)]
            fn find<const WHITE: bool, const WINGS: u8>(
                tables: &$tables,
                parent: &Register,
                (from, to): Squares,
                boards: &Boards,
            ) -> Limits {
                let Boards { empty, own, .. } = *boards;
                let (_, enemy) = parent.sides::<WHITE>();
                let moved = |set: u64| moved(splat(set & enemy), from, to);
                let (straight, diagonal) = (moved(parent.straight), moved(parent.diagonal));
                let (knights, pawns) = (moved(parent.knights), moved(parent.pawns));

                let king = parent.view::<WHITE>().king();
                let leapers = or_and(
                    and(knights, splat(attacks::knight(king))),
                    pawns,
                    splat(attacks::pawn(side::<WHITE>(), king)),
                );
                let mut evasion = and_if(splat(!0), meets(leapers, leapers), leapers);
                let near = or(near(moved(parent.kings)), leapt(knights));
                let mut attacked = or(near, taken_by_pawns::<WHITE>(pawns));
                let rays = tables.rays.from(king);
                macro_rules! find_in {
                    ($direction:literal, $sliders:expr) => {{
                        let runs = runs::<$direction>(empty);
                        let attacks = slide::<$direction>($sliders, &runs);
                        let check = meets(attacks, splat(king.bit()));
                        let behind = behind::<$direction>(king.bit());
                        attacked = or_if(or(attacked, attacks), check, splat(behind));
                        let ray = splat(rays[$direction]);
                        // A ray leads from the king against the direction.
                        let seen = if $direction % 2 == 1 {
                            rising(ray, and_not(ray, empty))
                        } else {
                            falling::<{ $direction == 2 }>(ray, and_not(ray, empty))
                        };
                        evasion = and_if(evasion, check, seen);
                        (runs, and(and(attacks, seen), own))
                    }};
                }
                let (north, from_south) = find_in!(0, straight);
                let (south, from_north) = find_in!(1, straight);
                let (east, from_west) = find_in!(2, straight);
                let (west, from_east) = find_in!(3, straight);
                let (northeast, from_southwest) = find_in!(4, diagonal);
                let (southwest, from_northeast) = find_in!(5, diagonal);
                let (northwest, from_southeast) = find_in!(6, diagonal);
                let (southeast, from_northwest) = find_in!(7, diagonal);
                Limits {
                    attacked,
                    evasion,
                    lines: [
                        or(from_south, from_north),
                        or(from_west, from_east),
                        or(from_southwest, from_northeast),
                        or(from_southeast, from_northwest),
                    ],
                    runs: [north, south, east, west, northeast, southwest, northwest, southeast],
                }
            }
        }

        /// Sets after a step: up for positive numbers, down for negative ones.
        #[inline]
        #[target_feature(enable = $features)]
        fn step(sets: Lanes, by: i32) -> Lanes {
            if by > 0 { up(sets, by.unsigned_abs()) } else { down(sets, by.unsigned_abs()) }
        }

        /// Sets without the squares that a step in a direction enters by a wrap.
        #[inline]
        #[target_feature(enable = $features)]
        fn unwrapped<const DIRECTION: usize>(sets: Lanes) -> Lanes {
            // A step along a file leaves the board.
            if DIRECTION < 2 { sets } else { and(sets, splat(ENTERED[DIRECTION])) }
        }

        /// The empty squares from which one, two and four steps back lead over empty squares only.
        #[inline]
        #[target_feature(enable = $features)]
        fn runs<const DIRECTION: usize>(empty: Lanes) -> [Lanes; 3] {
            let by = STEPS[DIRECTION];
            let one = unwrapped::<DIRECTION>(empty);
            let two = and(one, step(one, by));
            [one, two, and(two, step(two, 2 * by))]
        }

        /// The squares that sliders attack in a direction.
        #[inline]
        #[target_feature(enable = $features)]
        fn slide<const DIRECTION: usize>(sliders: Lanes, [one, two, four]: &[Lanes; 3]) -> Lanes {
            let by = STEPS[DIRECTION];
            let sets = or_and(sliders, *one, step(sliders, by));
            let sets = or_and(sets, *two, step(sets, 2 * by));
            let sets = or_and(sets, *four, step(sets, 4 * by));
            taken::<DIRECTION>(sets)
        }

        /// The next squares in a direction.
        #[inline]
        #[target_feature(enable = $features)]
        fn taken<const DIRECTION: usize>(sets: Lanes) -> Lanes {
            unwrapped::<DIRECTION>(step(sets, STEPS[DIRECTION]))
        }

        /// The next square in a direction, of a set that is the same on all boards.
        #[inline(always)]
        fn behind<const DIRECTION: usize>(set: u64) -> u64 {
            let by = STEPS[DIRECTION];
            ENTERED[DIRECTION] & if by > 0 { set << by } else { set >> -by }
        }

        /// The squares on and beside those of a king.
        #[inline]
        #[target_feature(enable = $features)]
        fn near(king: Lanes) -> Lanes {
            let row = or_and(king, splat(!FILE_A), up(king, 1));
            let row = or_and(row, splat(!FILE_H), down(row, 1));
            or(or(row, up(row, 8)), down(row, 8))
        }

        /// The squares that knights attack.
        #[inline]
        #[target_feature(enable = $features)]
        fn leapt(knights: Lanes) -> Lanes {
            let beside =
                or_and(and(splat(!FILE_A), up(knights, 1)), splat(!FILE_H), down(knights, 1));
            let apart = or_and(
                and(splat(!(FILE_A | FILE_A << 1)), up(knights, 2)),
                splat(!(FILE_H | FILE_H >> 1)),
                down(knights, 2),
            );
            or(or(up(beside, 16), down(beside, 16)), or(up(apart, 8), down(apart, 8)))
        }

        /// The squares that the pawns against `WHITE` attack, or those of White against Black.
        #[inline]
        #[target_feature(enable = $features)]
        fn taken_by_pawns<const WHITE: bool>(pawns: Lanes) -> Lanes {
            let ahead = step(pawns, if WHITE { -8 } else { 8 });
            or_and(and(splat(!FILE_A), up(ahead, 1)), splat(!FILE_H), down(ahead, 1))
        }
    };
}
pub(super) use siblings;
