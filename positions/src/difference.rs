//! The difference between a generated move list and the right one.
//!
//! The conformance kit and `raywalk verify` both compare with it: the kit prints the moves, the command
//! counts them.

use raywalk_core::Move;

/// The moves by which two lists differ as multisets, sorted. The order of the lists does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Expected moves that were not found.
    pub missing: Vec<Move>,
    /// Moves that were found but not expected. A move that was generated twice is one too many.
    pub extra: Vec<Move>,
}

impl Difference {
    /// Compares the moves of a design with the expected ones.
    pub fn of(found: &[Move], expected: &[Move]) -> Difference {
        let [found, expected] = [found, expected].map(sorted);
        if found == expected {
            return Difference::default();
        }
        Difference { missing: minus(&expected, &found), extra: minus(&found, &expected) }
    }

    /// Whether the lists hold the same moves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of moves that are missing or extra.
    pub fn len(&self) -> usize {
        self.missing.len() + self.extra.len()
    }
}

/// The moves that a list repeats, sorted: a move that occurs *n* times is repeated *n* - 1 times.
pub fn repeated(moves: &[Move]) -> Vec<Move> {
    let moves = sorted(moves);
    moves.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect()
}

fn sorted(moves: &[Move]) -> Vec<Move> {
    let mut moves = moves.to_vec();
    moves.sort_unstable();
    moves
}

/// The moves of `a` without those of `b`, both sorted. A move that occurs twice has to be removed twice.
fn minus(a: &[Move], b: &[Move]) -> Vec<Move> {
    let mut removed = b.iter().peekable();
    let mut left = a.to_vec();
    left.retain(|mv| {
        while removed.next_if(|other| *other < mv).is_some() {}
        removed.next_if_eq(&mv).is_none()
    });
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::Square;

    fn mv(from: &str, to: &str) -> Move {
        let square = |name: &str| name.parse::<Square>().expect("a square");
        Move::new(square(from), square(to))
    }

    #[test]
    fn equal_lists_have_no_difference_in_any_order() {
        let (a, b) = (mv("a2", "a3"), mv("b2", "b3"));
        assert!(Difference::of(&[a, b], &[b, a]).is_empty());
        assert!(Difference::of(&[], &[]).is_empty());
    }

    #[test]
    fn missing_and_extra_moves_are_told_apart() {
        let (a, b, c) = (mv("a2", "a3"), mv("b2", "b3"), mv("c2", "c3"));
        let difference = Difference::of(&[c, a], &[a, b]);
        assert_eq!(difference, Difference { missing: vec![b], extra: vec![c] });
        assert_eq!(difference.len(), 2);
    }

    #[test]
    fn a_move_generated_twice_is_one_too_many() {
        let (a, b) = (mv("a2", "a3"), mv("b2", "b3"));
        assert_eq!(Difference::of(&[a, b, a], &[a, b]).extra, [a]);
        assert_eq!(Difference::of(&[a, b, a], &[a, b, a]), Difference::default());
        assert_eq!(repeated(&[a, b, a, a]), [a, a]);
    }
}
