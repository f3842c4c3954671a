//! Runs the jobs of a session in fresh processes.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::PathBuf;
use std::process::{ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use raywalk_measure::machine::affinity::Pinned;
use raywalk_measure::machine::placement;
use raywalk_measure::machine::program::Running;
use raywalk_measure::session::{Job, Message, Receive, SessionError, Workers};
use raywalk_results::schema::Dropped;

use crate::duration::in_words;
use crate::{exit, interrupt, workspace};

/// Environment variable that nothing reads. Its length moves the stack, because the kernel places the
/// environment above it.
const PADDING: &str = "RAYWALK_PADDING";

/// Starts one process per job.
pub(crate) struct FreshProcesses {
    /// Programs by the seed of their section order; `None` is the program as linked by default.
    programs: Vec<(Option<u64>, PathBuf)>,
    /// The processor that this thread is pinned to, which the workers use instead of it.
    pinned: Option<Pinned>,
    /// Upper bound on the time that a plug-in takes for its part of a turn: a warm-up and up to four
    /// rounds.
    plugin_timeout: Duration,
}

impl FreshProcesses {
    /// Runs these programs on the processor that this thread is pinned to. The thread moves to another
    /// processor while they run.
    pub(crate) fn new(
        programs: Vec<(Option<u64>, PathBuf)>,
        pinned: Option<Pinned>,
        plugin_timeout: Duration,
    ) -> FreshProcesses {
        FreshProcesses { programs, pinned, plugin_timeout }
    }

    /// Runs this program, in its default layout only.
    pub(crate) fn of_this_program(
        pinned: Option<Pinned>,
        plugin_timeout: Duration,
    ) -> anyhow::Result<FreshProcesses> {
        let programs = vec![(None, workspace::this_program()?)];
        Ok(FreshProcesses::new(programs, pinned, plugin_timeout))
    }

    fn program(&self, layout: Option<u64>) -> Result<&PathBuf, SessionError> {
        let found = self.programs.iter().find(|(seed, _)| *seed == layout);
        found.map(|(_, path)| path).ok_or_else(|| {
            SessionError::Process("no program with this layout was linked".to_owned())
        })
    }
}

impl Workers for FreshProcesses {
    fn run(&mut self, job: &Job, receive: &mut Receive<'_>) -> Result<(), SessionError> {
        let program = self.program(job.layout)?;
        let failed = |action: &str, error: &dyn std::fmt::Display| {
            SessionError::Process(format!("cannot {action} {}: {error}", program.display()))
        };
        let text = serde_json::to_vec(job).map_err(|error| failed("send a job to", &error))?;
        let processor = self.pinned.as_ref().map(|pinned| {
            pinned.step_aside();
            format!("--processor={}", pinned.processor)
        });
        let mut command = Command::new(program);
        command.arg("worker").args(processor);
        command.env(PADDING, "x".repeat(job.padding as usize)).envs(placement::ONE_HEAP);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = Running::start(&mut command)
            .map_err(|failure| SessionError::Process(format!("{} {failure}", program.display())))?;
        // Closed behind this block: the worker reads its job to the end of the pipe.
        if let Some(mut input) = process.stdin.take() {
            match input.write_all(&text) {
                // The process exited early. Its messages or exit status, read below, explain why.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
                sent => sent.map_err(|error| failed("send a job to", &error))?,
            }
        }
        // The plug-in that runs, and where.
        let mut calling: Option<(String, String)> = None;
        let mut is_done = false;
        if let Some(output) = process.stdout.take() {
            let lines = lines_of(output).map_err(|error| failed("read the answers of", &error))?;
            loop {
                let line = match &calling {
                    // Only a plug-in has a time limit. A built-in design returns, however slow the machine is.
                    None => lines.recv().map_err(RecvTimeoutError::from),
                    Some(_) => lines.recv_timeout(self.plugin_timeout),
                };
                // Whatever comes next ends the call of a plug-in; only `Calling` begins another.
                let line = match (line, calling.take()) {
                    (Ok(line), _) => {
                        line.map_err(|error| failed("read the messages of", &error))?
                    }
                    (Err(RecvTimeoutError::Timeout), Some((design, place))) => {
                        let time = in_words(self.plugin_timeout);
                        let why = format!("did not return within {time} in {place}");
                        return Err(SessionError::Plugin(Dropped { design, why }));
                    }
                    (Err(_), running) => {
                        calling = running;
                        break;
                    }
                };
                let message: Message = serde_json::from_str(&line).map_err(|error| {
                    // A process that Ctrl-C ended may have left a part of a line.
                    if was_interrupted(&mut process) {
                        interrupt::end();
                    }
                    failed("parse the messages of", &error)
                })?;
                if let Message::Calling { design, place } = &message {
                    calling = Some((design.clone(), place.clone()));
                }
                is_done = matches!(message, Message::Done(_));
                receive(message)?;
            }
        }
        let status = exit::status(&mut process);
        if status.is_some_and(is_interrupt) {
            interrupt::end();
        }
        if let Some((design, place)) = calling {
            let why = format!("{} in {place}", exit::of_plugin(status));
            return Err(SessionError::Plugin(Dropped { design, why }));
        }
        let how = match status {
            Some(status) if status.success() => return Ok(()),
            // All its rounds are in the journal, however long its exit takes.
            None if is_done => return Ok(()),
            Some(status) => format!("exited early ({status})"),
            None => "closed its output and did not exit".to_owned(),
        };
        Err(SessionError::Process(format!(
            "a measuring process {how}; continue the session with --resume"
        )))
    }
}

/// The lines of a process as they come. The thread that reads them ends when the process closes its output.
fn lines_of(output: ChildStdout) -> std::io::Result<Receiver<std::io::Result<String>>> {
    let (send, lines) = mpsc::channel();
    std::thread::Builder::new().spawn(move || {
        let mut lines = BufReader::new(output).lines();
        // Nobody receives any more if the session has ended.
        while lines.next().is_some_and(|line| send.send(line).is_ok()) {}
    })?;
    Ok(lines)
}

/// Ends the process, if it has not ended, and returns whether Ctrl-C did it before.
fn was_interrupted(process: &mut Running) -> bool {
    let _ = process.kill();
    process.wait().is_ok_and(is_interrupt)
}

/// Whether the signal of Ctrl-C ended the process. The terminal sends it to this one as well.
fn is_interrupt(status: ExitStatus) -> bool {
    #[cfg(unix)]
    {
        const SIGINT: i32 = 2;
        std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGINT)
    }
    #[cfg(not(unix))]
    {
        let _ = status;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_measure::environment::Best;
    use raywalk_results::schema::Build;

    fn job() -> Job {
        Job {
            process: 0,
            share: 0,
            shares: 1,
            layout: None,
            padding: 5,
            heap_padding: 0,
            pages: 0,
            patience: Duration::ZERO,
            best: Best::default(),
            build: Build::default(),
            files: Vec::new(),
            plugins: Vec::new(),
            tasks: Vec::new(),
        }
    }

    fn error_of(program: &str) -> String {
        let mut processes = FreshProcesses::new(vec![(None, program.into())], None, Duration::MAX);
        let error = processes.run(&job(), &mut |_| Ok(())).expect_err("no worker");
        error.to_string()
    }

    #[test]
    #[cfg(unix)]
    fn a_program_that_is_no_worker_is_an_error() {
        assert!(error_of("/no/such/program").starts_with("/no/such/program cannot be started: "));
        assert!(error_of("/bin/echo").starts_with("cannot parse"));
        assert!(error_of("/bin/false").contains("exited early"));
    }

    /// The error of a program that executes this line, closes its output and keeps running.
    #[cfg(unix)]
    fn error_after_closing(line: &str) -> SessionError {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("worker");
        let script = format!("#!/bin/sh\ncat >/dev/null\n{line}\nexec >&-\nexec sleep 600\n");
        // Written by another process: a program that this one has open for writing, or a process that another test
        // just started, could not be executed.
        let write = "printf %s \"$1\" > \"$0\" && chmod 700 \"$0\"";
        let written = Command::new("sh").args(["-c", write]).arg(&program).arg(script).status();
        assert!(written.expect("a shell").success());
        let mut processes = FreshProcesses::new(vec![(None, program)], None, Duration::MAX);
        processes.run(&job(), &mut |_| Ok(())).expect_err("no messages")
    }

    #[test]
    #[cfg(unix)]
    fn a_process_that_closes_its_output_and_goes_on_is_an_error() {
        let error = error_after_closing("").to_string();
        assert!(error.contains("closed its output and did not exit"), "{error}");
        let (design, place) = ("toy/mailbox".to_owned(), "panel p".to_owned());
        let calling = serde_json::to_string(&Message::Calling { design, place }).expect("JSON");
        match error_after_closing(&format!("echo '{calling}'")) {
            SessionError::Plugin(Dropped { why, .. }) => {
                assert_eq!(why, "closed its standard output in panel p");
            }
            error => panic!("{error}"),
        }
    }

    #[test]
    fn a_layout_that_was_not_linked_is_an_error() {
        let mut processes = FreshProcesses::new(Vec::new(), None, Duration::MAX);
        let error = processes.run(&job(), &mut |_| Ok(())).expect_err("no program");
        assert!(error.to_string().contains("no program with this layout"));
    }
}
