//! The bundled famous games: 68 games from 1750 to 2023.
//!
//! The file stores moves in UCI notation, so reading it needs nothing but the oracle's list of
//! legal moves: a text is legal exactly if one of them prints as that text.

use crate::oracle::{self, Board};

/// The file, with its format and its source in the comments at the top.
pub(crate) const TEXT: &str = include_str!("../facts/famous-games.txt");

/// Number of distinct positions in all games.
pub(crate) const DISTINCT: usize = 6_204;

/// The games in the order of the file, each as its heading and its moves.
pub(crate) fn games() -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut lines = TEXT.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    std::iter::from_fn(move || Some((lines.next()?, lines.next()?)))
}

/// The boards of a game from the start position to the last one, one more than there are moves.
///
/// # Errors
/// The first move that is not legal, as written.
pub(crate) fn replay(moves: &str) -> Result<Vec<Board>, &str> {
    let mut board = Board::default();
    let mut boards = vec![board.clone()];
    for text in moves.split_whitespace() {
        let mut played = None;
        oracle::each_move(&board, |theirs, ours| {
            if ours.to_string() == text {
                played = Some(theirs);
            }
        });
        board.play_unchecked(played.ok_or(text)?);
        boards.push(board.clone());
    }
    Ok(boards)
}

#[cfg(test)]
mod tests {
    use raywalk_core::{Color, MoveKind};

    use super::*;

    fn boards(moves: &str) -> Vec<Board> {
        replay(moves).expect("a bundled game")
    }

    #[test]
    fn every_game_has_a_full_heading_and_legal_moves() {
        for (heading, moves) in games() {
            assert_eq!(heading.split(" | ").count(), 7, "{heading}");
            assert!(replay(moves).is_ok(), "{heading}: {:?}", replay(moves));
        }
        let lengths: Vec<_> = games().map(|(_, moves)| boards(moves).len() - 1).collect();
        assert_eq!((lengths.len(), lengths.iter().sum()), (68, 6628));
        assert_eq!((lengths.iter().min(), lengths.iter().max()), (Some(&13), Some(&538)));
    }

    #[test]
    fn the_games_hold_their_known_numbers_of_rare_moves() {
        let mut kinds = Vec::new();
        for (_, moves) in games() {
            for (board, text) in boards(moves).iter().zip(moves.split(' ')) {
                oracle::each_move(board, |_, mv| {
                    if mv.to_string() == text {
                        kinds.push(mv.kind());
                    }
                });
            }
        }
        let count =
            |wanted: fn(&MoveKind) -> bool| kinds.iter().filter(|kind| wanted(kind)).count();
        assert_eq!(kinds.len(), 6628);
        assert_eq!(count(|kind| *kind == MoveKind::EnPassant), 5);
        assert_eq!(count(|kind| *kind == MoveKind::Castle), 110);
        assert_eq!(count(|kind| matches!(kind, MoveKind::Promotion(_))), 9);
    }

    #[test]
    fn nine_games_end_in_mate_of_the_side_that_lost() {
        let mut mates = 0;
        for (heading, moves) in games() {
            let boards = boards(moves);
            let last = boards.last().expect("at least the start position");
            if oracle::can_move(last) || !oracle::in_check(last) {
                continue;
            }
            mates += 1;
            let result = match oracle::side(last) {
                Color::White => "0-1",
                Color::Black => "1-0",
            };
            assert!(heading.ends_with(result), "{heading}");
        }
        assert_eq!(mates, 9);
    }

    #[test]
    fn an_illegal_move_is_returned_as_written() {
        assert_eq!(replay("e2e4 e7e5 e1e3"), Err("e1e3"));
        assert_eq!(replay("e2e4 é"), Err("é"));
        assert_eq!(replay("").map(|boards| boards.len()), Ok(1));
    }
}
