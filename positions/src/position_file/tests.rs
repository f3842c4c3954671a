use std::fs;

use super::*;
use crate::facts;

const KINGS: &str = "8/8/8/3k4/8/3K4/8/8 w - -";
const PGN: &str = "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

fn parse(text: &str) -> Result<PositionFile, String> {
    PositionFile::parse(text.as_bytes(), None).map_err(|error| error.to_string())
}

#[test]
fn the_notation_is_recognised_by_the_content() {
    for (text, extension, notation) in [
        (KINGS, None, Notation::Lines),
        (KINGS, Some("txt"), Notation::Lines),
        (PGN, None, Notation::Games),
        (PGN, Some("txt"), Notation::Games),
        ("\u{feff}[Event \"?\"]\n*", None, Notation::Games),
        ("% escaped\n\n; comment\n  [Event \"?\"]\n*", None, Notation::Games),
        ("1. e4 e5 *", None, Notation::Lines),
        ("1. e4 e5 *", Some("PGN"), Notation::Games),
        ("# [group] of facts\nstartpos", Some("epd"), Notation::Lines),
    ] {
        assert_eq!(Notation::of(text, extension), notation, "{text} {extension:?}");
    }
}

#[test]
fn lines_are_fens_of_four_to_six_fields_startpos_or_epd() {
    let text = format!(
        "\u{feff}# own positions\r\n{KINGS}\r\n\r\n{KINGS} 7\r\n{KINGS} 120 9\r\nstartpos\r\n\
         {KINGS} bm Ke3; id \"kings\";\r\n{KINGS} 0 1 ;D1 5 ;D2 36 ; two kings"
    );
    let file = parse(&text).expect("six lines");
    assert_eq!((file.notation, file.samples.len(), file.distinct), (Notation::Lines, 6, 2));
    let fens: Vec<String> = file.samples.iter().map(|s| s.position.to_string()).collect();
    assert_eq!(fens[1], format!("{KINGS} 7 1"));
    assert_eq!(fens[2], format!("{KINGS} 120 9"), "beyond the limit of the oracle");
    assert_eq!(file.totals.legal, 5 * 5 + 20);
}

#[test]
fn the_digest_of_a_file_tells_positions_with_as_many_moves_apart() {
    // Twenty moves each.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let black = start.replace(" w ", " b ");
    let digest = |text: &str| parse(text).expect("positions").totals.digest;
    assert_ne!(digest(start), digest(&black));
    assert_ne!(digest(&format!("{start}\n{black}")), digest(&format!("{black}\n{start}")));
    // As other programs compute it: FNV-1a 64 of the line.
    let fnv = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let line = format!("{start}\n");
    assert_eq!(digest("startpos"), line.bytes().fold(0xcbf2_9ce4_8422_2325, fnv));
}

#[test]
fn the_bundled_facts_are_a_file_like_any_other() {
    let text = include_str!("../../facts/perft.epd");
    let file = parse(text).expect("an EPD file");
    assert_eq!(file.samples.len(), facts::perft().len());
    let leaves = facts::perft().iter().filter_map(|fact| fact.count(1));
    assert_eq!(file.totals.legal, leaves.sum::<u64>());
    assert!(file.samples.iter().zip(facts::perft()).all(|(s, fact)| s.position == fact.position));
}

#[test]
fn games_give_every_position_and_mates_are_kept() {
    let file = parse(&PGN.repeat(2)).expect("two games");
    assert_eq!((file.notation, file.samples.len(), file.distinct), (Notation::Games, 10, 5));
    let (legal, mate) = (file.samples[0].legal, file.samples[4]);
    assert_eq!((legal, mate.legal, mate.check), (20, 0, true));
    assert_eq!(file.totals.in_check, 2);
}

#[test]
fn latin_1_is_accepted_in_games_and_nowhere_else() {
    let foreign = |text: &str| -> Vec<u8> {
        text.bytes().map(|byte| if byte == b'?' { 0xe9 } else { byte }).collect()
    };
    let file = PositionFile::parse(&foreign(PGN), None).expect("a game with é in a tag");
    assert_eq!(file.samples.len(), 5);
    let line = foreign(&format!("{KINGS} id \"?\";"));
    assert_eq!(PositionFile::parse(&line, None), Err(FileError::NotText));
    let utf_16: Vec<u8> =
        [0xfeff].into_iter().chain(PGN.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(PositionFile::parse(&utf_16, Some("pgn")), Err(FileError::NotText));
}

#[test]
fn errors_name_the_line() {
    let wrong = |text: &str| parse(text).expect_err(text);
    assert!(wrong(&format!("{KINGS}\n8/8 w - -\n")).starts_with("line 2: the position cannot be"));
    assert!(wrong(&format!("{KINGS}\n\n{KINGS} ;D1 five")).starts_with("line 3: `five` is not"));
    assert!(wrong(&PGN.replace("g4", "g5")).starts_with("line 3, game 1: `g5` does not name"));
    for empty in ["", "\n\n", "# a comment\n"] {
        assert_eq!(wrong(empty), "it contains no position");
    }
    assert_eq!(PositionFile::parse(b"; nothing\n", Some("pgn")), Err(FileError::Empty));
}

#[test]
fn a_file_with_too_many_positions_is_refused_before_it_is_read_to_its_end() {
    let parse = |most, text: &str| PositionFile::parse_at_most(most, text.as_bytes(), None);
    let lines = format!("{KINGS}\n").repeat(3);
    for (text, most) in [(lines.as_str(), 3), (PGN, 5)] {
        assert_eq!(parse(most, text).expect("as many as allowed").samples.len(), most);
        assert_eq!(parse(most - 1, text), Err(FileError::Many));
        let further = text.replace(" 0-1", "") + "nonsense";
        assert_eq!(parse(most - 1, &further), Err(FileError::Many));
        assert!(parse(most, &further).is_err_and(|error| error != FileError::Many));
    }
    assert!(FileError::Many.to_string().contains("more than 2000000 positions"));
}

#[test]
fn a_path_is_read_or_the_reason_is_that_of_the_system() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.txt");
    fs::write(&path, PGN).expect("written");
    assert_eq!(PositionFile::read(&path).expect("a game").samples.len(), 5);
    for path in [folder.path(), &folder.path().join("missing")] {
        let error = PositionFile::read(path).expect_err("no file");
        assert!(matches!(error, FileError::Unreadable(_)), "{error}");
    }
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "reads 256 MiB; run by CI with --include-ignored"]
fn a_file_without_an_end_is_refused() {
    assert_eq!(PositionFile::read(Path::new("/dev/zero")), Err(FileError::Long));
}

proptest::proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes: Vec<u8>, is_pgn: bool) {
        let _ = PositionFile::parse(&bytes, is_pgn.then_some("pgn"));
    }
}
