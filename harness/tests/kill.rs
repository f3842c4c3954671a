//! `kill -9` at fifty random moments of a run: what was journalled stays, byte for byte, and going
//! on ends with the journal and the page that an undisturbed run has.
//!
//! Fresh runs and resumed ones are killed alike, from before the journal exists until after its
//! last line. The moments are drawn from a seed, over as long as a whole run takes on this machine;
//! where in the run they fall depends on the machine too, so the test says where they fell.
//!
//! Only the process that was started is killed. Processes that it started itself may end a little
//! later, and the next run waits for that: all of them write their errors to the same pipe, which
//! ends with the last of them.

#![cfg(unix)]

use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use raywalk_harness::measure::schedule::SplitMix;
use raywalk_reports::schema::Record;

const KILLS: usize = 50;
const SEED: u64 = 0x006b_696c_6c2d_3950;
const SIGKILL: i32 = 9;
/// Four panels of 30.
const ROUNDS: usize = 120;
/// Whatever a killed run has started is gone after this.
const END_OF_OTHERS: Duration = Duration::from_secs(60);

/// Two designs; panels that repeat their positions and panels that do not; a few seconds.
const PLAN: &str = r#"
seed = 11
rounds = 30
batch-ms = 0.5
designs = ["bell/last-square", "bitboard/hyperbola"]

[[panels]]
workload = "cycle-16"
stages = ["all", "captures"]

[[panels]]
workload = "density-3"
stages = ["captures", "quiets"]
"#;

/// A run in its folder, and what is known to stand in its journal.
struct Run {
    folder: tempfile::TempDir,
    kept: Vec<u8>,
}

/// A run under way, and what it and all that it starts will have said when the last of them ends.
struct Started {
    child: Child,
    said: Receiver<String>,
}

impl Started {
    fn end(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().expect("a child");
        let said = self.said.recv_timeout(END_OF_OTHERS);
        (status, said.expect("whatever a run has started ends soon after it"))
    }
}

/// Where a kill left a run.
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
    fn new() -> Run {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("small.toml"), PLAN).expect("written");
        Run { folder, kept: Vec::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn journal(&self) -> Vec<u8> {
        fs::read(self.path("result/journal.jsonl")).unwrap_or_default()
    }

    /// The command a user would give: go on if there is something to go on with.
    fn command(&self) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("raywalk"));
        command.current_dir(self.folder.path());
        command.args(["run", "--plan", "small.toml", "--out", "result"]);
        if self.path("result/journal.jsonl").exists() {
            command.arg("--resume");
        }
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    fn start(&self) -> Started {
        let (mut errors, for_the_run) = std::io::pipe().expect("a pipe");
        let child = self.command().stderr(for_the_run).spawn().expect("this package's program");
        let (sender, said) = mpsc::channel();
        thread::spawn(move || {
            let mut text = Vec::new();
            let _ = errors.read_to_end(&mut text);
            let _ = sender.send(String::from_utf8_lossy(&text).into_owned());
        });
        Started { child, said }
    }

    /// Runs for so long and no longer; false if the run had come to its end by then.
    fn is_killed_after(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        let mut run = self.start();
        while let Some(left) = until.checked_duration_since(Instant::now())
            && run.child.try_wait().expect("a child").is_none()
        {
            thread::sleep(left.min(Duration::from_millis(5)));
        }
        run.child.kill().expect("a child that has not been waited for");
        let (status, said) = run.end();
        assert!(status.success() || status.signal() == Some(SIGKILL), "{status}: {said}");
        !status.success()
    }

    fn finish(&self) {
        let (status, said) = self.start().end();
        assert!(status.success(), "{status}: {said}");
    }

    /// Every line that was whole before stands where it stood.
    fn loses_nothing(&mut self) {
        let mut now = self.journal();
        let before = self.kept.len();
        assert!(
            now.starts_with(&self.kept),
            "the first {before} bytes were journalled, and changed"
        );
        now.truncate(now.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1));
        self.kept = now;
    }

    fn left(&self) -> Left {
        let journal = self.journal();
        let records = records(&self.kept);
        let rounds = records.iter().filter(|record| matches!(record, Record::Round(_))).count();
        match records.last() {
            _ if !self.path("result/journal.jsonl").exists() => Left::WithoutJournal,
            _ if journal != self.kept => Left::WithinALine,
            Some(Record::End(_)) => Left::BeforeThePage,
            _ if rounds == 0 => Left::BeforeTheFirstRound,
            _ if rounds == ROUNDS => Left::BeforeTheLastLine,
            _ => Left::AmongTheRounds,
        }
    }

    /// One end, after the same rounds as those of an undisturbed run, and a whole page.
    fn is_complete(&self, rounds: &[(String, u64, Vec<String>)]) {
        let journal = self.journal();
        let records = records(&journal);
        let end = records.iter().position(|record| matches!(record, Record::End(_)));
        assert_eq!(end, Some(records.len() - 1), "the end is the last line, once");
        assert!(schedule(&journal) == rounds, "the rounds are not those of an undisturbed run");
        let page = fs::read_to_string(self.path("result/report.html")).expect("a page");
        assert!(page.trim_end().ends_with("</html>"), "the page is not whole");
        for text in ["Bell ray loop", "Hyperbola", "cycle-16", "density-3"] {
            assert!(page.contains(text), "the page lacks {text}");
        }
    }
}

fn records(journal: &[u8]) -> Vec<Record> {
    let text = std::str::from_utf8(journal).expect("a journal is text");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Panel, number, and designs in their order, of every round.
fn schedule(journal: &[u8]) -> Vec<(String, u64, Vec<String>)> {
    let round = |record| match record {
        Record::Round(round) => {
            let designs = round.samples.into_iter().map(|sample| sample.design).collect();
            Some((round.panel, round.round, designs))
        }
        _ => None,
    };
    records(journal).into_iter().filter_map(round).collect()
}

#[test]
#[ignore = "takes minutes; cargo test -p raywalk-harness --test kill -- --ignored --nocapture"]
fn fifty_kills_lose_nothing_and_going_on_ends_complete() {
    let calm = Run::new();
    let began = Instant::now();
    calm.finish();
    let whole = began.elapsed();
    let rounds = schedule(&calm.journal());
    assert_eq!(rounds.len(), ROUNDS);
    calm.is_complete(&rounds);
    println!("seed {SEED:#x}; an undisturbed run takes {} ms", whole.as_millis());

    let mut random = SplitMix(SEED);
    let mut kills = Vec::new();
    let mut completed = 0;
    let mut run = Run::new();
    while kills.len() < KILLS {
        let moment = whole.mul_f64(random.below(1 << 20) as f64 / f64::from(1 << 20));
        let killed = run.is_killed_after(moment);
        run.loses_nothing();
        if killed {
            kills.push(run.left());
        } else {
            run.is_complete(&rounds);
            completed += 1;
            run = Run::new();
        }
    }
    run.finish();
    run.loses_nothing();
    run.is_complete(&rounds);
    println!("{KILLS} kills in {} runs, all complete in the end", completed + 1);
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
    assert!(among >= KILLS / 5, "only {among} kills fell among the rounds: nothing was tried");
}

#[test]
fn a_run_killed_between_its_journal_and_its_page_is_given_the_page() {
    let run = Run::new();
    let plan = PLAN.replace("rounds = 30", "rounds = 6");
    fs::write(run.path("small.toml"), plan).expect("written");
    run.finish();
    let journal = run.journal();
    let page = fs::read(run.path("result/report.html")).expect("a page");
    fs::write(run.path("result/report.html"), &page[..page.len() / 2]).expect("written");
    run.finish();
    assert!(fs::read(run.path("result/report.html")).expect("a page") == page, "the same page");
    assert!(run.journal() == journal, "a finished journal is not touched");
}
