//! Where the lists of a walk begin.

use raywalk_core::{Bitboards, Card, Control, Feature, MoveOfPly, Scope, Square, Stage, StageId};
use raywalk_positions::record;

use super::*;

/// Lists three moves as all moves, and one as captures.
struct Counts<const STACKED: bool>;

impl<const STACKED: bool> Generator for Counts<STACKED> {
    const CARD: Card = Card {
        id: "counts",
        name: "Counts",
        author: "",
        year: None,
        source: "",
        control: Control::Branchless,
        legality: Legality::Legal,
        published_bytes: None,
        needs: &[],
        reconstructed: "",
    };
    type Board = Bitboards;
    type Moves = MoveOfPly<STACKED>;
    const SCOPES: &'static [Scope] = &[Scope::Whole];

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Counts))
    }

    fn generate<S: Stage>(&self, _: &Bitboards, list: &mut MoveList<MoveOfPly<STACKED>>) {
        let moves = if S::ID == StageId::All { 3 } else { 1 };
        (0..moves)
            .for_each(|file| list.push(Move::new(Square::new(file, 0), Square::new(file, 1))));
    }
}

raywalk_core::entries!(Counts<false>, Counts<true>);

/// Notes where the moves of each node begin, how many they are, and in which list.
#[derive(Default)]
struct Seen(Vec<(usize, usize, usize)>);

impl<G: Entries> Sink<G> for Seen {
    fn take(&mut self, _: &G, _: &G::Board, list: &mut MoveList<G::Moves>, begin: usize) {
        self.0.push((begin, list.len() - begin, std::ptr::from_ref(list).addr()));
    }
}

/// A recorded search, with the ply of each node and how many moves its parents list.
fn searched() -> (Walk, Vec<(usize, usize)>) {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let tree = record(&fen.parse().expect("a position")).expect("an accepted root");
    let walk = Walk::of(&tree, Legality::Legal);
    let (mut path, mut ply, mut nodes) = (vec![3], 0, vec![(0, 0)]);
    for step in &walk.steps {
        ply += 1;
        if step.is_node() {
            path.truncate(ply);
            assert_eq!(path.len(), ply, "every parent is a node");
            nodes.push((ply, path.iter().sum()));
            path.push(if step.generates_captures() { 1 } else { 3 });
        }
        ply -= step.unmade() as usize;
    }
    (walk, nodes)
}

/// What a walk sees, in two parts.
fn seen<const STACKED: bool>(walk: &Walk) -> Vec<(usize, usize, usize)>
where
    Counts<STACKED>: Entries<Board = Bitboards, Moves = MoveOfPly<STACKED>>,
{
    let mut walks = Walks::<Bitboards, MoveOfPly<STACKED>>::new();
    walks.load(&[walk]);
    let (mut list, mut seen) = (MoveList::new(), Seen::default());
    for part in [0..walk.len() / 2, walk.len() / 2..walk.len()] {
        let pass = Pass { generator: &Counts, boards: &mut [], range: part, list: &mut list };
        walks.each::<Counts<STACKED>, Seen, false>(pass, &mut seen);
        // Other calls use the list between the parts.
        list.clear();
    }
    assert!(walks.are_at_roots());
    seen.0
}

#[test]
fn on_a_stack_the_moves_of_a_node_begin_where_those_of_its_parent_end() {
    let (walk, nodes) = searched();
    let seen = seen::<true>(&walk);
    let begins: Vec<usize> = seen.iter().map(|&(begin, ..)| begin).collect();
    assert_eq!(begins, nodes.iter().map(|&(_, begin)| begin).collect::<Vec<_>>());
    assert!(seen.iter().all(|&(_, moves, list)| [1, 3].contains(&moves) && list == seen[0].2));
    assert!(nodes.iter().any(|&(ply, _)| ply > 4));
}

#[test]
fn each_ply_has_a_list_of_its_own() {
    let (walk, nodes) = searched();
    let seen = seen::<false>(&walk);
    let mut lists = std::collections::BTreeMap::new();
    for (&(begin, _, list), (ply, _)) in seen.iter().zip(nodes) {
        assert_eq!((begin, *lists.entry(ply).or_insert(list)), (0, list), "ply {ply}");
    }
    let mut addresses: Vec<usize> = lists.into_values().collect();
    let plies = addresses.len();
    addresses.sort_unstable();
    addresses.dedup();
    assert!(plies > 4 && addresses.len() == plies);
}
