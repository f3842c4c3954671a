//! The machine that a session runs on, prepared for measuring.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use raywalk_measure::clock::{Clock, HardwareClock};
use raywalk_measure::counters::{self, Counters};
use raywalk_measure::machine::{self, affinity::Pinned, memory::Locked, tools};
use raywalk_measure::plan::Plan;
use raywalk_measure::utc;
use raywalk_results::schema::{self, Absent, Corpus, SchemaVersion};

use crate::{explain, manifest};

/// Clock, counters and the processor that this thread is pinned to.
pub(crate) struct Host {
    pub(crate) machine: schema::Machine,
    pub(crate) clock: HardwareClock,
    pub(crate) counters: Box<dyn Counters>,
    pub(crate) pinned: Result<Pinned, Absent>,
    /// Set if memory cannot be locked. Workers lock their own; this is for the session record.
    unlocked: Option<Absent>,
    load: Option<[f64; 3]>,
}

/// The command line of this process. Arguments need not be UTF-8, and [`std::env::args`] would panic.
fn command() -> String {
    words().join(" ")
}

/// The words of the command line of this process, without the folders of paths.
pub(crate) fn words() -> Vec<String> {
    let words = std::env::args_os().map(without_folders);
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

/// An argument without the folders of an absolute path, or of one that leaves the working folder. The page shows the
/// command, and how the folders of this machine are called is nobody else's business.
fn without_folders(word: OsString) -> OsString {
    let (flag, value) = match word.to_str().and_then(|text| text.split_once('=')) {
        Some((flag, value)) if flag.starts_with("--") => (format!("{flag}="), OsStr::new(value)),
        _ => (String::new(), word.as_os_str()),
    };
    let path = Path::new(value);
    match path.file_name() {
        Some(name) if path.is_absolute() || path.starts_with("..") => {
            let mut short = OsString::from(flag);
            short.push(name);
            short
        }
        _ => word,
    }
}

impl Host {
    /// Pins the thread and measures the clock. Take `load` before this process adds load itself.
    pub(crate) fn open(load: Option<[f64; 3]>) -> Host {
        // Before the pinning: a pinned thread counts one processor.
        let machine = machine::describe();
        let pinned = Pinned::to_one_processor();
        let clock = HardwareClock::measure();
        let processor = pinned.as_ref().ok().map(|pinned| pinned.processor);
        let (counters, unlocked) = (counters::of_this_machine(processor), Locked::all().err());
        Host { machine, clock, counters, pinned, unlocked, load }
    }

    /// The session record, the first line of a journal.
    pub(crate) fn session(&self, plan: &Plan, corpora: Vec<Corpus>) -> schema::Session {
        let mut absent = self.counters.absent().to_vec();
        absent.extend(self.clock.absent());
        absent.extend(tools::absent());
        absent.extend(self.pinned.as_ref().err().cloned());
        absent.extend(self.unlocked.clone());
        absent.extend(explain::absent());
        schema::Session {
            schema: SchemaVersion::CURRENT,
            started: utc::now(),
            plan: plan.name.clone(),
            seed: plan.seed(),
            command: command(),
            machine: self.machine.clone(),
            build: manifest::build(),
            clock: self.clock.facts().record(),
            corpora,
            absent,
            processor: self.pinned.as_ref().ok().map(|pinned| pinned.processor),
            siblings: self.pinned.as_ref().map(Pinned::siblings).unwrap_or_default(),
            load: self.load,
            shares: plan.shares(),
            layouts: plan.layouts.clone(),
            shard: plan.shard,
            merged: None,
            margin: plan.margin,
            headline: plan.headline(),
            plan_file: plan.to_toml(),
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn the_command_of_a_session_names_no_absolute_folder() {
        for (word, expected) in [
            ("/home/someone/raywalk", "raywalk"),
            ("/home/some one/own games.pgn", "own games.pgn"),
            ("--workload=/home/someone/own.epd", "--workload=own.epd"),
            ("--workload=own/a=b.epd", "--workload=own/a=b.epd"),
            ("bitboard/*", "bitboard/*"),
            ("own/games.pgn", "own/games.pgn"),
            ("../../someone/games.pgn", "games.pgn"),
            ("--out=../someone/result", "--out=result"),
            ("..", ".."),
            ("/", "/"),
            ("--", "--"),
        ] {
            assert_eq!(without_folders(word.into()), expected);
        }
    }
}
