//! Files of positions, above all games in PGN.
//!
//! The positions of an accepted file are written as games in coordinates (`e2e4`), one move from each position to the
//! next, and read again; the positions must be the same. Moves in the file are mostly in algebraic notation, so the
//! two readings use different parts of the reader.

use raywalk_core::Position;
use raywalk_positions::oracle;
use raywalk_positions::position_file::PositionFile;

use super::position::{as_in_cozy_chess, check_position};
use super::{Answer, Checked, refused};
use crate::mutation::Corpus;

/// Pairs of lines: a heading that begins with White's name, and moves in coordinates.
const FAMOUS: &str = include_str!("../../../../../positions/facts/famous-games.txt");
/// Positions of a file that are checked. A mebibyte holds 200,000, whose checks take longer than a hang.
const CHECKED: usize = 4_096;
/// Plies of each famous game that are used.
const PLIES: usize = 12;

/// Small games with every feature of the notation, and the beginnings of famous ones.
pub(super) fn games() -> Corpus {
    let opera = "[Event \"Paris\"]\n[White \"Morphy, Paul\"]\n[Result \"1-0\"]\n\n\
        1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6\n\
        9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6\n\
        15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0\n";
    let mate = "[Event \"?\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let passing = "[Event \"?\"]\n\n1. e4 Nf6 2. e5 d5 3. exd6 exd6 4. Be2 Be7 *\n";
    let promotion =
        "[SetUp \"1\"]\n[FEN \"1r5k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. axb8=Q+ Kg7 2. Qe5+ *\n";
    let castling = "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9\"]\n\n9... O-O-O 10. 0-0+ Rdf8?! 11.Rab1 1/2-1/2\n";
    let full = "[Event \"the \\\"best\\\" \\\\ \"]\n\n% escaped\n1. e4 {a comment (} e5 $1 ; to the end )\n\
        2. Nf3 (2. f4 exf4 (2... d5 {deep}) 3. Nf3) 2... Nc6!? 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n";
    let long = "[Event \"?\"]\n1. e2-e4 e7e5 2. Ng1-f3 Nb8c6 3. Bf1-c4 *\n";
    let mut seeds: Vec<String> =
        [opera, mate, passing, promotion, castling, full, long].map(str::to_owned).to_vec();
    seeds.push([mate, promotion, opera].join("\n"));
    seeds.push(format!("\u{feff}{}", [full, castling].join("\n").replace('\n', "\r\n")));
    let lines: Vec<&str> =
        FAMOUS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    seeds.extend(lines.chunks_exact(2).map(|game| {
        let white = game[0].split(" | ").next().unwrap_or_default();
        let moves: Vec<&str> = game[1].split(' ').take(PLIES).collect();
        format!("[White \"{white}\"]\n\n{} *\n", moves.join(" "))
    }));
    Corpus { seeds: seeds.into_iter().map(String::into_bytes).collect(), words: WORDS }
}

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "e4", "e5", "Nf3", "Nc6", "d4", "exd5", "exd6", "e.p.", "O-O", "O-O-O", "0-0", "o-o", "a8=Q",
    "axb8=N+", "a7a8q", "e1g1", "Rad1", "R1d1", "Qh4e1", "1.", "1...", "12.", "…", "1-0", "0-1",
    "1/2-1/2", "*", "½-½", "{", "}", "(", ")", "[", "]", ";", "%", "\n%", "$1", "$", "!", "?!", "#",
    "+", "x", "=", "-", "\"", "\\", "\\\"", "\n", "\r\n", "\n\n", "[Event \"?\"]\n", "[SetUp \"1\"]\n",
    "[SetUp \"0\"]\n", "[FEN \"8/8/8/3k4/8/3K4/8/8 w - - 0 1\"]\n", "[FEN \"", "[Variant \"Atomic\"]\n",
    "[Variant \"Standard\"]\n", "startpos", "--", "Z0",
];

pub(super) fn read(input: &[u8], number: u64) -> Checked {
    // With the extension every text is read as games, without it the content decides.
    let extension = number.is_multiple_of(2).then_some("pgn");
    match PositionFile::parse(input, extension) {
        Ok(file) => {
            let samples = file.samples.iter().take(CHECKED);
            let positions: Vec<Position> = samples.map(|sample| sample.position).collect();
            for (sample, position) in file.samples.iter().zip(&positions) {
                check_position(position)?;
                let legal = oracle::legal_moves(position).map_err(|error| error.to_string())?.len();
                if usize::from(sample.legal) != legal {
                    return Err(format!("{position}: {} legal moves, not {legal}", sample.legal));
                }
            }
            // Games have no counters beyond those of cozy-chess.
            check_round_trip(&positions.iter().map(as_in_cozy_chess).collect::<Vec<_>>())?;
            Ok(Answer::Accepted)
        }
        Err(error) => refused(&anyhow::Error::new(error).context("cannot read mutated.pgn")),
    }
}

fn check_round_trip(positions: &[Position]) -> Result<(), String> {
    let text = written(positions);
    let again = PositionFile::parse(text.as_bytes(), Some("pgn"))
        .map_err(|error| format!("written as games, then refused: {error}\n{text}"))?;
    let again = again.samples.iter().map(|sample| sample.position);
    if again.eq(positions.iter().copied()) {
        return Ok(());
    }
    Err(format!("written as games, the positions differ: {text}"))
}

/// Positions as games in coordinates. A position that no move leads to begins a game.
fn written(positions: &[Position]) -> String {
    let mut text = String::new();
    let mut before: Option<&Position> = None;
    for position in positions {
        match before.and_then(|before| move_between(before, position)) {
            Some(mv) => text += &format!("{mv}\n"),
            // The result ends the game before, which may have no move.
            None => text += &format!("*\n[FEN \"{position}\"]\n"),
        }
        before = Some(position);
    }
    text
}

/// The move that leads from one position to the other, if there is one.
fn move_between(before: &Position, after: &Position) -> Option<String> {
    let board = oracle::board(before).ok()?;
    let mut found = None;
    oracle::each_move(&board, |theirs, ours| {
        let mut next = board.clone();
        next.play_unchecked(theirs);
        if oracle::position(&next) == *after {
            found = Some(ours.to_string());
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_famous_games_are_among_the_seeds() {
        let seeds = games().seeds;
        assert_eq!(seeds.len(), 9 + 68);
        assert!(seeds[9].starts_with(b"[White \"Legall de Kermeur\"]\n\ne2e4 e7e5 g1f3"));
    }

    #[test]
    fn games_are_written_in_coordinates() {
        let read = |text: &str| PositionFile::parse(text.as_bytes(), Some("pgn")).expect(text);
        let file = read("e4 e5 [FEN \"8/8/8/3k4/8/3K4/8/8 w - - 0 1\"]\nKe3");
        let positions: Vec<_> = file.samples.iter().map(|sample| sample.position).collect();
        let start = Position::START;
        let expected = format!(
            "*\n[FEN \"{start}\"]\ne2e4\ne7e5\n*\n[FEN \"8/8/8/3k4/8/3K4/8/8 w - - 0 1\"]\nd3e3\n"
        );
        assert_eq!(written(&positions), expected);
        assert_eq!(check_round_trip(&positions), Ok(()));
    }
}
