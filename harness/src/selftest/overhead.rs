//! What the harness itself costs within its timed region.
//!
//! A design that finds nothing goes through the same pass as every other: one call per position,
//! a list cleared, an empty list folded into the checksum. What is left is the harness, and it is
//! compared with a fast design on the same positions. A second one hands over a list that it did
//! not have to make, whose fold is what the checksum of real moves costs.

use raywalk_core::{
    Board, Card, Color, Control, Feature, Generator, Legality, Move, MoveList, Piece, Position,
    Square, Stage, StageId, State, Undo,
};
use raywalk_reports::schema::{Band, Trial};

use super::trial::{Cost, Costs, Known, found, rounds, time};
use crate::measure::clock::Clock;
use crate::measure::schedule::Schedule;
use crate::measure::subject::{Bench, Subject};

/// A board that keeps nothing but the state.
#[derive(Clone)]
struct NoBoard(State);

impl Board for NoBoard {
    fn new(position: &Position) -> NoBoard {
        NoBoard(position.state())
    }
    fn man(&self, _: Square) -> Option<Piece> {
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

/// Hands over a list of so many moves that it did not write.
struct Ready<const MOVES: usize>;

/// Moves of a position of the tree that `ab4` comes from, about.
const USUAL: usize = 32;

impl<const MOVES: usize> Generator for Ready<MOVES> {
    const CARD: Card = Card {
        id: "self-test",
        name: "Self-test",
        author: "",
        year: Some(2026),
        source: "",
        control: Control::Branchless,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[],
        reconstructed: "",
    };
    type Board = NoBoard;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Ready))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, _: &NoBoard, list: &mut MoveList) {
        *list.tail().1 = MOVES;
    }
}
raywalk_core::entries!(Ready<0>, Ready<USUAL>);

/// The share of the empty pass in that of a real design, within `seconds`, on `positions` of `ab4`.
pub fn test<C: Clock>(
    clock: &C,
    real: Box<dyn Subject>,
    positions: &[Position],
    seed: u64,
    seconds: f64,
) -> Vec<Trial> {
    let name = real.id().to_owned();
    let mut subjects: [Box<dyn Subject>; 3] = [
        Box::new(Bench::new(Box::new(Ready::<0>))),
        Box::new(Bench::new(Box::new(Ready::<USUAL>))),
        real,
    ];
    subjects.iter_mut().for_each(|subject| subject.load(positions));
    let passes = |subject: usize| subjects[subject].pass(StageId::All, 0..positions.len());
    share(clock, &name, passes, positions.len() as u64, seed, seconds)
}

/// The same for any passes: 0 is empty, 1 hands over a list, 2 is the real design.
fn share<C: Clock, T>(
    clock: &C,
    name: &str,
    mut pass: impl FnMut(usize) -> T,
    positions: u64,
    seed: u64,
    seconds: f64,
) -> Vec<Trial> {
    let schedule = Schedule::new(3, seed);
    let mut round = |number: u64| {
        let mut took = [Cost { ticks: 0.0, cycles: None }; 3];
        for subject in schedule.order(number) {
            took[subject] = time(clock, || pass(subject));
        }
        took
    };
    // Two rounds that are not kept: everything is learnt and mapped.
    for number in 0..2 {
        round(number);
    }
    let samples = rounds(clock, seconds, round);
    let judged = |subject: usize, instrument, kernel: String, expected| {
        let known = Known {
            instrument,
            kernel: &kernel,
            expected,
            otherwise: "The harness itself is in the times of fast designs by this share, the same \
                        for all of them: ratios between them are nearer to 1 than they should be.",
        };
        let percent: Vec<f64> =
            samples.iter().map(|took| 100.0 * took[subject].ticks / took[2].ticks).collect();
        let costs: Vec<Cost> = samples.iter().map(|took| took[subject]).collect();
        let costs = Costs::of(clock, &costs, positions).found("position");
        known.judge(found(&percent, "%").into_iter().chain(costs).collect())
    };
    vec![
        judged(
            0,
            "harness overhead",
            format!("a design that finds nothing against {name} on ab4"),
            Band::at_most(1.0),
        ),
        judged(
            1,
            "checksum",
            format!("a list of {USUAL} moves that nobody wrote, folded, against {name} on ab4"),
            Band::at_most(10.0),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::fake::{FakeClock, Time, position};
    use raywalk_reports::schema::Grade;

    fn trials(costs: [u64; 3]) -> Vec<Trial> {
        let now = Time::default();
        let clock = FakeClock::new(&now);
        let pass = |subject: usize| now.set(now.get() + 1_000 * costs[subject]);
        share(&clock, "a/real", pass, 1_000, 1, 0.0)
    }

    #[test]
    fn an_empty_pass_below_one_per_cent_of_a_real_one_is_good_and_above_is_not() {
        let good = trials([1, 3, 200]);
        assert_eq!((good[0].grade, good[0].found[0].value), (Grade::Usable, 0.5));
        assert_eq!((good[1].grade, good[1].found[0].value), (Grade::Usable, 1.5));
        // Ticks of a nanosecond, two cycles each.
        assert_eq!((good[0].found[1].value, good[0].found[2].value), (2.0, 1.0));
        let bad = trials([3, 3, 100]);
        assert!(bad[0].failed() && !bad[1].failed());
        assert!(bad[0].kernel.contains("a/real"));
    }

    #[test]
    fn the_empty_design_finds_nothing_and_the_ready_one_what_it_has() {
        let positions: Vec<Position> = (0..5).map(position).collect();
        let moves = |mut bench: Box<dyn Subject>| {
            bench.load(&positions);
            StageId::ALL.map(|stage| bench.pass(stage, 0..5).moves)
        };
        assert_eq!(moves(Box::new(Bench::new(Box::new(Ready::<0>)))), [0; 3]);
        assert_eq!(moves(Box::new(Bench::new(Box::new(Ready::<USUAL>)))), [160; 3]);
    }
}
