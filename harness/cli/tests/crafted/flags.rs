//! Commands and flags: missing, wrong, contradicting and extreme values.

use super::case::{Case, Expected, accepted, case, refused, usage};
use crate::folder;

/// Words that the parser of the command line refuses. Name, words, part of the message.
#[rustfmt::skip] // one row per case
const SYNTAX: &[(&str, &[&str], &str)] = &[
    ("unknown command", &["dance"], "unrecognized subcommand 'dance'"),
    ("empty command", &[""], "unrecognized subcommand ''"),
    ("command misspelt", &["perftt"], "similar subcommands exist"),
    ("command in capitals", &["PERFT", "2"], "unrecognized subcommand 'PERFT'"),
    ("flag of a command before it", &["--plan", "quick"], "unexpected argument '--plan' found"),
    ("unknown flag", &["list", "--colour"], "unexpected argument '--colour' found"),
    ("unknown short flag", &["perft", "-x", "2"], "unexpected argument '-x' found"),
    ("value for a switch", &["perft", "2", "--divide=yes"], "unexpected value 'yes' for '--divide' found"),
    ("switch twice", &["perft", "2", "--divide", "--divide"], "cannot be used multiple times"),
    ("flag twice", &["perft", "2", "--hash", "1", "--hash", "2"], "cannot be used multiple times"),
    ("escape sequence as command", &["\u{1b}[2Jdance"], "unrecognized subcommand"),
    ("bell as value", &["perft", "\u{7}"], "invalid value '\\u{7}' for '<DEPTH>'"),
    ("line end as value", &["perft", "2\n3"], "invalid value '2\\n3' for '<DEPTH>'"),
    ("carriage return as flag", &["list", "--\rx"], "unexpected argument '--\\rx' found"),
    ("text written backwards as value", &["perft", "\u{202e}2"], "invalid value '\\u{202e}2' for '<DEPTH>'"),
    ("run: extra word", &["run", "quick"], "unexpected argument 'quick' found"),
    ("run: no plan", &["run", "--plan"], "a value is required for '--plan <PLAN>'"),
    ("run: two plans", &["run", "--plan", "quick", "--plan", "full"], "cannot be used multiple times"),
    ("run: unknown stage", &["run", "--stage", "most"], "[possible values: all, captures, quiets]"),
    ("run: no processes", &["run", "--processes", "0"], "0 is not in 1..=1000"),
    ("run: too many processes", &["run", "--processes", "1001"], "1001 is not in 1..=1000"),
    ("run: fraction of a process", &["run", "--processes", "1.5"], "invalid value '1.5' for '--processes <N>'"),
    ("run: word as processes", &["run", "--processes", "many"], "invalid value 'many' for '--processes <N>'"),
    ("run: no layouts", &["run", "--layouts", "0"], "0 is not in 1..=100"),
    ("run: too many layouts", &["run", "--layouts", "101"], "101 is not in 1..=100"),
    ("run: negative layouts", &["run", "--layouts", "-2"], "unexpected argument '-2' found"),
    ("run: empty folder", &["run", "--out", ""], "a value is required for '--out <DIR>'"),
    ("run: dry run twice", &["run", "--dry-run", "--dry-run"], "cannot be used multiple times"),
    ("run: value for a dry run", &["run", "--dry-run=false"], "unexpected value 'false' for '--dry-run'"),
    ("report: no journal", &["report"], "<RESULT>..."),
    ("report: empty journal name", &["report", ""], "a value is required for '<RESULT>...'"),
    ("report: no output", &["report", "a", "-o"], "a value is required for '--output <FILE>'"),
    ("report: empty output", &["report", "a", "-o", ""], "a value is required for '--output <FILE>'"),
    ("report: two outputs", &["report", "a", "-o", "b", "-o", "c"], "cannot be used multiple times"),
    ("report: empty target", &["report", "a", "--target", ""], "a value is required for '--target <DIR>'"),
    ("compare: nothing", &["compare"], "<A>"),
    ("compare: one result", &["compare", "a"], "<B>"),
    ("compare: three results", &["compare", "a", "b", "c"], "unexpected argument 'c' found"),
    ("compare: gate without sign", &["compare", "a", "b", "--gate", "0.05"], "expected a percentage such as 2%"),
    ("compare: gate of 1000 %", &["compare", "a", "b", "--gate", "1000%"], "expected a percentage such as 2%"),
    ("compare: negative gate", &["compare", "a", "b", "--gate=-1%"], "expected a percentage such as 2%"),
    ("compare: gate that is no number", &["compare", "a", "b", "--gate", "NaN%"], "expected a percentage such as 2%"),
    ("compare: infinite gate", &["compare", "a", "b", "--gate", "inf%"], "expected a percentage such as 2%"),
    ("compare: sign alone", &["compare", "a", "b", "--gate", "%"], "expected a percentage such as 2%"),
    ("compare: two signs", &["compare", "a", "b", "--gate", "1%%"], "expected a percentage such as 2%"),
    ("compare: decimal comma", &["compare", "a", "b", "--gate", "0,5%"], "expected a percentage such as 2%"),
    ("compare: empty gate", &["compare", "a", "b", "--gate", ""], "expected a percentage such as 2%"),
    ("compare: other format", &["compare", "a", "b", "--format", "csv"], "[possible values: table, json]"),
    ("ranking: nothing", &["ranking"], "<RESULT>"),
    ("ranking: one result", &["ranking", "a"], "2 values required"),
    ("ranking: other format", &["ranking", "a", "b", "--format", "markdown"], "[possible values: table, json]"),
    ("export: no format", &["export", "a"], "--format <FORMAT>"),
    ("export: no journal", &["export", "--format", "csv"], "<RESULT>..."),
    ("export: other format", &["export", "a", "--format", "xlsx"], "[possible values: csv, parquet]"),
    ("export: format in capitals", &["export", "a", "--format", "CSV"], "[possible values: csv, parquet]"),
    ("schema: extra word", &["schema", "session"], "unexpected argument 'session' found"),
    ("list: other format", &["list", "--format", "xml"], "[possible values: table, json, markdown]"),
    ("list: no design", &["list", "--design"], "a value is required for '--design <ID>'"),
    ("workloads: other format", &["workloads", "--format", "markdown"], "[possible values: table, json]"),
    ("doctor: extra word", &["doctor", "cycles"], "unexpected argument 'cycles' found"),
    ("verify: no file", &["verify", "--epd"], "a value is required for '--epd <FILE>'"),
    ("verify: negative depth", &["verify", "--max-depth=-1"], "invalid value '-1' for '--max-depth <DEPTH>'"),
    ("verify: depth of 2^32", &["verify", "--max-depth", "4294967296"], "invalid value '4294967296'"),
    ("verify: leaves with exponent", &["verify", "--max-nodes", "1e6"], "invalid value '1e6' for '--max-nodes <N>'"),
    ("verify: 2^64 leaves", &["verify", "--max-nodes", "18446744073709551616"], "invalid value '18446744073709551616'"),
    ("verify: leaves with separators", &["verify", "--max-nodes", "1,000"], "invalid value '1,000'"),
    ("perft: no depth", &["perft"], "<DEPTH>"),
    ("perft: empty depth", &["perft", ""], "invalid value '' for '<DEPTH>'"),
    ("perft: negative depth", &["perft", "-1"], "unexpected argument '-1' found"),
    ("perft: depth 21", &["perft", "21"], "21 is not in 0..=20"),
    ("perft: fraction as depth", &["perft", "3.5"], "invalid value '3.5' for '<DEPTH>'"),
    ("perft: hexadecimal depth", &["perft", "0x3"], "invalid value '0x3' for '<DEPTH>'"),
    ("perft: two depths", &["perft", "3", "4"], "unexpected argument '4' found"),
    ("perft: position without its flag", &["perft", "1", "startpos"], "unexpected argument 'startpos' found"),
    ("perft: table of 0 MiB", &["perft", "2", "--hash", "0"], "0 is not in 1..=1048576"),
    ("perft: table of a tebibyte and more", &["perft", "2", "--hash", "1048577"], "1048577 is not in 1..=1048576"),
    ("perft: table and divide", &["perft", "2", "--hash", "1", "--divide"], "cannot be used with '--divide'"),
    ("perft: table and style", &["perft", "2", "--hash", "1", "--style", "perftree"], "cannot be used with '--style"),
    ("perft: style and format", &["perft", "2", "--style", "stockfish", "--format", "json"], "cannot be used with '--format"),
    ("perft: other style", &["perft", "2", "--style", "uci"], "[possible values: stockfish, perftree]"),
    ("perft: other count", &["perft", "2", "--count", "nodes"], "[possible values: bulk, make]"),
    ("perft: no moves", &["perft", "2", "--moves"], "a value is required for '--moves <MOVES>...'"),
    ("perftree: no position", &["perftree", "1"], "<FEN>"),
    ("perftree: depth 21", &["perftree", "21", "startpos"], "21 is not in 0..=20"),
    ("moves: unknown stage", &["moves", "--stage", "some"], "[possible values: all, captures, quiets]"),
    ("moves: position without its flag", &["moves", "startpos"], "unexpected argument 'startpos' found"),
    ("fen: nothing", &["fen"], "<FEN>..."),
    ("hunt: no reference", &["hunt", "2"], "<--engine <PROGRAM>|--against <ID>>"),
    ("hunt: two references", &["hunt", "2", "--engine", "a", "--against", "b"], "cannot be used with '--against <ID>'"),
    ("hunt: depth 0", &["hunt", "0", "--against", "bell/steps"], "0 is not in 1..=20"),
    ("hunt: no time", &["hunt", "1", "--against", "bell/steps", "--timeout", "0"], "0 is not in 1..=86400"),
    ("hunt: more than a day", &["hunt", "1", "--against", "bell/steps", "--timeout", "86401"], "86401 is not in 1..=86400"),
    ("hunt: arguments for a design", &["hunt", "1", "--against", "bell/steps", "--", "x"], "cannot be used with '[ARGUMENTS]...'"),
    ("selftest: no time", &["selftest", "--seconds", "0"], "0 is not in 1..=600"),
    ("selftest: too much time", &["selftest", "--seconds", "601"], "601 is not in 1..=600"),
    ("selftest: no sessions", &["selftest", "--sessions", "0"], "0 is not in 1..=1000"),
    ("selftest: too many sessions", &["selftest", "--sessions", "1001"], "1001 is not in 1..=1000"),
    ("selftest: criterion without sessions", &["selftest", "--criterion"], "--sessions <N>"),
    ("selftest: folder without sessions", &["selftest", "--out", "x"], "--sessions <N>"),
    ("selftest: negative seed", &["selftest", "--seed=-1"], "invalid value '-1' for '--seed <SEED>'"),
    ("selftest: seed of 2^64", &["selftest", "--seed", "18446744073709551616"], "invalid value '18446744073709551616'"),
    ("new-design: no name", &["new-design"], "<NAME>"),
    ("new-design: two names", &["new-design", "a", "b"], "unexpected argument 'b' found"),
    ("completions: no shell", &["completions"], "<SHELL>"),
    ("completions: unknown shell", &["completions", "tcsh"], "[possible values: bash, elvish, fish, powershell, zsh]"),
    ("man: two commands", &["man", "run", "list"], "unexpected argument 'list' found"),
    ("man: command and folder", &["man", "run", "--out", "x"], "cannot be used with '--out <DIR>'"),
    ("worker: word as processor", &["worker", "--processor", "first"], "invalid value 'first' for '--processor"),
];

/// Values that only the command itself can judge. Name, words, sentence.
#[rustfmt::skip] // one row per case
const VALUES: &[(&str, &[&str], &str)] = &[
    ("run: unknown design", &["run", "--dry-run", "--design", "bel"], "no design is called `bel`"),
    ("run: empty design", &["run", "--dry-run", "--design", ""], "no design is called ``"),
    ("run: second design unknown", &["run", "--dry-run", "--design", "bell", "--design", "zebra"], "no design is called `zebra`"),
    ("run: unknown workload", &["run", "--dry-run", "--workload", "ab44"], "unknown workload `ab44`; did you mean ab4"),
    ("run: workload with a number", &["run", "--dry-run", "--workload", "ab4:5"], "unknown workload `ab4:5`"),
    ("run: stage that no panel has", &["run", "--dry-run", "--workload", "game", "--stage", "captures"], "no panel of plan `quick` matches --workload and --stage"),
    ("run: unknown baseline", &["run", "--dry-run", "--baseline", "nope"], "the baseline `nope` is not one of the designs"),
    ("run: baseline misspelt", &["run", "--dry-run", "--baseline", "bitboard/magc"], "did you mean bitboard/magic"),
    ("run: plan in capitals", &["run", "--dry-run", "--plan", "Quick"], "plan file Quick cannot be read"),
    ("run: nothing to resume", &["run", "--resume"], "raywalk-results contains no unfinished run; name its folder with --out"),
    ("run: no folder to resume", &["run", "--resume", "--out", "nowhere"], "nowhere contains no journal to resume"),
    ("run: nothing of this plan to resume", &["run", "--resume", "--plan", "full"], "no unfinished run of plan `full`"),
    ("verify: unknown design", &["verify", "--design", "nope"], "no design is called `nope`"),
    ("verify: unknown workload", &["verify", "--workload", "ab44"], "unknown workload `ab44`"),
    ("verify: workload without its number", &["verify", "--workload", "ab4:"], "`` in `ab4:` is not a number above 0"),
    ("verify: number without its workload", &["verify", "--workload", ":5"], "unknown workload ``"),
    ("verify: no positions", &["verify", "--workload", "ab4:0"], "`0` in `ab4:0` is not a number above 0"),
    ("verify: negative positions", &["verify", "--workload", "ab4:-1"], "`-1` in `ab4:-1` is not a number above 0"),
    ("verify: two numbers", &["verify", "--workload", "ab4:1:2"], "`1:2` in `ab4:1:2` is not a number above 0"),
    ("verify: 10^20 positions", &["verify", "--workload", "ab4:100000000000000000000"], "is not a number above 0"),
    ("verify: depth 0", &["verify", "--max-depth", "0"], "the bundled facts: nothing to verify: every count is above"),
    ("perft: unknown design", &["perft", "1", "--design", "bitbord/pext"], "did you mean bitboard/pext"),
    ("perft: family as design", &["perft", "1", "--design", "bell"], "`bell` matches several designs: bell/last-square, bell/steps"),
    ("perft: pattern as design", &["perft", "1", "--design", "bell/*"], "`bell/*` matches several designs"),
    ("perft: bulk of a pseudo-legal design", &["perft", "1", "--count", "bulk", "--design", "bell/steps"], "--count bulk needs a legal design"),
    ("perft: table of a tebibyte", &["perft", "1", "--hash", "1048576"], "--hash 1048576 is too large: "),
    ("perft: illegal move", &["perft", "1", "--moves", "e2e5"], "move 1 `e2e5` is not legal in rnbqkbnr/"),
    ("perft: second move illegal", &["perft", "1", "--moves", "e2e4 e2e4"], "move 2 `e2e4` is not legal in"),
    ("perft: move in algebraic notation", &["perft", "1", "--moves", "Nf3"], "move 1 `Nf3` is not legal in"),
    ("perft: move in capitals", &["perft", "1", "--moves", "E2E4"], "move 1 `E2E4` is not legal in"),
    ("perft: move with a dash", &["perft", "1", "--moves", "e2-e4"], "move 1 `e2-e4` is not legal in"),
    ("perft: null move", &["perft", "1", "--moves", "0000"], "move 1 `0000` is not legal in"),
    ("perft: promotion without piece", &["perft", "1", "--fen", "4k3/P7/8/8/8/8/8/4K3 w - -", "--moves", "a7a8"], "move 1 `a7a8` is not legal in"),
    ("perft: move with an escape sequence", &["perft", "1", "--moves", "\u{1b}[2J"], "move 1 `\\u{1b}[2J` is not legal in"),
    ("perftree: illegal move", &["perftree", "1", "startpos", "e2e5"], "move 1 `e2e5` is not legal in"),
    ("perftree: unknown design", &["perftree", "1", "startpos", "--design", "nope"], "no design is called `nope`"),
    ("moves: legal design and pseudo-legal moves", &["moves", "--design", "legal/hyperbola", "--pseudo"], "generates only legal moves; remove --pseudo"),
    ("moves: several designs", &["moves", "--design", "*"], "`*` matches several designs"),
    ("hunt: unknown design", &["hunt", "1", "--against", "nope"], "no design is called `nope`"),
    ("hunt: family as reference", &["hunt", "1", "--against", "bell"], "`bell` matches several designs"),
    ("new-design: empty name", &["new-design", ""], "`` is not a valid name; use at most 40 lower-case letters"),
    ("new-design: path as name", &["new-design", "../x"], "`../x` is not a valid name"),
    ("new-design: name of 41 letters", &["new-design", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"], "is not a valid name"),
    ("new-design: name with a line end", &["new-design", "a\nb"], "`a\\nb` is not a valid name"),
    ("new-design: keyword", &["new-design", "loop"], "`loop` is a keyword of Rust"),
    ("new-design: design of ours", &["new-design", "bell"], "`bell` is taken by the design bell/last-square"),
    ("new-design: outside the workspace", &["new-design", "mine"], "not inside the Raywalk workspace; name its root with --root"),
    ("list: pattern without match", &["list", "--design", "zebra/*"], "no design is called `zebra/*`"),
    ("list: many stars without match", &["list", "--design", "****************************b"], "no design is called `****"),
    ("man: unknown command", &["man", "dance"], "no command is called `dance`; `raywalk help` lists"),
    ("man: hidden command", &["man", "worker"], "no command is called `worker`"),
    ("man: escape sequence", &["man", "\u{1b}[2J"], "no command is called `\\u{1b}[2J`"),
    ("worker: no job", &["worker"], "the input is no job: "),
];

/// Extreme values that are right. Name, words, part of the answer.
#[rustfmt::skip] // one row per case
const RIGHT: &[(&str, &[&str], &str)] = &[
    ("version", &["--version"], "raywalk "),
    ("help of a command", &["help", "verify"], "Usage: raywalk verify"),
    ("perft: depth 0", &["perft", "0"], "1 leaves at depth 0"),
    ("perft: divide at depth 0", &["perft", "0", "--divide"], "Nodes searched: 1"),
    ("perft: smallest table", &["perft", "3", "--hash", "1"], "8902 leaves"),
    ("perft: no moves to play", &["perft", "1", "--moves", ""], "20 leaves"),
    ("perft: moves as words and as one", &["perft", "1", "--moves", "e2e4 e7e5", "g1f3"], "29 leaves"),
    ("perftree: moves with blanks around", &["perftree", "1", "startpos", " e2e4  e7e5 "], "\n\n29\n"),
    ("hunt: design against itself", &["hunt", "2", "--against", "bell/steps", "--design", "bell/steps"], "no difference to depth 2"),
    ("list: any design", &["list", "--design", "*"], "bitboard/pext"),
    ("list: many stars", &["list", "--design", "**l*/*s**"], "bell/steps"),
    ("list: design twice", &["list", "--design", "bell/steps", "--design", "bell"], "bell/last-square"),
    ("verify: no leaves", &["verify", "--design", "bell/steps", "--max-nodes", "0"], "verified"),
    ("run: most processes", &["run", "--dry-run", "--processes", "1000"], "plan quick, "),
    ("run: workload twice", &["run", "--dry-run", "--workload", "ab4", "--workload", "ab4"], "ab4/stream-tree/all"),
    ("run: stage that only one panel has", &["run", "--dry-run", "--stage", "quiets"], "ab4/stream-tree/quiets"),
    ("man: page of a command", &["man", "new-design"], "raywalk\\-new\\-design"),
];

pub fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> =
        SYNTAX.iter().map(|&(name, words, part)| usage(name, words, part)).collect();
    cases.extend(VALUES.iter().map(|&(name, words, part)| refused(name, words, part)));
    cases.extend(RIGHT.iter().map(|&(name, words, part)| accepted(name, words, part)));
    cases.extend(others());
    cases
}

/// Long words, words that are not UTF-8, and flags of commands that need journals.
fn others() -> Vec<Case> {
    let long = "x".repeat(100_000);
    let compare = |words: &[&'static str]| [&["compare", "a.jsonl", "b.jsonl"], words].concat();
    let mut cases = vec![
        usage("long command", &[&long], "unrecognized subcommand 'xxxx"),
        usage("long depth", &["perft", &long], "invalid value 'xxxx"),
        usage("long flag", &["list", &format!("--{long}")], "unexpected argument '--xxxx"),
        refused("long design", &["list", "--design", &long], "no design is called `xxxx"),
        refused(
            "long pattern",
            &["list", "--design", &"*a".repeat(20_000)],
            "no design is called `*a*a",
        ),
        refused("long move", &["perft", "1", "--moves", &long], "move 1 `xxxx"),
        refused("long workload", &["verify", "--workload", &long], "unknown workload `xxxx"),
        refused("long command of a manual", &["man", &long], "no command is called `xxxx"),
        usage("command that is not UTF-8", &[], "unrecognized subcommand").word(bytes(b"\xff\xfe")),
        usage("position that is not UTF-8", &["fen"], "invalid UTF-8").word(bytes(b"startpos\xff")),
        usage("design that is not UTF-8", &["list", "--design"], "invalid UTF-8")
            .word(bytes(b"\xff")),
        refused("job of another kind", &["worker"], "the input is no job: ").stdin("{\"plan\":1}"),
    ];
    let journals = [
        refused(
            "compare: unknown design",
            &compare(&["--design", "nobody"]),
            "no panel in common that measured these designs",
        ),
        refused(
            "compare: only the baseline",
            &compare(&["--design", "synthetic-beta", "--baseline", "synthetic-beta"]),
            "nothing to compare",
        ),
        accepted("compare: gate of 0 %", &compare(&["--gate", "0%"]), "equality margin of 0"),
        accepted("compare: gate of 100 %", &compare(&["--gate", "1e2%"]), "equality margin of 100"),
        accepted(
            "compare: gate with a blank",
            &compare(&["--gate", " 0.5 % "]),
            "equality margin of 0.5 %",
        ),
        case(
            Expected::Done,
            "compare: other baseline",
            &compare(&["--baseline", "synthetic-gamma"]),
            "synthetic-beta",
        ),
    ];
    cases.extend(journals.map(|case| {
        case.file("a.jsonl", folder::journal(1, 1.0)).file("b.jsonl", folder::journal(2, 1.0))
    }));
    cases
}

fn bytes(bytes: &[u8]) -> std::ffi::OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes.to_owned())
}
