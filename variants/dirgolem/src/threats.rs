//! Phase one: what the other side attacks, who is pinned, who gives check.

use raywalk_core::set_wise::{Fill, TargetSets, View, step};

/// What the own king has to fear.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threats {
    /// Squares that the other side attacks, seen through the own king: he cannot step back along
    /// the ray that checks him.
    pub danger: u64,
    /// The in-between sets by line: of a line on which an enemy slider and the own king face each
    /// other, all squares between if they are empty (check), the one piece between if there is one
    /// (pinned, if it is an own piece), and nothing if there are more.
    pub between: Lines,
    /// Squares that resolve a check, if there is one: the piece who gives it and the squares between.
    /// All squares without a check, none in double check.
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
    /// All four. The lines have only the king in common, so the sets are disjoint.
    #[inline(always)]
    pub(crate) const fn all(&self) -> u64 {
        self.horizontal | self.vertical | self.diagonal | self.antidiagonal
    }
}

impl Threats {
    /// Sixteen fills: in each direction the enemy's sliders, and towards them the own king.
    #[inline(always)]
    pub(crate) fn new<F: Fill>(view: &View) -> Threats {
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

        // The king's rays, each against the direction that it is to meet.
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

        let checkers = (to_north | to_east | to_south | to_west) & straight
            | (to_north_east | to_north_west | to_south_west | to_south_east) & diagonal
            | leaps(king) & knights
            | (step::<1, 1>(king) | step::<-1, 1>(king)) & pawns;
        let several = checkers & checkers.wrapping_sub(1);
        let resolves = checkers | between.all() & !occupied | ones_if_empty(danger & king);
        Threats { danger, between, evasion: resolves & ones_if_empty(several) }
    }

    /// The square of en passant if taking there leaves no check, or none. Ours: the source takes
    /// for granted that the square is recorded only if the capture is legal.
    ///
    /// What a pinned pawn may do, the pawn sets say as for any capture. Left to ask are three
    /// things. Two pawns leave the king's rank at once, which no in-between set can know; if two
    /// pawns can capture, the one that stays still covers, so it is enough to take away the first.
    /// The captured pawn may be the only piece on one of the king's diagonals; on his file it cannot
    /// matter, as the capturing pawn arrives on the same file. And in check, either the captured pawn
    /// gave it or the capturing one has to step between.
    #[inline(always)]
    pub(crate) fn legal_en_passant<F: Fill>(&self, view: &View) -> u64 {
        let arrives = view.en_passant;
        let victim = step::<0, -1>(arrives);
        let able = view.own & view.pawns & (step::<1, -1>(arrives) | step::<-1, -1>(arrives));
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

/// All ones if the set is empty, or nothing: a condition as a mask.
///
/// The source shifts the sign of `set - 1` through the word. That is right for sets of one square
/// only, and on h8 only if the subtraction may wrap. A comparison with one borrows just if the set is
/// empty, and two instructions spread the borrow.
#[inline(always)]
pub(crate) const fn ones_if_empty(set: u64) -> u64 {
    0u64.wrapping_sub((set == 0) as u64)
}

/// Squares that knights attack.
#[inline(always)]
fn leaps(knights: u64) -> u64 {
    TargetSets::leaps(knights, !0).into_iter().fold(0, |all, set| all | set)
}

/// Squares around a king.
#[inline(always)]
fn neighbours(king: u64) -> u64 {
    let row = step::<1, 0>(king) | step::<-1, 0>(king);
    let three = row | king;
    row | step::<0, 1>(three) | step::<0, -1>(three)
}
