//! The walk through a tree, for either kind of vectors.
//!
//! A function may use vectors only if it is compiled for them, so the walk is a macro: it is written once, and each
//! kind of vectors has its own instance. It takes what is in scope where the macro is used: the types `Board` and
//! `Counted`, the functions `children`, `list`, `count`, `count_siblings`, `nothing_counted` and `total`, and those of
//! `lanes`.

use std::mem::MaybeUninit;

use raywalk_core::{Move, MoveList};

use super::keys::{Keys, Node};
use super::register::{Register, castling, side, takers_en_passant};
use crate::homes::HOMES;
use crate::pawns::PawnTargets;
use crate::sets::{LAST_RANKS, squares};
use crate::sides::lowest;

/// Room for the boards after all moves of a position. Not initialised, because that would take longer than the moves.
pub(super) type Room<K> = [MaybeUninit<Node<<K as Keys>::Key>>; 256];

/// Where the parts of a list begin.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    /// Double pushes. Before them are the moves that move one piece and may capture another.
    pub(super) doubles: usize,
    /// Promotions, castling and en passant.
    pub(super) rest: usize,
}

/// Appends promotions, castling and en passant.
#[inline(always)]
pub(super) fn append_rest<const WHITE: bool>(
    board: &Register,
    pawns: PawnTargets,
    attacked: u64,
    list: &mut MoveList,
) {
    if (pawns.west | pawns.east | pawns.once) & LAST_RANKS != 0 {
        pawns.write_rare(list);
    }
    if board.special != 0 {
        let allowed = castling::<WHITE>(board, attacked);
        crate::castling::push(side::<WHITE>(), allowed, &mut list.cursor());
        let passed = board.special & !HOMES;
        if passed != 0 {
            for from in squares(takers_en_passant::<WHITE>(board)) {
                list.push(Move::en_passant(from, lowest(passed)));
            }
        }
    }
}

/// Defines `perft` for functions with these features.
macro_rules! walk {
    ($tables:ty, $features:literal) => {
        use std::hint::black_box;
        use std::mem::MaybeUninit;

        use raywalk_core::{Bitboards, Board as _, Color, Leaves, Move, MoveKind, MoveList};

        use $crate::copy_make::keys::{Keys, Node};
        use $crate::copy_make::register::{
            Register, castled, passed_beside_pawn, passing, takers_en_passant,
        };
        use $crate::copy_make::walk::{Parts, Room};

        /// Number of sequences of `depth` legal moves.
        #[target_feature(enable = $features)]
        pub(crate) fn perft<K: Keys>(
            tables: &$tables,
            keys: K,
            board: &Bitboards,
            depth: u32,
            leaves: Leaves,
        ) -> u64 {
            let root = Node { board: Register::of(board), key: keys.of(board) };
            let mut walk = Walk { tables, list: MoveList::new(), counted: nothing_counted() };
            let found = match (board.state().side, leaves, depth) {
                (_, _, 0) => 1,
                (Color::White, Leaves::Made, _) => walk.leaves::<true, true, K>(keys, &root, depth),
                (Color::Black, Leaves::Made, _) => {
                    walk.leaves::<false, true, K>(keys, &root, depth)
                }
                (Color::White, Leaves::Bulk, 1) => {
                    count::<true>(tables, &root.board, &mut walk.counted)
                }
                (Color::Black, Leaves::Bulk, 1) => {
                    count::<false>(tables, &root.board, &mut walk.counted)
                }
                (Color::White, Leaves::Bulk, _) => {
                    walk.leaves::<true, false, K>(keys, &root, depth)
                }
                (Color::Black, Leaves::Bulk, _) => {
                    walk.leaves::<false, false, K>(keys, &root, depth)
                }
            };
            found + total(walk.counted)
        }

        /// A walk through the tree of a position.
        struct Walk<'a> {
            tables: &'a $tables,
            /// The moves of the node whose boards are being written. One list serves all plies.
            list: MoveList,
            /// The leaves that were counted in lanes.
            counted: Counted,
        }

        impl Walk<'_> {
            /// The leaves below a board, each of them written if `MADE`. Otherwise the board is at least two plies
            /// above them, and those that are counted in lanes are missing.
            #[target_feature(enable = $features)]
            fn leaves<const WHITE: bool, const MADE: bool, K: Keys>(
                &mut self,
                keys: K,
                node: &Node<K::Key>,
                depth: u32,
            ) -> u64 {
                if !MADE && depth == 2 {
                    return if WHITE {
                        self.by_rights::<true, false>(&node.board)
                    } else {
                        self.by_rights::<false, true>(&node.board)
                    };
                }
                let mut room: Room<K> = [const { MaybeUninit::uninit() }; 256];
                let boards = children::<WHITE, K>(self.tables, keys, node, &mut room);
                if MADE && depth == 1 {
                    // Otherwise the compiler could leave the boards out.
                    return black_box(boards).len() as u64;
                }
                let boards = boards.iter();
                if WHITE {
                    boards.map(|next| self.leaves::<false, MADE, K>(keys, next, depth - 1)).sum()
                } else {
                    boards.map(|next| self.leaves::<true, MADE, K>(keys, next, depth - 1)).sum()
                }
            }

            /// The leaves two plies below a board, by the function for the castling rights of the colour that moves
            /// last. `NEXT` is the colour that `WHITE` is not.
            #[inline]
            #[target_feature(enable = $features)]
            fn by_rights<const WHITE: bool, const NEXT: bool>(&mut self, board: &Register) -> u64 {
                match board.wings::<NEXT>() {
                    0 => self.grandchildren::<WHITE, NEXT, 0>(board),
                    1 => self.grandchildren::<WHITE, NEXT, 1>(board),
                    2 => self.grandchildren::<WHITE, NEXT, 2>(board),
                    _ => self.grandchildren::<WHITE, NEXT, 3>(board),
                }
            }

            /// The leaves two plies below a board, apart from those that are counted in lanes. `NEXT` has the right to
            /// castle on these [`WINGS`](Register::wings).
            #[inline(never)]
            #[target_feature(enable = $features)]
            fn grandchildren<const WHITE: bool, const NEXT: bool, const WINGS: u8>(
                &mut self,
                board: &Register,
            ) -> u64 {
                self.list.clear();
                let Parts { doubles, rest } =
                    list::<WHITE, WINGS>(self.tables, board, &mut self.list);
                let moves = self.list.as_slice();
                let (usual, rare) = moves.split_at(rest.min(moves.len()));
                let mut counted = self.counted;
                count_siblings::<NEXT, WINGS>(self.tables, board, usual, &mut counted);

                let parent = (board, load(board), kept(load(board)));
                let mut others = 0;
                for &mv in &usual[doubles.min(usual.len())..] {
                    let passed = passed_beside_pawn::<WHITE>(board, mv.to());
                    if passed != 0 {
                        let mut room = MaybeUninit::uninit();
                        let next = write(moved(parent.1, parent.2, mv.from(), mv.to()), &mut room);
                        next.special |= passed;
                        others += u64::from(takers_en_passant::<NEXT>(next).count_ones());
                    }
                }
                for &mv in rare {
                    let mut room = MaybeUninit::uninit();
                    let next = write_rare::<WHITE>(parent, mv, &mut room);
                    others += count::<NEXT>(self.tables, next, &mut counted);
                }
                self.counted = counted;
                others
            }
        }

        /// Writes the board after any move. The parent comes with its lanes and those that moves keep.
        #[inline]
        #[target_feature(enable = $features)]
        fn write_rare<'r, const WHITE: bool>(
            (board, lanes, kept): (&Register, Board, Board),
            mv: Move,
            room: &'r mut MaybeUninit<Register>,
        ) -> &'r mut Register {
            match mv.kind() {
                MoveKind::Promotion(kind) => {
                    write(entered(left(kept, mv.from()), mv.to(), holding::<WHITE>(kind)), room)
                }
                MoveKind::Castle => room.write(castled::<WHITE>(board, mv)),
                MoveKind::EnPassant => room.write(passing::<WHITE>(board, mv)),
                MoveKind::Normal => write(moved(lanes, kept, mv.from(), mv.to()), room),
            }
        }
    };
}
pub(super) use walk;
