//! A UCI engine in its own process. It may die, hang or print without end; each of these is an error that
//! names the engine.
//!
//! Threads read its output, because a read from a pipe has no timeout. They end when the pipe closes or
//! the engine is dropped, and nothing waits for them: a process that the engine started may keep the pipe
//! open.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use raywalk_measure::machine::program::Running;

use crate::console::External;
use crate::duration::in_words;
use crate::exit;

/// Most bytes of one answer. The longest list of moves takes 4 KiB.
const MOST_BYTES: usize = 1 << 20;
/// Most lines of one answer.
const MOST_LINES: usize = 10_000;
/// Bytes of stderr that are kept, the last ones.
const LAST_WORDS: usize = 4 << 10;
/// Lines of stderr that an error repeats.
const LAST_LINES: usize = 5;
/// Lines that may wait to be read. An engine that prints without end blocks here.
const WAITING: usize = 64;

/// A UCI engine; its process is killed on drop.
pub(super) struct Engine {
    /// The program as named by the user.
    name: String,
    process: Running,
    input: ChildStdin,
    /// Lines of its output; an error if it cannot be read.
    lines: Receiver<io::Result<Vec<u8>>>,
    /// Receives the end of stderr once, when it closes.
    last_words: Receiver<Vec<u8>>,
    timeout: Duration,
}

impl Engine {
    /// Starts the program and waits until it has answered `uci`.
    pub(super) fn start(
        program: &OsStr,
        arguments: &[OsString],
        timeout: Duration,
    ) -> Result<Engine> {
        let name = Path::new(program).display().to_string();
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = Running::start(&mut command)
            .map_err(|failure| External(format!("the engine `{name}` {failure}")))?;
        let input = process.stdin.take().context("the engine has no input")?;
        let output = process.stdout.take().context("the engine has no output")?;
        let errors = process.stderr.take().context("the engine has no stderr")?;
        let (send_line, lines) = mpsc::sync_channel(WAITING);
        let (send_words, last_words) = mpsc::sync_channel(1);
        let mut engine = Engine { name, process, input, lines, last_words, timeout };
        let start = |work: Box<dyn FnOnce() + Send>| {
            thread::Builder::new().spawn(work).context("no thread for the answers of the engine")
        };
        start(Box::new(move || send_lines(output, &send_line)))?;
        start(Box::new(move || drop(send_words.send(end_of(errors)))))?;
        engine.ask("uci", |line| line == "uciok")?;
        Ok(engine)
    }

    /// Sends a command without an answer.
    pub(super) fn send(&mut self, command: &str) -> Result<()> {
        match writeln!(self.input, "{command}").and_then(|()| self.input.flush()) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.gone(command)),
        }
    }

    /// Sends a command and returns the lines of its answer, up to the one that ends it.
    pub(super) fn ask(
        &mut self,
        command: &str,
        ends: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>> {
        self.send(command)?;
        let asked = Instant::now();
        let (mut lines, mut bytes) = (Vec::new(), 0);
        loop {
            let left = self.timeout.saturating_sub(asked.elapsed());
            let line = match self.lines.recv_timeout(left) {
                Ok(Ok(line)) => line,
                Ok(Err(error)) => return Err(self.failed(&format!("cannot be read: {error}"))),
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone(command)),
                Err(RecvTimeoutError::Timeout) => {
                    let time = in_words(self.timeout);
                    return Err(self.failed(&format!(
                        "did not answer `{command}` within {time}; raise --timeout if it needs longer"
                    )));
                }
            };
            bytes += line.len();
            if bytes > MOST_BYTES || lines.len() == MOST_LINES {
                return Err(self.failed(&format!(
                    "printed more than {MOST_LINES} lines or {} KiB in answer to `{command}`; it must \
                     be a UCI engine that supports `go perft`",
                    MOST_BYTES >> 10
                )));
            }
            let line = String::from_utf8_lossy(&line).trim().to_owned();
            let is_last = ends(&line);
            lines.push(line);
            if is_last {
                return Ok(lines);
            }
        }
    }

    fn failed(&self, what: &str) -> anyhow::Error {
        External(format!("the engine `{}` {what}", self.name)).into()
    }

    /// The error of an engine that closed its output, with its exit status and its last words.
    fn gone(&mut self, command: &str) -> anyhow::Error {
        let how = match exit::status(&mut self.process) {
            Some(status) => format!("exited ({status}) before it answered `{command}`"),
            None => format!("closed its output before it answered `{command}`"),
        };
        // A process that the engine started may keep stderr open.
        let words = self.last_words.recv_timeout(exit::TO_EXIT).unwrap_or_default();
        let words = String::from_utf8_lossy(&words);
        let lines: Vec<&str> =
            words.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = lines[lines.len().saturating_sub(LAST_LINES)..].join(" | ");
        match last.is_empty() {
            true => self.failed(&format!("{how}, without a word on stderr")),
            false => self.failed(&format!("{how}; its last words: {last}")),
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Fails if the engine has exited already. It is killed next.
        let _ = writeln!(self.input, "quit");
    }
}

/// Sends the lines of an engine until its output ends, nobody receives them, or one is too long.
fn send_lines(output: impl Read, to: &SyncSender<io::Result<Vec<u8>>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        // One byte more than is accepted, so that the receiver sees that the limit is exceeded.
        let read = (&mut output).take(MOST_BYTES as u64 + 1).read_until(b'\n', &mut line);
        let line = match read {
            Ok(0) => return,
            Ok(_) => Ok(line),
            Err(error) => Err(error),
        };
        let more = line.as_ref().is_ok_and(|line| line.len() <= MOST_BYTES);
        if to.send(line).is_err() || !more {
            return;
        }
    }
}

/// Reads to the end and returns the last bytes.
fn end_of(mut stream: impl Read) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut buffer = [0; LAST_WORDS];
    // A stream that cannot be read any further is at its end.
    while let Ok(read @ 1..) = stream.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..read]);
        kept.drain(..kept.len().saturating_sub(LAST_WORDS));
    }
    kept
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn error_of(script: &str, timeout: Duration) -> String {
        let arguments = ["-c", script].map(OsString::from);
        let result = Engine::start("sh".as_ref(), &arguments, timeout);
        let error = result.err().expect("no engine");
        assert!(error.is::<External>(), "{error}");
        error.to_string()
    }

    #[test]
    fn an_engine_that_exits_is_an_error_with_its_last_words() {
        let error = error_of("read line; echo first >&2; echo 'no such network' >&2; exit 7", LONG);
        let expected = "the engine `sh` exited (exit status: 7) before it answered `uci`; its last \
                        words: first | no such network";
        assert_eq!(error, expected);
        assert!(error_of("exit 0", LONG).contains("without a word on stderr"));
    }

    #[test]
    fn an_engine_that_cannot_be_started_is_an_error() {
        let result = Engine::start("/no/such/engine".as_ref(), &[], LONG);
        let error = result.err().expect("no engine");
        assert!(error.is::<External>(), "{error}");
        assert!(error.to_string().starts_with("the engine `/no/such/engine` cannot be started: "));
    }

    #[test]
    fn only_the_last_words_are_kept() {
        let error = error_of("yes word | head -n 100000 >&2; echo last >&2; exit 1", LONG);
        assert!(error.ends_with("word | word | word | word | last"), "{error}");
        assert_eq!(end_of(&[7; 3 * LAST_WORDS + 1][..]).len(), LAST_WORDS);
    }

    #[test]
    fn an_engine_that_does_not_answer_is_an_error() {
        let error = error_of("exec cat", Duration::ZERO);
        assert!(error.contains("did not answer `uci` within 0 s; raise --timeout"), "{error}");
    }

    #[test]
    fn an_engine_that_prints_without_end_is_an_error() {
        for script in ["exec yes", "exec cat /dev/zero"] {
            let error = error_of(script, LONG);
            assert!(error.contains("printed more than 10000 lines or 1024 KiB"), "{error}");
        }
    }

    #[test]
    fn arguments_are_passed_as_they_are() {
        let arguments =
            ["-c", "read line; echo \"$1\" >&2", "sh", "a b  c'\"$(id)"].map(OsString::from);
        let error = Engine::start("sh".as_ref(), &arguments, LONG).err().expect("no engine");
        assert!(error.to_string().ends_with("its last words: a b  c'\"$(id)"), "{error}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_process_is_gone_after_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("id");
        error_of(&format!("echo $$ > '{}'; exec yes", file.display()), LONG);
        let id = std::fs::read_to_string(file).expect("the script began");
        assert!(!Path::new("/proc").join(id.trim()).exists());
    }
}
