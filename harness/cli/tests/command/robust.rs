//! Closed readers, unwritable streams, full disks, engines that misbehave, paths that are not UTF-8.

#![cfg(unix)]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use predicates::prelude::*;

use crate::folder::{self, Folder, journal, raywalk};

/// A folder with journals of which `slow` is a regression of `fast`, and an EPD file with a wrong fact.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("fast.jsonl", &journal(1, 1.0));
    folder.write("slow.jsonl", &journal(3, 1.03));
    folder.write("wrong.epd", "8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 4 ; wrong\n");
    folder
}

const COMPARE: &[&str] = &["compare", "fast.jsonl", "slow.jsonl"];
const VERIFY: &[&str] = &["verify", "--design", "bell", "--epd", "wrong.epd"];

/// The command in a shell, with the arguments as `"$@"` of the script.
fn shell(folder: &Folder, script: &str, words: &[&str]) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_raywalk")]).args(words);
    command.current_dir(folder.path(""));
    command
}

#[test]
fn a_reader_that_closes_early_does_not_change_the_verdict() {
    let folder = folder();
    for words in [COMPARE, VERIFY] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_raywalk"))
            .args(words)
            .current_dir(folder.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program of this package");
        // The program has not written yet, or blocks until there is room: both find the pipe closed.
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{words:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{words:?}: {output:?}");
        shell(&folder, "\"$0\" \"$@\" >&-", words).assert().code(1);
    }
}

#[test]
fn stderr_that_cannot_be_written_changes_nothing() {
    let folder = Folder::planned(folder::PLAN);
    for stderr in ["2>&-", "2>/dev/full"] {
        let script = format!("\"$0\" \"$@\" {stderr}");
        shell(&folder, &script, &["fen", "nonsense"]).assert().code(2);
        shell(&folder, &script, &["dance"]).assert().code(2);
        let result = format!("result{}", stderr.len());
        let run = ["run", "--plan", "small.toml", "--out", &result];
        shell(&folder, &script, &run).assert().success();
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_raywalk"))
        .args(["fen", "nonsense"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program of this package");
    drop(child.stderr.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_stdout_is_an_error_of_one_sentence() {
    let folder = folder();
    for words in [COMPARE, &["--help"], &["help", "run"], &["run", "-h"], &["--version"], &["man"]]
    {
        shell(&folder, "\"$0\" \"$@\" >/dev/full", words)
            .assert()
            .code(2)
            .stderr("raywalk: No space left on device (os error 28)\n");
        shell(&folder, "\"$0\" \"$@\" | true", words).assert().success().stderr("");
    }
}

/// Files may have at most 1024 bytes, and the signal that usually enforces it is ignored.
const LIMITED: &str = "trap '' XFSZ; ulimit -f 2; \"$0\" \"$@\"";

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_keeps_the_existing_file_and_leaves_no_other() {
    let folder = folder();
    folder.write("x.csv", "old");
    folder.write("report.html", "old");
    for (words, file) in [
        (&["export", "fast.jsonl", "--format", "csv", "-o", "x.csv"][..], "x.csv"),
        (&["export", "fast.jsonl", "--format", "parquet", "-o", "x.csv"], "x.csv"),
        (&["report", "fast.jsonl"], "report.html"),
        (&["report", "fast.jsonl", "-o", "new.html"], "new.html"),
    ] {
        shell(&folder, LIMITED, words)
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicate::str::contains(format!("cannot write {file}: ")))
            .stderr(predicate::str::contains("large").count(1));
    }
    assert_eq!((folder.read("x.csv"), folder.read("report.html")), ("old".into(), "old".into()));
    let names = folder.path("").read_dir().expect("a folder").flatten();
    let mut names: Vec<_> = names.map(|entry| entry.file_name()).collect();
    names.sort();
    assert_eq!(names, ["fast.jsonl", "report.html", "slow.jsonl", "wrong.epd", "x.csv"]);
}

#[test]
fn an_export_goes_to_a_device_or_a_pipe_as_well() {
    let folder = folder();
    let words = ["export", "fast.jsonl", "--format", "csv", "-o", "/dev/stdout"];
    shell(&folder, "\"$0\" \"$@\" | cat", &words)
        .assert()
        .success()
        .stdout(predicate::str::starts_with("session,cpu,"));
}

#[test]
fn a_target_folder_that_does_not_exist_is_an_error() {
    let folder = folder();
    folder
        .raywalk(&["report", "fast.jsonl", "--target", "nowhere"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("nowhere is not a folder; --target takes"));
    assert!(!folder.path("report.html").exists());
    folder.answer(&["report", "fast.jsonl"]);
}

/// The system opens files with `xdg-open`, or with what other desktops call so.
#[test]
#[cfg(target_os = "linux")]
fn a_page_is_opened_by_the_program_of_the_system_or_exit_code_3_says_that_there_is_none() {
    let folder = folder();
    let report = |script: &str| {
        let script = format!("{script}; PATH=$PWD/bin \"$0\" \"$@\"");
        shell(&folder, &script, &["report", "fast.jsonl", "--open"]).assert()
    };
    report("mkdir -p bin")
        .code(3)
        .stderr(predicate::str::starts_with("raywalk: cannot open report.html: "));
    let browser =
        "printf '#!/bin/sh\\necho \"$1\" > opened\\n' > bin/xdg-open; chmod +x bin/xdg-open";
    report(browser).success().stdout("report.html\n");
    assert_eq!(folder.read("opened"), "report.html\n");
}

#[test]
#[cfg(target_os = "linux")]
fn a_journal_without_end_is_refused_in_little_memory() {
    let folder = folder();
    // Addresses in KiB.
    let script = "ulimit -v 3000000; \"$0\" \"$@\"";
    for words in [&["report", "/dev/zero"][..], &["compare", "fast.jsonl", "/dev/zero"]] {
        shell(&folder, script, words)
            .assert()
            .code(2)
            .stdout("")
            .stderr("raywalk: /dev/zero: line 1 is longer than 16 MiB\n");
    }
}

#[test]
fn an_engine_that_fails_is_exit_code_3_and_named() {
    for (words, expected) in [
        (&["hunt", "2", "--engine", "false"][..], "`false` exited (exit status: 1)"),
        (&["hunt", "2", "--engine", "no-such-engine"], "`no-such-engine` cannot be started: "),
        (&["hunt", "2", "--engine", "yes"], "`yes` printed more than"),
        (
            &["hunt", "2", "--engine", "cat", "--timeout", "1s"],
            "`cat` did not answer `uci` within 1 s",
        ),
        (
            &["hunt", "2", "--engine", "sh", "--", "-c", "printf '\\033[2Jout of memory\\n' >&2"],
            "its last words: \\u{1b}[2Jout of memory",
        ),
    ] {
        let assert = raywalk(words).assert().code(3).stdout("");
        let error = String::from_utf8(assert.get_output().stderr.clone()).expect("text");
        assert!(error.contains(expected), "{words:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    raywalk(&["hunt", "2", "--against", "bell/last-square", "--", "x"]).assert().code(2);
}

/// An engine in a folder with blanks, with arguments. It knows one move.
#[test]
fn hunt_reports_differences_as_text_and_as_json() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write(
        "my engines/one move",
        "#!/bin/sh\nwhile read command rest; do case $command in\n\
         uci) echo uciok;;\ngo) echo \"$1: 1\"; echo 'Nodes searched: 1';;\nesac; done\n",
    );
    let engine = folder.path("my engines/one move");
    std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).expect("own file");
    let engine = engine.to_str().expect("a name of ours");
    let fen = "k7/8/8/8/8/8/8/K7 w - - 0 1";
    let words = ["hunt", "1", "--fen", fen, "--engine", engine, "--format"];
    let ask = |format, answer| {
        let assert = raywalk(&[&words[..], &[format, "--", answer]].concat()).assert().code(1);
        String::from_utf8(assert.get_output().stdout.clone()).expect("text")
    };
    let json: serde_json::Value = serde_json::from_str(&ask("json", "a1a8")).expect("JSON");
    let expected = serde_json::json!({
        "depth": 1,
        "difference": {
            "path": [], "fen": fen, "extra": ["a1a2", "a1b1", "a1b2"], "missing": ["a1a8"],
        },
    });
    assert_eq!(json, expected);
    folder::is_documented(&["hunt"], &json);
    let text = ask("table", "a1a2");
    let expected = format!(
        "the move lists differ\npath      (at the root)\nposition  {fen}\nextra     a1b1 a1b2\nmissing\n"
    );
    assert_eq!(text, expected);
    let none = raywalk(&["hunt", "1", "--against", "bell/last-square", "--format", "json"]);
    let none: serde_json::Value = serde_json::from_str(&folder::output(none)).expect("JSON");
    assert_eq!(none, serde_json::json!({ "depth": 1, "difference": null }));
}

#[test]
#[cfg(target_os = "linux")] // other systems refuse such names
fn paths_need_not_be_utf_8() {
    let strange = OsStr::from_bytes(b"x/\xff\xfe");
    let folder = Folder::planned(folder::PLAN);
    let run = || {
        let mut command = folder.raywalk(&["run", "--plan", "small.toml", "--out"]);
        command.arg(strange);
        command
    };
    run().assert().success();
    run().assert().code(2).stderr(predicate::str::contains("already contains a journal"));
    folder.raywalk(&["report"]).arg(strange).assert().success();
    folder
        .raywalk(&["export", "--format", "csv", "-o"])
        .arg("x\u{fe}")
        .arg(strange)
        .assert()
        .success();
    folder.write("other.jsonl", &journal(2, 1.0));
    let compare = ["compare", "other.jsonl", "--force"];
    folder
        .raywalk(&compare)
        .arg(strange)
        .assert()
        .code(2)
        .stderr(predicate::str::contains("no panel in common"));
    for (words, code) in [(&["verify", "--epd"][..], 2), (&["hunt", "1", "--engine"], 3)] {
        folder.raywalk(words).arg(strange).assert().code(code);
    }
    let plan = folder.path("").join(OsStr::from_bytes(b"pl\xff.toml"));
    std::fs::copy(folder.path("small.toml"), &plan).expect("a copy");
    folder.raywalk(&["run", "--dry-run", "--plan"]).arg(&plan).assert().success();
    folder.raywalk(&["run", "--out", "planned", "--plan"]).arg(&plan).assert().success();
    // The program itself may lie in such a folder.
    let program = folder.path("").join(strange).join("raywalk");
    std::fs::copy(env!("CARGO_BIN_EXE_raywalk"), &program).expect("a copy");
    assert_cmd::Command::new(program)
        .args(["run", "--plan", "small.toml", "--out", "copied"])
        .current_dir(folder.path(""))
        .assert()
        .success();
}

#[test]
fn texts_fit_the_columns_of_the_environment_and_are_plain_in_a_pipe() {
    let folder = folder();
    let text = |columns: &str, forced: bool| {
        let mut command = folder.raywalk(COMPARE);
        command.env("COLUMNS", columns).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        if forced {
            command.env("CLICOLOR_FORCE", "1");
        }
        let assert = command.assert().code(1);
        String::from_utf8(assert.get_output().stdout.clone()).expect("text")
    };
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    assert!(widest(&text("60", false)) <= 60);
    assert!((61..=100).contains(&widest(&text("", false))));
    assert!(widest(&text("200", false)) > 100);
    assert!(!text("100", false).contains('\u{1b}'));
    assert!(text("100", true).contains("\u{1b}[31m"));
    let mut both = folder.raywalk(COMPARE);
    both.env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1");
    both.assert().stdout(predicate::str::contains("\u{1b}").not());
}

#[test]
fn verdicts_have_colours_if_they_are_forced() {
    let folder = folder();
    folder.write("right.epd", "startpos ;D1 20\n");
    let [good, bad, warning] = ["\u{1b}[32m", "\u{1b}[1m\u{1b}[31m", "\u{1b}[33m"];
    let right = ["verify", "--design", "bell", "--epd", "right.epd"];
    for (words, code, expected) in [
        (&right[..], 0, format!("{good}verified")),
        (VERIFY, 1, format!("{bad}WRONG")),
        (&["doctor"], 0, format!("{good}usable")),
        (&["hunt", "1", "--against", "bell/steps"], 0, format!("{good}no difference")),
        (&["--help"], 0, "\u{1b}[1m".to_owned()),
    ] {
        let text = |forced: &str, no: &str| {
            let mut command = folder.raywalk(words);
            command.env_remove("NO_COLOR").env(forced, "1").env(no, "1");
            let assert = command.assert().code(code);
            String::from_utf8(assert.get_output().stdout.clone()).expect("text")
        };
        let forced = text("CLICOLOR_FORCE", "CLICOLOR_FORCE");
        assert!(forced.contains(&expected), "{words:?}: {forced}");
        assert!(!text("CLICOLOR_FORCE", "NO_COLOR").contains('\u{1b}'), "{words:?}");
    }
    // One of the two, whichever the machine has.
    let mut doctor = folder.raywalk(&["doctor"]);
    doctor.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1").env("PATH", "");
    doctor.assert().success().stdout(predicate::str::contains(format!("{warning}not usable")));
}

#[test]
fn every_table_fits_the_columns() {
    let folder = Folder::planned(folder::PLAN);
    folder.write("wrong.epd", "8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 4 ; wrong\n");
    for columns in [40, 60, 100] {
        for words in [
            &["doctor"][..],
            &["workloads"],
            &["list"],
            &["run", "--dry-run"],
            &["run", "--dry-run", "--plan", "full"],
            &["verify", "--epd", "wrong.epd"],
            &["hunt", "2", "--against", "bell/steps"],
        ] {
            let mut command = folder.raywalk(words);
            let output = command.env("COLUMNS", columns.to_string()).output().expect("it runs");
            let text = String::from_utf8(output.stdout).expect("text");
            assert!(!text.is_empty(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
            for line in text.lines() {
                assert!(line.chars().count() <= columns, "{words:?} at {columns}: {line}");
            }
        }
    }
}

#[test]
fn the_output_of_a_program_cannot_control_the_terminal() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write("bin/valgrind", "#!/bin/sh\nprintf 'valgrind-3\\033[2J\\007\\n'\n");
    let program = folder.path("bin/valgrind");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("own file");
    let mut doctor = folder.raywalk(&["doctor"]);
    doctor.env("PATH", folder.path("bin"));
    doctor
        .assert()
        .success()
        .stdout(predicate::str::contains("valgrind-3\\u{1b}[2J\\u{7}"))
        .stdout(predicate::str::contains("\u{1b}").not());
}
