//! Perft: the one that is timed, and one with a hash table of counts by position and depth.
//!
//! The hash table counts a transposition once. Perft with it does not measure a generator, because it generates fewer
//! moves. It makes deeper counts feasible and checks that make, unmake and keys agree.

use std::hint::black_box;

use raywalk_core::{
    Board, Entries, Generator, Hashed, Leaves, Legality, MoveList, Position, count_legal,
};
use raywalk_positions::facts;

use super::table::PerftTable;

/// Plies of a perft from a position whose count is not published.
const USUAL_DEPTH: u32 = 2;

/// The depth of the perft that is timed from a position. It depends on the position alone, so every design counts the
/// same leaves.
pub fn perft_depth(position: &Position) -> u32 {
    facts::timed_perft(position).map_or(USUAL_DEPTH, |(depth, _)| depth)
}

/// The timed perft: as many plies as there are lists. Every move of the inner plies is made; a pseudo-legal one counts
/// if it leaves no check.
///
/// It differs from [`raywalk_core::perft`] in its lists, which are cleared and not created for each node.
#[inline(never)]
pub(super) fn in_lists<G: Entries>(
    generator: &G,
    board: &mut G::Board,
    lists: &mut [MoveList<G::Moves>],
    leaves: Leaves,
) -> u64 {
    match lists {
        [] => 1,
        [list] if leaves == Leaves::Bulk => count_legal(generator, board, list),
        // Otherwise the compiler could cancel out what is inlined of make and unmake.
        [list] => each_legal(generator, board, list, |board| {
            black_box(board);
            1
        }),
        [list, below @ ..] => {
            each_legal(generator, board, list, |board| in_lists(generator, board, below, leaves))
        }
    }
}

/// Makes each move of a position and takes it back, and adds what there is behind the legal ones.
#[inline(always)]
fn each_legal<G: Entries>(
    generator: &G,
    board: &mut G::Board,
    list: &mut MoveList<G::Moves>,
    mut below: impl FnMut(&mut G::Board) -> u64,
) -> u64 {
    let side = board.state().side;
    let mut found = 0;
    list.clear();
    generator.all(board, list);
    for word in list.moves() {
        let mv = generator.unpack(board, word);
        let undo = board.make(mv);
        if is_legal::<G>() || !board.in_check(side) {
            found += below(board);
        }
        board.unmake(mv, undo);
    }
    found
}

const fn is_legal<G: Generator>() -> bool {
    matches!(G::CARD.legality, Legality::Legal)
}

/// Up to this depth a design that counts by copies does so without the table: it counts the leaves below a node in the
/// time of a few misses of the cache. Only the counts of this depth and of larger ones are stored.
const BY_COPIES: u32 = 3;

/// As [`raywalk_core::perft`], with a table. Depth 1 is not stored, because generating is as fast. A pseudo-legal
/// design makes every leaf.
pub(super) fn hashed_perft<G: Entries>(
    generator: &G,
    board: &mut Hashed<G::Board>,
    depth: u32,
    leaves: Leaves,
    table: &PerftTable,
) -> u64 {
    let is_stored = depth >= if G::OPTIONAL.perft.is_some() { BY_COPIES } else { 2 };
    if is_stored && let Some(count) = table.get(board.key(), depth) {
        return count;
    }
    let count = match G::OPTIONAL.perft {
        Some(by_copies) if depth <= BY_COPIES => by_copies(generator, board.board(), depth, leaves),
        _ if depth == 0 => 1,
        _ => {
            let mut list = MoveList::new();
            if is_legal::<G>() && depth == 1 && leaves == Leaves::Bulk {
                return count_legal(generator, board.board(), &mut list);
            }
            generator.all(board.board(), &mut list);
            let side = board.board().state().side;
            let mut count = 0;
            for word in list.moves() {
                let mv = generator.unpack(board.board(), word);
                let undo = board.make(mv);
                if is_legal::<G>() || !board.board().in_check(side) {
                    count += hashed_perft(generator, board, depth - 1, leaves, table);
                }
                board.unmake(mv, undo);
            }
            count
        }
    };
    if is_stored {
        table.put(board.key(), depth, count);
    }
    count
}
