//! Environments: caches that cannot be used, widths and colours that make no sense, variables that are
//! missing, empty or not UTF-8, engines that fail, results of other tools that are broken.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::case::{Case, accepted, external, failed, refused, usage};
use crate::folder;

/// Makes a corpus in a third of a second, and reads it from the cache if there is one.
const CORPUS: [&str; 7] =
    ["verify", "--design", "bell/steps", "--max-depth", "1", "--workload", "density-3:50"];
/// The smallest run on that corpus.
const PLAN: &str = "rounds = 1\nprocesses = 1\nbatch-ms = 0.1\ndesigns = [\"bell\"]\n\
                    [[panels]]\nworkload = \"density-3\"\n";
const LIST: [&str; 4] = ["list", "--long", "--design", "bell"];

/// Name, variable, value: places for the cache. None of them is an error.
#[rustfmt::skip] // one row per case
const CACHES: &[(&str, &str, &str)] = &[
    ("cache in a file", "RAYWALK_CACHE", "file"),
    ("cache below a file", "RAYWALK_CACHE", "file/below"),
    ("cache in a folder to be made", "RAYWALK_CACHE", "new/cache"),
    ("cache in /proc", "RAYWALK_CACHE", "/proc/raywalk"),
    ("cache in a device", "RAYWALK_CACHE", "/dev/null"),
    ("cache behind a circular link", "RAYWALK_CACHE", "loop"),
    ("cache with an escape sequence", "RAYWALK_CACHE", "\u{1b}[2J"),
    ("cache of the user in a file", "XDG_CACHE_HOME", "file"),
    ("cache of the user in the working folder", "XDG_CACHE_HOME", "."),
];

/// Name, variable, value: none of them changes the answer of `list` but for its width.
#[rustfmt::skip] // one row per case
const IGNORED: &[(&str, &str, &str)] = &[
    ("width 0", "COLUMNS", "0"),
    ("width -1", "COLUMNS", "-1"),
    ("width 19", "COLUMNS", "19"),
    ("width 40", "COLUMNS", "40"),
    ("width 1000", "COLUMNS", "1000"),
    ("width of 20 digits", "COLUMNS", "99999999999999999999"),
    ("width as a fraction", "COLUMNS", "80.5"),
    ("width as a word", "COLUMNS", "wide"),
    ("no width", "COLUMNS", ""),
    ("no colours at all", "NO_COLOR", "1"),
    ("empty wish for no colours", "NO_COLOR", ""),
    ("empty forced colours", "CLICOLOR_FORCE", ""),
    ("colours if there is a terminal", "CLICOLOR", "1"),
    ("unknown terminal", "TERM", "no-such-terminal"),
    ("dumb terminal", "TERM", "dumb"),
    ("terminal with an escape sequence", "TERM", "\u{1b}[2J"),
    ("unknown language", "LANG", "xx_YY.UTF-9"),
    ("decimal commas", "LC_ALL", "de_DE.UTF-8"),
    ("no search path", "PATH", ""),
    ("search path of files", "PATH", "file:file"),
    ("temporary folder that is missing", "TMPDIR", "/no/such/folder"),
    ("time zone that is none", "TZ", "Nowhere/Never"),
    ("home in a file", "HOME", "file"),
    ("empty home", "HOME", ""),
    ("design for perftree", "RAYWALK_DESIGN", "no-such-design"),
];

/// Commands that need no variable.
#[rustfmt::skip] // one row per case
const BARE: &[(&str, &[&str], &str)] = &[
    ("fen without environment", &["fen", "startpos"], "White to move"),
    ("list without environment", &["list", "--long", "--design", "bell"], "bell/steps"),
    ("verify without environment", &["verify", "--design", "bell/steps"], "Quick profile"),
    ("dry run without environment", &["run", "--dry-run", "--design", "bell"], "plan quick, 4 designs"),
    ("doctor without environment", &["doctor"], "clock "),
    ("report without environment", &["report", "good.jsonl"], "report.html"),
    ("manual without environment", &["man"], ".TH raywalk 1"),
    ("perftree without environment", &["perftree", "1", "startpos"], "\n\n20\n"),
];

fn prepare(folder: &Path) {
    fs::write(folder.join("file"), "").expect("a file");
    symlink("loop", folder.join("loop")).expect("a link");
}

pub(crate) fn cases() -> Vec<Case> {
    let cache = |&(name, variable, value): &(&str, &str, &str)| {
        accepted(name, &CORPUS, "bell/steps").set(variable, value).prepared(prepare)
    };
    let ignored = |&(name, variable, value): &(&str, &str, &str)| {
        accepted(name, &LIST, "Alex Bell").set(variable, value).prepared(prepare)
    };
    let bare = |&(name, words, part): &(&str, &[&str], &str)| {
        accepted(name, words, part).bare().file("good.jsonl", folder::journal(1, 1.0))
    };
    let mut cases: Vec<Case> = CACHES.iter().map(cache).collect();
    cases.extend(IGNORED.iter().map(ignored));
    cases.extend(BARE.iter().map(bare));
    cases.extend(others());
    cases.extend(imports());
    cases
}

fn others() -> Vec<Case> {
    let strange = || OsString::from_vec(b"x\xff\xfe".to_vec());
    let compare = |name, part| {
        failed(name, &["compare", "good.jsonl", "slow.jsonl"], part)
            .file("good.jsonl", folder::journal(1, 1.0))
            .file("slow.jsonl", folder::journal(3, 1.03))
    };
    let hunt = |words: &[&'static str]| [&["hunt", "1", "--engine"], words].concat();
    let perftree = ["perftree", "1", "startpos"];
    vec![
        accepted("run without cache", &folder::RUN, "cannot keep corpora in file (")
            .set("RAYWALK_CACHE", "file")
            .file("small.toml", PLAN)
            .prepared(prepare),
        accepted("cache that is not UTF-8", &CORPUS, "bell/steps").set("RAYWALK_CACHE", strange()),
        accepted("cache with a damaged file", &CORPUS, "bell/steps")
            .set("RAYWALK_CACHE", "cache")
            .prepared(|folder| {
                // Every name that the program may look for is taken.
                fs::create_dir(folder.join("cache")).expect("a folder");
                fs::write(folder.join("cache/density-3"), "damaged").expect("a file");
            }),
        accepted("neither home nor cache", &CORPUS, "bell/steps")
            .unset("HOME")
            .unset("XDG_CACHE_HOME")
            .set("TMPDIR", "."),
        accepted("empty cache and empty home", &CORPUS, "bell/steps")
            .set("RAYWALK_CACHE", "")
            .set("XDG_CACHE_HOME", "")
            .set("HOME", "")
            .set("TMPDIR", "."),
        accepted("width that is not UTF-8", &LIST, "Alex Bell").set("COLUMNS", strange()),
        accepted("language that is not UTF-8", &LIST, "Alex Bell").set("LANG", strange()),
        accepted("terminal that is not UTF-8", &LIST, "Alex Bell").set("TERM", strange()),
        accepted("home that is not UTF-8", &["doctor", "--format", "json"], "\"instrument\"")
            .set("HOME", strange()),
        accepted("doctor without search path", &["doctor"], "valgrind").set("PATH", ""),
        accepted("variable without name", &LIST, "Alex Bell").set("RAYWALK_NONSENSE", "1"),
        compare("forced colours", "\u{1b}[31m").set("CLICOLOR_FORCE", "yes").coloured(),
        compare("forced colours and none", "significant regression")
            .set("CLICOLOR_FORCE", "1")
            .set("NO_COLOR", "1"),
        compare("narrowest terminal", "regression").set("COLUMNS", "20"),
        refused("backtrace of an error", &["fen", "nonsense"], "board: 1 rank instead of 8")
            .set("RUST_BACKTRACE", "1"),
        refused("full backtrace of a journal", &["report", "nowhere"], "cannot open nowhere")
            .set("RUST_BACKTRACE", "full")
            .set("RUST_LIB_BACKTRACE", "1"),
        refused("forced colours of an error", &["fen", "nonsense"], "board: 1 rank")
            .set("CLICOLOR_FORCE", "1"),
        usage("no colours of a usage", &["perft"], "<DEPTH>").set("NO_COLOR", "1"),
        refused(
            "unknown design of perftree",
            &perftree,
            "RAYWALK_DESIGN: no design is called `bell/step`",
        )
        .set("RAYWALK_DESIGN", "bell/step"),
        refused(
            "family as design of perftree",
            &perftree,
            "RAYWALK_DESIGN: `bell` matches several designs",
        )
        .set("RAYWALK_DESIGN", "bell"),
        refused(
            "design of perftree that is not UTF-8",
            &perftree,
            "RAYWALK_DESIGN: no design is called `x\u{fffd}",
        )
        .set("RAYWALK_DESIGN", strange()),
        accepted("empty design of perftree", &perftree, "\n\n20\n").set("RAYWALK_DESIGN", ""),
        accepted(
            "flag above the variable",
            &[&perftree[..], &["--design", "bell/steps"]].concat(),
            "\n\n20\n",
        )
        .set("RAYWALK_DESIGN", "nonsense"),
        external(
            "engine without search path",
            &hunt(&["no-such-engine"]),
            "the engine `no-such-engine` cannot be started: No such file",
        )
        .set("PATH", ""),
        external("empty engine", &hunt(&[""]), "the engine `` cannot be started"),
        external(
            "engine with its arguments",
            &hunt(&["sh -c true"]),
            "the engine `sh -c true` cannot be started",
        ),
        external("no such engine", &hunt(&["./engine"]), "the engine `./engine` cannot be started"),
        external(
            "engine that fails",
            &hunt(&["false"]),
            "`false` exited (exit status: 1) before it answered `uci`",
        ),
        external(
            "engine that prints for ever",
            &hunt(&["yes"]),
            "`yes` printed more than 10000 lines",
        ),
        external(
            "engine that repeats its input",
            &hunt(&["cat", "--timeout", "1s"]),
            "`cat` did not answer `uci` within 1 s",
        ),
        external(
            "engine with escape sequences",
            &hunt(&["sh", "--", "-c", "printf '\\033[2J\\007no licence\\n' >&2; exit 9"]),
            "its last words: \\u{1b}[2J\\u{7}no licence",
        ),
        external(
            "engine that is killed",
            &hunt(&["sh", "--", "-c", "kill -9 $$"]),
            "`sh` exited (signal: 9 (SIGKILL)) before it answered `uci`",
        ),
        external(
            "engine without perft",
            &hunt(&["sh", "--", "-c", "read a; echo uciok; read a; read a; exit 0"]),
            "before it answered `go perft 1`",
        ),
        failed(
            "engine of one move",
            &hunt(&["sh", "--", "-c", "echo uciok; echo 'e2e4: 1'; echo 'Nodes searched: 1'; cat"]),
            "extra     a2a3",
        ),
        failed(
            "engine of garbage",
            &hunt(&[
                "sh",
                "--",
                "-c",
                "echo uciok; printf '\\377\\033: 1\\nz9z9: 1\\nNodes searched\\n'; cat",
            ]),
            "missing",
        ),
    ]
}

/// Results of other tools in cargo's target folder, which `report` reads.
fn imports() -> Vec<Case> {
    let report = ["report", "good.jsonl"];
    let named = ["report", "good.jsonl", "--target", "target"];
    let benchmark = "target/criterion/x/new/benchmark.json";
    let with = |case: Case| case.file("good.jsonl", folder::journal(1, 1.0));
    vec![
        with(accepted("target folder that is missing", &report, "report.html").set("CARGO_TARGET_DIR", "no/where")),
        with(accepted("target folder in a file", &report, "report.html").set("CARGO_TARGET_DIR", "good.jsonl")),
        with(accepted("empty target folder", &report, "report.html").set("CARGO_TARGET_DIR", "")),
        with(
            accepted("timing beside a result of another machine", &report, "target are left out, because ")
                .file(benchmark, ""),
        ),
        with(accepted("empty timing", &named, "benchmark.json: ").file(benchmark, "")),
        with(accepted("timing of garbage", &named, "benchmark.json: ").file(benchmark, "\u{1b}[2J")),
        with(accepted("timing of another type", &named, "benchmark.json: ").file(benchmark, "[1, 2]")),
        with(
            accepted("timing with text as number", &named, "benchmark.json: ")
                .file(benchmark, "{\"group_id\":\"gen/ab4/all\",\"throughput\":{\"Elements\":\"many\"}}"),
        ),
        with(
            accepted("timing without design", &named, "neither `function_id` nor `value_str` names a design")
                .file(benchmark, "{\"group_id\":\"gen/ab4/all\"}"),
        ),
        with(
            accepted("timing of an unknown stage", &named, "which does not end with a stage")
                .file(benchmark, "{\"group_id\":\"gen/ab4/\\u001b[2J\"}"),
        ),
        with(
            accepted("timing without estimates", &named, "the estimates.json next to it: ").file(
                benchmark,
                "{\"group_id\":\"gen/ab4/all\",\"function_id\":\"bell/steps\",\"throughput\":{\"Elements\":31}}",
            ),
        ),
    ]
}
