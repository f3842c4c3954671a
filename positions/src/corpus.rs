//! Corpora: named lists of positions, each a pure function of its recipe.

use std::collections::HashSet;
use std::ops::ControlFlow;

use raywalk_core::Position;

use crate::oracle::{self, Board, Refused};
use crate::parallel::in_order;
use crate::placement::{self, Material};
use crate::selfplay::Rules;
use crate::slices::Slice;
use crate::{Source, Totals, golden, packed, tree};

pub use crate::golden::Mismatch;

/// Positions of a full corpus.
pub const FULL: usize = 65_536;
/// Positions of the slices that one corpus holds too few of: below that, a predictor learns them.
pub const RARE: usize = 16_384;
/// Of [`RARE`] positions in check, those that `sp1` itself supplies.
const CHECKS_OF_SP1: usize = 2_994;
/// Seed of all placed pieces.
const PLACEMENT_SEED: u64 = 9;

/// Part of a tree stream: interior nodes, where all moves are wanted.
pub const INTERIOR: u8 = 0;
/// Part of a tree stream: quiescence nodes, where captures are wanted.
pub const QUIESCENCE: u8 = 1;

/// A position with what the oracle counted in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// Number of legal moves; 218 is the most that a reachable position has.
    pub legal: u8,
    /// Number of legal captures, en passant included.
    pub captures: u8,
    /// Whether the side to move is in check.
    pub check: bool,
    /// Which part of the corpus it belongs to, 0 to 3; 0 where there are no parts.
    pub part: u8,
}

impl Sample {
    /// The position of a board, counted by the oracle.
    pub fn of(board: &Board, part: u8) -> Sample {
        let (legal, captures) = oracle::count_moves(board);
        Sample {
            position: oracle::position(board),
            // Digests are defined modulo 256; no corpus comes near it.
            legal: legal as u8,
            captures: captures as u8,
            check: oracle::in_check(board),
            part,
        }
    }
}

/// The recipes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CorpusId {
    /// Self-play, one position in four, new ones only.
    Sp1,
    /// Self-play, every new position.
    Sp1Every,
    /// Self-play to the bitter end, one position in four, new ones only.
    Sp1Long,
    /// The games of `sp1-long` continued until they have given [`RARE`] rook endings, and as many
    /// checks as `sp1` lacks to as many; nothing else is kept.
    Sp1LongRare,
    /// The 64 trees of three plies.
    Perft3,
    /// The 64 alpha-beta searches of four plies.
    Ab4,
    /// Material placed at random.
    Placed(Material),
}

impl CorpusId {
    /// The corpora that go by a short name; pieces placed at random are found as workloads.
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

    /// The corpus whose positions this one starts from.
    pub const fn needs(self) -> Option<CorpusId> {
        match self {
            CorpusId::Perft3 | CorpusId::Ab4 => Some(CorpusId::Sp1),
            _ => None,
        }
    }

    /// Whether several workloads draw on it, so that it is worth keeping in memory.
    pub const fn is_shared(self) -> bool {
        !matches!(self, CorpusId::Placed(_) | CorpusId::Perft3)
    }

    /// Makes the corpus on all cores and compares it with what it is known to come to.
    ///
    /// `needed` is the corpus that [`needs`](CorpusId::needs) names; without it the trees are empty,
    /// which the comparison tells.
    ///
    /// # Errors
    /// [`MakeError`] if the oracle refuses a root or the corpus is not the known one.
    pub fn make(self, needed: Option<&Corpus>) -> Result<Corpus, MakeError> {
        let sp1 = needed.map_or(&[][..], |corpus| &corpus.samples);
        let samples = match self {
            CorpusId::Sp1 => self_play(Rules::SP1, true, enough(FULL)),
            CorpusId::Sp1Every => self_play(Rules::SP1, false, enough(FULL)),
            CorpusId::Sp1Long => self_play(Rules::LONG, true, enough(FULL)),
            CorpusId::Sp1LongRare => rare(),
            CorpusId::Perft3 => tree::perft3(&tree::roots(sp1))?,
            CorpusId::Ab4 => tree::ab4(&tree::roots(sp1))?,
            CorpusId::Placed(pieces) => placement::place(pieces, FULL, PLACEMENT_SEED),
        };
        golden::verify(self, &samples)?;
        Ok(Corpus::new(self.name(), samples))
    }
}

/// Why a corpus could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MakeError {
    /// The oracle refuses a position of the corpus.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The corpus is not the known one.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

/// A named list of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corpus {
    /// The name in sessions.
    pub name: String,
    /// The positions, in recipe order.
    pub samples: Vec<Sample>,
    /// What they come to.
    pub totals: Totals,
}

impl Corpus {
    /// The corpus of these samples.
    pub fn new(name: String, samples: Vec<Sample>) -> Corpus {
        let totals = Totals::of(&samples);
        Corpus { name, samples, totals }
    }

    /// What a session writes down about it.
    pub fn source(&self) -> Source {
        let Totals { positions, digest, .. } = self.totals;
        Source { name: self.name.clone(), positions, digest }
    }
}

/// The samples of games 0, 1, 2, … until `take` has enough. A sample whose pieces, side and rights
/// have been seen is left out; with `one_in_four`, so are three positions of four, before that.
fn self_play(
    rules: Rules,
    one_in_four: bool,
    mut take: impl FnMut(&mut Vec<Sample>, Sample) -> ControlFlow<()>,
) -> Vec<Sample> {
    let play = |game| -> Vec<(packed::Seen, Sample)> {
        let keeps = |ply| !one_in_four || rules.keeps(game, ply);
        let kept = (0..).zip(rules.play(game)).filter(|&(ply, _)| keeps(ply));
        let sample = kept.map(|(_, ply)| Sample::of(&ply.board, 0));
        sample.map(|sample| (packed::placed(&sample), sample)).collect()
    };
    let (mut samples, mut seen) = (Vec::new(), HashSet::new());
    in_order(u64::MAX, play, |game| {
        for (key, sample) in game {
            if seen.insert(key) {
                take(&mut samples, sample)?;
            }
        }
        ControlFlow::Continue(())
    });
    samples
}

/// Keeps every sample until there are `count`.
fn enough(count: usize) -> impl FnMut(&mut Vec<Sample>, Sample) -> ControlFlow<()> {
    move |samples, sample| {
        samples.push(sample);
        if samples.len() < count { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

fn rare() -> Vec<Sample> {
    let (mut rook_endings, mut checks) = (0, 0);
    self_play(Rules::LONG, true, |samples, sample| {
        let rook_ending = rook_endings < RARE && Slice::RookEnding.holds(&sample);
        let check = checks < RARE - CHECKS_OF_SP1 && Slice::Check.holds(&sample);
        rook_endings += usize::from(rook_ending);
        checks += usize::from(check);
        if rook_ending || check {
            samples.push(sample);
        }
        if rook_endings < RARE || checks < RARE - CHECKS_OF_SP1 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::golden::check;
    use crate::random::shuffle;
    use crate::workload::{ALL, Order};
    use crate::{Store, Workload};

    /// One store for all tests of this process, so that each corpus is made once.
    static STORE: LazyLock<Store> = LazyLock::new(Store::in_memory);

    fn totals(positions: usize, legal: u64, captures: u64, in_check: u64, digest: u64) -> Totals {
        Totals { positions, legal, captures, in_check, digest }
    }

    fn samples(id: CorpusId) -> Vec<Sample> {
        STORE.corpus(id).expect("a corpus that comes out as known").samples.clone()
    }

    fn shuffled(id: CorpusId) -> Vec<Sample> {
        let mut samples = samples(id);
        shuffle(&mut samples, 5);
        samples
    }

    #[test]
    fn the_first_positions_of_self_play_are_the_known_ones() {
        for (id, _, golden) in golden::CORPORA.iter().filter(|row| row.2.positions <= 4096) {
            assert_eq!(*id, CorpusId::Sp1);
            let samples = self_play(Rules::SP1, true, enough(golden.positions));
            check(&id.name(), golden, &samples);
        }
    }

    #[test]
    fn the_first_three_searches_visit_the_known_positions() {
        let roots = tree::roots(&self_play(Rules::SP1, true, enough(2 * 1024 + 1)));
        let visited = tree::ab4(&roots).expect("roots that the oracle takes");
        let row = golden::CORPORA.iter().find(|row| row.0 == CorpusId::Ab4).expect("its row");
        assert_eq!((roots.len(), row.2.positions), (3, 12_288));
        check("tree-ab4, first 3 roots", &row.2, &visited);
    }

    #[test]
    fn a_corpus_that_misses_its_numbers_is_an_error_that_names_both() {
        let mut samples = self_play(Rules::SP1, true, enough(16));
        samples[7].legal += 1;
        let error = golden::verify(CorpusId::Sp1, &samples).expect_err("one move too many");
        assert!(error.to_string().starts_with(
            "corpus sp1 is not the known one: expected 16 positions, 590 legal moves, 40 captures, \
             0 in check, digest 8483a35506f0bd2f, found 16 positions, 591 legal moves"
        ));
    }

    #[test]
    #[ignore = "about 10 s; run by CI with --include-ignored"]
    fn every_full_corpus_comes_out_as_known() {
        for id in [CorpusId::Sp1, CorpusId::Sp1Every, CorpusId::Sp1Long] {
            assert_eq!(samples(id).len(), FULL);
        }
        let trees = [samples(CorpusId::Perft3).len(), samples(CorpusId::Ab4).len()];
        assert_eq!(trees, [71_026, 228_200]);
    }

    #[test]
    #[ignore = "about 5 s; run by CI with --include-ignored"]
    fn the_games_behind_each_corpus_have_their_known_plies() {
        for (rules, games, known) in
            [(Rules::SP1, 3_608, 275_427), (Rules::SP1, 891, 68_773), (Rules::LONG, 1_758, 267_042)]
        {
            let mut plies = 0;
            in_order(
                games,
                |game| rules.play(game).len(),
                |game| {
                    plies += game;
                    ControlFlow::Continue(())
                },
            );
            assert_eq!(plies, known, "{games} games by {rules:?}");
        }
    }

    #[test]
    #[ignore = "about 5 s; run by CI with --include-ignored"]
    fn shuffles_and_slices_come_out_as_known() {
        let sp1 = shuffled(CorpusId::Sp1);
        for golden in [
            totals(1, 36, 0, 0, 0xaf63_994c_8601_7ab3),
            totals(16, 532, 47, 1, 0x9b07_195b_db5c_b4bb),
            totals(256, 8_061, 518, 8, 0x7fcc_31bd_b016_e7f0),
            totals(4_096, 126_761, 8_390, 169, 0x5c98_fce9_0bcd_746e),
            totals(65_536, 2_006_676, 129_878, 2_994, 0xe173_1a60_60ea_3de5),
        ] {
            check("sp1 shuffled", &golden, &sp1[..golden.positions]);
        }
        let golden = totals(65_536, 1_660_430, 83_010, 4_028, 0x9111_5005_88aa_d84f);
        check("sp1-long shuffled", &golden, &shuffled(CorpusId::Sp1Long));

        let sp1 = samples(CorpusId::Sp1);
        let golden = totals(64, 2_061, 137, 2, 0x2eea_3527_3695_5838);
        check("roots", &golden, &tree::roots(&sp1));

        let long = samples(CorpusId::Sp1Long);
        for (slice, from, golden) in [
            (Slice::Opening, &sp1, totals(11_279, 372_381, 18_108, 276, 0xdb2c_8f4a_94e3_4bbc)),
            (
                Slice::Middlegame,
                &sp1,
                totals(28_503, 1_031_293, 84_139, 1_062, 0x5899_5635_401e_2f56),
            ),
            (Slice::Endgame, &long, totals(34_572, 629_242, 12_754, 2_577, 0x4fc3_7c78_2241_22fd)),
            (Slice::RookEnding, &long, totals(6_938, 117_099, 2_063, 520, 0xd147_2061_e8bb_327c)),
            (Slice::PawnEnding, &long, totals(1_505, 10_856, 108, 6, 0x77e7_0a5e_e5fc_b5f3)),
            (Slice::Check, &sp1, totals(2_994, 12_626, 1_236, 2_994, 0xd5d6_d7e5_bea7_0d8d)),
        ] {
            check(&format!("{slice:?}"), &golden, &slice.of(from));
        }
    }

    #[test]
    #[ignore = "about 20 s; run by CI with --include-ignored"]
    fn every_workload_can_be_had_and_is_what_it_says() {
        for description in ALL {
            let workload: Workload = STORE.workload(description.name).expect("a listed workload");
            let Workload { name, order, positions, distinct, totals, sources, .. } = workload;
            assert_eq!(positions.len(), totals.positions, "{name}");
            assert!(!sources.is_empty(), "{name}");
            match order {
                Order::Tree => assert!(distinct < positions.len(), "{name} repeats positions"),
                // Few pieces leave few ways to place them.
                Order::Generated => {
                    assert!(distinct * 10 > positions.len() * 9, "{name}: {distinct}")
                }
                // sp1 and sp1-long are separate games that share a few positions.
                _ if name == "check" => assert_eq!(distinct, RARE - 13),
                _ => assert_eq!(distinct, positions.len(), "{name}"),
            }
            let tiny = matches!(name, "repeat-1" | "famous" | "max-218" | "tricky")
                || name.starts_with("cycle-")
                || name == "opening";
            assert!(tiny || positions.len() >= RARE, "{name} is too small to measure");
        }
    }

    #[test]
    #[ignore = "about 10 s; run by CI with --include-ignored"]
    fn rare_positions_begin_with_those_of_the_plain_corpora() {
        let rare = samples(CorpusId::Sp1LongRare);
        let long = samples(CorpusId::Sp1Long);
        for slice in [Slice::RookEnding, Slice::Check] {
            let (plain, more) = (slice.of(&long), slice.of(&rare));
            assert_eq!(plain, more[..plain.len()], "{slice:?}");
        }
        let check = STORE.workload("check").expect("a listed workload");
        assert_eq!((check.positions.len(), check.totals.in_check), (RARE, RARE as u64));
        let rook = STORE.workload("rook-ending").expect("a listed workload");
        assert_eq!(rook.positions.len(), RARE);
    }
}
