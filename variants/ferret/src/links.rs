//! What a walk needs of the lists, however they are linked.

use raywalk_core::{Card, two_way::Heads};

/// The lists with one kind of link.
pub trait Links: Sized + Send + Sync + 'static {
    /// What the source says of it.
    const CARD: Card;
    /// How the first element of a list is stored.
    type Head: Copy;
    /// A place in a list.
    type Place<'lists>: Place;

    /// Links the plain lists.
    fn build() -> Self;

    /// The first elements.
    fn heads(&self) -> &Heads<Self::Head>;

    /// Where a walk begins.
    fn start(&self, head: Self::Head) -> Self::Place<'_>;

    /// Bytes of elements and heads.
    fn bytes(&self) -> usize;
}

/// An element in its list.
pub trait Place: Copy {
    /// The target, below zero for the sentinel.
    fn square(self) -> i32;
    /// The next element: where to go from a square that is empty.
    ///
    /// # Safety
    /// The element is a target and not a sentinel, behind which the table may end.
    unsafe fn next(self) -> Self;
    /// Where to go from a square that is blocked; none on the last ray.
    fn blocked(self) -> Option<Self>;
}
