//! Move generators that write moves by whole vectors.
//!
//! A list of moves is an array of 16-bit words. The other designs append to it move by move, in a loop whose
//! end the processor has to guess. In most designs here, a compress instruction puts the moves of a piece next to each
//! other in one register, one store writes them, and the list grows by a population count. There is no loop over
//! targets and, with a fixed number of slots for pieces, none over pieces either.
//!
//! | design | moves of a piece | tables, bytes |
//! |---|---|---:|
//! | [`CompressPext`] | targets as bytes, widened and joined with the origin; PEXT attacks | 864,304 |
//! | [`CompressObstruction`] | the same, attacks by obstruction difference in four lanes | 5,192 |
//! | [`Records`] | selected from moves that are ready in a table | 227,744 |
//! | [`RecordsToMemory`] | the same, written by the compress itself | 227,744 |
//! | [`RecordsShuffle`] | the same on a CPU without AVX-512 | 231,840 |
//! | [`Byteboard`] | targets as bytes, rays of a mailbox by permutation | 4,680 |
//! | [`Rays`] | selected from moves that are ready; four sliders of a mailbox in one permutation | 12,448 |
//! | [`BitRays`] | the same from sets, by bit shuffle instead of permutation | 12,448 |
//! | [`DirGolem`] | not by piece: targets of a direction as bytes, origins by distances of the fill | 2,048 |
//! | [`Fills`] | not by piece: targets of a direction, four directions in one register | 4,096 |
//! | [`GatherLists`] | one from each list of eight pieces in each step | 15,952 |
//! | [`GatherListsRegister`] | the same, with the board in a register | 15,952 |
//! | [`GatherLines`] | one from each line of all sliders in each step | 8,928 |
//!
//! [`ByteboardScalar`] is the byteboard without vectors: it reads the board square by square and writes the moves one
//! by one.
//!
//! [`Legal`] generates legal moves with the records, and finds checks and pins in eight lanes. [`LegalShuffle`] does so
//! on a CPU without AVX-512. Their perft keeps each board in one register or in two, and that of [`LegalKeyed`] has a
//! key with each board. [`LegalRays`] writes lists by the method of [`BitRays`], and looks for pins only where a branch
//! leads to them. [`DirGolem`] generates legal moves by direction, all eight in one register.

#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(
        dead_code,
        unreachable_code,
        unused_imports,
        unused_macros,
        unused_variables,
        reason = "only the scalar byteboard is built on a CPU without vectors"
    )
)]

mod cpu;
mod homes;
mod sets;
mod slots;
mod tables;

#[cfg(target_arch = "x86_64")]
mod castling;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "loads and stores of vectors")]
mod cells;
#[cfg(target_arch = "x86_64")]
mod copy_make;
#[cfg(target_arch = "x86_64")]
mod en_passant;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "loads and stores of vectors")]
mod fill;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "loads and stores of vectors")]
mod fill_256;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "loads and stores of vectors")]
mod pawns;
mod sides;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "loads and stores of vectors")]
mod squares;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "loads and stores of vectors")]
mod store;

mod compress;
#[allow(unsafe_code, reason = "gathers have no safe form")]
mod lanes;
mod legal_tables;
#[allow(unsafe_code, reason = "loads and stores of vectors")]
mod patterns;
mod places;
#[allow(unsafe_code, reason = "loads and stores of vectors")]
mod ray_lists;
#[allow(
    unsafe_code,
    reason = "an index by `pext` needs no bounds check, as in the look-ups that it is compared with"
)]
mod ready;
mod threats;
#[cfg(target_arch = "x86_64")]
mod threats_256;
#[cfg(target_arch = "x86_64")]
mod threats_by_tables;
#[cfg(target_arch = "x86_64")]
mod usual_shuffle;
mod zobrist;

mod bit_rays;
#[allow(unsafe_code, reason = "loads and stores of vectors")]
mod byteboard;
mod byteboard_scalar;
#[allow(unsafe_code, reason = "loads of vectors, in the block of the macro")]
mod compress_obstruction;
#[allow(
    unsafe_code,
    reason = "an index by `pext` needs no bounds check, as in the look-ups that it is compared with"
)]
mod compress_pext;
#[allow(unsafe_code, reason = "loads and stores of vectors")]
mod dirgolem;
mod fills;
mod gather_lines;
mod gather_lists;
mod legal;
mod legal_keyed;
mod legal_rays;
mod legal_shuffle;
mod rays;
mod records;
mod shuffle;

pub use bit_rays::BitRays;
pub use byteboard::Byteboard;
pub use byteboard_scalar::ByteboardScalar;
pub use compress::Compress;
pub use compress_obstruction::CompressObstruction;
pub use compress_pext::CompressPext;
pub use dirgolem::DirGolem;
pub use fills::Fills;
pub use gather_lines::GatherLines;
pub use gather_lists::{GatherLists, GatherListsRegister, InLanes};
pub use legal::Legal;
pub use legal_keyed::LegalKeyed;
pub use legal_rays::LegalRays;
pub use legal_shuffle::LegalShuffle;
pub use rays::Rays;
pub use records::{Records, RecordsToMemory};
pub use shuffle::RecordsShuffle;

raywalk_core::entries!(
    CompressPext,
    CompressObstruction,
    Records,
    RecordsToMemory,
    RecordsShuffle,
    Byteboard,
    Fills,
    ByteboardScalar,
    Rays,
    BitRays,
    GatherLists,
    GatherListsRegister,
    GatherLines,
    LegalRays,
    Legal: Counting CopyMake,
    LegalKeyed: Counting CopyMake,
    LegalShuffle: Counting CopyMake,
    DirGolem
);
