//! Reading a list, or two lists one after the other.

use std::iter::Rev;
use std::slice::Iter;

use super::{MoveList, captures_of, others_of};
use crate::{Move, MoveFormat, Slots};

/// The moves of a list.
#[derive(Clone, Debug)]
pub struct Moves<'list, F: MoveFormat> {
    words: Words<'list, F>,
}

impl<'list, F: MoveFormat> Moves<'list, F> {
    #[inline]
    pub(super) fn of(list: &'list MoveList<F>) -> Moves<'list, F> {
        Moves { words: Words::of(list) }
    }
}

impl<F: MoveFormat> Iterator for Moves<'_, F> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        self.words.next().map(F::unpack)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.words.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Move> {
        self.words.nth(n).map(F::unpack)
    }
}

impl<F: MoveFormat> ExactSizeIterator for Moves<'_, F> {}

/// The moves of a list in their format. For a format with one list it is the iterator of a slice.
#[derive(Clone, Debug)]
pub struct Words<'list, F: MoveFormat> {
    captures: Rev<Iter<'list, F>>,
    others: Iter<'list, F>,
}

impl<'list, F: MoveFormat> Words<'list, F> {
    #[inline]
    pub(super) fn of(list: &'list MoveList<F>) -> Words<'list, F> {
        // `min` tells the compiler that the slices are in bounds.
        let capacity = <F::Slots as Slots<F>>::CAPACITY;
        let captures = captures_of::<F>(list.len).min(capacity);
        let others = others_of::<F>(list.len).min(capacity);
        let slots = list.slots.all();
        Words {
            captures: slots[capacity - captures..capacity].iter().rev(),
            others: slots[..others].iter(),
        }
    }
}

impl<F: MoveFormat> Iterator for Words<'_, F> {
    type Item = F;

    #[inline]
    fn next(&mut self) -> Option<F> {
        if F::TWO_LISTS
            && let Some(&word) = self.captures.next()
        {
            return Some(word);
        }
        self.others.next().copied()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.others.len() + if F::TWO_LISTS { self.captures.len() } else { 0 };
        (len, Some(len))
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<F> {
        if !F::TWO_LISTS {
            return self.others.nth(n).copied();
        }
        let behind = n.saturating_sub(self.captures.len());
        match self.captures.nth(n) {
            Some(&word) => Some(word),
            None => self.others.nth(behind).copied(),
        }
    }
}

impl<F: MoveFormat> ExactSizeIterator for Words<'_, F> {}
