//! Runs every design of the crate through the conformance tests.

use raywalk_linked_list as designs;

raywalk_conformance::conformance!(pointer: super::designs::Pointer);
raywalk_conformance::conformance!(index32: super::designs::Index32);
raywalk_conformance::conformance!(index32_packed: super::designs::Index32Packed);
raywalk_conformance::conformance!(index16: super::designs::Index16);
raywalk_conformance::conformance!(index16_no_move: super::designs::Index16NoMove);
raywalk_conformance::conformance!(index16_branch: super::designs::Index16Branch);
raywalk_conformance::conformance!(select: super::designs::Select);
raywalk_conformance::conformance!(index32_wide: super::designs::Index32Wide);
raywalk_conformance::conformance!(index32_captured: super::designs::Index32Captured);
raywalk_conformance::conformance!(index32_scored: super::designs::Index32Scored);
raywalk_conformance::conformance!(index32_score_lookup: super::designs::Index32ScoreLookup);
raywalk_conformance::conformance!(index32_streamed: super::designs::Index32Streamed);
raywalk_conformance::conformance!(index32_two_lists: super::designs::Index32TwoLists);
raywalk_conformance::conformance!(end_zero: super::designs::EndZero);
raywalk_conformance::conformance!(end_minus_one: super::designs::EndMinusOne);
raywalk_conformance::conformance!(end_origin: super::designs::EndOrigin);
raywalk_conformance::conformance!(end_count: super::designs::EndCount);
raywalk_conformance::conformance!(implicit_next: super::designs::ImplicitNext);
raywalk_conformance::conformance!(sherwin: super::designs::Sherwin);
raywalk_conformance::conformance!(legal: super::designs::Legal);
