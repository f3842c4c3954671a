use std::cell::RefCell;

use raywalk_core::{
    Board, Card, Color, Control, Entries, Feature, Generator, Lookups, MoveList, Piece, Scope,
    Square, Stage as CoreStage, State, Undo,
};

use super::*;
use crate::fake;

/// A board without pieces that keeps its state.
#[derive(Clone)]
struct Empty(State);

impl Board for Empty {
    fn new(position: &Position) -> Empty {
        Empty(position.state())
    }
    fn piece_at(&self, _: Square) -> Option<Piece> {
        None
    }
    fn state(&self) -> State {
        self.0
    }
    fn king(&self, _: Color) -> Square {
        Square::new(4, 0)
    }
    fn attacked(&self, _: Square, _: Color) -> bool {
        false
    }
    fn make(&mut self, _: Move) -> Undo {
        Undo { state: self.0, captured: None }
    }
    fn unmake(&mut self, _: Move, undo: Undo) {
        self.0 = undo.state;
    }
}

/// Finds the same capture in every position, and a quiet move that identifies the position.
struct TwoMoves;

impl Generator for TwoMoves {
    const CARD: Card = Card {
        id: "two-moves",
        name: "Two moves",
        author: "",
        year: Some(1970),
        source: "",
        control: Control::Branchless,
        legality: Legality::Legal,
        published_bytes: None,
        needs: &[],
        reconstructed: "",
    };
    type Board = Empty;
    type Moves = Move;
    const SCOPES: &'static [Scope] = &[Scope::Whole];

    fn build() -> Result<Box<TwoMoves>, Feature> {
        Ok(Box::new(TwoMoves))
    }

    fn generate<S: CoreStage>(&self, board: &Empty, list: &mut MoveList) {
        if S::CAPTURES {
            list.push(Move::from_bits(7));
        }
        if S::QUIETS {
            list.push(Move::from_bits(board.0.fullmove));
        }
    }
}

thread_local! {
    /// The squares that were looked up.
    static LOOKED_UP: RefCell<Vec<Square>> = const { RefCell::new(Vec::new()) };
}

impl Lookups for TwoMoves {
    fn queen_attacks(&self, _: &Empty, square: Square) -> u64 {
        LOOKED_UP.with_borrow_mut(|squares| squares.push(square));
        square.bit()
    }
}

raywalk_core::entries!(TwoMoves: Lookups);

#[test]
fn queens_are_looked_up_on_all_squares_in_the_order_of_the_position() {
    let kings = ["4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/3K4", "4k3/8/8/8/8/8/8/2K5"];
    let positions = kings.map(|fen| format!("{fen} w - - 0 1").parse().expect("a position"));
    let call = Call::from(Operation::QueenLookups);
    let mut design = Built::<TwoMoves>::build().expect("it needs no CPU feature");
    design.prepare_for(call);
    design.load(&positions);
    let looked_up = |pass: &mut dyn FnMut()| {
        LOOKED_UP.take();
        pass();
        LOOKED_UP.take()
    };
    let timed = looked_up(&mut || assert_eq!(design.pass(call.into(), 0..3), 3 * 64));
    assert_eq!(looked_up(&mut || _ = design.check(call, 0..3)), timed, "the check asks the same");
    let orders: Vec<_> = timed.chunks(64).collect();
    for order in &orders {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(Square::all()));
    }
    assert!(orders[0] != orders[1] && orders[1] != orders[2], "each position draws its own");
}

#[test]
fn a_pass_counts_and_a_check_folds_the_moves_of_the_call_in_order() {
    let positions: Vec<_> = (0..9).map(fake::position).collect();
    let mut design = Built::<TwoMoves>::build().expect("it needs no CPU feature");
    assert_eq!((design.id(), design.legality()), ("two-moves", Legality::Legal));
    design.load(&positions[..2]);
    design.load(&positions); // replaces the boards loaded before
    for stage in Stage::ALL {
        let mut expected = Checksum::default();
        for position in &positions[3..8] {
            let mut list = MoveList::new();
            TwoMoves.stage(stage_id(stage), &Empty::new(position), &mut list);
            expected.add(&list);
        }
        let call = Call::generate(stage);
        assert_eq!(design.check(call, 3..8), expected, "{stage}");
        assert_eq!(design.pass(call.into(), 3..8), expected.moves, "{stage}");
        assert_eq!((design.check(call, 3..3), design.pass(call.into(), 3..3)), Default::default());
    }
    let quiets = Call::generate(Stage::Quiets);
    assert_ne!(design.check(quiets, 0..3), design.check(quiets, 3..6));
    let expected = design.check(quiets, 3..6);
    design.load_after(2, &positions[3..6]);
    assert_eq!(design.check(quiets, 2..5), expected, "the first two boards are kept");
    design.load(&positions);
    for extra in [ExtraWork::Harness, ExtraWork::EmptyCall] {
        assert_eq!(design.pass_with_extra(extra, 0..9), 18, "the extra work finds no move");
    }
    assert_eq!(design.pass(Call::generate(Stage::All).into(), 0..9), 18);
    assert_eq!(design.pass(Invocation::Empty, 0..9), 0);
}

/// A perturbation that counts its calls.
struct Tally(u64);

impl Perturb for Tally {
    fn perturb(&mut self) {
        self.0 += 1;
    }
}

#[test]
fn a_perturbed_pass_finds_as_many_moves_as_the_plain_one_and_perturbs_before_every_call() {
    let positions: Vec<_> = (0..9).map(fake::position).collect();
    let mut design = Built::<TwoMoves>::build().expect("it needs no CPU feature");
    design.load(&positions);
    let mut before = Tally(0);
    let clock = fake::FakeClock::new(&fake::Time::default());
    let calls = Stage::ALL.iter().map(|&stage| Invocation::Call(Call::generate(stage)));
    for invocation in calls.chain([Invocation::Empty]) {
        let plain = design.pass(invocation, 2..7);
        let found = design.perturbed_pass(
            invocation,
            Perturbed { range: 2..7, before: &mut before, clock: &clock },
        );
        assert_eq!(found, Timed { ticks: 0, moves: plain }, "{invocation:?}");
    }
    assert_eq!(before.0, 4 * 5);
}

#[test]
fn a_design_offers_the_scopes_that_it_declares() {
    let design = Built::<TwoMoves>::build().expect("it needs no CPU feature");
    use raywalk_results::schema::Scope;
    let sliders = |stage| Call::Generate { stage, scope: Scope::Sliders };
    assert!(Stage::ALL.iter().all(|&stage| design.offers(Call::generate(stage))));
    assert!(Stage::ALL.iter().all(|&stage| !design.offers(sliders(stage))));
}

#[test]
fn calls_write_to_the_lists_of_a_ring_in_turn_and_count_the_same_moves() {
    let positions: Vec<_> = (0..9).map(fake::position).collect();
    let mut design = Built::<TwoMoves>::build().expect("it needs no CPU feature");
    design.load(&positions);
    design.load_nodes(0, &[false, true, true, false, false, false, false, false, true]);
    let bytes = 5 * size_of::<MoveList>() as u64 + 1;
    for (call, moves) in [
        (Call::generate(Stage::All), 18),
        (Call::generate(Stage::Quiets), 9),
        (raywalk_results::schema::Search::Node.into(), 15),
    ] {
        for lists in [None, Some(0), Some(bytes)] {
            design.write_to_lists(lists);
            assert_eq!(design.pass(call.into(), 0..9), moves, "{call:?} {lists:?}");
            assert_eq!(design.check(call, 0..9).moves, moves);
        }
    }
}
