//! The first phase: finds the attacks of the enemy, the pinned pieces and the checks.

use raywalk_core::bitboards::sets::ones_if_empty;
use raywalk_core::set_wise::{TargetSets, View, step};
use raywalk_core::stay_a_branch;

use crate::Named;

/// The threats to the own king.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threats {
    /// Squares that the enemy attacks if the own king is taken off the board. It may not step back
    /// along the ray of a checking slider.
    pub danger: u64,
    /// The in-between sets by line. On a line where an enemy slider and the own king face each
    /// other, the set holds all squares between if they are empty (check), the piece between if
    /// there is one (pinned, if it is an own piece), and nothing if there are more.
    pub between: Lines,
    /// Squares that resolve a check: the checking piece and the squares between. All squares
    /// without a check, none in double check.
    pub evasion: u64,
}

/// One set per line through the king.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    pub horizontal: u64,
    pub vertical: u64,
    pub diagonal: u64,
    pub antidiagonal: u64,
}

impl Lines {
    /// The union of all four sets. The lines share the king's square only, so the sets are
    /// disjoint.
    #[inline(always)]
    pub(crate) const fn all(&self) -> u64 {
        self.horizontal | self.vertical | self.diagonal | self.antidiagonal
    }
}

impl Threats {
    /// Makes sixteen fills: in each direction one from the enemy's sliders and one from the own
    /// king.
    #[inline(always)]
    pub(crate) fn new<F: Named>(view: &View) -> Threats {
        let (own, enemy, occupied) = (view.own, view.enemy, view.occupied());
        let king = own & view.kings;
        let without_king = occupied ^ king;

        let straight = enemy & view.straight;
        let north = F::attacks::<0, 1>(straight, without_king);
        let east = F::attacks::<1, 0>(straight, without_king);
        let south = F::attacks::<0, -1>(straight, without_king);
        let west = F::attacks::<-1, 0>(straight, without_king);
        let diagonal = enemy & view.diagonal;
        let north_east = F::attacks::<1, 1>(diagonal, without_king);
        let north_west = F::attacks::<-1, 1>(diagonal, without_king);
        let south_west = F::attacks::<-1, -1>(diagonal, without_king);
        let south_east = F::attacks::<1, -1>(diagonal, without_king);

        // The king's rays. Each meets the enemy's fill of the opposite direction.
        let to_north = F::attacks::<0, 1>(king, occupied);
        let to_east = F::attacks::<1, 0>(king, occupied);
        let to_south = F::attacks::<0, -1>(king, occupied);
        let to_west = F::attacks::<-1, 0>(king, occupied);
        let to_north_east = F::attacks::<1, 1>(king, occupied);
        let to_north_west = F::attacks::<-1, 1>(king, occupied);
        let to_south_west = F::attacks::<-1, -1>(king, occupied);
        let to_south_east = F::attacks::<1, -1>(king, occupied);

        let between = Lines {
            horizontal: east & to_west | west & to_east,
            vertical: north & to_south | south & to_north,
            diagonal: north_east & to_south_west | south_west & to_north_east,
            antidiagonal: north_west & to_south_east | south_east & to_north_west,
        };

        let pawns = enemy & view.pawns;
        let knights = enemy & view.knights;
        let danger = (north | east | south | west)
            | (north_east | north_west | south_west | south_east)
            | (step::<1, -1>(pawns) | step::<-1, -1>(pawns))
            | leaps(knights)
            | neighbours(enemy & view.kings);

        if F::ASKS && danger & king == 0 {
            stay_a_branch();
            return Threats { danger, between, evasion: !0 };
        }
        let checkers = (to_north | to_east | to_south | to_west) & straight
            | (to_north_east | to_north_west | to_south_west | to_south_east) & diagonal
            | leaps(king) & knights
            | (step::<1, 1>(king) | step::<-1, 1>(king)) & pawns;
        // Not empty for two or more checkers: the lowest bit is removed.
        let several = checkers & checkers.wrapping_sub(1);
        let resolves = checkers | between.all() & !occupied | ones_if_empty(danger & king);
        Threats { danger, between, evasion: resolves & ones_if_empty(several) }
    }

    /// The en passant square if the capture leaves no check, else the empty set. Ours: the source
    /// assumes that the square is recorded only if the capture is legal.
    ///
    /// Pins of the capturing pawn are handled with the pawn sets, as for any capture. Three cases
    /// remain:
    ///
    /// * Two pawns leave the king's rank at once, which no in-between set shows. If two pawns can
    ///   capture, the other one still covers the king, so removing the first is enough.
    /// * The captured pawn may be the only piece between on one of the king's diagonals. On the
    ///   king's file it does not matter, because the capturing pawn arrives on the same file.
    /// * In check, either the captured pawn gives the check or the capturing pawn must block it.
    #[inline(always)]
    pub(crate) fn legal_en_passant<F: Named>(&self, view: &View) -> u64 {
        if F::ASKS && view.en_passant == 0 {
            stay_a_branch();
            return 0;
        }
        let arrives = view.en_passant;
        let victim = step::<0, -1>(arrives);
        let able = view.own & view.pawns & (step::<1, -1>(arrives) | step::<-1, -1>(arrives));
        // The lowest bit: one of at most two pawns.
        let leaves = able & able.wrapping_neg();
        let king = view.own & view.kings;
        let after = view.occupied() & !(victim | leaves) | arrives;
        let rank = F::attacks::<1, 0>(king, after) | F::attacks::<-1, 0>(king, after);
        let exposed = rank & view.enemy & view.straight
            | victim & (self.between.diagonal | self.between.antidiagonal);
        let resolves = self.evasion & (arrives | victim);
        arrives & ones_if_empty(exposed) & !ones_if_empty(resolves)
    }
}

/// Squares that knights attack.
#[inline(always)]
fn leaps(knights: u64) -> u64 {
    TargetSets::leaps(knights, !0).into_iter().fold(0, |all, set| all | set)
}

/// Squares next to a king.
#[inline(always)]
fn neighbours(king: u64) -> u64 {
    let row = step::<1, 0>(king) | step::<-1, 0>(king);
    let three = row | king;
    row | step::<0, 1>(three) | step::<0, -1>(three)
}
