//! Perft: the number of legal move sequences of a given length.

use crate::seen_legality::{LegalityView, SeenLegality};
use crate::{Board, Entries, Generator, Leaves, Legality, MoveList};

/// Number of moves of a legal design: by its own [count](crate::Counting), or as the length of a list.
#[inline(always)]
pub fn count_legal<G: Entries>(
    generator: &G,
    board: &G::Board,
    list: &mut MoveList<G::Moves>,
) -> u64 {
    if let Some(count) = G::OPTIONAL.count {
        return count(generator, board);
    }
    list.clear();
    generator.all(board, list);
    list.len() as u64
}

/// Number of sequences of `depth` legal moves; 1 at depth 0. By [copies](crate::CopyMake) if the design offers that.
///
/// Draws do not end a sequence, as is usual for perft. The board is unchanged on return.
pub fn perft<G: Entries>(generator: &G, board: &mut G::Board, depth: u32, leaves: Leaves) -> u64 {
    match G::OPTIONAL.perft {
        Some(by_copies) => by_copies(generator, board, depth, leaves),
        None => perft_by_lists(generator, board, depth, leaves),
    }
}

/// The same by the lists of the design, with moves made and taken back on one board: all of them for [`Leaves::Made`].
///
/// For [`Leaves::Bulk`], a move of the last ply is made only if it is not seen before whether it is legal, and the king
/// is tested only behind such moves.
pub fn perft_by_lists<G: Entries>(
    generator: &G,
    board: &mut G::Board,
    depth: u32,
    leaves: Leaves,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut list = MoveList::new();
    let legal = <G as Generator>::CARD.legality == Legality::Legal;
    if legal && depth == 1 && leaves == Leaves::Bulk {
        return count_legal(generator, board, &mut list);
    }
    generator.all(board, &mut list);
    let side = board.state().side;
    let view = (!legal && leaves == Leaves::Bulk).then(|| LegalityView::of(board, side));
    let mut nodes = 0;
    for word in list.moves() {
        let mv = generator.unpack(board, word);
        let seen = match &view {
            Some(view) => view.on(board, mv),
            None if legal => SeenLegality::Legal,
            None => SeenLegality::Unseen,
        };
        match seen {
            SeenLegality::Illegal => continue,
            SeenLegality::Legal if depth == 1 && leaves == Leaves::Bulk => {
                nodes += 1;
                continue;
            }
            SeenLegality::Legal | SeenLegality::Unseen => {}
        }
        let undo = board.make(mv);
        if seen == SeenLegality::Legal || !board.in_check(side) {
            nodes += perft_by_lists(generator, board, depth - 1, leaves);
        }
        board.unmake(mv, undo);
    }
    nodes
}
