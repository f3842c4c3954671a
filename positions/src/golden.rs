//! What the corpora are known to come to.
//!
//! The numbers come from an earlier program that shares no code with this crate, with cozy-chess
//! as its generator. For the full self-play corpora, the perft and alpha-beta streams, mixed pieces of
//! 3, 8, 16 and 32, and the endings of queens and of rooks, python-chess found the same ones. A
//! corpus that misses its numbers is an error, never a measurement.

use crate::placement::{Kinds, Material};
use crate::slices::Slice;
use crate::{CorpusId, Sample, Totals, corpus};

/// Which positions of a corpus a golden row speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// All, or the first so many of all.
    All,
    /// Those marked with this part.
    Part(u8),
    /// Those of a slice.
    Slice(Slice),
}

impl Rows {
    /// The first `count` positions that the row speaks of.
    fn of(self, samples: &[Sample], count: usize) -> Vec<Sample> {
        let belongs = |sample: &&Sample| match self {
            Rows::All => true,
            Rows::Part(part) => sample.part == part,
            Rows::Slice(slice) => slice.holds(sample),
        };
        samples.iter().filter(belongs).take(count).copied().collect()
    }
}

const fn row(positions: usize, legal: u64, captures: u64, in_check: u64, digest: u64) -> Totals {
    Totals { positions, legal, captures, in_check, digest }
}

/// Self-play and trees, in recipe order.
pub const CORPORA: &[(CorpusId, Rows, Totals)] = &[
    (CorpusId::Sp1, Rows::All, row(16, 590, 40, 0, 0x8483_a355_06f0_bd2f)),
    (CorpusId::Sp1, Rows::All, row(256, 8_204, 531, 12, 0x0ccf_1acc_2db4_4bc5)),
    (CorpusId::Sp1, Rows::All, row(4_096, 127_533, 8_081, 170, 0xaf4b_2b72_f44d_5bd0)),
    (CorpusId::Sp1, Rows::All, row(65_536, 2_006_676, 129_878, 2_994, 0xb4d5_22cc_0d37_52db)),
    (CorpusId::Sp1Every, Rows::All, row(65_536, 1_988_956, 126_967, 2_971, 0xdf84_5e49_2eca_734b)),
    (CorpusId::Sp1Long, Rows::All, row(65_536, 1_660_430, 83_010, 4_028, 0xbca5_c147_7192_c715)),
    // The first rook endings of the extended run are those of sp1-long itself.
    (
        CorpusId::Sp1LongRare,
        Rows::Slice(Slice::RookEnding),
        row(6_938, 117_099, 2_063, 520, 0xd147_2061_e8bb_327c),
    ),
    (CorpusId::Perft3, Rows::All, row(71_026, 2_431_133, 219_797, 2_870, 0x2415_2d21_0b58_796c)),
    (CorpusId::Ab4, Rows::All, row(12_288, 343_590, 26_133, 1_745, 0xc7f7_4545_adbd_ac57)),
    (CorpusId::Ab4, Rows::All, row(228_200, 6_373_525, 478_620, 20_130, 0x4d9f_0205_2af0_1620)),
    (
        CorpusId::Ab4,
        Rows::Part(corpus::INTERIOR),
        row(47_504, 1_564_681, 125_864, 2_152, 0x9cf6_3290_0c49_67a6),
    ),
    (
        CorpusId::Ab4,
        Rows::Part(corpus::QUIESCENCE),
        row(180_696, 4_808_844, 352_756, 17_978, 0xa92e_2736_6702_f665),
    ),
];

/// Placed pieces with seed 9.
pub const PLACED: &[(Material, Totals)] = &[
    (Material::Drawn(Kinds::Mixed, 3), row(4_096, 34_395, 172, 0, 0xf25f_7164_931b_feda)),
    (Material::Drawn(Kinds::Mixed, 4), row(4_096, 43_901, 727, 0, 0x750f_214c_6cdf_c9ce)),
    (Material::Drawn(Kinds::Mixed, 6), row(4_096, 58_848, 2_055, 0, 0x2496_bfc4_49c0_f0c3)),
    (Material::Drawn(Kinds::Mixed, 8), row(4_096, 74_667, 4_059, 0, 0x2edb_e329_6b71_aa8e)),
    (Material::Drawn(Kinds::Mixed, 12), row(4_096, 100_898, 9_538, 0, 0xf9e0_c2d0_58be_87e5)),
    (Material::Drawn(Kinds::Mixed, 16), row(4_096, 122_087, 17_036, 0, 0x51c3_d496_fe5e_2b16)),
    (Material::Drawn(Kinds::Mixed, 20), row(4_096, 138_995, 26_009, 0, 0xde32_25be_66b6_b2cc)),
    (Material::Drawn(Kinds::Mixed, 24), row(4_096, 154_219, 36_383, 0, 0x2b6c_0566_c469_9f98)),
    (Material::Drawn(Kinds::Mixed, 28), row(4_096, 168_663, 48_660, 0, 0x9eaf_30fb_e4b3_a460)),
    (Material::Drawn(Kinds::Mixed, 32), row(4_096, 184_404, 64_304, 0, 0xed12_5363_3afd_bff7)),
    (Material::Drawn(Kinds::Mixed, 16), row(65_536, 1_951_206, 271_881, 0, 0x38da_42db_0e27_0747)),
    (
        Material::Drawn(Kinds::Mixed, 32),
        row(65_536, 2_943_444, 1_024_062, 0, 0xdd8b_f401_b142_659d),
    ),
    (Material::Drawn(Kinds::NoSliders, 8), row(4_096, 53_033, 3_007, 0, 0x2bda_e150_7ae7_34d6)),
    (Material::Drawn(Kinds::NoSliders, 16), row(4_096, 86_284, 12_470, 0, 0x950b_d175_57d1_6749)),
    (Material::Drawn(Kinds::NoSliders, 24), row(4_096, 120_380, 29_516, 0, 0x62e3_842d_40f5_a823)),
    (Material::Drawn(Kinds::Sliders, 8), row(4_096, 140_100, 7_468, 0, 0xacc3_4240_9c1a_50a9)),
    (Material::Drawn(Kinds::Sliders, 16), row(4_096, 227_379, 30_048, 0, 0x6c14_0973_5083_a700)),
    (Material::Drawn(Kinds::Sliders, 24), row(4_096, 271_207, 60_397, 0, 0x0e01_8a4c_059d_1512)),
    (Material::QUEEN_ENDING, row(4_096, 102_019, 9_424, 0, 0xec79_67ad_2703_5536)),
    (Material::ROOK_ENDING, row(4_096, 79_712, 7_400, 0, 0xcde2_6659_a9a3_7b7d)),
    (Material::FOUR_QUEENS, row(4_096, 156_124, 11_559, 0, 0x5ab7_02e7_4227_dcef)),
    (Material::MINOR_PIECES, row(4_096, 83_976, 10_116, 0, 0xd74a_8b42_0688_bddb)),
];

/// A corpus did not come out as it is known to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("corpus {corpus} is not the known one: expected {expected}, found {found}")]
pub struct Mismatch {
    /// Name of the corpus.
    pub corpus: String,
    /// What it is known to come to.
    pub expected: Totals,
    /// What it came to.
    pub found: Totals,
}

/// Compares a corpus with every golden row that speaks of it.
///
/// # Errors
/// [`Mismatch`] with the first row that is missed.
pub fn verify(id: CorpusId, samples: &[Sample]) -> Result<(), Mismatch> {
    let of_corpus =
        CORPORA.iter().filter(|row| row.0 == id).map(|&(_, rows, golden)| (rows, golden));
    let of_placed = PLACED
        .iter()
        .filter(|row| CorpusId::Placed(row.0) == id)
        .map(|&(_, golden)| (Rows::All, golden));
    for (rows, expected) in of_corpus.chain(of_placed) {
        let found = Totals::of(&rows.of(samples, expected.positions));
        if found != expected {
            return Err(Mismatch { corpus: id.name(), expected, found });
        }
    }
    Ok(())
}

/// Compares positions with a golden row, in tests.
#[cfg(test)]
pub fn check(name: &str, golden: &Totals, samples: &[Sample]) {
    assert_eq!(Totals::of(samples), *golden, "{name}");
}
