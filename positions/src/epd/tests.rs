use super::*;

const KINGS: &str = "8/8/8/3k4/8/3K4/8/8 w - -";

fn message(line: &str) -> String {
    read(&format!("\n{line}")).expect_err(line).to_string()
}

fn one(line: &str) -> Fact {
    read(line).expect(line).pop().expect(line)
}

#[test]
fn a_line_yields_counts_name_group_and_line_number() {
    let text = format!("# [own] ours\n#\n\n{KINGS} 0 1 ;D1 5 ;D2 36;C 0 ;Q 5 ; two kings\n{KINGS}");
    let facts = read(&text).expect("two valid lines");
    let [full, bare] = facts.as_slice() else { panic!("two lines, not {}", facts.len()) };
    assert_eq!((full.line, full.group.as_str(), full.name.as_str()), (4, "own", "two kings"));
    assert_eq!(full.perft, [(1, 5), (2, 36)]);
    assert_eq!((full.count(2), full.count(3)), (Some(36), None));
    assert_eq!((full.captures, full.quiets), (Some(0), Some(5)));
    assert_eq!((full.counts(), bare.counts()), (4, 0));
    assert_eq!((bare.line, bare.name.as_str(), bare.perft.len()), (5, "line 5", 0));
    assert_eq!(bare.fen, KINGS);
}

#[test]
fn errors_name_the_line_and_the_reason() {
    let count = |operand: &str, word: &str| {
        format!("line 2: `{operand}` is not a valid count for `{word}`")
    };
    assert_eq!(message(&format!("{KINGS} ;D1 five ; name")), count("five", "D1"));
    assert_eq!(message(&format!("{KINGS} ;C")), count("", "C"));
    assert_eq!(message(&format!("{KINGS} ;Q +5")), count("+5", "Q"));
    let large = "99999999999999999999";
    assert_eq!(message(&format!("{KINGS} ;D1 {large}")), count(large, "D1"));
    assert_eq!(message(&format!("{KINGS} ;D1 5 ;D1 5")), "line 2: `D1` is given twice");
    assert_eq!(
        message(&format!("{KINGS} ;xyz 5 ;D2 36")),
        "line 2: `xyz 5` is not an operation (D<depth>, C, Q); only the last field may be a name"
    );
    for deep in ["D21", "D99999999999"] {
        let expected = format!("line 2: `{deep}` is deeper than 20 plies");
        assert_eq!(message(&format!("{KINGS} ;{deep} 1")), expected);
    }
    assert!(message("8/8 w - -").starts_with("line 2: the position cannot be read: "));
}

#[test]
fn a_misspelt_operation_is_not_taken_for_a_name() {
    for text in [
        "D1=5",
        "D1 = 5",
        "perft 1 5",
        "perft1 5",
        "X 20",
        "d1 5",
        "D1: 5",
        "D1",
        "D1:5",
        "D-1 5",
        "21",
        "c 8",
        "Q40",
        "foo \"bar\"",
    ] {
        let error = message(&format!("{KINGS} ;D2 36 ;{text}"));
        assert!(error.starts_with("line 2: `"), "{text}: {error}");
        let error = message(&format!("{KINGS} ;{text}"));
        assert!(error.starts_with("line 2: `"), "{text}: {error}");
    }
    // A semicolon is missing between two counts.
    assert!(message(&format!("{KINGS} ;D1 5 D2 36")).contains("`D1 5 D2 36` is not an operation"));
    assert!(message(&format!("{KINGS} ;D1 5 two ;D2 36")).contains("`two` is not an operation"));
}

#[test]
fn a_name_needs_no_semicolon_and_may_be_an_id() {
    for line in [
        "D1 5 ; start",
        "D1 5 start",
        "D1 5 ;start;",
        "id \"start\" ;D1 5",
        "D1 5; id \"start\";",
        "id start;D1 5",
    ] {
        for gap in [" ;", ";", " "] {
            let fact = one(&format!("{KINGS}{gap}{line}"));
            assert_eq!((fact.name.as_str(), fact.count(1)), ("start", Some(5)), "{line}");
        }
    }
    let fact = one(&format!("{KINGS} ;D1 5 ;id \"D1=5; really\""));
    assert_eq!(fact.name, "D1=5; really");
    assert_eq!(message(&format!("{KINGS} ;id \"a\" ;id \"b\"")), "line 2: `id` is given twice");
    assert_eq!(
        message(&format!("{KINGS} ;id \"a ;D1 5")),
        "line 2: the text of `id` has no closing quote"
    );
}

#[test]
fn operations_of_the_standard_are_skipped_by_name() {
    let fact = one(&format!(
        "{KINGS} bm Kd4 Ke4; ce -3; c0 \"a; D1 = 9\"; hmvc 3; D1 5; acd 12; noop; id \"kings\";"
    ));
    assert_eq!((fact.name.as_str(), &fact.perft[..]), ("kings", &[(1, 5)][..]));
    assert_eq!(fact.fen, KINGS);
    for word in STANDARD {
        assert_eq!(one(&format!("{KINGS} {word} 1;D1 5;")).count(1), Some(5), "{word}");
    }
    let full = one(&format!("{KINGS} 7 9 D1 5"));
    assert_eq!((full.position.state().halfmove, full.count(1)), (7, Some(5)));
}

#[test]
fn a_byte_order_mark_and_startpos_are_accepted() {
    let facts = read("\u{feff}startpos ;D1 20\r\nstartpos D1 20 start\r\n").expect("two lines");
    assert!(facts.iter().all(|fact| fact.position == Position::default()));
    assert!(facts.iter().all(|fact| fact.perft == [(1, 20)]));
    assert_eq!(facts[1].name, "start");
    assert!(read("\u{feff}\u{feff}startpos").is_err(), "one mark, not two");
}

#[test]
fn a_long_line_is_cut_and_control_characters_are_escaped() {
    let error = message(&format!("{KINGS} ;D1 {}", "5".repeat(5_000_000)));
    assert!(error.len() < 200 && error.contains('…'), "{error}");
    let error = message(&format!("{KINGS} ;\u{1b}[2J=1"));
    assert!(error.contains("\\u{1b}[2J=1") && !error.contains('\u{1b}'), "{error}");
}

proptest::proptest! {
    #[test]
    fn reading_never_panics(text in proptest::prelude::any::<String>()) {
        let _ = read(&text);
    }

    #[test]
    fn reading_operations_never_panics(
        words in proptest::collection::vec(
            proptest::sample::select(&[
                "D1", "20", ";", " ", "\"", "id", "c0", "=", "é", "D99", "start", "\t", "C", "-",
            ][..]),
            0..20,
        ),
    ) {
        let _ = read(&format!("{KINGS}{}", words.concat()));
        let _ = read(&format!("{KINGS} 0 1 ;{}", words.join(" ")));
    }
}
