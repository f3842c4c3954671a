//! Units of the values that are not times of a sample.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::named;

named! {
    /// The numerator of a unit. Cycles are core cycles, derived from ticks; `times` is a ratio.
    #[expect(missing_docs, reason = "the name of each variant documents it")]
    #[derive(schemars::JsonSchema)]
    pub enum Quantity {
        Cycles = "cycles",
        Nanoseconds = "ns",
        Times = "times",
        Gigahertz = "GHz",
        Percent = "%",
        PercentWithCall = "% with call and return",
        PercentOfEmptyCalls = "% of empty calls alone",
        PercentOfBareCalls = "% of bare calls and returns",
        Branches = "branches",
        Misses = "misses",
        Events = "events",
    }
}

named! {
    /// The denominator of a unit, such as one load or one move.
    #[expect(missing_docs, reason = "the name of each variant documents it")]
    #[derive(schemars::JsonSchema)]
    pub enum Per {
        Load = "load",
        Step = "step",
        Move = "move",
        MoveInVector = "move in a vector",
        Miss = "miss",
        Branch = "branch",
        EmptyCall = "empty call",
        Operation = "operation",
    }
}

/// A unit: `%`, `cycles/load`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub struct Unit {
    /// The numerator, such as `cycles`.
    pub quantity: Quantity,
    /// The denominator, such as `load`; absent if the value is not divided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per: Option<Per>,
}

impl Unit {
    /// A unit of a whole.
    pub const fn of(quantity: Quantity) -> Unit {
        Unit { quantity, per: None }
    }

    /// A unit of a quotient.
    pub const fn per(quantity: Quantity, per: Per) -> Unit {
        Unit { quantity, per: Some(per) }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.per {
            None => write!(f, "{}", self.quantity),
            Some(per) => write!(f, "{}/{per}", self.quantity),
        }
    }
}
