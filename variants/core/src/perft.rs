//! Perft: the number of legal move sequences of a given length.

use crate::{Board, Color, Entries, Generator, Leaves, Legality, Move, MoveKind, MoveList, Square};

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

/// The same by the lists of the design, with every move made and taken back on one board.
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
    let is_counted = depth == 1 && leaves == Leaves::Bulk && !board.in_check(side);
    let king = board.king(side);
    let screens = if is_counted { screens(board, king, side) } else { 0 };
    let mut nodes = 0;
    for word in list.moves() {
        let mv = generator.unpack(board, word);
        if is_counted && !may_expose(king, screens, mv) {
            nodes += 1;
            continue;
        }
        let undo = board.make(mv);
        if legal || !board.in_check(side) {
            nodes += perft_by_lists(generator, board, depth - 1, leaves);
        }
        board.unmake(mv, undo);
    }
    nodes
}

/// Whether a move may leave its own king attacked, if the king is not in check: a move of the king, en passant, which
/// removes two pawns from a rank, or a move of a [screen](screens).
fn may_expose(king: Square, screens: u64, mv: Move) -> bool {
    let from = mv.from();
    from == king || screens & from.bit() != 0 || mv.kind() == MoveKind::EnPassant
}

/// The pieces of a side that stand between its king and an enemy, alone on the line.
fn screens<B: Board>(board: &B, king: Square, side: Color) -> u64 {
    const DIRECTIONS: [(i8, i8); 8] =
        [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let mut found = 0;
    for (files, ranks) in DIRECTIONS {
        let line = std::iter::successors(king.offset(files, ranks), |one| one.offset(files, ranks));
        let mut pieces = line.filter_map(|square| Some((square, board.piece_at(square)?)));
        if let Some(((square, first), (_, second))) = pieces.next().zip(pieces.next())
            && first.color == side
            && second.color != side
        {
            found |= square.bit();
        }
    }
    found
}
