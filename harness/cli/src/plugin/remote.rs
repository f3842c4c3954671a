//! A design of a plug-in that runs in a process of its own: a crash ends only that process, and a process that does
//! not answer in time, or closes its output, is killed. Each is a [`Failure`] of one sentence, and other designs
//! continue.
//!
//! Each question is a line of JSON on the standard input of `raywalk plugin-host`, and its answer a line on the
//! standard output. Only checks use it. Timed calls run in the measuring processes.

use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use raywalk_core::{Card, Checksum, Leaves, Legality, Move, Position};
use raywalk_measure::design::{
    Answers, Design, ExtraWork, Failure, Invocation, PerftOptions, Walking,
};
use raywalk_measure::machine::program::Running;
use raywalk_results::schema::{Call, Operation, Stage};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Plugin;
use super::offered::Offered;
use crate::duration::in_words;
use crate::{exit, workspace};

/// A question to a design.
#[derive(Serialize, Deserialize)]
enum Ask {
    Perft { fen: String, depth: u32, bulk: bool },
    Divide { fen: String, depth: u32, bulk: bool },
    Generated { fen: String, stage: Stage },
    Legal { fen: String, stage: Stage },
    Answers { fen: String, operation: Operation },
}

/// As the end of a sentence.
impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ask::Perft { fen, depth, .. } | Ask::Divide { fen, depth, .. } => {
                write!(f, "perft {depth} of {fen}")
            }
            Ask::Generated { fen, stage } | Ask::Legal { fen, stage } => {
                write!(f, "the moves of stage {stage} in {fen}")
            }
            Ask::Answers { fen, operation } => write!(f, "the call `{operation}` in {fen}"),
        }
    }
}

/// The answer to a question, or the rule of the header that the design broke, as a sentence without its name.
type Answer<T> = Result<T, String>;

/// The first line of a host: the bytes of the tables, or why they cannot be built.
type Built = Result<u64, String>;

/// The design of another process.
pub(super) struct Remote {
    card: &'static Card,
    offered: Offered,
    timeout: Duration,
    table_bytes: u64,
    host: Mutex<Option<Host>>,
    failure: OnceLock<Failure>,
}

/// The other process, killed on drop, and the lines that it writes.
struct Host {
    process: Running,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Remote {
    /// Starts the process and builds the tables there.
    pub(super) fn start(plugin: &Plugin) -> Remote {
        let mut remote = Remote {
            card: &plugin.declared.card,
            offered: plugin.declared.offered(),
            timeout: plugin.timeout,
            table_bytes: 0,
            host: Mutex::new(None),
            failure: OnceLock::new(),
        };
        let built = Host::start(plugin.file, Some(plugin.declared.card.id)).and_then(|mut host| {
            let built: Built = host.answer(remote.timeout, &"the building of its tables")?;
            remote.table_bytes = built.map_err(Failure::Missing)?;
            Ok(host)
        });
        match built {
            Ok(host) => remote.host = Mutex::new(Some(host)),
            Err(failure) => remote.failure = OnceLock::from(failure),
        }
        remote
    }

    /// The answer to a question, or an empty one once the design has failed.
    fn ask<T: DeserializeOwned + Default>(&self, ask: &Ask) -> T {
        let mut place = self.host.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(host) = &mut *place else { return T::default() };
        host.ask(ask);
        let answer = host.answer(self.timeout, ask).and_then(|answer: Answer<T>| {
            answer.map_err(|fault| Failure::Broken(format!("{fault}, at {ask}")))
        });
        match answer {
            Ok(answer) => answer,
            Err(failure) => {
                *place = None;
                // The first failure leaves no host for a second one.
                let _ = self.failure.set(failure);
                T::default()
            }
        }
    }
}

/// Loads a library in a process of its own, which may crash or hang at that.
pub(super) fn load(file: &Path, timeout: Duration) -> Result<(), Failure> {
    Host::start(file, None)?.answer(timeout, &"the loading of the library")
}

impl Host {
    /// Starts the host of a design, or one that only loads the library.
    fn start(file: &Path, design: Option<&str>) -> Result<Host, Failure> {
        let broken =
            |error: anyhow::Error| Failure::Broken(format!("cannot be started: {error:#}"));
        let mut command = Command::new(workspace::this_program().map_err(broken)?);
        command.arg("plugin-host").arg(file).args(design);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process =
            Running::start(&mut command).map_err(|failure| Failure::Broken(failure.to_string()))?;
        let input = process.stdin.take().context("no pipe to it").map_err(broken)?;
        let output = process.stdout.take().context("no pipe from it").map_err(broken)?;
        let (send, lines) = mpsc::channel();
        // Ends when the process closes the pipe, at the latest with its end.
        let reading = thread::Builder::new().spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            lines.for_each(|line| drop(send.send(line)));
        });
        reading.context("no thread for its answers").map_err(broken)?;
        Ok(Host { process, input, lines })
    }

    fn ask(&mut self, ask: &Ask) {
        let mut line = serde_json::to_vec(ask).expect("a question as JSON");
        line.push(b'\n');
        // A process that has ended does not read; its answer is missing as well.
        let _ = self.input.write_all(&line);
    }

    fn answer<T: DeserializeOwned>(
        &mut self,
        timeout: Duration,
        asked: &dyn fmt::Display,
    ) -> Result<T, Failure> {
        let line = self.lines.recv_timeout(timeout).map_err(|error| match error {
            RecvTimeoutError::Timeout => {
                Failure::Broken(format!("gave no answer within {} to {asked}", in_words(timeout)))
            }
            RecvTimeoutError::Disconnected => {
                let how = exit::of_plugin(exit::status(&mut self.process));
                Failure::Broken(format!("{how} at {asked}"))
            }
        })?;
        // The host prints only answers, so any other line was printed by the library.
        serde_json::from_str(&line).map_err(|_| {
            let why = "wrote to standard output, which raywalk.h forbids";
            Failure::Broken(format!("{why}, at {asked}"))
        })
    }
}

const ELSEWHERE: &str = "a plug-in is timed in measuring processes only";

impl Design for Remote {
    fn id(&self) -> &str {
        self.card.id
    }

    fn legality(&self) -> Legality {
        self.card.legality
    }

    fn is_plugin(&self) -> bool {
        true
    }

    fn failure(&self) -> Option<Failure> {
        self.failure.get().cloned()
    }

    fn offers(&self, call: Call) -> bool {
        self.offered.has(call)
    }

    fn table_bytes(&self) -> usize {
        self.table_bytes as usize
    }

    fn walks(&mut self) -> Option<&mut dyn Walking> {
        panic!("{ELSEWHERE}");
    }

    fn load_after(&mut self, _: usize, _: &[Position]) {
        panic!("{ELSEWHERE}");
    }

    fn pass(&mut self, _: Invocation, _: Range<usize>) -> u64 {
        panic!("{ELSEWHERE}");
    }

    fn pass_with_extra(&mut self, _: ExtraWork, _: Range<usize>) -> u64 {
        panic!("{ELSEWHERE}");
    }

    fn check(&mut self, _: Call, _: Range<usize>) -> Checksum {
        panic!("{ELSEWHERE}");
    }

    fn perft(&self, position: &Position, depth: u32, options: PerftOptions<'_>) -> u64 {
        let bulk = options.leaves == Leaves::Bulk;
        self.ask(&Ask::Perft { fen: position.to_string(), depth, bulk })
    }

    fn divide(&self, position: &Position, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
        let bulk = leaves == Leaves::Bulk;
        let rows: Vec<(u16, u64)> =
            self.ask(&Ask::Divide { fen: position.to_string(), depth, bulk });
        rows.into_iter().map(|(mv, leaves)| (Move::from_bits(mv), leaves)).collect()
    }

    /// Its host knows the legal moves as well.
    fn answers(&self, operation: Operation, position: &Position, _: &[Move]) -> Answers {
        self.ask(&Ask::Answers { fen: position.to_string(), operation })
    }

    fn generated(&self, position: &Position, stage: Stage) -> Vec<Move> {
        moves(self.ask(&Ask::Generated { fen: position.to_string(), stage }))
    }

    fn legal(&self, position: &Position, stage: Stage) -> Vec<Move> {
        moves(self.ask(&Ask::Legal { fen: position.to_string(), stage }))
    }
}

fn moves(words: Vec<u16>) -> Vec<Move> {
    words.into_iter().map(Move::from_bits).collect()
}

/// The first line of a host that only loads its library.
pub(crate) fn loaded(out: &mut dyn Write) -> Result<()> {
    send(out, &())
}

/// The other end: answers the questions of `input` with a design of this process until there are no more.
///
/// # Errors
/// A question that cannot be read, or an answer that cannot be written.
pub(crate) fn host(
    design: Result<Box<dyn Design>, String>,
    input: impl BufRead,
    out: &mut dyn Write,
) -> Result<()> {
    let built: Built = design
        .as_ref()
        .map_or_else(|why| Err(why.clone()), |design| Ok(design.table_bytes() as u64));
    send(out, &built)?;
    let Ok(design) = design else { return Ok(()) };
    for line in input.lines() {
        let ask: Ask = serde_json::from_str(&line?)?;
        let leaves = |bulk| if bulk { Leaves::Bulk } else { Leaves::Made };
        let words = |moves: Vec<Move>| moves.into_iter().map(Move::bits).collect::<Vec<_>>();
        match ask {
            Ask::Perft { fen, depth, bulk } => {
                let options = PerftOptions { leaves: leaves(bulk), table: None };
                answer(out, &*design, design.perft(&fen.parse()?, depth, options))?;
            }
            Ask::Divide { fen, depth, bulk } => {
                let rows = design.divide(&fen.parse()?, depth, leaves(bulk)).into_iter();
                let rows: Vec<_> = rows.map(|(mv, leaves)| (mv.bits(), leaves)).collect();
                answer(out, &*design, rows)?;
            }
            Ask::Generated { fen, stage } => {
                answer(out, &*design, words(design.generated(&fen.parse()?, stage)))?;
            }
            Ask::Legal { fen, stage } => {
                answer(out, &*design, words(design.legal(&fen.parse()?, stage)))?;
            }
            Ask::Answers { fen, operation } => {
                answer(out, &*design, design.answers(operation, &fen.parse()?, &[]))?;
            }
        }
    }
    Ok(())
}

/// Sends the answer of a design, unless it has broken a rule.
fn answer<T: Serialize>(out: &mut dyn Write, design: &dyn Design, answer: T) -> Result<()> {
    let answer: Answer<T> = match design.failure() {
        Some(Failure::Broken(fault)) => Err(fault),
        _ => Ok(answer),
    };
    send(out, &answer)
}

fn send(out: &mut dyn Write, answer: &impl Serialize) -> Result<()> {
    writeln!(out, "{}", serde_json::to_string(answer)?)?;
    Ok(out.flush()?)
}
