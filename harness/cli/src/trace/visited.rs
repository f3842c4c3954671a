//! The squares that a generator must look at, whatever its design.

use raywalk_core::{Kind, Position};

/// Number of squares that the pieces of the side to move look at, pawns excluded: a slider every square of
/// its rays up to and including the first piece, a knight or king every square it could step to. Squares that
/// several pieces look at count several times.
///
/// With `sliders_only`, knights and kings are excluded too.
///
/// It is counted on the position itself, so that every design is divided by the same number.
pub(crate) fn squares(position: &Position, sliders_only: bool) -> u64 {
    let own = position.pieces().filter(|(_, piece)| piece.color == position.side());
    let looks = |kind: Kind| kind.is_slider() || !sliders_only && kind != Kind::Pawn;
    let mut visited = 0;
    for (from, piece) in own.filter(|(_, piece)| looks(piece.kind)) {
        for &(files, ranks) in piece.kind.steps() {
            let mut square = from;
            while let Some(next) = square.offset(files, ranks) {
                visited += 1;
                if !piece.kind.is_slider() || position.piece_at(next).is_some() {
                    break;
                }
                square = next;
            }
        }
    }
    visited
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_counted_up_to_the_first_piece() {
        let count = |fen: &str| squares(&fen.parse().expect(fen), false);
        // By hand: knights 6, bishops 4, rooks 4, queen 5, king 5.
        assert_eq!(count(Position::START), 24);
        // A queen on d4 reaches 27 squares, a king on h1 three.
        assert_eq!(count("k7/8/8/8/3Q4/8/8/7K w - - 0 1"), 30);
        // The pawn on d6 ends a ray at its second square, which loses two; pawns themselves do not count.
        assert_eq!(count("k7/8/3p4/8/3Q4/8/P7/7K w - - 0 1"), 28);
        assert_eq!(count("k7/8/3p4/8/3Q4/8/P7/7K b - - 0 1"), 3);
        // Bishops 4, rooks 4, queen 5.
        assert_eq!(squares(&Position::default(), true), 13);
    }
}
