//! The list of all designs. Tests, benchmarks, report rows and the table in the documentation are made
//! from it; a new design adds one line.
//!
//! It is a crate of its own because it contains an instance of the measuring code for each design, which takes longest
//! to compile. What uses the list is compiled without them.

use raywalk_core::{Board, Card, Entries, Feature, MoveList};
use raywalk_measure::design::{Built, Design};
use raywalk_results::schema::Call;

mod compiled;

pub use compiled::Compiled;

/// A design of the list: its card, its compiled entries and its constructor. Code above the registry does not know
/// the type of a design.
pub struct BuiltIn {
    /// Facts and claims from the source.
    pub card: Card,
    /// Bytes that one board needs.
    pub board_bytes: usize,
    /// Cells of its board, if it has cells.
    pub board_cells: Option<usize>,
    /// Bytes of a move in its list.
    pub move_bytes: usize,
    /// Whether it stores moves by whole vectors.
    pub whole_vectors: bool,
    /// Offset of the length in the move list, in bytes from its beginning.
    pub length_at: usize,
    /// Functions that return the addresses of its compiled entries.
    pub compiled: Compiled,
    /// Whether it offers a call. No table is built to ask.
    pub offers: fn(Call) -> bool,
    /// Builds the tables, or names the CPU feature that the design needs and this machine lacks.
    pub build: fn() -> Result<Box<dyn Design>, Feature>,
}

impl BuiltIn {
    const fn of<G: Entries>() -> BuiltIn {
        BuiltIn {
            card: G::CARD,
            board_bytes: G::Board::BYTES,
            board_cells: G::Board::CELLS,
            move_bytes: size_of::<G::Moves>(),
            whole_vectors: G::WHOLE_VECTORS,
            length_at: MoveList::<G::Moves>::LENGTH_AT,
            compiled: Compiled::of::<G>(),
            offers: Built::<G>::is_offered,
            build: || Ok(Box::new(Built::<G>::build()?)),
        }
    }
}

/// Passes the list of designs to another macro. Each line consists of the id as a Rust name (`/` and
/// `-` become `_`) and the type. The list is a macro because the Callgrind benchmark declares one
/// function per name; [`BUILT_IN`] is made from the types.
#[macro_export]
macro_rules! designs {
    ($list:ident) => {
        $list! {
            mailbox_array_2d: raywalk_mailbox::Array2d;
            mailbox_unguarded_8x8: raywalk_mailbox::Unguarded8x8;
            mailbox_10x12_two_arrays: raywalk_mailbox::TwoArraysAsWritten;
            mailbox_10x12_two_arrays_bytes: raywalk_mailbox::TwoArraysBytes;
            mailbox_10x12_two_arrays_120: raywalk_mailbox::TwoArraysIn120;
            mailbox_10x12_two_arrays_two_boards: raywalk_mailbox::TwoBoards;
            mailbox_tscp: raywalk_mailbox::Tscp;
            mailbox_10x12: raywalk_mailbox::Embedded10x12;
            mailbox_10x12_unrolled: raywalk_mailbox::Unrolled10x12;
            mailbox_10x12_captures_then_quiets: raywalk_mailbox::Staged10x12;
            mailbox_0x88: raywalk_mailbox::Board0x88;
            mailbox_15x12: raywalk_mailbox::Embedded15x12;
            mailbox_16x12: raywalk_mailbox::Embedded16x12;
            mailbox_10x12_scan: raywalk_mailbox::WithBoardScan;
            mailbox_10x12_ranges: raywalk_mailbox::WithIndexRanges;
            mailbox_10x12_linked: raywalk_mailbox::WithLinkedList;
            mailbox_10x12_flat: raywalk_mailbox::WithFlatList;
            mailbox_10x12_bitboard_sets: raywalk_mailbox::WithBitboardSets;
            mailbox_10x12_bitboard_checks: raywalk_mailbox::WithBitboardChecks;
            mailbox_10x12_gambiet: raywalk_mailbox::WithGambietCode;
            mailbox_10x12_shift: raywalk_mailbox::WithShiftCode;
            mailbox_10x12_diep: raywalk_mailbox::WithDiepCode;
            mailbox_10x12_typed_pawns: raywalk_mailbox::WithTypedPawns;
            mailbox_10x12_reul: raywalk_mailbox::WithReulFlags;
            mailbox_10x12_moves_21: raywalk_mailbox::WithMoves21;
            mailbox_10x12_moves_object: raywalk_mailbox::WithMoveObjects;
            mailbox_10x12_moves_32: raywalk_mailbox::WithMoves32;
            mailbox_10x12_moves_captured: raywalk_mailbox::WithCapturedMoves;
            mailbox_10x12_moves_scored: raywalk_mailbox::WithScoredMoves;
            mailbox_10x12_moves_streamed: raywalk_mailbox::WithStreamedMoves;
            mailbox_10x12_ply_lists: raywalk_mailbox::WithPlyLists;
            mailbox_10x12_ply_stack: raywalk_mailbox::WithPlyStack;
            mailbox_10x12_two_lists: raywalk_mailbox::WithTwoLists;
            mailbox_10x12_pawn_writers: raywalk_mailbox::PawnWriters;
            bell_last_square: raywalk_bell::BellLastSquare;
            bell_steps: raywalk_bell::BellSteps;
            bell_empty_first: raywalk_bell::BellEmptyFirst;
            bell_two_boards: raywalk_bell::BellTwoBoards;
            ox88_pair_scan: raywalk_ox88::PairScan;
            reul_blocker_loop: raywalk_reul::BlockerLoop;
            reul_vector_attacks: raywalk_reul::VectorAttacks;
            gambiet_flags: raywalk_gambiet::Flags;
            gambiet_computed: raywalk_gambiet::Computed;
            gambiet_class_table: raywalk_gambiet::Table;
            raylist: raywalk_raylist::RayLoop;
            goulet_bytes: raywalk_goulet::GouletBytes;
            goulet_words: raywalk_goulet::GouletWords;
            goulet_steps: raywalk_goulet::GouletSteps;
            goulet_bytes_by_colour: raywalk_goulet::GouletByColour;
            butterfly_i16: raywalk_butterfly::I16;
            butterfly_i16_split: raywalk_butterfly::I16Split;
            butterfly_u8: raywalk_butterfly::U8;
            butterfly_u8_split: raywalk_butterfly::U8Split;
            butterfly_gnu_captures: raywalk_butterfly::GnuCaptures;
            butterfly_colour_board: raywalk_butterfly::ColourBoard;
            butterfly_u8_used_kinds: raywalk_butterfly::U8UsedKinds;
            butterfly_half_board: raywalk_butterfly::HalfBoard;
            butterfly_branch_free: raywalk_butterfly::BranchFree;
            butterfly_half_board_branch_free: raywalk_butterfly::HalfBoardBranchFree;
            ferret_pointer: raywalk_ferret::Pointer;
            ferret_conditional_write: raywalk_ferret::ConditionalWrite;
            ferret_conditional_write_at_empty: raywalk_ferret::ConditionalWriteAtEmpty;
            ferret_index32: raywalk_ferret::Index32;
            ferret_index16: raywalk_ferret::Index16;
            ferret_end_origin: raywalk_ferret::EndOrigin;
            diep_conditional_write: raywalk_diep::Conditional;
            diep_mixed: raywalk_diep::Mixed;
            diep_branchy_advance: raywalk_diep::ConditionalBranchy;
            diep_branchy: raywalk_diep::AllBranchy;
            diep_register_occupancy: raywalk_diep::RegisterOccupancy;
            linked_list_pointer: raywalk_linked_list::Pointer;
            linked_list_index32: raywalk_linked_list::Index32;
            linked_list_index32_packed: raywalk_linked_list::Index32Packed;
            linked_list_index16: raywalk_linked_list::Index16;
            linked_list_index16_no_move: raywalk_linked_list::Index16NoMove;
            linked_list_index16_branch: raywalk_linked_list::Index16Branch;
            linked_list_select: raywalk_linked_list::Select;
            linked_list_index32_moves_32: raywalk_linked_list::Index32Wide;
            linked_list_index32_captured: raywalk_linked_list::Index32Captured;
            linked_list_index32_scored: raywalk_linked_list::Index32Scored;
            linked_list_index32_score_lookup: raywalk_linked_list::Index32ScoreLookup;
            linked_list_index32_streamed: raywalk_linked_list::Index32Streamed;
            linked_list_index32_two_lists: raywalk_linked_list::Index32TwoLists;
            linked_list_end_zero: raywalk_linked_list::EndZero;
            linked_list_end_minus_one: raywalk_linked_list::EndMinusOne;
            linked_list_end_origin: raywalk_linked_list::EndOrigin;
            linked_list_end_count: raywalk_linked_list::EndCount;
            linked_list_implicit_next: raywalk_linked_list::ImplicitNext;
            linked_list_sherwin: raywalk_linked_list::Sherwin;
            linked_list_legal: raywalk_linked_list::Legal;
            dense_index_u32: raywalk_dense_index::Words32;
            dense_index_u64: raywalk_dense_index::Words64;
            dense_index_one_table: raywalk_dense_index::OneTable;
            dense_index_three_loops: raywalk_dense_index::ThreeLoops;
            dense_index_prefetch: raywalk_dense_index::Prefetch;
            dense_index_select: raywalk_dense_index::Select;
            dense_index_branch: raywalk_dense_index::Branch;
            dense_index_by_index: raywalk_dense_index::ByIndex;
            dense_index_register_occupancy: raywalk_dense_index::RegisterOccupancy;
            dense_index_maintained_occupancy: raywalk_dense_index::MaintainedOccupancy;
            dense_index_lock_step: raywalk_dense_index::LockStep;
            dense_index_lock_step_3: raywalk_dense_index::LockStep3;
            dense_index_lock_step_4: raywalk_dense_index::LockStep4;
            dense_index_fixed_trip: raywalk_dense_index::FixedTrip;
            dense_index_straight_line: raywalk_dense_index::StraightLine;
            dense_index_by_density: raywalk_dense_index::ByDensity;
            bitboard_rotated: raywalk_bitboard::Rotated;
            bitboard_rotated_inner: raywalk_bitboard::RotatedInner;
            bitboard_classical: raywalk_bitboard::Classical;
            bitboard_classical_branchy: raywalk_bitboard::ClassicalBranchy;
            bitboard_steps: raywalk_bitboard::Steps;
            bitboard_o_minus_2r: raywalk_bitboard::OMinus2R;
            bitboard_hyperbola: raywalk_bitboard::Hyperbola;
            bitboard_hyperbola_reversal: raywalk_bitboard::HyperbolaReversal;
            bitboard_hyperbola_dual: raywalk_bitboard::HyperbolaDual;
            bitboard_obstruction_difference: raywalk_bitboard::Obstruction;
            bitboard_kindergarten: raywalk_bitboard::Kindergarten;
            bitboard_kindergarten_512: raywalk_bitboard::Kindergarten512;
            bitboard_magic_plain: raywalk_bitboard::PlainMagic;
            bitboard_magic: raywalk_bitboard::Magic;
            bitboard_pext: raywalk_bitboard::Pext;
            bitboard_pext_pdep: raywalk_bitboard::PextPdep;
            bitboard_magic_fixed: raywalk_bitboard::FixedMagic;
            bitboard_magic_black: raywalk_bitboard::BlackMagic;
            bitboard_pawns_one_by_one: raywalk_bitboard::HyperbolaPawnsOneByOne;
            bitboard_captures_then_quiets: raywalk_bitboard::CapturesThenQuiets;
            bitboard_two_lists: raywalk_bitboard::TwoLists;
            bitboard_skip_ahead: raywalk_bitboard::SkipAhead;
            setwise_dumb7_getter: raywalk_setwise::Dumb7Getter;
            setwise_kogge_stone_getter: raywalk_setwise::KoggeStoneGetter;
            setwise_subtraction_getter: raywalk_setwise::SubtractionGetter;
            setwise_dumb7_ray_run: raywalk_setwise::Dumb7RayRun;
            setwise_kogge_stone_ray_run: raywalk_setwise::KoggeStoneRayRun;
            setwise_kogge_stone_incremental: raywalk_setwise::KoggeStoneIncremental;
            setwise_kogge_stone_staged: raywalk_setwise::KoggeStoneStaged;
            setwise_kogge_stone_delayed: raywalk_setwise::KoggeStoneDelayed;
            setwise_kogge_stone_codes: raywalk_setwise::KoggeStoneCodes;
            setwise_kogge_stone_guarded: raywalk_setwise::KoggeStoneGuarded;
            setwise_kogge_stone_blocker_test: raywalk_setwise::KoggeStoneTested;
            setwise_kogge_stone_untested_run: raywalk_setwise::KoggeStoneUntestedRun;
            setwise_kogge_stone_rolled: raywalk_setwise::KoggeStoneRolled;
            setwise_pawns_one_by_one: raywalk_setwise::KoggeStonePawnsOneByOne;
            legal_hyperbola: raywalk_bitboard::LegalHyperbola;
            legal_pext: raywalk_bitboard::LegalPext;
            legal_pext_constants: raywalk_bitboard::LegalConstants;
            dirgolem_kogge_stone: raywalk_dirgolem::DirGolemKoggeStone;
            dirgolem_kogge_stone_branchy: raywalk_dirgolem::DirGolemBranchy;
            dirgolem_dumb7: raywalk_dirgolem::DirGolemDumb7;
            simd_compress: raywalk_simd::CompressPext;
            simd_compress_obstruction: raywalk_simd::CompressObstruction;
            simd_records: raywalk_simd::Records;
            simd_records_to_memory: raywalk_simd::RecordsToMemory;
            simd_records_shuffle: raywalk_simd::RecordsShuffle;
            simd_byteboard: raywalk_simd::Byteboard;
            simd_legal: raywalk_simd::Legal;
            simd_legal_keyed: raywalk_simd::LegalKeyed;
            simd_legal_shuffle: raywalk_simd::LegalShuffle;
            simd_byteboard_scalar: raywalk_simd::ByteboardScalar;
            simd_rays: raywalk_simd::Rays;
            simd_bit_rays: raywalk_simd::BitRays;
            simd_legal_rays: raywalk_simd::LegalRays;
            simd_gather_lists: raywalk_simd::GatherLists;
            simd_gather_lists_register: raywalk_simd::GatherListsRegister;
            simd_gather_lines: raywalk_simd::GatherLines;
            simd_fills: raywalk_simd::Fills;
            simd_dirgolem: raywalk_simd::DirGolem;
            // New designs go above this line.
        }
    };
}

macro_rules! entries {
    ($($name:ident: $design:ty;)+) => {
        /// The Rust names of the designs, in the order of [`BUILT_IN`].
        pub const NAMES: &[&str] = &[$(stringify!($name)),+];
        /// All designs, grouped by family. A static, so that a crate that uses it compiles none of them again.
        pub static BUILT_IN: [BuiltIn; NAMES.len()] = [$(BuiltIn::of::<$design>()),+];
    };
}
designs!(entries);

/// The id of a design or the name of a workload as a Rust name: `bitboard/pext` becomes
/// `bitboard_pext`.
pub fn identifier(name: &str) -> String {
    name.replace(['/', '-'], "_")
}
