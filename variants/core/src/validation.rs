//! Validates positions.
//!
//! The code is simple and works on the 64 squares. It uses no table of a generator and no attack
//! test of a board, so that it is independent of the code it protects. The rules are the union of
//! those of cozy-chess, shakmaty and owlchess, with one exception: cozy-chess rejects halfmove clocks
//! above 100, which real games have. None of the three tests whether a game leads to the position, and
//! neither does this module.

use std::fmt;

use crate::castling::EACH_RIGHT;
use crate::{Castling, CastlingRights, Color, Kind, Piece, Position, Square, State};

/// The six fields of FEN, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The pieces, from a8 to h1.
    Board,
    /// `w` or `b`.
    SideToMove,
    /// `-` or letters of `KQkq`.
    CastlingRights,
    /// `-` or the square that a pawn has just passed over.
    EnPassant,
    /// Plies since the last capture or pawn move.
    HalfmoveClock,
    /// Number of the current move, from 1.
    FullmoveNumber,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Field::Board => "board",
            Field::SideToMove => "side to move",
            Field::CastlingRights => "castling rights",
            Field::EnPassant => "en passant square",
            Field::HalfmoveClock => "halfmove clock",
            Field::FullmoveNumber => "fullmove number",
        })
    }
}

/// Pieces and state that do not form a possible position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {why}")]
pub struct Impossible {
    /// The FEN field that is wrong.
    pub field: Field,
    /// The reason, without the name of the field.
    pub why: String,
}

type Pieces = [Option<Piece>; 64];

impl Position {
    /// Validates pieces (a1 to h8) and state.
    ///
    /// # Errors
    /// [`Impossible`] names the wrong FEN field and the reason.
    pub fn new(pieces: [Option<Piece>; 64], state: State) -> Result<Position, Impossible> {
        let position = Position::trusted(pieces, state);
        check(&position)?;
        Ok(position)
    }
}

/// Validates the pieces first and then the state, in the order of the FEN fields.
fn check(position: &Position) -> Result<(), Impossible> {
    for color in Color::ALL {
        army(position, color)?;
    }
    kings(position)?;
    rights(position)?;
    match position.state().en_passant {
        None => checks(position)?,
        Some(passed) => en_passant(position, passed)?,
    }
    counters(position)
}

/// Rejects pieces that cannot result from the start position with eight pawns to promote.
fn army(position: &Position, color: Color) -> Result<(), Impossible> {
    let wrong = |why| Err(impossible(Field::Board, why));
    let pieces: Vec<(Square, Kind)> = position
        .pieces()
        .filter(|(_, piece)| piece.color == color)
        .map(|(square, piece)| (square, piece.kind))
        .collect();
    let count = |kind| pieces.iter().filter(|(_, k)| *k == kind).count();
    let bishops =
        |shade| pieces.iter().filter(|(s, k)| *k == Kind::Bishop && shade_of(*s) == shade).count();

    let kings = count(Kind::King);
    if kings != 1 {
        return wrong(format!("{color:?} has {kings} kings instead of 1"));
    }
    if pieces.len() > 16 {
        return wrong(format!("{color:?} has {} pieces, more than 16", pieces.len()));
    }
    let pawns = count(Kind::Pawn);
    if pawns > 8 {
        return wrong(format!("{color:?} has {pawns} pawns, more than 8"));
    }
    let at_the_end = |&&(square, kind): &&(Square, Kind)| {
        kind == Kind::Pawn && (square.rank() == 0 || square.rank() == 7)
    };
    if let Some((square, _)) = pieces.iter().find(at_the_end) {
        return wrong(format!("a pawn cannot stand on {square}"));
    }
    // A bishop never changes the colour of its squares, so a second one on a colour is promoted.
    let promoted = count(Kind::Queen).saturating_sub(1)
        + count(Kind::Rook).saturating_sub(2)
        + count(Kind::Knight).saturating_sub(2)
        + bishops(Shade::Dark).saturating_sub(1)
        + bishops(Shade::Light).saturating_sub(1);
    let needed = pawns + promoted;
    if needed > 8 {
        return wrong(format!(
            "{color:?} needs {needed} pawns for its pawns and promoted pieces, more than 8"
        ));
    }
    Ok(())
}

#[derive(PartialEq)]
enum Shade {
    Dark,
    Light,
}

/// The colour of a square; a1 is dark.
fn shade_of(square: Square) -> Shade {
    if (square.file() + square.rank()).is_multiple_of(2) { Shade::Dark } else { Shade::Light }
}

/// Rejects adjacent kings, and check against the side that is not to move.
fn kings(position: &Position) -> Result<(), Impossible> {
    let [white, black] = Color::ALL.map(|color| position.king(color));
    if white.file().abs_diff(black.file()) <= 1 && white.rank().abs_diff(black.rank()) <= 1 {
        let why = format!("the kings on {white} and {black} touch");
        return Err(impossible(Field::Board, why));
    }
    let side = position.side();
    match attackers(position.squares(), position.king(!side), side).first() {
        None => Ok(()),
        Some(from) => {
            let why = format!("{:?} is in check from {from}, but {side:?} is to move", !side);
            Err(impossible(Field::SideToMove, why))
        }
    }
}

/// Rejects castling rights without king and rook on their home squares.
fn rights(position: &Position) -> Result<(), Impossible> {
    for (letter, color, wing) in EACH_RIGHT {
        let Castling { king_from, rook_from, .. } = Castling::of(color, wing);
        let at_home = position.piece_at(king_from) == Some(Piece::new(color, Kind::King))
            && position.piece_at(rook_from) == Some(Piece::new(color, Kind::Rook));
        if position.state().rights.contains(CastlingRights::one(color, wing)) && !at_home {
            let side = adjective(color);
            let why = format!(
                "{letter} needs the {side} king on {king_from} and a {side} rook on {rook_from}"
            );
            return Err(impossible(Field::CastlingRights, why));
        }
    }
    Ok(())
}

/// Rejects checks that no single move can give: a move gives at most two checks, on two lines, at
/// most one of them by a leaper.
fn checks(position: &Position) -> Result<(), Impossible> {
    let wrong = |why| Err(impossible(Field::Board, why));
    let side = position.side();
    let king = position.king(side);
    match attackers(position.squares(), king, !side)[..] {
        [] | [_] => Ok(()),
        [a, b] if aligned(a, king, b) => {
            wrong(format!("no move gives check from {a} and {b}, on one line through the king"))
        }
        [a, b] if !(slides(position, a) || slides(position, b)) => {
            wrong(format!("no move gives check from {a} and {b}, both without a line to uncover"))
        }
        [_, _] => Ok(()),
        ref more => wrong(format!("{side:?} is in check from {} pieces, more than 2", more.len())),
    }
}

/// Rejects an en passant square that no double push has just passed, and checks that the double
/// push cannot have given.
fn en_passant(position: &Position, passed: Square) -> Result<(), Impossible> {
    let wrong = |why| Err(impossible(Field::EnPassant, why));
    let (side, pieces) = (position.side(), position.squares());
    let (rank, forward) = match side {
        Color::White => (5, -1),
        Color::Black => (2, 1),
    };
    let (Some(from), Some(to), true) =
        (passed.offset(0, -forward), passed.offset(0, forward), passed.rank() == rank)
    else {
        return wrong(format!("{passed} is not on rank {}, with {side:?} to move", rank + 1));
    };
    let pawn = Some(Piece::new(!side, Kind::Pawn));
    if pieces[to.index()] != pawn {
        return wrong(format!("{passed} needs a {} pawn on {to}", adjective(!side)));
    }
    if let Some(square) = [passed, from].into_iter().find(|square| pieces[square.index()].is_some())
    {
        return wrong(format!("{square} is not empty, so no pawn has just come to {to}"));
    }

    let king = position.king(side);
    let checker = match attackers(pieces, king, !side)[..] {
        [] => return Ok(()),
        [checker] => checker,
        ref all => {
            return wrong(format!("the push to {to} cannot have given {} checks", all.len()));
        }
    };
    if checker == to {
        return Ok(());
    }
    // The push must have uncovered the check, so there was no check before it. The attack of the
    // pawn from its home square is ignored, because none of the three libraries tests it.
    let mut before = *pieces;
    before.swap(from.index(), to.index());
    match attackers(&before, king, !side).into_iter().find(|&square| square != from) {
        None => Ok(()),
        Some(earlier) => {
            wrong(format!("{side:?} was in check from {earlier} before the push to {to}"))
        }
    }
}

/// The largest halfmove clock. Published games exceed the 100 plies of the fifty-move rule, because a
/// draw has to be claimed. Today a game ends at 150 plies; earlier rules allowed 100 moves (200 plies)
/// in some endings.
const MAX_HALFMOVE: u16 = 255;

/// Rejects clocks that no game reaches and move numbers of 0.
fn counters(position: &Position) -> Result<(), Impossible> {
    let state = position.state();
    if state.halfmove > MAX_HALFMOVE {
        let why = format!("{} is more than {MAX_HALFMOVE} plies", state.halfmove);
        return Err(impossible(Field::HalfmoveClock, why));
    }
    if state.fullmove == 0 {
        return Err(impossible(
            Field::FullmoveNumber,
            "0, but moves are counted from 1".to_owned(),
        ));
    }
    Ok(())
}

/// The squares of the pieces of `by` that attack `target`, a1 to h8.
fn attackers(pieces: &Pieces, target: Square, by: Color) -> Vec<Square> {
    let attacks = |&from: &Square| {
        pieces[from.index()]
            .is_some_and(|piece| piece.color == by && attacks(pieces, from, piece, target))
    };
    Square::all().filter(attacks).collect()
}

/// Whether the piece on `from` attacks `target`.
fn attacks(pieces: &Pieces, from: Square, piece: Piece, target: Square) -> bool {
    let forward = match piece.color {
        Color::White => 1,
        Color::Black => -1,
    };
    let pawn_steps = [(-1, forward), (1, forward)];
    let steps = if piece.kind == Kind::Pawn { &pawn_steps } else { piece.kind.steps() };
    steps.iter().any(|&(files, ranks)| {
        let mut next = from.offset(files, ranks);
        while let Some(square) = next {
            if square == target {
                return true;
            }
            if !piece.kind.is_slider() || pieces[square.index()].is_some() {
                return false;
            }
            next = square.offset(files, ranks);
        }
        false
    })
}

fn slides(position: &Position, square: Square) -> bool {
    position.piece_at(square).is_some_and(|piece| piece.kind.is_slider())
}

/// Whether the three squares lie on one rank, file or diagonal.
fn aligned(a: Square, b: Square, c: Square) -> bool {
    type Line = fn(i8, i8) -> i8;
    let lines: [Line; 4] =
        [|file, _| file, |_, rank| rank, |file, rank| file - rank, |file, rank| file + rank];
    lines.iter().any(|line| {
        let of = |square: Square| line(square.file() as i8, square.rank() as i8);
        of(a) == of(b) && of(b) == of(c)
    })
}

fn adjective(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn impossible(field: Field, why: String) -> Impossible {
    Impossible { field, why }
}
