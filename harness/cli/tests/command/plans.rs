//! Plans of runs: checks before work begins, resuming without flags, Ctrl-C, listings.

use predicates::prelude::*;

use crate::folder::{self, Folder, JOURNAL, PLAN, ROUNDS, rounds};

/// A finished run whose journal is cut after two rounds of the first panel.
fn stopped() -> Folder {
    let folder = Folder::planned(PLAN);
    folder.run(&[]).assert().success();
    let journal = folder.read(JOURNAL);
    let lines: Vec<&str> = journal.lines().collect();
    let third = lines.iter().position(|line| line.contains("\"round\":2")).expect("a third round");
    folder.write(JOURNAL, &(lines[..third].join("\n") + "\n"));
    folder
}

#[test]
fn a_stopped_run_is_resumed_without_its_flags() {
    let folder = stopped();
    let kept = folder.read(JOURNAL);
    // The plan file may be gone.
    std::fs::remove_file(folder.path("small.toml")).expect("a file");
    // Neither flag of the first command is needed if the run is in the folder of all results.
    folder.write("raywalk-results/small-1/journal.jsonl", &kept);
    folder.raywalk(&["run", "--resume"]).assert().success();
    assert_eq!(rounds(&folder.read("raywalk-results/small-1/journal.jsonl")), ROUNDS);
    folder.raywalk(&["run", "--resume", "--out", "result"]).assert().success();
    let resumed = folder.read(JOURNAL);
    assert!(resumed.starts_with(&kept), "a kept line has changed");
    assert_eq!(rounds(&resumed), ROUNDS);
    let none = predicate::str::contains("no unfinished run");
    folder.raywalk(&["run", "--resume"]).assert().code(2).stderr(none);
}

#[test]
fn flags_that_contradict_the_journal_are_refused_before_work_begins() {
    let folder = stopped();
    let resume =
        |more: &[&str]| folder.raywalk(&[&["run", "--resume", "--out", "result"], more].concat());
    for (flags, part) in [
        (&["--plan", "full"][..], "plan `small` there, `full` here"),
        (&["--seed", "8"], "seed `7` there, `8` here"),
        (&["--processes", "7"], "processes `4` there, `7` here"),
        (&["--baseline", "bitboard"], "baseline `the first design` there, `bitboard` here"),
        (&["--design", "bell"], "designs `bell/last-square, bitboard/hyperbola` there"),
        (&["--stage", "all"], "panels"),
        (&["--workload", "ab4"], "panels"),
        (&["--layouts", "2"], "layouts"),
    ] {
        let output = resume(flags).assert().code(2).get_output().clone();
        let error = String::from_utf8(output.stderr).expect("text");
        assert!(
            error.contains(part) && error.contains("leave the flags out"),
            "{flags:?}: {error}"
        );
        assert_eq!(error.lines().count(), 1, "work began: {error}");
    }
    // Flags that repeat what the journal holds are no contradiction.
    resume(&["--plan", "small.toml", "--processes", "4", "--seed", "7", "--dry-run"])
        .assert()
        .success();
    // A plan without a seed continues with that of the journal.
    folder.write("small.toml", &PLAN.replace("seed = 7\n", ""));
    resume(&["--plan", "small.toml", "--dry-run"]).assert().success();
}

#[test]
fn a_run_that_was_stopped_before_its_first_line_needs_its_plan() {
    let folder = Folder::planned(PLAN);
    folder.write(JOURNAL, "{\"record\":\"session\",\"sche");
    let asks = predicate::str::contains("name the plan with --plan");
    folder.raywalk(&["run", "--resume", "--out", "result"]).assert().code(2).stderr(asks);
    folder.run(&["--resume", "--dry-run"]).assert().success();
}

#[test]
fn a_dry_run_makes_every_check_of_a_run() {
    let folder = Folder::planned(PLAN);
    folder.write("file", "");
    folder.write("done/journal.jsonl", "{}\n");
    let sliders = "designs = [\"reul\"]\n[[panels]]\nworkload = \"ab4\"\nscope = \"sliders\"\n";
    folder.write("wrong.toml", "[[panels]]\nworkload = \"cycle-16\"\norder = \"tree\"\n");
    folder.write("sliders.toml", sliders);
    let cases: &[(&[&str], &str)] = &[
        (&["--baseline", "nope"], "the baseline `nope` is not one of the designs"),
        (&["--baseline", "bitboard/magc"], "did you mean bitboard/magic"),
        (&["--design", "bell", "--baseline", "bitboard/magic"], "not one of the designs"),
        (&["--design", "bel"], "no design is called `bel`"),
        (&["--plan", "missing.toml"], "missing.toml cannot be read"),
        (&["--plan", "/dev/zero"], "longer than 1 MiB"),
        (&["--plan", "wrong.toml"], "line 3: `panels[0].order` is unknown"),
        (&["--workload", "ab44"], "unknown workload"),
        (&["--out", "file/below"], "file is not a folder"),
        (&["--out", "done"], "already contains a journal"),
        (&["--processes", "0"], "1..=1000"),
        (&["--resume"], "no unfinished run"),
    ];
    for (flags, part) in cases {
        let words = [&["run", "--dry-run"], *flags].concat();
        folder.raywalk(&words).assert().code(2).stdout("").stderr(predicate::str::contains(*part));
    }
    assert!(!folder.path("raywalk-results").exists());
}

#[test]
fn a_program_outside_the_source_tree_cannot_link_layouts() {
    let folder = Folder::new();
    let program = folder.path("raywalk");
    std::fs::copy(assert_cmd::cargo::cargo_bin!("raywalk"), &program).expect("a copy");
    let mut command = assert_cmd::Command::new(program);
    command.current_dir(folder.path("")).args(["run", "--dry-run", "--layouts", "2"]);
    let advice = predicate::str::contains("run this command inside the Raywalk workspace");
    command.assert().code(2).stderr(advice.and(predicate::str::contains("--root").not()));
}

#[test]
fn a_byte_order_mark_is_skipped_in_every_file() {
    let folder = Folder::planned(&format!("\u{feff}{PLAN}"));
    folder.run(&["--dry-run"]).assert().success();
    folder.write("a.jsonl", &format!("\u{feff}{}", folder::journal(1, 1.0)));
    folder.raywalk(&["report", "a.jsonl", "-o", "a.html"]).assert().success();
    folder.write("a.epd", "\u{feff}4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5\n");
    folder.raywalk(&["verify", "--design", "bell", "--epd", "a.epd"]).assert().success();
}

#[test]
fn progress_without_a_terminal_is_at_most_one_line_per_panel() {
    let folder = Folder::planned(PLAN);
    let output = folder.run(&[]).assert().success().get_output().clone();
    let errors = String::from_utf8(output.stderr).expect("text");
    let lines: Vec<_> = errors.lines().filter(|line| line.contains(" %  ")).collect();
    assert!((1..=2).contains(&lines.len()), "{errors}");
    assert!(lines.iter().all(|line| !line.starts_with("  0 %")), "{errors}");
}

#[test]
#[cfg(unix)]
fn a_path_that_is_not_unicode_is_a_folder_like_any_other() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::planned(PLAN);
    let name = std::ffi::OsStr::from_bytes(b"x\xff\xfe");
    let mut command = folder.raywalk(&["run", "--plan", "small.toml", "--out"]);
    command.arg(name).assert().success();
    assert!(folder.path("").join(name).join("journal.jsonl").is_file());
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_prints_how_to_resume_and_loses_nothing() {
    use std::process::{Command, Stdio};
    let long = PLAN.replace("rounds = 6", "rounds = 100000");
    // To the run alone, and to its measuring process as well, as a terminal does.
    for group in [false, true] {
        let folder = Folder::planned(&long);
        // A script's background processes ignore the signal, and their children inherit that.
        let mut command = Command::new("env");
        command.arg("--default-signal=INT").arg(assert_cmd::cargo::cargo_bin!("raywalk"));
        command.args(folder::RUN).current_dir(folder.path("")).stdin(Stdio::null());
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("a child");
        let journal = folder.path(JOURNAL);
        while !std::fs::read_to_string(&journal).is_ok_and(|text| text.contains("\"round\":3")) {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let target = format!("{}{}", if group { "-" } else { "" }, child.id());
        let sent = Command::new("kill").args(["-INT", "--", &target]).status().expect("kill");
        assert!(sent.success());
        let output = child.wait_with_output().expect("it ends");
        let errors = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(130), "{errors}");
        let hint = "raywalk: interrupted; continue with `raywalk run --resume --out result`\n";
        assert_eq!(errors.matches(hint).count(), 1, "{errors}");
        assert!(!errors.contains("exited early"), "{errors}");
        let left = rounds(folder.read(JOURNAL).rsplit_once('\n').expect("lines").0);
        assert!(left >= 4, "{left}");
        let resume = ["run", "--resume", "--out", "result", "--dry-run"];
        folder.raywalk(&resume).assert().success();
    }
}

#[test]
fn the_workloads_are_listed_for_people_and_programs() {
    let folder = Folder::new();
    let table = folder.answer(&["workloads"]);
    assert!(table.lines().any(|line| line.starts_with("ab4 ") && line.contains(" 228200  ")));
    let json = folder.answer(&["workloads", "--format", "json"]);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&json).expect("JSON");
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).expect("a workload");
    assert_eq!(row("cycle-256")["series"], serde_json::json!({"name": "memorisation", "k": 256}));
    assert_eq!(row("cycle-256")["period"], 256);
    assert_eq!(
        (&row("opening")["positions"], &row("tricky")["timed"]),
        (&serde_json::Value::Null, &false.into())
    );
}
