//! Runs the conformance kit on every design of this crate.

use raywalk_conformance::conformance;

conformance!(array_2d: raywalk_mailbox::Array2d);
conformance!(unguarded_8x8: raywalk_mailbox::Unguarded8x8);
conformance!(two_arrays: raywalk_mailbox::TwoArraysAsWritten);
conformance!(two_arrays_bytes: raywalk_mailbox::TwoArraysBytes);
conformance!(two_arrays_120: raywalk_mailbox::TwoArraysIn120);
conformance!(two_boards: raywalk_mailbox::TwoBoards);
conformance!(tscp: raywalk_mailbox::Tscp);
conformance!(embedded_10x12: raywalk_mailbox::Embedded10x12);
conformance!(unrolled_10x12: raywalk_mailbox::Unrolled10x12);
conformance!(staged_10x12: raywalk_mailbox::Staged10x12);
conformance!(board_0x88: raywalk_mailbox::Board0x88);
conformance!(embedded_15x12: raywalk_mailbox::Embedded15x12);
conformance!(embedded_16x12: raywalk_mailbox::Embedded16x12);
conformance!(with_board_scan: raywalk_mailbox::WithBoardScan);
conformance!(with_index_ranges: raywalk_mailbox::WithIndexRanges);
conformance!(with_linked_list: raywalk_mailbox::WithLinkedList);
conformance!(with_flat_list: raywalk_mailbox::WithFlatList);
conformance!(with_bitboard_sets: raywalk_mailbox::WithBitboardSets);
conformance!(with_bitboard_checks: raywalk_mailbox::WithBitboardChecks);
conformance!(with_gambiet_code: raywalk_mailbox::WithGambietCode);
conformance!(with_shift_code: raywalk_mailbox::WithShiftCode);
conformance!(with_diep_code: raywalk_mailbox::WithDiepCode);
conformance!(with_typed_pawns: raywalk_mailbox::WithTypedPawns);
conformance!(with_reul_flags: raywalk_mailbox::WithReulFlags);
conformance!(moves_21: raywalk_mailbox::WithMoves21);
conformance!(move_objects: raywalk_mailbox::WithMoveObjects);
conformance!(moves_32: raywalk_mailbox::WithMoves32);
conformance!(captured_moves: raywalk_mailbox::WithCapturedMoves);
conformance!(scored_moves: raywalk_mailbox::WithScoredMoves);
conformance!(streamed_moves: raywalk_mailbox::WithStreamedMoves);
conformance!(ply_lists: raywalk_mailbox::WithPlyLists);
conformance!(ply_stack: raywalk_mailbox::WithPlyStack);
conformance!(two_lists: raywalk_mailbox::WithTwoLists);
conformance!(pawn_writers: raywalk_mailbox::PawnWriters);
