//! Paths: missing, of the wrong kind, circular, too long, not UTF-8, in every place that takes one.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::case::{Case, accepted, external, refused, usage};
use crate::folder;

/// The commands with a file to read as last word, and the beginning of their complaint about it.
const READERS: [(&str, &[&str], &str); 6] = [
    ("report", &["report"], "cannot open "),
    ("export", &["export", "--format", "csv"], "cannot open "),
    ("compare", &["compare", "good.jsonl"], "cannot open "),
    ("ranking", &["ranking", "good.jsonl"], "cannot open "),
    ("verify", &["verify", "--design", "bell/steps", "--epd"], "cannot read "),
    ("run", &["run", "--dry-run", "--plan"], "plan file "),
];

/// Name, path to read, reason: the same fault for each reader.
#[rustfmt::skip] // one row per case
const UNREADABLE: &[(&str, &str, &str)] = &[
    ("missing file", "nowhere", "No such file or directory"),
    ("missing folder", "no/where", "No such file or directory"),
    ("path below a file", "good.jsonl/x", "Not a directory"),
    ("slash after a file", "good.jsonl/", "Not a directory"),
    ("circular link", "loop", "Too many levels of symbolic links"),
    ("link to nothing", "dangling", "No such file or directory"),
    ("name of 300 bytes", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "File name too long"),
    ("name with an escape sequence", "\u{1b}[2J", "\\u{1b}[2J"),
    ("name of two lines", "a\nb", "a\\nb"),
];

/// Name, `--out` of a run, sentence.
#[rustfmt::skip] // one row per case
const FOLDERS: &[(&str, &str, &str)] = &[
    ("run: file as its folder", "file", "cannot write a run to file, because file is not a folder"),
    ("run: slash after the folder", "file/", "cannot write a run to file/, because file is not a folder"),
    ("run: folder below a file", "file/below/it", "because file is not a folder"),
    ("run: circular link as folder", "loop", "because loop is not a folder"),
    ("run: link to nothing as folder", "dangling", "because dangling is not a folder"),
    ("run: device as folder", "/dev/null", "because /dev/null is not a folder"),
    ("run: folder that refuses", "/proc/raywalk", "cannot write a run to /proc/raywalk, because /proc refuses"),
    ("run: folder with a journal", "run", "run already contains a journal; add --resume or choose another --out"),
    ("run: long name", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "File name too long"),
];

/// Name, output file, reason: for the page of `report`.
#[rustfmt::skip] // one row per case
const OUTPUTS: &[(&str, &str, &str)] = &[
    ("report: folder as output", "folder", "cannot write folder: Is a directory"),
    ("report: slash after a folder", "folder/", "cannot write folder/: Is a directory"),
    ("report: slash after an output", "file/", "cannot write file/: Not a directory"),
    ("report: output below a file", "file/x.html", "cannot create file, because file is not a folder"),
    ("report: circular link as output", "loop", "cannot write loop: "),
    ("report: output in /proc", "/proc/x.html", "cannot write /proc/x.html: "),
    ("report: full device", "/dev/full", "cannot write /dev/full: No space left on device"),
    ("report: working folder", ".", "cannot write .: Is a directory"),
    ("report: result as output", "good.jsonl", "good.jsonl is a journal, which is not overwritten; choose another file"),
    ("report: root", "/", "cannot write /: Is a directory"),
];

/// A folder, an empty file, a run, a link to itself and one to nothing.
fn prepare(folder: &Path) {
    fs::create_dir(folder.join("folder")).expect("a folder");
    fs::write(folder.join("file"), "").expect("a file");
    symlink("loop", folder.join("loop")).expect("a link");
    symlink("no-such-file", folder.join("dangling")).expect("a link");
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (number, &(what, path, reason)) in UNREADABLE.iter().enumerate() {
        // Every fault meets two readers, and every reader several faults.
        for (command, words, complaint) in [READERS[number % 6], READERS[(number + 3) % 6]] {
            let name = format!("{command}: {what}");
            let case = refused(&name, &[words, &[path]].concat(), reason).prepared(prepare);
            assert!(reason.starts_with('\\') || complaint.ends_with(' '));
            cases.push(case);
        }
    }
    let dry = ["run", "--dry-run", "--design", "bell", "--workload", "cycle-16", "--out"];
    cases.extend(FOLDERS.iter().map(|&(name, path, why)| {
        refused(name, &[&dry[..], &[path]].concat(), why)
            .file("run/journal.jsonl", "")
            .prepared(prepare)
    }));
    cases.extend(OUTPUTS.iter().map(|&(name, path, why)| {
        refused(name, &["report", "good.jsonl", "-o", path], why).prepared(prepare)
    }));
    cases.extend(readers());
    cases.extend(others());
    for case in &mut cases {
        case.files.push(("good.jsonl".to_owned(), folder::journal(1, 1.0).into()));
    }
    cases
}

/// Folders, devices, pipes and names that are not UTF-8 in place of files.
fn readers() -> Vec<Case> {
    let verify = READERS[4].1;
    vec![
        refused(
            "folder as file of facts",
            &[verify, &["folder"]].concat(),
            "cannot read folder: Is a directory",
        )
        .prepared(prepare),
        refused(
            "folder as plan",
            &["run", "--dry-run", "--plan", "folder"],
            "plan file folder cannot be read: Is a directory",
        )
        .prepared(prepare),
        refused(
            "folder without journal",
            &["compare", "good.jsonl", "folder"],
            "cannot open folder/journal.jsonl",
        )
        .prepared(prepare),
        refused("root as result", &["report", "/"], "cannot open /journal.jsonl"),
        refused(
            "empty file as result",
            &["ranking", "good.jsonl", "file"],
            "file: the journal is empty",
        )
        .prepared(prepare),
        refused(
            "null device as result",
            &["report", "/dev/null"],
            "/dev/null: the journal is empty",
        ),
        refused(
            "endless device as result",
            &["report", "/dev/zero", "-o", "x"],
            "/dev/zero: line 1 is longer than 16 MiB",
        ),
        refused(
            "endless device as facts",
            &[verify, &["/dev/zero"]].concat(),
            "cannot read /dev/zero: it has more than 262144 KiB",
        ),
        refused(
            "endless device as plan",
            &["run", "--dry-run", "--plan", "/dev/zero"],
            "it is longer than 1 MiB",
        ),
        refused(
            "memory as result",
            &["report", "/proc/self/mem", "-o", "x"],
            "line 1 cannot be read: Input/output error",
        ),
        refused("minus as result", &["report", "-"], "cannot open -: No such file or directory")
            .stdin("{}"),
        refused("path of 5,000 bytes", &["report", &"d/".repeat(2_500)], "File name too long"),
        refused(
            "plan of 5,000 bytes",
            &["run", "--dry-run", "--plan", &"d/".repeat(2_500)],
            "File name too long",
        ),
        refused("result that is not UTF-8", &["report"], "cannot open x\u{fffd}: No such file")
            .word(strange()),
        refused("facts that are not UTF-8", verify, "cannot read x\u{fffd}: No such file")
            .word(strange()),
        refused(
            "plan that is not UTF-8",
            &["run", "--dry-run", "--plan"],
            "plan file x\u{fffd} cannot be read",
        )
        .word(strange()),
        accepted(
            "plan in a file that is not UTF-8",
            &["run", "--dry-run", "--plan"],
            "cycle-16/replay-16/all",
        )
        .word(strange())
        .prepared(|folder| {
            fs::write(folder.join(strange()), "[[panels]]\nworkload = \"cycle-16\"\n")
                .expect("a file");
        }),
        accepted("facts from a pipe", &[verify, &["pipe"]].concat(), "20").prepared(|folder| {
            let pipe = folder.join("pipe");
            assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
            // Opening waits for the reader.
            std::thread::spawn(|| fs::write(pipe, "startpos ;D1 20\n"));
        }),
        accepted("facts from a device", &[verify, &["/dev/stdin"]].concat(), "20")
            .stdin("startpos ;D1 20\n"),
        accepted("result behind links", &["ranking", "good.jsonl", "b"], "stable").prepared(
            |folder| {
                fs::write(folder.join("other.jsonl"), folder::journal(2, 1.0)).expect("a file");
                symlink("other.jsonl", folder.join("a")).expect("a link");
                symlink("a", folder.join("b")).expect("a link");
            },
        ),
        accepted("result in the working folder", &["report", "."], "./report.html")
            .file("journal.jsonl", folder::journal(2, 1.0)),
        accepted("result in a folder above", &["report", "folder/.."], "report.html")
            .file("journal.jsonl", folder::journal(2, 1.0))
            .prepared(prepare),
        accepted("name with blanks", &["report", "a b.jsonl"], "report.html")
            .file("a b.jsonl", folder::journal(2, 1.0)),
        accepted("name like a flag", &["report", "-o", "x.html", "--", "--force"], "x.html")
            .file("--force", folder::journal(2, 1.0)),
    ]
}

/// Outputs, and the folders of other commands.
fn others() -> Vec<Case> {
    let long = "x".repeat(300);
    let export = |path: &'static str| ["export", "good.jsonl", "--format", "csv", "-o", path];
    vec![
        refused(
            "export: folder as output",
            &export("folder"),
            "cannot write folder: Is a directory",
        )
        .prepared(prepare),
        refused(
            "export: folder that is missing",
            &export("no/such/x.csv"),
            "cannot write no/such/x.csv: No such file",
        ),
        refused(
            "export: output below a file",
            &export("file/x.csv"),
            "cannot write file/x.csv: Not a directory",
        )
        .prepared(prepare),
        refused(
            "export: long name",
            &["export", "good.jsonl", "--format", "parquet", "-o", &long],
            "File name too long",
        ),
        accepted("export: output that exists", &export("file"), "file: 320 rows").prepared(prepare),
        accepted("export: link to nothing as output", &export("dangling"), "dangling: 320 rows")
            .prepared(prepare),
        accepted("export: null device as output", &export("/dev/null"), "/dev/null: 320 rows"),
        accepted(
            "report: folders that are missing",
            &["report", "good.jsonl", "-o", "a/b/x.html"],
            "a/b/x.html",
        ),
        accepted("report: output that is not UTF-8", &["report", "good.jsonl", "-o"], "x\u{fffd}")
            .word(strange()),
        refused(
            "report: file as target",
            &["report", "good.jsonl", "--target", "file"],
            "file is not a folder; --target takes",
        )
        .prepared(prepare),
        refused(
            "report: target of several results",
            &["report", "good.jsonl", "good.jsonl", "--target", "folder"],
            "--target needs one result",
        )
        .prepared(prepare),
        refused(
            "report: circular link as target",
            &["report", "good.jsonl", "--target", "loop"],
            "loop is not a folder",
        )
        .prepared(prepare),
        refused(
            "man: file as folder",
            &["man", "--out", "file"],
            "cannot create file, because file is not a folder",
        )
        .prepared(prepare),
        refused(
            "man: folder below a file",
            &["man", "--out", "file/x"],
            "cannot create file/x, because file is not a folder",
        )
        .prepared(prepare),
        refused("man: circular link as folder", &["man", "--out", "loop"], "cannot create loop")
            .prepared(prepare),
        accepted("man: folders that are missing", &["man", "--out", "a/b"], "pages to a/b."),
        refused(
            "new-design: missing root",
            &["new-design", "mine", "--root", "nowhere"],
            "cannot read nowhere/harness/registry/src/lib.rs",
        ),
        refused(
            "new-design: file as root",
            &["new-design", "mine", "--root", "file"],
            "cannot read file/harness/registry/src/lib.rs: Not a directory",
        )
        .prepared(prepare),
        refused(
            "new-design: root without registry",
            &["new-design", "mine", "--root", "."],
            "cannot read ./harness/registry/src/lib.rs",
        ),
        refused(
            "new-design: registry without its mark",
            &["new-design", "mine", "--root", "."],
            "lib.rs lacks the line `// New designs go above this line.`",
        )
        .file("harness/registry/src/lib.rs", "fn main() {}\n"),
        refused(
            "new-design: folder that is taken",
            &["new-design", "mine", "--root", "."],
            "`mine` is taken by the folder variants/mine",
        )
        .file("variants/mine/x", ""),
        external(
            "hunt: folder as engine",
            &["hunt", "1", "--engine", "./folder"],
            "the engine `./folder` cannot be started: Permission denied",
        )
        .prepared(prepare),
        external(
            "hunt: file that is no program",
            &["hunt", "1", "--engine", "./good.jsonl"],
            "the engine `./good.jsonl` cannot be started",
        ),
        external(
            "hunt: engine that is not UTF-8",
            &["hunt", "1", "--engine"],
            "the engine `x\u{fffd}` cannot be started",
        )
        .word(strange()),
        refused(
            "resume: journal without line end",
            &["run", "--resume", "--out", "run"],
            "was stopped before its plan was recorded",
        )
        .file("run/journal.jsonl", "{\"record\":\"session\""),
        refused(
            "resume: empty journal",
            &["run", "--resume", "--out", "run"],
            "was stopped before its plan was recorded; name the plan",
        )
        .file("run/journal.jsonl", ""),
        refused(
            "resume: journal without plan",
            &["run", "--resume", "--out", "run"],
            "contains no plan, so it cannot be resumed",
        )
        .file("run/journal.jsonl", folder::journal(1, 1.0)),
        refused(
            "resume: folder as journal",
            &["run", "--resume", "--out", "run"],
            "run contains no journal to resume",
        )
        .file("run/journal.jsonl/x", ""),
        refused(
            "resume: journal of garbage",
            &["run", "--resume", "--out", "run"],
            "run/journal.jsonl: line 1: not a session",
        )
        .file("run/journal.jsonl", "garbage\n"),
        refused(
            "resume: wrong plan in the journal",
            &["run", "--resume", "--out", "run"],
            "plan file in the journal: line 1: `zeal` is unknown",
        )
        .file("run/journal.jsonl", with_plan("zeal = 1")),
        refused(
            "resume: plan of the journal that is no TOML",
            &["run", "--resume", "--out", "run"],
            "plan file in the journal: line 1: ",
        )
        .file("run/journal.jsonl", with_plan("[[")),
        refused(
            "selftest: file as folder",
            &["selftest", "--sessions", "1", "--out", "file"],
            "cannot create file, because file is not a folder",
        )
        .prepared(prepare),
        refused(
            "selftest: page without tables",
            &["selftest", "--sessions", "2", "--write", "page.md"],
            "page.md",
        )
        .file("page.md", "# A page\n"),
        usage(
            "empty root",
            &["new-design", "mine", "--root", ""],
            "a value is required for '--root <DIR>'",
        ),
    ]
}

/// A session with this text as its plan.
fn with_plan(plan: &str) -> String {
    let journal = folder::journal(1, 1.0);
    journal.replacen("\"margin\":", &format!("\"plan_file\":\"{plan}\",\"margin\":"), 1)
}

/// A name that is not UTF-8.
fn strange() -> OsString {
    OsString::from_vec(b"x\xff".to_vec())
}
