//! Failure messages: the design, what is wrong, and the position as FEN and as a diagram.

use std::fmt;
use std::thread;

use raywalk_core::{Move, Position};
use raywalk_positions::difference::Difference;

/// The message of a broken obligation.
#[derive(Debug)]
pub(crate) struct Failure(String);

/// The result of one check of one position.
pub(crate) type Checked<T = ()> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(position: &Position, problem: impl fmt::Display) -> Failure {
        Failure(format!("{problem}\n  FEN: {position}\n{}", position.drawn()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Runs `check` on every position, for the design with this id. The first failure fails the test.
pub(crate) fn check_each(
    design: &'static str,
    positions: &[Position],
    mut check: impl FnMut(&Position) -> Checked,
) {
    for position in positions {
        let context = PanicContext { design, position };
        let outcome = check(position);
        // The message of a failure names the position already.
        drop(context);
        if let Err(failure) = outcome {
            panic!("{design}: {failure}");
        }
    }
}

/// Prints design and position if the design itself panics, say because an index is out of bounds.
struct PanicContext<'a> {
    design: &'static str,
    position: &'a Position,
}

impl Drop for PanicContext<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let problem = "panicked in this position or after moves from it";
            eprintln!("{}: {}", self.design, Failure::new(self.position, problem));
        }
    }
}

/// Fails unless the design found exactly the expected moves. Neither list needs to be sorted.
pub(crate) fn same_moves(
    position: &Position,
    what: &str,
    found: &[Move],
    expected: &[Move],
) -> Checked {
    match difference(found, expected) {
        None => Ok(()),
        Some(difference) => Err(Failure::new(position, format!("{what}\n{difference}"))),
    }
}

/// One line of missing moves and one of moves that are too many, or `None` if the lists hold the
/// same moves.
fn difference(found: &[Move], expected: &[Move]) -> Option<String> {
    let Difference { missing, extra } = Difference::of(found, expected);
    let line =
        |label, moves: &[Move]| format!("  {label}: {} ({})", format_moves(moves), moves.len());
    let lines: Vec<String> = [("missing", missing), ("too many", extra)]
        .into_iter()
        .filter(|(_, moves)| !moves.is_empty())
        .map(|(label, moves)| line(label, &moves))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Coordinate notation with the marks of castling and en passant, separated by commas.
pub(crate) fn format_moves(moves: &[Move]) -> String {
    // `Debug` shows the marks, so `e5d6` and `e5d6 e.p.` can be told apart.
    moves.iter().map(|mv| format!("{mv:?}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::Square;

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
    }

    fn mv(from: &str, to: &str) -> Move {
        Move::new(square(from), square(to))
    }

    #[test]
    fn equal_lists_have_no_difference_in_any_order() {
        let (a, b) = (mv("a2", "a3"), mv("b2", "b3"));
        assert_eq!(difference(&[a, b], &[b, a]), None);
        assert_eq!(difference(&[], &[]), None);
    }

    #[test]
    fn a_difference_names_only_the_moves_that_differ() {
        let same = mv("a2", "a3");
        let castle = Move::castle(square("e1"), square("g1"));
        let (found, expected) = ([same, mv("e1", "g1"), mv("e1", "e3")], [castle, same]);
        assert_eq!(
            difference(&found, &expected).expect("a difference"),
            "  missing: e1g1 castle (1)\n  too many: e1g1, e1e3 (2)",
        );
        assert_eq!(difference(&[], &[same]).as_deref(), Some("  missing: a2a3 (1)"));
    }

    #[test]
    fn a_move_generated_twice_is_one_too_many() {
        let (a, b) = (mv("a2", "a3"), mv("b2", "b3"));
        assert_eq!(difference(&[a, b, a], &[a, b]).as_deref(), Some("  too many: a2a3 (1)"));
    }

    #[test]
    fn a_failure_shows_the_problem_the_fen_and_the_board() {
        let position: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().expect("a position");
        let failure = same_moves(&position, "the moves are wrong", &[], &[mv("e2", "e3")]);
        let expected = "\
the moves are wrong
  missing: e2e3 (1)
  FEN: 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1
8  . . . . k . . .
7  . . . . . . . .
6  . . . . . . . .
5  . . . . . . . .
4  . . . . . . . .
3  . . . . . . . .
2  . . . . P . . .
1  . . . . K . . .
   a b c d e f g h   White to move";
        assert_eq!(failure.expect_err("a difference").to_string(), expected);
    }
}
