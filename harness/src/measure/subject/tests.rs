use super::*;
use crate::measure::fake;
use raywalk_core::{Card, Color, Control, Move, Piece, Square, Stage, State, Undo};

/// A board that knows its state and no piece.
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

/// Finds the same capture everywhere, and a quiet move that tells the position.
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

    fn generate<S: Stage>(&self, board: &Empty, list: &mut MoveList) {
        if S::CAPTURES {
            list.push(Move::from_bits(7));
        }
        if S::QUIETS {
            list.push(Move::from_bits(board.0.fullmove));
        }
    }
}
raywalk_core::entries!(TwoMoves);

#[test]
fn a_pass_counts_and_a_check_folds_the_asked_stage_of_the_asked_boards_in_order() {
    let positions: Vec<_> = (0..9).map(fake::position).collect();
    let mut bench = Bench::<TwoMoves>::build().expect("it needs nothing");
    assert_eq!((bench.id(), bench.legality()), ("two-moves", Legality::Legal));
    bench.load(&positions[..2]);
    bench.load(&positions); // what was loaded before is gone
    for stage in StageId::ALL {
        let mut expected = Checksum::default();
        for position in &positions[3..8] {
            let mut list = MoveList::new();
            TwoMoves.stage(stage, &Empty::new(position), &mut list);
            expected.add(&list);
        }
        let call = Call::Stage(stage);
        assert_eq!(bench.check(call, 3..8), expected, "{}", stage.name());
        assert_eq!(bench.pass(stage, 3..8), expected.moves, "{}", stage.name());
        assert_eq!((bench.check(call, 3..3), bench.pass(stage, 3..3)), Default::default());
    }
    let quiets = Call::Stage(StageId::Quiets);
    assert_ne!(bench.check(quiets, 0..3), bench.check(quiets, 3..6));
    for burden in [Burden::Harness, Burden::EmptyCall] {
        assert_eq!(bench.burdened(burden, 0..9), 18, "a burden finds nothing");
    }
    assert_eq!(bench.pass(StageId::All, 0..9), 18);
    assert_eq!(bench.call(Call::Nothing, 0..9), 0);
    assert_eq!(bench.check(Call::Nothing, 0..9), {
        let mut nothing = Checksum::default();
        (0..9).for_each(|_| nothing.add(&MoveList::<Move>::new()));
        nothing
    });
}

/// Counts.
struct Tally(u64);

impl Disturb for Tally {
    fn disturb(&mut self) {
        self.0 += 1;
    }
}

#[test]
fn a_disturbed_pass_finds_as_much_as_the_plain_one_and_disturbs_before_every_call() {
    let positions: Vec<_> = (0..9).map(fake::position).collect();
    let mut bench = Bench::<TwoMoves>::build().expect("it needs nothing");
    bench.load(&positions);
    let mut before = Tally(0);
    let clock = fake::FakeClock::new(&fake::Time::default());
    let stages = StageId::ALL.map(Call::Stage);
    for call in stages.into_iter().chain([Call::Sliders, Call::Nothing]) {
        let plain = bench.call(call, 2..7);
        let found = bench.disturbed(call, 2..7, &mut before, &clock);
        assert_eq!(found, Timed { ticks: 0, moves: plain }, "{call:?}");
    }
    assert_eq!(before.0, 5 * 5);
}

#[test]
fn a_design_without_sliders_apart_says_so_and_finds_none() {
    let mut bench = Bench::<TwoMoves>::build().expect("it needs nothing");
    bench.load(&[fake::position(0)]);
    assert_eq!(bench.scopes(), [Scope::Whole]);
    assert_eq!(bench.call(Call::Sliders, 0..1), 0);
    assert_eq!(Call::of(StageId::Quiets, Scope::Whole), Call::Stage(StageId::Quiets));
    assert_eq!(Call::of(StageId::All, Scope::Sliders), Call::Sliders);
}
