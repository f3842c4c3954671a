//! Lists whose words say more than the neutral move.

use raywalk_core::{Board, Entries, MoveList, Position, StageId};

use super::available;
use crate::cases;
use crate::failure::{Failure, check_each};

/// Generates every stage of every case and hands over the list, for tests of what a format says besides the
/// move. An answer of the check is the problem that it found.
pub fn each_list<G: Entries>(
    mut check: impl FnMut(&Position, StageId, &MoveList<G::Moves>) -> Option<String>,
) {
    let Some(generator) = available(&G::CARD, G::build()) else { return };
    check_each(G::CARD.id, &cases::ALL, |position| {
        let board = G::Board::new(position);
        let mut list = MoveList::new();
        for stage in StageId::ALL {
            list.clear();
            generator.stage(stage, &board, &mut list);
            if let Some(problem) = check(position, stage, &list) {
                return Err(Failure::new(position, format!("{}: {problem}", stage.name())));
            }
        }
        Ok(())
    });
}
