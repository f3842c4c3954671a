//! Plants the bugs that *Building a Chess Move Generator: What You Need to Get Started* names at its
//! end, and lets `hunt` and `verify` find them.
//!
//! The post names six classes: en passant; pins; both together; castling through, into and out of
//! check; toggling castling; the unmake function. Each bug here is one line in a board or a generator
//! that is right in everything else. The control has none, and nothing must be found in it.

use std::marker::PhantomData;

use raywalk_core::square_board::Board8x8;
use raywalk_core::{
    Board, Card, Castling, CastlingRights, Color, Feature, Generator, Kind, Move, MoveKind,
    MoveList, Piece, Position, Square, Stage, State, Undo, Wing, squares_of,
};
use raywalk_ferret::Index16;
use raywalk_measure::design::{Built, Design};
use raywalk_positions::facts;

use super::{DesignDivider, Difference, bisect, build};
use crate::registry;
use crate::verify::{self, Candidate, Limits, Outcome};

/// A bug as a type, because a board is set up from a position alone.
trait Plant: Clone + Send + Sync + 'static {
    const BUG: Bug;
}

/// A right board with one bug.
#[derive(Clone)]
struct Faulty<P> {
    board: Board8x8,
    last: Option<Last>,
    plant: PhantomData<P>,
}

/// The last move made, with what the faulty tests for check need to know of it.
#[derive(Clone, Copy)]
struct Last {
    mv: Move,
    undo: Undo,
    moved: Kind,
    was_in_check: bool,
}

/// The wing of a castling move.
fn wing_of(castle: Move) -> Wing {
    if castle.to().file() == 6 { Wing::King } else { Wing::Queen }
}

impl<P: Plant> Faulty<P> {
    /// The move that the board makes instead of `mv`. `rook` is the square of a castling rook, before
    /// or after the move.
    fn made(&self, mv: Move, side: Color, rook: impl Fn(Castling) -> Square) -> Move {
        let plain = Move::new(mv.from(), mv.to());
        match mv.kind() {
            MoveKind::EnPassant if P::BUG == Bug::EnPassantTakesNothing => plain,
            // A bug may have left the right to castle with a rook that is no longer there.
            MoveKind::Castle => {
                let rook = rook(Castling::of(side, wing_of(mv)));
                let is_there = self.board.piece_at(rook) == Some(Piece::new(side, Kind::Rook));
                if is_there { mv } else { plain }
            }
            _ => mv,
        }
    }

    fn set_rights(&mut self, rights: CastlingRights) {
        let position = self.board.position();
        let state = State { rights, ..position.state() };
        self.board = Board8x8::new(&Position::trusted(*position.squares(), state));
    }

    /// Whether `color`, which has just made the move, is in check as the bug sees it.
    fn left_in_check(&self, color: Color, last: Last) -> bool {
        let Last { mv, undo, moved, was_in_check } = last;
        let en_passant = mv.kind() == MoveKind::EnPassant;
        match P::BUG {
            Bug::PinsAreIgnored if moved != Kind::King && !was_in_check && !en_passant => false,
            Bug::CapturedPawnShields if en_passant => {
                let mut board = self.board.clone();
                board.unmake(mv, undo);
                board.make(Move::new(mv.from(), mv.to()));
                board.in_check(color)
            }
            Bug::CastlesIntoCheck if mv.kind() == MoveKind::Castle => false,
            _ => self.board.in_check(color),
        }
    }

    /// Appends the castling moves that only the bug allows.
    fn push_castling(&self, list: &mut MoveList) {
        let state = self.state();
        for wing in [Wing::King, Wing::Queen] {
            let castling = Castling::of(state.side, wing);
            let attacked = [castling.king_from, castling.rook_to, castling.king_to]
                .map(|square| self.board.attacked(square, !state.side));
            let allowed = match P::BUG {
                Bug::CastlesOutOfCheck => attacked == [true, false, false],
                Bug::CastlesThroughCheck => attacked == [false, true, false],
                Bug::CastlesIntoCheck => attacked == [false, false, true],
                _ => false,
            };
            if allowed
                && state.rights.contains(CastlingRights::one(state.side, wing))
                && squares_of(castling.between).all(|square| self.piece_at(square).is_none())
            {
                list.push(Move::castle(castling.king_from, castling.king_to));
            }
        }
    }
}

impl<P: Plant> Board for Faulty<P> {
    fn new(position: &Position) -> Self {
        Faulty { board: Board8x8::new(position), last: None, plant: PhantomData }
    }

    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board.piece_at(square)
    }

    fn state(&self) -> State {
        self.board.state()
    }

    fn king(&self, color: Color) -> Square {
        self.board.king(color)
    }

    fn attacked(&self, square: Square, by: Color) -> bool {
        self.board.attacked(square, by)
    }

    fn make(&mut self, mv: Move) -> Undo {
        let before = self.state();
        let moved = self.piece_at(mv.from()).expect("a move starts at a piece").kind;
        let was_in_check = self.board.in_check(before.side);
        let made = self.made(mv, before.side, |castling| castling.rook_from);
        let undo = self.board.make(made);
        if P::BUG == Bug::RightOutlivesTheRook {
            for wing in [Wing::King, Wing::Queen] {
                let right = CastlingRights::one(!before.side, wing);
                let home = Castling::of(!before.side, wing).rook_from;
                if before.rights.contains(right) && mv.to() == home {
                    self.set_rights(self.state().rights.union(right));
                }
            }
        }
        self.last = Some(Last { mv, undo, moved, was_in_check });
        undo
    }

    fn unmake(&mut self, mv: Move, undo: Undo) {
        let rights = self.state().rights;
        let made = self.made(mv, undo.state.side, |castling| castling.rook_to);
        self.board.unmake(made, undo);
        if P::BUG == Bug::UnmakeForgetsRights {
            self.set_rights(rights);
        }
        self.last = None;
    }

    fn in_check(&self, color: Color) -> bool {
        match self.last {
            Some(last) if color != self.state().side => self.left_in_check(color, last),
            _ => self.board.in_check(color),
        }
    }
}

/// Ferret on a board with a bug.
struct FaultyFerret<P>(Box<Index16>, PhantomData<P>);

const CARD: Card = Card { id: "planted", name: "Planted bug", ..Index16::CARD };

impl<P: Plant> Generator for FaultyFerret<P> {
    const CARD: Card = CARD;
    type Board = Faulty<P>;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(FaultyFerret(Index16::build()?, PhantomData)))
    }

    fn generate<S: Stage>(&self, board: &Faulty<P>, list: &mut MoveList) {
        self.0.generate::<S>(&board.board, list);
        if S::QUIETS && !S::SLIDERS_ONLY {
            board.push_castling(list);
        }
    }
}

/// Declares the bugs as values and as types, and a function that builds the design of one.
macro_rules! plants {
    ($($(#[$about:meta])* $bug:ident,)+) => {
        /// A bug that is planted, by what goes wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Bug {
            $($(#[$about])* $bug,)+
        }

        $(
            #[derive(Clone)]
            struct $bug;
            impl Plant for $bug {
                const BUG: Bug = Bug::$bug;
            }
            raywalk_core::entries!(FaultyFerret<$bug>);
        )+

        fn planted(bug: Bug) -> Box<dyn Design> {
            match bug {
                $(Bug::$bug => Box::new(
                    Built::<FaultyFerret<$bug>>::build().expect("Ferret needs no feature"),
                ),)+
            }
        }
    };
}

plants! {
    /// No bug: nothing must be found in it.
    Control,
    /// A pawn captured en passant stays on the board.
    EnPassantTakesNothing,
    /// Only the king's own moves are tested for check, unless the king was in check before.
    PinsAreIgnored,
    /// The check test after an en passant capture still sees the captured pawn.
    CapturedPawnShields,
    /// Castling does not test whether the king is in check.
    CastlesOutOfCheck,
    /// Castling does not test whether the square that the king crosses is attacked.
    CastlesThroughCheck,
    /// Castling does not test whether the square on which the king lands is attacked.
    CastlesIntoCheck,
    /// The castling right of a rook outlives its capture.
    RightOutlivesTheRook,
    /// Castling rights are not restored when a move is taken back.
    UnmakeForgetsRights,
}

fn hunt(bug: Bug, fen: &str, depth: u32) -> anyhow::Result<Option<Difference>> {
    let mut right = DesignDivider(build(registry::REFERENCE)?);
    let root = fen.parse().expect("a position");
    bisect(&mut DesignDivider(planted(bug)), &mut right, root, depth)
}

/// Bugs that show in a list of moves: the position to start from, the move that leads to the first wrong
/// list, and the moves in it that are too many.
const IN_LISTS: [(Bug, &str, &str, &[&str]); 5] = [
    // The rook pins the knight.
    (
        Bug::PinsAreIgnored,
        "r5k1/8/8/8/8/8/4N3/4K3 b - - 0 1",
        "a8e8",
        &["e2c1", "e2c3", "e2d4", "e2f4", "e2g1", "e2g3"],
    ),
    // Both pawns leave the fourth rank, on which the queen then sees the king.
    (Bug::CapturedPawnShields, "8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1", "d2d4", &["e4d3"]),
    (Bug::CastlesOutOfCheck, "r5k1/8/8/8/8/8/8/4K2R b K - 0 1", "a8a1", &["e1g1"]),
    (Bug::CastlesThroughCheck, "r5k1/8/8/8/8/8/8/4K2R b K - 0 1", "a8f8", &["e1g1"]),
    (Bug::CastlesIntoCheck, "r6k/8/8/8/8/8/8/R3K3 b Q - 0 1", "a8c8", &["e1c1"]),
];

/// Bugs that show only on a board on which moves were made or taken back: the position to start from, and
/// the path to the move below which the counts are wrong. The board is right when it is set up anew.
const ON_BOARDS: [(Bug, &str, &str); 3] = [
    (
        Bug::EnPassantTakesNothing,
        "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
        "d7d5 e5d6",
    ),
    (Bug::RightOutlivesTheRook, "4k3/8/8/3b4/8/8/8/4K2R b K - 0 1", "d5h1"),
    // Below e8d7 the moves of White's king are taken back, and the rights are lost for the next row.
    (Bug::UnmakeForgetsRights, "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1", "e8d8"),
];

#[test]
fn hunt_finds_every_bug_that_shows_in_a_list_of_moves() {
    for (bug, fen, path, extra) in IN_LISTS {
        let found = hunt(bug, fen, 2).expect("a list differs").expect("a difference");
        assert_eq!(found.path, [path], "{bug:?}");
        assert_eq!(found.extra, extra, "{bug:?}");
        assert!(found.missing.is_empty(), "{bug:?}");
        assert_eq!(hunt(Bug::Control, fen, 2).expect("a right design"), None);
    }
}

#[test]
fn hunt_names_the_path_to_a_move_that_is_made_or_taken_back_wrongly() {
    for (bug, fen, path) in ON_BOARDS {
        let error = hunt(bug, fen, 3).expect_err("no list is wrong").to_string();
        assert!(error.contains("makes a move or takes one back wrongly"), "{bug:?}: {error}");
        assert!(error.contains(&format!("`{path}`")), "{bug:?}: {error}");
        assert_eq!(hunt(Bug::Control, fen, 3).expect("a right design"), None);
    }
}

/// Outcome of `raywalk verify` with the bundled counts up to 30,000 leaves.
fn verified(bug: Bug) -> Outcome {
    let candidate = Candidate { card: &CARD, design: planted(bug) };
    let limits = Limits { nodes: 30_000, depth: 4 };
    verify::facts(&[candidate], facts::perft(), limits, &|_| ()).remove(0)
}

#[test]
fn verify_finds_every_bug_and_none_in_the_control() {
    assert_eq!(verified(Bug::Control).mismatch, None);
    let in_lists = IN_LISTS.map(|case| case.0);
    for bug in in_lists.into_iter().chain(ON_BOARDS.map(|case| case.0)) {
        assert!(verified(bug).mismatch.is_some(), "{bug:?}");
    }
}
