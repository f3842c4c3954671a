//! Legal moves, piece by piece.
//!
//! The peer of the generators that are legal by direction: same sliders, same writing as the
//! pseudo-legal designs of this crate, and in front of it a look from the own king.
//!
//! **Source.** What most bitboard engines do; Chess Programming Wiki, *Checks and Pinned Pieces
//! (Bitboards)*. The page's oldest thread on it is *Bitboard of Pinned Pieces*, Computer Chess Club,
//! 24 July 2008.
//!
//! **Method.** Take the enemy sliders that would attack the king if the own pieces were not there. With
//! nobody between, such a slider gives check, and all other pieces must go between or take it; with one
//! own piece between, he is pinned and must stay on the line. Squares between are found by the slider
//! method itself, from both ends, so that no table of pairs of squares is needed. The king goes to
//! squares that no enemy attacks, he himself being off the board, so that he does not shade the
//! square behind him. En passant is tried on the occupied set: it is rare, and two pieces leave at
//! once.
//!
//! **Cost.** Four slider lookups for the king, two for each enemy slider in his sight, two for each
//! square he may go to. In return no move need be taken back.

use raywalk_core::{
    Bitboards, Board, Card, Feature, Generator, Kind, Legality, Move, MoveList, Square, Stage,
    StageId,
};

use crate::hyperbola::{HYPERBOLA, HyperbolaAttacks};
use crate::pawns::{Ahead, FILE_A, FILE_H, LAST_RANKS, behind};
use crate::pext::PextAttacks;
use crate::piecewise::{Attacks, Leapers, each, write};

/// A legal design: the common shape with one method for the sliders.
#[repr(C, align(64))]
pub struct LegalPiecewise<A> {
    leapers: Leapers,
    sliders: A,
}

/// Legal, with hyperbola quintessence.
pub type LegalHyperbola = LegalPiecewise<HyperbolaAttacks>;
/// Legal, with PEXT tables.
pub type LegalPext = LegalPiecewise<PextAttacks>;

/// A slider method with a legal design to its name.
pub trait LegalAttacks: Attacks {
    /// The card of that design.
    const LEGAL: Card;
}

/// What both cards say.
const COMMON: Card = Card {
    author: "Common property of bitboard programs",
    year: Some(2008),
    source: "Chess Programming Wiki, Checks and Pinned Pieces (Bitboards)",
    legality: Legality::Legal,
    published_bytes: None,
    reconstructed: "The year is that of the oldest thread the page lists. The page shows checks \
                    and pins; how they cut the moves of each kind is ours.",
    ..HYPERBOLA
};

impl LegalAttacks for HyperbolaAttacks {
    const LEGAL: Card =
        Card { id: "legal/hyperbola", name: "Legal by pins, hyperbola quintessence", ..COMMON };
}

impl LegalAttacks for PextAttacks {
    const LEGAL: Card =
        Card { id: "legal/pext", name: "Legal by pins, PEXT", needs: Self::CARD.needs, ..COMMON };
}

/// The pieces of a position by what they are to the side to move.
#[derive(Clone, Copy)]
struct Pieces {
    own: u64,
    enemy: u64,
    occupied: u64,
    king: Square,
    /// Enemy rooks and queens.
    straight: u64,
    /// Enemy bishops and queens.
    diagonal: u64,
}

/// What check and pins leave.
struct Freedom {
    /// Squares that resolve every check: all of them without a check, none in double check.
    evasion: u64,
    /// Lines from the king to those who pin along ranks and files, the pinning pieces included.
    straight: u64,
    /// Lines from the king to those who pin along diagonals.
    diagonal: u64,
}

impl<A: Attacks> LegalPiecewise<A> {
    /// Looks from the king.
    #[inline(always)]
    fn freedom(&self, board: &Bitboards, pieces: &Pieces) -> Freedom {
        let king = pieces.king;
        let straight = self.sliders.rook(king, pieces.enemy) & pieces.straight;
        let diagonal = self.sliders.bishop(king, pieces.enemy) & pieces.diagonal;
        let leapers = self.leapers.knight[king.index()] & board.kind(Kind::Knight)
            | pawns_facing(board, king) & board.kind(Kind::Pawn);
        let checker = leapers & pieces.enemy;
        let mut evasion = checker | ones_if_empty(checker);
        let mut pins = [0; 2];
        each(straight, |slider| {
            let between =
                self.sliders.rook(king, slider.bit()) & self.sliders.rook(slider, king.bit());
            judge(between, slider, pieces.own, &mut evasion, &mut pins[0]);
        });
        each(diagonal, |slider| {
            let between =
                self.sliders.bishop(king, slider.bit()) & self.sliders.bishop(slider, king.bit());
            judge(between, slider, pieces.own, &mut evasion, &mut pins[1]);
        });
        Freedom { evasion, straight: pins[0], diagonal: pins[1] }
    }

    /// Whether an enemy attacks the square when these squares are occupied.
    #[inline(always)]
    fn attacked(&self, board: &Bitboards, pieces: &Pieces, square: Square, occupied: u64) -> bool {
        let leapers = self.leapers.knight[square.index()] & board.kind(Kind::Knight)
            | self.leapers.king[square.index()] & board.kind(Kind::King)
            | pawns_facing(board, square) & board.kind(Kind::Pawn);
        let sliders = self.sliders.rook(square, occupied) & pieces.straight
            | self.sliders.bishop(square, occupied) & pieces.diagonal;
        leapers & pieces.enemy | sliders != 0
    }

    /// Pawns as a set, cut by pins. A square of a pin's line is reached from the same line only, so
    /// the lines of all pins of a class can be kept in one set.
    #[inline(always)]
    fn pawns<S: Stage>(
        &self,
        board: &Bitboards,
        pieces: &Pieces,
        free: &Freedom,
        list: &mut MoveList,
    ) {
        let Ahead { single, third_rank } = Ahead::of(board.state().side);
        let pawns = pieces.own & board.kind(Kind::Pawn);
        if S::CAPTURES {
            let takers = pawns & !free.straight;
            let takes = pieces.enemy & free.evasion;
            for (able, step) in [(!FILE_A, single + 63), (!FILE_H, single + 1)] {
                let moved = |set: u64| (set & able).rotate_left(step);
                let targets = cut(takers, free.diagonal, moved) & takes;
                each(targets & !LAST_RANKS, |to| list.push(Move::new(behind(to, step), to)));
                each(targets & LAST_RANKS, |to| list.push_promotions(behind(to, step), to));
            }
            self.en_passant(board, pieces, pawns, list);
        }
        if S::QUIETS {
            let (pushers, empty) = (pawns & !free.diagonal, !pieces.occupied);
            let once = cut(pushers, free.straight, |set| set.rotate_left(single)) & empty;
            let twice = (once & third_rank).rotate_left(single) & empty & free.evasion;
            let once = once & free.evasion;
            each(once & !LAST_RANKS, |to| list.push(Move::new(behind(to, single), to)));
            each(twice, |to| list.push(Move::new(behind(to, 2 * single), to)));
            each(once & LAST_RANKS, |to| list.push_promotions(behind(to, single), to));
        }
    }

    /// Tries each pawn that could take in passing. One branch says that mostly there is no such
    /// square.
    #[inline(always)]
    fn en_passant(&self, board: &Bitboards, pieces: &Pieces, pawns: u64, list: &mut MoveList) {
        let Some(to) = board.state().en_passant else { return };
        // The two squares beside the captured pawn are those from which it is taken.
        let victim = to.bit().rotate_right(Ahead::of(board.state().side).single);
        let able = pawns & ((victim & !FILE_A) >> 1 | (victim & !FILE_H) << 1);
        each(able, |from| {
            let occupied = pieces.occupied ^ from.bit() ^ victim ^ to.bit();
            let left = Pieces { enemy: pieces.enemy ^ victim, ..*pieces };
            let legal = !self.attacked(board, &left, pieces.king, occupied);
            list.push_if(Move::en_passant(from, to), legal);
        });
    }
}

/// The targets of pawns in one direction, with the line of a pin for those who are pinned.
#[inline(always)]
fn cut(pawns: u64, line: u64, moved: impl Fn(u64) -> u64) -> u64 {
    moved(pawns & !line) | moved(pawns & line) & line
}

/// The squares from which enemy pawns attack the square: those that an own pawn there attacks. A
/// rotation around the end of the board leads to a rank without pawns.
#[inline(always)]
fn pawns_facing(board: &Bitboards, square: Square) -> u64 {
    let ahead = square.bit().rotate_left(Ahead::of(board.state().side).single);
    (ahead & !FILE_A) >> 1 | (ahead & !FILE_H) << 1
}

/// Check or pin or neither, by how many own pieces stand between; no branch asks.
#[inline(always)]
fn judge(between: u64, slider: Square, own: u64, evasion: &mut u64, pins: &mut u64) {
    let line = between | slider.bit();
    let shields = between & own;
    let check = ones_if_empty(shields);
    let at_most_one = ones_if_empty(shields & shields.wrapping_sub(1));
    *evasion &= line | !check;
    *pins |= line & at_most_one & !check;
}

/// All ones if the set is empty, or nothing.
#[inline(always)]
const fn ones_if_empty(set: u64) -> u64 {
    0u64.wrapping_sub((set == 0) as u64)
}

/// The line, if the piece on `square` is on it; else all squares.
#[inline(always)]
fn along(line: u64, square: Square) -> u64 {
    line | ones_if_empty(line & square.bit())
}

impl<A: LegalAttacks> Generator for LegalPiecewise<A> {
    const CARD: Card = A::LEGAL;
    type Board = Bitboards;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(LegalPiecewise { leapers: Leapers::build(), sliders: A::build()? }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        let (own, enemy, occupied) = (board.own(), board.enemy(), board.occupied());
        let pieces = Pieces {
            own,
            enemy,
            occupied,
            king: board.king(board.state().side),
            straight: enemy & board.kinds([Kind::Rook, Kind::Queen]),
            diagonal: enemy & board.kinds([Kind::Bishop, Kind::Queen]),
        };
        let free = self.freedom(board, &pieces);
        let wanted = match S::ID {
            StageId::All => !own,
            StageId::Captures => enemy,
            StageId::Quiets => !occupied,
        };
        let target = wanted & free.evasion;

        let pinned = free.straight | free.diagonal;
        if !S::SLIDERS_ONLY {
            self.pawns::<S>(board, &pieces, &free, list);
            each(own & board.kind(Kind::Knight) & !pinned, |from| {
                write(from, self.leapers.knight[from.index()] & target, list);
            });
        }
        // A pinned queen is the piece of her pin: on the other lines she could reach a square of
        // another pin's line, which would not be hers.
        let queens = own & board.kind(Kind::Queen);
        let bishops = own & board.kind(Kind::Bishop) | queens & free.diagonal;
        each(bishops & !free.straight, |from| {
            let line = along(free.diagonal, from);
            write(from, self.sliders.bishop(from, occupied) & target & line, list);
        });
        let rooks = own & board.kind(Kind::Rook) | queens & free.straight;
        each(rooks & !free.diagonal, |from| {
            let line = along(free.straight, from);
            write(from, self.sliders.rook(from, occupied) & target & line, list);
        });
        each(queens & !pinned, |from| {
            write(from, self.sliders.queen(from, occupied) & target, list);
        });
        if S::SLIDERS_ONLY {
            return;
        }
        let without_king = occupied ^ pieces.king.bit();
        each(self.leapers.king[pieces.king.index()] & wanted, |to| {
            let safe = !self.attacked(board, &pieces, to, without_king);
            list.push_if(Move::new(pieces.king, to), safe);
        });
        if S::QUIETS {
            each(board.castling(), |to| list.push(Move::castle(pieces.king, to)));
        }
    }

    fn table_bytes(&self) -> usize {
        size_of::<Leapers>() + self.sliders.table_bytes()
    }
}
