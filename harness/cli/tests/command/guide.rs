//! The worked walk of `docs/adding-a-design.md`, on top of the template of `raywalk new-design`.

use std::marker::PhantomData;

use raywalk_core::square_board::{Board8x8, Code, ColourBits, Visitor, kept};
use raywalk_core::{
    Card, Color, Control, Cursor, Feature, Generator, Kind, Legality, Move, MoveList, Square, Stage,
};

struct Mine {}

raywalk_core::entries!(Mine);

impl Generator for Mine {
    const CARD: Card = Card {
        id: "mine",
        name: "Mine",
        author: "you",
        year: Some(2026),
        source: "where it can be read",
        control: Control::Branchy,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[],
        reconstructed: "",
    };
    type Board = Board8x8;
    type Moves = Move;

    fn build() -> Result<Box<Mine>, Feature> {
        Ok(Box::new(Mine {}))
    }

    fn generate<S: Stage>(&self, board: &Board8x8, list: &mut MoveList) {
        let (side, cursor) = (board.side(), list.cursor());
        board.visit::<S>(&mut Walk::<S> { board, list: cursor, side, stage: PhantomData });
        board.special_moves::<S>(list);
    }
}

struct Walk<'a, S> {
    board: &'a Board8x8,
    list: Cursor<'a>,
    side: Color,
    stage: PhantomData<S>,
}

impl<S: Stage> Walk<'_, S> {
    fn add(&mut self, from: Square, to: Square) {
        let code = self.board.code(to.number());
        self.list.push_if(Move::new(from, to), kept::<S, ColourBits>(code, self.side));
    }
}

impl<S: Stage> Visitor for Walk<'_, S> {
    fn pawn(&mut self, from: u8) {
        self.board.pawn_moves::<S>(from, &mut self.list);
    }

    fn piece(&mut self, kind: Kind, from: u8) {
        let from = Square::from_low_bits(u32::from(from));
        for &(files, ranks) in kind.steps() {
            let mut next = from.offset(files, ranks);
            while let Some(to) = next {
                self.add(from, to);
                let blocked = !ColourBits::is_empty(self.board.code(to.number()));
                next = if blocked || !kind.is_slider() { None } else { to.offset(files, ranks) };
            }
        }
    }
}

raywalk_conformance::conformance!(Mine);

#[test]
fn the_guide_shows_the_walk_that_is_tested_here() {
    let guide = include_str!("../../../../docs/adding-a-design.md");
    let shown = guide.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    let shown = shown.expect("a block of Rust");
    assert!(include_str!("guide.rs").contains(shown), "{shown}");
    // The template already has everything else.
    let template = include_str!("../../templates/lib.rs.txt");
    for line in ["board.special_moves::<S>(list);", "fn add(&mut self, from: Square, to: Square) {"]
    {
        assert!(template.contains(line), "{line}");
    }
}
