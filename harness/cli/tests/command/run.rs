//! A small but complete run: plan, verification, rounds, journal, report, and resuming.

use predicates::prelude::*;
use raywalk_results::schema::Record;

use crate::folder::{Folder, JOURNAL, PAGE, PLAN, ROUNDS, records, rounds};

#[test]
fn a_run_verifies_measures_journals_and_writes_the_report() {
    let folder = Folder::planned(PLAN);
    let printed = predicate::str::contains("report.html");
    folder
        .run(&[])
        .assert()
        .success()
        .stdout(printed.and(predicate::str::contains("resolve nothing in its headline")));
    let journal = folder.read(JOURNAL);
    assert_eq!(rounds(&journal), ROUNDS);
    assert!(matches!(records(&journal).last(), Some(Record::End(_))));
    let page = folder.read(PAGE);
    for text in ["Bell ray loop", "cycle-16", "density-3", "Resolves differences of", "<svg"] {
        assert!(page.contains(text), "the page lacks {text}");
    }
    // The report depends on the journal alone: written again, it has the same bytes.
    folder.raywalk(&["report", "result", "-o", "again.html"]).assert().success();
    assert!(folder.read("again.html") == page, "the page differs");
}

#[test]
fn results_of_cargo_bench_are_read_for_a_session_of_this_machine_and_build_only() {
    let folder = Folder::planned(PLAN);
    folder.run(&[]).assert().success();
    let own = folder.read(JOURNAL);
    let session = own.lines().next().expect("a session");
    let other = session.replacen("\"cpu\":\"", "\"cpu\":\"Other ", 1);
    folder.write("other.jsonl", &own.replacen(session, &other, 1));
    // A file that cannot be used shows that it was read.
    folder.write("target/criterion/x/new/benchmark.json", "");
    let notes = |words: &[&str]| {
        let mut report = folder.raywalk(&[&["report", "-o", "page.html"], words].concat());
        let report = report.env_remove("CARGO_TARGET_DIR").assert().success();
        String::from_utf8(report.get_output().stderr.clone()).expect("text")
    };
    assert!(notes(&["result"]).contains("benchmark.json: "));
    let left_out = notes(&["other.jsonl"]);
    assert!(left_out.starts_with("raywalk: the results of `cargo bench` in target"), "{left_out}");
    assert!(left_out.contains("CPU differs") && left_out.lines().count() == 1, "{left_out}");
    assert!(notes(&["other.jsonl", "--target", "target"]).contains("benchmark.json: "));
    assert_eq!(notes(&["result", "other.jsonl"]), "", "the page of several shows none");
}

#[test]
fn a_drawn_seed_is_printed_and_stored_and_repeats_a_session() {
    let plan = "rounds = 4\nbatch-ms = 0.1\nprocesses = 2\ndesigns = [\"bell/last-square\"]\n\
                [[panels]]\nworkload = \"density-3\"\nregime = { pressure = \"0\" }\n";
    let folder = Folder::planned(plan);
    let orders = |out: &str, seed: &[&str]| {
        let words = [&["run", "--plan", "small.toml", "--out", out], seed].concat();
        let output = folder.raywalk(&words).assert().success().get_output().stderr.clone();
        let mut seed = 0;
        let mut orders = Vec::new();
        for record in records(&folder.read(&format!("{out}/journal.jsonl"))) {
            match record {
                Record::Session(session) => seed = session.seed,
                Record::Process(process) => orders.push((process.padding, process.heap_padding)),
                Record::Round(round) => orders.push((round.first, round.root)),
                _ => {}
            }
        }
        let errors = String::from_utf8(output).expect("text");
        assert!(errors.starts_with(&format!("seed {seed}\n")), "{errors}");
        (seed, orders)
    };
    let (seed, drawn) = orders("one", &[]);
    assert_eq!(orders("same", &["--seed", &seed.to_string()]), (seed, drawn.clone()));
    let (other, redrawn) = orders("other", &[]);
    // Both fail together once in four billion runs.
    assert!(seed != other && drawn != redrawn, "{seed} {drawn:?}");
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn large_allocations_begin_elsewhere_within_a_page_in_every_process() {
    let folder = Folder::planned(PLAN);
    folder.run(&[]).assert().success();
    let offset = |record| match record {
        Record::Process(process) => {
            let address = process.heap.trim_start_matches("0x");
            Some(u64::from_str_radix(address, 16).expect("hexadecimal") % 4096)
        }
        _ => None,
    };
    let offsets: Vec<u64> = records(&folder.read(JOURNAL)).into_iter().filter_map(offset).collect();
    let different: std::collections::BTreeSet<_> = offsets.iter().collect();
    assert_eq!((offsets.len(), different.len()), (4, 4), "{offsets:?}");
}

#[test]
fn an_interrupted_run_is_resumed_without_loss() {
    let folder = Folder::planned(PLAN);
    folder.run(&[]).assert().success();
    let journal = folder.read(JOURNAL);
    let whole: Vec<&str> = journal.lines().collect();
    let third = whole.iter().position(|line| line.contains("\"round\":2")).expect("a third round");
    // The journal of a killed process: two rounds, and a part of the third.
    let torn = format!("{}\n{}", whole[..third].join("\n"), &whole[third][..40]);
    folder.write(JOURNAL, &torn);

    folder.run(&[]).assert().code(2).stderr(predicate::str::contains("--resume"));
    folder.run(&["--resume"]).assert().success();
    let resumed = folder.read(JOURNAL);
    assert!(resumed.starts_with(&(whole[..third].join("\n") + "\n")), "a kept line has changed");
    assert_eq!(rounds(&resumed), ROUNDS);
    // The missing rounds ran in a new process, after a warm-up.
    let new = records(&resumed).split_off(third);
    assert!(matches!(new[0], Record::Process(_)) && matches!(new[1], Record::WarmUp(_)), "{new:?}");
}

#[test]
fn a_journal_with_a_faulty_line_is_not_resumed() {
    let folder = Folder::planned(PLAN);
    folder.run(&[]).assert().success();
    let journal = folder.read(JOURNAL);
    let lines: Vec<&str> = journal.lines().collect();
    // Without its end the journal could be resumed.
    let (last, before) = lines[..lines.len() - 1].split_last().expect("rounds");
    let number = before.len();
    for (faulty, line) in [
        ([&before[..number - 1], &["{\"record\":"], &[*last]].concat(), number),
        ([before, &["", "nonsense"]].concat(), number + 2),
        ([before, &[*last, *last]].concat(), number + 2),
    ] {
        folder.write(JOURNAL, &(faulty.join("\n") + "\n"));
        let expected = predicate::str::contains(format!("line {line}:"));
        folder.run(&["--resume"]).assert().code(2).stderr(expected);
    }
}

#[test]
fn a_journal_of_another_plan_is_not_resumed() {
    let folder = Folder::planned(PLAN);
    folder.run(&[]).assert().success();
    let other = folder.read(JOURNAL).replacen("\"seed\":7", "\"seed\":8", 1);
    folder.write(JOURNAL, &other);
    folder.run(&["--resume"]).assert().code(2).stderr(predicate::str::contains("seed"));
}

#[test]
fn a_dry_run_measures_nothing() {
    let folder = Folder::planned(PLAN);
    let panel = predicate::str::contains("cycle-16/replay-16/all");
    folder.run(&["--dry-run"]).assert().success().stdout(panel);
    assert!(!folder.path("result").exists());
}
