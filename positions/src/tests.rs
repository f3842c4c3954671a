//! Tests of all corpora and workloads against their known totals.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use raywalk_core::parallel::in_order;

use crate::corpus::{CorpusId, FULL, GOLDEN};
use crate::golden::{Golden, all};
use crate::oracle;
use crate::placement::{Kinds, Material, place};
use crate::random::shuffle;
use crate::recording::{RecordedTree, trees_of, words_of};
use crate::sample::Sample;
use crate::sampling::{RARE, self_play};
use crate::selfplay::Rules;
use crate::slices::Slice;
use crate::store::Store;
use crate::tree;
use crate::workload::{ALL, Order, Workload};

/// One store for all tests of this process, so that each corpus is made once.
static STORE: LazyLock<Store> = LazyLock::new(Store::in_memory);

fn samples(id: CorpusId) -> Vec<Sample> {
    STORE.corpus(id).expect("a corpus that matches its golden rows").samples.clone()
}

fn shuffled(id: CorpusId) -> Vec<Sample> {
    let mut samples = samples(id);
    shuffle(&mut samples, 5);
    samples
}

fn check(golden: &Golden, name: &str, samples: &[Sample]) {
    assert_eq!(golden.verify(name, samples), Ok(()));
}

/// The golden rows of a corpus with few positions, cheap enough for every test run.
fn small(id: CorpusId) -> impl Iterator<Item = &'static Golden> {
    let rows = GOLDEN.iter().filter(move |row| row.0 == id).map(|row| &row.1);
    rows.filter(|golden| golden.totals.positions <= 12_288)
}

/// Verifies the golden rows of this size for all wanted materials and returns their number.
fn check_placed(wanted: impl Fn(Material) -> bool, size: usize) -> usize {
    let mut checked = 0;
    for (id, golden) in GOLDEN {
        let CorpusId::Placed(material) = *id else { continue };
        if wanted(material) && golden.totals.positions == size {
            check(golden, &id.name(), &place(material, size, 9));
            checked += 1;
        }
    }
    checked
}

#[test]
fn the_first_positions_of_self_play_match_their_golden_rows() {
    for golden in small(CorpusId::Sp1) {
        check(golden, "sp1", &self_play(Rules::SP1, true, golden.totals.positions));
    }
}

#[test]
fn the_first_three_searches_match_their_golden_row() {
    let roots = tree::roots(&self_play(Rules::SP1, true, 2 * 1024 + 1));
    let visited = tree::ab4(&roots).expect("roots that the oracle accepts");
    let golden = small(CorpusId::Ab4).next().expect("its row");
    assert_eq!((roots.len(), golden.totals.positions), (3, 12_288));
    check(golden, "tree-ab4, first 3 roots", &visited);
}

/// Whether a piece of `by` attacks the square, by the oracle's tables.
fn is_attacked(board: &oracle::Board, square: cozy_chess::Square, by: cozy_chess::Color) -> bool {
    use cozy_chess::Piece::{Bishop, King, Knight, Pawn, Queen, Rook};
    let of = |piece| board.colored_pieces(by, piece);
    let occupied = board.occupied();
    let attackers = (cozy_chess::get_pawn_attacks(square, !by) & of(Pawn))
        | (cozy_chess::get_knight_moves(square) & of(Knight))
        | (cozy_chess::get_bishop_moves(square, occupied) & (of(Bishop) | of(Queen)))
        | (cozy_chess::get_rook_moves(square, occupied) & (of(Rook) | of(Queen)))
        | (cozy_chess::get_king_moves(square) & of(King));
    !attackers.is_empty()
}

/// Replays a recorded tree on the oracle's board and compares each node with the visited position. Returns
/// the legal and illegal moves made.
fn replay(tree: &RecordedTree, nodes: &[Sample]) -> [usize; 2] {
    let mut boards = vec![oracle::board(&tree.root).expect("an accepted root")];
    let mut visited = nodes.iter();
    let mut made = [0; 2];
    let mut visit = |board: &oracle::Board, captures: bool| {
        let part = if captures { tree::QUIESCENCE } else { tree::INTERIOR };
        assert_eq!(Some(&Sample::of(board, part)), visited.next());
    };
    visit(&boards[0], false);
    for step in &tree.steps {
        let board = boards.last().expect("the root is never taken back");
        let (side, mut moves) = (board.side_to_move(), Vec::new());
        oracle::each_move(board, |played, mv| moves.push((played, mv)));
        let legal = moves.iter().find(|(_, mv)| *mv == step.mv());
        made[usize::from(step.is_illegal())] += 1;
        if step.is_illegal() {
            assert_eq!(legal, None);
            let played = step.mv().to_string().parse().expect("no castling, so the same notation");
            let mut child = board.clone();
            child.play_unchecked(played);
            assert!(is_attacked(&child, child.king(side), !side), "{board} {}", step.mv());
        } else {
            let (played, _) = legal.expect("a legal move");
            let mut child = board.clone();
            child.play(*played);
            assert!(!is_attacked(&child, child.king(side), !side), "{board} {}", step.mv());
            if step.is_node() {
                visit(&child, step.generates_captures());
            }
            boards.push(child);
        }
        boards.truncate(boards.len() - step.unmade() as usize);
    }
    assert_eq!((boards.len(), visited.next()), (1, None));
    made
}

#[test]
fn the_first_two_recorded_searches_visit_the_positions_of_the_corpus() {
    let roots = tree::roots(&self_play(Rules::SP1, true, 1024 + 1));
    let visited = tree::ab4(&roots).expect("roots that the oracle accepts");
    let recorded = tree::recorded_ab4(&roots).expect("the same roots");
    assert_eq!(recorded.len(), 2);
    assert!(visited.into_iter().eq(recorded.iter().flat_map(|(_, nodes)| nodes.iter().copied())));
    for (tree, nodes) in &recorded {
        let [legal, illegal] = replay(tree, nodes);
        assert!(legal >= nodes.len() && illegal > 0, "{legal} legal, {illegal} illegal");
    }
    let (trees, nodes): (Vec<_>, Vec<_>) = recorded.into_iter().unzip();
    let words = words_of(&trees);
    let roots = [0, nodes[0].len()];
    let nodes = nodes.concat();
    let read = |words: &[u32]| trees_of(words, &nodes, &roots, tree::QUIESCENCE);
    assert_eq!(read(&words).as_ref(), Some(&trees));
    for (place, bits) in [(0, 1), (5, 3 << 16), (words.len() - 1, 1 << 19)] {
        let mut other = words.clone();
        other[place] ^= bits;
        assert_eq!(read(&other), None, "word {place}");
    }
    assert_eq!(trees_of(&words, &nodes, &roots, tree::INTERIOR), None);
}

#[test]
#[ignore = "about 10 s; run by CI with --include-ignored"]
fn all_recorded_searches_visit_the_positions_of_the_corpus() {
    let workload = STORE.workload("ab4").expect("a listed workload");
    let trees = STORE.recording("ab4").expect("a corpus").expect("a recorded workload");
    let nodes = samples(CorpusId::Ab4);
    let lengths = lengths(&workload.roots, nodes.len());
    assert_eq!((trees.len(), lengths.len(), nodes.len()), (64, 64, 228_200));
    for ((tree, &begin), len) in trees.iter().zip(workload.roots.iter()).zip(lengths) {
        assert_eq!(tree.root, workload.positions[begin]);
        replay(tree, &nodes[begin..begin + len]);
    }
}

/// The lengths of trees that begin at these indices of a stream.
fn lengths(beginnings: &[usize], len: usize) -> Vec<usize> {
    let ends = beginnings[1..].iter().chain([&len]);
    beginnings.iter().zip(ends).map(|(begin, end)| end - begin).collect()
}

#[test]
fn the_trees_in_a_stream_are_those_of_its_roots() {
    let roots = tree::roots(&self_play(Rules::SP1, true, 2 * 1024 + 1));
    for make in [tree::ab4, tree::perft3] {
        let stream = make(&roots).expect("roots that the oracle accepts");
        let beginnings = tree::beginnings(&stream, &roots).expect("the same roots");
        let searched = roots.iter().map(|root| make(&[*root]).expect("an accepted root").len());
        assert!(searched.eq(lengths(&beginnings, stream.len())));
    }
}

#[test]
#[ignore = "about 10 s; run by CI with --include-ignored"]
fn every_workload_of_trees_knows_its_64_roots() {
    let roots = tree::roots(&samples(CorpusId::Sp1));
    let searched = |part: Option<u8>, make: fn(&[Sample]) -> _| -> Vec<usize> {
        let tree = |root: &Sample| {
            let tree: Result<Vec<Sample>, oracle::Refused> = make(&[*root]);
            let tree = tree.expect("an accepted root");
            tree.iter().filter(|sample| part.is_none_or(|part| sample.part == part)).count()
        };
        roots.iter().map(tree).collect()
    };
    for (name, part, make) in [
        ("ab4", None, tree::ab4 as fn(&[Sample]) -> _),
        ("ab4-interior", Some(tree::INTERIOR), tree::ab4),
        ("qs", Some(tree::QUIESCENCE), tree::ab4),
        ("perft3", None, tree::perft3),
    ] {
        let workload = STORE.workload(name).expect("a listed workload");
        let found = lengths(&workload.roots, workload.positions.len());
        assert_eq!(found.len(), 64, "{name}");
        assert_eq!(found, searched(part, make), "{name}");
        assert!(found.iter().all(|&len| 0 < len && len <= 4096), "{name}: {found:?}");
    }
    assert!(STORE.workload("famous").expect("a listed workload").roots.is_empty());
}

#[test]
fn a_corpus_with_a_wrong_count_is_an_error_with_both_totals() {
    let mut samples = self_play(Rules::SP1, true, 16);
    samples[7].legal += 1;
    let error = CorpusId::Sp1.verify(&samples).expect_err("one move too many");
    assert!(error.to_string().starts_with(
        "corpus sp1 has wrong totals: expected 16 positions, 590 legal moves, 40 captures, \
         0 in check, digest 8483a35506f0bd2f, found 16 positions, 591 legal moves"
    ));
}

#[test]
fn small_sets_of_mixed_pieces_match_their_golden_rows() {
    let mixed = |material| matches!(material, Material::Drawn(Kinds::Mixed, _));
    assert!(check_placed(mixed, 4096) >= 10);
}

#[test]
fn small_sets_with_and_without_sliders_match_their_golden_rows() {
    let one_kind =
        |material| matches!(material, Material::Drawn(Kinds::NoSliders | Kinds::Sliders, _));
    assert!(check_placed(one_kind, 4096) >= 6);
}

#[test]
fn small_sets_of_fixed_pieces_match_their_golden_rows() {
    assert!(check_placed(|material| matches!(material, Material::Fixed(_)), 4096) >= 4);
}

#[test]
#[ignore = "about 2 s; run by CI with --include-ignored"]
fn full_sets_of_placed_pieces_match_their_golden_rows() {
    assert!(check_placed(|_| true, FULL) >= 2);
}

#[test]
#[ignore = "about 10 s; run by CI with --include-ignored"]
fn every_full_corpus_matches_its_golden_rows() {
    for id in [CorpusId::Sp1, CorpusId::Sp1Every, CorpusId::Sp1Long] {
        assert_eq!(samples(id).len(), FULL);
    }
    let trees = [samples(CorpusId::Perft3).len(), samples(CorpusId::Ab4).len()];
    assert_eq!(trees, [71_026, 228_200]);
}

#[test]
#[ignore = "about 5 s; run by CI with --include-ignored"]
fn the_games_behind_each_corpus_have_known_numbers_of_plies() {
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
fn shuffles_and_slices_match_their_known_totals() {
    let sp1 = shuffled(CorpusId::Sp1);
    for golden in [
        all(1, 36, 0, 0, 0xaf63_994c_8601_7ab3),
        all(16, 532, 47, 1, 0x9b07_195b_db5c_b4bb),
        all(256, 8_061, 518, 8, 0x7fcc_31bd_b016_e7f0),
        all(512, 16_042, 1_052, 17, 0x5b52_cc3d_41aa_9ed3),
        all(1_024, 31_584, 2_090, 46, 0x9b7a_5945_1612_a2f7),
        all(2_048, 63_175, 4_143, 86, 0x8aa5_f8b0_831b_3ad6),
        all(4_096, 126_761, 8_390, 169, 0x5c98_fce9_0bcd_746e),
        all(65_536, 2_006_676, 129_878, 2_994, 0xe173_1a60_60ea_3de5),
    ] {
        check(&golden, "sp1 shuffled", &sp1);
    }
    let golden = all(65_536, 1_660_430, 83_010, 4_028, 0x9111_5005_88aa_d84f);
    check(&golden, "sp1-long shuffled", &shuffled(CorpusId::Sp1Long));

    let sp1 = samples(CorpusId::Sp1);
    let roots = tree::roots(&sp1);
    assert_eq!(roots.len(), 64);
    check(&all(64, 2_061, 137, 2, 0x2eea_3527_3695_5838), "roots", &roots);

    let long = samples(CorpusId::Sp1Long);
    for (slice, from, golden) in [
        (Slice::Opening, &sp1, all(11_279, 372_381, 18_108, 276, 0xdb2c_8f4a_94e3_4bbc)),
        (Slice::Middlegame, &sp1, all(28_503, 1_031_293, 84_139, 1_062, 0x5899_5635_401e_2f56)),
        (Slice::Endgame, &long, all(34_572, 629_242, 12_754, 2_577, 0x4fc3_7c78_2241_22fd)),
        (Slice::RookEnding, &long, all(6_938, 117_099, 2_063, 520, 0xd147_2061_e8bb_327c)),
        (Slice::PawnEnding, &long, all(1_505, 10_856, 108, 6, 0x77e7_0a5e_e5fc_b5f3)),
        (Slice::Check, &sp1, all(2_994, 12_626, 1_236, 2_994, 0xd5d6_d7e5_bea7_0d8d)),
    ] {
        let slice_of = slice.of(from);
        assert_eq!(slice_of.len(), golden.totals.positions, "{slice:?}");
        check(&golden, &format!("{slice:?}"), &slice_of);
    }
}

#[test]
#[ignore = "about 20 s; run by CI with --include-ignored"]
fn every_workload_loads_and_matches_its_description() {
    for description in ALL {
        let workload: Workload = STORE.workload(description.name).expect("a listed workload");
        let Workload { name, order, positions, distinct, totals, sources, .. } = workload;
        assert_eq!(positions.len(), totals.positions, "{name}");
        let known = description.positions();
        assert!(known.is_none_or(|known| known == positions.len()), "{name}: {known:?}");
        assert!(!sources.is_empty(), "{name}");
        // Few pieces can be placed in few ways, and sp1 and sp1-long share a few positions.
        let (least, most) = match order {
            Order::Tree => (0, positions.len() - 1),
            Order::Generated => (positions.len() * 9 / 10, positions.len()),
            _ if sources.len() > 1 => (positions.len() * 99 / 100, positions.len()),
            _ => (positions.len(), positions.len()),
        };
        assert!((least..=most).contains(&distinct), "{name}: {distinct} distinct positions");
        // The smallest streams are the famous games and the openings.
        let streamed = description.timed && !matches!(order, Order::Cyclic(_));
        assert!(!streamed || positions.len() >= 6_000, "{name} has too few positions to be timed");
    }
}

#[test]
#[ignore = "about 10 s; run by CI with --include-ignored"]
fn the_rare_corpus_begins_with_the_positions_of_sp1_long() {
    let rare = samples(CorpusId::Sp1LongRare);
    let long = samples(CorpusId::Sp1Long);
    for slice in [Slice::RookEnding, Slice::Check] {
        let (plain, more) = (slice.of(&long), slice.of(&rare));
        assert_eq!(plain, more[..plain.len()], "{slice:?}");
    }
    let check = STORE.workload("check").expect("a listed workload");
    assert_eq!((check.positions.len(), check.totals.in_check), (RARE, RARE as u64));
    assert_eq!(check.distinct, RARE - 13);
    let rook = STORE.workload("rook-ending").expect("a listed workload");
    assert_eq!(rook.positions.len(), RARE);
}
