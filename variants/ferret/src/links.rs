//! The lists as a walk sees them, independent of how they are linked.

use raywalk_core::{Card, Square, two_way::Heads};

/// All lists, with one kind of link.
pub trait Links: Sized + Send + Sync + 'static {
    /// The card of the design with these links.
    const CARD: Card;
    /// The stored form of a head: an index or an address.
    type Head: Copy;
    /// A place in a list.
    type Place<'lists>: Place;
    /// Whether the move to an occupied target is stored whether or not it counts.
    const STORES_ALWAYS: bool = false;
    /// Whether the move to an empty target is stored where only captures are wanted.
    const STORES_AT_EMPTY: bool = false;
    /// Whether the link of an occupied square may lead to the end of the list. Otherwise it is `None` there.
    const LINKS_LEAD_TO_END: bool = false;

    /// Builds all lists, with their links and heads.
    fn build() -> Self;

    /// The head of each list.
    fn heads(&self) -> &Heads<Self::Head>;

    /// The place of the first element of a list.
    fn start(&self, head: Self::Head) -> Self::Place<'_>;

    /// Whether the list of a piece on `origin` ends at an element with this number: as published, at the sentinel,
    /// which alone has a negative number.
    #[inline(always)]
    fn is_end(square: isize, _origin: Square) -> bool {
        square < 0
    }

    /// Bytes of elements and heads.
    fn bytes(&self) -> usize;
}

/// The place of an element in its list.
pub trait Place: Copy {
    /// The number of the target, or that of the sentinel. In a register of full width, by which the board is indexed
    /// without an extension.
    fn square(self) -> isize;
    /// The following element, where the walk continues if the target is empty.
    ///
    /// # Safety
    /// The element is a target, not a sentinel: the table may end behind a sentinel.
    unsafe fn next(self) -> Self;
    /// The first element of the next ray, where the walk continues if the target is occupied;
    /// `None` on the last ray.
    fn blocked(self) -> Option<Self>;
}
