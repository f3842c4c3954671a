//! Differences between two sessions or builds, each with its name.

use crate::schema::{Build, Machine, Session};

/// A property in which two sessions or builds differ.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Difference {
    /// Name of the property, such as `seed`.
    #[serde(rename = "property")]
    pub what: String,
    /// Its value on the first side.
    #[serde(rename = "a")]
    pub one: String,
    /// Its value on the second side.
    #[serde(rename = "b")]
    pub other: String,
}

/// The properties of both lists that differ, in their order. Both lists name the same properties.
pub fn differences<W: Into<String>>(
    one: impl IntoIterator<Item = (W, String)>,
    other: impl IntoIterator<Item = (W, String)>,
) -> Vec<Difference> {
    one.into_iter()
        .zip(other)
        .filter(|((_, one), (_, other))| one != other)
        .map(|((what, one), (_, other))| Difference { what: what.into(), one, other })
        .collect()
}

impl Machine {
    /// The brand of the processor and, because a virtual machine may hide most of the brand, its model.
    pub fn processor(&self) -> String {
        let parts = [self.cpu.clone(), self.model.to_string()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// The properties that make times of two machines comparable, each with its name.
    pub fn identity(&self) -> [(&'static str, String); 2] {
        [
            ("CPU", self.processor()),
            ("hypervisor", self.hypervisor.clone().unwrap_or_else(|| "none".to_owned())),
        ]
    }
}

impl Session {
    /// The properties that must agree before rounds may be added to a journal, each with its name.
    pub fn identity(&self) -> Vec<(&'static str, String)> {
        let mut parts = self.identity_of_shards();
        parts.push(("shard", self.shard.map_or("none".to_owned(), |shard| shard.to_string())));
        parts
    }

    /// The properties of build and machine in which the session differs from these.
    pub fn differences_from(&self, machine: &Machine, build: &Build) -> Vec<Difference> {
        let parts = |machine: &Machine, build: &Build| -> Vec<_> {
            build.identity().into_iter().chain(machine.identity()).collect()
        };
        differences(parts(&self.machine, &self.build), parts(machine, build))
    }

    /// The properties that the shards of a plan have in common, each with its name.
    pub(crate) fn identity_of_shards(&self) -> Vec<(&'static str, String)> {
        let corpora =
            self.corpora.iter().map(|corpus| format!("{} {}", corpus.name, corpus.digest));
        let mut parts = vec![
            ("plan", self.plan.clone()),
            ("seed", self.seed.to_string()),
            ("shares", format!("{} in layouts {:?}", self.shares, self.layouts)),
            ("clock", self.clock.source.to_string()),
            ("corpora", corpora.collect::<Vec<_>>().join(", ")),
        ];
        parts.extend(self.build.identity());
        parts.extend(self.machine.identity());
        parts
    }
}
