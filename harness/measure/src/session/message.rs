//! The messages that a measuring process sends back.

use raywalk_results::schema::{Dropped, Process, Round, WarmUp};
use serde::{Deserialize, Serialize};

use super::error::SessionError;
use crate::environment::Best;

/// A message of a process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message {
    /// The process started; the first message behind those about the tables of plug-ins.
    Started(Process),
    /// The warm-up of a panel has ended.
    WarmUp(WarmUp),
    /// A plug-in is about to be called: if the process ends or nothing follows, it is the cause.
    Calling {
        /// The id of the design.
        design: String,
        /// Purpose of the call, as the end of a sentence.
        place: String,
    },
    /// The plug-in has returned.
    Returned,
    /// A plug-in gave a wrong answer, so it cannot be timed. The last message.
    Unfit(Dropped),
    /// A round was measured.
    Round(Box<Round>),
    /// The job is done; the best levels of the machine. The last message.
    Done(Best),
    /// The job failed, for the reason in this sentence. The last message.
    Failed(String),
}

/// Receives the messages of a process; an error stops the process.
pub type Receive<'a> = dyn FnMut(Message) -> Result<(), SessionError> + 'a;
