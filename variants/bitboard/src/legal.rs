//! Legal moves, piece by piece.
//!
//! These designs are the counterpart of the generators that are legal by direction. Slider methods
//! and move writing are those of the pseudo-legal designs of this crate; checks and pins are found
//! first.
//!
//! **Source.** Common practice of bitboard engines; Chess Programming Wiki, *Checks and Pinned
//! Pieces (Bitboards)*. The oldest thread that the page lists is *Bitboard of Pinned Pieces*,
//! Computer Chess Club, 24 July 2008.
//!
//! **Method.** Find the enemy sliders that would attack the king if the own pieces were not on the
//! board. With nothing between, such a slider gives check, and all other pieces must block or
//! capture it. With one own piece between, that piece is pinned and must stay on the line. The
//! squares between come from the slider method itself, applied from both ends, so no table of
//! square pairs is needed. The king moves to squares that no enemy attacks. For this test the king
//! is taken off the board, so that it does not shield the square behind it. En passant is tried on
//! the occupied set, because it is rare and removes two pieces from their squares at once.
//!
//! **Cost.** Four slider look-ups for the king, two for each enemy slider that faces it, two for
//! each square it may move to. In return no move has to be taken back.
//!
//! **Counting.** The same code finds the sets of targets for a list and for a counter, which adds
//! their sizes: a population count in place of a loop over targets.

mod children;
mod constants;
mod placement;
mod state;
mod view;

use raywalk_core::bitboards::sets::ones_if_empty;
use raywalk_core::{
    All, AttackSets, Attacking, Bitboards, Card, Counting, Feature, Generator, Kind, Legality,
    Move, MoveList, Square, Stage,
};

pub use constants::LegalConstants;
use view::View;

use crate::hyperbola::HyperbolaAttacks;
use crate::pawns::Ahead;
use crate::pext::PextAttacks;
use crate::piecewise::{self, Attacks, Leapers};
use crate::sets::{FILE_A, FILE_H, LAST_RANKS, squares};
use crate::sink::{Counter, Sink};

/// A legal design: this file's generator with one method for the sliders.
#[repr(C, align(64))]
pub struct LegalPiecewise<A> {
    leapers: Leapers,
    sliders: A,
}

/// Legal moves with hyperbola quintessence: 2,560 bytes of slider tables.
pub type LegalHyperbola = LegalPiecewise<HyperbolaAttacks>;
/// Legal moves with PEXT bitboards: 863,232 bytes of slider tables.
pub type LegalPext = LegalPiecewise<PextAttacks>;

/// A slider method that has a legal design.
pub trait LegalAttacks: Attacks<Occupied = u64> {
    /// The card of the legal design.
    const LEGAL_CARD: Card;
}

/// The fields that both cards share.
const COMMON: Card = Card {
    author: "Common property of bitboard programs",
    year: Some(2008),
    source: "Chess Programming Wiki, Checks and Pinned Pieces (Bitboards)",
    legality: Legality::Legal,
    published_bytes: None,
    reconstructed: "The year is that of the oldest thread the page lists. The page shows checks \
                    and pins; how they restrict the moves of each kind of piece is ours.",
    ..HyperbolaAttacks::CARD
};

impl LegalAttacks for HyperbolaAttacks {
    const LEGAL_CARD: Card =
        Card { id: "legal/hyperbola", name: "Legal by pins, hyperbola quintessence", ..COMMON };
}

impl LegalAttacks for PextAttacks {
    const LEGAL_CARD: Card =
        Card { id: "legal/pext", name: "Legal by pins, PEXT", needs: Self::CARD.needs, ..COMMON };
}

/// The sets of pieces that legality depends on, from the view of the side to move.
#[derive(Clone, Copy)]
struct Pieces {
    own: u64,
    enemy: u64,
    occupied: u64,
    /// The square of the own king.
    king: Square,
    /// Enemy rooks and queens.
    enemy_straight: u64,
    /// Enemy bishops and queens.
    enemy_diagonal: u64,
}

/// The restrictions that checks and pins put on all pieces but the king.
struct Restrictions {
    /// Squares that resolve every check: all squares without a check, none in double check.
    evasion: u64,
    /// Lines from the king to the pieces that pin along ranks and files, including those pieces.
    straight_pins: u64,
    /// Lines from the king to the pieces that pin along diagonals, including those pieces.
    diagonal_pins: u64,
}

impl<A: LegalAttacks> LegalPiecewise<A> {
    /// Finds checks and pins by looking from the king.
    #[inline(always)]
    fn restrictions(&self, view: impl View, pieces: &Pieces) -> Restrictions {
        let king = pieces.king;
        // Only enemy pieces block here, so the sets include sliders behind own pieces.
        let straight = self.sliders.rook(king, pieces.enemy) & pieces.enemy_straight;
        let diagonal = self.sliders.bishop(king, pieces.enemy) & pieces.enemy_diagonal;
        let leapers = self.leapers.knight[king.index()] & view.kind(Kind::Knight)
            | pawns_facing(view, king) & view.kind(Kind::Pawn);
        // At most one knight or pawn gives check at a time.
        let checker = leapers & pieces.enemy;
        // Every square, or the checking knight or pawn alone: its check cannot be blocked.
        let mut evasion = checker | ones_if_empty(checker);
        let mut pins = [0; 2];
        for slider in squares(straight) {
            let between =
                self.sliders.rook(king, slider.bit()) & self.sliders.rook(slider, king.bit());
            restrict(between, slider, pieces.own, &mut evasion, &mut pins[0]);
        }
        for slider in squares(diagonal) {
            let between =
                self.sliders.bishop(king, slider.bit()) & self.sliders.bishop(slider, king.bit());
            restrict(between, slider, pieces.own, &mut evasion, &mut pins[1]);
        }
        Restrictions { evasion, straight_pins: pins[0], diagonal_pins: pins[1] }
    }

    /// Whether an enemy attacks `square` if the squares in `occupied` are occupied.
    #[inline(always)]
    fn attacked(&self, view: impl View, pieces: &Pieces, square: Square, occupied: u64) -> bool {
        let leapers = self.leapers.knight[square.index()] & view.kind(Kind::Knight)
            | self.leapers.king[square.index()] & view.kind(Kind::King)
            | pawns_facing(view, square) & view.kind(Kind::Pawn);
        let sliders = self.sliders.rook(square, occupied) & pieces.enemy_straight
            | self.sliders.bishop(square, occupied) & pieces.enemy_diagonal;
        leapers & pieces.enemy | sliders != 0
    }

    /// Whether no enemy attacks one of the squares that a castling king leaves, crosses and enters.
    #[inline(never)]
    fn walks_safely(&self, view: impl View, pieces: &Pieces, squares: [Square; 3]) -> bool {
        squares.into_iter().all(|square| !self.attacked(view, pieces, square, pieces.occupied))
    }

    /// Appends pawn moves, found for all pawns as one set. The lines of all pins of one class can
    /// share a set: in the direction of a pin's line, a square of that line is reached from the
    /// same line only.
    #[inline(always)]
    fn pawns<S: Stage>(
        &self,
        view: impl View,
        pieces: &Pieces,
        restrictions: &Restrictions,
        sink: &mut impl Sink,
    ) {
        let Ahead { single, third_rank } = Ahead::of(view.side());
        let pawns = pieces.own & view.kind(Kind::Pawn);
        if S::CAPTURES {
            let takers = pawns & !restrictions.straight_pins;
            let takes = pieces.enemy & restrictions.evasion;
            for (able, step) in [(!FILE_A, single + 63), (!FILE_H, single + 1)] {
                let moved = |set: u64| (set & able).rotate_left(step);
                let targets = step_under_pins(takers, restrictions.diagonal_pins, moved) & takes;
                sink.pawns(targets & !LAST_RANKS, step);
                sink.promotions(targets & LAST_RANKS, step);
            }
            self.en_passant(view, pieces, pawns, sink);
        }
        if S::QUIETS {
            let pushers = pawns & !restrictions.diagonal_pins;
            let (empty, evasion) = (!pieces.occupied, restrictions.evasion);
            let moved = |set: u64| set.rotate_left(single);
            let once = step_under_pins(pushers, restrictions.straight_pins, moved) & empty;
            // Only the last square of a push must resolve a check, so `once` is cut after `twice`.
            let twice = moved(once & third_rank) & empty & evasion;
            let once = once & evasion;
            sink.pawns(once & !LAST_RANKS, single);
            sink.double_pushes(twice, single);
            sink.promotions(once & LAST_RANKS, single);
        }
    }

    /// Appends the en passant captures that leave the king safe. In most positions there is no en
    /// passant square and the first branch returns.
    #[inline(always)]
    fn en_passant(&self, view: impl View, pieces: &Pieces, pawns: u64, sink: &mut impl Sink) {
        let Some(to) = view.passed() else { return };
        // Pawns that can capture stand beside the captured pawn.
        let victim = to.bit().rotate_right(Ahead::of(view.side()).single);
        let able = pawns & ((victim & !FILE_A) >> 1 | (victim & !FILE_H) << 1);
        for from in squares(able) {
            // Two squares become empty and one is filled.
            let occupied = pieces.occupied ^ from.bit() ^ victim ^ to.bit();
            // The board still has the captured pawn, so it leaves the set of the enemy instead.
            let remaining = Pieces { enemy: pieces.enemy ^ victim, ..*pieces };
            let legal = !self.attacked(view, &remaining, pieces.king, occupied);
            sink.en_passant(from, to, legal);
        }
    }

    /// Finds the moves of stage `S`.
    #[inline(always)]
    fn moves<S: Stage>(&self, view: impl View, sink: &mut impl Sink) {
        let (own, enemy, occupied) = (view.own(), view.enemy(), view.occupied());
        let pieces = Pieces {
            own,
            enemy,
            occupied,
            king: view.king(),
            enemy_straight: enemy & (view.kind(Kind::Rook) | view.kind(Kind::Queen)),
            enemy_diagonal: enemy & (view.kind(Kind::Bishop) | view.kind(Kind::Queen)),
        };
        let restrictions = self.restrictions(view, &pieces);
        let Restrictions { evasion, straight_pins, diagonal_pins } = restrictions;
        let wanted = view.wanted::<S>();
        let target = wanted & evasion;

        let pinned = straight_pins | diagonal_pins;
        if !S::SLIDERS_ONLY {
            self.pawns::<S>(view, &pieces, &restrictions, sink);
            for from in squares(own & view.kind(Kind::Knight) & !pinned) {
                sink.piece(Kind::Knight, from, self.leapers.knight[from.index()] & target);
            }
        }
        // A pinned queen moves as a bishop or as a rook, whichever moves along the line of its pin.
        // As a queen it could reach squares on the line of another pin.
        let queens = own & view.kind(Kind::Queen);
        let bishops = own & view.kind(Kind::Bishop) | queens & diagonal_pins;
        for from in squares(bishops & !straight_pins) {
            let allowed = allowed_by_pins(diagonal_pins, from);
            let kind = if queens & from.bit() != 0 { Kind::Queen } else { Kind::Bishop };
            sink.piece(kind, from, self.sliders.bishop(from, occupied) & target & allowed);
        }
        let rooks = own & view.kind(Kind::Rook) | queens & straight_pins;
        for from in squares(rooks & !diagonal_pins) {
            let allowed = allowed_by_pins(straight_pins, from);
            let kind = if queens & from.bit() != 0 { Kind::Queen } else { Kind::Rook };
            sink.piece(kind, from, self.sliders.rook(from, occupied) & target & allowed);
        }
        for from in squares(queens & !pinned) {
            sink.piece(Kind::Queen, from, self.sliders.queen(from, occupied) & target);
        }
        if S::SLIDERS_ONLY {
            return;
        }
        // Otherwise the king would hide the square behind it from the slider that checks it.
        let without_king = occupied ^ pieces.king.bit();
        // `wanted`, not `target`: the king resolves a check by leaving it.
        for to in squares(self.leapers.king[pieces.king.index()] & wanted) {
            let safe = !self.attacked(view, &pieces, to, without_king);
            sink.king(pieces.king, to, safe);
        }
        if S::QUIETS {
            let safely = |squares| self.walks_safely(view, &pieces, squares);
            sink.castling(pieces.king, view.castling(safely));
        }
    }
}

/// The targets of pawns in one direction. Pinned pawns, those on `line`, must stay on it.
#[inline(always)]
fn step_under_pins(pawns: u64, line: u64, moved: impl Fn(u64) -> u64) -> u64 {
    moved(pawns & !line) | moved(pawns & line) & line
}

/// The squares from which enemy pawns attack `square`, which are those that an own pawn on `square`
/// would attack. If the rotation wraps around the end of the board, it leads to a rank without
/// pawns.
#[inline(always)]
fn pawns_facing(view: impl View, square: Square) -> u64 {
    let ahead = square.bit().rotate_left(Ahead::of(view.side()).single);
    (ahead & !FILE_A) >> 1 | (ahead & !FILE_H) << 1
}

/// Adds the check or the pin of one slider, if any: check with no own piece between, pin with one.
/// Selects by masks, without a branch.
#[inline(always)]
fn restrict(between: u64, slider: Square, own: u64, evasion: &mut u64, pins: &mut u64) {
    let line = between | slider.bit();
    let shields = between & own;
    let check = ones_if_empty(shields);
    // `x & (x - 1)` removes the lowest bit; it wraps for the empty set.
    let at_most_one = ones_if_empty(shields & shields.wrapping_sub(1));
    *evasion &= line | !check;
    *pins |= line & at_most_one & !check;
}

/// The squares that pins leave to the piece on `square`: `line` if it stands there, else all
/// squares.
#[inline(always)]
fn allowed_by_pins(line: u64, square: Square) -> u64 {
    line | ones_if_empty(line & square.bit())
}

impl<A: LegalAttacks> Generator for LegalPiecewise<A> {
    const CARD: Card = A::LEGAL_CARD;
    type Board = Bitboards;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(LegalPiecewise { leapers: Leapers::build(), sliders: A::build()? }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        self.moves::<S>(board, list);
    }

    fn table_bytes(&self) -> usize {
        size_of::<Leapers>() + self.sliders.table_bytes()
    }
}

impl<A: LegalAttacks> Counting for LegalPiecewise<A> {
    #[inline(always)]
    fn count(&self, board: &Bitboards) -> u64 {
        let mut counter = Counter::default();
        self.moves::<All>(board, &mut counter);
        counter.moves()
    }
}

impl<A: LegalAttacks> Attacking for LegalPiecewise<A> {
    #[inline(always)]
    fn attacks_of(&self, board: &Bitboards, square: Square) -> u64 {
        piecewise::attacks_of(&self.leapers, &self.sliders, board, square)
    }

    #[inline(always)]
    fn attacks_of_side(&self, board: &Bitboards, sets: &mut AttackSets) {
        piecewise::attacks_of_side(&self.leapers, &self.sliders, board, sets);
    }
}
