//! The list of all designs. Tests, benchmarks, report rows and the table in the documentation are made
//! from it; a new design adds one line.

use anyhow::{Result, anyhow};
use raywalk_core::{Board, Card, Entries, Feature, MoveList, Position, StageId};
use raywalk_measure::design::{Built, Design};
use raywalk_results::schema;

use crate::plugin::Plugin;

mod compiled;
mod record;
mod select;

use compiled::Compiled;
pub(crate) use select::Designs;
pub use select::{matching, named};

/// A design: its card, its compiled entry and its constructor. Code above the registry does not know
/// the type of a design.
pub struct Entry {
    /// Facts and claims from the source.
    pub card: Card,
    /// Bytes that one board needs.
    pub board_bytes: usize,
    /// Cells of its board, if it has cells.
    pub board_cells: Option<usize>,
    /// Bytes of a move in its list.
    pub move_bytes: usize,
    code: Code,
}

/// Where the code of a design comes from.
enum Code {
    /// This program.
    BuiltIn {
        compiled: Compiled,
        /// Where the move list keeps the length, in bytes from the beginning of the list.
        length_at: usize,
        build: fn() -> Result<Box<dyn Design>, Feature>,
    },
    /// A library of a user.
    Plugin(&'static Plugin),
}

impl Entry {
    /// The entry of the design `G`.
    pub const fn of<G: Entries>() -> Entry {
        Entry {
            card: G::CARD,
            board_bytes: G::Board::BYTES,
            board_cells: G::Board::CELLS,
            move_bytes: size_of::<G::Moves>(),
            code: Code::BuiltIn {
                compiled: Compiled::of::<G>(),
                length_at: MoveList::<G::Moves>::LENGTH_AT,
                build: || Ok(Box::new(Built::<G>::build()?)),
            },
        }
    }

    /// The entry of a design of a plug-in.
    fn of_plugin(plugin: &'static Plugin) -> Entry {
        Entry {
            card: *plugin.card(),
            board_bytes: plugin.board_bytes(),
            board_cells: None,
            move_bytes: plugin.move_bytes(),
            code: Code::Plugin(plugin),
        }
    }

    /// Builds the tables: those of a plug-in in a process of its own, where it is checked and not timed.
    ///
    /// # Errors
    /// The CPU feature that the design needs and this machine lacks. That of a plug-in is a
    /// [`Failure`](raywalk_measure::design::Failure).
    pub fn build(&self) -> Result<Box<dyn Design>, Feature> {
        match &self.code {
            Code::BuiltIn { build, .. } => build(),
            Code::Plugin(plugin) => Ok(plugin.apart()),
        }
    }

    /// Builds the tables in this process, to time or trace the design.
    ///
    /// # Errors
    /// Why it cannot run on this machine, as the end of a sentence.
    pub(crate) fn here(&self) -> Result<Box<dyn Design>, String> {
        match &self.code {
            Code::BuiltIn { build, .. } => build().map_err(|feature| format!("needs {feature}")),
            Code::Plugin(plugin) => plugin.here(),
        }
    }

    /// The design in this process, to trace these stages on these positions. A plug-in has generated the moves in
    /// another process before: what crashes or hangs does so there.
    ///
    /// # Errors
    /// The CPU feature that a design of this program lacks, inside; one sentence about a plug-in, outside.
    pub(crate) fn tried<'a>(
        &self,
        stages: &[schema::Stage],
        positions: impl Iterator<Item = &'a Position>,
    ) -> Result<Result<Box<dyn Design>, Feature>> {
        match &self.code {
            Code::BuiltIn { build, .. } => Ok(build()),
            Code::Plugin(plugin) => plugin.tried(stages, positions).map(Ok),
        }
    }

    /// The plug-in that the design comes from.
    pub(crate) fn plugin(&self) -> Option<&'static Plugin> {
        match &self.code {
            Code::BuiltIn { .. } => None,
            Code::Plugin(plugin) => Some(plugin),
        }
    }

    /// Address of the compiled entry of a stage.
    pub(crate) fn address(&self, stage: StageId) -> usize {
        match &self.code {
            Code::BuiltIn { compiled: Compiled { all, captures, quiets, .. }, .. } => match stage {
                StageId::All => all(),
                StageId::Captures => captures(),
                StageId::Quiets => quiets(),
            },
            Code::Plugin(plugin) => plugin.entry(stage),
        }
    }

    /// Address of the compiled entry for sliders; `None` if the design does not support this scope.
    pub(crate) fn address_of_sliders(&self) -> Option<usize> {
        match &self.code {
            Code::BuiltIn { compiled, .. } => compiled.sliders.map(|address| address()),
            Code::Plugin(_) => None,
        }
    }

    /// Address of the compiled entry for winning captures; `None` if the design does not offer them.
    pub(crate) fn address_of_winning(&self) -> Option<usize> {
        match &self.code {
            Code::BuiltIn { compiled, .. } => compiled.winning.map(|address| address()),
            Code::Plugin(_) => None,
        }
    }

    /// Where its move list keeps the length, in bytes from the beginning of the list; `None` if that of a
    /// plug-in does not.
    pub(crate) fn length_at(&self) -> Option<usize> {
        match self.code {
            Code::BuiltIn { length_at, .. } => Some(length_at),
            Code::Plugin(_) => None,
        }
    }

    /// [`Entry::build`], with the missing feature in a sentence as the error.
    pub(crate) fn built(&self) -> Result<Box<dyn Design>> {
        self.build().map_err(|feature| anyhow!("`{}` needs {feature}", self.card.id))
    }
}

/// Passes the list of designs to another macro. Each line consists of the id as a Rust name (`/` and
/// `-` become `_`) and the type. The list is a macro because the Callgrind benchmark declares one
/// function per name; [`DESIGNS`] is made from the types.
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
            ferret_index32: raywalk_ferret::Index32;
            ferret_index16: raywalk_ferret::Index16;
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
            linked_list_sherwin: raywalk_linked_list::Sherwin;
            linked_list_legal: raywalk_linked_list::Legal;
            dense_index_u32: raywalk_dense_index::Words32;
            dense_index_u64: raywalk_dense_index::Words64;
            dense_index_one_table: raywalk_dense_index::OneTable;
            dense_index_three_loops: raywalk_dense_index::ThreeLoops;
            dense_index_prefetch: raywalk_dense_index::Prefetch;
            dense_index_select: raywalk_dense_index::Select;
            dense_index_branch: raywalk_dense_index::Branch;
            dense_index_register_occupancy: raywalk_dense_index::RegisterOccupancy;
            dense_index_maintained_occupancy: raywalk_dense_index::MaintainedOccupancy;
            dense_index_lock_step: raywalk_dense_index::LockStep;
            dense_index_lock_step_3: raywalk_dense_index::LockStep3;
            dense_index_lock_step_4: raywalk_dense_index::LockStep4;
            dense_index_fixed_trip: raywalk_dense_index::FixedTrip;
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
            dirgolem_kogge_stone: raywalk_dirgolem::DirGolemKoggeStone;
            dirgolem_kogge_stone_branchy: raywalk_dirgolem::DirGolemBranchy;
            dirgolem_dumb7: raywalk_dirgolem::DirGolemDumb7;
            simd_compress: raywalk_simd::CompressPext;
            simd_compress_obstruction: raywalk_simd::CompressObstruction;
            simd_records: raywalk_simd::Records;
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
        /// All designs, grouped by family.
        pub static DESIGNS: &[Entry] = &[$(Entry::of::<$design>()),+];
        /// The Rust names of the designs, in the same order.
        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),+];
    };
}
designs!(entries);

/// The id of a design or the name of a workload as a Rust name: `bitboard/pext` becomes
/// `bitboard_pext`.
pub fn identifier(name: &str) -> String {
    name.replace(['/', '-'], "_")
}

/// The default design of commands for which any correct design will do. It runs on every machine and
/// its tables are small.
pub const REFERENCE: &str = "bitboard/hyperbola";

/// Ids of the designs in the quick plan and in `cargo bench`: the published designs of the seven
/// families in the README, the other kinds of bitboard, and a legal generator.
pub fn quick() -> Vec<String> {
    const QUICK: [&str; 11] = [
        "bell/last-square",
        "butterfly/i16",
        "butterfly/u8-split",
        "ferret/pointer",
        "diep/conditional-write",
        "linked-list/pointer",
        "dense-index/u32",
        "bitboard/hyperbola",
        "bitboard/magic",
        "bitboard/pext",
        "legal/pext",
    ];
    QUICK.map(str::to_owned).to_vec()
}

#[cfg(test)]
mod tests;
