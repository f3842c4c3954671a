//! The naive baseline: rank and file are stepped separately, and each is compared with the edge.
//!
//! A blog post for beginners calls it "the intuitive way" and warns that it is easy but slow. Nobody
//! claims to have invented it. As written, it makes four comparisons per square; the compiler folds
//! each pair into one unsigned comparison, which leaves two. The index is computed from both
//! coordinates on every square, but off the carried dependency chain.

use std::hint::black_box;
use std::marker::PhantomData;

use raywalk_core::square_board::{Board8x8, Code, ColourBits, Visitor};
use raywalk_core::{Card, Color, Cursor, Feature, Generator, Kind, Move, MoveList, Square, Stage};

use crate::layouts::MAILBOX;

/// Steps rank and file separately. It has no table.
pub struct Array2d;

impl Generator for Array2d {
    const CARD: Card = Card {
        id: "mailbox/array-2d",
        name: "2-D array",
        author: "unattributed",
        year: None,
        source: "Building a Chess Move Generator: What You Need to Get Started",
        reconstructed: "everything: the source names the idea, shows no loop and has no date",
        ..MAILBOX
    };
    type Board = Board8x8;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Array2d))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Board8x8, list: &mut MoveList) {
        let (side, cursor) = (board.side(), list.cursor());
        board.visit::<S>(&mut Walk::<S> { board, side, list: cursor, stage: PhantomData });
        board.special_moves::<S>(list);
    }
}

/// The steps of each kind, from a table, so that the compiler sees two loops with unknown numbers of iterations.
const STEPS: [&[(i8, i8)]; 6] = {
    let [pawn, knight, bishop, rook, queen, king] = Kind::ALL;
    [pawn.steps(), knight.steps(), bishop.steps(), rook.steps(), queen.steps(), king.steps()]
};

struct Walk<'a, S> {
    board: &'a Board8x8,
    side: Color,
    list: Cursor<'a>,
    stage: PhantomData<S>,
}

impl<S: Stage> Walk<'_, S> {
    #[inline(always)]
    fn walk<const SLIDES: bool>(&mut self, from: u8, steps: &[(i8, i8)]) {
        let origin = Square::from_low_bits(u32::from(from));
        // Opaque, so that the compiler does not copy the loop for each of eight steps.
        for &(files, ranks) in black_box(steps) {
            let (mut file, mut rank) = (origin.file() as i8 + files, origin.rank() as i8 + ranks);
            // Each `contains` compiles to one unsigned comparison: a negative value wraps above 7.
            while (0..8).contains(&rank) && (0..8).contains(&file) {
                let to = Square::new(file as u8, rank as u8);
                let code = self.board.code(to.number());
                if !ColourBits::is_empty(code) {
                    if S::CAPTURES && ColourBits::is_enemy(code, self.side) {
                        self.list.push(Move::new(origin, to));
                    }
                    break;
                }
                if S::QUIETS {
                    self.list.push(Move::new(origin, to));
                }
                if !SLIDES {
                    break;
                }
                file += files;
                rank += ranks;
            }
        }
    }
}

impl<S: Stage> Visitor for Walk<'_, S> {
    #[inline(always)]
    fn pawn(&mut self, from: u8) {
        self.board.pawn_moves::<S>(from, &mut self.list);
    }

    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: u8) {
        let steps = STEPS[kind.index()];
        if kind.is_slider() {
            self.walk::<true>(from, steps);
        } else {
            self.walk::<false>(from, steps);
        }
    }
}
