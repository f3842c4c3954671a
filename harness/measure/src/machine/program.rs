//! Other programs: started, read and ended. They may hang or print without end; both are errors.
//!
//! Threads read their output, because a read from a pipe has no timeout. They end when the pipe closes, and
//! nothing waits for them: a process that the program started may keep the pipe open.

use std::io::{self, Read};
use std::ops::{Deref, DerefMut};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Time between two looks at whether a program has ended.
const LOOK: Duration = Duration::from_millis(10);

/// A program that runs; killed on drop. Processes that it started are not.
#[derive(Debug)]
pub struct Running(Child);

impl Running {
    /// Starts a program.
    ///
    /// # Errors
    /// [`Failure::Start`].
    pub fn start(command: &mut Command) -> Result<Running, Failure> {
        command.spawn().map(Running).map_err(Failure::Start)
    }

    /// Waits for its end, at most this long. `None` if it still runs, or cannot be waited for.
    pub fn status_within(&mut self, time: Duration) -> Option<ExitStatus> {
        let began = Instant::now();
        loop {
            match self.0.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if began.elapsed() < time => thread::sleep(LOOK),
                _ => return None,
            }
        }
    }
}

impl Deref for Running {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail if it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Limits on the time and the output of a program.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time from its start to its end.
    pub time: Duration,
    /// Bytes on each of its two outputs.
    pub bytes: usize,
}

/// Use of the stderr of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stderr {
    /// It is read, and is part of the answer.
    Read,
    /// The user sees it at once.
    Shown,
}

/// Output and exit status of a program.
#[derive(Debug)]
pub struct Answer {
    /// Exit code, or the signal that ended it.
    pub status: ExitStatus,
    /// Everything that it printed to stdout.
    pub stdout: Vec<u8>,
    /// Everything that it printed to stderr; empty if that was [`Stderr::Shown`].
    pub stderr: Vec<u8>,
}

/// Why a program has no answer, as the end of a sentence that begins with its name.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The system refuses to start it.
    #[error("cannot be started: {0}")]
    Start(io::Error),
    /// Its output cannot be read.
    #[error("cannot be read: {0}")]
    Unread(io::Error),
    /// It did not end within this time.
    #[error("did not end within {} s", .0.as_secs())]
    Late(Duration),
    /// It printed more than this number of bytes.
    #[error("printed more than {} KiB", .0 >> 10)]
    Long(usize),
}

/// Runs a program to its end, without input.
///
/// # Errors
/// [`Failure`]; the program is killed then. A program that ends with a failure of its own is no error here.
pub fn run(command: &mut Command, limits: Limits, stderr: Stderr) -> Result<Answer, Failure> {
    let began = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command.stderr(match stderr {
        Stderr::Read => Stdio::piped(),
        Stderr::Shown => Stdio::inherit(),
    });
    let mut running = Running::start(command)?;
    let (send, ended) = mpsc::channel();
    let read = |place: usize, stream: Option<Box<dyn Read + Send>>| {
        let Some(stream) = stream else { return Ok(0) };
        let send = send.clone();
        let read = move || send.send((place, up_to(stream, limits.bytes)));
        thread::Builder::new().spawn(read).map(|_| 1).map_err(Failure::Unread)
    };
    let stdout = running.stdout.take().map(|stream| Box::new(stream) as _);
    let errors = running.stderr.take().map(|stream| Box::new(stream) as _);
    let open = read(0, stdout)? + read(1, errors)?;
    let left = || limits.time.saturating_sub(began.elapsed());
    let mut texts = [Vec::new(), Vec::new()];
    for _ in 0..open {
        let (place, text) = ended.recv_timeout(left()).map_err(|_| Failure::Late(limits.time))?;
        let text = text.map_err(Failure::Unread)?;
        if text.len() > limits.bytes {
            return Err(Failure::Long(limits.bytes));
        }
        texts[place] = text;
    }
    let status = running.status_within(left()).ok_or(Failure::Late(limits.time))?;
    let [stdout, stderr] = texts;
    Ok(Answer { status, stdout, stderr })
}

/// Reads to the end, or one byte more than `limit`.
fn up_to(stream: impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { time: Duration::from_secs(60), bytes: 1_000 };

    fn shell(script: &str, limits: Limits) -> Result<Answer, Failure> {
        run(Command::new("sh").args(["-c", script]), limits, Stderr::Read)
    }

    #[test]
    fn the_answer_holds_both_outputs_and_the_status() {
        let answer = shell("cat; echo one; echo two >&2; exit 7", LIMITS).expect("an answer");
        assert_eq!((&answer.stdout[..], &answer.stderr[..]), (&b"one\n"[..], &b"two\n"[..]));
        assert_eq!(answer.status.code(), Some(7));
    }

    #[test]
    fn a_program_that_does_not_end_is_killed() {
        let short = Limits { time: Duration::from_millis(100), ..LIMITS };
        // One holds its pipes, one has closed them, one left them to a child.
        for script in ["exec sleep 600", "exec >&- 2>&-; exec sleep 600", "sleep 20; exit"] {
            let failure = shell(script, short).expect_err("it is too slow");
            assert!(matches!(failure, Failure::Late(_)), "{script}: {failure}");
        }
    }

    #[test]
    fn a_program_that_prints_without_end_is_killed() {
        for script in ["exec yes", "exec yes >&2", "exec cat /dev/zero"] {
            let failure = shell(script, LIMITS).expect_err("it prints too much");
            assert_eq!(failure.to_string(), "printed more than 0 KiB", "{script}");
        }
        let most = shell("head -c 1000 /dev/zero", LIMITS).expect("as much as is allowed");
        assert_eq!(most.stdout.len(), 1_000);
    }

    #[test]
    fn a_program_that_cannot_be_started_is_a_failure() {
        let failure = run(&mut Command::new("/no/such/program"), LIMITS, Stderr::Shown);
        assert!(matches!(failure, Err(Failure::Start(_))), "{failure:?}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_process_is_gone_after_a_failure() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("id");
        let script = format!("echo $$ > '{}'; exec yes", file.display());
        shell(&script, LIMITS).expect_err("it prints too much");
        let id = std::fs::read_to_string(file).expect("the script began");
        assert!(!std::path::Path::new("/proc").join(id.trim()).exists());
    }
}
