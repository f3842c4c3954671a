use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;

use super::*;
use crate::famous;

/// All boards of a text, and its number of games.
fn boards(text: &str) -> Result<(Vec<Board>, usize), String> {
    let mut boards = Vec::new();
    let games = read(text, |board| {
        boards.push(board.clone());
        ControlFlow::Continue(())
    });
    games.map(|games| (boards, games)).map_err(|error| error.to_string())
}

fn error(text: &str) -> String {
    boards(text).map(|(boards, games)| (boards.len(), games)).expect_err(text)
}

/// The FEN of the last position of a text with one game.
fn last(text: &str) -> String {
    let (boards, games) = boards(text).expect(text);
    assert_eq!(games, 1, "{text}");
    oracle::position(boards.last().expect("a position")).to_string()
}

/// A bundled game as PGN. shakmaty writes its moves, so that they do not come from the library that
/// reads them. `decorate` writes what follows a move.
fn as_pgn(heading: &str, moves: &str, decorate: impl Fn(usize) -> String) -> String {
    let names = ["White", "Black", "Event", "Site", "Date", "Round", "Result"];
    let tags = names.iter().zip(heading.split(" | "));
    let mut text: String =
        tags.map(|(name, value)| format!("[{name} \"{value}\"]\r\n")).collect::<String>() + "\r\n";
    let mut game = shakmaty::Chess::default();
    for (ply, uci) in moves.split_whitespace().enumerate() {
        let uci: UciMove = uci.parse().expect("a bundled move");
        let mv = uci.to_move(&game).expect("a legal move");
        let number = if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() };
        let san = SanPlus::from_move_and_play_unchecked(&mut game, mv);
        text += &format!("{number}{san}{}", decorate(ply));
        text += if ply % 7 == 6 { "\r\n" } else { " " };
    }
    let result = heading.rsplit(" | ").next().expect("a result");
    format!("{text}{result}\r\n\r\n")
}

#[test]
fn the_famous_games_have_the_same_positions_as_their_uci_moves() {
    let plain = |_| String::new();
    let full = |ply: usize| match ply % 5 {
        0 => " {a comment (1. e4 ; [%clk 0:01:00]\r\n % 1-0}".to_owned(),
        1 => " $14 ; a comment } ) *".to_owned() + "\r\n",
        2 => " (1... e5?! {)} (2. Zz9 ; (\r\n\r\n% )\r\n) $1 1-0) 9...".to_owned(),
        3 => "!?".to_owned(),
        _ => "\r\n% [an escaped line\r\n".to_owned(),
    };
    let (mut one_text, mut all) = (String::new(), Vec::new());
    for (heading, moves) in famous::games() {
        let stored = famous::replay(moves).expect("a bundled game");
        for text in [as_pgn(heading, moves, plain), as_pgn(heading, moves, full)] {
            let (read, games) = boards(&text).expect(heading);
            assert_eq!(games, 1, "{heading}");
            assert!(read == stored, "{heading}: {} of {} positions", read.len(), stored.len());
        }
        one_text += &as_pgn(heading, moves, full);
        all.extend(stored);
    }
    let (read, games) = boards(&one_text).expect("68 games");
    assert_eq!((games, read.len()), (68, 6628 + 68));
    assert!(read == all);
}

#[test]
fn the_shortest_mate_has_five_positions() {
    let expected = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let spellings = [
        "1. f3 e5 2. g4 Qh4# 0-1",
        "1.f3 e5 2.g4 Qh4++",
        "1 f3 e5 2 g4 Qh4 *",
        "1... f3 1... e5 $1 2. g4?? 2... Qh4#!! 0-1",
        "f2-f3 e7-e5 g2-g4 Qd8-h4",
        "f2f3 e7e5 g2g4 d8h4",
        "\u{feff}% escaped\n[Event \"?\"]\n\n; a comment\n1. f3 {first} e5 2.\ng4\nQh4#",
        "1. f3 ! e5 ?! 2.g4Qh4",
    ];
    for text in &spellings[..7] {
        assert_eq!(boards(text).expect(text).0.len(), 5, "{text}");
        assert_eq!(last(text), expected, "{text}");
    }
    assert_eq!(error(spellings[7]), "line 1, game 1: `g4Qh4` does not name exactly one legal move");
}

#[test]
fn moves_are_read_in_the_spellings_that_programs_write() {
    let game = |fen: &str, word: &str| format!("[FEN \"{fen}\"]\n{word}");
    let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let promotes = "1r5k/P7/8/8/8/8/8/K7 w - - 0 1";
    let passes = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    let two_knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
    for (fen, words, expected) in [
        (castles, &["O-O", "0-0", "o-o", "O-O+", "e1g1"][..], "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"),
        (castles, &["O-O-O", "0-0-0!?", "e1c1"], "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1"),
        (castles, &["Kf1", "Ke1f1", "Ke1-f1", "e1f1"], "r3k2r/8/8/8/8/8/8/R4K1R b kq - 1 1"),
        (
            promotes,
            &["axb8=Q+", "axb8Q", "a7xb8=Q", "a7b8q", "axb8q+", "ab8=Q", "a7:b8=Q", "axb8/Q"],
            "1Q5k/8/8/8/8/8/8/K7 b - - 0 1",
        ),
        (promotes, &["axb8=B", "axb8b"], "1B5k/8/8/8/8/8/8/K7 b - - 0 1"),
        (
            passes,
            &["exd6", "exd6 e.p.", "exd6e.p.", "e5xd6", "ed6"],
            "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2",
        ),
        (
            two_knights,
            &["Nbd2", "N1d2", "Nb1d2", "Nb1-d2", "b1d2"],
            "4k3/8/8/8/8/5N2/3N4/4K3 b - - 1 1",
        ),
    ] {
        for word in words {
            assert_eq!(last(&game(fen, word)), expected, "{word}");
        }
    }
    for (fen, words) in [
        // The library's own encoding of castling is no notation.
        (castles, &["Kh1", "Kxh1", "e1h1", "O-O-O-O", "OO", "O", "Kg1", "--", "Z0"][..]),
        (promotes, &["axb8", "axb8=K", "axb8=", "b8=Q", "a8"]),
        (passes, &["exf6", "d6", "e.p.x"]),
        (two_knights, &["Nd2", "Nad2", "N3d2x1", "♘bd2", "N"]),
    ] {
        for word in words {
            let expected = format!("`{word}` does not name exactly one legal move");
            assert!(error(&game(fen, word)).ends_with(&expected), "{word}");
        }
    }
}

#[test]
fn a_game_ends_at_its_result_at_the_next_tag_or_with_the_text() {
    let shape = |text: &str| {
        let (boards, games) = boards(text).expect(text);
        (boards.len(), games)
    };
    for (text, expected) in [
        ("", (0, 0)),
        ("\n\n {nothing} ; at all\n 1. $3 (e4)", (0, 0)),
        ("* 1-0", (0, 0)),
        ("[Event \"a\"]", (1, 1)),
        ("[Event \"a\"]\n[Event \"b\"]\n*", (1, 1)),
        ("[Event \"a\"]\n1-0\n[Event \"b\"]\n1/2-1/2\n", (2, 2)),
        ("[Event \"a\"]\ne4 e5\n[Event \"b\"]\nd4", (5, 2)),
        ("e4 e5 1-0 d4 ½-½ c4 1/2 Nf3*Nc3 0-1 b3", (13, 6)),
        ("[A \"1\"][B \"2\"] e4 [A \"3\"] d4", (4, 2)),
    ] {
        assert_eq!(shape(text), expected, "{text}");
    }
}

#[test]
fn reading_ends_when_the_visitor_has_enough() {
    let mut seen = 0;
    let read = read("e4 e5 * d4 nonsense", |_| {
        seen += 1;
        if seen == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((read, seen), (Ok(1), 5));
}

#[test]
fn tags_decide_where_a_game_begins() {
    let start = Position::START;
    let kings = "4k3/8/8/8/8/8/8/4K3 b - - 7 30";
    for (tags, expected) in [
        (format!("[SetUp \"1\"]\n[FEN \"{kings}\"]"), kings),
        (
            "[FEN \" 4k3/8/8/8/8/8/8/4K3  b - - 7 30\"]\n[Variant \"From Position\"]".to_owned(),
            kings,
        ),
        (format!("[SetUp \"0\"]\n[FEN \"{kings}\"]"), start),
        ("[Variant \"Standard\"]".to_owned(), start),
        // Quotes and backslashes as the standard writes them, and as programs do.
        (r#"[Event "the \"best\" \\ "]"#.to_owned(), start),
        (r#"[Event "the "best" game"]"#.to_owned(), start),
        (r#"[ Event   "]" ]  ; a comment"#.to_owned(), start),
    ] {
        assert_eq!(last(&tags), expected, "{tags}");
    }
}

#[test]
fn errors_name_the_line_the_game_and_the_word() {
    let second = |text: &str| format!("[Event \"one\"]\r\n\r\n1. e4 e5 1-0\r\n\r\n{text}");
    for (text, expected) in [
        ("[Event \"two\"]\n\n1. e4 e5\n2. Ke3", "line 8, game 2: `Ke3` does not name exactly one"),
        ("[Event \"two\"\n\n*", "line 5, game 2: `[Event \"two\"` is not a tag"),
        ("[\"two\"]", "line 5, game 2: `[\"two\"]` is not a tag"),
        (
            "1. e4 {open\n\n[Event \"three\"]\n1. d4 {closed} *",
            "line 5, game 2: the comment that begins",
        ),
        ("1. e4\n{open", "line 6, game 2: the comment that begins here has no closing brace"),
        ("1. e4\n(1. d4 (1. c4)", "line 6, game 2: the variation that begins here has no closing"),
        ("(1. d4\n[Event \"three\"]\n(e4))", "line 5, game 2: the variation"),
        ("1. e4 )", "line 5, game 2: `)` has no opening bracket before it"),
        ("1. e4 {a {b} c}", "line 5, game 2: `c` does not name"),
        ("} e4", "line 5, game 2: `}` has no opening bracket before it"),
        ("]", "line 5, game 2: `]` has no opening bracket before it"),
        ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n*", "line 5, game 2: the position of the tag FEN"),
        ("[SetUp \"1\"]\n*", "line 5, game 2: the tag SetUp is 1, but the game has no tag FEN"),
        (
            "[FEN \"nqrkbbnr/pppppppp/8/8/8/8/PPPPPPPP/NQRKBBNR w HChc - 0 1\"]\n\
             [Variant \"Chess960\"]\ne4",
            "line 6, game 2: the variant `Chess960` is not supported; only standard chess is",
        ),
        ("\u{1b}[2J", "line 5, game 2: `\\u{1b}` does not name exactly one legal move"),
    ] {
        let error = error(&second(text));
        assert!(error.starts_with(expected), "{text:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let long = error(&"x".repeat(1_000_000));
    assert!(long.len() < 150 && long.contains('…'), "{long}");
}

/// Searching the rest of the line from every bracket takes minutes.
#[test]
fn long_lines_with_many_brackets_are_read_in_time() {
    let open = format!("1. e4\n({}", "[a \"x".repeat(200_000));
    assert!(
        error(&open).starts_with("line 2, game 1: the variation that begins here has no closing")
    );
    let closed = format!("1. e4 ({}) e5", "[a \"x".repeat(200_000));
    assert_eq!(boards(&closed).expect("a game").0.len(), 3);
    let tags = format!("{}\ne4", "[A \"1\"]".repeat(200_000));
    assert_eq!(boards(&tags).expect("a game"), boards("e4").expect("a game"));
    assert!(!is_tag("[A \n\"1\"]") && !is_tag("[A \"1\n\"]") && is_tag("[A \t\"1\r\" ]"));
}

#[test]
fn a_result_is_not_required_to_name_the_game_of_an_error() {
    assert!(
        error("[Event \"1\"]\ne4\n[Event \"2\"]\nd4\n[Event \"3\"]\nKe2")
            .starts_with("line 6, game 3: ")
    );
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in proptest::prelude::any::<String>()) {
        let _ = boards(&text);
    }

    #[test]
    fn no_sequence_of_tokens_makes_the_reader_panic(
        words in proptest::collection::vec(
            proptest::sample::select(&[
                "e4", "e5", "Nf3", "O-O", "0-0-0", "1.", "…", "é", "{", "}", "(", ")", "[", "]", ";",
                "%", "$", "$9", "*", "1-0", "\n", "\r", " ", "\"", "\\", "[FEN \"", "[Event \"a\"]",
                "8=", "=Q", "e.p.", "!", "+", "-", "x",
            ][..]),
            0..40,
        ),
    ) {
        let _ = boards(&words.concat());
        let _ = boards(&words.join(" "));
    }
}
