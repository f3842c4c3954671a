//! Positions in Forsyth-Edwards notation: one rule or boundary per row.

use super::case::{Case, accepted, refused};

/// Name, FEN, reason: texts that are not FEN.
#[rustfmt::skip] // one row per case
const MALFORMED: &[(&str, &str, &str)] = &[
    ("empty text", "", "board: missing; the first four fields are required"),
    ("blanks only", " \t ", "board: missing"),
    ("a word", "nonsense", "board: 1 rank instead of 8"),
    ("start position misspelt", "startposition", "board: 1 rank instead of 8"),
    ("start position in capitals", "STARTPOS", "board: 1 rank instead of 8"),
    ("start position with a counter", "startpos 1", "board: 1 rank instead of 8"),
    ("start position with moves", "startpos moves e2e4", "board: 1 rank instead of 8"),
    ("command of UCI", "position startpos", "board: 1 rank instead of 8"),
    ("word before the fields", "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "board: 1 rank instead of 8"),
    ("FEN in quotes", "\"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"", "board: `\\\"` on rank 8 is neither"),
    ("two byte order marks", "\u{feff}\u{feff}startpos", "board: 1 rank instead of 8"),
    ("zero-width space in front", "\u{200b}4k3/8/8/8/8/8/8/4K3 w - -", "`\\u{200b}` on rank 8"),
    ("seven ranks", "4k3/8/8/8/8/8/4K3 w - - 0 1", "board: 7 ranks instead of 8"),
    ("nine ranks", "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "board: 9 ranks instead of 8"),
    ("slash at the end", "4k3/8/8/8/8/8/8/4K3/ w - - 0 1", "board: 9 ranks instead of 8"),
    ("slash in front", "/4k3/8/8/8/8/8/8/4K3 w - - 0 1", "board: 9 ranks instead of 8"),
    ("two slashes side by side", "4k3/8//8/8/8/8/4K3 w - - 0 1", "rank 6 has 0 squares instead of 8"),
    ("backslashes", "4k3\\8\\8\\8\\8\\8\\8\\4K3 w - - 0 1", "board: 1 rank instead of 8"),
    ("fraction slash", "4k3\u{2044}8/8/8/8/8/8/8/4K3 w - -", "`⁄` on rank 8 is neither a piece nor a digit"),
    ("rank of seven squares", "4k2/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8 has 7 squares instead of 8"),
    ("rank of nine pieces", "4k3/8/8/nnnnnnnnn/8/8/8/4K3 w - - 0 1", "rank 5 has 9 squares instead of 8"),
    ("rank of nine by a digit", "4k3/8/8/8/8/8/8/4K4 w - - 0 1", "rank 1 has 9 squares instead of 8"),
    ("rank of sixteen squares", "4k3/8p7/8/8/8/8/8/4K3 w - - 0 1", "rank 7 has 16 squares instead of 8"),
    ("rank of one square", "4k3/8/8/8/8/8/p/4K3 w - - 0 1", "rank 2 has 1 square instead of 8"),
    ("digit 0", "4k30/8/8/8/8/8/8/4K3 w - - 0 1", "`0` on rank 8 is neither a piece nor a digit"),
    ("digit 9", "4k3/8/8/9/8/8/8/4K3 w - - 0 1", "`9` on rank 5 is neither a piece nor a digit"),
    ("two digits", "4k3/8/8/8/44/8/8/4K3 w - - 0 1", "rank 4 has two digits side by side"),
    ("eight ones", "4k3/8/8/8/8/8/11111111/4K3 w - - 0 1", "rank 2 has two digits side by side"),
    ("unknown letter", "4k3/8/8/8/8/8/4x3/4K3 w - - 0 1", "`x` on rank 2 is neither a piece nor a digit"),
    ("letter of a fairy piece", "4k3/8/8/8/8/8/4A3/4K3 w - - 0 1", "`A` on rank 2 is neither"),
    ("dot for an empty square", "4k3/........ /8/8/8/8/8/4K3 w - -", "board: 2 ranks instead of 8"),
    ("minus for an empty square", "4k3/--------/8/8/8/8/8/4K3 w - -", "`-` on rank 7 is neither"),
    ("chess symbol", "4♚3/8/8/8/8/8/8/4K3 w - - 0 1", "`♚` on rank 8 is neither"),
    ("Cyrillic look-alike of K", "4k3/8/8/8/8/8/8/4К3 w - - 0 1", "`К` on rank 1 is neither"),
    ("Greek look-alike of K", "4k3/8/8/8/8/8/8/4Κ3 w - - 0 1", "`Κ` on rank 1 is neither"),
    ("digit of full width", "4k3/８/8/8/8/8/8/4K3 w - - 0 1", "`８` on rank 7 is neither"),
    ("Arabic digit", "4k3/٨/8/8/8/8/8/4K3 w - - 0 1", "`٨` on rank 7 is neither"),
    ("letter with an accent", "4k\u{301}3/8/8/8/8/8/8/4K3 w - - 0 1", "on rank 8 is neither"),
    ("German piece letters", "4k3/8/8/8/8/8/8/T3K2T w - - 0 1", "`T` on rank 1 is neither"),
    ("mark of a promoted piece", "4k3/8/8/8/8/8/8/3Q~K3 w - - 0 1", "`~` on rank 1 is neither"),
    ("pocket of crazyhouse", "4k3/8/8/8/8/8/8/4K3[Qq] w - - 0 1", "`[` on rank 1 is neither"),
    ("escape sequence", "4k3/8/8/\u{1b}[2J/8/8/8/4K3 w - -", "`\\u{1b}` on rank 5 is neither"),
    ("bell", "4k3/8/8/8/8/8/8/\u{7}4K2 w - -", "`\\u{7}` on rank 1 is neither"),
    ("right-to-left override", "\u{202e}4k3/8/8/8/8/8/8/4K3 w - -", "`\\u{202e}` on rank 8 is neither"),
    ("board only", "4k3/8/8/8/8/8/8/4K3", "side to move: missing"),
    ("two fields", "4k3/8/8/8/8/8/8/4K3 w", "castling rights: missing"),
    ("three fields", "4k3/8/8/8/8/8/8/4K3 w -", "en passant square: missing"),
    ("no board", "w - - 0 1", "board: 1 rank instead of 8"),
    ("no side to move", "4k3/8/8/8/8/8/8/4K3 - - 0 1", "side to move: `-` is neither w nor b"),
    ("side in capitals", "4k3/8/8/8/8/8/8/4K3 W - - 0 1", "side to move: `W` is neither w nor b"),
    ("side in full", "4k3/8/8/8/8/8/8/4K3 white - - 0 1", "side to move: `white` is neither"),
    ("both sides", "4k3/8/8/8/8/8/8/4K3 wb - - 0 1", "side to move: `wb` is neither"),
    ("side with a comma", "4k3/8/8/8/8/8/8/4K3 w, - - 0 1", "side to move: `w,` is neither"),
    ("long side", "4k3/8/8/8/8/8/8/4K3 wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww - -", "wwwwwwww...` is neither"),
    ("right twice", "4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling rights: `KK` is neither - nor letters"),
    ("rights out of order", "4k3/8/8/8/8/8/8/R3K2R w QK - 0 1", "castling rights: `QK` is neither"),
    ("black rights first", "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1", "castling rights: `kqKQ` is neither"),
    ("five rights", "r3k2r/8/8/8/8/8/8/R3K2R w KQkqK - 0 1", "castling rights: `KQkqK` is neither"),
    ("Shredder-FEN", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "castling rights: `HAha` is neither"),
    ("one right of X-FEN", "4k3/8/8/8/8/8/8/R3K3 w A - 0 1", "castling rights: `A` is neither"),
    ("rights and a minus", "4k3/8/8/8/8/8/8/4K2R w K- - 0 1", "castling rights: `K-` is neither"),
    ("two minus signs", "4k3/8/8/8/8/8/8/4K3 w -- - 0 1", "castling rights: `--` is neither"),
    ("dash for no rights", "4k3/8/8/8/8/8/8/4K3 w – - 0 1", "castling rights: `–` is neither"),
    ("digit 0 for no rights", "4k3/8/8/8/8/8/8/4K3 w 0 - 0 1", "castling rights: `0` is neither"),
    ("castling move", "4k3/8/8/8/8/8/8/4K2R w O-O - 0 1", "castling rights: `O-O` is neither"),
    ("rank 9", "4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en passant square: `e9` is neither - nor a square"),
    ("rank 0", "4k3/8/8/8/8/8/8/4K3 w - e0 0 1", "en passant square: `e0` is neither"),
    ("file i", "4k3/8/8/8/8/8/8/4K3 w - i6 0 1", "en passant square: `i6` is neither"),
    ("square in capitals", "4k3/8/8/8/8/8/8/4K3 w - E6 0 1", "en passant square: `E6` is neither"),
    ("file only", "4k3/8/8/8/8/8/8/4K3 w - e 0 1", "en passant square: `e` is neither"),
    ("square of three characters", "4k3/8/8/8/8/8/8/4K3 w - e66 0 1", "en passant square: `e66` is neither"),
    ("move as a square", "4k3/8/8/4p3/8/8/8/4K3 w - e7e5 0 1", "en passant square: `e7e5` is neither"),
    ("empty square in quotes", "4k3/8/8/8/8/8/8/4K3 w - '' 0 1", "en passant square: `\\'\\'` is neither"),
    ("negative clock", "4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock: `-1` is not a number"),
    ("clock with a plus sign", "4k3/8/8/8/8/8/8/4K3 w - - +1 1", "halfmove clock: `+1` is not a number"),
    ("clock with a leading zero", "4k3/8/8/8/8/8/8/4K3 w - - 00 1", "halfmove clock: `00` is not a number"),
    ("fraction as clock", "4k3/8/8/8/8/8/8/4K3 w - - 1.5 1", "halfmove clock: `1.5` is not a number"),
    ("hexadecimal clock", "4k3/8/8/8/8/8/8/4K3 w - - 0x10 1", "halfmove clock: `0x10` is not a number"),
    ("exponent as clock", "4k3/8/8/8/8/8/8/4K3 w - - 1e2 1", "halfmove clock: `1e2` is not a number"),
    ("minus as clock", "4k3/8/8/8/8/8/8/4K3 w - - - 1", "halfmove clock: `-` is not a number"),
    ("clock of 2^16", "4k3/8/8/8/8/8/8/4K3 w - - 65536 1", "halfmove clock: `65536` is not a number up to 65535"),
    ("clock of 20 digits", "4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 1", "halfmove clock: `9999"),
    ("NaN as clock", "4k3/8/8/8/8/8/8/4K3 w - - NaN 1", "halfmove clock: `NaN` is not a number"),
    ("digits of full width as clock", "4k3/8/8/8/8/8/8/4K3 w - - １ 1", "halfmove clock: `１` is not"),
    ("negative move number", "4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "fullmove number: `-1` is not a number"),
    ("move number with a dot", "4k3/8/8/8/8/8/8/4K3 w - - 0 1.", "fullmove number: `1.` is not a number"),
    ("move number of 2^16", "4k3/8/8/8/8/8/8/4K3 w - - 0 65536", "fullmove number: `65536` is not a number"),
    ("move number with a leading zero", "4k3/8/8/8/8/8/8/4K3 w - - 0 01", "fullmove number: `01` is not"),
    ("seventh field", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 0", "fullmove number: the last field, but `0` follows"),
    ("operation of EPD", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5", "the last field, but `;D1` follows"),
    ("moves after the fields", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2", "but `moves` follows"),
    ("two positions", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "but `4k3/8"),
];

/// Name, FEN, reason: FEN of positions that cannot occur.
#[rustfmt::skip] // one row per case
const IMPOSSIBLE: &[(&str, &str, &str)] = &[
    ("empty board", "8/8/8/8/8/8/8/8 w - - 0 1", "board: White has 0 kings instead of 1"),
    ("no black king", "8/8/8/8/8/8/8/4K3 w - - 0 1", "board: Black has 0 kings instead of 1"),
    ("two white kings", "4k3/8/8/8/8/8/8/2K1K3 w - - 0 1", "board: White has 2 kings instead of 1"),
    ("two black kings", "2k1k3/8/8/8/8/8/8/4K3 w - - 0 1", "board: Black has 2 kings instead of 1"),
    ("kings side by side", "8/8/8/3kK3/8/8/8/8 w - - 0 1", "board: the kings on e5 and d5 touch"),
    ("kings on a diagonal", "8/8/8/3k4/4K3/8/8/8 w - - 0 1", "board: the kings on e4 and d5 touch"),
    ("17 pieces", "4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1", "board: White has 17 pieces, more than 16"),
    ("64 queens", "qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqkqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqK b - - 0 1", "more than 16"),
    ("nine pawns", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "board: White has 9 pawns, more than 8"),
    ("nine black pawns", "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "board: Black has 9 pawns, more than 8"),
    ("white pawn on rank 1", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "board: a pawn cannot stand on a1"),
    ("white pawn on rank 8", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "board: a pawn cannot stand on a8"),
    ("black pawn on rank 1", "4k3/8/8/8/8/8/8/4K2p w - - 0 1", "board: a pawn cannot stand on h1"),
    ("black pawn on rank 8", "4k2p/8/8/8/8/8/8/4K3 w - - 0 1", "board: a pawn cannot stand on h8"),
    ("two queens and eight pawns", "4k3/8/8/8/8/8/PPPPPPPP/3QKQ2 w - - 0 1", "White needs 9 pawns"),
    ("three rooks and eight pawns", "r1r1k2r/pppppppp/8/8/8/8/8/4K3 w - - 0 1", "Black needs 9 pawns"),
    ("three knights and eight pawns", "nnn1k3/pppppppp/8/8/8/8/8/4K3 w - - 0 1", "Black needs 9 pawns"),
    ("two dark bishops and eight pawns", "4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - - 0 1", "White needs 9 pawns"),
    ("ten queens", "4k3/8/8/QQQQ4/QQQQ4/8/8/QQ2K3 w - - 0 1", "White needs 9 pawns for its pawns and promoted"),
    ("nine queens and a pawn", "6k1/8/8/8/8/QQQQQ3/P7/QQQQK3 w - - 0 1", "White needs 9 pawns"),
    ("black in check by a rook", "4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "side to move: Black is in check from e1, but White"),
    ("black in check by a knight", "4k3/8/3N4/8/8/8/8/4K3 w - - 0 1", "Black is in check from d6"),
    ("black in check by a pawn", "4k3/3P4/8/8/8/8/8/4K3 w - - 0 1", "Black is in check from d7"),
    ("white in check by a bishop", "4k3/8/8/8/1b6/8/8/4K3 b - - 0 1", "White is in check from b4, but Black"),
    ("white in check by a pawn", "4k3/8/8/8/8/8/3p4/4K3 b - - 0 1", "White is in check from d2"),
    ("three checks", "4k3/8/3N4/8/B7/8/8/K3R3 b - - 0 1", "Black is in check from 3 pieces, more than 2"),
    ("two checks on one file", "4R3/8/8/4k3/8/8/8/K3R3 b - - 0 1", "on one line through the king"),
    ("two checks by knights", "4k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1", "both without a line to uncover"),
    ("right K without king at home", "4k3/8/8/8/8/8/8/3K3R w K - 0 1", "K needs the white king on e1"),
    ("right K without rook", "4k3/8/8/8/8/8/8/4K3 w K - 0 1", "K needs the white king on e1 and a white rook on h1"),
    ("right Q with the rook on b1", "4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", "Q needs the white king on e1 and a white rook on a1"),
    ("right K with a black rook", "4k3/8/8/8/8/8/4P3/4K1Pr w K - 0 1", "board: a pawn cannot stand on g1"),
    ("right k without rook", "4k3/8/8/8/8/8/8/4K3 w k - 0 1", "k needs the black king on e8 and a black rook on h8"),
    ("right q with a bishop on a8", "b3k3/8/8/8/8/8/8/4K3 b q - 0 1", "q needs the black king on e8 and a black rook on a8"),
    ("right k with a white rook", "4kb1R/8/8/8/8/8/8/4K3 w k - 0 1", "k needs the black king on e8"),
    ("all rights without rooks", "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "castling rights: K needs"),
    ("en passant on rank 4", "4k3/8/8/8/4P3/8/8/4K3 b - e4 0 1", "en passant square: e4 is not on rank 3, with Black to move"),
    ("en passant on rank 3 for white", "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "e3 is not on rank 6, with White to move"),
    ("en passant on rank 6 for black", "4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1", "e6 is not on rank 3, with Black to move"),
    ("en passant on rank 1", "4k3/8/8/8/8/8/8/4K3 w - a1 0 1", "a1 is not on rank 6"),
    ("en passant without pawn", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant square: e6 needs a black pawn on e5"),
    ("en passant behind an own pawn", "4k3/8/8/4P3/8/8/8/4K3 w - e6 0 1", "e6 needs a black pawn on e5"),
    ("en passant behind a knight", "4k3/8/8/4n3/8/8/8/4K3 w - e6 0 1", "e6 needs a black pawn on e5"),
    ("en passant square occupied", "4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "e6 is not empty, so no pawn has just come to e5"),
    ("home of the pushed pawn occupied", "4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "e7 is not empty, so no pawn"),
    ("en passant with an older check", "4k3/8/8/4p3/8/8/8/r3K3 w - e6 0 1", "White was in check from a1 before the push to e5"),
    ("en passant with two checks", "4k3/8/8/2p5/3K4/8/5b2/3r4 w - c6 0 1", "the push to c5 cannot have given"),
    ("clock of 256", "4k3/8/8/8/8/8/8/4K3 w - - 256 200", "halfmove clock: 256 is more than 255 plies"),
    ("clock of 65535", "4k3/8/8/8/8/8/8/4K3 w - - 65535 1", "halfmove clock: 65535 is more than 255 plies"),
    ("move number 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 0", "fullmove number: 0, but moves are counted from 1"),
];

/// Name, FEN, the last line printed: positions at the edge of what is allowed.
#[rustfmt::skip] // one row per case
const EXTREME: &[(&str, &str, &str)] = &[
    ("start position by name", "startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"),
    ("byte order mark", "\u{feff}4k3/8/8/8/8/8/8/4K3 w - - 0 1", "\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n"),
    ("byte order mark before the name", "\u{feff}startpos", " w KQkq - 0 1\n"),
    ("tabs", "4k3/8/8/8/8/8/8/4K3\tw\t-\t-\t0\t1", "\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n"),
    ("trailing blanks", "4k3/8/8/8/8/8/8/4K3 w - - 0 1   ", "4K3 w - - 0 1\n"),
    ("line end of Windows", "4k3/8/8/8/8/8/8/4K3 w - - 0 1\r\n", "4K3 w - - 0 1\n"),
    ("no-break spaces", "4k3/8/8/8/8/8/8/4K3\u{a0}w\u{a0}-\u{a0}-", "4K3 w - - 0 1\n"),
    ("four fields", "4k3/8/8/8/8/8/8/4K3 b - -", "4K3 b - - 0 1\n"),
    ("five fields", "4k3/8/8/8/8/8/8/4K3 b - - 7", "4K3 b - - 7 1\n"),
    ("long castling only", "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", " w Q - 0 1\n"),
    ("short castling of black only", "r3k2r/8/8/8/8/8/8/4K3 w k - 0 1", " w k - 0 1\n"),
    ("rights Qk", "r3k2r/8/8/8/8/8/8/R3K2R b Qk - 0 1", " b Qk - 0 1\n"),
    ("clock of 99", "4k3/8/8/8/8/8/8/R3K3 w - - 99 120", " 99 120\n"),
    ("clock of 100", "4k3/8/8/8/8/8/8/R3K3 w - - 100 120", " 100 120\n"),
    ("clock of 101", "4k3/8/8/8/8/8/8/R3K3 w - - 101 120", " 101 120\n"),
    ("clock of 150", "4k3/8/8/8/8/8/8/R3K3 w - - 150 120", " 150 120\n"),
    ("clock of 255", "4k3/8/8/8/8/8/8/R3K3 w - - 255 300", " 255 300\n"),
    ("largest move number", "4k3/8/8/8/8/8/8/R3K3 w - - 0 65535", " 0 65535\n"),
    ("en passant without a capturer", "4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1", " w - e6 0 1\n"),
    ("nine queens", "4k3/8/8/8/8/Q7/QQQQ4/QQQQK3 w - - 0 1", " w - - 0 1\n"),
    ("ten rooks of black", "4k3/rrrrr3/rrrrr3/8/8/8/8/5K2 b - - 0 1", " b - - 0 1\n"),
    ("ten knights", "4k3/8/8/8/8/8/NNNNN3/NNNNK3 b - - 0 1", " b - - 0 1\n"),
    ("nine bishops", "4k3/8/8/8/8/8/BBBB4/BBBBKB2 w - - 0 1", " w - - 0 1\n"),
    ("check by two pieces", "4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1", " b - - 0 1\n"),
];

/// Name, FEN, number of legal moves.
#[rustfmt::skip] // one row per case
const COUNTED: &[(&str, &str, &str)] = &[
    ("218 moves", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "218 leaves at depth 1 "),
    ("checkmate", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "0 leaves at depth 1 "),
    ("stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "0 leaves at depth 1 "),
    ("en passant that uncovers a check", "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "6 leaves at depth 1 "),
    ("moves after 150 plies without capture", "4k3/8/8/8/8/8/8/4K3 w - - 150 120", "5 leaves at depth 1 "),
    ("two checks leave king moves", "4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1", "3 leaves at depth 1 "),
    ("both castlings", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "26 leaves at depth 1 "),
    ("promotions and captures", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "13 leaves at depth 1 "),
];

/// Name, text on standard input, reason.
#[rustfmt::skip] // one row per case
const INPUT: &[(&str, &str, &str)] = &[
    ("empty input", "", "standard input is empty; it must hold one FEN"),
    ("blank lines", "\n \r\n\t\n", "standard input is empty; it must hold one FEN"),
    ("two positions on input", "startpos\nstartpos\n", "standard input has several lines"),
    ("position and a comment", "startpos\n# comment\n", "standard input has several lines"),
    ("line ends of old Macs", "startpos\rstartpos\r", "board: 1 rank instead of 8"),
    ("NUL after the position", "startpos\0", "board: 1 rank instead of 8"),
    ("NUL in a field", "4k3/8/8/8/8/8/8/4K3 w\0 - - 0 1", "side to move: `w\\0` is neither w nor b"),
    ("minus on input", "-", "board: 1 rank instead of 8"),
    ("byte order mark only", "\u{feff}", "standard input is empty"),
];

pub(crate) fn cases() -> Vec<Case> {
    let rows = [MALFORMED, IMPOSSIBLE].concat();
    let mut cases: Vec<Case> =
        rows.iter().map(|&(name, fen, why)| refused(name, &["fen", fen], why)).collect();
    cases.extend(EXTREME.iter().map(|&(name, fen, last)| accepted(name, &["fen", fen], last)));
    let perft = |fen| ["perft", "1", "--fen", fen];
    cases.extend(COUNTED.iter().map(|&(name, fen, count)| accepted(name, &perft(fen), count)));
    let input =
        |&(name, text, why): &(&str, &str, &str)| refused(name, &["fen", "-"], why).stdin(text);
    cases.extend(INPUT.iter().map(input));
    cases.extend(others());
    cases
}

/// Inputs of other sizes and encodings, and the other commands that take a position.
fn others() -> Vec<Case> {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let wrong = "4k3/8/8/8/8/8/8/8 w - - 0 1";
    let why = "board: White has 0 kings instead of 1";
    vec![
        refused("a megabyte", &["fen", "-"], "more than 64 KiB").stdin("8".repeat(1 << 20)),
        refused("a long argument", &["fen", &"k".repeat(100_000)], "board: 1 rank instead of 8"),
        refused("a long field", &["fen", &format!("{start}{}", "0".repeat(90_000))], "fullmove"),
        refused("input in UTF-16", &["fen", "-"], "it is not UTF-8 text")
            .stdin(b"\xff\xfes\0t\0a\0r\0t\0p\0o\0s\0".as_slice()),
        refused("input in Latin-1", &["fen", "-"], "it is not UTF-8 text")
            .stdin(b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 \xe9".as_slice()),
        accepted("64 KiB of blanks", &["fen", "-"], "4K3 w - - 0 1\n")
            .stdin(format!("4k3/8/8/8/8/8/8/4K3 w - - 0 1{}", " ".repeat(65_000))),
        accepted("byte order mark on input", &["fen", "-"], start)
            .stdin(format!("\u{feff}{start}\r\n")),
        accepted("blank lines around the position", &["fen", "-"], start)
            .stdin(format!("\n\n{start}\n\n")),
        accepted(
            "fields as words",
            &["fen", "4k3/8/8/8/8/8/8/4K3", "b", "-", "-"],
            "4K3 b - - 0 1\n",
        ),
        accepted(
            "counters without a fourth field",
            &["fen", "4k3/8/8/8/8/8/8/4K3 b - - 5 9"],
            " 5 9\n",
        ),
        refused("no words at all", &["fen", "", ""], "board: missing"),
        refused("position of moves", &["moves", "--fen", wrong], why),
        refused("position of perft", &["perft", "1", "--fen", wrong], why),
        refused("position of perftree", &["perftree", "1", wrong], why),
        refused("position of hunt", &["hunt", "1", "--against", "bell/steps", "--fen", wrong], why),
        refused("empty input of moves", &["moves", "--fen", "-"], "standard input is empty"),
        refused("empty input of perft", &["perft", "1", "--fen", "-"], "standard input is empty"),
        refused("empty input of perftree", &["perftree", "1", "-"], "standard input is empty"),
        refused(
            "empty input of hunt",
            &["hunt", "1", "--against", "bell/steps", "--fen", "-"],
            "standard input is empty",
        ),
    ]
}
