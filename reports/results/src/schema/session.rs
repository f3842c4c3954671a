//! The conditions of a session.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Absent, Build, Clock, Machine, SchemaVersion, Shard};

/// The conditions of a session: machine, build, clock and plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// Version of the schema that the journal is written in.
    pub schema: SchemaVersion,
    /// UTC, RFC 3339, to the second.
    pub started: String,
    /// Name of the plan (`quick`, `full`, or the plan file's stem).
    pub plan: String,
    /// Seed of every random order of the session.
    pub seed: u64,
    /// The command line, as typed, but for the folders of absolute paths.
    pub command: String,
    /// The machine that measured, as it describes itself.
    pub machine: Machine,
    /// The build of the program that measured.
    pub build: Build,
    /// The clock that timed the rounds.
    pub clock: Clock,
    /// The corpora used, with their digests.
    pub corpora: Vec<Corpus>,
    /// Instruments that this machine does not offer. Reports show them in place of their numbers.
    pub absent: Vec<Absent>,
    /// The processor that the measuring processes are pinned to, if pinning is allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<usize>,
    /// The logical processors that share its core, if the system reports them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub siblings: Vec<usize>,
    /// Processes ready to run before the session began, averaged over 1, 5 and 15 minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<[f64; 3]>,
    /// Number of shares that the rounds of each panel are cut into, one for each process. A shard makes some of
    /// them.
    pub shares: u64,
    /// Seeds of the section orders that the shares take in turn; empty for the program as linked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layouts: Vec<u64>,
    /// The part of the plan that the session makes; absent if it makes all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Number of shards that were merged into this journal; absent if one session made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<u64>,
    /// Equality margin: designs that differ by less are called equal (0.01 is one per cent).
    pub margin: f64,
    /// Id of the headline panel.
    pub headline: String,
    /// The plan as the text of a plan file, changes by flags included, so that the session can be
    /// resumed without naming it again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub plan_file: String,
}

/// A corpus and its golden digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Corpus {
    /// Name of the corpus, or of a user's file.
    pub name: String,
    /// Positions, repeats included.
    pub positions: u64,
    /// FNV-1a 64, sixteen hex digits: of a file over its positions, each as a FEN and a line feed; of a corpus over its
    /// numbers of legal moves modulo 256.
    pub digest: String,
    /// The workloads of the session that have positions of it; empty if the journal is older than version 3.7.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workloads: Vec<String>,
}

impl Session {
    /// The corpora that a workload has positions of; empty if the journal does not say it.
    pub fn corpora_of(&self, workload: &str) -> Vec<&Corpus> {
        match &self.corpora[..] {
            [all] => vec![all],
            corpora => {
                let has = |corpus: &&Corpus| corpus.workloads.iter().any(|name| name == workload);
                corpora.iter().filter(has).collect()
            }
        }
    }
}
