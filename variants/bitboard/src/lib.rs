//! Bitboards, piece by piece.
