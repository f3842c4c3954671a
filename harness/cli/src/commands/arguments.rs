//! Parsers of arguments that several commands share.

use std::str::FromStr;

use anyhow::{Context, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use raywalk_core::Position;
use raywalk_results::UnknownName;

/// A parser for flags with a fixed set of values, so that `--help` lists their names.
pub(super) fn names<T: Copy + FromStr<Err = UnknownName> + Send + Sync + 'static>(
    values: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values.iter().map(|&value| name(value)))
        .try_map(|text| text.parse::<T>())
}

/// Parses a FEN whose fields may be separated by any white space.
pub(super) fn position(fen: &str) -> Result<Position> {
    let fen = fen.split_whitespace().collect::<Vec<_>>().join(" ");
    fen.parse().with_context(|| format!("bad FEN `{fen}`"))
}
