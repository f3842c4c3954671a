//! Kills runs at fifty random moments with SIGKILL. The journalled lines stay unchanged, byte for byte,
//! and a resumed run ends with the same rounds and a complete report.
//!
//! Fresh and resumed runs are killed, from before the journal exists until after its last line. The moments come from a
//! seed and are spread over the duration of an uninterrupted run, the shortest so far. Their place in the run depends
//! on the machine and on what else runs there, so the test prints it.
//!
//! Only the main process of a run is killed. Its child processes may end a little later, and the next run
//! has to wait for them. All of them inherit the same pipe for errors, and the pipe is closed when the
//! last one ends.

#![cfg(unix)]

use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use raywalk_core::random::SplitMix;
use raywalk_results::schema::Record;

mod folder;
use folder::{Folder, JOURNAL, PAGE, RUN, program, records};

const KILLS: usize = 50;
const SEED: u64 = 0x006b_696c_6c2d_3950;
const SIGKILL: i32 = 9;
/// Rounds of [`PLAN`]: four panels of 60. They take about half of a run; the preparation takes the rest.
const ROUNDS: usize = 240;
/// Upper bound for the end of all processes of a killed run.
const END_OF_OTHERS: Duration = Duration::from_secs(60);

/// Two designs, panels with and without repeated positions; takes a few seconds.
const PLAN: &str = r#"
seed = 11
processes = 4
rounds = 60
batch-ms = 2
designs = ["bell/last-square", "bitboard/hyperbola"]

[[panels]]
workload = "cycle-16"
stages = ["all", "captures"]

[[panels]]
workload = "density-3"
stages = ["captures", "quiets"]
"#;

/// A run in its folder, and the complete lines that its journal is known to contain.
struct Run {
    folder: Folder,
    kept: Vec<u8>,
}

/// A running process. The errors of it and of all its child processes arrive when the last one ends.
struct Started {
    child: Child,
    errors: Receiver<String>,
}

impl Started {
    fn end(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().expect("a child");
        let errors = self.errors.recv_timeout(END_OF_OTHERS);
        (status, errors.expect("the child processes of a run end soon after it"))
    }
}

/// The state of a run after a kill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    WithoutJournal,
    BeforeTheFirstRound,
    AmongTheRounds,
    WithinALine,
    BeforeTheLastLine,
    BeforeThePage,
}

impl Run {
    fn new(plan: &str) -> Run {
        Run { folder: Folder::planned(plan), kept: Vec::new() }
    }

    fn journal(&self) -> Vec<u8> {
        fs::read(self.folder.path(JOURNAL)).unwrap_or_default()
    }

    /// The command that a user would give, with `--resume` if there is a journal.
    fn command(&self) -> Command {
        let mut command = Command::new(program());
        command.current_dir(self.folder.path("")).args(RUN);
        if self.folder.path(JOURNAL).exists() {
            command.arg("--resume");
        }
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    fn start(&self) -> Started {
        let (mut reader, writer) = std::io::pipe().expect("a pipe");
        let child = self.command().stderr(writer).spawn().expect("the program of this package");
        let (sender, errors) = mpsc::channel();
        thread::spawn(move || {
            let mut text = Vec::new();
            // Ends when the last process with the other end has ended.
            let _ = reader.read_to_end(&mut text);
            let _ = sender.send(String::from_utf8_lossy(&text).into_owned());
        });
        Started { child, errors }
    }

    /// Kills the run after `time`. Returns false if it had finished by then.
    fn is_killed_after(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        let mut run = self.start();
        while let Some(left) = until.checked_duration_since(Instant::now())
            && run.child.try_wait().expect("a child").is_none()
        {
            thread::sleep(left.min(Duration::from_millis(5)));
        }
        run.child.kill().expect("a child that has not been waited for");
        let (status, errors) = run.end();
        assert!(status.success() || status.signal() == Some(SIGKILL), "{status}: {errors}");
        !status.success()
    }

    fn finish(&self) {
        let (status, errors) = self.start().end();
        assert!(status.success(), "{status}: {errors}");
    }

    /// Asserts that every line that was complete before is unchanged.
    fn loses_nothing(&mut self) {
        let mut now = self.journal();
        let before = self.kept.len();
        assert!(
            now.starts_with(&self.kept),
            "one of the first {before} bytes, which were journalled, has changed"
        );
        now.truncate(now.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1));
        self.kept = now;
    }

    fn left(&self) -> Left {
        let journal = self.journal();
        let records = records(text(&self.kept));
        let rounds = records.iter().filter(|record| matches!(record, Record::Round(_))).count();
        match records.last() {
            _ if !self.folder.path(JOURNAL).exists() => Left::WithoutJournal,
            _ if journal != self.kept => Left::WithinALine,
            Some(Record::End(_)) => Left::BeforeThePage,
            _ if rounds == 0 => Left::BeforeTheFirstRound,
            _ if rounds == ROUNDS => Left::BeforeTheLastLine,
            _ => Left::AmongTheRounds,
        }
    }

    /// Asserts that the journal has the rounds of an uninterrupted run and one end, and that the report is
    /// complete.
    fn is_complete(&self, rounds: &[(String, u64, Vec<String>)]) {
        let journal = self.journal();
        let records = records(text(&journal));
        let end = records.iter().position(|record| matches!(record, Record::End(_)));
        assert_eq!(end, Some(records.len() - 1), "one end, in the last line");
        assert!(
            schedule(&journal) == rounds,
            "the rounds differ from those of an uninterrupted run"
        );
        let page = self.folder.read(PAGE);
        assert!(page.trim_end().ends_with("</html>"), "the page is incomplete");
        for text in ["Bell ray loop", "Hyperbola", "cycle-16", "density-3"] {
            assert!(page.contains(text), "the page lacks {text}");
        }
    }
}

fn text(journal: &[u8]) -> &str {
    std::str::from_utf8(journal).expect("a journal is text")
}

/// Panel, number and designs, in the order in which they ran, of every round.
fn schedule(journal: &[u8]) -> Vec<(String, u64, Vec<String>)> {
    let round = |record| match record {
        Record::Round(round) => {
            let designs = round.samples.into_iter().map(|sample| sample.design).collect();
            Some((round.panel, round.round, designs))
        }
        _ => None,
    };
    records(text(journal)).into_iter().filter_map(round).collect()
}

#[test]
#[ignore = "takes minutes: RAYWALK_PROGRAM=target/release/raywalk cargo test --test kill -- --ignored --nocapture"]
fn fifty_kills_lose_nothing_and_resumed_runs_end_complete() {
    let uninterrupted = Run::new(PLAN);
    let start = Instant::now();
    uninterrupted.finish();
    let mut duration = start.elapsed();
    let rounds = schedule(&uninterrupted.journal());
    assert_eq!(rounds.len(), ROUNDS);
    uninterrupted.is_complete(&rounds);
    println!("seed {SEED:#x}; an uninterrupted run takes {} ms", duration.as_millis());

    let mut random = SplitMix(SEED);
    let mut kills = Vec::new();
    let mut completed = 0;
    let mut run = Run::new(PLAN);
    while kills.len() < KILLS {
        let moment = duration.mul_f64(random.below(1 << 20) as f64 / f64::from(1 << 20));
        let (is_fresh, start) = (run.kept.is_empty(), Instant::now());
        let killed = run.is_killed_after(moment);
        let took = start.elapsed();
        run.loses_nothing();
        if killed {
            kills.push(run.left());
        } else {
            run.is_complete(&rounds);
            if is_fresh {
                // Less else runs on this machine than at first.
                duration = duration.min(took);
            }
            completed += 1;
            run = Run::new(PLAN);
        }
    }
    run.finish();
    run.loses_nothing();
    run.is_complete(&rounds);
    println!("{KILLS} kills in {} runs, all of them complete in the end", completed + 1);
    for left in [
        Left::WithoutJournal,
        Left::BeforeTheFirstRound,
        Left::AmongTheRounds,
        Left::WithinALine,
        Left::BeforeTheLastLine,
        Left::BeforeThePage,
    ] {
        println!("{left:?}: {}", kills.iter().filter(|&&kill| kill == left).count());
    }
    let among = kills.iter().filter(|&&kill| kill == Left::AmongTheRounds).count();
    assert!(
        among >= KILLS / 5,
        "only {among} kills fell among the rounds: the test shows too little"
    );
}

#[test]
fn a_run_killed_while_it_writes_the_report_is_given_the_report() {
    let run = Run::new(&PLAN.replace("rounds = 60", "rounds = 6"));
    run.finish();
    let journal = run.journal();
    let page = run.folder.read(PAGE);
    run.folder.write(PAGE, &page[..page.len() / 2]);
    run.finish();
    assert!(run.folder.read(PAGE) == page, "the page differs");
    assert!(run.journal() == journal, "a finished journal has changed");
}
