//! The caches of the machine.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::named;

named! {
    /// The level of a cache and what it holds, in ascending order of level.
    #[derive(schemars::JsonSchema)]
    pub enum CacheName {
        /// First level, for data and instructions.
        L1 = "L1",
        /// First level, for data.
        L1Data = "L1d",
        /// First level, for instructions.
        L1Instructions = "L1i",
        /// Second level.
        L2 = "L2",
        /// Third level.
        L3 = "L3",
        /// Fourth level.
        L4 = "L4",
    }
}

impl CacheName {
    /// Whether loads go through the cache.
    pub const fn holds_data(self) -> bool {
        !matches!(self, CacheName::L1Instructions)
    }

    /// Whether it is the first cache that a load looks at.
    pub const fn is_first_for_data(self) -> bool {
        matches!(self, CacheName::L1 | CacheName::L1Data)
    }
}

/// A cache as the machine reports it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cache {
    /// Level and contents, such as `L1d`.
    pub name: CacheName,
    /// Capacity in bytes.
    pub bytes: u64,
    /// Associativity in ways; 0 if unknown.
    pub ways: u32,
    /// Line size in bytes.
    pub line: u32,
}
