//! Perft by copies: each move is a copy of the placement and a call of the function for the state behind it.

use std::marker::PhantomData;

use raywalk_core::{All, Bitboards, Board, Castling, CastlingRights, Color, Kind, Leaves, Square};

use super::LegalPext;

use super::placement::Placement;
use super::state::{Black, Fixed, Own, Side, White, count, own};
use crate::pawns::behind;
use crate::sets::squares;
use crate::sink::Sink;

/// The number of sequences of legal moves from a board.
pub(super) fn count_tree(
    generator: &LegalPext,
    board: &Bitboards,
    depth: u32,
    leaves: Leaves,
) -> u64 {
    let (state, placement) = (board.state(), Placement::of(board));
    let rights = usize::from(state.rights.bits());
    let node = match state.side {
        Color::White => Nodes::<White>::BY_RIGHTS[rights],
        Color::Black => Nodes::<Black>::BY_RIGHTS[rights],
    };
    node(generator, &placement, state.en_passant, depth, leaves)
}

/// Counts the sequences from a placement with the square that a pawn has just passed over.
type Node = fn(&LegalPext, &Placement, Option<Square>, u32, Leaves) -> u64;

/// Counts the moves of a placement.
type Leaf = fn(&LegalPext, &Placement, Option<Square>) -> u64;

/// The instances for one side to move.
struct Nodes<C>(PhantomData<C>);

impl<C: Side> Nodes<C> {
    /// By the bits of all rights.
    const BY_RIGHTS: [Node; 16] = [
        node::<C, 0>,
        node::<C, 1>,
        node::<C, 2>,
        node::<C, 3>,
        node::<C, 4>,
        node::<C, 5>,
        node::<C, 6>,
        node::<C, 7>,
        node::<C, 8>,
        node::<C, 9>,
        node::<C, 10>,
        node::<C, 11>,
        node::<C, 12>,
        node::<C, 13>,
        node::<C, 14>,
        node::<C, 15>,
    ];

    /// By the bits of the rights of this side.
    const LEAVES: [Leaf; 4] = [
        count::<Placement, C, 0>,
        count::<Placement, C, 1>,
        count::<Placement, C, 2>,
        count::<Placement, C, 3>,
    ];
}

/// One node of the tree, in one state.
#[inline(never)]
fn node<C: Side, const RIGHTS: u8>(
    generator: &LegalPext,
    placement: &Placement,
    passed: Option<Square>,
    depth: u32,
    leaves: Leaves,
) -> u64 {
    let own: Own = const { own::<C>(CastlingRights::from_bits(RIGHTS)) };
    match (depth, leaves) {
        // The placement behind the last move was written for this call.
        (0, _) => 1,
        (1, Leaves::Bulk) => Nodes::<C>::LEAVES[usize::from(own)](generator, placement, passed),
        _ => {
            let mut children = Children::<C, RIGHTS> {
                generator,
                placement,
                depth: depth - 1,
                leaves,
                found: 0,
                side: PhantomData,
            };
            generator.moves::<All>(Fixed::<_, C>::new(placement, passed, own), &mut children);
            children.found
        }
    }
}

/// Makes each move that it is given and counts the tree behind it.
struct Children<'a, C, const RIGHTS: u8> {
    generator: &'a LegalPext,
    placement: &'a Placement,
    /// Plies of the tree behind each move; 0 if the move leads to a leaf.
    depth: u32,
    leaves: Leaves,
    found: u64,
    side: PhantomData<C>,
}

impl<C: Side, const RIGHTS: u8> Children<'_, C, RIGHTS> {
    const BEFORE: CastlingRights = CastlingRights::from_bits(RIGHTS);

    /// Counts the tree behind a move.
    #[inline(always)]
    fn count(&mut self, child: &Placement, passed: Option<Square>, rights: CastlingRights) {
        let node = if rights.bits() == RIGHTS {
            node::<C::Other, RIGHTS>
        } else {
            Nodes::<C::Other>::BY_RIGHTS[usize::from(rights.bits())]
        };
        self.found += node(self.generator, child, passed, self.depth, self.leaves);
    }

    /// Counts the tree behind a move that only moves a piece, which may become one of another kind.
    #[inline(always)]
    fn moved(&mut self, kinds: [Kind; 2], [from, to]: [Square; 2]) {
        let child = self.placement.moved(C::COLOR, kinds, [from, to]);
        let moves_home = matches!(kinds[0], Kind::King | Kind::Rook);
        let own_matter = moves_home && const { own::<C>(Self::BEFORE) != 0 };
        let rights = if own_matter || const { own::<C::Other>(Self::BEFORE) != 0 } {
            Self::BEFORE.after(from, to)
        } else {
            Self::BEFORE
        };
        self.count(&child, None, rights);
    }
}

impl<C: Side, const RIGHTS: u8> Sink for Children<'_, C, RIGHTS> {
    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: Square, targets: u64) {
        for to in squares(targets) {
            self.moved([kind; 2], [from, to]);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: u64, step: u32) {
        for to in squares(targets) {
            let squares = [behind(to, step), to];
            let child = self.placement.moved(C::COLOR, [Kind::Pawn; 2], squares);
            self.count(&child, None, Self::BEFORE);
        }
    }

    #[inline(always)]
    fn double_pushes(&mut self, targets: u64, step: u32) {
        for to in squares(targets) {
            let passed = behind(to, step);
            let squares = [behind(passed, step), to];
            let child = self.placement.moved(C::COLOR, [Kind::Pawn; 2], squares);
            self.count(&child, Some(passed), Self::BEFORE);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: u64, step: u32) {
        for to in squares(targets) {
            for kind in Kind::PROMOTIONS {
                self.moved([Kind::Pawn, kind], [behind(to, step), to]);
            }
        }
    }

    #[inline(always)]
    fn castling(&mut self, from: Square, targets: u64) {
        for to in squares(targets) {
            let child = self.placement.castled(C::COLOR, &Castling::landing_on(to));
            self.count(&child, None, Self::BEFORE.after(from, to));
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square, legal: bool) {
        if legal {
            let child = self.placement.passing(C::COLOR, [from, to]);
            self.count(&child, None, Self::BEFORE);
        }
    }

    #[inline(always)]
    fn king(&mut self, from: Square, to: Square, legal: bool) {
        if legal {
            self.moved([Kind::King; 2], [from, to]);
        }
    }
}
