//! The 32-byte record of a position in a cache file.
//!
//! | bytes | content |
//! | --- | --- |
//! | 0–7 | set of occupied squares, little-endian |
//! | 8–23 | the pieces on them from a1 to h8, four bits each, low half first: kind, plus 8 for Black |
//! | 24 | castling rights (bits 0–3), Black to move (4), in check (5), part (6–7) |
//! | 25 | en passant square, 255 for none |
//! | 26–27, 28–29 | halfmove clock and move number, little-endian |
//! | 30, 31 | number of legal moves and of captures |

use raywalk_core::{CastlingRights, Color, Kind, Piece, Position, Square, State, squares_of};

use crate::sample::Sample;

/// Size of a record in bytes.
pub(crate) const BYTES: usize = 32;

/// A sample as packed bytes.
pub(crate) type Record = [u8; BYTES];

/// The bytes of a record that affect move generation: pieces, side to move, rights and en passant
/// square. Used as a key to find repeated positions.
pub(crate) type Seen = [u8; 26];

const NO_SQUARE: u8 = 255;

/// Packs a sample. A record holds 32 pieces, the maximum of a legal game; any beyond are dropped.
pub(crate) fn pack(sample: &Sample) -> Record {
    let state = sample.position.state();
    let (mut record, mut occupied) = ([0; BYTES], 0);
    for (n, (square, piece)) in sample.position.pieces().take(32).enumerate() {
        occupied |= square.bit();
        record[8 + n / 2] |= nibble(piece) << (4 * (n % 2));
    }
    record[..8].copy_from_slice(&u64::to_le_bytes(occupied));
    // Bits 0 to 3: rights; 4: side; 5: check; 6 and 7: part.
    record[24] = state.rights.bits()
        | (state.side as u8) << 4
        | u8::from(sample.check) << 5
        | (sample.part & 3) << 6;
    record[25] = state.en_passant.map_or(NO_SQUARE, Square::number);
    record[26..28].copy_from_slice(&state.halfmove.to_le_bytes());
    record[28..30].copy_from_slice(&state.fullmove.to_le_bytes());
    record[30] = sample.legal;
    record[31] = sample.captures;
    record
}

/// Unpacks a record, or returns `None` if the bytes are not a valid record.
///
/// A position is valid if each side has one king and no pawn is on the first or last rank; boards
/// rely on both. [`Position::new`] checks more and would reject pieces placed at random: eleven
/// sliders and eight pawns cannot arise in a game.
pub(crate) fn unpack(record: &Record) -> Option<Sample> {
    let occupied = u64::from_le_bytes(record[..8].try_into().ok()?);
    if occupied.count_ones() > 32 {
        return None;
    }
    let (mut pieces, mut kings) = ([None; 64], [0; 2]);
    for (n, square) in squares_of(occupied).enumerate() {
        let piece = piece(record[8 + n / 2] >> (4 * (n % 2)) & 15)?;
        let outer = square.rank() == 0 || square.rank() == 7;
        if piece.kind == Kind::Pawn && outer {
            return None;
        }
        kings[piece.color.index()] += u32::from(piece.kind == Kind::King);
        pieces[square.index()] = Some(piece);
    }
    if kings != [1, 1] {
        return None;
    }
    let en_passant = match record[25] {
        NO_SQUARE => None,
        number => Some(Square::try_new(number)?),
    };
    let state = State {
        side: if record[24] & 16 == 0 { Color::White } else { Color::Black },
        // Reads the low four bits only.
        rights: CastlingRights::from_bits(record[24]),
        en_passant,
        halfmove: u16::from_le_bytes([record[26], record[27]]),
        fullmove: u16::from_le_bytes([record[28], record[29]]),
    };
    Some(Sample {
        position: Position::trusted(pieces, state),
        legal: record[30],
        captures: record[31],
        check: record[24] & 32 != 0,
        part: record[24] >> 6,
    })
}

/// The part of a sample's position that affects move generation.
pub(crate) fn seen(sample: &Sample) -> Seen {
    let record = pack(sample);
    let mut seen = [0; 26];
    seen.copy_from_slice(&record[..26]);
    seen[24] &= 31; // keeps rights and side; check and part are not part of the position
    seen
}

/// The same without the en passant square. A corpus keeps one of several positions with equal keys.
pub(crate) fn placed(sample: &Sample) -> Seen {
    let mut placed = seen(sample);
    placed[25] = NO_SQUARE;
    placed
}

fn nibble(piece: Piece) -> u8 {
    piece.kind as u8 | (piece.color as u8) << 3
}

fn piece(nibble: u8) -> Option<Piece> {
    let kind = *Kind::ALL.get(usize::from(nibble & 7))?;
    Some(Piece::new(if nibble & 8 == 0 { Color::White } else { Color::Black }, kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts;

    #[test]
    fn packing_and_unpacking_restores_every_bundled_position() {
        for fact in facts::perft() {
            let board = crate::oracle::board(&fact.position).expect("the oracle accepts all facts");
            let sample = Sample { part: 2, ..Sample::of(&board, 0) };
            assert_eq!(unpack(&pack(&sample)), Some(sample), "{}", fact.fen);
        }
    }

    proptest::proptest! {
        #[test]
        fn unpacking_never_panics(record in proptest::array::uniform32(0u8..)) {
            let _ = unpack(&record);
        }
    }
}
