//! Files of facts in Extended Position Description, read by `verify --epd`.

use super::case::{Case, accepted, failed, refused};

/// Verifies one small design, so that a case takes milliseconds.
const VERIFY: [&str; 3] = ["verify", "--design", "bell/steps"];

/// Name, text, reason: faults of operations and operands.
#[rustfmt::skip] // one row per case
const WRONG: &[(&str, &str, &str)] = &[
    ("empty file", "", "nothing to verify: there is no position"),
    ("blank lines", "\n\r\n  \n\t\n", "nothing to verify: there is no position"),
    ("comments only", "# startpos ;D1 20\n#\n", "nothing to verify: there is no position"),
    ("byte order mark only", "\u{feff}", "nothing to verify: there is no position"),
    ("positions without counts", "startpos\nstartpos ;start\n", "nothing to verify: no line gives a count, such as `;D1 20`"),
    ("operations of the standard only", "startpos bm e4; id \"start\";\n", "nothing to verify: no line gives a count"),
    ("only counts above the limit", "startpos ;D6 119060324\n", "nothing to verify: every count is above the limits"),
    ("count of 2^64 - 1", "startpos ;D1 18446744073709551615\n", "nothing to verify: every count is above the limits"),
    ("count of 2^64", "startpos ;D1 18446744073709551616\n", "line 1: `18446744073709551616` is not a valid count for `D1`"),
    ("count of 30 digits", "startpos ;D1 123456789012345678901234567890\n", "line 1: `123456789012345678901234567890` is not a valid count for `D1`"),
    ("negative count", "startpos ;D1 -20\n", "line 1: `-20` is not a valid count for `D1`"),
    ("count with a plus sign", "startpos ;D1 +20\n", "line 1: `+20` is not a valid count for `D1`"),
    ("fraction as count", "startpos ;D1 20.0\n", "line 1: `20.0` is not a valid count for `D1`"),
    ("exponent as count", "startpos ;D1 2e1\n", "line 1: `2e1` is not a valid count for `D1`"),
    ("hexadecimal count", "startpos ;D1 0x14\n", "line 1: `0x14` is not a valid count for `D1`"),
    ("count with a thousands separator", "startpos ;D3 8,902\n", "line 1: `8,902` is not a valid count for `D3`"),
    ("count with an underscore", "startpos ;D3 8_902\n", "line 1: `8_902` is not a valid count for `D3`"),
    ("digits of full width", "startpos ;D1 ２０\n", "line 1: `２０` is not a valid count for `D1`"),
    ("word as count", "startpos ;D1 twenty\n", "line 1: `twenty` is not a valid count for `D1`"),
    ("NaN as count", "startpos ;D1 NaN\n", "line 1: `NaN` is not a valid count for `D1`"),
    ("count in quotes", "startpos ;D1 \"20\"\n", "line 1: `\"20\"` is not a valid count for `D1`"),
    ("depth without count", "startpos ;D1 ;D2 400\n", "line 1: `` is not a valid count for `D1`"),
    ("depth without count at the end", "startpos ;D1 20 ;D2\n", "line 1: `` is not a valid count for `D2`"),
    ("captures without count", "startpos ;C\n", "line 1: `` is not a valid count for `C`"),
    ("quiets with a word", "startpos ;Q many\n", "line 1: `many` is not a valid count for `Q`"),
    ("negative captures", "startpos ;C -1\n", "line 1: `-1` is not a valid count for `C`"),
    ("depth 21", "startpos ;D21 1\n", "line 1: `D21` is deeper than 20 plies"),
    ("depth of 12 digits", "startpos ;D999999999999 1\n", "line 1: `D999999999999` is deeper than 20 plies"),
    ("depth twice", "startpos ;D1 20 ;D1 20\n", "line 1: `D1` is given twice"),
    ("depth twice with a zero", "startpos ;D1 20 ;D01 20\n", "line 1: `D01` is given twice"),
    ("captures twice", "startpos ;C 0 ;C 0\n", "line 1: `C` is given twice"),
    ("quiets twice", "startpos ;Q 20 ;Q 21\n", "line 1: `Q` is given twice"),
    ("name twice", "startpos ;D1 20 ;id \"a\" ;id \"b\"\n", "line 1: `id` is given twice"),
    ("name and text", "startpos ;id \"a\" ;D1 20 b\n", "line 1: `id` is given twice"),
    ("equals sign", "startpos ;D1=20\n", "line 1: `D1=20` is not an operation"),
    ("equals sign with blanks", "startpos ;D1 = 20\n", "line 1: `=` is not a valid count for `D1`"),
    ("colon", "startpos ;D1: 20\n", "line 1: `D1: 20` is not an operation"),
    ("colon without blank", "startpos ;D1:20\n", "line 1: `D1:20` is not an operation"),
    ("lower-case depth", "startpos ;d1 20\n", "line 1: `d1 20` is not an operation"),
    ("lower-case captures", "startpos ;D1 20 ;c 0\n", "line 1: `c 0` is not an operation"),
    ("depth without blank", "startpos ;D120\n", "line 1: `` is not a valid count for `D120`"),
    ("captures without blank", "startpos ;D1 20 ;C0\n", "line 1: `C0` is not an operation"),
    ("negative depth", "startpos ;D-1 20\n", "line 1: `D-1 20` is not an operation"),
    ("depth with a plus sign", "startpos ;D+1 20\n", "line 1: `D+1 20` is not an operation"),
    ("depth as a fraction", "startpos ;D1.5 20\n", "line 1: `D1.5 20` is not an operation"),
    ("depth without number", "startpos ;D 20\n", "line 1: `D 20` is not an operation"),
    ("depth after a blank", "startpos ;D 1 20\n", "line 1: `D 1 20` is not an operation"),
    ("perft as a word", "startpos ;perft 1 20\n", "line 1: `perft 1 20` is not an operation"),
    ("depth as a word", "startpos ;depth 1 20\n", "line 1: `depth 1 20` is not an operation"),
    ("number alone", "startpos ;20\n", "line 1: `20` is not an operation"),
    ("semicolon forgotten", "startpos ;D1 20 D2 400\n", "line 1: `D1 20 D2 400` is not an operation"),
    ("comma for a semicolon", "startpos ;D1 20, D2 400\n", "line 1: `20,` is not a valid count for `D1`"),
    ("name before the last count", "startpos ;D1 20 start ;D2 400\n", "line 1: `start` is not an operation (D<depth>, C, Q)"),
    ("unknown operation first", "startpos ;xyz e4 ;D1 20\n", "line 1: `xyz e4` is not an operation (D<depth>, C, Q)"),
    ("operation of Stockfish", "startpos ;go perft 1 ;D1 20\n", "line 1: `go perft 1` is not an operation"),
    ("open quote", "startpos ;D1 20 ;id \"start\n", "line 1: the text of `id` has no closing quote"),
    ("open quote of a comment", "startpos c0 \"a; D1 20;\n", "line 1: the text of `c0` has no closing quote"),
    ("quoted name without id", "startpos ;D1 20 ;\"start\"\n", "line 1: `\"start\"` is not an operation"),
    ("bad position", "8/8/8/8/8/8/8/8 w - - ;D1 20\n", "line 1: the position cannot be read: board: White has 0 kings"),
    ("bad position in line 4", "# a\n\nstartpos ;D1 20\n8/8 w - - ;D1 1\n", "line 4: the position cannot be read"),
    ("bad operation in the last line", "startpos ;D1 20\r\nstartpos ;D2 x", "line 2: `x` is not a valid count for `D2`"),
    ("position of three fields", "4k3/8/8/8/8/8/8/4K3 w - ;D1 5\n", "line 1: the position cannot be read: en passant square"),
    ("operation without a position", ";D1 20\n", "line 1: the position cannot be read: board: missing"),
    ("counts before the position", "D1 20; startpos\n", "line 1: the position cannot be read"),
    ("startpos in capitals", "STARTPOS ;D1 20\n", "line 1: the position cannot be read"),
    ("text before startpos", "position startpos ;D1 20\n", "line 1: the position cannot be read"),
    ("comment of another kind", "// facts\nstartpos ;D1 20\n", "line 1: the position cannot be read"),
    ("comment after the counts", "startpos ;D1 20 ;D2 400 # 2\n", "line 1: `D2 400 # 2` is not an operation"),
    ("page of a web server", "<!DOCTYPE html>\n<html></html>\n", "line 1: the position cannot be read"),
    ("JSON", "{\"fen\": \"startpos\", \"D1\": 20}\n", "line 1: the position cannot be read"),
    ("CSV", "startpos,1,20\n", "line 1: the position cannot be read"),
    ("PGN", "[Event \"?\"]\n\n1. e4 e5 *\n", "line 1: the position cannot be read"),
    ("NUL in a line", "startpos\0 ;D1 20\n", "line 1: the position cannot be read"),
    ("NUL in a count", "startpos ;D1 20\0\n", "line 1: `20\\0` is not a valid count for `D1`"),
    ("escape sequence in an operation", "startpos ;\u{1b}[2J=1\n", "line 1: `\\u{1b}[2J=1` is not an operation"),
    ("bell in a count", "startpos ;D1 \u{7}20\n", "line 1: `\\u{7}20` is not a valid count"),
    ("line feed of Unicode", "startpos ;D1 20\u{2028}startpos ;D1 x\n", "line 1: `startpos` is not an operation"),
    ("count that is written backwards", "startpos ;D1 \u{202e}02\n", "line 1: `\\u{202e}02` is not a valid count for `D1`"),
    ("carriage return within a line", "startpos ;D1 20\rstartpos ;D1 21\n", "line 1: `startpos` is not an operation"),
];

/// Name, text, part of the answer: unusual forms that are right.
#[rustfmt::skip] // one row per case
const RIGHT: &[(&str, &str, &str)] = &[
    ("depth 0", "startpos ;D0 1\n", "\"leaves\": 1,"),
    ("depth 20 is read and skipped", "startpos ;D1 20 ;D20 9999999\n", "\"skipped\": 1,"),
    ("leading zeros", "startpos ;D01 0020\n", "\"leaves\": 20,"),
    ("captures and quiets", "startpos ;C 0 ;Q 20\n", "\"leaves\": 20,"),
    ("depths in descending order", "startpos ;D2 400 ;D1 20\n", "\"leaves\": 420,"),
    ("no semicolon before the first operation", "startpos D1 20; D2 400;\n", "\"leaves\": 420,"),
    ("no blanks around semicolons", "startpos;D1 20;D2 400\n", "\"leaves\": 420,"),
    ("several semicolons", "startpos ;; ;D1 20;;;\n", "\"leaves\": 20,"),
    ("tabs", "startpos\t;D1\t20\t;D2\t400\n", "\"leaves\": 420,"),
    ("no line end", "startpos ;D1 20", "\"leaves\": 20,"),
    ("line ends of Windows", "# a\r\n\r\nstartpos ;D1 20\r\n", "\"leaves\": 20,"),
    ("byte order mark", "\u{feff}startpos ;D1 20\n", "\"leaves\": 20,"),
    ("comment with a byte order mark", "\u{feff}# a\nstartpos ;D1 20\n", "\"leaves\": 20,"),
    ("indented comment", "   # startpos ;D1 21\nstartpos ;D1 20\n", "\"leaves\": 20,"),
    ("text as name", "startpos ;D1 20 ;the start\n", "\"leaves\": 20,"),
    ("name after the last count", "startpos ;D1 20 the start\n", "\"leaves\": 20,"),
    ("quoted name that looks like an operation", "startpos ;D1 20 ;id \"D1=21; x\"\n", "\"leaves\": 20,"),
    ("best move and comments", "startpos bm e4 d4; ce 20; c0 \"D1 = 21; x\"; D1 20;\n", "\"leaves\": 20,"),
    ("counters of the standard", "4k3/8/8/8/8/8/8/4K3 w - - hmvc 3; fmvn 12; D1 5;\n", "\"leaves\": 5,"),
    ("no operation", "startpos noop; D1 20;\n", "\"leaves\": 20,"),
    ("position with counters", "4k3/8/8/8/8/8/8/4K3 w - - 3 12 ;D1 5\n", "\"leaves\": 5,"),
    ("position without counters", "4k3/8/8/8/8/8/8/4K3 w - - ;D1 5\n", "\"leaves\": 5,"),
    ("position twice", "startpos ;D1 20\nstartpos ;D1 20\n", "\"leaves\": 40,"),
    ("line without count among others", "startpos\nstartpos ;D1 20\n", "\"leaves\": 20,"),
    ("checkmate", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1 ;D1 0 ;C 0 ;Q 0\n", "\"leaves\": 0,"),
    ("group", "# [own] ours\nstartpos ;D1 20\n", "\"leaves\": 20,"),
];

/// Name, text, part of the answer: counts that are wrong, which is no fault of the file.
#[rustfmt::skip] // one row per case
const FALSE: &[(&str, &str, &str)] = &[
    ("count one too large", "startpos ;D1 21\n", "expected 21, found 20"),
    ("count of 0", "startpos ;D1 0\n", "expected 0, found 20"),
    ("wrong at depth 0", "startpos ;D0 0\n", "leaves at depth 0: expected 0, found 1"),
    ("wrong captures", "startpos ;C 1\n", "expected 1, found 0"),
    ("wrong quiets", "startpos ;Q 19\n", "expected 19, found 20"),
    ("wrong in the second line", "startpos ;D1 20\nstartpos ;D2 401 ;second\n", "second"),
    ("line number as name", "startpos ;D1 20\n\nstartpos ;D1 19\n", "line 3"),
    ("name with an escape sequence", "startpos ;D1 21 ;\u{1b}[2Jcleared\n", "\\u{1b}[2Jcleared"),
    ("name with a bell", "startpos ;D1 21 ;ding\u{7}\n", "ding\\u{7}"),
    ("name with a carriage return", "startpos ;D1 21 ;id \"a\rverified\"\n", "a\\rverified"),
    ("name that hides text", "startpos ;D1 21 ;\u{202e}name\n", "\\u{202e}name"),
];

pub(crate) fn cases() -> Vec<Case> {
    let verify = [&VERIFY[..], &["--epd", "-"]].concat();
    let json = [&verify[..], &["--format", "json"]].concat();
    let mut cases: Vec<Case> = WRONG
        .iter()
        .map(|&(name, text, why)| {
            refused(name, &verify, &format!("standard input: {why}")).stdin(text)
        })
        .collect();
    cases.extend(RIGHT.iter().map(|&(name, text, part)| accepted(name, &json, part).stdin(text)));
    cases.extend(FALSE.iter().map(|&(name, text, part)| failed(name, &verify, part).stdin(text)));
    cases.extend(others(&verify));
    cases
}

/// Other encodings, sizes, limits, and several files.
fn others(verify: &[&str]) -> Vec<Case> {
    let with = |more: &[&'static str]| [verify, more].concat();
    let files = |more: &[&'static str]| [&VERIFY[..], more].concat();
    let long = "x".repeat(1 << 20);
    vec![
        refused("Latin-1", verify, "it is not UTF-8 text")
            .stdin(b"startpos ;D1 20 ;caf\xe9\n".as_slice()),
        refused("UTF-16", verify, "it is not UTF-8 text").stdin(b"\xff\xfes\0t\0".as_slice()),
        refused("a megabyte without line end", verify, "line 1: ").stdin(long.clone()),
        refused("an operand of a megabyte", verify, "is not a valid count for `D1`")
            .stdin(format!("startpos ;D1 {long}")),
        refused("a name of a megabyte that assigns", verify, "is not an operation")
            .stdin(format!("startpos ;{long}=1")),
        failed("a name of a megabyte", verify, "xxxxx").stdin(format!("startpos ;D1 21 ;{long}")),
        accepted("ten thousand blank lines", verify, "20")
            .stdin(format!("{}startpos ;D1 20", "\n".repeat(10_000))),
        accepted("a thousand positions", verify, "20000").stdin("startpos ;D1 20\n".repeat(1_000)),
        refused("limit of depth", &with(&["--max-depth", "1"]), "every count is above the limits")
            .stdin("startpos ;D2 400\n"),
        refused(
            "limit of leaves",
            &with(&["--max-nodes", "399"]),
            "every count is above the limits",
        )
        .stdin("startpos ;D2 400\n"),
        accepted("count at the limit", &with(&["--max-nodes", "400"]), "400")
            .stdin("startpos ;D2 400\n"),
        accepted("depth at the limit", &with(&["--max-depth", "2"]), "400        1")
            .stdin("startpos ;D2 400 ;D3 8902\n"),
        failed("wrong count as JSON", &with(&["--format", "json"]), "\"expected\": 21")
            .stdin("startpos ;D1 21\n"),
        accepted("two files", &files(&["--epd", "a", "--epd", "b"]), "420")
            .file("a", "startpos ;D1 20\n")
            .file("b", "startpos ;D2 400\n"),
        refused(
            "second file empty",
            &files(&["--epd", "a", "--epd", "b"]),
            "b: nothing to verify: there is no position",
        )
        .file("a", "startpos ;D1 20\n")
        .file("b", "# nothing\n"),
        refused("second file wrong", &files(&["--epd", "a", "--epd", "b"]), "b: line 2: ")
            .file("a", "startpos ;D1 20\n")
            .file("b", "\nstartpos ;D1 x\n"),
        refused(
            "input twice",
            &files(&["--epd", "-", "--epd", "-"]),
            "standard input: nothing to verify",
        )
        .stdin("startpos ;D1 20\n"),
        failed(
            "one file right and one wrong",
            &files(&["--epd", "a", "--epd", "b"]),
            "expected 399, found 400",
        )
        .file("a", "startpos ;D1 20\n")
        .file("b", "startpos ;D2 399\n"),
    ]
}
