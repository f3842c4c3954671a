//! Games in Portable Game Notation, read as positions by `workloads FILE`.

use super::case::{Case, accepted, refused};

/// Counts the positions of a file of games.
const COUNT: [&str; 2] = ["workloads", "games.pgn"];

/// Name, text, reason.
#[rustfmt::skip] // one row per case
const WRONG: &[(&str, &str, &str)] = &[
    ("empty file", "", "cannot read games.pgn: it contains no position"),
    ("blank lines", "\n\r\n \t\n", "it contains no position"),
    ("result alone", "1-0\n", "it contains no position"),
    ("comment alone", "{no game}\n", "it contains no position"),
    ("escaped line alone", "% no game\n", "it contains no position"),
    ("zero byte", "1. e4\0 *\n", "cannot read games.pgn: it is not UTF-8 text"),
    ("tag without value", "[Event]\n\n1. e4 *\n", "line 1, game 1: `[Event]` is not a tag"),
    ("tag without quotes", "[Event x]\n\n1. e4 *\n", "line 1, game 1: `[Event x]` is not a tag"),
    ("tag without end", "[Event \"x\"\n\n1. e4 *\n", "line 1, game 1: `[Event \"x\"` is not a tag"),
    ("comment without end", "1. e4 {open\ne5 *\n", "line 1, game 1: the comment that begins here has no closing brace"),
    ("variation without end", "1. e4 (1. d4\n*\n", "line 1, game 1: the variation that begins here has no closing"),
    ("nested variation without end", "1. e4 (1. d4 (1. c4)\n*\n", "line 1, game 1: the variation that begins here has no closing"),
    ("closing brace alone", "1. e4 } *\n", "line 1, game 1: `}` has no opening bracket before it"),
    ("closing parenthesis alone", "1. e4 ) *\n", "line 1, game 1: `)` has no opening bracket before it"),
    ("illegal move", "1. e5 *\n", "line 1, game 1: `e5` does not name exactly one legal move"),
    ("illegal move in line 3", "1. e4\ne5\n2. Ke3 *\n", "line 3, game 1: `Ke3` does not name exactly one"),
    ("move of the wrong side", "1. e4 Nf3 *\n", "`Nf3` does not name exactly one"),
    ("word that is no move", "1. e4 hello *\n", "`hello` does not name exactly one"),
    ("piece of another language", "1. Sf3 *\n", "`Sf3` does not name exactly one"),
    ("figurine", "1. \u{2658}f3 *\n", "`\u{2658}f3` does not name exactly one"),
    ("move off the board", "1. i4 *\n", "`i4` does not name exactly one"),
    ("rank 9", "1. e9 *\n", "`e9` does not name exactly one"),
    ("null move", "1. e4 -- *\n", "`--` does not name exactly one"),
    ("castling through pieces", "1. O-O *\n", "`O-O` does not name exactly one"),
    ("castling with four letters", "1. O-O-O-O *\n", "`O-O-O-O` does not name exactly one"),
    ("ambiguous move", "1. Nf3 d5 2. d4 Nf6 3. Nd2 *\n", "`Nd2` does not name exactly one"),
    ("promotion without piece", "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8 *\n", "`a8` does not name exactly one"),
    ("promotion to king", "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=K *\n", "`a8=K` does not name exactly one"),
    ("move after mate", "1. f3 e5 2. g4 Qh4 3. a3 *\n", "`a3` does not name exactly one"),
    ("capture of nothing with a pawn", "1. exd3 *\n", "`exd3` does not name exactly one"),
    ("second game wrong", "1. e4 *\n\n[Event \"2\"]\n\n1. e6 *\n", "line 5, game 2: `e6` does not name exactly one"),
    ("set-up without position", "[SetUp \"1\"]\n\n*\n", "line 1, game 1: the tag SetUp is 1, but the game has no tag FEN"),
    ("malformed position", "[SetUp \"1\"]\n[FEN \"nonsense\"]\n\n*\n", "line 2, game 1: the position of the tag FEN cannot be read"),
    ("position without kings", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*\n", "line 1, game 1: the position of the tag FEN cannot be read"),
    ("Chess960", "[Variant \"Chess960\"]\n\n1. e4 *\n", "line 1, game 1: the variant `Chess960` is not supported"),
    ("Crazyhouse", "[Event \"?\"]\n[Variant \"Crazyhouse\"]\n\n*\n", "line 2, game 1: the variant `Crazyhouse` is not supported"),
    ("control characters in a move", "1. e4\u{1b}[2J *\n", "\\u{1b}"),
];

/// Name, text, number of positions: what programs and servers write.
#[rustfmt::skip] // one row per case
const RIGHT: &[(&str, &str, u32)] = &[
    ("tags only", "[Event \"?\"]\n\n*\n", 1),
    ("moves without tags", "1. e4 e5 2. Nf3 *\n", 4),
    ("without move numbers and result", "e4 e5\n", 3),
    ("no blank after the numbers", "1.e4 e5 2.Nf3 1/2-1/2\n", 4),
    ("black numbers", "1. e4 1... e5 *\n", 3),
    ("line ends of Windows", "[Event \"?\"]\r\n\r\n1. e4 e5\r\n0-1\r\n", 3),
    ("byte order mark", "\u{feff}[Event \"?\"]\n\n1. e4 *\n", 2),
    ("comments of both kinds", "1. e4 {best; by test} e5 ; (the end\n2. Nf3 *\n", 4),
    ("nested variations", "1. e4 (1. d4 d5 (1... Nf6 {Indian})) 1... e5 *\n", 3),
    ("annotations", "1. e4! $1 e5?! $146 2. Nf3!? *\n", 4),
    ("escaped line", "1. e4\n% 1. d4 nonsense\n1... e5 *\n", 3),
    ("check and mate marks", "1. f3 e5 2. g4 Qh4# 0-1\n", 5),
    ("castling with zeros", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 *\n", 9),
    ("coordinates", "1. e2e4 e7e5 2. g1f3 *\n", 4),
    ("long algebraic moves", "1. e2-e4 e7-e5 2. Ng1-f3 *\n", 4),
    ("promotion in small letters", "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8q *\n", 2),
    ("en passant with a mark", "1. e4 a6 2. e5 d5 3. exd6 e.p. *\n", 6),
    ("game without result before the next", "[Event \"1\"]\n\n1. e4\n\n[Event \"2\"]\n\n1. d4 *\n", 4),
    ("position of its own", "[Variant \"From Position\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n", 2),
    ("quotes in a tag", "[Event \"a \\\"b\\\"\"]\n\n1. e4 *\n", 2),
];

pub(crate) fn cases() -> Vec<Case> {
    let wrong = WRONG
        .iter()
        .map(|(name, text, reason)| refused(name, &COUNT, reason).file("games.pgn", text));
    let right = RIGHT.iter().map(|(name, text, positions)| {
        accepted(
            name,
            &COUNT,
            &format!("games.pgn: {positions} positions, ").replace(" 1 positions", " 1 position"),
        )
        .file("games.pgn", text)
    });
    let latin1 = accepted("names in Latin-1", &COUNT, "games.pgn: 2 positions, ")
        .file("games.pgn", b"[White \"R\xe9ti\"]\n\n1. Nf3 *\n");
    let by_content = accepted("games under another name", &["workloads", "-"], "2 positions, ")
        .stdin("[Event \"?\"]\n\n1. e4 *\n");
    let verified = accepted(
        "verified",
        &["verify", "--design", "bell/steps", "--workload", "./games.pgn"],
        "verified",
    )
    .file("games.pgn", "1. e4 e5 *\n");
    let small = refused(
        "too few positions for a stream",
        &["run", "--dry-run", "--workload", "games.pgn"],
        "games.pgn",
    )
    .file("games.pgn", "1. e4 e5 *\n");
    wrong.chain(right).chain([latin1, by_content, verified, small]).collect()
}
