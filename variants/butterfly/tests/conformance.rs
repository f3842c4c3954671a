//! Runs the conformance kit on every design of this crate.

raywalk_conformance::conformance!(i16: raywalk_butterfly::I16);
raywalk_conformance::conformance!(i16_split: raywalk_butterfly::I16Split);
raywalk_conformance::conformance!(u8: raywalk_butterfly::U8);
raywalk_conformance::conformance!(u8_split: raywalk_butterfly::U8Split);
raywalk_conformance::conformance!(gnu_captures: raywalk_butterfly::GnuCaptures);
raywalk_conformance::conformance!(colour_board: raywalk_butterfly::ColourBoard);
raywalk_conformance::conformance!(u8_used_kinds: raywalk_butterfly::U8UsedKinds);
raywalk_conformance::conformance!(half_board: raywalk_butterfly::HalfBoard);
raywalk_conformance::conformance!(branch_free: raywalk_butterfly::BranchFree);
raywalk_conformance::conformance!(half_board_branch_free: raywalk_butterfly::HalfBoardBranchFree);
