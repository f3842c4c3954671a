//! Kinds of conditional jumps, by what decides them: a counter, the content of a square, or a piece in the way.

use crate::entry::Spot;
use crate::value::Taint;

/// Whether what stands on a square decides a conditional jump.
///
/// At the end of a loop, a place in a table that a cell selected does not count: every list ends so, and
/// the branchless ones too.
pub(crate) fn is_board_jump(spot: Spot<'_>) -> bool {
    let decided_by = spot.note().decided_by;
    if spot.ends_loop() { decided_by.is_cell_itself() } else { decided_by.has(Taint::CELL) }
}

/// Whether a conditional jump tests what stands in the way of a piece, on a board of sets.
///
/// Such a jump depends on a table of attacks and on the sets of the board. So do the ends of the loops over targets and
/// the jumps around a loop without targets; but only a question about a blocker leads to the same loops either way.
pub(crate) fn asks_for_blockers(spot: Spot<'_>) -> bool {
    let decided_by = spot.note().decided_by;
    let in_loop = spot.around().filter(|_| !spot.is_rare() && !spot.ends_loop());
    if !decided_by.has(Taint::PIECES) || !decided_by.has(Taint::TABLE) {
        return false;
    }
    in_loop.is_some_and(|around| {
        let ways = spot.part.function.following(spot.n);
        let mut loops =
            ways.iter().map(|&n| spot.part.loops_reached(around, spot.part.block_of(n)));
        let first = loops.next();
        loops.all(|other| Some(other) == first)
    })
}

/// Whether a conditional jump ends a loop because of the pieces, on a board of sets.
pub(crate) fn ends_at_a_piece(spot: Spot<'_>) -> bool {
    spot.ends_loop() && !spot.is_rare() && spot.note().decided_by.has(Taint::PIECES)
}
