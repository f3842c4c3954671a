//! The boards after all moves of a position, written piece by piece and without a list of moves.
//!
//! **Method.** The legal targets of each piece are a set, as they are for a list. The board without the piece is
//! computed once; a target then costs one more vector operation and the store, because the lanes of the piece are known
//! from the loop. A square that holds an enemy piece needs no other code than an empty one.
//!
//! *Sliders.* The number of targets of a slider is hard to predict. They are written in chunks of four, so that most
//! loops end at the first or second iteration. If a chunk has fewer targets left than places, its surplus boards are
//! overwritten by the next boards or stay behind the last one, where they are not read.
//!
//! As the walk, it is a macro with an instance for each kind of vectors. The type `Board`, the functions `threats`,
//! `bishop`, `rook` and `through`, and those of `lanes`, are in scope where it is used.

/// How many targets of a slider are written before its loop may end.
pub(super) const CHUNK: usize = 4;

/// The targets of a queen, at most 27, in whole chunks.
pub(super) const MOST_SLIDES: usize = 27_usize.next_multiple_of(CHUNK);

/// Defines `children` for functions with these features.
macro_rules! children {
    ($tables:ty, $features:literal) => {
        use std::mem::MaybeUninit;

        use raywalk_core::bitboards::attacks;
        use raywalk_core::{All, Castling, Kind, Move, Square, Wing};

        use $crate::copy_make::children::{CHUNK, MOST_SLIDES};
        use $crate::copy_make::keys::{Keys, Node};
        use $crate::copy_make::register::{
            Register, castled, castling, passing, side, takers_en_passant,
        };
        use $crate::copy_make::walk::Room;
        use $crate::homes::HOMES;
        use $crate::pawns::{PawnTargets, behind};
        use $crate::sets::{LAST_RANKS, ahead, attacked_by_pawns, squares, up};
        use $crate::sides::{Sides, lowest};
        use $crate::slots::Pieces;
        use $crate::threats::Threats;

        /// Writes the boards after all legal moves.
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) fn children<'r, const WHITE: bool, K: Keys>(
            tables: &$tables,
            keys: K,
            node: &Node<K::Key>,
            room: &'r mut Room<K>,
        ) -> &'r [Node<K::Key>] {
            let board = &node.board;
            let sides = board.view::<WHITE>();
            let parent = keys.parent(node);
            let threats = threats::<WHITE>(tables, board, &sides);
            let mut writer =
                Writer::<K> { parent: &parent, kept: kept(load(board)), free: &mut room[..] };
            writer.write_pieces::<WHITE>(tables, &sides, &threats);
            writer.write_pawns::<WHITE>(&sides, &threats);
            if board.special != 0 {
                writer.write_special::<WHITE>(board, threats.attacked);
            }
            let left = writer.free.len();
            let number = room.len() - left;
            // SAFETY: the writer has written as many nodes, from the first one on: it takes room for a node only when
            // it writes the node.
            #[allow(unsafe_code, reason = "children are written into room without a value")]
            let nodes = unsafe { room[..number].assume_init_mut() };
            K::complete(&parent, nodes);
            nodes
        }

        /// Writes boards, one behind the other.
        struct Writer<'p, 'r, K: Keys> {
            parent: &'p K::Parent,
            /// The lanes of the parent that moves keep.
            kept: Board,
            /// The room that is left.
            free: &'r mut [MaybeUninit<Node<K::Key>>],
        }

        impl<'r, K: Keys> Writer<'_, 'r, K> {
            /// Writes the moves of all pieces but pawns, castling aside.
            #[inline]
            #[target_feature(enable = $features)]
            fn write_pieces<const WHITE: bool>(
                &mut self,
                tables: &$tables,
                sides: &Sides,
                threats: &Threats,
            ) {
                let Threats { attacked, evasion, pins } = *threats;
                let Sides { own, enemy, .. } = *sides;
                let (wanted, occupied) = (!own & evasion, own | enemy);
                let king = sides.king();
                let targets = attacks::king(king) & !own & !attacked;
                self.write::<WHITE>(Kind::King, king, targets);

                let bishop = |from| bishop(tables, from, occupied);
                let rook = |from| rook(tables, from, occupied);
                let Pieces { knights, bishops, rooks, queens } =
                    sides.pieces::<All>(own & !pins.all);
                for from in squares(knights) {
                    self.write::<WHITE>(Kind::Knight, from, attacks::knight(from) & wanted);
                }
                for from in squares(bishops) {
                    self.write_slides::<WHITE>(Kind::Bishop, from, bishop(from) & wanted);
                }
                for from in squares(rooks) {
                    self.write_slides::<WHITE>(Kind::Rook, from, rook(from) & wanted);
                }
                for from in squares(queens) {
                    self.write_slides::<WHITE>(
                        Kind::Queen,
                        from,
                        (bishop(from) | rook(from)) & wanted,
                    );
                }
                // A pinned slider stays on its line. A knight has no move there.
                let Pieces { bishops, rooks, queens, .. } = sides.pieces::<All>(own & pins.all);
                if bishops | rooks | queens != 0 {
                    let line = |from| through(tables, king, from) & wanted;
                    for from in squares(bishops) {
                        self.write_slides::<WHITE>(Kind::Bishop, from, bishop(from) & line(from));
                    }
                    for from in squares(rooks) {
                        self.write_slides::<WHITE>(Kind::Rook, from, rook(from) & line(from));
                    }
                    for from in squares(queens) {
                        let targets = (bishop(from) | rook(from)) & line(from);
                        self.write_slides::<WHITE>(Kind::Queen, from, targets);
                    }
                }
            }

            /// Writes the moves of pawns, en passant aside.
            #[inline]
            #[target_feature(enable = $features)]
            fn write_pawns<const WHITE: bool>(&mut self, sides: &Sides, threats: &Threats) {
                let side = side::<WHITE>();
                let targets = PawnTargets::legal::<All>(sides, threats.evasion, threats.pins);
                let PawnTargets { west, east, once, twice, .. } = targets;
                let ahead = ahead(side);
                // The squares of pawns that an enemy pawn can capture after a double push.
                let enemy = sides.pawns & sides.enemy;
                let beside = attacked_by_pawns(!side, enemy).rotate_left(up(side));
                let usual = !LAST_RANKS;
                self.write_pawn_moves::<WHITE>(west & usual, ahead - 1);
                self.write_pawn_moves::<WHITE>(east & usual, ahead + 1);
                self.write_pawn_moves::<WHITE>(once & usual, ahead);
                self.write_pawn_moves::<WHITE>(twice & !beside, 2 * ahead);
                for to in squares(twice & beside) {
                    let from = behind(to, 2 * ahead);
                    let passed = behind(to, ahead).bit();
                    let key = K::pushed(self.parent, from, to, passed);
                    let next = entered(left(self.kept, from), to, holding::<WHITE>(Kind::Pawn));
                    if let Some(next) = self.push(next, key) {
                        next.special |= passed;
                    }
                }
                if (west | east | once) & LAST_RANKS != 0 {
                    for (targets, step) in [(west, ahead - 1), (east, ahead + 1), (once, ahead)] {
                        for to in squares(targets & LAST_RANKS) {
                            let from = behind(to, step);
                            for kind in Kind::PROMOTIONS {
                                let mv = Move::promotion(from, to, kind);
                                let key = K::rarely_moved::<WHITE>(self.parent, mv);
                                let kind = holding::<WHITE>(kind);
                                self.push(entered(left(self.kept, from), to, kind), key);
                            }
                        }
                    }
                }
            }

            /// Writes the moves of pawns to some squares, each from `step` squares behind.
            #[inline]
            #[target_feature(enable = $features)]
            fn write_pawn_moves<const WHITE: bool>(&mut self, targets: u64, step: i16) {
                let pawn = holding::<WHITE>(Kind::Pawn);
                for to in squares(targets) {
                    let from = behind(to, step);
                    let key = K::moved(self.parent, from, to);
                    self.push(entered(left(self.kept, from), to, pawn), key);
                }
            }

            /// Writes castling and en passant.
            #[inline]
            #[target_feature(enable = $features)]
            fn write_special<const WHITE: bool>(&mut self, board: &Register, attacked: u64) {
                let allowed = castling::<WHITE>(board, attacked);
                for (allowed, wing) in allowed.into_iter().zip([Wing::King, Wing::Queen]) {
                    if allowed {
                        let Castling { king_from, king_to, .. } =
                            Castling::of(side::<WHITE>(), wing);
                        let mv = Move::castle(king_from, king_to);
                        let key = K::rarely_moved::<WHITE>(self.parent, mv);
                        self.push(load(&castled::<WHITE>(board, mv)), key);
                    }
                }
                let passed = board.special & !HOMES;
                if passed != 0 {
                    for from in squares(takers_en_passant::<WHITE>(board)) {
                        let mv = Move::en_passant(from, lowest(passed));
                        let key = K::rarely_moved::<WHITE>(self.parent, mv);
                        self.push(load(&passing::<WHITE>(board, mv)), key);
                    }
                }
            }

            /// Writes the moves of a piece.
            #[inline]
            #[target_feature(enable = $features)]
            fn write<const WHITE: bool>(&mut self, kind: Kind, from: Square, targets: u64) {
                // A piece without moves needs neither a board nor a key.
                if targets == 0 {
                    return;
                }
                let kind = holding::<WHITE>(kind);
                let board = left(self.kept, from);
                let mover = K::left(self.parent, from);
                for to in squares(targets) {
                    self.push(entered(board, to, kind), K::entered(self.parent, mover, to));
                }
            }

            /// Writes the moves of a slider.
            #[inline]
            #[target_feature(enable = $features)]
            fn write_slides<const WHITE: bool>(&mut self, kind: Kind, from: Square, targets: u64) {
                // A key costs more than a branch.
                if size_of::<K::Key>() != 0 {
                    return self.write::<WHITE>(kind, from, targets);
                }
                if targets == 0 {
                    return;
                }
                let kind = holding::<WHITE>(kind);
                let board = left(self.kept, from);
                let mover = K::left(self.parent, from);
                // The room has 256 boards and a position at most 218 moves, so that even the last slider finds room for
                // its longest list. Moves that are missing would be a wrong count, and not a failure.
                debug_assert!(self.free.len() >= MOST_SLIDES, "more moves than any position has");
                if self.free.len() < MOST_SLIDES {
                    return;
                }
                let (chunks, _) = self.free.as_chunks_mut::<CHUNK>();
                let mut left = targets;
                for chunk in chunks {
                    for node in chunk {
                        let to = lowest(left);
                        left &= left.wrapping_sub(1);
                        let (room, key) = Node::parts(node);
                        write(entered(board, to, kind), room);
                        key.write(K::entered(self.parent, mover, to));
                    }
                    if left == 0 {
                        break;
                    }
                }
                let number = targets.count_ones() as usize;
                let free = std::mem::take(&mut self.free);
                self.free = free.get_mut(number..).unwrap_or_default();
            }

            /// Writes a board and its key, if there is room: there is for the moves of any position.
            #[inline]
            #[target_feature(enable = $features)]
            fn push(&mut self, board: Board, key: K::Key) -> Option<&'r mut Register> {
                debug_assert!(!self.free.is_empty(), "more moves than any position has");
                let (room, place) = Node::parts(self.free.split_off_first_mut()?);
                place.write(key);
                Some(write(board, room))
            }
        }
    };
}
pub(super) use children;
