//! Parsers of arguments that several commands share.
//!
//! `-` is standard input, for positions and for files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use raywalk_core::Position;
use raywalk_results::UnknownName;

/// The largest text that is read, in bytes. A stream that never ends is refused instead of filling the
/// memory.
const LARGEST_TEXT: u64 = 256 << 20;
/// The largest standard input that is read for one position.
const LARGEST_FEN: u64 = 64 << 10;
/// The longest text that an error repeats, in characters, so that the reason after it remains visible.
const LONGEST_SHOWN: usize = 100;

/// A parser for flags with a fixed set of values, so that `--help` lists their names.
pub(crate) fn names<T: Copy + FromStr<Err = UnknownName> + Send + Sync + 'static>(
    values: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values.iter().map(|&value| name(value)))
        .try_map(|text| text.parse::<T>())
}

/// The largest seed: a plan file stores it as a signed number.
const LARGEST_SEED: u64 = i64::MAX as u64;

/// A parser for the seed of a session.
pub(crate) fn seed() -> RangedU64ValueParser<u64> {
    clap::value_parser!(u64).range(..=LARGEST_SEED)
}

/// The seed that is so far after another one, beginning anew after the largest.
pub(crate) fn seed_after(seed: u64, number: u64) -> u64 {
    seed.wrapping_add(number) & LARGEST_SEED
}

/// Parses a FEN whose fields may be separated by any white space, `startpos`, or `-` for a FEN on
/// standard input.
pub(crate) fn position(fen: &str) -> Result<Position> {
    match fen.trim() {
        "-" => from_input(io::stdin().lock()),
        fen => parsed(fen),
    }
}

/// Reads the only line of `input` as a FEN.
fn from_input(input: impl Read) -> Result<Position> {
    let text = read_limited(input, LARGEST_FEN).context("cannot read a FEN from standard input")?;
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    match (lines.next(), lines.next()) {
        (Some(fen), None) => parsed(fen),
        (None, _) => bail!("standard input is empty; it must hold one FEN"),
        (Some(_), Some(_)) => bail!("standard input has several lines; it must hold one FEN"),
    }
}

fn parsed(fen: &str) -> Result<Position> {
    let fen = fen.strip_prefix('\u{feff}').unwrap_or(fen);
    let fen = fen.split_whitespace().collect::<Vec<_>>().join(" ");
    let fen = if fen == "startpos" { Position::START } else { &fen };
    fen.parse().with_context(|| format!("bad FEN `{}`", shown(fen)))
}

/// The beginning of a text from outside, for an error message.
pub(crate) fn shown(text: &str) -> String {
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Reads a text file, or standard input if the path is `-`. A byte order mark at its beginning is
/// removed.
pub(crate) fn text(path: &Path) -> Result<String> {
    if path == Path::new("-") {
        return read_limited(io::stdin().lock(), LARGEST_TEXT)
            .context("cannot read standard input");
    }
    File::open(path)
        .map_err(Into::into)
        .and_then(|file| read_limited(file, LARGEST_TEXT))
        .with_context(|| format!("cannot read {}", path.display()))
}

/// A time between a second and a day.
pub(crate) fn timeout(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    let allowed = Duration::from_secs(1)..=Duration::from_secs(86_400);
    allowed.contains(&time).then_some(time).ok_or_else(|| format!("{text} is not in 1s..=1day"))
}

fn read_limited(input: impl Read, limit: u64) -> Result<String> {
    let mut bytes = Vec::new();
    // One byte more than is accepted, so that a longer input is seen.
    input.take(limit + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= limit, "it has more than {} KiB", limit >> 10);
    let text = String::from_utf8(bytes).ok().context("it is not UTF-8 text")?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn startpos_white_space_and_a_byte_order_mark_are_accepted() {
        for fen in [
            "startpos",
            " startpos ",
            "\u{feff}startpos",
            "\u{feff}rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\tw  KQkq - 0 1\r\n",
        ] {
            assert_eq!(position(fen).expect(fen), Position::default());
        }
    }

    #[test]
    fn every_seed_of_a_series_can_be_given() {
        for (seed, number, expected) in
            [(7, 2, "9"), (LARGEST_SEED, 1, "0"), (LARGEST_SEED, 3, "2")]
        {
            let after = seed_after(seed, number).to_string();
            assert_eq!(after, expected);
            let flag = clap::Arg::new("seed").value_parser(super::seed());
            assert!(
                clap::Command::new("test").arg(flag).try_get_matches_from(["test", &after]).is_ok()
            );
        }
    }

    #[test]
    fn standard_input_holds_one_fen() {
        let read = |bytes: &[u8]| from_input(bytes).map_err(|error| format!("{error:#}"));
        assert_eq!(read(b"\xef\xbb\xbf\r\nstartpos\r\n\r\n"), Ok(Position::default()));
        for (bytes, why) in [
            (&b""[..], "empty"),
            (b"\n \n", "empty"),
            (b"startpos\nstartpos\n", "several lines"),
            (b"\xff\xfe", "not UTF-8"),
            (b"-", "bad FEN `-`: board"),
            (&[b'8'; 100_000], "more than 64 KiB"),
        ] {
            let error = read(bytes).expect_err(why);
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn a_long_text_is_cut_before_the_reason() {
        let error = position(&"x".repeat(5_000_000)).expect_err("no FEN");
        let error = format!("{error:#}");
        assert!(error.contains("1 rank instead of 8") && error.len() < 300, "{error}");
        assert_eq!(shown(&"é".repeat(200)).chars().count(), LONGEST_SHOWN + 1);
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            let _ = from_input(&bytes[..]);
        }
    }
}
