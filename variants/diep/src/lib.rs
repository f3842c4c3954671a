//! Diep's lists (Vincent Diepeveen), a reconstruction.
//!
//! # What is public
//! A skeleton of the generator of Diep (1994 to 2012), posted about 2004 and 2005, and discussed
//! again in 2012. It is of Ferret's family: the targets of a kind from an origin stand in one list,
//! ray after ray, and the index advances by one. What is new is how a blocked ray ends. Each
//! element has a *skip increment* that leads to the next direction; it is ANDed with a mask that is
//! zero for an empty target and −1 for an occupied one, and added always. No branch decides the
//! advance. Board codes run from 1 to 6 for White and from 9 to 14 for Black.
//!
//! # What is not
//! The layout of an element, whether own and enemy were told apart by a branch, and how knights,
//! kings and pawns were treated. What stands here is our reconstruction and no program of
//! Diepeveen's: two bytes an element, the own square as the end of each list, leapers as sliders
//! with rays of one square, and two lists for each pawn. For the open question there is one design
//! of each answer.
//!
//! # What to expect now
//! Six kilobytes for the sliders, an eighth of Ferret's. The exit is the one branch of the walk and
//! mispredicts about once per piece; in exchange every square waits for the one before: two loads
//! in a row and four simple instructions (six as compiled: the index is masked and the word
//! widened), where Ferret's predicted walk adds one. It pays where blockers cannot be predicted.
//! The idea led to the conditional linked list.
//!
//! | design | own, enemy or empty decides |
//! |---|---|
//! | [`Conditional`] | what is added to the length of the list; the store is made always |
//! | [`Mixed`] | a branch around the store |

mod table;
mod walk;

use std::marker::PhantomData;

use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Stage};

use table::Table;
use walk::{BranchyWrite, ConditionalWrite, DiepBoard, Keeping, Walk};

/// Diep's lists with one way of keeping targets.
pub struct Diep<K> {
    table: Table,
    keeping: PhantomData<K>,
}

/// Stores always and counts by the condition.
pub type Conditional = Diep<ConditionalWrite>;
/// Stores behind a branch.
pub type Mixed = Diep<BranchyWrite>;

/// What the two cards share.
const DIEPEVEEN: Card = Card {
    id: "diep",
    name: "Diep",
    author: "Vincent Diepeveen",
    year: Some(2005),
    source: "Vincent Diepeveen, Computer Chess Club, 1 January 2005, 30 and 31 August and 19 \
             November 2012",
    control: Control::Mixed,
    legality: Legality::Pseudo,
    published_bytes: None,
    needs: &[],
    reconstructed: "all but the masked skip and the board codes: element layout, end of list, \
                    writing, knights, kings, pawns, stages; castling and en passant are those of \
                    the shared board",
};

/// A way of keeping targets, with its card.
pub trait Variant: Keeping {
    /// What its source says of it.
    const CARD: Card;
}
impl Variant for ConditionalWrite {
    const CARD: Card = Card {
        id: "diep/conditional-write",
        name: "Diep, conditional write",
        control: Control::Branchless,
        ..DIEPEVEEN
    };
}
impl Variant for BranchyWrite {
    const CARD: Card =
        Card { id: "diep/mixed", name: "Diep, branch around the store", ..DIEPEVEEN };
}

impl<K: Variant> Generator for Diep<K> {
    const CARD: Card = K::CARD;
    type Board = DiepBoard;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Diep { table: Table::build(), keeping: PhantomData }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &DiepBoard, list: &mut MoveList) {
        board.visit::<S>(&mut Walk::<S, K>::new(&self.table, board, list));
        board.special_moves::<S>(list);
    }

    fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

raywalk_core::entries!(Conditional, Mixed);
