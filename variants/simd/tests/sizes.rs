//! The sizes of the tables are the sums of their parts.

use raywalk_core::Generator;
use raywalk_core::two_way::PIECE_ENTRIES;
use raywalk_simd::{
    BitRays, Byteboard, ByteboardScalar, CompressObstruction, CompressPext, DirGolem, Fills,
    GatherLines, GatherLists, GatherListsRegister, Legal, LegalKeyed, LegalRays, LegalShuffle,
    Rays, Records, RecordsShuffle, RecordsToMemory,
};

/// Compares the size of the tables with a sum. A design that this machine cannot run is skipped.
fn assert_bytes<G: Generator>(bytes: usize) {
    match G::build() {
        Ok(design) => assert_eq!(design.table_bytes(), bytes, "{}", G::CARD.id),
        Err(feature) => eprintln!("{} is not tested here: it needs {feature}", G::CARD.id),
    }
}

/// One entry for each relevant occupancy of a rook and of a bishop.
const ENTRIES: usize = 102_400 + 5_248;
/// Knights of 65 squares and kings of 64.
const LEAPERS: usize = 65 + 64;
/// The sets of knights, of kings and of each colour's pawns in the core, which find checks and attacked squares.
const THREATS: usize = 4 * 64 * 8;

#[test]
fn compress_has_sets() {
    assert_bytes::<CompressPext>(8 * LEAPERS + 2 * 65 * 16 + 8 * (ENTRIES + 1));
    assert_bytes::<CompressObstruction>(8 * LEAPERS + 65 * 4 * 2 * 8);
}

#[test]
fn records_have_moves_and_masks() {
    let records = 32 * LEAPERS + 2 * 65 * 64 + 2 * ENTRIES;
    assert_bytes::<Records>(records);
    assert_bytes::<RecordsToMemory>(records);
    assert_bytes::<RecordsShuffle>(records + 256 * 16);
    assert_bytes::<Legal>(records + 64 * 8 * 8 + THREATS);
    assert_bytes::<LegalKeyed>(records + 64 * 8 * 8 + THREATS);
    assert_bytes::<LegalShuffle>(records + 256 * 16 + 64 * 8 * 8 + THREATS);
}

#[test]
fn the_byteboard_has_places() {
    assert_bytes::<Byteboard>(65 * 64 + 65 * 8);
    assert_bytes::<ByteboardScalar>(65 * 64 + 65 * 8);
}

#[test]
fn rays_have_moves_and_targets() {
    assert_bytes::<Rays>(32 * LEAPERS + 2 * 65 * 64);
    assert_bytes::<BitRays>(32 * LEAPERS + 2 * 65 * 64);
    assert_bytes::<LegalRays>(32 * LEAPERS + 2 * 65 * 64 + 64 * 8 * 8 + THREATS);
}

#[test]
fn dirgolem_has_the_tables_of_leapers_alone() {
    assert_bytes::<DirGolem>(THREATS);
}

#[test]
fn fills_have_rays() {
    assert_bytes::<Fills>(64 * 8 * 8);
}

#[test]
fn lists_in_lanes_have_nodes_and_heads() {
    // Knights, bishops, rooks, queens and kings.
    let lists = 4 * (PIECE_ENTRIES + 5 * 64);
    assert_bytes::<GatherLists>(lists);
    assert_bytes::<GatherListsRegister>(lists);
    // A queen's squares, in four lists each; each corner lacks a diagonal, and its list has one node.
    assert_bytes::<GatherLines>(4 * (1_456 + 4 + 4 * 64) + 16 * LEAPERS);
}
