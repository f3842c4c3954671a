//! Runs the conformance kit on every design of this crate.

raywalk_conformance::conformance!(rotated: raywalk_bitboard::Rotated);
raywalk_conformance::conformance!(rotated_inner: raywalk_bitboard::RotatedInner);
raywalk_conformance::conformance!(classical: raywalk_bitboard::Classical);
raywalk_conformance::conformance!(classical_branchy: raywalk_bitboard::ClassicalBranchy);
raywalk_conformance::conformance!(steps: raywalk_bitboard::Steps);
raywalk_conformance::conformance!(o_minus_2r: raywalk_bitboard::OMinus2R);
raywalk_conformance::conformance!(hyperbola: raywalk_bitboard::Hyperbola);
raywalk_conformance::conformance!(hyperbola_reversal: raywalk_bitboard::HyperbolaReversal);
raywalk_conformance::conformance!(hyperbola_dual: raywalk_bitboard::HyperbolaDual);
raywalk_conformance::conformance!(obstruction: raywalk_bitboard::Obstruction);
raywalk_conformance::conformance!(kindergarten: raywalk_bitboard::Kindergarten);
raywalk_conformance::conformance!(kindergarten_512: raywalk_bitboard::Kindergarten512);
raywalk_conformance::conformance!(magic_plain: raywalk_bitboard::PlainMagic);
raywalk_conformance::conformance!(magic: raywalk_bitboard::Magic);
raywalk_conformance::conformance!(magic_fixed: raywalk_bitboard::FixedMagic);
raywalk_conformance::conformance!(magic_black: raywalk_bitboard::BlackMagic);
raywalk_conformance::conformance!(pext: raywalk_bitboard::Pext);
raywalk_conformance::conformance!(pext_pdep: raywalk_bitboard::PextPdep);
raywalk_conformance::conformance!(pawns_one_by_one: raywalk_bitboard::HyperbolaPawnsOneByOne);
raywalk_conformance::conformance!(legal_hyperbola: raywalk_bitboard::LegalHyperbola);
raywalk_conformance::conformance!(legal_pext: raywalk_bitboard::LegalPext);
raywalk_conformance::conformance!(legal_constants: raywalk_bitboard::LegalConstants);
raywalk_conformance::conformance!(captures_then_quiets: raywalk_bitboard::CapturesThenQuiets);
raywalk_conformance::conformance!(two_lists: raywalk_bitboard::TwoLists);
raywalk_conformance::conformance!(skip_ahead: raywalk_bitboard::SkipAhead);
