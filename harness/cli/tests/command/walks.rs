//! Every registered design walks recorded searches with right answers: at each node the moves of the
//! oracle, the recorded legal moves and nothing else made, the board back at the root.

use raywalk::registry::DESIGNS;
use raywalk_core::{Checksum, Legality, Move, MoveKind, MoveList, Position};
use raywalk_measure::design::{Design, Walk, Walked, Walking};
use raywalk_positions::recording::{RecordedTree, Step};
use raywalk_positions::{illegal_moves, oracle, record};
use raywalk_results::schema::{Call, Search};

/// Roots whose searches castle, promote and capture en passant, and that try moves of pinned pieces.
const ROOTS: [&str; 4] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", // stalemate: illegal moves only
];

/// The moves of the oracle that a node lists.
fn listed(position: &Position, captures: bool, legality: Legality) -> Vec<Move> {
    let mut moves = oracle::legal_moves(position).expect("an accepted position");
    if legality == Legality::Pseudo {
        moves.extend(illegal_moves(position).expect("an accepted position"));
    }
    let takes =
        |mv: &Move| position.piece_at(mv.to()).is_some() || mv.kind() == MoveKind::EnPassant;
    moves.retain(|mv| !captures || takes(mv));
    moves
}

/// A recorded search with the positions of its nodes, found by the oracle.
struct Known {
    tree: RecordedTree,
    nodes: Vec<(Position, bool)>,
    legal: u64,
}

impl Known {
    fn of(fen: &str) -> Known {
        let tree = record(&fen.parse().expect("a position")).expect("an accepted root");
        let mut path = vec![oracle::board(&tree.root).expect("an accepted root")];
        let mut nodes = vec![(tree.root, false)];
        let mut legal = 0;
        for step in &tree.steps {
            if !step.is_illegal() {
                let mut child = path.last().expect("the root stays").clone();
                let mut played = None;
                oracle::each_move(&child, |theirs, mv| {
                    if mv == step.mv() {
                        played = Some(theirs);
                    }
                });
                child.play(played.expect("a legal move"));
                if step.is_node() {
                    nodes.push((oracle::position(&child), step.generates_captures()));
                }
                path.push(child);
                legal += 1;
            }
            path.truncate(path.len() - step.unmade() as usize);
        }
        Known { tree, nodes, legal }
    }

    fn expected(&self, legality: Legality) -> Checksum {
        let mut checksum = Checksum::default();
        for (position, captures) in &self.nodes {
            let mut list: MoveList = MoveList::new();
            listed(position, *captures, legality).into_iter().for_each(|mv| list.push(mv));
            checksum.add(&list);
        }
        self.sealed(checksum)
    }

    /// The checksum of a walk ends with its counts.
    fn sealed(&self, mut checksum: Checksum) -> Checksum {
        for word in [self.legal, self.nodes.len() as u64] {
            checksum.word = raywalk_core::random::mix(checksum.word ^ word);
        }
        checksum
    }
}

fn walks(design: &mut dyn Design) -> &mut dyn Walking {
    design.walks().expect("every design walks")
}

fn walk(design: &mut dyn Design, known: &Known) {
    let walk = Walk::of(&known.tree, design.legality());
    let (id, nodes) = (design.id().to_owned(), known.nodes.len());
    let moves: u64 = known.expected(design.legality()).moves;
    let whole = Walked { nodes: nodes as u64, legal: known.legal };
    for search in [Search::Tree, Search::BareTree] {
        walks(design).load(&[&walk]);
        // In parts, as blocks are.
        let mut ends = [0, 1, nodes / 3, nodes / 2, nodes];
        ends.sort_unstable();
        let call = Call::from(search);
        let pass = |ends: &[usize]| design.pass(call.into(), ends[0]..ends[1]);
        let found: u64 = ends.windows(2).map(pass).sum();
        let (expected, folded) = match search {
            Search::BareTree => {
                let bare = Checksum { moves: known.legal, word: 0 };
                (known.legal, known.sealed(bare))
            }
            _ => (moves, known.expected(design.legality())),
        };
        assert_eq!((found, walks(design).walked()), (expected, whole), "{id} {search}");
        assert!(walks(design).are_at_roots(), "{id} {search}");
        assert_eq!(design.check(call, 0..nodes), folded, "{id} {search}");
        assert!(walks(design).are_at_roots(), "{id} {search}, after the check");
    }
    let positions: Vec<_> = known.nodes.iter().map(|(position, _)| *position).collect();
    let quiescence: Vec<_> = known.nodes.iter().map(|(_, captures)| *captures).collect();
    design.load(&positions);
    design.load_nodes(0, &quiescence);
    let node = Call::from(Search::Node);
    assert_eq!(design.pass(node.into(), 0..nodes), moves, "{id}");
    let mut unsealed = Checksum::default();
    for (position, captures) in &known.nodes {
        let mut list: MoveList = MoveList::new();
        listed(position, *captures, design.legality()).into_iter().for_each(|mv| list.push(mv));
        unsealed.add(&list);
    }
    assert_eq!(design.check(node, 0..nodes), unsealed, "{id}");
}

#[test]
fn every_design_walks_recorded_searches_with_the_answers_of_the_oracle() {
    let known = ROOTS.map(Known::of);
    let steps: Vec<Step> = known.iter().flat_map(|known| known.tree.steps.clone()).collect();
    assert!(steps.iter().any(|step| step.is_illegal()));
    let makes = |kind: fn(MoveKind) -> bool| steps.iter().any(|step| kind(step.mv().kind()));
    assert!(makes(|kind| kind == MoveKind::Castle), "castling");
    assert!(makes(|kind| kind == MoveKind::EnPassant), "en passant");
    assert!(makes(|kind| matches!(kind, MoveKind::Promotion(_))), "a promotion");
    assert_eq!((known[3].nodes.len(), known[3].legal), (1, 0));
    assert!(known[3].tree.steps.len() >= 3, "all illegal moves are tried in stalemate");
    std::thread::scope(|scope| {
        let known = &known;
        for part in DESIGNS.chunks(DESIGNS.len().div_ceil(4)) {
            scope.spawn(move || {
                for entry in part {
                    // A design that needs what this CPU lacks has nothing to walk.
                    let Ok(mut design) = entry.build() else { continue };
                    known.iter().for_each(|known| walk(&mut *design, known));
                }
            });
        }
    });
}

/// A search in which one legal move is called illegal.
#[test]
fn a_walk_that_contradicts_its_recording_ends_with_fewer_moves() {
    let known = Known::of(ROOTS[0]);
    let mut steps = known.tree.steps.clone();
    let leaf =
        steps.iter().position(|step| !step.is_illegal() && step.unmade() == 1 && !step.is_node());
    let leaf = leaf.expect("a move with nothing behind it");
    steps[leaf] = Step::illegal(steps[leaf].mv());
    let tree = RecordedTree { steps, ..known.tree.clone() };
    let walk = Walk::of(&tree, Legality::Pseudo);
    let mut design =
        raywalk::registry::named("bitboard/magic").expect("its id").build().expect("no feature");
    walks(&mut *design).load(&[&walk]);
    design.pass(Call::from(Search::Tree).into(), 0..walk.len());
    assert!(walks(&mut *design).walked().legal < known.legal - 1);
}

/// The pseudo-legal moves of the oracle's tables are those of the conformance kit's naive generator, by
/// way of a design that was tested against it.
#[test]
fn illegal_moves_are_what_pseudo_legal_designs_list_beyond_the_legal_ones() {
    let design = raywalk::registry::named("bitboard/hyperbola")
        .expect("its id")
        .build()
        .expect("no feature");
    for fact in raywalk_positions::facts::perft() {
        let mut found = design.generated(&fact.position, raywalk_results::schema::Stage::All);
        found.sort_unstable();
        let mut expected = listed(&fact.position, false, Legality::Pseudo);
        expected.sort_unstable();
        assert_eq!(found, expected, "{}", fact.fen);
    }
}
