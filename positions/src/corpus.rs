//! Corpora: named lists of positions, each a pure function of its recipe.
//!
//! To add a corpus, add a variant of [`CorpusId`], its recipe in [`CorpusId::make`] and its golden
//! rows in [`GOLDEN`].

use crate::golden::{Golden, Mismatch, Rows, all};
use crate::oracle::Refused;
use crate::placement::Kinds::{self, Mixed, NoSliders, Sliders};
use crate::placement::{self, Material};
use crate::sample::Sample;
use crate::sampling;
use crate::selfplay::Rules;
use crate::slices::Slice;
use crate::totals::{Source, Totals};
use crate::tree;

/// Number of positions of a full corpus.
pub(crate) const FULL: usize = 65_536;
/// Seed of all placed pieces.
const PLACEMENT_SEED: u64 = 9;

/// Identifies a corpus, and thereby its recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CorpusId {
    /// Self-play, one position in four, without repeats.
    Sp1,
    /// Self-play, every position, without repeats.
    Sp1Every,
    /// Self-play without resignation or agreed draws, one position in four, without repeats.
    Sp1Long,
    /// The games of [`Sp1Long`](CorpusId::Sp1Long), continued until they have supplied 16,384 rook
    /// endings and as many positions in check as [`Sp1`](CorpusId::Sp1) lacks to 16,384. Other
    /// positions are dropped.
    Sp1LongRare,
    /// 64 perft trees of three plies.
    Perft3,
    /// 64 alpha-beta searches of four plies.
    Ab4,
    /// Pieces placed at random.
    Placed(Material),
}

impl CorpusId {
    /// The corpora that users can name. Placed pieces are available as workloads.
    pub const NAMED: [CorpusId; 5] =
        [CorpusId::Sp1, CorpusId::Sp1Every, CorpusId::Sp1Long, CorpusId::Perft3, CorpusId::Ab4];

    /// The name in sessions and file names.
    pub fn name(self) -> String {
        match self {
            CorpusId::Sp1 => "sp1".to_owned(),
            CorpusId::Sp1Every => "sp1-every".to_owned(),
            CorpusId::Sp1Long => "sp1-long".to_owned(),
            CorpusId::Sp1LongRare => "sp1-long-rare".to_owned(),
            CorpusId::Perft3 => "tree-perft3".to_owned(),
            CorpusId::Ab4 => "tree-ab4".to_owned(),
            CorpusId::Placed(Material::Drawn(kinds, pieces)) => {
                format!("rp-{}-{pieces}", kinds.name())
            }
            CorpusId::Placed(Material::Fixed(letters)) => format!("rpf-{letters}"),
        }
    }

    /// The corpus that the recipe starts from.
    pub(crate) const fn needs(self) -> Option<CorpusId> {
        match self {
            CorpusId::Perft3 | CorpusId::Ab4 => Some(CorpusId::Sp1),
            _ => None,
        }
    }

    /// Whether several workloads use it, so that it is worth keeping in memory.
    pub(crate) const fn is_shared(self) -> bool {
        !matches!(self, CorpusId::Placed(_) | CorpusId::Perft3)
    }

    /// Makes the corpus on all cores and verifies its golden rows.
    ///
    /// `needed` is the corpus named by [`needs`](CorpusId::needs). Without it trees are empty,
    /// which fails the verification.
    ///
    /// # Errors
    /// [`MakeError`] if the oracle rejects a root or the corpus misses a golden row.
    pub(crate) fn make(self, needed: Option<&Corpus>) -> Result<Corpus, MakeError> {
        let sp1 = needed.map_or(&[][..], |corpus| &corpus.samples);
        let samples = match self {
            CorpusId::Sp1 => sampling::self_play(Rules::SP1, true, FULL),
            CorpusId::Sp1Every => sampling::self_play(Rules::SP1, false, FULL),
            CorpusId::Sp1Long => sampling::self_play(Rules::LONG, true, FULL),
            CorpusId::Sp1LongRare => sampling::rare(),
            CorpusId::Perft3 => tree::perft3(&tree::roots(sp1))?,
            CorpusId::Ab4 => tree::ab4(&tree::roots(sp1))?,
            CorpusId::Placed(material) => {
                let check = |samples: &[Sample]| self.verify(samples);
                let samples = placement::place_for_lists(material, FULL, PLACEMENT_SEED, check)?;
                return Ok(Corpus::new(self.name(), samples));
            }
        };
        self.verify(&samples)?;
        Ok(Corpus::new(self.name(), samples))
    }

    /// The number of its positions; `None` if only the corpus itself shows it.
    pub(crate) fn positions(self) -> Option<usize> {
        match self {
            CorpusId::Sp1 | CorpusId::Sp1Every | CorpusId::Sp1Long | CorpusId::Placed(_) => {
                Some(FULL)
            }
            CorpusId::Perft3 | CorpusId::Ab4 => self.positions_of(Rows::All),
            CorpusId::Sp1LongRare => None,
        }
    }

    /// The largest number of positions in a golden row of these rows.
    pub(crate) fn positions_of(self, rows: Rows) -> Option<usize> {
        let covers = |(id, row): &&(CorpusId, Golden)| *id == self && row.rows == rows;
        GOLDEN.iter().filter(covers).map(|(_, row)| row.totals.positions).max()
    }

    /// A text that changes with the name and with every golden row.
    pub(crate) fn fingerprint(self) -> String {
        let rows: Vec<_> =
            GOLDEN.iter().filter(|(id, _)| *id == self).map(|(_, row)| row).collect();
        format!("{} {rows:?}", self.name())
    }

    /// Compares the samples with every golden row of this corpus.
    ///
    /// # Errors
    /// [`Mismatch`] with the first row that differs.
    pub(crate) fn verify(self, samples: &[Sample]) -> Result<(), Mismatch> {
        let mut rows = GOLDEN.iter().filter(|(id, _)| *id == self);
        rows.try_for_each(|(id, row)| row.verify(&id.name(), samples))
    }
}

/// A corpus could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MakeError {
    /// The oracle rejects a position of the corpus.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The corpus misses a golden row.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

/// A named list of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corpus {
    /// Name in sessions, such as `sp1`.
    pub name: String,
    /// The positions, in the order of the recipe.
    pub samples: Vec<Sample>,
    /// The totals of `samples`.
    pub totals: Totals,
}

impl Corpus {
    /// A corpus of these samples, with their totals.
    pub(crate) fn new(name: String, samples: Vec<Sample>) -> Corpus {
        let totals = Totals::of(&samples);
        Corpus { name, samples, totals }
    }

    /// Name, size and digest, as a session records them.
    pub(crate) fn source(&self) -> Source {
        let Totals { positions, digest, .. } = self.totals;
        Source { name: self.name.clone(), positions, digest }
    }
}

const fn drawn(kinds: Kinds, pieces: u8) -> CorpusId {
    CorpusId::Placed(Material::Drawn(kinds, pieces))
}

/// The golden rows: positions, legal moves, captures, positions in check, digest.
///
/// The numbers come from an earlier program that shares no code with this crate and used cozy-chess
/// as its generator. python-chess found the same numbers for the full self-play corpora, the perft
/// and alpha-beta streams, mixed pieces of 3, 8, 16 and 32, and the endings of queens and of rooks.
#[rustfmt::skip] // one row per line, for comparison with the table of another program
pub(crate) const GOLDEN: &[(CorpusId, Golden)] = &[
    (CorpusId::Sp1, all(16, 590, 40, 0, 0x8483_a355_06f0_bd2f)),
    (CorpusId::Sp1, all(256, 8_204, 531, 12, 0x0ccf_1acc_2db4_4bc5)),
    (CorpusId::Sp1, all(4_096, 127_533, 8_081, 170, 0xaf4b_2b72_f44d_5bd0)),
    (CorpusId::Sp1, all(65_536, 2_006_676, 129_878, 2_994, 0xb4d5_22cc_0d37_52db)),
    (CorpusId::Sp1Every, all(65_536, 1_988_956, 126_967, 2_971, 0xdf84_5e49_2eca_734b)),
    (CorpusId::Sp1Long, all(65_536, 1_660_430, 83_010, 4_028, 0xbca5_c147_7192_c715)),
    // The continued games begin with those of sp1-long, so the first rook endings are the same.
    (CorpusId::Sp1LongRare, all(6_938, 117_099, 2_063, 520, 0xd147_2061_e8bb_327c).only(Rows::Slice(Slice::RookEnding))),
    (CorpusId::Perft3, all(71_026, 2_431_133, 219_797, 2_870, 0x2415_2d21_0b58_796c)),
    (CorpusId::Ab4, all(12_288, 343_590, 26_133, 1_745, 0xc7f7_4545_adbd_ac57)),
    (CorpusId::Ab4, all(228_200, 6_373_525, 478_620, 20_130, 0x4d9f_0205_2af0_1620)),
    (CorpusId::Ab4, all(47_504, 1_564_681, 125_864, 2_152, 0x9cf6_3290_0c49_67a6).only(Rows::Part(tree::INTERIOR))),
    (CorpusId::Ab4, all(180_696, 4_808_844, 352_756, 17_978, 0xa92e_2736_6702_f665).only(Rows::Part(tree::QUIESCENCE))),
    (drawn(Mixed, 3), all(4_096, 34_395, 172, 0, 0xf25f_7164_931b_feda)),
    (drawn(Mixed, 4), all(4_096, 43_901, 727, 0, 0x750f_214c_6cdf_c9ce)),
    (drawn(Mixed, 6), all(4_096, 58_848, 2_055, 0, 0x2496_bfc4_49c0_f0c3)),
    (drawn(Mixed, 8), all(4_096, 74_667, 4_059, 0, 0x2edb_e329_6b71_aa8e)),
    (drawn(Mixed, 12), all(4_096, 100_898, 9_538, 0, 0xf9e0_c2d0_58be_87e5)),
    (drawn(Mixed, 16), all(4_096, 122_087, 17_036, 0, 0x51c3_d496_fe5e_2b16)),
    (drawn(Mixed, 20), all(4_096, 138_995, 26_009, 0, 0xde32_25be_66b6_b2cc)),
    (drawn(Mixed, 24), all(4_096, 154_219, 36_383, 0, 0x2b6c_0566_c469_9f98)),
    (drawn(Mixed, 28), all(4_096, 168_663, 48_660, 0, 0x9eaf_30fb_e4b3_a460)),
    (drawn(Mixed, 32), all(4_096, 184_404, 64_304, 0, 0xed12_5363_3afd_bff7)),
    (drawn(Mixed, 16), all(65_536, 1_951_206, 271_881, 0, 0x38da_42db_0e27_0747)),
    (drawn(Mixed, 32), all(65_536, 2_943_444, 1_024_062, 0, 0xdd8b_f401_b142_659d)),
    (drawn(NoSliders, 8), all(4_096, 53_033, 3_007, 0, 0x2bda_e150_7ae7_34d6)),
    (drawn(NoSliders, 16), all(4_096, 86_284, 12_470, 0, 0x950b_d175_57d1_6749)),
    (drawn(NoSliders, 24), all(4_096, 120_380, 29_516, 0, 0x62e3_842d_40f5_a823)),
    (drawn(Sliders, 8), all(4_096, 140_100, 7_468, 0, 0xacc3_4240_9c1a_50a9)),
    (drawn(Sliders, 16), all(4_096, 227_379, 30_048, 0, 0x6c14_0973_5083_a700)),
    (drawn(Sliders, 24), all(4_096, 271_207, 60_397, 0, 0x0e01_8a4c_059d_1512)),
    (CorpusId::Placed(Material::QUEEN_ENDING), all(4_096, 102_019, 9_424, 0, 0xec79_67ad_2703_5536)),
    (CorpusId::Placed(Material::ROOK_ENDING), all(4_096, 79_712, 7_400, 0, 0xcde2_6659_a9a3_7b7d)),
    (CorpusId::Placed(Material::FOUR_QUEENS), all(4_096, 156_124, 11_559, 0, 0x5ab7_02e7_4227_dcef)),
    (CorpusId::Placed(Material::MINOR_PIECES), all(4_096, 83_976, 10_116, 0, 0xd74a_8b42_0688_bddb)),];
