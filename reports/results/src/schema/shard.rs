//! The part of a plan that one run makes.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A declared part of a plan, written as `2/3`. Plan and seed decide which rounds belong to which shard, so runs on
/// several machines make each round once.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Shard {
    number: u64,
    of: u64,
}

impl Shard {
    /// Upper bound on the number of shards.
    pub const MOST: u64 = 1_000;

    /// Shard `number` of `of`, from 1; `None` if there is no such shard.
    pub fn new(number: u64, of: u64) -> Option<Shard> {
        (1..=of).contains(&number).then_some(Shard { number, of }).filter(|_| of <= Shard::MOST)
    }

    /// Number of the shard, from 1 to [`of`](Shard::of).
    pub fn number(self) -> u64 {
        self.number
    }

    /// Number of shards that the plan is cut into.
    pub fn of(self) -> u64 {
        self.of
    }

    /// All shards of a plan that is cut into `of`.
    pub fn all(of: u64) -> impl Iterator<Item = Shard> {
        (1..=of).filter_map(move |number| Shard::new(number, of))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// A text that is no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a shard such as `2/3`: a number from 1, and how many shards there are, at most {most}", most = Shard::MOST)]
pub struct ShardError(String);

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let read = || {
            let (number, of) = text.split_once('/')?;
            Shard::new(number.parse().ok()?, of.parse().ok()?)
        };
        read().ok_or_else(|| ShardError(text.to_owned()))
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Shard, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_written_as_it_is_read_and_lies_within_its_plan() {
        for text in ["1/1", "2/3", "1000/1000"] {
            assert_eq!(text.parse::<Shard>().map(|shard| shard.to_string()), Ok(text.to_owned()));
        }
        for text in ["0/3", "4/3", "3", "", "1/", "-1/3", "1/1001", "1/3/5", "one/three"] {
            let error = text.parse::<Shard>().expect_err(text).to_string();
            assert!(
                error.starts_with(&format!("`{text}` is not a shard such as `2/3`")),
                "{error}"
            );
        }
        assert_eq!(Shard::all(3).map(Shard::number).collect::<Vec<_>>(), [1, 2, 3]);
    }
}
