//! Fresh processes that make the rounds of a session.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::Context;

use crate::machine::affinity::Pinned;
use crate::measure::session::{Errand, Hear, Message, SessionError, Workers};

/// A variable of no meaning, whose length moves the stack.
const PADDING: &str = "RAYWALK_PADDING";

/// Starts a process for each errand.
pub(super) struct FreshProcesses {
    /// Programs by the seed of their section order; the one without is this program.
    programs: Vec<(Option<u64>, PathBuf)>,
    /// The processor that this thread was pinned to, and that the processes take over.
    pinned: Option<Pinned>,
}

impl FreshProcesses {
    /// Processes of these programs, on the processor that this thread is pinned to: while they run,
    /// it is elsewhere.
    pub fn new(programs: Vec<(Option<u64>, PathBuf)>, pinned: Option<Pinned>) -> FreshProcesses {
        FreshProcesses { programs, pinned }
    }

    /// Processes of this program, as it was linked.
    pub fn of_this_program(pinned: Option<Pinned>) -> anyhow::Result<FreshProcesses> {
        let this = std::env::current_exe().context("the program does not know where it is")?;
        Ok(FreshProcesses::new(vec![(None, this)], pinned))
    }

    /// The program of a layout.
    fn program(&self, layout: Option<u64>) -> Result<&PathBuf, SessionError> {
        let found = self.programs.iter().find(|(seed, _)| *seed == layout);
        found.map(|(_, path)| path).ok_or_else(|| {
            SessionError::Process("there is no program of the layout that is asked for".to_owned())
        })
    }
}

impl Workers for FreshProcesses {
    fn carry_out(&mut self, errand: &Errand, hear: &mut Hear<'_>) -> Result<(), SessionError> {
        let program = self.program(errand.layout)?;
        let failed = |what: &str, error: &dyn std::fmt::Display| {
            SessionError::Process(format!("{} cannot {what}: {error}", program.display()))
        };
        let text = serde_json::to_vec(errand).map_err(|error| failed("be told", &error))?;
        let processor = self.pinned.as_ref().map(|pinned| {
            pinned.step_aside();
            format!("--processor={}", pinned.processor)
        });
        let child = Command::new(program)
            .arg("worker")
            .args(processor)
            .env(PADDING, "x".repeat(errand.padding as usize))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed("be started", &error))?;
        let mut child = Reaped(child);
        if let Some(mut input) = child.0.stdin.take() {
            match input.write_all(&text) {
                // What it says or how it ended tells more than that it did not listen.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
                told => told.map_err(|error| failed("be told", &error))?,
            }
        }
        if let Some(output) = child.0.stdout.take() {
            for line in BufReader::new(output).lines() {
                let line = line.map_err(|error| failed("be heard", &error))?;
                let message: Message =
                    serde_json::from_str(&line).map_err(|error| failed("be understood", &error))?;
                hear(message)?;
            }
        }
        let status = child.0.wait().map_err(|error| failed("be waited for", &error))?;
        if !status.success() {
            return Err(SessionError::Process(format!(
                "a measuring process was ended ({status}) before its work was done; go on with \
                 --resume"
            )));
        }
        Ok(())
    }
}

/// A process that is gone when nobody listens to it.
struct Reaped(Child);

impl Drop for Reaped {
    fn drop(&mut self) {
        // Both fail if it is gone already, which is what is wanted.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::quiet::Look;
    use raywalk_reports::schema::Build;
    use std::time::Duration;

    fn errand() -> Errand {
        Errand {
            process: 0,
            share: 0,
            layout: None,
            padding: 5,
            patience: Duration::ZERO,
            best: Look::default(),
            build: Build::default(),
            tasks: Vec::new(),
        }
    }

    fn sentence(program: &str) -> String {
        let mut processes = FreshProcesses::new(vec![(None, program.into())], None);
        let error = processes.carry_out(&errand(), &mut |_| Ok(())).expect_err("no worker");
        error.to_string()
    }

    #[test]
    #[cfg(unix)]
    fn a_process_that_is_no_worker_is_a_sentence() {
        assert!(sentence("/no/such/program").contains("cannot be started"));
        assert!(sentence("/bin/echo").contains("cannot be understood"));
        assert!(sentence("/bin/false").contains("before its work was done"));
    }

    #[test]
    fn a_layout_that_was_not_linked_is_a_sentence() {
        let mut processes = FreshProcesses::new(Vec::new(), None);
        let error = processes.carry_out(&errand(), &mut |_| Ok(())).expect_err("no program");
        assert!(error.to_string().contains("no program of the layout"));
    }
}
