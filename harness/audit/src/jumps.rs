//! Kinds of conditional jumps, by what decides them: a counter, the content of a square, or a piece in the way.

use crate::entry::{Operands, Spot};
use crate::value::Taint;

/// Whether what stands on a square decides a conditional jump.
///
/// At the end of a loop, a place in a table that a cell selected does not count: every list ends so, and
/// the branchless ones too. A board of sets has no cells; there, a test for a piece in the way counts.
pub(crate) fn is_board_jump(spot: Spot<'_>, operands: Operands) -> bool {
    let decided_by = spot.note().decided_by;
    match operands.cell_bytes {
        Some(0) => asks_for_blockers(spot),
        _ if spot.ends_loop() => decided_by.is_cell_itself(),
        _ => decided_by.has(Taint::CELL),
    }
}

/// Whether a conditional jump tests what stands in the way of a piece, on a board of sets.
///
/// In a loop, such a jump depends on a table of attacks and on the sets of the board. In straight-line code the sets
/// suffice, because targets may come from fills without a table. It counts if both of its ways can still reach the same
/// inner loops; the end of a loop over targets and a jump around it cannot.
pub(crate) fn asks_for_blockers(spot: Spot<'_>) -> bool {
    let decided_by = spot.note().decided_by;
    let around = spot.around();
    let may_test_blockers = around.is_none() || decided_by.has(Taint::TABLE);
    if !decided_by.has(Taint::PIECES) || !may_test_blockers || spot.is_rare() || spot.ends_loop() {
        return false;
    }
    let ways = spot.part.function.following(spot.n);
    let mut loops = ways.iter().map(|&n| spot.part.loops_reached(around, spot.part.block_of(n)));
    let first = loops.next();
    ways.len() > 1 && loops.all(|other| Some(other) == first)
}

/// Whether a conditional jump ends a loop because of the pieces, on a board of sets.
pub(crate) fn ends_at_a_piece(spot: Spot<'_>) -> bool {
    spot.ends_loop() && !spot.is_rare() && spot.note().decided_by.has(Taint::PIECES)
}
